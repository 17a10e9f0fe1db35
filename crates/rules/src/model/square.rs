//! Compiled squares of several units.

use super::Source;
use grognard_expr::Lookup;

/// Who may join a square that it touches.
#[derive(Clone, Debug)]
pub struct Square {
    /// 1 if a unit may join another's square.
    pub when: Option<Lookup>,
    /// Figures that make room for one cannon.
    pub figures_per_cannon: u16,
    /// The source of the rule that those inside share the morale of their host.
    pub shares: Source,
    /// The source of the rule on how far a square of several units moves.
    pub pace: Source,
    /// The source of the rule on the losses of guns inside.
    pub guns: Source,
    /// Its source.
    pub source: Source,
    /// The source of the rule on who may join.
    pub when_source: Source,
}
