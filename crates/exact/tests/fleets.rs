//! Simultaneous volleys of five ship types a side, held against dynamic programmes in whole numbers that are written from the clauses:
//! every ship throws its dice, the hits of both sides are counted, each falls on a ship by the order in force, and then all are taken off.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use grognard_engine::{BySide, Deployment, Setup, Side, SidePlan, UnitPlan, deploy};
use grognard_exact::{Limits, Number, Solution, solve};
use grognard_rules::compile;
use grognard_rules::model::Rules;
use grognard_source::{Document, Sources};
use num_bigint::BigUint;

/// A ship type: its name, the hits that lose it, its dice, what they need, its price and its rank.
type Ship = (&'static str, u8, u32, u32, u32, u32);

/// Six dice a side.
const SHIPS: [Ship; 5] = [
    ("gig", 1, 1, 6, 1, 3),
    ("sloop", 1, 1, 5, 2, 3),
    ("frigate", 2, 1, 5, 3, 2),
    ("brig", 2, 1, 4, 5, 1),
    ("liner", 3, 2, 4, 8, 1),
];

/// The same ships with three dice a side: where dice pick who is hit, every hit multiplies the paths of the dice by five.
const QUIET: [Ship; 5] = {
    let dice = [1, 0, 0, 1, 1];
    let mut ships = SHIPS;
    let mut ship = 0;
    while ship < ships.len() {
        ships[ship].2 = dice[ship];
        ship += 1;
    }
    ships
};

/// Hits that the ships of a side can still stand.
type Fleet = [u8; 5];

/// The pack with these casualties.
fn rules(casualties: &str) -> Rules {
    rules_of(&SHIPS, casualties)
}

fn rules_of(ships: &[Ship; 5], casualties: &str) -> Rules {
    let units: String = ships
        .iter()
        .map(|(name, hull, dice, need, price, rank)| {
            format!(
                "{name} = {{ title = '{name}', arm = 'ships', figures = {hull}, \
                 is = {{ dice = {dice}, need = {need}, price = {price}, rank = {rank} }} }}\n"
            )
        })
        .collect();
    let text = format!(
        r#"
pack = "ships"
title = "Ships"
version = "1"
board = "none"
arms = ["ships"]

[morale]
state = [{{ id = "afloat" }}]

[attribute]
dice = {{ title = "dice", min = 0, max = 9 }}
need = {{ title = "need", min = 2, max = 6 }}
price = {{ title = "price", min = 0, max = 9 }}
rank = {{ title = "rank", min = 0, max = 9 }}

[unit]
{units}

[roll.fire]
title = "fire"
mechanic = "pool"
own = {{ dice = "d6", count = "self.dice", need = "self.need" }}

[[roll.fire.result]]
id = "hits"
foe = {{ lose = "hits" }}

[[phase]]
id = "fire"
title = "Fire"
mechanism = "exchange"
roll = "fire"
by = "both"
half = "first"
simultaneous = true
casualties = {casualties}

[doctrine.plain]
title = "as the rules say"
row = []

[victory]
broken = 100
"#
    );
    let mut sources = Sources::new();
    let file = sources.add("ships.toml", text);
    let rules = Document::parse(file, &sources).and_then(|document| compile(&document, &sources));
    rules.unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)))
}

/// A side with these ships, listed in this order, that follows a doctrine.
fn side(name: &str, doctrine: &str, ships: &[&str]) -> SidePlan {
    let units = ships.iter().map(|ship| UnitPlan { kind: (*ship).into(), ..UnitPlan::default() }).collect();
    SidePlan { name: name.into(), doctrine: Some(doctrine.into()), units, ..SidePlan::default() }
}

fn battle(rules: &Rules, first: SidePlan, second: SidePlan, turns: u8) -> Setup {
    let plan = Deployment { sides: BySide::new(first, second), turns, ..Deployment::default() };
    deploy(rules, &plan).unwrap_or_else(|faults| panic!("{faults:#?}"))
}

fn solved(rules: &Rules, setup: &Setup) -> Solution {
    solve(rules, setup, &Limits::default(), &mut |_| ControlFlow::Continue(()))
        .unwrap_or_else(|error| panic!("{error}"))
}

/// The chances that the first side, the second and neither wins.
fn chances(rules: &Rules, setup: &Setup) -> [Number; 3] {
    let solution = solved(rules, setup);
    [Some(Side::First), Some(Side::Second), None].map(|winner| solution.chance(|outcome| outcome.winner == winner))
}

/// The weights with which one hit falls on each ship of a fleet, together [`PICKS`]; none if nobody is left.
type Picks<'a> = &'a dyn Fn(&Fleet) -> Option<[u64; 5]>;

/// A number that every sum of chances of a fleet divides: one to nine.
const PICKS: u64 = 2_520;

/// The most hits of one side in a volley, and the most dice that it throws.
const DICE: u32 = 6;

/// One hit on the ship for which a key is least, of those that can be hit.
fn first_by<K: Ord>(fleet: &Fleet, key: impl Fn(usize) -> Option<K>) -> Option<[u64; 5]> {
    let place = (0..5).filter(|&ship| fleet[ship] > 0).filter_map(|ship| Some((key(ship)?, ship))).min()?.1;
    let mut picks = [0; 5];
    picks[place] = PICKS;
    Some(picks)
}

/// By a list of ships, in which `"sustain"` stands for those that the hit does not lose: of these the one that can stand most is hit, and
/// then the one that is named first.
fn listed(order: &'static [&'static str]) -> impl Fn(&Fleet) -> Option<[u64; 5]> {
    move |fleet| {
        first_by(fleet, |ship| {
            let (name, left) = (SHIPS[ship].0, fleet[ship]);
            let place = order.iter().position(|entry| *entry == name || (*entry == "sustain" && left > 1))?;
            let spread = if order[place] == "sustain" { -i32::from(left) } else { i32::from(left) };
            Some((place, spread, order.iter().position(|entry| *entry == name)))
        })
    }
}

/// Ships by a number, the least first, then those that can stand least.
fn least(number: fn(&Ship) -> u32) -> impl Fn(&Fleet) -> Option<[u64; 5]> {
    move |fleet| first_by(fleet, |ship| Some((number(&SHIPS[ship]), fleet[ship], SHIPS[ship].0)))
}

/// By dice, with these chances for a ship that can stand so many hits.
fn thrown(chance: fn(u8) -> u8) -> impl Fn(&Fleet) -> Option<[u64; 5]> {
    move |fleet| {
        let each = fleet.map(|left| u64::from(if left > 0 { chance(left) } else { 0 }));
        let all: u64 = each.iter().sum();
        (all > 0).then(|| each.map(|one| one * (PICKS / all)))
    }
}

/// The weights of a fleet's hits, together 6 to the power of [`DICE`].
fn hits(ships: &[Ship; 5], fleet: &Fleet) -> Vec<u64> {
    let mut weights = vec![1];
    let mut thrown = 0;
    for (&left, &(_, _, dice, need, ..)) in fleet.iter().zip(ships) {
        for _ in 0..if left > 0 { dice } else { 0 } {
            let mut next = vec![0; weights.len() + 1];
            for (hits, weight) in weights.iter().enumerate() {
                next[hits] += weight * u64::from(need - 1);
                next[hits + 1] += weight * u64::from(7 - need);
            }
            (weights, thrown) = (next, thrown + 1);
        }
    }
    weights.iter().map(|weight| weight * 6_u64.pow(DICE - thrown)).collect()
}

/// What so many hits leave of a fleet, with weights that are together [`PICKS`] to the power of [`DICE`].
fn hit(fleet: Fleet, hits: u32, picks: Picks<'_>) -> BTreeMap<Fleet, BigUint> {
    let mut open = BTreeMap::from([(fleet, BigUint::from(1_u32))]);
    for number in 0..DICE {
        let mut next: BTreeMap<Fleet, BigUint> = BTreeMap::new();
        for (fleet, weight) in open {
            match picks(&fleet).filter(|_| number < hits) {
                None => *next.entry(fleet).or_default() += weight * PICKS,
                Some(picks) => {
                    for (ship, pick) in picks.into_iter().enumerate().filter(|&(_, pick)| pick > 0) {
                        let mut fleet = fleet;
                        fleet[ship] -= 1;
                        *next.entry(fleet).or_default() += &weight * pick;
                    }
                }
            }
        }
        open = next;
    }
    open
}

/// The weights of the three ends after so many turns of two such fleets, and their sum.
fn by_hand(whole: Fleet, picks: [Picks<'_>; 2], turns: u32) -> ([BigUint; 3], BigUint) {
    by_hand_of(&SHIPS, whole, picks, turns)
}

fn by_hand_of(ships: &[Ship; 5], whole: Fleet, picks: [Picks<'_>; 2], turns: u32) -> ([BigUint; 3], BigUint) {
    let volley = BigUint::from(6_u32).pow(2 * DICE) * BigUint::from(PICKS).pow(2 * DICE);
    let mut open = BTreeMap::from([([whole, whole], BigUint::from(1_u32))]);
    let mut ends: [BigUint; 3] = Default::default();
    for _ in 0..turns {
        ends.iter_mut().for_each(|end| *end *= &volley);
        let mut next: BTreeMap<[Fleet; 2], BigUint> = BTreeMap::new();
        for ([first, second], weight) in open {
            let suffered = |fleet: Fleet, by: &Fleet, picks: Picks<'_>| {
                let mut found: BTreeMap<Fleet, BigUint> = BTreeMap::new();
                for (number, weight) in (0..).zip(hits(ships, by)) {
                    for (left, of) in hit(fleet, number, picks) {
                        *found.entry(left).or_default() += of * weight;
                    }
                }
                found
            };
            let (on_first, on_second) = (suffered(first, &second, picks[0]), suffered(second, &first, picks[1]));
            for (first, of_first) in &on_first {
                for (second, of_second) in &on_second {
                    let weight = &weight * of_first * of_second;
                    let gone = |fleet: &Fleet| fleet.iter().all(|&left| left == 0);
                    match (gone(first), gone(second)) {
                        (true, true) => ends[2] += weight,
                        (false, true) => ends[0] += weight,
                        (true, false) => ends[1] += weight,
                        (false, false) => *next.entry([*first, *second]).or_default() += weight,
                    }
                }
            }
        }
        open = next;
    }
    ends[2] += open.into_values().sum::<BigUint>();
    (ends, volley.pow(turns))
}

/// Holds the solver against the programme: the same fractions.
fn compare(what: &str, found: &[Number; 3], (ends, all): &([BigUint; 3], BigUint)) {
    assert_eq!(&ends.iter().sum::<BigUint>(), all, "{what}");
    for (number, end) in found.iter().zip(ends) {
        let fraction = number.fraction.as_ref().unwrap_or_else(|| panic!("{what}: no fraction"));
        assert_eq!(&fraction.numerator * all, end * &fraction.denominator, "{what}");
    }
}

/// A ship of each type.
fn all() -> Fleet {
    SHIPS.map(|ship| ship.1)
}

/// Both sides lose ships in the same way.
fn alike(casualties: &str, picks: Picks<'_>, turns: u8) {
    ships_alike(&SHIPS, casualties, picks, turns);
}

/// The same with these dice.
fn ships_alike(ships: &[Ship; 5], casualties: &str, picks: Picks<'_>, turns: u8) {
    let rules = rules_of(ships, casualties);
    let setup = battle(&rules, side("a", "plain", &SMALLEST), side("b", "plain", &SMALLEST), turns);
    compare(casualties, &chances(&rules, &setup), &by_hand_of(ships, all(), [picks, picks], turns.into()));
}

const SMALLEST: [&str; 5] = ["gig", "sloop", "frigate", "brig", "liner"];

#[test]
fn hits_fall_by_a_list_of_types() {
    alike("{ order = ['gig', 'sloop', 'frigate', 'brig', 'liner'] }", &listed(&SMALLEST), 2);
    alike(
        "{ order = ['brig', 'gig', 'liner', 'sloop', 'frigate'] }",
        &listed(&["brig", "gig", "liner", "sloop", "frigate"]),
        2,
    );
}

#[test]
fn ships_sustain_hits_before_any_is_lost() {
    alike(
        "{ order = ['sustain', 'gig', 'sloop', 'frigate', 'brig', 'liner'] }",
        &listed(&["sustain", "gig", "sloop", "frigate", "brig", "liner"]),
        2,
    );
    alike(
        "{ order = ['gig', 'sustain', 'liner', 'brig', 'frigate', 'sloop'] }",
        &listed(&["gig", "sustain", "liner", "brig", "frigate", "sloop"]),
        2,
    );
}

#[test]
fn types_that_are_not_named_take_no_hits() {
    alike("{ order = ['brig', 'liner'] }", &listed(&["brig", "liner"]), 2);
}

#[test]
fn the_cheapest_or_the_front_rank_is_hit_first() {
    alike("{ least = 'self.price' }", &least(|ship| ship.4), 2);
    alike("{ least = 'self.rank' }", &least(|ship| ship.5), 2);
}

#[test]
fn dice_pick_who_is_hit() {
    ships_alike(&QUIET, "{ by = 'random' }", &thrown(|_| 1), 1);
    ships_alike(&QUIET, "{ by = 'random', chances = 'self.figures' }", &thrown(|left| left), 1);
}

#[test]
fn the_owner_or_the_shooter_chooses() {
    const SUSTAIN: [&str; 6] = ["sustain", "gig", "sloop", "frigate", "brig", "liner"];
    let doctrines = |key: &str| {
        let rules = rules(&format!(
            "{{ by = '{}', order = ['gig', 'sloop', 'frigate', 'brig', 'liner'] }}\n\
             [doctrine.largest]\ntitle = 'largest'\nrow = []\n{key} = ['liner', 'brig']\n\
             [doctrine.sustain]\ntitle = 'sustain'\nrow = []\n{key} = ['sustain']",
            if key == "gives-up" { "owner" } else { "shooter" }
        ));
        let setup = battle(&rules, side("a", "largest", &SMALLEST), side("b", "sustain", &SMALLEST), 2);
        chances(&rules, &setup)
    };
    // What a doctrine does not name comes after what it names, as the phase says.
    let largest = listed(&["liner", "brig", "gig", "sloop", "frigate"]);
    let sustain = listed(&SUSTAIN);
    compare("owner", &doctrines("gives-up"), &by_hand(all(), [&largest, &sustain], 2));
    compare("shooter", &doctrines("picks-off"), &by_hand(all(), [&sustain, &largest], 2));
}

/// Two fleets of the same ships have the same chances to the last digit, however each lists them.
#[test]
fn equal_fleets_have_equal_chances_whatever_the_order_of_their_lists() {
    let rules = rules("{ order = ['sustain', 'sloop', 'gig', 'liner', 'brig'] }");
    let lists: [&[&str]; 3] = [
        &["gig", "gig", "sloop", "brig", "liner"],
        &["liner", "gig", "brig", "sloop", "gig"],
        &["brig", "sloop", "liner", "gig", "gig"],
    ];
    let fight = |first: &[&str], second: &[&str]| {
        chances(&rules, &battle(&rules, side("a", "plain", first), side("b", "plain", second), 2))
            .map(|number| number.fraction.expect("two turns of twelve dice fit"))
    };
    let even = fight(lists[0], lists[0]);
    assert_eq!(even[0], even[1]);
    for first in lists {
        for second in lists {
            assert_eq!(fight(first, second), even, "{first:?} against {second:?}");
        }
    }
}
