//! What a side counts as an army.

use super::Source;
use grognard_expr::Lookup;

/// What conditions read of a whole side.
#[derive(Debug)]
pub struct Army {
    /// What a unit counts; none: 1.
    pub count: Option<Lookup>,
    /// 1 where a unit on the table counts as lost; none: where it is broken.
    pub lost: Option<Lookup>,
    /// The formula of which the side has the greatest value; none: it has none.
    pub best: Option<Lookup>,
    /// 1 where a side is beaten; none: nowhere.
    pub beaten: Option<Lookup>,
    /// Its source.
    pub source: Source,
}
