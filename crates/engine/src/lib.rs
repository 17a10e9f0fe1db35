//! Battle state, boards, mechanisms, doctrine and [`fight`].
//!
//! A battle takes one route through this crate: [`deploy`] turns a study's setup into a [`Setup`]; [`fight`]
//! repeats [`step`], one phase of one side, until a side is beaten or the turns are over; the mechanisms in
//! `mechanism/` play the phases. Chance enters only through [`grognard_dice::Dice`], events leave only through
//! [`Witness`], and everything in between is integers.

mod cache;
mod deploy;
mod geometry;
mod mechanism;
mod situation;
mod state;
mod step;
mod telling;

pub use cache::memory::Memory;
pub use cache::states;
pub use deploy::{
    Approach, Array, ArrayPlan, CommandPlan, Deployment, FacingPlan, GeneralPlan, Misdeployment, ObjectivePlan,
    ReplanPlan, Shape, SidePlan, TerrainPlan, UnitPlan, deploy,
};
pub use geometry::plane;
pub use state::acting::Acting;
pub use state::battle::{Arrives, Battle, COMMANDS_MAX, Command, Hold, Holdings, ObjectivePost, Setup};
pub use state::bend::Bend;
pub use state::general::{GENERALS_MAX, General, Plan, Plans, Post};
pub use state::marks::Marks;
pub use state::outcome::{METRICS, Metric, Outcome, SideOutcome};
pub use state::side::{BySide, Side};
pub use state::terrain::{Piece, TERRAIN_MAX};
pub use state::unit::{Flags, UNITS_MAX, UNITS_PER_SIDE_MAX, Unit, UnitId};
pub use step::fight::{Steps, fight, fight_as, step};
pub use step::player::{Asked, Offer, Player};
pub use telling::citing::Citing;
pub use telling::coverage::{Count, Coverage};
pub use telling::event::{
    Event, GeneralEvent, HexEvent, Occasion, Refusal, RollEvent, Scene, ScreenRefusal, Share, SpecialEvent,
    Unwitnessed, Why, Witness,
};
pub use telling::gauge::{Gauged, Gauges};
pub use telling::luck::Lucky;
pub use telling::narrator::Narrator;

/// A battle as data to draw and to step through.
pub mod timeline {
    pub use crate::telling::timeline::{
        ArmLook, FormationLook, GeneralLook, GeneralStanding, GroundLook, Happening, HexLook, KindLook, Moment,
        MoraleLook, PieceLook, Presence, Recorder, Standing, TableLook, Timeline, UnitLook,
    };
}

/// Hex boards: their geometry, what a unit may do on them, and single acts of a player.
pub mod hex {
    pub use crate::geometry::hex::{
        arc, direction, distance, facing, heading, hex_leader_alone, homeward, onward, sector, sees, shown, spine,
    };
    pub use crate::mechanism::hex::player::{attack, march, order, reach, reach_by_marches, shoot, targets};
    pub use crate::situation::hex::march::{Act, Begun, Breach, March, Motion};
    pub use crate::state::hex::{Cards, HexFlags, HexState, NO_CARD, NOBODY};
}
