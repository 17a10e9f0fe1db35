//! Rules for units that split and merge.

use super::checker::Checker;
use super::outline::PhaseOutline;
use crate::model::{Merge, Order, Regroup, Split};
use crate::wire::{BoardName, MechanismName, Pack, PhaseWire};
use grognard_source::Path;

/// The rules of a phase in which units split and merge; `None` for other phases.
pub(super) fn regroup(checker: &mut Checker<'_>, wire: &Pack<'_>, phase: &PhaseWire, at: &Path) -> Option<Regroup> {
    if phase.mechanism != MechanismName::Regroup {
        for (key, given) in [("split", phase.split.is_some()), ("merge", phase.merge.is_some())] {
            if given {
                let message = format!("only a `regroup` phase has `{key}`");
                checker.fault(&at.join(key), message, Some("write `mechanism = \"regroup\"`"));
            }
        }
        return None;
    }
    if phase.split.is_none() && phase.merge.is_none() {
        let help = "add a table `split`, `merge` or both";
        checker.fault(at, format!("in phase `{}` units neither split nor merge", phase.id), Some(help));
    }
    let split = phase.split.as_ref().and_then(|split| {
        let at = at.join("split");
        let figures = checker.amount(&at.join("figures"), &split.figures)?;
        let (least, most) = figures.range();
        if most < 1 {
            let message = format!("a part has from {least} to {most} figures, so no unit ever splits");
            checker.fault(&at.join("figures"), message, Some("give at least 1, such as `\"self.figures / 2\"`"));
        }
        let when = checker.condition(&at.join("when"), split.when.as_ref());
        Some(Split { figures, when, source: checker.source(&at, &split.cite, split.note.as_ref()) })
    });
    let merge = phase.merge.as_ref().map(|merge| {
        let at = at.join("merge");
        if merge.within.is_some() && wire.board != BoardName::Plane {
            let help =
                "omit `within`: on hexes, units that stand next to each other merge, and on board `none` any units can";
            checker.fault(
                &at.join("within"),
                "only on a `plane` board are distances between units in inches",
                Some(help),
            );
        }
        let when = checker.condition(&at.join("when"), merge.when.as_ref());
        let within = merge.within.map_or(0, |within| within.hundredths());
        Merge { within, when, source: checker.source(&at, &merge.cite, merge.note.as_ref()) }
    });
    Some(Regroup { split, merge })
}

/// Reports an order for which the phase has no rule.
pub(super) fn check_order(checker: &mut Checker<'_>, phase: &PhaseOutline, order: Order, at: &Path) {
    let (key, missing) = match order {
        Order::Split => ("split", !phase.splits),
        Order::Merge => ("merge", !phase.merges),
        _ => return,
    };
    if phase.mechanism == MechanismName::Regroup && missing {
        let message = format!("phase `{}` does not say how units {key}", phase.id);
        checker.fault(&at.join("do"), message, Some(&format!("add a table `{key}` to the phase")));
    }
}
