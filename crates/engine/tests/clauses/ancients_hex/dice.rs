//! Sections II.B to II.E: dice by attacker, defender and aspect. Each attack is rolled with exactly the given number of
//! dice, and the defender battles back with exactly the given number.

use grognard_rules::model::Rules;

use super::{Board, From, at, from, ground, misses, rules};

/// Checks an attack on the unit at (0, 0). The clause applies to the dice of the attack, but not to those of battling
/// back.
#[track_caller]
fn fought(clause: &str, attacker: &str, side: From, defender: &str, dice: usize, back: usize) {
    fought_under(rules(), clause, attacker, side, defender, dice, back);
}

/// The same, with this terrain under the defender.
#[track_caller]
fn fought_in(terrain: &str, clause: &str, attacker: &str, side: From, defender: &str, dice: usize, back: usize) {
    let rules = ground(&[&format!("hex.terrain.{terrain}.at=[\"0,0\"]")]);
    fought_under(rules, clause, attacker, side, defender, dice, back);
}

#[track_caller]
fn fought_under(
    rules: &'static Rules,
    clause: &str,
    attacker: &str,
    side: From,
    defender: &str,
    dice: usize,
    back: usize,
) {
    let mut board = Board::under(rules, ("still", &[from(attacker, side)]), ("still", &[at(defender, (0, 0), 1)]));
    let target = board.north(0);
    assert_eq!(
        board.targets(0).first().map(|target| target.1),
        Some(dice as i32),
        "{attacker} on {defender}: {side:?}"
    );
    board.attack(0, target, &misses(dice + back));
    assert_eq!(board.dice(), [dice, back], "{attacker} on {defender}: {side:?}");
    // Bonuses and penalties are those of attacks, not of battling back (A13).
    let modified = [0, 1].map(|roll| board.modified(roll).contains(&clause));
    assert_eq!(modified, [true, false], "{clause}: {attacker} on {defender}, {side:?}");
    board.saw(clause);
}

/// Mounted units have two dice fewer against the front of heavy, medium or auxilia foot.
#[test]
fn clause_ii_b_1_a() {
    fought("II.B.1.a", "heavy-cavalry", From::Front, "medium-infantry", 2, 4);
    fought("II.B.1.a", "medium-cavalry", From::Front, "heavy-infantry", 1, 5);
    // No dice are left, so it cannot declare an attack.
    let board = Board::new(&[from("light-cavalry", From::Front)], &[at("auxilia", (0, 0), 1)]);
    assert_eq!(board.targets(0), []);
    // On a hill, the penalty remains, and applies before the cap (A19).
    fought_in("hill", "II.B.1.a", "medium-cavalry", From::Front, "medium-infantry", 1, 3);
}

/// The penalty does not apply if that foot is in a forest or a river.
#[test]
fn clause_ii_b_1_a_x1() {
    fought_in("forest", "II.B.1.a-x1", "heavy-cavalry", From::Front, "medium-infantry", 2, 2);
    fought_in("ford", "II.B.1.a-x1", "heavy-cavalry", From::Front, "medium-infantry", 2, 2);
    fought_in("ford", "II.B.1.a-x1", "medium-cavalry", From::Front, "heavy-infantry", 2, 2);
}

/// Elephants keep their dice.
#[test]
fn clause_ii_b_1_a_x2() {
    fought("II.B.1.a-x2", "elephants", From::Front, "heavy-infantry", 5, 5);
    fought("II.B.1.a-x2", "elephants", From::Front, "medium-infantry", 4, 4);
}

/// Mounted units have normal dice against the front of other light foot.
#[test]
fn clause_ii_b_1_b() {
    fought("II.B.1.b", "heavy-cavalry", From::Front, "light-infantry", 4, 2);
    fought("II.B.1.b", "light-cavalry", From::Front, "light-bow", 2, 2);
    // The clause for elephants does not apply here, because they would lose no dice (II.B.1.a-x2).
    for foot in ["light-infantry", "light-bow", "light-slingers"] {
        let mut board = Board::new(&[from("elephants", From::Front)], &[at(foot, (0, 0), 1)]);
        let target = board.north(0);
        board.attack(0, target, &misses(4));
        assert!(board.seen.cited().contains("II.B.1.b") && !board.seen.cited().contains("II.B.1.a-x2"), "{foot}");
    }
}

/// Heavy or medium mounted units have two more dice against the flank or rear of foot, which no terrain limits (A18).
#[test]
fn clause_ii_b_2_a() {
    fought("II.B.2.a", "heavy-cavalry", From::Flank, "heavy-infantry", 6, 3);
    fought("II.B.2.a", "medium-cavalry", From::Rear, "light-infantry", 5, 1);
    fought("II.B.2.a", "elephants", From::Flank, "medium-infantry", 6, 2);
    for attacker in ["heavy-cavalry", "elephants"] {
        fought_in("forest", "II.B.2.a", attacker, From::Flank, "heavy-infantry", 2 + 2, 1);
    }
}

/// Light mounted units have one more die against the flank or rear of foot.
#[test]
fn clause_ii_b_2_b() {
    fought("II.B.2.b", "light-cavalry", From::Rear, "heavy-infantry", 3, 3);
    fought_in("forest", "II.B.2.b", "light-cavalry", From::Rear, "heavy-infantry", 2 + 1, 1);
}

/// Mounted units have normal dice against the front of mounted units. The dice of elephants depend on their target.
#[test]
fn clause_ii_c_1() {
    fought("II.C.1", "medium-cavalry", From::Front, "heavy-cavalry", 3, 4);
    fought("II.C.1", "elephants", From::Front, "heavy-cavalry", 4, 4);
}

/// Heavy or medium mounted units have two more dice against the flank or rear of mounted units.
#[test]
fn clause_ii_c_2_a() {
    fought("II.C.2.a", "medium-cavalry", From::Flank, "heavy-cavalry", 5, 2);
    fought("II.C.2.a", "heavy-cavalry", From::Rear, "light-cavalry", 6, 1);
    fought("II.C.2.a", "elephants", From::Rear, "heavy-cavalry", 4 + 2, 2);
    for attacker in ["heavy-cavalry", "elephants"] {
        fought_in("forest", "II.C.2.a", attacker, From::Flank, "heavy-cavalry", 2 + 2, 1);
    }
}

/// Light mounted units have normal dice against the flank or rear of mounted units.
#[test]
fn clause_ii_c_2_b() {
    fought("II.C.2.b", "light-cavalry", From::Flank, "heavy-cavalry", 2, 2);
}

/// Foot has normal dice against the front of foot.
#[test]
fn clause_ii_d_1() {
    fought("II.D.1", "heavy-infantry", From::Front, "medium-infantry", 5, 4);
}

/// Heavy, medium or auxilia foot has two more dice against the flank or rear of foot.
#[test]
fn clause_ii_d_2_a() {
    fought("II.D.2.a", "medium-infantry", From::Rear, "heavy-infantry", 6, 3);
    fought("II.D.2.a", "auxilia", From::Flank, "medium-infantry", 5, 2);
    fought_in("forest", "II.D.2.a", "auxilia", From::Flank, "medium-infantry", 2 + 2, 1);
}

/// Other light foot has one more die against the flank or rear of foot.
#[test]
fn clause_ii_d_2_b() {
    fought("II.D.2.b", "light-infantry", From::Flank, "heavy-infantry", 3, 3);
    fought_in("forest", "II.D.2.b", "light-infantry", From::Flank, "heavy-infantry", 2 + 1, 1);
}

/// Foot has normal dice against the front of mounted units.
#[test]
fn clause_ii_e_1() {
    fought("II.E.1", "medium-infantry", From::Front, "medium-cavalry", 4, 3);
}

/// Every kind of foot has one more die against the flank or rear of mounted units.
#[test]
fn clause_ii_e_2() {
    fought("II.E.2", "medium-infantry", From::Flank, "medium-cavalry", 5, 2);
    // Elephants battle back with the dice that foot has in the open, without its bonus: half of two.
    fought("II.E.2", "light-infantry", From::Rear, "elephants", 3, 1);
    fought_in("forest", "II.E.2", "medium-infantry", From::Flank, "medium-cavalry", 2 + 1, 1);
}

/// The complete derived table of the variant. The columns are the front of light foot, the front of other foot, the
/// flank of foot, and the front and the flank of mounted units.
#[test]
fn the_derived_table_is_met() {
    const NONE: i32 = 0;
    let table: [(&str, [i32; 5]); 13] = [
        ("light-infantry", [2, 2, 3, 2, 3]),
        ("light-slingers", [2, 2, 3, 2, 3]),
        ("auxilia", [3, 3, 5, 3, 4]),
        ("warriors", [4, 4, 6, 4, 5]),
        ("medium-infantry", [4, 4, 6, 4, 5]),
        ("heavy-infantry", [5, 5, 7, 5, 6]),
        ("light-cavalry", [2, NONE, 3, 2, 2]),
        ("light-bow-cavalry", [2, NONE, 3, 2, 2]),
        ("barbarian-chariot", [3, 1, 4, 3, 3]),
        ("medium-cavalry", [3, 1, 5, 3, 5]),
        ("camels", [3, 1, 5, 3, 5]),
        ("heavy-cavalry", [4, 2, 6, 4, 6]),
        ("heavy-chariot", [4, 2, 6, 4, 6]),
    ];
    let columns = [
        (From::Front, &["light-infantry", "light-bow", "light-slingers"][..]),
        (From::Front, &["auxilia", "warriors", "medium-infantry", "heavy-infantry"]),
        (From::Flank, &["light-infantry", "warriors", "heavy-infantry"]),
        (From::Front, &["light-cavalry", "heavy-cavalry", "camels"]),
        (From::Rear, &["light-cavalry", "heavy-chariot", "barbarian-chariot"]),
    ];
    for (attacker, dice) in table {
        for ((side, defenders), expected) in columns.iter().zip(dice) {
            for defender in *defenders {
                let board = Board::new(&[from(attacker, *side)], &[at(defender, (0, 0), 1)]);
                let found = board.targets(0).first().map_or(NONE, |target| target.1);
                assert_eq!(found, expected, "{attacker} on the {side:?} of {defender}");
            }
        }
    }
}

/// A roll that is computed outside a battle has as many dice as in one: two, minus two against the front, minus one in
/// a camp, plus the dice of Clash of Shields.
#[test]
fn the_roll_by_itself_has_the_dice_of_the_battle() {
    let camp = ground(&["hex.terrain.camp.at=[\"0,0\"]"]);
    let own = [at("light-cavalry", (0, 0), 1)];
    let board = Board::under(camp, ("still", &own), ("still", &[at("heavy-infantry", (0, -1), 4)]));
    let board = board.card("clash-of-shields");
    assert_eq!(board.targets(0), [(board.north(0), 1)]);
    let roll = board.rules.rolls.iter().find(|roll| roll.id == "close").expect("a roll of the pack");
    let numbers: Vec<i32> =
        roll.asked_numbers().iter().map(|number| if number.name == "dice" { 2 } else { number.nearest() }).collect();
    let inputs = roll.asked_inputs(&numbers, &|row| ["mounted-on-front", "camp", "clash"].contains(&row.name.as_str()));
    assert_eq!(inputs[0], 1);
}
