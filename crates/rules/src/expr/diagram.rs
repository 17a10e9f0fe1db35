//! The decision diagram: a table over the classes of its axes, folded up so that nobody reads what does not matter any more.
//!
//! Cells with the same value are one leaf, and parts of the table that are alike are one node (Bryant, "Graph-based algorithms
//! for Boolean function manipulation", 1986, with as many branches at a node as its axis has classes). What is cheap to read is
//! read first: of `self.broken && distance <= 6` nobody measures a distance unless the unit is broken.

use std::collections::BTreeMap;

use super::linear::LinearTest;
use super::node::{Node, Situation};
use super::scope::Var;

/// Most cells of one table.
pub(super) const CELLS_MAX: usize = 65_536;

/// Farthest that a table's greatest value may lie above its least.
pub(super) const SPREAD_MAX: i64 = 65_535;

/// Widest domain that is mapped value by value however few its runs are.
const MAPPED_ALWAYS: i64 = 256;

/// Widest domain that is mapped value by value at all.
const MAPPED_MAX: i64 = 65_536;

/// Most cut points for which a wide domain is searched rather than mapped: a map of a length is larger than the cache
/// lines that the rest of a diagram needs.
const CUTS_FEW: usize = 15;

/// A folded table and the axes that find a way through it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Diagram {
    /// The least value.
    base: i32,
    /// Where to begin: a link, as in `nodes`.
    root: i32,
    /// Node after node: which of `axes` it asks, then a link for each class. Links from 0 on say where a node begins; the
    /// others are leaves, the complement of how far their value lies above the least.
    nodes: Box<[i32]>,
    axes: Box<[Axis]>,
    /// The classes of the values that axes map, one axis after the other, and of the runs that they search.
    classes: Box<[u16]>,
}

/// What tells classes apart.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Axis {
    /// The value of a variable, looked up: `start` is where in the classes that of `min` stands.
    Map { var: Var, min: i32, max: i32, start: u32 },
    /// The value of a variable, searched among the first values of all runs but the first, ascending; `start` is where in the
    /// classes that of the first run stands.
    Bands { var: Var, cuts: Box<[i32]>, start: u32 },
    /// A condition over several variables: class 1 if it holds.
    Linear(LinearTest),
    /// The same, evaluated step by step.
    Node(Node),
}

/// What an axis is made of.
pub(super) enum AxisForm {
    /// A variable's runs of values of one class, and its greatest value.
    Classes { var: Var, runs: Vec<(i32, u16)>, max: i32 },
    /// A condition: class 0 if it fails, class 1 if it holds.
    Judgement(Node),
}

impl Diagram {
    /// The diagram that has one value.
    pub(super) fn constant(value: i32) -> Self {
        let (nodes, axes, classes) = Default::default();
        Diagram { base: value, root: !0, nodes, axes, classes }
    }

    /// The diagram of a table of these values (one at least, [`SPREAD_MAX`] apart at most), found by these axes, each with the
    /// number of its classes: the last axis moves fastest, and the first is asked first.
    pub(super) fn new(values: &[i32], axes: Vec<(AxisForm, usize)>) -> Self {
        let base = values.iter().copied().min().unwrap_or(0);
        debug_assert!(values.len() <= CELLS_MAX);
        debug_assert!(values.iter().all(|value| i64::from(*value) - i64::from(base) <= SPREAD_MAX));
        let mut links: Vec<i32> = values.iter().map(|value| !value.wrapping_sub(base)).collect();
        let mut nodes = Vec::new();
        for (axis, (_, classes)) in axes.iter().enumerate().rev() {
            let mut known = BTreeMap::new();
            let folded = links.chunks(*classes).map(|branches| {
                if branches.iter().all(|link| *link == branches[0]) {
                    return branches[0];
                }
                *known.entry(branches).or_insert_with(|| {
                    let at = nodes.len() as i32;
                    nodes.push(axis as i32);
                    nodes.extend(branches);
                    at
                })
            });
            links = folded.collect();
        }
        let mut classes = Vec::new();
        let axes = axes.into_iter().map(|(form, _)| Axis::new(form, &mut classes)).collect();
        let root = links.first().copied().unwrap_or(!0);
        Diagram { base, root, nodes: nodes.into(), axes, classes: classes.into() }
    }

    #[inline]
    pub(super) fn get<S: Situation + ?Sized>(&self, situation: &S) -> i32 {
        let mut link = self.root;
        while let Ok(at) = usize::try_from(link) {
            let class = self.class(&self.axes[self.nodes[at] as usize], situation);
            link = self.nodes[at + 1 + class];
        }
        self.base.wrapping_add(!link)
    }

    /// The value as far as it depends on nothing but variables that `known` lets be read.
    pub(super) fn told<S: Situation + ?Sized>(&self, situation: &S, known: impl Fn(Var) -> bool) -> Option<i32> {
        let mut link = self.root;
        while let Ok(at) = usize::try_from(link) {
            let axis = &self.axes[self.nodes[at] as usize];
            match axis {
                Axis::Map { var, .. } | Axis::Bands { var, .. } if known(*var) => {}
                _ => return None,
            }
            link = self.nodes[at + 1 + self.class(axis, situation)];
        }
        Some(self.base.wrapping_add(!link))
    }

    #[inline]
    fn class<S: Situation + ?Sized>(&self, axis: &Axis, situation: &S) -> usize {
        let var = match axis {
            Axis::Map { var, .. } | Axis::Bands { var, .. } => *var,
            Axis::Linear(test) => return usize::from(test.holds(situation)),
            Axis::Node(node) => return usize::from(node.eval(situation) != 0),
        };
        // One place that reads variables, so that it can be inlined.
        let value = situation.value(var);
        let at = match axis {
            Axis::Map { min, max, start, .. } => {
                debug_assert!((*min..=*max).contains(&value), "{value} is no value of {var:?}");
                *start as usize + value.min(*max).max(*min).wrapping_sub(*min) as usize
            }
            Axis::Bands { cuts, start, .. } => *start as usize + cuts.partition_point(|cut| *cut <= value),
            Axis::Linear(_) | Axis::Node(_) => 0,
        };
        usize::from(self.classes[at])
    }

    /// Every value it can give, with repeats.
    pub(super) fn values(&self) -> impl Iterator<Item = i32> + '_ {
        // The numbers of axes are no leaves: they are not negative.
        let links = self.nodes.iter().chain([&self.root]);
        links.filter(|link| **link < 0).map(|link| self.base.wrapping_add(!link))
    }
}

impl Axis {
    fn new(form: AxisForm, classes: &mut Vec<u16>) -> Self {
        let start = classes.len() as u32;
        match form {
            AxisForm::Judgement(node) => LinearTest::of(&node).map_or(Axis::Node(node), Axis::Linear),
            AxisForm::Classes { var, runs, max } if mapped(&runs, max) => {
                let min = runs[0].0;
                let ends = runs.iter().skip(1).map(|(begin, _)| begin - 1).chain([max]);
                for ((begin, class), end) in runs.iter().zip(ends) {
                    classes.extend((*begin..=end).map(|_| *class));
                }
                Axis::Map { var, min, max, start }
            }
            AxisForm::Classes { var, runs, .. } => {
                classes.extend(runs.iter().map(|(_, class)| *class));
                Axis::Bands { var, cuts: runs.iter().skip(1).map(|(begin, _)| *begin).collect(), start }
            }
        }
    }
}

/// Is a variable with these runs better mapped value by value than searched?
fn mapped(runs: &[(i32, u16)], max: i32) -> bool {
    let size = i64::from(max) - i64::from(runs[0].0) + 1;
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
        (AxisForm::Classes { var: Var(var), runs, max: i32::from(classes) - 1 }, usize::from(classes))
    }

    #[test]
    fn nobody_reads_what_does_not_matter_any_more() {
        // 7 if the first is 1 and the second 2; the third never matters.
        let mut values = vec![0; 12];
        (values[10], values[11]) = (7, 7);
        let diagram = Diagram::new(&values, vec![axis(0, 2), axis(1, 3), axis(2, 2)]);
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
        let diagram = Diagram::new(&values, (0..3).map(|var| axis(var, sizes[usize::from(var)])).collect());
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
        let diagram = Diagram::new(&[4; 6], vec![axis(0, 2), axis(1, 3)]);
        let watched = Watched(&[], RefCell::default());
        assert_eq!((diagram.get(&watched), Diagram::constant(4).get(&watched)), (4, 4));
        assert_eq!(
            Diagram::new(&[i32::MIN, i32::MIN + 65_535], vec![axis(0, 2)]).values().max(),
            Some(i32::MIN + 65_535)
        );
    }
}
