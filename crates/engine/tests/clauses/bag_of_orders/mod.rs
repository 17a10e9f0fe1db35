//! The clauses of `bag-of-orders`.

mod odds;

use std::sync::OnceLock;

use grognard_engine::{Flags, Side};
use grognard_rules::model::Rules;

use crate::common::{Game, Men, block_of, bounds, deployment, dice, load, profile, table, unit};

fn rules() -> &'static Rules {
    static RULES: OnceLock<Rules> = OnceLock::new();
    RULES.get_or_init(|| load("bag-of-orders"))
}

/// The indices of the counters.
const ORDERS: u8 = 0;
const PINS: u8 = 1;

/// A unit of the first side, with the middle of its front at this point.
fn own(kind: &str, north: f64) -> Men {
    unit(kind).at(0.0, north).facing(0.0)
}

/// A unit with this doctrine, facing an enemy at this distance. The enemy shoots without moving.
fn facing(doctrine: &str, kind: &str, foe: &str, inches: f64) -> Game {
    let foe = unit(foe).at(0.0, -17.0 + inches).facing(180.0);
    Game::under(rules(), (doctrine, &[own(kind, -17.0)]), ("stand", &[foe]))
}

/// Two units that shoot without moving.
fn duel(kind: &str, foe: &str, inches: f64) -> Game {
    facing("stand", kind, foe, inches)
}

/// Sections or other units of the first side, out of range of the second side's one section.
fn apart(kinds: &[&str]) -> Game {
    let men: Vec<Men> =
        (0_i32..).zip(kinds).map(|(at, kind)| own(kind, -13.0).at(12.0 * f64::from(at), -13.0)).collect();
    Game::under(rules(), ("stand", &men), ("stand", &[unit("section").at(0.0, 13.0).facing(180.0)]))
}

fn count(game: &Game, side: Side, counter: u8) -> i32 {
    game.unit(side, 0).counters.get(counter)
}

fn pin(game: &mut Game, side: Side, pins: i32) {
    game.unit_mut(side, 0).counters.set(PINS, pins);
}

/// The men that the target loses to one volley with these dice, and its pins afterwards.
#[track_caller]
fn volley(kind: &str, inches: f64, faces: &[i32]) -> (u16, i32) {
    let mut game = duel(kind, "section", inches);
    game.act(&[&[1][..], faces].concat());
    (game.second().start - game.second().figures, count(&game, Side::Second, PINS))
}

/// Each side's losses and pins after an assault with these dice.
#[track_caller]
fn assault(kind: &str, pins: [i32; 2], faces: &[i32]) -> ([u16; 2], [i32; 2]) {
    let mut game = duel(kind, "section", 2.0);
    pin(&mut game, Side::First, pins[0]);
    pin(&mut game, Side::Second, pins[1]);
    game.act(&[&[1][..], faces].concat());
    game.saw("assault");
    let lost = [game.first(), game.second()].map(|unit| unit.start - unit.figures);
    (lost, Side::BOTH.map(|side| count(&game, side, PINS)))
}

/// The size of the table and the arcs are house values.
#[test]
fn the_table_and_its_arcs() {
    assert_eq!(table(rules()), (48, 36, 45));
}

#[test]
fn clause_men() {
    for (kind, told) in [
        ("section", "foot, 5 of 200 x 100 in open; open 600; range 2400; chips 1, close 0, nerve 8, shots 1"),
        ("radio", "foot, 5 of 200 x 100 in open; open 600; range 2400; chips 2, close 0, nerve 8, shots 1"),
        ("gun-team", "foot, 3 of 200 x 100 in open; open 400; range 3600; chips 1, close 0, nerve 8, shots 2"),
        ("assault-group", "foot, 5 of 200 x 100 in open; open 600; range 1200; chips 1, close 1, nerve 9, shots 1"),
    ] {
        assert_eq!(profile(rules(), kind), told);
    }
    for (kind, men) in [("section", 5), ("radio", 5), ("gun-team", 3), ("assault-group", 5)] {
        assert_eq!(duel(kind, "section", 10.0).first().figures, men, "{kind}");
    }
    let mut game = duel("section", "section", 10.0);
    game.act(&[1, 5, 5, 5, 5, 1, 4, 4, 4, 4]);
    assert!(!game.second().gone(), "one is left");
    let mut game = duel("section", "section", 10.0);
    game.act(&[1, 5, 5, 5, 5, 5, 4, 4, 4, 4, 4]);
    assert!(game.second().gone());
    assert_eq!(game.outcome.and_then(|outcome| outcome.winner), Some(Side::First));
    game.saw("men");
}

#[test]
fn clause_bag() {
    // The bag has two chips for the first side and one for the second. With a radio, it has three and one.
    let mut game = apart(&["section", "section"]);
    game.act(&[3]);
    game.act(&[]);
    game.act(&[]);
    assert_eq!(game.activated(), [2, 0, 1]);
    assert!(!game.seen.cited().contains("leave"), "no chip is taken out");
    let mut radio = apart(&["section", "radio"]);
    radio.act(&[3]);
    radio.act(&[3]);
    assert_eq!(radio.activated(), [0, 2]);
    radio.act(&[]);
    radio.act(&[1, 1]);
    assert_eq!((radio.activated().len(), radio.battle.turn), (4, 1));
    radio.act(&[]);
    assert_eq!(radio.battle.turn, 2);
    radio.saw("bag");
}

#[test]
fn clause_leave() {
    let mut game = apart(&["section", "section"]);
    game.act(&[3]);
    let lost = game.unit_mut(Side::First, 1);
    (lost.figures, lost.flags) = (0, Flags::GONE);
    assert!(!game.seen.cited().contains("leave"), "it is gone, but its chip is still in the bag");
    game.act(&[]);
    assert!(game.specials().contains(&"1 chip of first is taken out of the bag."), "{:?}", game.specials());
    game.act(&[]);
    assert_eq!((game.activated(), game.battle.turn), (vec![2, 0], 2));
    assert!(game.specials().iter().all(|line| !line.contains("to no effect")), "{:?}", game.specials());
    game.saw("leave");
}

#[test]
fn clause_orders() {
    assert_eq!(bounds(rules(), "orders"), (0, 2));
    let mut game = apart(&["radio"]);
    game.act(&[1]);
    assert_eq!(count(&game, Side::First, ORDERS), 1);
    game.act(&[1, 1, 1]);
    assert_eq!(count(&game, Side::First, ORDERS), 2);
    game.act(&[]);
    game.act(&[]);
    assert_eq!((game.activated(), game.battle.turn), (vec![0, 0, 1], 2));
    assert_eq!(Side::BOTH.map(|side| count(&game, side, ORDERS)), [0, 0]);
    game.saw("orders");
    // An order that fails counts, and no third order is given.
    let mut lost = apart(&["radio"]);
    pin(&mut lost, Side::First, 6);
    lost.act(&[1, 6, 6]);
    assert_eq!(count(&lost, Side::First, ORDERS), 1);
    let mut third = apart(&["radio"]);
    third.unit_mut(Side::First, 0).counters.set(ORDERS, 2);
    third.act(&[]);
    assert_eq!(third.activated(), [1]);
}

#[test]
fn clause_test() {
    // The target is the unit's nerve (8, or 9 for an assault group), minus its pins and its earlier orders.
    for (kind, pins, orders, most) in [
        ("section", 2, 0, 6),
        ("section", 0, 1, 7),
        ("section", 1, 1, 6),
        ("radio", 1, 0, 7),
        ("gun-team", 1, 0, 7),
        ("assault-group", 1, 0, 8),
    ] {
        for (sum, acts) in [(most, true), (most + 1, false)] {
            let mut game = facing("close-in", kind, "section", 34.0);
            pin(&mut game, Side::First, pins);
            game.unit_mut(Side::First, 0).counters.set(ORDERS, orders);
            let before = game.first().front;
            // Gun teams that have moved are in range, so they shoot.
            let shots = if acts && kind == "gun-team" { &[1; 6][..] } else { &[] };
            game.act(&[&[1, sum / 2, sum - sum / 2][..], shots].concat());
            assert_eq!(game.first().front != before, acts, "{kind} with {pins} pins: {sum}");
            assert_eq!(count(&game, Side::First, ORDERS), orders + 1);
            game.saw("test");
        }
    }
    // Without pins, the first order needs no test.
    facing("close-in", "section", "section", 34.0).act(&[1]);
}

#[test]
fn clause_shed() {
    for (pins, faces, left) in [(2, [3, 3], 1), (1, [3, 3], 0), (2, [3, 4], 2)] {
        let mut game = apart(&["section"]);
        pin(&mut game, Side::First, pins);
        game.act(&[1, faces[0], faces[1]]);
        assert_eq!(count(&game, Side::First, PINS), left);
        game.saw(if left < pins { "shed" } else { "test" });
    }
    // A unit without pins that tests for its second order has none to remove.
    let mut none = apart(&["section"]);
    none.unit_mut(Side::First, 0).counters.set(ORDERS, 1);
    none.act(&[1, 3, 3]);
    none.saw("test");
    assert!(!none.seen.cited().contains("shed"));
}

/// Sections of the first side with these men, positions and pins, and an enemy that is too far away to shoot at.
fn regrouping(doctrine: &str, sections: &[(u16, f64, i32)], places: usize) -> Game {
    let men = |&(men, east, _): &(u16, f64, i32)| own("section", -17.0).at(east, -17.0).figures(men);
    let mut all: Vec<Men> = sections.iter().map(men).collect();
    all.extend((0..places).map(|_| unit("section").part()));
    let mut game = Game::under(rules(), (doctrine, &all), ("stand", &[unit("section").at(0.0, 17.0).facing(180.0)]));
    for (at, &(_, _, pins)) in (0..).zip(sections) {
        game.unit_mut(Side::First, at).counters.set(PINS, pins);
    }
    game
}

/// The men in each unit of the first side that is on the table.
fn men_of(game: &Game) -> Vec<u16> {
    let units = game.battle.side(Side::First).map(|id| *game.battle.unit(id));
    units.filter(|unit| !unit.gone()).map(|unit| unit.figures).collect()
}

#[test]
fn clause_split() {
    for (men, pins, after) in [(5, 0, &[3, 2][..]), (4, 0, &[2, 2]), (3, 0, &[3]), (5, 2, &[5])] {
        let mut game = regrouping("split", &[(men, 0.0, pins)], 1);
        // A pinned unit tests first and removes one pin.
        let faces = if pins > 0 { &[1, 1, 1][..] } else { &[1] };
        game.act(faces);
        assert_eq!(men_of(&game), after, "{men} men with {pins} pins");
        // The part has no chip in this turn: only the enemy's chip is left.
        game.act(&[]);
        assert_eq!((game.battle.turn, game.activated().len()), (1, 2));
        game.act(&[]);
        assert_eq!(game.battle.turn, 2);
        if after.len() == 2 {
            game.saw("split");
            // There are now two chips against one, and the third is the enemy's.
            game.act(&[3]);
            assert_eq!(game.activated().last(), Some(&2));
        }
    }
    // A unit with one pin splits if the test removes the pin.
    let mut shed = regrouping("split", &[(5, 0.0, 1)], 1);
    shed.act(&[1, 1, 1]);
    assert_eq!(men_of(&shed), [3, 2]);
}

#[test]
fn clause_join() {
    // The units are two inches wide, so they are six inches apart when their centres are eight inches apart.
    for (men, apart, after) in [
        ([2, 3], 8.0, &[5][..]),
        ([1, 3], 8.0, &[4]),
        ([2, 3], 8.1, &[2, 3]),
        ([2, 4], 8.0, &[2, 4]),
        ([3, 1], 8.1, &[3, 1]),
    ] {
        let mut game = regrouping("join", &[(men[0], 0.0, 0), (men[1], apart, 2)], 0);
        game.act(&[1]);
        assert_eq!(men_of(&game), after, "{men:?} {apart} inches apart");
        if after.len() == 1 {
            game.saw("join");
            let joined = game.battle.side(Side::First).map(|id| *game.battle.unit(id)).find(|unit| !unit.gone());
            assert_eq!(joined.map(|unit| unit.counters.get(PINS)), Some(2), "the more pins");
            // The joined unit does not act again in this turn.
            game.act(&[]);
            game.act(&[]);
            assert_eq!((game.battle.turn, game.activated().len()), (2, 2));
        }
    }
    // A section of three men does not join another.
    let mut three = regrouping("join", &[(3, 0.0, 0), (2, 8.0, 2)], 0);
    three.act(&[1]);
    assert_eq!(men_of(&three), [3, 2]);
}

#[test]
fn clause_move() {
    assert_eq!(rules().movement.narrow, 300, "at most three inches wide, no unit has to wheel");
    for (kind, pace) in [("section", 6.0), ("radio", 6.0), ("gun-team", 4.0), ("assault-group", 6.0)] {
        let mut game = facing("storm", kind, "section", 34.0);
        let before = game.first().front.y;
        let chip = if kind == "gun-team" { &[1, 1, 1, 1, 1, 1, 1][..] } else { &[1] };
        game.act(chip);
        assert_eq!(f64::from(game.first().front.y - before) / 100.0, pace, "{kind}");
        game.saw("move");
    }
    let mut near = facing("storm", "section", "section", 6.0);
    near.act(&[1, 3, 2]);
    assert_eq!(near.second().front.y - near.first().front.y, 100);
    // Movement is the same in all directions: the unit goes straight towards an enemy behind it.
    let foe = unit("section").at(0.0, 17.0).facing(180.0);
    let mut behind = Game::under(rules(), ("storm", &[own("section", -17.0).facing(180.0)]), ("stand", &[foe]));
    let middle = behind.first().rect(rules()).centre().y;
    behind.act(&[1]);
    assert_eq!(behind.first().rect(rules()).centre().y - middle, 600);
    // Two men stand side by side. They can also shoot to the rear.
    let foe = unit("section").at(0.0, 10.0).facing(180.0);
    let mut rear = Game::under(rules(), ("stand", &[own("section", 0.0).facing(180.0)]), ("stand", &[foe]));
    let ground = rear.ground(&rear.first());
    assert_eq!((ground.width, ground.depth), (200, 100));
    rear.act(&[1, 1, 1, 1, 1, 1]);
}

#[test]
fn clause_shoot() {
    assert_eq!(dice(rules(), "shoot"), "d6, casualty d6");
    assert_eq!(volley("section", 10.0, &[4, 4, 4, 4, 4]), (0, 0));
    assert_eq!(volley("section", 10.0, &[5, 4, 4, 4, 4, 4]), (1, 1));
    assert_eq!(volley("section", 10.0, &[5, 4, 4, 4, 4, 3]), (0, 0));
    assert_eq!(volley("radio", 10.0, &[5, 4, 4, 4, 4, 4]), (1, 1));
    assert_eq!(volley("assault-group", 10.0, &[5, 4, 4, 4, 4, 4]), (1, 1));
    assert_eq!(volley("gun-team", 10.0, &[5, 4, 4, 4, 4, 5, 4, 4]), (2, 1));
    for (kind, inches) in [("section", 24.0), ("radio", 24.0), ("gun-team", 33.0), ("assault-group", 12.0)] {
        let dice = if kind == "gun-team" { 6 } else { 5 };
        volley(kind, inches, &vec![1; dice]);
        assert!(kind == "gun-team" || volley(kind, inches + 0.01, &[]) == (0, 0), "{kind}");
    }
    // Within two inches, it assaults instead of shooting.
    volley("section", 2.01, &[1, 1, 1, 1, 1]);
    volley("section", 2.0, &[2, 1]);
    let mut game = duel("section", "section", 10.0);
    game.act(&[1, 1, 1, 1, 1, 1]);
    game.saw("shoot");
}

#[test]
fn clause_range() {
    assert_eq!(volley("section", 12.0, &[5, 1, 1, 1, 1, 4]), (1, 1));
    let mut far = duel("section", "section", 12.01);
    far.act(&[1, 5, 5, 5, 5, 5]);
    assert_eq!(far.own_modifiers("shoot"), ["long-range"]);
    far.saw("range");
}

#[test]
fn clause_hurry() {
    let mut game = facing("close-in", "section", "section", 13.0);
    game.act(&[1, 5, 5, 5, 5, 5]);
    assert_eq!(game.own_modifiers("shoot"), ["moved"]);
    game.saw("hurry");
    let mut stays = facing("close-in", "section", "section", 12.0);
    stays.act(&[1, 5, 1, 1, 1, 1, 4]);
    assert!(stays.own_modifiers("shoot").is_empty());
}

#[test]
fn clause_shaky() {
    let mut game = duel("section", "section", 10.0);
    pin(&mut game, Side::First, 2);
    game.act(&[1, 3, 3, 5, 5, 5, 5, 5]);
    assert_eq!(game.own_modifiers("shoot"), ["under-fire"]);
    game.saw("shaky");
    // Once its only pin is removed, it shoots steadily.
    let mut steady = duel("section", "section", 10.0);
    pin(&mut steady, Side::First, 1);
    steady.act(&[1, 3, 3, 5, 1, 1, 1, 1, 4]);
    assert!(steady.own_modifiers("shoot").is_empty());
}

#[test]
fn clause_cover() {
    let game = |woods: (f64, f64)| {
        let ground = [block_of("woods", woods, (2.0, 2.0))];
        let foe = unit("section").at(0.0, 10.0).facing(180.0);
        Game::over(rules(), &ground, ("stand", &[own("section", 0.0)]), ("stand", &[foe]))
    };
    for between in [(0.0, 5.0), (0.0, 10.5)] {
        let mut game = game(between);
        game.act(&[1, 5, 5, 5, 5, 5]);
        assert_eq!(game.own_modifiers("shoot"), ["cover"]);
        game.saw("cover");
    }
    game((12.0, 5.0)).act(&[1, 5, 1, 1, 1, 1, 1]);
}

#[test]
fn clause_six() {
    // At long range, with one pin left, it would need a seven.
    let mut game = duel("section", "section", 13.0);
    pin(&mut game, Side::First, 2);
    game.act(&[1, 3, 3, 6, 1, 1, 1, 1, 3]);
    assert_eq!((game.second().figures, count(&game, Side::Second, PINS)), (5, 1));
    game.saw("six");
    assert_eq!(volley("section", 10.0, &[6, 5, 1, 1, 1, 3, 3]), (0, 1));
    assert_eq!(volley("section", 10.0, &[5, 5, 1, 1, 1, 3, 3]), (0, 0));
}

#[test]
fn clause_casualty() {
    assert_eq!(dice(rules(), "shoot"), "d6, casualty d6");
    assert_eq!(volley("section", 10.0, &[5, 5, 1, 1, 1, 4, 3]).0, 1);
    assert_eq!(volley("section", 10.0, &[5, 5, 1, 1, 1, 4, 6]).0, 2);
    let mut game = duel("section", "section", 10.0);
    game.act(&[1, 5, 1, 1, 1, 1, 4]);
    game.saw("casualty");
    let mut missed = duel("section", "section", 10.0);
    missed.act(&[1, 1, 1, 1, 1, 1]);
    assert!(!missed.seen.cited().contains("casualty"), "there is no hit");
}

#[test]
fn clause_pin() {
    assert_eq!(volley("section", 10.0, &[6, 6, 6, 1, 1, 4, 4, 4]), (3, 1));
    assert_eq!(volley("section", 10.0, &[5, 1, 1, 1, 1, 3]), (0, 0));
    let mut game = duel("section", "section", 10.0);
    pin(&mut game, Side::Second, 6);
    game.act(&[1, 6, 1, 1, 1, 1, 3]);
    assert_eq!(count(&game, Side::Second, PINS), 6);
    game.saw("pin");
}

#[test]
fn clause_assault() {
    assert_eq!(dice(rules(), "assault"), "d6 against d6");
    assert_eq!(assault("section", [0, 0], &[3, 1]), ([0, 2], [0, 1]));
    assert_eq!(assault("section", [0, 0], &[1, 4]), ([3, 0], [1, 0]));
    // The first side's test removes a pin.
    assert_eq!(assault("section", [2, 0], &[1, 1, 3, 1]), ([0, 1], [1, 1]));
    assert_eq!(assault("section", [0, 2], &[3, 4]), ([0, 1], [0, 3]));
    let mut fewer = duel("section", "section", 2.0);
    fewer.unit_mut(Side::Second, 0).figures = 3;
    fewer.act(&[1, 2, 1]);
    assert!(fewer.second().gone(), "five and two against three and one");
    duel("section", "section", 2.01).act(&[1, 1, 1, 1, 1, 1]);
}

#[test]
fn clause_close() {
    assert_eq!(assault("assault-group", [0, 0], &[3, 3]), ([0, 1], [0, 1]));
    let mut game = duel("section", "assault-group", 2.0);
    game.act(&[1, 3, 3]);
    assert_eq!(game.first().figures, 4);
    game.saw("close");
}

#[test]
fn clause_tie() {
    for kind in ["section", "radio"] {
        assert_eq!(assault(kind, [0, 0], &[3, 3]), ([1, 1], [0, 0]));
    }
    let mut game = duel("gun-team", "section", 2.0);
    game.act(&[1, 4, 2]);
    assert_eq!((game.first().figures, game.second().figures), (2, 4));
    game.saw("tie");
}

#[test]
fn clause_rally() {
    assert_eq!(dice(rules(), "rally"), "d3");
    for (pins, face, left) in [(4, 1, 2), (4, 2, 1), (4, 3, 0), (5, 2, 2)] {
        // A unit that rallies neither shoots nor assaults, at any distance.
        for inches in [2.0, 10.0] {
            let mut game = duel("section", "section", inches);
            pin(&mut game, Side::First, pins);
            game.act(&[1, 1, 1, face]);
            assert_eq!(count(&game, Side::First, PINS), left, "{pins} {face}");
            game.saw("rally");
        }
    }
    // A unit that is thrown back with its third pin also rallies.
    assert_eq!(assault("section", [3, 0], &[1, 1, 1, 2, 2]), ([3, 0], [1, 0]));
    // Nor does it move.
    for doctrine in ["close-in", "storm"] {
        for (pins, faces) in [(4, &[1, 1, 1, 1][..]), (3, &[1, 1, 1][..])] {
            let mut game = facing(doctrine, "section", "section", 34.0);
            pin(&mut game, Side::First, pins);
            let before = game.first().front;
            game.act(faces);
            assert_eq!(game.first().front == before, pins == 4, "{doctrine}");
        }
    }
}

#[test]
fn clause_end() {
    let points = rules().victory.points.as_ref().expect("points");
    assert_eq!(points.rows.iter().map(|row| row.points).collect::<Vec<_>>(), [1], "a point for each man");
    for (figures, winner) in [([5, 4], Some(Side::First)), ([3, 4], Some(Side::Second)), ([4, 4], None)] {
        let mut plan =
            deployment(("stand", &[own("section", -13.0)]), ("stand", &[unit("section").at(0.0, 13.0).facing(180.0)]));
        plan.turns = 1;
        let mut game = Game::planned(rules(), &plan);
        for (side, figures) in Side::BOTH.into_iter().zip(figures) {
            game.unit_mut(side, 0).figures = figures;
        }
        game.act(&[1]);
        game.act(&[]);
        game.act(&[]);
        assert_eq!(game.outcome.expect("the last turn is over").winner, winner, "{figures:?}");
        game.saw("end");
    }
}
