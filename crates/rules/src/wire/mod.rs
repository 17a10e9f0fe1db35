//! What a pack's files say: plain structs that mirror the TOML and may still be nonsense.
//!
//! The JSON Schema that editors use is made from these types, and files are held against it before anything else looks
//! at them. Doc comments here are what an editor shows.

mod act;
mod battery;
mod battle;
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
mod repertoire;
mod roll;
mod score;
mod shock;
mod skirmish;
mod speed;
mod square;
mod traits;
mod unit;
mod zone;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

pub use act::{ActBarWire, ActWire, DeedName};
pub use battery::{BatteryWire, InMoveWire, SlowWire};
pub use battle::*;
pub use choice::WeighWire;
pub use cite::{
    AllRoundWire, ArcCitesWire, BatteryCitesWire, CiteWhenWire, CiteWire, DressingCitesWire, FireZoneCitesWire,
    FormationCitesWire, ModeCitesWire, MoraleCitesWire, PhaseCitesWire, SquareCitesWire, UnitCitesWire,
};
pub use command::{CommandWire, ModeWire};
pub use counter::{BeyondWire, CountChangeWire, CountEffectWire, CountOn, CounterWire, StopName};
pub use doctrine::{DoctrineRowWire, DoctrineWire, OfName, OrderName, TowardsName};
pub use flight::{BendWire, FlightRowWire, FlightWire, PursuitRowWire};
pub use general::{CommandSizeWire, DearWire, FateWire, GeneralWire, GradeWire, IdleWire, RankWire, RoleName};
pub use ground::{AmbiguousWire, ArrayWire, BarWire, DressingWire, FillsWire, GroundWire};
pub use hex::{CardWire, DeckWire, DirectionName, HexTerrainWire, HexWire, ProvidesName, ProvisionWire, SectionName};
pub use metric::{EachName, MetricWire, OccasionName, OnceName, PerName, TakeName};
pub use objective::{LastTurnWire, ObjectiveWire, PointsForName, PointsWire};
pub use path::LegWire;
pub use repertoire::{ChoiceWire, GridWire, NumbersWire, OptionWire, RangeWire, RepertoireName, WordsWire};
pub use roll::*;
pub use score::{ScoreWire, TallyWire};
pub use shock::FlankedWire;
pub use skirmish::{RejoinName, RejoinWire, ScreenWire, SkirmishWire, StrayName};
pub use speed::{CitedSpeedWire, SpeedWire};
pub use square::SquareWire;
pub use traits::{BearerName, TraitExceptWire, TraitModifierWire, TraitRerollWire, TraitWire};
pub use unit::{
    ArcWire, AttributeRowWire, AttributeValue, AttributeWire, FacingName, FormationWire, LayoutWire, MoraleStateWire,
    MoraleWire, OnFootWire, RetreatWire, TableWire, UnitWire,
};
pub use zone::{ChargeZoneWire, FireZoneWire, ShapeName, SupportWire};

/// A rule pack.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PackWire {
    /// The pack's name: what studies and `extends` call it. Lower-case words joined by dashes.
    pub pack: String,
    /// What a report calls it.
    pub title: String,
    /// The pack's own version.
    pub version: String,
    /// A sentence or two on what the pack is.
    #[serde(default)]
    pub about: Option<String>,
    /// The pack this one is a variant of.
    #[serde(default)]
    pub extends: Option<String>,
    /// What battles are fought on.
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
    /// What the rules of a `hex` board provide for.
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
    /// Numbers that units carry beside their figures and their morale, by name.
    #[serde(default)]
    pub counter: BTreeMap<String, CounterWire>,
    /// Special rules of unit types that have a name, by name.
    #[serde(default, rename = "trait")]
    pub traits: BTreeMap<String, TraitWire>,
    /// Target classes that formations belong to, such as linear and massed.
    #[serde(default)]
    pub targets: Vec<String>,
    /// Morale.
    pub morale: MoraleWire,
    /// Formations, by name.
    #[serde(default)]
    pub formation: BTreeMap<String, FormationWire>,
    /// Kinds of ground, by name. Studies place pieces of them; where none lies is open ground.
    #[serde(default)]
    pub ground: BTreeMap<String, GroundWire>,
    /// Where sides stand that a study draws up by name.
    #[serde(default)]
    pub array: Option<ArrayWire>,
    /// How a unit's figures stand together.
    #[serde(default)]
    pub dressing: Option<DressingWire>,
    /// Unit types, by name.
    pub unit: BTreeMap<String, UnitWire>,
    /// Dice beyond d2 to d100, by name.
    #[serde(default)]
    pub die: BTreeMap<String, DieWire>,
    /// Rolls, by name.
    #[serde(default)]
    pub roll: BTreeMap<String, RollWire>,
    /// How units move and charge. Needed on a `plane` board.
    #[serde(default)]
    pub movement: Option<MovementWire>,
    /// Crews and cannon. Needed where unit types have `cannon`.
    #[serde(default)]
    pub battery: Option<BatteryWire>,
    /// Who may join a square that it touches. Left out: nobody.
    #[serde(default)]
    pub square: Option<SquareWire>,
    /// Which units own a fire zone before their front.
    #[serde(default)]
    pub fire_zone: Option<FireZoneWire>,
    /// The zone that a declared charge casts before it.
    #[serde(default)]
    pub charge_zone: Option<ChargeZoneWire>,
    /// How near a friend must stand behind a unit to count.
    #[serde(default)]
    pub support: Option<SupportWire>,
    /// With how many figures a unit fights that is struck where it shows no front. Left out: with all it has.
    #[serde(default)]
    pub flanked: Option<FlankedWire>,
    /// How many orders a side may give. Left out: every unit may act.
    #[serde(default)]
    pub activation: Option<ActivationWire>,
    /// The sequence of play: the phases of one side's half of a turn.
    pub phase: Vec<PhaseWire>,
    /// What happens at once when something else happens.
    #[serde(default)]
    pub reaction: Vec<ReactionWire>,
    /// What orders cost and what forbids them, in `orders` phases.
    #[serde(default)]
    pub act: Vec<ActWire>,
    /// How units flee and are pursued, where an effect says `flee`.
    #[serde(default)]
    pub flight: Option<FlightWire>,
    /// What stands in for the players, by name.
    #[serde(default)]
    pub doctrine: BTreeMap<String, DoctrineWire>,
    /// What a player may order beside what the rows of a unit's doctrine do. It changes no battle of those who follow their doctrine.
    #[serde(default)]
    pub repertoire: RepertoireName,
    /// Choices that players have where the repertoire is `declared`, by name.
    #[serde(default)]
    pub choice: BTreeMap<String, ChoiceWire>,
    /// Screens: figures that a unit puts out in open order. Left out: there are none.
    #[serde(default)]
    pub skirmish: Option<SkirmishWire>,
    /// Groups of units with an order and a mode of movement. Left out: there are none.
    #[serde(default)]
    pub command: Option<CommandWire>,
    /// Generals, who bring their commands points. Left out: there are none, and a side has one throw of the dice.
    #[serde(default)]
    pub general: Option<GeneralWire>,
    /// How sides hold the objectives that a study places. Left out: there are none.
    #[serde(default)]
    pub objective: Option<ObjectiveWire>,
    /// When a battle is over and who has won.
    pub victory: VictoryWire,
    /// Metrics that studies may ask for, beside those that every study has.
    #[serde(default)]
    pub metric: Vec<MetricWire>,
    /// The clauses of the rulebook that the pack carries out.
    #[serde(default)]
    pub clause: Vec<ClauseWire>,
}

/// One clause of the rulebook.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ClauseWire {
    /// The clause's number in the rulebook.
    pub id: String,
    /// What it requires, in the pack's own words.
    pub text: String,
    /// Why no battle brings it into play: it is met while a battle is set up, or by an option that is off. Left out: some
    /// battle does.
    #[serde(default)]
    pub unreached: Option<String>,
}
