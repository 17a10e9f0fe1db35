//! Whatever a file contains, reading it gives a document or faults, and never a panic.

use std::collections::BTreeMap;

use grognard_source::{
    Absent, Diagnostics, Document, Inches, Override, Path, SignedInches, Sources, check_shape, decode, extend,
};
use proptest::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// A wire type with a field of every kind.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its making is tested")]
struct Wire {
    name: String,
    #[serde(default)]
    rows: Vec<Row>,
    range: Option<Inches>,
    shift: Option<SignedInches>,
    at: Option<(u8, i64)>,
    #[serde(default)]
    map: BTreeMap<i8, f64>,
    tagged: Option<Tagged>,
    external: Option<External>,
    untagged: Option<Untagged>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its making is tested")]
struct Row {
    id: String,
    #[schemars(range(min = -5, max = 5))]
    add: Option<i8>,
    on: Option<bool>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
#[expect(dead_code, reason = "only its making is tested")]
enum Tagged {
    Opposed { die: u8 },
    Pool { dice: Vec<u16>, rows: Option<Vec<Row>> },
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[expect(dead_code, reason = "only its making is tested")]
enum External {
    Retreat(Inches),
    Lose { figures: u32 },
    Rout,
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its making is tested")]
enum Untagged {
    Number(i32),
    Text(String),
    List(Vec<Untagged>),
    Row(Row),
}

const GOOD: &str = r#"
name = "figures"
range = 12.5
shift = -1
at = [3, -4]
map = { 1 = 0.5, -2 = 3 }
tagged = { kind = "pool", dice = [1, 2], rows = [{ id = "z" }] }
external = { lose = { figures = 3 } }
untagged = [1, "two", [3]]

[[rows]]
id = "a"
add = 1

[[rows]]
id = "b"
on = true
"#;

/// Scraps from which hostile documents are made.
const SCRAPS: [&str; 40] = [
    "name",
    "rows",
    "[[rows]]",
    "id = 'a'",
    "id = 'b'",
    "id = 3",
    "remove = true",
    "add = 9",
    "=",
    "\n",
    ".",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'''",
    "#",
    ",",
    "inf",
    "-nan",
    "1e999",
    "1979-05-27",
    "0x",
    "\u{feff}",
    "ß",
    "\r",
    "\0",
    "[tagged]",
    "kind = 'pool'",
    "kind = 1",
    "[external.lose]",
    "untagged = []",
    "map.x = 1",
    "a.b.c.d = { e.f = 1 }",
    "range = 'six'",
    "[[tagged.rows]]",
    "[rows.a]",
    "99999999999999999999",
    "true",
];

/// Every operation on a document; the faults are rendered as well.
fn exercise(text: &str) {
    let mut sources = Sources::new();
    let base = sources.add("base.toml", GOOD);
    let file = sources.add("hostile.toml", text);
    let schema = schemars::schema_for!(Wire);
    let show = |faults: Diagnostics| {
        assert!(!faults.is_empty(), "an error says why");
        assert!(!faults.render(&sources, true).is_empty());
        assert_eq!(faults.to_plain(&sources).len(), faults.sorted().len());
    };
    let document = match Document::parse(file, &sources) {
        Ok(document) => document,
        Err(faults) => return show(faults),
    };
    for (path, node) in document.leaves() {
        let read = Path::parse(&path.to_string());
        assert_eq!(read.as_ref(), Ok(&path));
        assert!(document.get(&path).is_some());
        assert!(sources.text(file).get(node.span.range()).is_some());
    }
    let faults = check_shape(&document, &schema);
    match decode::<Wire>(&document) {
        // A schema has no range for numbers that are keys.
        Err(error) if faults.is_empty() && !error.to_string().starts_with("the key") => {
            panic!("it fits its schema, but {}", error.render(&sources, false))
        }
        Err(error) => show(error),
        Ok(_) => {}
    }
    if !faults.is_empty() {
        show(faults);
    }
    let base = Document::parse(base, &sources).expect("the base is good");
    for (base, variant) in [(base.clone(), document.clone()), (document, base)] {
        match extend(base, variant) {
            Ok(document) => drop(check_shape(&document, &schema)),
            Err(faults) => show(faults),
        }
    }
}

fn override_good(text: &str) {
    let mut sources = Sources::new();
    let base = sources.add("base.toml", GOOD);
    let argument = sources.add("--set", text);
    let mut document = Document::parse(base, &sources).expect("the base is good");
    let schema = schemars::schema_for!(Wire);
    match Override::parse(argument, &sources) {
        Ok(change) => {
            let before = document.clone();
            match document.set(&change, Absent::Insert(&schema)) {
                Ok(()) => assert_eq!(document.get(&change.path), Some(&change.node)),
                Err(faults) => {
                    assert_eq!(document, before, "a refused value changes nothing");
                    assert!(faults.render(&sources, false).starts_with("error: "));
                }
            }
        }
        Err(faults) => assert!(faults.render(&sources, false).starts_with("error: ")),
    }
}

/// [`GOOD`], which is ASCII, with `cut` bytes from `at` replaced.
fn mutated(at: usize, cut: usize, put: &str) -> String {
    let start = at % GOOD.len();
    let end = (start + cut).min(GOOD.len());
    format!("{}{put}{}", &GOOD[..start], &GOOD[end..])
}

#[test]
fn the_good_document_is_good() {
    let mut sources = Sources::new();
    let file = sources.add("good.toml", GOOD);
    let document = Document::parse(file, &sources).expect("good TOML");
    let faults = check_shape(&document, &schemars::schema_for!(Wire));
    assert_eq!(faults.render(&sources, false), "");
    assert!(decode::<Wire>(&document).is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text(text in any::<String>()) {
        exercise(&text);
        override_good(&text);
    }

    #[test]
    fn any_scraps(scraps in prop::collection::vec(prop::sample::select(&SCRAPS[..]), 0..30), lines in any::<bool>()) {
        exercise(&scraps.join(if lines { "\n" } else { " " }));
    }

    #[test]
    fn the_good_document_damaged(at in any::<usize>(), cut in 0_usize..20, scrap in prop::sample::select(&SCRAPS[..])) {
        exercise(&mutated(at, cut, scrap));
        exercise(&mutated(at, cut, ""));
    }

    #[test]
    fn any_override(
        path in prop::sample::select(vec![
            "name", "rows.a.add", "rows.c.add", "at.0", "at.2", "map.1", "map.7", "map.x", "tagged.dice.0", "tagged.die",
            "external.lose.figures", "external.retreat", "untagged.1", "untagged.2.0", "rows.a.on", "name.x", "\"", "rows", "range",
        ]),
        value in prop::sample::select(&SCRAPS[..]),
    ) {
        override_good(&format!("{path}={value}"));
    }
}
