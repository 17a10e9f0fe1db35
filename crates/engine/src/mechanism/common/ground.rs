//! Ground under a march: its cost, and the units that it stops or disorders (clauses 7.35, 7.43, 8.16, 9.59).
//!
//! An inch of march costs the highest pace of any ground under the unit; entering a piece costs its crossing; a road
//! avoids both costs. A unit stops in front of ground that is barred to it or that it cannot afford to enter. Ground
//! that disorders a unit does so at once, in the phase in which the unit enters it.
//!
//! Example: a unit with 8" of move has 2" of open ground ahead, then woods at 2 inches an inch. As 2" + 3" x 2 = 8", it
//! marches 5".

use arrayvec::ArrayVec;

use crate::geometry::plane::{Circle, Course, Rect, TOUCH};
use crate::mechanism::common::moving::{Entered, hampered_by, hampers, keeps_to_road, stands_on_its_unit};
use crate::state::{Flags, TERRAIN_MAX, UnitId};
use crate::step::{Context, Position};
use crate::telling::event::{Event, Refusal};

/// The result of a march over ground.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Passage {
    /// The distance moved, in hundredths of an inch.
    pub(crate) distance: i32,
    /// The cost, in hundredths of an inch of movement.
    pub(crate) spent: i32,
    /// The kind of terrain whose bar stopped it, and the index of the bar.
    pub(crate) barred: Option<(u8, u8)>,
    /// The kind of ground that disorders it.
    pub(crate) disorders: Option<u8>,
    /// Whether it has crossed linear ground.
    pub(crate) crossed: bool,
}

impl Passage {
    /// Adds the effects of an initial turn or wheel onto this terrain.
    pub(crate) fn after(mut self, entered: &Entered) -> Self {
        self.crossed |= entered.linear;
        self.disorders = entered.disorders.or(self.disorders);
        self
    }
}

/// A piece of terrain on the way, and where it begins and ends.
#[derive(Clone, Copy)]
struct Stretch {
    ground: u8,
    enter: i32,
    leave: i32,
}

/// The distance that a unit can move on a course, at most `wanted`, with `left` of its move left. A screen stops short
/// of its unit if it cannot get past it.
pub(crate) fn march(ctx: &Position<'_>, id: UnitId, course: &Course, wanted: i32, left: i32) -> Passage {
    let passage = pass(ctx, id, course, wanted, left);
    let Some(home) = stands_on_its_unit(ctx, id, &course.at(passage.distance)) else { return passage };
    let before = course.passage(&ctx.rect(home)).map_or(0, |(enter, _)| enter.max(0));
    pass(ctx, id, course, before.min(passage.distance), left)
}

/// The distance that a unit can move on a course, at most `wanted`, with `left` of its move left. Screens are not
/// checked.
#[inline]
pub(crate) fn pass(ctx: &Position<'_>, id: UnitId, course: &Course, wanted: i32, left: i32) -> Passage {
    if ctx.setup.terrain.iter().all(|piece| piece.ground(ctx.rules).is_even()) {
        let distance = wanted.min(left).max(0);
        return Passage { distance, spent: distance, ..Passage::default() };
    }
    pass_over(ctx, id, course, wanted, left)
}

#[inline(never)]
fn pass_over(ctx: &Position<'_>, id: UnitId, course: &Course, wanted: i32, left: i32) -> Passage {
    let rules = ctx.rules;
    let mut passage = Passage::default();
    let mut stretches = ArrayVec::<Stretch, TERRAIN_MAX>::new();
    let circle = Circle::of(&course.from);
    for piece in &ctx.setup.terrain {
        if !circle.beyond(&Circle::of(&piece.rect), wanted.max(1))
            && let Some((enter, leave)) = course.passage(&piece.rect)
            && leave > 0
            && enter < wanted.max(1)
        {
            // Because of rounding, a unit that has stopped short of a piece may overlap it without having entered it.
            let ahead = || !course.from.overlaps(&piece.rect) && course.at(leave / 2).overlaps(&piece.rect);
            let enter = if enter < 0 && ahead() { 0 } else { enter };
            let _ = stretches.try_push(Stretch { ground: piece.ground, enter, leave });
        }
    }
    stretches.sort_unstable_by_key(|stretch| stretch.enter);
    let on_road = |at: i32| keeps_to_road(ctx, id, &course.at(at));
    let mut next = 0;
    loop {
        // Ground begins here: it is barred, or may cost something to enter.
        while let Some(stretch) = stretches.get(next).filter(|stretch| stretch.enter <= passage.distance) {
            next += 1;
            let ground = &rules.grounds[usize::from(stretch.ground)];
            let enters = stretch.enter >= 0;
            let bar = ground.bars.iter().position(|bar| ctx.holds(Some(&bar.when), id, None));
            if let Some(bar) = bar {
                passage.barred = Some((stretch.ground, bar as u8));
                return passage;
            }
            if enters && ground.crossing > 0 && !on_road(passage.distance) {
                // With the rest of its move, the unit could touch the terrain but not enter it.
                if passage.spent + ground.crossing + TOUCH as i32 > left {
                    return passage;
                }
                passage.spent += ground.crossing;
            }
        }
        if passage.distance >= wanted || passage.spent >= left {
            break;
        }
        let here = passage.distance;
        let ends = stretches.iter().flat_map(|stretch| [stretch.enter, stretch.leave]);
        let until = ends.filter(|&at| at > here).min().unwrap_or(wanted).min(wanted);
        let under = stretches.iter().filter(|stretch| stretch.enter <= here && stretch.leave > here);
        let pace = if on_road(here) && on_road(until) {
            100
        } else {
            under.map(|stretch| rules.grounds[usize::from(stretch.ground)].pace).max().unwrap_or(100)
        };
        let affordable = (i64::from(left - passage.spent) * 100 / i64::from(pace)) as i32;
        let step = (until - here).min(affordable);
        passage.distance += step;
        passage.spent += (i64::from(step) * i64::from(pace) / 100) as i32;
        for stretch in stretches.iter().filter(|stretch| stretch.enter < passage.distance && stretch.leave > here) {
            let ground = &rules.grounds[usize::from(stretch.ground)];
            // Linear ground counts as crossed if the unit enters it, or leaves it after starting on it.
            passage.crossed |= ground.linear && (stretch.enter >= 0 || stretch.leave <= passage.distance);
            if hampers(ctx, id, ground) && !(on_road(here) && on_road(passage.distance)) {
                passage.disorders = passage.disorders.or(Some(stretch.ground));
            }
        }
        if step < until - here {
            break;
        }
    }
    passage
}

/// Applies the effects of terrain to a unit that has marched over it.
pub(crate) fn suffer_ground(ctx: &mut Context<'_>, id: UnitId, passage: &Passage) {
    if passage.crossed {
        ctx.battle.flags_mut(id).set(Flags::CROSSED);
    }
    if let Some((ground, bar)) = passage.barred {
        ctx.tell(|| Event::Refused { unit: id, why: Refusal::Ground(ground, bar) });
    }
    if let Some(ground) = passage.disorders {
        disorder(ctx, id, ground);
    }
}

/// Applies the effect of terrain to a unit that is driven back over it. Terrain does not stop such a unit (8.16).
pub(crate) fn disorder_on_the_way(ctx: &mut Context<'_>, id: UnitId, course: &Course, distance: i32) {
    if ctx.setup.terrain.is_empty() {
        return;
    }
    if let Some(ground) = pass(ctx, id, course, distance, i32::MAX).disorders {
        disorder(ctx, id, ground);
    }
}

/// Applies the effect of the terrain under a unit when it forms or turns there (8.16).
pub(crate) fn disorder_where_it_stands(ctx: &mut Context<'_>, id: UnitId) {
    disorder_on_ground_but(ctx, id, None);
}

/// Applies the effect of terrain to a unit that has moved onto it without marching. `before` is its previous position:
/// terrain there is not entered (8.16).
pub(crate) fn disorder_on_new_ground(ctx: &mut Context<'_>, id: UnitId, before: &Rect) {
    disorder_on_ground_but(ctx, id, Some(before));
}

/// Applies the effect of terrain to a unit that has turned here from another place: the terrain under it now, or else
/// the terrain under its former place (8.16).
pub(crate) fn disorder_by_turning(ctx: &mut Context<'_>, id: UnitId, from: &Rect) {
    disorder_where_it_stands(ctx, id);
    if let Some(ground) = hampered_by(ctx, id, from, None) {
        disorder(ctx, id, ground);
    }
}

fn disorder_on_ground_but(ctx: &mut Context<'_>, id: UnitId, before: Option<&Rect>) {
    if ctx.battle.unit(id).gone() {
        return;
    }
    if let Some(ground) = hampered_by(ctx, id, &ctx.rect(id), before) {
        disorder(ctx, id, ground);
    }
}

fn disorder(ctx: &mut Context<'_>, id: UnitId, ground: u8) {
    let Some(state) = ctx.rules.grounds[usize::from(ground)].disorders else { return };
    if ctx.battle.unit(id).morale < state && !ctx.battle.unit(id).gone() {
        ctx.tell(|| Event::Disordered { unit: id, ground });
        ctx.fall_into(id, state);
    }
}

/// Gives the pack's state for ambiguous facing to units whose figures face in two directions without lining terrain
/// (7.37).
pub(crate) fn check_dressing(ctx: &mut Context<'_>) {
    let rules = ctx.rules;
    let Some((state, _)) = &rules.dressing.ambiguous else { return };
    for index in 0..ctx.battle.units.len() as u8 {
        let id = UnitId(index);
        let unit = ctx.battle.unit(id);
        let lines = || unit.lines(rules, &ctx.setup.terrain);
        if unit.bend.is_none() || unit.gone() || unit.morale >= *state || lines() {
            continue;
        }
        ctx.tell(|| Event::Ambiguous { unit: id });
        ctx.fall_into(id, *state);
    }
}
