//! Modifiers that several rolls share: written once, and changed at a single path.

use std::borrow::Cow;

use crate::compile::checker::{Checker, at};
use crate::wire::{Pack, RollWire};

/// A roll with its shared modifiers before its own.
pub(super) fn with_shared<'w>(
    checker: &mut Checker<'_>,
    wire: &Pack<'_>,
    id: &str,
    roll: &'w RollWire,
) -> Cow<'w, RollWire> {
    let mut whole = Cow::Borrowed(roll);
    let Some(name) = &roll.shares else { return whole };
    let path = at!["roll", id, "shares"];
    match wire.roll.get(name) {
        None => {
            checker.roll(&path, name);
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
            whole.to_mut().modifier = base.modifier.iter().chain(&roll.modifier).cloned().collect();
        }
    }
    whole
}
