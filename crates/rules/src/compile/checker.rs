//! The context of every part of the compilation: the document for locations, the faults so far, and the names in scope.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::model::{Attribute, ByteId, COUNT_MAX, Cite, FIGURES_TOGETHER, KindId, RollId, SCORE_MAX, Source};
use crate::situation::{COMBATS, CONTACTS_MAX, Fact, Field, POINTS_MAX, Subject, UNIT_FACTS, WAY_FACTS};
use crate::wire::{ActivationWire, CiteWire, HexTerrainWire, HexWire, IntOrExpr, Pack, RollWire};
use grognard_expr::{Bits, Domain, Expr, ExprFault, Kind, Lookup, Row, Scope, Severity};
use grognard_source::{Diagnostic, Diagnostics, Document, Node, Path, Sources, Span};

/// The maximum distance that conditions can read, in hundredths of an inch.
const DISTANCE_MAX: i32 = 20_000;

/// The maximum number of cannon in a battery.
const CANNON_MAX: i32 = 40;

/// The maximum number of units on a side.
const UNITS_MAX: i32 = 31;

/// Builds a document path from its segments.
macro_rules! at {
    ($($segment:expr),+ $(,)?) => {{
        let mut path = grognard_source::Path::root();
        $( path.push($segment.to_string()); )+
        path
    }};
}
pub(crate) use at;

/// Gathers faults and compiles expressions.
pub(super) struct Checker<'a> {
    document: &'a Document,
    sources: &'a Sources,
    faults: Diagnostics,
    warnings: Diagnostics,
    context: Arc<Context>,
    names: Names,
}

/// The parts of a pack that decide which names conditions may use and what those names may be compared with, and the
/// names that are looked up in many places.
#[derive(Default, PartialEq, Eq)]
pub(super) struct Context {
    figures_max: i32,
    squares: bool,
    skirmishers: bool,
    by_unit: bool,
    generals: bool,
    objectives: bool,
    loose: bool,
    words: Words,
    /// Facts that always have their first value.
    settled: Vec<Fact>,
    clauses: Arc<ClauseNames>,
}

/// The names of the clauses, which every `cite` is checked against.
#[derive(Default, PartialEq, Eq)]
pub(super) struct ClauseNames {
    /// In the order of the pack.
    list: Vec<String>,
    known: BTreeSet<String>,
}

impl ClauseNames {
    /// The names of a pack's clauses.
    pub(super) fn of(wire: &Pack<'_>) -> Self {
        let list: Vec<String> = wire.clause.iter().map(|clause| clause.id.clone()).collect();
        Self { known: list.iter().cloned().collect(), list }
    }
}

/// The names that conditions may use, and the facts that they stand for.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Names {
    scope: Arc<Scope>,
    fields: Arc<Vec<Field>>,
}

/// The names in a pack: the word lists that conditions compare with, and the rolls.
#[derive(Default, PartialEq, Eq)]
struct Words {
    kinds: Vec<String>,
    arms: Vec<String>,
    formations: Vec<String>,
    morale: Vec<String>,
    targets: Vec<String>,
    grounds: Vec<String>,
    orders: Vec<String>,
    modes: Vec<String>,
    counters: Vec<String>,
    phases: Vec<String>,
    terrain: Vec<String>,
    cards: Vec<String>,
    rolls: Vec<String>,
}

impl Context {
    /// The context of a pack with these clauses.
    pub(super) fn of(wire: &Pack<'_>, clauses: Arc<ClauseNames>) -> Self {
        let figures_max = wire.unit.values().map(|unit| i32::from(unit.figures)).max().unwrap_or(1);
        let words = Words {
            kinds: wire.unit.keys().cloned().collect(),
            arms: wire.arms.clone(),
            formations: wire.formation.keys().cloned().collect(),
            morale: wire.morale.state.iter().map(|state| state.id.clone()).collect(),
            targets: wire.targets.clone(),
            grounds: std::iter::once("open".to_owned()).chain(wire.ground.keys().cloned()).collect(),
            orders: wire.command.iter().flat_map(|command| command.orders.iter().cloned()).collect(),
            modes: wire.command.iter().flat_map(|command| &command.mode).map(|mode| mode.id.clone()).collect(),
            counters: wire.counter.keys().cloned().collect(),
            phases: wire.phase.iter().map(|phase| phase.id.clone()).collect(),
            terrain: wire.hex.as_ref().map_or_else(Vec::new, |hex| {
                std::iter::once("open".to_owned()).chain(hex.terrain.keys().cloned()).collect()
            }),
            cards: wire.deck.as_ref().map_or_else(Vec::new, |deck| {
                std::iter::once("none".to_owned()).chain(deck.card.iter().map(|card| card.id.clone())).collect()
            }),
            rolls: wire.roll.keys().cloned().collect(),
        };
        let open = |hex: &HexWire| hex.terrain.values().all(|terrain| terrain.at.is_empty());
        let unwalled = |hex: &HexWire| {
            let walls = |terrain: &HexTerrainWire| !terrain.at.is_empty() && !terrain.sides.is_empty();
            !hex.terrain.values().any(walls)
        };
        let settled = [
            (Fact::Terrain, wire.hex.as_ref().is_some_and(open)),
            (Fact::Across, wire.hex.as_ref().is_some_and(unwalled)),
            (Fact::Card, wire.deck.as_ref().is_some_and(|deck| !deck.on)),
        ];
        let settled = settled.into_iter().filter(|&(_, is)| is).map(|(fact, _)| fact).collect();
        Self {
            figures_max,
            squares: wire.square.is_some(),
            skirmishers: wire.skirmish.is_some(),
            by_unit: wire.activation.as_ref().is_some_and(ActivationWire::goes_by_unit),
            generals: wire.general.is_some(),
            objectives: wire.objective.is_some(),
            loose: wire.formation.values().any(|formation| formation.layout.spacing.is_some()),
            words,
            settled,
            clauses,
        }
    }
}

impl<'a> Checker<'a> {
    pub(super) fn new(document: &'a Document, sources: &'a Sources) -> Self {
        Self {
            document,
            sources,
            faults: Diagnostics::new(),
            warnings: Diagnostics::new(),
            context: Arc::default(),
            names: Names::default(),
        }
    }

    /// Sets the context.
    pub(super) fn set_context(&mut self, context: Arc<Context>) {
        self.context = context;
    }

    /// Sets the names that conditions may use.
    pub(super) fn set_names(&mut self, names: Names) {
        self.names = names;
    }

    /// The names that conditions may use.
    pub(super) fn names(&self) -> Names {
        self.names.clone()
    }

    /// The number of faults so far.
    pub(super) fn faults(&self) -> usize {
        self.faults.len()
    }

    /// Removes and returns the faults.
    pub(super) fn take_faults(&mut self) -> Diagnostics {
        std::mem::take(&mut self.faults)
    }

    /// Sets aside the faults and warnings reported so far, until [`Checker::resume`].
    pub(super) fn set_aside(&mut self) -> [Diagnostics; 2] {
        [std::mem::take(&mut self.faults), std::mem::take(&mut self.warnings)]
    }

    /// Restores what was set aside, and adds what has been reported since, without duplicates.
    pub(super) fn resume(&mut self, before: [Diagnostics; 2]) {
        for (reported, mut kept) in [&mut self.faults, &mut self.warnings].into_iter().zip(before) {
            kept.append(std::mem::take(reported).each_once());
            *reported = kept;
        }
    }

    /// The path at which a value is written. A modifier shared by several rolls is written
    /// in only one of them.
    fn written(&self, path: &Path) -> Path {
        let [roll, id, rows, row, ..] = path.segments() else { return path.clone() };
        let own = || self.document.get(&at![roll, id, rows, row]).is_some();
        if roll != "roll" || rows != "modifier" || own() {
            return path.clone();
        }
        let Some(base) = self.document.get(&at![roll, id, "shares"]).and_then(Node::as_text) else {
            return path.clone();
        };
        path.segments()[2..].iter().fold(at![roll, base], |path, segment| path.join(segment))
    }

    /// Reports a fault at a path.
    pub(super) fn fault(&mut self, path: &Path, message: impl Into<String>, help: Option<&str>) {
        let path = self.written(path);
        let mut diagnostic = Diagnostic::new(message).at(self.document.span_at(&path)).path(&path);
        if let Some(help) = help {
            diagnostic = diagnostic.help(help);
        }
        self.faults.push(diagnostic);
    }

    /// Finds a name in a list, or reports it with the nearest valid name. No list used here is longer than a byte can
    /// count ([`limits`](super::limits)); a name beyond that would be reported as a fault.
    pub(super) fn find<'n, Id: ByteId>(
        &mut self,
        path: &Path,
        what: &str,
        name: &str,
        known: impl Iterator<Item = &'n str> + Clone,
    ) -> Option<Id> {
        if !self.is_known(path, what, name, known.clone()) {
            return None;
        }
        let mut known = known;
        let place = known.position(|candidate| candidate == name).and_then(|place| u8::try_from(place).ok());
        if place.is_none() {
            self.fault(path, format!("`{name}` exceeds the limit for its kind"), None);
        }
        place.map(Id::from_byte)
    }

    /// Finds each name of a list, or reports those that are not there.
    pub(super) fn find_each<'n>(
        &mut self,
        path: &Path,
        what: &str,
        names: &[String],
        known: &(impl Iterator<Item = &'n str> + Clone),
    ) -> Vec<u8> {
        let find =
            |(index, name): (usize, &String)| self.find(&path.join(index.to_string()), what, name, known.clone());
        names.iter().enumerate().filter_map(find).collect()
    }

    /// Finds results of a roll. Reports those that the roll does not have, and those that are listed twice.
    pub(super) fn results(&mut self, path: &Path, names: &[String], roll: &RollWire) -> Vec<u16> {
        let mut found = Vec::new();
        for (index, name) in names.iter().enumerate() {
            let at = path.join(index.to_string());
            let known = roll.result.iter().map(|row| row.id.as_str());
            let Some(result) = self.find::<u8>(&at, "result", name, known).map(u16::from) else { continue };
            if found.contains(&result) {
                self.fault(&at, format!("`{name}` is listed twice"), Some("list it once"));
            } else {
                found.push(result);
            }
        }
        found
    }

    /// Whether a name is that of a fact or of an attribute that units of this pack have.
    pub(super) fn is_taken(&self, attributes: &[Attribute], name: &str) -> bool {
        let fact = UNIT_FACTS.iter().any(|&(known, fact)| known == name && self.has_fact(fact));
        fact || attributes.iter().any(|attribute| attribute.id == name)
    }

    /// Finds a counter of the pack by its name, or reports it.
    pub(super) fn counter(&mut self, path: &Path, name: &str) -> Option<u8> {
        let context = Arc::clone(&self.context);
        let counters = &context.words.counters;
        if counters.is_empty() {
            let message = format!("there is no counter `{name}`: the pack has none");
            self.fault(path, message, Some(&format!("declare it: `[counter.{name}]`")));
            return None;
        }
        self.find(path, "counter", name, counters.iter().map(String::as_str))
    }

    /// Finds a unit type of the pack by its name, or reports it.
    pub(super) fn kind(&mut self, path: &Path, name: &str) -> Option<KindId> {
        let context = Arc::clone(&self.context);
        self.find(path, "unit type", name, context.words.kinds.iter().map(String::as_str))
    }

    /// Finds a roll of the pack by its name, or reports it.
    pub(super) fn roll(&mut self, path: &Path, name: &str) -> Option<RollId> {
        let context = Arc::clone(&self.context);
        self.find(path, "roll", name, context.words.rolls.iter().map(String::as_str))
    }

    /// Whether a name is in a list; if not, reports it with the nearest valid name.
    pub(super) fn is_known<'n>(
        &mut self,
        path: &Path,
        what: &str,
        name: &str,
        known: impl Iterator<Item = &'n str> + Clone,
    ) -> bool {
        let is_known = known.clone().any(|candidate| candidate == name);
        if !is_known {
            let path = self.written(path);
            // Names with a space are derived from others, such as the version of a roll that units with a trait take.
            let written = known.filter(|candidate| !candidate.contains(' '));
            let fault = Diagnostic::unknown(what, name, written);
            self.faults.push(fault.at(self.document.span_at(&path)).path(&path));
        }
        is_known
    }

    /// Fills the scope of the battle's conditions. Formations and attributes must already be known. `counters` says for
    /// each counter of the pack whether conditions can read it.
    pub(super) fn open_scope(&mut self, wire: &Pack<'_>, attributes: &[Attribute], counters: &[bool]) {
        for (prefix, subject) in [("self", Subject::Own), ("foe", Subject::Foe)] {
            for &(name, fact) in UNIT_FACTS {
                if let Some(domain) = self.domain(fact) {
                    self.declare(&format!("{prefix}.{name}"), domain, Field { subject, fact });
                }
            }
            for (index, attribute) in attributes.iter().enumerate() {
                let domain = if attribute.words.is_empty() {
                    let wire = &wire.attribute[&attribute.id];
                    Domain::Int { min: wire.min.unwrap_or(0), max: wire.max.unwrap_or(0) }
                } else {
                    Domain::Words(attribute.words.clone())
                };
                let field = Field { subject, fact: Fact::Attribute(index as u8) };
                self.declare(&format!("{prefix}.{}", attribute.id), domain, field);
            }
            for (index, id) in (0..).zip(wire.traits.keys()) {
                if is_member(id) && !self.is_taken(attributes, id) && !wire.counter.contains_key(id) {
                    self.declare(&format!("{prefix}.{id}"), Domain::Bool, Field { subject, fact: Fact::Trait(index) });
                }
            }
            let counters = (0..).zip(wire.counter.iter()).zip(counters).filter(|(_, sound)| **sound);
            for ((index, (id, counter)), _) in counters {
                // An empty range is reported once, not wherever it is read.
                let (min, max) =
                    if counter.min <= counter.max { (counter.min, counter.max) } else { (-COUNT_MAX, COUNT_MAX) };
                let domain = Domain::Int { min, max };
                self.declare(&format!("{prefix}.{id}"), domain, Field { subject, fact: Fact::Counter(index) });
            }
        }
        let moment = |fact| Field { subject: Subject::Own, fact };
        self.declare("distance", Domain::Length { min: 0, max: DISTANCE_MAX }, moment(Fact::Distance));
        for (name, fact) in WAY_FACTS {
            self.declare(name, Domain::Bool, moment(Fact::Way(fact)));
        }
        if !wire.victory.points.is_empty() {
            let points = |most: i32| Domain::Int { min: -most, max: most };
            self.declare("score", points(SCORE_MAX), moment(Fact::Score));
            self.declare("margin", points(2 * SCORE_MAX), moment(Fact::Margin));
        }
        self.declare("turn", Domain::Int { min: 1, max: 200 }, moment(Fact::Turn));
        if wire.hex.is_some() {
            let combats = COMBATS.iter().map(|&word| word.to_owned()).collect();
            self.declare("combat", Domain::Words(combats), moment(Fact::Combat));
        }
        if !self.context.words.cards.is_empty() {
            self.declare("card", Domain::Words(self.context.words.cards.clone()), moment(Fact::Card));
        }
        self.declare("phase", Domain::Words(self.context.words.phases.clone()), moment(Fact::Phase));
    }

    /// Adds a name that conditions can read to the scope.
    pub(super) fn declare(&mut self, name: &str, domain: Domain, field: Field) {
        let scope = Arc::make_mut(&mut self.names.scope);
        match scope.add(name, domain) {
            Ok(var) => {
                // At equal cost, a unit's own fact comes first: if it decides, no enemy is needed.
                scope.price(var, 2 * field.fact.price() + u8::from(field.subject == Subject::Foe));
                if let Some((shift, width)) = field.fact.noted() {
                    // A battery can be disordered by other units, not just by its own morale.
                    let asks = field.fact == Fact::Shaken;
                    scope.keep(var, Bits { word: field.subject as u8, shift, width, asks });
                }
                if self.context.settled.contains(&field.fact) {
                    scope.settle(var);
                }
                Arc::make_mut(&mut self.names.fields).push(field);
            }
            // Attribute names are checked where they are declared; an empty list of words is reported there too.
            Err(fault) => self.faults.push(Diagnostic::new(fault.to_string())),
        }
    }

    /// Whether units of this pack have a fact. Some facts exist only if the pack has the feature that they describe.
    pub(super) fn has_fact(&self, fact: Fact) -> bool {
        self.domain(fact).is_some()
    }

    fn domain(&self, fact: Fact) -> Option<Domain> {
        let words = |list: &[String]| (!list.is_empty()).then(|| Domain::Words(list.to_vec()));
        let few = |list: &[&str]| Some(Domain::Words(list.iter().map(|&word| word.to_owned()).collect()));
        let count = Domain::Int { min: 0, max: self.context.figures_max };
        let hex_fact = |domain: Domain| (!self.context.words.terrain.is_empty()).then_some(domain);
        match fact {
            Fact::Kind => words(&self.context.words.kinds),
            Fact::Arm => words(&self.context.words.arms),
            Fact::Formation => words(&self.context.words.formations),
            Fact::Morale => words(&self.context.words.morale),
            Fact::Target => words(&self.context.words.targets),
            Fact::Figures | Fact::Fighting | Fact::Start | Fact::Lost | Fact::Hits => {
                let together = if self.context.squares { i32::from(FIGURES_TOGETHER) } else { 1 };
                Some(Domain::Int { min: 0, max: self.context.figures_max * together })
            }
            Fact::Front | Fact::Ranks => Some(count),
            Fact::Ground | Fact::Site => {
                (self.context.words.grounds.len() > 1).then(|| Domain::Words(self.context.words.grounds.clone()))
            }
            Fact::Shelter | Fact::Rough => {
                (self.context.words.grounds.len() > 1).then_some(Domain::Length { min: 0, max: DISTANCE_MAX })
            }
            Fact::Cover | Fact::Crossed | Fact::High | Fact::Upslope | Fact::OnRoad => {
                (self.context.words.grounds.len() > 1).then_some(Domain::Bool)
            }
            Fact::Out | Fact::Whole | Fact::Sent => self.context.skirmishers.then_some(count),
            Fact::Screen => self.context.skirmishers.then_some(Domain::Bool),
            Fact::Acted => self.context.by_unit.then_some(Domain::Bool),
            Fact::Loose => self.context.loose.then_some(Domain::Bool),
            Fact::Order => words(&self.context.words.orders),
            Fact::Mode => words(&self.context.words.modes),
            Fact::Unsettled => (!self.context.words.modes.is_empty()).then_some(Domain::Bool),
            Fact::Cannon => Some(Domain::Int { min: 0, max: CANNON_MAX }),
            Fact::Behind => Some(count),
            Fact::Stack => Some(Domain::Int { min: 1, max: UNITS_MAX }),
            Fact::Facing => few(&["front", "all"]),
            Fact::Exposed | Fact::Strikes | Fact::Struck => few(&["front", "flank", "rear"]),
            Fact::Contacts | Fact::Charges => Some(Domain::Int { min: 0, max: CONTACTS_MAX }),
            Fact::Points => Some(Domain::Int { min: 0, max: POINTS_MAX }),
            Fact::Reach | Fact::Range | Fact::Support | Fact::Aim => Some(Domain::Length { min: 0, max: DISTANCE_MAX }),
            Fact::Formed
            | Fact::FormedToMove
            | Fact::Shaken
            | Fact::Broken
            | Fact::Charging
            | Fact::Charged
            | Fact::Changed
            | Fact::Moved
            | Fact::Marched
            | Fact::Fired
            | Fact::Enfiladed
            | Fact::Backed
            | Fact::Supported
            | Fact::Follows
            | Fact::Pinned
            | Fact::Threatened
            | Fact::Firing
            | Fact::Pivoted
            | Fact::Ceased
            | Fact::Active
            | Fact::Touching
            | Fact::Divided
            | Fact::Faced
            | Fact::ChargedByLike
            | Fact::Sees
            | Fact::Enfilades
            | Fact::Enclosed
            | Fact::InOpen
            | Fact::InArea
            | Fact::InFront
            | Fact::Masked
            | Fact::Bears
            | Fact::BearsOn => Some(Domain::Bool),
            Fact::Terrain => words(&self.context.words.terrain),
            Fact::Led => (self.context.generals || !self.context.words.terrain.is_empty()).then_some(Domain::Bool),
            Fact::Engaged | Fact::Commanded | Fact::Fresh | Fact::Ordered | Fact::Reacted => hex_fact(Domain::Bool),
            Fact::Across => hex_fact(Domain::Bool),
            Fact::Fought | Fact::Lured => hex_fact(Domain::Bool),
            Fact::Reacts => hex_fact(Domain::Int { min: 0, max: 3 }),
            Fact::Outlets | Fact::Follow => hex_fact(Domain::Int { min: 0, max: 2 }),
            Fact::Bare => hex_fact(Domain::Int { min: 0, max: 4 }),
            Fact::Openings | Fact::Reachers => hex_fact(Domain::Int { min: 0, max: UNITS_MAX }),
            Fact::Supports => hex_fact(Domain::Int { min: 0, max: 6 }),
            Fact::Steps => hex_fact(Domain::Int { min: 0, max: 15 }),
            Fact::Objective => self.context.objectives.then_some(Domain::Length { min: 0, max: DISTANCE_MAX }),
            Fact::Score
            | Fact::Margin
            | Fact::Army { .. }
            | Fact::Combat
            | Fact::Card
            | Fact::Attribute(_)
            | Fact::Counter(_)
            | Fact::Trait(_)
            | Fact::Distance
            | Fact::Turn
            | Fact::Phase
            | Fact::Way(_) => None,
        }
    }

    /// Whether an expression reads the path of a move.
    pub(super) fn reads_way(&self, expr: &Expr) -> bool {
        expr.vars().any(|var| matches!(self.names.fields[var.index()].fact, Fact::Way(_)))
    }

    /// Whether an expression reads only facts about the unit and the situation that are the same for every enemy.
    pub(super) fn reads_one_unit(&self, expr: &Expr) -> bool {
        expr.vars().map(|var| self.names.fields[var.index()]).all(|field| match field.fact {
            Fact::Kind
            | Fact::Arm
            | Fact::Attribute(_)
            | Fact::Counter(_)
            | Fact::Trait(_)
            | Fact::Figures
            | Fact::Start
            | Fact::Lost
            | Fact::Moved
            | Fact::Fired
            | Fact::Terrain
            | Fact::Supports
            | Fact::Engaged
            | Fact::Led
            | Fact::Commanded
            | Fact::Steps
            | Fact::Ordered
            | Fact::Reacted
            | Fact::Fought => field.subject == Subject::Own,
            Fact::Card | Fact::Turn | Fact::Phase => true,
            _ => false,
        })
    }

    /// The field behind each variable of the scope.
    pub(super) fn fields(&self) -> Arc<Vec<Field>> {
        Arc::clone(&self.names.fields)
    }

    /// Parses an expression over the battle's situation.
    pub(super) fn expr(&mut self, path: &Path, text: &str, kind: Kind) -> Option<Expr> {
        let scope = Arc::clone(&self.names.scope);
        self.expr_in(&scope, path, text, kind)
    }

    /// An expression that is checked elsewhere, where its faults are reported.
    pub(super) fn checked_elsewhere(&self, text: &str, kind: Kind) -> Option<Expr> {
        Expr::parse(text, &self.names.scope, kind).ok()
    }

    /// Parses an expression over another scope.
    pub(super) fn expr_in(&mut self, scope: &Scope, path: &Path, text: &str, kind: Kind) -> Option<Expr> {
        match Expr::parse(text, scope, kind) {
            Ok(expr) => {
                for fault in expr.warnings() {
                    self.expr_fault(path, text, fault);
                }
                Some(expr)
            }
            Err(faults) => {
                for fault in &faults {
                    self.expr_fault(path, text, fault);
                }
                None
            }
        }
    }

    /// An expression over the battle's situation that is checked where it is compiled.
    pub(super) fn parsed(&self, text: &str, kind: Kind) -> Option<Expr> {
        Expr::parse(text, &self.names.scope, kind).ok()
    }

    /// Whether a string is a condition, and not a number.
    pub(super) fn is_condition(&self, text: &str) -> bool {
        self.parsed(text, Kind::Bool).is_some()
    }

    /// A condition as a table: 1 if it is true.
    pub(super) fn condition(&mut self, path: &Path, text: Option<&String>) -> Option<Lookup> {
        let expr = self.expr(path, text?, Kind::Bool)?;
        Some(Lookup::sum(&[Row { when: Some(&expr), add: 1 }]))
    }

    /// A formula as a table.
    pub(super) fn number(&mut self, path: &Path, text: &str) -> Option<Lookup> {
        self.expr(path, text, Kind::Int).map(|expr| Lookup::of(&expr))
    }

    /// A number or a formula as a table.
    pub(super) fn amount(&mut self, path: &Path, amount: &IntOrExpr) -> Option<Lookup> {
        match amount {
            IntOrExpr::Number(number) => Some(constant(*number)),
            IntOrExpr::Formula(text) => self.number(path, text),
        }
    }

    /// A condition that is never true, in place of an invalid one.
    pub(super) fn never(&self) -> Option<Expr> {
        Expr::parse("false", &self.names.scope, Kind::Bool).ok()
    }

    /// Removes and returns the warnings about parts that are valid but probably unintended.
    pub(super) fn warnings(&mut self) -> Diagnostics {
        std::mem::take(&mut self.warnings)
    }

    fn expr_fault(&mut self, path: &Path, text: &str, fault: &ExprFault) {
        let path = self.written(path);
        let whole = self.document.span_at(&path);
        let mut diagnostic = Diagnostic::new(fault.message.clone()).at(self.part(whole, text, fault)).path(&path);
        if let Some(help) = &fault.help {
            diagnostic = diagnostic.help(help.clone());
        }
        // Warnings are faults, too: a condition that can never be true amounts to a missing rule.
        if fault.severity == Severity::Remark {
            self.warnings.push(diagnostic.warning());
        } else {
            self.faults.push(diagnostic);
        }
    }

    /// The part of a quoted text to which a fault refers; the whole text if it has escapes or several lines. The
    /// compiled expression may be longer than the text, because a trait adds to conditions.
    fn part(&self, whole: Span, text: &str, fault: &ExprFault) -> Span {
        let written = self.sources.slice(whole);
        let within = |quotes: usize| {
            let inner = written.get(quotes..written.len().checked_sub(quotes)?).filter(|inner| !inner.is_empty())?;
            let from = text.find(inner)?;
            let fits = fault.range.start >= from && fault.range.start <= from + inner.len();
            fits.then_some((quotes, from, inner.len()))
        };
        let Some((quotes, from, length)) = within(1).or_else(|| within(3)) else { return whole };
        let start = whole.range().start + quotes;
        let end = (fault.range.end.max(fault.range.start + 1) - from).min(length + 1);
        Span::new(whole.file, start + (fault.range.start - from).min(length)..start + end)
    }

    /// Checks that a row states its source, and returns that source.
    pub(super) fn source(&mut self, path: &Path, cite: &[CiteWire], note: Option<&String>) -> Source {
        self.cited(&path.join("cite"), cite, note)
    }

    /// Like [`Checker::source`], for a row that must cite something.
    pub(super) fn stated_source(
        &mut self,
        path: &Path,
        (what, id): (&str, &str),
        cite: &[CiteWire],
        note: Option<&String>,
    ) -> Source {
        if cite.is_empty() {
            let message = format!("{what} `{id}` has no source");
            self.fault(&path.join("cite"), message, Some("cite its clauses, or `house` with a note"));
        }
        self.source(path, cite, note)
    }

    /// The source of one key of a row: from the row's `cites`, or else the row's own.
    pub(super) fn key_source(&mut self, path: &Path, key: &str, cite: Option<&Vec<CiteWire>>, row: &Source) -> Source {
        cite.map_or_else(|| row.clone(), |cite| self.cited(&path.join("cites").join(key), cite, row.note.as_ref()))
    }

    /// Like [`Checker::key_source`], but reports clauses for a key that the row does not set.
    pub(super) fn set_key_source(
        &mut self,
        path: &Path,
        key: &str,
        cite: Option<&Vec<CiteWire>>,
        is_set: bool,
        row: &Source,
    ) -> Source {
        if cite.is_some() && !is_set {
            let help = format!("set `{key}`, or remove these clauses");
            self.fault(
                &path.join("cites").join(key),
                format!("these clauses are never cited, because `{key}` is not set"),
                Some(&help),
            );
        }
        self.key_source(path, key, cite, row)
    }

    /// Checks a list of clauses, and returns it as a source.
    pub(super) fn cited(&mut self, path: &Path, cite: &[CiteWire], note: Option<&String>) -> Source {
        let mut kept = Vec::with_capacity(cite.len());
        for (index, wire) in cite.iter().enumerate() {
            let clause = wire.clause();
            let at = || path.join(index.to_string());
            if clause == "house" {
                if note.is_none() {
                    let help = "add a `note` of one line";
                    self.fault(path, "a house value needs a reason", Some(help));
                }
            } else if !self.context.clauses.known.contains(clause) {
                let at = if matches!(wire, CiteWire::When(_)) { at().join("clause") } else { at() };
                let at = self.written(&at);
                let known = self.context.clauses.list.iter().map(String::as_str);
                let diagnostic = Diagnostic::unknown("clause", clause, known);
                let add = format!(
                    "to add a clause of your own, write a row: `[[clause]]` with `id = {clause:?}` and its `text`"
                );
                let diagnostic = diagnostic.note(add, None);
                self.faults.push(diagnostic.at(self.document.span_at(&at)).path(&at));
            }
            let when = match wire {
                CiteWire::Always(_) => None,
                CiteWire::When(wire) => self.expr(&at().join("when"), &wire.when, Kind::Bool).or_else(|| self.never()),
            };
            kept.push(Cite { clause: clause.to_owned(), when });
        }
        Source { cite: kept, note: note.cloned() }
    }
}

/// A constant, as a table.
pub(super) fn constant(number: i32) -> Lookup {
    Lookup::sum(&[Row { when: None, add: number }])
}

/// Whether a string is a name: lower-case letters, digits and dashes, starting with a letter.
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-')
}

/// Whether a string can follow `self.` in a condition: lower-case letters, digits and `_`, beginning with a letter.
pub(super) fn is_member(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_')
}
