//! Effects that can do nothing, because the pack lacks the phase or the table that they need.

use super::checker::{Checker, at};
use crate::wire::{BeyondWire, BoardName, EffectWire, MechanismName, Pack, ScoreWire};
use grognard_source::Path;

/// Reports effects that can do nothing in this pack.
pub(super) fn check(checker: &mut Checker<'_>, wire: &Pack<'_>) {
    let rolls = wire.roll.iter().flat_map(|(id, roll)| {
        roll.result.iter().flat_map(move |row| {
            [("own", &row.own), ("foe", &row.foe)]
                .map(|(whose, effect)| (at!["roll", id, "result", row.id, whose], effect))
        })
    });
    for (at, effect) in rolls.chain(without_roll(wire)) {
        for key in written(effect) {
            if let Some((why, help)) = idle(wire, key) {
                checker.fault(&at.join(key), format!("`{key}` can do nothing, because {why}"), Some(help));
            }
        }
    }
}

/// The reason why an effect can do nothing, and what to write instead. On hexes, other checks report `retreat` and
/// `flee`.
fn idle(wire: &Pack<'_>, key: &str) -> Option<(&'static str, &'static str)> {
    let lacks = |phases: &[MechanismName]| !wire.phase.iter().any(|phase| phases.contains(&phase.mechanism));
    match (key, *wire.board) {
        ("retreat" | "flee", BoardName::None) => Some((
            "units on board `none` have no positions",
            "write `morale`, `lose` or `destroy` instead, or play on board `plane`",
        )),
        ("flee", BoardName::Plane) if wire.flight.is_none() => Some((
            "the pack has no `[flight]`",
            "add `[flight]`, or write `retreat` with a distance and `morale` with a broken state instead",
        )),
        ("pursue", _) if lacks(&[MechanismName::Onset]) => Some((
            "the pack has no `onset` phase",
            "in other packs, a reaction to `broken` can cost the broken unit figures: `own = { lose = … }` or \
             `own = { destroy = true }`",
        )),
        ("open-fire", _) if lacks(&[MechanismName::Volley]) => Some((
            "the pack has no `volley` phase",
            "only `volley` phases have firing markers; in a `fire` phase, units fire as their doctrine orders",
        )),
        ("halt", _) if lacks(&[MechanismName::Charge, MechanismName::Onset]) => Some((
            "the pack has no `charge` or `onset` phase",
            "omit it, or add such a phase: it ends the unit's charge and nothing else",
        )),
        _ => None,
    }
}

/// The effects of reactions and counters, which do not depend on a roll.
pub(super) fn without_roll<'w>(wire: &'w Pack<'_>) -> impl Iterator<Item = (Path, &'w EffectWire)> {
    let reactions = wire.reaction.iter().flat_map(|row| {
        [("own", &row.own), ("foe", &row.foe)].map(|(whose, effect)| (at!["reaction", row.id, whose], effect))
    });
    let counters = wire.counter.iter().flat_map(|(id, counter)| {
        let ends =
            [("below", &counter.below), ("above", &counter.above)].into_iter().filter_map(move |(end, beyond)| {
                match beyond {
                    Some(BeyondWire::Suffer(effect)) => Some((at!["counter", id, end], &**effect)),
                    _ => None,
                }
            });
        let rows = counter.effect.iter().map(move |row| (at!["counter", id, "effect", row.id, "own"], &row.own));
        ends.chain(rows)
    });
    reactions.chain(counters)
}

/// The keys that an effect gives.
pub(super) fn written(effect: &EffectWire) -> impl Iterator<Item = &'static str> {
    let ScoreWire { colours, swords, flags } = &effect.score;
    let keys = [
        ("lose", effect.lose.is_some()),
        ("gain", effect.gain.is_some()),
        ("morale", effect.morale.is_some()),
        ("rally", effect.rally.is_some()),
        ("worsen", effect.worsen.is_some()),
        ("worsen-shaken", effect.worsen_shaken.is_some()),
        ("retreat", effect.retreat.is_some()),
        ("score", [colours, swords, flags].into_iter().any(Option::is_some)),
        ("add", !effect.add.is_empty()),
        ("set", !effect.set.is_empty()),
        ("calls", effect.calls.is_some()),
        ("halt", effect.halt),
        ("destroy", effect.destroy),
        ("flee", effect.flee),
        ("open-fire", effect.open_fire),
        ("pursue", effect.pursue),
        ("sets-off", effect.sets_off.is_some()),
    ];
    keys.into_iter().filter(|&(_, given)| given).map(|(key, _)| key)
}

#[cfg(test)]
mod tests {
    use crate::compile;
    use crate::compile::changed::under;
    use grognard_source::Sources;

    /// The faults of a built-in pack with this reaction added.
    fn faults(pack: &str, own: &str) -> String {
        let text =
            format!("[[reaction]]\nid = 'new'\ntitle = 'new'\non = 'losses'\ncite = ['house']\nnote = 'New.'\n{own}");
        let mut sources = Sources::new();
        let document = under(pack, &text, &mut sources);
        compile(&document, &sources).err().unwrap_or_default().render(&sources, false)
    }

    #[track_caller]
    fn refused(pack: &str, own: &str, told: &[&str]) {
        let faults = faults(pack, own);
        assert!(faults.contains("pack.toml:7:"), "{faults}");
        assert_eq!(faults.matches("can do nothing").count(), 1, "{faults}");
        assert!(told.iter().all(|part| faults.contains(part)), "{faults}");
    }

    #[test]
    fn nobody_flees_without_a_flight_table() {
        refused("ranked-fantasy", "own = { flee = true }", &["`flee` can do nothing", "add `[flight]`"]);
        refused("risk", "own = { flee = true }", &["units on board `none` have no positions"]);
        assert_eq!(faults("napoleonic-pips", "own = { flee = true }"), "");
    }

    #[test]
    fn nobody_pursues_without_an_onset() {
        refused("napoleonic-figures", "own = { pursue = true }", &["no `onset` phase", "a reaction to `broken`"]);
        refused("ancients-hex", "own = { pursue = true }", &["no `onset` phase"]);
        assert_eq!(faults("napoleonic-pips", "own = { pursue = true }"), "");
    }

    #[test]
    fn nobody_opens_fire_without_volleys() {
        refused("sf-skirmish", "foe = { open-fire = true }", &["no `volley` phase", "firing markers"]);
        assert_eq!(faults("napoleonic-pips", "foe = { open-fire = true }"), "");
    }

    #[test]
    fn nobody_halts_without_charges() {
        refused("patrol", "own = { halt = true }", &["no `charge` or `onset` phase", "omit it"]);
        for pack in ["napoleonic-figures", "napoleonic-pips"] {
            assert_eq!(faults(pack, "own = { halt = true }"), "");
        }
    }

    #[test]
    fn nobody_retreats_without_positions() {
        refused("risk", "foe = { retreat = 2 }", &["`retreat` can do nothing", "`destroy` instead"]);
        assert_eq!(faults("sf-skirmish", "foe = { retreat = 2 }"), "");
    }

    /// Covers results of rolls, the effects of counters, and what happens beyond a counter's range.
    #[test]
    fn every_effect_is_checked() {
        let counter = "[counter.heat]\nmax = 1\nabove = { halt = true }\nbelow = { halt = true }\ncite = ['house']\n\
            note = 'New.'\n[[counter.heat.effect]]\nid = 'hot'\ntitle = 'hot'\nwhen = 'self.heat == 1'\ncite = ['house']\n\
            note = 'New.'\nown = { halt = true }\n";
        let roll = "[roll.new]\ntitle = 'new'\nmechanic = 'pool'\ncite = ['house']\nnote = 'New.'\nown = { dice = 'd6', need = 4 }\n\
            result = [{ id = 'all', own = { halt = true }, foe = { halt = true } }]\n";
        let mut sources = Sources::new();
        let document = under("refduel", &format!("{counter}{roll}"), &mut sources);
        let faults = compile(&document, &sources).err().unwrap_or_default();
        assert_eq!(faults.render(&sources, false).matches("`halt` can do nothing").count(), 5);
    }
}
