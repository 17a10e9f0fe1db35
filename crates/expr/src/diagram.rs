//! The decision diagram: rows over the classes of their axes, reduced so that variables that no longer matter are
//! not read.
//!
//! It is a reduced function ([`super::fold`]) laid out for reading. Cheap variables are read first: for
//! `self.broken && distance <= 6` no distance is measured unless the unit is broken.

use std::collections::BTreeMap;

use super::fold::{Forest, Link};
use super::linear::LinearTest;
use super::node::{Node, Situation, WORDS};
use super::scope::{Bits, Var};

/// Maximum difference between a diagram's maximum and minimum values.
pub(super) const SPREAD_MAX: i64 = 65_535;

/// Widest domain whose values are themselves the branches of a node.
const BRANCHES_MAX: i64 = 16;

/// Header bit: this node tests a fact that is stored in a status word. The header then has all that is needed to read
/// it: the bits of the largest branch, its position in the word, the word, and the index among the axes.
const IS_KEPT: i32 = 1 << 30;
const MASK: i32 = BRANCHES_MAX as i32 - 1;
const SHIFT_AT: u32 = 4;
const WORD_AT: u32 = 10;
const AXIS_AT: u32 = 11;

/// Widest domain that is always mapped value by value, however few its runs are.
const MAPPED_ALWAYS: i64 = 256;

/// Widest domain that is ever mapped value by value.
const MAPPED_MAX: i64 = 65_536;

/// Maximum number of cut points for which a wide domain is searched rather than mapped: a map of a length is larger
/// than the cache lines that the rest of a diagram needs.
const CUTS_FEW: usize = 15;

/// A folded function and the axes that determine a path through it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Diagram {
    /// The minimum value.
    base: i32,
    /// The starting point: a link, as in `nodes`.
    root: i32,
    /// Node after node: a header, which says which axis it tests, then a link for each of its branches. A link of 0 or
    /// more is the offset of a node; the others are leaves: the complement of the difference between their value and
    /// the minimum.
    nodes: Box<[i32]>,
    axes: Box<[Axis]>,
    /// The classes of the values that axes map, one axis after the other, and of the runs that they search.
    classes: Box<[u16]>,
    /// The axes that are not simply the value of a variable.
    others: Box<[Other]>,
}

/// What distinguishes the branches of a node: usually the value of a variable, which ranges from `min` to `min + span`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    /// Every value from 0 to `max` is a branch, and is kept in a word if the situation has words. Nodes have a power of
    /// two of branches: the last ones have the same target as that of `max` or, if it `asks`, lead to a node like this
    /// one that reads the value.
    Kept { var: Var, word: u8, shift: u8, max: u16, asks: bool },
    /// Every value is a branch.
    Value { var: Var, min: i32, span: i32 },
    /// The class of each value is looked up: `start` is the position of the class of `min` among the classes.
    Map { var: Var, min: i32, span: i32, start: u32 },
    /// An index in [`Diagram::others`].
    Other(u32),
}

/// The other ways to distinguish classes.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Other {
    /// The value of a variable, searched among the first values of all runs but the first, ascending; `start` is the
    /// position of the first run's class among the classes.
    Bands { var: Var, cuts: Box<[i32]>, start: u32 },
    /// A condition over several variables: class 1 if it is true.
    Linear(LinearTest),
    /// A condition over several variables, evaluated step by step.
    Node(Node),
}

/// The parts of an axis.
pub(super) enum AxisForm {
    /// A variable's runs of values of one class, its maximum, and where it is kept in a word.
    Classes { var: Var, runs: Vec<(i32, u16)>, max: i32, bits: Option<Bits> },
    /// A condition: class 0 if it is false, class 1 if it is true.
    Judgement(Node),
}

impl Diagram {
    /// Approximate size in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self)
            + size_of_val(&*self.nodes)
            + size_of_val(&*self.axes)
            + size_of_val(&*self.classes)
            + size_of_val(&*self.others)
    }

    /// The diagram of a constant.
    pub(super) fn constant(value: i32) -> Self {
        let (nodes, axes, classes, others) = Default::default();
        Diagram { base: value, root: !0, nodes, axes, classes, others }
    }

    /// The diagram of a function whose values differ by at most [`SPREAD_MAX`], over these axes, each with the number
    /// of its classes.
    pub(super) fn new(root: Link, forest: &Forest, axes: Vec<(AxisForm, usize)>) -> Self {
        let (mut classes, mut others) = (Vec::new(), Vec::new());
        let axes: Vec<(Axis, Vec<u16>)> =
            axes.into_iter().map(|(form, size)| Axis::new(form, size, &mut classes, &mut others)).collect();
        // Where each node will begin: in the order in which they are reached from the root.
        let mut places = BTreeMap::new();
        let (mut met, mut end) = (Vec::new(), 0);
        let mut values = Vec::new();
        let mut meet = |link: Link, met: &mut Vec<u32>| match link {
            Link::Leaf(value) => values.push(value),
            Link::Node(node) => {
                places.entry(node).or_insert_with(|| {
                    met.push(node);
                    let place = end;
                    let (axis, of_branches) = &axes[usize::from(forest.node(node).0)];
                    let asked = 1 + of_branches.len() as i32;
                    end += axis.kept_branches().map_or(asked, |kept| 1 + kept + if axis.asks() { asked } else { 0 });
                    place
                });
            }
        };
        meet(root, &mut met);
        let mut next = 0;
        while let Some(&node) = met.get(next) {
            forest.node(node).1.iter().for_each(|link| meet(*link, &mut met));
            next += 1;
        }
        let base = values.iter().copied().min().unwrap_or(0);
        debug_assert!(values.iter().all(|value| i64::from(*value) - i64::from(base) <= SPREAD_MAX));
        let laid = |link: Link| match link {
            Link::Leaf(value) => !value.wrapping_sub(base),
            Link::Node(node) => places[&node],
        };
        let mut nodes = Vec::new();
        for node in met {
            let (axis, branches) = forest.node(node);
            let (form, of_branches) = &axes[usize::from(axis)];
            let each = || of_branches.iter().map(|class| laid(branches[usize::from(*class)]));
            nodes.push(form.header(usize::from(axis)));
            nodes.extend(each());
            let Some(kept) = form.kept_branches() else { continue };
            let more = kept as usize - of_branches.len();
            let next = nodes.len() + more;
            let last = branches[usize::from(of_branches[of_branches.len() - 1])];
            let beyond = if form.asks() { next as i32 } else { laid(last) };
            nodes.extend(std::iter::repeat_n(beyond, more));
            if form.asks() {
                nodes.push(i32::from(axis));
                nodes.extend(each());
            }
        }
        let root = laid(root);
        let axes = axes.into_iter().map(|(axis, _)| axis).collect();
        Diagram { base, root, nodes: nodes.into(), axes, classes: classes.into(), others: others.into() }
    }

    #[inline]
    pub(super) fn get<S: Situation + ?Sized>(&self, situation: &S) -> i32 {
        self.go_on(self.root, situation)
    }

    /// The value, starting from a link that has been reached.
    #[inline]
    pub(super) fn go_on<S: Situation + ?Sized>(&self, link: i32, situation: &S) -> i32 {
        let words = situation.words();
        let read_on = |link: i32| words.map_or(link, |words| self.read_on(link, words));
        let mut link = read_on(link);
        while link >= 0 {
            let at = link as usize;
            link = read_on(self.nodes[at + 1 + self.branch(self.axis(at), situation)]);
        }
        debug_assert!(
            words.is_none() || link == self.by_values(situation),
            "a word keeps something other than the values"
        );
        self.base.wrapping_add(!link)
    }

    /// The leaf that is reached without reading any words.
    fn by_values<S: Situation + ?Sized>(&self, situation: &S) -> i32 {
        let mut link = self.root;
        while link >= 0 {
            let at = link as usize;
            link = self.nodes[at + 1 + self.branch(self.axis(at), situation)];
        }
        link
    }

    /// The link that is reached by reading only this word, whose number is `kept_in`.
    #[inline]
    pub(super) fn begin(&self, word: u64, kept_in: u8) -> i32 {
        let wanted = IS_KEPT | i32::from(kept_in) << WORD_AT;
        let mut link = self.root;
        while link >= 0 {
            let header = self.nodes[link as usize];
            if header & (IS_KEPT | 1 << WORD_AT) != wanted {
                break;
            }
            link = self.nodes[link as usize + 1 + kept(word, header)];
        }
        link
    }

    /// The link that is reached by reading only the values in these words.
    #[inline]
    pub(super) fn read_on(&self, mut link: i32, words: [u64; WORDS]) -> i32 {
        while link >= 0 {
            let header = self.nodes[link as usize];
            if header & IS_KEPT == 0 {
                break;
            }
            link = self.nodes[link as usize + 1 + kept(words[(header >> WORD_AT & 1) as usize], header)];
        }
        link
    }

    /// The axis that a node tests.
    #[inline]
    fn axis(&self, node: usize) -> &Axis {
        let header = self.nodes[node];
        &self.axes[(if header & IS_KEPT == 0 { header } else { (header & !IS_KEPT) >> AXIS_AT }) as usize]
    }

    /// The value, if it depends only on variables that `known` allows to be read.
    pub(super) fn decided<S: Situation + ?Sized>(&self, situation: &S, known: impl Fn(Var) -> bool) -> Option<i32> {
        let mut link = self.root;
        while link >= 0 {
            let at = link as usize;
            let axis = self.axis(at);
            match axis {
                Axis::Kept { var, .. } | Axis::Value { var, .. } | Axis::Map { var, .. } if known(*var) => {}
                _ => return None,
            }
            link = self.nodes[at + 1 + self.branch(axis, situation)];
        }
        self.leaf(link)
    }

    /// The value at a link, if it is a leaf.
    #[inline]
    pub(super) fn leaf(&self, link: i32) -> Option<i32> {
        (link < 0).then(|| self.base.wrapping_add(!link))
    }

    /// The branch of a node that is taken.
    #[inline]
    fn branch<S: Situation + ?Sized>(&self, axis: &Axis, situation: &S) -> usize {
        let (var, min, span) = match *axis {
            Axis::Kept { var, max, .. } => (var, 0, i32::from(max)),
            Axis::Value { var, min, span } | Axis::Map { var, min, span, .. } => (var, min, span),
            Axis::Other(other) => return self.others[other as usize].class(&self.classes, situation),
        };
        let value = situation.value(var);
        debug_assert!((min..=min.saturating_add(span)).contains(&value), "{value} is no value of {var:?}");
        let above = value.max(min).wrapping_sub(min).min(span) as usize;
        match *axis {
            Axis::Map { start, .. } => usize::from(self.classes[start as usize + above]),
            _ => above,
        }
    }

    /// Every value it can return, with repeats.
    pub(super) fn values(&self) -> impl Iterator<Item = i32> + '_ {
        // The numbers of axes do not count as leaves: they are not negative.
        let links = self.nodes.iter().chain([&self.root]);
        links.filter(|link| **link < 0).map(|link| self.base.wrapping_add(!link))
    }
}

/// The value kept in a word for the axis that a node with this header tests.
#[inline]
fn kept(word: u64, header: i32) -> usize {
    (word >> (header >> SHIFT_AT & 63)) as usize & (header & MASK) as usize
}

impl Axis {
    /// The axis, and the class of each branch of its nodes.
    fn new(form: AxisForm, size: usize, classes: &mut Vec<u16>, others: &mut Vec<Other>) -> (Self, Vec<u16>) {
        let (start, all) = (classes.len() as u32, (0..size).map(|class| class as u16).collect());
        let other = match form {
            AxisForm::Judgement(node) => LinearTest::of(&node).map_or(Other::Node(node), Other::Linear),
            AxisForm::Classes { var, runs, max, bits } if mapped(&runs, max) => {
                let (min, span) = (runs[0].0, max - runs[0].0);
                if width(&runs, max) > BRANCHES_MAX {
                    classes.extend(by_value(&runs, max));
                    return (Axis::Map { var, min, span, start }, all);
                }
                let branches = by_value(&runs, max).collect();
                let fits = |bits: &Bits| min == 0 && width(&runs, max) + i64::from(bits.asks) <= BRANCHES_MAX;
                let Some(Bits { word, shift, asks, .. }) = bits.filter(fits) else {
                    return (Axis::Value { var, min, span }, branches);
                };
                return (Axis::Kept { var, word, shift, max: max as u16, asks }, branches);
            }
            AxisForm::Classes { var, runs, .. } => {
                classes.extend(runs.iter().map(|(_, class)| *class));
                Other::Bands { var, cuts: runs.iter().skip(1).map(|(begin, _)| *begin).collect(), start }
            }
        };
        others.push(other);
        (Axis::Other(others.len() as u32 - 1), all)
    }

    /// The header of the nodes that test it, if it is the axis with this index.
    fn header(&self, at: usize) -> i32 {
        match *self {
            Axis::Kept { word, shift, .. } => {
                let mask = self.kept_branches().map_or(0, |kept| kept - 1);
                IS_KEPT | (at as i32) << AXIS_AT | i32::from(word) << WORD_AT | i32::from(shift) << SHIFT_AT | mask
            }
            _ => at as i32,
        }
    }

    /// The number of branches of a node that reads it from a word.
    fn kept_branches(&self) -> Option<i32> {
        let Axis::Kept { max, asks, .. } = *self else { return None };
        Some((u32::from(max) + 1 + u32::from(asks)).next_power_of_two().cast_signed())
    }

    /// Whether a word may mark the value as not cached.
    fn asks(&self) -> bool {
        matches!(self, Axis::Kept { asks: true, .. })
    }
}

impl Other {
    #[inline(never)]
    fn class<S: Situation + ?Sized>(&self, classes: &[u16], situation: &S) -> usize {
        match self {
            Other::Bands { var, cuts, start } => {
                let value = situation.value(*var);
                usize::from(classes[*start as usize + cuts.partition_point(|cut| *cut <= value)])
            }
            Other::Linear(test) => usize::from(test.holds(situation)),
            Other::Node(node) => usize::from(node.eval(situation) != 0),
        }
    }
}

/// The class of each value.
fn by_value(runs: &[(i32, u16)], max: i32) -> impl Iterator<Item = u16> + '_ {
    let ends = runs.iter().skip(1).map(|(begin, _)| begin - 1).chain([max]);
    runs.iter().zip(ends).flat_map(|((begin, class), end)| (*begin..=end).map(|_| *class))
}

/// How many values there are.
fn width(runs: &[(i32, u16)], max: i32) -> i64 {
    i64::from(max) - i64::from(runs[0].0) + 1
}

/// Is a variable with these runs better mapped value by value than searched?
fn mapped(runs: &[(i32, u16)], max: i32) -> bool {
    let size = width(runs, max);
    size <= MAPPED_ALWAYS || (size <= MAPPED_MAX && runs.len() > CUTS_FEW + 1)
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    /// Values, and which of them were read.
    struct Watched<'a>(&'a [i32], RefCell<Vec<u16>>);

    impl Situation for Watched<'_> {
        fn value(&self, var: Var) -> i32 {
            self.1.borrow_mut().push(var.0);
            self.0[var.index()]
        }
    }

    fn axis(var: u16, classes: u16) -> (AxisForm, usize) {
        let runs = (0..classes).map(|class| (i32::from(class), class)).collect();
        (AxisForm::Classes { var: Var(var), runs, max: i32::from(classes) - 1, bits: None }, usize::from(classes))
    }

    /// The diagram of a table of these values: the last axis varies fastest.
    fn table(values: &[i32], axes: Vec<(AxisForm, usize)>) -> Diagram {
        let mut forest = Forest::default();
        let sizes: Vec<(u16, usize)> = (0..).zip(&axes).map(|(axis, (_, classes))| (axis, *classes)).collect();
        let root = forest.table(values, &sizes);
        Diagram::new(root, &forest, axes)
    }

    #[test]
    fn nobody_reads_what_does_not_matter_any_more() {
        // 7 if the first is 1 and the second 2; the third never matters.
        let mut values = vec![0; 12];
        (values[10], values[11]) = (7, 7);
        let diagram = table(&values, vec![axis(0, 2), axis(1, 3), axis(2, 2)]);
        for (situation, value, read) in [
            ([0, 2, 1], 0, vec![0]),
            ([1, 2, 0], 7, vec![0, 1]),
            ([1, 1, 0], 0, vec![0, 1]),
            ([1, 2, 1], 7, vec![0, 1]),
        ] {
            let watched = Watched(&situation, RefCell::default());
            assert_eq!((diagram.get(&watched), watched.1.into_inner()), (value, read), "{situation:?}");
        }
    }

    #[test]
    fn every_cell_is_found_again() {
        let sizes = [3, 2, 4];
        let values: Vec<i32> = (0..24).map(|cell| (cell * cell) % 5 - 2).collect();
        let diagram = table(&values, (0..3).map(|var| axis(var, sizes[usize::from(var)])).collect());
        for (cell, value) in values.iter().enumerate() {
            let situation = [cell / 8, cell / 4 % 2, cell % 4].map(|class| class as i32);
            assert_eq!(diagram.get(&Watched(&situation, RefCell::default())), *value, "{situation:?}");
        }
        let (mut given, mut wanted): (Vec<i32>, Vec<i32>) = (diagram.values().collect(), values);
        for list in [&mut given, &mut wanted] {
            list.sort_unstable();
            list.dedup();
        }
        assert_eq!(given, wanted);
    }

    #[test]
    fn a_table_of_one_value_reads_nothing() {
        let diagram = table(&[4; 6], vec![axis(0, 2), axis(1, 3)]);
        let watched = Watched(&[], RefCell::default());
        assert_eq!((diagram.get(&watched), Diagram::constant(4).get(&watched)), (4, 4));
        assert_eq!(table(&[i32::MIN, i32::MIN + 65_535], vec![axis(0, 2)]).values().max(), Some(i32::MIN + 65_535));
    }
}
