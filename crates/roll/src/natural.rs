//! Natural faces: the faces shown decide, regardless of target and modifiers.
//!
//! Example: a shot hits on 2 or more, with modifiers so bad that even a 6 would miss; a natural 6 still hits.

use super::RollError;

/// Faces that always fail or succeed, by label. If dice are counted as successes, this applies to each die; if they are
/// read as one number, to that number before modifiers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Natural {
    /// Faces that always fail.
    pub fails: Vec<String>,
    /// Faces that always succeed.
    pub succeeds: Vec<String>,
}

impl Natural {
    /// Whether no face is natural.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.fails.is_empty() && self.succeeds.is_empty()
    }

    /// 1 for a label that always succeeds, -1 for one that always fails, 0 for any other.
    #[must_use]
    pub fn verdict(&self, label: &str) -> i64 {
        let lists = |labels: &[String]| i64::from(labels.iter().any(|listed| listed == label));
        lists(&self.succeeds) - lists(&self.fails)
    }

    /// The verdict on dice that are read as one number.
    #[must_use]
    pub fn verdict_of(&self, number: i64) -> i64 {
        if self.is_empty() { 0 } else { self.verdict(&number.to_string()) }
    }

    /// All labels, those that fail first.
    pub(super) fn labels(&self) -> impl Iterator<Item = &String> {
        self.fails.iter().chain(&self.succeeds)
    }

    /// Refuses a label that is listed twice: it would both fail and succeed.
    pub(super) fn check_once(&self) -> Result<(), RollError> {
        let twice = self.labels().enumerate().find(|&(at, label)| self.labels().take(at).any(|before| before == label));
        twice.map_or(Ok(()), |(_, label)| Err(RollError::NaturalTwice { label: label.clone() }))
    }
}

/// A margin that a natural success or failure has decided: at least `won`, the smallest margin that is a success, or at
/// most -1.
pub(super) fn decided(margin: i64, verdict: i64, won: i64) -> i64 {
    match verdict.signum() {
        1 => margin.max(won),
        -1 => margin.min(-1),
        _ => margin,
    }
}
