//! Compiled rules of units that split and merge.

use grognard_expr::Lookup;

use super::Source;

/// What units may do in a phase in which they split and merge.
#[derive(Debug)]
pub struct Regroup {
    /// The rule for splitting; `None` if they do not split.
    pub split: Option<Split>,
    /// The rule for merging; `None` if they do not merge.
    pub merge: Option<Merge>,
}

/// How a unit splits.
#[derive(Debug)]
pub struct Split {
    /// The figures that split off.
    pub figures: Lookup,
    /// 1 for a unit that may split; `None` means all may.
    pub when: Option<Lookup>,
    /// Its source.
    pub source: Source,
}

/// How a unit joins a friend.
#[derive(Debug)]
pub struct Merge {
    /// The maximum distance between the two, in hundredths of an inch, on a plane.
    pub within: i32,
    /// 1 for a unit that may join a friend; `None` means all may.
    pub when: Option<Lookup>,
    /// Its source.
    pub source: Source,
}
