//! Nonsense input gives odds or an error, never a panic, and quickly.

use grognard_dice::{Die, Face};

use super::*;
use crate::{
    Amount, Count, Explode, Hand, Keep, Kind, Line, Models, Natural, Need, Opposed, Pool, Ranked, Read, Reroll,
    Rerolled, RollError, Row, Stage, Sum, Symbols, TOTALS_MAX, Table, Ties, Under,
};

/// Numbers that a battle should never supply.
const NUMBERS: [i32; 10] = [i32::MIN, -40_000, -1, 0, 1, 2, 49, 50, 1000, i32::MAX];

/// A physical die that always shows its last face, and an index that is too large.
struct Overboard;

impl Faces for Overboard {
    fn roll(&mut self, die: &Die) -> usize {
        die.faces.len() + 3
    }
}

fn hand(die: Die, keep: Keep, read: Read) -> Hand {
    Hand { keep, plus: Amount::input(2), ..Hand::new(die, Amount::input(0), read) }
}

fn mechanics(die: &Die) -> Vec<Mechanic> {
    let (again, repeat) = (Rerolled::Faces(labels(&["1"])), labels(&["6", "0", "a"]));
    let reroll = |times| Some(Reroll { which: again.clone(), times });
    let explode = |limit| Some(Explode { faces: repeat.clone(), limit });
    let need = Need::AtLeast(Amount::input(1));
    let natural = Natural { fails: labels(&["1"]), succeeds: labels(&["6"]) };
    let mut all = Vec::new();
    for keep in [Keep::All, Keep::Highest(Amount::input(1)), Keep::Lowest(Amount::input(1))] {
        for read in [Read::Sum, Read::Highest, Read::Successes(need.clone())] {
            let plain = hand(die.clone(), keep, read);
            let busy = Hand { reroll: reroll(255), explode: explode(255), ..plain.clone() };
            let natural = Hand { natural: natural.clone(), ..plain.clone() };
            for hand in [plain, busy, natural] {
                all.push(Mechanic::Sum(Sum { hand: hand.clone(), natural: true, doubles: true }));
                all.push(Mechanic::Opposed(Opposed { own: hand.clone(), foe: hand.clone(), naturals: true }));
                all.push(Mechanic::Under(Under {
                    hand: hand.clone(),
                    target: Amount::input(1),
                    natural: false,
                    doubles: false,
                }));
                let rows = vec![Row { up_to: 5, entries: vec![1, i32::MAX] }, Row { up_to: 6, entries: vec![2, 3] }];
                let shifts = vec![Amount::input(1), Amount::input(2)];
                all.push(Mechanic::Table(Table { hand, column: Amount::input(1), shifts, rows, natural: false }));
            }
        }
    }
    let line = Line { reroll: reroll(1), plus: Amount::input(2), ..Line::new(die.clone(), Amount::input(0)) };
    let foe = Line { dice: Amount::input(1), ..line.clone() };
    all.push(Mechanic::Ranked(Ranked { own: line, foe, ties: Ties::NobodyLoses }));
    let stage = Stage::new(die.clone(), need);
    let busy = Hand { reroll: reroll(255), explode: explode(255), natural, ..stage.hand.clone() };
    let busy = Stage::of(busy);
    for stages in [vec![], vec![stage.clone()], vec![busy.clone(), busy, stage.clone()], vec![stage; 30]] {
        for wanted in 0..8 {
            let [stage_totals, criticals, fumbles] = [1, 2, 4].map(|bit| wanted & bit > 0);
            let pool = Pool { stage_totals, criticals, fumbles, ..Pool::of(Amount::input(0), stages.clone()) };
            let models = Models { wounds: Amount::input(1), left: Amount::input(2), spill: false, gone: true };
            let fallen = (!stage_totals).then(|| Pool { models: Some(models), ..pool.clone() });
            all.extend(fallen.into_iter().chain([pool]).map(Mechanic::Pool));
        }
    }
    let counts = |n: usize| die.faces.iter().cycle().take(n).enumerate();
    for n in [0, 1, TOTALS_MAX, 20] {
        let counts: Vec<Count> =
            counts(n).map(|(i, face)| Count { name: i.to_string(), faces: vec![face.label.clone()] }).collect();
        let kinds = vec![Kind { die: die.clone(), count: Amount::input(0) }; 2];
        for (kinds, inert) in [(&kinds[..], None), (&kinds[..1], Some(Amount::input(1))), (&kinds[..], Some(1.into()))]
        {
            let (kinds, counts, explode) = (kinds.to_vec(), counts.clone(), explode(3));
            all.push(Mechanic::Symbols(Symbols { kinds, reroll: None, explode, inert, counts, tallies: Vec::new() }));
        }
    }
    all
}

#[test]
fn any_mechanic_with_any_inputs_gives_odds_or_an_error() {
    let many: Vec<Face> = (0..200).map(|i| Face { value: i * 150, label: i.to_string() }).collect();
    let dice = [
        d6(),
        Die { name: "none".into(), faces: Vec::new() },
        Die { name: "too many".into(), faces: vec![Face { value: 1, label: "1".into() }; 201] },
        Die::with_values("certain", &[6]),
        Die::with_values("extreme", &[i16::MIN, i16::MAX]),
        Die::with_symbols("letters", &["a", "b"]),
        Die { name: "wide".into(), faces: many },
    ];
    let (mut odds, mut errors) = (0, 0);
    for die in &dice {
        for mechanic in mechanics(die) {
            for (at, &first) in NUMBERS.iter().enumerate() {
                let inputs = [first, NUMBERS[(at * 3 + 1) % NUMBERS.len()], NUMBERS[(at * 7 + 2) % NUMBERS.len()]];
                match mechanic.distribution(&inputs) {
                    Ok(_) => odds += 1,
                    Err(error) => {
                        assert!(!error.to_string().is_empty());
                        errors += 1;
                    }
                }
                if first <= 49 {
                    mechanic.by_hand(&inputs, &mut Overboard);
                }
            }
            assert!(mechanic.inputs() == 0 || mechanic.distribution(&[]).is_err());
        }
    }
    assert!(odds > 100 && errors > 100, "{odds} odds, {errors} errors");
}

fn refusal(mechanic: &Mechanic, inputs: &[i32]) -> String {
    mechanic.distribution(inputs).expect_err("this should be refused").to_string()
}

#[test]
fn too_many_dice_are_told_the_limit() {
    // The odds of dice that are sorted are not rounded.
    let best = |count: Amount| Hand { keep: Keep::Highest(3.into()), ..Hand::sum(d6(), count) };
    let sum = |count: Amount| Mechanic::Sum(Sum::new(best(count)));
    assert!(sum(Amount::input(0)).distribution(&[49]).is_ok());
    assert_eq!(refusal(&sum(Amount::input(0)), &[60]), "60 dice are too many: odds can be computed for at most 49");
    assert_eq!(refusal(&sum(Amount::fixed(1000)), &[]), "1000 dice are too many: odds can be computed for at most 49");
    let doubles = Mechanic::Sum(Sum { hand: Hand::sum(d6(), 60), natural: false, doubles: true });
    assert_eq!(refusal(&doubles, &[]), "60 dice are too many: odds can be computed for at most 49");
    let pool = |need: i32| Mechanic::Pool(Pool::new(Amount::input(0), d6(), Need::AtLeast(Amount::fixed(need))));
    assert!(pool(5).distribution(&[400]).is_ok(), "rounded: only 3^80 fits 128 bits");
    assert!(pool(7).distribution(&[1000]).is_ok(), "a need beyond the die is never met, by any number of dice");
    assert_eq!(chance(&pool(7), &[1000], |totals| totals.get(0) == 0), Fraction::new(1, 1));
    assert!(refusal(&pool(7), &[1001]).ends_with("odds can be computed for at most 1000"));
    let opposed = |own, foe| Mechanic::Opposed(Opposed { own, foe, naturals: false });
    let (few, many) = (best(30.into()), best(60.into()));
    assert!(opposed(few.clone(), few.clone()).distribution(&[]).is_ok(), "rounded together, each exact for itself");
    let error = opposed(few, many).distribution(&[]).expect_err("60 are too many");
    assert!(
        matches!(&error, RollError::OfFoe(of) if matches!(**of, RollError::TooManyDice { limit: 49, .. })),
        "{error}"
    );
    let line = || Line::new(d6(), 30);
    let ranked = Mechanic::Ranked(Ranked { own: line(), foe: line(), ties: Ties::NobodyLoses });
    assert!(refusal(&ranked, &[]).starts_with("too many dice: the exact odds of 30 against 30"));
}

#[test]
fn what_does_not_go_together_is_refused() {
    let plain = Hand::sum(d6(), 2);
    let failures = Some(Reroll { which: Rerolled::Failures, times: 1 });
    let rerolled = Mechanic::Sum(Sum::new(Hand { reroll: failures, ..plain.clone() }));
    assert!(refusal(&rerolled, &[]).contains("not read as successes"));
    let explode = Some(Explode { faces: labels(&["7"]), limit: 1 });
    let unknown = Mechanic::Sum(Sum::new(Hand { explode, ..plain.clone() }));
    assert_eq!(refusal(&unknown, &[]), "d6 has no face \"7\"; its faces are: 1, 2, 3, 4, 5, 6");
    let best = Hand { keep: Keep::Highest(Amount::fixed(1)), ..plain.clone() };
    let doubles = Mechanic::Sum(Sum { hand: best, natural: false, doubles: true });
    assert!(refusal(&doubles, &[]).starts_with("doubles need a plain sum"));
    let need = Need::Faces(labels(&["6"]));
    let sorted = Hand { keep: Keep::Highest(Amount::fixed(1)), ..Hand::successes(d6(), 2, need) };
    assert!(refusal(&Mechanic::Sum(Sum::new(sorted)), &[]).contains("the need must be a value"));
    let table =
        |rows| Mechanic::Table(Table { hand: plain.clone(), column: 0.into(), shifts: vec![], rows, natural: false });
    let row = |up_to, entries: &[i32]| Row { up_to, entries: entries.to_vec() };
    assert!(refusal(&table(vec![]), &[]).contains("no rows"));
    assert!(refusal(&table(vec![row(3, &[1]), row(4, &[1, 2])]), &[]).contains("differ in length"));
    assert!(refusal(&table(vec![row(4, &[1]), row(4, &[1])]), &[]).contains("ascending"));
    assert_eq!(
        refusal(&table(vec![row(4, &[40_000])]), &[]),
        "the total \"entry\" can be 40000, which is outside -32768..=32767"
    );
    let far = Hand { plus: Amount::input(3), ..plain.clone() };
    assert_eq!(Mechanic::Sum(Sum::new(far)).distribution(&[1, 2]), Err(RollError::MissingInput { input: 3, given: 2 }));
}
