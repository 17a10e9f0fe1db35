//! Cells side by side: what changed, by how much, and how certain that is.

use grognard_lab::compare::{Change, Compared, Couple, Difference, Heading, Pairing, Unpaired};
use grognard_lab::results::Method;
use grognard_report::spaced;
use grognard_stats::worth;

use super::figures::{Figure, aligned};
use super::grid::{self, Block, Column};
use crate::text::{counted, plural, shortened};

/// Maximum number of pairs listed; flipped ones are always listed.
const LISTED_MAX: usize = 40;
/// Maximum number of changed values listed.
const CHANGES_MAX: usize = 20;
/// The maximum length of a cell's label.
const LABEL_MAX: usize = 120;

/// The comparison as text: what is compared, what differs in rules and study, and each pair of cells in the metric
/// of this name.
pub(crate) fn compared(compared: &Compared, name: &str) -> String {
    let mut parts = vec![heading(compared)];
    parts.extend(changes(compared));
    if !compared.is_nothing() {
        parts.push(table(compared, name));
        parts.push(legend(compared, name));
    }
    let parts: Vec<String> = parts.iter().map(|lines| lines.join("\n")).collect();
    format!("{}\n", parts.join("\n\n"))
}

fn heading(compared: &Compared) -> Vec<String> {
    let [before, after] = &compared.parties;
    let one = |heading: &Heading| {
        let numbers = match heading.method {
            Method::Sampled => format!("{} each, seed {}", plural(heading.battles, "battle"), heading.seed),
            Method::Exact => "exact".to_owned(),
        };
        let (name, pack) = (shortened(&heading.name, 40), shortened(&heading.pack, 30));
        format!("{name}: {pack} {}, {numbers}", shortened(&heading.version, 12))
    };
    let mut lines = vec![shortened(&before.title, 120)];
    if compared.changes.is_some() {
        lines.extend([format!("before  {}", one(before)), format!("after   {}", one(after))]);
    } else {
        lines.push(one(before));
    }
    lines.push(pairing(compared));
    let alone = |party: usize| compared.alone[party].len() as u64;
    for (party, word) in ["before", "after"].into_iter().enumerate().filter(|(party, _)| alone(*party) > 0) {
        lines.push(format!("left out: {} found only {word} the change", plural(alone(party), "cell")));
    }
    lines
}

/// The comparison as records: the names of the columns, then a line for each metric of each pair of cells.
pub(crate) fn records(compared: &Compared) -> Vec<Vec<String>> {
    let head = [
        "before_cell",
        "after_cell",
        "label",
        "metric",
        "before",
        "after",
        "mean",
        "low",
        "high",
        "corrected_low",
        "corrected_high",
        "p",
        "corrected_p",
        "flipped",
    ];
    let record = |couple: &Couple, difference: &Difference| -> Vec<String> {
        let Difference { values, apart, together, p, corrected_p, .. } = difference;
        let mut record =
            vec![couple.before.cell.to_string(), couple.after.cell.to_string(), couple.after.label.clone()];
        record.push(difference.name(&compared.sides));
        let numbers =
            [values[0].point, values[1].point, apart.point, apart.low, apart.high, together.low, together.high];
        record.extend(numbers.into_iter().chain([*p, *corrected_p]).map(|number| number.to_string()));
        record.push(couple.is_flipped().to_string());
        record
    };
    let rows = compared.couples.iter().flat_map(|couple| couple.differences.iter().map(move |one| record(couple, one)));
    std::iter::once(head.map(str::to_owned).to_vec()).chain(rows).collect()
}

/// Whether both have exact numbers.
fn is_exact(compared: &Compared) -> bool {
    compared.parties.iter().all(|party| party.method == Method::Exact)
}

/// How the battles are paired.
fn pairing(compared: &Compared) -> String {
    let least = compared.couples.iter().filter_map(|couple| match couple.pairing {
        Pairing::Kept(pairs) => Some(pairs),
        _ => None,
    });
    let why = compared.couples.iter().find_map(|couple| match couple.pairing {
        Pairing::None(why) => Some(why),
        _ => None,
    });
    match (why, least.min()) {
        (Some(Unpaired::Seeds), _) => "not paired: the seeds differ".to_owned(),
        (Some(Unpaired::Battles), _) => "not paired: the battle numbers differ".to_owned(),
        (Some(Unpaired::Ways), _) => "not paired: one of the two was fought both ways".to_owned(),
        (Some(Unpaired::WorkedOut), _) if is_exact(compared) => "exact: both count every possible battle".to_owned(),
        (Some(Unpaired::WorkedOut), _) => "one sampled, the other exact".to_owned(),
        (Some(Unpaired::NotKept), _) => {
            "not paired: too few battles are kept individually (grognard run --keep N)".to_owned()
        }
        (None, Some(pairs)) => {
            let pairs = counted(pairs);
            format!("paired: the same dice in all battles; the correlation comes from {pairs} kept in each cell")
        }
        (None, None) => "paired: every battle is compared with the one that had the same dice".to_owned(),
    }
}

/// What differs in rules and study.
fn changes(compared: &Compared) -> Option<Vec<String>> {
    let changes = compared.changes.as_ref()?;
    if changes.is_empty() {
        let same = match compared.is_nothing() {
            true if is_exact(compared) => ", and so are the odds",
            true => ", and so is every battle",
            false => "",
        };
        return Some(vec![format!("Rules and study are the same{same}.")]);
    }
    let count = changes.list.len();
    let differ = if count == 1 { "1 value differs:".to_owned() } else { format!("{count} values differ:") };
    let mut lines = vec![differ];
    lines.extend(changes.list.iter().take(CHANGES_MAX).map(change));
    if count > CHANGES_MAX {
        lines.push(format!("  and {} (--json has them all)", plural((count - CHANGES_MAX) as u64, "other")));
    }
    if changes.words > 0 {
        lines.push(match changes.words {
            1 => "  and 1 title or note, which affects no battle".to_owned(),
            words => format!("  and {} titles or notes, which affect no battle", counted(words as u64)),
        });
    }
    Some(lines)
}

fn change(change: &Change) -> String {
    let value = |value: &Option<String>| value.as_deref().map(|value| shortened(value, 60));
    let path = shortened(&change.path, 80);
    match (value(&change.before), value(&change.after)) {
        (None, Some(after)) => format!("  {path}  + {after}"),
        (Some(before), None) => format!("  {path}  removed, was {before}"),
        (before, after) => format!("  {path}  {} → {}", before.unwrap_or_default(), after.unwrap_or_default()),
    }
}

fn table(compared: &Compared, name: &str) -> Vec<String> {
    let rows: Vec<(&Couple, &Difference)> = compared
        .couples
        .iter()
        .enumerate()
        .filter(|(place, couple)| *place < LISTED_MAX || couple.is_flipped())
        .filter_map(|(_, couple)| Some((couple, couple.difference(name, &compared.sides)?)))
        .collect();
    let share = rows.first().is_none_or(|(_, difference)| difference.share);
    let figure = |(couple, difference): &(&Couple, &Difference)| match share {
        _ if couple.same => Figure::words("0"),
        true => Figure::points(&difference.together),
        false => Figure::signed_mean(&difference.together),
    };
    let value = |party: usize| {
        let value = |(_, difference): &(&Couple, &Difference)| {
            let value = &difference.values[party];
            let figure = if share { Figure::percent(value) } else { Figure::mean(value) };
            figure.bare()
        };
        aligned(&rows.iter().map(value).collect::<Vec<_>>())
    };
    let text = |text: fn(&Couple, &Difference) -> String| -> Vec<String> {
        rows.iter().map(|(couple, difference)| text(couple, difference)).collect()
    };
    let columns = [
        Column::new(if share { "points" } else { "change" }, aligned(&rows.iter().map(figure).collect::<Vec<_>>())),
        Column::new("before", value(0)),
        Column::new("after", value(1)),
        Column::new("worth", text(|_, difference| worth(difference.variance_ratio))).right(),
        Column::new("p", text(probability)).right(),
        Column::new("cell", text(|couple, _| numbers(couple))).right(),
        Column::new("", text(|couple, _| label(couple))),
    ];
    let of = if name == compared.sides[0] || name == compared.sides[1] { format!("{name} wins") } else { name.into() };
    let unit = if share { ", in percentage points" } else { "" };
    let mut lines = vec![format!("{of}: after minus before{unit}")];
    if compared.changes.is_none() {
        lines = vec![format!("{of}: difference from the baseline (before){unit}")];
    }
    lines.extend(grid::lines(&columns, &blocks(&rows)));
    let left = compared.couples.len().saturating_sub(rows.len());
    if left > 0 {
        lines.push(format!("and {} with smaller differences, none flipped", plural(left as u64, "other")));
    }
    lines
}

/// Flipped matchups, under their own headings.
fn blocks(rows: &[(&Couple, &Difference)]) -> Vec<Block> {
    let kind = |couple: &Couple| match (couple.is_surely_flipped(), couple.is_flipped()) {
        (true, _) => "flipped: the favourite has changed",
        (_, true) => "possibly flipped: too close to even to tell",
        _ => "the same favourite",
    };
    let mut blocks: Vec<Block> = Vec::new();
    for (row, (couple, _)) in rows.iter().enumerate() {
        match blocks.last_mut().filter(|block| block.heading == kind(couple)) {
            Some(block) => block.rows.push(row),
            None => blocks.push(Block { heading: kind(couple).to_owned(), rows: vec![row] }),
        }
    }
    if let [block] = blocks.as_mut_slice()
        && rows.first().is_some_and(|(couple, _)| !couple.is_flipped())
    {
        block.heading.clear();
    }
    blocks
}

/// The cell's number; both if they differ.
fn numbers(couple: &Couple) -> String {
    let (before, after) = (couple.before.cell, couple.after.cell);
    if before == after { after.to_string() } else { format!("{before}→{after}") }
}

/// The label of the cell after the change, shortened.
fn label(couple: &Couple) -> String {
    shortened(&spaced(&couple.after.label), LABEL_MAX)
}

/// A corrected p-value as printed; empty if there is nothing to test.
fn probability(couple: &Couple, difference: &Difference) -> String {
    match difference.corrected_p {
        _ if couple.same => "–".to_owned(),
        p if p < 0.0001 => "<0.0001".to_owned(),
        p => format!("{p:.4}"),
    }
}

/// The finding in a sentence, and the meaning of the numbers.
fn legend(compared: &Compared, name: &str) -> Vec<String> {
    let all = compared.couples.len();
    let couples = || compared.couples.iter();
    let flipped = couples().filter(|couple| couple.is_flipped()).count();
    let surely = couples().filter(|couple| couple.is_surely_flipped()).count();
    let stands = |couple: &&Couple| couple.difference(name, &compared.sides).is_some_and(Difference::stands);
    let differing = couples().filter(stands).count();
    let beyond = if is_exact(compared) { "" } else { " by more than the margin of error" };
    let mut first = match (differing, all) {
        (0, 1) => format!("The matchup does not differ{beyond}"),
        (_, 1) => format!("The matchup differs{beyond}"),
        (0, _) => format!("None of {all} matchups differs{beyond}"),
        (1, _) => format!("1 of {all} matchups differs{beyond}"),
        _ => format!("{} of {} matchups differ{beyond}", counted(differing as u64), counted(all as u64)),
    };
    match (flipped, surely) {
        (0, _) if differing == 0 => first.push('.'),
        (0, _) if all == 1 => first.push_str(", and is not flipped."),
        (0, _) => first.push_str(", and none is flipped."),
        (1, 1) => first.push_str(", and 1 in all is flipped."),
        (flipped, surely) if flipped == surely => first.push_str(&format!(", and {flipped} in all are flipped.")),
        (flipped, 0) => first.push_str(&format!(", and {flipped} in all may be flipped.")),
        (flipped, surely) => {
            let are = if surely == 1 { "is" } else { "are" };
            first.push_str(&format!(", {surely} in all {are} flipped, and {} more may be.", flipped - surely));
        }
    }
    let level = 100.0 * compared.level.get();
    let mut lines = vec![first];
    if is_exact(compared) {
        // Nothing was sampled.
    } else if all > 1 {
        lines.push(format!(
            "± gives simultaneous {level} % intervals for all {all} differences in {name} (Bonferroni); p: Holm."
        ));
    } else {
        lines.push(format!("± is the {level} % margin of error."));
    }
    if couples().any(|couple| couple.same) {
        let than = if compared.changes.is_none() { "in the baseline" } else { "before the change" };
        lines.push(format!("0 without a margin of error: every battle ended as {than}."));
    }
    if let Some(times) = compared.worth(name) {
        let times = worth(Some(1.0 / times));
        lines.push(format!(
            "worth: independent dice would need this many times the battles; over all matchups {times}."
        ));
        if let Some(most) = compared.worth_at_most(name).map(|most| worth(Some(1.0 / most))) {
            lines.push(format!("With shares this far apart, worth cannot exceed {most}."));
        }
    }
    lines
}
