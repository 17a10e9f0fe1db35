//! Dice pools: successes are counted, and may be rolled for again.
//!
//! Examples: a die per figure, 5 or more hits; a die per hit, 4 or more wounds; a die per wound, which the target saves on 3
//! or less.

use grognard_dice::{Die, Face, Faces};

use super::throw::{Explode, Process, Reroll, check_dice, count_by_hand, count_for_odds, named};
use super::totals::Draft;
use super::weights::{Budget, Excess, FIELD_MAX, Key, Spread, packed, unpacked};
use super::{Amount, Natural, Need, Procedure, RollError, Totals};

/// Stages that feed one another. Totals: `hits`, the successes of the last stage; then, if requested, `stage_1`, `stage_2` ...,
/// those of every stage, and `criticals` and `fumbles`, the dice of the first stage that show a face which always succeeds
/// or always fails.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pool {
    /// How many dice the first stage throws.
    pub dice: Amount,
    /// The stages in order, at least one; the successes of each are the dice of the next.
    pub stages: Vec<Stage>,
    /// Whether the successes of every stage are wanted; for up to seven stages.
    pub stage_totals: bool,
    /// Whether natural successes and failures of the first stage are wanted; with the totals of up to five stages.
    pub criticals: bool,
}

/// One stage of a pool.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stage {
    /// The die it throws.
    pub die: Die,
    /// What a die needs to be a success.
    pub need: Need,
    /// The faces that fail or succeed whatever the need.
    pub natural: Natural,
    /// Which dice are rolled again.
    pub reroll: Option<Reroll>,
    /// Which add another.
    pub explode: Option<Explode>,
}

impl Stage {
    /// A stage without rerolls or repeats.
    #[must_use]
    pub fn new(die: Die, need: Need) -> Self {
        Self { die, need, natural: Natural::default(), reroll: None, explode: None }
    }

    fn process<T>(&self, inputs: &[i32], then: impl FnOnce(Process<'_>) -> T) -> T {
        let success = |face: &Face| self.succeeds(face, inputs);
        then(Process::new(&self.die, self.reroll.as_ref(), self.explode.as_ref(), Some(&success)))
    }

    fn succeeds(&self, face: &Face, inputs: &[i32]) -> bool {
        self.need.succeeds(&self.natural, face, inputs)
    }

    /// Refuses natural faces that are listed twice or that are not on the die.
    ///
    /// # Errors
    ///
    /// [`RollError::NaturalTwice`] and [`RollError::UnknownFace`].
    pub fn check_natural(&self) -> Result<(), RollError> {
        self.natural.check_once()?;
        check_dice([&self.die].into_iter(), self.natural.labels())
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
        Self { dice: dice.into(), stages: vec![Stage::new(die, need)], stage_totals: false, criticals: false }
    }

    /// Hits, the successes of each stage, and how often the first stage shows a natural success and a natural failure.
    fn read(&self, hits: i64, stages: impl Iterator<Item = i64>, [criticals, fumbles]: [i64; 2]) -> Draft {
        let draft = stages.fold(Draft::of(&[hits]), |draft, successes| draft.and_if(self.stage_totals, successes));
        draft.and_if(self.criticals, criticals).and_if(self.criticals, fumbles)
    }

    /// How many counts are packed side by side before natural successes and failures: those of all stages, or the hits.
    fn fields(&self) -> usize {
        if self.stage_totals { self.stages.len() } else { 1 }
    }

    fn is_packed(&self) -> bool {
        self.stage_totals || self.criticals
    }

    /// What a success of a stage counts.
    fn counts(&self, stage: usize) -> Key {
        match stage + 1 == self.stages.len() {
            _ if self.stage_totals => packed(stage),
            false => 0,
            true if self.criticals => packed(0),
            true => 1,
        }
    }

    /// What a face of a stage counts beside its success.
    fn beside(&self, stage: usize, face: &Face) -> Key {
        if !self.criticals || stage > 0 {
            return 0;
        }
        match self.stages[stage].natural.verdict(&face.label) {
            1 => packed(self.fields()),
            -1 => packed(self.fields() + 1),
            _ => 0,
        }
    }

    /// The result of a single die of the first stage: a number of hits or, if more is requested, packed counts.
    ///
    /// Computed backwards from the last stage: a die with `n` successes gives `n` times the result of a die of the
    /// next stage.
    fn one(&self, inputs: &[i32], budget: &mut Budget) -> Result<Spread, RollError> {
        let mut next: Option<Spread> = None;
        for (index, stage) in self.stages.iter().enumerate().rev() {
            let spread = stage.process(inputs, |process| {
                let key = |face: &Face| Key::from(stage.succeeds(face, inputs)) + self.beside(index, face);
                let thrown = process.spread(key, budget)?;
                let mut parts = Vec::with_capacity(thrown.entries().len());
                for &(key, weight) in thrown.entries() {
                    // Successes are in the last of the packed places, which no total takes.
                    let number = key & Key::from(FIELD_MAX);
                    let rest =
                        next.as_ref().map_or(Ok(Spread::certain(0)), |next| next.times(number as u32, budget))?;
                    parts.push((weight, rest.shifted(number * self.counts(index) + key - number)));
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
        let natural = ["criticals", "fumbles"].into_iter().filter(|_| self.criticals).map(str::to_owned);
        ["hits".to_owned()].into_iter().chain(stages).chain(natural).collect()
    }

    fn amounts(&self) -> Vec<Amount> {
        [self.dice].into_iter().chain(self.stages.iter().filter_map(|stage| stage.need.amount())).collect()
    }

    fn check(&self) -> Result<(), RollError> {
        if self.stages.is_empty() {
            return Err(RollError::Meaningless("the pool has no stages: it needs at least one"));
        }
        for stage in &self.stages {
            let Stage { die, need, reroll, explode, .. } = stage;
            check_dice([die].into_iter(), named(reroll.as_ref(), explode.as_ref()).chain(need.labels()))?;
            stage.check_natural()?;
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
            let draft = if self.is_packed() {
                let fields = self.fields();
                let stages = || unpacked(key, fields);
                let mut natural = unpacked(key, fields + if self.criticals { 2 } else { 0 }).skip(fields);
                let natural = [natural.next().unwrap_or(0), natural.next().unwrap_or(0)];
                self.read(stages().last().unwrap_or(0), stages(), natural)
            } else {
                self.read(key as i64, std::iter::empty(), [0; 2])
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
        let mut natural = [0i64; 2];
        for (index, stage) in self.stages.iter().enumerate() {
            let mut successes = 0u32;
            stage.process(inputs, |process| {
                process.throw(dice, faces, &mut |_, face| {
                    successes += u32::from(stage.succeeds(face, inputs));
                    let verdict = if index == 0 { stage.natural.verdict(&face.label) } else { 0 };
                    natural[0] += i64::from(verdict > 0);
                    natural[1] += i64::from(verdict < 0);
                });
            });
            stages.push(i64::from(successes));
            // No more than that are ever given odds.
            dice = successes.min(FIELD_MAX);
        }
        self.read(dice.into(), stages.into_iter(), natural).clamped()
    }
}
