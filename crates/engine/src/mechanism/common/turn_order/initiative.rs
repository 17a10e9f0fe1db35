//! Initiative: the sides roll at the start of a turn, and the highest goes first; the others follow in the order of the
//! study.
//!
//! A side adds to its dice the highest value of the pack's formula among its units on the table. On a tie, the sides
//! reroll, a named side has the initiative, or the side that had it keeps it. With more than two sides, the first or
//! the last of the tied sides has it, or the next one after the side that had it.
//!
//! Example: each side rolls one die, and ties are rerolled. Each side goes first in half of all turns. If red adds 1,
//! it wins 21 of 36 rolls and ties 5: it goes first with a chance of 21/31.

use grognard_dice::{Decision, Faces, LANES, Odds, thresholds};
use grognard_roll::RollTable;
use grognard_rules::model::{Initiative, InitiativeTies};

use super::activate::acting;
use crate::state::{BySide, Side};
use crate::step::nearest::nearest_enemy;
use crate::step::{Context, Position};
use crate::telling::event::Scene;

/// Rolls for the initiative.
pub(super) fn roll(ctx: &mut Context<'_>, initiative: &Initiative) {
    let had = ctx.battle.leads();
    let mut sides: Vec<Side> = ctx.battle.sides().iter().copied().filter(|&side| !ctx.battle.is_out(side)).collect();
    let rolls = sides.clone();
    let reroll = match initiative.ties {
        InitiativeTies::First => false,
        InitiativeTies::Second => {
            sides.reverse();
            false
        }
        InitiativeTies::Keep if ctx.battle.turn > 1 => {
            sides = ctx.battle.sides_from(had).iter().copied().filter(|side| sides.contains(side)).collect();
            false
        }
        InitiativeTies::Keep | InitiativeTies::Reroll => true,
    };
    let add = ctx.battle.by_side(|side| bonus(ctx, initiative, side));
    let contest = Contest::new(&initiative.odds, &rolls, add, (!reroll).then_some(sides));
    // The roll belongs to all sides: its lane comes after those of the units.
    let address = ctx.address_of(initiative.site, LANES - 2);
    let index = ctx.dice.decide(address, &contest);
    let leads = rolls[index];
    acting(ctx).leads = leads;
    if ctx.witness.is_none() {
        return;
    }
    let faces = ctx.dice.shown(address, &contest, index);
    let shown = faces.iter().map(|face| face.label.as_str()).collect::<Vec<_>>().join(" ");
    let Some(first) = ctx.battle.side(leads).next() else { return };
    ctx.tell_special((first, None), &initiative.source, |scene: Scene<'_>| {
        let names = &scene.setup.names;
        let added = |side: &Side| (add[*side] != 0).then(|| format!("{} adds {}", names[*side], add[*side]));
        let added: Vec<String> = rolls.iter().filter_map(added).collect();
        let added = if added.is_empty() { String::new() } else { format!(" ({})", added.join(", ")) };
        format!("The dice for the initiative show {shown}{added}: {} goes first.", names[leads])
    });
}

/// The number that a side adds to its dice.
fn bonus(ctx: &Position<'_>, initiative: &Initiative, side: Side) -> i32 {
    let Some(add) = &initiative.add else { return 0 };
    let here = ctx.battle.side(side).filter(|&id| !ctx.battle.unit(id).gone());
    here.map(|id| add.get(&ctx.view(id, nearest_enemy(ctx, id)))).max().unwrap_or(0)
}

/// The dice of all sides against each other. Each outcome is the index of the side that goes first.
struct Contest<'a> {
    odds: &'a RollTable,
    rolls: &'a [Side],
    add: BySide<i32>,
    /// The order in which tied sides go; `None` if they reroll.
    ties: Option<Vec<Side>>,
    below: Vec<u32>,
    weights: Vec<u128>,
}

impl<'a> Contest<'a> {
    fn new(odds: &'a RollTable, rolls: &'a [Side], add: BySide<i32>, ties: Option<Vec<Side>>) -> Self {
        let at = odds.at(&[]);
        let shown: Vec<(i32, u128)> =
            at.classes().iter().map(|&class| class.into()).zip(at.odds().weights.iter().copied()).collect();
        let mut contest = Self { odds, rolls, add, ties, below: Vec::new(), weights: Vec::new() };
        contest.weights = rolls.iter().map(|&side| contest.weight(&shown, side)).collect();
        contest.below = thresholds(&contest.weights);
        contest
    }

    /// The number of ways in which the dice let a side go first.
    fn weight(&self, shown: &[(i32, u128)], side: Side) -> u128 {
        let beaten = |total: i32, other: Side| -> u128 {
            let loses = |&&(dice, _): &&(i32, u128)| self.beats((total, side), (dice + self.add[other], other));
            shown.iter().filter(loses).map(|(_, weight)| weight).sum()
        };
        let others = || self.rolls.iter().copied().filter(|&other| other != side);
        let ways = |&(dice, weight): &(i32, u128)| {
            others().map(|other| beaten(dice + self.add[side], other)).product::<u128>() * weight
        };
        shown.iter().map(ways).sum()
    }

    /// Whether a total of a side's dice beats that of another one.
    fn beats(&self, (total, side): (i32, Side), (other_total, other): (i32, Side)) -> bool {
        let first = |ties: &Vec<Side>| ties.iter().find(|&&tied| tied == side || tied == other) == Some(&side);
        total > other_total || (total == other_total && self.ties.as_ref().is_some_and(first))
    }
}

impl Decision for Contest<'_> {
    fn odds(&self) -> Odds<'_> {
        Odds { below: &self.below, weights: &self.weights, total: self.weights.iter().sum::<u128>().max(1) }
    }

    /// Rolls the dice of the sides, one side after another.
    fn by_hand(&self, faces: &mut dyn Faces) -> usize {
        let at = self.odds.at(&[]);
        loop {
            let thrown: Vec<(i32, Side)> = self
                .rolls
                .iter()
                .map(|&side| (i32::from(at.class(at.by_hand(faces))) + self.add[side], side))
                .collect();
            let beats_all = |one: &(i32, Side)| thrown.iter().all(|other| one == other || self.beats(*one, *other));
            if let Some(first) = thrown.iter().position(beats_all) {
                return first;
            }
        }
    }
}
