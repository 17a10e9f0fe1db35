//! The clauses of `patrol`. Also the odds of a duel with counted ammunition and the odds of arrivals, calculated from
//! the clauses.

use std::sync::OnceLock;

use grognard_engine::{Battle, Deployment, Flags, ObjectivePlan, Side, deploy};
use grognard_rules::model::Rules;

use crate::common::{
    Game, Men, Share, Shares, add, block_of, bounds, deployment, dice, load, profile, table, unit, walk,
};

fn rules() -> &'static Rules {
    static RULES: OnceLock<Rules> = OnceLock::new();
    RULES.get_or_init(|| load("patrol"))
}

/// The indices of the counters.
const AMMUNITION: u8 = 0;
const PINNED: u8 = 1;
const THROUGH: u8 = 2;

/// A team with its front here, facing north.
fn team(kind: &str, east: f64, north: f64) -> Men {
    unit(kind).at(east, north).facing(0.0)
}

/// A team that fires without moving, and its target straight ahead at this distance between their edges.
fn range(own: &str, foe: &str, inches: f64) -> Game {
    let target = unit(foe).at(0.0, inches - 14.0).facing(180.0);
    Game::under(rules(), ("fire-only", &[team(own, 0.0, -14.0)]), ("fire-only", &[target]))
}

fn set(game: &mut Game, side: Side, counter: u8, value: i32) {
    game.unit_mut(side, 0).counters.set(counter, value);
}

/// The number of men that the target has lost to one volley at ten inches with these dice.
#[track_caller]
fn volley(own: &str, foe: &str, faces: &[i32]) -> u16 {
    let mut game = range(own, foe, 10.0);
    game.phase("fire", faces);
    game.second().start - game.second().figures
}

/// A plan with an objective in the middle of the table.
fn point(first: &[Men], second: &[Men]) -> Deployment {
    let mut plan = deployment(("fire-only", first), ("fire-only", second));
    plan.objectives = vec![ObjectivePlan { name: None, at: (0, 0), worth: 1 }];
    plan
}

/// Plays the last phase of a turn. Returns the points of both sides.
fn turn(game: &mut Game) -> [i16; 2] {
    game.phase_of(Side::First, "aid", &[]);
    game.phase_of(Side::Second, "aid", &[]);
    [game.battle.points.scores[0], game.battle.points.scores[1]]
}

/// The size of the table and the arcs are house values.
#[test]
fn the_table_and_its_arcs() {
    assert_eq!(table(rules()), (48, 36, 45));
}

#[test]
fn clause_teams() {
    for (kind, told) in [
        ("rifles", "foot, 4 of 100 x 100 in open; open 600; range 2400; rate 1, skill 5; ammunition 4"),
        ("gun", "foot, 3 of 100 x 100 in open; open 600; range 2400; rate 2, skill 5; ammunition 3"),
        ("radio-team", "foot, 4 of 100 x 100 in open; open 600; range 2400; rate 1, skill 5; ammunition 4; radio"),
        ("fighters", "foot, 5 of 100 x 100 in open; open 600; range 2400; rate 1, skill 6; ammunition 3"),
    ] {
        assert_eq!(profile(rules(), kind), told);
    }
    for (kind, men) in [("rifles", 4), ("gun", 3), ("fighters", 5)] {
        assert_eq!(range(kind, "rifles", 10.0).first().figures, men, "{kind}");
    }
    assert_eq!(volley("rifles", "rifles", &[5, 5, 4, 4, 6]), 2);
    assert_eq!(volley("gun", "rifles", &[5, 5, 4, 4, 4, 4, 6]), 2);
    assert_eq!(volley("fighters", "rifles", &[6, 6, 5, 5, 5, 6]), 2);
    let mut game = range("rifles", "gun", 10.0);
    game.phase("fire", &[5, 5, 5, 4]);
    assert!(game.second().gone());
    assert_eq!(game.outcome.and_then(|outcome| outcome.winner), Some(Side::First));
    game.saw("teams");
}

#[test]
fn clause_move() {
    assert_eq!(rules().movement.narrow, 300, "at most three inches wide, no unit has to wheel");
    let mut game =
        Game::under(rules(), ("hunt", &[team("rifles", 0.0, -14.0)]), ("hunt", &[unit("gun").at(0.0, 14.0)]));
    game.phase("move", &[]);
    assert_eq!(game.first().front.y, -800);
    game.saw("move");
    // A team that goes to an objective keeps an inch from the enemy.
    let mut plan = point(&[team("rifles", 0.0, -4.0)], &[unit("gun").at(0.0, -1.0).facing(180.0)]);
    plan.sides.first.doctrine = Some("take-point".into());
    let mut game = Game::planned(rules(), &plan);
    game.phase("move", &[]);
    assert_eq!(game.first().front.y, -200);
    // Movement is the same in all directions: the team goes straight to an enemy behind it. Two men stand side by side.
    let away = team("rifles", 0.0, -14.0).facing(180.0);
    let mut behind = Game::under(rules(), ("hunt", &[away]), ("hunt", &[unit("gun").at(0.0, 14.0)]));
    let ground = behind.ground(&behind.first());
    assert_eq!((ground.width, ground.depth), (200, 200));
    let middle = behind.first().rect(rules()).centre().y;
    behind.phase("move", &[]);
    assert_eq!(behind.first().rect(rules()).centre().y - middle, 600);
    behind.unit_mut(Side::First, 0).heading = behind.first().heading.reversed();
    behind.phase("fire", &[1, 1, 1, 1]);
}

#[test]
fn clause_fire() {
    assert_eq!(dice(rules(), "fire"), "d6");
    assert_eq!(volley("rifles", "rifles", &[4, 4, 4, 4]), 0);
    assert_eq!(volley("rifles", "rifles", &[5, 4, 4, 4, 6]), 1);
    assert_eq!(volley("gun", "rifles", &[4, 4, 4, 4, 4, 4]), 0);
    assert_eq!(volley("gun", "rifles", &[4, 4, 4, 4, 4, 5, 6]), 1);
    assert_eq!(volley("fighters", "rifles", &[5, 5, 5, 5, 5]), 0);
    assert_eq!(volley("fighters", "rifles", &[6, 5, 5, 5, 5, 6]), 1);
    let mut game = range("rifles", "gun", 24.0);
    game.phase("fire", &[1, 1, 1, 1]);
    game.saw("fire");
    range("rifles", "gun", 24.01).phase("fire", &[]);
}

#[test]
fn clause_range() {
    assert_eq!(volley("rifles", "gun", &[5, 1, 1, 1, 6]), 1);
    let mut near = range("rifles", "rifles", 12.0);
    near.phase("fire", &[5, 1, 1, 1, 6]);
    assert!(near.own_modifiers("fire").is_empty());
    let mut far = range("rifles", "rifles", 12.01);
    far.phase("fire", &[5, 5, 5, 5]);
    assert_eq!(far.second().figures, 4);
    assert_eq!(far.own_modifiers("fire"), ["long-range"]);
    far.saw("range");
    range("rifles", "gun", 12.01).phase("fire", &[6, 1, 1, 1, 6]);
}

#[test]
fn clause_cover() {
    let game = |compound: (f64, f64), own: &str| {
        let ground = [block_of("compound", compound, (2.0, 2.0))];
        let target = unit("rifles").at(0.0, 10.0).facing(180.0);
        Game::over(rules(), &ground, ("fire-only", &[team(own, 0.0, 0.0)]), ("fire-only", &[target]))
    };
    for compound in [(0.0, 5.0), (0.0, 11.0)] {
        let mut game = game(compound, "rifles");
        game.phase("fire", &[5, 5, 5, 5]);
        assert_eq!(game.own_modifiers("fire"), ["cover"]);
        assert_eq!(game.second().figures, 4);
        game.saw("cover");
    }
    game((12.0, 5.0), "rifles").phase("fire", &[5, 4, 4, 4, 6]);
    // A six always hits, although fighters would need a seven.
    let mut hit = game((0.0, 5.0), "fighters");
    hit.phase("fire", &[6, 5, 5, 5, 5, 6]);
    assert_eq!(hit.second().figures, 3);
}

#[test]
fn clause_ammunition() {
    assert_eq!(bounds(rules(), "ammunition"), (0, 6));
    for (kind, loads, dice) in [("rifles", 4, 4), ("gun", 3, 6), ("fighters", 3, 5)] {
        let mut game = range(kind, "rifles", 10.0);
        for left in (0..loads).rev() {
            game.phase("fire", &vec![1; dice]);
            assert_eq!(game.first().counters.get(AMMUNITION), left, "{kind}");
            game.saw("ammunition");
        }
        game.phase("fire", &[]);
    }
    let mut hit = range("rifles", "rifles", 10.0);
    hit.phase("fire", &[5, 1, 1, 1, 6]);
    assert_eq!(hit.first().counters.get(AMMUNITION), 3, "a volley that hits costs as much");
}

#[test]
fn clause_supply() {
    for (north, before, after) in [(-3.0, 1, 2), (-3.01, 1, 1), (-3.0, 6, 6), (-3.0, 0, 1)] {
        let mut game = Game::planned(rules(), &point(&[team("rifles", 0.0, north)], &[team("gun", 20.0, 14.0)]));
        set(&mut game, Side::First, AMMUNITION, before);
        game.phase("aid", &[]);
        assert_eq!(game.first().counters.get(AMMUNITION), after, "{north}\" with {before}");
        if north == -3.0 {
            game.saw("supply");
        }
    }
}

#[test]
fn clause_nerve() {
    assert_eq!(dice(rules(), "nerve"), "d6");
    for (face, pinned) in [(3, 1), (4, 0)] {
        let mut game = range("rifles", "rifles", 10.0);
        game.phase("fire", &[5, 5, 1, 1, face]);
        assert_eq!(game.second().counters.get(PINNED), pinned, "{face}");
        game.saw("nerve");
    }
    range("rifles", "rifles", 10.0).phase("fire", &[4, 4, 4, 4]);
}

#[test]
fn clause_pinned() {
    assert_eq!(bounds(rules(), "pins"), (0, 1));
    for doctrine in ["take-point", "save-ammunition", "hunt"] {
        for (pinned, moves) in [(0, true), (1, false)] {
            let mut plan = point(&[team("rifles", 0.0, -14.0)], &[unit("gun").at(0.0, 14.0).facing(180.0)]);
            plan.sides.first.doctrine = Some(doctrine.into());
            let mut game = Game::planned(rules(), &plan);
            set(&mut game, Side::First, PINNED, pinned);
            game.phase("move", &[]);
            assert_eq!(game.first().front.y > -1400, moves, "{doctrine}");
        }
    }
    let mut game = range("rifles", "gun", 10.0);
    set(&mut game, Side::First, PINNED, 1);
    game.phase("fire", &[]);
    game.phase("aid", &[]);
    assert_eq!(game.first().counters.get(PINNED), 0);
    game.saw("pinned");
    game.phase("fire", &[1, 1, 1, 1]);
}

#[test]
fn clause_aid() {
    assert_eq!(dice(rules(), "aid"), "d6");
    for (men, pinned, faces, after) in
        [(3, 0, &[6][..], 4), (3, 0, &[5][..], 3), (4, 0, &[][..], 4), (3, 1, &[][..], 3), (1, 0, &[6][..], 2)]
    {
        let mut game = range("rifles", "gun", 10.0);
        game.unit_mut(Side::First, 0).figures = men;
        set(&mut game, Side::First, PINNED, pinned);
        game.phase("aid", faces);
        assert_eq!(game.first().figures, after, "{men} {faces:?}");
        if !faces.is_empty() {
            game.saw("aid");
        }
    }
}

/// A team on the table, an enemy out of range, and a team kept back until turn two.
fn kept_back() -> Deployment {
    let own = [team("rifles", -20.0, -14.0), team("rifles", 5.0, -14.0).arrives(2)];
    deployment(("fire-only", &own), ("fire-only", &[unit("gun").at(20.0, 16.0).facing(180.0)]))
}

/// The team's position and heading after a roll; `None` if it is still waiting.
fn arrival(turn: u8, faces: &[i32], clause: Option<&str>) -> Option<(i32, i32, u16)> {
    let mut game = Game::planned(rules(), &kept_back());
    game.battle.turn = turn;
    game.phase("move", faces);
    if let Some(clause) = clause {
        game.saw(clause);
    }
    let team = game.nth(1);
    (!team.flags.has(Flags::LATE)).then(|| (team.front.x, team.front.y, team.heading.tenths()))
}

#[test]
fn clause_reserves() {
    assert_eq!(arrival(1, &[], None), None);
    assert_eq!(arrival(2, &[3], Some("reserves")), None);
    assert_eq!(arrival(2, &[4], Some("reserves")), Some((500, -1400, 0)));
    assert_eq!(arrival(3, &[3], Some("reserves")), None);
    // On a five, it comes round the left flank, which is in the west; on a six, round the right flank.
    for (face, to_the_west) in [(5, true), (6, false)] {
        let (east, _, heading) = arrival(2, &[face], Some("reserves")).expect("it arrives");
        assert_eq!((east < 0, heading != 0), (to_the_west, true));
    }
    assert_eq!(dice(rules(), "reserves"), "d6");
}

#[test]
fn clause_radio() {
    assert_eq!(dice(rules(), "call"), "d6");
    // The position of the team that waits for a call, after the other team has rolled for it.
    let called = |kind: &str, pinned: i32, faces: &[i32]| {
        let own = [team(kind, -20.0, -14.0), team("rifles", 5.0, -14.0).called()];
        let far = [unit("gun").at(20.0, 16.0).facing(180.0)];
        let mut game = Game::planned(rules(), &deployment(("fire-only", &own), ("fire-only", &far)));
        set(&mut game, Side::First, PINNED, pinned);
        game.phase("call", faces);
        if !faces.is_empty() {
            game.saw("radio");
        }
        let team = game.nth(1);
        (!team.flags.has(Flags::LATE)).then(|| (team.front.x, team.front.y, team.heading.tenths()))
    };
    assert_eq!(called("radio-team", 0, &[3]), None);
    assert_eq!(called("radio-team", 0, &[4]), Some((500, -1600, 0)));
    assert_eq!(called("radio-team", 1, &[]), None);
    assert_eq!(called("rifles", 0, &[]), None);
}

#[test]
fn clause_late() {
    assert_eq!(arrival(4, &[2], Some("late")), None);
    assert_eq!(arrival(4, &[3], Some("late")), Some((500, -1400, 0)));
    assert_eq!(arrival(3, &[3], None), None);
}

#[test]
fn clause_flanks() {
    let (left, right) = (Some((-2200, -1400, 900)), Some((2200, -1400, 2700)));
    assert_eq!(arrival(2, &[5], Some("flanks")), left);
    assert_eq!(arrival(2, &[6], Some("flanks")), right);
    assert_eq!(arrival(4, &[4], Some("flanks")), left);
    assert_eq!(arrival(4, &[5], Some("flanks")), right);
    assert_eq!(arrival(4, &[6], Some("flanks")), right);
}

#[test]
fn clause_point() {
    let far = [team("gun", 20.0, 14.0)];
    let mut held = Game::planned(rules(), &point(&[team("rifles", 0.0, -3.0)], &far));
    assert_eq!([turn(&mut held), turn(&mut held), turn(&mut held)], [[0, 0], [1, 0], [2, 0]]);
    held.saw("point");
    let mut outside = Game::planned(rules(), &point(&[team("rifles", 0.0, -3.01)], &far));
    assert_eq!([turn(&mut outside), turn(&mut outside)], [[0, 0], [0, 0]]);
    let near = [unit("gun").at(0.0, 3.0).facing(180.0)];
    let mut both = Game::planned(rules(), &point(&[team("rifles", 0.0, -3.0)], &near));
    assert_eq!([turn(&mut both), turn(&mut both)], [[0, 0], [0, 0]]);
    // The objective must be held for two turns in a row. It gives no point while the enemy is there, too.
    both.unit_mut(Side::Second, 0).front.y = 1400;
    assert_eq!([turn(&mut both), turn(&mut both)], [[0, 0], [1, 0]]);
    both.unit_mut(Side::Second, 0).front.y = 300;
    assert_eq!(turn(&mut both), [1, 0]);
    // A team that has yet to arrive does not count as present.
    let late = [team("gun", 20.0, 14.0), unit("gun").at(0.0, 3.0).facing(180.0).arrives(12)];
    let mut alone = Game::planned(rules(), &point(&[team("rifles", 0.0, -3.0)], &late));
    assert_eq!([turn(&mut alone), turn(&mut alone)], [[0, 0], [1, 0]]);
}

/// A team, with or without orders from the scenario to break through, and an enemy far away.
fn ordered(through: i32, at: Men) -> Game {
    // Three friends face north, so that the enemy's edge is in the north whichever way it faces.
    let friends = [10.0, 14.0, 20.0].map(|east| team("rifles", east, -12.0));
    let own: Vec<Men> = [at].into_iter().chain(friends).collect();
    let mut plan = deployment(("break-out", &own), ("hunt", &[unit("gun").at(-20.0, -14.0)]));
    plan.sides.first.units[0].counters = vec![("through".into(), through)];
    plan.turns = 1;
    Game::planned(rules(), &plan)
}

#[test]
fn clause_through() {
    assert_eq!(bounds(rules(), "through"), (0, 1));
    assert_eq!(
        range("rifles", "gun", 10.0).first().counters.get(THROUGH),
        0,
        "only the scenario orders a team through"
    );
    let out = |through: i32, at: Men| {
        let mut game = ordered(through, at);
        game.phase("move", &[]);
        game
    };
    // The team's middle must be beyond the edge, which is 18 inches north.
    for (through, front, gone) in [(1, 13.5, true), (1, 12.5, false), (0, 13.5, false)] {
        let mut game = out(through, team("rifles", 0.0, front));
        assert_eq!(game.first().gone(), gone, "{through}, {front}");
        assert_eq!(game.seen.cited().contains("through"), gone);
        if gone {
            assert_eq!(game.specials(), ["first scores 2 points for Rifle team (first 1)."]);
        }
        turn(&mut game);
        let winner = game.outcome.expect("the only turn is over").winner;
        assert_eq!(winner, gone.then_some(Side::First), "it is not out");
    }
    // No other edge counts.
    for (east, north, heading) in [(0.0, -16.0, 180.0), (-22.0, 0.0, 270.0), (22.0, 0.0, 90.0)] {
        assert!(!out(1, team("rifles", east, north).facing(heading)).first().gone(), "{heading}");
    }
    // Breaking through scores two points, like putting an enemy team out of action, and each turn that the objective is
    // held scores one.
    for (held, victor) in [(1, Some(Side::First)), (2, None), (3, Some(Side::Second))] {
        let mut game = out(1, team("rifles", 0.0, 13.5));
        game.battle.points.scores[1] = held;
        turn(&mut game);
        assert_eq!(game.outcome.expect("the only turn is over").winner, victor, "{held}");
    }
}

#[test]
fn clause_end() {
    let winner = |points: i16, out: usize| {
        let men = [team("rifles", -20.0, -14.0), team("rifles", -16.0, -14.0), team("gun", -12.0, -14.0)];
        let mut plan = point(&men, &[unit("gun").at(20.0, 16.0).facing(180.0)]);
        plan.turns = 1;
        let mut game = Game::planned(rules(), &plan);
        game.battle.points.scores[0] = points;
        for number in 0..out {
            let unit = game.unit_mut(Side::First, number);
            (unit.figures, unit.flags) = (0, Flags::GONE);
        }
        turn(&mut game);
        game.saw("end");
        game.outcome.expect("the last turn is over").winner
    };
    assert_eq!(winner(0, 0), None);
    assert_eq!(winner(1, 0), Some(Side::First));
    assert_eq!(winner(1, 1), Some(Side::Second), "two points for a team");
    assert_eq!(winner(2, 1), None);
    assert_eq!(winner(5, 2), Some(Side::First));
    // The last team on the table falls. The battle goes on only if another is due to arrive.
    for (late, over) in [(true, false), (false, true)] {
        let mut own = vec![team("gun", 0.0, -10.0)];
        own.extend(late.then(|| team("rifles", 5.0, -14.0).arrives(3)));
        let foe = [unit("rifles").at(0.0, 0.0).facing(180.0)];
        let mut game = Game::under(rules(), ("fire-only", &own), ("fire-only", &foe));
        game.phase_of(Side::Second, "fire", &[5, 5, 5, 5]);
        assert!(game.first().gone());
        assert_eq!(game.outcome.is_some(), over);
    }
}

/// A team in a duel, according to the clauses.
#[derive(Clone, Copy)]
struct Duellist {
    men: usize,
    loads: u32,
    /// Dice per man.
    rate: usize,
    /// The number needed to hit.
    need: u32,
}

impl Duellist {
    /// The probability of each number of hits from the dice of this many men.
    fn hits(&self, men: usize) -> Shares<usize> {
        let hit = Share::of(7 - u128::from(self.need), 6);
        let mut shares = Shares::from([(0, Share::all())]);
        for _ in 0..men * self.rate {
            let mut next = Shares::new();
            for (hits, share) in shares {
                add(&mut next, hits, &share * &hit.rest());
                add(&mut next, hits + 1, &share * &hit);
            }
            shares = next;
        }
        shares
    }
}

fn half() -> Share {
    Share::of(1, 2)
}

/// The probabilities that the first, the second or neither has won a duel at ten inches after this many turns.
///
/// Derived from the clauses. In its half-turn, a team fires, unless it is pinned or has no load left. A target that
/// loses men is pinned with a chance of 1/2. Then the team, if it is not pinned, regains one man on a six; if it is
/// pinned, it recovers.
fn duel(teams: [Duellist; 2], turns: usize) -> [Share; 3] {
    type State = ([usize; 2], [u32; 2], [bool; 2]);
    let start: State = (teams.map(|team| team.men), teams.map(|team| team.loads), [false; 2]);
    let mut open: Shares<State> = Shares::from([(start, Share::all())]);
    let mut won = [(); 3].map(|()| Share::none());
    for _ in 0..turns {
        for side in 0..2 {
            let (own, foe) = (teams[side], 1 - side);
            let mut fired: Shares<State> = Shares::new();
            for ((men, loads, pinned), chance) in open {
                if loads[side] == 0 || pinned[side] {
                    add(&mut fired, (men, loads, pinned), chance);
                    continue;
                }
                let mut loads = loads;
                loads[side] -= 1;
                for (lost, of) in own.hits(men[side]) {
                    let of = &chance * &of;
                    let (mut men, mut shaken) = (men, pinned);
                    men[foe] = men[foe].saturating_sub(lost);
                    shaken[foe] = true;
                    if men[foe] == 0 {
                        won[side] += of;
                    } else if lost == 0 {
                        add(&mut fired, (men, loads, pinned), of);
                    } else {
                        add(&mut fired, (men, loads, pinned), &of * &half());
                        add(&mut fired, (men, loads, shaken), &of * &half());
                    }
                }
            }
            let mut next: Shares<State> = Shares::new();
            for ((men, loads, pinned), chance) in fired {
                let (mut back, mut up) = (men, pinned);
                back[side] += 1;
                up[side] = false;
                if men[side] < own.men && !pinned[side] {
                    add(&mut next, (men, loads, up), &chance * &Share::of(5, 6));
                    add(&mut next, (back, loads, up), &chance * &Share::of(1, 6));
                } else {
                    add(&mut next, (men, loads, up), chance);
                }
            }
            open = next;
        }
    }
    won[2] = Share::sum(open.into_values());
    won
}

#[test]
fn duels_come_out_as_by_arithmetic_over_the_clauses() {
    let rifles = Duellist { men: 4, loads: 4, rate: 1, need: 5 };
    let gun = Duellist { men: 3, loads: 3, rate: 2, need: 5 };
    let fighters = Duellist { men: 5, loads: 3, rate: 1, need: 6 };
    for (own, foe, teams) in [
        ("rifles", "fighters", [rifles, fighters]),
        ("gun", "rifles", [gun, rifles]),
        ("fighters", "gun", [fighters, gun]),
    ] {
        let mut plan =
            deployment(("fire-only", &[team(own, 0.0, 0.0)]), ("fire-only", &[unit(foe).at(0.0, 10.0).facing(180.0)]));
        plan.turns = 6;
        let setup = deploy(rules(), &plan).expect("a duel can be deployed");
        let found = walk(rules(), &setup, |_| None, |outcome| outcome.winner.map_or(2, Side::index));
        for (who, expected) in duel(teams, 6).into_iter().enumerate() {
            assert_eq!(found.get(&who).cloned().unwrap_or_else(Share::none), expected, "{own} against {foe}, {who}");
        }
    }
}

/// From turn two, a team waits on a 1 to 3, arrives on a 4, and comes round a flank on a 5 or a 6. From turn four, it
/// waits on a 1 or 2, arrives on a 3, and comes round the left flank on a 4 and the right flank on a 5 or a 6.
#[test]
fn arrivals_come_out_as_by_arithmetic_over_the_clauses() {
    let setup = deploy(rules(), &kept_back()).expect("a reserve");
    let late = |battle: &Battle| battle.units[1].flags.has(Flags::LATE);
    let over = |battle: &Battle| match (late(battle), battle.turn) {
        (true, 6..) => Some((6, 0)),
        (true, _) => None,
        // It has arrived in its side's half of this turn.
        (false, turn) => Some((turn, battle.units[1].front.x)),
    };
    let found = walk(rules(), &setup, over, |_| unreachable!("nobody is in range"));
    let mut expected = Shares::new();
    let mut waits = Share::all();
    for turn in 2..=5_u8 {
        let [here, left, right, none] = if turn < 4 { [1, 1, 1, 3] } else { [1, 1, 2, 2] };
        for (place, faces) in [(500, here), (-2200, left), (2200, right)] {
            expected.insert((turn, place), &waits * &Share::of(faces, 6));
        }
        waits = &waits * &Share::of(none, 6);
    }
    expected.insert((6, 0), waits);
    assert_eq!(found, expected);
}

/// A rifle team makes for the enemy's edge under fire from one team, without firing back. Returns the probabilities
/// that it is through, out of action, or still on its way after six turns.
///
/// Derived from the clauses. In its half-turn, a team that is not pinned makes one of its moves, and regains one man on
/// a six if it has lost any; a pinned team recovers. Then the enemy fires, and a team that loses men is pinned with a
/// chance of 1/2.
fn gauntlet(moves: u32, enemy: Duellist) -> [Share; 3] {
    let mut open: Shares<(usize, u32, bool)> = Shares::from([((4, moves, false), Share::all())]);
    let (mut loads, mut ends) = (enemy.loads, [(); 3].map(|()| Share::none()));
    for _ in 0..6 {
        let mut moved: Shares<(usize, u32)> = Shares::new();
        for ((men, left, pinned), chance) in open {
            if pinned {
                add(&mut moved, (men, left), chance);
            } else if left == 1 {
                ends[0] += chance;
            } else if men < 4 {
                add(&mut moved, (men, left - 1), &chance * &Share::of(5, 6));
                add(&mut moved, (men + 1, left - 1), &chance * &Share::of(1, 6));
            } else {
                add(&mut moved, (men, left - 1), chance);
            }
        }
        open = Shares::new();
        let firing = if loads > 0 { enemy.men } else { 0 };
        loads = loads.saturating_sub(1);
        for ((men, left), chance) in moved {
            for (lost, of) in enemy.hits(firing) {
                let of = &chance * &of;
                if lost >= men {
                    ends[1] += of;
                } else if lost == 0 {
                    add(&mut open, (men, left, false), of);
                } else {
                    for pinned in [false, true] {
                        add(&mut open, (men - lost, left, pinned), &of * &half());
                    }
                }
            }
        }
    }
    ends[2] = Share::sum(open.into_values());
    ends
}

#[test]
fn ways_through_come_out_as_by_arithmetic_over_the_clauses() {
    let gun = Duellist { men: 3, loads: 3, rate: 2, need: 5 };
    let fighters = Duellist { men: 5, loads: 3, rate: 1, need: 6 };
    // From eight inches north of the middle, the second move ends beyond the edge; from two inches, the third.
    for (kind, enemy) in [("gun", gun), ("fighters", fighters)] {
        for (front, moves) in [(8.0, 2), (2.0, 3)] {
            let foe = unit(kind).at(6.0, 8.0).facing(270.0);
            let mut plan = deployment(("break-out", &[team("rifles", 0.0, front)]), ("fire-only", &[foe]));
            plan.sides.first.units[0].counters = vec![("ammunition".into(), 0), ("through".into(), 1)];
            plan.turns = 6;
            let setup = deploy(rules(), &plan).expect("it can be deployed");
            let over = |battle: &Battle| {
                let unit = &battle.units[0];
                (unit.flags.has(Flags::GONE) && unit.figures > 0).then_some(0)
            };
            let found = walk(rules(), &setup, over, |outcome| if outcome.winner.is_some() { 1 } else { 2 });
            for (end, expected) in gauntlet(moves, enemy).into_iter().enumerate() {
                let found = found.get(&end).cloned().unwrap_or_else(Share::none);
                assert_eq!(found, expected, "{kind}, {moves} moves, {end}");
            }
        }
    }
}
