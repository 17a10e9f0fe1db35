//! The cells of a study: one row for each, with a typed column for each path that the study varies.

use super::table::{Column, Table, column};
use crate::results::{CellHeader, Manifest, Value};

/// Whole numbers up to here are exact as floating-point numbers.
const WHOLE_MAX: f64 = 9_007_199_254_740_992.0;

/// The cells as a table: `cell, label, baseline, turn_limit`, a column for each varied path, and the figures and units
/// with which each side begins.
#[must_use]
pub fn cells_table(manifest: &Manifest) -> Table<'_> {
    let cells = &manifest.cells;
    let mut columns = vec![
        column("cell", cells.iter().map(|cell| cell.cell as i32).collect::<Vec<_>>()),
        column("label", cells.iter().map(|cell| cell.label.as_str()).collect::<Vec<_>>()),
        column("baseline", cells.iter().map(|cell| cell.baseline.map(|cell| cell as i32)).collect::<Vec<_>>()),
        column("turn_limit", cells.iter().map(|cell| i32::from(cell.turns)).collect::<Vec<_>>()),
    ];
    columns.extend(varied_columns(manifest, &cells.iter().map(Some).collect::<Vec<_>>()));
    let names = manifest.columns();
    for &side in names.sides.sides() {
        let of = |numbers: fn(&CellHeader) -> &[u32]| {
            cells.iter().map(|cell| numbers(cell)[side.index()] as i32).collect::<Vec<_>>()
        };
        columns.push(column(&names.of_side(side, "figures"), of(|cell| &cell.figures)));
        columns.push(column(&names.of_side(side, "units"), of(|cell| &cell.units)));
    }
    Table::new(cells.len(), columns)
}

/// The varied values of these cells, a column for each path: integers, floating-point numbers, Booleans or strings,
/// whichever fits all its values.
pub(super) fn varied_columns<'a>(manifest: &'a Manifest, cells: &[Option<&'a CellHeader>]) -> Vec<Column<'a>> {
    let names = manifest.columns().vary;
    let of_path = |(name, path): (&String, &str)| {
        // The type is determined from all cells, whichever of them are requested.
        let all: Vec<&Value> = manifest.cells.iter().filter_map(|cell| value_of(cell, path)).collect();
        let values = || cells.iter().map(|cell| value_of((*cell)?, path));
        match Type::of(&all) {
            Type::Whole => column(name, values().map(|value| Some(value?.number? as i64)).collect::<Vec<_>>()),
            Type::Number => column(name, values().map(|value| value?.number).collect::<Vec<_>>()),
            Type::Truth => column(name, values().map(|value| Some(value?.text == "true")).collect::<Vec<_>>()),
            Type::Text => column(name, values().map(|value| Some(value?.text.as_str())).collect::<Vec<_>>()),
        }
    };
    names.iter().zip(manifest.vary.iter().map(|varied| varied.path.as_str())).map(of_path).collect()
}

fn value_of<'c>(cell: &'c CellHeader, path: &str) -> Option<&'c Value> {
    Some(&cell.vary.iter().find(|setting| setting.path == path)?.value)
}

/// The type of all values of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    Whole,
    Number,
    Truth,
    Text,
}

impl Type {
    fn of(values: &[&Value]) -> Self {
        let whole =
            |value: &&Value| value.number.is_some_and(|number| number.fract() == 0.0 && number.abs() <= WHOLE_MAX);
        let truth = |value: &&Value| value.number.is_none() && ["true", "false"].contains(&value.text.as_str());
        if values.iter().all(whole) {
            Self::Whole
        } else if values.iter().all(|value| value.number.is_some()) {
            Self::Number
        } else if values.iter().all(truth) {
            Self::Truth
        } else {
            Self::Text
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_has_the_type_of_all_its_values() {
        let value = |text: &str| Value { text: text.to_owned(), number: text.parse().ok() };
        for (texts, expected) in [
            (&["2", "4", "-1"][..], Type::Whole),
            (&["2", "0.5"], Type::Number),
            (&["true", "false"], Type::Truth),
            (&["true", "2"], Type::Text),
            (&["line", "square"], Type::Text),
        ] {
            let values: Vec<Value> = texts.iter().map(|text| value(text)).collect();
            assert_eq!(Type::of(&values.iter().collect::<Vec<_>>()), expected, "{texts:?}");
        }
    }
}
