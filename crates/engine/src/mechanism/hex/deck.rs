//! Drawing cards, without replacement, from the rest of the deck. When the deck is empty, the discarded cards are
//! shuffled.

use grognard_dice::{Decision, Die, Face, Faces, LANES, Odds, thresholds};
use grognard_rules::model::Deck;

use crate::state::{CardKind, Side};
use crate::step::Context;

/// The decision of drawing one card. Its outcomes are the kinds of cards.
struct Draw {
    weights: Vec<u128>,
    below: Vec<u32>,
    die: Die,
    kinds: Vec<usize>,
}

impl Draw {
    fn new(deck: &Deck, left: &[u8]) -> Self {
        let weights: Vec<u128> = deck.cards.iter().zip(left).map(|(_, &left)| u128::from(left)).collect();
        let below = thresholds(&weights);
        let each = deck.cards.iter().zip(left).enumerate();
        let (faces, kinds) = each
            .flat_map(|(kind, (card, &left))| (0..left).map(move |_| (Face { value: 0, label: card.id.clone() }, kind)))
            .unzip();
        Self { weights, below, die: Die { name: "deck".into(), faces }, kinds }
    }
}

impl Decision for Draw {
    fn odds(&self) -> Odds<'_> {
        Odds { below: &self.below, weights: &self.weights, total: self.weights.iter().sum::<u128>().max(1) }
    }

    fn by_hand(&self, faces: &mut dyn Faces) -> usize {
        let face = faces.roll(&self.die);
        self.kinds.get(face).copied().unwrap_or(0)
    }
}

/// Fills a hand.
pub(super) fn fill(ctx: &mut Context<'_>, deck: &Deck, side: Side) {
    for place in 0..usize::from(deck.hand).min(ctx.battle.cards.hands[0].len()) {
        if ctx.battle.cards.hands[side.index()][place].is_some() {
            continue;
        }
        let mut left = ctx.battle.cards.left(ctx.rules);
        if left.iter().all(|&left| left == 0) {
            ctx.battle.beside_units().cards.played = Default::default();
            left = ctx.battle.cards.left(ctx.rules);
        }
        let draw = Draw::new(deck, &left);
        let address = ctx.address_of(deck.site, LANES - 2 + side.index() as u8);
        let kind = ctx.dice.decide(address, &draw);
        ctx.battle.beside_units().cards.hands[side.index()][place] = CardKind(kind as u8).into();
    }
}
