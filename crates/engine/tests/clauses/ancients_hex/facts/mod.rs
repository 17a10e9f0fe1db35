//! Facts of the base game, B2 to B38, that the clauses rely on: numbers are checked as tables, and the rest is played
//! out.

mod elephants;
mod fire;
mod retreats;

use grognard_engine::hex;
use grognard_engine::hex::Act::{Pivot, Step};
use grognard_engine::plane::Point;
use grognard_engine::{Event, HexEvent};
use grognard_rules::model::{Mechanism, Provides};

use super::combat::attack;
use super::{Board, From, at, from, ground, misses, rules};

/// The value of an attribute of a unit type.
fn number(kind: &str, name: &str) -> i16 {
    let rules = rules();
    let index = rules.attributes.iter().position(|attribute| attribute.id == name).expect("an attribute");
    let kind = rules.kinds.iter().find(|known| known.id == kind).unwrap_or_else(|| panic!("no {kind}"));
    kind.attributes[index]
}

/// One attack on the middle of the board with these faces. Returns the board after it.
#[track_caller]
fn struck(attacker: &str, side: From, defender: super::Men, faces: &[&str], back: usize) -> Board {
    let mut board = Board::new(&[from(attacker, side)], &[defender]);
    let target = board.north(0);
    board.attack(0, target, &[faces, &misses(back)].concat());
    board
}

fn phase(board: &mut Board, id: &str) {
    board.battle.phase = board.rules.phases.iter().position(|phase| phase.id == id).expect("a phase") as u8;
}

/// A die has six faces, one of each kind.
#[test]
fn fact_b2() {
    let mut dice = rules().rolls.iter().filter(|roll| roll.id == "close");
    let said = format!("{:?}", dice.next().expect("a roll").mechanic);
    for face in ["light", "medium", "heavy", "leader", "flag", "swords"] {
        assert_eq!(said.matches(&format!("label: \"{face}\"")).count(), 1, "{face} in {said}");
    }
}

/// Each type has its blocks, symbol, hexes moved, dice, dice to battle back, range, and hexes of retreat per flag.
#[test]
fn facts_b3_b4_b8_b13_b17_b19_b23() {
    const LIGHT: i16 = 0;
    const MEDIUM: i16 = 1;
    const HEAVY: i16 = 2;
    // Type, blocks (B3), class (B4), pace (B8), dice (B13), dice back (B19), range (B17), retreat (B23).
    let table = [
        ("light-infantry", 4, [LIGHT, 2, 2, 2, 2, 2]),
        ("light-bow", 4, [LIGHT, 2, 2, 2, 3, 2]),
        ("light-slingers", 4, [LIGHT, 2, 2, 2, 3, 2]),
        ("auxilia", 4, [LIGHT, 2, 3, 3, 2, 1]),
        ("warriors", 4, [MEDIUM, 1, 3, 3, 0, 2]),
        ("medium-infantry", 4, [MEDIUM, 1, 4, 4, 0, 1]),
        ("heavy-infantry", 4, [HEAVY, 1, 5, 5, 0, 1]),
        ("light-cavalry", 3, [LIGHT, 4, 2, 2, 2, 4]),
        ("light-bow-cavalry", 3, [LIGHT, 4, 2, 2, 3, 4]),
        ("medium-cavalry", 3, [MEDIUM, 3, 3, 3, 0, 3]),
        ("heavy-cavalry", 3, [HEAVY, 2, 4, 4, 0, 2]),
        ("camels", 3, [MEDIUM, 3, 3, 2, 0, 3]),
        ("heavy-chariot", 2, [HEAVY, 2, 4, 3, 0, 2]),
        ("barbarian-chariot", 3, [LIGHT, 3, 2, 2, 0, 3]),
        ("war-machine", 2, [HEAVY, 1, 2, 2, 6, 1]),
    ];
    for (kind, blocks, numbers) in table {
        let found = ["class", "pace", "dice", "back", "shoots", "flees"].map(|name| number(kind, name));
        assert_eq!(found, numbers, "{kind}");
        assert_eq!(
            rules().kinds.iter().find(|known| known.id == kind).map(|kind| kind.figures),
            Some(blocks),
            "{kind}"
        );
    }
    // Elephants roll their target's dice, and three against elephants (B16). A leader has no dice, and his pace is that
    // of a lone leader (B29).
    for (kind, blocks, numbers) in [("elephants", 2, [HEAVY, 2, 3, 3, 0, 1]), ("leader", 1, [LIGHT, 3, 0, 0, 0, 3])] {
        let found = ["class", "pace", "dice", "back", "shoots", "flees"].map(|name| number(kind, name));
        assert_eq!(found, numbers, "{kind}");
        assert_eq!(rules().kinds.iter().find(|known| known.id == kind).map(|kind| kind.figures), Some(blocks));
    }
}

/// All movement is over before any battle begins, and fire comes before close combat.
#[test]
fn facts_b5_b6_b9() {
    let of =
        |is: fn(&Mechanism) -> bool| rules().phases.iter().position(|phase| is(&phase.mechanism)).expect("a phase");
    let command = of(|mechanism| *mechanism == Mechanism::Command);
    let moves = of(|mechanism| *mechanism == Mechanism::Move);
    let fire = of(|mechanism| matches!(mechanism, Mechanism::Fire(_)));
    let close = of(|mechanism| *mechanism == Mechanism::CloseCombat);
    assert!(command < moves && moves < fire && fire < close);
    // A unit without orders does not fight.
    let mut board =
        Board::led(("attack", &[from("medium-infantry", From::Front)]), ("still", &[at("auxilia", (0, 0), 1)]));
    board.battle.units[0].hex.flags = Default::default();
    phase(&mut board, "close-combat");
    grognard_engine::step(board.rules, &board.setup, &mut board.battle, &mut grognard_dice::NoDice, &mut board.seen);
    assert_eq!(board.seen.rolls().count(), 0);
    // Nor does it shoot.
    for orders in [true, false] {
        let mut board = Board::new(&[at("light-bow", (0, 0), 1)], &[at("auxilia", (0, -2), 4)]);
        board.battle.units[0].hex.flags = if orders { hex::HexFlags::ORDERED } else { Default::default() };
        let (own, foe) = (board.south(0), board.north(0));
        let mut dice = grognard_dice::SeededDice::new(1815);
        let shot = hex::shoot(board.rules, &board.setup, &mut board.battle, own, foe, &mut dice, &mut board.seen);
        assert_eq!(shot.is_ok(), orders);
    }
}

/// The side that takes the agreed number of banners wins at once.
#[test]
fn fact_b7() {
    assert_eq!(rules().victory.banners, Some(6), "five to eight are usual");
}

/// Auxilia move a hex and fight, or move two and do not fight; warriors move two only to reach an enemy, and then must
/// fight; a war machine that has moved does neither.
#[test]
fn fact_b8() {
    let spent = |kind: &str, steps: u8| {
        let mut board =
            Board::led(("attack", &[from(kind, From::Front)]), ("still", &[at("light-infantry", (0, 0), 1)]));
        board.battle.units[0].hex.steps = steps;
        phase(&mut board, "close-combat");
        let mut dice = grognard_dice::SeededDice::new(1815);
        grognard_engine::step(board.rules, &board.setup, &mut board.battle, &mut dice, &mut board.seen);
        board.seen.rolls().count() == 0
    };
    assert!(!spent("auxilia", 1) && spent("auxilia", 2) && spent("war-machine", 1) && !spent("medium-infantry", 1));

    let warriors = |foe: (i32, i32)| Board::new(&[at("warriors", (0, 0), 1)], &[at("auxilia", foe, 4)]);
    let steps = |&(q, r): &(i32, i32)| (q.abs() + r.abs() + (q + r).abs()) / 2;
    assert!(warriors((0, -4)).destinations(0).iter().all(|place| steps(place) == 1));
    assert!(warriors((0, -3)).destinations(0).contains(&(0, -2)), "two hexes, with the enemy in front");
    let charge = |event: &Event| {
        matches!(event, Event::Hex(HexEvent::Provided { row, .. })
            if rules().hex.as_ref().is_some_and(|hex| hex.provisions[usize::from(*row)].deed == Provides::Charge))
    };
    let mut board = warriors((0, -2));
    board.march(0, &[Step(2)]).expect("a step");
    assert!(!board.seen.events().iter().any(charge), "one hex is no charge, even next to an enemy");
    let mut board = warriors((0, -3));
    board.march(0, &[Step(2), Step(2)]).expect("a charge");
    assert!(board.seen.events().iter().any(charge));
    phase(&mut board, "close-combat");
    let mut dice = grognard_dice::SeededDice::new(1815);
    grognard_engine::step(board.rules, &board.setup, &mut board.battle, &mut dice, &mut board.seen);
    assert!(board.seen.rolls().count() > 0, "it fights, whatever its doctrine");
    // Warriors that have not moved two hexes need not fight.
    let foe = [at("auxilia", (0, 0), 1)];
    let picky = ground(&["doctrine.attack.row.fight.when=\"foe.figures < 4\""]);
    let mut board = Board::under(picky, ("attack", &[from("warriors", From::Front)]), ("still", &foe));
    board.phase("close-combat", &mut grognard_dice::NoDice);
}

/// Under Double Time, warriors move two or three hexes only to reach an enemy, and then must fight. After one hex they
/// need not, and no other unit must.
#[test]
fn fact_b31_warriors() {
    let board =
        |kind: &str, foe: (i32, i32)| Board::new(&[at(kind, (0, 0), 1)], &[at("auxilia", foe, 4)]).card("double-time");
    let ends = board("warriors", (0, -4)).destinations(0);
    let middle = Point { x: 0, y: 0 };
    for &(x, y) in &ends {
        let (here, foe) = (Point { x, y }, Point { x: 0, y: -4 });
        assert!(hex::distance(here, middle) == 1 || hex::distance(here, foe) == 1, "{x}, {y}");
    }
    assert!(ends.contains(&(0, -1)) && ends.contains(&(0, -3)), "{ends:?}");
    board("warriors", (0, -4)).forbids(0, &[Step(2); 2], "house");
    let farther = [at("warriors", (0, 1), 1)];
    Board::new(&farther, &[at("auxilia", (0, -4), 4)]).card("double-time").forbids(0, &[Step(2); 4], "house");
    for (kind, hexes, fights) in
        [("warriors", 1, false), ("warriors", 2, true), ("warriors", 3, true), ("medium-infantry", 2, false)]
    {
        let mut board = board(kind, (0, -1 - hexes));
        board.march(0, &vec![Step(2); hexes as usize]).unwrap_or_else(|breach| panic!("{kind}, {hexes}: {breach:?}"));
        board.phase("close-combat", &mut grognard_dice::SeededDice::new(1815));
        assert_eq!(board.seen.rolls().count() > 0, fights, "{kind} after {hexes}");
    }
}

/// Swords hit for most units, helmets hit if a leader is near, and flags never hit.
#[test]
fn fact_b11() {
    let faces = ["swords", "leader", "flag", "light", "heavy"];
    let lost = |attacker: &str, faces: &[&str], led: bool| {
        let mut own = vec![from(attacker, From::Front)];
        own.extend(led.then(|| at("leader", (2, -2), 4)));
        let mut board =
            Board::new(&own, &[at("heavy-infantry", (0, 0), 1), at("auxilia", (-1, 0), 1), at("auxilia", (1, 0), 1)]);
        let target = board.north(0);
        board.attack(0, target, &[faces, &misses(5)].concat());
        4 - board.unit(target).figures
    };
    assert_eq!(lost("heavy-infantry", &faces, false), 2, "the red square and the sword");
    assert_eq!(lost("heavy-infantry", &faces, true), 3, "and the helmet");
    assert_eq!(lost("light-infantry", &["swords", "swords"], false), 0, "light foot does not hit with swords");
    assert_eq!(lost("auxilia", &["swords", "swords", "flag"], false), 2);
    for kind in ["light-bow", "light-slingers", "war-machine"] {
        assert_eq!(lost(kind, &["swords", "heavy"], false), 1, "{kind}");
    }
}

/// Warriors ignore a flag while at full strength.
#[test]
fn fact_b14() {
    let board = struck("light-infantry", From::Front, at("warriors", (0, 0), 1), &["flag", "leader"], 4);
    assert_eq!(board.place(board.north(0)), (0, 0));
    let board = struck("light-infantry", From::Front, at("warriors", (0, 0), 1).figures(3), &["flag", "leader"], 0);
    assert_ne!(board.place(board.north(0)), (0, 0));
    // Warriors ignore one flag, not two.
    let board = struck("light-infantry", From::Front, at("warriors", (0, 0), 1), &["flag", "flag"], 0);
    assert_ne!(board.place(board.north(0)), (0, 0));
    // They were at full strength when the combat began, so they battle back with four dice although they lose a block.
    let board = struck("light-infantry", From::Front, at("warriors", (0, 0), 1), &["medium", "leader"], 4);
    assert_eq!(board.unit(board.north(0)).figures, 3);
}

/// Cards add dice, and change how far units may move.
#[test]
fn facts_b31_b32() {
    let with = |kind: &str, card: &str| {
        let board = Board::new(&[from(kind, From::Front)], &[at("light-infantry", (0, 0), 1)]).card(card);
        board.targets(0)[0].1
    };
    assert_eq!([with("heavy-infantry", "none"), with("heavy-infantry", "clash-of-shields")], [5, 7]);
    assert_eq!([with("heavy-cavalry", "mounted-charge"), with("heavy-infantry", "mounted-charge")], [5, 5]);
    assert_eq!(with("heavy-infantry", "spartacus"), 6);
    // Card dice are added to those that terrain leaves: two dice into a forest (B32).
    let forest = ground(&["hex.terrain.forest.at=[\"0,0\"]"]);
    for target in ["heavy-infantry", "leader"] {
        for (kind, card, dice) in [
            ("heavy-infantry", "clash-of-shields", 2 + 2),
            ("heavy-infantry", "spartacus", 2 + 1),
            ("heavy-cavalry", "mounted-charge", 2 + 1),
            ("elephants", "clash-of-shields", 2 + 2),
            ("elephants", "spartacus", 2 + 1),
            ("elephants", "mounted-charge", 2 + 1),
        ] {
            let own = [from(kind, From::Front)];
            let enemy = [at(target, (0, 0), 1)];
            let board = Board::under(forest, ("still", &own), ("still", &enemy)).card(card);
            // Elephants have one die against a leader (B16).
            let less = i32::from(kind == "elephants" && target == "leader");
            assert_eq!(board.targets(0)[0].1, dice - less, "{kind} on {target} under {card}");
        }
    }
    // I Am Spartacus also adds its die to fire, after the limit of terrain.
    for (rules, moved, dice) in [(rules(), 0, 2 + 1), (rules(), 1, 1 + 1), (forest, 0, 1 + 1)] {
        let (archers, enemy) = ([at("light-bow", (0, 2), 1)], [at("medium-infantry", (0, 0), 4)]);
        let mut board = Board::under(rules, ("still", &archers), ("still", &enemy)).card("spartacus");
        board.battle.units[0].hex.steps = moved;
        let target = board.north(0);
        board.shoot(0, target, &misses(dice));
    }
    // Cards add no dice to battling back.
    for (kind, card, dice) in [
        ("heavy-infantry", "spartacus", [5 + 1, 4]),
        ("heavy-cavalry", "mounted-charge", [4 - 2 + 1, 4]),
        ("elephants", "spartacus", [4 + 1, 4]),
        ("elephants", "mounted-charge", [4 + 1, 4]),
    ] {
        let mut board = Board::new(&[from(kind, From::Front)], &[at("medium-infantry", (0, 0), 1)]).card(card);
        let target = board.north(0);
        board.attack(0, target, &misses(dice[0] + dice[1]));
        assert_eq!(board.dice(), dice, "{kind} under {card}");
    }
    // This is also true when elephants battle back.
    for (card, attacker) in [("spartacus", "medium-infantry"), ("mounted-charge", "medium-infantry")] {
        let mut board = Board::new(&[from(attacker, From::Front)], &[at("elephants", (0, 0), 1)]).card(card);
        let target = board.north(0);
        attack(&mut board, 0, &[]);
        assert_eq!((board.dice()[1], target), (4, board.north(0)), "under {card}");
    }
    let farthest = |kind: &str, card: &str| {
        let board = Board::new(&[at(kind, (0, 0), 1)], &[at("auxilia", (0, -4), 4)]).card(card);
        let steps = board.destinations(0).into_iter().map(|(q, r)| (q.abs() + r.abs() + (q + r).abs()) / 2);
        steps.max().unwrap_or(0)
    };
    for (kind, card, hexes) in [
        ("medium-infantry", "none", 1),
        ("medium-infantry", "double-time", 2),
        ("auxilia", "line-command", 1),
        ("heavy-cavalry", "none", 2),
        ("heavy-cavalry", "mounted-charge", 3),
        ("light-bow", "darken-the-sky", 0),
        ("heavy-infantry", "clash-of-shields", 0),
    ] {
        assert_eq!(farthest(kind, card), hexes, "{kind} under {card}");
    }
    let beside = [at("auxilia", (0, -2), 4)];
    for card in ["move-fire-move", "darken-the-sky"] {
        let mut board = Board::led(("attack", &[at("light-infantry", (0, -1), 1)]), ("still", &beside)).card(card);
        phase(&mut board, "close-combat");
        grognard_engine::step(
            board.rules,
            &board.setup,
            &mut board.battle,
            &mut grognard_dice::NoDice,
            &mut board.seen,
        );
        let fought = |event: &Event| matches!(event, Event::Hex(HexEvent::Declared { .. }));
        assert!(!board.seen.events().iter().any(fought), "no close combat under {card}");
    }
}

/// Terrain ends some moves, keeps some units from fighting on the turn they enter it, and caps dice.
#[test]
fn facts_b33_to_b38() {
    let into = |terrain: &str, kind: &str| {
        let rules = ground(&[&format!("hex.terrain.{terrain}.at=[\"0,-1\"]")]);
        let mut board = Board::under(rules, ("still", &[at(kind, (0, 0), 1)]), ("still", &[at("auxilia", (0, -4), 4)]));
        let may = board.march(0, &[Step(2)]).is_ok();
        let tired = board.unit(board.south(0)).hex.flags.has(grognard_engine::hex::HexFlags::TIRED);
        let mut board = Board::under(rules, ("still", &[at(kind, (0, 0), 1)]), ("still", &[at("auxilia", (0, -4), 4)]));
        (may, board.march(0, &[Step(2), Step(2)]).is_ok(), tired)
    };
    // The columns say whether the unit may enter, whether it may go on, and whether it can no longer fight.
    assert_eq!(into("forest", "light-infantry"), (true, false, false));
    assert_eq!(into("forest", "medium-cavalry"), (true, false, true));
    assert_eq!(into("ford", "medium-cavalry"), (true, false, false));
    assert_eq!(into("river", "medium-cavalry"), (false, false, false));
    assert_eq!(into("broken", "medium-cavalry"), (true, false, true));
    assert_eq!(into("broken", "light-infantry"), (true, true, false));
    assert_eq!(into("broken", "war-machine"), (false, false, false));
    assert_eq!(into("hill", "medium-cavalry"), (true, true, false));
    let dice = |terrain: &str, own: bool, kind: &str| {
        let place = if own { "1,-1" } else { "0,0" };
        let rules = ground(&[&format!("hex.terrain.{terrain}.at=[\"{place}\"]")]);
        let board =
            Board::under(rules, ("still", &[from(kind, From::Front)]), ("still", &[at("light-infantry", (0, 0), 1)]));
        board.targets(0)[0].1
    };
    for (terrain, own, kind, expected) in [
        ("forest", false, "heavy-infantry", 2),
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
        ("broken", true, "heavy-cavalry", 2),
        ("forest", true, "heavy-cavalry", 2),
        ("ford", true, "heavy-cavalry", 2),
        ("camp", true, "heavy-cavalry", 3),
    ] {
        assert_eq!(
            dice(terrain, own, kind),
            expected,
            "{kind}, {terrain} under {}",
            if own { "it" } else { "its target" }
        );
    }
    // Fire into a wood or out of a ford has one die.
    let forest = ground(&["hex.terrain.forest.at=[\"0,0\"]"]);
    let mut board =
        Board::under(forest, ("still", &[at("light-bow", (0, 2), 1)]), ("still", &[at("auxilia", (0, 0), 4)]));
    let target = board.north(0);
    board.shoot(0, target, &["leader"]);
    let ford = ground(&["hex.terrain.ford.at=[\"0,2\"]"]);
    let mut board =
        Board::under(ford, ("still", &[at("light-bow", (0, 2), 1)]), ("still", &[at("auxilia", (0, 0), 4)]));
    board.shoot(0, target, &["leader"]);
    // Foot in a camp ignores a sword and a flag.
    let camp = ground(&["hex.terrain.camp.at=[\"0,0\"]"]);
    let mut board = Board::under(
        camp,
        ("still", &[from("medium-infantry", From::Front)]),
        ("still", &[at("heavy-infantry", (0, 0), 1)]),
    );
    board.attack(0, target, &[&["swords", "flag", "leader", "leader"][..], &misses(4)].concat());
    assert_eq!((board.unit(target).figures, board.place(target)), (4, (0, 0)));
    // It ignores one of each, not two.
    let own = [from("medium-infantry", From::Front)];
    let mut board = Board::under(camp, ("still", &own), ("still", &[at("heavy-infantry", (0, 0), 1)]));
    board.attack(0, target, &["swords", "swords", "flag", "flag"]);
    assert_eq!((board.unit(target).figures, board.place(target) == (0, 0)), (3, false));
    // It also fires with one die fewer.
    let own = [at("light-bow", (0, 0), 1)];
    let mut board = Board::under(camp, ("still", &own), ("still", &[at("auxilia", (0, -2), 4)]));
    board.shoot(0, target, &["light"]);
    assert_eq!(board.unit(target).figures, 3);
}

/// A paid pivot counts as a hex of movement at any point during the move. Warriors may use it as the second hex of a
/// charge, which must end with an enemy in front and forces them to fight (A9, B8).
#[test]
fn reading_a9_for_warriors() {
    let warriors =
        |foe: (i32, i32), card: &str| Board::new(&[at("warriors", (0, 0), 1)], &[at("auxilia", foe, 4)]).card(card);
    // The enemy is west of the hex that the warriors step into, so it is not in front before the pivot.
    let mut board = warriors((-1, -1), "none");
    board.march(0, &[Step(2), Pivot(2)]).expect("a hex, and a turn that costs the other one");
    board.phase("close-combat", &mut grognard_dice::SeededDice::new(1815));
    assert!(board.seen.rolls().count() > 0, "it must fight");
    warriors((-1, -1), "double-time").march(0, &[Step(2), Pivot(2)]).expect("as many under Double Time");
    // The march is refused if there is no enemy in front, or no hex of movement left.
    warriors((0, -4), "none").forbids(0, &[Step(2), Pivot(2)], "house");
    warriors((-1, -1), "line-command").forbids(0, &[Step(2), Pivot(2)], "I.B.3");
}

/// A camp takes its die from those left after the penalty for a front, before the bonuses: zero, minus one, plus one is
/// zero (A2, B38).
#[test]
fn camps_take_a_die_that_a_front_has_taken() {
    let dice = |camp: bool| {
        let rules = ground(if camp { &["hex.terrain.camp.at=[\"0,0\"]"] } else { &[] });
        let own = [at("barbarian-chariot", (0, 0), 1)];
        let foe = [at("medium-infantry", (0, -1), 4)];
        let board = Board::under(rules, ("still", &own), ("still", &foe));
        board.targets(0).into_iter().map(|(_, dice)| dice).collect::<Vec<_>>()
    };
    assert_eq!(dice(false), [1], "2 - 2, and 1 at full strength");
    assert_eq!(dice(true), [0; 0], "2 - 2 - 1, and 1 at full strength");
}
