//! The state of a battle: everything that one step passes to the next, and the start of a battle.

pub(crate) mod acting;
pub(crate) mod allowance;
pub(crate) mod battle;
pub(crate) mod bend;
pub(crate) mod general;
pub(crate) mod hex;
pub(crate) mod ids;
pub(crate) mod marks;
pub(crate) mod outcome;
pub(crate) mod roads;
pub(crate) mod roster;
pub(crate) mod side;
pub(crate) mod terrain;
pub(crate) mod unit;
pub(crate) mod unit_set;

pub(crate) use acting::Acting;
pub(crate) use allowance::Allowance;
pub(crate) use battle::{Arrives, Battle, COMMANDS_MAX, Command, Hold, Holdings, ObjectivePost, Places, Setup};
pub(crate) use bend::Bend;
pub(crate) use general::{GENERALS_MAX, General, Plan, Plans, Post};
pub(crate) use hex::{CardKind, Cards, HAND, HexFlags, HexState};
pub(crate) use ids::{Maybe, UnitId};
pub(crate) use marks::Marks;
pub(crate) use outcome::{Outcome, SideOutcome};
pub(crate) use roads::Roads;
pub(crate) use roster::Roster;
pub(crate) use side::{BySide, SIDES_MAX, Side};
pub(crate) use terrain::{Piece, TERRAIN_MAX};
pub(crate) use unit::{Flags, NOBODY_BESIDE, UNITS_MAX, UNITS_OF_MANY_MAX, UNITS_PER_SIDE_MAX, Unit};
pub(crate) use unit_set::Units;
