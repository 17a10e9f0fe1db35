//! Skirmishers: the unit that they belong to, and the groups that they form.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use crate::geometry::plane::Rect;
use crate::situation::open_order::{bases, other_part, stands_for_unit};
use crate::state::{Flags, UNITS_MAX, Unit, UnitId, Units};
use crate::step::Position;

/// The unit to which a screen belongs, or the screen of a unit; `None` if there is none.
pub(crate) fn kin(ctx: &Position<'_>, id: UnitId) -> Option<UnitId> {
    let kin = ctx.battle.unit(id).kin;
    (kin != id).then_some(kin)
}

/// A unit's screen, if it has deployed figures.
pub(crate) fn screen_out(ctx: &Position<'_>, id: UnitId) -> Option<UnitId> {
    let unit = ctx.battle.unit(id);
    let screen = kin(ctx, id).filter(|_| !unit.flags.has(Flags::SCREEN))?;
    (!ctx.battle.unit(screen).gone()).then_some(screen)
}

/// The order in which units test: screens whose check also counts for their unit come first (9.48).
pub(crate) fn in_order_of_tests(ctx: &Position<'_>, units: Units) -> impl Iterator<Item = UnitId> + use<> {
    let stands = |id: UnitId| {
        let unit = ctx.battle.unit(id);
        unit.flags.has(Flags::SCREEN) && other_part(ctx.rules, &ctx.battle, id).is_some()
    };
    let first = if ctx.setup.screens { units.those(stands) } else { Units::default() };
    first.chain(units.but(first))
}

/// The maximum number of figures in open order that are grouped individually; any others are left out.
pub(crate) const FIGURES_MAX: usize = 160;

/// The temporary group that a screen belongs to: for each screen of its side, the number of figures in the group
/// (9.49).
///
/// Figures are linked if their bases are no farther apart than the pack says. A chain longer than the pack's maximum is
/// divided along its length into parts as equal as possible. If the screen's figures are in several groups, the group
/// with the figure nearest to `foe` counts or, without a `foe`, the group with the first figure.
pub(crate) fn cluster(
    ctx: &Position<'_>,
    screen: UnitId,
    foe: Option<UnitId>,
) -> ArrayVec<(UnitId, u16), { UNITS_MAX }> {
    let mut group = ArrayVec::<(UnitId, u16), UNITS_MAX>::new();
    for (id, _) in figures_of_group(ctx, screen, foe) {
        match group.iter_mut().find(|(member, _)| *member == id) {
            Some((_, count)) => *count += 1,
            None => group.push((id, 1)),
        }
    }
    group
}

/// Whether a screen tests alone: it tests for its whole unit (9.48), or the rest of its unit has left the table (9.42).
fn tests_alone(ctx: &Position<'_>, screen: &Unit) -> bool {
    stands_for_unit(ctx.rules, &ctx.battle, screen) || ctx.battle.unit(ctx.battle.host_of(screen.kin)).gone()
}

/// The figures of the group that [`cluster`] describes, with their bases.
fn figures_of_group(ctx: &Position<'_>, screen: UnitId, foe: Option<UnitId>) -> ArrayVec<(UnitId, Rect), FIGURES_MAX> {
    let rules = ctx.rules;
    let mut figures = ArrayVec::<(UnitId, Rect), FIGURES_MAX>::new();
    let Some(skirmish) = &rules.skirmish else { return figures };
    let side = ctx.battle.unit(screen).side;
    // The screen's own figures come first.
    let others = ctx.battle.side(side).filter(|&id| id != screen);
    for id in std::iter::once(screen).chain(others) {
        let unit = ctx.battle.unit(id);
        let out = !unit.gone() && ctx.battle.is_screen(rules, unit);
        if out && (id == screen || !tests_alone(ctx, unit)) {
            for base in bases(rules, unit) {
                let _ = figures.try_push((id, base));
            }
        }
    }
    let own = figures.len().min(usize::from(ctx.battle.unit(screen).figures));
    let counts = nearest_to(ctx, &figures[..own], foe);
    if counts < own {
        figures.swap(0, counts);
    }
    let mut members = chain(&figures, skirmish.link);
    let parts = members.len().div_ceil(usize::from(skirmish.group.max(1))).max(1);
    if parts > 1 {
        let frame = figures[0].1;
        members.sort_by_key(|&figure| (frame.local(figures[figure].1.centre()).0, figure));
        let at = members.iter().position(|&figure| figure == 0).unwrap_or(0);
        let part = ((at + 1) * parts - 1) / members.len();
        let (from, to) = (part * members.len() / parts, (part + 1) * members.len() / parts);
        members = members[from..to].iter().copied().collect();
    }
    members.into_iter().map(|figure| figures[figure]).collect()
}

/// The index of the figure nearest to a unit, or 0 if there is no unit.
fn nearest_to(ctx: &Position<'_>, figures: &[(UnitId, Rect)], foe: Option<UnitId>) -> usize {
    let Some(foe) = foe.map(|foe| ctx.rect(foe)) else { return 0 };
    (0..figures.len()).min_by_key(|&figure| figures[figure].1.distance(&foe)).unwrap_or(0)
}

/// The units for which a unit's check counts: both parts of a unit that tests as one (9.48), or those units of its
/// group whose figure nearest to their own enemy is in this group. The others test with another group (9.49).
pub(crate) fn tested_with(
    ctx: &Position<'_>,
    group: Units,
    (own, foe): (UnitId, Option<UnitId>),
    foe_of: impl Fn(UnitId) -> Option<UnitId>,
) -> Units {
    if let Some(other) = other_part(ctx.rules, &ctx.battle, own) {
        return Units::one(own).plus(Units::one(other));
    }
    if group.but(Units::one(own)).is_empty() {
        return group;
    }
    let figures = figures_of_group(ctx, own, foe);
    group.those(|id| {
        let row: ArrayVec<_, FIGURES_MAX> = bases(ctx.rules, ctx.battle.unit(id)).map(|base| (id, base)).collect();
        id == own || row.get(nearest_to(ctx, &row, foe_of(id))).is_some_and(|figure| figures.contains(figure))
    })
}

/// The unit whose rating a screen uses in a test, and the group that it tests with. That unit is the best-rated one of
/// the group, unless the screen tests alone.
pub(crate) fn best_rated(ctx: &Position<'_>, id: UnitId, foe: Option<UnitId>) -> (UnitId, Units) {
    let rules = ctx.rules;
    let alone = (id, Units::default());
    let Some(skirmish) = &rules.skirmish else { return alone };
    let unit = ctx.battle.unit(id);
    if !ctx.battle.is_screen(rules, unit) || tests_alone(ctx, unit) {
        return alone;
    }
    let group = cluster(ctx, id, foe);
    let rating = |id: UnitId| rules.kinds[ctx.battle.unit(id).kind].attributes[usize::from(skirmish.rating)];
    let group = group.iter().fold(Units::default(), |all, &(member, _)| all.plus(Units::one(member)));
    let best = ctx.neighbours().first_by(group, |id| Reverse(rating(id))).unwrap_or(id);
    (best, group)
}

/// The figures linked to the first one.
pub(crate) fn chain(figures: &[(UnitId, Rect)], link: i32) -> ArrayVec<usize, FIGURES_MAX> {
    let mut members = ArrayVec::<usize, FIGURES_MAX>::new();
    if figures.is_empty() {
        return members;
    }
    members.push(0);
    let mut next = 0;
    while next < members.len() {
        let here = figures[members[next]].1;
        next += 1;
        for (figure, (_, base)) in figures.iter().enumerate() {
            if !members.contains(&figure) && base.distance(&here) <= link {
                members.push(figure);
            }
        }
    }
    members
}
