//! Computes how often intervals contain the true value, over the range in which they are used, and draws charts of the
//! results. `just covered` writes `docs/images/coverage.svg`, `coverage-drawn.svg` and `coverage-normal.svg`, each also
//! as a `.png`, and prints the tables of `docs/how-the-numbers-are-made.md`. Cases that can be enumerated are computed
//! exactly; the rest are simulated with fixed seeds.

#[path = "../../stats/tests/covered/mod.rs"]
mod covered;
#[path = "../../lab/tests/joint/mod.rs"]
mod joint;

use std::error::Error;
use std::path::Path;

use covered::drawn::{
    Studies, Value, of_decisions, of_kept_pairs, of_pooled, of_precise_means, of_some_battles, of_some_rounds,
    of_study, of_tests,
};
use covered::normal::{of_kept_means, of_luck_means, of_ratio_difference, of_tests_of_means, of_tests_of_shares};
use covered::prices::Planted;
use covered::{of_luck, of_precision, of_ratio, of_share, of_three, of_two, of_values, of_watched};
use grognard_lab::print::{capitalised, counted};
use grognard_report::charts::{LevelPanel, Levels};
use grognard_report::{Size, Theme};
use grognard_stats::{Intervals, Kind, Level, Pairs, bonferroni, share, share_exact};
use joint::effects::Of as Effect;
use joint::matchups::of_matchups;
use joint::tuning::of_tuning;

/// The number of simultaneous intervals.
const TOGETHER: usize = 100;

/// The number of simulated studies for each point: 95 % has a standard error of 0.7 points.
const STUDIES: u64 = 1_000;

/// The new studies that are simulated at the point of lowest coverage, for the table. Their standard error is 0.3
/// points, and choosing the lowest point does not bias them.
const AGAIN: Studies = Studies { count: 4_000, seed: 1_815 };

/// The range of shares for which coverage is known.
#[derive(Clone, Copy, PartialEq)]
enum Shares {
    /// All shares.
    All,
    /// Up to one half; larger shares mirror these.
    Mirrored,
    /// Up to one half; larger shares do not exist.
    Half,
    /// From one half on; smaller shares do not exist.
    UpperHalf,
}

impl Shares {
    /// The shares to compute, from one in a million to all but one in a million, with as many steps below one half as
    /// above it.
    fn steps(self, count: i32) -> Vec<f64> {
        let odds = |step: i32| 1e-6_f64.ln() * (1.0 - f64::from(step) / f64::from(count));
        // Both halves contain one half itself.
        let low = (0..=count).map(|step| odds(step).exp() / (1.0 + odds(step).exp()));
        let low: Vec<f64> = low.map(|share| share.max(1e-6)).collect();
        let high = low.iter().rev().map(|share| 1.0 - share);
        match self {
            Self::All => low.iter().copied().chain(high.skip(1)).collect(),
            Self::Mirrored | Self::Half => low,
            Self::UpperHalf => high.skip(1).collect(),
        }
    }

    /// The curve of coverage in per cent over these shares; `held` also receives the number of the share.
    fn curve(self, count: i32, held: impl Fn(f64, u64) -> Option<f64>) -> Vec<(f64, f64)> {
        let shares = (1..).zip(self.steps(count));
        let low: Vec<(f64, f64)> = shares.filter_map(|(nth, share)| Some((share, 100.0 * held(share, nth)?))).collect();
        if self != Self::Mirrored {
            return low;
        }
        let high: Vec<(f64, f64)> = low.iter().rev().skip(1).map(|&(share, held)| (1.0 - share, held)).collect();
        [low, high].concat()
    }
}

/// The quantities whose intervals are examined.
#[derive(Clone, Copy)]
enum Of {
    Share,
    /// In this share of the rounds, one of the two battles has the event; in half as many, both have it.
    Rounds,
    /// Like `Rounds`, if only the number of battles with the event is known, but not the number of rounds.
    Values,
    /// In a share of battles, twelve figures are lost; in up to five times as many, one.
    Mean,
    /// A share of battles lasts nine turns out of at most twenty, up to five times as many last four, and the rest last
    /// three.
    Turns,
    /// In a share of pairs only the cell has the event; in half as many, only the baseline has it.
    Pairs,
    /// In a share of pairs the cell loses twelve figures more; in half as many, it loses one fewer.
    PairedMeans,
    /// A share of battles has the event in one cell, and half as many in the other, with different dice.
    Independent,
    /// In a share of battles, three out of six attacks are on a flank; in the others, none out of two.
    Ratio,
    /// A share of battles with the luck removed; the event is three times as likely after a good roll.
    Luck,
    /// A share that is checked repeatedly while the study runs.
    Watched,
    /// A share of battles in a study that ends when the share is known precisely enough.
    Precise,
}

impl Of {
    const ALL: [Self; 12] = [
        Self::Share,
        Self::Rounds,
        Self::Values,
        Self::Mean,
        Self::Turns,
        Self::Pairs,
        Self::PairedMeans,
        Self::Independent,
        Self::Watched,
        Self::Precise,
        Self::Luck,
        Self::Ratio,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Share => "shares",
            Self::Rounds => "shares, both ways",
            Self::Values => "values, both ways",
            Self::Mean => "means of rare losses",
            Self::Turns => "means of turns",
            Self::Pairs => "differences of shares",
            Self::PairedMeans => "differences of means",
            Self::Independent => "unpaired differences",
            Self::Ratio => "ratios (normal theory)",
            Self::Luck => "shares, luck removed",
            Self::Watched => "watched shares",
            Self::Precise => "shares, --precision",
        }
    }

    /// The numbers of battles. With fewer than a hundred, luck is not removed. For a study that ends at a precision,
    /// the number is one over the half-width.
    fn battles(self) -> [u64; 3] {
        match self {
            Self::Luck => [100, 1_000, 1_000_000],
            Self::Precise => [10, 50, 200],
            _ => [30, 1_000, 1_000_000],
        }
    }

    fn label(self, battles: u64) -> String {
        match self {
            Self::Precise => format!("±{} points", 100.0 / battles as f64),
            _ => counted(battles),
        }
    }

    fn shares(self) -> Shares {
        match self {
            Self::Share | Self::Rounds | Self::Values | Self::Watched | Self::Precise | Self::Luck => Shares::Mirrored,
            Self::Mean | Self::Turns | Self::Pairs | Self::PairedMeans | Self::Independent | Self::Ratio => Shares::All,
        }
    }

    /// The coverage of these intervals; `None` if this kind does not exist for them.
    fn coverage(self, kind: Kind, level: Level, runs: u64, chance: f64) -> Option<f64> {
        let intervals = Intervals { level, kind };
        // The probabilities of the other events in a battle, limited so that their sum does not exceed 1.
        let (some, few) = ((5.0 * chance).min((1.0 - chance) / 2.0), chance.min(1.0 - chance) / 2.0);
        let mean = |values: [i32; 3], most: i32| {
            of_three(|counts| intervals.mean(counts, 0..=most), values, [some, chance], runs)
        };
        match self {
            Self::Share if kind == Kind::Wilson => Some(of_share(share, runs, chance, level)),
            Self::Share => Some(of_share(share_exact, runs, chance, level)),
            Self::Rounds => {
                let of = |counts: [(i32, u64); 3]| intervals.mean(counts, 0..=2);
                Some(of_three(of, [0, 1, 2], [chance, chance / 2.0], runs / 2))
            }
            Self::Values => Some(of_values(intervals, runs / 2, [chance, chance / 2.0])),
            Self::Mean => Some(mean([0, 1, 12], 12)),
            Self::Turns => Some(mean([3, 4, 9], 20)),
            Self::PairedMeans => {
                let of = |counts: [(i32, u64); 3]| intervals.mean(counts, -12..=12);
                Some(of_three(of, [-1, 0, 12], [1.0 - few - chance, chance], runs))
            }
            Self::Precise if kind == Kind::Exact && level == Level::P95 => {
                Some(of_precision(1.0 / runs as f64, chance, level))
            }
            Self::Pairs => {
                let of = |counts: [(i32, u64); 3]| {
                    let (lost, gained) = (counts[0].1, counts[2].1);
                    let pairs = Pairs { both: 0, cell_only: gained, baseline_only: lost, neither: counts[1].1 };
                    intervals.share_difference(pairs)
                };
                Some(of_three(of, [-1, 0, 1], [1.0 - few - chance, chance], runs))
            }
            Self::Independent => Some(of_two(intervals, runs, [chance, chance / 2.0])),
            // For ratios and watched shares, there is only one kind of interval.
            Self::Ratio if kind == Kind::Exact => Some(of_ratio(runs, chance, level)),
            Self::Luck => Some(of_luck(intervals, runs, chance)),
            Self::Watched if kind == Kind::Exact => of_watched(&looks(runs), chance, level).last().copied(),
            _ => None,
        }
    }

    /// The curve of coverage in per cent over the shares.
    fn curve(self, kind: Kind, level: Level, runs: u64) -> Vec<(f64, f64)> {
        let steps = match self {
            Self::Share => 160,
            Self::Ratio => 96,
            _ => 32,
        };
        self.shares().curve(steps, |chance, _| self.coverage(kind, level, runs, chance))
    }
}

/// The checks of a watched study: after 30 battles, 60, 120 and so on.
fn looks(runs: u64) -> Vec<u64> {
    (0..).map(|nth| 30 << nth).take_while(|look| *look < runs).chain([runs]).collect()
}

/// The quantities whose intervals are simulated.
#[derive(Clone, Copy)]
enum Drawn {
    /// Each of twelve figures is lost with this probability.
    Losses,
    /// The cell loses up to four figures that the baseline keeps, and the baseline up to two that the cell keeps.
    MoreLosses,
    /// Losses of two cells with different dice; in one cell, they are half as likely.
    Unpaired,
    /// The turn of the first rout in the battles that have one, and its difference from a cell with half as many.
    Rout,
    MoreRouts,
    /// In a share of pairs, only the cell has the event; in half as many, only the baseline. Only some pairs were kept.
    KeptPairs,
    /// Means of rare losses, in a study that ends when a share is known precisely enough.
    PreciseMeans,
    /// `Losses` and `MoreLosses`, checked after 30 battles, 60, 120 and so on.
    WatchedLosses,
    WatchedMoreLosses,
    /// All estimates of four cells whose battles share their dice, and of their differences.
    Study,
    /// Twenty tests of quantities that do not differ.
    Tests,
    /// Like `Rout`, but in rounds of two battles with the same dice.
    RoutRounds,
    /// The mean over four cells of a share, computed without comparing battles.
    Pooled,
    /// A decision between two cells with equal scores, checked after 30 battles, 60, 120 and so on.
    Decisions,
    /// A table of nine pairings, with everything derived from their scores.
    Matchups,
    /// A search among seven candidates for the smallest that meets two targets.
    Tuning,
    /// The mean size and the mean of effects over ranges. From here on, intervals are based on the normal
    /// approximation.
    Sizes,
    Effects,
    /// The difference of a ratio from the baseline's.
    Ratios,
    /// Means of losses with the luck removed.
    LuckMeans,
    /// Like `KeptPairs`, but for means.
    KeptMeans,
    /// The score test and Welch's test, where there is no difference.
    SharesTest,
    MeansTest,
    /// Prices of three types and of the edge, jointly, by the probability that one additional unit wins.
    Prices,
    /// The six pairs of these types, jointly.
    PricedPairs,
}

impl Drawn {
    const ALL: [Self; 16] = [
        Self::Losses,
        Self::MoreLosses,
        Self::Unpaired,
        Self::Rout,
        Self::MoreRouts,
        Self::KeptPairs,
        Self::PreciseMeans,
        Self::WatchedLosses,
        Self::WatchedMoreLosses,
        Self::Study,
        Self::Tests,
        Self::RoutRounds,
        Self::Pooled,
        Self::Decisions,
        Self::Matchups,
        Self::Tuning,
    ];
    const NORMAL: [Self; 9] = [
        Self::LuckMeans,
        Self::Ratios,
        Self::KeptMeans,
        Self::SharesTest,
        Self::MeansTest,
        Self::Sizes,
        Self::Effects,
        Self::Prices,
        Self::PricedPairs,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Losses => "means of losses",
            Self::MoreLosses => "differences of losses",
            Self::Unpaired => "unpaired losses",
            Self::Rout => "turn of the first rout",
            Self::MoreRouts => "differences of turns",
            Self::KeptPairs => "shares, pairs kept",
            Self::PreciseMeans => "means, --precision",
            Self::WatchedLosses => "watched means",
            Self::WatchedMoreLosses => "watched differences",
            Self::Study => "35 estimates together",
            Self::Tests => "20 tests, none false",
            Self::RoutRounds => "first rout, both ways",
            Self::Pooled => "shares over four cells",
            Self::Decisions => "--decide, no difference",
            Self::Matchups => "matchups, all together",
            Self::Tuning => "tune, all verdicts",
            Self::Sizes => "μ* over ranges",
            Self::Effects => "μ over ranges",
            Self::Ratios => "differences of ratios",
            Self::LuckMeans => "means, luck removed",
            Self::KeptMeans => "means, pairs kept",
            Self::SharesTest => "tests of shares",
            Self::MeansTest => "tests of means",
            Self::Prices => "prices",
            Self::PricedPairs => "pairs of units",
        }
    }

    /// The numbers of battles. With fewer than a hundred, luck is not removed; and at least a hundred pairs are kept.
    fn battles(self) -> Vec<u64> {
        match self {
            Self::LuckMeans => vec![100, 1_000, 1_000_000],
            // With fewer battles, too few of them change to give an interval.
            Self::Sizes | Self::Effects => vec![1_000, 30_000, 1_000_000],
            Self::KeptPairs | Self::KeptMeans => vec![1_000, 30_000, 1_000_000],
            Self::PreciseMeans => Of::Precise.battles().to_vec(),
            Self::Prices | Self::PricedPairs => vec![16 * 16, 48 * 64, 320 * 3_000],
            _ => vec![30, 1_000, 1_000_000],
        }
    }

    /// The number of pairs of armies that share this many battles, for prices.
    fn armies(battles: u64) -> usize {
        match battles {
            0..1_000 => 16,
            1_000..100_000 => 48,
            _ => 320,
        }
    }

    fn label(self, battles: u64) -> String {
        match self {
            Self::PreciseMeans => Of::Precise.label(battles),
            Self::Prices | Self::PricedPairs => {
                let armies = Self::armies(battles);
                format!("{armies} × {}", counted(battles / armies as u64))
            }
            _ => counted(battles),
        }
    }

    fn shares(self) -> Shares {
        match self {
            Self::Losses | Self::WatchedLosses | Self::Study | Self::Pooled => Shares::Mirrored,
            Self::Matchups | Self::Tuning => Shares::Mirrored,
            Self::LuckMeans | Self::SharesTest | Self::MeansTest => Shares::Mirrored,
            // No share can be higher than the one at which all pairs, or most battles, already differ.
            Self::Tests | Self::Sizes | Self::Effects => Shares::Half,
            Self::Prices | Self::PricedPairs => Shares::UpperHalf,
            _ => Shares::All,
        }
    }

    fn coverage(self, kind: Kind, runs: u64, chance: f64, studies: Studies) -> Option<f64> {
        let level = Level::P95;
        let intervals = Intervals { level, kind };
        let few = Studies { count: studies.count / 2, ..studies };
        let planted = || {
            let armies = Self::armies(runs);
            Planted::deciding(armies, runs / armies as u64, chance)
        };
        match self {
            Self::Losses => Some(Value::losses(chance).covered(intervals, runs, studies)),
            Self::MoreLosses => Some(Value::more_losses(chance).covered(intervals, runs, studies)),
            Self::Unpaired => {
                let other = Value::losses(chance / 2.0);
                Some(Value::losses(chance).covered_beside(&other, intervals, runs, studies))
            }
            Self::Rout => of_some_battles(intervals, runs, chance, false, studies),
            Self::LuckMeans => Some(of_luck_means(intervals, runs, chance, studies)),
            // For these, there is only one kind of interval.
            _ if kind != Kind::Exact => None,
            Self::MoreRouts => of_some_battles(intervals, runs, chance, true, studies),
            Self::KeptPairs => Some(of_kept_pairs(level, runs, chance, studies)),
            Self::PreciseMeans => Some(of_precise_means(level, 1.0 / runs as f64, chance, studies)),
            Self::WatchedLosses => Some(Value::losses(chance).watched(&looks(runs), level, studies)),
            Self::WatchedMoreLosses => Some(Value::more_losses(chance).watched(&looks(runs), level, studies)),
            Self::Study => Some(of_study(intervals, runs, chance, few)),
            Self::Tests => Some(of_tests(runs, chance, level, studies)),
            Self::RoutRounds => of_some_rounds(intervals, runs, chance, studies),
            Self::Pooled => Some(of_pooled(intervals, runs, chance, studies)),
            Self::Decisions => Some(of_decisions(&looks(runs), chance, level, studies)),
            Self::Matchups => Some(of_matchups(&looks(runs), chance, level, few)),
            Self::Tuning => Some(of_tuning(runs, chance, level, Studies { count: studies.count / 5, ..studies })),
            Self::Sizes => Effect::Size.covered(runs, chance, level, studies),
            Self::Effects => Effect::Mean.covered(runs, chance, level, studies),
            Self::Ratios => Some(of_ratio_difference(runs, chance, level, studies)),
            Self::KeptMeans => of_kept_means(level, runs, chance, studies),
            Self::SharesTest => Some(of_tests_of_shares(runs, chance, level, studies)),
            Self::MeansTest => Some(of_tests_of_means(runs, chance, level, studies)),
            Self::Prices => planted().prices(level, studies),
            Self::PricedPairs => planted().pairs(level, studies),
        }
    }

    /// The lowest coverage on this curve in per cent, measured again with other studies.
    fn lowest(self, kind: Kind, runs: u64, curve: &[(f64, f64)]) -> String {
        let lowest = curve.iter().min_by(|one, other| one.1.total_cmp(&other.1));
        let share =
            lowest.map(|&(share, _)| if self.shares() == Shares::Mirrored { share.min(1.0 - share) } else { share });
        let held = share.and_then(|share| self.coverage(kind, runs, share, AGAIN));
        held.map_or_else(|| "–".to_owned(), |held| format!("{:.1} %", 100.0 * held))
    }

    /// The curve of coverage in per cent over the shares; each point has its own dice.
    fn curve(self, kind: Kind, runs: u64) -> Vec<(f64, f64)> {
        self.shares().curve(8, |chance, seed| self.coverage(kind, runs, chance, Studies { count: STUDIES, seed }))
    }
}

fn least(curve: &[(f64, f64)]) -> String {
    if curve.is_empty() { "–".to_owned() } else { format!("{:.1} %", least_of(curve)) }
}

fn least_of(curve: &[(f64, f64)]) -> f64 {
    curve.iter().map(|(_, held)| *held).fold(100.0, f64::min)
}

fn panel(name: &str, label: &str, lines: Vec<Vec<(f64, f64)>>) -> LevelPanel {
    LevelPanel { title: format!("{}, {label}", capitalised(name)), lines }
}

/// The table and the panels of the quantities whose coverage is summed over all counts.
fn summed() -> (String, Vec<Vec<LevelPanel>>) {
    let joint = bonferroni(Level::P95, TOGETHER);
    let mut table = format!(
        "| least coverage | battles | exact (default) | Wilson, Student, Tango | {TOGETHER} together, exact |\n|---|---|---|---|---|\n"
    );
    let mut panel = |of: Of, runs: u64| {
        let [exact, wilson] = [Kind::Exact, Kind::Wilson].map(|kind| of.curve(kind, Level::P95, runs));
        let tails = of.curve(Kind::Exact, joint, runs);
        // The probability that all intervals hold at the share with the lowest coverage, if they were independent.
        let together = |tails: f64| format!("{:.1} %", 100.0 * (tails / 100.0).powi(TOGETHER as i32));
        let together = if tails.is_empty() { "–".to_owned() } else { together(least_of(&tails)) };
        let label = of.label(runs);
        table += &format!("| {} | {label} | {} | {} | {together} |\n", of.name(), least(&exact), least(&wilson));
        panel(of.name(), &label, vec![exact, wilson])
    };
    let rows = Of::ALL.map(|of| of.battles().into_iter().map(|runs| panel(of, runs)).collect()).to_vec();
    (table, rows)
}

/// The table and the panels of these quantities, which are simulated.
fn drawn(all: &[Drawn], kinds: [&str; 2]) -> (String, Vec<Vec<LevelPanel>>) {
    let studies = counted(AGAIN.count);
    let mut table = format!("| coverage where it is lowest, {studies} studies | battles | {} |", kinds[0]);
    table += &format!(" {} |\n|---|---|---|---|\n", kinds[1]);
    let mut panel = |of: Drawn, runs: u64| {
        let both = [Kind::Exact, Kind::Wilson].map(|kind| (kind, of.curve(kind, runs)));
        let [exact, student] = both.each_ref().map(|(kind, curve)| of.lowest(*kind, runs, curve));
        let label = of.label(runs);
        table += &format!("| {} | {label} | {exact} | {student} |\n", of.name());
        panel(of.name(), &label, both.map(|(_, curve)| curve).to_vec())
    };
    let rows = all.iter().map(|of| of.battles().into_iter().map(|runs| panel(*of, runs)).collect()).collect();
    (table, rows)
}

fn draw(
    name: &str,
    finding: &str,
    kinds: [&str; 2],
    rows: Vec<Vec<LevelPanel>>,
    caption: &str,
) -> Result<(), Box<dyn Error>> {
    let out = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/images");
    let chart = Levels {
        finding: finding.to_owned(),
        about: "How many of the 95 % intervals contain the true value, by the number of battles and by the true share of battles in which \
                something happens. Below 80 %, the curve runs along the lower edge."
            .to_owned(),
        kinds: kinds.map(str::to_owned).to_vec(),
        level: 95.0,
        least: 80.0,
        rows,
    }
    .chart(caption.to_owned());
    std::fs::write(out.join(format!("{name}.svg")), chart.svg(Size::Page, Theme::Light)?)?;
    std::fs::write(out.join(format!("{name}.png")), chart.png(Size::Page, Theme::Light)?)?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let heads = ["exact (default)", "Student"];
    let [of_normal, of_kinds] =
        [["default", "with --intervals wilson"], ["exact: the default", "Wilson, Student, Tango (--intervals wilson)"]];
    let ((summed, summed_rows), (simulated, simulated_rows), (normal, normal_rows)) = std::thread::scope(|scope| {
        let (sums, simulated) = (scope.spawn(summed), scope.spawn(|| drawn(&Drawn::ALL, heads)));
        let normal = drawn(&Drawn::NORMAL, of_normal);
        (sums.join().expect("sums do not fail"), simulated.join().expect("simulations do not fail"), normal)
    });
    println!("{summed}\n{simulated}\n{normal}");
    let counted = counted(STUDIES);
    draw(
        "coverage",
        "The default intervals of shares, means and differences hold at least as often as they claim, however rare the event",
        of_kinds,
        summed_rows,
        "Summed over all counts, without simulation. Rerun: just covered",
    )?;
    draw(
        "coverage-drawn",
        "Means of many values, watched intervals and joint intervals hold at least as often as they claim",
        of_kinds,
        simulated_rows,
        &format!(
            "{counted} simulated studies for each point, half as many of the 35 estimates and of matchups, a fifth as many of tune. Rerun: just covered"
        ),
    )?;
    draw(
        "coverage-normal",
        "Normal approximations hold for common events and fail for rare ones",
        of_normal,
        normal_rows,
        &format!("{counted} simulated studies for each point. Rerun: just covered"),
    )
}
