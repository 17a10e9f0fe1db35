//! Facts about a whole side, and rolls of a side whose result applies to all its units.

use grognard_dice::ScriptedDice;
use grognard_engine::{Flags, Narrator, Outcome, Side, deploy, fight};
use grognard_rules::compile;
use grognard_rules::model::{ByteId, MoraleId, Rules};
use grognard_source::{Document, Sources};

use super::one_roll::{SAMPLED, exact, sampled};
use crate::common::{Game, Men, agree, assert_one_fault, deployment, unit};

/// Units worth one and three points. A side that has lost half of its points rolls for all its remaining units.
const HOSTS: &str = r#"
pack = "hosts"
title = "Hosts"
version = "1"
board = "none"
arms = ["foot"]

[morale]
state = [{ id = "good" }, { id = "broken", broken = true }]

[attribute]
price = { title = "Its price.", min = 1, max = 3, default = 1 }
rank = { title = "Rank of its leader.", min = 0, max = 9, default = 0 }

[army]
count = "self.price"
best = "self.rank"
BEATEN
cite = ["1"]

[unit]
band = { title = "Band", arm = "foot", figures = 4, is = { rank = 5 } }
guard = { title = "Guard", arm = "foot", figures = 4, is = { price = 3, rank = 7 } }

[roll.army]
title = "army morale"
mechanic = "under"
own = { dice = "2d6" }
target = "army.best + enemy.lost"

[[roll.army.result]]
id = "holds"
when = "margin >= 0"

[[roll.army.result]]
id = "flees"
own = { morale = "broken" }
cite = ["2"]

[[phase]]
id = "army"
title = "Army morale"
mechanism = "army"
roll = "army"
when = "army.lost * 2 >= army.start"
by = "both"
half = "first"
simultaneous = true
cite = ["2"]

[doctrine.none]
title = "stands"
row = []

[victory]
broken = 100
cite = ["3"]

[[clause]]
id = "1"
text = "Points."

[[clause]]
id = "2"
text = "An army that has lost half tests."

[[clause]]
id = "3"
text = "An army that is gone has lost."
"#;

fn compiled(text: String) -> &'static Rules {
    let mut sources = Sources::new();
    let file = sources.add("hosts.toml", text);
    let rules = Document::parse(file, &sources).and_then(|document| compile(&document, &sources));
    Box::leak(Box::new(rules.unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)))))
}

fn rules() -> &'static Rules {
    compiled(HOSTS.replace("BEATEN", ""))
}

fn men(kinds: &[&str]) -> Vec<Men> {
    kinds.iter().map(|kind| unit(kind)).collect()
}

fn hosts(rules: &'static Rules, first: &[&str], second: &[&str]) -> Game {
    Game::under(rules, ("none", &men(first)), ("none", &men(second)))
}

fn lose(game: &mut Game, side: Side, number: usize) {
    let unit = game.unit_mut(side, number);
    (unit.figures, unit.flags) = (0, Flags::GONE);
}

fn broken(game: &Game, side: Side) -> Vec<bool> {
    game.battle.side(side).map(|id| game.battle.unit(id).broken(game.rules)).collect()
}

#[test]
fn a_side_rolls_once_and_all_its_units_suffer_it() {
    let army: &[&str] = &["guard", "band", "band", "band"];
    let mut game = hosts(rules(), army, army);
    game.phase("army", &[]);
    lose(&mut game, Side::First, 1);
    lose(&mut game, Side::First, 2);
    game.phase("army", &[]);
    assert_eq!(broken(&game, Side::First), [false, true, true, false], "two of six points");
    lose(&mut game, Side::First, 3);
    // The side has lost three of six points, and the guard leads it with a rank of 7.
    game.phase("army", &[3, 4]);
    assert_eq!(broken(&game, Side::First), [false, true, true, true]);
    game.phase("army", &[4, 4]);
    assert_eq!(broken(&game, Side::First), [true; 4]);
    assert_eq!(game.outcome.and_then(|outcome| outcome.winner), Some(Side::Second));
    game.saw("2");
    assert_eq!(broken(&game, Side::Second), [false; 4]);
    // Without the guard, a band leads with a rank of 5, and the enemy's losses help.
    let mut game = hosts(rules(), army, army);
    lose(&mut game, Side::First, 0);
    game.unit_mut(Side::Second, 0).morale = MoraleId::from_byte(1);
    game.phase("army", &[6, 2, 2, 6]);
    assert_eq!(
        (broken(&game, Side::First), broken(&game, Side::Second)),
        (vec![true, false, false, false], vec![true, false, false, false])
    );
    let mut game = hosts(rules(), army, army);
    lose(&mut game, Side::First, 0);
    game.unit_mut(Side::Second, 0).morale = MoraleId::from_byte(1);
    game.phase("army", &[6, 3, 6, 3]);
    assert_eq!((broken(&game, Side::First), broken(&game, Side::Second)), (vec![true; 4], vec![true; 4]));
    assert_eq!(game.outcome.map(|outcome| outcome.winner), Some(None));
}

#[test]
fn a_condition_beats_a_side() {
    let never = HOSTS.replace("army.lost * 2 >= army.start", "turn > 99");
    let rules = compiled(never.replace("BEATEN", "beaten = \"army.broken >= 3 && enemy.start == 6\""));
    let army: &[&str] = &["guard", "band", "band", "band"];
    let mut game = hosts(rules, army, army);
    lose(&mut game, Side::First, 0);
    for number in [1, 2] {
        game.unit_mut(Side::Second, number).morale = MoraleId::from_byte(1);
    }
    game.phase("army", &[]);
    assert_eq!(game.outcome, None, "what is gone is not broken, and two bands are two points");
    game.unit_mut(Side::Second, 3).morale = MoraleId::from_byte(1);
    game.phase("army", &[]);
    assert_eq!(game.outcome.and_then(|outcome| outcome.winner), Some(Side::First));
    let mut other = hosts(rules, army, &["guard"]);
    other.unit_mut(Side::First, 0).morale = MoraleId::from_byte(1);
    other.phase("army", &[]);
    assert_eq!(other.outcome, None, "the enemy has three points, not six");
}

#[test]
fn the_odds_are_those_of_the_dice_and_the_order_of_units_does_not_matter() {
    // The bands make up half of the points and start broken. The dice do not exceed the guard's 7 in 21 of 36 cases.
    for first in [["guard", "band", "band", "band"], ["band", "band", "guard", "band"]] {
        let men: Vec<Men> =
            first.map(|kind| if kind == "band" { unit(kind).morale("broken") } else { unit(kind) }).into();
        let mut plan = deployment(("none", &men), ("none", &men));
        plan.turns = 1;
        let setup = deploy(rules(), &plan).expect("two hosts");
        let key = |outcome: &Outcome| outcome.winner;
        // Each side's losses add three points to the other's target: the dice do not exceed 10 in 33 of 36 cases.
        let fled = 3.0 / 36.0;
        let expected = [(Some(Side::First), fled * (1.0 - fled)), (Some(Side::Second), fled * (1.0 - fled))];
        let exact = exact(rules(), &setup, key);
        let counts = sampled(rules(), &setup, SAMPLED, key);
        for (winner, chance) in expected {
            assert!((exact[&winner] - chance).abs() < 1e-12, "{exact:?}");
            agree(&format!("{first:?}, {winner:?}"), counts[&winner], SAMPLED, chance);
        }
    }
}

#[test]
fn a_side_is_told_of_by_its_name() {
    let men =
        [unit("guard"), unit("band").morale("broken"), unit("band").morale("broken"), unit("band").morale("broken")];
    let mut plan = deployment(("none", &men), ("none", &[unit("band")]));
    plan.turns = 1;
    let setup = deploy(rules(), &plan).expect("two hosts");
    let mut narrator = Narrator::new();
    fight(rules(), &setup, &mut ScriptedDice::new([4, 3]), &mut narrator);
    let told = narrator.lines().join("\n");
    assert!(told.contains("\n    first: army morale [2].\n      rolls 2d6: 4 3 = 7, target 7"), "{told}");
}

#[test]
fn faults_are_found_where_they_are() {
    let one = |text: &str, said: &[&str], place: &str| {
        let text = text.replace("BEATEN", "");
        assert_one_fault("hosts.toml", &text, said, place);
    };
    one(&HOSTS.replace("\"self.price\"", "\"self.figures\""), &["must not change", "self.start"], "count = ");
    one(&HOSTS.replace("\"self.price\"", "\"self.price - 2\""), &["can be -1 to 1", "from 0 to"], "count = ");
    one(&HOSTS.replace("BEATEN", "beaten = \"self.broken\""), &["reads a unit"], "beaten = ");
    one(&HOSTS.replace("BEATEN", "lost = \"army.lost > 3\""), &["army.lost"], "lost = ");
    one(&HOSTS.replace("army.best + enemy.lost", "self.rank"), &["`army` reads a unit"], "roll = \"army\"");
    one(&HOSTS.replace("army.lost * 2", "self.lost * 2"), &["this reads a unit"], "when = \"self.lost");
    one(&HOSTS.replace("own = { morale", "foe = { morale"), &["has no enemy", "write `own`"], "foe = { morale");
    let opposed = HOSTS
        .replace("\"under\"", "\"opposed\"")
        .replace("target = \"army.best + enemy.lost\"", "foe = { dice = \"2d6\" }");
    one(&opposed, &["a side rolls alone"], "roll = \"army\"");
}
