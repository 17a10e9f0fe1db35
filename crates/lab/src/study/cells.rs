//! From the values of cells to battles that can be fought.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use grognard_engine::{BySide, Deployment, Misdeployment, SIDES_MAX, Setup, Side, deploy};
use grognard_rules::model::Rules;
use grognard_rules::{Compiled, compile, pack_schema};
use grognard_source::{Absent, Diagnostic, Diagnostics, Document, Override, Path, Sources};
use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};
use schemars::Schema;

use super::expand::CellPlan;
use super::experts::Experts;
use super::names::Entry;
use super::setup::{Deployed, SetupDocument};

/// Everything that is needed to fight a cell.
pub(super) struct Built {
    /// Shared by all cells with the same values in the pack.
    pub(super) rules: Arc<Rules>,
    pub(super) setup: Setup,
    /// The initial position with the roles of the sides exchanged, if the cell is fought both ways.
    pub(super) swapped: Option<Box<Setup>>,
    /// The initial position for perfect players who have orders of other doctrines.
    pub(super) experts: Option<Arc<Experts>>,
    pub(super) deployment: Deployment,
    /// The cell's variant of the pack, by number.
    pub(super) variant: usize,
}

/// The pack and the deployment, with the values for all cells already set. Changed copies share the compiled parts.
#[derive(Clone)]
pub(super) struct Ground<'a> {
    pub(super) pack: Document,
    pub(super) setup: SetupDocument,
    /// Whether cells are fought with the roles of the sides exchanged as well.
    pub(super) both_ways: bool,
    pub(super) sources: &'a Sources,
    /// The compiled pack, once it is requested, unless it is invalid by itself. Cells and variants share the parts that
    /// they do not change.
    pub(super) base: Arc<OnceLock<Option<Compiled>>>,
    /// The first deployment that was read, with which the others also share unchanged parts.
    pub(super) deployed: Arc<OnceLock<Deployed>>,
}

impl Ground<'_> {
    /// Sets values in the pack or the deployment, and gathers those that cannot be set.
    pub(super) fn put(&mut self, entries: &[Entry], faults: &mut Diagnostics) {
        for entry in armies_first(&self.setup, entries) {
            if faults.is_full() {
                return;
            }
            if let Some(fault) = chosen_before(entry) {
                faults.push(fault);
                continue;
            }
            let result = if self.setup.owns(&entry.path) {
                self.setup.put(entry)
            } else {
                let absent = absent(&self.pack, &entry.path, pack_schema());
                self.pack.set(&change(entry), absent)
            };
            if let Err(more) = result {
                faults.append(self.widened(entry, more));
            }
        }
    }

    /// If the first part of a path is unknown, the path may have been meant for either document.
    fn widened(&self, entry: &Entry, faults: Diagnostics) -> Diagnostics {
        let first = entry.path.segments().first().map_or("", String::as_str);
        if self.setup.owns(&entry.path) || self.pack.root.get(first).is_some() {
            return faults;
        }
        let names = self.setup.document.root.names().chain(super::setup::NAMES).chain(self.pack.root.names());
        let names: Vec<&str> = names.collect();
        let fault = Diagnostic::unknown("path", &entry.path.to_string(), []);
        // In the file, the sides are under `side`; paths begin with the sides' names.
        if let Some(side) = entry.path.segments().get(1).filter(|_| first == "side") {
            let sides = self.setup.sides.iter().map(String::as_str);
            let Some(meant) = grognard_source::nearest(side, sides.clone()) else {
                return Diagnostic::unknown("side", side, sides).at(entry.span).path(&entry.path).into();
            };
            let rest = &entry.path.segments()[2..];
            let path = rest.iter().fold(Path::root().join(meant), |path, segment| path.join(segment.as_str()));
            let fault = fault.at(entry.span).path(&entry.path).help(format!("did you mean `{path}`?"));
            // The rest of the path may be misspelt, too.
            return self.setup.clone().put(&Entry { path, ..entry.clone() }).err().unwrap_or_else(|| fault.into());
        }
        if let [option] = entry.path.segments()
            && ["seed", "runs"].contains(&option.as_str())
        {
            return fault.at(entry.span).path(&entry.path).help(format!("set it with --{option}")).into();
        }
        let part = |document: &Document| document.path_with(&entry.path, &entry.node);
        let whole = part(&self.pack).or_else(|| part(&self.setup.document));
        let near = || Some(with_first(&entry.path, grognard_source::nearest(first, names.iter().copied())?));
        let help = whole.or_else(near).map_or_else(
            || {
                let tables = ["unit", "roll"].into_iter().filter(|name| self.pack.root.get(name).is_some());
                let tables: String = tables.map(|name| format!(", such as {name}")).take(1).collect();
                format!(
                    "paths begin with a side ({}), with turns, approach or distance, or with a table of the rules{tables}",
                    self.setup.sides.join(", ")
                )
            },
            |meant| format!("did you mean `{meant}`?"),
        );
        fault.at(entry.span).path(&entry.path).help(help).into()
    }

    /// Checks once for each path of these cells that it exists.
    pub(super) fn check_paths(&self, cells: &[CellPlan], faults: &mut Diagnostics) {
        let mut seen = std::collections::BTreeSet::new();
        let first = cells.iter().flat_map(|cell| &cell.settings).filter(|entry| seen.insert(entry.path.clone()));
        let mut scratch = self.clone();
        for entry in armies_first(&self.setup, first) {
            scratch.put(std::slice::from_ref(entry), faults);
        }
    }

    /// Prepares every cell, compiling each variant of the pack once, and returns the result of `note` for each variant.
    /// There may be thousands of variants, so none is kept.
    pub(super) fn build<T: Send>(
        &self,
        cells: &[CellPlan],
        note: impl Fn(&Document) -> T + Sync,
    ) -> Result<(Vec<Built>, Vec<T>), Diagnostics> {
        let mut keys = BTreeMap::new();
        let mut variants = Vec::new();
        let mut variant_of = Vec::new();
        for cell in cells {
            let entries: Vec<&Entry> = cell.settings.iter().filter(|entry| !self.setup.owns(&entry.path)).collect();
            let key: Vec<String> = entries.iter().map(|entry| format!("{}={}", entry.path, entry.node.value)).collect();
            let number = *keys.entry(key).or_insert_with(|| {
                variants.push(entries);
                variants.len() - 1
            });
            variant_of.push(number);
        }
        let compile = |entries: &Vec<&Entry>| self.compile(entries, &note);
        let (compiled, noted): (Vec<_>, Vec<_>) = gather(side_by_side(&variants, compile))?.into_iter().unzip();
        let shared = self.shared(cells);
        let numbered: Vec<(usize, usize)> = variant_of.into_iter().enumerate().collect();
        let made = side_by_side(&numbered, |&(number, variant)| {
            let cell = &cells[number];
            let deployment = shared.as_ref().map_or_else(|| self.deployment(cell), |shared| Ok(shared.of(number)))?;
            self.deploy(cell, deployment, variant, &compiled[variant])
        });
        Ok((gather(made)?, noted))
    }

    /// The deployments of these cells, read in parts. `None` if that would be no faster, or if a part is not valid
    /// without the values of others: then each cell is read by itself.
    fn shared(&self, cells: &[CellPlan]) -> Option<SharedDeployments> {
        let mut known = BTreeMap::new();
        let mut parts: Vec<Vec<&Entry>> = Vec::new();
        let parts_of = |cell| {
            let settings = |place| cell_settings(&self.setup, cell, place).collect::<Vec<_>>();
            std::array::from_fn(|place| {
                let entries = settings(place);
                let key: Vec<_> = entries.iter().map(|entry| (&entry.path, entry.node.value.to_string())).collect();
                *known.entry((place, key)).or_insert_with(|| {
                    parts.push(entries);
                    parts.len() - 1
                })
            })
        };
        let parts_of: Vec<_> = cells.iter().map(parts_of).collect();
        if parts.len() >= cells.len() {
            return None;
        }
        let read = side_by_side(&parts, |entries| self.deployment_with(entries.iter().copied()));
        Some(SharedDeployments { parts_of, read: read.into_iter().collect::<Result<_, _>>().ok()? })
    }

    fn compile<T>(&self, entries: &[&Entry], note: impl Fn(&Document) -> T) -> Result<(Arc<Rules>, T), Diagnostics> {
        let mut pack = self.pack.clone();
        for entry in entries {
            pack.set(&change(entry), absent(&pack, &entry.path, pack_schema()))?;
        }
        let base = self.base.get_or_init(|| Compiled::of(&self.pack, self.sources).ok());
        let rules = match base {
            Some(base) => base.variant(&pack, self.sources)?,
            None => compile(&pack, self.sources)?,
        };
        Ok((Arc::new(rules), note(&pack)))
    }

    /// The deployment of a cell.
    pub(super) fn deployment(&self, cell: &CellPlan) -> Result<Deployment, Diagnostics> {
        self.deployment_with(&cell.settings)
    }

    /// The deployment with these values in it.
    fn deployment_with<'e>(&self, settings: impl IntoIterator<Item = &'e Entry>) -> Result<Deployment, Diagnostics> {
        let setup = self.set_up(settings)?;
        let deployment = setup.deployment(self.deployed.get())?;
        let first = || Deployed { document: setup.document, deployment: deployment.clone() };
        let _ = self.deployed.get_or_init(first);
        Ok(deployment)
    }

    /// The document of the deployment with these values in it. Values that belong to the pack are skipped.
    fn set_up<'e>(&self, settings: impl IntoIterator<Item = &'e Entry>) -> Result<SetupDocument, Diagnostics> {
        let mut setup = self.setup.clone();
        for entry in armies_first(&setup, settings).into_iter().filter(|entry| self.setup.owns(&entry.path)) {
            setup.put(entry)?;
        }
        Ok(setup)
    }

    fn deploy(
        &self,
        cell: &CellPlan,
        deployment: Deployment,
        variant: usize,
        rules: &Arc<Rules>,
    ) -> Result<Built, Diagnostics> {
        let explained = |faults: Vec<Misdeployment>| {
            let mut diagnostics = Diagnostics::new();
            let setup = match self.set_up(&cell.settings) {
                Ok(setup) => setup,
                Err(faults) => return faults,
            };
            for fault in faults {
                let mut diagnostic = Diagnostic::new(fault.message);
                if let Ok(path) = Path::parse(&fault.path) {
                    diagnostic = diagnostic.at(setup.document.span_at(&path)).path(&path);
                }
                diagnostic.help = fault.help;
                if !cell.settings.is_empty() {
                    let values = cell.settings.iter().map(|entry| format!("{} = {}", entry.path, entry.node.value));
                    diagnostic =
                        diagnostic.note(format!("in the cell with {}", values.collect::<Vec<_>>().join(", ")), None);
                }
                diagnostics.push(diagnostic);
            }
            diagnostics
        };
        let placed = deploy(rules, &deployment).map_err(explained)?;
        let swapped = self.both_ways.then(|| deploy(rules, &deployment.swapped()).map(Box::new).map_err(explained));
        let experts = Experts::of(rules, &deployment, self.both_ways).map_err(explained)?;
        Ok(Built {
            rules: Arc::clone(rules),
            setup: placed,
            swapped: swapped.transpose()?,
            experts,
            deployment,
            variant,
        })
    }
}

/// The deployments of many cells, read in parts: the values of a side change nothing outside it, so each combination of
/// them is read once, for all cells that have it.
struct SharedDeployments {
    /// The parts of each cell: one for each side, and at last one for what belongs to no side.
    parts_of: Vec<[usize; SIDES_MAX + 1]>,
    /// For each part, a deployment with only its values set.
    read: Vec<Deployment>,
}

impl SharedDeployments {
    /// The deployment of a cell.
    fn of(&self, cell: usize) -> Deployment {
        let parts = &self.parts_of[cell];
        let Deployment { ref sides, turns, approach, distance, ref terrain, ref objectives } =
            self.read[parts[SIDES_MAX]];
        let of_side = |side: Side| self.read[parts[side.index()]].sides[side].clone();
        Deployment {
            sides: BySide::of(sides.count(), of_side),
            turns,
            approach,
            distance,
            terrain: terrain.clone(),
            objectives: objectives.clone(),
        }
    }
}

/// The values of a cell that belong to a part of the deployment: to a side by its number, or to no side.
fn cell_settings<'e>(setup: &SetupDocument, cell: &'e CellPlan, part: usize) -> impl Iterator<Item = &'e Entry> {
    cell.settings.iter().filter(move |entry| setup.part_of(&entry.path) == Some(part))
}

/// Maps each item, using all threads if there are several.
fn side_by_side<I: Sync, T: Send>(items: &[I], make: impl Fn(&I) -> T + Sync) -> Vec<T> {
    match items {
        [only] => vec![make(only)],
        _ => items.par_iter().map(&make).collect(),
    }
}

/// Values in the order in which they are set: paths lead into the units of armies, so armies come first.
fn armies_first<'e>(setup: &SetupDocument, entries: impl IntoIterator<Item = &'e Entry>) -> Vec<&'e Entry> {
    let (mut armies, others): (Vec<_>, Vec<_>) = entries.into_iter().partition(|entry| setup.names_army(&entry.path));
    armies.extend(others);
    armies
}

/// The result for a path without a value: an optional value is added, but no table is created around it.
pub(super) fn absent<'a>(document: &Document, path: &Path, schema: &'a Schema) -> Absent<'a> {
    let parent = path.first(path.len().saturating_sub(1));
    if parent.is_empty() || document.get(&parent).is_some() { Absent::Insert(schema) } else { Absent::Refuse }
}

/// The fault for a value that comes too late, because the pack has already used it.
fn chosen_before(entry: &Entry) -> Option<Diagnostic> {
    let first = entry.path.segments().first()?;
    let help = match first.as_str() {
        "extends" => "name the pack of the study with `pack`, or try another with `grognard compare STUDY --pack`",
        "pack" => "write it at the top of the study; `grognard compare STUDY --pack NAME` tries another",
        _ => return None,
    };
    let fault = Diagnostic::new(format!("`{first}` cannot be set or varied, because it is read before values are set"));
    Some(fault.at(entry.span).path(&entry.path).help(help))
}

/// The entry as a change of a document.
pub(super) fn change(entry: &Entry) -> Override {
    Override { path: entry.path.clone(), path_span: entry.span, node: entry.node.clone() }
}

fn with_first(path: &Path, first: &str) -> Path {
    path.segments().iter().skip(1).fold(Path::root().join(first), |path, segment| path.join(segment))
}

/// All results, or all faults; faults that many cells share are listed once.
///
/// Faults that differ only in a number of a range count as one.
fn gather<T>(results: Vec<Result<T, Diagnostics>>) -> Result<Vec<T>, Diagnostics> {
    let words = |message: &str| message.replace(|sign: char| sign.is_ascii_digit() || sign == '.' || sign == '-', "");
    let mut good = Vec::with_capacity(results.len());
    let mut faults: Vec<Diagnostic> = Vec::new();
    for result in results {
        match result {
            Ok(value) => good.push(value),
            Err(more) => {
                for fault in more.sorted() {
                    let wording = words(&fault.message);
                    let same = |known: &Diagnostic| {
                        let one_range = known.span.is_some() && words(&known.message) == wording;
                        known.span == fault.span && (one_range || known.message == fault.message)
                    };
                    if faults.len() < Diagnostics::KEPT_MAX && !faults.iter().any(same) {
                        faults.push(fault.clone());
                    }
                }
            }
        }
    }
    let mut diagnostics = Diagnostics::new();
    diagnostics.extend(faults);
    diagnostics.into_result(good)
}

#[cfg(test)]
mod tests {
    use std::path::Path as FilePath;

    use grognard_source::Sources;

    use crate::study::{Changes, Study, Variants};

    /// The parts that a deployment shares with the first one read are the same as if it had been read separately.
    #[test]
    fn a_deployment_is_the_same_beside_another_and_alone() {
        let folder = FilePath::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../studies"));
        let (mut seen, mut in_parts) = (0, 0);
        // These have units and sides that differ, armies by name, three sides, several packs, and generals.
        let studies =
            ["square-vs-line", "patrol-reserves", "combined-square", "fleet-three", "three-rulebooks", "pips-armies"];
        for name in studies {
            let mut sources = Sources::new();
            let study = Study::load(&folder.join(name).with_extension("toml"), &Changes::default(), &mut sources);
            let study = study.unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)));
            let variants = Variants::of(&study, &mut sources).unwrap_or_else(|_| panic!("{name}"));
            for part in &variants.parts {
                let shared = part.ground.shared(&part.plans);
                in_parts += usize::from(shared.is_some());
                for (number, plan) in part.plans.iter().enumerate() {
                    let beside = part.ground.deployment(plan).unwrap_or_else(|_| panic!("{name}"));
                    let alone = part.ground.set_up(&plan.settings).and_then(|setup| setup.deployment(None));
                    let alone = alone.unwrap_or_else(|_| panic!("{name}"));
                    assert_eq!(beside, alone, "{name}");
                    assert!(shared.as_ref().is_none_or(|shared| shared.of(number) == alone), "{name}");
                    seen += 1;
                }
            }
        }
        assert!(seen > 50 && in_parts > 0, "{seen} cells, {in_parts} studies in parts");
    }
}
