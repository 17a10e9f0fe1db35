//! Compiled counts of shock.

use super::Source;
use grognard_expr::Lookup;

/// The figures with which a unit fights when it is struck where it shows no front.
#[derive(Clone, Debug)]
pub struct Flanked {
    /// The greatest number of figures.
    pub figures: u16,
    /// 1 where it holds; `None` means always.
    pub when: Option<Lookup>,
    /// Its source.
    pub source: Source,
}
