//! The clauses of `fleet-action`. The tests of exact odds compare the odds of whole actions with calculations from the
//! clauses.

use std::sync::OnceLock;

use grognard_engine::Side;
use grognard_rules::model::{PickedBy, Rules};

use crate::common::{Game, Men, deployment, load, unit};

fn rules() -> &'static Rules {
    static RULES: OnceLock<Rules> = OnceLock::new();
    RULES.get_or_init(|| load("fleet-action"))
}

/// The ships of a fleet.
fn ships(kinds: &[&str]) -> Vec<Men> {
    kinds.iter().map(|kind| unit(kind)).collect()
}

/// Two fleets with their doctrines.
fn game(blue: (&str, &[&str]), red: (&str, &[&str])) -> Game {
    Game::under(rules(), (blue.0, &ships(blue.1)), (red.0, &ships(red.1)))
}

/// Two fleets that both give up their smallest ships first.
fn fleets(blue: &[&str], red: &[&str]) -> Game {
    game(("cheapest-first", blue), ("cheapest-first", red))
}

/// The hits that each ship of a side can still take.
fn left(game: &Game, side: Side) -> Vec<u16> {
    game.battle.side(side).map(|id| game.battle.unit(id).figures).collect()
}

#[test]
fn clause_ships() {
    for (kind, hits, guns, gunnery) in [
        ("fighters", 1, 1, 9),
        ("destroyer", 1, 1, 9),
        ("cruiser", 2, 2, 8),
        ("carrier", 3, 1, 9),
        ("ironclad", 4, 6, 7),
        ("battleship", 4, 4, 7),
    ] {
        let mut game = fleets(&[kind], &["carrier"]);
        assert_eq!(game.first().figures, hits, "{kind}");
        // One gun hits with exactly its gunnery number, and the others miss by one; the carrier misses.
        let faces: Vec<i32> = std::iter::once(gunnery).chain((1..guns).map(|_| gunnery - 1)).chain([8]).collect();
        game.phase("guns", &faces);
        assert_eq!((left(&game, Side::Second), game.first().figures), (vec![2], hits), "{kind}");
        game.saw("ships");
    }
    // A fleet's strength is the number of hits that its ships can take: four beat three, however many ships there are.
    let mut plan = deployment(
        ("at-the-strongest", &ships(&["fighters"])),
        ("at-the-strongest", &ships(&["fighters", "fighters", "fighters"])),
    );
    let third = deployment(("at-the-strongest", &ships(&["battleship"])), ("at-the-strongest", &ships(&["fighters"])));
    plan.sides.third = Some(grognard_engine::SidePlan { name: "third".into(), ..third.sides.first });
    let mut three = Game::planned(rules(), &plan);
    three.phase("guns", &[9, 1, 1, 1, 1, 1, 1, 1]);
    assert_eq!(
        [Side::First, Side::Second, Side::Third].map(|side| left(&three, side)),
        [vec![1], vec![1, 1, 1], vec![3]]
    );
}

#[test]
fn clause_torpedoes() {
    for (face, hull) in [(7, 4), (8, 3)] {
        let mut game = fleets(&["destroyer"], &["battleship"]);
        game.phase("torpedoes", &[face]);
        assert_eq!(left(&game, Side::Second), [hull]);
        game.saw("torpedoes");
    }
    assert_eq!(fleets(&["destroyer"], &["battleship"]).dice("torpedoes", &[1]), [10]);
    // Each destroyer has one torpedo, no other unit has any, and both fleets launch.
    let mut both = fleets(&["destroyer", "cruiser", "destroyer"], &["battleship", "destroyer"]);
    both.phase("torpedoes", &[8, 8, 8]);
    assert_eq!((left(&both, Side::First), left(&both, Side::Second)), (vec![1, 1, 1], vec![2, 1]));
    fleets(&["fighters", "cruiser", "carrier", "battleship"], &["cruiser"]).phase("torpedoes", &[]);
}

#[test]
fn clause_aimed() {
    let phase = rules().phases.iter().find(|phase| phase.id == "torpedoes").expect("a phase");
    assert_eq!(phase.casualties.as_ref().map(|casualties| casualties.by), Some(PickedBy::Shooter));
    // Of the ships that may be hit, the largest is picked off first, and then the next largest.
    let mut game = fleets(&["destroyer"; 6], &["fighters", "destroyer", "cruiser", "carrier", "battleship"]);
    game.phase("torpedoes", &[8, 8, 8, 8, 8, 1, 1]);
    assert_eq!(left(&game, Side::Second), [1, 1, 2, 2, 0]);
    game.saw("aimed");
    let mut spared = fleets(&["destroyer", "destroyer"], &["fighters", "destroyer"]);
    spared.phase("torpedoes", &[8, 8, 1]);
    assert_eq!(left(&spared, Side::Second), [1, 0], "never fighters");
    let mut last = fleets(&["destroyer", "destroyer"], &["fighters", "cruiser", "destroyer"]);
    last.phase("torpedoes", &[8, 8, 1]);
    assert_eq!(left(&last, Side::Second), [1, 0, 1]);
    let mut small = fleets(&["destroyer"], &["destroyer", "cruiser", "carrier"]);
    small.phase("torpedoes", &[8, 1]);
    assert_eq!(left(&small, Side::Second), [1, 2, 2]);
    // An ironclad is hit after a battleship and before a carrier.
    let mut iron = fleets(&["destroyer"; 5], &["carrier", "ironclad", "battleship"]);
    iron.phase("torpedoes", &[8; 5]);
    assert_eq!(left(&iron, Side::Second), [3, 3, 0]);
}

#[test]
fn clause_guns() {
    let mut game = fleets(&["cruiser", "fighters"], &["battleship"]);
    game.phase("guns", &[8, 8, 9, 6, 6, 6, 6]);
    assert_eq!(left(&game, Side::Second), [1], "three guns hit");
    game.saw("guns");
    assert_eq!(fleets(&["cruiser", "carrier"], &["destroyer"]).dice("guns", &[1; 4]), [10; 4]);
}

#[test]
fn clause_light() {
    // Two heavy guns hit on a 7; the light guns need a 9, and are lost first.
    for lost in 0..4 {
        let faces = |heavy: [i32; 2], light: i32| -> Vec<i32> {
            heavy.into_iter().chain(vec![light; 4 - lost]).chain([1]).collect()
        };
        let hits = |faces: &[i32]| {
            let mut game = fleets(&["ironclad"], &["carrier"]);
            game.unit_mut(Side::First, 0).figures -= lost as u16;
            game.phase("guns", faces);
            game.saw("light");
            3 - left(&game, Side::Second)[0]
        };
        assert_eq!(hits(&faces([6, 6], 8)), 0, "{lost} lost");
        assert_eq!(hits(&faces([7, 6], 8)), 1, "{lost} lost");
        assert_eq!(hits(&faces([7, 7], 8)), 2, "{lost} lost");
        assert_eq!(hits(&faces([6, 6], 9)), (4 - lost as u16).min(3), "{lost} lost");
    }
}

#[test]
fn clause_damage() {
    let mut whole = fleets(&["cruiser"], &["fighters"]);
    whole.phase("guns", &[1, 1, 1]);
    assert!(!whole.seen.cited().contains("damage"), "both ships have all their guns");
    for (kind, guns) in [("cruiser", 2_u16), ("carrier", 1), ("ironclad", 6), ("battleship", 4)] {
        for lost in 1..=guns {
            let mut game = fleets(&[kind], &["fighters"]);
            let lost = lost.min(game.first().figures - 1);
            game.unit_mut(Side::First, 0).figures -= lost;
            let faces = vec![1; usize::from(guns.saturating_sub(lost)) + 1];
            game.phase("guns", &faces);
            assert_eq!(game.seen.cited().contains("damage"), lost < guns, "{kind} with {lost} hits");
        }
    }
}

#[test]
fn clause_together() {
    let mut guns = fleets(&["fighters"], &["fighters"]);
    guns.phase("guns", &[9, 9]);
    assert_eq!((left(&guns, Side::First), left(&guns, Side::Second)), (vec![0], vec![0]));
    guns.saw("together");
    let mut torpedoes = fleets(&["destroyer"], &["destroyer"]);
    torpedoes.phase("torpedoes", &[8, 8]);
    assert_eq!((left(&torpedoes, Side::First), left(&torpedoes, Side::Second)), (vec![0], vec![0]));
    // In the second half of the turn, no unit fires.
    let mut quiet = fleets(&["destroyer"], &["destroyer"]);
    quiet.phase_of(Side::Second, "torpedoes", &[]);
    quiet.phase_of(Side::Second, "guns", &[]);
}

#[test]
fn clause_given_up() {
    let all = ["battleship", "carrier", "cruiser", "destroyer", "fighters"];
    // A battleship and a cruiser score six hits.
    let hit = |doctrine: &str| {
        let mut game = game(("cheapest-first", &["battleship", "cruiser"]), (doctrine, &all));
        game.phase("guns", &[7, 7, 7, 7, 8, 8, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
        game.saw("given-up");
        left(&game, Side::Second)
    };
    assert_eq!(hit("cheapest-first"), [4, 1, 0, 0, 0]);
    assert_eq!(hit("sustain-first"), [1, 1, 1, 1, 1]);
    assert_eq!(hit("carrier-first"), [4, 0, 1, 0, 0]);
    assert_eq!(hit("largest-first"), [0, 1, 2, 1, 1]);
    // An ironclad is given up after a carrier and before a battleship.
    let mut iron = fleets(&["battleship", "battleship"], &["battleship", "ironclad", "carrier"]);
    iron.phase("guns", &[&[7; 8][..], &[1; 11]].concat());
    assert_eq!(left(&iron, Side::Second), [3, 0, 0]);
    // A doctrine does not change which ships the enemy's torpedoes hit.
    let mut aimed = game(("cheapest-first", &["destroyer"]), ("carrier-first", &["carrier", "battleship"]));
    aimed.phase("torpedoes", &[8]);
    assert_eq!(left(&aimed, Side::Second), [3, 3]);
}

#[test]
fn clause_sustained() {
    let mut game = fleets(&["cruiser"], &["carrier"]);
    game.phase("guns", &[8, 8, 1]);
    assert!(game.outcome.is_none() && !game.second().gone());
    game.saw("sustained");
    game.phase("guns", &[8, 1]);
    assert!(game.second().gone());
}

#[test]
fn clause_end() {
    let outcome = |sunk: [usize; 2]| {
        let five = ["fighters"; 5];
        let mut game = fleets(&five, &five);
        for (side, sunk) in Side::BOTH.into_iter().zip(sunk) {
            for number in 0..sunk {
                let ship = game.unit_mut(side, number);
                (ship.figures, ship.flags) = (0, grognard_engine::Flags::GONE);
            }
        }
        let mut faces = vec![1; 5 - sunk[0]];
        faces[0] = 9;
        faces.extend(vec![1; 5 - sunk[1]]);
        game.phase("guns", &faces);
        if game.outcome.is_some() {
            game.saw("end");
        }
        game.outcome.map(|outcome| outcome.winner)
    };
    assert_eq!(outcome([0, 1]), None, "two of five");
    assert_eq!(outcome([0, 2]), Some(Some(Side::First)), "three of five");
    assert_eq!(outcome([3, 2]), Some(None), "both");
}
