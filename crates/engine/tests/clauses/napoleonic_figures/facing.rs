//! Chapter 7: facing.

use grognard_engine::plane::Arc;
use grognard_engine::{Event, Flags, Refusal, Side};

use super::{arc_of_shot, charged_in_the_rear, figure, last_man_shot, path, s6, skirmishers};
use crate::common::{Game, Men, block_of, drill, load_with, unit};

/// The last march: its wheel in tenths of a degree and its length in hundredths of an inch.
fn last_march(game: &Game) -> (i32, i32) {
    let marched = game.seen.events().iter().rev().find_map(|event| match event {
        Event::Marched { wheel, distance, .. } => Some((*wheel, *distance)),
        _ => None,
    });
    marched.expect("somebody marched")
}

/// A unit may fire and charge only through its front.
#[test]
fn clause_7_12() {
    let mut ahead = Game::new(("fire-only", &[s6()]), ("hold", &[figure().at(0.0, 5.0).facing(180.0)]));
    ahead.phase("fire", &[1, 1, 1]);
    ahead.saw("7.12");

    let aside = figure().at(5.0, 0.25).facing(180.0);
    let mut game = Game::new(("fire-only", &[s6()]), ("hold", std::slice::from_ref(&aside)));
    game.phase("fire", &[]);
    assert_eq!(game.seen.refusals(), [Refusal::NoTarget]);
    game.saw("7.12");
    let mut game = Game::new(("charge", &[s6()]), ("hold", &[aside]));
    game.phase("charge", &[]);
    assert_eq!(game.seen.refusals(), [Refusal::NotInFront]);
    game.saw("7.12");

    // Any part of the target counts: an 11" line straight ahead of a column, with its middle and both ends outside the
    // arc.
    let narrow = unit("line-battalion").figures(6).formation("column").at(0.0, 0.0).facing(0.0);
    let wide = unit("line-battalion").at(2.5, 1.0).facing(180.0);
    let mut across = Game::new(("fire-only", &[narrow]), ("hold", &[wide]));
    across.phase("fire", &[1]);
    assert_eq!(across.seen.refusals(), []);
    across.saw("7.12");

    // A march goes to the front, so it cites the clause. A wheel alone does not.
    path(s6(), (1.0, 30, 0.0)).saw("7.12");
    path(s6(), (0.0, 30, 0.0)).saw_no("7.12");
}

/// An attack is on the flank if every figure is beyond 22 degrees; one figure inside makes it frontal.
#[test]
fn clause_7_13() {
    // At 5" ahead, the limit is at 1.5 + 5 x 0.4040 = 3.520", which still counts as front.
    assert_eq!(arc_of_shot(3.52, 5.0, 180.0), Arc::Front);
    assert_eq!(arc_of_shot(3.53, 5.0, 180.0), Arc::Flank);
    assert_eq!(arc_of_shot(-3.53, 5.0, 180.0), Arc::Flank);
    assert_eq!(arc_of_shot(6.0, -0.25, 270.0), Arc::Flank);

    let four = |east: f64| {
        let line = unit("line-battalion").figures(4).at(east, 4.75).facing(180.0);
        let mut game = Game::new(("fire-only", &[line]), ("hold", &[s6()]));
        game.phase("fire", &[1, 1]);
        game.roll("fire").exposed.1
    };
    // Base centres are at 3.6, 4.1, 4.6 and 5.1, all beyond the limit. A tenth of an inch to the left, the first is
    // inside.
    assert_eq!(four(4.35), Arc::Flank);
    assert_eq!(four(4.25), Arc::Front);

    // Base centres are in a row leading away from the flank, at y = 0.26, where the limit is 1.605". At first none is
    // inside, then one is.
    let file = |first: f64| {
        let file = unit("line-battalion").figures(4).formation("column").at(first - 0.25, 0.26).facing(270.0);
        let mut game = Game::new(("fire-only", &[file]), ("hold", &[s6()]));
        game.phase("fire", &[1]);
        game.roll("fire").exposed.1
    };
    assert_eq!(file(3.0), Arc::Flank);
    assert_eq!(file(1.61), Arc::Flank);
    assert_eq!(file(1.6), Arc::Front);

    // Every rank counts: the head of this column is beyond the limit, but its tail is not.
    let trailing = unit("line-battalion").figures(4).formation("column").at(2.2, 0.4).facing(135.0);
    let game = Game::new(("hold", &[s6()]), ("hold", &[trailing]));
    let head = game.ground(&game.second()).at(0, -25);
    assert_eq!(game.ground(&game.first()).arc_of(head, 220), Arc::Flank);
    assert_eq!(game.aspect(&game.first(), &game.second()), Arc::Front);

    // The arc at the declaration counts in the fight: this line ends with one figure in front of S6, but came from the
    // flank.
    let from_flank = unit("line-battalion").figures(6).at(6.0, -0.25).facing(270.0);
    let mut game = Game::new(("charge", &[from_flank]), ("hold", &[s6()]));
    game.phase("charge", &[1, 1]);
    assert!(matches!(game.seen.events().last(), Some(Event::Contact { arc: Arc::Flank, .. })));
    assert_eq!(game.aspect(&game.second(), &game.first()), Arc::Front, "as they stand now");
    game.phase("shock", &[3, 3, 3, 3]);
    assert_eq!(game.roll("shock").exposed.1, Arc::Flank);
    game.saw("7.13");

    // Figures spread over flank and rear, with none in front, count as flank.
    let straddling = unit("line-battalion").figures(6).at(2.4, -1.9).facing(315.0);
    let mut game = Game::new(("fire-only", &[straddling]), ("hold", &[s6()]));
    game.phase("fire", &[1, 1, 1]);
    assert_eq!(game.roll("fire").exposed.1, Arc::Flank);
}

/// The rear is the area within 22 degrees of the rear face.
#[test]
fn clause_7_14() {
    // 2.0" behind the rear edge, the limit is at 1.5 + 2.0 x 0.4040 = 2.308".
    assert_eq!(arc_of_shot(2.0, -2.5, 0.0), Arc::Rear);
    assert_eq!(arc_of_shot(2.3, -2.5, 330.0), Arc::Rear);
    assert_eq!(arc_of_shot(2.32, -2.5, 330.0), Arc::Flank);
    assert_eq!(arc_of_shot(2.5, -2.5, 330.0), Arc::Flank);
    charged_in_the_rear().saw("7.14");
}

/// Skirmishers have all-around facing.
#[test]
fn clause_7_21a() {
    for bearing in [0.0, 90.0, 180.0, 270.0] {
        let enemy = figure().bearing(bearing, 4.0);
        let mut game = Game::new(("fire-only", &[enemy]), ("fire-only", &[skirmishers(4)]));
        game.phase("fire", &[1]);
        assert_eq!(game.roll("fire").exposed.1, Arc::Front, "shot at from {bearing} degrees");
        game.phase_of(Side::Second, "fire", &[1, 1]);
        assert!(game.seen.refusals().is_empty(), "they shoot back to {bearing} degrees");
        // From the front, the clause makes no difference: any unit would show its front there, and could shoot back.
        assert_eq!(game.seen.cited().contains("7.21a"), bearing > 0.0, "{bearing} degrees");
    }
    // If opportunity fire leaves only a unit's skirmishers, they do not make the turn that the unit was ordered to
    // make.
    let left = last_man_shot(drill(), "face");
    assert_eq!((left.state(&left.first()).0, left.first().heading.tenths()), ("full-skirmish", 0));
    assert!(!left.seen.events().iter().any(|event| matches!(event, Event::Turned { .. })));
}

/// A square has all-around facing.
#[test]
fn clause_7_21b() {
    let square = unit("line-battalion").figures(8).formation("square").facing(0.0);
    let horse = unit("heavy-cavalry").figures(3).bearing(200.0, 6.0);
    let mut game = Game::new(("charge", &[horse]), ("hold", &[square]));
    game.phase("charge", &[1, 3, 3]);
    let struck = game.seen.events().iter().find_map(|event| match event {
        Event::Contact { arc, .. } => Some(*arc),
        _ => None,
    });
    assert_eq!(struck, Some(Arc::Front));
    game.saw("7.21b");
}

/// All-around order has all-around facing, but not a square's defence against cavalry.
#[test]
fn clause_7_21c() {
    let men = |formation: &str| unit("line-battalion").figures(8).formation(formation).facing(0.0);
    let shooter = figure().bearing(90.0, 4.0);
    let mut shot = Game::new(("fire-only", &[shooter]), ("fire-only", &[men("all-around")]));
    shot.phase("fire", &[1]);
    assert_eq!(shot.roll("fire").exposed.1, Arc::Front);
    shot.phase_of(Side::Second, "fire", &[1]);
    assert!(shot.seen.refusals().is_empty(), "it fires back");
    shot.saw("7.21c");

    // It also marches in any direction, because it faces every way.
    let mut aside = Game::new(("march", &[men("all-around")]), ("hold", &[figure().at(10.0, -0.5).facing(270.0)]));
    aside.phase("move", &[]);
    assert_ne!(last_march(&aside), (0, 0));
    aside.saw("7.21c");

    let charged = |formation: &str| {
        let horse = unit("heavy-cavalry").figures(4).at(0.0, 8.0).facing(180.0);
        let mut game = Game::new(("charge", &[horse]), ("hold", &[men(formation)]));
        game.phase("charge", &[1, 3, 3]).phase("shock", &[3, 3, 3, 3]);
        game.foe_modifiers("shock").contains(&"square-against-cavalry")
    };
    assert!(charged("square"));
    assert!(!charged("all-around"));

    // The bonus is only for defence: a square that charges does not get it.
    let horse = unit("heavy-cavalry").figures(4).at(0.0, 4.0).facing(180.0);
    let mut game = Game::new(("charge", &[men("square")]), ("hold", &[horse]));
    game.phase("charge", &[3, 3]).phase("shock", &[3, 3, 3, 3]);
    assert_eq!(game.own_modifiers("shock"), ["impetus", "outnumbers"]);
}

/// In the formation phase, a unit turns about its centre, at no cost in movement.
#[test]
fn clause_7_31() {
    let enemy = figure().at(14.14, -14.14).facing(0.0);
    let mut game = Game::new(("charge-home", &[s6()]), ("hold", &[enemy]));
    let before = game.ground(&game.first()).centre();
    game.phase_of(Side::Second, "formation", &[]);
    assert_eq!(game.first().heading.tenths(), 0, "not in the opponent's phase");
    game.phase("formation", &[]);
    assert!(matches!(game.seen.events(), [.., Event::Turned { tenths: 1350, .. }]), "{:?}", game.seen.events());
    let after = game.ground(&game.first()).centre();
    assert!((before.x - after.x).abs() <= 1 && (before.y - after.y).abs() <= 1, "{before:?} {after:?}");
    game.saw("7.31");
    game.phase("move", &[]);
    assert_eq!(last_march(&game), (0, 800), "the whole move is left");
    // The turn must not end on another unit: as it turns about its centre, the line sweeps an inch and a half to either
    // side.
    let friend = unit("line-battalion").figures(6).at(0.25, 1.6).facing(90.0);
    let mut crowded = Game::new(("face", &[s6(), friend]), ("hold", &[figure().at(20.0, -0.25).facing(270.0)]));
    crowded.phase("formation", &[]);
    assert_eq!(crowded.first().heading.tenths(), 0);
    assert!(crowded.seen.refusals().contains(&Refusal::NoRoom));
    crowded.saw("7.31");
}

/// After that phase, a unit wheels: the arc of the outer corner is deducted from the move, and the inner corner stays
/// in place.
#[test]
fn clause_7_33() {
    // The bearing is that of the enemy's centre, a quarter of an inch behind its front.
    let enemy = figure().at(10.0, 17.32 - 0.25).facing(180.0);
    let mut game = Game::new(("march", &[s6()]), ("hold", &[enemy]));
    let before = game.ground(&game.first());
    game.phase("move", &[]);
    let (wheel, distance) = last_march(&game);
    // 3.0" x pi / 6 = 1.571" of 8".
    assert_eq!((wheel, distance), (300, 800 - 157));
    let pivot = before.corners()[1].moved(game.first().heading, distance);
    let now = game.ground(&game.first()).corners()[1];
    assert!((pivot.x - now.x).abs() <= 2 && (pivot.y - now.y).abs() <= 2, "{pivot:?} {now:?}");
    game.saw("7.33");

    // Marches and wheels may come in either order: a march of 2" and a wheel of 1.571" leave 4.429".
    for (legs, accepted) in
        [((2.0, 30, 4.43), true), ((2.0, 30, 4.44), false), ((0.0, 30, 6.43), true), ((0.0, -30, 6.44), false)]
    {
        let game = path(s6(), legs);
        assert_eq!(game.seen.refusals().is_empty(), accepted, "{legs:?}");
        game.saw("7.33");
    }
    assert_eq!(path(s6(), (8.01, 0, 0.0)).seen.refusals(), [Refusal::TooFar]);

    // A charge of 8" would reach the enemy if it did not have to wheel.
    let charge = |east: f64, north: f64| {
        let mut game = Game::new(("charge", &[s6()]), ("hold", &[figure().at(east, north).facing(200.0)]));
        game.play_anyhow(Side::First, "charge");
        game
    };
    let short = charge(4.0, 7.5);
    assert_eq!(short.seen.refusals(), [Refusal::WheelTooLong]);
    short.saw("7.33");
    let far = charge(4.0, 11.0);
    assert_eq!(far.seen.refusals(), [Refusal::OutOfReach]);
    far.saw_no("7.33");
    assert_eq!(charge(2.5, 5.5).seen.refusals(), []);
}

/// A unit marches straight ahead; to march in any other direction it must wheel first.
#[test]
fn clause_7_41() {
    let mut straight = Game::new(("march", &[s6()]), ("hold", &[figure().at(0.5, 20.0).facing(180.0)]));
    straight.phase("move", &[]);
    let unit = straight.first();
    assert_eq!((unit.front.x, unit.front.y, unit.heading.tenths()), (0, 800, 0));
    straight.saw("7.41");

    // The enemy's bearing, (3, 4), is 36.87 degrees off, so the unit can only go there after a wheel.
    let mut aslant = Game::new(("march", &[s6()]), ("hold", &[figure().at(12.0, 15.75).facing(180.0)]));
    let before = aslant.ground(&aslant.first());
    aslant.phase("move", &[]);
    let (wheel, distance) = last_march(&aslant);
    assert_eq!(wheel, 369);
    assert_eq!(aslant.ground(&aslant.first()), before.wheeled(369).marched(distance));
    assert_eq!(distance, 800 - before.wheel_cost(369));
    aslant.saw("7.41");
}

/// Infantry or cavalry at most an inch and a half wide need not wheel; wider units and artillery must.
#[test]
fn clause_7_42() {
    let infantry = |figures| unit("line-battalion").figures(figures);
    let cavalry = |figures| unit("heavy-cavalry").figures(figures);
    let guns = unit("field-battery").formation("limbered");
    // A wheel of 30 degrees costs slightly more than half the width: 2.0" x pi / 6 = 1.05", 1.5" x pi / 6 = 0.79". A
    // narrow unit starts from its middle, which is a quarter or half an inch farther away.
    for (men, tenths, distance) in [
        (infantry(3), 296, 800),
        (infantry(4), 300, 695),
        (cavalry(1), 293, 1200),
        (cavalry(2), 300, 1095),
        (guns, 300, 721),
    ] {
        let enemy = figure().at(10.0, 17.32 - 0.25).facing(180.0);
        let mut game = Game::new(("march", &[men.clone().at(0.0, 0.0).facing(0.0)]), ("hold", &[enemy]));
        game.phase("move", &[]);
        assert_eq!(last_march(&game), (tenths, distance), "{men:?}");
        game.saw(if distance % 100 == 0 { "7.42" } else { "7.33" });
    }
    // An exempt unit turns at any point of its path and pays only for the length of the path: 4" + 4" of 8".
    for (figures, refusals) in [(3, &[][..]), (4, &[Refusal::TooFar])] {
        let game = path(infantry(figures).at(0.0, 0.0).facing(0.0), (4.0, 90, 4.0));
        assert_eq!(game.seen.refusals(), refusals);
        game.saw(if refusals.is_empty() { "7.42" } else { "7.33" });
    }
    let farther = path(infantry(3).at(0.0, 0.0).facing(0.0), (4.0, 90, 4.01));
    assert_eq!(farther.seen.refusals(), [Refusal::TooFar]);
    // A tenth of an inch over an inch and a half is too much: four abreast are 1.4" wide on bases of 0.35", and 1.6" on
    // bases of 0.4".
    for (width, narrow) in [("0.35", true), ("0.4", false)] {
        let change = format!("unit.line-battalion.width={width}");
        let rules = Box::leak(Box::new(load_with("figures-drill", &[&change])));
        let men = infantry(4).at(0.0, 0.0).facing(0.0);
        let enemy = figure().at(10.0, 17.32 - 0.25).facing(180.0);
        let mut game = Game::under(rules, ("march", &[men]), ("hold", &[enemy]));
        game.phase("move", &[]);
        assert_eq!(last_march(&game).1 == 800, narrow, "bases of {width} inches");
    }
}

/// Skirmishers never wheel, and move 10 inches in any direction.
#[test]
fn clause_7_43() {
    for men in [skirmishers(4), unit("light-cavalry").figures(4).formation("full-skirmish").facing(0.0)] {
        let enemy = figure().at(-17.68, -17.68 - 0.25).facing(180.0);
        let mut game = Game::new(("march", &[men.at(0.0, 0.0)]), ("hold", &[enemy]));
        game.phase("move", &[]);
        assert_eq!(last_march(&game), (-1350, 1000));
        game.saw("7.43");
    }
    let around = |second: f64| {
        let game = path(skirmishers(4).at(0.0, 0.0), (6.0, 90, second));
        game.saw("7.43");
        game.seen.refusals()
    };
    // A row of eight, 14.5" wide, moves its ten inches to the right past a battery close behind it, and none of its
    // figures moves farther.
    let row = unit("light-battalion").formation("full-skirmish").at(0.0, 0.0).facing(0.0);
    let guns = unit("field-battery").formation("unlimbered").at(5.0, -2.5).facing(0.0);
    let enemy = unit("line-battalion").at(14.0, 16.0).facing(180.0);
    let mut game = Game::new(("march", &[row, guns]), ("hold", &[enemy]));
    let before = game.ground(&game.first()).corners();
    game.phase("move", &[]);
    for (before, now) in before.into_iter().zip(game.ground(&game.first()).corners()) {
        let way = before.square_distance(now).isqrt();
        assert!((999..=1001).contains(&way), "{way}");
    }
    assert_eq!(game.first().heading.tenths(), 0);
    assert_eq!(around(4.0), [], "10.0\"");
    assert_eq!(around(4.5), [Refusal::TooFar], "10.5\"");
}

/// A routed unit faces away from the nearest enemy, or from the mean bearing of several enemies that are equally near.
#[test]
fn clause_7_44() {
    // An enemy line, five and a half inches from the centre of S6 on a bearing of 30 degrees, shoots it to pieces.
    let enemy = unit("line-battalion").at(2.625, 4.297).facing(210.0);
    let mut game = Game::new(("fire-only", &[enemy]), ("hold", &[s6()]));
    game.phase("fire", &[10, 10, 1, 1, 1, 1, 6, 6]);
    assert_eq!(game.state(&game.second()).1, "routed");
    assert!(game.second().heading.tenths().abs_diff(2100) <= 1, "{:?}", game.second().heading);
    game.saw("7.44");
    let before = game.second().front;
    game.phase_of(Side::Second, "move", &[]);
    assert!(game.second().heading.tenths().abs_diff(2100) <= 1, "{:?}", game.second().heading);
    assert!(game.seen.events().iter().any(|event| matches!(event, Event::Fled { distance: 1200, .. })));
    let run = before.square_distance(game.second().front).isqrt();
    assert!((1198..=1202).contains(&run), "{run}");

    // A line that breaks when a charge reaches it becomes a column so deep that it overlaps the square. It runs on
    // until it is clear, with the square behind it.
    let horse = unit("heavy-cavalry").figures(5).morale("disordered").at(0.0, 0.0).facing(180.0);
    let square = unit("large-light-battalion").figures(12).formation("square").at(0.0, -0.02).facing(0.0);
    let mut game = Game::new(("charge", &[square]), ("hold", &[horse]));
    game.phase("charge", &[4, 4]);
    assert_eq!(game.state(&game.second()), ("column", "routed"));
    let arcs: Vec<Arc> = game
        .seen
        .events()
        .iter()
        .filter_map(|event| match event {
            Event::Contact { arc, .. } => Some(*arc),
            _ => None,
        })
        .collect();
    assert_eq!(arcs, [Arc::Rear]);

    // The same volley hits disordered men. Losses of a third and a roll of 7 against 5 rout them in place. Enemies that
    // do not fire are nearer than the line that does: one 3" to the west, then another one equally near. West (-3, 0)
    // and north-west (-1.8, 2.4) have bearings of 270 and 323.1 degrees, whose mean is 296.6.
    let west = || figure().at(-3.25, -0.25).facing(270.0);
    let north_west = || figure().at(-2.05, 2.15).facing(270.0);
    for (silent, tenths) in [(vec![west()], 900), (vec![west(), north_west()], 1166)] {
        let mut enemies = vec![unit("line-battalion").at(2.625, 4.297).facing(210.0)];
        enemies.extend(silent);
        let mut game = Game::new(("fire-only", &enemies), ("hold", &[s6().morale("disordered")]));
        game.phase("fire", &[10, 10, 1, 1, 1, 1, 3, 4]);
        assert_eq!(game.state(&game.second()).1, "routed");
        assert!(game.second().heading.tenths().abs_diff(tenths) <= 1, "{:?}", game.second().heading);
        game.saw("7.44");
    }

    // Men in good order are driven six inches to the south-west, away from the line, and end south of the western
    // enemy. From (-3, -5.4), that enemy is due north, at 5.2", and the line is 11" away.
    let mut game =
        Game::new(("fire-only", &[unit("line-battalion").at(2.625, 4.297).facing(210.0), west()]), ("hold", &[s6()]));
    game.phase("fire", &[10, 10, 1, 1, 1, 1, 6, 6]);
    assert!(game.second().heading.tenths().abs_diff(1800) <= 1, "{:?}", game.second().heading);

    // A routed unit runs twelve inches from an enemy in the north, to (0, -1.25), and ends near a second enemy at
    // (4, -4.25). It faces away from the second one, to 306.9 degrees. If a friend is in its way as it turns, it moves
    // two inches more.
    let routed = || unit("line-battalion").figures(6).morale("routed").at(0.0, 10.0).facing(180.0);
    let enemies = [figure().at(0.0, 13.0).facing(180.0), figure().at(4.0, -4.0).facing(0.0)];
    let friend = figure().at(-0.8, -1.0).facing(0.0);
    for (men, far) in [(vec![routed()], 1200), (vec![routed(), friend], 1400)] {
        let mut game = Game::new(("hold", &enemies), ("hold", &men));
        game.phase_of(Side::Second, "move", &[]);
        assert!(game.second().heading.tenths().abs_diff(3069) <= 1, "{:?}", game.second().heading);
        assert!(
            game.seen.events().iter().any(|event| matches!(event, Event::Fled { distance, .. } if *distance == far))
        );
    }

    // A unit that starts in rout also faces away, unless the study gives its facing.
    let behind = figure().at(0.0, 10.0);
    let game = Game::new(("hold", &[behind]), ("hold", &[unit("line-battalion").morale("routed").at(0.0, 0.0)]));
    assert_eq!(game.second().heading.tenths(), 1800);
}

/// A unit that rallies keeps its column and its facing, and is disordered.
#[test]
fn clause_7_45() {
    let routed = unit("line-battalion").figures(8).morale("routed").at(0.0, 0.0).facing(210.0);
    let mut game = Game::new(("hold", &[routed]), ("hold", &[figure().at(0.0, 20.0).facing(180.0)]));
    let before = game.first();
    game.phase("rally", &[4, 4]);
    assert_eq!(game.state(&game.first()), ("column", "disordered"));
    assert_eq!(game.marker(&game.first()), Some("one figure reversed"));
    assert_eq!((game.first().heading, game.first().front), (before.heading, before.front));
    game.saw("7.45");
}

/// A unit without all-around facing fires only from its front, within 22 degrees.
#[test]
fn clause_7_51() {
    let shot_at = |east: f64| {
        let target = figure().at(east, 4.75).facing(180.0);
        Game::new(("fire-only", &[s6()]), ("hold", &[target]))
    };
    // The target's base is centred first on (3, 5), then on (4, 5).
    let mut inside = shot_at(3.0);
    inside.phase("fire", &[1, 1, 1]);
    inside.saw("7.51");
    let mut outside = shot_at(4.0);
    outside.phase("fire", &[]);
    assert_eq!(outside.seen.refusals(), [Refusal::NoTarget]);
    outside.saw("7.51");
}

/// A unit with all-around facing fires in any direction.
#[test]
fn clause_7_52() {
    for bearing in [10.0, 130.0, 250.0] {
        let square = unit("line-battalion").figures(8).formation("square").facing(0.0);
        let mut game = Game::new(("fire-only", &[square]), ("hold", &[figure().bearing(bearing, 5.0)]));
        game.phase("fire", &[1]);
        assert!(game.seen.refusals().is_empty(), "{bearing} degrees");
        // At 10 degrees, a unit without all-around facing could also fire.
        assert_eq!(game.seen.cited().contains("7.52"), bearing > 90.0, "{bearing} degrees");
    }
}

/// A unit can be shot at from any direction.
#[test]
fn clause_7_53() {
    let mut game = Game::new(("fire-only", &[figure().at(0.0, -6.0).facing(0.0)]), ("hold", &[s6()]));
    game.phase("fire", &[1]);
    let roll = game.roll("fire");
    assert_eq!((roll.exposed.1, roll.distance), (Arc::Rear, 550));
    game.saw("7.53");
    // So can a routed unit, if there is no better target. In the last game the routed column is nearer, but the figure
    // beside it is steady, so that figure is shot at.
    let shooter = || figure().at(0.0, -6.0).facing(0.0);
    let routed = || unit("line-battalion").morale("routed").at(0.0, 0.0).facing(0.0);
    let mut alone = Game::new(("fire-only", &[shooter()]), ("hold", &[routed()]));
    alone.phase("fire", &[1]);
    assert_eq!(alone.roll("fire").foe.map(|foe| foe.index()), Some(1));
    alone.saw("7.53");
    let steady = figure().at(2.0, -0.5).facing(180.0);
    let mut beside = Game::new(("fire-only", &[shooter()]), ("hold", &[routed(), steady]));
    beside.phase("fire", &[1]);
    assert_eq!(beside.roll("fire").foe.map(|foe| foe.index()), Some(2));
}

/// A unit starts a shock action only through its front.
#[test]
fn clause_7_61() {
    let mut ahead = Game::new(("charge", &[s6()]), ("hold", &[figure().at(0.0, 2.0).facing(180.0)]));
    ahead.phase("charge", &[1, 3, 3]);
    assert!(ahead.seen.events().iter().any(|event| matches!(event, Event::Declared { distance: 200, .. })));
    ahead.saw("7.61");
    let mut aside = Game::new(("charge", &[s6()]), ("hold", &[figure().at(4.0, -0.25).facing(180.0)]));
    aside.phase("charge", &[]);
    assert_eq!(aside.seen.refusals(), [Refusal::NotInFront]);
    aside.saw("7.61");
    // A nearer enemy on its flank does not keep it from attacking the one in front.
    let both = [figure().at(4.0, -0.25).facing(180.0), figure().at(0.0, 6.0).facing(180.0)];
    let mut game = Game::new(("charge", &[s6()]), ("hold", &both));
    game.phase("charge", &[1, 3, 3]);
    assert!(game.seen.events().iter().any(|event| matches!(event, Event::Declared { distance: 600, .. })));
}

/// A square may charge in any direction; skirmishers may not charge at all.
#[test]
fn clause_7_62() {
    let square = unit("line-battalion").figures(8).formation("square").at(0.0, 0.0).facing(0.0);
    let mut game = Game::new(("charge", &[square]), ("hold", &[figure().at(0.0, -4.0).facing(0.0)]));
    game.phase("charge", &[1, 3, 3]).phase("shock", &[3, 3, 3, 3]);
    assert!(game.seen.events().iter().any(|event| matches!(event, Event::Contact { .. })));
    game.saw("7.62");
    // It does not turn to charge: a wood a tenth of an inch behind it is not in its way to the north-east.
    let square = unit("line-battalion").figures(8).formation("square").at(0.0, 0.0).facing(0.0);
    let wood = [block_of("woods", (0.0, -3.6), (4.0, 4.0))];
    let target = figure().at(2.5, 2.5).facing(225.0);
    let mut game = Game::over(drill(), &wood, ("charge", &[square]), ("hold", &[target]));
    game.phase("charge", &[1, 3, 3]);
    assert!(game.first().flags.has(Flags::CONTACT), "{:?}", game.seen.events());
    assert_eq!((game.state(&game.first()), game.first().heading.tenths()), (("square", "good"), 0));
    assert!(game.ground(&game.first()).distance(&game.ground(&game.second())) <= 2);
    for bearing in [0.0, 90.0, 180.0, 270.0] {
        let mut game = Game::new(("charge", &[skirmishers(4)]), ("hold", &[figure().bearing(bearing, 4.0)]));
        game.phase("charge", &[]);
        assert_eq!(game.seen.refusals(), [Refusal::MayNotCharge], "{bearing} degrees");
        game.saw("7.62");
    }
}

/// A unit can be attacked by shock from any direction.
#[test]
fn clause_7_63() {
    let mut game = charged_in_the_rear();
    game.phase("shock", &[3, 3, 3, 3]);
    assert_eq!(game.roll("shock").exposed.1, Arc::Rear);
    game.saw("7.63");
    // So can a routed unit, which does not react.
    let routed = unit("line-battalion").figures(6).morale("routed").at(0.0, 0.0).facing(0.0);
    let behind = unit("line-battalion").figures(4).at(0.0, -4.0).facing(0.0);
    let mut game = Game::new(("charge", &[behind]), ("hold", &[routed]));
    game.phase("charge", &[]).phase("shock", &[3, 3, 3, 3]);
    assert_eq!(game.roll("shock").exposed.1, Arc::Rear);
}

/// A unit struck in the flank or rear counts two figures; guns count all the figures they have.
#[test]
fn clause_7_64() {
    let struck = |defender: Men, charger: Men, faces: &[i32]| {
        let mut game = Game::new(("charge", &[charger]), ("hold", &[defender.at(0.0, 0.0).facing(0.0)]));
        game.phase("charge", faces).phase("shock", &[3, 3, 3, 3]);
        assert_eq!(game.seen.cited().contains("7.63"), game.roll("shock").exposed.1 != Arc::Front);
        let modifiers: Vec<String> = game.foe_modifiers("shock").into_iter().map(str::to_owned).collect();
        (modifiers, game)
    };
    let ten = || unit("line-battalion").figures(10);
    let from_flank = || unit("line-battalion").figures(4).at(6.0, -0.25).facing(270.0);
    let from_front = || unit("line-battalion").figures(4).at(0.0, 4.0).facing(180.0);
    let (modifiers, game) = struck(ten(), from_flank(), &[1, 1]);
    assert_eq!(modifiers, ["cannot-fight-there"], "two figures do not outnumber four");
    assert_eq!(game.own_modifiers("shock"), ["impetus", "outnumbers"], "four are twice two");
    game.saw("7.64");
    let (modifiers, _) = struck(ten(), from_front(), &[1, 1, 1, 1, 1, 1, 1]);
    // Five dice of closing fire, then the test.
    assert_eq!(modifiers, ["outnumbers"], "from the front all ten count");
    let rear = unit("line-battalion").figures(4).at(0.0, -4.0).facing(0.0);
    let (modifiers, game) = struck(unit("field-battery").cannon(3), rear, &[1, 1]);
    assert_eq!(modifiers, ["guns"], "no matter from where");
    game.saw("7.64");
}

/// Charging cavalry casts a charge zone in front of it, as deep as its move. The zone affects morale and movement.
#[test]
fn clause_7_65() {
    // Four figures abreast, with a move of 12", charge a unit nearby. Returns whether another unit at this point is in
    // the zone, and the game.
    let cast = |east: f64, north: f64, faces: &[i32]| {
        let horse = unit("heavy-cavalry").figures(4).at(0.0, 0.0).facing(0.0);
        let target = figure().at(-1.0, 4.0).facing(180.0);
        let other = figure().at(east, north).facing(180.0);
        let mut game = Game::new(("charge", &[horse]), ("march", &[target, other]));
        game.phase("charge", faces);
        let threatened = |event: &Event| matches!(event, Event::Threatened { unit, .. } if unit.index() == 2);
        (game.seen.events().iter().any(threatened), game)
    };
    // The point (3, 8) is 3" to the side, within 2 + 8 x 0.4040 = 5.232", and 8.06" away. The target fires and tests.
    let (inside, mut game) = cast(3.0, 8.0, &[1, 3, 3]);
    assert!(inside);
    game.saw("7.65");
    let (aside, _) = cast(6.5, 8.0, &[1, 3, 3]);
    assert!(!aside, "outside the angle");
    let (beyond, _) = cast(0.5, 12.5, &[1, 3, 3]);
    assert!(!beyond, "too far");
    // Movement: formed foot that was in the zone may not move in its own next half-turn, and is free again after that.
    game.phase_of(Side::Second, "move", &[]);
    assert!(game.seen.refusals().contains(&Refusal::Held));
    // Morale: a unit in the zone tests with a penalty of one after losses, and shaken units in it test at once.
    let shaken = |east: f64| {
        let horse = unit("heavy-cavalry").figures(4).at(0.0, 0.0).facing(0.0);
        let target = figure().at(-1.0, 4.0).facing(180.0);
        let other = unit("line-battalion").morale("disordered").at(east, 8.0).facing(180.0);
        let mut game = Game::new(("charge", &[horse]), ("hold", &[target, other]));
        let faces: &[i32] = if east < 5.0 { &[1, 3, 3, 2, 2] } else { &[1, 3, 3] };
        game.phase("charge", faces);
        game.own_modifiers("morale").contains(&"in-a-charge-zone")
    };
    assert!(shaken(3.0));
    assert!(!shaken(20.0));
    // Infantry casts no charge zone.
    let foot = unit("line-battalion").figures(4).at(0.0, 0.0).facing(0.0);
    let (target, other) = (figure().at(0.0, 4.0).facing(180.0), figure().at(1.0, 6.0).facing(180.0));
    let mut game = Game::new(("charge", &[foot]), ("hold", &[target, other]));
    game.phase("charge", &[1, 3, 3]);
    assert!(!game.seen.events().iter().any(|event| matches!(event, Event::Threatened { .. })));
}

/// A charge that reaches its target marches there like any unit: straight ahead, after a wheel unless it is narrow.
#[test]
fn charges_march_home() {
    let charge = |figures: u16, east: f64| {
        let horse = unit("heavy-cavalry").figures(figures).at(east, -6.5).facing(0.0);
        let mut game = Game::new(("charge", &[horse]), ("hold", &[s6()]));
        game.phase("charge", &[1, 1]);
        assert!(
            game.seen.events().iter().any(|event| matches!(event, Event::Contact { .. })),
            "{:?}",
            game.seen.events()
        );
        game
    };
    for (figures, east, wheels, freely) in [(4, 0.0, false, false), (4, 4.5, true, false), (1, 4.5, false, true)] {
        let game = charge(figures, east);
        let cited = game.seen.cited();
        let found = ["7.41", "7.33", "7.42"].map(|clause| cited.contains(clause));
        assert_eq!(found, [true, wheels, freely], "{figures} figures from {east}");
    }
}
