//! Rows and formulas as decision diagrams, for the battle.

use std::convert::Infallible;
use std::sync::LazyLock;

use super::diagram::Diagram;
use super::fold::{Combine, Work};
use super::node::{Node, Situation, WORDS};
use super::plan::{Line, Plan, Yield};
use super::{Bounds, Expr, Remembered, Var};

/// A row of a table of modifiers.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// The condition under which it applies; if there is none, it always does.
    pub when: Option<&'a Expr>,
    /// The number it adds when it applies.
    pub add: i32,
}

/// Conditions or a formula, compiled.
///
/// Each variable's values are divided into classes whose members no condition distinguishes, and a decision diagram
/// leads from classes to the result. Variables are read one by one, the cheapest
/// ([`Scope::price`](super::Scope::price)) first, and only as long as the result depends on them. Conditions over
/// several variables at once (`self.figures > foe.figures`) are axes of two classes, evaluated afresh each time. Rows
/// that would make one diagram too large are divided among several. A single row that is too large for one (262,144
/// combinations of classes, 64 axes, values 65,535 apart) is evaluated afresh each time. Whatever the form, the result
/// equals that of [`Expr::eval`], provided that every variable lies within its domain. Debug builds assert this for the
/// variables that they read. Other builds use the nearest value to look up a class, and accept any value that a
/// situation keeps in a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lookup {
    first: Diagram,
    rest: Option<Box<Rest>>,
    range: (i32, i32),
}

/// The rows that do not fit into the first diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rest {
    combine: Combine,
    parts: Box<[Part]>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Folded(Diagram),
    Code { node: Node, range: (i32, i32), yields: Yield },
}

impl Lookup {
    /// The sum of the numbers that rows add if their conditions are true. Sums saturate at the range of `i32`.
    #[must_use]
    pub fn sum(rows: &[Row<'_>]) -> Lookup {
        assemble(rows.iter().map(|row| (row.when.cloned(), Yield::Add(row.add))).collect(), Combine::Sum)
    }

    /// The index of the first row whose condition is true, or the number of rows if there is none. A row without a
    /// condition always applies.
    #[must_use]
    pub fn first(rows: &[Option<&Expr>]) -> Lookup {
        let none = i32::try_from(rows.len()).unwrap_or(i32::MAX);
        let mut ranked = Vec::new();
        for (row, rank) in rows.iter().zip(0..none) {
            ranked.push((row.cloned(), Yield::Rank(rank, none)));
            if row.is_none() {
                break;
            }
        }
        assemble(ranked, Combine::First(none))
    }

    /// The value of an expression.
    #[must_use]
    pub fn of(expr: &Expr) -> Lookup {
        assemble(vec![(Some(expr.clone()), Yield::Value)], Combine::Sum)
    }

    /// The result in a situation.
    #[inline]
    pub fn get<S: Situation + ?Sized>(&self, situation: &S) -> i32 {
        self.and_rest(self.first.get(situation), situation)
    }

    #[inline]
    fn and_rest<S: Situation + ?Sized>(&self, first: i32, situation: &S) -> i32 {
        match &self.rest {
            None => first,
            Some(rest) => rest.get(first, situation),
        }
    }

    /// The result, if it can be determined without the variables that `known` refuses.
    #[inline]
    pub fn decided<S: Situation + ?Sized>(&self, situation: &S, known: impl Fn(Var) -> bool) -> Option<i32> {
        let first = self.first.decided(situation, known)?;
        self.settles(first).then_some(first)
    }

    /// Whether this value of the first diagram decides the result.
    #[inline]
    fn settles(&self, first: i32) -> bool {
        self.rest.as_ref().is_none_or(|rest| rest.combine != Combine::Sum && rest.combine != Combine::First(first))
    }

    /// The path to the result, as far as reading a single word leads: the part shared by all situations with the same
    /// word. `kept_in` is the word's number, below [`WORDS`]. A value that the word marks as not cached ends the path.
    #[inline]
    #[must_use]
    pub fn begin(&self, word: u64, kept_in: u8) -> Begun<'_> {
        Begun { lookup: self, link: self.first.begin(word, kept_in) }
    }

    /// Approximate size in bytes.
    fn bytes(&self) -> usize {
        /// The size assumed for code, which is about that of a text.
        const CODE: usize = 1_024;
        let part = |part: &Part| if let Part::Folded(diagram) = part { diagram.bytes() } else { CODE };
        self.first.bytes() + self.rest.iter().flat_map(|rest| &rest.parts).map(part).sum::<usize>()
    }

    /// Minimum and maximum result.
    ///
    /// Exact over the classes of a single diagram; these may include combinations that cannot occur, if several
    /// conditions over the same variables exclude each other. For several diagrams, the range that they allow jointly.
    #[must_use]
    pub fn range(&self) -> (i32, i32) {
        self.range
    }
}

/// A lookup that has been begun: [`Lookup::begin`].
#[derive(Clone, Copy, Debug)]
pub struct Begun<'a> {
    lookup: &'a Lookup,
    link: i32,
}

impl Begun<'_> {
    /// The result, if it is known already.
    #[inline]
    #[must_use]
    pub fn decided(&self) -> Option<i32> {
        self.lookup.first.leaf(self.link).filter(|&first| self.lookup.settles(first))
    }

    /// The lookup, continued as far as these words alone decide; they must be those of the situation.
    #[inline]
    #[must_use]
    pub fn with(self, words: [u64; WORDS]) -> Self {
        Self { link: self.lookup.first.read_on(self.link, words), ..self }
    }

    /// The result in a situation, which must agree with what was already read.
    #[inline]
    pub fn get<S: Situation + ?Sized>(&self, situation: &S) -> i32 {
        self.lookup.and_rest(self.lookup.first.go_on(self.link, situation), situation)
    }
}

impl Rest {
    #[inline(never)]
    fn get<S: Situation + ?Sized>(&self, first: i32, situation: &S) -> i32 {
        match self.combine {
            Combine::Sum => {
                let sum: i64 = self.parts.iter().map(|part| i64::from(part.get(situation))).sum();
                saturate(i64::from(first) + sum)
            }
            Combine::First(none) if first == none => {
                self.parts.iter().map(|part| part.get(situation)).find(|rank| *rank != none).unwrap_or(none)
            }
            Combine::First(_) => first,
        }
    }
}

impl Part {
    fn get<S: Situation + ?Sized>(&self, situation: &S) -> i32 {
        match self {
            Part::Folded(diagram) => diagram.get(situation),
            Part::Code { node, yields, .. } => yields.of(node.eval(situation)),
        }
    }

    /// Every value it can return, with repeats; for a formula that is code, the bounds.
    fn values(&self) -> Vec<i32> {
        match self {
            Part::Folded(diagram) => diagram.values().collect(),
            Part::Code { range, yields, .. } => vec![yields.of(range.0), yields.of(range.1)],
        }
    }
}

static ALWAYS: Node = Node::Constant(1);

fn line(when: Option<&Expr>, yields: Yield) -> Line<'_> {
    match when {
        Some(expr) => Line { node: &expr.0.node, range: expr.0.range, yields },
        None => Line { node: &ALWAYS, range: (1, 1), yields },
    }
}

/// The bounds of all variables, sorted; if two scopes differ about a variable, the wider bounds.
fn bounds<'a>(exprs: impl Iterator<Item = &'a Expr>) -> Vec<Bounds> {
    let mut all: Vec<Bounds> = exprs.flat_map(|expr| expr.0.vars.iter().copied()).collect();
    all.sort_by_key(|bounds| bounds.var);
    all.dedup_by(|later, kept| {
        let same = later.var == kept.var;
        if same {
            kept.min = kept.min.min(later.min);
            kept.max = kept.max.max(later.max);
            // Bits that hold a variable in one scope may not hold it in the other.
            kept.bits = kept.bits.filter(|bits| later.bits == Some(*bits));
        }
        same
    });
    all
}

/// The input of a lookup: its rows, and how they are combined.
type Made = (Vec<(Option<Expr>, Yield)>, Combine);

/// A cache of lookups, up to a total of 32 MB.
static LOOKUPS: LazyLock<Remembered<Made, Lookup>> = LazyLock::new(|| Remembered::new(32 << 20, Lookup::bytes));

/// The lookup of these rows.
fn assemble(rows: Vec<(Option<Expr>, Yield)>, combine: Combine) -> Lookup {
    let Ok(lookup) = LOOKUPS.of((rows, combine), |(rows, combine)| {
        let lines: Vec<Line<'_>> = rows.iter().map(|(when, yields)| line(when.as_ref(), *yields)).collect();
        let bounds = bounds(rows.iter().filter_map(|(when, _)| when.as_ref()));
        Ok::<_, Infallible>(assemble_anew(&lines, *combine, &bounds))
    });
    Lookup::clone(&lookup)
}

/// Divides the lines into as many parts as needed.
fn assemble_anew(lines: &[Line<'_>], combine: Combine, bounds: &[Bounds]) -> Lookup {
    let mut parts = Vec::new();
    divide(lines, bounds, &mut Work::new(), &mut parts);
    let range = range(&parts, combine);
    // The first diagram is kept separately, so that a lookup with no other needs no second step.
    let leading = match combine {
        Combine::Sum => parts.iter().position(|part| matches!(part, Part::Folded(_))),
        Combine::First(_) => parts.first().filter(|part| matches!(part, Part::Folded(_))).map(|_| 0),
    };
    let first = match (leading.map(|at| parts.remove(at)), combine) {
        (Some(Part::Folded(diagram)), _) => diagram,
        (_, Combine::Sum) => Diagram::constant(0),
        (_, Combine::First(none)) => Diagram::constant(none),
    };
    let rest = (!parts.is_empty()).then(|| Box::new(Rest { combine, parts: parts.into() }));
    Lookup { first, rest, range }
}

/// One diagram for all lines if they fit into one, and otherwise one for each half, in order. A single line that does
/// not fit into a diagram stays code.
fn divide(lines: &[Line<'_>], bounds: &[Bounds], work: &mut Work, parts: &mut Vec<Part>) {
    // A single line is always tried: that takes only as much work as its own combinations.
    let tried = lines.len() <= 1 || work.is_left();
    let whole = if tried { Plan::new(lines, bounds).and_then(|plan| plan.fill(work)) } else { None };
    match (whole, lines) {
        (Some(diagram), _) => parts.push(Part::Folded(diagram)),
        (None, [line]) => parts.push(Part::Code { node: line.node.clone(), range: line.range, yields: line.yields }),
        (None, _) => {
            let (first, second) = lines.split_at(lines.len() / 2);
            divide(first, bounds, work, parts);
            divide(second, bounds, work, parts);
        }
    }
}

fn range(parts: &[Part], combine: Combine) -> (i32, i32) {
    let extent = |values: &mut dyn Iterator<Item = i32>| {
        values.fold(None, |range: Option<(i32, i32)>, value| {
            let (min, max) = range.unwrap_or((value, value));
            Some((min.min(value), max.max(value)))
        })
    };
    match combine {
        Combine::Sum => {
            let ranges = parts.iter().filter_map(|part| extent(&mut part.values().into_iter()));
            let (min, max) =
                ranges.fold((0, 0), |(min, max), (low, high)| (min + i64::from(low), max + i64::from(high)));
            (saturate(min), saturate(max))
        }
        Combine::First(none) => {
            let mut found = Vec::new();
            let mut open = true;
            for part in parts {
                let values = part.values();
                open = values.contains(&none);
                found.extend(values.into_iter().filter(|rank| *rank != none));
                if !open {
                    break;
                }
            }
            extent(&mut found.into_iter().chain(open.then_some(none))).unwrap_or((none, none))
        }
    }
}

fn saturate(sum: i64) -> i32 {
    sum.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
}
