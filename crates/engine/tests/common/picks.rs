//! A player who chooses among units or generals.

use std::collections::VecDeque;

use grognard_engine::{Asked, Offer, Player, Scene, Side};

/// Each time the first side chooses among units or generals, picks the next of these positions in the list of offers.
/// When the positions run out, follows the doctrine.
pub(crate) struct Picks {
    places: VecDeque<usize>,
    /// The numbers of the units or generals offered at each choice.
    pub(crate) offered: Vec<Vec<usize>>,
}

impl Picks {
    pub(crate) fn new(places: impl IntoIterator<Item = usize>) -> Self {
        Self { places: places.into_iter().collect(), offered: Vec::new() }
    }
}

impl Player for Picks {
    fn plays(&self, side: Side) -> bool {
        side == Side::First
    }

    fn choose(&mut self, _: Scene<'_>, asked: &Asked<'_>) -> usize {
        let unit = |offer: &Offer| match offer {
            Offer::Order(id) | Offer::Activate(id) => Some(id.index()),
            Offer::Target(id) | Offer::Resolve(id) | Offer::Principal(id) => Some(id.index()),
            Offer::Help(general) => Some(usize::from(*general)),
            _ => None,
        };
        let Some(units) = asked.offers.iter().map(unit).collect() else { return asked.doctrine };
        self.offered.push(units);
        self.places.pop_front().unwrap_or(asked.doctrine)
    }
}
