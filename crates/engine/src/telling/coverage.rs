//! Coverage: how often each clause and each row of a pack was used.

use std::collections::{BTreeMap, BTreeSet};

use grognard_rules::model::{Rules, Source};

use crate::state::Setup;
use crate::telling::citing::Citing;
use crate::telling::event::{Event, Occasion, Scene, Witness};
use crate::telling::gauge::Gauges;

/// The number of uses of a clause or row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// The number of battles in which it was used at least once.
    pub battles: u64,
    /// The total number of uses.
    pub times: u64,
}

impl Count {
    fn add(&mut self, other: Self) {
        self.battles += other.battles;
        self.times += other.times;
    }
}

/// A witness that counts the uses of each clause and row of a pack over any number of battles.
///
/// Clauses are counted once for each event that applied them ([`Citing`]). Rows are the modifiers and results of rolls,
/// the reactions, and the orders of the doctrines that the battles' sides follow, each under its path in the pack.
#[derive(Clone, Debug)]
pub struct Coverage<'a> {
    citing: Citing,
    /// The metrics of the study. A clause that requires a metric is used when the metric counts something.
    gauges: Gauges<'a>,
    battles: u64,
    clauses: BTreeMap<String, Count>,
    rows: BTreeMap<String, Count>,
    /// The clauses and rows used in the current battle.
    seen: BTreeSet<(bool, String)>,
}

impl<'a> Coverage<'a> {
    /// Starts counting battles of this setup, for a study that requests these of [`Rules::gauges`].
    #[must_use]
    pub fn new(rules: &'a Rules, setup: &Setup, gauges: &[u8]) -> Self {
        let clauses = rules.clauses.iter().map(|clause| (clause.id.clone(), Count::default())).collect();
        let mut rows = BTreeMap::new();
        for roll in rules.rolls.iter() {
            for modifier in &roll.modifiers {
                rows.insert(modifier_path(&roll.id, &modifier.id), Count::default());
            }
            for result in &roll.results {
                rows.insert(result_path(&roll.id, &result.id), Count::default());
            }
        }
        for reaction in rules.reactions.iter() {
            rows.insert(reaction_path(&reaction.id), Count::default());
        }
        for unit in &setup.start.units {
            let doctrine = &rules.doctrines[unit.doctrine];
            for decisions in &doctrine.phases {
                for order in decisions.rows.iter().filter(|row| row.offered.is_none()) {
                    rows.insert(order_path(&doctrine.id, &order.id), Count::default());
                }
            }
        }
        let gauges = Gauges::new(rules, setup.start.sides().len(), gauges);
        Self { citing: Citing::default(), gauges, battles: 0, clauses, rows, seen: BTreeSet::new() }
    }

    /// Begins a new battle.
    pub fn begin(&mut self) {
        self.citing = Citing::default();
        self.gauges.begin();
        self.battles += 1;
        self.seen.clear();
    }

    /// The number of battles counted.
    #[must_use]
    pub fn battles(&self) -> u64 {
        self.battles
    }

    /// The counts for every clause that the pack registers, by clause id.
    #[must_use]
    pub fn clauses(&self) -> &BTreeMap<String, Count> {
        &self.clauses
    }

    /// The counts for every row, by its path in the pack.
    #[must_use]
    pub fn rows(&self) -> &BTreeMap<String, Count> {
        &self.rows
    }

    /// Adds the counts of other battles of the same pack or a variant of it.
    pub fn merge(&mut self, other: &Self) {
        self.battles += other.battles;
        for (into, from) in [(&mut self.clauses, &other.clauses), (&mut self.rows, &other.rows)] {
            for (name, count) in from {
                into.entry(name.clone()).or_default().add(*count);
            }
        }
    }

    fn clause(&mut self, id: &str) {
        // `house` is not a clause.
        if let Some(count) = self.clauses.get_mut(id) {
            count.times += 1;
            count.battles += u64::from(self.seen.insert((true, id.to_owned())));
        }
    }

    fn row(&mut self, path: String) {
        let count = self.rows.entry(path.clone()).or_default();
        count.times += 1;
        count.battles += u64::from(self.seen.insert((false, path)));
    }
}

impl Witness for Coverage<'_> {
    fn see(&mut self, scene: Scene<'_>, event: &Event) {
        self.gauges.see(scene, event);
        let asked: Vec<&Source> = self.gauges.touched().map(|gauge| &gauge.source).collect();
        let behind = self.citing.clauses(scene, event).into_iter();
        let cited: BTreeSet<&str> = behind.chain(asked.into_iter().flat_map(Source::clauses)).collect();
        for id in cited {
            self.clause(id);
        }
        let rules = scene.rules;
        match event {
            Event::Ordered { unit, row, .. } => {
                let doctrine = &rules.doctrines[scene.battle.unit(*unit).doctrine];
                if let Some(order) = doctrine.phases[usize::from(scene.battle.phase)].rows.get(*row) {
                    self.row(order_path(&doctrine.id, &order.id));
                }
            }
            Event::Rolled(event) => {
                let roll = &rules.rolls[event.roll];
                for &(_, row) in &event.modifiers {
                    self.row(modifier_path(&roll.id, &roll.modifiers[row].id));
                }
                let outcome = &roll.outcomes[usize::from(event.outcome)];
                self.row(result_path(&roll.id, &roll.results[usize::from(outcome.row)].id));
                if let Occasion::Reaction(reaction) = event.occasion {
                    self.row(reaction_path(&rules.reactions[usize::from(reaction)].id));
                }
            }
            Event::Reacted { reaction, .. } => self.row(reaction_path(&rules.reactions[usize::from(*reaction)].id)),
            _ => {}
        }
    }
}

fn modifier_path(roll: &str, id: &str) -> String {
    format!("roll.{roll}.modifier.{id}")
}

fn result_path(roll: &str, id: &str) -> String {
    format!("roll.{roll}.result.{id}")
}

fn reaction_path(id: &str) -> String {
    format!("reaction.{id}")
}

fn order_path(doctrine: &str, id: &str) -> String {
    format!("doctrine.{doctrine}.row.{id}")
}
