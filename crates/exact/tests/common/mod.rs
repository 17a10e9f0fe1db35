//! The common parts of the tests of exact odds: packs, and duels with them.

pub(crate) mod odds;

use std::ops::ControlFlow;
use std::path::Path;

use grognard_engine::{BySide, Deployment, Setup, SidePlan, UnitPlan, deploy};
use grognard_exact::{Limits, Solution, solve};
use grognard_rules::library;
use grognard_rules::model::Rules;
use grognard_source::{Document, Sources};

/// The rules of a built-in pack, or of one of `tests/packs`.
pub(crate) fn load(name: &str) -> Rules {
    let mut sources = Sources::new();
    let beside = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/packs"));
    let rules = library::load(name, Some(beside), &mut sources).and_then(|pack| pack.compile(&sources));
    rules.unwrap_or_else(|faults| panic!("{name}:\n{}", faults.render(&sources, false)))
}

/// The rules of a pack from a text.
pub(crate) fn compiled(text: &str) -> Rules {
    let mut sources = Sources::new();
    let file = sources.add("pack.toml", text.to_owned());
    let rules = Document::parse(file, &sources).and_then(|document| grognard_rules::compile(&document, &sources));
    rules.unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)))
}

/// A unit: its type, doctrine with the player who follows it, formation, place, figures and counters.
#[derive(Clone, Copy, Default)]
pub(crate) struct Men {
    pub(crate) kind: &'static str,
    pub(crate) doctrine: Option<&'static str>,
    pub(crate) player: Option<&'static str>,
    pub(crate) formation: Option<&'static str>,
    pub(crate) at: Option<(i32, i32)>,
    pub(crate) figures: Option<u16>,
    pub(crate) counters: &'static [(&'static str, i32)],
}

impl Men {
    pub(crate) fn of(kind: &'static str, figures: u16) -> Self {
        Self { kind, figures: Some(figures), ..Self::default() }
    }
}

/// One unit against another.
pub(crate) fn duel(rules: &Rules, first: Men, second: Men, turns: u8) -> Setup {
    let side = |name: &str, men: Men| SidePlan {
        name: name.into(),
        doctrine: men.doctrine.map(str::to_owned),
        player: men.player.map(str::to_owned),
        units: vec![UnitPlan {
            kind: men.kind.into(),
            formation: men.formation.map(str::to_owned),
            at: men.at,
            figures: men.figures,
            counters: men.counters.iter().map(|&(name, value)| (name.to_owned(), value)).collect(),
            ..UnitPlan::default()
        }],
        ..SidePlan::default()
    };
    let sides = BySide::new(side("first", first), side("second", second));
    deploy(rules, &Deployment { sides, turns, ..Deployment::default() }).unwrap_or_else(|faults| panic!("{faults:#?}"))
}

/// Solves within the default limits, except for the share that may be left out.
pub(crate) fn solved(rules: &Rules, setup: &Setup, prune: f64) -> Solution {
    let limits = Limits { prune, ..Limits::default() };
    solve(rules, setup, &limits, &mut |_| ControlFlow::Continue(())).unwrap_or_else(|error| panic!("{error}"))
}
