//! Studies: from a file to cells that can be fought.
//!
//! A study names a pack and two sides, and varies values at paths. [`Study::load`] reads it, sets the values of the
//! command line, expands the varied values into cells, compiles the pack once for each combination of its values,
//! and deploys every cell. All errors are reported at once, in [`Diagnostics`]; after that nothing can fail.

mod as_written;
mod axes;
mod cells;
mod doctrines;
mod expand;
mod expect;
mod experts;
mod headline;
mod labels;
mod names;
mod part;
mod pin;
mod players;
mod render;
mod saved;
mod select;
mod setup;
mod switches;
mod target;
#[cfg(test)]
mod tests;
mod texts;
mod traits;
mod variants;
mod widened;
mod wire;

use std::fmt::Write;
use std::path::Path as FilePath;
use std::sync::Arc;

use grognard_engine::{Deployment, METRICS, Misdeployment, Setup, Side, deploy, points_range};
use grognard_rules::library::{self, Pack, Variant};
use grognard_rules::model::Rules;
use grognard_rules::pack_schema;
use grognard_source::{
    Diagnostic, Diagnostics, Document, FileId, Key, Node, Override, Path, Sources, Span, Value, check_shape, decode,
};

use crate::RUNS_MAX;
use crate::results::{
    CellHeader, Ending, FORMAT, Files, Made, Manifest, Method, MetricHeader, PackHeader, Progress, Promise,
    RatioHeader, ReportHeader, Sha256, StudyHeader, Varied, sha256,
};
use crate::runner::BLOCK;
use cells::Built;
use names::join_paths;
use texts::{Written, of_texts, varied_paths};
use wire::{ReportWire, StudyWire};

pub use doctrines::WrittenDoctrine;
pub use experts::Experts;
pub use players::Rung;
pub use saved::Whereabouts;
pub use switches::{Rule, Switch};
pub(crate) use target::share_or_number;
pub use target::{Target, metric_of, metrics_of, unknown_metric};
pub use traits::Twin;
pub use variants::{Change, Number, Variants, written_as};
pub(crate) use variants::{as_number, pip, thousandths};
pub use wire::study_schema;

/// A study, checked and ready to be fought.
#[derive(Clone, Debug)]
pub struct Study {
    /// The study as it was read, with the values of the command line.
    pub header: StudyHeader,
    /// The pack, with the values that the study sets for all cells; the first part's if there are several.
    pub pack: PackHeader,
    /// The packs of the other parts, in their order.
    pub more_packs: Vec<PackHeader>,
    /// The seed of all battles.
    pub seed: u64,
    /// Battles to fight in each cell.
    pub runs: u64,
    /// Names of the sides; the first one moves first.
    pub sides: Vec<String>,
    /// Where the study names a third side; `None` if it does not.
    pub third: Option<Span>,
    /// The varied paths and their values.
    pub vary: Vec<Varied>,
    /// The cells, in order.
    pub cells: Vec<Cell>,
    /// The texts and labels of the report.
    pub report: ReportHeader,
    /// The designer's targets.
    pub targets: Vec<Target>,
    /// The players with whom its findings are repeated, in the order in which they are reported; empty if it names
    /// none.
    pub ladder: Vec<Rung>,
    /// The player, such as `trained`, whose doctrines the sides already use: in every cell, each side that lists this player
    /// follows its doctrine. `None` if there is no such player, or more than one.
    pub default_player: Option<String>,
    /// See [`Manifest::identity`].
    pub identity: String,
}

/// One cell of a study.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Its name, values and baseline.
    pub header: CellHeader,
    /// The rules by which it is fought; cells share them where possible.
    pub rules: Arc<Rules>,
    /// Its initial position.
    pub setup: Setup,
    /// The metrics that the study asks for, indices into [`Rules::gauges`].
    pub gauges: Vec<u8>,
    /// Its initial position with the roles of its sides exchanged, if that is so in every other battle.
    pub swapped: Option<Box<Setup>>,
    /// Its initial position for perfect players who choose from the orders of other doctrines; `None` if they choose
    /// from those of their sides' own.
    pub experts: Option<Arc<Experts>>,
}

/// How one battle of a cell is fought.
#[derive(Clone, Copy, Debug)]
pub struct Bout<'a> {
    /// Its initial position.
    pub setup: &'a Setup,
    /// The number that selects its dice.
    pub dice: u64,
    /// Whether the roles of its sides are exchanged; the sides of the outcome must then be exchanged too.
    pub swapped: bool,
}

impl Cell {
    /// How the battle of this number is fought.
    ///
    /// If cells are fought both ways, an odd battle has the dice of the one before it, but with the roles exchanged:
    /// the first mover keeps the first mover's dice.
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

impl Cell {
    /// The initial position if these sides play perfectly, also with the roles of the sides exchanged.
    #[must_use]
    pub fn begins(&self, play_best: [bool; 2]) -> (&Setup, Option<&Setup>) {
        let own = (&self.setup, self.swapped.as_deref());
        self.experts.as_ref().and_then(|experts| experts.begins(play_best)).unwrap_or(own)
    }

    /// The doctrine whose orders the perfect player of a side chooses from, if it is not the side's own.
    #[must_use]
    pub fn best_of(&self, side: Side) -> Option<&str> {
        self.experts.as_ref()?.doctrine(side)
    }

    /// The cell with another deployment and the same header. Perfect players in it have the orders of their own
    /// doctrines.
    ///
    /// # Errors
    /// Everything in it that the rules do not allow.
    pub fn drawn_up(&self, deployment: &Deployment) -> Result<Self, Vec<Misdeployment>> {
        let setup = deploy(&self.rules, deployment)?;
        let swapped =
            self.swapped.is_some().then(|| deploy(&self.rules, &deployment.swapped()).map(Box::new)).transpose()?;
        Ok(Self { setup, swapped, experts: None, ..self.clone() })
    }
}

/// A study as written, and the packs that it names.
struct Parts {
    document: Document,
    wire: StudyWire,
    parts: Vec<part::Written>,
    packs: Vec<Document>,
    /// How the packs relate to those that they extend.
    variants: Vec<Variant>,
}

/// The changes that the command line makes to a study.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Another number of battles in each cell.
    pub runs: Option<u64>,
    /// Another seed.
    pub seed: Option<u64>,
    /// Values to set at paths. A path that the study varies is pinned to the value.
    pub set: Vec<Override>,
    /// Another pack: a built-in one by name, or the path of a folder, relative to the current folder.
    pub pack: Option<String>,
    /// The option that names this pack, if it is not `--pack`: faults in the name are placed there.
    pub pack_option: Option<&'static str>,
    /// Lists of values over which to vary paths, replacing what the study does there. Only programs use this.
    pub vary: Vec<Override>,
    /// Packs in memory: a study that names one finds it here first; if there is only one, a study of one part uses it.
    /// Only programs have any.
    pub packs: Vec<Pack>,
}

impl Changes {
    /// The paths whose values differ from the study's.
    fn paths(&self) -> impl Iterator<Item = &Path> {
        self.set.iter().chain(&self.vary).map(|change| &change.path)
    }
}

impl Study {
    /// Reads a study from a file, or from `study.toml` in a folder.
    ///
    /// # Errors
    /// Everything that is wrong with the study or its pack, gathered.
    pub fn load(path: &FilePath, changes: &Changes, sources: &mut Sources) -> Result<Self, Diagnostics> {
        let (file, beside) = crate::library::open(path, sources)?;
        Self::read(file, beside.as_deref(), changes, sources)
    }

    /// Reads a study from one of the sources. A pack's path is relative to the folder `beside`.
    ///
    /// # Errors
    /// Everything that is wrong with the study or its pack, gathered.
    pub fn read(
        file: FileId,
        beside: Option<&FilePath>,
        changes: &Changes,
        sources: &mut Sources,
    ) -> Result<Self, Diagnostics> {
        let Parts { document, wire, parts, packs, variants } = Self::parts(file, beside, changes, sources)?;
        let pinned: Vec<Path> = changes.paths().cloned().collect();
        let explained =
            |faults: Diagnostics| variants.iter().fold(faults, |faults, variant| variant.explained(faults).0);
        let mut study = Self::checked(&document, wire, parts, packs, &pinned, sources).map_err(explained)?;
        study.report.question = headline::question(sources.text(file));
        Ok(study)
    }

    /// The name of the study in a text, and whether it has parts, if its keys and values have the right shape. Its
    /// pack is not read.
    ///
    /// # Errors
    /// Everything that is wrong with the shape.
    pub fn head(file: FileId, sources: &Sources) -> Result<(String, bool), Diagnostics> {
        let (_, wire) = written(file, &Changes::default(), sources)?;
        Ok((wire.study, !wire.part.is_empty()))
    }

    /// Checks that every path that is set or varied exists and takes its values, and everything else that can be
    /// checked before the rules are compiled.
    ///
    /// # Errors
    /// The errors so far.
    pub fn check_paths(
        file: FileId,
        beside: Option<&FilePath>,
        changes: &Changes,
        sources: &mut Sources,
    ) -> Result<(), Diagnostics> {
        let Parts { wire, parts, packs, .. } = Self::parts(file, beside, changes, sources)?;
        let pinned: Vec<Path> = changes.paths().cloned().collect();
        let (_, faults) = Self::plan(parts, packs, &pinned, wire.both_ways, sources)?;
        faults.into_result(())
    }

    /// The study's text with its changes, its parts, and the packs that they name.
    fn parts(
        file: FileId,
        beside: Option<&FilePath>,
        changes: &Changes,
        sources: &mut Sources,
    ) -> Result<Parts, Diagnostics> {
        let (mut document, wire) = written(file, changes, sources)?;
        // If the command line names the pack, faults in the name are located there, not in the study.
        let asked = changes.pack.as_ref().map(|pack| {
            let file = sources.add(changes.pack_option.unwrap_or("--pack"), pack.as_str());
            Span::new(file, 0..pack.len())
        });
        let beside = if changes.pack.is_some() { None } else { beside };
        let mut parts = part::written(&document)?;
        let (mut packs, mut variants) = (Vec::new(), Vec::new());
        for part in &parts {
            let (name, span) = &part.pack;
            if let Some(pack) = changes.packs.iter().find(|pack| pack.name == *name) {
                packs.push(pack.document.clone());
                continue;
            }
            let pack =
                library::load(name, beside, sources).map_err(|faults| placed(&faults, asked.unwrap_or(*span)))?;
            packs.push(pack.document);
            variants.push(pack.variant);
        }
        if parts.len() > 1 {
            put_where_it_fits(&mut document, &parts, &packs, changes);
            parts = part::written(&document)?;
        }
        Ok(Parts { document, wire, parts, packs, variants })
    }

    /// Plans the cells of all parts, and gathers the errors in any of them.
    fn plan<'s>(
        parts: Vec<part::Written>,
        packs: Vec<Document>,
        pinned: &[Path],
        both_ways: bool,
        sources: &'s Sources,
    ) -> Result<(Vec<part::Planned<'s>>, Diagnostics), Diagnostics> {
        let mut faults = Diagnostics::new();
        let mut planned = Vec::new();
        let several = parts.len() > 1;
        for (part, pack) in parts.into_iter().zip(packs) {
            let called = part.called();
            match part::plan(part, pack, pinned, both_ways, sources) {
                Ok(part) => planned.push(part),
                Err(more) if several => {
                    faults.extend(more.sorted().into_iter().map(|fault| fault.clone().note(called.as_str(), None)));
                }
                Err(more) => faults.append(more),
            }
        }
        if planned.is_empty() { Err(faults) } else { Ok((planned, faults)) }
    }

    /// The study of a results folder, only from the texts in its manifest: the same battles, even if the original
    /// files have changed.
    ///
    /// Battles of another version may differ: then [`Study::identity`] is not [`Manifest::identity`].
    ///
    /// # Errors
    /// The texts are not those of a study and its packs.
    pub fn of_manifest(manifest: &Manifest, sources: &mut Sources) -> Result<Self, Diagnostics> {
        let texts: Vec<&str> = manifest.packs().map(|pack| pack.text.as_str()).collect();
        let Written { document, wire, parts, packs } = of_texts(&manifest.study.text, &texts, sources)?;
        // Any of the varied paths may have been pinned by the command line of the run, and any side given another
        // doctrine.
        let doctrines = manifest.sides.iter().map(|side| Path::root().join(side.as_str()).join("doctrine"));
        let pinned: Vec<Path> = varied_paths(&manifest.vary).into_iter().chain(doctrines).collect();
        Self::checked(&document, wire, parts, packs, &pinned, sources)
    }

    /// The study that its document describes, with the rules of the packs. Baselines may name values that `pinned`
    /// paths no longer take.
    fn checked(
        document: &Document,
        wire: StudyWire,
        parts: Vec<part::Written>,
        packs: Vec<Document>,
        pinned: &[Path],
        sources: &Sources,
    ) -> Result<Self, Diagnostics> {
        let (planned, mut faults) = Self::plan(parts, packs, pinned, wire.both_ways, sources)?;
        let Some(first) = planned.first() else { return Err(faults) };
        let sides = first.sides.clone();
        for part in planned.iter().filter(|part| part.sides != sides) {
            let fault = Diagnostic::new(format!(
                "its sides are {} instead of {}",
                part.sides.join(" and "),
                sides.join(" and ")
            ));
            faults.push(fault.at(part.span).help("all parts of a study need the same sides, in the same order"));
        }
        let asked = asked(document);
        let count: usize = planned.iter().map(|part| part.plans.len()).sum();
        if count > axes::CELLS_MAX {
            faults.push(Diagnostic::new(format!("the parts have {count} cells; the limit is {}", axes::CELLS_MAX)));
        }
        let expect = expect::expected(&wire.expect, document, &sides, count, &mut faults);
        let single = planned.len() == 1;
        let common = if single { None } else { common_baseline(document, count, &mut faults) };
        check_rounds(document, &wire, sides.len())?;
        let own: Vec<Varied> = planned.iter().flat_map(|part| expand::varied(&part.plans)).collect();
        // A misspelt unit is reported before the label of the unit that was meant.
        let mut of_labels = Diagnostics::new();
        let labels = labels::labels(document, &part::united(own.iter()), pinned, &mut of_labels);
        faults.into_result(())?;

        let title = wire.title.unwrap_or_else(|| wire.study.clone());
        let seed = wire.seed.unsigned_abs();
        let mut decides = Sha256::default();
        writeln!(decides, "{} {seed}", env!("CARGO_PKG_VERSION")).expect("a sum of text succeeds");
        let (mut made, mut cell) = (Vec::new(), 0);
        for part in planned {
            let next = cell + part.plans.len() as u32;
            made.push(part.make(cell, &title, &labels, &mut decides)?);
            cell = next;
        }
        of_labels.into_result(())?;
        check_asked(document, &asked, &made)?;
        let vary = part::united(made.iter().flat_map(|part| &part.vary));
        asked.iter().for_each(|metric| decides.write_str(metric).expect("a sum of text succeeds"));
        let text = render::to_toml(document);
        let (mut packs, mut cells, mut deployments) = (Vec::new(), Vec::new(), Vec::new());
        for part in made {
            packs.push(part.pack);
            for ready in part.cells {
                deployments.push(ready.deployment);
                cells.push(Cell {
                    header: CellHeader { baseline: common.or(ready.header.baseline), ..ready.header },
                    gauges: asked.iter().filter_map(|metric| ready.rules.gauge(metric)).collect(),
                    rules: ready.rules,
                    setup: ready.setup,
                    swapped: ready.swapped,
                    experts: ready.experts,
                });
            }
        }
        let mut packs = packs.into_iter();
        let pack = packs.next().unwrap_or_default();
        let headers: Vec<&CellHeader> = cells.iter().map(|cell: &Cell| &cell.header).collect();
        let headline = headline::headline(document, &headers, &headline::metrics(&sides, &asked), pinned)?;
        let targets = target::targets(&wire.target, document, &sides, &headers, pinned)?;
        let ReportWire { analysis, highlights, .. } = wire.report;
        let question = String::new();
        let mut study = Self {
            header: StudyHeader { name: wire.study, title, sha256: sha256(text.as_bytes()), text },
            pack,
            more_packs: packs.collect(),
            seed,
            runs: wire.runs,
            third: third_side(document).filter(|_| sides.len() > 2),
            sides,
            vary,
            cells,
            report: ReportHeader { analysis, highlights, expect, question, headline, labels, players: None },
            targets,
            ladder: Vec::new(),
            default_player: None,
            identity: decides.finish(),
        };
        study.default_player = players::default_player(&study, &deployments);
        players::ask(document, &mut study, &deployments, pinned)?;
        Ok(study)
    }

    /// Refuses a question about two sides if the study has more. `what` names the question, such as `matchups`.
    ///
    /// # Errors
    /// The study has more than two sides.
    pub fn of_two_sides(&self, what: &str) -> Result<(), Diagnostics> {
        let Some(third) = self.third else { return Ok(()) };
        let fault = Diagnostic::new(format!("{what} is about two sides, but the study has {}", self.sides.len()));
        Err(fault.at(third).help("`grognard run`, `exact` and `replay` take three and four").into())
    }

    /// Whether every other battle has the roles of the sides exchanged.
    #[must_use]
    pub fn is_both_ways(&self) -> bool {
        self.cells.iter().any(|cell| cell.swapped.is_some())
    }

    /// Battles per observation: two if every other one has the roles of the sides exchanged, otherwise one.
    #[must_use]
    pub fn round(&self) -> usize {
        if self.is_both_ways() { 2 } else { 1 }
    }

    /// This number of battles, or one more if the last one would be half of a round.
    #[must_use]
    pub fn whole_rounds(&self, battles: u64) -> u64 {
        battles.next_multiple_of(self.round() as u64)
    }

    /// The study with other cells. Its findings are not repeated with other players, because those players would
    /// replace the doctrines of its cells.
    #[must_use]
    pub fn with_cells(&self, cells: Vec<Cell>) -> Self {
        Self {
            header: self.header.clone(),
            pack: self.pack.clone(),
            more_packs: self.more_packs.clone(),
            seed: self.seed,
            runs: self.runs,
            sides: self.sides.clone(),
            third: self.third,
            vary: self.vary.clone(),
            cells,
            report: self.report.clone(),
            targets: self.targets.clone(),
            ladder: Vec::new(),
            default_player: self.default_player.clone(),
            identity: self.identity.clone(),
        }
    }

    /// The indices of the cells that a question is about: those given, or all if there are none.
    #[must_use]
    pub fn chosen(&self, cells: &[usize]) -> Vec<usize> {
        if cells.is_empty() { (0..self.cells.len()).collect() } else { cells.to_vec() }
    }

    /// Names and versions of the packs, each once: for headings.
    #[must_use]
    pub fn pack_line(&self) -> String {
        PackHeader::line(std::iter::once(&self.pack).chain(&self.more_packs))
    }

    /// For each cell, the cell it is compared with.
    #[must_use]
    pub fn baselines(&self) -> Vec<Option<u32>> {
        self.cells.iter().map(|cell| cell.header.baseline).collect()
    }

    /// The requested metrics that are counted during battles: [`Method::Exact`] has no numbers for them, except for
    /// those whose value is known from the position at the end of a battle.
    #[must_use]
    pub fn counted(&self) -> Vec<String> {
        let told = self.told_by_ends();
        let all = self.gauges().into_iter().enumerate();
        all.filter(|(place, _)| !told.contains(place)).map(|(_, metric)| metric.key).collect()
    }

    /// The requested metrics whose values are known from the end of a battle, by their indices among all requested
    /// metrics.
    pub(crate) fn told_by_ends(&self) -> Vec<usize> {
        let is_told = |cell: &Cell, place: usize| {
            let gauge = cell.gauges.get(place).and_then(|&gauge| cell.rules.gauges.get(usize::from(gauge)));
            gauge.is_some_and(|gauge| gauge.is_of_end())
        };
        let requested = self.cells.first().map_or(0, |cell| cell.gauges.len());
        (0..requested).filter(|&place| self.cells.iter().all(|cell| is_told(cell, place))).collect()
    }

    /// The indices of the metrics that get a histogram because they have few enough values.
    pub(crate) fn histograms(&self) -> Vec<usize> {
        let most = i64::from(u16::MAX);
        let is_narrow = |cell: &Cell, place: usize| {
            let (low, high) = cell.rules.gauges[usize::from(cell.gauges[place])].occasion();
            -most <= low && high <= most
        };
        let mut told = self.told_by_ends();
        told.retain(|&place| self.cells.iter().all(|cell| is_narrow(cell, place)));
        told
    }

    /// The metrics counted during battles, in the order in which the study requests them.
    fn gauges(&self) -> Vec<MetricHeader> {
        let Some(first) = self.cells.first() else { return Vec::new() };
        let histograms = self.histograms();
        let header = |(place, &gauge): (usize, &u8)| {
            let gauge = &first.rules.gauges[usize::from(gauge)];
            let ranges = self.cells.iter().filter_map(|cell| {
                let gauge = cell.rules.gauges.get(usize::from(*cell.gauges.get(place)?))?;
                Some(if gauge.is_of_end() {
                    gauge.range_at_end(&cell.rules, points_range(&cell.rules, &cell.setup))
                } else {
                    gauge.range(i64::from(cell.setup.turns), cell.setup.start.units.len() as i64)
                })
            });
            let (low, high) = ranges.fold((0, 0), |all, range| (range.0.min(all.0), range.1.max(all.1)));
            let ratio =
                Some(RatioHeader { low, high, empty: i64::from(gauge.empty), histogram: histograms.contains(&place) });
            MetricHeader { key: gauge.id.clone(), title: gauge.title.clone(), share: false, ratio }
        };
        first.gauges.iter().enumerate().map(header).collect()
    }

    /// The manifest of a run of this study in which no battle has been fought yet.
    #[must_use]
    pub fn manifest(&self, method: Method) -> Manifest {
        let lost_only = !self.cells.iter().any(|cell| cell.rules.breaks_units());
        let metric = |metric: &grognard_engine::Metric| MetricHeader {
            key: metric.key.to_owned(),
            title: if lost_only { metric.title_of_losses } else { metric.title }.to_owned(),
            share: metric.share,
            ratio: None,
        };
        let mut gauges = self.gauges();
        if method == Method::Exact {
            // Counts made during battles cannot be computed from their ends.
            gauges = self.told_by_ends().into_iter().map(|place| gauges[place].clone()).collect();
        }
        Manifest {
            format: FORMAT,
            tool: env!("CARGO_PKG_VERSION").to_owned(),
            study: self.header.clone(),
            pack: self.pack.clone(),
            more_packs: self.more_packs.clone(),
            identity: self.identity.clone(),
            seed: self.seed,
            runs: self.runs,
            precision: None,
            luck: false,
            lost_only,
            sides: self.sides.clone(),
            vary: self.vary.clone(),
            cells: self.cells.iter().map(|cell| cell.header.clone()).collect(),
            metrics: METRICS.iter().map(metric).chain(gauges).collect(),
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

/// A study's document with the values of the command line, and its contents.
fn written(file: FileId, changes: &Changes, sources: &Sources) -> Result<(Document, StudyWire), Diagnostics> {
    let mut document = Document::parse(file, sources)?;
    join_paths(&mut document.root);
    check_shape(&document, study_schema()).into_result(())?;
    change(&mut document, changes)?;
    let wire: StudyWire = decode(&document)?;
    check_name(&document, &wire)?;
    Ok((document, wire))
}

/// Writes the values of the command line into the study.
fn change(document: &mut Document, changes: &Changes) -> Result<(), Diagnostics> {
    let mut number = |name: &str, value: Option<u64>, most: u64| {
        let Some(value) = value else { return Ok(()) };
        let Some(value) = i64::try_from(value).ok().filter(|_| value <= most) else {
            let fault = Diagnostic::new(format!("--{name} {value} is too large"));
            return Err(Diagnostics::from(fault.help(format!("{most} is the limit"))));
        };
        let span = document.span;
        document.root.insert(Key { name: name.to_owned(), span }, Node { value: Value::Int(value), span });
        Ok(())
    };
    number("runs", changes.runs, RUNS_MAX)?;
    number("seed", changes.seed, i64::MAX.unsigned_abs())?;
    if changes.runs == Some(0) {
        return Err(Diagnostic::new("--runs 0 requests no battles").help("ask for at least 1").into());
    }
    if let Some(pack) = &changes.pack {
        let span = document.span;
        let (key, node) = (Key { name: "pack".to_owned(), span }, Node { value: Value::Text(pack.clone()), span });
        document.root.insert(key, node);
    }
    if let ([pack], None) = (changes.packs.as_slice(), document.root.get("part")) {
        let span = document.root.get("pack").map_or(document.span, |node| node.span);
        let (key, node) = (Key { name: "pack".to_owned(), span }, Node { value: Value::Text(pack.name.clone()), span });
        document.root.insert(key, node);
    }
    for set in &changes.set {
        pin::pin(&mut document.root, set);
    }
    let mut faults = Diagnostics::new();
    for vary in &changes.vary {
        pin::vary(&mut document.root, vary, &mut faults);
    }
    if changes.paths().next().is_some() || changes.pack.is_some() {
        as_written::leave_out(document);
    }
    if changes.pack.is_some() {
        as_written::leave_out_players(document);
    }
    faults.into_result(())
}

/// Keeps each value of the command line only in the parts of a study that have a place for it. A value for which no
/// part has a place stays in all of them, and each part refuses it.
fn put_where_it_fits(document: &mut Document, parts: &[part::Written], packs: &[Document], changes: &Changes) {
    for change in changes.set.iter().chain(&changes.vary) {
        // For values to vary, the first one shows whether the path exists.
        let first = changes.vary.contains(change).then(|| change.node.as_array()?.first().cloned()).flatten();
        let one = Override { node: first.unwrap_or_else(|| change.node.clone()), ..change.clone() };
        let takes: Vec<bool> = parts.iter().zip(packs).map(|(part, pack)| part.takes(pack, &one)).collect();
        if takes.contains(&true) {
            for (place, _) in takes.iter().enumerate().filter(|(_, takes)| !**takes) {
                pin::unset(&mut document.root, place, &change.path);
            }
        }
    }
}

/// If battles are fought in rounds of two, their number must be even.
fn check_rounds(document: &Document, wire: &StudyWire, sides: usize) -> Result<(), Diagnostics> {
    if wire.both_ways && sides > 2 {
        let path = Path::root().join("both-ways");
        let fault = Diagnostic::new(format!("only two sides can exchange roles, but this battle has {sides} sides"));
        return Err(fault.at(document.span_at(&path)).path(&path).help("omit `both-ways`").into());
    }
    if !wire.both_ways || wire.runs.is_multiple_of(2) {
        return Ok(());
    }
    let path = Path::root().join("runs");
    let fault = Diagnostic::new(format!(
        "{} is an odd number of battles, but battles fought both ways come in pairs",
        wire.runs
    ));
    let help = format!("use {}", wire.runs + 1);
    Err(fault.at(document.span_at(&path)).path(&path).help(help).into())
}

/// Where the study, or its first part, names a third side.
fn third_side(document: &Document) -> Option<Span> {
    let part = document.root.get("part").and_then(Node::as_array).and_then(<[Node]>::first).and_then(Node::as_table);
    let sides = part.unwrap_or(&document.root).get("side").and_then(Node::as_table)?;
    sides.iter().nth(2).map(|(key, _)| key.span)
}

/// Checks a study's name, which becomes the name of a folder.
fn check_name(document: &Document, wire: &StudyWire) -> Result<(), Diagnostics> {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let name = &wire.study;
    if name.len() <= 100 && name.bytes().all(plain) && name.starts_with(|first: char| first.is_ascii_alphanumeric()) {
        return Ok(());
    }
    let path = Path::root().join("study");
    let fault = Diagnostic::new(format!("{} is not a valid name for a study", Value::Text(name.clone())));
    let help = "use lower-case letters, digits and dashes: results go to a folder of that name";
    Err(fault.at(document.span_at(&path)).path(&path).help(help).into())
}

/// The first words of a pack's paths, which cannot be names of sides.
fn pack_names() -> Vec<&'static str> {
    let properties = pack_schema().get("properties").and_then(serde_json::Value::as_object);
    properties.into_iter().flat_map(|properties| properties.keys().map(String::as_str)).collect()
}

/// Locates faults that have no location at the study's `pack`.
fn placed(faults: &Diagnostics, span: grognard_source::Span) -> Diagnostics {
    let mut placed = Diagnostics::new();
    placed.extend(faults.sorted().into_iter().map(|fault| {
        let mut fault = fault.clone();
        fault.span = fault.span.or(Some(span));
        fault
    }));
    placed
}

/// The metrics that a study lists.
fn asked(document: &Document) -> Vec<String> {
    let metrics = document.root.get("metrics").and_then(Node::as_array).unwrap_or_default();
    metrics.iter().filter_map(|metric| metric.as_text().map(str::to_owned)).collect()
}

/// Checks that every pack has every requested metric, and that none is requested twice.
fn check_asked(document: &Document, asked: &[String], parts: &[part::Made]) -> Result<(), Diagnostics> {
    let mut faults = Diagnostics::new();
    for (number, metric) in asked.iter().enumerate() {
        let span = document.span_at(&Path::root().join("metrics").join(number.to_string()));
        if asked[..number].contains(metric) {
            faults.push(Diagnostic::new(format!("the metric `{metric}` is listed twice")).at(span));
        }
        for rules in parts.iter().filter_map(|part| part.cells.first()).map(|cell| &cell.rules) {
            if rules.gauge(metric).is_none() {
                let known = rules.gauges.iter().map(|gauge| gauge.id.as_str());
                let fault = Diagnostic::unknown("metric", metric, known).at(span);
                faults.push(fault.note(format!("of the pack {}", rules.name), None));
            }
        }
    }
    faults.into_result(())
}

/// The cell with which a study of several parts compares all others, if it names one.
fn common_baseline(document: &Document, cells: usize, faults: &mut Diagnostics) -> Option<u32> {
    let report = document.root.get("report").and_then(Node::as_table)?;
    let Node { value: Value::Int(number), span } = report.get("baseline")? else { return None };
    let cell = u32::try_from(*number).ok().filter(|&cell| (cell as usize) < cells);
    if cell.is_none() {
        let fault = Diagnostic::new(format!("there is no cell {number} for the baseline")).at(*span);
        faults.push(fault.help(format!("cells are numbered from 0 to {}", cells.saturating_sub(1))));
    }
    cell
}

/// Adds to a sum what determines the battles of these cells ([`Manifest::identity`]): the compiled packs and the
/// deployments.
fn identify(built: &[Built], variants: &[String], decides: &mut Sha256) {
    for cell in built {
        let both_ways = if cell.swapped.is_some() { " both ways" } else { "" };
        writeln!(decides, "{} {:?}{both_ways}", variants[cell.variant], cell.deployment)
            .expect("a sum of text succeeds");
    }
}

/// A text that identifies a variant of the pack.
fn pack_identity(pack: &Document) -> String {
    sha256(render::to_toml(pack).as_bytes())
}
