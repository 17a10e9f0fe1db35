//! Battle state, boards, mechanisms, doctrine and [`fight`].
//!
//! A battle goes one way through this crate: [`deploy`] makes a study's words into a [`Setup`]; [`fight`] repeats [`step`],
//! one phase of one side, until somebody is beaten or the turns are over; the mechanisms in `mechanism/` play the phases.
//! Chance enters through [`grognard_dice::Dice`] alone, events leave through [`Witness`] alone, and everything in between
//! is integers.

mod away;
mod citing;
mod coverage;
mod deploy;
mod field;
mod fight;
mod gauge;
mod general;
pub mod hex;
mod losses;
mod luck;
mod marks;
mod mechanism;
mod memory;
mod narrate;
mod noted;
mod occupy;
mod outcome;
pub mod plane;
mod roster;
mod scratch;
mod side;
mod stands;
mod state;
pub mod states;
mod terrain;
mod vicinity;
mod view;
mod watched;
mod witness;

pub use citing::Citing;
pub use coverage::{Count, Coverage};
pub use deploy::{
    Approach, Array, ArrayPlan, CommandPlan, Deployment, FacingPlan, GeneralPlan, Misdeployment, ReplanPlan, Shape,
    SidePlan, TerrainPlan, UnitPlan, deploy,
};
pub use fight::{Steps, fight, step};
pub use gauge::{Gauged, Gauges};
pub use general::{GENERALS_MAX, General, Plan, Plans, Post};
pub use luck::Lucky;
pub use marks::Marks;
pub use memory::Memory;
pub use narrate::Narrator;
pub use outcome::{METRICS, Metric, Outcome, SideOutcome};
pub use side::{BySide, Side};
pub use state::{Battle, COMMANDS_MAX, Command, Flags, Setup, UNITS_MAX, UNITS_PER_SIDE_MAX, Unit, UnitId};
pub use terrain::{Piece, TERRAIN_MAX};
pub use witness::{
    Event, GeneralEvent, HexEvent, Occasion, Refusal, RollEvent, Scene, ScreenRefusal, Share, Unwitnessed, Why, Witness,
};
