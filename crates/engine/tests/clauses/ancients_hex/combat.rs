//! Facts of the base game about close combat, B12 to B28, played out: the order of events, battling back, evasion,
//! rampages and momentum.

use crate::common::Men;
use grognard_dice::ScriptedDice;
use grognard_engine::hex;
use grognard_engine::plane::Point;
use grognard_engine::{Asked, Event, HexEvent, Offer, Player, Scene, Side, Steps};
use grognard_rules::model::{Choice, Provides, Rules};

use super::{Board, From, at, from, ground, misses};

/// An attack by the first southern unit on an enemy, with these faces, followed by faces without effect.
#[track_caller]
pub(super) fn attack(board: &mut Board, enemy: usize, faces: &[&str]) {
    let (own, enemy) = (board.south(0), board.north(enemy));
    let mut dice = ScriptedDice::new([faces, &misses(60)].concat());
    hex::attack(board.rules, &board.setup, &mut board.battle, own, enemy, &mut dice, &mut board.seen)
        .unwrap_or_else(|breach| panic!("the attack is refused by {breach:?}"));
}

/// The events in order, one word each.
fn course(board: &Board) -> Vec<&'static str> {
    let word = |event: &Event| match event {
        Event::Hex(HexEvent::Declared { role: 1, .. }) => Some("declared"),
        Event::Hex(HexEvent::Declared { .. }) => Some("declared again"),
        Event::Hex(HexEvent::FellBack { .. }) => Some("fell back"),
        Event::Hex(HexEvent::Moved { .. }) => Some("moved"),
        Event::Rolled(_) => Some("rolled"),
        Event::Lost { .. } => Some("lost"),
        Event::Destroyed(_) => Some("destroyed"),
        _ => None,
    };
    board.seen.events().iter().filter_map(word).collect()
}

fn medium() -> super::Men {
    at("medium-infantry", (0, 0), 1)
}

/// A close combat is declared and may be evaded. Then come the dice, within the terrain's limit, and losses, retreat,
/// advance and battle back, in that order. The target is one adjacent enemy, freely chosen. No unit begins two combats.
#[test]
fn fact_b12() {
    // A unit that holds battles back. In a forest, each side has two dice, instead of five and four.
    let forest = ground(&["hex.terrain.forest.at=[\"0,0\"]"]);
    let own = [from("heavy-infantry", From::Front)];
    let mut board = Board::under(forest, ("line", &own), ("still", &[medium()]));
    let target = board.north(0);
    board.attack(0, target, &["medium", "leader", "heavy", "leader"]);
    assert_eq!(course(&board), ["declared", "rolled", "lost", "rolled", "lost"]);
    // A unit that is driven off does not battle back: the attacker follows and, being mounted, attacks another unit.
    let enemies = [at("light-infantry", (0, -1), 4), at("light-infantry", (-1, -1), 4)];
    let mut board = Board::led(("line", &[at("heavy-cavalry", (0, 0), 1)]), ("still", &enemies));
    attack(&mut board, 0, &["light", "flag"]);
    assert_eq!(course(&board)[..5], ["declared", "rolled", "lost", "fell back", "moved"]);
    // The dice against an evading unit are rolled before it moves, and no more dice follow.
    let mut board =
        Board::led(("line", &[from("medium-infantry", From::Front)]), ("shun", &[at("light-infantry", (0, 0), 1)]));
    attack(&mut board, 0, &["light"]);
    assert_eq!(course(&board), ["declared", "rolled", "lost", "fell back"]);
    // Of two enemies that show their fronts, either may be chosen, each with all the dice; a unit that is not adjacent
    // may not.
    let enemies = [at("medium-infantry", (1, -1), 4), at("auxilia", (0, -1), 4), at("auxilia", (0, -2), 4)];
    for enemy in [0, 1] {
        let mut board = Board::new(&[at("heavy-infantry", (0, 0), 1)], &enemies);
        assert_eq!(board.targets(0).iter().map(|&(_, dice)| dice).collect::<Vec<_>>(), [5, 5]);
        assert!(!board.targets(0).iter().any(|&(target, _)| target == board.north(2)));
        attack(&mut board, enemy, &["swords"]);
        let figures = [0, 1].map(|number| board.unit(board.north(number)).figures);
        assert_eq!(figures, if enemy == 0 { [3, 4] } else { [4, 3] }, "only whom it attacked");
        // It has already fought in this turn.
        let (own, other) = (board.south(0), board.north(1 - enemy));
        let mut dice = grognard_dice::NoDice;
        let again = hex::attack(board.rules, &board.setup, &mut board.battle, own, other, &mut dice, &mut board.seen);
        assert!(again.is_err());
    }
}

/// Any unit that has blocks left and is still in its hex battles back, but only in close combat. It has its usual dice,
/// hits and flags, but gains no momentum.
#[test]
fn fact_b20() {
    // The target battles back with four dice: two hits and a flag drive off the light infantry, and the target stays in
    // its hex.
    let mut board = Board::led(("still", &[from("light-infantry", From::Front)]), ("line", &[medium()]));
    let target = board.north(0);
    board.attack(0, target, &["leader", "leader", "light", "swords", "flag", "leader"]);
    assert_eq!((board.unit(board.south(0)).figures, board.place(target)), (2, (0, 0)));
    assert_ne!(board.place(board.south(0)), (1, -1), "the attacker retreats");
    // An attacker destroyed by battling back also leaves its hex empty.
    let own = [from("light-infantry", From::Front).figures(1)];
    let mut board = Board::led(("still", &own), ("line", &[medium()]));
    board.attack(0, target, &["leader", "leader", "light", "leader", "leader", "leader"]);
    assert!(board.unit(board.south(0)).gone());
    assert_eq!(board.place(target), (0, 0));
    // A unit that has no blocks or has left its hex does not battle back, so there are no more dice.
    for (figures, face) in [(1, "medium"), (4, "flag")] {
        let mut board = Board::new(&[from("light-infantry", From::Front)], &[medium().figures(figures)]);
        board.attack(0, target, &[face, "leader"]);
        assert_eq!(course(&board).iter().filter(|&&word| word == "rolled").count(), 1);
    }
    // A unit that could not retreat and is still there battles back. It loses a block for the hex it could not move,
    // and has four dice.
    let closed = [medium(), at("auxilia", (-1, 1), 1), at("light-infantry", (0, 1), 1)];
    let mut board = Board::new(&[from("light-infantry", From::Front)], &closed);
    // Two friends beside it let it ignore one flag; the other flag costs the block.
    board.attack(0, target, &["flag", "flag", "light", "leader", "leader", "leader"]);
    assert_eq!((board.unit(target).figures, board.place(target)), (3, (0, 0)));
    assert_eq!(board.unit(board.south(0)).figures, 3);
    // A unit does not battle back against fire.
    let mut board = Board::new(&[at("light-bow", (0, 2), 1)], &[at("medium-infantry", (0, 0), 4)]);
    board.shoot(0, target, &["leader", "leader"]);
    assert_eq!(board.seen.rolls().count(), 1);
}

/// Shooting counts as a battle: a unit that has shot begins no close combat in that turn, even if an enemy comes next
/// to it (B12).
#[test]
fn fact_b12_counts_shooting() {
    let mut board =
        Board::led(("attack", &[at("light-infantry", (0, 0), 1)]), ("still", &[at("medium-infantry", (0, -2), 4)]));
    let (own, target) = (board.south(0), board.north(0));
    board.shoot(0, target, &misses(2));
    board.battle.units[1].front = Point { x: 0, y: -1 };
    assert_eq!(board.targets(0).len(), 1, "the enemy is in front of it now");
    let mut dice = grognard_dice::NoDice;
    let asked = hex::attack(board.rules, &board.setup, &mut board.battle, own, target, &mut dice, &mut board.seen);
    assert_eq!(asked.map_err(|breach| breach.deed), Err(Provides::NoAttack));
    // Its doctrine does not begin one either.
    board.battle.phase = board.rules.phases.iter().position(|phase| phase.id == "close-combat").expect("a phase") as u8;
    grognard_engine::step(board.rules, &board.setup, &mut board.battle, &mut grognard_dice::NoDice, &mut board.seen);
    assert!(!course(&board).contains(&"declared"));
}

/// All types battle back, including war machines. Heavy chariots have three dice, camels two, elephants as many as
/// their attacker rolls, and all others the dice of their attack (B19, B20).
#[test]
fn fact_b19() {
    for (kind, dice) in [
        ("light-infantry", 2),
        ("light-bow", 2),
        ("light-slingers", 2),
        ("auxilia", 3),
        ("warriors", 3 + 1),
        ("medium-infantry", 4),
        ("heavy-infantry", 5),
        ("light-cavalry", 2),
        ("light-bow-cavalry", 2),
        ("medium-cavalry", 3),
        ("heavy-cavalry", 4),
        ("camels", 2),
        ("heavy-chariot", 3),
        ("barbarian-chariot", 2 + 1),
        ("elephants", 2),
        ("war-machine", 2),
    ] {
        let mut board = Board::new(&[from("light-infantry", From::Front)], &[at(kind, (0, 0), 1)]);
        let target = board.north(0);
        board.attack(0, target, &misses(2 + dice));
        let rolls: Vec<usize> = board.seen.rolls().map(|roll| roll.faces.len()).collect();
        assert_eq!(rolls, [2, dice], "{kind}");
    }
}

/// Card dice count against an evading target just as against one that holds (B22 with B31 and B32), and for elephants.
#[test]
fn card_dice_count_against_evading_targets() {
    for (kind, card, dice) in [
        ("heavy-infantry", "none", 5),
        ("heavy-infantry", "clash-of-shields", 5 + 2),
        ("heavy-infantry", "spartacus", 5 + 1),
        ("heavy-cavalry", "mounted-charge", 4 + 1),
        ("elephants", "clash-of-shields", 2 + 2),
        ("elephants", "mounted-charge", 2 + 1),
        ("elephants", "spartacus", 2 + 1),
    ] {
        let evader = [at("light-infantry", (0, 0), 1)];
        let mut board = Board::led(("still", &[from(kind, From::Front)]), ("shun", &evader)).card(card);
        let target = board.north(0);
        board.attack(0, target, &misses(dice));
        assert_ne!(board.place(target), (0, 0), "{kind} under {card}");
    }
    // In the bonus combat, Clash of Shields adds nothing and Mounted Charge adds its die, including against an evading
    // target.
    for (kind, card, first, bonus) in
        [("warriors", "clash-of-shields", 4 + 2, 4), ("heavy-cavalry", "mounted-charge", 4 - 2 + 1, 4 + 1)]
    {
        let enemies = [at("auxilia", (0, -1), 4).figures(1), at("light-infantry", (0, -2), 4)];
        let mut board = Board::led(("line", &[at(kind, (0, 0), 1)]), ("shun", &enemies)).card(card);
        let (target, next) = (board.north(0), board.north(1));
        board.attack(0, target, &[&["light"][..], &misses(first - 1 + bonus)].concat());
        assert_eq!(board.place(board.south(0)), (0, -1), "{kind} follows up");
        assert_ne!(board.place(next), (0, -2), "the next target evades {kind}");
    }
}

/// An attack on a lone leader has the dice that terrain leaves, plus those that cards add (B29, B31 to B33). Elephants
/// have one die.
#[test]
fn dice_against_lone_leaders() {
    let dice = |rules: &'static Rules, kind: &str, card: &str| {
        let own = [from(kind, From::Front)];
        Board::under(rules, ("still", &own), ("still", &[at("leader", (0, 0), 1)])).card(card).targets(0)[0].1
    };
    let (open, forest) = (super::rules(), ground(&["hex.terrain.forest.at=[\"0,0\"]"]));
    assert_eq!([dice(open, "heavy-infantry", "none"), dice(open, "elephants", "none")], [5, 1]);
    assert_eq!(dice(forest, "heavy-infantry", "none"), 2);
    assert_eq!(dice(open, "heavy-infantry", "clash-of-shields"), 5 + 2);
    assert_eq!(dice(forest, "heavy-cavalry", "mounted-charge"), 2 + 1);
    assert_eq!(dice(open, "warriors", "spartacus"), 3 + 1 + 1);
    assert_eq!(dice(forest, "warriors", "none"), 2 + 1);
    for (terrain, own, kind, expected) in [
        ("forest", true, "heavy-infantry", 2),
        ("ford", false, "heavy-infantry", 2),
        ("ford", true, "heavy-infantry", 2),
        ("broken", false, "heavy-infantry", 2),
        ("broken", true, "heavy-infantry", 2),
        ("hill", false, "heavy-infantry", 2),
        ("hill", true, "heavy-infantry", 3),
        ("hill", true, "heavy-cavalry", 2),
        ("camp", true, "heavy-infantry", 4),
        ("camp", false, "heavy-infantry", 5),
    ] {
        let rules = ground(&[&format!("hex.terrain.{terrain}.at=[\"{}\"]", if own { "1,-1" } else { "0,0" })]);
        assert_eq!(dice(rules, kind, "none"), expected, "{kind}, {terrain} under {}", if own { "it" } else { "him" });
    }
    // In the bonus combat, Clash of Shields adds nothing against him either.
    let enemies = [at("auxilia", (0, -1), 4).figures(1), at("leader", (0, -2), 4)];
    let mut board = Board::led(("line", &[at("warriors", (0, 0), 1)]), ("still", &enemies)).card("clash-of-shields");
    let target = board.north(0);
    board.attack(0, target, &[&["light"][..], &misses(3 + 1 + 2 - 1), &["light"; 3 + 1]].concat());
    let rolls: Vec<usize> = board.seen.rolls().map(|roll| roll.faces.len()).collect();
    assert_eq!(rolls, [6, 4]);
}

/// Whether a defender that wants to evade an attacker from behind does so.
fn evades(defender: &str, attacker: &str) -> bool {
    // Its doctrine does nothing else: a unit that turned first would be struck with different dice.
    let rules = ground(&["doctrine.turn.row.react.do=\"evade\""]);
    let own = [from(attacker, From::Rear)];
    let mut board = Board::under(rules, ("still", &own), ("turn", &[at(defender, (0, 0), 1)]));
    attack(&mut board, 0, &[]);
    let hex = rules.hex.as_ref().expect("a board of hexes");
    let by = |event: &Event| {
        matches!(event, Event::Hex(HexEvent::Provided { row, .. })
            if hex.provisions[usize::from(*row)].deed == Provides::Evade)
    };
    let evaded = board.seen.events().iter().any(by);
    let target = board.north(0);
    assert_eq!(evaded, board.unit(target).gone() || board.place(target) != (0, 0), "{defender} before {attacker}");
    if evaded && !board.unit(target).gone() {
        let hexes = hex::distance(board.unit(target).front, Point { x: 0, y: 0 });
        assert_eq!(hexes, 2, "{defender} before {attacker}");
    }
    evaded
}

/// Each type evades certain attackers, and no others.
#[test]
fn fact_b21() {
    let foot = ["light-infantry", "auxilia", "warriors", "medium-infantry", "heavy-infantry"];
    let light_mounted = ["light-cavalry", "barbarian-chariot"];
    let medium_mounted = ["medium-cavalry", "camels"];
    let heavy_mounted = ["heavy-cavalry", "heavy-chariot", "elephants"];
    let everybody = [&foot[..], &light_mounted, &medium_mounted, &heavy_mounted].concat();
    let from_all_foot_and = |more: &[&'static str]| [&foot[..], more].concat();
    let always = ["light-infantry", "light-bow", "light-slingers", "light-cavalry", "light-bow-cavalry"];
    let table: [(&[&str], Vec<&str>); 6] = [
        (&always, everybody.clone()),
        (&["barbarian-chariot", "war-machine"], everybody.clone()),
        (&medium_mounted, from_all_foot_and(&heavy_mounted)),
        (&["heavy-cavalry", "heavy-chariot"], from_all_foot_and(&["elephants"])),
        (&["auxilia", "medium-infantry", "warriors", "heavy-infantry"], vec![]),
        (&["elephants"], vec![]),
    ];
    for (defenders, before) in table {
        for defender in defenders {
            for attacker in &everybody {
                assert_eq!(evades(defender, attacker), before.contains(attacker), "{defender} before {attacker}");
            }
        }
    }
    // A war machine is then removed, and does not count as a banner.
    let rules = ground(&["doctrine.turn.row.react.do=\"evade\""]);
    let own = [from("medium-infantry", From::Front)];
    let mut board = Board::under(rules, ("line", &own), ("turn", &[at("war-machine", (0, 0), 1)]));
    attack(&mut board, 0, &[]);
    let machine = board.unit(board.north(0));
    assert!(machine.gone() && !machine.gone_for_enemy());
    assert_eq!(board.place(board.south(0)), (1, -1), "nobody follows");
    // A lone leader leaves, whatever his doctrine, if the dice do not hit him.
    let mut board = Board::new(&own, &[at("leader", (0, 0), 1)]);
    let leader = board.north(0);
    board.attack(0, leader, &["light", "medium", "swords", "flag"]);
    assert!(!board.unit(leader).gone());
    assert_eq!(board.place(leader).1, -3, "three hexes to the north");
}

/// An evading unit is hit only by its colour, and moves two hexes, or one if no second hex is free. It cannot evade if
/// both first hexes are closed. It does not battle back, and no unit follows it.
#[test]
fn fact_b22() {
    let shuns = |others: &[(i32, i32)], faces: &[&str]| {
        let own = [from("medium-infantry", From::Front), at("leader", (1, -1), 4)];
        let mut north = vec![at("light-infantry", (0, 0), 1)];
        north.extend(others.iter().map(|&place| at("auxilia", place, 1)));
        let mut board = Board::led(("line", &own), ("shun", &north));
        let target = board.north(0);
        board.attack(0, target, faces);
        board
    };
    // The sword, the helmet (a leader is with the attacker) and the flag have no effect. There are four dice, and none
    // to battle back.
    let board = shuns(&[], &["light", "swords", "leader", "flag"]);
    let target = board.north(0);
    assert_eq!((board.unit(target).figures, board.unit(board.south(0)).figures), (3, 4));
    assert!([(-2, 2), (-1, 2), (0, 2)].contains(&board.place(target)), "{:?}", board.place(target));
    assert_eq!(board.place(board.south(0)), (1, -1), "nobody enters the hex");
    // All second hexes are occupied, so it moves one hex, and loses nothing for the second.
    let board = shuns(&[(-2, 2), (-1, 2), (0, 2)], &["leader"; 4]);
    assert!([(-1, 1), (0, 1)].contains(&board.place(target)), "{:?}", board.place(target));
    assert_eq!(board.unit(target).figures, 4);
    // Both first hexes are occupied: it holds, everything hits it, and it battles back with two dice.
    let board = shuns(&[(-1, 1), (0, 1)], &["light", "leader", "medium", "medium", "leader", "leader"]);
    assert_eq!((board.unit(target).figures, board.place(target)), (2, (0, 0)), "a circle and a helmet");
    assert_eq!(board.seen.rolls().count(), 2);
}

/// Cavalry and chariots retreat one more hex for each flag of elephants or camels; foot does not.
#[test]
fn fact_b23() {
    for (attacker, defender, dice, flags, hexes) in [
        ("medium-infantry", "medium-cavalry", 4, 1, 3),
        ("elephants", "medium-cavalry", 3, 1, 4),
        ("camels", "light-cavalry", 3, 1, 5),
        ("elephants", "heavy-chariot", 3, 1, 3),
        ("elephants", "light-infantry", 2, 1, 2),
        ("elephants", "heavy-cavalry", 4, 2, 6),
    ] {
        let mut board = Board::new(&[from(attacker, From::Front)], &[at(defender, (0, 0), 1)]);
        let target = board.north(0);
        let faces = [vec!["flag"; flags], misses(dice - flags)].concat();
        attack(&mut board, 0, &faces);
        let of = |event: &Event| match event {
            Event::Hex(HexEvent::FellBack { unit, of, .. }) if *unit == target => Some(*of),
            _ => None,
        };
        assert_eq!(board.seen.events().iter().find_map(of), Some(hexes), "{defender} before {attacker}");
    }
}

/// Elephants that must retreat first trample all units around them, friend or foe. If their path is blocked, they stay
/// and lose nothing, but the units in their way do.
#[test]
fn fact_b26() {
    // They roll two dice against the friend beside them and two against the attacker, in the order of directions. Each
    // loses a block.
    let beasts = [at("elephants", (0, 0), 1), at("light-infantry", (1, 0), 1)];
    let mut board = Board::new(&[from("medium-infantry", From::Front)], &beasts);
    let target = board.north(0);
    board.attack(0, target, &["flag", "leader", "leader", "leader", "light", "leader", "medium", "leader"]);
    assert_eq!((board.unit(board.south(0)).figures, board.unit(board.north(1)).figures), (3, 3));
    assert!([(-1, 1), (0, 1)].contains(&board.place(target)), "it has retreated a hex: {:?}", board.place(target));
    assert!(course(&board).windows(2).any(|pair| pair == ["lost", "fell back"]), "the trampling comes first");
    // Only the colour counts against units: swords, flags and helmets have no effect.
    let mut board = Board::new(&[from("medium-infantry", From::Front)], &beasts);
    board.attack(0, target, &["flag", "leader", "leader", "leader", "swords", "flag", "leader", "flag"]);
    assert_eq!((board.unit(board.south(0)).figures, board.unit(board.north(1)).figures), (4, 4));
    // A helmet removes a lone leader of either side.
    for (face, falls) in [("leader", true), ("light", false)] {
        let beasts = [at("elephants", (0, 0), 1), at("leader", (1, 0), 1)];
        let mut board = Board::new(&[from("medium-infantry", From::Front)], &beasts);
        board.attack(0, target, &["flag", "leader", "leader", "leader", face, "light", "light", "light"]);
        assert_eq!(board.unit(board.north(1)).gone(), falls);
    }
    // A friend and an enemy are in their way. Each loses a block for each of the two hexes that the elephants cannot
    // move; the elephants keep their own two blocks.
    let closed = [at("elephants", (0, 0), 1), at("auxilia", (-1, 1), 1)];
    let south = [from("medium-infantry", From::Front), at("heavy-infantry", (0, 1), 1)];
    let mut board = Board::new(&south, &closed);
    let target = board.north(0);
    let dice = [&["flag", "flag", "leader", "leader"][..], &misses(2 * 3), &misses(4)].concat();
    board.attack(0, target, &dice);
    assert_eq!((board.unit(target).figures, board.place(target)), (2, (0, 0)));
    assert_eq!((board.unit(board.north(1)).figures, board.unit(board.south(1)).figures), (2, 2));
    assert_eq!(board.unit(board.south(0)).figures, 4, "the attacker is not in its way");
    // A lone enemy leader in their way is removed.
    let south = [from("medium-infantry", From::Front), at("leader", (0, 1), 1)];
    let mut board = Board::new(&south, &closed);
    let around = ["heavy"; 2 * 3];
    board.attack(0, target, &[&["flag", "leader", "leader", "leader"][..], &around, &misses(4)].concat());
    assert!(board.unit(board.south(1)).gone());
    assert_eq!(board.unit(board.north(1)).figures, 3);
    // Elephants destroyed by hits of the same strike do not trample any unit.
    let last = [at("elephants", (0, 0), 1).figures(1), beasts[1].clone()];
    let mut board = Board::new(&[from("medium-infantry", From::Front)], &last);
    let target = board.north(0);
    board.attack(0, target, &["heavy", "flag", "leader", "leader"]);
    assert!(board.unit(target).gone());
    // Elephants that can move all their hexes cost the units beyond them nothing.
    let beyond = [(-2, 2), (-1, 2), (0, 2)].map(|place| at("auxilia", place, 1));
    let mut board = Board::new(&[&[from("medium-infantry", From::Front)][..], &beyond].concat(), &beasts[..1]);
    let target = board.north(0);
    board.attack(0, target, &[&["flag", "leader", "leader", "leader"][..], &misses(2)].concat());
    assert_ne!(board.place(target), (0, 0));
    assert!(!course(&board).contains(&"lost"), "{:?}", course(&board));
}

/// Any unit in a camp rolls one die fewer, including rampaging elephants (B26, B38).
#[test]
fn fact_b38_in_rampages() {
    for (camp, dice) in [("0,0", [4, 1]), ("1,-1", [4 - 1, 2])] {
        let rules = ground(&[&format!("hex.terrain.camp.at=[\"{camp}\"]")]);
        let own = [from("medium-infantry", From::Front)];
        let mut board = Board::under(rules, ("still", &own), ("still", &[at("elephants", (0, 0), 1)]));
        let target = board.north(0);
        board.attack(0, target, &[&["flag"][..], &["light"; 2], &["medium"; 2]].concat());
        assert_eq!(board.dice(), dice, "a camp at {camp}");
        assert_eq!(board.unit(board.south(0)).figures, 4 - dice[1] as u16);
    }
}

/// Elephants that lose a block to the rampage of other elephants put their leader at risk like any unit (B26, B29).
#[test]
fn rampages_put_leaders_of_elephants_at_risk() {
    let beasts = [at("elephants", (0, 0), 1), at("elephants", (1, 0), 1), at("leader", (1, 0), 1)];
    let mut board = Board::new(&[from("medium-infantry", From::Front)], &beasts);
    let target = board.north(0);
    let faces = ["flag", "light", "light", "light", "heavy", "light", "leader", "leader", "light", "light"];
    board.attack(0, target, &faces);
    assert_eq!(board.unit(board.north(1)).figures, 1);
    assert!(board.unit(board.north(2)).gone(), "two helmets");
}

/// An attack on a light unit with one block, north of the attacker at (0, 0), with more enemies further on. Returns the
/// attacker's final hex, and the number of further combats that it declares.
fn clears(own: &[super::Men], further: &[(i32, i32)], faces: &[&str]) -> ((i32, i32), usize) {
    let mut north = vec![at("light-infantry", (0, -1), 4).figures(1)];
    north.extend(further.iter().map(|&place| at("light-infantry", place, 4)));
    // No row of the doctrine keeps a unit from attacking.
    let rules: &'static Rules = ground(&["doctrine.line.row.lights-shy.when=\"false\""]);
    let mut board = Board::under(rules, ("line", own), ("still", &north));
    attack(&mut board, 0, faces);
    let more = course(&board).into_iter().filter(|&word| word == "declared again").count();
    (board.place(board.south(0)), more)
}

/// The attacker may enter the hex from which it has removed or driven its target, and cavalry may move one hex more. A
/// unit may not do so after an evasion (B22), against a lone leader, or when it battles back (B20) or strikes first. A
/// war machine never may.
#[test]
fn fact_b27() {
    let lone = |kind: &str| [at(kind, (0, 0), 1)];
    for kind in ["medium-infantry", "auxilia", "light-infantry", "elephants", "heavy-chariot", "heavy-cavalry"] {
        assert_eq!(clears(&lone(kind), &[], &["light"]).0, (0, -1), "{kind}");
    }
    assert_eq!(clears(&lone("war-machine"), &[], &["light"]).0, (0, 0));
    // Driving a unit out counts like removing it.
    let mut board = Board::led(("line", &lone("heavy-infantry")), ("still", &[at("light-infantry", (0, -1), 4)]));
    attack(&mut board, 0, &["flag"]);
    assert_eq!(board.place(board.south(0)), (0, -1));
    // Following up is a choice.
    let target = [at("light-infantry", (0, -1), 4).figures(1)];
    let mut board = Board::led(("attack", &lone("medium-infantry")), ("still", &target));
    attack(&mut board, 0, &["light"]);
    assert!(board.unit(board.north(0)).gone());
    assert_eq!(board.place(board.south(0)), (0, 0));
    // Only cavalry moves on by one hex, to a hex from which it can fight.
    for (kind, on) in [
        ("light-cavalry", true),
        ("medium-cavalry", true),
        ("heavy-cavalry", true),
        ("camels", false),
        ("heavy-chariot", false),
        ("barbarian-chariot", false),
        ("elephants", false),
    ] {
        let (place, more) = clears(&lone(kind), &[(0, -3)], &["light"]);
        assert_eq!((place, more), if on { ((0, -2), 1) } else { ((0, -1), 0) }, "{kind}");
    }
    // Cavalry moves on one hex and no farther. It could not reach this enemy from there, so it stays.
    for kind in ["light-cavalry", "medium-cavalry", "heavy-cavalry"] {
        assert_eq!(clears(&lone(kind), &[(0, -4)], &["light"]), ((0, -1), 0), "{kind}");
    }
    // No unit advances into the hex of a lone leader, whether he is removed or has fled.
    for face in ["leader", "light"] {
        let mut board = Board::led(("line", &lone("heavy-infantry")), ("still", &[at("leader", (0, -1), 4)]));
        let target = board.north(0);
        board.attack(0, target, &[face; 5]);
        assert_eq!(board.unit(target).gone(), face == "leader");
        assert_eq!(board.place(board.south(0)), (0, 0));
    }
    // A unit that strikes first and clears the hex of its attacker stays in its own.
    let own = [from("light-infantry", From::Front).figures(1)];
    let mut board = Board::led(("line", &own), ("line", &[medium()]));
    board.battle.cards.hands[Side::Second.index()] = [super::card("first-strike"); 8];
    let target = board.north(0);
    board.attack(0, target, &["order-two-left", "light", "leader", "leader", "leader"]);
    assert!(board.unit(board.south(0)).gone());
    assert_eq!(board.place(target), (0, 0));
}

/// After an advance, warriors, foot with a leader and all mounted units fight once more, against any adjacent enemy.
/// They may enter that hex as well, but do not fight a third time, nor does cavalry move on again.
#[test]
fn fact_b28() {
    let lone = |kind: &str| vec![at(kind, (0, 0), 1)];
    let led = |kind: &str| vec![at(kind, (0, 0), 1), at("leader", (0, 0), 1)];
    for (own, again) in [
        (lone("warriors"), true),
        (lone("auxilia"), false),
        (lone("medium-infantry"), false),
        (lone("heavy-infantry"), false),
        (led("light-infantry"), true),
        (led("medium-infantry"), true),
        (led("heavy-infantry"), true),
        (lone("light-cavalry"), true),
        (lone("medium-cavalry"), true),
        (lone("heavy-cavalry"), true),
        (lone("camels"), true),
        (lone("heavy-chariot"), true),
        (lone("barbarian-chariot"), true),
        (lone("elephants"), true),
    ] {
        // With a leader, helmets hit, so other faces must serve as blanks.
        let blank = ["light", "heavy", "heavy", "heavy", "heavy", "heavy", "heavy", "heavy", "heavy", "heavy", "heavy"];
        let (place, more) = clears(&own, &[(0, -2), (1, -2)], &blank);
        assert_eq!((place, more), ((0, -1), usize::from(again)), "{own:?}");
    }
    // Either of the two enemies ahead may be chosen. With this doctrine, the number of dice decides, and one enemy is
    // in a forest.
    for (forest, struck) in [("0,-2", 2), ("1,-2", 1)] {
        let wood = format!("hex.terrain.forest.at=[\"{forest}\"]");
        let enemies =
            [at("light-infantry", (0, -1), 4).figures(1), at("light-infantry", (0, -2), 4), at("auxilia", (1, -2), 4)];
        let mut board = Board::under(ground(&[&wood]), ("line", &lone("warriors")), ("still", &enemies));
        attack(&mut board, 0, &["light", "leader", "leader", "leader", "light"]);
        assert_eq!(board.unit(board.north(struck)).figures, 3, "forest at {forest}");
    }
    // It also enters the second hex, next to two more enemies, but goes no further.
    let further = [(0, -2), (0, -3), (1, -3), (0, -4)];
    for kind in ["warriors", "heavy-cavalry"] {
        // There are four dice each time, and the first hits the only block.
        let faces = [["light", "leader", "leader", "leader"]; 2].concat();
        let mut north = vec![at("light-infantry", (0, -1), 4).figures(1)];
        north.extend(further.iter().map(|&place| at("light-infantry", place, 4).figures(1)));
        let mut board = Board::led(("line", &lone(kind)), ("still", &north));
        attack(&mut board, 0, &faces);
        assert_eq!(board.place(board.south(0)), (0, -2), "{kind}");
        assert_eq!(course(&board).into_iter().filter(|&word| word.starts_with("declared")).count(), 2, "{kind}");
    }
}

/// Terrain applies to momentum. A unit that enters a wood or a ford goes no further, nor does a mounted unit that
/// enters broken ground. A unit that may not fight on the turn it enters that terrain has no second combat (B27, B28
/// with B33, B35, B36).
#[test]
fn momentum_stops_in_terrain() {
    let clears = |terrain: &str, kind: &str, next: (i32, i32)| {
        let rules =
            ground(&[&format!("hex.terrain.{terrain}.at=[\"0,-1\"]"), "doctrine.line.row.lights-shy.when=\"false\""]);
        let enemies = [at("light-infantry", (0, -1), 4).figures(1), at("light-infantry", next, 4)];
        let mut board = Board::under(rules, ("line", &[at(kind, (0, 0), 1)]), ("still", &enemies));
        attack(&mut board, 0, &["light"]);
        let more = course(&board).into_iter().filter(|&word| word == "declared again").count();
        (board.place(board.south(0)), more)
    };
    // The columns say whether it fights the enemy next to the hex it enters, and whether it moves on to an enemy a hex
    // further.
    for (terrain, kind, again, rides) in [
        ("forest", "heavy-cavalry", 0, false),
        ("forest", "light-cavalry", 0, false),
        ("forest", "warriors", 1, false),
        ("broken", "heavy-cavalry", 0, false),
        ("broken", "camels", 0, false),
        ("broken", "warriors", 1, false),
        ("ford", "heavy-cavalry", 1, false),
        ("ford", "warriors", 1, false),
        ("hill", "heavy-cavalry", 1, true),
        ("camp", "heavy-cavalry", 1, true),
    ] {
        assert_eq!(clears(terrain, kind, (0, -2)), ((0, -1), again), "{kind} into {terrain}");
        let further = if rides { ((0, -2), 1) } else { ((0, -1), 0) };
        assert_eq!(clears(terrain, kind, (0, -3)), further, "{kind} from {terrain}");
    }
    // Cavalry does not move on into terrain in which it may not fight.
    for (terrain, place) in [("forest", (0, -1)), ("broken", (0, -1)), ("hill", (0, -2))] {
        let woods = ["-1,-1", "0,-2", "1,-2"].map(|hex| format!("\"{hex}\"")).join(", ");
        let rules = ground(&[&format!("hex.terrain.{terrain}.at=[{woods}]")]);
        let enemies = [at("light-infantry", (0, -1), 4).figures(1), at("light-infantry", (0, -3), 4)];
        let mut board = Board::under(rules, ("line", &[at("heavy-cavalry", (0, 0), 1)]), ("still", &enemies));
        attack(&mut board, 0, &["light"]);
        assert_eq!(board.place(board.south(0)), place, "{terrain}");
    }
}

/// First Strike drives the attacker out of its hex. The attacker no longer attacks, even if it is still next to its
/// target (B32, I.E.4-1).
#[test]
fn who_is_driven_off_by_first_strike_does_not_attack() {
    let own = [at("medium-infantry", (0, 0), 1), at("auxilia", (0, 1), 1)];
    let mut board = Board::led(("still", &own), ("line", &[at("heavy-infantry", (-1, 0), 5)])).card("clash-of-shields");
    board.battle.cards.hands[1] = [super::card("first-strike"); 8];
    let target = board.north(0);
    board.attack(0, target, &[&["order-two-left", "flag"][..], &misses(4)].concat());
    assert_eq!(board.place(board.south(0)), (-1, 1), "beside its target");
    assert_eq!(board.dice(), [5]);
}

/// First Strike drives off elephants whose path is blocked: they rampage, stay, and remove their target. Their attack
/// is over, without dice, advance or second combat (B26 to B28 with B32).
#[test]
fn who_removes_its_target_after_first_strike_does_not_attack() {
    let own = [at("elephants", (0, 0), 1), at("auxilia", (-1, 1), 1), at("auxilia", (0, 1), 1)];
    let enemies = [at("medium-infantry", (0, -1), 4).figures(1), at("medium-infantry", (0, -2), 4)];
    let mut board = Board::led(("line", &own), ("line", &enemies));
    board.battle.cards.hands[1] = [super::card("first-strike"); 8];
    let target = board.north(0);
    // First Strike rolls four dice. Then the elephants roll two against the target and against each of the auxilia, in
    // the order of directions.
    let wild = ["medium", "light"];
    board.attack(0, target, &[&["order-two-left", "flag"][..], &misses(3), &wild, &misses(2 + 2)].concat());
    assert_eq!((board.dice(), board.place(board.south(0))), (vec![4, 2, 2, 2], (0, 0)));
    assert!(board.unit(target).gone());
    assert!(!course(&board).contains(&"declared again"));
}

/// A unit that has lost a block to First Strike is no longer at full strength when it attacks. Its strength at the
/// start of the combat counts only for battling back (B14).
#[test]
fn fact_b14_after_first_strike() {
    for (face, dice) in [("medium", 3), ("light", 3 + 1)] {
        let own = [from("warriors", From::Front)];
        let mut board = Board::led(("still", &own), ("line", &[at("heavy-infantry", (0, 0), 1)]));
        board.battle.cards.hands[1] = [super::card("first-strike"); 8];
        let target = board.north(0);
        board.attack(0, target, &[&["order-two-left", face][..], &misses(4 + dice)].concat());
        assert_eq!(board.dice(), [5, dice], "{face}");
    }
}

/// The banner that decides the battle ends it at once: there is no battle back and no second combat after it (B7).
#[test]
fn fact_b7_ends_combats() {
    let rules = ground(&["victory.banners=1"]);
    let enemies = [at("light-infantry", (0, -1), 4).figures(1), at("light-infantry", (0, -2), 4)];
    let mut board = Board::under(rules, ("line", &[at("heavy-cavalry", (0, 0), 1)]), ("still", &enemies));
    attack(&mut board, 0, &["light"]);
    assert!(!course(&board).contains(&"declared again"));
    // The leader falls; his unit is still there but does not battle back.
    let led = [medium(), at("leader", (0, 0), 1)];
    let mut board = Board::under(rules, ("still", &[from("light-infantry", From::Front)]), ("still", &led));
    let target = board.north(0);
    board.attack(0, target, &["medium", "heavy", "leader", "leader"]);
    assert!(board.unit(board.north(1)).gone());
    // First Strike removes the attacker's leader, and the attack is over.
    let own = [from("medium-infantry", From::Front), at("leader", (1, -1), 4)];
    let mut board = Board::under(rules, ("still", &own), ("line", &[at("heavy-infantry", (0, 0), 1)]));
    board.battle.cards.hands[1] = [super::card("first-strike"); 8];
    let target = board.north(0);
    board.attack(0, target, &[&["order-two-left", "medium"][..], &["light"; 4], &["leader"; 2]].concat());
    assert_eq!(board.dice(), [5, 2]);
}

/// A move after an advance is valued by the dice of the coming combat, to which Clash of Shields adds none (B31 with
/// I.E.4-1).
#[test]
fn riding_on_counts_the_dice_of_bonus_combats() {
    let rows = ["last-block", "harass", "wings", "no-bad-charges"];
    let rows = rows.map(|row| format!("doctrine.line.row.{row}.when=\"false\""));
    let rules = ground(&rows.each_ref().map(String::as_str));
    // Light cavalry has no dice against the front of the auxilia, so it moves on to their flank.
    let enemies =
        [at("light-infantry", (0, -1), 4).figures(1), at("auxilia", (1, -2), 4), at("light-infantry", (-2, -1), 5)];
    let own = [at("light-cavalry", (0, 0), 1)];
    let mut board = Board::under(rules, ("line", &own), ("still", &enemies)).card("clash-of-shields");
    attack(&mut board, 0, &["light"]);
    assert_eq!(board.place(board.south(0)), (0, -2), "at the auxilia's flank");
    assert_eq!(course(&board).into_iter().filter(|&word| word == "declared again").count(), 1);
}

/// Momentum takes a unit only into a hex ahead, whatever the card allowed for the move (A15).
#[test]
fn momentum_does_not_go_sideways() {
    let rows = ["last-block", "wings"];
    let mut changes: Vec<String> = rows.iter().map(|row| format!("doctrine.line.row.{row}.when=\"false\"")).collect();
    changes.push("provision.aside-order-mounted.on=true".into());
    let rules = ground(&changes.iter().map(String::as_str).collect::<Vec<_>>());
    let enemies = [
        at("light-infantry", (0, -1), 4).figures(1),
        at("light-infantry", (1, -1), 2),
        at("light-infantry", (0, -4), 4),
    ];
    let own = [at("heavy-cavalry", (0, 0), 1)];
    let mut board = Board::under(rules, ("line", &own), ("still", &enemies)).card("order-mounted");
    attack(&mut board, 0, &["light"]);
    assert_ne!(board.place(board.south(0)), (0, 0), "not back to where it came from");
    let again = course(&board).into_iter().filter(|&word| word == "declared again").count();
    assert_eq!(again, 0, "nobody can be fought from ahead");
}

/// Cavalry may move on past an enemy that it does not attack (B27, A15).
#[test]
fn momentum_rides_past_an_enemy_that_is_spared() {
    let struck = || at("light-infantry", (0, -1), 4).figures(1);
    // This enemy would show its front to the cavalry.
    let spared = || at("medium-infantry", (0, -2), 4);
    // This enemy would show a flank to the hex beside that one.
    let flank = || at("heavy-infantry", (2, -2), 4);
    let clears = |north: &[Men]| {
        let own = [at("heavy-cavalry", (0, 0), 1)];
        let mut board = Board::led(("line", &own), ("still", north));
        attack(&mut board, 0, &["light"]);
        let again = course(&board).into_iter().filter(|&word| word == "declared again").count();
        (board.place(board.south(0)), again)
    };
    assert_eq!(clears(&[struck(), flank()]), ((1, -2), 1));
    assert_eq!(clears(&[struck(), spared(), flank()]), ((1, -2), 1));
    assert_eq!(clears(&[struck(), spared()]), ((0, -1), 0), "there is no other enemy");
}

/// Enters the hex that it has cleared, and then moves on or not.
struct Advances {
    on: bool,
    /// The number of times it was asked.
    asked: usize,
}

impl Player for Advances {
    fn plays(&self, side: Side) -> bool {
        side == Side::First
    }

    fn choose(&mut self, _: Scene<'_>, asked: &Asked<'_>) -> usize {
        let Some(follows) = asked.offers.iter().position(|offer| *offer == Offer::Take(Choice::FollowUp)) else {
            return asked.doctrine;
        };
        self.asked += 1;
        if self.asked == 1 || self.on { follows } else { 1 - follows }
    }
}

/// Cavalry may move one hex further, but need not (B27).
#[test]
fn a_player_chooses_whether_cavalry_moves_on() {
    let enemies = [at("light-infantry", (0, -1), 4).figures(1), at("heavy-infantry", (2, -2), 4)];
    for (on, expected) in [(true, ((1, -2), 1)), (false, ((0, -1), 0))] {
        let mut board = Board::led(("line", &[at("heavy-cavalry", (0, 0), 1)]), ("still", &enemies));
        let is_close = |phase: &grognard_rules::model::Phase| phase.id == "close-combat";
        board.battle.phase = board.rules.phases.iter().position(is_close).expect("a phase") as u8;
        let mut player = Advances { on, asked: 0 };
        let mut dice = ScriptedDice::new([&["light"][..], &misses(60)].concat());
        let mut steps = Steps::new(board.rules, &board.setup);
        steps.step_as(&mut board.battle, &mut dice, &mut board.seen, &mut player);
        let again = course(&board).into_iter().filter(|&word| word == "declared again").count();
        assert_eq!((board.place(board.south(0)), again), expected);
        assert_eq!(player.asked, 2);
    }
}
