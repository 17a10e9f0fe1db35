//! Commands.

use super::checker::{Checker, at, is_name};
use crate::model::{CommandRules, Mode};
use crate::wire::{CiteWire, ModeCitesWire, Pack};

pub(super) fn command(checker: &mut Checker<'_>, wire: &Pack<'_>) -> Option<CommandRules> {
    let command = wire.command.as_ref()?;
    let at = at!["command"];
    for (index, order) in command.orders.iter().enumerate() {
        if !is_name(order) {
            let path = at.join("orders").join(index.to_string());
            checker.fault(
                &path,
                format!("`{order}` is not a valid name"),
                Some("use lower-case letters, digits and dashes"),
            );
        }
    }
    let names: Vec<&str> = command.mode.iter().map(|mode| mode.id.as_str()).collect();
    let mut modes = Vec::new();
    for mode in &command.mode {
        let at = at.join("mode").join(mode.id.as_str());
        let mut other = |key: &str, name: &Option<String>| {
            name.as_ref().and_then(|name| checker.find(&at.join(key), "mode", name, names.iter().copied()))
        };
        let off_road = other("off-road", &mode.off_road);
        let settles_into = other("settles-into", &mode.settles_into);
        let source = checker.source(&at, &mode.cite, mode.note.as_ref());
        let ModeCitesWire { narrow_when, off_road: leaves, settles_into: settles } = &mode.cites;
        let mut key = |key: &str, cite: &Option<Vec<CiteWire>>, is_set: bool| {
            checker.set_key_source(&at, key, cite.as_ref(), is_set, &source)
        };
        let narrow_source = key("narrow-when", narrow_when, mode.narrow_when.is_some());
        let off_road_source = key("off-road", leaves, mode.off_road.is_some());
        let settles_source = key("settles-into", settles, mode.settles_into.is_some());
        modes.push(Mode {
            id: mode.id.clone(),
            title: mode.title.clone(),
            rate: mode.rate.map(|rate| rate.hundredths()),
            off_road,
            narrow_when: checker.condition(&at.join("narrow-when"), mode.narrow_when.as_ref()),
            rate_when: checker.condition(&at.join("rate-when"), mode.rate_when.as_ref()),
            trails_when: checker.condition(&at.join("trails-when"), mode.trails_when.as_ref()),
            trail_lengths: mode.trail_lengths,
            unsettles: mode.unsettles,
            settles_into,
            source,
            narrow_source,
            off_road_source,
            settles_source,
        });
    }
    let source = checker.source(&at, &command.cite, command.note.as_ref());
    Some(CommandRules { orders: command.orders.clone(), modes, source })
}

#[cfg(test)]
mod tests {
    use crate::compile::changed::with;

    /// The faults of the figures pack with one value changed.
    fn said(change: &str) -> String {
        with("napoleonic-figures", &[change]).err().unwrap_or_default()
    }

    #[test]
    fn clauses_behind_a_key_that_is_not_set_are_reported() {
        for (row, key, clause) in [
            ("command.mode.strategic", "off-road", "8.63"),
            ("command.mode.battle", "settles-into", "8.62"),
            ("command.mode.battle", "narrow-when", "8.61"),
            ("formation.column", "when", "9.52"),
            ("formation.column", "turns", "7.34"),
            ("formation.column", "moves", "8.44"),
            ("morale.state.good", "undoes", "8.53"),
            ("morale.state.good", "retreat", "9.0-G"),
            ("morale.state.good", "flight", "7.44"),
        ] {
            let found = said(&format!("{row}.cites.{key}=[\"{clause}\"]"));
            assert!(
                found.contains(&format!("these clauses are never cited, because `{key}` is not set")),
                "{row}: {found}"
            );
        }
        assert_eq!(said("command.mode.road.cites.settles-into.0=\"8.62\""), "");
        assert_eq!(said("formation.unlimbered.cites.moves.0=\"8.44\""), "");
    }
}
