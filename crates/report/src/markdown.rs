//! The report as Markdown, with its charts as separate files next to it.

use std::fmt::Write;

use crate::charts::Chart;
use crate::report::Report;
use crate::table::Table;
use crate::text::{Piece, with_code};

/// The report as `report.md`.
pub(crate) fn markdown(report: &Report) -> String {
    let mut page = format!("# {}\n\n", plain(&report.title));
    if !report.question.is_empty() {
        let _ = writeln!(page, "*{}*\n", plain(&report.question));
    }
    for sentence in &report.answer {
        let _ = writeln!(page, "{}\n", plain(sentence));
    }
    for highlight in &report.highlights {
        let _ = writeln!(page, "> {}\n", plain(highlight));
    }
    if let Some(chart) = &report.lead {
        page.push_str(&figure(report, chart));
    }
    if let Some(table) = &report.asked {
        page.push_str(&rows(table));
    }
    for paragraph in &report.analysis {
        let _ = writeln!(page, "{}\n", marked(paragraph));
    }
    if let Some(who_plays) = &report.who_plays {
        page.push_str("## Who plays\n\n");
        for paragraph in &who_plays.about {
            let _ = writeln!(page, "{}\n", plain(paragraph));
        }
        for table in &who_plays.tables {
            page.push_str(&rows(table));
        }
    }
    for chart in &report.charts {
        page.push_str(&figure(report, chart));
    }
    if !report.noteworthy.is_empty() || report.replay.is_some() {
        page.push_str("## Noteworthy battles\n\n");
        for told in &report.noteworthy {
            let (title, about) = (plain(told.title), plain(&told.about));
            let _ =
                writeln!(page, "**{title}**, [blow by blow]({}.txt). {about}\n\n{}\n", told.name, code(&told.command));
            if told.timeline.is_some() {
                let _ = writeln!(page, "![{}]({}.svg)\n", plain(&told.alt()), told.name);
            }
        }
        if let Some(replay) = &report.replay {
            let _ = writeln!(page, "{}\n\n{}\n", plain(&replay.about), code(&replay.command));
        }
    }
    if !report.tables.is_empty() {
        let _ = writeln!(page, "## {}\n", report.tables_title);
    }
    for table in &report.tables {
        page.push_str(&rows(table));
    }
    if let Some(rules) = &report.rules {
        let _ = writeln!(page, "## Rules used\n\n{}\n", plain(&rules.about));
        if let Some(chart) = &rules.chart {
            page.push_str(&figure(report, chart));
        }
        page.push_str(&rows(&rules.played));
        if let Some(never) = &rules.never {
            let _ = writeln!(page, "{}\n", plain(never));
        }
    }
    if !report.facts.is_empty() {
        page.push_str("## How it was made\n\n");
    }
    for fact in &report.facts {
        let text = if fact.verbatim { code(&fact.text) } else { plain(&fact.text) };
        let _ = writeln!(page, "- {}: {text}", fact.term);
    }
    page
}

fn figure(report: &Report, chart: &Chart) -> String {
    format!("## {}\n\n![{}]({}.svg)\n\n", plain(chart.finding()), plain(&report.alt(chart)), chart.name())
}

fn rows(table: &Table) -> String {
    let colon = if table.caption.ends_with('?') { "" } else { ":" };
    let mut text = format!("{}{colon}\n\n", plain(&table.caption));
    let line = |fields: &[String]| {
        let fields: Vec<String> = fields.iter().map(|field| plain(field)).collect();
        format!("| {} |\n", fields.join(" | "))
    };
    text.push_str(&line(&table.head));
    let _ = writeln!(text, "|{}", " --- |".repeat(table.head.len()));
    for row in &table.rows {
        text.push_str(&line(row));
    }
    text.push('\n');
    text
}

/// Text that Markdown shows as it is, on one line.
fn plain(text: &str) -> String {
    paragraph(&safe(text))
}

/// Text that Markdown shows as it is, except that code between backticks is shown as code.
fn marked(text: &str) -> String {
    let pieces = with_code(text).map(|piece| match piece {
        Piece::Plain(words) => safe(words),
        Piece::Code(words) => code(words),
    });
    paragraph(&pieces.collect::<String>())
}

/// Text without markup.
fn safe(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '~' | '$' | '!' => safe.extend(['\\', letter]),
            '&' => safe.push_str("&amp;"),
            _ if crate::sheet::printable(letter) => safe.push(letter),
            _ => safe.push(' '),
        }
    }
    safe
}

/// Text at the start of a line, where it must not begin a list, a rule or a heading.
fn paragraph(text: &str) -> String {
    let trimmed = text.trim();
    let digits = trimmed.len() - trimmed.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let mut after = trimmed[digits..].chars();
    match (after.next(), after.next()) {
        (Some('-' | '+'), None | Some(' ' | '-')) | (Some('='), _) if digits == 0 => format!("\\{trimmed}"),
        (Some('.' | ')'), None | Some(' ')) if digits > 0 => format!("{}\\{}", &trimmed[..digits], &trimmed[digits..]),
        _ => trimmed.to_owned(),
    }
}

/// Text to be typed, on one line.
fn code(text: &str) -> String {
    let text: String = text.chars().map(|letter| if crate::sheet::printable(letter) { letter } else { ' ' }).collect();
    let fence = "`".repeat(1 + text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0));
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_disarmed() {
        assert_eq!(plain("a|b *c* <i>\nd"), "a\\|b \\*c\\* \\<i\\> d");
        assert_eq!(plain("- list"), "\\- list");
        assert_eq!(marked("- `a_b` *c* `"), "\\- `a_b` \\*c\\* \\`");
        assert_eq!(plain("1. list"), "1\\. list");
        assert_eq!(plain("--- rule"), "\\--- rule");
        assert_eq!(plain("96.1 %"), "96.1 %");
        assert_eq!(plain("+1.2 points"), "+1.2 points");
        assert_eq!(code("a`b"), "``a`b``");
    }
}
