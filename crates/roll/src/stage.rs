//! Stages of a pool: the dice rolled for each die that reaches a stage, and the destination of its successes.
//!
//! Examples: a die that hits on 4 or more, and whose six hits twice; a six that wounds without a further roll; a D3 of
//! damage for each wound.

use grognard_dice::{Die, Face};

use super::throw::{Process, check_dice};
use super::weights::FIELD_MAX;
use super::{Amount, Hand, Keep, Need, Read, RollError};

/// The maximum number of destinations for the successes of one stage.
pub(super) const GOALS_MAX: usize = 5;

/// One stage of a pool.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stage {
    /// Its name in the narration.
    pub name: String,
    /// The dice thrown for each die that comes here: one die that succeeds or not, or dice read as the number of
    /// successes.
    pub hand: Hand,
    /// The number of successes that each success counts as.
    pub counts: Amount,
    /// Where the successes go.
    pub to: Goal,
    /// Special effects of certain dice, in addition to or instead of a success.
    pub branches: Vec<Branch>,
}

/// Where the successes of a stage go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// To the next stage; those of the last stage are hits.
    Next,
    /// To this stage, which comes later.
    Stage(usize),
    /// They are hits, regardless of later stages.
    Hits,
}

/// A special effect of a die that succeeds, in addition to or instead of its success.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Branch {
    /// The condition that a successful die must also meet.
    pub on: Need,
    /// 0 if the branch is closed; `None` means it is always open.
    pub when: Option<Amount>,
    /// The number of successes that such a die counts as.
    pub counts: Amount,
    /// Where these successes go.
    pub to: Goal,
    /// Whether the die also counts as an ordinary success.
    pub also: bool,
}

impl Goal {
    /// The stage, or the number of stages for hits, as seen from a stage.
    pub(super) fn from(self, at: usize, stages: usize) -> usize {
        match self {
            Self::Next => at + 1,
            Self::Stage(stage) => stage.min(stages),
            Self::Hits => stages,
        }
    }
}

impl Stage {
    /// A stage of one die that succeeds or not, without rerolls or repeats.
    #[must_use]
    pub fn new(die: Die, need: Need) -> Self {
        Self::of(Hand::successes(die, 1, need))
    }

    /// A stage whose successes each count as one and go to the next stage.
    #[must_use]
    pub fn of(hand: Hand) -> Self {
        Self { name: String::new(), hand, counts: Amount::fixed(1), to: Goal::Next, branches: Vec::new() }
    }

    /// Whether each success counts as one and goes to the next stage.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.need().is_some() && self.counts == Amount::fixed(1) && self.to == Goal::Next && self.branches.is_empty()
    }

    /// The need of a die here; `None` if dice are read as a number.
    #[must_use]
    pub fn need(&self) -> Option<&Need> {
        match &self.hand.read {
            Read::Successes(need) => Some(need),
            Read::Sum | Read::Highest => None,
        }
    }

    /// The die of a stage of successes.
    pub(super) fn die(&self) -> &Die {
        &self.hand.kinds[0].die
    }

    pub(super) fn process<T>(&self, inputs: &[i32], then: impl FnOnce(Process<'_>) -> T) -> T {
        self.hand.process(self.die(), inputs, then)
    }

    pub(super) fn counts(&self, inputs: &[i32]) -> i64 {
        counted(self.counts, inputs)
    }

    /// Calls `each` with the goals that a face sends successes to, and how many.
    pub(super) fn send(
        &self,
        face: &Face,
        inputs: &[i32],
        (at, stages): (usize, usize),
        each: &mut dyn FnMut(usize, i64),
    ) {
        if !self.need().is_some_and(|need| need.succeeds(&self.hand.natural, face, inputs)) {
            return;
        }
        let mut ordinary = true;
        for branch in self.branches.iter().filter(|branch| branch.takes(face, inputs)) {
            ordinary &= branch.also;
            each(branch.to.from(at, stages), counted(branch.counts, inputs));
        }
        if ordinary {
            each(self.to.from(at, stages), self.counts(inputs));
        }
    }

    /// The goals that successes may go to, each once, the ordinary one first.
    pub(super) fn goals(&self, at: usize, stages: usize) -> Vec<usize> {
        let mut goals = vec![self.to.from(at, stages)];
        for branch in &self.branches {
            let goal = branch.to.from(at, stages);
            if !goals.contains(&goal) {
                goals.push(goal);
            }
        }
        goals
    }

    /// The maximum number of dice that one die may become.
    pub(super) fn most(&self) -> i64 {
        self.hand.explode.as_ref().map_or(0, |explode| i64::from(explode.limit)) + 1
    }

    pub(super) fn amounts(&self) -> impl Iterator<Item = Amount> + '_ {
        let branches = self
            .branches
            .iter()
            .flat_map(|branch| [Some(branch.counts), branch.when, branch.on.amount()].into_iter().flatten());
        self.hand.amounts().chain([self.counts]).chain(branches)
    }

    /// Refuses branches on faces that the die does not have.
    ///
    /// # Errors
    ///
    /// [`RollError::UnknownFace`].
    pub fn check_branches(&self) -> Result<(), RollError> {
        let labels = self.branches.iter().flat_map(|branch| branch.on.labels());
        check_dice(self.hand.kinds.iter().map(|kind| &kind.die), labels)
    }

    /// Whether a branch is for dice that never succeed, whatever the situation.
    #[must_use]
    pub fn is_in_vain(&self, branch: &Branch) -> bool {
        let varies = |need: &Need| matches!(need, Need::AtLeast(need) | Need::AtMost(need) if need.input.is_some());
        self.need().is_some_and(|need| {
            let taken = |face: &Face| need.succeeds(&self.hand.natural, face, &[]) && branch.on.met(face, &[]);
            !varies(need) && !varies(&branch.on) && !self.die().faces.iter().any(taken)
        })
    }

    /// Refuses parts that do not fit together; `at` is the index of the stage, among `stages`.
    pub(super) fn check(&self, at: usize, stages: usize) -> Result<(), RollError> {
        let hand = &self.hand;
        hand.check()?;
        self.check_branches()?;
        if self.need().is_none() {
            hand.check_no_verdict()?;
            if !self.branches.is_empty() {
                return Err(RollError::Meaningless(
                    "a stage whose dice are read as a number has branches: only single dice that succeed can have them",
                ));
            }
        } else if hand.kinds.len() != 1
            || hand.kinds[0].count != Amount::fixed(1)
            || hand.keep != Keep::All
            || hand.plus != Amount::fixed(0)
        {
            return Err(RollError::Meaningless(
                "a stage of successes throws one die, without keeping or adding anything",
            ));
        }
        let mut goals = self.branches.iter().map(|branch| branch.to).chain([self.to]);
        if goals.any(|goal| matches!(goal, Goal::Stage(stage) if stage <= at || stage >= stages)) {
            return Err(RollError::Meaningless(
                "a stage sends successes to an earlier stage or to none: they must go to a later stage",
            ));
        }
        if self.goals(at, stages).len() > GOALS_MAX {
            return Err(RollError::Meaningless("a stage sends successes to more than five places"));
        }
        Ok(())
    }
}

impl Branch {
    fn takes(&self, face: &Face, inputs: &[i32]) -> bool {
        self.when.is_none_or(|when| when.at(inputs) != 0) && self.on.met(face, inputs)
    }
}

fn counted(counts: Amount, inputs: &[i32]) -> i64 {
    i64::from(counts.at(inputs)).clamp(0, FIELD_MAX.into())
}
