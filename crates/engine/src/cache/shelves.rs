//! The thresholds of decisions, each distinct list once, with a guide to the outcomes.

use std::collections::BTreeMap;

use grognard_dice::outcome_of;

/// The number of equal parts of the 2^32 words for which a guide has an entry of one byte.
const PARTS: u32 = 256;

/// The number of words that a guide takes up.
const GUIDE: usize = PARTS as usize / size_of::<u32>();

/// The entry of a part with more than one threshold: they have to be searched.
const SEARCH: u32 = u8::MAX as u32;

/// Approximate overhead of a map entry, in bytes.
const ENTRY: usize = 64;

/// All lists of thresholds.
#[derive(Debug, Default)]
pub(super) struct Shelves {
    /// Three lists for each shelf: the guide, with the first outcome of each part; the last word of each outcome; and
    /// the thresholds.
    words: Vec<u32>,
    /// The start of each shelf in `words`.
    known: BTreeMap<Box<[u32]>, u32>,
}

impl Shelves {
    /// The shelf of these thresholds, and the number of bytes that it takes up if it is new.
    pub(super) fn shelve(&mut self, below: &[u32]) -> (u32, usize) {
        if let Some(&shelf) = self.known.get(below) {
            return (shelf, 0);
        }
        let shelf = self.words.len() as u32;
        self.words.extend(guide(below));
        self.words.extend(below.iter().map(|below| below.wrapping_sub(1)));
        self.words.push(u32::MAX);
        self.words.extend(below);
        self.known.insert(below.into(), shelf);
        let words = self.words.len() - shelf as usize;
        (shelf, words * size_of::<u32>() + size_of_val(below) + ENTRY)
    }

    /// The thresholds of a shelf.
    #[inline]
    pub(super) fn below(&self, shelf: u32, thresholds: usize) -> &[u32] {
        &self.words[shelf as usize + GUIDE + thresholds + 1..][..thresholds]
    }

    /// The outcome of a word under the thresholds of a shelf, as [`outcome_of`] finds it.
    #[inline]
    pub(super) fn outcome(&self, shelf: u32, thresholds: usize, word: u32) -> usize {
        let words = &self.words[shelf as usize..];
        let part = word / (u32::MAX / PARTS + 1);
        let first = words[part as usize / size_of::<u32>()] >> (part % u32::BITS.div_ceil(8) * 8) & SEARCH;
        if first == SEARCH {
            return self.search(shelf, thresholds, word);
        }
        first as usize + usize::from(word > words[GUIDE + first as usize])
    }

    #[cold]
    fn search(&self, shelf: u32, thresholds: usize, word: u32) -> usize {
        outcome_of(self.below(shelf, thresholds), word)
    }
}

/// The first outcome of each part, or [`SEARCH`].
fn guide(below: &[u32]) -> [u32; GUIDE] {
    let mut guide = [0; GUIDE];
    for part in 0..PARTS {
        let words = u32::MAX / PARTS + 1;
        let (first, last) = (part * words, part * words + (words - 1));
        let (from, to) = (outcome_of(below, first) as u32, outcome_of(below, last) as u32);
        let entry = if to > from + 1 || from >= SEARCH { SEARCH } else { from };
        guide[part as usize / size_of::<u32>()] |= entry << (part % 4 * 8);
    }
    guide
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guide_finds_the_outcome_of_every_word() {
        let spread: Vec<u32> = (1..300).map(|k| k * (u32::MAX / 300)).collect();
        let dense: Vec<u32> = (1..300).collect();
        let lists: [&[u32]; 8] = [
            &[],
            &[0],
            &[u32::MAX],
            &[1 << 24],
            &[0, 0, 1 << 31, 1 << 31],
            &[(3 << 24) - 1, 3 << 24, (3 << 24) + 1],
            &spread,
            &dense,
        ];
        let mut shelves = Shelves::default();
        for below in lists {
            let (shelf, filled) = shelves.shelve(below);
            assert!(filled > 0);
            assert_eq!(shelves.shelve(below), (shelf, 0));
            assert_eq!(shelves.below(shelf, below.len()), below);
            let ends = (0..=PARTS).map(|part| (u64::from(part) << 24) as u32);
            for word in ends.chain(below.iter().copied()) {
                for word in [word.wrapping_sub(1), word, word.wrapping_add(1)] {
                    let outcome = shelves.outcome(shelf, below.len(), word);
                    assert_eq!(outcome, outcome_of(below, word), "{word} in {below:?}");
                }
            }
        }
    }
}
