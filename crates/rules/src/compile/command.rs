//! Commands.

use super::checker::{Checker, at, is_name};
use crate::model::{CommandRules, Mode};
use crate::wire::PackWire;

pub(super) fn command(checker: &mut Checker<'_>, wire: &PackWire) -> Option<CommandRules> {
    let command = wire.command.as_ref()?;
    let at = at!["command"];
    for (index, order) in command.orders.iter().enumerate() {
        if !is_name(order) {
            let path = at.join("orders").join(index.to_string());
            checker.fault(&path, format!("`{order}` is not a name"), Some("lower-case letters, digits and dashes"));
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
        let narrow_source = checker.key_source(&at, "narrow-when", mode.cites.narrow_when.as_ref(), &source);
        let settles_source = checker.key_source(&at, "settles-into", mode.cites.settles_into.as_ref(), &source);
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
            settles_source,
        });
    }
    let source = checker.source(&at, &command.cite, command.note.as_ref());
    Some(CommandRules { orders: command.orders.clone(), modes, source })
}
