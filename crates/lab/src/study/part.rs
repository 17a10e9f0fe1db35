//! The parts of a study, each fought under one pack. Most studies have one.

use grognard_engine::{Deployment, Flags, Setup};
use grognard_rules::model::Rules;
use grognard_rules::pack_schema;
use grognard_source::{Diagnostic, Diagnostics, Document, Key, Node, Override, Path, Sources, Span, Table, Value};

use std::sync::Arc;

use super::axes::Axes;
use super::cells::{Built, Ground, absent};
use super::expand::{self, CellPlan};
use super::experts::Experts;
use super::names::{entries, twice};
use super::setup::SetupDocument;
use super::{identify, pack_identity, pack_names, render};
use crate::results::{CellHeader, Labels, PackHeader, Setting, Sha256, Value as Shown, Varied, sha256};

/// Keys that describe battles. In a study with parts, they belong in the parts.
const KEYS: [&str; 13] = [
    "pack",
    "turns",
    "approach",
    "distance",
    "terrain",
    "objectives",
    "side",
    "army",
    "set",
    "vary",
    "pairs",
    "cells",
    "baseline",
];

/// The key by which a study and its parts name their pack.
const PACK: &str = "pack";

/// The path under which a cell's part is listed among its values.
const PART: &str = "part";

/// A part as the study writes it.
#[derive(Clone, Debug)]
pub(super) struct Written {
    /// Its name, if there are several parts.
    label: Option<String>,
    /// The pack's name or path, and its location.
    pub(super) pack: (String, Span),
    /// Its contents, as a study of its own.
    document: Document,
}

impl Written {
    /// Whether the part's pack or deployment has a place for this value.
    pub(super) fn takes(&self, pack: &Document, change: &Override) -> bool {
        // Errors in the deployment are reported when the part is planned.
        let Ok(setup) = SetupDocument::of_study(&self.document, &pack_names()) else { return true };
        let own = setup.owns(&change.path);
        let (mut document, schema) = if own { (setup.document, &*setup.schema) } else { (pack.clone(), pack_schema()) };
        let absent = absent(&document, &change.path, schema);
        document.set(change, absent).is_ok()
    }

    /// Its name in messages.
    pub(super) fn called(&self) -> String {
        let pack = &self.pack.0;
        self.label
            .as_ref()
            .map_or_else(|| format!("of the pack {pack}"), |label| format!("in the part {label} ({pack})"))
    }
}

/// The parts of a study whose shape has been checked.
pub(super) fn written(study: &Document) -> Result<Vec<Written>, Diagnostics> {
    let Some((key, parts)) = study.root.entry("part") else { return Ok(vec![whole(study)?]) };
    let mut faults = Diagnostics::new();
    for (key, _) in KEYS.iter().filter_map(|name| study.root.entry(name)) {
        let fault = Diagnostic::new(format!("the study has parts, so `{}` belongs in each of them", key.name));
        faults.push(fault.at(key.span).help(format!("write `{}` under [[part]]", key.name)));
    }
    let settings = study.root.get("report").and_then(|report| report.as_table()?.get("baseline"));
    if let Some(node) = settings.filter(|node| node.as_table().is_some()) {
        let fault = Diagnostic::new("the cells of different parts have no varied paths in common").at(node.span);
        faults.push(fault.help("give the number of a cell, or a `baseline` in each part"));
    }
    let tables = parts.as_array().unwrap_or_default().iter();
    let parts: Vec<Written> = tables.filter_map(|node| Some(one(node.as_table()?, node.span))).collect();
    if parts.is_empty() {
        faults
            .push(Diagnostic::new("the study has no parts").at(key.span).help("write [[part]] with a pack and sides"));
    }
    for (number, part) in parts.iter().enumerate() {
        if parts[..number].iter().any(|other| other.label == part.label) {
            let label = part.label.as_deref().unwrap_or_default();
            let fault = Diagnostic::new(format!("two parts have the label `{label}`")).at(part.document.span);
            faults.push(fault.help("give each a `label` of its own"));
        }
    }
    faults.into_result(parts)
}

/// The single part of a study without parts.
fn whole(study: &Document) -> Result<Written, Diagnostics> {
    let Some(node) = study.root.get(PACK) else {
        let fault = Diagnostic::new("the study names no pack").at(study.span).path(&Path::root().join(PACK));
        return Err(fault.help("write `pack = \"NAME\"`; `grognard packs` lists those that are built in").into());
    };
    let pack = (node.as_text().unwrap_or_default().to_owned(), node.span);
    Ok(Written { label: None, pack, document: study.clone() })
}

fn one(table: &Table, span: Span) -> Written {
    let text = |name: &str| table.get(name).and_then(Node::as_text).map(str::to_owned);
    let pack = text(PACK).unwrap_or_default();
    let mut root = table.clone();
    if let Some((key, baseline)) = table.entry("baseline") {
        let mut report = Table::new();
        report.insert(key.clone(), baseline.clone());
        let (name, span) = ("report".to_owned(), key.span);
        root.insert(Key { name, span }, Node { value: Value::Table(report), span });
    }
    Written {
        label: Some(text("label").unwrap_or_else(|| pack.clone())),
        pack: (pack, table.get(PACK).map_or(span, |node| node.span)),
        document: Document { root, span },
    }
}

/// A part whose cells are planned and whose names are checked.
pub(super) struct Planned<'a> {
    label: Option<String>,
    /// The pack's name or path, as the study gives it.
    pub(super) name: String,
    pub(super) plans: Vec<CellPlan>,
    baselines: Vec<Option<u32>>,
    pub(super) ground: Ground<'a>,
    pub(super) sides: Vec<String>,
    pub(super) span: Span,
}

/// Plans the cells of a part. Baselines may name values that `pinned` paths no longer take.
pub(super) fn plan<'a>(
    part: Written,
    pack: Document,
    pinned: &[Path],
    both_ways: bool,
    sources: &'a Sources,
) -> Result<Planned<'a>, Diagnostics> {
    let document = &part.document;
    let setup = SetupDocument::of_study(document, &pack_names())?;
    let sides = setup.sides.clone();
    let mut faults = Diagnostics::new();
    let axes = match Axes::read(document, &mut faults) {
        Ok(axes) => axes,
        Err(more) => {
            faults.append(more);
            return Err(faults);
        }
    };
    let set = document.root.get("set").and_then(Node::as_table);
    let set = set.map_or_else(Vec::new, |table| entries(table, &[], &mut faults));
    for varied in axes.axes.iter().flat_map(|axis| &axis.paths) {
        if let Some(entry) = set.iter().find(|entry| entry.path == varied.path) {
            faults.push(twice(&varied.path, varied.span, entry.span));
        }
    }
    let plans = expand::expand(&axes);
    let baselines = expand::baselines(document, &axes, &plans, (&pack, pinned), &mut faults);
    let mut ground = Ground { pack, setup, both_ways, sources, base: Arc::default(), deployed: Arc::default() };
    ground.put(&set, &mut faults);
    ground.check_paths(&plans, &mut faults);
    let span = document.span;
    faults.into_result(Planned { label: part.label, name: part.pack.0, plans, baselines, ground, sides, span })
}

/// A cell that is complete except for its number.
pub(super) struct Ready {
    pub(super) header: CellHeader,
    pub(super) rules: std::sync::Arc<Rules>,
    pub(super) setup: Setup,
    pub(super) swapped: Option<Box<Setup>>,
    pub(super) experts: Option<Arc<Experts>>,
    pub(super) deployment: Deployment,
}

/// A part whose cells are complete.
pub(super) struct Made {
    pub(super) pack: PackHeader,
    pub(super) vary: Vec<Varied>,
    /// Its cells, in order.
    pub(super) cells: Vec<Ready>,
}

impl Planned<'_> {
    /// Completes the cells, numbered from `first` on. Adds everything that decides their battles to the sum `decides`.
    pub(super) fn make(
        self,
        first: u32,
        title: &str,
        labels: &Labels,
        decides: &mut Sha256,
    ) -> Result<Made, Diagnostics> {
        let (built, variants) = self.ground.build(&self.plans, pack_identity)?;
        let own = expand::varied(&self.plans);
        identify(&built, &variants, decides);
        let numbered = (first..).zip(self.plans.iter().zip(&self.baselines).zip(built));
        let cells = numbered.map(|(cell, ((plan, baseline), built))| {
            let baseline = baseline.map(|baseline| first + baseline);
            // The cells of one part are distinguished by the values that it varies. With several parts, the part
            // distinguishes them, too.
            let title = if self.label.is_some() { "" } else { title };
            let header = expand::header(cell, plan, &own, baseline, (title, labels));
            ready(self.named(header), built)
        });
        let cells: Vec<Ready> = cells.collect();
        let text = render::to_toml(&self.ground.pack);
        let rules = cells.first().map(|cell| &cell.rules);
        let pack = PackHeader {
            name: rules.map_or_else(|| self.name.clone(), |rules| rules.name.clone()),
            title: rules.map_or_else(String::new, |rules| rules.title.clone()),
            version: rules.map_or_else(String::new, |rules| rules.version.clone()),
            sha256: sha256(text.as_bytes()),
            text,
        };
        let label = self.label.map(|label| Varied { path: PART.to_owned(), values: vec![named(label)] });
        Ok(Made { pack, vary: label.into_iter().chain(own).collect(), cells })
    }

    /// A cell's header with the part's name.
    fn named(&self, mut header: CellHeader) -> CellHeader {
        let Some(label) = &self.label else { return header };
        header.label = match header.label.as_str() {
            "" => label.clone(),
            own => format!("{label}: {own}"),
        };
        header.vary.insert(0, Setting { path: PART.to_owned(), value: named(label.clone()) });
        header
    }
}

fn named(text: String) -> Shown {
    Shown { text, number: None }
}

fn ready(header: CellHeader, built: Built) -> Ready {
    let units = &built.setup.start.units;
    let sides = built.setup.start.sides();
    let figures = |&side| units.iter().filter(|unit| unit.side == side).map(|unit| u32::from(unit.start)).sum();
    let figures = sides.iter().map(figures).collect();
    let count = |&side| units.iter().filter(|unit| unit.side == side && !unit.flags.has(Flags::SCREEN)).count() as u32;
    let units = sides.iter().map(count).collect();
    let header = CellHeader { turns: built.setup.turns, figures, units, ..header };
    let Built { rules, setup, swapped, experts, deployment, .. } = built;
    Ready { header, rules, setup, swapped, experts, deployment }
}

/// The varied paths of all parts, each once with all its values.
pub(super) fn united<'a>(parts: impl Iterator<Item = &'a Varied>) -> Vec<Varied> {
    let mut all: Vec<Varied> = Vec::new();
    for varied in parts {
        match all.iter_mut().find(|known| known.path == varied.path) {
            None => all.push(varied.clone()),
            Some(known) => {
                for value in &varied.values {
                    if !known.values.contains(value) {
                        known.values.push(value.clone());
                    }
                }
            }
        }
    }
    all
}
