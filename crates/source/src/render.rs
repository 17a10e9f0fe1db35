//! Diagnostics as text for people, in the style of rustc.

use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};

use super::diagnostic::{Diagnostic, Diagnostics};
use super::span::{Sources, Span, floor};

/// Maximum number of faults printed; the rest are counted.
const PRINTED_MAX: usize = 50;

/// Width of the output, in columns.
const WIDTH: usize = 120;

/// Maximum column, in bytes, at which an excerpt of the line is shown, and maximum number of bytes shown of the line
/// after it. A file with one very long line thus prints as quickly as any other.
const EXCERPT_MAX: usize = 2_000;

impl Diagnostic {
    /// The fault with its location, the offending text underlined, and its help. There is no line break at the end.
    #[must_use]
    pub fn render(&self, sources: &Sources, colour: bool) -> String {
        let level = if self.warning { Level::WARNING } else { Level::ERROR };
        let mut group = Group::with_title(level.primary_title(self.message.as_str()));
        if let Some(span) = self.span {
            group = group.element(place(sources, span, self.label.as_deref()));
        }
        if let Some(help) = &self.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        for note in self.notes.iter().filter(|note| note.span.is_none()) {
            group = group.element(Level::NOTE.message(note.message.as_str()));
        }
        let mut report = vec![group];
        for note in &self.notes {
            if let Some(span) = note.span {
                let title = Level::NOTE.secondary_title(note.message.as_str());
                report.push(Group::with_title(title).element(place(sources, span, None)));
            }
        }
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        renderer.term_width(WIDTH).render(&report)
    }
}

impl Diagnostics {
    /// All faults for people, sorted, the first 50 in full. Empty if nothing is wrong; otherwise there is a line break
    /// at the end.
    #[must_use]
    pub fn render(&self, sources: &Sources, colour: bool) -> String {
        let mut text = String::new();
        for diagnostic in self.sorted().into_iter().take(PRINTED_MAX) {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&diagnostic.render(sources, colour));
            text.push('\n');
        }
        if self.len() > PRINTED_MAX {
            // A checker stops looking once the collection is full.
            let least = if self.is_full() { "at least " } else { "" };
            text.push_str(&format!("\nand {least}{} more\n", self.len() - PRINTED_MAX));
        }
        text
    }
}

/// `--> file:line:column` and the first line of the text at fault, underlined.
fn place<'a>(sources: &'a Sources, span: Span, label: Option<&'a str>) -> Element<'a> {
    let (line, start) = sources.locate(span.file, span.start);
    let name = sources.name(span.file);
    if start > EXCERPT_MAX {
        let position = sources.position(span);
        return Origin::path(name).line(position.line).char_column(position.column).into();
    }
    let whole = sources.line(span.file, line);
    let shown = &whole[..floor(whole, start + EXCERPT_MAX)];
    let end = floor(shown, start + span.range().len());
    let mark = AnnotationKind::Primary.span(start..end).label(label);
    Snippet::source(shown).path(name).line_start(line).annotation(mark).into()
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;

    fn rendered(text: &str, range: Range<usize>) -> String {
        let mut sources = Sources::new();
        let file = sources.add("pack.toml", text);
        Diagnostic::new("wrong").at(Span::new(file, range)).render(&sources, false)
    }

    #[test]
    fn a_fault_is_shown_as_rustc_does() {
        let mut sources = Sources::new();
        let file = sources.add("pack.toml", "pack = \"x\"\n[[row]]\nid = \"a\"\n[[row]]\nid = \"a\"\n");
        let fault = Diagnostic::new("the id `a` is given twice")
            .at(Span::new(file, 41..44))
            .label("here again")
            .help("give each row its own id")
            .note("first given here", Some(Span::new(file, 24..27)))
            .note("ids name rows in paths", None);
        assert_eq!(
            fault.render(&sources, false),
            "error: the id `a` is given twice
 --> pack.toml:5:6
  |
5 | id = \"a\"
  |      ^^^ here again
  |
  = help: give each row its own id
  = note: ids name rows in paths
note: first given here
 --> pack.toml:3:6
  |
3 | id = \"a\"
  |      ^^^"
        );
        assert!(fault.render(&sources, true).contains("\u{1b}["), "colour is an escape sequence");
    }

    #[test]
    fn a_table_over_many_lines_is_underlined_on_its_first() {
        let shown = rendered("a = {\n  b = 1,\n  c = 2,\n}\n", 4..26);
        assert!(shown.ends_with("1 | a = {\n  |     ^"), "{shown}");
    }

    #[test]
    fn the_end_of_an_empty_file_can_be_shown() {
        assert!(rendered("", 0..0).contains("pack.toml:1:1"));
        assert!(rendered("a\r\n", 2..9).contains("pack.toml:1:2"));
        assert!(rendered("a\n", 2..2).contains("pack.toml:2:1"));
    }

    #[test]
    fn of_an_endless_line_only_the_column_is_shown() {
        let text = format!("a = [{}x{}]", "ß, ".repeat(50_000), ", 1".repeat(50_000));
        let at = text.find('x').expect("there is one");
        let shown = rendered(&text, at..at + 1);
        assert!(shown.ends_with("--> pack.toml:1:150006"), "{shown}");
        let text = format!("a = x{}", ", 1".repeat(50_000));
        let shown = rendered(&text, 4..5);
        assert!(shown.contains("pack.toml:1:5\n") && shown.contains("\n  |     ^"), "{shown}");
        assert!(shown.len() < 1_000, "{shown}");
    }

    #[test]
    fn only_fifty_are_printed() {
        let sources = Sources::new();
        let mut faults = Diagnostics::new();
        for number in 0..60 {
            faults.push(Diagnostic::new(format!("fault {number}")));
        }
        let shown = faults.render(&sources, false);
        assert!(shown.contains("fault 49") && !shown.contains("fault 50"), "{shown}");
        assert!(shown.ends_with("\nand 10 more\n"), "{shown}");
        assert_eq!(Diagnostics::new().render(&sources, false), "");
    }
}
