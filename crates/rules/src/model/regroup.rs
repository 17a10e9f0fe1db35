//! Compiled rules of units that split and merge.

use grognard_expr::Lookup;

use super::Source;

/// What units may do in a phase in which they split and merge.
#[derive(Debug)]
pub struct Regroup {
    /// How they split; none: they do not.
    pub split: Option<Split>,
    /// How they merge; none: they do not.
    pub merge: Option<Merge>,
}

/// How a unit splits.
#[derive(Debug)]
pub struct Split {
    /// The figures of the part.
    pub figures: Lookup,
    /// 1 for a unit that may split; none: all may.
    pub when: Option<Lookup>,
    /// Its source.
    pub source: Source,
}

/// How a unit joins a friend.
#[derive(Debug)]
pub struct Merge {
    /// The most hundredths of an inch between the two, on a plane.
    pub within: i32,
    /// 1 for a unit that may join a friend; none: all may.
    pub when: Option<Lookup>,
    /// Its source.
    pub source: Source,
}
