//! Battles and ends of battles as tables: one row for each battle, and one row for each side of each battle.

use grognard_engine::{BySide, Outcome, SideOutcome};

use super::table::{Column, Table, column};
use super::winner_name;
use crate::results::Manifest;
use crate::results::columns::{Columns, LUCK, OF_SIDE};
use crate::tally::Verdict;

/// A kept battle.
#[derive(Clone, Copy, Debug)]
pub struct BattleRow {
    /// The cell.
    pub cell: u32,
    /// The number of the battle.
    pub battle: u64,
    /// Its result.
    pub outcome: Outcome,
    /// The luck of each side in rolls, if luck is counted.
    pub luck: Option<BySide<f64>>,
}

/// Battles as a table: `cell, battle`, the columns of their outcomes, and, if luck is counted, each side's luck in
/// rolls.
#[must_use]
pub fn battles_table<'a>(rows: &[BattleRow], manifest: &'a Manifest) -> Table<'a> {
    let names = manifest.columns();
    let mut columns = vec![
        column("cell", rows.iter().map(|row| row.cell as i32).collect::<Vec<_>>()),
        column("battle", rows.iter().map(|row| row.battle as i64).collect::<Vec<_>>()),
    ];
    let outcomes: Vec<Outcome> = rows.iter().map(|row| row.outcome).collect();
    columns.extend(outcome_columns(&outcomes, manifest.side_names(), &names));
    if let Some(luck) = all_luck(rows) {
        for &side in manifest.side_names().sides() {
            columns.push(column(&names.of_side(side, LUCK), luck.iter().map(|luck| luck[side]).collect::<Vec<_>>()));
        }
    }
    Table::new(rows.len(), columns)
}

/// Battles as a table with a row for each side: `cell, battle, side, won, losses, routed_units, shaken_units,
/// rout_turn`, and, if it is counted, the luck in rolls.
#[must_use]
pub fn battle_sides_table<'a>(rows: &[BattleRow], manifest: &'a Manifest) -> Table<'a> {
    let names = manifest.side_names();
    let both = || rows.iter().flat_map(|row| names.sides().iter().map(move |&side| (row, side)));
    let [losses, routed, shaken, turn] = OF_SIDE;
    let number = |name: &str, of: fn(&SideOutcome) -> i32| {
        column(name, both().map(|(row, side)| of(&row.outcome.sides[side])).collect::<Vec<_>>())
    };
    let mut columns = vec![
        column("cell", both().map(|(row, _)| row.cell as i32).collect::<Vec<_>>()),
        column("battle", both().map(|(row, _)| row.battle as i64).collect::<Vec<_>>()),
        column("side", both().map(|(_, side)| names[side]).collect::<Vec<_>>()),
        column("won", both().map(|(row, side)| row.outcome.winner == Some(side)).collect::<Vec<_>>()),
        number(losses, |side| side.losses.into()),
        number(routed, |side| side.routed_units.into()),
        number(shaken, |side| side.shaken_units.into()),
        column(turn, both().map(|(row, side)| rout_turn(&row.outcome.sides[side])).collect::<Vec<_>>()),
    ];
    if all_luck(rows).is_some() {
        let luck = both().map(|(row, side)| row.luck.map(|luck| luck[side]));
        columns.push(column(LUCK, luck.collect::<Vec<_>>()));
    }
    Table::new(names.count() * rows.len(), columns)
}

/// The luck of all these battles, if there are any and luck was counted in every one.
fn all_luck(rows: &[BattleRow]) -> Option<Vec<BySide<f64>>> {
    let luck: Option<Vec<_>> = rows.iter().map(|row| row.luck).collect();
    luck.filter(|luck| !luck.is_empty())
}

/// The turn of a side's first rout, if it had one.
fn rout_turn(side: &SideOutcome) -> Option<i32> {
    (side.rout_turn > 0).then_some(side.rout_turn.into())
}

/// Outcomes as columns: `winner, turns` and, for each side, losses, routed and shaken units and the turn of the first
/// rout.
pub(super) fn outcome_columns<'a>(outcomes: &[Outcome], names: BySide<&'a str>, columns: &Columns) -> Vec<Column<'a>> {
    let winner = |outcome: &Outcome| winner_name(Verdict::of(outcome.winner), names);
    let mut found = vec![
        column("winner", outcomes.iter().map(winner).collect::<Vec<_>>()),
        column("turns", outcomes.iter().map(|outcome| i32::from(outcome.turns)).collect::<Vec<_>>()),
    ];
    let [losses, routed, shaken, turn] = OF_SIDE;
    for &side in names.sides() {
        let sides = || outcomes.iter().map(|outcome| &outcome.sides[side]);
        let name = |what: &str| columns.of_side(side, what);
        found.push(column(&name(losses), sides().map(|side| i32::from(side.losses)).collect::<Vec<_>>()));
        found.push(column(&name(routed), sides().map(|side| i32::from(side.routed_units)).collect::<Vec<_>>()));
        found.push(column(&name(shaken), sides().map(|side| i32::from(side.shaken_units)).collect::<Vec<_>>()));
        found.push(column(&name(turn), sides().map(rout_turn).collect::<Vec<_>>()));
    }
    found
}
