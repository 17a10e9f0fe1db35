//! Best play: what a battle is worth between perfect players.
//!
//! [`explore`] walks every battle that any choices and any fall of the dice can bring about, step by step, and merges equal states as
//! [`solve`](crate::solve) does. What it finds is a [`Graph`] without circles, for phases only count up. From its end backwards
//! every state then gets a [`Graph::values`] value: chance is a mean, the first side takes the offer worth most, the second the one
//! worth least (Zermelo 1913; Shapley, "Stochastic games", 1953). All that is decided is decided in the open and one decision
//! after the other, so that best play needs no secrecy and no mixing, and its value is a number.
//!
//! A side may also follow its doctrine. A doctrine gives away the difference between best play and its own play,
//! both against the other's doctrine; [`Graph::rows`] divides this among its rows.
//!
//! A side that plays best may be replaced by one that only has a [`Habit`]: a smaller graph, and a bound.
//!
//! A battle too large to enumerate is enumerated as far as the limits allow. Everything beyond may be worth
//! anything, so every value is then a bracket.

mod forks;
mod graph;
mod habit;
mod play;
mod told;
mod values;

pub use forks::Point;
pub use graph::{Effort, Graph, explore, explore_against};
pub use habit::Habit;
pub use play::{Moment, Solved};
pub use told::{OfferPlayed, RowPlayed};
pub use values::{Bracket, Plays, Values};
