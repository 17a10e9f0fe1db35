//! Turns rows into one diagram: axes first, then each row separately, then all of them combined.

use super::Bounds;
use super::classes::Partition;
use super::diagram::{AxisForm, Diagram, SPREAD_MAX};
use super::fold::{Combine, Forest, Link, Work};
use super::hashed::Hashed;
use super::node::Node;
use super::scope::Var;
use super::split::{Part, Splitter};

/// Maximum number of cells in the table of one row.
const CELLS_MAX: usize = 262_144;

/// Maximum number of axes of one diagram, which limits its depth.
const AXES_MAX: usize = 64;

/// Maximum number of parts of the rows of one diagram. A single text adds fewer than the 5,536 that remain of a
/// [`Var`]'s range.
const PARTS_MAX: usize = 60_000;

/// A row: a node and its result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    pub(super) node: &'a Node,
    /// Minimum and maximum of the node.
    pub(super) range: (i32, i32),
    pub(super) yields: Yield,
}

/// The result of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Yield {
    /// This number if the condition is true, otherwise 0; rows add up.
    Add(i32),
    /// The first number if the condition is true, otherwise the second; the minimum over all rows counts.
    Rank(i32, i32),
    /// The formula's value; there is one row.
    Value,
}

impl Yield {
    /// The result of the row if its node has this value.
    pub(super) fn of(self, value: i32) -> i32 {
        match self {
            Yield::Add(number) if value != 0 => number,
            Yield::Add(_) => 0,
            Yield::Rank(rank, _) if value != 0 => rank,
            Yield::Rank(_, none) => none,
            Yield::Value => value,
        }
    }

    /// The maximum difference between results including this row, if those of the rows before it differ by at most
    /// `before`.
    fn spread(self, before: i64, range: (i32, i32)) -> i64 {
        match self {
            Yield::Add(number) => before + i64::from(number).abs(),
            Yield::Rank(rank, none) => before.max(i64::from(none) - i64::from(rank)),
            Yield::Value => before + i64::from(range.1) - i64::from(range.0),
        }
    }
}

/// The axes of a diagram for some rows.
pub(super) struct Plan<'a> {
    lines: &'a [Line<'a>],
    /// The rows' nodes, as functions of parts.
    forms: Vec<Node>,
    /// The axis that decides each part, and the part's place among those that it decides.
    places: Vec<(u16, u16)>,
    axes: Vec<Axis>,
}

/// The functions of forms, for one row.
type Links = Hashed<Node, Link>;

/// One axis, and the meaning of its classes for the parts that it decides.
struct Axis {
    form: AxisForm,
    classes: usize,
    /// Each part, and its value by class.
    decides: Vec<(Var, Vec<i32>)>,
}

impl<'a> Plan<'a> {
    /// The plan of one diagram for all `lines`; `None` if they have too many parts or axes, or values too far apart.
    pub(super) fn new(lines: &'a [Line<'a>], bounds: &[Bounds]) -> Option<Self> {
        let spread = lines.iter().fold(0, |spread, line| line.yields.spread(spread, line.range));
        if spread > SPREAD_MAX {
            return None;
        }
        let mut splitter = Splitter::new(bounds);
        let mut forms = Vec::with_capacity(lines.len());
        for line in lines {
            forms.push(splitter.split(line.node));
            if splitter.parts.len() > PARTS_MAX {
                return None;
            }
        }
        let axes = axes(&splitter.parts, bounds)?;
        let mut places = vec![(0, 0); splitter.parts.len()];
        for (axis, of_axis) in (0..).zip(&axes) {
            for (place, (part, _)) in (0..).zip(&of_axis.decides) {
                places[part.index()] = (axis, place);
            }
        }
        Some(Plan { lines, forms, places, axes })
    }

    /// The diagram; `None` if a row is too large, or if combining them all would take more work than is left.
    pub(super) fn fill(self, work: &mut Work) -> Option<Diagram> {
        let cells: Vec<usize> = self.forms.iter().map(|form| self.cells(form)).collect::<Option<_>>()?;
        if self.lines.len() > 1 {
            work.take(cells.into_iter().sum())?;
        }
        let mut forest = Forest::default();
        let rows = self.forms.iter().zip(self.lines);
        let rows = rows.map(|(form, line)| self.row(form, line.yields, &mut Links::default(), &mut forest)).collect();
        let combine = match self.lines.first().map(|line| line.yields) {
            Some(Yield::Rank(_, none)) => Combine::First(none),
            _ => Combine::Sum,
        };
        let root = forest.lay(rows, combine, work)?;
        Some(Diagram::new(root, &forest, self.axes.into_iter().map(|axis| (axis.form, axis.classes)).collect()))
    }

    /// How many combinations the classes of a form's axes have; `None` if there are too many.
    fn cells(&self, form: &Node) -> Option<usize> {
        let mut axes: Vec<u16> = form.vars().iter().map(|part| self.places[part.index()].0).collect();
        axes.sort_unstable();
        axes.dedup();
        let classes = |axis: u16| self.axes[usize::from(axis)].classes;
        let cells = axes.into_iter().try_fold(1_usize, |cells, axis| cells.checked_mul(classes(axis)))?;
        (cells <= CELLS_MAX).then_some(cells)
    }

    /// The result of a row as a function of the axes on which its form depends.
    ///
    /// A class of the first axis often decides the form, or leaves one that other classes leave, too.
    fn row(&self, form: &Node, yields: Yield, known: &mut Links, forest: &mut Forest) -> Link {
        let Some(axis) = form.vars().iter().map(|part| self.places[part.index()].0).min() else {
            return Link::Leaf(yields.of(form.decided(&|_| None).unwrap_or(0)));
        };
        if let Some(&link) = known.get(form) {
            return link;
        }
        let Axis { classes, decides, .. } = &self.axes[usize::from(axis)];
        let branch = |class: usize| {
            let number = |part: Var| {
                let (of, place) = self.places[part.index()];
                (of == axis).then(|| decides[usize::from(place)].1[class])
            };
            match form.decided(&number) {
                Some(value) => Link::Leaf(yields.of(value)),
                None => self.row(&form.given(&number), yields, known, forest),
            }
        };
        let branches = (0..*classes).map(branch).collect();
        let link = forest.branching(axis, branches);
        known.insert(form.clone(), link);
        link
    }
}

/// The axes that decide all parts, the cheapest to read first: one for each variable, one for each comparison of
/// several. `None` if there are too many, or if the values of a variable cannot be divided into classes.
fn axes(parts: &[Part], bounds: &[Bounds]) -> Option<Vec<Axis>> {
    let mut axes: Vec<Axis> = Vec::new();
    let mut atoms: Vec<(Var, Vec<(Var, &Node)>)> = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        let own = Var(u16::try_from(at).ok()?);
        match part {
            Part::Judgement(node) => {
                let decides = vec![(own, vec![0, 1])];
                axes.push(Axis { form: AxisForm::Judgement(node.clone()), classes: 2, decides });
            }
            Part::Atom(var, node) => match atoms.iter_mut().find(|(known, _)| known == var) {
                Some((_, group)) => group.push((own, node)),
                None => atoms.push((*var, vec![(own, node)])),
            },
        }
    }
    if axes.len() + atoms.len() > AXES_MAX {
        return None;
    }
    for (var, group) in atoms {
        let bounds = bounds[bounds.binary_search_by_key(&var, |bounds| bounds.var).ok()?];
        let nodes: Vec<&Node> = group.iter().map(|(_, node)| *node).collect();
        let partition = Partition::new(bounds, &nodes)?;
        let classes = partition.classes();
        let decides = group.iter().map(|(own, _)| *own).zip(partition.values).collect();
        axes.push(Axis {
            form: AxisForm::Classes { var, runs: partition.runs, max: bounds.max, bits: bounds.bits },
            classes,
            decides,
        });
    }
    let price = |var: Var| {
        let known = bounds.binary_search_by_key(&var, |bounds| bounds.var);
        known.map_or(0, |at| u32::from(bounds[at].price))
    };
    // Of variables with equal cost, those stored in words come first: they often decide without the others.
    axes.sort_by_cached_key(|axis| match &axis.form {
        AxisForm::Classes { var, bits, .. } => (price(*var), bits.is_none()),
        AxisForm::Judgement(node) => (node.vars().into_iter().map(price).sum(), true),
    });
    Some(axes)
}
