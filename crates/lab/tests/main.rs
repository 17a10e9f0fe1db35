//! The laboratory's tests, in one program, so that they are linked only once.

mod analyses;
mod both_ways;
mod common_rules;
#[expect(dead_code, reason = "only what draws studies is used here")]
#[path = "../../stats/tests/covered/mod.rs"]
mod covered;
mod determinism;
mod files;
mod hex_everything;
mod hostile;
mod house_values;
mod joint;
mod joint_promises;
mod judged;
mod loaded;
mod luck;
mod metrics;
mod notebook;
mod pairing;
mod pips_everything;
mod players;
mod sampled_against_exact;
mod trained;
