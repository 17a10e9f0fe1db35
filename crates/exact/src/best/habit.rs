//! Habits: the choice that best play usually makes instead of the doctrine's.
//!
//! Example: against a square, best play usually holds where the doctrine charges. A side that always holds there
//! plays nearly as well, whatever the enemy does, and its graph is much smaller than with free choices. What such a
//! side scores against a perfect enemy is a lower bound on best play.

use std::collections::BTreeMap;

use grognard_engine::{Asked, Offer, Scene, Side, UnitId};
use grognard_rules::model::Choice;

use crate::best::forks::Point;
use crate::best::graph::Graph;
use crate::best::told::taken;
use crate::best::values::Values;

/// A class of decisions decided alike: those of a unit in a phase in which doctrine takes the same offer, and in the
/// middle of a combat those about the same thing.
type Kind = (u8, UnitId, Offer, Option<Choice>);

/// The offer that a side takes instead of its doctrine's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Habit {
    instead: BTreeMap<Kind, Offer>,
}

impl Habit {
    /// The offer that is taken: its place among them.
    pub(super) fn choose(&self, scene: Scene<'_>, asked: &Asked<'_>) -> usize {
        let kind = kind(scene.battle.phase, asked.unit, asked.offers, asked.doctrine);
        let Some(wanted) = self.instead.get(&kind) else { return asked.doctrine };
        if stripped(asked.offers[asked.doctrine]) == *wanted {
            return asked.doctrine;
        }
        asked.offers.iter().position(|offer| stripped(*offer) == *wanted).unwrap_or(asked.doctrine)
    }
}

impl Graph {
    /// The most frequent choices of best play for each choice of the side's doctrine. Empty if the graph is
    /// incomplete.
    #[must_use]
    pub fn habit(&self, side: Side, values: &Values) -> Habit {
        let mut taken_for: BTreeMap<Kind, BTreeMap<Offer, f64>> = BTreeMap::new();
        self.meet(values.plays, values, |(_, point, weight, offers)| {
            if point.side == side {
                let best = taken(values.plays[side], point, offers, values.equal);
                let Point { phase, unit, offers, doctrine, .. } = point;
                let kind = kind(*phase, *unit, offers, *doctrine);
                *taken_for.entry(kind).or_default().entry(stripped(offers[best])).or_default() += weight;
            }
        });
        let most = |offers: BTreeMap<Offer, f64>| offers.into_iter().max_by(|one, other| one.1.total_cmp(&other.1));
        let instead = taken_for.into_iter().filter_map(|(kind, offers)| Some((kind, most(offers)?.0)));
        Habit { instead: instead.collect() }
    }
}

fn kind(phase: u8, unit: UnitId, offers: &[Offer], doctrine: usize) -> Kind {
    let choice = offers.iter().find_map(|offer| match *offer {
        Offer::Take(choice) => Some(choice),
        _ => None,
    });
    (phase, unit, stripped(offers[doctrine]), choice)
}

/// An offer, whichever enemy it is about.
fn stripped(offer: Offer) -> Offer {
    match offer {
        Offer::Row { row, .. } => Offer::Row { row, enemy: None },
        offer => offer,
    }
}
