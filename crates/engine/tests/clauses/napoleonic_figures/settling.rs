//! Commands on the march: which units a nearby charge shakes, and which commands settle (8.62).

use grognard_engine::{Event, Flags, Side};

use super::{far_away, figure};
use crate::common::{Game, Men, deployment, drill, line_of, unit};

fn battalion() -> Men {
    unit("line-battalion").figures(8).formation("road-column").facing(0.0)
}

/// A command in road mode without orders.
fn on_the_march(men: &[Men], enemy: (&str, Men)) -> Game {
    let mut plan = deployment(("hold", men), (enemy.0, &[enemy.1]));
    plan.terrain = vec![line_of("road", (0.0, -24.0), (0.0, 0.0))];
    (plan.sides.first.command.order, plan.sides.first.command.mode) = (Some("march".into()), Some("road".into()));
    Game::planned(drill(), &plan)
}

fn settles(game: &Game) -> bool {
    game.seen.events().iter().any(|event| matches!(event, Event::Settled { .. }))
}

/// A command on the march counts as disordered in every morale check, and when it is decided whether it has to take one
/// in a charge zone. It settles by standing still, but only if it is on the table.
#[test]
fn clause_8_62() {
    for still in [false, true] {
        let men = [battalion().at(0.0, 0.0), battalion().at(3.0, -1.0)];
        let horse = unit("heavy-cavalry").figures(4).at(0.0, 8.0).facing(180.0);
        let mut game = on_the_march(&men, ("charge", horse));
        if still {
            game.phase("move", &[]);
        }
        assert_eq!(settles(&game), still);
        game.play_anyhow(Side::Second, "charge");
        let in_zone = |event: &Event| matches!(event, Event::Threatened { unit, .. } if unit.index() == 1);
        assert!(game.seen.events().iter().any(in_zone), "{:?}", game.seen.events());
        let beside = game.seen.rolls().filter(|roll| roll.own.index() == 1).count();
        assert_eq!(beside, usize::from(!still), "only one that counts as disordered tests");
        if !still {
            assert!(game.own_modifiers("morale").contains(&"on-the-march"));
            game.saw("8.62");
        }
    }
    // A command does not settle if none of its units is left, or if one has yet to arrive.
    let mut lost = on_the_march(&[battalion().at(0.0, 0.0)], ("hold", far_away()));
    lost.unit_mut(Side::First, 0).flags = Flags::GONE;
    lost.phase("move", &[]);
    assert!(!settles(&lost));
    for (men, settled) in [
        (vec![battalion().at(0.0, 0.0)], true),
        (vec![battalion().at(0.0, 0.0).arrives(3)], false),
        (vec![battalion().at(0.0, 0.0), battalion().at(0.0, -8.0).arrives(3)], false),
    ] {
        let mut late = on_the_march(&men, ("hold", figure().at(20.0, 22.0).facing(180.0)));
        late.phase("move", &[]);
        assert_eq!((settles(&late), late.battle.commands[0].unsettled), (settled, !settled), "{men:?}");
    }
}
