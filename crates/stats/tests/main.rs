//! The tests of the statistics, in one program, so that they are linked once.

mod control;
mod coverage;
mod covered;
mod crossed;
mod independent;
mod peeking;
mod prices;
mod print;
mod reference;
mod simulated;
mod stopping;
