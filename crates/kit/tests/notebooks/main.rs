//! The notebooks in Rust, without their kernel: their code is compiled and run as tests, and its outputs are compared
//! with those stored.
//!
//! Each module is generated from the notebook with its name. After changing a notebook, run `BLESS=1 cargo test
//! --workspace --test notebooks` to write its module again. Run it a second time to run the new code and write its
//! outputs into the notebook.

mod page;

/// Prints to the page of a notebook. The modules below use this instead of the standard library's macro.
macro_rules! println {
    ($($words:tt)*) => {
        $crate::page::print(format_args!($($words)*))
    };
}

mod questions_in_rust;
mod square_against_line;
mod tuning_a_modifier;
mod your_own_pack;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value as Json;
use serde_json::ser::PrettyFormatter;

/// The notebooks in Rust. `recipes/python/check` runs those in Python; tests of `lab` and of the command check the
/// columns and answers that two of them read.
const RUST: [&str; 4] = ["questions-in-rust", "square-against-line", "tuning-a-modifier", "your-own-pack"];
const PYTHON: [&str; 3] = ["asking-questions", "reading-results", "with-the-package"];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn notebook(name: &str) -> Json {
    let path = workspace().join("notebooks").join(name).with_extension("ipynb");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Writes a notebook as Jupyter does, atomically, because other tests may be reading it.
fn write(name: &str, notebook: &Json) {
    let mut text = Vec::new();
    let mut by_one = serde_json::Serializer::with_formatter(&mut text, PrettyFormatter::with_indent(b" "));
    notebook.serialize(&mut by_one).unwrap_or_else(|error| panic!("{name}: {error}"));
    text.push(b'\n');
    let path = workspace().join("notebooks").join(name);
    let (new, path) = (path.with_extension("new"), path.with_extension("ipynb"));
    std::fs::write(&new, text)
        .and_then(|()| std::fs::rename(&new, path))
        .unwrap_or_else(|error| panic!("{name}: {error}"));
}

/// The code cells of a notebook.
fn code(notebook: &Json) -> impl Iterator<Item = &Json> {
    notebook["cells"].as_array().expect("cells").iter().filter(|cell| cell["cell_type"] == "code")
}

/// Lines of text, stored as in a notebook, joined.
fn joined(lines: &Json) -> String {
    match lines {
        Json::Array(lines) => lines.iter().map(|line| line.as_str().expect("a line of text")).collect(),
        text => text.as_str().expect("a text").to_owned(),
    }
}

/// The cells of a notebook as one test.
fn as_test(name: &str) -> String {
    let mut text = format!("//! Generated from notebooks/{name}.ipynb; do not edit by hand: see `main.rs`.\n");
    text.push_str("\n#[test]\n#[rustfmt::skip]\nfn shows_what_is_kept() -> Result<(), Box<dyn std::error::Error>> {\n");
    text.push_str("super::page::open();\n");
    for (number, cell) in (1..).zip(code(&notebook(name))) {
        let source = joined(&cell["source"]);
        // The test does not need the kernel's dependencies: this crate has them already.
        let mut lines: Vec<&str> = source.lines().filter(|line| !line.starts_with(":dep ")).collect();
        let Some(last) = lines.last().copied() else { continue };
        let _ = writeln!(text, "\n// Cell {number}\nsuper::page::cell({number});");
        // The kernel shows a value at the end of a cell.
        let ends_in_a_value = !last.ends_with([';', '}']);
        let begins = |line: &&str| !line.starts_with([' ', '}', ')', ']']);
        let value = if ends_in_a_value { lines.iter().rposition(begins).unwrap_or_default() } else { lines.len() };
        let value = lines.split_off(value);
        lines.iter().for_each(|line| text.extend([line, "\n"]));
        if !value.is_empty() {
            let _ = writeln!(text, "let shown = {};\nsuper::page::show(&shown);", value.join("\n"));
        }
    }
    let _ = writeln!(text, "\nsuper::page::hold(\"{name}\");\nOk(())\n}}");
    text
}

#[test]
fn the_code_is_that_of_the_notebooks() {
    for name in RUST {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/notebooks").join(name.replace('-', "_"));
        let path = path.with_extension("rs");
        let now = as_test(name);
        let known = std::fs::read_to_string(&path).unwrap_or_default();
        if now != known && std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, &now).unwrap_or_else(|error| panic!("{name}: {error}"));
        } else {
            assert!(now == known, "notebooks/{name}.ipynb has changed: run this test with BLESS=1, and then again");
        }
    }
}

#[test]
fn no_notebook_is_forgotten() {
    let entries = std::fs::read_dir(workspace().join("notebooks")).expect("the folder of notebooks");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let notebooks = paths.filter(|path| path.extension().is_some_and(|extension| extension == "ipynb"));
    let mut found: Vec<String> =
        notebooks.map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned()).collect();
    found.sort();
    let mut known: Vec<&str> = RUST.into_iter().chain(PYTHON).collect();
    known.sort_unstable();
    assert_eq!(found, known);
    for (names, language) in [(&RUST[..], "rust"), (&PYTHON[..], "python")] {
        for name in names {
            assert_eq!(notebook(name)["metadata"]["kernelspec"]["language"], language, "{name}");
        }
    }
}

#[test]
fn outputs_are_kept_in_order_and_name_no_machine() {
    for name in RUST.into_iter().chain(PYTHON) {
        let notebook = notebook(name);
        let mut shown = 0;
        for (number, cell) in (1..).zip(code(&notebook)) {
            assert_eq!(cell["execution_count"].as_u64(), Some(number), "{name} was not run from top to bottom");
            for output in cell["outputs"].as_array().expect("outputs") {
                assert_ne!(output["output_type"], "error", "{name}, cell {number}");
                assert_ne!(output["name"], "stderr", "{name}, cell {number}");
                let text = output.to_string();
                for place in ["/home/", "/root/", "/tmp/", "/Users/", "C:\\\\", "target/notebooks"] {
                    assert!(!text.contains(place), "{name}, cell {number}: its output speaks of {place}");
                }
                shown += 1;
            }
        }
        assert!(shown >= 3, "{name} shows too little to have been run");
        let charts = notebook.to_string().matches("<svg").count() + notebook.to_string().matches("image/png").count();
        assert!(charts >= 1, "{name} has no chart");
    }
}
