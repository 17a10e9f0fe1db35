//! Charges that do not come home.

use grognard_engine::{Event, Flags};

use crate::common::{Game, unit};

/// A charger whose target runs out of its reach comes as far as it can, fights nobody, and moves no more in this turn.
#[test]
fn a_charge_that_falls_short_comes_as_far_as_it_can() {
    // Four heavies charge 14" at most. The battalion breaks as they come on and falls back six inches, to 17".
    let horse = unit("heavy-cavalry").figures(4).at(0.0, 0.0).facing(0.0);
    let foot = unit("line-battalion").figures(4).at(0.0, 11.0).facing(180.0);
    let mut game = Game::new(("charge-and-march", &[horse]), ("hold", &[foot]));
    game.phase("charge", &[1, 1, 6, 6]);
    assert!(game.seen.events().iter().any(|event| matches!(event, Event::FellShort { .. })));
    let charger = game.first();
    assert_eq!(charger.front.y, 1400, "{:?}", game.seen.events());
    assert!(!charger.flags.has(Flags::CHARGING) && !charger.flags.has(Flags::CONTACT));
    game.phase("move", &[]).phase("shock", &[]);
    assert_eq!(game.first().front.y, 1400);
}

/// It stops an inch before another enemy that stands on its way.
#[test]
fn a_charge_that_falls_short_stops_before_whoever_is_next() {
    let horse = unit("heavy-cavalry").figures(4).at(0.0, 0.0).facing(0.0);
    let foot = unit("line-battalion").figures(4).at(0.0, 8.0).facing(180.0);
    let behind = unit("line-battalion").figures(4).at(1.5, 12.0).facing(180.0);
    let mut game = Game::new(("charge-and-march", &[horse]), ("hold", &[foot, behind]));
    game.phase("charge", &[1, 1, 6, 6]);
    assert_eq!(game.first().front.y, 1100, "{:?}", game.seen.events());
}
