//! Luck: how lucky each side's dice are in a battle, and what that luck is worth.

use grognard_dice::{Address, Decision, Dice, Favour, LANES, Luck, Shown};

use crate::state::{BySide, Side};

/// The worth of luck. For each kind of roll of each unit, it gives the additional wins of a side, and the additional
/// share of its figures that the side loses, for one more roll of luck.
///
/// These numbers are fixed before the battle. The factor for a roll's luck is fixed before that roll, by its kind, its
/// unit, the turn, and the worth of the luck so far. The worth of a roll's luck is therefore 0 on average, regardless
/// of these numbers and of earlier events. Their accuracy decides only how much of the outcome the worth explains.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Value {
    /// The worths in ascending order of sites. Luck at other sites is worth nothing.
    sites: Vec<(u16, SiteValue)>,
}

/// The worth of luck at one site, in parts of [`Value::ONE`] for a roll of luck.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SiteValue {
    /// The worth for the first side's lead (its wins minus its losses), whatever the lead and the turn.
    pub lead: i32,
    /// The worth for the battles that each side wins.
    pub wins: BySide<Slope>,
    /// The worth for the share of its figures that each side loses.
    pub losses: BySide<Slope>,
}

/// A worth that depends on the state of the battle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slope {
    /// The worth if neither side leads, before the first turn.
    pub level: i32,
    /// The increase for each battle, on the scale of [`Value::ONE`], by which the first side leads.
    pub by_lead: i32,
    /// The increase for each turn.
    pub by_turn: i32,
}

impl Value {
    /// A battle won, or all figures of a side, on the scale of a value.
    pub const ONE: i32 = 1 << 10;

    /// The most that the luck of one roll can be worth, in either direction.
    const MOST: i64 = 4 * Self::ONE as i64;

    /// A value with these worths at these sites ([`Value::site`]).
    #[must_use]
    pub fn new(mut sites: Vec<(u16, SiteValue)>) -> Self {
        sites.sort_unstable_by_key(|&(site, _)| site);
        Self { sites }
    }

    /// The site of a decision, from its purpose, the half of the turn, and the unit.
    #[must_use]
    pub fn site(at: Address) -> u16 {
        u16::from(at.purpose) * u16::from(LANES) + u16::from(at.lane)
    }

    fn at(&self, at: Address) -> Option<&SiteValue> {
        let found = self.sites.binary_search_by_key(&Self::site(at), |&(site, _)| site).ok()?;
        Some(&self.sites[found].1)
    }
}

impl Slope {
    /// The worth of a roll of luck, at this lead and in this turn.
    fn now(self, lead: i64, turn: u8) -> i64 {
        let by_lead = (i64::from(self.by_lead) * lead) >> 10;
        let worth = i64::from(self.level) + by_lead + i64::from(self.by_turn) * i64::from(turn);
        worth.clamp(-Value::MOST, Value::MOST)
    }
}

/// The luck of the dice in a battle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fallen {
    /// The luck of each side.
    pub luck: BySide<Luck>,
    /// The worth of both sides' luck for each side's wins, in parts of [`Fallen::ONE`].
    pub wins: BySide<i64>,
    /// The worth of both sides' luck for the share of its figures that each side loses.
    pub losses: BySide<i64>,
    /// The worth of both sides' luck for the first side's lead.
    pub lead: i64,
}

impl Fallen {
    /// A battle won, or all figures of a side, on the scale of a worth.
    pub const ONE: i64 = Luck::ROLL.0 * Value::ONE as i64;

    /// Records a decision with this luck.
    #[inline]
    pub fn fall(&mut self, value: &Value, at: Address, luck: Luck) {
        self.luck[roller(at)] += luck;
        if let Some(site) = value.at(at) {
            let lead = self.ahead();
            for side in Side::BOTH {
                self.wins[side] += luck.0 * site.wins[side].now(lead, at.turn);
                self.losses[side] += luck.0 * site.losses[side].now(lead, at.turn);
            }
            self.lead += luck.0 * i64::from(site.lead).clamp(-Value::MOST, Value::MOST);
        }
    }

    /// Exchanges the names of the sides.
    #[must_use]
    pub fn swap(self) -> Self {
        Self { luck: self.luck.swap(), wins: self.wins.swap(), losses: self.losses.swap(), lead: -self.lead }
    }

    /// The number of battles, on the scale of [`Value::ONE`], by which the first side leads.
    #[must_use]
    pub fn ahead(&self) -> i64 {
        self.lead / Luck::ROLL.0
    }
}

/// Dice that measure how lucky each side was.
///
/// The luck of a decision belongs to the side that the decision is for; the luck of an opposed roll belongs to the side
/// that rolls. The luck of every decision is 0 on average, regardless of earlier events. The same is therefore true of
/// a battle of any length.
pub struct Lucky<'a> {
    dice: &'a mut dyn Dice,
    value: &'a Value,
    /// The luck so far.
    pub fallen: Fallen,
}

impl<'a> Lucky<'a> {
    /// Dice that have made no decisions yet, with the worth of their luck.
    pub fn new(dice: &'a mut dyn Dice, value: &'a Value) -> Self {
        Self { dice, value, fallen: Fallen::default() }
    }
}

impl Dice for Lucky<'_> {
    fn decide(&mut self, at: Address, decision: &dyn Decision) -> usize {
        let outcome = self.dice.decide(at, decision);
        self.fallen.fall(self.value, at, Luck::of(decision.favour(), decision.odds().below, outcome));
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
    /// Whether it records anything.
    const KEEPS: bool = true;

    /// The battle continues from this state. Earlier records are kept.
    fn arrive(&mut self, place: u32, turn: u8);
    /// A decision was taken.
    fn enter(&mut self, at: Address, favour: Favour, below: &[u32], outcome: usize);
    /// Discards the records since the last place, because the decisions are taken again from there.
    fn go_back(&mut self);
}

/// Records nothing.
impl Ledger for () {
    const KEEPS: bool = false;

    #[inline]
    fn arrive(&mut self, _place: u32, _turn: u8) {}

    #[inline]
    fn enter(&mut self, _at: Address, _favour: Favour, _below: &[u32], _outcome: usize) {}

    #[inline]
    fn go_back(&mut self) {}
}

/// The luck up to a place, and the luck so far.
#[derive(Debug)]
pub(crate) struct Account<'v> {
    value: &'v Value,
    place: Option<(u32, u8)>,
    before: Fallen,
    /// The luck so far.
    pub(crate) now: Fallen,
}

impl<'v> Account<'v> {
    /// An account without any luck so far.
    pub(crate) fn new(value: &'v Value) -> Self {
        Self { value, place: None, before: Fallen::default(), now: Fallen::default() }
    }
}

impl Ledger for Account<'_> {
    fn arrive(&mut self, place: u32, turn: u8) {
        let place = Some((place, turn));
        if self.place != place {
            self.place = place;
            self.before = self.now;
        }
    }

    fn enter(&mut self, at: Address, favour: Favour, below: &[u32], outcome: usize) {
        self.now.fall(self.value, at, Luck::of(favour, below, outcome));
    }

    fn go_back(&mut self) {
        self.now = self.before;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tries every sequence of two rolls, weighted by its words. The second roll depends on the first.
    #[test]
    fn the_worth_of_luck_is_nothing_on_average_whatever_the_value() {
        let at = |turn, lane| Address { turn, stage: 0, purpose: 3, lane, nth: 0 };
        let slope = |level, by_lead, by_turn| Slope { level, by_lead, by_turn };
        let worth = |lead, wins: BySide<Slope>| SiteValue { lead, wins, losses: wins.swap() };
        let value = Value::new(vec![
            (Value::site(at(1, 5)), worth(-700, BySide::new(slope(-300, 90, 7), slope(200, 0, -31)))),
            (Value::site(at(1, 2)), worth(900, BySide::new(slope(411, -1_300, 50), slope(-97, 2_000, 9_999)))),
        ]);
        let first = [1_u32 << 30, 3 << 30];
        let second = [vec![7], vec![1 << 31, 5 << 29], vec![u32::MAX]];
        let words = |below: &[u32], outcome: usize| {
            let end = below.get(outcome).map_or(1 << 32, |&end| i128::from(end));
            end - outcome.checked_sub(1).map_or(0, |before| i128::from(below[before]))
        };
        let (mut sums, mut leads) = ([0_i128; 4], Vec::new());
        for (outcome, second) in second.iter().enumerate() {
            let mut fallen = Fallen::default();
            fallen.fall(&value, at(1, 2), Luck::of(Favour::Early, &first, outcome));
            leads.push(fallen.ahead());
            for then in 0..=second.len() {
                let mut fallen = fallen;
                fallen.fall(&value, at(2, 5), Luck::of(Favour::Late, second, then));
                let weight = words(&first, outcome) * words(second, then);
                let worths = [fallen.wins, fallen.losses].map(|worth| Side::BOTH.map(|side| worth[side]));
                for (sum, worth) in sums.iter_mut().zip(worths.as_flattened()) {
                    *sum += weight * i128::from(*worth);
                    assert!(*worth != 0, "{outcome}, {then}: {fallen:?}");
                }
            }
        }
        assert_eq!(sums, [0; 4]);
        assert!(leads[0] > 0 && leads[2] < 0, "{leads:?}");
    }

    /// A roll of luck has the worth that the value gives for its kind, its unit, the turn and the lead, and none at
    /// other sites.
    #[test]
    fn luck_is_worth_what_the_value_says() {
        let at = |turn, lane| Address { turn, stage: 0, purpose: 0, lane, nth: 0 };
        let wins = BySide::new(Slope { level: 100, by_lead: 512, by_turn: 10 }, Slope::default());
        let value = Value::new(vec![(Value::site(at(1, 0)), SiteValue { lead: 200, wins, losses: BySide::default() })]);
        let mut fallen = Fallen::default();
        fallen.fall(&value, at(1, 1), Luck::ROLL);
        assert_eq!((fallen.wins, fallen.ahead()), (BySide::default(), 0));
        fallen.fall(&value, at(1, 0), Luck::ROLL);
        assert_eq!((fallen.wins.first, fallen.ahead()), (110 * Luck::ROLL.0, 200));
        // The worth rises by half of the lead, and with each turn.
        fallen.fall(&value, at(3, 0), Luck::ROLL);
        assert_eq!(fallen.wins, BySide::new((110 + 100 + 100 + 30) * Luck::ROLL.0, 0));
        assert_eq!(fallen.luck, BySide::new(Luck(2 * Luck::ROLL.0), Luck::ROLL));
    }
}
