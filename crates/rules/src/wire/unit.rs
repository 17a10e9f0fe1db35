//! Units, formations and morale as files write them.

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
    /// From left to right, in inches. The origin of positions is the middle of the table.
    pub width: Inches,
    /// From edge to edge between the armies, in inches.
    pub depth: Inches,
    /// Clauses that say so.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Why this value, where no clause gives it.
    #[serde(default)]
    pub note: Option<String>,
}

/// The angle between straight ahead and the edge of the front arc, counted outward at each front corner.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ArcWire {
    /// Degrees.
    #[schemars(range(min = 0, max = 89))]
    pub angle: u16,
    /// Clauses that say so.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Clauses behind single keys, where these have clauses of their own.
    #[serde(default)]
    pub cites: ArcCitesWire,
    /// What facing everywhere brings.
    #[serde(default)]
    pub all_round: AllRoundWire,
    /// Why this value, where no clause gives it.
    #[serde(default)]
    pub note: Option<String>,
}

/// A property of unit types: a number with limits, or one of several words.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct AttributeWire {
    /// What it means.
    #[serde(default)]
    pub title: Option<String>,
    /// The words it may be. Give either these or `min` and `max`.
    #[serde(default)]
    pub words: Vec<String>,
    /// The least number it may be.
    #[serde(default)]
    #[schemars(range(min = -1000, max = 1000))]
    pub min: Option<i32>,
    /// The greatest number it may be.
    #[serde(default)]
    #[schemars(range(min = -1000, max = 1000))]
    pub max: Option<i32>,
    /// What it is for unit types that do not say.
    #[serde(default)]
    pub default: Option<AttributeValue>,
    /// What it follows from, for unit types that do not say: the first row that holds. Leave `default` out with it.
    #[serde(default)]
    pub row: Vec<AttributeRowWire>,
    /// What dismounting adds to it: the first row that holds. A unit type that one other becomes on foot has whatever it does
    /// not say itself from that other.
    #[serde(default)]
    pub on_foot: Vec<OnFootWire>,
}

/// What an attribute follows from.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct AttributeRowWire {
    /// Its name.
    pub id: String,
    /// When it holds. Reads `self.arm` and those attributes of the unit type that have no rows.
    pub when: String,
    /// What the attribute is then.
    pub is: AttributeValue,
    /// Clauses that say so.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Why, where no clause says so.
    #[serde(default)]
    pub note: Option<String>,
}

/// What dismounting adds to an attribute that is a number.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct OnFootWire {
    /// Its name.
    pub id: String,
    /// When it holds. Reads `self.arm` and the attributes of the unit type on foot.
    pub when: String,
    /// What it adds to the value in the saddle.
    #[schemars(range(min = -1000, max = 1000))]
    pub add: i32,
    /// Clauses that say so.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Why, where no clause says so.
    #[serde(default)]
    pub note: Option<String>,
}

/// Morale states, from best to worst.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MoraleWire {
    /// The states, from best to worst. Units begin in the first unless a study says otherwise.
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
    /// A unit in this state is broken: it flees, neither fights nor obeys, and counts as lost for victory.
    #[serde(default)]
    pub broken: bool,
    /// How the state is shown on the table: `one figure reversed`.
    #[serde(default)]
    pub marker: Option<String>,
    /// Inches a broken unit flees in each of its move phases.
    #[serde(default)]
    pub flight: Option<Inches>,
    /// The formation a unit falls into when it enters this state.
    #[serde(default)]
    pub formation: Option<String>,
    /// Formations that do not survive this state, and what each becomes.
    #[serde(default)]
    pub undoes: BTreeMap<String, String>,
    /// The formation a unit in this state falls into when it is made to fall back.
    #[serde(default)]
    pub retreat: Option<RetreatWire>,
    /// Clauses that say so.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Clauses behind single keys, where these have clauses of their own.
    #[serde(default)]
    pub cites: MoraleCitesWire,
    /// Why this value, where no clause gives it.
    #[serde(default)]
    pub note: Option<String>,
}

/// The formation in which units fall back.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RetreatWire {
    /// The formation.
    pub formation: String,
    /// Which units take it. Reads `self` and `foe`. Left out: all that can stand in it.
    #[serde(default)]
    pub when: Option<String>,
}

/// How the figures of a formation stand. Give exactly one key.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct LayoutWire {
    /// At least this many ranks of equal width, as far as there are figures.
    #[serde(default)]
    #[schemars(range(min = 1, max = 40))]
    pub ranks: Option<u16>,
    /// This many figures in the front rank, the others behind.
    #[serde(default)]
    #[schemars(range(min = 1, max = 200))]
    pub front: Option<u16>,
    /// The smallest near-square block of bases, facing outward.
    #[serde(default)]
    pub block: Option<bool>,
    /// One loose row with this distance between the centres of neighbours, in inches.
    #[serde(default)]
    pub spacing: Option<Inches>,
    /// Of a loose row: the greatest distance between the centres of neighbours, in inches. Left out: the least one.
    #[serde(default)]
    pub most: Option<Inches>,
    /// Of a loose row: the least clear room between the bases of neighbours, in inches. Left out: none.
    #[serde(default)]
    pub clear: Option<Inches>,
    /// Arms that keep this room. Left out: all of the formation's. Only beside `clear`.
    #[serde(default)]
    pub clear_arms: Vec<String>,
    /// A single base of fixed width, in inches, whatever the number of figures (a battery).
    #[serde(default)]
    pub width: Option<Inches>,
    /// The depth of that base, in inches. Only beside `width`.
    #[serde(default)]
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
    /// It faces everywhere: no flank, no rear.
    All,
}

/// A formation.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FormationWire {
    /// What narration and charts call it.
    pub title: String,
    /// The arms that may adopt it.
    pub arms: Vec<String>,
    /// How its figures stand. Left out: in one rank.
    #[serde(default = "one_rank")]
    pub layout: LayoutWire,
    /// Which way it faces. Left out: to the front.
    #[serde(default)]
    pub facing: FacingName,
    /// What its ranks must look like for the unit to be in it. A unit that losses leave in another shape is then in the
    /// formation of that shape, if one is open to it.
    #[serde(default)]
    pub shape: Option<ShapeName>,
    /// Whether taking it brings a free facing change.
    #[serde(default)]
    pub turns: bool,
    /// Whether it may be taken at the end of a move as well.
    #[serde(default)]
    pub in_move: Option<InMoveWire>,
    /// Whether taking it takes a whole turn.
    #[serde(default)]
    pub slow: Option<SlowWire>,
    /// The class of target it makes.
    #[serde(default)]
    pub target: Option<String>,
    /// Whether it is close order. Unformed units may not charge.
    #[serde(default = "yes")]
    pub formed: bool,
    /// Whether it is close order for movement as well, where it is close order.
    #[serde(default = "yes")]
    pub formed_to_move: bool,
    /// The formation at whose speed units move in it that give no speed of their own; units that cannot stand in that one
    /// cannot stand in this one.
    #[serde(default)]
    pub moves_as: Option<String>,
    /// Whether a unit that adopts it takes in the figures it has out.
    #[serde(default)]
    pub gathers: bool,
    /// Whether it may move.
    #[serde(default = "yes")]
    pub moves: bool,
    /// Whether it may fire.
    #[serde(default = "yes")]
    pub fires: bool,
    /// Whether it may be adopted by order in the formation phase.
    #[serde(default = "yes")]
    pub voluntary: bool,
    /// The condition under which a unit may adopt it by order. Reads `self`.
    #[serde(default)]
    pub when: Option<String>,
    /// Who may not adopt it, or stand in it at the start, and why.
    #[serde(default)]
    pub bar: Vec<BarWire>,
    /// Clauses that say so.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Clauses behind single keys, where these have clauses of their own.
    #[serde(default)]
    pub cites: FormationCitesWire,
    /// Why these values, where no clause gives them.
    #[serde(default)]
    pub note: Option<String>,
}

/// A type of unit.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct UnitWire {
    /// What narration and charts call it.
    pub title: String,
    /// Its arm.
    pub arm: String,
    /// Figures (or bases, dice, strength points) at full strength.
    #[schemars(range(min = 1, max = 200))]
    pub figures: u16,
    /// Whether it is a leader, who goes with a unit and shares its hex (a `hex` board).
    #[serde(default)]
    pub leader: bool,
    /// Width of one figure's base, in inches. Needed on a `plane` board.
    #[serde(default)]
    pub width: Option<Inches>,
    /// Depth of one figure's base, in inches. Needed on a `plane` board.
    #[serde(default)]
    pub depth: Option<Inches>,
    /// The formation it starts in unless a study says otherwise. Needed where the pack has formations.
    #[serde(default)]
    pub formation: Option<String>,
    /// Inches it may move in a turn, by formation. A formation that is not named here is closed to this unit.
    #[serde(default)]
    pub speed: BTreeMap<String, SpeedWire>,
    /// Inches by which a charge may reach further than the move.
    #[serde(default)]
    pub charge: Option<Inches>,
    /// The type of unit it becomes when it dismounts. Left out: it cannot.
    #[serde(default)]
    pub on_foot: Option<String>,
    /// Greatest range of its fire, in inches. None: it does not fire.
    #[serde(default)]
    pub range: Option<Inches>,
    /// Cannon (or wagons of a train). Its figures are then its crew, which `battery.crew` counts.
    #[serde(default)]
    #[schemars(range(min = 1, max = 40))]
    pub cannon: Option<u16>,
    /// Depth of the fire zone before its front, in inches; `fire-zone` says who owns one. None: it has no fire zone.
    #[serde(default)]
    pub zone: Option<Inches>,
    /// Values of the pack's attributes.
    #[serde(default)]
    pub is: BTreeMap<String, AttributeValue>,
    /// The traits it has.
    #[serde(default)]
    pub traits: Vec<String>,
    /// What its counters begin with, where they begin with something else than the pack's `start`.
    #[serde(default)]
    pub counters: BTreeMap<String, i32>,
    /// Clauses that say so.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Clauses behind single keys, where these have clauses of their own.
    #[serde(default)]
    pub cites: UnitCitesWire,
    /// Why these values, where no clause gives them.
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
