//! Objectives and points: who holds which objective, how much it is worth, and how points decide.

use grognard_dice::SeededDice;
use grognard_engine::{Deployment, Misdeployment, Narrator, ObjectivePlan, Side, deploy, fight};
use grognard_rules::model::{ByteId, MoraleId, Rules};

use super::one_roll::{SAMPLED, exact, sampled};
use crate::common::{Game, Men, agree, deployment, unit};

/// Squads an inch square that move six inches.
const SQUADS: &str = r#"
pack = "squads"
title = "Squads"
version = "1"
board = "plane"
arms = ["foot"]
table = { width = 48, depth = 48 }
arc = { angle = 45 }
movement = { narrow = 1, gap = 1 }

[morale]
state = [{ id = "good" }, { id = "broken", broken = true }]

[formation.open]
title = "open"
arms = ["foot"]
facing = "all"

[unit.squad]
title = "Squad"
arm = "foot"
figures = 1
width = 1
depth = 1
formation = "open"
speed = { open = 6 }

[unit.team]
title = "Team"
arm = "foot"
figures = 3
width = 1
depth = 1
formation = "open"
speed = { open = 6 }

[[phase]]
id = "move"
title = "Move"
mechanism = "move"

[doctrine.stand]
title = "stands"
row = []

[[clause]]
id = "1"
text = "Ground is held."

[[clause]]
id = "2"
text = "Ground brings points."

[[clause]]
id = "3"
text = "The last turn is uncertain."

"#;

/// A doctrine that seizes objectives, rules for holding ground, and points for it.
const HOLD: &str = "[doctrine.seize]\ntitle = 'seizes'\nrow = [{ id = 'seize', phase = 'move', do = 'seize' }]\n\
    [objective]\nwithin = 3\ncite = ['1']\n[victory]\nbroken = 100\nlimit = 'points'\n\
    points = [{ id = 'hold', for = 'hold', points = 2, cite = ['2'] }]\n";

fn compiled(rest: &str) -> Result<&'static Rules, (usize, String)> {
    crate::common::compiled("squads.toml", format!("{SQUADS}{rest}"))
}

fn rules(rest: &str) -> &'static Rules {
    compiled(rest).unwrap_or_else(|(_, faults)| panic!("{faults}"))
}

/// A squad, placed by its middle.
fn squad(east: f64, north: f64) -> Men {
    unit("squad").at(east, north + 0.5).facing(0.0)
}

fn objective(at: (i32, i32), worth: u8) -> ObjectivePlan {
    ObjectivePlan { name: (at == (0, 0)).then(|| "the hill".to_owned()), at, worth }
}

/// A battle of sides that do not move, with an objective in the middle of the table.
fn plan(first: &[Men], second: &[Men]) -> Deployment {
    let mut plan = deployment(("stand", first), ("stand", second));
    plan.objectives = vec![objective((0, 0), 1)];
    plan
}

/// Plays whole turns. Returns each side's points for ground after each turn.
fn play(game: &mut Game, turns: usize) -> Vec<[i16; 2]> {
    let mut scores = Vec::new();
    for _ in 0..turns {
        game.phase_of(Side::First, "move", &[]);
        game.phase_of(Side::Second, "move", &[]);
        let held = &game.battle.points.scores;
        scores.push([held[0], held[1]]);
    }
    scores
}

#[test]
fn who_is_there_alone_holds_and_has_points() {
    let mut game = Game::planned(rules(HOLD), &plan(&[squad(0.0, 3.5)], &[squad(0.0, 20.0)]));
    assert_eq!(play(&mut game, 2), [[2, 0], [4, 0]]);
    game.saw("1");
    game.saw("2");
    assert_eq!(
        game.specials(),
        [
            "first holds the hill.",
            "first scores 2 points for the hill: 2 so far.",
            "first scores 2 points for the hill: 4 so far."
        ]
    );
    // This squad is a hundredth of an inch too far away.
    let mut far = Game::planned(rules(HOLD), &plan(&[squad(0.0, 3.51)], &[squad(0.0, 20.0)]));
    assert_eq!(play(&mut far, 1), [[0, 0]]);
    let mut both = Game::planned(rules(HOLD), &plan(&[squad(0.0, 3.0)], &[squad(0.0, -3.0)]));
    assert_eq!(play(&mut both, 1), [[0, 0]]);
    let mut other = Game::planned(rules(HOLD), &plan(&[squad(0.0, 20.0)], &[squad(0.0, -3.0)]));
    assert_eq!(play(&mut other, 1), [[0, 2]]);
}

#[test]
fn an_objective_may_be_worth_more_than_another() {
    let mut plan = plan(&[squad(0.0, 0.0)], &[squad(0.0, 20.0)]);
    plan.objectives = vec![objective((0, 0), 3), objective((0, 2000), 2)];
    let mut game = Game::planned(rules(HOLD), &plan);
    assert_eq!(play(&mut game, 1), [[6, 4]]);
}

#[test]
fn a_pack_may_count_who_is_there() {
    let counts = HOLD.replace("within = 3", "within = 3\ncount = 'self.figures'");
    let team = unit("team").at(0.0, -2.0).facing(0.0);
    let both = plan(&[squad(0.0, 2.0), squad(2.0, 2.0)], std::slice::from_ref(&team));
    assert_eq!(play(&mut Game::planned(rules(&counts), &both), 1), [[0, 2]], "three against two");
    let equal = plan(&[squad(0.0, 2.0), squad(2.0, 2.0), squad(-2.0, 2.0)], &[team]);
    assert_eq!(play(&mut Game::planned(rules(&counts), &equal), 1), [[0, 0]], "as many on both sides");
}

#[test]
fn ground_is_held_after_so_many_turns_and_lost_unless_it_is_kept() {
    let twice = HOLD.replace("within = 3", "within = 3\nturns = 2");
    for (text, after) in [
        (twice.clone(), [[0, 0], [2, 0], [2, 0], [2, 0]]),
        (twice.replace("turns = 2", "turns = 2\nkeeps = true"), [[0, 0], [2, 0], [4, 0], [6, 0]]),
    ] {
        let mut game = Game::planned(rules(&text), &plan(&[squad(0.0, 0.0)], &[squad(0.0, 20.0)]));
        assert_eq!(play(&mut game, 2), after[..2], "{text}");
        // The squad is moved away.
        game.unit_mut(Side::First, 0).front.y = -2000;
        assert_eq!(play(&mut game, 2), after[2..], "{text}");
        // The enemy needs two turns, too.
        game.unit_mut(Side::Second, 0).front.y = 50;
        let enemy = play(&mut game, 2);
        assert_eq!([enemy[0][1], enemy[1][1]], [0, 2], "{text}");
    }
}

#[test]
fn broken_units_hold_nothing_unless_the_pack_says_so() {
    let broken = [squad(0.0, 0.0).morale("broken"), squad(20.0, -20.0)];
    let mut game = Game::planned(rules(HOLD), &plan(&broken, &[squad(0.0, 20.0)]));
    assert_eq!(play(&mut game, 1), [[0, 0]]);
    let all = HOLD.replace("within = 3", "within = 3\nwhen = 'self.figures > 0'");
    let mut game = Game::planned(rules(&all), &plan(&broken, &[squad(0.0, 20.0)]));
    assert_eq!(play(&mut game, 1), [[2, 0]]);
}

#[test]
fn doctrine_seizes_the_nearest_at_which_no_friend_is() {
    let squads = [squad(0.0, -10.0), squad(3.0, -10.0)];
    let mut plan = deployment(("seize", &squads), ("stand", &[squad(20.0, 20.0)]));
    plan.objectives = vec![objective((0, 0), 1), objective((300, 900), 1)];
    let mut game = Game::planned(rules(HOLD), &plan);
    let north = |game: &Game| [game.nth(0).front.y, game.nth(1).front.y];
    assert_eq!(north(&game), [-950, -950]);
    assert_eq!(play(&mut game, 1)[0][0], 0);
    assert_eq!(north(&game)[0], -350);
    assert_eq!(play(&mut game, 1)[0][0], 2);
    assert_eq!(north(&game)[0], 0, "it goes on to the marker");
    // The first squad is already there and stays; the second moves to the other marker.
    play(&mut game, 3);
    assert_eq!((north(&game)[0], game.battle.points.held[1].owner), (0, Some(Side::First)));
}

#[test]
fn losses_and_ground_count_as_the_battle_stands() {
    let points = |row: &str| {
        format!("[victory]\nbroken = 100\nlimit = 'points'\npoints = [{{ id = 'row', {row}, cite = ['2'] }}]\n")
    };
    // The units are a team of three that has lost one figure, a squad that broke, a squad that is gone, and a squad
    // north of the middle.
    let wins = |text: &str, margin: u16| {
        let text = text.replace("limit = 'points'", &format!("limit = 'points'\nmargin = {margin}"));
        let rules = rules(&text);
        let foes = [squad(0.0, 10.0), squad(5.0, 10.0), unit("team").at(10.0, 10.0), squad(-5.0, 10.0)];
        let mut plan = deployment(("stand", &[squad(0.0, 5.0), squad(5.0, -8.0)]), ("stand", &foes));
        plan.turns = 1;
        let mut game = Game::planned(rules, &plan);
        game.unit_mut(Side::Second, 0).broke = 1;
        game.unit_mut(Side::Second, 1).broke = 1;
        game.unit_mut(Side::Second, 1).flags = grognard_engine::Flags::GONE;
        game.unit_mut(Side::Second, 2).figures = 2;
        play(&mut game, 1);
        game.outcome.expect("the battle is over").winner
    };
    for (row, points_of_first) in [
        ("for = 'break', points = 3", 6),
        ("for = 'break', points = 3, when = 'self.figures > 0'", 6),
        ("for = 'gone', points = 3", 3),
        ("for = 'figures', points = 3", 3),
        ("for = 'figures', points = 3, when = 'self.type == \"squad\"'", 0),
        // One of the first side's squads is north of the middle; none of the enemy's is south of it.
        ("for = 'across', points = 3", 3),
    ] {
        let text = points(row);
        assert_eq!(wins(&text, points_of_first.max(1)), (points_of_first > 0).then_some(Side::First), "{row}");
        assert_eq!(wins(&text, points_of_first + 1), None, "{row}");
    }
}

#[test]
fn a_side_wins_with_so_many_points() {
    let reach = HOLD.replace("limit = 'points'", "reach = 4");
    let mut game = Game::planned(rules(&reach), &plan(&[squad(0.0, 0.0)], &[squad(0.0, 20.0)]));
    play(&mut game, 1);
    assert_eq!(game.outcome, None);
    play(&mut game, 1);
    assert_eq!(game.outcome.and_then(|outcome| outcome.winner), Some(Side::First));
}

/// The first side leads from the first turn on. The battle ends after turn 1 on a one or a two, otherwise after turn 2
/// on the same numbers, and so on. It ends after turns 1, 2 and 3 (the maximum) in 1/3, 2/9 and 4/9 of battles.
#[test]
fn dice_decide_which_turn_is_the_last() {
    let last = format!("{HOLD}last = {{ from = 1, dice = 'd6', need = 3, cite = ['3'] }}\n");
    let rules = rules(&last);
    let mut plan = plan(&[squad(0.0, 0.0)], &[squad(0.0, 20.0)]);
    plan.turns = 3;
    let setup = deploy(rules, &plan).expect("it can be deployed");
    let odds = exact(rules, &setup, |outcome| (outcome.turns, outcome.winner));
    let counts = sampled(rules, &setup, SAMPLED, |outcome| (outcome.turns, outcome.winner));
    for (turns, chance) in [(1, 1.0 / 3.0), (2, 2.0 / 9.0), (3, 4.0 / 9.0)] {
        let key = (turns, Some(Side::First));
        assert!((odds[&key] - chance).abs() < 1e-12, "{odds:?}");
        agree(&format!("{turns} turns"), counts[&key], SAMPLED, chance);
    }
    let later = rules_after("from = 1", "from = 2", &last);
    let mut game = Game::planned(later, &plan);
    play(&mut game, 1);
    assert_eq!(game.outcome, None, "nobody throws before the second turn");
}

/// The narration of a whole battle.
fn told(rules: &Rules, plan: &Deployment) -> Vec<String> {
    let (setup, mut narrator) = (deploy(rules, plan).expect("it can be deployed"), Narrator::new());
    fight(rules, &setup, &mut SeededDice::new(1), &mut narrator);
    narrator.lines().to_vec()
}

#[test]
fn the_end_of_a_battle_tells_the_points_and_what_they_decide() {
    let alone = |turns: u8| Deployment { turns, ..plan(&[squad(0.0, 0.0)], &[squad(0.0, 20.0)]) };
    let over = |text: &str, plan: &Deployment| told(rules(text), plan).pop().expect("it ends");
    let scores = |first: &str, second: &str| {
        format!("first has {first} and lost 0 of 1 figure, second has {second} and lost 0 of 1 figure.")
    };
    assert_eq!(
        over(HOLD, &alone(3)),
        format!("first wins after turn 3, the last, on points: {}", scores("6 points", "0 points"))
    );
    assert_eq!(
        over(&HOLD.replace("points = 2", "points = 1").replace("limit", "margin = 2\nlimit"), &alone(1)),
        format!(
            "Nobody wins after turn 1, the last, because no side leads by 2 points: {}",
            scores("1 point", "0 points")
        )
    );
    let apart = Deployment { turns: 1, ..plan(&[squad(0.0, 9.0)], &[squad(0.0, 20.0)]) };
    assert_eq!(
        over(HOLD, &apart),
        format!(
            "Nobody wins after turn 1, the last, because no side leads on points: {}",
            scores("0 points", "0 points")
        )
    );
    assert_eq!(
        over(&HOLD.replace("limit = 'points'", "reach = 4"), &alone(3)),
        format!("first wins in turn 2, because 4 points are enough: {}", scores("4 points", "0 points"))
    );
    let mut broken = plan(&[squad(0.0, 0.0)], &[squad(0.0, 20.0).morale("broken")]);
    broken.turns = 3;
    assert_eq!(
        over(&HOLD.replace("limit = 'points'", "reach = 4"), &broken),
        "first wins in turn 1, because second is beaten: first has 0 points and lost 0 of 1 figure, \
         second has 0 points and lost 0 of 1 figure (1 of 1 unit broken)."
    );
    // The narration of a pack without points does not mention them.
    let mut without = alone(1);
    without.objectives.clear();
    assert_eq!(
        over("[victory]\nbroken = 100\n", &without),
        "Nobody wins after turn 1, the last: first lost 0 of 1 figure, second lost 0 of 1 figure."
    );
}

#[test]
fn points_and_dice_at_the_end_of_a_turn_have_a_heading_of_their_own() {
    let last = format!("{HOLD}last = {{ from = 2, dice = 'd6', need = 6, cite = ['3'] }}\n");
    let mut plan = Deployment { turns: 2, ..plan(&[squad(0.0, -6.5)], &[squad(0.0, 20.0)]) };
    plan.sides.first.doctrine = Some("seize".to_owned());
    let lines = told(rules(&last), &plan);
    let at = |line: &str| lines.iter().position(|known| known == line).unwrap_or_else(|| panic!("{line}: {lines:#?}"));
    assert_eq!(at("  End of the turn"), at("Turn 1, second") + 1, "{lines:#?}");
    assert_eq!(at("      first holds the hill [1]."), at("  End of the turn") + 1);
    assert_eq!(at("      first scores 2 points for the hill: 2 so far [2]."), at("  End of the turn") + 2);
    let thrown = lines.iter().position(|line| line.contains("The dice show ")).expect("dice are thrown in turn 2");
    assert_eq!(
        lines[thrown - 2..thrown],
        ["  End of the turn", "      first scores 2 points for the hill: 4 so far [2]."]
    );
}

fn rules_after(from: &str, to: &str, text: &str) -> &'static Rules {
    rules(&text.replace(from, to))
}

#[test]
fn an_objective_that_cannot_be_is_one_fault() {
    let fault = |rules: &Rules, objectives: Vec<ObjectivePlan>| -> Misdeployment {
        let mut plan = plan(&[squad(0.0, 0.0)], &[squad(0.0, 20.0)]);
        plan.objectives = objectives;
        plan.turns = 3;
        let mut faults = deploy(rules, &plan).expect_err("it cannot be");
        assert_eq!(faults.len(), 1, "{faults:?}");
        faults.remove(0)
    };
    let off = fault(rules(HOLD), vec![objective((0, 0), 1), objective((0, 2401), 1)]);
    assert_eq!(off.path, "objectives.1.at");
    assert_eq!(off.message, "objective 2 would be off the table (1)");
    assert_eq!(off.help.as_deref(), Some("the table reaches 24\" to either side and 24\" towards either army"));
    let twice = fault(rules(HOLD), vec![objective((0, 0), 1), objective((0, 3), 1), objective((0, 0), 2)]);
    assert_eq!(twice.path, "objectives.2.at");
    assert_eq!(twice.message, "the hill would be in the same place as the hill");
    assert!(twice.help.is_some_and(|help| help.contains("`worth` of both")));
    let named = |at, name: &str| ObjectivePlan { name: Some(name.to_owned()), ..objective(at, 1) };
    let twins = fault(rules(HOLD), vec![objective((0, 0), 1), named((0, 3), "the ford"), named((0, 6), "the hill")]);
    assert_eq!(
        (twins.path.as_str(), twins.message.as_str()),
        ("objectives.2.name", "two objectives are named the hill")
    );
    // The given name is the default name of another objective.
    let second = fault(rules(HOLD), vec![named((0, 0), "objective 2"), objective((0, 3), 1)]);
    assert_eq!(second.message, "two objectives are named objective 2");
    let row = |objectives: i32| (0..objectives).map(|place| objective((place, 0), 1)).collect::<Vec<_>>();
    assert_eq!(fault(rules(HOLD), row(9)).path, "objectives");
    // Eight objectives worth 20, at 100 points each per turn, give more points than conditions and metrics can read.
    let many = fault(
        rules(&HOLD.replace("points = 2", "points = 100")),
        row(8).into_iter().map(|plan| ObjectivePlan { worth: 20, ..plan }).collect(),
    );
    assert_eq!(many.path, "objectives");
    assert!(
        many.message.starts_with("a side could reach ")
            && many.help.as_deref().is_some_and(|help| help.starts_with("at most 4000: give fewer points"))
    );
    // So do fifty rows of 100 points per figure.
    let rows: String =
        (0..50).map(|row| format!("{{ id = 'r{row}', for = 'figures', points = -100, cite = ['2'] }},")).collect();
    let lost = fault(rules(&format!("[victory]\nbroken = 100\npoints = [{rows}]\n")), Vec::new());
    assert_eq!(lost.path, "turns");
    assert!(
        lost.message.starts_with("a side could reach -") && lost.message.ends_with(" points in this battle"),
        "{lost:?}"
    );
    let none = fault(rules("[victory]\nbroken = 100\n"), vec![objective((0, 0), 1)]);
    assert_eq!((none.path.as_str(), none.message.as_str()), ("objectives", "`squads` has no objectives"));
}

#[test]
fn every_bad_value_is_one_fault_with_its_place() {
    let with = |from: &str, to: &str| HOLD.replace(from, to);
    for (text, line, message) in [
        ("[victory]\nbroken = 100\nlimit = 'points'\n".to_owned(), "limit", "no side can score points"),
        ("[victory]\nbroken = 100\nmargin = 2\n".to_owned(), "margin", "no side can score points"),
        ("[victory]\nbroken = 100\nreach = 2\n".to_owned(), "reach", "no side can score points"),
        ("[objective]\nwithin = 3\n[victory]\nbroken = 100\n".to_owned(), "[objective]", "objectives score no points"),
        (
            with("[objective]\nwithin = 3\ncite = ['1']\n", "").replace("do = 'seize'", "do = 'hold'"),
            "points",
            "this pack has no objectives",
        ),
        (with("for = 'hold'", "for = 'holds'"), "points", "did you mean `hold`?"),
        (with("points = 2", "points = 200"), "points", "200"),
        (with("within = 3", "within = 3\nturns = 0"), "turns", "0"),
        (with("within = 3", "within = 3\nwhen = 'self.figs > 1'"), "when", "self.figs"),
        (with("within = 3", "within = 3\ncount = 'self.moved'"), "count", "self.moved"),
        (
            format!("{HOLD}last = {{ from = 1, dice = 'd6', need = 7, cite = ['3'] }}\n"),
            "last",
            "a need of 7 decides nothing: every roll of d6 has the same result",
        ),
        (
            format!("{HOLD}last = {{ from = 1, dice = 'd6', need = 1, cite = ['3'] }}\n"),
            "last",
            "a need of 1 decides nothing: every roll of d6 has the same result",
        ),
        (EXIT.replace("edge = 'enemy', ", ""), "{ id = 'exit'", "`exit` needs the edge where units leave"),
        (EXIT.replace("enemy", "enmy"), "{ id = 'exit'", "did you mean `enemy`?"),
        (EXIT.replace("for = 'gone'", "for = 'gone', edge = 'own'"), "{ id = 'gone'", "only `exit` reads an edge"),
    ] {
        let Err((count, faults)) = compiled(&text) else { panic!("{message}: it compiles") };
        assert_eq!(count, 1, "{message}:\n{faults}");
        assert!(faults.contains(message), "{message}:\n{faults}");
        let whole = format!("{SQUADS}{text}");
        let after = SQUADS.lines().count();
        let place = whole.lines().skip(after).position(|known| known.starts_with(line)).expect("it is there");
        assert!(faults.contains(&format!("squads.toml:{}:", after + place + 1)), "{message}:\n{faults}");
    }
}

/// Points for leaving the table by an edge, and for lost enemies.
const EXIT: &str = "[victory]\nbroken = 100\nlimit = 'points'\npoints = [\n\
    { id = 'exit', for = 'exit', edge = 'enemy', points = 1, cite = ['2'] },\n\
    { id = 'gone', for = 'gone', points = 1, cite = ['1'] },\n]\n\
    [doctrine.leave]\ntitle = 'leaves'\nrow = [{ id = 'march', phase = 'move', do = 'march' }]\n";

/// Units that march straight ahead, and an enemy far away.
fn leaving(rules: &'static Rules, units: &[Men]) -> Game {
    let mut plan = deployment(("leave", units), ("stand", &[squad(20.0, -20.0)]));
    plan.turns = 1;
    Game::planned(rules, &plan)
}

/// The winner after one turn.
fn winner(game: &mut Game) -> Option<Side> {
    play(game, 1);
    game.outcome.expect("the only turn is over").winner
}

#[test]
fn a_unit_that_leaves_by_an_edge_has_points_and_is_not_lost() {
    let mut game = leaving(rules(EXIT), &[squad(0.0, 18.01), squad(10.0, 0.0)]);
    assert_eq!(winner(&mut game), Some(Side::First), "the enemy has no point for it");
    assert!(game.first().gone());
    let outcome = game.outcome.expect("it is over").sides.first;
    assert_eq!((outcome.routed_units, outcome.rout_turn), (0, 0));
    assert_eq!(game.specials(), ["first scores 1 point for Squad (first 1)."]);
    game.saw("2");
    // This unit's middle is exactly on the edge.
    let mut there = leaving(rules(EXIT), &[squad(0.0, 18.0), squad(10.0, 0.0)]);
    assert_eq!(winner(&mut there), None);
    assert!(!there.first().gone());
    // A side whose units have all left the table has not lost.
    assert_eq!(winner(&mut leaving(rules(EXIT), &[squad(0.0, 18.01)])), Some(Side::First));
}

#[test]
fn only_the_edge_of_the_row_brings_points() {
    for (edge, at) in [("left", -18.01), ("right", 18.01)] {
        let rules = rules(&EXIT.replace("enemy", edge));
        for (heading, end) in [(270.0, -24.01_f64), (90.0, 24.01)] {
            let own = [unit("squad").at(end.signum() * 18.51, 0.0).facing(heading), squad(2.0, -9.0), squad(4.0, -9.0)];
            let mut game = leaving(rules, &own);
            let scores = (end < 0.0) == (at < 0.0);
            assert_eq!(winner(&mut game), scores.then_some(Side::First), "{edge}, {heading}");
            assert_eq!(game.first().gone(), scores, "{edge}, {heading}: it stays on the table");
        }
    }
    let own = [unit("squad").at(0.0, -18.51).facing(180.0), squad(2.0, -9.0), squad(4.0, -9.0)];
    assert_eq!(winner(&mut leaving(rules(EXIT), &own)), None);
    assert_eq!(winner(&mut leaving(rules(&EXIT.replace("enemy", "own")), &own)), Some(Side::First));
}

#[test]
fn a_unit_withdraws_off_the_table_only_where_that_scores() {
    let doctrine = "[doctrine.leave]\ntitle = 'leaves'\nrow = [{ id = 'back', phase = 'move', do = 'withdraw' }]\n";
    let text = format!("{}{doctrine}", EXIT.split("[doctrine").next().expect("points"));
    for (edge, leaves) in [("enemy", false), ("own", true)] {
        let rules = rules(&text.replace("enemy", edge));
        let own = [squad(0.0, -18.01), squad(10.0, 0.0)];
        let mut plan = deployment(("leave", &own), ("stand", &[squad(0.0, 10.0)]));
        plan.turns = 1;
        let mut game = Game::planned(rules, &plan);
        assert_eq!(winner(&mut game), leaves.then_some(Side::First), "{edge}");
        assert_eq!(game.first().gone(), leaves, "{edge}");
        if !leaves {
            assert_eq!(game.ground(&game.first()).centre().y, -2400, "{edge}: its middle is on the edge");
        }
    }
}

#[test]
fn a_row_says_which_units_may_leave() {
    let teams = rules(&EXIT.replace("edge", "when = \"self.type == 'team'\", edge"));
    let team = unit("team").at(0.0, 18.51).facing(0.0);
    assert_eq!(winner(&mut leaving(teams, &[team, squad(10.0, 0.0)])), Some(Side::First));
    let mut squads = leaving(teams, &[squad(0.0, 18.01), squad(10.0, 0.0)]);
    assert_eq!(winner(&mut squads), None);
    assert!(!squads.first().gone());
}

#[test]
fn a_broken_unit_that_flees_over_the_edge_is_lost() {
    let mut plan = deployment(
        ("leave", &[squad(0.0, 20.0), squad(10.0, 0.0)]),
        ("stand", &[squad(0.0, 10.0), squad(20.0, -20.0)]),
    );
    plan.turns = 1;
    let text = format!("{}{EXIT}", SQUADS.replace("broken = true", "broken = true, flight = 6"));
    let flees = crate::common::compiled("squads.toml", text).unwrap_or_else(|(_, faults)| panic!("{faults}"));
    let mut game = Game::planned(flees, &plan);
    game.unit_mut(Side::First, 0).morale = MoraleId::from_byte(1);
    assert_eq!(winner(&mut game), Some(Side::Second));
    assert!(game.first().gone());
    assert_eq!(game.outcome.expect("it is over").sides.first.routed_units, 1);
}

/// The picture of a battle shows an exit edge for each side that has a unit at the start which may leave by it. If no
/// side has such a unit yet, it shows the edges of all sides.
#[test]
fn the_edges_by_which_sides_leave_are_drawn() {
    let side = 2400;
    let across = |north: i32| [[-side, north * side], [side, north * side]];
    let along = |east: i32| [[east * side, -side], [east * side, side]];
    for (row, sides) in [
        ("edge", &[0_u8, 1][..]),
        ("when = \"self.type == 'team'\", edge", &[0]),
        ("when = \"turn > 3\", edge", &[0, 1]),
    ] {
        for (edge, ends) in [("enemy", [across(1), across(-1)]), ("left", [along(-1), along(1)])] {
            let rules = rules(&EXIT.replace("edge = 'enemy'", &format!("{row} = '{edge}'")));
            let own = [squad(0.0, 0.0), unit("team").at(10.0, 0.0).facing(0.0)];
            let foe = unit("squad").at(0.0, 10.0).facing(180.0);
            let setup = deploy(rules, &deployment(("leave", &own), ("stand", &[foe]))).expect("it can be deployed");
            let mut recorder = grognard_engine::timeline::Recorder::new();
            grognard_engine::fight(rules, &setup, &mut grognard_dice::SeededDice::new(1), &mut recorder);
            let exits = recorder.timeline().expect("a battle").exits;
            let found: Vec<_> = exits.iter().map(|exit| (exit.side, exit.ends)).collect();
            let drawn: Vec<_> = sides.iter().map(|&side| (side, ends[usize::from(side)])).collect();
            assert_eq!(found, drawn, "{row} {edge}");
        }
    }
}

#[test]
fn only_a_table_has_edges() {
    let points = "[victory]\nlimit = 'points'\n[[victory.points]]\nid = 'exit'\nfor = 'exit'\nedge = 'own'\npoints = 1\n\
                  cite = ['house']\nnote = 'Flight.'\n";
    let faults = crate::common::extended("risk", points).expect_err("a board without edges");
    assert!(faults.contains("only a table on a `plane` board has edges"), "{faults}");
    assert!(faults.contains("on other boards, write `gone`, `figures`, `hold` or `held` instead"), "{faults}");
}

#[test]
fn points_are_numbers() {
    let points = "[victory]\nlimit = 'points'\n[[victory.points]]\nid = 'gone'\nfor = 'gone'\npoints = 'self.price'\n\
                  cite = ['house']\nnote = 'Dear units.'\n";
    let faults = crate::common::extended("risk", points).expect_err("a formula");
    assert!(faults.contains("write a row for each unit type, with `when = \"self.type == '…'\"`"), "{faults}");
}

/// The unit needs two turns to reach the edge; the battle ends after the first turn on a one, a two or a three.
#[test]
fn leaving_is_the_same_exactly_and_by_dice() {
    let last = format!("{EXIT}[victory.last]\nfrom = 1\ndice = 'd6'\nneed = 4\ncite = ['3']\n");
    let mut plan = deployment(("leave", &[squad(0.0, 12.01), squad(10.0, 0.0)]), ("stand", &[squad(20.0, -20.0)]));
    plan.turns = 2;
    let rules = rules(&last);
    let setup = deploy(rules, &plan).expect("it can be deployed");
    let odds = exact(rules, &setup, |outcome| outcome.winner);
    let counts = sampled(rules, &setup, SAMPLED, |outcome| outcome.winner);
    for winner in [None, Some(Side::First)] {
        assert!((odds[&winner] - 0.5).abs() < 1e-12, "{odds:?}");
        agree(&format!("{winner:?}"), counts[&winner], SAMPLED, 0.5);
    }
}

/// Position, not the order of the list, decides among equally near markers and among several friends.
#[test]
fn of_markers_equally_near_the_one_on_the_right_is_seized() {
    let mut markers = vec![objective((-300, 0), 1), objective((300, 0), 1)];
    for _ in 0..2 {
        let mut plan = deployment(("seize", &[squad(0.0, -10.0)]), ("stand", &[squad(20.0, 20.0)]));
        plan.objectives = markers.clone();
        let mut game = Game::planned(rules(HOLD), &plan);
        play(&mut game, 1);
        assert!(game.nth(0).front.x > 0, "{markers:?}");
        markers.reverse();
    }
    // Both squads are within reach of the first marker and equally far from it: the one on the right stays, and the
    // other moves on.
    let mut squads = [squad(-2.0, 0.0), squad(2.0, 0.0)];
    for _ in 0..2 {
        let mut plan = deployment(("seize", &squads), ("stand", &[squad(20.0, 20.0)]));
        plan.objectives = vec![objective((0, -50), 1), objective((0, 1500), 1)];
        let mut game = Game::planned(rules(HOLD), &plan);
        play(&mut game, 1);
        let ahead = |number: usize| game.nth(number).front.y > 200;
        let on_the_right = usize::from(squads[1].plan().at > squads[0].plan().at);
        assert!(!ahead(on_the_right) && ahead(1 - on_the_right), "{squads:?}");
        squads.reverse();
    }
}
