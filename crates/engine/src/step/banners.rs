//! Banners: units that are permanently lost. A given number of them ends a battle at once.

use crate::state::Side;
use crate::step::position::Position;

/// Whether a side has lost enough units to end the battle at once.
pub(crate) fn banners_decide(ctx: &Position<'_>) -> bool {
    let most = ctx.rules.victory.banners.map_or(usize::MAX, usize::from);
    ctx.battle.sides().iter().any(|&side| banners_of(ctx, side) >= most && !ctx.battle.is_out(side))
}

/// The number of units that a side has permanently lost.
pub(crate) fn banners_of(ctx: &Position<'_>, side: Side) -> usize {
    ctx.battle.of_side(side).iter().filter(|unit| unit.gone_for_enemy()).count()
}
