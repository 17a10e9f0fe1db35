//! Questions that are stopped, and go on where they were.

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

/// One line of each question, and the notes after which it is killed.
const LINES: [(&str, usize); 7] = [
    ("find duels.toml --number unit.plain.figures --runs 10000 --where even --range 15..25", 30),
    ("judge duels.toml --runs 20000", 8),
    ("tune duels.toml --number unit --pips 2 --candidates 40 --runs 6000", 60),
    ("ablate duels.toml --runs 5000", 8),
    ("matchups duels.toml --runs 20000 --precision 0.5%", 6),
    ("points hex-armies --armies 100 --runs 32", 40),
    ("train horse.toml --side horse", 10),
];

fn notes(folder: &Path) -> usize {
    std::fs::read(folder.join("fought.jsonl")).map_or(0, |bytes| bytes.iter().filter(|&&byte| byte == b'\n').count())
}

/// A question killed twice comes to the same bytes as one that was left alone, and fights nothing twice.
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
            let mut child = command(&place.path(""), &format!("{line} --threads 1 --quiet --out {part}"))
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("the command runs");
            while child.try_wait().expect("a child").is_none() && notes(&place.path(&part)) < times * after {
                sleep(Duration::from_millis(1));
            }
            child.kill().expect("it can be killed");
            let ended = child.wait().expect("a child").code().is_some();
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

/// What was noted for one question is not taken for the answer to another.
#[test]
fn another_question_begins_anew() {
    let place = Place::new();
    place.write("duels.toml", STUDY);
    let line = "find duels.toml --number unit.plain.figures --range 15..25 --quiet";
    let stopped =
        place.grognard(&format!("{line} --runs 900000000 --precision 0.0001% --time 1s --out stopped")).ends(0);
    assert!(stopped.out.contains("The search was stopped"), "{stopped:?}");
    assert!(notes(&place.path("stopped")) > 1);
    let more = "--runs 20000 --seed 5";
    let other = place.grognard(&format!("{line} {more} --out stopped")).ends(0);
    assert_eq!(other.out, place.grognard(&format!("{line} {more}")).ends(0).out);
    assert_eq!(notes(&place.path("stopped")), 0);
}
