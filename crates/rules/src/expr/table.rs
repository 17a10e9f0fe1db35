//! The dense table: one cell for each combination of classes, in parts where one axis settles others.

use super::linear::LinearTest;
use super::node::{Node, Situation};
use super::scope::Var;

/// Most cells of one table.
pub(super) const CELLS_MAX: usize = 65_536;

/// Farthest that a table's greatest value may lie above its least: a cell has 16 bits.
pub(super) const SPREAD_MAX: i64 = 65_535;

/// Widest domain that is mapped value by value however few its runs are.
const MAPPED_ALWAYS: i64 = 256;

/// Widest domain that is mapped value by value at all.
const MAPPED_MAX: i64 = 65_536;

/// Most cut points for which a wide domain is searched rather than mapped: a map of a length is larger than the cache
/// lines that the rest of a table needs.
const CUTS_FEW: usize = 15;

/// Widest split: an axis of more classes than these is never read ahead of the others.
const BRANCHES_MAX: usize = 16;

/// How often a table is split at most, each part of the first split again and so on.
const SPLITS_MAX: u8 = 3;

/// A table and the axes that find a cell in it. The index of the cell is the sum of what the axes contribute.
///
/// Where one axis often settles what the others would say, it is read first and the rest is left to a smaller table for
/// each of its classes: `self.arm == 'horse' && foe.exposed == 'flank'` asks of nobody but horse what the enemy shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Table {
    split: Option<Box<Split>>,
    /// Added to each cell; without cells, the table's only value.
    base: i32,
    cells: Box<[i16]>,
    maps: Box<[Map]>,
    bands: Box<[Bands]>,
    judges: Box<[Judge]>,
    /// What the maps and bands contribute, one map after the other.
    offsets: Box<[u16]>,
}

/// An axis that is read first, and what is left to look up for each of its classes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Split {
    map: Map,
    /// The class of each value from `map.min` on.
    classes: Box<[u16]>,
    tables: Box<[Table]>,
}

/// An axis that looks its variable's value up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Map {
    var: Var,
    min: i32,
    max: i32,
    /// Where in `offsets` the contribution of `min` stands.
    start: u32,
}

/// An axis that searches its variable's value among cut points.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Bands {
    var: Var,
    /// The first value of each run but the first, ascending.
    cuts: Box<[i32]>,
    /// Where in `offsets` the contribution of the first run stands.
    start: u32,
}

/// An axis that evaluates a condition over several variables.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Judge {
    test: Test,
    /// What it contributes if the condition holds.
    offset: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Test {
    Linear(LinearTest),
    Node(Node),
}

/// What a table is made of: an axis and how many classes it has.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    pub(super) form: AxisForm,
    pub(super) classes: usize,
}

/// Runs of values of one class: where each begins, and its class.
type Runs = [(i32, u16)];

/// What an axis reads.
#[derive(Clone, Debug)]
pub(super) enum AxisForm {
    /// A variable's runs of values of one class, and its greatest value.
    Classes { var: Var, runs: Vec<(i32, u16)>, max: i32 },
    /// A condition: class 0 if it fails, class 1 if it holds.
    Judgement(Node),
}

impl Axis {
    /// What it takes to read it, roughly: a map of values 2.
    fn cost(&self) -> usize {
        match &self.form {
            AxisForm::Classes { runs, max, .. } if mapped(runs, *max) => 2,
            AxisForm::Classes { .. } => 3,
            AxisForm::Judgement(_) => 6,
        }
    }

    /// The map and the runs of its classes, if values are mapped one by one.
    fn as_map(&self) -> Option<(Map, &Runs)> {
        match &self.form {
            AxisForm::Classes { var, runs, max } if mapped(runs, *max) => {
                Some((Map { var: *var, min: runs[0].0, max: *max, start: 0 }, runs))
            }
            _ => None,
        }
    }
}

impl Table {
    /// The table that has one value.
    pub(super) fn constant(value: i32) -> Self {
        Table { base: value, ..Table::default() }
    }

    /// A table of these values (one at least, [`SPREAD_MAX`] apart at most), found by these axes, the last of which moves
    /// fastest.
    pub(super) fn new(values: Vec<i32>, axes: Vec<Axis>) -> Self {
        debug_assert!(values.len() <= CELLS_MAX);
        Self::of(&Cells { axes, values }.without_idle_axes(), SPLITS_MAX)
    }

    /// A table of these cells, split so often at most.
    fn of(cells: &Cells, splits: u8) -> Self {
        let first = if splits > 0 { cells.best_first() } else { None };
        let Some((at, (map, runs))) = first.and_then(|at| Some((at, cells.axes[at].as_map()?))) else {
            return Self::dense(cells);
        };
        let part = |class| Self::of(&cells.slice(at, class).without_idle_axes(), splits - 1);
        let split = Split {
            map,
            classes: by_value(runs, map.max).collect(),
            tables: (0..cells.axes[at].classes).map(part).collect(),
        };
        Table { split: Some(Box::new(split)), ..Table::default() }
    }

    /// A table that reads all axes.
    fn dense(Cells { axes, values }: &Cells) -> Self {
        let (min, max) = extent(values);
        if min == max {
            return Table::constant(min);
        }
        let spread = i64::from(max) - i64::from(min);
        debug_assert!(spread <= SPREAD_MAX);
        // Cells reach from -32,768 to 32,767; `max` shows that the base can be had when they are needed below zero.
        let base = if spread > i64::from(i16::MAX) { min.wrapping_add(32_768) } else { min };
        let mut table = Table { base, ..Table::default() };
        table.cells = values.iter().map(|value| value.wrapping_sub(base) as i16).collect();
        let (mut maps, mut bands, mut judges, mut offsets) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (axis, stride) in axes.iter().zip(strides(axes)) {
            let start = offsets.len() as u32;
            // An index into at most 65,536 cells fits.
            let offset = |class: u16| (usize::from(class) * stride) as u16;
            match &axis.form {
                AxisForm::Judgement(node) => {
                    let test = LinearTest::of(node).map_or_else(|| Test::Node(node.clone()), Test::Linear);
                    judges.push(Judge { test, offset: stride as u32 });
                }
                AxisForm::Classes { var, runs, max } if mapped(runs, *max) => {
                    offsets.extend(by_value(runs, *max).map(offset));
                    maps.push(Map { var: *var, min: runs[0].0, max: *max, start });
                }
                AxisForm::Classes { var, runs, .. } => {
                    offsets.extend(runs.iter().map(|(_, class)| offset(*class)));
                    bands.push(Bands {
                        var: *var,
                        cuts: runs.iter().skip(1).map(|(begin, _)| *begin).collect(),
                        start,
                    });
                }
            }
        }
        Table { maps: maps.into(), bands: bands.into(), judges: judges.into(), offsets: offsets.into(), ..table }
    }

    #[inline]
    pub(super) fn get<S: Situation + ?Sized>(&self, situation: &S) -> i32 {
        let mut table = self;
        while let Some(split) = &table.split {
            let class = split.classes[split.map.place(situation)];
            table = &split.tables[usize::from(class)];
        }
        let mut index = 0;
        for map in &table.maps {
            index += usize::from(table.offsets[map.start as usize + map.place(situation)]);
        }
        for bands in &table.bands {
            let value = situation.value(bands.var);
            let at = bands.cuts.partition_point(|cut| *cut <= value);
            index += usize::from(table.offsets[bands.start as usize + at]);
        }
        for judge in &table.judges {
            let holds = match &judge.test {
                Test::Linear(test) => test.holds(situation),
                Test::Node(node) => node.eval(situation) != 0,
            };
            index += if holds { judge.offset as usize } else { 0 };
        }
        table.base.wrapping_add(table.cells.get(index).map_or(0, |cell| i32::from(*cell)))
    }

    /// Every value in the table, with repeats.
    pub(super) fn values(&self) -> Vec<i32> {
        match &self.split {
            Some(split) => split.tables.iter().flat_map(Table::values).collect(),
            None if self.cells.is_empty() => vec![self.base],
            None => self.cells.iter().map(|cell| self.base.wrapping_add(i32::from(*cell))).collect(),
        }
    }
}

impl Map {
    /// How many values lie between the least one and that of a situation.
    #[inline]
    fn place<S: Situation + ?Sized>(&self, situation: &S) -> usize {
        let value = situation.value(self.var);
        debug_assert!((self.min..=self.max).contains(&value), "{value} is no value of {:?}", self.var);
        value.min(self.max).max(self.min).wrapping_sub(self.min) as usize
    }
}

/// The cells of a table to be, the last axis moving fastest.
struct Cells {
    axes: Vec<Axis>,
    values: Vec<i32>,
}

impl Cells {
    /// The cells of one class of an axis.
    fn slice(&self, at: usize, class: usize) -> Self {
        let stride: usize = strides(&self.axes)[at];
        let rows = self.values.chunks_exact(stride).skip(class).step_by(self.axes[at].classes);
        let mut axes = self.axes.clone();
        axes.remove(at);
        Cells { axes, values: rows.flatten().copied().collect() }
    }

    /// The same without the axes that make no difference.
    fn without_idle_axes(mut self) -> Self {
        let (idle, _) = self.differences();
        for at in (0..self.axes.len()).rev().filter(|at| idle >> at & 1 == 0) {
            self = self.slice(at, 0);
        }
        self
    }

    /// The axes that make a difference anywhere, as bits, and those that do by axis and class.
    fn differences(&self) -> (u64, Vec<Vec<u64>>) {
        let strides = strides(&self.axes);
        let mut all = 0;
        let mut by_class: Vec<Vec<u64>> = self.axes.iter().map(|axis| vec![0; axis.classes]).collect();
        for (cell, value) in self.values.iter().enumerate() {
            let class = |at: usize| cell / strides[at] % self.axes[at].classes;
            let differs = |at: &usize| {
                let next = cell + strides[*at];
                class(*at) + 1 < self.axes[*at].classes && self.values[next] != *value
            };
            let here = (0..self.axes.len()).filter(differs).fold(0, |here, at| here | 1 << at);
            all |= here;
            if here != 0 {
                for (at, by_class) in by_class.iter_mut().enumerate() {
                    by_class[class(at)] |= here & !(1 << at);
                }
            }
        }
        (all, by_class)
    }

    /// The axis which it pays most to read first, if it does: all values taken for equally frequent.
    fn best_first(&self) -> Option<usize> {
        let cost = |axes: u64| -> usize {
            self.axes.iter().enumerate().filter(|(at, _)| axes >> at & 1 == 1).map(|(_, axis)| axis.cost()).sum()
        };
        let (all, by_class) = self.differences();
        let saved = |at: usize| {
            let axis = &self.axes[at];
            let (map, runs) = axis.as_map().filter(|_| axis.classes <= BRANCHES_MAX)?;
            let parts: usize = by_value(runs, map.max).map(|class| cost(by_class[at][usize::from(class)])).sum();
            let values = (map.max - map.min + 1) as usize;
            // It has to save half a map's cost at least.
            ((cost(all) - axis.cost()) * values).checked_sub(parts + values).map(|saved| saved * 1_000 / values)
        };
        (0..self.axes.len())
            .filter_map(|at| Some((saved(at)?, at)))
            .max_by_key(|&(saved, at)| (saved, usize::MAX - at))
            .map(|(_, at)| at)
    }
}

/// The stride of each axis when the last one moves fastest.
fn strides(axes: &[Axis]) -> Vec<usize> {
    let mut strides = vec![1; axes.len()];
    for at in (1..axes.len()).rev() {
        strides[at - 1] = strides[at] * axes[at].classes;
    }
    strides
}

/// The class of each value, from the least on.
fn by_value(runs: &Runs, max: i32) -> impl Iterator<Item = u16> + '_ {
    let ends = runs.iter().skip(1).map(|(begin, _)| begin - 1).chain([max]);
    runs.iter().zip(ends).flat_map(|((begin, class), end)| (*begin..=end).map(|_| *class))
}

/// Is a variable with these runs better mapped value by value than searched?
fn mapped(runs: &Runs, max: i32) -> bool {
    let size = i64::from(max) - i64::from(runs[0].0) + 1;
    size <= MAPPED_ALWAYS || (size <= MAPPED_MAX && runs.len() > CUTS_FEW + 1)
}

fn extent(values: &[i32]) -> (i32, i32) {
    values.iter().fold((i32::MAX, i32::MIN), |(min, max), value| (min.min(*value), max.max(*value)))
}
