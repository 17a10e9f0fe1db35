//! A handful of dice read as one number.

use grognard_dice::{Die, Face, Faces};

use super::keep::{Keep, Scoring, kept};
use super::throw::{
    Explode, Kind, Process, Reroll, check_dice, check_no_need, count_by_hand, count_for_odds, count_up_to_most, named,
};
use super::weights::{Budget, Excess, Key, Spread};
use super::{Amount, Natural, ROLL_WORK, RollError};

/// Dice, how they are thrown, and how they are read.
///
/// Examples: `2d6 + modifier`; the highest of three d6; six d6 that hit on 4 or more, with hits rolled again.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Hand {
    /// The dice; usually of one kind, but `2d6 + 1d10` is also a hand.
    pub kinds: Vec<Kind>,
    /// Which dice count.
    pub keep: Keep,
    /// Which dice are rolled again.
    pub reroll: Option<Reroll>,
    /// Which dice add another die.
    pub explode: Option<Explode>,
    /// How they are read.
    pub read: Read,
    /// The faces or totals that always fail or succeed.
    pub natural: Natural,
    /// The amount added to their result.
    pub plus: Amount,
}

/// How dice are read as one number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Read {
    /// The sum of the values.
    Sum,
    /// The highest value; 0 without dice. A die and those it added count as one, with their sum.
    Highest,
    /// The number of dice that meet the need. Dice that were added count separately.
    Successes(Need),
}

/// The requirement for a die to be a success.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Need {
    /// This value or more.
    AtLeast(Amount),
    /// This value or less.
    AtMost(Amount),
    /// One of these faces, by label.
    Faces(Vec<String>),
}

impl Need {
    /// Whether a face succeeds, either because it always does or because it meets the need.
    pub(super) fn succeeds(&self, natural: &Natural, face: &Face, inputs: &[i32]) -> bool {
        match natural.verdict(&face.label) {
            0 => self.met(face, inputs),
            verdict => verdict > 0,
        }
    }

    /// Whether a face meets the need.
    pub(super) fn met(&self, face: &Face, inputs: &[i32]) -> bool {
        match self {
            Self::AtLeast(need) => i32::from(face.value) >= need.at(inputs),
            Self::AtMost(need) => i32::from(face.value) <= need.at(inputs),
            Self::Faces(labels) => labels.contains(&face.label),
        }
    }

    pub(super) fn labels(&self) -> &[String] {
        match self {
            Self::Faces(labels) => labels,
            _ => &[],
        }
    }

    pub(super) fn amount(&self) -> Option<Amount> {
        match self {
            Self::AtLeast(amount) | Self::AtMost(amount) => Some(*amount),
            Self::Faces(_) => None,
        }
    }
}

impl Hand {
    /// This many of one die, all kept, read in this way, without rerolls or added dice.
    #[must_use]
    pub fn new(die: Die, count: impl Into<Amount>, read: Read) -> Self {
        let kinds = vec![Kind { die, count: count.into() }];
        Self {
            kinds,
            keep: Keep::All,
            reroll: None,
            explode: None,
            read,
            natural: Natural::default(),
            plus: Amount::fixed(0),
        }
    }

    /// The dice added up.
    #[must_use]
    pub fn sum(die: Die, count: impl Into<Amount>) -> Self {
        Self::new(die, count, Read::Sum)
    }

    /// The number of dice that meet the need.
    #[must_use]
    pub fn successes(die: Die, count: impl Into<Amount>, need: Need) -> Self {
        Self::new(die, count, Read::Successes(need))
    }

    /// Refuses incompatible parts.
    pub(super) fn check(&self) -> Result<(), RollError> {
        let (reroll, explode) = (self.reroll.as_ref(), self.explode.as_ref());
        let need = match &self.read {
            Read::Successes(need) => Some(need),
            _ => None,
        };
        let labels = named(reroll, explode).chain(need.map_or(&[][..], Need::labels));
        check_dice(self.kinds.iter().map(|kind| &kind.die), labels)?;
        if need.is_none() {
            check_no_need(reroll)?;
        } else if self.keep != Keep::All && (explode.is_some() || matches!(need, Some(Need::Faces(_)))) {
            return Err(RollError::Meaningless(
                "the highest or lowest dice are kept and counted as successes: the dice must be sorted by \
                 value, so the need must be a value, and no die may add another",
            ));
        }
        self.check_natural()
    }

    /// Refuses natural faces that are listed twice or that the dice cannot show.
    ///
    /// # Errors
    ///
    /// [`RollError::NaturalTwice`], [`RollError::UnknownFace`], [`RollError::UnknownNatural`]; and
    /// [`RollError::Meaningless`], if the sum of a varying number of dice has natural numbers.
    pub fn check_natural(&self) -> Result<(), RollError> {
        self.natural.check_once()?;
        if self.natural.is_empty() {
            return Ok(());
        }
        if let Read::Successes(_) = self.read {
            return check_dice(self.kinds.iter().map(|kind| &kind.die), self.natural.labels());
        }
        let spread = self.shown()?;
        let ends = [spread.entries().first(), spread.entries().last()];
        let [least, most] = ends.map(|end| end.map_or(0, |&(key, _)| key as i64));
        let shows = |label: &str| {
            label.parse().is_ok_and(|number: Key| number.to_string() == label && spread.weight(number) > 0)
        };
        match self.natural.labels().find(|label| !shows(label)) {
            None => Ok(()),
            Some(label) => {
                let dice = self.kinds.iter().map(|kind| match kind.count {
                    Amount { fixed: 2.., input: None } => format!("{}{}", kind.count.fixed, kind.die.name),
                    _ => kind.die.name.clone(),
                });
                let dice = dice.collect::<Vec<_>>().join("+");
                Err(RollError::UnknownNatural { dice, label: label.clone(), least, most })
            }
        }
    }

    /// Every number that the dice can show. If their number varies, as many dice as are kept suffice to show every
    /// number; for the highest, a single die suffices.
    fn shown(&self) -> Result<Spread, RollError> {
        let kept = match self.keep {
            Keep::All if self.read == Read::Highest => Some(Amount::fixed(1)),
            Keep::All => None,
            Keep::Highest(dice) | Keep::Lowest(dice) => Some(dice),
        };
        let mut kinds = self.kinds.clone();
        for kind in kinds.iter_mut().filter(|kind| kind.count.input.is_some()) {
            kind.count = kept.filter(|dice| dice.input.is_none()).ok_or(RollError::Meaningless(
                "the total of a varying number of dice cannot be natural: fix the number of dice, or keep a fixed number",
            ))?;
        }
        Self { kinds, ..self.clone() }.spread(&[], &mut Budget::new(ROLL_WORK))
    }

    /// What the dice alone decide if they are read as one number: 1 for a natural success, -1 for a natural failure, 0
    /// for neither.
    fn verdict(&self, natural: i64) -> i64 {
        match self.read {
            Read::Successes(_) => 0,
            Read::Sum | Read::Highest => self.natural.verdict_of(natural),
        }
    }

    /// Refuses natural numbers if nothing decides what succeeds.
    pub(super) fn check_no_verdict(&self) -> Result<(), RollError> {
        if self.natural.is_empty() || matches!(self.read, Read::Successes(_)) {
            return Ok(());
        }
        Err(RollError::Meaningless("natural faces always fail or succeed, but this roll has no successes: omit them"))
    }

    /// All amounts in the hand.
    pub(super) fn amounts(&self) -> impl Iterator<Item = Amount> + '_ {
        let keep = match self.keep {
            Keep::All => None,
            Keep::Highest(amount) | Keep::Lowest(amount) => Some(amount),
        };
        let need = match &self.read {
            Read::Successes(need) => need.amount(),
            _ => None,
        };
        self.kinds.iter().map(|kind| kind.count).chain(keep).chain(need).chain([self.plus])
    }

    /// The number of dice, before any are added.
    fn dice(&self, inputs: &[i32]) -> i32 {
        self.kinds.iter().fold(0i32, |dice, kind| dice.saturating_add(kind.count.at(inputs).max(0)))
    }

    /// The distribution of the dice, before [`Hand::plus`]. For dice that are added up, weights are rounded if exact
    /// numbers do not fit; sorted dice are refused.
    fn spread(&self, inputs: &[i32], budget: &mut Budget) -> Result<Spread, RollError> {
        let scoring = match (&self.keep, &self.read) {
            (Keep::All, Read::Sum | Read::Successes(_)) => return self.added(inputs, budget),
            (_, Read::Sum) => Scoring::Sum,
            (_, Read::Highest) => Scoring::Highest,
            (_, Read::Successes(_)) => Scoring::Successes,
        };
        let kinds = self.exact_kinds(inputs, budget)?;
        kept(&kinds, &self.keep, inputs, scoring, budget).map_err(|excess| self.refused(excess, inputs))
    }

    /// The distribution of one die.
    fn one(&self, die: &Die, inputs: &[i32], budget: &mut Budget) -> Result<Spread, RollError> {
        let key = |face: &Face| match &self.read {
            Read::Sum | Read::Highest => Key::from(face.value),
            // Dice are sorted by value, and successes come after failures.
            Read::Successes(need) if self.keep != Keep::All => {
                2 * Key::from(face.value) + Key::from(need.succeeds(&self.natural, face, inputs))
            }
            Read::Successes(need) => Key::from(need.succeeds(&self.natural, face, inputs)),
        };
        let one = self.process(die, inputs, |process| process.spread(key, budget));
        one.map_err(|excess| excess.of_die(die))
    }

    /// The distribution and number of each kind of die; refuses numbers that are too large for exact weights.
    fn exact_kinds(&self, inputs: &[i32], budget: &mut Budget) -> Result<Vec<(Spread, u32)>, RollError> {
        let mut others = 1u128;
        let mut kinds = Vec::with_capacity(self.kinds.len());
        for kind in &self.kinds {
            let one = self.one(&kind.die, inputs, budget)?;
            let count = count_for_odds(kind.count, inputs, one.total(), others)?;
            others = others.saturating_mul(one.total().saturating_pow(count));
            kinds.push((one, count));
        }
        Ok(kinds)
    }

    /// The distribution of the sum of all dice.
    fn added(&self, inputs: &[i32], budget: &mut Budget) -> Result<Spread, RollError> {
        let mut sum = Spread::certain(0);
        for kind in &self.kinds {
            let count = count_up_to_most(kind.count, inputs)?;
            let all = self.one(&kind.die, inputs, budget)?.times_near(count, budget);
            let with = all.and_then(|all| sum.plus_near(&all, budget));
            sum = with.map_err(|excess| self.refused(excess, inputs))?;
        }
        Ok(sum)
    }

    /// The distribution of every distinguishable result of the hand, which [`Hand::thrown`] reads. Doubles are only
    /// distinguished if `doubles` is set.
    pub(super) fn throws(&self, doubles: bool, inputs: &[i32], budget: &mut Budget) -> Result<Spread, RollError> {
        match doubles {
            true => self.spread_with_doubles(inputs, budget),
            false => Ok(self.spread(inputs, budget)?.doubled()),
        }
    }

    /// The meaning of a result of [`Hand::throws`].
    pub(super) fn thrown(&self, key: Key, inputs: &[i32]) -> Thrown {
        let natural = (key >> 1) as i64;
        let total = natural + i64::from(self.plus.at(inputs));
        Thrown { natural, total, doubles: key & 1 == 1, verdict: self.verdict(natural) }
    }

    /// The distribution of the dice with [`Hand::plus`].
    pub(super) fn numbers(&self, inputs: &[i32], budget: &mut Budget) -> Result<Spread, RollError> {
        Ok(self.spread(inputs, budget)?.shifted(self.plus.at(inputs).into()))
    }

    /// The distribution of the sum together with whether all dice show the same value: twice the sum, plus one if they
    /// do. One die is not a double.
    fn spread_with_doubles(&self, inputs: &[i32], budget: &mut Budget) -> Result<Spread, RollError> {
        let mut kinds = self.exact_kinds(inputs, budget)?;
        let sums = self.spread(inputs, budget)?;
        let dice = self.dice(inputs);
        if dice < 2 {
            return Ok(sums.doubled());
        }
        kinds.retain(|&(_, count)| count > 0);
        let mut entries: Vec<(Key, u128)> = sums.doubled().entries().to_vec();
        for &(value, _) in kinds.first().map_or(&[][..], |(one, _)| one.entries()) {
            // There are no more such ways than ways to throw all the dice, and the number of those ways fits.
            let ways = kinds.iter().map(|(one, count)| one.weight(value).pow(*count)).product::<u128>();
            let sum = 2 * value * Key::from(dice);
            if let Ok(at) = entries.binary_search_by_key(&sum, |&(key, _)| key) {
                entries[at].1 -= ways;
            }
            entries.push((sum + 1, ways));
            entries.sort_by_key(|&(key, _)| key);
        }
        Spread::of(entries).map_err(|excess| self.refused(excess, inputs))
    }

    /// Refuses hands that cannot be read as doubles.
    pub(super) fn check_doubles(&self) -> Result<(), RollError> {
        if self.keep == Keep::All && self.read == Read::Sum && self.explode.is_none() {
            return Ok(());
        }
        Err(RollError::Meaningless("doubles need a plain sum of dice that are all kept, without added dice"))
    }

    /// Throws the dice and reads them.
    pub(super) fn by_hand(&self, inputs: &[i32], faces: &mut dyn Faces) -> Thrown {
        // One entry for each die thrown initially: its result together with the dice it added.
        let mut units: Vec<(i64, i64)> = Vec::new();
        for kind in &self.kinds {
            let first = units.len();
            let count = count_by_hand(kind.count, inputs);
            units.resize(first + count as usize, (0, 0));
            self.process(&kind.die, inputs, |process| {
                process.throw(count, 0, faces, &mut |origin, face| {
                    let (value, successes) = &mut units[first + origin];
                    *value += i64::from(face.value);
                    *successes += match &self.read {
                        Read::Successes(need) => i64::from(need.succeeds(&self.natural, face, inputs)),
                        _ => 0,
                    };
                });
            });
        }
        let doubles = units.len() > 1 && units.iter().all(|unit| unit.0 == units[0].0);
        self.keep.drop_others(&mut units, inputs);
        let values = units.iter().map(|unit| unit.0);
        let natural = match self.read {
            Read::Sum => values.sum(),
            Read::Highest => values.max().unwrap_or(0),
            Read::Successes(_) => units.iter().map(|unit| unit.1).sum(),
        };
        let total = natural + i64::from(self.plus.at(inputs));
        Thrown { natural, total, doubles, verdict: self.verdict(natural) }
    }

    /// The reason why the dice cannot be added up, although each kind on its own can.
    fn refused(&self, excess: Excess, inputs: &[i32]) -> RollError {
        let dice = self.dice(inputs);
        match excess {
            Excess::Work => RollError::TooMuchWork,
            Excess::Bits => {
                let input = self.kinds.iter().find_map(|kind| kind.count.input);
                RollError::TooManyDice { dice, input, limit: dice.saturating_sub(1).max(0) as u32 }
            }
        }
    }

    pub(super) fn process<T>(&self, die: &Die, inputs: &[i32], then: impl FnOnce(Process<'_>) -> T) -> T {
        let success: Option<&dyn Fn(&Face) -> bool> = match &self.read {
            Read::Successes(need) => Some(&|face| need.succeeds(&self.natural, face, inputs)),
            _ => None,
        };
        then(Process::new(die, self.reroll.as_ref(), self.explode.as_ref(), success))
    }
}

/// A hand that has been thrown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Thrown {
    /// The result of the dice.
    pub(super) natural: i64,
    /// The result plus [`Hand::plus`].
    pub(super) total: i64,
    /// Whether there are at least two dice and all show the same value.
    pub(super) doubles: bool,
    /// 1 for a natural success, -1 for a natural failure, 0 for neither.
    pub(super) verdict: i64,
}
