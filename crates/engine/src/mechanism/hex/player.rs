//! The acts of a player at the table, carried out by the same code that doctrine uses.
//!
//! Narrated examples, tests and tools for single positions call these; battles by doctrine do not.

use grognard_dice::{Dice, NoDice};
use grognard_rules::model::{HexRules, Mechanism, Provides, Rules};

use crate::geometry::hex;
use crate::mechanism::hex::{fire, melee, placing, target};
use crate::situation::hex::march::{Act, Breach, March};
use crate::situation::hex::motion::{check, motion, of_turn};
use crate::situation::hex::reach::reach as reached;
use crate::state::{Battle, HexFlags, Setup, UnitId};
use crate::step::Context;
use crate::step::scratch::Scratch;
use crate::telling::event::{Unwitnessed, Witness};

fn breach(hex: &HexRules, deed: Provides) -> Breach {
    let row = hex.all(deed).next();
    let cite = row.iter().flat_map(|(_, row)| row.source.clauses()).map(str::to_owned).collect();
    Breach { deed, cite }
}

/// Gives a unit orders for the half-turn.
pub fn order(battle: &mut Battle, unit: UnitId) {
    battle.unit_mut(unit).hex.flags.set(HexFlags::ORDERED);
}

/// Moves a unit act by act, as far as the rules let it.
///
/// # Errors
/// The first provision that an act breaks; the unit then stays where it was. On boards without hexes, every march
/// breaks [`Provides::Move`].
pub fn march(
    rules: &Rules,
    setup: &Setup,
    battle: &mut Battle,
    unit: UnitId,
    acts: &[Act],
    witness: &mut dyn Witness,
) -> Result<March, Breach> {
    let Some(hex) = rules.hex.as_deref() else { return Err(Breach { deed: Provides::Move, cite: Vec::new() }) };
    let (march, motion) = check(rules, setup, hex, battle, &Scratch::new(), unit, acts)?;
    let (mut dice, mut scratch) = (NoDice, Scratch::new());
    let mut ctx = Context::new(rules, setup, battle, &mut dice, witness, &mut scratch, None);
    placing::settle(&mut ctx, hex, unit, &motion, &march);
    Ok(march)
}

/// Every hex that a unit with orders can reach, in axial coordinates, with the facings it can have there.
#[must_use]
pub fn reach(rules: &Rules, setup: &Setup, battle: &Battle, unit: UnitId) -> Vec<((i32, i32), u8)> {
    let Some(hex) = rules.hex.as_deref() else { return Vec::new() };
    let motion = of_turn(motion(rules, setup, hex, battle, &Scratch::new(), unit), battle, unit);
    let own = battle.unit(unit);
    let ends = reached(hex, &motion, [(hex::hex_of(&hex.grid, own), 1 << hex::facing(own.heading))]);
    let hexes = 0..hex.grid.len() as u8;
    let there = hexes.flat_map(|at| (0..6).map(move |facing| (at, facing)));
    let there = there.filter(|&(at, facing): &(u8, u8)| ends[usize::from(facing)] >> at & 1 == 1);
    let mut places: Vec<_> = there.map(|(at, facing)| (hex.grid.place(at), facing)).collect();
    places.sort_unstable();
    places
}

/// Like [`reach`], but slower: tries every march act by act. For checking the sets of [`reach`].
#[must_use]
pub fn reach_by_marches(rules: &Rules, setup: &Setup, battle: &Battle, unit: UnitId) -> Vec<((i32, i32), u8)> {
    let Some(hex) = rules.hex.as_deref() else { return Vec::new() };
    let motion = of_turn(motion(rules, setup, hex, battle, &Scratch::new(), unit), battle, unit);
    let own = battle.unit(unit);
    let mut open = vec![motion.start(hex::hex_of(&hex.grid, own), hex::facing(own.heading))];
    let mut seen: Vec<March> = open.clone();
    let mut places = Vec::new();
    while let Some(march) = open.pop() {
        if march.ends(hex, &motion).is_ok() {
            places.push((hex.grid.place(march.hex), march.facing));
        }
        let turns = [Act::Turn(1), Act::Turn(-1)].into_iter();
        for act in turns.chain((0..6).map(Act::Pivot)).chain((0..6).map(Act::Step)) {
            if let Ok(next) = march.then(hex, &motion, act)
                && !seen.contains(&next)
            {
                seen.push(next);
                open.push(next);
            }
        }
    }
    places.sort_unstable();
    places.dedup();
    places
}

/// The enemies that a unit may attack from its hex, with the number of dice.
#[must_use]
pub fn targets(rules: &Rules, setup: &Setup, battle: &Battle, unit: UnitId) -> Vec<(UnitId, i32)> {
    let Some(hex) = rules.hex.as_deref() else { return Vec::new() };
    let mut battle = battle.clone();
    let (mut dice, mut scratch, mut witness) = (NoDice, Scratch::new(), Unwitnessed);
    let ctx = Context::new(rules, setup, &mut battle, &mut dice, &mut witness, &mut scratch, None);
    target::targets(&ctx, hex, unit).into_iter().map(|target| (target.id, target.dice)).collect()
}

/// Lets a unit attack an enemy, in the close-combat phase.
///
/// # Errors
/// The provision that forbids it: the unit has no dice to attack that enemy from its hex.
pub fn attack(
    rules: &Rules,
    setup: &Setup,
    battle: &mut Battle,
    unit: UnitId,
    enemy: UnitId,
    dice: &mut dyn Dice,
    witness: &mut dyn Witness,
) -> Result<(), Breach> {
    let Some(hex) = rules.hex.as_deref() else { return Err(Breach { deed: Provides::AttackFront, cite: Vec::new() }) };
    let open = targets(rules, setup, battle, unit);
    enter(rules, battle, |mechanism| mechanism == Mechanism::CloseCombat);
    let mut scratch = Scratch::new();
    let mut ctx = Context::new(rules, setup, battle, dice, witness, &mut scratch, None);
    if !open.iter().any(|&(target, _)| target == enemy) {
        let bound = target::duty_of(&ctx, hex, unit).is_some_and(|duty| duty.lapsed.is_none());
        return Err(breach(hex, if bound { Provides::FrontFirst } else { Provides::AttackFront }));
    }
    if !melee::may_fight(&mut ctx, hex, unit) {
        return Err(breach(hex, Provides::NoAttack));
    }
    melee::attack(&mut ctx, hex, unit, enemy, 1);
    ctx.answer_losses();
    Ok(())
}

/// Lets a unit fire at an enemy, in the first fire phase.
///
/// # Errors
/// [`Provides::Range`] if it may not.
pub fn shoot(
    rules: &Rules,
    setup: &Setup,
    battle: &mut Battle,
    unit: UnitId,
    enemy: UnitId,
    dice: &mut dyn Dice,
    witness: &mut dyn Witness,
) -> Result<(), Breach> {
    let Some(hex) = rules.hex.as_deref() else { return Err(Breach { deed: Provides::Range, cite: Vec::new() }) };
    let phase = enter(rules, battle, |mechanism| matches!(mechanism, Mechanism::Fire(_)));
    let Mechanism::Fire(roll) = rules.phases[usize::from(phase)].mechanism else {
        return Err(breach(hex, Provides::Range));
    };
    let mut scratch = Scratch::new();
    let mut ctx = Context::new(rules, setup, battle, dice, witness, &mut scratch, None);
    if !fire::may_hit(&ctx, hex, unit, enemy, roll) {
        return Err(breach(hex, Provides::Range));
    }
    ctx.battle.unit_mut(unit).hex.flags.set(HexFlags::SIGHTED);
    fire::shoot(&mut ctx, hex, unit, enemy, roll);
    Ok(())
}

/// Puts the battle into the first phase of a kind.
fn enter(rules: &Rules, battle: &mut Battle, is: impl Fn(Mechanism) -> bool) -> u8 {
    let phase = rules.phases.iter().position(|phase| is(phase.mechanism)).unwrap_or(0) as u8;
    battle.phase = phase;
    phase
}
