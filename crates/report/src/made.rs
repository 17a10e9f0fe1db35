//! How the numbers were made, and how to see one of the battles.

use grognard_lab::results::{Manifest, Method};

use crate::axis::number;
use crate::text::counted;

/// A fact about the making, as a term and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What it is about.
    pub term: &'static str,
    /// What it is.
    pub text: String,
    /// Whether the text is to be typed or compared to the letter.
    pub verbatim: bool,
}

/// Below every chart: runs, seed, pack and the command that makes it again.
pub(crate) fn caption(manifest: &Manifest) -> String {
    let pack = format!("pack {} {}", manifest.pack.name, manifest.pack.version);
    let numbers = match manifest.method {
        Method::Exact => "Computed exactly".to_owned(),
        Method::Sampled => {
            format!("{} battles per cell, seed {}", counted(manifest.progress.battles), manifest.seed)
        }
    };
    format!("{numbers}, {pack}. Again: {}", command(manifest))
}

/// The command that makes the folder again.
fn command(manifest: &Manifest) -> String {
    let command = manifest.made.command.trim();
    if command.is_empty() { format!("grognard run {}", manifest.study.name) } else { command.to_owned() }
}

/// The command that narrates a battle of a cell: the study as the run was told it, with what of its flags decides battles.
pub(crate) fn replay(manifest: &Manifest, cell: u32, battle: u64) -> String {
    let command = command(manifest);
    let words: Vec<&str> = command.split_whitespace().collect();
    let study = match words.as_slice() {
        [_, "run", study, ..] if !study.starts_with('-') => *study,
        _ => manifest.study.name.as_str(),
    };
    let mut replay = format!("grognard replay {study} --cell {cell} --battle {battle}");
    for (nth, word) in words.iter().enumerate() {
        match *word {
            "--seed" | "--set" => replay.extend([" ", word, " ", words.get(nth + 1).unwrap_or(&"")]),
            word if word.starts_with("--seed=") || word.starts_with("--set=") => replay.extend([" ", word]),
            _ => {}
        }
    }
    replay
}

/// How the numbers were made.
pub(crate) fn facts(manifest: &Manifest) -> Vec<Fact> {
    let plain = |term, text: String| Fact { term, text, verbatim: false };
    let verbatim = |term, text: String| Fact { term, text, verbatim: true };
    let mut facts = vec![
        plain("Study", format!("{} ({})", manifest.study.title, manifest.study.name)),
        plain("Pack", format!("{} ({} {})", manifest.pack.title, manifest.pack.name, manifest.pack.version)),
    ];
    match manifest.method {
        Method::Exact => facts.push(plain(
            "Method",
            "Every outcome enumerated with its probability; the numbers have no sampling error.".to_owned(),
        )),
        Method::Sampled => facts.extend([
            plain(
                "Battles",
                format!(
                    "{} in each of {} cells; battle i meets the same dice in every cell",
                    counted(manifest.progress.battles),
                    manifest.cells.len()
                ),
            ),
            plain("Seed", manifest.seed.to_string()),
            plain(
                "Intervals",
                format!(
                    "{} %: Wilson's for shares, Student's for means, Tango's for differences of shares between paired \
                     battles. One interval in {:.0} misses; the chart of differences widens them for the number of \
                     comparisons.",
                    number(100.0 * manifest.level),
                    1.0 / (1.0 - manifest.level).max(1e-9)
                ),
            ),
        ]),
    }
    facts.extend([
        verbatim("Command", command(manifest)),
        plain("Version", format!("Grognard {}", manifest.tool)),
        verbatim("Study, SHA-256", manifest.study.sha256.clone()),
        verbatim("Pack, SHA-256", manifest.pack.sha256.clone()),
        verbatim("Digest of outcomes", manifest.progress.digest.clone()),
    ]);
    facts
}
