//! Local sensitivity: one number at a time, changed by a pip down and up.

use grognard_stats::{bonferroni, holm};
use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};

use super::fought::{Apart, Base, named};
use super::{Choice, Found, Inquiry, LOOK, Moved, Step, Unnamed};
use crate::progress::{Progress, Stop};
use crate::record::kept;
use crate::study::{Change, Number, Study, Variants};

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// A path without a number was named.
    #[error(transparent)]
    Unnamed(#[from] Unnamed),
    /// It was stopped before every number was tried.
    #[error("stopped before every number was tried")]
    Stopped,
    /// The worker threads could not be started.
    #[error("cannot start the worker threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// A number changed by one step, with its battles.
struct Tried {
    value: i64,
    apart: Apart,
}

impl Inquiry {
    /// The maximum number of battles that [`Self::ask`] fights for this many numbers.
    #[must_use]
    pub fn battles_at_most(&self, study: &Study, numbers: usize) -> u64 {
        (2 * numbers as u64 + 1) * self.battles * study.chosen(&self.cells).len() as u64
    }

    /// Changes one number at a time.
    ///
    /// If an inquiry is stopped, its results for the numbers tried are valid; [`Found::untried`] lists the others.
    ///
    /// # Errors
    /// It was stopped before a number was tried, or the threads cannot be started.
    pub fn ask(
        &self,
        study: &Study,
        variants: &Variants<'_>,
        choice: &Choice,
        progress: &dyn Progress,
        stop: &Stop,
    ) -> Result<Found, AskError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        pool.install(|| self.tried(study, variants, choice, progress, stop)).ok_or(AskError::Stopped)
    }

    fn tried(
        &self,
        study: &Study,
        variants: &Variants<'_>,
        choice: &Choice,
        progress: &dyn Progress,
        stop: &Stop,
    ) -> Option<Found> {
        let chosen = study.chosen(&self.cells);
        // Without changes, there is nothing that the rules could refuse.
        let cells = variants.cells(study, &chosen, &[]).ok()?;
        let plain = study.with_cells(cells);
        let base = Base::fight(&plain, self.battles, progress, stop)?;
        let way = |number: &Number, pips: i64| -> Option<Option<Tried>> {
            let value = number.value.saturating_add(pips.saturating_mul(number.pip));
            let Ok(cells) = variants.cells(study, &chosen, &[Change { number, value }]) else {
                progress.advance(self.battles * chosen.len() as u64);
                return Some(None);
            };
            let changed = study.with_cells(cells);
            let follow = || base.follow(&changed, &self.quantity, progress, stop);
            let apart = kept(progress, || named(&[Change { number, value }]), follow)?;
            Some(Some(Tried { value, apart }))
        };
        let both = |number: &Number| Some([way(number, -self.pips)?, way(number, self.pips)?]);
        let all: Vec<Option<[Option<Tried>; 2]>> = choice.numbers.par_iter().map(both).collect();
        let (mut numbers, mut tried, mut untried) = (Vec::new(), Vec::new(), Vec::new());
        for (number, ways) in choice.numbers.iter().zip(all) {
            match ways {
                Some(ways) => {
                    numbers.push(number.clone());
                    tried.push(ways);
                }
                None => untried.push(number.clone()),
            }
        }
        if tried.is_empty() && !untried.is_empty() {
            return None;
        }
        let found = self.found(variants, &plain, &numbers, &tried, (&base, untried.len()));
        Some(Found { untried, ..found })
    }

    fn found(
        &self,
        variants: &Variants<'_>,
        plain: &Study,
        numbers: &[Number],
        tried: &[[Option<Tried>; 2]],
        (base, untried): (&Base, usize),
    ) -> Found {
        let ways = || tried.iter().flatten().flatten();
        // Numbers that were not tried count too, because whether they are tried depends on when the inquiry was
        // stopped.
        let (changes, cells) = (ways().count() + 2 * untried, plain.cells.len());
        let (corrected, of_cells) = (bonferroni(self.level, changes), bonferroni(self.level, changes * cells));
        let scale = base.scale(&self.quantity);
        let p_values: Vec<f64> = ways().map(|tried| scale.p_value(&tried.apart.together)).collect();
        let mut p_values = p_values.iter().copied().zip(holm(&p_values));
        let mut step = |number: &Number, tried: &Tried| {
            let (p, corrected_p) = p_values.next().unwrap_or((1.0, 1.0));
            Step {
                value: tried.value,
                set: variants.setting(Change { number, value: tried.value }),
                otherwise: tried.apart.otherwise,
                battles: tried.apart.battles,
                effect: scale.change(&tried.apart.together, self.level),
                together: scale.change(&tried.apart.together, corrected),
                p,
                corrected_p,
                cells: base.changes(&tried.apart, &self.quantity, of_cells),
            }
        };
        let rows: Vec<Moved> = numbers
            .iter()
            .zip(tried)
            .map(|(number, tried)| {
                let steps = tried.each_ref().map(|way| way.as_ref().map(|tried| step(number, tried)));
                Moved { number: number.clone(), steps }
            })
            .collect();
        let is_still = |moved: &Moved| moved.steps.iter().flatten().all(|step| step.otherwise == 0);
        let (fixed, rows): (Vec<Moved>, Vec<Moved>) =
            rows.into_iter().partition(|moved| moved.steps.iter().all(Option::is_none));
        let (still, mut moved): (Vec<Moved>, Vec<Moved>) = rows.into_iter().partition(is_still);
        moved.sort_by(|one, other| other.size().total_cmp(&one.size()));
        Found {
            cells: plain.cells.iter().map(|cell| cell.header.clone()).collect(),
            battles: self.battles,
            looked: LOOK.min(self.battles),
            base: base.mean(&self.quantity, self.level),
            level: self.level,
            corrected,
            moved,
            still: still.len(),
            fixed: fixed.into_iter().map(|moved| moved.number).collect(),
            changes,
            fought: (self.battles + ways().map(|tried| tried.apart.battles).sum::<u64>()) * cells as u64,
            untried: Vec::new(),
        }
    }
}
