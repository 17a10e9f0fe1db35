//! Dice pools: successes are counted, and may be rolled again in later stages.
//!
//! Examples: a die per figure, hitting on 5 or more; a die per hit, wounding on 4 or more; a die per wound, which the
//! target saves on 3 or less; a D3 of damage per wound that is not saved.

use grognard_dice::{Die, Face, Faces};

use super::throw::{count_by_hand, count_up_to_most};
use super::totals::Draft;
use super::weights::{Budget, Excess, FIELD_MAX, Key, Spread, count_at, packed, unpacked};
use super::{Amount, Models, Need, Procedure, RollError, Stage, Totals};

/// Stages, each of which may feed later ones. The first total is `hits`, the successes that go to no further stage. If
/// requested, `stage_1`, `stage_2` ... follow (the successes of every stage), then `criticals` and `fumbles` (the dice
/// of the initial throw that show a face which always succeeds or always fails), and `models`. Each total makes the
/// odds larger.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pool {
    /// The number of dice in the initial throw, by stage: groups of dice with their own needs are parallel stages.
    pub dice: Vec<Amount>,
    /// The stages in order, at least one; the successes of each are the dice of later ones.
    pub stages: Vec<Stage>,
    /// Whether the successes of every stage are requested; for up to seven stages.
    pub stage_totals: bool,
    /// Whether natural successes of the initial throw are requested; with the totals of up to five stages.
    pub criticals: bool,
    /// Whether natural failures of the initial throw are requested; with the totals of up to five stages.
    pub fumbles: bool,
    /// The models that take the hits, if it matters which hits fall on the same model. The whole result of one die of
    /// the last stage is then one hit. Hits that do not go through the last stage come after all others, one by one.
    pub models: Option<Models>,
}

/// The result of the dice of one stage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// Successes by the stage that they go to, followed by those that are hits.
    pub to: Vec<u32>,
    /// The result of each die, without rerolls and repeats.
    pub each: Vec<i64>,
    /// The number of dice that show a natural success, and a natural failure.
    natural: [i64; 2],
}

/// The count into which the dice that reach the last stage are packed.
pub(super) const DICE_FIELD: usize = 7;

impl Pool {
    /// A pool of one stage.
    #[must_use]
    pub fn new(dice: impl Into<Amount>, die: Die, need: Need) -> Self {
        Self::of(dice, vec![Stage::new(die, need)])
    }

    /// A pool of these stages, with no total but `hits`.
    #[must_use]
    pub fn of(dice: impl Into<Amount>, stages: Vec<Stage>) -> Self {
        Self::of_groups(vec![dice.into()], stages)
    }

    /// A pool with several groups of dice, one for each of the first stages.
    #[must_use]
    pub fn of_groups(dice: Vec<Amount>, stages: Vec<Stage>) -> Self {
        Self { dice, stages, stage_totals: false, criticals: false, fumbles: false, models: None }
    }

    /// Hits, the successes of each stage, the natural successes and failures of the initial throw, and the models lost.
    fn read(&self, hits: i64, stages: impl Iterator<Item = i64>, natural: [i64; 2], inputs: &[i32]) -> Draft {
        let draft = stages.fold(Draft::of(&[hits]), |draft, successes| draft.and_if(self.stage_totals, successes));
        let draft = draft.and_if(self.criticals, natural[0]).and_if(self.fumbles, natural[1]);
        match &self.models {
            Some(models) => draft.and_if(models.gone, models.gone(hits, inputs)),
            None => draft,
        }
    }

    /// The number of counts packed before natural successes and failures: the hits and those of all stages.
    fn fields(&self) -> usize {
        1 + if self.stage_totals { self.stages.len() } else { 0 }
    }

    /// The counts of natural successes and failures, if they are requested.
    fn natural_fields(&self) -> [Option<usize>; 2] {
        let first = self.fields();
        [self.criticals.then_some(first), self.fumbles.then_some(first + usize::from(self.criticals))]
    }

    fn is_packed(&self) -> bool {
        self.stage_totals || self.criticals || self.fumbles || self.models.is_some()
    }

    /// A hit as a result.
    fn hit(&self) -> Key {
        if self.is_packed() { packed(0) } else { 1 }
    }

    /// The last stage, if its dice fall on models one by one.
    pub(super) fn by_model(&self) -> Option<(usize, &Models)> {
        self.models.as_ref().and_then(|models| Some((self.stages.len().checked_sub(1)?, models)))
    }

    /// The result of a single die of each stage: a number of hits or, if more is requested, packed counts.
    ///
    /// Computed backwards from the last stage: a die with `n` successes gives `n` times the result of a die of the
    /// stage that they go to.
    fn singles(&self, inputs: &[i32], budget: &mut Budget) -> Result<Vec<Spread>, RollError> {
        let stages = self.stages.len();
        // One entry for each stage, and one for a hit at the end; filled from the end.
        let mut singles = vec![Spread::certain(self.hit()); stages + 1];
        for at in (0..stages).rev() {
            let spread = self.single(at, &singles, inputs, budget).map_err(|error| error.in_stage(at))?;
            singles[at] = spread;
        }
        Ok(singles)
    }

    fn single(&self, at: usize, after: &[Spread], inputs: &[i32], budget: &mut Budget) -> Result<Spread, RollError> {
        let (stage, stages) = (&self.stages[at], self.stages.len());
        let goals = stage.goals(at, stages);
        // Counts of one die: what goes to each goal, with the ordinary goal in the last count, and natural faces before
        // them.
        let field = |index: usize| packed(DICE_FIELD - index);
        let thrown = if stage.need().is_some() {
            let key = |face: &Face| {
                let mut key = 0;
                stage.send(face, inputs, (at, stages), &mut |goal, successes| {
                    let index = goals.iter().position(|&known| known == goal).unwrap_or(0);
                    key += Key::from(successes) * field(index);
                });
                match self.natural(at, face) {
                    1 => key + field(goals.len()),
                    -1 => key + field(goals.len() + 1),
                    _ => key,
                }
            };
            stage.process(inputs, |process| process.spread(key, budget)).map_err(|excess| excess.of_die(stage.die()))?
        } else {
            let thrown = stage.hand.numbers(inputs, budget)?;
            let successes = |number: Key| number.max(0) * Key::from(stage.counts(inputs)) * field(0);
            let read = thrown.entries().iter().map(|&(number, weight)| (successes(number), weight)).collect();
            Spread::of(read).map_err(|excess| excess.of_die(stage.die()))?.rounded_after(&thrown)
        };
        let mixed = |budget: &mut Budget| -> Result<Spread, Excess> {
            let mut parts = Vec::with_capacity(thrown.entries().len());
            // A number read from dice may be large, but the next one is only a little larger, so the last sum is kept.
            let mut before: Vec<(u32, Spread)> = vec![(0, Spread::certain(0)); goals.len()];
            for &(key, weight) in thrown.entries() {
                let count = |index: usize| Key::from(count_at(key, DICE_FIELD - index));
                let mut result: Option<Spread> = None;
                let mut successes = 0;
                for (index, &goal) in goals.iter().enumerate() {
                    let all = match (count(index), &after[goal]) {
                        (0, _) => continue,
                        // Dice of the last stage that fall on models are only counted here.
                        (sent, _) if self.by_model().is_some_and(|(last, _)| last == goal) => {
                            Spread::certain(sent * packed(DICE_FIELD))
                        }
                        (1, after) => after.clone(),
                        (sent, after) => {
                            let (known, all) = &mut before[index];
                            if *known > sent as u32 {
                                (*known, *all) = (0, Spread::certain(0));
                            }
                            *all = all.plus_near(&after.times_near(sent as u32 - *known, budget)?, budget)?;
                            *known = sent as u32;
                            all.clone()
                        }
                    };
                    successes += count(index);
                    result = Some(match result {
                        Some(result) => result.plus_near(&all, budget)?,
                        None => all,
                    });
                }
                let result = result.unwrap_or(Spread::certain(0));
                let mut beside = if self.stage_totals { successes * packed(1 + at) } else { 0 };
                for (index, field) in self.natural_fields().into_iter().enumerate() {
                    beside += field.map_or(0, |field| count(goals.len() + index) * packed(field));
                }
                parts.push((weight, result.shifted(beside)));
            }
            Ok(Spread::mix_near(&parts, budget)?.rounded_after(&thrown))
        };
        mixed(budget).map_err(|excess| excess.of_die(&stage.hand.kinds[0].die))
    }

    /// 1 for a natural success of a die in the initial throw, -1 for a natural failure, if they are counted.
    fn natural(&self, at: usize, face: &Face) -> i64 {
        if at >= self.dice.len() {
            return 0;
        }
        match self.stages[at].hand.natural.verdict(&face.label) {
            1 if self.criticals => 1,
            -1 if self.fumbles => -1,
            _ => 0,
        }
    }

    /// The maximum successes of one die of any stage, in any count.
    fn most(&self, inputs: &[i32], budget: &mut Budget) -> Result<i64, RollError> {
        let stages = self.stages.len();
        let mut reach = vec![1i64; stages + 1];
        for (at, stage) in self.stages.iter().enumerate().rev() {
            reach[at] = if stage.is_plain() {
                stage.most().saturating_mul(reach[at + 1])
            } else if stage.need().is_some() {
                let mut most = 0i64;
                for face in &stage.die().faces {
                    let mut all = 0i64;
                    stage.send(face, inputs, (at, stages), &mut |goal, successes| {
                        all = all.saturating_add(successes.saturating_mul(reach[goal]));
                    });
                    most = most.max(all);
                }
                most.saturating_mul(stage.most())
            } else {
                let numbers = stage.hand.numbers(inputs, budget).map_err(|error| error.in_stage(at))?;
                let most = numbers.entries().last().map_or(0, |&(number, _)| number.max(0) as i64);
                most.saturating_mul(stage.counts(inputs)).saturating_mul(reach[stage.to.from(at, stages)])
            }
            .max(stage.most());
        }
        Ok(reach.into_iter().max().unwrap_or(1))
    }

    /// The maximum result of a single die, and the result of a die of each stage.
    pub(super) fn one(&self, inputs: &[i32], budget: &mut Budget) -> Result<(i64, Vec<Spread>), RollError> {
        // Counts are packed side by side, and none may overflow into its neighbour: neither those of one die nor those
        // of all.
        let most = self.most(inputs, budget)?;
        fits(most)?;
        Ok((most, self.singles(inputs, budget)?))
    }

    /// The number of dice of each group, for odds; `most` is the maximum result of one.
    pub(super) fn thrown(&self, most: i64, inputs: &[i32]) -> Result<Vec<u32>, RollError> {
        let dice = self.dice.iter().map(|&dice| count_up_to_most(dice, inputs)).collect::<Result<Vec<u32>, _>>()?;
        fits(most.saturating_mul(i64::from(dice.iter().sum::<u32>())))?;
        Ok(dice)
    }

    /// The totals of this many hits, if no other counts are requested.
    pub(super) fn of_hits(&self, hits: usize, inputs: &[i32]) -> Result<Totals, RollError> {
        self.read(hits as i64, std::iter::empty(), [0; 2], inputs).fit(|| self.totals())
    }

    /// Throws this many dice of a stage by hand.
    pub fn throw(&self, at: usize, dice: u32, inputs: &[i32], faces: &mut dyn Faces) -> Sent {
        let (stage, stages) = (&self.stages[at], self.stages.len());
        let mut sent = Sent { to: vec![0; stages + 1], each: vec![0; dice as usize], natural: [0; 2] };
        let Sent { to, each, natural } = &mut sent;
        let mut send = |origin: usize, goal: usize, successes: i64| {
            let most = i64::from(FIELD_MAX);
            to[goal] = (i64::from(to[goal]) + successes).min(most) as u32;
            each[origin] = (each[origin] + successes).min(most);
        };
        if stage.need().is_some() {
            stage.process(inputs, |process| {
                process.throw(dice, 0, faces, &mut |origin, face| {
                    stage.send(face, inputs, (at, stages), &mut |goal, successes| send(origin, goal, successes));
                    let verdict = self.natural(at, face);
                    natural[0] += i64::from(verdict > 0);
                    natural[1] += i64::from(verdict < 0);
                });
            });
        } else {
            for origin in 0..dice as usize {
                let number = stage.hand.by_hand(inputs, faces).total.clamp(0, FIELD_MAX.into());
                send(origin, stage.to.from(at, stages), number * stage.counts(inputs));
            }
        }
        sent
    }

    /// How much of the damage of these hits, in sequence, counts; without models, all of it.
    #[must_use]
    pub fn suffered(&self, damage: &[i64], inputs: &[i32]) -> i64 {
        damage.iter().fold(0, |before, &damage| {
            before + self.models.map_or(damage, |models| models.suffered(before, damage, inputs))
        })
    }

    /// The number of dice of each stage in the initial throw, and no hits.
    #[must_use]
    pub fn first_dice(&self, inputs: &[i32]) -> Vec<u32> {
        let mut dice: Vec<u32> = self.dice.iter().map(|&dice| count_by_hand(dice, inputs)).collect();
        dice.resize(self.stages.len() + 1, 0);
        dice
    }

    /// The distribution of this many dice, given the distributions of single dice of each stage.
    ///
    /// # Errors
    ///
    /// When computing it takes too much work.
    pub(super) fn all(
        &self,
        dice: &[u32],
        singles: &[Spread],
        inputs: &[i32],
        budget: &mut Budget,
    ) -> Result<Spread, RollError> {
        let all = self.together(dice, singles, inputs, budget);
        all.map_err(|excess| excess.of_die(&self.stages[0].hand.kinds[0].die))
    }

    fn together(
        &self,
        dice: &[u32],
        singles: &[Spread],
        inputs: &[i32],
        budget: &mut Budget,
    ) -> Result<Spread, Excess> {
        let by_model = self.by_model();
        let mut first = Spread::certain(0);
        for (group, &dice) in dice.iter().enumerate() {
            let these = match by_model.is_some_and(|(last, _)| last == group) {
                true => Spread::certain(Key::from(dice) * packed(DICE_FIELD)),
                false => singles[group].times_near(dice, budget)?,
            };
            first = if group == 0 { these } else { first.plus_near(&these, budget)? };
        }
        let Some((last, models)) = by_model else { return Ok(first) };
        let hits = |key: Key| count_at(key, DICE_FIELD);
        let most = first.entries().iter().map(|&(key, _)| hits(key)).max().unwrap_or(0);
        // Taken out of the budget, because the budget itself is also borrowed here.
        let mut known = std::mem::take(&mut budget.walks);
        let walks = models.walks(&singles[last], most as u32, inputs, &mut known, budget);
        let parts = walks.map(|walks| {
            let part = |&(key, weight): &(Key, u128)| {
                let hits = hits(key);
                (weight, walks[hits as usize].clone().shifted(key - Key::from(hits)))
            };
            first.entries().iter().map(part).collect::<Vec<_>>()
        });
        budget.walks = known;
        let mixed = Spread::mix_near(&parts?, budget)?;
        Ok(mixed.rounded_after(&first))
    }

    /// The totals of the results of all dice, with their weights.
    pub(super) fn entries(
        &self,
        all: &Spread,
        inputs: &[i32],
        budget: &mut Budget,
    ) -> Result<Vec<(Totals, u128)>, RollError> {
        budget.note([all]);
        let mut entries: Vec<(Totals, u128)> = Vec::with_capacity(all.entries().len());
        for &(key, weight) in all.entries() {
            let draft = if self.is_packed() {
                let fields = self.fields();
                let mut counts = unpacked(key, fields);
                let hits = counts.next().unwrap_or(0);
                let natural = self.natural_fields().map(|field| field.map_or(0, |field| count_at(key, field)));
                self.read(hits, counts, natural, inputs)
            } else {
                self.read(key as i64, std::iter::empty(), [0; 2], inputs)
            };
            entries.push((draft.fit(|| self.totals())?, weight));
        }
        Ok(entries)
    }
}

/// Refuses hits that do not fit a count.
fn fits(hits: i64) -> Result<(), RollError> {
    match hits <= FIELD_MAX.into() {
        true => Ok(()),
        false => Err(RollError::TotalOutOfRange { name: "hits".to_owned(), value: hits }),
    }
}

impl Procedure for Pool {
    fn totals(&self) -> Vec<String> {
        let stages = if self.stage_totals { self.stages.len() } else { 0 };
        let stages = (1..=stages).map(|stage| format!("stage_{stage}"));
        let natural = [("criticals", self.criticals), ("fumbles", self.fumbles)];
        let natural = natural.into_iter().filter(|&(_, wanted)| wanted).map(|(name, _)| name.to_owned());
        let models = self.models.filter(|models| models.gone).map(|_| "models".to_owned());
        ["hits".to_owned()].into_iter().chain(stages).chain(natural).chain(models).collect()
    }

    fn amounts(&self) -> Vec<Amount> {
        let models = self.models.into_iter().flat_map(|models| [models.wounds, models.left]);
        self.dice.iter().copied().chain(self.stages.iter().flat_map(Stage::amounts)).chain(models).collect()
    }

    fn check(&self) -> Result<(), RollError> {
        if self.stages.is_empty() {
            return Err(RollError::Meaningless("the pool has no stages: it needs at least one"));
        }
        if self.stage_totals && self.models.is_some() {
            return Err(RollError::Meaningless(
                "the successes of each stage were requested, but hits fall on models one by one",
            ));
        }
        if self.dice.is_empty() || self.dice.len() > self.stages.len() {
            return Err(RollError::Meaningless(
                "a pool needs at least one group of dice, and a separate stage to throw each group",
            ));
        }
        if self.models.is_some() && self.dice.len() > 1 && self.dice.len() == self.stages.len() {
            return Err(RollError::Meaningless(
                "hits of several groups fall on models: they need a stage after the groups",
            ));
        }
        for (at, stage) in self.stages.iter().enumerate() {
            stage.check(at, self.stages.len())?;
        }
        Ok(())
    }

    fn work_out(&self, inputs: &[i32], budget: &mut Budget) -> Result<Vec<(Totals, u128)>, RollError> {
        let (most, singles) = self.one(inputs, budget)?;
        let dice = self.thrown(most, inputs)?;
        let all = self.all(&dice, &singles, inputs, budget)?;
        self.entries(&all, inputs, budget)
    }

    fn by_hand(&self, inputs: &[i32], faces: &mut dyn Faces) -> Totals {
        let stages = self.stages.len();
        let mut waiting = self.first_dice(inputs);
        let mut successes = Vec::with_capacity(stages);
        let (mut natural, mut suffered) = ([0i64; 2], 0);
        for at in 0..stages {
            let sent = self.throw(at, waiting[at], inputs, faces);
            natural = [natural[0] + sent.natural[0], natural[1] + sent.natural[1]];
            successes.push(sent.each.iter().sum());
            if self.by_model().is_some_and(|(last, _)| last == at) {
                suffered = self.suffered(&sent.each, inputs);
                continue;
            }
            for (waiting, sent) in waiting.iter_mut().zip(&sent.to) {
                // Odds are never computed for larger numbers.
                *waiting = (*waiting + sent).min(FIELD_MAX);
            }
        }
        let hits = i64::from(waiting[stages]) + suffered;
        self.read(hits, successes.into_iter(), natural, inputs).clamped()
    }
}
