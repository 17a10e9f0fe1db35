//! Losses and the reactions that they trigger: all units react to the same losses, regardless of their order in the
//! files.

use grognard_dice::SeededDice;
use grognard_engine::{Outcome, Unwitnessed, fight};
use grognard_rules::compile;
use grognard_rules::model::Rules;
use grognard_source::{Document, Sources};

use super::one_roll::duel;
use crate::common::unit;

/// Two companies of three. `clash`, which the first rolls against the second, has one result.
const COMPANIES: &str = r#"
pack = "companies"
title = "Companies"
version = "1"
board = "none"
arms = ["foot"]

[morale]
state = [{ id = "good" }, { id = "shaken", shaken = true }, { id = "routed", broken = true }]

[unit.company]
title = "Company"
arm = "foot"
figures = 3

[[phase]]
id = "clash"
title = "Clash"
mechanism = "exchange"
roll = "clash"
half = "first"

[roll.clash]
title = "clash"
mechanic = "pool"
own = { dice = "d6", need = 4 }
"#;

/// The outcome of a one-turn battle with this effect of `clash` and more lines.
fn fought(clash: &str, more: &str) -> Outcome {
    let victory = if more.contains("[victory]") { "" } else { "[victory]\nbroken = 100\n" };
    let text = format!("{COMPANIES}result = [{{ id = \"all\", {clash} }}]\n{more}\n{victory}");
    let mut sources = Sources::new();
    let file = sources.add("companies.toml", text);
    let rules: Rules = Document::parse(file, &sources)
        .and_then(|document| compile(&document, &sources))
        .unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)));
    let company = unit("company");
    fight(&rules, &duel(&rules, &company, &company, 1), &mut SeededDice::new(1815), &mut Unwitnessed)
}

/// A reaction to losses under a condition.
fn reaction(when: &str, effect: &str) -> String {
    format!("[[reaction]]\nid = \"answer\"\ntitle = \"answer\"\non = \"losses\"\nwhen = \"{when}\"\n{effect}\n")
}

fn losses(outcome: &Outcome) -> (u16, u16) {
    (outcome.sides.first.losses, outcome.sides.second.losses)
}

const BOTH: &str = "own = { lose = 1 }, foe = { lose = 1 }";

#[test]
fn all_answer_to_the_same_losses() {
    let more = fought(BOTH, &reaction("self.hits > foe.hits", "own = { destroy = true }"));
    assert_eq!(losses(&more), (1, 1), "nobody has lost more");
    let equal = fought(BOTH, &reaction("self.hits == foe.hits", "own = { destroy = true }"));
    assert_eq!((losses(&equal), equal.winner), ((3, 3), None), "both have lost as much");
}

#[test]
fn nobody_answers_to_another_answer() {
    let outcome = fought(BOTH, &reaction("!foe.shaken", "own = { morale = \"shaken\" }"));
    assert_eq!((outcome.sides.first.shaken_units, outcome.sides.second.shaken_units), (1, 1));
}

#[test]
fn figures_that_an_answer_costs_are_answered_for_once() {
    // The second company loses a figure and, in reaction, costs the first company a figure. The first reacts in turn
    // and costs the second another. The second has already reacted.
    let outcome = fought("foe = { lose = 1 }", &reaction("self.hits > 0", "foe = { lose = 1 }"));
    assert_eq!(losses(&outcome), (1, 2));
}

#[test]
fn a_loss_of_its_own_making_has_no_foe() {
    // The enemy costs the first a figure and routs. The unit then loses the next figure by its own roll, so no enemy
    // caused that loss.
    let attrition = "[[phase]]\nid = \"attrition\"\ntitle = \"Attrition\"\nmechanism = \"test\"\nroll = \"fever\"\nhalf = \"first\"\n\
        [roll.fever]\ntitle = \"fever\"\nmechanic = \"pool\"\nown = { dice = \"d6\", need = 4 }\n\
        result = [{ id = \"all\", own = { lose = 1 } }]\n\
        [victory]\nbroken = 100\nlost = \"self.figures == 0\"\n";
    let clash = "own = { lose = 1 }, foe = { morale = \"routed\" }";
    for (when, lost) in [("foe.figures > 0", 2), ("foe.figures == 0", 3)] {
        let when = format!("phase == 'attrition' && {when}");
        let outcome = fought(clash, &(reaction(&when, "own = { destroy = true }") + attrition));
        assert_eq!(losses(&outcome), (lost, 0), "{when}");
    }
}

#[test]
fn destroyed_figures_are_lost_figures() {
    let outcome = fought("foe = { destroy = true }", "");
    assert_eq!((losses(&outcome), outcome.sides.second.routed_units), ((0, 3), 1));
}
