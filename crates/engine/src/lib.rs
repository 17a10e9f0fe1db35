//! Battle state, boards, mechanisms, doctrine and `fight`.

mod outcome;
pub mod plane;
mod side;

pub use outcome::{METRICS, Metric, Outcome, SideOutcome};
pub use side::{BySide, Side};
