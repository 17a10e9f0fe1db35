//! The clauses of `sf-skirmish`, and the odds of a duel, calculated from them.

use std::sync::OnceLock;

use grognard_dice::ScriptedDice;
use grognard_engine::{Deployment, ObjectivePlan, Side, deploy, step};
use grognard_rules::model::Rules;

use crate::common::{
    Game, Men, Share, Shares, add, block_of, deployment, dice, load, load_once, profile, table, unit, walk,
};

fn rules() -> &'static Rules {
    static RULES: OnceLock<Rules> = OnceLock::new();
    RULES.get_or_init(|| load("sf-skirmish"))
}

/// The rules with a cannon that has two shots.
fn twin_cannon() -> &'static Rules {
    load_once("sf-skirmish", &["unit.gunner.is.shots = 2"])
}

/// A model at this position, facing north.
fn model(kind: &str, east: f64, north: f64) -> Men {
    unit(kind).at(east, north).facing(0.0)
}

/// A model that shoots without moving, and its target straight ahead at this distance between their edges. Targets face
/// south.
fn range(own: &str, foe: &str, inches: f64) -> Game {
    range_under(rules(), own, foe, inches)
}

/// A model and its target at this distance, under a variant of the rules.
fn range_under(rules: &'static Rules, own: &str, foe: &str, inches: f64) -> Game {
    let target = unit(foe).at(0.0, inches).facing(180.0);
    Game::under(rules, ("shoot-only", &[model(own, 0.0, 0.0)]), ("shoot-only", &[target]))
}

/// The dice for the initiative when the first side has it.
const FIRST: [i32; 2] = [6, 1];

/// Plays the move phase. The first side's model has the initiative and moves.
fn march(game: &mut Game) {
    game.phase("move", &FIRST);
}

/// The index of suppression among the counters.
const SUPPRESSION: u8 = 0;

fn suppressed(game: &mut Game, side: Side, points: i32) {
    game.unit_mut(side, 0).counters.set(SUPPRESSION, points);
}

/// The number of figures that the target has lost to one shot at ten inches with these dice, and its suppression.
#[track_caller]
fn shot(own: &str, foe: &str, faces: &[i32]) -> (u16, i32) {
    let mut game = range(own, foe, 10.0);
    game.phase("shoot", faces);
    let target = game.second();
    (target.start - target.figures, target.counters.get(SUPPRESSION))
}

/// The size of the table and the arcs are house values.
#[test]
fn the_table_and_its_arcs() {
    assert_eq!(table(rules()), (48, 36, 45));
}

#[test]
fn clause_wounds() {
    for (kind, told) in [
        (
            "trooper",
            "foot, 2 of 100 x 100 in open; open 600; range 2400; armour 4, piercing 0, shots 2, skill 4, strength 4, toughness 4, weapon rifle",
        ),
        (
            "veteran",
            "foot, 2 of 100 x 100 in open; open 600; range 2400; armour 4, piercing 0, shots 2, skill 4, strength 4, toughness 4, weapon rifle; veteran",
        ),
        (
            "scout",
            "foot, 1 of 100 x 100 in open; open 800; range 3000; armour 2, piercing 0, shots 1, skill 3, strength 5, toughness 3, weapon rifle; marksman",
        ),
        (
            "gunner",
            "foot, 2 of 100 x 100 in open; open 400; range 3600; armour 4, piercing 2, shots 1, skill 4, strength 7, toughness 4, weapon cannon",
        ),
        (
            "walker",
            "walkers, 6 of 200 x 200 in walking; walking 500; range 2400; armour 5, piercing 0, shots 3, skill 4, strength 5, toughness 6, weapon rifle; fearless",
        ),
    ] {
        assert_eq!(profile(rules(), kind), told);
    }
    assert_eq!(shot("trooper", "trooper", &[4, 3, 4, 4]), (1, 1), "who is wounded is suppressed");
    let mut game = range("trooper", "trooper", 10.0);
    game.phase("shoot", &[4, 4, 4, 4, 4, 4]);
    assert_eq!((game.second().start, game.second().gone()), (2, true));
    assert_eq!(game.outcome.and_then(|outcome| outcome.winner), Some(Side::First));
    game.saw("wounds");
    for (kind, wounds) in [("trooper", 2), ("veteran", 2), ("scout", 1), ("gunner", 2), ("walker", 6)] {
        assert_eq!(range(kind, "trooper", 10.0).first().figures, wounds, "{kind}");
    }
}

/// Troopers of both sides, out of range of each other. On each side, each trooper is farther from the enemy than the
/// one before.
fn apart(own: u8, foes: u8) -> Game {
    let line = |models: u8, half: f64, facing: f64| -> Vec<Men> {
        let north = |number: u8| half * (-17.0 + 1.5 * f64::from(models - 1 - number));
        (0..models).map(|number| unit("trooper").at(half * -20.0, north(number)).facing(facing)).collect()
    };
    Game::under(rules(), ("shoot-only", &line(own, 1.0, 0.0)), ("shoot-only", &line(foes, -1.0, 180.0)))
}

#[test]
fn clause_initiative() {
    for (faces, first) in [(&[4, 3][..], 0), (&[3, 4], 1), (&[2, 2, 5, 5, 1, 6], 1), (&[1, 1, 2, 1], 0)] {
        let mut game = apart(1, 1);
        game.act(faces);
        assert_eq!(game.activated(), [first], "{faces:?}");
        game.saw("initiative");
        // The other model follows without another roll; the next turn has its own roll.
        game.act(&[]);
        game.act(&[]);
        assert_eq!((game.activated(), game.battle.turn), (vec![first, 1 - first], 2), "{faces:?}");
        game.act(&[1, 2]);
        assert_eq!(game.activated()[2], 1, "{faces:?}");
    }
    assert_eq!(apart(1, 1).dice("move", &[2, 1]), [6, 6]);
}

#[test]
fn clause_turns() {
    for (own, foes, order, faces) in [
        (2, 2, &[0, 2, 1, 3][..], [2, 1]),
        (2, 2, &[2, 0, 3, 1], [1, 2]),
        (3, 1, &[0, 3, 1, 2], [2, 1]),
        (1, 3, &[1, 0, 2, 3], [1, 2]),
    ] {
        let mut game = apart(own, foes);
        game.act(&faces);
        for _ in order {
            assert_eq!(game.battle.turn, 1);
            game.act(&[]);
        }
        let mut seen = game.activated();
        assert_eq!(game.battle.turn, 2, "nobody acts twice: {seen:?}");
        let sides = |units: &[usize]| units.iter().map(|&unit| unit >= usize::from(own)).collect::<Vec<_>>();
        assert_eq!(sides(&seen), sides(order), "{own} against {foes}");
        seen.sort_unstable();
        assert_eq!(seen, (0..order.len()).collect::<Vec<_>>());
        game.saw("turns");
    }
    // An activated model moves, shoots and rallies before the next does anything.
    let (own, foe) = ([model("trooper", 0.0, -10.0)], [unit("trooper").at(0.0, 10.0).facing(180.0)]);
    let mut game = Game::under(rules(), ("hunt", &own), ("hunt", &foe));
    suppressed(&mut game, Side::First, 1);
    game.act(&[2, 1, 1, 1, 4]);
    assert_eq!((game.first().front.y, game.second().front.y), (-400, 1000));
    assert_eq!(game.first().counters.get(SUPPRESSION), 0);
    assert_eq!(game.second().counters.get(SUPPRESSION), 1);
    game.act(&[1, 1, 4]);
    assert_eq!((game.first().front.y, game.second().front.y), (-400, 400));
    assert_eq!(game.second().counters.get(SUPPRESSION), 0);
}

#[test]
fn clause_move() {
    assert_eq!(rules().movement.narrow, 300, "at most three inches wide, no unit has to wheel");
    for (kind, pace) in [("trooper", 6.0), ("veteran", 6.0), ("scout", 8.0), ("gunner", 4.0), ("walker", 5.0)] {
        let own = model(kind, 0.0, -17.0 + 1.0);
        let mut game = Game::under(rules(), ("hunt", &[own]), ("hunt", &[unit("trooper").at(0.0, 16.0).facing(180.0)]));
        let before = game.first().front.y;
        march(&mut game);
        assert_eq!(f64::from(game.first().front.y - before) / 100.0, pace, "{kind}");
        game.saw("move");
    }
    // A model occupies the area of its base, however many wounds it has left.
    for (kind, side) in [("trooper", 100), ("walker", 200)] {
        let mut game = range(kind, "trooper", 10.0);
        for figures in [game.first().figures, 1] {
            game.unit_mut(Side::First, 0).figures = figures;
            let base = game.first().rect(rules());
            assert_eq!((base.width, base.depth), (side, side), "{kind} of {figures}");
        }
    }
    // A model that goes to an objective keeps an inch from the enemy.
    let mut plan = deployment(
        ("take-ground", &[model("trooper", 0.0, 0.0)]),
        ("shoot-only", &[unit("trooper").at(0.0, 3.0).facing(180.0)]),
    );
    plan.objectives = vec![ObjectivePlan { name: None, at: (0, 600), worth: 1 }];
    let mut game = Game::planned(rules(), &plan);
    march(&mut game);
    assert_eq!(game.first().front.y, 200);
    // Movement is the same in all directions: the model goes straight to an enemy behind it, and shoots there.
    for (kind, pace, misses) in [("trooper", 600, &[1, 1][..]), ("walker", 500, &[1, 1, 1])] {
        let own = model(kind, 0.0, -15.0).facing(180.0);
        let foe = unit("trooper").at(0.0, 16.0).facing(180.0);
        let mut behind = Game::under(rules(), ("hunt", &[own]), ("hunt", &[foe]));
        let middle = behind.first().rect(rules()).centre().y;
        march(&mut behind);
        assert_eq!(behind.first().rect(rules()).centre().y - middle, pace, "{kind}");
        let own = model(kind, 0.0, 0.0).facing(180.0);
        let mut shot = Game::under(rules(), ("shoot-only", &[own]), ("shoot-only", &[unit("trooper").at(0.0, 10.0)]));
        shot.phase("shoot", misses);
    }
}

#[test]
fn clause_shoot() {
    assert_eq!(dice(rules(), "shoot"), "d6, wound d6, save d6");
    assert_eq!(dice(rules(), "cannon"), "d6, wound d6, save d6, damage d3");
    // Modifiers that make other shots harder apply to a cannon, too.
    let mut cannon = range("gunner", "trooper", 12.01);
    cannon.phase("shoot", &[4]);
    assert_eq!(cannon.own_modifiers("cannon"), ["long-range"]);
    // Hits are rolled first. Only hits are rolled to wound, and here no unit is wounded.
    assert_eq!(shot("trooper", "trooper", &[3, 3]), (0, 1));
    assert_eq!(shot("trooper", "trooper", &[4, 3, 3]), (0, 1));
    assert_eq!(shot("scout", "trooper", &[2]), (0, 1));
    assert_eq!(shot("scout", "trooper", &[3, 2]), (0, 1));
    assert_eq!(shot("walker", "trooper", &[3, 3, 3]), (0, 1));
    assert_eq!(shot("gunner", "trooper", &[3]), (0, 1));
    let mut game = range("trooper", "trooper", 16.0);
    game.phase("shoot", &[1, 1]);
    game.saw("shoot");
    for (kind, inches) in
        [("trooper", 24.0_f64), ("veteran", 24.0), ("scout", 30.0), ("gunner", 36.0), ("walker", 24.0)]
    {
        let fires = |inches: f64| {
            let own = model(kind, 0.0, -16.0);
            let foe = unit("trooper").at(0.0, -16.0 + inches).facing(180.0);
            let plan = deployment(("shoot-only", &[own]), ("shoot-only", &[foe]));
            deploy(rules(), &plan).is_ok_and(|setup| {
                let mut game = Game::planned(rules(), &plan);
                game.battle = setup.start;
                game.play_anyhow(Side::First, "shoot");
                game.seen.rolls().count() > 0
            })
        };
        assert!(fires(inches.min(33.0)), "{kind}");
        assert!(inches > 33.0 || !fires(inches + 0.01), "{kind}");
    }
}

#[test]
fn clause_range() {
    let mut near = range("trooper", "trooper", 12.0);
    near.phase("shoot", &[4, 3, 3]);
    assert!(near.own_modifiers("shoot").is_empty());
    let mut far = range("trooper", "trooper", 12.01);
    far.phase("shoot", &[4, 4]);
    assert_eq!(far.own_modifiers("shoot"), ["long-range"]);
    far.saw("range");
    let mut hit = range("trooper", "trooper", 12.01);
    hit.phase("shoot", &[5, 4, 3]);
}

#[test]
fn clause_cover() {
    let game = |ruins: (f64, f64)| {
        let ground = [block_of("ruins", ruins, (2.0, 2.0))];
        let target = unit("trooper").at(0.0, 10.0).facing(180.0);
        let (own, foe) = ([model("trooper", 0.0, 0.0)], [target]);
        Game::over(rules(), &ground, ("shoot-only", &own), ("shoot-only", &foe))
    };
    for between in [(0.0, 5.0), (0.0, 10.5)] {
        let mut game = game(between);
        game.phase("shoot", &[4, 4]);
        assert_eq!(game.own_modifiers("shoot"), ["cover"]);
        game.saw("cover");
    }
    game((10.0, 5.0)).phase("shoot", &[4, 4, 3, 3]);
}

#[test]
fn clause_wounding() {
    // Strength against toughness: 4 against 4, 4 against 3, 4 against 6, 7 against 4, 7 against 3, 5 against 6.
    for (own, foe, need) in [
        ("trooper", "trooper", 4),
        ("trooper", "scout", 3),
        ("trooper", "walker", 6),
        ("gunner", "trooper", 2),
        ("gunner", "scout", 2),
        ("scout", "walker", 5),
    ] {
        let mut misses = range(own, foe, 10.0);
        let shots = if own == "trooper" { 2 } else { 1 };
        let hits = vec![4; shots];
        misses.phase("shoot", &[&hits[..], &vec![need - 1; shots]].concat());
        assert_eq!(misses.second().figures, misses.second().start, "{own} {foe}");
        let mut wounds = range(own, foe, 10.0);
        // No wound pierces armour: a one is less than any armour.
        wounds.phase("shoot", &[&hits[..], &vec![need; shots], &vec![1; shots]].concat());
        assert_eq!(wounds.second().figures, wounds.second().start, "{own} {foe}");
    }
    assert_eq!(shot("gunner", "trooper", &[4, 6, 6, 1]), (1, 1), "who is wounded is suppressed");
    let mut game = range("trooper", "trooper", 10.0);
    game.phase("shoot", &[4, 3, 4, 4]);
    game.saw("wounding");
}

#[test]
fn clause_save() {
    for (own, foe, need) in
        [("scout", "trooper", 4), ("scout", "scout", 2), ("scout", "walker", 5), ("scout", "gunner", 4)]
    {
        assert_eq!(shot(own, foe, &[3, 6, need - 1]).0, 0, "{own} {foe}");
        assert_eq!(shot(own, foe, &[3, 6, need]).0, 1, "{own} {foe}");
    }
    // A cannon takes two off the save: armour 4 is pierced on a two, armour 5 on a three, and no armour on a one.
    assert_eq!(shot("gunner", "trooper", &[4, 6, 1]).0, 0);
    assert_eq!(shot("gunner", "trooper", &[4, 6, 2, 1]).0, 1);
    assert_eq!(shot("gunner", "scout", &[4, 6, 1]).0, 0);
    assert_eq!(shot("gunner", "walker", &[4, 6, 2]).0, 0);
    assert_eq!(shot("gunner", "walker", &[4, 6, 3, 1]).0, 1);
    let mut game = range("scout", "trooper", 10.0);
    game.phase("shoot", &[3, 6, 4]);
    game.saw("save");
}

#[test]
fn clause_damage() {
    for damage in 1..=3 {
        assert_eq!(shot("gunner", "walker", &[4, 6, 6, damage]), (damage as u16, 0), "a walker is fearless");
    }
    assert_eq!(shot("gunner", "trooper", &[4, 6, 6, 3]).0, 2);
    assert_eq!(shot("trooper", "walker", &[4, 4, 6, 6, 6, 6]).0, 2, "a rifle costs a figure for each wound");
    // Each wound has its own die.
    let mut two = range_under(twin_cannon(), "gunner", "walker", 10.0);
    two.phase("shoot", &[4, 4, 6, 6, 6, 6, 1, 3]);
    assert_eq!(two.second().figures, 2, "one and three figures");
    let mut game = range("gunner", "walker", 10.0);
    game.phase("shoot", &[4, 6, 6, 1]);
    game.saw("damage");
}

#[test]
fn clause_suppression() {
    assert_eq!(shot("trooper", "trooper", &[1, 1]), (0, 1));
    assert_eq!(shot("trooper", "trooper", &[4, 1, 4, 4]), (1, 1));
    assert_eq!(shot("gunner", "trooper", &[1]), (0, 1));
    assert_eq!(shot("gunner", "trooper", &[4, 6, 6, 1]), (1, 1));
    assert_eq!(shot("trooper", "walker", &[1, 1]), (0, 0), "a walker is fearless");
    for (own, faces) in [("trooper", &[4, 1, 4, 4][..]), ("gunner", &[4, 6, 6, 1])] {
        let mut game = range(own, "trooper", 10.0);
        game.phase("shoot", faces);
        game.saw("suppression");
    }
    let mut game = range("trooper", "trooper", 10.0);
    suppressed(&mut game, Side::Second, 2);
    assert_eq!(game.phase("shoot", &[1, 1]).second().counters.get(SUPPRESSION), 3);
    assert_eq!(game.phase("shoot", &[1, 1]).second().counters.get(SUPPRESSION), 3, "no more than three");
    suppressed(&mut game, Side::First, 1);
    game.phase("shoot", &[4, 4]);
    assert_eq!(game.own_modifiers("shoot"), ["under-fire"]);
    game.saw("suppression");
    for (own, faces) in
        [("trooper", &[1, 1][..]), ("trooper", &[4, 1, 6, 6]), ("gunner", &[1]), ("gunner", &[4, 6, 6, 1])]
    {
        let mut fearless = range(own, "walker", 10.0);
        fearless.phase("shoot", faces);
        assert!(!fearless.seen.cited().contains("suppression"), "{own} {faces:?}");
    }
}

#[test]
fn clause_pinned() {
    let mut game = range("trooper", "trooper", 10.0);
    suppressed(&mut game, Side::First, 3);
    game.phase("shoot", &[]);
    suppressed(&mut game, Side::First, 2);
    game.phase("shoot", &[4, 4]);
    assert!(!game.seen.cited().contains("pinned"), "no model has three points");
    suppressed(&mut game, Side::Second, 2);
    game.phase("shoot", &[4, 4]);
    game.saw("pinned");
    for doctrine in ["take-ground", "hunt", "stand-off"] {
        for (points, moves) in [(2, true), (3, false)] {
            let far = unit("scout").at(0.0, 17.0).facing(180.0);
            let mut plan = deployment((doctrine, &[model("trooper", 0.0, -16.0)]), ("shoot-only", &[far]));
            plan.objectives = vec![ObjectivePlan { name: None, at: (0, 600), worth: 1 }];
            let mut game = Game::planned(rules(), &plan);
            suppressed(&mut game, Side::First, points);
            march(&mut game);
            assert_eq!(game.first().front.y > -1600, moves, "{doctrine} with {points}");
        }
    }
}

#[test]
fn clause_rally() {
    assert_eq!(dice(rules(), "rally"), "d6");
    for (points, face, left) in [(3, 4, 0), (3, 3, 2), (1, 3, 0), (1, 4, 0)] {
        let mut game = range("trooper", "trooper", 10.0);
        suppressed(&mut game, Side::First, points);
        game.phase("rally", &[face]);
        assert_eq!(game.first().counters.get(SUPPRESSION), left, "{points} {face}");
        game.saw("rally");
    }
    range("trooper", "trooper", 10.0).phase("rally", &[]);
}

#[test]
fn clause_veteran() {
    let mut game = range("veteran", "trooper", 10.0);
    game.phase("shoot", &[1, 3, 2]);
    game.saw("veteran");
    let mut again = range("veteran", "trooper", 10.0);
    again.phase("shoot", &[2, 1, 1]);
    assert_eq!(shot("veteran", "trooper", &[2, 1, 4, 4, 4]).0, 1);
    assert_eq!(shot("trooper", "trooper", &[1, 1]).0, 0);
}

#[test]
fn clause_marksman() {
    let mut far = range("scout", "trooper", 12.01);
    far.phase("shoot", &[3, 1]);
    assert_eq!(far.own_modifiers("shoot"), ["long-range", "marksman"]);
    far.saw("marksman");
    range("scout", "trooper", 12.01).phase("shoot", &[2]);
    let mut near = range("scout", "trooper", 12.0);
    near.phase("shoot", &[2]);
    assert!(near.own_modifiers("shoot").is_empty());
}

/// Troopers of both sides, placed by their centres, that do not move, and an objective in the middle of the table.
fn ground(first: &[(f64, f64)], second: &[(f64, f64)]) -> Deployment {
    let men = |places: &[(f64, f64)]| -> Vec<Men> {
        places.iter().map(|&(east, north)| model("trooper", east, north + 0.5)).collect()
    };
    let mut plan = deployment(("shoot-only", &men(first)), ("shoot-only", &men(second)));
    plan.objectives = vec![ObjectivePlan { name: None, at: (0, 0), worth: 1 }];
    plan
}

/// A position out of range of the objective and of the models there.
const FAR: [(f64, f64); 1] = [(22.0, -16.0)];

/// Plays a turn with exactly these dice after those of the initiative, and returns the points of both sides.
#[track_caller]
fn turn(game: &mut Game, faces: &[i32]) -> [i16; 2] {
    let mut dice = ScriptedDice::new(FIRST.iter().chain(faces).copied());
    let turn = game.battle.turn;
    while game.outcome.is_none() && game.battle.turn == turn {
        game.outcome = step(game.rules, &game.setup, &mut game.battle, &mut dice, &mut game.seen);
    }
    dice.finish();
    [game.battle.points.scores[0], game.battle.points.scores[1]]
}

#[test]
fn clause_ground() {
    let alone = |north: f64| Game::planned(rules(), &ground(&[(0.0, north)], &FAR));
    let mut held = alone(3.5);
    assert_eq!(turn(&mut held, &[]), [1, 0]);
    assert_eq!(turn(&mut held, &[]), [2, 0]);
    held.saw("ground");
    assert_eq!(turn(&mut alone(3.51), &[]), [0, 0]);
    // Both miss, and the second model rallies.
    let mut contested = Game::planned(rules(), &ground(&[(0.0, 3.0)], &[(0.0, -3.0)]));
    assert_eq!(turn(&mut contested, &[1, 1, 1, 1, 4]), [0, 0]);
}

#[test]
fn clause_last() {
    for (turn_number, face, ends) in [(4, None, false), (5, Some(4), false), (5, Some(3), true), (6, Some(1), true)] {
        let mut game = Game::planned(rules(), &ground(&[(0.0, 0.0)], &FAR));
        game.battle.turn = turn_number;
        turn(&mut game, &face.into_iter().collect::<Vec<i32>>());
        assert_eq!(game.outcome.is_some(), ends, "turn {turn_number}, {face:?}");
        if face.is_some() {
            game.saw("last");
        }
    }
    let mut game = Game::planned(rules(), &ground(&[(0.0, 0.0)], &FAR));
    game.battle.turn = 5;
    game.act(&FIRST);
    game.act(&[]);
    assert_eq!(game.dice("move", &[1]), [6]);
}

#[test]
fn clause_end() {
    let winner = |second: &[(f64, f64)], gone: usize, faces: &[i32]| {
        let mut plan = ground(&[(0.0, 0.0), (22.0, -16.0)], second);
        plan.turns = 1;
        let mut game = Game::planned(rules(), &plan);
        for number in 0..gone {
            let unit = game.unit_mut(Side::First, number + 1);
            (unit.figures, unit.flags) = (0, grognard_engine::Flags::GONE);
        }
        turn(&mut game, faces);
        game.saw("end");
        game.outcome.expect("the last turn is over").winner
    };
    assert_eq!(winner(&[(-22.0, 16.0)], 0, &[]), Some(Side::First), "a point for the ground");
    assert_eq!(winner(&[(-22.0, 16.0)], 1, &[]), None, "one for a model that is out as well");
    // Both miss, and the second model rallies.
    assert_eq!(winner(&[(0.0, 2.0), (-22.0, 16.0)], 1, &[1, 1, 1, 1, 4]), Some(Side::Second));
    // A side without models has lost, whatever its points.
    let mut game = range("scout", "scout", 10.0);
    game.battle.points.scores[1] = 10;
    game.phase("shoot", &[3, 6, 2]);
    assert_eq!(game.outcome.and_then(|outcome| outcome.winner), Some(Side::First));
    game.saw("end");
}

/// A model in a duel, as the clauses describe it: how well it shoots, and how hard it is to hurt.
#[derive(Clone)]
struct Duellist {
    wounds: usize,
    shots: usize,
    /// The probability of a hit with each die, by the shooter's points of suppression; `None` if it is pinned.
    hits: [Option<Share>; 4],
    /// The probability that a hit wounds and is not saved.
    through: Share,
    /// The probabilities of losing 1, 2 and 3 figures to each wound that is not saved, in thirds.
    damage: [u128; 3],
    fearless: bool,
}

/// The share of the faces of a die that show this number or more.
fn die(need: i32) -> Share {
    Share::of((7 - need).clamp(0, 6) as u128, 6)
}

/// The probabilities that the first, the second or neither has won a duel at ten inches after this many turns.
///
/// Derived from the clauses. In each turn, either model acts first, with equal chances. An activated model shoots,
/// unless it is pinned; its target gains a point of suppression, unless it is fearless; then the shooter rallies, if it
/// has any suppression.
fn duel(models: &[Duellist; 2], turns: usize) -> [Share; 3] {
    let mut open = States::from([(([models[0].wounds, models[1].wounds], [0, 0]), Share::all())]);
    let mut won = [(); 3].map(|()| Share::none());
    for _ in 0..turns {
        let mut next = States::new();
        for first in 0..2 {
            let half: States = open.iter().map(|(&state, share)| (state, share * &Share::of(1, 2))).collect();
            let half = activate(models, first, half, &mut won);
            for (state, share) in activate(models, 1 - first, half, &mut won) {
                add(&mut next, state, share);
            }
        }
        open = next;
    }
    won[2] = Share::sum(open.into_values());
    won
}

/// The probabilities of the figures and suppression of both models.
type States = Shares<([usize; 2], [usize; 2])>;

/// One activation of a model of one side.
fn activate(models: &[Duellist; 2], side: usize, open: States, won: &mut [Share; 3]) -> States {
    let (own, foe) = (&models[side], &models[1 - side]);
    let mut next = States::new();
    for ((wounds, suppression), share) in open {
        let costs = match &own.hits[suppression[side]] {
            None => Shares::from([(0, Share::all())]),
            Some(hit) => cost(own, &(hit * &own.through)),
        };
        for (lost, of) in costs {
            let (mut wounds, mut suppression) = (wounds, suppression);
            wounds[1 - side] = wounds[1 - side].saturating_sub(lost);
            let share = &share * &of;
            if wounds[1 - side] == 0 {
                won[side] += share;
                continue;
            }
            if own.hits[suppression[side]].is_some() && !foe.fearless {
                suppression[1 - side] = (suppression[1 - side] + 1).min(3);
            }
            // A rally removes one point or all of them, with equal chances.
            let points = suppression[side];
            for left in [0, points.saturating_sub(1)] {
                suppression[side] = left;
                add(&mut next, (wounds, suppression), &share * &Share::of(1, 2));
            }
        }
    }
    next
}

/// The probability of each number of figures lost to one volley.
fn cost(own: &Duellist, through: &Share) -> Shares<usize> {
    let mut costs = Shares::from([(0, Share::all())]);
    for _ in 0..own.shots {
        let mut next = Shares::new();
        for (lost, share) in costs {
            add(&mut next, lost, &share * &through.rest());
            for (more, thirds) in (1..).zip(own.damage) {
                add(&mut next, lost + more, &(&share * through) * &Share::of(thirds, 3));
            }
        }
        costs = next;
    }
    costs
}

#[test]
fn duels_come_out_as_by_arithmetic_over_the_clauses() {
    let at = |need: i32| [Some(die(need)), Some(die(need + 1)), Some(die(need + 1)), None];
    // Here, ones are rerolled.
    let again = |need: i32| at(need).map(|hit| hit.map(|hit| Share::sum([hit.clone(), &hit * &Share::of(1, 6)])));
    let through = |wound: i32, save: i32| &die(wound) * &die(save);
    let trooper =
        |through: Share| Duellist { wounds: 2, shots: 2, hits: at(4), through, damage: [3, 0, 0], fearless: false };
    let veteran = |through: Share| Duellist { hits: again(4), ..trooper(through) };
    let scout = |through: Share| Duellist { wounds: 1, shots: 1, hits: at(3), ..trooper(through) };
    let gunner = |through: Share| Duellist { shots: 1, damage: [1; 3], ..trooper(through) };
    let walker = |through: Share| Duellist { wounds: 6, shots: 3, fearless: true, ..trooper(through) };
    // `through` takes the number needed to wound, by strength against toughness, and the number that pierces the
    // armour.
    for (rules, own, foe, models) in [
        (rules(), "trooper", "trooper", [trooper(through(4, 4)), trooper(through(4, 4))]),
        (rules(), "veteran", "trooper", [veteran(through(4, 4)), trooper(through(4, 4))]),
        (rules(), "scout", "trooper", [scout(through(3, 4)), trooper(through(3, 2))]),
        (rules(), "gunner", "trooper", [gunner(through(2, 2)), trooper(through(4, 4))]),
        (rules(), "walker", "gunner", [walker(through(3, 4)), gunner(through(3, 3))]),
        (twin_cannon(), "walker", "gunner", [walker(through(3, 4)), Duellist { shots: 2, ..gunner(through(3, 3)) }]),
    ] {
        let target = unit(foe).at(0.0, 10.0).facing(180.0);
        let mut plan = deployment(("shoot-only", &[model(own, 0.0, 0.0)]), ("shoot-only", &[target]));
        plan.turns = 4;
        let setup = deploy(rules, &plan).expect("a duel can be deployed");
        // Points decide at the limit. In a duel without objectives, no unit has any until a model is out of action.
        let found = walk(rules, &setup, |_| None, |outcome| outcome.winner.map_or(2, Side::index));
        for (who, expected) in duel(&models, 4).into_iter().enumerate() {
            let found = found.get(&who).cloned().unwrap_or_else(Share::none);
            assert_eq!(found, expected, "{own} against {foe} with {} shots, {who}", models[1].shots);
        }
    }
}

/// The first model is on an objective and scores a point each turn while it is there. From turn five, half of the
/// battles end at the end of each turn.
#[test]
fn holding_ground_under_fire_comes_out_as_by_arithmetic_over_the_clauses() {
    let hits = [Some(die(4)), Some(die(5)), Some(die(5)), None];
    let through = &die(4) * &die(4);
    let trooper = Duellist { wounds: 2, shots: 2, hits, through, damage: [3, 0, 0], fearless: false };
    let models = [trooper.clone(), trooper];
    let turns = 6;
    let mut won = [(); 3].map(|()| Share::none());
    let mut open = States::from([(([2, 2], [0, 0]), Share::all())]);
    for turn in 1..=turns {
        let mut next = States::new();
        for first in 0..2 {
            let half: States = open.iter().map(|(&state, share)| (state, share * &Share::of(1, 2))).collect();
            let half = activate(&models, first, half, &mut won);
            for (state, share) in activate(&models, 1 - first, half, &mut won) {
                add(&mut next, state, share);
            }
        }
        let ends = if turn == turns { Share::all() } else { Share::of(u128::from(turn >= 5), 2) };
        won[0] += &Share::sum(next.values().cloned()) * &ends;
        open = next.into_iter().map(|(state, share)| (state, &share * &ends.rest())).collect();
    }
    let target = unit("trooper").at(0.0, 10.0).facing(180.0);
    let mut plan = deployment(("shoot-only", &[model("trooper", 0.0, 0.0)]), ("shoot-only", &[target]));
    plan.turns = turns;
    plan.objectives = vec![ObjectivePlan { name: None, at: (0, 0), worth: 1 }];
    let setup = deploy(rules(), &plan).expect("a duel can be deployed");
    let found = walk(rules(), &setup, |_| None, |outcome| outcome.winner.map_or(2, Side::index));
    for (who, expected) in won.into_iter().enumerate() {
        assert_eq!(found.get(&who).cloned().unwrap_or_else(Share::none), expected, "{who}");
    }
}
