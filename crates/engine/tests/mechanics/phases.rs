//! The condition of a phase says which units take part, in every mechanism that is played unit by unit.

use grognard_engine::Side;
use grognard_rules::model::Rules;

use crate::common::{Game, Men, extended, unit};

/// A built-in pack with a condition on this phase, or its faults.
fn with_condition(pack: &str, phase: &str, when: &str) -> Result<&'static Rules, String> {
    extended(pack, &format!("[[phase]]\nid = \"{phase}\"\nwhen = \"{when}\"\n"))
}

/// Whether a unit does anything in this phase if only this arm takes part.
fn acts(pack: &str, phase: &str, arm: &str, own: (&str, Men), foe: (&str, Men)) -> bool {
    let rules =
        with_condition(pack, phase, &format!("self.arm == '{arm}'")).unwrap_or_else(|faults| panic!("{faults}"));
    let mut game = Game::under(rules, (own.0, &[own.1]), (foe.0, &[foe.1]));
    let before = game.first();
    game.play_anyhow(Side::First, phase);
    (game.first().formation, game.first().front) != (before.formation, before.front)
}

#[test]
fn units_change_formation_only_in_a_phase_in_which_they_take_part() {
    let formed = |arm| {
        let foot = unit("line-battalion").at(0.0, -3.0).facing(0.0);
        let horse = unit("heavy-cavalry").at(0.0, 3.0).facing(180.0);
        acts("napoleonic-figures", "formation", arm, ("stand-and-form", foot), ("charge-home", horse))
    };
    assert_eq!([formed("cavalry"), formed("infantry")], [false, true]);
}

#[test]
fn units_declare_charges_only_in_a_phase_in_which_they_take_part() {
    let charged = |arm| {
        let horse = unit("heavy-cavalry").at(0.0, -3.0).facing(0.0);
        let foot = unit("line-battalion").at(0.0, 3.0).facing(180.0);
        acts("napoleonic-figures", "charge", arm, ("charge-home", horse), ("stand", foot))
    };
    assert_eq!([charged("infantry"), charged("cavalry")], [false, true]);
}

#[test]
fn units_march_only_in_a_phase_in_which_they_take_part() {
    let marched = |arm| {
        let foot = unit("line-battalion").at(0.0, -14.0).facing(0.0);
        let foe = unit("line-battalion").at(0.0, 14.0).facing(180.0);
        acts("napoleonic-figures", "move", arm, ("charge-home", foot), ("stand", foe))
    };
    assert_eq!([marched("cavalry"), marched("infantry")], [false, true]);
}

/// A condition applies to orders, and a routed unit has no orders.
#[test]
fn routed_units_flee_in_a_phase_in_which_they_take_no_part() {
    let foot = unit("line-battalion").morale("routed").at(0.0, -6.0).facing(0.0);
    let foe = unit("line-battalion").at(0.0, 6.0).facing(180.0);
    assert!(acts("napoleonic-figures", "move", "cavalry", ("charge-home", foot), ("stand", foe)));
}

#[test]
fn units_are_ordered_only_in_a_phase_in_which_they_take_part() {
    let ordered = |arm| {
        let horse = unit("cavalry").at(0.0, -14.0).facing(0.0);
        let foe = unit("infantry").at(0.0, 14.0).facing(180.0);
        acts("napoleonic-pips", "pip", arm, ("attack", horse), ("attack", foe))
    };
    assert_eq!([ordered("infantry"), ordered("cavalry")], [false, true]);
}

#[test]
fn a_condition_that_nobody_would_ask_is_refused() {
    for (pack, phase, says, help) in [
        (
            "napoleonic-pips",
            "charge",
            "an `onset` phase carries out all charges that have been declared",
            "to exclude units, give the act `charge` a bar",
        ),
        (
            "ancients-hex",
            "command",
            "a `command` phase plays a card, and the card says which units take part",
            "use the card's `of` to say which units it orders",
        ),
    ] {
        let faults = with_condition(pack, phase, "self.figures < 20").expect_err("it has no condition");
        assert!(faults.contains(says) && faults.contains(help) && faults.contains("pack.toml:6:8"), "{faults}");
    }
}
