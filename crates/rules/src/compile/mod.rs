//! Compiles a pack for battles: the only step that can fail.
//!
//! First the document's shape is checked against the schema, then names, cross references and expressions are checked
//! and everything is compiled into tables. All faults are gathered; nothing half-checked leaves this module.

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
mod effects;
mod fixed;
mod flight;
mod general;
mod ground;
pub(crate) mod hex;
mod layout;
mod limits;
mod metric;
mod objective;
mod outline;
mod part;
mod path;
mod player;
mod regroup;
mod repertoire;
mod resolve;
mod roll;
mod shock;
mod sites;
mod skirmish;
mod square;
mod step;
mod traits;
mod triggers;
mod unit;
#[cfg(test)]
mod variants;
mod zone;

use std::sync::{Arc, OnceLock};

use schemars::Schema;

use crate::model::{ById, Notes, Rules};
use crate::wire::{Pack, PackWire, Reads, Sections};
use battle::Sequence;
use checker::{Checker, ClauseNames, Context, at};
use grognard_source::{Diagnostics, Document, Path, Sources, check_shape_beside};
use roll::Rolls;
use step::{Step, Steps};

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
    made(document, sources, None).map(|(rules, _)| rules)
}

/// Like [`compile()`], but also returns warnings about comparisons that are always true.
///
/// # Errors
///
/// Everything that is wrong with the pack.
pub fn compile_with_warnings(document: &Document, sources: &Sources) -> Result<(Rules, Diagnostics), Diagnostics> {
    made(document, sources, None).map(|(rules, kept)| (rules, kept.warnings))
}

/// A compiled pack, and what its variants share with it.
#[derive(Debug)]
pub struct Compiled {
    /// The pack.
    pub rules: Arc<Rules>,
    kept: Kept,
}

impl Compiled {
    /// Checks a pack's document and compiles it.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the pack.
    pub fn of(document: &Document, sources: &Sources) -> Result<Self, Diagnostics> {
        made(document, sources, None).map(|(rules, kept)| Self { rules: Arc::new(rules), kept })
    }

    /// A variant of the pack, which shares everything that its changes do not affect.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the variant.
    pub fn variant(&self, document: &Document, sources: &Sources) -> Result<Rules, Diagnostics> {
        made(document, sources, Some(&self.kept)).map(|(rules, _)| rules)
    }
}

/// The parts of a compilation that variants reuse.
#[derive(Debug)]
struct Kept {
    /// The pack as it was given.
    document: Document,
    /// The pack with the rows of its traits written out.
    written: Document,
    sections: Sections,
    steps: Vec<Step>,
    warnings: Diagnostics,
}

fn made(document: &Document, sources: &Sources, base: Option<&Kept>) -> Result<(Rules, Kept), Diagnostics> {
    let meant = |path: &Path| attribute::misplaced(path, document).or_else(|| objective::meant(path));
    check_shape_beside(document, base.map(|base| &base.document), pack_schema(), &meant).into_result(())?;
    let written = traits::written_out(document)?;
    let (sections, differs) = Sections::beside(&written, base.map(|base| (&base.written, &base.sections)))?;
    let reads = Reads::default();
    let wire = &sections.read(&reads);
    let before = base.map(|base| (&base.written, base.steps.as_slice()));
    let mut steps = Steps::beside(&written, before, differs, &reads);
    let mut checker = Checker::new(&written, sources);
    let checker = &mut checker;
    let limits = steps.take(checker, |_| Arc::new(limits::check(&written, wire)));
    Diagnostics::clone(&limits).into_result(())?;
    let clause_names = steps.take(checker, |_| Arc::new(ClauseNames::of(wire)));
    let context = steps.compare(checker, |_| Arc::new(Context::of(wire, Arc::clone(&clause_names))));
    checker.set_context(Arc::clone(&context));
    steps.always(&context);
    steps.take(checker, |checker| check_name(checker, wire));
    fixed::check(checker, &written, wire);
    let clauses = steps.take(checker, |checker| shared(battle::clauses(checker, wire)));
    let attributes = steps.compare(checker, |checker| shared(attribute::attributes(checker, wire)));
    let bundles = steps.compare(checker, |checker| shared(traits::bundles(checker, wire, &attributes)));
    let readable = steps.compare(checker, |checker| counter::sound(checker, wire, &attributes));
    let names = steps.compare(checker, |checker| {
        checker.open_scope(wire, &attributes, &readable);
        checker.names()
    });
    checker.set_names(names.clone());
    steps.always(&names);
    let derived = steps.take(checker, |checker| Arc::new(attribute::Derived::of(checker, wire, &attributes)));
    let army = steps.take(checker, |checker| (army::army(checker, wire).map(Arc::new), checker.names()));
    let (army, names) = (army.0.clone(), steps.compare(checker, |_| army.1.clone()));
    checker.set_names(names.clone());
    steps.always(&names);
    let formations = steps.compare(checker, |checker| unit::formations(checker, wire));
    let formation_names = steps.compare(checker, |_| outline::formations(&formations));
    let grounds = steps.take(checker, |checker| shared(ground::grounds(checker, wire)));
    let command = steps.take(checker, |checker| command::command(checker, wire).map(Arc::new));
    let dressing = steps.take(checker, |checker| Arc::new(ground::dressing(checker, wire)));
    let array = steps.take(checker, |checker| ground::array(checker, wire).map(Arc::new));
    let morale = steps.compare(checker, |checker| shared(unit::morale(checker, wire, &formations)));
    let others = steps.compare(checker, |_| Arc::new(attribute::Others::of(wire, &attributes)));
    let figures_max = steps.compare(checker, |_| wire.unit.values().map(|unit| unit.figures).max().unwrap_or(1));
    let context_of_kinds = unit::KindContext {
        attributes: &attributes,
        derived: &derived,
        formations: &formations,
        bundles: &bundles,
        others: &others,
        figures_max: &figures_max,
    };
    let compiled_kinds = steps.rows(checker, ("unit", &wire.unit), |checker, id, unit| {
        Some(unit::compile_kind(checker, wire, (id, unit), &context_of_kinds))
    });
    let kinds = steps.take(checker, |checker| shared(unit::kinds(checker, &compiled_kinds, &attributes)));
    let outlines = steps.compare(checker, |_| shared(outline::kinds(&kinds)));
    steps.take(checker, |checker| layout::check(checker, wire));
    let footprints = steps.compare(checker, |_| unit::footprints(&compiled_kinds));
    let footprints = steps.take(checker, |_| shared(footprints.concat()));
    let board = steps.take(checker, |checker| battle::board(checker, wire));
    let dice = steps.compare(checker, |checker| Arc::new(roll::pack_dice(checker, wire)));
    let rolls = steps
        .rows(checker, ("roll", &wire.roll), |checker, id, roll| roll::roll(checker, wire, (id, roll), &dice, &morale));
    let rolls = &Rolls { rolls, dice };
    let calls = steps.compare(checker, |checker| arrival::calls(checker, wire));
    let sequence = steps.take(checker, |checker| battle::sequence(checker, wire, rolls, (&morale, &calls)));
    steps.take(checker, |checker| battle::check_rolls(checker, wire, rolls));
    let counters = steps.take(checker, |checker| shared(counter::counters(checker, wire, &morale)));
    steps.take(checker, |checker| {
        counter::check_effects(checker, &counters, &rolls.rolls, &sequence.reactions);
        triggers::refuse_circles(checker, &sequence.reactions, &rolls.rolls);
    });
    steps.take(checker, |checker| effects::check(checker, wire));
    let acts = steps.take(checker, |checker| shared(act::acts(checker, wire, &formation_names, &morale)));
    let movement = steps.take(checker, |checker| Arc::new(battle::movement(checker, wire)));
    let battery = steps.take(checker, |checker| battery::battery(checker, wire).map(Arc::new));
    let square = steps.take(checker, |checker| square::square(checker, wire).map(Arc::new));
    let fire_zone = steps.take(checker, |checker| zone::fire_zone(checker, wire).map(Arc::new));
    let charge_zone = steps.take(checker, |checker| zone::charge_zone(checker, wire).map(Arc::new));
    let support = steps.take(checker, |checker| zone::support(checker, wire).map(Arc::new));
    let flanked = steps.take(checker, |checker| shock::flanked(checker, wire).map(Arc::new));
    let staff = &doctrine::Staff {
        wire,
        kinds: &outlines,
        formations: &formation_names,
        acts: &acts,
        phases: &steps.compare(checker, |_| shared(outline::phases(wire))),
        doctrines: &steps.compare(checker, |_| outline::doctrines(wire)),
    };
    let drawn = steps.rows(checker, ("doctrine", &wire.doctrine), |checker, id, doctrine| {
        Some(doctrine::drawn(checker, staff, id, doctrine))
    });
    let declared = steps.take(checker, |checker| shared(repertoire::declared(checker, staff)));
    let doctrines = steps.take(checker, |checker| shared(doctrine::doctrines(checker, staff, &declared, &drawn)));
    let skirmish = steps
        .take(checker, |checker| skirmish::skirmish(checker, wire, &attributes, &formations, &outlines).map(Arc::new));
    let victory = steps.take(checker, |checker| Arc::new(battle::victory(checker, wire, sequence.last_turn.as_ref())));
    let gauges = steps.take(checker, |checker| shared(metric::gauges(checker, wire)));
    let fields = steps.take(checker, |checker| shared(checker.fields().to_vec()));
    let notes = steps.take(checker, |_| Arc::new(Notes::of(&kinds, &formations, &morale)));
    let hex = steps.take(checker, |_| {
        let hex = sequence.hex.as_deref()?;
        Some(Arc::new(hex.settled(&kinds, &rolls.rolls, &doctrines, &fields)))
    });
    let (board, table_source, arc_source) = (*board).clone();
    let Sequence { phases, reactions, activation, turn_order, flight, generals, arrival, .. } = (*sequence).clone();
    let rules = Rules {
        name: wire.pack.clone(),
        title: wire.title.clone(),
        version: wire.version.clone(),
        board,
        table_source,
        arc_source,
        hex: hex.clone(),
        kinds: ById::new(kinds.clone()),
        arms: wire.arms.clone(),
        attributes: attributes.clone(),
        traits: wire.traits.iter().map(|(id, one)| (id.clone(), one.title.clone())).collect(),
        counters: counters.clone(),
        formations: formations.clone(),
        grounds: grounds.clone(),
        array: array.clone(),
        dressing: dressing.clone(),
        targets: wire.targets.clone(),
        morale: ById::new(morale.clone()),
        rolls: ById::new(Arc::clone(&rolls.rolls)),
        activation,
        turn_order,
        arrival,
        pays: phases.iter().any(|phase| phase.mechanism == crate::model::Mechanism::Orders),
        phases,
        reactions,
        movement: movement.clone(),
        battery: battery.clone(),
        square: square.clone(),
        fire_zone: fire_zone.clone(),
        charge_zone: charge_zone.clone(),
        support: support.clone(),
        flanked: flanked.clone(),
        acts: acts.clone(),
        flight,
        doctrines: ById::new(doctrines.clone()),
        repertoire: *wire.repertoire,
        skirmish: skirmish.clone(),
        command: command.clone(),
        generals,
        army,
        victory: victory.clone(),
        gauges: gauges.clone(),
        clauses: clauses.clone(),
        notes: notes.clone(),
        fields: fields.clone(),
        footprints: footprints.clone(),
        figures_max: *figures_max,
    };
    let (warnings, steps) = (checker.warnings(), steps.done());
    checker.take_faults().each_once().into_result(())?;
    Ok((rules, Kept { document: document.clone(), written: written.clone(), sections, steps, warnings }))
}

/// A list to be shared.
fn shared<T>(list: Vec<T>) -> Arc<[T]> {
    list.into()
}

fn check_name(checker: &mut Checker<'_>, wire: &Pack<'_>) {
    if !checker::is_name(&wire.pack) {
        checker.fault(
            &at!["pack"],
            format!("`{}` is not a valid name for a pack", *wire.pack),
            Some("use lower-case letters, digits and dashes, beginning with a letter"),
        );
    }
}
