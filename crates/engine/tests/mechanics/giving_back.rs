//! Figures that results give back: healed wounds and rallied stragglers.

use std::collections::BTreeMap;

use grognard_dice::ScriptedDice;
use grognard_engine::{Narrator, Side, fight};
use grognard_rules::compile;
use grognard_rules::model::Rules;
use grognard_source::{Document, Sources};

use super::chances::{certain, die, many, then, weights};
use super::one_roll::{duel, hold};
use crate::common::{Game, unit};

/// A company loses a figure for each die of four or more; then a surgeon heals one for each die of five or more.
const WARD: &str = r#"
pack = "ward"
title = "Ward"
version = "1"
board = "none"
arms = ["foot"]

[morale]
state = [{ id = "good" }, { id = "broken", broken = true }]

[counter.rest]
max = 1
above = "stop"
effect = [{ id = "rested", title = "is rested", when = "self.rest == 1", own = { gain = 1 }, cite = ["1"] }]
cite = ["1"]

[unit.company]
title = "Company"
arm = "foot"
figures = 5

[roll.fever]
title = "fever"
mechanic = "pool"
own = { dice = "d6", count = 3, need = 4 }
result = [{ id = "ill", own = { lose = "hits" } }]
cite = ["1"]

[roll.surgeon]
title = "surgeon"
mechanic = "pool"
own = { dice = "d6", count = 2, need = 5 }
result = [{ id = "healed", OWN }]
cite = ["2"]

[[phase]]
id = "fever"
title = "Fever"
mechanism = "test"
roll = "fever"
half = "first"

[[phase]]
id = "surgeon"
title = "Surgeon"
mechanism = "test"
roll = "surgeon"
half = "first"

[doctrine.none]
title = "does nothing"
row = []

[victory]
broken = 100

[[clause]]
id = "1"
text = "Camps are unhealthy."

[[clause]]
id = "2"
text = "A surgeon heals a figure with each 5 or 6."
"#;

/// Compiles the pack with this effect of the surgeon and more lines. If it has faults, returns their text.
fn compiled(own: &str, more: &str) -> Result<&'static Rules, String> {
    let mut sources = Sources::new();
    let file = sources.add("ward.toml", WARD.replace("OWN", own) + more);
    let rules = Document::parse(file, &sources).and_then(|document| compile(&document, &sources));
    rules.map(|rules| &*Box::leak(Box::new(rules))).map_err(|faults| faults.render(&sources, false))
}

fn rules(own: &str, more: &str) -> &'static Rules {
    compiled(own, more).unwrap_or_else(|faults| panic!("{faults}"))
}

fn game(rules: &'static Rules, figures: u16) -> Game {
    Game::under(rules, ("none", &[unit("company").figures(figures)]), ("none", &[unit("company")]))
}

/// Three dice cost a figure each, then two dice heal one each, but no more than were lost.
#[test]
fn no_more_comes_back_than_was_lost() {
    let one = |from: u16| die(6, move |face| certain(u16::from(face >= from)));
    let left =
        then(&many(3, &one(4)), |&lost| then(&many(2, &one(5)), move |&back| certain(lost.saturating_sub(back))));
    let expected: BTreeMap<_, _> = weights(&left).into_iter().map(|(lost, weight)| ((lost, 0), weight)).collect();
    hold(rules("own = { gain = 'hits' }", ""), &unit("company"), &unit("company"), &expected);
    // A company that started with four never has five.
    let mut small = game(rules("own = { gain = 3 }", ""), 4);
    small.phase("fever", &[6, 1, 1]);
    assert_eq!(small.first().figures, 3);
    small.phase("surgeon", &[1, 1]);
    assert_eq!((small.first().figures, small.first().start), (4, 4));
}

#[test]
fn the_dead_stay_dead() {
    let mut game = game(rules("own = { gain = 2 }", ""), 2);
    game.phase("fever", &[4, 4, 1]);
    assert!(game.first().gone());
    // No unit is left to roll for.
    game.phase("surgeon", &[]);
    assert!(game.first().gone());
    // A result removes figures before it gives any back.
    let mut one = self::game(rules("own = { lose = 1, gain = 2 }", ""), 1);
    one.phase("surgeon", &[6, 6]);
    assert!(one.first().gone());
    let mut three = self::game(rules("own = { lose = 1, gain = 2 }", ""), 3);
    three.phase("surgeon", &[6, 6]);
    assert_eq!(three.first().figures, 3, "one lost, one back");
}

#[test]
fn reactions_and_counters_give_figures_back() {
    let stragglers = "[[reaction]]\nid = 'stragglers'\ntitle = 'rallies stragglers'\non = 'losses'\nown = { gain = 1 }\ncite = ['2']\n";
    let mut rallied = game(rules("own = { add = { rest = 1 } }", stragglers), 5);
    rallied.phase("fever", &[6, 6, 1]);
    assert_eq!(rallied.first().figures, 4, "two lost, one rallied");
    rallied.phase("surgeon", &[1, 1]);
    assert_eq!(rallied.first().figures, 5, "and one is rested");
    rallied.saw("2");
}

#[test]
fn what_comes_back_is_told() {
    let rules = rules("own = { gain = 'hits' }", "");
    let setup = duel(rules, &unit("company"), &unit("company"), 1);
    let mut narrator = Narrator::new();
    fight(rules, &setup, &mut ScriptedDice::new([4, 5, 1, 5, 1]), &mut narrator);
    let text = narrator.lines().join("\n");
    assert!(text.contains("Company (own) regains 1 figure and has 4."), "{text}");
}

/// Figures take up space: a company two ranks deep needs room when its front grows again.
#[test]
fn figures_that_come_back_take_up_ground() {
    let more = "
[formation.line]
title = 'line'
arms = ['foot']
layout = { ranks = 2 }
facing = 'front'
";
    let plane =
        "board = 'plane'\ntable = { width = 72, depth = 72 }\narc = { angle = 45 }\nmovement = { narrow = 1, gap = 1 }";
    let speed = "figures = 5\nwidth = 1\ndepth = 1\nformation = 'line'\nspeed = { line = 6 }";
    let text =
        WARD.replace("board = \"none\"", plane).replace("figures = 5", speed).replace("OWN", "own = { gain = 2 }")
            + more;
    let mut sources = Sources::new();
    let file = sources.add("ward.toml", text);
    let rules = Document::parse(file, &sources).and_then(|document| compile(&document, &sources));
    let rules: &'static Rules =
        Box::leak(Box::new(rules.unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)))));
    // After its loss, the first company is in two ranks of two. The friend on its left then moves to within an inch.
    // With one more figure, the front is three inches wide.
    let own = [unit("company").at(0.0, 0.0).facing(0.0), unit("company").at(-3.0, 0.0).facing(0.0).figures(4)];
    let mut game = Game::under(rules, ("none", &own), ("none", &[unit("company").at(0.0, 20.0).facing(180.0)]));
    let widths = |game: &Game| [0, 1].map(|number| game.ground(&game.nth(number)).width);
    let before = game.nth(1).front;
    assert_eq!(widths(&game), [300, 200]);
    game.phase("fever", &[4, 1, 1, 1, 1, 1]);
    assert_eq!(widths(&game), [200, 200]);
    game.unit_mut(Side::First, 1).front.x += 70;
    game.phase("surgeon", &[1, 1, 1, 1]);
    assert_eq!(widths(&game), [300, 200]);
    let grounds = [0, 1].map(|number| game.ground(&game.nth(number)));
    assert!(!grounds[0].overlaps(&grounds[1]), "{grounds:?}");
    assert_eq!(game.nth(1).front.x, before.x + 70, "the company that grows finds room");
}

#[test]
fn amounts_are_checked() {
    let refused = |own: &str, more: &str, told: &[&str]| {
        let faults = compiled(own, more).expect_err("a fault");
        assert!(told.iter().all(|part| faults.contains(part)), "{faults}");
    };
    refused("own = { gain = 300 }", "", &["300 cannot be given back", "give 0 to 255"]);
    refused("own = { gain = 'hits - 1' }", "", &["this can be -1", "it must lie between 0 and 255"]);
    let reaction = "[[reaction]]\nid = 'r'\ntitle = 'r'\non = 'losses'\nown = { gain = 'hits' }\n";
    refused("own = {}", reaction, &["whose totals a formula could read", "gain = 'hits'"]);
}
