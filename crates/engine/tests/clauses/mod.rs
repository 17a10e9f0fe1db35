//! A test for every clause that a pack registers, named after it.
//!
//! Each test builds the small position of the clause's example, plays it phase by phase with scripted dice or none, and
//! asserts the required result and that the witness saw the clause applied. `registered` fails for a clause without a
//! test.

mod ancients_hex;
mod bag_of_orders;
mod bluecher_shock;
mod command_roll;
mod fleet_action;
#[cfg(unix)]
mod mutants;
mod napoleonic_figures;
mod napoleonic_pips;
mod patrol;
mod ranked_fantasy;
mod refduel;
mod registered;
mod risk;
mod sf_skirmish;
mod symbol_die;
