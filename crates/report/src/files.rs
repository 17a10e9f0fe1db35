//! Writing a report below its results folder.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use grognard_lab::results::{Results, ResultsError};

use crate::charts;
use crate::html::{ORIGIN, html};
use crate::look::{Size, Theme};
use crate::made;
use crate::markdown::markdown;
use crate::paint::PaintError;
use crate::report::Report;

/// The file to open.
const PAGE: &str = "index.html";

/// Why a report could not be built.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The results could not be read.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// A chart could not be drawn.
    #[error(transparent)]
    Paint(#[from] PaintError),
    /// The operating system refused to write a file.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// The files of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportFiles {
    /// The folder they are in.
    pub folder: PathBuf,
    /// The page to open.
    pub page: PathBuf,
    /// All files written, the page included.
    pub files: Vec<PathBuf>,
}

/// Builds the report on the results in `results_folder` and writes it to `report/` there.
///
/// Each file is written under a temporary name and then renamed. Charts of an earlier report that these results have no
/// numbers for are removed; nothing else in the folder is touched.
///
/// # Errors
/// If the folder holds no sound results, a chart cannot be drawn, or a file cannot be written.
pub fn build(results_folder: &Path) -> Result<ReportFiles, ReportError> {
    let report = Report::on(&Results::open(results_folder)?);
    let mut files =
        vec![(PAGE.to_owned(), html(&report)?.into_bytes()), ("report.md".to_owned(), markdown(&report).into_bytes())];
    for chart in &report.charts {
        let name = chart.name();
        files.push((format!("{name}.svg"), chart.svg(Size::Page, Theme::Light)?.into_bytes()));
        files.push((format!("{name}.png"), chart.png(Size::Page, Theme::Light)?));
    }

    let folder = results_folder.join("report");
    let refused = |path: &Path| {
        let path = path.to_owned();
        move |source| ReportError::Write { path, source }
    };
    fs::create_dir_all(&folder).map_err(refused(&folder))?;
    let mut written = Vec::new();
    for (name, bytes) in &files {
        let path = folder.join(name);
        write(&folder, name, bytes).map_err(refused(&path))?;
        written.push(path);
    }
    for name in charts::NAMES.iter().flat_map(|name| [format!("{name}.svg"), format!("{name}.png")]) {
        let path = folder.join(&name);
        if !written.contains(&path) && path.is_file() {
            fs::remove_file(&path).map_err(refused(&path))?;
        }
    }
    Ok(ReportFiles { page: folder.join(PAGE), folder, files: written })
}

/// Whether the folder holds a report that was built from other results than it holds now.
#[must_use]
pub fn is_stale(results: &Results) -> bool {
    let Ok(page) = fs::read_to_string(results.folder.join("report").join(PAGE)) else { return false };
    let origin = page.split_once(ORIGIN).and_then(|(_, rest)| rest.split_once('"')).map(|(origin, _)| origin);
    origin != Some(made::origin(&results.manifest).as_str())
}

/// Writes a file whole or not at all.
fn write(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let temporary = folder.join(format!(".grognard-{name}"));
    let mut file = File::create(&temporary)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    drop(file);
    let renamed = written.and_then(|()| fs::rename(&temporary, folder.join(name)));
    if renamed.is_err() {
        // The first error is the one to report; a temporary file left behind harms nobody.
        let _ = fs::remove_file(&temporary);
    }
    renamed
}
