//! Activation: how many orders a side may give.

use grognard_dice::{Dice, LANES};
use grognard_rules::model::Activation;

use crate::step::context::Context;
use crate::telling::event::{Event, Witness};

/// How many orders the active side may give in the half-turn, or in the orders phase, that begins.
pub(crate) fn count_orders<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>) {
    let rules = ctx.rules;
    let orders = match &rules.activation {
        Activation::All => u16::MAX,
        Activation::Orders(orders) => *orders,
        Activation::Dice { odds, site, .. } => {
            let at = odds.at(&[]);
            let side = ctx.battle.active.index() as u8;
            // The side itself rolls: the lanes after the last unit's are its own.
            let address = ctx.address_of(*site, LANES - 2 + side);
            let index = ctx.dice.decide(address, &at);
            let orders = at.class(index);
            if W::WATCHES {
                let faces = ctx.dice.shown(address, &at, index);
                ctx.tell(|| Event::Orders { orders, faces });
            }
            orders
        }
    };
    ctx.battle.beside_units().orders = orders;
}
