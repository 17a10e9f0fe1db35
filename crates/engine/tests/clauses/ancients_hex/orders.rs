//! Facts of the base game about orders, B5, B7, B30 to B32: what each card orders, the sequence of play, and how the
//! battle ends.

use grognard_dice::{NoDice, ScriptedDice, SeededDice};
use grognard_engine::hex::{CardKind, HexFlags, Maybe};
use grognard_engine::{Event, Flags, HexEvent, Outcome, Steps, Unwitnessed};
use grognard_rules::model::{Activation, Rules};

use super::{Board, From, Men, at, card, from, ground, misses, rules};
use crate::common::Picks;

/// The numbers of the southern units that have orders.
fn with_orders(board: &Board) -> Vec<usize> {
    let units = board.battle.side(grognard_engine::Side::First).enumerate();
    units.filter(|&(_, id)| board.unit(id).hex.flags.has(HexFlags::ORDERED)).map(|(number, _)| number).collect()
}

/// The numbers of the southern units that a card orders, from a hand with no other card.
pub(super) fn ordered(rules: &'static Rules, id: &str, own: &[Men], enemies: &[Men]) -> Vec<usize> {
    let mut board = Board::under(rules, ("still", own), ("still", enemies));
    board.battle = board.setup.start.clone();
    board.battle.cards.hands[0] = [card(id); 8];
    board.phase("command", &mut SeededDice::new(1815));
    with_orders(&board)
}

/// A northern unit, far from all units.
fn far() -> [Men; 1] {
    [at("heavy-infantry", (0, -4), 4)]
}

/// Units side by side, from this column of the middle row.
fn row(kind: &str, from: i32, units: i32) -> Vec<Men> {
    (from..from + units).map(|column| at(kind, (column, 0), 1)).collect()
}

/// As many units as a card may order, in the southern three rows.
fn everybody(kind: &str) -> Vec<Men> {
    let rows = [(-7, 2, 13), (-7, 3, 12), (-8, 4, 5)];
    rows.into_iter()
        .flat_map(|(west, row, units)| (west..west + units).map(move |column| (column, row)))
        .map(|place| at(kind, place, 1))
        .collect()
}

/// Section cards order as many units as their names say, in their section, the nearest to the enemy first (B30).
#[test]
fn section_cards_order_units_of_their_sections() {
    let line = row("medium-infantry", -6, 13);
    for (section, units) in [("left", 0..=4), ("centre", 4..=8), ("right", 8..=12)] {
        for (word, number) in [("two", 2), ("three", 3), ("four", 4)] {
            let card = format!("order-{word}-{section}");
            let found = ordered(rules(), &card, &line, &far());
            assert_eq!(found.len(), number, "{card}");
            assert!(found.iter().all(|unit| units.contains(unit)), "{card}: {found:?}");
        }
    }
    let deep = [at("auxilia", (0, 3), 1), at("auxilia", (0, 0), 1), at("auxilia", (0, 1), 1)];
    assert_eq!(ordered(rules(), "order-two-centre", &deep, &far()), [1, 2]);
}

/// Each of the other cards orders units of certain types (B30 to B32).
#[test]
fn fact_b30_and_b31_and_b32() {
    let light_foot = ["light-infantry", "light-bow", "light-slingers", "auxilia"];
    let other_foot = ["warriors", "medium-infantry", "heavy-infantry", "war-machine"];
    let light_mounted = ["light-cavalry", "light-bow-cavalry", "barbarian-chariot"];
    let other_mounted = ["medium-cavalry", "camels", "heavy-cavalry", "heavy-chariot", "elephants"];
    let all = [&light_foot[..], &other_foot, &light_mounted, &other_mounted, &["leader"]].concat();
    let table: [(&str, Vec<&str>); 12] = [
        ("order-light", [&light_foot[..], &light_mounted].concat()),
        ("order-medium", vec!["warriors", "medium-infantry", "medium-cavalry", "camels"]),
        ("order-heavy", vec!["heavy-infantry", "war-machine", "heavy-cavalry", "heavy-chariot", "elephants"]),
        ("order-mounted", [&light_mounted[..], &other_mounted, &["leader"]].concat()),
        ("leadership", vec!["leader"]),
        ("move-fire-move", [&light_foot[..], &light_mounted].concat()),
        ("double-time", [&light_foot[..], &other_foot].concat()),
        ("clash-of-shields", vec![]),
        ("line-command", [&light_foot[..], &other_foot].concat()),
        ("mounted-charge", [&light_mounted[..], &other_mounted].concat()),
        ("spartacus", all.clone()),
        ("darken-the-sky", [&light_foot[..], &["war-machine", "light-cavalry", "light-bow-cavalry"]].concat()),
    ];
    for (card, kinds) in table {
        for kind in &all {
            let orders = ordered(rules(), card, &[at(kind, (0, 0), 1)], &far()) == [0];
            assert_eq!(orders, kinds.contains(kind), "{kind} by {card}");
        }
    }
    // Clash of Shields orders every unit next to an enemy.
    for kind in ["light-infantry", "heavy-cavalry", "war-machine"] {
        let pair = [from(kind, From::Front), at(kind, (4, 0), 1)];
        assert_eq!(ordered(rules(), "clash-of-shields", &pair, &[at("auxilia", (0, 0), 1)]), [0], "{kind}");
    }
}

/// A card orders as many units as Command, the size of the hand (five), unless it gives another number. Double Time
/// orders four, and a card for all units orders all of them (B30 to B32).
#[test]
fn cards_order_so_many_units() {
    for (card, kind, units) in [
        ("order-light", "light-infantry", 5),
        ("order-medium", "medium-infantry", 5),
        ("order-heavy", "heavy-infantry", 5),
        ("order-mounted", "heavy-cavalry", 5),
        ("move-fire-move", "light-infantry", 5),
        ("mounted-charge", "heavy-cavalry", 5),
        ("spartacus", "heavy-infantry", 5),
        ("double-time", "medium-infantry", 4),
        ("line-command", "medium-infantry", 7),
        ("darken-the-sky", "light-bow", 7),
    ] {
        assert_eq!(ordered(rules(), card, &row(kind, -3, 7), &far()).len(), units, "{card}");
    }
    for card in ["line-command", "darken-the-sky"] {
        assert_eq!(ordered(rules(), card, &everybody("light-bow"), &far()).len(), 30, "{card}");
    }
    // Every other row belongs to the enemy, so all units are next to one.
    let own: Vec<Men> = [(-6, 0, 13), (-7, 2, 13), (-8, 4, 4)]
        .into_iter()
        .flat_map(|(west, row, units)| (west..west + units).map(move |column| at("auxilia", (column, row), 1)))
        .collect();
    let enemies: Vec<Men> = [(-6, 1, 12), (-7, 3, 12)]
        .into_iter()
        .flat_map(|(west, row, units)| (west..west + units).map(move |column| at("auxilia", (column, row), 4)))
        .collect();
    assert_eq!(ordered(rules(), "clash-of-shields", &own, &enemies).len(), own.len());
    assert_eq!(own.len(), 30, "as many as a card may order");
}

/// Linked units are next to one another: a unit apart from the group gets no orders from a card for a group (B30, B31).
#[test]
fn cards_for_groups_order_linked_units() {
    let apart = [row("auxilia", 0, 2), row("auxilia", 4, 1)].concat();
    for card in ["double-time", "line-command"] {
        assert_eq!(ordered(rules(), card, &apart, &far()), [0, 1], "{card}");
    }
    assert_eq!(ordered(rules(), "order-light", &apart, &far()), [0, 1, 2]);
    // Leadership orders a leader and the units next to him. Another leader, farther away, orders no unit, and a unit
    // apart from the group is not led.
    let groups = [
        at("leader", (0, 0), 1),
        at("auxilia", (1, 0), 1),
        at("auxilia", (3, 0), 1),
        at("leader", (-5, 1), 1),
        at("auxilia", (-4, 1), 1),
    ];
    assert_eq!(ordered(rules(), "leadership", &groups, &far()), [0, 1]);
}

/// First Strike is kept for the enemy's turn: a hand with no other card orders one unit (B32).
#[test]
fn first_strike_is_kept() {
    assert_eq!(ordered(rules(), "first-strike", &row("auxilia", -2, 5), &far()).len(), 1);
    let mut board = Board::new(&row("auxilia", -2, 5), &far());
    board.battle = board.setup.start.clone();
    board.battle.cards.hands[0] = [card("first-strike"); 8];
    board.battle.cards.hands[0][3] = card("order-two-centre");
    board.phase("command", &mut SeededDice::new(1815));
    assert_eq!(board.battle.cards.now, card("order-two-centre"));
}

/// Both sides have hands of five cards each before the first card is played (B30), so the side attacked in the first
/// half-turn may strike first (B32).
#[test]
fn both_sides_have_hands_from_the_start() {
    let own = [from("medium-infantry", From::Front)];
    let mut board = Board::led(("still", &own), ("line", &[at("heavy-infantry", (0, 0), 1)]));
    let south = ["order-two-left", "order-two-centre", "order-two-right", "order-three-left", "order-four-left"];
    let north = ["order-light", "order-medium", "first-strike", "order-heavy", "leadership"];
    let mut dice = ScriptedDice::new([&south[..], &north, &["double-time"]].concat());
    board.phase("command", &mut dice);
    dice.finish();
    let held = |hand: [Maybe<CardKind>; 8]| hand.into_iter().filter(|card| card.is_some()).count();
    assert_eq!(board.battle.cards.hands.map(held), [5, 5]);
    // The defender strikes first with five dice, two of which hit. The attacker has four.
    let target = board.north(0);
    board.attack(0, target, &[&["order-two-left", "medium", "swords"][..], &misses(3 + 4)].concat());
    assert_eq!((board.dice(), board.unit(board.south(0)).figures), (vec![5, 4], 2));
}

/// Without cards, every unit has orders, or as many as the activation gives, the nearest to the enemy first.
#[test]
fn orders_without_cards() {
    let plain = |changes: &[&str]| {
        let rules = ground(&[&["deck.on=false"], changes].concat());
        let mut board = Board::under(rules, ("still", &everybody("auxilia")), ("still", &far()));
        board.battle = board.setup.start.clone();
        board.phase("command", &mut SeededDice::new(1815));
        with_orders(&board).len()
    };
    assert_eq!([plain(&[]), plain(&["activation.orders=3"])], [30, 3]);
    assert!(matches!(*rules().activation, Activation::Orders(200)), "as many as an army may have");
}

/// The same units have orders whether or not the battle is watched. A lost unit has none, nor does a leader with a
/// unit, because he goes with it (B5, B10).
#[test]
fn orders_go_to_units_that_can_use_them() {
    let own = [at("auxilia", (0, -1), 1), at("leader", (0, 0), 1), at("auxilia", (0, 0), 1), at("auxilia", (0, 2), 1)];
    for (orders, expected) in [(1, &[2][..]), (2, &[2, 3]), (200, &[2, 3])] {
        let rules = ground(&["deck.on=false", &format!("activation.orders={orders}")]);
        let mut board = Board::under(rules, ("still", &own), ("still", &far()));
        board.battle = board.setup.start.clone();
        board.battle.units[0].flags = Flags::GONE;
        let mut unseen = board.battle.clone();
        board.phase("command", &mut NoDice);
        assert_eq!(with_orders(&board), expected, "{orders}");
        unseen.phase = rules.phases.iter().position(|phase| phase.id == "command").expect("a phase") as u8;
        grognard_engine::step(rules, &board.setup, &mut unseen, &mut NoDice, &mut Unwitnessed);
        board.battle = unseen;
        assert_eq!(with_orders(&board), expected, "{orders}, without a witness");
    }
}

/// Played cards are shuffled when the deck is empty, and not before (B30).
#[test]
fn played_cards_come_back_when_the_deck_is_empty() {
    let deck = rules().hex.as_ref().and_then(|hex| hex.deck.as_ref()).expect("a deck");
    let place = |id: &str| deck.cards.iter().position(|card| card.id == id).expect("a card");
    let (shield, spartacus) = (place("clash-of-shields"), place("spartacus"));
    for (left, drawn) in [(0, "order-light"), (1, "spartacus")] {
        let mut board = Board::new(&row("auxilia", 0, 1), &far());
        board.battle = board.setup.start.clone();
        // Both hands hold the same card, and all others but those of Spartacus have been played.
        board.battle.cards.hands = [[card("clash-of-shields"); 8]; 2];
        for (kind, of_kind) in deck.cards.iter().enumerate() {
            board.battle.cards.played[kind] = of_kind.count - if kind == spartacus { left } else { 0 };
        }
        board.battle.cards.played[shield] = 0;
        let mut dice = ScriptedDice::new([drawn]);
        board.phase("command", &mut dice);
        dice.finish();
        let played = board.battle.cards.played.iter().map(|&played| u32::from(played)).sum::<u32>();
        assert_eq!(played == 0, left == 0, "{played} cards lie beside the deck");
    }
    // With most of the deck left, no card comes back.
    let mut board = Board::new(&row("auxilia", 0, 1), &far());
    board.battle = board.setup.start.clone();
    board.battle.cards.hands = [[card("order-light"); 8]; 2];
    board.phase("command", &mut SeededDice::new(1815));
    assert_eq!(board.battle.cards.played[place("order-light")], 1);
}

/// A unit fires once per turn, and twice under Darken the Sky (B17, B32).
#[test]
fn darken_the_sky_shoots_twice() {
    for (played, shots) in [("none", 1), ("order-light", 1), ("darken-the-sky", 2)] {
        let foe = [at("medium-infantry", (0, -3), 4)];
        let mut board = Board::led(("line", &[at("light-bow", (0, 0), 1)]), ("still", &foe)).card(played);
        let mut dice = SeededDice::new(1815);
        for phase in ["fire", "second-shot"] {
            board.phase(phase, &mut dice);
        }
        let fired = |event: &&Event| matches!(event, Event::Hex(HexEvent::Declared { .. }));
        assert_eq!(board.seen.events().iter().filter(fired).count(), shots, "under {played}");
    }
}

/// If neither side has taken six banners by the last turn, the battle is a draw, whichever side has lost fewer units
/// (B7).
#[test]
fn fact_b7_draws() {
    let enemies = [at("auxilia", (0, 0), 1).figures(1), at("auxilia", (0, -4), 4)];
    let mut board = Board::new(&[from("medium-infantry", From::Front)], &enemies);
    let target = board.north(0);
    board.attack(0, target, &["light", "leader", "leader", "leader"]);
    assert!(board.unit(target).gone());
    let mut dice = SeededDice::new(1815);
    let mut end: Option<Outcome> = None;
    for _ in 0..1000 {
        end = grognard_engine::step(board.rules, &board.setup, &mut board.battle, &mut dice, &mut board.seen);
        if end.is_some() {
            break;
        }
    }
    let end = end.expect("twelve turns have an end");
    assert_eq!((end.winner, end.turns), (None, 12));
    assert_eq!([end.sides.first.routed_units, end.sides.second.routed_units], [0, 1]);
}

/// Left and right are those of the side that plays the card (B1, B30): the south's left is the north's right.
#[test]
fn sections_are_those_of_the_side_that_plays() {
    let line = row("medium-infantry", -6, 13);
    for (id, units) in [("order-four-left", 8..=12), ("order-four-centre", 4..=8), ("order-four-right", 0..=4)] {
        let mut board = Board::new(&[at("heavy-infantry", (-2, 4), 1)], &line);
        board.battle = board.setup.start.clone();
        board.battle.active = grognard_engine::Side::Second;
        board.battle.cards.hands[1] = [card(id); 8];
        board.phase("command", &mut SeededDice::new(1815));
        let north = board.battle.side(grognard_engine::Side::Second).enumerate();
        let ordered = north.filter(|&(_, unit)| board.unit(unit).hex.flags.has(HexFlags::ORDERED));
        let ordered: Vec<usize> = ordered.map(|(number, _)| number).collect();
        assert!(ordered.len() == 4 && ordered.iter().all(|unit| units.contains(unit)), "{id}: {ordered:?}");
    }
}

/// The side's player chooses which units a card orders (B30), including a card for linked units (B31). Each set of
/// units is one choice.
#[test]
fn a_player_chooses_whom_a_card_orders() {
    let chosen = |id: &str, own: &[Men], places: &[usize]| {
        let mut board = Board::under(rules(), ("still", own), ("still", &far()));
        board.battle = board.setup.start.clone();
        board.battle.cards.hands[0] = [card(id); 8];
        board.battle.phase = rules().phases.iter().position(|phase| phase.id == "command").expect("a phase") as u8;
        let mut player = Picks::new(places.iter().copied());
        let mut steps = Steps::new(board.rules, &board.setup);
        steps.step_as(&mut board.battle, &mut SeededDice::new(1815), &mut board.seen, &mut player);
        (player.offered, with_orders(&board))
    };
    let deep = [at("auxilia", (0, 3), 1), at("auxilia", (0, 0), 1), at("auxilia", (0, 1), 1)];
    assert_eq!(chosen("order-two-centre", &deep, &[]), (vec![vec![1, 2], vec![2, 0]], vec![1, 2]));
    // If the nearest is not chosen, the other two have orders.
    assert_eq!(chosen("order-two-centre", &deep, &[1]), (vec![vec![1, 2]], vec![0, 2]));
    assert_eq!(chosen("order-two-centre", &deep, &[0, 1]), (vec![vec![1, 2], vec![2, 0]], vec![0, 1]));
    // Any of four units of foot may be the first, and each further unit must be next to one of those chosen.
    let foot = row("medium-infantry", 0, 3);
    let all = [&foot[..], &[at("medium-infantry", (-6, 3), 1)]].concat();
    let (offered, units) = chosen("double-time", &all, &[3]);
    assert_eq!((offered[0].len(), units), (4, vec![3]));
    let (offered, units) = chosen("double-time", &all, &[1, 1]);
    assert_eq!((offered[1].len(), units), (2, vec![0, 1, 2]));
}

/// Even without cards, a player chooses which units get orders if there are fewer orders than units.
#[test]
fn a_player_chooses_who_gets_the_orders() {
    let own = [at("auxilia", (0, 0), 1), at("auxilia", (0, 1), 1)];
    let few = ground(&["deck.on=false", "activation.orders=1"]);
    let mut board = Board::under(few, ("still", &own), ("still", &far()));
    board.battle = board.setup.start.clone();
    board.battle.phase = few.phases.iter().position(|phase| phase.id == "command").expect("a phase") as u8;
    let mut player = Picks::new([1]);
    Steps::new(few, &board.setup).step_as(&mut board.battle, &mut NoDice, &mut board.seen, &mut player);
    assert_eq!((player.offered, with_orders(&board)), (vec![vec![0, 1]], vec![1]));
}
