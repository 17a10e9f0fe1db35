//! Grognard for programs and notebooks.
//!
//! The command `grognard` fights studies and keeps their results in folders. This crate does the same from Rust, in a few lines
//! and without the folders: it needs neither polars nor plotters, and builds in a minute. The battles are those of the command,
//! and so are the numbers, to the last bit: same study, same seed, same count of battles.
//!
//! # A question
//!
//! ```
//! use grognard_kit::Question;
//!
//! # fn main() -> Result<(), grognard_kit::Error> {
//! let answer = Question::study("square-vs-line").runs(2_000).seed(1815).fight()?;
//! for cell in answer.cells().take(3) {
//!     println!("{}: the defender holds in {}", cell.label(), cell.estimate("defender")?.percent());
//! }
//! # assert_eq!(answer.cells().count(), 36);
//! # Ok(())
//! # }
//! ```
//!
//! A study goes by the name of a built-in one, by the path of its file or folder, or by its text. Its numbers go by the names they
//! have in `grognard run --json`: the name of a side for its wins, `draw`, `turns`, and metrics such as `defender.losses`. Each is
//! an [`Estimate`] with its interval.
//!
//! # What if
//!
//! Any value of the study or its pack can be set by its path, and a study can be written on the spot:
//!
//! ```
//! use grognard_kit::Question;
//!
//! # fn main() -> Result<(), grognard_kit::Error> {
//! let text = r#"
//!     study = "thrust"
//!     pack = "risk"
//!     turns = 100
//!     side.attacker.units = [{ type = "army", figures = 5 }]
//!     side.defender.units = [{ type = "army", figures = 4 }]
//!     vary."defender.0.figures" = [2, 3, 4]
//! "#;
//! let sampled = Question::text(text).runs(10_000).fight()?;
//! let exact = Question::text(text).exact()?;
//! for (sampled, exact) in sampled.cells().zip(exact.cells()) {
//!     let (sampled, exact) = (sampled.estimate("attacker")?, exact.estimate("attacker")?);
//!     assert!(sampled.low - 0.02 < exact.point && exact.point < sampled.high + 0.02);
//!     assert!(exact.is_computed());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Other questions
//!
//! [`Question::find`], [`judge`](Question::judge), [`tune`](Question::tune), [`ablate`](Question::ablate),
//! [`matchups`](Question::matchups), [`points`](Question::points) and [`roll`] do what the commands of these names do.
//!
//! ```
//! use grognard_kit::Question;
//!
//! # fn main() -> Result<(), grognard_kit::Error> {
//! let question = Question::study("refduel").set("b.0.type", "one-up").set("a.0.type", "plain");
//! let even = question.find("unit.plain.figures", "even")?;
//! let crossing = even.cells[0].nearest(20_000).expect("twenty figures are too few, and forty enough");
//! assert!(crossing.at.low > 20.0 && crossing.at.high < 40.0);
//! # Ok(())
//! # }
//! ```
//!
//! # Deeper
//!
//! [`Question::load`] gives the study with its compiled rules, [`pack`] a pack by itself. The crates below are here under
//! their short names: [`dice`], [`rules`], [`engine`], [`exact`], [`stats`], [`lab`].
//!
//! ```
//! use grognard_kit::Question;
//! use grognard_kit::dice::SeededDice;
//! use grognard_kit::engine::{Unwitnessed, fight};
//!
//! # fn main() -> Result<(), grognard_kit::Error> {
//! let study = Question::study("risk-dice").load()?;
//! let cell = &study.cells[0];
//! let mut dice = SeededDice::new(study.seed);
//! dice.battle(17);
//! let outcome = fight(&cell.rules, &cell.setup, &mut dice, &mut Unwitnessed);
//! assert!(outcome.turns >= 1);
//! # Ok(())
//! # }
//! ```

mod answer;
mod asking;
mod error;
mod pack;
mod question;
mod roll;

pub use grognard_dice as dice;
pub use grognard_engine as engine;
pub use grognard_exact as exact;
pub use grognard_lab as lab;
pub use grognard_rules as rules;
pub use grognard_stats as stats;

pub use grognard_lab::study::Study;
pub use grognard_stats::{Estimate, Level};

pub use answer::{Answer, Cell};
pub use asking::{Table, Tune};
pub use error::Error;
pub use pack::{Pack, pack};
pub use question::Question;
pub use roll::roll;

/// The program in the page on notebooks, compiled with the examples here.
#[cfg(doctest)]
#[doc = include_str!("../../../notebooks/README.md")]
struct Notebooks;
