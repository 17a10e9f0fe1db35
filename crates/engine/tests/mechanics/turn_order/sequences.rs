//! Initiative, alternating activations, tests and priority.

use super::{ARMIES, DICE, ORDER, TEST, activation, bag_of, battle, chances, pack, rollers, rules_of, told, turn};

#[test]
fn the_higher_roll_has_the_first_half() {
    let plain = activation(DICE);
    let setup = battle(plain, &["team", "team"], &["team"], 2);
    assert_eq!(rollers(plain, &setup, 1, &[3, 4, 1, 1, 1]), [2, 0, 1]);
    assert_eq!(rollers(plain, &setup, 1, &[5, 4, 1, 1, 1]), [0, 1, 2]);
    // Two ties are rerolled, and the next turn has its own roll.
    assert_eq!(rollers(plain, &setup, 2, &[3, 3, 1, 1, 2, 6, 1, 1, 1, 6, 2, 1, 1, 1]), [2, 0, 1, 0, 1, 2]);
    let faces = [2, 2, 1, 1, 1];
    let named = |ties: &str| activation(&format!("{DICE}ties = '{ties}'\n"));
    assert_eq!(rollers(named("first"), &battle(named("first"), &["team", "team"], &["team"], 1), 1, &faces), [0, 1, 2]);
    assert_eq!(
        rollers(named("second"), &battle(named("second"), &["team", "team"], &["team"], 1), 1, &faces),
        [2, 0, 1]
    );
    // The first tie is rerolled; the second leaves the initiative with the same side.
    let keep = named("keep");
    let setup = battle(keep, &["team"], &["team"], 2);
    assert_eq!(rollers(keep, &setup, 2, &[4, 4, 1, 2, 1, 1, 5, 5, 1, 1]), [1, 0, 1, 0]);
    // Only the best unit of a side counts: a team adds 3, a squad adds nothing.
    let add = activation(&format!("{DICE}add = 'self.rank'\n"));
    let setup = battle(add, &["squad"], &["squad", "team"], 1);
    assert_eq!(rollers(add, &setup, 1, &[5, 3, 1, 1, 1]), [1, 2, 0]);
    assert_eq!(rollers(add, &setup, 1, &[5, 2, 5, 1, 1, 1, 1]), [0, 1, 2], "five and five: again");
}

#[test]
fn the_first_half_of_a_phase_belongs_to_who_has_the_initiative() {
    let rules = rules_of(&pack("half = 'first'", DICE));
    let setup = battle(rules, &["team"], &["team"], 2);
    assert_eq!(rollers(rules, &setup, 2, &[1, 2, 1, 2, 1, 1]), [1, 0]);
}

#[test]
fn sides_take_turns_until_one_has_no_units_left() {
    let one = activation("alternate = { cite = ['1'] }");
    let setup = battle(one, &["team", "team", "team"], &["team"], 1);
    assert_eq!(turn(one, &setup, &[1, 1, 1, 1]), [0, 3, 1, 2]);
    let two = activation("alternate = { units = 2, cite = ['1'] }");
    let setup = battle(two, &["team", "team", "team"], &["team", "team", "team"], 1);
    assert_eq!(turn(two, &setup, &[1; 6]), [0, 1, 3, 4, 2, 5]);
    let rolled = activation(&format!("alternate = {{ cite = ['1'] }}\n{DICE}"));
    let setup = battle(rolled, &["team", "team"], &["team"], 1);
    assert_eq!(turn(rolled, &setup, &[2, 5, 1, 1, 1]), [2, 0, 1]);
}

#[test]
fn a_unit_that_fails_does_not_act() {
    let plain = activation(&format!("{TEST}{ORDER}"));
    let setup = battle(plain, &["team", "team"], &["team"], 1);
    // The first team fails. The second passes and misses, and so does the enemy.
    assert_eq!(rollers(plain, &setup, 1, &[2, 3, 1, 3, 1]), [0, 1, 1, 2, 2]);
    let ends = activation(&format!("{TEST}failures = 1{ORDER}"));
    assert_eq!(rollers(ends, &battle(ends, &["team", "team"], &["team"], 1), 1, &[2, 3, 1]), [0, 2, 2]);
    // Each team may act twice in a row. The first acts twice; the second acts once and then fails. Then it is the
    // enemy's turn.
    let again = activation(&format!("{TEST}failures = 1\nagain = 1{ORDER}"));
    let setup = battle(again, &["team", "team", "team"], &["staff"], 1);
    assert_eq!(turn(again, &setup, &[3, 1, 3, 1, 3, 1, 2, 2]), [0, 0, 1, 1, 3]);
    // Only some units must roll.
    let some = activation(&format!("{TEST}when = 'self.rank == 3'{ORDER}"));
    let setup = battle(some, &["team", "squad"], &["team"], 1);
    assert_eq!(rollers(some, &setup, 1, &[1, 2, 1]), [1, 0, 2]);
    // A unit that need not roll acts once; a team may continue with another roll.
    let some = activation(&format!("{TEST}when = 'self.rank == 3'\nagain = 1{ORDER}"));
    let setup = battle(some, &["squad", "team"], &["squad"], 1);
    assert_eq!(rollers(some, &setup, 1, &[1, 3, 1, 3, 1, 1]), [0, 1, 1, 1, 1, 2]);
    // The unit whose chip is drawn takes a test.
    let drawn = rules_of(&pack("", &format!("{}{TEST}{ORDER}", bag_of(""))));
    let setup = battle(drawn, &["team"], &["team"], 1);
    assert_eq!(rollers(drawn, &setup, 1, &[2, 1, 6, 1]), [1, 0, 0]);
}

#[test]
fn a_test_may_have_other_results() {
    // A unit that fails the test loses a figure. A squad of one figure is then lost, and with it the battle.
    let order = ORDER.replace("{ id = 'hesitates' }", "{ id = 'hesitates', own = { lose = 1 } }");
    let rules = activation(&format!("{TEST}{order}"));
    let setup = battle(rules, &["squad"], &["squad"], 1);
    let chances = chances(rules, &setup);
    // The first squad fails (1/3), and the second wins. Or it passes and hits (1/3). Or it passes and misses (1/3), and
    // then the same applies to the second.
    let expected = [1.0 / 3.0 + 1.0 / 9.0, 1.0 / 3.0 + 1.0 / 9.0, 1.0 / 9.0];
    for (found, expected) in chances.into_iter().zip(expected) {
        assert!((found - expected).abs() < 1e-12, "{chances:?}");
    }
}

#[test]
fn victory_looks_after_an_activation_that_a_test_ended() {
    // A unit that fails is lost, and with it the battle, before the other side takes its test.
    let order = ORDER.replace("{ id = 'hesitates' }", "{ id = 'hesitates', own = { lose = 1 } }");
    let text = pack("", &format!("[activation]\ncite = ['2']\n{TEST}{order}"));
    let rules = rules_of(&text.replace("broken = 100", "broken = 100\nat = 'half'"));
    let setup = battle(rules, &["squad"], &["squad"], 1);
    assert_eq!(rollers(rules, &setup, 1, &[1]), [0]);
    let chances = chances(rules, &setup);
    let expected = [1.0 / 3.0 + 1.0 / 9.0, 1.0 / 3.0 + 1.0 / 9.0, 1.0 / 9.0];
    for (found, expected) in chances.into_iter().zip(expected) {
        assert!((found - expected).abs() < 1e-12, "{chances:?}");
    }
}

#[test]
fn the_greatest_value_goes_next() {
    let rules = activation("priority = { value = 'self.rank', cite = ['1'] }");
    let setup = battle(rules, &["squad", "staff"], &["team"], 1);
    assert_eq!(turn(rules, &setup, &[1, 1, 1]), [1, 2, 0]);
    // A coin decides which of the teams goes first; then only one team is left with that value.
    let setup = battle(rules, &["squad", "team"], &["team", "staff"], 1);
    assert_eq!(turn(rules, &setup, &[1, 2, 1, 1, 1]), [3, 2, 1, 0]);
    for (ties, order) in [("first", [0, 1]), ("second", [1, 0])] {
        let named = activation(&format!("priority = {{ value = 'self.rank', ties = '{ties}', cite = ['1'] }}"));
        assert_eq!(turn(named, &battle(named, &["team"], &["team"], 1), &[1, 1]), order);
    }
    let rolled =
        activation(&format!("priority = {{ value = 'self.rank', ties = 'initiative', cite = ['1'] }}\n{DICE}"));
    assert_eq!(turn(rolled, &battle(rolled, &["team"], &["team"], 1), &[2, 3, 1, 1]), [1, 0]);
    // The value is read again each time: a team that has lost a figure has a lower value than one that has not.
    let figures = activation("priority = { value = 'self.figures', ties = 'first', cite = ['1'] }");
    let setup = battle(figures, &["team", "squad"], &["team"], 1);
    assert_eq!(turn(figures, &setup, &[4, 1, 1]), [0, 1, 2]);
    assert_eq!(turn(figures, &setup, &[1, 1, 1]), [0, 2, 1]);
}

#[test]
fn equal_armies_have_equal_chances_in_every_fair_order() {
    let army = ["squad", "team", "squad"];
    for keys in [
        DICE.to_owned(),
        format!("{DICE}ties = 'keep'\nadd = 'self.rank'"),
        format!("alternate = {{ cite = ['1'] }}\n{DICE}"),
        format!("{TEST}failures = 1\nagain = 1\n{DICE}{ORDER}"),
        "priority = { value = 'self.rank', cite = ['1'] }".to_owned(),
    ] {
        let rules = rules_of(&pack(ARMIES, &format!("[activation]\ncite = ['2']\n{keys}\n")));
        let straight = chances(rules, &battle(rules, &army, &army, 2));
        assert!((straight[0] - straight[1]).abs() < 1e-12, "{keys}: {straight:?}");
        let turned = chances(rules, &battle(rules, &army, &["team", "squad", "squad"], 2));
        for (one, other) in straight.iter().zip(turned) {
            assert!((one - other).abs() < 1e-12, "{keys}: {straight:?} and {turned:?}");
        }
    }
}

#[test]
fn initiative_tests_and_values_are_narrated_and_cited() {
    let keys = format!("{TEST}failures = 1\n{DICE}add = 'self.rank'{ORDER}");
    let rules = activation(&keys);
    let story = told(rules, &battle(rules, &["squad"], &["team"], 1), &[6, 1, 2, 3, 1]);
    let expected = "\
Squad (first): 1 figure
Team (second): 2 figures
Turn 1
      The dice for the initiative show 6 1 (second adds 3): first goes first [1].
Turn 1, Squad (first)
    Squad (first): order, nearest enemy Team (second) [1].
      rolls d6 for 3 or more: 2, 0 successes: hesitates (otherwise).
      Squad (first) does not act [1].
Turn 1, Team (second)
    Team (second): order, nearest enemy Squad (first) [1].
      rolls d6 for 3 or more: 3, 1 success: obeys (hits > 0).
  Fire
    Team (second): fire, against Squad (first).
      rolls d6 for 4 or more: 1, 0 hits: misses (otherwise).
Nobody wins after turn 1, the last: first lost 0 of 1 figure, second lost 0 of 2 figures.";
    assert_eq!(story.join("\n"), expected);
    let rules = activation("priority = { value = 'self.rank', cite = ['1'] }");
    let story = told(rules, &battle(rules, &["squad"], &["team"], 1), &[1, 1]);
    assert_eq!(story[2..4], ["Turn 1, Team (second)", "      Team (second) has the highest value, 3 [1]."]);
}

/// The second team to act inflicts a loss on the only enemy, which then counts as lost, so the third does not act.
#[test]
fn a_side_may_be_beaten_within_a_turn_although_no_unit_breaks() {
    let text = pack("", "[activation]\ncite = ['2']\nalternate = { cite = ['1'] }\n");
    let rules = rules_of(&text.replace("broken = 100", "broken = 100\nlost = 'self.lost > 0'"));
    let setup = battle(rules, &["team"], &["team", "team"], 2);
    assert_eq!(turn(rules, &setup, &[1, 4]), [0, 1]);
    // Without that condition, the third team acts.
    let rules = rules_of(&text);
    let setup = battle(rules, &["team"], &["team", "team"], 2);
    assert_eq!(turn(rules, &setup, &[1, 4, 1]), [0, 1, 2]);
}
