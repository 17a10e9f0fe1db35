//! The battle engine: battle state, boards, mechanisms, doctrine and [`fight`].
//!
//! A battle is fought in these steps: [`deploy`] turns a study's setup into a [`Setup`], and [`fight`] repeats
//! [`step`], one phase of one side, until a side is beaten or the turn limit is reached. The mechanisms in `mechanism/`
//! play the phases. Chance enters only through [`grognard_dice::Dice`], events leave only through [`Witness`], and
//! everything in between uses integers.
//!
//! ```
//! use grognard_dice::SeededDice;
//! use grognard_engine::{BySide, Deployment, Side, SidePlan, UnitPlan, Unwitnessed, deploy, fight};
//! use grognard_rules::library;
//! use grognard_source::Sources;
//!
//! let mut sources = Sources::new();
//! let rules = library::load("refduel", None, &mut sources).and_then(|pack| pack.compile(&sources)).expect("a built-in pack");
//! let side = |name: &str, kind: &str| SidePlan {
//!     name: name.to_owned(),
//!     units: vec![UnitPlan { kind: kind.to_owned(), ..UnitPlan::default() }],
//!     ..SidePlan::default()
//! };
//! let sides = BySide::new(side("a", "one-up"), side("b", "plain"));
//! let setup = deploy(&rules, &Deployment { sides, turns: 12, ..Deployment::default() }).expect("a battle the rules allow");
//!
//! let mut dice = SeededDice::new(1815);
//! let mut won = 0;
//! for battle in 0..100 {
//!     dice.battle(battle);
//!     won += u32::from(fight(&rules, &setup, &mut dice, &mut Unwitnessed).winner == Some(Side::First));
//! }
//! // +1 on a die wins 83.3 % of these duels.
//! assert!((70..95).contains(&won), "{won}");
//! ```

mod cache;
mod deploy;
mod geometry;
mod mechanism;
mod situation;
mod state;
mod step;
mod telling;

pub use cache::memory::Memory;
pub use cache::outcomes::Outcomes;
pub use cache::states;
pub use deploy::{
    Approach, Array, ArrayPlan, CommandPlan, Deployment, FacingPlan, GeneralPlan, Misdeployment, ObjectivePlan,
    ReplanPlan, Shape, SidePlan, TerrainPlan, UnitPlan, deploy,
};
pub use geometry::plane;
pub use situation::objectives::points_range;
pub use state::acting::Acting;
pub use state::allowance::Allowance;
pub use state::battle::{Arrives, Battle, COMMANDS_MAX, Command, Hold, Holdings, ObjectivePost, Places, Setup};
pub use state::bend::Bend;
pub use state::general::{GENERALS_MAX, General, Plan, Plans, Post};
pub use state::ids::UnitId;
pub use state::marks::Marks;
pub use state::outcome::{METRICS, Metric, Outcome, SideOutcome};
pub use state::side::{BySide, SIDES_MAX, Side};
pub use state::terrain::{Piece, TERRAIN_MAX};
pub use state::unit::{Flags, UNITS_MAX, UNITS_OF_MANY_MAX, UNITS_PER_SIDE_MAX, Unit};
pub use step::fight::{Steps, fight, fight_as, step};
pub use step::player::{Asked, Offer, Player};
pub use telling::citing::Citing;
pub use telling::coverage::{Count, Coverage};
pub use telling::event::{
    Ending, Event, GeneralEvent, HexEvent, Occasion, Refusal, RideFacts, RollEvent, Scene, ScreenRefusal, Share,
    SpecialEvent, Unwitnessed, Why, Witness,
};
pub use telling::gauge::{Gauged, Gauges};
pub use telling::luck::{Fallen, Lucky, SiteValue, Slope, Value};
pub use telling::narrator::Narrator;

/// A battle as data that can be drawn and stepped through.
pub mod timeline {
    pub use crate::telling::timeline::{
        ArmLook, ExitLook, FormationLook, GeneralLook, GeneralStanding, GroundLook, Happening, HexLook, KindLook,
        Moment, MoraleLook, ObjectiveLook, PieceLook, Presence, Recorder, Standing, TableLook, Timeline, UnitLook,
    };
}

/// Hex boards: their geometry, the moves of units, and single acts of a player.
pub mod hex {
    pub use crate::geometry::hex::{
        arc, direction, distance, facing, heading, hex_leader_alone, homeward, onward, sector, sees, shown, spine,
    };
    pub use crate::mechanism::hex::player::{attack, march, order, reach, reach_by_marches, shoot, targets};
    pub use crate::situation::hex::march::{Act, Begun, Breach, March, Motion};
    pub use crate::state::hex::{CardKind, Cards, HexFlags, HexState};
    pub use crate::state::ids::Maybe;
    pub use grognard_rules::model::ByteId;
}
