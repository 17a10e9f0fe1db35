//! The losses of doctrines row by row, and how often each option is best.

use std::collections::BTreeMap;

use grognard_engine::{BySide, Offer, Side};

use crate::best::forks::{Node, Point};
use crate::best::graph::Graph;
use crate::best::values::{Plays, Tree, Values, better};

/// The performance of a doctrine row if both sides follow their doctrines.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RowPlayed {
    /// Its average number of decisions per battle.
    pub met: f64,
    /// The average loss of its decisions per battle compared with the best choice, if the side then plays perfectly and
    /// the other follows its doctrine. The rows of a side add up to the gain of best play.
    pub lost: f64,
}

/// The performance of an option if both sides play perfectly.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OfferPlayed {
    /// Its average number of occurrences per battle.
    pub offered: f64,
    /// How often no other option is worth more.
    pub best: f64,
    /// How often every other option is worth less.
    pub alone: f64,
}

/// A decision point that is reached: its number, the point, its average number of occurrences per battle, and the
/// values of its options.
pub(super) type Met<'a> = (u32, &'a Point, f64, &'a [f64]);

impl Graph {
    /// The loss of the rows of a side's doctrine, by point and row; no row means holding because no row applies.
    /// `reply` has the values if this side plays perfectly and the other follows its doctrine. Empty if the graph is
    /// incomplete.
    #[must_use]
    pub fn rows(&self, side: Side, reply: &Values) -> BTreeMap<(u32, Option<usize>), RowPlayed> {
        self.rows_played(BySide::new(Plays::Doctrine, Plays::Doctrine), side, reply)
    }

    /// The loss of the rows of a side's doctrine in battles with these players.
    fn rows_played(
        &self,
        plays: BySide<Plays>,
        side: Side,
        reply: &Values,
    ) -> BTreeMap<(u32, Option<usize>), RowPlayed> {
        let mut rows: BTreeMap<_, RowPlayed> = BTreeMap::new();
        self.meet(plays, reply, |(number, point, weight, offers)| {
            if point.side == side {
                let row = rows.entry((number, point.row)).or_default();
                row.met += weight;
                row.lost += weight * (best_of(side, offers) - offers[point.doctrine]).abs();
            }
        });
        rows
    }

    /// The loss of the rows of a side's doctrine against a perfect player. `best` has the values if both sides play
    /// perfectly.
    #[must_use]
    pub fn rows_against_best(&self, side: Side, best: &Values) -> BTreeMap<(u32, Option<usize>), RowPlayed> {
        let plays = BySide::from_fn(|one| if one == side { Plays::Doctrine } else { Plays::Best });
        self.rows_played(plays, side, best)
    }

    /// The performance of every option in the battles that these values describe. The result is given by point and
    /// option. A row that may be carried out against any of several enemies is one option, as good as the best of them,
    /// and so are all hexes in which a retreat may end, and all facings to which a unit may turn. Empty if the graph is
    /// not complete.
    #[must_use]
    pub fn offers(&self, values: &Values) -> BTreeMap<(u32, Offer), OfferPlayed> {
        let mut played: BTreeMap<_, OfferPlayed> = BTreeMap::new();
        self.meet(values.plays, values, |(number, point, weight, offers)| {
            let mut by_row: BTreeMap<Offer, f64> = BTreeMap::new();
            for (offer, &value) in point.offers.iter().zip(offers) {
                let of_any = match *offer {
                    Offer::Row { row, .. } => Offer::Row { row, enemy: None },
                    Offer::Place(_) => Offer::Place(0),
                    Offer::Facing(_) => Offer::Facing(0),
                    offer => offer,
                };
                let best = by_row.entry(of_any).or_insert(value);
                *best = better(point.side, *best, value);
            }
            if by_row.len() < 2 {
                return;
            }
            let best = best_of(point.side, by_row.values());
            let good = |value: f64| (best - value).abs() <= values.equal;
            let several = by_row.values().filter(|&&value| good(value)).count() > 1;
            for (offer, value) in by_row {
                let offer = played.entry((number, offer)).or_default();
                offer.offered += weight;
                offer.best += if good(value) { weight } else { 0.0 };
                offer.alone += if good(value) && !several { weight } else { 0.0 };
            }
        });
        played
    }

    /// Goes forward through all battles with these players, and visits every decision point, with the values of its
    /// options.
    pub(super) fn meet(&self, plays: BySide<Plays>, values: &Values, mut see: impl FnMut(Met<'_>)) {
        if !self.is_whole() {
            return;
        }
        let (mut tree, mut offers) = (Tree::default(), Vec::new());
        let mut weights = vec![1.0];
        let mut weight_of = Vec::new();
        for (index, stage) in self.stages.iter().enumerate() {
            let next = values.low.get(index + 1).map_or(&[][..], Vec::as_slice);
            let mut after = vec![0.0; next.len()];
            for (slot, &weight) in weights.iter().enumerate().filter(|&(_, &weight)| weight > 0.0) {
                tree.value(self, stage, slot, (values.plays, &values.over, next));
                let nodes = &stage.nodes[stage.begin[slot]..stage.begin[slot + 1]];
                weight_of.clear();
                weight_of.resize(nodes.len(), 0.0);
                weight_of[0] = weight;
                for place in 0..nodes.len() {
                    let weight: f64 = weight_of[place];
                    if weight <= 0.0 {
                        continue;
                    }
                    match Node::unpack(nodes[place]) {
                        Node::Open(slot) => after[slot as usize] += weight,
                        Node::Over(_) => {}
                        Node::Chance(odds) => {
                            let chances = &self.chances[odds as usize];
                            for (child, chance) in tree.children(place, chances.len()).zip(chances) {
                                weight_of[child] = weight * chance;
                            }
                        }
                        Node::Choice(number) => {
                            let point = &self.points[number as usize];
                            offers.clear();
                            offers.extend(tree.children(place, point.offers.len()).map(|child| tree.value[child]));
                            see((number, point, weight, &offers));
                            let taken = taken(plays[point.side], point, &offers, values.equal);
                            if let Some(child) = tree.children(place, point.offers.len()).nth(taken) {
                                weight_of[child] = weight;
                            }
                        }
                    }
                }
            }
            weights = after;
        }
    }
}

/// The chosen option. Among options of equal value, the doctrine's is preferred. Values closer than `equal` count as
/// equal.
pub(super) fn taken(plays: Plays, point: &Point, offers: &[f64], equal: f64) -> usize {
    if plays == Plays::Doctrine {
        return point.doctrine;
    }
    let best = best_of(point.side, offers);
    let good = |value: f64| (best - value).abs() <= equal;
    if good(offers[point.doctrine]) {
        return point.doctrine;
    }
    offers.iter().position(|&value| good(value)).unwrap_or(point.doctrine)
}

/// The best of several values for a side.
fn best_of<'a>(side: Side, values: impl IntoIterator<Item = &'a f64>) -> f64 {
    values.into_iter().fold(f64::NAN, |best, &value| better(side, best, value))
}
