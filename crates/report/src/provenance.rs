//! How the numbers were made, and how to see one of the battles.

use grognard_lab::results::{Ending, Manifest, Method, PackHeader, PromiseKind, Results};

use crate::axis::number;
use crate::noteworthy::command as command_to_replay;
use crate::reading::Reading;
use crate::text::{counted, plural};

/// A fact about how the numbers were made, as a term and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The term.
    pub term: &'static str,
    /// The text.
    pub text: String,
    /// Whether the text is to be typed or compared exactly.
    pub verbatim: bool,
}

/// The caption of every chart: runs, or the number of runs watched, seed, pack and the command that reproduces it.
pub(crate) fn caption(manifest: &Manifest, watched: Option<u64>) -> String {
    let word = if manifest.more_packs.is_empty() { "pack" } else { "packs" };
    let pack = format!("{word} {}", manifest.pack_line());
    let numbers = match manifest.method {
        Method::Exact => "Computed exactly".to_owned(),
        Method::Sampled => {
            let of = watched.map_or_else(String::new, |watched| format!("{} of ", counted(watched)));
            format!("{of}{} per cell, seed {}", plural(manifest.progress.battles as usize, "battle"), manifest.seed)
        }
    };
    format!("{numbers}, {pack}. Rerun: {}", command(manifest))
}

/// The command that reproduces the folder.
fn command(manifest: &Manifest) -> String {
    let command = manifest.made.command.trim();
    if command.is_empty() { format!("grognard run {}", manifest.study.name) } else { command.to_owned() }
}

/// How to see the battles that were fought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// A sentence that says which battles there are.
    pub about: String,
    /// The command that narrates the first battle of the first cell.
    pub command: String,
}

/// How to see one of the battles; `None` if no battle was fought. The folder contains the seed and values of the run,
/// so its flags do not matter.
pub(crate) fn replay(results: &Results) -> Option<Replay> {
    let progress = &results.manifest.progress;
    let last = progress.battles.checked_sub(1)? + progress.first;
    Some(Replay {
        about: format!(
            "You can replay any battle, blow by blow: the tables give the cell’s number, and battles are numbered from {} to {}.",
            counted(progress.first),
            counted(last)
        ),
        command: command_to_replay(results, 0, progress.first),
    })
}

/// The origin of a report, in one line: the SHA-256 of summary, study and pack.
pub(crate) fn origin(manifest: &Manifest) -> String {
    let summary = manifest.files.summary.as_ref().map_or("none", |summary| &summary.sha256);
    let packs = manifest.packs().map(|pack| pack.sha256.as_str()).collect::<Vec<_>>().join(" ");
    format!("{summary} {} {packs}", manifest.study.sha256)
}

/// How the numbers were made.
pub(crate) fn facts(reading: &Reading<'_>) -> Vec<Fact> {
    let manifest = &reading.results.manifest;
    let each = reading.each();
    let plain = |term, text: String| Fact { term, text, verbatim: false };
    let verbatim = |term, text: String| Fact { term, text, verbatim: true };
    let mut facts = vec![plain("Study", format!("{} ({})", manifest.study.title, manifest.study.name))];
    let pack = |pack: &PackHeader| plain("Pack", format!("{} ({} {})", pack.title, pack.name, pack.version));
    facts.extend(manifest.packs().map(pack));
    match manifest.method {
        Method::Exact => facts.push(plain(
            "Method",
            "Every outcome was enumerated with its probability; the numbers have no sampling error.".to_owned(),
        )),
        Method::Sampled => facts.extend([
            plain(
                "Battles",
                format!(
                    "{} in each of {}; battle i has the same dice in every cell{}",
                    counted(manifest.progress.battles),
                    plural(manifest.cells.len(), "cell"),
                    if each > 1 {
                        ", and every other battle uses the dice of the one before it, with the sides swapped"
                    } else {
                        ""
                    }
                ),
            ),
            plain("Seed", manifest.seed.to_string()),
            plain("Intervals", intervals(manifest, each > 1)),
        ]),
    }
    if reading.is_of_many() {
        let text = "Charts of losses, routs and morale compare two sides; the tables have the numbers for all sides.";
        facts.push(plain("Left out", text.to_owned()));
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

/// The kind of the intervals, and their guarantee.
fn intervals(manifest: &Manifest, both_ways: bool) -> String {
    let level = number(100.0 * manifest.level);
    let kinds = match (manifest.promise.kind, both_ways) {
        (PromiseKind::Watched, _) => "confidence sequences by betting, for shares, means and their differences",
        (PromiseKind::Wilson, true) => "Student’s, for shares and means and their differences",
        (PromiseKind::Wilson, false) => {
            "Wilson’s for shares, Student’s for means, Tango’s for differences of shares between paired battles"
        }
        (PromiseKind::Exact, true) => "Gaffke’s bound, for shares and means and their differences",
        (PromiseKind::Exact, false) => {
            "Clopper and Pearson’s for shares, Gaffke’s bound (extended to arbitrary values) for means and differences"
        }
    };
    let mut sentences = vec![format!("{level} %: {kinds}.")];
    sentences.extend(promises(manifest, both_ways));
    if !manifest.promise.together {
        let misses = format!("{:.0}", 1.0 / (1.0 - manifest.level).max(1e-9));
        let most = if manifest.promise.kind == PromiseKind::Wilson { "About" } else { "At most" };
        sentences.push(format!(
            "{most} one interval in {misses} misses the true value; the chart of differences widens them for the number of comparisons."
        ));
    }
    sentences.join(" ")
}

/// The guarantees of sampled results other than their level, and the basis of the intervals, one sentence each;
/// `both_ways` says whether battles are fought in rounds of two.
#[must_use]
pub fn promises(manifest: &Manifest, both_ways: bool) -> Vec<String> {
    let mut sentences = Vec::new();
    if both_ways {
        sentences.push("The two battles of a round, fought both ways, count as one.".to_owned());
    }
    if manifest.promise.kind == PromiseKind::Watched {
        sentences.push("Intervals hold at every look (confidence sequences).".to_owned());
    }
    if manifest.progress.ending == Ending::Precise {
        sentences.push(
            "Intervals of shares miss the true value slightly more often, because the run ended at the requested \
             precision."
                .to_owned(),
        );
    }
    let ratios = manifest.metrics.iter().any(|metric| metric.ratio.is_some());
    if manifest.promise.together {
        let level = number(100.0 * manifest.level);
        sentences.push(format!("All intervals are simultaneous at {level} %."));
        let unpromised = match (manifest.luck, ratios) {
            (false, false) => None,
            (true, false) => Some("the estimates with the luck removed"),
            (false, true) => Some("the pack’s own metrics"),
            (true, true) => Some("the estimates with the luck removed and the pack’s own metrics"),
        };
        if let Some(which) = unpromised {
            sentences.push(format!("This is not guaranteed for {which}, which use normal approximations."));
        }
    } else if ratios {
        sentences.push(
            "The intervals of the pack’s own metrics use normal approximations, and may miss more often.".to_owned(),
        );
    }
    sentences
}
