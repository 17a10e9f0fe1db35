//! A report to share, about the differences between two packs, two results, or the cells of one result.

use std::path::{Path, PathBuf};

use grognard_lab::compare::{Compared, Couple, Difference};
use grognard_lab::results::{DRAW, Method, TURNS, WIN};
use grognard_stats::Estimate;

use crate::charts::{Shift, ShiftRow};
use crate::files::{self, ReportError};
use crate::provenance::Fact;
use crate::report::{ALL_CELLS, Report};
use crate::table::Table;
use crate::text::{InPrint, capitalised, counted, plural, spaced};

/// The number of changed values that fit on a page.
const CHANGES: usize = 16;

/// Writes the report on a comparison into a folder: a page, Markdown, a PDF of one page, its chart, and `texts` next to
/// them under their names. `metric` names the compared value, as [`Difference::name`] gives it, and `command`
/// reproduces it.
///
/// # Errors
/// If the chart cannot be drawn or a file cannot be written.
pub fn publish_comparison(
    folder: &Path,
    compared: &Compared,
    metric: &str,
    command: &str,
    texts: &[(&str, String)],
) -> Result<Vec<PathBuf>, ReportError> {
    files::publish_answer(folder, "comparison", &report(compared, metric, command), texts)
}

/// Builds the report on a comparison.
pub(crate) fn report(compared: &Compared, metric: &str, command: &str) -> Report {
    let [before, after] = &compared.parties;
    let rows = rows_of(compared, metric);
    let answer = answer(compared, metric, &rows);
    let of = |party: &grognard_lab::compare::Heading| match party.method {
        Method::Exact => format!("{} {}, computed exactly", party.pack, party.version),
        Method::Sampled => {
            let battles = plural(party.battles as usize, "battle");
            format!("{} {}, {battles} per cell, seed {}", party.pack, party.version, party.seed)
        }
    };
    let (one, other) = (of(before), of(after));
    let numbers = if one == other { one } else { format!("{one}; {other}") };
    let caption = format!("{numbers}. Rerun: {command}");
    Report {
        title: before.title.clone(),
        question: what(compared),
        answer,
        highlights: Vec::new(),
        lead: shift(compared, metric, &rows, "before-and-after").chart(caption.clone()),
        asked: changes(compared),
        analysis: Vec::new(),
        charts: lengths(compared, metric).and_then(|shift| shift.chart(caption)).into_iter().collect(),
        rules: None,
        noteworthy: Vec::new(),
        who_plays: None,
        tables: vec![table(compared, metric, &rows)],
        facts: vec![
            Fact { term: "Battles", text: numbers, verbatim: false },
            Fact { term: "How to read it", text: compared.guarantee(), verbatim: false },
            Fact { term: "Command", text: command.to_owned(), verbatim: true },
        ],
        tables_title: ALL_CELLS,
        replay: None,
        origin: String::new(),
    }
}

/// The cells that have this metric.
fn rows_of<'c>(compared: &'c Compared, metric: &str) -> Vec<(&'c Couple, &'c Difference)> {
    let row = |couple: &'c Couple| Some((couple, couple.difference(metric, &compared.sides)?));
    compared.couples.iter().filter_map(row).collect()
}

/// The chart of a metric.
fn shift(compared: &Compared, metric: &str, rows: &[(&Couple, &Difference)], name: &'static str) -> Shift {
    let answer = answer(compared, metric, rows);
    Shift {
        name,
        finding: answer.first().map_or_else(String::new, |first| first.trim_end_matches('.').to_owned()),
        metric: capitalised(&called(compared, metric)),
        side: rows.first().and_then(|(_, difference)| difference.side),
        share: rows.first().is_none_or(|(_, difference)| difference.share),
        parties: parties(compared),
        rows: rows.iter().map(shift_row).collect(),
    }
}

/// How the length of battles changes, if it certainly does and is not itself the metric compared.
fn lengths(compared: &Compared, metric: &str) -> Option<Shift> {
    let rows = rows_of(compared, TURNS);
    let stands = rows.iter().any(|(_, difference)| difference.stands());
    (metric != TURNS && stands).then(|| shift(compared, TURNS, &rows, "turns-before-and-after"))
}

/// A description of the two parties.
fn what(compared: &Compared) -> String {
    let [before, after] = &compared.parties;
    match (&compared.changes, before.name == after.name) {
        (None, _) => "Every cell compared with its baseline".to_owned(),
        (Some(changes), true) => match changes.list.len() {
            0 => "The same rules, before and after".to_owned(),
            count => format!("Before and after {}", plural(count, "rule change")),
        },
        (Some(_), false) => format!("{} and {}", before.name, after.name),
    }
}

fn parties(compared: &Compared) -> [String; 2] {
    if compared.changes.is_none() { ["the baseline", "the cell"] } else { ["before", "after"] }.map(str::to_owned)
}

/// The metric in words.
fn called(compared: &Compared, metric: &str) -> String {
    let spaced_name = spaced(&metric.replace('.', ", "));
    match metric {
        _ if compared.sides.iter().any(|side| side == metric) => format!("battles won by {}", spaced(metric)),
        DRAW => "drawn battles".to_owned(),
        TURNS => "turns fought".to_owned(),
        _ => spaced_name,
    }
}

fn shift_row((couple, difference): &(&Couple, &Difference)) -> ShiftRow {
    ShiftRow { name: spaced(&couple.after.label), values: difference.values, difference: difference.together }
}

/// How many cells differ, and the largest change.
fn answer(compared: &Compared, metric: &str, rows: &[(&Couple, &Difference)]) -> Vec<String> {
    let size = |row: &(&Couple, &Difference)| row.1.together.point.abs();
    // If several differences are equal, this takes the first of them.
    let Some((couple, most)) = rows.iter().rev().max_by(|one, other| size(one).total_cmp(&size(other))) else {
        return vec![format!("There is nothing to compare in {}.", called(compared, metric))];
    };
    let differing = rows.iter().filter(|(_, difference)| difference.stands()).count();
    let value = |value: &Estimate| if most.share { value.share_range() } else { value.mean_range() };
    let change = match (most.side, most.metric) {
        (Some(side), WIN) => {
            format!(
                "{} wins {} of battles instead of {}",
                spaced(&compared.sides[side.index()]),
                value(&most.values[1]),
                value(&most.values[0])
            )
        }
        _ => format!("{}: {} instead of {}", called(compared, metric), value(&most.values[1]), value(&most.values[0])),
    };
    let label = spaced(&couple.after.label);
    let place = if rows.len() > 1 { format!(" ({label})") } else { String::new() };
    let all = plural(rows.len(), "cell");
    let (differ, greatest) = match compared.changes {
        Some(_) => ("change", "change"),
        None => ("differ from their baseline", "difference"),
    };
    let mut sentences = vec![match differing {
        0 if rows.len() == 1 => format!("No clear {greatest} in {}", called(compared, metric)),
        0 => format!("No clear {greatest} in {} in any of {all}", called(compared, metric)),
        _ if rows.len() == 1 => format!("{}{place}", capitalised(&change)),
        _ => format!("{} of {all} {differ}; the largest {greatest}: {change}{place}", counted(differing as u64)),
    }];
    let flipped: Vec<String> = rows
        .iter()
        .filter(|(couple, _)| couple.is_surely_flipped())
        .map(|(couple, _)| format!("“{}”", spaced(&couple.after.label)))
        .collect();
    match flipped.as_slice() {
        [] => {}
        some if some.len() <= 4 => sentences.push(format!("The favourite changes in {}", crate::text::listed(some))),
        some => sentences.push(format!("The favourite changes in {}", plural(some.len(), "cell"))),
    }
    sentences.into_iter().map(|sentence| sentence + ".").collect()
}

/// The differences in rules and study; `None` for cells of one folder.
fn changes(compared: &Compared) -> Option<Table> {
    let changes = compared.changes.as_ref()?;
    let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "–".to_owned());
    let all = changes.list.len();
    let rows: Vec<Vec<String>> = changes
        .list
        .iter()
        .take(CHANGES)
        .map(|change| vec![change.path.clone(), value(&change.before), value(&change.after)])
        .collect();
    let caption = match all {
        0 => return None,
        _ if all > CHANGES => format!("What was changed (first {CHANGES} of {all})"),
        _ => "What was changed".to_owned(),
    };
    Some(Table { caption, head: ["Value", "Before", "After"].map(str::to_owned).into(), rows })
}

/// Every cell with its numbers.
fn table(compared: &Compared, metric: &str, rows: &[(&Couple, &Difference)]) -> Table {
    let [before, after] = parties(compared).map(|party| capitalised(&party));
    let row = |(couple, difference): &(&Couple, &Difference)| {
        let share = difference.share;
        let value = |value: &Estimate| if share { value.share_range() } else { value.mean_range() };
        let change = &difference.together;
        vec![
            couple.after.cell.to_string(),
            spaced(&couple.after.label),
            value(&difference.values[0]),
            value(&difference.values[1]),
            match share {
                _ if couple.same => "0".to_owned(),
                true => change.points_range(),
                false => change.mean_range(),
            },
        ]
    };
    let share = rows.first().is_none_or(|(_, difference)| difference.share);
    let head = ["Cell", "Name", before.as_str(), after.as_str(), if share { "Change, points" } else { "Change" }];
    let caption = format!(
        "{}, with intervals in brackets; those of the changes are simultaneous",
        capitalised(&called(compared, metric))
    );
    Table { caption, head: head.map(str::to_owned).into(), rows: rows.iter().map(row).collect() }
}

#[cfg(test)]
mod tests {
    use grognard_lab::compare::Duel;
    use grognard_lab::progress::{Silent, Stop};
    use grognard_lab::study::{Changes, Study};
    use grognard_source::{Override, Sources};
    use grognard_stats::Level;

    use super::*;
    use crate::look::Size;
    use crate::sheet::tests::assert_legible;

    const DUEL: &str = "study = 'duel'\ntitle = 'Five against some'\npack = 'risk'\nruns = 3000\n\
        [side.attacker]\nunits = [{ type = 'army', figures = 5 }]\n[side.defender]\nunits = [{ type = 'army' }]\n\
        [vary]\n'defender.0.figures' = [2, 5]\n";

    fn compared(change: &str) -> Compared {
        let mut sources = Sources::new();
        let read = |set: Vec<Override>, sources: &mut Sources| {
            let file = sources.add("study.toml", DUEL);
            Study::read(file, None, &Changes { set, ..Changes::default() }, sources).expect("a good study")
        };
        let before = read(Vec::new(), &mut sources);
        let argument = sources.add("--set", change);
        let change = Override::parse(argument, &sources).expect("a good change");
        let after = read(vec![change], &mut sources);
        let duel = Duel { before: &before, after: &after, level: Level::P95, threads: 1 };
        duel.fight(&Silent, &Stop::new()).expect("it is fought").0
    }

    #[test]
    fn a_comparison_is_one_page_that_says_what_was_changed_and_what_it_did() {
        let compared = compared("attacker.0.figures=3");
        let report = report(&compared, "attacker", "grognard compare …");
        assert_eq!(report.question, "Before and after 1 rule change");
        let answer = &report.answer[0];
        assert!(
            answer.starts_with("2 of 2 cells change; the largest change: attacker wins ")
                && answer.contains(") of battles instead of "),
            "{answer}"
        );
        // Values that the study had already are not listed as additions.
        let changes = report.asked.as_ref().expect("a table");
        assert_eq!(changes.rows, [["attacker.0.figures", "5", "3"].map(str::to_owned)]);
        let lead = report.lead.as_ref().expect("a chart");
        for size in Size::ALL {
            assert_legible(&lead.sheet(size));
        }
        let lengths = &report.charts[0];
        assert!(
            lengths.finding().starts_with("2 of 2 cells change; the largest change: turns fought: "),
            "{lengths:?}"
        );
        assert!(lead.about().contains("before (open) and after (filled)") && lead.about().contains("Dashed: 50 %"));

        let folder = tempfile::tempdir().expect("a folder");
        let written =
            publish_comparison(folder.path(), &compared, "attacker", "grognard compare …", &[]).expect("it is written");
        let mut names: Vec<String> =
            written.iter().filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned())).collect();
        names.sort();
        assert_eq!(
            names,
            [
                "before-and-after.png",
                "before-and-after.svg",
                "comparison.md",
                "comparison.pdf",
                "index.html",
                "turns-before-and-after.png",
                "turns-before-and-after.svg",
            ]
        );
        let pdf = std::fs::read(folder.path().join("comparison.pdf")).expect("a file");
        assert_eq!(String::from_utf8_lossy(&pdf).matches("/Type /Page\n").count(), 1);
    }

    #[test]
    fn turns_are_compared_as_means() {
        let report = report(&compared("attacker.0.figures=3"), "turns", "again");
        assert!(report.answer[0].contains("the largest change: turns fought: "), "{:?}", report.answer);
        assert!(report.charts.is_empty(), "turns are in the first chart");
        assert_eq!(report.tables[0].head[4], "Change");
    }
}
