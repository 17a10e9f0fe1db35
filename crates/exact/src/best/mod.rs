//! Best play: the value of a battle between perfect players.
//!
//! [`explore`] enumerates every battle that any choices and any dice can produce, step by step, and merges equal states
//! as [`solve`](crate::solve) does. The result is a [`Graph`] without cycles, because the phase number only increases.
//! Working backwards from its end, every state gets a [`Graph::values`] value: chance is a mean, the first side takes
//! the most valuable option, and the second side the least valuable (Zermelo 1913; Shapley, "Stochastic games", 1953).
//! All decisions are open and sequential, so best play needs no secrecy and no mixing, and its value is a number.
//!
//! A side may also follow its doctrine. A doctrine gives away the difference between best play and its own play,
//! both against the other's doctrine; [`Graph::rows`] divides this among its rows.
//!
//! For a given battle, [`explore_beside`] enumerates only the battles between doctrines, and the options of this
//! battle's decisions. That graph is much smaller. The value of each option assumes that both sides follow their
//! doctrines afterwards.
//!
//! A battle too large to enumerate is enumerated as far as the limits allow. Later states may have any value, so every
//! value is then a bracket. [`narrow`] looks only for the value of the start, and skips everything that cannot change
//! it.

mod aim;
mod forks;
mod graph;
mod losses;
mod play;
mod search;
mod values;

pub use forks::Point;
pub use graph::{Effort, Graph, explore, explore_beside};
pub use losses::{OfferPlayed, RowPlayed};
pub use play::{Moment, Solved};
pub use search::{Narrowed, Sought, narrow};
pub use values::{Bracket, Plays, Values};
