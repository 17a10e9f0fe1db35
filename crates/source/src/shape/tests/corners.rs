//! Unusual types and files.

use super::*;

#[test]
fn flattened_variants_share_a_table_with_the_fields_beside_them() {
    #[derive(JsonSchema)]
    #[schemars(deny_unknown_fields)]
    #[expect(dead_code, reason = "the schema is what matters")]
    struct Phase {
        id: String,
        #[serde(flatten)]
        mechanic: Mechanic,
    }
    let schema = schema_for!(Phase);
    assert_eq!(unsupported_keywords(&schema), [""; 0]);
    let check = |text: &str| {
        let (sources, document) = document(text);
        let faults = check_shape(&document, &schema).to_plain(&sources);
        faults.into_iter().map(|fault| fault.message).collect::<Vec<_>>()
    };
    assert_eq!(check("id = 'fire'\nmechanic = 'opposed'\ndie = 'd6'"), [""; 0]);
    assert_eq!(check("id = 'fire'\nmechanic = 'opposed'\nneed = 4\ndie = 'd6'"), ["there is no key `need` here"]);
    assert_eq!(check("mechanic = 'opposed'\ndie = 'd6'"), ["the key `id` is missing"]);
}

#[test]
fn a_type_that_holds_itself_can_be_checked() {
    #[derive(JsonSchema)]
    #[schemars(deny_unknown_fields)]
    #[expect(dead_code, reason = "the schema is what matters")]
    struct Tree {
        name: String,
        #[serde(default)]
        below: Vec<Tree>,
    }
    let (sources, document) = document("name = 'a'\nbelow = [{ name = 'b', below = [{ nme = 'c' }] }]");
    let faults = check_shape(&document, &schema_for!(Tree)).to_plain(&sources);
    assert_eq!(faults.len(), 1);
    assert_eq!(faults[0].path.as_deref(), Some("below.0.below.0.nme"));
}

#[test]
fn what_only_the_type_knows_is_reported_in_its_place() {
    #[derive(Debug, Deserialize, JsonSchema)]
    struct Strict {
        #[serde(deserialize_with = "even")]
        #[expect(dead_code, reason = "it is never made")]
        number: u8,
    }
    fn even<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
        let number = u8::deserialize(deserializer)?;
        if number % 2 == 0 {
            Ok(number)
        } else {
            Err(serde::de::Error::custom("an odd number of men cannot form square"))
        }
    }
    let (sources, document) = document("# men\nnumber = 3\n");
    let faults = read_as::<Strict>(&document).expect_err("3 is odd").to_plain(&sources);
    assert_eq!((faults[0].line, faults[0].message.as_str()), (Some(2), "an odd number of men cannot form square"));
}

#[test]
fn a_key_that_is_a_number_must_fit_its_type() {
    for key in ["300", "007"] {
        let (sources, document) = document(&GOOD.replace("12 = \"hold\"", &format!("{key} = 'hold'")));
        let faults = read_as::<Wire>(&document).expect_err("no such key").to_plain(&sources);
        assert_eq!(faults[0].message, format!("the key `{key}` is not a whole number from 0 to 255"));
    }
}

/// A file of the maximum size that consists of nothing but faults, or nothing but choices.
#[test]
fn a_mebibyte_is_checked_in_good_time() {
    let strangers: String = (0..80_000).map(|number| format!("k{number:06} = 1\n")).collect();
    let rows: String = (0..30_000).map(|number| format!("[[modifier]]\nid = '{number}'\nadd = 'x'\n")).collect();
    for (text, count) in [(strangers, Diagnostics::KEPT_MAX), (rows, 4)] {
        let (_, document) = document(&text);
        assert_eq!(check_shape(&document, &schema_for!(Wire)).len(), count);
    }
}

#[test]
fn a_variant_may_misspell_what_its_base_has_said() {
    let mut sources = Sources::new();
    let mut parse = |name: &str, text: &str| {
        let file = sources.add(name, text);
        Document::parse(file, &sources).unwrap_or_else(|faults| panic!("{faults}"))
    };
    let (base, variant) = (parse("base.toml", GOOD), parse("variant.toml", "sed = 3"));
    let both = crate::extend(base, variant).unwrap_or_else(|faults| panic!("{faults}"));
    let faults = check_shape(&both, &schema_for!(Wire)).to_plain(&sources);
    assert_eq!(faults.len(), 1);
    assert_eq!(faults[0].help.as_deref(), Some("did you mean `seed`?"));
}
