//! Published odds, each with its source.

use grognard_dice::Die;

use super::*;
use crate::{
    Amount, Count, Explode, Hand, Keep, Kind, Line, Need, Opposed, Pool, Ranked, Reroll, Rerolled, Row, Sum, Symbols,
    Table, Ties, Under,
};

/// Rounded to this many digits, as printed.
fn digits(chance: Fraction, digits: usize) -> String {
    format!("{:.digits$}", chance.as_f64())
}

/// Source: the odds of one roll of Risk, e.g. J. Osborne, "Markov Chains for the RISK Board Game Revisited",
/// Mathematics Magazine 76(2), 2003, table 2.
#[test]
fn one_roll_of_risk() {
    let line = |input| Line::new(d6(), Amount::input(input));
    let mechanic = Mechanic::Ranked(Ranked { own: line(0), foe: line(1), ties: Ties::OwnLoses });
    let chances = |attackers, defenders, losses: &[[i16; 2]]| -> Vec<Fraction> {
        losses.iter().map(|loss| chance(&mechanic, &[attackers, defenders], |t| t.as_slice() == loss)).collect()
    };
    let fractions =
        |parts: &[u128], whole| -> Vec<Fraction> { parts.iter().map(|&p| Fraction::new(p, whole)).collect() };
    let (two, one) = ([[0, 2], [1, 1], [2, 0]], [[0, 1], [1, 0]]);
    assert_eq!(chances(3, 2, &two), fractions(&[2890, 2611, 2275], 7776));
    assert_eq!(chances(2, 2, &two), fractions(&[295, 420, 581], 1296));
    assert_eq!(chances(3, 1, &one), fractions(&[855, 441], 1296));
    assert_eq!(chances(2, 1, &one), fractions(&[125, 91], 216));
    assert_eq!(chances(1, 2, &one), fractions(&[55, 161], 216));
    assert_eq!(chances(1, 1, &one), fractions(&[15, 21], 36));
}

/// Source: tmmcguire/games on GitHub, Blucher.pdf (2021), cavalry against infantry; the digits of 6v6 and 8v6 computed
/// independently.
#[test]
fn bluecher_cavalry_against_infantry() {
    let reroll = || Some(Reroll { which: Rerolled::Successes, times: 1 });
    let side = |input, rerolled| Hand {
        reroll: if rerolled { reroll() } else { None },
        ..Hand::successes(d6(), Amount::input(input), Need::AtLeast(Amount::fixed(4)))
    };
    let matchups = [[4, 4], [6, 4], [8, 4], [6, 6], [8, 6], [10, 6], [6, 8], [8, 8]];
    let rows = [
        ((false, false), ["36", "62", "81", "39", "60", "77", "21", "40"], "0.387207", "0.604736"),
        ((true, false), ["13", "24", "37", "11", "19", "29", "5", "9"], "0.109108", "0.191106"),
        ((false, true), ["66", "84", "93", "74", "87", "94", "62", "79"], "0.735878", "0.871044"),
    ];
    for ((attacker, defender), printed, six, eight) in rows {
        let (own, foe) = (side(0, attacker), side(1, defender));
        let mechanic = Mechanic::Opposed(Opposed { own, foe, naturals: false });
        let won = |dice: [i32; 2]| chance(&mechanic, &dice, |totals| totals.get(2) > 0);
        let per_cent = matchups.map(|dice| format!("{:.0}", 100.0 * won(dice).as_f64()));
        assert_eq!(per_cent, printed);
        assert_eq!([digits(won([6, 6]), 6), digits(won([8, 6]), 6)], [six, eight]);
    }
}

/// Source: the table of moves by command value at lasthussar.wordpress.com.
#[test]
fn black_powder_command_rolls() {
    let under = Under { hand: Hand::sum(d6(), 2), target: Amount::input(0), natural: false, doubles: false };
    let mechanic = Mechanic::Under(under);
    let moves = |margin: i32| match margin {
        3.. => 3,
        2 => 2,
        0 | 1 => 1,
        _ => 0,
    };
    let rows = [(9, ["25.0", "16.7", "41.7"]), (8, ["30.6", "13.9", "27.8"]), (7, ["30.6", "11.1", "16.7"])];
    for (command, printed) in rows {
        let per_cent = [1, 2, 3].map(|n| {
            let chance = chance(&mechanic, &[command], |totals| moves(totals.get(2)) == n);
            format!("{:.1}", 100.0 * chance.as_f64())
        });
        assert_eq!(per_cent, printed, "command {command}");
    }
}

fn battle_dice(hits: &[&str], explode: Option<Explode>) -> Mechanic {
    let die = Die::with_symbols("battle", &["light", "medium", "heavy", "swords", "leader", "flag"]);
    let count = |name: &str, faces: &[&str]| Count { name: name.into(), faces: labels(faces) };
    let counts = vec![count("hits", hits), count("flags", &["flag"])];
    let kinds = vec![Kind { die, count: Amount::input(0) }];
    Mechanic::Symbols(Symbols { kinds, reroll: None, explode, inert: None, counts, tallies: Vec::new() })
}

/// Source: arithmetic on the die's six faces, computed outside this project.
#[test]
fn the_symbol_die_of_the_ancients_hex_game() {
    let (third, sixth) = (battle_dice(&["heavy", "swords"], None), battle_dice(&["heavy"], None));
    let no_hit = |mechanic: &Mechanic| [2, 3, 4, 5].map(|dice| digits(chance(mechanic, &[dice], |t| t.get(0) == 0), 4));
    assert_eq!(no_hit(&third), ["0.4444", "0.2963", "0.1975", "0.1317"]);
    assert_eq!(no_hit(&sixth), ["0.6944", "0.5787", "0.4823", "0.4019"]);
    let flags = [1, 2, 3, 4, 5].map(|dice| digits(chance(&third, &[dice], |t| t.get(1) > 0), 4));
    assert_eq!(flags, ["0.1667", "0.3056", "0.4213", "0.5177", "0.5981"]);
    let four = [4, 5].map(|dice| digits(chance(&third, &[dice], |t| t.get(0) >= 4), 5));
    assert_eq!(four, ["0.01235", "0.04527"]);
}

/// Source: mean hits per die = (6p + 1) / 5 with p the chance of the colour, computed outside this project for swords
/// rolled again without end. Here they are rolled again at most eight times, which leaves out at most 6^-9 of a hit.
#[test]
fn elephants_roll_their_swords_again() {
    let again = || Some(Explode { faces: labels(&["swords"]), limit: 8 });
    let (swords, colour) = (battle_dice(&["swords"], again()), battle_dice(&["heavy", "swords"], again()));
    for dice in [1, 2, 5] {
        let cut_off = f64::from(dice) * 6f64.powi(-8);
        assert!((mean(&swords, &[dice], 0) - 0.2 * f64::from(dice)).abs() < cut_off);
        assert!((mean(&colour, &[dice], 0) - 0.4 * f64::from(dice)).abs() < cut_off);
    }
    let hits = [0, 1, 2, 3].map(|hits| digits(chance(&colour, &[1], |t| t.get(0) == hits), 4));
    assert_eq!(hits, ["0.6667", "0.2778", "0.0463", "0.0077"]);
}

/// Source: arithmetic. When three dice are thrown at heavy chariots, which ignore one sword, no block is lost if all
/// three show one of the four faces that do nothing (64 of 216), or one shows a sword and the other two such faces
/// (48). With G = (4 + x) / (6 - x) for a die whose swords are all rolled again, the blocks are U3, where U0 = 1 and
/// U(n) = (4 + x) U(n - 1) / 6 + G^(n - 1) / 6: 14/27 for none, 10/27 for one, and 3/27 for more.
#[test]
fn elephants_do_not_roll_again_a_sword_that_is_ignored() {
    let explode = Some(Explode { faces: labels(&["swords"]), limit: 3 });
    let Mechanic::Symbols(mut dice) = battle_dice(&["heavy"], explode) else { panic!("symbols") };
    dice.inert = Some(Amount::input(1));
    dice.counts[1].faces = labels(&["swords"]);
    let blocks = |totals: &Totals| totals.get(0) + (totals.get(1) - 1).max(0);
    let most =
        |most: i32| digits(chance(&Mechanic::Symbols(dice.clone()), &[3, 1], |totals| blocks(totals) <= most), 10);
    assert_eq!([most(0), most(1)], [14, 24].map(|of| format!("{:.10}", f64::from(of) / 27.0)));
}

/// Source: the product (x^2 + 2x^3 + 2x^4 + x^5)^2, multiplied out on paper.
#[test]
fn two_averaging_dice() {
    let mechanic = Mechanic::Sum(Sum::new(Hand::sum(Die::average(), 2)));
    let weights: Vec<u128> = mechanic.distribution(&[]).unwrap().into_iter().map(|(_, weight)| weight).collect();
    assert_eq!(weights, [1, 4, 8, 10, 8, 4, 1]);
}

/// Source: the widely published table of "4d6, drop the lowest", 1296 ways, mean 12.2446.
#[test]
fn four_dice_drop_the_lowest() {
    let hand = Hand { keep: Keep::Highest(Amount::fixed(3)), ..Hand::sum(d6(), 4) };
    let mechanic = Mechanic::Sum(Sum::new(hand));
    let weights: Vec<u128> = mechanic.distribution(&[]).unwrap().into_iter().map(|(_, weight)| weight).collect();
    assert_eq!(weights, [1, 4, 10, 21, 38, 62, 91, 122, 148, 167, 172, 160, 131, 94, 54, 21]);
    assert_eq!(format!("{:.4}", mean(&mechanic, &[], 0)), "12.2446");
}

/// Source: the mean of a die whose sixes are rolled again and added is 3.5 * 6/5 = 4.2; if it is cut off after n
/// additional dice, it is 3.5 times the sum of 6^-k for k up to n.
#[test]
fn exploding_means() {
    for limit in 0..=12 {
        let explode = Some(Explode { faces: labels(&["6"]), limit });
        let mechanic = Mechanic::Sum(Sum::new(Hand { explode, ..Hand::sum(d6(), 1) }));
        let expected: f64 = (0..=i32::from(limit)).map(|k| 3.5 * 6f64.powi(-k)).sum();
        assert!((mean(&mechanic, &[], 0) - expected).abs() < 1e-12);
        if limit == 12 {
            assert!((expected - 4.2).abs() < 1e-9);
        }
    }
}

/// Source: the binomial distribution. 40 dice hitting on 5 or more have a mean of 40/3, and none hits with probability
/// (2/3)^40; after saves on 4 or more the mean is 20/3, and no figure is lost with probability (5/6)^40.
#[test]
fn forty_dice_and_their_saves() {
    let need = |value| Need::AtLeast(Amount::fixed(value));
    let mut pool = Pool::new(40, d6(), need(5));
    let hits = Mechanic::Pool(pool.clone());
    assert!((mean(&hits, &[], 0) - 40.0 / 3.0).abs() < 1e-9);
    assert_eq!(chance(&hits, &[], |t| t.get(0) == 0), Fraction::new(1 << 40, 3u128.pow(40)));
    pool.stages.push(crate::Stage::new(d6(), need(4)));
    let losses = Mechanic::Pool(pool);
    assert!((mean(&losses, &[], 0) - 20.0 / 3.0).abs() < 1e-9);
    assert_eq!(chance(&losses, &[], |t| t.get(0) == 0), Fraction::new(5u128.pow(40), 6u128.pow(40)));
}

/// Source: counting. A percentage table with the rows 01-30, 31-60 and 61-00 and three columns, rolled on d100.
#[test]
fn a_table_of_per_cents_with_column_shifts() {
    let row = |up_to, entries: [i32; 3]| Row { up_to, entries: entries.to_vec() };
    let table = Table {
        hand: Hand { plus: Amount::input(0), ..Hand::sum(Die::numbered(100), 1) },
        column: Amount::input(1),
        shifts: vec![Amount::input(2)],
        rows: vec![row(30, [0, 0, 1]), row(60, [0, 1, 2]), row(100, [1, 2, 3])],
        natural: false,
    };
    let mechanic = Mechanic::Table(table);
    let entry = |inputs: [i32; 3], entry| chance(&mechanic, &inputs, |totals| totals.get(2) == entry);
    let per_cent = |part| Fraction::new(part, 100);
    assert_eq!([entry([0, 0, 0], 0), entry([0, 0, 0], 1)], [per_cent(60), per_cent(40)]);
    assert_eq!([entry([0, 1, 0], 0), entry([0, 1, 0], 1), entry([0, 1, 0], 2)], [30, 30, 40].map(per_cent));
    // Two columns to the right of the middle are the same as one, because the table ends there.
    assert_eq!([entry([0, 1, 2], 1), entry([0, 1, 2], 2), entry([0, 1, 2], 3)], [30, 30, 40].map(per_cent));
    // Adding 10 to the dice moves ten in a hundred from each row to the next.
    assert_eq!([entry([10, 1, 0], 0), entry([10, 1, 0], 1), entry([10, 1, 0], 2)], [20, 30, 50].map(per_cent));
}
