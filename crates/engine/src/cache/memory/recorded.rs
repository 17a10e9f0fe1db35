//! Dice that record what a battle decides while it is played beyond the known paths.

use std::cell::RefCell;

use grognard_dice::{Address, Decision, Dice, Favour, SeededDice, Shown};

use crate::cache::graph::Taken;
use crate::telling::luck::Ledger;

/// Decisions in the order in which they were taken.
#[derive(Debug, Default)]
pub(super) struct Record {
    /// Each decision, with the number of its thresholds and its outcome.
    pub(super) taken: Vec<(Address, Favour, usize, usize)>,
    /// The thresholds of all decisions.
    below: Vec<u32>,
}

impl Record {
    pub(super) fn clear(&mut self) {
        self.taken.clear();
        self.below.clear();
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Taken<'_>> {
        let mut below = &self.below[..];
        self.taken.iter().map(move |&(at, favour, thresholds, outcome)| {
            let (own, rest) = below.split_at(thresholds);
            below = rest;
            Taken { at, favour, below: own, outcome }
        })
    }
}

/// Dice that record their decisions.
pub(super) struct Recorded<'a> {
    pub(super) dice: &'a mut SeededDice,
    /// Shared with the memory, which checks after each step whether a decision was made.
    pub(super) record: &'a RefCell<Record>,
}

impl Dice for Recorded<'_> {
    fn decide(&mut self, at: Address, decision: &dyn Decision) -> usize {
        let outcome = self.dice.decide(at, decision);
        let below = decision.odds().below;
        let mut record = self.record.borrow_mut();
        record.below.extend_from_slice(below);
        record.taken.push((at, decision.favour(), below.len(), outcome));
        outcome
    }

    fn shown(&mut self, at: Address, decision: &dyn Decision, outcome: usize) -> Vec<Shown> {
        self.dice.shown(at, decision, outcome)
    }
}

/// Dice that record their luck.
pub(super) struct Accounted<'a, L> {
    pub(super) dice: &'a mut SeededDice,
    pub(super) ledger: &'a mut L,
}

impl<L: Ledger> Dice for Accounted<'_, L> {
    fn decide(&mut self, at: Address, decision: &dyn Decision) -> usize {
        let outcome = self.dice.decide(at, decision);
        self.ledger.enter(at, decision.favour(), decision.odds().below, outcome);
        outcome
    }

    fn shown(&mut self, at: Address, decision: &dyn Decision, outcome: usize) -> Vec<Shown> {
        self.dice.shown(at, decision, outcome)
    }
}
