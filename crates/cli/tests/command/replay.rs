//! `grognard replay`: any battle, from a study or from results.

use sha2::{Digest, Sha256};

use super::{DUEL, Place, Ran};

#[test]
fn a_battle_is_narrated_under_a_header_of_two_lines() {
    let place = Place::with_duel();
    let ran = place.grognard("replay duel.toml --cell 2 --battle 4").ends(0);
    let mut lines = ran.out.lines();
    assert_eq!(lines.next(), Some("How many defenders? (duel), cell 2: defender figures 7"));
    assert_eq!(lines.next(), Some("battle 4, seed 1, risk 1.0.0"));
    assert_eq!(lines.next(), Some(""));
    assert_eq!(lines.next(), Some("Army (attacker): 5 figures"));
    assert_eq!(lines.next(), Some("Army (defender): 7 figures"));
    assert_eq!(lines.next(), Some("Turn 1, attacker"));
    assert!(ran.out.contains("      attacker rolls 3d6: "), "{ran:?}");
    assert!(ran.out.contains("      defender rolls 2d6: "), "{ran:?}");
    assert_eq!(ran.err, "");
}

/// A battle has the names that its study gives it, in text and in every drawing.
#[test]
fn a_battle_is_called_what_its_study_calls_it() {
    let place = Place::new();
    let labels =
        "\n[label]\n\"defender.0.figures\" = { name = \"garrison\", unit = \"men\", values = { 3 = \"a handful\" } }\n";
    place.write("duel.toml", format!("{DUEL}{labels}"));
    for (cell, name) in [(0, "a handful"), (2, "garrison 7 men")] {
        let title = format!("How many defenders? (duel), cell {cell}: {name}");
        let ran = place.grognard(&format!("replay duel.toml --cell {cell}")).ends(0);
        assert_eq!(ran.out.lines().next(), Some(title.as_str()));
        let drawn = "--svg frames --storyboard board.svg --html page.html";
        place.grognard(&format!("replay duel.toml --cell {cell} {drawn}")).ends(0);
        for file in ["frames/frame-00-deployment.svg", "board.svg", "page.html"] {
            let text = String::from_utf8(place.read(file)).expect("text");
            assert!(text.contains(name) && !text.contains("defender.0.figures"), "{file}");
        }
    }
}

#[test]
fn colours_are_for_drawings() {
    let place = Place::with_duel();
    for line in ["", "--json", "--html page.html"] {
        let ran = place.grognard(&format!("replay duel.toml {line} --theme dark")).refused("--theme colours a drawing");
        ran.says("add --svg or --storyboard");
    }
    place.grognard("replay duel.toml --storyboard board.svg --theme dark").ends(0);
    assert_eq!(place.list(""), ["board.svg", "duel.toml"]);
}

/// The side that wins at the end of a narration.
fn winner(ran: &Ran) -> String {
    let last = ran.out.lines().last().expect("a last line");
    last.split_whitespace().next().expect("a first word").to_owned()
}

#[test]
fn the_battles_of_a_folder_are_those_that_were_counted() {
    let place = Place::with_duel();
    let json = place.grognard("run duel.toml --runs 12 --seed 5 --set attacker.0.figures=4 --json --no-report").json();
    // The study itself is no longer needed.
    std::fs::remove_file(place.path("duel.toml")).expect("it is there");
    for cell in [0, 2] {
        let battles =
            (0..12).map(|battle| place.grognard(&format!("replay results/duel --cell {cell} --battle {battle}")));
        let winners: Vec<String> = battles.map(|ran| winner(&ran.ends(0))).collect();
        let outcomes = &json["cells"][cell]["outcomes"];
        for side in ["attacker", "defender"] {
            let wins = winners.iter().filter(|winner| *winner == side).count();
            assert_eq!(outcomes[side]["count"], wins, "cell {cell}, {side}: {winners:?}");
        }
    }
}

#[test]
fn a_study_and_its_results_replay_the_same_battle() {
    let place = Place::with_duel();
    place.grognard("run duel.toml --runs 100 --seed 9 --set turns=3 --no-report").ends(0);
    let study = place.grognard("replay duel.toml --seed 9 --set turns=3 --cell 1 --battle 99").ends(0);
    assert_eq!(place.grognard("replay results/duel --cell 1 --battle 99").ends(0).out, study.out);
}

#[test]
fn a_battle_that_is_not_there_is_refused() {
    let place = Place::with_duel();
    place.grognard("run duel.toml --runs 100 --no-report").ends(0);
    place.grognard("replay duel.toml --cell 3").refused("there is no cell 3").says("cells are numbered from 0 to 2");
    place.grognard("replay results/duel --cell 3").refused("there is no cell 3").says("cells are numbered from 0 to 2");
    let ran = place.grognard("replay results/duel --battle 100");
    ran.refused("there is no battle 100").says("battles are numbered from 0 to 99");
    let ran = place.grognard("replay duel.toml --battle 1000000000000");
    ran.refused("there is no battle 1000000000000").says("battles are numbered from 0 to 999999999999");
    place.grognard("replay results/duel --seed 3").refused("omit --seed and --set");
    place.grognard("replay dual.toml").refused("there is no file `dual.toml`");
}

#[test]
fn a_shard_replays_its_own_battles() {
    let place = Place::with_duel();
    place.grognard("run duel.toml --runs 10_000 --shard 2/2 --no-report --out half").ends(0);
    place.grognard("replay half --battle -1").ends(2).says("battles are numbered from 0");
    place.grognard("replay half --battle 9_999").ends(0);
    place.grognard("replay half --battle 0").refused("battles are numbered from 4096 to 9999");
}

/// The text of a manifest with a valid seal.
fn sealed(mut manifest: serde_json::Value) -> String {
    manifest["made"]["seal"] = "".into();
    let text = serde_json::to_string_pretty(&manifest).expect("JSON");
    let seal: String = Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    text.replacen("\"seal\": \"\"", &format!("\"seal\": \"{seal}\""), 1)
}

#[test]
fn battles_of_another_version_are_not_told_as_ours() {
    let place = Place::with_duel();
    place.grognard("run duel.toml --runs 10 --no-report").ends(0);
    let mut manifest = super::run::manifest(&place, "results/duel");
    manifest["identity"] = "0".into();
    manifest["tool"] = "0.0.9".into();
    place.write("results/duel/manifest.json", sealed(manifest));
    place.grognard("replay results/duel").refused("was written by version 0.0.9");
}

#[test]
fn odds_are_told_before_each_half_of_a_turn() {
    let place = Place::with_duel();
    let plain = place.grognard("replay duel.toml --cell 1 --battle 3").ends(0);
    let ran = place.grognard("replay duel.toml --cell 1 --battle 3 --odds").ends(0);
    let odds: Vec<&str> = ran.out.lines().filter(|line| line.starts_with("Odds before turn ")).collect();
    // J. Osborne's table, five against five.
    assert_eq!(odds[0], "Odds before turn 1, attacker: attacker 50.620 %, draw 0 %, defender 49.380 %.");
    assert!(odds.len() > 1, "{ran:?}");
    // Apart from the odds, both outputs are the same.
    let others: Vec<&str> = ran.out.lines().filter(|line| !line.starts_with("Odds ")).collect();
    assert_eq!(others, plain.out.lines().collect::<Vec<_>>());
}

/// Squads that fire when their chip is drawn, and usually miss.
const SQUADS: &str = r#"
pack = "squads"
title = "Squads"
version = "0.1.0"
board = "none"
arms = ["foot"]

[morale]
state = [{ id = "good" }]

[unit]
squad = { title = "Squad", arm = "foot", figures = 1 }

[roll.fire]
title = "fire"
mechanic = "pool"
own = { dice = "d6", count = 1, need = 4 }
result = [{ id = "hits", when = "hits > 0", foe = { lose = "hits" } }, { id = "misses" }]

[[phase]]
id = "fire"
title = "Fire"
mechanism = "exchange"
roll = "fire"

[activation.bag]
cite = ["1"]

[doctrine.plain]
title = "as the rules say"
row = []

[victory]
broken = 100
limit = "fewer"

[[clause]]
id = "1"
text = "Chips are drawn."
"#;

#[test]
fn odds_are_told_once_a_turn_where_units_go_one_at_a_time() {
    let place = Place::new();
    place.write("squads/pack.toml", SQUADS);
    let side = |name: &str| format!("[side.{name}]\nunits = [{{ type = \"squad\" }}, {{ type = \"squad\" }}]\n");
    let study = format!("study = \"chips\"\npack = \"squads\"\nturns = 3\n{}{}", side("red"), side("blue"));
    place.write("chips.toml", study);
    let ran = place.grognard("replay chips.toml --battle 3 --odds").ends(0);
    let odds: Vec<&str> = ran.out.lines().filter(|line| line.starts_with("Odds before turn ")).collect();
    assert!(odds[0].starts_with("Odds before turn 1: red "), "{odds:?}");
    let mut turns: Vec<&str> = odds.iter().map(|line| &line[..line.find(':').expect("the turn")]).collect();
    turns.dedup();
    assert_eq!(turns.len(), odds.len(), "{odds:?}");
    assert!(odds.len() > 1, "{odds:?}");
}

/// A beginner's heavy cavalry charges a square.
const SQUARE: &str =
    "replay square-vs-line --cell 18 --battle 4 --set attacker.doctrine=charge-home --set defender.doctrine=stand";

#[test]
fn a_judged_battle_takes_luck_and_decisions_apart() {
    let place = Place::new();
    let plain = place.grognard(SQUARE).ends(0);
    let judged = place.grognard(&format!("{SQUARE} --judge")).ends(0);
    // The same battle, with added lines.
    let is_event = |line: &&str| line.starts_with("    ") && !line.contains('▸');
    let told: Vec<&str> = judged.out.lines().filter(is_event).collect();
    assert_eq!(told, plain.out.lines().filter(is_event).collect::<Vec<_>>());
    // A phase in which nothing was done has a heading if something could have been done.
    assert!(judged.out.contains("\nTurn 3, attacker\n  Charge\n    ▸ attacker 1: "), "{judged:?}");
    assert!(
        judged.out.contains("▸ attacker 1: hold 50.0 %, charge 44.2 %; chooses charge, gives away 5.8 ?"),
        "{judged:?}"
    );
    assert!(judged.out.ends_with("gives away 2 points or more, ??: 8 or more.\n"), "{judged:?}");
    let curve = judged.out.lines().find(|line| line.starts_with("Value for attacker")).expect("the curve");
    let values = curve.trim_end_matches('.').rsplit(": ").next().map_or(0, |values| values.split(" → ").count());
    assert!(curve.contains("in per cent: 50 → ") && values > 2, "{curve}");
    let last = judged.out.lines().find(|line| line.starts_with("Judged by")).expect("the sum");
    let numbers: Vec<f64> = last.replace('−', "-").split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [start, luck, own, other, end] = numbers[..] else { panic!("{last}") };
    assert!((start + luck + own + other - end).abs() < 0.25, "{last}");
    assert!(own < -5.0, "{last}");
}

/// The parts of the sum in JSON, after checking that they add up to the outcome.
fn sum(json: &serde_json::Value) -> (f64, f64, [f64; 2], f64) {
    let of = |value: &serde_json::Value| value.as_f64().expect("a number");
    let sum = &json["sum"];
    let decisions = [&sum["decisions"][0], &sum["decisions"][1]].map(of);
    let (start, luck, outcome) = (of(&sum["start"]), of(&sum["luck"]), of(&sum["outcome"]));
    assert!((start + luck + decisions[0] + decisions[1] - outcome).abs() < 1e-9, "{sum:#}");
    let changes: f64 = json["luck"].as_array().expect("luck").iter().map(|luck| of(&luck["change"])).sum();
    assert!((changes - luck).abs() < 1e-9, "{json:#}");
    for (place, side) in json["sides"].as_array().expect("sides").iter().enumerate() {
        let own = json["decisions"].as_array().expect("decisions").iter().filter(|decision| decision["side"] == *side);
        let lost: f64 = own.map(|decision| of(&decision["lost"])).sum();
        assert!((lost - decisions[place].abs()).abs() < 1e-9, "{side}: {lost}");
    }
    (start, luck, decisions, outcome)
}

#[test]
fn what_was_judged_is_there_for_programs() {
    let place = Place::new();
    let json = place.grognard(&format!("{SQUARE} --judge --json")).ends(0).json();
    assert_eq!((&json["method"], &json["fights"]), (&"best".into(), &serde_json::Value::Null));
    let (start, _, decisions, _) = sum(&json);
    assert!((start - 0.5).abs() < 1e-9 && decisions[0] < -0.05 && decisions[1] == 0.0);
    let first = &json["decisions"][0];
    assert_eq!((&first["turn"], &first["phase"], &first["unit"]), (&1.into(), &"charge".into(), &"attacker 1".into()));
    assert_eq!((&first["taken"], &first["mark"]), (&"charge".into(), &"?".into()));
    assert_eq!(first["options"][0]["option"], "hold");
    assert_eq!((&first["options"][0]["low"], &first["options"][0]["high"]), (&0.5.into(), &0.5.into()));
}

#[test]
fn the_page_of_a_judged_battle_shows_what_each_decision_was_worth() {
    let place = Place::new();
    place.grognard(&format!("{SQUARE} --judge --html battle.html")).ends(0);
    let read = |name: &str| String::from_utf8(place.read(name)).expect("text");
    let page = read("battle.html");
    assert!(
        page.contains("charge, attacker 1: hold 50.0 %, charge 44.2 %; chooses charge, gives away 5.8 ?</li>"),
        "{page}"
    );
    assert!(
        page.contains("<polyline points=\"0.0,50.0 ") && page.contains("<p>Judged by best play, as attacker: "),
        "{page}"
    );
    place.grognard(&format!("{SQUARE} --html plain.html")).ends(0);
    assert!(!read("plain.html").contains("class=\"judged\""));
}

/// The fleet, not its first ship, chooses which ship takes a hit.
#[test]
fn a_choice_among_units_is_judged_as_that_of_the_side() {
    let place = Place::new();
    place.write(
        "ships.toml",
        "study = 'ships'\npack = 'fleet-action'\nturns = 2\n\
         [side.blue]\ndoctrine = 'cheapest-first'\nunits = [{ type = 'fighters' }, { type = 'destroyer' }, { type = 'cruiser' }]\n\
         [side.red]\ndoctrine = 'cheapest-first'\nunits = [{ type = 'fighters' }, { type = 'destroyer' }, { type = 'cruiser' }]\n",
    );
    let json = place.grognard("replay ships.toml --battle 3 --judge --json").ends(0).json();
    let decisions = json["decisions"].as_array().expect("decisions");
    assert!(!decisions.is_empty(), "{json:#}");
    for one in decisions {
        assert!(one["unit"] == "blue" || one["unit"] == "red", "{one:#}");
        assert!(one["options"].as_array().is_some_and(|options| options.len() > 1), "{one:#}");
    }
    let told = place.grognard("replay ships.toml --battle 3 --judge").ends(0);
    assert!(told.out.contains("▸ blue: ") || told.out.contains("▸ red: "), "{told:?}");
}

/// Judged options name the targets of volleys and charges, and the principal charger. Guns have two targets; two regiments charge
/// one battalion and a third another.
#[test]
fn targets_and_charges_are_judged_by_name() {
    let place = Place::new();
    place.write(
        "guns.toml",
        "study = 'guns'\npack = 'napoleonic-pips'\nturns = 1\n\
         [side.blue]\ndoctrine = 'charge-home'\nunits = [\n\
         { type = 'foot-artillery', formation = 'unlimbered', at = [0, -3], facing = 0 },\n\
         { type = 'cavalry', at = [10, -0.5], facing = 0 }, { type = 'cavalry', at = [13, 1], facing = 270 },\n\
         { type = 'cavalry', at = [-12, -0.5], facing = 0 }]\n\
         [side.red]\ndoctrine = 'stand'\nunits = [\n\
         { type = 'infantry', at = [-2, 3], facing = 180 }, { type = 'infantry', at = [2, 3], facing = 180 },\n\
         { type = 'infantry', at = [10, 0.5], facing = 180 }, { type = 'infantry', at = [-12, 0.5], facing = 180 }]\n\
         [set]\n'activation.dice' = '8point'\n",
    );
    let told = place.grognard("replay guns.toml --battle 0 --judge --max-time 0.001s --fights 20").ends(0);
    for option in
        ["▸ blue 1: fire at red 1", "fire at red 2", "charge on red 3", "charge on red 4", "▸ blue: cavalry (blue "]
    {
        assert!(told.out.contains(option), "{option}: {told:?}");
    }
}

/// Which general a commander helps is the side's choice, and the options name the generals.
#[test]
fn the_general_who_is_helped_is_judged_by_name() {
    let place = Place::new();
    place.write(
        "corps.toml",
        "study = 'corps'\npack = 'napoleonic-pips'\nturns = 1\n\
         [side.blue]\ndoctrine = 'attack'\nunits = [\n\
         { type = 'infantry', at = [-4, -4], facing = 0, command = 'left' },\n\
         { type = 'infantry', at = [4, -5], facing = 0, command = 'right' }]\n\
         [side.blue.commands]\nleft = {}\nright = {}\n[side.blue.generals]\nleft = { command = 'left' }\nright = { command = 'right' }\n\
         corps = { rank = 'corps', at = [0, -8] }\n\
         [side.red]\ndoctrine = 'stand'\nunits = [{ type = 'infantry', at = [0, 4], facing = 180 }]\n",
    );
    let told = place.grognard("replay corps.toml --battle 0 --judge --max-time 0.001s --fights 20").ends(0);
    assert!(told.out.contains("▸ blue: help left and help right "), "{told:?}");
}

/// Four megabytes are enough for what the doctrines can do, but not for all choices.
#[test]
fn without_best_play_options_have_their_exact_odds_between_doctrines() {
    let place = Place::new();
    let line = format!("{SQUARE} --judge --max-memory 4M");
    let ran = place.grognard(&line).ends(0);
    assert!(ran.err.contains("best play is too large to solve"), "{ran:?}");
    assert!(ran.out.contains("Judged by exact odds of both doctrines, as attacker: 44.2 % at the start, "), "{ran:?}");
    assert!(ran.out.contains("if both sides follow their doctrines from there. "), "{ran:?}");
    let json = place.grognard(&format!("{line} --json")).ends(0).json();
    assert_eq!((&json["method"], &json["fights"]), (&"doctrines".into(), &serde_json::Value::Null));
    let (start, ..) = sum(&json);
    assert!(json["sum"]["low"] == start && json["sum"]["high"] == start, "{json:#}");
    place.grognard(&format!("{line} --html battle.html")).ends(0);
    let page = String::from_utf8(place.read("battle.html")).expect("text");
    assert!(page.contains("<p>Judged by exact odds of both doctrines, as attacker: "), "{page}");
}

#[test]
fn a_battle_too_large_to_be_solved_is_judged_by_fighting_on() {
    let place = Place::new();
    let line = format!("{SQUARE} --judge --max-time 0.001s --fights 400");
    let ran = place.grognard(&line).ends(0);
    assert!(
        ran.err.contains("too many choices to enumerate") && ran.err.contains("400 battles are simulated"),
        "{ran:?}"
    );
    assert!(ran.out.contains("Judged by 400 simulated battles for each option"), "{ran:?}");
    let solved = place.grognard(&format!("{SQUARE} --judge --json")).ends(0).json();
    let fought = place.grognard(&format!("{line} --json")).ends(0);
    assert_eq!(fought.out, place.grognard(&format!("{line} --json")).ends(0).out);
    let fought = fought.json();
    assert_eq!((&fought["method"], &fought["fights"]), (&"fought".into(), &400.into()));
    sum(&fought);
    // The solved and the simulated battle have the same decisions. No unit charges after the first decision here, so
    // the value under the doctrines is within the intervals.
    let names = |json: &serde_json::Value| -> Vec<(String, String)> {
        let decisions = json["decisions"].as_array().expect("decisions").iter();
        decisions.map(|one| (one["phase"].to_string(), one["taken"].to_string())).collect()
    };
    assert_eq!(names(&fought), names(&solved));
    let first = &fought["decisions"][0];
    let charge =
        first["options"].as_array().expect("options").iter().find(|one| one["option"] == "charge").expect("a charge");
    let of = |key: &str| charge[key].as_f64().expect("a number");
    // 0.4417 is the value that `exact` gives for the two doctrines.
    assert!(of("low") < 0.4417 && 0.4417 < of("high") && of("high") - of("low") < 0.3, "{charge:#}");
    let ran = place.grognard("replay square-vs-line --judge --odds").ends(2);
    assert!(ran.err.contains("cannot be used with"), "{ran:?}");
    let ran = place.grognard("replay square-vs-line --judge --fights 3").ends(2);
    assert!(ran.err.contains("10..=100000"), "{ran:?}");
}

#[test]
fn a_battle_is_drawn_in_frames_on_a_page_and_in_a_file_that_plays_it() {
    let place = Place::with_duel();
    place.write("frames/notes.txt", "mine");
    let line = "replay duel.toml --battle 4 --svg frames --storyboard board.svg --html deep/page.html";
    let ran = place.grognard(line).ends(0);
    assert_eq!(ran.out, "");
    assert!(ran.err.contains("frames in frames") && ran.err.contains("page in deep/page.html"), "{ran:?}");
    let frames = place.list("frames");
    // There is a frame for each half of a turn, and one for the deployment.
    let turns = place.grognard("replay duel.toml --battle 4").ends(0).out.matches("\nTurn ").count();
    let drawn: Vec<&String> = frames.iter().filter(|name| name.ends_with(".svg")).collect();
    assert!(drawn.len() > turns && drawn[0] == "frame-00-deployment.svg", "{frames:?}");
    assert_eq!(place.read("frames/notes.txt"), b"mine");
    let svg = String::from_utf8(place.read("frames/frame-00-deployment.svg")).expect("UTF-8");
    assert!(svg.starts_with("<svg xmlns=") && svg.contains("Deployment"), "{svg}");

    // The bytes are the same each time. Frames that a shorter battle does not have are removed, and nothing else is.
    let (board, page) = (place.read("board.svg"), place.read("deep/page.html"));
    place.grognard(line).ends(0);
    assert!(board == place.read("board.svg") && page == place.read("deep/page.html"));
    assert_eq!(place.list("frames"), frames);
    place.grognard("replay duel.toml --battle 4 --set turns=1 --svg frames").ends(0);
    assert!(place.list("frames").len() < frames.len());
    assert_eq!(place.read("frames/notes.txt"), b"mine");
}

#[test]
fn a_battle_as_json_has_its_narration() {
    let place = Place::with_duel();
    let json = place.grognard("replay duel.toml --battle 4 --json").json();
    let told = place.grognard("replay duel.toml --battle 4").ends(0).out;
    let moments = json["moments"].as_array().expect("moments");
    let lines = moments.iter().filter_map(|moment| moment["text"].as_array()).flatten();
    let lines: Vec<&str> = lines.filter_map(|line| line.as_str()).collect();
    assert_eq!(lines, told.lines().skip(3).collect::<Vec<_>>());
    assert_eq!(json["sides"], serde_json::json!(["attacker", "defender"]));
    assert!(moments.iter().any(|moment| moment["dice"].is_array()), "{json}");
}

#[test]
fn a_drawing_that_cannot_be_written_is_one_clear_message() {
    let place = Place::with_duel();
    place.write("file", "mine");
    let ran = place.grognard("replay duel.toml --svg file").ends(1);
    assert!(ran.err.contains("cannot write file"), "{ran:?}");
    let ran = place.grognard("replay duel.toml --html file/page.html").ends(1);
    assert!(ran.err.contains("cannot write file/page.html"), "{ran:?}");
    assert_eq!(place.read("file"), b"mine");
    place
        .grognard("replay duel.toml --storyboard duel.toml")
        .refused("does not end in .svg")
        .says("--storyboard writes");
    place.grognard("replay duel.toml --html page.svg").refused("does not end in .html");
    place.grognard("replay duel.toml --svg frames --odds").ends(2).says("cannot be used with");
    place.grognard("replay duel.toml --json --html page.html").ends(2).says("cannot be used with");
    assert_eq!(place.list("."), ["duel.toml", "file"]);
}

/// The three battles of a report: storyboards next to the page, and players on it.
#[test]
fn a_report_draws_its_battles() {
    let place = Place::with_duel();
    place.grognard("run duel.toml --runs 640").ends(0);
    let files = place.list("results/duel/report");
    let page = String::from_utf8(place.read("results/duel/report/index.html")).expect("UTF-8");
    let notes = String::from_utf8(place.read("results/duel/report/report.md")).expect("UTF-8");
    let told: Vec<&str> = ["battle-closest", "battle-longest", "battle-upset"]
        .into_iter()
        .filter(|name| files.contains(&format!("{name}.txt")))
        .collect();
    assert!(!told.is_empty(), "{files:?}");
    for name in &told {
        assert!(
            files.contains(&format!("{name}.svg")) && notes.contains(&format!("({name}.svg)")),
            "{name}: {files:?}"
        );
        assert!(page.contains(&format!("<section class=\"player\" id=\"{name}\"")), "{name}");
    }
    // There is one script for all players, and one with the data of each.
    assert_eq!(page.matches("<script").count(), told.len() + 1);
    assert!(page.len() < 3_000_000 && !page.contains("src=\"http"));
    // A battle is drawn from the folder alone.
    std::fs::remove_file(place.path("duel.toml")).expect("it is there");
    place.grognard("report results/duel").ends(0);
    assert_eq!(page.as_bytes(), place.read("results/duel/report/index.html"));
}
