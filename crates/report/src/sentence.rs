//! The answer, in sentences made from the numbers.

use grognard_lab::Side;
use grognard_lab::results::{CellHeader, Ending, Method, Setting, WIN};
use grognard_stats::Estimate;

use crate::axis::number;
use crate::charts::losses;
use crate::names::Names;
use crate::reading::{Comparison, Reading, greatest, rivals, shared, size};
use crate::text::{capitalised, counted, listed, plural, points_apart, signed, spaced, unbracketed};

/// Changes that the answer speaks of one by one; where there are more, it counts them.
const CHANGES_MAX: usize = 6;

/// Battles of each cell below which their fewness is the first thing to know.
const FEW: u64 = 100;

/// The main finding: the title of the first chart, without a full stop.
pub(crate) fn headline(reading: &Reading<'_>) -> String {
    let comparisons = reading.comparisons(Some(reading.victor), WIN);
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
    let comparisons = reading.comparisons(Some(reading.victor), WIN);
    let mut sentences = Vec::new();
    match greatest(&comparisons) {
        _ if reading.is_still() => sentences.extend(still(reading)),
        Some(greatest) => {
            if let Some(told) = told(reading, greatest, " and ") {
                sentences.push(format!("{told}: {}.", apart(&greatest.difference)));
            }
            if comparisons.len() > 1 {
                sentences.extend(changes(reading, &comparisons));
            }
            sentences.extend(unmoved(reading));
        }
        None => sentences.extend(extremes(reading).map(|told| format!("{told}."))),
    }
    sentences.extend(drawn(reading));
    sentences.extend(few(reading));
    sentences.extend(unfinished(reading));
    sentences
}

/// What there is to say where each side wins equally often everywhere.
fn still(reading: &Reading<'_>) -> Vec<String> {
    let Some(cell) = reading.cells().first() else { return Vec::new() };
    let sides = reading.sides();
    let percent = |side| reading.wins(cell, side).map_or_else(String::new, |wins| wins.percent_told());
    let (first, second) = (percent(Side::First), percent(Side::Second));
    let count = plural(reading.cells().len(), "cell");
    let wins = format!(
        "Who wins is the same in all {count}: {} in {first} of battles, {} in {second}.",
        sides.first, sides.second
    );
    losses(reading).map(|told| format!("{told}.")).into_iter().chain([wins]).collect()
}

/// That the side which the study changes is not the one the sentences speak of.
fn unmoved(reading: &Reading<'_>) -> Option<String> {
    let (subject, victor) = (reading.subject, reading.victor);
    let wins = reading.cells().iter().filter_map(|cell| reading.wins(cell, subject));
    let most = wins.max_by(|one, other| one.point.total_cmp(&other.point)).filter(|_| subject != victor)?;
    let name = capitalised(&reading.sides()[subject]);
    Some(match most.point {
        0.0 => format!("{name} wins nowhere."),
        _ => format!("{name} wins nowhere more than {} of battles.", most.percent_point()),
    })
}

/// That there are too few battles to build on.
fn few(reading: &Reading<'_>) -> Option<String> {
    let manifest = &reading.results.manifest;
    let battles = manifest.progress.battles;
    let fewer = manifest.method == Method::Sampled && battles < FEW;
    fewer.then(|| {
        let fought = plural(battles as usize, "battle");
        format!("Only {fought} of each cell: nothing here is sure yet, and what looks alike or unlike may be neither.")
    })
}

/// `96.1 % with square, 47.8 % with line (heavy cavalry, front)`, from the two numbers already in words.
pub(crate) fn contrast(names: &Names, comparison: &Comparison<'_>, own: &str, theirs: &str, joint: &str) -> String {
    let (cell, baseline) = (comparison.cell, comparison.baseline);
    let context = names.alike(cell, baseline);
    let within = if context.is_empty() { String::new() } else { format!(" ({context})") };
    let (here, there) = (names.with(&names.apart(cell, baseline)), names.with(&names.apart(baseline, cell)));
    format!("{own} {here}{joint}{theirs} {there}{within}")
}

/// What is added where even the greatest of several differences is none beyond the error.
pub(crate) fn unsure(difference: &Estimate) -> &'static str {
    if difference.holds(0.0) && !difference.is_computed() { ": no difference beyond the error" } else { "" }
}

/// `Against heavy cavalry from the front, defender wins 96.1 % of battles with square, 47.8 % with line`.
fn told(reading: &Reading<'_>, comparison: &Comparison<'_>, joint: &str) -> Option<String> {
    let (cell, baseline) = (comparison.cell, comparison.baseline);
    let wins = |cell: &CellHeader| reading.wins(cell, reading.victor).map(|wins| wins.percent_told());
    let names = &reading.names;
    let told = format!(
        "{} wins {} of battles {}{joint}{} {}",
        reading.sides()[reading.victor],
        wins(cell)?,
        names.with(&names.apart(cell, baseline)),
        wins(baseline)?,
        names.with(&names.apart(baseline, cell))
    );
    let alike = if names.labelled { Vec::new() } else { shared(cell, baseline) };
    let within = circumstances(reading, &alike);
    Some(capitalised(&if within.is_empty() { told } else { format!("{within}, {told}") }))
}

/// What two cells have in common, as one would say it: `against heavy cavalry from the front with attacker figures 12`.
fn circumstances(reading: &Reading<'_>, settings: &[&Setting]) -> String {
    let enemy = reading.results.manifest.side_names()[reading.victor.other()];
    let (mut against, mut from, mut with) = (Vec::new(), Vec::new(), Vec::new());
    for setting in settings {
        let parts: Vec<&str> = setting.path.split('.').collect();
        let value = spaced(&setting.value.text);
        match parts.as_slice() {
            [side, .., "type"] if *side == enemy => against.push(value),
            ["approach"] if ["front", "flank", "rear"].contains(&value.as_str()) => from.push(format!("the {value}")),
            _ => with.push(reading.names.setting(setting)),
        }
    }
    let phrases = [("against", against), ("from", from), ("with", with)];
    let phrases = phrases.iter().filter(|(_, words)| !words.is_empty());
    phrases.map(|(word, words)| format!("{word} {}", listed(words))).collect::<Vec<_>>().join(" ")
}

/// `a difference of 48.3 ± 0.2 points`, or that there is none to be seen.
fn apart(difference: &Estimate) -> String {
    if difference.holds(0.0) && !difference.is_computed() {
        // Where everything from all to nothing is possible there is no number to print.
        let size =
            if difference.half_width() < 1.0 { format!(", {}", points_apart(difference)) } else { String::new() };
        format!("no difference beyond the error{size}")
    } else {
        format!("a difference of {}", points_apart(difference))
    }
}

/// Who wins how often in the only cell, or the victor's best and worst cell.
fn extremes(reading: &Reading<'_>) -> Option<String> {
    let name = |side: Side| reading.sides()[side].clone();
    if let [cell] = reading.cells() {
        let (side, percent) = (reading.victor, |side| Some(reading.wins(cell, side)?.percent_told()));
        return Some(format!(
            "{} wins {} of battles, {} {}; {} are drawn",
            capitalised(&name(side)),
            percent(side)?,
            name(side.other()),
            percent(side.other())?,
            reading.draws(cell)?.percent_told()
        ));
    }
    let cells: Vec<(&CellHeader, Estimate)> =
        reading.cells().iter().filter_map(|cell| Some((cell, reading.wins(cell, reading.victor)?))).collect();
    best_and_worst(reading, &cells)
}

/// Where of several cells the victor wins most often and where least, and how many are as good and as bad within the error.
pub(crate) fn best_and_worst(reading: &Reading<'_>, cells: &[(&CellHeader, Estimate)]) -> Option<String> {
    let by_share =
        |one: &&(&CellHeader, Estimate), other: &&(&CellHeader, Estimate)| one.1.point.total_cmp(&other.1.point);
    let (least, most) = (cells.iter().min_by(by_share)?, cells.iter().max_by(by_share)?);
    let all: Vec<Estimate> = cells.iter().map(|(_, wins)| *wins).collect();
    let told = |(cell, wins): &(&CellHeader, Estimate)| {
        let place = reading.names.with(&reading.names.cell(cell));
        format!("{place} ({}{})", unbracketed(&wins.percent_told()), alike(rivals(&all, wins), wins))
    };
    let name = capitalised(&reading.sides()[reading.victor]);
    Some(format!("{name} wins most often {} and least often {}", told(most), told(least)))
}

/// How many others cannot be told from one that is called the most or the least.
fn alike(rivals: usize, one: &Estimate) -> String {
    let error = if one.is_computed() { "the same" } else { "within the error" };
    match rivals {
        0 => String::new(),
        1 => format!("; 1 other {error}"),
        many => format!("; {many} others {error}"),
    }
}

/// Whether one difference is surely the greatest: the errors of no others reach as far.
pub(crate) fn is_surely_greatest(comparisons: &[Comparison<'_>], greatest: &Comparison<'_>) -> bool {
    let sizes: Vec<Estimate> = comparisons.iter().map(|comparison| size(&comparison.difference)).collect();
    rivals(&sizes, &size(&greatest.difference)) == 0
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
    let side = &reading.sides()[reading.victor];
    if changes.len() > CHANGES_MAX {
        let all: Vec<Estimate> = comparisons.iter().map(|comparison| comparison.difference).collect();
        return vec![over_all("Against the baseline", side, &all)];
    }
    changes.iter().map(|(change, differences)| over_all(change, side, differences)).collect()
}

/// `Square instead of line, over 9 comparisons: defender wins more often in 6 and …; from −5.0 ± 0.3 to +48.3 ± 0.2 points.`
fn over_all(change: &str, side: &str, differences: &[Estimate]) -> String {
    let one = |difference: &Estimate| signed(100.0 * difference.point, 100.0 * difference.half_width().min(1.0));
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
        Ending::AllRuns => reading.results.precision_missed().map(|(asked, widest)| {
            let points = |half_width: f64| number(100.0 * half_width);
            format!(
                "The precision asked for, ±{} points, was not reached in {}: the share that is known least has ±{}.",
                points(asked),
                counted(fought),
                points((1e4 * widest).ceil() / 1e4)
            )
        }),
        Ending::Precise => Some(format!("The precision asked for was reached after {of}.")),
        Ending::Decided => Some(format!("Every cell was known to be better or worse than its baseline after {of}.")),
        Ending::Stopped => Some(format!("The run was stopped after {of}; the numbers are sound, only less sharp.")),
        Ending::Unfinished => Some(format!("The run is not finished: {of} are counted here.")),
    }
}
