//! The current knowledge about a cell, and the enumerations that extend it.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use grognard_engine::{BySide, Outcome, Setup, Side};
use grognard_exact::best::{
    Bracket, Effort, Graph, OfferPlayed, Plays, Point, RowPlayed, Sought, Values, explore, narrow,
};
use grognard_exact::{Limits, Progress};
use grognard_rules::model::Rules;

use super::{BOTH, BestCell, BestPlay, Goal, PAIRINGS, Pairings, Place, WalkOf, narrowed, with_choice, without_seeing};
use crate::exact::named::{decision_name, doctrine_of, offer_name, row_name};
use crate::study::Cell;

/// The battles of a cell with its sides in their own roles, or with roles exchanged.
pub(super) struct Way<'a> {
    pub(super) rules: &'a Rules,
    pub(super) setup: &'a Setup,
    swapped: bool,
}

impl Way<'_> {
    /// The ways in which the battles of a cell are fought if the sides of the study have these players.
    pub(super) fn of(cell: &Cell, plays: BySide<Plays>) -> Vec<Way<'_>> {
        let way = |setup, swapped| Way { rules: &cell.rules, setup, swapped };
        let (setup, swapped) = cell.begins(Side::BOTH.map(|side| plays[side] == Plays::Best));
        std::iter::once(way(setup, false)).chain(swapped.map(|setup| way(setup, true))).collect()
    }

    /// The side of the study that plays a side of the battle, or the other way round.
    pub(super) fn side(&self, side: Side) -> Side {
        if self.swapped { side.other() } else { side }
    }

    /// The players of the sides of the battle if the sides of the study have these players.
    pub(super) fn played(&self, plays: BySide<Plays>) -> BySide<Plays> {
        if self.swapped { plays.swap() } else { plays }
    }

    pub(super) fn values(&self, goal: Goal<'_>, graph: &Graph, plays: BySide<Plays>) -> Values {
        graph.values(self.played(plays), &|outcome| self.worth(goal, outcome), self.span(goal))
    }

    /// The worth of an outcome to the first side of the battle.
    fn worth(&self, goal: Goal<'_>, outcome: &Outcome) -> f64 {
        if self.swapped { -goal.worth(&outcome.swap()) } else { goal.worth(outcome) }
    }

    /// The minimum and maximum worth to the first side of the battle.
    fn span(&self, goal: Goal<'_>) -> (f64, f64) {
        let (low, high) = goal.span();
        if self.swapped { (-high, -low) } else { (low, high) }
    }

    /// Converts a value from the point of view of the battle's first side to that of the study's first side.
    fn told(&self, Bracket { low, high }: Bracket) -> Bracket {
        if self.swapped { Bracket { low: -high, high: -low } } else { Bracket { low, high } }
    }

    /// The value of battles to the first side of the study.
    pub(super) fn at_start(&self, goal: Goal<'_>, graph: &Graph, plays: BySide<Plays>) -> Bracket {
        self.told(self.values(goal, graph, plays).at_start())
    }

    fn place(&self, point: &Point) -> Place {
        Place {
            side: self.side(point.side).index(),
            doctrine: self.rules.doctrines[doctrine_of(self.setup, point.unit)].id.clone(),
            phase: self.rules.phases[usize::from(point.phase)].id.clone(),
        }
    }
}

/// The limit on paths of an enumeration that is tried although a bracket would be enough: a few seconds.
const QUICK: u64 = 1 << 22;

/// The part of all paths that such an enumeration may use. A search never needs more paths than an enumeration, so this
/// is worthwhile only because an enumeration yields more than a bracket.
const ENUMERATED: u64 = 16;

/// The current knowledge about a cell.
pub(super) struct Found<'a> {
    goal: Goal<'a>,
    cell: &'a Cell,
    /// The width of an acceptable bracket.
    width: Option<f64>,
    /// Whether only best play of both sides is requested.
    only_both: bool,
    /// The values of the cell to the first side, in the order of [`PAIRINGS`].
    values: [Bracket; 4],
    rows: BTreeMap<(Place, Option<String>), RowPlayed>,
    offers: BTreeMap<(Place, String), OfferPlayed>,
    effort: Effort,
    /// Whether each pairing was enumerated completely.
    whole: [bool; 4],
    /// Walks that went as far as they can and need not be tried again.
    finished: Vec<WalkOf>,
}

impl<'a> Found<'a> {
    pub(super) fn new(goal: Goal<'a>, cell: &'a Cell, asked: &BestPlay) -> Self {
        let (low, high) = goal.span();
        Self {
            goal,
            cell,
            width: asked.width(),
            only_both: asked.only_both,
            values: [Bracket { low, high }; 4],
            rows: BTreeMap::new(),
            offers: BTreeMap::new(),
            effort: Effort::default(),
            whole: [false; 4],
            finished: Vec::new(),
        }
    }

    /// The cell's number.
    pub(super) fn number(&self) -> u32 {
        self.cell.header.cell
    }

    /// The share of battles fought in each way.
    fn share(&self) -> f64 {
        if self.cell.swapped.is_some() { 0.5 } else { 1.0 }
    }

    /// The doctrines whose orders best play chooses from, by side, if they are not the sides' own.
    fn doctrines(&self) -> [Option<String>; 2] {
        Side::BOTH.map(|side| self.cell.best_of(side).map(str::to_owned))
    }

    /// Whether perfect players have the orders of their side's own doctrine, by side.
    fn own(&self) -> [bool; 2] {
        Side::BOTH.map(|side| self.cell.best_of(side).is_none())
    }

    /// The current bracket of each value with these orders alone, narrowed by the other brackets.
    fn narrowed(&self) -> [Bracket; 4] {
        narrowed(self.values, self.own())
    }

    /// Whether there is still something to find out.
    pub(super) fn needs(&self, walk: WalkOf) -> bool {
        if self.finished.contains(&walk) {
            return false;
        }
        let known = |pairing: usize| with_choice(self.narrowed(), self.own())[pairing].width();
        let (WalkOf::Enumeration(pairing) | WalkOf::Search(pairing)) = walk;
        if self.only_both && pairing != BOTH && (known(BOTH) <= self.accepted() || !self.narrows_both(pairing)) {
            return false;
        }
        match walk {
            // Without decisions, enumeration costs little.
            WalkOf::Enumeration(0) => true,
            WalkOf::Enumeration(pairing) => self.width.is_none_or(|width| known(pairing) > width),
            // What is still unknown after an enumeration of everything depends on other pairings.
            WalkOf::Search(pairing) => !self.whole[pairing] && known(pairing) > self.accepted(),
        }
    }

    /// The greatest width of a bracket that needs no more work.
    fn accepted(&self) -> f64 {
        self.width.unwrap_or(0.0)
    }

    /// Whether the value of a pairing bounds that of best play of both sides, because a side that follows its doctrine
    /// in the pairing could also do so in best play. The value of doctrine against doctrine matters only to a side that
    /// has other orders.
    fn narrows_both(&self, pairing: usize) -> bool {
        pairing != 0 || self.own() != [true; 2]
    }

    /// Records that a walk was ended only by its own limits.
    pub(super) fn finish(&mut self, walk: WalkOf) {
        self.finished.push(walk);
    }

    pub(super) fn walk(&mut self, walk: WalkOf, limits: &Limits, watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>) {
        match walk {
            // If a bracket is enough, enumerating everything is worthwhile only if that is quick.
            WalkOf::Enumeration(pairing) if self.width.is_some() => {
                let paths = QUICK.min(limits.paths / ENUMERATED);
                self.enumerate(pairing, &Limits { paths, ..*limits }, watch);
            }
            WalkOf::Enumeration(pairing) => self.enumerate(pairing, limits, watch),
            WalkOf::Search(pairing) => self.search(pairing, limits, watch),
        }
    }

    fn enumerate(&mut self, pairing: usize, limits: &Limits, watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>) {
        let plays = BySide::new(PAIRINGS[pairing].0, PAIRINGS[pairing].1);
        let mut sum = Bracket { low: 0.0, high: 0.0 };
        let mut whole = true;
        // The rows and options from an earlier attempt were incomplete.
        match (plays.first, plays.second) {
            (Plays::Best, Plays::Best) => self.offers.clear(),
            (Plays::Best, Plays::Doctrine) => self.rows.retain(|(place, _), _| place.side != 0),
            (Plays::Doctrine, Plays::Best) => self.rows.retain(|(place, _), _| place.side != 1),
            (Plays::Doctrine, Plays::Doctrine) => {}
        }
        for way in Way::of(self.cell, plays) {
            // Graphs are built one at a time, so that only one takes up memory.
            let graph = explore(way.rules, way.setup, way.played(plays), limits, watch);
            let value = self.add(&way, &graph, plays);
            whole &= graph.is_whole();
            sum.low += value.low * self.share();
            sum.high += value.high * self.share();
        }
        self.whole[pairing] = whole;
        self.narrow(pairing, sum);
    }

    /// Narrows the bracket of a pairing that was not enumerated completely.
    fn search(&mut self, pairing: usize, limits: &Limits, watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>) {
        let plays = BySide::new(PAIRINGS[pairing].0, PAIRINGS[pairing].1);
        let mut sum = Bracket { low: 0.0, high: 0.0 };
        for way in Way::of(self.cell, plays) {
            let worth = |outcome: &Outcome| way.worth(self.goal, outcome);
            let sought = Sought { worth: &worth, span: way.span(self.goal), width: self.width.unwrap_or(0.0) };
            let found = narrow((way.rules, way.setup), way.played(plays), sought, limits, watch);
            self.count(found.effort);
            let value = way.told(found.value);
            sum.low += value.low * self.share();
            sum.high += value.high * self.share();
        }
        self.narrow(pairing, sum);
    }

    /// Narrows the bracket of a pairing to its overlap with a new one.
    fn narrow(&mut self, pairing: usize, found: Bracket) {
        let own = &mut self.values[pairing];
        if found.width() == 0.0 {
            *own = found;
            return;
        }
        *own = Bracket { low: own.low.max(found.low).min(own.high), high: own.high.min(found.high).max(own.low) };
    }

    /// Adds the result of battles fought one way: their value to the first side of the study.
    fn add(&mut self, way: &Way<'_>, graph: &Graph, plays: BySide<Plays>) -> Bracket {
        self.count(graph.effort());
        let values = way.values(self.goal, graph, plays);
        match (plays.first, plays.second) {
            (Plays::Doctrine, Plays::Doctrine) => {}
            (Plays::Best, Plays::Doctrine) => self.add_rows(way, graph, Side::First, &values),
            (Plays::Doctrine, Plays::Best) => self.add_rows(way, graph, Side::Second, &values),
            (Plays::Best, Plays::Best) => self.add_offers(way, graph, &values),
        }
        way.told(values.at_start())
    }

    fn count(&mut self, Effort { states, paths, bytes, walked, steps }: Effort) {
        self.effort.states += states;
        self.effort.paths += paths;
        self.effort.bytes = self.effort.bytes.max(bytes);
        (self.effort.walked, self.effort.steps) = (self.effort.walked + walked, self.effort.steps + steps);
    }

    /// Adds what the rows of a side's doctrine give away. `reply` has the values if the side plays perfectly and the
    /// other follows its doctrine.
    fn add_rows(&mut self, way: &Way<'_>, graph: &Graph, side: Side, reply: &Values) {
        let share = self.share();
        for ((point, row), played) in graph.rows(way.side(side), reply) {
            let point = &graph.points()[point as usize];
            let name = match row {
                Some(row) => Some(row_name(way.rules, way.setup, point, row)),
                None => decision_name(point).map(str::to_owned),
            };
            let sum = self.rows.entry((way.place(point), name)).or_default();
            sum.met += share * played.met;
            sum.lost += share * played.lost;
        }
    }

    fn add_offers(&mut self, way: &Way<'_>, graph: &Graph, values: &Values) {
        let share = self.share();
        for ((point, offer), played) in graph.offers(values) {
            let point = &graph.points()[point as usize];
            let name = offer_name(way.rules, way.setup, point, offer);
            let sum = self.offers.entry((way.place(point), name)).or_default();
            sum.offered += share * played.offered;
            sum.best += share * played.best;
            sum.alone += share * played.alone;
        }
    }

    pub(super) fn told(mut self) -> BestCell {
        let [_, first, second, both] = self.whole;
        self.rows.retain(|(place, _), _| [first, second][place.side]);
        if !both {
            self.offers.clear();
        }
        let sign = self.goal.sign;
        let told = |Bracket { low, high }: Bracket| match sign {
            sign if sign < 0.0 => Bracket { low: -high, high: -low },
            _ => Bracket { low, high },
        };
        let own = self.own();
        let narrowed = self.narrowed();
        let sees_cards = self.cell.rules.hex.as_ref().is_some_and(|hex| hex.deck.is_some());
        let bounds = if sees_cards { without_seeing(narrowed) } else { narrowed };
        let [_, alone_first, alone_second, both_alone] = bounds;
        let best = with_choice(bounds, own);
        let [default_default, best_default, default_best, best_best] = best.map(told);
        let values = Pairings {
            default_default,
            best_default,
            default_best,
            best_best,
            alone: [told(alone_first), told(alone_second)],
            both_alone: told(both_alone),
            sign,
            own,
        };
        BestCell {
            header: self.cell.header.clone(),
            values,
            exact: best.iter().all(|value| value.width() == 0.0),
            sees_cards,
            doctrines: self.doctrines(),
            rows: self.rows,
            offers: self.offers,
            effort: self.effort,
            rows_known: [first, second],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sensitivity::Quantity;
    use crate::study::Changes;
    use grognard_source::{Override, Sources};

    /// Best play of both sides has the orders of other doctrines, and its value depends on what these are worth against
    /// the sides' own. Once it has been enumerated, searching for it again would find nothing new.
    #[test]
    fn a_pairing_that_was_enumerated_is_not_searched() {
        let mut sources = Sources::new();
        let turns = sources.add("--set", "turns=1");
        let set = vec![Override::parse(turns, &sources).expect("a path and a value")];
        let changes = Changes { set, ..Changes::default() };
        let study = crate::library::load("pip-square".as_ref(), &changes, &mut sources).expect("a built-in study");
        let asked = BestPlay {
            quantity: Quantity::score(&study, Side::First),
            limits: Limits::default(),
            time: None,
            precision: None,
            only_both: true,
            threads: 1,
        };
        let goal = Goal::of(&asked.quantity).expect("the sides want the opposite");
        let mut found = Found::new(goal, &study.cells[0], &asked);
        assert!(found.needs(WalkOf::Search(BOTH)));
        found.walk(WalkOf::Enumeration(BOTH), &asked.limits, &mut |_| ControlFlow::Continue(()));
        assert!(found.needs(WalkOf::Enumeration(0)) && found.needs(WalkOf::Search(0)));
        assert!(!found.needs(WalkOf::Search(BOTH)));
    }
}
