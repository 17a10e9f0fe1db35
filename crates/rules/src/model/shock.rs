//! Compiled counts of shock.

use super::Source;
use grognard_expr::Lookup;

/// With how many figures a unit fights that is struck where it shows no front.
#[derive(Clone, Debug)]
pub struct Flanked {
    /// At most so many.
    pub figures: u16,
    /// 1 where it holds; none: always.
    pub when: Option<Lookup>,
    /// Where it comes from.
    pub source: Source,
}
