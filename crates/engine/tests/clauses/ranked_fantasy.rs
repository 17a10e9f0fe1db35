//! The clauses of `ranked-fantasy`. The tests of exact odds compare whole duels with calculations from the clauses.

use std::sync::OnceLock;

use grognard_engine::{Flags, Side};
use grognard_rules::model::{ByteId, MoraleId, Rules};

use crate::common::{Game, Men, block_of, bounds, dice, load, profile, table, unit};

fn rules() -> &'static Rules {
    static RULES: OnceLock<Rules> = OnceLock::new();
    RULES.get_or_init(|| load("ranked-fantasy"))
}

/// The indices of the pack's counters.
const EDGE: u8 = 0;
const POWER: u8 = 1;
const WOUNDS: u8 = 2;

/// Two regiments front to front with this many inches between them. The first side attacks, the second receives.
fn facing(own: Men, foe: Men, inches: f64) -> Game {
    Game::under(rules(), ("attack", &[own.at(0.0, 0.0).facing(0.0)]), ("receive", &[foe.at(0.0, inches).facing(180.0)]))
}

/// Two regiments in contact, front to front.
fn locked(own: &str, foe: &str) -> Game {
    facing(unit(own), unit(foe), 0.0)
}

/// Checks that a phase throws this many dice if each of them shows a one.
fn thrown(game: &mut Game, phase: &str, dice: usize) {
    assert_eq!(game.dice(phase, &vec![1; dice]), vec![6; dice], "{phase}");
}

/// The leads of both sides after the combats of the first side's half-turn are resolved.
fn edges(game: &mut Game) -> [i32; 2] {
    game.phase("resolution", &[]);
    [game.first(), game.second()].map(|unit| unit.counters.get(EDGE))
}

/// The size of the table, the arcs and the distance that counts as contact are house values.
#[test]
fn the_table_its_arcs_and_corners() {
    assert_eq!(table(rules()), (48, 48, 45));
    assert_eq!(rules().movement.touch, 5);
}

#[test]
fn clause_ranks() {
    let foot = "block 400, deep 400, line 400, wide 400; charge 400";
    for (kind, told) in [
        ("spearmen", format!("foot, 15 of 80 x 80 in block; {foot}; armour 5, attacks 1, initiative 3, nerve 7, price 5, skill 4, strength 3, toughness 3; spears, standard")),
        ("swordsmen", format!("foot, 15 of 80 x 80 in block; {foot}; armour 4, attacks 1, initiative 4, nerve 7, price 6, skill 3, strength 3, toughness 3; standard")),
        ("archers", format!("foot, 10 of 80 x 80 in block; {foot}; range 1800; armour 7, attacks 1, initiative 3, nerve 6, price 6, skill 4, strength 3, toughness 3")),
        ("knights", "horse, 5 of 100 x 200 in block; block 800, deep 800, line 800, wide 800; charge 800; armour 3, attacks 1, initiative 3, nerve 8, price 20, skill 3, strength 3, toughness 3; lance, standard".to_owned()),
        ("trolls", "monsters, 6 of 150 x 150 in block; block 600, deep 600, line 600, wide 600; charge 600; armour 7, attacks 2, initiative 1, nerve 5, price 20, skill 4, strength 5, toughness 4; regrows".to_owned()),
        ("stone-thrower", "engines, 3 of 80 x 80 in block; block 0, deep 0, line 0, wide 0; range 3600; armour 7, attacks 1, initiative 3, nerve 7, price 30, skill 5, strength 3, toughness 3".to_owned()),
        ("wizard", format!("wizards, 3 of 80 x 80 in block; {foot}; range 1800; armour 7, attacks 1, initiative 3, nerve 8, price 25, skill 5, strength 3, toughness 3; power 4")),
    ] {
        assert_eq!(profile(rules(), kind), told);
    }
    let mut game = facing(unit("spearmen"), unit("knights"), 20.0);
    let ranks = |game: &Game| {
        let footprint = game.first().footprint(rules());
        (footprint.front, footprint.ranks, footprint.width, footprint.depth)
    };
    assert_eq!(ranks(&game), (5, 3, 400, 240));
    game.unit_mut(Side::First, 0).figures = 10;
    assert_eq!(ranks(&game), (5, 2, 400, 160));
    let wide = facing(unit("spearmen").formation("wide"), unit("knights"), 20.0);
    assert_eq!(ranks(&wide), (8, 2, 640, 160));
    let line = facing(unit("spearmen").formation("line"), unit("knights"), 20.0);
    assert_eq!(ranks(&line), (15, 1, 1200, 80));
    let deep = facing(unit("spearmen").formation("deep"), unit("knights"), 20.0);
    assert_eq!(ranks(&deep), (3, 5, 240, 400));
    let mut few = facing(unit("swordsmen").figures(3), unit("archers"), 0.0);
    thrown(&mut few, "strike-first", 3);
    few.saw("ranks");
}

#[test]
fn clause_rally() {
    for (figures, faces, rallies) in [(4, &[3, 4][..], true), (4, &[4, 4], false), (3, &[], false)] {
        let mut game = facing(unit("spearmen").figures(figures).morale("broken"), unit("knights"), 20.0);
        game.unit_mut(Side::First, 0).start = 15;
        game.phase("rally", faces);
        assert_eq!(!game.first().broken(rules()), rallies, "{figures} figures, {faces:?}");
        if !faces.is_empty() {
            game.saw("rally");
        }
    }
}

/// A regiment that loses figures stays in contact with as many enemies as it can within the area that it occupied.
#[test]
fn clause_contact() {
    // Knights form one rank of five inches. Their enemy is in front of the left corner, the right corner or the middle.
    for (east, left) in [(-4.4, -50), (4.4, 50), (0.0, 0)] {
        let mut game = Game::under(
            rules(),
            ("attack", &[unit("knights").at(0.0, 0.0).facing(0.0)]),
            ("receive", &[unit("swordsmen").figures(10).at(east, 0.0).facing(180.0)]),
        );
        let before = game.first().front;
        game.phase_of(Side::Second, "strike-first", &[4, 1, 1, 1, 1, 4, 1]);
        assert_eq!(game.first().figures, 4, "{east}");
        assert_eq!(game.first().front.x - before.x, left, "{east}");
        if left != 0 {
            game.saw("contact");
        }
    }
    // A deep regiment that is struck in the rear closes up to its enemy.
    let mut behind = Game::under(
        rules(),
        ("attack", &[unit("swordsmen").figures(11).at(0.0, 0.0).facing(0.0)]),
        ("receive", &[unit("knights").at(0.0, -2.4).facing(0.0)]),
    );
    behind.phase_of(Side::Second, "strike-last", &[3, 1, 1, 1, 1, 4, 1]);
    assert_eq!((behind.first().figures, behind.first().front.y), (10, -80));
    assert_eq!(edges(&mut behind)[1], 3, "the combat goes on: a wound and the rear; each side has a standard");
}

#[test]
fn clause_charge() {
    for (inches, charges) in [(7.9, true), (8.1, false)] {
        let mut game = facing(unit("spearmen"), unit("knights"), inches);
        game.phase("charge", &[]);
        assert_eq!(game.first().flags.has(Flags::CHARGING), charges, "{inches}");
        let ahead = game.first().front.y;
        assert_eq!(ahead > 780, charges, "it ends in contact: {ahead}");
        if charges {
            game.saw("charge");
        }
    }
    // A regiment does not charge an enemy on its flank.
    let mut aside = Game::under(
        rules(),
        ("attack", &[unit("spearmen").at(0.0, 0.0).facing(90.0)]),
        ("receive", &[unit("knights").at(0.0, 6.0).facing(180.0)]),
    );
    aside.phase("charge", &[]);
    assert!(!aside.first().flags.has(Flags::CHARGING));
}

#[test]
fn clause_move() {
    assert_eq!(rules().movement.narrow, 0, "everybody wheels");
    for (inches, ends) in [(20.0, 400), (3.0, 200)] {
        let mut game = facing(unit("spearmen"), unit("knights"), inches);
        game.phase("move", &[]);
        assert_eq!(game.first().front.y, ends);
        game.saw("move");
    }
    // A regiment in contact with an enemy does not charge another.
    for (east, charges) in [(-4.5, false), (-9.0, true)] {
        let mut game = Game::under(
            rules(),
            ("attack", &[unit("spearmen").at(0.0, 0.0).facing(0.0)]),
            ("receive", &[unit("knights").at(east, 0.0).facing(180.0), unit("knights").at(2.0, 3.0).facing(180.0)]),
        );
        game.phase("charge", &[]);
        assert_eq!(game.first().flags.has(Flags::CHARGING), charges, "{east}");
    }
}

#[test]
fn clause_shoot() {
    assert_eq!(dice(rules(), "shoot"), "d6, wound d6, save d6");
    // Ten dice need a four to hit. One hits, a four wounds, and a four does not save.
    let mut faces = vec![4, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4];
    let mut game = facing(unit("archers"), unit("spearmen"), 9.0);
    game.phase("shoot", &faces);
    assert_eq!(game.second().figures, 14);
    game.saw("shoot");
    faces.drain(1..4);
    let mut fewer = facing(unit("archers").figures(7), unit("spearmen"), 9.0);
    fewer.phase("shoot", &faces);
    assert_eq!(fewer.second().figures, 14);
    faces[7] = 3;
    faces.truncate(8);
    fewer.phase("shoot", &faces);
    assert_eq!(fewer.second().figures, 14, "a three does not wound");
    locked("archers", "spearmen").phase("shoot", &[]);
    facing(unit("archers"), unit("spearmen"), 18.1).phase("shoot", &[]);
}

#[test]
fn clause_range() {
    let shot = |inches, face| {
        let mut game = facing(unit("archers").figures(1), unit("spearmen"), inches);
        let hits = game.dice("shoot", &[face, 4, 4]).len() > 1;
        if inches > 9.0 {
            game.saw("range");
        }
        hits
    };
    assert_eq!([shot(9.0, 4), shot(9.1, 4), shot(9.1, 5)], [true, false, true]);
}

#[test]
fn clause_fireball() {
    assert_eq!(dice(rules(), "fireball"), "d6, wound d6, save d6");
    // The middle of the target is 1.2 inches behind its front. Everything within two inches of that point burns.
    let spearmen = |east: f64, north: f64| unit("spearmen").at(east, north).facing(180.0);
    let blue = [spearmen(0.0, 10.0), spearmen(0.0, 12.5), spearmen(4.1, 10.0)];
    let mut game = Game::under(rules(), ("attack", &[unit("wizard").at(0.0, 0.0).facing(0.0)]), ("receive", &blue));
    // Each takes two hits. A three wounds and a two does not, and a five does not save.
    game.phase("shoot", &[2, 3, 2, 5, 2, 3, 2, 5]);
    let left: Vec<u16> = game.battle.side(Side::Second).map(|id| game.battle.unit(id).figures).collect();
    assert_eq!(left, [14, 14, 15]);
    game.saw("fireball");
    assert!(!game.seen.cited().contains("shoot"), "{:?}", game.seen.cited());
    game.phase("shoot", &[1, 3, 6, 1, 2]);
    assert_eq!(game.second().figures, 14, "a six saves");
}

#[test]
fn clause_power() {
    assert_eq!(bounds(rules(), "power"), (0, 4));
    let mut game = facing(unit("wizard"), unit("spearmen"), 10.0);
    for power in (0..4).rev() {
        game.phase("shoot", &[1, 2]);
        assert_eq!(game.first().counters.get(POWER), power);
    }
    game.saw("power");
    game.phase("shoot", &[]);
    assert_eq!(facing(unit("archers"), unit("spearmen"), 10.0).first().counters.get(POWER), 0);
}

/// A stone thrower and its friends, against these enemies.
fn thrower(friends: &[Men], foes: &[Men]) -> Game {
    let own: Vec<Men> =
        [unit("stone-thrower").at(0.0, 0.0).facing(0.0)].into_iter().chain(friends.iter().cloned()).collect();
    Game::under(rules(), ("throw", &own), ("receive", foes))
}

#[test]
fn clause_stone() {
    assert_eq!(dice(rules(), "stone"), "d6, wound d6, save d6");
    let foe = |kind: &str, figures: u16| unit(kind).figures(figures).at(0.0, 10.0).facing(180.0);
    // The stone does not stray. A two wounds a toughness of three, and spearmen have no save; a six saves swordsmen.
    for (kind, faces, lost) in [
        ("spearmen", &[1, 2, 6][..], 1),
        ("spearmen", &[1, 1], 0),
        ("spearmen", &[3, 2, 2, 1, 6, 6], 2),
        ("swordsmen", &[1, 2, 6], 0),
        ("swordsmen", &[1, 2, 5], 1),
    ] {
        let mut game = thrower(&[], &[foe(kind, 15)]);
        game.phase("stones", &[&[1, 1], faces].concat());
        assert_eq!(game.second().figures, 15 - lost, "{kind} {faces:?}");
        game.saw("stone");
    }
    // The middle of one rank is 0.4 inches behind its front. Everything within an inch of that point is also hit,
    // friend or enemy.
    for (north, all) in [(11.3, [4, 14]), (11.5, [4, 15])] {
        let faces = if all[1] == 14 { &[1, 1, 1, 2, 6, 1, 2, 6][..] } else { &[1, 1, 1, 2, 6] };
        let mut friend = thrower(&[unit("spearmen").at(0.0, north + 2.4).facing(0.0)], &[foe("spearmen", 5)]);
        friend.phase("stones", faces);
        assert_eq!([friend.second().figures, friend.unit_mut(Side::First, 1).figures], all, "a friend at {north}");
        let mut enemy = thrower(&[], &[foe("spearmen", 5), unit("spearmen").at(0.0, north).facing(180.0)]);
        enemy.phase("stones", faces);
        assert_eq!([enemy.second().figures, enemy.unit_mut(Side::Second, 1).figures], all, "an enemy at {north}");
    }
    // A thrower in contact throws nothing, and no other unit throws stones.
    thrower(&[], &[unit("spearmen").at(0.0, 0.0).facing(180.0)]).phase("stones", &[]);
    let archers = [unit("archers").at(0.0, 0.0).facing(0.0)];
    Game::under(rules(), ("throw", &archers), ("receive", &[foe("spearmen", 15)])).phase("stones", &[]);
}

#[test]
fn clause_stray() {
    // The target is four inches wide and 2.4 deep, with its middle 11.2 inches away. Each row gives the dice and
    // whether the target is hit.
    for (faces, hit) in [
        (&[1, 1][..], true),
        (&[2, 5], true),
        (&[3, 3], true),
        (&[4, 1], true),
        (&[5, 1], false),
        (&[4, 3], true),
        (&[5, 3], false),
        (&[4, 5], true),
        (&[6, 5], false),
        (&[6, 8], false),
    ] {
        let mut game = thrower(&[], &[unit("spearmen").at(0.0, 10.0).facing(180.0)]);
        let crushed = if hit { &[1, 2, 6][..] } else { &[] };
        game.phase("stones", &[faces, crushed].concat());
        assert_eq!(game.second().figures, if hit { 14 } else { 15 }, "{faces:?}");
        game.saw("stray");
    }
    // One die decides how far the stone strays, and an eight-sided die decides in which direction.
    let mut game = thrower(&[], &[unit("spearmen").at(0.0, 10.0).facing(180.0)]);
    assert_eq!(game.dice("stones", &[6, 8]), [6, 8]);
}

#[test]
fn clause_strikes() {
    assert_eq!(dice(rules(), "strike"), "d6, wound d6, save d6");
    let mut game = locked("swordsmen", "archers");
    game.phase("strike-first", &[3, 2, 2, 2, 2, 3]);
    assert_eq!(game.second().figures, 10, "a three hits and does not wound");
    game.saw("strikes");
    game.phase("strike-first", &[3, 1, 1, 1, 1, 4, 1]);
    assert_eq!((game.second().figures, game.first().counters.get(WOUNDS)), (9, 1), "what strikes wound counts");
    thrown(&mut game, "strike-last", 5);
    // The same is true of the enemy's half of the turn.
    game.phase_of(Side::Second, "strike-first", &[2, 2, 2, 2, 2]);
    // Trolls strike with two dice each, and a regiment that is not in contact does not strike.
    thrown(&mut locked("trolls", "swordsmen"), "strike-last", 10);
    let mut apart = facing(unit("swordsmen"), unit("archers"), 1.0);
    for phase in ["strike-first", "strike", "strike-last"] {
        apart.phase(phase, &[]);
    }
}

#[test]
fn clause_spears() {
    let mut game = locked("spearmen", "swordsmen");
    thrown(&mut game, "strike-last", 10);
    game.saw("spears");
    let mut few = facing(unit("spearmen").figures(7), unit("swordsmen"), 0.0);
    thrown(&mut few, "strike-last", 7);
    let mut charge = facing(unit("spearmen"), unit("swordsmen"), 3.0);
    charge.phase("charge", &[]);
    thrown(&mut charge, "strike-first", 5);
}

/// Whether both sides act simultaneously in this phase.
fn at_once(phase: &str) -> bool {
    rules().phases.iter().find(|known| known.id == phase).expect("a phase").simultaneous
}

#[test]
fn clause_order() {
    assert!(["strike-first", "strike", "strike-last"].into_iter().all(at_once));
    let mut game = locked("spearmen", "swordsmen");
    thrown(&mut game, "strike-first", 5);
    game.saw("order");
    game.phase("strike", &[]);
    thrown(&mut game, "strike-last", 10);
    let mut charge = facing(unit("spearmen"), unit("swordsmen"), 3.0);
    charge.phase("charge", &[]);
    thrown(&mut charge, "strike-first", 5);
    charge.phase("strike", &[]);
    thrown(&mut charge, "strike-last", 5);
    // Both lose their last figure simultaneously.
    let mut even = facing(unit("archers").figures(1), unit("archers").figures(1), 0.0);
    even.phase("strike-first", &[]);
    even.phase("strike", &[4, 4, 1, 4, 4, 1]);
    assert!(even.first().gone() && even.second().gone());
    let mut late = facing(unit("spearmen").figures(1), unit("swordsmen").figures(1), 0.0);
    late.phase("strike-first", &[3, 4, 4]);
    assert!(late.first().gone(), "it does not strike back");
}

#[test]
fn clause_wounding() {
    for roll in ["shoot", "fireball", "stone", "strike"] {
        assert!(dice(rules(), roll).contains("wound d6"), "{roll}");
    }
    for (own, phase, hit, wounds, foe) in [
        ("archers", "strike", 4, 4, "archers"),
        ("archers", "strike-first", 4, 5, "trolls"),
        ("trolls", "strike-last", 4, 2, "archers"),
        ("trolls", "strike", 4, 3, "trolls"),
    ] {
        for (face, lost) in [(wounds, 1), (wounds - 1, 0)] {
            // One figure of each side strikes, and the enemy's misses.
            let mut game = facing(unit(own).figures(1), unit(foe).figures(2), 0.0);
            let dice = if own == "trolls" { 2 } else { 1 };
            let mut faces = vec![hit];
            faces.resize(dice, 1);
            faces.push(face);
            faces.extend(vec![1; lost]);
            if phase == "strike" {
                faces.extend(vec![1; 2 * dice]);
            }
            game.phase(phase, &faces);
            assert_eq!(game.second().figures, 2 - lost as u16, "{own} against {foe}");
            assert_eq!(game.first().counters.get(WOUNDS), lost as i32, "it counts in the combat");
            game.saw("wounding");
        }
    }
    // Only dice that hit are rolled to wound, and only dice that wound are rolled to save.
    for (faces, wounding, save) in [(&[3][..], false, false), (&[4, 3], true, false), (&[4, 4, 6], true, true)] {
        let mut game = facing(unit("archers").figures(1), unit("spearmen"), 9.0);
        game.phase("shoot", faces);
        let cited = game.seen.cited();
        assert_eq!((cited.contains("wounding"), cited.contains("save")), (wounding, save), "{faces:?}");
    }
    // First an arrow causes a wound, and then a burn does.
    for (own, faces) in [("archers", [4, 4, 1]), ("wizard", [1, 3, 1])] {
        let mut game = facing(unit(own).figures(1), unit("spearmen"), 9.0);
        game.phase("shoot", &faces);
        assert_eq!(game.second().figures, 14, "{own}");
    }
    // A stone wounds one figure for each of its wounds that is not saved.
    for (faces, lost) in [(&[1, 1][..], 0), (&[2, 2, 1, 6], 1), (&[2, 2, 2, 6, 6], 2)] {
        let mut game = thrower(&[], &[unit("spearmen").at(0.0, 10.0).facing(180.0)]);
        game.phase("stones", &[&[1, 1], faces].concat());
        assert_eq!(game.second().figures, 15 - lost, "{faces:?}");
        game.saw("wounding");
    }
}

#[test]
fn clause_save() {
    for roll in ["shoot", "fireball", "stone", "strike"] {
        assert!(dice(rules(), roll).ends_with("save d6"), "{roll}");
    }
    for (own, dice, foe, saves) in
        [("archers", 1, "swordsmen", 4), ("archers", 1, "spearmen", 5), ("trolls", 2, "knights", 5)]
    {
        for (face, lost) in [(saves, 0), (saves - 1, 1)] {
            let mut game = facing(unit(own).figures(1), unit(foe).figures(2), 0.0);
            let phase = if (own, foe) == ("archers", "spearmen") { "strike" } else { "strike-last" };
            let mut faces = vec![4];
            faces.resize(dice, 1);
            faces.extend([4, face]);
            if phase == "strike" {
                faces.extend([1, 1]);
            }
            game.phase(phase, &faces);
            assert_eq!(game.second().figures, 2 - lost, "{own} against {foe}, {face}");
            game.saw("save");
        }
    }
    let mut none = facing(unit("trolls").figures(1), unit("spearmen"), 0.0);
    none.phase("strike-last", &[4, 1, 4, 6]);
    assert_eq!(none.second().figures, 14, "nothing saves from a troll");
}

#[test]
fn clause_lance() {
    // A two wounds, and knights save on a five instead of a three.
    for (face, left) in [(4, 4), (5, 5)] {
        let mut game = facing(unit("knights").figures(1), unit("knights"), 6.0);
        game.phase("charge", &[]);
        game.phase("strike-first", &[3, 2, face]);
        assert_eq!(game.second().figures, left);
        game.saw("lance");
    }
    let mut later = facing(unit("knights").figures(1), unit("knights").figures(1), 0.0);
    later.phase("strike", &[3, 3, 1]);
    assert_eq!(later.second().figures, 1, "a three does not wound without the charge");
}

/// Two regiments with this many figures side by side against archers in one rank. Returns the archers' lead.
fn two_against_one(two: &str, figures: u16) -> i32 {
    let two = [-2.0, 2.0].map(|east| unit(two).figures(figures).at(east, 0.0).facing(180.0));
    let archers = unit("archers").figures(5).at(0.0, 0.0).facing(0.0);
    edges(&mut Game::under(rules(), ("attack", &[archers]), ("receive", &two)))[0]
}

#[test]
fn clause_resolution() {
    assert_eq!(bounds(rules(), "edge"), (-40, 40));
    assert_eq!(bounds(rules(), "wounds"), (0, 40));
    assert_eq!(two_against_one("archers", 5), 0, "nobody has caused a wound");
    // Archers in one rank count only wounds.
    let archers = || unit("archers").figures(5);
    let mut game = facing(archers(), archers(), 0.0);
    game.phase("strike", &[4, 4, 1, 1, 1, 4, 4, 1, 1, 4, 1, 1, 1, 1, 4, 1]);
    assert_eq!([game.first(), game.second()].map(|unit| unit.counters.get(WOUNDS)), [2, 1]);
    assert_eq!(edges(&mut game), [1, -1]);
    game.saw("resolution");
    assert_eq!(edges(&mut game), [0, 0], "wounds count once");
    assert_eq!([game.first(), game.second()].map(|unit| unit.counters.get(WOUNDS)), [0, 0]);
    game.phase("break", &[]);
}

#[test]
fn clause_rank_bonus() {
    for (figures, formation, counts) in
        [(15, "line", 0), (15, "wide", 1), (15, "block", 2), (15, "deep", 2), (6, "block", 1), (5, "block", 0)]
    {
        let mut game = facing(unit("archers").figures(5), unit("spearmen").figures(figures).formation(formation), 0.0);
        assert_eq!(edges(&mut game)[1], counts + 1, "{figures} figures in {formation}, with a standard");
        if counts > 0 {
            game.saw("rank-bonus");
        }
    }
    // Two regiments together count the ranks of only one.
    let blue = [-2.0, 2.0].map(|east| unit("spearmen").at(east, 0.0).facing(180.0));
    let mut game = Game::under(rules(), ("attack", &[unit("archers").at(0.0, 0.0).facing(0.0)]), ("receive", &blue));
    assert_eq!(edges(&mut game), [1 - 3, 3 - 1]);
    assert_eq!(struck(90.0).1, 0, "no ranks with the enemy on the flank");
}

#[test]
fn clause_standard() {
    for (foe, counts) in [("spearmen", 1), ("swordsmen", 1), ("knights", 1), ("trolls", 0), ("wizard", 0)] {
        let mut game = facing(unit("archers").figures(5), unit(foe).figures(3), 0.0);
        assert_eq!(edges(&mut game)[1], counts, "{foe}");
        if counts > 0 {
            game.saw("standard");
        }
    }
    assert_eq!(two_against_one("spearmen", 5), -1, "two standards count as one");
}

/// Archers in one rank strike spearmen that face this way. Returns the game and the spearmen's lead.
fn struck(heading: f64) -> (Game, i32) {
    let spearmen = match heading {
        0.0 => unit("spearmen").at(0.0, 2.4),
        90.0 => unit("spearmen").at(1.6, 2.0),
        _ => unit("spearmen").at(0.0, 0.0),
    };
    let archers = unit("archers").figures(5).at(0.0, 0.0).facing(0.0);
    let mut game = Game::under(rules(), ("attack", &[archers]), ("receive", &[spearmen.facing(heading)]));
    let edge = edges(&mut game)[1];
    (game, edge)
}

#[test]
fn clause_flank() {
    // The standard counts 1, and the two ranks count only when the enemy is in front.
    for (heading, edge) in [(180.0, 3), (90.0, 0), (0.0, -1)] {
        let (game, found) = struck(heading);
        assert_eq!(found, edge, "{heading}");
        if heading < 180.0 {
            game.saw("flank");
        }
    }
    // Two regiments on the flanks count as one, and so do two in the rear.
    let archers = |east: f64, north: f64, heading: f64| unit("archers").figures(5).at(east, north).facing(heading);
    for (spearmen, red, edge) in [
        (unit("spearmen").at(1.6, 2.0).facing(90.0), [archers(0.0, 0.0, 0.0), archers(0.0, 4.0, 180.0)], 0),
        (
            unit("spearmen").at(0.0, 2.4).facing(0.0),
            [archers(-1.0, 0.0, 0.0).figures(2), archers(1.0, 0.0, 0.0).figures(2)],
            -1,
        ),
    ] {
        let mut game = Game::under(rules(), ("attack", &red), ("receive", &[spearmen]));
        assert_eq!(edges(&mut game)[1], edge);
    }
}

#[test]
fn clause_hill() {
    let archers = |north: f64, heading: f64| unit("archers").figures(5).at(0.0, north).facing(heading);
    let on = |hills: &[f64]| {
        let hills: Vec<_> = hills.iter().map(|&north| block_of("hill", (0.0, north), (8.0, 3.0))).collect();
        let mut game =
            Game::over(rules(), &hills, ("attack", &[archers(0.0, 0.0)]), ("receive", &[archers(0.0, 180.0)]));
        let found = edges(&mut game);
        if found != [0, 0] {
            game.saw("hill");
        }
        found
    };
    assert_eq!([on(&[-1.6]), on(&[1.6]), on(&[-1.6, 1.6]), on(&[])], [[1, -1], [-1, 1], [0, 0], [0, 0]]);
    // Two regiments on a hill count as one.
    let two = [-2.0, 2.0].map(|east| archers(0.0, 180.0).at(east, 0.0));
    let hill = [block_of("hill", (0.0, 1.6), (8.0, 3.0))];
    let mut game = Game::over(rules(), &hill, ("attack", &[archers(0.0, 0.0)]), ("receive", &two));
    assert_eq!(edges(&mut game)[0], -1);
}

/// The game after spearmen have lost a combat with swordsmen by this much and rolled these dice.
fn after(edge: i32, faces: &[i32]) -> Game {
    let mut game = locked("spearmen", "swordsmen");
    game.unit_mut(Side::First, 0).counters.set(EDGE, -edge);
    game.unit_mut(Side::Second, 0).counters.set(EDGE, edge);
    game.phase("break", faces);
    game
}

#[test]
fn clause_break() {
    assert!(at_once("break"));
    for (edge, faces) in [(2, [2, 3]), (1, [3, 3]), (9, [1, 1])] {
        let game = after(edge, &faces);
        assert_eq!((game.first().front.y, game.first().broken(rules())), (0, false), "{edge}, {faces:?}");
        game.saw("break");
    }
    assert_eq!(after(2, &[3, 3]).first().front.y, -300);
    // After a draw, no unit tests.
    after(0, &[]);
}

#[test]
fn clause_fall_back() {
    for faces in [[3, 3], [3, 4]] {
        let game = after(2, &faces);
        assert_eq!((game.first().front.y, game.first().broken(rules())), (-300, false), "{faces:?}");
        assert_eq!(game.first().heading, locked("spearmen", "swordsmen").first().heading);
        game.saw("fall-back");
    }
}

#[test]
fn clause_flight() {
    let game = after(2, &[4, 4, 6, 6, 1, 1]);
    assert!(game.first().broken(rules()) && !game.first().gone());
    // It flees six inches and turns its back, so its front is 2.4 inches farther on, where its rear was.
    assert_eq!(game.first().front.y, -840);
    game.saw("flight");
}

#[test]
fn clause_pursuit() {
    for (faces, caught) in [([3, 3, 2, 3], false), ([3, 3, 3, 3], true), ([3, 3, 3, 4], true)] {
        let game = after(2, &[&[4, 4], &faces[..]].concat());
        assert_eq!(game.first().gone(), caught, "{faces:?}");
        game.saw("pursuit");
    }
    for (own, foe, faces, caught) in [
        ("knights", "swordsmen", [1, 1, 2, 3], true),
        ("knights", "swordsmen", [1, 1, 2, 2], false),
        ("swordsmen", "knights", [3, 3, 1, 2], true),
        ("swordsmen", "knights", [3, 3, 1, 1], false),
    ] {
        let mut game = locked(own, foe);
        game.unit_mut(Side::First, 0).counters.set(EDGE, -9);
        game.phase("break", &[&[6, 6], &faces[..]].concat());
        assert_eq!(game.first().gone(), caught, "{own} before {foe}");
    }
}

#[test]
fn clause_rout() {
    let mut game = facing(unit("spearmen").morale("broken"), unit("knights"), 6.0);
    game.unit_mut(Side::First, 0).heading = facing(unit("spearmen"), unit("knights"), 6.0).second().heading;
    let before = game.first().front.y;
    game.phase("move", &[]);
    assert_eq!(before - game.first().front.y, 600);
    game.saw("rout");
    for _ in 0..5 {
        game.phase("move", &[]);
    }
    assert!(game.first().gone());
}

#[test]
fn clause_regrowth() {
    assert_eq!(dice(rules(), "regrow"), "d6");
    let mut game = facing(unit("trolls"), unit("spearmen"), 10.0);
    game.phase("regrow", &[]);
    game.unit_mut(Side::First, 0).figures = 3;
    game.phase("regrow", &[5, 4, 6]);
    assert_eq!(game.first().figures, 5);
    game.saw("regrowth");
    game.phase("regrow", &[4]);
    assert_eq!(game.first().figures, 5);
    let mut spearmen = facing(unit("spearmen"), unit("trolls"), 10.0);
    spearmen.unit_mut(Side::First, 0).figures = 3;
    spearmen.phase("regrow", &[]);
}

#[test]
fn clause_army() {
    assert!(at_once("army"));
    // Spearmen are worth 75 points, swordsmen 90, and trolls 120.
    let side = |kinds: &[&str], north: f64, heading: f64| -> Vec<Men> {
        let places = kinds.iter().zip([-10.0, 0.0, 10.0]);
        places.map(|(kind, east)| unit(kind).at(east, north).facing(heading)).collect()
    };
    // Trolls are worth as much as two regiments of archers, so exactly half of the army is lost.
    let half = side(&["trolls", "archers", "archers"], -10.0, 0.0);
    let mut half = Game::under(rules(), ("attack", &half), ("receive", &side(&["spearmen", "trolls"], 10.0, 180.0)));
    half.unit_mut(Side::First, 0).morale = MoraleId::from_byte(1);
    half.phase_of(Side::Second, "army", &[1, 1]);
    // Both armies give up simultaneously.
    let mut both = Game::under(
        rules(),
        ("attack", &side(&["trolls", "archers"], -10.0, 0.0)),
        ("receive", &side(&["trolls", "archers"], 10.0, 180.0)),
    );
    for side in Side::BOTH {
        both.unit_mut(side, 0).morale = MoraleId::from_byte(1);
    }
    both.phase_of(Side::Second, "army", &[6, 6, 6, 6]);
    assert_eq!(both.outcome.expect("nobody is left").winner, None);
    let army = |lost: usize| {
        let red = side(&["spearmen", "swordsmen", "trolls"], -10.0, 0.0);
        let mut game = Game::under(rules(), ("attack", &red), ("receive", &side(&["spearmen", "trolls"], 10.0, 180.0)));
        game.unit_mut(Side::First, lost).morale = MoraleId::from_byte(1);
        game
    };
    army(1).phase_of(Side::Second, "army", &[]);
    army(2).phase_of(Side::Second, "army", &[]);
    let mut game = army(0);
    game.unit_mut(Side::First, 1).morale = MoraleId::from_byte(1);
    // The trolls' nerve is five.
    game.phase_of(Side::Second, "army", &[2, 3]);
    assert!(game.outcome.is_none());
    game.saw("army");
    game.phase_of(Side::Second, "army", &[3, 3]);
    assert_eq!(game.outcome.and_then(|outcome| outcome.winner), Some(Side::Second));
    assert!(game.nth(2).broken(rules()));
    // The best remaining nerve counts: here the spearmen's.
    let mut best = army(1);
    best.unit_mut(Side::First, 2).morale = MoraleId::from_byte(1);
    best.phase_of(Side::Second, "army", &[3, 4]);
    assert!(best.outcome.is_none());
}

#[test]
fn clause_end() {
    let mut game = facing(unit("spearmen"), unit("knights"), 10.0);
    game.unit_mut(Side::First, 0).morale = MoraleId::from_byte(1);
    game.phase("break", &[]);
    assert_eq!(game.outcome, None, "it is looked at when a regiment breaks, and as a half-turn begins");
    game.phase("rally", &[6, 6]);
    assert_eq!(game.outcome.and_then(|outcome| outcome.winner), Some(Side::Second));
    game.saw("end");
    let far = |kind: &str, east: f64, north: f64| unit(kind).at(east, north);
    let mut last = Game::under(
        rules(),
        ("receive", &[far("spearmen", -10.0, -15.0), far("spearmen", 10.0, -15.0), far("trolls", 0.0, -15.0)]),
        ("receive", &[far("spearmen", -10.0, 15.0), far("spearmen", 10.0, 15.0)]),
    );
    last.battle.turn = last.setup.turns;
    last.unit_mut(Side::First, 0).morale = MoraleId::from_byte(1);
    last.phase_of(Side::Second, "army", &[]);
    assert_eq!(last.outcome.and_then(|outcome| outcome.winner), Some(Side::Second), "a third against nothing");
}
