//! The sum of shards: their counts, and why they may not fit.

use super::{Differences, Manifest, Method, Results};
use crate::digest::Digest;
use crate::runner::Tallied;

/// Shards that follow upon each other, added.
#[derive(Debug)]
pub(crate) struct Sum {
    /// The places of the shards, in the order of their battles.
    pub(crate) order: Vec<usize>,
    /// The manifest of one run of all the battles, except for how far it came; how it was made is that of the first shard.
    pub(crate) manifest: Manifest,
    /// The counts of all battles.
    pub(crate) tallied: Tallied,
}

/// Why shards cannot be added. A shard is named by its place among those that were given.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unaddable {
    /// There are none.
    #[error("there are no results to add")]
    Nothing,
    /// A shard holds exact odds, and no battles.
    #[error("result {0} holds exact odds: it has no battles to add")]
    NoBattles(usize),
    /// Another seed, pack, deployment or version made its battles.
    #[error("result {shard} holds battles of another series: {differences}")]
    OtherBattles {
        /// The shard.
        shard: usize,
        /// What sets its battles apart from those of the first.
        differences: Box<Differences>,
    },
    /// Its battles, or some of them, are in another shard too.
    #[error(
        "battles {first} to {last} of result {shard} occur twice: it is given twice, or another one has some of them"
    )]
    Twice {
        /// The shard.
        shard: usize,
        /// Its first battle.
        first: u64,
        /// Its last battle.
        last: u64,
    },
    /// Battles are missing before it.
    #[error("result {shard} begins with battle {first}, but battle {expected} is the next one missing")]
    Gap {
        /// The shard.
        shard: usize,
        /// Its first battle.
        first: u64,
        /// The battle it should begin with.
        expected: u64,
    },
    /// Its digest cannot be read.
    #[error("the digest of result {0} is not a hexadecimal number of 64 bits")]
    Digest(usize),
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
    let mut tallied = Tallied::new(first.manifest.progress.first, &first.manifest.baselines());
    for &place in &order {
        add(place, shards[place], first, &mut tallied)?;
    }
    let mut manifest = first.manifest.clone();
    let all = || shards.iter().map(|shard| &shard.manifest);
    manifest.runs = all().map(|manifest| manifest.runs).max().unwrap_or(manifest.runs);
    manifest.files.keep = kept(&order.iter().map(|&place| shards[place]).collect::<Vec<_>>());
    // The luck of some battles is not that of all.
    manifest.luck = all().all(|manifest| manifest.luck);
    if !manifest.luck {
        tallied.cells.iter_mut().for_each(|tally| tally.luck = None);
    }
    Ok(Sum { order, manifest, tallied })
}

fn add(place: usize, shard: &Results, first: &Results, tallied: &mut Tallied) -> Result<(), Unaddable> {
    let progress = &shard.manifest.progress;
    if let Some(differences) = Differences::between(&shard.manifest, &first.manifest) {
        return Err(Unaddable::OtherBattles { shard: place, differences: differences.into() });
    }
    if progress.first < tallied.next() && progress.battles > 0 {
        let last = progress.first + progress.battles - 1;
        return Err(Unaddable::Twice { shard: place, first: progress.first, last });
    }
    if progress.first != tallied.next() {
        return Err(Unaddable::Gap { shard: place, first: progress.first, expected: tallied.next() });
    }
    for (tally, more) in tallied.cells.iter_mut().zip(&shard.tallies) {
        tally.merge(more);
    }
    tallied.battles += progress.battles;
    let digest: Digest = progress.digest.parse().map_err(|_| Unaddable::Digest(place))?;
    tallied.digest.merge(digest);
    Ok(())
}

/// The number of battles of each cell that the sum keeps individually; none if all. A single run would keep as many
/// as the shard that keeps most, and the sum has them up to the first gap between shards.
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
