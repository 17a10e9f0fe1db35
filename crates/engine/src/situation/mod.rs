//! What can be read off a position: the facts that conditions ask for, and what is kept of them between two changes.

pub(crate) mod facts;
pub(crate) mod hex;
pub(crate) mod neighbours;
pub(crate) mod occupied;
pub(crate) mod positions;
pub(crate) mod status;
