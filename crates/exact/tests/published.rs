//! Exact odds compared with published figures: equal to the last digit given.

use crate::common::{Men, duel, load, solved};
use grognard_engine::Side;
use grognard_exact::{Number, Solution};
use grognard_rules::model::Rules;

fn wins(solution: &Solution, winner: Option<Side>) -> Number {
    solution.chance(|outcome| outcome.winner == winner)
}

/// Fails unless the number is the published one, rounded to `digits` digits after the point.
#[track_caller]
fn agrees(what: &str, number: &Number, published: f64, digits: i32) {
    let half = 0.5 * 10_f64.powi(-digits) + number.error;
    assert!((number.value - published).abs() <= half, "{what}: {}, published {published}", number.value);
}

/// One roll of Risk: the defender loses two, each side one, the attacker two; or the attacker wins, the defender wins.
#[test]
fn risk_one_roll() {
    let rules = load("risk");
    for (attackers, defenders, losses) in [
        (3, 2, ["1445/3888", "2611/7776", "2275/7776"]),
        (2, 2, ["295/1296", "35/108", "581/1296"]),
        (3, 1, ["95/144", "0/1", "49/144"]),
        (2, 1, ["125/216", "0/1", "91/216"]),
        (1, 2, ["55/216", "0/1", "161/216"]),
        (1, 1, ["5/12", "0/1", "7/12"]),
    ] {
        let setup = duel(&rules, Men::of("army", attackers), Men::of("army", defenders), 1);
        let solution = solved(&rules, &setup, 0.0);
        let lost = |first: u16, second: u16| {
            let odds =
                solution.chance(|outcome| (outcome.sides.first.losses, outcome.sides.second.losses) == (first, second));
            odds.fraction.expect("few dice make small fractions").to_string()
        };
        let pairs = attackers.min(defenders).min(2);
        let found =
            if pairs == 2 { [lost(0, 2), lost(1, 1), lost(2, 0)] } else { [lost(0, 1), lost(1, 1), lost(1, 0)] };
        // These are 2890, 2611, 2275 of 7776 and so on, in lowest terms.
        assert_eq!(found, losses, "{attackers} against {defenders}");
    }
}

/// A battle of Risk to the end.
fn risk(rules: &Rules, attackers: u16, defenders: u16) -> Solution {
    solved(rules, &duel(rules, Men::of("army", attackers), Men::of("army", defenders), 200), 0.0)
}

/// J. Osborne, Mathematics Magazine 76(2), 2003: the attacker's chance against 1 to 10 defenders.
#[test]
fn risk_to_the_end() {
    let table = [
        (1, [0.417, 0.106, 0.027, 0.007, 0.002, 0.000, 0.000, 0.000, 0.000, 0.000]),
        (2, [0.754, 0.363, 0.206, 0.091, 0.049, 0.021, 0.011, 0.005, 0.003, 0.001]),
        (3, [0.916, 0.656, 0.470, 0.315, 0.206, 0.134, 0.084, 0.054, 0.033, 0.021]),
        (4, [0.972, 0.785, 0.642, 0.477, 0.359, 0.253, 0.181, 0.123, 0.086, 0.057]),
        (5, [0.990, 0.890, 0.769, 0.638, 0.506, 0.397, 0.297, 0.224, 0.162, 0.118]),
        (6, [0.997, 0.934, 0.857, 0.745, 0.638, 0.521, 0.423, 0.329, 0.258, 0.193]),
        (7, [0.999, 0.967, 0.910, 0.834, 0.736, 0.640, 0.536, 0.446, 0.357, 0.287]),
        (8, [1.000, 0.980, 0.947, 0.888, 0.818, 0.730, 0.643, 0.547, 0.464, 0.380]),
        (9, [1.000, 0.990, 0.967, 0.930, 0.873, 0.808, 0.726, 0.646, 0.558, 0.480]),
        (10, [1.000, 0.994, 0.981, 0.954, 0.916, 0.861, 0.800, 0.724, 0.650, 0.568]),
    ];
    let rules = load("risk");
    for (attackers, row) in table {
        for (defenders, published) in (1..).zip(row) {
            let first = wins(&risk(&rules, attackers, defenders), Some(Side::First));
            agrees(&format!("{attackers} against {defenders}"), &first, published, 3);
        }
    }
}

/// The attacker's chances in battles of Risk to the end, with more digits, computed outside this project.
#[test]
fn risk_to_the_end_in_nine_digits() {
    let rules = load("risk");
    for (attackers, defenders, published) in
        [(5, 5, 0.506_202_829), (10, 8, 0.723_969_978), (10, 10, 0.567_592_872), (20, 20, 0.633_432_242)]
    {
        let solution = risk(&rules, attackers, defenders);
        let first = wins(&solution, Some(Side::First));
        agrees(&format!("{attackers} against {defenders}"), &first, published, 9);
        assert!(first.fraction.is_some(), "fractions of {attackers} against {defenders} are small");
        assert_eq!(solution.chance(|_| true).fraction.map(|whole| whole.to_string()).as_deref(), Some("1/1"));
    }
}

/// Computed twice outside this project: by dynamic programming in fractions, and with icepool.
#[test]
fn the_reference_duel() {
    let rules = load("refduel");
    for (kind, first, second, draw, turns) in [
        ("plain", 0.472_988_714_4, 0.472_988_714_4, 0.054_022_571_1, 6.356_596_452),
        ("one-up", 0.832_768_680_6, 0.136_329_520_8, 0.030_901_798_6, 5.828_478_107),
        ("two-up", 0.980_453_100_6, 0.014_350_393_4, 0.005_196_506_0, 4.689_337_330),
        ("three-up", 0.999_631_789_1, 0.000_241_830_7, 0.000_126_380_3, 3.717_047_682),
    ] {
        let men = |kind| Men { kind, ..Men::default() };
        let solution = solved(&rules, &duel(&rules, men(kind), men("plain"), 12), 0.0);
        for (winner, published) in [(Some(Side::First), first), (Some(Side::Second), second), (None, draw)] {
            agrees(kind, &wins(&solution, winner), published, 10);
        }
        agrees(kind, &solution.mean(|outcome| u32::from(outcome.turns)), turns, 9);
    }
}

/// The symbol die of the ancients hex game: hits with probability 1/3 and 1/6, flags, and elephants that roll again.
#[test]
fn the_symbol_die() {
    let rules = load("symbol-die");
    let target = Men { kind: "archers", ..Men::default() };
    let throw = |kind, dice| solved(&rules, &duel(&rules, Men::of(kind, dice), target, 1), 0.0);
    let hits = |solution: &Solution, least: u16| solution.chance(|outcome| outcome.sides.second.losses >= least);
    for (dice, third, sixth) in [(2, 0.4444, 0.6944), (3, 0.2963, 0.5787), (4, 0.1975, 0.4823), (5, 0.1317, 0.4019)] {
        for (kind, published) in [("swordsmen", third), ("archers", sixth)] {
            let none = throw(kind, dice).chance(|outcome| outcome.sides.second.losses == 0);
            agrees(&format!("{kind}, {dice} dice, no hit"), &none, published, 4);
        }
    }
    for (dice, published) in [(1, 0.1667), (2, 0.3056), (3, 0.4213), (4, 0.5177), (5, 0.5981)] {
        let flags = throw("archers", dice).chance(|outcome| outcome.sides.first.losses > 0);
        agrees(&format!("{dice} dice, a flag"), &flags, published, 4);
    }
    agrees("four hits of 4", &hits(&throw("swordsmen", 4), 4), 0.01235, 5);
    agrees("four hits of 5", &hits(&throw("swordsmen", 5), 4), 0.04527, 5);
    let mean = |solution: &Solution| solution.mean(|outcome| u32::from(outcome.sides.second.losses));
    agrees("elephants", &mean(&throw("elephants", 1)), 0.2, 6);
    let trampling = throw("trampling", 1);
    agrees("elephants and colour", &mean(&trampling), 0.4, 6);
    for (count, published) in [(0, 0.6667), (1, 0.2778), (2, 0.0463), (3, 0.0077)] {
        let odds = trampling.chance(|outcome| outcome.sides.second.losses == count);
        agrees(&format!("{count} hits by elephants"), &odds, published, 4);
    }
}

/// Cavalry against infantry in Bluecher (tmmcguire/games on GitHub, Blucher.pdf, 2021), in per cent.
#[test]
fn bluecher_in_one_throw() {
    let rules = load("bluecher-shock");
    let dice = [(4, 4), (6, 4), (8, 4), (6, 6), (8, 6), (10, 6), (6, 8), (8, 8)];
    for (formation, published, six_six, eight_six) in [
        ("plain", [36, 62, 81, 39, 60, 77, 21, 40], 0.387_207, 0.604_736),
        ("square", [13, 24, 37, 11, 19, 29, 5, 9], 0.109_108, 0.191_106),
        ("unprepared", [66, 84, 93, 74, 87, 94, 62, 79], 0.735_878, 0.871_044),
    ] {
        let odds = |attackers, defenders| {
            let infantry = Men { formation: Some(formation), ..Men::of("infantry", defenders) };
            let setup = duel(&rules, Men::of("cavalry", attackers), infantry, 1);
            wins(&solved(&rules, &setup, 0.0), Some(Side::First))
        };
        for ((attackers, defenders), per_cent) in dice.into_iter().zip(published) {
            let what = format!("{attackers} against {defenders}, {formation}");
            agrees(&what, &odds(attackers, defenders), f64::from(per_cent) / 100.0, 2);
        }
        agrees(formation, &odds(6, 6), six_six, 6);
        agrees(formation, &odds(8, 6), eight_six, 6);
    }
}
