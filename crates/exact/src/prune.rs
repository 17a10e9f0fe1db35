//! Leaves out the least likely states.

use crate::float::Float;
use crate::ways::Front;

/// The number of different exponents of a weight.
const EXPONENTS: usize = 1 << 11;

/// Drops the least likely states whose total weight is at most `allowance`, and returns that weight.
///
/// Whole classes of similar size (weights between two powers of two) are dropped together, so that the states need not
/// be sorted.
pub(crate) fn prune(layer: &mut Front<Float>, allowance: f64) -> Float {
    let mut classes = vec![Float::ZERO; EXPONENTS];
    for weight in layer.weights() {
        classes[class(weight)].add(*weight);
    }
    let mut dropped = Float::ZERO;
    let mut kept_from = 0;
    for weight in classes {
        let mut more = dropped;
        more.add(weight);
        if more.value() + more.error() > allowance {
            break;
        }
        dropped = more;
        kept_from += 1;
    }
    if dropped.value() > 0.0 {
        layer.retain(|weight| class(weight) >= kept_from);
    }
    dropped
}

/// The exponent of a weight, from 0.
fn class(weight: &Float) -> usize {
    (weight.value().to_bits() >> 52) as usize & (EXPONENTS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ways::Ways;

    fn layer(weights: &[f64]) -> Front<Float> {
        let mut ways = Ways::of(1, 1);
        let mut layer = ways.front(None);
        for (key, &weight) in (0..).zip(weights) {
            let (_, slot) = layer.find(&mut ways, &[key], || Float::ZERO);
            layer.weights_mut()[slot] = Float::new(weight, 0);
        }
        layer
    }

    #[test]
    fn the_least_likely_go_and_the_others_stay_in_order() {
        let mut layer = layer(&[0.5, 1e-9, 0.25, 1e-12, 0.2]);
        assert!((prune(&mut layer, 1e-8).value() - 1.001e-9).abs() < 1e-20);
        assert_eq!((0..layer.len()).map(|slot| layer.key(slot)[0]).collect::<Vec<_>>(), [0, 2, 4]);
    }

    #[test]
    fn no_more_is_dropped_than_is_allowed() {
        for allowance in [0.0, 1e-13, 1e-3, 0.3] {
            let weights = [0.1; 10];
            let mut layer = layer(&weights);
            let dropped = prune(&mut layer, allowance).value();
            assert!(dropped <= allowance);
            let left: f64 = layer.weights().iter().map(|weight| weight.value()).sum();
            assert!((left + dropped - 1.0).abs() < 1e-12);
        }
    }
}
