//! The numbers on which a study can depend at all.

use std::collections::BTreeSet;

use grognard_source::Path;

use super::{AskError, Choice, Inquiry, Named};
use crate::coverage::coverage;
use crate::pool::Pool;
use crate::progress::{Progress, Stop};
use crate::study::{Number, Study, Variants};

/// The number of names in the path of a modifier or a result: `roll.shock.modifier.impetus`.
const ROW: usize = 4;

impl Inquiry {
    /// The numbers, without those of unit types that no cell deploys.
    #[must_use]
    pub fn deployed(&self, study: &Study, numbers: &[Number]) -> Vec<Number> {
        let mut kinds = BTreeSet::new();
        for cell in study.chosen(&self.cells).into_iter().map(|cell| &study.cells[cell]) {
            kinds.extend(cell.setup.start.units.iter().map(|unit| cell.rules.kinds[unit.kind].id.clone()));
        }
        numbers.iter().filter(|number| !is_absent(number, &kinds)).cloned().collect()
    }

    /// The numbers at these paths that are in use. A modifier or a result is in use if any battle of the inquiry uses
    /// it.
    ///
    /// # Errors
    /// There is no number at a path; the inquiry was stopped; or the threads cannot be started.
    pub fn choose(
        &self,
        study: &Study,
        variants: &Variants<'_>,
        named: &Named,
        progress: &dyn Progress,
        stop: &Stop,
    ) -> Result<Choice, AskError> {
        let pool = Pool::new(self.threads)?;
        let (numbers, varied) = named.numbers(variants)?;
        let all = numbers.len() + varied;
        let deployed = self.deployed(study, &numbers);
        let absent = numbers.len() - deployed.len();
        let numbers = deployed;
        let cells = study.chosen(&self.cells).into_iter().map(|cell| study.cells[cell].clone()).collect();
        let study = study.with_cells(cells);
        let coverage = pool.install(|| coverage(&study, self.battles, progress, stop)).ok_or(AskError::Stopped)?;
        let rows = || coverage.rows().iter().filter_map(|(row, count)| Some((Path::parse(row).ok()?, count.battles)));
        // A roll may use the modifiers of another: a modifier that is reached in one is reached in all.
        let id = |path: &Path| path.segments().get(2..ROW).map(<[String]>::to_vec);
        let known: BTreeSet<_> = rows().filter_map(|(path, _)| id(&path)).collect();
        let reached: BTreeSet<_> =
            rows().filter(|(_, battles)| *battles > 0).filter_map(|(path, _)| id(&path)).collect();
        let is_unreached = |number: &Number| {
            is_value_of_row(number) && id(&number.path).is_some_and(|id| known.contains(&id) && !reached.contains(&id))
        };
        let (unreached, numbers): (Vec<_>, Vec<_>) = numbers.into_iter().partition(is_unreached);
        Ok(Choice { numbers, all, varied, absent, unreached: unreached.len() })
    }
}

/// Whether a number belongs to a unit type that no side deploys.
fn is_absent(number: &Number, kinds: &BTreeSet<String>) -> bool {
    matches!(number.path.segments(), [unit, kind, _, ..] if unit == "unit" && number.pack.is_some() && !kinds.contains(kind))
}

/// Whether a number is the effect of a modifier or result, not its condition.
fn is_value_of_row(number: &Number) -> bool {
    let segments = number.path.segments();
    let row = segments.len() > ROW && segments[0] == "roll" && ["modifier", "result"].contains(&segments[2].as_str());
    row && segments[ROW] != "when"
}
