//! A study with more cells: more values at some paths.

use grognard_source::{Diagnostic, Diagnostics, Override};

use super::axes::CELLS_MAX;
use super::expand::{CellPlan, shown};
use super::names::Entry;
use super::{Cell, Study, Variants};
use crate::results::{CellHeader, Setting, Varied};

impl Study {
    /// The chosen cells with every combination of these values: one list for each path. The pack's metrics are not
    /// counted in their battles.
    ///
    /// # Errors
    ///
    /// A path does not exist or is varied by the study itself, the rules or the deployment do not allow a value, or
    /// there are too many cells.
    pub fn widened(
        &self,
        variants: &Variants<'_>,
        cells: &[usize],
        axes: &[Vec<Override>],
    ) -> Result<Self, Diagnostics> {
        let firsts: Vec<&Override> = axes.iter().filter_map(|axis| axis.first()).collect();
        for (at, value) in firsts.iter().enumerate() {
            if firsts[..at].iter().any(|other| other.path == value.path) {
                let fault = Diagnostic::new(format!("`{}` is named twice", value.path)).at(value.path_span);
                return Err(fault.help("name all of its values in one list").into());
            }
            if variants.varies(&value.path) {
                let fault = Diagnostic::new(format!("the study varies `{}` itself", value.path)).at(value.path_span);
                return Err(fault.help("name the path without values").into());
            }
        }
        let chosen = self.chosen(cells);
        let count = axes.iter().try_fold(chosen.len(), |count, axis| count.checked_mul(axis.len()));
        if count.is_none_or(|count| count > CELLS_MAX) {
            return Err(Diagnostic::new(format!("this makes more than {CELLS_MAX} cells"))
                .help("use fewer values")
                .into());
        }
        let mut vary = self.vary.clone();
        for axis in axes {
            let Some(first) = axis.first() else { continue };
            let values = axis.iter().map(|value| shown(&value.node.value)).collect();
            vary.push(Varied { path: first.path.to_string(), values });
        }
        let mut made: Vec<Cell> = Vec::new();
        for nth in 0..axes.iter().map(Vec::len).product() {
            let combination = combination(axes, nth);
            made.extend(
                variants.cells_with(self, &chosen, &combination)?.into_iter().map(|cell| named(cell, &combination)),
            );
        }
        for (at, cell) in made.iter_mut().enumerate() {
            (cell.header.cell, cell.header.baseline) = (at as u32, None);
        }
        Ok(Self { vary, cells: made, targets: Vec::new(), ..self.clone() })
    }
}

/// Combination number `nth` of one value of each axis, the last axis varying fastest.
fn combination(axes: &[Vec<Override>], nth: usize) -> Vec<&Override> {
    let mut rest = nth;
    let mut values: Vec<&Override> = axes
        .iter()
        .rev()
        .map(|axis| {
            let value = &axis[rest % axis.len()];
            rest /= axis.len();
            value
        })
        .collect();
    values.reverse();
    values
}

/// The cell with these values among those that distinguish it.
fn named(cell: Cell, values: &[&Override]) -> Cell {
    let settings = values.iter().map(|value| Setting { path: value.path.to_string(), value: shown(&value.node.value) });
    let vary: Vec<Setting> = cell.header.vary.iter().cloned().chain(settings).collect();
    let label = vary.iter().map(|setting| setting.value.text.as_str()).collect::<Vec<_>>().join(", ");
    Cell { header: CellHeader { vary, label, ..cell.header.clone() }, ..cell }
}

impl Variants<'_> {
    /// The chosen cells of `study`, by index, with these values.
    fn cells_with(&self, study: &Study, chosen: &[usize], values: &[&Override]) -> Result<Vec<Cell>, Diagnostics> {
        let entry =
            |value: &&Override| Entry { path: value.path.clone(), span: value.path_span, node: value.node.clone() };
        self.cells_of(study, chosen, |part, plans| {
            let more = |plan: &&CellPlan| {
                let mut plan = CellPlan::clone(plan);
                plan.settings.extend(values.iter().map(entry));
                plan
            };
            let (built, _) = part.ground.build(&plans.iter().map(more).collect::<Vec<_>>(), |_| ())?;
            Ok(Some(built))
        })
    }
}
