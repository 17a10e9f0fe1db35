//! The stated guarantees of intervals are true.

use grognard_lab::Side;
use grognard_lab::results::{PromiseKind, Results};
use grognard_lab::tally::{RoundTally, Verdict};

use crate::charts::ChartData;
use crate::promises;
use crate::report::Report;
use crate::testing::{FORMATIONS, results};

fn intervals(study: &Results) -> String {
    let facts = Report::on(study).facts;
    facts.into_iter().find(|fact| fact.term == "Intervals").expect("it is sampled").text
}

/// The half width of the wide interval of the first difference, and how the chart explains it.
fn widest(study: &Results) -> (f64, String) {
    let charts = crate::charts::all(&crate::reading::Reading::of(study));
    let chart = charts.iter().find(|chart| chart.name() == "differences").expect("there is one");
    let ChartData::Differences(differences) = &chart.data else { panic!("{chart:?}") };
    (differences.rows[0].together.expect("it is sampled").half_width(), chart.about())
}

/// The same results as if battles had been fought both ways and the two battles of each round had always had the same
/// result.
fn both_ways(mut study: Results) -> Results {
    for tally in &mut study.tallies {
        let battles = tally.runs() as usize;
        let mut rounds = RoundTally::default();
        for (verdict, sums) in Verdict::ALL.into_iter().zip(&mut rounds.verdicts) {
            let won = tally.outcomes[verdict.index()] as usize / 2;
            sums.add_all((0..battles / 2).map(|round| if round < won { 2 } else { 0 }));
        }
        tally.rounds = Some(Box::new(rounds));
        let Some(paired) = &mut tally.paired else { continue };
        let mut rounds = RoundTally::default();
        for &verdict in Verdict::among(2) {
            let pairs = grognard_lab::results::pairs_of_verdict(&paired.joint, verdict);
            let (more, less) = (pairs.cell_only as usize / 2, pairs.baseline_only as usize / 2);
            let sums = (0..battles / 2).map(|round| match round {
                round if round < more => 2,
                round if round < more + less => -2,
                _ => 0,
            });
            rounds.verdicts[verdict.index()].add_all(sums);
        }
        paired.rounds = Some(Box::new(rounds));
    }
    study
}

#[test]
fn words_and_widths_follow_the_promise() {
    let four = || results(&[("defender.0.formation", FORMATIONS)], 2_000, |at| [0.4, 0.5, 0.6, 0.7][at[0]]);
    let usual = four();
    let (width, about) = widest(&usual);
    assert!(
        intervals(&usual).starts_with("95 %: Clopper and Pearson’s for shares")
            && intervals(&usual).contains("At most one interval in 20")
    );
    assert!(about.contains("Bonferroni"), "{about}");

    let mut wilson = four();
    wilson.manifest.promise.kind = PromiseKind::Wilson;
    assert!(intervals(&wilson).starts_with("95 %: Wilson’s for shares"), "{}", intervals(&wilson));

    let mut watched = four();
    watched.manifest.promise.kind = PromiseKind::Watched;
    assert!(intervals(&watched).contains("at every look") && !intervals(&watched).contains("Wilson"));
    // An interval that holds at every check is wider than one that holds at a single check.
    assert!(widest(&watched).0 > 1.2 * width, "{} {width}", widest(&watched).0);

    let mut together = four();
    together.manifest.promise.together = true;
    let said = intervals(&together);
    assert!(said.contains("simultaneous at 95 %") && !said.contains("misses"), "{said}");
    let (_, about) = widest(&together);
    assert!(about.contains("simultaneous with all others") && !about.contains("Bonferroni"), "{about}");
}

#[test]
fn of_battles_fought_both_ways_rounds_are_what_counts() {
    let four = || results(&[("defender.0.formation", FORMATIONS)], 2_000, |at| [0.4, 0.5, 0.6, 0.7][at[0]]);
    let (study, rounds) = (four(), both_ways(four()));
    // Half as many rounds as battles, and both battles of a round end alike: intervals are 1.4 times as wide.
    let (alone, in_rounds) = (widest(&study).0, widest(&rounds).0);
    assert!((1.3..1.5).contains(&(in_rounds / alone)), "{alone} {in_rounds}");
    let said = intervals(&rounds);
    assert!(said.starts_with("95 %: Gaffke’s bound") && said.contains("count as one"), "{said}");
    assert_eq!(promises(&study.manifest, false), [""; 0]);
    assert_eq!(promises(&study.manifest, true).len(), 1);
    let broken = |study: &Results| {
        let reading = crate::reading::Reading::of(study);
        reading.spread(&study.manifest.cells[0], Side::First, 3).expect("it was counted").share_of(1..=9).half_width()
    };
    assert!((1.3..1.5).contains(&(broken(&rounds) / broken(&study))));
}

#[test]
fn what_is_widened_without_a_promise_is_named() {
    let mut study = results(&[("defender.0.formation", FORMATIONS)], 300, |_| 0.5);
    study.manifest.promise.together = true;
    let says_so = |study: &Results| promises(&study.manifest, false).iter().any(|said| said.contains("luck removed"));
    assert!(!says_so(&study));
    study.manifest.luck = true;
    assert!(says_so(&study));
}
