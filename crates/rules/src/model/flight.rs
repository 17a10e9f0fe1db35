//! Compiled flight and pursuit.

use super::{Site, Source};
use grognard_expr::Lookup;
use grognard_roll::RollTable;

/// How far some units flee.
#[derive(Debug)]
pub struct FlightRow {
    /// Its name in the pack.
    pub id: String,
    /// Hundredths of an inch.
    pub distance: i32,
    /// Whether they make for the nearest piece of ground within that distance that they would fill.
    pub refuge: bool,
    /// Dice whose sum in inches is added, and their site.
    pub dice: Option<(Box<RollTable>, Site)>,
    /// Its source.
    pub source: Source,
}

/// How a flight is bent, in tenths of a degree.
#[derive(Clone, Debug)]
pub struct Bend {
    /// The angle between one direction that is tried and the next.
    pub step: i32,
    /// The maximum bend.
    pub most: i32,
    /// Its source.
    pub source: Source,
}

/// How far a pursuit goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// This many hundredths of an inch.
    Fixed(i32),
    /// As far as the enemy fled, minus this many hundredths of an inch.
    ShortBy(i32),
}

/// How far some units pursue.
#[derive(Clone, Debug)]
pub struct PursuitRow {
    /// Its name in the pack.
    pub id: String,
    /// How far.
    pub reach: Reach,
    /// Its source.
    pub source: Source,
}

/// How units flee and are pursued.
#[derive(Debug)]
pub struct Flight {
    /// Distances of flight.
    pub rows: Vec<FlightRow>,
    /// The index of the first of `rows` that applies; the number of rows if none does.
    pub first: Lookup,
    /// Distances of pursuit.
    pub pursuits: Vec<PursuitRow>,
    /// The index of the first of `pursuits` that applies; the number of rows if none does.
    pub pursuit: Lookup,
    /// How a flight that cannot go straight on is bent; `None` means it is not.
    pub bend: Option<Bend>,
    /// Its source.
    pub source: Source,
}
