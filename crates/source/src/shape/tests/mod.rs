//! Whole documents checked against whole wire types.

mod corners;
mod messages;

use std::collections::{BTreeMap, BTreeSet};

use schemars::{JsonSchema, schema_for};
use serde::Deserialize;

use super::*;
use crate::schema::unsupported_keywords;
use crate::span::Sources;
use crate::{Absent, Inches, Override, SignedInches, decode, read_as};

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Wire {
    pack: String,
    seed: Option<u32>,
    /// A described enum, whose schema differs from a plain one's.
    arm: Arm,
    range: Inches,
    shift: Option<SignedInches>,
    #[schemars(length(min = 1, max = 3))]
    dice: Vec<u8>,
    #[serde(default)]
    modifier: Vec<Row>,
    roll: Option<Mechanic>,
    #[serde(default)]
    results: BTreeMap<u8, String>,
    #[serde(default)]
    units: BTreeMap<String, Unit>,
    #[serde(default)]
    traits: BTreeSet<Word>,
    at: Option<(Inches, Inches)>,
    effect: Option<Effect>,
    facing: Option<Facing>,
    chance: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Arm {
    /// On foot.
    Infantry,
    /// On horseback.
    Cavalry,
    Artillery,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Word {
    Elite,
    Raw,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Row {
    id: String,
    when: Option<String>,
    add: Amount,
    #[serde(default)]
    cite: Vec<String>,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Amount {
    Fixed(#[schemars(range(min = -20, max = 20))] i8),
    Worked(#[schemars(extend("x-expected" = "an expression in quotes"), length(min = 1))] String),
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "mechanic", rename_all = "kebab-case", deny_unknown_fields)]
enum Mechanic {
    Opposed { die: String },
    Pool { dice: u8, need: u8 },
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Unit {
    figures: i32,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Effect {
    Retreat(Inches),
    Lose { figures: u8 },
    Rout,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Facing {
    Word(Arm),
    /// Degrees clockwise from north. At most 360.
    Degrees(u16),
    Towards(Towards),
    Along(Along),
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Towards {
    unit: String,
    side: String,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Along {
    edge: u8,
}

const GOOD: &str = r#"
pack = "figures"
seed = 1815
arm = "cavalry"
range = 12
shift = -0.25
dice = [1, 2]
at = [0, 1.5]
traits = ["raw", "elite"]
effect = "rout"
facing = { edge = 3 }
chance = 1

[[modifier]]
id = "square"
when = "foe.formation == 'square'"
add = -4
cite = ["9.50-G"]

[[modifier]]
id = "worked"
add = "self.strength / 2"

[roll]
mechanic = "pool"
dice = 3
need = 4

[results]
2 = "rout"
12 = "hold"

[units.hussars]
figures = 12
"#;

fn document(text: &str) -> (Sources, Document) {
    let mut sources = Sources::new();
    let file = sources.add("pack.toml", text);
    let document =
        Document::parse(file, &sources).unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)));
    (sources, document)
}

/// The faults of [`GOOD`] with one line replaced, without their excerpts: `line:column message (help)`.
fn faults(old: &str, new: &str) -> Vec<String> {
    assert_eq!(GOOD.matches(old).count(), 1, "{old}");
    let (sources, document) = document(&GOOD.replace(old, new));
    let faults = check_shape(&document, &schema_for!(Wire));
    if faults.is_empty() {
        decode::<Wire>(&document).expect("what fits the schema can be decoded");
    }
    let plain = faults.to_plain(&sources);
    plain
        .into_iter()
        .map(|fault| {
            let help = fault.help.map(|help| format!(" ({help})")).unwrap_or_default();
            format!("{} {}{help}", fault.path.unwrap_or_default(), fault.message)
        })
        .collect()
}

#[test]
fn the_schema_uses_nothing_the_check_does_not_know() {
    assert_eq!(unsupported_keywords(&schema_for!(Wire)), [""; 0]);
}

#[test]
fn what_the_check_does_not_know_is_found() {
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "the schema is what matters")]
    struct Odd {
        #[schemars(regex(pattern = "^a"))]
        pattern: String,
        nested: Vec<Option<Inner>>,
    }
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "the schema is what matters")]
    struct Inner {
        number: std::num::NonZeroI8,
        #[schemars(extend("minProperties" = 1))]
        map: BTreeMap<String, u8>,
    }
    assert_eq!(
        unsupported_keywords(&schema_for!(Odd)),
        [
            "/properties/pattern/pattern",
            "/$defs/Inner/properties/number/not",
            "/$defs/Inner/properties/map/minProperties"
        ]
    );
}

#[test]
fn a_good_document_becomes_its_wire_type() {
    let (sources, document) = document(GOOD);
    let wire: Wire = read_as(&document).unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)));
    let inches = |hundredths| Inches::from_hundredths(hundredths).expect("in range");
    let row = |id: &str, when: Option<&str>, add, cite: &[&str]| Row {
        id: id.to_owned(),
        when: when.map(str::to_owned),
        add,
        cite: cite.iter().map(|clause| (*clause).to_owned()).collect(),
    };
    let expected = Wire {
        pack: "figures".to_owned(),
        seed: Some(1815),
        arm: Arm::Cavalry,
        range: inches(1200),
        shift: SignedInches::from_hundredths(-25),
        dice: vec![1, 2],
        modifier: vec![
            row("square", Some("foe.formation == 'square'"), Amount::Fixed(-4), &["9.50-G"]),
            row("worked", None, Amount::Worked("self.strength / 2".to_owned()), &[]),
        ],
        roll: Some(Mechanic::Pool { dice: 3, need: 4 }),
        results: BTreeMap::from([(2, "rout".to_owned()), (12, "hold".to_owned())]),
        units: BTreeMap::from([("hussars".to_owned(), Unit { figures: 12 })]),
        traits: BTreeSet::from([Word::Elite, Word::Raw]),
        at: Some((inches(0), inches(150))),
        effect: Some(Effect::Rout),
        facing: Some(Facing::Along(Along { edge: 3 })),
        chance: Some(1.0),
    };
    assert_eq!(wire, expected);
}

#[test]
fn every_way_to_write_a_choice_is_understood() {
    for (old, new) in [
        (r#"effect = "rout""#, "effect = { retreat = 4.5 }"),
        (r#"effect = "rout""#, "effect = { lose = { figures = 1 } }"),
        ("facing = { edge = 3 }", "facing = 'infantry'"),
        ("facing = { edge = 3 }", "facing = 90"),
        ("facing = { edge = 3 }", "facing = { unit = 'a', side = 'b' }"),
        ("mechanic = \"pool\"\ndice = 3\nneed = 4", "mechanic = 'opposed'\ndie = 'd6'"),
        ("dice = [1, 2]", "dice = [255]"),
    ] {
        assert_eq!(faults(old, new), [""; 0], "{new}");
    }
}

/// Given a document that fits, only the changed parts are checked. A change may select another alternative; then the
/// unchanged parts must fit that one.
#[test]
fn a_change_of_a_document_that_fits_has_the_faults_that_it_has_alone() {
    let (mut sources, good) = document(GOOD);
    let schema = schema_for!(Wire);
    for (change, faulty) in [
        ("modifier.square.add=3", false),
        ("modifier.square.add=30", true),
        ("roll.need=5", false),
        ("roll.need=500", true),
        ("roll.mechanic=opposed", true),
        ("units.hussars.figures=x", true),
        ("dice=[1, 2, 3, 4]", true),
    ] {
        let file = sources.add("--set", change);
        let mut changed = good.clone();
        let set = Override::parse(file, &sources).and_then(|change| changed.set(&change, Absent::Refuse));
        set.unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)));
        let alone = check_shape(&changed, &schema);
        assert_eq!(alone.is_empty(), !faulty, "{change}");
        assert_eq!(check_shape_beside(&changed, Some(&good), &schema, &|_| None), alone, "{change}");
    }
}

/// If the caller knows more about a key than the schema does, no similar key is taken for the intended one.
#[test]
fn a_key_that_is_known_from_elsewhere_has_its_own_help() {
    let (sources, document) = document(&GOOD.replace("add = -4", "ad = -4"));
    let meant = |path: &Path| {
        let [list, .., key] = path.segments() else { return None };
        (list == "modifier" && key == "ad").then(|| "`ad` belongs elsewhere".to_owned())
    };
    let found = |meant: &dyn Fn(&Path) -> Option<String>| {
        let faults = check_shape_beside(&document, None, &schema_for!(Wire), meant).to_plain(&sources);
        faults.into_iter().map(|fault| (fault.message, fault.help.unwrap_or_default())).collect::<Vec<_>>()
    };
    let unknown = "there is no key `ad` here".to_owned();
    assert_eq!(found(&|_| None), [(unknown.clone(), "did you mean `add`?".to_owned())]);
    let told = found(&meant);
    assert!(told.contains(&(unknown, "`ad` belongs elsewhere".to_owned())), "{told:?}");
    assert!(told.len() == 2 && told.iter().any(|(message, _)| message == "the key `add` is missing"), "{told:?}");
}

#[test]
fn ten_faults_are_said_at_once() {
    let text = r#"pack = 7
arm = "calvary"
range = 12.345
dice = [1, 2, 300]
colour = "red"

[[modifier]]
id = "square"
add = 40
whn = "true"

[[modifier]]
id = "rear"

[roll]
mechanic = "pool"
dice = "3"
need = 4

[units.hussars]
figures = 1.5
"#;
    let (sources, document) = document(text);
    let faults = read_as::<Wire>(&document).expect_err("it is full of faults");
    assert_eq!(
        faults.render(&sources, false),
        r#"error: expected text, found `7`
 --> pack.toml:1:8
  |
1 | pack = 7
  |        ^
  |
  = help: put quotes around it

error: `calvary` is not valid here
 --> pack.toml:2:7
  |
2 | arm = "calvary"
  |       ^^^^^^^^^
  |
  = help: did you mean `cavalry`?

error: 12.345 is not a multiple of 0.01
 --> pack.toml:3:9
  |
3 | range = 12.345
  |         ^^^^^^
  |
  = help: the nearest are 12.34 and 12.35

error: 300 is too large
 --> pack.toml:4:15
  |
4 | dice = [1, 2, 300]
  |               ^^^
  |
  = help: it must lie between 0 and 255

error: there is no key `colour` here
 --> pack.toml:5:1
  |
5 | colour = "red"
  | ^^^^^^
  |
  = help: valid names: `pack`, `seed`, `arm`, `range`, `shift`, `dice`, `modifier`, `roll`, `results`, `units`, `traits`, `at` and 3 more

error: 40 is too large
 --> pack.toml:9:7
  |
9 | add = 40
  |       ^^
  |
  = help: it must lie between -20 and 20

error: there is no key `whn` here
  --> pack.toml:10:1
   |
10 | whn = "true"
   | ^^^
   |
   = help: did you mean `when`?

error: the key `add` is missing
  --> pack.toml:12:1
   |
12 | [[modifier]]
   | ^^^^^^^^^^^^
   |
   = help: it must be a whole number or an expression in quotes

error: expected a whole number, found the text `3`
  --> pack.toml:17:8
   |
17 | dice = "3"
   |        ^^^
   |
   = help: remove the quotes

error: expected a whole number, found `1.5`
  --> pack.toml:21:11
   |
21 | figures = 1.5
   |           ^^^
"#
    );
}
