//! Races of candidates: the same dice for all, and more battles for the leaders.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use grognard_engine::{BySide, Side};
use grognard_source::{Span, Table};
use grognard_stats::{Estimate, Level, Sums, bonferroni, mean, mean_exact};
use rayon::prelude::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefIterator, IntoParallelRefMutIterator,
    ParallelIterator,
};

use super::Training;
use super::policy::{Candidate, Policy};
use crate::memoised_cells::MemoisedCells;
use crate::progress::{Progress, Stop};
use crate::record::{Known, What, is_open, kept, known, note};
use crate::results::sha256;
use crate::runner::Fighter;
use crate::study::{Study, Variants};
use crate::tally::Histogram;

/// The number of candidates in a race.
pub(super) const FIELD: usize = 256;
/// The number of candidates that remain for each look after the first.
const LEFT: [usize; 4] = [64, 16, 4, 2];
/// The number of rejected candidates that are remembered for the next race.
const REMEMBERED: usize = 16;
/// The first look at which a candidate may win early; its gain must then be certain among a whole field of candidates.
const EARLY: usize = 2;
/// The minimum number of battles in a cell at the first look.
const FEWEST: u64 = 16;
/// The number of battles in a cell that are recorded together, as a multiple of those at the first look. Several
/// processes can share the battles even if few candidates are left.
const BATCH: u64 = 4;

/// A doctrine that the other side follows in a share of the battles.
#[derive(Clone, Debug)]
pub(super) struct Opponent {
    /// That share, in 0..=1.
    pub(super) weight: f64,
    /// The doctrine, as [`Policy::doctrine`] gives it; `None` for the study's own.
    pub(super) doctrine: Option<Table>,
}

/// The setting in which candidates race.
pub(super) struct Race<'a> {
    pub(super) training: &'a Training,
    pub(super) study: &'a Study,
    pub(super) variants: &'a Variants<'a>,
    pub(super) chosen: Vec<usize>,
    /// The side that is trained.
    pub(super) side: Side,
    /// The location of its doctrine.
    pub(super) span: Span,
    /// 1 if it wants the quantity high, −1 if it wants it low.
    pub(super) sign: i32,
    /// The opponents.
    pub(super) against: Vec<Opponent>,
    pub(super) progress: &'a dyn Progress,
    pub(super) stop: &'a Stop,
    /// The number of battles fought, including recorded ones.
    pub(super) fought: &'a AtomicU64,
}

/// A policy in the cells of the study.
pub(super) struct Fielded {
    pub(super) policy: Policy,
    /// The chosen cells, against each opponent.
    studies: Vec<Study>,
}

/// A candidate that has won its race.
pub(super) struct Won {
    pub(super) fielded: Fielded,
    /// The change, in words.
    pub(super) says: String,
    /// Its gain in the race.
    pub(super) gain: Estimate,
    /// The changes of the runners-up that also gained something, best first.
    pub(super) others: Vec<String>,
}

/// A candidate in a race.
struct Runner<'c> {
    candidate: &'c Candidate,
    /// The cells, ready to fight; `None` until it has fought.
    fielded: Option<Fielded>,
    /// Its gain so far.
    sums: Sums,
}

impl<'c> Runner<'c> {
    fn new(candidate: &'c Candidate) -> Self {
        Self { candidate, fielded: None, sums: Sums::default() }
    }
}

/// The name of a batch of battles, and its known result: the gain, or `None` if the rules do not allow the policy.
type LookedUp = (What, Known<Option<NotedSums>>);

/// A mix of policies, each used for a given share of the battles.
pub(super) type Mixture<'f> = [(f64, &'f Fielded)];

/// A mixture ready to fight: each policy's cells against each opponent.
type Armies<'f> = Vec<(f64, Vec<MemoisedCells<'f>>)>;

fn armies<'f>(who: &Mixture<'f>) -> Armies<'f> {
    who.iter().map(|(weight, fielded)| (*weight, fielded.studies.iter().map(MemoisedCells::new).collect())).collect()
}

impl Race<'_> {
    /// A policy, ready to fight; `None` if the rules do not allow it.
    pub(super) fn field(&self, policy: &Policy) -> Option<Fielded> {
        let doctrine = policy.doctrine(self.span);
        let against = |opponent: &Opponent| {
            let mut doctrines = BySide::new(None, None);
            doctrines[self.side] = Some(&doctrine);
            doctrines[self.side.other()] = opponent.doctrine.as_ref();
            let cells = self.variants.cells_with_doctrines(self.study, &self.chosen, &doctrines).ok()?;
            Some(self.study.with_cells(cells))
        };
        let studies = self.against.iter().map(against).collect::<Option<Vec<Study>>>()?;
        Some(Fielded { policy: policy.clone(), studies })
    }

    /// The policy in the study's own cells, if the opponents are also those of the study.
    pub(super) fn as_it_is(&self, policy: Policy) -> Fielded {
        let cells: Vec<_> = self.chosen.iter().map(|&cell| self.study.cells[cell].clone()).collect();
        let study = self.study.with_cells(cells);
        Fielded { policy, studies: vec![study; self.against.len()] }
    }

    /// Battles in a cell at the first look.
    fn first_look(&self) -> u64 {
        let cells = self.chosen.len() as u64;
        self.study.whole_rounds(self.training.look.div_ceil(cells).max(FEWEST))
    }

    /// The number of battles in a cell at the last look.
    fn last_look(&self) -> u64 {
        self.first_look() << (2 * LEFT.len())
    }

    /// The best of several changes, with its gain over the current policy; `None` if none certainly gains anything.
    /// Uses the dice from `next` on, and advances it. `first` is the number of looks to skip, for candidates that have
    /// already been examined.
    pub(super) fn best_of(&self, now: &Fielded, candidates: &[Candidate], first: usize, next: &mut u64) -> Option<Won> {
        let mut field: Vec<Runner<'_>> = candidates.iter().map(Runner::new).collect();
        let early = bonferroni(self.training.each, FIELD);
        for look in first..=LEFT.len() {
            let battles = self.first_look() << (2 * look);
            let range = *next..*next + battles;
            *next = range.end;
            if self.stop.is_raised() {
                return None;
            }
            let gains = self.gains(now, &mut field, &range);
            if is_open(self.progress) {
                return None;
            }
            for (runner, gain) in field.iter_mut().zip(gains) {
                // A policy that the rules do not allow gains nothing.
                runner.sums = gain.map_or_else(Sums::default, |gain| sum(runner.sums, gain));
            }
            field.retain(|runner| runner.sums.sum > 0);
            // The highest gain first; of several with the same gain, the shortest; of several equally short, the first.
            field.sort_by_cached_key(|runner| {
                (std::cmp::Reverse(runner.sums.sum), self.written(&runner.candidate.policy).len())
            });
            let others = |field: &[Runner<'_>]| -> Vec<String> {
                field.iter().skip(1).take(REMEMBERED).map(|runner| runner.candidate.says.clone()).collect()
            };
            let leads = |level: Level| Some(self.estimate(field.first()?.sums, level)).filter(|gain| gain.low > 0.0);
            let last = look == LEFT.len();
            let gain = if last { leads(self.training.each) } else { leads(early).filter(|_| look >= EARLY) };
            if let Some(gain) = gain {
                let others = others(&field);
                let Runner { candidate, fielded, .. } = field.swap_remove(0);
                let fielded = fielded.or_else(|| self.field(&candidate.policy))?;
                return Some(Won { fielded, says: candidate.says.clone(), gain, others });
            }
            field.truncate(LEFT.get(look).copied().unwrap_or(0));
        }
        None
    }

    /// The change, ready to fight, if it loses at most `within` of the metric compared with the current policy.
    pub(super) fn if_as_good(&self, now: &Fielded, other: &Candidate, within: f64, next: &mut u64) -> Option<Fielded> {
        let fielded = self.field(&other.policy)?;
        let range = *next..*next + self.last_look();
        *next = range.end;
        let mut alone = [Runner { fielded: Some(fielded), ..Runner::new(other) }];
        let sums = self.gains(now, &mut alone, &range).pop().flatten()?;
        let is_as_good = (sums.sum == 0 && sums.squares == 0) || self.estimate(sums, self.training.each).low >= -within;
        let [Runner { fielded, .. }] = alone;
        fielded.filter(|_| is_as_good)
    }

    /// The gain of a policy over others in these battles, whose dice the search has not used: over all cells together,
    /// then in each. `None` if battles are left to other processes.
    pub(super) fn score(
        &self,
        before: &Mixture<'_>,
        after: &Fielded,
        range: &Range<u64>,
        level: Level,
    ) -> Option<(Estimate, Vec<Estimate>)> {
        self.count(range, 2);
        let policies = self.named(&self.those(before), &after.policy);
        let [was, is] = [armies(before), armies(&[(1.0, after)])];
        let fight = |batch: &Range<u64>| {
            let was = self.in_each_cell(&was, range, batch);
            let by_cell = differences(self.in_each_cell(&is, range, batch), &was);
            let each: Vec<Histogram> = by_cell.iter().map(|gains| counted(gains)).collect();
            (counted(&together(by_cell)), each)
        };
        let fought = |batch: &Range<u64>| kept(self.progress, || what(&policies, range, batch), || Some(fight(batch)));
        let batches: Vec<Option<(Histogram, Vec<Histogram>)>> = self.batches(range).par_iter().map(fought).collect();
        // All batches are requested first, so that the record learns of every missing one.
        let batches = batches.into_iter().collect::<Option<Vec<_>>>()?;
        let mut all = Histogram::default();
        let mut each = vec![Histogram::default(); self.chosen.len()];
        for (together, by_cell) in batches {
            all.merge(&together);
            each.iter_mut().zip(&by_cell).for_each(|(gains, cell)| gains.merge(cell));
        }
        let gain = |gains: &Histogram, cells: usize| {
            let most = self.most(cells);
            self.in_a_battle(mean_exact(gains.iter(), &(-most..=most), level), cells)
        };
        let each = each.iter().map(|gains| gain(gains, 1)).collect();
        Some((gain(&all, self.chosen.len()), each))
    }

    /// The worth of a battle to the side if it follows these policies: the mean over the cells.
    pub(super) fn worth(&self, who: &Mixture<'_>, range: &Range<u64>, level: Level) -> Estimate {
        self.count(range, 1);
        let by_cell = self.in_each_cell(&armies(who), range, range);
        let cells = self.chosen.len();
        let most = self.most(cells);
        let range = if self.sign > 0 { 0..=most } else { -most..=0 };
        self.in_a_battle(mean_exact(counted(&together(by_cell)).iter(), &range, level), cells)
    }

    /// These battles in batches, each recorded separately.
    fn batches(&self, range: &Range<u64>) -> Vec<Range<u64>> {
        let size = BATCH * self.first_look();
        range.clone().step_by(size as usize).map(|begin| begin..range.end.min(begin + size)).collect()
    }

    /// The gain of each candidate over a policy in these battles of all cells; `None` for those that the rules do not
    /// allow, and for those left to other processes. The results of the policy itself are computed once for all
    /// candidates, and only if they are needed.
    fn gains(&self, before: &Fielded, field: &mut [Runner<'_>], range: &Range<u64>) -> Vec<Option<Sums>> {
        let batches = self.batches(range);
        let those = self.those(&[(1.0, before)]);
        let look_up = |runner: &Runner<'_>| -> Vec<LookedUp> {
            let policies = self.named(&those, &runner.candidate.policy);
            let look_up = |batch| {
                let what = what(&policies, range, batch);
                let known = known(self.progress, &what);
                (what, known)
            };
            batches.iter().map(look_up).collect()
        };
        let looked_up: Vec<Vec<LookedUp>> = field.par_iter().map(look_up).collect();
        if !field.is_empty() {
            self.count(range, 1);
        }
        let present = armies(&[(1.0, before)]);
        let own = |(nth, batch): (usize, &Range<u64>)| {
            let is_fought = looked_up.iter().any(|batches| matches!(batches[nth].1, Known::Not));
            if is_fought { self.in_each_cell(&present, range, batch) } else { Vec::new() }
        };
        let own: Vec<Vec<Vec<i32>>> = batches.par_iter().enumerate().map(own).collect();
        let gain = |(runner, looked_up): (&mut Runner<'_>, Vec<LookedUp>)| {
            if looked_up.iter().any(|(_, known)| matches!(known, Known::Not)) {
                runner.fielded = runner.fielded.take().or_else(|| self.field(&runner.candidate.policy));
            }
            let changed = runner.fielded.as_ref().map(|fielded| armies(&[(1.0, fielded)]));
            let gain = |((what, known), (batch, own)): (LookedUp, (&Range<u64>, &Vec<Vec<i32>>))| match known {
                Known::Left => None,
                Known::Is(gain) => gain,
                Known::Not => {
                    let gain = changed.as_ref().map(|changed| {
                        let after = self.in_each_cell(changed, range, batch);
                        noted(sums_of(&together(differences(after, own))))
                    });
                    note(self.progress, &what, &gain);
                    gain
                }
            };
            let with_own = batches.par_iter().zip(&own);
            let gains: Vec<Option<NotedSums>> = looked_up.into_par_iter().zip(with_own).map(gain).collect();
            let gains = gains.into_iter().map(|gain| gain.map(of_noted)).collect::<Option<Vec<Sums>>>()?;
            self.count(range, 1);
            Some(gains.into_iter().fold(Sums::default(), sum))
        };
        field.par_iter_mut().zip(looked_up).map(gain).collect()
    }

    /// A text that identifies policies and their opponents, for naming their battles.
    fn those(&self, who: &Mixture<'_>) -> String {
        let who = who.iter().map(|(weight, fielded)| (*weight, self.written(&fielded.policy)));
        let against =
            |other: &Opponent| (other.weight, other.doctrine.as_ref().map_or_else(String::new, Table::to_string));
        let named = who.chain(self.against.iter().map(against));
        named.map(|(weight, doctrine)| format!("{weight} {doctrine}\n")).collect()
    }

    /// A short name of a policy in comparison with others.
    fn named(&self, those: &str, policy: &Policy) -> String {
        sha256(format!("{}\n{those}", self.written(policy)).as_bytes())
    }

    fn written(&self, policy: &Policy) -> String {
        policy.doctrine(self.span).to_string()
    }

    /// The worth to the side of each cell's battles in `batch`, a part of a mixture's battles: in order, or by rounds
    /// if the study is fought both ways.
    fn in_each_cell(&self, who: &Armies<'_>, all: &Range<u64>, batch: &Range<u64>) -> Vec<Vec<i32>> {
        (0..self.chosen.len()).into_par_iter().map(|cell| self.values(who, cell as u32, all, batch)).collect()
    }

    /// The worth of a cell's battles to the side. Every opponent gets a share of all battles, and every policy a share
    /// of each opponent's.
    fn values(&self, who: &Armies<'_>, cell: u32, all: &Range<u64>, batch: &Range<u64>) -> Vec<i32> {
        let round = self.study.round();
        let mut values = Vec::new();
        let opponents: Vec<f64> = self.against.iter().map(|other| other.weight).collect();
        let policies: Vec<f64> = who.iter().map(|(weight, _)| *weight).collect();
        for (opponent, part) in parts(all, &opponents, round as u64).into_iter().enumerate() {
            for ((_, armies), part) in who.iter().zip(parts(&part, &policies, round as u64)) {
                let part = part.start.max(batch.start)..part.end.min(batch.end);
                if part.is_empty() {
                    continue;
                }
                let battles = part.end - part.start;
                let fought = armies[opponent].fight(cell, part);
                self.progress.advance(battles);
                let value = |outcome| self.sign * self.training.quantity.in_battle(outcome);
                values.extend(fought.chunks(round).map(|round| round.iter().map(value).sum::<i32>()));
            }
        }
        values
    }

    /// Counts the battles of this many policies.
    fn count(&self, range: &Range<u64>, policies: u64) {
        let battles = policies * self.chosen.len() as u64 * (range.end - range.start);
        self.fought.fetch_add(battles, Ordering::Relaxed);
    }

    /// A candidate's gain, used to choose: Student's interval, without a guarantee.
    fn estimate(&self, sums: Sums, level: Level) -> Estimate {
        let cells = self.chosen.len();
        let most = i64::from(self.most(cells));
        self.in_a_battle(mean(sums, -most..=most, level), cells)
    }

    /// The maximum of an observation of this many cells.
    fn most(&self, cells: usize) -> i32 {
        let rounds = (cells * self.study.round()) as i64;
        i32::try_from(self.training.quantity.most.saturating_mul(rounds)).unwrap_or(i32::MAX)
    }

    /// The mean per battle, from the mean of sums over this many cells.
    fn in_a_battle(&self, all: Estimate, cells: usize) -> Estimate {
        let by = (cells * self.study.round()) as f64 * f64::from(self.training.quantity.per);
        Estimate { point: all.point / by, low: all.low / by, high: all.high / by, ..all }
    }
}

/// The name of a batch of these battles of policies. It begins with the battles: in this order, the battles of the
/// previous policy are fought only once for all its neighbours.
fn what(policies: &str, range: &Range<u64>, batch: &Range<u64>) -> What {
    What::from(format!("{batch:?} of {range:?} {policies}"))
}

/// The differences between the results after and before a change, cell by cell and battle by battle.
fn differences(after: Vec<Vec<i32>>, before: &[Vec<i32>]) -> Vec<Vec<i32>> {
    let less = |(after, before): (Vec<i32>, &Vec<i32>)| {
        after.into_iter().zip(before).map(|(one, other)| one - other).collect()
    };
    after.into_iter().zip(before).map(less).collect()
}

/// Sums over cells, for each battle.
fn together(by_cell: Vec<Vec<i32>>) -> Vec<i32> {
    let add = |mut sums: Vec<i32>, cell: Vec<i32>| {
        sums.iter_mut().zip(cell).for_each(|(sum, value)| *sum += value);
        sums
    };
    by_cell.into_iter().reduce(add).unwrap_or_default()
}

fn sums_of(values: &[i32]) -> Sums {
    Sums::of(values.iter().map(|&value| (value, 1)))
}

fn counted(values: &[i32]) -> Histogram {
    values.iter().map(|&value| (value, 1)).collect()
}

/// Sums as stored in the record: numbers too large for JSON become strings.
type NotedSums = (u64, String, String);

fn noted(sums: Sums) -> NotedSums {
    (sums.runs, sums.sum.to_string(), sums.squares.to_string())
}

fn of_noted((runs, sum, squares): NotedSums) -> Sums {
    Sums { runs, sum: sum.parse().unwrap_or_default(), squares: squares.parse().unwrap_or_default() }
}

fn sum(one: Sums, other: Sums) -> Sums {
    Sums { runs: one.runs + other.runs, sum: one.sum + other.sum, squares: one.squares + other.squares }
}

/// Battles divided into successive parts with these weights, in whole rounds.
fn parts(range: &Range<u64>, weights: &[f64], round: u64) -> Vec<Range<u64>> {
    let rounds = (range.end - range.start) / round;
    let all: f64 = weights.iter().sum();
    let (mut begin, mut sum) = (range.start, 0.0);
    let part = |(place, weight): (usize, &f64)| {
        sum += weight;
        let end = match place + 1 == weights.len() {
            true => range.end,
            false => range.start + (rounds as f64 * sum / all).round() as u64 * round,
        };
        let part = begin..end;
        begin = end;
        part
    };
    weights.iter().enumerate().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn battles_fall_into_parts_of_whole_rounds() {
        assert_eq!(parts(&(100..200), &[0.25, 0.75], 1), [100..125, 125..200]);
        assert_eq!(parts(&(0..20), &[0.3, 0.0, 0.7], 4), [0..8, 8..8, 8..20]);
    }
}
