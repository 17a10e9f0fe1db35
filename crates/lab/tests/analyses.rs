//! The numbers in the analyses of published studies, and in the table of their findings, are those of the published
//! results.
//!
//! The test reads every number in digits in a sentence about percentages, battles out of 100 or points. It must be the
//! rounded share of some cell, its score (a draw counts as half a win) or, before "points", the difference between two
//! cells. If an analysis refers to exact odds, a number may differ from the result of the battles as far as chance
//! allows. A sentence about other players may also quote the tables of who plays. Results with other settings are not
//! results of the study: such sentences are listed below.

use std::collections::BTreeSet;
use std::path::Path;

use grognard_lab::library::STUDIES;

/// Sentences about battles that are not in the published results, by their beginnings.
const ELSEWHERE: [(&str, &str); 6] = [
    ("patrol-through", "Which of the other two plans is better"),
    // Exact odds of one cell.
    ("pip-square", "Attacked on the flank with two or four points"),
    ("pip-square-price", "With twenty turns, the same attackers"),
    // From `grognard best`, with the doctrines of beginners set.
    ("square-vs-line", "From the front, a square lowers the score"),
    ("square-vs-line", "Between beginners"),
    ("square-vs-line", "Between experts"),
];

/// The beginning of a sentence that says how far a study's best play was solved. The published results do not contain
/// this.
const UNSOLVED: &str = "Best play is not solved";

/// A share in per cent, and the interval around it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Share {
    middle: f64,
    low: f64,
    high: f64,
}

/// The shares of each cell: wins, draws and defeats of the attacker, as the table of all cells prints them.
fn cells(report: &str) -> Vec<[Share; 3]> {
    let table = report.split("\n## All cells\n").nth(1).expect("a table of all cells");
    let share = |cell: &str| {
        let (middle, interval) = cell.trim().strip_suffix(')')?.split_once(" % (")?;
        let (low, high) = match (interval.strip_prefix("at most "), interval.strip_prefix("at least ")) {
            (Some(most), _) => ("0", most),
            (_, Some(least)) => (least, "100"),
            _ => interval.split_once('–')?,
        };
        let (low, high): (f64, f64) = (low.parse().ok()?, high.parse().ok()?);
        // A share that would round to 0 or 100 in its column is printed as a limit; it lies within its interval.
        let is_limit = middle.starts_with("\\<") || middle.starts_with('>');
        let middle = if is_limit { f64::midpoint(low, high) } else { middle.parse().ok()? };
        Some(Share { middle, low, high })
    };
    let rows = table.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    rows.filter_map(|row| row.split('|').filter_map(share).collect::<Vec<_>>().try_into().ok()).collect()
}

/// The numbers under other players, as the tables of who plays print them.
fn under_players(report: &str) -> Vec<f64> {
    let section = report.split("\n## Who plays\n").nth(1).map_or("", |rest| rest.split("\n## ").next().unwrap_or(rest));
    let number = |cell: &str| cell.trim().split([' ', '–']).next()?.replace('−', "-").parse::<f64>().ok();
    section.lines().filter(|line| line.starts_with('|')).flat_map(|row| row.split('|').filter_map(number)).collect()
}

/// The analysis in the text of a study.
fn analysis(study: &str) -> Option<String> {
    let text = study.split("\nanalysis = \"\"\"").nth(1)?.split("\"\"\"").next()?;
    Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// A number in digits, with the number of its decimals and the text after it.
fn numbers(sentence: &str) -> Vec<(f64, usize, &str)> {
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '.' || character == '-';
    let mut found = Vec::new();
    let mut rest = sentence;
    while let Some(start) = rest.find(is_part) {
        let word = &rest[start..];
        let end = word.find(|character| !is_part(character)).unwrap_or(word.len());
        let (word, after) = word.split_at(end);
        let word = word.trim_end_matches('.');
        if let Ok(number) = word.parse::<f64>() {
            found.push((number, word.split_once('.').map_or(0, |(_, decimals)| decimals.len()), after));
        }
        rest = after;
    }
    found
}

fn is_quoted((number, decimals, after): &(f64, usize, &str)) -> bool {
    let of_something_else = [" degrees", " inches", " turns"].iter().any(|unit| after.starts_with(unit));
    // A number with two decimals is a clause.
    (number - 100.0).abs() > 1e-9 && *decimals < 2 && !of_something_else
}

/// Whether a number comes before "points", by itself or as the first of two: `6 to 13 points`.
fn are_points(after: &str) -> bool {
    let second =
        after.strip_prefix(" to ").map(|more| more.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.'));
    after.starts_with(" points") || second.is_some_and(|more| more.starts_with(" points"))
}

/// Quoted numbers that are not among the results, with the sentences that were skipped.
fn unfounded(
    study: &str,
    analysis: &str,
    (cells, players): (&[[Share; 3]], &[f64]),
    passed: &mut BTreeSet<(String, String)>,
) -> Vec<String> {
    let exact = analysis.contains("`grognard exact ");
    let score = |[win, draw, _]: &[Share; 3]| Share {
        middle: win.middle + draw.middle / 2.0,
        low: win.low + draw.low / 2.0,
        high: win.high + draw.high / 2.0,
    };
    let all: Vec<[Share; 4]> = cells.iter().map(|cell| [cell[0], cell[1], cell[2], score(cell)]).collect();
    let mut faults = Vec::new();
    for sentence in analysis.split(". ") {
        let quoted: Vec<_> = numbers(sentence).into_iter().filter(is_quoted).collect();
        let about_shares =
            sentence.contains('%') || sentence.contains("100") || quoted.iter().any(|&(_, decimals, _)| decimals > 0);
        if let Some((_, start)) = ELSEWHERE.iter().find(|(name, start)| *name == study && sentence.starts_with(start)) {
            passed.insert((study.to_owned(), (*start).to_owned()));
            continue;
        }
        if sentence.starts_with(UNSOLVED) {
            continue;
        }
        let about_players = ["rained", "eginner", "erfect"].iter().any(|word| sentence.contains(word));
        for (number, decimals, after) in quoted {
            let half = 0.5 * 0.1_f64.powi(decimals as i32) + 1e-9;
            let near = |share: Share| {
                // Of a hundred intervals at 95 %, some miss; an interval 1.7 times as wide misses once in a thousand.
                let slack = if exact { 1.7 * (share.high - share.low) / 2.0 } else { 0.0 };
                (share.middle - number).abs() <= slack + half
            };
            let differs = |one: &[Share; 4], other: &[Share; 4]| {
                // Each of the two shares is rounded to a tenth.
                one.iter()
                    .zip(other)
                    .any(|(one, other)| ((one.middle - other.middle).abs() - number).abs() <= half + 0.1)
            };
            let points = are_points(after);
            if !points && !about_shares {
                continue;
            }
            let held = if points {
                all.iter().any(|one| all.iter().any(|other| differs(one, other)))
            } else {
                all.iter().flatten().any(|&share| near(share))
            };
            // Printed to at least a tenth.
            let under = || players.iter().any(|value| (value.abs() - number).abs() <= half + 0.05 + 1e-9);
            if !(held || about_players && under()) {
                faults.push(format!("{study}: no result rounds to {number:.decimals$}, of \"{sentence}\""));
            }
        }
    }
    faults
}

#[test]
fn analyses_quote_the_published_results() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let published = std::fs::read_dir(root.join("results/published")).expect("published results");
    let mut names: Vec<String> =
        published.filter_map(|entry| entry.expect("an entry").file_name().into_string().ok()).collect();
    names.sort_unstable();
    let (findings, mut faults, mut passed, mut studies) = (findings(&root), Vec::new(), BTreeSet::new(), 0);
    names.retain(|name| root.join(format!("studies/{name}.toml")).exists());
    for name in &names {
        let Ok(study) = std::fs::read_to_string(root.join(format!("studies/{name}.toml"))) else { continue };
        let report =
            std::fs::read_to_string(root.join(format!("results/published/{name}/report/report.md"))).expect("a report");
        let cells = cells(&report);
        assert!(!cells.is_empty(), "{name} has no cells");
        let analysis = analysis(&study).unwrap_or_else(|| panic!("{name} has no analysis"));
        let players = under_players(&report);
        faults.extend(unfounded(name, &analysis, (&cells, &players), &mut passed));
        let finding = findings.iter().find(|(study, _)| study == name).map_or("", |(_, finding)| finding);
        // The parts of a finding are about different cells and players.
        for part in finding.split("; ") {
            faults.extend(unfounded(name, part, (&cells, &players), &mut passed));
        }
        studies += 1;
    }
    let listed = listed(&root);
    assert!(studies == listed.len() && names.iter().all(|name| listed.contains(name)), "{names:?}");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let elsewhere = ELSEWHERE.iter().filter(|(name, _)| names.iter().any(|known| known == name));
    let elsewhere: BTreeSet<_> = elsewhere.map(|(name, start)| ((*name).to_owned(), (*start).to_owned())).collect();
    assert_eq!(passed, elsewhere, "sentences that are listed and no longer there");
}

/// The studies that the script `make` fights.
fn listed(root: &Path) -> Vec<String> {
    let make = std::fs::read_to_string(root.join("results/published/make")).expect("a script");
    let list = make.split("studies=(\n").nth(1).and_then(|rest| rest.split(')').next()).expect("a list");
    list.split_whitespace().map(str::to_owned).collect()
}

/// The table of findings: studies with their findings.
fn findings(root: &Path) -> Vec<(String, String)> {
    let page = std::fs::read_to_string(root.join("results/README.md")).expect("a page");
    let table = page.split("| study | finding |\n").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("a table");
    let row = |row: &str| {
        let (name, finding) = row.strip_prefix("| `")?.split_once("` | ")?;
        Some((name.to_owned(), finding.trim_end_matches(" |").to_owned()))
    };
    table.lines().filter_map(row).collect()
}

/// Each published study has a row in the table of findings, an analysis, and, if it is about two sides with choices,
/// the players under whom its findings are repeated.
#[test]
fn every_published_study_has_a_finding() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let rows: Vec<String> = findings(&root).into_iter().map(|(name, _)| name).collect();
    assert_eq!(rows, listed(&root));
    for name in rows {
        let study = std::fs::read_to_string(root.join(format!("studies/{name}.toml"))).expect("a study");
        assert!(analysis(&study).is_some(), "{name} has no analysis");
        let players = study
            .lines()
            .find(|line| line.starts_with("players = ["))
            .unwrap_or_else(|| panic!("{name} asks no other players"));
        // The analysis must say why a player is missing.
        for (player, why) in [("\"beginner\"", "No beginners are listed"), ("\"best\"", UNSOLVED)] {
            assert!(
                players.contains(player) || study.replace('\n', " ").contains(why),
                "{name} has neither {player} nor a reason"
            );
        }
    }
}

/// A report on several cells leads with the cell that its study names. Studies from whose armies others are drawn have
/// only one cell.
#[test]
fn every_study_of_several_cells_names_its_headline() {
    let several = ["\n[vary]\n", "\n[[cells]]\n", "\n[[part]]\n", "\n[pairs]\n"];
    let studies = STUDIES.iter().filter(|study| several.iter().any(|key| study.text.contains(key)));
    let silent: Vec<&str> =
        studies.filter(|study| !study.text.contains("\nheadline = {")).map(|study| study.name).collect();
    assert_eq!(silent, [""; 0]);
}

#[test]
fn a_number_that_has_drifted_is_found() {
    let share = |middle: f64| Share { middle, low: middle - 0.3, high: middle + 0.3 };
    let cells = [[share(62.0), share(29.8), share(8.2)], [share(7.5), share(66.1), share(26.3)]];
    let of = |analysis: &str| unfounded("x", analysis, (&cells, &[-12.6]), &mut BTreeSet::new()).len();
    assert_eq!(
        of(
            "It wins 62 battles in 100 (8.54) from 28 inches, and 8 in the other. A score of 40.6 %. It saves 54 points."
        ),
        0
    );
    assert_eq!(of("It wins 60 battles in 100, and 6 in the other. Of 66.2 % no more. It saves 53 points."), 4);
    assert_eq!(of("By `grognard exact x` it wins 61.5 %, or 61.4 %."), 1);
    // Numbers under other players may be quoted only in sentences about them.
    assert_eq!(of("Trained players save 13 points. Beginners save 14 points. It saves 13 points."), 2);
}
