//! The list of mutants that survive, each with the group of its reason: `survivors.tsv`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::listed::Mutant;
use crate::tried::Fate;

/// The group of survivors that have not been examined or still need a test.
const OPEN: &str = "open";

/// Maps each surviving mutant (file and change) to the group of its reason.
pub(crate) struct Survivors {
    head: String,
    groups: BTreeMap<String, String>,
}

impl Survivors {
    /// Reads the list.
    ///
    /// # Errors
    /// It cannot be read, or a line is malformed. A line is a comment, or a group and a change separated by a tab.
    pub(crate) fn read(root: &Path) -> Result<Self, String> {
        let path = path(root);
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let (head, lines): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.starts_with('#'));
        let line = |line: &str| {
            let (group, change) = line.split_once('\t').ok_or_else(|| format!("{}: {line}", path.display()))?;
            Ok((change.to_owned(), group.to_owned()))
        };
        let groups = lines.into_iter().map(line).collect::<Result<_, String>>()?;
        Ok(Self { head: head.iter().map(|line| format!("{line}\n")).collect(), groups })
    }

    /// The survivors among these that are not in the list, and the listed mutants that are caught.
    pub(crate) fn faults(&self, keys: &BTreeMap<u32, String>, tried: &[(&Mutant, Fate)]) -> Vec<String> {
        let fault = |(mutant, fate): &(&Mutant, Fate)| {
            let listed = self.groups.contains_key(&keys[&mutant.number]);
            match (fate, listed) {
                (Fate::Survived, false) => Some(format!("survived: {}", mutant.name)),
                (Fate::Survived, true) | (_, false) => None,
                (_, true) => Some(format!("listed, but no longer survives: {}", mutant.name)),
            }
        };
        tried.iter().filter_map(fault).collect()
    }

    /// Rewrites the lines of the mutants that were tried: a survivor keeps its group. Lines of mutants that no longer
    /// exist are removed.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn write(
        &mut self,
        root: &Path,
        keys: &BTreeMap<u32, String>,
        tried: &[(&Mutant, Fate)],
    ) -> Result<(), String> {
        for (mutant, fate) in tried {
            let key = &keys[&mutant.number];
            if *fate == Fate::Survived {
                self.groups.entry(key.clone()).or_insert_with(|| OPEN.to_owned());
            } else {
                self.groups.remove(key);
            }
        }
        let lines = keys.values().filter_map(|key| Some(format!("{}\t{key}\n", self.groups.get(key)?)));
        let path = path(root);
        fs::write(&path, self.head.clone() + &lines.collect::<String>())
            .map_err(|error| format!("{}: {error}", path.display()))
    }
}

fn path(root: &Path) -> std::path::PathBuf {
    root.join("recipes/mutants/survivors.tsv")
}

/// The name of a mutant in the list: its file and its change, with a number if several have the same. A line's number
/// would change with every edit above it.
pub(crate) fn keys(mutants: &[Mutant]) -> BTreeMap<u32, String> {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    let key = |mutant: &Mutant| {
        let change = mutant.name.split_once(": ").map_or(mutant.name.as_str(), |(_, change)| change);
        let key = format!("{}\t{change}", mutant.file);
        let times = seen.entry(key.clone()).or_default();
        *times += 1;
        (mutant.number, if *times == 1 { key } else { format!("{key} #{times}") })
    };
    mutants.iter().map(key).collect()
}
