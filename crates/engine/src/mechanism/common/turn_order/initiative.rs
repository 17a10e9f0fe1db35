//! Initiative: both sides roll at the start of a turn, and the higher one goes first.
//!
//! What a side adds to its dice is the greatest value of the pack's formula among its units on the table. On a tie,
//! they reroll, a named side has the initiative, or the side that had it keeps it.
//!
//! Example: a die each, and ties are rerolled. Either side goes first in half of all turns. If red adds 1, it wins 21 of 36 rolls and
//! ties 5: it goes first with a chance of 21/31.

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
    let ties = match initiative.ties {
        InitiativeTies::First => Some(Side::First),
        InitiativeTies::Second => Some(Side::Second),
        InitiativeTies::Keep if ctx.battle.turn > 1 => Some(had),
        InitiativeTies::Keep | InitiativeTies::Reroll => None,
    };
    let add = BySide::from_fn(|side| bonus(ctx, initiative, side));
    let contest = Contest::new(&initiative.odds, add, ties);
    // The roll belongs to both sides: its lane comes after those of the units.
    let address = ctx.address_of(initiative.site, LANES - 2);
    let index = ctx.dice.decide(address, &contest);
    let leads = [Side::First, Side::Second][index];
    acting(ctx).leads = leads;
    if ctx.witness.is_none() {
        return;
    }
    let faces = ctx.dice.shown(address, &contest, index);
    let shown = faces.iter().map(|face| face.label.as_str()).collect::<Vec<_>>().join(" ");
    let Some(first) = ctx.battle.side(leads).next() else { return };
    ctx.tell_special((first, None), &initiative.source, |scene: Scene<'_>| {
        let names = &scene.setup.names;
        let added = |side: Side| (add[side] != 0).then(|| format!("{} adds {}", names[side], add[side]));
        let added: Vec<String> = Side::BOTH.into_iter().filter_map(added).collect();
        let added = if added.is_empty() { String::new() } else { format!(" ({})", added.join(", ")) };
        format!("The dice for the initiative show {shown}{added}: {} goes first.", names[leads])
    });
}

/// What a side adds to its dice.
fn bonus(ctx: &Position<'_>, initiative: &Initiative, side: Side) -> i32 {
    let Some(add) = &initiative.add else { return 0 };
    let here = ctx.battle.side(side).filter(|&id| !ctx.battle.unit(id).gone());
    here.map(|id| add.get(&ctx.view(id, nearest_enemy(ctx, id)))).max().unwrap_or(0)
}

/// The dice of both sides against each other: outcome 0 if the first side goes first, 1 if the second does.
struct Contest<'a> {
    odds: &'a RollTable,
    add: BySide<i32>,
    ties: Option<Side>,
    below: Vec<u32>,
    weights: Vec<u128>,
}

impl<'a> Contest<'a> {
    fn new(odds: &'a RollTable, add: BySide<i32>, ties: Option<Side>) -> Self {
        let at = odds.at(&[]);
        let shown: Vec<(i32, u128)> =
            at.classes().iter().map(|&class| class.into()).zip(at.odds().weights.iter().copied()).collect();
        let mut weights = vec![0_u128; 2];
        for &(first, weight) in &shown {
            for &(second, other) in &shown {
                if let Some(side) = winner(add, first, second, ties) {
                    weights[side.index()] += weight * other;
                }
            }
        }
        Self { odds, add, ties, below: thresholds(&weights), weights }
    }
}

/// The side that wins with these totals of the dice; `None` if both reroll.
fn winner(add: BySide<i32>, first: i32, second: i32, ties: Option<Side>) -> Option<Side> {
    match (first + add.first).cmp(&(second + add.second)) {
        std::cmp::Ordering::Greater => Some(Side::First),
        std::cmp::Ordering::Equal => ties,
        std::cmp::Ordering::Less => Some(Side::Second),
    }
}

impl Decision for Contest<'_> {
    fn odds(&self) -> Odds<'_> {
        Odds { below: &self.below, weights: &self.weights, total: self.weights.iter().sum::<u128>().max(1) }
    }

    /// The first side's dice, then the second's.
    fn by_hand(&self, faces: &mut dyn Faces) -> usize {
        let at = self.odds.at(&[]);
        loop {
            let [first, second] = [(); 2].map(|()| i32::from(at.class(at.by_hand(faces))));
            if let Some(side) = winner(self.add, first, second, self.ties) {
                return side.index();
            }
        }
    }
}
