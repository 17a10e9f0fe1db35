//! Series: whether two folders have battles of the same series and, if not, the differences.

use std::collections::BTreeMap;
use std::fmt;

use grognard_source::{Document, Sources};

use super::{Manifest, Method, PackHeader, PromiseKind};

/// The number of differences that are listed; the others are counted.
const LISTED: usize = 4;

/// Parts of a study that do not affect battles, or are compared separately.
const TOLD_APART: [&str; 8] = ["study", "title", "runs", "seed", "pack", "report", "label", "expect"];

/// A difference between two results in something that affects battles or their comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The setting that differs: `seed`, or a path such as `` `roll.fire.own.need` of the pack ``.
    pub what: String,
    /// The folder's value, if it has one.
    pub there: Option<String>,
    /// The value requested, or that of the other folder, if there is one.
    pub here: Option<String>,
}

/// All differences between two series of battles, in order of importance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Differences(pub Vec<Difference>);

impl Differences {
    /// The reasons why the battles of `there` cannot be added to those of `here`; `None` if they belong to one series.
    /// The first index and the number of battles are checked elsewhere.
    #[must_use]
    pub fn between(there: &Manifest, here: &Manifest) -> Option<Self> {
        let mut found = Self::default();
        found.note("the version of Grognard", &there.tool, &here.tool);
        let method = |manifest: &Manifest| if manifest.method == Method::Exact { "exact odds" } else { "sampling" };
        found.note("the method", method(there), method(here));
        found.note("the seed", there.seed, here.seed);
        let packs: Vec<[&PackHeader; 2]> = there.packs().zip(here.packs()).map(|(there, here)| [there, here]).collect();
        found.note("the number of parts", there.packs().count(), here.packs().count());
        // The name of a pack in messages. If there are several packs, it includes the part number.
        let of = |place: usize| if packs.len() == 1 { "pack".to_owned() } else { format!("pack of part {place}") };
        for (place, [there, here]) in packs.iter().enumerate() {
            found.note(&format!("the {}", of(place)), &there.name, &here.name);
            found.note(&format!("the version of the {}", of(place)), &there.version, &here.version);
        }
        found.note("the size of blocks", there.progress.block, here.progress.block);
        if there.identity != here.identity {
            for (place, [there, here]) in packs.iter().enumerate() {
                found.note_texts(&of(place), &there.text, &here.text);
            }
            found.note_texts("study", &there.study.text, &here.study.text);
        }
        // The pairing of cells does not affect the battles, but it affects the counts.
        found.note("the number of cells", there.cells.len(), here.cells.len());
        if there.method == here.method {
            let counted = |manifest: &Manifest| match manifest.counted_keys().as_slice() {
                [] => "none".to_owned(),
                keys => keys.join(", "),
            };
            found.note("the list of metrics with a histogram", counted(there), counted(here));
        }
        for (old, new) in there.cells.iter().zip(&here.cells) {
            let name =
                |baseline: Option<u32>| baseline.map_or_else(|| "none".to_owned(), |cell| format!("cell {cell}"));
            found.note(&format!("the baseline of cell {}", new.cell), name(old.baseline), name(new.baseline));
        }
        (there.identity != here.identity || !found.0.is_empty()).then_some(found)
    }

    /// The reasons why `there` and `here` cannot be parts of one run, which states one level and one guarantee; `None`
    /// if they can. A run that is resumed may state others than before.
    pub(super) fn of_shards(there: &Manifest, here: &Manifest) -> Option<Self> {
        let mut found = Self::between(there, here).unwrap_or_default();
        found.note("the level", there.level, here.level);
        let kind = |manifest: &Manifest| match manifest.promise.kind {
            PromiseKind::Exact => "exact",
            PromiseKind::Wilson => "Wilson",
            PromiseKind::Watched => "watched",
        };
        found.note("the kind of intervals", kind(there), kind(here));
        let together = |manifest: &Manifest| if manifest.promise.together { "yes" } else { "no" };
        found.note("whether the intervals hold together", together(there), together(here));
        (there.identity != here.identity || !found.0.is_empty()).then_some(found)
    }

    fn note(&mut self, what: &str, there: impl fmt::Display, here: impl fmt::Display) {
        let (there, here) = (there.to_string(), here.to_string());
        if there != here {
            self.0.push(Difference { what: what.to_owned(), there: Some(there), here: Some(here) });
        }
    }

    /// Records every value that differs between two TOML texts.
    fn note_texts(&mut self, name: &str, there: &str, here: &str) {
        let (mut there, here) = (values(there), values(here));
        for (path, value) in here {
            let old = there.remove(&path);
            if old.as_ref() != Some(&value) {
                self.0.push(Difference { what: format!("`{path}` of the {name}"), there: old, here: Some(value) });
            }
        }
        for (path, value) in there {
            self.0.push(Difference { what: format!("`{path}` of the {name}"), there: Some(value), here: None });
        }
    }
}

/// The values of a TOML text by path; empty if it is not TOML.
fn values(text: &str) -> BTreeMap<String, String> {
    let mut sources = Sources::new();
    let file = sources.add("manifest.json", text);
    let Ok(document) = Document::parse(file, &sources) else { return BTreeMap::new() };
    let leaves = document.leaves().into_iter();
    leaves
        .filter(|(path, _)| !path.segments().first().is_some_and(|first| TOLD_APART.contains(&first.as_str())))
        .map(|(path, node)| (path.to_string(), node.value.to_string()))
        .collect()
}

impl fmt::Display for Differences {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return out.write_str("its identity differs");
        }
        for (index, Difference { what, there, here }) in self.0.iter().take(LISTED).enumerate() {
            let word = |value: &Option<String>| value.clone().unwrap_or_else(|| "not set".to_owned());
            let comma = if index == 0 { "" } else { "; " };
            write!(out, "{comma}{what} is {} there and {} here", word(there), word(here))?;
        }
        match self.0.len().saturating_sub(LISTED) {
            0 => Ok(()),
            more => write!(out, "; and {more} more"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::Keep;
    use crate::testing::manifest;

    fn with(change: impl Fn(&mut Manifest)) -> Manifest {
        let mut other = manifest(&[Some(0), Some(0)], 10, Keep::None);
        change(&mut other);
        other
    }

    fn said(there: &Manifest, here: &Manifest) -> String {
        Differences::between(there, here).map_or_else(String::new, |differences| differences.to_string())
    }

    #[test]
    fn what_differs_is_said_with_its_path_and_both_values() {
        let here = with(|manifest| {
            manifest.identity = "b".to_owned();
            manifest.pack.text = "title = 'x'\n[[roll]]\nid = 'fire'\nneed = 8\n".to_owned();
            manifest.study.text = "title = 'x'\nturns = 8\nstart = 'far'\n".to_owned();
        });
        let there = with(|manifest| {
            manifest.pack.text = "title = 'y'\n[[roll]]\nid = 'fire'\nneed = 7\n".to_owned();
            manifest.study.text = "title = 'y'\nturns = 9\nrange = 2.5\n".to_owned();
        });
        assert_eq!(
            said(&there, &here),
            "`roll.fire.need` of the pack is 7 there and 8 here; `start` of the study is not set there and \"far\" here; \
             `turns` of the study is 9 there and 8 here; `range` of the study is 2.5 there and not set here"
        );
        assert_eq!(said(&with(|_| ()), &with(|manifest| manifest.seed = 7)), "the seed is 1815 there and 7 here");
        let older = with(|manifest| manifest.tool = "0.0.9".to_owned());
        assert_eq!(said(&older, &with(|_| ())), "the version of Grognard is 0.0.9 there and 0.0.0 here");
        assert_eq!(said(&with(|manifest| manifest.identity = "c".to_owned()), &with(|_| ())), "its identity differs");
    }

    /// The baseline does not affect battles, but it affects tallies of pairs.
    #[test]
    fn another_baseline_is_another_series() {
        let here = with(|manifest| manifest.cells[1].baseline = None);
        assert_eq!(said(&with(|_| ()), &here), "the baseline of cell 1 is cell 0 there and none here");
    }

    #[test]
    fn the_packs_of_all_parts_are_held_against_each_other() {
        let parts = |need: u8, identity: &str| {
            with(|manifest| {
                let text = format!("[[roll]]\nid = 'fire'\nneed = {need}\n");
                manifest.more_packs = vec![PackHeader { name: "second".to_owned(), text, ..PackHeader::default() }];
                manifest.identity = identity.to_owned();
            })
        };
        assert_eq!(
            said(&parts(7, "b"), &parts(8, "c")),
            "`roll.fire.need` of the pack of part 1 is 7 there and 8 here"
        );
    }

    #[test]
    fn words_and_numbers_of_battles_set_nothing_apart() {
        let here = with(|manifest| {
            manifest.runs = 99;
            manifest.study.text = "title = 'another'\n".to_owned();
            manifest.level = 0.9;
            manifest.progress.battles = 7;
        });
        assert_eq!(Differences::between(&with(|_| ()), &here), None);
        let differences = Differences::of_shards(&with(|_| ()), &here).map(|differences| differences.to_string());
        assert_eq!(differences.as_deref(), Some("the level is 0.95 there and 0.9 here"));
    }
}
