//! Prices from battles whose odds are known.

use grognard_stats::{Fought, Level, Unfit, fit_prices};

use crate::covered::drawn::{Dice, Studies};
use crate::covered::prices::{PRICES, Planted};

/// Pairs of armies with an edge of 0.2 and units worth 0.3, 0.6 and 0.9.
fn planted(armies: usize, battles: u64) -> Planted {
    Planted { armies, battles, edge: 0.2, weights: [0.3, 0.6, 0.9], pair: 0.0 }
}

/// An exact price list is recovered without error.
#[test]
fn exact_odds_give_exact_prices() {
    let mut fought = planted(60, 1).fought(&mut Dice::of(1_815, 0));
    for one in &mut fought {
        one.score = 1.0 / (1.0 + (-planted(60, 1).odds(&one.more, &one.pairs)).exp());
    }
    let fit = fit_prices(&fought, &[]).expect("prices");
    assert!((fit.edge - 0.2).abs() < 1e-8, "{fit:?}");
    let prices = |given: &[Option<f64>]| fit.prices(given, 60, Level::P95).expect("prices");
    // The average is ten: 5, 10 and 15. If the first costs 4, the others cost 8 and 12; if 6 and 14 are given, they add
    // up to 20.
    for (given, wanted) in [
        ([None, None, None], [5.0, 10.0, 15.0]),
        ([Some(4.0), None, None], [4.0, 8.0, 12.0]),
        ([Some(6.0), None, Some(14.0)], [5.0, 10.0, 15.0]),
    ] {
        let prices = prices(&given);
        // The edge is worth two thirds of the first unit.
        assert!((prices[0].point / prices[1].point - 2.0 / 3.0).abs() < 1e-6, "{prices:?}");
        for (price, wanted) in prices[1..].iter().zip(wanted) {
            assert!((price.point - wanted).abs() < 1e-6 && price.half_width() < 1e-6, "{price:?} is not {wanted}");
        }
    }
}

/// Two units together add 0.9 to the log odds, besides their weights of 0.3 and 0.6. The pair is found, with the right
/// worth.
#[test]
fn a_planted_pair_is_found() {
    let together = Planted { edge: 0.0, pair: 0.9, ..planted(300, 16) };
    let found = (0..200).filter(|&seed| {
        let fought = together.fought(&mut Dice::of(1_815, seed));
        let with = fit_prices(&fought, &[1]).expect("prices");
        assert!((with.pairs[0] - 0.9).abs() < 0.5, "{with:?}");
        let linear = fit_prices(&fought, &[]).expect("prices");
        let beyond = linear.beyond(&fought, &[None; 3], Level::P95).expect("pairs");
        beyond.iter().any(|(place, worth)| *place == 1 && worth.low > 0.0)
    });
    let found = found.count();
    assert!(found >= 195, "{found} of 200");
}

/// In 94 to 96 of 100 studies, a 95 % interval contains the planted price: 1,000 studies of an edge and three prices.
#[test]
fn intervals_hold_planted_prices_as_often_as_they_say() {
    let planted = Planted { edge: 0.3, weights: [0.2, 0.4, 0.6], ..planted(200, 16) };
    let (mut held, mut all) = (0, 0);
    for seed in 0..1_000 {
        let fit = fit_prices(&planted.fought(&mut Dice::of(1_815, seed)), &[]).expect("prices");
        let prices = fit.prices(&[None; 3], 200, Level::P95).expect("prices");
        held += prices.iter().zip(PRICES).filter(|(price, wanted)| price.holds(*wanted)).count();
        all += prices.len();
    }
    let share = held as f64 / all as f64;
    assert!((0.94..=0.96).contains(&share), "{share}");
}

/// Prices rest on normal theory. With 95 % for an edge and three prices together, and another 95 % for six pairs, they
/// hold in more than 86 % of the studies that find any. This is four standard errors of 200 studies below 93 %.
#[test]
fn prices_hold_together_for_few_armies_and_many() {
    let studies = Studies { count: 200, seed: 1_815 };
    for (armies, battles) in [(16, 16), (48, 64), (320, 64)] {
        for chance in [0.6, 0.8, 0.97] {
            let planted = Planted::deciding(armies, battles, chance);
            let prices = planted.prices(Level::P95, studies);
            assert!(prices.is_none_or(|held| held >= 0.86), "{armies}, {chance}: {prices:?}");
            let pairs = planted.pairs(Level::P95, studies);
            assert!(pairs.is_none_or(|held| held >= 0.86), "{armies}, {chance}: {pairs:?}");
        }
    }
}

#[test]
fn what_cannot_be_priced_is_refused() {
    let one = |more: [i32; 2], score: f64| Fought { more: more.to_vec(), pairs: Vec::new(), battles: 10, score };
    // Both armies have the same number of units: a price for all of them changes nothing.
    let alike: Vec<Fought> = (0..12).map(|at| one([at % 3 - 1, 1 - at % 3], 0.5)).collect();
    assert_eq!(fit_prices(&alike, &[]), Err(Unfit::Alike));
    // This pair was not counted.
    let apart: Vec<Fought> = (0..12).map(|at| one([at % 3 - 1, at / 3 % 2], 0.5)).collect();
    assert_eq!(fit_prices(&apart, &[7]), Err(Unfit::Alike));
    let endless: Vec<Fought> =
        (0..12).map(|at| one([at % 3 - 1, at / 3 % 2], if at % 3 == 2 { 1.0 } else { 0.0 })).collect();
    assert_eq!(fit_prices(&endless, &[]), Err(Unfit::Endless));
    let fit = fit_prices(&apart, &[]).expect("weights");
    assert_eq!(fit.prices(&[None, None], 12, Level::P95), Err(Unfit::Worthless));
}
