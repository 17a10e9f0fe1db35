//! The packs that the binary carries.

/// A pack built into the binary.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn {
    /// Its name.
    pub name: &'static str,
    /// Its files: `pack.toml` first, then the other TOML files in order of their names, then the rest.
    pub files: &'static [(&'static str, &'static str)],
    /// What else its folder holds, such as its README.
    pub extras: &'static [(&'static str, &'static str)],
}

macro_rules! pack {
    ($name:literal, [$($file:literal),* $(,)?], [$($extra:literal),* $(,)?]) => {
        BuiltIn {
            name: $name,
            files: &[$(($file, include_str!(concat!("../../../../packs/", $name, "/", $file)))),*],
            extras: &[$(($extra, include_str!(concat!("../../../../packs/", $name, "/", $extra)))),*],
        }
    };
}

/// Every built-in pack, by name. A test holds this list against the folder `packs/`.
pub const PACKS: &[BuiltIn] = &[
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
    pack!("bluecher-shock", ["pack.toml"], ["README.md"]),
    pack!("command-roll", ["pack.toml"], ["README.md"]),
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
    pack!("refduel", ["pack.toml"], ["README.md"]),
    pack!("risk", ["pack.toml"], ["README.md"]),
    pack!("symbol-die", ["pack.toml"], ["README.md"]),
];

#[cfg(test)]
mod tests {
    use super::PACKS;

    #[test]
    fn the_binary_carries_every_file_of_every_pack() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packs");
        let names = |path: &std::path::Path| {
            let mut names: Vec<String> = std::fs::read_dir(path)
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
                .map(|entry| entry.expect("a folder entry").file_name().to_string_lossy().into_owned())
                .collect();
            names.sort();
            names
        };
        assert_eq!(names(&folder), PACKS.iter().map(|pack| pack.name).collect::<Vec<_>>());
        for pack in PACKS {
            let mut carried: Vec<&str> = pack.files.iter().chain(pack.extras).map(|(name, _)| *name).collect();
            assert_eq!(carried.first(), Some(&"pack.toml"), "{}", pack.name);
            assert!(carried[1..pack.files.len()].is_sorted(), "{}", pack.name);
            carried.sort_unstable();
            assert_eq!(names(&folder.join(pack.name)), carried, "{}", pack.name);
        }
    }
}
