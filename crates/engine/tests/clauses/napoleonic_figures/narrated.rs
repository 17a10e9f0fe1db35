//! What the narration reports in addition to the clauses that it cites.

use grognard_dice::{NoDice, SeededDice};
use grognard_engine::{Citing, Event, Narrator, Scene, Side, Witness, step};

use super::{alone, far_away, figure, s6, skirmishers};
use crate::common::{Game, Men, unit};

/// Narrates each event, and checks that the lines name all the clauses that the event cites.
#[derive(Default)]
struct Compared {
    narrator: Narrator,
    citing: Citing,
    refused: usize,
}

impl Witness for Compared {
    fn see(&mut self, scene: Scene<'_>, event: &Event) {
        let before = self.narrator.lines().len();
        self.narrator.see(scene, event);
        let told = self.narrator.lines()[before..].join("\n");
        for clause in self.citing.clauses(scene, event).into_iter().filter(|&clause| clause != "house") {
            let stands = |ends: &str| told.contains(&format!("{clause}{ends}"));
            assert!(stands(",") || stands("]"), "{event:?} cites {clause}, and its lines do not: {told:?}");
        }
        self.refused += usize::from(matches!(event, Event::Refused { .. }));
    }
}

/// Every refusal that applies a clause has a line with that clause.
#[test]
fn refusals_are_told_with_their_clauses() {
    let aside = || figure().at(5.0, 0.25).facing(180.0);
    let ahead = |inches: f64| figure().at(0.0, inches).facing(180.0);
    let fields: [(&str, Men, Men, &str, &str); 10] = [
        ("charge", s6(), aside(), "charge", "cannot charge an enemy that is not in its front arc [7.12, 7.61]"),
        ("charge", s6(), ahead(20.0), "charge", "cannot reach its target [9.22, 7.12, 7.41, house]"),
        ("charge", skirmishers(4).at(0.0, 0.0), ahead(3.0), "charge", "may not charge [8.71, 7.62, 9.44, house]"),
        ("fire-only", s6(), aside(), "fire", "has no target in its front arc [7.12, 7.51]"),
        ("face", s6().morale("routed"), far_away(), "formation", "is broken and does not turn [7.36]"),
        (
            "form-line",
            s6().formation("column").morale("routed"),
            far_away(),
            "formation",
            "is broken and does not change formation [8.14]",
        ),
        (
            "form-square",
            unit("heavy-cavalry").at(0.0, 0.0).facing(0.0),
            far_away(),
            "formation",
            "may not go to square [8.30]",
        ),
        ("form-square", s6().morale("disordered"), far_away(), "formation", "may not go to square [9.52]"),
        ("dismount", unit("heavy-cavalry").at(0.0, 0.0).facing(0.0), far_away(), "formation", "cannot dismount [8.35]"),
        (
            "detach",
            unit("heavy-cavalry").at(0.0, 0.0).facing(0.0),
            far_away(),
            "formation",
            "has no skirmishers to deploy",
        ),
    ];
    for (doctrine, own, enemy, phase, line) in fields {
        let mut game = Game::new((doctrine, &[own]), ("hold", &[enemy]));
        let phase = game.rules.phases.iter().position(|known| known.id == phase).expect("a phase of the pack");
        (game.battle.active, game.battle.phase) = (Side::First, phase as u8);
        let mut compared = Compared::default();
        step(game.rules, &game.setup, &mut game.battle, &mut NoDice, &mut compared);
        assert_eq!(compared.refused, 1, "{line}");
        let told = compared.narrator.lines().join("\n");
        assert!(told.contains(line), "{line}: {told}");
    }
}

/// The list of units at the start of a battle gives the size of each crew.
#[test]
fn clause_8_46() {
    let guns = |north: f64| unit("field-battery").at(0.0, north).facing(0.0);
    let mut game = Game::new(("hold", &[guns(0.0)]), ("hold", &[guns(22.0)]));
    game.phase("formation", &[]);
    game.saw("8.46");
    let mut compared = Compared::default();
    game.battle = game.setup.start.clone();
    step(game.rules, &game.setup, &mut game.battle, &mut NoDice, &mut compared);
    let told = ["Field battery (first): 1 figure, 8 cannon [8.46], ", "Field battery (second): 1 figure, 8 cannon, "];
    for (line, told) in compared.narrator.lines().iter().zip(told) {
        assert!(line.starts_with(told), "{line}");
    }
}

/// A modifier cites the clauses that apply to the contestant that has it, not those that apply to the other.
#[test]
fn clause_9_12() {
    let column = |north: f64, facing: f64| s6().formation("column").at(0.0, north).facing(facing);
    let mut game = Game::new(("charge", &[column(0.0, 0.0)]), ("hold", &[column(2.0, 180.0)]));
    game.phase("charge", &[1, 1, 1]);
    let shock = game.rules.phases.iter().position(|phase| phase.id == "shock").expect("a phase of the pack");
    game.battle.phase = shock as u8;
    let mut compared = Compared::default();
    step(game.rules, &game.setup, &mut game.battle, &mut SeededDice::new(1815), &mut compared);
    let lines = compared.narrator.lines();
    let depth: Vec<&str> =
        lines.iter().map(|line| line.trim()).filter(|line| line.contains("infantry-column")).collect();
    assert_eq!(depth, ["+2 infantry-column [9.11, 9.12, house]", "+2 infantry-column [house]"]);
    alone("march", s6().formation("pseudo-column"), "move").saw("9.12");
}

/// A clause that forbids a formation is cited, but a clause about units of another kind is not.
#[test]
fn clause_8_35() {
    let refused = |men: Men, formation: &str| {
        let faults = Game::refused(("hold", &[men.formation(formation)]), ("hold", &[far_away()]));
        faults[0].message.clone()
    };
    for (kind, formation, told) in [
        (
            "heavy-cavalry",
            "full-skirmish",
            "Heavy cavalry regiment cannot be in full skirmish order (8.30, 8.36, 9.31)",
        ),
        ("dragoons", "skirmish", "Dragoon regiment cannot be in skirmish order (8.30, 9.31)"),
        ("dismounted-dragoons", "square", "Dismounted dragoons cannot be in square (8.35)"),
        ("field-battery", "square", "Field battery cannot be in square (8.40-G)"),
    ] {
        assert_eq!(refused(unit(kind).at(0.0, 0.0), formation), told);
    }
    let faults = Game::refused(
        ("hold", &[unit("heavy-cavalry").figures(8).abreast(5).formation("column")]),
        ("hold", &[far_away()]),
    );
    assert!(faults[0].message.ends_with("(8.31)"), "{faults:?}");
    // The same in battle, with none or seven of the eight figures deployed.
    for out in [0, 7] {
        let horse = unit("dismounted-light-cavalry").screen(out).formation("line").at(0.0, 0.0).facing(0.0);
        let mut game = Game::new(("form-square", &[horse]), ("hold", &[far_away()]));
        game.phase("formation", &[]);
        game.saw("8.35");
        for other in ["8.20", "9.31", "9.57"] {
            assert!(!game.seen.cited().contains(other), "{out} out: {other}");
        }
    }
}
