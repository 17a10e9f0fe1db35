//! The dense table: one cell for each combination of classes.

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

/// A table and the axes that find a cell in it. The index of the cell is the sum of what the axes contribute.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Table {
    /// Added to each cell; without cells, the table's only value.
    base: i32,
    cells: Box<[i16]>,
    maps: Box<[Map]>,
    bands: Box<[Bands]>,
    judges: Box<[Judge]>,
    /// What the maps and bands contribute, one map after the other.
    offsets: Box<[u16]>,
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

/// What a table is made of: an axis and the stride between its classes.
pub(super) enum AxisForm {
    /// A variable's runs of values of one class, and its greatest value.
    Classes { var: Var, runs: Vec<(i32, u16)>, max: i32 },
    /// A condition: class 0 if it fails, class 1 if it holds.
    Judgement(Node),
}

impl Table {
    /// The table that has one value.
    pub(super) fn constant(value: i32) -> Self {
        Table { base: value, ..Table::default() }
    }

    /// A table of these values (one at least, [`SPREAD_MAX`] apart at most), found by these axes.
    pub(super) fn new(values: &[i32], axes: Vec<(AxisForm, usize)>) -> Self {
        let (min, max) = extent(values);
        if min == max {
            return Table::constant(min);
        }
        let spread = i64::from(max) - i64::from(min);
        debug_assert!(values.len() <= CELLS_MAX && spread <= SPREAD_MAX);
        // Cells reach from -32,768 to 32,767; `max` shows that the base can be had when they are needed below zero.
        let base = if spread > i64::from(i16::MAX) { min.wrapping_add(32_768) } else { min };
        let mut table = Table { base, ..Table::default() };
        table.cells = values.iter().map(|value| value.wrapping_sub(base) as i16).collect();
        let (mut maps, mut bands, mut judges, mut offsets) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (axis, stride) in axes {
            let start = offsets.len() as u32;
            // An index into at most 65,536 cells fits.
            let offset = |class: u16| (usize::from(class) * stride) as u16;
            match axis {
                AxisForm::Judgement(node) => {
                    let test = LinearTest::of(&node).map_or(Test::Node(node), Test::Linear);
                    judges.push(Judge { test, offset: stride as u32 });
                }
                AxisForm::Classes { var, runs, max } if mapped(&runs, max) => {
                    let min = runs[0].0;
                    let ends = runs.iter().skip(1).map(|(begin, _)| begin - 1).chain([max]);
                    for ((begin, class), end) in runs.iter().zip(ends) {
                        offsets.extend((*begin..=end).map(|_| offset(*class)));
                    }
                    maps.push(Map { var, min, max, start });
                }
                AxisForm::Classes { var, runs, .. } => {
                    offsets.extend(runs.iter().map(|(_, class)| offset(*class)));
                    bands.push(Bands { var, cuts: runs.iter().skip(1).map(|(begin, _)| *begin).collect(), start });
                }
            }
        }
        Table { maps: maps.into(), bands: bands.into(), judges: judges.into(), offsets: offsets.into(), ..table }
    }

    #[inline]
    pub(super) fn get<S: Situation + ?Sized>(&self, situation: &S) -> i32 {
        let mut index = 0;
        for map in &self.maps {
            let value = situation.value(map.var);
            debug_assert!((map.min..=map.max).contains(&value), "{value} is no value of {:?}", map.var);
            let at = value.min(map.max).max(map.min).wrapping_sub(map.min);
            index += usize::from(self.offsets[map.start as usize + at as usize]);
        }
        for bands in &self.bands {
            let value = situation.value(bands.var);
            let at = bands.cuts.partition_point(|cut| *cut <= value);
            index += usize::from(self.offsets[bands.start as usize + at]);
        }
        for judge in &self.judges {
            let holds = match &judge.test {
                Test::Linear(test) => test.holds(situation),
                Test::Node(node) => node.eval(situation) != 0,
            };
            index += if holds { judge.offset as usize } else { 0 };
        }
        self.base.wrapping_add(self.cells.get(index).map_or(0, |cell| i32::from(*cell)))
    }

    /// Every value in the table, with repeats.
    pub(super) fn values(&self) -> impl Iterator<Item = i32> + '_ {
        let only = self.cells.is_empty().then_some(self.base);
        only.into_iter().chain(self.cells.iter().map(|cell| self.base.wrapping_add(i32::from(*cell))))
    }
}

/// Is a variable with these runs better mapped value by value than searched?
fn mapped(runs: &[(i32, u16)], max: i32) -> bool {
    let size = i64::from(max) - i64::from(runs[0].0) + 1;
    size <= MAPPED_ALWAYS || (size <= MAPPED_MAX && runs.len() > CUTS_FEW + 1)
}

fn extent(values: &[i32]) -> (i32, i32) {
    values.iter().fold((i32::MAX, i32::MIN), |(min, max), value| (min.min(*value), max.max(*value)))
}
