//! Trains both sides alternately until neither finds a better reply: McMahan, Gordon and Blum, "Planning in the
//! presence of cost functions controlled by an adversary" (2003), with trained replies instead of best ones.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use grognard_engine::{BySide, Side};
use grognard_stats::{Estimate, Level, bonferroni};

use super::policy::{Policy, Pool};
use super::race::{Fielded, Opponent, Race};
use super::write::{free_name, written};
use super::{FRESH, SEARCH, TrainError, Training, begin};
use crate::progress::{Progress, Stop};
use crate::questions::chances::Chances;
use crate::questions::matchups::{Equilibrium, equilibrium};
use crate::study::{Study, Variants, WrittenDoctrine};

/// The settings for training both sides alternately.
#[derive(Clone, Debug)]
pub struct Alternation {
    /// The settings for training a reply. Its side is the one for which the quantity is measured, and is trained first.
    pub training: Training,
    /// The maximum number of rounds: in each, both sides look for a reply.
    pub rounds: usize,
}

/// A doctrine that a side may choose.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Member {
    /// Its name.
    pub name: String,
    /// Its final weight, in 0..=1. If the search settled, the last replies were tested against these weights.
    pub weight: f64,
    /// Its rows and choices.
    pub policy: Policy,
    /// The round in which it was found; `None` for the doctrine that the side follows in the study.
    pub found: Option<usize>,
}

/// The result of a round.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Round {
    /// The gain of each side's reply over its mix so far, against the other side's mix so far, with fresh dice.
    pub gains: BySide<Estimate>,
}

/// Doctrines of both sides, with their weights.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Alternated {
    /// The doctrines that the sides follow in the study.
    pub from: BySide<WrittenDoctrine>,
    /// The doctrines of each side.
    pub members: BySide<Vec<Member>>,
    /// The quantity for each doctrine of the side that it is measured for, against each of the other's, with fresh
    /// dice.
    pub table: Vec<Vec<Estimate>>,
    /// The quantity if both sides choose with their weights, with fresh dice.
    pub value: Estimate,
    /// The rounds.
    pub rounds: Vec<Round>,
    /// Battles fought.
    pub fought: u64,
    /// Whether neither side found a reply that certainly gains anything.
    pub settled: bool,
    /// Whether the search was stopped. Its result is always scored in full.
    pub stopped: bool,
}

impl Alternated {
    /// A doctrine that was found, as a table of a pack.
    #[must_use]
    pub fn toml(&self, side: Side, member: &Member, notes: &[String]) -> String {
        written(&self.from[side], (&member.name, "trained"), &member.policy, notes)
    }
}

/// The data for training both sides.
struct Field<'a> {
    alternation: &'a Alternation,
    study: &'a Study,
    variants: &'a Variants<'a>,
    chosen: Vec<usize>,
    from: BySide<WrittenDoctrine>,
    pools: BySide<Pool>,
    sign: i32,
    progress: &'a dyn Progress,
    stop: &'a Stop,
    fought: AtomicU64,
}

/// A side's reply to the other side's mix.
struct Reply {
    /// Its gain over the side's own mix.
    gain: Estimate,
    /// The doctrine, if it certainly gains something and the side does not have it yet.
    better: Option<Policy>,
    /// Whether its search was stopped.
    stopped: bool,
}

impl Alternation {
    /// Trains the sides alternately, each against the other's mix, until neither finds a reply that certainly gains
    /// anything, or `stop` is raised.
    ///
    /// # Errors
    /// See [`TrainError`].
    pub fn run(
        &self,
        study: &Study,
        variants: &Variants<'_>,
        progress: &dyn Progress,
        stop: &Stop,
    ) -> Result<Alternated, TrainError> {
        let sign = self.training.sign()?;
        let chosen = study.chosen(&self.training.cells);
        let of = |side| begin(study, variants, &chosen, side);
        let ((first, own), (second, others)) = (of(Side::First)?, of(Side::Second)?);
        let (from, pools) = (BySide::new(first, second), BySide::new(own, others));
        let threads = rayon::ThreadPoolBuilder::new().num_threads(self.training.threads).build()?;
        let fought = AtomicU64::new(0);
        let field = Field { alternation: self, study, variants, chosen, from, pools, sign, progress, stop, fought };
        threads.install(|| field.run())
    }
}

impl Field<'_> {
    fn run(self) -> Result<Alternated, TrainError> {
        let first = self.alternation.training.side;
        let member = |from: &WrittenDoctrine| Member {
            name: from.name.clone(),
            weight: 1.0,
            policy: Policy::of(from),
            found: None,
        };
        let mut members = BySide::from_fn(|side| vec![member(&self.from[side])]);
        let (mut rounds, mut settled, mut stopped) = (Vec::new(), false, false);
        let (mut next, mut fresh, mut order) = (SEARCH, FRESH, Chances(self.study.seed));
        while rounds.len() < self.alternation.rounds && !settled && !stopped {
            stopped = self.stop.is_raised();
            if stopped {
                break;
            }
            let round = rounds.len() + 1;
            let mut reply = |side| self.reply(side, &members, &mut order, &mut next, &self.fresh(&mut fresh));
            let (own, others) = (reply(first)?, reply(first.other())?);
            let mut replies = if first == Side::First { BySide::new(own, others) } else { BySide::new(others, own) };
            rounds.push(Round { gains: BySide::from_fn(|side| replies[side].gain) });
            stopped = replies.iter().any(|reply| reply.stopped);
            let mut is_new = false;
            for side in Side::BOTH {
                if let Some(policy) = replies[side].better.take() {
                    let name = self.name(side, &members);
                    members[side].push(Member { name, weight: 0.0, policy, found: Some(round) });
                    is_new = true;
                }
            }
            if is_new {
                let table = self.table(&members, &self.fresh(&mut fresh))?;
                weigh(&mut members, first, &table);
            }
            // A search that was cut short does not show that nothing can be gained.
            settled = !is_new && !stopped;
        }
        // New weights would be untested, so the last table does not change the weights.
        let table = self.table(&members, &self.fresh(&mut fresh))?;
        let value = self.value(&members, &self.fresh(&mut fresh))?;
        // Restores the side's own sign: the search negates values that the side wants to be small.
        let own = |estimate: Estimate| if self.sign < 0 { negated(estimate) } else { estimate };
        Ok(Alternated {
            from: self.from,
            members,
            table: table.into_iter().map(|row| row.into_iter().map(own).collect()).collect(),
            value: own(value),
            rounds,
            fought: self.fought.load(Ordering::Relaxed),
            settled,
            stopped,
        })
    }

    /// The battles that score a doctrine, with unused dice.
    fn fresh(&self, next: &mut u64) -> Range<u64> {
        let begin = *next;
        *next += self.study.whole_rounds(self.alternation.training.battles);
        begin..*next
    }

    /// A name that no doctrine has yet, neither in the pack nor among those found.
    fn name(&self, side: Side, members: &BySide<Vec<Member>>) -> String {
        let is_found = |name: &str| members.iter().flatten().any(|member| member.name == name);
        let wanted = format!("{}-trained", self.from[side].name);
        free_name(&wanted, |name| self.pools[side].has(name) || is_found(name))
    }

    fn race(&self, side: Side, against: Vec<Opponent>) -> Race<'_> {
        Race {
            training: &self.alternation.training,
            study: self.study,
            variants: self.variants,
            chosen: self.chosen.clone(),
            side,
            span: self.from[side].span,
            sign: if side == self.alternation.training.side { self.sign } else { -self.sign },
            against,
            progress: self.progress,
            stop: self.stop,
            fought: &self.fought,
        }
    }

    /// A side's reply to the other side's mix.
    fn reply(
        &self,
        side: Side,
        members: &BySide<Vec<Member>>,
        order: &mut Chances,
        next: &mut u64,
        fresh: &Range<u64>,
    ) -> Result<Reply, TrainError> {
        let (race, mix) = self.mixed(side, members)?;
        // Small changes may improve one doctrine of the mix and not another, so the search begins with each in turn: in
        // descending order of weight, and in their own order if weights are equal.
        let mut starts: Vec<&Member> = chosen(&members[side]).collect();
        starts.sort_by(|one, other| other.weight.total_cmp(&one.weight));
        let mut search =
            |start| fielded(&race, start).map(|fielded| race.search(fielded, &self.pools[side], order, next));
        let mut found = search(starts[0])?;
        for start in &starts[1..] {
            if found.stopped || !found.steps.is_empty() {
                break;
            }
            found = search(start)?;
        }
        let level = bonferroni(self.alternation.training.level, 2 * self.alternation.rounds);
        let (gain, _) = race.score(&borrowed(&mix), &found.now, fresh, level).ok_or(TrainError::Left)?;
        let is_better = !found.steps.is_empty() && gain.low > 0.0;
        Ok(Reply { gain, better: is_better.then_some(found.now.policy), stopped: found.stopped })
    }

    /// A race against the other side's mix, and the side's own mix in it.
    fn mixed(&self, side: Side, members: &BySide<Vec<Member>>) -> Result<(Race<'_>, Vec<(f64, Fielded)>), TrainError> {
        let other = |member: &Member| self.opponent(side.other(), member, member.weight);
        let race = self.race(side, chosen(&members[side.other()]).map(other).collect());
        let weighted = |member: &Member| Ok((member.weight, fielded(&race, member)?));
        let mix = chosen(&members[side]).map(weighted).collect::<Result<_, TrainError>>()?;
        Ok((race, mix))
    }

    /// The worth of the first side's mix against the other's.
    fn value(&self, members: &BySide<Vec<Member>>, range: &Range<u64>) -> Result<Estimate, TrainError> {
        let (race, mix) = self.mixed(self.alternation.training.side, members)?;
        Ok(race.worth(&borrowed(&mix), range, self.alternation.training.level))
    }

    /// A doctrine as an opponent of the other side, in this share of the battles.
    fn opponent(&self, side: Side, member: &Member, weight: f64) -> Opponent {
        Opponent { weight, doctrine: Some(member.policy.doctrine(self.from[side].span)) }
    }

    /// The worth of each doctrine of the first side against each of the other's.
    fn table(&self, members: &BySide<Vec<Member>>, range: &Range<u64>) -> Result<Vec<Vec<Estimate>>, TrainError> {
        let first = self.alternation.training.side;
        let entries = members[first].len() * members[first.other()].len();
        let level: Level = bonferroni(self.alternation.training.level, entries);
        let against = |own: &Member, other: &Member| {
            let race = self.race(first, vec![self.opponent(first.other(), other, 1.0)]);
            Ok(race.worth(&[(1.0, &fielded(&race, own)?)], range, level))
        };
        let row = |own: &Member| members[first.other()].iter().map(|other| against(own, other)).collect();
        members[first].iter().map(row).collect()
    }
}

/// A doctrine of a side, ready to fight.
fn fielded(race: &Race<'_>, member: &Member) -> Result<Fielded, TrainError> {
    race.field(&member.policy).ok_or_else(|| TrainError::NotAllowed(member.name.clone()))
}

/// The doctrines in a side's mix.
fn chosen(members: &[Member]) -> impl Iterator<Item = &Member> {
    members.iter().filter(|member| member.weight > 0.0)
}

/// A mix for a race.
fn borrowed(mix: &[(f64, Fielded)]) -> Vec<(f64, &Fielded)> {
    mix.iter().map(|(weight, fielded)| (*weight, fielded)).collect()
}

/// Sets the weight of each doctrine.
fn weigh(members: &mut BySide<Vec<Member>>, first: Side, table: &[Vec<Estimate>]) {
    let points: Vec<Vec<f64>> = table.iter().map(|row| row.iter().map(|worth| worth.point).collect()).collect();
    let Equilibrium { rows, columns, .. } = equilibrium(&points);
    for (side, weights) in [(first, rows), (first.other(), columns)] {
        members[side].iter_mut().zip(weights).for_each(|(member, weight)| member.weight = weight);
    }
}

fn negated(estimate: Estimate) -> Estimate {
    Estimate { point: -estimate.point, low: -estimate.high, high: -estimate.low, ..estimate }
}
