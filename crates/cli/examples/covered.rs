//! Finds how often intervals hold the truth, over the range in which they are offered, and draws it: `just covered` writes
//! `docs/images/coverage.svg`, `coverage-drawn.svg` and `coverage-normal.svg`, all also as `.png`, and prints the tables of
//! `docs/how-the-numbers-are-made.md`. Cases that can be enumerated are computed exactly; the rest are simulated with
//! fixed seeds.

#[path = "../../stats/tests/covered/mod.rs"]
mod covered;

use std::error::Error;
use std::path::Path;

use covered::drawn::{Studies, Value, of_kept_pairs, of_precise_means, of_some_battles, of_study, of_tests, of_trials};
use covered::normal::{of_kept_means, of_luck_means, of_ratio_difference, of_tests_of_means, of_tests_of_shares};
use covered::prices::Planted;
use covered::{of_luck, of_precision, of_ratio, of_share, of_three, of_two, of_values, of_watched};
use grognard_lab::print::{capitalised, counted};
use grognard_report::charts::{LevelPanel, Levels};
use grognard_report::{Size, Theme};
use grognard_stats::{Intervals, Kind, Level, Pairs, bonferroni, share, share_exact};

/// Intervals that hold together.
const TOGETHER: usize = 100;

/// Studies that are simulated at each place: 95 % has a standard error of 0.7 points.
const STUDIES: u64 = 1_000;

/// Other studies at the place where the fewest of these held, for the table: a standard error of 0.3 points, and no choice among many.
const AGAIN: Studies = Studies { count: 4_000, seed: 1_815 };

/// The shares for which something is known.
#[derive(Clone, Copy, PartialEq)]
enum Shares {
    /// All.
    All,
    /// Up to one half; the others are their mirror image.
    Mirrored,
    /// Up to one half: there are no others.
    Half,
    /// From one half on: there are no others.
    UpperHalf,
}

impl Shares {
    /// As many steps from one in a million to a half, and from there to all but one in a million; those that are computed.
    fn steps(self, count: i32) -> Vec<f64> {
        let odds = |step: i32| 1e-6_f64.ln() * (1.0 - f64::from(step) / f64::from(count));
        // The half itself belongs to both halves.
        let low = (0..=count).map(|step| odds(step).exp() / (1.0 + odds(step).exp()));
        let low: Vec<f64> = low.map(|share| share.max(1e-6)).collect();
        let high = low.iter().rev().map(|share| 1.0 - share);
        match self {
            Self::All => low.iter().copied().chain(high.skip(1)).collect(),
            Self::Mirrored | Self::Half => low,
            Self::UpperHalf => high.skip(1).collect(),
        }
    }

    /// The curve over these shares with how many per cent of intervals hold; `held` also has the number of the share.
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

/// What intervals are of.
#[derive(Clone, Copy)]
enum Of {
    Share,
    /// A share of battles fought both ways has it in half as many rounds twice, and in the other rounds once.
    Rounds,
    /// The same where only the number of battles is known, and not that of rounds.
    Values,
    /// A share of battles loses twelve figures, up to five times as many lose one.
    Mean,
    /// A share of battles lasts nine turns of at most twenty, up to five times as many last four, and the others three.
    Turns,
    /// A share of pairs has it in the cell alone, half as many in the baseline alone.
    Pairs,
    /// In a share of pairs the cell loses all twelve figures more, in half as many one less.
    PairedMeans,
    /// A share of battles has it in the one cell, half as many in the other, with other dice.
    Independent,
    /// In a share of battles three of six attacks are on a flank, in the others none of two.
    Ratio,
    /// A share of battles, three times as large if a die falls well.
    Luck,
    /// A share that is looked at again and again.
    Watched,
    /// A share of battles, in a study that ends when it is known precisely enough.
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

    /// Numbers of battles: nothing is made of luck for fewer than a hundred. Of precisions, one over the half-width.
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

    /// How often such an interval holds; none where there is no such kind.
    fn coverage(self, kind: Kind, level: Level, runs: u64, chance: f64) -> Option<f64> {
        let intervals = Intervals { level, kind };
        // What happens in a battle besides, where there is room.
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
            // Of ratios and of watched shares there is one kind of interval.
            Self::Ratio if kind == Kind::Exact => Some(of_ratio(runs, chance, level)),
            Self::Luck => Some(of_luck(intervals, runs, chance)),
            Self::Watched if kind == Kind::Exact => of_watched(&looks(runs), chance, level).last().copied(),
            _ => None,
        }
    }

    /// The curve of shares with how many per cent of intervals hold.
    fn curve(self, kind: Kind, level: Level, runs: u64) -> Vec<(f64, f64)> {
        let steps = match self {
            Self::Share => 160,
            Self::Ratio => 96,
            _ => 32,
        };
        self.shares().curve(steps, |chance, _| self.coverage(kind, level, runs, chance))
    }
}

/// The looks at a study that is watched: after 30 battles, 60, 120 and so on.
fn looks(runs: u64) -> Vec<u64> {
    (0..).map(|nth| 30 << nth).take_while(|look| *look < runs).chain([runs]).collect()
}

/// What is simulated.
#[derive(Clone, Copy)]
enum Drawn {
    /// Each of twelve figures is lost with such a chance.
    Losses,
    /// The cell loses up to four figures that the baseline keeps, and the baseline up to two.
    MoreLosses,
    /// Losses of two cells with other dice, of which the one is lost half as often.
    Unpaired,
    /// The turn of the first rout, in the battles that have one; and its difference from a cell with half as many.
    Rout,
    MoreRouts,
    /// The cell has it in a share of pairs, the baseline in half as many, of which only some were kept.
    KeptPairs,
    /// Means of rare losses, in a study that ends when a share is known precisely enough.
    PreciseMeans,
    /// The first two, looked at after 30 battles, 60, 120 and so on.
    WatchedLosses,
    WatchedMoreLosses,
    /// All estimates of four cells and their differences, whose battles share their dice.
    Study,
    /// Twenty tests of what is the same.
    Tests,
    /// From here on what rests on normal theory. The mean effect over trials that share their battles.
    Trials,
    /// A ratio that differs from the baseline's.
    Ratios,
    /// Means of losses with the luck removed.
    LuckMeans,
    /// As of kept pairs, for means.
    KeptMeans,
    /// The score test and Welch's, where nothing differs.
    SharesTest,
    MeansTest,
    /// Prices of three types and the edge together, by how surely one unit more wins.
    Prices,
    /// The six pairs of these together.
    PricedPairs,
}

impl Drawn {
    const ALL: [Self; 11] = [
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
    ];
    const NORMAL: [Self; 8] = [
        Self::LuckMeans,
        Self::Ratios,
        Self::KeptMeans,
        Self::SharesTest,
        Self::MeansTest,
        Self::Trials,
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
            Self::Trials => "effects over ranges",
            Self::Ratios => "differences of ratios",
            Self::LuckMeans => "means, luck removed",
            Self::KeptMeans => "means, pairs kept",
            Self::SharesTest => "tests of shares",
            Self::MeansTest => "tests of means",
            Self::Prices => "prices",
            Self::PricedPairs => "pairs of units",
        }
    }

    /// Numbers of battles. Nothing is made of luck for fewer than a hundred, and at least a hundred pairs are kept.
    fn battles(self) -> Vec<u64> {
        match self {
            Self::LuckMeans => vec![100, 1_000, 1_000_000],
            Self::KeptPairs | Self::KeptMeans => vec![1_000, 30_000, 1_000_000],
            Self::PreciseMeans => Of::Precise.battles().to_vec(),
            Self::Prices | Self::PricedPairs => vec![16 * 16, 48 * 64, 320 * 3_000],
            _ => vec![30, 1_000, 1_000_000],
        }
    }

    /// The number of pairs of armies that fight this many battles, for prices.
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
            Self::Losses | Self::WatchedLosses | Self::Study | Self::Trials => Shares::Mirrored,
            Self::LuckMeans | Self::SharesTest | Self::MeansTest => Shares::Mirrored,
            // Where all pairs differ there are no more that could.
            Self::Tests => Shares::Half,
            Self::Prices | Self::PricedPairs => Shares::UpperHalf,
            _ => Shares::All,
        }
    }

    fn coverage(self, kind: Kind, runs: u64, chance: f64, studies: Studies) -> Option<f64> {
        let level = Level::P95;
        let intervals = Intervals { level, kind };
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
            // Of these there is one kind of interval.
            _ if kind != Kind::Exact => None,
            Self::MoreRouts => of_some_battles(intervals, runs, chance, true, studies),
            Self::KeptPairs => Some(of_kept_pairs(level, runs, chance, studies)),
            Self::PreciseMeans => Some(of_precise_means(level, 1.0 / runs as f64, chance, studies)),
            Self::WatchedLosses => Some(Value::losses(chance).watched(&looks(runs), level, studies)),
            Self::WatchedMoreLosses => Some(Value::more_losses(chance).watched(&looks(runs), level, studies)),
            Self::Study => Some(of_study(intervals, runs, chance, Studies { count: studies.count / 2, ..studies })),
            Self::Tests => Some(of_tests(runs, chance, level, studies)),
            Self::Trials if self.is_slow(runs) => {
                Some(of_trials(runs, chance, level, Studies { count: 100, ..studies }))
            }
            Self::Trials => Some(of_trials(runs, chance, level, studies)),
            Self::Ratios => Some(of_ratio_difference(runs, chance, level, studies)),
            Self::KeptMeans => of_kept_means(level, runs, chance, studies),
            Self::SharesTest => Some(of_tests_of_shares(runs, chance, level, studies)),
            Self::MeansTest => Some(of_tests_of_means(runs, chance, level, studies)),
            Self::Prices => planted().prices(level, studies),
            Self::PricedPairs => planted().pairs(level, studies),
        }
    }

    /// How many per cent of intervals hold where that is lowest on this curve, in other studies.
    fn lowest(self, kind: Kind, runs: u64, curve: &[(f64, f64)]) -> String {
        let lowest = curve.iter().min_by(|one, other| one.1.total_cmp(&other.1));
        let share =
            lowest.map(|&(share, _)| if self.shares() == Shares::Mirrored { share.min(1.0 - share) } else { share });
        let held = share.and_then(|share| self.coverage(kind, runs, share, AGAIN));
        held.map_or_else(|| "–".to_owned(), |held| format!("{:.1} %", 100.0 * held))
    }

    /// Twelve million effects of a study take their time.
    fn is_slow(self, runs: u64) -> bool {
        matches!(self, Self::Trials) && runs > 1_000
    }

    /// The curve of shares with how many per cent of intervals hold; each place has dice of its own.
    fn curve(self, kind: Kind, runs: u64) -> Vec<(f64, f64)> {
        let steps = if self.is_slow(runs) { 4 } else { 8 };
        self.shares().curve(steps, |chance, seed| self.coverage(kind, runs, chance, Studies { count: STUDIES, seed }))
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

/// Sums up what can be counted: its table and its panels.
fn summed() -> (String, Vec<Vec<LevelPanel>>) {
    let joint = bonferroni(Level::P95, TOGETHER);
    let mut table = format!(
        "| least coverage | battles | exact (default) | Wilson, Student, Tango | {TOGETHER} together, exact |\n|---|---|---|---|---|\n"
    );
    let mut panel = |of: Of, runs: u64| {
        let [exact, wilson] = [Kind::Exact, Kind::Wilson].map(|kind| of.curve(kind, Level::P95, runs));
        let tails = of.curve(Kind::Exact, joint, runs);
        // What is rarest for all of them at once, were they independent.
        let together = |tails: f64| format!("{:.1} %", 100.0 * (tails / 100.0).powi(TOGETHER as i32));
        let together = if tails.is_empty() { "–".to_owned() } else { together(least_of(&tails)) };
        let label = of.label(runs);
        table += &format!("| {} | {label} | {} | {} | {together} |\n", of.name(), least(&exact), least(&wilson));
        panel(of.name(), &label, vec![exact, wilson])
    };
    let rows = Of::ALL.map(|of| of.battles().into_iter().map(|runs| panel(of, runs)).collect()).to_vec();
    (table, rows)
}

/// Simulates these: their table and their panels.
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
        about: "How many of 95 % intervals contain the true value, by the number of battles and by the true share of battles in which \
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
        "The default intervals of shares, means and differences hold at least as often as they claim, however rare a thing is",
        of_kinds,
        summed_rows,
        "Summed over all counts, without simulation. Rerun: just covered",
    )?;
    draw(
        "coverage-drawn",
        "Means of many values, watched intervals and joint intervals hold at least as often as they claim",
        of_kinds,
        simulated_rows,
        &format!("{counted} simulated studies for each point, half as many of the 35 estimates. Rerun: just covered"),
    )?;
    draw(
        "coverage-normal",
        "What rests on normal theory holds for what is common, and fails for what is rare",
        of_normal,
        normal_rows,
        &format!(
            "{counted} simulated studies for each point, 100 of effects in a million battles. Rerun: just covered"
        ),
    )
}
