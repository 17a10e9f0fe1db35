//! Positions in which the exact wording of a clause matters: units that graze each other, rows that turn, and guns
//! between two formations.

use grognard_engine::plane::{Arc, Point};
use grognard_engine::{Event, Flags, Refusal, Side};
use grognard_rules::model::Rules;

use super::{far_away, figure, s6};
use crate::common::{Game, Men, block_of, drill, line_of, load_with, unit};

/// The drill rules with some values changed.
fn rules_with(changes: &[&str]) -> &'static Rules {
    Box::leak(Box::new(load_with("figures-drill", changes)))
}

/// A hedge that bends back 20 degrees in front of the middle of S6.
fn hedge() -> [grognard_engine::TerrainPlan; 2] {
    [line_of("hedge", (-3.0, 0.15), (0.0, 0.15)), line_of("hedge", (0.05, 0.14), (2.87, -0.885))]
}

/// Off its hedge, a bent unit would face in two directions, so it takes no path and follows no road until it has been
/// dressed.
#[test]
fn clause_7_0_p1() {
    for doctrine in ["path-ahead", "road"] {
        let mut game = Game::over(drill(), &hedge(), (doctrine, &[s6().bent(0, 20)]), ("hold", &[far_away()]));
        game.phase("move", &[]);
        assert_eq!(game.seen.refusals(), [Refusal::Ambiguous], "{doctrine}");
        assert_eq!(game.first().front, game.setup.start.units[0].front, "{doctrine}");
        game.saw("7.0-P1");
    }
}

/// An attack by skirmishers is judged from the positions of their own bases, and one by a square of several units from
/// those of all its figures.
#[test]
fn figures_attack_from_where_their_own_bases_stand() {
    // Two figures are 2" apart. The nearer one's base centre is at (3.50, 5), within the limit of 3.520", or beyond it
    // at (3.54, 5).
    let row = |east: f64| {
        let row = unit("light-battalion").figures(2).formation("full-skirmish").at(east + 1.0, 4.75).facing(180.0);
        let mut game = Game::new(("fire-only", &[row]), ("hold", &[s6()]));
        game.phase("fire", &[1]);
        game
    };
    assert_eq!(row(3.50).roll("fire").exposed.1, Arc::Front);
    assert_eq!(row(3.54).roll("fire").exposed.1, Arc::Flank);

    // Eight and seven figures make four rows of up to four, the first at y = 0.25. The leftmost centres are at x = 2.0:
    // beyond the limit of 1.5 + 0.404 y in the first two rows, but within it in the third, where y = 1.25.
    let square = |figures: u16, east: f64| {
        unit("line-battalion").figures(figures).formation("square").at(east, 0.25).facing(180.0)
    };
    let mut game = Game::new(("join", &[square(8, 2.75), square(7, 4.25)]), ("hold", &[s6()]));
    game.phase("move", &[]);
    assert_eq!(game.first().guests, 7);
    game.phase("fire", &[1, 1]);
    assert_eq!(game.roll("fire").exposed.1, Arc::Front);
}

/// A bent line can rake along the heading of either stretch.
#[test]
fn clause_7_54a() {
    // The flank of the target is at 37 degrees from the middle of the front: within 22 degrees of the right stretch,
    // whose heading is 20.
    let target = s6().at(2.31, 3.0).facing(127.0);
    let mut game = Game::over(drill(), &hedge(), ("fire-only", &[s6().bent(0, 20)]), ("hold", &[target]));
    game.phase("fire", &[1, 1, 1]);
    assert!(game.own_modifiers("fire").contains(&"enfilade"));
    game.saw("7.54a");
}

/// The zone of a bent line is in front of both its stretches.
#[test]
fn clause_7_23() {
    // A figure is at about (2.4, 0.85), where the straight front's arc ends at 1.5 + 1.1 x 0.404 = 1.94". From the end
    // of the half that faces 20 degrees to the right, at (1.41, -0.51), the figure is about 36 degrees to the right of
    // north, and the limit is 42.
    let figure = || figure().at(2.4, 1.1).facing(0.0);
    let turns = |owner: Men| {
        let mut game = Game::over(drill(), &hedge(), ("face", &[figure()]), ("hold-fire", &[owner]));
        game.phase("formation", &[]);
        let announced = game.seen.events().iter().any(|event| matches!(event, Event::InZone { .. }));
        (announced, game)
    };
    assert!(!turns(s6()).0);
    let (announced, game) = turns(s6().bent(0, 20));
    assert!(announced);
    game.saw("7.23");
}

/// A charger is not a defender: it counts all its figures, however little of its front meets the enemy.
#[test]
fn clause_7_64() {
    let charged = |charger: Men, target: Men, faces: &[i32]| {
        let mut game = Game::new(("charge", &[charger]), ("hold", &[target]));
        game.phase("charge", faces).phase("shock", &[3, 3, 3, 3]);
        game
    };
    // The fronts meet over only a tenth of an inch. The nearest base centre of the four is then at (1.65, 0.25), and
    // the limit is 1.601".
    let four = || unit("line-battalion").figures(4);
    let grazed = charged(s6(), four().at(1.4 + 1.0, 4.0).facing(180.0), &[1, 1, 3, 3]);
    assert_eq!(grazed.roll("shock").exposed, (Arc::Flank, Arc::Front));
    assert!(grazed.foe_modifiers("shock").is_empty(), "four are not twice six: {:?}", grazed.foe_modifiers("shock"));
    // A unit that is struck in the flank counts two.
    let struck = charged(four().at(6.0, -0.25).facing(270.0), s6(), &[1, 1]);
    assert_eq!(struck.own_modifiers("shock"), ["impetus", "outnumbers"]);
    struck.saw("7.64");
}

/// Terrain disorders any unit that turns, wheels or forms on it, as well as any unit that crosses it.
#[test]
fn clause_8_16() {
    let woods = |at: (f64, f64)| [block_of("woods", at, (4.0, 2.0))];
    let after = |rules: &'static Rules, at: (f64, f64), doctrine: &str, men: Men, phase: &str| {
        let enemy = figure().at(20.0, -0.25).facing(270.0);
        let mut game = Game::over(rules, &woods(at), (doctrine, &[men]), ("hold", &[enemy]));
        game.phase(phase, &[]);
        let morale = game.state(&game.first()).1.to_owned();
        assert_eq!(game.seen.cited().contains("8.16"), morale == "disordered");
        morale
    };
    // Twelve figures that turn to the east reach three inches to the north, where a wood begins at 2" or at 5".
    let twelve = || unit("line-battalion").at(0.0, 0.0).facing(0.0);
    assert_eq!(after(drill(), (0.0, 3.0), "face", twelve(), "formation"), "disordered");
    assert_eq!(after(drill(), (0.0, 6.0), "face", twelve(), "formation"), "good");
    // S6 wheels by 30 degrees: its left end moves 1.5" forward.
    let leg = |index: usize, what: &str| format!("doctrine.path.row.path.legs.{index}.{what}");
    let wheel = [leg(0, "march=0"), leg(2, "march=0")];
    let wheel = rules_with(&wheel.each_ref().map(String::as_str));
    assert_eq!(after(wheel, (-2.0, 2.0), "path", s6(), "move"), "disordered");
    assert_eq!(after(wheel, (-2.0, 3.0), "path", s6(), "move"), "good");
    // A unit that turns or wheels off such ground has also turned on it. Here the wood is under one end of its rear.
    let off = |rules: &'static Rules, east: f64, doctrine: &str, men: Men, phase: &str| {
        let wood = [block_of("woods", (east, -0.4), (0.2, 0.2))];
        let enemy = figure().at(20.0, -0.25).facing(270.0);
        let mut game = Game::over(rules, &wood, (doctrine, &[men]), ("hold", &[enemy]));
        game.phase(phase, &[]);
        game.state(&game.first()).1.to_owned()
    };
    assert_eq!(off(drill(), -2.9, "face", twelve(), "formation"), "disordered");
    assert_eq!(off(drill(), -3.2, "face", twelve(), "formation"), "good");
    assert_eq!(off(wheel, -1.4, "path", s6(), "move"), "disordered");
    assert_eq!(off(wheel, -1.7, "path", s6(), "move"), "good");
    // Horse that dismounts among trees forms there.
    let horse = || unit("light-cavalry").at(0.0, 3.0).facing(0.0);
    assert_eq!(after(drill(), (0.0, 3.0), "dismount", horse(), "formation"), "disordered");
    assert_eq!(after(drill(), (0.0, 9.0), "dismount", horse(), "formation"), "good");
    // A unit that has recovered in a wood is in good order until it moves there again (an interpretation).
    let men = unit("line-battalion").morale("disordered").at(0.0, 1.0).facing(0.0);
    let wood = [block_of("woods", (0.0, 3.0), (12.0, 12.0))];
    let mut game = Game::over(drill(), &wood, ("march", &[men]), ("hold", &[far_away()]));
    game.phase("recover", &[3, 3]).phase("rally", &[]);
    for phase in ["formation", "charge"] {
        game.phase(phase, &[]);
        assert_eq!(game.state(&game.first()).1, "good", "{phase}");
    }
    game.phase("move", &[]);
    assert_eq!(game.state(&game.first()).1, "disordered");
}

/// Siege guns that are limbering or unlimbering neither fire nor move. If they are driven back, they have not stood
/// still.
#[test]
fn clause_8_43() {
    let charged = |doctrine: &str, formation: &str, faces: &[i32]| {
        let guns = unit("siege-battery").formation(formation).at(0.0, 0.0).facing(0.0);
        let enemy = unit("line-battalion").figures(8).at(0.0, 6.0).facing(180.0);
        let mut game = Game::new((doctrine, &[guns]), ("charge", &[enemy]));
        game.phase("formation", &[]).phase_of(Side::Second, "charge", faces);
        game
    };
    // Guns in action fire six dice as the charge comes in; those that are limbering only test.
    let _ = charged("hold", "unlimbered", &[1, 1, 1, 1, 1, 1, 3, 3]);
    let limbering = charged("form-limbered", "unlimbered", &[3, 3]);
    limbering.saw("8.43");
    // The charge has 2, plus 2 for impetus and numbers. It pushes the guns back by one against 7 minus 4, and is
    // repulsed against 8 minus 4.
    for (shock, formation) in [([1, 1, 3, 4], "limbered"), ([1, 1, 4, 4], "unlimbered")] {
        let mut game = charged("form-unlimbered", "limbered", &[1, 1]);
        game.phase_of(Side::Second, "shock", &shock);
        for phase in ["recover", "rally"] {
            game.play_anyhow(Side::Second, phase);
        }
        let back = game.first().front.y < -300;
        assert_eq!((game.state(&game.first()).0, back), (formation, formation == "limbered"));
    }
}

/// Siege guns that have begun to limber do not move, so they join no square until they have finished.
#[test]
fn guns_that_are_limbering_join_no_square() {
    let joins = |order: &str| {
        let square = unit("line-battalion").figures(12).formation("square").at(0.0, -1.5).facing(0.0);
        let guns = unit("siege-battery").formation("unlimbered").at(0.0, 0.0).facing(0.0);
        let mut game = Game::new((order, &[square, guns]), ("hold", &[far_away()]));
        game.phase("formation", &[]);
        for number in [0, 1] {
            game.unit_mut(Side::First, number).doctrine = drill().doctrine("join-all").expect("a doctrine");
        }
        game.phase("move", &[]);
        game.nth(1).flags.has(Flags::INSIDE)
    };
    assert!(joins("hold"));
    assert!(!joins("form-limbered"));
}

/// A unit whose rear is in the fields does not begin its move on the road.
#[test]
fn clause_8_63() {
    let march = |facing: f64, east: f64| {
        let men = unit("line-battalion").figures(8).formation("road-column").at(east, -12.0).facing(facing);
        let road = [line_of("road", (0.0, -24.0), (0.0, 24.0))];
        let enemy = figure().at(30.0, 23.0).facing(180.0);
        let mut game = Game::commanded(&road, ("march", "road"), ("road", &[men]), ("hold", &[enemy]));
        game.phase("move", &[]);
        game.saw("8.63");
        game.first().front.y + 1200
    };
    assert_eq!(march(0.0, 0.0), 2400, "on the road from head to tail");
    // It comes from the east, with its front 0.3" from the middle of the road and its rear two inches behind that.
    assert!((1598..=1600).contains(&march(270.0, 0.3)), "{}", march(270.0, 0.3));
}

/// Four figures two abreast are a pseudo column, on the road as elsewhere: they attack as a column.
#[test]
fn clause_9_12() {
    let column =
        |figures: u16| unit("line-battalion").figures(figures).formation("road-column").at(0.0, 0.0).facing(0.0);
    let enemy = || figure().at(0.0, 4.0).facing(180.0);
    let faults = Game::refused(("hold", &[column(4)]), ("hold", &[enemy()]));
    assert_eq!(faults[0].help.as_deref(), Some("they are in pseudo column"), "{faults:?}");
    // Five figures lose one and pass their test; an enemy that has already shot does not shoot again as they charge.
    let mut game = Game::new(("charge", &[column(5)]), ("fire-only", &[enemy()]));
    game.phase_of(Side::Second, "fire", &[10, 1, 1]);
    assert_eq!(game.state(&game.first()), ("pseudo-column", "good"));
    game.phase("charge", &[3, 3]).phase("shock", &[3, 3, 3, 3]);
    assert!(game.own_modifiers("shock").contains(&"infantry-column"));
    game.saw("9.12");
    // Five figures in march column also attack as a column.
    let mut game = Game::new(("charge", &[column(5)]), ("hold", &[enemy()]));
    game.phase("charge", &[1, 3, 3]).phase("shock", &[3, 3, 3, 3]);
    assert!(game.own_modifiers("shock").contains(&"infantry-column"));
}

/// In column on a road, a two-rank battalion fires like one of three ranks.
#[test]
fn clause_9_14() {
    let men = unit("two-rank-battalion").figures(5).formation("road-column").at(0.0, 0.0).facing(0.0);
    let mut game = Game::new(("fire-only", &[men]), ("hold", &[figure().at(0.0, 5.0).facing(180.0)]));
    game.phase("fire", &[1]);
    assert_eq!(game.own_modifiers("fire"), ["two-rank-line", "column-head"]);
    game.saw("9.14");
}

/// A unit's own skirmishers behind it are not another unit.
#[test]
fn clause_9_24() {
    let shooter = || unit("line-battalion").figures(6).at(0.0, 5.0).facing(180.0);
    let men = unit("light-battalion").screen(2).at(0.0, 0.0).facing(0.0);
    let mut game = Game::new(("fire-only", &[shooter()]), ("hold", &[men]));
    game.unit_mut(Side::Second, 1).front = Point { x: 0, y: -120 };
    game.phase("fire", &[1, 1, 1]);
    assert_eq!(game.roll("fire").foe.map(|foe| foe.index()), Some(1));
    assert!(game.own_modifiers("fire").is_empty(), "{:?}", game.own_modifiers("fire"));
    game.saw("9.24");
    // A unit behind either stretch of a bent line is behind the line. The rear of the right stretch is farther back
    // than that of a straight line.
    let friend = unit("line-battalion").figures(4).at(1.5, -1.6).facing(0.0);
    let men = [s6().bent(0, 20), friend];
    let mut bent = Game::over(drill(), &hedge(), ("fire-only", &[shooter()]), ("hold", &men));
    bent.phase("fire", &[1, 1, 1]);
    assert!(bent.own_modifiers("fire").contains(&"friend-behind"));
}

/// Skirmishers do not swing an end of their row into a fire zone, because a row that moves sideways does not turn. The
/// row stops before it would enter a zone.
#[test]
fn clause_9_43() {
    // Eight figures in a row of 14.5" are 1.35" from an enemy in the east who faces away. If it turned to the east, the
    // row would reach 7" to the north, where the zone of a line at y = 8.9" begins at 6.9".
    let row = || unit("light-battalion").formation("full-skirmish").at(0.0, 0.0).facing(0.0);
    let enemies = [figure().at(9.1, -0.25).facing(90.0), s6().at(0.0, 8.9).facing(180.0)];
    let mut near = Game::new(("march", &[row()]), ("hold", &enemies));
    near.phase("move", &[]);
    assert!(near.seen.refusals().is_empty());
    assert_eq!((near.first().front.x, near.first().heading.tenths()), (35, 0), "an inch from the enemy");
    // The zone of an enemy that faces them is 2" deep. They stop within a tenth of an inch of it, which is the step at
    // which zones are checked.
    let enemy = figure().at(9.85, -0.25).facing(270.0);
    let mut stopped = Game::new(("march", &[row()]), ("hold", &[enemy]));
    stopped.phase("move", &[]);
    assert_eq!(stopped.seen.refusals(), [Refusal::FireZone]);
    let (front, heading) = (stopped.first().front, stopped.first().heading.tenths());
    assert!((50..=60).contains(&front.x) && heading == 0, "{front:?}");
    stopped.saw("9.43");
    // The last of four figures in a row of 6.5" is an inch in front of two in line, plus the hundredth with which the
    // path begins. After two inches to the right, the third would be in front of them.
    let leg = |index: usize, what: &str| format!("doctrine.path.row.path.legs.{index}.{what}");
    let aside = rules_with(&[&leg(0, "march=0.01"), &leg(1, "wheel=90"), &leg(2, "march=2")]);
    let path = |east: f64| {
        let row = unit("light-battalion").figures(4).formation("full-skirmish").at(east, 0.0).facing(0.0);
        let enemy = unit("line-battalion").figures(2).at(3.0, 1.01).facing(180.0);
        let mut game = Game::under(aside, ("path", &[row]), ("hold", &[enemy]));
        game.phase("move", &[]);
        game.seen.refusals()
    };
    assert_eq!(path(0.0), [Refusal::FireZone]);
    assert_eq!(path(6.0), [], "the first leaves it, and nobody comes");
    // Two figures that start an inch in front of a line, in its zone, and leave the zone do not come back into it in a
    // later leg.
    let back = |inches: &str| {
        let rules = rules_with(&[&leg(0, "march=2"), &leg(1, "wheel=180"), &leg(2, &format!("march={inches}"))]);
        let row = unit("light-battalion").figures(2).formation("full-skirmish").at(0.0, 0.0).facing(180.0);
        let enemy = unit("line-battalion").at(0.0, 1.0).facing(180.0);
        let mut game = Game::under(rules, ("path", &[row]), ("hold", &[enemy]));
        game.phase("move", &[]);
        (game.first().front.y, game.seen.refusals())
    };
    assert_eq!(back("1.5"), (0, vec![Refusal::FireZone]));
    let (y, refusals) = back("0.3");
    assert!(refusals.is_empty() && (-200..=-100).contains(&y), "{y} {refusals:?}");
}

/// The group that tests is the group that falls back, whichever of its units has the best rating.
#[test]
fn clause_9_49() {
    // From left to right, a chain has 4 figures, 1, 2 rifles, 4 and 3, each an inch and a half from the next. When one
    // of the second four has fallen, the thirteen others make groups of six and seven. The rifles, with the best
    // rating, are in both.
    let men = |kind: &str, figures: u16, out: u16, east: f64| {
        unit(kind).figures(figures).screen(out).at(east, 0.0).facing(0.0)
    };
    let screened = [
        men("large-light-battalion", 12, 4, -10.75),
        men("line-battalion", 6, 1, -5.75),
        men("rifle-battalion", 8, 2, -2.25),
        men("large-light-battalion", 12, 4, 4.25),
        men("large-light-battalion", 12, 3, 11.25),
    ];
    let shooter = unit("line-battalion").at(4.25, 7.5).facing(180.0);
    let mut game = Game::new(("hold", &screened), ("fire-only", &[shooter]));
    let out = |game: &Game| {
        (5..10)
            .map(|screen| game.nth(screen))
            .map(|unit| if unit.gone() { 0 } else { unit.figures })
            .collect::<Vec<_>>()
    };
    assert_eq!(out(&game), [4, 1, 2, 4, 3]);
    // The group tests on the rifles' rating of 9.
    game.phase_of(Side::Second, "fire", &[10, 1, 1, 1, 1, 1, 6, 6]);
    assert_eq!((game.roll("morale").own.index(), game.roll("morale").bases.as_slice()), (8, &[9][..]));
    assert_eq!(out(&game), [4, 1, 1, 0, 0], "one rifleman, the three that are left, and the last three");
    game.saw("9.49");
}
