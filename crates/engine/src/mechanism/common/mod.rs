//! Mechanisms that several families of rules share.

pub(crate) mod army;
pub(crate) mod arrival;
pub(crate) mod counters;
pub(crate) mod exchange;
pub(crate) mod ground;
pub(crate) mod leaving;
pub(crate) mod moving;
pub(crate) mod objectives;
pub(crate) mod regroup;
pub(crate) mod reshape;
pub(crate) mod resolve;
pub(crate) mod retake;
pub(crate) mod room;
pub(crate) mod shock;
pub(crate) mod shot;
pub(crate) mod simultaneous;
pub(crate) mod test;
pub(crate) mod turn_order;
pub(crate) mod units;
