//! Which numbers change the answer, one row each.

use grognard_lab::sensitivity::{Effects, Found, GlobalRow, Moved, Step};
use grognard_lab::study::Number;
use grognard_stats::{Estimate, decimals};

use super::Setting;
use super::figures::{Figure, aligned};
use super::grid::{self, Block, Column};
use crate::command::sensitivity::Report;
use crate::text::{counted, plural, shortened, tame, thousandths};

/// The maximum number of numbers listed.
const LISTED_MAX: usize = 40;

/// The analysis as text: the answer, the effect of each number, and the numbers without effect.
pub(crate) fn table(report: &Report<'_>, setting: Setting) -> String {
    let mut parts = vec![heading(report, setting)];
    let listed = listed(report.found);
    if !listed.is_empty() {
        parts.push(rows(report, &listed, setting));
    }
    parts.push(legend(report, &listed, setting));
    if let Some(global) = report.global {
        parts.push(together(report, &global.rows, setting));
        parts.push(said(global_legend(report, global), setting));
    }
    let parts: Vec<String> = parts.iter().map(|lines| lines.join("\n")).collect();
    format!("{}\n", parts.join("\n\n"))
}

/// The rows that are always listed, and then others if there is room.
fn listed(found: &Found) -> Vec<&Moved> {
    let (standing, others): (Vec<&Moved>, Vec<&Moved>) = found.moved.iter().partition(|moved| moved.stands());
    standing.into_iter().chain(others).take(LISTED_MAX).collect()
}

fn heading(report: &Report<'_>, setting: Setting) -> Vec<String> {
    let (study, found) = (report.study, report.found);
    let title = shortened(&study.header.title, 120);
    let fought = shortened(&fought(report), 200);
    let base = answer(report, &found.base);
    let unit = if report.inquiry.quantity.share { " per cent of battles" } else { "" };
    let answer =
        format!("{} ({}): {} {}{unit}", report.asks(), shortened(&report.over(), 60), base.point(), base.error());
    match setting {
        Setting::Text(_) => vec![title, fought, answer],
        Setting::Markdown => vec![
            format!("**{}**", grid::escaped(&title)),
            String::new(),
            format!("{}. {}.", grid::escaped(&fought), grid::escaped(&answer)),
        ],
    }
}

/// Cells, battles, seed and pack.
pub(crate) fn fought(report: &Report<'_>) -> String {
    let (study, found) = (report.study, report.found);
    format!(
        "{}, {} each with each change, seed {}, {}",
        plural(found.cells.len() as u64, "cell"),
        plural(found.battles, "battle"),
        study.seed,
        study.pack_line()
    )
}

fn answer(report: &Report<'_>, estimate: &Estimate) -> Figure {
    if report.inquiry.quantity.share { Figure::percent(estimate) } else { Figure::mean(estimate) }
}

fn change(report: &Report<'_>, estimate: &Estimate) -> Figure {
    if report.inquiry.quantity.share { Figure::points(estimate) } else { Figure::signed_mean(estimate) }
}

fn rows(report: &Report<'_>, listed: &[&Moved], setting: Setting) -> Vec<String> {
    finish(&columns_of(report, listed), &blocks(listed), setting)
}

/// The numbers that are listed, with what they do.
pub(crate) fn columns(report: &Report<'_>) -> Vec<Column> {
    columns_of(report, &listed(report.found))
}

/// The meaning of the signs, and the guarantee.
pub(crate) fn how_to_read(report: &Report<'_>) -> String {
    notes(report, &listed(report.found)).join(" ")
}

fn columns_of(report: &Report<'_>, listed: &[&Moved]) -> Vec<Column> {
    let step = |way: usize| -> Vec<Figure> {
        let figure = |step: &Option<Step>| step.as_ref().map_or_else(none, |step| change(report, &step.together));
        listed.iter().map(|moved| figure(&moved.steps[way])).collect()
    };
    let most = |moved: &&Moved| {
        let found = moved.steps.iter().flatten().filter_map(Step::most);
        let most = found.max_by(|(_, one), (_, other)| one.point.abs().total_cmp(&other.point.abs()));
        most.map(|(cell, estimate)| (report.found.cells[cell].cell, change(report, estimate)))
    };
    let pips = |sign: &str| match report.inquiry.pips {
        1 => format!("a pip\n{sign}"),
        pips => format!("{pips} pips\n{sign}"),
    };
    let mut columns =
        vec![Column::new(&pips("less"), aligned(&step(0))), Column::new(&pips("more"), aligned(&step(1)))];
    if report.found.cells.len() > 1 {
        let most: Vec<_> = listed.iter().map(most).collect();
        let figures: Vec<Figure> =
            most.iter().map(|most| most.as_ref().map_or_else(none, |(_, figure)| figure.clone())).collect();
        let cells = most.iter().map(|most| most.as_ref().map_or_else(String::new, |(cell, _)| cell.to_string()));
        columns.push(Column::new("most", aligned(&figures)));
        columns.push(Column::new("in cell", cells.collect()).right());
    }
    let now = |moved: &&Moved| {
        if moved.number.varied { "varied".to_owned() } else { thousandths(moved.number.value) }
    };
    columns.push(Column::new("now", listed.iter().map(now).collect()).right());
    columns.push(named(listed.iter().map(|moved| &moved.number)));
    columns
}

/// The full names of the numbers, to be copied, even if a line gets too long.
fn named<'n>(numbers: impl Iterator<Item = &'n Number>) -> Column {
    Column::new("number", numbers.map(|number| tame(&number.name())).collect())
}

fn none() -> Figure {
    Figure::words("–")
}

/// The rows that stand out, separated from the others.
fn blocks(listed: &[&Moved]) -> Vec<Block> {
    let of = |stands: bool, heading: &str| {
        let rows: Vec<usize> = (0..listed.len()).filter(|&row| listed[row].stands() == stands).collect();
        Block { heading: heading.to_owned(), rows }
    };
    let blocks = [of(true, ""), of(false, "not beyond the margin of error")];
    blocks.into_iter().filter(|block| !block.rows.is_empty()).collect()
}

fn finish(columns: &[Column], blocks: &[Block], setting: Setting) -> Vec<String> {
    match setting {
        Setting::Text(_) => grid::lines(columns, blocks),
        Setting::Markdown => grid::markdown(columns),
    }
}

fn legend(report: &Report<'_>, listed: &[&Moved], setting: Setting) -> Vec<String> {
    said(notes(report, listed), setting)
}

fn notes(report: &Report<'_>, listed: &[&Moved]) -> Vec<String> {
    let (found, choice) = (report.found, report.choice);
    let count = |count: usize| counted(count as u64);
    let standing = found.moved.iter().filter(|moved| moved.stands()).count();
    let battles = counted(found.looked * found.cells.len() as u64);
    let mut lines = vec![
        format!(
            "Of {} in use: {} beyond the margin of error, {} within it, {} without effect",
            plural(choice.numbers.len() as u64, "number"),
            count(standing),
            count(found.moved.len() - standing),
            count(found.still)
        ),
        format!("(they changed nothing in {battles} battles)."),
    ];
    if found.moved.len() > listed.len() {
        lines
            .push(format!("The {} with the smallest effects are not listed.", count(found.moved.len() - listed.len())));
    }
    if !found.fixed.is_empty() {
        lines.push(format!("The rules allow no other value for {}.", plural(found.fixed.len() as u64, "number")));
    }
    let unused = [
        (choice.absent, "of unit types that no side deploys"),
        (choice.unreached, "of rows that were never used"),
        (choice.varied, "that the study varies but that are not numbers in every cell"),
    ];
    let unused: Vec<String> =
        unused.iter().filter(|(many, _)| *many > 0).map(|(many, what)| format!("{} {what}", count(*many))).collect();
    if !unused.is_empty() {
        lines.push(format!("Not tried, out of {}: {}.", count(choice.all), unused.join(", ")));
    }
    let level = 100.0 * found.level.get();
    let unit = if report.inquiry.quantity.share { "Percentage points" } else { "Change in the mean" };
    let changes = plural(found.changes as u64, "change");
    lines.push(format!("{unit}; ± gives simultaneous {level} % intervals for {changes}."));
    if found.cells.len() > 1 {
        lines.push("most: the largest change in any one cell, followed by the cell's number.".to_owned());
    }
    if listed.iter().any(|moved| moved.steps.iter().any(Option::is_none)) {
        lines.push("–: not tried, because the rules do not allow that number.".to_owned());
    }
    if listed.iter().any(|moved| !moved.number.alone) {
        lines.push("[2]: the second number in the formula; it is in brackets there.".to_owned());
    }
    if listed.iter().any(|moved| moved.number.varied) {
        lines.push(
            "varied: the study varies this number; every cell's own value is changed by the same \
             amount."
                .to_owned(),
        );
    }
    if !found.untried.is_empty() {
        lines.push(format!("Stopped before {} could be tried.", plural(found.untried.len() as u64, "number")));
    }
    lines
}

fn together(report: &Report<'_>, rows: &[GlobalRow], setting: Setting) -> Vec<String> {
    let block = Block { heading: String::new(), rows: (0..rows.len()).collect() };
    let mut lines = said(vec!["Several at once, for a step over the whole range:".to_owned()], setting);
    if setting == Setting::Markdown {
        lines.push(String::new());
    }
    lines.extend(finish(&global_columns(report, rows), &[block], setting));
    lines
}

/// The numbers that were varied at once, with their effects.
pub(crate) fn global_columns(report: &Report<'_>, rows: &[GlobalRow]) -> Vec<Column> {
    let by = if report.inquiry.quantity.share { 100.0 } else { 1.0 };
    let supported = |row: &GlobalRow, figure: Figure| if row.effects.has_intervals() { figure } else { figure.bare() };
    let size = |row: &GlobalRow| supported(row, Figure::size(&row.effects.size, report.inquiry.quantity.share));
    let mean = |row: &GlobalRow| supported(row, change(report, &row.effects.mean));
    let places = |of: fn(&GlobalRow) -> f64| decimals(by * rows.iter().map(of).fold(0.0, f64::max)).min(3);
    let (certain, noisy) = (places(|row| row.effects.size.half_width()), places(|row| row.effects.noise));
    let spread = |row: &GlobalRow| format!("{:.certain$}", by * row.effects.spread);
    let noise = |row: &GlobalRow| format!("{:.noisy$}", by * row.effects.noise);
    let column = |head: &str, texts: Vec<String>| Column::new(head, texts);
    vec![
        column("μ*", aligned(&rows.iter().map(size).collect::<Vec<_>>())),
        column("μ", aligned(&rows.iter().map(mean).collect::<Vec<_>>())),
        column("σ", rows.iter().map(spread).collect()).right(),
        column("error", rows.iter().map(noise).collect()).right(),
        column(
            "range",
            rows.iter()
                .map(|row| format!("{} to {}", thousandths(row.ranged.low), thousandths(row.ranged.high)))
                .collect(),
        ),
        named(rows.iter().map(|row| &row.ranged.number)),
    ]
}

fn global_legend(report: &Report<'_>, global: &grognard_lab::sensitivity::Global) -> Vec<String> {
    let mut lines = vec![
        format!(
            "Elementary effects along {} paths through the ranges (Morris), {} combinations fought.",
            global.ways,
            counted(global.combinations as u64)
        ),
        "μ*: their mean size; μ: their mean; σ: how much they differ. Where σ is as large as μ*,".to_owned(),
        "the number's effect depends on the others or is not linear. error: the part of σ due to chance.".to_owned(),
    ];
    if global.refused > 0 {
        let steps = plural(global.refused as u64, "step");
        lines.push(format!("{steps} could not be taken: the rules do not allow these numbers together."));
    }
    lines.push(format!(
        "±: {} % intervals over the paths and the battles, by a normal approximation.",
        100.0 * report.found.level.get()
    ));
    if !global.rows.iter().all(|row| row.effects.has_intervals()) {
        let least = Effects::CHANGED_MIN;
        lines.push(format!("No ±: fewer than {least} of the battles changed, and it would be too narrow (--runs)."));
    }
    lines
}

/// Sentences in lines, or as a paragraph in Markdown.
fn said(lines: Vec<String>, setting: Setting) -> Vec<String> {
    match setting {
        Setting::Text(_) => lines,
        Setting::Markdown => vec![grid::escaped(&lines.join(" "))],
    }
}
