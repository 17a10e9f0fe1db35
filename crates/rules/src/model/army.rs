//! Totals of whole sides.

use super::Source;
use grognard_expr::Lookup;

/// What conditions can read about a whole side.
#[derive(Debug)]
pub struct Army {
    /// The value of a unit; `None` means 1.
    pub count: Option<Lookup>,
    /// 1 if a unit on the table counts as lost; `None` means broken units do.
    pub lost: Option<Lookup>,
    /// The formula for the side's highest value; `None` if there is none.
    pub best: Option<Lookup>,
    /// 1 if a side is beaten; `None` means there is no such condition.
    pub beaten: Option<Lookup>,
    /// Its source.
    pub source: Source,
}
