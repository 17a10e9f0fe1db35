//! The report in a results folder: the list of its files, and their removal.

use std::fs;
use std::path::Path;

use super::read::is_inside;
use super::{ResultsError, disk};

/// The folder of the report below the results folder.
pub const REPORT: &str = "report";
/// The page of a report. It is written last and removed first, so if it exists, the report is complete.
pub const PAGE: &str = "index.html";
/// The list of a report's files, one path per line. Other files in the folder are the user's own.
pub const REPORT_FILES: &str = ".grognard-files";

/// Removes the report of a results folder: its page first, then the files that its list names.
///
/// # Errors
/// The page cannot be removed. Other files that cannot be removed do no harm.
pub fn remove_report(folder: &Path) -> Result<(), ResultsError> {
    let report = folder.join(REPORT);
    let list = report.join(REPORT_FILES);
    let Ok(names) = fs::read_to_string(&list) else { return Ok(()) };
    disk::remove_first(&report.join(PAGE))?;
    let names: Vec<&str> = names.lines().filter(|name| is_inside(name)).collect();
    for path in names.iter().map(|name| report.join(name)) {
        disk::remove(&path);
        if let Some(name) = path.file_name() {
            // Files that a kill may have left.
            disk::remove(&path.with_file_name(format!("{}{}", disk::TEMPORARY, name.to_string_lossy())));
        }
    }
    disk::remove(&list);
    for below in names.iter().filter_map(|name| Path::new(name).parent()).filter(|below| *below != Path::new("")) {
        disk::remove_empty(&report.join(below));
    }
    disk::remove_empty(&report);
    Ok(())
}
