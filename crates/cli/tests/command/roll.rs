//! `grognard roll`: what are the odds of dice?

use super::Place;

#[test]
fn a_formula_is_told_with_the_odds_of_every_total() {
    let place = Place::new();
    let ran = place.grognard("roll 4d6kh3").ends(0);
    for words in ["What are the odds of 4d6kh3?", "16 totals, exact", "mean 12.245", "7/432", "1.62 %", "█"] {
        assert!(ran.out.contains(words), "{words:?} not in {ran:?}");
    }
    let json = place.grognard("roll 2d6+1 --against 2d6 --json").ends(0).json();
    let totals = json["totals"].as_array().expect("totals");
    assert_eq!((totals.len(), &totals[0]["value"], &totals[0]["fraction"]), (11, &3.into(), &"1/36".into()));
    let share = |key: &str| json["against"][key]["p"].as_f64().expect("a chance");
    assert!((share("higher") + share("equal") + share("lower") - 1.0).abs() < 1e-12, "{json:#}");
    let exploding = place.grognard("roll 4d6!").ends(0);
    assert!(exploding.out.contains("explodes at most 20 times"), "{exploding:?}");
}

/// Three dice against two in Risk, as published many times: of 7,776 results, 2,890 cost the defender two armies, and
/// 2,275 the attacker.
#[test]
fn a_roll_of_a_pack_is_told_by_its_results() {
    let place = Place::new();
    let ran = place.grognard("roll risk assault --set dice=3 --set foe.dice=2").ends(0);
    for words in ["Risk: assault", "With dice 3 and foe.dice 2", "1445/3888", "2275/7776", "37.17 %", "enemy"] {
        assert!(ran.out.contains(words), "{words:?} not in {ran:?}");
    }
    let json = place.grognard("roll risk assault --set dice=1 --set foe.dice=2 --json").ends(0).json();
    let won = &json["results"][0];
    // One die beats the best of two in 55 of 216 cases.
    assert_eq!((&won["enemy_loses"], &won["fraction"]), (&1.into(), &"55/216".into()), "{json:#}");
}

/// A modifier changes the odds as arithmetic predicts: ten-sided dice that hit on 9 or 10, and on 7 or more with two
/// points.
#[test]
fn modifiers_are_switches() {
    let place = Place::new();
    let plain = place.grognard("roll napoleonic-figures fire --set dice=10 --json").ends(0).json();
    let near = |value: &serde_json::Value, wanted: f64| (value.as_f64().expect("a mean") - wanted).abs() < 1e-9;
    assert!(near(&plain["mean"], 2.0) && near(&plain["sd"], 1.6_f64.sqrt()), "{plain:#}");
    let modifiers = plain["modifiers"].as_array().expect("modifiers");
    let massed = modifiers.iter().find(|one| one["modifier"] == "massed-target").expect("the modifier");
    assert!(near(&massed["mean"], 4.0) && massed["changes"] == "+2 to the roll", "{massed:#}");
    let with = place.grognard("roll napoleonic-figures fire --set dice=10 --with massed-target --json").ends(0).json();
    assert!(near(&with["mean"], 4.0) && with["with"] == serde_json::json!(["massed-target"]), "{with:#}");
    // Dice of hex battles: a cap applies after additions to the base, and before additions to the dice.
    let most = |rest: &str| {
        let json = place.grognard(&format!("roll ancients-hex close --set dice=5 {rest} --json")).ends(0).json();
        json["totals"].as_array().and_then(|totals| totals.last()).and_then(|total| total["value"].as_i64())
    };
    assert_eq!([most(""), most("--with forest")], [Some(5), Some(2)]);
}

/// Four dice of the pack, which hit on 9 or 10 of ten, compared with four such dice written as a formula.
#[test]
fn a_roll_of_a_pack_stands_beside_other_dice() {
    let place = Place::new();
    let line = "roll napoleonic-figures fire --set dice=4 --against 4d10>=9";
    let json = place.grognard(&format!("{line} --json")).ends(0).json();
    let share = |key: &str| json["against"][key]["p"].as_f64().expect("a chance");
    // Both give k hits with probability 4!/(k! (4 - k)!) 0.2^k 0.8^(4 - k); the sum of the squares is the probability
    // of a tie.
    let ways = [0.8_f64.powi(4), 4.0 * 0.2 * 0.8_f64.powi(3), 6.0 * 0.04 * 0.64, 4.0 * 0.008 * 0.8, 0.2_f64.powi(4)];
    let equal: f64 = ways.iter().map(|ways| ways * ways).sum();
    assert!((share("equal") - equal).abs() < 1e-9, "{json:#}");
    assert!((share("higher") - share("lower")).abs() < 1e-9 && json["against"]["formula"] == "4d10>=9", "{json:#}");
    let told = place.grognard(line).ends(0);
    assert!(told.out.contains("Against 4d10>=9: higher"), "{told:?}");
}

#[test]
fn a_report_is_written_whole() {
    let place = Place::new();
    place.grognard("roll 5d6>=4 --out hits --quiet").ends(0);
    assert_eq!(
        place.list("hits"),
        ["index.html", "response.png", "response.svg", "roll.csv", "roll.json", "roll.md", "roll.pdf"]
    );
    let csv = String::from_utf8(place.read("hits/roll.csv")).expect("text");
    assert!(csv.starts_with("total,chance,or_more,fraction\n0,0.03125,1,1/32\n"), "{csv}");
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let place = Place::new();
    place.grognard("new mine --blank").ends(0);
    let units = "--set target=N, 2 to 12 (units have 8, such as company; 9, such as troop; 10, such as veterans)";
    place.grognard("roll mine nerve").ends(2).says(units);
    let by_attribute = place.grognard("roll mine nerve --set self.nerve=8").ends(0);
    assert_eq!(by_attribute.out, place.grognard("roll mine nerve --set target=8").ends(0).out);
    for (line, message, help) in [
        ("roll 3d", "the formula:1:3", "write d6, d20, d% or dF"),
        ("roll 4d6kh5", "5 of 4 dice cannot be kept or dropped", "no more dice"),
        ("roll 3d6 --against 3x6", "--against:1:2", "write one formula"),
        ("roll 1000d1000", "too many to compute", "fewer dice"),
        ("roll 2d6>=8", "the formula:1:1", "read the column `or more`"),
        ("roll 1+2d6=0", "none of its faces matches", "omit the comparison"),
        ("roll 2d6 --against 3d6>6", "--against:1:1", "omit the comparison"),
        ("roll risk", "no roll of risk is named", "name assault"),
        ("roll risk assalt", "there is no roll `assalt`", "assault"),
        ("roll riskk assault", "riskk", "risk"),
        ("roll risk assault --set dice", "is not a number", "NAME=NUMBER"),
        ("roll risk assault --set dice=9", "`dice` cannot be 9", "to 3"),
        ("roll risk assault --set dices=2", "there is no number `dices`", "dice"),
        ("roll risk assault", "needs `dice` and `foe.dice`, which a battle would supply", "--set dice=N, 0 to 3"),
        ("roll napoleonic-figures morale", "the roll `morale` needs `target`", "add --set target=N, 2 to 12"),
        ("roll risk assault --with luck", "there is no modifier `luck`", ""),
        ("roll risk assault --against 2x6", "--against:1:2", "write one formula"),
    ] {
        let ran = place.grognard(line).ends(2);
        assert!(ran.out.is_empty() && ran.err.contains(message) && ran.err.contains(help), "{line}: {ran:?}");
    }
}
