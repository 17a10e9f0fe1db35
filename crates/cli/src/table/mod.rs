//! Results as text: a row for each cell, then the differences from the baseline.

pub(crate) mod answer;
mod bars;
pub(crate) mod compared;
mod csv;
mod differences;
mod expected;
mod figures;
mod grid;
mod luck;
mod metrics;
mod names;
pub(crate) mod planned;
pub(crate) mod sensitivity;
mod shares;

use grognard_lab::results::{Ending, Method, Results};

use crate::terminal::Page;
use crate::text::{counted, plural, shortened};
use names::Names;

pub(crate) use csv::{csv, records};
pub(crate) use figures::{Figure, aligned, margin, margin_alone};
pub(crate) use grid::Column;
pub(crate) use shares::precision_missed;

/// How tables are formatted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Setting {
    /// As columns of text, no wider than the page if possible.
    Text(Page),
    /// As Markdown, in GitHub's dialect.
    Markdown,
}

/// The results as tables.
///
/// The same results give the same text, wherever and however fast they were fought.
pub(crate) fn results(results: &Results, setting: Setting) -> String {
    let names = Names::of(&results.manifest);
    let mut parts = vec![heading(results, setting), shares::table(results, &names, setting)];
    parts.extend(metrics::tables(results, &names, setting));
    parts.extend(differences::table(results, &names, setting));
    parts.extend(luck::table(results, &names, setting));
    parts.extend(expected::said(results));
    let parts: Vec<String> = parts.iter().map(|lines| lines.join("\n")).collect();
    format!("{}\n", parts.join("\n\n"))
}

/// The header: the study, its cells and battles.
fn heading(results: &Results, setting: Setting) -> Vec<String> {
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
    let title = shortened(&manifest.study.title, 120);
    let fought = format!("{}, {how}, {pack}", plural(manifest.cells.len() as u64, "cell"));
    match setting {
        Setting::Text(_) => vec![title, fought],
        Setting::Markdown => vec![format!("**{}**", grid::escaped(&title)), String::new(), grid::escaped(&fought)],
    }
}
