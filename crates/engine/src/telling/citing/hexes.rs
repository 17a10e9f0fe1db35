//! The sources of events on hexes.

use crate::telling::citing::Behind;
use crate::telling::event::{HexEvent, Scene};

impl<'a> Behind<'a> {
    pub(super) fn of_hexes(&mut self, scene: Scene<'a>, event: &HexEvent) {
        let Some(hex) = scene.rules.hex.as_deref() else { return };
        match event {
            HexEvent::Provided { row, .. } | HexEvent::Breached { row, .. } => {
                self.cite(&hex.provisions[usize::from(*row)].source);
            }
            HexEvent::Played(kind) => {
                if let Some(deck) = &hex.deck {
                    self.cite(&kind.of(deck).source);
                    self.cite(&deck.source);
                }
            }
            HexEvent::Moved { unit, .. } | HexEvent::FellBack { unit, .. } => {
                let kind = scene.battle.unit(*unit).kind;
                self.cite(&scene.rules.kinds[kind].source);
                self.cite(&hex.source);
            }
            HexEvent::Commanded(_)
            | HexEvent::Declared { .. }
            | HexEvent::Answered { .. }
            | HexEvent::Fought { .. } => {}
        }
    }
}
