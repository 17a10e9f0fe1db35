//! How far the findings depend on who plays.

use grognard_lab::players::{Led, Under, Value};
use grognard_lab::results::Results;

use super::two_cells;
use crate::html::html;
use crate::markdown::markdown;
use crate::report::Report;
use crate::testing::players;

/// With the doctrines, a square instead of a line gains the defender 48 points. `beginner` and `best` are the
/// attacker's points with the other players.
fn asked(beginner: i32, best: i32) -> (Results, Report) {
    let mut results = two_cells();
    results.players = Some(players(&results, beginner, best));
    let report = Report::on(&results);
    (results, report)
}

#[test]
fn a_finding_that_changes_sign_is_called_so() {
    for (beginner, best, said, sign) in [
        (
            -30,
            -20,
            "This difference has the same sign with every player: beginners, the doctrines and perfect players.",
            "kept",
        ),
        (
            30,
            -20,
            "This difference changes sign between players: it is above 0 with the doctrines and perfect \
             players, and below \
             0 with beginners.",
            "changes",
        ),
        (
            0,
            -20,
            "This difference is clear with the doctrines and perfect players, but not with beginners in the first \
             1,000 battles of each cell.",
            "unclear: beginner",
        ),
        (
            0,
            0,
            "This difference depends on the player: there is a difference with the doctrines and none with perfect players. It \
             is not clear with beginners in the first 1,000 battles of each cell.",
            "unclear: beginner, best",
        ),
    ] {
        let (_, report) = asked(beginner, best);
        assert_eq!(report.answer.last().map(String::as_str), Some(said));
        let told = report.who_plays.as_ref().expect("other players were tried");
        let row = &told.tables[1].rows[0];
        assert_eq!(row.last().map(String::as_str), Some(sign), "{row:?}");
        // The first page says it too.
        assert!(report.short().answer.iter().any(|sentence| sentence == said));
    }
}

/// If only the doctrines played, the report says nothing about who plays.
#[test]
fn nothing_is_said_where_nobody_else_was_asked() {
    let (mut results, _) = asked(30, -20);
    results.players.as_mut().expect("other players were tried").players.retain(Under::is_default);
    let report = Report::on(&results);
    assert!(report.who_plays.is_none());
    let tells =
        |sentence: &String| ["every player", "between players", "the player"].iter().any(|who| sentence.contains(who));
    assert!(!report.answer.iter().any(tells), "{:?}", report.answer);
}

/// The score is counted for the attacker but reported for the side that the report is about.
#[test]
fn the_players_stand_side_by_side() {
    let (results, report) = asked(30, -20);
    let told = report.who_plays.clone().expect("other players were tried");
    let [cells, findings] = told.tables.as_slice() else { panic!("{:?}", told.tables) };
    assert_eq!(cells.head, ["Cell", "Beginner", "Doctrine", "Best"]);
    assert!(cells.caption.starts_with("Defender’s score, by player"), "{}", cells.caption);
    assert!(cells.rows[1][1].starts_with("50.0 % (") && cells.rows[1][3] == "70.0 %", "{:?}", cells.rows);
    assert!(
        findings.rows[0][1].starts_with("\u{2212}30.0 ± ") && findings.rows[0][3] == "+20.0",
        "{:?}",
        findings.rows
    );
    assert!(told.about.iter().any(|text| {
        text.contains("With beginners, defender follows its doctrine, because the doctrine has no such player.")
    }));
    let (page, text) = (html(&report).expect("it is drawn"), markdown(&report));
    assert!(page.contains("<a href=\"#who-plays\">Who plays</a>") && page.contains("<section id=\"who-plays\""));
    assert!(text.contains("## Who plays") && text.contains("| changes |"), "{text}");
    let plain = Results { players: None, ..results };
    assert!(Report::on(&plain).who_plays.is_none() && !markdown(&Report::on(&plain)).contains("Who plays"));
}

/// Doctrines that belong to a kind of player are named after it, and the report names a side that has no such player.
#[test]
fn doctrines_of_a_player_are_named_after_him() {
    let (mut results, plain) = asked(30, -20);
    let about = |report: &Report| report.who_plays.clone().expect("other players were tried").about;
    assert!(about(&plain)[0].contains("Doctrine: the one named in the study."), "{:?}", about(&plain));
    let default = &mut results.players.as_mut().expect("other players were tried").players[1];
    default.orders_of = Some("trained".to_owned());
    default.cells.iter_mut().for_each(|cell| cell.led = [Led::Player, Led::Doctrine]);
    let report = Report::on(&results);
    let told = about(&report);
    let words = "Trained (default): the doctrines named in the study, which the pack has for such players.";
    assert!(told[0].contains(words) && !told[0].contains("Doctrine:"), "{told:?}");
    let stays = "With trained players, defender follows its doctrine, because the doctrine has no such player.";
    assert!(told[1].contains(stays), "{told:?}");
    assert!(
        told[2].contains("points with beginners, ") && told[2].contains(" points with trained players"),
        "{told:?}"
    );
    let tables = report.who_plays.expect("other players were tried").tables;
    assert!(tables.iter().all(|table| table.head[1..4] == ["Beginner", "Trained (default)", "Best"]), "{tables:?}");
}

/// A value that perfect play did not solve completely is reported by its two bounds.
#[test]
fn perfect_play_that_was_not_solved_has_two_ends() {
    let (mut results, report) = asked(30, -20);
    let between = "Where a range is given, the value lies within it.";
    assert!(!report.who_plays.is_some_and(|told| told.about[0].contains(between)));
    let best = results.players.as_mut().and_then(|players| players.players.last_mut()).expect("they are last");
    best.cells[1].value = Value::Solved { low: 200_000_000_000, high: 400_000_000_000 };
    let told = Report::on(&results).who_plays.expect("other players were tried");
    assert!(told.about[0].contains(between), "{:?}", told.about);
    // The attacker's 20 to 40 points in a hundred are the defender's 60 to 80, and 10 to 30 more than in line.
    assert_eq!(told.tables[0].rows[1][3], "60.0 % to 80.0 %");
    assert_eq!(told.tables[1].rows[0][3], "+10.0 to +30.0");
}

/// Perfect players with the orders of another doctrine choose between these and their own doctrine.
#[test]
fn perfect_play_with_other_orders_names_them() {
    let (mut results, report) = asked(30, -20);
    let about = |report: &Report| report.who_plays.clone().expect("other players were tried").about[0].clone();
    assert!(about(&report).contains("Best: perfect play with the doctrine’s orders, computed."), "{}", about(&report));
    let best = results.players.as_mut().and_then(|players| players.players.last_mut()).expect("they are last");
    best.doctrines[1] = vec!["stand-plainly".to_owned(), "wait".to_owned()];
    let report = Report::on(&results);
    let told = about(&report);
    let words = "Best of other orders: perfect play with the doctrine’s orders for attacker and the orders of \
     stand-plainly and wait \
                 for defender, or the doctrine itself if that does better, computed.";
    assert!(told.contains(words), "{told}");
    let told = report.who_plays.expect("other players were tried");
    assert!(
        told.verdict
            .is_some_and(|verdict| verdict.contains("perfect players who give other orders or follow the doctrines"))
    );
    let best = results.players.as_mut().and_then(|players| players.players.last_mut()).expect("they are last");
    best.orders_of = Some("beginner".to_owned());
    let told = Report::on(&results).who_plays.expect("other players were tried");
    assert_eq!(told.tables[0].head, ["Cell", "Beginner", "Doctrine", "Best of beginners’ orders"]);
    assert!(
        told.verdict.is_some_and(
            |verdict| verdict.contains("perfect players who give beginners’ orders or follow the doctrines")
        )
    );
}

/// Two bounds on the same side of 0 have a sign.
#[test]
fn two_ends_above_0_leave_no_doubt() {
    // Beginners and doctrines do better in square, too.
    for (low, high, sign) in [(20, 40, "kept"), (20, 60, "unclear: best"), (60, 80, "changes")] {
        let (mut results, _) = asked(-30, -20);
        let best = results.players.as_mut().and_then(|players| players.players.last_mut()).expect("they are last");
        let [low, high] = [low, high].map(|points| points * 10_000_000_000);
        best.cells[1].value = Value::Solved { low, high };
        let told = Report::on(&results).who_plays.expect("other players were tried");
        assert_eq!(told.tables[1].rows[0].last().map(String::as_str), Some(sign), "{low} to {high}");
    }
}

/// A computed difference that is small is not printed as zero: its sign counts.
#[test]
fn a_small_number_has_the_digits_that_show_its_sign() {
    let (mut results, _) = asked(30, -20);
    let best = results.players.as_mut().and_then(|players| players.players.last_mut()).expect("they are last");
    // The attacker's 49.96 in a hundred are the defender's 50.04.
    best.cells[1].value = Value::Solved { low: 499_600_000_000, high: 499_600_000_000 };
    let told = Report::on(&results).who_plays.expect("other players were tried");
    assert_eq!(told.tables[1].rows[0][3..], ["+0.04", "changes"]);
}

/// The report leads with wins; players are compared by their scores.
#[test]
fn the_main_finding_is_told_as_a_score_where_that_differs() {
    let (mut results, report) = asked(-30, -20);
    let bridge = "Counting a draw as half a win, the difference is ";
    let says =
        |report: &Report| report.answer.iter().find_map(|sentence| sentence.strip_prefix(bridge).map(str::to_owned));
    // Some of the 100 extra wins were draws before.
    let told = says(&report).expect("the scores differ from the wins");
    assert!(report.answer[0].contains("+48.9 ± ") && told.starts_with("+47.0 ± "), "{told}: {:?}", report.answer);
    assert!(told.ends_with(" points with the doctrines."), "{told}");
    let players = &mut results.players.as_mut().expect("other players were tried").players;
    let doctrines = players.iter_mut().find(|under| under.is_default()).expect("they were tried");
    let Value::Fought { apart, .. } = &mut doctrines.cells[1].value else { panic!("they fought") };
    *apart = Some([(0, 511), (-2, 489)].into_iter().collect());
    assert_eq!(says(&Report::on(&results)), None);
}
