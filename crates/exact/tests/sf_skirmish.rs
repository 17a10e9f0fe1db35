//! The duels of `sf-duel`, all of its cells, compared with arithmetic in whole numbers from the clauses of
//! `sf-skirmish`.
//!
//! Two models ten inches apart stay in place and shoot for four turns, on open ground without objectives. So the
//! clauses `move`, `range`, `cover`, `marksman`, `ground` and `last` never apply. Nor does `pinned`: a model never has
//! three points of suppression when it acts. The enemy acts twice in a row only when the initiative changes, and then
//! the model acts twice in a row, and rallies, before that can recur.

use crate::common::odds::{Ends, Odds, both_agree, expected};
use crate::common::{Men, duel, load, solved};
use grognard_engine::Side;

/// A model as described by the clauses.
struct Model {
    kind: &'static str,
    wounds: u32,
    /// The score that a die needs to hit.
    skill: u32,
    /// The number of dice.
    shots: u32,
    strength: u32,
    /// Armour that its weapon ignores.
    piercing: u32,
    toughness: u32,
    armour: u32,
    cannon: bool,
    veteran: bool,
    fearless: bool,
}

const TROOPER: Model = Model {
    kind: "trooper",
    wounds: 2,
    skill: 4,
    shots: 2,
    strength: 4,
    piercing: 0,
    toughness: 4,
    armour: 4,
    cannon: false,
    veteran: false,
    fearless: false,
};

const MODELS: [Model; 5] = [
    TROOPER,
    Model { kind: "veteran", veteran: true, ..TROOPER },
    Model { kind: "scout", wounds: 1, skill: 3, shots: 1, strength: 5, toughness: 3, armour: 2, ..TROOPER },
    Model { kind: "gunner", shots: 1, strength: 7, piercing: 2, cannon: true, ..TROOPER },
    Model { kind: "walker", wounds: 6, shots: 3, strength: 5, toughness: 6, armour: 5, fearless: true, ..TROOPER },
];

/// The state of a model.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    wounds: u32,
    suppression: u32,
}

/// A die that succeeds with at least this score.
fn test(need: u32) -> Odds<bool> {
    Odds::die(6).map(|score| score >= need)
}

/// Wounds that one shot removes.
fn shot(own: &Model, suppression: u32, foe: &Model) -> Odds<u32> {
    // Clauses `shoot` and `suppression`: with any suppression, the score needed is 1 higher.
    let need = own.skill + u32::from(suppression > 0);
    // Clause `wounding`: a four, adjusted by toughness and strength, between two and six.
    let wound = (4 + foe.toughness).saturating_sub(own.strength).clamp(2, 6);
    // Clause `save`: the armour minus what the weapon ignores, but at least 2.
    let pierce = (foe.armour - own.piercing).max(2);
    // Clause `veteran`: a one is rolled again, once.
    let thrown = Odds::die(6).then(|score| if own.veteran && score == 1 { Odds::die(6) } else { Odds::sure(score) });
    let hits = thrown.map(|score| score >= need);
    let wounds = hits.then(|hits| if hits { test(wound) } else { Odds::sure(false) });
    let counts = wounds.then(|wounds| if wounds { test(pierce) } else { Odds::sure(false) });
    // Clause `damage`: one figure; with a cannon the score of a three-sided die.
    counts.then(|counts| match (counts, own.cannon) {
        (false, _) => Odds::sure(0),
        (true, false) => Odds::sure(1),
        (true, true) => Odds::die(3),
    })
}

/// Clause `turns`: the effect of one model's activation on it and on its enemy.
fn activation(own: (&Model, State), foe: (&Model, State)) -> Odds<(State, State)> {
    let ((own, before), (foe, target)) = (own, foe);
    assert!(before.suppression < 3, "clause `pinned` applies after all");
    // Clause `suppression`: a model that is shot at gains a point, unless it is fearless.
    let suppression = target.suppression + u32::from(!foe.fearless);
    let removed = shot(own, before.suppression, foe).sum(own.shots);
    let after = removed.map(|removed| State { wounds: target.wounds - removed.min(target.wounds), suppression });
    // Clause `rally`: a suppressed model loses all points on a 4 or more, otherwise one.
    let rallied = match before.suppression {
        0 => Odds::sure(0),
        points => test(4).map(|all| if all { 0 } else { points - 1 }),
    };
    after.then(|foe| rallied.clone().map(|suppression| (State { suppression, ..before }, foe)))
}

/// The effect of both models' activations in this order; a model that is out does not act.
fn in_turn(first: (&Model, State), second: (&Model, State)) -> Odds<(State, State)> {
    activation(first, second).then(|(own, foe)| {
        // Clause `wounds`: a model without figures is out.
        if foe.wounds == 0 {
            return Odds::sure((own, foe));
        }
        activation((second.0, foe), (first.0, own)).map(|(foe, own)| (own, foe))
    })
}

/// The ends of four turns against a trooper.
fn by_hand(model: &Model) -> Ends {
    let fresh = |model: &Model| State { wounds: model.wounds, suppression: 0 };
    let mut open = Odds::sure((fresh(model), fresh(&TROOPER)));
    for _ in 0..4 {
        open = open.then(|(own, trooper)| {
            if own.wounds == 0 || trooper.wounds == 0 {
                return Odds::sure((own, trooper));
            }
            // Clause `initiative`: ties are rolled again, so either side is equally likely to begin.
            Odds::die(2).then(|begins| match begins {
                1 => in_turn((model, own), (&TROOPER, trooper)),
                _ => in_turn((&TROOPER, trooper), (model, own)).map(|(trooper, own)| (own, trooper)),
            })
        });
    }
    // Clause `end`: a side without models has lost; if both models are left, neither side has points.
    open.map(|(own, trooper)| match (own.wounds, trooper.wounds) {
        (_, 0) => Some(Side::First),
        (0, _) => Some(Side::Second),
        _ => None,
    })
}

#[test]
fn duels_with_a_trooper_come_out_as_by_arithmetic_over_the_clauses() {
    let rules = load("sf-skirmish");
    let side =
        |model: &Model, y| Men { kind: model.kind, at: Some((0, y)), doctrine: Some("shoot-only"), ..Men::default() };
    let expected = expected(include_str!("../../../studies/sf-duel.toml"), ["model", "trooper"]);
    assert_eq!(expected.len(), MODELS.len());
    for (model, expected) in MODELS.iter().zip(&expected) {
        let solution = solved(&rules, &duel(&rules, side(model, 0), side(&TROOPER, 1_000), 4), 0.0);
        both_agree(model.kind, &solution, expected, &by_hand(model));
    }
}
