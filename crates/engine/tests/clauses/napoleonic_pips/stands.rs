//! Where units and generals may be without an order, and silenced guns that stay where they are.

use grognard_engine::GeneralPlan;
use grognard_engine::plane::Point;

use super::*;
use crate::common::{block_of, deployment, line_of, witnessed};

/// Limbered guns may be in a wood or a village only on the road. This also applies at the start, and to guns with only
/// a tenth of an inch of their base in the area.
#[test]
fn clause_r3() {
    let road = || line_of("road", (0.0, -20.0), (0.0, 20.0));
    for kind in ["woods", "built-up"] {
        let area = || block_of(kind, (0.0, 3.4), (6.0, 6.0));
        let guns = || [by_centre("foot-artillery", 0.0, 0.0, 0.0, 1.0).formation("limbered")];
        let faults = Game::refused_over(pips(), &[area()], ("hold", &guns()), ("hold", &[far_away()]));
        assert!(faults.len() == 1 && faults[0].message.contains("R3"), "{kind}: {faults:#?}");
        Game::over(pips(), &[area(), road()], ("hold", &guns()), ("hold", &[far_away()]));
        witnessed("R3");
    }
}

/// Cavalry that has beaten an enemy does not take a position in which it would be in contact with guns that it does not
/// charge.
#[test]
fn clause_c2() {
    for (behind, stands) in [(1.0, -100), (1.2, 0)] {
        let enemies = [infantry(0.0, 0.0, 180.0), by_centre("foot-artillery", 0.0, behind, 180.0, 1.0)];
        let mut game = game(("charge-occupy", &[cavalry(0.0, -4.5, 0.0)]), ("hold", &enemies));
        game.points(2).phase("pip", &[]).phase("charge", &[6, 1, 6]);
        assert_eq!(morale(&game, Side::Second), "routed");
        assert_eq!(centre(&game, &game.first()), Point { x: 0, y: stands }, "{behind}");
        if stands != 0 {
            game.saw("C2");
        }
    }
}

/// Silenced guns stay where they are: they count as the nearest enemy, on D's own level, and are not limbered.
#[test]
fn clause_ka2() {
    let hill = block_of("hill", (0.0, 0.0), (8.0, 6.0));
    let guns = by_centre("foot-artillery", 0.0, 2.0, 180.0, 1.0);
    for (state, upslope) in [("silenced", false), ("eager", false), ("gone", true)] {
        let below = infantry(0.0, 6.0, 180.0);
        let enemies = if state == "gone" { vec![below] } else { vec![guns.clone().morale(state), below] };
        let men = infantry(0.0, 0.0, 0.0).morale("shaken");
        let mut game = Game::over(pips(), std::slice::from_ref(&hill), ("hold", &[men]), ("limber", &enemies));
        game.phase("deshake", &[6]);
        assert_eq!(game.own_modifiers("deshake").contains(&"position"), upslope, "{state}");
        if state == "silenced" {
            game.points(2).phase_of(Side::Second, "pip", &[]);
            assert_eq!(game.barred().first(), Some(&("limber", "silenced")));
            game.saw("KA2");
        }
    }
}

/// A general who leaves a village rides half as far, just as when he leaves a wood.
#[test]
fn clause_m5() {
    for kind in ["woods", "built-up"] {
        // His base is half an inch deep, and D's rear edge is at y = -0.5. So he has to ride 4.5 inches from y = -5.25,
        // and 4.6 from -5.35.
        for (south, joins) in [(525, true), (535, false)] {
            let mut plan = deployment(("lead", &[infantry(0.0, 0.0, 0.0)]), ("hold", &[far_away()]));
            plan.terrain = vec![block_of(kind, (0.0, -5.75), (4.0, 2.0))];
            let ney = GeneralPlan { name: "ney".into(), at: Some((0, -south)), ..GeneralPlan::default() };
            plan.sides.first.generals = vec![ney];
            let mut game = Game::planned(pips(), &plan);
            game.points(0).phase("pip", &[]);
            assert_eq!(game.battle.generals[0].with.is_some(), joins, "{south} from {kind}");
            game.saw("M5");
        }
    }
}
