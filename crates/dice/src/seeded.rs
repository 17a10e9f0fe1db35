//! Dice that sample.

use std::fmt;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::blocks::{self, BLOCKS, Words};
use crate::narration::faces_for;
use crate::{Address, Decision, Dice, Shown};

/// The number of words in a window: the generator makes four blocks of sixteen at a time.
const WINDOW_WORDS: u64 = 64;

/// The number of windows kept, 16 KiB. Twelve units a side with up to sixteen purposes use 24 of them at a time.
const SLOTS: usize = 64;

/// The tag of a slot that holds nothing. No address lies in this window.
const EMPTY: u32 = u32::MAX;

/// Samples: every decision reads its own word of ChaCha8.
///
/// The words are a contract. For seed `s`, battle `b` and address `a` the word is word `a.word()` (counting 32-bit words from 0) of the
/// ChaCha8 stream whose key is the first four outputs of SplitMix64 started at `s`, each written in little-endian order, whose nonce is `b`
/// and whose block counter starts at 0, both of 64 bits as in Bernstein's layout. No library's seeding or range functions are involved.
///
/// ```
/// use grognard_dice::SeededDice;
///
/// let mut dice = SeededDice::new(1815);
/// for index in 0..1_000 {
///     dice.battle(index);
///     // fight(rules, setup, &mut dice, witness)
/// }
/// ```
#[derive(Clone)]
pub struct SeededDice {
    /// Always between two refills: its buffer has been read to the end, so moving it elsewhere costs nothing.
    stream: ChaCha8Rng,
    key: [u32; 8],
    narration: [u8; 32],
    battle: u64,
    /// The window in each slot, or [`EMPTY`].
    held: [u32; SLOTS],
    /// The windows, as bytes in the order of the stream.
    windows: [[u8; WINDOW_WORDS as usize * 4]; SLOTS],
}

impl SeededDice {
    /// Dice for the run with this seed, ready for battle 0. Two objects with the same seed give the same dice.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut state = seed;
        let (battle_key, narration) = (key(&mut state), key(&mut state));
        Self {
            stream: ChaCha8Rng::from_seed(battle_key),
            key: words_of(&battle_key),
            narration,
            battle: 0,
            held: [EMPTY; SLOTS],
            windows: [[0; WINDOW_WORDS as usize * 4]; SLOTS],
        }
    }

    /// Switches to the dice of the battle with this index. Earlier rolls, in any battle, have no influence.
    #[inline]
    pub fn battle(&mut self, index: u64) {
        if index != self.battle {
            self.battle = index;
            self.held = [EMPTY; SLOTS];
            self.stream.set_stream(index);
        }
    }

    /// The word of the decision at `at` in the current battle.
    #[inline]
    fn word(&mut self, at: Address) -> u32 {
        let word = at.word();
        let window = (word / WINDOW_WORDS) as u32;
        let slot = slot(window);
        if self.held[slot] != window {
            self.refill(slot, window);
        }
        let start = (word % WINDOW_WORDS) as usize * 4;
        let bytes = &self.windows[slot][start..start + 4];
        u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
    }

    /// Words of many battles at once, whatever the current battle is: block `n` contains the words of battle
    /// `battles[n]` from position `16 * blocks[n]` on ([`Address::word`]).
    ///
    /// ```
    /// use grognard_dice::{BLOCK_WORDS, BLOCKS, SeededDice};
    ///
    /// let mut words = [[0; BLOCKS]; BLOCK_WORDS];
    /// SeededDice::new(1815).blocks(&[249_999; BLOCKS], &[0; BLOCKS], &mut words);
    /// assert_eq!(words[0], [words[0][0]; BLOCKS], "all lanes have the same block of the same battle");
    /// ```
    pub fn blocks(&self, battles: &[u64; BLOCKS], blocks: &[u64; BLOCKS], words: &mut Words) {
        blocks::fill(&self.key, battles, blocks, words);
    }

    #[inline(never)]
    fn refill(&mut self, slot: usize, window: u32) {
        // The window begins at a block, so seeking generates nothing, and it is read to the end of the generator's buffer, so the next seek
        // or change of stream does not generate an unused buffer.
        self.stream.set_word_pos(u128::from(window) * u128::from(WINDOW_WORDS));
        self.stream.fill_bytes(&mut self.windows[slot]);
        self.held[slot] = window;
    }
}

impl Dice for SeededDice {
    #[inline]
    fn decide(&mut self, at: Address, decision: &dyn Decision) -> usize {
        let word = self.word(at);
        decision.odds().outcome(word)
    }

    /// The faces are a function of the decision's word alone, and have exactly the distribution of dice that gave this outcome: the
    /// position of the word within the outcome's share of the words selects a stream of a second key, from which the decision is played
    /// until it gives the outcome. No faces are shown for an outcome too rare to be found this way.
    fn shown(&mut self, at: Address, decision: &dyn Decision, outcome: usize) -> Vec<Shown> {
        let word = self.word(at);
        let odds = decision.odds();
        let start = outcome.checked_sub(1).map_or(0, |before| odds.below[before]);
        let mut stream = ChaCha8Rng::from_seed(self.narration);
        stream.set_stream(u64::from(word.wrapping_sub(start)));
        faces_for(decision, outcome, &mut stream)
    }
}

impl fmt::Debug for SeededDice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SeededDice").field("battle", &self.battle).finish_non_exhaustive()
    }
}

/// The slot of a window: up to 32 units and 32 purposes have a slot each; repeats and stages are spread across these slots, and the next
/// four turns replace the last four.
#[inline]
fn slot(window: u32) -> usize {
    let (lanes, purposes, nth, stage) = (window % 32, window / 32 % 8, window / 256 % 64, window >> 20);
    (lanes + 16 * purposes + 28 * nth + 11 * stage) as usize % SLOTS
}

/// 32 bytes of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
fn key(state: &mut u64) -> [u8; 32] {
    let mut key = [0; 32];
    for bytes in key.chunks_exact_mut(8) {
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = *state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bytes.copy_from_slice(&(mixed ^ mixed >> 31).to_le_bytes());
    }
    key
}

/// The same bytes as words, in little-endian order.
fn words_of(key: &[u8; 32]) -> [u32; 8] {
    std::array::from_fn(|word| u32::from_le_bytes(std::array::from_fn(|byte| key[4 * word + byte])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Sum, at};
    use crate::{BLOCK_WORDS, Die, Faces, LANES, NTH_MAX, PURPOSES, STAGES};

    /// One block of ChaCha8 as in RFC 8439, section 2.3, with eight rounds and Bernstein's 64-bit counter and nonce.
    fn chacha8_block(key: [u32; 8], counter: u64, nonce: u64) -> [u32; 16] {
        let mut start = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        start[4..12].copy_from_slice(&key);
        start[12..].copy_from_slice(&[counter as u32, (counter >> 32) as u32, nonce as u32, (nonce >> 32) as u32]);
        let mut x: [u32; 16] = start;
        let mut quarter = |a: usize, b: usize, c: usize, d: usize| {
            for (bits, [to, with, turned]) in [(16, [a, b, d]), (12, [c, d, b]), (8, [a, b, d]), (7, [c, d, b])] {
                x[to] = x[to].wrapping_add(x[with]);
                x[turned] = (x[turned] ^ x[to]).rotate_left(bits);
            }
        };
        for _ in 0..4 {
            for column in 0..4 {
                quarter(column, column + 4, column + 8, column + 12);
            }
            for (a, b, c, d) in [(0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)] {
                quarter(a, b, c, d);
            }
        }
        std::array::from_fn(|i| x[i].wrapping_add(start[i]))
    }

    /// The key of a seed, computed independently from the published recurrence: state `n` of SplitMix64 is seed + n * gamma.
    fn key_words(seed: u64) -> [u32; 8] {
        std::array::from_fn(|i| {
            let n = i as u64 / 2 + 1;
            let z = seed.wrapping_add(n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            let z = z ^ (z >> 31);
            (z >> (32 * (i % 2))) as u32
        })
    }

    fn address(turn: u8, purpose: u8, lane: u8, nth: u8) -> Address {
        Address { turn, stage: 0, purpose, lane, nth }
    }

    #[test]
    fn the_block_function_of_these_tests_is_chacha8() {
        // Strombergson, "Test vectors for the stream cipher ChaCha" (draft-strombergson-chacha-test-vectors-01), TC1:
        // 256-bit key and IV all zero, 8 rounds: the keystream begins 3e 00 ef 2f 89 5f 40 d6 7f 5b b8 e8 1f 09 a5 a1.
        let block = chacha8_block([0; 8], 0, 0);
        assert_eq!(block[..4], [0x2fef_003e, 0xd640_5f89, 0xe8b8_5b7f, 0xa1a5_091f]);
    }

    #[test]
    fn splitmix64_gives_its_published_numbers() {
        // The first outputs for seed 1234567 in Vigna's splitmix64.c, as listed at rosettacode.org/wiki/...Splitmix64.
        let key = key(&mut 1_234_567);
        let words: Vec<u64> = key.chunks_exact(8).map(|b| u64::from_le_bytes(b.try_into().unwrap())).collect();
        assert_eq!(
            words,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431
            ]
        );
    }

    #[test]
    fn every_word_is_that_of_the_block_function() {
        for seed in [0, 1, 1815, u64::MAX] {
            let mut dice = SeededDice::new(seed);
            for battle in [0, 1, 2, 77, 1 << 32, u64::MAX] {
                dice.battle(battle);
                for turn in [1, 2, 40, u8::MAX] {
                    for (purpose, lane, nth) in [(0, 0, 0), (0, 1, 0), (5, 3, 0), (15, 63, 2), (16, 4, 0), (63, 63, 63)]
                    {
                        let at = address(turn, purpose, lane, nth);
                        let block = chacha8_block(key_words(seed), at.word() / 16, battle);
                        assert_eq!(
                            dice.word(at),
                            block[(at.word() % 16) as usize],
                            "seed {seed}, battle {battle}, {at:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn words_of_many_battles_are_those_of_each() {
        let mut dice = SeededDice::new(1815);
        let battles = std::array::from_fn(|n| [0, 1, 77, 1 << 32, u64::MAX][n % 5]);
        let places: [Address; BLOCKS] =
            std::array::from_fn(|n| address(n as u8 + 1, 7 * n as u8 % 64, 5 * n as u8 % 64, n as u8));
        let mut words = [[0; BLOCKS]; BLOCK_WORDS];
        dice.blocks(&battles, &places.map(|at| at.word() / 16), &mut words);
        for (n, (battle, at)) in battles.into_iter().zip(places).enumerate() {
            dice.battle(battle);
            for word in 0..16 {
                // The lowest bits are the side, and the purpose modulo 8.
                let at = Address { purpose: at.purpose / 8 * 8 + word / 2, lane: at.lane / 2 * 2 + word % 2, ..at };
                assert_eq!(words[usize::from(word)][n], dice.word(at), "battle {battle}, {at:?}");
            }
        }
    }

    #[test]
    fn these_words_never_change() {
        // Computed outside this project, with ChaCha8 and SplitMix64 implemented in Python. Changing them changes every sampled result ever
        // published.
        let mut dice = SeededDice::new(1815);
        let golden = [
            (0, address(1, 0, 0, 0), 0x45c5_ad87),
            (0, address(1, 7, 1, 0), 0x8782_5b33),
            (1, address(1, 0, 0, 0), 0x186d_a485),
            (249_999, address(12, 33, 23, 2), 0x2acf_9a7e),
        ];
        for (battle, at, word) in golden {
            dice.battle(battle);
            assert_eq!(dice.word(at), word, "battle {battle}, {at:?}");
        }
    }

    #[test]
    fn no_two_addresses_share_a_word() {
        // The address can be recovered from the word, so no two addresses have the same word.
        for (turn, stage) in [(0, 0), (1, 0), (2, 0), (64, 1), (65, 100), (200, 101), (255, 255), (255, STAGES - 1)] {
            for purpose in 0..PURPOSES {
                for lane in 0..LANES {
                    for nth in 0..=NTH_MAX {
                        let at = Address { stage, ..address(turn, purpose, lane, nth) };
                        assert!(at.word() / WINDOW_WORDS < u64::from(EMPTY));
                        assert_eq!(Address::of_word(at.word()), at);
                    }
                }
            }
        }
    }

    #[test]
    fn the_order_of_asking_and_of_battles_does_not_matter() {
        let addresses: Vec<Address> = (0..2000u32)
            .map(|i| address((i % 7) as u8, (i * 5 % 64) as u8, (i * 11 % 24) as u8, (i * 3 % 64) as u8))
            .collect();
        let mut dice = SeededDice::new(7);
        dice.battle(5);
        let forwards: Vec<u32> = addresses.iter().map(|&at| dice.word(at)).collect();
        dice.battle(6);
        dice.word(addresses[0]);
        dice.battle(5);
        let mut backwards: Vec<u32> = addresses.iter().rev().map(|&at| dice.word(at)).collect();
        backwards.reverse();
        assert_eq!(forwards, backwards);
    }

    /// Chi-square of counts against expected counts.
    fn chi_square(counts: &[u64], expected: impl Fn(usize) -> f64) -> f64 {
        counts.iter().enumerate().map(|(k, &count)| (count as f64 - expected(k)).powi(2) / expected(k)).sum()
    }

    #[test]
    fn two_dice_come_up_as_often_as_they_should() {
        // 200,000 battles of seed 1, chi-square with 10 degrees of freedom: 46.9 is exceeded once in a million seeds.
        let decision = Sum::of(vec![Die::numbered(6), Die::numbered(6)]);
        let mut dice = SeededDice::new(1);
        let mut counts = [0u64; 11];
        for battle in 0..200_000 {
            dice.battle(battle);
            counts[dice.decide(at(0), &decision)] += 1;
        }
        let odds = decision.odds();
        let chi = chi_square(&counts, |k| 200_000.0 * odds.weights[k] as f64 / odds.total as f64);
        assert!(chi < CHI_10, "chi-square {chi}");
    }

    #[test]
    fn neighbouring_decisions_and_battles_are_independent() {
        // Pairs of d6: next purpose, next lane, next repeat, next turn, next battle; 72,000 pairs of each. Chi-square with 35 degrees of
        // freedom, exceeded once in five million seeds, so one of the five fails once in a million seeds.
        let decision = Sum::of(vec![Die::numbered(6)]);
        let neighbours = [address(1, 1, 0, 0), address(1, 0, 1, 0), address(1, 0, 0, 1), address(2, 0, 0, 0), at(0)];
        for (case, neighbour) in neighbours.into_iter().enumerate() {
            let mut dice = SeededDice::new(2);
            let mut counts = [0u64; 36];
            for battle in 0..72_000 {
                dice.battle(2 * battle);
                let first = dice.decide(at(0), &decision);
                dice.battle(2 * battle + u64::from(neighbour == at(0)));
                counts[first * 6 + dice.decide(neighbour, &decision)] += 1;
            }
            let chi = chi_square(&counts, |_| 2_000.0);
            assert!(chi < CHI_35, "case {case}: chi-square {chi}");
        }
    }

    #[test]
    fn the_faces_shown_give_the_outcome_and_are_spread_like_dice() {
        // All 36 ordered pairs of faces are equally likely, whatever the sum: 36,000 battles, chi-square with 35 degrees of
        // freedom, exceeded once in five million seeds.
        let decision = Sum::of(vec![Die::numbered(6), Die::numbered(6)]);
        let mut dice = SeededDice::new(3);
        let mut counts = [0u64; 36];
        for battle in 0..36_000 {
            dice.battle(battle);
            let outcome = dice.decide(at(0), &decision);
            let shown = dice.shown(at(0), &decision, outcome);
            let faces: Vec<usize> = shown.iter().map(|s| s.label.parse().unwrap()).collect();
            assert_eq!(faces.iter().sum::<usize>(), outcome + 2);
            assert_eq!(shown[0].die, "d6");
            counts[(faces[0] - 1) * 6 + faces[1] - 1] += 1;
            assert_eq!(dice.shown(at(0), &decision, outcome), shown, "asked twice, the same faces are shown");
        }
        let chi = chi_square(&counts, |_| 1_000.0);
        assert!(chi < CHI_35, "chi-square {chi}");
    }

    #[test]
    fn an_outcome_that_dice_cannot_give_shows_no_faces() {
        struct Impossible;
        impl Decision for Impossible {
            fn odds(&self) -> crate::Odds<'_> {
                crate::Odds { below: &[], weights: &[1], total: 1 }
            }
            fn by_hand(&self, faces: &mut dyn Faces) -> usize {
                faces.roll(&Die::numbered(6)) + 1
            }
        }
        assert_eq!(SeededDice::new(4).shown(at(0), &Impossible, 0), []);
    }

    /// The value that chi-square with 10 degrees of freedom exceeds with probability 1e-6.
    const CHI_10: f64 = 46.9;
    /// The value that chi-square with 35 degrees of freedom exceeds with probability 2e-7.
    const CHI_35: f64 = 94.9;
}
