//! HD6 and HD7: what the winner of a charge meets when it pursues, charges on or takes a position.

use grognard_engine::{Asked, Event, Offer, Player, Scene, TerrainPlan, UnitId};

use super::*;
use crate::common::block_of;

/// Cuirassiers charge infantry that breaks; the friends of both hold.
fn won(doctrine: &str, ground: &[TerrainPlan], men: &[Men], enemies: &[Men], faces: &[i32]) -> Game {
    let mut game = Game::over(pips(), ground, (doctrine, men), ("hold", enemies));
    for number in 1..men.len() {
        game.unit_mut(Side::First, number).doctrine = pips().doctrine("hold").expect("a drill");
    }
    game.points(2).phase("pip", &[]).phase("charge", faces);
    game
}

fn cuirassiers(x: f64, y: f64, facing: f64) -> Men {
    unit("cuirassiers").at(x, y).facing(facing)
}

/// Infantry that breaks unless it rolls a 6.
fn raw(x: f64, y: f64, facing: f64) -> Men {
    unit("raw-infantry").at(x, y).facing(facing).morale("shaken")
}

fn foot(x: f64, y: f64, facing: f64) -> Men {
    unit("infantry").at(x, y).facing(facing)
}

/// The enemies on which a charge is declared, by number.
fn charged(game: &Game) -> Vec<usize> {
    let charged = |event: &Event| match *event {
        Event::Declared { target, .. } => Some(target.index()),
        _ => None,
    };
    game.seen.events().iter().filter_map(charged).collect()
}

/// A pursuer destroys an enemy that it touches at the end of its pursuit. A gap of a hundredth of an inch still counts
/// as contact (C5), but a friend may stop the pursuer short of that enemy.
#[test]
fn clause_hd7() {
    let village = [block_of("built-up", (0.0, 5.0), (6.0, 4.0))];
    let guns = unit("horse-artillery").at(-1.9, 2.9).facing(0.0).formation("limbered");
    for (men, destroyed) in
        [(vec![cuirassiers(-1.7, 0.0, 0.0)], true), (vec![cuirassiers(-1.7, 0.0, 0.0), guns], false)]
    {
        let enemies = [raw(0.0, 0.0, 180.0), foot(20.0, 10.0, 180.0)];
        let game = won("charge-pursue", &village, &men, &enemies, &[6, 1, 2]);
        assert_eq!(game.unit(Side::Second, 0).gone(), destroyed, "{}", men.len());
        game.saw("HD7");
    }
    for (east, destroyed) in [(0.01, true), (0.02, false)] {
        let enemies = [raw(0.0, 0.0, 180.0), foot(30.0, 20.0, 180.0)];
        let game = won("charge-pursue", &[], &[cuirassiers(east, 1.0, 180.0)], &enemies, &[6, 1, 2]);
        assert_eq!(game.unit(Side::Second, 0).gone(), destroyed, "{east}");
    }
}

/// Cavalry that charges on destroys the fleeing enemy if it then touches it (HD7).
#[test]
fn who_charges_on_destroys_the_fleeing_enemy_that_it_touches() {
    for (east, north, facing, destroyed) in [(-2.8, 8.26, 210.0, true), (3.0, 5.0, 180.0, false)] {
        let enemies = [raw(0.0, 0.0, 180.0).morale("shaken"), foot(east, north, facing), foot(30.0, 20.0, 180.0)];
        let horse = unit("veteran-cavalry").at(0.0, 0.0).facing(0.0);
        let game = won("charge-on", &[], &[horse], &enemies, &[6, 1, 6, 1]);
        assert_eq!(game.unit(Side::Second, 0).gone(), destroyed, "{east}");
        assert_eq!(charged(&game), [1, 2], "{east}");
    }
}

/// A pursuer that meets the fleeing enemy and another one simultaneously destroys the first and charges the second,
/// whichever the study names first (HD7, C2).
#[test]
fn who_is_met_beside_the_fleeing_enemy_is_charged() {
    let village = [block_of("built-up", (0.0, 5.0), (4.0, 4.0))];
    for flees in [0, 1] {
        let mut enemies = vec![foot(-3.35, 3.0, 180.0), foot(30.0, 20.0, 180.0)];
        enemies.insert(flees, raw(0.0, 0.0, 180.0));
        let game = won("charge-pursue", &village, &[cuirassiers(-1.7, 0.0, 0.0)], &enemies, &[6, 1, 2, 1]);
        assert!(game.unit(Side::Second, flees).gone(), "{flees}");
        assert_eq!(charged(&game), [1 + flees, 2 - flees], "{flees}");
    }
}

/// Of two enemies that it meets simultaneously, a pursuer charges the one that it strikes on the more vulnerable side,
/// whichever the study names first (U12); so does cavalry that charges on.
#[test]
fn who_is_struck_from_the_worst_side_is_charged() {
    for (doctrine, control) in [("charge-pursue", 2), ("charge-on", 6)] {
        for flank in [1, 2] {
            let mut enemies = vec![raw(0.0, 0.0, 180.0), foot(-1.2, 3.0, 180.0), foot(30.0, 20.0, 180.0)];
            enemies.insert(flank, foot(1.1, 4.25, 90.0));
            let game = won(doctrine, &[], &[cuirassiers(0.0, 0.0, 0.0)], &enemies, &[6, 1, control, 1]);
            assert_eq!(charged(&game), [1, 1 + flank], "{doctrine}");
        }
    }
}

/// Cavalry that touches another enemy may charge on without a move (C3, HD7).
#[test]
fn cavalry_charges_on_where_it_stands() {
    let enemies = [raw(-0.6, 0.0, 180.0), unit("veteran-cavalry").at(0.75, -0.5).facing(270.0), foot(-3.0, 8.0, 180.0)];
    let game = won("charge-on", &[], &[cuirassiers(0.0, 0.0, 0.0)], &enemies, &[6, 1, 6, 1]);
    assert_eq!((charged(&game), game.first().front), (vec![1, 2], Point { x: 0, y: 0 }));
}

/// Takes the option at this position once its charge has won; otherwise follows the doctrine.
struct ChargesOn {
    place: usize,
    /// The enemies that it could charge; `None` for other orders.
    offered: Vec<Option<usize>>,
}

impl Player for ChargesOn {
    fn plays(&self, side: Side) -> bool {
        side == Side::First
    }

    fn choose(&mut self, _: Scene<'_>, asked: &Asked<'_>) -> usize {
        let enemy = |offer: &Offer| match offer {
            Offer::Row { enemy, .. } => enemy.map(UnitId::index),
            _ => None,
        };
        self.offered = asked.offers.iter().map(enemy).collect();
        self.place
    }
}

/// Cavalry that wins and stays under control may charge any enemy within its move, or none (HD7). It is not offered an
/// enemy out of reach, or infantry in a wood (R5). Cavalry that must pursue has no choice.
#[test]
fn a_player_chooses_whom_to_charge_on_to() {
    let wood = [block_of("woods", (-7.0, 6.0), (4.0, 4.0))];
    let begun = || {
        let enemies = [
            raw(0.0, 0.0, 180.0),
            foot(3.0, 5.0, 180.0),
            foot(-3.0, 4.0, 180.0),
            foot(-7.0, 5.0, 180.0),
            foot(30.0, 20.0, 180.0),
        ];
        let mut game = Game::over(pips(), &wood, ("charge-on", &[cuirassiers(0.0, 0.0, 0.0)]), ("hold", &enemies));
        game.points(2).phase("pip", &[]);
        game
    };
    let offered = [None, Some(3), Some(2)];
    for (place, enemy) in offered.into_iter().enumerate() {
        // The charge, its target's check, the check to stay under control, and the second charge.
        let faces = |picked: &[i32]| [&[6, 1, 6], picked, &[1][..usize::from(enemy.is_some())]].concat();
        let expected: Vec<usize> = [Some(1), enemy].into_iter().flatten().collect();
        let mut game = begun();
        let mut player = ChargesOn { place, offered: Vec::new() };
        game.phase_as("charge", &faces(&[]), &mut player);
        assert_eq!((player.offered, charged(&game)), (offered.to_vec(), expected.clone()));
        // A die decides for a player who chooses at random.
        let mut random = begun();
        random.setup.random.first = true;
        random.phase("charge", &faces(&[place as i32 + 1]));
        assert_eq!(charged(&random), expected, "at random");
    }
    assert_eq!(charged(begun().phase("charge", &[6, 1, 6, 1])), [1, 3], "by doctrine");
    let mut game = begun();
    let mut player = ChargesOn { place: 2, offered: Vec::new() };
    game.phase_as("charge", &[6, 1, 2], &mut player);
    assert!(player.offered.is_empty() && pursued(&game).is_some());
}

/// The winner of a second charge does not pursue, but may take the position (HD6).
#[test]
fn clause_hd6() {
    let shaken = foot(2.6, 3.0, 180.0).morale("shaken");
    let enemies = [raw(-0.5, 0.0, 180.0), shaken, foot(30.0, 20.0, 180.0)];
    let game = won("charge-on-and-occupy", &[], &[cuirassiers(0.0, 0.0, 0.0)], &enemies, &[6, 1, 6, 6, 1]);
    assert_eq!((charged(&game), centre(&game, &game.first())), (vec![1, 2], Point { x: 260, y: 350 }));
}

/// A pursuer whose path is blocked keeps its position: it does not turn aside to an enemy farther on (I2).
#[test]
fn nobody_goes_aside_to_meet_an_enemy() {
    let men = [cuirassiers(0.5, 0.0, 90.0), foot(-0.5, -0.75, 90.0)];
    let enemies = [raw(1.5, 0.0, 90.0), foot(1.46, -2.05, 315.0), foot(25.0, 15.0, 90.0)];
    let game = won("charge-pursue", &[], &men, &enemies, &[6, 1, 2]);
    assert_eq!((charged(&game), game.first().front), (vec![2], Point { x: 50, y: 0 }));
}

/// Of two enemies that it meets simultaneously, a pursuer charges the one that it may charge, whichever the study names
/// first. It does not charge infantry that has fled into a wood (R5).
#[test]
fn who_may_be_charged_is_met_first() {
    let wood = [block_of("woods", (0.0, 5.0), (4.0, 4.0))];
    for flees in [0, 1] {
        let mut enemies = vec![foot(-3.35, 3.0, 180.0), foot(30.0, 20.0, 180.0)];
        enemies.insert(flees, raw(0.0, 0.0, 180.0));
        let game = won("charge-pursue", &wood, &[cuirassiers(-1.7, 0.0, 0.0)], &enemies, &[6, 1, 2, 1]);
        assert!(!game.unit(Side::Second, flees).gone(), "{flees}");
        assert_eq!(charged(&game), [1 + flees, 2 - flees], "{flees}");
    }
}

/// If enemies are struck on the same side, their properties decide which is charged, not their order in the study (U12,
/// HD7). This is true of three enemies that a unit meets simultaneously when it moves up to them or charges on. It is
/// also true of two that a pursuer touches at the end.
#[test]
fn who_is_struck_alike_is_charged_in_any_order() {
    let kinds = |game: &Game| charged(game).into_iter().map(|id| game.battle.units[id].kind).collect::<Vec<_>>();
    let same = |fought: &dyn Fn(&[Men]) -> Game, one: Men, other: Men, charges: usize| {
        let [first, second] = [[one.clone(), other.clone()], [other, one]].map(|two| kinds(&fought(&two)));
        assert_eq!(first.len(), charges);
        assert_eq!(first, second);
    };
    let shaken = |y: f64| raw(0.0, y, 180.0).formation("square");
    let far = || foot(30.0, 20.0, 180.0);
    let comes_up = |two: &[Men]| {
        let men = [unit("veteran-infantry").at(0.0, -2.5).facing(0.0)];
        let enemies = [vec![shaken(0.0)], two.to_vec(), vec![far()]].concat();
        let mut game = super::game(("charge", &men), ("hold", &enemies));
        game.points(6).phase("pip", &[]);
        game
    };
    let horse = |kind: &str, x: f64, facing: f64| unit(kind).at(x, 0.75).facing(facing);
    same(&comes_up, horse("cavalry", -1.77, 270.0), horse("cuirassiers", 1.77, 90.0), 1);
    let charges_on = |two: &[Men]| {
        let enemies = [vec![raw(0.0, 0.0, 180.0), shaken(4.0)], two.to_vec(), vec![far()]].concat();
        won("charge-on", &[], &[cuirassiers(0.0, 0.0, 0.0)], &enemies, &[6, 1, 6, 1])
    };
    let veterans = |kind: &str, x: f64, y: f64, facing: f64| unit(kind).at(x, y).facing(facing);
    same(
        &charges_on,
        veterans("veteran-cavalry", -1.75, 4.75, 270.0),
        veterans("veteran-infantry", 1.75, 5.25, 90.0),
        2,
    );
    let pursues = |two: &[Men]| {
        let village = [block_of("built-up", (0.0, 5.0), (1.0, 4.0))];
        let enemies = [vec![raw(0.0, 0.0, 180.0)], two.to_vec(), vec![far()]].concat();
        won("charge-pursue", &village, &[cuirassiers(0.0, 0.0, 0.0)], &enemies, &[6, 1, 2, 1])
    };
    same(&pursues, veterans("veteran-infantry", -1.8, 3.0, 180.0), veterans("veteran-cavalry", 1.3, 3.0, 180.0), 2);
}

/// A pursuer stops short of ground that holds an enemy that it may not charge, even if it would only graze an edge of
/// that ground (KC3, HD7).
#[test]
fn a_pursuer_does_not_graze_ground_that_is_closed_to_it() {
    // The infantry flees into a wood, one degree west of north. After six inches on that heading, the left corner of
    // the pursuer would be at x = 1.037, and the wood ends at x = 1.03.
    let wood = [block_of("woods", (-0.1, 6.0), (2.26, 4.0))];
    let enemies = [raw(0.0, -0.5, 180.0), foot(30.0, 20.0, 180.0)];
    let grazes = won("charge-pursue", &wood, &[cuirassiers(1.9, -0.5, 0.0)], &enemies, &[6, 1, 2]);
    assert_eq!((grazes.second().fills, grazes.first().heading.tenths()), (1, 3590));
    assert!(pursued(&grazes).is_some_and(|inches| (450..600).contains(&inches)), "{:?}", pursued(&grazes));
}
