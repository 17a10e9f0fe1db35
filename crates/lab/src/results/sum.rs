//! The sum of shards: their counts, and why shards cannot be added.

use std::fmt;
use std::ops::Range;

use super::{Differences, Ending, Manifest, Method, Results};
use crate::digest::Digest;
use crate::runner::Tallied;

/// The sum of consecutive shards.
#[derive(Debug)]
pub(crate) struct Sum {
    /// The indices of the shards, in the order of their battles.
    pub(crate) order: Vec<usize>,
    /// The manifest of one run of all the battles, except for its progress; `made` is that of the first shard.
    pub(crate) manifest: Manifest,
    /// The counts of all battles.
    pub(crate) tallied: Tallied,
}

/// The reason why shards cannot be added. A shard is identified by its index among those given.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unaddable {
    /// There are no shards.
    #[error("there are no results to add")]
    Nothing,
    /// A shard contains exact odds rather than battles.
    #[error("result {0} holds exact odds: it has no battles to add")]
    NoBattles(usize),
    /// Its battles have a different seed, pack, deployment or version.
    #[error("result {shard} holds battles of another series: {differences}")]
    OtherBattles {
        /// The shard.
        shard: usize,
        /// The differences between its battles and those of the first.
        differences: Box<Differences>,
    },
    /// Some or all of its battles are also in another shard.
    #[error(
        "battles {first} to {last} of result {shard} occur twice: it was given twice, or it overlaps another result"
    )]
    Twice {
        /// The shard.
        shard: usize,
        /// Its first battle.
        first: u64,
        /// Its last battle.
        last: u64,
    },
    /// None of the shards has these battles.
    #[error("{0}")]
    Missing(Missing),
    /// Its digest cannot be read.
    #[error("the digest of result {0} is not a hexadecimal number of 64 bits")]
    Digest(usize),
}

/// Battles of a run that are missing. Its `Display` says which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    ranges: Vec<Range<u64>>,
    runs: u64,
}

impl Missing {
    /// The battles of a whole run that none of these shards has; `None` if they have all of them.
    pub(crate) fn of_run(shards: &[&Results]) -> Option<Self> {
        if let [one] = shards
            && one.manifest.progress.first == 0
            && matches!(one.manifest.progress.ending, Ending::Precise | Ending::Decided)
        {
            return None;
        }
        Self::within(shards, 0..runs(shards))
    }

    /// How a run of these shards ended.
    pub(crate) fn ending(shards: &[&Results]) -> Ending {
        match shards {
            _ if Self::of_run(shards).is_some() => Ending::Stopped,
            [one] => one.manifest.progress.ending,
            _ => Ending::AllRuns,
        }
    }

    /// The battles between these shards that none of them has.
    fn between(shards: &[&Results]) -> Option<Self> {
        let progress = || shards.iter().map(|shard| &shard.manifest.progress);
        let first = progress().map(|progress| progress.first).min().unwrap_or(0);
        let end = progress().map(|progress| progress.first + progress.battles).max().unwrap_or(0);
        Self::within(shards, first..end)
    }

    fn within(shards: &[&Results], battles: Range<u64>) -> Option<Self> {
        let mut fought: Vec<_> = shards.iter().map(|shard| &shard.manifest.progress).collect();
        fought.sort_by_key(|progress| progress.first);
        let (mut ranges, mut next) = (Vec::new(), battles.start);
        for progress in fought.into_iter().filter(|progress| progress.battles > 0) {
            ranges.push(next..progress.first);
            next = progress.first + progress.battles;
        }
        ranges.push(next..battles.end);
        ranges.retain(|range| !range.is_empty());
        (!ranges.is_empty()).then(|| Self { ranges, runs: runs(shards) })
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let range = |range: &Range<u64>| format!("{} to {}", range.start, range.end - 1);
        let all: Vec<String> = self.ranges.iter().map(range).collect();
        let all = match all.split_last() {
            Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
            _ => all.concat(),
        };
        write!(out, "battles {all} of {} are missing; the first is battle 0", self.runs)
    }
}

/// The number of battles of the whole run.
fn runs(shards: &[&Results]) -> u64 {
    shards.iter().map(|shard| shard.manifest.runs).max().unwrap_or(0)
}

/// Adds shards.
///
/// # Errors
/// See [`Unaddable`].
pub(crate) fn sum(shards: &[&Results]) -> Result<Sum, Unaddable> {
    if let Some(exact) = shards.iter().position(|shard| shard.manifest.method == Method::Exact) {
        return Err(Unaddable::NoBattles(exact));
    }
    let mut order: Vec<usize> = (0..shards.len()).collect();
    order.sort_by_key(|&place| (shards[place].manifest.progress.first, shards[place].manifest.progress.battles));
    let Some(first) = order.first().map(|&place| shards[place]) else { return Err(Unaddable::Nothing) };
    let mut end = 0;
    for &place in &order {
        end = check(place, shards[place], first, end)?;
    }
    if let Some(missing) = Missing::between(shards) {
        return Err(Unaddable::Missing(missing));
    }
    let mut tallied = Tallied::new(first.manifest.progress.first, &first.manifest.baselines());
    for &place in &order {
        add(place, shards[place], &mut tallied)?;
    }
    let mut manifest = first.manifest.clone();
    let all = || shards.iter().map(|shard| &shard.manifest);
    manifest.runs = runs(shards);
    manifest.files.keep = kept(&order.iter().map(|&place| shards[place]).collect::<Vec<_>>());
    // If only some of the folders counted luck, a sum of luck would not cover all battles.
    manifest.luck = all().all(|manifest| manifest.luck);
    if !manifest.luck {
        tallied.cells.iter_mut().for_each(|tally| tally.luck = None);
    }
    Ok(Sum { order, manifest, tallied })
}

/// Checks that a shard fits the first one and begins at or after the `end` of those before it. Returns its own end.
fn check(place: usize, shard: &Results, first: &Results, end: u64) -> Result<u64, Unaddable> {
    let progress = &shard.manifest.progress;
    if let Some(differences) = Differences::of_shards(&shard.manifest, &first.manifest) {
        return Err(Unaddable::OtherBattles { shard: place, differences: differences.into() });
    }
    if progress.battles == 0 {
        return Ok(end);
    }
    let next = progress.first + progress.battles;
    if progress.first < end {
        return Err(Unaddable::Twice { shard: place, first: progress.first, last: next - 1 });
    }
    Ok(next)
}

fn add(place: usize, shard: &Results, tallied: &mut Tallied) -> Result<(), Unaddable> {
    let progress = &shard.manifest.progress;
    for (tally, more) in tallied.cells.iter_mut().zip(&shard.tallies) {
        tally.merge(more);
    }
    tallied.battles += progress.battles;
    let digest: Digest = progress.digest.parse().map_err(|_| Unaddable::Digest(place))?;
    tallied.digest.merge(digest);
    Ok(())
}

/// The number of battles in each cell that the sum keeps individually; `None` for all. A single run would keep the same
/// number as the shard that keeps most; the sum has them up to the first gap between shards.
fn kept(shards: &[&Results]) -> Option<u64> {
    let mut most = Some(0);
    for shard in shards {
        most = most.zip(shard.manifest.files.keep).map(|(most, keep): (u64, u64)| most.max(keep));
    }
    let mut before = 0;
    for shard in shards {
        let fought = shard.manifest.progress.battles;
        if let Some(keep) = shard.manifest.files.keep.filter(|&keep| keep < fought) {
            return Some(most.map_or(before + keep, |most| most.min(before + keep)));
        }
        before += fought;
    }
    most
}
