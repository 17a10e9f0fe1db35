//! The directions in which one unit strikes, sees or enfilades another, as given by their positions.

use grognard_rules::model::{Board, Rules};

use crate::geometry::plane::{Arc, Rect};
use crate::state::Unit;

/// A distance beyond every range, used for a unit that has no enemies left.
pub(crate) const FAR: i32 = 20_000;

/// Whether any part of this rectangle lies straight ahead of a unit's front edge.
pub(crate) fn in_front(rules: &Rules, ground: &Rect, foe: &Unit) -> bool {
    rules.board != Board::None && !ground.inset(rules.movement.touch).clear_of_front(&foe.rect(rules))
}

/// Whether one of a unit's front corners is behind the line of another's rear edge, so that it sees both rear corners.
pub(crate) fn enfilades(rules: &Rules, own: &Unit, foe: &Unit) -> bool {
    let all_round = rules.formations[foe.formation].all_round;
    if rules.board == Board::None || all_round || foe.fills != 0 {
        return false;
    }
    let there = foe.rect(rules);
    let [left, right, ..] = own.rect(rules).corners();
    [left, right].into_iter().any(|corner| there.local(corner).1 <= -i64::from(there.depth))
}

/// The arc that a target shows to an attacker's figures in their current positions (clauses 7.13, 7.14); always the
/// front for a unit with all-around facing (7.22). A charge strikes the arc in which it was declared, so
/// [`Unit::strikes`] takes precedence.
pub(crate) fn exposure(rules: &Rules, (target, there): (&Unit, &Rect), (attacker, ground): (&Unit, &Rect)) -> Arc {
    if rules.board == Board::None || rules.formations[target.formation].all_round {
        return Arc::Front;
    }
    if !target.bend.is_none() {
        // The front of a bent unit is the front of either part (7.23).
        return match target.stretches(rules).map(|stretch| figures_arc(rules, &stretch, (attacker, ground))) {
            [Arc::Front, _] | [_, Arc::Front] => Arc::Front,
            [Arc::Rear, Arc::Rear] => Arc::Rear,
            _ => Arc::Flank,
        };
    }
    figures_arc(rules, there, (attacker, ground))
}

/// The arc of a rectangle that contains an attacker's figures. It counts all figures of a square of several units and,
/// for a loose row, each figure on its own base.
pub(crate) fn figures_arc(rules: &Rules, there: &Rect, (attacker, ground): (&Unit, &Rect)) -> Arc {
    let Board::Plane { arc, .. } = rules.board else { return Arc::Front };
    let (footprint, figures) = (attacker.footprint(rules), attacker.figures + attacker.guests);
    let loose = rules.formations[attacker.formation].spacing.is_some();
    if !loose || figures < 2 {
        return there.aspect(ground, footprint, figures, arc);
    }
    // Bases that are side by side are one base width apart.
    let (count, base) = (i32::from(figures), rules.footprint(attacker.kind, attacker.formation, 1).width);
    let width = (ground.width - base) * count / (count - 1);
    there.aspect(&Rect::new(ground.front, ground.heading(), width, ground.depth), footprint, figures, arc)
}
