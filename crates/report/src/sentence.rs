//! The answer, in sentences made from the numbers.

use grognard_lab::Side;
use grognard_lab::results::{CellHeader, DRAW, Ending, Kind, Method, Setting, WIN};
use grognard_stats::{Estimate, rounded_up};

use crate::axis::number;
use crate::charts::{Curve, LOSSES, losses};
use crate::names::Names;
use crate::reading::{ALL_SAME, Comparison, DECIDED_ALIKE, Headline, Reading, rivals, shared, size};
use crate::text::{InPrint, capitalised, counted, listed, plural, spaced, unbracketed};

/// The words after a number of figures lost.
pub(crate) const FIGURES: &str = " figures on average";

/// The number of changes that the answer describes individually; if there are more, it counts them. If there is a
/// curve, which shows each value of a number, the limit is lower.
const CHANGES_MAX: usize = 6;
const CHANGES_BESIDE_CURVE: usize = 3;

/// With fewer battles per cell than this, the report says first that they are few.
const FEW: u64 = 100;

/// The main finding: the title of the first chart, without a full stop.
pub(crate) fn headline(reading: &Reading<'_>) -> String {
    led(reading, ", ")
        .or_else(|| alone(reading))
        .or_else(|| extremes(reading))
        .unwrap_or_else(|| reading.results.manifest.study.title.clone())
}

/// The title of a chart of wins: the main finding if it is about wins or draws, unless another chart has it as its title.
pub(crate) fn of_wins(reading: &Reading<'_>, taken: bool) -> String {
    let about_wins = !taken && [WIN, DRAW].contains(&reading.headline.metric);
    extremes(reading).filter(|_| !about_wins).unwrap_or_else(|| headline(reading))
}

/// The answer: the study's findings, the most important first.
pub(crate) fn answer(reading: &Reading<'_>) -> Vec<String> {
    let manifest = &reading.results.manifest;
    if manifest.method == Method::Sampled && manifest.progress.battles == 0 {
        return vec!["No battle has been fought yet.".to_owned()];
    }
    let comparisons = reading.comparisons(Some(reading.victor), WIN);
    let mut sentences = Vec::new();
    let headline = reading.headline.metric;
    if reading.is_still() && [WIN, DRAW].contains(&headline) {
        sentences.extend(still(reading));
    } else if let Some((told, comparison)) = led(reading, " and ").zip(reading.led()) {
        sentences.push(format!("{told}: {}.", apart(reading, &comparison)));
    } else if let Some(told) = alone(reading) {
        sentences.push(format!("{told}."));
    } else {
        sentences.extend(extremes(reading).map(|told| format!("{told}.")));
    }
    if !comparisons.is_empty() && !reading.is_still() {
        if comparisons.len() > 1 {
            sentences.extend(changes(reading, &comparisons));
        }
        sentences.extend(unmoved(reading));
    }
    sentences.extend(drawn(reading));
    sentences.extend(few(reading));
    sentences.extend(unfinished(reading));
    sentences
}

/// The sentences if each side wins equally often in all cells.
fn still(reading: &Reading<'_>) -> Vec<String> {
    let Some(cell) = reading.cells().first() else { return Vec::new() };
    let sides = reading.sides();
    let percent = |side| reading.wins(cell, side).map_or_else(String::new, |wins| wins.share_told());
    let count = plural(reading.cells().len(), "cell");
    let others = sides.sides()[1..].iter().map(|&side| format!("{} in {}", sides[side], percent(side)));
    let wins = format!(
        "{} sides win equally often in all {count}: {} in {} of battles, {}.",
        if reading.is_of_many() { "All" } else { "Both" },
        sides.first,
        percent(Side::First),
        others.collect::<Vec<_>>().join(", ")
    );
    losses(reading).map(|told| format!("{told}.")).into_iter().chain([wins]).collect()
}

/// How often the side that the study changes wins, if the sentences are about the other side.
fn unmoved(reading: &Reading<'_>) -> Option<String> {
    let (subject, victor) = (reading.subject, reading.victor);
    let wins = reading.cells().iter().filter_map(|cell| reading.wins(cell, subject));
    let most = wins.max_by(|one, other| one.point.total_cmp(&other.point)).filter(|_| subject != victor)?;
    let name = capitalised(&reading.sides()[subject]);
    let told = most.share_point();
    Some(match told.strip_prefix('<') {
        _ if most.point == 0.0 => format!("{name} never wins."),
        Some(bound) => format!("{name} wins less than {bound} of battles in every cell."),
        None => format!("{name} wins at most {told} of battles in any cell."),
    })
}

/// A warning if there are too few battles.
fn few(reading: &Reading<'_>) -> Option<String> {
    let manifest = &reading.results.manifest;
    let battles = manifest.progress.battles;
    let fewer = manifest.method == Method::Sampled && battles < FEW;
    fewer.then(|| {
        let fought = plural(battles as usize, "battle");
        format!("Only {fought} per cell: too few to conclude anything yet.")
    })
}

/// `96.1 % with square, 47.8 % with line (heavy cavalry, front)`, from both numbers in words, in a sentence about `side`.
pub(crate) fn contrast(
    names: &Names,
    [cell, baseline]: [&CellHeader; 2],
    side: Option<Side>,
    [own, theirs]: [&str; 2],
) -> String {
    let (here, there) = (names.place_apart(cell, baseline, side), names.place_apart(baseline, cell, side));
    format!("{own} {here}, {theirs} {there}{}", names.context(cell, baseline, side))
}

/// The words added if even the largest of several differences is within the margin of error.
pub(crate) fn unsure(difference: &Estimate) -> &'static str {
    if difference.holds(0.0) && !difference.is_computed() { ": no clear difference" } else { "" }
}

/// The headline's comparison: `Against heavy cavalry from the front, defender wins 96.1 % of battles with square, 47.8 % with line`.
fn led(reading: &Reading<'_>, joint: &str) -> Option<String> {
    let comparison = reading.led()?;
    let (cell, baseline) = (comparison.cell, comparison.baseline);
    let names = &reading.names;
    let (before, own, after) = quantity(reading, cell)?;
    let (_, theirs, _) = quantity(reading, baseline)?;
    let side = reading.headline.side;
    let (here, there) = (names.place_apart(cell, baseline, side), names.place_apart(baseline, cell, side));
    let told = format!("{before}{own}{after} {here}{joint}{theirs} {there}");
    let alike = if names.labelled { Vec::new() } else { shared(cell, baseline) };
    let within = circumstances(reading, &alike);
    Some(capitalised(&if within.is_empty() { told } else { format!("{within}, {told}") }))
}

/// The headline's number in a cell that the study names and that is not compared with another.
fn alone(reading: &Reading<'_>) -> Option<String> {
    let cell = reading.headline.cell?;
    let (before, own, after) = quantity(reading, cell)?;
    let place = match reading.cells() {
        [_] => String::new(),
        _ => format!(" {}", reading.names.place(cell, reading.headline.side)),
    };
    Some(capitalised(&format!("{before}{own}{after}{place}")))
}

/// The headline's number in a cell, with the words before and after it.
fn quantity(reading: &Reading<'_>, cell: &CellHeader) -> Option<(String, String, String)> {
    let Headline { side, metric, .. } = reading.headline;
    let name = |side: Side| reading.sides()[side].clone();
    let row = reading.results.estimate(cell.cell, side, metric)?;
    let found = row.estimate();
    let title = || {
        let known = reading.results.manifest.metrics.iter().find(|known| known.key == metric);
        known.map_or_else(|| spaced(metric), |known| known.title.clone())
    };
    Some(match (side, metric) {
        (Some(side), WIN) => (format!("{} wins ", name(side)), found.share_told(), " of battles".to_owned()),
        (_, DRAW) => (String::new(), found.share_told(), " of battles are drawn".to_owned()),
        (None, _) => ("battles last ".to_owned(), found.mean_point(), " turns on average".to_owned()),
        (Some(side), LOSSES) => (format!("{} loses ", name(side)), found.mean_point(), FIGURES.to_owned()),
        (Some(side), _) if row.kind == Kind::Share => {
            (format!("{}: {} in ", name(side), title()), found.share_told(), " of battles".to_owned())
        }
        (Some(side), _) => (format!("{}: {}, mean ", name(side), title()), found.mean_point(), String::new()),
    })
}

/// The settings that two cells share, in idiomatic words: `in good order, with attacker figures 12 against heavy
/// cavalry from the front`.
fn circumstances(reading: &Reading<'_>, settings: &[&Setting]) -> String {
    let sides = reading.results.manifest.side_names();
    let is_enemy = |name: &str| sides.sides().iter().any(|&side| side != reading.victor && sides[side] == name);
    let is_own_only = |path: &str| {
        let own = |path: &str| path.ends_with(".type") && path.split('.').next() == Some(sides[reading.victor]);
        own(path) && settings.iter().filter(|setting| own(&setting.path)).count() == 1
    };
    let (mut against, mut from, mut with) = (Vec::new(), Vec::new(), Vec::new());
    for setting in settings {
        let parts: Vec<&str> = setting.path.split('.').collect();
        let text = setting.value.text.as_str();
        match parts.as_slice() {
            [side, .., "type"] if is_enemy(side) => against.push(reading.names.value(&setting.path, &setting.value)),
            ["approach"] if ["front", "flank", "rear"].contains(&text) => from.push(format!("the {text}")),
            _ if is_own_only(&setting.path) => with.insert(0, reading.names.value(&setting.path, &setting.value)),
            _ => with.push(reading.names.described(setting, reading.headline.side)),
        }
    }
    // A value that the study calls `under fire` needs no `with`.
    let (mut phrases, bare): (Vec<String>, Vec<String>) =
        with.into_iter().partition(|words| reading.names.with(words) == *words);
    let mut last: Vec<String> = Vec::new();
    for (word, words) in [("with", bare), ("against", against), ("from", from)] {
        last.extend((!words.is_empty()).then(|| format!("{word} {}", listed(&words))));
    }
    phrases.extend((!last.is_empty()).then(|| last.join(" ")));
    phrases.join(", ")
}

/// `a difference of +48.3 ± 0.2 points`, or that no difference is clear.
fn apart(reading: &Reading<'_>, comparison: &Comparison<'_>) -> String {
    let difference = &comparison.difference;
    if reading.is_same(comparison.cell) {
        return ALL_SAME.to_owned();
    }
    let Headline { side, metric, .. } = reading.headline;
    let row = reading.results.difference(comparison.cell.cell, side, metric);
    let share = row.is_some_and(|row| row.kind == Kind::ShareDifference);
    let size = if share { format!("{} points", difference.points_margin()) } else { difference.mean_range() };
    if !difference.holds(0.0) || difference.is_computed() {
        return format!("a difference of {size}");
    }
    // If every share from 0 to 100 % is possible, there is no number to print.
    let size = if share && difference.half_width() >= 1.0 { String::new() } else { format!(" ({size})") };
    format!("no clear difference{size}")
}

/// How often each side wins in the only cell, or the victor's best and worst cell.
fn extremes(reading: &Reading<'_>) -> Option<String> {
    let name = |side: Side| reading.sides()[side].clone();
    if let [cell] = reading.cells() {
        let (side, percent) = (reading.victor, |side| Some(reading.wins(cell, side)?.share_told()));
        let others = side.onwards(reading.results.manifest.sides.len()).iter().copied().skip(1);
        let others: Option<Vec<String>> =
            others.map(|other| Some(format!("{} {}", name(other), percent(other)?))).collect();
        return Some(format!(
            "{} wins {} of battles, {}; {} are drawn",
            capitalised(&name(side)),
            percent(side)?,
            others?.join(", "),
            reading.draws(cell)?.share_told()
        ));
    }
    let cells: Vec<(&CellHeader, Estimate)> =
        reading.cells().iter().filter_map(|cell| Some((cell, reading.wins(cell, reading.victor)?))).collect();
    best_and_worst(reading, &cells)
}

/// The cells in which the victor wins most often and least often, and how many others are within the margin of error.
pub(crate) fn best_and_worst(reading: &Reading<'_>, cells: &[(&CellHeader, Estimate)]) -> Option<String> {
    let by_share =
        |one: &&(&CellHeader, Estimate), other: &&(&CellHeader, Estimate)| one.1.point.total_cmp(&other.1.point);
    let (least, most) = (cells.iter().min_by(by_share)?, cells.iter().max_by(by_share)?);
    let all: Vec<Estimate> = cells.iter().map(|(_, wins)| *wins).collect();
    let told = |(cell, wins): &(&CellHeader, Estimate)| {
        let place = reading.names.place(cell, Some(reading.victor));
        format!("{place} ({}{})", unbracketed(&wins.share_told()), alike(rivals(&all, wins), wins))
    };
    let name = capitalised(&reading.sides()[reading.victor]);
    Some(format!("{name} wins most often {} and least often {}", told(most), told(least)))
}

/// How many other cells cannot be distinguished from one that is called the highest or the lowest, in words.
fn alike(rivals: usize, one: &Estimate) -> String {
    let error = if one.is_computed() { "the same" } else { "within the margin of error" };
    match rivals {
        0 => String::new(),
        1 => format!("; 1 other {error}"),
        many => format!("; {many} others {error}"),
    }
}

/// Whether one difference is certainly the largest: no other interval reaches as far.
pub(crate) fn is_surely_greatest(comparisons: &[Comparison<'_>], greatest: &Comparison<'_>) -> bool {
    let sizes: Vec<Estimate> = comparisons.iter().map(|comparison| size(&comparison.difference)).collect();
    rivals(&sizes, &size(&greatest.difference)) == 0
}

/// For each change, its effect over all settings in which it was tried.
fn changes(reading: &Reading<'_>, comparisons: &[Comparison<'_>]) -> Vec<String> {
    let mut changes: Vec<(String, Vec<Change>)> = Vec::new();
    let told = |one: &Comparison<'_>| Change { difference: one.difference, same: reading.sameness(one.cell) };
    for comparison in comparisons {
        let change = capitalised(&reading.names.change(comparison.cell, comparison.baseline));
        match changes.iter_mut().find(|(known, _)| *known == change) {
            Some((_, differences)) => differences.push(told(comparison)),
            None => changes.push((change, vec![told(comparison)])),
        }
    }
    let side = &reading.sides()[reading.victor];
    let most = match Curve::of(reading) {
        Some(curve) if curve.cells() == reading.cells().len() => CHANGES_BESIDE_CURVE,
        _ => CHANGES_MAX,
    };
    if changes.len() > most {
        let all: Vec<Change> = comparisons.iter().map(told).collect();
        return vec![over_all("Against the baseline", side, &all)];
    }
    changes.iter().map(|(change, differences)| over_all(change, side, differences)).collect()
}

/// The effect of a change on the wins in one setting.
struct Change {
    difference: Estimate,
    /// The words to say that no battle ended differently, if none did: there is nothing to estimate.
    same: Option<&'static str>,
}

/// `Square instead of line (9 comparisons): defender wins more often in 6 and …; the changes range from −5.0 ± 0.3 to
/// +48.3 ± 0.2 points.`
fn over_all(change: &str, side: &str, differences: &[Change]) -> String {
    let one = |told: &Change| if told.same.is_some() { "0".to_owned() } else { told.difference.points_margin() };
    match differences {
        [Change { same: Some(same), .. }] => return format!("{change}: {same}."),
        [only] => return format!("{change}: {side}’s wins change by {} points.", one(only)),
        _ => {}
    }
    let over = plural(differences.len(), "comparison");
    if let Some(same) = differences[0].same.filter(|_| differences.iter().all(|told| told.same == differences[0].same))
    {
        return format!("{change} ({over}): {same}.");
    }
    let count = |kept: fn(&Estimate) -> bool| {
        differences.iter().filter(|told| told.same.is_none() && kept(&told.difference)).count()
    };
    let all = differences.len();
    let within = |(words, count): (&str, usize)| match count {
        0 => None,
        2 if all == 2 => Some(format!("{words} in both")),
        _ if count == all => Some(format!("{words} in all {count}")),
        _ => Some(format!("{words} in {count}")),
    };
    let wins = [
        ("more often", count(|difference| difference.low > 0.0)),
        ("less often", count(|difference| difference.high < 0.0)),
    ];
    let wins: Vec<String> = wins.into_iter().filter_map(within).collect();
    let same = |words: &str| differences.iter().filter(|told| told.same == Some(words)).count();
    let others = [
        ("no clear difference", count(|difference| difference.holds(0.0))),
        (ALL_SAME, same(ALL_SAME)),
        (DECIDED_ALIKE, same(DECIDED_ALIKE)),
    ];
    let mut parts: Vec<String> =
        (!wins.is_empty()).then(|| format!("{side} wins {}", listed(&wins))).into_iter().collect();
    parts.extend(others.into_iter().filter_map(within));
    let by_point = |left: &&Change, right: &&Change| left.difference.point.total_cmp(&right.difference.point);
    let range = differences.iter().min_by(by_point).zip(differences.iter().max_by(by_point));
    let range = range.map(|(least, most)| {
        // Readers would stumble over `from −1.6 to −0.1 to +44.2`.
        [least, most].map(|told| match one(told) {
            interval if interval.contains(" to ") => {
                let range = told.difference.points_range();
                format!("{} ({interval})", range.split(" (").next().unwrap_or_default())
            }
            margin => margin,
        })
    });
    parts.extend(range.map(|[least, most]| match least == most {
        true => format!("the changes are {least} points"),
        false => format!("the changes range from {least} to {most} points"),
    }));
    format!("{change} ({over}): {}.", parts.join("; "))
}

/// The share of draws, if it is worth a sentence.
fn drawn(reading: &Reading<'_>) -> Option<String> {
    let [least, most] = draws(reading)?;
    if most.1.point < 0.005 || reading.cells().len() < 2 {
        return None;
    }
    let [least, most] = [least, most].map(|(_, draws)| draws.share_told());
    Some(match least == most {
        true => format!("The share of draws is {most} in all cells."),
        false => format!("The share of draws ranges from {least} to {most}."),
    })
}

/// The title of bars next to a map or a curve of the same wins. Only the bars show draws, so it is about draws.
pub(crate) fn drawn_where(reading: &Reading<'_>) -> Option<String> {
    let [least, most] = draws(reading)?;
    let told = |(cell, draws): &(&CellHeader, Estimate)| {
        let place = reading.names.place(cell, None);
        format!("{place} ({})", unbracketed(&draws.share_told()))
    };
    let share = most.1.share_told();
    Some(match share == least.1.share_told() {
        true => format!("{share} of battles end in a draw in all cells"),
        false => format!("Battles end in a draw most often {} and least often {}", told(&most), told(&least)),
    })
}

/// The cells with the smallest and the largest share of draws.
fn draws<'a>(reading: &Reading<'a>) -> Option<[(&'a CellHeader, Estimate); 2]> {
    let draws: Vec<(&CellHeader, Estimate)> =
        reading.cells().iter().filter_map(|cell| Some((cell, reading.draws(cell)?))).collect();
    let by_point =
        |one: &&(&CellHeader, Estimate), other: &&(&CellHeader, Estimate)| one.1.point.total_cmp(&other.1.point);
    // If several cells are equal, each search takes the first.
    Some([*draws.iter().min_by(by_point)?, *draws.iter().rev().max_by(by_point)?])
}

/// A sentence if fewer battles were fought than requested.
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
                "The requested precision, ±{} points, was not reached in {}: the least precise share has ±{}.",
                points(asked),
                plural(fought as usize, "battle"),
                number(rounded_up(100.0 * widest, 2))
            )
        }),
        Ending::Precise => Some(format!("The requested precision was reached after {of}.")),
        Ending::Decided => Some(format!("After {of}, every cell was known to be better or worse than its baseline.")),
        Ending::Stopped => Some(format!("The run was stopped after {of}; the numbers are valid but less precise.")),
        Ending::Unfinished => Some(format!("The run is not finished: this report counts {of}.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An end of a range that is itself an interval is printed with its point.
    #[test]
    fn a_range_of_changes_reads_from_one_end_to_the_other() {
        let found = |point, low, high| Change {
            difference: Estimate { point, low, high, runs: 2_000, ..Estimate::computed(point) },
            same: None,
        };
        let told = over_all("Square", "blue", &[found(-0.007, -0.016, -0.0004), found(0.442, 0.41, 0.475)]);
        assert!(
            told.ends_with("the changes range from \u{2212}0.7 (\u{2212}1.6 to \u{2212}0.04) to +44.2 ± 3.3 points."),
            "{told}"
        );
    }
}
