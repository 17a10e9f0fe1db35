//! Squares that merge, and battalions that leave a square when it breaks.

use grognard_engine::plane::Heading;
use grognard_engine::{Event, Flags, Refusal, Side};

use super::far_away;
use crate::common::{Game, Men, drill, unit};

/// A square of this many figures, this far to the east.
fn square(figures: u16, east: f64) -> Men {
    unit("line-battalion").figures(figures).formation("square").at(east, 0.0).facing(0.0)
}

fn joins(game: &Game) -> usize {
    game.seen.events().iter().filter(|event| matches!(event, Event::Joined { .. })).count()
}

/// A square that has charged does not merge at the start of the move. It has already moved, and its charge counts only
/// its own figures (7.13).
#[test]
fn clause_9_52() {
    let charges = |doctrine: &str| {
        // The first square is half an inch behind the other, which is on its right.
        let men = [square(8, 0.0), square(6, 0.0).at(1.29, 0.5)];
        let enemy = unit("line-battalion").figures(2).morale("disordered").at(0.0, 0.75).facing(0.0);
        let mut game = Game::new((doctrine, &men), ("hold", &[enemy]));
        game.unit_mut(Side::First, 1).doctrine = drill().doctrine("join").expect("a doctrine");
        game.phase("charge", if doctrine == "charge" { &[1, 1] } else { &[] });
        assert_eq!(game.first().flags.has(Flags::CONTACT), doctrine == "charge", "{:?}", game.seen.events());
        game.phase("move", &[]);
        game
    };
    let charged = charges("charge");
    assert_eq!((joins(&charged), charged.first().guests), (0, 0));
    assert_eq!(charged.seen.refusals(), [Refusal::NoSquare]);
    charged.saw("9.52");
    let stood = charges("hold");
    assert_eq!((joins(&stood), stood.first().guests), (1, 6));
}

/// A square that has just taken in another counts as having joined it, so its own order to join is not refused.
#[test]
fn who_has_taken_in_a_square_has_joined_it() {
    let men = [square(8, 0.0), square(6, 1.25)];
    let mut game = Game::new(("join-all", &men), ("hold", &[far_away()]));
    game.phase("move", &[]);
    assert_eq!((joins(&game), game.seen.refusals()), (1, vec![]));
    // A third square that touches neither of them is refused.
    let men = [square(8, 0.0), square(6, 1.25), square(6, 9.0)];
    let mut game = Game::new(("join-all", &men), ("hold", &[far_away()]));
    game.phase("move", &[]);
    assert_eq!((joins(&game), game.seen.refusals()), (1, vec![Refusal::NoSquare]));
}

/// When a square breaks in place, each of its battalions faces away from the enemy nearest to that battalion's new
/// position.
#[test]
fn clause_7_44() {
    for (east, north) in [(0.0, -7.0), (3.0, -6.0), (5.0, -4.0), (-5.0, -4.0), (20.0, 20.0)] {
        // On the march they count as disordered: shaken by a volley, they rout without being driven back (8.62).
        let enemies = [
            unit("line-battalion").at(0.0, 4.0).facing(180.0),
            unit("light-cavalry").figures(2).at(east, north).facing(0.0),
        ];
        let men = [square(8, 0.0), square(6, 1.25), square(6, -1.25)];
        let mut game = Game::commanded(&[], ("attack", "road"), ("join", &men), ("fire-only", &enemies));
        game.phase("move", &[]);
        assert_eq!(game.first().guests, 12);
        game.phase_of(Side::Second, "fire", &[10, 10, 10, 10, 1, 1, 4, 4]);
        for number in 0..3 {
            let unit = game.nth(number);
            assert_eq!(game.state(&unit), ("column", "routed"), "{:?}", game.seen.events());
            let middle = |number| game.ground(&game.unit(Side::Second, number)).centre();
            let own = game.ground(&unit);
            let nearest = [0, 1].map(middle).into_iter().min_by_key(|there| there.square_distance(own.centre()));
            let away = Heading::between(nearest.expect("an enemy"), own.centre());
            let off = unit.heading.turn_to(away);
            assert!(off.abs() <= 2, "({east}, {north}): unit {number} is {off} off, at {own:?}");
            for other in (0..3).filter(|&other| other != number) {
                assert!(!own.overlaps(&game.ground(&game.nth(other))), "({east}, {north}): {number} on {other}");
            }
        }
        game.saw("7.44");
    }
}
