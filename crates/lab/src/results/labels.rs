//! The headline finding of a report, and its names for varied paths and their values.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Setting, Value};

/// The headline finding of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Headline {
    /// The cell.
    pub cell: u32,
    /// The metric: a side for its wins, `draw`, `turns`, or a side's metric such as `defender.losses`. Default: the
    /// wins of the side that the study changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metric: Option<String>,
}

/// The names of a varied path and its values in tables and charts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Label {
    /// The path.
    pub path: String,
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The unit of its numbers, such as `inches`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Names of its values, by their texts.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, String>,
}

/// The labels of a study.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Labels(pub Vec<Label>);

impl Labels {
    /// Whether the study gives no labels.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn of(&self, path: &str) -> Option<&Label> {
        self.0.iter().find(|label| label.path == path)
    }

    /// The name of a varied path, if the study gives it one.
    #[must_use]
    pub fn path(&self, path: &str) -> Option<&str> {
        self.of(path)?.name.as_deref()
    }

    /// The unit of a varied number, if the study gives it one.
    #[must_use]
    pub fn unit(&self, path: &str) -> Option<&str> {
        self.of(path)?.unit.as_deref()
    }

    /// The name of a value of a path, if the study gives it one.
    #[must_use]
    pub fn value(&self, path: &str, value: &Value) -> Option<&str> {
        self.of(path)?.values.get(&value.text).map(String::as_str)
    }

    /// A setting as it appears in a cell's label: the value's name alone, or a number with its path's name.
    #[must_use]
    pub fn words(&self, setting: &Setting) -> String {
        let Setting { path, value } = setting;
        if let Some(name) = self.value(path, value) {
            return name.to_owned();
        }
        let bare =
            value.number.is_some() || ["true", "false"].contains(&value.text.as_str()) || value.text.starts_with('[');
        if !bare {
            return value.text.clone();
        }
        let name = self.path(path).map_or_else(|| short(path), str::to_owned);
        format!("{name} {}", self.with_unit(path, &value.text))
    }

    /// A number of a path with its unit.
    #[must_use]
    pub fn with_unit(&self, path: &str, number: &str) -> String {
        match self.unit(path) {
            Some(unit) if unit.starts_with(['"', '″', '%', '°']) => format!("{number}{unit}"),
            Some(unit) => format!("{number} {unit}"),
            None => number.to_owned(),
        }
    }
}

/// The last word of a path to a unit or a side, and the last two of a path into the pack: `add` alone does not say what
/// it adds to.
fn short(path: &str) -> String {
    let words: Vec<&str> = path.split('.').collect();
    let into_pack = words.len() > 2 && words.iter().all(|word| word.parse::<u32>().is_err());
    words[words.len() - if into_pack { 2 } else { 1 }..].join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_called_by_their_labels() {
        let of = |path: &str, text: &str| Setting {
            path: path.to_owned(),
            value: Value { text: text.to_owned(), number: text.parse().ok() },
        };
        let label = Label {
            path: "distance".to_owned(),
            name: Some("seen from".to_owned()),
            unit: Some("inches".to_owned()),
            values: BTreeMap::from([("32".to_owned(), "seen in time".to_owned())]),
        };
        let labels = Labels(vec![label]);
        assert_eq!(labels.words(&of("distance", "8")), "seen from 8 inches");
        assert_eq!(labels.words(&of("distance", "32")), "seen in time");
        assert_eq!(labels.words(&of("attacker.0.figures", "8")), "figures 8");
        assert_eq!(labels.words(&of("roll.shock.modifier.heavy-horse.add", "8")), "heavy-horse add 8");
        assert_eq!(labels.words(&of("attacker.0.type", "horse")), "horse");
    }
}
