//! KB2, KP1, KP2, KG1, HD9 and HD12: generals, plans and commands.

use grognard_engine::{Deployment, GeneralEvent, GeneralPlan, Misdeployment, Refusal, ReplanPlan, Share, deploy};

use super::*;
use crate::common::{Picks, deployment, witnessed};

/// A divisional general who leads the command of the same name.
fn general(name: &str) -> GeneralPlan {
    GeneralPlan { name: name.into(), command: Some(name.into()), ..GeneralPlan::default() }
}

/// A superior general, this many inches east and north of the middle of the table.
fn over(rank: &str, east: i32, north: i32) -> GeneralPlan {
    GeneralPlan {
        name: rank.into(),
        rank: Some(rank.into()),
        at: Some((east * 100, north * 100)),
        ..GeneralPlan::default()
    }
}

fn graded(general: GeneralPlan, grade: &str) -> GeneralPlan {
    GeneralPlan { grade: Some(grade.into()), ..general }
}

/// Infantry in three commands, 4 inches apart, with A in the middle and nearest to the enemy, which is 12 inches away.
fn corps(doctrine: &str, generals: &[GeneralPlan], plan: &[&str]) -> Deployment {
    let men = [infantry(0.0, 0.0, 0.0), infantry(-4.0, -1.0, 0.0), infantry(4.0, -2.0, 0.0)];
    let mut deployment = deployment((doctrine, &men), ("hold", &[infantry(0.0, 13.0, 180.0)]));
    let side = &mut deployment.sides.first;
    for (unit, name) in side.units.iter_mut().zip(["a", "b", "c"]) {
        unit.command = Some(name.into());
        side.commands.push(grognard_engine::CommandPlan { name: name.into(), ..Default::default() });
    }
    side.generals = generals.to_vec();
    side.plan = (!plan.is_empty()).then(|| names(plan));
    deployment
}

fn names(plan: &[&str]) -> Vec<String> {
    plan.iter().map(|&name| name.into()).collect()
}

fn three() -> Vec<GeneralPlan> {
    vec![general("a"), general("b"), general("c")]
}

fn planned(plan: &Deployment) -> Game {
    Game::planned(pips(), plan)
}

fn refused(plan: &Deployment) -> Vec<Misdeployment> {
    deploy(pips(), plan).expect_err("this deployment is refused")
}

/// The points given in the last orders phase, by command.
fn shared(game: &Game) -> Vec<Share> {
    let events = game.seen.events();
    let from = events.iter().rposition(|event| matches!(event, Event::Phase(_))).unwrap_or(0);
    let share = |event: &Event| match event {
        Event::General(GeneralEvent::Shared(share)) => Some(share.clone()),
        _ => None,
    };
    events[from..].iter().filter_map(share).collect()
}

fn points(game: &Game) -> Vec<u16> {
    shared(game).iter().map(|share| share.points).collect()
}

fn told(game: &Game, wanted: impl Fn(&GeneralEvent) -> bool) -> bool {
    game.seen.events().iter().any(|event| matches!(event, Event::General(event) if wanted(event)))
}

/// When a general joins, follows or helps one of several equal units, the choice does not depend on their order in the
/// study.
#[test]
fn generals_go_to_the_same_of_equal_units_in_any_order() {
    let men = [infantry(-4.0, 0.0, 0.0), infantry(4.0, 0.0, 0.0)];
    let turned = [men[1].clone(), men[0].clone()];
    let foes = [infantry(-4.0, 12.0, 180.0), infantry(4.0, 12.0, 180.0)];
    for doctrine in ["hold", "lead"] {
        let goes = |men: &[Men]| {
            let mut plan = deployment((doctrine, men), ("hold", &foes));
            plan.sides.first.generals =
                vec![GeneralPlan { name: "a".into(), at: Some((0, -300)), ..GeneralPlan::default() }];
            let mut game = planned(&plan);
            game.phase("pip", &[1]);
            let general = &game.battle.generals[0];
            (general.at, general.with.map(|unit| game.battle.unit(unit).front))
        };
        assert_eq!(goes(&men), goes(&turned), "{doctrine}");
    }
    // A corps general helps the division whose unit is nearest. Of two equally near divisions, he always helps the same
    // one.
    let helped = |men: &[Men]| {
        let mut plan = deployment(("hold", men), ("hold", &foes));
        for (unit, name) in plan.sides.first.units.iter_mut().zip(["a", "b"]) {
            unit.command = Some(name.into());
            plan.sides.first.commands.push(grognard_engine::CommandPlan { name: name.into(), ..Default::default() });
        }
        plan.sides.first.generals = vec![general("a"), general("b"), over("corps", 0, -3)];
        let mut game = planned(&plan);
        game.phase("pip", &[3, 3]);
        let share = shared(&game).into_iter().find(|share| !share.aided.is_empty()).expect("one is helped");
        let mut units = game.battle.side(Side::First).map(|id| game.battle.unit(id));
        units.find(|unit| unit.command == share.command).map(|unit| unit.front)
    };
    assert_eq!(helped(&men), helped(&turned));
}

/// A division has at most five infantry units, and a player has one corps.
#[test]
fn clause_kb2() {
    let plan = |count: usize| {
        let men: Vec<Men> = (0..count).map(|at| infantry(at as f64 * 3.0 - 9.0, 0.0, 0.0)).collect();
        let mut plan = deployment(("hold", &men), ("hold", &[infantry(0.0, 13.0, 180.0)]));
        plan.sides.first.generals = vec![GeneralPlan { name: "a".into(), ..GeneralPlan::default() }];
        plan
    };
    assert!(deploy(pips(), &plan(5)).is_ok());
    let faults = refused(&plan(6));
    assert!(faults.iter().any(|fault| fault.message.contains("KB2")), "{faults:#?}");
    witnessed("KB2");
    // Cavalry and guns do not count towards the size of a division.
    let mut mixed = plan(5);
    mixed.sides.first.units.push(cavalry(9.0, 0.0, 0.0).plan());
    assert!(deploy(pips(), &mixed).is_ok());
    let mut two = plan(5);
    two.sides
        .first
        .generals
        .extend([over("corps", 0, -5), GeneralPlan { name: "second".into(), ..over("corps", 0, -8) }]);
    let faults = refused(&two);
    assert!(faults.iter().any(|fault| fault.message.contains("KB2")), "{faults:#?}");
}

/// The dice are 5, 4 and 1. Every general gets the average, or the dice are dealt by the plan. Changing the plan has a
/// cost.
#[test]
fn clause_kp1() {
    let mut none = planned(&corps("hold", &three(), &[]));
    none.phase("pip", &[5, 4, 1]);
    assert_eq!(points(&none), [3, 3, 3]);
    none.saw("KP1");
    // The highest die goes to the first general in the plan, whatever order the dice fall in.
    let mut ranked = planned(&corps("hold", &three(), &["c", "a", "b"]));
    ranked.phase("pip", &[4, 1, 5]);
    assert_eq!(points(&ranked), [4, 1, 5], "A is second, B last, C first");
    ranked.saw("KP1");

    // The change is announced before rolling: no dice are thrown in that turn.
    let mut plan = corps("hold", &three(), &["a", "b", "c"]);
    plan.sides.first.replans =
        vec![ReplanPlan { turn: 2, plan: names(&["b", "a", "c"]) }, ReplanPlan { turn: 4, plan: Vec::new() }];
    let mut game = planned(&plan);
    game.phase("pip", &[5, 4, 1]);
    assert_eq!(points(&game), [5, 4, 1]);
    game.battle.turn = 2;
    game.phase("pip", &[]);
    assert!(told(&game, |event| *event == GeneralEvent::Replans) && points(&game).is_empty());
    game.battle.turn = 3;
    game.phase("pip", &[5, 4, 1]);
    assert_eq!(points(&game), [4, 5, 1]);
    game.battle.turn = 4;
    game.phase("pip", &[]);
    game.battle.turn = 5;
    game.phase("pip", &[5, 4, 1]);
    assert_eq!(points(&game), [3, 3, 3]);

    // A reinforcement is added to the plan for free, at any place, in the turn of its arrival.
    let late = GeneralPlan { arrives: Some(2), ..general("c") };
    for (replan, free) in [(["c", "a", "b"], true), (["c", "b", "a"], false)] {
        let mut plan = corps("hold", &[general("a"), general("b"), late.clone()], &["a", "b"]);
        plan.sides.first.replans = vec![ReplanPlan { turn: 2, plan: names(&replan) }];
        let mut game = planned(&plan);
        game.phase("deshake", &[]).phase("pip", &[5, 4]);
        assert_eq!(points(&game), [5, 4]);
        assert!(game.nth(2).gone(), "its units are not on the table yet");
        game.battle.turn = 2;
        game.phase("deshake", &[]);
        assert!(!game.nth(2).gone());
        game.phase("pip", if free { &[5, 4, 1] } else { &[] });
        assert_eq!(points(&game), if free { vec![4, 1, 5] } else { vec![] });
    }
    // A plan ranks every general who is present, and no others.
    for plan in [&["a", "b"][..], &["a", "b", "c", "a"], &["a", "b", "x"]] {
        assert!(!refused(&corps("hold", &three(), plan)).is_empty());
    }
}

/// Good and bad generals, and their superiors.
#[test]
fn clause_kp2() {
    let dealt = |generals: &[GeneralPlan], faces: &[i32]| {
        let mut game = planned(&corps("hold", generals, &["a", "b", "c"]));
        game.phase("pip", faces);
        (points(&game), game)
    };
    let graded_three = [graded(general("a"), "great"), graded(general("b"), "bad"), graded(general("c"), "bad")];
    let (points, game) = dealt(&graded_three, &[5, 4, 1]);
    assert_eq!(points, [6, 3, 0]);
    game.saw("KP2");

    // The corps commander adds 1 to the division nearest to the enemy, if its general is within 9 inches.
    let with = |rest: &[GeneralPlan]| [three(), rest.to_vec()].concat();
    let (points, game) = dealt(&with(&[over("corps", 0, -9)]), &[5, 4, 1]);
    assert_eq!(points, [6, 4, 1]);
    game.saw("KP2");
    // The base of A's general is half an inch deep and ends 1.75 inches south of the middle; that of B's general is an
    // inch farther back. The corps commander's own base begins a quarter of an inch north of his position.
    for (east, north, reached) in [(0, -11, [6, 4, 1]), (-4, -12, [5, 5, 1]), (0, -20, [5, 4, 1])] {
        assert_eq!(dealt(&with(&[over("corps", east, north)]), &[5, 4, 1]).0, reached, "{north}");
    }
    // The army commander adds another point.
    let (points, game) = dealt(&with(&[over("corps", 0, -9), over("army", 1, -9)]), &[5, 4, 1]);
    assert_eq!(points, [7, 4, 1]);
    // The event names both commanders.
    assert_eq!(shared(&game)[0].aided, [3, 4]);
    // The corps commander takes the place of a general who is lost (HD9), here with no wait left.
    let mut stands_in = planned(&corps("hold", &with(&[over("corps", 0, -9)]), &["a", "b", "c"]));
    (stands_in.battle.generals[0].lost, stands_in.battle.turn) = (true, 2);
    stands_in.phase("pip", &[5, 4, 1]);
    assert_eq!(shared(&stands_in)[0].general, 3);
    // A bad corps commander turns an allotted 1 into 0, and nothing is added to that.
    let bad = graded(over("corps", 0, -9), "bad");
    assert_eq!(dealt(&with(std::slice::from_ref(&bad)), &[5, 4, 1]).0, [6, 4, 0]);
    assert_eq!(dealt(&with(std::slice::from_ref(&bad)), &[1, 1, 1]).0, [0, 0, 0]);
    let great = [graded(general("a"), "great"), general("b"), general("c"), bad.clone()];
    assert_eq!(dealt(&great, &[1, 1, 1]).0, [0, 0, 0]);
    // He is not his own subordinate: in a lost general's place he keeps his 1.
    let mut own = planned(&corps("hold", &with(&[bad]), &["a", "b", "c"]));
    (own.battle.generals[0].lost, own.battle.turn) = (true, 2);
    own.phase("pip", &[1, 1, 1]);
    assert_eq!(self::points(&own), [1, 0, 0]);
}

/// A commander adds his point to any general within 9 inches (KP2); those nearest to the enemy come first. From farther
/// back, only one is in reach, so there is nothing to choose.
#[test]
fn a_player_chooses_whom_a_commander_helps() {
    let begun = |north: i32| {
        let generals = [three(), vec![over("corps", -4, north)]].concat();
        planned(&corps("hold", &generals, &["a", "b", "c"]))
    };
    for (place, helped) in [[6, 4, 1], [5, 5, 1], [5, 4, 2]].into_iter().enumerate() {
        let mut game = begun(-7);
        let mut player = Picks::new([place]);
        game.phase_as("pip", &[5, 4, 1], &mut player);
        assert_eq!((player.offered, points(&game)), (vec![vec![0, 1, 2]], helped.to_vec()));
        // A die decides for a player who chooses at random.
        let mut random = begun(-7);
        random.setup.random.first = true;
        random.phase("pip", &[5, 4, 1, place as i32 + 1]);
        assert_eq!(points(&random), helped, "at random");
    }
    let mut game = begun(-12);
    let mut player = Picks::new([]);
    game.phase_as("pip", &[5, 4, 1], &mut player);
    assert_eq!((player.offered, points(&game)), (vec![], vec![5, 5, 1]));
}

/// A general moves for free, and adds 1 to the morale of the unit that he is with.
#[test]
fn clause_kg1() {
    // A general begins with a unit of his own command, since he joins no other (HD12).
    let with = |number: u16| GeneralPlan { with: Some(number), ..general("a") };
    planned(&corps("hold", &[with(0), general("b"), general("c")], &["b", "c", "a"]));
    let faults = refused(&corps("hold", &[with(1), general("b"), general("c")], &["b", "c", "a"]));
    assert_eq!(faults[0].path, "first.generals.a.with");
    assert!(faults[0].message.contains("KG1"), "{faults:#?}");
    assert_eq!(faults[0].help.as_deref(), Some("name a unit of his command"));
    let alone = |doctrine: &str, men: &[Men], enemy: Men, general: GeneralPlan| {
        let mut plan = deployment((doctrine, men), ("hold", &[enemy]));
        plan.sides.first.generals = vec![GeneralPlan { name: "ney".into(), ..general }];
        planned(&plan)
    };
    // Without spending a point, he moves nine inches and no more.
    for (south, joins) in [(-9.5, true), (-9.7, false)] {
        let at = Some((0, ((south - 0.25) * 100.0) as i32));
        let mut game =
            alone("lead", &[infantry(0.0, 0.0, 0.0)], far_away(), GeneralPlan { at, ..GeneralPlan::default() });
        game.points(0).phase("pip", &[]);
        assert_eq!(game.battle.generals[0].with.is_some(), joins, "{south}");
        game.saw("KG1");
    }
    // He adds 1 to the morale of his unit, wherever he came from this turn.
    let mut led = alone("lead-charge", &[cavalry(0.0, -4.0, 0.0)], infantry(0.0, 0.0, 180.0), GeneralPlan::default());
    led.phase("pip", &[2]).phase("charge", &[3, 6]);
    assert_eq!(led.own_modifiers("charge"), ["general"], "3 and 1 pass");
    assert!(!led.seen.rolls().any(|roll| roll.outcome == 1 && led.rules.rolls[roll.roll].id == "charge"));
    led.saw("KG1");

    // A unit takes only one general. If two would join it, one stays on his own.
    let mut plan = corps("lead", &[], &[]);
    plan.sides.first.generals = three();
    let staff = GeneralPlan { rank: Some("brigade".into()), name: "staff".into(), ..general("a") };
    plan.sides.first.generals.push(staff);
    let mut two = planned(&plan);
    two.phase("pip", &[3, 3, 3]);
    let with: Vec<bool> = two.battle.generals.iter().map(|general| general.with.is_some()).collect();
    assert_eq!(with, [true, true, true, false]);

    // He does not leave a routed unit, but does leave a steady one that no longer needs him.
    for (state, stays) in [("routed", true), ("eager", false)] {
        let men = [infantry(0.0, 0.0, 0.0).morale(state)];
        let mut game = alone("hold", &men, far_away(), GeneralPlan { with: Some(0), ..GeneralPlan::default() });
        game.points(0).phase("pip", &[]);
        assert_eq!(game.battle.generals[0].with.is_some(), stays, "{state}");
    }
    // Silenced guns are not routed.
    let guns = [by_centre("foot-artillery", 0.0, 0.0, 0.0, 1.0).morale("silenced")];
    let mut silenced = alone("hold", &guns, far_away(), GeneralPlan { with: Some(0), ..GeneralPlan::default() });
    silenced.points(0).phase("pip", &[]);
    assert_eq!(silenced.battle.generals[0].with, None);

    // Units other than his own pay double. What counts is where he was when the phase began.
    let spends = |with: Option<u16>, doctrine: &str| {
        let men = [infantry(0.0, 0.0, 0.0), infantry(5.0, 0.0, 0.0)];
        let mut game = alone(doctrine, &men, far_away(), GeneralPlan { with, ..GeneralPlan::default() });
        game.phase("pip", &[3]);
        let costs = |event: &Event| match event {
            Event::Paid { cost, .. } => Some(*cost),
            _ => None,
        };
        (game.seen.events().iter().filter_map(costs).collect::<Vec<_>>(), game)
    };
    assert_eq!(spends(None, "march").0, [1, 1]);
    let (costs, game) = spends(Some(0), "march");
    assert_eq!(costs, [1, 2]);
    game.saw("KG1");
    assert_eq!(spends(Some(1), "march").0, [2, 1]);

    // If his unit flees, he is lost on a 1.
    for (face, lost) in [(1, true), (2, false)] {
        let mut plan = deployment(("charge", &[cavalry(0.0, -5.0, 0.0)]), ("hold", &[infantry(0.0, 0.0, 180.0)]));
        let ney = GeneralPlan { name: "ney".into(), with: Some(0), ..GeneralPlan::default() };
        plan.sides.second.generals = vec![ney];
        let mut game = planned(&plan);
        assert_eq!(game.points(2).phase("pip", &[]).dice("charge", &[6, 1, face, 6]), [6; 4]);
        assert_eq!(game.battle.generals[0].lost, lost);
        assert_eq!(told(&game, |event| matches!(event, GeneralEvent::Fate { lost: true, .. })), lost);
        game.saw("KG1");
    }

    // He is part of the unit: what destroys it destroys him as well. Here his guns are spiked.
    let guns = [by_centre("foot-artillery", 0.0, 0.0, 0.0, 1.0).morale("silenced")];
    let mut plan = deployment(("spike", &[cavalry(0.0, 1.0, 180.0)]), ("hold", &guns));
    plan.sides.second.generals = vec![GeneralPlan { name: "ney".into(), with: Some(0), ..GeneralPlan::default() }];
    let mut spiked = planned(&plan);
    spiked.points(2).phase("pip", &[]);
    assert!(spiked.second().gone() && spiked.battle.generals[0].lost);

    // A brigade commander does not make other units pay double.
    let mut plan = corps("march", &three(), &[]);
    plan.sides.first.units.iter_mut().for_each(|unit| unit.command = None);
    plan.sides.first.commands.clear();
    let ney = GeneralPlan { name: "ney".into(), ..GeneralPlan::default() };
    let staff = GeneralPlan { rank: Some("brigade".into()), with: Some(0), ..ney.clone() };
    plan.sides.first.generals = vec![ney, GeneralPlan { name: "staff".into(), ..staff }];
    let mut game = planned(&plan);
    game.phase("pip", &[3]);
    assert_eq!((game.paid().len(), game.left()), (3, 0));
}

/// A lost general's units wait a turn. Then the corps commander commands them, with the lost general's die.
#[test]
fn clause_hd9() {
    let lose = |generals: &[GeneralPlan]| {
        let mut game = planned(&corps("march", generals, &["a", "b", "c"]));
        (game.battle.generals[0].lost, game.battle.generals[0].idle) = (true, 1);
        game
    };
    let mut game = lose(&[three(), vec![over("corps", 0, -9)]].concat());
    game.phase("pip", &[5, 4]);
    assert_eq!(points(&game), [6, 4], "two dice, and the commander adds to B");
    assert!(told(&game, |event| *event == GeneralEvent::Vacant { general: 0 }));
    assert!(game.seen.refusals().iter().any(|why| matches!(why, Refusal::NoPoints { .. })), "A's units do nothing");
    game.saw("HD9");
    game.battle.turn = 2;
    game.phase("pip", &[5, 4, 1]);
    assert_eq!(points(&game), [5, 4, 1], "the corps commander is too busy to add anything");
    assert_eq!(shared(&game)[0].general, 3);
    game.saw("HD9");

    // Nor does he replace a general whose units have all gone: he continues to help.
    let mut bare = lose(&[three(), vec![over("corps", 0, -9)]].concat());
    (bare.battle.turn, bare.battle.generals[0].idle) = (2, 0);
    bare.unit_mut(Side::First, 0).flags = grognard_engine::Flags::GONE;
    bare.phase("pip", &[5, 4]);
    assert_eq!(points(&bare), [6, 4]);

    // Without a superior, the units get no more points.
    let mut alone = lose(&three());
    for turn in 1..4 {
        alone.battle.turn = turn;
        alone.phase("pip", &[5, 4]);
        assert_eq!(points(&alone), [5, 4]);
    }
    // A replacement takes over at once.
    let mut replaced = lose(&[three(), vec![GeneralPlan { name: "d".into(), ..general("a") }]].concat());
    replaced.phase("pip", &[5, 4, 1]);
    assert_eq!(points(&replaced), [5, 4, 1]);
    // A general who has not yet arrived does not keep any unit off the table.
    let late = GeneralPlan { name: "d".into(), arrives: Some(5), ..general("a") };
    let awaited = planned(&corps("march", &[vec![late], three()].concat(), &[]));
    assert!(!awaited.first().gone());
    // The corps commander, not the army commander, takes the lost general's place.
    let mut army = lose(&[three(), vec![over("army", 0, -9), over("corps", 0, -9)]].concat());
    (army.battle.turn, army.battle.generals[0].idle) = (2, 0);
    army.phase("pip", &[5, 4, 1]);
    assert_eq!(shared(&army)[0].general, 4);
    let mut army_alone = lose(&[three(), vec![over("army", 0, -9)]].concat());
    (army_alone.battle.turn, army_alone.battle.generals[0].idle) = (2, 0);
    army_alone.phase("pip", &[5, 4]);
    assert_eq!(shared(&army_alone).len(), 2);
    // A corps commander may join a unit, as other generals may, but the generals who command it come first.
    for (men, joins) in
        [(&[infantry(0.0, 0.0, 0.0)][..], false), (&[infantry(0.0, 0.0, 0.0), infantry(4.0, 0.0, 0.0)], true)]
    {
        let mut plan = deployment(("lead", men), ("hold", &[infantry(0.0, 13.0, 180.0)]));
        plan.sides.first.generals =
            vec![over("corps", 0, -5), GeneralPlan { name: "ney".into(), ..GeneralPlan::default() }];
        let mut game = planned(&plan);
        game.phase("pip", &[3]);
        let with: Vec<bool> = game.battle.generals.iter().map(|general| general.with.is_some()).collect();
        assert_eq!(with, [joins, true], "{} units", men.len());
    }
    // A corps commander also rides nine inches, towards the general who needs his help.
    let mut rides = planned(&corps("hold", &[three(), vec![over("corps", 0, -23)]].concat(), &[]));
    rides.phase("pip", &[3, 3, 3]);
    assert!(told(&rides, |event| matches!(event, GeneralEvent::Rode { general: 3, distance: 900, .. })));
}

/// Units of different commands do not charge the same target together.
#[test]
fn clause_kc2() {
    let charge = |from: f64, together: bool| {
        let men = [cavalry(-1.0, from, 0.0), cavalry(1.0, from, 0.0)];
        let mut plan = deployment(("charge", &men), ("hold", &[infantry(0.0, 0.0, 180.0)]));
        let side = &mut plan.sides.first;
        for (unit, name) in side.units.iter_mut().zip(["a", if together { "a" } else { "b" }]) {
            unit.command = Some(name.into());
        }
        for name in ["a", "b"] {
            side.commands.push(grognard_engine::CommandPlan { name: name.into(), ..Default::default() });
            side.generals.push(general(name));
        }
        let mut game = planned(&plan);
        game.phase("pip", &[6, 6]);
        game
    };
    assert_eq!(charge(-4.0, true).paid(), ["contact", "charge", "contact", "charge"]);
    let divided = charge(-4.0, false);
    assert_eq!(divided.paid(), ["contact", "charge"]);
    assert_eq!(divided.barred()[0], ("contact", "divided"));
    divided.saw("KC2");
    // Nor do units that already touch it.
    assert_eq!(charge(-1.0, true).paid(), ["charge", "charge"]);
    let divided = charge(-1.0, false);
    assert_eq!((divided.paid(), divided.barred()[0]), (vec!["charge"], ("charge", "other-command")));
    divided.saw("KC2");
}

/// A unit uses only its own general's points.
#[test]
fn clause_hd12() {
    let mut game = planned(&corps("move-twice", &three(), &["b", "c", "a"]));
    let men = 3;
    game.phase("pip", &[1, 1, 1]);
    assert_eq!(game.paid().len(), men, "each its own point");
    assert!(game.battle.commands.iter().all(|command| command.points == 0));
    game.saw("HD12");
    // A has no points, and those of B and C do not help it.
    let mut poor =
        planned(&corps("march", &[graded(general("a"), "bad"), general("b"), general("c")], &["b", "c", "a"]));
    poor.phase("pip", &[6, 6, 1]);
    assert_eq!((points(&poor), poor.paid().len()), (vec![0, 6, 6], 2));
    assert!(poor.seen.refusals().iter().any(|why| matches!(why, Refusal::NoPoints { .. })));
    // Every command that has units has a general.
    let faults = refused(&corps("hold", &[general("a"), general("b")], &[]));
    assert!(faults.iter().any(|fault| fault.message.contains("HD12")), "{faults:#?}");
}

/// A general's replacement takes command when the general is lost, and not before, whatever their names (HD9, KP1,
/// KP2).
#[test]
fn a_replacement_waits_for_the_loss_of_a_general() {
    let zed = GeneralPlan { name: "zed".into(), ..graded(general("a"), "great") };
    let adam = GeneralPlan { name: "adam".into(), arrives: Some(3), ..graded(general("a"), "bad") };
    let generals = [adam, general("b"), general("c"), zed, over("corps", 0, -20)];
    let plan = corps("hold", &generals, &["zed", "b", "c"]);
    let dealt = |turn: u8, lost: &[usize], faces: &[i32]| {
        let mut game = planned(&plan);
        game.battle.turn = turn;
        for &general in lost {
            (game.battle.generals[general].lost, game.battle.generals[general].idle) = (true, 1);
        }
        game.phase("pip", faces);
        (points(&game), game)
    };
    // B has 4 and C has 1. A's general has 5, raised to 6 because he is great. In turn 3, A has two generals.
    for turn in [1, 3] {
        let (points, game) = dealt(turn, &[], &[5, 4, 1]);
        assert_eq!(points, [4, 1, 6], "turn {turn}");
        assert!(!told(&game, |event| matches!(event, GeneralEvent::StandsIn { .. })));
    }
    // When the first is lost, the bad general gets his die at once.
    assert_eq!(dealt(3, &[3], &[5, 4, 1]).0, [4, 1, 4]);
    // When the second is lost as well, the units wait a turn for the corps commander.
    let mut game = planned(&plan);
    game.battle.turn = 4;
    game.battle.generals[3].lost = true;
    (game.battle.generals[0].lost, game.battle.generals[0].idle) = (true, 1);
    game.phase("pip", &[4, 1]);
    assert_eq!(points(&game), [4, 1]);
    game.phase("pip", &[5, 4, 1]);
    assert_eq!((points(&game), shared(&game)[2].general), (vec![4, 1, 5], 4));
    // A bad corps commander does not reduce his own points, so his grade is not cited.
    let [adam, b, c, zed, over] = generals.clone();
    let mut game = planned(&corps("hold", &[adam, b, c, zed, graded(over, "bad")], &["zed", "b", "c"]));
    game.battle.turn = 4;
    (game.battle.generals[3].lost, game.battle.generals[0].lost, game.battle.generals[0].idle) = (true, true, 0);
    game.phase("pip", &[5, 4, 3]);
    assert_eq!((points(&game), shared(&game)[2].general), (vec![4, 3, 5], 4));
    assert!(!game.seen.cited().contains("KP2"), "{:?}", game.seen.cited());
    // A plan has to name the general who commands at the start.
    assert!(!refused(&corps("hold", &generals, &["b", "c"])).is_empty());
}

/// Units that arrive in a wood wait if another unit is in it. No unit arrives where it could not be deployed (R2, KT3,
/// R7).
#[test]
fn reinforcements_keep_to_the_ground() {
    let late = |wood: (f64, f64)| {
        let generals = [general("a"), general("b"), GeneralPlan { arrives: Some(2), ..general("c") }];
        let mut plan = corps("hold", &generals, &[]);
        plan.terrain = vec![crate::common::block_of("woods", wood, (4.0, 4.0))];
        plan
    };
    // C arrives at (4,-2), in the middle of the wood. B is behind it, either in the wood or outside it.
    let comes = |wood: (f64, f64), north: i32| {
        let mut game = planned(&late(wood));
        game.unit_mut(Side::First, 1).front = Point { x: 400, y: north };
        game.battle.turn = 2;
        game.phase("deshake", &[]);
        game
    };
    assert!(comes((4.0, -2.0), -280).nth(2).gone(), "B reaches from 2.8 to 3.8 inches to the south, the wood to 4");
    let free = comes((4.0, -2.0), -410);
    assert_eq!((free.nth(2).gone(), free.nth(2).fills), (false, 1));
    // Here, only two tenths of an inch of C's base are in the wood, which extends from -2.3 to -6.3.
    assert!(comes((4.0, -4.3), -380).nth(2).gone());
    assert!(!comes((4.0, -4.3), -640).nth(2).gone());

    let mut square = late((4.0, -2.0));
    square.sides.first.units[2].formation = Some("square".into());
    let faults = refused(&square);
    assert!(faults.iter().any(|fault| fault.message.contains("R7")), "{faults:#?}");
}

/// Two generals do not end their ride in the same position (R1).
#[test]
fn generals_keep_off_each_other() {
    let mut plan = deployment(("hold", &[infantry(0.0, 0.0, 0.0)]), ("hold", &[infantry(0.0, 12.0, 180.0)]));
    let at = |name: &str, rank: Option<&str>, east: i32| GeneralPlan {
        name: name.into(),
        rank: rank.map(Into::into),
        at: Some((east, -400)),
        ..GeneralPlan::default()
    };
    plan.sides.first.generals = vec![at("division", None, -300), at("brigade", Some("brigade"), 300)];
    let mut game = planned(&plan);
    game.phase("pip", &[1]);
    let [one, other] = [0, 1].map(|index| game.battle.generals[index].at);
    assert_ne!(one, Point { x: -300, y: -400 }, "he rides to his post");
    assert!((one.x - other.x).abs() >= 50 || (one.y - other.y).abs() >= 50, "{one:?} {other:?}");
}
