//! Counters: what changes them, their limits, and their effects on a unit.

use grognard_engine::{Side, deploy};
use grognard_rules::compile;
use grognard_rules::model::{ByteId, MoraleId, Rules};
use grognard_source::{Document, Sources};

use super::one_roll::{SAMPLED, exact, sampled};
use crate::common::{Game, agree, deployment, unit};

/// Walkers that shoot at each other. A shot rolls a die for each round of ammunition left and then spends one round.
/// Each die of 4 or more adds a point of stress.
const WALKERS: &str = r#"
pack = "walkers"
title = "Walkers"
version = "1"
board = "none"
arms = ["walkers", "forts"]

[morale]
state = [{ id = "good" }, { id = "shaken", shaken = true }, { id = "broken", broken = true }]

[counter.stress]
max = 3
below = "stop"
ABOVE
effect = EFFECT
cite = ["1"]

[counter.ammunition]
title = "ammunition"
max = 4
start = 2
below = "stop"
when = "self.arm != 'forts'"
change = CHANGE
cite = ["2"]

[unit.walker]
title = "Walker"
arm = "walkers"
figures = 4

[unit.scout]
title = "Scout"
arm = "walkers"
figures = 1
counters = { ammunition = 1 }

[unit.fort]
title = "Fort"
arm = "forts"
figures = 4

[roll.shot]
title = "shot"
mechanic = "pool"
own = { dice = "d6", count = "self.ammunition", need = 4 }

[[roll.shot.result]]
id = "hits"
when = "hits > 0"
foe = FOE
own = { add = { ammunition = -1 } }

[[roll.shot.result]]
id = "miss"
own = { add = { ammunition = -1 } }

[[phase]]
id = "shoot"
title = "Shoot"
mechanism = "exchange"
roll = "shot"
when = "self.ammunition > 0"
half = "first"

[victory]
broken = 100

[[clause]]
id = "1"
text = "Hits stress a walker."

[[clause]]
id = "2"
text = "A shot costs ammunition."

[[clause]]
id = "3"
text = "Stress wrecks a walker."

[[clause]]
id = "4"
text = "Stress passes."
"#;

/// The parts of the pack that a test fills in.
#[derive(Clone, Copy)]
struct Parts {
    above: &'static str,
    effect: &'static str,
    change: &'static str,
    foe: &'static str,
}

const PLAIN: Parts =
    Parts { above: "above = 'stop'", effect: "[]", change: "[]", foe: "{ add = { stress = 'hits' } }" };

/// Compiles the pack with these parts. If it has faults, returns their number and their text.
fn compiled(parts: Parts) -> Result<&'static Rules, (usize, String)> {
    let Parts { above, effect, change, foe } = parts;
    let text = WALKERS.replace("ABOVE", above).replace("EFFECT", effect).replace("CHANGE", change).replace("FOE", foe);
    crate::common::compiled("walkers.toml", text)
}

fn game(parts: Parts, own: &str, foe: &str) -> Game {
    let rules = compiled(parts).unwrap_or_else(|(_, faults)| panic!("{faults}"));
    Game::under(rules, ("none", &[unit(own)]), ("none", &[unit(foe)]))
}

/// The stress of the target, and the ammunition of the shooter.
fn counts(game: &Game) -> (i32, i32) {
    let of = |id: &str| game.rules.counters.iter().position(|counter| counter.id == id).expect("a counter") as u8;
    (game.second().counters.get(of("stress")), game.first().counters.get(of("ammunition")))
}

#[test]
fn results_add_to_counters_and_rolls_read_them() {
    let mut game = game(PLAIN, "walker", "walker");
    assert_eq!(counts(&game), (0, 2));
    // With two rounds, two dice are rolled; then one round is left, and then none.
    assert_eq!(counts(game.phase("shoot", &[4, 6])), (2, 1));
    game.saw("1");
    game.saw("2");
    assert_eq!(
        game.specials(),
        ["Walker (second): stress rises from 0 to 2.", "Walker (first): ammunition falls from 2 to 1."]
    );
    assert_eq!(counts(game.phase("shoot", &[3])), (2, 0));
    assert_eq!(counts(game.phase("shoot", &[])), (2, 0));
}

#[test]
fn a_type_may_begin_with_something_else_and_another_may_have_no_such_counter() {
    let mut scout = game(PLAIN, "scout", "walker");
    assert_eq!(counts(&scout), (0, 1));
    assert_eq!(counts(scout.phase("shoot", &[4])), (1, 0));
    // A fort never spends its two rounds, because the counter does not apply to it.
    let mut fort = game(PLAIN, "fort", "walker");
    assert_eq!(counts(fort.phase("shoot", &[1, 2])), (0, 2));
    assert_eq!(counts(fort.phase("shoot", &[1, 2])), (0, 2));
}

#[test]
fn a_counter_is_set() {
    let set = Parts { foe: "{ set = { stress = 3 } }", ..PLAIN };
    assert_eq!(counts(game(set, "walker", "walker").phase("shoot", &[4, 4])), (3, 1));
    let none = Parts { foe: "{ set = { stress = 0 } }", ..PLAIN };
    let mut game = game(none, "walker", "walker");
    let mut before = game.second().counters;
    before.set(1, 2);
    game.unit_mut(Side::Second, 0).counters = before;
    assert_eq!(counts(game.phase("shoot", &[4, 4])), (0, 1));
}

#[test]
fn the_pack_says_what_happens_at_the_end_of_the_range() {
    let twice = "{ add = { stress = '2 * hits' } }";
    let mut stops = game(Parts { foe: twice, ..PLAIN }, "walker", "walker");
    assert_eq!(counts(stops.phase("shoot", &[4, 4])), (3, 1));
    assert_eq!(stops.specials()[0], "Walker (second): stress rises from 0 to 3, its maximum.");
    assert_eq!(stops.second().figures, 4);
    let suffers = Parts { above: "above = { lose = 1 }", foe: twice, ..PLAIN };
    let mut exactly = game(suffers, "scout", "walker");
    assert_eq!(counts(exactly.phase("shoot", &[4])), (2, 0), "within its range nothing else happens");
    assert_eq!(exactly.second().figures, 4);
    let mut beyond = game(suffers, "walker", "walker");
    assert_eq!(counts(beyond.phase("shoot", &[4, 4])), (3, 1));
    assert_eq!(beyond.second().figures, 3);
}

/// Three points of stress wreck a walker; two shake it.
const WRECK: &str = "[{ id = 'shake', title = 'is shaken', when = 'self.stress == 2', own = { morale = 'shaken' }, cite = ['3'] }, \
    { id = 'wreck', title = 'is wrecked', when = 'self.stress == 3', own = { destroy = true }, cite = ['3'] }]";

#[test]
fn a_counter_changes_what_a_unit_is() {
    let parts = Parts { effect: WRECK, ..PLAIN };
    let mut once = game(parts, "scout", "walker");
    once.phase("shoot", &[4]);
    assert_eq!((once.second().morale.byte(), once.second().gone()), (0, false));
    let mut twice = game(parts, "walker", "walker");
    twice.phase("shoot", &[4, 4]);
    twice.saw("3");
    assert_eq!((twice.second().morale.byte(), twice.second().gone()), (1, false));
    assert!(twice.specials().contains(&"Walker (second) is shaken."), "{:?}", twice.specials());
    twice.phase("shoot", &[4]);
    assert!(twice.second().gone());
    assert!(twice.outcome.is_some(), "the battle is over");
    // A counter that does not change has no further effect.
    let mut still = game(parts, "walker", "walker");
    still.phase("shoot", &[4, 4]);
    still.unit_mut(Side::Second, 0).morale = MoraleId::FIRST;
    still.phase("shoot", &[3]);
    assert_eq!(still.second().morale, MoraleId::FIRST);
}

#[test]
fn what_an_effect_does_to_its_own_counter_sets_off_nothing_further() {
    let reset = "[{ id = 'crack', title = 'cracks', when = 'self.stress >= 2', own = { lose = 1, set = { stress = 2 } }, cite = ['3'] }]";
    let mut game = game(Parts { effect: reset, foe: "{ add = { stress = 3 } }", ..PLAIN }, "scout", "walker");
    game.phase("shoot", &[4]);
    assert_eq!((counts(&game).0, game.second().figures), (2, 3));
}

/// The phase is played only in the first half of a turn: both halves begin and end, but a unit shoots in only one of
/// them.
#[test]
fn counters_change_by_themselves_as_turns_and_phases_go_by() {
    for (row, faces, first, second) in [
        ("on = 'turn-begins', set = 4", 4, 3, 4),
        ("on = 'turn-ends', set = 4", 2, 4, 4),
        ("on = 'turn-ends', set = 4, when = 'self.ammunition < 2'", 2, 4, 2),
        ("on = 'phase', phase = 'shoot', set = 4", 2, 4, 2),
        ("on = 'turn-begins', add = 1, when = 'self.ammunition < 4'", 3, 2, 3),
        ("on = 'turn-begins', add = 'self.ammunition', when = 'self.ammunition < 3'", 4, 3, 4),
    ] {
        let change: &'static str = Box::leak(format!("[{{ id = 'row', {row}, cite = ['4'] }}]").into_boxed_str());
        let mut game = game(Parts { change, ..PLAIN }, "walker", "walker");
        let ammunition = |game: &Game| [game.first(), game.second()].map(|unit| unit.counters.get(0));
        assert_eq!(ammunition(game.phase("shoot", &vec![1; faces])), [first, 2], "{row}");
        game.saw("4");
        assert_eq!(ammunition(game.phase_of(Side::Second, "shoot", &[])), [first, second], "{row}");
    }
}

#[test]
fn the_study_says_what_counters_begin_with() {
    let rules = compiled(PLAIN).unwrap_or_else(|(_, faults)| panic!("{faults}"));
    let mut plan = deployment(("none", &[unit("walker")]), ("none", &[unit("walker")]));
    plan.sides.first.units[0].counters = vec![("ammunition".to_owned(), 4)];
    let setup = deploy(rules, &plan).expect("it can be deployed");
    assert_eq!(setup.start.units[0].counters.get(0), 4);
    for (name, value, message) in
        [("ammunition", 5, "ammunition of Walker cannot be 5 (2)"), ("amunition", 1, "there is no counter `amunition`")]
    {
        plan.sides.first.units[0].counters = vec![(name.to_owned(), value)];
        let faults = deploy(rules, &plan).expect_err("a bad value");
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert_eq!(faults[0].path, format!("first.0.counters.{name}"));
        assert!(faults[0].message.contains(message), "{faults:?}");
    }
}

/// Two dice are rolled, and then one, each with a chance of 1/2 of causing a point of stress. Three points, which wreck
/// a walker, have a chance of 1/8. With one die each time, the points never reach three.
#[test]
fn exact_and_sampled_odds_are_those_of_the_counters() {
    let rules = compiled(Parts { effect: WRECK, ..PLAIN }).unwrap_or_else(|(_, faults)| panic!("{faults}"));
    for (own, wrecked) in [("walker", 0.125), ("scout", 0.0)] {
        let mut plan = deployment(("none", &[unit(own)]), ("none", &[unit("walker")]));
        plan.turns = 3;
        let setup = deploy(rules, &plan).expect("it can be deployed");
        let odds = exact(rules, &setup, |outcome| outcome.winner);
        assert!((odds.get(&Some(Side::First)).unwrap_or(&0.0) - wrecked).abs() < 1e-12, "{own}: {odds:?}");
        let counts = sampled(rules, &setup, SAMPLED, |outcome| outcome.winner);
        agree(own, counts.get(&Some(Side::First)).copied().unwrap_or(0), SAMPLED, wrecked);
    }
}

#[test]
fn every_bad_value_is_one_fault_with_its_place() {
    let row =
        |row: &str| -> &'static str { Box::leak(format!("[{{ id = 'row', {row}, cite = ['4'] }}]").into_boxed_str()) };
    for (parts, key, message) in [
        (Parts { above: "above = 'stops'", ..PLAIN }, "above", "stops"),
        (Parts { above: "", ..PLAIN }, "foe", "`stress` can rise to 7 here, but its maximum is 3"),
        (Parts { above: "start = 4\nabove = 'stop'", ..PLAIN }, "start", "`stress` cannot be 4"),
        (Parts { above: "min = 4\nabove = 'stop'", ..PLAIN }, "max", "a counter from 4 to 3 has no value"),
        // The fault is not reported a second time where the counter is read.
        (
            Parts { above: "min = 4\nabove = 'stop'", effect: WRECK, ..PLAIN },
            "max",
            "a counter from 4 to 3 has no value",
        ),
        (Parts { foe: "{ set = { stress = 4 } }", ..PLAIN }, "foe", "`stress` cannot be 4"),
        (Parts { foe: "{ set = { stress = 1 }, add = { stress = 1 } }", ..PLAIN }, "foe", "is also added to"),
        (Parts { foe: "{ add = { stres = 1 } }", ..PLAIN }, "foe", "did you mean `stress`?"),
        (Parts { foe: "{ add = { stress = 'hits * 60' } }", ..PLAIN }, "foe", "this can be 120"),
        (Parts { foe: "{ add = { stress = 'hit' } }", ..PLAIN }, "foe", "`hit`"),
        (Parts { foe: "{ add = { stress = 101 } }", ..PLAIN }, "foe", "101 cannot be added"),
        (Parts { change: row("on = 'turn-begins', add = 1"), ..PLAIN }, "change", "`ammunition` can rise to 5 here"),
        (
            Parts { change: row("on = 'turn-begins', add = 2, when = 'self.ammunition < 4'"), ..PLAIN },
            "change",
            "`ammunition` can rise to 5 here",
        ),
        (Parts { change: row("on = 'turn-begins', set = 9"), ..PLAIN }, "change", "`ammunition` cannot be 9"),
        (Parts { change: row("on = 'turn-begins'"), ..PLAIN }, "change", "give `add` or `set`"),
        (Parts { change: row("on = 'turn-begins', set = 1, add = 1"), ..PLAIN }, "change", "give `add` or `set`"),
        (Parts { change: row("on = 'phase', set = 1"), ..PLAIN }, "change", "`on = \"phase\"` needs `phase`"),
        (Parts { change: row("on = 'phase', phase = 'shot', set = 1"), ..PLAIN }, "change", "did you mean `shoot`?"),
        (Parts { change: row("on = 'turn-ends', phase = 'shoot', set = 1"), ..PLAIN }, "change", "only"),
        (
            Parts { effect: "[{ id = 'x', title = 'x', when = 'self.stres > 1', own = {}, cite = ['3'] }]", ..PLAIN },
            "effect",
            "self.stres",
        ),
        (
            Parts {
                effect: "[{ id = 'x', title = 'x', when = 'self.stress > 1', own = { add = { stress = '1' } }, cite = ['3'] }]",
                ..PLAIN
            },
            "effect",
            "there is no roll here whose totals a formula could read",
        ),
    ] {
        let Err((count, faults)) = compiled(parts) else { panic!("{message}: it compiles") };
        assert_eq!(count, 1, "{message}:\n{faults}");
        assert!(faults.contains(message), "{message}:\n{faults}");
        let Parts { above, effect, change, foe } = parts;
        let text = WALKERS.replace("ABOVE", above).replace("EFFECT", effect).replace("CHANGE", change);
        let text = text.replace("FOE", foe);
        let line = text.lines().position(|line| line.starts_with(key)).expect("it is there") + 1;
        assert!(faults.contains(&format!("walkers.toml:{line}:")), "{message}:\n{faults}");
    }
    for (name, message) in
        [("morale", "every unit already has `morale`"), ("Bad", "`Bad` is not a valid name for a counter")]
    {
        let mut sources = Sources::new();
        let text = WALKERS.replace("ABOVE", "").replace("EFFECT", "[]").replace("CHANGE", "[]").replace("FOE", "{}");
        let file = sources.add("walkers.toml", format!("{text}\n[counter.{name}]\nmax = 1"));
        let faults = Document::parse(file, &sources).and_then(|document| compile(&document, &sources)).err();
        let faults = faults.expect("a bad name").render(&sources, false);
        assert!(faults.contains(message), "{faults}");
    }
}

/// The entry in `docs/common-rules.md`: a suppressed unit shoots worse in its own half of the turn, and keeps half of
/// its points afterwards.
#[test]
fn suppression_that_decays_hampers_shots_before_it_does() {
    let page = include_str!("../../../../docs/common-rules.md");
    let (_, entry) = page.split_once("file=suppression/pack.toml").expect("the entry");
    let (_, lines) = entry.split_once("extends = \"patrol\"\n").expect("a variant of patrol");
    let (lines, _) = lines.split_once("```").expect("its end");
    let rules = crate::common::extended("patrol", lines).unwrap_or_else(|faults| panic!("{faults}"));
    let counter = rules.counters.iter().position(|counter| counter.id == "suppression").expect("the counter") as u8;
    let teams = [unit("rifles").at(0.0, 0.0).facing(0.0), unit("rifles").at(0.0, 10.0).facing(180.0)];
    let under = |points: i32| {
        let mut game = Game::under(rules, ("fire-only", &teams[..1]), ("fire-only", &teams[1..]));
        game.unit_mut(Side::First, 0).counters.set(counter, points);
        game
    };
    // A five hits, but a suppressed team needs a six.
    let lost = |points: i32, faces: &[i32]| {
        let mut game = under(points);
        game.phase("fire", faces);
        (4 - game.second().figures, game.second().counters.get(counter))
    };
    assert_eq!(lost(0, &[5, 1, 1, 1, 6]), (1, 1), "who loses figures gains a point");
    assert_eq!(lost(1, &[5, 5, 5, 5]), (0, 0));
    assert_eq!(lost(1, &[6, 5, 5, 5, 6]), (1, 1));
    for (points, after) in [(1, 0), (2, 1), (3, 1), (8, 4)] {
        let mut game = under(points);
        // Its own half begins with the first phase and ends with the last.
        game.phase("move", &[]);
        assert_eq!(game.first().counters.get(counter), points, "it acts under all of them");
        game.phase("aid", &[]);
        assert_eq!(game.first().counters.get(counter), after);
    }
}
