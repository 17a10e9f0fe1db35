//! Computed odds must equal those counted by throwing the dice in every possible way.

use grognard_dice::Die;
use proptest::prelude::*;

use super::*;
use crate::{
    Amount, Count, Explode, Hand, Keep, Kind, Line, Natural, Need, Opposed, Pool, Ranked, Read, Reroll, Rerolled, Row,
    Stage, Sum, Symbols, Table, Ties, Under,
};

fn assert_equal(mechanic: &Mechanic, inputs: &[i32]) {
    let (expected, found) = (EveryThrow::of(mechanic, inputs), worked_out(mechanic, inputs));
    assert_eq!(expected, found, "{mechanic:?} at {inputs:?}");
}

fn assert_sum(hand: Hand, inputs: &[i32]) {
    assert_equal(&Mechanic::Sum(Sum { hand, natural: true, doubles: false }), inputs);
}

fn d(faces: u8) -> Die {
    Die::numbered(faces)
}

fn at_least(need: i32) -> Need {
    Need::AtLeast(Amount::fixed(need))
}

fn ones(times: u8) -> Option<Reroll> {
    Some(Reroll { which: Rerolled::Faces(labels(&["1"])), times })
}

fn explode(faces: &[&str], limit: u8) -> Option<Explode> {
    Some(Explode { faces: labels(faces), limit })
}

/// Variants of a hand with rerolls and exploding dice, which work with every way of reading it.
fn throws(hand: &Hand) -> Vec<Hand> {
    let named = |which: &[&str], times| Some(Reroll { which: Rerolled::Faces(labels(which)), times });
    let rerolls = [None, ones(1), named(&["2", "3"], 2)];
    let explosions = [None, explode(&["3"], 2), explode(&["2", "3"], 1)];
    let both = rerolls.iter().flat_map(|reroll| explosions.iter().map(move |explode| (reroll, explode)));
    both.map(|(reroll, explode)| Hand { reroll: reroll.clone(), explode: explode.clone(), ..hand.clone() }).collect()
}

#[test]
fn sums_of_every_die() {
    for die in [d(3), d(4), d(6), d(8), d(10), d(12), d(20), d(100), Die::average()] {
        assert_sum(Hand::sum(die.clone(), 1), &[]);
        assert_sum(Hand::sum(die, 2), &[]);
    }
    assert_sum(Hand::sum(Die::with_values("fudge", &[-1, 0, 1]), 4), &[]);
    assert_sum(Hand::sum(Die::with_values("odd", &[-30_000, 1, 1, 7]), 1), &[]);
}

#[test]
fn sums_with_rerolls_and_repeats() {
    for hand in throws(&Hand::sum(d(3), 2)) {
        assert_sum(hand, &[]);
    }
}

#[test]
fn the_number_of_dice_and_the_modifier_are_inputs() {
    let hand = Hand { plus: Amount::input(1).plus(-1), ..Hand::sum(d(4), Amount::input(0)) };
    for dice in -1..=4 {
        for modifier in [-3, 0, 10] {
            assert_sum(hand.clone(), &[dice, modifier]);
        }
    }
}

#[test]
fn mixed_hands() {
    let kinds = vec![
        Kind { die: d(6), count: Amount::fixed(2) },
        Kind { die: Die::average(), count: Amount::input(0) },
        Kind { die: d(4), count: Amount::fixed(1) },
    ];
    for read in [Read::Sum, Read::Highest, Read::Successes(at_least(4))] {
        for keep in [Keep::All, Keep::Highest(Amount::fixed(2)), Keep::Lowest(Amount::fixed(2))] {
            let hand = Hand { kinds: kinds.clone(), keep, read: read.clone(), ..Hand::sum(d(6), 0) };
            for average in 0..=2 {
                assert_sum(hand.clone(), &[average]);
            }
        }
    }
}

#[test]
fn highest_and_lowest_dice() {
    for keep in 0..=4 {
        for keep in [Keep::Highest(Amount::fixed(keep)), Keep::Lowest(Amount::fixed(keep))] {
            for read in
                [Read::Sum, Read::Highest, Read::Successes(at_least(3)), Read::Successes(Need::AtMost(2.into()))]
            {
                for die in [d(4), Die::average(), Die::with_values("low", &[-2, -1, -1])] {
                    let hand = Hand { keep, read: read.clone(), reroll: ones(1), ..Hand::sum(d(4), 0) };
                    let kinds = vec![Kind { die: die.clone(), count: Amount::fixed(3) }];
                    let reroll = hand.reroll.clone().filter(|_| die == d(4));
                    assert_sum(Hand { kinds, reroll, ..hand }, &[]);
                }
            }
        }
    }
}

#[test]
fn the_highest_die_and_what_it_added_count_as_one() {
    for keep in [Keep::All, Keep::Highest(Amount::fixed(1)), Keep::Lowest(Amount::fixed(1))] {
        for hand in throws(&Hand { keep, read: Read::Highest, ..Hand::sum(d(3), 2) }) {
            assert_sum(hand, &[]);
        }
        for hand in throws(&Hand { keep, ..Hand::sum(d(3), 2) }) {
            assert_sum(hand, &[]);
        }
    }
}

#[test]
fn successes_by_need_with_rerolls_and_repeats() {
    let needs = [Need::AtLeast(Amount::input(0)), Need::AtMost(Amount::input(0)), Need::Faces(labels(&["2", "4"]))];
    for need in needs {
        for which in [None, Some(Rerolled::Failures), Some(Rerolled::Successes), Some(Rerolled::Faces(labels(&["1"])))]
        {
            for explode in [None, explode(&["4"], 1)] {
                let reroll = which.clone().map(|which| Reroll { which, times: 1 });
                let hand = Hand::successes(d(4), 2, need.clone());
                let hand = Hand { reroll, explode, plus: Amount::fixed(1), ..hand };
                for value in 0..=5 {
                    assert_sum(hand.clone(), &[value]);
                }
            }
        }
    }
}

#[test]
fn doubles_go_with_sums() {
    let sums = |hand| Mechanic::Sum(Sum { hand, natural: false, doubles: true });
    for dice in 0..=4 {
        assert_equal(&sums(Hand::sum(d(6), dice)), &[]);
        assert_equal(&sums(Hand { reroll: ones(1), ..Hand::sum(d(4), dice) }), &[]);
        // The averaging die has two faces with a 3, and two of these make a double.
        assert_equal(&sums(Hand::sum(Die::average(), dice)), &[]);
    }
    let kinds = vec![Kind { die: d(6), count: 1.into() }, Kind { die: d(8), count: 2.into() }];
    assert_equal(&sums(Hand { kinds, ..Hand::sum(d(6), 0) }), &[]);
    let under = Under { hand: Hand::sum(d(6), 2), target: Amount::input(0), natural: false, doubles: true };
    assert_equal(&Mechanic::Under(under), &[8]);
}

#[test]
fn opposed_hands() {
    let sum = Hand { plus: Amount::input(0), ..Hand::sum(d(6), 1) };
    let best = Hand { keep: Keep::Highest(Amount::fixed(1)), plus: Amount::input(1), ..Hand::sum(Die::average(), 2) };
    let reroll = Some(Reroll { which: Rerolled::Successes, times: 1 });
    let hits = Hand { reroll, ..Hand::successes(d(4), 2, at_least(3)) };
    for (own, foe) in [(&sum, &sum), (&sum, &best), (&best, &hits), (&hits, &hits)] {
        for naturals in [false, true] {
            let mechanic = Mechanic::Opposed(Opposed { own: own.clone(), foe: foe.clone(), naturals });
            assert_equal(&mechanic, &[2, -1]);
        }
    }
}

#[test]
fn pools_of_several_stages() {
    let stage = |need| Stage::new(d(3), need);
    let rerolled = |which| Stage::of(Hand { reroll: Some(Reroll { which, times: 1 }), ..stage(at_least(2)).hand });
    let repeating = Stage::of(Hand { explode: explode(&["3"], 1), ..stage(at_least(2)).hand });
    let stages = [
        vec![stage(at_least(2))],
        vec![stage(at_least(2)), stage(Need::AtMost(Amount::input(1)))],
        vec![rerolled(Rerolled::Failures), rerolled(Rerolled::Successes)],
        vec![repeating.clone(), stage(Need::Faces(labels(&["1", "3"])))],
        vec![stage(at_least(2)), repeating],
        vec![stage(at_least(2)), stage(at_least(2)), Stage::new(d(4), at_least(4))],
    ];
    for stages in stages {
        for stage_totals in [false, true] {
            let pool = Pool { stage_totals, ..Pool::of(Amount::input(0), stages.clone()) };
            for dice in 0..=2 {
                assert_equal(&Mechanic::Pool(pool.clone()), &[dice, 1]);
            }
        }
    }
}

#[test]
fn symbols_are_counted_jointly() {
    let die = Die::with_symbols("battle", &["light", "medium", "heavy", "swords", "leader", "flag"]);
    let count = |name: &str, faces: &[&str]| Count { name: name.into(), faces: labels(faces) };
    let counts = vec![count("hits", &["heavy", "swords"]), count("flags", &["flag"]), count("red", &["heavy", "flag"])];
    for reroll in [None, Some(Reroll { which: Rerolled::Faces(labels(&["leader", "flag"])), times: 1 })] {
        for explode in [None, explode(&["swords"], 1), explode(&["swords", "leader"], 2)] {
            let deep = reroll.is_some() && explode.is_some();
            let kinds = vec![Kind { die: die.clone(), count: Amount::input(0) }];
            let inert = Some(Amount::input(1));
            let mechanic =
                Symbols { kinds, reroll: reroll.clone(), explode, inert, counts: counts.clone(), tallies: Vec::new() };
            for dice in 0..=if deep { 1 } else { 2 } {
                for inert in 0..=3 {
                    assert_equal(&Mechanic::Symbols(mechanic.clone()), &[dice, inert]);
                }
            }
        }
    }
    let kinds = vec![
        Kind { die, count: Amount::fixed(2) },
        Kind { die: Die::with_symbols("shield", &["swords", "shield"]), count: Amount::fixed(2) },
    ];
    let plain = Symbols { kinds, reroll: None, explode: None, inert: None, counts, tallies: Vec::new() };
    assert_equal(&Mechanic::Symbols(plain), &[]);
}

#[test]
fn ranked_dice() {
    let lines = |own: Line, foe: Line, ties| Mechanic::Ranked(Ranked { own, foe, ties });
    for ties in [Ties::OwnLoses, Ties::FoeLoses, Ties::NobodyLoses] {
        for own in 0..=3 {
            for foe in 0..=3 {
                let mechanic = lines(Line::new(d(4), Amount::input(0)), Line::new(d(4), Amount::input(1)), ties);
                assert_equal(&mechanic, &[own, foe]);
            }
        }
        let average = Line { plus: Amount::input(0), ..Line::new(Die::average(), 2) };
        let rerolled = Line { reroll: ones(1), ..Line::new(d(6), 2) };
        assert_equal(&lines(average.clone(), rerolled, ties), &[1]);
        // Natural faces win or lose, whatever is added.
        let natural = Natural { fails: vec!["1".into()], succeeds: vec!["6".into()] };
        let natural = Line { plus: Amount::input(0), natural, ..Line::new(d(6), 2) };
        for plus in [-5, 0, 5] {
            assert_equal(&lines(natural.clone(), average.clone(), ties), &[plus]);
            assert_equal(&lines(Line::new(d(4), 3), natural.clone(), ties), &[plus]);
            assert_equal(&lines(natural.clone(), natural.clone(), ties), &[plus]);
        }
        // The result of dice with one face is certain, however many there are.
        assert_equal(&lines(Line::new(Die::with_values("four", &[4]), 300), average, ties), &[0]);
    }
}

#[test]
fn totals_under_a_target() {
    for target in [1, 7, 20] {
        let hand = Hand { plus: Amount::input(1), ..Hand::sum(d(6), 2) };
        assert_equal(
            &Mechanic::Under(Under { hand, target: Amount::input(0), natural: false, doubles: false }),
            &[target, 2],
        );
    }
}

#[test]
fn table_rows_and_columns() {
    let row = |up_to, entries: [i32; 3]| Row { up_to, entries: entries.to_vec() };
    let table = Table {
        hand: Hand { plus: Amount::input(0), ..Hand::sum(d(6), 2) },
        column: Amount::fixed(1),
        shifts: vec![Amount::input(1), Amount::input(2)],
        rows: vec![row(3, [-1, 0, 1]), row(8, [2, 3, 4]), row(10, [5, 6, 7])],
        natural: false,
    };
    let mechanic = Mechanic::Table(table);
    for inputs in [[0, 0, 0], [3, 5, -1], [-9, -1, -1], [0, i32::MAX, i32::MIN]] {
        assert_equal(&mechanic, &inputs);
    }
    // 2d6 in the middle column: 3 of 36 are 2 or 3, 23 are 4 to 8, 10 are more.
    assert_eq!(chance(&mechanic, &[0, 0, 0], |totals| totals.as_slice()[1..] == [1, 0]), Fraction::new(3, 36));
    assert_eq!(chance(&mechanic, &[0, 0, 0], |totals| totals.as_slice()[1..] == [1, 3]), Fraction::new(23, 36));
    // Two shifts are added up before the table's edge stops them: 1 + 5 - 4 is column 2, not 2 - 4.
    assert_eq!(chance(&mechanic, &[0, 5, -4], |totals| totals.get(1) == 2), Fraction::new(1, 1));
}

/// Any small die; its labels are its values.
fn any_die() -> impl Strategy<Value = Die> {
    prop::collection::vec(-2i16..5, 1..=4).prop_map(|values| Die::with_values("die", &values))
}

/// Any small hand that passes its check.
fn any_hand() -> impl Strategy<Value = Hand> {
    let keep = prop_oneof![
        Just(Keep::All),
        (0..4).prop_map(|n| Keep::Highest(Amount::fixed(n))),
        (0..4).prop_map(|n| Keep::Lowest(Amount::fixed(n)))
    ];
    let need = prop_oneof![
        (-2..5).prop_map(|n| Need::AtLeast(Amount::fixed(n))),
        (-2..5).prop_map(|n| Need::AtMost(Amount::fixed(n)))
    ];
    let read = prop_oneof![Just(Read::Sum), Just(Read::Highest), need.prop_map(Read::Successes)];
    let kind = (any_die(), 0..=2i32).prop_map(|(die, count)| Kind { die, count: count.into() });
    let kinds = prop::collection::vec(kind, 1..=2);
    let face = |kinds: &[Kind]| labels(&[kinds[0].die.faces[0].label.as_str()]);
    (kinds, keep, read, 0..4u8, 0..3u8, 0..3u8, -5..5i32).prop_map(
        move |(kinds, keep, read, reroll, limit, natural, plus)| {
            let counted = matches!(read, Read::Successes(_));
            let which = match reroll {
                0 => None,
                1 if counted => Some(Rerolled::Failures),
                2 if counted => Some(Rerolled::Successes),
                _ => Some(Rerolled::Faces(face(&kinds))),
            };
            let repeats = limit > 0 && !(counted && keep != Keep::All);
            let explode = repeats.then(|| Explode { faces: face(&kinds), limit });
            let natural = match natural {
                1 if counted => Natural { fails: face(&kinds), succeeds: Vec::new() },
                2 if counted => Natural { fails: Vec::new(), succeeds: face(&kinds) },
                _ => Natural::default(),
            };
            let reroll = which.map(|which| Reroll { which, times: 1 });
            Hand { kinds, keep, reroll, explode, read, natural, plus: plus.into() }
        },
    )
}

/// The approximate number of ways in which the dice of a hand can fall.
fn ways(hand: &Hand) -> f64 {
    let repeats = hand.explode.as_ref().map_or(0.0, |explode| f64::from(explode.limit));
    let rolls = if hand.reroll.is_some() { 1.6 } else { 1.0 };
    let kinds = hand.kinds.iter();
    kinds
        .map(|kind| (kind.die.faces.len() as f64).powf(f64::from(kind.count.fixed) * (rolls + 0.7 * repeats)))
        .product()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_hand_has_the_odds_of_its_throws(hand in any_hand().prop_filter("too many ways", |hand| ways(hand) < 1e4)) {
        assert_sum(hand, &[]);
    }
}
