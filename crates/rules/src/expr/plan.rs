//! From rows to one table: axes first, then cells.

use super::Bounds;
use super::classes::Partition;
use super::diagram::{AxisForm, CELLS_MAX, Diagram, SPREAD_MAX};
use super::node::{Node, Situation};
use super::scope::Var;
use super::split::{Part, Splitter};

/// Parts of the rows of one table, at most. A single text adds fewer than the 5,536 that remain of a [`Var`]'s range.
const PARTS_MAX: usize = 60_000;

/// A row: a node and what comes of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    pub(super) node: &'a Node,
    /// Least and greatest value of the node.
    pub(super) range: (i32, i32),
    pub(super) yields: Yield,
}

/// What comes of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Yield {
    /// This number if the condition holds, otherwise 0; rows add up.
    Add(i32),
    /// The first number if the condition holds, otherwise the second; the least of all rows counts.
    Rank(i32, i32),
    /// The formula's value; there is one row.
    Value,
}

impl Yield {
    /// What the row gives when its node has this value.
    pub(super) fn of(self, value: i32) -> i32 {
        match self {
            Yield::Add(number) if value != 0 => number,
            Yield::Add(_) => 0,
            Yield::Rank(rank, _) if value != 0 => rank,
            Yield::Rank(_, none) => none,
            Yield::Value => value,
        }
    }

    /// How far the results of several rows may lie apart, when those of the rows before this one may by `before`.
    fn spread(self, before: i64, range: (i32, i32)) -> i64 {
        match self {
            Yield::Add(number) => before + i64::from(number).abs(),
            Yield::Rank(rank, none) => before.max(i64::from(none) - i64::from(rank)),
            Yield::Value => before + i64::from(range.1) - i64::from(range.0),
        }
    }
}

/// The axes of a table for some rows, known to fit.
pub(super) struct Plan<'a> {
    lines: &'a [Line<'a>],
    /// The rows' nodes over parts.
    forms: Vec<Node>,
    /// How many parts the forms use.
    parts: usize,
    axes: Vec<Axis>,
}

/// One axis, with what its classes mean for the parts it decides.
struct Axis {
    form: AxisForm,
    classes: usize,
    /// Each part, and its value by class.
    decides: Vec<(Var, Vec<i32>)>,
}

impl<'a> Plan<'a> {
    /// The plan of one table for all `lines`; `None` when it would have too many cells or values too far apart.
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

    /// The table, folded.
    pub(super) fn fill(self) -> Diagram {
        let grids: Vec<Grid> = self.forms.iter().zip(self.lines).map(|(form, line)| self.grid(form, line)).collect();
        let sizes: Vec<usize> = self.axes.iter().map(|axis| axis.classes).collect();
        // How far each row's place in its grid moves when an axis moves on and all later ones go back to their start.
        let moves: Vec<Vec<isize>> = (0..sizes.len())
            .map(|moved| {
                let back = |grid: &Grid| -> isize {
                    (moved + 1..sizes.len()).map(|axis| grid.strides[axis] * (sizes[axis] as isize - 1)).sum()
                };
                grids.iter().map(|grid| grid.strides[moved] - back(grid)).collect()
            })
            .collect();
        let mut places: Vec<usize> = vec![0; grids.len()];
        let mut values = Vec::with_capacity(sizes.iter().product());
        let mut odometer = Odometer::new(&sizes);
        loop {
            let each = grids.iter().zip(&places).map(|(grid, place)| grid.values[*place]);
            values.push(match self.lines.first().map(|line| line.yields) {
                Some(Yield::Rank(_, none)) => each.fold(none, i32::min),
                _ => each.sum(),
            });
            let Some(moved) = odometer.advance() else { break };
            places.iter_mut().zip(&moves[moved]).for_each(|(place, by)| *place = place.wrapping_add_signed(*by));
        }
        Diagram::new(&values, self.axes.into_iter().map(|axis| (axis.form, axis.classes)).collect())
    }

    /// What a row gives for each combination of classes of the axes that its form uses.
    fn grid(&self, form: &Node, line: &Line<'_>) -> Grid {
        let vars = form.vars();
        let uses = |axis: &Axis| axis.decides.iter().any(|(part, _)| vars.binary_search(part).is_ok());
        let used: Vec<usize> = (0..self.axes.len()).filter(|axis| uses(&self.axes[*axis])).collect();
        let sizes: Vec<usize> = used.iter().map(|axis| self.axes[*axis].classes).collect();
        let mut own_strides = vec![0; self.axes.len()];
        for (axis, stride) in used.iter().zip(strides(&sizes)) {
            own_strides[*axis] = stride as isize;
        }
        let mut parts = Parts(vec![0; self.parts]);
        let mut values = Vec::with_capacity(sizes.iter().product());
        let mut odometer = Odometer::new(&sizes);
        loop {
            for (axis, class) in used.iter().zip(&odometer.classes) {
                for (part, by_class) in &self.axes[*axis].decides {
                    parts.0[part.index()] = by_class[*class];
                }
            }
            values.push(line.yields.of(form.eval(&parts)));
            if odometer.advance().is_none() {
                break;
            }
        }
        Grid { values, strides: own_strides }
    }
}

/// A row's own small table, with a stride for every axis of the large one (0 where the row does not use it).
struct Grid {
    values: Vec<i32>,
    strides: Vec<isize>,
}

/// The values of all parts.
struct Parts(Vec<i32>);

impl Situation for Parts {
    fn value(&self, var: Var) -> i32 {
        self.0[var.index()]
    }
}

/// The axes that decide all parts, the cheapest to read first: one for each variable, one for each judgement. `None` when
/// there are too many cells.
fn axes(parts: &[Part], bounds: &[Bounds]) -> Option<Vec<Axis>> {
    let mut axes: Vec<Axis> = Vec::new();
    let mut cells = 1_usize;
    let mut atoms: Vec<(Var, Vec<(Var, &Node)>)> = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        let own = Var(u16::try_from(at).ok()?);
        match part {
            Part::Judgement(node) => {
                let decides = vec![(own, vec![0, 1])];
                axes.push(Axis { form: AxisForm::Judgement(node.clone()), classes: 2, decides });
                cells = cells.checked_mul(2).filter(|cells| *cells <= CELLS_MAX)?;
            }
            Part::Atom(var, node) => match atoms.iter_mut().find(|(known, _)| known == var) {
                Some((_, group)) => group.push((own, node)),
                None => atoms.push((*var, vec![(own, node)])),
            },
        }
    }
    for (var, group) in atoms {
        let bounds = bounds[bounds.binary_search_by_key(&var, |bounds| bounds.var).ok()?];
        let nodes: Vec<&Node> = group.iter().map(|(_, node)| *node).collect();
        let partition = Partition::new(bounds, &nodes)?;
        let classes = partition.classes();
        cells = cells.checked_mul(classes).filter(|cells| *cells <= CELLS_MAX)?;
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
    axes.sort_by_cached_key(|axis| match &axis.form {
        AxisForm::Classes { var, .. } => price(*var),
        AxisForm::Judgement(node) => node.vars().into_iter().map(price).sum(),
    });
    Some(axes)
}

/// The stride of each axis when the last one moves fastest.
fn strides(sizes: &[usize]) -> Vec<usize> {
    let mut strides = vec![1; sizes.len()];
    for axis in (1..sizes.len()).rev() {
        strides[axis - 1] = strides[axis] * sizes[axis];
    }
    strides
}

/// Walks all combinations of classes, the last axis fastest.
struct Odometer<'a> {
    sizes: &'a [usize],
    classes: Vec<usize>,
}

impl<'a> Odometer<'a> {
    fn new(sizes: &'a [usize]) -> Self {
        Odometer { sizes, classes: vec![0; sizes.len()] }
    }

    /// Goes to the next combination and says which axis moved on; those after it are back at 0.
    fn advance(&mut self) -> Option<usize> {
        for axis in (0..self.sizes.len()).rev() {
            self.classes[axis] += 1;
            if self.classes[axis] < self.sizes[axis] {
                return Some(axis);
            }
            self.classes[axis] = 0;
        }
        None
    }
}
