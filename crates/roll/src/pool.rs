//! Dice pools: successes are counted, and may be rolled for again.
//!
//! Examples: a die per figure, 5 or more hits; a die per hit, 4 or more wounds; a die per wound, which the target saves on 3
//! or less.

use grognard_dice::{Die, Face, Faces};

use super::throw::{Explode, Process, Reroll, check_dice, count_by_hand, count_for_odds, named};
use super::totals::Draft;
use super::weights::{Budget, Excess, FIELD_MAX, Key, Spread, packed, unpacked};
use super::{Amount, Need, Procedure, RollError, Totals};

/// Stages that feed one another. Totals: `hits`, the successes of the last stage; then `stage_1`, `stage_2` ...,
/// those of every stage, if requested.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pool {
    /// How many dice the first stage throws.
    pub dice: Amount,
    /// The stages in order, at least one; the successes of each are the dice of the next.
    pub stages: Vec<Stage>,
    /// Whether the successes of every stage are wanted; for up to seven stages.
    pub stage_totals: bool,
}

/// One stage of a pool.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stage {
    /// The die it throws.
    pub die: Die,
    /// What a die needs to be a success.
    pub need: Need,
    /// Which dice are rolled again.
    pub reroll: Option<Reroll>,
    /// Which add another.
    pub explode: Option<Explode>,
}

impl Stage {
    /// A stage without rerolls or repeats.
    #[must_use]
    pub fn new(die: Die, need: Need) -> Self {
        Self { die, need, reroll: None, explode: None }
    }

    fn process<T>(&self, inputs: &[i32], then: impl FnOnce(Process<'_>) -> T) -> T {
        let success = |face: &Face| self.need.met(face, inputs);
        then(Process::new(&self.die, self.reroll.as_ref(), self.explode.as_ref(), Some(&success)))
    }

    /// The most dice that one may become.
    fn most(&self) -> i64 {
        self.explode.as_ref().map_or(0, |explode| i64::from(explode.limit)) + 1
    }
}

impl Pool {
    /// A pool of one stage.
    #[must_use]
    pub fn new(dice: impl Into<Amount>, die: Die, need: Need) -> Self {
        Self { dice: dice.into(), stages: vec![Stage::new(die, need)], stage_totals: false }
    }

    fn read(&self, hits: i64, stages: impl Iterator<Item = i64>) -> Draft {
        stages.fold(Draft::of(&[hits]), |draft, successes| draft.and_if(self.stage_totals, successes))
    }

    /// The result of a single die of the first stage: a number of hits or, if the stages are requested, packed
    /// counts.
    ///
    /// Computed backwards from the last stage: a die with `n` successes gives `n` times the result of a die of the
    /// next stage.
    fn one(&self, inputs: &[i32], budget: &mut Budget) -> Result<Spread, RollError> {
        let last = self.stages.len() - 1;
        let mut next: Option<Spread> = None;
        for (index, stage) in self.stages.iter().enumerate().rev() {
            let counts = if self.stage_totals { packed(index) } else { Key::from(index == last) };
            let spread = stage.process(inputs, |process| {
                let successes = process.spread(|face| stage.need.met(face, inputs).into(), budget)?;
                let mut parts = Vec::with_capacity(successes.entries().len());
                for &(number, weight) in successes.entries() {
                    let rest =
                        next.as_ref().map_or(Ok(Spread::certain(0)), |next| next.times(number as u32, budget))?;
                    parts.push((weight, rest.shifted(number * counts)));
                }
                Spread::mix(&parts, budget)
            });
            next = Some(spread.map_err(|excess: Excess| excess.of_die(&stage.die))?);
        }
        Ok(next.unwrap_or(Spread::certain(0)))
    }
}

impl Procedure for Pool {
    fn totals(&self) -> Vec<String> {
        let stages = if self.stage_totals { self.stages.len() } else { 0 };
        let stages = (1..=stages).map(|stage| format!("stage_{stage}"));
        ["hits".to_owned()].into_iter().chain(stages).collect()
    }

    fn amounts(&self) -> Vec<Amount> {
        [self.dice].into_iter().chain(self.stages.iter().filter_map(|stage| stage.need.amount())).collect()
    }

    fn check(&self) -> Result<(), RollError> {
        if self.stages.is_empty() {
            return Err(RollError::Meaningless("the pool has no stages: it needs at least one"));
        }
        for Stage { die, need, reroll, explode } in &self.stages {
            check_dice([die].into_iter(), named(reroll.as_ref(), explode.as_ref()).chain(need.labels()))?;
        }
        Ok(())
    }

    fn work_out(&self, inputs: &[i32], budget: &mut Budget) -> Result<Vec<(Totals, u128)>, RollError> {
        // Counts are packed side by side, and none may run into its neighbour: neither those of one die nor those of all.
        let most = self.stages.iter().fold(1i64, |most, stage| most.saturating_mul(stage.most()));
        let fits = |hits: i64| match hits <= FIELD_MAX.into() {
            true => Ok(()),
            false => Err(RollError::TotalOutOfRange { name: "hits".to_owned(), value: hits }),
        };
        fits(most)?;
        let one = self.one(inputs, budget)?;
        let dice = count_for_odds(self.dice, inputs, one.total(), 1)?;
        fits(most * i64::from(dice))?;
        let all = one.times(dice, budget).map_err(|excess| excess.of_die(&self.stages[0].die))?;
        let mut entries: Vec<(Totals, u128)> = Vec::with_capacity(all.entries().len());
        for &(key, weight) in all.entries() {
            let draft = if self.stage_totals {
                let stages = || unpacked(key, self.stages.len());
                self.read(stages().last().unwrap_or(0), stages())
            } else {
                self.read(key as i64, std::iter::empty())
            };
            entries.push((draft.fit(|| self.totals())?, weight));
        }
        // Packed counts are sorted by the first stage, totals by the hits.
        entries.sort_by_key(|&(totals, _)| totals);
        Ok(entries)
    }

    fn by_hand(&self, inputs: &[i32], faces: &mut dyn Faces) -> Totals {
        let mut stages = Vec::with_capacity(self.stages.len());
        let mut dice = count_by_hand(self.dice, inputs);
        for stage in &self.stages {
            let mut successes = 0u32;
            stage.process(inputs, |process| {
                process.throw(dice, faces, &mut |_, face| successes += u32::from(stage.need.met(face, inputs)));
            });
            stages.push(i64::from(successes));
            // No more than that are ever given odds.
            dice = successes.min(FIELD_MAX);
        }
        self.read(dice.into(), stages.into_iter()).clamped()
    }
}
