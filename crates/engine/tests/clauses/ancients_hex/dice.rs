//! Sections II.B to II.E: dice by attacker, defender and aspect. Each attack is rolled with exactly so many dice, and answered
//! with as many as the defender may battle back with.

use grognard_rules::model::Rules;

use super::{Board, From, at, from, ground, misses, rules};

/// An attack on the unit at (0, 0) with so many dice and so many back.
#[track_caller]
fn fought(attacker: &str, side: From, defender: &str, dice: usize, back: usize) -> Board {
    fought_under(rules(), attacker, side, defender, dice, back)
}

#[track_caller]
fn fought_under(rules: &'static Rules, attacker: &str, side: From, defender: &str, dice: usize, back: usize) -> Board {
    let mut board = Board::under(rules, ("still", &[from(attacker, side)]), ("still", &[at(defender, (0, 0), 1)]));
    let target = board.north(0);
    assert_eq!(
        board.targets(0).first().map(|target| target.1),
        Some(dice as i32),
        "{attacker} on {defender}: {side:?}"
    );
    board.attack(0, target, &misses(dice + back));
    board
}

/// Mounted on the front of heavy, medium or auxilia foot: two dice fewer.
#[test]
fn clause_ii_b_1_a() {
    fought("heavy-cavalry", From::Front, "medium-infantry", 2, 4).saw("II.B.1.a");
    fought("medium-cavalry", From::Front, "heavy-infantry", 1, 5).saw("II.B.1.a");
    // No dice are left: there is no attack to declare.
    let board = Board::new(&[from("light-cavalry", From::Front)], &[at("auxilia", (0, 0), 1)]);
    assert_eq!(board.targets(0), []);
}

/// Not where that foot stands in forest or river.
#[test]
fn clause_ii_b_1_a_x1() {
    let forest = ground(&["hex.terrain.forest.at=[\"0,0\"]"]);
    fought_under(forest, "heavy-cavalry", From::Front, "medium-infantry", 2, 2).saw("II.B.1.a-x1");
    let ford = ground(&["hex.terrain.ford.at=[\"0,0\"]"]);
    fought_under(ford, "heavy-cavalry", From::Front, "medium-infantry", 2, 2).saw("II.B.1.a-x1");
    // On a hill it stays, before the cap.
    let hill = ground(&["hex.terrain.hill.at=[\"0,0\"]"]);
    fought_under(hill, "medium-cavalry", From::Front, "medium-infantry", 1, 3).saw("II.B.1.a");
}

/// Elephants keep their dice.
#[test]
fn clause_ii_b_1_a_x2() {
    fought("elephants", From::Front, "heavy-infantry", 5, 5).saw("II.B.1.a-x2");
    fought("elephants", From::Front, "medium-infantry", 4, 4).saw("II.B.1.a-x2");
}

/// On the front of the other light foot: normal dice.
#[test]
fn clause_ii_b_1_b() {
    fought("heavy-cavalry", From::Front, "light-infantry", 4, 2).saw("II.B.1.b");
    fought("light-cavalry", From::Front, "light-bow", 2, 2).saw("II.B.1.b");
}

/// Heavy or medium mounted on flank or rear of foot: two more.
#[test]
fn clause_ii_b_2_a() {
    fought("heavy-cavalry", From::Flank, "heavy-infantry", 6, 3).saw("II.B.2.a");
    fought("medium-cavalry", From::Rear, "light-infantry", 5, 1).saw("II.B.2.a");
    fought("elephants", From::Flank, "medium-infantry", 6, 2).saw("II.B.2.a");
}

/// Light mounted: one more.
#[test]
fn clause_ii_b_2_b() {
    fought("light-cavalry", From::Rear, "heavy-infantry", 3, 3).saw("II.B.2.b");
}

/// Mounted on the front of mounted: normal dice.
#[test]
fn clause_ii_c_1() {
    fought("medium-cavalry", From::Front, "heavy-cavalry", 3, 4).saw("II.C.1");
}

/// Heavy or medium mounted on flank or rear of mounted: two more.
#[test]
fn clause_ii_c_2_a() {
    fought("medium-cavalry", From::Flank, "heavy-cavalry", 5, 2).saw("II.C.2.a");
    fought("heavy-cavalry", From::Rear, "light-cavalry", 6, 1).saw("II.C.2.a");
}

/// Light mounted on flank or rear of mounted: normal dice.
#[test]
fn clause_ii_c_2_b() {
    fought("light-cavalry", From::Flank, "heavy-cavalry", 2, 2).saw("II.C.2.b");
}

/// Foot on the front of foot: normal dice.
#[test]
fn clause_ii_d_1() {
    fought("heavy-infantry", From::Front, "medium-infantry", 5, 4).saw("II.D.1");
}

/// Heavy, medium or auxilia foot on flank or rear of foot: two more.
#[test]
fn clause_ii_d_2_a() {
    fought("medium-infantry", From::Rear, "heavy-infantry", 6, 3).saw("II.D.2.a");
    fought("auxilia", From::Flank, "medium-infantry", 5, 2).saw("II.D.2.a");
}

/// Other light foot: one more.
#[test]
fn clause_ii_d_2_b() {
    fought("light-infantry", From::Flank, "heavy-infantry", 3, 3).saw("II.D.2.b");
}

/// Foot on the front of mounted: normal dice.
#[test]
fn clause_ii_e_1() {
    fought("medium-infantry", From::Front, "medium-cavalry", 4, 3).saw("II.E.1");
}

/// Every kind of foot on flank or rear of mounted: one more.
#[test]
fn clause_ii_e_2() {
    fought("medium-infantry", From::Flank, "medium-cavalry", 5, 2).saw("II.E.2");
    fought("light-infantry", From::Rear, "elephants", 3, 1).saw("II.E.2");
}

/// The derived table of the variant, whole: columns are light foot's front, other foot's front, a flank of foot, the front and
/// the flank of mounted.
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
