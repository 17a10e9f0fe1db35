//! The deployment as a separate document, with the paths that a study varies: `defender.0.formation`.

use std::collections::BTreeMap;
use std::sync::Arc;

use grognard_engine::{
    Approach, Array, ArrayPlan, Arrives, BySide, CommandPlan, Deployment, FacingPlan, GeneralPlan, ObjectivePlan,
    ReplanPlan, SIDES_MAX, Shape, SidePlan, TerrainPlan, UnitPlan,
};
use grognard_source::{
    Diagnostic, Diagnostics, Document, Inches, Key, Node, Path, SignedInches, Table, Value, check_shape_beside, decode,
};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use serde_json::json;

use super::cells::{absent, change};
use super::names::Entry;
use super::wire::{
    ApproachName, ArrayName, ArrivesWire, AwaitedName, CommandWire, EnemyName, FacingWire, GeneralWire, ObjectiveWire,
    ReplanWire, TerrainWire, TurnsWire, UnitWire,
};

/// Top-level names of a deployment other than those of the sides.
pub(super) const NAMES: [&str; 5] = ["turns", "approach", "distance", "terrain", "objectives"];
/// The last game turn, if neither the study nor the cell states it.
const TURNS: u8 = 12;

/// A deployment that can still be changed.
#[derive(Clone, Debug)]
pub(super) struct SetupDocument {
    pub(super) document: Document,
    /// The schema of its contents.
    pub(super) schema: Arc<Schema>,
    pub(super) sides: Vec<String>,
    /// The armies that sides may take, in the form of sides.
    armies: Table,
    /// The keys that each side has from its army.
    lent: [Vec<String>; SIDES_MAX],
    /// The values set so far, which are set again for the units of another army.
    put: Vec<Entry>,
}

impl SetupDocument {
    /// Extracts the deployment from a study whose shape was checked.
    pub(super) fn of_study(study: &Document, reserved: &[&str]) -> Result<Self, Diagnostics> {
        let sides = side_names(study, reserved)?;
        let mut root = Table::new();
        for name in NAMES {
            if let Some((key, node)) = study.root.entry(name) {
                root.insert(key.clone(), node.clone());
            }
        }
        for name in &sides {
            let side = study.root.get("side").and_then(Node::as_table).and_then(|sides| sides.entry(name));
            if let Some((key, node)) = side {
                root.insert(key.clone(), Node { value: Value::Table(side_table(node)), span: node.span });
            }
        }
        let mut armies = Table::new();
        for (key, node) in study.root.get(ARMY).and_then(Node::as_table).into_iter().flat_map(Table::iter) {
            armies.insert(key.clone(), Node { value: Value::Table(side_table(node)), span: node.span });
        }
        let document = Document { root, span: study.span };
        let schema = schema(&document, &sides);
        let mut setup = Self { document, schema, sides, armies, lent: Default::default(), put: Vec::new() };
        setup.muster()?;
        Ok(setup)
    }

    /// Sets a value at a path of the deployment. A side's army brings its units with it.
    pub(super) fn put(&mut self, entry: &Entry) -> Result<(), Diagnostics> {
        let absent = absent(&self.document, &entry.path, &self.schema);
        self.document.set(&change(entry), absent)?;
        if self.names_army(&entry.path) {
            return self.muster();
        }
        if !self.armies.is_empty() {
            self.put.push(entry.clone());
        }
        Ok(())
    }

    /// Whether this is the path of a side's army. Values there are set first, because paths lead into the army's units.
    pub(super) fn names_army(&self, path: &Path) -> bool {
        matches!(path.segments(), [side, key] if key == ARMY && self.sides.contains(side))
    }

    /// Gives each side the army that it names, and removes the keys that it had from another.
    fn muster(&mut self) -> Result<(), Diagnostics> {
        if self.armies.is_empty() && self.sides.iter().all(|side| self.army_of(side).is_none()) {
            return Ok(());
        }
        let mut faults = Diagnostics::new();
        for (name, lent) in self.sides.clone().iter().zip(0..) {
            let army = self.army_of(name).cloned();
            let Some(Value::Table(side)) = self.document.root.get_mut(name).map(|node| &mut node.value) else {
                continue;
            };
            self.lent[lent].drain(..).for_each(|key| _ = side.remove(&key));
            let Some(army) = army else { continue };
            let called = army.as_text().unwrap_or_default();
            let Some(brought) = self.armies.get(called).and_then(Node::as_table) else {
                faults.push(Diagnostic::unknown("army", called, self.armies.names()).at(army.span));
                continue;
            };
            if side.iter().any(|(key, node)| is_unit(key, node)) {
                let fault = Diagnostic::new(format!("the side `{name}` has units of its own and the army `{called}`"));
                faults.push(fault.at(army.span).help("remove its `units`, or its `army`"));
                continue;
            }
            for (key, node) in brought.iter().filter(|(key, _)| side.get(&key.name).is_none()).collect::<Vec<_>>() {
                side.insert(key.clone(), if lent == 0 { node.clone() } else { across(key, node) });
                self.lent[lent].push(key.name.clone());
            }
        }
        faults.into_result(())?;
        self.schema = schema(&self.document, &self.sides);
        for entry in &self.put {
            let absent = absent(&self.document, &entry.path, &self.schema);
            self.document.set(&change(entry), absent)?;
        }
        Ok(())
    }

    /// The name of a side's army.
    fn army_of(&self, side: &str) -> Option<&Node> {
        self.document.root.get(side)?.as_table()?.get(ARMY)
    }

    /// Whether a path leads into the deployment rather than the pack.
    pub(super) fn owns(&self, path: &Path) -> bool {
        self.part_of(path).is_some()
    }

    /// The part of the deployment that a path leads into: the number of a side, or [`SIDES_MAX`] for what belongs to no
    /// side. `None` if it leads into the pack.
    pub(super) fn part_of(&self, path: &Path) -> Option<usize> {
        let first = path.segments().first()?;
        let side = self.sides.iter().position(|side| side == first);
        side.or_else(|| NAMES.contains(&first.as_str()).then_some(SIDES_MAX))
    }

    /// The deployment in the engine's form. Parts in common with `known` are taken from there.
    pub(super) fn deployment(&self, known: Option<&Deployed>) -> Result<Deployment, Diagnostics> {
        if let Some(known) = known.filter(|known| known.document == self.document) {
            return Ok(known.deployment.clone());
        }
        check_shape_beside(&self.document, known.map(|known| &known.document), &self.schema, &|_| None)
            .into_result(())?;
        let top: TopWire = decode(&self.document)?;
        let known = |place: usize, name: &str| known?.side(name, place);
        let sides = self.sides.iter().enumerate();
        let plans = sides.map(|(place, name)| self.side(name, known(place, name))).collect::<Result<Vec<_>, _>>()?;
        let sides = BySide::of(plans.len(), |side| plans[side.index()].clone());
        Ok(Deployment {
            sides,
            turns: top.turns.map_or(TURNS, |turns| turns.0),
            approach: match top.approach.unwrap_or_default() {
                ApproachName::Front => Approach::Front,
                ApproachName::Flank => Approach::Flank,
                ApproachName::Rear => Approach::Rear,
            },
            distance: top.distance.map(Inches::hundredths),
            terrain: terrain(&self.document)?,
            objectives: objectives(&self.document)?,
        })
    }

    /// A side. `known` is the same side of another deployment.
    fn side(&self, name: &str, known: Option<(&Table, &SidePlan)>) -> Result<SidePlan, Diagnostics> {
        let empty = Table::new();
        let table = self.document.root.get(name).and_then(Node::as_table).unwrap_or(&empty);
        if let Some((_, plan)) = known.filter(|(other, _)| *other == table) {
            return Ok(plan.clone());
        }
        let doctrine = table.get("doctrine").and_then(Node::as_text).map(str::to_owned);
        let keys: SideKeysWire = decode(&Document { root: side_keys(table), span: self.document.span })?;
        if keys.deployment.is_none() {
            let spare = table.iter().find(|(key, _)| OF_DEPLOYMENT.contains(&key.name.as_str()));
            if let Some((key, _)) = spare {
                let fault = Diagnostic::new(format!("the side `{name}` has `{}` but no `deployment`", key.name));
                let help = format!("add `deployment`, which places its units, or omit `{}`", key.name);
                return Err(fault.at(key.span).help(help).into());
            }
        }
        let same = |key: &Key, node: &Node| {
            let (other, plan) = known?;
            let (place, _) = units(other).enumerate().find(|(_, (name, unit))| (*name, *unit) == (key, node))?;
            plan.units.get(place).cloned()
        };
        let read = |(key, node): (&Key, &Node)| same(key, node).map_or_else(|| unit(node), Ok);
        let units: Vec<UnitPlan> = units(table).map(read).collect::<Result<_, _>>()?;
        if units.is_empty() {
            let span = self.document.root.get(name).map_or(self.document.span, |node| node.span);
            let fault = Diagnostic::new(format!("the side `{name}` has no units")).at(span);
            return Err(fault.help("give it `units`, or the name of an `army`").into());
        }
        Ok(SidePlan {
            name: name.to_owned(),
            doctrine,
            player: keys.player.clone(),
            units,
            command: CommandPlan { name: String::new(), order: keys.order.clone(), mode: keys.mode.clone() },
            commands: keys.commands(),
            generals: keys.generals(),
            plan: keys.plan.clone(),
            replans: keys.replans(),
            array: keys.array(),
        })
    }
}

/// A deployment, and the document that it was read from.
#[derive(Debug)]
pub(super) struct Deployed {
    pub(super) document: Document,
    pub(super) deployment: Deployment,
}

impl Deployed {
    /// A side, as written and as read.
    fn side(&self, name: &str, place: usize) -> Option<(&Table, &SidePlan)> {
        let plan = self.deployment.sides.iter().nth(place)?;
        Some((self.document.root.get(name)?.as_table()?, plan))
    }
}

/// The top level of a deployment, without the sides.
#[derive(serde::Deserialize)]
struct TopWire {
    turns: Option<TurnsWire>,
    approach: Option<ApproachName>,
    distance: Option<Inches>,
}

/// The key under which a study lists armies, and a side names its own.
const ARMY: &str = "army";

const SIDE_KEYS: [&str; 12] = [
    ARMY,
    "player",
    "deployment",
    "at",
    "interval",
    "lines",
    "order",
    "mode",
    "commands",
    "generals",
    "plan",
    "replan",
];

/// The keys of a side that mean something only with a named deployment.
const OF_DEPLOYMENT: [&str; 3] = ["at", "interval", "lines"];

/// The keys of a side that deploy it and give it orders.
#[derive(Deserialize, JsonSchema)]
struct SideKeysWire {
    #[allow(dead_code, reason = "used only to generate the schema; the army is in the side's table already")]
    army: Option<String>,
    player: Option<String>,
    deployment: Option<ArrayName>,
    at: Option<[SignedInches; 2]>,
    interval: Option<Inches>,
    lines: Option<Inches>,
    order: Option<String>,
    mode: Option<String>,
    commands: Option<BTreeMap<String, CommandWire>>,
    generals: Option<BTreeMap<String, GeneralWire>>,
    plan: Option<Vec<String>>,
    replan: Option<Vec<ReplanWire>>,
}

impl SideKeysWire {
    fn commands(&self) -> Vec<CommandPlan> {
        let named = self.commands.iter().flatten();
        named
            .map(|(name, wire)| CommandPlan { name: name.clone(), order: wire.order.clone(), mode: wire.mode.clone() })
            .collect()
    }

    fn generals(&self) -> Vec<GeneralPlan> {
        let plan = |(name, wire): (&String, &GeneralWire)| GeneralPlan {
            name: name.clone(),
            rank: wire.rank.clone(),
            grade: wire.grade.clone(),
            command: wire.command.clone(),
            at: wire.at.map(place),
            with: wire.with,
            arrives: wire.arrives,
        };
        self.generals.iter().flatten().map(plan).collect()
    }

    fn replans(&self) -> Vec<ReplanPlan> {
        let plan = |wire: &ReplanWire| ReplanPlan { turn: wire.turn, plan: wire.plan.clone() };
        self.replan.iter().flatten().map(plan).collect()
    }

    fn array(&self) -> Option<ArrayPlan> {
        let array = match self.deployment? {
            ArrayName::LineAbreast => Array::LineAbreast,
            ArrayName::TwoLines => Array::TwoLines,
            ArrayName::ScreenAhead => Array::ScreenAhead,
            ArrayName::OneBehindAnother => Array::OneBehindAnother,
        };
        Some(ArrayPlan {
            array,
            at: self.at.map(place),
            interval: self.interval.map(Inches::hundredths),
            lines: self.lines.map(Inches::hundredths),
        })
    }
}

/// Whether this is one of a side's units.
fn is_unit(key: &Key, node: &Node) -> bool {
    node.as_table().is_some() && !SIDE_KEYS.contains(&key.name.as_str())
}

/// The units of a side.
fn units(side: &Table) -> impl Iterator<Item = (&Key, &Node)> {
    side.iter().filter(|(key, node)| is_unit(key, node))
}

fn side_keys(side: &Table) -> Table {
    let mut keys = Table::new();
    for name in SIDE_KEYS {
        if let Some((key, node)) = side.entry(name) {
            keys.insert(key.clone(), node.clone());
        }
    }
    keys
}

fn place([east, north]: [SignedInches; 2]) -> (i32, i32) {
    (east.hundredths(), north.hundredths())
}

/// The pieces of terrain.
fn terrain(document: &Document) -> Result<Vec<TerrainPlan>, Diagnostics> {
    let mut plans = Vec::new();
    let pieces = document.root.get("terrain").and_then(Node::as_array).unwrap_or_default();
    for piece in pieces.iter().filter_map(|piece| Some(Document { root: piece.as_table()?.clone(), span: piece.span }))
    {
        let wire: TerrainWire = decode(&piece)?;
        let shape = match (wire.at, wire.size, wire.from, wire.to) {
            (Some(at), Some(size), None, None) if wire.thickness.is_none() => Shape::Block {
                at: place(at),
                size: (size[0].hundredths(), size[1].hundredths()),
                turned: tenths(wire.turned.unwrap_or(0.0), &piece, "turned")?,
            },
            (None, None, Some(from), Some(to)) if wire.turned.is_none() => {
                Shape::Line { from: place(from), to: place(to), thickness: wire.thickness.map(Inches::hundredths) }
            }
            _ => {
                let fault = Diagnostic::new("this piece of terrain is neither a block nor a line").at(piece.span);
                let help = "give `at` and `size` (and `turned`), or `from` and `to` (and `thickness`)";
                return Err(fault.help(help).into());
            }
        };
        plans.push(TerrainPlan { ground: wire.ground, shape });
    }
    Ok(plans)
}

/// The objectives.
fn objectives(document: &Document) -> Result<Vec<ObjectivePlan>, Diagnostics> {
    let rows = document.root.get("objectives").and_then(Node::as_array).unwrap_or_default();
    let rows = rows.iter().filter_map(|row| Some(Document { root: row.as_table()?.clone(), span: row.span }));
    let plan = |row: Document| {
        let wire: ObjectiveWire = decode(&row)?;
        Ok(ObjectivePlan { name: wire.name, at: place(wire.at), worth: wire.worth.unwrap_or(1) })
    };
    rows.map(plan).collect()
}

/// The names of the sides, in the order of the file.
fn side_names(study: &Document, reserved: &[&str]) -> Result<Vec<String>, Diagnostics> {
    let Some((key, sides)) = study.root.entry("side") else {
        return Err(Diagnostic::new("the study has no sides")
            .at(study.span)
            .help("write [side.attacker] and [side.defender]")
            .into());
    };
    let mut faults = Diagnostics::new();
    let sides = sides.as_table().into_iter().flat_map(Table::iter).map(|(key, _)| key).collect::<Vec<_>>();
    for side in &sides {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if !side.name.bytes().all(plain) || !side.name.starts_with(|first: char| first.is_ascii_lowercase()) {
            let fault = Diagnostic::new(format!("`{}` is not a valid name for a side", side.name)).at(side.span);
            faults.push(fault.help("use lower-case letters, digits and dashes, beginning with a letter"));
        } else if NAMES.contains(&side.name.as_str()) || reserved.contains(&side.name.as_str()) || side.name == "draw" {
            let fault = Diagnostic::new(format!("a side cannot be called `{}`", side.name)).at(side.span);
            faults.push(fault.help("that name already has a meaning in paths or results"));
        }
    }
    if let 2..=SIDES_MAX = sides.len() {
        return faults.into_result(sides.into_iter().map(|side| side.name.clone()).collect());
    }
    let at = sides.get(SIDES_MAX).map_or(key.span, |fifth| fifth.span);
    let fault =
        Diagnostic::new(format!("a battle has two, three or four sides, but the study names {}", sides.len())).at(at);
    faults.push(fault.help("write two to four tables [side.NAME]; the first one moves first"));
    Err(faults)
}

/// A key of an army, converted for the second side: places and facings are rotated by half a turn about the middle of
/// the table.
fn across(key: &Key, node: &Node) -> Node {
    let value = match (&node.value, key.name.as_str()) {
        (Value::Table(table), _) => {
            let mut turned = Table::new();
            for (key, node) in table.iter() {
                turned.insert(key.clone(), across(key, node));
            }
            Value::Table(turned)
        }
        (Value::Array(place), "at") => {
            Value::Array(place.iter().map(|node| Node { value: opposite(&node.value), ..*node }).collect())
        }
        (Value::Array(bent), "facing") => {
            Value::Array(bent.iter().map(|node| Node { value: about(&node.value), ..*node }).collect())
        }
        (value, "facing") => about(value),
        (value, _) => value.clone(),
    };
    Node { value, ..*node }
}

fn opposite(number: &Value) -> Value {
    match number {
        Value::Int(whole) => Value::Int(-whole),
        Value::Float(number) => Value::Float(-number),
        other => other.clone(),
    }
}

/// A facing in degrees after half a turn.
fn about(degrees: &Value) -> Value {
    match degrees {
        Value::Int(whole @ 0..=360) => Value::Int((whole + 180) % 360),
        Value::Float(degrees) if (0.0..=360.0).contains(degrees) => Value::Float((degrees + 180.0) % 360.0),
        other => other.clone(),
    }
}

/// A side with its units as separate values: `0`, `1` …
fn side_table(side: &Node) -> Table {
    let mut table = Table::new();
    for (key, node) in side.as_table().into_iter().flat_map(Table::iter) {
        match node.as_array() {
            Some(units) if key.name == "units" => {
                for (number, unit) in units.iter().enumerate() {
                    table.insert(Key { name: number.to_string(), span: key.span }, unit.clone());
                }
            }
            _ => {
                table.insert(key.clone(), node.clone());
            }
        }
    }
    table
}

/// The schema of a deployment, with the paths of its units.
fn schema(document: &Document, sides: &[String]) -> Arc<Schema> {
    let mut generator = SchemaGenerator::default();
    let unit = generator.subschema_for::<UnitWire>();
    let mut properties = serde_json::Map::new();
    properties.insert("turns".to_owned(), TurnsWire::json_schema(&mut generator).into());
    properties.insert("approach".to_owned(), generator.subschema_for::<ApproachName>().into());
    properties.insert("distance".to_owned(), generator.subschema_for::<Inches>().into());
    properties.insert("terrain".to_owned(), Vec::<TerrainWire>::json_schema(&mut generator).into());
    properties.insert("objectives".to_owned(), Vec::<ObjectiveWire>::json_schema(&mut generator).into());
    let keys = SideKeysWire::json_schema(&mut generator);
    for name in sides {
        let table = document.root.get(name).and_then(Node::as_table);
        let mut side = serde_json::Map::new();
        side.insert("doctrine".to_owned(), json!({ "type": "string" }));
        let keys = keys.get("properties").and_then(serde_json::Value::as_object);
        side.extend(keys.into_iter().flatten().map(|(key, schema)| (key.clone(), schema.clone())));
        for (key, _) in table.into_iter().flat_map(Table::iter).filter(|(key, node)| is_unit(key, node)) {
            side.insert(key.name.clone(), unit.clone().into());
        }
        properties.insert(name.clone(), json!({ "type": "object", "properties": side, "additionalProperties": false }));
    }
    let definitions = generator.take_definitions(true);
    let schema = json!({
        "type": "object", "properties": properties, "additionalProperties": false, "$defs": definitions,
    });
    Arc::new(Schema::try_from(schema).unwrap_or_default())
}

fn unit(node: &Node) -> Result<UnitPlan, Diagnostics> {
    let document = &Document { root: node.as_table().cloned().unwrap_or_default(), span: node.span };
    let unit: UnitWire = decode(document)?;
    let facing = match unit.facing {
        None => None,
        Some(FacingWire::Enemy(EnemyName::Enemy)) => Some(FacingPlan::Enemy),
        Some(FacingWire::Degrees(degrees)) => Some(FacingPlan::Heading(tenths(degrees, document, "facing")?)),
        Some(FacingWire::Bent([left, right])) => {
            Some(FacingPlan::Bent(tenths(left, document, "facing")?, tenths(right, document, "facing")?))
        }
    };
    Ok(UnitPlan {
        kind: unit.kind,
        formation: unit.formation,
        at: unit.at.map(place),
        facing,
        figures: unit.figures,
        counters: unit.counters.into_iter().collect(),
        abreast: unit.front,
        cannon: unit.cannon,
        morale: unit.morale,
        command: unit.command,
        screen: unit.screen,
        frontage: unit.frontage.map(Inches::hundredths),
        arrives: unit.arrives.map(|arrives| match arrives {
            ArrivesWire::From(turn) => Arrives::From(turn),
            ArrivesWire::Awaited(AwaitedName::Called) => Arrives::Called,
            ArrivesWire::Awaited(AwaitedName::Split) => Arrives::Split,
        }),
    })
}

/// Degrees from 0 to 360, converted to tenths.
fn tenths(degrees: f64, document: &Document, key: &str) -> Result<u16, Diagnostics> {
    let tenths = (degrees * 10.0).round();
    if !(0.0..=3600.0).contains(&tenths) {
        let span = document.root.get(key).map_or(document.span, |node| node.span);
        return Err(Diagnostic::new(format!("{degrees} is not between 0 and 360 degrees")).at(span).into());
    }
    if (tenths - degrees * 10.0).abs() > 1e-6 {
        let span = document.root.get(key).map_or(document.span, |node| node.span);
        let fault = Diagnostic::new(format!("{degrees} degrees are not a whole number of tenths")).at(span);
        return Err(fault.help(format!("use {}", tenths / 10.0)).into());
    }
    Ok(tenths as u16 % 3600)
}
