//! Sequential tests: two cells, or two variants of the rules, fight until it is clear which is better for a side.
//!
//! Both fight battles with the same dice, pair by pair. The difference of scores (a win is one, a draw a half) is
//! tested as battles are added, at fixed scheduled checks, by evidence that is valid at any stopping time: see
//! [`grognard_stats::decide`]. So the answer is the same for any number of threads, and its error rate is as stated.

use std::ops::RangeInclusive;

use grognard_stats::{Decision, Evidence, Intervals, Level, decide, evidence};

use crate::clock::Stopwatch;
use crate::memoised_cells::MemoisedCells;
use crate::progress::{Progress, Stop};
use crate::results::Ending;
use crate::runner::{Discard, Keep, RunError, RunOptions, Tallied, run};
use crate::study::Study;
use crate::tally::{CellTally, PairedTally, Verdict};

/// Differences of scores, in half points.
const SCORES: RangeInclusive<i32> = -2..=2;

/// A test of two cells.
#[derive(Clone, Debug)]
pub struct SequentialTest {
    /// A study of only the two cells, the second compared with the first.
    study: Study,
    /// The confidence level.
    pub level: Level,
    /// Worker threads; 0 means one for each core.
    pub threads: usize,
}

/// The result of a test.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The battles of each cell.
    pub tallies: [CellTally; 2],
    /// Pairs of battles fought.
    pub pairs: u64,
    /// Why no more battles were fought.
    pub ending: Ending,
    /// The first side's score in the second cell minus that in the first, in half points: from −2 to 2.
    pub decision: Decision,
    /// Wall time, in seconds.
    pub elapsed_s: f64,
}

/// A test that could not be fought.
pub type SequentialTestError = RunError<std::convert::Infallible>;

impl SequentialTest {
    /// A test between cells of two studies with the same sides and seed, or of one study; `None` if a cell does not
    /// exist.
    ///
    /// Seed, runs and names are those of the first study.
    #[must_use]
    pub fn between(first: (&Study, u32), second: (&Study, u32), level: Level, threads: usize) -> Option<Self> {
        let mut cells = Vec::new();
        for (place, (study, cell)) in (0..).zip([first, second]) {
            let mut cell = study.cells.get(cell as usize)?.clone();
            cell.header.cell = place;
            cell.header.baseline = Some(0);
            // Each pair of battles must be separate evidence, which the two battles of a round are not.
            cell.swapped = None;
            cells.push(cell);
        }
        Some(Self { study: Study { cells, ..first.0.clone() }, level, threads })
    }

    /// The maximum number of pairs of battles.
    #[must_use]
    pub fn pairs_max(&self) -> u64 {
        self.study.runs
    }

    /// Fights until it is clear which cell is better for a side, all battles are fought or `stop` is raised.
    ///
    /// # Errors
    /// The threads cannot be started.
    pub fn fight(&self, progress: &dyn Progress, stop: &Stop) -> Result<Answer, SequentialTestError> {
        let started = Stopwatch::start();
        let baselines = self.study.baselines();
        let options = RunOptions {
            baselines: baselines.clone(),
            battles: 0..self.study.runs,
            precision: None,
            decide: true,
            intervals: Intervals::at(self.level),
            both_ways: false,
            luck: false,
            histograms: Vec::new(),
            keep: Keep::None,
            threads: self.threads,
        };
        let mut tallied = Tallied::new(0, &baselines);
        let ending = run(&options, &MemoisedCells::new(&self.study), &mut tallied, &mut Discard, progress, stop)?;
        let paired = tallied.cells.get(1).and_then(|cell| cell.paired.clone()).unwrap_or_default();
        let mut cells = tallied.cells.into_iter();
        let tallies = [cells.next().unwrap_or_default(), cells.next().unwrap_or_default()];
        Ok(Answer {
            tallies,
            pairs: tallied.battles,
            ending,
            decision: decide(scores(&paired), &SCORES, self.level),
            elapsed_s: started.elapsed().as_secs_f64(),
        })
    }
}

/// The evidence of pairs against either cell being the better one.
pub(crate) fn evidence_of(pairs: &PairedTally) -> Evidence {
    evidence(scores(pairs), &SCORES, 0.0)
}

/// Differences of the first side's scores, in half points, with the count of each.
fn scores(pairs: &PairedTally) -> impl Iterator<Item = (i32, u64)> + Clone + '_ {
    let score = |verdict: Verdict| match verdict {
        Verdict::First => 2,
        Verdict::Draw => 1,
        _ => 0,
    };
    Verdict::ALL.into_iter().flat_map(move |own| {
        Verdict::ALL.into_iter().map(move |base| (score(own) - score(base), pairs.joint[own.index()][base.index()]))
    })
}

#[cfg(test)]
mod tests {
    use grognard_source::Sources;

    use super::*;
    use crate::progress::Silent;
    use crate::study::Changes;

    /// A study of Risk: armies of five figures against three, four and five.
    fn duel(runs: u64) -> Study {
        let mut sources = Sources::new();
        let text = "study = 'duel'\npack = 'risk'\nturns = 200\n[vary]\ndefender.0.figures = [3, 4, 5]\n\
            [side.attacker]\nunits = [{ type = 'army', figures = 5 }]\n[side.defender]\nunits = [{ type = 'army', figures = 3 }]\n";
        let file = sources.add("study.toml", text);
        Study::read(file, None, &Changes { runs: Some(runs), ..Changes::default() }, &mut sources).unwrap()
    }

    fn fight(runs: u64, cells: (u32, u32), threads: usize) -> Answer {
        let study = duel(runs);
        let test = SequentialTest::between((&study, cells.0), (&study, cells.1), Level::P95, threads).unwrap();
        test.fight(&Silent, &Stop::new()).unwrap()
    }

    #[test]
    fn what_is_clear_is_decided_early_whatever_the_threads() {
        // Osborne's table: the attacker wins .769 against three and .506 against five.
        let answers = [1, 2, 5].map(|threads| fight(1_000_000, (0, 2), threads));
        for answer in &answers {
            assert_eq!((answer.ending, answer.pairs), (Ending::Decided, 4_096));
            assert!(answer.decision.decided && answer.decision.difference.high < 0.0, "{answer:?}");
            assert!(answer.decision.difference.holds(2.0 * (0.506 - 0.769)), "{answer:?}");
            assert_eq!(answer.tallies, answers[0].tallies);
        }
        let other = fight(1_000_000, (2, 0), 2).decision.difference;
        assert!((other.point + answers[0].decision.difference.point).abs() < 1e-12);
    }

    #[test]
    fn a_cell_is_no_better_than_itself() {
        let same = fight(30_000, (1, 1), 2);
        assert_eq!((same.ending, same.pairs), (Ending::AllRuns, 30_000));
        assert!(!same.decision.decided && same.decision.difference.point == 0.0, "{same:?}");
        assert_eq!(same.tallies[0].outcomes, same.tallies[1].outcomes);
    }

    #[test]
    fn a_test_needs_two_cells() {
        let study = duel(1);
        assert!(SequentialTest::between((&study, 0), (&study, 3), Level::P95, 1).is_none());
        let one = SequentialTest::between((&study, 0), (&study, 1), Level::P95, 1).unwrap();
        let answer = one.fight(&Silent, &Stop::new()).unwrap();
        assert_eq!((answer.pairs, answer.decision.decided), (1, false));
    }
}
