//! Metrics.

use super::checker::{Checker, at, is_name};
use crate::model::{Each, Gauge, On, Take};
use crate::wire::{MetricWire, Pack};
use grognard_expr::Lookup;
use grognard_source::Path;

/// The maximum number of metrics. They are counted in a byte, and their sums are kept for each side of each battle.
pub(super) const METRICS_MAX: usize = 60;

/// Names that results use for something else.
const TAKEN: [&str; 8] = ["win", "draw", "turns", "losses", "routed", "shaken", "ever-routed", "rout-turn"];

pub(super) fn gauges(checker: &mut Checker<'_>, wire: &Pack<'_>) -> Vec<Gauge> {
    wire.metric.iter().map(|row| gauge(checker, wire, row)).collect()
}

fn gauge(checker: &mut Checker<'_>, wire: &Pack<'_>, row: &MetricWire) -> Gauge {
    let at = at!["metric", row.id];
    if !is_name(&row.id) || TAKEN.contains(&row.id.as_str()) {
        let message = format!("a metric cannot have the name `{}`", row.id);
        let help = "use lower-case letters, digits and dashes, and not the name of a built-in metric";
        checker.fault(&at.join("id"), message, Some(help));
    }
    let turns = matches!(row.on, On::TurnBegins | On::TurnEnds);
    let only =
        |holds: bool, given: bool, key: &str, with: &str| (given && !holds).then(|| (key.to_owned(), with.to_owned()));
    let misplaced = [
        only(row.on == On::Roll, row.roll.is_some(), "roll", "on = \"roll\""),
        only(row.on == On::Clause, row.clause.is_some(), "clause", "on = \"clause\""),
        only(turns, row.each == Each::Pair, "each", "on = \"turn-begins\" or \"turn-ends\""),
        only(row.each == Each::Pair, row.once.is_some(), "once", "each = \"pair\""),
        only(row.on == On::Combat, row.take == Take::Change, "take", "on = \"combat\""),
        only(
            row.on == On::TurnBegins && wire.hex.is_some(),
            row.take == Take::Advance,
            "take",
            "on = \"turn-begins\", on hexes",
        ),
        only(
            row.on == On::TurnEnds && row.each == Each::Unit,
            row.take == Take::Streak,
            "take",
            "on = \"turn-ends\", unit by unit",
        ),
        only(row.on != On::Clause, row.when.is_some(), "when", "an occasion that has a unit"),
        only(row.take == Take::Sum || row.take == Take::Change, row.of.is_some(), "of", "occasions that are added up"),
    ];
    for (key, with) in misplaced.into_iter().flatten() {
        checker.fault(&at.join(&key), format!("`{key}` set like this is allowed only with {with}"), None);
    }
    for (missing, key) in
        [(row.on == On::Roll && row.roll.is_none(), "roll"), (row.on == On::Clause && row.clause.is_none(), "clause")]
    {
        if missing {
            checker.fault(&at, format!("metric `{}` needs `{key}`", row.id), None);
        }
    }
    let clauses = wire.clause.iter().map(|clause| clause.id.as_str());
    if let Some(clause) = &row.clause {
        checker.is_known(&at.join("clause"), "clause", clause, clauses);
    }
    Gauge {
        id: row.id.clone(),
        title: row.title.clone(),
        on: row.on,
        each: row.each,
        roll: row.roll.as_ref().and_then(|roll| checker.roll(&at.join("roll"), roll)),
        clause: row.clause.clone(),
        when: checker.condition(&at.join("when"), row.when.as_ref()),
        count: number(checker, &at.join("count"), row.count.as_ref()),
        of: number(checker, &at.join("of"), row.of.as_ref()),
        per: row.per,
        once: row.once,
        take: row.take,
        empty: row.empty,
        source: checker.stated_source(&at, ("metric", &row.id), &row.cite, row.note.as_ref()),
    }
}

/// A number, or a condition as 0 or 1.
fn number(checker: &mut Checker<'_>, path: &Path, text: Option<&String>) -> Option<Lookup> {
    let text = text?;
    if checker.is_condition(text) {
        return checker.condition(path, Some(text));
    }
    checker.number(path, text)
}
