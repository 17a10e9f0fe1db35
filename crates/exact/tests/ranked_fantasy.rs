//! Duels of `ranked-fantasy` between regiments in contact, trolls that heal, and fireballs on two regiments, compared
//! with arithmetic in whole numbers from the clauses of the pack.

use std::collections::BTreeMap;

use crate::common::odds::{Odds, agrees, each_agrees};
use crate::common::{load, solved};
use grognard_engine::{BySide, Deployment, FacingPlan, Side, SidePlan, UnitPlan, deploy};
use num_bigint::BigUint;

/// A regiment as described by the clauses.
struct Regiment {
    kind: &'static str,
    figures: u32,
    /// The score that a die needs to hit.
    skill: u32,
    /// The dice of a figure.
    attacks: u32,
    strength: u32,
    toughness: u32,
    /// The score that a die needs to save it.
    armour: u32,
    initiative: u32,
    nerve: i64,
    standard: i64,
    /// Ranks that strike.
    deep: u32,
    /// Whether lost figures come back.
    regrows: bool,
}

const SPEARMEN: Regiment = Regiment {
    kind: "spearmen",
    figures: 15,
    skill: 4,
    attacks: 1,
    strength: 3,
    toughness: 3,
    armour: 5,
    initiative: 3,
    nerve: 7,
    standard: 1,
    deep: 2,
    regrows: false,
};

const SWORDSMEN: Regiment = Regiment { kind: "swordsmen", skill: 3, armour: 4, initiative: 4, deep: 1, ..SPEARMEN };

const KNIGHTS: Regiment = Regiment { kind: "knights", figures: 5, skill: 3, armour: 3, nerve: 8, deep: 1, ..SPEARMEN };

const TROLLS: Regiment = Regiment {
    kind: "trolls",
    figures: 6,
    attacks: 2,
    strength: 5,
    toughness: 4,
    armour: 7,
    initiative: 1,
    nerve: 5,
    standard: 0,
    deep: 1,
    regrows: true,
    ..SPEARMEN
};

/// The number of dice to which every volley is extended, so that all have the same denominator.
const DICE: u32 = 16;

/// The results of one attack through hit, wound and save: three dice.
const DIE: u32 = 216;

/// The weights of the wounds caused by a regiment with this many figures, this many abreast; they add up to [`DIE`] to
/// the power of [`DICE`].
fn wounds(own: &Regiment, figures: u32, abreast: u32, foe: &Regiment) -> Vec<BigUint> {
    let dice = (own.attacks * figures.min(own.deep * abreast)).min(DICE);
    let wound = (4 + foe.toughness).saturating_sub(own.strength).clamp(2, 6);
    let save = (foe.armour + own.strength - 3).min(7);
    let good = (7 - own.skill) * (7 - wound) * (save - 1);
    let mut weights = vec![BigUint::from(DIE).pow(DICE - dice)];
    for _ in 0..dice {
        let mut next = vec![BigUint::default(); weights.len() + 1];
        for (wounds, weight) in weights.iter().enumerate() {
            next[wounds] += weight * (DIE - good);
            next[wounds + 1] += weight * good;
        }
        weights = next;
    }
    weights
}

/// The points that a regiment adds to its wounds: up to two ranks behind the first, and its standard.
fn counts(own: &Regiment, figures: u32, abreast: u32) -> i64 {
    i64::from(figures.div_ceil(abreast.min(figures)) - 1).min(2) + own.standard
}

/// The number of results of two dice, out of 36, with which a regiment holds, and with which it falls back.
fn break_test(nerve: i64) -> [u32; 2] {
    let throws = (1..=6).flat_map(|one| (1..=6).map(move |other| one + other));
    let (mut holds, mut falls_back) = (0, 0);
    for throw in throws {
        if throw <= nerve || throw == 2 {
            holds += 1;
        } else if throw <= nerve + 2 {
            falls_back += 1;
        }
    }
    [holds, falls_back]
}

/// The maximum number of figures in a regiment of trolls.
const TROLLS_MOST: u32 = 6;

/// The figures of a regiment after its regrowth, with weights that add up to 3 to the power of [`TROLLS_MOST`]: each
/// lost figure comes back on two faces out of six.
fn regrown(own: &Regiment, figures: u32) -> Vec<(u32, u32)> {
    let lost = if own.regrows { own.figures - figures } else { 0 };
    let mut weights = vec![3_u32.pow(TROLLS_MOST - lost)];
    for _ in 0..lost {
        let mut next = vec![0; weights.len() + 1];
        for (back, weight) in weights.iter().enumerate() {
            next[back] += weight * 2;
            next[back + 1] += weight;
        }
        weights = next;
    }
    (figures..).zip(weights).collect()
}

/// The states of both regiments in battles that continue.
type Fight = BTreeMap<[u32; 2], BigUint>;

/// The weights of a win of the first, of the second, and of neither after this many turns, and their sum.
fn by_hand(sides: [(&Regiment, u32); 2], turns: usize) -> ([BigUint; 3], BigUint) {
    let [(one, one_abreast), (other, other_abreast)] = sides;
    let mut open = Fight::from([([one.figures, other.figures], BigUint::from(1_u32))]);
    let (mut ends, mut all): ([BigUint; 3], _) = (Default::default(), BigUint::from(1_u32));
    // Both regiments fight in each half of a turn.
    for half in 0..2 * turns {
        let whole = 3_u32.pow(TROLLS_MOST);
        let scale = BigUint::from(DIE).pow(2 * DICE) * (36 * whole);
        ends.iter_mut().for_each(|end| *end *= &scale);
        all *= scale;
        let mut next = Fight::new();
        for (&[first, second], weight) in &open {
            for ([first, second, lead], chance) in strikes([(one, first, one_abreast), (other, second, other_abreast)])
            {
                let weight = weight * chance;
                if first == 0 || second == 0 {
                    let end = [second == 0 && first > 0, first == 0 && second > 0, true].iter().position(|&is| is);
                    ends[end.unwrap_or(2)] += weight * (36 * whole);
                    continue;
                }
                let (first, second) = (first as u32, second as u32);
                let lead = lead + counts(one, first, one_abreast) - counts(other, second, other_abreast);
                let loser = if lead < 0 { one } else { other };
                let [holds, falls_back] = if lead == 0 { [36, 0] } else { break_test(loser.nerve - lead.abs()) };
                // The regiment of the side whose half it is regrows.
                let active = if half % 2 == 0 { (one, first) } else { (other, second) };
                for (figures, chance) in regrown(active.0, active.1) {
                    let pair = if half % 2 == 0 { [figures, second] } else { [first, figures] };
                    *next.entry(pair).or_default() += &weight * (holds * chance);
                }
                let weight = weight * whole;
                // After that they are not in contact, and neither charges.
                ends[2] += &weight * falls_back;
                ends[usize::from(lead < 0)] += weight * (36 - holds - falls_back);
            }
        }
        open = next;
    }
    ends[2] += open.into_values().sum::<BigUint>();
    (ends, all)
}

/// The figures that both have left after their strikes, and the first side's lead in wounds. The quicker one strikes
/// first.
fn strikes(
    [(one, first, one_abreast), (other, second, other_abreast)]: [(&Regiment, u32, u32); 2],
) -> BTreeMap<[i64; 3], BigUint> {
    let mut found: BTreeMap<[i64; 3], BigUint> = BTreeMap::new();
    let mut add = |first: u32, second: u32, lead: i64, weight: BigUint| {
        *found.entry([first.into(), second.into(), lead]).or_default() += weight;
    };
    if other.initiative > one.initiative {
        for ([second, first, lead], weight) in strikes([(other, second, other_abreast), (one, first, one_abreast)]) {
            add(first as u32, second as u32, -lead, weight);
        }
        return found;
    }
    for (by_first, weight) in (0_u32..).zip(wounds(one, first, one_abreast, other)) {
        let left = second.saturating_sub(by_first);
        let strike_back = if one.initiative == other.initiative { second } else { left };
        if strike_back == 0 {
            add(first, 0, by_first.into(), weight * BigUint::from(DIE).pow(DICE));
            continue;
        }
        for (by_second, of_second) in (0_u32..).zip(wounds(other, strike_back, other_abreast, one)) {
            let lead = i64::from(by_first) - i64::from(by_second);
            add(first.saturating_sub(by_second), left, lead, &weight * of_second);
        }
    }
    found
}

#[test]
fn duels_come_out_as_by_arithmetic_over_the_clauses() {
    let rules = load("ranked-fantasy");
    let side = |name: &str, (regiment, abreast): (&Regiment, u32), heading: u16| SidePlan {
        name: name.into(),
        doctrine: Some("receive".into()),
        units: vec![UnitPlan {
            kind: regiment.kind.into(),
            at: Some((0, 0)),
            facing: Some(FacingPlan::Heading(heading)),
            formation: [(3, "deep"), (5, "block"), (8, "wide"), (15, "line")]
                .into_iter()
                .find(|&(front, _)| front == abreast)
                .map(|(_, name)| name.into()),
            ..UnitPlan::default()
        }],
        ..SidePlan::default()
    };
    for sides in [
        [(&SPEARMEN, 5), (&SWORDSMEN, 5)],
        [(&SPEARMEN, 15), (&SWORDSMEN, 5)],
        [(&SPEARMEN, 5), (&SPEARMEN, 8)],
        [(&TROLLS, 5), (&KNIGHTS, 5)],
    ] {
        let what = format!("{} {} against {} {}", sides[0].0.kind, sides[0].1, sides[1].0.kind, sides[1].1);
        let plan = Deployment {
            sides: BySide::new(side("a", sides[0], 0), side("b", sides[1], 1800)),
            turns: 3,
            ..Deployment::default()
        };
        let setup = deploy(&rules, &plan).unwrap_or_else(|faults| panic!("{what}: {faults:#?}"));
        let solution = solved(&rules, &setup, 0.0);
        let (ends, all) = by_hand(sides, 3);
        assert_eq!(ends.iter().sum::<BigUint>(), all, "{what}");
        for (winner, end) in [Some(Side::First), Some(Side::Second), None].into_iter().zip(ends) {
            let found = solution.chance(|outcome| outcome.winner == winner);
            agrees(&format!("{what}, {winner:?}"), &found, &end, &all);
        }
    }
}

/// The figures left in two regiments of spearmen, and whether their army has fled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Burning {
    near: u32,
    far: u32,
    fled: bool,
}

/// The figures that are left of a regiment within a fireball.
fn burned(figures: u32) -> Odds<u32> {
    // Clauses `wounding` and `save`: a strength of four wounds a toughness of three on a 3 or more, and an armour of 5
    // saves on a 6.
    let one = Odds::die(6).then(|wound| Odds::die(6).map(move |save| u32::from(wound >= 3 && save < 6)));
    // Clause `fireball`: as many hits as the score of one die.
    Odds::die(6).then(|hits| one.sum(hits)).map(|lost| figures - lost.min(figures))
}

/// One turn: a fireball, and the army's morale.
fn fireball(Burning { near, far, .. }: Burning) -> Odds<Burning> {
    // Clauses `shoot` and `fireball`: the nearest regiment is the target. The far one is 2.5 inches behind the near
    // one's front, whose middle is 0.4 inches farther back with each rank of five. With two ranks, the regiments are
    // 1.7 inches apart; with one, 2.1.
    let both = near.div_ceil(5) >= 2;
    let nearer = if near > 0 { burned(near) } else { Odds::sure(0) };
    let after = nearer.then(|left| {
        let farther = if both || near == 0 { burned(far) } else { Odds::sure(far) };
        farther.map(move |far| (left, far))
    });
    after.then(|(near, far)| {
        // Clause `army`: half of the points are lost if one of the two is destroyed, and the nerve of the other is 7.
        if (near == 0) == (far == 0) {
            return Odds::sure(Burning { near, far, fled: false });
        }
        Odds::die(6).sum(2).map(|roll| Burning { near, far, fled: roll > 7 })
    })
}

#[test]
fn fireballs_come_out_as_by_arithmetic_over_the_clauses() {
    let rules = load("ranked-fantasy");
    let unit = |kind: &str, y| UnitPlan { kind: kind.into(), at: Some((0, y)), ..UnitPlan::default() };
    let side = |name: &str, units| SidePlan {
        name: name.into(),
        doctrine: Some("receive".into()),
        units,
        ..SidePlan::default()
    };
    let plan = Deployment {
        sides: BySide::new(
            side("wizard", vec![unit("wizard", 0)]),
            side("spearmen", vec![unit("spearmen", 1000), unit("spearmen", 1250)]),
        ),
        turns: 6,
        ..Deployment::default()
    };
    let setup = deploy(&rules, &plan).unwrap_or_else(|faults| panic!("{faults:#?}"));
    // Clause `power`: a wizard casts four fireballs. After that, only the army's morale is still tested.
    let start = Burning { near: SPEARMEN.figures, far: SPEARMEN.figures, fled: false };
    let mut open = Odds::sure(start);
    for turn in 1..=6 {
        open = open.then(|state| match state {
            Burning { fled: true, .. } | Burning { near: 0, far: 0, .. } => Odds::sure(state),
            _ if turn <= 4 => fireball(state),
            Burning { near, far, .. } if near > 0 && far > 0 => Odds::sure(state),
            _ => Odds::die(6).sum(2).map(|roll| Burning { fled: roll > 7, ..state }),
        });
    }
    // Clause `end`: the wizard's side loses nothing, and wins if a regiment is lost.
    let by_hand = open.map(|Burning { near, far, fled }| {
        let lost = near == 0 || far == 0 || fled;
        (lost.then_some(Side::First), 2 * SPEARMEN.figures - near - far)
    });
    let solution = solved(&rules, &setup, 0.0);
    each_agrees("fireballs", &solution, &by_hand, |outcome| {
        (outcome.winner, outcome.sides[Side::Second].losses.into())
    });
}
