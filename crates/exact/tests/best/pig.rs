//! Pig, the game of when to stop: a pack compared with dynamic programming.
//!
//! On its turn a player rolls a die as often as it likes. A one ends the turn, and the points of the turn are lost; all
//! other rolls are added up, and banked when the player stops. The first to bank a given number of points wins. With
//! 100 points the first player wins in 0.5306 of the games (Neller and Presser, "Optimal play of the dice game Pig",
//! 2004); the pack plays for fewer points, with a die of fewer faces.

use std::collections::BTreeMap;
use std::fmt::Write;

use grognard_engine::Side;
use grognard_exact::best::Plays;
use grognard_rules::library;
use grognard_rules::model::Rules;
use grognard_source::Sources;

use super::{explored, value};
use crate::common::{Men, duel};

/// The points needed to win. The number of morale states limits them.
const GOAL: u16 = 5;
/// The faces of the die.
const FACES: u16 = 3;
/// The turns of a game. A game that lasts longer is drawn.
const TURNS: u8 = 8;

/// The pack: a player's figures are the points still to be banked, and the points of the turn are a morale state. A
/// player stops by changing formation, which is allowed once a turn. A one on the die is a morale state too.
fn pig() -> Rules {
    let throws = GOAL.div_ceil(2);
    let points = |of: &dyn Fn(u16) -> String| (0..=GOAL).map(of).collect::<String>();
    let states = points(&|points| format!("{{ id = 't{points}' }}, "));
    // The number of a state, for formulas.
    let number =
        (1..=GOAL).fold("0".to_owned(), |rest, points| format!("self.morale == 't{points}' ? {points} : ({rest})"));
    let mut pack = format!(
        "pack = 'pig'\ntitle = 'Pig'\nversion = '1.0.0'\nboard = 'none'\narms = ['hand']\n\
        [die.still]\nfaces = [1, 1]\n\
        [morale]\nstate = [{states}{{ id = 'one' }}, {{ id = 'lost', broken = true }}]\n\
        [formation.red]\ntitle = 'red'\narms = ['hand']\n[formation.blue]\ntitle = 'blue'\narms = ['hand']\n\
        [unit.player]\ntitle = 'Player'\narm = 'hand'\nfigures = {GOAL}\nformation = 'red'\nspeed = {{ red = 0, blue = 0 }}\n\
        [roll.throw]\ntitle = 'throws'\nmechanic = 'under'\nown = {{ dice = 'd{FACES}' }}\ntarget = \"10 * ({number}) + 10\"\n\
        [[roll.throw.result]]\nid = 'one'\ntitle = 'throws a one'\nwhen = 'margin % 10 == 9'\nown = {{ morale = 'one' }}\n"
    );
    for to in 2..=GOAL {
        // The margin is ten times the points so far, plus ten minus the die.
        let ways = (0..GOAL).flat_map(|from| (2..=FACES).map(move |die| (from, die)));
        let ways = ways
            .filter(|(from, die)| (from + die).min(GOAL) == to)
            .map(|(from, die)| format!("margin == {}", 10 * from + 10 - die));
        let when = ways.collect::<Vec<_>>().join(" || ");
        let _ = write!(
            pack,
            "[[roll.throw.result]]\nid = 'to-{to}'\ntitle = 'has {to}'\nwhen = '{when}'\nown = {{ morale = 't{to}' }}\n"
        );
    }
    let _ = write!(
        pack,
        "[[roll.throw.result]]\nid = 'all'\ntitle = 'has them all'\n\
        [roll.bank]\ntitle = 'banks'\nmechanic = 'under'\nown = {{ dice = 'still' }}\ntarget = \"self.figures <= ({number}) ? 101 : ({number}) + 1\"\n\
        [[roll.bank.result]]\nid = 'home'\ntitle = 'has won'\nwhen = 'margin == 100'\nfoe = {{ morale = 'lost' }}\n\
        [[roll.bank.result]]\nid = 'some'\ntitle = 'banks'\nown = {{ lose = 'margin', rally = 't0' }}\n"
    );
    for throw in 0..throws {
        let _ = write!(
            pack,
            "[[phase]]\nid = 'choose-{throw}'\ntitle = 'Choose'\nmechanism = 'formation'\nwhen = \"self.morale != 'one' && self.morale != 't{GOAL}'\"\n\
            [[phase]]\nid = 'throw-{throw}'\ntitle = 'Throw'\nmechanism = 'exchange'\nroll = 'throw'\nby = 'active'\n\
            when = \"self.morale != 'one' && self.morale != 't{GOAL}' && !self.changed\"\n"
        );
    }
    pack += "[[phase]]\nid = 'bank'\ntitle = 'Bank'\nmechanism = 'exchange'\nroll = 'bank'\nby = 'active'\n";
    let row = |throw: u16, [from, to]: [&str; 2]| {
        format!(
            "{{ id = '{to}-{throw}', phase = 'choose-{throw}', when = \"self.formation == '{from}'\", do = 'form', formation = '{to}' }}, "
        )
    };
    let rows: String =
        (1..throws).flat_map(|throw| [["red", "blue"], ["blue", "red"]].map(|way| row(throw, way))).collect();
    let _ = write!(pack, "[doctrine.once]\ntitle = 'throws once'\nrow = [{rows}]\n[victory]\nbroken = 100\n");
    let mut sources = Sources::new();
    let place = std::env::temp_dir().join(format!("grognard-pig-{}", std::process::id()));
    std::fs::create_dir_all(&place).expect("a folder can be made");
    std::fs::write(place.join("pack.toml"), pack).expect("a file can be written");
    let rules = library::load(&place.to_string_lossy(), None, &mut sources).and_then(|pack| pack.compile(&sources));
    std::fs::remove_dir_all(&place).expect("a folder can be removed");
    rules.unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)))
}

/// The value to the player whose turn it is, by the points that the player and the other still need, the points of this
/// turn, and the half-turns left after this one.
struct Table {
    known: BTreeMap<(u16, u16, u16, u16), f64>,
}

impl Table {
    fn value(&mut self, own: u16, other: u16, turn: u16, left: u16) -> f64 {
        if turn >= own {
            return 1.0;
        }
        if let Some(known) = self.known.get(&(own, other, turn, left)) {
            return *known;
        }
        let stop = self.stop(own - turn, other, left);
        // Rolling a one is like stopping with nothing.
        let mut throw = self.stop(own, other, left);
        for die in 2..=FACES {
            throw += self.value(own, other, turn + die, left);
        }
        throw /= f64::from(FACES);
        // A turn begins with a roll.
        let best = if turn == 0 { throw } else { stop.max(throw) };
        self.known.insert((own, other, turn, left), best);
        best
    }

    /// The value if the player stops and it is the other's turn.
    fn stop(&mut self, own: u16, other: u16, left: u16) -> f64 {
        if left == 0 { 0.5 } else { 1.0 - self.value(other, own, 0, left - 1) }
    }
}

#[test]
fn pig_is_played_as_by_dynamic_programming() {
    let rules = pig();
    let player = Men { kind: "player", doctrine: Some("once"), ..Men::default() };
    let setup = duel(&rules, player, player, TURNS);
    let graph = explored(&rules, &setup);
    let mut table = Table { known: BTreeMap::new() };
    let by_hand = table.value(GOAL, GOAL, 0, 2 * u16::from(TURNS) - 1);
    let best = value(&graph, Plays::Best, Plays::Best);
    assert!((best - by_hand).abs() < 1e-12, "{best}, by dynamic programming {by_hand}");
    // A player who stops after one roll does worse than one who knows when to stop.
    let [once, against] = [(Plays::Doctrine, Plays::Doctrine), (Plays::Doctrine, Plays::Best)]
        .map(|(first, second)| value(&graph, first, second));
    assert!(best > once + 0.01 || against < once - 0.01, "{once}, {against}, {best}");
    assert!(graph.points().iter().any(|point| point.side == Side::Second));
}

/// The same recursion, iterated until nothing changes, gives the published value of the game to 100 points.
#[test]
#[ignore = "takes a minute: `just players` runs it"]
fn the_game_to_a_hundred_points_comes_to_what_is_published() {
    const POINTS: usize = 100;
    let at = |own: usize, other: usize, turn: usize| (own * (POINTS + 1) + other) * POINTS + turn;
    let mut values = vec![0.5_f64; (POINTS + 1) * (POINTS + 1) * POINTS];
    let mut change = 1.0;
    while change > 1e-9 {
        change = 0.0_f64;
        for (own, other) in (1..=POINTS).flat_map(|own| (1..=POINTS).map(move |other| (own, other))) {
            for turn in (0..own).rev() {
                let lost = 1.0 - values[at(other, own, 0)];
                let throw: f64 =
                    (2..=6).map(|die| if turn + die >= own { 1.0 } else { values[at(own, other, turn + die)] }).sum();
                let stop = if turn == 0 { 0.0 } else { 1.0 - values[at(other, own - turn, 0)] };
                let best = stop.max((lost + throw) / 6.0);
                let known = &mut values[at(own, other, turn)];
                change = change.max((best - *known).abs());
                *known = best;
            }
        }
    }
    let first = values[at(POINTS, POINTS, 0)];
    assert!((first - 0.5306).abs() < 0.00005, "{first}");
}
