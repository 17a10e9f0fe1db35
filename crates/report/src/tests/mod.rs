//! The report as a whole, on made-up results.

mod counted;
mod findings;
mod folder;
mod headline;
mod luck;
mod promises;
mod three_sides;
mod together;
mod who_plays;

use std::collections::BTreeSet;

use grognard_lab::results::{Expectation, Expected, Method, Results, Setting, WIN};
use grognard_lab::{BySide, Side};
use grognard_stats::Estimate;

use crate::charts::{self, Chart, ChartData};
use crate::html::html;
use crate::look::{Size, Theme};
use crate::markdown::markdown;
use crate::reading::Reading;
use crate::report::Report;
use crate::sheet::tests::assert_legible;
use crate::testing::{APPROACHES, ARMS, FORMATIONS, results, twelve_cells};
use crate::text::InPrint;

fn two_cells() -> Results {
    results(&[("defender.0.formation", &["line", "square"])], 2_000, |at| [0.478, 0.961][at[0]])
}

fn thirty_six_cells() -> Results {
    let vary = [("defender.0.formation", FORMATIONS), ("attacker.0.type", ARMS), ("approach", APPROACHES)];
    results(&vary, 200, |at| [0.478, 0.55, 0.88, 0.25][at[0]] - [0.0, 0.08, 0.15][at[2]] + [0.0, 0.03, -0.1][at[1]])
}

fn forty_cells_with_long_names() -> Results {
    let name =
        |nth| format!("the-{nth}th-regiment-of-the-line-in-column-of-divisions-behind-the-ridge-{}", "x".repeat(60));
    let names: Vec<String> = (0..40).map(name).collect();
    let names = texts(&names);
    results(&[("attacker.0.type", &names)], 200, |at| at[0] as f64 / 39.0)
}

fn sweep() -> Results {
    let vary: [(&str, &[&str]); 2] = [
        ("roll.shock.modifier.cavalry-vs-square.add", &["-4", "-3", "-2", "-1", "0", "1", "2"]),
        ("attacker.0.type", ARMS),
    ];
    results(&vary, 300, |at| 0.1 + 0.12 * at[0] as f64 - 0.03 * at[1] as f64)
}

fn certain() -> Results {
    results(&[("defender.0.formation", FORMATIONS)], 300, |at| [0.0, 1.0, 1.0, 0.0][at[0]])
}

fn one_cell() -> Results {
    results(&[], 100, |_| 0.3)
}

fn large_grid() -> Results {
    let names: Vec<String> = (0..30).map(|nth| format!("unit-{nth}")).collect();
    let names = texts(&names);
    results(&[("defender.0.type", &names), ("attacker.0.type", &names[..12])], 40, |at| (at[0] + at[1]) as f64 / 45.0)
}

fn unfought() -> Results {
    results(&[("defender.0.formation", FORMATIONS), ("approach", APPROACHES)], 0, |_| 0.5)
}

/// Long names that offer no place to break a line.
fn awkward() -> Results {
    let name = |stem: &str, nth: u32| format!("{}{nth}", stem.repeat(40));
    let values = |stem: &str, count: u32| (0..count).map(|nth| name(stem, nth)).collect::<Vec<_>>();
    let (formations, types, approaches) = (values("form", 5), values("Wm", 3), values("x", 2));
    let (formations, types, approaches) = (texts(&formations), texts(&types), texts(&approaches));
    let vary: [(&str, &[&str]); 3] =
        [("defender.0.formation", &formations), ("attacker.0.type", &types), ("approach", &approaches)];
    let mut results = results(&vary, 60, |at| 0.2 * at[0] as f64);
    results.manifest.sides = vec![name("attacker", 0), name("defender", 0)];
    results.manifest.pack.name = name("pack", 0);
    results.manifest.made.command = name("command", 0);
    results
}

fn texts(values: &[String]) -> Vec<&str> {
    values.iter().map(String::as_str).collect()
}

/// A study of explicit cells, no two of which share a setting.
fn scattered() -> Results {
    let names: Vec<String> = (0..9).map(|nth| format!("unit-{nth}")).collect();
    let names = texts(&names);
    let vary: [(&str, &[&str]); 2] = [("defender.0.type", &names), ("attacker.0.type", &names)];
    let mut results = results(&vary, 50, |at| 0.1 * at[0] as f64);
    let kept: Vec<usize> = (0..9).map(|nth| nth * 9 + nth).collect();
    results.manifest.cells = kept.iter().map(|&at| results.manifest.cells[at].clone()).collect();
    results.watched = None;
    results.tallies = kept.iter().map(|&at| results.tallies[at].clone()).collect();
    let mut rows = results.summary().to_vec();
    rows.retain(|row| kept.contains(&(row.cell as usize)) && !row.kind.is_difference());
    for row in &mut rows {
        row.cell /= 10;
    }
    results.summary = rows.into();
    for (nth, cell) in (0..).zip(&mut results.manifest.cells) {
        (cell.cell, cell.baseline) = (nth, None);
    }
    for tally in &mut results.tallies {
        tally.paired = None;
    }
    results
}

/// The same results as `grognard exact` would write them: no tallies, and intervals without width.
fn exact() -> Results {
    let mut results = twelve_cells();
    results.manifest.method = Method::Exact;
    results.tallies.clear();
    results.watched = None;
    let mut rows = results.summary().to_vec();
    for row in &mut rows {
        (row.low, row.high, row.level, row.runs) = (row.mean, row.mean, 1.0, 0);
    }
    results.summary = rows.into();
    results
}

#[test]
fn cells_that_share_nothing_are_not_grouped() {
    let report = Report::on(&scattered());
    let Some(ChartData::Shares(shares)) = report.all_charts().map(|chart| chart.data.clone()).next() else {
        panic!("the first chart is that of shares");
    };
    assert_eq!(shares.groups.len(), 1);
    assert_eq!(shares.groups[0].rows[3].name, "defender type unit 3, attacker type unit 3");
}

#[test]
fn before_the_first_battle_there_is_nothing_to_tell() {
    let report = Report::on(&unfought());
    assert_eq!(report.answer, ["No battle has been fought yet."]);
    assert!(report.all_charts().next().is_none() && report.asked.is_none());
    assert!(report.tables[0].rows[0].contains(&"unknown (no battles)".to_owned()));
}

/// The results folder has the seed and values of its run; the study's file may have others.
#[test]
fn a_replay_is_of_the_folder_and_of_a_battle_that_it_holds() {
    let mut study = two_cells();
    let replay = Report::on(&study).replay.unwrap();
    assert_eq!(replay.command, "grognard replay results/made-up --cell 0 --battle 0");
    study.folder = "my results/it's".into();
    study.manifest.progress.first = 4_096;
    study.manifest.progress.battles = 1_000;
    let replay = Report::on(&study).replay.unwrap();
    assert_eq!(replay.command, r"grognard replay 'my results/it'\''s' --cell 0 --battle 4096");
    assert!(replay.about.ends_with("numbered from 4,096 to 5,095."), "{}", replay.about);
    assert_eq!(Report::on(&unfought()).replay, None);
}

fn names(report: &Report) -> Vec<&str> {
    report.all_charts().map(Chart::name).collect()
}

#[test]
fn each_study_gets_the_charts_it_has_numbers_for() {
    let of = |study: &Results| -> Vec<String> {
        charts::all(&Reading::of(study)).iter().map(|chart| chart.name().to_owned()).collect()
    };
    let rest = ["casualties", "turn-of-rout", "morale", "clauses"];
    assert_eq!(of(&twelve_cells()), [&["win-shares", "differences"][..], &rest].concat());
    // No two charts show the same wins: a map replaces the bars, and so does a curve.
    assert_eq!(of(&thirty_six_cells()), [&["heat-map", "differences"][..], &rest].concat());
    assert_eq!(of(&two_cells()), [&["win-shares"][..], &rest].concat());
    assert_eq!(of(&sweep()), [&["response"][..], &rest].concat());
    assert_eq!(names(&Report::on(&one_cell())), ["win-shares", "casualties", "turn-of-rout", "morale", "clauses"]);
    assert_eq!(names(&Report::on(&exact())), ["win-shares", "differences"]);
}

#[test]
fn nothing_overlaps_or_leaves_the_sheet() {
    let studies = [
        two_cells(),
        twelve_cells(),
        thirty_six_cells(),
        forty_cells_with_long_names(),
        sweep(),
        certain(),
        one_cell(),
        large_grid(),
        awkward(),
        scattered(),
        exact(),
        together::with_odds(&[(0, 2, 20), (1, 12, 25), (10, 1, 30), (13, 0, 25)]),
        together::with_odds(&[(0, 200, 50), (180, 0, 50)]),
    ];
    for study in studies {
        for chart in charts::all(&Reading::of(&study)).into_iter().chain(charts::asked_about(&Reading::of(&study))) {
            for size in Size::ALL {
                assert_legible(&chart.sheet(size));
            }
        }
    }
}

/// Every number that a chart shows is the one in the summary.
#[test]
fn charts_agree_with_the_summary() {
    for study in [two_cells(), twelve_cells(), thirty_six_cells(), sweep(), certain()] {
        let of = |cell: u32, side: Option<Side>, metric: &str| study.estimate(cell, side, metric).unwrap().estimate();
        let subject = Side::BOTH.into_iter().find(|side| *side == subject(&study)).unwrap();
        let mut compared = 0;
        for chart in charts::all(&Reading::of(&study)) {
            match chart.data {
                ChartData::Shares(shares) => {
                    for row in shares.groups.iter().flat_map(|group| &group.rows) {
                        assert_eq!(row.wins, BySide::from_fn(|side| of(row.cell, Some(side), WIN)));
                        assert_eq!(row.draws, of(row.cell, None, "draw"));
                        compared += 1;
                    }
                }
                ChartData::Differences(differences) => {
                    for row in &differences.rows {
                        let summary = study.difference(row.cell, Some(subject), WIN).unwrap();
                        assert_eq!(row.difference, summary.estimate());
                        let together = row.together.unwrap();
                        assert_eq!(together.point, row.difference.point);
                        assert!(together.low <= row.difference.low && together.high >= row.difference.high);
                        compared += 1;
                    }
                }
                ChartData::Heat(heat) => {
                    for (cell, share) in heat.facets.iter().flat_map(|facet| facet.squares.iter().flatten().flatten()) {
                        assert_eq!(*share, of(*cell, Some(subject), WIN));
                        compared += 1;
                    }
                }
                ChartData::Curve(curve) => {
                    let lines = curve.panels.iter().flat_map(|panel| &panel.lines);
                    for point in lines.flat_map(|line| &line.points) {
                        assert_eq!(point.metric, of(point.cell, Some(subject), WIN));
                        compared += 1;
                    }
                }
                ChartData::Casualties(casualties) => {
                    for row in casualties.groups.iter().flat_map(|group| &group.rows) {
                        assert_eq!(row.mean, BySide::from_fn(|side| of(row.cell, Some(side), "losses")));
                        for side in Side::BOTH {
                            let drawn: f64 =
                                row.shares[side].iter().map(|&(value, share)| f64::from(value) * share).sum();
                            assert!((drawn - row.mean[side].point).abs() < 1e-9);
                        }
                        compared += 1;
                    }
                }
                ChartData::Morale(morale) => {
                    for row in morale.groups.iter().flat_map(|group| &group.rows) {
                        let watched = study.watched.as_ref().unwrap();
                        for side in Side::BOTH {
                            let states = watched.cell(row.cell).unwrap().of(side);
                            for turn in 0..=morale.turns {
                                let drawn: Vec<f64> = row.shares[side].iter().map(|shares| shares[turn]).collect();
                                let watched = states.iter().map(|state| state.units[turn] as f64 / 100.0);
                                assert!(watched.zip(&drawn).all(|(watched, drawn)| (watched - drawn).abs() < 1e-9));
                            }
                            let good = states[0].units[8] as f64 / 100.0;
                            assert_eq!(row.good[side].point, good);
                            assert!(row.good[side].holds(good));
                        }
                        compared += 1;
                    }
                }
                ChartData::Clauses(clauses) => {
                    let watched = study.watched.as_ref().unwrap();
                    let all = (100 * study.manifest.cells.len()) as f64;
                    for row in &clauses.rows {
                        let clause = watched.clauses.iter().find(|clause| clause.id == row.id).unwrap();
                        assert_eq!(row.share.point, clause.battles.iter().sum::<u64>() as f64 / all);
                        assert!(row.range.0 <= row.share.point && row.share.point <= row.range.1);
                    }
                    assert_eq!((clauses.always.as_slice(), clauses.never), (&["7.10".to_owned()][..], 1));
                    assert!(clauses.rows.windows(2).all(|pair| pair[0].share.point >= pair[1].share.point));
                }
                // Its numbers need results that count luck: see luck.rs.
                ChartData::Luck(_) => unreachable!("luck was not counted"),
                ChartData::Counted(_) => unreachable!("the studies request no metric: see counted.rs"),
                ChartData::Levels(_) | ChartData::Tornado(_) | ChartData::Shift(_) | ChartData::Targets(_) => {
                    unreachable!("no report has one")
                }
                ChartData::Turns(_) => unreachable!("all battles are equally long"),
                ChartData::Together(_) => unreachable!("these battles were fought"),
                ChartData::Rout(rout) => {
                    for panels in &rout.panels {
                        for (side, panel) in Side::BOTH.into_iter().zip(panels) {
                            for line in &panel.lines {
                                assert_eq!(*line.broken.last().unwrap(), of(line.cell, Some(side), "routed"));
                                assert!(line.broken.windows(2).all(|turns| turns[0].point <= turns[1].point));
                                compared += 1;
                            }
                        }
                    }
                }
            }
        }
        assert!(compared >= 3 * study.manifest.cells.len(), "only {compared} compared");
    }
}

fn subject(study: &Results) -> Side {
    crate::reading::Reading::of(study).subject
}

#[test]
fn what_else_varies_makes_panels() {
    let vary = [
        ("distance", &["4", "8", "12", "16"][..]),
        ("defender.0.formation", &FORMATIONS[..2]),
        ("attacker.0.type", ARMS),
        ("approach", &APPROACHES[..2]),
    ];
    let mut study = results(&vary, 200, |at| 0.2 * at[0] as f64 + 0.1 * at[1] as f64);
    // Cells are compared formation by formation, as in a study that contrasts formations.
    for cell in 0..study.manifest.cells.len() {
        let same = |set: &&Setting| set.path != "defender.0.formation";
        let wanted: Vec<Setting> = study.manifest.cells[cell].vary.iter().filter(same).cloned().collect();
        let twin = study
            .manifest
            .cells
            .iter()
            .find(|other| other.vary.iter().filter(same).eq(&wanted) && other.vary[1].value.text == FORMATIONS[0]);
        study.manifest.cells[cell].baseline = twin.map(|twin| twin.cell);
    }
    let charts = charts::all(&Reading::of(&study)).into_iter().map(|chart| chart.data);
    let Some(curve) =
        charts.filter_map(|data| if let ChartData::Curve(curve) = data { Some(curve) } else { None }).next()
    else {
        panic!("a varied number makes a curve");
    };
    let titles: Vec<&str> = curve.panels.iter().map(|panel| panel.title.as_str()).collect();
    assert_eq!((titles.len(), titles[0], titles[1]), (6, "Heavy cavalry, front", "Heavy cavalry, flank"));
    for panel in &curve.panels {
        assert_eq!(panel.lines.iter().map(|line| line.name.as_str()).collect::<Vec<_>>(), ["line", "column"]);
        assert!(panel.lines.iter().all(|line| line.points.len() == 4));
    }
    assert!(curve.finding.starts_with("Defender’s wins rise from"), "{}", curve.finding);
}

#[test]
fn differences_are_in_order_of_size() {
    let report = Report::on(&thirty_six_cells());
    let Some(ChartData::Differences(chart)) = report.all_charts().map(|chart| chart.data.clone()).nth(1) else {
        panic!("the second chart is that of differences");
    };
    assert_eq!(chart.rows.len(), 27);
    assert!(chart.rows.windows(2).all(|pair| pair[0].difference.point >= pair[1].difference.point));
    assert_eq!(chart.baseline, "line");
}

#[test]
fn the_answer_comes_first_and_is_made_from_the_numbers() {
    let study = two_cells();
    let wins = |cell| study.estimate(cell, Some(Side::Second), WIN).unwrap().estimate();
    let difference: Estimate = study.difference(1, Some(Side::Second), WIN).unwrap().estimate();
    let report = Report::on(&study);
    assert_eq!(
        report.answer[0],
        format!(
            "Defender wins {} of battles in square and {} in line: a difference of {} points.",
            wins(1).share_point(),
            wins(0).share_point(),
            difference.points_margin()
        )
    );
    let page = html(&report).unwrap();
    let answer = page.find("Defender wins").unwrap();
    assert!(page[answer..].find("<figure").is_some() && page[..answer].find("<figure").is_none());
    assert!(markdown(&report).starts_with("# Square or line against a cavalry charge\n\nDefender wins"));
}

#[test]
fn each_change_is_summed_up_over_its_settings() {
    let answer = Report::on(&twelve_cells()).answer;
    let of = |start: &str| answer.iter().find(|sentence| sentence.starts_with(start)).unwrap();
    let square = of("Square instead of line (3 comparisons)");
    assert!(square.contains("wins more often in all 3; the changes range from +4"), "{square}");
    let skirmish = of("Skirmish instead of line (3 comparisons)");
    assert!(skirmish.contains("wins less often in all 3; the changes range from \u{2212}2"), "{skirmish}");
}

#[test]
fn a_stopped_run_and_exact_odds_say_so() {
    let mut stopped = two_cells();
    stopped.manifest.runs = 250_000;
    stopped.manifest.progress.ending = grognard_lab::results::Ending::Stopped;
    let answer = Report::on(&stopped).answer.join(" ");
    assert!(answer.contains("stopped after 2,000 of 250,000 battles per cell"), "{answer}");

    let exact = Report::on(&exact());
    assert!(exact.facts.iter().any(|fact| fact.text.contains("no sampling error")));
    // Computed values have three decimals and no interval.
    let decimals = |field: &String| Some(field.strip_suffix(" %")?.split_once('.')?.1.len());
    assert!(exact.tables[0].rows[0].iter().any(|field| decimals(field) == Some(3)), "{:?}", exact.tables[0].rows[0]);
}

#[test]
fn expected_odds_are_held_against_what_was_found() {
    let mut study = two_cells();
    let expected = |cell, numerator, denominator, rounded| Expected {
        cell,
        of: Expectation::Outcome("defender".to_owned()),
        numerator,
        denominator,
        rounded,
        source: "by hand".to_owned(),
    };
    let all = [(0, 478, 1_000, false), (0, 5, 10, false), (0, 53, 100, false), (0, 5, 10, true), (1, 5, 10, true)];
    study.manifest.report.expect =
        all.map(|(cell, above, below, rounded)| expected(cell, above, below, rounded)).into();
    let table = Report::on(&study).tables.pop().unwrap();
    assert!(table.caption.starts_with("Expected odds, all 5 judged together"), "{}", table.caption);
    // The estimates were about 48 ± 2 %, which becomes ± 3 % for all five together: that includes 50 % but not 53 %.
    // The others expect 45 to 55 %, and about 96 %.
    assert_eq!(table.rows.iter().map(|row| row[4].as_str()).collect::<Vec<_>>(), ["yes", "yes", "no", "yes", "no"]);
    assert_eq!((table.rows[0][2].as_str(), table.rows[3][2].as_str()), ("478/1000 = 47.800 %", "50.000 %"));
    study.manifest.report.expect.truncate(2);
    let found = study.judged()[1].found;
    assert!(found.high < 0.5, "one by one, 50 % would be out of the question: {found:?}");
    study.manifest.report.expect.clear();
    assert_eq!(Report::on(&study).tables.len(), 2);
}

#[test]
fn the_table_holds_every_cell() {
    let study = large_grid();
    let tables = Report::on(&study).tables;
    assert_eq!((tables[0].rows.len(), tables[1].rows.len()), (360, 360));
    assert!(tables.iter().all(|table| table.rows.iter().all(|row| row.len() == table.head.len())));
}

/// Names, titles and texts come from files of unknown origin.
#[test]
fn markup_in_files_stays_text() {
    let evil = "<script src='http://evil'>\"&amp;](x)\u{7}";
    let mut study =
        results(&[("defender.0.formation", &[evil, "square"]), (evil, &["a", "b"])], 50, |at| [0.2, 0.9][at[0]]);
    let manifest = &mut study.manifest;
    manifest.study.title = evil.to_owned();
    manifest.pack.name = evil.to_owned();
    manifest.made.command = evil.to_owned();
    manifest.report.analysis = format!("{evil}\n\n# {evil}");
    manifest.report.highlights = vec![evil.to_owned()];
    manifest.sides[0] = evil.to_owned();
    let report = Report::on(&study);
    let page = html(&report).unwrap();
    let mut texts = vec![page.clone()];
    texts.extend(report.all_charts().map(|chart| chart.svg(Size::Page, Theme::Light).unwrap()));
    for text in texts {
        assert!(!text.contains("<script") && !text.contains('\u{7}'));
        assert_eq!(tags(&text).difference(&TAGS.into()).collect::<Vec<_>>(), Vec::<&&str>::new());
    }
    let markdown = markdown(&report);
    // In code spans, markup is already plain text; elsewhere it needs a backslash.
    let bare = markdown.lines().filter(|line| !line.contains("``") && !line.contains(": `"));
    assert!(bare.clone().count() > 10);
    assert!(bare.flat_map(|line| line.split('<').rev().skip(1)).all(|before| before.ends_with('\\')));
    assert!(!markdown.contains('\u{7}'));
}

/// All elements that pages and charts may contain.
const TAGS: [&str; 41] = [
    "!DOCTYPE", "a", "body", "caption", "circle", "code", "dd", "details", "div", "dl", "dt", "figure", "h1", "h2",
    "h3", "head", "header", "html", "li", "line", "main", "meta", "nav", "p", "polygon", "polyline", "pre", "rect",
    "section", "style", "summary", "svg", "table", "tbody", "td", "text", "th", "thead", "title", "tr", "ul",
];

fn tags(text: &str) -> BTreeSet<&str> {
    text.split('<')
        .skip(1)
        .map(|piece| piece.trim_start_matches('/').split([' ', '>', '/']).next().unwrap_or(""))
        .collect()
}

#[test]
fn the_page_needs_nothing_else_and_can_be_read_aloud() {
    let page = html(&Report::on(&twelve_cells())).unwrap();
    let links = page.replace("http://www.w3.org/2000/svg", "");
    assert!(
        !links.contains("http") && !links.contains("src=\"") && !links.contains("@import") && !links.contains("url(h")
    );
    // Links lead to parts of the same page, and each part exists.
    let targets: Vec<&str> = page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(targets, ["#answer", "#lead", "#charts", "#battles", "#cells", "#rules", "#made"]);
    assert!(targets.iter().all(|target| page.matches(&format!("id=\"{}\"", &target[1..])).count() == 1));
    // One heading of level 1, and no heading skips a level.
    let ranks: Vec<u32> =
        page.match_indices("<h").filter_map(|(at, _)| page[at + 2..].chars().next()?.to_digit(10)).collect();
    assert_eq!((ranks[0], ranks.iter().filter(|&&rank| rank == 1).count()), (1, 1));
    assert!(ranks.windows(2).all(|pair| pair[1] <= pair[0] + 1), "{ranks:?}");
    // Each colour of the light theme has a counterpart in the dark one.
    let colours = page.split("fill=\"").skip(1).filter_map(|rest| rest.split('"').next());
    for colour in colours.filter(|&colour| colour != "none") {
        assert!(page.contains(&format!("svg [fill=\"{colour}\"]")), "{colour}");
    }
    assert!(page.contains("<html lang=\"en-GB\">") && page.contains("@media print"));
    assert_eq!(page.matches("<svg").count(), page.matches("role=\"img\" aria-label=\"").count());
    assert_eq!(page.matches("@font-face").count(), 2);
    assert_eq!(page.matches("<table>").count(), page.matches("<caption>").count());
    assert!(page.contains("grognard replay results/made-up --cell 0 --battle 0"));
}

#[test]
fn the_same_results_give_the_same_bytes() {
    let chart = || -> Chart { Report::on(&two_cells()).lead.expect("it has a chart") };
    assert_eq!(chart().svg(Size::Page, Theme::Light).unwrap(), chart().svg(Size::Page, Theme::Light).unwrap());
    assert_eq!(chart().png(Size::Page, Theme::Light).unwrap(), chart().png(Size::Page, Theme::Light).unwrap());
}
