//! What was behind a refusal.

use super::Behind;
use crate::state::UnitId;
use crate::witness::{Refusal, Scene, ScreenRefusal, Why};

impl<'a> Behind<'a> {
    /// An order was refused.
    pub(super) fn refused(&mut self, scene: Scene<'a>, id: UnitId, why: Refusal) {
        let rules = scene.rules;
        let unit = scene.battle.unit(id);
        match why {
            Refusal::Formation => {
                let Some(wanted) = self.wanted.map(usize::from) else { return };
                let kind = &rules.kinds[usize::from(unit.kind)];
                if kind.speed[wanted].is_none() {
                    self.cite(&kind.source);
                }
                self.cite(&rules.formations[wanted].source);
            }
            Refusal::Broken => self.morale(scene, id),
            Refusal::NoRoom => self.cite(&rules.movement.source),
            Refusal::Spent => {}
            Refusal::Act { act, bar } => {
                self.cite(&rules.acts[usize::from(act)].bars[usize::from(bar)].source);
            }
            Refusal::NoPoints { act } => self.cite(&rules.acts[usize::from(act)].source),
            Refusal::FireZone => {
                if let Some(zone) = &rules.fire_zone {
                    self.cite(&zone.source);
                }
            }
            Refusal::CannotDismount => self.kind(scene, id),
            Refusal::Screen(why) => {
                let Some(skirmish) = &rules.skirmish else { return };
                match why {
                    ScreenRefusal::Bar(bar) => self.cite(&skirmish.bars[usize::from(bar)].source),
                    ScreenRefusal::TooMany(row) => self.cite(&skirmish.screens[usize::from(row)].source),
                    ScreenRefusal::NoSkirmishers => self.cite(&skirmish.source),
                    ScreenRefusal::NobodyThere => self.rejoined(scene, Why::Ordered),
                }
            }
            Refusal::TooFar => {
                self.rate(scene, id);
                self.cite(&rules.movement.source);
                self.cite(&rules.movement.wheel_source);
            }
            Refusal::TooWide(mode) => self.mode(scene, mode),
            Refusal::Ambiguous => self.cite(&rules.dressing.source),
            Refusal::Barred(formation, bar) => {
                self.cite(&rules.formations[usize::from(formation)].bars[usize::from(bar)].source);
            }
            Refusal::Ground(ground, bar) => {
                self.cite(&rules.grounds[usize::from(ground)].bars[usize::from(bar)].source);
            }
            Refusal::BarredInMove(formation, bar) => {
                if let Some(in_move) = &rules.formations[usize::from(formation)].in_move {
                    self.cite(&in_move.bars[usize::from(bar)].source);
                }
            }
            Refusal::NotInMove(formation) | Refusal::NoMove(formation) => {
                if let Some(in_move) = &rules.formations[usize::from(formation)].in_move {
                    self.cite(&in_move.source);
                } else {
                    self.cite(&rules.formations[usize::from(formation)].source);
                }
            }
            Refusal::NoSquare => self.square(scene),
            Refusal::Forming(formation) => self.slow(scene, formation),
            Refusal::Held => {
                if let Some(zone) = &rules.charge_zone {
                    self.cite(&zone.source);
                }
            }
            Refusal::NotInFront | Refusal::NoTarget => self.cite(&rules.arc_source),
            Refusal::OutOfReach => {
                self.rate(scene, id);
                self.cite(&rules.movement.source);
            }
            Refusal::MayNotCharge => {
                if rules.formations[usize::from(unit.formation)].formed {
                    self.cite(&rules.movement.charge_source);
                } else {
                    self.formation(scene, id);
                }
            }
        }
    }
}
