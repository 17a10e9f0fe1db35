//! Clauses that interact: several enemies struck by one move, roads beside features that they do not cross, terrain
//! that a unit fills, and charges by several arms.

use grognard_engine::{CommandPlan, GeneralPlan, Shape};

use super::*;
use crate::common::{block_of, deployment, line_of, load_once};

/// Plays the PIP and charge phases for the first side's first unit, with two points, over this terrain. Its friends
/// hold.
fn charge(doctrine: &str, ground: &[TerrainPlan], men: &[Men], enemies: &[Men], faces: &[i32]) -> Game {
    let mut game = Game::over(pips(), ground, (doctrine, men), ("hold", enemies));
    for number in 1..men.len() {
        game.unit_mut(Side::First, number).doctrine = pips().doctrine("hold").expect("a drill");
    }
    game.points(2).phase("pip", &[]).phase("charge", faces);
    game
}

/// A road from south to north through the middle of the table.
fn road() -> TerrainPlan {
    line_of("road", (0.0, -20.0), (0.0, 20.0))
}

/// Each contact is judged separately when a unit strikes several enemies. A unit that has struck two neighbours from
/// behind strikes the second one in the flank once the first has fled (F1, F4, U12).
#[test]
fn clause_f1() {
    // The attacker's front edge extends from x = -0.75 to 1.75. Two inches of it are on D's rear edge, and half an inch
    // is on the rear edge of D's neighbour, whose rear corner it touches.
    let enemies = [defender(), infantry(2.5, 0.0, 0.0)];
    let mut game = charge("charge", &[], &[infantry(0.5, -4.0, 0.0)], &enemies, &[4, 3]);
    assert_eq!((game.own_modifiers("stand"), morale(&game, Side::Second)), (vec!["charged-in-rear"], "routed".into()));
    game.phase_of(Side::Second, "charge", &[]);
    game.points(1).phase("pip", &[]);
    assert!(game.unit(Side::Second, 1).flags.has(grognard_engine::Flags::CHARGED));
    game.phase("charge", &[3, 4]);
    assert_eq!(game.own_modifiers("charge"), ["flank-or-rear"]);
    assert_eq!(game.own_modifiers("stand"), ["charged-in-flank"]);
    game.saw("F1");

    // A move along D's side also makes flank contact if it brings the front edge to the rear corner. Here the edge,
    // from y = -0.05 to 1.45, moves half an inch to the south.
    let (moved, slid) = shifts(cavalry(1.75, 0.7, 270.0), defender(), 270, 0.5);
    assert!(moved);
    assert_eq!((met(&slid), slid.first().met), (Some(Arc::Flank), Arc::Flank));
    slid.saw("F1");
    // The flank contact ends when a later move takes the front edge off the corner again. Here a second move takes its
    // end from y = -0.55 to -0.05.
    let rules = load_once("pips-drill", &["doctrine.shift.row.go.by=0.5", "doctrine.shift.row.go.bearing=90"]);
    let mut off = Game::under(rules, ("shift", &[cavalry(1.75, 0.2, 270.0)]), ("hold", &[defender()]));
    let enemy = off.battle.side(Side::Second).next().expect("a unit");
    let horse = off.unit_mut(Side::First, 0);
    (horse.foe, horse.met) = (enemy, Arc::Flank);
    off.points(1).phase("pip", &[]);
    assert_eq!((off.paid(), off.first().met), (vec!["move"], Arc::Front));
}

/// A sideways move passes over all the ground between its start and its end (I2).
#[test]
fn clause_i2() {
    // On a bearing of 60 degrees, the right rear corner of the cavalry goes from (0.75,-0.5) along y = -0.5 + 0.577 (x
    // - 0.75). The left front corner of the enemy, at (1.62,0.12), is 0.12" above that line: the cavalry is over it
    // between 1.00" and 1.24" of the way.
    for (south, made) in [(-0.38, false), (-0.52, true)] {
        let (moved, game) = shifts(cavalry(0.0, 0.0, 0.0), infantry(2.87, south, 0.0), 60, 2.0);
        assert_eq!(moved, made, "{south}");
        if !made {
            assert_eq!(game.barred(), [("move", "through-enemy")]);
            game.saw("I2");
        }
    }
}

/// Cavalry takes the position of infantry that has fled from beside a road in a wood only if it would itself be on the
/// road there (R5, A9).
#[test]
fn clause_r5() {
    // A base 2.5" wide whose middle is 1.4" or 0.9" east of the middle of the road touches the road. A base 1.5" wide
    // touches it only in the second case.
    for (east, stands) in [(1.4, (0, 200)), (0.9, (90, 300))] {
        let ground = [block_of("woods", (0.0, 3.0), (8.0, 4.0)), road()];
        let enemies = [infantry(9.0, 3.0, 180.0)];
        let men = [unit("cavalry").at(0.0, 0.0).facing(0.0)];
        let mut game = Game::over(pips(), &ground, ("charge-occupy", &men), ("hold", &enemies));
        // The infantry has come along the road, so it does not fill the wood.
        game.unit_mut(Side::Second, 0).front = Point { x: (east * 100.0) as i32, y: 250 };
        game.points(2).phase("pip", &[]).phase("charge", &[6, 1, 6]);
        assert_eq!(morale(&game, Side::Second), "routed");
        let middle = centre(&game, &game.first());
        assert_eq!((middle.x, middle.y), stands, "{east}");
        if stands.0 == 0 {
            game.saw("R5");
        }
    }
}

/// A pursuit along a road through a village does not charge a unit beyond it (KC3, HD7).
#[test]
fn no_pursuit_charges_through_a_village() {
    // The cavalry pursues other cavalry for 17"; infantry has its front 7.5" to the north. The village extends from 3
    // to 5".
    let pursues = |ground: &[TerrainPlan], faces: &[i32]| {
        let enemies = [cavalry(0.0, 0.0, 180.0), infantry(0.0, 8.0, 180.0)];
        charge("charge", ground, &[cavalry(0.0, -5.0, 0.0)], &enemies, faces)
    };
    let through = pursues(&[block_of("built-up", (0.0, 4.0), (4.0, 2.0)), road()], &[6, 1, 3, 4, 3]);
    assert_eq!(through.first().front, Point { x: 0, y: 740 }, "a tenth of an inch before it");
    // Over open terrain, or through a wood, it charges.
    let woods = block_of("woods", (0.0, 4.0), (4.0, 2.0));
    for ground in [vec![], vec![woods, road()]] {
        let open = pursues(&ground, &[6, 1, 3, 4, 3, 6, 4]);
        assert_eq!(open.first().front, Point { x: 0, y: 750 });
    }
}

/// A commander's reach is measured to the edge of the wood that a general's unit is in (KP2, KT3).
#[test]
fn clause_kp2() {
    let men = [infantry(0.0, 0.0, 0.0), infantry(9.0, 0.0, 0.0)];
    let mut plan = deployment(("hold", &men), ("hold", &[infantry(0.0, 13.0, 180.0)]));
    let side = &mut plan.sides.first;
    for (unit, name) in side.units.iter_mut().zip(["a", "b"]) {
        unit.command = Some(name.into());
        side.commands.push(CommandPlan { name: name.into(), ..Default::default() });
        side.generals.push(GeneralPlan { name: name.into(), command: Some(name.into()), ..Default::default() });
    }
    side.generals[0].with = Some(0);
    // The commander's base ends a quarter of an inch north of his middle, the unit's base ends at y = -0.5, and the
    // wood ends at -3.
    for (wood, south, points) in [(true, 12, [4, 3]), (true, 13, [3, 3]), (false, 12, [3, 3]), (false, 9, [4, 3])] {
        let mut plan = plan.clone();
        plan.terrain = if wood { vec![block_of("woods", (0.0, 0.0), (6.0, 6.0))] } else { Vec::new() };
        let at = Some((0, -100 * south));
        let corps = GeneralPlan { name: "corps".into(), rank: Some("corps".into()), at, ..Default::default() };
        plan.sides.first.generals.push(corps);
        let mut game = Game::planned(pips(), &plan);
        game.phase("pip", &[4, 2]);
        let shared: Vec<u16> = game
            .seen
            .events()
            .iter()
            .filter_map(|event| match event {
                Event::General(grognard_engine::GeneralEvent::Shared(share)) => Some(share.points),
                _ => None,
            })
            .collect();
        assert_eq!(shared, points, "{south} south, {wood}");
    }
}

/// A unit turns only to an enemy that it touches.
#[test]
fn clause_p1() {
    let turns = |men: Men, enemies: &[Men]| {
        let mut game = game(("face-another", &[men]), ("hold", enemies));
        game.points(1).phase("pip", &[]);
        game
    };
    let game = turns(defender(), &[infantry(2.5, 0.0, 0.0), infantry(0.0, -8.0, 0.0)]);
    assert_eq!((game.paid().len(), game.barred()), (0, vec![("pivot", "no-contact")]));
    game.saw("P1");
    // Guns may turn to any enemy (R9).
    let guns = by_centre("foot-artillery", 0.0, 0.0, 0.0, 1.0);
    assert_eq!(turns(guns, &[infantry(1.75, 0.0, 0.0), infantry(0.0, -8.0, 0.0)]).paid(), ["pivot"]);
}

/// A unit that fills a narrow village is only in the village, although its base extends over the wood beside it (R2,
/// KT3).
#[test]
fn who_fills_a_village_closes_no_wood() {
    // The base in the village extends from x = -1.25 to 1.25, the village to 1, where the wood begins.
    let ground = [block_of("built-up", (0.0, 0.0), (2.0, 2.0)), block_of("woods", (3.0, 0.0), (4.0, 4.0))];
    let rules = load_once("pips-drill", &["doctrine.shift.row.go.by=1.5"]);
    let men = [unit("infantry").at(3.0, -2.5).facing(0.0), infantry(0.0, 0.0, 0.0)];
    let mut game = Game::over(rules, &ground, ("shift", &men), ("hold", &[far_away()]));
    game.unit_mut(Side::First, 1).doctrine = rules.doctrine("hold").expect("a drill");
    game.points(1).phase("pip", &[]);
    assert_eq!((game.paid(), game.barred()), (vec!["move"], vec![]));
    assert_eq!((centre(&game, &game.first()), game.first().fills), (Point { x: 300, y: 0 }, 2));
}

/// Infantry that fills a wood counts as close behind a unit at one edge. A unit at the opposite edge counts as close
/// behind the infantry (KM4, KT3).
#[test]
fn clause_km4() {
    // It is three inches from the middle of the wood to either edge.
    let wood = |south: f64| vec![block_of("woods", (0.0, -south), (6.0, 6.0))];
    for (ground, men, supported) in [
        (wood(4.0), [infantry(0.0, -0.5, 0.0), infantry(0.0, -4.0, 0.0)], true),
        (wood(3.0), [infantry(0.0, -3.0, 0.0), infantry(0.0, -6.5, 0.0)], true),
        (vec![], [infantry(0.0, -0.5, 0.0), infantry(0.0, -4.0, 0.0)], false),
        (wood(4.0), [infantry(0.0, -0.5, 0.0), infantry(0.0, -4.0, 90.0)], false),
    ] {
        let game = charge("charge", &ground, &men, &[infantry(0.0, 0.5, 180.0)], &[4, 6]);
        assert_eq!(game.own_modifiers("charge").contains(&"supported"), supported, "{ground:?}");
    }
}

/// A unit that fills an area can turn in it, whatever is at the edge (P1, KT3).
#[test]
fn who_fills_ground_turns_in_it() {
    // The wood is two inches deep. Turned to the enemy in the north-west, the base would extend 1.24" to the south,
    // where a friend is.
    let wood = [block_of("woods", (0.0, 0.0), (6.0, 2.0))];
    for (state, doctrine, act) in [("eager", "face", "pivot"), ("routed", "rally", "rally")] {
        let men = [infantry(0.0, 0.0, 0.0).morale(state), infantry(0.0, -1.5, 0.0)];
        let mut game = Game::over(pips(), &wood, (doctrine, &men), ("hold", &[infantry(-3.0, 3.0, 90.0)]));
        game.unit_mut(Side::First, 1).doctrine = pips().doctrine("hold").expect("a drill");
        // The enemy has come up to the edge at y = 1, with its middle 2" to the west.
        let enemy = game.unit_mut(Side::Second, 0);
        enemy.front = Point { x: -150, y: 225 };
        game.points(2).phase("pip", &[]);
        assert_eq!(game.paid(), [act], "{:?}", game.seen.refusals());
        let heading = game.first().heading.tenths();
        assert!((3100..3300).contains(&heading), "{act}: {heading}");
    }
}

/// A road along the bank of a river is not a bridge (KT1).
#[test]
fn clause_kt1() {
    // The river begins at y = 0, in front of the unit. In the first case, the road ends at -0.25, under the base; in
    // the second, it crosses the river.
    let along = line_of("road", (-20.0, -0.5), (20.0, -0.5));
    for (road, made) in [(along, false), (road(), true)] {
        let ground = [line_of("river", (-20.0, 0.5), (20.0, 0.5)), road];
        let rules = load_once("pips-drill", &["doctrine.shift.row.go.by=0.5"]);
        let men = [unit("infantry").at(0.0, 0.0).facing(0.0)];
        let mut game = Game::over(rules, &ground, ("shift", &men), ("hold", &[far_away()]));
        game.points(1).phase("pip", &[]);
        assert_eq!(game.paid() == ["move"], made);
        if !made {
            assert_eq!(game.barred(), [("move", "impassable")]);
            game.saw("KT1");
        }
    }
}

/// A general on the road crosses a hedge at half rate, as units do, and the road then adds its two inches (M6, M10).
#[test]
fn clause_m6() {
    // He has 4.5" plus 2" from his base to the rear edge of his infantry, at y = -0.5.
    for feature in ["hedge", "wall", "stream"] {
        for (south, joins) in [(7.25, true), (7.35, false)] {
            let mut plan = deployment(("lead", &[infantry(0.0, 0.0, 0.0)]), ("hold", &[far_away()]));
            plan.terrain = vec![line_of(feature, (-10.0, -3.0), (10.0, -3.0)), road()];
            let at = Some((0, -(south * 100.0) as i32));
            plan.sides.first.generals = vec![GeneralPlan { name: "ney".into(), at, ..GeneralPlan::default() }];
            let mut game = Game::planned(pips(), &plan);
            game.points(0).phase("pip", &[]);
            assert_eq!(game.battle.generals[0].with.is_some(), joins, "{south} south over a {feature}");
            game.saw("M6");
        }
    }
}

/// Shaken cavalry that holds against cavalry is eager again, whichever unit leads the charge (KQ2, HD6).
#[test]
fn clause_kq2() {
    // Infantry is the principal charger. Cavalry of a type that is later in the alphabet charges beside it, or more
    // infantry does. The charged cavalry needs 4, plus 1 for being shaken and 1 for two chargers.
    let horse = by_centre("veteran-cavalry", 0.8, 1.0, 180.0, 1.0);
    for (beside, state) in [(horse, "eager"), (infantry(1.3, 1.0, 180.0), "shaken")] {
        let men = [infantry(-1.3, 1.0, 180.0), beside];
        let mut game = game(("charge-only", &men), ("hold", &[cavalry(0.0, 0.0, 0.0).morale("shaken")]));
        game.points(2).phase("pip", &[]).phase("charge", &[4, 6]);
        assert_eq!(game.roll("charge").own.index(), 0);
        assert_eq!(morale(&game, Side::Second), state);
    }
}

/// No unit begins with any part of its base where it may not be: cavalry and guns in a wood off the road, or a second
/// infantry unit in a wood (R2, R3, R5). Cavalry that had begun with a corner in a wood could ride right through it.
#[test]
fn nobody_begins_in_a_closed_area() {
    // The wood begins either 0.3" inside the end of the base or exactly at its end.
    let begins = |men: &[Men], edge: f64, road: &[TerrainPlan]| {
        let mut plan = deployment(("hold", men), ("hold", &[far_away()]));
        plan.terrain = [&[block_of("woods", (0.0, edge + 2.0), (6.0, 4.0))], road].concat();
        grognard_engine::deploy(pips(), &plan).map(|_| ()).map_err(|faults| faults[0].message.clone())
    };
    let horse = || [cavalry(0.0, 0.0, 0.0)];
    let guns = || [by_centre("foot-artillery", 0.0, 0.0, 0.0, 1.0).formation("limbered")];
    let foot = || [infantry(-1.4, 0.0, 0.0), infantry(1.4, 0.0, 0.0)];
    for (men, clause) in [(&horse()[..], "R5"), (&guns(), "R3"), (&foot(), "R2")] {
        assert!(begins(men, 0.2, &[]).is_err_and(|message| message.contains(clause)), "{clause}");
        assert_eq!(begins(men, 0.5, &[]), Ok(()), "{clause}");
    }
    assert_eq!(begins(&horse(), 0.2, &[road()]), Ok(()));
    assert_eq!(begins(&guns(), 0.2, &[road()]), Ok(()));
    assert_eq!(begins(&foot()[..1], 0.2, &[]), Ok(()));
}

/// A unit may begin on a bridge, and nowhere else on a river, whether it is there from the start or arrives later
/// (KT1).
#[test]
fn units_begin_on_a_bridge_and_nowhere_else_on_a_river() {
    let river = || line_of("river", (-20.0, 0.0), (20.0, 0.0));
    let begins = |men: Men, ground: &[TerrainPlan]| {
        let mut plan = deployment(("hold", &[men]), ("hold", &[far_away()]));
        plan.terrain = ground.to_vec();
        grognard_engine::deploy(pips(), &plan).map(|_| ()).map_err(|faults| faults[0].message.clone())
    };
    for late in [false, true] {
        let men = |east: f64| if late { infantry(east, 0.0, 0.0).arrives(2) } else { infantry(east, 0.0, 0.0) };
        assert_eq!(begins(men(0.0), &[river(), road()]), Ok(()));
        assert!(begins(men(0.0), &[river()]).is_err_and(|message| message.contains("KT1")));
        // Here the unit is beside the bridge, whose edge is a quarter of an inch from the bridge's middle.
        assert!(begins(men(1.6), &[river(), road()]).is_err_and(|message| message.contains("KT1")));
    }
    let mut game =
        Game::over(pips(), &[river(), road()], ("square", &[infantry(0.0, 0.0, 0.0)]), ("hold", &[far_away()]));
    game.points(1).phase("pip", &[]);
    assert_eq!(game.paid(), ["form-square"], "a square stands on the bridge as well");
}

/// Guns that may not fire into a wood do not beat a unit that fires at them from there, whatever their own target is
/// (KA1, HD5).
#[test]
fn clause_ka1() {
    // The guns touch the north-eastern corner of the wood, which is in their arc, and fire at infantry south of them.
    // In the second case, there is no wood. The guns are then at the corner of the infantry's base, and the infantry is
    // routed.
    for (ground, state) in [(vec![block_of("woods", (0.0, 0.0), (4.0, 4.0))], "eager"), (vec![], "routed")] {
        let at = if ground.is_empty() { (1.25, 0.5) } else { (2.0, 2.0) };
        let guns = by_centre("foot-artillery", at.0 + 0.5, at.1 + 0.5, 180.0, 1.0);
        let men = [infantry(0.0, 0.0, 0.0), infantry(4.5, -3.0, 0.0)];
        let mut game = Game::over(pips(), &ground, ("fire", &men), ("hold", &[guns]));
        game.unit_mut(Side::First, 1).doctrine = pips().doctrine("hold").expect("a drill");
        game.unit_mut(Side::Second, 0).marks = grognard_engine::Marks::FIRING;
        game.points(1).phase("pip", &[]).phase("fire", &[3, 4]);
        assert!(game.second().marks.has(grognard_engine::Marks::FIRING));
        assert_eq!(morale(&game, Side::First), state, "{ground:?}");
    }
}

/// A move with the road bonus does not end in a wood that an enemy touches, since it would end in contact (M12, KT3).
#[test]
fn clause_m12() {
    // The base touches the road all the way. Its middle enters the wood, and the unit then fills it.
    for (by, enemy, made) in [(4.2, 8.5, false), (4.2, 8.6, true), (1.5, 8.5, true)] {
        let ground = [block_of("woods", (0.0, 5.0), (6.0, 6.0)), road()];
        let rules = load_once("pips-drill", &[&format!("doctrine.shift.row.go.by={by}")]);
        let men = [unit("infantry").at(1.0, if by < 4.0 { 1.5 } else { 0.0 }).facing(0.0)];
        let mut game = Game::over(rules, &ground, ("shift", &men), ("hold", &[infantry(0.0, enemy, 180.0)]));
        game.points(1).phase("pip", &[]);
        assert_eq!(game.paid() == ["move"], made, "{by} to {enemy}");
        assert_eq!(game.first().fills != 0, made);
        if made {
            assert_eq!(met(&game), (enemy < 8.6).then_some(Arc::Front), "{by} to {enemy}");
        } else {
            assert_eq!(game.barred(), [("move", "road-bonus")]);
            game.saw("M12");
        }
    }
}

/// Infantry that moves inside its wood does not leave contact with an enemy at the edge (D1, KT3).
#[test]
fn who_moves_inside_a_wood_leaves_nobody_at_its_edge() {
    let wood = [block_of("woods", (0.0, 0.0), (6.0, 6.0))];
    let (inside, touching) = (infantry(0.0, 0.0, 0.0), infantry(2.0, 3.5, 180.0));
    let rules = load_once("pips-drill", &["doctrine.shift.row.go.by=1"]);
    let mut game = Game::over(rules, &wood, ("shift", &[inside]), ("hold", &[touching]));
    game.points(1).phase("pip", &[]);
    assert_eq!((game.paid(), game.first().fills), (vec!["move"], 1), "{:?}", game.barred());
}

/// The contact with each of three enemies is also judged separately (U12, F1, F4).
#[test]
fn clause_f4() {
    // The attacker is directly behind the middle one of three units that are shoulder to shoulder. Its corners touch
    // the rear corners of the other two. The middle one is nearest by a hundredth of an inch.
    let enemies = [infantry(0.0, -0.01, 0.0), infantry(2.5, 0.0, 0.0), infantry(-2.5, 0.0, 0.0)];
    let mut game = charge("charge", &[], &[infantry(0.0, -4.0, 0.0)], &enemies, &[4, 3]);
    assert_eq!((game.own_modifiers("stand"), morale(&game, Side::Second)), (vec!["charged-in-rear"], "routed".into()));
    for neighbour in [1, 2] {
        game.phase_of(Side::Second, "charge", &[]);
        game.points(1).phase("pip", &[]);
        assert!(game.unit(Side::Second, neighbour).flags.has(grognard_engine::Flags::CHARGED));
        game.phase("charge", &[3, 4]);
        assert_eq!(game.own_modifiers("charge"), ["flank-or-rear"], "{neighbour}");
        assert_eq!(game.own_modifiers("stand"), ["charged-in-flank"], "{neighbour}");
    }
    game.saw("F1");
}

/// A charge is cancelled when the enemy has run into a wood, where cavalry may not charge any unit. It makes no
/// difference that the cavalry touches the edge of the wood (R5, R6).
#[test]
fn clause_r6() {
    // D faces south, with a wood or a village right behind it. The cavalry is at its flank and touches the edge, too.
    // Fire from the infantry drives D in.
    for (kind, faces) in [("woods", &[][..]), ("built-up", &[6, 6, 6])] {
        let ground = [block_of(kind, (0.0, 2.5), (6.0, 4.0))];
        let men = [cavalry(1.75, -0.25, 270.0), infantry(0.0, -1.0, 0.0)];
        let enemies = [infantry(0.0, 0.0, 180.0).morale("shaken")];
        let mut game = Game::over(pips(), &ground, ("charge-occupy", &men), ("hold", &enemies));
        game.unit_mut(Side::First, 1).doctrine = pips().doctrine("fire").expect("a drill");
        game.points(2).phase("pip", &[]).phase("fire", &[3, 3, 1]);
        assert_eq!((game.second().fills, morale(&game, Side::Second).as_str()), (1, "routed"));
        game.phase("charge", faces);
        assert_eq!(centre(&game, &game.first()).y, if faces.is_empty() { -25 } else { 250 }, "{kind}");
        // D is not charged in a wood; in a village, its position is taken.
        game.saw("R6");
    }
}

/// Cavalry takes the position of routed infantry in a village that other units keep the infantry from filling (R6, A9).
/// It does not take a position that also extends into a wood.
#[test]
fn cavalry_takes_a_place_in_a_village_that_nobody_fills() {
    let village = || block_of("built-up", (0.0, 4.0), (6.0, 4.0));
    // A wood to the east overlaps the village. Other infantry has part of its base in the wood.
    let wood = |west: f64| block_of("woods", (west + 2.0, 2.5), (4.0, 1.0));
    for (kind, ground, stands) in [
        ("built-up", vec![village()], 250),
        ("beside a wood", vec![village(), wood(0.75)], 250),
        ("into a wood", vec![village(), wood(0.65)], 150),
    ] {
        // Guns in the village (as if on a road through it, which is left out here) keep the infantry from filling it.
        let far = infantry(5.8, 2.5, 180.0);
        let enemies = [infantry(9.0, 2.5, 180.0).morale("routed"), unit("foot-artillery").at(15.0, 0.0), far];
        let men = [unit("cavalry").at(0.0, 0.0).facing(0.0)];
        let mut game = Game::over(pips(), &ground, ("charge-occupy", &men), ("hold", &enemies));
        game.unit_mut(Side::Second, 0).front = Point { x: 0, y: 200 };
        game.unit_mut(Side::Second, 1).front = Point { x: -240, y: 500 };
        game.points(2).phase("pip", &[]).phase("charge", &[6, 6, 6]);
        assert_eq!(game.paid(), ["contact", "charge"], "{kind}: {:?}", game.barred());
        assert_eq!(
            (centre(&game, &game.first()).y, game.first().fills),
            (stands, 0),
            "{kind}: {:?}",
            game.seen.refusals()
        );
    }
}

/// A unit that fills a small village has room in it, however far its base extends beyond the edge (A9, KT3). But a unit
/// does not take an area that another unit is in.
#[test]
fn clause_r1() {
    // The village is two inches wide. A friend's guns touch its east edge, or extend 0.1" into it.
    for (edge, taken) in [(1.0, true), (0.9, false)] {
        let village = [block_of("built-up", (0.0, 2.0), (2.0, 2.0))];
        let men = [infantry(0.0, 0.5, 0.0), by_centre("foot-artillery", 8.0, 2.0, 0.0, 1.0)];
        let mut game = Game::over(pips(), &village, ("charge-occupy", &men), ("hold", &[infantry(0.0, 2.0, 180.0)]));
        let guns = game.unit_mut(Side::First, 1);
        (guns.front, guns.doctrine) =
            (Point { x: (edge * 100.0) as i32 + 50, y: 250 }, pips().doctrine("hold").expect("a drill"));
        game.points(2).phase("pip", &[]).phase("charge", &[4, 1]);
        assert_eq!(morale(&game, Side::Second), "routed");
        assert_eq!(game.first().fills, u8::from(taken), "{edge}: {:?}", game.seen.refusals());
        if !taken {
            game.saw("R1");
        }
    }
}

/// Infantry that fills a wood counts as having begun in all of it. It does not strike the flank of a unit that has a
/// corner of the wood in front of it (F2, KT3).
#[test]
fn clause_f2() {
    // The woods are at an angle. The nearest corner of the longer one is 0.47" to the right and 1.41" ahead of the
    // middle of D's base; that of the shorter one is 1.34" to the right. The infantry is in the middle of the wood,
    // level with D, and moves straight to D's right flank.
    for (middle, size, arc) in [(3.3, (600, 200), Arc::Front), (3.5, (450, 160), Arc::Flank)] {
        let shape = Shape::Block { at: ((middle * 100.0) as i32, 0), size, turned: 450 };
        let wood = [TerrainPlan { ground: "woods".into(), shape }];
        let mut game = Game::over(pips(), &wood, ("charge", &[infantry(middle, 0.0, 270.0)]), ("hold", &[defender()]));
        game.points(2).phase("pip", &[]);
        assert_eq!((game.paid(), met(&game)), (vec!["contact", "charge"], Some(arc)), "{middle}: {:?}", game.barred());
    }
}

/// Infantry may take the village of an enemy that has fled while another enemy touches the infantry, if that other
/// enemy also touches the village. The infantry does not leave contact by doing so (HD6, KT3, D1).
#[test]
fn clause_kt3() {
    // The infantry is in front of the left part of the village. The other enemy is right beside it, at the edge of the
    // village or 0.1" away from it.
    for (gap, taken) in [(0.0, true), (0.1, false)] {
        let village = [block_of("built-up", (0.0, 2.0), (4.0, 4.0))];
        let enemies = [infantry(0.0, 2.0, 180.0), infantry(1.75, -0.5 - gap, 0.0)];
        let game = charge("charge-occupy", &village, &[infantry(-0.75, -0.5, 0.0)], &enemies, &[4, 2]);
        assert_eq!(morale(&game, Side::Second), "routed");
        assert_eq!(game.first().fills, u8::from(taken), "{gap}: {:?}", game.seen.refusals());
    }
}

/// Cavalry that has taken a village by R6 fills it, and does not count as being on a road, even if a road touches its
/// base. It may leave the village in any direction (R5, HD7).
#[test]
fn horse_that_fills_a_village_leaves_it_off_the_road() {
    for east in [0.9, 1.5] {
        let village = [block_of("built-up", (0.0, 0.0), (4.0, 4.0)), line_of("road", (east, -20.0), (east, 20.0))];
        let taken = |game: &mut Game, side: Side| {
            let horse = game.unit_mut(side, 0);
            (horse.front, horse.fills) = (Point { x: 0, y: 50 }, 1);
            game.points(2).phase("pip", &[]);
            assert_eq!(game.paid(), ["contact", "charge"], "{east}: {:?}", game.barred());
        };
        let (horse, infantry) = (|| [cavalry(15.0, 15.0, 0.0)], || [infantry(4.5, 0.0, 270.0)]);
        let mut beaten = Game::over(pips(), &village, ("charge", &infantry()), ("hold", &horse()));
        taken(&mut beaten, Side::Second);
        beaten.phase("charge", &[4, 1]);
        assert_eq!((morale(&beaten, Side::Second).as_str(), beaten.second().gone()), ("routed", false), "{east}");
        assert_eq!((ran(&beaten), centre(&beaten, &beaten.second()).x), (Some(1250), -1250), "11\" from the edge");
        let mut ordered = Game::over(pips(), &village, ("charge", &horse()), ("hold", &infantry()));
        taken(&mut ordered, Side::First);
        assert_eq!(ordered.first().fills, 0);
    }
}

/// A general who leaves the village that his unit fills also does so off the road, even if a road touches his base
/// (KG1, KT3). He leaves it for another unit, or for his post.
#[test]
fn clause_kg1() {
    for east in [0.4, 0.9] {
        let men = [infantry(0.0, 0.0, 0.0), infantry(-6.0, 0.0, 0.0)];
        for (doctrine, joins) in [("lead", true), ("hold", false)] {
            let mut plan = deployment((doctrine, &men), ("hold", &[infantry(-6.0, 1.0, 180.0)]));
            plan.terrain =
                vec![block_of("built-up", (0.0, 0.0), (4.0, 4.0)), line_of("road", (east, -20.0), (east, 20.0))];
            plan.sides.first.generals =
                vec![GeneralPlan { name: "ney".into(), with: Some(0), ..GeneralPlan::default() }];
            let rules = load_once("pips-drill", &["doctrine.lead.row.lead.when=self.touching"]);
            let mut game = Game::planned(rules, &plan);
            game.points(0).phase("pip", &[]);
            assert_eq!(game.first().fills, 1);
            let ney = &game.battle.generals[0];
            let to = game.battle.side(Side::First).nth(1);
            assert_eq!(ney.with, to.filter(|_| joins), "{east}");
            // He moves half of his nine inches.
            let far = ney.at.square_distance(Point { x: 0, y: 0 }).isqrt();
            assert!(joins || (448..=451).contains(&far), "{east}: {:?}", ney.at);
        }
    }
}
