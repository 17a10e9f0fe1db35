//! C, F, D and P: moving to contact, flank and rear, leaving contact, and turning to face.

use grognard_engine::plane::{Heading, Rect};
use grognard_engine::{Flags, RollEvent};
use grognard_rules::model::Rules;

use super::*;
use crate::common::load_with;

/// Cavalry that charges pays for the move and for the marker.
#[test]
fn clause_c1() {
    let charge = |points| pip("charge", cavalry(0.0, 5.0, 180.0), defender(), points);
    let game = charge(2);
    assert_eq!((game.paid(), game.left()), (vec!["contact", "charge"], 0));
    game.saw("C1");
    let short = charge(1);
    assert_eq!((short.paid().len(), short.left()), (0, 1));
    assert_eq!(short.barred()[0], ("contact", "cannot-charge"));
    short.saw("C1");
}

/// Cavalry that cannot charge stays out of contact; half an inch short is allowed.
#[test]
fn clause_c2() {
    let (moved, game) = shifts(cavalry(0.0, 4.0, 180.0), defender(), 0, 3.0);
    assert!(!moved);
    assert_eq!(game.barred(), [("move", "touches")]);
    game.saw("C2");
    let (moved, _) = shifts(cavalry(0.0, 4.0, 180.0), defender(), 0, 2.5);
    assert!(moved);
    // With one point left, cavalry may not move into contact. With more, it is marked to charge when it moves, whatever
    // its player intends.
    let ride = |points, enemy| pip("contact", cavalry(0.0, 4.5, 180.0), enemy, points);
    let poor = ride(1, defender());
    assert_eq!((poor.paid().len(), poor.barred()), (0, vec![("contact", "cannot-charge")]));
    let rich = ride(5, defender());
    assert_eq!((rich.paid(), rich.left()), (vec!["contact", "charge"], 3));
    assert!(rich.first().flags.has(Flags::CHARGING));
    rich.saw("C2");
    // Silenced guns cannot be charged, so cavalry does not move into contact with them.
    let silent = ride(5, by_centre("foot-artillery", 0.0, 0.0, 0.0, 1.0).morale("silenced"));
    assert_eq!(silent.barred(), [("contact", "cannot-charge")]);
}

/// Cavalry in contact at the start may charge for one point, unless it is shaken.
#[test]
fn clause_c3() {
    let touching = || cavalry(0.0, 1.0, 180.0);
    let eager = pip("charge", touching(), defender(), 1);
    assert_eq!((eager.paid(), eager.left()), (vec!["charge"], 0));
    eager.saw("C3");
    let shaken = pip("charge", touching().morale("shaken"), defender(), 1);
    assert_eq!(shaken.barred()[0], ("charge", "shaken"));
    shaken.saw("C3");
}

/// Infantry 2" away moves into contact and fires for two points; for one it only moves into contact.
#[test]
fn clause_c4() {
    for (points, acts) in [(2, vec!["contact", "start-firing"]), (1, vec!["contact"])] {
        let game = pip("meet-and-fire", infantry(0.0, 3.0, 180.0), defender(), points);
        assert_eq!(game.paid(), acts);
        game.saw("C4");
    }
    let apart = pip("fire", infantry(0.0, 3.0, 180.0), defender(), 1);
    assert_eq!(apart.barred(), [("start-firing", "no-contact")]);
    apart.saw("C4");
}

/// A corner that touches an edge is in contact.
#[test]
fn clause_c5() {
    // Turned by 45 degrees, the right front corner of the cavalry is at (1.25, 0.4).
    let half = 0.75 / std::f64::consts::SQRT_2;
    let corner = unit("cavalry").at(1.25 + half, 0.4 + half).facing(315.0);
    let game = pip("charge", corner, defender(), 1);
    assert_eq!(game.paid(), ["charge"], "it is in contact");
    let (ground, there) = (game.ground(&game.first()), game.ground(&game.second()));
    assert!(ground.distance(&there) <= 1 && !ground.inset(1).overlaps(&there));
    let beside = unit("cavalry").at(1.28 + half, 0.4 + half).facing(315.0);
    assert!(pip("charge-only", beside, defender(), 1).paid().is_empty(), "it is not");
    // A unit that comes up at an angle touches with a corner; a unit that comes up straight touches edge to edge.
    for (facing, corner) in [(200.0, true), (180.0, false)] {
        let reached = pip("contact", unit("infantry").at(0.0, 2.0).facing(facing), defender(), 1);
        assert_eq!((reached.paid(), met(&reached)), (vec!["contact"], Some(Arc::Front)));
        assert_eq!(reached.seen.cited().contains("C5"), corner, "{facing}");
    }
}

/// A charge on D. Its checks cite the clauses of the contact.
fn charged(attacker: Men, points: u16, faces: &[i32]) -> Game {
    let mut game = game(("charge", &[attacker]), ("hold", &[defender()]));
    game.points(points).phase("pip", &[]).phase("charge", faces);
    game
}

/// Cavalry that charges from (6,0) to (1.75,0) meets both conditions for a flank contact.
#[test]
fn clause_f1() {
    let game = charged(cavalry(6.0, 0.0, 270.0), 2, &[4, 6]);
    assert_eq!(met(&game), Some(Arc::Flank));
    assert_eq!(game.own_modifiers("stand"), ["charged-in-flank"]);
    assert!(game.own_modifiers("charge").contains(&"flank-or-rear"));
    game.saw("F1");
    // The move makes it a flank contact, which ends when the two separate.
    let mut failed = charged(cavalry(6.0, 0.0, 270.0), 2, &[2]);
    assert_eq!(failed.first().met, Arc::Flank, "still in contact");
    failed.unit_mut(Side::First, 0).doctrine = pips().doctrine("withdraw").expect("a drill");
    failed.points(1).phase("pip", &[]);
    assert_eq!((failed.paid().last(), failed.first().met), (Some(&"move"), Arc::Front));
    // Of two enemies that it touches simultaneously, it charges the one that it strikes on the flank, whichever is
    // listed first.
    let beside = || infantry(0.75, 1.75, 90.0);
    for (enemies, struck) in [([defender(), beside()], 0), ([beside(), defender()], 1)] {
        let mut both = super::game(("charge", &[cavalry(6.0, 0.0, 270.0)]), ("hold", &enemies));
        both.points(5).phase("pip", &[]);
        assert_eq!((met(&both), both.paid()), (Some(Arc::Flank), vec!["contact", "charge"]));
        assert!(both.unit(Side::Second, struck).flags.has(Flags::CHARGED), "{struck}");
    }
}

/// A charge that starts straight ahead of its target is never on the flank.
#[test]
fn clause_f2() {
    let front = charged(cavalry(0.0, 6.0, 180.0), 2, &[4, 6]);
    assert_eq!(met(&front), Some(Arc::Front));
    let d = front.ground(&front.second());
    let at = |east: f64, north: f64, facing: f64| {
        let game = game(("hold", &[cavalry(east, north, facing)]), ("hold", &[far_away()]));
        game.ground(&game.first())
    };
    assert!(!at(0.0, 6.0, 180.0).clear_of_front(&d));
    assert!(at(6.0, 0.0, 270.0).clear_of_front(&d));
    assert!(at(4.0, 3.0, 270.0).clear_of_front(&d), "beside the strip counts as to the side");
    assert!(!at(1.5, 3.0, 180.0).clear_of_front(&d), "a part of it is in the strip");
    charged(cavalry(6.0, 0.0, 270.0), 2, &[4, 6]).saw("F2");
}

/// A pursuit begins where the pursuer was before it turned to the fleeing enemy (F1, F2, HD7).
#[test]
fn a_pursuit_begins_before_its_turn() {
    let rules =
        load_with("pips-drill", &["roll.charge.own.need=1", "roll.stand.own.need=9", "roll.control.own.need=9"]);
    let rules: &'static Rules = Box::leak(Box::new(rules));
    // The other enemy faces west. A corner of the pursuer is 0.1" in front of it before the turn to the north, and
    // beside it after the turn.
    let other = unit("infantry").at(-0.3, 2.03).facing(270.0);
    // Because other units are in the north, the northern edge is their side's own, and the enemy flees to it.
    let behind = [15.0, 20.0, 25.0].map(|east| unit("infantry").at(east, 15.0).facing(180.0));
    let men = [&[unit("raw-infantry").at(2.14, 0.38).facing(0.0), other], &behind[..]].concat();
    let mut game =
        Game::over(rules, &[], ("charge", &[unit("cuirassiers").at(0.25, 0.43).facing(30.0)]), ("hold", &men));
    game.points(3).phase("pip", &[]);
    game.play_anyhow(Side::First, "charge");
    let against = |roll: &RollEvent| roll.own.index() == 0 && roll.foe.is_some_and(|foe| foe.index() == 2);
    let charge = game.seen.events().iter().find_map(|event| match event {
        Event::Rolled(roll) if against(roll) => Some(roll.modifiers.len()),
        _ => None,
    });
    assert_eq!(charge, Some(1), "a veteran, and not in a flank: {:?}", game.seen.events());
}

/// A charge marked in contact uses no movement rate (KB1, M4).
#[test]
fn a_charge_in_contact_cites_no_rate() {
    let touching = unit("cuirassiers").at(0.0, 0.5).facing(180.0);
    let game = pip("charge", touching, defender(), 1);
    assert_eq!(game.paid(), ["charge"]);
    assert!(!game.seen.cited().contains("M4") && !game.seen.cited().contains("KB1"), "{:?}", game.seen.cited());
}

/// For a flank contact, the front edge has to touch a rear corner.
#[test]
fn clause_f3() {
    assert_eq!(met(&charged(cavalry(6.0, 0.0, 270.0), 2, &[4, 6])), Some(Arc::Flank));
    let ahead = charged(cavalry(6.0, 0.5, 270.0), 2, &[4, 6]);
    assert_eq!(met(&ahead), Some(Arc::Front), "from -0.25 to 1.25 it misses the corner");
    charged(cavalry(6.0, 0.0, 270.0), 2, &[4, 6]).saw("F3");
}

/// Rear contact: infantry from (0,-4) to (0,-1).
#[test]
fn clause_f4() {
    let game = charged(infantry(0.0, -4.0, 0.0), 2, &[4, 6]);
    assert_eq!(met(&game), Some(Arc::Rear));
    assert_eq!(centre(&game, &game.first()), Point { x: 0, y: -100 });
    assert_eq!(game.own_modifiers("stand"), ["charged-in-rear"]);
    game.saw("F4");
}

/// A rear contact has to begin wholly behind the line of the rear edge.
#[test]
fn clause_f5() {
    let d = game(("hold", &[defender()]), ("hold", &[far_away()]));
    let rear_edge_of = d.ground(&d.first());
    let behind = |highest: f64| {
        let game = game(("hold", &[infantry(3.0, highest - 0.5, 0.0)]), ("hold", &[far_away()]));
        game.ground(&game.first()).wholly_behind(&rear_edge_of, 1)
    };
    assert!(behind(-3.5) && behind(-0.5));
    assert!(!behind(-0.3));
    charged(infantry(0.0, -4.0, 0.0), 2, &[4, 6]).saw("F5");
}

/// At least half of the attacker's front edge has to be on the rear edge; otherwise the contact is on the flank.
#[test]
fn clause_f6() {
    let beside = charged(infantry(1.5, -4.0, 0.0), 2, &[4, 6]);
    assert_eq!(met(&beside), Some(Arc::Flank));
    let d = beside.ground(&beside.second());
    assert_eq!(beside.ground(&beside.first()).front_on_rear_edge(&d, 1), 100);
    let rear = charged(infantry(0.0, -4.0, 0.0), 2, &[4, 6]);
    assert_eq!(rear.ground(&rear.first()).front_on_rear_edge(&d, 1), 250);
    rear.saw("F6");
}

/// A unit whose front touches the defender at a rear corner is on its flank, whichever way the two face. The corner is
/// measured in the same way as contact, so rounding makes no difference.
#[test]
fn a_corner_is_touched_as_a_unit_is() {
    let mut touching = 0;
    for turned in 0..3600 {
        // D's rear right corner is on the front edge, or at most two hundredths of an inch off it. It is at most half
        // an inch from the middle of that edge.
        let d = Rect::new(Point { x: 0, y: 0 }, Heading::from_tenths(turned), 250, 100);
        for (along, off) in (-50..=50).step_by(25).flat_map(|along| (0..=2).map(move |off| (along, off))) {
            let front = d.at(125 + off, along - 100);
            let horse = Rect::new(front, d.heading().turned(2700), 150, 100);
            if horse.distance(&d) <= 1 {
                touching += 1;
                let start = Rect::new(d.at(600, -50), horse.heading(), 150, 100);
                assert_eq!(horse.strikes(&start, &d, 1), Arc::Flank, "{turned}, {along}, {off}");
            }
        }
    }
    assert!(touching > 30_000, "{touching}");
}

/// Rear contact is measured in the same way, whichever way the two face.
#[test]
fn a_rear_edge_is_touched_as_a_unit_is() {
    for turned in 0..3600 {
        let d = Rect::new(Point { x: 0, y: 0 }, Heading::from_tenths(turned), 250, 100);
        for off in 0..=2 {
            let foot = |back: i32| Rect::new(d.at(100, -100 - back), d.heading(), 250, 100);
            if foot(off).distance(&d) <= 1 {
                assert_eq!(foot(off).strikes(&foot(300), &d, 1), Arc::Rear, "{turned}, {off}");
            }
        }
    }
}

/// Only the touching part of a slanting front edge counts as being on the rear edge (F6). That is much less than half,
/// so the corner that it touches makes this a flank contact (F3).
#[test]
fn a_slanting_front_does_not_lie_on_a_rear_edge() {
    let meets = |degrees: f64| {
        let (sine, cosine) = degrees.to_radians().sin_cos();
        // The middle of its front goes to (1.2,-0.5), right beside D's rear corner.
        let men = unit("infantry").at(1.2 + 2.5 * sine, -0.5 - 2.5 * cosine).facing(360.0 - degrees);
        let mut game = game(("charge", &[men]), ("hold", &[defender()]));
        game.points(2).phase("pip", &[]);
        let on_edge = game.ground(&game.first()).front_on_rear_edge(&game.ground(&game.second()), 1);
        (met(&game), on_edge)
    };
    for degrees in [2.0, 3.0, 5.0] {
        let (arc, on_edge) = meets(degrees);
        assert_eq!(arc, Some(Arc::Flank), "{degrees}");
        // Edges touch if they are less than two hundredths of an inch apart, on either side.
        assert!(f64::from(on_edge) <= 4.0 / degrees.to_radians().sin(), "{degrees}: {on_edge}");
    }
    assert_eq!(meets(0.3).0, Some(Arc::Rear), "the far end of it is 0.007\" off");
}

/// Infantry does not leave contact.
#[test]
fn clause_d1() {
    let (moved, game) = shifts(infantry(0.0, 1.0, 180.0), defender(), 180, 0.5);
    assert!(!moved);
    assert_eq!(game.barred(), [("move", "foot-held")]);
    game.saw("D1");
    // Nor does it leave D, which its rear touches, for another enemy an inch and a half ahead.
    let held = between(infantry(0.0, 1.0, 0.0), defender());
    assert_eq!((held.paid().len(), held.barred()), (0, vec![("contact", "foot-held")]));
    held.saw("D1");
}

/// A unit that has one enemy behind it and would move up to infantry whose front is 3" to the north.
fn between(men: Men, behind: Men) -> Game {
    comes_up(&[], &[men], &[behind, infantry(0.0, 3.5, 180.0)])
}

/// Infantry in contact may still fire, charge, form square and break contact.
#[test]
fn clause_d2() {
    for (doctrine, act) in [("fire", "start-firing"), ("charge", "charge"), ("square", "form-square")] {
        let game = pip(doctrine, infantry(0.0, 1.0, 180.0), defender(), 1);
        assert_eq!(game.paid(), [act]);
        game.saw("D2");
    }
    let square = unit("infantry").formation("square").at(0.0, 0.5).facing(180.0);
    assert_eq!(pip("line", square, defender(), 1).paid(), ["leave-square"]);
}

/// Cavalry does not leave contact with cavalry.
#[test]
fn clause_d3() {
    let (moved, game) = shifts(cavalry(0.0, 1.0, 180.0), cavalry(0.0, 0.0, 0.0), 180, 2.0);
    assert!(!moved);
    assert_eq!(game.barred(), [("move", "horse-held")]);
    game.saw("D3");
    // Nor does it leave cavalry for an enemy that it would charge.
    let held = between(cavalry(0.0, 1.0, 0.0), cavalry(0.0, 0.0, 0.0));
    assert_eq!((held.paid().len(), held.barred()), (0, vec![("contact", "horse-held")]));
    held.saw("D3");
}

/// Cavalry may leave contact with infantry and artillery.
#[test]
fn clause_d4() {
    for enemy in [defender(), unit("foot-artillery").at(0.0, 0.5).facing(0.0)] {
        let (moved, game) = shifts(cavalry(0.0, 1.0, 180.0), enemy, 180, 4.0);
        assert!(moved);
        game.saw("D4");
    }
    assert_eq!(between(cavalry(0.0, 1.0, 0.0), defender()).paid(), ["contact", "charge"]);
}

/// Guns in contact neither limber nor unlimber.
#[test]
fn clause_d6() {
    let guns = by_centre("foot-artillery", 0.0, 1.0, 180.0, 1.0);
    let game = pip("limber", guns, defender(), 1);
    assert_eq!(game.barred(), [("limber", "contact")]);
    game.saw("D6");
    let guns = by_centre("foot-artillery", 0.0, 1.0, 180.0, 1.0).formation("limbered");
    assert_eq!(pip("unlimber", guns, defender(), 1).barred(), [("unlimber", "contact")]);
}

/// Cavalry that moves backward gets 4.5" away at most.
#[test]
fn clause_d7() {
    for (by, goes) in [(4.5, true), (4.6, false)] {
        let (moved, game) = shifts(cavalry(0.0, 1.0, 180.0), defender(), 180, by);
        assert_eq!(moved, goes, "{by}");
        game.saw("D7");
    }
    // A backward move by a unit that touches no enemy is an ordinary move. It does not leave contact.
    let (moved, game) = shifts(infantry(0.0, 0.0, 0.0), far_away(), 180, 1.5);
    assert!(moved && !game.seen.cited().contains("D7"));
    game.saw("M8");
    // Nor does a unit leave contact if it slides along the enemy and still touches it.
    let (moved, game) = shifts(cavalry(0.0, 1.0, 180.0), defender(), 90, 0.5);
    assert!(moved && !game.seen.cited().contains("D7"));
    game.saw("M8");
}

/// A unit with an enemy on its side turns to face it for one point.
#[test]
fn clause_p1() {
    let game = pip("face", defender(), infantry(2.5, 0.0, 0.0), 1);
    assert_eq!(game.paid(), ["pivot"]);
    assert_eq!((game.first().heading.tenths(), game.left()), (900, 0));
    let (ground, there) = (game.ground(&game.first()), game.ground(&game.second()));
    assert!(ground.distance(&there) <= 1 && !ground.inset(1).overlaps(&there), "edge to edge");
    game.saw("P1");
    // Limbered guns in contact turn as other units do; R9 is for unlimbered guns. Limbered guns that touch no unit
    // pivot by KA1.
    for (formation, north, clause) in
        [("limbered", 1.0, "P1"), ("limbered", 3.0, "KA1"), ("unlimbered", 1.0, "R9"), ("unlimbered", 3.0, "R9")]
    {
        let guns = by_centre("foot-artillery", 0.0, north, 0.0, 1.0).formation(formation);
        let game = pip("face", guns, defender(), 1);
        assert_eq!(game.paid(), ["pivot"]);
        game.saw(clause);
        let seen = ["P1", "R9"].map(|clause| game.seen.cited().contains(clause));
        assert_eq!(seen, ["P1", "R9"].map(|other| other == clause), "{formation} at {north}");
    }
    // Nor does P1 apply if limbered guns turn to an enemy other than the one that they touch.
    let guns = by_centre("foot-artillery", 0.0, 1.0, 0.0, 1.0).formation("limbered");
    let mut away = super::game(("face-another", &[guns]), ("hold", &[defender(), infantry(8.0, 1.0, 270.0)]));
    away.points(1).phase("pip", &[]);
    assert_eq!((away.paid(), away.first().heading.tenths()), (vec!["pivot"], 900));
    away.saw("KA1");
    assert!(!away.seen.cited().contains("P1"));
}

/// A unit that turns to face an enemy ends with part of its front edge on one of the enemy's edges, and does not
/// overlap it. This holds even if only their corners touched and the unit was at an angle (reading A6).
#[test]
fn a_turn_makes_corner_contact_edge_contact() {
    // The front left corner touches D's at (1.25,0.5); the middle of the base is on this bearing from there.
    let turned = |kind: &str, (width, depth): (f64, f64), bearing: f64| {
        let facing = 180.0 + bearing + width.atan2(depth).to_degrees();
        let (sine, cosine) = facing.to_radians().sin_cos();
        let men = unit(kind).at(1.25 + width / 2.0 * cosine, 0.5 - width / 2.0 * sine).facing(facing);
        pip("face", men, defender(), 1)
    };
    let guns = turned("foot-artillery", (1.0, 1.0), 30.0);
    // The middle is at 1.25 + 0.71 sin 30 = 1.60 and 0.5 + 0.71 cos 30 = 1.11: facing west, the guns would be 0.11"
    // beyond the corner. So they face south and move onto D's front edge.
    assert_eq!((guns.first().heading.tenths(), guns.first().front.y), (1800, 50));
    assert!((guns.first().front.x - 160).abs() <= 1, "{:?}", guns.first().front);
    for (kind, size) in [
        ("foot-artillery", (1.0, 1.0)),
        ("horse-artillery", (1.0, 1.5)),
        ("cavalry", (1.5, 1.0)),
        ("infantry", (2.5, 1.0)),
    ] {
        for bearing in (4..90).step_by(4).map(f64::from) {
            let game = turned(kind, size, bearing);
            let (ground, there) = (game.ground(&game.first()), game.ground(&game.second()));
            let corners = there.corners().map(|corner| ground.local(corner));
            let [least, most] =
                [corners.iter().map(|at| at.0).min(), corners.iter().map(|at| at.0).max()].map(Option::unwrap);
            let half = i64::from(ground.width) / 2;
            assert_eq!(game.paid(), ["pivot"], "{kind} on {bearing}");
            assert!(
                corners.iter().map(|at| at.1).min().is_some_and(|y| y.abs() <= 1),
                "{kind} on {bearing}: {corners:?}"
            );
            assert!(most.min(half) - least.max(-half) >= 3, "{kind} on {bearing}: {corners:?}");
        }
    }
}

/// Even shaken infantry may turn about, although the middle of its front travels farther than its move.
#[test]
fn clause_p2() {
    let game = pip("face", defender().morale("shaken"), infantry(0.0, -1.0, 0.0), 1);
    assert_eq!(game.paid(), ["pivot"]);
    assert_eq!(game.first().heading.tenths(), 1800);
    game.saw("P2");
    // A quarter turn is within its move: 1.96" of 3 (HD11).
    let quarter = pip("face", defender(), infantry(2.5, 0.0, 0.0), 1);
    assert_eq!((quarter.paid(), quarter.first().heading.tenths()), (vec!["pivot"], 900));
    assert!(!quarter.seen.cited().contains("P2"));
}

/// A unit in contact with two enemies does not turn.
#[test]
fn clause_p3() {
    let enemies = [infantry(2.5, 0.0, 0.0), infantry(-2.5, 0.0, 0.0)];
    let mut game = game(("face", &[defender()]), ("hold", &enemies));
    game.points(1).phase("pip", &[]);
    assert_eq!(game.barred(), [("pivot", "several")]);
    game.saw("P3");
}

/// A unit may not both move and pivot.
#[test]
fn clause_p4() {
    // Cavalry beside infantry may slide along it and still touch it.
    let beside = || cavalry(2.0, -0.5, 0.0);
    for (doctrine, act, bar) in
        [("move-and-face", "move", ("pivot", "moved")), ("face-and-move", "pivot", ("move", "pivoted"))]
    {
        let game = pip(doctrine, beside(), defender(), 3);
        assert_eq!(game.paid(), [act]);
        assert!(game.barred().contains(&bar), "{:?}", game.barred());
        game.saw("P4");
    }
}

/// A turn to face uses the smallest shift (reading A6). A unit turns on the spot to face an enemy behind it, or a wood
/// behind it that the enemy fills. The enemy's middle is a little farther to the side than to the rear, but that does
/// not matter.
#[test]
fn a_turn_to_face_takes_the_smallest_shift() {
    let stays = |game: &Game, at: Point| {
        assert_eq!((game.paid(), game.first().heading.tenths()), (vec!["pivot"], 1800));
        let middle = centre(game, &game.first());
        assert!((middle.x - at.x).abs() <= 1 && (middle.y - at.y).abs() <= 1, "{middle:?}");
    };
    stays(&pip("face", defender(), infantry(1.2, -1.0, 0.0), 1), Point { x: 0, y: 0 });
    let wood = [crate::common::block_of("woods", (0.0, 0.0), (6.0, 1.0))];
    let men = [infantry(-1.2, 1.0, 0.0)];
    let mut game = Game::over(pips(), &wood, ("face", &men), ("hold", &[infantry(0.0, 0.0, 0.0)]));
    game.points(1).phase("pip", &[]);
    stays(&game, Point { x: -120, y: 100 });
}

/// If other units block the smallest shift, a turn to face uses the smallest shift that has room (P1, A6): along the
/// same side of the enemy, or to another side. So does a rally.
#[test]
fn a_turn_to_face_finds_room_beside_others() {
    let turns = |doctrine: &str, men: &[Men], enemy: Men| {
        let mut game = game((doctrine, men), ("hold", &[enemy]));
        game.unit_mut(Side::First, 1).doctrine = pips().doctrine("hold").expect("a drill");
        game.points(2).phase("pip", &[]);
        let (ground, friend, there) =
            (game.ground(&game.first()), game.ground(&game.nth(1)), game.ground(&game.second()));
        assert!(!ground.inset(1).overlaps(&friend) && !ground.inset(1).overlaps(&there), "{doctrine}: {ground:?}");
        (game.first().heading.tenths(), centre(&game, &game.first()), game)
    };
    // Turned to the cavalry in the east, D would extend to y = -1.25; its friend's front is at -1.2, or at -1.3.
    for (state, doctrine, act) in [("eager", "face", "pivot"), ("routed", "rally", "rally")] {
        for (behind, north) in [(-1.2, 2..=5), (-1.3, 0..=0)] {
            let men = [defender().morale(state), unit("infantry").at(0.0, behind).facing(0.0)];
            let (heading, middle, game) = turns(doctrine, &men, cavalry(1.75, 0.0, 270.0));
            assert_eq!((game.paid(), heading, middle.x), (vec![act], 900, 75), "{act}, {behind}");
            assert!(north.contains(&middle.y), "{act}, {behind}: {middle:?}");
        }
    }
    // A turn to face south needs a shift of 0.14", but a friend is in the way. Finding room along that side of the
    // enemy takes more than the 0.59" that a turn to face west needs.
    let men = [unit("infantry").at(-7.98, 1.80).facing(138.9), unit("infantry").at(-6.59, 0.92).facing(180.0)];
    let (heading, middle, _) = turns("face", &men, unit("infantry").at(-10.65, 1.54).facing(0.0));
    assert_eq!(heading, 2700);
    assert!((middle.x + 890).abs() <= 1 && (middle.y - 217).abs() <= 1, "{middle:?}");
    // A shift never crosses the edge of the table, at y = 24, or puts the unit on the far side of the enemy.
    let men = [defender(), unit("infantry").at(0.0, -1.2).facing(0.0)];
    for (north, turns) in [(2390, true), (2399, false)] {
        let mut edge = game(("face", &men), ("hold", &[cavalry(1.75, 0.0, 270.0)]));
        edge.battle.units.iter_mut().for_each(|unit| unit.front.y += north);
        edge.points(1).phase("pip", &[]);
        assert_eq!(
            (edge.paid().len(), edge.barred().contains(&("pivot", "same-ground"))),
            (usize::from(turns), !turns)
        );
    }
}

/// A unit that turns to face an enemy is not shifted across any unit, even if the only room is behind the enemy's
/// neighbour (I2, I3).
#[test]
fn clause_r1() {
    let men = [unit("veteran-infantry").at(-1.25, 1.25).facing(270.0), unit("infantry").at(1.0, 0.0).facing(180.0)];
    let enemies = [unit("infantry").at(0.0, 0.0).facing(0.0), unit("infantry").at(-2.52, 1.0).facing(0.0)];
    let mut past = game(("face", &men), ("hold", &enemies));
    past.unit_mut(Side::First, 1).doctrine = pips().doctrine("hold").expect("a drill");
    past.points(2).phase("pip", &[]);
    assert_eq!((past.paid().len(), past.barred()), (0, vec![("pivot", "same-ground")]));
    past.saw("R1");
    assert!(!past.seen.cited().contains("HD11"));
}

/// Guns hub to hub that have no room to turn to an enemy's middle pivot by quarter turns (R9), if these bring them
/// closer to facing it.
#[test]
fn guns_hub_to_hub_pivot_by_quarter_turns() {
    for (facing, heading, pivots) in [(0.0, 900, 3), (270.0, 900, 3), (90.0, 900, 0), (180.0, 900, 3)] {
        let guns = [0.0, 1.0, -1.0].map(|east| by_centre("foot-artillery", east, 0.0, facing, 1.0));
        let mut game = game(("face", &guns), ("hold", &[unit("infantry").at(7.5, 5.0).facing(270.0)]));
        game.points(3).phase("pip", &[]);
        assert_eq!(game.paid().len(), pivots, "{facing}");
        for number in 0..3 {
            assert_eq!(game.nth(number).heading.tenths(), heading, "{number} from {facing}");
        }
        if pivots == 0 {
            assert!(game.barred().contains(&("pivot", "same-ground")));
        } else {
            game.saw("R9");
        }
    }
}

/// Guns in contact that have no room to be edge to edge with the enemy also pivot by quarter turns (R9), and so do guns
/// whose first quarter turn would bring them into contact (R12).
#[test]
fn clause_r9() {
    // The guns face north. In the first case, a friend is 0.05" to the west and an enemy touches their east side. In
    // the second, there is no friend, and the enemy is a quarter of an inch away. The bearing to the enemy is 117
    // degrees: a turn to the east needs a quarter of an inch on either side, and a half turn needs none.
    let guns = || by_centre("horse-artillery", 0.0, 0.0, 0.0, 1.5);
    let square = || unit("infantry").at(0.5, -0.65).facing(270.0).formation("square");
    for (men, enemy) in
        [(vec![guns(), infantry(-1.05, -0.75, 90.0)], square()), (vec![guns()], infantry(1.25, -0.65, 270.0))]
    {
        let mut game = game(("face", &men), ("hold", &[enemy]));
        game.points(1).phase("pip", &[]);
        assert_eq!(game.paid(), ["pivot"], "{:?}", game.barred());
        assert_eq!((game.first().heading.tenths(), centre(&game, &game.first())), (1800, Point { x: 0, y: 0 }));
        game.saw("R9");
    }
    // Edge to edge with the enemy on their right, the guns would extend half an inch farther to the left. That is
    // within a hundredth of an inch of a second enemy.
    let guns = unit("horse-artillery").at(0.0, 0.0).facing(0.0);
    let enemies = [unit("infantry").at(0.5, -1.3).facing(270.0), unit("infantry").at(-1.01, -1.4).facing(90.0)];
    let mut between = game(("face", &[guns]), ("hold", &enemies));
    between.points(1).phase("pip", &[]);
    assert_eq!((between.paid(), between.first().heading.tenths()), (vec!["pivot"], 1800), "{:?}", between.barred());
    // Infantry in contact turns edge to edge or not at all (A6).
    let foot = [infantry(0.0, 0.0, 0.0), infantry(0.0, -1.05, 0.0), infantry(0.0, 1.05, 0.0)];
    let mut held = game(("face", &foot), ("hold", &[infantry(1.75, 0.0, 90.0)]));
    held.points(1).phase("pip", &[]);
    assert_eq!(held.first().heading.tenths(), 0);
}

/// Cavalry does not take the place of a beaten enemy if that would bring it into contact with another enemy that it
/// does not charge (C2).
#[test]
fn cavalry_takes_no_place_in_contact() {
    for (behind, stands) in [(1.0, -100), (1.2, 0)] {
        let enemies = [infantry(0.0, 0.0, 180.0), infantry(0.0, behind, 180.0)];
        let mut game = game(("charge-occupy", &[cavalry(0.0, -4.5, 0.0)]), ("hold", &enemies));
        game.points(2).phase("pip", &[]).phase("charge", &[6, 1, 6]);
        assert_eq!(morale(&game, Side::Second), "routed");
        assert_eq!(centre(&game, &game.first()), Point { x: 0, y: stands }, "{behind}");
    }
}

/// Cavalry that moves up to an enemy charges that enemy. It does not charge another that it strikes in the same arc,
/// touched before, or may not charge. The contact is reported once (U12, C2).
#[test]
fn cavalry_charges_whom_it_moves_up_to() {
    let charged = |horse: Men, enemies: &[Men]| {
        let game = comes_up(&[], &[horse], enemies);
        let told = game.seen.events().iter().filter(|event| matches!(event, Event::Met { .. })).count();
        assert_eq!((game.paid(), told), (vec!["contact", "charge"], 1));
        let is_charged = |&enemy: &usize| game.unit(Side::Second, enemy).flags.has(Flags::CHARGED);
        (0..enemies.len()).filter(is_charged).collect::<Vec<_>>()
    };
    // The two enemies are side by side in front of it.
    assert_eq!(charged(cavalry(0.0, -3.0, 0.0), &[infantry(-1.25, 0.0, 180.0), cavalry(0.75, 0.0, 180.0)]), [0]);
    // It strikes the guns beside the infantry on the flank, and charges them unless they are silenced.
    for (state, charges) in [("eager", 1), ("silenced", 0)] {
        let guns = by_centre("foot-artillery", 0.75, 0.0, 0.0, 1.0).morale(state);
        assert_eq!(charged(cavalry(6.0, 0.0, 270.0), &[infantry(0.75, 1.75, 90.0), guns]), [charges], "{state}");
    }
    // It passes along the rear of other infantry, a hundredth of an inch away, and ends level with that infantry's
    // flank.
    assert_eq!(charged(cavalry(0.0, -0.5, 0.0), &[infantry(0.0, 2.5, 180.0), infantry(1.26, 0.75, 90.0)]), [0]);
}
