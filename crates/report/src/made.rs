//! How the numbers were made, and how to see one of the battles.

use grognard_lab::results::{Manifest, Method, PackHeader, Results};

use crate::axis::number;
use crate::text::counted;
use crate::told::command as command_to_replay;

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
    let word = if manifest.more_packs.is_empty() { "pack" } else { "packs" };
    let pack = format!("{word} {}", manifest.pack_line());
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

/// How to see the battles that were fought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// Which there are, in a sentence.
    pub about: String,
    /// The command that narrates the first battle of the first cell.
    pub command: String,
}

/// How to see one of the battles; none if none was fought. The folder has seed and values of the run, whatever its flags.
pub(crate) fn replay(results: &Results) -> Option<Replay> {
    let progress = &results.manifest.progress;
    let last = progress.battles.checked_sub(1)? + progress.first;
    Some(Replay {
        about: format!(
            "Any battle can be told again, blow by blow: the cell’s number is in the tables, battles go from {} to {}.",
            counted(progress.first),
            counted(last)
        ),
        command: command_to_replay(results, 0, progress.first),
    })
}

/// What a report is built from, in one line: the SHA-256 of summary, study and pack.
pub(crate) fn origin(manifest: &Manifest) -> String {
    let summary = manifest.files.summary.as_ref().map_or("none", |summary| &summary.sha256);
    let packs = manifest.packs().map(|pack| pack.sha256.as_str()).collect::<Vec<_>>().join(" ");
    format!("{summary} {} {packs}", manifest.study.sha256)
}

/// How the numbers were made.
pub(crate) fn facts(manifest: &Manifest) -> Vec<Fact> {
    let plain = |term, text: String| Fact { term, text, verbatim: false };
    let verbatim = |term, text: String| Fact { term, text, verbatim: true };
    let mut facts = vec![plain("Study", format!("{} ({})", manifest.study.title, manifest.study.name))];
    let pack = |pack: &PackHeader| plain("Pack", format!("{} ({} {})", pack.title, pack.name, pack.version));
    facts.extend(manifest.packs().map(pack));
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
    ]);
    facts.extend(manifest.packs().map(|pack| verbatim("Pack, SHA-256", pack.sha256.clone())));
    facts.push(verbatim("Digest of outcomes", manifest.progress.digest.clone()));
    facts
}
