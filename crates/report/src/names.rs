//! Names for print: of varied paths, of their values and of cells. Also divides cells into groups.

use grognard_lab::Side;
use grognard_lab::results::{CellHeader, Labels, Manifest, Setting, Value, Varied};

use crate::reading::{differing, shared};
use crate::text::{capitalised, spaced};

/// The name of a cell in a report; `None` for the only cell of a study that varies nothing.
#[must_use]
pub fn cell_name(manifest: &Manifest, cell: &CellHeader) -> Option<String> {
    let nameless = cell.vary.is_empty() && cell.label.is_empty();
    (!nameless).then(|| Names::of(manifest).cell(cell))
}

/// Names of the varied paths and values of a study.
pub(crate) struct Names {
    /// Per varied path: its name in words.
    paths: Vec<Path>,
    /// Indices in `vary` of the paths whose values are shown side by side in rows and lines; the rest form groups.
    pub(crate) inner: Vec<usize>,
    /// Whether the study names its cells.
    pub(crate) labelled: bool,
    /// The study's names for paths and values.
    labels: Labels,
    /// The sides' names, as in paths.
    sides: Vec<String>,
}

/// First words of values' names that need no `with` in a sentence: `in square`, `under fire`.
const PREPOSITIONS: [&str; 16] = [
    "after", "against", "at", "before", "behind", "by", "for", "from", "in", "inside", "on", "over", "to", "under",
    "with", "without",
];

struct Path {
    path: String,
    name: String,
    /// Whether values need the path's name next to them: numbers, Booleans, positions, and values that other paths
    /// have too.
    named_values: bool,
}

/// Cells that share all but the inner settings.
pub(crate) struct Group<'a> {
    /// The settings they share, in words; empty if there is only one group.
    pub(crate) title: String,
    /// The cells, in order, each with its name inside the group.
    pub(crate) cells: Vec<(&'a CellHeader, String)>,
}

impl Names {
    /// Names for a study.
    pub(crate) fn of(manifest: &Manifest) -> Self {
        let vary = &manifest.vary;
        let labels = &manifest.report.labels;
        let own = |varied: &Varied, value: &Value| labels.value(&varied.path, value).map(str::to_owned);
        let texts = |at: usize| {
            vary[at].values.iter().map(move |value| own(&vary[at], value).unwrap_or_else(|| value.text.clone()))
        };
        let short: Vec<String> = vary
            .iter()
            .map(|varied| match labels.path(&varied.path) {
                Some(name) => name.to_owned(),
                None => path_name(&varied.path, &manifest.sides),
            })
            .collect();
        let paths = vary.iter().enumerate().map(|(at, varied)| {
            let unnamed =
                |value: &Value| own(varied, value).is_none() && (value.number.is_some() || is_bare(&value.text));
            let bare = varied.values.iter().any(unnamed);
            let others = (0..vary.len()).filter(|&other| other != at);
            let common = others.clone().any(|other| texts(other).any(|text| texts(at).any(|own| own == text)));
            let unclear = others.clone().any(|other| short[other] == short[at]);
            let name = if unclear { spaced(&varied.path) } else { short[at].clone() };
            Path { path: varied.path.clone(), name, named_values: bare || common }
        });
        Self {
            paths: paths.collect(),
            inner: inner(manifest),
            labelled: manifest.labelled(),
            labels: labels.clone(),
            sides: manifest.sides.clone(),
        }
    }

    /// The name of a varied path.
    pub(crate) fn path(&self, path: &str) -> String {
        self.paths.iter().find(|known| known.path == path).map_or_else(|| spaced(path), |known| known.name.clone())
    }

    /// The name of a varied path with its unit, for an axis: `distance (inches)`.
    pub(crate) fn axis(&self, path: &str) -> String {
        let name = self.path(path);
        self.labels.unit(path).map_or_else(|| name.clone(), |unit| format!("{name} ({unit})"))
    }

    /// A value of a varied path, with its unit: `12 inches`.
    pub(crate) fn number(&self, path: &str, number: &str) -> String {
        self.labels.with_unit(path, number)
    }

    /// A value of a path, for use next to the path's name.
    pub(crate) fn value(&self, path: &str, value: &Value) -> String {
        self.labels.value(path, value).map_or_else(|| self.labels.with_unit(path, &spaced(&value.text)), str::to_owned)
    }

    /// A setting in words: `square`, or `defender formation square` where that would be unclear.
    pub(crate) fn setting(&self, setting: &Setting) -> String {
        let value = self.value(&setting.path, &setting.value);
        match self.paths.iter().find(|known| known.path == setting.path) {
            Some(known) if known.named_values && self.labels.value(&setting.path, &setting.value).is_none() => {
                match self.modifier(setting) {
                    Some(number) => {
                        format!("{} {}", known.name.trim_end_matches(MODIFIER), spaced(&format!("{number:+}")))
                    }
                    None => format!("{} {value}", known.name),
                }
            }
            _ => value,
        }
    }

    /// The number that a modifier adds, as a rulebook prints it: `+1`. `None` for other settings, and if the study has
    /// a name or a unit for the path.
    fn modifier(&self, setting: &Setting) -> Option<f64> {
        let named = self.labels.path(&setting.path).is_some() || self.labels.unit(&setting.path).is_some();
        setting.value.number.filter(|_| !named && is_modifier(&setting.path))
    }

    /// Settings in words: `heavy cavalry, front`.
    pub(crate) fn settings<'a>(&self, settings: impl IntoIterator<Item = &'a Setting>) -> String {
        settings.into_iter().map(|setting| self.setting(setting)).collect::<Vec<_>>().join(", ")
    }

    /// The differences between a cell and another.
    pub(crate) fn apart(&self, cell: &CellHeader, other: &CellHeader) -> String {
        if self.labelled { self.cell(cell) } else { self.settings(differing(cell, other)) }
    }

    /// A change in words: `square instead of line`, with quotes around names that the study has given its cells.
    pub(crate) fn change(&self, cell: &CellHeader, baseline: &CellHeader) -> String {
        let quoted = |words: String| if self.labelled { format!("“{words}”") } else { words };
        format!("{} instead of {}", quoted(self.apart(cell, baseline)), quoted(self.apart(baseline, cell)))
    }

    /// The settings that a cell shares with another; empty if there is nothing to add.
    pub(crate) fn alike(&self, cell: &CellHeader, other: &CellHeader) -> String {
        if self.labelled { String::new() } else { self.settings(shared(cell, other)) }
    }

    /// A setting in a sentence about `side`. A formation or another state of another side's units is given with its
    /// owner (`defender in square`), and the starting distance of a study as a place (`at 16 inches`).
    pub(crate) fn described(&self, setting: &Setting, side: Option<Side>) -> String {
        let path = setting.path.as_str();
        let called = self.labels.value(path, &setting.value).is_some();
        if path == "distance" && !called {
            let name = if self.labels.unit(path).is_some() { "" } else { "distance " };
            return format!("at {name}{}", self.value(path, &setting.value));
        }
        let first = path.split('.').next();
        let Some(owner) = self.sides.iter().position(|name| Some(name.as_str()) == first) else {
            return self.setting(setting);
        };
        let words = match path.ends_with(".formation") && !called {
            true => format!("in {}", self.value(path, &setting.value)),
            false => self.setting(setting),
        };
        match words.starts_with("in ") && side.map(Side::index) != Some(owner) {
            true => format!("{} {words}", spaced(&self.sides[owner])),
            false => words,
        }
    }

    /// "In this cell" in a sentence about `side`: `in square`, or `with defender in square` if the side is not the defender.
    pub(crate) fn place(&self, cell: &CellHeader, side: Option<Side>) -> String {
        if self.labelled || cell.vary.is_empty() { self.with(&self.cell(cell)) } else { self.placed(&cell.vary, side) }
    }

    /// The words for the differences between a cell and another, in a sentence about `side`.
    pub(crate) fn place_apart(&self, cell: &CellHeader, other: &CellHeader, side: Option<Side>) -> String {
        if self.labelled { self.with(&self.cell(cell)) } else { self.placed(differing(cell, other), side) }
    }

    /// What a cell shares with another in a sentence about `side`, in brackets and with a space before it; empty if there is nothing to add.
    pub(crate) fn context(&self, cell: &CellHeader, other: &CellHeader, side: Option<Side>) -> String {
        let alike = if self.labelled { Vec::new() } else { shared(cell, other) };
        let told: Vec<String> = alike.into_iter().map(|setting| self.described(setting, side)).collect();
        if told.is_empty() { String::new() } else { format!(" ({})", told.join(", ")) }
    }

    fn placed<'a>(&self, settings: impl IntoIterator<Item = &'a Setting>, side: Option<Side>) -> String {
        let told: Vec<String> = settings.into_iter().map(|setting| self.described(setting, side)).collect();
        self.with(&told.join(", "))
    }

    /// The name of a cell among others that share their outer settings: by the other settings, or by its full name
    /// if the outer ones differ.
    pub(crate) fn among(&self, cell: &CellHeader, headline: &CellHeader) -> String {
        let inner = || cell.vary.iter().filter(|setting| self.is_inner(&setting.path));
        let outer = |cell: &CellHeader| -> Vec<Setting> {
            cell.vary.iter().filter(|setting| !self.is_inner(&setting.path)).cloned().collect()
        };
        let name = self.settings(inner());
        if self.labelled || name.is_empty() || outer(cell) != outer(headline) { self.cell(cell) } else { name }
    }

    /// The settings that a cell shares with its neighbours.
    pub(crate) fn outer(&self, cell: &CellHeader) -> String {
        self.settings(cell.vary.iter().filter(|setting| !self.is_inner(&setting.path)))
    }

    /// A phrase for "in this cell", from the words for the cell or for its differences: `with square`, `in square` if
    /// the study calls it so, or for a cell that the study has named `in “guns far”`.
    pub(crate) fn with(&self, words: &str) -> String {
        let first = words.split([' ', ',']).next().unwrap_or_default();
        match (self.labelled, PREPOSITIONS.contains(&first)) {
            (true, _) => format!("in “{words}”"),
            (false, true) => words.to_owned(),
            (false, false) => format!("with {words}"),
        }
    }

    /// The whole name of a cell.
    pub(crate) fn cell(&self, cell: &CellHeader) -> String {
        let settings = if self.labelled { String::new() } else { self.settings(&cell.vary) };
        match (settings.is_empty(), cell.label.is_empty()) {
            (false, _) => settings,
            (true, false) => spaced(&cell.label),
            (true, true) => "the study as written".to_owned(),
        }
    }

    /// The cells in groups, in the order in which groups first appear; in one group if most groups would have only one
    /// cell.
    pub(crate) fn groups<'a>(&self, cells: &'a [CellHeader]) -> Vec<Group<'a>> {
        let in_one = || {
            let cells = cells.iter().map(|cell| (cell, self.cell(cell))).collect();
            vec![Group { title: String::new(), cells }]
        };
        if self.labelled {
            return in_one();
        }
        let mut groups: Vec<(Vec<&Setting>, Group)> = Vec::new();
        for cell in cells {
            let (inner, outer): (Vec<&Setting>, _) = cell.vary.iter().partition(|setting| self.is_inner(&setting.path));
            let name = if inner.is_empty() { self.cell(cell) } else { self.settings(inner) };
            match groups.iter_mut().find(|(settings, _)| *settings == outer) {
                Some((_, group)) => group.cells.push((cell, name)),
                None => {
                    let title = capitalised(&self.settings(outer.iter().copied()));
                    groups.push((outer, Group { title, cells: vec![(cell, name)] }));
                }
            }
        }
        if 2 * groups.len() > cells.len() {
            return in_one();
        }
        groups.into_iter().map(|(_, group)| group).collect()
    }

    /// Whether values of the path are shown next to each other in rows and lines.
    pub(crate) fn is_inner(&self, path: &str) -> bool {
        self.inner.iter().any(|&at| self.paths.get(at).is_some_and(|known| known.path == path))
    }
}

/// Whether a value must be printed with its path's name: a Boolean or a position.
fn is_bare(text: &str) -> bool {
    matches!(text, "true" | "false") || text.starts_with('[')
}

/// The word after the name of a modifier.
const MODIFIER: &str = " modifier";

/// Whether a path is the number that a modifier adds.
fn is_modifier(path: &str) -> bool {
    matches!(path.split('.').collect::<Vec<_>>().as_slice(), [.., "modifier", _, "add"])
}

/// A path in words: `defender.0.formation` is "defender formation", `shock.modifier.cavalry-vs-square.add` "cavalry vs
/// square modifier".
fn path_name(path: &str, sides: &[String]) -> String {
    let parts: Vec<&str> = path.split('.').filter(|part| part.parse::<u32>().is_err()).collect();
    let kept = match parts.as_slice() {
        [side, .., last] if sides.iter().any(|name| name == side) => vec![*side, *last],
        [.., before, last] => vec![*before, *last],
        short => short.to_vec(),
    };
    let words = kept.into_iter().map(spaced).collect::<Vec<_>>().join(" ");
    if is_modifier(path) { format!("{}{MODIFIER}", words.trim_end_matches(" add")) } else { words }
}

/// The paths in which cells differ from their baselines. Without baselines, or if cells differ in all paths, this is
/// only the path with the most values, so that groups are few and long.
fn inner(manifest: &Manifest) -> Vec<usize> {
    let differs = |at: usize| {
        manifest.cells.iter().any(|cell| {
            let value = |cell: &CellHeader| {
                {
                    cell.vary
                        .iter()
                        .find(|setting| setting.path == manifest.vary[at].path)
                        .map(|setting| &setting.value)
                }
                .cloned()
            };
            let baseline = cell.baseline.and_then(|baseline| manifest.cell(baseline));
            baseline.is_some_and(|baseline| value(cell) != value(baseline))
        })
    };
    let all = 0..manifest.vary.len();
    let contrasted: Vec<usize> = all.clone().filter(|&at| differs(at)).collect();
    if !contrasted.is_empty() && (contrasted.len() < manifest.vary.len() || contrasted.len() == 1) {
        return contrasted;
    }
    // If several paths have the most values, this takes the last one, which changes fastest in the order of cells.
    all.max_by_key(|&at| manifest.vary[at].values.len()).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::results;

    #[test]
    fn cells_that_the_study_has_named_go_by_their_names() {
        let mut results = results(&[("defender.0.at", &["[0, 2]", "[0, 4]"])], 10, |_| 0.5);
        let before = Names::of(&results.manifest);
        assert_eq!(before.apart(&results.manifest.cells[1], &results.manifest.cells[0]), "defender at [0, 4]");
        assert_eq!(before.with("square"), "with square");
        for (cell, label) in results.manifest.cells.iter_mut().zip(["guns near", "guns far"]) {
            cell.label = label.to_owned();
        }
        let names = Names::of(&results.manifest);
        let [near, far] = &results.manifest.cells[..] else { panic!("two cells") };
        assert_eq!((names.apart(far, near).as_str(), names.alike(far, near).as_str()), ("guns far", ""));
        assert_eq!(names.with("guns far"), "in “guns far”");
        let groups = names.groups(&results.manifest.cells);
        assert_eq!(groups.len(), 1);
        assert_eq!(
            groups[0].cells.iter().map(|(_, name)| name.as_str()).collect::<Vec<_>>(),
            ["guns near", "guns far"]
        );
    }
}
