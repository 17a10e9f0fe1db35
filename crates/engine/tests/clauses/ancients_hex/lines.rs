//! Sections II.A and II.G: the hexes through which units fight, and the enemies that they must fight.

use grognard_engine::hex::Act;

use super::{Board, From, at, from, ground, misses, rules};

/// Attacks go through the front.
#[test]
fn clause_ii_a_1() {
    let mut board = Board::new(&[at("medium-infantry", (0, 0), 1)], &[at("light-infantry", (1, 0), 4)]);
    assert_eq!(board.targets(0), []);
    board.march(0, &[Act::Turn(-1)]).expect("a free turn");
    let target = board.north(0);
    assert_eq!(board.targets(0).len(), 1);
    board.attack(0, target, &misses(board.targets(0)[0].1 as usize + 1));
    board.saw("II.A-1");
}

/// Battling back goes through any hex.
#[test]
fn clause_ii_a_2() {
    let mut board = Board::new(&[at("light-infantry", (1, 0), 3)], &[at("medium-infantry", (0, 0), 1)]);
    let target = board.north(0);
    board.attack(0, target, &misses(3 + 2));
    board.saw("II.A-2");
}

/// A unit battles back through flank or rear with half of the dice that terrain allows, rounded up. An attack is not
/// halved.
#[test]
fn clause_ii_a_3() {
    let forest = ground(&["hex.terrain.forest.at=[\"0,0\"]"]);
    for (rules, attacker, defender, dice, back) in [
        (rules(), "medium-infantry", "heavy-infantry", 4 + 2, 3),
        // The attack has two dice into the forest and two for the flank. Battling back has half of two.
        (forest, "medium-infantry", "heavy-infantry", 2 + 2, 1),
        // Elephants battle back with half of their attacker's dice.
        (rules(), "heavy-infantry", "elephants", 5 + 1, 3),
        (forest, "heavy-infantry", "elephants", 2 + 1, 1),
    ] {
        let own = [from(attacker, From::Flank)];
        let mut board = Board::under(rules, ("still", &own), ("still", &[at(defender, (0, 0), 1)]));
        let target = board.north(0);
        board.attack(0, target, &misses(dice + back));
        assert_eq!(board.dice(), [dice, back], "{defender}");
        assert_eq!([0, 1].map(|roll| board.modified(roll).contains(&"II.A-3")), [false, true], "{defender}");
        board.saw("II.A-3");
    }
}

/// Bonuses are added after the halving, and after the limit of terrain (A18).
#[test]
fn clause_ii_a_4() {
    let mut board = Board::new(&[from("medium-infantry", From::Rear)], &[at("warriors", (0, 0), 1)]);
    let target = board.north(0);
    board.attack(0, target, &misses(6 + 3));
    assert_eq!(board.dice(), [4 + 2, 2 + 1]);
    board.saw("II.A-4");
    // If nothing is halved, the order of halving and adding does not matter.
    let mut board = Board::new(&[from("medium-infantry", From::Front)], &[at("warriors", (0, 0), 1)]);
    let target = board.north(0);
    board.attack(0, target, &misses(4 + 4));
    assert_eq!(board.dice(), [4, 3 + 1]);
    board.saw_not("II.A-4");
    // Below full strength, it battles back with half of three.
    let mut board = Board::new(&[from("medium-infantry", From::Rear)], &[at("warriors", (0, 0), 1).figures(3)]);
    let target = board.north(0);
    board.attack(0, target, &misses(6 + 2));
    assert_eq!(board.dice(), [4 + 2, 2]);
    // Card dice are added in the same way, for elephants as well: two dice into the forest, and two for Clash of
    // Shields. Battling back gets none.
    let forest = ground(&["hex.terrain.forest.at=[\"0,0\"]"]);
    for attacker in ["heavy-infantry", "elephants"] {
        for (rules, dice, back) in [(rules(), 5 + 2, 5), (forest, 2 + 2, 2)] {
            let own = [from(attacker, From::Front)];
            let enemy = [at("heavy-infantry", (0, 0), 1)];
            let mut board = Board::under(rules, ("still", &own), ("still", &enemy)).card("clash-of-shields");
            board.attack(0, target, &misses(dice + back));
            assert_eq!(board.dice(), [dice, back], "{attacker}");
        }
    }
    // Full strength also counts for warriors in a forest, for the dice of the attack and for battling back.
    let own = [from("warriors", From::Front)];
    let mut board = Board::under(forest, ("still", &own), ("still", &[at("warriors", (0, 0), 1)]));
    board.attack(0, target, &misses(3 + 3));
    assert_eq!(board.dice(), [2 + 1, 2 + 1]);
}

/// Of two enemies ahead, the one that shows its front must be attacked.
#[test]
fn clause_ii_g_1() {
    let enemies = [at("medium-infantry", (1, -1), 4), at("medium-infantry", (0, -1), 0)];
    let mut board = Board::new(&[at("heavy-infantry", (0, 0), 1)], &enemies);
    let legal: Vec<_> = board.targets(0).into_iter().map(|(target, _)| target).collect();
    assert_eq!(legal, [board.north(0)]);
    let target = board.north(0);
    board.attack(0, target, &misses(5 + 4));
    board.saw("II.G-1");
    // Clash of Shields lets it attack through all hexes, but does not lift the duty.
    let beside = at("medium-infantry", (1, 0), 4);
    let three = [enemies[0].clone(), enemies[1].clone(), beside.clone()];
    for enemies in [&enemies[..], &three] {
        let board = Board::new(&[at("heavy-infantry", (0, 0), 1)], enemies).card("clash-of-shields");
        let legal: Vec<_> = board.targets(0).into_iter().map(|(target, _)| target).collect();
        assert_eq!(legal, [board.north(0)]);
    }
    // If one enemy is ahead and one is beside the unit, there is no duty, whichever of them shows its front.
    for (ahead, back) in enemies.iter().zip([4, 2]) {
        let pair = [ahead.clone(), beside.clone()];
        let mut board = Board::new(&[at("heavy-infantry", (0, 0), 1)], &pair).card("clash-of-shields");
        assert_eq!(board.targets(0).len(), 2);
        let target = board.north(0);
        let dice = board.targets(0).iter().find(|open| open.0 == target).map_or(0, |open| open.1 as usize);
        board.attack(0, target, &misses(dice + back));
        board.saw_not("II.G-1");
    }
}

/// A unit without dice against the enemy that shows its front has no legal attack (A8), and the narration gives the
/// reason.
#[test]
fn the_duty_may_forbid_every_attack() {
    let enemies = |back: i32| [at("auxilia", (1, -1), back), at("heavy-infantry", (0, -1), 0)];
    let own = [at("light-cavalry", (0, 0), 1)];
    for (back, may) in [(4, false), (0, true)] {
        let mut board = Board::led(("line", &own), ("still", &enemies(back)));
        assert_eq!(!board.targets(0).is_empty(), may, "the auxilia face {back}");
        if !may {
            board.phase("close-combat", &mut grognard_dice::NoDice);
            board.saw("II.G-1");
        }
    }
}

/// The doctrine of a unit under Clash of Shields does not count targets that the duty rules out, so the unit turns
/// until there is no duty.
#[test]
fn units_turn_out_of_the_duty_to_attack_a_front() {
    let enemies = [at("heavy-infantry", (1, -1), 4), at("light-infantry", (0, -1), 0)];
    let mut board = Board::led(("line", &[at("heavy-infantry", (0, 0), 1)]), ("still", &enemies));
    board = board.card("clash-of-shields");
    board.battle.phase = board.rules.phases.iter().position(|phase| phase.id == "move").expect("a phase") as u8;
    grognard_engine::step(board.rules, &board.setup, &mut board.battle, &mut grognard_dice::NoDice, &mut board.seen);
    assert!(board.targets(0).iter().any(|&(target, _)| target == board.north(1)), "it may take the flank now");
}

/// The duty is lifted once another unit has attacked that enemy.
#[test]
fn clause_ii_g_2() {
    let enemies = [at("medium-infantry", (1, -1), 4), at("medium-infantry", (0, -1), 0)];
    let own = [at("heavy-infantry", (0, 0), 1), at("medium-infantry", (1, 0), 1)];
    let mut board = Board::new(&own, &enemies);
    let (front, flank) = (board.north(0), board.north(1));
    board.attack(1, front, &misses(4 + 4));
    let legal: Vec<_> = board.targets(0).into_iter().map(|(target, _)| target).collect();
    assert!(legal.contains(&front) && legal.contains(&flank));
    board.attack(0, flank, &misses(5 + 2 + 2));
    board.saw("II.G-2");
    board.saw_not("II.G-1");
    // There is no duty if the enemy ahead is a lone leader.
    let enemies = [at("leader", (1, -1), 4), at("medium-infantry", (0, -1), 0)];
    let mut board = Board::new(&[at("heavy-infantry", (0, 0), 1)], &enemies);
    let flank = board.north(1);
    board.attack(0, flank, &[&misses(5 + 2)[..], &["light"; 2]].concat());
    board.saw_not("II.G-2");
}
