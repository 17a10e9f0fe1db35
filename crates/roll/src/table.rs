//! Result tables: the dice pick the row, and the odds pick the column.
//!
//! Example: 2d6 read in the column of the strength ratio, shifted one to the left for cover; the table gives the number
//! of steps lost.

use grognard_dice::Faces;

use super::hand::Thrown;
use super::totals::Draft;
use super::weights::{Budget, Key};
use super::{Amount, Hand, Procedure, RollError, Totals, names};

/// A table of results. Totals: `roll`, `column` (counted from 0, after all shifts) and `entry`, then `natural` if
/// requested.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Table {
    /// The dice.
    pub hand: Hand,
    /// The column before shifts, counted from 0.
    pub column: Amount,
    /// Numbers of columns to move by, to the right if positive. All shifts are added up first; only then is the result
    /// limited to the table's edge.
    pub shifts: Vec<Amount>,
    /// The rows in ascending order of [`Row::up_to`].
    pub rows: Vec<Row>,
    /// Whether the total `natural` is requested: the result of the dice before [`Hand::plus`].
    pub natural: bool,
}

/// One row of a table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Row {
    /// The largest total that is read in this row; the smallest is one more than that of the row above, and the first
    /// row takes all lower totals. A total above the last row is read in the last row.
    pub up_to: i32,
    /// The entry of each column: codes that the pack gives meaning to, -32768 to 32767.
    pub entries: Vec<i32>,
}

impl Table {
    fn read(&self, thrown: Thrown, inputs: &[i32]) -> Draft {
        let row = self.rows.iter().find(|row| thrown.total <= row.up_to.into()).or(self.rows.last());
        let entries = row.map_or(&[][..], |row| &row.entries);
        let shifted: i64 = self.shifts.iter().chain([&self.column]).map(|amount| i64::from(amount.at(inputs))).sum();
        let column = shifted.clamp(0, entries.len().saturating_sub(1) as i64);
        let entry = entries.get(column as usize).copied().unwrap_or(0);
        Draft::of(&[thrown.total, column, entry.into()]).and_if(self.natural, thrown.natural)
    }
}

impl Procedure for Table {
    fn totals(&self) -> Vec<String> {
        let mut totals = names(["roll", "column", "entry"]);
        totals.extend(self.natural.then(|| "natural".to_owned()));
        totals
    }

    fn amounts(&self) -> Vec<Amount> {
        self.hand.amounts().chain([self.column]).chain(self.shifts.iter().copied()).collect()
    }

    fn check(&self) -> Result<(), RollError> {
        self.hand.check()?;
        self.hand.check_no_verdict()?;
        let columns = self.rows.first().map_or(0, |row| row.entries.len());
        if columns == 0 {
            return Err(RollError::Meaningless("the table has no rows or no columns: it needs one of each"));
        }
        if self.rows.iter().any(|row| row.entries.len() != columns) {
            return Err(RollError::Meaningless(
                "the rows of the table differ in length: give an entry for every column",
            ));
        }
        if self.rows.windows(2).any(|pair| pair[0].up_to >= pair[1].up_to) {
            return Err(RollError::Meaningless("the rows of the table are not in ascending order of their totals"));
        }
        Ok(())
    }

    fn work_out(&self, inputs: &[i32], budget: &mut Budget) -> Result<Vec<(Totals, u128)>, RollError> {
        let throws = self.hand.throws(false, inputs, budget)?;
        budget.note([&throws]);
        let entry = |&(key, weight): &(Key, u128)| {
            Ok((self.read(self.hand.thrown(key, inputs), inputs).fit(|| self.totals())?, weight))
        };
        throws.entries().iter().map(entry).collect()
    }

    fn by_hand(&self, inputs: &[i32], faces: &mut dyn Faces) -> Totals {
        self.read(self.hand.by_hand(inputs, faces), inputs).clamped()
    }
}
