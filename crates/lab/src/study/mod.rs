//! Studies: from a file to cells that can be fought.
//!
//! A study names a pack and two sides, and varies values at paths. [`Study::load`] reads it, puts the values of the command
//! line into it, expands what it varies into cells, compiles the pack once for each combination of values in it, and deploys every
//! cell. Whatever is wrong is said at once, in [`Diagnostics`]; after that nothing can fail any more.

mod axes;
mod cells;
mod expand;
mod expect;
mod names;
mod pin;
mod render;
mod setup;
#[cfg(test)]
mod tests;
mod wire;

use std::path::Path as FilePath;
use std::sync::Arc;

use grognard_engine::{METRICS, Setup, Side};
use grognard_rules::library;
use grognard_rules::model::Rules;
use grognard_rules::pack_schema;
use grognard_rules::source::{
    Diagnostic, Diagnostics, Document, FileId, Key, Node, Override, Path, Sources, Value, check_shape, decode,
    read_file,
};

use crate::RUNS_MAX;
use crate::results::{
    CellHeader, Ending, FORMAT, Files, Made, Manifest, Method, MetricHeader, PackHeader, Progress, Promise,
    ReportHeader, StudyHeader, Varied, sha256,
};
use crate::runner::BLOCK;
use axes::Axes;
use cells::{Built, Ground};
use names::{entries, join_paths, twice};
use setup::SetupDocument;
use wire::StudyWire;

pub use wire::study_schema;

/// A study, checked and ready to be fought.
#[derive(Clone, Debug)]
pub struct Study {
    /// The study as it was read, with the values of the command line.
    pub header: StudyHeader,
    /// The pack, with what the study sets for all cells.
    pub pack: PackHeader,
    /// The seed of all battles.
    pub seed: u64,
    /// Battles to fight in each cell.
    pub runs: u64,
    /// Names of the two sides; the first one moves first.
    pub sides: [String; 2],
    /// The varied paths and their values.
    pub vary: Vec<Varied>,
    /// The cells, in order.
    pub cells: Vec<Cell>,
    /// What the report shows beside the numbers.
    pub report: ReportHeader,
    /// See [`Manifest::identity`].
    pub identity: String,
}

/// One cell of a study.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Its name, values and baseline.
    pub header: CellHeader,
    /// The rules it is fought by; cells share them where they can.
    pub rules: Arc<Rules>,
    /// How it begins.
    pub setup: Setup,
    /// How it begins with the roles of its sides exchanged, if every second battle does.
    pub swapped: Option<Setup>,
}

/// How one battle of a cell is fought.
#[derive(Clone, Copy, Debug)]
pub struct Bout<'a> {
    /// How it begins.
    pub setup: &'a Setup,
    /// The number by which its dice go.
    pub dice: u64,
    /// Whether the roles of its sides are exchanged: what comes out has to be read with their names exchanged.
    pub swapped: bool,
}

impl Cell {
    /// How the battle of this number is fought.
    ///
    /// Where cells are fought both ways an odd battle has the roles of the one before it exchanged and the same dice: those of
    /// the first mover stay the first mover's.
    #[inline]
    #[must_use]
    pub fn bout(&self, battle: u64) -> Bout<'_> {
        match &self.swapped {
            None => Bout { setup: &self.setup, dice: battle, swapped: false },
            Some(swapped) if battle % 2 == 1 => Bout { setup: swapped, dice: battle / 2, swapped: true },
            Some(_) => Bout { setup: &self.setup, dice: battle / 2, swapped: false },
        }
    }
}

/// What the command line changes in a study.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Another number of battles in each cell.
    pub runs: Option<u64>,
    /// Another seed.
    pub seed: Option<u64>,
    /// Values to put at paths. A path that the study varies is pinned to the value.
    pub set: Vec<Override>,
    /// Another pack: a built-in one by name, or the path of a folder, counted from where the command runs.
    pub pack: Option<String>,
}

impl Study {
    /// Reads a study from a file, or from `study.toml` in a folder.
    ///
    /// # Errors
    /// Everything that is wrong with the study or its pack, gathered.
    pub fn load(path: &FilePath, changes: &Changes, sources: &mut Sources) -> Result<Self, Diagnostics> {
        let within = path.join("study.toml");
        let path = if path.is_dir() { &within } else { path };
        let file = read_file(path, sources)?;
        Self::read(file, path.parent(), changes, sources)
    }

    /// Reads a study from a text among the sources. `beside` is the folder from which a pack's path counts.
    ///
    /// # Errors
    /// Everything that is wrong with the study or its pack, gathered.
    pub fn read(
        file: FileId,
        beside: Option<&FilePath>,
        changes: &Changes,
        sources: &mut Sources,
    ) -> Result<Self, Diagnostics> {
        let (document, wire) = written(file, changes, sources)?;
        let pack_span = document.span_at(&Path::root().join("pack"));
        let beside = if changes.pack.is_some() { None } else { beside };
        let pack = library::load(&wire.pack, beside, sources).map_err(|faults| placed(&faults, pack_span))?;
        let pinned: Vec<Path> = changes.set.iter().map(|change| change.path.clone()).collect();
        Self::checked(&document, wire, pack.document, &pinned, sources)
    }

    /// The study of a results folder again, from the texts in its manifest alone: the same battles, whatever has become of the
    /// files they were read from.
    ///
    /// Battles of another version may differ: then [`Study::identity`] is not [`Manifest::identity`].
    ///
    /// # Errors
    /// The texts are not those of a study and its pack.
    pub fn of_manifest(manifest: &Manifest, sources: &mut Sources) -> Result<Self, Diagnostics> {
        let study = sources.add("the study in manifest.json", manifest.study.text.as_str());
        let pack = sources.add("the pack in manifest.json", manifest.pack.text.as_str());
        let (document, wire) = written(study, &Changes::default(), sources)?;
        // Any of the varied paths may have been pinned by the command line of the run.
        let pinned: Vec<Path> = manifest.vary.iter().filter_map(|varied| Path::parse(&varied.path).ok()).collect();
        Self::checked(&document, wire, Document::parse(pack, sources)?, &pinned, sources)
    }

    /// The study as its document says, fought by the rules of the pack's. Baselines may name values that `pinned` paths
    /// no longer take.
    fn checked(
        document: &Document,
        wire: StudyWire,
        pack: Document,
        pinned: &[Path],
        sources: &Sources,
    ) -> Result<Self, Diagnostics> {
        let setup = SetupDocument::of_study(document, &pack_names())?;
        let sides = setup.sides.clone();

        let mut faults = Diagnostics::new();
        let axes = Axes::read(document, &mut faults);
        let set = document.root.get("set").and_then(Node::as_table);
        let set = set.map_or_else(Vec::new, |table| entries(table, &[], &mut faults));
        for varied in axes.axes.iter().flat_map(|axis| &axis.paths) {
            if let Some(entry) = set.iter().find(|entry| entry.path == varied.path) {
                faults.push(twice(&varied.path, varied.span, entry.span));
            }
        }
        if let Err(more) = axes.check_count(document) {
            faults.append(more);
            return Err(faults);
        }
        let plans = expand::expand(&axes);
        let baselines = expand::baselines(document, &axes, &plans, pinned, &mut faults);
        let expect = expect::expected(&wire.expect, document, &sides, plans.len(), &mut faults);

        check_rounds(document, &wire)?;
        let mut ground = Ground { pack, setup, both_ways: wire.both_ways, sources };
        ground.put(&set, &mut faults);
        ground.check_paths(&plans, &mut faults);
        faults.into_result(())?;
        let (built, variants) = ground.build(&plans)?;

        let title = wire.title.unwrap_or_else(|| wire.study.clone());
        let vary = expand::varied(&plans);
        let identity = identity(wire.seed.unsigned_abs(), &built, &variants);
        let cells: Vec<Cell> = (0..)
            .zip(built)
            .map(|(cell, built)| {
                let plan = &plans[cell as usize];
                let header = expand::header(cell, plan, &vary, baselines[cell as usize], &title);
                cell_of(header, built)
            })
            .collect();
        let text = render::to_toml(document);
        let pack_text = render::to_toml(&ground.pack);
        let rules = cells.first().map(|cell| Arc::clone(&cell.rules));
        Ok(Self {
            header: StudyHeader { name: wire.study, title, sha256: sha256(text.as_bytes()), text },
            pack: PackHeader {
                name: rules.as_ref().map_or(wire.pack, |rules| rules.name.clone()),
                title: rules.as_ref().map_or_else(String::new, |rules| rules.title.clone()),
                version: rules.map_or_else(String::new, |rules| rules.version.clone()),
                sha256: sha256(pack_text.as_bytes()),
                text: pack_text,
            },
            seed: wire.seed.unsigned_abs(),
            runs: wire.runs,
            sides,
            vary,
            cells,
            report: ReportHeader { analysis: wire.report.analysis, highlights: wire.report.highlights, expect },
            identity,
        })
    }

    /// Whether every second battle has the roles of the sides exchanged.
    #[must_use]
    pub fn is_both_ways(&self) -> bool {
        self.cells.iter().any(|cell| cell.swapped.is_some())
    }

    /// For each cell the one it is compared with.
    #[must_use]
    pub fn baselines(&self) -> Vec<Option<u32>> {
        self.cells.iter().map(|cell| cell.header.baseline).collect()
    }

    /// The manifest of a run of this study from which nothing was fought yet.
    #[must_use]
    pub fn manifest(&self, method: Method) -> Manifest {
        let metric = |metric: &grognard_engine::Metric| MetricHeader {
            key: metric.key.to_owned(),
            title: metric.title.to_owned(),
            share: metric.share,
        };
        Manifest {
            format: FORMAT,
            tool: env!("CARGO_PKG_VERSION").to_owned(),
            study: self.header.clone(),
            pack: self.pack.clone(),
            identity: self.identity.clone(),
            seed: self.seed,
            runs: self.runs,
            precision: None,
            sides: self.sides.clone(),
            vary: self.vary.clone(),
            cells: self.cells.iter().map(|cell| cell.header.clone()).collect(),
            metrics: METRICS.iter().map(metric).collect(),
            method,
            level: grognard_stats::Level::default().get(),
            promise: Promise::default(),
            progress: Progress {
                block: BLOCK,
                first: 0,
                battles: 0,
                ending: Ending::Unfinished,
                digest: crate::digest::Digest::default().to_string(),
            },
            files: Files::default(),
            report: self.report.clone(),
            made: Made::default(),
        }
    }
}

/// A study's document with the values of the command line, and what it says.
fn written(file: FileId, changes: &Changes, sources: &Sources) -> Result<(Document, StudyWire), Diagnostics> {
    let mut document = Document::parse(file, sources)?;
    join_paths(&mut document);
    check_shape(&document, study_schema()).into_result(())?;
    change(&mut document, changes)?;
    let wire: StudyWire = decode(&document)?;
    check_name(&document, &wire)?;
    Ok((document, wire))
}

/// Writes what the command line says into the study.
fn change(document: &mut Document, changes: &Changes) -> Result<(), Diagnostics> {
    let mut number = |name: &str, value: Option<u64>, most: u64| {
        let Some(value) = value else { return Ok(()) };
        let Some(value) = i64::try_from(value).ok().filter(|_| value <= most) else {
            let fault = Diagnostic::new(format!("--{name} {value} is too large"));
            return Err(Diagnostics::from(fault.help(format!("{most} is the most"))));
        };
        let span = document.span;
        document.root.insert(Key { name: name.to_owned(), span }, Node { value: Value::Int(value), span });
        Ok(())
    };
    number("runs", changes.runs, RUNS_MAX)?;
    number("seed", changes.seed, i64::MAX.unsigned_abs())?;
    if changes.runs == Some(0) {
        return Err(Diagnostic::new("--runs 0 asks for no battles").help("ask for at least 1").into());
    }
    if let Some(pack) = &changes.pack {
        let span = document.span;
        let (key, node) = (Key { name: "pack".to_owned(), span }, Node { value: Value::Text(pack.clone()), span });
        document.root.insert(key, node);
    }
    for set in &changes.set {
        pin::pin(document, set);
    }
    // Odds known from elsewhere are those of the study as it was written.
    if (!changes.set.is_empty() || changes.pack.is_some())
        && let Some(expect) = document.root.get_mut("expect")
    {
        expect.value = Value::Array(Vec::new());
    }
    Ok(())
}

/// Where battles go in rounds of two there is an even number of them.
fn check_rounds(document: &Document, wire: &StudyWire) -> Result<(), Diagnostics> {
    if !wire.both_ways || wire.runs.is_multiple_of(2) {
        return Ok(());
    }
    let path = Path::root().join("runs");
    let fault = Diagnostic::new(format!("{} battles are not an even number, and each is fought both ways", wire.runs));
    let help = format!("{} would be", wire.runs + 1);
    Err(fault.at(document.span_at(&path)).path(&path).help(help).into())
}

/// A study's name becomes a folder's.
fn check_name(document: &Document, wire: &StudyWire) -> Result<(), Diagnostics> {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let name = &wire.study;
    if name.len() <= 100 && name.bytes().all(plain) && name.starts_with(|first: char| first.is_ascii_alphanumeric()) {
        return Ok(());
    }
    let path = Path::root().join("study");
    let fault = Diagnostic::new(format!("{} is no name for a study", Value::Text(name.clone())));
    let help = "lower-case letters, digits and dashes: results go to a folder of that name";
    Err(fault.at(document.span_at(&path)).path(&path).help(help).into())
}

/// What a pack's paths begin with: no name for a side.
fn pack_names() -> Vec<&'static str> {
    let properties = pack_schema().get("properties").and_then(serde_json::Value::as_object);
    properties.into_iter().flat_map(|properties| properties.keys().map(String::as_str)).collect()
}

/// Puts the faults that stand nowhere at the study's `pack`.
fn placed(faults: &Diagnostics, span: grognard_rules::source::Span) -> Diagnostics {
    let mut placed = Diagnostics::new();
    placed.extend(faults.sorted().into_iter().map(|fault| {
        let mut fault = fault.clone();
        fault.span = fault.span.or(Some(span));
        fault
    }));
    placed
}

fn cell_of(header: CellHeader, built: Built) -> Cell {
    let units = &built.setup.start.units;
    let figures = |side: Side| units.iter().filter(|unit| unit.side == side).map(|unit| u32::from(unit.start)).sum();
    let header = CellHeader { turns: built.setup.turns, figures: Side::BOTH.map(figures), ..header };
    Cell { header, rules: built.rules, setup: built.setup, swapped: built.swapped }
}

/// See [`Manifest::identity`]. The version counts too: another one may fight the same battles otherwise.
fn identity(seed: u64, built: &[Built], variants: &[Document]) -> String {
    let variants: Vec<String> = variants.iter().map(|pack| sha256(render::to_toml(pack).as_bytes())).collect();
    let mut text = format!("{} {seed}\n", env!("CARGO_PKG_VERSION"));
    for cell in built {
        let both_ways = if cell.swapped.is_some() { " both ways" } else { "" };
        text.push_str(&format!("{} {:?}{both_ways}\n", variants[cell.variant], cell.deployment));
    }
    sha256(text.as_bytes())
}
