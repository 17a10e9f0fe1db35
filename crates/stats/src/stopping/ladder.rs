//! The scheduled checks of a run that stops when its intervals are narrow enough.

/// The number of battles between the first scheduled checks.
const UNIT: u64 = 64;
/// The binary logarithm of the number of steps between a power of two and the next.
const STEPS: u32 = 3;

/// Whether a run that has fought this many battles in each cell may look at its own results.
///
/// The scheduled checks, called rungs, are at 64, 128, 192 … 1,024 battles, then eight to each doubling: 1,152, 1,280 …
/// 2,048, 2,304 … So a run that stops at the first rung with enough battles fights at most an eighth more than needed,
/// once that is 512 battles. The rungs are fixed in advance, and only the width is checked, which hardly depends on
/// luck, so the interval at the end nearly keeps its level.
#[must_use]
pub fn is_rung(battles: u64) -> bool {
    let units = battles / UNIT;
    units > 0 && battles.is_multiple_of(UNIT) && units.is_multiple_of(step(units))
}

/// The first rung after this many battles; if there is none below 2⁶⁴, the maximum number.
#[must_use]
pub fn next_rung(battles: u64) -> u64 {
    let units = battles / UNIT;
    let step = step(units);
    (units / step + 1).saturating_mul(step).saturating_mul(UNIT)
}

/// Units from one rung to the next, from this many units on.
fn step(units: u64) -> u64 {
    1 << units.checked_ilog2().unwrap_or(0).saturating_sub(STEPS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rungs_are_an_eighth_apart() {
        let rungs: Vec<u64> = (0..=70 * UNIT).filter(|&battles| is_rung(battles)).collect();
        let units = (1..=16).chain((18..=32).step_by(2)).chain((36..=64).step_by(4));
        assert_eq!(rungs, units.map(|units| units * UNIT).collect::<Vec<_>>());
        assert!(is_rung(1 << 63) && !is_rung(u64::MAX));
        let mut rung = 8 * UNIT;
        while rung < 1 << 40 {
            let next = next_rung(rung);
            assert!(rung < next && 8 * next <= 9 * rung, "{rung}, {next}");
            rung = next;
        }
    }

    #[test]
    fn the_next_rung_is_the_first_after() {
        for battles in (0..9_000).chain([1 << 20, (1 << 20) + 1, (1 << 40) - 1]) {
            let next = next_rung(battles);
            assert!(is_rung(next) && next > battles, "{battles}: {next}");
            if battles < 9_000 {
                assert!((battles + 1..next).all(|between| !is_rung(between)), "{battles}: {next}");
            }
        }
        assert_eq!(next_rung(u64::MAX), u64::MAX);
    }
}
