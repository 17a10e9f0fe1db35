//! Charts and sentences claim no more than the numbers support.

use std::collections::BTreeSet;

use grognard_lab::results::{Headline, Manifest, Results};
use grognard_lab::tally::{Histogram, Verdict};
use grognard_lab::{BySide, Side};

use super::{names, one_cell, sweep, thirty_six_cells, twelve_cells, two_cells};
use crate::charts::{Chart, ChartData};
use crate::html::html;
use crate::look::{FIRST, SECOND, Size};
use crate::markdown::markdown;
use crate::reading::Reading;
use crate::report::Report;
use crate::sheet::Mark;
use crate::sheet::tests::assert_legible;
use crate::testing::{APPROACHES, FORMATIONS, Path, results, summary};

/// The same battles, with the defender's wins turned into draws.
fn never_won(mut study: Results) -> Results {
    let (won, drawn) = (Verdict::of(Some(Side::Second)).index(), Verdict::of(None).index());
    for tally in &mut study.tallies {
        tally.outcomes[drawn] += std::mem::take(&mut tally.outcomes[won]);
        let Some(paired) = &mut tally.paired else { continue };
        let lost = std::mem::take(&mut paired.joint[won]);
        (0..3).for_each(|at| paired.joint[drawn][at] += lost[at]);
        for row in &mut paired.joint {
            row[drawn] += std::mem::take(&mut row[won]);
        }
    }
    study.summary = summary(&study.manifest, &study.tallies).into();
    study
}

fn chart(study: &Results, name: &str) -> crate::Chart {
    let charts = crate::charts::all(&Reading::of(study));
    charts.into_iter().find(|chart| chart.name() == name).unwrap_or_else(|| panic!("there is no {name}"))
}

fn finding(study: &Results, name: &str) -> String {
    chart(study, name).finding().to_owned()
}

fn counted(values: impl Iterator<Item = i32>) -> Histogram {
    let mut histogram = Histogram::default();
    histogram.add_all(values);
    histogram
}

/// All words on a chart.
fn words(study: &Results, name: &str) -> Vec<String> {
    let marks = chart(study, name).sheet(Size::Page).marks;
    marks.into_iter().filter_map(|mark| if let Mark::Text(text) = mark { Some(text.words) } else { None }).collect()
}

/// A defender who never wins may still hold out more often: then the attacker's wins show what the defender's formation
/// is worth.
#[test]
fn sentences_are_about_the_side_whose_wins_move() {
    let study = never_won(two_cells());
    let reading = Reading::of(&study);
    assert_eq!((reading.subject, reading.victor), (Side::Second, Side::First));
    let report = Report::on(&study);
    assert!(report.answer[0].starts_with("Attacker wins 0 %"), "{:?}", report.answer);
    assert!(report.answer[0].contains("with defender in square and 4") && report.answer[0].contains("a difference of"));
    assert!(report.answer.contains(&"Defender never wins.".to_owned()), "{:?}", report.answer);
    assert!(finding(&study, "win-shares").starts_with("Attacker wins 0 %"));
    // If both sides' shares of wins change, the subject is still the side that the study varies.
    assert_eq!(Reading::of(&two_cells()).victor, Side::Second);
    assert_eq!(Reading::of(&one_cell()).victor, Side::First);
}

#[test]
fn where_nothing_moves_no_chart_of_wins_is_drawn() {
    let vary: [Path<'_>; 2] = [("defender.0.figures", &["10", "11", "12"]), ("approach", APPROACHES)];
    let mut study = results(&vary, 300, |_| 0.0);
    let report = Report::on(&study);
    assert_eq!(names(&report), ["casualties", "turn-of-rout", "morale", "clauses"]);
    assert!(
        report.answer[0].starts_with("Both sides win equally often in all 9 cells: attacker in 100 %"),
        "{:?}",
        report.answer
    );
    // In that case, the answer is about losses, if they differ.
    let mut moved = results(&vary[..1], 300, |at| at[0] as f64 / 100.0);
    for tally in &mut moved.tallies {
        tally.outcomes = [300, 0, 0, 0, 0];
    }
    let kept = moved.summary().to_vec();
    moved.summary = summary(&moved.manifest, &moved.tallies).into();
    assert_ne!(moved.summary(), kept);
    let losses = |more: i32| counted((0..300).map(|nth| more + nth % 2));
    for (more, tally) in (0..).zip(&mut moved.tallies) {
        tally.metrics[Side::Second][0] = losses(more);
    }
    moved.summary = summary(&moved.manifest, &moved.tallies).into();
    let answer = &Report::on(&moved).answer[0];
    assert!(answer.starts_with("Defender loses ") && answer.contains(" figures on average with "), "{answer}");
    // If no figures are lost, or almost none, the chart would be empty and is left out.
    for (lossy, shown) in [(0, false), (3, false), (30, true)] {
        for tally in &mut study.tallies {
            for side in Side::BOTH {
                tally.metrics[side][0] = counted((0..300).map(|nth| i32::from(nth < lossy)));
            }
        }
        assert_eq!(names(&Report::on(&study)).contains(&"casualties"), shown, "{lossy} of 300");
    }
}

/// Cells of a study may have different numbers of turns: those with fewer keep their last state.
#[test]
fn morale_ends_with_the_last_turn_of_its_cell() {
    let mut study = two_cells();
    let short = &mut study.watched.as_mut().expect("battles were watched").cells[0];
    short.morale.iter_mut().flatten().for_each(|state| state.units.truncate(5));
    let good = short.morale[1][0].units[4];
    let chart = chart(&study, "morale");
    let (found, table) = (chart.finding(), chart.table().expect("it has one"));
    assert!(found.starts_with("At the end, ") && found.contains(&format!("{good} %")), "{found}");
    assert!(chart.about().contains("A cell with fewer turns has a shorter bar."), "{}", chart.about());
    assert!(!self::chart(&two_cells(), "morale").about().contains("shorter"));
    let ends = |cell: &str| -> Vec<String> {
        let of = |row: &&Vec<String>| row[0] == cell && row[2] == "defender" && row[3] == "good";
        table.rows.iter().find(of).expect("a row")[8..].to_vec()
    };
    assert_eq!(ends("0"), [&format!("{good} %"), "–", "–", "–", "–"]);
    assert!(!ends("1").contains(&"–".to_owned()));
    assert_legible(&chart.sheet(Size::Page));
}

/// If the subject loses nothing in either cell, the title is about the other side's losses.
#[test]
fn a_chart_of_losses_is_about_the_side_whose_losses_differ() {
    let mut study = two_cells();
    assert!(finding(&study, "casualties").starts_with("Defender loses "), "{}", finding(&study, "casualties"));
    for tally in &mut study.tallies {
        tally.metrics[Side::Second][0] = counted((0..2_000).map(|_| 0));
    }
    study.summary = summary(&study.manifest, &study.tallies).into();
    assert!(finding(&study, "casualties").starts_with("Attacker loses "), "{}", finding(&study, "casualties"));
}

#[test]
fn noteworthy_battles_say_what_was_lost() {
    let mut study = two_cells();
    let watched = study.watched.as_mut().expect("battles were watched");
    for (battle, (figures, losses)) in
        watched.odd.iter_mut().zip([([8, 12], [0, 0]), ([8, 12], [8, 0]), ([1, 12], [1, 5])])
    {
        (battle.figures, battle.losses) = (figures.to_vec(), losses.to_vec());
    }
    let about: Vec<String> = Report::on(&study).noteworthy.into_iter().map(|told| told.about).collect();
    assert!(about[0].ends_with(": defender wins in turn 8; neither side loses a figure."), "{about:?}");
    assert!(about[1].ends_with("; attacker loses all 8 figures, defender no figures."), "{about:?}");
    let upset = "; attacker loses its only figure, defender 5 of 12 figures. Defender wins 4";
    assert!(about[2].contains(upset) && about[2].ends_with(" % of the battles in this cell."), "{about:?}");
    let closest = &mut study.watched.as_mut().expect("battles were watched").odd[0];
    (closest.winner, closest.losses) = (None, closest.figures.clone());
    let about = Report::on(&study).noteworthy.swap_remove(0).about;
    assert!(about.ends_with(": both sides lose their last figures in turn 8."), "{about}");
}

#[test]
fn battles_fought_for_points_say_how_many_each_side_has() {
    let mut study = two_cells();
    let watched = study.watched.as_mut().expect("battles were watched");
    let [closest, longest, upset] = &mut watched.odd[..] else { panic!("three battles") };
    (closest.points, closest.on_points) = (vec![1, 4], true);
    (longest.points, longest.winner) = (vec![-2, 3], None);
    upset.points = vec![3, 1];
    let about: Vec<String> = Report::on(&study).noteworthy.into_iter().map(|told| told.about).collect();
    let said = ": defender wins on points in turn 8; attacker has 1 point, defender has 4 points; attacker loses 3";
    assert!(about[0].contains(said), "{about:?}");
    let said = ": neither side wins within 8 turns; attacker has −2 points, defender has 3 points; attacker loses 3";
    assert!(about[1].contains(said), "{about:?}");
    let said = ": defender wins in turn 8; attacker has 3 points, defender has 1 point; attacker loses 3";
    assert!(about[2].contains(said), "{about:?}");
}

#[test]
fn charts_of_sides_that_are_named_after_colours_have_those() {
    let inks = |first: &str, second: &str| {
        let mut study = two_cells();
        study.manifest.sides = vec![first.to_owned(), second.to_owned()];
        let sheet = chart(&study, "casualties").sheet(Size::Page);
        let boxes = sheet.marks.iter().map(Mark::ink).filter(|ink| [FIRST.hue, SECOND.hue].contains(&ink.hue));
        boxes.map(|ink| ink.hue == FIRST.hue).collect::<Vec<_>>()
    };
    let (plain, exchanged) = (inks("attacker", "defender"), inks("red", "blue"));
    assert!(plain.contains(&true) && plain.contains(&false));
    assert_eq!(exchanged, plain.iter().map(|first| !first).collect::<Vec<_>>());
    assert_eq!(inks("blue", "red"), plain);
}

#[test]
fn units_that_cannot_break_are_lost() {
    let title = |change: &dyn Fn(&mut Manifest)| {
        let mut study = two_cells();
        change(&mut study.manifest);
        let chart = chart(&study, "turn-of-rout");
        (chart.finding().to_owned(), chart.about(), chart.table().expect("it has one").caption)
    };
    let (finding, about, caption) = title(&|_| {});
    assert!(finding.starts_with("Defender breaks in ") && about.contains("had broken"), "{finding} {about}");
    let (finding, about, caption_of_lost) = title(&|manifest| manifest.lost_only = true);
    assert!(finding.starts_with("Defender is lost in "), "{finding}");
    assert!(about.contains("at least one unit of the side was lost") && !about.contains("broken"), "{about}");
    assert!(caption.contains("had broken") && caption_of_lost.contains("was lost"), "{caption_of_lost}");
    let (finding, ..) = title(&|manifest| {
        manifest.lost_only = true;
        manifest.cells[0].units = vec![2, 2];
    });
    assert!(finding.starts_with("Defender loses a unit in "), "{finding}");
}

#[test]
fn what_is_called_the_most_or_least_says_what_is_as_much() {
    let vary: [Path<'_>; 2] = [("defender.0.formation", FORMATIONS), ("approach", APPROACHES)];
    // If cells have no baselines, the finding names the best and the worst.
    let uncompared = |mut study: Results| {
        study.manifest.cells.iter_mut().for_each(|cell| cell.baseline = None);
        study
    };
    let study = uncompared(results(&vary, 2_000, |at| [0.9, 0.9, 0.2, 0.5][at[0]]));
    let found = finding(&study, "win-shares");
    assert!(found.contains(" %; 5 others within the margin of error) and least"), "{found}");
    assert!(found.ends_with(" %; 2 others within the margin of error)"), "{found}");
    // Of the twelve cells, only one is the best and only one the worst.
    let found = finding(&uncompared(twelve_cells()), "win-shares");
    assert!(!found.contains("within"), "{found}");

    let alone = results(&vary[..1], 2_000, |at| [0.478, 0.55, 0.9, 0.2][at[0]]);
    let found = finding(&alone, "differences");
    assert!(
        found.starts_with("All 3 differences are clear; the largest is +4")
            && found.ends_with(" points (square instead of line)"),
        "{found}"
    );
    let tied = results(&vary[..1], 2_000, |at| [0.5, 0.9, 0.9, 0.5][at[0]]);
    let found = finding(&tied, "differences");
    assert!(
        found.starts_with("2 of 3 differences are clear; the largest are about +")
            && found.ends_with(" points, such as column instead of line"),
        "{found}"
    );
}

#[test]
fn a_share_of_chosen_cells_has_no_interval() {
    let table = |study: &Results| chart(study, "clauses").table().expect("it has one");
    let several = table(&twelve_cells());
    assert!(several.rows.iter().all(|row| !row[1].contains('(')), "{:?}", several.rows[0]);
    assert_eq!((several.rows[0][1].as_str(), several.rows[0][2].as_str()), ("93 %", "12"));
    assert!(table(&one_cell()).rows.iter().all(|row| row[1].contains('–')));
    let rules = Report::on(&twelve_cells()).rules.expect("battles were watched");
    assert!(rules.about.contains("a row that cites several clauses counts for all of them"), "{}", rules.about);
    assert!(rules.played.rows.iter().all(|row| !row[1].contains('(')));
}

/// The chart of the clauses is above their table at the end of the report, not before the battles.
#[test]
fn the_chart_of_the_clauses_is_beside_their_table() {
    let report = Report::on(&one_cell());
    let markdown = markdown(&report);
    let at = |words: &str| markdown.find(words).unwrap_or_else(|| panic!("{words} not in {markdown}"));
    let order = ["## Noteworthy battles", "## All cells", "## Rules used", "(clauses.svg)", "Clauses used, "].map(at);
    assert!(order.is_sorted(), "{order:?}");
    assert_eq!(markdown.matches("(clauses.svg)").count(), 1);
    let html = html(&report).expect("a page");
    let at = |words: &str| html.find(words).unwrap_or_else(|| panic!("{words}"));
    assert!(at("<section id=\"rules\"") < at("id=\"clauses\""));
    assert_eq!(report.all_charts().last().map(Chart::name), Some("clauses"));
}

#[test]
fn charts_of_watched_battles_say_how_many_these_are() {
    let study = two_cells();
    assert!(chart(&study, "clauses").caption.starts_with("100 of 2,000 battles per cell"));
    assert!(chart(&study, "morale").caption.starts_with("100 of 2,000 battles per cell"));
    assert!(chart(&study, "win-shares").caption.starts_with("2,000 battles per cell"));
}

#[test]
fn a_chart_of_rout_speaks_of_what_it_shows() {
    let types: Vec<String> = (0..20).map(|nth| format!("unit-{nth}")).collect();
    let types: Vec<&str> = types.iter().map(String::as_str).collect();
    let vary: [Path<'_>; 2] = [("defender.0.formation", &FORMATIONS[..2]), ("attacker.0.type", &types)];
    // No unit breaks against the first twelve types; against later types, more and more do.
    let mut study = results(&vary, 200, |at| if at[1] < 12 { 0.0 } else { 0.05 * at[1] as f64 - 0.1 * at[0] as f64 });
    for (cell, tally) in study.manifest.cells.iter().zip(&mut study.tallies) {
        if cell.cell % 20 < 12 {
            tally.metrics = BySide::from_fn(|_| std::array::from_fn(|_| counted((0..200).map(|_| 0))));
        }
    }
    study.summary = summary(&study.manifest, &study.tallies).into();
    let ChartData::Rout(rout) = chart(&study, "turn-of-rout").data else { panic!("a chart of rout") };
    let shown: Vec<u32> = rout.panels.iter().flat_map(|[panel, _]| &panel.lines).map(|line| line.cell).collect();
    assert!(shown.iter().all(|cell| cell % 20 >= 12) && shown.len() == 16, "{shown:?}");
    assert!((12..20).any(|nth| rout.finding.contains(&format!("unit {nth}"))), "{}", rout.finding);
    assert!(chart(&study, "turn-of-rout").about().contains("6 of 40 cells are shown"));

    let mut short = two_cells();
    for tally in &mut short.tallies {
        tally.turns = counted((0..2_000).map(|_| 1));
    }
    assert!(!names(&Report::on(&short)).contains(&"turn-of-rout"), "one turn makes no curve");
}

#[test]
fn a_curve_has_ticks_where_battles_were_fought_and_names_that_differ() {
    let types = &["light-infantry", "light-cavalry", "medium-infantry"][..];
    let vary: [Path<'_>; 2] = [("attacker.0.cannon", &["1", "2", "4", "6", "8"]), ("attacker.0.type", types)];
    let study = results(&vary, 300, |at| 0.1 + 0.15 * at[0] as f64 - 0.02 * at[1] as f64);
    let words = words(&study, "response");
    assert!(["1", "2", "4", "6", "8"].iter().all(|value| words.iter().any(|word| word == value)), "{words:?}");
    assert!(!words.iter().any(|word| word == "5"), "{words:?}");
    assert!(words.iter().any(|word| word.ends_with(" % light infantry")), "{words:?}");
    // A direction has no order, so it gets no curve.
    let facing = results(&[("attacker.0.facing", &["90", "210", "270"])], 300, |at| 0.2 * at[0] as f64);
    assert!(!names(&Report::on(&facing)).contains(&"response"));
}

#[test]
fn a_cliff_is_called_one_and_is_not_drawn_as_a_slope() {
    let vary: [Path<'_>; 1] = [("distance", &["4", "8", "12", "14", "16", "24", "32"])];
    let cliff = results(&vary, 4_000, |at| [0.31, 0.31, 0.31, 0.31, 0.83, 0.83, 0.81][at[0]]);
    let found = finding(&cliff, "response");
    assert!(
        found.starts_with("Attacker’s wins fall from ") && found.ends_with(" between distance 14 and 16"),
        "{found}"
    );
    let lines = |study: &Results| {
        let marks = chart(study, "response").sheet(Size::Page).marks;
        marks.iter().filter(|mark| matches!(mark, Mark::Area { .. })).count()
    };
    assert_eq!(lines(&cliff), 2);
    assert!(chart(&cliff, "response").about().contains("broken where it jumps"));
    // A curve that rises and falls again is not described by its ends.
    let hill = results(&vary, 4_000, |at| [0.1, 0.3, 0.5, 0.7, 0.5, 0.3, 0.1][at[0]]);
    let found = finding(&hill, "response");
    assert!(found.contains("at distance 14 to ") && !found.contains("stay"), "{found}");
    assert_eq!(lines(&hill), 1);
    assert!(lines(&sweep()) > 2);
}

/// The attacker loses most to an attack from the rear as the distance grows; the study asks about another line.
#[test]
fn a_curve_tells_of_the_line_that_the_study_leads_with() {
    let vary: [Path<'_>; 2] = [("distance", &["4", "8", "12"]), ("approach", APPROACHES)];
    let mut study = results(&vary, 2_000, |at| 0.2 + 0.1 * (at[0] * (at[1] + 1)) as f64);
    for (cell, line) in [(3, " (front)"), (5, " (rear)"), (1, " (flank)")] {
        study.manifest.report.headline = Some(Headline { cell, metric: None });
        let found = finding(&study, "response");
        assert!(found.starts_with("Attacker’s wins fall from ") && found.ends_with(line), "{found}");
    }
}

/// Bars next to a map show the draws, which the map does not. No two charts have the same title.
#[test]
fn no_two_charts_of_wins_have_one_title() {
    let study = never_won(thirty_six_cells());
    let charts = crate::charts::all(&Reading::of(&study));
    assert_eq!(
        charts.iter().take(3).map(crate::Chart::name).collect::<Vec<_>>(),
        ["heat-map", "win-shares", "differences"]
    );
    let titles: BTreeSet<&str> = charts.iter().map(crate::Chart::finding).collect();
    assert_eq!(titles.len(), charts.len(), "{titles:?}");
    // The highest and the lowest probability that the defender holds: .88 + .03, and .25 − .15 − .1.
    let drawn = finding(&study, "win-shares");
    assert!(
        drawn.starts_with("Battles end in a draw most often with defender in square, light cavalry, front ("),
        "{drawn}"
    );
    assert!(drawn.contains(") and least often with defender in skirmish, line battalion, rear ("), "{drawn}");
}

#[test]
fn bars_beside_a_map_show_only_cells_with_many_draws() {
    let study = never_won(thirty_six_cells());
    let charts = crate::charts::all(&Reading::of(&study));
    let Some(crate::charts::ChartData::Shares(bars)) = charts.iter().map(|chart| &chart.data).nth(1) else {
        panic!("no bars beside the map");
    };
    let rows: Vec<_> = bars.groups.iter().flat_map(|group| &group.rows).collect();
    let drawn = study
        .manifest
        .cells
        .iter()
        .filter(|cell| Reading::of(&study).draws(cell).is_some_and(|draws| draws.point >= 0.1));
    assert_eq!(rows.len(), drawn.count());
    assert!(rows.len() < 36 && rows.iter().all(|row| row.draws.point >= 0.1), "{}", rows.len());
    let about = charts[1].about();
    assert!(about.ends_with(&format!("Shown: the {} of 36 cells with at least 10 % draws.", rows.len())), "{about}");
}

#[test]
fn few_battles_are_called_few() {
    let few = |battles| results(&[("defender.0.formation", &FORMATIONS[..2])], battles, |at| [0.4, 0.6][at[0]]);
    let answer = Report::on(&few(1)).answer.join(" ");
    assert!(answer.contains("Only 1 battle per cell") && !answer.contains("1 battles"), "{answer}");
    let errors = answer.split("± ").skip(1).filter_map(|rest| rest.split(' ').next()?.parse::<f64>().ok());
    assert!(errors.fold(0.0, f64::max) <= 100.0, "no share is more than all: {answer}");
    assert!(!Report::on(&few(100)).answer.join(" ").contains("Only"));
}
