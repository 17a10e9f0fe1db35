//! Finds how often intervals hold the truth, over the range in which they are offered, and draws it: `just covered` writes
//! `docs/images/coverage.svg` and `coverage-drawn.svg`, both also as `.png`, and prints the tables of `docs/how-the-numbers-are-made.md`.
//! What can be counted is summed up exactly; the rest is simulated with fixed seeds.

#[path = "../../stats/tests/covered/mod.rs"]
mod covered;

use std::error::Error;
use std::path::Path;

use covered::drawn::{Studies, Value, of_study, of_tests, of_trials};
use covered::{of_count, of_luck, of_precision, of_share, of_three, of_two, of_watched, on_flanks, ratio_on_flanks};
use grognard_lab::print::{capitalised, counted};
use grognard_report::charts::{LevelPanel, Levels};
use grognard_report::{Size, Theme};
use grognard_stats::{Intervals, Kind, Level, Pairs, bonferroni, independent_difference, share, share_exact};

/// Intervals that hold together.
const TOGETHER: usize = 100;
/// The most counts of what happens, on average, for which three values are summed up: beyond it nothing is rare.
const RARE: f64 = 200.0;

/// Studies that are simulated at each place: 95 % has a standard error of 0.7 points.
const STUDIES: u64 = 1_000;

/// What intervals are of.
#[derive(Clone, Copy)]
enum Of {
    Share,
    /// A share of battles loses twelve figures, five times as many lose one.
    Mean,
    /// A share of battles lasts nine turns of at most twenty, five times as many last four, and the others three.
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
    const ALL: [Self; 10] = [
        Self::Share,
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
            Self::Turns if chance <= 0.15 && is_rare => {
                let of = |counts: [(i32, u64); 3]| intervals.mean(counts, 0..=20);
                Some(of_three(of, [3, 4, 9], [5.0 * chance, chance], runs))
            }
            Self::PairedMeans if chance <= 0.6 && is_rare => {
                let of = |counts: [(i32, u64); 3]| intervals.mean(counts, -12..=12);
                Some(of_three(of, [-1, 0, 12], [1.0 - 1.5 * chance, chance], runs))
            }
            Self::Precise if kind == Kind::Exact && level == Level::P95 => {
                Some(of_precision(1.0 / runs as f64, chance, level))
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

/// What is simulated.
#[derive(Clone, Copy)]
enum Drawn {
    /// Each of twelve figures is lost with such a chance.
    Losses,
    /// The cell loses up to four figures that the baseline keeps, and the baseline up to two.
    MoreLosses,
    /// Losses of two cells with other dice, of which the one is lost half as often.
    Unpaired,
    /// The first two, looked at after 30 battles, 60, 120 and so on.
    WatchedLosses,
    WatchedMoreLosses,
    /// All estimates of four cells and their differences, whose battles share their dice.
    Study,
    /// Twenty tests of what is the same.
    Tests,
    /// The mean effect over trials that share their battles.
    Trials,
}

impl Drawn {
    const ALL: [Self; 8] = [
        Self::Losses,
        Self::MoreLosses,
        Self::Unpaired,
        Self::WatchedLosses,
        Self::WatchedMoreLosses,
        Self::Study,
        Self::Tests,
        Self::Trials,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Losses => "means of losses",
            Self::MoreLosses => "differences of losses",
            Self::Unpaired => "unpaired losses",
            Self::WatchedLosses => "watched means",
            Self::WatchedMoreLosses => "watched differences",
            Self::Study => "35 estimates together",
            Self::Tests => "20 tests, none false",
            Self::Trials => "effects over ranges (normal theory)",
        }
    }

    /// Numbers of battles. A million battles of twelve trials each are more than anybody fights.
    fn battles(self) -> Vec<u64> {
        if matches!(self, Self::Trials) { vec![30, 1_000] } else { vec![30, 1_000, 1_000_000] }
    }

    fn coverage(self, kind: Kind, runs: u64, chance: f64, seed: u64) -> Option<f64> {
        let (level, studies) = (Level::P95, Studies { count: STUDIES, seed });
        let intervals = Intervals { level, kind };
        let looks = || (0..).map(|nth| 30 << nth).take_while(|look| *look < runs).chain([runs]).collect::<Vec<u64>>();
        match self {
            Self::Losses => Some(Value::losses(chance).covered(intervals, runs, studies)),
            Self::MoreLosses => Some(Value::more_losses(chance).covered(intervals, runs, studies)),
            Self::Unpaired => {
                let other = Value::losses(chance / 2.0);
                Some(Value::losses(chance).covered_beside(&other, intervals, runs, studies))
            }
            // Of these there is one kind of interval.
            _ if kind != Kind::Exact => None,
            Self::WatchedLosses => Some(Value::losses(chance).watched(&looks(), level, studies)),
            Self::WatchedMoreLosses => Some(Value::more_losses(chance).watched(&looks(), level, studies)),
            Self::Study => Some(of_study(intervals, runs, chance, Studies { count: STUDIES / 2, seed })),
            Self::Tests => Some(of_tests(runs, chance, level, studies)),
            Self::Trials => Some(of_trials(runs, chance, level, studies)),
        }
    }

    /// The curve of shares with how many per cent of intervals hold; each place has dice of its own.
    fn curve(self, kind: Kind, runs: u64) -> Vec<(f64, f64)> {
        let places = (1..).zip(steps(8));
        places.filter_map(|(seed, chance)| Some((chance, 100.0 * self.coverage(kind, runs, chance, seed)?))).collect()
    }
}

/// Shares from one in a million to a half, on a logarithmic scale.
fn steps(count: i32) -> Vec<f64> {
    (0..=count).map(|step| 1e-6 * 5e5_f64.powf(f64::from(step) / f64::from(count))).collect()
}

/// The curve of shares with how many per cent of intervals hold.
fn curve(of: Of, kind: Kind, level: Level, runs: u64) -> Vec<(f64, f64)> {
    let point = |chance: f64| Some((chance, 100.0 * of.coverage(kind, level, runs, chance)?));
    steps(if matches!(of, Of::Share) { 240 } else { 48 }).into_iter().filter_map(point).collect()
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
        let [exact, wilson] = [Kind::Exact, Kind::Wilson].map(|kind| curve(of, kind, Level::P95, runs));
        let tails = curve(of, Kind::Exact, joint, runs);
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

/// Simulates the rest: its table and its panels.
fn drawn() -> (String, Vec<Vec<LevelPanel>>) {
    let mut table =
        format!("| least coverage of {} simulated studies | battles | exact (default) | Student |\n", counted(STUDIES));
    table += "|---|---|---|---|\n";
    let mut panel = |of: Drawn, runs: u64| {
        let [exact, student] = [Kind::Exact, Kind::Wilson].map(|kind| of.curve(kind, runs));
        let label = counted(runs);
        table += &format!("| {} | {label} | {} | {} |\n", of.name(), least(&exact), least(&student));
        panel(of.name(), &label, vec![exact, student])
    };
    let rows = Drawn::ALL.map(|of| of.battles().into_iter().map(|runs| panel(of, runs)).collect()).to_vec();
    (table, rows)
}

fn draw(name: &str, finding: &str, rows: Vec<Vec<LevelPanel>>, caption: &str) -> Result<(), Box<dyn Error>> {
    let out = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/images");
    let chart = Levels {
        finding: finding.to_owned(),
        about: "How many of 95 % intervals hold the truth, by the number of battles and by the true share of battles in which something \
                happens (logarithmic). Shares above a half are the mirror image. Below 80 % nothing is drawn."
            .to_owned(),
        kinds: vec!["exact: the default".to_owned(), "Wilson, Student, Tango (--intervals wilson)".to_owned()],
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
    let ((summed, summed_rows), (drawn, drawn_rows)) = std::thread::scope(|scope| {
        let sums = scope.spawn(summed);
        let drawn = drawn();
        (sums.join().expect("sums do not fail"), drawn)
    });
    println!("{summed}\n{drawn}");
    draw(
        "coverage",
        "The default intervals of shares, means and differences hold at least as often as they claim, however rare a thing is",
        summed_rows,
        "Summed over all counts, without simulation. Rerun: just covered",
    )?;
    let caption = format!(
        "{} simulated studies for each point, half as many of the 35 estimates. Rerun: just covered",
        counted(STUDIES)
    );
    draw(
        "coverage-drawn",
        "Watched intervals, means and joint intervals hold at least as often as they claim; effects over ranges do not where they are rare",
        drawn_rows,
        &caption,
    )
}
