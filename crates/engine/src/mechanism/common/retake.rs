//! Retakes: a unit that fails a roll takes it again if a general is near.
//!
//! A roll may name results that are rolled again (`[roll.NAME.retake]`). When one of them comes up, the engine looks
//! for the nearest general of the roller's side who is on the table, has a rank listed by the roll, and is within its
//! distance. If there is one, the roll is taken once more with the same numbers, and the second result stands. For a
//! general with a unit, the unit's distance counts. A general may do this for any number of units.

use grognard_rules::model::Retake;

use crate::situation::occupied::ground_of;
use crate::state::UnitId;
use crate::step::{Context, Position};
use crate::telling::narrator::general::general_name;
use crate::telling::narrator::words::{inches, unit_name};

/// Whether a general lets a unit take a roll again.
pub(crate) fn is_rallied(ctx: &mut Context<'_>, retake: &Retake, own: UnitId, foe: Option<UnitId>) -> bool {
    let Some((distance, general)) = nearest_general(ctx, retake, own) else { return false };
    if !ctx.holds(retake.when.as_ref(), own, foe) {
        return false;
    }
    ctx.tell_special((own, foe), &retake.source, |scene| {
        let name = scene.rules.generals.as_deref().map(|rules| general_name(scene, rules, general as u8));
        let (name, unit) = (name.unwrap_or_default(), unit_name(scene, own));
        format!("{name}, {} away, lets {unit} roll again.", inches(distance))
    });
    true
}

/// The nearest general who may let a unit roll again, and his distance from it.
fn nearest_general(ctx: &Position<'_>, retake: &Retake, own: UnitId) -> Option<(i32, usize)> {
    let (side, ground) = (ctx.battle.unit(own).side, ctx.rect(own));
    let serves = |index: &usize| {
        let rank = ctx.setup.generals[*index].rank;
        retake.ranks >> rank & 1 == 1 && ctx.battle.serves(ctx.setup, side, *index)
    };
    let generals = (0..ctx.setup.generals.len()).filter(serves);
    let near =
        generals.map(|index| (ground_of(ctx.rules, ctx.setup, &ctx.battle, index).distance(&ground), index)).min()?;
    (near.0 <= retake.within).then_some(near)
}
