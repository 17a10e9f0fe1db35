//! Compiled metrics: what a pack counts along battles.

pub use crate::wire::{EachName as Each, OccasionName as On, OnceName as Once, PerName as Per, TakeName as Take};

use super::Source;
use grognard_expr::Lookup;

/// A metric, counted during the battles of studies that request it.
#[derive(Clone, Debug)]
pub struct Gauge {
    /// Its name in the pack.
    pub id: String,
    /// Its name in reports.
    pub title: String,
    /// The occasion on which it counts.
    pub on: On,
    /// At what, when a turn begins or ends.
    pub each: Each,
    /// The roll it looks at.
    pub roll: Option<u8>,
    /// The clause it looks at.
    pub clause: Option<String>,
    /// 1 where an occasion counts; `None` means always.
    pub when: Option<Lookup>,
    /// The amount that is added up; `None` means 1.
    pub count: Option<Lookup>,
    /// The divisor; `None` means that of [`Gauge::per`].
    pub of: Option<Lookup>,
    /// The divisor if there is no `of`.
    pub per: Per,
    /// Which units count once.
    pub once: Option<Once>,
    /// How occasions are combined.
    pub take: Take,
    /// Its value if the divisor is 0.
    pub empty: i32,
    /// Its source.
    pub source: Source,
}

impl Gauge {
    /// Whether the position in which a battle ends tells its value, whatever happened before.
    #[must_use]
    pub fn is_of_end(&self) -> bool {
        self.on == On::BattleEnds && self.of.is_none() && self.per == Per::Battle
    }

    /// Limits of what it counts on one occasion.
    #[must_use]
    pub fn occasion(&self) -> (i64, i64) {
        let (low, high) = self.count.as_ref().map_or((1, 1), Lookup::range);
        (low.into(), high.into())
    }

    /// Generous limits of its value in a battle of this many turns and units.
    #[must_use]
    pub fn range(&self, turns: i64, units: i64) -> (i64, i64) {
        let (low, high) = self.count.as_ref().map_or((1, 1), Lookup::range);
        let (low, high) = match self.take {
            Take::Sum => (i64::from(low.min(0)), i64::from(high.max(0))),
            Take::Change | Take::Advance => {
                let span = units * i64::from(high.max(0).saturating_sub(low.min(0)));
                (-span, span)
            }
            Take::Streak => return (0, turns),
        };
        let times = match (&self.of, self.per, self.each) {
            (Some(_), ..) => 1,
            (None, Per::Turn, Each::Unit) => units,
            (None, Per::Turn, Each::Pair) => units * units,
            (None, Per::Battle, Each::Unit) => units * turns,
            (None, Per::Battle, Each::Pair) => units * units * turns,
        };
        let empty = i64::from(self.empty);
        ((low * times).min(empty), (high * times).max(empty))
    }
}
