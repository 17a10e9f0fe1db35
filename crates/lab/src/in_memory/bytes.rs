//! Results as bytes, for another process or another machine with the same version.
//!
//! They begin with a line that names the format, the length of the JSON, and the SHA-256 of everything after the line.
//! Then come the manifest and the counts as JSON, and the kept battles: two bytes each, eight for each side, and
//! sixteen more if luck is counted. Estimates are not written; they are computed from the counts on demand.

use std::path::PathBuf;

use grognard_dice::Luck;
use grognard_engine::{BySide, Outcome, Side, SideOutcome};
use serde::{Deserialize, Serialize};

use super::Fetched;
use crate::exact::CellOdds;
use crate::results::{Manifest, Method, Results, Summary, sha256};
use crate::tally::{CellTally, Verdict};

/// The first bytes. The number is incremented when the format changes.
const FORMAT: &str = "grognard results 3";

/// The maximum length of the first line after [`FORMAT`]: the length of the JSON and the SHA-256, with spaces.
const HEAD_MAX: usize = 24 + 64;

/// Bytes of a battle.
const BATTLE: usize = 2;
/// Bytes of a side in a battle.
const SIDE: usize = 8;
/// Bytes of its luck.
const LUCK: usize = 16;

/// Bytes that are not results of this version.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("these bytes are not results of grognard {version}: {0}", version = env!("CARGO_PKG_VERSION"))]
pub struct BadBytes(String);

/// The part that is written as JSON.
#[derive(Serialize, Deserialize)]
struct Counted {
    manifest: Manifest,
    tallies: Vec<CellTally>,
    odds: Vec<CellOdds>,
    /// Battles in each cell that follow.
    kept: Vec<usize>,
}

/// Writes results.
#[must_use]
pub fn to_bytes(fetched: &Fetched) -> Vec<u8> {
    let Results { manifest, tallies, odds, .. } = &fetched.results;
    let kept = fetched.kept.iter().map(Vec::len).collect();
    let counted = Counted { manifest: manifest.clone(), tallies: tallies.clone(), odds: odds.clone(), kept };
    // Plain data with text for keys: it contains nothing that JSON cannot represent.
    let mut rest = serde_json::to_vec(&counted).unwrap_or_default();
    let length = rest.len();
    for (kept, luck) in fetched.kept.iter().zip(&fetched.luck) {
        for (place, outcome) in kept.iter().enumerate() {
            rest.extend(of_battle(outcome));
            for luck in luck.get(place).into_iter().flat_map(|luck| Side::BOTH.map(|side| luck[side])) {
                rest.extend(luck.0.to_le_bytes());
            }
        }
    }
    let mut bytes = format!("{FORMAT} {length} {}\n", sha256(&rest)).into_bytes();
    bytes.append(&mut rest);
    bytes
}

/// Reads results written by [`to_bytes`].
///
/// # Errors
/// Another version wrote it, or it was damaged.
pub fn from_bytes(bytes: &[u8]) -> Result<Fetched, BadBytes> {
    let bad = |what: &str| BadBytes(what.to_owned());
    let Some((length, sum, rest)) = opened(bytes) else {
        return Err(bad("they do not begin with a results header"));
    };
    let json = rest.get(..length).ok_or_else(|| bad("they end too early"))?;
    if sha256(rest) != sum {
        return Err(bad("they are damaged"));
    }
    let counted: Counted = serde_json::from_slice(json).map_err(|error| BadBytes(error.to_string()))?;
    let Counted { manifest, tallies, odds, kept } = counted;
    if manifest.tool != env!("CARGO_PKG_VERSION") {
        return Err(BadBytes(format!("version {} wrote them", manifest.tool)));
    }
    let cells = manifest.cells.len();
    let (sampled, exact) = if manifest.method == Method::Exact { (0, cells) } else { (cells, 0) };
    if [tallies.len(), odds.len(), kept.len()] != [sampled, exact, sampled] {
        return Err(bad("their cells differ from the study's"));
    }
    let battle = BATTLE + SIDE * manifest.sides.len();
    let mut battles = rest[length..].chunks_exact(if manifest.luck { battle + LUCK } else { battle });
    let all = kept.iter().try_fold(0_usize, |sum, &count| sum.checked_add(count));
    if all != Some(battles.len()) || !battles.remainder().is_empty() {
        return Err(bad("they do not have the number of battles that they state"));
    }
    let mut outcomes = Vec::with_capacity(cells);
    let mut luck = Vec::with_capacity(cells);
    for count in kept {
        let these: Vec<&[u8]> = battles.by_ref().take(count).collect();
        let read = these.iter().map(|bytes| to_battle(&bytes[..battle])).collect::<Option<Vec<_>>>();
        outcomes.push(read.ok_or_else(|| bad("a battle has a winner that does not exist"))?);
        luck.push(these.iter().filter_map(|bytes| to_luck(&bytes[battle..])).collect());
    }
    let (folder, summary) = (PathBuf::new(), Summary::default());
    let results = Results { folder, manifest, tallies, odds, summary, watched: None, players: None };
    Ok(Fetched { results, kept: outcomes, luck })
}

/// The length of the JSON and the SHA-256 that the first line states, and what follows it.
fn opened(bytes: &[u8]) -> Option<(usize, &str, &[u8])> {
    let line = bytes.iter().take(FORMAT.len() + HEAD_MAX).position(|&byte| byte == b'\n')?;
    let head = std::str::from_utf8(&bytes[..line]).ok()?.strip_prefix(FORMAT)?;
    let (length, sum) = head.trim_start().split_once(' ')?;
    Some((length.parse().ok()?, sum, &bytes[line + 1..]))
}

fn of_battle(outcome: &Outcome) -> Vec<u8> {
    let mut bytes = vec![Verdict::of(outcome.winner).index() as u8, outcome.turns];
    for side in outcome.sides.iter() {
        let SideOutcome { start, losses, units, routed_units, shaken_units, rout_turn } = *side;
        bytes.extend(start.to_le_bytes().into_iter().chain(losses.to_le_bytes()));
        bytes.extend([units, routed_units, shaken_units, rout_turn]);
    }
    bytes
}

fn to_battle(bytes: &[u8]) -> Option<Outcome> {
    let winner = Verdict::ALL.get(usize::from(bytes[0]))?.winner();
    let side = |half: &[u8]| SideOutcome {
        start: u16::from_le_bytes([half[0], half[1]]),
        losses: u16::from_le_bytes([half[2], half[3]]),
        units: half[4],
        routed_units: half[5],
        shaken_units: half[6],
        rout_turn: half[7],
    };
    let sides: Vec<SideOutcome> = bytes[BATTLE..].chunks_exact(SIDE).map(side).collect();
    let sides = BySide::of(sides.len(), |side| sides[side.index()]);
    winner.is_none_or(|winner| winner.index() < sides.count()).then_some(Outcome { winner, turns: bytes[1], sides })
}

/// The luck of both sides, if it was counted.
fn to_luck(bytes: &[u8]) -> Option<BySide<Luck>> {
    let side = |at: usize| Some(Luck(i64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?)));
    Some(BySide::new(side(0)?, side(8)?))
}
