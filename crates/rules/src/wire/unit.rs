//! Units, formations and morale, as written in files.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::battery::{InMoveWire, SlowWire};
use super::cite::{AllRoundWire, ArcCitesWire, CiteWire, FormationCitesWire, MoraleCitesWire, UnitCitesWire};
use super::ground::BarWire;
use super::speed::SpeedWire;
use super::zone::ShapeName;
use grognard_source::Inches;

/// The playing area.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TableWire {
    /// The width from left to right, in inches. The origin of positions is the middle of the table.
    pub width: Inches,
    /// The depth from one army's edge to the other's, in inches.
    pub depth: Inches,
    /// Clauses that it implements.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// The reason for this value, if no clause gives it.
    #[serde(default)]
    pub note: Option<String>,
}

/// The angle between straight ahead and the edge of the front arc, measured outward at each front corner.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ArcWire {
    /// The angle, in degrees.
    #[schemars(range(min = 0, max = 89))]
    pub angle: u16,
    /// Clauses that it implements.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Clauses for individual keys that have their own.
    #[serde(default)]
    pub cites: ArcCitesWire,
    /// Clauses for the effects of facing in all directions.
    #[serde(default)]
    pub all_round: AllRoundWire,
    /// The reason for this value, if no clause gives it.
    #[serde(default)]
    pub note: Option<String>,
}

/// A property of unit types: a number with limits, or one of several words.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct AttributeWire {
    /// What it means.
    pub title: Option<String>,
    /// Its possible words. Give either these or `min` and `max`.
    pub words: Vec<String>,
    /// Its minimum.
    #[schemars(range(min = -1000, max = 1000))]
    pub min: Option<i32>,
    /// Its maximum.
    #[schemars(range(min = -1000, max = 1000))]
    pub max: Option<i32>,
    /// Its value for unit types without one.
    pub default: Option<AttributeValue>,
    /// Rows that determine it for unit types without a value: the first whose condition is true. Omit `default` if you
    /// use them.
    pub row: Vec<AttributeRowWire>,
    /// What dismounting adds to it: the first row whose condition is true. A dismounted unit type inherits from its
    /// mounted type every attribute that it does not set.
    pub on_foot: Vec<OnFootWire>,
}

/// A row that determines an attribute.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct AttributeRowWire {
    /// Its name.
    pub id: String,
    /// When it applies. Reads `self.arm` and the attributes of the unit type that have no rows.
    pub when: String,
    /// The attribute's value.
    pub is: AttributeValue,
    /// Clauses that it implements.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// What dismounting adds to a numeric attribute.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct OnFootWire {
    /// Its name.
    pub id: String,
    /// When it applies. Reads `self.arm` and the attributes of the dismounted unit type.
    pub when: String,
    /// The number added to the mounted value.
    #[schemars(range(min = -1000, max = 1000))]
    pub add: i32,
    /// Clauses that it implements.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// Morale states, from best to worst.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MoraleWire {
    /// The states, from best to worst. Units begin in the first unless the study gives another.
    #[schemars(length(min = 1, max = 8))]
    pub state: Vec<MoraleStateWire>,
}

/// One morale state.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MoraleStateWire {
    /// Its name.
    pub id: String,
    /// A unit in this state is shaken: still fighting, no longer in good order.
    #[serde(default)]
    pub shaken: bool,
    /// A unit in this state is broken: it flees, does not fight or obey, and counts as lost for victory.
    #[serde(default)]
    pub broken: bool,
    /// A broken unit in this state stays where it is instead of fleeing, as silenced guns do. The fact `upslope` still
    /// counts it as an enemy.
    #[serde(default)]
    pub stays: bool,
    /// The arms whose units may begin a battle in this state. Default: all.
    #[serde(default)]
    pub arms: Vec<String>,
    /// How the state is marked on the table: `one figure reversed`.
    #[serde(default)]
    pub marker: Option<String>,
    /// Inches a broken unit flees in each of its move phases.
    #[serde(default)]
    pub flight: Option<Inches>,
    /// The formation a unit falls into when it enters this state.
    #[serde(default)]
    pub formation: Option<String>,
    /// Formations that this state breaks up, and the formation that each becomes.
    #[serde(default)]
    pub undoes: BTreeMap<String, String>,
    /// The formation that a unit in this state takes when it falls back.
    #[serde(default)]
    pub retreat: Option<RetreatWire>,
    /// Clauses that it implements.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Clauses for individual keys that have their own.
    #[serde(default)]
    pub cites: MoraleCitesWire,
    /// The reason for this value, if no clause gives it.
    #[serde(default)]
    pub note: Option<String>,
}

/// The formation in which units fall back.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RetreatWire {
    /// The formation.
    pub formation: String,
    /// The units that take it. Reads `self` and `foe`. Default: all that can take it.
    #[serde(default)]
    pub when: Option<String>,
}

/// How the figures of a formation are arranged. Give exactly one key.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct LayoutWire {
    /// At least this many ranks of equal width, as far as the figures allow.
    #[schemars(range(min = 1, max = 40))]
    pub ranks: Option<u16>,
    /// This many figures in the front rank, the others behind.
    #[schemars(range(min = 1, max = 200))]
    pub front: Option<u16>,
    /// The smallest near-square block of bases, facing outward.
    pub block: Option<bool>,
    /// One loose row with this distance, in inches, between the centres of adjacent figures.
    pub spacing: Option<Inches>,
    /// For a loose row: the maximum distance, in inches, between the centres of adjacent figures. Default: the value of
    /// `spacing`.
    pub most: Option<Inches>,
    /// For a loose row: the minimum gap, in inches, between the bases of adjacent figures. Default: none.
    pub clear: Option<Inches>,
    /// The arms that keep this gap. Default: all arms of the formation. Only with `clear`.
    pub clear_arms: Vec<String>,
    /// A single base of fixed width, in inches, regardless of the number of figures (a battery).
    pub width: Option<Inches>,
    /// The depth of that base, in inches. Only with `width`.
    pub depth: Option<Inches>,
}

fn one_rank() -> LayoutWire {
    LayoutWire { ranks: Some(1), ..LayoutWire::default() }
}

/// Which way a formation faces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FacingName {
    /// It has a front, flanks and a rear.
    #[default]
    Front,
    /// It faces in all directions: no flank, no rear.
    All,
}

/// A formation.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FormationWire {
    /// Its name in narration and charts.
    pub title: String,
    /// The arms that may take it.
    pub arms: Vec<String>,
    /// How its figures are arranged. Default: in one rank.
    #[serde(default = "one_rank")]
    pub layout: LayoutWire,
    /// Which way it faces. Default: to the front.
    #[serde(default)]
    pub facing: FacingName,
    /// The arrangement of ranks that it requires. If losses leave a unit in another shape, it takes the formation of
    /// that shape, if it may.
    #[serde(default)]
    pub shape: Option<ShapeName>,
    /// Whether taking it allows a free change of facing.
    #[serde(default)]
    pub turns: bool,
    /// Whether it may also be taken at the end of a move.
    #[serde(default)]
    pub in_move: Option<InMoveWire>,
    /// Whether changing to it takes a whole turn.
    #[serde(default)]
    pub slow: Option<SlowWire>,
    /// Its target class.
    #[serde(default)]
    pub target: Option<String>,
    /// Whether it is close order. Unformed units may not charge.
    #[serde(default = "yes")]
    pub formed: bool,
    /// Whether it also counts as close order for movement. Only relevant for close order.
    #[serde(default = "yes")]
    pub formed_to_move: bool,
    /// The formation whose speed applies to units without a speed in this one. Units that cannot take that formation
    /// cannot take this one.
    #[serde(default)]
    pub moves_as: Option<String>,
    /// Whether a unit that takes it recalls its skirmishers.
    #[serde(default)]
    pub gathers: bool,
    /// Whether it may move.
    #[serde(default = "yes")]
    pub moves: bool,
    /// Whether it may fire.
    #[serde(default = "yes")]
    pub fires: bool,
    /// Whether it may be ordered in the formation phase.
    #[serde(default = "yes")]
    pub voluntary: bool,
    /// The condition under which a unit may take it by order. Reads `self`.
    #[serde(default)]
    pub when: Option<String>,
    /// The units that may not take it, or start in it, and why.
    #[serde(default)]
    pub bar: Vec<BarWire>,
    /// Clauses that it implements.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Clauses for individual keys that have their own.
    #[serde(default)]
    pub cites: FormationCitesWire,
    /// The reason for these values, if no clause gives them.
    #[serde(default)]
    pub note: Option<String>,
}

/// A type of unit.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct UnitWire {
    /// Its name in narration and charts.
    pub title: String,
    /// Its arm.
    pub arm: String,
    /// Figures (or bases, dice, strength points) at full strength.
    #[schemars(range(min = 1, max = 200))]
    pub figures: u16,
    /// Whether it is a leader, who accompanies a unit and shares its hex (a `hex` board).
    #[serde(default)]
    pub leader: bool,
    /// Width of one figure's base, in inches. Required on a `plane` board.
    #[serde(default)]
    pub width: Option<Inches>,
    /// Depth of one figure's base, in inches. Required on a `plane` board.
    #[serde(default)]
    pub depth: Option<Inches>,
    /// The formation it starts in unless the study gives another. Required if the pack has formations.
    #[serde(default)]
    pub formation: Option<String>,
    /// Inches it may move in a turn, by formation. A formation that is not listed is closed to this unit.
    #[serde(default)]
    #[schemars(extend("x-expected" = "inches by formation, such as `{ FORMATION = 6 }`"))]
    pub speed: BTreeMap<String, SpeedWire>,
    /// The number of inches by which a charge may exceed the move.
    #[serde(default)]
    pub charge: Option<Inches>,
    /// The type of unit it becomes when it dismounts. Default: it cannot dismount.
    #[serde(default)]
    pub on_foot: Option<String>,
    /// The maximum range of its fire, in inches. Default: it does not fire.
    #[serde(default)]
    pub range: Option<Inches>,
    /// The number of cannon (or wagons of a train). Its figures are then its crew; `battery.crew` gives their
    /// number.
    #[serde(default)]
    #[schemars(range(min = 1, max = 40))]
    pub cannon: Option<u16>,
    /// Depth of its fire zone, in inches; `fire-zone` defines which units have one. Default: it has none.
    #[serde(default)]
    pub zone: Option<Inches>,
    /// Values of the pack's attributes.
    #[serde(default)]
    pub is: BTreeMap<String, AttributeValue>,
    /// The traits it has.
    #[serde(default)]
    pub traits: Vec<String>,
    /// The starting values of its counters, where they differ from the pack's `start`.
    #[serde(default)]
    pub counters: BTreeMap<String, i32>,
    /// Clauses that it implements.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Clauses for individual keys that have their own.
    #[serde(default)]
    pub cites: UnitCitesWire,
    /// The reason for these values, if no clause gives them.
    #[serde(default)]
    pub note: Option<String>,
}

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum AttributeValue {
    /// A number between the attribute's limits.
    Number(i32),
    /// One of the attribute's words.
    Word(String),
}

pub(super) fn yes() -> bool {
    true
}
