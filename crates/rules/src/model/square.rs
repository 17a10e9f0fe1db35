//! Compiled squares of several units.

use super::Source;
use grognard_expr::Lookup;

/// Who may join a square that it touches.
#[derive(Clone, Debug)]
pub struct Square {
    /// 1 where a unit may join another's square.
    pub when: Option<Lookup>,
    /// Figures that make room for one cannon.
    pub figures_per_cannon: u16,
    /// Where it comes from that those inside share the morale of their host.
    pub shares: Source,
    /// Where it comes from how far a square of several units moves.
    pub pace: Source,
    /// Where it comes from.
    pub source: Source,
    /// Where it comes from who may join.
    pub when_source: Source,
}
