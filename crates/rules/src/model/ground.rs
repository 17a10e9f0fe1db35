//! Compiled ground and bars.

use super::{MoraleId, Source};
use grognard_expr::Lookup;

/// The maximum number of kinds of terrain in a pack.
pub const GROUNDS_MAX: usize = 32;

/// A bar: it forbids something while its condition is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bar {
    /// Its name in the pack.
    pub id: String,
    /// 1 if it applies.
    pub when: Lookup,
    /// Whether deployments must obey it.
    pub deploy: bool,
    /// Whether losses that make it apply to a unit break up the formation.
    pub breaks: bool,
    /// Its source.
    pub source: Source,
}

/// A kind of ground.
#[derive(Clone, Debug)]
pub struct Ground {
    /// Its name in the pack.
    pub id: String,
    /// Its name in the narration.
    pub title: String,
    /// The movement that an inch over it costs, in hundredths of an inch; at least 100.
    pub pace: i32,
    /// The movement that entering it costs, in hundredths of an inch.
    pub crossing: i32,
    /// Depth of a piece placed as a line, in hundredths of an inch; 0 if it cannot be placed as one.
    pub thickness: i32,
    /// Whether troops may line it, and units that cross it are marked for the phase.
    pub linear: bool,
    /// Whether it gives cover.
    pub cover: bool,
    /// Whether it blocks sight.
    pub blocks_sight: bool,
    /// Whether it is higher than the ground around it.
    pub high: bool,
    /// Whether it is an area with edges.
    pub area: bool,
    /// The rule that a unit in a piece fills it.
    pub fills: Option<Fills>,
    /// Whether it is a road.
    pub road: bool,
    /// The greatest angle, in tenths of a degree, by which the path of a unit that marches along such roads may turn.
    pub bend: i32,
    /// The morale state it puts units into.
    pub disorders: Option<MoraleId>,
    /// 1 if it does so; `None` means always.
    pub disorders_when: Option<Lookup>,
    /// The units that may not cross it.
    pub bars: Vec<Bar>,
    /// Its source.
    pub source: Source,
}

impl Ground {
    /// Whether a march over it is like one over open ground.
    #[must_use]
    pub fn is_even(&self) -> bool {
        let Self { pace, crossing, linear, road, ref disorders, ref bars, .. } = *self;
        pace == 100 && crossing == 0 && !linear && !road && disorders.is_none() && bars.is_empty()
    }
}

/// Pieces of terrain that a unit in them fills.
#[derive(Clone, Debug)]
pub struct Fills {
    /// The maximum side length of a piece, in hundredths of an inch.
    pub most: i32,
    /// 1 if a unit may begin in a piece; `None` means always.
    pub begins: Option<Lookup>,
    /// Its source.
    pub source: Source,
}

/// How a unit's figures are aligned.
#[derive(Clone, Debug, Default)]
pub struct Dressing {
    /// Hundredths of an inch within which a figure touches a piece of ground.
    pub touch: i32,
    /// 1 if a unit may bend along linear terrain; `None` means no unit may.
    pub bends_when: Option<Lookup>,
    /// How far the middle of a unit's front may shift when an order bends the unit, in hundredths of an inch; `None`
    /// means no order bends a unit.
    pub bends_within: Option<i32>,
    /// The morale state of units with an ambiguous facing, if that rule is in force, with its source.
    pub ambiguous: Option<(MoraleId, Source)>,
    /// Its source.
    pub source: Source,
    /// The source of the rule that units may bend.
    pub bends_source: Source,
}

/// The spacing of sides with a named deployment. Lengths are in hundredths of an inch.
#[derive(Clone, Debug)]
pub struct Array {
    /// The distance between the flanks of neighbours.
    pub interval: i32,
    /// The distance between two lines.
    pub lines: i32,
    /// The distance between the foremost lines of the two sides.
    pub apart: i32,
    /// Its source.
    pub source: Source,
}
