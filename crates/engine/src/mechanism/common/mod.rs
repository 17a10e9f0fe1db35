//! Mechanisms that several families of rules share.

pub(crate) mod exchange;
pub(crate) mod ground;
pub(crate) mod shock;
pub(crate) mod test;
