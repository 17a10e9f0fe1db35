//! Compares sampled shares with exact ones.

/// The maximum distance of a sampled share from the exact one, in standard errors.
///
/// A normal deviate exceeds it once in 147,000 draws, so a program with five hundred comparisons raises a false alarm
/// for one seed in 300. The tests use fixed seeds, and none of them raises one.
pub(crate) const Z_MAX: f64 = 4.5;

/// The distance of a count from its expected value, in standard errors.
pub(crate) fn z_of_share(count: u64, trials: u64, chance: f64) -> f64 {
    let (count, trials) = (count as f64, trials as f64);
    let spread = (trials * chance * (1.0 - chance)).sqrt();
    if spread == 0.0 {
        return if (count - trials * chance).abs() < 0.5 { 0.0 } else { f64::INFINITY };
    }
    (count - trials * chance) / spread
}

/// Checks a sampled share against the exact one.
#[track_caller]
pub(crate) fn agree(what: &str, count: u64, trials: u64, chance: f64) {
    let z = z_of_share(count, trials, chance);
    assert!(
        z.abs() <= Z_MAX,
        "{what}: {count} of {trials} is {:.6}, expected {chance:.6}: {z:+.1} standard errors",
        count as f64 / trials as f64
    );
}
