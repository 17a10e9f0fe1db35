//! The duels of `patrol-duel`, all of its cells, compared with arithmetic in whole numbers from the clauses of
//! `patrol`.
//!
//! Two teams ten inches apart stay in place and fire, on open ground and far from any point. So the clauses `move`, `range`, `cover`,
//! `supply`, `reserves`, `late`, `flanks`, `radio`, `point` and `through` never apply.

use crate::common::odds::{Ends, Odds, both_agree, expected};
use crate::common::{Men, duel, load, solved};
use grognard_engine::Side;

/// Clauses `teams`, `fire` and `ammunition`: men, the score that a die needs to hit, and loads at the start.
struct Kind {
    men: u32,
    need: u32,
    loads: u32,
}

/// A rifle team. The study sets its loads.
const fn rifles(loads: u32) -> Kind {
    Kind { men: 4, need: 5, loads }
}

const FIGHTERS: Kind = Kind { men: 5, need: 6, loads: 3 };

/// The state of a team.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Team {
    men: u32,
    loads: u32,
    pinned: bool,
}

impl Kind {
    fn fresh(&self) -> Team {
        Team { men: self.men, loads: self.loads, pinned: false }
    }
}

/// The effect of one half-turn on the team whose half-turn it is, and on its enemy.
fn half_turn(kind: &Kind, own: Team, foe: Team) -> Odds<(Team, Team)> {
    fire(kind, own, foe).then(|(own, foe)| {
        aid(kind, own).map(|own| {
            // Clause `pinned`: at the end of its half-turn a team is no longer pinned.
            (Team { pinned: false, ..own }, foe)
        })
    })
}

fn fire(kind: &Kind, own: Team, foe: Team) -> Odds<(Team, Team)> {
    // Clauses `ammunition` and `pinned`: without a load, or pinned, a team does not fire.
    if own.loads == 0 || own.pinned {
        return Odds::sure((own, foe));
    }
    // Clause `ammunition`: it uses one load.
    let own = Team { loads: own.loads - 1, ..own };
    // Clause `fire`: one die per man.
    let hits = Odds::die(6).map(|score| u32::from(score >= kind.need)).sum(own.men);
    // Clause `teams`: each hit removes a man.
    hits.map(|hits| foe.men - hits.min(foe.men)).then(|men| {
        if men == foe.men || men == 0 {
            return Odds::sure((own, Team { men, ..foe }));
        }
        // Clause `nerve`: a team that loses men is pinned on a 3 or less.
        Odds::die(6).map(|score| (own, Team { men, pinned: foe.pinned || score <= 3, ..foe }))
    })
}

fn aid(kind: &Kind, own: Team) -> Odds<Team> {
    // Clause `aid`: a team that has lost men and is not pinned gets one back on a 6.
    if own.men == kind.men || own.pinned {
        return Odds::sure(own);
    }
    Odds::die(6).map(|score| Team { men: own.men + u32::from(score == 6), ..own })
}

/// The ends of six turns. The patrol acts in the first half of each.
fn by_hand(patrol: &Kind) -> Ends {
    let mut open = Odds::sure((patrol.fresh(), FIGHTERS.fresh()));
    let fights = |(one, other): (Team, Team)| one.men > 0 && other.men > 0;
    for _ in 0..6 {
        open = open.then(|teams| if fights(teams) { half_turn(patrol, teams.0, teams.1) } else { Odds::sure(teams) });
        open = open.then(|teams| {
            if !fights(teams) {
                return Odds::sure(teams);
            }
            half_turn(&FIGHTERS, teams.1, teams.0).map(|(fighters, patrol)| (patrol, fighters))
        });
    }
    // Clause `end`: the side whose team is out has lost. If neither is, neither side has points.
    open.map(|(patrol, fighters)| match (patrol.men, fighters.men) {
        (_, 0) => Some(Side::First),
        (0, _) => Some(Side::Second),
        _ => None,
    })
}

#[test]
fn duels_with_few_loads_come_out_as_by_arithmetic_over_the_clauses() {
    let rules = load("patrol");
    let team = |kind, y| Men { kind, at: Some((0, y)), doctrine: Some("fire-only"), ..Men::default() };
    let expected = expected(include_str!("../../../studies/patrol-duel.toml"), ["patrol", "fighters"]);
    let loads: [(u32, &'static [_]); 4] =
        [(4, &[("ammunition", 4)]), (3, &[("ammunition", 3)]), (2, &[("ammunition", 2)]), (1, &[("ammunition", 1)])];
    assert_eq!(expected.len(), loads.len());
    for ((loads, counters), expected) in loads.into_iter().zip(&expected) {
        let setup = duel(&rules, Men { counters, ..team("rifles", 0) }, team("fighters", 1_000), 6);
        let solution = solved(&rules, &setup, 0.0);
        both_agree(&format!("{loads} loads"), &solution, expected, &by_hand(&rifles(loads)));
    }
}
