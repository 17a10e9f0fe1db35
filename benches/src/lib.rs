//! The fixed workloads that benches, the signature and its test share: what is measured is the same everywhere, and its
//! answer is known before it is timed.

pub mod answers;
pub mod cpu;
pub mod work;
