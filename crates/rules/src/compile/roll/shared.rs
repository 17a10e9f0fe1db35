//! Modifiers that several rolls share: written once, with one path to change them by.

use crate::compile::checker::{Checker, at};
use crate::wire::{Pack, RollWire};

/// A roll with its shared modifiers before its own.
pub(super) fn with_shared(checker: &mut Checker<'_>, wire: &Pack<'_>, id: &str, roll: &RollWire) -> RollWire {
    let mut whole = roll.clone();
    let Some(name) = &roll.shares else { return whole };
    let path = at!["roll", id, "shares"];
    match wire.roll.get(name) {
        None => {
            checker.find::<u8>(&path, "roll", name, wire.roll.keys().map(String::as_str));
        }
        Some(base) if base.shares.is_some() => {
            let help = "share with the roll that defines the modifiers";
            checker.fault(&path, format!("roll `{name}` itself shares the modifiers of another"), Some(help));
        }
        Some(base) => {
            for twice in roll.modifier.iter().filter(|row| base.modifier.iter().any(|shared| shared.id == row.id)) {
                let at = at!["roll", id, "modifier", twice.id];
                checker.fault(&at, format!("modifier `{}` is already shared from `{name}`", twice.id), None);
            }
            whole.modifier = base.modifier.iter().chain(&roll.modifier).cloned().collect();
        }
    }
    whole
}
