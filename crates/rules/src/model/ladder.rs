//! Numbers of dice worked out in steps.

use crate::expr::{Lookup, Situation};

/// What happens to a number of dice before modifiers add to it: added to its base (never below 0), capped, lessened (never
/// below 0), divided with fractions up.
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
        let sum = |rows: &Option<Lookup>| rows.as_ref().map_or(0, |rows| rows.get(situation));
        let row = |rows: &Option<(Lookup, Vec<i32>)>| {
            rows.as_ref().and_then(|(first, values)| values.get(first.get(situation) as usize).copied())
        };
        let mut dice = (base + self.fixed + sum(&self.base)).max(0);
        if let Some(cap) = row(&self.cap) {
            dice = dice.min(cap);
        }
        dice = (dice + sum(&self.less)).max(0);
        match row(&self.divide) {
            Some(by) if by > 1 => (dice + by - 1) / by,
            _ => dice,
        }
    }
}
