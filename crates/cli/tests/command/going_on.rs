//! Questions that are stopped and then resumed.

use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use super::{Place, assert_same, command};

/// Two duels, with targets.
const STUDY: &str = "study = 'duels'\npack = 'refduel'\nturns = 12\n[vary]\n'a.0.type' = ['plain', 'one-up']\n'b.0.type' = ['plain', 'one-up']\n\
    [side.a]\nunits = [{ type = 'plain' }]\n[side.b]\nunits = [{ type = 'plain' }]\n\
    [[target]]\nsays = 'Nobody is sure'\nmetric = 'a score'\nband = ['16 %', '84 %']\n\
    [[target]]\nsays = 'Battles end'\nmetric = 'turns'\nband = ['3', '6.5']\n";

/// A command line for each question, and the number of notes after which it is killed.
const LINES: [(&str, usize); 9] = [
    ("find duels.toml --number unit.plain.figures --runs 10000 --where even --range 15..25", 30),
    ("judge duels.toml --runs 20000", 8),
    ("tune duels.toml --number unit --pips 2 --candidates 40 --runs 6000", 60),
    ("ablate duels.toml --runs 5000", 8),
    ("matchups duels.toml --runs 20000 --precision 0.5%", 6),
    ("points hex-armies --armies 100 --runs 32", 40),
    ("compare duels.toml --set unit.plain.figures=18 --runs 400000", 2),
    ("sensitivity duels.toml --runs 5000 --global --ways 3", 12),
    ("train horse.toml --side horse", 10),
];

fn notes(folder: &Path) -> usize {
    std::fs::read(folder.join("fought.jsonl")).map_or(0, |bytes| bytes.iter().filter(|&&byte| byte == b'\n').count())
}

/// Asks a question with `--out` and kills it after this many notes. Returns whether it was killed before it ended.
fn is_killed(place: &Place, line: &str, out: &str, after: usize) -> bool {
    let mut child = command(&place.path(""), &format!("{line} --quiet --out {out}"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the command runs");
    while child.try_wait().expect("a child").is_none() && notes(&place.path(out)) < after {
        sleep(Duration::from_millis(1));
    }
    child.kill().expect("it can be killed");
    child.wait().expect("a child").code().is_none()
}

/// A question killed twice gives the same bytes as one that was never interrupted, and fights no battle twice.
#[test]
fn a_question_that_was_killed_goes_on_to_the_same_bytes() {
    let place = Place::new();
    place.write("duels.toml", STUDY);
    super::train::write_horse(&place);
    let mut kills = 0;
    for (nth, (line, after)) in LINES.into_iter().enumerate() {
        let (whole, part) = (format!("whole-{nth}"), format!("part-{nth}"));
        let alone = place.grognard(&format!("{line} --threads 2 --quiet --out {whole}"));
        for times in 1..=2 {
            let before = notes(&place.path(&part));
            let ended = !is_killed(&place, &format!("{line} --threads 1"), &part, times * after);
            assert!(ended || notes(&place.path(&part)) >= before, "{line}");
            kills += u32::from(!ended);
            if ended {
                break;
            }
        }
        let told = place.grognard(&format!("{line} --threads 2 --out {part}"));
        assert_eq!((told.status, &told.out), (alone.status, &alone.out), "{line}");
        assert_same(&place.path(&whole), &place.path(&part));
        assert_eq!(notes(&place.path(&part)), 0, "{line}");
    }
    assert!(kills > 6, "{kills}");
}

/// An ablation that runs out of time reports the rules tried by then, and later resumes with the others.
#[test]
fn an_ablation_that_is_stopped_says_what_it_knows() {
    let place = Place::new();
    // Doubles the time until it is enough for one rule, which depends on the machine.
    let mut tried = Vec::new();
    for time in [2, 4, 8, 16, 32] {
        let line =
            format!("ablate square-vs-line --cell 0 --runs 20000 --no-pairs --quiet --json --time {time}s --out part");
        let ran = place.grognard(&line);
        if ran.status != Some(0) {
            assert_eq!(ran.status, Some(4));
            assert!(ran.err.contains("before any rule was tried"), "{ran:?}");
            continue;
        }
        let json = ran.json();
        let count = |key: &str| json[key].as_array().map_or(0, Vec::len);
        tried.push(count("rules") + count("still") + count("needed"));
        assert_eq!(json["stopped"], count("untried") > 0, "{json:#}");
        if tried.len() == 2 || count("untried") == 0 {
            break;
        }
    }
    assert!(!tried.is_empty() && tried.is_sorted(), "{tried:?}");
}

/// A time limit that is too short for any result leaves a question undecided, and the command says so.
#[test]
fn too_short_a_time_decides_nothing() {
    let place = Place::new();
    for line in [
        "tune square-vs-line --target 'defender_wins=99%..100%'",
        "ablate square-vs-line",
        "points hex-armies",
        "compare square-vs-line --set roll.shock.modifier.impetus.add=2 --runs 1000000",
        "matchups square-vs-line",
        "sensitivity square-vs-line",
    ] {
        let mut words: Vec<String> = line.split(' ').map(|word| word.replace('_', " ").replace('\'', "")).collect();
        words.extend(["--quiet", "--time", "0.001s"].map(str::to_owned));
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let ran = place.words(&words).ends(4);
        assert!(ran.out.is_empty() && ran.err.contains("undecided: the time ran out before"), "{line}: {ran:?}");
        assert!(ran.err.contains("--time"), "{line}: {ran:?}");
    }
}

/// Notes on one question are not used to answer another.
#[test]
fn another_question_begins_anew() {
    let place = Place::new();
    place.write("duels.toml", STUDY);
    let line = "find duels.toml --number unit.plain.figures --range 15..25";
    assert!(is_killed(&place, &format!("{line} --runs 200000"), "stopped", 2));
    assert!(notes(&place.path("stopped")) > 1);
    let more = "--runs 20000 --seed 5 --quiet";
    // Equal sides are even at any strength, so this is undecided.
    let other = place.grognard(&format!("{line} {more} --out stopped")).ends(4);
    assert_eq!(other.out, place.grognard(&format!("{line} {more}")).ends(4).out);
    assert_eq!(notes(&place.path("stopped")), 0);
}
