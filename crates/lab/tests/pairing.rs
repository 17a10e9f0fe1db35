//! The worth of fighting with the same dice if one number of the rules changes by a pip, in the headline study between
//! beginners, from the front.
//!
//! The maximum worth of pairing is known in advance: if a share goes from p to q, at least |q − p| of the pairs must
//! differ (Fréchet's bound). A modifier of a decisive roll reaches this bound: the battles are the same up to that
//! roll, its die is the same, and a pip helps only one side, so no pair differs the other way. Nine tenths of the bound
//! are required, because a battle that continues after the roll may still change its winner. If units have many
//! decisions after the roll, the battles diverge, and pairing must only be worth twice the battles. `grognard compare
//! square-vs-line --set PATH=VALUE` shows all cells.

use grognard_lab::compare::{Compared, Duel};
use grognard_lab::progress::{Silent, Stop};
use grognard_lab::study::{Changes, Study};
use grognard_stats::Level;

use crate::loaded::{self, BEGINNERS};

fn study(change: Option<&str>) -> Study {
    let changes = Changes { runs: Some(4_096), seed: Some(1_815), ..Changes::default() };
    loaded::study("square-vs-line", BEGINNERS.into_iter().chain(["approach=front"]).chain(change), changes)
}

fn one_pip(change: &str) -> Compared {
    let (before, after) = (study(None), study(Some(change)));
    let duel = Duel { before: &before, after: &after, level: Level::P95, threads: 2 };
    duel.fight(&Silent, &Stop::new()).expect("a duel").0
}

/// The minimum worth of pairing.
enum Floor {
    /// This many times the battles.
    Times(f64),
    /// This share of the maximum.
    OfTheMost(f64),
}

/// The changes, and the minimum worth of pairing for each.
const CHANGES: [(&str, Floor); 4] = [
    // Fire before a charge: the survivors then have different decisions to make.
    ("roll.fire.modifier.massed-target.add=3", Floor::Times(2.0)),
    ("roll.morale.modifier.square-steady.add=4", Floor::OfTheMost(0.9)),
    ("roll.shock.modifier.disordered.add=-3", Floor::OfTheMost(0.9)),
    ("roll.shock.modifier.impetus.add=2", Floor::OfTheMost(0.9)),
];

#[test]
fn one_pip_is_seen_with_a_fraction_of_the_battles() {
    for (change, floor) in CHANGES {
        let compared = one_pip(change);
        let worth = compared.worth("attacker").expect("some pairs differ");
        let most = compared.worth_at_most("attacker").expect("some shares differ");
        println!("{change}: ×{worth:.1} of at most ×{most:.1}");
        let least = match floor {
            Floor::Times(times) => times,
            Floor::OfTheMost(share) => share * most,
        };
        // The bound is based on shares; the variances are divided by the number of battles less one.
        assert!((least..=1.001 * most).contains(&worth), "{change}: ×{worth:.1} of at most ×{most:.1}");
    }
}
