//! Natural faces: odds found by counting faces, and refusals.

use grognard_dice::{Decision, Die, Faces};

use super::*;
use crate::{
    Amount, Explode, Hand, Keep, Kind, Natural, Need, Opposed, Pool, Read, Reroll, Rerolled, RollError, RollTable, Row,
    Stage, Sum, Table, Under,
};

fn natural(fails: &[&str], succeeds: &[&str]) -> Natural {
    Natural { fails: labels(fails), succeeds: labels(succeeds) }
}

fn at_least(need: impl Into<Amount>) -> Need {
    Need::AtLeast(need.into())
}

/// One D6 whose need is the first input.
fn shot(natural: Natural) -> Mechanic {
    let hand = Hand { natural, ..Hand::successes(d6(), 1, at_least(Amount::input(0))) };
    Mechanic::Pool(Pool::of(1, vec![Stage::of(hand)]))
}

fn under(hand: Hand) -> Mechanic {
    Mechanic::Under(Under { hand, target: Amount::input(0), natural: false, doubles: false })
}

/// Asserts that the computed odds equal those of the dice in every way they can fall.
fn assert_equal(mechanic: &Mechanic, inputs: &[i32]) {
    assert_eq!(EveryThrow::of(mechanic, inputs), worked_out(mechanic, inputs), "{mechanic:?} at {inputs:?}");
}

#[test]
fn a_six_always_hits_and_a_one_always_misses() {
    let hits = |natural: Natural, need| chance(&shot(natural), &[need], |totals| totals.get(0) == 1);
    let both = || natural(&["1"], &["6"]);
    // 2 or more with -5 on the die is 7 or more: only the 6 hits, as it does at 60 or more.
    assert_eq!(hits(natural(&[], &["6"]), 7), Fraction::new(1, 6));
    assert_eq!(hits(both(), 60), Fraction::new(1, 6));
    assert_eq!(hits(Natural::default(), 7), Fraction::ZERO);
    // 1 or more: only the 1 misses.
    assert_eq!(hits(natural(&["1"], &[]), 1), Fraction::new(5, 6));
    assert_eq!(hits(both(), -60), Fraction::new(5, 6));
    assert_eq!(hits(Natural::default(), 1), Fraction::new(1, 1));
    // In between they change nothing: 4, 5 and 6 hit.
    assert_eq!(hits(both(), 4), Fraction::new(1, 2));
}

/// A die with this face up, counted from 0.
struct Lying(usize);

impl Faces for Lying {
    fn roll(&mut self, _: &Die) -> usize {
        self.0
    }
}

#[test]
fn a_table_draws_and_plays_natural_faces() {
    let mechanic = shot(natural(&["1"], &["6"]));
    let table = RollTable::build(mechanic, &[-5..=9], &mut |_, totals| totals.get(0) as u16).expect("odds");
    assert_eq!((table.at(&[7]).classes(), table.at(&[7]).odds().weights), ([0, 1].as_slice(), [5, 1].as_slice()));
    assert_eq!(table.at(&[-5]).odds().weights, [1, 5]);
    let played = |need, face| table.at(&[need]).play(&mut Lying(face)).1;
    assert_eq!([played(7, 5), played(7, 4), played(-5, 0), played(-5, 1)], [1, 0, 0, 1]);
}

#[test]
fn a_natural_success_is_not_rerolled_as_a_failure() {
    let hand = Hand::successes(d6(), 1, at_least(7));
    let reroll = Some(Reroll { which: Rerolled::Failures, times: 1 });
    let mechanic = Mechanic::Sum(Sum::new(Hand { reroll, natural: natural(&[], &["6"]), ..hand }));
    // 1/6, plus another sixth of the remaining 5/6.
    assert_eq!(chance(&mechanic, &[], |totals| totals.get(0) == 1), Fraction::new(11, 36));
}

#[test]
fn a_natural_one_and_twenty_decide_a_roll_under() {
    let mechanic = under(Hand { natural: natural(&["20"], &["1"]), ..Hand::sum(Die::numbered(20), 1) });
    let passes = |target| chance(&mechanic, &[target], |totals| totals.get(2) >= 0);
    assert_eq!(passes(10), Fraction::new(10, 20));
    assert_eq!(passes(25), Fraction::new(19, 20));
    assert_eq!(passes(-3), Fraction::new(1, 20));
    // The margin is the narrowest possible: anything better would be another degree of success.
    let margin = |target, roll, margin| chance(&mechanic, &[target], |t| t.get(0) == roll && t.get(2) == margin);
    assert_eq!(margin(-3, 1, 0), Fraction::new(1, 20));
    assert_eq!(margin(25, 20, -1), Fraction::new(1, 20));
    // A 1 that passes anyway passes by its full margin.
    assert_eq!(margin(10, 1, 9), Fraction::new(1, 20));
    assert_eq!(margin(10, 20, -10), Fraction::new(1, 20));
}

#[test]
fn double_ones_and_double_sixes_are_natural_totals() {
    let mechanic = under(Hand { natural: natural(&["12"], &["2"]), plus: 3.into(), ..Hand::sum(d6(), 2) });
    let passes = |target| chance(&mechanic, &[target], |totals| totals.get(2) >= 0);
    assert_eq!(passes(0), Fraction::new(1, 36));
    assert_eq!(passes(15), Fraction::new(35, 36));
    // The faces of the dice decide, not the total: a total of 12 after the +3 is a 9 on the dice, and passes.
    assert_eq!(passes(12), Fraction::new(30, 36));
}

#[test]
fn natural_faces_of_both_sides_cancel_out() {
    let side = |natural, plus: i32| Hand { natural, plus: plus.into(), ..Hand::sum(d6(), 1) };
    let opposed = |own, foe| Mechanic::Opposed(Opposed { own, foe, naturals: false });
    let six = || natural(&[], &["6"]);
    let won = |mechanic: &Mechanic| chance(mechanic, &[], |totals| totals.get(2) > 0);
    assert_eq!(won(&opposed(side(six(), 0), side(Natural::default(), 10))), Fraction::new(1, 6));
    let both = opposed(side(six(), 0), side(six(), 10));
    assert_eq!(won(&both), Fraction::new(5, 36));
    assert_eq!(chance(&both, &[], |totals| totals.as_slice() == [6, 16, -10]), Fraction::new(1, 36));
    // A 6 wins against the better side, and so does any face against its natural 1; a natural 1 also loses on its own.
    let fumble = opposed(side(six(), 0), side(natural(&["1"], &[]), 10));
    assert_eq!(won(&fumble), Fraction::new(11, 36));
    let lost = opposed(side(natural(&["1"], &[]), 10), side(Natural::default(), 0));
    assert_eq!(chance(&lost, &[], |totals| totals.get(2) < 0), Fraction::new(1, 6));
}

#[test]
fn criticals_and_fumbles_are_counted_beside_the_hits() {
    let stage = Stage::of(Hand { natural: natural(&["1"], &["6"]), ..Hand::successes(d6(), 1, at_least(4)) });
    let pool = Pool { criticals: true, fumbles: true, ..Pool::of(2, vec![stage]) };
    let mechanic = Mechanic::Pool(pool);
    assert_eq!(mechanic.totals(), ["hits", "criticals", "fumbles"]);
    let falls = |totals: [i16; 3]| chance(&mechanic, &[], |fallen| fallen.as_slice() == totals);
    // A 6 and a 1 in either order; 4 or 5 twice; a 6 and a 4 or 5 in either order.
    assert_eq!(falls([1, 1, 1]), Fraction::new(2, 36));
    assert_eq!(falls([2, 0, 0]), Fraction::new(4, 36));
    assert_eq!(falls([2, 1, 0]), Fraction::new(4, 36));
}

#[test]
fn natural_faces_with_everything_else() {
    let both = || natural(&["2"], &["3"]);
    let hand = |need: Need| Hand { natural: both(), ..Hand::successes(Die::numbered(4), 1, need) };
    let stage = |need: Need| Stage::of(hand(need));
    let input = || hand(at_least(Amount::input(1)));
    let rerolled = |which| Stage::of(Hand { reroll: Some(Reroll { which, times: 1 }), ..input() });
    let explode = Some(Explode { faces: labels(&["3"]), limit: 1 });
    let repeating = Stage::of(Hand { explode: explode.clone(), ..input() });
    let stages = [
        vec![stage(Need::AtMost(Amount::input(1))), stage(at_least(5))],
        vec![rerolled(Rerolled::Failures), rerolled(Rerolled::Successes)],
        vec![repeating.clone(), repeating],
    ];
    for stages in stages {
        for wanted in 0..8 {
            let [stage_totals, criticals, fumbles] = [1, 2, 4].map(|bit| wanted & bit > 0);
            let pool = Pool { stage_totals, criticals, fumbles, ..Pool::of(Amount::input(0), stages.clone()) };
            for need in [0, 3, 9] {
                assert_equal(&Mechanic::Pool(pool.clone()), &[2, need]);
            }
        }
    }
    let kinds = vec![Kind { die: Die::numbered(4), count: 2.into() }, Kind { die: Die::average(), count: 1.into() }];
    for keep in [Keep::All, Keep::Highest(2.into()), Keep::Lowest(2.into())] {
        let hand = Hand { kinds: kinds.clone(), keep, natural: both(), ..Hand::sum(d6(), 0) };
        for need in [0, 3, 9] {
            let read = Read::Successes(at_least(need));
            assert_equal(&Mechanic::Sum(Sum::new(Hand { read, ..hand.clone() })), &[]);
        }
        for (read, natural) in [(Read::Sum, natural(&["5"], &["7"])), (Read::Highest, natural(&["4"], &["3"]))] {
            let own = Hand { read, natural, plus: Amount::input(0), ..hand.clone() };
            assert_equal(&under(own.clone()), &[1]);
            let opposed = Opposed { foe: own.clone(), own, naturals: true };
            assert_equal(&Mechanic::Opposed(opposed), &[-2]);
        }
    }
    // A 4, or a 3 and the 1 that it added.
    let exploding = Hand { explode, natural: natural(&["4"], &["7"]), ..Hand::sum(Die::numbered(4), 1) };
    assert_equal(&under(exploding), &[2]);
}

#[test]
fn what_the_dice_show_is_a_total_if_requested() {
    let hand = Hand { plus: Amount::input(0), ..Hand::sum(d6(), 2) };
    let rows = vec![Row { up_to: 7, entries: vec![0] }, Row { up_to: 8, entries: vec![1] }];
    let table = Table { hand: hand.clone(), column: 0.into(), shifts: Vec::new(), rows, natural: true };
    let under = Under { hand, target: 7.into(), natural: true, doubles: true };
    for (mechanic, at) in [(Mechanic::Table(table), 3), (Mechanic::Under(under), 3)] {
        assert_eq!(mechanic.totals()[at], "natural");
        assert_eq!(chance(&mechanic, &[-4], |totals| totals.get(at) == 2 && totals.get(0) == -2), Fraction::new(1, 36));
        assert_equal(&mechanic, &[-4]);
    }
}

#[test]
fn natural_faces_that_cannot_be_are_refused() {
    let refusal = |mechanic: &Mechanic| mechanic.distribution(&[3]).expect_err("this should be refused").to_string();
    assert_eq!(refusal(&shot(natural(&[], &["7"]))), "d6 has no face \"7\"; its faces are: 1, 2, 3, 4, 5, 6");
    let twice = "the natural face \"6\" is listed twice: a face either fails or succeeds";
    assert_eq!(refusal(&shot(natural(&["6"], &["6"]))), twice);
    let hand = |count: Amount, label: &str| Hand { natural: natural(&[label], &[]), ..Hand::sum(d6(), count) };
    let beyond = "2d6 cannot show \"13\"; the dice show 2 to 12, before anything is added";
    assert_eq!(refusal(&under(hand(2.into(), "13"))), beyond);
    assert!(refusal(&under(hand(2.into(), "1"))).starts_with("2d6 cannot show \"1\";"));
    assert!(refusal(&under(hand(1.into(), "06"))).starts_with("d6 cannot show \"06\";"));
    assert!(under(hand(2.into(), "12")).distribution(&[3]).is_ok());
    assert!(refusal(&under(hand(Amount::input(0), "12"))).contains("varying number of dice"));
    let best = Hand { keep: Keep::Highest(2.into()), ..hand(Amount::input(0), "12") };
    assert!(under(best).distribution(&[3]).is_ok());
    let highest = |label| under(Hand { read: Read::Highest, ..hand(Amount::input(0), label) });
    assert!(highest("6").distribution(&[3]).is_ok());
    assert!(refusal(&highest("7")).starts_with("d6 cannot show \"7\";"));
    let sum = Mechanic::Sum(Sum::new(hand(1.into(), "6")));
    assert!(matches!(sum.distribution(&[]), Err(RollError::Meaningless(_))));
}
