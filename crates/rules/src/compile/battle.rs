//! Board, clauses, sequence of play, reactions, doctrine and victory.

use std::sync::Arc;

use super::act::act_for;
use super::checker::{Checker, at};
use super::flight::flight;
use super::general::generals;
use super::hex::hex;
use super::path::legs;
use super::player::players;
use super::roll::{PackDice, Rolls, plain_effect, sum_of_dice};
use super::sites::{Sites, home, home_of};
use crate::model::{
    Act, Activation, ArcSource, Board, CHOICES, Choice, Clause, Decisions, Doctrine, DoctrineRow, Flight, Formation,
    Generals, HexRules, Limit, Mechanism, MoraleState, Movement, OfAny, Order, Over, Phase, PhaseSource, Rate, Rates,
    Reaction, Scatter, Site, Source, Table, Template, Trigger, Victory, Whose,
};
use crate::wire::{
    ArcCitesWire, ArcWire, BoardName, By, CiteWire, CitedWire, ClauseWire, DoctrineRowWire, EventName, HalfName,
    LimitName, MeasureWire, MechanismName, OfName, OrderName, PackWire, PhaseCitesWire, PhaseWire, RateWire,
    ScatterWire, VictoryAtName, WheelName,
};
use grognard_expr::{Expr, Kind, Lookup, Row};
use grognard_source::Path;

pub(super) fn clauses(checker: &mut Checker<'_>, wire: &PackWire) -> Vec<Clause> {
    for clause in &wire.clause {
        if clause.id == "house" {
            let message = "`house` marks values without a clause and cannot be one";
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

/// The board, and where its table and its arc come from.
pub(super) fn board(checker: &mut Checker<'_>, wire: &PackWire) -> (Board, Source, ArcSource) {
    match wire.board {
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

pub(super) fn movement(checker: &mut Checker<'_>, wire: &PackWire) -> Movement {
    let Some(movement) = &wire.movement else {
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
        passing: movement.passing.as_ref().map_or_else(Source::default, |passing| {
            checker.source(&at.join("passing"), &passing.cite, passing.note.as_ref())
        }),
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

fn measure(checker: &mut Checker<'_>, at: &Path, wire: &MeasureWire) -> (i32, Source) {
    (wire.inches.hundredths(), checker.source(at, &wire.cite, wire.note.as_ref()))
}

/// Rows of `movement` that read the way of a move; they are looked up together.
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

/// The sequence of play, and everything else that takes dice of its own.
pub(super) struct Sequence {
    pub(super) phases: Vec<Phase>,
    pub(super) reactions: Vec<Reaction>,
    pub(super) activation: Activation,
    pub(super) flight: Option<Flight>,
    pub(super) generals: Option<Box<Generals>>,
    pub(super) hex: Option<Box<HexRules>>,
}

pub(super) fn sequence(checker: &mut Checker<'_>, wire: &PackWire, rolls: &Rolls, morale: &[MoraleState]) -> Sequence {
    if wire.phase.is_empty() {
        checker.fault(&at!["phase"], "a sequence of play has at least one phase", None);
    }
    let mut sites = Sites::default();
    let mut phases = Vec::new();
    for (index, phase) in wire.phase.iter().enumerate() {
        let at = at!["phase", phase.id];
        let roll = phase_roll(checker, wire, phase, &at);
        let source = checker.source(&at, &phase.cite, phase.note.as_ref());
        let sources = phase_source(checker, phase, &at, &source);
        phases.push(Phase {
            id: phase.id.clone(),
            title: phase.title.clone(),
            mechanism: mechanism(phase.mechanism, roll),
            site: phase.roll.as_ref().map_or(Site::default(), |_| sites.next(index)),
            when: checker.condition(&at.join("when"), phase.when.as_ref()),
            over: over(checker, phase, &at),
            template: template(checker, wire, phase, &at, &rolls.dice, &mut || sites.next(index)).map(Arc::new),
            answer: volleys(checker, phase, &at, "answer", &phase.answer),
            idle: volleys(checker, phase, &at, "idle", &phase.idle),
            by: match phase.by {
                By::Active => Whose::Active,
                By::Passive => Whose::Passive,
                By::Both => Whose::Both,
            },
            halves: [phase.half != HalfName::Second, phase.half != HalfName::First],
            source,
            sources,
        });
    }
    let names = wire.roll.keys().map(String::as_str);
    let mut reactions = Vec::new();
    for reaction in &wire.reaction {
        let at = at!["reaction", reaction.id];
        let on = match reaction.on {
            EventName::Charged => Trigger::Charged,
            EventName::Losses => Trigger::Losses,
            EventName::TurnsInZone => Trigger::TurnsInZone,
            EventName::PivotsInZone => Trigger::PivotsInZone,
            EventName::FormsInZone => Trigger::FormsInZone,
            EventName::Threatened => Trigger::Threatened,
            EventName::Beaten => Trigger::Beaten,
            EventName::Struck => Trigger::Struck,
            EventName::Held => Trigger::Held,
            EventName::Broken => Trigger::Broken,
            EventName::Won => Trigger::Won,
        };
        reactions.push(Reaction {
            id: reaction.id.clone(),
            title: reaction.title.clone(),
            on,
            roll: reaction.roll.as_ref().and_then(|roll| checker.find(&at.join("roll"), "roll", roll, names.clone())),
            own: plain_effect(checker, &at.join("own"), &reaction.own, morale),
            foe: plain_effect(checker, &at.join("foe"), &reaction.foe, morale),
            site: reaction.roll.as_ref().map_or(Site::default(), |_| sites.next(home_of(on, &phases))),
            when: checker.condition(&at.join("when"), reaction.when.as_ref()),
            source: checker.source(&at, &reaction.cite, reaction.note.as_ref()),
        });
    }
    let paid = home(&phases, |mechanism| mechanism == Mechanism::Orders);
    let activation = activation(checker, wire, &rolls.dice, &mut || sites.next(paid));
    let running = home(&phases, |mechanism| matches!(mechanism, Mechanism::Onset(_) | Mechanism::Flight));
    let flight = flight(checker, wire, &rolls.dice, &mut || sites.next(running));
    let hex = hex(checker, wire, &phases, &mut sites);
    let generals = generals(checker, wire, &rolls.dice, &mut || sites.next(running)).map(Box::new);
    sites.check(checker);
    Sequence { phases, reactions, activation, flight, generals, hex }
}

/// Where single acts of a formation phase come from.
fn phase_source(checker: &mut Checker<'_>, phase: &PhaseWire, at: &Path, row: &Source) -> PhaseSource {
    let PhaseCitesWire { forms, alters, turns, spent } = &phase.cites;
    let mut key = |key: &str, cite: &Option<Vec<CiteWire>>| {
        if cite.is_some() && phase.mechanism != MechanismName::Formation {
            checker.fault(&at.join("cites").join(key), "only a `formation` phase cites single acts", None);
        }
        checker.key_source(at, key, cite.as_ref(), row)
    };
    PhaseSource {
        forms: key("forms", forms),
        alters: key("alters", alters),
        turns: key("turns", turns),
        spent: key("spent", spent),
    }
}

/// Where a part of a volley phase comes from.
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

/// What one shot of a fire phase covers.
fn template(
    checker: &mut Checker<'_>,
    wire: &PackWire,
    phase: &PhaseWire,
    at: &Path,
    dice: &PackDice,
    site: &mut dyn FnMut() -> Site,
) -> Option<Template> {
    let template = phase.template.as_ref()?;
    let at = at.join("template");
    if phase.mechanism != MechanismName::Fire || wire.board != BoardName::Plane {
        checker.fault(&at, "only a `fire` phase on a `plane` board has a template", None);
        return None;
    }
    if template.radius.hundredths() <= 0 {
        checker.fault(&at.join("radius"), "a template without an extent hits nothing", Some("give more than 0 inches"));
    }
    Some(Template {
        radius: template.radius.hundredths(),
        when: checker.condition(&at.join("when"), template.when.as_ref()),
        scatter: template.scatter.as_ref().and_then(|wire| scatter(checker, wire, &at.join("scatter"), dice, site)),
        friends: template.friends,
        source: checker.source(&at, &template.cite, template.note.as_ref()),
    })
}

fn scatter(
    checker: &mut Checker<'_>,
    wire: &ScatterWire,
    at: &Path,
    dice: &PackDice,
    site: &mut dyn FnMut() -> Site,
) -> Option<Scatter> {
    if wire.inches.hundredths() <= 0 {
        let help = "give more than 0 inches, or leave `scatter` out";
        checker.fault(&at.join("inches"), "a shot that strays by nothing does not stray", Some(help));
    }
    let distance = sum_of_dice(checker, &at.join("dice"), &wire.dice, dice, &wire.cite);
    let one_of = format!("d{}", wire.directions);
    let direction = sum_of_dice(checker, &at.join("directions"), &one_of, dice, &wire.cite);
    Some(Scatter {
        distance: distance?,
        inches: wire.inches.hundredths(),
        direction: direction?,
        directions: wire.directions,
        site: site(),
        source: checker.source(at, &wire.cite, wire.note.as_ref()),
    })
}

fn activation(
    checker: &mut Checker<'_>,
    wire: &PackWire,
    dice: &PackDice,
    site: &mut dyn FnMut() -> Site,
) -> Activation {
    let Some(activation) = &wire.activation else { return Activation::All };
    let at = at!["activation"];
    let source = checker.source(&at, &activation.cite, activation.note.as_ref());
    match (activation.orders, &activation.dice) {
        (Some(orders), None) => Activation::Orders(orders),
        (None, Some(text)) => match sum_of_dice(checker, &at.join("dice"), text, dice, &activation.cite) {
            Some(odds) => Activation::Dice { odds: Box::new(odds), site: site(), source },
            None => Activation::All,
        },
        _ => {
            let help = "give one of `orders` and `dice`, or leave the table out: then every unit may act";
            checker.fault(&at, "it is not clear how many orders a side may give", Some(help));
            Activation::All
        }
    }
}

fn phase_roll(checker: &mut Checker<'_>, wire: &PackWire, phase: &PhaseWire, at: &Path) -> u8 {
    let rolls = matches!(
        phase.mechanism,
        MechanismName::Fire
            | MechanismName::Shock
            | MechanismName::Exchange
            | MechanismName::Test
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
            Some("on board `none` use `exchange`, `fire`, `formation` or `test`"),
        );
    }
    let of_hexes = matches!(phase.mechanism, MechanismName::Command | MechanismName::CloseCombat);
    let of_ground = matches!(
        phase.mechanism,
        MechanismName::Formation | MechanismName::Charge | MechanismName::Shock | MechanismName::Exchange
    );
    if (of_hexes && wire.board != BoardName::Hex) || (of_ground && wire.board == BoardName::Hex) {
        let help = "on a `hex` board: `command`, `move`, `fire`, `close-combat` and `test`, of which the first and the fourth \
                    are found on no other board";
        checker.fault(&at.join("mechanism"), "this mechanism does not belong to the pack's board", Some(help));
    }
    match (&phase.roll, rolls) {
        (Some(roll), true) => {
            let known = wire.roll.keys().map(String::as_str);
            checker.find(&at.join("roll"), "roll", roll, known).unwrap_or(0)
        }
        (None, true) => {
            checker.fault(at, format!("phase `{}` needs a roll", phase.id), Some("add `roll` with a roll's name"));
            0
        }
        (Some(_), false) => {
            checker.fault(&at.join("roll"), "a phase with this mechanism rolls nothing", Some("leave `roll` out"));
            0
        }
        (None, false) => 0,
    }
}

fn mechanism(name: MechanismName, roll: u8) -> Mechanism {
    match name {
        MechanismName::Formation => Mechanism::Formation,
        MechanismName::Charge => Mechanism::Charge,
        MechanismName::Move => Mechanism::Move,
        MechanismName::Fire => Mechanism::Fire(roll),
        MechanismName::Shock => Mechanism::Shock(roll),
        MechanismName::Exchange => Mechanism::Exchange(roll),
        MechanismName::Test => Mechanism::Test(roll),
        MechanismName::Orders => Mechanism::Orders,
        MechanismName::Volley => Mechanism::Volley(roll),
        MechanismName::Onset => Mechanism::Onset(roll),
        MechanismName::Flight => Mechanism::Flight,
        MechanismName::Command => Mechanism::Command,
        MechanismName::CloseCombat => Mechanism::CloseCombat,
    }
}

/// When rows apply with regard to the nearest enemy, and when to any.
type Applies = [Vec<Option<Expr>>; 2];

pub(super) fn doctrines(
    checker: &mut Checker<'_>,
    wire: &PackWire,
    formations: &[Formation],
    acts: &[Act],
) -> Vec<Doctrine> {
    let mut doctrines = Vec::new();
    for (id, doctrine) in &wire.doctrine {
        let mut by_phase: Vec<(Vec<DoctrineRow>, Applies)> = wire.phase.iter().map(|_| Default::default()).collect();
        let mut choices: Vec<[Vec<Option<Expr>>; CHOICES]> =
            wire.phase.iter().map(|_| std::array::from_fn(|_| Vec::new())).collect();
        for row in &doctrine.row {
            let at = at!["doctrine", id, "row", row.id];
            let phases = wire.phase.iter().map(|phase| phase.id.as_str());
            let phase = checker.find(&at.join("phase"), "phase", &row.phase, phases);
            let order = order(checker, row, &at, formations);
            let legs = legs(checker, row, &at);
            let when = row.when.as_ref().map(|when| checker.expr(&at.join("when"), when, Kind::Bool));
            let also = row.also.then(|| self::also(checker, row, &at));
            let of_any = row.of == OfName::Any;
            let (Some(phase), Some(order)) = (phase, order) else { continue };
            let phase = usize::from(phase);
            if of_any && (row.also || !chooses(wire.phase[phase].mechanism, wire.board)) {
                let help = "rows of formation, charge, move, fire and orders phases may, on a board without hexes, but for those with `also`";
                checker.fault(&at.join("of"), "this row cannot look at any enemy", Some(help));
            }
            if !fits(wire.phase[phase].mechanism, order, wire.board) {
                let help = "form, face, turn and hold-fire belong to formation phases, charge to charge and onset phases, advance, withdraw, follow, \
                            march and path to move phases, fire to fire phases, pursue and occupy to onset phases, manoeuvre to move phases on \
                            hexes, attack and what is decided in a combat to close-combat phases, hold to any of them; all \
                            but turn, follow, march, path, pursue and occupy belong to orders phases, and lead to no others";
                checker.fault(&at.join("do"), format!("phase `{}` cannot do this", row.phase), Some(help));
            }
            let may_follow = matches!(wire.phase[phase].mechanism, MechanismName::Formation | MechanismName::Move);
            if row.also && (!may_follow || by_phase[phase].0.is_empty()) {
                let message = "`also` follows another row of the same formation or move phase";
                checker.fault(&at.join("also"), message, None);
            }
            if let Order::Choose(choice) = order {
                choices[phase][choice as usize].push(when.flatten());
                continue;
            }
            let paid = wire.phase[phase].mechanism == MechanismName::Orders && order != Order::Hold;
            if row.towards.is_some() && (row.order != OrderName::Form || paid) {
                let message = "`towards` goes with `do = \"form\"` in formation and move phases only";
                checker.fault(&at.join("towards"), message, None);
            }
            let act = if paid { act_for(acts, order) } else { None };
            if paid && act.is_none() {
                let help = "add a row to `act` that says what it costs";
                checker.fault(&at.join("do"), "the pack has no act for this order", Some(help));
            }
            let when = when.flatten();
            // What is ordered in addition is never ordered first.
            let [nearest, of_any_enemy] = &mut by_phase[phase].1;
            nearest.push(if row.also || of_any { checker.never() } else { when.clone() });
            of_any_enemy.push(if of_any { when.clone() } else { checker.never() });
            let (id, towards) = (row.id.clone(), row.towards.unwrap_or_default());
            by_phase[phase].0.push(DoctrineRow { id, order, of_any, also, act, legs, when, towards });
        }
        let first = |when: Vec<Option<Expr>>| Lookup::first(&when.iter().map(Option::as_ref).collect::<Vec<_>>());
        let decisions = |(rows, [nearest, any]): (Vec<DoctrineRow>, Applies)| {
            let any = rows.iter().position(|row| row.of_any).map(|from| OfAny { from, first: first(any) });
            Decisions { rows, first: first(nearest), any }
        };
        let phases = by_phase.into_iter().map(decisions).collect();
        let joins = doctrine.row.iter().any(|row| matches!(row.order, OrderName::Join | OrderName::Leave));
        let detaches = doctrine.row.iter().any(|row| row.order == OrderName::Detach);
        let taken = |rows: Vec<Option<Expr>>| {
            let rows: Vec<Row<'_>> = rows.iter().map(|when| Row { when: when.as_ref(), add: 1 }).collect();
            (!rows.is_empty()).then(|| Lookup::sum(&rows))
        };
        let choices = choices.into_iter().map(|rows| rows.map(taken)).collect();
        let (title, players) = (doctrine.title.clone(), players(checker, wire, id, &doctrine.players));
        doctrines.push(Doctrine { id: id.clone(), title, detaches, joins, phases, choices, players });
    }
    if doctrines.is_empty() {
        let choices = wire.phase.iter().map(|_| std::array::from_fn(|_| None)).collect();
        let nothing = |_| Decisions { rows: Vec::new(), first: Lookup::first(&[]), any: None };
        doctrines.push(Doctrine {
            id: "none".into(),
            title: "no decisions".into(),
            detaches: false,
            joins: false,
            phases: wire.phase.iter().map(nothing).collect(),
            choices,
            players: Vec::new(),
        });
    }
    doctrines
}

/// When a row is ordered in addition.
fn also(checker: &mut Checker<'_>, row: &DoctrineRowWire, at: &Path) -> Lookup {
    let when = checker.condition(&at.join("when"), row.when.as_ref());
    when.unwrap_or_else(|| Lookup::sum(&[Row { when: None, add: 1 }]))
}

fn order(checker: &mut Checker<'_>, row: &DoctrineRowWire, at: &Path, formations: &[Formation]) -> Option<Order> {
    if row.formation.is_some() != (row.order == OrderName::Form) {
        checker.fault(at, "`formation` goes with `do = \"form\"`, and only with it", None);
    }
    if row.stop.is_some() && !matches!(row.order, OrderName::Advance | OrderName::Screen | OrderName::Follow) {
        checker.fault(&at.join("stop"), "`stop` goes with `advance`, `screen` and `follow` only", None);
    }
    if row.figures.is_some() && row.order != OrderName::Detach {
        checker.fault(&at.join("figures"), "`figures` goes with `do = \"detach\"` only", None);
    }
    if row.degrees.is_some() != (row.order == OrderName::Turn) {
        checker.fault(at, "`degrees` goes with `do = \"turn\"`, and only with it", None);
    }
    let shifts = row.order == OrderName::Shift;
    if row.bearing.is_some() != shifts || row.by.is_some() != shifts {
        checker.fault(at, "`bearing` and `by` go with `do = \"shift\"`, and only with it", None);
    }
    if row.weigh.is_some() != (row.order == OrderName::Manoeuvre) {
        checker.fault(at, "`weigh` goes with `do = \"manoeuvre\"`, and only with it", None);
    }
    Some(match row.order {
        OrderName::Turn => Order::Turn(row.degrees.unwrap_or(0) * 10),
        OrderName::Manoeuvre => Order::Manoeuvre(row.weigh?),
        OrderName::Attack => Order::Attack,
        OrderName::React => Order::Choose(Choice::React),
        OrderName::Evade => Order::Choose(Choice::Evade),
        OrderName::GiveGround => Order::Choose(Choice::GiveGround),
        OrderName::StandFast => Order::Choose(Choice::StandFast),
        OrderName::FollowUp => Order::Choose(Choice::FollowUp),
        OrderName::StrikeFirst => Order::Choose(Choice::StrikeFirst),
        OrderName::Lead => Order::Choose(Choice::Lead),
        OrderName::HoldFire => Order::Choose(Choice::HoldFire),
        OrderName::Hold => Order::Hold,
        OrderName::Face => Order::Face,
        OrderName::Charge => Order::Charge,
        OrderName::Withdraw => Order::Withdraw,
        OrderName::Join => Order::Join,
        OrderName::Leave => Order::Leave,
        OrderName::March => Order::March,
        OrderName::Detach => Order::Detach(row.figures.unwrap_or(0)),
        OrderName::Recall => Order::Recall,
        OrderName::Dismount => Order::Dismount,
        OrderName::Screen => Order::Screen(row.stop.map_or(0, |stop| stop.hundredths())),
        OrderName::Follow => Order::Follow(row.stop.map_or(0, |stop| stop.hundredths())),
        OrderName::Path => Order::Path,
        OrderName::Fire => Order::Fire,
        OrderName::Contact => Order::Contact,
        OrderName::Cease => Order::Cease,
        OrderName::Rally => Order::Rally,
        OrderName::Spike => Order::Spike,
        OrderName::Pursue => Order::Pursue,
        OrderName::Occupy => Order::Occupy,
        OrderName::Shift => Order::Shift { bearing: row.bearing?, by: row.by?.hundredths() },
        OrderName::Advance => Order::Advance(row.stop.map_or(0, |stop| stop.hundredths())),
        OrderName::Form => {
            let names = formations.iter().map(|formation| formation.id.as_str());
            Order::Form(checker.find(&at.join("formation"), "formation", row.formation.as_ref()?, names)?)
        }
    })
}

/// Whether rows of a phase may look at any enemy.
fn chooses(mechanism: MechanismName, board: BoardName) -> bool {
    board != BoardName::Hex
        && matches!(
            mechanism,
            MechanismName::Formation
                | MechanismName::Charge
                | MechanismName::Move
                | MechanismName::Fire
                | MechanismName::Orders
        )
}

fn fits(mechanism: MechanismName, order: Order, board: BoardName) -> bool {
    if mechanism == MechanismName::Orders {
        let elsewhere = matches!(
            order,
            Order::March | Order::Follow(_) | Order::Turn(_) | Order::Pursue | Order::Occupy | Order::Choose(_)
        );
        return !elsewhere || order == Order::Choose(Choice::Lead);
    }
    let hexes = board == BoardName::Hex;
    match order {
        Order::Manoeuvre(_) => mechanism == MechanismName::Move && hexes,
        Order::Advance(_) | Order::Withdraw | Order::Follow(_) if hexes => false,
        Order::Choose(Choice::HoldFire) => mechanism == MechanismName::Formation,
        Order::Choose(Choice::GiveGround | Choice::StandFast) if mechanism == MechanismName::Fire => hexes,
        Order::Choose(Choice::Lead) => false,
        Order::Attack | Order::Choose(_) => mechanism == MechanismName::CloseCombat,
        Order::Hold => true,
        Order::Form(_) => matches!(mechanism, MechanismName::Formation | MechanismName::Move),
        Order::Face | Order::Turn(_) | Order::Detach(_) | Order::Recall | Order::Dismount => {
            mechanism == MechanismName::Formation
        }
        Order::Charge => matches!(mechanism, MechanismName::Charge | MechanismName::Onset),
        Order::Advance(_)
        | Order::Withdraw
        | Order::Follow(_)
        | Order::March
        | Order::Path
        | Order::Screen(_)
        | Order::Join
        | Order::Leave => mechanism == MechanismName::Move,
        Order::Fire => mechanism == MechanismName::Fire,
        Order::Pursue | Order::Occupy => mechanism == MechanismName::Onset,
        Order::Contact | Order::Shift { .. } | Order::Cease | Order::Rally | Order::Spike => false,
    }
}

pub(super) fn victory(checker: &mut Checker<'_>, wire: &PackWire) -> Victory {
    let victory = &wire.victory;
    Victory {
        broken: victory.broken,
        lost: checker.condition(&at!["victory", "lost"], victory.lost.as_ref()),
        half: checker.condition(&at!["victory", "half"], victory.half.as_ref()),
        at_half: victory.at == VictoryAtName::Half,
        banners: victory.banners,
        limit: match victory.limit {
            LimitName::Draw => Limit::Draw,
            LimitName::First => Limit::First,
            LimitName::Second => Limit::Second,
            LimitName::Fewer => Limit::Fewer,
        },
        source: checker.source(&at!["victory"], &victory.cite, victory.note.as_ref()),
    }
}
