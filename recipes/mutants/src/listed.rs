//! The mutants that cargo-mutants lists.

use std::path::Path;
use std::process::Command;

use serde::Deserialize;

/// The change that a mutant makes.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Genre {
    FnValue,
    BinaryOperator,
    UnaryOperator,
    MatchArm,
    MatchArmGuard,
    StructField,
}

/// One change of one file.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Mutant {
    /// The number by which it is switched on, from 1.
    #[serde(skip)]
    pub(crate) number: u32,
    /// The file, from the root of the workspace.
    pub(crate) file: String,
    /// File, line, column, the code that is replaced, and its replacement.
    pub(crate) name: String,
    pub(crate) genre: Genre,
    /// The text that replaces an expression, a body or an operator.
    pub(crate) replacement: String,
    pub(crate) span: Span,
    function: Option<Function>,
}

/// The place of the code that is replaced.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Span {
    pub(crate) start: Place,
}

/// A line and a column, from 1.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Place {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

#[derive(Clone, Debug, Deserialize)]
struct Function {
    return_type: String,
}

impl Mutant {
    /// A mutant for tests.
    #[cfg(test)]
    pub(crate) fn at(number: u32, genre: Genre, replacement: &str, (line, column): (usize, usize)) -> Self {
        let (span, replacement) = (Span { start: Place { line, column } }, replacement.to_owned());
        Self { number, file: String::new(), name: String::new(), genre, replacement, span, function: None }
    }

    /// Whether it changes a condition: a function that returns a Boolean, a comparison, a connective, a negation or a
    /// guard.
    pub(crate) fn kind(&self) -> Kind {
        let connects = |operator: &str| ["==", "!=", "<", "<=", ">", ">=", "&&", "||"].contains(&operator);
        let is_condition = match self.genre {
            Genre::FnValue => self.function.as_ref().is_some_and(|function| function.return_type == "-> bool"),
            Genre::BinaryOperator => connects(&self.replacement),
            Genre::UnaryOperator => self.name.contains("delete !"),
            Genre::MatchArmGuard => true,
            Genre::MatchArm | Genre::StructField => false,
        };
        if is_condition { Kind::Conditions } else { Kind::Other }
    }
}

/// The kind of a mutant; the page has a table of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Conditions,
    Other,
}

impl Kind {
    /// Its name in the page.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Conditions => "conditions",
            Self::Other => "other changes",
        }
    }
}

/// The mutants of the files listed in `.cargo/mutants.toml`, in the order of files and lines.
///
/// # Errors
/// cargo-mutants is missing or fails.
pub(crate) fn mutants(root: &Path) -> Result<Vec<Mutant>, String> {
    let list = Command::new("cargo")
        .args(["mutants", "--package", "grognard-engine", "--list", "--json"])
        .current_dir(root)
        .output();
    let list = list.map_err(|error| format!("cargo cannot be run: {error}"))?;
    if !list.status.success() {
        let why = String::from_utf8_lossy(&list.stderr).into_owned();
        return Err(format!(
            "`cargo mutants --list` fails. To install it: cargo install cargo-mutants --locked\n{why}"
        ));
    }
    let mut mutants: Vec<Mutant> =
        serde_json::from_slice(&list.stdout).map_err(|error| format!("the list of cargo-mutants: {error}"))?;
    let place = |mutant: &Mutant| (mutant.file.clone(), mutant.span.start.line, mutant.span.start.column);
    mutants.sort_by_key(place);
    for (number, mutant) in (1..).zip(&mut mutants) {
        mutant.number = number;
    }
    Ok(mutants)
}
