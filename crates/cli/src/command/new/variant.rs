//! The files of a variant of a built-in pack.

use std::fmt::Write as _;

use grognard_lab::library::BuiltIn;
use grognard_source::{Document, Node, Table, Value};

use super::{PART_SCHEMA, STUDY_SCHEMA};

/// The maximum number of modifiers that the new pack gives as examples.
const SHOWN_MAX: usize = 3;

/// A modifier as given by the base.
struct Modifier<'a> {
    roll: &'a str,
    id: &'a str,
    add: i64,
}

/// A pack that changes nothing yet, but shows how to.
pub(super) fn pack(name: &str, base: &str, document: &Document) -> String {
    let title = document.root.get("title").and_then(Node::as_text).unwrap_or(base);
    let mut text = format!(
        "{PART_SCHEMA}# A variant of {base}: everything that this file does not change is as in {base}.\n\
         # `grognard packs show {base}` prints everything that you can change.\n\n\
         pack = \"{name}\"\n\
         title = {}\n\
         version = \"0.1.0\"\n\
         extends = \"{base}\"\n",
        quoted(&format!("{title}, a variant")),
    );
    let modifiers = modifiers(document);
    if !modifiers.is_empty() {
        text.push_str("\n# Rows of a list are matched by `id`. Write only what is different, and its source.\n");
    }
    for Modifier { roll, id, add } in modifiers.into_iter().take(SHOWN_MAX) {
        // Writing to a String does not fail.
        let _ = write!(
            text,
            "#\n# [[roll.{roll}.modifier]]\n# id = \"{id}\"\n# add = {}               # {add} in {base}\n# cite = [\"house\"]\n\
             # note = \"Why.\"\n",
            add + 1
        );
    }
    if let Some((id, unit)) = unit(document) {
        let lines: Vec<String> = unit.iter().map(|(key, value)| format!("# {key} = {value}\n")).collect();
        let _ = write!(
            text,
            "\n# A unit type of your own needs all of these numbers, here those of `{id}`. To change a number of `{id}` itself, write\n\
             # `[unit.{id}]` and only that number.\n#\n# [unit.my-{id}]\n# title = \"My own\"\n{}# cite = [\"house\"]\n\
             # note = \"Why.\"\n",
            lines.concat()
        );
    }
    text
}

/// The maximum length of a unit type's lines in the example.
const LINE_MAX: usize = 100;

/// The first unit type with short lines: its name, and its keys and values except its title and its source.
fn unit(document: &Document) -> Option<(&str, Vec<(&str, String)>)> {
    let units = document.root.get("unit").and_then(Node::as_table)?;
    let mut all = units.iter().filter_map(|(key, unit)| {
        let told = |name: &str| !["title", "cite", "cites", "note"].contains(&name);
        let rows = unit.as_table()?.iter().filter(|(key, _)| told(&key.name));
        Some((key.name.as_str(), rows.map(|(key, value)| (key.name.as_str(), value.value.to_string())).collect()))
    });
    all.find(|(_, rows): &(_, Vec<(&str, String)>)| rows.iter().all(|(key, value)| key.len() + value.len() < LINE_MAX))
}

/// The key under which a study describes its numbers.
const ANALYSIS: &str = "analysis";
/// The replacement for that key.
const NO_ANALYSIS: &str = "# analysis = \"\"\"The text that your report shows next to the charts.\"\"\"";

/// A built-in study that uses the pack next to it, without its analysis and its expected odds: its numbers will differ.
pub(super) fn study(name: &str, base: &str, study: &BuiltIn) -> String {
    let line = |line: &str| match line.split_once('=').map(|(key, _)| key.trim()) {
        Some("study") => format!("study = \"{name}\""),
        Some("pack") => format!("pack = \".\"                   # the pack in this folder, a variant of {base}"),
        _ => line.to_owned(),
    };
    let lines: Vec<String> = without_odds(&without_analysis(study.text)).lines().map(line).collect();
    format!("{STUDY_SCHEMA}{}\n", lines.join("\n"))
}

/// A study's text without its analysis.
fn without_analysis(text: &str) -> String {
    let mut kept = String::new();
    let mut within = false;
    for line in text.lines() {
        let begins = line.split('=').next().is_some_and(|key| key.trim() == ANALYSIS);
        let quotes = line.matches("\"\"\"").count();
        match (within, begins) {
            (true, _) => within = quotes == 0,
            (false, true) => {
                kept.push_str(NO_ANALYSIS);
                within = quotes == 1;
            }
            (false, false) => kept.push_str(line),
        }
        if !within {
            kept.push('\n');
        }
    }
    kept
}

/// A study's text without expected odds, each of which is a separate paragraph, and without the words about them in the
/// first line, after the question.
fn without_odds(text: &str) -> String {
    let expects = |paragraph: &&str| paragraph.lines().any(|line| line == "[[expect]]");
    let all: Vec<&str> = text.split("\n\n").collect();
    let mut kept: Vec<&str> = all.iter().copied().filter(|paragraph| !expects(paragraph)).collect();
    if kept.len() < all.len() {
        kept[0] = kept[0].split_inclusive('?').next().unwrap_or_default();
    }
    kept.join("\n\n")
}

/// The modifiers of all rolls that add a whole number.
fn modifiers(document: &Document) -> Vec<Modifier<'_>> {
    let mut modifiers = Vec::new();
    let rolls = document.root.get("roll").and_then(Node::as_table);
    for (key, roll) in rolls.into_iter().flat_map(Table::iter) {
        let rows = roll.as_table().and_then(|roll| roll.get("modifier")).and_then(Node::as_array);
        for row in rows.unwrap_or_default() {
            let add = row.as_table().and_then(|row| row.get("add")).map(|add| &add.value);
            if let (Some(id), Some(&Value::Int(add))) = (row.id(), add) {
                modifiers.push(Modifier { roll: &key.name, id, add });
            }
        }
    }
    modifiers
}

/// A text as a TOML string.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use grognard_lab::library::STUDIES;
    use grognard_source::Sources;

    use super::*;

    #[test]
    fn no_study_hands_on_what_its_author_says_of_its_numbers() {
        let (mut written, mut asked) = (0, 0);
        for built_in in STUDIES {
            let copied = study("mine", "base", built_in);
            let says = |text: &str, key: &str| text.lines().any(|line| line.trim_start().starts_with(key));
            written += usize::from(says(built_in.text, "analysis"));
            assert!(!says(&copied, "analysis") && !says(&copied, "highlights"), "{copied}");
            assert_eq!(says(&copied, "baseline"), says(built_in.text, "baseline"), "{copied}");
            let lines = |text: &str| text.lines().filter(|line| line.trim_start().starts_with('[')).count();
            let expected = built_in.text.lines().filter(|line| *line == "[[expect]]").count();
            assert_eq!(lines(&copied), lines(built_in.text) - expected, "{copied}");
            if expected > 0 {
                asked += 1;
                let first = copied.lines().find(|line| line.starts_with("# "));
                assert!(!first.is_some_and(|line| line.contains("? ") || line.contains("checked against")), "{copied}");
            }
            assert_eq!(keys(&copied), keys(built_in.text), "{copied}");
        }
        assert!(written > 10 && asked > 10, "{written} and {asked}");
    }

    /// The keys at the top of a study, except its expected odds.
    fn keys(text: &str) -> Vec<String> {
        let mut sources = Sources::new();
        let file = sources.add("study.toml", text);
        let document =
            Document::parse(file, &sources).unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)));
        document.root.names().filter(|key| *key != "expect").map(str::to_owned).collect()
    }
}
