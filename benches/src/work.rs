//! The workloads: studies, and cells of studies.

use std::ops::Range;

use grognard_lab::digest::Digest;
use grognard_lab::runner::Fighter;
use grognard_lab::study::{Changes, Study};
use grognard_source::{Override, Sources};

/// Battles of each cell of the headline study in the signature: two of the runner's blocks.
pub const SIGNATURE_RUNS: u64 = 8_192;

/// Battles of one cell that a bench fights per iteration.
pub const ROUND: Range<u64> = 0..1_000;

/// One cell of a study, with the name of its answer.
#[derive(Clone, Debug)]
pub struct Workload {
    /// Its name in `answers.txt` and in criterion's output.
    pub name: &'static str,
    /// The study.
    pub study: Study,
    /// The cell.
    pub cell: u32,
}

impl Workload {
    /// The digest of the battles of [`ROUND`].
    #[must_use]
    pub fn digest(&self) -> Digest {
        let mut digest = Digest::default();
        digest.count(self.cell, ROUND.start, &self.study.fight(self.cell, ROUND).into_iter().collect());
        digest
    }
}

/// The doctrines that studies of duels played when their workloads were first timed. Keeping them, even when better
/// doctrines appear, keeps times comparable.
const BEGINNERS: [&str; 2] = ["attacker.doctrine=charge-home", "defender.doctrine=stand"];

/// The headline study, square against line, between beginners and with this many battles in each of its 36 cells.
///
/// # Panics
/// The study is invalid, which a test would have reported.
#[must_use]
pub fn headline(runs: u64) -> Study {
    study("square-vs-line", include_str!("../../studies/square-vs-line.toml"), &BEGINNERS, runs)
}

/// Duels of every size of two armies, up to 40 figures each, and of every length up to this many turns, with one battle each.
///
/// # Panics
/// The study is invalid, which a test would have reported.
#[must_use]
pub fn duels(turns: u32) -> Study {
    let figures = "{ from = 1, to = 40, step = 1 }";
    let text = format!(
        "study = 'duels'\npack = 'risk'\n[vary]\n'attacker.0.figures' = {figures}\n'defender.0.figures' = {figures}\n\
         turns = {{ from = 1, to = {turns}, step = 1 }}\n[side.attacker]\nunits = [{{ type = 'army' }}]\n\
         [side.defender]\nunits = [{{ type = 'army' }}]\n"
    );
    study("duels", &text, &[], 1)
}

/// The workloads of the bench `fight`: duels of the headline study, one in command points, a brigade a side, six units
/// a side on hexes, and dice without a board.
///
/// # Panics
/// A study is invalid, or has no such cell.
#[must_use]
pub fn workloads() -> Vec<Workload> {
    let duels = headline(ROUND.end);
    let points = study("pip-square", include_str!("../../studies/pip-square.toml"), &BEGINNERS, ROUND.end);
    let duel = |name, formation| Workload {
        name,
        cell: cell_where(&duels, "defender.0.formation", formation),
        study: duels.clone(),
    };
    vec![
        duel("duel-line", "line"),
        duel("duel-square", "square"),
        duel("duel-skirmish", "skirmish"),
        Workload { name: "duel-points", cell: cell_where(&points, "activation.dice", "d6"), study: points },
        Workload { name: "brigade", study: study("brigade", include_str!("../brigade.toml"), &[], ROUND.end), cell: 0 },
        Workload { name: "hex-six", study: study("hex-six", include_str!("../hex-six.toml"), &[], ROUND.end), cell: 0 },
        Workload {
            name: "risk-10-10",
            study: study("risk-dice", include_str!("../../studies/risk-dice.toml"), &[], ROUND.end),
            cell: 99,
        },
    ]
}

/// The first cell in which a path has this value.
fn cell_where(study: &Study, path: &str, value: &str) -> u32 {
    let cell = study
        .cells
        .iter()
        .find(|cell| cell.header.vary.iter().any(|setting| setting.path == path && setting.value.text == value));
    cell.unwrap_or_else(|| panic!("no cell has {path} = {value}")).header.cell
}

fn study(name: &str, text: &str, set: &[&str], runs: u64) -> Study {
    let mut sources = Sources::new();
    let file = sources.add(format!("{name}.toml"), text);
    let set = set.iter().map(|text| {
        let file = sources.add("--set", *text);
        Override::parse(file, &sources).expect("a path and a value")
    });
    let changes = Changes { runs: Some(runs), set: set.collect(), ..Changes::default() };
    Study::read(file, None, &changes, &mut sources)
        .unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)))
}
