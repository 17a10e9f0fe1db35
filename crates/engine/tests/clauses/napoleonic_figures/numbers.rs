//! Plays out the value of every modifier and the effect of every result in fire, morale, rally and shock.

use grognard_engine::{Event, RollEvent, Side};
use grognard_rules::model::Contestant;

use super::{far_away, figure, s6, skirmishers};
use crate::common::{Game, Men, drill, line_of, modifiers_of, unit};

/// Modifiers, and their total.
type Worth = (&'static [&'static str], i32);
/// A description, the shooters, the targets, and the modifiers and total for the fire of the first shooter.
type Shot = (&'static str, Vec<Men>, Vec<Men>, Worth);
/// A description, the chargers, the defender, the dice of closing fire, and the modifiers and totals for the charger's
/// and the defender's dice.
type Fight = (&'static str, Vec<Men>, Men, usize, Worth, Worth);
/// A description, the charger, the defender, the dice of closing fire, and the modifiers and total for the defender's
/// test.
type Test = (&'static str, Men, Men, usize, Worth);

/// The modifiers of a roll on one contestant's numbers, and their total.
fn worth(game: &Game, event: &RollEvent, whose: Contestant) -> (Vec<String>, i32) {
    let inputs = &game.rules.rolls[event.roll].inputs;
    let added = inputs.iter().zip(event.inputs.iter().zip(&event.bases)).filter(|(input, _)| input.by == whose);
    let added = added.map(|(_, (with, without))| with - without).sum();
    (modifiers_of(game.rules, event, whose).into_iter().map(str::to_owned).collect(), added)
}

/// The last roll of this name by this unit of the battle.
fn roll_of<'g>(game: &'g Game, id: &str, unit: usize) -> &'g RollEvent {
    let is = |roll: &&RollEvent| game.rules.rolls[roll.roll].id == id && roll.own.index() == unit;
    game.seen.rolls().rev().find(is).unwrap_or_else(|| panic!("{unit} did not roll for {id}"))
}

/// The row of the result table that a roll produced.
fn result<'g>(game: &'g Game, event: &RollEvent) -> &'g str {
    let roll = &game.rules.rolls[event.roll];
    &roll.results[usize::from(roll.outcomes[usize::from(event.outcome)].row)].id
}

#[track_caller]
fn assert_worth((names, added): (Vec<String>, i32), expected: (&[&str], i32), what: &str) {
    assert_eq!(
        (names.iter().map(String::as_str).collect::<Vec<_>>(), added),
        (expected.0.to_vec(), expected.1),
        "{what}"
    );
}

fn foot(kind: &str) -> Men {
    unit(kind).figures(6).at(0.0, 5.0).facing(180.0)
}

fn guns(north: f64) -> Men {
    unit("field-battery").cannon(3).at(0.0, north).facing(180.0)
}

fn battery() -> Men {
    unit("field-battery").cannon(3).at(0.0, 0.0).facing(0.0)
}

/// The modifiers of the fire of the first shooter against the first target, and their total on each die. Needing a
/// lower number counts as rolling a higher one.
fn fired(game: &Game) -> (Vec<String>, i32) {
    let (names, needed) = worth(game, game.roll("fire"), Contestant::Own);
    (names, -needed)
}

/// Each modifier of fire adds the value of its row to the dice.
#[test]
fn every_modifier_of_fire_adds_what_its_row_says() {
    let fire = |shooters: &[Men], targets: &[Men]| {
        let mut game = Game::new(("fire-only", shooters), ("hold", targets));
        game.play_fire();
        fired(&game)
    };
    let column = |kind: &str| foot(kind).formation("column");
    let behind = || unit("line-battalion").formation("column").at(0.0, 6.2).facing(180.0);
    let raking = unit("field-battery").cannon(3).at(-11.5, -0.25).facing(90.0);
    let cases: [Shot; 17] = [
        ("a line at a line", vec![foot("line-battalion")], vec![s6()], (&[], 0)),
        ("a column", vec![foot("line-battalion")], vec![s6().formation("column")], (&["massed-target"], 2)),
        ("a raked line", vec![raking], vec![s6()], (&["enfilade"], 2)),
        (
            "a line with another behind",
            vec![foot("line-battalion")],
            vec![s6(), s6().at(0.0, -1.0)],
            (&["friend-behind"], 2),
        ),
        ("two ranks", vec![foot("two-rank-battalion")], vec![s6()], (&["two-rank-line"], -1)),
        ("two ranks in column", vec![column("two-rank-battalion")], vec![s6()], (&["two-rank-line", "column-head"], 0)),
        (
            "two ranks, and a third behind",
            vec![foot("two-rank-battalion"), behind()],
            vec![s6()],
            (&["two-rank-line", "lined-from-behind"], 0),
        ),
        ("skirmishers", vec![foot("line-battalion")], vec![skirmishers(4).at(0.0, 0.0)], (&["open-target"], -1)),
        ("two inches", vec![foot("line-battalion").at(0.0, 2.0)], vec![s6()], (&["close-range"], 1)),
        ("more than two inches", vec![foot("line-battalion").at(0.0, 2.1)], vec![s6()], (&[], 0)),
        ("guns at two inches", vec![guns(2.0)], vec![s6()], (&["canister"], 1)),
        ("guns at eight inches", vec![guns(8.0)], vec![s6()], (&["canister"], 1)),
        ("guns at more", vec![guns(8.1)], vec![s6()], (&[], 0)),
        ("disordered", vec![foot("line-battalion").morale("disordered")], vec![s6()], (&["disordered-fire"], -1)),
        ("disordered guns", vec![guns(10.0).morale("disordered")], vec![s6()], (&[], 0)),
        ("guns in action", vec![foot("line-battalion")], vec![battery()], (&[], 0)),
        (
            "a square",
            vec![foot("line-battalion")],
            vec![unit("line-battalion").formation("square").at(0.0, 0.0).facing(0.0)],
            (&["massed-target"], 2),
        ),
    ];
    for (what, shooters, targets, expected) in cases {
        assert_worth(fire(&shooters, &targets), expected, what);
    }
    let hedge = [line_of("hedge", (-6.0, 0.15), (6.0, 0.15))];
    let lined = |north: f64, targets: Men| {
        let shooter = foot("line-battalion").at(0.0, north);
        let mut game = Game::over(drill(), &hedge, ("fire-only", &[shooter]), ("hold", &[targets]));
        game.play_fire();
        fired(&game)
    };
    let loose = |formation: &str| skirmishers(4).formation(formation).at(0.0, 0.0);
    assert_worth(lined(5.0, s6()), (&["in-cover"], -1), "behind a hedge");
    assert_worth(lined(5.0, loose("skirmish")), (&["open-target"], -1), "half open order makes little use of it");
    // From more than two inches away, full order behind a hedge cannot be hit.
    let near = lined(2.0, loose("full-skirmish"));
    assert_worth(near, (&["open-target", "in-cover", "close-range"], -1), "full order does");
    // A march of eight inches ends five inches from the enemy.
    let mut marched = Game::new(("march", &[s6()]), ("hold", &[figure().at(0.0, 13.0).facing(180.0)]));
    marched.phase("move", &[]);
    marched.unit_mut(Side::First, 0).doctrine = drill().doctrine("fire-only").expect("a doctrine");
    marched.phase("fire", &[1, 1, 1]);
    assert_worth(fired(&marched), (&["moved-and-fired"], -1), "after a march");
    // Horse charges from six inches away.
    let horse = unit("heavy-cavalry").figures(4).at(0.0, 6.0).facing(180.0);
    let mut charged = Game::new(("charge", &[horse]), ("hold", &[s6()]));
    charged.phase("charge", &[1, 1, 1, 3, 3]);
    assert_worth(fired(&charged), (&["against-a-charge"], 1), "closing fire");
}

/// A unit rolls a die for every two muskets in front, every two skirmishers or every gun, up to twenty dice. Nine or
/// more hits.
#[test]
fn fire_has_the_dice_of_its_row() {
    let dice = |shooter: Men, number: usize| {
        let mut game = Game::new(("fire-only", &[shooter.at(0.0, 5.0).facing(180.0)]), ("hold", &[s6()]));
        game.dice("fire", &vec![1; number])
    };
    for (what, shooter, number) in [
        ("six in line", unit("line-battalion").figures(6), 3),
        ("seven in line", unit("line-battalion").figures(7), 4),
        ("two in front of six", unit("line-battalion").figures(6).formation("column").abreast(2), 1),
        ("five skirmishers", unit("light-battalion").figures(5).formation("skirmish"), 3),
        ("three guns", unit("field-battery").cannon(3), 3),
        ("twelve guns", unit("positional-battery"), 12),
        ("twenty guns", unit("positional-battery").cannon(20), 20),
        ("twenty-one guns", unit("positional-battery").cannon(21), 20),
    ] {
        assert_eq!(dice(shooter, number), vec![10; number], "{what}");
    }
    for (face, lost, row) in [(8, 0, "misses"), (9, 1, "hits"), (10, 1, "hits")] {
        let mut game = Game::new(
            ("fire-only", &[foot("line-battalion")]),
            ("hold", &[unit("line-battalion").at(0.0, 0.0).facing(0.0)]),
        );
        game.phase("fire", &[face, 1, 1]);
        assert_eq!((12 - game.second().figures, result(&game, game.roll("fire"))), (lost, row), "{face}");
    }
}

/// A charge by the first unit of one side on the first of the other, which is at the origin and faces north.
fn charge(chargers: &[Men], defender: &Men, faces: &[i32]) -> Game {
    let mut game = Game::new(("charge", chargers), ("hold", &[defender.clone().at(0.0, 0.0).facing(0.0)]));
    game.phase("charge", faces);
    game
}

/// The faces of this many dice of closing fire that miss, and of a test that is passed.
fn stands(dice: usize) -> Vec<i32> {
    vec![1; dice + 2]
}

fn ahead(kind: &str, figures: u16, north: f64) -> Men {
    unit(kind).figures(figures).at(0.0, north).facing(180.0)
}

/// Each modifier of shock adds the value of its row to a side's dice.
#[test]
fn every_modifier_of_shock_adds_what_its_row_says() {
    let horse = |kind: &str| vec![ahead(kind, 4, 6.0)];
    let infantry = |figures: u16| unit("line-battalion").figures(figures);
    let four = || vec![ahead("line-battalion", 4, 4.0)];
    let columns = |number: usize| {
        let column = |north: f64| ahead("line-battalion", 6, north).formation("column");
        (0..number).map(|place| column(4.0 + 2.0 * place as f64)).collect::<Vec<_>>()
    };
    let cases: [Fight; 18] = [
        ("heavies", horse("heavy-cavalry"), s6(), 3, (&["heavy-horse", "impetus"], 3), (&[], 0)),
        ("light horse", horse("light-cavalry"), s6(), 3, (&["light-horse", "impetus"], 2), (&[], 0)),
        ("medium horse", horse("dragoons"), s6(), 3, (&["light-horse", "impetus"], 2), (&[], 0)),
        ("irregular horse", horse("irregular-cavalry"), s6(), 3, (&["light-horse", "impetus"], 2), (&[], 0)),
        (
            "horse in column",
            vec![ahead("heavy-cavalry", 6, 6.0).formation("column")],
            s6(),
            3,
            (&["heavy-horse", "impetus", "cavalry-column"], 4),
            (&[], 0),
        ),
        ("foot in line", vec![ahead("line-battalion", 6, 4.0)], s6(), 3, (&["impetus"], 1), (&[], 0)),
        ("foot in column", columns(1), s6(), 3, (&["impetus", "infantry-column"], 3), (&[], 0)),
        (
            "foot in pseudo column",
            vec![ahead("line-battalion", 6, 4.0).formation("pseudo-column")],
            s6(),
            3,
            (&["impetus", "infantry-column"], 3),
            (&[], 0),
        ),
        (
            "lines behind one another",
            vec![ahead("line-battalion", 6, 4.0), ahead("line-battalion", 6, 5.0)],
            s6(),
            3,
            (&["impetus", "column-of-lines", "pre-formed-column"], 4),
            (&[], 0),
        ),
        ("two columns", columns(2), s6(), 3, (&["impetus", "infantry-column", "pre-formed-column"], 4), (&[], 0)),
        (
            "three columns",
            columns(3),
            s6(),
            3,
            (&["impetus", "infantry-column", "pre-formed-column", "deep-pre-formed-column"], 5),
            (&[], 0),
        ),
        (
            "a square",
            horse("heavy-cavalry"),
            infantry(6).formation("square"),
            1,
            (&["heavy-horse", "impetus"], 3),
            (&["square-against-cavalry"], 7),
        ),
        ("a square and foot", four(), infantry(6).formation("square"), 1, (&["impetus"], 1), (&[], 0)),
        ("a column", four(), infantry(6).formation("column"), 1, (&["impetus"], 1), (&["infantry-column"], 2)),
        ("skirmishers", four(), skirmishers(4), 0, (&["impetus"], 1), (&["skirmishers"], -4)),
        ("guns", four(), unit("field-battery").cannon(3), 3, (&["impetus", "outnumbers"], 2), (&["guns"], -4)),
        ("wagons", four(), unit("pontoon-train"), 0, (&["impetus", "outnumbers"], 2), (&["guns"], -4)),
        ("disordered", four(), infantry(6).morale("disordered"), 3, (&["impetus"], 1), (&["disordered"], -2)),
    ];
    let fought = |mut game: Game| {
        game.phase("shock", &[3, 3, 3, 3]);
        let roll = game.roll("shock");
        (worth(&game, roll, Contestant::Own), worth(&game, roll, Contestant::Foe))
    };
    for (what, chargers, defender, dice, own, foe) in cases {
        let (by_charger, by_defender) = fought(charge(&chargers, &defender, &stands(dice)));
        assert_worth(by_charger, own, what);
        assert_worth(by_defender, foe, what);
    }
    // When four figures strike ten in the flank, the ten count as two and cannot fight there.
    let flank = unit("line-battalion").figures(4).at(6.0, -0.25).facing(270.0);
    let (by_charger, by_defender) = fought(charge(&[flank], &infantry(10), &stands(0)));
    assert_worth(by_charger, (&["impetus", "outnumbers"], 2), "a flank");
    assert_worth(by_defender, (&["cannot-fight-there"], -5), "a flank");
    // With four of six left, a third are gone. Eight against four is two to one.
    let mut worn = Game::new(("charge", &four()), ("hold", &[s6()]));
    worn.unit_mut(Side::Second, 0).figures = 4;
    worn.phase("charge", &stands(2));
    assert_worth(fought(worn).1, (&["a-third-gone"], -1), "two of six");
    let mut fewer = Game::new(("charge", &four()), ("hold", &[s6()]));
    fewer.unit_mut(Side::Second, 0).figures = 5;
    fewer.phase("charge", &stands(3));
    assert_worth(fought(fewer).1, (&[], 0), "one of six");
    assert_worth(fought(charge(&four(), &infantry(8), &stands(4))).1, (&["outnumbers"], 1), "eight to four");
    assert_worth(fought(charge(&four(), &infantry(7), &stands(4))).1, (&[], 0), "seven to four");
}

/// Each modifier of a morale test adds the value of its row to the rating.
#[test]
fn every_modifier_of_morale_adds_what_its_row_says() {
    let test_of = |game: &Game, unit: usize| worth(game, roll_of(game, "morale", unit), Contestant::Own);
    let horse = || ahead("heavy-cavalry", 4, 6.0);
    let four = || ahead("line-battalion", 4, 4.0);
    let beside = |kind: &str| unit(kind).figures(4).at(6.0, -0.25).facing(270.0);
    let infantry = || unit("line-battalion").figures(6);
    let cases: [Test; 14] = [
        ("a line", horse(), infantry(), 3, (&[], 0)),
        ("a square", horse(), infantry().formation("square"), 1, (&["square-steady"], 3)),
        ("a square and foot", four(), infantry().formation("square"), 1, (&[], 0)),
        ("a column", four(), infantry().formation("column"), 1, (&["column-steady"], 1)),
        (
            "a column from its flank",
            beside("line-battalion"),
            infantry().formation("column"),
            0,
            (&["caught-in-flank"], -4),
        ),
        ("a column of horse", horse(), unit("light-cavalry").figures(6).formation("column"), 0, (&[], 0)),
        ("a pseudo column", four(), infantry().formation("pseudo-column"), 2, (&[], 0)),
        ("a line from its flank", beside("heavy-cavalry"), infantry(), 0, (&["caught-in-flank"], -4)),
        ("skirmishers and horse", horse(), skirmishers(4), 0, (&["skirmishers-ridden-down"], -5)),
        ("skirmishers and foot", four(), skirmishers(4), 0, (&[], 0)),
        ("guns", horse(), unit("field-battery").cannon(3), 3, (&[], 0)),
        ("a headquarters", horse(), unit("headquarters"), 0, (&[], 0)),
        ("disordered", four(), infantry().morale("disordered"), 3, (&["already-disordered"], -2)),
        (
            "a disordered column",
            four(),
            infantry().formation("column").morale("disordered"),
            1,
            (&["already-disordered"], -2),
        ),
    ];
    for (what, charger, defender, dice, expected) in cases {
        assert_worth(test_of(&charge(&[charger], &defender, &stands(dice)), 1), expected, what);
    }
    // A unit that has lost a third of its figures, and a unit that has not.
    for (left, expected) in [(4, (&["heavy-losses"][..], -1)), (5, (&[], 0))] {
        let mut game = Game::new(("charge", &[four()]), ("hold", &[s6()]));
        game.unit_mut(Side::Second, 0).figures = left;
        game.phase("charge", &stands(usize::from(left + 1) / 2));
        assert_worth(test_of(&game, 1), expected, "losses");
    }
    // Shaken foot tests at once in the charge zone of horse that charges another unit.
    let zone = |other: Men| {
        let horse = unit("heavy-cavalry").figures(4).at(0.0, 0.0).facing(0.0);
        let target = figure().at(-1.0, 4.0).facing(180.0);
        let other = other.at(3.0, 8.0).facing(180.0);
        let mut game = Game::new(("charge", &[horse]), ("hold", &[target, other]));
        game.phase("charge", &[1, 3, 3, 1, 1]);
        test_of(&game, 2)
    };
    let shaken = || unit("line-battalion").figures(4).morale("disordered");
    assert_worth(zone(shaken()), (&["in-a-charge-zone", "already-disordered"], -3), "foot");
    let horse_in_zone = unit("light-cavalry").figures(4).morale("disordered");
    assert_worth(zone(horse_in_zone), (&["already-disordered"], -2), "horse feels no other's charge");
    // Horse that loses one of four as it charges has a bonus of two for its test; foot has none.
    for (charger, expected) in [(horse(), (&["charge-impetus"][..], 2)), (four(), (&[], 0))] {
        let game = charge(&[charger], &s6(), &[10, 1, 1, 1, 1, 1, 1]);
        assert_eq!(game.first().figures, 3);
        assert_worth(test_of(&game, 0), expected, "the charger");
    }
}

/// An enemy within eight inches makes it harder to rally.
#[test]
fn every_modifier_of_a_rally_adds_what_its_row_says() {
    for (distance, expected) in [(8.0, (&["enemy-near"][..], -3)), (8.1, (&[], 0))] {
        let routed = unit("line-battalion").morale("routed").at(0.0, 0.0).facing(180.0);
        let enemy = figure().at(0.0, distance).facing(180.0);
        let mut game = Game::new(("hold", &[routed]), ("hold", &[enemy]));
        // A routed unit is in column; its rear is 1.5" behind the front, towards the enemy.
        game.unit_mut(Side::First, 0).front.y = -150;
        game.phase("rally", &[6, 6]);
        assert_worth(worth(&game, game.roll("rally"), Contestant::Own), expected, "an enemy");
    }
}

/// The distance that a unit of the battle fell back in a game.
fn fell_back(game: &Game, unit: usize) -> Option<i32> {
    game.seen.events().iter().find_map(|event| match event {
        Event::Retreated { unit: who, distance } if who.index() == unit => Some(*distance),
        _ => None,
    })
}

/// Each margin of a shock sets the losses of both sides, their states and how far they fall back.
#[test]
fn every_result_of_shock_does_what_its_row_says() {
    type State = (u16, &'static str, Option<i32>);
    let even: State = (6, "good", None);
    // Foot that charges has a bonus of one. The first two dice are the charger's.
    let cases: [([i32; 4], &str, State, State); 8] = [
        ([6, 6, 1, 1], "breaks-through", even, (4, "routed", Some(600))),
        ([3, 3, 2, 2], "breaks-through", even, (4, "routed", Some(600))),
        ([3, 3, 2, 3], "pushes-back", even, (5, "disordered", Some(400))),
        ([3, 3, 3, 3], "pushes-back", even, (5, "disordered", Some(400))),
        ([3, 3, 3, 4], "repulsed", (5, "disordered", Some(600)), even),
        ([1, 1, 5, 5], "repulsed", (5, "disordered", Some(600)), even),
        ([1, 1, 5, 6], "shattered", (4, "routed", Some(600)), even),
        ([1, 1, 6, 6], "shattered", (4, "routed", Some(600)), even),
    ];
    for (faces, row, own, foe) in cases {
        let mut game = charge(&[ahead("line-battalion", 6, 4.0)], &s6(), &stands(3));
        game.phase("shock", &faces);
        assert_eq!(result(&game, game.roll("shock")), row, "{faces:?}");
        let state = |unit: usize| {
            let it = game.battle.units[unit];
            (it.figures, game.state(&it).1, fell_back(&game, unit))
        };
        assert_eq!((state(0), state(1)), (own, foe), "{faces:?}");
    }
}

/// A repulsed charge is over, so the charger may recover in the same half-turn.
#[test]
fn a_repulsed_charger_charges_no_more() {
    let mut game = charge(&[ahead("line-battalion", 6, 4.0)], &s6(), &stands(3));
    game.phase("shock", &[3, 3, 3, 4]).phase("recover", &[4, 4]);
    assert_eq!(game.state(&game.first()).1, "good");
}

/// Each margin of a test sets its result. A shaken charger no longer charges.
#[test]
fn every_result_of_morale_does_what_its_row_says() {
    // The rating of a line battalion is 8.
    for (faces, row, morale, back) in [
        ([4, 4], "steady", "good", None),
        ([4, 5], "wavers", "disordered", None),
        ([5, 6], "wavers", "disordered", None),
        ([6, 6], "breaks", "routed", Some(600)),
    ] {
        let mut game = Game::new(("fire-only", &[foot("line-battalion")]), ("hold", &[s6()]));
        game.phase("fire", &[10, 1, 1, faces[0], faces[1]]);
        let test = roll_of(&game, "morale", 1);
        assert_eq!((result(&game, test), game.state(&game.second()).1), (row, morale), "{faces:?}");
        assert_eq!(fell_back(&game, 1), back, "{faces:?}");
    }
    for (faces, contact) in [([4, 4], true), ([4, 5], false)] {
        let dice = [&[10, 1, 1, faces[0], faces[1]][..], if contact { &[1, 1] } else { &[] }].concat();
        let game = charge(&[ahead("line-battalion", 4, 4.0)], &s6(), &dice);
        let met = game.seen.events().iter().any(|event| matches!(event, Event::Contact { .. }));
        assert_eq!(met, contact, "{faces:?}");
    }
}

/// The results of rallying and of recovering.
#[test]
fn every_result_of_rally_and_recovery_does_what_its_row_says() {
    for (phase, from, faces, row, to) in [
        ("rally", "routed", [4, 4], "rallies", "disordered"),
        ("rally", "routed", [4, 5], "runs-on", "routed"),
        ("recover", "disordered", [4, 4], "dresses-ranks", "good"),
        ("recover", "disordered", [4, 5], "stays-disordered", "disordered"),
    ] {
        let men = unit("line-battalion").morale(from).at(0.0, 0.0).facing(0.0);
        let mut game = Game::new(("hold", &[men]), ("hold", &[far_away()]));
        game.phase(phase, &faces);
        assert_eq!((result(&game, game.roll(phase)), game.state(&game.first()).1), (row, to), "{faces:?}");
    }
    // No unit recovers at close quarters, which extend to two inches.
    for (north, recovers) in [(2.0, false), (2.1, true)] {
        let men = unit("line-battalion").morale("disordered").at(0.0, 0.0).facing(0.0);
        let mut game = Game::new(("hold", &[men]), ("hold", &[figure().at(0.0, north).facing(180.0)]));
        game.play_anyhow(Side::First, "recover");
        assert_eq!(game.seen.rolls().count() == 1, recovers, "{north} inches");
    }
}

/// Close quarters are measured to the nearest edge: a long line an inch from a unit is at close quarters, even if its
/// middle is farther away than a single figure's.
#[test]
fn close_quarters_are_measured_to_the_nearest_edge() {
    let men = unit("line-battalion").figures(4).morale("disordered").at(0.0, 0.0).facing(0.0);
    // The distances to the figure and to the line are 4.75" and 5.2" from middle to middle, but 3.5" and the square
    // root of 1 + 1 from edge to edge.
    let single = figure().at(4.5, 0.0).facing(270.0);
    let line = unit("line-battalion").at(-5.0, 1.0).facing(180.0);
    let mut game = Game::new(("hold", &[men]), ("hold", &[single, line]));
    game.play_anyhow(Side::First, "recover");
    assert_eq!(game.seen.rolls().count(), 0);
}

/// A unit that retires with its screen, or as one loose unit, moves six inches.
#[test]
fn skirmishers_retire_six_inches() {
    for (men, faces) in [
        (unit("light-battalion").screen(3), [10, 10, 1, 1, 1, 1, 5, 5]),
        (unit("light-battalion").formation("full-skirmish"), [10, 10, 1, 1, 1, 1, 5, 5]),
    ] {
        let shooter = unit("line-battalion").at(0.0, 5.0).facing(180.0);
        let mut game = Game::new(("hold", &[men.at(0.0, 0.0).facing(0.0)]), ("fire-only", &[shooter]));
        game.phase_of(Side::Second, "fire", &faces);
        assert_eq!((game.state(&game.first()).1, fell_back(&game, 0)), ("disordered", Some(600)));
    }
}
