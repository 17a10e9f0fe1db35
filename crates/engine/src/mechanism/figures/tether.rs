//! Figures in open order: where each one stands, which hang together, and who strays (clauses 9.42, 9.49).

use arrayvec::ArrayVec;
use grognard_dice::Dice;
use grognard_rules::model::Rules;

use crate::geometry::plane::{Circle, Rect};
use crate::mechanism::figures::screen;
use crate::mechanism::figures::screen::stands_for_unit;
use crate::state::battle::{UNITS_MAX, Unit, UnitId};
use crate::state::unit_set::Units;
use crate::step::context::Context;
use crate::telling::event::{Event, Why, Witness};

/// The most figures in open order that are told apart when groups are made; more count as if they stood with the last.
const FIGURES_MAX: usize = 160;

/// The bases of a row of figures, from left to right.
pub(crate) fn bases<'r>(rules: &'r Rules, unit: &Unit) -> impl Iterator<Item = Rect> + use<'r> {
    let row = unit.rect(rules);
    let figures = i32::from(unit.figures.max(1));
    let base = rules.footprint(unit.kind, unit.formation, 1).width;
    let gaps = (figures - 1).max(1);
    (0..figures).map(move |figure| {
        let left = if figures == 1 { 0 } else { (row.width - base) * figure / gaps };
        Rect::new(row.at(left + base / 2 - row.width / 2, 0), row.heading(), base, row.depth)
    })
}

/// Brings back, or loses, the figures that have strayed from their unit (9.42).
pub(crate) fn check_tethers<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>) {
    let rules = ctx.rules;
    let Some(skirmish) = &rules.skirmish else { return };
    for screen in ctx.vicinity().roster(Units::ALL).screens {
        let unit = ctx.battle.unit(screen);
        if unit.gone() {
            // It went while others were brought back.
            continue;
        }
        let Some(parent) = screen::kin(ctx, screen).filter(|&parent| !ctx.battle.unit(parent).gone()) else { continue };
        let tied = ctx.scratch.stands.tied(rules, (screen, unit), (parent, ctx.battle.unit(parent)), skirmish.tether);
        let strayed = unit.figures - tied;
        if strayed == 0 {
            continue;
        }
        if skirmish.strays_are_lost {
            ctx.tell(|| Event::Strayed { unit: screen, figures: strayed });
            ctx.lose(screen, strayed, screen);
        } else {
            screen::rejoin(ctx, screen, strayed, Why::Strayed);
        }
    }
}

/// The temporary group that a screen belongs to: for each screen of its side how many of its figures are in it (9.49).
///
/// Figures link whose bases are no farther apart than the pack says; a chain of more than the pack's most is divided
/// along itself into parts as equal as can be, of which the one with the screen's first figure counts.
pub(crate) fn cluster<D: Dice, W: Witness>(
    ctx: &Context<'_, D, W>,
    screen: UnitId,
) -> ArrayVec<(UnitId, u16), { UNITS_MAX }> {
    let rules = ctx.rules;
    let mut group = ArrayVec::new();
    let Some(skirmish) = &rules.skirmish else { return group };
    let side = ctx.battle.unit(screen).side;
    let mut figures = ArrayVec::<(UnitId, Rect), FIGURES_MAX>::new();
    // The screen's own figures come first, so that its first figure is the first of all.
    let others = ctx.battle.side(side).filter(|&id| id != screen);
    for id in std::iter::once(screen).chain(others) {
        let unit = ctx.battle.unit(id);
        let out = !unit.gone() && ctx.battle.is_screen(rules, unit);
        // Of the others, a screen that stands for its unit tests for itself (9.48).
        if out && (id == screen || !stands_for_unit(ctx, id, skirmish.shares)) {
            for base in bases(rules, unit) {
                let _ = figures.try_push((id, base));
            }
        }
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
    for &figure in &members {
        let id = figures[figure].0;
        match group.iter_mut().find(|(member, _)| *member == id) {
            Some((_, count)) => *count += 1,
            None => group.push((id, 1)),
        }
    }
    group
}

/// Who tests for a screen, and for which group: the best-rated unit of the group, unless the screen is so large that it
/// stands for its unit.
pub(crate) fn tester<D: Dice, W: Witness>(ctx: &Context<'_, D, W>, id: UnitId) -> (UnitId, Units) {
    let rules = ctx.rules;
    let alone = (id, Units::default());
    let Some(skirmish) = &rules.skirmish else { return alone };
    let unit = ctx.battle.unit(id);
    if !ctx.battle.is_screen(rules, unit) || stands_for_unit(ctx, id, skirmish.shares) {
        return alone;
    }
    let group = cluster(ctx, id);
    let rating =
        |id: UnitId| rules.kinds[usize::from(ctx.battle.unit(id).kind)].attributes[usize::from(skirmish.rating)];
    let best = group.iter().map(|&(id, _)| id).max_by_key(|&id| (rating(id), std::cmp::Reverse(id))).unwrap_or(id);
    (best, group.iter().fold(Units::default(), |all, &(member, _)| all.plus(Units::one(member))))
}

/// How many figures of a row hang together with their unit.
pub(crate) fn tied(rules: &Rules, unit: &Unit, row: &Rect, home: &Rect, tether: i32) -> u16 {
    if Circle::of(row).within(&Circle::of(home), tether) {
        return unit.figures;
    }
    let near = |figure: &Rect| figure.distance(home) <= tether;
    let Some(first) = bases(rules, unit).position(|figure| near(&figure)) else { return 0 };
    let mut row = bases(rules, unit);
    let (Some(one), Some(two)) = (row.next(), row.next()) else { return 1 };
    if one.distance(&two) <= tether {
        return unit.figures;
    }
    bases(rules, unit).skip(first).filter(near).count() as u16
}

/// The figures that are linked with the first one.
fn chain(figures: &[(UnitId, Rect)], link: i32) -> ArrayVec<usize, FIGURES_MAX> {
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
