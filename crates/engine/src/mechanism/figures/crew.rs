//! Crews apart from their guns (clauses 7.21e, 8.47, 8.73).
//!
//! Where the pack says what crews are apart from their base, a crew that breaks stands behind it as figures of that type,
//! routed, and flees like any other unit. It takes no orders. Once it has rallied it goes back, as far in each of its move
//! phases as its type moves; when it reaches the base it is a battery again, in the crew's morale. Where the pack does not say,
//! the crew is taken off and is back when it rallies.
//!
//! Example: the crew of a field battery routs and runs 12"; it rallies disordered, and two moves later the guns can fire.

use grognard_rules::model::{Board, Mechanism};

use crate::geometry::plane::{Course, Heading, Rect};
use crate::mechanism::common::moving::{clear_march, settle_on};
use crate::mechanism::common::{ground, leaving, test};
use crate::mechanism::figures::casualties::note_crew_gone;
use crate::mechanism::figures::falling_back::{face_away, run, turn_away_again};
use crate::mechanism::figures::{movement, skirmishers};
use crate::state::{Flags, Marks, Unit, UnitId};
use crate::step::{Context, Position};
use crate::telling::event::Event;

/// Lets a broken crew leave its guns. The guns themselves never rout.
pub(crate) fn crew_leaves(ctx: &mut Context<'_>, id: UnitId, morale: u8) {
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

/// Places crew figures behind their base, at the first place with room.
fn stand_apart(ctx: &mut Position<'_>, id: UnitId, crew: UnitId, figures: u16, morale: u8) {
    let base = base_of(ctx, id);
    let apart = ctx.battle.unit_mut(crew);
    apart.flags.clear(Flags::ABSENT);
    *apart = Unit { figures, start: figures, morale, heading: base.heading(), hits: 0, ..*apart };
    apart.front = base.at(0, -base.depth);
    face_away(ctx, crew);
    let along = base.heading().reversed();
    run(ctx, crew, along, 0);
    turn_away_again(ctx, crew);
}

/// The ground of a battery's base; of one in a square, that of the square.
fn base_of(ctx: &Position<'_>, id: UnitId) -> Rect {
    let unit = ctx.battle.unit(id);
    let stands = if unit.flags.has(Flags::INSIDE) { ctx.battle.unit(unit.foe) } else { unit };
    stands.rect(ctx.rules)
}

/// Plays a crew away from its guns: it flees, tests and returns.
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
    let most = rules.kinds[usize::from(unit.kind)].speed[usize::from(unit.formation)].unwrap_or(0);
    let rect = unit.rect(rules);
    let distance = rect.distance(&base);
    if distance > most {
        let course = Course { from: rect, along: Heading::between(rect.centre(), base.centre()) };
        let Some(clear) = clear_march(ctx, crew, &course, most, rules.movement.gap) else { return };
        let passage = ground::pass(ctx, crew, &course, clear, most);
        settle_on(ctx, crew, &course.at(passage.distance));
        ctx.battle.flags_mut(crew).set(Flags::MOVED);
        let wheel = unit.heading.turn_to(course.along);
        ctx.tell(|| Event::Marched { unit: crew, wheel, distance: passage.distance });
        return;
    }
    let apart = ctx.battle.unit_mut(crew);
    (apart.figures, apart.start) = (0, 0);
    apart.flags.set(Flags::ABSENT);
    let battery = ctx.battle.unit_mut(unit.kin);
    battery.figures += unit.figures;
    battery.start += unit.start;
    // What disorders the square about it goes on (8.47c).
    let shared = if battery.marks.has(Marks::SHARES) { battery.morale } else { 0 };
    battery.morale = unit.morale.max(shared);
    ctx.tell(|| Event::CrewBack { unit: unit.kin });
}

/// Returns a rallied crew that was off the table to its guns.
pub(crate) fn crew_returns(ctx: &mut Context<'_>, id: UnitId, morale: u8) {
    let unit = ctx.battle.unit_mut(id);
    unit.figures += unit.away;
    unit.away = 0;
    unit.morale = unit.morale.max(morale);
    ctx.tell(|| Event::CrewBack { unit: id });
}
