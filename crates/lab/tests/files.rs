//! The page on files names the actual columns of the files.

use std::collections::BTreeSet;
use std::path::Path;

use grognard_exact::{Limits, Progress};
use grognard_lab::exact::{SolveOptions, Watcher};
use grognard_lab::folder_run::FolderRun;
use grognard_lab::library;
use grognard_lab::progress::{Silent, Stop};
use grognard_lab::results::{Columns, Promise};
use grognard_lab::runner::{Keep, Shard};
use grognard_lab::study::{Changes, Study};
use grognard_source::Sources;
use polars_core::prelude::{DataFrame, DataType};
use polars_io::prelude::{ParquetReader, SerReader};

/// The tables of the page: the name of a file or folder, and its columns with their types.
fn documented() -> Vec<(String, Vec<(String, String)>)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/files.md");
    let text = std::fs::read_to_string(path).expect("the page");
    let mut tables: Vec<(String, Vec<(String, String)>)> = Vec::new();
    let mut is_of_columns = false;
    for line in text.lines() {
        // A section may also contain other tables.
        is_of_columns = line.starts_with("| column | type |") || (is_of_columns && !line.is_empty());
        if line.starts_with('#') {
            let name = line.split('`').nth(1).unwrap_or_default();
            tables.push((name.trim_end_matches('/').to_owned(), Vec::new()));
        }
        let fields: Vec<&str> = line.split(" | ").collect();
        let column = fields[0].strip_prefix("| `").and_then(|field| field.strip_suffix('`'));
        if let (true, Some(column), [_, kind, _], Some((_, columns))) =
            (is_of_columns, column, fields.as_slice(), tables.last_mut())
        {
            columns.push((column.to_owned(), (*kind).to_owned()));
        }
    }
    tables.retain(|(name, columns)| name.starts_with("data/") && !columns.is_empty());
    tables
}

/// Replaces the page's placeholders with the columns of a study.
fn expanded(study: &Study, columns: Vec<(String, String)>) -> BTreeSet<(String, String)> {
    let names = Columns::of(&study.sides, &study.vary);
    let mut all = BTreeSet::new();
    for (column, kind) in columns {
        if column == "<path>" {
            // The headline study varies only words.
            all.extend(names.vary.iter().map(|name| (name.clone(), "string".to_owned())));
        } else if column == "<side>_<metric>" {
            // The headline study requests no metrics; the test `metrics` reads those of a study that does.
            assert!(study.cells.iter().all(|cell| cell.gauges.is_empty()));
        } else if let Some(what) = column.strip_prefix("<side>") {
            all.extend([&names.sides.first, &names.sides.second].map(|side| (format!("{side}{what}"), kind.clone())));
        } else {
            all.insert((column, kind));
        }
    }
    all
}

fn frame(path: &Path) -> DataFrame {
    let file = std::fs::File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    ParquetReader::new(file).finish().expect("Parquet")
}

/// The columns of a file, or of the first part of a folder.
fn written(path: &Path) -> BTreeSet<(String, String)> {
    let path = if path.is_dir() { path.join("part-00000.parquet") } else { path.to_owned() };
    let frame = frame(&path);
    let kind = |kind: &DataType| match kind {
        DataType::Int32 => "int32".to_owned(),
        DataType::Int64 => "int64".to_owned(),
        DataType::Float64 => "double".to_owned(),
        DataType::Boolean => "bool".to_owned(),
        DataType::String => "string".to_owned(),
        other => format!("{other}, which not every tool reads"),
    };
    frame.columns().iter().map(|column| (column.name().to_string(), kind(column.dtype()))).collect()
}

struct Nobody;

impl Watcher for Nobody {
    fn walking(&self, _cell: u32, _progress: &Progress) {}
    fn solved(&self, _cell: u32) {}
}

#[test]
fn documented_columns_are_the_written_ones() {
    let place = tempfile::tempdir().expect("a temporary folder");
    let mut sources = Sources::new();
    let changes = Changes { runs: Some(50), ..Changes::default() };
    let study = library::load(Path::new("square-vs-line"), &changes, &mut sources);
    let study = study.unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)));
    let (fought, solved) = (place.path().join("fought"), place.path().join("exact"));
    let folder_run = FolderRun {
        folder: fought.clone(),
        resume: false,
        shard: Shard::WHOLE,
        precision: None,
        level: Default::default(),
        promise: Promise::default(),
        luck: true,
        watch: false,
        keep: Keep::All,
        threads: 2,
        command: String::new(),
    };
    folder_run.fight(&study, &Silent, &Stop::new()).expect("a run");
    let options =
        SolveOptions { limits: Limits::default(), cells: vec![0], time: None, threads: 1, command: String::new() };
    options.solve_into(&solved, &study, &Nobody, &Stop::new()).expect("odds");

    let mut seen = BTreeSet::new();
    for (name, columns) in documented() {
        let folder = if fought.join(&name).exists() { &fought } else { &solved };
        assert_eq!(written(&folder.join(&name)), expanded(&study, columns), "{name}");
        seen.insert(name);
    }
    // Every table is on the page.
    let tables = |folder: &Path| {
        let entries = std::fs::read_dir(folder.join("data")).expect("a folder");
        entries
            .map(|entry| format!("data/{}", entry.expect("an entry").file_name().to_string_lossy()))
            .collect::<Vec<_>>()
    };
    let all: BTreeSet<String> = tables(&fought).into_iter().chain(tables(&solved)).collect();
    assert_eq!(seen, all);

    // A rout that did not happen has no turn, not turn 0.
    let tallies = frame(&fought.join("data/tallies.parquet"));
    let text = |name: &str| tallies.column(name).and_then(|column| column.str().cloned()).expect("a text");
    let (kinds, metrics) = (text("kind"), text("metric"));
    let values = tallies.column("value").and_then(|column| column.i32().cloned()).expect("a number");
    let counts = tallies.column("count").and_then(|column| column.i64().cloned()).expect("a number");
    let rows =
        (0..tallies.height()).filter(|&row| kinds.get(row) == Some("count") && metrics.get(row) == Some("rout_turn"));
    let rows: Vec<_> = rows.map(|row| (values.get(row), counts.get(row).expect("a count"))).collect();
    assert!(rows.iter().any(|(turn, _)| turn.is_none()) && rows.iter().all(|(turn, _)| *turn != Some(0)), "{rows:?}");
    assert_eq!(rows.iter().map(|(_, count)| count).sum::<i64>(), 2 * 50 * study.cells.len() as i64);
}
