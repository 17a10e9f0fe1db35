//! Dice whose exact odds do not fit in 128 bits: the odds are rounded, with errors within the stated bounds.

use grognard_dice::{Decision, Die, Faces};
use num_bigint::BigInt;

use super::*;
use crate::{
    Amount, Count, Goal, Hand, Kind, Models, Natural, Need, Opposed, Pool, RollAt, RollError, RollTable, Stage, Sum,
    Symbols, Under,
};

pub(super) fn stage(need: i32) -> Stage {
    Stage::new(d6(), Need::AtLeast(need.into()))
}

/// Hit on 4 or more, wound on 3 or more, pierce on 5 or more: 1/2 x 2/3 x 1/3 = 1/9.
fn ninths() -> Mechanic {
    Mechanic::Pool(Pool::of(Amount::input(0), vec![stage(4), stage(3), stage(5)]))
}

/// The odds of the first total for these numbers of dice.
fn table(mechanic: &Mechanic, dice: std::ops::RangeInclusive<i32>) -> RollTable {
    classed(mechanic, dice, |totals| totals.get(0))
}

/// The odds of a number computed from the totals, for these numbers of dice.
fn classed(mechanic: &Mechanic, dice: std::ops::RangeInclusive<i32>, class: impl Fn(&Totals) -> i32) -> RollTable {
    RollTable::of_totals(mechanic.clone(), &[dice], u8::MAX, &mut |totals| class(totals) as u16).expect("odds")
}

/// The total of this many independent dice, given the weights of 0, 1, 2 … for one of them.
fn by_the_die(one: &[u32], dice: i32) -> Vec<BigInt> {
    let mut all = vec![BigInt::from(1)];
    for _ in 0..dice {
        let mut next = vec![BigInt::ZERO; all.len() + one.len() - 1];
        for (hits, ways) in all.iter().enumerate() {
            for (more, &weight) in one.iter().enumerate().filter(|&(_, &weight)| weight > 0) {
                next[hits + more] += ways * weight;
            }
        }
        all = next;
    }
    all
}

/// Asserts that the odds are rounded, by less than `bound`, and that the error of no event exceeds the stated bound. Of
/// all events, the set of all results that became likelier has the largest error.
#[track_caller]
pub(super) fn as_near_as_said(at: &RollAt<'_>, dice: i32, one: &[u32], bound: f64) {
    assert!(at.rounding() > 0.0 && at.rounding() < bound, "{dice} dice: {:e}", at.rounding());
    let (odds, expected) = (at.odds(), by_the_die(one, dice));
    let (found, whole): (BigInt, BigInt) = (odds.total.into(), expected.iter().sum());
    let mut most = BigInt::ZERO;
    for (hits, ways) in expected.iter().enumerate() {
        let place = at.classes().binary_search(&(hits as u16));
        // Every possible result stays possible.
        assert_eq!(place.is_ok(), *ways != BigInt::ZERO, "{hits} of {dice}");
        let weight = place.map_or(0, |place| odds.weights[place]);
        most += (weight * &whole - ways * &found).max(BigInt::ZERO);
    }
    // The bound is a multiple of 2^-61.
    let said = BigInt::from((at.rounding() * (1u64 << 61) as f64) as u64);
    assert!(most << 61 <= said * found * whole, "{dice} dice are further off than {:e}", at.rounding());
}

#[test]
fn odds_are_exact_as_long_as_they_fit() {
    // 9^40 is less than 2^128, and 9^41 is not.
    let table = table(&ninths(), 0..=41);
    assert!((0..=40).all(|dice| table.at(&[dice]).rounding() == 0.0));
    assert_eq!(table.at(&[40]).odds().total, 9u128.pow(40));
    as_near_as_said(&table.at(&[41]), 41, &[8, 1], 1e-15);
}

#[test]
fn rounded_odds_are_as_near_as_they_say() {
    let table = table(&ninths(), 0..=400);
    for dice in [41, 100, 255, 399, 400] {
        as_near_as_said(&table.at(&[dice]), dice, &[8, 1], 1e-14);
    }
}

#[test]
fn damage_of_large_pools_is_rounded_too() {
    let damage = Stage::of(Hand::sum(Die::numbered(3), 1));
    let pool = Pool::of(Amount::input(0), vec![stage(5), damage]);
    as_near_as_said(&table(&Mechanic::Pool(pool.clone()), 0..=400).at(&[400]), 400, &[6, 1, 1, 1], 1e-14);
    // Models with one wound: each hit removes one, and a third of all dice hit.
    let models = Models { wounds: 1.into(), left: 1.into(), spill: false, gone: true };
    as_near_as_said(
        &table(&Mechanic::Pool(Pool { models: Some(models), ..pool }), 400..=400).at(&[400]),
        400,
        &[2, 1],
        1e-13,
    );
}

/// The walks through models are the same for all numbers of dice, and the odds of each number equal those computed on
/// its own.
#[test]
fn models_take_the_wounds_of_any_number_of_dice_up_to_the_most() {
    let damage = Stage::of(Hand::sum(Die::numbered(3), 1));
    let pool = |wounds: i32, left: Amount| {
        let models = Some(Models { wounds: wounds.into(), left, spill: false, gone: true });
        Mechanic::Pool(Pool { models, ..Pool::of(Amount::input(0), vec![stage(5), damage.clone()]) })
    };
    // Models with one wound: each hit removes one, and a third of all dice hit.
    let whole = table(&pool(1, 1.into()), 0..=400);
    for dice in [81, 200, 399, 400] {
        as_near_as_said(&whole.at(&[dice]), dice, &[2, 1], 1e-13);
    }
    let gone = |totals: &Totals| totals.get(0) + 1000 * totals.get(1);
    let build = |ranges: &[std::ops::RangeInclusive<i32>]| {
        let mut class = |_: &[i32], totals: &Totals| gone(totals) as u16;
        RollTable::build(pool(2, Amount::input(1)), ranges, &mut class).expect("odds")
    };
    let all = build(&[0..=60, 1..=2]);
    for (dice, left) in [(0, 1), (1, 2), (7, 1), (60, 1), (60, 2)] {
        let alone = build(&[dice..=dice, left..=left]);
        let (alone, among) = (alone.at(&[dice, left]), all.at(&[dice, left]));
        assert_eq!(alone.classes(), among.classes(), "{dice} dice, {left} left");
        assert_eq!((alone.odds().weights, alone.odds().total), (among.odds().weights, among.odds().total));
        assert_eq!(alone.rounding(), among.rounding());
    }
}

#[test]
fn groups_are_rounded_together() {
    let group = |need: i32| Stage { to: Goal::Hits, ..stage(need) };
    let dice = vec![Amount::input(0), Amount::input(0)];
    let mechanic = Mechanic::Pool(Pool::of_groups(dice, vec![group(5), group(3)]));
    // A third of the first group succeed, and two thirds of the second. The weights are for a pair of dice, one from
    // each group.
    as_near_as_said(&table(&mechanic, 60..=60).at(&[60]), 60, &[2, 5, 2], 1e-14);
}

#[test]
fn sums_and_successes_that_are_read_as_one_number_are_rounded() {
    let sum = Mechanic::Sum(Sum::new(Hand::sum(d6(), Amount::input(0))));
    let successes = Hand::successes(d6(), Amount::input(0), Need::AtLeast(5.into()));
    let under = Mechanic::Under(Under { hand: successes, target: 0.into(), natural: false, doubles: false });
    for (mechanic, one, exact) in [(sum, &[0, 1, 1, 1, 1, 1, 1][..], 49), (under, &[2, 1], 80)] {
        let table = table(&mechanic, 0..=400);
        assert!((0..=exact).all(|dice| table.at(&[dice]).rounding() == 0.0));
        for dice in [exact + 1, 100, 400] {
            as_near_as_said(&table.at(&[dice]), dice, one, 1e-14);
        }
    }
}

#[test]
fn opposed_pools_are_rounded_together() {
    let hand = |need: i32| Hand::successes(d6(), Amount::input(0), Need::AtLeast(need.into()));
    let opposed = Mechanic::Opposed(Opposed { own: hand(5), foe: hand(4), naturals: false });
    // A third of the rolling side's dice succeed, and half of the foe's do not. The weights are for a pair of dice, one
    // from each side.
    let odds = classed(&opposed, 49..=49, |totals| totals.get(2) + 49);
    assert_eq!(odds.at(&[49]).rounding(), 0.0, "6^49 fits");
    for dice in [50, 200, 400] {
        as_near_as_said(
            &classed(&opposed, dice..=dice, |totals| totals.get(2) + dice).at(&[dice]),
            dice,
            &[2, 3, 1],
            1e-14,
        );
    }
}

#[test]
fn symbols_of_large_hands_are_rounded() {
    let count = |name: &str, faces: &[&str]| Count { name: name.to_owned(), faces: labels(faces) };
    let symbols = Mechanic::Symbols(Symbols {
        kinds: vec![Kind { die: d6(), count: Amount::input(0) }],
        reroll: None,
        explode: None,
        inert: None,
        counts: vec![count("hits", &["5", "6"]), count("flags", &["1"])],
        tallies: Vec::new(),
    });
    // Both totals together: three blank faces, two hits, one flag.
    let both = classed(&symbols, 60..=60, |totals| totals.get(0) + 61 * totals.get(1));
    let mut one = vec![0; 62];
    (one[0], one[1], one[61]) = (3, 2, 1);
    as_near_as_said(&both.at(&[60]), 60, &one, 1e-13);
    as_near_as_said(&table(&symbols, 400..=400).at(&[400]), 400, &[4, 2], 1e-13);
}

#[test]
fn natural_faces_of_large_pools_are_counted_beside_the_hits() {
    let hit = Hand { natural: Natural { fails: Vec::new(), succeeds: labels(&["6"]) }, ..stage(5).hand };
    let pool = Pool { criticals: true, ..Pool::of(Amount::input(0), vec![Stage::of(hit), stage(4)]) };
    let pool = Mechanic::Pool(pool);
    // In twelfths: a miss has eight; a five that wounds, a five that does not, a six that wounds and a six that does
    // not have one each.
    let both = classed(&pool, 100..=100, |totals| totals.get(0) + 101 * totals.get(1));
    let mut one = vec![0; 103];
    (one[0], one[1], one[101], one[102]) = (9, 1, 1, 1);
    as_near_as_said(&both.at(&[100]), 100, &one, 1e-13);
    as_near_as_said(&table(&pool, 400..=400).at(&[400]), 400, &[10, 2], 1e-12);
    as_near_as_said(&classed(&pool, 400..=400, |totals| totals.get(1)).at(&[400]), 400, &[5, 1], 1e-12);
}

/// Checks a pool whose number of dice varies up to 400, with its totals multiplied by `times` and added up, against the
/// weights `one` for a single die.
#[track_caller]
fn any_number_of_dice(pool: &Mechanic, times: &[i32], one: &[u32]) {
    let added = |totals: &Totals| times.iter().enumerate().map(|(at, times)| times * totals.get(at)).sum::<i32>();
    let all =
        RollTable::of_totals(pool.clone(), &[0..=400], u8::MAX, &mut |totals| added(totals) as u16).expect("odds");
    assert!((0..=35).all(|dice| all.at(&[dice]).rounding() == 0.0), "{times:?}: few dice are exact");
    for dice in [60, 100, 255, 400] {
        as_near_as_said(&all.at(&[dice]), dice, one, 1e-12);
    }
}

#[test]
fn fumbles_of_any_number_of_dice_up_to_the_most() {
    let natural = Natural { fails: labels(&["1"]), succeeds: labels(&["6"]) };
    let one = Stage::of(Hand { natural, ..stage(5).hand });
    let pool = |criticals| {
        let pool = Pool::of(Amount::input(0), vec![one.clone()]);
        Mechanic::Pool(Pool { criticals, fumbles: !criticals, ..pool })
    };
    assert_eq!(pool(false).totals(), ["hits", "fumbles"]);
    assert_eq!(pool(true).totals(), ["hits", "criticals"]);
    // Of six faces, one fumbles, three miss and two hit, one of them critically.
    any_number_of_dice(&pool(false), &[1, 0], &[4, 2]);
    any_number_of_dice(&pool(false), &[2, 5], &[3, 0, 2, 0, 0, 1]);
    any_number_of_dice(&pool(true), &[1, 1], &[4, 1, 1]);
    any_number_of_dice(&pool(true), &[0, 1], &[5, 1]);
}

#[test]
fn criticals_of_any_number_of_dice_whose_hits_are_thrown_again() {
    let natural = Natural { fails: labels(&["1"]), succeeds: labels(&["6"]) };
    let first = Stage::of(Hand { natural, ..stage(5).hand });
    let pool = |criticals| {
        let pool = Pool::of(Amount::input(0), vec![first.clone(), stage(4)]);
        Mechanic::Pool(Pool { criticals, fumbles: !criticals, ..pool })
    };
    // In twelfths: a miss has eight, two of them fumbles; a five that wounds, a five that does not, a six that wounds
    // and a six that does not have one each.
    any_number_of_dice(&pool(true), &[1, 3], &[9, 1, 0, 1, 1]);
    any_number_of_dice(&pool(false), &[1, 3], &[8, 2, 0, 2]);
}

#[test]
fn all_totals_of_natural_faces_of_as_many_dice_as_can_be() {
    let natural = Natural { fails: labels(&["1"]), succeeds: labels(&["6"]) };
    let pool = |dice: Amount, stages: usize| {
        let mut stages = vec![stage(4); stages];
        stages[0] = Stage::of(Hand { natural: natural.clone(), ..stage(5).hand });
        Mechanic::Pool(Pool { criticals: true, fumbles: true, ..Pool::of(dice, stages) })
    };
    let added = |totals: &Totals| totals.get(0) + 3 * totals.get(1) + 9 * totals.get(2);
    let all = classed(&pool(Amount::input(0), 1), 0..=100, added);
    // A six is a hit and a critical.
    as_near_as_said(&all.at(&[100]), 100, &[3, 1, 0, 0, 1, 0, 0, 0, 0, 1], 1e-12);
    let all = classed(&pool(Amount::input(0), 2), 0..=60, added);
    as_near_as_said(&all.at(&[60]), 60, &[7, 1, 0, 1, 1, 0, 0, 0, 0, 2], 1e-12);
    let too_many = RollTable::of_totals(pool(Amount::input(0), 1), &[0..=400], u8::MAX, &mut |_| 0).unwrap_err();
    assert_eq!(too_many, RollError::TooMuchWork);
}

/// Odds that are cached for other numbers of dice, and for dice with other needs, change nothing.
#[test]
fn odds_of_a_number_of_dice_do_not_depend_on_those_computed_before() {
    let natural = Natural { fails: Vec::new(), succeeds: labels(&["6"]) };
    let need = Need::AtLeast(Amount::input(1));
    let first = Stage::of(Hand { natural, ..Hand::successes(d6(), 1, need) });
    let pool = Mechanic::Pool(Pool { criticals: true, ..Pool::of(Amount::input(0), vec![first, stage(4)]) });
    let build = |ranges: &[std::ops::RangeInclusive<i32>]| {
        let mut class = |totals: &Totals| (totals.get(0) + 3 * totals.get(1)) as u16;
        RollTable::of_totals(pool.clone(), ranges, u8::MAX, &mut class).expect("odds")
    };
    // The last input has no effect, but makes the number of dice start again from the smallest.
    let all = build(&[0..=70, 4..=5, 0..=1]);
    for (dice, need, other) in [(0, 4, 0), (1, 5, 0), (49, 4, 1), (60, 4, 0), (60, 5, 1), (70, 5, 0), (60, 5, 0)] {
        let alone = build(&[dice..=dice, need..=need, 0..=0]);
        let (alone, among) = (alone.at(&[dice, need, 0]), all.at(&[dice, need, other]));
        assert_eq!(alone.classes(), among.classes(), "{dice} dice, {need} or more");
        assert_eq!((alone.odds().weights, alone.odds().total), (among.odds().weights, among.odds().total));
        assert_eq!(alone.rounding(), among.rounding());
    }
}

#[test]
fn as_many_dice_as_many_dice_show_are_rounded() {
    let many = Stage::of(Hand::sum(d6(), Amount::input(0)));
    let pool = Mechanic::Pool(Pool::of(1, vec![many, stage(5)]));
    // Each die shows one to six, and that many dice are rolled, a third of which hit. The common denominator is 6 x
    // 3^6.
    let mut one = [0; 7];
    for shown in 1..=6 {
        for (hits, ways) in by_the_die(&[2, 1], shown).iter().enumerate() {
            one[hits] += u32::try_from(ways).expect("few ways") * 3u32.pow(6 - shown as u32);
        }
    }
    for dice in [50, 400] {
        as_near_as_said(&table(&pool, dice..=dice).at(&[dice]), dice, &one, 1e-12);
    }
}

#[test]
fn a_die_that_becomes_many_is_rounded_alone() {
    let many = Stage::of(Hand::sum(Die::numbered(100), 1));
    let pool = Mechanic::Pool(Pool::of(Amount::input(0), vec![many, stage(5)]));
    let table = table(&pool, 1..=1);
    // One to a hundred dice, all numbers equally likely, and a third of the dice hit. The common denominator is 100 x
    // 3^100.
    let at = table.at(&[1]);
    assert!(at.rounding() > 0.0 && at.rounding() < 1e-13, "{:e}", at.rounding());
    let mut expected = vec![0.0; 101];
    for dice in 1..=100 {
        let whole = 3f64.powi(dice);
        for (hits, ways) in by_the_die(&[2, 1], dice).iter().enumerate() {
            expected[hits] += ways.to_string().parse::<f64>().expect("a number") / whole / 100.0;
        }
    }
    for (hits, expected) in expected.iter().enumerate() {
        let found = at.odds().weights[hits] as f64 / at.odds().total as f64;
        assert!((found - expected).abs() <= at.rounding() + 1e-15, "{hits}: {found} and {expected}");
    }
}

/// A die that always shows the same face.
struct Always(usize);

impl Faces for Always {
    fn roll(&mut self, _: &Die) -> usize {
        self.0
    }
}

#[test]
fn no_result_is_too_rare_to_be_played() {
    let table = table(&ninths(), 400..=400);
    let (totals, outcome) = table.at(&[400]).play(&mut Always(5));
    assert_eq!((totals.get(0), table.at(&[400]).class(outcome)), (400, 400));
}
