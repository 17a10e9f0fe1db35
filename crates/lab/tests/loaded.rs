//! Studies of this repository, with changes for tests.

use std::path::Path;

use grognard_lab::study::{Changes, Study};
use grognard_source::{Override, Sources};

/// The doctrines of beginners, whose cavalry charges squares as well, for studies of duels that trained doctrines play.
pub(crate) const BEGINNERS: [&str; 2] = ["attacker.doctrine=charge-home", "defender.doctrine=stand"];

/// A study by its name, with these paths set.
pub(crate) fn study<'s>(name: &str, set: impl IntoIterator<Item = &'s str>, changes: Changes) -> Study {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../studies/{name}.toml"));
    let mut sources = Sources::new();
    let set = set.into_iter().map(|text| {
        let file = sources.add("--set", text);
        Override::parse(file, &sources).unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)))
    });
    let changes = Changes { set: set.collect(), ..changes };
    Study::load(&path, &changes, &mut sources).unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)))
}
