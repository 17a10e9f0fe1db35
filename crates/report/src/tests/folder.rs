//! From a results folder on disk to the files of its report.

use std::fs;
use std::path::Path;

use grognard_lab::for_report::ForReport;
use grognard_lab::results::{Ending, Results, ResultsError, ResultsWriter};
use grognard_lab::runner::Tallied;

use super::{one_cell, twelve_cells, two_cells};
use crate::{Report, ReportError, ReportFiles, Variants};

fn build(folder: &Path) -> Result<ReportFiles, ReportError> {
    crate::build(folder, Variants::One)
}

/// Writes made-up results as a run would.
fn write(results: &Results, folder: &Path) {
    let tallied =
        Tallied { battles: results.manifest.progress.battles, cells: results.tallies.clone(), ..Tallied::new(0, &[]) };
    let mut writer = ResultsWriter::create(folder, results.manifest.clone()).unwrap();
    writer.for_report(ForReport { watched: results.watched.clone(), players: results.players.clone() });
    writer.finish(&tallied, Ending::AllRuns).unwrap();
}

fn listing(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_folder_without_results_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    for missing in [folder.path().to_owned(), folder.path().join("nowhere")] {
        let refused = build(&missing).unwrap_err();
        assert!(matches!(refused, ReportError::Results(ResultsError::NoManifest { .. })), "{refused}");
    }
    assert_eq!(listing(folder.path()), Vec::<String>::new());
}

#[test]
fn a_report_is_built_from_the_folder_alone() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("square-vs-line");
    write(&two_cells(), &folder);
    let charts = folder.join("report");
    fs::create_dir(&charts).unwrap();
    // The folder has files of an earlier report on other results, and the user's own notes.
    fs::write(charts.join("heat-map.svg"), "old").unwrap();
    fs::write(charts.join(".grognard-files"), "heat-map.svg\n../manifest.json\n").unwrap();
    fs::write(charts.join("notes.txt"), "mine").unwrap();

    let built = build(&folder).unwrap();
    let stems = ["casualties", "clauses", "morale", "turn-of-rout", "win-shares"];
    let mut expected: Vec<String> =
        stems.iter().flat_map(|name| [format!("{name}.png"), format!("{name}.svg")]).collect();
    let told = ["battle-closest.txt", "battle-longest.txt", "battle-upset.txt"];
    expected.extend(
        [".grognard-files", "index.html", "notes.txt", "report.md", "report.pdf"]
            .into_iter()
            .chain(told)
            .map(str::to_owned),
    );
    expected.sort();
    assert_eq!(listing(&charts), expected);
    assert_eq!(built.files.len(), expected.len() - 2);
    assert_eq!(built.page, charts.join("index.html"));

    let report = Report::on(&Results::open(&folder).unwrap());
    let page = fs::read_to_string(&built.page).unwrap();
    assert!(report.all_charts().all(|chart| page.contains(&format!("id=\"{}\"", chart.name()))));
    assert!(fs::read(charts.join("win-shares.png")).unwrap().starts_with(b"\x89PNG"));

    let before = fs::read(charts.join("index.html")).unwrap();
    assert_eq!(build(&folder).unwrap(), built);
    assert_eq!(fs::read(charts.join("index.html")).unwrap(), before);
}

#[test]
fn variants_have_folders_and_go_when_they_are_not_asked_for() {
    let home = tempfile::tempdir().unwrap();
    write(&one_cell(), home.path());
    let charts = home.path().join("report");
    crate::build(home.path(), Variants::All).unwrap();
    for look in ["page-grey", "page-dark", "column-light", "column-grey", "column-dark"] {
        assert_eq!(listing(&charts.join(look)).len(), 10, "{look}");
    }
    fs::write(charts.join("page-dark/notes.txt"), "mine").unwrap();
    build(home.path()).unwrap();
    assert_eq!(listing(&charts.join("page-dark")), ["notes.txt"]);
    assert!(!charts.join("column-grey").exists());
}

/// A short report is the first page alone; no files of a longer report remain next to it.
#[test]
fn a_short_report_is_one_page_with_one_chart() {
    let home = tempfile::tempdir().unwrap();
    write(&twelve_cells(), home.path());
    let charts = home.path().join("report");
    build(home.path()).unwrap();
    crate::build(home.path(), Variants::Short).unwrap();
    let names = [".grognard-files", "index.html", "report.md", "report.pdf", "win-shares.png", "win-shares.svg"];
    assert_eq!(listing(&charts), names);
    let page = fs::read_to_string(charts.join("index.html")).unwrap();
    assert_eq!((page.matches("<figure").count(), page.matches("<table>").count()), (1, 1));
}

#[test]
fn a_report_is_of_the_numbers_beside_it_or_is_gone() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("square-vs-line");
    let charts = folder.join("report");
    write(&two_cells(), &folder);
    crate::build(&folder, Variants::All).unwrap();
    fs::write(charts.join("notes.txt"), "mine").unwrap();
    write(&twelve_cells(), &folder);
    assert_eq!(listing(&charts), ["notes.txt"]);
    build(&folder).unwrap();
    fs::remove_file(charts.join("notes.txt")).unwrap();
    write(&two_cells(), &folder);
    assert!(!charts.exists());
}

/// A page means a complete report: it is written last, and the list already names all files written before it.
#[test]
fn a_report_that_was_cut_short_has_no_page_and_is_removed_all_the_same() {
    let home = tempfile::tempdir().unwrap();
    write(&two_cells(), home.path());
    let charts = home.path().join("report");
    build(home.path()).unwrap();
    let whole = listing(&charts);
    // There is a folder where the page should go.
    fs::remove_file(charts.join("index.html")).unwrap();
    fs::create_dir(charts.join(".grognard-index.html")).unwrap();
    build(home.path()).unwrap_err();
    assert!(!charts.join("index.html").exists() && charts.join("report.pdf").exists());
    fs::remove_dir(charts.join(".grognard-index.html")).unwrap();
    build(home.path()).unwrap();
    assert_eq!(listing(&charts), whole);
    write(&two_cells(), home.path());
    assert!(!charts.exists());
}

/// A title from an untrusted pack or study is escaped in every file of the report.
#[test]
fn no_text_of_a_report_commands_a_terminal() {
    let home = tempfile::tempdir().unwrap();
    let mut results = two_cells();
    let evil = "a title \u{1b}[31m\u{1b}]0;owned\u{7}\u{9b}2J";
    for title in [&mut results.manifest.study.title, &mut results.manifest.pack.title] {
        *title = evil.to_owned();
    }
    results.manifest.report.analysis = evil.to_owned();
    results.manifest.report.highlights = vec![evil.to_owned()];
    if let Some(watched) = &mut results.watched {
        watched.odd.iter_mut().for_each(|odd| odd.narration.push(evil.to_owned()));
        watched.clauses.iter_mut().for_each(|clause| clause.text.push_str(evil));
    }
    write(&results, home.path());
    let built = build(home.path()).unwrap();
    let texts: Vec<String> = built.files.iter().filter_map(|file| fs::read_to_string(file).ok()).collect();
    assert!(texts.iter().any(|text| text.contains("a title")) && texts.len() > 5, "{}", texts.len());
    for text in texts {
        let bad = text.chars().find(|letter| letter.is_control() && !matches!(letter, '\n' | '\t'));
        assert_eq!(bad, None, "{text}");
    }
}

#[test]
fn a_report_that_cannot_be_written_says_where() {
    let home = tempfile::tempdir().unwrap();
    write(&two_cells(), home.path());
    fs::write(home.path().join("report"), "a file in the way").unwrap();
    let refused = build(home.path()).unwrap_err();
    assert!(refused.to_string().starts_with("cannot write") && refused.to_string().contains("report"), "{refused}");
}
