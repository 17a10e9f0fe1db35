//! Players: who else may follow a doctrine's orders, better or worse.

use std::collections::BTreeMap;

use super::checker::{Checker, at};
use crate::model::{DEFAULT_PLAYER, RANDOM_PLAYER};
use crate::wire::Pack;

/// The doctrines that stand in for the players of a doctrine.
pub(super) fn players(
    checker: &mut Checker<'_>,
    wire: &Pack<'_>,
    id: &str,
    players: &BTreeMap<String, String>,
) -> Vec<(String, u8)> {
    let mut found = Vec::new();
    for (player, doctrine) in players {
        let at = at!["doctrine", id, "players", player];
        if [DEFAULT_PLAYER, RANDOM_PLAYER].contains(&player.as_str()) {
            let help = "`default` follows the doctrine itself, and `random` gives any order; remove this line";
            checker.fault(&at, format!("every doctrine already has the player `{player}`"), Some(help));
        }
        if let Some(place) = checker.find(&at, "doctrine", doctrine, wire.doctrine.keys().map(String::as_str)) {
            found.push((player.clone(), place));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::compile::changed::under;
    use grognard_source::Sources;

    fn said(players: &str) -> String {
        let mut sources = Sources::new();
        let text = format!(
            "[doctrine.bold]\ntitle = 'b'\nrow = []\n[doctrine.shy]\ntitle = 's'\nrow = []\nplayers = {players}\n"
        );
        let faults = crate::compile(&under("risk", &text, &mut sources), &sources).err().unwrap_or_default();
        assert!(faults.len() <= 1, "{}", faults.render(&sources, false));
        faults.render(&sources, false)
    }

    #[test]
    fn a_player_follows_a_doctrine_that_is_there() {
        assert_eq!(said("{ beginner = 'bold', expert = 'shy' }"), "");
        let unknown = said("{ beginner = 'bald' }");
        assert!(unknown.contains("did you mean `bold`?") && unknown.contains("pack.toml:7:24"), "{unknown}");
        for name in ["random", "default"] {
            let taken = said(&format!("{{ {name} = 'bold' }}"));
            assert!(
                taken.contains(&format!("every doctrine already has the player `{name}`"))
                    && taken.contains("remove this line"),
                "{taken}"
            );
            assert!(taken.contains("pack.toml:7:"), "{taken}");
        }
    }
}
