//! Limits on the lists of a pack, checked before anything is compiled, so that no list is ever truncated.

use super::checker::at;
use super::hex::{CARDS_MAX, PROVISIONS_MAX, TERRAINS_MAX};
use super::metric::METRICS_MAX;
use super::traits::TRAITS_MAX;
use crate::model::{COUNTERS_MAX, GROUNDS_MAX, LEGS_MAX};
use crate::situation::ATTRIBUTES_MAX;
use crate::wire::Pack;
use grognard_source::{Diagnostic, Diagnostics, Document, Path};

/// The maximum number of arms, which share the bits of one mask.
pub(super) const ARMS_MAX: usize = 32;
/// The maximum number of unit types, formations, rolls and the like, which are counted in a byte.
const NAMES_MAX: usize = 250;
/// The maximum number of phases, acts, ranks and the like. A byte also has room for their stages and marks.
const ROWS_MAX: usize = 100;
/// The maximum number of rows in a lookup that takes the first row that applies.
const FIRST_MAX: usize = 64;

/// Reports every list that is longer than the limits of a battle.
pub(super) fn check(document: &Document, wire: &Pack<'_>) -> Diagnostics {
    let mut limits = Limits { document, faults: Diagnostics::new() };
    limits.pack(wire);
    limits.movement(wire);
    limits.generals(wire);
    limits.bars(wire);
    for (id, doctrine) in &wire.doctrine {
        for row in &doctrine.row {
            limits.at_most(|| at!["doctrine", id, "row", row.id, "legs"], "a path", "legs", row.legs.len(), LEGS_MAX);
        }
    }
    limits.faults
}

struct Limits<'d> {
    document: &'d Document,
    faults: Diagnostics,
}

impl Limits<'_> {
    /// Reports a list with more than `most` items. `path` builds its path, and `whose` names its owner: `a pack`.
    fn at_most(&mut self, path: impl FnOnce() -> Path, whose: &str, what: &str, count: usize, most: usize) {
        if count > most {
            let path = path();
            let fault = Diagnostic::new(format!("{whose} has at most {most} {what}, not {count}"));
            self.faults.push(fault.at(self.document.span_at(&path)).path(&path));
        }
    }

    fn pack(&mut self, wire: &Pack<'_>) {
        for (key, what, count, most) in [
            ("arms", "arms", wire.arms.len(), ARMS_MAX),
            ("attribute", "attributes", wire.attribute.len(), ATTRIBUTES_MAX),
            ("trait", "traits", wire.traits.len(), TRAITS_MAX),
            ("counter", "counters", wire.counter.len(), COUNTERS_MAX),
            ("targets", "target classes", wire.targets.len(), NAMES_MAX),
            ("formation", "formations", wire.formation.len(), NAMES_MAX),
            ("ground", "kinds of ground", wire.ground.len(), GROUNDS_MAX),
            ("unit", "unit types", wire.unit.len(), NAMES_MAX),
            ("roll", "rolls", wire.roll.len(), NAMES_MAX),
            ("phase", "phases", wire.phase.len(), ROWS_MAX),
            ("reaction", "reactions", wire.reaction.len(), NAMES_MAX),
            ("act", "acts", wire.act.len(), ROWS_MAX),
            ("doctrine", "doctrines", wire.doctrine.len(), NAMES_MAX),
            ("metric", "metrics", wire.metric.len(), METRICS_MAX),
            ("provision", "provisions", wire.provision.len(), PROVISIONS_MAX),
        ] {
            self.at_most(|| at![key], "a pack", what, count, most);
        }
        for (id, attribute) in &wire.attribute {
            self.at_most(|| at!["attribute", id, "words"], "an attribute", "words", attribute.words.len(), NAMES_MAX);
        }
        if let Some(hex) = &*wire.hex {
            self.at_most(|| at!["hex", "terrain"], "a board", "kinds of terrain", hex.terrain.len(), TERRAINS_MAX);
        }
        if let Some(deck) = &*wire.deck {
            self.at_most(|| at!["deck", "card"], "a deck", "kinds of cards", deck.card.len(), CARDS_MAX);
        }
        if let Some(skirmish) = &*wire.skirmish {
            self.at_most(|| at!["skirmish", "screen"], "a pack", "kinds of screens", skirmish.screen.len(), NAMES_MAX);
        }
    }

    fn movement(&mut self, wire: &Pack<'_>) {
        if let Some(movement) = &*wire.movement {
            for (key, rows) in [("half", &movement.half), ("bar", &movement.bar), ("leave", &movement.leave)] {
                self.at_most(|| at!["movement", key], "a list of moves", "rows", rows.len(), FIRST_MAX);
            }
        }
        if let Some(flight) = &*wire.flight {
            self.at_most(|| at!["flight", "row"], "a flight table", "rows", flight.row.len(), FIRST_MAX);
            self.at_most(|| at!["flight", "pursuit"], "a flight table", "pursuits", flight.pursuit.len(), FIRST_MAX);
        }
    }

    fn generals(&mut self, wire: &Pack<'_>) {
        let Some(general) = &*wire.general else { return };
        self.at_most(|| at!["general", "rank"], "a pack", "ranks", general.rank.len(), ROWS_MAX);
        for (key, rows) in [("closed", &general.closed), ("halved", &general.halved)] {
            self.at_most(|| at!["general", key], "a list of terrain", "rows", rows.len(), FIRST_MAX);
        }
        for (id, rank) in &general.rank {
            self.at_most(|| at!["general", "rank", id, "grade"], "a rank", "grades", rank.grade.len(), ROWS_MAX);
        }
    }

    fn bars(&mut self, wire: &Pack<'_>) {
        for act in &wire.act {
            self.at_most(|| at!["act", act.id, "bar"], "an act", "bars", act.bar.len(), ROWS_MAX);
        }
        for (id, formation) in &wire.formation {
            self.at_most(|| at!["formation", id, "bar"], "a formation", "bars", formation.bar.len(), NAMES_MAX);
        }
        for (id, ground) in &wire.ground {
            self.at_most(|| at!["ground", id, "bar"], "a kind of ground", "bars", ground.bar.len(), NAMES_MAX);
        }
        if let Some(skirmish) = &*wire.skirmish {
            self.at_most(|| at!["skirmish", "bar"], "a pack", "bars on screens", skirmish.bar.len(), NAMES_MAX);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::compile::changed::under;
    use grognard_source::Sources;

    /// The message for `risk` with these lines added, and the number of faults.
    fn said(text: &str) -> (String, usize) {
        let mut sources = Sources::new();
        let faults = crate::compile(&under("risk", text, &mut sources), &sources).err().unwrap_or_default();
        (faults.render(&sources, false), faults.len())
    }

    fn rows(count: usize, row: impl Fn(usize) -> String) -> String {
        (0..count).map(row).collect()
    }

    #[test]
    fn a_list_that_is_too_long_is_refused_whole() {
        let roll = |name: usize| {
            format!(
                "[roll.r{name}]\ntitle = 'r'\nmechanic = 'ranked'\nties = 'foe'\ncite = ['dice']\n\
                 own = {{ dice = 'd6', count = 1 }}\nfoe = {{ dice = 'd6', count = 1 }}\n\
                 [[roll.r{name}.result]]\nid = 'all'\nfoe = {{ lose = 1 }}\ncite = ['dice']\n"
            )
        };
        let doctrine = |name: usize| format!("[doctrine.d{name}]\ntitle = 'd'\nrow = []\n");
        let reaction =
            |name: usize| format!("[[reaction]]\nid = 'r{name}'\ntitle = 'r'\non = 'losses'\ncite = ['dice']\n");
        let unit = |name: usize| format!("[unit.u{name}]\ntitle = 'u'\narm = 'army'\nfigures = 1\n");
        let half =
            |name: usize| format!("[[movement.half]]\nid = 'h{name}'\nwhen = 'turn > {name}'\ncite = ['dice']\n");
        for (text, expected) in [
            (rows(260, roll), "a pack has at most 250 rolls, not 261"),
            (rows(251, doctrine), "a pack has at most 250 doctrines, not 251"),
            (rows(251, reaction), "a pack has at most 250 reactions, not 251"),
            (rows(250, unit), "a pack has at most 250 unit types, not 251"),
        ] {
            let (said, faults) = said(&text);
            assert!(said.contains(expected) && faults == 1, "{expected}: {said}");
        }
        // This pack is not for a plane, but a list that is too long is reported first.
        let movement = format!("[movement]\nnarrow = 1\ngap = 1\n{}", rows(70, half));
        let (said, _) = said(&movement);
        assert!(said.contains("a list of moves has at most 64 rows, not 70"), "{said}");
    }

    #[test]
    fn formations_beyond_the_limit_are_no_panic() {
        let formation = |name: usize| {
            format!("[formation.f{name}]\ntitle = 'f'\narms = ['army']\nfacing = 'front'\nlayout.front = 1\n")
        };
        let text = rows(300, formation) + "[unit.army]\nformation = 'f299'\nspeed = { f299 = 1 }\n";
        let (said, _) = said(&text);
        assert!(said.contains("a pack has at most 250 formations, not 300"), "{said}");
    }
}
