//! Screens: figures deployed in open order, and recalled (clauses 9.30-G1 to 9.39, 9.41, 9.57).
//!
//! A unit deploys figures in the formation phase. They form a row that touches it, and from then on move like a
//! separate unit. They always belong to that unit, can only return to it, and break with it.
//!
//! Example: a light battalion of nine figures deploys three. Six of the nine keep their formation, so this is not a
//! change of formation (9.35-N).

use grognard_rules::model::{Effect, MoraleId, Screen, Trigger};

use crate::geometry::plane::Point;
use crate::mechanism::common::ground::disorder_on_new_ground;
use crate::mechanism::common::leaving::leave_if_off_table;
use crate::mechanism::common::moving::{faces_two_ways, is_off_table};
use crate::mechanism::common::reshape::{keep_layout, keep_shape};
use crate::mechanism::common::room::{overlaps_anybody, overlaps_anybody_but};
use crate::mechanism::common::units::worsened;
use crate::mechanism::figures::charge::{break_contact, lose_contact, met_by, touches};
use crate::mechanism::figures::command;
use crate::mechanism::figures::falling_back::run;
use crate::mechanism::figures::opportunity::announce_change;
use crate::mechanism::figures::skirmishers::{self, kin, screen_out};
use crate::mechanism::figures::square::{centre_on, count_guests};
use crate::mechanism::figures::zone_entry::{reaches_new_zone, zones_about};
use crate::situation::open_order::{other_part, stands_for_unit};
use crate::state::{Bend, Flags, Unit, UnitId, Units};
use crate::step::{Context, Position};
use crate::telling::event::{Event, Refusal, ScreenRefusal, Why};

fn refuse_screen(ctx: &mut Context<'_>, id: UnitId, why: ScreenRefusal) {
    ctx.tell(|| Event::Refused { unit: id, why: Refusal::Screen(why) });
}

/// Deploys figures up to a total of `wanted`; 0 means as many as the rules allow (9.30-G2).
pub(crate) fn detach(ctx: &mut Context<'_>, id: UnitId, wanted: u16) {
    let rules = ctx.rules;
    let unit = *ctx.battle.unit(id);
    let Some(skirmish) = &rules.skirmish else { return };
    let row = skirmish.screen_of[unit.kind];
    let Some((row, screen)) = row.zip(kin(ctx, id)).filter(|_| !unit.flags.has(Flags::SCREEN)) else {
        refuse_screen(ctx, id, ScreenRefusal::NoSkirmishers);
        return;
    };
    let before = *ctx.battle.unit(screen);
    let out = if before.gone() { 0 } else { before.figures };
    let most = skirmish.screens[usize::from(row)].most.of(unit.figures + out);
    let wanted = if wanted == 0 { most } else { wanted };
    if let Some(why) = forbids(ctx, id, (out, wanted), row) {
        refuse_screen(ctx, id, why);
        return;
    }
    if wanted <= out {
        return;
    }
    let more = wanted - out;
    let known = zones_about(ctx, id);
    split(ctx, id, screen, &skirmish.screens[usize::from(row)], more);
    let changes = counts_as_change(ctx, id, i32::from(more));
    if changes && !unit.flags.has(Flags::CHANGED) {
        // A change of formation is announced before it takes effect (8.17).
        *ctx.battle.unit_mut(id) = unit;
        *ctx.battle.unit_mut(screen) = before;
        if !announce_change(ctx, id, Trigger::FormsInZone) || ctx.battle.unit(id).figures <= more {
            return;
        }
        // The fire may have disordered the unit, or left too few figures for a screen of this size.
        if let Some(why) = forbids(ctx, id, (out, wanted), row) {
            refuse_screen(ctx, id, why);
            return;
        }
        split(ctx, id, screen, &skirmish.screens[usize::from(row)], more);
    }
    let refusal = if changes && unit.flags.has(Flags::CHANGED) {
        Some(Refusal::Spent)
    } else {
        // With fewer figures, the unit itself may become deeper.
        let off = is_off_table(rules, &ctx.rect(screen));
        let no_room = off || overlaps_anybody(ctx, screen) || overlaps_anybody(ctx, id);
        // Figures do not deploy into a zone that their unit is not in (9.43).
        let in_zone = reaches_new_zone(&zones_about(ctx, screen), &known);
        if no_room { Some(Refusal::NoRoom) } else { in_zone.then_some(Refusal::FireZone) }
    };
    if let Some(why) = refusal {
        unsplit(ctx, id, screen, more, &before);
        ctx.battle.unit_mut(id).abreast = unit.abreast;
        ctx.tell(|| Event::Refused { unit: id, why });
        return;
    }
    if changes {
        ctx.battle.flags_mut(id).set(Flags::CHANGED);
    }
    note_sent(ctx, id, i32::from(more));
    ctx.tell(|| Event::Detached { unit: id, screen, figures: more, row });
    keep_shape(ctx, id);
}

/// The rule that prevents a unit from having this many figures deployed: a bar (9.38), or the maximum for its kind of
/// screen (9.30-G2).
fn forbids(ctx: &Position<'_>, id: UnitId, (out, wanted): (u16, u16), row: u8) -> Option<ScreenRefusal> {
    let skirmish = ctx.rules.skirmish.as_ref()?;
    let bar = skirmish.bars.iter().position(|bar| ctx.holds(Some(&bar.when), id, None));
    let most = skirmish.screens[usize::from(row)].most.of(ctx.battle.unit(id).figures + out);
    bar.map(|bar| ScreenRefusal::Bar(bar as u8)).or((wanted > most).then_some(ScreenRefusal::TooMany(row)))
}

/// Whether deploying this many more figures, or recalling them if negative, counts as a change of their unit's
/// formation (9.35-N). It does not matter how many orders moved them: only figures that are no longer in the formation
/// that they had before the phase count.
fn counts_as_change(ctx: &mut Position<'_>, id: UnitId, more: i32) -> bool {
    let Some(skirmish) = &ctx.rules.skirmish else { return false };
    ctx.scratch.sent = (sent_out(ctx, id) + more).unsigned_abs() as u16;
    let changes = skirmish.change_when.as_ref().is_some_and(|when| ctx.holds(Some(when), id, None));
    ctx.scratch.sent = 0;
    changes
}

/// Whether a unit's orders in this phase have, on balance, deployed or recalled figures, whatever has happened to these
/// since.
pub(crate) fn has_sent(ctx: &Position<'_>, id: UnitId) -> bool {
    sent_out(ctx, id) != 0
}

/// The net number of figures that a unit's orders have deployed in this phase.
fn sent_out(ctx: &Position<'_>, id: UnitId) -> i32 {
    ctx.scratch.sent_out.iter().find(|sent| sent.0 == id).map_or(0, |sent| sent.1)
}

/// Records that an order has deployed this many of a unit's figures, or recalled them if negative.
fn note_sent(ctx: &mut Position<'_>, id: UnitId, more: i32) {
    match ctx.scratch.sent_out.iter_mut().find(|sent| sent.0 == id) {
        Some(sent) => sent.1 += more,
        None => {
            let _ = ctx.scratch.sent_out.try_push((id, more));
        }
    }
}

/// Takes figures from a unit and puts them in front of it, or into the row that is already deployed. That row first
/// returns to its unit, because figures deploy where their unit is (9.34).
fn split(ctx: &mut Position<'_>, id: UnitId, screen: UnitId, row: &Screen, more: u16) {
    let unit = ctx.battle.unit_mut(id);
    unit.figures -= more;
    unit.start -= more;
    keep_layout(ctx, id);
    let unit = *ctx.battle.unit(id);
    let absent = ctx.battle.unit(screen).gone();
    let rules = ctx.rules;
    let apart = absent || unit.rect(rules).distance(&ctx.rect(screen)) > 0;
    let out = ctx.battle.unit_mut(screen);
    out.figures += more;
    out.start += more;
    if absent {
        let flags = {
            out.flags.clear(Flags::ABSENT);
            out.flags
        };
        *out = Unit { flags, formation: row.formation, kind: unit.kind, morale: MoraleId::FIRST, ..*out };
    }
    if apart {
        let out = ctx.battle.unit_mut(screen);
        out.heading = unit.heading;
        let depth = out.footprint(rules).depth;
        let front = unit.rect(rules).at(0, depth);
        ctx.battle.unit_mut(screen).front = front;
    }
}

/// Undoes a split.
fn unsplit(ctx: &mut Position<'_>, id: UnitId, screen: UnitId, more: u16, before: &Unit) {
    let unit = ctx.battle.unit_mut(id);
    unit.figures += more;
    unit.start += more;
    *ctx.battle.unit_mut(screen) = *before;
}

/// Recalls the screen, by an order to the unit or to the screen itself.
pub(crate) fn recall(ctx: &mut Context<'_>, id: UnitId) {
    let screen = if ctx.battle.unit(id).flags.has(Flags::SCREEN) { Some(id) } else { screen_out(ctx, id) };
    let Some(screen) = screen else { return };
    let Some(parent) = kin(ctx, screen) else { return };
    if ctx.battle.unit(parent).broken(ctx.rules) {
        refuse_screen(ctx, id, ScreenRefusal::NobodyThere);
        return;
    }
    let figures = ctx.battle.unit(screen).figures;
    if let Some(why) = keeps_out(ctx, screen, parent, figures) {
        ctx.tell(|| Event::Refused { unit: id, why });
        return;
    }
    if counts_as_change(ctx, parent, -i32::from(figures)) {
        if ctx.battle.unit(parent).flags.has(Flags::CHANGED) {
            ctx.tell(|| Event::Refused { unit: parent, why: Refusal::Spent });
            return;
        }
        // A change of formation is announced before it takes effect (8.17), from the position of the square that the
        // unit is in.
        let home = ctx.battle.host_of(parent);
        if !announce_change(ctx, home, Trigger::FormsInZone) || ctx.battle.unit(screen).gone() {
            return;
        }
        ctx.battle.flags_mut(parent).set(Flags::CHANGED);
    }
    let figures = ctx.battle.unit(screen).figures;
    note_sent(ctx, parent, -i32::from(figures));
    rejoin(ctx, screen, figures, Why::Ordered);
}

/// The reason, if any, why figures of a screen cannot rejoin their unit: the unit has no room, or would reach beyond
/// the terrain that it lines (7.23).
fn keeps_out(ctx: &mut Position<'_>, screen: UnitId, parent: UnitId, figures: u16) -> Option<Refusal> {
    let home = ctx.battle.host_of(parent);
    let before = [screen, parent, home].map(|id| (id, *ctx.battle.unit(id)));
    goes_in(ctx, screen, parent, figures);
    let why = match place_near(ctx, home) {
        None => Some(Refusal::NoRoom),
        Some(front) => {
            ctx.battle.unit_mut(home).front = front;
            is_ambiguous(ctx, home).then_some(Refusal::Ambiguous)
        }
    };
    for (id, unit) in before {
        *ctx.battle.unit_mut(id) = unit;
    }
    why
}

/// Whether some figures of a bent unit do not line terrain, although the pack does not allow that (7.37).
fn is_ambiguous(ctx: &Position<'_>, id: UnitId) -> bool {
    faces_two_ways(ctx, id) && !ctx.battle.unit(id).lines(ctx.rules, &ctx.setup.terrain)
}

/// Brings figures of a screen back to their unit, which must be on the table or inside another unit's square.
pub(crate) fn rejoin(ctx: &mut Context<'_>, screen: UnitId, figures: u16, why: Why) {
    let Some(parent) = kin(ctx, screen).filter(|&parent| !ctx.battle.unit(ctx.battle.host_of(parent)).gone()) else {
        return;
    };
    let home = ctx.battle.host_of(parent);
    let before = ctx.rect(home);
    let back = goes_in(ctx, screen, parent, figures);
    if back > 0 {
        ctx.tell(|| Event::Rejoined { unit: parent, figures: back, why });
        keep_shape(ctx, parent);
    }
    make_room(ctx, home);
    if is_ambiguous(ctx, parent) {
        ctx.battle.unit_mut(parent).bend = Bend::NONE;
    }
    // Units that break or fail together with their figures already get their state in that way.
    if !matches!(why, Why::SweptAlong | Why::SharedFate) {
        disorder_on_new_ground(ctx, home, &before);
    }
}

/// Moves figures from a screen into its unit. Returns their number.
pub(crate) fn goes_in(ctx: &mut Position<'_>, screen: UnitId, parent: UnitId, figures: u16) -> u16 {
    let out = ctx.battle.unit_mut(screen);
    let back = figures.min(out.figures);
    out.figures -= back;
    // Losses of the screen count as losses of its unit.
    let start = if out.figures == 0 { out.start } else { back };
    out.start -= start;
    if out.figures == 0 {
        out.flags.set(Flags::ABSENT);
        (out.hits, out.spacing) = (0, 0);
        out.flags.clear(Flags::CHARGED);
    }
    let unit = ctx.battle.unit_mut(parent);
    unit.figures += back;
    unit.start += start;
    keep_layout(ctx, parent);
    let home = ctx.battle.host_of(parent);
    if home != parent {
        let centre = ctx.rect(home).centre();
        count_guests(ctx, home);
        centre_on(ctx, home, centre);
    }
    back
}

/// Moves a unit that now overlaps another one by the smallest shift that makes room. If there is no room nearby, it
/// moves back until there is.
fn make_room(ctx: &mut Context<'_>, id: UnitId) {
    if let Some(front) = place_near(ctx, id) {
        ctx.battle.unit_mut(id).front = front;
        return;
    }
    let back = ctx.battle.unit(id).heading.reversed();
    let distance = run(ctx, id, back, 0);
    ctx.tell(|| Event::Retreated { unit: id, distance });
    lose_contact(ctx, id);
    break_contact(ctx, id);
    leave_if_off_table(ctx, id);
}

/// The nearest position with room for a unit that has grown: where it is, to either side, or back, at most its width or
/// depth plus two inches away. A unit that has met an enemy stays in contact with it.
fn place_near(ctx: &mut Position<'_>, id: UnitId) -> Option<Point> {
    let before = *ctx.battle.unit(id);
    let met = met_by(ctx, id);
    let footprint = before.footprint(ctx.rules);
    let most = footprint.width.max(footprint.depth) + 200;
    let directions = [900, 2700, 1800].map(|tenths| before.heading.turned(tenths));
    let ways = (25..=most).step_by(25).flat_map(|way| directions.map(|along| before.front.moved(along, way)));
    let places = || std::iter::once(before.front).chain(ways.clone());
    // If possible, the unit is clear even of the enemies that it has met; because of rounding, units that touch may
    // overlap.
    let clear = |ctx: &mut Position<'_>, but: Units| {
        places().find(|&front| {
            ctx.battle.unit_mut(id).front = front;
            let mut those_met = met;
            let keeps = front == before.front || those_met.all(|enemy| touches(ctx, id, enemy));
            keeps && !overlaps_anybody_but(ctx, id, but)
        })
    };
    let found = clear(ctx, Units::default()).or_else(|| if met.is_empty() { None } else { clear(ctx, met) });
    *ctx.battle.unit_mut(id) = before;
    found
}

/// Removes a screen that has lost its last figure. Its losses count as losses of its unit, which reacts to them if the
/// two tested as one (9.48).
pub(crate) fn screen_destroyed(ctx: &mut Position<'_>, screen: UnitId) {
    let row = *ctx.battle.unit(screen);
    if let Some(parent) = other_part(ctx.rules, &ctx.battle, screen) {
        ctx.battle.unit_mut(parent).hits += row.hits;
        let cause = ctx.scratch.hit_by[screen.index()];
        let hit_by = &mut ctx.scratch.hit_by[parent.index()];
        *hit_by = hit_by.or(cause);
    }
    let out = ctx.battle.unit_mut(screen);
    let start = std::mem::take(&mut out.start);
    (out.figures, out.hits, out.spacing) = (0, 0, 0);
    out.flags.set(Flags::ABSENT);
    let Some(parent) = kin(ctx, screen) else { return };
    ctx.battle.unit_mut(parent).start += start;
}

/// Removes a unit that has lost its last figure, unless it has other figures deployed.
pub(crate) fn fall(ctx: &mut Context<'_>, id: UnitId) {
    if !(ctx.setup.screens && lives_on(ctx, id)) {
        ctx.remove(id, Event::Destroyed);
    }
}

/// When the rest of a unit has been lost, makes its deployed figures the whole unit (9.42): they test as one (9.48) and
/// may re-form (9.35). Returns whether any figures are deployed.
fn lives_on(ctx: &mut Context<'_>, id: UnitId) -> bool {
    let screen = screen_out(ctx, id).filter(|&screen| ctx.battle.is_screen(ctx.rules, ctx.battle.unit(screen)));
    let Some(screen) = screen else { return false };
    let row = *ctx.battle.unit(screen);
    let unit = *ctx.battle.unit(id);
    let out = ctx.battle.unit_mut(screen);
    (out.figures, out.start, out.hits, out.spacing) = (0, 0, 0, 0);
    out.flags.set(Flags::ABSENT);
    out.flags.clear(Flags::CHARGED);
    let whole = ctx.battle.unit_mut(id);
    let (figures, start, hits) = (row.figures, unit.start + row.start, unit.hits + row.hits);
    *whole = Unit { figures, start, hits, guests: 0, abreast: 0, foe: id, ..unit };
    (whole.front, whole.heading, whole.bend) = (row.front, row.heading, row.bend);
    (whole.formation, whole.spacing) = (row.formation, row.spacing);
    for flag in [Flags::INSIDE, Flags::CHARGING, Flags::CONTACT] {
        whole.flags.clear(flag);
    }
    ctx.tell(|| Event::Formed { unit: id, from: unit.formation });
    lose_contact(ctx, id);
    true
}

/// Handles a screen that has failed a check or was beaten. If the screen is large, the whole unit shares its fate
/// (9.37); otherwise the figures of its group rejoin their units (9.36, 9.49).
pub(crate) fn screen_fails(ctx: &mut Context<'_>, screen: UnitId, effect: &Effect, cause: UnitId) {
    let Some((skirmish, parent)) = ctx.rules.skirmish.as_ref().zip(kin(ctx, screen)) else { return };
    let out = ctx.battle.unit(screen).figures;
    if stands_for_unit(ctx.rules, &ctx.battle, ctx.battle.unit(screen)) {
        rejoin(ctx, screen, out, Why::SharedFate);
        let retreat = effect.retreat.max(skirmish.retires);
        // A disordered screen disorders its unit, whatever the unit's state. A routed screen routs its unit, and so
        // does a screen that already counted as disordered (8.62).
        let shaken = ctx.rules.first_shaken();
        let fails = if command::unsettled(ctx, screen) { worsened(ctx.rules, shaken, effect) } else { shaken };
        let morale = effect.morale.or((effect.worsen > 0).then_some(fails));
        let shared = Effect { lose: 0, destroy: false, worsen: 0, worsen_shaken: 0, morale, retreat, ..*effect };
        // If the screen's unit is in another unit's square, the square shares the effect (8.54).
        ctx.apply(&shared, ctx.battle.host_of(parent), cause);
        return;
    }
    for (member, figures) in skirmishers::cluster(ctx, screen, Some(cause).filter(|&cause| cause != screen)) {
        rejoin(ctx, member, figures, Why::GroupFailed);
    }
}

/// Brings figures back to their unit before it breaks, so that they break with it (9.39).
pub(crate) fn sweep_along(ctx: &mut Context<'_>, id: UnitId) {
    if let Some(screen) = screen_out(ctx, id) {
        let figures = ctx.battle.unit(screen).figures;
        rejoin(ctx, screen, figures, Why::SweptAlong);
    }
}
