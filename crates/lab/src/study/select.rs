//! Selects cells by their values at varied paths.

use grognard_source::{Diagnostic, Diagnostics, Node, Override, Path, Span};

use super::Study;
use super::expand::shown;
use crate::results::CellHeader;

/// A value that a cell should have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted<'a> {
    pub(super) path: &'a Path,
    /// The location of the path.
    pub(super) span: Span,
    pub(super) node: &'a Node,
}

impl Study {
    /// The indices of the cells that have these values at varied paths; all cells if none are given.
    ///
    /// # Errors
    /// The study does not vary a path, no cell has a value there, or no cell has the combination of values.
    pub fn cells_with(&self, values: &[Override]) -> Result<Vec<usize>, Diagnostics> {
        let mut faults = Diagnostics::new();
        let headers: Vec<&CellHeader> = self.cells.iter().map(|cell| &cell.header).collect();
        let wanted = values.iter().map(|value| Wanted { path: &value.path, span: value.path_span, node: &value.node });
        let found = with_values(wanted, &headers, &mut faults);
        let found = faults.into_result(found.unwrap_or_default())?;
        match (found.is_empty(), values.last()) {
            (true, Some(last)) => {
                let fault = Diagnostic::new("no cell has all of these values").at(last.path_span);
                Err(fault.help("name fewer of them").into())
            }
            _ => Ok(found.into_iter().map(|cell| cell as usize).collect()),
        }
    }
}

/// The numbers of the cells that have all of these values; `None` if a path or a value does not exist at all, which is
/// then added to `faults`.
pub(super) fn with_values<'a>(
    wanted: impl Iterator<Item = Wanted<'a>>,
    cells: &[&CellHeader],
    faults: &mut Diagnostics,
) -> Option<Vec<u32>> {
    let known = faults.len();
    let mut values = Vec::new();
    for Wanted { path, span, node } in wanted {
        let (path, value) = (path.to_string(), shown(&node.value));
        let all = || cells.iter().flat_map(|cell| &cell.vary);
        let mut taken: Vec<&str> = Vec::new();
        for setting in all().filter(|setting| setting.path == path) {
            if !taken.contains(&setting.value.text.as_str()) {
                taken.push(&setting.value.text);
            }
        }
        if taken.is_empty() {
            let mut paths: Vec<&str> = all().map(|setting| setting.path.as_str()).collect();
            paths.sort_unstable();
            paths.dedup();
            faults.push(Diagnostic::unknown("varied path", &path, paths).at(span));
        } else if !taken.iter().any(|known| is_same(known, &value.text)) {
            let fault = Diagnostic::new(format!("`{path}` is never {}", node.value)).at(node.span);
            faults.push(fault.help(format!("its values are {}", taken.join(", "))));
        }
        values.push((path, value.text));
    }
    if faults.len() > known {
        return None;
    }
    let has = |cell: &CellHeader, (path, text): &(String, String)| {
        cell.vary.iter().any(|setting| setting.path == *path && is_same(&setting.value.text, text))
    };
    let cells = cells.iter().filter(|cell| values.iter().all(|value| has(cell, value)));
    Some(cells.map(|cell| cell.cell).collect())
}

/// Whether two values are the same, with 2 and 2.0 equal.
fn is_same(one: &str, other: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok();
    one == other || number(one).is_some_and(|one| number(other) == Some(one))
}
