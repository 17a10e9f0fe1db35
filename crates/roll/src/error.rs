//! Errors in rolls.

use std::ops::RangeInclusive;

/// The reason why the odds of a roll cannot be computed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RollError {
    /// An [`Amount`](super::Amount) uses an input that is not given to the roll.
    #[error("the roll reads input {input} (counted from 0), but the number of inputs given is {given}")]
    MissingInput {
        /// The input's index.
        input: usize,
        /// The number of inputs.
        given: usize,
    },
    /// The exact odds of this many dice do not fit in 128 bits, and the odds of sorted dice are not rounded; or there
    /// are more than [`DICE_MAX`](super::DICE_MAX) dice.
    #[error("{dice} dice are too many: odds can be computed for at most {limit}")]
    TooManyDice {
        /// The number of dice requested.
        dice: i32,
        /// The input that gave this number, if it was not fixed.
        input: Option<usize>,
        /// The maximum number of dice.
        limit: u32,
    },
    /// A stage of a pool has one of these errors.
    #[error("{error}")]
    InStage {
        /// The stage, counted from 0 together with the groups.
        stage: usize,
        /// What is wrong with it.
        error: Box<RollError>,
    },
    /// The foe's hand in an opposed roll has one of these errors.
    #[error("{0}")]
    OfFoe(Box<RollError>),
    /// Each side's dice would fit on their own, but not both together.
    #[error("too many dice: the exact odds of {own} against {foe} do not fit in 128 bits")]
    TooManyTogether {
        /// Own dice.
        own: i32,
        /// The foe's dice.
        foe: i32,
        /// The maximum numbers of own dice and of the foe's dice when both are thrown.
        limits: [u32; 2],
    },
    /// The odds of a single die do not fit in 128 bits.
    #[error("the odds of one {die} with all its rerolls and added dice do not fit in 128 bits")]
    TooManyRepeats {
        /// The die's name.
        die: String,
    },
    /// Computing the odds takes more than 50 million multiplications for one roll, or 300 million for a table.
    #[error("working out its odds would take too long")]
    TooMuchWork,
    /// A total is outside -32768..=32767.
    #[error("the total {name:?} can be {value}, which is outside -32768..=32767")]
    TotalOutOfRange {
        /// The total's name.
        name: String,
        /// A value it can have.
        value: i64,
    },
    /// More than [`TOTALS_MAX`](super::TOTALS_MAX) totals.
    #[error("the roll gives {given} totals; at most {} are possible", super::TOTALS_MAX)]
    TooManyTotals {
        /// The number of totals.
        given: usize,
    },
    /// A die has no faces, or more than [`FACES_MAX`](grognard_dice::FACES_MAX).
    #[error("{die} has {faces} faces; a die has 1 to {}", grognard_dice::FACES_MAX)]
    FaceCount {
        /// The die's name.
        die: String,
        /// The number of its faces.
        faces: usize,
    },
    /// A named face is not on any of the dice.
    #[error("{dice} has no face {label:?}; its faces are: {faces}")]
    UnknownFace {
        /// The names of the dice.
        dice: String,
        /// The unknown label.
        label: String,
        /// The labels that exist.
        faces: String,
    },
    /// The dice cannot show one of the natural numbers.
    #[error("{dice} cannot show {label:?}; the dice show {least} to {most}, before anything is added")]
    UnknownNatural {
        /// The dice.
        dice: String,
        /// The natural number.
        label: String,
        /// The minimum that they show.
        least: i64,
        /// The maximum that they show.
        most: i64,
    },
    /// A face is listed twice among the natural ones.
    #[error("the natural face {label:?} is listed twice: a face either fails or succeeds")]
    NaturalTwice {
        /// The label of the face.
        label: String,
    },
    /// Parts of the roll are incompatible; the text says which, and what to write instead.
    #[error("{0}")]
    Meaningless(&'static str),
    /// An input's range is empty.
    #[error("the range of input {input} (counted from 0), {low} to {high}, is empty")]
    EmptyRange {
        /// The input's index.
        input: usize,
        /// Its lower end.
        low: i32,
        /// Its upper end.
        high: i32,
    },
    /// The inputs' ranges have too many combinations.
    #[error("the ranges of the inputs ({ranges}) have {combinations} combinations; at most {limit} fit a table")]
    TooManyCombinations {
        /// The ranges, as text.
        ranges: String,
        /// The number of combinations.
        combinations: u128,
        /// The maximum number in a table.
        limit: usize,
    },
    /// There are too many results over all inputs.
    #[error("the ranges of the inputs ({ranges}) give more than {limit} results in all")]
    TooManyEntries {
        /// The ranges, as text.
        ranges: String,
        /// The maximum number of results in a table.
        limit: usize,
    },
}

impl RollError {
    /// These ranges of inputs give more results than fit.
    #[must_use]
    pub fn too_many_entries(ranges: &[RangeInclusive<i32>], limit: usize) -> Self {
        Self::TooManyEntries { ranges: text_of(ranges), limit }
    }

    /// These ranges of inputs have more combinations than fit.
    pub(super) fn too_many_combinations(ranges: &[RangeInclusive<i32>], combinations: u128, limit: usize) -> Self {
        Self::TooManyCombinations { ranges: text_of(ranges), combinations, limit }
    }

    /// This error, in a stage of a pool.
    pub(super) fn in_stage(self, stage: usize) -> Self {
        Self::InStage { stage, error: Box::new(self) }
    }

    /// This error, in the foe's hand.
    pub(super) fn of_foe(self) -> Self {
        Self::OfFoe(Box::new(self))
    }
}

fn text_of(ranges: &[RangeInclusive<i32>]) -> String {
    let ranges: Vec<String> = ranges.iter().map(|range| format!("{} to {}", range.start(), range.end())).collect();
    ranges.join(", ")
}
