//! The cells of each pair of choices.

use grognard_engine::Setup;

use crate::results::{CellHeader, Setting};
use crate::study::{Cell, Study};

/// Choices of the first side against choices of the second.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Grid {
    /// The paths by which the rows differ.
    pub row_paths: Vec<String>,
    /// The paths by which the columns differ.
    pub column_paths: Vec<String>,
    /// The choices of the first side.
    pub rows: Vec<String>,
    /// The choices of the second side.
    pub columns: Vec<String>,
    /// Varied paths that neither side chooses: a pairing is the mean over their values.
    pub over: Vec<String>,
    /// Whether both sides have the same choices and are otherwise equal: then a choice is even against itself.
    pub symmetric: bool,
    /// The pairings that have to be fought.
    pub(super) pairings: Vec<Pairing>,
    /// Row by row, the index of the pairing, and whether it is seen from the other side; `None` if it is even without
    /// any battle.
    entries: Vec<Vec<Option<(usize, bool)>>>,
}

/// A choice of one side against a choice of the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairing {
    /// The cells, by index in the study, and whether the sides' choices are exchanged there.
    pub(super) cells: Vec<(usize, bool)>,
}

/// Why a study has no table of choices against choices.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GridError {
    /// Nothing varies for a side.
    #[error("the study varies nothing for the side `{0}`, so it has only one choice")]
    NoChoice(String),
    /// The study does not vary this path.
    #[error("the study does not vary `{path}`")]
    NotVaried {
        /// The path.
        path: String,
        /// Those that it varies.
        known: Vec<String>,
    },
    /// A path is named for both sides.
    #[error("`{0}` cannot be a choice of both sides")]
    Twice(String),
    /// No cell has this pairing.
    #[error("no cell has {row} against {column}")]
    Missing {
        /// The first side's choice.
        row: String,
        /// The second side's choice.
        column: String,
    },
}

impl Grid {
    /// The choices of a study: the rows are the values of the paths `rows`, the columns those of `columns`; the
    /// defaults are the varied paths of the first and of the second side. `cells` are the cells to use; empty means
    /// all.
    ///
    /// # Errors
    /// See [`GridError`].
    pub fn of(study: &Study, cells: &[usize], rows: &[String], columns: &[String]) -> Result<Self, GridError> {
        let known: Vec<&str> = study.vary.iter().map(|varied| varied.path.as_str()).collect();
        for path in rows.iter().chain(columns) {
            if !known.contains(&path.as_str()) {
                let known = known.iter().map(|path| (*path).to_owned()).collect();
                return Err(GridError::NotVaried { path: path.clone(), known });
            }
        }
        if let Some(path) = rows.iter().find(|path| columns.contains(path)) {
            return Err(GridError::Twice(path.clone()));
        }
        let of_side = |side: usize, others: &[String]| -> Vec<String> {
            let begins = format!("{}.", study.sides[side]);
            let own = known.iter().filter(|path| path.starts_with(&begins)).map(|path| (*path).to_owned());
            own.filter(|path| !others.contains(path)).collect()
        };
        let row_paths = if rows.is_empty() { of_side(0, columns) } else { rows.to_vec() };
        let column_paths = if columns.is_empty() { of_side(1, &row_paths) } else { columns.to_vec() };
        for (side, paths) in [(0, &row_paths), (1, &column_paths)] {
            if paths.is_empty() {
                return Err(GridError::NoChoice(study.sides[side].clone()));
            }
        }
        let chosen = study.chosen(cells);
        let headers = || chosen.iter().map(|&cell| &study.cells[cell].header);
        let (rows, columns) = (names(headers(), &row_paths), names(headers(), &column_paths));
        let over = known.iter().filter(|path| {
            let chosen = row_paths.iter().chain(&column_paths).any(|own| own == *path);
            let mut values = headers().filter_map(|header| value(header, path));
            let first = values.next();
            !chosen && values.any(|value| Some(value) != first)
        });
        let over = over.map(|path| (*path).to_owned()).collect();
        let mut grid = Self {
            symmetric: false,
            row_paths,
            column_paths,
            rows,
            columns,
            over,
            pairings: Vec::new(),
            entries: Vec::new(),
        };
        grid.symmetric = grid.is_symmetric(study, &chosen);
        grid.pair(study, &chosen)?;
        Ok(grid)
    }

    /// Whether the sides have the same choices and are otherwise equal: their battles begin alike, whichever role each
    /// has.
    fn is_symmetric(&self, study: &Study, chosen: &[usize]) -> bool {
        let equal = |cell: &Cell| {
            let begins = |setup: &Setup| format!("{:?} {:?} {:?}", setup.start, setup.generals, setup.plans);
            cell.swapped.as_ref().is_some_and(|swapped| begins(swapped) == begins(&cell.setup))
        };
        let header = |cell: usize| &study.cells[cell].header;
        let mirrors = chosen.iter().filter(|&&cell| {
            let choices = [&self.row_paths, &self.column_paths].map(|paths| name(header(cell), paths));
            choices[0] == choices[1]
        });
        let mirrors: Vec<&Cell> = mirrors.map(|&cell| &study.cells[cell]).collect();
        self.rows == self.columns && !mirrors.is_empty() && mirrors.into_iter().all(equal)
    }

    /// Finds the cells of every pairing.
    fn pair(&mut self, study: &Study, chosen: &[usize]) -> Result<(), GridError> {
        let cells = |row: &str, column: &str| -> Vec<usize> {
            let within = |cell: &&usize| {
                let header = &study.cells[**cell].header;
                name(header, &self.row_paths) == row && name(header, &self.column_paths) == column
            };
            chosen.iter().filter(within).copied().collect()
        };
        let mut entries: Vec<Vec<Option<(usize, bool)>>> = Vec::new();
        let mut pairings = Vec::new();
        for (at, row) in self.rows.iter().enumerate() {
            let mut line = Vec::new();
            for (place, column) in self.columns.iter().enumerate() {
                if self.symmetric && place <= at {
                    // A choice is even with itself, and each entry below the diagonal mirrors the one above it.
                    line.push(
                        (place < at).then(|| entries[place][at].map_or((0, true), |(pairing, _)| (pairing, true))),
                    );
                    continue;
                }
                let mut own: Vec<(usize, bool)> = cells(row, column).into_iter().map(|cell| (cell, false)).collect();
                if self.symmetric {
                    own.extend(cells(column, row).into_iter().map(|cell| (cell, true)));
                }
                if own.is_empty() {
                    return Err(GridError::Missing { row: row.clone(), column: column.clone() });
                }
                line.push(Some((pairings.len(), false)));
                pairings.push(Pairing { cells: own });
            }
            entries.push(line);
        }
        (self.entries, self.pairings) = (entries, pairings);
        Ok(())
    }

    /// The number of cells that are fought.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.pairings.iter().map(|pairing| pairing.cells.len()).sum()
    }

    /// The first cell of a pairing; `None` if it is even without any battle.
    #[must_use]
    pub fn cell(&self, row: usize, column: usize) -> Option<usize> {
        let (pairing, _) = self.entries[row][column]?;
        self.pairings[pairing].cells.first().map(|(cell, _)| *cell)
    }

    /// The pairings as a table of estimates.
    pub(super) fn table<T: Entry>(&self, known: &[T]) -> Vec<Vec<T>> {
        let entry = |place: &Option<(usize, bool)>| match place {
            None => T::even(),
            Some((pairing, false)) => known[*pairing],
            Some((pairing, true)) => known[*pairing].turned(),
        };
        self.entries.iter().map(|line| line.iter().map(entry).collect()).collect()
    }
}

/// A score that can be seen from either side.
pub(super) trait Entry: Copy {
    /// The score of a choice against itself.
    fn even() -> Self;
    /// The score from the other side's point of view.
    fn turned(self) -> Self;
}

impl Entry for f64 {
    fn even() -> Self {
        0.5
    }

    fn turned(self) -> Self {
        1.0 - self
    }
}

impl Entry for grognard_stats::Estimate {
    fn even() -> Self {
        Self::computed(0.5)
    }

    fn turned(self) -> Self {
        self.complement()
    }
}

fn value<'h>(header: &'h CellHeader, path: &str) -> Option<&'h str> {
    let setting = header.vary.iter().find(|setting: &&Setting| setting.path == path)?;
    Some(&setting.value.text)
}

/// The values of these paths in a cell, as one text.
fn name(header: &CellHeader, paths: &[String]) -> String {
    paths.iter().map(|path| value(header, path).unwrap_or("–")).collect::<Vec<_>>().join(", ")
}

/// The different names of cells, in order.
fn names<'h>(headers: impl Iterator<Item = &'h CellHeader>, paths: &[String]) -> Vec<String> {
    let mut names = Vec::new();
    for header in headers {
        let name = name(header, paths);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}
