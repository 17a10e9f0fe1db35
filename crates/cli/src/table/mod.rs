//! Results as text: a row for each cell, then what differs from the baseline.

pub(crate) mod compared;
mod differences;
mod expected;
mod figures;
mod grid;
mod names;
mod shares;

use grognard_lab::results::{Ending, Method, Results};

use crate::text::{counted, plural, shortened};
use names::Names;

/// The results as tables no wider than `width` columns if they can be.
///
/// The same results give the same text, wherever and however fast they were fought.
pub(crate) fn results(results: &Results, width: usize) -> String {
    let names = Names::of(&results.manifest);
    let mut parts = vec![heading(results), shares::table(results, &names, width)];
    parts.extend(differences::table(results, &names));
    parts.extend(expected::said(results));
    let parts: Vec<String> = parts.iter().map(|lines| lines.join("\n")).collect();
    format!("{}\n", parts.join("\n\n"))
}

/// What was fought.
fn heading(results: &Results) -> Vec<String> {
    let manifest = &results.manifest;
    let fought = manifest.progress.battles;
    let battles = match manifest.progress.ending {
        Ending::AllRuns => plural(fought, "battle"),
        Ending::Precise | Ending::Decided | Ending::Stopped | Ending::Unfinished => {
            format!("{} of {}", counted(fought), plural(manifest.runs, "battle"))
        }
    };
    let how = match manifest.method {
        Method::Sampled => format!("{battles} each, seed {}", manifest.seed),
        Method::Exact => "exact".to_owned(),
    };
    let pack = shortened(&manifest.pack_line(), 120);
    vec![
        shortened(&manifest.study.title, 120),
        format!("{}, {how}, {pack}", plural(manifest.cells.len() as u64, "cell")),
    ]
}
