//! Every file and folder in `tests/broken/` is wrong in one way. The expected output is next to it, verbatim; `BLESS=1`
//! rewrites it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{Place, grognard};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken")
}

/// The broken studies and packs, by name; and the names of their expected outputs.
fn items() -> (Vec<String>, BTreeSet<String>) {
    let entries = std::fs::read_dir(folder()).expect("the folder of broken files");
    let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    let (said, mut broken): (Vec<_>, Vec<_>) = names.partition(|name| name.ends_with(".txt"));
    broken.sort();
    (broken, said.into_iter().collect())
}

#[test]
fn each_fault_is_said_in_one_clear_diagnostic() {
    let (broken, mut said) = items();
    assert!(broken.len() >= 20, "{broken:?}");
    let mut changed = Vec::new();
    for name in &broken {
        let ran = grognard(&folder(), &format!("check {name}")).ends(2);
        assert_eq!(ran.err.matches("error: ").count(), 1, "{ran:?}");
        assert!(ran.out.starts_with("wrong  ") && ran.out.ends_with("  1 error\n"), "{ran:?}");
        assert!(has_place(&ran.err), "no file:line:column in {ran:?}");
        // The error about a cycle names the folders by their absolute paths.
        let root = std::fs::canonicalize(folder()).expect("it exists");
        let text = ran.err.replace(&root.display().to_string(), "...");
        let golden = format!("{}.txt", name.trim_end_matches(".toml"));
        let path = folder().join(&golden);
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, &text).expect("the golden text can be written");
        } else if std::fs::read_to_string(&path).ok().as_ref() != Some(&text) {
            changed.push(format!("{golden}:\n{text}"));
        }
        said.remove(&golden);
    }
    assert!(changed.is_empty(), "{}", changed.join("\n"));
    assert_eq!(said, BTreeSet::new(), "these belong to nothing");
}

/// Whether a text contains ` --> file:line:column`.
fn has_place(text: &str) -> bool {
    let is_number = |part: Option<&str>| part.is_some_and(|part| part.parse::<u32>().is_ok_and(|number| number > 0));
    text.lines().filter_map(|line| line.trim_start().strip_prefix("--> ")).any(|place| {
        let mut parts = place.rsplit(':');
        is_number(parts.next()) && is_number(parts.next()) && parts.next().is_some_and(|file| !file.is_empty())
    })
}

#[test]
fn nothing_of_a_broken_study_is_fought() {
    let (broken, _) = items();
    let place = Place::new();
    for name in broken.iter().filter(|name| name.ends_with(".toml")) {
        let path = folder().join(name);
        let line = format!("run {} --out results", path.display());
        place.grognard(&line).refused(name);
        place.grognard(&format!("replay {}", path.display())).refused(name);
    }
    assert_eq!(place.list(""), [""; 0]);
}

#[test]
fn the_machine_is_told_the_same() {
    let json = grognard(&folder(), "check misspelt-key.toml missing-key.toml --json").ends(2).json();
    assert_eq!(json["ok"], false);
    let faults = &json["items"][0]["faults"];
    assert_eq!(json["items"][0]["kind"], "study");
    assert_eq!(faults[0]["file"], "misspelt-key.toml");
    assert_eq!([&faults[0]["line"], &faults[0]["column"]], [4, 1]);
    assert_eq!(faults[0]["help"], "did you mean `turns`?");
    assert_eq!(json["items"][1]["faults"].as_array().map(Vec::len), Some(1));
}
