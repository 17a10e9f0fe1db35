//! The schema of a single file of a pack, for editors. They see only one file at a time, so missing keys may be in
//! other files.

use std::sync::OnceLock;

use schemars::Schema;
use serde_json::{Map, Value as Json, json};

use super::pack_schema;

/// The JSON Schema of a file that is part of a pack: one of several, or a variant that contains only the differences
/// from its base.
///
/// It is [`pack_schema`], but no key is required, and rows and tables may be removed. A whole pack is checked against
/// [`pack_schema`] by [`compile()`](super::compile()).
pub fn part_schema() -> &'static Schema {
    static SCHEMA: OnceLock<Schema> = OnceLock::new();
    SCHEMA.get_or_init(|| {
        let mut part = loosened(pack_schema().as_value());
        if let Some(layer) = part.as_object_mut() {
            layer.insert("title".to_owned(), json!("A part of a rule pack"));
            if let Some(keys) = layer.get_mut("properties").and_then(Json::as_object_mut) {
                keys.remove("remove");
            }
        }
        Schema::try_from(part).unwrap_or_default()
    })
}

fn loosened(part: &Json) -> Json {
    let Some(layer) = part.as_object() else { return part.clone() };
    let mut loose = Map::new();
    for (keyword, value) in layer {
        match keyword.as_str() {
            // Another file may give what this one leaves out.
            "required" => {}
            "properties" | "patternProperties" | "$defs" => {
                let parts = value.as_object().into_iter().flatten();
                let parts = parts.map(|(name, part)| (name.clone(), loosened(part))).collect();
                loose.insert(keyword.clone(), Json::Object(parts));
            }
            // Without the keys that distinguish the alternatives, more than one of them may fit.
            "oneOf" | "anyOf" => {
                let parts = value.as_array().into_iter().flatten().map(loosened).collect();
                loose.insert("anyOf".to_owned(), Json::Array(parts));
            }
            "allOf" | "prefixItems" => {
                let parts = value.as_array().into_iter().flatten().map(loosened).collect();
                loose.insert(keyword.clone(), Json::Array(parts));
            }
            "items" | "additionalProperties" => {
                loose.insert(keyword.clone(), loosened(value));
            }
            _ => {
                loose.insert(keyword.clone(), value.clone());
            }
        }
    }
    if let Some(keys) = loose.get_mut("properties").and_then(Json::as_object_mut) {
        let remove = match keys.contains_key("id") {
            true => "Whether to remove this row of the base. The row then has no other keys but `id`.",
            false => "Whether to remove this table of the base. It then has no other keys.",
        };
        keys.entry("remove").or_insert_with(|| json!({ "description": remove, "type": "boolean" }));
    }
    Json::Object(loose)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::PACKS;
    use grognard_source::{Diagnostics, Document, Sources, check_shape};

    fn check(text: &str) -> Result<(), String> {
        let mut sources = Sources::new();
        let file = sources.add("part.toml", text);
        let faults = Document::parse(file, &sources).map(|document| check_shape(&document, part_schema()));
        let faults: Diagnostics = faults.unwrap_or_else(|faults| faults);
        if faults.is_empty() { Ok(()) } else { Err(faults.render(&sources, false)) }
    }

    #[test]
    fn every_file_of_every_built_in_pack_is_a_part() {
        for pack in PACKS {
            for (file, text) in pack.files {
                assert_eq!(check(text), Ok(()), "{}/{file}", pack.name);
            }
        }
    }

    #[test]
    fn a_variant_is_a_part() {
        let text = "pack = 'mine'\nextends = 'risk'\n[[clause]]\nid = 'dice'\nremove = true\n\
            [[roll.assault.result]]\nid = 'losses'\nfoe = { lose = 1 }\n[unit.army]\nfigures = 9\n";
        assert_eq!(check(text), Ok(()));
    }

    #[test]
    fn the_examples_of_common_rules_are_parts() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/common-rules.md");
        let page = std::fs::read_to_string(page).expect("the page of common rules");
        let packs: Vec<&str> = page
            .split("\n```toml file=")
            .skip(1)
            .filter_map(|example| example.split_once('\n'))
            .filter(|(file, _)| file.ends_with("/pack.toml"))
            .filter_map(|(_, rest)| rest.split("\n```").next())
            .collect();
        assert!(packs.len() > 60, "{}", packs.len());
        for pack in packs {
            assert_eq!(check(pack), Ok(()), "{pack}");
        }
    }

    #[test]
    fn a_part_is_still_held_to_its_keys_and_values() {
        for (text, fault) in [
            ("titel = 'mine'", "`titel`"),
            ("unit.army.figures = 'many'", "expected"),
            ("[[phase]]\nmechanism = 'undre'", "`undre`"),
        ] {
            let told = check(text).expect_err("a fault");
            assert!(told.contains(fault), "{told}");
        }
    }

    #[test]
    fn nothing_must_be_given() {
        fn walk(part: &Json, found: &mut Vec<String>) {
            match part {
                Json::Object(layer) => {
                    found.extend(layer.get("required").filter(|list| list.is_array()).map(ToString::to_string));
                    layer.values().for_each(|part| walk(part, found));
                }
                Json::Array(parts) => parts.iter().for_each(|part| walk(part, found)),
                _ => {}
            }
        }
        let mut found = Vec::new();
        walk(part_schema().as_value(), &mut found);
        assert_eq!(found, Vec::<String>::new());
        assert!(part_schema().as_value().get("properties").is_some());
    }
}
