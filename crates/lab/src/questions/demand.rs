//! The target of a metric: `defender wins = 50 %`.

use grognard_engine::Side;
use grognard_source::Diagnostic;

use crate::sensitivity::Quantity;
use crate::study::{Study, metric_of, share_or_number, unknown_metric};

/// A metric and its target value.
#[derive(Clone, Debug)]
pub struct Demand {
    /// The metric.
    pub quantity: Quantity,
    /// The value: a share of battles from 0 to 1, or a mean.
    pub value: f64,
}

/// A text that is not a [`Demand`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DemandError {
    /// There is no `=`.
    #[error("`{0}` does not give a value for a metric")]
    NoEquals(String),
    /// The study has no metric of this name; the message names the nearest.
    #[error("{}", .0.message)]
    NoMetric(Box<Diagnostic>),
    /// The text after the `=` is not a number.
    #[error("`{0}` is not a number")]
    NoNumber(String),
    /// The number is outside the range of the metric.
    #[error("`{text}` is outside the range of `{name}`: {least} to {most}")]
    Beyond {
        /// The number as it was written.
        text: String,
        /// The metric.
        name: String,
        /// The minimum.
        least: String,
        /// The maximum.
        most: String,
    },
}

impl From<DemandError> for Diagnostic {
    fn from(error: DemandError) -> Self {
        let fault = Self::new(error.to_string());
        match error {
            DemandError::NoMetric(fault) => *fault,
            DemandError::NoEquals(_) => fault.help("write --where 'defender wins = 50 %', or --where even"),
            DemandError::NoNumber(_) => fault.help("write a number, or a share such as 50 %"),
            DemandError::Beyond { text, most, .. }
                if most == "100 %" && text.parse::<f64>().is_ok_and(|share| share > 0.0) =>
            {
                fault.help(format!("a share is from 0 to 1, or in per cent, such as {text} %"))
            }
            DemandError::Beyond { .. } => fault.help("ask for a value within that range"),
        }
    }
}

/// The metric of this name: a side for its wins, also as `defender wins`; `defender score`, its wins and half of the
/// draws; `draw`, `turns`; or a side's metric, such as `defender.losses`, also as `defender losses`.
#[must_use]
pub fn metric(study: &Study, name: &str) -> Option<Quantity> {
    let (name, _) = metric_of(&study.sides, name)?;
    let of_side = |side: Side| name.strip_suffix(" score") == Some(study.sides[side.index()].as_str());
    match Side::first(study.sides.len()).iter().copied().find(|&side| of_side(side)) {
        Some(side) => Some(Quantity::score(study, side)),
        None => Quantity::of(study, Some(&name)),
    }
}

impl Demand {
    /// The maximum of the metric.
    #[must_use]
    pub fn greatest(&self) -> f64 {
        self.quantity.most as f64 / f64::from(self.quantity.per)
    }

    /// Whether the target is the same score for both sides.
    #[must_use]
    pub fn is_even(&self) -> bool {
        self.quantity.is_score() && self.value == 0.5
    }

    /// Reads `METRIC = VALUE`; a share may be written `50 %` or `0.5`. `even` means that both sides have the same
    /// score, 50 %.
    ///
    /// # Errors
    /// See [`DemandError`].
    pub fn parse(study: &Study, text: &str) -> Result<Self, DemandError> {
        if text.trim() == "even" {
            return Ok(Self { quantity: Quantity::score(study, Side::First), value: 0.5 });
        }
        let (name, value) = text.split_once('=').ok_or_else(|| DemandError::NoEquals(text.trim().to_owned()))?;
        let (name, value) = (name.trim(), value.trim_start_matches('=').trim());
        let quantity =
            metric(study, name).ok_or_else(|| DemandError::NoMetric(Box::new(unknown_metric(&study.sides, name))))?;
        let value = Self::number(&quantity, value)?;
        Ok(Self { quantity, value })
    }

    /// Reads a value of a metric.
    ///
    /// # Errors
    /// It is not a number, or outside the range of the metric.
    pub fn number(quantity: &Quantity, text: &str) -> Result<f64, DemandError> {
        let text = text.trim();
        let value = share_or_number(text, quantity.share).ok_or_else(|| DemandError::NoNumber(text.to_owned()))?;
        if (0.0..=quantity.most as f64 / f64::from(quantity.per)).contains(&value) {
            return Ok(value);
        }
        let [least, most] = if quantity.share {
            ["0 %".to_owned(), "100 %".to_owned()]
        } else {
            [0, quantity.most].map(|end| end.to_string())
        };
        Err(DemandError::Beyond { text: text.to_owned(), name: quantity.name.clone(), least, most })
    }
}
