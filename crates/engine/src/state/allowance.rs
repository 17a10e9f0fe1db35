//! The number of orders that a side may still give.

/// The orders that the active side may still give in this half of the turn, or in this orders phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Allowance {
    /// No limit.
    Any,
    /// No orders yet: the points of the orders phase have not been rolled.
    NotRolled,
    /// This many orders.
    Left(u16),
}

impl Allowance {
    /// The allowance at the start of a battle. If `rolls`, the pack rolls for it in an orders phase.
    pub(crate) fn at_first(rolls: bool) -> Self {
        if rolls { Self::NotRolled } else { Self::Any }
    }

    /// The number of orders left now; `None` if there is no limit.
    #[inline]
    #[must_use]
    pub const fn left(self) -> Option<u16> {
        match self {
            Self::Any => None,
            Self::NotRolled => Some(0),
            Self::Left(orders) => Some(orders),
        }
    }

    /// Whether the side may give no more orders.
    #[inline]
    pub(crate) const fn is_used_up(self) -> bool {
        matches!(self, Self::Left(0))
    }

    /// Counts an order.
    #[inline]
    pub(crate) fn count(&mut self) {
        if let Self::Left(orders) = self {
            *orders -= 1;
        }
    }
}
