//! Compiled numbers for shock combat.

use super::Source;
use grognard_expr::Lookup;

/// The number of figures with which a unit fights when it is struck outside its front.
#[derive(Clone, Debug)]
pub struct Flanked {
    /// The maximum number of figures.
    pub figures: u16,
    /// 1 if it applies; `None` means always.
    pub when: Option<Lookup>,
    /// Its source.
    pub source: Source,
}
