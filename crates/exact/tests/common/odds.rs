//! How computed odds are held against whole numbers that a test works out.

use grognard_exact::Number;
use num_bigint::BigUint;

/// Holds the number against `weight` of `whole`: the same fraction, or, if the number has none, the first twelve digits.
#[track_caller]
pub(crate) fn agrees(what: &str, number: &Number, weight: &BigUint, whole: &BigUint) {
    if let Some(fraction) = &number.fraction {
        let (found, expected) = (&fraction.numerator * whole, weight * &fraction.denominator);
        assert!(found == expected, "{what}: {} is not {}", number.value, value(weight, whole));
        return;
    }
    let expected = value(weight, whole);
    assert!((number.value - expected).abs() < 1e-12, "{what}: {} is not {expected}", number.value);
}

/// Sixteen digits of what the whole numbers come to.
fn value(weight: &BigUint, whole: &BigUint) -> f64 {
    let digits = weight * 10_u64.pow(16) / whole;
    digits.to_u64_digits().first().copied().unwrap_or(0) as f64 / 1e16
}
