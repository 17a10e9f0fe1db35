//! Checks that the data read about watched battles are plausible: files may come from anywhere.

use super::Watched;
use crate::results::Manifest;

impl Watched {
    /// Checks that each cell has the morale of every side.
    ///
    /// # Errors
    /// The data is invalid; the string says why.
    pub(crate) fn check(&self, manifest: &Manifest) -> Result<(), String> {
        let sides = manifest.sides.len();
        match self.cells.iter().find(|cell| cell.morale.len() != sides) {
            Some(cell) => Err(format!("cell {} does not have the morale of {sides} sides", cell.cell)),
            None => Ok(()),
        }
    }
}
