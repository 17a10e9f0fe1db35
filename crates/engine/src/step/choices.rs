//! Choices: the orders of a unit's doctrine, and their targets.
//!
//! Most doctrine rows consider the nearest enemy. A row for any enemy applies if its condition is true for at least one
//! enemy that the unit can act on. If there are several, the unit takes the nearest one; precedence breaks ties. As
//! always, the first row that applies counts.
//!
//! Examples: cavalry faces a square and can reach the flank of a line next to it; the row that looks for a flank comes
//! first, so the cavalry charges the line. A battalion has enemy foot in front and enemy cavalry farther off; the row
//! that forms square considers the cavalry.

use std::ops::Range;

use arrayvec::ArrayVec;
use grognard_expr::Lookup;
use grognard_rules::model::{Choice, Decisions, DoctrineRow};

use crate::state::{UNITS_MAX, UnitId, Units};
use crate::step::nearest::{nearest_edge, nearest_enemy};
use crate::step::position::Position;

impl<'a> Position<'a> {
    /// The rows of a unit's doctrine for this phase.
    #[inline]
    pub(crate) fn decisions(&self, id: UnitId) -> &'a Decisions {
        let doctrine = &self.rules.doctrines[self.battle.unit(id).doctrine];
        &doctrine.phases[usize::from(self.battle.phase)]
    }

    /// Whether a unit's doctrine has any rows for this phase.
    pub(crate) fn has_orders(&self, id: UnitId) -> bool {
        !self.decisions(id).rows.is_empty()
    }

    /// Whether doctrine accepts a choice in the middle of a combat.
    pub(crate) fn says_yes(&self, choice: Choice, own: UnitId, foe: UnitId) -> bool {
        row_of_choice(self, choice, own).is_some_and(|when| when.get(&self.view(own, Some(foe))) != 0)
    }
}

/// The condition under which a unit's doctrine accepts a choice in the middle of a combat. `None` if it has no row for
/// it in this phase.
pub(crate) fn row_of_choice<'a>(ctx: &Position<'a>, choice: Choice, own: UnitId) -> Option<&'a Lookup> {
    let doctrine = &ctx.rules.doctrines[ctx.battle.unit(own).doctrine];
    doctrine.choices[usize::from(ctx.battle.phase)][choice as usize].as_ref()
}

/// A row of doctrine that a unit follows, and the enemy that it picked if the row considers any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chosen {
    pub(crate) row: usize,
    pub(crate) enemy: Option<UnitId>,
}

/// The first row of a unit's doctrine that applies in this phase.
#[inline]
pub(crate) fn by_doctrine(
    ctx: &Position<'_>,
    id: UnitId,
    nearest: impl FnOnce(&Position<'_>) -> Option<UnitId>,
    may: impl Fn(&Position<'_>, UnitId) -> bool,
) -> Option<Chosen> {
    let Decisions { rows, first, .. } = ctx.decisions(id);
    let first = ctx.begin(first, id);
    let plain = first.decided().unwrap_or_else(|| first.get(&ctx.view(id, nearest(ctx)))) as usize;
    match choose(ctx, id, 0..plain, may) {
        Some((row, enemy)) => Some(Chosen { row, enemy: Some(enemy) }),
        None => (plain < rows.len()).then_some(Chosen { row: plain, enemy: None }),
    }
}

/// The row of its doctrine that a unit would follow now. Nothing is ordered or counted.
pub(crate) fn foresee(ctx: &Position<'_>, id: UnitId) -> Option<usize> {
    let Decisions { rows, first, .. } = ctx.decisions(id);
    let plain = first.get(&ctx.view(id, nearest_enemy(ctx, id))) as usize;
    let chosen = if ctx.battle.orders.is_used_up() { None } else { choose(ctx, id, 0..plain, |_, _| true) };
    let row = chosen.map_or(plain, |(row, _)| row);
    (row < rows.len()).then_some(row)
}

/// The first of these rows that considers any enemy and applies to one, with the nearest such enemy that satisfies
/// `may`.
pub(crate) fn choose(
    ctx: &Position<'_>,
    id: UnitId,
    span: Range<usize>,
    may: impl Fn(&Position<'_>, UnitId) -> bool,
) -> Option<(usize, UnitId)> {
    let Decisions { rows, any, .. } = ctx.decisions(id);
    let any = any.as_ref()?;
    if span.end <= any.from {
        return None;
    }
    let begun = ctx.begin(&any.first, id);
    if begun.decided().is_some_and(|row| row as usize >= span.end) {
        return None;
    }
    // Conditions are cheap. `may` and distances are not, so they are evaluated only for the enemies that fit.
    let mut fitting = ArrayVec::<(usize, UnitId), UNITS_MAX>::new();
    let own = ctx.status(id);
    for enemy in ctx.enemies(id) {
        let by_words = begun.with([own, ctx.status(enemy)]);
        let mut row = by_words.decided().unwrap_or_else(|| by_words.get(&ctx.view(id, Some(enemy)))) as usize;
        if row < span.start {
            let view = ctx.view(id, Some(enemy));
            let applies = |row: &DoctrineRow| row.of_any && row.when.as_ref().is_none_or(|when| when.holds(&view));
            row = span.clone().find(|&later| applies(&rows[later])).unwrap_or(span.end);
        }
        if row < span.end {
            fitting.push((row, enemy));
        }
    }
    fitting.sort_unstable();
    let of_one_row = |group: &[(usize, UnitId)]| {
        let allowed = group.iter().filter(|&&(_, enemy)| may(ctx, enemy));
        let allowed = allowed.fold(Units::default(), |all, &(_, enemy)| all.plus(Units::one(enemy)));
        nearest_edge(ctx, id, allowed).map(|nearest| (group[0].0, nearest))
    };
    fitting.chunk_by(|a, b| a.0 == b.0).find_map(of_one_row)
}
