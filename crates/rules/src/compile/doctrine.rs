//! Doctrines: what stands in for players, phase by phase.

use super::act::act_for;
use super::checker::{Checker, at};
use super::path::legs;
use super::player::players;
use crate::model::{Act, CHOICES, Choice, Decisions, Doctrine, DoctrineRow, Formation, OfAny, Order};
use crate::wire::{BoardName, DoctrineRowWire, MechanismName, OfName, OrderName, PackWire};
use grognard_expr::{Expr, Kind, Lookup, Row};
use grognard_source::Path;

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
