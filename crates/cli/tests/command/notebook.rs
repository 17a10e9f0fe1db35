//! The notebook that asks questions from Python: every question has an answer that contains everything the notebook
//! reads.
//!
//! The Python package returns what the command prints with `--json`; its own tests compare the two. If the package can
//! be built, `recipes/python/check` runs the cells of the notebook; this test compares the notebook with the command if
//! it cannot.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use super::Place;

/// The questions in the notebook, each with the equivalent command line.
const QUESTIONS: [(&str, &str); 6] = [
    (
        r#"duel.find("unit.plain.figures", cells=1, exact=True, "#,
        "find refduel --number unit.plain.figures --cell 1 --exact",
    ),
    (r#".set("approach", "front").matchups("#, "matchups square-vs-line --set approach=front"),
    (r#"load("hex-armies").points(300, runs=16, "#, "points hex-armies --armies 300 --runs 16"),
    ("wanted.judge(", "judge wanted.toml"),
    (
        r#"wanted.tune(["unit.plain.figures"], pips=9, changes=1, "#,
        "tune wanted.toml --number unit.plain.figures --pips 9 --changes 1",
    ),
    (r#"duel.ablate("a score", runs=20_000, "#, "ablate refduel --runs 20000"),
];

/// The methods of a study that ask questions.
const METHODS: [&str; 7] = [".find(", ".judge(", ".tune(", ".ablate(", ".matchups(", ".points(", ".train("];

fn code() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../notebooks/asking-questions.ipynb");
    let notebook: Value = serde_json::from_str(&std::fs::read_to_string(path).expect("the notebook")).expect("JSON");
    let cells = notebook["cells"].as_array().expect("cells").iter().filter(|cell| cell["cell_type"] == "code");
    let sources = cells.flat_map(|cell| cell["source"].as_array().expect("lines"));
    sources.map(|line| line.as_str().expect("text")).collect()
}

/// All keys in a JSON value.
fn keys(json: &Value, found: &mut BTreeSet<String>) {
    match json {
        Value::Object(fields) => fields.iter().for_each(|(key, value)| {
            found.insert(key.clone());
            keys(value, found);
        }),
        Value::Array(values) => values.iter().for_each(|value| keys(value, found)),
        _ => {}
    }
}

#[test]
fn every_question_of_the_notebook_has_an_answer_with_all_that_is_read() {
    let code = code();
    let place = Place::new();
    let (_, rest) = code.split_once("from_text(\"\"\"").expect("a study is written");
    place.write("wanted.toml", rest.split_once("\"\"\"").expect("a text ends").0);
    let asked: usize = METHODS.iter().map(|method| code.matches(method).count()).sum();
    assert_eq!(asked, QUESTIONS.len(), "QUESTIONS lists every question of the notebook");
    let mut found = BTreeSet::new();
    for (call, line) in QUESTIONS {
        assert!(code.contains(call), "the notebook does not ask {call}");
        let ran = place.grognard(&format!("{line} --json --quiet"));
        assert!([Some(0), Some(3), Some(4)].contains(&ran.status), "{ran:?}");
        keys(&ran.json(), &mut found);
    }
    let read =
        code.split("[\"").chain(code.split("['")).filter_map(|rest| rest.split_once(['"', '\''])).map(|(key, _)| key);
    let word = |key: &&str| !key.is_empty() && key.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_');
    let read: Vec<&str> = read.filter(word).collect();
    assert!(read.len() > 20, "{read:?}");
    let missing: Vec<&&str> = read.iter().filter(|key| !found.contains(**key)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
