//! The names an expression may use, and the values each of them takes.

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

/// The values a variable takes. Inside, every value is an `i32`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// One of a closed list of words; the value is the word's index. Two variables can be compared when their lists are
    /// the same.
    Words(Vec<String>),
    /// True or false: 1 or 0.
    Bool,
    /// A whole number.
    Int {
        /// Least value.
        min: i32,
        /// Greatest value.
        max: i32,
    },
    /// A length: inches in the text (`1.5`), hundredths of an inch inside (150).
    Length {
        /// Least value, in hundredths of an inch.
        min: i32,
        /// Greatest value, in hundredths of an inch.
        max: i32,
    },
}

impl Domain {
    /// Least and greatest value.
    #[must_use]
    pub fn bounds(&self) -> (i32, i32) {
        match self {
            // `Scope::add` has seen to it that there is a first word and that the last one's index fits.
            Domain::Words(words) => (0, words.len().saturating_sub(1) as i32),
            Domain::Bool => (0, 1),
            Domain::Int { min, max } | Domain::Length { min, max } => (*min, *max),
        }
    }
}

/// Why a name cannot join a scope.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScopeFault {
    /// The name is there already.
    #[error("the name `{0}` is defined twice")]
    Twice(String),
    /// The name is no dotted path of letters, digits and underscores, each segment beginning with none of the digits.
    #[error("`{0}` is not a valid name: use letters, digits and `_`, with dots between the parts")]
    Malformed(String),
    /// The domain has no values, or too many words.
    #[error("`{0}` has no values, or too many")]
    Domain(String),
    /// The scope holds 65,536 names.
    #[error("there is no room for `{0}`: a scope holds 65,536 names")]
    Full(String),
}

/// The names an expression may use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    names: Vec<Name>,
}

/// A name, the values that texts may compare it with, the least and greatest of those that it takes, and what it costs to
/// read it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Name {
    text: String,
    domain: Domain,
    taken: (i32, i32),
    price: u8,
    bits: Option<Bits>,
}

/// Where a situation keeps the values of a variable, which begin with 0, beside those of others in a word of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bits {
    /// The word's number, below [`WORDS`](super::WORDS): see [`Situation::words`](super::Situation::words).
    pub word: u8,
    /// The lowest bit.
    pub shift: u8,
    /// How many bits.
    pub width: u8,
    /// Whether the greatest number of these bits means that the value must be computed; it is then not a value.
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
    /// When the name is malformed or taken, or its domain has no values.
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
        self.names.push(Name { text: name.to_owned(), domain, taken, price: 0, bits: None });
        Ok(Var(var))
    }

    /// Says that a variable never has another value than its first, though texts may compare it with all of its domain.
    /// Tables then need no room for the others.
    pub fn settle(&mut self, var: Var) {
        if let Some(name) = self.names.get_mut(var.index()) {
            name.taken.1 = name.taken.0;
        }
    }

    /// Sets the cost of reading a variable, relative to others (default 0): cheap ones are read first, and
    /// expensive ones only if the result still depends on them.
    pub fn price(&mut self, var: Var, price: u8) {
        if let Some(name) = self.names.get_mut(var.index()) {
            name.price = price;
        }
    }

    /// Says where situations keep the values of a variable in a word, which is quicker to read; not if they do not fit.
    pub fn keep(&mut self, var: Var, bits: Bits) {
        if let Some(name) = self.names.get_mut(var.index()) {
            let most = i64::from(name.taken.1) + i64::from(bits.asks);
            let fits = name.taken.0 >= 0 && most < 1_i64 << bits.width.min(31);
            let fits = fits && usize::from(bits.word) < super::WORDS;
            name.bits = Some(bits).filter(|_| fits);
        }
    }

    /// Where a variable is kept in a word.
    pub(super) fn bits_of(&self, var: Var) -> Option<Bits> {
        self.names.get(var.index()).and_then(|name| name.bits)
    }

    /// What it costs to read a variable.
    pub(super) fn price_of(&self, var: Var) -> u8 {
        self.names.get(var.index()).map_or(0, |name| name.price)
    }

    /// Least and greatest value that a variable of this scope takes.
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
