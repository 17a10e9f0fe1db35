//! Positions in which the exact wording of a clause decides: contact made by a plain move, turns beside closed terrain,
//! and successive charges.

use grognard_engine::{Flags, Refusal, TerrainPlan};

use super::*;
use crate::common::{block_of, line_of};

/// Plays the PIP phase of one unit with a doctrine and three points, on this terrain, against an enemy that holds.
fn over(ground: &[TerrainPlan], doctrine: &str, men: &[Men], enemy: Men) -> Game {
    let mut game = Game::over(pips(), ground, (doctrine, men), ("hold", &[enemy]));
    for number in 1..men.len() {
        game.unit_mut(Side::First, number).doctrine = pips().doctrine("hold").expect("a drill");
    }
    game.points(3).phase("pip", &[]);
    game
}

/// An enemy in the east, towards which a unit that faces north turns by 90 degrees.
fn in_the_east() -> Men {
    infantry(20.0, 0.0, 270.0)
}

/// A plain move can make flank contact, just as a move into contact can. A charge that is then marked is a flank
/// charge.
#[test]
fn clause_f1() {
    // From (-4, 0) the front edge moves 2.25" to the east, from x = -3.5 to D's left edge.
    let (moved, mut game) = shifts(infantry(-4.0, 0.0, 90.0), defender(), 0, 2.25);
    assert!(moved);
    assert_eq!((met(&game), game.first().met), (Some(Arc::Flank), Arc::Flank));
    game.saw("F1");
    game.unit_mut(Side::First, 0).doctrine = game.rules.doctrine("charge-only").expect("a drill");
    game.points(1).phase("pip", &[]).phase("charge", &[3, 6]);
    assert_eq!(game.own_modifiers("charge"), ["flank-or-rear"], "a 3 is enough");
    assert_eq!(game.own_modifiers("stand"), ["charged-in-flank"]);
    // From straight ahead there is no flank contact.
    let (_, ahead) = shifts(infantry(0.0, 4.0, 180.0), defender(), 0, 3.0);
    assert_eq!((met(&ahead), ahead.first().met), (Some(Arc::Front), Arc::Front));
}

/// A plain move can also make rear contact.
#[test]
fn clause_f4() {
    let (moved, game) = shifts(infantry(0.0, -4.0, 0.0), defender(), 0, 3.0);
    assert!(moved);
    assert_eq!((met(&game), game.first().met), (Some(Arc::Rear), Arc::Rear));
    game.saw("F4");
    let (_, short) = shifts(infantry(0.0, -4.0, 0.0), defender(), 0, 2.5);
    assert_eq!((met(&short), short.first().met), (None, Arc::Front));
}

/// A unit leaving square does not enter any part of a wood that holds another unit.
#[test]
fn clause_r2() {
    // The square extends to x = 0.75, and the line would extend to 1.25. The wood, which may hold a unit, begins at
    // 0.85 or at 1.35.
    let leaves = |west: f64, friends: &[Men]| {
        let square = by_centre("infantry", 0.0, 0.0, 0.0, 1.5).formation("square");
        let wood = block_of("woods", (west + 2.0, 0.0), (4.0, 6.0));
        over(&[wood], "line", &[&[square], friends].concat(), far_away())
    };
    let friend = || infantry(3.35, 0.0, 0.0);
    let crowded = leaves(0.85, &[friend()]);
    assert_eq!(crowded.barred(), [("leave-square", "one-to-an-area")]);
    crowded.saw("R2");
    for free in [leaves(0.85, &[]), leaves(1.35, &[friend()])] {
        assert_eq!(free.paid(), ["leave-square"]);
    }
    // A unit that pivots does not enter such a wood, either: D turns to an enemy on its right and extends to y = 1.25.
    let pivots = |south: f64, friends: &[Men]| {
        let wood = block_of("woods", (0.75, south + 1.0), (1.0, 2.0));
        over(&[wood], "face", &[&[defender()], friends].concat(), infantry(2.5, 0.0, 0.0))
    };
    let friend = || infantry(0.75, 2.4, 0.0);
    // It is shifted to the south, unless a unit is in the way.
    let beside = pivots(1.15, &[friend()]);
    assert_eq!((beside.paid(), centre(&beside, &beside.first()).x), (vec!["pivot"], 75));
    assert!((-11..-6).contains(&centre(&beside, &beside.first()).y));
    let crowded = pivots(1.15, &[friend(), infantry(0.0, -1.75, 0.0)]);
    assert_eq!((crowded.paid().len(), crowded.barred()), (0, vec![("pivot", "one-to-an-area")]));
    crowded.saw("R2");
    for free in [pivots(1.15, &[]), pivots(1.35, &[friend()])] {
        assert_eq!(free.paid(), ["pivot"]);
    }
}

/// Guns that turn beside a wood stay out of it.
#[test]
fn clause_r3() {
    // A base of 1" by 1.5" extends to x = 0.5, and turned to the east to 0.75. The wood begins at 0.6 or at 0.8.
    let turns = |doctrine: &str, formation: &str, west: f64| {
        let guns = by_centre("horse-artillery", 0.0, 0.0, 0.0, 1.5).formation(formation);
        over(&[block_of("woods", (west + 2.0, 0.0), (4.0, 6.0))], doctrine, &[guns], in_the_east())
    };
    let game = turns("face", "unlimbered", 0.6);
    assert_eq!((game.paid().len(), game.barred()), (0, vec![("pivot", "guns-off-road")]));
    game.saw("R3");
    assert_eq!(turns("face", "unlimbered", 0.8).paid(), ["pivot"]);
    // The guns need not turn in order to limber or unlimber.
    for (act, formation) in [("limber", "unlimbered"), ("unlimber", "limbered")] {
        for (west, heading) in [(0.6, 0), (0.8, 900)] {
            let game = turns(act, formation, west);
            assert_eq!((game.paid(), game.first().heading.tenths()), (vec![act], heading), "{west}");
        }
    }
}

/// Guns with any part of their base in a wood do not unlimber.
#[test]
fn clause_r4() {
    // The guns are on a road into a wood. The last four tenths of an inch of their base are in the wood, or none of it
    // is.
    let unlimbers = |south: f64| {
        let guns = by_centre("foot-artillery", 0.0, 0.0, 0.0, 1.0).formation("limbered");
        let ground = [
            block_of("woods", (0.0, south + 3.0), (8.0, 6.0)),
            crate::common::line_of("road", (0.0, -10.0), (0.0, 10.0)),
        ];
        over(&ground, "unlimber", &[guns], far_away())
    };
    let partly = unlimbers(0.1);
    let refused = |game: &Game| matches!(game.seen.refusals()[..], [Refusal::Barred(..)]) && game.paid().is_empty();
    assert!(refused(&partly));
    partly.saw("R4");
    assert_eq!(unlimbers(0.5).paid(), ["unlimber"]);
    // What counts is where the guns are after turning. On a road to the north, horse guns extend to x = 0.5 and y =
    // 0.75; turned to the east, to x = 0.75 and y = 0.5.
    let turns = |wood: TerrainPlan| {
        let guns = by_centre("horse-artillery", 0.0, 0.0, 0.0, 1.5).formation("limbered");
        let road = crate::common::line_of("road", (0.0, -10.0), (0.0, 10.0));
        over(&[wood, road], "unlimber", &[guns], in_the_east())
    };
    let east = |west: f64| turns(block_of("woods", (west + 2.0, 0.0), (4.0, 6.0)));
    let north = || block_of("woods", (0.0, 0.6 + 3.0), (8.0, 6.0));
    // Without room to turn, they unlimber without turning.
    for (game, heading) in [(east(0.6), 0), (east(0.8), 900), (turns(north()), 900)] {
        assert_eq!((game.paid(), game.first().heading.tenths()), (vec!["unlimber"], heading));
    }
}

/// Cavalry does not take a position that is partly in a wood, off any road.
#[test]
fn clause_r5() {
    // D's middle is in the open. A wood is under its left half, from x = -0.2, or farther to the left, from x = -0.8.
    // The cavalry would extend to x = -0.75.
    let takes = |east: f64| {
        let wood = block_of("woods", (east - 2.0, -1.35), (4.0, 3.3));
        let enemy = infantry(0.0, 0.0, 0.0);
        let mut game = Game::over(pips(), &[wood], ("charge-occupy", &[cavalry(0.0, 5.0, 180.0)]), ("hold", &[enemy]));
        game.points(2).phase("pip", &[]).phase("charge", &[4, 2, 6]);
        game
    };
    let closed = takes(-0.2);
    assert_eq!(centre(&closed, &closed.first()), Point { x: 0, y: 100 }, "it stays where it struck");
    closed.saw("R5");
    let free = takes(-0.8);
    assert_eq!(centre(&free, &free.first()), Point { x: 0, y: 0 });
    // Cavalry that turns to an enemy on its right extends to y = 0.75.
    let pivots = |south: f64| {
        let wood = block_of("woods", (0.25, south + 1.0), (1.0, 2.0));
        over(&[wood], "face", &[cavalry(0.0, 0.0, 0.0)], infantry(2.0, 0.0, 0.0))
    };
    let closed = pivots(0.65);
    assert_eq!((closed.paid().len(), closed.barred()), (0, vec![("pivot", "horse-off-road")]));
    closed.saw("R5");
    assert_eq!(pivots(0.85).paid(), ["pivot"]);
    // D's middle is in a wood that it does not fill, as if it had come out to make contact, and its front is outside.
    // Cavalry may charge it only by a road that leads into the wood, and not by one along the edge.
    let charged = |road: TerrainPlan| {
        let ground = [block_of("woods", (0.0, 2.0), (6.0, 4.0)), road];
        let (horse, enemy) = (cavalry(0.0, -5.0, 0.0), infantry(0.0, 0.2, 180.0));
        let mut game = Game::over(pips(), &ground, ("charge", &[horse]), ("hold", &[enemy]));
        game.unit_mut(Side::Second, 0).fills = 0;
        game.points(2).phase("pip", &[]);
        game
    };
    let along = charged(line_of("road", (-12.0, -0.26), (12.0, -0.26)));
    assert_eq!((along.paid().len(), along.barred()[0]), (0, ("charge", "horse-into-cover")));
    assert_eq!(charged(line_of("road", (0.0, -12.0), (0.0, 12.0))).paid(), ["contact", "charge"]);
}

/// A unit that pivots off the road in a village fills it at once (KT3).
#[test]
fn clause_p1() {
    let ground = [block_of("built-up", (0.0, 2.0), (4.0, 4.0)), line_of("road", (-0.75, -10.0), (-0.75, 12.0))];
    let men = unit("infantry").at(-0.75, 2.5).facing(0.0);
    let game = over(&ground, "face", &[men], unit("infantry").at(-2.0, 0.9).facing(90.0));
    assert_eq!(game.paid(), ["pivot"]);
    assert_ne!(game.first().fills, 0);
    game.saw("P1");
}

/// Turns and changes of formation do not cross a river, either.
#[test]
fn clause_kt1() {
    let river = |at: (f64, f64), size: (f64, f64)| [block_of("river", at, size)];
    let refused = |game: &Game, act: &str| {
        assert_eq!((game.paid().len(), game.barred()), (0, vec![(act, "impassable")]), "{act}");
        game.saw("KT1");
    };
    // From square, a line would extend to x = 1.25; from line, a square would extend to y = 0.75. That is a tenth of an
    // inch beyond the bank, or just up to it.
    let square = || by_centre("infantry", 0.0, 0.0, 0.0, 1.5).formation("square");
    for (bank, passes) in [(1.15, false), (1.25, true)] {
        let game = over(&river((bank + 0.5, 0.0), (1.0, 30.0)), "line", &[square()], far_away());
        if passes { assert_eq!(game.paid(), ["leave-square"]) } else { refused(&game, "leave-square") }
    }
    for (bank, passes) in [(0.65, false), (0.75, true)] {
        let game = over(&river((0.0, bank + 0.5), (30.0, 1.0)), "square", &[infantry(0.0, 0.0, 0.0)], far_away());
        if passes { assert_eq!(game.paid(), ["form-square"]) } else { refused(&game, "form-square") }
    }
    // Turned to the east, the guns would extend to x = 0.75. The bank is a tenth of an inch short of that, or beyond
    // it. If it is short, the guns do not pivot, and they limber and unlimber without a turn.
    for (doctrine, act, formation) in
        [("face", "pivot", "unlimbered"), ("limber", "limber", "unlimbered"), ("unlimber", "unlimber", "limbered")]
    {
        let turns = |bank: f64| {
            let guns = by_centre("horse-artillery", 0.0, 0.0, 0.0, 1.5).formation(formation);
            over(&river((bank + 0.5, 0.0), (1.0, 30.0)), doctrine, &[guns], in_the_east())
        };
        let close = turns(0.65);
        if act == "pivot" {
            refused(&close, act);
        } else {
            assert_eq!((close.paid(), close.first().heading.tenths()), (vec![act], 0));
        }
        let free = turns(0.85);
        assert_eq!((free.paid(), free.first().heading.tenths()), (vec![act], 900));
    }
}

/// A charges D from the left and is beaten off. Then B breaks another battalion, pursues it and meets D from behind. So
/// D has been charged twice in this turn.
fn one_after_another() -> Game {
    let men = [infantry(-1.75, 0.0, 90.0), cavalry(1.0, -6.0, 0.0)];
    let enemies = [defender(), infantry(1.0, -5.0, 180.0)];
    let mut game = game(("charge-only", &men), ("hold", &enemies));
    game.unit_mut(Side::First, 1).doctrine = pips().doctrine("charge-pursue").expect("a drill");
    game.points(2).phase("pip", &[]);
    assert_eq!(game.paid(), ["charge", "charge"]);
    // A passes and D holds. B passes, the others break, and B may choose. B passes again, and D holds or not.
    game.phase("charge", &[4, 4, 4, 3, 6, 4, 6]);
    assert_eq!(game.roll("charge").own.index(), 1);
    assert_eq!(game.roll("stand").own.index(), 2, "D tests again");
    game
}

/// An earlier charge on the same target in the same turn helps, although it is over.
#[test]
fn clause_km4() {
    let game = one_after_another();
    assert_eq!(game.own_modifiers("charge"), ["helped", "flank-or-rear"]);
    game.saw("KM4");
    // It does not help in the next turn.
    let mut next = one_after_another();
    next.phase_of(Side::Second, "charge", &[]);
    assert!(next.battle.units.iter().all(|unit| !unit.flags.has(Flags::CHARGING)));
    assert!(next.battle.units.iter().all(|unit| !unit.marks.has(grognard_engine::Marks::CHARGED)));

    // The first charge still counts if its charger has pursued into a second enemy in the meantime. A breaks D, which
    // flees 23 inches through E, and pursues into E, which holds; B breaks F, pursues it and meets D.
    let men = [cavalry(-1.0, 0.0, 90.0), cavalry(24.0, -6.0, 0.0)];
    let enemies = [cavalry(0.0, 0.0, 270.0), infantry(24.0, -5.0, 180.0), infantry(3.5, 0.0, 270.0)];
    let mut game = super::game(("charge-pursue", &men), ("hold", &enemies));
    game.points(2).phase("pip", &[]);
    assert_eq!(game.paid(), ["charge", "charge"]);
    game.phase("charge", &[6, 1, 6, 6, 6, 6, 6, 6, 1, 6, 6, 1, 1, 1]);
    assert_eq!((game.roll("charge").own.index(), game.roll("charge").foe.map(|foe| foe.index())), (1, Some(2)));
    assert_eq!(game.own_modifiers("charge"), ["shaken-target", "helped"]);
    game.saw("KM4");
}

/// For a unit that is charged, an earlier charge in the same turn still counts.
#[test]
fn clause_km5() {
    let game = one_after_another();
    assert_eq!(game.own_modifiers("stand"), ["several-chargers", "charged-in-rear"]);
    game.saw("KM5");
}

/// If the charged unit passes, all units that charged it are shaken.
#[test]
fn clause_hd6() {
    let men = [cavalry(0.0, 5.0, 180.0), cavalry(-5.0, 0.5, 90.0)];
    let mut game = game(("charge", &men), ("hold", &[defender()]));
    game.points(4).phase("pip", &[]).phase("charge", &[4, 6]);
    assert_eq!(morale(&game, Side::Second), "eager");
    for number in [0, 1] {
        assert_eq!(game.state(&game.nth(number)).1, "shaken", "charger {number}");
    }
    game.saw("HD6");
}

/// Three of ten are less than a third, and four are more.
#[test]
fn clause_hd10() {
    for (lost, over) in [(3, None), (4, Some(Some(Side::First)))] {
        let ten: Vec<Men> = (0..10).map(|number| infantry(f64::from(number) * 4.0 - 20.0, 10.0, 180.0)).collect();
        let mut game = game(("hold", &[infantry(0.0, -10.0, 0.0)]), ("hold", &ten));
        for number in 0..lost {
            game.unit_mut(Side::Second, number).flags = Flags::GONE;
        }
        game.phase("charge", &[]);
        assert_eq!(game.outcome.map(|outcome| outcome.winner), over, "{lost} of ten");
        if over.is_some() {
            game.saw("HD10");
        }
    }
}
