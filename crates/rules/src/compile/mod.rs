//! Compiles a pack for battles: the one step that can fail.
//!
//! First the document's shape is held against the schema, then names, cross references and expressions are checked and
//! everything is made into tables. All faults are gathered; nothing half-checked leaves this module.

mod act;
mod activation;
mod army;
mod arrival;
mod attribute;
mod battery;
mod battle;
mod casualties;
#[cfg(test)]
mod changed;
mod checker;
mod command;
mod counter;
mod doctrine;
mod fixed;
mod flight;
mod general;
mod ground;
pub(crate) mod hex;
mod layout;
mod limits;
mod metric;
mod objective;
mod part;
mod path;
mod player;
mod regroup;
mod repertoire;
mod resolve;
mod roll;
mod shape;
mod shock;
mod sites;
mod skirmish;
mod square;
mod traits;
mod triggers;
mod unit;
mod zone;

use std::sync::OnceLock;

use schemars::Schema;

use crate::model::{Notes, Rules};
use crate::wire::PackWire;
use checker::{Checker, at};
use grognard_source::{Diagnostics, Document, Sources, decode};

pub use part::part_schema;

/// The JSON Schema of a pack, made from the wire types.
pub fn pack_schema() -> &'static Schema {
    static SCHEMA: OnceLock<Schema> = OnceLock::new();
    SCHEMA.get_or_init(|| schemars::schema_for!(PackWire))
}

/// Checks a pack's document and compiles it. `extends` must have been resolved already.
///
/// # Errors
///
/// Everything that is wrong with the pack.
pub fn compile(document: &Document, sources: &Sources) -> Result<Rules, Diagnostics> {
    compile_with_warnings(document, sources).map(|(rules, _)| rules)
}

/// The same, with warnings: comparisons that always hold.
///
/// # Errors
///
/// Everything that is wrong with the pack.
pub fn compile_with_warnings(document: &Document, sources: &Sources) -> Result<(Rules, Diagnostics), Diagnostics> {
    shape::check(document).into_result(())?;
    let wire: PackWire = decode(document)?;
    let written = traits::written_out(document, &wire)?;
    let (document, wire) = match &written {
        Some(written) => (written, decode(written)?),
        None => (document, wire),
    };
    limits::check(document, &wire).into_result(())?;
    let mut checker = Checker::new(document, sources, &wire);
    check_name(&mut checker, &wire);
    fixed::check(&mut checker, document, &wire);
    let clauses = battle::clauses(&mut checker, &wire);
    let attributes = attribute::attributes(&mut checker, &wire);
    let bundles = traits::bundles(&mut checker, &wire, &attributes);
    let readable = counter::sound(&mut checker, &wire, &attributes);
    checker.open_scope(&wire, &attributes, &readable);
    let derived = attribute::Derived::of(&mut checker, &wire, &attributes);
    let army = army::army(&mut checker, &wire).map(Box::new);
    let formations = unit::formations(&mut checker, &wire);
    let grounds = ground::grounds(&mut checker, &wire);
    let command = command::command(&mut checker, &wire);
    let dressing = ground::dressing(&mut checker, &wire);
    let array = ground::array(&mut checker, &wire);
    let morale = unit::morale(&mut checker, &wire, &formations);
    let kinds = unit::kinds(&mut checker, &wire, &attributes, &derived, &formations, &bundles);
    let (board, table_source, arc_source) = battle::board(&mut checker, &wire);
    let rolls = roll::rolls(&mut checker, &wire, &morale);
    let battle::Sequence { phases, reactions, activation, turn_order, flight, generals, hex, last_turn, arrival } =
        battle::sequence(&mut checker, &wire, &rolls, &morale);
    let rolls = rolls.rolls;
    let counters = counter::counters(&mut checker, &wire, &morale);
    counter::check_effects(&mut checker, &counters, &rolls, &reactions);
    triggers::refuse_circles(&mut checker, &reactions, &rolls);
    let acts = act::acts(&mut checker, &wire, &formations, &morale);
    let movement = battle::movement(&mut checker, &wire);
    let battery = battery::battery(&mut checker, &wire);
    let square = square::square(&mut checker, &wire);
    let fire_zone = zone::fire_zone(&mut checker, &wire);
    let charge_zone = zone::charge_zone(&mut checker, &wire);
    let support = zone::support(&mut checker, &wire);
    let flanked = shock::flanked(&mut checker, &wire);
    let staff = doctrine::Staff { wire: &wire, kinds: &kinds, formations: &formations, acts: &acts };
    let doctrines = doctrine::doctrines(&mut checker, &staff);
    let skirmish = skirmish::skirmish(&mut checker, &wire, &attributes, &formations, &kinds);
    let victory = battle::victory(&mut checker, &wire, last_turn);
    let gauges = metric::gauges(&mut checker, &wire);
    let figures_max = wire.unit.values().map(|unit| unit.figures).max().unwrap_or(1);
    let footprints = layout::footprints(&mut checker, &wire, &kinds, figures_max);
    let fields = checker.fields();
    let notes = Notes::of(&kinds, &formations, &morale);
    let rules = Rules {
        name: wire.pack,
        title: wire.title,
        version: wire.version,
        board,
        table_source,
        arc_source,
        hex,
        kinds,
        arms: wire.arms,
        attributes,
        traits: wire.traits.iter().map(|(id, one)| (id.clone(), one.title.clone())).collect(),
        counters,
        formations,
        grounds,
        array,
        dressing,
        targets: wire.targets,
        morale,
        rolls,
        activation,
        turn_order,
        arrival,
        pays: phases.iter().any(|phase| phase.mechanism == crate::model::Mechanism::Orders),
        phases,
        reactions,
        movement,
        battery,
        square,
        fire_zone,
        charge_zone,
        support,
        flanked,
        acts,
        flight,
        doctrines,
        skirmish,
        command,
        generals,
        army,
        victory,
        gauges,
        clauses,
        notes,
        fields,
        footprints,
        figures_max,
    };
    let warnings = checker.warnings();
    checker.into_faults().into_result(rules).map(|rules| (rules.settled(), warnings))
}

fn check_name(checker: &mut Checker<'_>, wire: &PackWire) {
    if !checker::is_name(&wire.pack) {
        checker.fault(
            &at!["pack"],
            format!("`{}` is not a valid name for a pack", wire.pack),
            Some("use lower-case letters, digits and dashes, beginning with a letter"),
        );
    }
}
