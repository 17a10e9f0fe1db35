//! Mechanisms of rules that move figures on a table, unit by unit.

pub(crate) mod battery;
pub(crate) mod casualties;
pub(crate) mod charge;
pub(crate) mod charge_zone;
pub(crate) mod command;
pub(crate) mod crew;
pub(crate) mod falling_back;
pub(crate) mod fire;
pub(crate) mod formation;
pub(crate) mod lining;
pub(crate) mod movement;
pub(crate) mod opportunity;
pub(crate) mod path;
pub(crate) mod post;
pub(crate) mod screen;
pub(crate) mod skirmishers;
pub(crate) mod square;
pub(crate) mod template;
pub(crate) mod tether;
pub(crate) mod through;
pub(crate) mod zone_entry;
