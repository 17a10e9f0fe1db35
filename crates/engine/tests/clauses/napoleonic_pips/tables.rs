//! The tables of the rules, number by number: units (KB1), modifiers (HD4, HD5), terrain (KT1), generals, and dice.
//!
//! Other tests check the effect of a number; these check that it is the one printed in the rules.

use grognard_rules::model::{Board, Kind, Role};

use super::*;
use crate::common::witnessed;

fn kind(id: &str) -> &'static Kind {
    let number = pips().kind(id).unwrap_or_else(|| panic!("no unit {id}"));
    &pips().kinds[number]
}

/// The value of a unit's attribute.
fn word(kind: &Kind, attribute: &str) -> &'static str {
    let place = pips().attributes.iter().position(|known| known.id == attribute).expect("an attribute");
    &pips().attributes[place].words[kind.attributes[place] as usize]
}

/// How far a unit moves in a formation, in hundredths of an inch.
fn speed(id: &str, formation: &str) -> Option<i32> {
    kind(id).speed[pips().formation(formation).expect("a formation")]
}

/// The number that a modifier of a roll adds.
fn add(roll: &str, modifier: &str) -> i32 {
    let roll = pips().rolls.iter().find(|known| known.id == roll).expect("a roll");
    let row = roll.modifiers.iter().find(|row| row.id == modifier);
    row.unwrap_or_else(|| panic!("{} has no modifier {modifier}", roll.id)).add
}

/// Each unit is one base of this size with these attributes, and begins in this formation.
#[test]
fn clause_kb1() {
    for (id, base, formation, quality, mount) in [
        ("infantry", (250, 100), "line", "normal", "foot"),
        ("raw-infantry", (250, 100), "line", "raw", "foot"),
        ("veteran-infantry", (250, 100), "line", "veteran", "foot"),
        ("cavalry", (150, 100), "line", "normal", "horse"),
        ("raw-cavalry", (150, 100), "line", "raw", "horse"),
        ("veteran-cavalry", (150, 100), "line", "veteran", "horse"),
        ("cuirassiers", (150, 100), "line", "veteran", "armoured"),
        ("foot-artillery", (100, 100), "unlimbered", "normal", "foot"),
        ("horse-artillery", (100, 150), "unlimbered", "normal", "horse"),
    ] {
        let kind = kind(id);
        let begins = &pips().formations[kind.formation].id;
        assert_eq!((kind.figures, kind.base, begins.as_str()), (1, base, formation), "{id}");
        assert_eq!((word(kind, "quality"), word(kind, "mount")), (quality, mount), "{id}");
    }
    // A line and a battery face ahead, and a square faces all around.
    for (id, all_round) in [("line", false), ("limbered", false), ("unlimbered", false), ("square", true)] {
        let formation = &pips().formations[pips().formation(id).expect("a formation")];
        assert_eq!(formation.all_round, all_round, "{id}");
    }
    witnessed("KB1");
}

/// Limbered guns move and do not fire; unlimbered guns fire and do not move. Both have the same base.
#[test]
fn clause_ka1() {
    for (id, moves, fires) in [("limbered", true, false), ("unlimbered", false, true)] {
        let number = pips().formation(id).expect("a formation");
        let formation = &pips().formations[number];
        assert_eq!((formation.moves, formation.fires), (moves, fires), "{id}");
        let kind = pips().kind("horse-artillery").expect("a unit");
        let ground = pips().footprint(kind, number, 1);
        assert_eq!((ground.width, ground.depth, ground.ranks), (100, 150, 1), "{id}");
    }
    for id in ["foot-artillery", "horse-artillery"] {
        assert_eq!(kind(id).range, 1200, "{id}: long range is up to 12 inches");
    }
    witnessed("KA1");
}

/// Infantry fires at units that it touches. By convention, a gap of a hundredth of an inch counts as contact.
#[test]
fn clause_kf1() {
    for id in ["infantry", "raw-infantry", "veteran-infantry"] {
        assert_eq!(kind(id).range, 1, "{id}");
    }
    assert_eq!(pips().movement.touch, 1);
    witnessed("KF1");
}

/// Infantry and foot artillery move three inches.
#[test]
fn clause_m1() {
    for id in ["infantry", "raw-infantry", "veteran-infantry"] {
        assert_eq!(speed(id, "line"), Some(300), "{id}");
    }
    assert_eq!((speed("foot-artillery", "limbered"), speed("foot-artillery", "unlimbered")), (Some(300), Some(0)));
    witnessed("M1");
}

/// Squares move an inch and a half.
#[test]
fn clause_m2() {
    for id in ["infantry", "raw-infantry", "veteran-infantry"] {
        assert_eq!(speed(id, "square"), Some(150), "{id}");
    }
    witnessed("M2");
}

/// Cavalry, horse artillery and generals move nine inches.
#[test]
fn clause_m3() {
    for id in ["cavalry", "raw-cavalry", "veteran-cavalry"] {
        assert_eq!(speed(id, "line"), Some(900), "{id}");
    }
    assert_eq!((speed("horse-artillery", "limbered"), speed("horse-artillery", "unlimbered")), (Some(900), Some(0)));
    assert_eq!(pips().generals.as_ref().map(|generals| generals.reach), Some(900));
    witnessed("M3");
}

/// Straight ahead means up to 45 degrees to either side.
#[test]
fn clause_m8() {
    assert_eq!(pips().movement.ahead.as_ref().map(|ahead| ahead.0), Some(450));
    witnessed("M8");
}

/// Each front corner has an arc of 45 degrees.
#[test]
fn clause_kf4() {
    let Board::Plane { table, arc } = pips().board else { panic!("a table") };
    assert_eq!((arc, table.half_width, table.half_depth), (450, 3600, 2400), "six feet by four");
    witnessed("KF4");
}

/// An enemy is shifted by at most half an inch.
#[test]
fn clause_s13() {
    assert_eq!(pips().movement.nudge, 50);
    witnessed("S13");
}

/// The complete list of modifiers of a morale check.
#[test]
fn clause_hd4() {
    for (roll, modifier, by) in [
        ("deshake", "raw", -1),
        ("deshake", "veteran", 1),
        ("deshake", "shaken", -1),
        ("deshake", "square", 1),
        ("deshake", "position", 1),
        ("deshake", "general", 1),
        ("charge", "into-the-guns", -1),
        ("charge", "shaken-target", 1),
        ("charge", "helped", 1),
        ("charge", "supported", 1),
        ("charge", "horse-against-square", -2),
        ("stand", "several-chargers", -1),
        ("stand", "charged-in-flank", -1),
        ("stand", "charged-in-rear", -2),
    ] {
        assert_eq!(add(roll, modifier), by, "{roll}, {modifier}");
    }
    witnessed("HD4");
}

/// The modifiers and the dice of fire.
#[test]
fn clause_hd5() {
    for (modifier, by) in
        [("shaken", -1), ("square", -1), ("long-range", -1), ("enfilade", 1), ("guns-against-square", 1)]
    {
        assert_eq!(add("fire", modifier), by, "{modifier}");
    }
    // Fire takes two dice, and one more for the check of shaken infantry that is beaten: it holds on a 5 and flees on a
    // 4.
    for (check, state) in [(5, "shaken"), (4, "routed")] {
        let mut game = game(("fire", &[infantry(0.0, 1.0, 180.0)]), ("hold", &[defender().morale("shaken")]));
        assert_eq!(game.points(1).phase("pip", &[]).dice("fire", &[3, 3, check]), [6, 6, 6]);
        assert_eq!(morale(&game, Side::Second), state);
        let ran_away = ran(&game).is_some();
        assert_eq!(ran_away, state == "routed", "who runs, runs at once");
        game.saw("HD5");
    }
    // Shaken cavalry that is beaten also flees at once.
    let mut game = game(("fire", &[infantry(0.0, 1.0, 180.0)]), ("hold", &[cavalry(0.0, 0.0, 0.0).morale("shaken")]));
    game.points(1).phase("pip", &[]).phase("fire", &[4, 3]);
    assert!(ran(&game).is_some());
}

/// A morale check is one ordinary die: for a unit that recovers from being shaken, charges, is charged, has to stay
/// under control, or is beaten by fire.
#[test]
fn clause_km1() {
    let mut game = game(("charge", &[cavalry(0.0, 5.0, 180.0)]), ("hold", &[defender()]));
    assert_eq!(game.points(2).phase("pip", &[]).dice("charge", &[4, 3, 4]), [6, 6, 6]);
    game.saw("KM1");
    let mut shaken = super::game(("hold", &[defender().morale("shaken")]), ("hold", &[far_away()]));
    assert_eq!(shaken.dice("deshake", &[5]), [6]);
    // One die is also rolled for shaken infantry that is beaten by fire, after the two dice of the fire.
    let shot = [defender().morale("shaken")];
    let mut beaten = super::game(("fire", &[infantry(0.0, 1.0, 180.0)]), ("hold", &shot));
    assert_eq!(beaten.points(1).phase("pip", &[]).dice("fire", &[3, 3, 5]), [6; 3]);
}

/// The dice of a turn are ordinary dice.
#[test]
fn clause_hd1() {
    let mut game = game(("hold", &[defender()]), ("hold", &[far_away()]));
    assert_eq!(game.dice("pip", &[4]), [6]);
    game.saw("HD1");
}

/// The properties of terrain: how thick it is drawn, and what effects it has.
#[test]
fn clause_kt1() {
    // The columns are thickness, linear, area, cover, blocks sight and road.
    for (id, thickness, flags) in [
        ("woods", 0, [false, true, false, true, false]),
        ("built-up", 0, [false, true, true, true, false]),
        ("hedge", 20, [true, false, true, false, false]),
        ("wall", 10, [true, false, true, false, false]),
        ("stream", 20, [true, false, true, false, false]),
        ("hill", 0, [false, false, false, true, false]),
        ("road", 50, [false, false, false, false, true]),
        ("river", 100, [false, false, false, false, false]),
    ] {
        let ground = &pips().grounds[usize::from(pips().ground(id).expect("ground"))];
        let is = [ground.linear, ground.area, ground.cover, ground.blocks_sight, ground.road];
        assert_eq!((ground.thickness, is), (thickness, flags), "{id}");
    }
    witnessed("KT1");
}

/// One unit fills a wood or a built-up area of at most six inches.
#[test]
fn clause_kt3() {
    for id in ["woods", "built-up"] {
        let ground = &pips().grounds[usize::from(pips().ground(id).expect("ground"))];
        assert_eq!(ground.fills.as_ref().map(|fills| fills.most), Some(600), "{id}");
    }
    witnessed("KT3");
}

/// Corps and army commanders add a point to one general within nine inches, and a bad one takes a point away.
#[test]
fn clause_kp2() {
    let generals = pips().generals.as_ref().expect("generals");
    for id in ["corps", "army"] {
        let rank = generals.ranks.iter().find(|rank| rank.id == id).expect("a rank");
        assert_eq!((rank.most, rank.adds, rank.within), (Some(1), 1, Some(900)), "{id}");
        let bad = rank.grades.iter().find(|grade| grade.id == "bad").expect("a grade");
        assert_eq!(bad.spoils, 1, "{id}");
    }
    witnessed("KP2");
}

/// Brigade commanders lead, on a base of half an inch; a general without a unit is placed an inch behind.
#[test]
fn clause_kg1() {
    let generals = pips().generals.as_ref().expect("generals");
    let brigade = generals.ranks.iter().find(|rank| rank.id == "brigade").expect("a rank");
    assert_eq!((brigade.role, generals.base, generals.post, generals.lost), (Role::Leads, 50, 100, 1));
    witnessed("KG1");
}

/// A lost general is replaced after a turn.
#[test]
fn clause_hd9() {
    assert_eq!(pips().generals.as_ref().map(|generals| generals.succession.0), Some(1));
    witnessed("HD9");
}

/// A flight that is blocked is deflected by 15 degrees at a time, by at most 45; no unit counts as narrow on the march.
#[test]
fn clause_hd7() {
    let bend = pips().flight.as_ref().and_then(|flight| flight.bend.as_ref()).expect("a bend");
    assert_eq!((bend.step, bend.most, pips().movement.narrow), (150, 450, 0));
    witnessed("HD7");
}
