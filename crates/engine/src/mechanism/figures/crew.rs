//! Crews apart from their guns (clauses 7.21e, 8.47, 8.73).
//!
//! If the pack has a type for crews apart from their base, a crew that breaks is placed, as routed figures of that
//! type, on the side of the base away from the enemy. It flees like any other unit, and takes no orders. Once rallied,
//! it walks back to the base at its type's rate, in each of its move phases. When it arrives, the two are a battery
//! again, with the crew's morale. Crews are unformed for movement (8.73) and have all-around facing: they walk round
//! and between friends, but stop in front of enemies and of terrain that they cannot afford to enter. Without such a
//! type, the crew is removed and returns when it rallies.
//!
//! Example: the crew of a field battery routs and runs 12"; it rallies disordered, and two moves later the guns can
//! fire again.

use grognard_rules::model::{Board, Mechanism, MoraleId};

use crate::geometry::plane::away::away_from_nearest;
use crate::geometry::plane::{Course, Heading, Rect};
use crate::mechanism::common::moving::{clear_march_among, settle_on};
use crate::mechanism::common::room::overlaps_anybody;
use crate::mechanism::common::{ground, leaving, test};
use crate::mechanism::figures::casualties::note_crew_gone;
use crate::mechanism::figures::falling_back::{face_away, run, turn_away_again};
use crate::mechanism::figures::{movement, skirmishers};
use crate::state::{Flags, Marks, Unit, UnitId};
use crate::step::nearest::others;
use crate::step::{Context, Position};
use crate::telling::event::Event;

/// Lets a broken crew leave its guns. The guns themselves never rout.
pub(crate) fn crew_leaves(ctx: &mut Context<'_>, id: UnitId, morale: MoraleId) {
    let figures = ctx.battle.unit(id).figures;
    let crew = skirmishers::kin(ctx, id).filter(|_| figures > 0 && matches!(ctx.rules.board, Board::Plane { .. }));
    let unit = ctx.battle.unit_mut(id);
    unit.figures = 0;
    if crew.is_some() {
        unit.start -= figures;
    } else {
        unit.away += figures;
    }
    if let Some(crew) = crew {
        stand_apart(ctx, id, crew, figures, morale);
    }
    ctx.tell(|| Event::CrewLeft { unit: id });
    if let Some(crew) = crew {
        leaving::leave_if_off_table(ctx, crew);
    }
    note_crew_gone(ctx, id);
}

/// Places crew figures on the side of their base that is away from the nearest enemy (7.44), or else behind it, at the
/// first position with room.
fn stand_apart(ctx: &mut Position<'_>, id: UnitId, crew: UnitId, figures: u16, morale: MoraleId) {
    let base = base_of(ctx, id);
    let enemies = ctx.targets(id).map(|enemy| ctx.circle(enemy).centre);
    let away = away_from_nearest(base.centre(), enemies).unwrap_or(base.heading().reversed());
    let side = base.side_towards(base.centre().moved(away, base.width + base.depth));
    let along = base.heading().turned(900 * i32::from(side));
    let apart = ctx.battle.unit_mut(crew);
    apart.flags.clear(Flags::ABSENT);
    *apart = Unit { figures, start: figures, morale, heading: along.reversed(), hits: 0, ..*apart };
    apart.front = base.middle_of_side(side);
    face_away(ctx, crew);
    run(ctx, crew, along, 0);
    turn_away_again(ctx, crew);
}

/// The ground of a battery's base or, for a battery in a square, of the square.
fn base_of(ctx: &Position<'_>, id: UnitId) -> Rect {
    ctx.battle.unit(ctx.battle.host_of(id)).rect(ctx.rules)
}

/// Plays a phase of a crew that is away from its guns: the crew flees, takes a test or returns.
pub(crate) fn play_crew(ctx: &mut Context<'_>, crew: UnitId, mechanism: Mechanism) {
    match mechanism {
        Mechanism::Test(roll) => test::play(ctx, crew, roll),
        Mechanism::Move if ctx.battle.unit(crew).broken(ctx.rules) => movement::play(ctx, crew),
        Mechanism::Move => crew_goes_back(ctx, crew),
        _ => {}
    }
}

fn crew_goes_back(ctx: &mut Context<'_>, crew: UnitId) {
    let rules = ctx.rules;
    let unit = *ctx.battle.unit(crew);
    let guns = *ctx.battle.unit(unit.kin);
    if guns.flags.has(Flags::GONE) {
        return;
    }
    let base = base_of(ctx, unit.kin);
    let most = rules.kinds[unit.kind].speed[unit.formation].unwrap_or(0);
    let rect = unit.rect(rules);
    if rect.distance(&base) > 0 {
        let course = Course { from: rect, along: Heading::between(rect.centre(), base.centre()) };
        let Some(wanted) = course.to_contact(&base) else { return };
        let enemies = others(ctx, crew).among(ctx.battle.enemy_units(unit.side));
        let clear = clear_march_among(ctx, crew, enemies, &course, wanted.min(most), rules.movement.gap);
        let passage = ground::pass(ctx, crew, &course, clear.unwrap_or(0), most);
        if passage.distance < wanted {
            walk(ctx, crew, &course, passage.distance);
            return;
        }
        // The crew has moved, so its command does not settle in this phase (8.62).
        ctx.battle.flags_mut(crew).set(Flags::MOVED);
    }
    let apart = ctx.battle.unit_mut(crew);
    (apart.figures, apart.start) = (0, 0);
    apart.flags.set(Flags::ABSENT);
    let battery = ctx.battle.unit_mut(unit.kin);
    battery.figures += unit.figures;
    battery.start += unit.start;
    // Disorder from its square remains (8.47c).
    let shared = if battery.marks.has(Marks::SHARES) { battery.morale } else { MoraleId::FIRST };
    battery.morale = unit.morale.max(shared);
    ctx.tell(|| Event::CrewBack { unit: unit.kin });
}

/// Moves a crew along a course, as far as it can go and still end clear of all units.
fn walk(ctx: &mut Context<'_>, crew: UnitId, course: &Course, most: i32) {
    let before = *ctx.battle.unit(crew);
    for distance in (1..=most).rev().step_by(25) {
        settle_on(ctx, crew, &course.at(distance));
        if !overlaps_anybody(ctx, crew) {
            ctx.battle.flags_mut(crew).set(Flags::MOVED);
            let wheel = before.heading.turn_to(course.along);
            ctx.tell(|| Event::Marched { unit: crew, wheel, distance });
            return;
        }
    }
    *ctx.battle.unit_mut(crew) = before;
}

/// Returns a rallied crew to its guns from off the table.
pub(crate) fn crew_returns(ctx: &mut Context<'_>, id: UnitId, morale: MoraleId) {
    let unit = ctx.battle.unit_mut(id);
    unit.figures += unit.away;
    unit.away = 0;
    unit.morale = unit.morale.max(morale);
    ctx.tell(|| Event::CrewBack { unit: id });
}
