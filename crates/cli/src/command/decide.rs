//! `grognard run --decide A,B`: which of two cells, or of two variants of the rules, is better for a side.

use std::sync::Arc;
use std::time::Duration;

use grognard_lab::json::estimate;
use grognard_lab::results::Ending;
use grognard_lab::sequential_test::{Answer, SequentialTest, SequentialTestError};
use grognard_lab::study::{Changes, Study};
use grognard_lab::tally::Verdict;
use grognard_source::Sources;
use grognard_stats::Estimate;
use serde_json::{Value as Json, json};

use super::run::Args;
use crate::failure::{Failure, Status};
use crate::format::Format;
use crate::interrupt::stop_on_ctrl_c;
use crate::progress::Watch;
use crate::study::{load, overrides};
use crate::terminal;
use crate::text::{counted, plural, shortened, time};

/// The maximum length of a cell's name in the output.
const LABEL_MAX: usize = 80;

/// One of the two alternatives: a cell, and values set in the study for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Side {
    cell: u32,
    /// `PATH=VALUE`, as for `--set`.
    set: Vec<String>,
}

/// The two alternatives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pair([Side; 2]);

/// Two alternatives: `0,18`, or `0,0:roll.shock.modifier.impetus.add=2`, or `roll.a.add=1,roll.a.add=2`.
pub(crate) fn pair(text: &str) -> Result<Pair, String> {
    let wrong = || "write two cells, such as 0,18, or two variants, such as 0,0:PATH=VALUE".to_owned();
    let (first, second) = text.split_once(',').ok_or_else(wrong)?;
    let side = |text: &str| {
        let (cell, set) = match text.split_once(':') {
            Some((cell, set)) => (cell, vec![set.to_owned()]),
            None if text.contains('=') => ("0", vec![text.to_owned()]),
            None => (text, Vec::new()),
        };
        Some(Side { cell: cell.trim().parse().ok()?, set })
    };
    let pair = Pair([side(first).ok_or_else(wrong)?, side(second).ok_or_else(wrong)?]);
    if pair.0[0] == pair.0[1] { Err("they are the same".to_owned()) } else { Ok(pair) }
}

/// An alternative, ready to fight.
struct Contender {
    study: Study,
    cell: u32,
    name: String,
}

/// Fights until it is clear which is better.
pub(crate) fn decide(args: &Args, pair: &Pair, sources: &mut Sources) -> Result<Status, Failure> {
    if matches!(args.output.form.format(), Format::Csv | Format::Markdown) {
        let help = "omit --format, or use --json";
        return Err(Failure::wrong("the answer of --decide is a sentence, not a table", help));
    }
    let [path] = args.studies.as_slice() else {
        let message = "--decide compares two cells of a single study";
        return Err(Failure::wrong(message, "name one study"));
    };
    let seed = args.seed()?;
    let mut contenders = Vec::new();
    for side in &pair.0 {
        let set = [args.set.as_slice(), &side.set].concat();
        let changes = Changes { runs: args.runs, seed, set: overrides(&set, sources)?, ..Changes::default() };
        let study = load(path, &changes, sources)?;
        study.of_two_sides("`--decide`")?;
        contenders.push(contender(side, study)?);
    }
    let [first, second] = [&contenders[0], &contenders[1]];
    let cells = ((&first.study, first.cell), (&second.study, second.cell));
    let Some(test) = SequentialTest::between(cells.0, cells.1, args.level, args.threads.map_or(0, usize::from)) else {
        // Both cells are known to exist.
        return Err(Failure::unfinished("there is nothing to decide between"));
    };
    if !args.output.quiet {
        let most = plural(test.pairs_max(), "pair");
        terminal::say(&format!("{}: {most} of battles at most, seed {}", first.study.header.name, first.study.seed));
    }
    let answer = fight(&test, args.output.quiet)?;
    let report = Report { answer: &answer, contenders: [first, second], level: 100.0 * args.level.get() };
    if args.output.form.format() == Format::Json {
        terminal::print_raw(&format!("{:#}\n", report.json()))?;
    } else {
        terminal::print(&format!("{}\n", report.lines().join("\n")))?;
    }
    if !args.output.quiet {
        let took = Duration::try_from_secs_f64(answer.elapsed_s).unwrap_or_default();
        terminal::say(&format!("{} battles in {}", counted(2 * answer.pairs), time(took)));
    }
    Ok(if answer.ending == Ending::Stopped { Status::Unfinished } else { Status::Done })
}

fn fight(test: &SequentialTest, quiet: bool) -> Result<Answer, Failure> {
    let watch = Arc::new(Watch::new(2 * test.pairs_max(), 0, quiet));
    let teller = Arc::clone(&watch);
    let stop = stop_on_ctrl_c(move |message| teller.say(message));
    let answer = test.fight(&*watch, &stop);
    watch.end();
    stop.raise();
    answer.map_err(|error| match error {
        SequentialTestError::Threads(error) => Failure::unfinished(error.to_string()),
        SequentialTestError::Sink(never) => match never {},
    })
}

/// The cell selected, with its name.
fn contender(side: &Side, study: Study) -> Result<Contender, Failure> {
    let Some(cell) = study.cells.get(side.cell as usize) else {
        return Err(Failure::no_cell(format!("there is no cell {}", side.cell), study.cells.len()));
    };
    let set = side.set.iter().map(|set| format!(" with {set}")).collect::<String>();
    let name = format!("cell {} ({}){set}", side.cell, shortened(&cell.header.label, LABEL_MAX));
    Ok(Contender { cell: side.cell, name, study })
}

/// A printed answer.
struct Report<'a> {
    answer: &'a Answer,
    contenders: [&'a Contender; 2],
    /// The confidence level, in per cent.
    level: f64,
}

impl Report<'_> {
    /// The first side's score in the second cell minus that in the first, as a share of a battle.
    fn difference(&self) -> Estimate {
        let Estimate { point, low, high, level, runs } = self.answer.decision.difference;
        Estimate { point: point / 2.0, low: low / 2.0, high: high / 2.0, level, runs }
    }

    /// The contender that is better for the first side; `None` if undecided.
    fn better(&self) -> Option<&Contender> {
        let decision = &self.answer.decision;
        decision.decided.then(|| self.contenders[usize::from(decision.difference.point > 0.0)])
    }

    fn lines(&self) -> Vec<String> {
        let [first, second] = self.contenders;
        let study = &first.study;
        let sides = &study.sides;
        let pairs = plural(self.answer.pairs, "pair");
        let mut lines = vec![
            shortened(&study.header.title, 120),
            format!("A: {}", first.name),
            format!("B: {}", second.name),
            format!("{pairs} of battles, seed {}, {} {}", study.seed, study.pack.name, study.pack.version),
            String::new(),
        ];
        lines.push(match self.better() {
            Some(better) => {
                let [is, other] = if std::ptr::eq(better, second) { ["B", "A"] } else { ["A", "B"] };
                format!("{is} is better for {}, and {other} for {}.", sides[0], sides[1])
            }
            None => format!("Not decided after {pairs}."),
        });
        lines.push(format!(
            "The score of {} in B minus that in A: {}; a draw counts half.",
            sides[0],
            self.difference().points()
        ));
        lines.push(format!(
            "If there were no difference, at most {} in 100 such tests would find one (p = {}).",
            of_hundred(self.level),
            small(self.answer.decision.evidence.p_value())
        ));
        lines
    }

    fn json(&self) -> Json {
        let [first, second] = self.contenders;
        let difference = self.difference();
        let better = self.better().map(|better| if std::ptr::eq(better, second) { "b" } else { "a" });
        let cell = |place: usize, contender: &Contender| {
            let [one, other] = [0, 1].map(|side| &contender.study.sides[side]);
            let count = |verdict: Verdict| self.answer.tallies[place].outcomes[verdict.index()];
            json!({
                "cell": contender.cell,
                "name": contender.name,
                "outcomes": { one.as_str(): count(Verdict::First), other.as_str(): count(Verdict::Second), "draw": count(Verdict::Draw) },
            })
        };
        json!({
            "study": first.study.header.name,
            "pack": first.study.pack.name,
            "method": "decide",
            "seed": first.study.seed,
            "pairs": self.answer.pairs,
            "elapsed_s": self.answer.elapsed_s,
            "a": cell(0, first),
            "b": cell(1, second),
            "decided": self.answer.decision.decided,
            "better": better,
            "for": first.study.sides[0],
            "difference": estimate(&difference),
            "level": self.level / 100.0,
            "p": self.answer.decision.evidence.p_value(),
        })
    }
}

/// 100 minus the level, in per cent, without trailing zeros.
fn of_hundred(level: f64) -> String {
    let digits = format!("{:.6}", 100.0 - level);
    digits.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A p-value as printed: two digits, or its power of ten.
fn small(p: f64) -> String {
    if p < 1e-99 {
        "less than 1e-99".to_owned()
    } else if p < 1e-3 {
        format!("{p:.0e}")
    } else {
        format!("{p:.2}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_cells_or_two_variants() {
        let side = |cell, set: &[&str]| Side { cell, set: set.iter().map(|&set| set.to_owned()).collect() };
        assert_eq!(pair("0,18"), Ok(Pair([side(0, &[]), side(18, &[])])));
        assert_eq!(pair("3,3:a.b=2"), Ok(Pair([side(3, &[]), side(3, &["a.b=2"])])));
        assert_eq!(pair("a.b=1,a.b=2"), Ok(Pair([side(0, &["a.b=1"]), side(0, &["a.b=2"])])));
        for text in ["", "0", "0,", "0,x", "0,0", "a=1,a=1", "-1,2"] {
            assert!(pair(text).is_err(), "{text}");
        }
    }

    #[test]
    fn false_alarms_have_the_digits_of_the_level() {
        let of = |level: f64| of_hundred(100.0 * level);
        assert_eq!([of(0.95), of(0.99), of(0.999), of(0.975)], ["5", "1", "0.1", "2.5"]);
    }

    #[test]
    fn p_values_are_said_briefly() {
        assert_eq!([small(0.0312), small(1.0), small(4.2e-7), small(0.0)], ["0.03", "1.00", "4e-7", "less than 1e-99"]);
    }
}
