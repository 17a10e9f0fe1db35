//! M5, M6, M10 to M12, R2 to R7, D5 and KT: terrain.

use grognard_engine::Refusal;

use super::*;
use crate::common::{block_of, deployment, line_of};

/// A wood of 6" by 6" whose near edge is this far north of the middle of the table.
fn woods(edge: f64) -> TerrainPlan {
    block_of("woods", (0.0, edge + 3.0), (6.0, 6.0))
}

fn village(edge: f64) -> TerrainPlan {
    block_of("built-up", (0.0, edge + 3.0), (6.0, 6.0))
}

/// A road from south to north through the middle of the table.
fn road() -> TerrainPlan {
    line_of("road", (0.0, -20.0), (0.0, 20.0))
}

/// Orders a shift of the first unit straight ahead over this terrain. Returns whether it was made, and the game.
fn goes(ground: &[TerrainPlan], men: &[Men], enemy: Men, by: f64) -> (bool, Game) {
    let rules =
        Box::leak(Box::new(crate::common::load_with("pips-drill", &[&format!("doctrine.shift.row.go.by={by}")])));
    let mut game = Game::over(rules, ground, ("shift", men), ("hold", &[enemy]));
    for number in 1..men.len() {
        game.unit_mut(Side::First, number).doctrine = rules.doctrine("hold").expect("a drill");
    }
    game.points(3).phase("pip", &[]);
    (game.paid() == ["move"], game)
}

/// Infantry, cavalry or guns that face north with the front edge at the middle of the table.
fn at_middle(kind: &str) -> Men {
    unit(kind).at(0.0, 0.0).facing(0.0)
}

/// A unit moves into or out of a wood at half rate: starting an inch away, infantry moves half an inch into it.
#[test]
fn clause_m5() {
    for ground in [woods(1.0), village(1.0)] {
        for (by, made) in [(1.5, true), (1.6, false), (1.0, true)] {
            let (moved, game) = goes(std::slice::from_ref(&ground), &[at_middle("infantry")], far_away(), by);
            assert_eq!(moved, made, "{by}");
            if by > 1.0 {
                game.saw("M5");
            }
        }
    }
    // Out of a wood, infantry moves 1.5" beyond the edge. From the middle of this wood, the edge is 1.5" ahead of its
    // front (KT3).
    for (by, leaves) in [(3.0, true), (3.1, false)] {
        let ground = [block_of("woods", (0.0, -1.0), (6.0, 4.0))];
        let (moved, game) = goes(&ground, &[at_middle("infantry")], far_away(), by);
        assert_eq!(moved, leaves, "{by}");
        game.saw("M5");
    }
    // A unit ordered to advance goes as far as half its rate allows.
    let mut game = Game::over(pips(), &[woods(1.0)], ("march", &[at_middle("infantry")]), ("hold", &[far_away()]));
    game.points(1).phase("pip", &[]);
    assert_eq!(game.first().front, Point { x: 0, y: 150 });
}

/// A unit crosses a linear feature at half rate.
#[test]
fn clause_m6() {
    for feature in ["hedge", "wall", "stream"] {
        let ground = line_of(feature, (-10.0, 2.0), (10.0, 2.0));
        for (by, made) in [(4.5, true), (4.6, false)] {
            let (moved, game) = goes(std::slice::from_ref(&ground), &[at_middle("cavalry")], far_away(), by);
            assert_eq!(moved, made, "{by} over a {feature}");
            game.saw("M6");
        }
    }
    // A unit astride a linear feature is still crossing it.
    let astride = line_of("hedge", (-10.0, -0.5), (10.0, -0.5));
    assert!(!goes(&[astride], &[at_middle("cavalry")], far_away(), 4.6).0);
}

/// The move of a shaken unit over a hedge is halved only once.
#[test]
fn halved_once_when_shaken_and_over_a_hedge() {
    let ground = line_of("hedge", (-10.0, 1.0), (10.0, 1.0));
    for (by, made) in [(1.5, true), (1.6, false)] {
        let men = at_middle("infantry").morale("shaken");
        let (moved, game) = goes(std::slice::from_ref(&ground), &[men], far_away(), by);
        assert_eq!(moved, made, "{by}");
        game.saw("M9");
    }
}

/// A road adds two inches to a move, after any halving.
#[test]
fn clause_m10() {
    for (men, far) in [
        (at_middle("infantry"), 5.0),
        (at_middle("infantry").formation("square"), 3.5),
        (at_middle("cavalry"), 11.0),
        (at_middle("infantry").morale("shaken"), 3.5),
    ] {
        let (moved, game) = goes(&[road()], std::slice::from_ref(&men), far_away(), far);
        assert!(moved, "{far}");
        game.saw("M10");
        assert!(!goes(&[road()], &[men], far_away(), far + 0.1).0);
    }
    // A unit that is ordered to advance along a road gets the road bonus.
    for (men, far) in [(at_middle("infantry"), 500), (at_middle("infantry").morale("shaken"), 350)] {
        let mut game = Game::over(pips(), &[road()], ("march", &[men]), ("hold", &[far_away()]));
        game.points(1).phase("pip", &[]);
        assert_eq!(game.first().front, Point { x: 0, y: far });
    }
    let beside = unit("infantry").at(4.0, 0.0).facing(0.0);
    assert!(!goes(&[road()], &[beside], far_away(), 5.0).0, "not beside the road");
}

/// The road bonus also applies in a wood, and the move is not halved there.
#[test]
fn clause_m11() {
    let ground = [block_of("woods", (0.0, 2.0), (6.0, 1.0)), road()];
    let (moved, game) = goes(&ground, &[at_middle("infantry")], far_away(), 5.0);
    assert!(moved);
    game.saw("M11");
    // In the open, the road adds the same, by M10 only.
    let (_, game) = goes(&[road()], &[at_middle("infantry")], far_away(), 5.0);
    game.saw("M10");
    assert!(!game.seen.cited().contains("M11"));
}

/// The road bonus does not bring a unit into contact.
#[test]
fn clause_m12() {
    for (gap, made) in [(4.2, false), (2.8, true)] {
        let enemy = infantry(0.0, gap + 0.5, 180.0);
        let mut game = Game::over(pips(), &[road()], ("contact", &[at_middle("infantry")]), ("hold", &[enemy]));
        game.points(1).phase("pip", &[]);
        assert_eq!(game.paid() == ["contact"], made, "{gap}");
        if !made {
            assert_eq!(game.barred(), [("contact", "road-bonus")]);
            game.saw("M12");
        }
    }
    // Nor does a unit in contact use the bonus to slide along a road and stay in contact.
    for (by, made) in [(2.0, false), (1.4, true)] {
        let lane = line_of("road", (-20.0, -0.5), (20.0, -0.5));
        let enemy = infantry(0.0, 0.5, 180.0);
        let slide = [format!("doctrine.shift.row.go.by={by}"), "doctrine.shift.row.go.bearing=90".to_owned()];
        let rules = crate::common::load_with("pips-drill", &[&slide[0], &slide[1]]);
        let rules = Box::leak(Box::new(rules));
        let mut game = Game::over(rules, &[lane], ("shift", &[at_middle("infantry")]), ("hold", &[enemy]));
        game.points(1).phase("pip", &[]);
        assert_eq!(game.paid() == ["move"], made, "{by}");
        if !made {
            assert_eq!(game.barred(), [("move", "road-bonus")]);
        }
    }
}

/// A wood holds only one infantry unit.
#[test]
fn clause_r2() {
    let inside = infantry(1.7, 4.5, 0.0);
    let (moved, game) = goes(&[woods(1.0)], &[unit("infantry").at(-1.5, 0.0).facing(0.0), inside], far_away(), 1.5);
    assert!(!moved);
    assert_eq!(game.barred(), [("move", "one-to-an-area")]);
    game.saw("R2");
    let (moved, _) = goes(&[woods(1.0)], &[unit("infantry").at(-1.5, 0.0).facing(0.0)], far_away(), 1.5);
    assert!(moved);
    // A unit with a corner of its base in the wood is in the wood, wherever its centre is.
    let at_edge = |centre: f64| infantry(1.7, centre, 0.0);
    for (centre, made) in [(0.8, false), (0.5, true)] {
        let men = [unit("infantry").at(-1.5, 0.0).facing(0.0), at_edge(centre)];
        let (moved, game) = goes(&[woods(1.0)], &men, far_away(), 1.5);
        assert_eq!(moved, made, "{centre}");
        if !made {
            assert_eq!(game.barred(), [("move", "one-to-an-area")]);
        }
        // Nor does it move up to an enemy outside the wood if it would meet that enemy with its own right half in the
        // wood.
        let men = [unit("infantry").at(-2.5, 0.4).facing(0.0), at_edge(centre)];
        let game = comes_up(&[woods(1.0)], &men, &[infantry(-3.55, 3.05, 90.0)]);
        let (paid, barred) =
            if made { (vec!["contact"], vec![]) } else { (vec![], vec![("contact", "one-to-an-area")]) };
        assert_eq!((game.paid(), game.barred()), (paid, barred), "{centre}");
    }
}

/// Guns go through woods and villages only on the road.
#[test]
fn clause_r3() {
    let guns = || at_middle("foot-artillery").formation("limbered");
    for ground in [woods(0.5), village(0.5)] {
        let (moved, game) = goes(std::slice::from_ref(&ground), &[guns()], far_away(), 1.5);
        assert!(!moved);
        assert_eq!(game.barred(), [("move", "guns-off-road")]);
        game.saw("R3");
        assert!(goes(&[ground, road()], &[guns()], far_away(), 1.5).0);
    }
    // The road ends in the wood, and the guns would go farther.
    let horse_guns = at_middle("horse-artillery").formation("limbered");
    let (_, left) = goes(&[woods(0.5), road_to(0.6)], &[horse_guns], far_away(), 2.3);
    assert_eq!(left.barred(), [("move", "guns-off-road")]);
    // Nor do they move up to an enemy at the edge of a wood if the wood covers half of their way.
    let (copse, enemy) = (block_of("woods", (2.5, 1.5), (5.0, 2.0)), infantry(-1.5, 2.0, 180.0));
    let off = comes_up(std::slice::from_ref(&copse), &[guns()], std::slice::from_ref(&enemy));
    assert_eq!((off.paid().len(), off.barred()), (0, vec![("contact", "guns-off-road")]));
    assert_eq!(comes_up(&[copse, road()], &[guns()], &[enemy]).paid(), ["contact"]);
}

/// A road from the south that ends this far north of the middle of the table.
fn road_to(north: f64) -> TerrainPlan {
    line_of("road", (0.0, -20.0), (0.0, north))
}

/// A road beside a wood does not lead through the wood, although a base on the road touches both (R3, R5).
#[test]
fn a_road_beside_a_wood_does_not_lead_through_it() {
    let guns = || unit("foot-artillery").at(0.5, 0.0).facing(0.0).formation("limbered");
    let horse = || unit("cavalry").at(0.5, 0.0).facing(0.0);
    // The road's east edge is 0.25" east of the middle of the table.
    for (men, clause, bar) in [(guns(), "R3", "guns-off-road"), (horse(), "R5", "horse-off-road")] {
        for (edge, leads) in [(0.25, false), (0.2, true)] {
            let wood = block_of("woods", (edge + 2.0, 3.5), (4.0, 6.0));
            let (moved, game) = goes(&[wood, road()], std::slice::from_ref(&men), far_away(), 1.5);
            assert_eq!((moved, game.barred().contains(&("move", bar))), (leads, !leads), "{clause} {edge}");
            if !leads {
                game.saw(clause);
            }
        }
    }
}

/// A road leads through all parts of a wood that is too large for one unit, even if it runs only in one of them (M11,
/// R3, R5).
#[test]
fn a_road_leads_through_all_parts_of_a_large_wood() {
    // The wood has two parts of 6", from west to east. The border between them is 0.4" to the east of the middle of the
    // road, whose edge is at 0.25".
    let wood = || block_of("woods", (0.4, 3.0), (12.0, 6.0));
    for (kind, by, cited) in [("foot-artillery", 3.0, "M1"), ("cavalry", 9.0, "M3"), ("infantry", 5.0, "M11")] {
        let men = if kind == "foot-artillery" { at_middle(kind).formation("limbered") } else { at_middle(kind) };
        let (moved, game) = goes(&[wood(), road()], std::slice::from_ref(&men), far_away(), by);
        assert!(moved, "{kind}: {:?}", game.barred());
        game.saw(cited);
        assert!(!game.seen.cited().contains("M5"), "{kind}");
        // A road that ends before the wood leads through none of its parts.
        let (moved, _) = goes(&[wood(), road_to(-0.01)], &[men], far_away(), by);
        assert!(!moved, "{kind}");
    }
}

/// Guns do not unlimber in a wood.
#[test]
fn clause_r4() {
    let ground = [block_of("woods", (0.0, 0.0), (6.0, 6.0)), road()];
    let guns = at_middle("foot-artillery").formation("limbered");
    let mut game = Game::over(pips(), &ground, ("unlimber", &[guns]), ("hold", &[far_away()]));
    game.points(1).phase("pip", &[]);
    assert!(matches!(game.seen.refusals()[..], [Refusal::Barred(..)]), "{:?}", game.seen.refusals());
    game.saw("R4");
}

/// Cavalry goes through woods and villages only on the road.
#[test]
fn clause_r5() {
    let (moved, game) = goes(&[woods(0.5)], &[at_middle("cavalry")], far_away(), 1.5);
    assert!(!moved);
    assert_eq!(game.barred(), [("move", "horse-off-road")]);
    game.saw("R5");
    assert!(goes(&[woods(0.5), road()], &[at_middle("cavalry")], far_away(), 1.5).0);
    let (_, left) = goes(&[woods(0.5), road_to(0.6)], &[at_middle("cavalry")], far_away(), 1.8);
    assert_eq!(left.barred(), [("move", "horse-off-road")]);
}

/// Cavalry may charge routed infantry in a village, and take its position there.
#[test]
fn clause_r6() {
    let charge = |morale: &str, faces: &[i32]| {
        let men = infantry(0.0, 3.0, 180.0).morale(morale);
        let mut game =
            Game::over(pips(), &[village(1.0)], ("charge-occupy", &[at_middle("cavalry")]), ("hold", &[men]));
        game.points(2).phase("pip", &[]).phase("charge", faces);
        game
    };
    let refused = charge("eager", &[]);
    assert_eq!(refused.barred()[0], ("charge", "horse-into-cover"));
    refused.saw("R6");
    let routed = charge("routed", &[6, 6, 4]);
    assert_eq!(routed.paid(), ["contact", "charge"]);
    assert_eq!(centre(&routed, &routed.first()), Point { x: 0, y: 400 }, "where the defender stood, in the middle");
    // Cavalry that already touches the village needs only the marker.
    let men = infantry(0.0, 3.0, 180.0).morale("routed");
    let edge = unit("cavalry").at(0.0, 1.0).facing(0.0);
    let mut touching = Game::over(pips(), &[village(1.0)], ("charge-only", &[edge]), ("hold", &[men]));
    touching.points(1).phase("pip", &[]);
    assert_eq!(touching.paid(), ["charge"]);
    touching.saw("R6");
    // R6 does not open a wood on the way to the village. Nor does it open the village to a pursuit that would reach
    // eager infantry in it.
    let men = infantry(0.0, 6.0, 180.0).morale("routed");
    let ground = [block_of("woods", (0.0, 1.5), (6.0, 1.0)), block_of("built-up", (0.0, 6.0), (4.0, 4.0))];
    let mut behind = Game::over(pips(), &ground, ("charge", &[at_middle("cavalry")]), ("hold", &[men]));
    behind.points(2).phase("pip", &[]);
    assert_eq!(behind.barred()[0], ("contact", "horse-off-road"));
    let enemies = [infantry(0.0, 3.0, 180.0), infantry(0.0, 9.0, 180.0)];
    let ground = [block_of("built-up", (0.0, 9.0), (2.0, 4.0))];
    let mut pursuit = Game::over(pips(), &ground, ("charge", &[at_middle("cavalry")]), ("hold", &enemies));
    pursuit.points(2).phase("pip", &[]).phase("charge", &[6, 1, 3]);
    assert_eq!(pursuit.state(&pursuit.unit(Side::Second, 1)).1, "eager");
    assert_eq!(pursuit.first().front.y, 690, "a tenth of an inch before the village");
}

/// Cavalry does not charge through a village, not even along a road.
#[test]
fn clause_kc3() {
    let ground = [block_of("built-up", (0.0, 3.0), (4.0, 2.0)), road()];
    let men = infantry(0.0, 7.0, 180.0);
    let mut game = Game::over(pips(), &ground, ("charge", &[at_middle("cavalry")]), ("hold", &[men]));
    game.points(2).phase("pip", &[]);
    assert_eq!(game.barred()[0], ("contact", "horse-through-houses"));
    game.saw("KC3");
    // Nor does it charge on through a village that its front edge has entered. It may charge out of a village that its
    // rear is still in, or its rear and its middle.
    for (front, through) in [(-1.7, true), (2.3, false), (2.6, false)] {
        let ground = [block_of("built-up", (0.0, 0.0), (4.0, 4.0)), road()];
        let horse = unit("cavalry").at(0.0, front).facing(0.0);
        let mut game = Game::over(pips(), &ground, ("charge", &[horse]), ("hold", &[infantry(0.0, 5.0, 180.0)]));
        game.points(2).phase("pip", &[]);
        assert_eq!(game.paid().is_empty(), through, "{front}");
        assert_eq!(game.barred().first() == Some(&("contact", "horse-through-houses")), through, "{front}");
    }
}

/// Squares are formed only in the open, and none is deployed elsewhere.
#[test]
fn clause_r7() {
    let form = |ground: &[TerrainPlan]| {
        let mut game = Game::over(pips(), ground, ("square", &[infantry(0.0, 0.0, 0.0)]), ("hold", &[far_away()]));
        game.points(1).phase("pip", &[]);
        game
    };
    let closed = form(&[block_of("woods", (0.0, 0.0), (6.0, 6.0))]);
    assert!(matches!(closed.seen.refusals()[..], [Refusal::Barred(..)]));
    closed.saw("R7");
    // A square is formed neither with part of its base in a wood nor over a hedge.
    for ground in [block_of("woods", (0.0, 2.7), (6.0, 4.0)), line_of("hedge", (-4.0, 0.0), (4.0, 0.0))] {
        let part = form(&[ground]);
        assert!(matches!(part.seen.refusals()[..], [Refusal::Barred(..)]), "{:?}", part.seen.refusals());
    }
    assert_eq!(form(&[block_of("woods", (0.0, 2.8), (6.0, 4.0))]).paid(), ["form-square"]);
    assert_eq!(form(&[]).paid(), ["form-square"]);
    let square = [infantry(0.0, 0.0, 0.0).formation("square")];
    for north in [0.0, 3.3] {
        let ground = [block_of("woods", (0.0, north), (6.0, 6.0))];
        let faults = Game::refused_over(pips(), &ground, ("hold", &square), ("hold", &[far_away()]));
        assert!(faults.iter().any(|fault| fault.message.contains("R7")), "{faults:#?}");
    }
}

/// Limbered guns may leave contact.
#[test]
fn clause_d5() {
    let guns = by_centre("foot-artillery", 0.0, 1.0, 0.0, 1.0).formation("limbered");
    let (moved, game) = goes(&[], &[guns], defender(), 2.0);
    assert!(moved);
    game.saw("D5");
}

/// Woods, villages, hills, linear features and rivers; no unit crosses a river except over a bridge.
#[test]
fn clause_kt1() {
    let river = || line_of("river", (-20.0, 3.0), (20.0, 3.0));
    let (moved, game) = goes(&[river()], &[at_middle("cavalry")], far_away(), 6.0);
    assert!(!moved);
    assert_eq!(game.barred(), [("move", "impassable")]);
    game.saw("KT1");
    assert!(goes(&[river(), road()], &[at_middle("cavalry")], far_away(), 6.0).0, "a bridge");
    // Nor does any unit move across a river to an enemy on the other side.
    let enemy = || infantry(0.0, 7.0, 180.0);
    let across = comes_up(&[river()], &[at_middle("cavalry")], &[enemy()]);
    assert_eq!((across.paid().len(), across.barred()), (0, vec![("contact", "impassable")]));
    assert_eq!(comes_up(&[river(), road()], &[at_middle("cavalry")], &[enemy()]).paid(), ["contact", "charge"]);
}

/// Hills do not slow any unit; woods are passable for infantry, at half rate.
#[test]
fn clause_kt2() {
    let hill = block_of("hill", (0.0, 4.0), (8.0, 6.0));
    assert!(goes(&[hill], &[at_middle("cavalry")], far_away(), 9.0).0);
    goes(&[woods(1.0)], &[at_middle("infantry")], far_away(), 1.5).1.saw("KT2");
}

/// One unit fills a small wood or village, and a large one counts as several areas. A unit that fills an area has no
/// flanks, and distances are measured to the edge of the area.
#[test]
fn clause_kt3() {
    let begins = |ground: TerrainPlan, men: &[Men]| {
        let plan =
            grognard_engine::Deployment { terrain: vec![ground], ..deployment(("hold", men), ("hold", &[far_away()])) };
        grognard_engine::deploy(pips(), &plan)
    };
    // A wood of twelve inches by five is two areas of six by five. Each is for one unit, in the middle of the area.
    let large = || block_of("woods", (0.0, 0.0), (12.0, 5.0));
    let both = begins(large(), &[infantry(-4.0, 1.0, 0.0), infantry(2.0, -1.0, 0.0)]).expect("one in each");
    assert_eq!(both.terrain.len(), 2);
    let middles: Vec<i32> = both.start.units.iter().map(|unit| unit.rect(pips()).centre().x).collect();
    assert_eq!(middles[..2], [-300, 300]);
    for men in
        [[infantry(-4.0, 1.0, 0.0), infantry(-1.4, -1.0, 0.0)], [infantry(-4.0, 0.0, 0.0), cavalry(4.0, 0.0, 0.0)]]
    {
        let faults = begins(large(), &men).expect_err("two in one, or horse");
        assert!(faults.iter().any(|fault| fault.message.contains("KT3")), "{faults:#?}");
    }

    // A unit with its middle in the wood fills the wood.
    let (moved, game) = goes(&[woods(0.4)], &[at_middle("infantry")], far_away(), 1.5);
    assert!(moved);
    assert_eq!(centre(&game, &game.first()), Point { x: 0, y: 340 });
    game.saw("KT3");

    // The range of guns is measured to the edge: the middle of the village is 3 inches farther.
    let guns = |north: f64| by_centre("foot-artillery", 0.0, -0.5 - north, 0.0, 1.0);
    for (off, modifiers) in [(7.0, vec![]), (7.1, vec!["long-range"])] {
        let mut game =
            Game::over(pips(), &[village(0.0)], ("fire", &[guns(off)]), ("hold", &[infantry(0.0, 3.0, 180.0)]));
        game.points(1).phase("pip", &[]).phase("fire", &[3, 3]);
        assert_eq!(game.own_modifiers("fire"), modifiers, "{off}");
    }

    // Touching the village counts as touching the infantry, which has no flank or rear there.
    for (south, facing) in [(-2.0, 180.0), (-2.0, 0.0)] {
        let inside = infantry(0.0, 3.0, facing).morale("shaken");
        let chargers = infantry(0.0, south, 0.0);
        let mut game = Game::over(pips(), &[village(0.0)], ("charge", &[chargers]), ("hold", &[inside]));
        game.points(2).phase("pip", &[]);
        assert_eq!((game.paid(), game.first().front.y), (vec!["contact", "charge"], 0), "at the edge");
        assert_eq!(met(&game), Some(Arc::Front));
        game.phase("charge", &[3, 6]);
        assert_eq!(game.own_modifiers("charge"), ["shaken-target"]);
        game.saw("KT3");
    }
}

/// A unit fills its wood while its middle is in the wood. A move out of the wood is measured from the edge.
#[test]
fn moves_of_those_who_fill_a_wood() {
    let wood = || [block_of("woods", (0.0, 0.0), (6.0, 6.0))];
    // After half of its move straight ahead, its middle would be 1.5" from that of the wood, or half an inch farther.
    for by in [1.5, 2.0] {
        let (moved, game) = goes(&wood(), &[at_middle("infantry")], far_away(), by);
        assert!(moved);
        assert_eq!((centre(&game, &game.first()), game.first().fills), (Point { x: 0, y: 0 }, 1), "{by}");
        game.saw("KT3");
    }
    // Its front is 2.5" from the edge, so a move of 1.5" beyond the edge makes 4" in all.
    let (moved, out) = goes(&wood(), &[at_middle("infantry")], far_away(), 4.0);
    assert_eq!((moved, out.first().front.y, out.first().fills), (true, 450, 0));
    out.saw("KT3");
    assert!(!goes(&wood(), &[at_middle("infantry")], far_away(), 4.1).0);
    // The same rules apply when it advances, and when it moves up to an enemy 1.5" or 1.6" from the wood.
    let mut game = Game::over(pips(), &wood(), ("march", &[at_middle("infantry")]), ("hold", &[far_away()]));
    game.points(1).phase("pip", &[]);
    assert_eq!(game.first().front, Point { x: 0, y: 450 });
    for (off, comes) in [(1.5, true), (1.6, false)] {
        let game = comes_up(&wood(), &[at_middle("infantry")], &[infantry(0.0, 3.5 + off, 180.0)]);
        assert_eq!(game.paid() == ["contact"], comes, "{off}");
    }
    // They also apply when it withdraws. Its rear, which was 2.5" from the other edge, ends half of its move beyond
    // that edge.
    let back = comes_back(&wood(), at_middle("infantry"), infantry(0.0, 10.0, 180.0));
    assert_eq!(centre(&back, &back.first()), Point { x: 0, y: -400 });
}

/// A unit that would fill a small wood has it to itself, however far its base extends beyond the edge. Friends that
/// touch the edge are clear of the unit, and the unit is in no other wood (KT3, R1, R2).
#[test]
fn a_small_wood_is_all_the_ground_of_who_fills_it() {
    let enters = |ground: &[TerrainPlan], friend: Men, at: Point| {
        let rules = Box::leak(Box::new(crate::common::load_with("pips-drill", &["doctrine.shift.row.go.by=1.5"])));
        let mut game = Game::over(rules, ground, ("shift", &[at_middle("infantry"), friend]), ("hold", &[far_away()]));
        let friend = game.unit_mut(Side::First, 1);
        (friend.front, friend.doctrine) = (at, rules.doctrine("hold").expect("a drill"));
        game.points(1).phase("pip", &[]);
        let barred: Vec<String> = game.barred().into_iter().map(|(_, bar)| bar.to_owned()).collect();
        (game.first().fills, barred)
    };
    // The wood is two inches wide and begins 0.9" ahead, so the base extends 0.25" beyond it. Cavalry touches the edge
    // of the wood, or is 0.1" inside it.
    let wood = || block_of("woods", (0.0, 1.9), (2.0, 2.0));
    let horse = |east: i32| enters(&[wood()], cavalry(15.0, 0.0, 0.0), Point { x: east, y: 200 });
    assert_eq!(horse(175), (1, vec![]));
    assert_eq!(horse(165), (0, vec!["same-ground".to_owned()]));
    // Another wood begins a tenth of an inch to the side. Other infantry has part of its base in the far end of that
    // wood.
    let beside = |east: f64| block_of("woods", (east + 2.0, 1.9), (4.0, 2.0));
    let other = Point { x: 615, y: 250 };
    assert_eq!(enters(&[wood(), beside(1.1)], infantry(15.0, 0.0, 0.0), other), (1, vec![]));
    // With only the second wood, part of the unit's base is in that wood, and the unit is not alone there.
    assert_eq!(enters(&[beside(1.1)], infantry(15.0, 0.0, 0.0), other), (0, vec!["one-to-an-area".to_owned()]));
}

/// If an enemy at the edge of a wood keeps infantry in it from filling it, the infantry fills the wood when the enemy
/// has gone, and not before (KT3, D1).
#[test]
fn a_wood_is_filled_when_the_enemy_at_its_edge_has_left() {
    // The wood extends to y = 2, and the cavalry is 0.05" beyond it. The infantry moves up to the cavalry, and its
    // middle is then in the wood.
    let wood = [block_of("woods", (0.0, 1.5), (6.0, 1.0))];
    for (doctrine, fills) in [("hold", 0), ("withdraw", 1)] {
        let men = [unit("infantry").at(0.0, 0.6).facing(0.0)];
        let mut game = Game::over(pips(), &wood, ("contact", &men), (doctrine, &[cavalry(0.0, 2.55, 180.0)]));
        game.points(1).phase("pip", &[]);
        assert_eq!((game.paid(), game.first().fills), (vec!["contact"], 0));
        game.points(1).phase_of(Side::Second, "pip", &[]);
        assert_eq!(game.first().fills, fills, "{doctrine}");
        if fills != 0 {
            assert_eq!(centre(&game, &game.first()), Point { x: 0, y: 150 });
            game.saw("KT3");
        }
    }
}

/// The first unit withdraws from an enemy over this terrain.
fn comes_back(ground: &[TerrainPlan], men: Men, enemy: Men) -> Game {
    let mut game = Game::over(pips(), ground, ("withdraw", &[men]), ("hold", &[enemy]));
    game.points(1).phase("pip", &[]);
    game
}

/// A unit that charges out of a wood may stay in it when the enemy flees, and so may cavalry that stays under control.
#[test]
fn clause_kt5() {
    let edge = infantry(0.0, 1.5, 180.0).morale("shaken");
    let inside = infantry(0.0, -2.0, 0.0);
    let mut game = Game::over(pips(), &[woods(-5.0)], ("charge", &[inside]), ("hold", &[edge]));
    game.points(1).phase("pip", &[]);
    assert_eq!(game.paid(), ["charge"], "they touch, although the charger stands in the middle of the wood");
    game.phase("charge", &[3, 3]);
    assert_eq!(morale(&game, Side::Second), "routed");
    assert_eq!(centre(&game, &game.first()), Point { x: 0, y: -200 });
    game.saw("KT5");
    // Cavalry that has taken a village charges from there; it wins and passes its check.
    let mut game = Game::over(
        pips(),
        &[village(-5.0)],
        ("charge", &[unit("cavalry").at(0.0, -6.0).facing(0.0)]),
        ("hold", &[infantry(0.0, 1.5, 180.0)]),
    );
    let horse = game.unit_mut(Side::First, 0);
    (horse.front, horse.fills) = (Point { x: 0, y: -150 }, 1);
    game.points(1).phase("pip", &[]).phase("charge", &[6, 1, 4]);
    assert_eq!((game.paid(), morale(&game, Side::Second)), (vec!["charge"], "routed".into()));
    assert_eq!(game.first().front, Point { x: 0, y: -150 });
}

/// A village or a linear feature steadies the units behind it; a wood does not, and two such features do not count
/// twice.
#[test]
fn clause_kt4() {
    let modifiers = |ground: &[TerrainPlan]| {
        let men = infantry(0.0, 0.0, 0.0).morale("shaken");
        let mut game = Game::over(pips(), ground, ("hold", &[men]), ("hold", &[infantry(0.0, 6.0, 180.0)]));
        game.phase("deshake", &[6]);
        (game.own_modifiers("deshake").into_iter().map(str::to_owned).collect::<Vec<_>>(), game)
    };
    let hedge = || line_of("hedge", (-4.0, 0.7), (4.0, 0.7));
    let inside = || block_of("built-up", (0.0, 0.0), (4.0, 4.0));
    assert_eq!(modifiers(&[inside()]).0, ["shaken", "position"]);
    // A road through the village makes no difference, whichever is listed first in the study.
    let street = || line_of("road", (-10.0, 0.0), (10.0, 0.0));
    assert_eq!(modifiers(&[inside(), street()]).0, ["shaken", "position"]);
    assert_eq!(modifiers(&[street(), inside()]).0, ["shaken", "position"]);
    assert_eq!(modifiers(&[hedge()]).0, ["shaken", "position"]);
    assert_eq!(modifiers(&[inside(), hedge()]).0, ["shaken", "position"]);
    assert_eq!(modifiers(&[block_of("woods", (0.0, 0.0), (4.0, 4.0))]).0, ["shaken"]);
    // A unit is not lined up behind a hedge that is two inches away, and does not defend a village that the enemy is
    // in.
    assert_eq!(modifiers(&[line_of("hedge", (-4.0, 2.6), (4.0, 2.6))]).0, ["shaken"]);
    assert_eq!(modifiers(&[block_of("built-up", (0.0, 6.0), (4.0, 4.0))]).0, ["shaken"]);
    // A unit that fills a wood is lined up behind a hedge along the edge of the wood, from which all its distances are
    // measured. It is not lined up behind a hedge half an inch beyond the edge.
    let edged = |north: f64| [block_of("woods", (0.0, 0.0), (4.0, 4.0)), line_of("hedge", (-4.0, north), (4.0, north))];
    assert_eq!(modifiers(&edged(2.2)).0, ["shaken", "position"]);
    assert_eq!(modifiers(&edged(2.6)).0, ["shaken"]);
    modifiers(&[hedge()]).1.saw("KT4");
    modifiers(&[inside()]).1.saw("KT4");
    // A slope does not involve this clause.
    let (upslope, game) = modifiers(&[block_of("hill", (0.0, 0.0), (8.0, 6.0))]);
    assert_eq!(upslope, ["shaken", "position"]);
    assert!(!game.seen.cited().contains("KT4"));
    // Cavalry that has charged over a hedge and won does not defend it.
    let hedge = [line_of("hedge", (-4.0, 0.6), (4.0, 0.6))];
    let mut over = Game::over(pips(), &hedge, ("charge", &[cavalry(0.0, 5.0, 180.0)]), ("hold", &[defender()]));
    over.points(2).phase("pip", &[]).phase("charge", &[6, 1, 6]);
    assert_eq!((over.own_modifiers("stand"), over.own_modifiers("control")), (vec!["position"], vec![]));
    // The nearest enemy decides, whichever unit fires. Guns on a hill of their own do not take the slope away from the
    // unit. Guns in the open do not give it a slope that it shares with infantry close by.
    let under_fire = |ground: &[TerrainPlan]| {
        let enemies = [by_centre("foot-artillery", 0.0, 8.0, 180.0, 1.0), infantry(4.0, 2.5, 180.0)];
        let men = infantry(0.0, 0.0, 0.0).morale("shaken");
        let mut game = Game::over(pips(), ground, ("fire", &enemies), ("hold", &[men]));
        game.points(1).phase("pip", &[]).phase("fire", &[4, 3, 6]);
        game.own_modifiers("nerve").contains(&"position")
    };
    let hill = |depth: f64| block_of("hill", (0.0, 0.0), (16.0, depth));
    assert!(under_fire(&[hill(3.0), block_of("hill", (0.0, 8.0), (4.0, 2.0))]));
    assert!(!under_fire(&[hill(8.0)]));
}

/// A unit whose wheel takes its middle out of the wood that it filled no longer moves to the edge for free (HD11, M5,
/// KT3).
#[test]
fn a_wheel_out_of_a_wood_leaves_no_free_way() {
    let wood = [block_of("woods", (0.0, 0.0), (2.0, 4.0))];
    let men = unit("infantry").at(-0.424, -0.265).facing(238.0);
    let enemy = unit("infantry").at(7.2, -2.0).facing(0.0);
    let mut game = Game::over(pips(), &wood, ("march", &[men]), ("hold", &[enemy]));
    game.points(1).phase("pip", &[]);
    let marched = |event: &Event| if let Event::Marched { distance, .. } = event { Some(*distance) } else { None };
    let ways: Vec<i32> = game.seen.events().iter().filter_map(marched).collect();
    assert!(ways.iter().all(|&distance| distance == 0), "{ways:?}");
}
