//! The notebook that asks questions from Python: every question has an answer, in which everything is that the notebook reads.
//!
//! Where Python can be had, `.ci/run` runs its cells; this holds it to the command where it cannot.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use super::Place;

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
    let (_, rest) = code.split_once("write_text(\"\"\"").expect("a study is written");
    place.write("made/duel.toml", rest.split_once("\"\"\"").expect("a text ends").0);
    let mut found = BTreeSet::new();
    let lines: Vec<&str> =
        code.split("= grognard(\"").skip(1).filter_map(|rest| Some(rest.split_once("\")")?.0)).collect();
    assert_eq!(lines.len(), 9, "{lines:?}");
    for line in lines {
        let ran = place.grognard(&format!("{line} --json --quiet"));
        assert!([Some(0), Some(3), Some(4)].contains(&ran.status), "{ran:?}");
        keys(&ran.json(), &mut found);
    }
    let read =
        code.split("[\"").chain(code.split("['")).filter_map(|rest| rest.split_once(['"', '\''])).map(|(key, _)| key);
    let word = |key: &&str| !key.is_empty() && key.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_');
    let read: Vec<&str> = read.filter(word).filter(|key| *key != "grognard" && *key != "import").collect();
    assert!(read.len() > 20, "{read:?}");
    let missing: Vec<&&str> = read.iter().filter(|key| !found.contains(**key)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
