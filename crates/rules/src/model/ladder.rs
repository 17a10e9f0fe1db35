//! Numbers of dice that are computed in steps.

use grognard_expr::{Lookup, Situation};

/// The steps that a number of dice goes through before modifiers add to it: an addition to the base (never below 0), a
/// cap, a reduction, and a division that rounds up. The reduction may make it negative; later additions must then make
/// up for that first.
///
/// Example: five dice, two fewer against a front, at most two in a wood, struck from behind: 5 - 2 = 3, at most 2, half
/// of that is 1.
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
    /// The result of the steps for a base.
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

    /// Like [`Ladder::climb`], but the tables of the steps are read by `read`; `None` if one of them cannot be read.
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

/// Applies the steps in order.
#[inline]
pub(super) fn steps(base: i32, cap: Option<i32>, less: i32, by: Option<i32>) -> i32 {
    let dice = base.max(0);
    let dice = cap.map_or(dice, |cap| dice.min(cap)) + less;
    match by {
        Some(by) if by > 1 => (dice + by - 1).div_euclid(by),
        _ => dice,
    }
}
