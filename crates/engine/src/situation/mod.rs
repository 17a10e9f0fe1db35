//! The facts about a position that conditions read, and the cache behind them.

pub(crate) mod army;
pub(crate) mod facts;
pub(crate) mod fire_lines;
pub(crate) mod hex;
pub(crate) mod neighbours;
pub(crate) mod objectives;
pub(crate) mod occupied;
pub(crate) mod open_order;
pub(crate) mod pace;
pub(crate) mod points;
pub(crate) mod positions;
pub(crate) mod precedence;
pub(crate) mod sight;
pub(crate) mod status;
pub(crate) mod view;
pub(crate) mod ways;
