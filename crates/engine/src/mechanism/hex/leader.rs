//! Leaders: they are at risk with their units, and hunted when alone (B29 of the ancients game).

use grognard_rules::model::{HexRules, Provides};

use crate::geometry::hex::{OFF_BOARD_HEX, bits, hex_of, seen_by};
use crate::mechanism::hex::placing;
use crate::mechanism::hex::provisions::{exits, provided, provision};
use crate::situation::hex::motion;
use crate::state::{HexFlags, Unit, UnitId};
use crate::step::asking::is_played;
use crate::step::banners::banners_decide;
use crate::step::{Context, Position};
use crate::telling::event::{Event, HexEvent, Occasion};

/// Checks the leader of a unit that has lost figures: he may be lost with them. `before` is the unit's number of
/// figures before its losses.
///
/// At most one check is made for a leader in a combat. A leader whose unit is removed flees. There is no check and no
/// flight if the loss decided the battle (B7).
pub(super) fn after_losses(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId, cause: UnitId, before: u16) {
    let unit = *ctx.battle.unit(id);
    if unit.figures >= before || banners_decide(ctx) {
        return;
    }
    // A unit that is removed loses its leader; he is found by their shared hex.
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

/// Moves a leader without a unit back towards his own baseline, through friends but not through impassable terrain. He
/// goes to the first unit that he can join, or else as far as he may. Once off the board, he is safe. His player may
/// choose any end at least one hex away.
pub(crate) fn flee(ctx: &mut Context<'_>, hex: &HexRules, leader: UnitId) {
    let Some((row, hexes)) = provision(ctx, hex, Provides::LeaderFlight, leader, None) else { return };
    provided(ctx, row, leader);
    let (row, directions) = exits(ctx, hex, leader);
    if let Some(row) = row {
        provided(ctx, row, leader);
    }
    let refuge = refuge(ctx, hex, leader, directions, hexes);
    let end = if refuge.ends != 0 && is_played(ctx, leader) {
        let away = refuge.leaves.then_some(OFF_BOARD_HEX);
        placing::end_chosen(ctx, leader, bits(refuge.ends).chain(away), refuge.end)
    } else {
        refuge.end
    };
    if end == OFF_BOARD_HEX {
        ctx.battle.unit_mut(leader).hex.flags.set(HexFlags::ABANDONED);
        ctx.remove(leader, Event::LeftTable);
        return;
    }
    let made = placing::away(ctx, hex, leader, end);
    ctx.tell(|| Event::Hex(HexEvent::FellBack { unit: leader, hexes: made, of: made.into() }));
    placing::put(ctx, hex, leader, end);
}

/// The hexes to which a leader can flee.
struct Refuge {
    /// The doctrine's choice, or his own hex if his flight can end nowhere.
    end: u8,
    /// All hexes in which his flight may end.
    ends: u128,
    /// Whether he may leave the board.
    leaves: bool,
}

/// The hexes where a leader's flight of at most `hexes` hexes can end. Enemies and impassable terrain block. He passes
/// through friends, but cannot end his flight with those that he cannot join: units that have a leader, and other lone
/// leaders (B10).
fn refuge(ctx: &Position<'_>, hex: &HexRules, leader: UnitId, directions: [u8; 2], hexes: i32) -> Refuge {
    let held = motion::held(hex, &ctx.battle, leader);
    let closed = held.enemies | motion::barred(hex, &ctx.view(leader, None));
    let (start, side) = (hex_of(&hex.grid, ctx.battle.unit(leader)), ctx.battle.unit(leader).side);
    let (mut layer, mut ends, mut leaves) = (motion::bit(start), 0, false);
    let (mut joined, mut farthest) = (None, start);
    for _ in 0..hexes {
        let mut next = 0;
        for at in bits(layer) {
            let ways = directions.map(|direction| hex.grid.near(at, direction));
            leaves |= ways.iter().all(|&way| way == OFF_BOARD_HEX);
            next |= ways.into_iter().fold(0, |next, way| next | motion::bit(way));
        }
        layer = next & !closed;
        let open = layer & !held.friends;
        joined = joined.or_else(|| seen_by(side, open & held.leaders).next());
        farthest = seen_by(side, open).next().unwrap_or(farthest);
        ends |= open;
    }
    if leaves {
        farthest = OFF_BOARD_HEX;
    }
    Refuge { end: joined.unwrap_or(farthest), ends, leaves }
}
