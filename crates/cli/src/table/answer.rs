//! The answer to a question as text or Markdown.

use super::Setting;
use super::grid::{self, Block, Column};
use crate::answer::Answer;
use crate::text::{shortened, wrapped};

/// The width of lines of prose.
const LINE: usize = 100;

/// The answer: the question, the result, the table, and its notes.
pub(crate) fn table(answer: &Answer, setting: Setting) -> String {
    let heading = [&answer.asked, &answer.fought].map(|line| shortened(line, 200));
    let title = shortened(&answer.title, 120);
    let paragraph = |text: &String| match setting {
        Setting::Text(_) => wrapped(text, LINE),
        Setting::Markdown => vec![grid::escaped(text)],
    };
    let mut parts: Vec<Vec<String>> = match setting {
        Setting::Text(_) => vec![[vec![title], heading.to_vec()].concat()],
        Setting::Markdown => {
            let lines = heading.iter().map(|line| vec![grid::escaped(line)]);
            std::iter::once(vec![format!("**{}**", grid::escaped(&title))]).chain(lines).collect()
        }
    };
    parts.push(answer.sentences.iter().flat_map(paragraph).collect());
    parts.push(rows(&answer.columns, setting));
    for (heading, columns) in
        answer.more.iter().filter(|(_, columns)| columns.iter().any(|column| !column.rows.is_empty()))
    {
        parts.push(paragraph(heading));
        parts.push(rows(columns, setting));
    }
    parts.push(answer.legend.iter().flat_map(paragraph).collect());
    let parts: Vec<String> = parts.iter().filter(|lines| !lines.is_empty()).map(|lines| lines.join("\n")).collect();
    format!("{}\n", parts.join("\n\n"))
}

/// The rows of a table; empty if it has none.
fn rows(columns: &[Column], setting: Setting) -> Vec<String> {
    let rows = columns.first().map_or(0, |column| column.rows.len());
    let block = Block { heading: String::new(), rows: (0..rows).collect() };
    match setting {
        _ if rows == 0 => Vec::new(),
        Setting::Text(_) => grid::lines(columns, &[block]),
        Setting::Markdown => grid::markdown(columns),
    }
}
