//! Compiled metrics: what a pack counts during battles.

pub use crate::wire::{EachName as Each, OccasionName as On, OnceName as Once, PerName as Per, TakeName as Take};

use super::{RollId, Rules, Source};
use crate::situation::Fact;
use grognard_expr::{Lookup, Situation, Var};

/// A metric, counted during the battles of studies that request it.
#[derive(Clone, Debug)]
pub struct Gauge {
    /// Its name in the pack.
    pub id: String,
    /// Its name in reports.
    pub title: String,
    /// The occasion on which it counts.
    pub on: On,
    /// The units or pairs for which it is evaluated when a turn begins or ends.
    pub each: Each,
    /// The roll it looks at.
    pub roll: Option<RollId>,
    /// The clause it looks at.
    pub clause: Option<String>,
    /// 1 if an occasion counts; `None` means always.
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
    /// Whether its value is known from the final position of a battle.
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

    /// Limits of its value in a battle that ends with points within these limits, for metrics known from the end of a
    /// battle ([`is_of_end`](Self::is_of_end)).
    #[must_use]
    pub fn range_at_end(&self, rules: &Rules, points: PointsRange) -> (i64, i64) {
        let Some(count) = &self.count else { return (0, 1) };
        let (mut low, mut high) = count.range();
        for (fact, (least, most)) in [(Fact::Score, points.score), (Fact::Margin, points.margin)] {
            let reached = (least..=most).map(|value| {
                let about = OnePoints { rules, fact, value };
                let told = count.decided(&about, |var| about.knows(var));
                told.map_or_else(|| count.range(), |told| (told, told))
            });
            if let Some(reached) = reached.reduce(|all, one| (all.0.min(one.0), all.1.max(one.1))) {
                (low, high) = (low.max(reached.0), high.min(reached.1));
            }
        }
        // If its condition does not hold, the value is 0.
        (i64::from(low.min(0)), i64::from(high.max(0)))
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

/// The range of points in a battle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PointsRange {
    /// The points of a side.
    pub score: (i32, i32),
    /// The lead of a side.
    pub margin: (i32, i32),
}

/// A single value of the score or of the lead, for metrics that read nothing else.
struct OnePoints<'a> {
    rules: &'a Rules,
    fact: Fact,
    value: i32,
}

impl OnePoints<'_> {
    fn knows(&self, var: Var) -> bool {
        self.rules.field(var).fact == self.fact
    }
}

impl Situation for OnePoints<'_> {
    fn value(&self, var: Var) -> i32 {
        if self.knows(var) { self.value } else { 0 }
    }
}
