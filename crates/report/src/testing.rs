//! Made-up results: battles whose outcome is a hash of their index, interpreted differently in each cell.

mod players;
mod watched;

pub(crate) use players::players;

use std::path::PathBuf;

use grognard_lab::results::{
    CellHeader, DRAW, Ending, FORMAT, Files, Kind, Made, Manifest, Method, MetricHeader, PackHeader, Progress,
    ReportHeader, Results, Setting, StudyHeader, SummaryRow, TURNS, Value, Varied, WIN, pairs_of_metric,
    pairs_of_verdict,
};
use grognard_lab::tally::{CellTally, Histogram, Verdict};
use grognard_lab::{METRICS, Side};
use grognard_stats::Estimate;

/// SHA-256 of an empty text: FIPS 180-4's test vector.
const OF_NOTHING: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/// A varied path with the text of each of its values.
pub(crate) type Path<'a> = (&'a str, &'a [&'a str]);

/// A study over the full grid of `vary`, with the first value of the first path as the baseline. `chance` returns the
/// defender's chance of winning, given the indices of a cell's values.
pub(crate) fn results(vary: &[Path<'_>], battles: u64, chance: impl Fn(&[usize]) -> f64) -> Results {
    let manifest = manifest(vary, battles);
    let fought: Vec<Vec<Battle>> =
        grid(vary).iter().map(|places| (0..battles).map(|battle| fight(battle, chance(places))).collect()).collect();
    let tallies: Vec<CellTally> = manifest
        .cells
        .iter()
        .map(|cell| {
            let own = &fought[cell.cell as usize];
            let baseline = cell.baseline.filter(|&baseline| baseline != cell.cell);
            tally(own, baseline.map(|baseline| fought[baseline as usize].as_slice()))
        })
        .collect();
    let summary = summary(&manifest, &tallies);
    let watched = (battles > 0).then(|| watched::watched(&manifest));
    Results {
        folder: PathBuf::from("results/made-up"),
        manifest,
        tallies,
        odds: Vec::new(),
        summary: summary.into(),
        watched,
        players: None,
    }
}

/// The same results with a third side, which takes a third of the first side's wins and loses as many figures.
pub(crate) fn with_a_third(mut results: Results) -> Results {
    let [first, third] = [Verdict::First, Verdict::Third].map(Verdict::index);
    results.manifest.sides.push("reserve".to_owned());
    for cell in &mut results.manifest.cells {
        cell.figures.push(12);
        cell.units.push(1);
    }
    for tally in &mut results.tallies {
        let won = tally.outcomes[first] / 3;
        tally.outcomes[first] -= won;
        tally.outcomes[third] = won;
        tally.metrics.third = Some(tally.metrics.first.clone());
        let Some(paired) = &mut tally.paired else { continue };
        for row in &mut paired.joint {
            let won = row[first] / 3;
            row[first] -= won;
            row[third] = won;
        }
        let won = paired.joint[first].map(|count| count / 3);
        for (left, won) in paired.joint[first].iter_mut().zip(won) {
            *left -= won;
        }
        paired.joint[third] = won;
        paired.metrics.third = Some(paired.metrics.first.clone());
    }
    results.summary = summary(&results.manifest, &results.tallies).into();
    for cell in results.watched.iter_mut().flat_map(|watched| &mut watched.cells) {
        cell.morale.push(cell.morale[0].clone());
    }
    for odd in results.watched.iter_mut().flat_map(|watched| &mut watched.odd) {
        odd.figures.push(12);
        odd.losses.push(4);
    }
    results
}

/// The indices of every combination of values, the last path changing fastest.
fn grid(vary: &[Path<'_>]) -> Vec<Vec<usize>> {
    vary.iter().fold(vec![vec![]], |cells, (_, values)| {
        cells.iter().flat_map(|cell| (0..values.len()).map(move |value| [&cell[..], &[value]].concat())).collect()
    })
}

struct Battle {
    winner: Option<Side>,
    turns: i32,
    losses: [i32; 2],
    rout: [i32; 2],
}

fn fight(battle: u64, chance: f64) -> Battle {
    let word = (battle + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let word = (word ^ (word >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let luck = (word >> 11) as f64 / (1_u64 << 53) as f64;
    let turn = 1 + (word % 5 + (word >> 8) % 4) as i32;
    let drawn = if chance > 0.0 && chance < 1.0 { 0.06 } else { 0.0 };
    let winner = if luck < chance {
        Some(Side::Second)
    } else if luck < chance + drawn {
        None
    } else {
        Some(Side::First)
    };
    let lost = |side: Side| {
        let beaten = winner == Some(side.other());
        let dice = if beaten { 12 } else { 5 };
        let heavy = if side == Side::First { chance } else { 1.0 - chance };
        (0..dice).filter(|die| (word >> (die * 4)) % 16 < 3 + (heavy * 5.0) as u64).count() as i32
    };
    let rout = |side: Side| if winner == Some(side.other()) { turn } else { 0 };
    Battle { winner, turns: 8, losses: Side::BOTH.map(lost), rout: Side::BOTH.map(rout) }
}

impl Battle {
    /// A side's metrics, in the order of [`METRICS`].
    fn metrics(&self, side: Side) -> [i32; METRICS.len()] {
        let rout = self.rout[side.index()];
        let losses = self.losses[side.index()];
        [losses, i32::from(rout > 0), i32::from(losses > 5), i32::from(rout > 0), rout]
    }
}

fn tally(own: &[Battle], baseline: Option<&[Battle]>) -> CellTally {
    let mut tally = CellTally::new(baseline.is_some());
    for (nth, battle) in own.iter().enumerate() {
        tally.outcomes[Verdict::of(battle.winner).index()] += 1;
        tally.turns.add(battle.turns);
        for side in Side::BOTH {
            for (histogram, value) in tally.metrics[side].iter_mut().zip(battle.metrics(side)) {
                histogram.add(value);
            }
        }
        if let (Some(paired), Some(base)) = (&mut tally.paired, baseline.map(|baseline| &baseline[nth])) {
            paired.joint[Verdict::of(battle.winner).index()][Verdict::of(base.winner).index()] += 1;
            paired.turns.add(battle.turns - base.turns);
            for side in Side::BOTH {
                let values = battle.metrics(side).into_iter().zip(base.metrics(side));
                for (histogram, (value, base)) in paired.metrics[side].iter_mut().zip(values) {
                    histogram.add(value - base);
                }
            }
        }
    }
    tally
}

/// The estimates of made-up tallies.
pub(crate) fn summary(manifest: &Manifest, tallies: &[CellTally]) -> Vec<SummaryRow> {
    let intervals = manifest.intervals();
    let mut rows = Vec::new();
    for (cell, tally) in manifest.cells.iter().zip(tallies) {
        let mut push = |side, metric: &str, kind: Kind, estimate: Estimate| {
            let baseline = kind.is_difference().then_some(cell.baseline).flatten();
            let Estimate { point, low, high, runs, .. } = estimate;
            let metric = metric.to_owned();
            rows.push(SummaryRow {
                cell: cell.cell,
                side,
                metric,
                kind,
                baseline,
                mean: point,
                low,
                high,
                level: 0.95,
                runs,
                variance_ratio: None,
            });
        };
        let mean_of = |histogram: &Histogram, least| intervals.mean(histogram.iter(), least..=12);
        for &verdict in Verdict::among(manifest.sides.len()) {
            let metric = if verdict.winner().is_some() { WIN } else { DRAW };
            let wins = intervals.share(tally.outcomes[verdict.index()], tally.runs());
            push(verdict.winner(), metric, Kind::Share, wins);
            if let Some(paired) = &tally.paired {
                let difference = intervals.share_difference(pairs_of_verdict(&paired.joint, verdict));
                push(verdict.winner(), metric, Kind::ShareDifference, difference);
            }
        }
        push(None, TURNS, Kind::Mean, mean_of(&tally.turns, 0));
        if let Some(paired) = &tally.paired {
            push(None, TURNS, Kind::MeanDifference, mean_of(&paired.turns, -12));
        }
        for &side in Side::first(manifest.sides.len()) {
            for (at, metric) in METRICS.iter().enumerate() {
                let own = &tally.metrics[side][at];
                let estimate =
                    if metric.share { intervals.share(own.count_of(1), own.runs()) } else { mean_of(own, 0) };
                push(Some(side), metric.key, if metric.share { Kind::Share } else { Kind::Mean }, estimate);
                let Some(paired) = &tally.paired else { continue };
                let difference = &paired.metrics[side][at];
                if metric.share {
                    let pairs = intervals.share_difference(pairs_of_metric(difference, own));
                    push(Some(side), metric.key, Kind::ShareDifference, pairs);
                } else {
                    push(Some(side), metric.key, Kind::MeanDifference, mean_of(difference, -12));
                }
            }
        }
    }
    rows
}

fn value(text: &str) -> Value {
    Value { text: text.to_owned(), number: text.parse().ok() }
}

fn manifest(vary: &[Path<'_>], battles: u64) -> Manifest {
    let cells = grid(vary);
    let cell = |(index, places): (u32, &Vec<usize>)| {
        let setting = |((path, values), &place): (&Path<'_>, &usize)| Setting {
            path: (*path).to_owned(),
            value: value(values[place]),
        };
        let settings: Vec<Setting> = vary.iter().zip(places).map(setting).collect();
        let baseline = cells
            .iter()
            .position(|other| other.first().is_some_and(|&first| first == 0) && other.get(1..) == places.get(1..));
        let texts: Vec<&str> = settings.iter().map(|setting| setting.value.text.as_str()).collect();
        CellHeader {
            cell: index,
            label: texts.join(", "),
            turns: 8,
            figures: vec![12, 12],
            units: vec![1, 1],
            baseline: baseline.map(|baseline| baseline as u32),
            vary: settings,
        }
    };
    let metric = |metric: &grognard_lab::Metric| MetricHeader {
        key: metric.key.to_owned(),
        title: metric.title.to_owned(),
        share: metric.share,
        ratio: None,
    };
    Manifest {
        format: FORMAT,
        tool: "0.1.0".to_owned(),
        study: StudyHeader {
            name: "square-vs-line".to_owned(),
            title: "Square or line against a cavalry charge".to_owned(),
            text: String::new(),
            sha256: OF_NOTHING.to_owned(),
        },
        more_packs: Vec::new(),
        pack: PackHeader {
            name: "napoleonic-figures".to_owned(),
            title: "Napoleonic figures".to_owned(),
            version: "1.2.0".to_owned(),
            text: String::new(),
            sha256: OF_NOTHING.to_owned(),
        },
        identity: "3d".repeat(32),
        seed: 1815,
        runs: battles,
        precision: None,
        luck: false,
        lost_only: false,
        sides: vec!["attacker".to_owned(), "defender".to_owned()],
        vary: vary
            .iter()
            .map(|(path, values)| Varied {
                path: (*path).to_owned(),
                values: values.iter().map(|text| value(text)).collect(),
            })
            .collect(),
        cells: (0..).zip(&cells).map(cell).collect(),
        metrics: METRICS.iter().map(metric).collect(),
        method: Method::Sampled,
        level: 0.95,
        promise: Default::default(),
        progress: Progress {
            block: 4_096,
            first: 0,
            battles,
            ending: Ending::AllRuns,
            digest: "0123456789abcdef".to_owned(),
        },
        files: Files::default(),
        report: ReportHeader {
            analysis: "The square stands because cavalry cannot reach its men.\n\nThe line runs.".to_owned(),
            ..ReportHeader::default()
        },
        made: Made {
            command: format!("grognard run square-vs-line --runs {battles} --seed 1815"),
            elapsed_s: 0.8,
            threads: 2,
            ..Made::default()
        },
    }
}

/// Formations of the defender.
pub(crate) const FORMATIONS: &[&str] = &["line", "column", "square", "skirmish"];
/// Where the attack comes from.
pub(crate) const APPROACHES: &[&str] = &["front", "flank", "rear"];
/// The attackers.
pub(crate) const ARMS: &[&str] = &["heavy-cavalry", "light-cavalry", "line-battalion"];

/// 4 formations × 3 approaches.
pub(crate) fn twelve_cells() -> Results {
    let vary: [Path<'_>; 2] = [("defender.0.formation", FORMATIONS), ("approach", APPROACHES)];
    results(&vary, 20_000, |at| [0.478, 0.55, 0.9, 0.2][at[0]] - [0.0, 0.12, 0.18][at[1]])
}
