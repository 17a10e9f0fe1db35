//! Resolution of combats: bonuses of both sides are compared, and later phases read which side leads, and by how much.

use grognard_dice::ScriptedDice;
use grognard_engine::{Event, Outcome, Side, deploy, fight};
use grognard_rules::compile;
use grognard_rules::model::{ByteId, MoraleId, Rules};
use grognard_source::{Document, Sources};

use super::one_roll::{SAMPLED, exact, sampled};
use crate::common::{Game, Men, Recorder, agree, assert_one_fault, deployment, extended, unit};

/// Units that roll dice against the nearest enemy. Wounds and ranks are compared; the side that is behind tests, and
/// may flee and be caught.
const FRAY: &str = r#"
pack = "fray"
title = "A fray"
version = "1"
BOARD
arms = ["foot"]

[morale]
state = [{ id = "good" }, { id = "broken", broken = true }]

[attribute]
depth = { title = "Ranks.", min = 0, max = 3, default = 0 }
nerve = { title = "Nerve.", min = 2, max = 12, default = 7 }

[counter.wounds]
max = 20
above = "stop"

[[counter.wounds.change]]
id = "over"
on = "phase"
phase = "resolution"
set = 0
cite = ["1"]

[counter.edge]
min = -20
max = 20
start = 0
below = "stop"
above = "stop"

[unit.spears]
title = "Spears"
arm = "foot"
figures = 10
is = { depth = 2 }
GROUND

[unit.swords]
title = "Swords"
arm = "foot"
figures = 10
is = { depth = 1 }
GROUND

[roll.strike]
title = "strike"
mechanic = "pool"
own = { dice = "d6", count = 2, need = 4 }

[[roll.strike.result]]
id = "wounds"
own = { add = { wounds = "hits" } }
foe = { lose = "hits" }

[roll.break]
title = "break test"
mechanic = "under"
own = { dice = "2d6" }
target = "self.nerve + self.edge"

[[roll.break.result]]
id = "stands"
when = "margin >= 0"

[[roll.break.result]]
id = "breaks"
own = { morale = "broken", sets-off = "broken" }

[roll.pursuit]
title = "flight and pursuit"
mechanic = "opposed"
own = { dice = "2d6" }
foe = { dice = "2d6" }

[[roll.pursuit.result]]
id = "escapes"
when = "margin > 0"

[[roll.pursuit.result]]
id = "caught"
own = { destroy = true }

[[reaction]]
id = "pursuit"
title = "is pursued"
on = "broken"
roll = "pursuit"

[[phase]]
id = "strike"
title = "Strikes"
mechanism = "exchange"
roll = "strike"
by = "both"
half = "first"
simultaneous = true

[[phase]] # of resolution
id = "resolution"
title = "Combat resolution"
mechanism = "resolve"
into = "edge"
half = "first"
cite = ["2"]
bonus = [
  { id = "wounds", add = "self.wounds", cite = ["3"] },
  RANKS
]

[[phase]]
id = "break"
title = "Break tests"
mechanism = "test"
roll = "break"
when = "self.edge < 0"
by = "both"
half = "first"
simultaneous = true

[doctrine.none]
title = "stands"
row = []

[victory]
broken = 100

[[clause]]
id = "1"
text = "Wounds are forgotten."

[[clause]]
id = "2"
text = "Combats are resolved."

[[clause]]
id = "3"
text = "Wounds count."

[[clause]]
id = "4"
text = "Ranks count."
"#;

const RANKS: &str = r#"{ id = "ranks", when = "self.depth > 0", add = "self.depth", take = "most", cite = ["4"] },"#;

const NOWHERE: (&str, &str) = (r#"board = "none""#, "");

/// A table with units an inch wide and deep.
const TABLE: (&str, &str) = (
    r#"board = "plane"
table = { width = 48, depth = 48 }
arc = { angle = 45 }
movement = { narrow = 1, gap = 1, touch = { inches = 0.05, cite = ["1"] } }
formation.block = { title = "block", arms = ["foot"], layout = { ranks = 1 }, facing = "front" }"#,
    "width = 0.1\ndepth = 1\nformation = \"block\"\nspeed = { block = 4 }",
);

fn text((board, ground): (&str, &str), ranks: &str) -> String {
    FRAY.replace("BOARD", board).replace("GROUND", ground).replace("RANKS", ranks)
}

fn compiled(text: String) -> &'static Rules {
    let mut sources = Sources::new();
    let file = sources.add("fray.toml", text);
    let rules = Document::parse(file, &sources).and_then(|document| compile(&document, &sources));
    Box::leak(Box::new(rules.unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)))))
}

fn men(kinds: &[&str]) -> Vec<Men> {
    kinds.iter().map(|kind| unit(kind)).collect()
}

fn fray(rules: &'static Rules, first: &[&str], second: &[&str]) -> Game {
    Game::under(rules, ("none", &men(first)), ("none", &men(second)))
}

/// The lead of every unit, the first side's before the second's.
fn edges(game: &Game) -> Vec<i32> {
    game.battle.units.iter().map(|unit| unit.counters.get(0)).collect()
}

#[test]
fn both_sides_are_compared_and_the_lead_is_kept() {
    let rules = compiled(text(NOWHERE, RANKS));
    let mut game = fray(rules, &["spears"], &["swords"]);
    // One wound counts against two, and two ranks against one.
    game.phase("strike", &[4, 3, 4, 4]).phase("resolution", &[]);
    assert_eq!(edges(&game), [0, 0], "a draw");
    assert!(game.specials().contains(&"Spears (first) 3 against Swords (second) 3: neither side loses."));
    game.phase("break", &[]);
    game.phase("strike", &[4, 4, 4, 3]).phase("resolution", &[]);
    assert_eq!(edges(&game), [2, -2]);
    let told = game.specials();
    let resolution = &told[told.iter().rposition(|line| line.contains("counts 2 for wounds")).expect("it is told")..];
    assert_eq!(
        resolution,
        [
            "Spears (first) counts 2 for wounds.",
            "Spears (first) counts 2 for ranks.",
            "Swords (second) counts 1 for wounds.",
            "Swords (second) counts 1 for ranks.",
            "Spears (first) 4 against Swords (second) 2: second loses by 2.",
            "Spears (first): edge rises from 0 to 2.",
            "Swords (second): edge falls from 0 to -2.",
            "Spears (first): wounds falls from 2 to 0.",
            "Swords (second): wounds falls from 1 to 0.",
        ]
    );
    for clause in ["2", "3", "4"] {
        game.saw(clause);
    }
    // 2d6 must not exceed 5, a nerve of 7 minus the lead of 2.
    game.phase("break", &[3, 2]);
    assert!(!game.second().broken(rules));
    game.phase("break", &[3, 3, 4, 4, 4, 3]);
    assert!(game.second().broken(rules) && !game.second().gone(), "it outruns its pursuer");
    // Broken units are not in a combat: the lead is reset.
    game.phase("resolution", &[]);
    assert_eq!(edges(&game), [0, 0]);
}

#[test]
fn equal_or_longer_pursuit_catches() {
    let rules = compiled(text(NOWHERE, RANKS));
    let mut game = fray(rules, &["spears"], &["swords"]);
    game.phase("strike", &[4, 4, 1, 1]).phase("resolution", &[]);
    game.phase("break", &[6, 6, 4, 4, 4, 4]);
    assert!(game.second().gone());
    assert_eq!(
        game.outcome.map(|outcome| (outcome.winner, outcome.sides.second.losses)),
        Some((Some(Side::First), 10))
    );
}

#[test]
fn who_flees_from_nobody_is_not_pursued() {
    let rules = compiled(text(NOWHERE, RANKS));
    // Enemies that have fallen or broken do not pursue, so no dice are rolled for them.
    let leave: [fn(&mut Game); 2] = [
        |game| game.unit_mut(Side::First, 0).figures = 0,
        |game| game.unit_mut(Side::First, 0).morale = MoraleId::from_byte(1),
    ];
    for leaves in leave {
        let mut game = fray(rules, &["spears"], &["swords"]);
        game.phase("strike", &[4, 4, 1, 1]).phase("resolution", &[]);
        leaves(&mut game);
        game.phase("break", &[6, 6]);
        assert!(game.second().broken(rules) && !game.second().gone());
    }
}

#[test]
fn several_units_add_up_or_bring_the_greatest() {
    let first: &[&str] = &["spears", "swords"];
    let most = compiled(text(NOWHERE, RANKS));
    let mut game = fray(most, first, &["swords"]);
    game.phase("strike", &[4, 1, 4, 1, 1, 1]).phase("resolution", &[]);
    // Two wounds and the two ranks of the spears count against one rank.
    assert_eq!(edges(&game), [3, 3, -3]);
    let sum = compiled(text(NOWHERE, &RANKS.replace("\"most\"", "\"sum\"")));
    let mut game = fray(sum, first, &["swords"]);
    game.phase("strike", &[4, 1, 4, 1, 1, 1]).phase("resolution", &[]);
    assert_eq!(edges(&game), [4, 4, -4]);
    // Each side's losses count for its enemy.
    let lost = RANKS.replace("add = \"self.depth\"", "of = \"foe\", add = \"self.lost\"").replace("most", "sum");
    let mut game = fray(compiled(text(NOWHERE, &lost)), first, &["swords"]);
    game.phase("strike", &[4, 1, 4, 1, 4, 1]).phase("resolution", &[]);
    assert_eq!(edges(&game), [2, 2, -2]);
    assert!(game.specials().contains(&"Spears (first 1) and Swords (first 2) count 2 for ranks."));
}

#[test]
fn on_a_table_those_who_touch_are_in_one_combat() {
    let rules = compiled(text(TABLE, RANKS));
    // Units of ten figures, an inch wide. Two of red's units touch the same enemy, a third touches another, and the
    // last touches none.
    let red = [
        unit("spears").at(-0.5, 0.0),
        unit("spears").at(0.5, 0.0),
        unit("swords").at(10.0, 0.0),
        unit("spears").at(-10.0, 0.0),
    ];
    let blue = [unit("swords").at(0.0, 0.0), unit("spears").at(10.0, 0.04), unit("swords").at(-10.0, 0.06)];
    let red = red.map(|men| men.facing(0.0));
    let blue = blue.map(|men| men.facing(180.0));
    let mut game = Game::under(rules, ("none", &red), ("none", &blue));
    game.phase("resolution", &[]);
    assert_eq!(edges(&game), [1, 1, -1, 0, -1, 1, 0]);
    // Only units that take part count: no swords fight swords here.
    let picked = text(TABLE, RANKS).replace("into = \"edge\"", "into = \"edge\"\nwhen = \"self.type == 'swords'\"");
    let mut game = Game::under(compiled(picked), ("none", &red), ("none", &blue));
    game.phase("resolution", &[]);
    assert_eq!(edges(&game), [0; 7]);
}

#[test]
fn on_hexes_neighbours_are_in_one_combat() {
    let rows = r#"
[counter.edge]
min = -20
max = 20
start = 0
below = "stop"
above = "stop"

[[phase]]
id = "resolution"
title = "Combat resolution"
mechanism = "resolve"
into = "edge"
bonus = [{ id = "numbers", add = 1, cite = ["house"], note = "Numbers." }]
"#;
    let rules = extended("ancients-hex", rows).unwrap_or_else(|faults| panic!("{faults}"));
    let at = |q: f64, r: f64| unit("heavy-infantry").at(q, r);
    let mut game = Game::under(
        rules,
        ("still", &[at(0.0, 0.0), at(1.0, 0.0), at(4.0, 0.0)]),
        ("still", &[at(0.0, 1.0), at(-3.0, 3.0)]),
    );
    game.phase("resolution", &[]);
    assert_eq!(edges(&game), [1, 1, 0, -1, 0], "two touch the same enemy");
}

#[test]
fn a_variant_changes_adds_and_removes_rows_of_a_phase() {
    let rows = r#"
[[phase]]
id = "resolution"

[[phase.bonus]]
id = "ranks"
add = 2

[[phase.bonus]]
id = "numbers"
when = "self.figures > foe.figures"
add = 1
cite = ["house"]
note = "More men."

[[phase.bonus]]
id = "hill"
remove = true
"#;
    let rules = extended("ranked-fantasy", rows).unwrap_or_else(|faults| panic!("{faults}"));
    let phase = rules.phases.iter().find(|phase| phase.id == "resolution").expect("it is kept");
    let resolution = phase.resolution.as_deref().expect("what counts");
    let ids: Vec<&str> = resolution.bonuses.iter().map(|bonus| bonus.id.as_str()).collect();
    assert_eq!(ids, ["wounds", "ranks", "standard", "flank", "rear", "numbers"]);
    assert_eq!(resolution.bonuses[1].add.range(), (2, 2));
    let faults = extended("ranked-fantasy", "[[phase.bonus]]\nid = 'ranks'\nadd = 2\n").expect_err("of which phase?");
    assert!(faults.contains("write `[[phase]]` with the `id` of a row first: `[[phase.bonus]]`"), "{faults}");
}

#[test]
fn where_units_go_one_at_a_time_each_has_its_own_combat_resolved() {
    let text = text(TABLE, RANKS).replace("half = \"first\"\n", "");
    let rules = compiled(text + "\n[activation.alternate]\ncite = [\"1\"]\n");
    let pair = |heading: f64| [-10.0, 10.0].map(|east| unit("spears").at(east, 0.0).facing(heading));
    let mut plan = deployment(("none", &pair(0.0)), ("none", &pair(180.0)));
    plan.turns = 1;
    let setup = deploy(rules, &plan).expect("two units a side");
    let mut seen = Recorder::default();
    // No strike hits. The activated unit and both enemies strike in each of the four activations.
    fight(rules, &setup, &mut ScriptedDice::new([1; 24]), &mut seen);
    let drawn = |event: &&Event| matches!(event, Event::Special(event) if event.line.ends_with("neither side loses."));
    assert_eq!(seen.events().iter().filter(drawn).count(), 4);
}

/// The chance that two dice total at most this.
fn at_most(most: i64) -> f64 {
    let throws = (1..=6_i64).flat_map(|one| (1..=6).map(move |other| one + other));
    throws.filter(|sum| *sum <= most).count() as f64 / 36.0
}

#[test]
fn a_round_has_the_odds_of_arithmetic() {
    let rules = compiled(text(NOWHERE, RANKS));
    let mut plan = deployment(("none", &men(&["spears"])), ("none", &men(&["swords"])));
    plan.turns = 1;
    let setup = deploy(rules, &plan).expect("two units");
    // Hits of two dice, each with a chance of 1/2; red leads by its hits minus blue's, plus one rank.
    let hits = [0.25, 0.5, 0.25];
    let (mut red_breaks, mut blue_breaks) = (0.0, 0.0);
    for (own, p) in (0_i64..).zip(hits) {
        for (foe, q) in (0_i64..).zip(hits) {
            let lead = own - foe + 1;
            let breaks = p * q * (1.0 - at_most(7 - lead.abs()));
            if lead > 0 {
                blue_breaks += breaks;
            } else if lead < 0 {
                red_breaks += breaks;
            }
        }
    }
    // A unit that flees is caught unless it rolls more than its pursuer.
    let even: f64 = (2..=12).map(|sum| (at_most(sum) - at_most(sum - 1)).powi(2)).sum();
    let caught = even + (1.0 - even) / 2.0;
    let key = |outcome: &Outcome| {
        let [first, second] = [outcome.sides.first, outcome.sides.second];
        (first.routed_units, second.routed_units, first.losses == 10, second.losses == 10)
    };
    let expected = [
        ((0, 0, false, false), 1.0 - red_breaks - blue_breaks),
        ((1, 0, false, false), red_breaks * (1.0 - caught)),
        ((1, 0, true, false), red_breaks * caught),
        ((0, 1, false, false), blue_breaks * (1.0 - caught)),
        ((0, 1, false, true), blue_breaks * caught),
    ];
    let exact = exact(rules, &setup, key);
    assert_eq!(exact.len(), expected.len(), "{exact:?}");
    let counts = sampled(rules, &setup, SAMPLED, key);
    for (ends, chance) in expected {
        assert!((exact[&ends] - chance).abs() < 1e-12, "{ends:?}: {} not {chance}", exact[&ends]);
        agree(&format!("{ends:?}"), counts[&ends], SAMPLED, chance);
    }
}

#[test]
fn faults_are_found_where_they_are() {
    let one = |text: &str, said: &[&str], place: &str| {
        assert_one_fault("fray.toml", text, said, place);
    };
    let good = text(NOWHERE, RANKS);
    let row = "# of resolution";
    one(&good.replace("into = \"edge\"\n", ""), &["no place for its results", "add `into`"], row);
    let none = good.replace("{ id = \"wounds\", add = \"self.wounds\", cite = [\"3\"] },", "").replace(RANKS, "");
    one(&none, &["nothing decides the combats"], row);
    let into = |changed: &str| good.replace("into = \"edge\"", changed);
    one(&into("into = 'egde'"), &["`egde`", "edge"], "into = ");
    one(&into("into = 'wounds'"), &["cannot hold the margin by which a side leads"], "into = ");
    one(&good.replace("start = 0\n", ""), &["`edge` begins with -20", "add `start = 0`"], "into = ");
    one(&into("into = 'edge'\nby = 'passive'"), &["belongs to both sides"], "by = 'passive'");
    one(&into("into = 'edge'\nroll = 'break'"), &["makes no roll"], "roll = 'break'");
    let elsewhere = good.replace("roll = \"break\"", "roll = \"break\"\ninto = 'elsewhere'");
    one(&elsewhere, &["only a `resolve` phase has `into`"], "into = 'elsewhere'");
    one(&good.replace("add = \"self.depth\"", "add = \"self.dpeth\""), &["dpeth", "depth"], "self.dpeth");
}
