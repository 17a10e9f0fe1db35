//! The report as one self-contained HTML page, which makes no requests.
//!
//! It has landmarks, headings in order, a link that skips to the answer, and an alternative text and a table for each
//! chart. It follows the reader's preference for a dark screen and prints on white paper.

use std::fmt::Write;

use crate::charts::Chart;
use crate::drawn::{self, Player};
use crate::font::{Letters, Weight};
use crate::look::{Size, by_night};
use crate::noteworthy::NoteworthyBattle;
use crate::paint::{PaintError, colours};
use crate::report::Report;
use crate::table::Table;
use crate::text::{Piece, escaped, with_code};

const STYLE: &str = include_str!("page.css");

/// The marker before a report's origin, in the head of its page.
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
        // The page contains these as named entities.
        letters.add("&<>\"'", weight);
    }
    let played = report.noteworthy.iter().any(|told| told.timeline.is_some());
    let (style, script) = if played { (player_style(), player_script()) } else { (String::new(), String::new()) };
    let inks = report.all_charts().flat_map(|chart| colours(&chart.sheet(Size::Page)));
    let inks = inks.chain(report.noteworthy.iter().filter_map(player).flat_map(|player| player.inks));
    Ok(format!(
        "<!DOCTYPE html>\n<html lang=\"en-GB\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n{ORIGIN}{}\">\n<title>{title}</title>\n\
         <style>\n{}{STYLE}{style}{}</style>\n</head>\n<body>\n{body}{script}</body>\n</html>\n",
        escaped(&report.origin),
        letters.face()?,
        by_night(inks)
    ))
}

/// A part of the page that can be jumped to: its name in links, and its heading.
type Part = (&'static str, &'static str);

const LEAD: Part = ("lead", "In one chart");
const WHO_PLAYS: Part = ("who-plays", "Who plays");
const CHARTS: Part = ("charts", "More charts");
const RULES: Part = ("rules", "Rules used");
const BATTLES: Part = ("battles", "Noteworthy battles");
const TABLE: Part = ("numbers", "In numbers");
const MADE: Part = ("made", "How it was made");

/// The part with the tables.
fn cells(report: &Report) -> Part {
    ("cells", report.tables_title)
}

fn body(report: &Report) -> Result<String, PaintError> {
    let mut page = "<a class=\"skip\" href=\"#answer\">Skip to the answer</a>\n".to_owned();
    let _ = writeln!(page, "<header>\n<h1>{}</h1>", escaped(&report.title));
    if !report.question.is_empty() {
        paragraph(&mut page, " class=\"question\"", &report.question);
    }
    contents(&mut page, report);
    page.push_str(
        "</header>\n<main>\n<section id=\"answer\" class=\"answer\" tabindex=\"-1\" aria-label=\"The answer\">\n",
    );
    for sentence in &report.answer {
        paragraph(&mut page, "", sentence);
    }
    page.push_str("</section>\n");
    for highlight in &report.highlights {
        paragraph(&mut page, " class=\"highlight\"", highlight);
    }
    if let Some(chart) = &report.lead {
        section(&mut page, LEAD);
        figure(&mut page, report, chart)?;
        if let Some(table) = &report.asked {
            rows(&mut page, table);
        }
        page.push_str("</section>\n");
    } else if let Some(table) = &report.asked {
        section(&mut page, TABLE);
        rows(&mut page, table);
        page.push_str("</section>\n");
    }
    for text in &report.analysis {
        let pieces = with_code(text).map(|piece| match piece {
            Piece::Plain(words) => print(words),
            Piece::Code(words) => code(words),
        });
        let _ = writeln!(page, "<p>{}</p>", pieces.collect::<String>());
    }
    if let Some(who_plays) = &report.who_plays {
        section(&mut page, WHO_PLAYS);
        for text in &who_plays.about {
            paragraph(&mut page, "", text);
        }
        for table in &who_plays.tables {
            rows(&mut page, table);
        }
        page.push_str("</section>\n");
    }
    if !report.charts.is_empty() {
        section(&mut page, CHARTS);
        for chart in &report.charts {
            figure(&mut page, report, chart)?;
        }
        page.push_str("</section>\n");
    }
    battles(&mut page, report);
    if !report.tables.is_empty() {
        section(&mut page, cells(report));
        for table in &report.tables {
            rows(&mut page, table);
        }
        page.push_str("</section>\n");
    }
    if let Some(rules) = &report.rules {
        section(&mut page, RULES);
        paragraph(&mut page, "", &rules.about);
        if let Some(chart) = &rules.chart {
            figure(&mut page, report, chart)?;
        }
        rows(&mut page, &rules.played);
        if let Some(never) = &rules.never {
            paragraph(&mut page, "", never);
        }
        page.push_str("</section>\n");
    }
    if !report.facts.is_empty() {
        section(&mut page, MADE);
        page.push_str("<dl>\n");
        for fact in &report.facts {
            let text = if fact.verbatim { code(&fact.text) } else { print(&fact.text) };
            let _ = writeln!(page, "<dt>{}</dt><dd>{text}</dd>", escaped(fact.term));
        }
        page.push_str("</dl>\n</section>\n");
    }
    page.push_str("</main>\n");
    Ok(page)
}

/// Links to the parts of the page.
fn contents(page: &mut String, report: &Report) {
    let tells = !report.noteworthy.is_empty() || report.replay.is_some();
    let parts = [
        Some(LEAD).filter(|_| report.lead.is_some()),
        Some(TABLE).filter(|_| report.lead.is_none() && report.asked.is_some()),
        Some(WHO_PLAYS).filter(|_| report.who_plays.is_some()),
        Some(CHARTS).filter(|_| !report.charts.is_empty()),
        Some(BATTLES).filter(|_| tells),
        Some(cells(report)).filter(|_| !report.tables.is_empty()),
        Some(RULES).filter(|_| report.rules.is_some()),
        Some(MADE).filter(|_| !report.facts.is_empty()),
    ];
    page.push_str("<nav aria-label=\"Contents\">\n<ul>\n");
    for (id, heading) in parts.into_iter().flatten() {
        let _ = writeln!(page, "<li><a href=\"#{id}\">{heading}</a></li>");
    }
    page.push_str("</ul>\n</nav>\n");
}

fn section(page: &mut String, (id, heading): Part) {
    let _ = writeln!(
        page,
        "<section id=\"{id}\" aria-labelledby=\"{id}-heading\">\n<h2 id=\"{id}-heading\">{heading}</h2>"
    );
}

/// A chart, with its numbers and a heading for readers who navigate by headings.
fn figure(page: &mut String, report: &Report, chart: &Chart) -> Result<(), PaintError> {
    let (name, own) = (chart.name(), chart.table());
    let alt = match own {
        Some(_) => format!("{} The numbers are in the table that follows.", chart.alt()),
        None => report.alt(chart),
    };
    let _ = writeln!(page, "<section aria-labelledby=\"{name}-heading\">");
    let _ = writeln!(page, "<h3 class=\"unseen\" id=\"{name}-heading\">{}</h3>", escaped(chart.finding()));
    let _ = writeln!(page, "<figure id=\"{name}\">\n{}</figure>", chart.inline_svg(&alt)?);
    if let Some(table) = own {
        page.push_str("<details>\n<summary>The numbers behind this chart</summary>\n");
        rows(page, &table);
        page.push_str("</details>\n");
    }
    page.push_str("</section>\n");
    Ok(())
}

fn battles(page: &mut String, report: &Report) {
    if report.noteworthy.is_empty() && report.replay.is_none() {
        return;
    }
    section(page, BATTLES);
    for told in &report.noteworthy {
        let _ = writeln!(page, "<h3>{}</h3>", escaped(told.title));
        paragraph(page, "", &told.about);
        let _ = writeln!(page, "<p>{}</p>", code(&told.command));
        if let Some(player) = player(told) {
            page.push_str(&player.html);
            continue;
        }
        let _ = writeln!(
            page,
            "<details>\n<summary>{}, blow by blow</summary>\n<pre tabindex=\"0\">{}</pre>\n</details>",
            escaped(told.title),
            escaped(&told.narration.join("\n"))
        );
    }
    if let Some(replay) = &report.replay {
        paragraph(page, "", &replay.about);
        let _ = writeln!(page, "<p>{}</p>", code(&replay.command));
    }
    page.push_str("</section>\n");
}

/// The player of a battle that can be drawn.
fn player(told: &NoteworthyBattle) -> Option<Player> {
    told.timeline.as_ref().map(|timeline| drawn::player(told.name, timeline, &told.caption()))
}

/// The player's style on a page as narrow as this one: the narration is below the map.
fn player_style() -> String {
    format!(
        "{}.player {{ grid-template-columns: minmax(0, 1fr); }}\n.player .narration {{ height: 16em; }}\n.player .map {{ max-height: 55vh; }}\n",
        drawn::PLAYER_STYLE
    )
}

fn player_script() -> String {
    format!("<script>\n{}</script>\n", drawn::PLAYER_SCRIPT)
}

fn paragraph(page: &mut String, attributes: &str, text: &str) {
    let _ = writeln!(page, "<p{attributes}>{}</p>", print(text));
}

/// Text in which no line break separates a number from its sign or splits an interval at its dash.
fn print(text: &str) -> String {
    /// A dash at which a line does not break.
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
    // Wide tables must be scrollable by keyboard, so they can take the focus.
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
