//! The Parquet files of a results folder, read as data frames.
//!
//! The Parquet library trusts its input too much: it would reserve memory for as many values as a page claims, and end
//! the process. So it never receives a file that is accidentally damaged or whose counts disagree.

use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use polars_core::prelude::{DataFrame, PolarsResult};
use polars_io::prelude::{ParquetReader, SerReader};
use polars_parquet::parquet::encoding::Encoding;
use polars_parquet::parquet::error::ParquetResult;
use polars_parquet::parquet::page::CompressedPage;
use polars_parquet::parquet::read::{get_page_iterator, read_metadata};

use super::read::checked_bytes;
use super::{FileEntry, ResultsError};

/// The number of rows read at a time, which limits the memory needed for reading.
const ROWS_PER_FRAME: usize = 1 << 17;

/// The message for a file that contradicts itself.
const INVALID: &str = "it is not a valid Parquet file";

/// A Parquet file of a results folder whose counts agree.
pub(crate) struct Frames {
    path: PathBuf,
    bytes: Vec<u8>,
    rows: usize,
}

impl Frames {
    /// The file that `entry` names.
    ///
    /// # Errors
    /// It is missing, cannot be read, was changed since it was written, or contradicts itself or `entry`.
    pub(crate) fn open(folder: &Path, entry: &FileEntry) -> Result<Self, ResultsError> {
        let path = folder.join(&entry.path);
        let bytes = checked_bytes(folder, entry)?;
        match usize::try_from(entry.rows) {
            Ok(rows) if guarded(&path, || agree(&bytes, rows))? => Ok(Self { path, bytes, rows }),
            _ => Err(ResultsError::damaged(&path, INVALID)),
        }
    }

    /// The location of the file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// All rows.
    ///
    /// # Errors
    /// The file contradicts itself.
    pub(crate) fn whole(&self) -> Result<DataFrame, ResultsError> {
        self.rows(None)
    }

    /// The rows in order, in frames of limited size.
    pub(crate) fn each(&self) -> impl Iterator<Item = Result<DataFrame, ResultsError>> + '_ {
        (0..self.rows).step_by(ROWS_PER_FRAME).map(|first| self.rows(Some((first, ROWS_PER_FRAME))))
    }

    fn rows(&self, slice: Option<(usize, usize)>) -> Result<DataFrame, ResultsError> {
        guarded(&self.path, || ParquetReader::new(Cursor::new(&self.bytes)).with_slice(slice).finish())
    }
}

/// Whether a file has this many rows, and each column of each row group has as many values in its pages, in an encoding
/// that we write. Other encodings have counts of their own within the pages.
fn agree(bytes: &[u8], rows: usize) -> PolarsResult<bool> {
    let metadata = read_metadata(&mut Cursor::new(bytes))?;
    let (file, mut total) = (Cursor::new(bytes.to_vec().into()), Some(0_usize));
    for group in &metadata.row_groups {
        total = total.and_then(|total| total.checked_add(group.num_rows()));
        for column in group.parquet_columns() {
            let pages = get_page_iterator(column, file.clone(), Vec::new(), bytes.len())?;
            if values(pages)? != Some(group.num_rows()) || usize::try_from(column.num_values()) != Ok(group.num_rows())
            {
                return Ok(false);
            }
        }
    }
    Ok(metadata.num_rows == rows && total == Some(rows))
}

/// The total number of values in the pages. `None` means too many, or in an encoding that we do not write.
fn values(pages: impl Iterator<Item = ParquetResult<CompressedPage>>) -> ParquetResult<Option<usize>> {
    let mut total = Some(0_usize);
    for page in pages {
        let CompressedPage::Data(page) = page? else { continue };
        let ours = matches!(page.header().encoding().try_into()?, Encoding::Plain | Encoding::RleDictionary);
        total = total.filter(|_| ours).and_then(|total| total.checked_add(page.num_values()));
    }
    Ok(total)
}

/// Reads with the Parquet library, which panics if a file contradicts itself.
fn guarded<T>(path: &Path, read: impl FnOnce() -> PolarsResult<T>) -> Result<T, ResultsError> {
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(Ok(read)) => Ok(read),
        Ok(Err(error)) => Err(ResultsError::damaged(path, error.to_string())),
        Err(_) => Err(ResultsError::damaged(path, INVALID)),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::results::sha256;
    use crate::results::tests::fight;
    use crate::runner::Keep;

    /// A folder with forty battles in each cell, and the entry of its counts.
    fn counts() -> (tempfile::TempDir, FileEntry) {
        let folder = tempfile::tempdir().unwrap();
        let results = fight(folder.path(), 40, 1, Keep::First(0));
        let entry = results.manifest.files.tallies.clone().expect("its battles are counted");
        (folder, entry)
    }

    /// Without the check, some of these files would end the process, because there is not enough memory for what a page
    /// claims.
    #[test]
    fn a_first_page_that_claims_something_else_is_an_error_or_makes_no_difference() {
        let (folder, entry) = counts();
        let sound = Frames::open(folder.path(), &entry).unwrap().whole().unwrap();
        assert_eq!(sound.height() as u64, entry.rows);
        let bytes = fs::read(folder.path().join(&entry.path)).unwrap();
        let mut refused = 0;
        for at in 0..64 {
            for byte in [0, 127, 255] {
                let mut spoilt = bytes.clone();
                spoilt[at] = byte;
                fs::write(folder.path().join(&entry.path), &spoilt).unwrap();
                let entry = FileEntry { sha256: sha256(&spoilt), ..entry.clone() };
                match Frames::open(folder.path(), &entry).and_then(|file| file.whole()) {
                    Ok(frame) => assert_eq!(frame.height() as u64, entry.rows),
                    Err(error) => {
                        refused += 1;
                        assert!(error.is_loss(), "{error}");
                    }
                }
            }
        }
        assert!(refused > 0);
    }

    #[test]
    fn a_file_has_as_many_rows_as_its_entry_says() {
        let (folder, entry) = counts();
        for rows in [0, entry.rows - 1, entry.rows + 1, u64::MAX] {
            assert!(Frames::open(folder.path(), &FileEntry { rows, ..entry.clone() }).is_err(), "{rows}");
        }
    }
}
