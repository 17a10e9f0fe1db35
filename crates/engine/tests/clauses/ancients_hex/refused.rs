//! Facts of the base game that invalid input violates, and other things that a pack may not contain.

use grognard_dice::SeededDice;
use grognard_engine::deploy;
use grognard_engine::hex::{self, Act};
use grognard_rules::library;
use grognard_source::{Absent, Override, Sources};

use super::orders::ordered;
use super::{Board, at, ground, plan, refused, rules};
use crate::common::witnessed;

/// The faults of the pack after some changes.
fn faults(changes: &[&str]) -> String {
    compiled(changes).expect_err("this pack is refused")
}

/// Compiles the pack after some changes. Returns its faults, if it has any.
fn compiled(changes: &[&str]) -> Result<(), String> {
    let mut sources = Sources::new();
    let mut pack = library::load("ancients-hex", None, &mut sources).expect("the pack loads");
    for change in changes {
        let file = sources.add("--set", *change);
        let change = Override::parse(file, &sources).expect("a change");
        pack.document.set(&change, Absent::Insert(grognard_rules::pack_schema())).expect("a path of the pack");
    }
    pack.compile(&sources).map(|_| ()).map_err(|faults| faults.render(&sources, false))
}

/// The board has 13 by 9 hexes, each with two neighbours towards each baseline.
#[test]
fn clause_b1() {
    let hex = rules().hex.as_ref().expect("a board of hexes");
    assert_eq!(hex.grid.len(), 13 * 5 + 12 * 4);
    let faults = refused(&[at("auxilia", (7, 0), 1)], &[at("auxilia", (0, -4), 4)]);
    assert!(faults[0].message.contains("B1"), "{}", faults[0].message);
    let mut board = Board::new(&[at("auxilia", (0, 0), 1)], &[at("auxilia", (0, -4), 4)]);
    let middle = hex.grid.at(0, 0);
    let north = (0..6).filter(|&direction| hex.grid.place(hex.grid.near(middle, direction)).1 == -1);
    assert_eq!(north.count(), 2, "two neighbours towards the northern baseline");
    board.march(0, &[Act::Step(1)]).expect("a front hex");
    board.saw("B1");
    // Two lines divide the board into three sections; a hex on a line belongs to two of them. A third of 13 + 2 is 5.
    let enemy = [at("auxilia", (0, -4), 4)];
    for (section, columns) in [("left", -6..=-2), ("centre", -2..=2), ("right", 2..=6)] {
        for column in -6..=6 {
            let there = ordered(rules(), &format!("order-four-{section}"), &[at("auxilia", (column, 0), 1)], &enemy);
            assert_eq!(there == [0], columns.contains(&column), "{section}: {column}");
        }
    }
}

/// A hex holds one unit, and a leader with it. No unit passes through others.
#[test]
fn clause_b10() {
    let faults = refused(&[at("auxilia", (0, 0), 1), at("auxilia", (0, 0), 1)], &[at("auxilia", (0, -4), 4)]);
    assert!(faults[0].message.contains("B10"), "{}", faults[0].message);
    let led = [at("auxilia", (0, 0), 1), at("leader", (0, 0), 1)];
    let mut board = Board::new(&led, &[at("auxilia", (0, -4), 4)]);
    board.march(0, &[Act::Step(1)]).expect("a front hex");
    assert_eq!(board.place(board.south(1)), (1, -1), "the leader goes with his unit");
    board.saw("B10");
    // No unit enters or passes a hex with a unit of either side; a hex with a lone friendly leader ends the move.
    let goes = |friends: &[&str], enemies: &[&str], acts: &[Act]| {
        let places = [(0, -1), (1, -1)];
        let mut own = vec![at("medium-cavalry", (0, 0), 1)];
        own.extend(friends.iter().zip(places).map(|(kind, place)| at(kind, place, 1)));
        let mut foes = vec![at("auxilia", (0, -4), 4)];
        foes.extend(enemies.iter().zip(places).map(|(kind, place)| at(kind, place, 4)));
        Board::new(&own, &foes).march(0, acts).is_ok()
    };
    let (in_them, past_them) = ([Act::Step(2)], [Act::Step(2), Act::Step(2)]);
    for (friends, enemies, enters, passes) in [
        (&[][..], &[][..], true, true),
        (&["auxilia", "auxilia"], &[], false, false),
        (&[], &["auxilia", "light-infantry"], false, false),
        (&["leader"], &[], true, false),
    ] {
        assert_eq!(goes(friends, enemies, &in_them), enters, "{friends:?} {enemies:?}");
        assert_eq!(goes(friends, enemies, &past_them), passes, "{friends:?} {enemies:?}");
    }
}

/// The deck has sixty cards: 27 section cards, 10 troop cards, 6 leadership cards and 17 tactics cards.
#[test]
fn clause_b30() {
    let deck = rules().hex.as_ref().and_then(|hex| hex.deck.as_ref()).expect("a deck");
    let count = |is: &dyn Fn(&grognard_rules::model::Card) -> bool| {
        deck.cards.iter().filter(|card| is(card)).map(|card| u32::from(card.count)).sum::<u32>()
    };
    assert_eq!(count(&|_| true), 60);
    assert_eq!(count(&|card| card.section.is_some()), 27);
    let troops = ["order-light", "order-medium", "order-heavy", "order-mounted"];
    assert_eq!(count(&|card| troops.contains(&card.id.as_str())), 10);
    assert_eq!(count(&|card| card.id == "leadership"), 6);
    // Command is the size of the hand: the number of cards, and of units ordered if a card gives no other number.
    let mut board = Board::new(&[at("auxilia", (0, 0), 1)], &[at("auxilia", (0, -4), 4)]);
    board.battle = board.setup.start.clone();
    board.phase("command", &mut SeededDice::new(1815));
    assert_eq!(board.battle.cards.hands[0].iter().filter(|card| card.is_some()).count(), 5);
    let six: Vec<_> = (-3..3).map(|column| at("auxilia", (column, 0), 1)).collect();
    assert_eq!(ordered(rules(), "order-light", &six, &[at("auxilia", (0, -4), 4)]).len(), 5);
    assert_eq!(deck.source.clauses().collect::<Vec<_>>(), ["B30"]);
    witnessed("B30");

    let empty: Vec<String> = deck.cards.iter().map(|card| format!("deck.card.{}.count=0", card.id)).collect();
    let empty: Vec<&str> = empty.iter().map(String::as_str).collect();
    let said = faults(&empty);
    assert!(said.contains("no cards to play (B30)"), "{said}");
}

/// No unit may start in a hex that is closed to it: no unit in a river, no war machine in broken ground (B35, B36).
#[test]
fn units_in_closed_terrain_are_refused() {
    for (terrain, kind, title) in [
        ("river", "auxilia", Some("river")),
        ("river", "leader", Some("river")),
        ("broken", "war-machine", Some("broken ground")),
        ("broken", "heavy-cavalry", None),
        ("ford", "auxilia", None),
    ] {
        let rules = ground(&[&format!("hex.terrain.{terrain}.at=[\"0,0\"]")]);
        let said = deploy(rules, &plan(("still", &[at(kind, (0, 0), 1)]), ("still", &[at("auxilia", (0, -4), 4)])));
        let faults: Vec<_> = said.err().into_iter().flatten().collect();
        assert_eq!(faults.len(), usize::from(title.is_some()), "{kind} in {terrain}");
        if let Some(title) = title {
            assert_eq!(faults[0].path, "south.0.at");
            assert!(faults[0].message.contains(title), "{}", faults[0].message);
        }
    }
}

#[test]
fn mixed_boards_are_refused() {
    assert!(faults(&["table.width=72", "table.depth=48"]).contains("belongs to a `plane` board"));
    assert!(faults(&["board=\"none\""]).contains("only a `hex` board has"));
    assert!(faults(&["hex.columns=12"]).contains("a board cannot have 12 columns"));
    let healed = faults(&["roll.leader-check.result.safe.own.gain=1"]);
    assert!(
        healed.contains("`own.gain` is not supported by the roll of a provision") && healed.contains("leader-check"),
        "{healed}"
    );
    assert!(faults(&["hex.terrain.forest.at=[\"40,0\"]"]).contains("there is no hex `40,0`"));
}

/// Light foot passes friends under Order Lights and Move-Fire-Move; no other unit does.
#[test]
fn fact_b10_light_foot() {
    let passes = |kind: &str, card: &str| {
        let own = [at(kind, (0, 0), 1), at("medium-infantry", (0, -1), 1)];
        let mut board = Board::new(&own, &[at("auxilia", (0, -4), 4)]).card(card);
        board.march(0, &[Act::Step(2), Act::Step(2)]).is_ok()
    };
    for (kind, card, may) in [
        ("light-infantry", "order-light", true),
        ("light-bow", "move-fire-move", true),
        ("light-infantry", "none", false),
        ("light-infantry", "order-two-centre", false),
        ("light-cavalry", "order-light", false),
        ("light-cavalry", "move-fire-move", false),
        ("medium-infantry", "double-time", false),
    ] {
        assert_eq!(passes(kind, card), may, "{kind} under {card}");
    }
    // It may not stop in their hex.
    let own = [at("light-infantry", (0, 0), 1), at("medium-infantry", (0, -1), 1)];
    let mut board = Board::new(&own, &[at("auxilia", (0, -4), 4)]).card("order-light");
    board.march(0, &[Act::Step(2)]).expect_err("one unit to a hex");
}

/// A lone leader moves three hexes, through friends with or without a leader, and joins a unit in the hex where he
/// ends.
#[test]
fn fact_b29_moves() {
    for led in [false, true] {
        let mut own = vec![at("leader", (0, 0), 1), at("auxilia", (0, -1), 1), at("auxilia", (0, -2), 1)];
        if led {
            own.push(at("leader", (0, -1), 1));
        }
        let position = || Board::new(&own, &[at("auxilia", (0, -4), 4)]);
        let mut board = position();
        board.march(0, &[Act::Step(2); 3]).expect("three hexes, through two units");
        assert_eq!(board.place(board.south(0)), (0, -3));
        assert!(position().march(0, &[Act::Step(2); 4]).is_err(), "no fourth hex");
        // He has already moved, so the unit that he has joined cannot move any more (B9), but it may turn.
        let mut board = position();
        board.march(0, &[Act::Step(2); 2]).expect("with the second unit");
        assert!(board.march(2, &[Act::Step(1)]).is_err());
        assert!(board.march(2, &[Act::Pivot(4)]).is_err());
        assert_eq!(board.destinations(2), []);
        board.march(2, &[Act::Turn(1)]).expect("a free turn");
        assert_eq!(board.place(board.south(0)), (0, -2));
        // A unit that moved before he joined it has not moved him. A unit takes along a leader who was with it before
        // it moved.
        let mut board = position();
        board.march(2, &[Act::Step(1)]).expect("its own move");
        board.march(0, &[Act::Step(2), Act::Step(2), Act::Step(1)]).expect("with it where it stands now");
        assert_eq!(board.place(board.south(0)), (1, -3));
        let id = board.south(0);
        let board = position();
        let whole = hex::reach(board.rules, &board.setup, &board.battle, id);
        assert_eq!(whole, hex::reach_by_marches(board.rules, &board.setup, &board.battle, id));
    }
}

/// Amounts beyond the limits of the game are refused, and so are amounts for provisions that take none.
#[test]
fn amounts_beyond_their_limits_are_refused() {
    let hexes =
        ["move", "warriors-charge", "range", "evade-light", "retreat", "retreat-from-beasts", "advance-cavalry"];
    let spines = ["turn-standing", "turn-moving", "pivot", "react-fast"];
    let counts =
        ["aside-line-command", "colours-camels", "swords-elephants", "flags-leader", "give-ground", "stand-fast"];
    let figures = ["pass-foe", "blocked", "rampage"];
    let each = |rows: &[&'static str], most: i32| rows.iter().map(|&row| (row, most)).collect::<Vec<_>>();
    let limits = [
        each(&hexes, 20),
        each(&["leader-flight"], 20),
        each(&spines, 3),
        each(&counts, 100),
        each(&figures, 100),
        each(&["rear-exit", "again"], 1),
    ]
    .concat();
    let with = |amount: &dyn Fn(i32) -> i32| -> Vec<String> {
        limits.iter().map(|&(row, most)| format!("provision.{row}.amount={}", amount(most))).collect()
    };
    let texts = |changes: &[String]| faults(&changes.iter().map(String::as_str).collect::<Vec<_>>());
    for beyond in [&(|_| -1) as &dyn Fn(i32) -> i32, &|most| most + 1] {
        let said = texts(&with(beyond));
        for &(row, most) in &limits {
            let amount = beyond(most);
            assert!(said.contains(&format!("the amount of provision `{row}` is {amount}")), "{said}");
            assert!(said.contains(&format!("it must lie between 0 and {most}")), "{said}");
        }
    }
    for within in [&(|_| 0) as &dyn Fn(i32) -> i32, &|most| most] {
        let changes = with(within);
        assert_eq!(compiled(&changes.iter().map(String::as_str).collect::<Vec<_>>()), Ok(()));
    }
    let said = faults(&["provision.retreat.amount=\"self.flees * 6\""]);
    assert!(said.contains("the amount of provision `retreat` can be 0 to 24"), "{said}");
    let said = texts(&["facing", "react-once", "battle-back"].map(|row| format!("provision.{row}.amount=1")));
    assert_eq!(said.matches("this provision has no amount").count(), 3, "{said}");
}
