//! An untrusted results folder.

use std::fs;
use std::path::Path;

use grognard_lab::compare::{self, Compared};
use grognard_lab::json::to_json;
use grognard_lab::progress::{Silent, Stop};
use grognard_lab::results::{Manifest, Results, ResultsWriter, merge};
use grognard_lab::study::Study;
use grognard_source::Sources;
use grognard_stats::Level;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::study::fought;

/// Does everything with a folder that the command does: opens it, compares it with itself, judges it, prints it, merges
/// it alone, resumes it and deploys its study. Returns whether it can be opened. The folder itself is changed.
pub(crate) fn exercise(folder: &Path) -> bool {
    let Ok(manifest) = Manifest::read(folder) else {
        assert!(Results::open(folder).is_err());
        return false;
    };
    let mut sources = Sources::new();
    if let Ok(study) = Study::of_manifest(&manifest, &mut sources) {
        fought(&study);
    }
    let opened = Results::open(folder);
    if let Ok(results) = &opened {
        told(results);
        let sum = folder.join("sum");
        // A refused merge leaves no folder, or a complete one.
        if merge(std::slice::from_ref(results), &sum, "", true, &Silent, &Stop::new()).is_ok() {
            assert!(Results::open(&sum).is_ok());
        }
    }
    let before = opened.is_ok();
    if let Ok((writer, tallied)) = ResultsWriter::resume(folder, manifest.clone()) {
        assert_eq!(tallied.cells.len(), manifest.cells.len());
        drop(writer);
        assert_eq!(Results::open(folder).is_ok(), before);
    }
    before
}

/// Creates everything that the command prints about results: comparisons, expected numbers and JSON.
fn told(results: &Results) {
    let level = Level::default();
    for compared in [
        Compared::of_cells(results, None, level),
        Compared::of_cells(results, Some(0), level),
        Compared::of_folders(results, results, level),
    ] {
        match compared {
            Ok(compared) => assert!(compare::to_json(&compared).is_object()),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    for judged in results.judged() {
        assert!(judged.found.low <= judged.found.high, "{judged:?}");
    }
    assert!(to_json(results).is_object());
}

/// Writes a manifest to a folder after correcting the SHA-256 of everything that it names, as an attacker would.
pub(crate) fn write_signed(folder: &Path, manifest: &[u8]) {
    let mut bytes = manifest.to_vec();
    if let Ok(mut value) = serde_json::from_slice::<Value>(manifest) {
        for name in ["study", "pack"] {
            if let Some(text) = value.pointer(&format!("/{name}/text")).and_then(Value::as_str) {
                let hash = sha256(text.as_bytes());
                set(&mut value, &format!("/{name}/sha256"), hash);
            }
        }
        for name in ["tallies", "summary", "watched", "parts/0", "parts/1"] {
            let path = value.pointer(&format!("/files/{name}/path")).and_then(Value::as_str).map(str::to_owned);
            // Hashes only files inside the folder: no other file may be read.
            let inside = path.filter(|path| {
                path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-./".contains(&byte))
                    && !path.contains("..")
                    && !path.starts_with('/')
            });
            if let Some(file) = inside.and_then(|path| fs::read(folder.join(path)).ok()) {
                set(&mut value, &format!("/files/{name}/sha256"), sha256(&file));
            }
        }
        set(&mut value, "/made/seal", String::new());
        let text = serde_json::to_string_pretty(&value).expect("JSON is JSON");
        let seal = sha256(text.as_bytes());
        bytes = text.replacen("\"seal\": \"\"", &format!("\"seal\": \"{seal}\""), 1).into_bytes();
    }
    fs::write(folder.join("manifest.json"), bytes).expect("the folder can be written");
}

fn set(value: &mut Value, pointer: &str, text: String) {
    if let Some(place) = value.pointer_mut(pointer) {
        *place = Value::String(text);
    }
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
