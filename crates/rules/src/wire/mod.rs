//! The contents of a pack's files: plain structs that mirror the TOML and have not been validated yet.
//!
//! The JSON Schema that editors use is generated from these types, and files are checked against it before anything else
//! reads them. Editors show the doc comments in this module.

mod act;
mod activation;
mod army;
mod arrival;
mod battery;
mod battle;
mod casualties;
mod choice;
mod cite;
mod command;
mod counter;
mod doctrine;
mod flight;
mod general;
mod ground;
mod hex;
mod metric;
mod objective;
mod path;
mod regroup;
mod repertoire;
mod resolve;
mod roll;
mod rows;
mod score;
mod section;
mod shock;
mod skirmish;
mod speed;
mod square;
mod stage;
mod traits;
mod unit;
mod zone;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use section::sections;

pub use act::{ActBarWire, ActWire, DeedName};
pub use activation::{
    ActivationTestWire, ActivationWire, AlternateWire, BagWire, ChipName, FallenChipsName, InitiativeTiesName,
    InitiativeWire, PriorityTiesName, PriorityWire,
};
pub use army::ArmyWire;
pub use arrival::{ArrivalWire, CalledName, EdgeName};
pub use battery::{BatteryWire, InMoveWire, SlowWire};
pub use battle::*;
pub use casualties::{CasualtiesWire, PickedByName};
pub use choice::WeighWire;
pub use cite::{
    AllRoundWire, ArcCitesWire, BagCitesWire, BatteryCitesWire, CiteWhenWire, CiteWire, DressingCitesWire,
    FireZoneCitesWire, FormationCitesWire, ModeCitesWire, MoraleCitesWire, PhaseCitesWire, RideRoadCitesWire,
    ScreenCitesWire, SquareCitesWire, UnitCitesWire,
};
pub use command::{CommandWire, ModeWire};
pub use counter::{BeyondWire, CountChangeWire, CountEffectWire, CountOn, CounterWire, StopName};
pub use doctrine::{DoctrineRowWire, DoctrineWire, OfName, OrderName, TowardsName};
pub use flight::{BendWire, FlightRowWire, FlightWire, PursuitRowWire};
pub use general::{
    CommandSizeWire, DearWire, FateWire, GeneralWire, GradeWire, IdleWire, RankWire, RideRoadWire, RideRowWire,
    RideRuleWire, RoleName,
};
pub use ground::{AmbiguousWire, ArrayWire, BarWire, DressingWire, FillsWire, GroundWire};
pub use hex::{CardWire, DeckWire, DirectionName, HexTerrainWire, HexWire, ProvidesName, ProvisionWire, SectionName};
pub use metric::{EachName, MetricWire, OccasionName, OnceName, PerName, TakeName};
pub use objective::{LastTurnWire, ObjectiveWire, PointsForName, PointsWire};
pub use path::LegWire;
pub use regroup::{MergeWire, SplitWire};
pub use repertoire::{ChoiceWire, GridWire, NumbersWire, OptionWire, RangeWire, RepertoireName, WordsWire};
pub use resolve::{BonusWire, CountedName, TogetherName};
pub use roll::*;
pub use rows::Rows;
pub use score::{ScoreWire, TallyWire};
pub(crate) use section::{Reads, Section};
pub use shock::FlankedWire;
pub use skirmish::{RejoinName, RejoinWire, ScreenWire, SkirmishWire, StrayName};
pub use speed::{CitedSpeedWire, SpeedWire};
pub use square::SquareWire;
pub use stage::{BranchWire, GroupWire, ModelsWire, StageWire};
pub use traits::{BearerName, TraitExceptWire, TraitModifierWire, TraitRerollWire, TraitWire};
pub use unit::{
    ArcWire, AttributeRowWire, AttributeValue, AttributeWire, FacingName, FormationWire, LayoutWire, MoraleStateWire,
    MoraleWire, OnFootWire, RetreatWire, TableWire, UnitWire,
};
pub use zone::{ChargeZoneWire, FireZoneWire, ShapeName, SupportWire};

sections! {
    /// A rule pack.
    #[derive(JsonSchema)]
    #[serde(deny_unknown_fields, rename_all = "kebab-case")]
    pub struct PackWire {
        /// The pack's name, which studies and `extends` use. Lower-case words joined by dashes.
        pub pack: String,
        /// Its title in reports.
        pub title: String,
        /// The pack's own version.
        pub version: String,
        /// One or two sentences about the pack.
        #[serde(default)]
        pub about: Option<String>,
        /// The pack this one is a variant of.
        #[serde(default)]
        pub extends: Option<String>,
        /// The kind of playing area.
        pub board: BoardName,
        /// The playing area of a `plane` board.
        #[serde(default)]
        pub table: Option<TableWire>,
        /// The angle that divides front, flanks and rear on a `plane` board.
        #[serde(default)]
        pub arc: Option<ArcWire>,
        /// The hexes of a `hex` board.
        #[serde(default)]
        pub hex: Option<HexWire>,
        /// The provisions (rules) of a `hex` board.
        #[serde(default)]
        pub provision: Vec<ProvisionWire>,
        /// Command cards, on a `hex` board.
        #[serde(default)]
        pub deck: Option<DeckWire>,
        /// The arms of service that unit types belong to.
        pub arms: Vec<String>,
        /// Further properties of unit types that conditions read.
        #[serde(default)]
        pub attribute: BTreeMap<String, AttributeWire>,
        /// Numbers that units carry besides figures and morale, by name.
        #[serde(default)]
        pub counter: BTreeMap<String, CounterWire>,
        /// Special rules for unit types, by name.
        #[serde(default, rename = "trait")]
        pub traits: BTreeMap<String, TraitWire>,
        /// Target classes that formations belong to, such as linear and massed.
        #[serde(default)]
        pub targets: Vec<String>,
        /// Morale.
        pub morale: MoraleWire,
        /// Formations, by name.
        #[serde(default)]
        pub formation: Rows<FormationWire>,
        /// Kinds of terrain, by name. Studies place pieces of them; elsewhere the ground is open.
        #[serde(default)]
        pub ground: BTreeMap<String, GroundWire>,
        /// The spacing of sides with a named `deployment`.
        #[serde(default)]
        pub array: Option<ArrayWire>,
        /// How a unit's figures are aligned.
        #[serde(default)]
        pub dressing: Option<DressingWire>,
        /// Unit types, by name.
        pub unit: Rows<UnitWire>,
        /// Dice beyond d2 to d100, by name.
        #[serde(default)]
        pub die: BTreeMap<String, DieWire>,
        /// Rolls, by name.
        #[serde(default)]
        pub roll: Rows<RollWire>,
        /// How units move and charge. Required on a `plane` board.
        #[serde(default)]
        pub movement: Option<MovementWire>,
        /// Crews and cannon. Required if unit types have `cannon`.
        #[serde(default)]
        pub battery: Option<BatteryWire>,
        /// Which units may join a square that they touch. Default: none.
        #[serde(default)]
        pub square: Option<SquareWire>,
        /// Which units have a fire zone in front of them.
        #[serde(default)]
        pub fire_zone: Option<FireZoneWire>,
        /// The zone in front of a unit that has declared a charge.
        #[serde(default)]
        pub charge_zone: Option<ChargeZoneWire>,
        /// How near a friend behind a unit must be to count.
        #[serde(default)]
        pub support: Option<SupportWire>,
        /// The number of figures with which a unit fights when it is struck outside its front. Default: all.
        #[serde(default)]
        pub flanked: Option<FlankedWire>,
        /// Who may act, and who goes next. Default: every unit may act in its side's half of the turn.
        #[serde(default)]
        pub activation: Option<ActivationWire>,
        /// How units that begin off the table come onto it. Default: in the turn given in the study, at their own
        /// positions.
        #[serde(default)]
        pub arrival: Option<ArrivalWire>,
        /// The sequence of play: the phases of one side's half of a turn.
        pub phase: Vec<PhaseWire>,
        /// Reactions: what units do at once when something triggers them.
        #[serde(default)]
        pub reaction: Vec<ReactionWire>,
        /// The cost of orders, and the conditions that bar them, in `orders` phases.
        #[serde(default)]
        pub act: Vec<ActWire>,
        /// How units flee and are pursued when an effect has `flee`.
        #[serde(default)]
        pub flight: Option<FlightWire>,
        /// The lists of orders that stand in for players, by name.
        #[serde(default)]
        pub doctrine: Rows<DoctrineWire>,
        /// What players may order besides the rows of a unit's doctrine. It does not affect players who follow their
        /// doctrine.
        #[serde(default)]
        pub repertoire: RepertoireName,
        /// The choices open to players if the repertoire is `declared`, by name.
        #[serde(default)]
        pub choice: BTreeMap<String, ChoiceWire>,
        /// Screens: figures that a unit deploys in open order. Default: no screens.
        #[serde(default)]
        pub skirmish: Option<SkirmishWire>,
        /// Groups of units with an order and a mode of movement. Default: no commands.
        #[serde(default)]
        pub command: Option<CommandWire>,
        /// Generals, who give points to their commands. Default: no generals; each side makes a single roll.
        #[serde(default)]
        pub general: Option<GeneralWire>,
        /// How sides hold the objectives that a study places. Default: no objectives.
        #[serde(default)]
        pub objective: Option<ObjectiveWire>,
        /// What conditions can read about a whole side. Default: nothing.
        #[serde(default)]
        pub army: Option<ArmyWire>,
        /// When a battle is over, and who wins.
        pub victory: VictoryWire,
        /// Metrics that studies may request, besides those that every study has.
        #[serde(default)]
        pub metric: Vec<MetricWire>,
        /// Paths of numbers that `grognard tune` does not change unless you name them. A path includes everything below
        /// it.
        #[serde(default)]
        pub fixed: Vec<String>,
        /// The clauses of the rulebook that the pack implements.
        #[serde(default)]
        pub clause: Vec<ClauseWire>,
    }
}

/// One clause of the rulebook.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ClauseWire {
    /// The clause's number in the rulebook.
    pub id: String,
    /// What it requires, in the pack's own words.
    pub text: String,
    /// Why no battle reaches it: it is satisfied when a battle is set up, or belongs to an option that is off.
    /// Default: some battle reaches it.
    #[serde(default)]
    pub unreached: Option<String>,
}
