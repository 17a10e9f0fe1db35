//! The names an expression may use, and the values each of them takes.

use std::convert::Infallible;
use std::fmt;
use std::sync::{Arc, LazyLock, OnceLock};

use super::{Expr, Kind, Remembered};

/// A variable of a [`Scope`]: its position there, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(pub u16);

impl Var {
    /// The position as an index.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The values a variable takes. Internally, every value is an `i32`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Domain {
    /// One of a closed list of words; the value is the word's index. Two variables can be compared when their lists are
    /// the same.
    Words(Vec<String>),
    /// True or false: 1 or 0.
    Bool,
    /// A whole number.
    Int {
        /// Minimum.
        min: i32,
        /// Maximum.
        max: i32,
    },
    /// A length: inches in the text (`1.5`), hundredths of an inch internally (150).
    Length {
        /// Minimum, in hundredths of an inch.
        min: i32,
        /// Maximum, in hundredths of an inch.
        max: i32,
    },
}

impl Domain {
    /// Minimum and maximum.
    #[must_use]
    pub fn bounds(&self) -> (i32, i32) {
        match self {
            // `Scope::add` has checked that there is a first word and that the last one's index fits.
            Domain::Words(words) => (0, words.len().saturating_sub(1) as i32),
            Domain::Bool => (0, 1),
            Domain::Int { min, max } | Domain::Length { min, max } => (*min, *max),
        }
    }
}

/// Reasons why a name cannot be added to a scope.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScopeFault {
    /// The scope already has the name.
    #[error("the name `{0}` is defined twice")]
    Twice(String),
    /// The name is not a dotted path of letters, digits and underscores in which no segment begins with a digit.
    #[error("`{0}` is not a valid name: use letters, digits and `_`, with dots between the parts")]
    Malformed(String),
    /// The domain has no values, or too many words.
    #[error("`{0}` has no values, or too many")]
    Domain(String),
    /// The scope already has 65,536 names.
    #[error("there is no room for `{0}`: a scope holds 65,536 names")]
    Full(String),
}

/// The names an expression may use.
#[derive(Clone, Default)]
pub struct Scope {
    names: Vec<Name>,
    /// The expressions over these names; unset until the first is parsed.
    exprs: OnceLock<Arc<Exprs>>,
}

/// A cache of parsed expressions, by text and kind.
type Exprs = Remembered<(String, Kind), Expr>;

/// A cache of the expressions of scopes: packs that are compiled again mostly have the same names. There is room for as
/// many scopes as rolls and packs need, each with more expressions than packs have.
static EXPRS: LazyLock<Remembered<Vec<Name>, Arc<Exprs>>> = LazyLock::new(|| Remembered::new(256, |_| 1));

impl PartialEq for Scope {
    fn eq(&self, other: &Self) -> bool {
        self.names == other.names
    }
}

impl Eq for Scope {}

impl fmt::Debug for Scope {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Scope").field("names", &self.names).finish_non_exhaustive()
    }
}

/// A name, the values that texts may compare it with, the minimum and maximum of those that it takes, and the cost of
/// reading it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Name {
    text: String,
    domain: Domain,
    taken: (i32, i32),
    price: u8,
    bits: Option<Bits>,
}

/// The bits of a 64-bit word in which a situation keeps the values of a variable, which start at 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bits {
    /// The word's number, below [`WORDS`](super::WORDS): see [`Situation::words`](super::Situation::words).
    pub word: u8,
    /// The lowest bit.
    pub shift: u8,
    /// How many bits.
    pub width: u8,
    /// Whether the largest number in these bits means that the value must be computed; it is then not itself a value.
    pub asks: bool,
}

impl Scope {
    /// A scope without names.
    #[must_use]
    pub fn new() -> Self {
        Scope::default()
    }

    /// Adds a name such as `self.arm`; its variable is the next in order.
    ///
    /// # Errors
    /// If the name is malformed or taken, or its domain has no values.
    pub fn add(&mut self, name: &str, domain: Domain) -> Result<Var, ScopeFault> {
        if !name.split('.').all(is_segment) {
            return Err(ScopeFault::Malformed(name.to_owned()));
        }
        if self.var(name).is_some() {
            return Err(ScopeFault::Twice(name.to_owned()));
        }
        let sound = match &domain {
            Domain::Words(words) => (1..=usize::from(u16::MAX)).contains(&words.len()),
            Domain::Bool => true,
            Domain::Int { min, max } | Domain::Length { min, max } => min <= max,
        };
        if !sound {
            return Err(ScopeFault::Domain(name.to_owned()));
        }
        let var = u16::try_from(self.names.len()).map_err(|_| ScopeFault::Full(name.to_owned()))?;
        let taken = domain.bounds();
        self.exprs = OnceLock::new();
        self.names.push(Name { text: name.to_owned(), domain, taken, price: 0, bits: None });
        Ok(Var(var))
    }

    /// Declares that a variable only ever has its first value, though texts may compare it with its whole domain.
    /// Tables then need no room for the other values.
    pub fn settle(&mut self, var: Var) {
        if let Some(name) = self.name_mut(var) {
            name.taken.1 = name.taken.0;
        }
    }

    /// Sets the cost of reading a variable, relative to others (default 0): cheap ones are read first, and
    /// expensive ones only if the result still depends on them.
    pub fn price(&mut self, var: Var, price: u8) {
        if let Some(name) = self.name_mut(var) {
            name.price = price;
        }
    }

    /// Declares where situations keep the values of a variable in a word, which is quicker to read; ignored if they do
    /// not fit.
    pub fn keep(&mut self, var: Var, bits: Bits) {
        if let Some(name) = self.name_mut(var) {
            let most = i64::from(name.taken.1) + i64::from(bits.asks);
            let fits = name.taken.0 >= 0 && most < 1_i64 << bits.width.min(31);
            let fits = fits && usize::from(bits.word) < super::WORDS;
            name.bits = Some(bits).filter(|_| fits);
        }
    }

    fn name_mut(&mut self, var: Var) -> Option<&mut Name> {
        self.exprs = OnceLock::new();
        self.names.get_mut(var.index())
    }

    /// The cache of expressions over these names, shared with scopes that have the same names.
    pub(super) fn exprs(&self) -> &Exprs {
        self.exprs.get_or_init(|| {
            let make = |_: &Vec<Name>| Ok::<_, Infallible>(Arc::new(Exprs::new(4_096, |_| 1)));
            let Ok(exprs) = EXPRS.of(self.names.clone(), make);
            Arc::clone(&exprs)
        })
    }

    /// Where a variable is kept in a word.
    pub(super) fn bits_of(&self, var: Var) -> Option<Bits> {
        self.names.get(var.index()).and_then(|name| name.bits)
    }

    /// The cost of reading a variable.
    pub(super) fn price_of(&self, var: Var) -> u8 {
        self.names.get(var.index()).map_or(0, |name| name.price)
    }

    /// Minimum and maximum that a variable of this scope takes.
    pub(super) fn taken(&self, var: Var) -> (i32, i32) {
        self.names.get(var.index()).map_or((0, 0), |name| name.taken)
    }

    /// The variable of that name.
    #[must_use]
    pub fn var(&self, name: &str) -> Option<Var> {
        self.names.iter().position(|known| known.text == name).map(|at| Var(at as u16))
    }

    /// The name of a variable of this scope.
    #[must_use]
    pub fn name(&self, var: Var) -> Option<&str> {
        self.names.get(var.index()).map(|name| name.text.as_str())
    }

    /// The domain of a variable of this scope.
    #[must_use]
    pub fn domain(&self, var: Var) -> Option<&Domain> {
        self.names.get(var.index()).map(|name| &name.domain)
    }

    /// All names, in the order of their variables.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.iter().map(|name| name.text.as_str())
    }
}

fn is_segment(segment: &str) -> bool {
    let mut letters = segment.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests that a text parsed over some names is not reused for others, or for the same names with other costs.
    #[test]
    fn an_expression_is_parsed_anew_when_its_names_change() {
        let text = "turn > 3 && turn < 9";
        let mut scope = Scope::new();
        let turn = scope.add("turn", Domain::Int { min: 1, max: 8 }).expect("a new name");
        let parse = |scope: &Scope| Expr::parse(text, scope, Kind::Bool).expect("a condition");
        let first = parse(&scope);
        assert!(Arc::ptr_eq(&parse(&scope).0, &first.0), "not parsed twice");
        let mut other = Scope::new();
        other.add("turn", Domain::Int { min: 1, max: 8 }).expect("a new name");
        assert!(Arc::ptr_eq(&parse(&other).0, &first.0), "not parsed twice over equal names");
        assert_eq!((first.warnings().len(), first.0.vars[0].max, first.0.vars[0].price), (1, 8, 0));
        scope.price(turn, 5);
        assert_eq!(parse(&scope).0.vars[0].price, 5);
        scope.settle(turn);
        assert_eq!(parse(&scope).0.vars[0].max, 1);
        scope.add("score", Domain::Bool).expect("a new name");
        assert_eq!(parse(&scope).0.vars[0].max, 1);
        let mut longer = Scope::new();
        longer.add("turn", Domain::Int { min: 1, max: 20 }).expect("a new name");
        assert_eq!((parse(&longer).warnings().len(), parse(&other).warnings().len()), (0, 1));
    }
}
