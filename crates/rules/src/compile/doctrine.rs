//! Doctrine: the orders that replace the decisions of the players.

use super::act::act_for;
use super::activation::activates;
use super::casualties::{attacks, of_doctrine};
use super::checker::{Checker, at, constant};
use super::outline::{DoctrineOutlines, FormationNames, KindOutline, PhaseOutline};
use super::path::legs;
use super::player::{best, players};
use super::regroup::check_order;
use super::repertoire::{Declared, widen};
use super::step::Made;
use crate::model::{Act, CHOICES, Choice, Decisions, Doctrine, DoctrineRow, OfAny, Offered, Order};
use crate::wire::{BoardName, DoctrineRowWire, DoctrineWire, MechanismName, OfName, OrderName, Pack, RepertoireName};
use grognard_expr::{Expr, Kind, Lookup, Row};
use grognard_source::Path;
use std::sync::Arc;

/// The context in which rows of doctrines are checked.
pub(super) struct Staff<'a> {
    pub(super) wire: &'a Pack<'a>,
    /// The facts about unit types; few packs need them.
    pub(super) kinds: &'a Made<'a, Arc<[KindOutline]>>,
    pub(super) formations: &'a Made<'a, FormationNames>,
    pub(super) acts: &'a Made<'a, Arc<[Act]>>,
    pub(super) phases: &'a Made<'a, Arc<[PhaseOutline]>>,
    pub(super) doctrines: &'a Made<'a, DoctrineOutlines>,
}

/// A doctrine's rows for a phase, before their conditions are merged.
#[derive(Clone, Default)]
pub(super) struct Orders {
    pub(super) rows: Vec<DoctrineRow>,
    /// By row, the condition for the nearest enemy, and for any enemy.
    applies: [Vec<Option<Expr>>; 2],
    /// The conditions for accepting each decision in the middle of a combat.
    choices: [Vec<Option<Expr>>; CHOICES],
    /// The enemies for which a player may accept such a decision although the doctrine has no row for it.
    pub(super) asked: [Option<Offered>; CHOICES],
}

impl Orders {
    /// Whether any row says when the doctrine accepts a decision.
    pub(super) fn decides(&self, choice: usize) -> bool {
        !self.choices[choice].is_empty()
    }

    /// The conditions under which rows accept a decision; a row without a condition always does.
    pub(super) fn choices(&self, choice: usize) -> &[Option<Expr>] {
        &self.choices[choice]
    }

    /// Adds a row that the doctrine never orders but a player may.
    pub(super) fn offer(&mut self, checker: &Checker<'_>, row: DoctrineRow) {
        self.applies.iter_mut().for_each(|when| when.push(checker.never()));
        // If another order is refused, later rows are tried one by one.
        self.rows.push(DoctrineRow { when: checker.never(), ..row });
    }

    fn decisions(&self) -> Decisions {
        let first = |when: &[Option<Expr>]| Lookup::first(&when.iter().map(Option::as_ref).collect::<Vec<_>>());
        let [nearest, any] = &self.applies;
        let of_any = self.rows.iter().position(|row| row.of_any && row.offered.is_none());
        let any = of_any.map(|from| OfAny { from, first: first(any) });
        Decisions { rows: self.rows.clone(), first: first(nearest), any }
    }

    fn taken(&self, choice: usize) -> Option<Lookup> {
        let rows: Vec<Row<'_>> = self.choices[choice].iter().map(|when| Row { when: when.as_ref(), add: 1 }).collect();
        (!rows.is_empty()).then(|| Lookup::sum(&rows))
    }
}

/// A doctrine as written, without its players' further options.
pub(super) struct Drawn {
    id: String,
    orders: Vec<Orders>,
    doctrine: Arc<Doctrine>,
}

/// Compiles a doctrine by itself.
pub(super) fn drawn(checker: &mut Checker<'_>, staff: &Staff<'_>, id: &str, wire: &DoctrineWire) -> Drawn {
    let orders = by_phase(checker, staff, id, wire);
    let [gives_up, picks_off] = of_doctrine(checker, staff.wire, id, wire);
    let doctrine = Doctrine {
        players: players(checker, staff.doctrines, id, &wire.players),
        best: best(checker, staff.doctrines, id, wire),
        gives_up,
        picks_off,
        attacks: attacks(checker, staff.wire, id, wire),
        activates: activates(checker, (staff.wire, staff.doctrines), id, wire),
        ..ordering(id, &wire.title, &orders)
    };
    Drawn { id: id.to_owned(), orders, doctrine: Arc::new(doctrine) }
}

/// A doctrine with these orders and no other keys.
fn ordering(id: &str, title: &str, phases: &[Orders]) -> Doctrine {
    let orders = |wanted: fn(&Order) -> bool| phases.iter().flat_map(|phase| &phase.rows).any(|row| wanted(&row.order));
    Doctrine {
        id: id.to_owned(),
        title: title.to_owned(),
        detaches: orders(|order| matches!(order, Order::Detach(_))),
        joins: orders(|order| matches!(order, Order::Join | Order::Leave)),
        phases: phases.iter().map(Orders::decisions).collect(),
        choices: phases.iter().map(|phase| std::array::from_fn(|choice| phase.taken(choice))).collect(),
        asked: phases.iter().map(|phase| phase.asked.clone()).collect(),
        players: Vec::new(),
        best: None,
        gives_up: Vec::new(),
        picks_off: Vec::new(),
        attacks: None,
        activates: None,
    }
}

/// All doctrines, with their players' further orders, some of which come from choices.
pub(super) fn doctrines(
    checker: &mut Checker<'_>,
    staff: &Staff<'_>,
    declared: &[Declared],
    drawn: &[Arc<Drawn>],
) -> Vec<Arc<Doctrine>> {
    let as_written = drawn.is_empty() || *staff.wire.repertoire == RepertoireName::Own;
    let to_widen = if as_written { &[] } else { drawn };
    let mut orders: Vec<(&str, Vec<Orders>)> =
        to_widen.iter().map(|one| (one.id.as_str(), one.orders.clone())).collect();
    widen(checker, staff, declared, &mut orders);
    if drawn.is_empty() {
        let none = vec![Orders::default(); staff.phases.len()];
        return vec![Arc::new(ordering("none", "no decisions", &none))];
    }
    if as_written {
        return drawn.iter().map(|one| Arc::clone(&one.doctrine)).collect();
    }
    let widened = |((id, orders), one): (&(&str, Vec<Orders>), &Arc<Drawn>)| {
        let Doctrine { title, players, gives_up, picks_off, attacks, activates, .. } = Doctrine::clone(&one.doctrine);
        Arc::new(Doctrine { players, gives_up, picks_off, attacks, activates, ..ordering(id, &title, orders) })
    };
    orders.iter().zip(drawn).map(widened).collect()
}

/// A doctrine's rows for each phase.
fn by_phase(checker: &mut Checker<'_>, staff: &Staff<'_>, id: &str, doctrine: &DoctrineWire) -> Vec<Orders> {
    let mut phases = vec![Orders::default(); staff.phases.len()];
    for row in &doctrine.row {
        let at = at!["doctrine", id, "row", row.id];
        let Some((phase, order)) = ordered(checker, staff, row, &at) else { continue };
        let legs = legs(checker, row, &at);
        let when = row.when.as_ref().map(|when| checker.expr(&at.join("when"), when, Kind::Bool));
        let also = row.also.then(|| self::also(checker, row, &at));
        let mechanism = staff.phases[phase].mechanism;
        let of_any = row.of == OfName::Any;
        let orders = &mut phases[phase];
        let may_follow = matches!(mechanism, MechanismName::Formation | MechanismName::Move);
        if row.also && (!may_follow || orders.rows.is_empty()) {
            let message = "`also` must follow another row of the same formation or move phase";
            checker.fault(&at.join("also"), message, None);
        }
        if let Order::Choose(choice) = order {
            orders.choices[choice as usize].push(when.flatten());
            continue;
        }
        let act = act(checker, staff, phase, order, &at);
        let when = when.flatten();
        // A row ordered in addition to another never applies first.
        let [nearest, of_any_enemy] = &mut orders.applies;
        nearest.push(if row.also || of_any { checker.never() } else { when.clone() });
        of_any_enemy.push(if of_any { when.clone() } else { checker.never() });
        let (id, towards) = (row.id.clone(), row.towards.unwrap_or_default());
        orders.rows.push(DoctrineRow { id, order, of_any, also, act, legs, when, towards, offered: None });
    }
    phases
}

/// The index of a row's phase, and the order. `None` if they are invalid, which is then reported.
pub(super) fn ordered(
    checker: &mut Checker<'_>,
    staff: &Staff<'_>,
    row: &DoctrineRowWire,
    at: &Path,
) -> Option<(usize, Order)> {
    let wire = staff.wire;
    let phases = staff.phases.iter().map(|phase| phase.id.as_str());
    let phase = checker.find::<u8>(&at.join("phase"), "phase", &row.phase, phases);
    let order = order(checker, row, at, staff.formations);
    let (phase, order) = (usize::from(phase?), order?);
    let mechanism = staff.phases[phase].mechanism;
    if row.of == OfName::Any && (row.also || !chooses(mechanism, *wire.board)) {
        let help = "only rows of formation, charge, move, fire and orders phases can have it, on a board without hexes and without `also`";
        checker.fault(&at.join("of"), "this row cannot have `of = \"any\"`", Some(help));
    }
    if !fits(mechanism, order, *wire.board) {
        let help = "form belongs to formation and move phases; face, turn, bend, detach, recall, dismount and hold-fire to formation phases; \
                    charge to charge and onset phases; advance, withdraw, follow, march, seize, path, screen, join and leave to move \
                    phases; fire to fire phases; pursue and occupy to onset phases; manoeuvre to move phases on hexes; split and merge to \
                    regroup phases; attack and the decisions of a combat to close-combat phases; hold to all of them. Orders phases \
                    have all but turn, follow, march, seize, path, pursue, occupy, split and merge; contact, shift, cease, rally, spike \
                    and lead belong only to them";
        checker.fault(&at.join("do"), format!("phase `{}` cannot do this", row.phase), Some(help));
    }
    check_order(checker, &staff.phases[phase], order, at);
    let bends = || wire.dressing.as_ref().is_some_and(|dressing| dressing.bends_within.is_some());
    if order == Order::Bend && !bends() {
        let help = "give `dressing.bends-within` and `dressing.bends-when`";
        checker.fault(&at.join("do"), "no unit of this pack bends by order", Some(help));
    }
    let paid = mechanism == MechanismName::Orders && order != Order::Hold;
    if order == Order::Seize && wire.objective.is_none() {
        let help = "add `[objective]`, which defines how objectives are held";
        checker.fault(&at.join("do"), "this pack has no objectives", Some(help));
    }
    if row.towards.is_some() && (row.order != OrderName::Form || paid) {
        let message = "`towards` is allowed only with `do = \"form\"`, in formation and move phases";
        checker.fault(&at.join("towards"), message, None);
    }
    Some((phase, order))
}

/// The act that carries out an order in a phase whose orders cost something. Holding and accepting a decision are free.
pub(super) fn act(checker: &mut Checker<'_>, staff: &Staff<'_>, phase: usize, order: Order, at: &Path) -> Option<u8> {
    let free = matches!(order, Order::Hold | Order::Choose(_));
    let paid = staff.phases[phase].mechanism == MechanismName::Orders && !free;
    let act = if paid { act_for(staff.acts, order) } else { None };
    if paid && act.is_none() {
        let help = "add a row with its cost to `act`";
        checker.fault(&at.join("do"), "the pack has no act for this order", Some(help));
    }
    act
}

/// The condition for a row ordered in addition.
fn also(checker: &mut Checker<'_>, row: &DoctrineRowWire, at: &Path) -> Lookup {
    let when = checker.condition(&at.join("when"), row.when.as_ref());
    when.unwrap_or_else(|| constant(1))
}

fn order(checker: &mut Checker<'_>, row: &DoctrineRowWire, at: &Path, formations: &FormationNames) -> Option<Order> {
    if row.formation.is_some() != (row.order == OrderName::Form) {
        checker.fault(at, "`formation` is required with `do = \"form\"`, and allowed only there", None);
    }
    if row.stop.is_some() && !matches!(row.order, OrderName::Advance | OrderName::Screen | OrderName::Follow) {
        checker.fault(&at.join("stop"), "`stop` is allowed only with `advance`, `screen` and `follow`", None);
    }
    if row.figures.is_some() && row.order != OrderName::Detach {
        checker.fault(&at.join("figures"), "`figures` is allowed only with `do = \"detach\"`", None);
    }
    if row.degrees.is_some() != (row.order == OrderName::Turn) {
        checker.fault(at, "`degrees` is required with `do = \"turn\"`, and allowed only there", None);
    }
    let shifts = row.order == OrderName::Shift;
    if row.bearing.is_some() != shifts || row.by.is_some() != shifts {
        checker.fault(at, "`bearing` and `by` are required with `do = \"shift\"`, and allowed only there", None);
    }
    if row.weigh.is_some() != (row.order == OrderName::Manoeuvre) {
        checker.fault(at, "`weigh` is required with `do = \"manoeuvre\"`, and allowed only there", None);
    }
    Some(match row.order {
        OrderName::Turn => Order::Turn(row.degrees.unwrap_or(0) * 10),
        OrderName::Manoeuvre => Order::Manoeuvre(row.weigh?),
        OrderName::Attack => Order::Attack,
        OrderName::React => Order::Choose(Choice::React),
        OrderName::Evade => Order::Choose(Choice::Evade),
        OrderName::GiveGround => Order::Choose(Choice::GiveGround),
        OrderName::StandFast => Order::Choose(Choice::StandFast),
        OrderName::HeedFlag => Order::Choose(Choice::HeedFlag),
        OrderName::FollowUp => Order::Choose(Choice::FollowUp),
        OrderName::StrikeFirst => Order::Choose(Choice::StrikeFirst),
        OrderName::Lead => Order::Choose(Choice::Lead),
        OrderName::HoldFire => Order::Choose(Choice::HoldFire),
        OrderName::Hold => Order::Hold,
        OrderName::Face => Order::Face,
        OrderName::Bend => Order::Bend,
        OrderName::Charge => Order::Charge,
        OrderName::Withdraw => Order::Withdraw,
        OrderName::Join => Order::Join,
        OrderName::Leave => Order::Leave,
        OrderName::Split => Order::Split,
        OrderName::Merge => Order::Merge,
        OrderName::March => Order::March,
        OrderName::Detach => Order::Detach(row.figures.unwrap_or(0)),
        OrderName::Recall => Order::Recall,
        OrderName::Dismount => Order::Dismount,
        OrderName::Screen => Order::Screen(row.stop.map_or(0, |stop| stop.hundredths())),
        OrderName::Follow => Order::Follow(row.stop.map_or(0, |stop| stop.hundredths())),
        OrderName::Path => Order::Path,
        OrderName::Seize => Order::Seize,
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
            let names = formations.iter().map(String::as_str);
            Order::Form(checker.find(&at.join("formation"), "formation", row.formation.as_ref()?, names)?)
        }
    })
}

/// Whether rows of a phase may consider any enemy.
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
            Order::March
                | Order::Seize
                | Order::Follow(_)
                | Order::Turn(_)
                | Order::Pursue
                | Order::Occupy
                | Order::Split
                | Order::Merge
                | Order::Choose(_)
        );
        return !elsewhere || order == Order::Choose(Choice::Lead);
    }
    let hexes = board == BoardName::Hex;
    match order {
        Order::Manoeuvre(_) => mechanism == MechanismName::Move && hexes,
        Order::Advance(_) | Order::Withdraw | Order::Follow(_) if hexes => false,
        Order::Choose(Choice::HoldFire) => mechanism == MechanismName::Formation,
        Order::Choose(Choice::GiveGround | Choice::StandFast | Choice::HeedFlag)
            if mechanism == MechanismName::Fire =>
        {
            hexes
        }
        Order::Choose(Choice::Lead) => false,
        Order::Attack | Order::Choose(_) => mechanism == MechanismName::CloseCombat,
        Order::Hold => true,
        Order::Form(_) => matches!(mechanism, MechanismName::Formation | MechanismName::Move),
        Order::Face | Order::Turn(_) | Order::Bend | Order::Detach(_) | Order::Recall | Order::Dismount => {
            mechanism == MechanismName::Formation
        }
        Order::Charge => matches!(mechanism, MechanismName::Charge | MechanismName::Onset),
        Order::Advance(_)
        | Order::Withdraw
        | Order::Follow(_)
        | Order::March
        | Order::Path
        | Order::Seize
        | Order::Screen(_)
        | Order::Join
        | Order::Leave => mechanism == MechanismName::Move,
        Order::Fire => mechanism == MechanismName::Fire,
        Order::Split | Order::Merge => mechanism == MechanismName::Regroup,
        Order::Pursue | Order::Occupy => mechanism == MechanismName::Onset,
        Order::Contact | Order::Shift { .. } | Order::Cease | Order::Rally | Order::Spike => false,
    }
}
