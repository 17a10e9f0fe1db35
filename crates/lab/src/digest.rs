//! Digests of battles: equal digests mean identical battles, bit for bit.

use grognard_engine::{BySide, Outcome, Outcomes, SideOutcome};

use crate::tally::Verdict;

/// The digest of a set of battles.
///
/// It is a sum over battles, so the order in which they are fought does not matter. Its values are part of the
/// determinism promise: a change to this file changes every recorded digest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Digest(pub u64);

impl Digest {
    /// Adds the battles of `cell` with successive indices from `first` on.
    pub fn count(&mut self, cell: u32, first: u64, outcomes: &Outcomes) {
        let words: Vec<_> = outcomes.distinct().iter().map(|outcome| words(cell, outcome)).collect();
        for (battle, &number) in (first..).zip(outcomes.numbers()) {
            self.0 = self.0.wrapping_add(of_battle(battle, &words[number as usize]));
        }
    }

    /// Adds one battle of `cell`.
    pub fn add(&mut self, cell: u32, battle: u64, outcome: &Outcome) {
        self.0 = self.0.wrapping_add(of_battle(battle, &words(cell, outcome)));
    }

    /// Adds the battles of another digest.
    pub fn merge(&mut self, other: Self) {
        self.0 = self.0.wrapping_add(other.0);
    }
}

impl std::fmt::Display for Digest {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{:016x}", self.0)
    }
}

impl std::str::FromStr for Digest {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        u64::from_str_radix(text, 16).map(Self)
    }
}

/// The digest of a battle whose outcome has these words.
#[inline]
fn of_battle(battle: u64, (of_two, others): &([u64; 3], [Option<u64>; 2])) -> u64 {
    let next = |state, word| mix(state ^ word);
    let of_two = of_two.iter().copied().fold(mix(0x9E37_79B9_7F4A_7C15 ^ battle), next);
    others.iter().copied().flatten().fold(of_two, next)
}

/// The outcome of a battle of `cell` in 64-bit words: the verdict, the first two sides, and the others.
fn words(cell: u32, outcome: &Outcome) -> ([u64; 3], [Option<u64>; 2]) {
    let verdict = Verdict::of(outcome.winner).index() as u64;
    let head = u64::from(cell) << 32 | verdict << 8 | u64::from(outcome.turns);
    let BySide { first, second, third, fourth } = &outcome.sides;
    ([head, word(first), word(second)], [third, fourth].map(|side| side.as_ref().map(word)))
}

/// A side's complete outcome in 64 bits.
fn word(side: &SideOutcome) -> u64 {
    u64::from(side.start) << 48
        | u64::from(side.losses) << 32
        | u64::from(side.units) << 24
        | u64::from(side.routed_units) << 16
        | u64::from(side.shaken_units) << 8
        | u64::from(side.rout_turn)
}

/// The output function of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
#[inline]
pub(crate) fn mix(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    use grognard_engine::Side;

    use super::*;

    fn battles() -> [Outcome; 3] {
        let side = SideOutcome { start: 12, losses: 3, units: 2, routed_units: 1, shaken_units: 0, rout_turn: 4 };
        let one = Outcome { winner: Some(Side::First), turns: 5, sides: BySide::new(side, side) };
        [one, Outcome { winner: None, ..one }, Outcome { turns: 6, ..one }]
    }

    #[test]
    fn pieces_in_any_order_give_the_whole() {
        let battles = battles();
        let mut whole = Digest::default();
        whole.count(7, 100, &battles.into_iter().collect());
        let mut pieces = Digest::default();
        pieces.add(7, 102, &battles[2]);
        let mut rest = Digest::default();
        rest.count(7, 100, &battles[..2].iter().copied().collect());
        pieces.merge(rest);
        assert_eq!(pieces, whole);
        assert_eq!(whole.to_string().parse(), Ok(whole));
    }

    #[test]
    fn every_field_index_and_cell_matters() {
        let one = battles()[0];
        let digest = |cell, battle, outcome: Outcome| of_battle(battle, &words(cell, &outcome));
        let mut seen = vec![digest(0, 0, one), digest(1, 0, one), digest(0, 1, one)];
        seen.push(digest(0, 0, Outcome { winner: Some(Side::Second), ..one }));
        seen.push(digest(0, 0, Outcome { turns: 9, ..one }));
        for change in [
            SideOutcome { start: 13, ..one.sides.first },
            SideOutcome { losses: 4, ..one.sides.first },
            SideOutcome { units: 3, ..one.sides.first },
            SideOutcome { routed_units: 2, ..one.sides.first },
            SideOutcome { shaken_units: 1, ..one.sides.first },
            SideOutcome { rout_turn: 0, ..one.sides.first },
        ] {
            seen.push(digest(0, 0, Outcome { sides: BySide::new(change, one.sides.second), ..one }));
            seen.push(digest(0, 0, Outcome { sides: BySide::new(one.sides.first, change), ..one }));
        }
        let count = seen.len();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), count);
    }

    #[test]
    fn its_values_are_stable() {
        // SplitMix64 seeded with 0 begins with this word (reference implementation, splitmix64.c).
        assert_eq!(mix(0x9E37_79B9_7F4A_7C15), 0xE220_A839_7B1D_CDAF);
    }
}
