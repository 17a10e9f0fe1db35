//! The options of a unit in its next move on hexes, in the current position.

use grognard_expr::Lookup;
use grognard_rules::model::{HexRules, HexTerrain, OFF_BOARD, Provides, Rules, Source};

use crate::geometry::hex::{bits, facing, hex_leader_alone, hex_of, occupant};
use crate::geometry::plane::Point;
use crate::situation::hex::march::{Act, Begun, Breach, March, Motion};
use crate::situation::view::View;
use crate::state::{Battle, HexFlags, Setup, UnitId};
use crate::step::scratch::Scratch;

/// Occupied hexes, from a unit's point of view.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    /// Hexes occupied by friends that it could not join.
    pub(crate) friends: u128,
    pub(crate) enemies: u128,
    /// Hexes occupied by friends that it could join: lone leaders if it has no leader, or units without a leader if it
    /// is one.
    pub(crate) leaders: u128,
}

/// The hexes that these units occupy.
pub(crate) fn held_by(hex: &HexRules, battle: &Battle, units: impl Iterator<Item = UnitId>) -> u128 {
    let units = units.map(|id| battle.unit(id)).filter(|unit| !unit.gone());
    units.fold(0, |held, unit| held | bit(hex_of(&hex.grid, unit)))
}

pub(crate) fn bit(hex: u8) -> u128 {
    1_u128.checked_shl(u32::from(hex)).unwrap_or(0)
}

/// The occupied hexes, from a unit's point of view.
pub(crate) fn held(hex: &HexRules, battle: &Battle, id: UnitId) -> Held {
    held_among(hex, battle, id, held_by(hex, battle, battle.enemies(battle.unit(id).side)))
}

/// Like [`held`], given the hexes that enemies occupy.
pub(crate) fn held_among(hex: &HexRules, battle: &Battle, id: UnitId, enemies: u128) -> Held {
    let mut held = Held { friends: 0, enemies, leaders: 0 };
    let own = battle.unit(id);
    let leads = own.hex.flags.has(HexFlags::LEADER);
    for other in battle.side(own.side).filter(|&other| other != id && !own.hex.mate.is(other)) {
        let other = battle.unit(other);
        if other.gone() {
            continue;
        }
        let joins = if leads {
            !other.hex.flags.has(HexFlags::LEADER) && other.hex.mate.is_none()
        } else {
            own.hex.mate.is_none() && hex_leader_alone(other)
        };
        *if joins { &mut held.leaders } else { &mut held.friends } |= bit(hex_of(&hex.grid, other));
    }
    held
}

/// The hexes that are closed to a unit because of their terrain.
pub(crate) fn barred(hex: &HexRules, view: &View<'_>) -> u128 {
    lying(hex, view, |kind| kind.bars.as_ref())
}

/// The hexes whose terrain ends the move of a unit that enters it.
pub(crate) fn halting(hex: &HexRules, view: &View<'_>) -> u128 {
    lying(hex, view, |kind| kind.stops.as_ref())
}

/// The hexes next to any of these.
fn next_to(hex: &HexRules, hexes: u128) -> u128 {
    let near = bits(hexes).flat_map(|at| hex.grid.neighbours(at)).filter(|&near| near != OFF_BOARD);
    near.fold(0, |all, near| all | bit(near))
}

/// The hexes whose terrain does not let a unit fight in the turn in which it enters.
pub(crate) fn tiring(hex: &HexRules, view: &View<'_>) -> u128 {
    lying(hex, view, |kind| kind.tires.as_ref())
}

/// The hexes of every kind of terrain that satisfies a condition.
fn lying(hex: &HexRules, view: &View<'_>, what: impl Fn(&HexTerrain) -> Option<&Lookup>) -> u128 {
    let holds = |kind: &&HexTerrain| kind.at != 0 && what(kind).is_some_and(|when| when.get(view) != 0);
    hex.terrain.iter().filter(holds).fold(0, |hexes, kind| hexes | kind.at)
}

/// The options of a unit in its move in the current position.
pub(crate) fn motion(
    rules: &Rules,
    setup: &Setup,
    hex: &HexRules,
    battle: &Battle,
    scratch: &Scratch,
    id: UnitId,
) -> Motion {
    let enemies = held_by(hex, battle, battle.enemies(battle.unit(id).side));
    motion_among(rules, setup, hex, battle, scratch, id, enemies)
}

/// Like [`motion`], given the hexes that enemies occupy.
pub(crate) fn motion_among(
    rules: &Rules,
    setup: &Setup,
    hex: &HexRules,
    battle: &Battle,
    scratch: &Scratch,
    id: UnitId,
    enemies: u128,
) -> Motion {
    let unit = battle.unit(id);
    let view = View::new(rules, setup, battle, scratch, id, None);
    let first = |deed| hex.first(deed, unit.kind, || View::new(rules, setup, battle, scratch, id, None));
    let amount = |deed| first(deed).map_or(0, |(_, amount)| amount as u8);
    let Held { friends, enemies, leaders } = held_among(hex, battle, id, enemies);
    let pattern = first(Provides::Pattern).is_some();
    let mut motion = Motion {
        allowance: amount(Provides::Move),
        charge: amount(Provides::Charge),
        standing: amount(Provides::TurnStanding),
        turns: amount(Provides::TurnMoving),
        pivot: amount(Provides::Pivot),
        front: first(Provides::Step).is_some(),
        aside: false,
        keeps: first(Provides::KeepFacing).is_some(),
        pattern,
        begun: if pattern { begun(unit.hex.flags) } else { Begun::default() },
        faces: hex.any(Provides::Facing) && !hex_leader_alone(unit),
        pass: first(Provides::Pass).is_some(),
        alone: hex_leader_alone(unit),
        friends,
        enemies,
        leaders,
        barred: barred(hex, &view),
        halting: halting(hex, &view) | if first(Provides::Zone).is_some() { next_to(hex, enemies) } else { 0 },
    };
    if let Some((_, most)) = first(Provides::SideStep) {
        let others =
            battle.side(unit.side).filter(|&other| other != id && battle.unit(other).hex.flags.has(HexFlags::ASIDE));
        motion.aside = most == 0 || (others.count() as i32) < most;
    }
    motion
}

/// The options of a unit in the move of its turn. A unit that a leader has joined this turn does not move: he would
/// either move twice or be left behind (B9, B29).
pub(crate) fn of_turn(motion: Motion, battle: &Battle, id: UnitId) -> Motion {
    match battle.unit(id).hex.mate.get() {
        Some(mate) if battle.unit(mate).hex.steps > 0 => Motion { allowance: 0, charge: 0, pivot: 0, ..motion },
        _ => motion,
    }
}

/// The part of its pattern that a unit has used so far.
fn begun(flags: HexFlags) -> Begun {
    Begun {
        stepped: flags.has(HexFlags::STEPPED),
        turned: flags.has(HexFlags::TURNED),
        turned_first: flags.has(HexFlags::TURNED_FIRST),
    }
}

/// Checks a whole march of a unit, act by act. Returns its end and the unit's options.
///
/// # Errors
/// The first provision that it breaks, with its clauses.
pub(crate) fn check(
    rules: &Rules,
    setup: &Setup,
    hex: &HexRules,
    battle: &Battle,
    scratch: &Scratch,
    id: UnitId,
    acts: &[Act],
) -> Result<(March, Motion), Breach> {
    let motion = of_turn(motion(rules, setup, hex, battle, scratch, id), battle, id);
    let unit = battle.unit(id);
    let breach = |deed: Provides| {
        let view = View::new(rules, setup, battle, scratch, id, None);
        // If no row applies, cites the last row of this kind, which covers the usual case.
        let row = hex
            .first(deed, unit.kind, || view)
            .map(|(index, _)| index)
            .or_else(|| hex.all(deed).last().map(|(index, _)| index));
        let source = row.map_or_else(Source::default, |row| hex.provisions[usize::from(row)].source.clone());
        Breach { deed, cite: source.clauses().map(str::to_owned).collect() }
    };
    if hex.any(Provides::Ordered) && !unit.hex.flags.has(HexFlags::ORDERED) && !acts.is_empty() {
        return Err(breach(Provides::Ordered));
    }
    let mut march = motion.start(hex_of(&hex.grid, unit), facing(unit.heading));
    for &act in acts {
        march = march.then(hex, &motion, act).map_err(breach)?;
    }
    march.ends(hex, &motion).map_err(breach)?;
    Ok((march, motion))
}

/// Whether a place is empty.
pub(crate) fn free(battle: &Battle, at: Point) -> bool {
    occupant(battle, at).is_none()
}
