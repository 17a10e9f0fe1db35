//! Made-up results with other players: the original counts, shifted.

use grognard_lab::players::{CellUnder, Led, Players, Under, Value};
use grognard_lab::results::Results;
use grognard_lab::tally::{Histogram, Verdict};

/// Battles in which a beginner plays.
const BATTLES: u64 = 1_000;

/// The doctrines; beginners, with whom each finding is `beginner`, in percentage points of the first side's score; and
/// perfect players, with whom each finding is exactly `best`. There is no beginner's doctrine for the defender.
pub(crate) fn players(results: &Results, beginner: i32, best: i32) -> Players {
    let manifest = &results.manifest;
    let counted = |pairs: [(i32, u64); 2]| pairs.into_iter().filter(|(_, count)| *count > 0).collect::<Histogram>();
    let fought = |points: u64, apart: Option<i32>| Value::Fought {
        own: counted([(0, BATTLES - 10 * points), (2, 10 * points)]),
        apart: apart.map(|apart| {
            let changed = 10 * u64::from(apart.unsigned_abs());
            counted([(0, BATTLES - changed), (2 * apart.signum(), changed)])
        }),
    };
    let doctrine = |cell: usize| {
        let tally = &results.tallies[cell];
        let share = |verdict: Verdict| 100 * tally.outcomes[verdict.index()] / tally.runs().max(1);
        share(Verdict::First)
    };
    let under = |player: &str, led: [Led; 2], value: &dyn Fn(usize, Option<u32>) -> Value| Under {
        player: player.to_owned(),
        cells: manifest
            .cells
            .iter()
            .enumerate()
            .map(|(place, cell)| CellUnder {
                led,
                value: value(place, cell.baseline.filter(|&base| base != cell.cell)),
            })
            .collect(),
        doctrines: Default::default(),
        orders_of: None,
    };
    let of_doctrine = |place: usize, baseline: Option<u32>| {
        let own = doctrine(place);
        let apart = baseline.map(|baseline| own as i32 - doctrine(baseline as usize) as i32);
        fought(own, apart)
    };
    let of_beginner = |_: usize, baseline: Option<u32>| fought(50, baseline.map(|_| beginner));
    let of_best = |_: usize, baseline: Option<u32>| {
        let points = 50 + baseline.map_or(0, |_| i64::from(best));
        Value::Solved { low: points * 10_000_000_000, high: points * 10_000_000_000 }
    };
    Players {
        metric: format!("{} score", manifest.sides[0]),
        share: true,
        per: 2,
        most: 2,
        round: 1,
        battles: BATTLES,
        players: vec![
            under("beginner", [Led::Player, Led::Doctrine], &of_beginner),
            under("default", [Led::Doctrine; 2], &of_doctrine),
            under("best", [Led::Player; 2], &of_best),
        ],
    }
}
