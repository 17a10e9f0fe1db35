//! Favour: whether the first or the last outcomes of a roll are good for the roller.

use grognard_dice::Favour;

use crate::model::{ByteId, Effect, MoraleId, RollOutcome};

/// Whether the early outcomes are good, or the late ones, or neither.
///
/// An outcome is better than another if it does the roller no more harm and its enemy no less in any respect, and the
/// two differ. If some pairs of outcomes favour one end and some the other, the majority decides.
pub(super) fn of(outcomes: &[RollOutcome]) -> Favour {
    let mut early = 0_i64;
    // There are far more outcomes than distinct effects, so earlier outcomes are counted by their effects.
    let mut before: Vec<(Harms, i64)> = Vec::new();
    for outcome in outcomes {
        let harms = harms(outcome);
        early += before.iter().map(|(others, count)| better(others, &harms) * count).sum::<i64>();
        match before.iter_mut().find(|(others, _)| *others == harms) {
            Some((_, count)) => *count += 1,
            None => before.push((harms, 1)),
        }
    }
    match early.signum() {
        1 => Favour::Early,
        -1 => Favour::Late,
        _ => Favour::None,
    }
}

/// The harm of an outcome to the roller, and the harm that the enemy is spared.
type Harms = [i64; 24];

fn harms(outcome: &RollOutcome) -> Harms {
    let (own, foe) = (harm(&outcome.own), harm(&outcome.foe));
    std::array::from_fn(|respect| own.get(respect).copied().unwrap_or_else(|| -foe[respect - own.len()]))
}

/// 1 if `one` is better than `other`, -1 if it is worse, 0 if neither.
fn better(one: &Harms, other: &Harms) -> i64 {
    let (mut less, mut more) = (false, false);
    for (one, other) in one.iter().zip(other) {
        less |= one < other;
        more |= one > other;
    }
    i64::from(less && !more) - i64::from(more && !less)
}

/// The effects on a unit, one number for each kind of harm; more is worse.
fn harm(effect: &Effect) -> [i64; 12] {
    let rank = |state: Option<MoraleId>| state.map_or(0, |state| 1 + i64::from(state.byte()));
    [
        i64::from(effect.lose),
        rank(effect.morale),
        i64::from(effect.worsen),
        i64::from(effect.worsen_shaken),
        i64::from(effect.retreat),
        i64::from(effect.score.colours) + i64::from(effect.score.swords),
        i64::from(effect.score.flags),
        i64::from(effect.destroy) + i64::from(effect.flee),
        i64::from(effect.halt),
        // Recovery is the opposite of harm: the more figures and the better the state, the less harm.
        -i64::from(effect.gain),
        effect.rally.map_or(0, |state| i64::from(state.byte()) - i64::from(u8::MAX)),
        -i64::from(effect.calls.is_some()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(row: u16, own: Effect, foe: Effect) -> RollOutcome {
        RollOutcome { row, own, foe }
    }

    #[test]
    fn the_end_that_spares_the_roller_and_hurts_the_enemy_is_the_good_one() {
        let hurt = |lose: u16| Effect { lose, ..Effect::default() };
        let volley: Vec<_> = (0..4).map(|hits| outcome(hits, hurt(0), hurt(hits))).collect();
        assert_eq!(of(&volley), Favour::Late);
        let routed = Effect { morale: Some(MoraleId::from_byte(2)), ..Effect::default() };
        let test = [outcome(0, hurt(0), hurt(0)), outcome(1, Effect { worsen: 1, ..routed }, hurt(0))];
        assert_eq!(of(&test), Favour::Early);
        let rally = [
            outcome(0, Effect { rally: Some(MoraleId::from_byte(1)), ..Effect::default() }, hurt(0)),
            outcome(1, hurt(0), hurt(0)),
        ];
        assert_eq!(of(&rally), Favour::Early);
        let healed = |gain: u16| Effect { gain, ..Effect::default() };
        let healing: Vec<_> = (0..3).map(|figures| outcome(figures, healed(figures), hurt(0))).collect();
        assert_eq!(of(&healing), Favour::Late);
        // Both lose more: it is unclear which side that favours.
        assert_eq!(of(&[outcome(0, hurt(0), hurt(0)), outcome(1, hurt(1), hurt(1))]), Favour::None);
        assert_eq!(of(&[]), Favour::None);
    }
}
