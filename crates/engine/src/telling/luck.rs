//! How lucky each side's dice are in a battle.

use grognard_dice::{Address, Decision, Dice, Luck, Shown};

use crate::state::{BySide, Side};

/// Dice that measure how lucky each side was.
///
/// The luck of a decision belongs to the side that it is for; for an opposed roll, to the side that rolls. The luck of
/// every decision is 0 on average whatever happened before, and so is that of a battle, however long it lasts.
pub struct Lucky<'a> {
    dice: &'a mut dyn Dice,
    /// The luck so far.
    pub luck: BySide<Luck>,
}

impl<'a> Lucky<'a> {
    /// Dice without decisions yet.
    pub fn new(dice: &'a mut dyn Dice) -> Self {
        Self { dice, luck: BySide::default() }
    }
}

impl Dice for Lucky<'_> {
    fn decide(&mut self, at: Address, decision: &dyn Decision) -> usize {
        let outcome = self.dice.decide(at, decision);
        self.luck[roller(at)] += Luck::of(decision.favour(), decision.odds().below, outcome);
        outcome
    }

    fn shown(&mut self, at: Address, decision: &dyn Decision, outcome: usize) -> Vec<Shown> {
        self.dice.shown(at, decision, outcome)
    }
}

/// The side that a decision is for.
#[inline]
pub(crate) fn roller(at: Address) -> Side {
    if at.lane.is_multiple_of(2) { Side::First } else { Side::Second }
}

/// Records the luck of decisions, or does nothing.
pub(crate) trait Ledger {
    /// Battles continue from this state; earlier records stay.
    fn arrive(&mut self, place: u32);
    /// A decision was taken; the thresholds are followed by the number of its favour.
    fn enter(&mut self, at: Address, below: &[u32], outcome: usize);
    /// The same, of a decision itself.
    fn decided(&mut self, at: Address, decision: &dyn Decision, outcome: usize);
    /// Discards the records since the last place: other decisions follow from there.
    fn go_back(&mut self);
}

/// No record.
impl Ledger for () {
    #[inline]
    fn arrive(&mut self, _place: u32) {}

    #[inline]
    fn enter(&mut self, _at: Address, _below: &[u32], _outcome: usize) {}

    #[inline]
    fn decided(&mut self, _at: Address, _decision: &dyn Decision, _outcome: usize) {}

    #[inline]
    fn go_back(&mut self) {}
}

/// The luck up to a place, and since.
#[derive(Debug, Default)]
pub(crate) struct Account {
    place: Option<u32>,
    before: BySide<Luck>,
    since: BySide<Luck>,
}

impl Account {
    /// All of it.
    pub(crate) fn luck(&self) -> BySide<Luck> {
        BySide::from_fn(|side| self.before[side] + self.since[side])
    }
}

impl Ledger for Account {
    fn arrive(&mut self, place: u32) {
        if self.place != Some(place) {
            self.place = Some(place);
            self.before = self.luck();
            self.since = BySide::default();
        }
    }

    fn enter(&mut self, at: Address, below: &[u32], outcome: usize) {
        if let [below @ .., favour] = below {
            self.since[roller(at)] += Luck::of(grognard_dice::Favour::of(*favour), below, outcome);
        }
    }

    fn decided(&mut self, at: Address, decision: &dyn Decision, outcome: usize) {
        self.since[roller(at)] += Luck::of(decision.favour(), decision.odds().below, outcome);
    }

    fn go_back(&mut self) {
        self.since = BySide::default();
    }
}
