//! Short names for varied paths, and for the differences between cells.

use grognard_lab::results::{CellHeader, Manifest, Value, Varied};
use grognard_report::spaced;
use grognard_source::Path;

use crate::text::shortened;

/// The maximum length of a value in a table, in characters.
const VALUE_MAX: usize = 24;
/// The maximum length of a cell's label.
const LABEL_MAX: usize = 40;

/// Names for the cells of a study.
pub(super) struct Names<'a> {
    manifest: &'a Manifest,
    /// A short name for each of [`Manifest::vary`]; all are different if the paths are.
    short: Vec<String>,
    /// Whether the study gives the cells labels, which then replace their values.
    pub(super) labelled: bool,
}

impl<'a> Names<'a> {
    pub(super) fn of(manifest: &'a Manifest) -> Self {
        let labels = &manifest.report.labels;
        let called = |varied: &Varied| match labels.path(&varied.path) {
            Some(name) => vec![shortened(name, VALUE_MAX.max(40)), varied.path.clone()],
            None => forms(&varied.path, &manifest.sides),
        };
        let paths: Vec<Vec<String>> = manifest.vary.iter().map(called).collect();
        Self { manifest, short: distinct(&paths), labelled: manifest.labelled() }
    }

    /// Positions in [`Manifest::vary`] of the paths in which cells differ; empty if the cells have labels.
    pub(super) fn columns(&self) -> Vec<usize> {
        if self.labelled {
            return Vec::new();
        }
        (0..self.manifest.vary.len()).filter(|&place| self.manifest.vary[place].values.len() > 1).collect()
    }

    /// The short name of a varied path, with the unit of its numbers.
    pub(super) fn path(&self, place: usize) -> String {
        let unit = self.manifest.report.labels.unit(&self.manifest.vary[place].path);
        unit.map_or_else(|| self.short[place].clone(), |unit| format!("{} ({unit})", self.short[place]))
    }

    /// A cell's value at a varied path.
    pub(super) fn value(&self, cell: &CellHeader, place: usize) -> String {
        let path = &self.manifest.vary[place].path;
        let setting = cell.vary.iter().find(|setting| setting.path == *path);
        setting.map_or_else(|| "–".to_owned(), |setting| self.called(path, &setting.value))
    }

    /// The study's name for a value, or else the value.
    fn called(&self, path: &str, own: &Value) -> String {
        match self.manifest.report.labels.value(path, own) {
            Some(name) => shortened(name, VALUE_MAX),
            None => value(own),
        }
    }

    /// Whether all values at a path are numbers.
    pub(super) fn numeric(&self, place: usize) -> bool {
        self.manifest.vary[place].values.iter().all(|value| value.number.is_some())
    }

    /// A cell's label, cut to a reasonable length.
    pub(super) fn label(&self, cell: &CellHeader) -> String {
        shortened(&spaced(&cell.label), LABEL_MAX)
    }

    /// The value of `cell` at a path, in words that identify the path: `square`, `figures 3`.
    pub(super) fn words(&self, cell: &CellHeader, place: usize) -> String {
        let text = self.value(cell, place);
        let (labels, Varied { path, values }) = (&self.manifest.report.labels, &self.manifest.vary[place]);
        if self.is_called(cell, place) {
            return text;
        }
        let elsewhere =
            self.columns().into_iter().filter(|&other| other != place).map(|other| &self.manifest.vary[other]);
        let same = |other: &Varied| other.values.iter().any(|value| self.called(&other.path, value) == text);
        let clear = values.iter().all(|value| value.number.is_none() && is_word(&value.text))
            && !elsewhere.into_iter().any(same);
        if clear { text } else { format!("{} {}", self.short[place], labels.with_unit(path, &text)) }
    }

    /// The value of `cell` at a path, in words, with the name of the path unless the study names the value.
    pub(super) fn full_words(&self, cell: &CellHeader, place: usize) -> String {
        let text = self.value(cell, place);
        let with_unit = |text: &str| self.manifest.report.labels.with_unit(&self.manifest.vary[place].path, text);
        if self.is_called(cell, place) { text } else { format!("{} {}", self.short[place], with_unit(&text)) }
    }

    /// The value of `cell` at a path for use within a sentence, where the study's name for a value, such as `in line`,
    /// needs quotes.
    pub(super) fn quoted(&self, cell: &CellHeader, place: usize) -> String {
        let words = self.full_words(cell, place);
        if self.is_called(cell, place) { format!("\"{words}\"") } else { words }
    }

    /// Whether the study names the cell's value at a path.
    fn is_called(&self, cell: &CellHeader, place: usize) -> bool {
        let path = &self.manifest.vary[place].path;
        let setting = cell.vary.iter().find(|setting| setting.path == *path);
        setting.is_some_and(|setting| self.manifest.report.labels.value(path, &setting.value).is_some())
    }

    /// The positions at which two cells differ.
    pub(super) fn differing(&self, cell: &CellHeader, other: &CellHeader) -> Vec<usize> {
        self.columns().into_iter().filter(|&place| self.value(cell, place) != self.value(other, place)).collect()
    }
}

fn value(value: &Value) -> String {
    let text = if value.number.is_some() { value.text.replace('-', "−") } else { spaced(&value.text) };
    shortened(&text, VALUE_MAX)
}

fn is_word(text: &str) -> bool {
    !matches!(text, "true" | "false") && text.starts_with(char::is_alphabetic)
}

/// Names for a path, the shortest first, the full path last.
///
/// For a path into a side, the last word is usually enough (`formation`); for one into the pack, the last two
/// (`cavalry-vs-square add`).
fn forms(path: &str, sides: &[String]) -> Vec<String> {
    let parsed = Path::parse(path).map(|path| path.segments().to_vec());
    let segments = parsed.unwrap_or_else(|_| vec![path.to_owned()]);
    let own_side = segments.first().is_some_and(|first| sides.contains(first));
    let least = if own_side { 1 } else { 2 };
    let words: Vec<&str> = segments.iter().map(String::as_str).filter(|word| word.parse::<u32>().is_err()).collect();
    let mut forms: Vec<String> = Vec::new();
    if own_side && words.len() > 1 {
        forms.push(words[words.len() - 1].to_owned());
        forms.push(format!("{} {}", words[0], words[words.len() - 1]));
    } else {
        forms.extend((least..=words.len()).map(|count| words[words.len() - count..].join(" ")));
    }
    forms.push(segments.join(" "));
    forms.iter().map(|form| shortened(form, VALUE_MAX.max(40))).collect()
}

/// One name for each path: the shortest names that are all different.
fn distinct(paths: &[Vec<String>]) -> Vec<String> {
    let mut chosen = vec![0; paths.len()];
    let name = |path: usize, chosen: &[usize]| paths[path][chosen[path]].clone();
    for _ in 0..paths.iter().map(Vec::len).max().unwrap_or(0) {
        let clashing: Vec<usize> = (0..paths.len())
            .filter(|&path| (0..paths.len()).any(|other| other != path && name(other, &chosen) == name(path, &chosen)))
            .collect();
        for path in clashing {
            chosen[path] = (chosen[path] + 1).min(paths[path].len() - 1);
        }
    }
    (0..paths.len()).map(|path| name(path, &chosen)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_called_as_shortly_as_they_can_be_told_apart() {
        let sides = ["attacker".to_owned(), "defender".to_owned()];
        let short = |paths: &[&str]| distinct(&paths.iter().map(|path| forms(path, &sides)).collect::<Vec<_>>());
        assert_eq!(short(&["defender.0.formation", "attacker.0.type", "approach"]), ["formation", "type", "approach"]);
        assert_eq!(short(&["attacker.0.figures", "defender.0.figures"]), ["attacker figures", "defender figures"]);
        assert_eq!(short(&["defender.0.type", "defender.1.type"]), ["defender 0 type", "defender 1 type"]);
        assert_eq!(short(&["roll.shock.modifier.cavalry-vs-square.add"]), ["cavalry-vs-square add"]);
        assert_eq!(short(&["unit.a.move", "table.a.move"]), ["unit a move", "table a move"]);
        assert_eq!(short(&["distance"]), ["distance"]);
    }
}
