//! The packs and studies built into the `grognard` command: the text of the files in `packs/` and `studies/`.
//!
//! ```
//! let risk = grognard_built_in::PACKS.iter().find(|pack| pack.name == "risk").expect("a built-in pack");
//! assert_eq!(risk.files[0].0, "pack.toml");
//! ```
//!
//! The root of this crate is the top of the repository, so the files that it embeds are inside it and are published with it.

/// A pack built into the binary.
#[derive(Clone, Copy, Debug)]
pub struct Pack {
    /// The name of the pack and of its folder.
    pub name: &'static str,
    /// Names and texts of its TOML files: `pack.toml` first, then the others sorted by name.
    pub files: &'static [(&'static str, &'static str)],
    /// Names and texts of the other files in its folder, such as its README.
    pub extras: &'static [(&'static str, &'static str)],
}

/// A study built into the binary.
#[derive(Clone, Copy, Debug)]
pub struct Study {
    /// The name of the study and of its file, without `.toml`.
    pub name: &'static str,
    /// The text of its file.
    pub text: &'static str,
}

macro_rules! pack {
    ($name:literal, [$($file:literal),* $(,)?], [$($extra:literal),* $(,)?]) => {
        Pack {
            name: $name,
            files: &[$(($file, include_str!(concat!($name, "/", $file)))),*],
            extras: &[$(($extra, include_str!(concat!($name, "/", $extra)))),*],
        }
    };
}

macro_rules! studies {
    ($($name:literal),* $(,)?) => {
        &[$(Study { name: $name, text: include_str!(concat!("../studies/", $name, ".toml")) }),*]
    };
}

/// Every built-in pack, by name. A test compares this list with the folder `packs/`.
pub const PACKS: &[Pack] = &[
    pack!(
        "ancients-hex",
        [
            "pack.toml",
            "clauses.toml",
            "close.toml",
            "combat.toml",
            "deck.toml",
            "doctrine.toml",
            "fire.toml",
            "metrics.toml",
            "moves.toml",
            "units.toml"
        ],
        ["README.md"]
    ),
    pack!("bag-of-orders", ["pack.toml"], ["README.md"]),
    pack!("bluecher-shock", ["pack.toml"], ["README.md"]),
    pack!("command-roll", ["pack.toml"], ["README.md"]),
    pack!("fleet-action", ["pack.toml"], ["README.md"]),
    pack!(
        "napoleonic-figures",
        [
            "pack.toml",
            "clauses.toml",
            "commands.toml",
            "doctrine.toml",
            "drill.toml",
            "fire.toml",
            "formations.toml",
            "ground.toml",
            "morale.toml",
            "shock.toml",
            "skirmish.toml",
            "units.toml"
        ],
        ["README.md"]
    ),
    pack!(
        "napoleonic-pips",
        [
            "pack.toml",
            "acts.toml",
            "charge.toml",
            "clauses.toml",
            "doctrine.toml",
            "fire.toml",
            "formations.toml",
            "generals.toml",
            "ground.toml",
            "morale.toml",
            "units.toml"
        ],
        ["README.md"]
    ),
    pack!("patrol", ["pack.toml"], ["README.md"]),
    pack!("ranked-fantasy", ["pack.toml", "clauses.toml", "combat.toml", "units.toml"], ["README.md"]),
    pack!("refduel", ["pack.toml"], ["README.md"]),
    pack!("risk", ["pack.toml"], ["README.md"]),
    pack!("sf-skirmish", ["pack.toml"], ["README.md"]),
    pack!("symbol-die", ["pack.toml"], ["README.md"]),
];

/// Every built-in study, by name. A test compares this list with the folder `studies/`.
pub const STUDIES: &[Study] = studies![
    "bag-chip",
    "bag-pins",
    "bag-split",
    "bluecher-shock",
    "charge-distance",
    "charge-shares",
    "column-vs-line",
    "combined-square",
    "command-roll",
    "figures-armies",
    "figures-everything",
    "fire-at-formations",
    "fleet-battery",
    "fleet-casualties",
    "fleet-duel",
    "fleet-three",
    "forming-square-late",
    "hex-armies",
    "hex-dice",
    "hex-everything",
    "hex-flank",
    "hex-line",
    "hex-reaction",
    "hex-variant",
    "patrol-duel",
    "patrol-radio",
    "patrol-reserves",
    "patrol-through",
    "pip-flank",
    "pip-square",
    "pip-square-price",
    "pips-armies",
    "pips-everything",
    "ranked-fireball",
    "ranked-ranks",
    "ranked-stones",
    "ranked-trolls",
    "ranked-wizard",
    "refduel",
    "risk-dice",
    "risk-roll",
    "sf-duel",
    "sf-ground",
    "skirmish-density",
    "square-trap",
    "square-vs-line",
    "symbol-die",
    "three-rulebooks",
    "who-plays",
];

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{PACKS, STUDIES};

    /// The names of the entries of a folder of the repository, sorted.
    fn names(folder: &str, keep: impl Fn(&Path) -> bool) -> Vec<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let paths = entries.map(|entry| entry.expect("a folder entry").path()).filter(|path| keep(path));
        let mut names: Vec<String> =
            paths.map(|path| path.file_name().expect("a name").to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn the_binary_carries_every_file_of_every_pack() {
        assert_eq!(names("packs", Path::is_dir), PACKS.iter().map(|pack| pack.name).collect::<Vec<_>>());
        for pack in PACKS {
            let mut carried: Vec<&str> = pack.files.iter().chain(pack.extras).map(|(name, _)| *name).collect();
            assert_eq!(carried.first(), Some(&"pack.toml"), "{}", pack.name);
            assert!(carried[1..pack.files.len()].is_sorted(), "{}", pack.name);
            carried.sort_unstable();
            assert_eq!(names(&format!("packs/{}", pack.name), |_| true), carried, "{}", pack.name);
        }
    }

    #[test]
    fn the_binary_carries_every_study() {
        let mut carried: Vec<String> = STUDIES.iter().map(|study| format!("{}.toml", study.name)).collect();
        carried.sort();
        assert_eq!(names("studies", |_| true), carried);
        assert!(STUDIES.is_sorted_by_key(|study| study.name));
    }
}
