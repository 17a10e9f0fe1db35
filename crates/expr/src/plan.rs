//! Turns rows into one diagram: axes first, then each row separately, then all of them combined.

use super::Bounds;
use super::classes::Partition;
use super::diagram::{AxisForm, Diagram, SPREAD_MAX};
use super::fold::{Combine, Forest, Link, Work};
use super::node::{Node, Situation};
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
    /// How many parts the forms use.
    parts: usize,
    axes: Vec<Axis>,
}

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
        let parts = splitter.parts.len();
        let axes = axes(&splitter.parts, bounds)?;
        Some(Plan { lines, forms, parts, axes })
    }

    /// The diagram; `None` if a row is too large, or if combining them all would take more work than is left.
    pub(super) fn fill(self, work: &mut Work) -> Option<Diagram> {
        let grids: Vec<Grid> = self.forms.iter().map(|form| self.grid(form)).collect::<Option<_>>()?;
        if self.lines.len() > 1 {
            work.take(grids.iter().map(|grid| grid.cells).sum())?;
        }
        let mut forest = Forest::default();
        let rows = self.forms.iter().zip(self.lines).zip(&grids);
        let rows = rows.map(|((form, line), grid)| self.row(form, line, grid, &mut forest)).collect();
        let combine = match self.lines.first().map(|line| line.yields) {
            Some(Yield::Rank(_, none)) => Combine::First(none),
            _ => Combine::Sum,
        };
        let root = forest.lay(rows, combine, work)?;
        Some(Diagram::new(root, &forest, self.axes.into_iter().map(|axis| (axis.form, axis.classes)).collect()))
    }

    /// The axes that a row's form uses; `None` if they have too many classes.
    fn grid(&self, form: &Node) -> Option<Grid> {
        let vars = form.vars();
        let uses = |axis: &Axis| axis.decides.iter().any(|(part, _)| vars.binary_search(part).is_ok());
        let used = self.axes.iter().enumerate().filter(|(_, axis)| uses(axis));
        let axes: Vec<(u16, usize)> = used.map(|(at, axis)| (at as u16, axis.classes)).collect();
        let cells = axes.iter().try_fold(1_usize, |cells, (_, classes)| cells.checked_mul(*classes))?;
        (cells <= CELLS_MAX).then_some(Grid { axes, cells })
    }

    /// The result of a row for each combination of classes of its axes.
    fn row(&self, form: &Node, line: &Line<'_>, grid: &Grid, forest: &mut Forest) -> Link {
        let sizes: Vec<usize> = grid.axes.iter().map(|(_, classes)| *classes).collect();
        let mut parts = Parts(vec![0; self.parts]);
        let mut values = Vec::with_capacity(grid.cells);
        let mut odometer = Odometer::new(&sizes);
        loop {
            for ((axis, _), class) in grid.axes.iter().zip(&odometer.classes) {
                for (part, by_class) in &self.axes[usize::from(*axis)].decides {
                    parts.0[part.index()] = by_class[*class];
                }
            }
            values.push(line.yields.of(form.eval(&parts)));
            if !odometer.advance() {
                break;
            }
        }
        forest.table(&values, &grid.axes)
    }
}

/// The axes of a row, each with the number of its classes, and how many combinations they have.
struct Grid {
    axes: Vec<(u16, usize)>,
    cells: usize,
}

/// The values of all parts.
struct Parts(Vec<i32>);

impl Situation for Parts {
    fn value(&self, var: Var) -> i32 {
        self.0[var.index()]
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

/// Iterates over all combinations of classes, with the last axis varying fastest.
struct Odometer<'a> {
    sizes: &'a [usize],
    classes: Vec<usize>,
}

impl<'a> Odometer<'a> {
    fn new(sizes: &'a [usize]) -> Self {
        Odometer { sizes, classes: vec![0; sizes.len()] }
    }

    /// Goes to the next combination, if there is one.
    fn advance(&mut self) -> bool {
        for axis in (0..self.sizes.len()).rev() {
            self.classes[axis] += 1;
            if self.classes[axis] < self.sizes[axis] {
                return true;
            }
            self.classes[axis] = 0;
        }
        false
    }
}
