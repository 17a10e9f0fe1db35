//! Citations for events of generals.

use grognard_rules::model::{Activation, Generals, RideRow};

use crate::state::UnitId;
use crate::telling::citing::Behind;
use crate::telling::event::{GeneralEvent, RideFacts, Scene, Share};

impl<'a> Behind<'a> {
    pub(super) fn of_generals(&mut self, scene: Scene<'a>, event: &GeneralEvent) {
        let Some(generals) = scene.rules.generals.as_deref() else { return };
        match event {
            GeneralEvent::Threw { .. } => {
                if let Activation::Dice { source, .. } = &*scene.rules.activation {
                    self.cite(source);
                }
                self.cite(&generals.plan.1);
            }
            GeneralEvent::Replans => self.cite(&generals.plan.1),
            GeneralEvent::Shared(share) => self.shared(scene, generals, share),
            GeneralEvent::Vacant { .. } | GeneralEvent::StandsIn { .. } => self.cite(&generals.succession.1),
            GeneralEvent::Rode { facts, .. } | GeneralEvent::Joined { facts, .. } => {
                self.cite(&generals.source);
                self.ridden(generals, *facts);
            }
            GeneralEvent::Fate { .. } => self.cite(&generals.fate_source),
            GeneralEvent::Left { .. } | GeneralEvent::Gone { .. } => {}
        }
    }

    /// Cites the effects of terrain and enemies on a ride.
    fn ridden(&mut self, generals: &'a Generals, facts: RideFacts) {
        let acted = |rows: &'a [RideRow], acted: u64| {
            rows.iter().enumerate().filter(move |(row, _)| acted >> row & 1 != 0).map(|(_, row)| &row.source)
        };
        let halved = facts.halved | facts.short;
        acted(&generals.halved, halved).for_each(|source| self.cite(source));
        self.cited_if(generals.once.as_ref().filter(|_| halved.count_ones() > 1));
        if let Some(road) = generals.road.as_ref().filter(|_| facts.road) {
            self.cite(&road.source);
            self.cited_if(Some(&road.areas).filter(|_| facts.areas));
        }
        acted(&generals.closed, facts.closed).for_each(|source| self.cite(source));
        self.cited_if(generals.enemies.as_ref().filter(|_| facts.enemy));
    }

    fn shared(&mut self, scene: Scene<'a>, generals: &'a Generals, share: &Share) {
        let post = |general: u8| &scene.setup.generals[usize::from(general)];
        let grade = |general: u8| {
            let post = post(general);
            let grades = &generals.ranks[usize::from(post.rank)].grades;
            post.grade.and_then(|grade| grades.get(usize::from(grade)))
        };
        if let Some(over) = share.spoiled {
            self.cited_if(grade(over).map(|grade| &grade.source));
        } else {
            // A bad general reduces other generals' points, but not his own.
            let acting = grade(share.general).filter(|grade| grade.points != 0);
            self.cited_if(acting.map(|grade| &grade.source));
        }
        for &over in &share.aided {
            self.cite(&generals.ranks[usize::from(post(over).rank)].source);
        }
    }

    fn cited_if(&mut self, source: Option<&'a grognard_rules::model::Source>) {
        if let Some(source) = source {
            self.cite(source);
        }
    }

    /// Cites the rows by which a unit has used points of its general, at the normal or the higher price.
    pub(super) fn paid(&mut self, scene: Scene<'a>, unit: UnitId, dear: bool) {
        let Some(generals) = scene.rules.generals.as_deref() else { return };
        let side = scene.battle.unit(unit).side;
        if scene.setup.generals.iter().all(|post| post.side != side) {
            return;
        }
        self.cite(&generals.purse_source);
        if dear {
            self.cite(&generals.dear.1);
        }
    }
}
