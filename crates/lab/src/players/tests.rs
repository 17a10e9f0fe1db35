//! Tests of players in battles that are worked out by hand.

use grognard_source::Sources;
use grognard_stats::Estimate;

use super::*;
use crate::exact::Unwatched;
use crate::progress::Stop;
use crate::results::Method;
use crate::runner::{Fighter, Tallied};
use crate::study::Changes;

/// A gun aims at one place, and the foot goes to one: see the pack. A beginner aims right, and a trained player's foot
/// goes right.
fn pack() -> String {
    let text = include_str!("../../tests/packs/pennies/pack.toml");
    let row =
        |place: &str| format!("row = [{{ id = 'choose', phase = 'choose', do = 'form', formation = '{place}' }}]\n");
    format!(
        "{}\n[doctrine.aim-right]\ntitle = 'aims right'\n{}[doctrine.hide-right]\ntitle = 'hides on the right'\n{}",
        text.replacen("[doctrine.aim]\n", "[doctrine.aim]\nplayers = { beginner = 'aim-right' }\n", 1).replacen(
            "[doctrine.hide]\n",
            "[doctrine.hide]\nplayers = { trained = 'hide-right' }\n",
            1
        ),
        row("right"),
        row("right")
    )
}

/// The message about a study of this pack, or the study.
fn read(gun: &str, report: &str) -> Result<Study, String> {
    read_of(&pack(), gun, report)
}

fn read_of(pack: &str, gun: &str, report: &str) -> Result<Study, String> {
    let place = tempfile::tempdir().expect("a temporary folder");
    let folder = place.path().join("field");
    std::fs::create_dir(&folder).expect("a folder can be made");
    std::fs::write(folder.join("pack.toml"), pack).expect("a file can be written");
    let mut sources = Sources::new();
    let text = format!(
        "study = 'pennies'\npack = 'field'\nturns = 2\n[side.gun]\ndoctrine = 'aim'\n{gun}units = [{{ type = 'gun' }}]\n\
         [side.foot]\nunits = [{{ type = 'foot' }}]\n[vary]\n'foot.doctrine' = ['hide', 'hide-right']\n[report]\n{report}"
    );
    let file = sources.add("study.toml", text);
    Study::read(file, Some(place.path()), &Changes::default(), &mut sources)
        .map_err(|faults| faults.render(&sources, false))
}

fn asked(gun: &str, report: &str, battles: u64) -> (Study, Players) {
    asked_of(&pack(), gun, report, battles)
}

fn asked_of(pack: &str, gun: &str, report: &str, battles: u64) -> (Study, Players) {
    let study = read_of(pack, gun, report).unwrap_or_else(|faults| panic!("{faults}"));
    let tallied = Tallied { battles, ..Tallied::new(0, &study.baselines()) };
    let players = ask(&study, &tallied, &Unwatched, &Stop::new()).expect("nobody stops it");
    (study, players)
}

fn is_about(found: Option<Estimate>, value: f64) -> bool {
    found.is_some_and(|found| found.low < value && value < found.high && found.high - found.low < 0.1)
}

/// The gun hits on 4 or less if it aims at the foot's place, otherwise on 2 or less. It wins if it hits.
///
/// The gun's doctrine aims left. The foot's hides left or, in the second cell, right: 4/6 and 2/6. A beginner's gun
/// aims right: 2/6 and 4/6; the foot has no beginner. A trained player's foot goes right at once: 2/6; the gun has no
/// trained player. In the second cell the foot's doctrine is the trained one itself. Perfect players may also stay in
/// the middle. The gun does, and then aims left if the foot went left, so it aims at the right place in the first cell.
/// In the second, the foot goes right, where this gun cannot aim.
#[test]
fn findings_under_each_player_are_those_by_hand() {
    let (study, players) = asked("", "players = ['beginner', 'default', 'trained', 'best']", 100_000);
    let manifest = study.manifest(Method::Sampled);
    assert_eq!((players.metric.as_str(), players.battles), ("gun score", 20_000));
    let names: Vec<&str> = players.players.iter().map(|under| under.player.as_str()).collect();
    assert_eq!(names, ["beginner", "default", "trained", "best"]);
    let led: Vec<[[Led; 2]; 2]> =
        players.players.iter().map(|under| [under.cells[0].led, under.cells[1].led]).collect();
    let (player, doctrine) = (Led::Player, Led::Doctrine);
    assert_eq!(led, [[[player, doctrine]; 2], [[doctrine; 2]; 2], [[doctrine, player]; 2], [[player; 2]; 2]]);
    let [first, second] = [0, 1].map(|cell| players.values(&manifest, cell));
    assert!(is_about(first[0], 2.0 / 6.0) && is_about(second[0], 4.0 / 6.0), "{first:?} {second:?}");
    assert!(is_about(first[1], 4.0 / 6.0) && is_about(second[1], 2.0 / 6.0), "{first:?} {second:?}");
    assert!(is_about(first[2], 2.0 / 6.0) && second[2] == second[1], "{first:?} {second:?}");
    let exact = |found: Option<Estimate>, value: f64| {
        found.is_some_and(|found| found.is_computed() && found.low == found.high && (found.point - value).abs() < 1e-9)
    };
    assert!(exact(first[3], 4.0 / 6.0) && exact(second[3], 2.0 / 6.0), "{first:?} {second:?}");

    let findings = players.findings(&manifest);
    assert_eq!(findings.len(), 1);
    let Finding { cell, baseline, under } = &findings[0];
    assert_eq!((cell, baseline), (&1, &0));
    assert!(is_about(under[0], 2.0 / 6.0) && is_about(under[1], -2.0 / 6.0), "{under:?}");
    // The trained player's foot goes right in both cells.
    assert!(under[2].is_some_and(|found| found.holds(0.0)) && exact(under[3], -2.0 / 6.0), "{under:?}");
    assert_eq!(findings[0].sign(), Sign::Changes);
}

/// A perfect player whose gun can aim only right or at the middle misses the foot if it goes left, as any other player
/// would, and finds it if it goes right or stays in the middle.
#[test]
fn perfect_players_may_have_the_orders_of_another_doctrine() {
    let other = |text: String| text.replacen("beginner = 'aim-right'", "best = 'aim-right'", 1);
    let (study, players) = asked_of(&other(pack()), "", "players = ['default', 'best']", 2_000);
    let manifest = study.manifest(Method::Sampled);
    let best = &players.players[1];
    assert_eq!((&best.doctrines, &best.orders_of), (&[vec!["aim-right".to_owned()], Vec::new()], &None));
    assert!(players.players[0].doctrines.iter().all(Vec::is_empty));
    let computed = |cell| players.values(&manifest, cell)[1].expect("it is solved").point;
    assert!((computed(0) - 2.0 / 6.0).abs() < 1e-9 && (computed(1) - 4.0 / 6.0).abs() < 1e-9, "{best:?}");
    // It is not a player that a side can have, because it has no list of orders.
    let wrong = read_of(&other(pack()), "player = 'best'\n", "").map(|study| study.cells.len()).expect_err("no player");
    assert!(
        wrong.contains("`best` is perfect play") && wrong.contains("`players = [\"best\"]` in [report]"),
        "{wrong}"
    );
}

/// Under the doctrine, the battles are the run's own, and differences compare battles with the same dice.
#[test]
fn the_dice_are_those_of_the_run() {
    let (study, players) = asked("", "players = ['beginner']", 500);
    let fought = [0, 1].map(|cell| study.fight(cell, 0..500));
    let doctrine = &players.players[0];
    assert!(doctrine.is_default(), "always there, and first where the study does not list it");
    let points =
        |outcome: &grognard_engine::Outcome| outcome.winner.map_or(1, |side| 2 * i32::from(side == Side::First));
    let apart: Histogram =
        fought[1].iter().zip(&fought[0]).map(|(own, base)| (points(own) - points(base), 1)).collect();
    let own: Histogram = fought[1].iter().map(|outcome| (points(outcome), 1)).collect();
    assert_eq!(doctrine.cells[1].value, Value::Fought { own, apart: Some(apart) });
}

/// If the study gives the gun to a beginner, the gun aims right whichever player the findings are repeated with. A
/// perfect player's foot is then never where the gun aims: 2/6 in both cells, so the finding disappears.
#[test]
fn a_side_whose_player_the_study_names_keeps_him() {
    let (study, players) = asked("player = 'beginner'\n", "players = ['default', 'best']", 2_000);
    let manifest = study.manifest(Method::Sampled);
    assert_eq!(players.players[1].cells[0].led, [Led::Own, Led::Player]);
    let under = &players.findings(&manifest)[0].under;
    assert!(under[0].is_some_and(|found| found.low > 0.2), "{under:?}");
    assert_eq!(under[1], Some(Estimate::computed(0.0)));
    assert_eq!(players.findings(&manifest)[0].sign(), Sign::Unsure(vec![1]));
}

#[test]
fn nothing_is_asked_of_a_shard_or_after_a_stop_or_if_nobody_asks() {
    let study = read("", "players = ['beginner', 'best']").expect("a good study");
    let stopped = Stop::new();
    stopped.raise();
    let tallied = |first| Tallied { battles: 100, ..Tallied::new(first, &study.baselines()) };
    assert_eq!(ask(&study, &tallied(0), &Unwatched, &stopped), None);
    assert_eq!(ask(&study, &tallied(4_096), &Unwatched, &Stop::new()), None);
    let plain = read("", "").expect("a good study");
    assert_eq!(ask(&plain, &tallied(0), &Unwatched, &Stop::new()), None);
}

#[test]
fn what_is_kept_is_dropped_when_something_else_is_asked() {
    let (study, players) = asked("", "players = ['beginner', 'default']", 10);
    assert!(players.answer(study.report.players.as_ref()));
    let other = |report| read("", report).expect("a good study").report.players;
    for report in ["", "players = ['default', 'beginner']", "players = ['default']"] {
        assert!(!players.answer(other(report).as_ref()), "{report}");
    }
    let losses = "headline = { cell = 1, metric = 'gun.losses' }\nplayers = ['beginner', 'default']";
    assert!(!players.answer(other(losses).as_ref()));
}

fn finding(under: &[(f64, f64)]) -> Sign {
    let between = |&(low, high): &(f64, f64)| Some(Estimate::bounded(f64::midpoint(low, high), low, high));
    Finding { cell: 1, baseline: 0, under: under.iter().map(between).chain([None]).collect() }.sign()
}

#[test]
fn a_finding_keeps_its_sign_if_all_intervals_are_on_one_side_of_0() {
    assert_eq!(finding(&[(0.1, 0.2), (0.3, 0.3)]), Sign::Kept);
    assert_eq!(finding(&[(-0.2, -0.1), (-0.3, -0.2)]), Sign::Kept);
    assert_eq!(finding(&[(0.1, 0.2), (-0.3, -0.2), (-0.1, 0.1)]), Sign::Changes);
    assert_eq!(finding(&[(0.1, 0.2), (0.0, 0.2), (-0.1, 0.1)]), Sign::Unsure(vec![1, 2]));
    assert_eq!(finding(&[(0.1, 0.2), (0.0, 0.0)]), Sign::Unsure(vec![1]));
    assert_eq!(finding(&[(0.0, 0.0), (0.0, 0.0)]), Sign::Nothing);
}

/// If a side gets another doctrine, players that no doctrine has are left out, both in the run and when its folder is
/// read again.
#[test]
fn other_doctrines_have_other_players() {
    let place = tempfile::tempdir().expect("a temporary folder");
    std::fs::create_dir(place.path().join("field")).expect("a folder can be made");
    std::fs::write(place.path().join("field/pack.toml"), pack()).expect("a file can be written");
    let read = |players: &str| {
        let mut sources = Sources::new();
        let text = format!(
            "study = 'pennies'\npack = 'field'\nturns = 2\n[side.gun]\ndoctrine = 'aim'\nunits = [{{ type = 'gun' }}]\n[side.foot]\n\
             doctrine = 'hide'\nunits = [{{ type = 'foot' }}]\n[report]\nplayers = {players}\n"
        );
        let file = sources.add("study.toml", &text);
        let set = sources.add("--set", "gun.doctrine=aim-right");
        let set = vec![grognard_source::Override::parse(set, &sources).expect("a path and a value")];
        let changes = Changes { set, ..Changes::default() };
        Study::read(file, Some(place.path()), &changes, &mut sources).map_err(|faults| faults.render(&sources, false))
    };
    // A name that no doctrine in the pack has is a typo, whatever the settings.
    let misspelt = read("['beginer', 'trained']").map(|study| study.cells.len()).expect_err("nobody has it");
    assert!(misspelt.contains("beginer"), "{misspelt}");
    let study = read("['beginner', 'trained']").expect("the beginner is left out");
    let names = |study: &Study| study.report.players.as_ref().map(|ladder| ladder.players.join(" "));
    assert_eq!(names(&study).as_deref(), Some("default trained"));
    let again = Study::of_manifest(&study.manifest(Method::Sampled), &mut Sources::new()).expect("its own texts");
    assert_eq!((names(&again), again.identity), (names(&study), study.identity.clone()));
}

/// Perfect players who have the orders of one player on both sides of all cells are named after that player.
#[test]
fn perfect_players_may_have_the_orders_of_beginners() {
    let foot = "players = { beginner = 'right', best = 'right' }";
    let text = pack()
        .replacen("beginner = 'aim-right'", "beginner = 'aim-right', best = 'aim-right'", 1)
        .replacen("players = { trained = 'hide-right' }", foot, 1)
        .replacen("[doctrine.hide-right]", &format!("[doctrine.hide-right]\n{foot}"), 1);
    let right = "title = 'r'\nrow = [{ id = 'choose', phase = 'choose', do = 'form', formation = 'right' }]\n";
    let (_, players) = asked_of(&format!("{text}[doctrine.right]\n{right}"), "", "players = ['best']", 2_000);
    assert_eq!(players.players[1].orders_of.as_deref(), Some("beginner"));
}

/// The doctrines are attributed to a player if at least one side has that player, and switching to that player would
/// change no side's orders. Here the gun's doctrine is a beginner's, and the foot has no beginner. In the plain pack, a
/// beginner would aim elsewhere, and a trained player's foot would hide elsewhere in the first cell.
#[test]
fn doctrines_may_be_those_of_a_player() {
    let default = |pack: &str| {
        let (study, players) = asked_of(pack, "", "players = ['trained']", 100);
        let [default, _] = players.players.as_slice() else { panic!("{players:?}") };
        assert_eq!(default.orders_of, study.default_player);
        (study.default_player, [default.cells[0].led, default.cells[1].led])
    };
    assert_eq!(default(&pack()), (None, [[Led::Doctrine; 2]; 2]));
    let turned = pack().replacen("players = { beginner = 'aim-right' }\n", "", 1).replacen(
        "[doctrine.aim-right]\n",
        "[doctrine.aim-right]\nplayers = { beginner = 'aim' }\n",
        1,
    );
    assert_eq!(default(&turned), (Some("beginner".to_owned()), [[Led::Player, Led::Doctrine]; 2]));
}

/// A gun whose doctrine is `aim-right` already plays as the beginner would, so the beginner gets no column of its own,
/// though the study may still name it.
#[test]
fn a_player_whose_doctrine_leads_already_is_that_doctrine() {
    let place = tempfile::tempdir().expect("a temporary folder");
    std::fs::create_dir(place.path().join("field")).expect("a folder can be made");
    std::fs::write(place.path().join("field/pack.toml"), pack()).expect("a file can be written");
    let read = |gun: &str, report: &str| {
        let mut sources = Sources::new();
        let text = format!(
            "study = 'pennies'\npack = 'field'\nturns = 2\n[side.gun]\ndoctrine = 'aim-right'\n{gun}units = [{{ type = 'gun' }}]\n\
             [side.foot]\ndoctrine = 'hide'\nunits = [{{ type = 'foot' }}]\n{report}\n"
        );
        let file = sources.add("study.toml", &text);
        Study::read(file, Some(place.path()), &Changes::default(), &mut sources)
            .map_err(|faults| faults.render(&sources, false))
    };
    let names = |report: &str| read("", report).expect("a good study").report.players.expect("its players").players;
    assert_eq!(names("[report]\nplayers = ['beginner', 'trained']"), ["default", "trained"]);
    let fight = |gun: &str| read(gun, "").expect("a good study").fight(0, 0..50);
    assert_eq!(fight("player = 'beginner'\n"), fight(""));
    let unknown = read("player = 'trained'\n", "").map(|study| study.cells.len()).expect_err("only the foot has one");
    assert!(unknown.contains("there is no player `trained`") && unknown.contains("beginner"), "{unknown}");
}

/// One diagnostic for each fault, with its location.
#[test]
fn bad_players_are_named_where_they_stand() {
    for (report, said, place) in [
        ("players = []", "the list is empty", "study.toml:12:11"),
        ("players = ['beginer']", "did you mean `beginner`?", "study.toml:12:12"),
        ("players = ['best', 'random', 'best']", "is given twice", "study.toml:12:30"),
        (
            "players = ['best']\nheadline = { cell = 0, metric = 'turns' }",
            "`turns` is not a metric that either side tries to raise or lower",
            "study.toml:12:12",
        ),
        (
            "players = ['beginner']\nheadline = { cell = 0, metric = 'gun.rout_turn' }",
            "cannot be compared between players",
            "study.toml:12:11",
        ),
    ] {
        let faults = read("", report).map(|study| study.report.players).expect_err(report);
        assert!(faults.contains(said) && faults.contains(place), "{report}: {faults}");
        assert_eq!(faults.matches("error").count(), 1, "{faults}");
    }
    let random =
        read("player = 'random'\n", "players = ['best']").map(|study| study.cells.len()).expect_err("at random");
    assert!(random.contains("a side that chooses at random cannot be solved"), "{random}");
}
