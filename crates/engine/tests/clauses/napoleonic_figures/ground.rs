//! Terrain, dressing the ranks, and what a unit may do in one formation phase.

use std::sync::OnceLock;

use grognard_engine::plane::Point;
use grognard_engine::{Bend, Event, Flags, Refusal, Side, TerrainPlan};
use grognard_rules::model::Rules;

use super::{far_away, figure, s6, skirmishers};
use crate::common::{Game, Men, block_of, drill, line_of, load_once, load_with, unit};

/// The drill rules with the optional rule of 7.37.
fn strict() -> &'static Rules {
    static RULES: OnceLock<Rules> = OnceLock::new();
    RULES.get_or_init(|| load_with("figures-drill", &["dressing.ambiguous.on=true"]))
}

fn enemy() -> Men {
    figure().at(0.0, 20.0).facing(180.0)
}

/// A hedge that bends back 20 degrees in front of the middle of S6, a twentieth of an inch from its front.
fn bent_hedge() -> [TerrainPlan; 2] {
    [line_of("hedge", (-3.0, 0.15), (0.0, 0.15)), line_of("hedge", (0.05, 0.14), (2.87, -0.885))]
}

/// S6 with figures 1 to 3 at 0 degrees and 4 to 6 at 20.
fn bent() -> Men {
    s6().bent(0, 20)
}

/// The game after the formation phase of a unit with this doctrine.
fn drilled(doctrine: &str, men: Men) -> Game {
    let mut game = Game::new((doctrine, &[men]), ("hold", &[enemy()]));
    game.phase("formation", &[]);
    game
}

/// On the table, a unit has exactly one clear direction.
#[test]
fn clause_7_0_g() {
    let game = Game::new(("hold", &[s6()]), ("hold", &[enemy()]));
    assert_eq!((game.first().heading.tenths(), game.first().bend), (0, Bend::NONE));
    let faults = Game::refused(("hold", &[bent()]), ("hold", &[enemy()]));
    assert_eq!(faults[0].path, "first.0.facing");
    assert!(faults[0].message.contains("ambiguous facing") && faults[0].message.contains("7.0-G"), "{faults:?}");
    // A line may be bent along the hedge, but it may not march off until it has been dressed.
    let mut game = Game::over(drill(), &bent_hedge(), ("march", &[bent()]), ("hold", &[enemy()]));
    game.phase("move", &[]);
    game.saw("7.0-G");
}

/// A single straight line along the front touches every figure of the front rank.
#[test]
fn clause_7_0_p1() {
    let faults = Game::refused(("hold", &[bent()]), ("hold", &[enemy()]));
    assert!(faults[0].message.contains("7.0-P1"), "{faults:?}");
    // A change of facing straightens the line again; without one, it cannot march.
    let mut game = Game::over(drill(), &bent_hedge(), ("march", &[bent()]), ("hold", &[enemy()]));
    game.phase("move", &[]);
    assert_eq!(game.seen.refusals(), [Refusal::Ambiguous]);
    game.saw("7.0-P1");
    let mut game = Game::over(drill(), &bent_hedge(), ("face", &[bent()]), ("hold", &[enemy()]));
    game.phase("formation", &[]);
    assert_eq!((game.first().heading.tenths(), game.first().bend), (0, Bend::NONE));
}

/// A unit may change its facing once and its formation once in a phase, in either order. A third act is refused.
#[test]
fn clause_7_0_p2() {
    let column = || s6().formation("column");
    let game = drilled("line-turn", column());
    assert_eq!((game.first().heading.tenths(), game.state(&game.first()).0), (900, "line"));
    assert!(game.seen.refusals().is_empty());
    let game = drilled("turn-line-turn", column());
    assert_eq!((game.first().heading.tenths(), game.state(&game.first()).0), (900, "line"));
    assert_eq!(game.seen.refusals(), [Refusal::Spent]);
    game.saw("7.0-P2");
    let game = drilled("line-column", column());
    assert_eq!(game.state(&game.first()).0, "line", "a second formation change is refused");
    assert_eq!(game.seen.refusals(), [Refusal::Spent]);
}

/// A close-order line may bend along linear terrain. Its front then consists of all its stretches.
#[test]
fn clause_7_23() {
    // At 4" ahead, the arc of a straight front ends at 1.5 + 4 x 0.4040 = 3.116". The arc of the half that faces 20
    // degrees to the right extends to 42 degrees: 1.41 + 4.51 x tan 42 = 5.47".
    let target = || figure().at(4.2, 4.0).facing(180.0);
    let mut straight = Game::new(("fire-only", &[s6()]), ("hold", &[target()]));
    straight.phase("fire", &[]);
    assert_eq!(straight.seen.refusals(), [Refusal::NoTarget]);
    let mut lining = Game::over(drill(), &bent_hedge(), ("fire-only", &[bent()]), ("fire-only", &[target()]));
    lining.phase("fire", &[1, 1, 1]);
    assert_eq!(lining.roll("fire").exposed.0, grognard_engine::plane::Arc::Front);
    lining.saw("7.23");
    // Cavalry in line may also line such a hedge; units that are not in line, or not in close order, may not.
    let hedge = [line_of("hedge", (-5.0, 0.15), (0.0, 0.15)), line_of("hedge", (0.05, 0.14), (5.70, -1.916))];
    let faults = |men: Men| {
        let men = men.at(0.0, 0.0).bent(0, 20);
        let plan = crate::common::deployment(("hold", &[men]), ("hold", &[enemy()]));
        let over = grognard_engine::Deployment { terrain: hedge.to_vec(), ..plan };
        grognard_engine::deploy(drill(), &over).err().map(|faults| faults[0].path.clone())
    };
    let refused = Some("first.0.facing".to_owned());
    assert_eq!(faults(unit("heavy-cavalry").figures(6)), None);
    assert_eq!(faults(unit("line-battalion")), None);
    assert_eq!(faults(unit("heavy-cavalry").formation("column")), refused);
    assert_eq!(faults(unit("line-battalion").formation("pseudo-column")), refused);
    assert_eq!(faults(unit("light-cavalry").figures(3).formation("full-skirmish")), refused);
    // The same bend in the open is not allowed (7.0-P1).
    let plan = |men: &Men| Game::refused(("hold", std::slice::from_ref(men)), ("hold", &[enemy()]));
    assert_eq!(Some(&plan(&bent())[0].path), refused.as_ref());
    // Nor is it allowed if the hedge ends before figures 5 and 6, which are 0.5" to 1.5" to the right of the bend.
    let short = [line_of("hedge", (-3.0, 0.15), (0.0, 0.15)), line_of("hedge", (0.05, 0.14), (0.52, -0.03))];
    let ends = crate::common::deployment(("hold", &[bent()]), ("hold", &[enemy()]));
    let ends = grognard_engine::Deployment { terrain: short.to_vec(), ..ends };
    assert_eq!(grognard_engine::deploy(drill(), &ends).err().map(|faults| faults[0].path.clone()), refused);
}

/// A line bends between the two figures at which the terrain turns. Its heading is that of its middle.
#[test]
fn a_line_bends_where_the_ground_does() {
    let bend = |hedge: [TerrainPlan; 2], men: Men| {
        let game = Game::over(drill(), &hedge, ("hold", &[men]), ("hold", &[enemy()]));
        (game.first().heading.tenths(), game.first().bend)
    };
    // With S6's hedge half an inch farther to the right, the line bends between figures 4 and 5.
    let right = [line_of("hedge", (-2.5, 0.15), (0.5, 0.15)), line_of("hedge", (0.55, 0.14), (3.37, -0.885))];
    assert_eq!(bend(right.clone(), bent()), (0, Bend { tenths: 200, at: 50 }));
    // With the mirror image, it bends between figures 2 and 3, and the left two figures face 340 degrees.
    let left = [line_of("hedge", (-3.37, -0.885), (-0.55, 0.14)), line_of("hedge", (-0.5, 0.15), (2.5, 0.15))];
    assert_eq!(bend(left, s6().bent(340, 0)), (0, Bend { tenths: 200, at: -50 }));
    // Five figures cannot bend in the middle: two are on one side of the bend and three on the other.
    let odd = [line_of("hedge", (-2.75, 0.15), (0.25, 0.15)), line_of("hedge", (0.3, 0.14), (3.12, -0.885))];
    assert_eq!(bend(odd, s6().figures(5).bent(0, 20)), (0, Bend { tenths: 200, at: 25 }));
    // Only figures 5 and 6 face to the right, so the stretches are four and two figures wide.
    let game = Game::over(drill(), &right, ("hold", &[bent()]), ("hold", &[enemy()]));
    let unit = game.first();
    let [four, two] = unit.stretches(game.rules);
    assert_eq!((four.width, four.heading().tenths(), four.front), (200, 0, Point { x: -50, y: 0 }));
    // The bend is at (0.5,0), and the middle of figures 5 and 6 is half an inch beyond it: 0.5 + 0.5 cos 20 = 0.97,
    // -0.5 sin 20 = -0.17.
    assert_eq!((two.width, two.heading().tenths(), two.front), (100, 200, Point { x: 97, y: -17 }));
}

/// In battle, a line may be ordered to bend as its change of facing, if it moves up by no more than half an inch.
#[test]
fn a_line_bends_by_order() {
    let bends = |hedge: &[TerrainPlan], men: Men| {
        let mut game = Game::over(drill(), hedge, ("bend", &[men]), ("hold", &[enemy()]));
        game.phase("formation", &[]);
        let unit = game.first();
        let off = unit.front.square_distance(Point { x: 0, y: 0 }).isqrt();
        assert_eq!(unit.flags.has(Flags::TURNED), !unit.bend.is_none());
        (unit.heading.tenths(), unit.bend, off, game)
    };
    // The line faces halfway between the two headings, at 10 degrees, with both ends at the hedge. Its middle is 1.5
    // sin 10 = 0.26" short of the hedge.
    let back = |by: f64| unit("line-battalion").figures(6).bearing(190.0, by).facing(10.0);
    let (heading, bend, off, game) = bends(&bent_hedge(), back(0.26));
    // The ends of the hedge are at whole hundredths: 1.03" in 2.82" is 20.1 degrees.
    assert_eq!((heading, bend), (0, Bend { tenths: 201, at: 0 }));
    assert!(off <= 3, "{off}");
    game.saw("7.23");
    assert_eq!(bends(&bent_hedge(), back(0.45)).1, bend);
    let stays = (100, Bend::NONE);
    let (heading, bend, _, far) = bends(&bent_hedge(), back(0.55));
    assert_eq!((heading, bend, far.seen.refusals()), (stays.0, stays.1, vec![Refusal::Ambiguous]));
    far.saw("7.0-P1");
    let (heading, bend, _, open) = bends(&[], back(0.26));
    assert_eq!((heading, bend, open.seen.refusals()), (stays.0, stays.1, vec![Refusal::Ambiguous]));
    // Only lines bend, and only along a hedge that is long enough.
    assert_eq!(bends(&bent_hedge(), back(0.26).formation("column")).1, Bend::NONE);
    let short = [line_of("hedge", (-3.0, 0.15), (0.0, 0.15)), line_of("hedge", (0.05, 0.14), (0.52, -0.03))];
    assert_eq!(bends(&short, back(0.26)).1, Bend::NONE);
    // If the hedge bends forward to the right of the middle instead, the line touches it at the corner.
    let nearer = [line_of("hedge", (-3.0, 0.15), (0.0, 0.15)), line_of("hedge", (0.0, 0.15), (2.82, 1.176))];
    let (heading, bend, off, _) = bends(&nearer, s6().facing(350.0));
    assert_eq!((heading, bend), (0, Bend { tenths: -201, at: 0 }));
    assert!(off <= 5, "{off}");
}

/// Both formation and facing may change in the same phase, but the facing may not change twice.
#[test]
fn clause_7_32() {
    let game = drilled("turn-line-turn", s6().formation("column"));
    assert!(game.first().flags.has(Flags::TURNED) && game.first().flags.has(Flags::CHANGED));
    assert_eq!(game.first().heading.tenths(), 900, "the second turn of 45 degrees is refused");
    assert_eq!(game.seen.refusals(), [Refusal::Spent]);
    game.saw("7.32");
}

/// Skirmishers take any heading for free; only terrain limits their move.
#[test]
fn clause_7_35() {
    let march = |terrain: &[TerrainPlan], bearing: f64| {
        let men = skirmishers(1).at(0.0, 0.0);
        let target = figure().bearing(bearing, 20.0).facing(0.0);
        let mut game = Game::over(drill(), terrain, ("march", &[men]), ("hold", &[target]));
        game.phase("move", &[]);
        if bearing > 0.0 {
            game.saw("7.35");
        }
        super::marched(&game)
    };
    assert_eq!(march(&[], 225.0), Some(1000), "no wheel is paid for");
    // 2" in the open, then woods at two inches per inch: 2 + 4 = 6".
    assert_eq!(march(&[block_of("woods", (0.0, 12.0), (10.0, 20.0))], 0.0), Some(600));
}

/// Optional rule: an ambiguous facing disorders a unit at the end of a phase. Without this rule, any order that would
/// lead to such a facing is refused.
#[test]
fn clause_7_37() {
    let mut game = Game::over(strict(), &[], ("hold", &[bent()]), ("hold", &[enemy()]));
    game.phase("move", &[]);
    assert_eq!(game.state(&game.first()).1, "disordered");
    assert!(game.seen.events().iter().any(|event| matches!(event, Event::Ambiguous { .. })));
    game.saw("7.37");
    let mut lining = Game::over(strict(), &bent_hedge(), ("hold", &[bent()]), ("hold", &[enemy()]));
    lining.phase("move", &[]);
    assert_eq!(lining.state(&lining.first()).1, "good", "every figure touches the hedge");
    let mut off = Game::over(drill(), &bent_hedge(), ("march", &[bent()]), ("hold", &[enemy()]));
    off.phase("move", &[]);
    assert_eq!(off.seen.refusals(), [Refusal::Ambiguous]);
    assert_eq!(off.state(&off.first()).1, "good");
    // A bent line does not straighten in a charge either (7.33).
    let charged = || unit("line-battalion").figures(6).at(0.0, 4.0).facing(180.0);
    let mut off = Game::over(drill(), &bent_hedge(), ("charge", &[bent()]), ("hold", &[charged()]));
    off.phase("charge", &[]);
    assert_eq!((off.seen.refusals(), off.first().front.y), (vec![Refusal::Ambiguous], 0));
    // Even with a choice of enemies, it cannot charge.
    let mut any = Game::over(drill(), &bent_hedge(), ("charge-foot", &[bent()]), ("hold", &[charged()]));
    any.phase("charge", &[]);
    assert_eq!((any.seen.refusals(), any.first().front.y), (vec![], 0));
    let mut on = Game::over(strict(), &[], ("charge", &[bent()]), ("hold", &[charged()]));
    on.phase("charge", &[1; 5]);
    assert_eq!((on.state(&on.first()).1, on.first().front.y), ("disordered", 400));
    // A bent unit that falls short because its target has fled does not straighten either, nor does one that comes up
    // behind a friend.
    let mut short = Game::over(strict(), &[], ("charge", &[bent()]), ("hold", &[charged()]));
    short.phase("charge", &[1, 1, 1, 6, 6]);
    assert_eq!((short.state(&short.first()).1, short.first().front.y), ("disordered", 800));
    let men = [unit("line-battalion").figures(6).at(0.0, 1.0).facing(0.0), bent()];
    let mut behind = Game::over(strict(), &[], ("march", &men), ("hold", &[enemy()]));
    behind.unit_mut(Side::First, 1).doctrine = strict().doctrine("hold").expect("a doctrine");
    behind.phase("move", &[]);
    assert_eq!((behind.state(&behind.nth(1)).1, behind.nth(1).front.y), ("disordered", 800));
}

/// A line that has lost all figures beyond the bend faces one way (7.0-P1), and is straight.
#[test]
fn losses_straighten_a_bent_line() {
    let lose = |figures: u16, at: i16| {
        let enemy = unit("line-battalion").at(0.0, 5.0).facing(180.0);
        let men = unit("line-battalion").figures(12).at(0.0, 0.0).bent(0, 20);
        let mut game = Game::over(strict(), &[], ("hold", &[men]), ("fire-only", &[enemy]));
        let line = game.unit_mut(Side::First, 0);
        (line.figures, line.bend) = (figures, Bend { tenths: 200, at });
        game.phase_of(Side::Second, "fire", &[10, 1, 1, 1, 1, 1]);
        (game.first().bend.is_none(), game.state(&game.first()).1.to_owned())
    };
    // The outermost centres of nine figures are two inches from the middle; those of eight figures are 1.75" from it.
    assert_eq!(lose(10, 175), (false, "disordered".into()));
    assert_eq!(lose(9, 175), (true, "good".into()));
    assert_eq!(lose(9, -175), (false, "disordered".into()));
    assert_eq!(lose(9, -176), (true, "good".into()));
}

/// A change of formation that itself alters the facing does not use up the unit's change of facing.
#[test]
fn clause_8_12() {
    let game = drilled("form-square", s6());
    let square = game.first();
    assert_eq!(game.state(&square).0, "square");
    assert!(square.flags.has(Flags::CHANGED) && !square.flags.has(Flags::TURNED));
    game.saw("8.12");
    // When a unit leaves all-around facing, its owner picks the heading as part of the change, and the unit may still
    // turn.
    let men = unit("line-battalion").figures(8).formation("square").at(0.0, 0.0).facing(180.0);
    let game = drilled("line-turn", men);
    assert_eq!(game.state(&game.first()).0, "line");
    assert_eq!(game.first().heading.tenths(), 900, "to the enemy in the north, then 90 degrees");
    assert!(game.seen.refusals().is_empty());
}

/// A square cannot move over terrain that would disorder it; a column can.
#[test]
fn clause_9_59() {
    let stream = [line_of("stream", (-10.0, 2.25), (10.0, 2.25))];
    let men = || unit("line-battalion").figures(8).formation("square").at(0.0, 0.0).facing(0.0);
    let mut game = Game::over(drill(), &stream, ("march", &[men()]), ("hold", &[enemy()]));
    game.phase("move", &[]);
    assert_eq!(super::marched(&game), Some(200), "it stops at the bank");
    assert!(matches!(game.seen.refusals()[..], [Refusal::Ground(..)]));
    game.saw("9.59");
    // Woods, village streets or a wall an inch ahead also stop it. It crosses a hedge, which disorders no unit.
    let stopped = |ground: TerrainPlan| {
        let mut game = Game::over(drill(), &[ground], ("march", &[men()]), ("hold", &[enemy()]));
        game.phase("move", &[]);
        let barred = matches!(game.seen.refusals()[..], [Refusal::Ground(..)]);
        (super::marched(&game), barred, game.state(&game.first()).0 == "square")
    };
    for ground in ["woods", "built-up"] {
        assert_eq!(stopped(block_of(ground, (0.0, 6.0), (10.0, 10.0))), (Some(100), true, true), "{ground}");
    }
    assert_eq!(stopped(line_of("wall", (-10.0, 1.1), (10.0, 1.1))), (Some(100), true, true));
    assert_eq!(stopped(line_of("stream", (-10.0, 1.25), (10.0, 1.25))), (Some(100), true, true));
    assert_eq!(
        stopped(line_of("hedge", (-10.0, 1.1), (10.0, 1.1))),
        (Some(200), false, true),
        "4 less 2 for the hedge"
    );
    // The square does not turn as it moves, so a wood a tenth of an inch behind or beside it does not obstruct a move
    // in another direction.
    for (wood, east, north) in [((0.0, -3.6), 14.0, 14.0), ((0.0, -3.6), -14.0, 10.0), ((2.85, -0.75), -20.0, 5.0)] {
        let enemy = figure().at(east, north).facing(180.0);
        let wood = [block_of("woods", wood, (4.0, 4.0))];
        let mut game = Game::over(drill(), &wood, ("march", &[men()]), ("hold", &[enemy]));
        game.phase("move", &[]);
        assert_eq!(super::marched(&game), Some(400), "{east} {north}: {:?}", game.seen.events());
        assert_eq!((game.state(&game.first()), game.first().heading.tenths()), (("square", "good"), 0));
    }
    // It does not enter a wood half an inch to its right, whether it moves straight towards the wood or obliquely.
    let beside = [block_of("woods", (3.25, 0.0), (4.0, 20.0))];
    for (east, north, distance) in [(20.0, -1.0, 50..=51), (14.0, 14.25, 70..=71)] {
        let enemy = figure().at(east, north).facing(180.0);
        let mut game = Game::over(drill(), &beside, ("march", &[men()]), ("hold", &[enemy]));
        game.phase("move", &[]);
        assert!(super::marched(&game).is_some_and(|way| distance.contains(&way)), "{:?}", game.seen.events());
        assert!(matches!(game.seen.refusals()[..], [Refusal::Ground(..)]));
    }
    // In column, the unit crosses the stream.
    let mut game = Game::over(drill(), &stream, ("form-column", &[men()]), ("hold", &[enemy()]));
    game.phase("formation", &[]).phase("move", &[]);
    assert!(game.first().front.y > 300, "{:?}", game.first().front);
}

/// The row of each kind of terrain sets how far it slows a skirmisher, who moves ten inches in the open.
#[test]
fn every_ground_costs_what_its_row_says() {
    let comes = |ground: TerrainPlan| {
        let men = skirmishers(1).at(0.0, 0.0);
        let mut game = Game::over(drill(), &[ground], ("march", &[men]), ("hold", &[enemy()]));
        game.phase("move", &[]);
        assert_eq!(game.state(&game.first()).1, "good", "loose order has nothing to lose");
        super::marched(&game).expect("it marches")
    };
    // The whole move is in the terrain, which costs two inches per inch, or one and a half on a hill.
    for (ground, hundredths) in [("woods", 500), ("built-up", 500), ("hill", 666)] {
        assert_eq!(comes(block_of(ground, (0.0, 0.0), (40.0, 40.0))), hundredths, "{ground}");
    }
    // A hedge or a wall costs two inches to cross. A stream costs one, and doubles the cost while any part of the base
    // is in it.
    for (ground, hundredths) in [("hedge", 800), ("wall", 800), ("stream", 1000 - 100 - 100)] {
        assert_eq!(comes(line_of(ground, (-5.0, 3.0), (5.0, 3.0))), hundredths, "{ground}");
    }
}

/// Guns see over hedges, walls and streams, but not through woods, villages and hills, unless they are on the hill.
#[test]
fn every_ground_hides_what_its_row_says() {
    let sees = |ground: TerrainPlan| {
        let guns = unit("field-battery").cannon(2).at(0.0, 0.0).facing(0.0);
        let mut game = Game::over(drill(), &[ground], ("fire-only", &[guns]), ("hold", &[enemy()]));
        game.play_fire()
    };
    for (ground, seen) in [("woods", false), ("built-up", false), ("hill", false)] {
        assert_eq!(sees(block_of(ground, (0.0, 10.0), (20.0, 4.0))), seen, "{ground}");
    }
    assert!(sees(block_of("hill", (0.0, 0.0), (20.0, 10.0))), "from its top");
    for ground in ["hedge", "wall", "stream"] {
        assert!(sees(line_of(ground, (-10.0, 10.0), (10.0, 10.0))), "{ground}");
    }
}

/// Woods, streets and walls disorder close-order units. A stream disorders only a line. Hedges and hills disorder no
/// unit.
#[test]
fn every_ground_disorders_whom_its_row_says() {
    let morale = |ground: TerrainPlan, formation: &str| {
        let men = unit("light-battalion").figures(4).formation(formation).at(0.0, 0.0).facing(0.0);
        let mut game = Game::over(drill(), &[ground], ("march", &[men]), ("hold", &[enemy()]));
        game.phase("move", &[]);
        assert!(game.first().front.y > 200, "it has come there");
        game.state(&game.first()).1.to_owned()
    };
    for (ground, formed) in [("woods", "disordered"), ("built-up", "disordered"), ("hill", "good")] {
        let block = || block_of(ground, (0.0, 6.0), (10.0, 10.0));
        for formation in ["line", "column", "pseudo-column"] {
            assert_eq!(morale(block(), formation), formed, "{formation} in {ground}");
        }
        assert_eq!(morale(block(), "skirmish"), "good", "{ground}");
    }
    for (ground, line, column) in
        [("wall", "disordered", "disordered"), ("stream", "disordered", "good"), ("hedge", "good", "good")]
    {
        let across = || line_of(ground, (-10.0, 1.5), (10.0, 1.5));
        assert_eq!(morale(across(), "line"), line, "a line over the {ground}");
        assert_eq!(morale(across(), "column"), column, "a column over the {ground}");
        assert_eq!(morale(across(), "skirmish"), "good", "{ground}");
    }
    // Fronts that fit on a road count as narrow (8.61), so a stream does not disorder them.
    for (kind, formation) in [("line-battalion", "road-column"), ("light-cavalry", "road-file")] {
        let men = unit(kind).figures(8).formation(formation).at(0.0, 0.0).facing(0.0);
        let stream = [line_of("stream", (-10.0, 1.5), (10.0, 1.5))];
        let mut game = Game::over(drill(), &stream, ("march", &[men]), ("hold", &[enemy()]));
        game.phase("move", &[]);
        assert_eq!((game.first().front.y > 300, game.state(&game.first()).1), (true, "good"), "{formation}");
    }
}

/// A line touches a hedge that is up to a tenth of an inch away; a hedge is a fifth of an inch thick.
#[test]
fn a_line_touches_what_it_lines() {
    for (middle, touches) in [(0.2, true), (0.21, false)] {
        // The other hedge begins an inch to the right, so only the right half touches it.
        let right = line_of("hedge", (1.05, -0.224), (2.87, -0.885));
        let hedge = [line_of("hedge", (-3.0, middle), (0.0, middle)), right];
        let plan = crate::common::deployment(("hold", &[bent()]), ("hold", &[enemy()]));
        let over = grognard_engine::Deployment { terrain: hedge.to_vec(), ..plan };
        assert_eq!(grognard_engine::deploy(drill(), &over).is_ok(), touches, "its middle {middle} inches off");
    }
}

/// A line may bend along hedges, walls and streams, but not along a road.
#[test]
fn every_linear_ground_may_be_lined() {
    // S6 bends 20 degrees at its middle. The terrain begins a twentieth of an inch in front of each half.
    let (sine, cosine) = 20_f64.to_radians().sin_cos();
    for (ground, thickness, lined) in
        [("hedge", 0.2, true), ("wall", 0.2, true), ("stream", 0.5, true), ("road", 1.0, false)]
    {
        let off = thickness / 2.0 + 0.05;
        let (east, north) = (off * sine, off * cosine);
        let pieces = [
            line_of(ground, (-3.0, off), (0.0, off)),
            line_of(ground, (east, north), (east + 3.0 * cosine, north - 3.0 * sine)),
        ];
        let plan = crate::common::deployment(("hold", &[bent()]), ("hold", &[enemy()]));
        let over = grognard_engine::Deployment { terrain: pieces.to_vec(), ..plan };
        assert_eq!(grognard_engine::deploy(drill(), &over).is_ok(), lined, "{ground}");
    }
}

/// A front that is too wide for a road is also on the terrain beside it, which slows and disorders the unit (8.16). A
/// narrow front keeps to the road.
#[test]
fn only_a_narrow_front_keeps_to_a_road() {
    let ground = [block_of("woods", (0.0, 12.0), (20.0, 20.0)), line_of("road", (0.0, -20.0), (0.0, 20.0))];
    let march = |figures: u16| {
        let men = unit("line-battalion").figures(figures).at(0.0, 0.0).facing(0.0);
        let mut game = Game::over(drill(), &ground, ("march", &[men]), ("hold", &[enemy()]));
        game.phase("move", &[]);
        (super::marched(&game), game.state(&game.first()).1.to_owned())
    };
    // A front of 1.5" keeps to the road. A front of 2" covers 2" in the open and 3" of woods at two inches per inch.
    assert_eq!(march(3), (Some(800), "good".into()));
    assert_eq!(march(4), (Some(500), "disordered".into()));
    // A wide front also pays two inches for a hedge across the road.
    let hedge = [line_of("hedge", (-10.0, 1.0), (10.0, 1.0)), line_of("road", (0.0, -20.0), (0.0, 20.0))];
    let crosses = |figures: u16| {
        let men = unit("line-battalion").figures(figures).at(0.0, 0.0).facing(0.0);
        let mut game = Game::over(drill(), &hedge, ("march", &[men]), ("hold", &[enemy()]));
        game.phase("move", &[]);
        super::marched(&game)
    };
    assert_eq!([3, 4].map(crosses), [Some(800), Some(600)]);
    // A turn on the spot in the wood disorders only the wide unit.
    let turns = |figures: u16| {
        let men = unit("line-battalion").figures(figures).at(0.0, 10.0).facing(90.0);
        let mut game = Game::over(drill(), &ground, ("face", &[men]), ("hold", &[enemy()]));
        game.phase("formation", &[]);
        assert_ne!(game.first().heading.tenths(), 900);
        game.state(&game.first()).1.to_owned()
    };
    assert_eq!([3, 4].map(turns), ["good", "disordered"]);
    // A wheel of 20 degrees costs 0.7". It brings the wide unit onto the hedge with its middle on the road, which costs
    // two more inches.
    let wheels = |inches: &str| {
        let leg = |index: usize, what: &str| format!("doctrine.path.row.path.legs.{index}.{what}");
        let legs = [leg(0, "march=0"), leg(1, "wheel=20"), leg(2, &format!("march={inches}"))];
        let rules = load_once("figures-drill", &legs.each_ref().map(String::as_str));
        let hedge = [line_of("hedge", (-10.0, 0.5), (10.0, 0.5)), line_of("road", (0.0, -20.0), (0.0, 20.0))];
        let men = unit("line-battalion").figures(4).at(0.0, 0.0).facing(0.0);
        let mut game = Game::over(rules, &hedge, ("path", &[men]), ("hold", &[enemy()]));
        game.phase("move", &[]);
        game.seen.refusals()
    };
    assert_eq!((wheels("5.3"), wheels("5.31")), (vec![], vec![Refusal::TooFar]));
}

/// A unit that stopped in front of a hedge that it could not afford to cross pays for the hedge in its next move, even
/// if rounding puts it on the hedge (4.4).
#[test]
fn a_hedge_is_paid_for_by_who_stopped_before_it() {
    let hedge = [line_of("hedge", (-20.0, -14.23), (20.0, -11.16))];
    let men = unit("line-battalion").figures(3).at(0.0, -20.0).facing(0.0);
    let enemy = unit("line-battalion").at(19.15, 22.0).facing(180.0);
    let mut game = Game::over(drill(), &hedge, ("march", &[men]), ("hold", &[enemy]));
    game.phase("move", &[]);
    assert_eq!(super::marched(&game), Some(782));
    let before = game.first().front;
    game.unit_mut(Side::First, 0).flags = Flags::default();
    game.phase("move", &[]);
    let way = game.first().front.square_distance(before).isqrt();
    assert!((599..=601).contains(&way), "{way}");
}

/// A unit whose move would end at a hedge stops in front of it, and pays for the hedge once, in its next move (4.4).
#[test]
fn a_hedge_is_paid_for_once() {
    // The hedge begins 5.99" ahead of a unit with 8" of move.
    let hedge = [line_of("hedge", (-8.0, 6.09), (8.0, 6.09))];
    let men = unit("line-battalion").figures(12).at(0.0, 0.0).facing(0.0);
    let mut game = Game::over(drill(), &hedge, ("march", &[men]), ("hold", &[far_away()]));
    game.phase("move", &[]);
    assert_eq!(super::marched(&game), Some(599));
    game.unit_mut(Side::First, 0).flags = Flags::default();
    game.phase("move", &[]);
    assert_eq!(game.first().front.y, 599 + 600);
}
