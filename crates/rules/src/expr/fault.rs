//! What may be wrong with an expression, and the nearest right thing.

use std::ops::Range;

/// How grave a fault is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The expression means something, but hardly what its author wanted.
    Warning,
    /// The expression means nothing.
    Error,
}

/// One thing wrong with an expression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ExprFault {
    /// How grave it is.
    pub severity: Severity,
    /// The bytes of the text that are meant; empty, at the end of the text, when something is missing there.
    pub range: Range<usize>,
    /// What is wrong, as a sentence without a full stop.
    pub message: String,
    /// What would be right.
    pub help: Option<String>,
}

impl ExprFault {
    pub(super) fn error(range: Range<usize>, message: impl Into<String>) -> Self {
        ExprFault { severity: Severity::Error, range, message: message.into(), help: None }
    }

    pub(super) fn warning(range: Range<usize>, message: impl Into<String>) -> Self {
        ExprFault { severity: Severity::Warning, range, message: message.into(), help: None }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// The valid name that `given` most likely stands for, if any is near enough.
///
/// Near enough is one edit in three characters, letter case aside; for dotted names it also suffices that the last
/// segment is right, or that nothing but the last segment was given. The first of several equally near names is taken.
pub(super) fn nearest<'a>(given: &str, valid: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let given = given.to_lowercase();
    let mut best: Option<(usize, &str)> = None;
    for name in valid {
        let candidate = name.to_lowercase();
        let same_end = last_segment(&candidate) == last_segment(&given);
        let allowed = (given.chars().count() / 3).max(1);
        let whole = strsim::osa_distance(&given, &candidate);
        let distance = match given.contains('.') {
            true => whole,
            false => whole.min(strsim::osa_distance(&given, last_segment(&candidate))),
        };
        if (distance <= allowed || same_end) && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, name));
        }
    }
    best.map(|(_, name)| name)
}

fn last_segment(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// `a, b, c`, or the first dozen `and 30 more`.
pub(super) fn listed<'a>(names: impl ExactSizeIterator<Item = &'a str>, quote: &str) -> String {
    const SHOWN: usize = 12;
    let all = names.len();
    let shown: Vec<String> = names.take(SHOWN).map(|name| format!("{quote}{name}{quote}")).collect();
    let mut list = shown.join(", ");
    if all > SHOWN {
        list.push_str(&format!(" and {} more", all - SHOWN));
    }
    list
}

/// `text` between backticks, on one line and cut to a length that a message can carry.
pub(super) fn quoted(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() > LONGEST {
        line = line.chars().take(LONGEST).chain("...".chars()).collect();
    }
    format!("`{line}`")
}
