//! Battles under the rules of an untrusted pack.

use std::sync::LazyLock;

use grognard_lab::results::{Manifest, Method};
use grognard_lab::study::{Changes, Study};
use grognard_source::Sources;

use super::pack::told;
use super::study::fought;

/// A unit type of a built-in pack for each side.
const DUELS: [[&str; 3]; 4] = [
    ["risk", "army", "army"],
    ["refduel", "one-up", "plain"],
    ["bluecher-shock", "cavalry", "infantry"],
    ["symbol-die", "swordsmen", "archers"],
];

/// Manifests of duels with built-in packs, whose rules are then replaced by others.
static MANIFESTS: LazyLock<Vec<Manifest>> = LazyLock::new(|| {
    DUELS
        .iter()
        .map(|[pack, attacker, defender]| {
            let text = format!(
                "study = 'duel'\npack = '{pack}'\nturns = 30\n[side.attacker]\nunits = [{{ type = '{attacker}' }}]\n\
                 [side.defender]\nunits = [{{ type = '{defender}' }}]\n"
            );
            let mut sources = Sources::new();
            let file = sources.add("study.toml", text);
            let study = Study::read(file, None, &Changes::default(), &mut sources)
                .unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)));
            study.manifest(Method::Sampled)
        })
        .collect()
});

/// Fights a few battles of every duel under the rules of a pack, if they fit. Returns whether any did.
pub(crate) fn exercise(pack: &str) -> bool {
    let mut any = false;
    for manifest in MANIFESTS.iter() {
        let mut manifest = manifest.clone();
        pack.clone_into(&mut manifest.pack.text);
        let mut sources = Sources::new();
        match Study::of_manifest(&manifest, &mut sources) {
            Ok(study) => {
                fought(&study);
                any = true;
            }
            Err(faults) => told(&faults, &sources),
        }
    }
    any
}
