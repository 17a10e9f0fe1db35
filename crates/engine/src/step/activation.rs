//! Activation: the number of orders that a side may give.

use grognard_rules::model::Activation;

use crate::state::Allowance;
use crate::step::context::Context;
use crate::telling::event::Event;

/// Sets the number of orders that the active side may give in this half-turn, or in this orders phase.
pub(crate) fn count_orders(ctx: &mut Context<'_>) {
    let rules = ctx.rules;
    let orders = match &*rules.activation {
        Activation::All => Allowance::Any,
        Activation::Orders(orders) => Allowance::Left(*orders),
        Activation::Dice { odds, site, .. } => {
            let at = odds.at(&[]);
            // The side rolls, so the dice have the side's own lane.
            let address = ctx.address_of(*site, ctx.battle.lane_of_side(ctx.battle.active));
            let index = ctx.dice.decide(address, &at);
            let orders = at.class(index);
            if ctx.witness.is_some() {
                let faces = ctx.dice.shown(address, &at, index);
                ctx.tell(|| Event::Orders { orders, faces });
            }
            Allowance::Left(orders)
        }
    };
    ctx.battle.beside_units().orders = orders;
}
