//! The answer, in sentences made from the numbers.

use grognard_lab::Side;
use grognard_lab::results::{CellHeader, Ending, Method, Setting, WIN};
use grognard_stats::Estimate;

use crate::names::Names;
use crate::reading::{Comparison, Reading, greatest, shared};
use crate::text::{capitalised, counted, listed, plural, points_apart, signed, spaced};

/// Changes that the answer speaks of one by one; where there are more, it counts them.
const CHANGES_MAX: usize = 6;

/// The main finding: the title of the first chart, without a full stop.
pub(crate) fn headline(reading: &Reading<'_>) -> String {
    let comparisons = reading.comparisons(Some(reading.subject), WIN);
    greatest(&comparisons)
        .and_then(|comparison| told(reading, comparison, ", "))
        .or_else(|| extremes(reading))
        .unwrap_or_else(|| reading.results.manifest.study.title.clone())
}

/// The answer: what the study found, the weightiest first.
pub(crate) fn answer(reading: &Reading<'_>) -> Vec<String> {
    let manifest = &reading.results.manifest;
    if manifest.method == Method::Sampled && manifest.progress.battles == 0 {
        return vec!["No battle has been fought yet.".to_owned()];
    }
    let comparisons = reading.comparisons(Some(reading.subject), WIN);
    let mut sentences = Vec::new();
    match greatest(&comparisons) {
        Some(greatest) => {
            if let Some(told) = told(reading, greatest, " and ") {
                sentences.push(format!("{told}: {}.", apart(&greatest.difference)));
            }
            if comparisons.len() > 1 {
                sentences.extend(changes(reading, &comparisons));
            }
        }
        None => sentences.extend(extremes(reading).map(|told| format!("{told}."))),
    }
    sentences.extend(drawn(reading));
    sentences.extend(unfinished(reading));
    sentences
}

/// `96.1 % with square, 47.8 % with line (heavy cavalry, front)`, from the two numbers already in words.
pub(crate) fn contrast(names: &Names, comparison: &Comparison<'_>, own: &str, theirs: &str, joint: &str) -> String {
    let (cell, baseline) = (comparison.cell, comparison.baseline);
    let context = names.alike(cell, baseline);
    let within = if context.is_empty() { String::new() } else { format!(" ({context})") };
    format!("{own} with {}{joint}{theirs} with {}{within}", names.apart(cell, baseline), names.apart(baseline, cell))
}

/// `Against heavy cavalry from the front, defender wins 96.1 % of battles with square, 47.8 % with line`.
fn told(reading: &Reading<'_>, comparison: &Comparison<'_>, joint: &str) -> Option<String> {
    let (cell, baseline) = (comparison.cell, comparison.baseline);
    let wins = |cell: &CellHeader| reading.wins(cell, reading.subject).map(|wins| wins.percent_told());
    let names = &reading.names;
    let told = format!(
        "{} wins {} of battles with {}{joint}{} with {}",
        reading.sides()[reading.subject],
        wins(cell)?,
        names.apart(cell, baseline),
        wins(baseline)?,
        names.apart(baseline, cell)
    );
    let alike = if names.labelled { Vec::new() } else { shared(cell, baseline) };
    let within = circumstances(reading, &alike);
    Some(capitalised(&if within.is_empty() { told } else { format!("{within}, {told}") }))
}

/// What two cells have in common, as one would say it: `against heavy cavalry from the front`.
fn circumstances(reading: &Reading<'_>, settings: &[&Setting]) -> String {
    let enemy = reading.results.manifest.side_names()[reading.subject.other()];
    let phrase = |setting: &&Setting| {
        let parts: Vec<&str> = setting.path.split('.').collect();
        let value = spaced(&setting.value.text);
        match parts.as_slice() {
            [side, .., "type"] if *side == enemy => format!("against {value}"),
            ["approach"] if ["front", "flank", "rear"].contains(&value.as_str()) => format!("from the {value}"),
            _ => format!("with {}", reading.names.setting(setting)),
        }
    };
    let mut phrases: Vec<String> = settings.iter().map(phrase).collect();
    // "Against" whom comes before "from" where, and both before the rest.
    phrases.sort_by_key(|phrase| !phrase.starts_with("against "));
    phrases.join(" ")
}

/// `a difference of 48.3 ± 0.2 points`, or that there is none to be seen.
fn apart(difference: &Estimate) -> String {
    if difference.holds(0.0) && !difference.is_computed() {
        format!("no difference beyond the error, {}", points_apart(difference))
    } else {
        format!("a difference of {}", points_apart(difference))
    }
}

/// Who wins how often in the only cell, or the subject's best and worst cell.
fn extremes(reading: &Reading<'_>) -> Option<String> {
    let subject = reading.subject;
    let name = |side: Side| reading.sides()[side].clone();
    if let [cell] = reading.cells() {
        let percent = |side| Some(reading.wins(cell, side)?.percent_told());
        return Some(format!(
            "{} wins {} of battles, {} {}; {} are drawn",
            capitalised(&name(subject)),
            percent(subject)?,
            name(subject.other()),
            percent(subject.other())?,
            reading.draws(cell)?.percent_told()
        ));
    }
    let wins = || reading.cells().iter().filter_map(|cell| Some((reading.wins(cell, subject)?, cell)));
    let by_share = |left: &(Estimate, _), right: &(Estimate, _)| left.0.point.total_cmp(&right.0.point);
    let (least, most) = (wins().min_by(by_share)?, wins().max_by(by_share)?);
    Some(format!(
        "{} wins most often with {} ({}) and least often with {} ({})",
        capitalised(&name(subject)),
        reading.names.cell(most.1),
        most.0.percent_told(),
        reading.names.cell(least.1),
        least.0.percent_told()
    ))
}

/// For each change that was tried in several settings, what it did over all of them.
fn changes(reading: &Reading<'_>, comparisons: &[Comparison<'_>]) -> Vec<String> {
    let mut changes: Vec<(String, Vec<Estimate>)> = Vec::new();
    for comparison in comparisons {
        let (cell, baseline) = (comparison.cell, comparison.baseline);
        let names = &reading.names;
        let change =
            format!("{} instead of {}", capitalised(&names.apart(cell, baseline)), names.apart(baseline, cell));
        match changes.iter_mut().find(|(known, _)| *known == change) {
            Some((_, differences)) => differences.push(comparison.difference),
            None => changes.push((change, vec![comparison.difference])),
        }
    }
    let side = &reading.sides()[reading.subject];
    if changes.len() > CHANGES_MAX {
        let all: Vec<Estimate> = comparisons.iter().map(|comparison| comparison.difference).collect();
        return vec![over_all("Against the baseline", side, &all)];
    }
    changes.iter().map(|(change, differences)| over_all(change, side, differences)).collect()
}

/// `Square instead of line, over 9 comparisons: defender wins more often in 6 and …; from −5.0 ± 0.3 to +48.3 ± 0.2 points.`
fn over_all(change: &str, side: &str, differences: &[Estimate]) -> String {
    let one = |difference: &Estimate| signed(100.0 * difference.point, 100.0 * difference.half_width());
    if let [only] = differences {
        return format!("{change}: {} points.", one(only));
    }
    let count = |kept: fn(&&Estimate) -> bool| differences.iter().filter(kept).count();
    let parts = [
        ("more often", count(|difference| difference.low > 0.0)),
        ("less often", count(|difference| difference.high < 0.0)),
        ("no differently beyond the error", count(|difference| difference.holds(0.0))),
    ];
    let parts: Vec<String> =
        parts.iter().filter(|(_, count)| *count > 0).map(|(how, count)| format!("{how} in {count}")).collect();
    let by_point = |left: &&Estimate, right: &&Estimate| left.point.total_cmp(&right.point);
    let range = differences.iter().min_by(by_point).zip(differences.iter().max_by(by_point));
    let range =
        range.map_or_else(String::new, |(least, most)| format!("; from {} to {} points", one(least), one(most)));
    format!("{change}, over {}: {side} wins {}{range}.", plural(differences.len(), "comparison"), listed(&parts))
}

/// How many battles nobody won, where that is worth saying.
fn drawn(reading: &Reading<'_>) -> Option<String> {
    let cells = reading.cells();
    let draws: Vec<Estimate> = cells.iter().filter_map(|cell| reading.draws(cell)).collect();
    let by_point = |left: &&Estimate, right: &&Estimate| left.point.total_cmp(&right.point);
    let (least, most) = (draws.iter().min_by(by_point)?, draws.iter().max_by(by_point)?);
    match draws.len() {
        1 => None,
        _ if most.point < 0.005 => None,
        _ => Some(format!("Between {} and {} of battles are drawn.", least.percent_told(), most.percent_told())),
    }
}

/// That fewer battles were fought than asked for.
fn unfinished(reading: &Reading<'_>) -> Option<String> {
    let manifest = &reading.results.manifest;
    let (fought, asked) = (manifest.progress.battles, manifest.runs);
    if manifest.method == Method::Exact {
        return None;
    }
    let of = format!("{} of {} battles per cell", counted(fought), counted(asked));
    match manifest.progress.ending {
        Ending::AllRuns => None,
        Ending::Precise => Some(format!("The precision asked for was reached after {of}.")),
        Ending::Decided => Some(format!("Every cell was known to be better or worse than its baseline after {of}.")),
        Ending::Stopped => Some(format!("The run was stopped after {of}; the numbers are sound, only less sharp.")),
        Ending::Unfinished => Some(format!("The run is not finished: {of} are counted here.")),
    }
}
