//! Folded functions of axes, and their combination, without writing out all their cells.
//!
//! A function is a leaf or a node that tests one axis; equal functions share one node, and no node tests an axis that
//! does not matter (Bryant, "Graph-based algorithms for Boolean function manipulation", 1986, with as many branches at
//! a node as its axis has classes). Several functions are combined by descending all of them at the same time. The
//! result depends only on the nodes reached, so each combination of nodes is computed once.

use super::hashed::Hashed;

/// Maximum work for all functions of one lookup, and for any one of them, in links visited. The memory is roughly the
/// same.
const WORK_MAX: usize = 1 << 24;
const WORK_OF_ONE: usize = 1 << 22;

/// The cost of a state in addition to its links.
const STATE: usize = 16;

/// The work that may still be done.
#[derive(Debug)]
pub(super) struct Work(usize);

impl Work {
    /// The work allowed for one lookup.
    pub(super) fn new() -> Self {
        Self(WORK_MAX)
    }

    /// Whether any work is left.
    pub(super) fn is_left(&self) -> bool {
        self.0 > 0
    }

    /// Uses up this much work. If there is not enough, returns `None`, and no work is left.
    pub(super) fn take(&mut self, work: usize) -> Option<()> {
        let suffices = self.0 > work;
        self.0 = self.0.saturating_sub(work);
        suffices.then_some(())
    }
}

/// A function of the axes, in a [`Forest`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Link {
    /// The same value everywhere.
    Leaf(i32),
    Node(u32),
}

/// How the values of several functions are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Combine {
    Sum,
    /// The first value that differs from this one is the result.
    First(i32),
}

/// The axis that a node tests, and the link for each of its classes.
type Branching = (u16, Box<[Link]>);

/// Functions that share their nodes.
#[derive(Debug, Default)]
pub(super) struct Forest {
    nodes: Vec<Branching>,
    known: Hashed<Branching, u32>,
}

impl Forest {
    pub(super) fn node(&self, node: u32) -> (u16, &[Link]) {
        let (axis, branches) = &self.nodes[node as usize];
        (*axis, branches)
    }

    /// The function that tests this axis and goes on with one of these.
    pub(super) fn branching(&mut self, axis: u16, branches: Vec<Link>) -> Link {
        if branches.iter().all(|link| *link == branches[0]) {
            return branches[0];
        }
        let branching = (axis, branches.into_boxed_slice());
        let next = self.nodes.len() as u32;
        let node = *self.known.entry(branching).or_insert_with_key(|branching| {
            self.nodes.push(branching.clone());
            next
        });
        Link::Node(node)
    }

    /// The combination of several functions; `None` if that would exceed the work limit.
    pub(super) fn lay(&mut self, functions: Vec<Link>, combine: Combine, work: &mut Work) -> Option<Link> {
        let granted = work.0.min(WORK_OF_ONE);
        let mut left = Work(granted);
        let link = self.lay_known(functions, combine, &mut left, &mut Hashed::default());
        work.take(granted - left.0)?;
        link
    }

    fn lay_known(
        &mut self,
        functions: Vec<Link>,
        combine: Combine,
        work: &mut Work,
        known: &mut Hashed<Vec<Link>, Link>,
    ) -> Option<Link> {
        let mut open = functions;
        combine.settle(&mut open);
        if let [only] = open[..] {
            return Some(only);
        }
        if let Some(&link) = known.get(&open) {
            return Some(link);
        }
        let asks = |link: &Link| match *link {
            Link::Node(node) => Some(self.node(node)),
            Link::Leaf(_) => None,
        };
        let (axis, classes) = open.iter().filter_map(asks).map(|(axis, branches)| (axis, branches.len())).min()?;
        work.take(classes.saturating_mul(open.len() + STATE))?;
        let mut branches = Vec::with_capacity(classes);
        for class in 0..classes {
            let further = |link: &Link| match *link {
                Link::Node(node) if self.node(node).0 == axis => self.node(node).1[class],
                other => other,
            };
            let functions = open.iter().map(further).collect();
            branches.push(self.lay_known(functions, combine, work, known)?);
        }
        let link = self.branching(axis, branches);
        known.insert(open, link);
        Some(link)
    }
}

impl Combine {
    /// Removes functions that are settled and no longer matter; at least one remains.
    fn settle(self, functions: &mut Vec<Link>) {
        match self {
            Combine::First(none) => {
                functions.retain(|link| *link != Link::Leaf(none));
                if let Some(settled) = functions.iter().position(|link| matches!(link, Link::Leaf(_))) {
                    functions.truncate(settled + 1);
                }
                if functions.is_empty() {
                    functions.push(Link::Leaf(none));
                }
            }
            Combine::Sum => {
                let mut sum = 0;
                functions.retain(|link| match link {
                    Link::Leaf(value) => {
                        sum += value;
                        false
                    }
                    Link::Node(_) => true,
                });
                if sum != 0 || functions.is_empty() {
                    functions.push(Link::Leaf(sum));
                }
                // The sum does not depend on the order.
                functions.sort_unstable();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Forest {
        /// The function of a table of these values over these axes, ascending, each with the number of its classes: the
        /// last one varies fastest.
        pub(crate) fn table(&mut self, values: &[i32], axes: &[(u16, usize)]) -> Link {
            let mut links: Vec<Link> = values.iter().copied().map(Link::Leaf).collect();
            for &(axis, classes) in axes.iter().rev() {
                links = links.chunks(classes).map(|branches| self.branching(axis, branches.to_vec())).collect();
            }
            links[0]
        }
    }

    /// The value of a function for a combination of classes.
    fn at(forest: &Forest, mut link: Link, classes: &[usize]) -> i32 {
        loop {
            match link {
                Link::Leaf(value) => return value,
                Link::Node(node) => {
                    let (axis, branches) = forest.node(node);
                    link = branches[classes[usize::from(axis)]];
                }
            }
        }
    }

    #[test]
    fn functions_come_to_what_their_values_come_to() {
        let sizes = [3, 2, 4, 2];
        let places: Vec<[usize; 4]> = (0..48).map(|at| [at / 16, at / 8 % 2, at / 2 % 4, at % 2]).collect();
        let mut forest = Forest::default();
        // Each function depends on one to three of the axes.
        let functions: Vec<Link> = [&[0, 1][..], &[1, 2, 3], &[0, 3], &[2]]
            .iter()
            .zip(1..)
            .map(|(axes, seed)| {
                let axes: Vec<(u16, usize)> = axes.iter().map(|&axis| (axis as u16, sizes[axis])).collect();
                let cells = axes.iter().map(|axis| axis.1).product::<usize>() as i32;
                let values: Vec<i32> = (0..cells).map(|cell| (cell * cell * seed + seed) % 3).collect();
                forest.table(&values, &axes)
            })
            .collect();
        for combine in [Combine::Sum, Combine::First(0), Combine::First(2)] {
            let link = forest.lay(functions.clone(), combine, &mut Work::new()).expect("few");
            for place in &places {
                let mut each = functions.iter().map(|&function| at(&forest, function, place));
                let wanted = match combine {
                    Combine::Sum => each.sum(),
                    Combine::First(none) => each.find(|&value| value != none).unwrap_or(none),
                };
                assert_eq!(at(&forest, link, place), wanted, "{combine:?} {place:?}");
            }
        }
    }

    #[test]
    fn what_does_not_matter_is_not_asked() {
        let mut forest = Forest::default();
        let first = forest.table(&[5, 5, 5, 7], &[(0, 2), (1, 2)]);
        let second = forest.table(&[1, 2, 3], &[(2, 3)]);
        // The second function matters only if the first gives no result.
        let link = forest.lay(vec![first, second], Combine::First(5), &mut Work::new()).expect("few");
        let Link::Node(root) = link else { panic!("it depends on the axes") };
        let (axis, &[left, Link::Node(right)]) = forest.node(root) else { panic!("two branches, one of them a node") };
        assert_eq!((axis, left), (0, second));
        assert_eq!(forest.node(right), (1, &[second, Link::Leaf(7)][..]));
        assert_eq!(forest.table(&[4; 6], &[(0, 2), (1, 3)]), Link::Leaf(4));
    }

    #[test]
    fn what_would_take_too_long_is_left() {
        let mut forest = Forest::default();
        // These sums all differ.
        let bits: Vec<Link> = (0..24).map(|axis| forest.table(&[0, 1 << axis], &[(axis, 2)])).collect();
        let mut work = Work::new();
        assert_eq!(forest.lay(bits.clone(), Combine::Sum, &mut work), None);
        assert!(work.is_left(), "one function may not use up what all of them have");
        assert!(forest.lay(bits[..12].to_vec(), Combine::Sum, &mut work).is_some());
        let ones: Vec<Link> = (0..60).map(|axis| forest.table(&[0, 1], &[(axis, 2)])).collect();
        assert!(forest.lay(ones, Combine::Sum, &mut work).is_some());
        while work.is_left() {
            assert_eq!(forest.lay(bits.clone(), Combine::Sum, &mut work), None);
        }
    }
}
