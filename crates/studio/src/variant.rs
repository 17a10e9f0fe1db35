//! Changes saved as a folder that `grognard run` accepts.

use std::io;
use std::path::{Component, Path, PathBuf};

use grognard_lab::library as studies;
use grognard_lab::shell::quoted;
use grognard_lab::study::Whereabouts;
use grognard_rules::library as packs;
use serde::Serialize;

use crate::ask::Fault;
use crate::desk::Desk;
use crate::written::new_folder;
use crate::{Ask, Studio};

/// Number of battles in each cell in which a saved study is compared with the changes it was made from.
const HELD: u64 = 8;

/// Maximum length of a variant's name.
const NAME_MAX: usize = 60;

/// A saved variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Saved {
    /// The folder.
    pub folder: String,
    /// Its files.
    pub files: Vec<String>,
    /// The command that fights it.
    pub command: String,
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        let message = format!("nothing was saved: {error}");
        match error.kind() {
            io::ErrorKind::AlreadyExists => {
                Self::with_help(message, "the studio never overwrites a folder: choose another name")
            }
            _ => Self::new(message),
        }
    }
}

/// Gives the paths of packs relative to a new folder.
struct Seen<'d> {
    desk: &'d Desk,
    folder: PathBuf,
}

impl Whereabouts for Seen<'_> {
    fn of(&self, pack: &str, within: bool) -> String {
        let Some(target) = self.desk.folder_of(pack) else { return pack.to_owned() };
        let target = target.canonicalize().unwrap_or(target);
        let from = if within { self.folder.join("rules") } else { self.folder.clone() };
        relative(&from, &target)
    }
}

/// The relative path from one folder to another, neither containing links or `..`; the full path if there is none.
fn relative(from: &Path, to: &Path) -> String {
    let [from, to]: [Vec<Component<'_>>; 2] = [from, to].map(|path| path.components().collect());
    let common = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    let text = |part: &Component<'_>| part.as_os_str().to_string_lossy().into_owned();
    if common == 0 {
        return to.iter().collect::<PathBuf>().to_string_lossy().into_owned();
    }
    let up = from[common..].iter().map(|_| "..".to_owned());
    up.chain(to[common..].iter().map(text)).collect::<Vec<_>>().join("/")
}

impl Studio<'_> {
    /// Saves the changes as a new folder next to the study, or in the command's working directory. It contains a study
    /// that fights the same battles, and a variant of every changed pack. The new study is loaded and compared with the
    /// changes before the folder appears.
    ///
    /// # Errors
    /// Nothing is changed, the name is invalid or taken, the changes cannot be expressed in files, or the folder cannot
    /// be written.
    pub fn save_variant(&self, desk: &Desk, ask: &Ask, name: &str) -> Result<Saved, Fault> {
        check_name(name)?;
        let altered = self.altered(ask)?;
        if altered.changes.is_empty() && altered.off.is_empty() {
            return Err(Fault::with_help(
                "nothing has changed",
                "change a number or switch off a rule before you save",
            ));
        }
        let home = desk.home().canonicalize()?;
        let files = self.trial.saved(&altered, name, &Seen { desk, folder: home.join(name) })?;
        new_folder(&home.join(name), &files, |folder| {
            let study = desk.load(folder)?;
            if self.trial.is_fought_alike(&altered, &study, HELD)? {
                return Ok(());
            }
            let message = "nothing was saved: the variant does not reproduce the battles of this page";
            Err(Fault::with_help(message, "if the files changed on disk, open the studio again"))
        })?;
        let folder = if desk.home() == Path::new(".") { PathBuf::from(name) } else { desk.home().join(name) };
        let folder = folder.to_string_lossy().into_owned();
        let command = format!("grognard run {}", quoted(&folder));
        Ok(Saved { folder, files: files.into_iter().map(|(name, _)| name).collect(), command })
    }
}

/// Checks whether a folder, a pack and a study can have this name.
fn check_name(name: &str) -> Result<(), Fault> {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let begins = name.starts_with(|letter: char| letter.is_ascii_lowercase());
    if name.len() > NAME_MAX || !begins || !name.bytes().all(plain) {
        let help =
            format!("use at most {NAME_MAX} lower-case letters, digits and dashes, beginning with a letter: `bonus-6`");
        return Err(Fault::with_help(format!("`{name}` is not a valid name for a variant"), help));
    }
    if studies::built_in(name).is_some() || packs::built_in(name).is_some() {
        return Err(Fault::with_help(format!("`{name}` is built in"), "choose another name for your own"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_found_from_each_other() {
        let way = |from: &str, to: &str| relative(Path::new(from), Path::new(to));
        assert_eq!(way("/a/b/mine", "/a/b"), "..");
        assert_eq!(way("/a/b/mine", "/a/rules"), "../../rules");
        assert_eq!(way("/a/b/mine/rules", "/a/b/rules"), "../../rules");
    }

    #[test]
    fn names_of_variants_are_plain() {
        for good in ["bonus-6", "a"] {
            assert!(check_name(good).is_ok(), "{good}");
        }
        for bad in
            ["", "..", "a/b", "../a", "A", "6", "-a", "a b", "risk", "square-vs-line", &"a".repeat(61), "ä", "a\0"]
        {
            assert!(check_name(bad).is_err(), "{bad}");
        }
    }
}
