//! Grognard for programs and notebooks.
//!
//! The command `grognard` runs studies and keeps their results in folders. This crate does the same from Rust, in
//! a few lines and without the folders; it needs neither polars nor plotters. Its battles and numbers are identical
//! to the command's, bit for bit, for the same study, seed and number of battles.
//!
//! - [`Pack`]: rules as data, built in, from a folder or from texts in memory.
//! - [`Study`]: the battles to fight, with values that are [set](Study::set) and [varied](Study::vary).
//! - [`Study::fight`] and [`Study::exact`]: numbers with their intervals, or the exact odds, as an [`Answer`].
//! - [`Study::cell`]: single battles to iterate over, narrate, watch, or play with your own code.
//! - [`find`](Study::find), [`judge`](Study::judge), [`tune`](Study::tune), [`ablate`](Study::ablate), [`points`](Study::points),
//!   [`matchups`](Study::matchups), [`best`](Study::best) and [`train`](Study::train): the questions of the commands of these names.
//! - [`Stop`], [`Progress`] and [`Ask::max_time`]: every long task can be stopped, watched and limited.
//!
//! # From a pack to odds
//!
//! ```
//! use std::time::Duration;
//! use grognard_kit::{Keep, Metric, Pack, Side, Stop, Study};
//!
//! # fn main() -> Result<(), grognard_kit::Error> {
//! let rules = r#"
//!     pack = "softer-squares"
//!     extends = "napoleonic-figures"
//!     [[roll.shock.modifier]]
//!     id = "square-against-cavalry"
//!     add = 5
//! "#;
//! let charge = r#"
//!     study = "charge"
//!     pack = "softer-squares"
//!     runs = 10_000
//!     side.attacker.doctrine = "charge-home"
//!     side.attacker.units = [{ type = "heavy-cavalry", formation = "line", at = [0, 16], facing = "enemy" }]
//!     side.defender.doctrine = "stand"
//!     side.defender.units = [{ type = "line-battalion", formation = "square", at = [0, 0], facing = "enemy" }]
//! "#;
//! let pack = Pack::from_files([("pack.toml", rules)])?;
//! let study = Study::from_text(charge)?.with_pack(pack).set("turns", 6)?.vary("distance", (4..=16).step_by(4))?;
//!
//! let stop = Stop::new();
//! let answer = study
//!     .fight()
//!     .runs(2_000)
//!     .seed(1815)
//!     .keep(Keep::All)
//!     .progress(|progress| eprintln!("{progress}"))
//!     .stop(&stop)
//!     .run()?;
//! for cell in answer.with([("distance", 8)])? {
//!     println!("{}: the square holds in {}", cell.label(), cell.share(Side::Second).percent());
//!     let joint = cell.histogram([Metric::Losses(Side::First), Metric::Losses(Side::Second)])?;
//!     for ([own, theirs], share) in joint.iter().filter(|(_, share)| *share > 0.05) {
//!         println!("the cavalry loses {own} and the square {theirs} in {:.0} % of battles", 100.0 * share);
//!     }
//! }
//!
//! let odds = study.exact().max_time(Duration::from_secs(60)).run()?;
//! for (exact, sampled) in odds.cells().zip(answer.cells()) {
//!     let (exact, sampled) = (exact.share(Side::Second).point, sampled.share(Side::Second));
//!     assert!((exact - sampled.point).abs() < 0.05);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # One battle, played and watched by your own code
//!
//! ```
//! use grognard_kit::{Asked, Event, Offer, Player, Scene, Side, Study, Witness};
//!
//! /// Charges whenever it may.
//! struct Hotspur;
//!
//! impl Player for Hotspur {
//!     fn plays(&self, side: Side) -> bool {
//!         side == Side::First
//!     }
//!
//!     fn choose(&mut self, _scene: Scene<'_>, asked: &Asked<'_>) -> usize {
//!         asked.offers.iter().rposition(|offer| matches!(offer, Offer::Row { .. })).unwrap_or(asked.doctrine)
//!     }
//! }
//!
//! /// Counts charges.
//! #[derive(Default)]
//! struct Charges(u32);
//!
//! impl Witness for Charges {
//!     fn see(&mut self, scene: Scene<'_>, event: &Event) {
//!         if let Event::Declared { unit, target, .. } = event {
//!             println!("turn {}: {} charges {}", scene.battle.turn, scene.unit_name(*unit), scene.unit_name(*target));
//!             self.0 += 1;
//!         }
//!     }
//! }
//!
//! # fn main() -> Result<(), grognard_kit::Error> {
//! let study = Study::load("square-vs-line")?;
//! let cell = study.cell(18)?;
//! let mut charges = Charges::default();
//! let battle = cell.battle(4).player(&mut Hotspur).witness(&mut charges).run()?;
//! println!("after {} charges the winner is {:?}", charges.0, battle.winner());
//!
//! // The same battle as fought by its doctrines, and a thousand more.
//! println!("{}", cell.battle(4).narrate()?.join("\n"));
//! let broken = cell.battles(0..1_000).filter(|battle| battle.winner() == Some(Side::First)).count();
//! println!("the square is broken in {broken} of 1,000 battles");
//! # Ok(())
//! # }
//! ```
//!
//! # Questions
//!
//! ```
//! use std::time::Duration;
//! use grognard_kit::Study;
//!
//! # fn main() -> Result<(), grognard_kit::Error> {
//! let study = Study::load("refduel")?.set("b.0.type", "one-up")?.set("a.0.type", "plain")?;
//! let even = study.find("unit.plain.figures", "even").max_time(Duration::from_secs(120)).run()?;
//! let crossing = even.cells[0].nearest(20_000).expect("twenty figures are too few, and forty enough");
//! println!("even at {:.1} figures ({:.1} to {:.1})", crossing.at.value, crossing.at.low, crossing.at.high);
//!
//! let worth = Study::load("refduel")?.ablate("a score").runs(2_000).run()?;
//! for rule in worth.rules.iter().take(3) {
//!     println!("{} is worth {} points", rule.switch.name(), rule.worth.points());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Speed in debug builds
//!
//! Cargo takes profiles from the workspace that it builds, so this crate cannot bring its own. In your program, a debug
//! build is about forty times slower than the command at fighting and enumerating. Either build with `--release`, or
//! have Cargo optimise dependencies in debug builds too. To do that, add this to the `Cargo.toml` at the root of your
//! workspace. It costs some time in the first build, and your own code stays debuggable:
//!
//! ```toml
//! [profile.dev.package."*"]
//! opt-level = 2
//! debug-assertions = false
//! ```
//!
//! # Errors
//!
//! An [`Error`] says what is wrong, where (with file, line and column in a text), and what to write instead. Print
//! it with `{}`. A program that returns it from `main` prints its `Debug` form, which is for programmers.
//!
//! # Deeper
//!
//! The underlying crates are re-exported under short names: [`source`], [`dice`], [`rules`], [`engine`], [`exact`],
//! [`stats`], [`lab`]. [`questions`] has the types of the answers to questions.
//!
//! ```
//! use grognard_kit::Study;
//! use grognard_kit::dice::SeededDice;
//! use grognard_kit::engine::{Unwitnessed, fight};
//!
//! # fn main() -> Result<(), grognard_kit::Error> {
//! let study = Study::load("risk-dice")?.compiled()?;
//! let cell = &study.cells[0];
//! let mut dice = SeededDice::new(study.seed);
//! dice.battle(17);
//! let outcome = fight(&cell.rules, &cell.setup, &mut dice, &mut Unwitnessed);
//! assert!(outcome.turns >= 1);
//! # Ok(())
//! # }
//! ```

mod answer;
mod ask;
mod error;
mod metric;
mod pack;
mod progress;
mod roll;
mod study;
mod value;

pub use grognard_dice as dice;
pub use grognard_engine as engine;
pub use grognard_exact as exact;
pub use grognard_lab as lab;
pub use grognard_rules as rules;
pub use grognard_source as source;
pub use grognard_stats as stats;

pub use grognard_dice::{Dice, Script};
pub use grognard_engine::timeline::Timeline;
pub use grognard_engine::{Asked, Event, Offer, Outcome, Player, Scene, Side, UnitId, Witness};
pub use grognard_lab::progress::Stop;
pub use grognard_lab::record::{Ledger, LedgerError};
pub use grognard_lab::results::PromiseKind as Intervals;
pub use grognard_lab::runner::Keep;
pub use grognard_stats::{Estimate, Level};

pub use answer::{Answer, Cell, Histogram, Pooled};
pub use ask::{
    Ablate, Ask, Best, Exact, Fight, Fights, Find, Judge, MatchupTable, Matchups, OfCells, Points, Precise, Shared,
    Train, Tune, TuneResult,
};
pub use error::{Error, Fault, Faults};
pub use metric::Metric;
pub use pack::Pack;
pub use progress::Progress;
pub use roll::roll;
pub use study::{Battle, Battles, Bout, Study, StudyCell};
pub use value::Value;

/// The answers to questions: the results of [`Study::find`], [`Study::judge`] and the others.
///
/// ```
/// use grognard_kit::Study;
/// use grognard_kit::questions::Found;
///
/// let study = Study::load("refduel")?;
/// let found: Found = study.find("unit.plain.figures", "even").cells([1]).runs(500).run()?;
/// assert!(!found.stopped);
/// # Ok::<(), grognard_kit::Error>(())
/// ```
pub mod questions {
    pub use grognard_lab::questions::{
        Ablated, BestCell, Found, Grid, Matched, Priced, Trained, Tuned, Tuning, Verdicts,
    };
}

/// The programs in the README and in the pages on Rust and on notebooks, compiled as examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../../../docs/rust.md")]
#[doc = include_str!("../../../notebooks/README.md")]
struct Pages;
