//! Study files as plain structs that mirror the TOML and have not been validated yet.
//!
//! The JSON Schema that editors use is generated from these types. Editors show the doc comments in this module.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use grognard_source::{Inches, SignedInches};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::RUNS_MAX;

/// The JSON Schema of a study.
pub fn study_schema() -> &'static Schema {
    static SCHEMA: OnceLock<Schema> = OnceLock::new();
    SCHEMA.get_or_init(|| schemars::schema_for!(StudyWire))
}

/// A study: matchups to fight, and what to vary.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[allow(dead_code, reason = "values ignored here are read from the document, where they keep their locations")]
pub(super) struct StudyWire {
    /// The study's name: lower-case words joined by dashes. Results go to a folder of that name.
    pub(super) study: String,
    /// Its title in reports. Default: the name.
    pub(super) title: Option<String>,
    /// The rule pack: a built-in one by name, or the path of a folder. Required unless the study has parts.
    pub(super) pack: Option<String>,
    /// Parts, each with its own pack and sides. Their cells form one study. The keys from `turns` to `cells` then
    /// go into the parts.
    #[serde(default)]
    pub(super) part: Vec<PartWire>,
    /// The seed of all battles. Default: 1.
    #[serde(default = "one")]
    #[schemars(range(min = 0))]
    pub(super) seed: i64,
    /// Battles in each cell. Default: 100,000.
    #[serde(default = "hundred_thousand")]
    #[schemars(range(min = 1, max = RUNS_MAX))]
    pub(super) runs: u64,
    /// The number of game turns after which a battle is over. Default: 12.
    #[serde(default)]
    #[schemars(with = "Option<TurnsWire>")]
    turns: IgnoredAny,
    /// The direction from which the first side approaches the second. Default: front.
    #[serde(default)]
    #[schemars(with = "Option<ApproachName>")]
    approach: IgnoredAny,
    /// The distance between the nearest edges of the two sides, in inches. Default: determined by `at`.
    #[serde(default)]
    #[schemars(with = "Option<Inches>")]
    distance: IgnoredAny,
    /// The pieces of terrain. Where pieces overlap, the last lies on top. Default: none.
    #[serde(default)]
    #[schemars(with = "Vec<TerrainWire>")]
    terrain: IgnoredAny,
    /// The objectives, if the pack has them. Default: none.
    #[serde(default)]
    #[schemars(with = "Vec<ObjectiveWire>")]
    objectives: IgnoredAny,
    /// Whether every other battle is fought with the roles of the two sides exchanged: who moves first, and from which
    /// end of the table. Battles 0 and 1 use the same dice, as do 2 and 3, and so on. Default: false.
    #[serde(default)]
    pub(super) both_ways: bool,
    /// The sides, by name: two, three or four. The one listed first moves first.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, SideWire>")]
    side: IgnoredAny,
    /// Armies that sides can take, by name.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, ArmyWire>")]
    army: IgnoredAny,
    /// Values to put at paths of the pack or of the deployment, in every cell.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, ScalarWire>")]
    set: IgnoredAny,
    /// Lists of values by path: every combination is a cell.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, AxisWire>")]
    vary: IgnoredAny,
    /// Lists of equal length by path: their first values go together, their second values, and so on.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, AxisWire>")]
    pairs: IgnoredAny,
    /// Single cells: values by path. `label` names the cell.
    #[serde(default)]
    #[schemars(with = "Vec<BTreeMap<String, ScalarWire>>")]
    cells: IgnoredAny,
    /// Metrics of the pack to count in every battle, by name. Default: only those that every study has.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    metrics: IgnoredAny,
    /// Names of varied paths and their values in tables and charts: a name for the path, or a table with a name, a unit
    /// and names of values. Default: words taken from the path.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, LabelWire>")]
    label: IgnoredAny,
    /// Contents of the report besides the numbers.
    #[serde(default)]
    pub(super) report: ReportWire,
    /// Odds known from another source.
    #[serde(default)]
    pub(super) expect: Vec<ExpectWire>,
    /// Targets for the rules. `grognard judge` reports which are met.
    #[serde(default)]
    pub(super) target: Vec<TargetWire>,
}

/// A part of a study, fought under one pack: everything that a study says about its battles.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[allow(dead_code, reason = "values ignored here are read from the document, where they keep their locations")]
pub(super) struct PartWire {
    /// The name of its cells. Default: the pack's name.
    pub(super) label: Option<String>,
    /// The rule pack: a built-in one by name, or the path of a folder.
    pub(super) pack: String,
    /// The number of game turns after which a battle is over. Default: 12.
    #[serde(default)]
    #[schemars(with = "Option<TurnsWire>")]
    turns: IgnoredAny,
    /// The direction from which the first side approaches the second. Default: front.
    #[serde(default)]
    #[schemars(with = "Option<ApproachName>")]
    approach: IgnoredAny,
    /// The distance between the nearest edges of the two sides, in inches. Default: determined by `at`.
    #[serde(default)]
    #[schemars(with = "Option<Inches>")]
    distance: IgnoredAny,
    /// The pieces of terrain. Where pieces overlap, the last lies on top. Default: none.
    #[serde(default)]
    #[schemars(with = "Vec<TerrainWire>")]
    terrain: IgnoredAny,
    /// The objectives, if the pack has them. Default: none.
    #[serde(default)]
    #[schemars(with = "Vec<ObjectiveWire>")]
    objectives: IgnoredAny,
    /// The sides; the names are the same in every part.
    #[schemars(with = "BTreeMap<String, SideWire>")]
    side: IgnoredAny,
    /// Armies that its sides can take, by name.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, ArmyWire>")]
    army: IgnoredAny,
    /// Values to put at paths of the pack or of the deployment, in every cell.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, ScalarWire>")]
    set: IgnoredAny,
    /// Lists of values by path: every combination is a cell.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, AxisWire>")]
    vary: IgnoredAny,
    /// Lists of equal length by path: their first values go together, their second values, and so on.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, AxisWire>")]
    pairs: IgnoredAny,
    /// Single cells: values by path. `label` names the cell.
    #[serde(default)]
    #[schemars(with = "Vec<BTreeMap<String, ScalarWire>>")]
    cells: IgnoredAny,
    /// The baseline of its comparisons: varied paths with their baseline values, or the number of a cell within the
    /// part. Default: the first value of the first varied path or, for a path in the pack, the pack's own value if the
    /// part lists it.
    #[serde(default)]
    #[schemars(with = "Option<BaselineWire>")]
    baseline: IgnoredAny,
}

fn one() -> i64 {
    1
}

fn hundred_thousand() -> u64 {
    100_000
}

/// A number of game turns.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(super) struct TurnsWire(#[schemars(range(min = 1, max = 200))] pub(super) u8);

/// A single value: a number, a word, true or false, or a list of these, such as a position.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "used only to generate the schema; the values are read from the document")]
enum ScalarWire {
    Int(i64),
    Number(f64),
    Text(String),
    Bool(bool),
    List(Vec<PlainWire>),
}

/// A number, a word, true or false.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "used only to generate the schema")]
enum PlainWire {
    Int(i64),
    Number(f64),
    Text(String),
    Bool(bool),
}

/// The values of a varied path: a list, or `{ from = 2, to = 20, step = 2 }`.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "used only to generate the schema; the values are read from the document")]
enum AxisWire {
    List(#[schemars(length(min = 1))] Vec<ScalarWire>),
    Range(RangeWire),
}

/// A range of numbers, including both ends.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RangeWire {
    /// The first number.
    pub(super) from: f64,
    /// The upper limit: the last number is the highest that does not exceed it.
    pub(super) to: f64,
    /// The difference between one number and the next. Default: 1.
    #[serde(default = "unit")]
    pub(super) step: f64,
}

fn unit() -> f64 {
    1.0
}

/// A side.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[allow(dead_code, reason = "used only to generate the schema; the values are read from the document")]
struct SideWire {
    /// The doctrine that plays it. May be omitted if the pack has only one.
    doctrine: Option<String>,
    /// The army that it takes: its units, and everything else that the side does not set itself. Default: none; `units`
    /// lists its units.
    army: Option<String>,
    /// Who plays it: `default` follows the doctrine; `random` picks any order from its rows that the rules allow, all
    /// equally likely; the doctrine's `players` lists the others. Default: default.
    player: Option<String>,
    /// The order for units that do not belong to a named command. Default: the pack's first.
    order: Option<String>,
    /// Their mode of movement. Default: the pack's first.
    mode: Option<String>,
    /// Commands to which its units can belong, by name.
    commands: Option<BTreeMap<String, CommandWire>>,
    /// Its generals, by name. Default: none; its units then share one roll of the pack's dice.
    generals: Option<BTreeMap<String, GeneralWire>>,
    /// Its plan: the names of the generals in command; the first gets the best die. Default: no plan; each general gets
    /// the average.
    plan: Option<Vec<String>>,
    /// Its changes of plan.
    replan: Option<Vec<ReplanWire>>,
    /// How it is deployed. Units with their own positions keep them. Default: every unit has its own position.
    deployment: Option<ArrayName>,
    /// The middle of its foremost line, in inches east and north of the middle of the table.
    at: Option<[SignedInches; 2]>,
    /// The distance between the flanks of adjacent units, in inches.
    interval: Option<Inches>,
    /// The distance between two lines, in inches.
    lines: Option<Inches>,
    /// Its units. Required unless it takes an army.
    #[schemars(length(min = 1))]
    units: Option<Vec<UnitWire>>,
}

/// An army: everything that a side may have except a doctrine and a player.
struct ArmyWire;

impl JsonSchema for ArmyWire {
    fn schema_name() -> Cow<'static, str> {
        "ArmyWire".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = SideWire::json_schema(generator);
        let description = "An army, with the positions for the side that the file names first. For the other side, positions and facings \
            are rotated by 180 degrees about the middle of the table.";
        schema.insert("description".to_owned(), description.into());
        schema.insert("required".to_owned(), serde_json::json!(["units"]));
        if let Some(keys) = schema.get_mut("properties").and_then(serde_json::Value::as_object_mut) {
            OF_SIDE_ALONE.iter().for_each(|key| _ = keys.remove(*key));
        }
        schema
    }
}

/// The keys of a side that an army cannot have.
const OF_SIDE_ALONE: [&str; 3] = ["army", "doctrine", "player"];

/// A unit.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct UnitWire {
    /// Its type, from the pack.
    #[serde(rename = "type")]
    pub(super) kind: String,
    /// Its formation. Default: the type's own.
    pub(super) formation: Option<String>,
    /// The middle of its front, in inches east and north of the middle of the table; on hexes axial coordinates. Default: [0, 0].
    pub(super) at: Option<[SignedInches; 2]>,
    /// The way it faces: "enemy", or degrees clockwise from north; on hexes counter-clockwise from east. Default: enemy.
    pub(super) facing: Option<FacingWire>,
    /// Its figures. Default: full strength.
    pub(super) figures: Option<u16>,
    /// Cannon of a battery, or wagons of a train. Default: the number for its type.
    pub(super) cannon: Option<u16>,
    /// The starting values of its counters, by name. Default: those of its type.
    #[serde(default)]
    pub(super) counters: BTreeMap<String, i32>,
    /// Figures in its front rank. Default: determined by its formation.
    pub(super) front: Option<u16>,
    /// Its morale state. Default: the best.
    pub(super) morale: Option<String>,
    /// The command it belongs to. Default: the side's unnamed command.
    pub(super) command: Option<String>,
    /// Figures deployed as skirmishers. Default: none; its doctrine may deploy some later.
    pub(super) screen: Option<u16>,
    /// The width, in inches, over which its skirmishers, or the unit itself in skirmish order, are spread. Default: as
    /// close together as the rules allow.
    pub(super) frontage: Option<Inches>,
    /// The turn in which it arrives or, if the pack has `arrival.roll`, from which it rolls to arrive; or `called`: it
    /// waits for a result that calls on a unit of its type; or `split`: it is reserved for a unit that another of its
    /// type splits off. Default: it starts on the table.
    pub(super) arrives: Option<ArrivesWire>,
}

/// When a unit arrives.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum ArrivesWire {
    /// In this turn, or from it on.
    From(#[schemars(range(min = 1, max = 200))] u8),
    /// When other units bring it on.
    Awaited(AwaitedName),
}

/// The word for a unit that waits for others.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum AwaitedName {
    /// When a result calls on it.
    Called,
    /// When another unit of its type splits: until then, the entry is reserved for the part.
    Split,
}

/// A facing.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum FacingWire {
    /// Towards the enemy.
    Enemy(EnemyName),
    /// Degrees clockwise from north, to a tenth; on hexes counter-clockwise from east.
    Degrees(#[schemars(range(min = 0, max = 360))] f64),
    /// The headings of the left and right parts of its front, along linear terrain.
    Bent([f64; 2]),
}

/// A command.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct CommandWire {
    /// Its order. Default: the pack's first.
    pub(super) order: Option<String>,
    /// Its mode of movement. Default: the pack's first.
    pub(super) mode: Option<String>,
}

/// A general.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct GeneralWire {
    /// His rank, from the pack. Default: the pack's first rank that commands.
    pub(super) rank: Option<String>,
    /// His quality, from those of his rank. Default: ordinary.
    pub(super) grade: Option<String>,
    /// The command that he leads or belongs to. Default: the side's unnamed command.
    pub(super) command: Option<String>,
    /// Where he stands, in inches east and north of the middle of the table. Default: behind the first of his units.
    pub(super) at: Option<[SignedInches; 2]>,
    /// The number of the unit that he is with. Default: none.
    pub(super) with: Option<u16>,
    /// The turn in which he and the units that he commands arrive on the table. Default: they start on it.
    #[schemars(range(min = 1, max = 200))]
    pub(super) arrives: Option<u8>,
}

/// A change of plan.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct ReplanWire {
    /// The turn in which it is announced.
    #[schemars(range(min = 2, max = 200))]
    pub(super) turn: u8,
    /// The plan from then on: names of generals; the first gets the best die. Default: none.
    #[serde(default)]
    pub(super) plan: Vec<String>,
}

/// How a side is deployed.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub(super) enum ArrayName {
    /// All units side by side.
    #[serde(rename = "line abreast")]
    LineAbreast,
    /// Half of the units side by side, the other half behind them.
    #[serde(rename = "two lines")]
    TwoLines,
    /// The units in open order side by side, the others behind them.
    #[serde(rename = "screen ahead")]
    ScreenAhead,
    /// One unit close behind another.
    #[serde(rename = "one behind another")]
    OneBehindAnother,
}

/// A piece of terrain. Give `at` and `size`, or `from` and `to`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct TerrainWire {
    /// Its kind, from the pack.
    pub(super) ground: String,
    /// The middle of a block, in inches east and north of the middle of the table.
    pub(super) at: Option<[SignedInches; 2]>,
    /// A block's width and depth, in inches.
    pub(super) size: Option<[Inches; 2]>,
    /// Degrees by which a block is turned clockwise. Default: 0.
    #[schemars(range(min = 0, max = 360))]
    pub(super) turned: Option<f64>,
    /// Where a line begins.
    pub(super) from: Option<[SignedInches; 2]>,
    /// Where a line ends.
    pub(super) to: Option<[SignedInches; 2]>,
    /// A line's thickness, in inches. Default: that of its kind of terrain.
    pub(super) thickness: Option<Inches>,
}

/// An objective.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct ObjectiveWire {
    /// Its name in the narration. Default: `objective 1` and so on.
    pub(super) name: Option<String>,
    /// Where it is, in inches east and north of the middle of the table; on hexes axial coordinates.
    pub(super) at: [SignedInches; 2],
    /// The factor that multiplies the points for it. Default: 1.
    #[schemars(range(min = 1, max = 20))]
    pub(super) worth: Option<u8>,
}

/// The only facing with a name.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum EnemyName {
    /// Towards the middle of the enemy's units.
    Enemy,
}

/// The direction from which the first side approaches.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ApproachName {
    /// From ahead of the second side.
    #[default]
    Front,
    /// From its flank.
    Flank,
    /// From behind it.
    Rear,
}

/// Contents of the report besides the numbers.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[allow(dead_code, reason = "values ignored here are read from the document, where they keep their locations")]
pub(super) struct ReportWire {
    /// The baseline of comparisons: varied paths with their baseline values, or the number of a cell. Default: the
    /// first value of the first varied path or, for a path in the pack, the pack's own value if the study lists it.
    #[serde(default)]
    #[schemars(with = "Option<BaselineWire>")]
    baseline: IgnoredAny,
    /// The headline finding of the report. Default: the comparison closest in wording to the comment on the study's
    /// first line.
    #[serde(default)]
    #[schemars(with = "Option<HeadlineWire>")]
    headline: IgnoredAny,
    /// Players with whom the findings are checked again, the same for both sides: "beginner", "trained" and others that
    /// a side's doctrine lists, "random", and "best" for perfect play. The doctrine itself, "default", is always
    /// included; the report calls it Doctrine, or Trained (default) if it is that player's.
    #[serde(default)]
    #[schemars(with = "BTreeSet<String>", length(min = 1))]
    players: IgnoredAny,
    /// A few sentences to print next to the charts. They describe the study as written, so `--set` leaves them out.
    #[serde(default)]
    pub(super) analysis: String,
    /// Sentences that stand out.
    #[serde(default)]
    pub(super) highlights: Vec<String>,
}

/// A cell's number, or varied paths with their values.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "used only to generate the schema; the values are read from the document")]
enum BaselineWire {
    Cell(u32),
    Settings(BTreeMap<String, ScalarWire>),
}

/// The headline finding of the report.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "used only to generate the schema; the values are read from the document")]
struct HeadlineWire {
    /// The cell: varied paths with their values (the first cell that has them), a cell's label, or its number.
    cell: HeadlineCellWire,
    /// The metric: a side for its wins, `draw`, `turns`, or a side's metric such as "defender.losses". Default: the wins of
    /// the side that the study changes.
    metric: Option<String>,
}

/// A cell's number, its label, or varied paths with their values.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "used only to generate the schema")]
enum HeadlineCellWire {
    Cell(u32),
    Label(String),
    Settings(BTreeMap<String, ScalarWire>),
}

/// The name of a varied path.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "used only to generate the schema; the values are read from the document")]
enum LabelWire {
    Name(String),
    Table(LabelTableWire),
}

/// A varied path's name, unit and values.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "used only to generate the schema; the values are read from the document")]
struct LabelTableWire {
    /// The path's name. Default: words taken from the path.
    name: Option<String>,
    /// The unit of its numbers, such as "inches". Default: none.
    unit: Option<String>,
    /// The names of its values, by value: `{ square = "in square" }`. Default: as they are written.
    values: Option<BTreeMap<String, String>>,
}

/// Odds known from another source. Give `odds`, `mean`, or both.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct ExpectWire {
    /// The cell's number. Default: 0.
    #[serde(default)]
    pub(super) cell: u32,
    /// The subject of the odds: `turns`, or a metric of a side, such as "defender.losses". Default: the outcome.
    pub(super) metric: Option<String>,
    /// Probabilities by outcome (a side's name, or draw), or by value of the metric: "2", or "4+" for 4 or more. Each
    /// is a fraction, "2890/7776", or a decimal that is correct to its last digit, "0.417".
    #[serde(default)]
    pub(super) odds: BTreeMap<String, String>,
    /// The mean of the metric: a fraction, or a decimal that is correct to its last digit.
    pub(super) mean: Option<String>,
    /// Where the numbers come from.
    pub(super) source: String,
}

/// A target for the rules: a metric, and the band in which it must lie.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[allow(dead_code, reason = "values ignored here are read from the document, where they keep their locations")]
pub(super) struct TargetWire {
    /// Its meaning in your own words: "No attacker should be sure of beating a square".
    pub(super) says: String,
    /// The metric: "defender wins", "defender score" (its wins and half of the draws), "draw", "turns", or a side's metric such as
    /// "defender.losses".
    pub(super) metric: String,
    /// Whether the band is for the difference from the baseline. Default: false.
    #[serde(default)]
    pub(super) difference: bool,
    /// It must be met in each of these cells: varied paths with their values, or numbers. Default: all cells.
    #[serde(default)]
    #[schemars(with = "Option<TargetCellsWire>")]
    cells: IgnoredAny,
    /// The players for which it must be met, among those that the study varies (`"attacker.player" = ["default",
    /// "expert"]`). It covers the cells in which every side whose player varies has the same player from this list.
    /// Default: all players.
    #[serde(default)]
    pub(super) by: Option<Vec<String>>,
    /// The minimum and maximum: shares as "70 %" or 0.7, means as numbers.
    #[schemars(with = "[BandEndWire; 2]")]
    band: IgnoredAny,
}

/// Cells: varied paths with their values, or one or more numbers.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "used only to generate the schema")]
enum TargetCellsWire {
    Cell(u32),
    Cells(Vec<u32>),
    Settings(BTreeMap<String, ScalarWire>),
}

/// An end of a band: a share such as "70 %", or a number.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "used only to generate the schema")]
enum BandEndWire {
    Number(f64),
    Share(String),
}
