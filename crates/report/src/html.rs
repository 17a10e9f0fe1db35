//! The report as one HTML page that needs nothing else: no request leaves it.

use std::fmt::Write;

use crate::font::{Letters, Weight};
use crate::paint::PaintError;
use crate::report::Report;
use crate::table::Table;
use crate::text::escaped;

const STYLE: &str = include_str!("page.css");

/// Before what a report is built from, in the head of its page.
pub(crate) const ORIGIN: &str = "<meta name=\"grognard-results\" content=\"";

/// The report as `index.html`.
///
/// # Errors
/// If a chart cannot be drawn.
pub(crate) fn html(report: &Report) -> Result<String, PaintError> {
    let body = body(report)?;
    let title = escaped(&report.title);
    let mut letters = Letters::default();
    for weight in Weight::ALL {
        letters.add(&body, weight);
        // These stand there by their names.
        letters.add("&<>\"'", weight);
    }
    Ok(format!(
        "<!DOCTYPE html>\n<html lang=\"en-GB\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n{ORIGIN}{}\">\n<title>{title}</title>\n\
         <style>\n{}{STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n",
        escaped(&report.origin),
        letters.face()?
    ))
}

fn body(report: &Report) -> Result<String, PaintError> {
    let mut page =
        format!("<h1>{}</h1>\n<section class=\"answer\" aria-label=\"The answer\">\n", escaped(&report.title));
    for sentence in &report.answer {
        paragraph(&mut page, "", sentence);
    }
    page.push_str("</section>\n");
    for highlight in &report.highlights {
        paragraph(&mut page, " class=\"highlight\"", highlight);
    }
    for text in &report.analysis {
        paragraph(&mut page, "", text);
    }
    for chart in &report.charts {
        let _ = writeln!(page, "<figure id=\"{}\">\n{}</figure>", chart.name(), chart.inline_svg()?);
    }
    page.push_str("<h2>All cells</h2>\n");
    for table in &report.tables {
        rows(&mut page, table);
    }
    page.push_str("<h2>How it was made</h2>\n<dl>\n");
    for fact in &report.facts {
        let text = if fact.verbatim { code(&fact.text) } else { print(&fact.text) };
        let _ = writeln!(page, "<dt>{}</dt><dd>{text}</dd>", escaped(fact.term));
    }
    page.push_str("</dl>\n");
    if let Some(replay) = &report.replay {
        page.push_str("<h2>To see a battle</h2>\n");
        paragraph(&mut page, "", &replay.about);
        let _ = writeln!(page, "<p>{}</p>", code(&replay.command));
    }
    Ok(page)
}

fn paragraph(page: &mut String, attributes: &str, text: &str) {
    let _ = writeln!(page, "<p{attributes}>{}</p>", print(text));
}

/// Text whose numbers are not torn from their signs, nor an interval at its dash, at the end of a line.
fn print(text: &str) -> String {
    /// What keeps together what stands on its two sides.
    const JOINED_DASH: &str = "\u{2060}–\u{2060}";
    escaped(text)
        .replace(" %", "\u{a0}%")
        .replace(" ± ", "\u{a0}±\u{a0}")
        .replace(" points", "\u{a0}points")
        .replace('–', JOINED_DASH)
}

fn code(text: &str) -> String {
    format!("<code>{}</code>", escaped(text))
}

fn rows(page: &mut String, table: &Table) {
    // Wide tables scroll by keyboard too, which needs the focus.
    let _ = writeln!(
        page,
        "<div class=\"table\" role=\"region\" tabindex=\"0\" aria-label=\"{}\">\n<table>\n<caption>{0}</caption>\n<thead><tr>",
        escaped(&table.caption)
    );
    for name in &table.head {
        let _ = write!(page, "<th scope=\"col\">{}</th>", escaped(name));
    }
    page.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        page.push_str("<tr>");
        for (nth, field) in row.iter().enumerate() {
            let text = print(field);
            let _ =
                if nth == 0 { write!(page, "<th scope=\"row\">{text}</th>") } else { write!(page, "<td>{text}</td>") };
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody>\n</table>\n</div>\n");
}
