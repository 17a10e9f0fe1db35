//! Moves that are not ordered directly: pursuits, flights, positions taken, areas that a move fills, and generals'
//! rides; and the effect of roads and heights on charges and fire.

use grognard_engine::{GeneralEvent, GeneralPlan};

use super::*;
use crate::common::{block_of, deployment, line_of};

/// The first side's first unit charges with two points, over this terrain, while its friends hold.
fn charge(doctrine: &str, ground: &[TerrainPlan], men: &[Men], enemies: &[Men], faces: &[i32]) -> Game {
    let mut game = Game::over(pips(), ground, (doctrine, men), ("hold", enemies));
    for number in 1..men.len() {
        game.unit_mut(Side::First, number).doctrine = pips().doctrine("hold").expect("a drill");
    }
    game.points(2).phase("pip", &[]).phase("charge", faces);
    game
}

/// A defender that faces south, with its own table edge behind it.
fn at_home() -> Men {
    infantry(0.0, 0.0, 180.0)
}

/// A pursuer turns before its pursuit is measured, but not into a river, where it would be stuck. Only cavalry gets the
/// free second charge.
#[test]
fn clause_hd7() {
    // Cavalry 1.2" east of D's middle strikes it from the south; D flees 50 degrees west of north. Turned that way, the
    // cavalry would extend 0.75" x cos 50 + 0.5" x sin 50 = 0.87" to the east of its middle, to x = 2.07. The river
    // begins at 2.0, or at 2.1.
    for (bank, far, heading) in [(2.0, 0, 0), (2.1, 600, 3098)] {
        let river = [line_of("river", (bank + 0.5, -20.0), (bank + 0.5, 20.0))];
        let game = charge("charge", &river, &[cavalry(1.2, -5.0, 0.0)], &[at_home()], &[6, 1, 3]);
        assert_eq!((pursued(&game), game.first().heading.tenths()), (Some(far), heading), "{bank}");
        if far == 0 {
            assert_eq!(centre(&game, &game.first()), Point { x: 120, y: -100 });
        }
    }
    // Cavalry that won may charge another enemy at once; infantry may take the position, but no more.
    let men = [infantry(0.0, -1.0, 0.0)];
    let foot = charge("charge-on", &[], &men, &[at_home(), infantry(0.0, 2.5, 180.0)], &[4, 3]);
    assert_eq!(morale(&foot, Side::Second), "routed");
    assert_eq!((centre(&foot, &foot.first()).y, foot.state(&foot.unit(Side::Second, 1)).1), (-100, "eager"));
}

/// Infantry does not leave one enemy to take the position of another that has fled. Nor does it leave an enemy at the
/// edge of a wood to move to the middle of the wood.
#[test]
fn clause_d1() {
    // An enemy touches the right flank. After the advance of an inch, it would be 0.3" away, or touch a corner.
    for (south, stays) in [(-1.3, true), (-1.0, false)] {
        let enemies = [at_home(), by_centre("veteran-infantry", 2.5, south, 180.0, 1.0)];
        let game = charge("charge-occupy", &[], &[infantry(0.0, -1.0, 0.0)], &enemies, &[4, 3]);
        assert_eq!(morale(&game, Side::Second), "routed");
        assert_eq!(centre(&game, &game.first()).y, if stays { -100 } else { 0 }, "{south}");
        if stays {
            game.saw("D1");
        }
    }
    // The wood extends to y = 2. From 0.6, the infantry moves up to an enemy at the edge of the wood, or 0.05" beyond
    // it. The infantry's middle is then in the wood.
    for (gap, filled) in [(0.0, true), (0.05, false)] {
        let wood = [block_of("woods", (0.0, 1.5), (6.0, 1.0))];
        let men = [unit("infantry").at(0.0, 0.6).facing(0.0)];
        let mut game = Game::over(pips(), &wood, ("contact", &men), ("hold", &[infantry(0.0, 2.5 + gap, 180.0)]));
        game.points(1).phase("pip", &[]);
        assert_eq!((game.paid(), game.first().fills != 0), (vec!["contact"], filled));
        assert_eq!(game.ground(&game.first()).distance(&game.ground(&game.second())), 0);
    }
}

/// Cavalry does not leave other cavalry to take such a position, but it does leave infantry (D4).
#[test]
fn clause_d3() {
    // These types come after the target's in the alphabet, so the charge is on the target.
    let horse = || by_centre("veteran-cavalry", 1.5, -1.3, 180.0, 1.0);
    let foot = || by_centre("veteran-infantry", 2.0, -1.3, 180.0, 1.0);
    for (beside, stays) in [(horse(), true), (foot(), false)] {
        let game = charge("charge-occupy", &[], &[cavalry(0.0, -1.0, 0.0)], &[at_home(), beside], &[6, 1, 6]);
        assert_eq!(morale(&game, Side::Second), "routed");
        assert_eq!(centre(&game, &game.first()).y, if stays { -100 } else { 0 });
        if stays {
            game.saw("D3");
        }
    }
    // Nor does it choose to pursue, but a unit that fails its check has to (HD7).
    for (beside, face, far) in [(horse(), 4, None), (horse(), 3, Some(600)), (foot(), 4, Some(600))] {
        let game = charge("charge-pursue", &[], &[cavalry(0.0, -1.0, 0.0)], &[at_home(), beside], &[6, 1, face]);
        assert_eq!(pursued(&game), far, "on a {face}");
        assert_eq!(centre(&game, &game.first()).y, far.map_or(-100, |far| far - 100));
        if far.is_none() {
            game.saw("D3");
        }
    }
}

/// A wood or a village on a hill is on the hill, whichever is listed first in the study.
#[test]
fn clause_km3() {
    let upslope = |ground: &[TerrainPlan]| {
        let men = infantry(0.0, 0.0, 0.0).morale("shaken");
        let mut game = Game::over(pips(), ground, ("hold", &[men]), ("hold", &[infantry(0.0, 6.0, 180.0)]));
        game.phase("deshake", &[6]);
        game.own_modifiers("deshake").contains(&"position")
    };
    let hill = |depth: f64| block_of("hill", (0.0, 0.0), (8.0, depth));
    let wood = || block_of("woods", (0.0, 0.0), (4.0, 4.0));
    assert!(upslope(&[hill(6.0), wood()]) && upslope(&[wood(), hill(6.0)]));
    assert!(!upslope(&[wood()]));
    // The enemy's village is on D's own hill, or beyond it.
    let village = || block_of("built-up", (0.0, 6.0), (4.0, 4.0));
    assert!(!upslope(&[hill(16.0), village()]) && !upslope(&[village(), hill(16.0)]));
    assert!(upslope(&[hill(6.0), village()]));
    // The nearest enemy decides. Silenced guns can be the nearest enemy, but routed units cannot. Without a nearest
    // enemy, there is no slope.
    let against = |enemies: &[Men]| {
        let men = infantry(0.0, 0.0, 0.0).morale("shaken");
        let mut game = Game::over(pips(), &[hill(6.0)], ("hold", &[men]), ("hold", enemies));
        game.phase("deshake", &[6]);
        game.own_modifiers("deshake").contains(&"position")
    };
    let below = || infantry(0.0, 6.0, 180.0);
    assert!(!against(&[by_centre("foot-artillery", 0.0, 2.0, 180.0, 1.0).morale("silenced"), below()]));
    assert!(against(&[infantry(0.0, 2.0, 0.0).morale("routed"), below()]));
    assert!(!against(&[below().morale("routed")]));
}

/// A unit in a village on a hill can be fired at over others, like a unit on the hill itself.
#[test]
fn clause_ka1() {
    for (ground, fires) in [
        (vec![block_of("hill", (0.0, 0.0), (6.0, 6.0)), block_of("built-up", (0.0, 0.0), (2.0, 2.0))], true),
        (vec![block_of("built-up", (0.0, 0.0), (2.0, 2.0))], false),
    ] {
        let men = [by_centre("foot-artillery", 0.0, -8.0, 0.0, 1.0), infantry(0.0, -5.0, 0.0)];
        let mut game = Game::over(pips(), &ground, ("fire", &men), ("hold", &[infantry(0.0, 0.0, 180.0)]));
        game.unit_mut(Side::First, 1).doctrine = pips().doctrine("hold").expect("a drill");
        game.points(1).phase("pip", &[]);
        assert_eq!(game.play_fire(), fires);
    }
}

/// Cavalry on a road may charge a unit on the road in a wood or a village, but no unit off the road.
#[test]
fn clause_r5() {
    let road = || line_of("road", (0.0, -20.0), (0.0, 20.0));
    let comes = |east: f64, ground: &[TerrainPlan], enemy: Men| {
        let men = [unit("cavalry").at(east, 0.0).facing(0.0)];
        let mut game = Game::over(pips(), ground, ("charge", &men), ("hold", &[enemy]));
        game.points(2).phase("pip", &[]);
        game
    };
    for kind in ["woods", "built-up"] {
        let area = || block_of(kind, (0.0, 3.0), (8.0, 4.0));
        for enemy in [infantry(0.0, 3.0, 180.0), cavalry(0.0, 3.0, 180.0)] {
            let along = comes(0.0, &[area(), road()], enemy.clone());
            assert_eq!((along.paid(), along.barred()), (vec!["contact", "charge"], vec![]), "{kind}");
            let aside = comes(3.0, &[area(), road()], enemy);
            assert_eq!((aside.paid().len(), aside.barred()[0]), (0, ("contact", "horse-off-road")), "{kind}");
            aside.saw("R5");
        }
        let filled = comes(0.0, &[area()], infantry(0.0, 3.0, 180.0));
        assert_eq!(filled.barred()[0], ("charge", "horse-into-cover"));
    }
}

/// A base exactly level with the line of the front edge is not ahead of it.
#[test]
fn clause_kf4() {
    // The guns' front edge is at y = 0.5. Cavalry that touches their right side extends to that line, or a hundredth of
    // an inch beyond.
    for (north, fires) in [(-0.25, false), (-0.24, true)] {
        let guns = by_centre("foot-artillery", 0.0, 0.0, 0.0, 1.0);
        let mut game = game(("fire", &[guns]), ("hold", &[cavalry(1.0, north, 270.0)]));
        game.points(1).phase("pip", &[]);
        assert_eq!(game.play_fire(), fires, "{north}");
    }
}

/// A general starts this far south of the middle. His infantry is in the middle and wants him with it. Returns whether
/// he joins it, and otherwise how far he rides.
fn rides(ground: &[TerrainPlan], enemies: &[Men], south: f64) -> (bool, Option<i32>, Game) {
    let mut plan = deployment(("lead", &[infantry(0.0, 0.0, 0.0)]), ("hold", enemies));
    plan.terrain = ground.to_vec();
    let at = Some((0, -(south * 100.0).round() as i32));
    plan.sides.first.generals = vec![GeneralPlan { name: "ney".into(), at, ..GeneralPlan::default() }];
    let mut game = Game::planned(pips(), &plan);
    game.points(0).phase("pip", &[]);
    let rode = game.seen.events().iter().find_map(|event| match event {
        Event::General(GeneralEvent::Rode { distance, .. }) => Some(*distance),
        _ => None,
    });
    (game.battle.generals[0].with.is_some(), rode, game)
}

fn road() -> TerrainPlan {
    line_of("road", (0.0, -20.0), (0.0, 20.0))
}

/// The movement clauses that a ride used.
fn behind(game: &Game) -> Vec<&str> {
    let ways = ["M5", "M6", "M9", "M10", "M11", "I2", "KT1", "KT2"];
    ways.into_iter().filter(|clause| game.seen.cited().contains(*clause)).collect()
}

/// A general crosses a river only over a bridge.
#[test]
fn clause_kt1() {
    let river = || line_of("river", (-20.0, -3.0), (20.0, -3.0));
    // The near bank is at y = -3.5; his base extends a quarter of an inch in front of its middle.
    let (joins, rode, game) = rides(&[river()], &[far_away()], 6.0);
    assert_eq!((joins, rode), (false, Some(225)));
    game.saw("KT1");
    assert_eq!(behind(&game), ["KT1"]);
    assert!(rides(&[river(), road()], &[far_away()], 6.0).0);
}

/// A general does not ride into a wood or a village off the road, but he does meet infantry at the edge of the area
/// that it fills.
#[test]
fn clause_kt2() {
    for kind in ["woods", "built-up"] {
        let area = || block_of(kind, (0.0, -3.0), (4.0, 2.0));
        let (joins, rode, game) = rides(&[area()], &[far_away()], 6.0);
        assert_eq!((joins, rode), (false, Some(175)), "{kind}");
        game.saw("KT2");
        assert_eq!(behind(&game), ["KT2"], "{kind}");
        let (joins, _, game) = rides(&[area(), road()], &[far_away()], 6.0);
        assert!(joins && behind(&game).is_empty(), "{kind}: nothing slows him on the road");
        assert!(rides(&[block_of(kind, (0.0, 0.0), (4.0, 4.0))], &[far_away()], 6.0).0);
        // From 20 inches away, his nine inches end before the wood, whose edge is at y = -8, so the wood does not stop
        // him.
        let (_, rode, game) = rides(&[block_of(kind, (0.0, -7.0), (4.0, 2.0))], &[far_away()], 20.0);
        assert_eq!((rode, behind(&game).len()), (Some(900), 0), "{kind}");
    }
}

/// A general's move is halved if he leaves a wood.
#[test]
fn clause_m5() {
    // His base is half an inch deep, and D's rear edge is at y = -0.5. So he has to ride 4.5 inches from y = -5.25, and
    // 4.6 from -5.35.
    let wood = || block_of("woods", (0.0, -5.75), (4.0, 2.0));
    let (joins, _, game) = rides(&[wood()], &[far_away()], 5.25);
    assert!(joins);
    game.saw("M5");
    assert_eq!(behind(&game), ["M5", "KT2"]);
    assert!(!rides(&[wood()], &[far_away()], 5.35).0 && rides(&[], &[far_away()], 5.35).0);
}

/// A general's move is halved if he crosses a hedge, a wall or a stream.
#[test]
fn clause_m6() {
    for feature in ["hedge", "wall", "stream"] {
        let ground = || line_of(feature, (-10.0, -3.0), (10.0, -3.0));
        let (joins, _, game) = rides(&[ground()], &[far_away()], 5.25);
        assert!(joins, "{feature}");
        game.saw("M6");
        assert_eq!(behind(&game), ["M6", "KT2"], "{feature}");
        assert!(!rides(&[ground()], &[far_away()], 5.35).0, "{feature}");
    }
    // From 8 inches he stops in front of the hedge, after 8 - 3.1 - 0.25 inches: he could not get across it with half
    // his move.
    let hedge = line_of("hedge", (-10.0, -3.0), (10.0, -3.0));
    let (_, rode, game) = rides(&[hedge], &[far_away()], 8.0);
    assert_eq!((rode, behind(&game)), (Some(465), vec!["M6", "KT2"]));
}

/// A general's move is halved only once if he leaves a wood and crosses a hedge.
#[test]
fn clause_m9() {
    let ground = || [block_of("woods", (0.0, -5.75), (4.0, 2.0)), line_of("hedge", (-10.0, -3.0), (10.0, -3.0))];
    let (joins, _, game) = rides(&ground(), &[far_away()], 5.25);
    assert!(joins);
    game.saw("M9");
    assert_eq!(behind(&game), ["M5", "M6", "M9", "KT2"]);
    assert!(!rides(&ground(), &[far_away()], 5.35).0);
    // The hedge is beyond the 4.5 inches that the wood leaves him.
    let beyond = [block_of("woods", (0.0, -8.75), (4.0, 2.0)), line_of("hedge", (-10.0, -3.0), (10.0, -3.0))];
    let (_, rode, game) = rides(&beyond, &[far_away()], 8.25);
    assert_eq!((rode, behind(&game)), (Some(450), vec!["M5", "KT2"]));
}

/// A general rides two inches farther on a road.
#[test]
fn clause_m10() {
    let (joins, _, game) = rides(&[road()], &[far_away()], 11.75);
    assert!(joins, "eleven inches");
    game.saw("M10");
    assert_eq!(behind(&game), ["M10"]);
    assert!(!rides(&[road()], &[far_away()], 11.85).0 && !rides(&[], &[far_away()], 11.75).0);
    // Within nine inches, the road makes no difference.
    let (joins, _, game) = rides(&[road()], &[far_away()], 9.75);
    assert!(joins && behind(&game).is_empty());
    // Over a hedge, he rides half of his nine inches, plus two more.
    let (joins, _, game) = rides(&[road(), line_of("hedge", (-10.0, -3.0), (10.0, -3.0))], &[far_away()], 7.25);
    assert!(joins);
    assert_eq!(behind(&game), ["M6", "M10", "KT2"]);
}

/// The two inches also apply through a wood or a village.
#[test]
fn clause_m11() {
    for kind in ["woods", "built-up"] {
        let (joins, _, game) = rides(&[block_of(kind, (0.0, -5.0), (4.0, 2.0)), road()], &[far_away()], 11.75);
        assert!(joins, "{kind}");
        game.saw("M11");
        assert_eq!(behind(&game), ["M10", "M11"], "{kind}");
    }
}

/// A general does not ride through enemies. No unit flees through an enemy that is under its base once it has turned.
#[test]
fn clause_i2() {
    let (joins, rode, game) = rides(&[], &[infantry(0.0, -3.0, 0.0)], 6.0);
    assert_eq!((joins, rode), (false, Some(225)));
    game.saw("I2");
    assert_eq!(behind(&game), ["I2"]);
    assert!(rides(&[], &[infantry(1.6, -3.0, 0.0)], 6.0).0);
    // An enemy that has come up behind him does not hold him.
    assert!(rides(&[], &[infantry(0.0, -6.3, 0.0)], 6.0).0);

    // Cavalry from the west drives D east. Once turned, D extends to y = -1.25, over infantry whose middle is 0.8" to
    // the east. Directions of 90, 75 and 60 degrees do not lead away from that middle, (0.8, -1.1), but 45 degrees
    // does.
    let under = infantry(0.8, -1.1, 0.0);
    let game = charge("charge", &[], &[cavalry(-6.0, 0.0, 90.0), under], &[defender()], &[6, 1, 6]);
    assert_eq!((ran(&game), game.second().heading.tenths()), (Some(700), 450));
    // D brushes past infantry whose middle is a little to the west.
    let behind = infantry(-0.1, -1.3, 0.0);
    let game = charge("charge", &[], &[cavalry(-6.0, 0.0, 90.0), behind], &[defender()], &[6, 1, 6]);
    assert_eq!((ran(&game), game.second().heading.tenths()), (Some(700), 900));
    // The cavalry comes from the south, half an inch east of D and turned 2 degrees to the right. D's table edge is
    // behind the cavalry. Of the two directions along the line of its front, the eastern one is nearer to that edge,
    // but leads over the cavalry.
    let aslant = unit("cavalry").at(0.4, -4.5).facing(2.0);
    let game = charge("charge", &[], &[aslant], &[defender()], &[6, 1, 6]);
    assert_eq!((ran(&game), game.second().heading.tenths()), (Some(700), 2720));
}

/// A flank contact ends when the unit that was struck takes a position in which it faces another way (F1).
#[test]
fn who_takes_a_place_the_other_way_shows_no_flank() {
    // The cavalry takes the position of other cavalry that faced south. Infantry touches its left side, and then its
    // right side.
    let enemies = [cavalry(0.0, 0.0, 180.0), infantry(-1.25, -0.5, 90.0)];
    let mut game = Game::over(pips(), &[], ("charge-occupy", &[cavalry(0.0, -1.0, 0.0)]), ("hold", &enemies));
    let id = game.battle.side(Side::First).next().expect("a unit");
    let flanking = game.unit_mut(Side::Second, 1);
    (flanking.foe, flanking.met) = (id, Arc::Flank);
    game.points(2).phase("pip", &[]).phase("charge", &[6, 1, 3, 4, 4]);
    assert_eq!((centre(&game, &game.first()), game.first().heading.tenths()), (Point { x: 0, y: 0 }, 1800));
    let flanking = game.unit(Side::Second, 1);
    assert_eq!(game.ground(&flanking).distance(&game.ground(&game.first())), 0);
    assert_eq!(flanking.met, Arc::Front);
}
