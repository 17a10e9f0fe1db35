//! The sources of studies: built-in ones, and files on disk.

use std::path::{Path, PathBuf};

use grognard_rules::library::{self as packs, read_own};
use grognard_source::{Diagnostic, Diagnostics, Document, FileId, Node, Sources, read_file};

use crate::study::{Changes, Study};

pub use grognard_built_in::{STUDIES, Study as BuiltIn};

/// The built-in study with that name.
#[must_use]
pub fn built_in(name: &str) -> Option<&'static BuiltIn> {
    STUDIES.iter().find(|study| study.name == name)
}

/// The study that `name` names: a built-in one, a file, or a folder that contains a `study.toml`.
///
/// # Errors
/// There is no such study; or everything that is wrong with it.
pub fn load(name: &Path, changes: &Changes, sources: &mut Sources) -> Result<Study, Diagnostics> {
    let (file, beside) = find(name, sources)?;
    Study::read(file, beside.as_deref(), changes, sources)
}

/// The text of the study that `name` names, and the folder to which the path of its pack is relative.
///
/// # Errors
/// There is no such study, or it cannot be read.
pub fn find(name: &Path, sources: &mut Sources) -> Result<(FileId, Option<PathBuf>), Diagnostics> {
    let word = name.to_string_lossy();
    if let Some(study) = built_in(&word) {
        return Ok((sources.add(format!("studies/{}.toml", study.name), study.text), None));
    }
    if name.join("manifest.json").is_file() && !name.join("study.toml").is_file() {
        let fault = Diagnostic::new(format!("{} is a results folder, not a study", name.display()));
        return Err(fault.help("name the study that it was fought from").into());
    }
    if is_path(name) {
        return open(name, sources);
    }
    if packs::built_in(&word).is_some() {
        return Err(is_a_pack(&word, &studies_of(&word, sources)).into());
    }
    let near = studies_here();
    let names = near.iter().map(String::as_str).chain(STUDIES.iter().map(|study| study.name));
    let fault = Diagnostic::unknown("study", &word, names);
    Err(fault.note("a study is a TOML file, or one of those that `grognard studies` lists", None).into())
}

/// A study found in a folder that the user named, without naming the file. Links that lead out of the folder are not
/// followed.
///
/// # Errors
/// The file is such a link; or everything that is wrong with the study.
pub fn load_found(path: &Path, changes: &Changes, sources: &mut Sources) -> Result<Study, Diagnostics> {
    let (file, beside) = open_found(path, sources)?;
    Study::read(file, beside.as_deref(), changes, sources)
}

/// Reads a study's file, or `study.toml` in a folder. Also returns the folder to which the path of its pack is
/// relative.
pub(crate) fn open(path: &Path, sources: &mut Sources) -> Result<(FileId, Option<PathBuf>), Diagnostics> {
    if let Some(folder) = pack_folder(path) {
        let study = Some("study.toml".to_owned()).filter(|study| folder.join(study).exists());
        let studies: Vec<String> = study.iter().map(|_| folder.display().to_string()).collect();
        return Err(is_a_pack(&path.display().to_string(), &studies).into());
    }
    if path.is_dir() {
        return open_found(&path.join("study.toml"), sources);
    }
    let file = read_file(path, sources)?;
    // For a file of another kind, reports a single fault instead of one for each line.
    if path.extension().is_some_and(|end| end != "toml") && Document::parse(file, sources).is_err() {
        let fault = Diagnostic::new(format!("{} is not a TOML file", path.display()));
        return Err(fault.help("name a study: a TOML file, or one of those that `grognard studies` lists").into());
    }
    Ok((file, path.parent().map(Path::to_path_buf)))
}

/// The folder of a pack, if a path names one instead of a study: its `pack.toml`, or a folder that contains no study.
fn pack_folder(path: &Path) -> Option<&Path> {
    if path.is_dir() {
        return Some(path).filter(|path| path.join("pack.toml").exists() && !path.join("study.toml").exists());
    }
    let folder = path.parent().map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    folder.filter(|_| path.file_name().is_some_and(|name| name == "pack.toml") && path.exists())
}

/// The fault for a pack named instead of a study, with its studies as suggestions.
fn is_a_pack(name: &str, studies: &[String]) -> Diagnostic {
    let fault = Diagnostic::new(format!("{name} is a pack, not a study"));
    let quoted = |studies: &[String]| studies.iter().map(|study| format!("`{study}`")).collect::<Vec<_>>().join(", ");
    fault.help(match studies {
        [] => format!(
            "name a study of it: a TOML file with `pack = \"{}\"`; `grognard check` checks packs",
            name_in(name)
        ),
        [only] => format!("name its study: {}", quoted(std::slice::from_ref(only))),
        many => format!("name one of its studies: {}", quoted(many)),
    })
}

/// The name by which a study next to a pack's folder refers to the pack.
fn name_in(pack: &str) -> String {
    let path = Path::new(pack);
    let folder = path.parent().filter(|_| path.file_name().is_some_and(|name| name == "pack.toml")).unwrap_or(path);
    packs::folder_name(folder).unwrap_or_else(|| "NAME".to_owned())
}

/// The built-in studies of a built-in pack.
fn studies_of(pack: &str, sources: &mut Sources) -> Vec<String> {
    let of_pack = STUDIES.iter().filter(|study| text_of(study, "pack", sources) == pack);
    of_pack.map(|study| study.name.to_owned()).collect()
}

fn open_found(path: &Path, sources: &mut Sources) -> Result<(FileId, Option<PathBuf>), Diagnostics> {
    let folder = path.parent().unwrap_or(Path::new("."));
    Ok((read_own(path, folder, sources)?, Some(folder.to_path_buf())))
}

/// Whether a TOML file belongs to the pack in its folder: every file that is not a study does.
#[must_use]
pub fn is_of_pack(path: &Path) -> bool {
    let folder = path.parent().unwrap_or(Path::new(""));
    let names_study = || {
        let mut sources = Sources::new();
        let document = read_file(path, &mut sources).and_then(|file| Document::parse(file, &sources));
        document.is_ok_and(|document| document.root.get("study").is_some())
    };
    path.file_name().is_some_and(|name| name == "pack.toml") || (folder.join("pack.toml").is_file() && !names_study())
}

/// The studies in the current folder: TOML files that are not part of a pack, and folders that contain a `study.toml`.
fn studies_here() -> Vec<String> {
    let is_file = |path: &Path| path.extension().is_some_and(|end| end == "toml") && !is_of_pack(path);
    let is_study = |path: &Path| path.join("study.toml").is_file() || is_file(path);
    let paths = std::fs::read_dir(".").into_iter().flatten().flatten().map(|entry| entry.path());
    let names = paths.filter(|path| is_study(path)).filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()));
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// Whether a name means a file or a folder, rather than something built in.
#[must_use]
pub fn is_path(name: &Path) -> bool {
    name.exists() || name.components().count() != 1 || name.extension().is_some_and(|extension| extension == "toml")
}

/// A text at the top of a built-in study, such as its title; empty if the study has none.
#[must_use]
pub fn text_of(study: &BuiltIn, key: &str, sources: &mut Sources) -> String {
    let file = sources.add(format!("studies/{}.toml", study.name), study.text);
    let document = Document::parse(file, sources).ok();
    let text = document.as_ref().and_then(|document| document.root.get(key)).and_then(Node::as_text);
    text.unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pack_in_place_of_a_study_is_called_one() {
        let fault = |name: &str| {
            let mut sources = Sources::new();
            find(Path::new(name), &mut sources).err().unwrap_or_default().render(&sources, false)
        };
        let told = fault("sf-skirmish");
        assert!(told.contains("sf-skirmish is a pack, not a study"), "{told}");
        assert!(told.contains("name one of its studies: `sf-duel`, `sf-ground`"), "{told}");
        assert_eq!(fault("refduel"), "", "a pack and a study share the name");
    }

    #[test]
    fn studies_are_called_what_their_files_are() {
        for study in STUDIES {
            assert_eq!(text_of(study, "study", &mut Sources::new()), study.name);
            assert_ne!(text_of(study, "title", &mut Sources::new()), "", "{}", study.name);
        }
    }
}
