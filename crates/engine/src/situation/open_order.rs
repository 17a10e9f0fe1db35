//! Figures in open order: their positions, their links to their unit, and when they and the rest of it count as one.

use grognard_rules::model::Rules;

use crate::geometry::plane::{Circle, Rect};
use crate::state::{Battle, Unit, UnitId};

/// Whether enough of a unit is deployed for it to share the fate of its screen. Figures that have just been lost still
/// count, in the screen and in the unit.
pub(crate) fn stands_for_unit(rules: &Rules, battle: &Battle, screen: &Unit) -> bool {
    let Some(skirmish) = &rules.skirmish else { return false };
    let out = screen.with_hits();
    out * skirmish.shares > out + battle.unit(screen.kin).with_hits()
}

/// The other part (the screen or the rest) of a unit that has enough figures deployed for both parts to test as one
/// (9.48). Once the rest has left the table, the two are no longer one unit.
pub(crate) fn other_part(rules: &Rules, battle: &Battle, id: UnitId) -> Option<UnitId> {
    let kin = battle.unit(id).kin;
    let [own, other] = [id, kin].map(|part| battle.is_screen(rules, battle.unit(part)));
    let (screen, rest) = if own { (battle.unit(id), kin) } else { (battle.unit(kin), id) };
    let host = battle.unit(battle.host_of(rest));
    ((own || other) && !screen.gone() && !host.gone() && stands_for_unit(rules, battle, screen)).then_some(kin)
}

/// The bases of a row of figures, from left to right.
pub(crate) fn bases<'r>(rules: &'r Rules, unit: &Unit) -> impl Iterator<Item = Rect> + use<'r> {
    let row = unit.rect(rules);
    let figures = i32::from(unit.figures.max(1));
    let base = rules.footprint(unit.kind, unit.formation, 1).width;
    let gaps = (figures - 1).max(1);
    (0..figures).map(move |figure| {
        // Positions are measured from the middle, so that halves are rounded in the same way on both sides.
        let aside = if figures == 1 { 0 } else { (row.width - base) * (2 * figure - gaps) / (2 * gaps) };
        Rect::new(row.at(aside, 0), row.heading(), base, row.depth)
    })
}

/// The number of figures in a row that are linked to their unit.
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
