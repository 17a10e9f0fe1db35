//! Zones of control on hexes: units that stop next to an enemy, and units that cannot leave one.

use std::collections::BTreeSet;

use grognard_engine::hex::{self, Act};
use grognard_engine::{Side, UnitId};
use grognard_rules::model::{Provides, Rules};

use super::template_on_hexes::at;
use crate::common::{Game, compiled};

/// Units that move up to four hexes in any direction.
const ZONES: &str = r#"
pack = "zones"
title = "Zones of control"
version = "1"
board = "hex"
arms = ["foot", "horse"]
hex = { columns = 9, rows = 9 }
activation = { orders = 20 }

[morale]
state = [{ id = "good" }]

[unit.foot]
title = "Foot"
arm = "foot"
figures = 4

[unit.horse]
title = "Horse"
arm = "horse"
figures = 4

[[phase]]
id = "command"
title = "Command"
mechanism = "command"

[[phase]]
id = "move"
title = "Movement"
mechanism = "move"

[[provision]]
id = "move"
does = "move"
MOVE
amount = 4
cite = ['1']

[[provision]]
id = "zone"
does = "zone"
ZONE
cite = ['2']

[doctrine.close-in]
title = "closes in"
row = [{ id = "close-in", phase = "move", do = "manoeuvre", weigh = { distance = -1 } }]

[victory]
broken = 100

[[clause]]
id = "1"
text = "Units move four hexes."

[[clause]]
id = "2"
text = "Units stop next to an enemy."
"#;

fn rules(moves: &str, zone: &str) -> &'static Rules {
    let text = ZONES.replace("MOVE", moves).replace("ZONE", zone);
    compiled("zones.toml", text).unwrap_or_else(|(_, faults)| panic!("{faults}"))
}

/// A unit in a hex, and an enemy in the middle of the board.
fn game(rules: &'static Rules, kind: &str, (q, r): (i32, i32)) -> Game {
    Game::under(rules, ("close-in", &[at(kind, q, r)]), ("close-in", &[at("foot", 0, 0)]))
}

fn unit(game: &Game) -> UnitId {
    game.battle.side(Side::First).next().expect("a unit")
}

/// The hexes that the unit can reach. Checks that trying every march act by act gives the same hexes.
fn reach(game: &Game) -> BTreeSet<(i32, i32)> {
    let places = hex::reach(game.rules, &game.setup, &game.battle, unit(game));
    assert_eq!(places, hex::reach_by_marches(game.rules, &game.setup, &game.battle, unit(game)));
    places.into_iter().map(|(place, _)| place).collect()
}

/// The hex (1, -1) is behind the enemy: every route of four hexes from (-3, 0) leads through (0, -1), which is next to
/// the enemy. The route to (1, -2) avoids it.
#[test]
fn a_unit_stops_next_to_an_enemy() {
    let free = reach(&game(rules("", "on = false"), "foot", (-3, 0)));
    let stopped = reach(&game(rules("", ""), "foot", (-3, 0)));
    for (place, with) in [((1, -1), false), ((0, -1), true), ((-1, 0), true), ((1, -2), true)] {
        assert!(free.contains(&place), "{place:?}");
        assert_eq!(stopped.contains(&place), with, "{place:?}");
    }
    assert!(stopped.is_subset(&free));
}

/// A unit next to an enemy moves away as if the enemy were not there, but moves only one hex along it. Its route to (1,
/// -1) round the other hexes takes four hexes, not two.
#[test]
fn a_unit_leaves_an_enemy_and_stops_again() {
    let near = game(rules("", ""), "foot", (-1, 0));
    assert!([(-4, 0), (-3, 1), (0, -1), (-1, 1), (1, -1)].iter().all(|place| reach(&near).contains(place)));
    assert!(!reach(&near).contains(&(1, 0)), "the hex behind the enemy");
    assert!(reach(&game(rules("", "on = false"), "foot", (-1, 0))).contains(&(1, 0)));
}

#[test]
fn a_unit_next_to_an_enemy_may_be_held() {
    let held = rules("when = '!self.engaged'", "");
    assert_eq!(reach(&game(held, "foot", (-1, 0))), BTreeSet::from([(-1, 0)]));
    assert!(reach(&game(held, "foot", (-2, 0))).contains(&(-1, 0)));
}

/// The condition of the provision exempts some units.
#[test]
fn some_units_ride_on() {
    let foot = rules("", "when = \"self.arm == 'foot'\"");
    assert!(!reach(&game(foot, "foot", (-3, 0))).contains(&(1, -1)));
    assert!(reach(&game(foot, "horse", (-3, 0))).contains(&(1, -1)));
}

/// The march ends next to the enemy because of the clause. A march that ends elsewhere, or that has no hexes left, does
/// not cite it.
#[test]
fn a_march_that_stops_cites_its_clause() {
    let march = |steps: &[u8]| {
        let mut game = game(rules("", ""), "foot", (-3, 0));
        let acts: Vec<Act> = steps.iter().map(|&direction| Act::Step(direction)).collect();
        let id = unit(&game);
        let ended = hex::march(game.rules, &game.setup, &mut game.battle, id, &acts, &mut game.seen);
        (ended.map(|march| march.steps).map_err(|breach| breach.deed), game.seen.cited().contains("2"))
    };
    assert_eq!(march(&[0, 0]), (Ok(2), true));
    assert_eq!(march(&[0]), (Ok(1), false));
    assert_eq!(march(&[1, 1, 0, 5]), (Ok(4), false), "it would have stopped anyway");
    assert_eq!(march(&[0, 0, 1]), (Err(Provides::Move), false));
    let mut led = game(rules("", ""), "foot", (-4, 0));
    led.phase("command", &[]).phase("move", &[]);
    assert_eq!(led.first().front.x, -1, "a doctrine stops there too");
    led.saw("2");
}
