//! Simultaneous volleys of five ship types on each side, compared with dynamic programs in whole numbers written from
//! the clauses: every ship rolls its dice, the hits of both sides are counted, each hit goes to a ship by the current
//! order, and then all are applied.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use crate::common::odds::agrees;
use grognard_engine::{BySide, Deployment, Outcome, Setup, Side, SidePlan, UnitPlan, deploy};
use grognard_exact::best::{Plays, explore};
use grognard_exact::{Limits, Number, Solution, solve};
use grognard_rules::compile;
use grognard_rules::model::Rules;
use grognard_source::{Document, Sources};
use num_bigint::BigUint;

/// A ship type: its name, the hits that sink it, its dice, what they need, its price and its rank.
type Ship = (&'static str, u8, u32, u32, u32, u32);

/// Six dice a side.
const SHIPS: [Ship; 5] = [
    ("gig", 1, 1, 6, 1, 3),
    ("sloop", 1, 1, 5, 2, 3),
    ("frigate", 2, 1, 5, 3, 2),
    ("brig", 2, 1, 4, 5, 1),
    ("liner", 3, 2, 4, 8, 1),
];

/// An action: the ships of either side, and how many of them a side must lose to be beaten.
struct Action {
    ships: [Ship; 5],
    lost: usize,
}

/// An action until the last ship is lost.
const ALL: Action = Action { ships: SHIPS, lost: 5 };

/// An action with three dice a side, until two ships are lost. If dice or a player choose which ship is hit, every hit
/// multiplies the paths by five.
const QUIET: Action = Action { ships: armed([1, 0, 0, 1, 1]), lost: 2 };

/// An action with two dice a side, until two ships are lost.
const QUIETER: Action = Action { ships: armed([0, 1, 0, 0, 1]), lost: 2 };

/// The ships with these dice.
const fn armed(dice: [u32; 5]) -> [Ship; 5] {
    let mut ships = SHIPS;
    let mut ship = 0;
    while ship < ships.len() {
        ships[ship].2 = dice[ship];
        ship += 1;
    }
    ships
}

impl Action {
    /// Whether a fleet is beaten.
    fn beats(&self, fleet: &Fleet) -> bool {
        fleet.iter().filter(|&&left| left == 0).count() >= self.lost
    }
}

/// The hits that the ships of a side can still take.
type Fleet = [u8; 5];

/// The pack with these casualties.
fn rules(casualties: &str) -> Rules {
    rules_of(&ALL, casualties)
}

fn rules_of(Action { ships, lost }: &Action, casualties: &str) -> Rules {
    let broken = 20 * lost;
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
broken = {broken}
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

/// The weights of one hit for each ship of a fleet, which add up to [`PICKS`]; `None` if no ship is left.
type Picks<'a> = &'a dyn Fn(&Fleet) -> Option<[u64; 5]>;

/// A multiple of every possible sum of a fleet's chances, from one to nine.
const PICKS: u64 = 2_520;

/// The maximum number of one side's hits in a volley, and of its dice.
const DICE: u32 = 6;

/// One hit on the ship with the smallest key, of those that can be hit.
fn first_by<K: Ord>(fleet: &Fleet, key: impl Fn(usize) -> Option<K>) -> Option<[u64; 5]> {
    let place = (0..5).filter(|&ship| fleet[ship] > 0).filter_map(|ship| Some((key(ship)?, ship))).min()?.1;
    let mut picks = [0; 5];
    picks[place] = PICKS;
    Some(picks)
}

/// Hits in the order of a list of ships. In it, `"sustain"` stands for the ships that survive the hit: the one that can
/// take the most hits is chosen; if several can, the one named first.
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

/// Hits on the ship with the smallest number of this kind; if several are equal, on the one that can take the fewest
/// hits.
fn least(number: fn(&Ship) -> u32) -> impl Fn(&Fleet) -> Option<[u64; 5]> {
    move |fleet| first_by(fleet, |ship| Some((number(&SHIPS[ship]), fleet[ship], SHIPS[ship].0)))
}

/// Hits assigned by dice, with these chances for a ship that can still take the given number of hits.
fn thrown(chance: fn(u8) -> u8) -> impl Fn(&Fleet) -> Option<[u64; 5]> {
    move |fleet| {
        let each = fleet.map(|left| u64::from(if left > 0 { chance(left) } else { 0 }));
        let all: u64 = each.iter().sum();
        (all > 0).then(|| each.map(|one| one * (PICKS / all)))
    }
}

/// The weights of a fleet's hits, which add up to 6 to the power of [`DICE`].
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

/// The possible fleets after this many hits, with weights that add up to [`PICKS`] to the power of [`DICE`].
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

/// The weights of the three possible ends after this many turns with two such fleets, and their sum.
fn by_hand(whole: Fleet, picks: [Picks<'_>; 2], turns: u32) -> ([BigUint; 3], BigUint) {
    by_hand_of(&ALL, whole, picks, turns)
}

fn by_hand_of(action: &Action, whole: Fleet, picks: [Picks<'_>; 2], turns: u32) -> ([BigUint; 3], BigUint) {
    let volley = BigUint::from(6_u32).pow(2 * DICE) * BigUint::from(PICKS).pow(2 * DICE);
    let mut open = BTreeMap::from([([whole, whole], BigUint::from(1_u32))]);
    let mut ends: [BigUint; 3] = Default::default();
    for _ in 0..turns {
        ends.iter_mut().for_each(|end| *end *= &volley);
        let mut next: BTreeMap<[Fleet; 2], BigUint> = BTreeMap::new();
        for ([first, second], weight) in open {
            let suffered = |fleet: Fleet, by: &Fleet, picks: Picks<'_>| {
                let mut found: BTreeMap<Fleet, BigUint> = BTreeMap::new();
                for (number, weight) in (0..).zip(hits(&action.ships, by)) {
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
                    match (action.beats(first), action.beats(second)) {
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

/// Compares the solver with the dynamic program: the fractions must be the same.
fn compare(what: &str, found: &[Number; 3], by_hand: &([BigUint; 3], BigUint)) {
    assert!(found.iter().all(|number| number.fraction.is_some()), "{what}: no fraction");
    compare_near(what, found, by_hand);
}

/// Compares the solver with the dynamic program if fractions may not fit: the first twelve digits must be the same.
fn compare_near(what: &str, found: &[Number; 3], (ends, all): &([BigUint; 3], BigUint)) {
    assert_eq!(&ends.iter().sum::<BigUint>(), all, "{what}");
    for (number, end) in found.iter().zip(ends) {
        agrees(what, number, end, all);
    }
}

/// A ship of each type.
fn all() -> Fleet {
    SHIPS.map(|ship| ship.1)
}

/// Compares battles in which both sides lose ships in the same way.
fn alike(casualties: &str, picks: Picks<'_>, turns: u8) {
    fought_alike(&ALL, casualties, picks, turns);
}

/// Compares battles of this action in which both sides lose ships in the same way; the first side must sometimes win.
fn fought_alike(action: &Action, casualties: &str, picks: Picks<'_>, turns: u8) {
    let rules = rules_of(action, casualties);
    let setup = battle(&rules, side("a", "plain", &SMALLEST), side("b", "plain", &SMALLEST), turns);
    let by_hand = by_hand_of(action, all(), [picks, picks], turns.into());
    assert_ne!(by_hand.0[0], BigUint::ZERO, "{casualties}: nobody ever wins, so who is hit does not matter");
    // Probabilities of one in five, four and three soon need more than 128 bits.
    let hold = if casualties.contains("random") { compare_near } else { compare };
    hold(casualties, &chances(&rules, &setup), &by_hand);
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
    // A side is beaten when two of its five ships are lost.
    fought_alike(&Action { lost: 2, ..ALL }, "{ order = ['brig', 'liner'] }", &listed(&["brig", "liner"]), 2);
}

#[test]
fn the_cheapest_or_the_front_rank_is_hit_first() {
    alike("{ least = 'self.price' }", &least(|ship| ship.4), 2);
    alike("{ least = 'self.rank' }", &least(|ship| ship.5), 2);
}

#[test]
fn dice_pick_who_is_hit() {
    let (even, by_figures) = ("{ by = 'random' }", "{ by = 'random', chances = 'self.figures' }");
    fought_alike(&QUIET, even, &thrown(|_| 1), 1);
    fought_alike(&QUIET, by_figures, &thrown(|left| left), 1);
    fought_alike(&QUIETER, even, &thrown(|_| 1), 2);
    fought_alike(&QUIETER, by_figures, &thrown(|left| left), 2);
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
    // Ships that a doctrine does not name come after those that it names, in the order of the phase.
    let largest = listed(&["liner", "brig", "gig", "sloop", "frigate"]);
    let sustain = listed(&SUSTAIN);
    compare("owner", &doctrines("gives-up"), &by_hand(all(), [&largest, &sustain], 2));
    compare("shooter", &doctrines("picks-off"), &by_hand(all(), [&sustain, &largest], 2));
}

/// Who decides which ships of a fleet take hits: a player who plays best, or a doctrine.
#[derive(Clone, Copy)]
enum Chooser<'a> {
    Player,
    Doctrine(Picks<'a>),
}

/// The fleets that may be left after this many hits.
fn left_by(fleet: Fleet, hits: u32, chooser: Chooser<'_>) -> BTreeSet<Fleet> {
    let mut open = BTreeSet::from([fleet]);
    for _ in 0..hits {
        let mut next = BTreeSet::new();
        for fleet in open {
            let may_be_hit = |ship: usize| match chooser {
                Chooser::Player => fleet[ship] > 0,
                Chooser::Doctrine(picks) => picks(&fleet).is_some_and(|picks| picks[ship] > 0),
            };
            let hit = (0..5).filter(|&ship| may_be_hit(ship)).map(|ship| {
                let mut fleet = fleet;
                fleet[ship] -= 1;
                fleet
            });
            let before = next.len();
            next.extend(hit);
            // No ship is left to be hit.
            if next.len() == before && fleet == [0; 5] {
                next.insert(fleet);
            }
        }
        open = next;
    }
    open
}

/// The value of an action to the first side, 1 for a win and 1/2 for a draw, computed by comparing all choices of the
/// players.
///
/// The dice of both sides are rolled before either side chooses. The hits on the second side are assigned first, so the
/// player who chooses for the first side's ships has seen the result.
struct Weighed<'a> {
    action: &'a Action,
    choosers: [Chooser<'a>; 2],
    by_shooter: bool,
    known: BTreeMap<([Fleet; 2], u32), f64>,
}

impl Weighed<'_> {
    fn worth(&mut self, fleets: [Fleet; 2], turns: u32) -> f64 {
        match fleets.map(|fleet| self.action.beats(&fleet)) {
            [false, true] => return 1.0,
            [true, false] => return 0.0,
            [true, true] => return 0.5,
            [false, false] if turns == 0 => return 0.5,
            [false, false] => {}
        }
        if let Some(&worth) = self.known.get(&(fleets, turns)) {
            return worth;
        }
        // The owner gives up ships, or the shooter picks them off.
        let [first, second] = if self.by_shooter { [1, 0] } else { [0, 1] };
        let of = |side: usize, fleet: Fleet, hits: u32| left_by(fleet, hits, self.choosers[side]);
        let better = |one: f64, other: f64, side: usize| if side == 0 { one.max(other) } else { one.min(other) };
        let weights = fleets.map(|fleet| hits(&self.action.ships, &fleet));
        let whole = 6_f64.powi(2 * DICE as i32);
        let mut throws = Vec::new();
        for (on_second, &of_first) in (0..).zip(&weights[0]) {
            for (on_first, &of_second) in (0..).zip(&weights[1]) {
                let left = [of(first, fleets[0], on_first), of(second, fleets[1], on_second)];
                throws.push((left, of_first as f64 * of_second as f64 / whole));
            }
        }
        let mut worth = 0.0;
        for ([firsts, seconds], chance) in throws {
            let mut best: Option<f64> = None;
            for &on_second in &seconds {
                let mut answer: Option<f64> = None;
                for &on_first in &firsts {
                    let then = self.worth([on_first, on_second], turns - 1);
                    answer = Some(answer.map_or(then, |answer| better(answer, then, first)));
                }
                let then = answer.expect("a fleet is left, if without ships");
                best = Some(best.map_or(then, |best| better(best, then, second)));
            }
            worth += chance * best.expect("a fleet is left, if without ships");
        }
        self.known.insert((fleets, turns), worth);
        worth
    }
}

/// Compares best play of the owner's or the shooter's choices with a comparison of all choices. Returns the values if
/// the first side follows its doctrine, if it plays, and if both sides play.
fn played(action: &Action, by: &str, turns: u8) -> [f64; 3] {
    let casualties = format!("{{ by = '{by}', order = ['gig', 'sloop', 'frigate', 'brig', 'liner'] }}");
    let rules = rules_of(action, &casualties);
    let setup = battle(&rules, side("a", "plain", &SMALLEST), side("b", "plain", &SMALLEST), turns);
    let listed = listed(&SMALLEST);
    [(Plays::Doctrine, Plays::Doctrine), (Plays::Best, Plays::Doctrine), (Plays::Best, Plays::Best)].map(|plays| {
        let both = BySide::new(plays.0, plays.1);
        let graph = explore(&rules, &setup, both, &Limits::default(), &mut |_| ControlFlow::Continue(()));
        let score = |outcome: &Outcome| match outcome.winner {
            Some(Side::First) => 1.0,
            Some(_) => 0.0,
            None => 0.5,
        };
        let found = graph.values(both, &score, (0.0, 1.0)).at_start();
        assert!(graph.is_whole() && found.low == found.high, "{by}");
        let chooser = |plays: Plays| if plays == Plays::Best { Chooser::Player } else { Chooser::Doctrine(&listed) };
        let choosers = [chooser(plays.0), chooser(plays.1)];
        let mut weighed = Weighed { action, choosers, by_shooter: by == "shooter", known: BTreeMap::new() };
        let expected = weighed.worth([all(), all()], turns.into());
        assert!((found.low - expected).abs() < 1e-12, "{by}, {plays:?}: {} is not {expected}", found.low);
        found.low
    })
}

#[test]
fn a_player_who_chooses_casualties_chooses_best() {
    for by in ["owner", "shooter"] {
        for (action, turns) in [(&QUIET, 1), (&QUIETER, 2)] {
            let [doctrine, best, both] = played(action, by, turns);
            // Fleets that follow the same doctrine are equal, and losing the smallest first is not best for either.
            assert!((doctrine - 0.5).abs() < 1e-12, "{by}: {doctrine}");
            assert!(best > 0.5 || by == "shooter", "{by}: {best}");
            assert!(both <= best, "{by}: {both}");
        }
    }
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
