//! The notebook `reading-results` reads columns and values that exist in results folders, and therefore in the tables
//! of the Python package.
//!
//! If the package can be built, `recipes/python/check` runs the cells of the notebook. If it cannot, this test still
//! compares the notebook with the files.

use std::collections::BTreeSet;
use std::path::Path;

use grognard_lab::folder_run::FolderRun;
use grognard_lab::library;
use grognard_lab::progress::{Silent, Stop};
use grognard_lab::results::Promise;
use grognard_lab::runner::{Keep, Shard};
use grognard_lab::study::Changes;
use grognard_source::Sources;
use grognard_stats::Level;
use polars_core::prelude::DataFrame;
use polars_io::prelude::{ParquetReader, SerReader};
use serde_json::Value as Json;

/// The code of all cells.
fn code() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../notebooks/reading-results.ipynb");
    let notebook: Json = serde_json::from_str(&std::fs::read_to_string(path).expect("the notebook")).expect("JSON");
    let cells = notebook["cells"].as_array().expect("cells").iter().filter(|cell| cell["cell_type"] == "code");
    let sources = cells.flat_map(|cell| cell["source"].as_array().expect("lines"));
    sources.map(|line| line.as_str().expect("text")).collect()
}

/// The texts between `start` and the quote that ends them, each with the text after it.
fn quoted<'a>(code: &'a str, start: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    code.split(start).skip(1).map(|rest| rest.split_once('"').expect("a text ends"))
}

fn read(path: &Path) -> DataFrame {
    ParquetReader::new(std::fs::File::open(path).expect("a file")).finish().expect("Parquet")
}

#[test]
fn every_column_and_value_it_names_is_there() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut sources = Sources::new();
    let changes = Changes { runs: Some(200), ..Changes::default() };
    let study = library::load(Path::new("square-vs-line"), &changes, &mut sources);
    let study = study.unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)));
    let folder_run = FolderRun {
        folder: folder.path().to_owned(),
        resume: false,
        shard: Shard::WHOLE,
        precision: None,
        level: Level::P95,
        promise: Promise::default(),
        luck: false,
        watch: false,
        keep: Keep::All,
        threads: 2,
        command: String::new(),
    };
    folder_run.fight(&study, &Silent, &Stop::new()).expect("a run");

    let frames = ["summary.parquet", "cells.parquet", "battles/part-00000.parquet", "battle_sides/part-00000.parquet"]
        .map(|name| read(&folder.path().join("data").join(name)));
    let columns: BTreeSet<String> =
        frames.iter().flat_map(DataFrame::get_column_names).map(|name| name.to_string()).collect();

    let code = code();
    let mut named = 0;
    for (column, rest) in quoted(&code, "pl.col(\"") {
        assert!(columns.contains(column), "there is no column {column}");
        named += 1;
        let Some(value) = rest.strip_prefix(") == \"").and_then(|rest| rest.split('"').next()) else { continue };
        let of_frames = frames.iter().filter_map(|frame| frame.column(column).ok()).any(|found| {
            let text = found.str().expect("a column of texts");
            (0..text.len()).any(|row| text.get(row) == Some(value))
        });
        assert!(of_frames, "{column} is never {value}");
    }
    assert!(named >= 12, "only {named} columns were looked for");

    let manifest = std::fs::read_to_string(folder.path().join("manifest.json")).expect("a manifest");
    let manifest: Json = serde_json::from_str(&manifest).expect("JSON");
    for (key, rest) in quoted(&code, "manifest[\"") {
        assert!(!manifest[key].is_null(), "the manifest has no {key}");
        if let Some(within) = rest.strip_prefix("][\"").and_then(|rest| rest.split('"').next()) {
            assert!(!manifest[key][within].is_null(), "the manifest has no {key}.{within}");
        }
    }
}
