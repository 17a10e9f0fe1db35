//! Movement: a unit with orders moves to the hex and facing with the highest value, by any march that the provisions
//! allow.

use grognard_rules::model::{DoctrineRow, HexRules, Order, Provides};

use crate::geometry::hex::{facing, hex_of};
use crate::mechanism::hex::foes::Foes;
use crate::mechanism::hex::placing::settle;
use crate::mechanism::hex::provisions::{place_of_row, provision};
use crate::mechanism::hex::search::best_march;
use crate::situation::hex::motion;
use crate::state::{HexFlags, UnitId};
use crate::step::asking::{ask_for_row, is_played};
use crate::step::nearest::nearest_enemy;
use crate::step::{Context, Position};
use crate::telling::event::{Event, HexEvent};

pub(crate) fn play(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId) {
    let unit = ctx.battle.unit(id);
    if hex.any(Provides::Ordered) && !unit.hex.flags.has(HexFlags::ORDERED) {
        return;
    }
    if let Some((row, _)) = provision(ctx, hex, Provides::MoveAgain, id, None)
        && !unit.hex.flags.has(HexFlags::SIGHTED)
    {
        ctx.tell(|| Event::Hex(HexEvent::Breached { unit: id, row }));
        return;
    }
    let decisions = ctx.decisions(id);
    let row = if is_played(ctx, id) {
        let manoeuvres = |_: &Position<'_>, row: &DoctrineRow, _| matches!(row.order, Order::Manoeuvre(_));
        let enemy = nearest_enemy(ctx, id);
        let Some(chosen) = ask_for_row(ctx, id, enemy, |_, _| false, manoeuvres) else { return };
        chosen.row
    } else {
        place_of_row(ctx, hex, id, || nearest_enemy(ctx, id))
    };
    let Some(order @ Order::Manoeuvre(weigh)) = decisions.rows.get(row).map(|row| row.order) else { return };
    let side = ctx.battle.unit(id).side;
    let known = ctx.scratch.foes.take().filter(|foes| foes.of == side);
    let foes = known.unwrap_or_else(|| Box::new(Foes::of(&ctx.battle, hex, side)));
    let motion = motion::motion_among(ctx.rules, ctx.setup, hex, &ctx.battle, ctx.scratch, id, foes.held);
    let motion = motion::of_turn(motion, &ctx.battle, id);
    let start = motion.start(hex_of(&hex.grid, ctx.battle.unit(id)), facing(ctx.battle.unit(id).heading));
    let best = best_march(ctx, hex, id, &motion, start, (&foes, &weigh));
    ctx.scratch.foes = Some(foes);
    if best != start {
        ctx.tell(|| Event::Ordered { unit: id, row, order });
        settle(ctx, hex, id, &motion, &best);
    }
}
