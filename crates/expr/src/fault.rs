//! The faults of an expression, and the nearest correct alternative.

use std::ops::Range;

/// The severity of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The expression is valid, but part of it is superfluous.
    Remark,
    /// The expression is valid, but probably not what its author wanted.
    Warning,
    /// The expression is invalid.
    Error,
}

/// One thing wrong with an expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("{message}")]
pub struct ExprFault {
    /// Its severity.
    pub severity: Severity,
    /// The bytes of the text at fault; empty, at the end of the text, if something is missing there.
    pub range: Range<usize>,
    /// What is wrong, as a sentence without a full stop.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
}

impl ExprFault {
    pub(super) fn error(range: Range<usize>, message: impl Into<String>) -> Self {
        ExprFault { severity: Severity::Error, range, message: message.into(), help: None }
    }

    pub(super) fn warning(range: Range<usize>, message: impl Into<String>) -> Self {
        ExprFault { severity: Severity::Warning, range, message: message.into(), help: None }
    }

    pub(super) fn remark(range: Range<usize>, message: impl Into<String>) -> Self {
        ExprFault { severity: Severity::Remark, range, message: message.into(), help: None }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// Names that newcomers may use for the names of conditions.
const OTHER_WORDS: [(&str, &str); 12] = [
    ("losses", "lost"),
    ("casualties", "lost"),
    ("strength", "figures"),
    ("size", "figures"),
    ("men", "figures"),
    ("routed", "broken"),
    ("disordered", "shaken"),
    ("side", "exposed"),
    ("speed", "reach"),
    ("guns", "cannon"),
    ("width", "front"),
    ("depth", "ranks"),
];

/// The valid name for which `given` is a known synonym.
pub(super) fn meant<'a>(given: &str, mut valid: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let (whose, word) = given.rsplit_once('.').unwrap_or(("self", given));
    let (_, ours) = OTHER_WORDS.into_iter().find(|&(theirs, _)| theirs == word.to_lowercase())?;
    valid.find(|name| name.rsplit_once('.') == Some((whose, ours)))
}

/// The valid name that `given` most likely stands for, if any is close enough.
///
/// Close enough means one edit per three characters, ignoring case; for dotted names it is also enough that the last
/// segment is right, or that only the last segment was given. Of several equally close names the first is taken.
pub(super) fn nearest<'a>(given: &str, valid: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let given = given.to_lowercase();
    let allowed = (given.chars().count() / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for name in valid {
        let candidate = name.to_lowercase();
        let distance = match given.contains('.') {
            true => distance(&given, &candidate),
            false => distance(&given, &candidate).min(distance(&given, last_segment(&candidate))),
        };
        let near = distance <= allowed || last_segment(&candidate) == last_segment(&given);
        if near && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, name));
        }
    }
    best.map(|(_, name)| name)
}

/// The number of edits between two names; for names too long to be misspellings, the number of letters.
fn distance(first: &str, second: &str) -> usize {
    const LONGEST: usize = 200;
    let longer = first.len().max(second.len());
    if longer > LONGEST { longer } else { strsim::osa_distance(first, second) }
}

fn last_segment(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// `a, b, c`; for more than 14 names, the first twelve and then, for example, `and 30 more`, so that one or two names
/// are never left out.
pub(super) fn listed<'a>(names: impl ExactSizeIterator<Item = &'a str>, quote: char) -> String {
    const ALL_SHOWN: usize = 14;
    const SHOWN_OF_MANY: usize = 12;
    let all = names.len();
    let count = if all > ALL_SHOWN { SHOWN_OF_MANY } else { all };
    let shown: Vec<String> = names.take(count).map(|name| format!("{quote}{}{quote}", printable(name))).collect();
    let more = if all > count { format!(" and {} more", all - count) } else { String::new() };
    shown.join(", ") + &more
}

/// `text` between backticks, on one line and truncated to a length that fits in a message.
pub(super) fn quoted(text: &str) -> String {
    const LONGEST: usize = 60;
    let line = text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    let cut = line.char_indices().nth(LONGEST).map_or(line.as_str(), |(at, _)| &line[..at]);
    format!("`{}{}`", printable(cut), if cut.len() < line.len() { "..." } else { "" })
}

/// `text` with every character spelt out that a terminal might interpret or would not show.
fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\'' | '"' | '\\' => shown.push(letter),
            _ => shown.extend(letter.escape_debug()),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_is_quoted() {
        assert_eq!(quoted("a\u{1b}[31m \n 'b'\u{202e}\u{a0}"), "`a\\u{1b}[31m 'b'\\u{202e}\\u{a0}`");
        assert_eq!(quoted(&"é".repeat(61)), format!("`{}...`", "é".repeat(60)));
    }

    #[test]
    fn no_list_leaves_out_one_name_or_two() {
        let ending = |count| listed(vec!["a"; count].into_iter(), '`').split_off(12 * 5 - 2);
        assert_eq!(ending(12), "");
        assert_eq!(ending(14), ", `a`, `a`");
        assert_eq!(ending(15), " and 3 more");
    }

    #[test]
    fn the_nearest_name_is_a_near_one() {
        let names = ["self.arm", "foe.arm", "self.formation", "range"];
        for (given, meant) in [
            ("self.amr", Some("self.arm")),
            ("fo.arm", Some("foe.arm")),
            ("arm", Some("self.arm")),
            ("RANGE", Some("range")),
            ("unit.formation", Some("self.formation")),
            ("weather", None),
            ("", None),
        ] {
            assert_eq!(nearest(given, names.into_iter()), meant, "{given}");
        }
    }
}
