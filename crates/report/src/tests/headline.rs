//! The lead of a report, and the names that it gives to things.

use std::collections::BTreeMap;

use grognard_lab::Side;
use grognard_lab::results::{DRAW, Headline, Label, Labels, Results};
use grognard_lab::tally::Histogram;

use super::twelve_cells;
use crate::charts::{self, ChartData};
use crate::html::html;
use crate::look::{Size, Theme};
use crate::markdown::markdown;
use crate::names::Names;
use crate::reading::Reading;
use crate::report::Report;
use crate::testing::{APPROACHES, FORMATIONS, Path, results, summary};

fn leading(cell: u32, metric: Option<&str>) -> Results {
    let mut study = twelve_cells();
    study.manifest.report.headline = Some(Headline { cell, metric: metric.map(str::to_owned) });
    study
}

fn lead_name(study: &Results) -> String {
    Report::on(study).lead.expect("a chart").name().to_owned()
}

#[test]
fn the_study_names_what_its_report_leads_with() {
    // Cell 4 is a column attacked from the flank; its baseline is a line attacked from the flank.
    let answer = Report::on(&leading(4, None)).answer.remove(0);
    assert!(
        answer.starts_with("From the flank, defender wins ") && answer.contains(" of battles in column and "),
        "{answer}"
    );
    let answer = Report::on(&leading(4, Some("attacker"))).answer.remove(0);
    assert!(answer.starts_with("From the flank, attacker wins "), "{answer}");
    let losses = leading(4, Some("defender.losses"));
    let answer = Report::on(&losses).answer.remove(0);
    assert!(answer.starts_with("From the flank, defender loses "), "{answer}");
    assert!(answer.contains(" figures on average in column and ") && answer.contains("a difference of"), "{answer}");
    // The losses of all twelve cells would leave no room for words, so the answer shows those of the cells in question,
    // and the other charts follow.
    assert_eq!(lead_name(&losses), "answer");
    assert!(Report::on(&losses).charts.iter().any(|chart| chart.name() == "casualties"));
    let asked = Report::on(&losses).asked.expect("a table");
    assert_eq!(asked.head.last().map(String::as_str), Some("Defender: figures lost"));
    // A baseline is not compared with anything: its own number is the answer.
    let answer = Report::on(&leading(1, None)).answer.remove(0);
    assert!(answer.starts_with("Defender wins ") && answer.ends_with(" % of battles in line, flank."), "{answer}");
}

#[test]
fn a_study_that_names_nothing_leads_with_what_is_nearest_to_its_question() {
    let mut study = twelve_cells();
    let headline = |study: &Results| Reading::of(study).headline.cell.map(|cell| cell.label.clone());
    assert_eq!(headline(&study).as_deref(), Some("column, front"), "the first comparison");
    study.manifest.report.question = "Do squares stop a charge from the rear?".to_owned();
    assert_eq!(headline(&study).as_deref(), Some("square, rear"));
    // The greatest difference is in another cell.
    let skirmish = study.difference(11, Some(Side::Second), "win").expect("it is compared").mean.abs();
    let column = study.difference(3, Some(Side::Second), "win").expect("it is compared").mean.abs();
    assert!(skirmish > column);
}

#[test]
fn the_first_page_has_the_cells_asked_about() {
    let table = Report::on(&leading(4, None)).asked.expect("a table");
    let names: Vec<&str> = table.rows.iter().map(|row| row[1].as_str()).collect();
    assert_eq!(names, FORMATIONS);
    assert!(table.caption.starts_with("Flank, ") && table.caption.ends_with("; 4 of 12 cells"), "{}", table.caption);
    assert_eq!(table.rows[0][5], "baseline");
}

/// A share that is the same in all cells is not printed as a range.
#[test]
fn draws_that_are_equally_frequent_are_no_range() {
    let told = |first: f64| {
        let mut study = twelve_cells();
        let mut rows = study.summary().to_vec();
        for row in rows.iter_mut().filter(|row| row.metric == DRAW && !row.kind.is_difference()) {
            let share = if row.cell == 0 { first } else { 0.055 };
            (row.mean, row.low, row.high) = (share, share - 0.01, share + 0.01);
        }
        study.summary = rows.into();
        let answer = Report::on(&study).answer;
        answer.into_iter().find(|sentence| sentence.starts_with("The share of draws")).expect("a sentence about draws")
    };
    assert_eq!(told(0.03), "The share of draws ranges from 3.0 % to 5.5 %.");
    assert_eq!(told(0.055), "The share of draws is 5.5 % in all cells.");
}

#[test]
fn a_title_has_no_backticks() {
    let mut study = twelve_cells();
    study.manifest.study.title = "A study by `new --ideas`".to_owned();
    assert_eq!(Report::on(&study).title, "A study by new --ideas");
}

/// A short report has no table of all cells, and does not send its reader to one.
#[test]
fn a_report_refers_to_no_table_that_it_does_not_have() {
    let whole = Report::on(&leading(4, None));
    let short = whole.clone().short();
    let told = |report: &Report| html(report).unwrap() + &markdown(report);
    // The page says so in the title and the description of its one chart of all cells; Markdown says so next to the
    // picture.
    assert!(told(&whole).matches("The numbers are under “All cells”.").count() > 2);
    for words in ["All cells", "all 12 cells", "The numbers are", "at the end"] {
        assert!(!told(&short).contains(words), "{words}");
    }
    // Where Markdown has no table for a chart, its description refers to none.
    let page = markdown(&whole);
    let described =
        |file: &str| page.lines().find(|line| line.contains(file)).expect("a picture").contains("All cells");
    assert!(described("(differences.svg)") || described("(win-shares.svg)") || described("(heat-map.svg)"));
    assert!(["(morale.svg)", "(turn-of-rout.svg)", "(clauses.svg)"].iter().all(|file| !described(file)));
    // A chart in a separate file has no page around it.
    let lead = whole.lead.as_ref().expect("a chart");
    assert!(!lead.svg(Size::Page, Theme::Light).unwrap().contains("The numbers are"));
}

fn labelled() -> Results {
    let mut study = leading(6, None);
    let label = |path: &str, name: Option<&str>, values: &[(&str, &str)]| Label {
        path: path.to_owned(),
        name: name.map(str::to_owned),
        values: values.iter().map(|&(value, name)| (value.to_owned(), name.to_owned())).collect(),
        ..Label::default()
    };
    let values =
        [("line", "in line"), ("column", "in column"), ("square", "in square"), ("skirmish", "in loose order")];
    study.manifest.report.labels = Labels(vec![
        label("defender.0.formation", Some("formation of the foot"), &values),
        label("approach", None, &[("front", "head on")]),
    ]);
    for cell in &mut study.manifest.cells {
        let words: Vec<String> = cell.vary.iter().map(|setting| study.manifest.report.labels.words(setting)).collect();
        cell.label = words.join(", ");
    }
    study
}

#[test]
fn labels_are_used_in_sentences_titles_tables_and_charts() {
    let study = labelled();
    let report = Report::on(&study);
    let (answer, lead) = (&report.answer[0], report.lead.as_ref().expect("a chart"));
    assert!(
        answer.starts_with("From the front, defender wins ") && answer.contains(" of battles in square and "),
        "{answer}"
    );
    assert!(
        lead.finding().contains(" of battles in square, ") && lead.finding().ends_with(" in line"),
        "{}",
        lead.finding()
    );
    let ChartData::Shares(shares) = &lead.data else { panic!("bars") };
    assert_eq!(shares.groups[0].title, "Head on");
    assert_eq!(shares.groups[0].rows[3].name, "in loose order");
    assert_eq!(report.tables[0].head[1], "Formation of the foot");
    assert_eq!(report.tables[0].rows[0][1..3], ["in line".to_owned(), "head on".to_owned()]);
    assert!(report.asked.expect("a table").caption.starts_with("Head on, "));
}

#[test]
fn numbers_have_the_units_that_the_study_gives_them() {
    let vary: [Path<'_>; 1] = [("distance", &["4", "8", "12", "14", "16", "24", "32"])];
    let mut study = results(&vary, 4_000, |at| [0.31, 0.31, 0.31, 0.31, 0.83, 0.83, 0.81][at[0]]);
    let label = Label { path: "distance".to_owned(), unit: Some("inches".to_owned()), ..Label::default() };
    study.manifest.report.labels = Labels(vec![label]);
    let lead = Report::on(&study).lead.expect("a chart");
    assert!(lead.finding().ends_with(" between distance 14 and 16 inches"), "{}", lead.finding());
    assert!(lead.about().contains("over distance (inches)"), "{}", lead.about());
}

/// Cells that have the same battles leave nothing to estimate.
#[test]
fn a_cell_that_cannot_differ_has_no_error() {
    let vary: [Path<'_>; 2] = [("defender.0.formation", FORMATIONS), ("approach", &APPROACHES[..2])];
    let study = results(&vary, 2_000, |at| [0.5, 0.5, 0.9, 0.2][at[0]]);
    let report = Report::on(&study);
    let row = |cell: usize| report.tables[0].rows[cell].join(" | ");
    assert!(row(2).contains("| 0, every battle ends the same way |"), "{}", row(2));
    assert!(!row(4).contains("otherwise"), "{}", row(4));
    let says = |report: &Report, words: &str| report.answer.iter().any(|sentence| sentence.starts_with(words));
    let all = "Column instead of line (2 comparisons): every battle ends the same way.";
    assert!(says(&report, all), "{:?}", report.answer);
    let one = Report::on(&results(&vary[..1], 2_000, |at| [0.5, 0.5, 0.9, 0.2][at[0]]));
    assert!(says(&one, "Column instead of line: every battle ends the same way."), "{:?}", one.answer);
    let some = Report::on(&results(&vary, 2_000, |at| if at == [1, 1] { 0.7 } else { [0.5, 0.5, 0.9, 0.2][at[0]] }));
    let words = "Column instead of line (2 comparisons): defender wins more often in 1; every battle ends the same way in 1; \
                 the changes range from 0 to +";
    assert!(says(&some, words), "{:?}", some.answer);
    // Both changes are the same.
    let even = Report::on(&results(&vary, 2_000, |at| [0.5, 0.7, 0.9, 0.2][at[0]]));
    let words = "Column instead of line (2 comparisons): defender wins more often in both; the changes are +";
    let told = even.answer.iter().find(|sentence| sentence.starts_with(words)).cloned().unwrap_or_default();
    assert!(!told.contains(" to ") && told.ends_with(" points."), "{:?}", even.answer);
    let differences = report.all_charts().find_map(|chart| match &chart.data {
        ChartData::Differences(differences) => Some(differences.clone()),
        _ => None,
    });
    let differences = differences.expect("a chart of differences");
    assert_eq!(differences.rows.iter().filter(|row| row.same).map(|row| row.cell).collect::<Vec<_>>(), [2, 3]);
}

#[test]
fn how_long_battles_last_is_a_chart_where_they_differ() {
    let mut study = twelve_cells();
    for (nth, tally) in study.tallies.iter_mut().enumerate() {
        let turns = (0..20_000).map(|battle| if battle < 5_000 { 2 } else { 4 + (nth / 3) as i32 });
        tally.turns = Histogram::default();
        tally.turns.add_all(turns);
    }
    study.summary = summary(&study.manifest, &study.tallies).into();
    study.manifest.report.headline = Some(Headline { cell: 6, metric: Some("turns".to_owned()) });
    let report = Report::on(&study);
    let lead = report.lead.as_ref().expect("a chart");
    assert_eq!(lead.name(), "battle-length");
    // A quarter of the battles end in turn 2, the other battles of squares in turn 6: 5 on average.
    assert!(lead.finding().starts_with("Battles last 5.00 turns with defender in square"), "{}", lead.finding());
    assert!(
        report.answer[0].starts_with("From the front, battles last 5.00 turns on average with defender in square"),
        "{:?}",
        report.answer
    );
    // The bars show wins, so their title is about wins.
    let bars = report.charts.iter().find(|chart| chart.name() == "win-shares").expect("bars");
    assert!(bars.finding().starts_with("Defender wins most often in square"), "{}", bars.finding());
    let ChartData::Turns(turns) = &lead.data else { panic!("turns") };
    let shares: BTreeMap<i32, f64> = turns.groups[0].rows[2].shares.iter().copied().collect();
    assert_eq!(shares, BTreeMap::from([(2, 0.25), (6, 0.75)]));
    assert!(lead.about().contains("height is 80 % of battles"), "{}", lead.about());
}

/// Sentences say whose formation it is, where the distance is and what a modifier adds, so that they can be copied into
/// a rulebook.
#[test]
fn settings_fit_into_sentences() {
    let vary: [Path<'_>; 3] = [
        ("defender.0.formation", &["line", "square"]),
        ("roll.shock.modifier.bayonets.add", &["-1", "2"]),
        ("distance", &["8", "16"]),
    ];
    let mut study = results(&vary, 100, |_| 0.5);
    let inches = Label { path: "distance".to_owned(), unit: Some("inches".to_owned()), ..Label::default() };
    for (labels, at) in [(Vec::new(), "at distance 16"), (vec![inches], "at 16 inches")] {
        study.manifest.report.labels = Labels(labels);
        let (names, cell) = (Names::of(&study.manifest), &study.manifest.cells[5]);
        assert_eq!(names.place(cell, Some(Side::Second)), format!("in square, bayonets \u{2212}1, {at}"));
        assert_eq!(names.place(cell, Some(Side::First)), format!("with defender in square, bayonets \u{2212}1, {at}"));
        assert_eq!(names.place(cell, None), names.place(cell, Some(Side::First)));
        assert!(names.cell(&study.manifest.cells[6]).starts_with("square, bayonets +2, distance 8"));
    }
}

#[test]
fn a_map_does_not_repeat_the_title_of_another_chart() {
    let study = super::thirty_six_cells();
    let reading = Reading::of(&study);
    let mut charts = charts::all(&reading);
    let map = charts.iter_mut().find(|chart| chart.name() == "heat-map").expect("a map");
    let finding = map.finding().to_owned();
    map.retitle(&reading, "another title");
    assert_eq!(map.finding(), finding);
    map.retitle(&reading, &finding);
    assert!(map.finding().starts_with("Defender wins most often in square"), "{}", map.finding());
}
