//! Leaders: at risk with their units, hunted when alone (B29 of the ancients game).

use grognard_rules::model::{HexRules, Provides};

use crate::geometry::hex::{OFF_BOARD_HEX, hex_of};
use crate::mechanism::hex::placing;
use crate::mechanism::hex::provisions::{exits, provided, provision};
use crate::situation::hex::motion;
use crate::state::{HexFlags, Unit, UnitId};
use crate::step::Context;
use crate::telling::event::{Event, HexEvent, Occasion};

/// A unit has lost figures: its leader, if it has one, may fall with them. `before` is what it had.
///
/// At most one check is made for a leader in a combat. A leader whose unit is no more flees.
pub(super) fn after_losses(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId, cause: UnitId, before: u16) {
    let unit = *ctx.battle.unit(id);
    if unit.figures >= before {
        return;
    }
    // A unit that is removed lets go of its leader: he is found by the place they shared.
    let here = |(_, other): &(usize, &Unit)| {
        other.side == unit.side && other.hex.flags.has(HexFlags::LEADER) && !other.gone() && other.front == unit.front
    };
    let leader = ctx.battle.units.iter().enumerate().find(here).map(|(index, _)| UnitId(index as u8));
    let Some(leader) = leader.filter(|&leader| leader != id) else { return };
    let this = 1_u64 << (leader.index() & 63);
    let checked = ctx.scratch.combat.is_some_and(|combat| combat.checked & this != 0);
    if !checked && let Some((row, _)) = provision(ctx, hex, Provides::LeaderCheck, leader, Some(cause)) {
        provided(ctx, row, leader);
        if let Some(combat) = &mut ctx.scratch.combat {
            combat.checked |= this;
        }
        let roll = hex.provisions[usize::from(row)].roll;
        let effect = ctx.cast(Occasion::Provision(row), roll, leader, Some(cause)).own;
        if effect.destroy {
            ctx.destroy(leader);
            return;
        }
    }
    if unit.gone() {
        flee(ctx, hex, leader);
    }
}

/// A leader without a unit goes back towards his own baseline, through friends, to the first unit that he can join or else
/// as far as he may, not through impassable terrain. Off the board he is safe.
pub(crate) fn flee(ctx: &mut Context<'_>, hex: &HexRules, leader: UnitId) {
    let Some((row, hexes)) = provision(ctx, hex, Provides::LeaderFlight, leader, None) else { return };
    provided(ctx, row, leader);
    let (row, directions) = exits(ctx, hex, leader);
    if let Some(row) = row {
        provided(ctx, row, leader);
    }
    let unit = *ctx.battle.unit(leader);
    let held = motion::held(hex, &ctx.battle, leader);
    let closed = held.enemies | motion::barred(hex, &ctx.view(leader, None));
    let mut at = hex_of(&hex.grid, &unit);
    let (mut end, mut made) = (at, 0);
    for step in 1..=hexes.clamp(0, 15) as u8 {
        let ways = directions.map(|direction| hex.grid.near(at, direction));
        if ways.contains(&OFF_BOARD_HEX) && ways.iter().all(|&way| way == OFF_BOARD_HEX) {
            ctx.battle.unit_mut(leader).hex.flags.set(HexFlags::ABANDONED);
            ctx.remove(leader, Event::LeftTable);
            return;
        }
        // A unit that he can join before a hex without anybody, and that before one with friends whom he only passes: units that
        // have a leader, and other lone leaders (B10). Enemies close theirs.
        let open = |&way: &u8| way != OFF_BOARD_HEX && closed & motion::bit(way) == 0;
        let rank = |way: u8| {
            let bit = motion::bit(way);
            if held.leaders & bit != 0 { 0 } else { 1 + u8::from(held.friends & bit != 0) }
        };
        let best = ways.into_iter().filter(open).map(|way| (rank(way), way)).min();
        let Some((rank, way)) = best else { break };
        at = way;
        if rank < 2 {
            (end, made) = (at, step);
        }
        if rank == 0 {
            break;
        }
    }
    ctx.tell(|| Event::Hex(HexEvent::FellBack { unit: leader, hexes: made, of: made }));
    placing::put(ctx, hex, leader, end);
}
