//! The sources of refusals.

use grognard_rules::model::{Board, Mechanism, Order};

use crate::situation::neighbours::Neighbours;
use crate::situation::positions::sees;
use crate::state::{Flags, UnitId};
use crate::step::scratch::Scratch;
use crate::telling::citing::{Behind, is_narrow};
use crate::telling::event::{Refusal, Scene, ScreenRefusal, Why};

impl<'a> Behind<'a> {
    /// Cites the rules by which an order was refused.
    pub(super) fn refused(&mut self, scene: Scene<'a>, id: UnitId, why: Refusal) {
        let rules = scene.rules;
        let unit = scene.battle.unit(id);
        match why {
            Refusal::Formation => self.closed(scene, id),
            Refusal::Broken { .. } if unit.is_crewless() => {
                if let Some(battery) = &rules.battery {
                    self.cite(&battery.crewless_source);
                }
            }
            Refusal::Broken { turns } => {
                let sources = &rules.morale[unit.morale].sources;
                self.cite(if turns { &sources.turns } else { &sources.forms });
            }
            Refusal::NoRoom => self.no_room(scene, id),
            Refusal::NoShift => self.cite(&rules.movement.nudge_source),
            Refusal::Closed(row) => {
                if let Some(bars) = &rules.movement.bar {
                    self.cite(&bars.rows[usize::from(row)].source);
                }
            }
            Refusal::Spent => {
                let phase = &rules.phases[usize::from(scene.battle.phase)];
                if phase.mechanism == Mechanism::Formation {
                    self.cite(&phase.sources.spent);
                }
            }
            Refusal::Act { act, bar } => {
                self.cite(&rules.acts[usize::from(act)].bars[usize::from(bar)].source);
            }
            Refusal::NoPoints { act } | Refusal::NoContact { act } => self.cite(&rules.acts[usize::from(act)].source),
            Refusal::FireZone => {
                if let Some(zone) = &rules.fire_zone {
                    self.cite(&zone.source);
                }
            }
            Refusal::CannotDismount => self.cite(&rules.kinds[unit.kind].sources.on_foot),
            Refusal::Screen(why) => {
                let Some(skirmish) = &rules.skirmish else { return };
                match why {
                    ScreenRefusal::Bar(bar) => self.cite(&skirmish.bars[usize::from(bar)].source),
                    ScreenRefusal::TooMany(row) => self.cite(&skirmish.screens[usize::from(row)].most_source),
                    ScreenRefusal::NoSkirmishers => self.cite(&skirmish.source),
                    ScreenRefusal::NobodyThere => self.rejoined(scene, Why::Ordered),
                }
            }
            Refusal::TooFar => {
                if !self.mode(scene, id, 0) {
                    self.rate(scene, id);
                }
                self.cite(&rules.movement.source);
                if !rules.formations[unit.formation].all_round && !is_narrow(scene, id) {
                    self.cite(&rules.movement.wheel_source);
                }
            }
            Refusal::TooWide(mode) => {
                if let Some(rules) = &rules.command {
                    self.cite(&rules.modes[usize::from(mode)].narrow_source);
                }
            }
            Refusal::Ambiguous => self.cite(&rules.dressing.source),
            Refusal::Barred(formation, bar) => {
                self.cite(&rules.formations[formation].bars[usize::from(bar)].source);
            }
            Refusal::Ground(ground, bar) => {
                self.cite(&rules.grounds[usize::from(ground)].bars[usize::from(bar)].source);
            }
            Refusal::BarredInMove(formation, bar) => {
                if let Some(in_move) = &rules.formations[formation].in_move {
                    self.cite(&in_move.bars[usize::from(bar)].source);
                }
            }
            Refusal::NotInMove(formation) | Refusal::NoMove(formation) => {
                if let Some(in_move) = &rules.formations[formation].in_move {
                    self.cite(&in_move.source);
                } else if let Some(phase) = rules.phases.iter().find(|phase| phase.mechanism == Mechanism::Formation) {
                    // Formations are taken only in that phase.
                    self.cite(&phase.sources.forms);
                }
            }
            Refusal::NoSquare => {
                if let Some(square) = &rules.square {
                    self.cite(&square.when_source);
                }
            }
            Refusal::NoRoomForCannon => {
                if let Some(square) = &rules.square {
                    self.cite(&square.source);
                }
            }
            Refusal::Forming(formation) => self.slow(scene, formation),
            Refusal::Held => {
                if let Some(zone) = &rules.charge_zone {
                    self.cite(&zone.source);
                }
            }
            Refusal::NotInFront => self.cite(&rules.arc_source.charges),
            Refusal::NoTarget => {
                if self.out_of_arc(scene, id) {
                    self.cite(&rules.arc_source.fires);
                }
            }
            Refusal::OutOfReach | Refusal::WheelTooLong => {
                self.rate(scene, id);
                self.cite(&rules.movement.source);
                if why == Refusal::WheelTooLong {
                    self.wheeled(scene, id);
                }
            }
            Refusal::MayNotCharge => {
                let formation = &rules.formations[unit.formation];
                if !formation.formed {
                    self.cite(&formation.sources.formed);
                }
                self.cite(&rules.movement.charge_source);
            }
        }
    }

    /// Cites the rules that left no room for an ordered move.
    fn no_room(&mut self, scene: Scene<'a>, id: UnitId) {
        let rules = scene.rules;
        let phase = &rules.phases[usize::from(scene.battle.phase)];
        let order = self.wanted.filter(|&(unit, _)| unit == id).map(|(_, order)| order);
        match (phase.mechanism, order) {
            (Mechanism::Formation, Some(Order::Form(_))) => self.cite(&phase.sources.forms),
            (Mechanism::Formation, Some(Order::Detach(_))) => {
                if let Some(skirmish) = &rules.skirmish {
                    self.cite(&skirmish.source);
                }
            }
            (Mechanism::Formation, Some(Order::Dismount)) => {
                self.cite(&rules.kinds[scene.battle.unit(id).kind].sources.on_foot);
            }
            (Mechanism::Formation, _) => self.cite(&phase.sources.turns),
            _ => self.cite(&rules.movement.source),
        }
    }

    /// Cites the rules that close the ordered formation to a unit.
    fn closed(&mut self, scene: Scene<'a>, id: UnitId) {
        let Some(wanted) = self.ordered_formation(id) else { return };
        let rules = scene.rules;
        let unit = scene.battle.unit(id);
        let (kind, left) = (&rules.kinds[unit.kind], &rules.formations[unit.formation]);
        let formation = &rules.formations[wanted];
        if kind.speed[wanted].is_none() {
            self.cite(&kind.sources.speed);
            self.cite(&formation.sources.arms);
        } else if unit.flags.has(Flags::SCREEN) {
            self.cite(&left.sources.leaves);
        } else if left.spacing.is_some() && formation.spacing.is_some() {
            self.cite(&formation.sources.arms);
        } else if formation.when.is_some() {
            self.cite(&formation.sources.when);
        } else {
            self.cite(&formation.sources.layout);
        }
    }

    /// Whether a unit could fire at an enemy in range and in sight if the enemy were in front of it.
    fn out_of_arc(&self, scene: Scene<'a>, id: UnitId) -> bool {
        let (rules, setup, battle, scratch) = (scene.rules, scene.setup, scene.battle, Scratch::new());
        if rules.board == Board::None {
            return false;
        }
        let about = Neighbours { rules, setup, battle, scratch: &scratch };
        let unit = battle.unit(id);
        let range = rules.kinds[unit.kind].range;
        battle.enemies(unit.side).any(|enemy| {
            let there = battle.unit(enemy);
            !there.gone()
                && about.near(id, enemy, range)
                && about.sees_past_others(id, enemy)
                && !sees(rules, &setup.terrain, &scratch.positions, (id, unit), (enemy, there))
        })
    }
}
