//! A study's description of a battle (sides, units and approach), and the errors in it.

use grognard_rules::model::{Source, Table};

use crate::state::{Arrives, BySide};

/// A unit's facing at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FacingPlan {
    /// Towards the middle of the enemy's units.
    Enemy,
    /// This heading, in tenths of a degree clockwise from north.
    Heading(u16),
    /// The headings of the left and right parts of the unit's front. The unit lines linear terrain, and is bent between
    /// two figures, as near to the middle as possible (7.23).
    Bent(u16, u16),
}

/// A unit as a study describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnitPlan {
    /// The type's name.
    pub kind: String,
    /// The formation's name; default: the formation of its type.
    pub formation: Option<String>,
    /// The middle of its front edge, in hundredths of an inch, east and north of the middle of the table; default: the
    /// middle of its side's line.
    pub at: Option<(i32, i32)>,
    /// Its facing; default: towards the enemy or, if its morale is broken, away from the nearest enemy.
    pub facing: Option<FacingPlan>,
    /// Its figures; default: full strength.
    pub figures: Option<u16>,
    /// Its cannon; default: the number for its type.
    pub cannon: Option<u16>,
    /// The starting values of its counters, by name, where they differ from its type's.
    pub counters: Vec<(String, i32)>,
    /// Figures in its front rank; default: determined by its formation.
    pub abreast: Option<u16>,
    /// Its morale state; default: the best one.
    pub morale: Option<String>,
    /// The command it belongs to; default: its side's nameless one.
    pub command: Option<String>,
    /// Figures deployed as skirmishers; default: none, unless its doctrine deploys some later.
    pub screen: Option<u16>,
    /// Hundredths of an inch over which its skirmishers, or the unit itself in skirmish order, are spread; default: as
    /// close together as allowed.
    pub frontage: Option<i32>,
    /// When it arrives; default: on the table from the start.
    pub arrives: Option<Arrives>,
}

/// A side as a study describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SidePlan {
    /// Its name.
    pub name: String,
    /// Its doctrine; default: the pack's only one.
    pub doctrine: Option<String>,
    /// Its player: one of the players of its doctrine, `default` or `random`; default: `default`.
    pub player: Option<String>,
    /// Its units.
    pub units: Vec<UnitPlan>,
    /// The command of units that belong to no other; its name has no meaning.
    pub command: CommandPlan,
    /// Its commands with names.
    pub commands: Vec<CommandPlan>,
    /// Its generals.
    pub generals: Vec<GeneralPlan>,
    /// Its plan: the names of the generals who command, best die first; default: no plan.
    pub plan: Option<Vec<String>>,
    /// Its changes of plan, in order.
    pub replans: Vec<ReplanPlan>,
    /// Its named deployment; default: each unit at its own position.
    pub array: Option<ArrayPlan>,
}

/// The direction that the first side comes from, as seen by the second side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Approach {
    /// From ahead.
    #[default]
    Front,
    /// From its right, entirely behind the line of its front.
    Flank,
    /// From behind.
    Rear,
}

/// A battle as a study describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deployment {
    /// The sides; the first one moves first.
    pub sides: BySide<SidePlan>,
    /// The last game turn, 1 to 200.
    pub turns: u8,
    /// The direction that the first side comes from.
    pub approach: Approach,
    /// Hundredths of an inch between the nearest units of the two sides, if the study fixes it.
    pub distance: Option<i32>,
    /// The pieces of terrain; where they overlap, the last is on top.
    pub terrain: Vec<TerrainPlan>,
    /// The objectives.
    pub objectives: Vec<ObjectivePlan>,
}

/// Something in a deployment that the rules do not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misdeployment {
    /// Its path in the study: `defender.0.formation`.
    pub path: String,
    /// What is wrong.
    pub message: String,
    /// The correction.
    pub help: Option<String>,
}

pub(crate) fn unknown(path: String, what: &str, name: &str, known: &[&str]) -> Misdeployment {
    let (message, help) = grognard_source::unknown_name(what, name, known.iter().copied());
    Misdeployment { path, message: message + " here", help }
}

pub(crate) fn listed(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

pub(crate) fn refs(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

/// The clauses that forbid something, in brackets; a house rule is not a clause.
pub(crate) fn cited(source: &Source) -> String {
    let clauses: Vec<&str> = source.clauses().filter(|cite| *cite != "house").collect();
    if clauses.is_empty() { String::new() } else { format!(" ({})", clauses.join(", ")) }
}

/// The limits of a table as text, for a message about something placed beyond them.
pub(crate) fn reach_of(table: Table) -> String {
    format!(
        "the table reaches {}\" to either side and {}\" towards either army",
        table.half_width / 100,
        table.half_depth / 100
    )
}

/// A command as a study describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandPlan {
    /// Its name, by which units refer to it. It is empty for the command of the units that name no command.
    pub name: String,
    /// Its order; default: the pack's usual one.
    pub order: Option<String>,
    /// Its mode of movement; default: the pack's usual one.
    pub mode: Option<String>,
}

/// A general as a study describes him.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GeneralPlan {
    /// His name.
    pub name: String,
    /// His rank; default: the pack's only commanding rank.
    pub rank: Option<String>,
    /// His grade; default: ordinary.
    pub grade: Option<String>,
    /// His command; default: his side's nameless one.
    pub command: Option<String>,
    /// His position, in hundredths of an inch; default: at his post.
    pub at: Option<(i32, i32)>,
    /// The number of the unit that he is with.
    pub with: Option<u16>,
    /// The turn in which he and the units of his command enter the table; default: they start on it.
    pub arrives: Option<u8>,
}

/// A change of plan as a study describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplanPlan {
    /// The turn in which it is announced.
    pub turn: u8,
    /// The generals' names, best die first; empty: no plan.
    pub plan: Vec<String>,
}

/// How a side is deployed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Array {
    /// All units side by side.
    LineAbreast,
    /// The first half of the units side by side, the others side by side behind them.
    TwoLines,
    /// The units in open order side by side, the others behind them.
    ScreenAhead,
    /// One unit close behind another.
    OneBehindAnother,
}

/// A named deployment as a study describes it. Units with their own positions keep them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayPlan {
    /// Its form.
    pub array: Array,
    /// The middle of its foremost line, in hundredths of an inch; default: half the pack's distance between deployment
    /// lines from the middle of the table.
    pub at: Option<(i32, i32)>,
    /// Hundredths of an inch between the flanks of adjacent units; default: the pack's.
    pub interval: Option<i32>,
    /// Hundredths of an inch between two lines; default: the pack's.
    pub lines: Option<i32>,
}

/// An objective as a study describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectivePlan {
    /// Its name; default: from its position in the list.
    pub name: Option<String>,
    /// Its position, in hundredths of an inch; on hexes, axial coordinates.
    pub at: (i32, i32),
    /// The factor by which points for it are multiplied.
    pub worth: u8,
}

/// A piece of terrain as a study describes it. Lengths are in hundredths of an inch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TerrainPlan {
    /// The kind of ground.
    pub ground: String,
    /// Its shape and position.
    pub shape: Shape,
}

/// The shape of a piece of terrain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A block.
    Block {
        /// Its middle, east and north of the middle of the table.
        at: (i32, i32),
        /// From side to side, and from front to rear.
        size: (i32, i32),
        /// Its rotation clockwise, in tenths of a degree.
        turned: u16,
    },
    /// A line, as thick as its kind of terrain unless the study gives a thickness.
    Line {
        /// The starting point.
        from: (i32, i32),
        /// The end point.
        to: (i32, i32),
        /// Its thickness.
        thickness: Option<i32>,
    },
}
