//! `grognard best`: what is a battle worth between perfect players?

use serde_json::Value as Json;

use super::Place;

/// Heavy cavalry in front of a square, with beginners' doctrines, which charge it.
const SQUARE: &str =
    "best square-vs-line --cell 18 --quiet --set attacker.doctrine=charge-home --set defender.doctrine=stand";

fn value(cell: &Json, players: &str) -> (f64, f64) {
    let of = |key: &str| cell["values"][players][key].as_f64().expect("a number");
    (of("low"), of("high"))
}

#[test]
fn values_and_what_doctrines_give_away_are_printed() {
    let place = Place::new();
    let ran = place.grognard(SQUARE).ends(0);
    for words in [
        "What is the value of attacker score between perfect players?",
        "1 cell, exact,",
        "if both sides follow their doctrines and 50.0 % if both play perfectly",
        "Against the other side's doctrine, best play gains",
        "and nothing for defender.",
        "default/default  best/default  default/best  best/best",
        "What the rows of the doctrines give away, in percentage points:",
        "charge-home",
        "Never the best choice between experts: charge (attacker, charge).",
    ] {
        assert!(ran.out.contains(words), "{words:?} not in {ran:?}");
    }
}

#[test]
fn json_csv_and_report_have_the_same_numbers_whatever_the_threads() {
    let place = Place::new();
    let two = format!("{SQUARE} --cell 20");
    let one = place.grognard(&format!("{two} --json --threads 1 --out experts")).ends(0);
    assert_eq!(one.out, place.grognard(&format!("{two} --json --threads 3")).ends(0).out);
    let json = one.json();
    let cells = json["cells"].as_array().expect("cells");
    assert_eq!(cells.len(), 2);
    for cell in cells {
        assert_eq!(cell["exact"], true);
        assert_eq!(cell["vary"]["defender.0.formation"], "square");
        let [default, first, second, both] =
            ["default/default", "best/default", "default/best", "best/best"].map(|players| value(cell, players));
        for (low, high) in [default, first, second, both] {
            assert!(low == high, "{cell:#}");
        }
        assert!(first.0 > default.0 && second.0 <= default.0 && both.0 <= first.0 && both.0 >= second.0, "{cell:#}");
        for side in ["attacker", "defender"] {
            let rows = cell["rows"].as_array().expect("rows").iter().filter(|row| row["side"] == side);
            let lost: f64 = rows.map(|row| row["lost"].as_f64().expect("a number")).sum();
            let gained = cell["skill_gap"][side]["mean"].as_f64().expect("a number");
            assert!((lost - gained).abs() < 1e-9, "{side}: {lost}, {gained}");
            let other = if side == "attacker" { "defender" } else { "attacker" };
            assert_eq!(cell["exploitability"][other], cell["skill_gap"][side], "{cell:#}");
        }
        let charge = |option: &&Json| option["option"] == "charge" && option["side"] == "attacker";
        let charge = cell["options"].as_array().expect("options").iter().find(charge).expect("it may charge");
        assert_eq!(charge["dominated"], true, "{charge:#}");
    }
    assert_eq!(
        place.list("experts"),
        ["best.csv", "best.json", "best.md", "best.pdf", "given-away.png", "given-away.svg", "index.html"]
    );
    let csv = String::from_utf8(place.read("experts/best.csv")).expect("text");
    assert_eq!(csv.lines().count(), 1 + 2 * 4, "{csv}");
}

#[test]
fn what_does_not_fit_is_a_bracket_around_the_value() {
    let place = Place::new();
    let exact = place.grognard(&format!("{SQUARE} --json")).ends(0).json();
    let cut = place.grognard(&format!("{SQUARE} --json --max-memory 200K")).ends(0).json();
    assert_eq!(cut["cells"][0]["exact"], false);
    for players in ["default/default", "best/default", "default/best", "best/best"] {
        let ((value, _), (low, high)) = (value(&exact["cells"][0], players), value(&cut["cells"][0], players));
        assert!(low <= value && value <= high && low < high, "{players}: {value} not in {low} to {high}");
    }
    let said = place.grognard(&format!("{SQUARE} --max-memory 200K")).ends(0);
    assert!(said.out.contains("1 cell could not be enumerated completely"), "{said:?}");
}

#[test]
fn a_side_plays_for_what_belongs_to_it() {
    let place = Place::new();
    let losses = place.grognard(&format!("{SQUARE} --json --metric attacker.losses")).ends(0).json();
    let cell = &losses["cells"][0];
    // The attacker loses least if it plays best, and most if the defender does.
    let [default, first, second] =
        ["default/default", "best/default", "default/best"].map(|players| value(cell, players).0);
    assert!(first < default && default <= second, "{cell:#}");
}

#[test]
fn a_rule_is_worth_something_to_beginners_and_to_experts() {
    let place = Place::new();
    let rule = "roll.shock.modifier.square-against-cavalry";
    let json = place.grognard(&format!("{SQUARE} --json --without {rule}")).ends(0).json();
    assert_eq!(json["without"], rule);
    let cell = &json["cells"][0];
    let without = |players: &str| cell["without"][players]["p"].as_f64().expect("a number");
    // A square that is no better than a line is worth charging.
    assert!(without("default/default") > value(cell, "default/default").0 + 0.05, "{cell:#}");
    assert!(without("best/best") > value(cell, "best/best").0 + 0.05, "{cell:#}");
}

#[test]
fn wrong_words_are_refused_with_what_to_write() {
    let place = Place::new();
    for (words, message, help) in [
        (
            "best refduel --metric turns",
            "`turns` is not a metric that either side tries to raise or lower",
            "a side's score or wins",
        ),
        // A battle without a rout has no rout turn.
        (
            "best square-vs-line --metric attacker.rout_turn",
            "there is no metric `attacker.rout_turn`",
            "attacker.routed",
        ),
        ("best refduel --metric courage", "there is no metric `courage`", "a score"),
        ("best refduel --cell 9", "there is no cell 9", "0 to 3"),
        ("best refduel --without roll.nervous", "there is no rule `roll.nervous`", "roll.nerve"),
    ] {
        let ran = place.grognard(words).ends(2);
        assert!(ran.err.contains(message) && ran.err.contains(help), "{words}: {ran:?}");
    }
}

#[test]
fn mirrored_sides_are_even_between_experts() {
    let place = Place::new();
    let side = "doctrine = 'charge-home'\nunits = [{ type = 'line-battalion', formation = 'line' }]";
    place.write(
        "mirror.toml",
        format!(
            "study = 'mirror'\npack = 'napoleonic-figures'\nturns = 2\ndistance = 6\nboth-ways = true\n[side.red]\n{side}\n[side.blue]\n{side}\n"
        ),
    );
    let json = place.grognard("best mirror.toml --json --quiet").ends(0).json();
    let cell = &json["cells"][0];
    for players in ["default/default", "best/best"] {
        let (low, high) = value(cell, players);
        assert!((low - 0.5).abs() < 1e-9 && low == high, "{players}: {cell:#}");
    }
    let gained = |side: &str| cell["skill_gap"][side]["mean"].as_f64().expect("a number");
    assert!((gained("red") - gained("blue")).abs() < 1e-9, "{cell:#}");
    let lost = |side: &str| -> f64 {
        let rows = cell["rows"].as_array().expect("rows").iter().filter(|row| row["side"] == side);
        rows.map(|row| row["lost"].as_f64().expect("a number")).sum()
    };
    assert!((lost("red") - gained("red")).abs() < 1e-9 && (lost("blue") - gained("blue")).abs() < 1e-9, "{cell:#}");
}

#[test]
fn a_bracket_that_is_narrow_enough_is_not_walked_any_further() {
    let place = Place::new();
    // A line charged in the flank is lost, so best play gains the attacker almost nothing.
    let flank = "best square-vs-line --cell 1 --quiet --set attacker.doctrine=charge-home --set defender.doctrine=stand \
                 --set turns=3";
    let exact = place.grognard(&format!("{flank} --json")).ends(0).json();
    let near = place.grognard(&format!("{flank} --json --precision 0.5%")).ends(0).json();
    assert_eq!(near["cells"][0]["exact"], false);
    assert!(near["cells"][0]["states"].as_u64() < exact["cells"][0]["states"].as_u64(), "{near:#}");
    for players in ["default/default", "best/default", "default/best", "best/best"] {
        let ((value, _), (low, high)) = (value(&exact["cells"][0], players), value(&near["cells"][0], players));
        assert!(low <= value && value <= high && high - low <= 0.01, "{players}: {value} in {low} to {high}");
    }
    let said = place.grognard(&format!("{flank} --precision 0.5%")).ends(0);
    assert!(said.out.contains("1 cell did not need a complete enumeration"), "{said:?}");
    // Only the defender's reply was enumerated completely: what its rows give away is known, and is almost nothing.
    assert!(!said.out.contains("NaN") && !said.out.contains("give away"), "{said:?}");
    assert!(near["command"].as_str().is_some_and(|line| line.ends_with("--set turns=3 --precision 0.005")), "{near:#}");
}

/// Best play in words is a doctrine of the pack, and is worth what the command reports.
#[test]
fn best_play_in_words_is_a_doctrine_worth_what_is_said() {
    let place = Place::new();
    place.grognard("packs export napoleonic-figures pack").ends(0);
    let of = |doctrine: &str| {
        place.write(
            "square.toml",
            format!(
                "study = 'square'\npack = 'pack'\nturns = 3\n[side.horse]\ndoctrine = '{doctrine}'\n\
                units = [{{ type = 'heavy-cavalry', at = [0, 16], facing = 'enemy' }}]\n[side.foot]\ndoctrine = 'stand'\n\
                units = [{{ type = 'line-battalion', formation = 'square', at = [0, 0], facing = 'enemy' }}]\n"
            ),
        );
    };
    of("charge-home");
    let ran = place.grognard("best square.toml --words horse --quiet --write words.toml --json").ends(0);
    let words = &ran.json()["words"];
    let number = |key: &str| words[key].as_f64().expect("a number");
    assert_eq!(words["side"], "horse");
    assert!(number("value") > number("before") + 0.01 && number("lost") < 0.01, "{words:#}");
    let written = String::from_utf8(place.read("words.toml")).expect("text");
    assert_eq!(words["doctrine"], written);
    assert!(written.starts_with("# A description of best play by the horse in the study square: "), "{written}");
    let ran = place.grognard("best square.toml --words horse --write words.toml").ends(2);
    assert!(ran.err.contains("words.toml already exists"), "{ran:?}");
    let ran = place.grognard("best square.toml --words hors --quiet").ends(2);
    assert!(ran.err.contains("did you mean `horse`?"), "{ran:?}");
    let ran = place.grognard("best square.toml --words horse --max-memory 50000 --quiet").ends(1);
    assert!(ran.err.contains("cannot be described") && ran.err.contains("--max-memory"), "{ran:?}");
    assert!(ran.out.contains("best/best"), "the values are shown all the same: {ran:?}");
    place.grognard("best square.toml --words horse --precision 0.5%").ends(2).says("cannot be used with");

    let doctrines = String::from_utf8(place.read("pack/doctrine.toml")).expect("text");
    place.write("pack/doctrine.toml", doctrines + "\n" + &written);
    of("charge-home-best");
    let json = place.grognard("best square.toml --json --quiet").ends(0).json();
    let (low, high) = value(&json["cells"][0], "default/best");
    assert!((low - number("value")).abs() < 1e-9 && low == high, "{low} to {high}, said to be {}", number("value"));
}

/// In the game solved by hand, the horse charges if it may use the orders of another doctrine, or those that the pack
/// declares.
#[test]
fn a_wider_repertoire_is_worth_something() {
    let place = Place::new();
    let pack = include_str!("../../../exact/tests/packs/charge-or-wait/pack.toml");
    let more = "[doctrine.idle]\ntitle = 'idle'\nrow = []\n[choice.charge]\nphase = 'choose'\n\
        who = \"self.arm == 'horse'\"\noptions = [{ do = 'form', formation = 'charging' }]\n";
    place.write("field/pack.toml", format!("{pack}\n{more}"));
    place.write(
        "horse.toml",
        "study = 'horse'\npack = 'field'\nturns = 3\n[side.horse]\ndoctrine = 'idle'\nunits = [{ type = 'horse' }]\n\
        [side.foot]\ndoctrine = 'foot'\nunits = [{ type = 'foot' }]\n",
    );
    let of = |width: &str| {
        let json = place.grognard(&format!("best horse.toml --json --quiet{width}")).ends(0).json();
        assert_eq!(value(&json["cells"][0], "default/default"), (0.0, 0.0));
        (value(&json["cells"][0], "best/best").0, json["cells"][0]["options"][0]["option"].clone())
    };
    assert_eq!(of("").0, 0.0);
    for (width, option, said) in [
        ("pack", "charge of as-late-as-it-can", "any doctrine of the pack contains (repertoire pack)"),
        ("declared", "charge: form charging", "or the pack declares as choices (repertoire declared)"),
    ] {
        let (best, offered) = of(&format!(" --repertoire {width}"));
        assert!((best - 7.0 / 9.0).abs() < 1e-9, "{width}: {best}");
        assert_eq!(offered, option);
        let told = place.grognard(&format!("best horse.toml --quiet --repertoire {width}")).ends(0).out;
        assert!(told.split_whitespace().collect::<Vec<_>>().join(" ").contains(said), "{told}");
    }
    assert_eq!(of(" --set repertoire=pack"), of(" --repertoire pack"));
    let ran = place.grognard("best refduel --repertoire declared").ends(2);
    assert!(ran.err.contains("the pack declares no choices"), "{ran:?}");
    let ran = place.grognard("best refduel --repertoire all").ends(2);
    assert!(ran.err.contains("own, pack, declared"), "{ran:?}");
}

/// The orders that `napoleonic-figures` declares let light cavalry send out a screen (9.30-G1), but not heavy cavalry.
#[test]
fn declared_choices_let_cavalry_screen_as_the_clauses_do() {
    let place = Place::new();
    let screens = |horse: &str| {
        place.write(
            "screens.toml",
            format!(
                "study = 'screens'\npack = 'napoleonic-figures'\nturns = 1\ndistance = 16\n[side.horse]\ndoctrine = 'charge-home'\n\
                units = [{{ type = '{horse}', formation = 'line' }}]\n[side.foot]\ndoctrine = 'stand'\n\
                units = [{{ type = 'line-battalion', formation = 'line' }}]\n"
            ),
        );
        let json = place.grognard("best screens.toml --repertoire declared --json --quiet").ends(0).json();
        let options = json["cells"][0]["options"].as_array().expect("options");
        let of_horse = options.iter().filter(|option| option["side"] == "horse");
        of_horse.filter(|option| option["option"].as_str().is_some_and(|name| name.starts_with("screens: "))).count()
    };
    assert!(screens("light-cavalry") > 0);
    assert_eq!(screens("heavy-cavalry"), 0);
}

/// Writes a study of the game solved by hand, with a horse whose best play may use the orders of another doctrine.
fn horse(place: &Place, doctrines: &str, follows: &str) {
    let pack = include_str!("../../../exact/tests/packs/charge-or-wait/pack.toml");
    place.write("field/pack.toml", format!("{pack}\n{doctrines}"));
    place.write(
        "horse.toml",
        format!(
            "study = 'horse'\npack = 'field'\nturns = 3\n[side.horse]\ndoctrine = '{follows}'\nunits = [{{ type = 'horse' }}]\n\
            [side.foot]\ndoctrine = 'foot'\nunits = [{{ type = 'foot' }}]\n"
        ),
    );
}

/// The horse's doctrine gives no orders. Its best play uses the orders of a horse that charges at once, and charges
/// when it should. Its description in words begins with that doctrine, which is worth 1/2.
#[test]
fn best_play_may_have_the_orders_of_another_doctrine() {
    let place = Place::new();
    horse(&place, "[doctrine.idle]\ntitle = 'idle'\nrow = []\nplayers = { best = 'at-once' }\n", "idle");
    let json = place.grognard("best horse.toml --json --quiet --words horse").ends(0).json();
    let cell = &json["cells"][0];
    assert_eq!(value(cell, "default/default"), (0.0, 0.0));
    for players in ["best/default", "best/best"] {
        assert!((value(cell, players).0 - 7.0 / 9.0).abs() < 1e-9, "{players}: {cell:#}");
    }
    assert_eq!((&cell["orders_of"]["horse"], &cell["orders_of"]["foot"]), (&Json::from("at-once"), &Json::Null));
    assert_eq!(cell["options"][0]["doctrine"], "at-once");
    // The rows give away what best play gains over them, which is less than its gain over a doctrine without orders.
    let lost: f64 = cell["rows"].as_array().expect("rows").iter().filter_map(|row| row["lost"].as_f64()).sum();
    assert!((lost - (7.0 / 9.0 - 0.5)).abs() < 1e-9, "{cell:#}");
    // The foot concedes what these orders gain.
    let conceded = |end: &str| cell["exploitability"]["foot"][end].as_f64().expect("a number");
    assert!(["low", "high"].into_iter().all(|end| (conceded(end) - 7.0 / 9.0).abs() < 1e-9), "{cell:#}");
    assert_eq!(cell["follows_doctrine"], Json::Null);
    assert_eq!(cell["exploitability"]["horse"]["high"], 0.0);
    let words = &json["words"];
    assert!((words["before"].as_f64().expect("a number") - 0.5).abs() < 1e-9, "{words:#}");
    assert!((words["value"].as_f64().expect("a number") - 7.0 / 9.0).abs() < 1e-9, "{words:#}");
    assert!(words["doctrine"].as_str().is_some_and(|toml| toml.contains("[doctrine.at-once-best]")), "{words:#}");
    let said = place.grognard("best horse.toml --quiet").ends(0).out;
    let flat = said.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in [
        "Best play for the horse uses the orders of at-once, not those of its doctrine. It may be worth less than \
         the doctrine, but here it is not.",
        "best: perfect play with these orders: for the horse those of at-once, for the foot those that the doctrine contains.",
        "Rows of the horse: those of at-once, in the battles where it follows them.",
    ] {
        assert!(flat.contains(words), "{words:?} not in {said}");
    }
    // With the description in the pack, the next one has another name: tables with the same name would be merged.
    place.write("field/best.toml", words["doctrine"].as_str().expect("TOML"));
    let json = place.grognard("best horse.toml --json --quiet --words horse").ends(0).json();
    assert!(
        json["words"]["doctrine"].as_str().is_some_and(|toml| toml.contains("[doctrine.at-once-best-2]")),
        "{json:#}"
    );
}

/// The trained defender's best play uses the beginners' orders. In square, these alone concede more than its doctrine,
/// so it follows the doctrine instead. A perfect player never scores less than the doctrine, no matter who plays the
/// other side.
#[test]
fn best_play_is_never_worse_than_a_doctrine_that_names_other_orders() {
    let place = Place::new();
    let json = place.grognard("best square-vs-line --cell 0 --cell 18 --set turns=3 --json --quiet").ends(0).json();
    for cell in json["cells"].as_array().expect("cells") {
        assert_eq!(cell["orders_of"]["defender"], "stand");
        let [default, first, second, both] =
            ["default/default", "best/default", "default/best", "best/best"].map(|players| value(cell, players).0);
        assert!(second <= default && default <= first && second <= both && both <= first, "{cell:#}");
        for (side, gain) in [("attacker", default - second), ("defender", first - default)] {
            let conceded = cell["exploitability"][side]["high"].as_f64().expect("a number");
            assert!((conceded - gain).abs() < 1e-9, "{side}: {cell:#}");
        }
    }
    let square = &json["cells"][1];
    assert_eq!(square["follows_doctrine"], "defender");
    assert!(square["both_alone"]["low"].as_f64() > square["values"]["best/best"]["high"].as_f64(), "{square:#}");
}

/// A horse that can only wait is worth less than one that charges as late as it can, however well it is played. In that
/// case a perfect player follows the doctrine, and the command says so.
#[test]
fn best_play_that_is_worse_than_the_doctrine_is_said_to_be() {
    let place = Place::new();
    let lazy = "[doctrine.lazy]\ntitle = 'lazy'\nrow = [{ id = 'wait', phase = 'choose', do = 'form', formation = 'waiting' }]\n\
        [doctrine.late]\ntitle = 'late'\nplayers = { best = 'lazy' }\n\
        row = [{ id = 'charge', phase = 'choose', when = 'turn == 3 || self.figures == 1', do = 'form', formation = 'charging' }]\n";
    horse(&place, lazy, "late");
    let cell = &place.grognard("best horse.toml --json --quiet").ends(0).json()["cells"][0];
    let late = value(cell, "default/default");
    assert!((late.0 - 7.0 / 9.0).abs() < 1e-9 && late.0 == late.1, "{cell:#}");
    assert_eq!((value(cell, "best/default"), value(cell, "best/best")), (late, late), "{cell:#}");
    assert_eq!(
        (&cell["follows_doctrine"], &cell["both_alone"]["high"]),
        (&Json::from("horse"), &Json::from(0.0)),
        "{cell:#}"
    );
    assert_eq!(cell["exact"], true);
    assert_eq!(cell["skill_gap"]["horse"]["high"], 0.0);
    let alone = cell["skill_gap_alone"]["horse"]["low"].as_f64().expect("a number");
    assert!((alone + 7.0 / 9.0).abs() < 1e-9, "{cell:#}");
    let said = place.grognard("best horse.toml --quiet").ends(0).out;
    let flat = said.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in [
        "Against the other side's doctrine, best play gains nothing for either side.",
        "Best play for the horse uses the orders of lazy, not those of its doctrine. It is worth 77.8 points less \
         than the doctrine, whose \
         value is used instead.",
        "and 77.8 % if both play as well as the orders named below allow.",
        "best/best: the horse chooses its doctrine: without this choice, the value would be 0.0 %.",
    ] {
        assert!(flat.contains(words), "{words:?} not in {said}");
    }
    // With all orders of the pack, the horse also has those of its own doctrine.
    let wide = place.grognard("best horse.toml --json --quiet --repertoire pack").ends(0).json();
    assert!((value(&wide["cells"][0], "best/best").0 - 7.0 / 9.0).abs() < 1e-9, "{wide:#}");
    assert_eq!(wide["cells"][0]["orders_of"]["horse"], Json::Null);
}

#[test]
fn a_battle_in_which_nothing_is_chosen_is_called_one() {
    let place = Place::new();
    place.grognard("new mine --blank").ends(0);
    let ran = place.grognard("best mine --cell 0 --quiet").ends(0);
    assert!(ran.out.contains("Neither side ever has a choice"), "{ran:?}");
}
