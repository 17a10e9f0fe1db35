//! Bars that apply to several acts, each tested where nothing else forbids the act.

use grognard_engine::{Flags, Marks};

use super::*;

/// Something that a unit has already done, or that has happened to it.
#[derive(Clone, Copy, Debug)]
enum Been {
    Flagged(Flags),
    Marked(Marks),
    Well,
}

/// Asserts that this bar is the first to stop an act that the doctrine asks for, although there are enough points. Also
/// asserts that the clause is cited.
#[track_caller]
fn barred(doctrine: &str, (men, been): (Men, Been), enemy: Men, wanted: (&str, &str), clause: &str) {
    let mut game = game((doctrine, &[men]), ("hold", &[enemy]));
    let unit = game.unit_mut(Side::First, 0);
    match been {
        Been::Flagged(flags) => unit.flags = flags,
        Been::Marked(marks) => unit.marks = marks,
        Been::Well => {}
    }
    game.points(4).phase("pip", &[]);
    assert_eq!(game.barred().first(), Some(&wanted), "{doctrine}");
    game.saw(clause);
}

/// Infantry three inches in front of D, which it could reach.
fn near() -> Men {
    infantry(0.0, 3.0, 180.0)
}

/// Infantry that touches D.
fn touching() -> Men {
    infantry(0.0, 1.0, 180.0)
}

/// Unlimbered guns that touch no unit.
fn guns() -> Men {
    by_centre("foot-artillery", 0.0, 0.0, 0.0, 1.0)
}

fn alone() -> Men {
    infantry(0.0, 0.0, 0.0)
}

/// A unit may move once and change its formation once in a turn.
#[test]
fn clause_hd3() {
    let moved = Been::Flagged(Flags::MOVED);
    barred("contact", (near(), moved), defender(), ("contact", "moved"), "HD3");
    let changed = Been::Flagged(Flags::CHANGED);
    barred("limber", (guns(), changed), far_away(), ("limber", "changed"), "HD3");
    barred("unlimber", (guns().formation("limbered"), changed), far_away(), ("unlimber", "changed"), "HD3");
}

/// A unit that has pivoted does not move up to an enemy.
#[test]
fn clause_p4() {
    barred("contact", (near(), Been::Marked(Marks::PIVOTED)), defender(), ("contact", "pivoted"), "P4");
}

/// A unit that touches no other unit does not pivot.
#[test]
fn clause_p1() {
    barred("face", (alone(), Been::Well), infantry(8.0, 0.0, 270.0), ("pivot", "no-contact"), "P1");
}

/// A firing unit does not move, into contact or otherwise.
#[test]
fn clause_s8() {
    barred("contact", (near(), Been::Marked(Marks::FIRING)), defender(), ("contact", "firing"), "S8");
}

/// Firing guns do not limber.
#[test]
fn clause_r10() {
    barred("limber", (guns(), Been::Marked(Marks::FIRING)), far_away(), ("limber", "firing"), "R10");
}

/// Limbered guns do not fire.
#[test]
fn clause_ka1() {
    let limbered = || (guns().formation("limbered"), Been::Well);
    for enemy in [infantry(0.0, 6.0, 180.0), infantry(6.0, 0.0, 270.0)] {
        barred("fire", limbered(), enemy, ("start-firing", "limbered"), "KA1");
    }
}

/// Cavalry does not fire, whatever it touches.
#[test]
fn clause_kf1() {
    let horse = || (cavalry(0.0, 0.0, 0.0), Been::Well);
    for enemy in [infantry(0.0, 1.0, 180.0), infantry(2.0, 0.0, 180.0), far_away()] {
        barred("fire", horse(), enemy, ("start-firing", "horse"), "KF1");
    }
}

/// Unlimbered guns do not move up to any unit.
#[test]
fn clause_r8() {
    let guns = by_centre("foot-artillery", 0.0, 3.0, 180.0, 1.0);
    barred("contact", (guns, Been::Well), defender(), ("contact", "unlimbered"), "R8");
}

/// A unit that has formed or left square in this turn does not form square.
#[test]
fn clause_s6() {
    barred("square", (alone(), Been::Flagged(Flags::CHANGED)), far_away(), ("form-square", "changed"), "S6");
}

/// A unit that is marked to charge no longer moves.
#[test]
fn clause_kc2() {
    let charging = Been::Flagged(Flags::CHARGING);
    barred("shift", (alone(), charging), far_away(), ("move", "charging"), "KC2");
    barred("contact", (near(), charging), defender(), ("contact", "charging"), "KC2");
}

/// A unit that is marked to charge does not form square.
#[test]
fn clause_kc1() {
    barred("square", (alone(), Been::Flagged(Flags::CHARGING)), far_away(), ("form-square", "charging"), "KC1");
    // Shaken cavalry does not move up to any unit, since it could not charge.
    let horse = cavalry(0.0, 4.5, 180.0).morale("shaken");
    barred("contact", (horse, Been::Well), defender(), ("contact", "shaken-horse"), "KC1");
}

/// A routed unit does nothing but rally, and only a routed unit rallies.
#[test]
fn clause_ke1() {
    let routed = |men: Men| (men.morale("routed"), Been::Well);
    barred("shift", routed(alone()), far_away(), ("move", "broken"), "KE1");
    barred("contact", routed(near()), defender(), ("contact", "broken"), "KE1");
    barred("fire", routed(touching()), defender(), ("start-firing", "broken"), "KE1");
    barred("face", routed(defender()), infantry(2.5, 0.0, 0.0), ("pivot", "broken"), "KE1");
    barred("square", routed(alone()), far_away(), ("form-square", "broken"), "KE1");
    barred("rally", (guns().morale("silenced"), Been::Well), far_away(), ("rally", "silenced"), "KE1");
}

/// Silenced guns cannot fire or be charged. Only silenced guns can be spiked, by a unit that does nothing else.
#[test]
fn clause_ka2() {
    for kind in ["infantry", "cavalry"] {
        let faults = refused(unit(kind).at(0.0, 0.0).facing(0.0).morale("silenced"));
        assert!(faults.contains("cannot be silenced") && faults.contains("KA2"), "{faults}");
    }
    let silenced = || (guns().morale("silenced"), Been::Well);
    barred("limber", silenced(), far_away(), ("limber", "silenced"), "KA2");
    barred(
        "unlimber",
        (guns().formation("limbered").morale("silenced"), Been::Well),
        far_away(),
        ("unlimber", "silenced"),
        "KA2",
    );
    let horse = || cavalry(0.0, 1.0, 180.0);
    barred("charge-only", (horse(), Been::Well), guns().morale("silenced"), ("charge", "silenced"), "KA2");
    barred("spike", (horse(), Been::Well), guns(), ("spike", "not-silenced"), "KA2");
    let charging = Been::Flagged(Flags::CHARGING);
    barred("spike", (horse(), charging), guns().morale("silenced"), ("spike", "busy"), "KA2");
    for been in [Been::Flagged(Flags::MOVED), Been::Flagged(Flags::CHANGED), Been::Marked(Marks::PIVOTED)] {
        barred("spike", (horse(), been), guns().morale("silenced"), ("spike", "busy"), "KA2");
    }
}
