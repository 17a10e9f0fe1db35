//! The fixed workloads that benches, the signature and its test share, so that all measure the same thing and its
//! answer is known before it is timed.

pub mod answers;
pub mod cpu;
pub mod work;
