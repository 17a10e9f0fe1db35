//! Numbers of dice that are computed in steps.

use grognard_expr::{Lookup, Situation};

/// What happens to a number of dice before modifiers add to it: added to its base (never below 0), capped, lessened, divided
/// with fractions up. Lessened it may be negative: what modifiers add afterwards makes up for that first.
///
/// Example: five dice, two fewer against a front, at most two in a wood, struck from behind: 5 - 2 = 3, at most 2, half of
/// that is 1.
#[derive(Clone, Debug)]
pub struct Ladder {
    /// The fixed part of the base.
    pub fixed: i32,
    /// Added to the base.
    pub base: Option<Lookup>,
    /// Which cap applies, and the caps.
    pub cap: Option<(Lookup, Vec<i32>)>,
    /// Added after the cap.
    pub less: Option<Lookup>,
    /// Which divisor applies, and the divisors.
    pub divide: Option<(Lookup, Vec<i32>)>,
}

impl Ladder {
    /// The number that the steps make of a base.
    #[inline]
    pub fn climb<S: Situation>(&self, base: i32, situation: &S) -> i32 {
        self.climb_by(base, |lookup| Some(lookup.get(situation))).unwrap_or(0)
    }

    /// A number that no situation exceeds, if the base is at most this.
    pub(crate) fn greatest(&self, base: i64) -> i64 {
        let added = |rows: &Option<Lookup>| rows.as_ref().map_or(0, |rows| i64::from(rows.range().1));
        // Caps and divisors only make it smaller.
        (base + i64::from(self.fixed) + added(&self.base)).max(0) + added(&self.less).max(0)
    }

    /// The same, with the steps' tables read in this way; none where one of them cannot be.
    #[inline]
    pub(super) fn climb_by(&self, base: i32, read: impl Fn(&Lookup) -> Option<i32>) -> Option<i32> {
        let sum = |rows: &Option<Lookup>| rows.as_ref().map_or(Some(0), &read);
        let row = |rows: &Option<(Lookup, Vec<i32>)>| match rows {
            Some((first, values)) => Some(values.get(read(first)? as usize).copied()),
            None => Some(None),
        };
        let base = base + self.fixed + sum(&self.base)?;
        Some(steps(base, row(&self.cap)?, sum(&self.less)?, row(&self.divide)?))
    }
}

/// The steps one after the other.
#[inline]
pub(super) fn steps(base: i32, cap: Option<i32>, less: i32, by: Option<i32>) -> i32 {
    let dice = base.max(0);
    let dice = cap.map_or(dice, |cap| dice.min(cap)) + less;
    match by {
        Some(by) if by > 1 => (dice + by - 1).div_euclid(by),
        _ => dice,
    }
}
