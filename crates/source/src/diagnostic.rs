//! Faults in a user's text, collected so that all are reported at once.

use std::fmt;

use serde::Serialize;

use super::nearest::{quoted, unknown_name};
use super::path::Path;
use super::span::{Sources, Span};

/// One fault: what is wrong, where, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// Its location, if it is in a text.
    pub span: Option<Span>,
    /// A few words written under the offending text.
    pub label: Option<String>,
    /// What to write instead.
    pub help: Option<String>,
    /// The path of the faulty value in its document.
    pub path: Option<Path>,
    /// Related remarks, such as the first of two equal ids.
    pub notes: Vec<Note>,
    /// Whether it may be intentional: it is then a warning, and nothing is refused because of it.
    pub warning: bool,
}

/// A remark on a [`Diagnostic`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The text of the remark.
    pub message: String,
    /// Its location, if it is in a text.
    pub span: Option<Span>,
}

impl Diagnostic {
    /// Creates a fault without a location.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            span: None,
            label: None,
            help: None,
            path: None,
            notes: Vec::new(),
            warning: false,
        }
    }

    /// A name that does not exist, with the nearest that does (see [`unknown_name`]).
    pub fn unknown<'a, I>(what: &str, name: &str, candidates: I) -> Self
    where
        I: IntoIterator<Item = &'a str>,
        I::IntoIter: Clone,
    {
        let (message, help) = unknown_name(what, name, candidates);
        Self { help, ..Self::new(message) }
    }

    /// A required key that is not given.
    #[must_use]
    pub(crate) fn missing(key: &str) -> Self {
        Self::new(format!("the key {} is missing", quoted(key)))
    }

    /// Whether it is about a required key that is not given: the last one of its path.
    fn is_missing(&self) -> bool {
        let key = self.path.as_ref().and_then(|path| path.segments().last());
        key.is_some_and(|key| self.message == Self::missing(key).message)
    }

    /// Turns the fault into a warning.
    #[must_use]
    pub fn warning(mut self) -> Self {
        self.warning = true;
        self
    }

    /// Locates the fault at `span`.
    #[must_use]
    pub fn at(mut self, span: Span) -> Self {
        self.span = Some(span);
        self
    }

    /// Adds words under the offending text.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// Adds advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds the value's path.
    #[must_use]
    pub fn path(mut self, path: &Path) -> Self {
        self.path = Some(path.clone());
        self
    }

    /// Adds a remark, which may have another location.
    #[must_use]
    pub fn note(mut self, message: impl Into<String>, span: Option<Span>) -> Self {
        self.notes.push(Note { message: message.into(), span });
        self
    }
}

/// The end of the warning about a new name that is almost the same as an existing one.
pub(crate) const NEW: &str = ": this is new";

/// A collection of faults, so that the first does not hide the others.
#[must_use = "an unreported fault is never fixed"]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics {
    kept: Vec<Diagnostic>,
    dropped: usize,
}

impl Diagnostics {
    /// Maximum number of faults that are kept; further ones are only counted. This bounds the memory that hostile input
    /// can use.
    pub const KEPT_MAX: usize = 1_000;

    /// No faults yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a fault.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if self.is_full() {
            self.dropped += 1;
        } else {
            self.kept.push(diagnostic);
        }
    }

    /// Adds all faults of another collection.
    pub fn append(&mut self, other: Self) {
        self.dropped += other.dropped;
        self.extend(other.kept);
    }

    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// How many faults there are, including those that were only counted.
    #[must_use]
    pub fn len(&self) -> usize {
        self.kept.len() + self.dropped
    }

    /// Whether further faults will only be counted, so that a checker may stop looking.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.kept.len() >= Self::KEPT_MAX
    }

    /// The faults by file and position, those without a location first; otherwise in the order they were found.
    #[must_use]
    pub fn sorted(&self) -> Vec<&Diagnostic> {
        let mut all: Vec<&Diagnostic> = self.kept.iter().collect();
        all.sort_by_key(|diagnostic| diagnostic.span);
        all
    }

    /// The same faults, each once, in the order in which they were found. Two faults at one location are different if
    /// their messages differ.
    pub fn each_once(self) -> Self {
        let is = |one: &Diagnostic, other: &Diagnostic| {
            let placed = one.span.is_some() && one.span == other.span;
            (placed || one.path == other.path) && (&one.message, &one.help) == (&other.message, &other.help)
        };
        let mut kept: Vec<Diagnostic> = Vec::new();
        for diagnostic in self.kept {
            if !kept.iter().any(|known| is(known, &diagnostic)) {
                kept.push(diagnostic);
            }
        }
        Self { kept, ..self }
    }

    /// The faults, and the slips that do not explain any of them.
    ///
    /// A new name that is almost the same as an existing one lacks the other's keys: that is one fault about the name,
    /// not one for each missing key.
    pub fn explained_by(mut self, slips: &Self) -> (Self, Self) {
        let mut unused = Self { kept: Vec::new(), dropped: slips.dropped };
        for slip in &slips.kept {
            let Some(path) = &slip.path else { continue };
            let within = |fault: &Diagnostic| {
                let rest = fault.path.as_ref()?.segments().strip_prefix(path.segments())?;
                fault.is_missing().then(|| quoted(&rest.join(".")))
            };
            let missing: Vec<String> = self.kept.iter().filter_map(within).collect();
            let (Some(first), Some(help)) = (missing.first(), &slip.help) else {
                unused.push(slip.clone());
                continue;
            };
            self.kept.retain(|fault| within(fault).is_none());
            let needs = match &missing[1..] {
                [] => first.clone(),
                more => format!("{first} and {}", more.join(", ")),
            };
            let message = slip.message.trim_end_matches(NEW);
            let help = format!("{help} If it is meant to be new, it also needs {needs}");
            self.kept.push(Diagnostic {
                message: message.to_owned(),
                help: Some(help),
                warning: false,
                ..slip.clone()
            });
        }
        (self, unused)
    }

    /// The same faults, each with its remark if there is one.
    pub fn noted(mut self, note: impl Fn(&Diagnostic) -> Option<String>) -> Self {
        for fault in &mut self.kept {
            let message = note(fault);
            fault.notes.extend(message.map(|message| Note { message, span: None }));
        }
        self
    }

    /// `value` if nothing is wrong, otherwise the faults.
    ///
    /// # Errors
    ///
    /// If there is a fault.
    pub fn into_result<T>(self, value: T) -> Result<T, Self> {
        if self.is_empty() { Ok(value) } else { Err(self) }
    }

    /// The faults in machine-readable form, sorted.
    #[must_use]
    pub fn to_plain(&self, sources: &Sources) -> Vec<PlainDiagnostic> {
        self.sorted().into_iter().map(|diagnostic| PlainDiagnostic::new(diagnostic, sources)).collect()
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Self {
        Self { kept: vec![diagnostic], dropped: 0 }
    }
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, diagnostics: I) {
        for diagnostic in diagnostics {
            self.push(diagnostic);
        }
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.sorted().first() {
            None => formatter.write_str("nothing is wrong"),
            Some(first) if self.len() == 1 => formatter.write_str(&first.message),
            Some(first) => write!(formatter, "{} (and {} more)", first.message, self.len() - 1),
        }
    }
}

impl std::error::Error for Diagnostics {}

/// A fault as `--json` prints it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlainDiagnostic {
    /// Name of the file, or origin such as `--set`.
    pub file: Option<String>,
    /// Line, counted from 1.
    pub line: Option<usize>,
    /// Column in characters, counted from 1.
    pub column: Option<usize>,
    /// The path of the value.
    pub path: Option<String>,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
    /// Further remarks.
    pub notes: Vec<String>,
}

impl PlainDiagnostic {
    fn new(diagnostic: &Diagnostic, sources: &Sources) -> Self {
        let position = diagnostic.span.map(|span| sources.position(span));
        Self {
            file: diagnostic.span.map(|span| sources.name(span.file).to_owned()),
            line: position.map(|position| position.line),
            column: position.map(|position| position.column),
            path: diagnostic.path.as_ref().map(Path::to_string),
            message: diagnostic.message.clone(),
            help: diagnostic.help.clone(),
            notes: diagnostic.notes.iter().map(|note| note.message.clone()).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_sorted_by_file_and_place() {
        let mut sources = Sources::new();
        let (first, second) = (sources.add("a", "0123456789"), sources.add("b", "0123456789"));
        let mut faults = Diagnostics::new();
        faults.push(Diagnostic::new("third").at(Span::new(second, 0..1)));
        faults.push(Diagnostic::new("second").at(Span::new(first, 5..6)));
        faults.push(Diagnostic::new("first").at(Span::new(first, 2..6)));
        faults.push(Diagnostic::new("nowhere"));
        let order: Vec<_> = faults.sorted().into_iter().map(|fault| fault.message.as_str()).collect();
        assert_eq!(order, ["nowhere", "first", "second", "third"]);
        assert_eq!(faults.to_string(), "nowhere (and 3 more)");
    }

    #[test]
    fn no_more_than_a_thousand_are_kept_but_all_are_counted() {
        let mut faults = Diagnostics::new();
        for number in 0..1_500 {
            faults.push(Diagnostic::new(number.to_string()));
        }
        let mut all = Diagnostics::from(Diagnostic::new("one"));
        all.append(faults);
        assert_eq!((all.sorted().len(), all.len()), (1_000, 1_501));
        assert!(all.is_full());
    }

    #[test]
    fn the_machine_form_holds_file_line_column_path_and_help() {
        let mut sources = Sources::new();
        let file = sources.add("pack.toml", "a = 1\nb = x");
        let path = Path::parse("b").expect("a plain path");
        let fault = Diagnostic::new("no").at(Span::new(file, 10..11)).path(&path).help("yes").note("because", None);
        let json = serde_json::to_string(&Diagnostics::from(fault).to_plain(&sources)).expect("plain data");
        assert_eq!(
            json,
            r#"[{"file":"pack.toml","line":2,"column":5,"path":"b","message":"no","help":"yes","notes":["because"]}]"#
        );
    }

    #[test]
    fn a_result_is_an_error_only_when_something_is_wrong() {
        assert_eq!(Diagnostics::new().into_result(1), Ok(1));
        assert!(Diagnostics::from(Diagnostic::new("no")).into_result(1).is_err());
    }
}
