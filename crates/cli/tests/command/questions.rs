//! Properties that the answers to all questions share.

use super::Place;

/// Programs find the subject of an answer and its guarantee under the same keys, whatever the question.
#[test]
fn every_answer_as_json_says_what_it_is_of_and_what_it_promises() {
    let place = Place::with_duel();
    let whole = "--target attacker_wins=0%..100%";
    for (line, fought) in [
        ("find duel.toml --number attacker.0.figures --where even --range 4..6 --runs 64".to_owned(), true),
        (format!("judge duel.toml {whole} --runs 64"), true),
        (format!("tune duel.toml {whole} --number unit.army.figures --runs 64"), true),
        ("ablate duel.toml --runs 64 --no-pairs".to_owned(), true),
        ("points hex-line --cell 0 --armies 120 --runs 16".to_owned(), true),
        ("matchups duel.toml --rows attacker.0.figures=3,5 --columns defender.0.figures --runs 64".to_owned(), true),
        ("compare duel.toml --set roll.assault.ties=\"own\" --runs 4096".to_owned(), true),
        ("sensitivity duel.toml --runs 64 --global --ways 2".to_owned(), true),
        ("roll risk assault --set dice=3 --set foe.dice=2".to_owned(), false),
        ("roll 3d6kh2".to_owned(), false),
    ] {
        // Targets contain spaces, written as underscores here.
        let words: Vec<String> = format!("{line} --json{}", if fought { " --quiet" } else { "" })
            .split(' ')
            .map(|word| word.replace('_', " "))
            .collect();
        let ran = place.words(&words.iter().map(String::as_str).collect::<Vec<_>>());
        let json = ran.json();
        let at = |key: &str| json.get(key).unwrap_or_else(|| panic!("no {key}: {ran:?}"));
        assert_eq!(at("study").is_string() && at("seed").is_u64(), fought, "{ran:?}");
        assert_eq!(at("pack").is_string(), !line.contains("3d6kh2"), "{ran:?}");
        assert_eq!(at("battles").as_u64().expect("a count") > 0, fought, "{ran:?}");
        assert_eq!(at("level"), if fought { 0.95 } else { 1.0 }, "{ran:?}");
        assert!(at("guarantee").as_str().expect("a sentence").ends_with('.'), "{ran:?}");
    }
}

/// One side's gain is the other's loss: questions that rely on this refuse a third side, in one diagnostic at its name.
#[test]
fn questions_about_two_sides_refuse_a_third() {
    let place = Place::with_duel();
    let third = "[side.rival]\nunits = [{ type = \"army\", figures = 2 }]\n";
    let text = String::from_utf8(place.read("duel.toml")).expect("text");
    let at = text.lines().count() + 1;
    place.write("three.toml", format!("{text}{third}"));
    for line in [
        "best three.toml",
        "train three.toml --side attacker",
        "matchups three.toml --rows attacker.0.figures=3,5 --columns defender.0.figures=3,5",
        "points three.toml",
        "compare three.toml --set roll.assault.ties=\"own\"",
        "run three.toml --luck",
        "replay three.toml --judge",
        "studio three.toml",
    ] {
        let ran = place.words(&line.split(' ').collect::<Vec<_>>()).ends(2);
        assert_eq!(ran.err.matches("error: ").count(), 1, "{ran:?}");
        assert!(ran.err.contains("is about two sides, but the study has 3"), "{ran:?}");
        assert!(ran.err.contains(&format!("three.toml:{at}:7")), "{ran:?}");
    }
    // Other questions accept it: they ask for one number in each cell.
    for line in [
        "judge three.toml --target attacker_wins=0%..100% --runs 64",
        "find three.toml --number attacker.0.figures --where rival=50% --range 4..6 --runs 64",
        "ablate three.toml --runs 64 --no-pairs",
        "tune three.toml --target attacker_wins=0%..100% --number unit.army.figures --runs 64",
        "sensitivity three.toml --runs 64 --metric rival",
        "plan three.toml --runs 64",
        "coverage three.toml --runs 64",
        "replay three.toml",
    ] {
        let words: Vec<String> = line.split(' ').map(|word| word.replace('_', " ")).collect();
        let ran = place.words(&words.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(!ran.err.contains("panicked") && !ran.err.contains("error: "), "{ran:?}");
    }
}
