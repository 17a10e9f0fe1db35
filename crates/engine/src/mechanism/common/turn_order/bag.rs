//! A bag of chips: the chip drawn decides which side acts.
//!
//! The bag is filled at the start of a turn. A chip belongs to a single unit, or to a side, which then activates one of
//! its units that have not acted this turn. The turn ends when the bag is empty, or with a chip that ends it. A chip
//! that no unit can use has no effect.
//!
//! Example: red has three units and blue has one. The chance that blue acts first is 1/4, and so is the chance that it
//! acts last.

use grognard_dice::LANES;
use grognard_rules::model::{Bag, Chips, TurnOrder};

use super::activate::{Course, acting, begin_activation, can_act, choose, test, waiting};
use crate::mechanism::common::units::alike;
use crate::state::{Flags, Side, UnitId, Units};
use crate::step::at_random::Drawn;
use crate::step::nearest::nearest_enemy;
use crate::step::{Context, Position};
use crate::telling::event::{Event, Scene};
use crate::telling::narrator::words::{counted, unit_name};

/// The owner of a chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chip {
    /// The end of the turn.
    End,
    /// A side, which activates a unit.
    Side(Side),
    /// A unit.
    Unit(UnitId),
}

/// Fills the bag.
pub(super) fn fill(ctx: &mut Context<'_>, order: &TurnOrder, bag: &Bag) {
    if matches!(bag.chips, Chips::Named) {
        let absent = Units::first(ctx.battle.units.len()).those(|id| !can_act(ctx, order, id));
        acting(ctx).done = absent;
        return;
    }
    for &side in ctx.battle.sides() {
        acting(ctx).chips[side.index()] = put_in(ctx, order, bag, side);
    }
}

/// The number of chips for a side, counting only units that can still be activated.
fn put_in(ctx: &mut Context<'_>, order: &TurnOrder, bag: &Bag, side: Side) -> u16 {
    match &bag.chips {
        Chips::OfSide(chips) => u16::from(*chips),
        Chips::OfUnits(chips) => {
            let waiting = waiting(ctx, order, side);
            let each = waiting.map(|id| chips.get(&ctx.view(id, nearest_enemy(ctx, id))).max(0));
            each.sum::<i32>() as u16
        }
        Chips::Named => 0,
    }
}

/// Draws a chip, and activates a unit if possible.
pub(super) fn draw(ctx: &mut Context<'_>, order: &TurnOrder, bag: &Bag) -> Course {
    let chips = in_bag(ctx, order, bag);
    let Some(&(only, _)) = chips.first() else { return Course::Ends };
    let chip = if chips.len() == 1 {
        only
    } else {
        let weights = chips.iter().map(|&(_, chips)| u128::from(chips)).collect();
        // The bag belongs to no side: its lane comes after those of the units.
        let address = ctx.address_of(bag.site, LANES - 2);
        chips[ctx.dice.decide(address, &Drawn::new("bag", weights))].0
    };
    let unit = match chip {
        Chip::End => {
            acting(ctx).ends += 1;
            None
        }
        Chip::Unit(id) if can_act(ctx, order, id) => Some(id),
        Chip::Unit(id) => {
            let acting = acting(ctx);
            acting.done = acting.done.plus(Units::one(id));
            None
        }
        Chip::Side(side) => {
            acting(ctx).chips[side.index()] -= 1;
            let waiting = waiting(ctx, order, side);
            choose(ctx, side, waiting)
        }
    };
    match unit {
        Some(id) => begin_activation(ctx, id, !bag.again),
        None => ctx.tell(|| Event::Activated { unit: None }),
    }
    tell_draw(ctx, bag, chip, unit);
    match (chip, unit) {
        (_, Some(id)) => test(ctx, order, id),
        (Chip::End, None) if acting(ctx).ends >= bag.after => Course::Ends,
        _ => {
            acting(ctx).count += 1;
            Course::Passes
        }
    }
}

/// The chips in the bag, with the number of each kind. Kinds without chips are left out.
fn in_bag(ctx: &mut Context<'_>, order: &TurnOrder, bag: &Bag) -> Vec<(Chip, u32)> {
    let mut chips = Vec::new();
    match bag.chips {
        Chips::Named => {
            let left = Units::first(ctx.battle.units.len()).but(acting(ctx).done);
            for id in left.those(|id| bag.stays || can_act(ctx, order, id)) {
                let fits = |chip: Chip| matches!(chip, Chip::Unit(known) if is_one_kind(ctx, known, id));
                match chips.iter_mut().find(|(chip, _)| fits(*chip)) {
                    Some((_, number)) => *number += 1,
                    None => chips.push((Chip::Unit(id), 1)),
                }
            }
        }
        Chips::OfSide(_) | Chips::OfUnits(_) => {
            for &side in ctx.battle.sides() {
                let mut left = acting(ctx).chips[side.index()];
                if !bag.stays {
                    let most = put_in(ctx, order, bag, side);
                    if left > most {
                        tell_fallen(ctx, bag, side, left - most);
                        left = most;
                        acting(ctx).chips[side.index()] = left;
                    }
                }
                chips.push((Chip::Side(side), left.into()));
            }
        }
    }
    chips.retain(|&(_, number)| number > 0);
    if !chips.is_empty() {
        let ends = bag.ends - acting(ctx).ends;
        chips.extend((ends > 0).then_some((Chip::End, ends.into())));
    }
    chips
}

/// Whether it makes no difference which of two units' chips is drawn: the units are alike, or of the same side and both
/// permanently off the table.
fn is_one_kind(ctx: &Position<'_>, one: UnitId, other: UnitId) -> bool {
    let (first, second) = (ctx.battle.unit(one), ctx.battle.unit(other));
    let both_off = first.flags.has(Flags::GONE) && second.flags.has(Flags::GONE);
    (both_off && first.side == second.side) || alike(ctx, one, other)
}

/// Reports chips that units can no longer use.
fn tell_fallen(ctx: &mut Context<'_>, bag: &Bag, side: Side, chips: u16) {
    let Some(about) = ctx.battle.side(side).next() else { return };
    ctx.tell_special((about, None), &bag.fallen_source, |scene: Scene<'_>| {
        let (chips, verb) = (counted(chips.into(), "chip"), if chips == 1 { "is" } else { "are" });
        format!("{chips} of {} {verb} taken out of the bag.", scene.setup.names[side])
    });
}

/// Reports the chip that was drawn.
fn tell_draw(ctx: &mut Context<'_>, bag: &Bag, chip: Chip, unit: Option<UnitId>) {
    if ctx.witness.is_none() {
        return;
    }
    let about = match chip {
        Chip::Unit(id) => Some(id),
        Chip::Side(side) => unit.or_else(|| ctx.battle.side(side).next()),
        Chip::End => ctx.battle.side(Side::First).next(),
    };
    let Some(about) = about else { return };
    let (chips, ends) = (acting(ctx).chips, acting(ctx).ends);
    ctx.tell_special((about, None), &bag.source, |scene: Scene<'_>| {
        let names = &scene.setup.names;
        let left = || {
            let of = |side: &Side| format!("{} {}", chips[side.index()], names[*side]);
            format!("left in the bag: {}", scene.battle.sides().iter().map(of).collect::<Vec<_>>().join(", "))
        };
        match (chip, unit) {
            (Chip::Unit(id), Some(_)) => format!("The chip of {} is drawn.", unit_name(scene, id)),
            (Chip::Unit(id), None) => format!("The chip of {} is drawn, to no effect.", unit_name(scene, id)),
            (Chip::Side(side), Some(_)) => format!("{}'s chip is drawn; {}.", names[side], left()),
            (Chip::Side(side), None) => format!("{}'s chip is drawn, to no effect; {}.", names[side], left()),
            (Chip::End, _) if ends >= bag.after => "A chip that ends the turn is drawn.".to_owned(),
            (Chip::End, _) => format!("A chip that ends the turn is drawn: {ends} of {} needed.", bag.after),
        }
    });
}
