//! Acts: the cost of orders, and the conditions that forbid them.

use super::checker::{Checker, at};
use super::outline::FormationNames;
use crate::model::{Act, ActBar, ActBars, Deed, MoraleState, Order};
use crate::wire::{ActWire, DeedName, Pack};
use grognard_expr::{Expr, Kind, Lookup};

pub(super) fn acts(
    checker: &mut Checker<'_>,
    wire: &Pack<'_>,
    formations: &FormationNames,
    morale: &[MoraleState],
) -> Vec<Act> {
    wire.act.iter().filter_map(|row| act(checker, &wire.act, row, formations, morale)).collect()
}

fn act(
    checker: &mut Checker<'_>,
    all: &[ActWire],
    wire: &ActWire,
    formations: &FormationNames,
    morale: &[MoraleState],
) -> Option<Act> {
    let at = at!["act", wire.id];
    let deed = deed(checker, wire, formations, morale);
    let source = checker.source(&at, &wire.cite, wire.note.as_ref());
    let mut bars = Vec::new();
    let (mut before, mut planned) = (Vec::new(), Vec::new());
    for bar in &wire.bar {
        let at = at.join("bar").join(bar.id.as_str());
        let source = checker.stated_source(&at, ("bar", &bar.id), &bar.cite, bar.note.as_ref());
        let when = checker.expr(&at.join("when"), &bar.when, Kind::Bool);
        if let Some(when) = when {
            let moves = checker.reads_way(&when);
            if moves && !matches!(deed, Some(Deed::Move | Deed::Contact | Deed::Face | Deed::Form(_))) {
                let help = "only the acts `move`, `contact`, `face` and `form` can read `move`";
                checker.fault(&at.join("when"), "this act moves no unit", Some(help));
            }
            (if moves { &mut planned } else { &mut before }).push((bars.len() as u8, when));
        }
        bars.push(ActBar { id: bar.id.clone(), title: bar.title.clone(), source });
    }
    let marks = wire_marks(all, wire);
    if let Some(fault) = marks {
        checker.fault(
            &at.join("charges"),
            fault,
            Some("use it with `does = \"contact\"`, in a pack with an act that does `charge`"),
        );
    }
    if wire.on_the_spot.is_some() && wire.does != DeedName::Face {
        checker.fault(&at.join("on-the-spot"), "this act is not a pivot", Some("use it with `does = \"face\"`"));
    }
    Some(Act {
        id: wire.id.clone(),
        title: wire.title.clone(),
        deed: deed?,
        cost: wire.cost,
        turns: wire.turns,
        charges: checker.condition(&at.join("charges"), wire.charges.as_ref()),
        on_the_spot: checker.condition(&at.join("on-the-spot"), wire.on_the_spot.as_ref()),
        last: wire.last,
        bars,
        before: together(&before),
        planned: (!planned.is_empty()).then(|| together(&planned)),
        source,
    })
}

/// The fault message if `charges` is given where it is not allowed.
fn wire_marks(all: &[ActWire], wire: &ActWire) -> Option<&'static str> {
    wire.charges.as_ref()?;
    let charge = all.iter().any(|act| act.does == DeedName::Charge);
    (wire.does != DeedName::Contact || !charge).then_some("no charge can follow this act")
}

fn together(bars: &[(u8, Expr)]) -> ActBars {
    let conditions: Vec<Option<&Expr>> = bars.iter().map(|(_, when)| Some(when)).collect();
    ActBars { rows: bars.iter().map(|&(row, _)| row).collect(), first: Lookup::first(&conditions) }
}

fn deed(
    checker: &mut Checker<'_>,
    wire: &ActWire,
    formations: &FormationNames,
    morale: &[MoraleState],
) -> Option<Deed> {
    let at = at!["act", wire.id];
    if wire.formation.is_some() != (wire.does == DeedName::Form) {
        checker.fault(&at, "`formation` is required with `does = \"form\"`, and allowed only there", None);
    }
    if wire.morale.is_some() != (wire.does == DeedName::Rally) {
        checker.fault(&at, "`morale` is required with `does = \"rally\"`, and allowed only there", None);
    }
    Some(match wire.does {
        DeedName::Move => Deed::Move,
        DeedName::Contact => Deed::Contact,
        DeedName::Charge => Deed::Charge,
        DeedName::Fire => Deed::Fire,
        DeedName::Cease => Deed::Cease,
        DeedName::Face => Deed::Face,
        DeedName::Spike => Deed::Spike,
        DeedName::Form => {
            let known = formations.iter().map(String::as_str);
            Deed::Form(checker.find(&at.join("formation"), "formation", wire.formation.as_ref()?, known)?)
        }
        DeedName::Rally => {
            let known = morale.iter().map(|state| state.id.as_str());
            Deed::Rally(checker.find(&at.join("morale"), "morale state", wire.morale.as_ref()?, known)?)
        }
    })
}

/// The act that carries out an order.
pub(super) fn act_for(acts: &[Act], order: Order) -> Option<u8> {
    let does = |deed: Deed| match order {
        Order::Advance(_) | Order::Withdraw | Order::Shift { .. } => deed == Deed::Move,
        Order::Contact => deed == Deed::Contact,
        Order::Charge => deed == Deed::Charge,
        Order::Fire => deed == Deed::Fire,
        Order::Cease => deed == Deed::Cease,
        Order::Face => deed == Deed::Face,
        Order::Form(formation) => deed == Deed::Form(formation),
        Order::Rally => matches!(deed, Deed::Rally(_)),
        Order::Spike => deed == Deed::Spike,
        Order::Hold
        | Order::Join
        | Order::Leave
        | Order::Split
        | Order::Merge
        | Order::Follow(_)
        | Order::March
        | Order::Seize
        | Order::Path
        | Order::Turn(_)
        | Order::Bend
        | Order::Detach(_)
        | Order::Recall
        | Order::Dismount
        | Order::Screen(_)
        | Order::Pursue
        | Order::Occupy
        | Order::Manoeuvre(_)
        | Order::Attack
        | Order::Choose(_) => false,
    };
    acts.iter().position(|act| does(act.deed)).and_then(|index| u8::try_from(index).ok())
}
