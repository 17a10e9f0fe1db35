//! Expressions: CEL, typed over finite domains, evaluated step by step or by decision diagram.
//!
//! A pack's conditions and formulas are written in the syntax of CEL, the Common Expression Language. They may use:
//!
//! - the names of a [`Scope`], numbers, lengths in inches (`1.5`), words in quotes, `true` and `false`;
//! - `&&`, `||`, `!`, and `? :`;
//! - `== != < <= > >=`, and `in [..]` with plain values;
//! - `+ - * / %`, where the divisor must be a plain number, and division rounds towards zero; a length may be
//!   multiplied and divided by a whole number;
//! - `math.least(a, b, ..)`, `math.greatest(a, b, ..)` and `math.abs(a)`.
//!
//! Every name has finitely many values, so the bounds of each part are known beforehand: an expression that could
//! overflow is refused, and one that passes can be evaluated in any situation.
//!
//! ```
//! use grognard_expr::{Domain, Expr, Kind, Lookup, Row, Scope, Situation, Var};
//!
//! let mut scope = Scope::new();
//! let arm = scope.add("self.arm", Domain::Words(vec!["foot".into(), "horse".into()]))?;
//! let figures = scope.add("self.figures", Domain::Int { min: 0, max: 24 })?;
//!
//! struct Unit([i32; 2]);
//! impl Situation for Unit {
//!     fn value(&self, var: Var) -> i32 {
//!         self.0[var.index()]
//!     }
//! }
//!
//! let strong = Expr::parse("self.figures >= 12", &scope, Kind::Bool).unwrap();
//! let horse = Expr::parse("self.arm == 'horse'", &scope, Kind::Bool).unwrap();
//! assert_eq!(horse.vars().collect::<Vec<_>>(), [arm]);
//!
//! let lookup = Lookup::sum(&[Row { when: Some(&strong), add: 1 }, Row { when: Some(&horse), add: 2 }]);
//! assert_eq!(lookup.get(&Unit([1, 20])), 3);
//! assert_eq!(lookup.range(), (0, 3));
//!
//! let faults = Expr::parse("self.arm == 'hrose'", &scope, Kind::Bool).unwrap_err();
//! assert_eq!(faults[0].range, 12..19);
//! assert_eq!(faults[0].help.as_deref(), Some("did you mean 'horse'? The words are 'foot', 'horse'"));
//! # let _ = figures;
//! # Ok::<(), grognard_expr::ScopeFault>(())
//! ```

mod arithmetic;
mod check;
mod classes;
mod diagram;
mod fault;
mod fold;
mod hashed;
mod interval;
mod kind;
mod linear;
mod literal;
mod lookup;
mod node;
mod numbers;
mod parse;
mod plan;
mod remembered;
mod scan;
mod scope;
mod split;
#[cfg(test)]
mod tests;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use check::Checker;
pub use fault::{ExprFault, Severity};
pub use kind::Kind;
pub use lookup::{Begun, Lookup, Row};
use node::Node;
pub use node::{Situation, WORDS};
pub use numbers::numbers;
pub use remembered::Remembered;
pub use scan::{DEPTH_MAX, LENGTH_MAX};
pub use scope::{Bits, Domain, Scope, ScopeFault, Var};

/// A condition or a formula that has been checked against a [`Scope`]. Copies share all of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr(Arc<Checked>);

#[derive(Debug, PartialEq, Eq)]
struct Checked {
    text: Box<str>,
    node: Node,
    kind: Kind,
    range: (i32, i32),
    /// The variables with their bounds, sorted.
    vars: Box<[Bounds]>,
    warnings: Box<[ExprFault]>,
}

/// A variable's minimum and maximum, the cost of reading it, and its position in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Bounds {
    var: Var,
    min: i32,
    max: i32,
    price: u8,
    bits: Option<Bits>,
}

impl Expr {
    /// Parses and checks `text`, which must be of kind `want` and may use the names of `scope`.
    ///
    /// # Errors
    /// If anything is wrong with the text: all errors and warnings (the first 20), in the order of the text. If its
    /// syntax is broken, its meaning is not checked. Expressions that are only doubtful have [`Expr::warnings`].
    pub fn parse(text: &str, scope: &Scope, want: Kind) -> Result<Expr, Vec<ExprFault>> {
        let known = scope.exprs().of((text.to_owned(), want), |(text, want)| Self::parse_anew(text, scope, *want))?;
        Ok(Expr::clone(&known))
    }

    fn parse_anew(text: &str, scope: &Scope, want: Kind) -> Result<Expr, Vec<ExprFault>> {
        let parsed = parse::parse(text).map_err(in_order)?;
        let mut checker = Checker { parsed: &parsed, scope, faults: Vec::new() };
        let typed = checker.of_kind(parsed.root(), want.into());
        let faults = in_order(checker.faults);
        match typed.and_then(|typed| Some((typed.interval.fit()?, typed.node))) {
            Some((range, node)) if faults.iter().all(|fault| fault.severity < Severity::Error) => {
                let bounds = |var: Var| {
                    let (min, max) = scope.taken(var);
                    Bounds { var, min, max, price: scope.price_of(var), bits: scope.bits_of(var) }
                };
                let vars = node.vars().into_iter().map(bounds).collect();
                let warnings = faults.into();
                Ok(Expr(Arc::new(Checked { text: text.into(), node, kind: want, range, vars, warnings })))
            }
            _ => Err(faults),
        }
    }

    /// The value in a situation, computed step by step: the reference for [`Lookup`]. A condition returns 1 or 0.
    pub fn eval<S: Situation + ?Sized>(&self, situation: &S) -> i32 {
        self.0.node.eval(situation)
    }

    /// Is the condition true? (Is the formula's value other than zero?)
    pub fn holds<S: Situation + ?Sized>(&self, situation: &S) -> bool {
        self.eval(situation) != 0
    }

    /// The value, if it does not depend on variables that `known` has no value for. `None` means that it may depend on
    /// them.
    ///
    /// Example: if the arm is known to be infantry, `self.arm == 'cavalry' && distance < 6` is never true.
    #[must_use]
    pub fn decided(&self, known: &dyn Fn(Var) -> Option<i32>) -> Option<i32> {
        self.0.node.decided(known)
    }

    /// The variables that occur, in ascending order.
    pub fn vars(&self) -> impl ExactSizeIterator<Item = Var> + '_ {
        self.0.vars.iter().map(|bounds| bounds.var)
    }

    /// Minimum and maximum that the bounds of the variables allow; they need not be reached.
    #[must_use]
    pub fn range(&self) -> (i32, i32) {
        self.0.range
    }

    /// The kind it was parsed as.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.0.kind
    }

    /// The text it was parsed from.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// Warnings: comparisons that are always or never true.
    #[must_use]
    pub fn warnings(&self) -> &[ExprFault] {
        &self.0.warnings
    }
}

/// The faults by position in the text; if there are too many, only as many errors as a person would read.
fn in_order(mut faults: Vec<ExprFault>) -> Vec<ExprFault> {
    const FAULTS_MAX: usize = 20;
    let grave = |fault: &ExprFault| fault.severity == Severity::Error;
    if faults.len() > FAULTS_MAX && faults.iter().any(grave) {
        faults.retain(grave);
    }
    faults.sort_by_key(|fault| (fault.range.start, fault.range.end));
    faults.truncate(FAULTS_MAX);
    faults
}

/// Hashes the text, which is quicker to traverse than the checked form.
impl Hash for Expr {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (&self.0.text, self.0.kind, &self.0.vars).hash(hasher);
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text)
    }
}
