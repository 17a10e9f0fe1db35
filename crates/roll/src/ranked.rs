//! Ranked dice: each side's dice are sorted, and compared highest with highest, next with next.
//!
//! Example: three attacking dice against two; each pair costs the lower side a figure, and ties cost the attacker one.

use grognard_dice::{Die, Face, Faces};

use super::throw::{
    Load, Process, Reroll, check_dice, check_no_need, count_by_hand, count_for_odds, named, of_two, too_many,
};
use super::totals::Draft;
use super::weights::{Budget, Excess, Key, Spread, merged, pascal, reduce};
use super::{Amount, Natural, Procedure, RollError, Totals, names};

/// Dice compared in order. Totals: `own_lost` and `foe_lost`, the pairs that each side loses. Dice without an opposite
/// are not compared. By hand, the rolling side's dice are thrown first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ranked {
    /// The dice of the side that rolls.
    pub own: Line,
    /// The dice of the other side.
    pub foe: Line,
    /// The side that loses a tied pair.
    pub ties: Ties,
}

/// One side's dice.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Line {
    /// The die.
    pub die: Die,
    /// The number of dice.
    pub dice: Amount,
    /// Which dice are rolled again: only by face, because ranked dice have no required score.
    pub reroll: Option<Reroll>,
    /// The amount added to each of the dice.
    pub plus: Amount,
    /// Faces that lose or win against all others, whatever is added. Two faces that win, or two that lose, are equal.
    pub natural: Natural,
}

/// The value of a natural face: beyond anything that dice can show, including what is added to them.
const NATURAL: Key = 1 << 40;

/// Who loses a pair of equal dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ties {
    /// The side that rolls.
    OwnLoses,
    /// The other side.
    FoeLoses,
    /// Neither.
    NobodyLoses,
}

impl Line {
    /// This many of this die, unsorted.
    #[must_use]
    pub fn new(die: Die, dice: impl Into<Amount>) -> Self {
        Self { die, dice: dice.into(), reroll: None, plus: Amount::fixed(0), natural: Natural::default() }
    }

    /// The value of a face with this much added.
    fn value(&self, face: &Face, plus: Key) -> Key {
        match self.natural.verdict(&face.label) {
            0 => Key::from(face.value) + plus,
            verdict => Key::from(verdict) * NATURAL,
        }
    }

    /// Refuses natural faces that are listed twice or that the die does not have.
    ///
    /// # Errors
    ///
    /// [`RollError::NaturalTwice`], [`RollError::UnknownFace`].
    pub fn check_natural(&self) -> Result<(), RollError> {
        self.natural.check_once()?;
        check_dice([&self.die].into_iter(), self.natural.labels())
    }

    fn process(&self) -> Process<'_> {
        Process::new(&self.die, self.reroll.as_ref(), None, None)
    }

    /// The distribution of one die.
    fn one(&self, inputs: &[i32], budget: &mut Budget) -> Result<Spread, RollError> {
        let plus = Key::from(self.plus.at(inputs));
        let one = self.process().spread(|face: &Face| self.value(face, plus), budget);
        one.map_err(|excess| excess.of_die(&self.die))
    }

    /// The dice, highest first.
    fn by_hand(&self, inputs: &[i32], faces: &mut dyn Faces) -> Vec<Key> {
        let mut values = Vec::new();
        let mut note = |_, face: &Face| values.push(self.value(face, Key::from(self.plus.at(inputs))));
        self.process().throw(count_by_hand(self.dice, inputs), 0, faces, &mut note);
        values.sort_unstable_by(|a, b| b.cmp(a));
        values
    }
}

/// The progress of the comparison, going down through the values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Compared {
    /// The number of the rolling side's dice that have shown a value so far.
    own: u32,
    /// The number of the foe's dice that have done so.
    foe: u32,
    own_lost: u32,
    foe_lost: u32,
}

impl Compared {
    /// The next value down is shown by `own` more of the rolling side's dice and `foe` more of the foe's; `pairs` pairs
    /// are compared in all.
    fn with(self, own: u32, foe: u32, pairs: u32, ties: Ties) -> Self {
        let (own_end, foe_end) = (self.own + own, self.foe + foe);
        // The pairs in which the rolling side's die shows this value and the foe's a lower one; those in which it is
        // the other way round; and those in which both show it.
        let won = own_end.min(pairs).saturating_sub(self.own.max(foe_end));
        let lost = foe_end.min(pairs).saturating_sub(self.foe.max(own_end));
        let tied = own_end.min(foe_end).min(pairs).saturating_sub(self.own.max(self.foe));
        let (own_tied, foe_tied) = match ties {
            Ties::OwnLoses => (tied, 0),
            Ties::FoeLoses => (0, tied),
            Ties::NobodyLoses => (0, 0),
        };
        let (own_lost, foe_lost) = (self.own_lost + lost + own_tied, self.foe_lost + won + foe_tied);
        Self { own: own_end, foe: foe_end, own_lost, foe_lost }
    }
}

/// One side's dice while values are enumerated: how many of the remaining ones may show a value, and in how many
/// ways.
struct Side {
    one: Spread,
    count: u32,
    binomials: Vec<Vec<u128>>,
}

impl Side {
    fn new(one: Spread, count: u32) -> Result<Self, Excess> {
        let most = if one.entries().len() > 1 { count } else { 0 };
        Ok(Self { one, count, binomials: pascal(most).ok_or(Excess::Bits)? })
    }

    /// For `left` dice: how many may show `value`, each with the number of ways.
    fn showing(&self, value: Key, left: u32) -> Vec<(u32, u128)> {
        let weight = self.one.weight(value);
        if weight == 0 || left == 0 {
            return vec![(0, 1)];
        }
        // At the lowest value, all remaining dice must show it. None of these numbers exceeds the number of ways to
        // throw all the dice.
        if self.one.entries().first().is_some_and(|&(lowest, _)| lowest == value) {
            return vec![(left, weight.pow(left))];
        }
        let ways = &self.binomials[left as usize];
        (0..=left).map(|showing| (showing, ways[showing as usize] * weight.pow(showing))).collect()
    }
}

impl Procedure for Ranked {
    fn totals(&self) -> Vec<String> {
        names(["own_lost", "foe_lost"])
    }

    fn amounts(&self) -> Vec<Amount> {
        [&self.own, &self.foe].into_iter().flat_map(|line| [line.dice, line.plus]).collect()
    }

    fn check(&self) -> Result<(), RollError> {
        for line in [&self.own, &self.foe] {
            check_dice([&line.die].into_iter(), named(line.reroll.as_ref(), None))?;
            check_no_need(line.reroll.as_ref())?;
            line.check_natural()?;
        }
        Ok(())
    }

    fn work_out(&self, inputs: &[i32], budget: &mut Budget) -> Result<Vec<(Totals, u128)>, RollError> {
        let (own, foe) = (self.own.one(inputs, budget)?, self.foe.one(inputs, budget)?);
        let loads = [(&self.own, &own), (&self.foe, &foe)].map(|(line, one)| Load {
            each: (one.total() as f64).log2(),
            dice: line.dice.at(inputs),
            varies: line.dice.input.is_some(),
        });
        let refused = |excess: Excess| match excess {
            Excess::Bits => too_many(loads),
            Excess::Work => RollError::TooMuchWork,
        };
        let counted = |line: &Line, one: &Spread, others| {
            count_for_odds(line.dice, inputs, one.total(), others).map_err(|error| of_two(error, || loads))
        };
        let own_count = counted(&self.own, &own, 1)?;
        let foe_count = counted(&self.foe, &foe, own.total().pow(own_count))?;
        let mut values: Vec<Key> = own.entries().iter().chain(foe.entries()).map(|&(value, _)| value).collect();
        values.sort_unstable_by(|a, b| b.cmp(a));
        values.dedup();
        let own = Side::new(own, own_count).map_err(refused)?;
        let foe = Side::new(foe, foe_count).map_err(refused)?;

        let pairs = own_count.min(foe_count);
        let mut states = vec![(Compared { own: 0, foe: 0, own_lost: 0, foe_lost: 0 }, 1u128)];
        for value in values {
            let mut next = Vec::new();
            for (state, ways) in states {
                let foes = foe.showing(value, foe.count - state.foe);
                for (own_more, own_ways) in own.showing(value, own.count - state.own) {
                    budget.spend(foes.len()).map_err(refused)?;
                    for &(foe_more, foe_ways) in &foes {
                        next.push((state.with(own_more, foe_more, pairs, self.ties), ways * own_ways * foe_ways));
                    }
                }
            }
            states = merged(next).ok_or(refused(Excess::Bits))?;
        }
        let losses = |state: Compared| Draft::of(&[state.own_lost.into(), state.foe_lost.into()]).clamped();
        let entries = merged(states.into_iter().map(|(state, ways)| (losses(state), ways)).collect());
        let mut entries = entries.ok_or(refused(Excess::Bits))?;
        reduce(&mut entries);
        Ok(entries)
    }

    fn by_hand(&self, inputs: &[i32], faces: &mut dyn Faces) -> Totals {
        let own = self.own.by_hand(inputs, faces);
        let foe = self.foe.by_hand(inputs, faces);
        let (mut own_lost, mut foe_lost) = (0, 0);
        for (own, foe) in own.into_iter().zip(foe) {
            let own_loses = own < foe || own == foe && self.ties == Ties::OwnLoses;
            let foe_loses = own > foe || own == foe && self.ties == Ties::FoeLoses;
            own_lost += i64::from(own_loses);
            foe_lost += i64::from(foe_loses);
        }
        Draft::of(&[own_lost, foe_lost]).clamped()
    }
}
