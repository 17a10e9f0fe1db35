//! The battles that a results folder keeps individually, row by row.

use super::columns::{LUCK, OF_SIDE};
use super::frames::Frames;
use super::tables::Fields;
use super::{Results, ResultsError};

impl Results {
    /// The names of the fields that [`Self::each_battle`] passes on, the same as the columns in the files: the cell,
    /// the battle, the winner (or `draw`), the turns, and for each side its losses, routed and shaken units, the turn
    /// of its first rout (empty if it had none), and its luck in rolls if it was counted.
    #[must_use]
    pub fn battle_columns(&self) -> Vec<String> {
        let names = self.manifest.columns();
        let mut columns: Vec<String> = ["cell", "battle", "winner", "turns"].map(str::to_owned).into();
        for &side in names.sides.sides() {
            columns.extend(OF_SIDE.iter().map(|what| names.of_side(side, what)));
        }
        if self.manifest.luck {
            columns.extend(names.sides.sides().iter().map(|&side| names.of_side(side, LUCK)));
        }
        columns
    }

    /// Passes every kept battle to `each`, in the order in which they were fought, until `each` returns false.
    ///
    /// # Errors
    /// A part is missing, damaged, or cannot be read.
    pub fn each_battle(&self, mut each: impl FnMut(&[String]) -> bool) -> Result<(), ResultsError> {
        let columns = self.battle_columns();
        for part in &self.manifest.files.parts {
            let file = Frames::open(&self.folder, part)?;
            for frame in file.each() {
                let frame = frame?;
                let fields = Fields(&frame);
                let texts: Result<Vec<Vec<String>>, _> = columns.iter().map(|name| fields.printed(name)).collect();
                let texts = texts.map_err(|fault| ResultsError::damaged(file.path(), fault))?;
                for row in 0..frame.height() {
                    let fields: Vec<String> = texts.iter().map(|column| column[row].clone()).collect();
                    if !each(&fields) {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::progress::{Silent, Stop};
    use crate::results::ResultsWriter;
    use crate::runner::{Keep, Tallied, run};
    use crate::testing::{Skirmishes, manifest, options};

    #[test]
    fn every_kept_battle_is_a_row() {
        let baselines = [Some(0), Some(0)];
        let folder = tempfile::tempdir().unwrap();
        let mut writer = ResultsWriter::create(folder.path(), manifest(&baselines, 300, Keep::First(100))).unwrap();
        let mut tallied = Tallied::new(0, &baselines);
        let options = crate::runner::RunOptions { keep: Keep::First(100), ..options(&baselines, 0..300) };
        let ending = run(&options, &Skirmishes, &mut tallied, &mut writer, &Silent, &Stop::new()).unwrap();
        let results = writer.finish(&tallied, ending).unwrap();

        let mut rows: Vec<Vec<String>> = Vec::new();
        results
            .each_battle(|row| {
                rows.push(row.to_vec());
                true
            })
            .unwrap();
        assert_eq!(results.battle_columns().len(), 12);
        assert_eq!(rows.len(), 200);
        assert!(rows.iter().all(|row| row.len() == 12 && ["attacker", "defender", "draw"].contains(&row[2].as_str())));
        let of_cell =
            |cell: &str| rows.iter().filter(|row| row[0] == cell).map(|row| row[1].clone()).collect::<Vec<_>>();
        assert_eq!(of_cell("1"), (0..100).map(|battle: u32| battle.to_string()).collect::<Vec<_>>());
        // Iteration ends after the given number of battles.
        let mut count = 0;
        results
            .each_battle(|_| {
                count += 1;
                count < 5
            })
            .unwrap();
        assert_eq!(count, 5);
    }
}
