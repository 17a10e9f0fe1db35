//! A clause is cited only where it is applied.

use grognard_engine::plane::Arc;
use grognard_engine::{CommandPlan, Event, Refusal, ScreenRefusal, Side};

use super::{alone, far_away, figure, s6};
use crate::common::{Game, Men, block_of, deployment, drill, line_of, load_once, unit};

impl Game {
    /// Asserts that nothing the witness saw applied this clause.
    #[track_caller]
    pub(super) fn saw_no(&self, clause: &str) {
        assert!(!self.seen.cited().contains(clause), "something cites {clause}: {:#?}", self.seen);
    }
}

/// The clause on bends is cited if the arc of a bent unit matters. The rules against bending are cited if they prevent
/// a bend.
#[test]
fn clause_7_23() {
    let hedge = [line_of("hedge", (-3.0, 0.15), (0.0, 0.15)), line_of("hedge", (0.05, 0.14), (2.87, -0.885))];
    let bent = || s6().bent(0, 20);
    let target = || figure().at(0.0, 5.0).facing(180.0);
    let mut fires = Game::over(drill(), &hedge, ("fire-only", &[bent()]), ("hold", &[target()]));
    fires.phase("fire", &[1, 1, 1]);
    fires.saw("7.23");
    fires.saw_no("7.0-G");
    fires.saw_no("7.0-P1");
    // A morale test does not depend on arcs.
    let shooter = unit("line-battalion").at(0.0, 5.0).facing(180.0);
    let mut rallies = Game::over(drill(), &hedge, ("hold", &[bent()]), ("hold", &[shooter]));
    rallies.unit_mut(Side::First, 0).morale = drill().morale_state("disordered").expect("a state");
    rallies.phase("recover", &[3, 3]);
    assert_eq!(rallies.seen.rolls().count(), 1);
    rallies.saw_no("7.23");
}

/// The clause that bars a routed unit from turning is not the one that bars it from changing formation.
#[test]
fn clause_7_36() {
    let turn = alone("face", s6().morale("routed"), "formation");
    assert_eq!(turn.seen.refusals(), [Refusal::Broken { turns: true }]);
    turn.saw("7.36");
    turn.saw_no("8.14");
}

/// The clause that bars a routed unit from changing formation is not the one that bars it from turning.
#[test]
fn clause_8_14() {
    let form = alone("form-line", s6().formation("column").morale("routed"), "formation");
    assert_eq!(form.seen.refusals(), [Refusal::Broken { turns: false }]);
    form.saw("8.14");
    form.saw_no("7.36");
}

/// A file of horse on a road is a column (8.31), and therefore massed under 8.32. Clause 8.33 is about horse with no
/// more figures behind than in front.
#[test]
fn clause_8_32() {
    let horse = unit("heavy-cavalry").formation("road-file").at(0.0, 0.0).facing(0.0);
    let shooter = unit("line-battalion").figures(6).at(0.0, 5.0).facing(180.0);
    let mut game = Game::new(("fire-only", &[shooter]), ("hold", &[horse]));
    game.phase("fire", &[1, 1, 1]);
    assert_eq!(game.own_modifiers("fire"), ["massed-target"]);
    game.saw("8.32");
    game.saw_no("8.33");
}

/// The pack's other unit types march under the same clauses as the common ones.
#[test]
fn clause_9_22() {
    let foot = ["large-line-battalion", "third-rank-battalion", "rifle-battalion"];
    let on_foot = ["dismounted-dragoons", "dismounted-irregulars", "dismounted-light-cavalry"];
    for kind in foot.iter().chain(&on_foot) {
        for (formation, clause) in [("line", "9.22"), ("column", "9.11"), ("pseudo-column", "9.12")] {
            alone("march", unit(kind).formation(formation), "move").saw(clause);
        }
    }
    for kind in foot {
        alone("march", unit(kind).formation("square"), "move").saw("9.55");
    }
    alone("march", unit("rifle-battalion").formation("extreme-skirmish"), "move").saw("7.43");
    for kind in on_foot {
        alone("march", unit(kind).formation("full-skirmish"), "move").saw("7.43");
    }
    // In road formations, units march like columns.
    alone("march", unit("line-battalion").formation("road-column"), "move").saw("9.11");
    alone("march", unit("dragoons").formation("road-file"), "move").saw("8.32");
    for kind in ["dragoons", "irregular-cavalry"] {
        for (formation, clause) in [("column", "8.32"), ("massed", "8.33"), ("full-skirmish", "7.43")] {
            alone("march", unit(kind).formation(formation), "move").saw(clause);
        }
    }
}

/// When a unit does not fire at an enemy, the arc is cited only if it is the sole reason.
#[test]
fn clause_7_51() {
    // An enemy at about (4, 5) is outside the arc. In the second game, it is also behind a friend at about (2, 2.5).
    let shot = |friends: &[Men]| {
        let men = [&[s6()], friends].concat();
        let mut game = Game::new(("fire-only", &men), ("hold", &[figure().at(4.0, 4.75).facing(180.0)]));
        game.unit_mut(Side::First, men.len() - 1).doctrine =
            drill().doctrine(if friends.is_empty() { "fire-only" } else { "hold" }).expect("a doctrine");
        game.phase("fire", &[]);
        assert_eq!(game.seen.refusals(), [Refusal::NoTarget]);
        game
    };
    shot(&[]).saw("7.51");
    shot(&[figure().at(2.0, 2.75).facing(0.0)]).saw_no("7.51");
    // The arc prevents a line from firing at a charge from behind. Horse, which has no firearms, and routed units would
    // not fire anyway.
    let charged = |target: Men, faces: &[i32]| {
        let horse = unit("heavy-cavalry").figures(4).at(0.0, -6.5).facing(0.0);
        let mut game = Game::new(("charge", &[horse]), ("hold", &[target.at(0.0, 0.0).facing(0.0)]));
        game.phase("charge", faces);
        game
    };
    charged(s6(), &[1, 1]).saw("7.51");
    charged(unit("heavy-cavalry").figures(4), &[1, 1]).saw_no("7.51");
    charged(s6().morale("routed"), &[]).saw_no("7.51");
}

/// Two guns, with the middle of their front at this point, fire at this target.
fn cannonade(at: (f64, f64), facing: f64, target: Men) -> Game {
    let guns = unit("field-battery").cannon(2).at(at.0, at.1).facing(facing);
    let mut game = Game::new(("fire-only", &[guns]), ("hold", &[target]));
    game.phase("fire", &[1, 1]);
    game
}

/// The clauses on arcs and enfilade that a shot cites.
fn of_flanks(game: &Game) -> Vec<&str> {
    let cited = game.seen.cited_by_first_roll();
    ["7.11", "7.13", "7.14", "7.54", "7.54a", "7.54b"].into_iter().filter(|&clause| cited.contains(clause)).collect()
}

/// The direction of a shot matters if the target is raked: a column is massed from every side, a line only from its
/// flanks.
#[test]
fn clause_7_13() {
    let raked = cannonade((-7.5, -0.25), 90.0, s6());
    assert_eq!(of_flanks(&raked), ["7.11", "7.13", "7.54", "7.54a", "7.54b"]);
    let column = s6().formation("column");
    assert_eq!(of_flanks(&cannonade((-7.5, -0.25), 90.0, column)), [""; 0]);
    assert_eq!(of_flanks(&cannonade((0.0, -7.5), 0.0, s6())), [""; 0]);
    assert_eq!(of_flanks(&cannonade((0.0, 7.5), 180.0, s6())), [""; 0]);
}

/// A line shot at obliquely from its flank counts as linear, because no shot runs along its whole length.
#[test]
fn clause_7_54a() {
    let aslant = |target: Men| cannonade((-7.5, 2.5), 110.0, target);
    let line = aslant(s6());
    assert_eq!(line.roll("fire").exposed.1, Arc::Flank);
    assert!(!line.own_modifiers("fire").contains(&"enfilade"));
    assert_eq!(of_flanks(&line), ["7.54", "7.54a"]);
    assert_eq!(of_flanks(&aslant(s6().formation("column"))), [""; 0]);
}

/// Crews are counted at the start of the battle, not whenever a unit fires at the guns.
#[test]
fn clause_8_46() {
    let guns = || unit("field-battery").at(0.0, 0.0).facing(0.0);
    let enemy = || unit("line-battalion").figures(4).at(0.0, 20.0).facing(180.0);
    let mut begins = Game::new(("hold", &[guns()]), ("hold", &[enemy()]));
    begins.phase("formation", &[]);
    begins.saw("8.46");
    let mut later = Game::new(("hold", &[guns()]), ("hold", &[enemy()]));
    later.battle.turn = 2;
    later.phase("formation", &[]);
    later.saw_no("8.46");
    let mut none = Game::new(("hold", &[s6()]), ("hold", &[enemy()]));
    none.phase("formation", &[]);
    none.saw_no("8.46");
    let shells = unit("field-battery").cannon(4).at(0.0, 20.0).facing(180.0);
    let mut shelled = Game::new(("fire-only", &[shells]), ("hold", &[guns()]));
    shelled.phase("fire", &[10, 10, 1, 1, 3, 3]);
    assert_eq!(shelled.second().cannon, 6);
    shelled.saw_no("8.46");
    shelled.saw_no("8.47");
}

/// A unit that breaks into column has not formed it by order, even though it was about to.
#[test]
fn clause_8_52() {
    let enemy = unit("line-battalion").figures(6).at(0.0, 1.5).facing(180.0);
    let mut game = Game::new(("form-column", &[s6()]), ("hold", &[enemy]));
    game.phase("formation", &[10, 10, 10, 6, 6]);
    assert_eq!(game.state(&game.first()), ("column", "routed"));
    game.saw("8.52");
    game.saw_no("8.11");
    game.saw_no("9.11");
}

/// The move of a command in road mode on this terrain. Each unit starts with its front at one of these positions and
/// heads north.
fn marching(terrain: &[grognard_engine::TerrainPlan], at: &[(f64, f64)]) -> Game {
    let men: Vec<Men> = at
        .iter()
        .map(|&(east, north)| unit("line-battalion").figures(8).formation("road-column").at(east, north).facing(0.0))
        .collect();
    let enemy = figure().at(30.0, 23.0).facing(180.0);
    let mut game = Game::commanded(terrain, ("march", "road"), ("road", &men), ("hold", &[enemy]));
    game.phase("move", &[]);
    game
}

fn road() -> [grognard_engine::TerrainPlan; 1] {
    [block_of("road", (0.0, 0.0), (1.0, 48.0))]
}

/// A command splits if some of its units are on the road and others are not.
#[test]
fn clause_8_64() {
    let split = marching(&road(), &[(0.0, -8.0), (6.0, -12.0)]);
    split.saw("8.64");
    split.saw_no("8.65");
    for together in [marching(&[], &[(0.0, -8.0), (6.0, -12.0)]), marching(&road(), &[(0.0, -8.0), (0.0, -12.0)])] {
        together.saw_no("8.64");
        together.saw("8.63");
    }
}

/// Units beside the road lead if the others come up behind them.
#[test]
fn clause_8_65() {
    let leads = marching(&road(), &[(3.0, 0.0), (0.0, -12.0)]);
    leads.saw("8.65");
    // Roads do not affect a unit that marches at its own rate.
    let square = unit("line-battalion").figures(8).formation("square").at(3.0, 0.0).facing(0.0);
    let column = unit("line-battalion").figures(8).formation("road-column").at(0.0, -12.0).facing(0.0);
    let enemy = figure().at(3.0, 20.0).facing(180.0);
    let mut own = Game::commanded(&road(), ("attack", "road"), ("march", &[square, column]), ("hold", &[enemy]));
    own.unit_mut(Side::First, 1).doctrine = drill().doctrine("hold").expect("a doctrine");
    own.phase("move", &[]);
    assert_eq!(super::marched(&own), Some(400));
    for clause in ["8.61", "8.63", "8.64", "8.65"] {
        own.saw_no(clause);
    }
}

/// A unit dismounts as a whole. If one figure is deployed, the unit stays mounted, and the refusal gives that reason.
#[test]
fn clause_8_35() {
    let men = unit("dragoons").screen(1).at(0.0, 0.0).facing(0.0);
    let mut game = Game::new(("dismount", &[men]), ("hold", &[far_away()]));
    game.phase("formation", &[]);
    assert!(game.seen.refusals().iter().all(|why| *why == Refusal::CannotDismount));
    assert_eq!(game.first().kind, game.setup.start.units[0].kind);
    game.saw("8.35");
    game.saw_no("7.32");
}

/// Figures are not deployed if there is no room ahead of their unit. The clause on room to turn is not cited, because
/// no unit was going to turn.
#[test]
fn clause_9_30_g1() {
    let men = [unit("light-battalion").at(0.0, 0.0).facing(0.0), s6().at(0.0, 0.6)];
    let mut game = Game::new(("detach-one", &men), ("hold", &[far_away()]));
    game.unit_mut(Side::First, 1).doctrine = drill().doctrine("hold").expect("a doctrine");
    game.phase("formation", &[]);
    assert_eq!(game.seen.refusals(), [Refusal::NoRoom]);
    game.saw("9.30-G1");
    game.saw_no("7.31");
    let none = alone("detach", unit("heavy-cavalry"), "formation");
    assert_eq!(none.seen.refusals(), [Refusal::Screen(ScreenRefusal::NoSkirmishers)]);
    // The rule on where and when figures deploy does not matter here.
    none.saw_no("9.34");
}

/// If more than a third of a unit is deployed, the deployed figures test for the whole unit (9.37). If fewer are, they
/// test as a separate group.
#[test]
fn clause_9_48() {
    let tests = |out: u16| {
        let men = unit("light-battalion").screen(out).at(0.0, 0.0).facing(0.0);
        let horse = unit("heavy-cavalry").at(0.0, 10.0).facing(180.0);
        let mut game = Game::new(("hold", &[men]), ("charge", &[horse]));
        game.phase_of(Side::Second, "charge", &[1, 1]);
        assert_eq!(game.roll("morale").own.index(), 1, "the screen tests");
        game
    };
    let whole = tests(3);
    whole.saw("9.48");
    whole.saw_no("9.49");
    let group = tests(2);
    group.saw("9.49");
    group.saw_no("9.48");
}

/// Guns that leave a square are limbered afterwards; no clause bars them from being inside.
#[test]
fn clause_9_53() {
    let square = unit("line-battalion").figures(8).formation("square").at(0.0, 0.0).facing(0.0);
    let guns = unit("field-battery").cannon(4).formation("unlimbered").at(0.75 + 1.5, 0.0).facing(0.0);
    let mut game = Game::new(("in-and-out", &[square, guns]), ("hold", &[far_away()]));
    game.phase("move", &[]).phase("move", &[]);
    assert_eq!(game.state(&game.nth(1)).0, "limbered");
    game.saw("9.53");
    game.saw_no("9.54");
    // The guns limber by leaving the square, and choose their facing.
    for clause in ["7.34", "8.40-G", "8.44"] {
        game.saw(clause);
    }
}

/// A unit that keeps running has not rallied. A different clause lets it try to rally in its own side's phase.
#[test]
fn clause_7_45() {
    for (pips, rallies) in [(1, true), (6, false)] {
        let men = s6().formation("column").morale("routed");
        let mut game = Game::new(("hold", &[men]), ("hold", &[far_away()]));
        game.phase("rally", &[pips, pips]);
        assert_eq!(game.seen.cited().contains("7.45"), rallies, "{pips} and {pips}");
        game.saw("8.15");
    }
}

/// The shock after a charge from behind.
fn charged_from_behind(target: Men) -> Game {
    let horse = unit("heavy-cavalry").figures(4).at(0.0, -6.5).facing(0.0);
    let mut game = Game::new(("charge", &[horse]), ("hold", &[target]));
    game.phase("charge", &[1, 1]);
    game.seen = crate::common::Recorder::default();
    game.play_anyhow(Side::First, "shock");
    game
}

/// The attack bonus for depth is in the rules; giving it to the defence as well is a house rule.
#[test]
fn clause_9_12() {
    // Seven of the nine figures are left and are still a column.
    let nine = unit("line-battalion").figures(9).formation("column").at(0.0, 0.0).facing(0.0);
    let mut column = charged_from_behind(nine);
    assert!(column.foe_modifiers("shock").contains(&"infantry-column"));
    column.saw_no("9.12");
    column.saw_no("9.11");
    // The column attacks.
    let attacker = s6().formation("column").at(0.0, -3.0).facing(0.0);
    column = Game::new(("charge", &[attacker]), ("hold", &[s6()]));
    column.play_anyhow(Side::First, "charge");
    column.seen = crate::common::Recorder::default();
    column.play_anyhow(Side::First, "shock");
    assert!(column.own_modifiers("shock").contains(&"infantry-column"));
    column.saw("9.12");
    column.saw("9.11");
}

/// A disordered line has no depth to lose, but a disordered column does.
#[test]
fn clause_8_53() {
    for (formation, loses) in [("line", false), ("column", true)] {
        let target = unit("line-battalion").figures(12).formation(formation).morale("disordered");
        let game = charged_from_behind(target.at(0.0, 0.0).facing(0.0));
        assert!(game.foe_modifiers("shock").contains(&"disordered"), "{formation}");
        assert_eq!(game.seen.cited_by_first_roll().contains("8.53"), loses, "{formation}");
    }
    // Routed units are in column, but have no bonus for depth to lose.
    let target = unit("line-battalion").figures(12).morale("routed").at(0.0, 0.0).facing(0.0);
    let horse = unit("heavy-cavalry").figures(4).at(0.0, -6.5).facing(0.0);
    let mut routed = Game::new(("charge", &[horse]), ("hold", &[target]));
    routed.phase("charge", &[]).phase("shock", &[3, 3, 3, 3]);
    assert!(routed.foe_modifiers("shock").contains(&"disordered"));
    assert!(!routed.seen.cited_by_first_roll().contains("8.53"));
}

/// A battery disordered along with its square has taken no check of its own (8.47c). When the square's disorder ends,
/// no check has been failed (8.54).
#[test]
fn clause_8_47c() {
    let square = unit("line-battalion").figures(8).formation("square").at(0.0, 0.0).facing(0.0);
    let guns = unit("field-battery").cannon(4).formation("unlimbered").at(0.75 + 1.5, 0.0).facing(0.0);
    let enemy = unit("line-battalion").at(0.0, 4.0).facing(180.0);
    let mut game = Game::new(("in-and-out", &[square, guns]), ("fire-only", &[enemy]));
    game.phase("move", &[]).phase_of(Side::Second, "fire", &[10, 10, 10, 10, 1, 1, 5, 5]);
    assert_eq!(game.state(&game.nth(1)).1, "disordered");
    game.saw("8.47c");
    game.saw("8.54");
    game.saw_no("8.47a");
    game.seen = crate::common::Recorder::default();
    game.phase("move", &[]);
    assert_eq!(game.state(&game.nth(1)), ("limbered", "good"));
    game.saw("8.47c");
    game.saw_no("8.54");
}

/// Loose order is not the same as being unformed: the house penalty in shock cites no clause about formed units.
#[test]
fn clause_8_71() {
    let target = unit("light-battalion").figures(8).formation("full-skirmish").at(0.0, 0.0).facing(0.0);
    let game = charged_from_behind(target);
    assert!(game.foe_modifiers("shock").contains(&"skirmishers"));
    let cited = game.seen.cited_by_first_roll();
    assert!(!cited.contains("8.71"), "{cited:?}");
}

/// Cavalry that routs falls into column under the clause for all routed units (8.52). The other clause (9.0-G) is about
/// infantry.
#[test]
fn infantry_alone_routs_by_its_own_rule() {
    for (kind, infantry) in [("heavy-cavalry", false), ("line-battalion", true)] {
        let horse = unit("heavy-cavalry").at(10.0, -0.25).facing(270.0);
        let target = unit(kind).figures(4).formation("line").at(0.0, 0.0).facing(0.0);
        let mut game = Game::new(("charge", &[horse]), ("hold", &[target]));
        game.phase("charge", &[6, 6]);
        assert_eq!(game.state(&game.second()), ("column", "routed"), "{kind}");
        game.saw("8.52");
        assert_eq!(game.seen.cited().contains("9.0-G"), infantry, "{kind}");
    }
}

/// Fire out of turn follows the same clauses as other fire, such as 7.53 on fire at a flank and 8.45 on guns in action.
#[test]
fn clause_7_53() {
    let fires = |enemy: Men| {
        let turner = unit("line-battalion").figures(3).at(0.0, 0.0).facing(90.0);
        let mut game = Game::new(("face", &[turner]), ("hold", &[enemy.at(0.0, 2.0).facing(180.0)]));
        game.play_anyhow(Side::First, "formation");
        game.saw("7.55");
        game.saw("7.53");
        game
    };
    fires(unit("line-battalion").figures(6)).saw_no("8.45");
    fires(unit("field-battery")).saw("8.45");
}

/// A march at the rate of the command's mode does not cite the rate of a line, and a command that settles cites no rate
/// (8.63).
#[test]
fn clause_8_63() {
    let does = |doctrine: &str| {
        let men = unit("line-battalion").at(0.0, -12.0).facing(0.0);
        let enemy = figure().at(30.0, 23.0).facing(180.0);
        let mut game = Game::commanded(&[], ("attack", "strategic"), (doctrine, &[men]), ("hold", &[enemy]));
        game.phase("move", &[]);
        game
    };
    let marches = does("march");
    marches.saw("8.63");
    marches.saw_no("9.22");
    let settles = does("hold");
    assert!(settles.seen.events().iter().any(|event| matches!(event, Event::Settled { .. })));
    settles.saw_no("8.63");
}

/// Dismounting counts as the unit's formation change for the phase (8.11, 8.13). A disordered unit may dismount (8.14).
#[test]
fn clause_8_13() {
    for (morale, disordered) in [("good", false), ("disordered", true)] {
        let game = alone("dismount", unit("dragoons").morale(morale), "formation");
        game.saw("8.13");
        assert_eq!(game.seen.cited().contains("8.14"), disordered);
    }
}

/// Trains have no formation to unlimber into in any phase. Heavy guns have one, but use it in another phase (8.43).
#[test]
fn clause_8_49() {
    let train = alone("unlimber-late", unit("pontoon-train"), "move");
    train.saw_no("8.43");
    train.saw("8.49");
    alone("unlimber-late", unit("positional-battery").formation("limbered"), "move").saw("8.43");
}

/// A check that routs a crew does not disorder its guns if they already count as disordered.
#[test]
fn clause_8_47a() {
    let check = |mode: &str, pips: [i32; 2]| {
        let guns = unit("field-battery").cannon(4).formation("limbered").at(0.0, 0.0).facing(0.0);
        let enemy = unit("field-battery").cannon(4).at(0.0, 20.0).facing(180.0);
        let mut game = Game::commanded(&[], ("attack", mode), ("hold", &[guns]), ("fire-only", &[enemy]));
        game.phase_of(Side::Second, "fire", &[10, 10, 1, 1, pips[0], pips[1]]);
        game.seen.cited().contains("8.47a")
    };
    // The loss of two of four cannon is a penalty of 1, and being on the march is another 2.
    assert!(check("battle", [5, 4]));
    assert!(!check("road", [4, 3]));
}

/// A whole unit that forms full skirmish order cites the rule that allows it.
#[test]
fn clause_9_30_g2() {
    let lights = alone("form-full", unit("light-battalion"), "formation");
    lights.saw("8.20");
    lights.saw("9.30-G1");
    lights.saw_no("9.30-G2");
    let dragoons = alone("form-full", unit("dragoons"), "formation");
    for clause in ["8.30", "9.30-G1", "9.30-G2"] {
        dragoons.saw(clause);
    }
    dragoons.saw_no("8.20");
    alone("form-extreme", unit("rifle-battalion"), "formation").saw("9.30-G1");
    // Clause 9.31 forbids this order, not the requirements for a different density (9.36).
    let rifles = alone("form-full", unit("rifle-battalion"), "formation");
    assert_eq!(rifles.seen.refusals(), [Refusal::Formation]);
    rifles.saw("9.31");
    rifles.saw_no("9.36");
    for (kind, order) in
        [("light-battalion", "detach-three"), ("rifle-battalion", "detach-three"), ("light-cavalry", "detach")]
    {
        alone(order, unit(kind), "formation").saw("9.30-G2");
    }
}

/// Deploying or recalling skirmishers is not a formation change while two thirds of the unit keep their formation. The
/// clause is not cited if no figure has been deployed.
#[test]
fn clause_9_35_n() {
    let comes_in = |out: u16| alone("recall", unit("large-light-battalion").figures(9).screen(out), "formation");
    comes_in(3).saw("9.35-N");
    comes_in(4).saw_no("9.35-N");
    // Deployed figures have no figures of their own to deploy.
    let rules = load_once("figures-drill", &["doctrine.detach-one.row.detach.when=self.screen"]);
    let men = unit("light-battalion").screen(2).at(0.0, 0.0).facing(0.0);
    let mut none = Game::under(rules, ("detach-one", &[men]), ("hold", &[far_away()]));
    none.phase("formation", &[]);
    assert_eq!(none.seen.refusals(), [Refusal::Screen(ScreenRefusal::NoSkirmishers)]);
    none.saw_no("9.35-N");
    none.saw_no("9.34");
}

/// A march that is too long for its command's mode cites the rate of the mode (8.63), not that of the formation.
#[test]
fn a_march_beyond_the_rate_of_its_mode() {
    let rules = load_once("figures-drill", &["doctrine.path-ahead.row.path.legs.0.march=17"]);
    let men = unit("line-battalion").at(0.0, -12.0).facing(0.0);
    let too_far = |mode: Option<&str>| {
        let mut plan = deployment(("path-ahead", std::slice::from_ref(&men)), ("hold", &[far_away()]));
        let (order, mode) = (mode.map(|_| "attack".into()), mode.map(Into::into));
        plan.sides.first.command = CommandPlan { name: String::new(), order, mode };
        let mut game = Game::planned(rules, &plan);
        game.phase("move", &[]);
        assert_eq!(game.seen.refusals(), [Refusal::TooFar]);
        game
    };
    too_far(None).saw("9.22");
    let strategic = too_far(Some("strategic"));
    strategic.saw("8.63");
    strategic.saw_no("9.22");
}

/// A command that follows its road round a bend keeps the road rate all the way, because none of its units leaves the
/// road.
#[test]
fn clause_8_61() {
    let road = [line_of("road", (0.0, -24.0), (0.0, 4.0)), line_of("road", (0.0, 4.0), (16.0, 4.0))];
    let guns = unit("field-battery").formation("limbered").at(0.0, -6.0).facing(0.0);
    let column = unit("line-battalion").formation("road-column").at(0.0, -14.2).facing(0.0);
    let enemy = figure().at(-30.0, 20.0).facing(180.0);
    let mut game = Game::commanded(&road, ("attack", "road"), ("road", &[guns, column]), ("hold", &[enemy]));
    game.phase("move", &[]);
    assert!(game.first().front.x > 900, "round the bend: {:?}", game.first().front);
    game.saw("8.61");
    game.saw_no("8.64");
    game.saw_no("8.65");
}

/// If fire during a change of formation drives a unit back into column, the column is not formed by order, even if one
/// was ordered.
#[test]
fn a_column_that_fire_forces_is_not_cited_as_ordered() {
    let men = || unit("light-battalion").figures(8).formation("full-skirmish").at(0.0, 0.0).facing(0.0);
    let guns = unit("field-battery").formation("unlimbered").at(0.0, 3.0).facing(180.0);
    let mut driven = Game::new(("form-column", &[men()]), ("hold", &[guns]));
    driven.phase("formation", &[7, 7, 2, 5, 7, 9, 10, 9, 5, 3]);
    let mut ordered = Game::new(("form-column", &[men()]), ("hold", &[far_away()]));
    ordered.phase("formation", &[]);
    let cited = |game: &Game| {
        assert_eq!(game.state(&game.first()).0, "column");
        let formed = game.seen.cited_by(|event| matches!(event, Event::Formed { .. })).next().expect("it forms");
        ["8.11", "8.20", "9.0-G"].map(|clause| formed.contains(clause))
    };
    assert_eq!(cited(&driven), [false, false, true]);
    assert_eq!(cited(&ordered), [true, true, true]);
}
