//! Units close behind others: fire lines, columns of lines, and pre-formed columns.

use grognard_engine::{Bend, Flags, Side, TerrainPlan};
use grognard_rules::model::Rules;

use super::{far_away, figure, marched};
use crate::common::{Game, Men, line_of, load_once, unit};

/// The first of these units fires at a single figure 5" ahead.
fn fires(men: &[Men], dice: usize) -> Game {
    let mut game = Game::new(("fire-only", men), ("hold", &[figure().at(0.0, 5.0).facing(180.0)]));
    game.phase("fire", &vec![1; dice]);
    game
}

/// The first of these units charges four figures 4" ahead, and a unit straight behind it follows.
fn charges(men: &[Men]) -> Game {
    let target = unit("line-battalion").figures(4).at(0.0, 4.0).facing(180.0);
    let mut game = Game::new(("charge", men), ("hold", &[target]));
    game.phase("charge", &[1, 1, 3, 3]).phase("shock", &[3, 3, 3, 3]);
    game
}

fn men(kind: &str, formation: &str, figures: u16, south: f64) -> Men {
    unit(kind).figures(figures).formation(formation).at(0.0, -south).facing(0.0)
}

/// Units in line straight behind one another attack as a column.
#[test]
fn clause_9_13() {
    let line = |south: f64| men("line-battalion", "line", 6, south);
    let group = charges(&[line(0.0), line(0.5 + 0.5)]);
    assert!(group.own_modifiers("shock").contains(&"column-of-lines"));
    group.saw("9.13");
    assert!(!charges(&[line(0.0), line(0.5 + 1.4)]).own_modifiers("shock").contains(&"column-of-lines"));
    // All of them move as lines.
    let marches = |south: f64| {
        let mut game =
            Game::new(("march", &[line(0.0), line(south)]), ("hold", &[figure().at(0.0, 22.0).facing(180.0)]));
        game.phase("move", &[]);
        game.first().front.y
    };
    assert_eq!((marches(1.0), marches(10.0)), (800, 800));
}

/// In column, a two-rank unit uses the three-rank and column-head line of the fire charts.
#[test]
fn clause_9_14() {
    let column = |kind: &str| fires(&[men(kind, "column", 6, 0.0).abreast(2)], 1);
    let two = column("two-rank-battalion");
    assert_eq!(two.own_modifiers("fire"), ["two-rank-line", "column-head"]);
    assert_eq!(two.roll("fire").inputs, column("line-battalion").roll("fire").inputs);
    two.saw("9.14");
    assert_eq!(fires(&[men("two-rank-battalion", "line", 4, 0.0)], 2).own_modifiers("fire"), ["two-rank-line"]);
    assert!(fires(&[men("line-battalion", "line", 4, 0.0)], 2).own_modifiers("fire").is_empty());
}

/// Massed columns straight behind one another, with gaps of no more than an inch, form a pre-formed column, for shock
/// only.
#[test]
fn clause_9_15() {
    // Twelve figures four abreast are 1.5" deep.
    let column = |south: f64| men("line-battalion", "column", 12, south);
    let three = |gap: f64| charges(&[column(0.0), column(1.5 + 0.6), column(1.5 + 0.6 + 1.5 + gap)]);
    let whole = three(1.0);
    assert!(whole.own_modifiers("shock").contains(&"pre-formed-column"));
    assert!(whole.own_modifiers("shock").contains(&"deep-pre-formed-column"), "a group of three");
    whole.saw("9.15");
    let broken = three(1.1);
    assert!(broken.own_modifiers("shock").contains(&"pre-formed-column"));
    assert!(!broken.own_modifiers("shock").contains(&"deep-pre-formed-column"), "a group of two");
    // Two lines are a column of lines, and a column behind them makes three. A single line in front of a column is not
    // part of one.
    let line = |south: f64| men("line-battalion", "line", 6, south);
    let lines = charges(&[line(0.0), line(1.0), column(2.0)]);
    assert_eq!(
        lines.own_modifiers("shock"),
        ["impetus", "column-of-lines", "pre-formed-column", "deep-pre-formed-column"]
    );
    assert!(!charges(&[line(0.0), column(1.0)]).own_modifiers("shock").contains(&"pre-formed-column"));
    // The second of two lines also counts, because the first is in front of it. With a column in front of it instead,
    // it is a single line (4.7).
    let struck = |first: Men| {
        let horse = unit("light-cavalry").figures(1).at(6.0, -1.25).facing(270.0);
        let mut game = Game::new(("charge", &[horse]), ("hold", &[line(1.0), column(2.0), first]));
        game.dice("charge", &[1; 20]);
        game.dice("shock", &[3; 20]);
        game.foe_modifiers("shock").contains(&"pre-formed-column")
    };
    assert!(struck(line(0.0)));
    assert!(!struck(column(-1.0)));
    assert!(!struck(line(0.0).morale("disordered")), "it forms no column (8.53)");
    // A single line that is closer behind does not hide a column, nor does a column hide the second of two lines (4.7).
    let aside = unit("line-battalion").formation("line").figures(2).at(-0.5, -1.8).facing(0.0);
    let behind = unit("line-battalion").formation("column").figures(6).at(0.6, -2.1).facing(0.0);
    assert!(charges(&[column(0.0), aside, behind]).own_modifiers("shock").contains(&"pre-formed-column"));
    let nearer = unit("line-battalion").formation("column").figures(6).at(-1.0, -0.8).facing(0.0);
    let second = unit("line-battalion").formation("line").figures(4).at(0.6, -1.1).facing(0.0);
    assert!(charges(&[line(0.0), nearer, second]).own_modifiers("shock").contains(&"column-of-lines"));
    // A commander who is closer behind is not the next in the column, and does not take another unit's place.
    let commander = unit("commander").at(-0.6, -1.7).facing(0.0);
    let beside = unit("line-battalion").formation("column").at(0.95, -2.1).facing(0.0);
    assert!(charges(&[column(0.0), commander, beside]).own_modifiers("shock").contains(&"pre-formed-column"));
    // A battalion in column of march counts as a column; a disordered one does not (8.53).
    assert!(
        charges(&[column(0.0), men("line-battalion", "road-column", 6, 2.0)])
            .own_modifiers("shock")
            .contains(&"pre-formed-column")
    );
    let shaken = charges(&[column(0.0), column(2.0).morale("disordered")]);
    assert!(!shaken.own_modifiers("shock").contains(&"pre-formed-column"));
    let alone = charges(&[column(0.0)]);
    assert!(!alone.own_modifiers("shock").contains(&"pre-formed-column"));
    // A pre-formed column has no effect on fire.
    let inputs = |men: &[Men]| fires(men, 2).roll("fire").inputs.clone();
    assert_eq!(inputs(&[column(0.0)]), inputs(&[column(0.0), column(2.1)]));
}

/// Another unit may be straight behind a line. A two-rank line then fires like one of three ranks.
#[test]
fn clause_9_23() {
    let backed = |gap: f64| {
        fires(&[men("two-rank-battalion", "line", 4, 0.0), men("line-battalion", "column", 6, 0.5 + gap)], 2)
    };
    let near = backed(0.7);
    assert_eq!(near.own_modifiers("fire"), ["two-rank-line", "lined-from-behind"]);
    near.saw("9.23");
    assert_eq!(backed(1.3).own_modifiers("fire"), ["two-rank-line"]);
    // A commander who is closer does not take that unit's place.
    let commander = unit("commander").at(-1.0, -0.7).facing(0.0);
    let column = unit("line-battalion").figures(6).formation("column").at(0.6, -1.2).facing(0.0);
    let both = fires(&[men("two-rank-battalion", "line", 4, 0.0), commander, column], 2);
    assert_eq!(both.own_modifiers("fire"), ["two-rank-line", "lined-from-behind"]);
    // The unit behind must be infantry in line or column.
    for (kind, formation) in [("heavy-cavalry", "column"), ("headquarters", "post"), ("line-battalion", "square")] {
        let behind = unit(kind).formation(formation).at(0.0, -1.2).facing(0.0);
        let game = fires(&[men("two-rank-battalion", "line", 4, 0.0), behind], 2);
        assert_eq!(game.own_modifiers("fire"), ["two-rank-line"], "{kind} in {formation}");
    }
    // A disordered unit still counts as being there (8.52, 8.71).
    let column = men("line-battalion", "column", 6, 1.2).morale("disordered");
    let game = fires(&[men("two-rank-battalion", "line", 4, 0.0), column], 2);
    assert_eq!(game.own_modifiers("fire"), ["two-rank-line", "lined-from-behind"]);
    // Disordered and in two ranks, they cannot hit at five inches, but at two (+1) they hit on a ten.
    let shaken = men("two-rank-battalion", "line", 4, 0.0).morale("disordered");
    let near = figure().at(0.0, 2.0).facing(180.0);
    let mut game = Game::new(("fire-only", &[shaken, men("line-battalion", "column", 6, 1.2)]), ("hold", &[near]));
    game.phase("fire", &[1, 1]);
    assert!(!game.own_modifiers("fire").contains(&"lined-from-behind"), "disorder costs it (8.53)");
}

/// Supports follow a friend of their own arm that is formed, steady, not worn down and under orders to fight.
#[test]
fn supports_follow_whoever_may_lead_them() {
    let follows = |order: &str, leader: Men, kind: &str, lost: u16| {
        let follower = unit(kind).formation("column").at(0.0, -16.0).facing(0.0);
        let men = [leader.at(0.0, 0.0).facing(0.0), follower];
        let enemy = figure().at(14.0, -16.25).facing(270.0);
        let mut game = Game::commanded(&[], (order, "battle"), ("follow", &men), ("hold", &[enemy]));
        game.battle.units[0].figures -= lost;
        game.battle.units[0].doctrine = game.rules.doctrine("hold").expect("a doctrine");
        game.phase("move", &[]);
        assert!(marched(&game).is_some());
        // Without a leader it turns to the enemy on its flank.
        game.nth(1).heading.tenths() == 0
    };
    let column = |kind: &str| unit(kind).formation("column");
    let battalion = || column("line-battalion");
    assert!(follows("attack", battalion(), "line-battalion", 0));
    assert!(follows("attack", column("heavy-cavalry"), "heavy-cavalry", 0));
    for (who, order, leader, kind, lost) in [
        ("horse behind foot", "attack", battalion(), "heavy-cavalry", 0),
        ("foot behind horse", "attack", column("heavy-cavalry"), "line-battalion", 0),
        ("skirmishers", "attack", unit("light-battalion").formation("skirmish"), "line-battalion", 0),
        ("a disordered battalion", "attack", battalion().morale("disordered"), "line-battalion", 0),
        ("one that has lost a third", "attack", battalion(), "line-battalion", 4),
        ("one in reserve", "reserve", battalion(), "line-battalion", 0),
        ("one on the march", "march", battalion(), "line-battalion", 0),
    ] {
        assert!(!follows(order, leader, kind, lost), "{who} leads nobody");
    }
    assert!(follows("attack", battalion(), "line-battalion", 3), "a quarter is not a third");
}

/// A unit that has followed up behind a charger has used its move, and does not charge (7.33, 7.41).
#[test]
fn a_support_that_has_come_up_does_not_charge() {
    let column = |figures: u16, east: f64, south: f64| {
        unit("line-battalion").figures(figures).formation("column").at(east, -south).facing(0.0)
    };
    let first = unit("line-battalion").figures(4).at(0.0, 8.0).facing(180.0);
    let second = unit("line-battalion").at(7.0, 11.5).facing(225.0);
    // Nine figures an inch behind twelve come up 8". To reach the second enemy, they would have to wheel and go 6"
    // farther.
    let mut game = Game::new(("charge", &[column(12, 0.0, 0.0), column(9, 0.99, 2.5)]), ("hold", &[first, second]));
    game.phase("charge", &[1, 1, 3, 3]);
    assert_eq!(game.first().front.y, 800);
    let support = game.nth(1);
    assert_eq!((support.front.x, support.front.y, support.flags.has(Flags::CHARGING)), (99, 550, false));
}

/// A unit straight behind another follows it if it is steady and under orders to fight.
#[test]
fn a_stack_marches_as_one() {
    let second = |morale: &str, order: &str| {
        let line = |south: f64| men("line-battalion", "column", 6, south);
        let stack = [line(0.0), line(1.5 + 0.5).morale(morale)];
        let mut game = Game::commanded(&[], (order, "battle"), ("march", &stack), ("hold", &[far_away()]));
        game.battle.units[1].doctrine = game.rules.doctrine("hold").expect("a doctrine");
        game.phase("move", &[]);
        assert_eq!(marched(&game), Some(1000), "the first of them");
        game.nth(1).front.y - game.setup.start.units[1].front.y
    };
    assert_eq!(second("good", "attack"), 1000);
    assert_eq!((second("disordered", "attack"), second("good", "reserve"), second("good", "march")), (0, 0, 0));
}

/// Orders that refer to battalions only, so no unit turns towards a single figure on the way.
fn on_battalions() -> &'static Rules {
    load_once(
        "figures-drill",
        &[
            "doctrine.march.row.advance.of=any",
            "doctrine.march.row.advance.when=\"foe.figures > 3\"",
            "doctrine.charge.row.charge.of=any",
            "doctrine.charge.row.charge.when=\"foe.figures > 3\"",
        ],
    )
}

/// The first of these units marches or charges; every die shows a one.
fn leads(doctrine: &str, men: &[Men], enemies: &[Men], terrain: &[TerrainPlan]) -> Game {
    let mut game = Game::over(on_battalions(), terrain, (doctrine, men), ("hold", enemies));
    for follower in 1..men.len() {
        game.unit_mut(Side::First, follower).doctrine = game.rules.doctrine("hold").expect("a doctrine");
    }
    game.dice(if doctrine == "charge" { "charge" } else { "move" }, &[1; 30]);
    game
}

/// A unit that follows up behind another does not pass through other units, keeps an inch from enemies and stays on the
/// table, like any other marching unit.
#[test]
fn clause_7_41() {
    let line = |figures: u16, south: f64| men("line-battalion", "line", figures, south);
    // Six figures march eight inches. Twelve follow up half an inch behind them and extend 1.5" farther on each side.
    let comes_up = |friends: &[Men], enemies: &[Men]| {
        let goal = unit("line-battalion").at(0.0, 15.0).facing(180.0);
        let stack = [&[line(6, 10.0), line(12, 11.0)], friends].concat();
        let game = leads("march", &stack, &[&[goal], enemies].concat(), &[]);
        assert_eq!(game.first().front.y, -200);
        game.nth(1).front.y
    };
    assert_eq!(comes_up(&[], &[]), -300);
    let friend = |north: f64| figure().at(-2.3, north).facing(0.0);
    assert_eq!(comes_up(&[friend(-6.0)], &[]), -655, "its rear, and the room between friends");
    let enemy = |north: f64| figure().at(-2.3, north).facing(180.0);
    assert_eq!(comes_up(&[], &[enemy(-6.0)]), -700);
    assert_eq!(comes_up(&[], &[enemy(-2.45)]), -345);
    assert_eq!(comes_up(&[], &[enemy(-2.0)]), -300);
    // The same holds behind a charge, except for the enemy that is charged.
    let charge = |enemies: &[Men]| {
        let target = unit("line-battalion").figures(4).at(0.0, 4.0).facing(180.0);
        let game = leads("charge", &[line(4, 0.0), line(12, 0.55)], &[&[target], enemies].concat(), &[]);
        assert_eq!(game.first().front.y, 400);
        game.nth(1).front.y
    };
    assert_eq!((charge(&[]), charge(&[enemy(2.0)])), (345, 100));
    // A column facing 20 degrees to the side comes up only while its middle stays on the table.
    let column = |figures: u16| unit("line-battalion").figures(figures).formation("column");
    let stack = [column(6).at(35.4, -10.0).facing(0.0), column(11).at(34.95, -12.3).facing(20.0)];
    let game = leads("march", &stack, &[unit("line-battalion").at(33.0, 21.0).facing(180.0)], &[]);
    let centre = game.ground(&game.nth(1)).centre();
    assert!((3590..=3600).contains(&centre.x), "{centre:?}");
}

/// A line that is bent along a hedge does not follow up behind another, because it does not march by itself either
/// (7.37).
#[test]
fn a_bent_line_does_not_come_up() {
    let hedges = [line_of("hedge", (-3.0, 0.15), (0.0, 0.15)), line_of("hedge", (0.05, 0.14), (2.87, -0.88))];
    let leader = unit("line-battalion").figures(5).at(0.0, 0.8).facing(0.0);
    let follower = |bent: bool| {
        let line = unit("line-battalion").figures(6).at(0.0, 0.0);
        let line = if bent { line.bent(0, 20) } else { line.facing(0.0) };
        let enemy = unit("line-battalion").at(0.0, 15.0).facing(180.0);
        let game = leads("march", &[leader.clone(), line], &[enemy], &hedges);
        let unit = game.nth(1);
        (unit.front.y > 0, unit.bend != Bend::NONE)
    };
    assert_eq!(follower(true), (false, true));
    assert_eq!(follower(false), (true, false));
}
