//! Sums up exactly how often intervals hold the truth, over the range in which they are offered, and draws it: `just covered` writes
//! `docs/images/coverage.svg` and `.png` and prints the table of `docs/how-the-numbers-are-made.md`.

#[path = "../../stats/tests/covered/mod.rs"]
mod covered;

use std::error::Error;
use std::path::Path;

use covered::{of_count, of_luck, of_share, of_three, of_two, of_watched, on_flanks, ratio_on_flanks};
use grognard_lab::print::{capitalised, counted};
use grognard_report::charts::{LevelPanel, Levels};
use grognard_report::{Size, Theme};
use grognard_stats::{Intervals, Kind, Level, Pairs, bonferroni, independent_difference, share, share_exact};

/// Intervals that hold together.
const TOGETHER: usize = 100;
/// The most counts of what happens, on average, for which three values are summed up: beyond it nothing is rare.
const RARE: f64 = 200.0;

/// What intervals are of.
#[derive(Clone, Copy)]
enum Of {
    Share,
    /// A share of battles loses twelve figures, five times as many lose one.
    Mean,
    /// A share of pairs has it in the cell alone, half as many in the baseline alone.
    Pairs,
    /// A share of battles has it in the one cell, half as many in the other, with other dice.
    Independent,
    /// In a share of battles three of six attacks are on a flank, in the others none of two.
    Ratio,
    /// A share of battles, three times as large if a die falls well.
    Luck,
    /// A share that is looked at again and again.
    Watched,
}

impl Of {
    const ALL: [Self; 7] =
        [Self::Share, Self::Mean, Self::Pairs, Self::Independent, Self::Ratio, Self::Luck, Self::Watched];

    fn name(self) -> &'static str {
        match self {
            Self::Share => "shares",
            Self::Mean => "means of rare losses",
            Self::Pairs => "paired differences",
            Self::Independent => "unpaired differences",
            Self::Ratio => "ratios (normal theory)",
            Self::Luck => "shares, luck removed",
            Self::Watched => "watched shares",
        }
    }

    /// Numbers of battles: nothing is made of luck for fewer than a hundred.
    fn battles(self) -> [u64; 3] {
        match self {
            Self::Luck => [100, 1_000, 1_000_000],
            _ => [30, 1_000, 1_000_000],
        }
    }

    /// How often such an interval holds; none where the sum is long and the answer known from rarer things.
    fn coverage(self, kind: Kind, level: Level, runs: u64, chance: f64) -> Option<f64> {
        let intervals = Intervals { level, kind };
        let is_rare = chance * runs as f64 <= RARE;
        match self {
            Self::Share if kind == Kind::Wilson => Some(of_share(share, runs, chance, level)),
            Self::Share => Some(of_share(share_exact, runs, chance, level)),
            Self::Mean if chance <= 0.15 && is_rare => {
                let of = |counts: [(i32, u64); 3]| intervals.mean(counts, 0..=12);
                Some(of_three(of, [0, 1, 12], [5.0 * chance, chance], runs))
            }
            Self::Pairs if chance <= 0.6 && is_rare => {
                let of = |counts: [(i32, u64); 3]| {
                    let (lost, gained) = (counts[0].1, counts[2].1);
                    let pairs = Pairs { both: 0, cell_only: gained, baseline_only: lost, neither: counts[1].1 };
                    intervals.share_difference(pairs)
                };
                Some(of_three(of, [-1, 0, 1], [1.0 - 1.5 * chance, chance], runs))
            }
            Self::Independent if is_rare => {
                let of = |[one, other]: [u64; 2]| {
                    independent_difference(&intervals.share(one, runs), &intervals.share(other, runs))
                };
                Some(of_two(of, runs, [chance, chance / 2.0]))
            }
            // Of ratios and of watched shares there is one kind of interval.
            Self::Ratio if kind == Kind::Exact => {
                let of = |bad: u64| ratio_on_flanks(bad, runs, level);
                Some(of_count(of, on_flanks(chance), runs, chance))
            }
            Self::Luck if is_rare => Some(of_luck(intervals, runs, chance)),
            Self::Watched if kind == Kind::Exact => {
                let looks: Vec<u64> =
                    (0..).map(|nth| 30 << nth).take_while(|look| *look < runs).chain([runs]).collect();
                of_watched(&looks, chance, level).last().copied()
            }
            _ => None,
        }
    }
}

/// Shares from one in a million to a half, on a logarithmic scale.
fn shares(of: Of) -> Vec<f64> {
    let steps = if matches!(of, Of::Share) { 240 } else { 48 };
    (0..=steps).map(|step| 1e-6 * 5e5_f64.powf(f64::from(step) / f64::from(steps))).collect()
}

/// The curve of shares with how many per cent of intervals hold.
fn curve(of: Of, kind: Kind, level: Level, runs: u64) -> Vec<(f64, f64)> {
    let point = |chance: f64| Some((chance, 100.0 * of.coverage(kind, level, runs, chance)?));
    shares(of).into_iter().filter_map(point).collect()
}

fn least(curve: &[(f64, f64)]) -> f64 {
    curve.iter().map(|(_, held)| *held).fold(100.0, f64::min)
}

fn main() -> Result<(), Box<dyn Error>> {
    let out = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/images");
    let joint = bonferroni(Level::P95, TOGETHER);
    println!("| least coverage | battles | exact (default) | Wilson, Student, Tango | {TOGETHER} together, exact |");
    println!("|---|---|---|---|---|");
    let mut rows = Vec::new();
    for of in Of::ALL {
        let mut panels = Vec::new();
        for runs in of.battles() {
            let [exact, wilson] = [Kind::Exact, Kind::Wilson].map(|kind| curve(of, kind, Level::P95, runs));
            let tails = least(&curve(of, Kind::Exact, joint, runs));
            // What is rarest for all of them at once, were they independent.
            let together = 100.0 * (tails / 100.0).powi(TOGETHER as i32);
            let battles = counted(runs);
            let other = if wilson.is_empty() { "–".to_owned() } else { format!("{:.1} %", least(&wilson)) };
            println!("| {} | {battles} | {:.1} % | {other} | {together:.1} % |", of.name(), least(&exact));
            let title = format!("{}, {battles}", capitalised(of.name()));
            panels.push(LevelPanel { title, lines: vec![exact, wilson] });
        }
        rows.push(panels);
    }
    let chart = Levels {
        finding: "The default intervals of shares, means and differences hold at least as often as they claim, however rare a thing is".to_owned(),
        about: "How many of 95 % intervals hold the truth, by the number of battles and by the true share of battles in which something \
                happens (logarithmic). Shares above a half are the mirror image. Below 80 % nothing is drawn."
            .to_owned(),
        kinds: vec!["exact: the default".to_owned(), "Wilson, Student, Tango (--intervals wilson)".to_owned()],
        level: 95.0,
        least: 80.0,
        rows,
    }
    .chart("Summed over all counts, without simulation. Rerun: just covered".to_owned());
    std::fs::write(out.join("coverage.svg"), chart.svg(Size::Page, Theme::Light)?)?;
    std::fs::write(out.join("coverage.png"), chart.png(Size::Page, Theme::Light)?)?;
    Ok(())
}
