//! Compiled fire zones, charge zones and support.

use super::Source;
use grognard_expr::Lookup;

pub use crate::wire::ShapeName as Shape;

/// The rule for which units have a fire zone; its depth is [`super::Kind::zone`].
#[derive(Clone, Debug)]
pub struct FireZone {
    /// 1 if a unit has one; `None` means always.
    pub when: Option<Lookup>,
    /// Its source.
    pub source: Source,
    /// The source of the rule on which units have one.
    pub when_source: Source,
}

/// The zone in front of a declared charge, as deep as the charger's move.
#[derive(Clone, Debug)]
pub struct ChargeZone {
    /// 1 if a charger has one; `None` means always.
    pub when: Option<Lookup>,
    /// 1 if a unit that was in one may not march in its next half-turn; `None` means never.
    pub holds: Option<Lookup>,
    /// Its source.
    pub source: Source,
}

/// How near a friend behind a unit must be to count.
#[derive(Clone, Debug)]
pub struct Support {
    /// Hundredths of an inch from the rear edge.
    pub gap: i32,
    /// 1 if a unit and the one behind it stack; `None` means always.
    pub stacks: Option<Lookup>,
    /// 1 if a unit goes along when the one in front of it charges or marches straight ahead; `None` means never.
    pub follows: Option<Lookup>,
    /// 1 if the unit directly behind another supports it; `None` means always.
    pub supports: Option<Lookup>,
    /// 1 if a unit may follow a friend ahead of it; `None` means never.
    pub leads: Option<Lookup>,
    /// Its source.
    pub source: Source,
}

impl Shape {
    /// The shape of this many figures with `front` of them in the front rank.
    #[must_use]
    pub const fn of(figures: u16, front: u16) -> Self {
        let behind = figures.saturating_sub(front);
        match behind {
            0 => Self::Line,
            _ if behind <= front => Self::Shallow,
            _ => Self::Deep,
        }
    }
}
