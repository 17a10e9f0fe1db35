//! Writing a report below its results folder.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use grognard_lab::results::{PAGE, REPORT, REPORT_FILES, Results, ResultsError, remove_report};
use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};

use crate::charts::Chart;
use crate::drawn::{self, Frame};
use crate::html::html;
use crate::look::{Size, Theme};
use crate::markdown::markdown;
use crate::paint::PaintError;
use crate::pdf::{one_page, pdf};
use crate::report::Report;
use crate::text::tame;

/// The file to print.
const PDF: &str = "report.pdf";

/// Errors in building a report.
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
        /// The operating system's error.
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

/// Which charts are written as separate files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Variants {
    /// As wide as a page, in colours on white.
    #[default]
    One,
    /// These, and every other width and theme, each in its own folder.
    All,
    /// Only the chart of the first page; the report is just that page.
    Short,
}

/// Builds the report on the results in `results_folder` and writes it to `report/` there.
///
/// An earlier report is removed first. Each file is written under a temporary name and then renamed, the page last, so
/// if there is a page, the report is complete. The list of the files is written before them; no other file is touched.
///
/// # Errors
/// If the folder contains no valid results, a chart cannot be drawn, or a file cannot be written.
pub fn build(results_folder: &Path, variants: Variants) -> Result<ReportFiles, ReportError> {
    let report = Report::on(&Results::open(results_folder)?);
    let report = if variants == Variants::Short { report.short() } else { report };
    let page = html(&report)?.into_bytes();
    let mut files = vec![
        ("report.md".to_owned(), markdown(&report).into_bytes()),
        (PDF.to_owned(), pdf(&report).map_err(PaintError::from)?),
    ];
    for told in &report.noteworthy {
        files.push((format!("{}.txt", told.name), (tame(&told.narration.join("\n")) + "\n").into_bytes()));
    }
    for (told, timeline) in report.noteworthy.iter().filter_map(|told| Some((told, told.timeline.as_ref()?))) {
        let svg = drawn::storyboard(timeline, &told.caption(), Theme::default())?;
        files.push((format!("{}.svg", told.name), svg.into_bytes()));
    }
    let wanted: Vec<(Size, Theme)> = looks().filter(|&look| variants == Variants::All || is_plain(look)).collect();
    let drawings: Vec<(&Chart, (Size, Theme))> =
        report.all_charts().flat_map(|chart| wanted.iter().map(move |&look| (chart, look))).collect();
    let drawn: Result<Vec<_>, PaintError> = drawings
        .par_iter()
        .map(|&(chart, (size, theme))| {
            let stem = stem(chart.name(), (size, theme));
            let svg = (format!("{stem}.svg"), chart.svg(size, theme)?.into_bytes());
            Ok([svg, (format!("{stem}.png"), chart.png(size, theme)?)])
        })
        .collect();
    files.extend(drawn?.into_iter().flatten());

    files.push((PAGE.to_owned(), page));

    remove_report(results_folder)?;
    let folder = results_folder.join(REPORT);
    let names: String = files.iter().map(|(name, _)| format!("{name}\n")).collect();
    write_all(&folder, &[(REPORT_FILES.to_owned(), names.into_bytes())])?;
    let written = write_all(&folder, &files)?;
    Ok(ReportFiles { page: folder.join(PAGE), folder, files: written })
}

/// Writes the answer to a question into a folder: a page, Markdown, charts and tables, `texts` next to them under their
/// names, and a one-page PDF that states what the numbers guarantee. `stem` names the Markdown and the PDF.
///
/// Each file is written under a temporary name and then renamed, the page last; nothing else in the folder is touched.
///
/// # Errors
/// If a chart cannot be drawn or a file cannot be written.
pub fn publish_answer(
    folder: &Path,
    stem: &str,
    report: &Report,
    texts: &[(&str, String)],
) -> Result<Vec<PathBuf>, ReportError> {
    let mut files: Vec<(String, Vec<u8>)> =
        texts.iter().map(|(name, text)| ((*name).to_owned(), text.clone().into_bytes())).collect();
    files.push((format!("{stem}.md"), markdown(report).into_bytes()));
    files.push((format!("{stem}.pdf"), one_page(report).map_err(PaintError::from)?));
    for chart in report.all_charts() {
        let (size, theme) = (Size::default(), Theme::default());
        files.push((format!("{}.svg", chart.name()), chart.svg(size, theme)?.into_bytes()));
        files.push((format!("{}.png", chart.name()), chart.png(size, theme)?));
    }
    files.push((PAGE.to_owned(), html(report)?.into_bytes()));
    write_all(folder, &files)
}

/// Writes the frames of a battle into a folder and removes frames left by an earlier call that this battle does not have;
/// nothing else there is touched.
///
/// Each file is written under a temporary name and then renamed.
///
/// # Errors
/// A file cannot be written.
pub fn write_frames(folder: &Path, frames: &[Frame]) -> Result<Vec<PathBuf>, ReportError> {
    let list = folder.join(REPORT_FILES);
    let earlier = fs::read_to_string(&list).unwrap_or_default();
    let files: Vec<(String, Vec<u8>)> =
        frames.iter().map(|frame| (format!("{}.svg", frame.name), frame.svg.clone().into_bytes())).collect();
    let names: String = files.iter().map(|(name, _)| format!("{name}\n")).collect();
    let ours = |name: &&str| name.starts_with("frame-") && name.ends_with(".svg") && !name.contains(['/', '\\']);
    for name in earlier.lines().filter(ours).filter(|name| !files.iter().any(|(kept, _)| kept == name)) {
        // A file that cannot be removed does no harm.
        let _ = fs::remove_file(folder.join(name));
    }
    write_all(folder, &[(REPORT_FILES.to_owned(), names.into_bytes())])?;
    write_all(folder, &files)
}

/// Writes a drawing or a page atomically, and creates its folder.
///
/// # Errors
/// It cannot be written.
pub fn write_file(path: &Path, text: &str) -> Result<(), ReportError> {
    let refused = |source| ReportError::Write { path: path.to_owned(), source };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(refused)?;
    }
    write(path, text.as_bytes()).map_err(refused)
}

fn write_all(folder: &Path, files: &[(String, Vec<u8>)]) -> Result<Vec<PathBuf>, ReportError> {
    let refused = |path: &Path| {
        let path = path.to_owned();
        move |source| ReportError::Write { path, source }
    };
    let mut written = Vec::new();
    for (name, bytes) in files {
        let path = folder.join(name);
        let place = path.parent().unwrap_or(folder);
        fs::create_dir_all(place).map_err(refused(place))?;
        write(&path, bytes).map_err(refused(&path))?;
        written.push(path);
    }
    Ok(written)
}

/// Every width in every theme.
fn looks() -> impl Iterator<Item = (Size, Theme)> {
    Size::ALL.into_iter().flat_map(|size| Theme::ALL.map(|theme| (size, theme)))
}

/// Whether charts of this look are next to the page.
fn is_plain(look: (Size, Theme)) -> bool {
    look == (Size::default(), Theme::default())
}

/// The folder of the charts of another look.
fn folder_of((size, theme): (Size, Theme)) -> String {
    format!("{}-{}", size.name(), theme.name())
}

/// The path of a chart, without the extension.
fn stem(name: &str, look: (Size, Theme)) -> String {
    if is_plain(look) { name.to_owned() } else { format!("{}/{name}", folder_of(look)) }
}

/// Writes a file atomically.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = path.with_file_name(format!(".grognard-{name}"));
    let mut file = File::create(&temporary)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    drop(file);
    let renamed = written.and_then(|()| fs::rename(&temporary, path));
    if renamed.is_err() {
        // The first error is the one to report; a temporary file left behind is harmless.
        let _ = fs::remove_file(&temporary);
    }
    renamed
}
