//! Layouts: how figures are arranged, and the ground that they take up.

use super::checker::{Checker, at};
use crate::model::{Footprint, Kind};
use crate::wire::{BoardName, LayoutWire, Pack, UnitWire};

/// Checks the layouts of all formations.
pub(super) fn check(checker: &mut Checker<'_>, wire: &Pack<'_>) {
    for (id, formation) in &wire.formation {
        check_layout(checker, id, &formation.layout);
    }
}

/// The footprints of a unit type, by formation and then by strength.
pub(super) fn footprints(
    checker: &mut Checker<'_>,
    wire: &Pack<'_>,
    kind: &Kind,
    unit: &UnitWire,
    figures_max: u16,
) -> Vec<Footprint> {
    if wire.formation.is_empty() {
        let nowhere = |figures| Footprint { front: figures, ranks: u16::from(figures > 0), ..Footprint::default() };
        return (0..=figures_max).map(nowhere).collect();
    }
    check_base(checker, wire, &kind.id, unit);
    let mut footprints = Vec::with_capacity(wire.formation.len() * (usize::from(figures_max) + 1));
    for (index, formation) in wire.formation.values().enumerate() {
        let open = kind.speed.get(index).copied().flatten().is_some();
        for figures in 0..=figures_max {
            let stands = open && figures > 0;
            footprints.push(if stands { stand(&formation.layout, unit, figures) } else { Footprint::default() });
        }
    }
    footprints
}

fn check_layout(checker: &mut Checker<'_>, id: &str, layout: &LayoutWire) {
    let at = at!["formation", id, "layout"];
    let keys = [
        layout.ranks.is_some(),
        layout.front.is_some(),
        layout.block == Some(true),
        layout.spacing.is_some(),
        layout.width.is_some(),
    ];
    if keys.into_iter().filter(|&given| given).count() != 1 {
        let help = "give one of `ranks`, `front`, `block = true`, `spacing`, or `width` with `depth`";
        checker.fault(&at, format!("formation `{id}` must have exactly one layout"), Some(help));
    } else if layout.spacing.is_none() && (layout.most.is_some() || layout.clear.is_some()) {
        checker.fault(&at, "`most` and `clear` are allowed only with `spacing`", None);
    } else if layout.most.zip(layout.spacing).is_some_and(|(most, least)| most < least) {
        checker.fault(&at.join("most"), "`most` is less than `spacing`", None);
    } else if layout.clear.is_none() && !layout.clear_arms.is_empty() {
        checker.fault(&at.join("clear-arms"), "`clear-arms` is allowed only with `clear`", None);
    } else if layout.width.is_some() != layout.depth.is_some() {
        checker.fault(&at, "a fixed base needs both `width` and `depth`", None);
    }
}

fn check_base(checker: &mut Checker<'_>, wire: &Pack<'_>, id: &str, unit: &UnitWire) {
    if wire.board == BoardName::Plane && (unit.width.is_none() || unit.depth.is_none()) {
        let message = format!("unit type `{id}` has no base size");
        checker.fault(&at!["unit", id], message, Some("give `width` and `depth` of one figure's base, in inches"));
    }
}

/// The arrangement of this many figures in a layout.
fn stand(layout: &LayoutWire, unit: &UnitWire, figures: u16) -> Footprint {
    let base_width = unit.width.map_or(0, |width| width.hundredths());
    let base_depth = unit.depth.map_or(0, |depth| depth.hundredths());
    let rows = |front: u16| {
        let ranks = figures.div_ceil(front);
        Footprint { width: i32::from(front) * base_width, depth: i32::from(ranks) * base_depth, front, ranks }
    };
    if let Some(ranks) = layout.ranks {
        let ranks = ranks.clamp(1, figures);
        // Four figures in three ranks: two abreast would make only two ranks.
        let front = (1..=figures.div_ceil(ranks)).rev().find(|&front| figures.div_ceil(front) >= ranks);
        rows(front.unwrap_or(1))
    } else if let Some(front) = layout.front {
        rows(front.clamp(1, figures))
    } else if let Some(spacing) = layout.spacing {
        let keeps = layout.clear_arms.is_empty() || layout.clear_arms.contains(&unit.arm);
        let clear = layout.clear.filter(|_| keeps).map_or(0, |clear| clear.hundredths());
        let spacing = spacing.hundredths().max(base_width + clear);
        let width = i32::from(figures - 1) * spacing + base_width;
        Footprint { width, depth: base_depth, front: figures, ranks: 1 }
    } else if let (Some(width), Some(depth)) = (layout.width, layout.depth) {
        Footprint { width: width.hundredths(), depth: depth.hundredths(), front: figures, ranks: 1 }
    } else {
        Footprint::block(figures, (base_width, base_depth))
    }
}
