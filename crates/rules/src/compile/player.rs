//! Players: better or worse alternatives to a doctrine.

use std::collections::{BTreeMap, BTreeSet};

use super::checker::{Checker, at};
use super::outline::DoctrineOutlines;
use crate::model::{BEST_PLAYER, DEFAULT_PLAYER, DoctrineId, RANDOM_PLAYER};
use crate::wire::DoctrineWire;

/// The doctrines that serve as a doctrine's players.
pub(super) fn players(
    checker: &mut Checker<'_>,
    all: &DoctrineOutlines,
    id: &str,
    players: &BTreeMap<String, String>,
) -> Vec<(String, DoctrineId)> {
    let mut found = Vec::new();
    for (player, doctrine) in players.iter().filter(|(player, _)| *player != BEST_PLAYER) {
        let at = at!["doctrine", id, "players", player];
        if [DEFAULT_PLAYER, RANDOM_PLAYER].contains(&player.as_str()) {
            let help = "`default` follows the doctrine itself, and `random` gives any order; remove this line";
            checker.fault(&at, format!("every doctrine already has the player `{player}`"), Some(help));
        }
        if let Some(place) = checker.find(&at, "doctrine", doctrine, all.keys().map(String::as_str)) {
            found.push((player.clone(), place));
        }
    }
    found
}

/// The doctrine from whose orders the perfect player of a doctrine chooses; `None` if it is the doctrine itself.
pub(super) fn best(
    checker: &mut Checker<'_>,
    all: &DoctrineOutlines,
    id: &str,
    doctrine: &DoctrineWire,
) -> Option<DoctrineId> {
    let name = doctrine.players.get(BEST_PLAYER)?;
    let at = at!["doctrine", id, "players", BEST_PLAYER];
    let place = checker.find(&at, "doctrine", name, all.keys().map(String::as_str))?;
    let next = |name: &str| all.get(name)?.best.as_deref();
    if name == id {
        let help = "its perfect player chooses from its own orders anyway; remove this line";
        checker.fault(&at, format!("`{id}` names itself"), Some(help));
    } else if next(name).is_some() && leads_in_a_circle(all, id) {
        // A cycle is one mistake, no matter how many doctrines it contains.
        let others = std::iter::successors(Some(name.as_str()), |name| next(name)).take_while(|other| *other != id);
        if others.into_iter().all(|other| id < other) {
            let message = format!("`best` leads from `{id}` back to `{id}`, so it is unclear which orders are meant");
            checker.fault(&at, message, Some("name a doctrine that has no player `best` itself"));
        }
    } else if next(name).is_some_and(|next| next != name) {
        let message = format!("the perfect player of `{name}` uses the orders of another doctrine too");
        checker.fault(&at, message, Some("name that doctrine, or remove `best` from this one"));
    } else {
        let phases = |name: &str| all.get(name).map(|doctrine| &doctrine.phases);
        let apart = |(own, theirs): (&BTreeSet<String>, &BTreeSet<String>)| !own.is_empty() && own.is_disjoint(theirs);
        if phases(id).zip(phases(name)).is_some_and(apart) {
            let message = format!("`{name}` has no row for any phase in which `{id}` gives orders");
            checker.fault(&at, message, Some("name a doctrine for the same units"));
        }
    }
    Some(place)
}

/// Whether following `best` from one doctrine to the next leads back to this one.
fn leads_in_a_circle(all: &DoctrineOutlines, id: &str) -> bool {
    let next = |name: &&str| all.get(*name)?.best.as_deref();
    let names = std::iter::successors(Some(id), next).skip(1).take(all.len());
    names.into_iter().any(|name| name == id)
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

    #[test]
    fn a_perfect_player_has_the_orders_of_a_doctrine_that_can_be_meant() {
        let fire = "row = [{ id = 'fire', phase = 'fire', do = 'fire' }]\n";
        let fault = |[bold, shy, sly]: [&str; 3]| {
            let mut sources = Sources::new();
            let mut text = String::new();
            for (name, players) in [("bold", bold), ("shy", shy), ("sly", sly)] {
                text += &format!("[doctrine.{name}]\ntitle = '{name}'\n{fire}players = {players}\n");
            }
            text += "[doctrine.rests]\ntitle = 'rests'\nrow = [{ id = 'rest', phase = 'move', do = 'hold' }]\n";
            let pack = under("napoleonic-figures", &text, &mut sources);
            match crate::compile(&pack, &sources) {
                Ok(rules) => {
                    let bold = &rules.doctrines[rules.doctrine("bold").expect("it is there")];
                    bold.best.map_or_else(String::new, |best| rules.doctrines[best].id.clone())
                }
                Err(faults) => {
                    assert_eq!(faults.len(), 1, "{}", faults.render(&sources, false));
                    faults.render(&sources, false)
                }
            }
        };
        let none = "{}";
        assert_eq!(fault([none; 3]), "");
        assert_eq!(fault(["{ best = 'shy' }", none, none]), "shy");
        for (players, message, place) in [
            (["{ best = 'shi' }", none, none], "did you mean `shy`?", "pack.toml:4:20"),
            (["{ best = 'bold' }", none, none], "`bold` names itself", "pack.toml:4:20"),
            (
                ["{ best = 'rests' }", none, none],
                "`rests` has no row for any phase in which `bold` gives orders",
                "pack.toml:4:20",
            ),
            (["{ best = 'shy' }", "{ best = 'bold' }", none], "leads from `bold` back to `bold`", "pack.toml:4:20"),
            (["{ best = 'shy' }", "{ best = 'sly' }", "{ best = 'bold' }"], "back to `bold`", "pack.toml:4:20"),
            (
                ["{ best = 'shy' }", "{ best = 'sly' }", none],
                "the perfect player of `shy` uses the orders",
                "pack.toml:4:20",
            ),
            (["{ best = 'shy' }", "{ best = 'shy' }", none], "`shy` names itself", "pack.toml:8:20"),
        ] {
            let said = fault(players);
            assert!(said.contains(message) && said.contains(place), "{said}");
        }
        let mut sources = Sources::new();
        let text = format!("repertoire = 'pack'\n[doctrine.bold]\ntitle = 'b'\n{fire}players = {{ best = 'stand' }}\n");
        let rules = crate::compile(&under("napoleonic-figures", &text, &mut sources), &sources).expect("a pack");
        let bold = rules.doctrine("bold").expect("it is there");
        assert_eq!(rules.doctrines[bold].best, None, "a wider repertoire has all of these orders");
    }
}
