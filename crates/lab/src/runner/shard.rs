//! Shards of a run.

use std::ops::Range;
use std::str::FromStr;

use super::BLOCK;

/// A shard of a run's battles: the same blocks, regardless of which processes fight the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: u32,
    of: u32,
}

/// A text that is not a [`Shard`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write a shard as I/N with I from 1 to N, such as 1/4, and N at most {}", Shard::OF_MAX)]
pub struct NoShard;

impl Shard {
    /// The maximum number of shards.
    pub const OF_MAX: u32 = 100_000;
    /// All battles.
    pub const WHOLE: Self = Self { number: 1, of: 1 };

    /// Shard `number` of `of`, counted from 1; `None` if there is no such shard.
    #[must_use]
    pub fn new(number: u32, of: u32) -> Option<Self> {
        ((1..=of).contains(&number) && of <= Self::OF_MAX).then_some(Self { number, of })
    }

    /// Indices of its battles in a run of `runs`. May be empty if there are more shards than blocks.
    #[must_use]
    pub fn battles(self, runs: u64) -> Range<u64> {
        let block = u64::from(BLOCK);
        let blocks = u128::from(runs.div_ceil(block));
        let cut = |number: u32| ((blocks * u128::from(number) / u128::from(self.of)) as u64 * block).min(runs);
        cut(self.number - 1)..cut(self.number)
    }
}

impl Default for Shard {
    fn default() -> Self {
        Self::WHOLE
    }
}

impl FromStr for Shard {
    type Err = NoShard;

    fn from_str(text: &str) -> Result<Self, NoShard> {
        let (number, of) = text.split_once('/').ok_or(NoShard)?;
        let (number, of) = (number.parse().map_err(|_| NoShard)?, of.parse().map_err(|_| NoShard)?);
        Self::new(number, of).ok_or(NoShard)
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}/{}", self.number, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_share_the_battles_out() {
        for runs in [1, 4_096, 4_097, 1_000_000, 1_000_000_000_000] {
            for of in [1, 2, 3, 7, 100] {
                let mut next = 0;
                for number in 1..=of {
                    let battles = Shard { number, of }.battles(runs);
                    assert_eq!(battles.start, next);
                    assert!(battles.end == runs || battles.end.is_multiple_of(u64::from(BLOCK)));
                    next = battles.end;
                }
                assert_eq!(next, runs);
            }
        }
    }

    #[test]
    fn shards_are_written_i_of_n() {
        assert_eq!("2/4".parse(), Ok(Shard { number: 2, of: 4 }));
        assert_eq!(Shard { number: 2, of: 4 }.to_string(), "2/4");
        for bad in ["", "1", "0/4", "5/4", "1/0", "a/b", "1/2/3", "-1/4", "1/100001"] {
            assert_eq!(bad.parse::<Shard>(), Err(NoShard), "{bad}");
        }
    }
}
