//! Battles of `patrol`, compared with arithmetic in whole numbers from its clauses: all cells of `patrol-duel`, and a
//! battle in which a reserve team may come too late for a point.
//!
//! In the duels, two teams ten inches apart stay in place and fire, on open ground and far from any point. So the
//! clauses `move`, `range`, `cover`, `supply`, `reserves`, `late`, `flanks`, `radio`, `point` and `through` never
//! apply. Of these, only `move`, `cover`, `radio` and `through` do not apply to the reserve team either.

use crate::common::odds::{Ends, Odds, both_agree, each_agrees, expected};
use crate::common::{Men, duel, load, solved};
use grognard_engine::{Arrives, BySide, Deployment, ObjectivePlan, Side, SidePlan, UnitPlan, deploy};

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

/// The effect of one half-turn, without points, on the team whose half-turn it is, and on its enemy.
fn half_turn(kind: &Kind, own: Team, foe: Team) -> Odds<(Team, Team)> {
    fire(kind.need, own, foe).then(|(own, foe)| {
        aid(kind, own).map(|own| {
            // Clause `pinned`: at the end of its half-turn a team is no longer pinned.
            (Team { pinned: false, ..own }, foe)
        })
    })
}

fn fire(need: u32, own: Team, foe: Team) -> Odds<(Team, Team)> {
    // Clauses `ammunition` and `pinned`: without a load, or pinned, a team does not fire.
    if own.loads == 0 || own.pinned {
        return Odds::sure((own, foe));
    }
    // Clause `ammunition`: it uses one load.
    let own = Team { loads: own.loads - 1, ..own };
    // Clause `fire`: one die per man.
    let hits = Odds::die(6).map(|score| u32::from(score >= need)).sum(own.men);
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

/// Where the reserve team is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Waiting,
    /// Within three inches of the point, and of the enemy.
    AtPoint,
    /// At its left edge, in the east, between twelve and 24 inches from the enemy.
    Left,
    /// At its right edge, out of range.
    Right,
}

/// A rifle team at a point, and a team of fighters in reserve.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Defence {
    rifles: Team,
    fighters: Team,
    place: Place,
    /// The number of consecutive turns at whose end only the rifle team was at the point, up to two.
    alone: u32,
    /// The rifle team's points.
    points: u32,
}

impl Defence {
    fn goes_on(&self) -> bool {
        self.rifles.men > 0 && self.fighters.men > 0
    }

    /// The score that a die needs to hit the other team; `None` where neither fires.
    fn need(&self, kind: &Kind) -> Option<u32> {
        match self.place {
            Place::Waiting | Place::Right => None,
            Place::AtPoint => Some(kind.need),
            // Clauses `range` and `fire`: one more, but a six always hits.
            Place::Left => Some((kind.need + 1).min(6)),
        }
    }

    fn rifles_act(self) -> Odds<Self> {
        let need = self.need(&rifles(4));
        let fired =
            need.map_or(Odds::sure((self.rifles, self.fighters)), |need| fire(need, self.rifles, self.fighters));
        fired.then(|(own, foe)| {
            // Clause `end`: the side whose team is out has lost at once.
            let aided = if foe.men == 0 { Odds::sure(own) } else { aid(&rifles(4), own) };
            aided.map(|own| {
                // Clause `supply`: a team at a point gets a load, up to six.
                let rifles = Team { pinned: false, loads: (own.loads + 1).min(6), ..own };
                Self { rifles, fighters: foe, ..self }
            })
        })
    }

    /// Clauses `reserves`, `late` and `flanks`: when, where and on which scores the reserve team arrives.
    fn arrive(self, turn: u32) -> Odds<Self> {
        if self.place != Place::Waiting || turn < 2 {
            return Odds::sure(self);
        }
        Odds::die(6).map(|score| {
            let place = match score + u32::from(turn >= 4) {
                0..=3 => Place::Waiting,
                4 => Place::AtPoint,
                5 => Place::Left,
                _ => Place::Right,
            };
            Self { place, ..self }
        })
    }

    fn fighters_act(self) -> Odds<Self> {
        let need = self.need(&FIGHTERS);
        let fired =
            need.map_or(Odds::sure((self.fighters, self.rifles)), |need| fire(need, self.fighters, self.rifles));
        fired.then(|(own, foe)| {
            let aided = if foe.men == 0 { Odds::sure(own) } else { aid(&FIGHTERS, own) };
            aided.map(|own| {
                let supplied = (own.loads + u32::from(self.place == Place::AtPoint)).min(6);
                Self { rifles: foe, fighters: Team { pinned: false, loads: supplied, ..own }, ..self }
            })
        })
    }

    /// Clause `point`: a team that holds the point at the end of two consecutive turns scores, and again for each later
    /// turn.
    fn count(self) -> Self {
        let alone = if self.place == Place::AtPoint { 0 } else { (self.alone + 1).min(2) };
        Self { alone, points: self.points + u32::from(alone == 2), ..self }
    }
}

/// Who wins, and the losses of both.
type End = (Option<Side>, u32, u32);

/// The results of five turns.
fn defence_by_hand() -> Odds<End> {
    let start =
        Defence { rifles: rifles(4).fresh(), fighters: FIGHTERS.fresh(), place: Place::Waiting, alone: 0, points: 0 };
    let mut open = Odds::sure(start);
    let unless_over = |state: Defence, next: &dyn Fn(Defence) -> Odds<Defence>| {
        if state.goes_on() { next(state) } else { Odds::sure(state) }
    };
    for turn in 1..=5 {
        open = open.then(|state| unless_over(state, &Defence::rifles_act));
        open = open.then(|state| unless_over(state, &|state| state.arrive(turn)));
        open = open.then(|state| unless_over(state, &Defence::fighters_act));
        open = open.then(|state| unless_over(state, &|state| Odds::sure(state.count())));
    }
    open.map(|state| {
        let Defence { rifles: Team { men, .. }, fighters, points, .. } = state;
        // Clause `end`.
        let winner = match (men, fighters.men) {
            (0, _) => Some(Side::Second),
            (_, 0) => Some(Side::First),
            _ => (points > 0).then_some(Side::First),
        };
        (winner, rifles(4).men - men, FIGHTERS.men - fighters.men)
    })
}

#[test]
fn reserves_and_a_held_point_come_out_as_by_arithmetic_over_the_clauses() {
    let rules = load("patrol");
    let side = |name: &str, kind: &str, y, arrives| SidePlan {
        name: name.into(),
        doctrine: Some("fire-only".into()),
        units: vec![UnitPlan { kind: kind.into(), at: Some((800, y)), arrives, ..UnitPlan::default() }],
        ..SidePlan::default()
    };
    // The reserve team comes from the north. From the point, the edge on its left is 16 inches away, and the one on its
    // right 32.
    let plan = Deployment {
        sides: BySide::new(
            side("patrol", "rifles", -150, None),
            side("fighters", "fighters", 150, Some(Arrives::From(2))),
        ),
        turns: 5,
        objectives: vec![ObjectivePlan { name: None, at: (800, 0), worth: 1 }],
        ..Deployment::default()
    };
    let setup = deploy(&rules, &plan).unwrap_or_else(|faults| panic!("{faults:#?}"));
    let solution = solved(&rules, &setup, 0.0);
    each_agrees("reserves", &solution, &defence_by_hand(), |outcome| {
        let [first, second] = [Side::First, Side::Second].map(|side| u32::from(outcome.sides[side].losses));
        (outcome.winner, first, second)
    });
}
