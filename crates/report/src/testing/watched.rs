//! Watched battles for made-up results.

use grognard_lab::results::Manifest;
use grognard_lab::watched::{GONE, OddBattle, Oddity, Standing, StateByTurn, Watched, WatchedCell, WatchedClause};

/// Battles watched in each cell.
const BATTLES: u64 = 100;

/// Morale that fades faster the higher the cell's number, clauses of every frequency, and one noteworthy battle of each
/// kind.
pub(crate) fn watched(manifest: &Manifest) -> Watched {
    let cells = manifest.cells.len() as u64;
    let fade = |cell: u64, side: u64, turn: u64| (turn * (cell % 7 + 2 * side + 1)).min(BATTLES);
    let states = |cell: u64, side: u64| {
        let by_turn = |of: &dyn Fn(u64) -> u64| (0..=8).map(|turn| of(fade(cell, side, turn))).collect::<Vec<_>>();
        let state = |state: &str, standing, units| StateByTurn { state: state.to_owned(), standing, units };
        vec![
            state("good", Standing::Good, by_turn(&|fade| BATTLES - fade)),
            state("disordered", Standing::Shaken, by_turn(&|fade| fade - fade / 2)),
            state("routed", Standing::Broken, by_turn(&|fade| fade / 2 - fade / 4)),
            state(GONE, Standing::Gone, by_turn(&|fade| fade / 4)),
        ]
    };
    let cell =
        |cell: u64| WatchedCell { cell: cell as u32, battles: BATTLES, morale: vec![states(cell, 0), states(cell, 1)] };
    let clause = |nth: u64| {
        WatchedClause {
        id: format!("7.{nth}"),
        text: "A charge must be declared before anything moves, and is made with the whole of the unit’s move or not at all."
            .to_owned(),
        battles: (0..cells).map(|cell| (BATTLES * nth / 10 + if nth.is_multiple_of(10) { 0 } else { cell % 7 }).min(BATTLES)).collect(),
    }
    };
    let odd = |oddity| OddBattle {
        oddity,
        cell: 0,
        battle: 17,
        winner: Some(manifest.sides[1].clone()),
        turns: 8,
        figures: vec![8, 12],
        losses: vec![3, 5],
        points: Vec::new(),
        on_points: false,
        narration: vec!["Turn 1".to_owned(), "  the attacker charges".to_owned()],
    };
    Watched {
        battles: BATTLES,
        clause_battles: BATTLES,
        cells: (0..cells).map(cell).collect(),
        clauses: (0..=10).map(clause).collect(),
        odd: Oddity::ALL.map(odd).into(),
    }
}
