//! Battles of three and four sides: whose part of the turn it is, who goes next, how leads are computed, and which
//! studies are refused.

use std::collections::BTreeMap;

use grognard_dice::{EnumeratedDice, LANES};
use grognard_engine::{
    Approach, BySide, Deployment, Event, Outcome, Scene, Setup, Side, SidePlan, UnitPlan, Unwitnessed, Witness, deploy,
    fight,
};
use grognard_rules::model::Rules;

use crate::common::compiled;

/// Squads that may roll without losing anything.
const SQUADS: &str = r#"
pack = "squads"
title = "Squads"
version = "1"
board = "none"
arms = ["foot"]

[morale]
state = [{ id = "good" }]

[attribute.rank]
title = "rank"
min = 0
max = 9
default = 0

[counter.lead]
min = -20
max = 20
start = 0
below = "stop"
above = "stop"

[unit]
squad = { title = "Squad", arm = "foot", figures = 2 }
guard = { title = "Guard", arm = "foot", figures = 2, is = { rank = 3 } }

[roll.fire]
title = "fire"
mechanic = "pool"
own = { dice = "d6", need = 4 }
result = [{ id = "hits", when = "hits > 0", foe = { lose = "hits" } }, { id = "misses" }]

[doctrine.plain]
title = "as the rules say"
row = []

[[clause]]
id = "1"
text = "So it is."
"#;

/// A phase in which units could fire in their side's part of the turn, but none does.
const IDLE: &str =
    "[[phase]]\nid = 'each'\ntitle = 'Each'\nmechanism = 'test'\nroll = 'fire'\nwhen = 'self.figures < 1'\n";

const VICTORY: &str = "[victory]\nbroken = 100\n";

fn rules(rest: &str) -> &'static Rules {
    compiled("squads.toml", format!("{SQUADS}{rest}")).unwrap_or_else(|(_, faults)| panic!("{faults}"))
}

/// A battle of sides with these units.
fn plan(sides: &[&[&str]], turns: u8) -> Deployment {
    let side = |side: Side| SidePlan {
        name: ["red", "blue", "green", "white"][side.index()].into(),
        doctrine: Some("plain".into()),
        units: sides[side.index()].iter().map(|&kind| UnitPlan { kind: kind.into(), ..UnitPlan::default() }).collect(),
        ..SidePlan::default()
    };
    Deployment { sides: BySide::of(sides.len(), side), turns, ..Deployment::default() }
}

fn battle(rules: &Rules, sides: &[&[&str]], turns: u8) -> Setup {
    deploy(rules, &plan(sides, turns)).unwrap_or_else(|faults| panic!("{faults:#?}"))
}

/// Records which of these events happened, and in whose part of the turn.
#[derive(Default)]
struct Parts(Vec<(u8, Side, String)>);

impl Witness for Parts {
    fn see(&mut self, scene: Scene<'_>, event: &Event) {
        let what = match event {
            Event::Phase(index) => scene.rules.phases[usize::from(*index)].id.clone(),
            Event::Activated { unit: Some(id) } => format!("{:?}", scene.battle.unit(*id).side),
            Event::HalfTurn => "begins".to_owned(),
            _ => return,
        };
        self.0.push((scene.battle.turn, scene.battle.active, what));
    }
}

/// Every course that a battle can take, as far as `told` distinguishes them, with its probability.
fn ways<K: Ord>(rules: &Rules, setup: &Setup, told: impl Fn(&Parts, &Outcome) -> K) -> BTreeMap<K, f64> {
    let mut found = BTreeMap::new();
    let mut dice = EnumeratedDice::new();
    while dice.next_path() {
        let mut parts = Parts::default();
        let outcome = fight(rules, setup, &mut dice, &mut parts);
        *found.entry(told(&parts, &outcome)).or_insert(0.0) += dice.chance();
    }
    found
}

/// The probability that each side goes first.
fn firsts(rules: &Rules, setup: &Setup) -> Vec<f64> {
    let first = |parts: &Parts, _: &Outcome| {
        parts.0.iter().find(|(_, _, what)| !["begins", "each"].contains(&what.as_str())).map(|(_, side, _)| *side)
    };
    let found = ways(rules, setup, first);
    Side::first(setup.start.sides().len()).iter().map(|side| found.get(&Some(*side)).copied().unwrap_or(0.0)).collect()
}

#[track_caller]
fn near(found: &[f64], expected: &[f64]) {
    let close = |(one, other): (&f64, &f64)| (one - other).abs() < 1e-12;
    assert!(found.len() == expected.len() && found.iter().zip(expected).all(close), "{found:?} and not {expected:?}");
}

#[test]
fn the_sides_take_their_parts_of_a_turn_in_the_order_of_the_study() {
    let phase = |id: &str, half: &str, by: &str| {
        format!(
            "[[phase]]\nid = '{id}'\ntitle = '{id}'\nmechanism = 'test'\nroll = 'fire'\nhalf = '{half}'\nby = '{by}'\n\
             when = 'self.figures < 1'\n"
        )
    };
    let phases = [phase("each", "each", "active"), phase("start", "first", "both"), phase("end", "second", "active")];
    let rules = rules(&format!("{}{VICTORY}", phases.concat()));
    for sides in [3, 4] {
        let squads: Vec<&[&str]> = vec![&["squad"]; sides];
        let mut parts = Parts::default();
        let mut dice = EnumeratedDice::new();
        assert!(dice.next_path());
        fight(rules, &battle(rules, &squads, 2), &mut dice, &mut parts);
        let mut expected = Vec::new();
        for turn in [1, 2] {
            for (place, &side) in Side::first(sides).iter().enumerate() {
                let last = place + 1 == sides;
                let played = [("begins", true), ("each", true), ("start", place == 0), ("end", last)];
                expected.extend(played.iter().filter(|(_, is)| *is).map(|(what, _)| (turn, side, (*what).to_owned())));
            }
        }
        assert_eq!(parts.0, expected);
    }
}

#[test]
fn each_side_rolls_for_the_initiative_and_the_highest_goes_first() {
    // The side with the highest of three dice goes first. Ties of two or three are rerolled, or go to the first or the
    // last of the tied sides.
    let with = |rest: &str| {
        let fires = IDLE.replace("'each'", "'fires'");
        rules(&format!("[activation.initiative]\ncite = ['1']\ndice = 'd6'\n{rest}\n{fires}{VICTORY}"))
    };
    let squads: [&[&str]; 3] = [&["squad"]; 3];
    let of = |rules: &Rules, sides: &[&[&str]]| firsts(rules, &battle(rules, sides, 1));
    near(&of(with(""), &squads), &[1.0 / 3.0; 3]);
    near(&of(with("ties = 'first'"), &squads), &[91.0 / 216.0, 70.0 / 216.0, 55.0 / 216.0]);
    near(&of(with("ties = 'second'"), &squads), &[55.0 / 216.0, 70.0 / 216.0, 91.0 / 216.0]);
    let four: [&[&str]; 4] = [&["squad"]; 4];
    near(&of(with(""), &four), &[0.25; 4]);
    // One of three dice has a bonus of three, and ties are rerolled. `wins` counts the rolls in which one die beats
    // both others.
    let added = of(with("add = 'self.rank'"), &[&["guard"], &["squad"], &["squad"]]);
    let wins = |own: i32, others: [i32; 2]| -> f64 {
        let below = |total: i32, add: i32| (1..=6).filter(|die| die + add < total).count() as f64;
        (1..=6).map(|die| others.iter().map(|&add| below(die + own, add)).product::<f64>()).sum()
    };
    let ways = [wins(3, [0, 0]), wins(0, [3, 0]), wins(0, [3, 0])];
    near(&added, &ways.map(|one| one / ways.iter().sum::<f64>()));
}

#[test]
fn sides_that_take_turns_go_one_after_the_other_until_none_has_units_left() {
    let rules = rules(&format!("[activation.alternate]\ncite = ['1']\n{IDLE}{VICTORY}"));
    let setup = battle(rules, &[&["squad"; 2], &["squad"], &["squad"; 3]], 1);
    let order = |parts: &Parts, _: &Outcome| {
        let activated = parts.0.iter().filter(|(_, _, what)| !["begins", "each"].contains(&what.as_str()));
        activated.map(|(_, side, _)| *side).collect::<Vec<_>>()
    };
    let found = ways(rules, &setup, order);
    let (red, blue, green) = (Side::First, Side::Second, Side::Third);
    assert_eq!(found.into_keys().collect::<Vec<_>>(), [[red, blue, green, red, green, green]]);
}

#[test]
fn a_bag_has_the_chips_of_all_sides() {
    let rules = rules(&format!("[activation.bag]\ncite = ['1']\n{IDLE}{VICTORY}"));
    near(
        &firsts(rules, &battle(rules, &[&["squad"], &["squad"; 2], &["squad"; 3]], 1)),
        &[1.0 / 6.0, 2.0 / 6.0, 3.0 / 6.0],
    );
}

#[test]
fn of_several_sides_with_the_greatest_value_dice_or_a_place_decide() {
    let with = |ties: &str| {
        rules(&format!("[activation.priority]\ncite = ['1']\nvalue = 'self.rank'\nties = '{ties}'\n{IDLE}{VICTORY}"))
    };
    let sides: [&[&str]; 4] = [&["squad"], &["guard"], &["guard"], &["guard"]];
    let of = |rules: &Rules| firsts(rules, &battle(rules, &sides, 1));
    near(&of(with("random")), &[0.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0]);
    near(&of(with("first")), &[0.0, 1.0, 0.0, 0.0]);
    near(&of(with("second")), &[0.0, 0.0, 0.0, 1.0]);
}

/// Records the leads of all units at the end of a battle.
#[derive(Default)]
struct Leads(Vec<i32>);

impl Witness for Leads {
    fn see(&mut self, scene: Scene<'_>, event: &Event) {
        if let Event::Over { .. } = event {
            self.0 = scene.battle.units.iter().map(|unit| unit.counters.get(0)).collect();
        }
    }
}

#[test]
fn a_side_leads_a_combat_by_its_sum_less_the_greatest_of_the_others() {
    let resolve = "[[phase]]\nid = 'resolve'\ntitle = 'Resolve'\nmechanism = 'resolve'\ninto = 'lead'\nhalf = 'first'\n\
        cite = ['1']\nbonus = [{ id = 'rank', add = 'self.rank', cite = ['1'] }]\n";
    let rules = rules(&format!("{resolve}{VICTORY}"));
    // Red has 6, blue has 3, and green has none.
    let setup = battle(rules, &[&["guard", "guard"], &["guard"], &["squad"]], 1);
    let (mut leads, mut dice) = (Leads::default(), EnumeratedDice::new());
    assert!(dice.next_path());
    fight(rules, &setup, &mut dice, &mut leads);
    assert_eq!(leads.0, [3, 3, -3, -6]);
}

#[test]
fn the_greatest_total_of_points_wins_and_equal_ones_draw() {
    let losses = "[victory]\nbroken = 100\nlimit = 'points'\npoints = [{ id = 'men', for = 'figures', points = 1, cite = ['1'] }]\n";
    let volley = "[[phase]]\nid = 'volley'\ntitle = 'Volley'\nmechanism = 'exchange'\nroll = 'fire'\nby = 'both'\nhalf = 'first'\n\
        simultaneous = true\ncasualties = { order = ['squad', 'guard'] }\n";
    let rules = rules(&format!("{volley}{losses}"));
    let setup = battle(rules, &[&["squad"], &["squad"], &["squad"]], 1);
    let found = ways(rules, &setup, |_, outcome| {
        let lost: Vec<u16> = outcome.sides.iter().map(|side| side.losses).collect();
        (lost, outcome.winner)
    });
    assert!(found.len() > 5, "{found:?}");
    for (lost, winner) in found.into_keys() {
        // A side has a point for every figure that the others have lost, so the side that has lost least has the most
        // points.
        let least = *lost.iter().min().expect("three sides");
        let best: Vec<usize> = (0..3).filter(|&side| lost[side] == least).collect();
        let expected = if let &[side] = best.as_slice() { Some(Side::ALL[side]) } else { None };
        assert_eq!(winner, expected, "{lost:?}");
    }
}

#[test]
fn a_side_that_is_out_has_no_part_of_later_turns() {
    let volley = "[[phase]]\nid = 'volley'\ntitle = 'Volley'\nmechanism = 'exchange'\nroll = 'fire'\nby = 'both'\nhalf = 'first'\n\
        simultaneous = true\ncasualties = { order = ['squad', 'guard'] }\n";
    let rules = rules(&format!("{volley}{}", VICTORY.replace("100", "50")));
    let setup = battle(rules, &[&["squad", "squad"], &["squad"], &["squad"]], 2);
    // A squad is lost when it loses its two figures. Red has two squads, and each other side is out when it loses its
    // only one.
    let found = ways(rules, &setup, |parts, outcome| (parts.0.clone(), outcome.turns));
    let mut later = 0;
    for (parts, turns) in found.keys() {
        for turn in 2..=*turns {
            let begun: Vec<Side> = parts
                .iter()
                .filter(|(of, _, what)| *of == turn && what == "begins")
                .map(|(_, side, _)| *side)
                .collect();
            let volleys = parts.iter().filter(|(of, _, what)| *of == turn && what == "volley").count();
            assert_eq!(volleys, 1, "one volley a turn, whoever is left: {parts:?}");
            later += usize::from(begun.len() == 2);
        }
    }
    assert!(later > 0, "two sides fight on without the third");
}

#[test]
fn the_dice_of_all_units_and_of_all_sides_have_lanes_of_their_own() {
    let rules = rules(&format!("{IDLE}{VICTORY}"));
    let ten: &[&str] = &["squad"; 10];
    for sides in [2, 3, 4] {
        let setup = battle(rules, &vec![ten; sides], 1);
        let units = setup.start.sides().iter().flat_map(|&side| setup.start.side(side));
        let mut lanes: Vec<u8> = units.map(|unit| setup.start.lane_of(unit)).collect();
        lanes.sort_unstable();
        lanes.dedup();
        assert_eq!(lanes.len(), 10 * sides);
        // The last four lanes belong to the sides themselves.
        assert!(lanes.iter().all(|&lane| lane < LANES - 4), "{lanes:?}");
    }
}

#[test]
fn what_is_about_two_sides_is_refused_where_there_are_more() {
    let rules = rules(&format!("{IDLE}{VICTORY}"));
    let squads: [&[&str]; 3] = [&["squad"]; 3];
    let faults = |change: &dyn Fn(&mut Deployment)| {
        let mut plan = plan(&squads, 1);
        change(&mut plan);
        let faults = deploy(rules, &plan).expect_err("refused");
        let [fault] = faults.as_slice() else { panic!("{faults:?}") };
        (fault.path.clone(), fault.message.clone())
    };
    let said = |path: &str, message: &str| (path.to_owned(), message.to_owned());
    assert_eq!(
        faults(&|plan| plan.distance = Some(600)),
        said("distance", "a distance is measured between two sides, but this battle has 3 sides")
    );
    assert_eq!(
        faults(&|plan| plan.approach = Approach::Flank),
        said("approach", "an approach needs two sides, but this battle has 3 sides")
    );
    let unit = || UnitPlan { kind: "squad".into(), ..UnitPlan::default() };
    assert_eq!(
        faults(&|plan| plan.sides[Side::Third].units = vec![unit(); 11]),
        said("green.units", "side `green` has 11 units")
    );
    // Ten is the maximum.
    let mut most = plan(&squads, 1);
    most.sides[Side::Third].units = vec![unit(); 10];
    let setup = deploy(rules, &most).expect("ten units");
    let mut dice = EnumeratedDice::new();
    assert!(dice.next_path());
    assert_eq!(fight(rules, &setup, &mut dice, &mut Unwitnessed).winner, None);
}
