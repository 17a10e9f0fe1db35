//! Board, clauses, sequence of play, reactions and victory.

use std::sync::Arc;

use super::activation::{activation, source_of_activation, turn_order};
use super::army;
use super::arrival::{Calls, arrival};
use super::casualties::{self, casualties, simultaneous};
use super::checker::{Checker, at};
use super::flight::flight;
use super::general::generals;
use super::hex::{self, hex};
use super::objective::{last_turn, points};
use super::regroup::regroup;
use super::resolve::resolution;
use super::roll::{PackDice, Rolls, plain_effect, sum_of_dice};
use super::sites::{Sites, home, home_of};
use crate::model::{
    Activation, ArcSource, Arrival, Board, Clause, Flight, Generals, HexRules, LastTurn, Mechanism, MoraleState,
    Movement, Over, Phase, PhaseSource, Rate, Rates, Reaction, RollId, Scatter, Site, Source, Table, Template, Through,
    TurnOrder, Victory,
};
use crate::wire::{
    ArcCitesWire, ArcWire, BoardName, CiteWire, CitedWire, ClauseWire, HalfName, MeasureWire, MechanismName, Pack,
    PhaseCitesWire, PhaseWire, RateWire, RuleWire, ScatterWire, VictoryAtName, WheelName,
};
use grognard_expr::{Expr, Kind, Lookup};
use grognard_source::Path;

pub(super) fn clauses(checker: &mut Checker<'_>, wire: &Pack<'_>) -> Vec<Clause> {
    for clause in &wire.clause {
        if clause.id == "house" {
            let message = "`house` marks values without a clause, so no clause can have that name";
            checker.fault(&at!["clause", clause.id, "id"], message, None);
        }
    }
    let clause = |clause: &ClauseWire| Clause {
        id: clause.id.clone(),
        text: clause.text.clone(),
        unreached: clause.unreached.clone(),
    };
    wire.clause.iter().map(clause).collect()
}

/// The board, and the sources of its table and arc.
pub(super) fn board(checker: &mut Checker<'_>, wire: &Pack<'_>) -> (Board, Source, ArcSource) {
    match *wire.board {
        BoardName::Hex => return (Board::Hex, Source::default(), ArcSource::default()),
        BoardName::None => return (Board::None, Source::default(), ArcSource::default()),
        BoardName::Plane => {}
    }
    let mut need = |given: bool, key: &str| {
        if !given {
            checker.fault(&at!["board"], format!("a `plane` board needs `[{key}]`"), None);
        }
    };
    need(wire.table.is_some(), "table");
    need(wire.arc.is_some(), "arc");
    need(wire.movement.is_some(), "movement");
    if wire.formation.is_empty() {
        checker.fault(&at!["board"], "a `plane` board needs formations", None);
    }
    let nowhere = (Table { half_width: 0, half_depth: 0 }, Source::default());
    let (table, table_source) = wire.table.as_ref().map_or(nowhere, |table| {
        let source = checker.source(&at!["table"], &table.cite, table.note.as_ref());
        (Table { half_width: table.width.hundredths() / 2, half_depth: table.depth.hundredths() / 2 }, source)
    });
    let angle = wire.arc.as_ref().map_or(0, |arc| arc.angle * 10);
    let arc_source = wire.arc.as_ref().map(|arc| arc_source(checker, arc)).unwrap_or_default();
    (Board::Plane { table, arc: angle }, table_source, arc_source)
}

fn arc_source(checker: &mut Checker<'_>, arc: &ArcWire) -> ArcSource {
    let at = at!["arc"];
    let row = checker.source(&at, &arc.cite, arc.note.as_ref());
    let ArcCitesWire { front, flank, rear, fires, charges } = &arc.cites;
    let mut key = |key: &str, cite: &Option<Vec<CiteWire>>| checker.key_source(&at, key, cite.as_ref(), &row);
    let (front, flank, rear) = (key("front", front), key("flank", flank), key("rear", rear));
    let (fires, charges) = (key("fires", fires), key("charges", charges));
    let all = &arc.all_round;
    let mut round = |key: &str, cite: &[CiteWire]| checker.cited(&at.join("all-round").join(key), cite, None);
    ArcSource {
        front,
        flank,
        rear,
        fires,
        charges,
        all_struck: round("struck", &all.struck),
        all_fires: round("fires", &all.fires),
        all_charges: round("charges", &all.charges),
        all_marches: round("marches", &all.marches),
    }
}

pub(super) fn movement(checker: &mut Checker<'_>, wire: &Pack<'_>) -> Movement {
    let Some(movement) = &*wire.movement else {
        return Movement {
            narrow: 0,
            narrow_when: None,
            gap: 0,
            charge: None,
            wheel_by_middle: false,
            touch: 0,
            touch_source: Source::default(),
            nudge: 0,
            nudge_source: Source::default(),
            passing: Source::default(),
            closes_up: None,
            road: None,
            half: None,
            ahead: None,
            bar: None,
            leave: None,
            wheel_source: Source::default(),
            narrow_source: Source::default(),
            charge_source: Source::default(),
            source: Source::default(),
        };
    };
    let at = at!["movement"];
    let mut length = |key: &str, wire: &Option<MeasureWire>| {
        wire.as_ref().map_or_else(Default::default, |wire| measure(checker, &at.join(key), wire))
    };
    let (touch, nudge) = (length("touch", &movement.touch), length("nudge", &movement.nudge));
    let mut part = |key: &str, cited: &CitedWire| checker.source(&at.join(key), &cited.cite, cited.note.as_ref());
    let wheel_source = part("wheels", &movement.wheels);
    let narrow_source = part("narrows", &movement.narrows);
    let charge_source = part("charges", &movement.charges);
    Movement {
        wheel_source,
        narrow_source,
        charge_source,
        narrow: movement.narrow.hundredths(),
        narrow_when: checker.condition(&at.join("narrow-when"), movement.narrow_when.as_ref()),
        gap: movement.gap.hundredths(),
        charge: checker.condition(&at.join("charge"), movement.charge.as_ref()),
        wheel_by_middle: movement.wheel == WheelName::Middle,
        touch: touch.0,
        touch_source: touch.1,
        nudge: nudge.0,
        nudge_source: nudge.1,
        passing: rule(checker, &at.join("passing"), movement.passing.as_ref()).unwrap_or_default(),
        closes_up: rule(checker, &at.join("closes-up"), movement.closes_up.as_ref()),
        road: movement.road.as_ref().map(|road| measure(checker, &at.join("road"), road)),
        half: rates(checker, "half", &movement.half),
        ahead: movement.ahead.as_ref().map(|ahead| {
            let source = checker.source(&at.join("ahead"), &ahead.cite, ahead.note.as_ref());
            (i32::from(ahead.angle) * 10, source)
        }),
        bar: rates(checker, "bar", &movement.bar),
        leave: rates(checker, "leave", &movement.leave),
        source: checker.source(&at, &movement.cite, movement.note.as_ref()),
    }
}

fn rule(checker: &mut Checker<'_>, at: &Path, wire: Option<&RuleWire>) -> Option<Source> {
    wire.map(|rule| checker.source(at, &rule.cite, rule.note.as_ref()))
}

fn measure(checker: &mut Checker<'_>, at: &Path, wire: &MeasureWire) -> (i32, Source) {
    (wire.inches.hundredths(), checker.source(at, &wire.cite, wire.note.as_ref()))
}

/// Rows of `movement` that read the path of a move; they are looked up together.
fn rates(checker: &mut Checker<'_>, key: &str, rows_written: &[RateWire]) -> Option<Rates> {
    let (mut rows, mut conditions) = (Vec::new(), Vec::new());
    for row in rows_written {
        let at = at!["movement", key, row.id];
        conditions.extend(checker.expr(&at.join("when"), &row.when, Kind::Bool));
        rows.push(Rate { id: row.id.clone(), source: checker.source(&at, &row.cite, row.note.as_ref()) });
    }
    let first = Lookup::first(&conditions.iter().map(Some).collect::<Vec<Option<&Expr>>>());
    (!rows.is_empty()).then_some(Rates { rows, first })
}

/// The sequence of play, and everything else that has its own dice.
#[derive(Clone)]
pub(super) struct Sequence {
    pub(super) phases: Arc<[Phase]>,
    pub(super) reactions: Arc<[Reaction]>,
    pub(super) activation: Arc<Activation>,
    pub(super) turn_order: Option<Arc<TurnOrder>>,
    pub(super) flight: Option<Arc<Flight>>,
    pub(super) generals: Option<Arc<Generals>>,
    pub(super) hex: Option<Arc<HexRules>>,
    pub(super) last_turn: Option<Arc<LastTurn>>,
    pub(super) arrival: Option<Arc<Arrival>>,
}

pub(super) fn sequence(
    checker: &mut Checker<'_>,
    wire: &Pack<'_>,
    rolls: &Rolls<'_>,
    (morale, calls): (&[MoraleState], &Calls),
) -> Sequence {
    if wire.phase.is_empty() {
        checker.fault(&at!["phase"], "a sequence of play needs at least one phase", None);
    }
    let mut sites = Sites::default();
    let mut phases = Vec::new();
    for (index, phase) in wire.phase.iter().enumerate() {
        let at = at!["phase", phase.id];
        let roll = phase_roll(checker, wire, phase, &at);
        let source = checker.source(&at, &phase.cite, phase.note.as_ref());
        let sources = phase_source(checker, phase, &at, &source);
        army::check_phase(checker, wire, phase, &at);
        check_when(checker, phase, &at);
        phases.push(Phase {
            id: phase.id.clone(),
            title: phase.title.clone(),
            mechanism: mechanism(phase.mechanism, roll),
            site: phase.roll.as_ref().map_or(Site::default(), |_| sites.next(index)),
            when: checker.condition(&at.join("when"), phase.when.as_ref()),
            over: over(checker, phase, &at),
            template: template(checker, wire, phase, &at, &rolls.dice, &mut || sites.next(index)).map(Arc::new),
            through: through(checker, wire, phase, &at).map(Arc::new),
            regroup: regroup(checker, wire, phase, &at).map(Arc::new),
            simultaneous: simultaneous(checker, wire, phase, &at),
            resolution: resolution(checker, wire, phase, &at).map(Arc::new),
            casualties: casualties(checker, wire, phase, &at, &mut || sites.next(index)).map(Arc::new),
            answer: volleys(checker, phase, &at, "answer", &phase.answer),
            idle: volleys(checker, phase, &at, "idle", &phase.idle),
            by: phase.by,
            halves: [phase.half != HalfName::Second, phase.half != HalfName::First],
            source,
            sources,
        });
    }
    let mut reactions = Vec::new();
    for reaction in &wire.reaction {
        let at = at!["reaction", reaction.id];
        reactions.push(Reaction {
            id: reaction.id.clone(),
            title: reaction.title.clone(),
            on: reaction.on,
            roll: reaction.roll.as_ref().and_then(|roll| checker.roll(&at.join("roll"), roll)),
            own: plain_effect(checker, &at.join("own"), &reaction.own, morale),
            foe: plain_effect(checker, &at.join("foe"), &reaction.foe, morale),
            site: reaction.roll.as_ref().map_or(Site::default(), |_| sites.next(home_of(reaction.on, &phases))),
            when: checker.condition(&at.join("when"), reaction.when.as_ref()),
            source: checker.source(&at, &reaction.cite, reaction.note.as_ref()),
        });
    }
    let paid = home(&phases, |mechanism| mechanism == Mechanism::Orders);
    let source = source_of_activation(checker, wire);
    let activation = activation(checker, wire, &source, &rolls.dice, &mut || sites.next(paid));
    let running = home(&phases, |mechanism| matches!(mechanism, Mechanism::Onset(_) | Mechanism::Flight));
    let flight = flight(checker, wire, &rolls.dice, &mut || sites.next(running));
    let hex = hex(checker, wire, &phases, &mut sites);
    let generals = generals(checker, wire, &rolls.dice, &mut || sites.next(running)).map(Arc::new);
    let last_turn = last_turn(checker, wire, &rolls.dice, &mut || sites.next(phases.len().saturating_sub(1)));
    let turn_order = turn_order(checker, wire, source, &rolls.dice, &mut || sites.next(0)).map(Arc::new);
    let arrival = arrival(checker, wire, (rolls, calls), &mut || sites.next(0));
    sites.check(checker);
    Sequence {
        phases: phases.into(),
        reactions: reactions.into(),
        activation: Arc::new(activation),
        turn_order,
        flight: flight.map(Arc::new),
        generals,
        hex: hex.map(Arc::new),
        last_turn: last_turn.map(Arc::new),
        arrival: arrival.map(Arc::new),
    }
}

/// Checks that rolls suit the phases that make them. The phases themselves read only the name of a roll.
pub(super) fn check_rolls(checker: &mut Checker<'_>, wire: &Pack<'_>, rolls: &Rolls<'_>) {
    for phase in &wire.phase {
        let at = at!["phase", phase.id];
        army::check_roll(checker, wire, phase, &at, rolls);
        casualties::check_roll(checker, wire, phase, &at, rolls);
    }
    hex::check_rolls(checker, wire);
}

/// The sources of individual acts of a formation or charge phase.
fn phase_source(checker: &mut Checker<'_>, phase: &PhaseWire, at: &Path, row: &Source) -> PhaseSource {
    let PhaseCitesWire { forms, alters, turns, spent, takes } = &phase.cites;
    let mut key = |key: &str, cite: &Option<Vec<CiteWire>>, of: MechanismName, message: &str| {
        if cite.is_some() && phase.mechanism != of {
            checker.fault(&at.join("cites").join(key), message, None);
        }
        checker.key_source(at, key, cite.as_ref(), row)
    };
    let (forming, single) = (MechanismName::Formation, "only a `formation` phase can cite clauses for single acts");
    PhaseSource {
        forms: key("forms", forms, forming, single),
        alters: key("alters", alters, forming, single),
        turns: key("turns", turns, forming, single),
        spent: key("spent", spent, forming, single),
        takes: key("takes", takes, MechanismName::Onset, "positions are taken in an `onset` phase"),
    }
}

/// Refuses a condition if other rules decide which units take part.
fn check_when(checker: &mut Checker<'_>, phase: &PhaseWire, at: &Path) {
    let (message, help) = match phase.mechanism {
        _ if phase.when.is_none() => return,
        MechanismName::Onset => (
            "an `onset` phase carries out all charges that have been declared",
            "to exclude units, give the act `charge` a bar",
        ),
        MechanismName::Command => (
            "a `command` phase plays a card, and the card says which units take part",
            "use the card's `of` to say which units it orders",
        ),
        _ => return,
    };
    checker.fault(&at.join("when"), message, Some(help));
}

/// The sources of parts of a volley phase.
fn volleys(checker: &mut Checker<'_>, phase: &PhaseWire, at: &Path, key: &str, cited: &CitedWire) -> Source {
    if phase.mechanism != MechanismName::Volley && !cited.cite.is_empty() {
        checker.fault(&at.join(key), format!("only a `volley` phase has `{key}`"), None);
    }
    checker.source(&at.join(key), &cited.cite, cited.note.as_ref())
}

fn over(checker: &mut Checker<'_>, phase: &PhaseWire, at: &Path) -> Option<Over> {
    let over = phase.over.as_ref()?;
    let at = at.join("over");
    if phase.mechanism != MechanismName::Volley {
        checker.fault(&at, "only a `volley` phase has `over`", None);
    }
    Some(Over {
        friends: checker.condition(&at.join("friends"), Some(&over.friends)),
        clear: over.clear.hundredths(),
        anybody: checker.condition(&at.join("anybody"), over.anybody.as_ref()),
        source: checker.source(&at, &over.cite, over.note.as_ref()),
    })
}

/// The rule for shots of a fire phase that go through their target.
fn through(checker: &mut Checker<'_>, wire: &Pack<'_>, phase: &PhaseWire, at: &Path) -> Option<Through> {
    let through = phase.through.as_ref()?;
    let at = at.join("through");
    if phase.mechanism != MechanismName::Fire || wire.board == BoardName::None {
        let message = "only shots of a `fire` phase on a `plane` or `hex` board go through their target";
        checker.fault(&at, message, None);
        return None;
    }
    let on_hexes = wire.board == BoardName::Hex;
    let beyond = through.beyond.map(|beyond| beyond.hundredths());
    if beyond == Some(0) {
        let help = "give more than 0, or omit `through`";
        let message = "a shot that goes no farther than its target hits no other unit";
        checker.fault(&at.join("beyond"), message, Some(help));
    } else if on_hexes && beyond.is_some_and(|beyond| beyond % 100 != 0) {
        let help = "give a whole number of hexes";
        checker.fault(&at.join("beyond"), "a shot on a `hex` board goes from hex to hex", Some(help));
    }
    let roll = through.roll.as_ref();
    Some(Through {
        beyond: beyond.map(|beyond| if on_hexes { beyond / 100 } else { beyond }),
        when: checker.condition(&at.join("when"), through.when.as_ref()),
        roll: roll.and_then(|roll| checker.roll(&at.join("roll"), roll)),
        most: through.most.unwrap_or(u8::MAX),
        friends: through.friends,
        source: checker.source(&at, &through.cite, through.note.as_ref()),
    })
}

/// The template of a fire phase.
fn template(
    checker: &mut Checker<'_>,
    wire: &Pack<'_>,
    phase: &PhaseWire,
    at: &Path,
    dice: &PackDice,
    site: &mut dyn FnMut() -> Site,
) -> Option<Template> {
    let template = phase.template.as_ref()?;
    let at = at.join("template");
    if phase.mechanism != MechanismName::Fire || wire.board == BoardName::None {
        checker.fault(&at, "only a `fire` phase on a `plane` or `hex` board can have a template", None);
        return None;
    }
    let on_hexes = wire.board == BoardName::Hex;
    let hundredths = template.radius.hundredths();
    if on_hexes && hundredths % 100 != 0 {
        let help = "give a whole number of hexes; 0 is a single hex";
        checker.fault(&at.join("radius"), "a template on a `hex` board covers whole hexes", Some(help));
    } else if !on_hexes && hundredths <= 0 {
        checker.fault(&at.join("radius"), "a template needs a radius", Some("give more than 0 inches"));
    }
    let strays = template.scatter.as_ref();
    Some(Template {
        radius: if on_hexes { hundredths / 100 } else { hundredths },
        when: checker.condition(&at.join("when"), template.when.as_ref()),
        scatter: strays.and_then(|wire| scatter(checker, wire, on_hexes, &at.join("scatter"), dice, site)),
        friends: template.friends,
        source: checker.source(&at, &template.cite, template.note.as_ref()),
    })
}

fn scatter(
    checker: &mut Checker<'_>,
    wire: &ScatterWire,
    on_hexes: bool,
    at: &Path,
    dice: &PackDice,
    site: &mut dyn FnMut() -> Site,
) -> Option<Scatter> {
    let (each, directions) = if on_hexes { of_hexes(checker, wire, at) } else { of_inches(checker, wire, at)? };
    let distance = sum_of_dice(checker, &at.join("dice"), &wire.dice, dice, &wire.cite);
    let one_of = format!("d{directions}");
    let direction = sum_of_dice(checker, &at.join("directions"), &one_of, dice, &wire.cite);
    Some(Scatter {
        distance: distance?,
        each,
        direction: direction?,
        directions,
        site: site(),
        source: checker.source(at, &wire.cite, wire.note.as_ref()),
    })
}

/// Hundredths of an inch for each point, and the number of directions.
fn of_inches(checker: &mut Checker<'_>, wire: &ScatterWire, at: &Path) -> Option<(i32, u16)> {
    for (missing, key) in [(wire.inches.is_none(), "inches"), (wire.directions.is_none(), "directions")] {
        if missing {
            let help = format!("add `{key}`");
            checker.fault(at, format!("`scatter` on a `plane` board needs `{key}`"), Some(&help));
        }
    }
    let (inches, directions) = (wire.inches?.hundredths(), wire.directions?);
    if inches <= 0 {
        let help = "give more than 0 inches, or omit `scatter`";
        checker.fault(&at.join("inches"), "a shot that drifts by 0 inches does not drift", Some(help));
    }
    Some((inches, directions))
}

/// A point is a hex, and there are six directions.
fn of_hexes(checker: &mut Checker<'_>, wire: &ScatterWire, at: &Path) -> (i32, u16) {
    if wire.inches.is_some() {
        let help = "omit `inches`: each point on the dice is a hex";
        checker.fault(&at.join("inches"), "a shot on a `hex` board drifts by hexes", Some(help));
    }
    if wire.directions.is_some() {
        let help = "omit `directions`";
        checker.fault(&at.join("directions"), "a shot on a `hex` board drifts in one of six directions", Some(help));
    }
    (1, 6)
}

fn phase_roll(checker: &mut Checker<'_>, wire: &Pack<'_>, phase: &PhaseWire, at: &Path) -> RollId {
    let rolls = matches!(
        phase.mechanism,
        MechanismName::Fire
            | MechanismName::Shock
            | MechanismName::Exchange
            | MechanismName::Test
            | MechanismName::Army
            | MechanismName::Volley
            | MechanismName::Onset
    );
    if wire.board == BoardName::None
        && matches!(
            phase.mechanism,
            MechanismName::Charge
                | MechanismName::Move
                | MechanismName::Shock
                | MechanismName::Orders
                | MechanismName::Volley
                | MechanismName::Onset
                | MechanismName::Flight
        )
    {
        checker.fault(
            &at.join("mechanism"),
            "this mechanism needs a board to move on",
            Some("on board `none` use `exchange`, `fire`, `formation`, `test`, `resolve`, `army` or `regroup`"),
        );
    }
    let of_hexes = matches!(phase.mechanism, MechanismName::Command | MechanismName::CloseCombat);
    let of_ground = matches!(
        phase.mechanism,
        MechanismName::Formation | MechanismName::Charge | MechanismName::Shock | MechanismName::Exchange
    );
    if phase.mechanism == MechanismName::Exchange && wire.board == BoardName::Hex {
        let help = "use `fire` at a distance and `close-combat` next to the enemy: both can be simultaneous";
        checker.fault(&at.join("mechanism"), "units on a `hex` board do not `exchange` blows or fire", Some(help));
    } else if (of_hexes && wire.board != BoardName::Hex) || (of_ground && wire.board == BoardName::Hex) {
        let help = "a `hex` board has `command`, `move`, `fire`, `close-combat`, `test`, `resolve`, `army` and `regroup`; `command` and `close-combat` exist on no \
                    other board";
        checker.fault(&at.join("mechanism"), "the pack's board does not have this mechanism", Some(help));
    }
    match (&phase.roll, rolls) {
        (Some(roll), true) => checker.roll(&at.join("roll"), roll).unwrap_or(RollId::FIRST),
        (None, true) => {
            checker.fault(at, format!("phase `{}` needs a roll", phase.id), Some("add `roll` with a roll's name"));
            RollId::FIRST
        }
        (Some(_), false) => {
            checker.fault(&at.join("roll"), "a phase with this mechanism makes no roll", Some("omit `roll`"));
            RollId::FIRST
        }
        (None, false) => RollId::FIRST,
    }
}

fn mechanism(name: MechanismName, roll: RollId) -> Mechanism {
    match name {
        MechanismName::Formation => Mechanism::Formation,
        MechanismName::Charge => Mechanism::Charge,
        MechanismName::Move => Mechanism::Move,
        MechanismName::Fire => Mechanism::Fire(roll),
        MechanismName::Shock => Mechanism::Shock(roll),
        MechanismName::Exchange => Mechanism::Exchange(roll),
        MechanismName::Test => Mechanism::Test(roll),
        MechanismName::Resolve => Mechanism::Resolve,
        MechanismName::Army => Mechanism::Army(roll),
        MechanismName::Regroup => Mechanism::Regroup,
        MechanismName::Orders => Mechanism::Orders,
        MechanismName::Volley => Mechanism::Volley(roll),
        MechanismName::Onset => Mechanism::Onset(roll),
        MechanismName::Flight => Mechanism::Flight,
        MechanismName::Command => Mechanism::Command,
        MechanismName::CloseCombat => Mechanism::CloseCombat,
    }
}

pub(super) fn victory(checker: &mut Checker<'_>, wire: &Pack<'_>, last: Option<&Arc<LastTurn>>) -> Victory {
    let victory = &wire.victory;
    Victory {
        broken: victory.broken,
        lost: checker.condition(&at!["victory", "lost"], victory.lost.as_ref()),
        half: checker.condition(&at!["victory", "half"], victory.half.as_ref()),
        at_half: victory.at == VictoryAtName::Half,
        banners: victory.banners,
        limit: victory.limit,
        points: points(checker, wire).map(Arc::new),
        last: last.cloned(),
        source: checker.source(&at!["victory"], &victory.cite, victory.note.as_ref()),
    }
}
