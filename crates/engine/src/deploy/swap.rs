//! The same battle with the roles of its sides exchanged.
//!
//! A side's role depends on its position in the study: whether it moves first or second, its end of the table and, for
//! the first side, the approach. The army is everything else: units, doctrine and orders. In the exchange, each army
//! takes the other's role: the positions and facings of all units are rotated by 180 degrees about the middle of the
//! deployment. Two equal armies with the same deployment therefore fight the same battle with their names exchanged.

use crate::deploy::plan::{Deployment, FacingPlan, SidePlan, UnitPlan};
use crate::deploy::{ArrayPlan, GeneralPlan};

/// Half a turn, in tenths of a degree.
const HALF_TURN: u16 = 1_800;
/// A whole turn.
const TURN: u16 = 3_600;

impl Deployment {
    /// The battle in which each side's army has the other's role. Exchanging twice gives the same battle.
    #[must_use]
    pub fn swapped(&self) -> Self {
        let centre = self.twice_the_middle();
        Self { sides: self.sides.clone().swap().map(|side| mirrored(side, centre)), ..self.clone() }
    }

    /// Twice the middle of all positions in the plan; 0 if there are none.
    fn twice_the_middle(&self) -> (i32, i32) {
        let sides = [&self.sides.first, &self.sides.second];
        let places = || {
            let units = sides.into_iter().flat_map(|side| side.units.iter().filter_map(|unit| unit.at));
            let generals = sides.into_iter().flat_map(|side| side.generals.iter().filter_map(|general| general.at));
            units.chain(generals).chain(sides.into_iter().filter_map(|side| side.array.as_ref()?.at))
        };
        let ends = |along: fn((i32, i32)) -> i32| {
            let (least, most) = (places().map(along).min(), places().map(along).max());
            least.unwrap_or(0) + most.unwrap_or(0)
        };
        (ends(|place| place.0), ends(|place| place.1))
    }
}

fn mirrored(side: SidePlan, centre: (i32, i32)) -> SidePlan {
    let there = |place: (i32, i32)| (centre.0 - place.0, centre.1 - place.1);
    let unit = |unit: UnitPlan| UnitPlan { at: unit.at.map(there), facing: unit.facing.map(about), ..unit };
    let array = side.array.map(|array| ArrayPlan { at: array.at.map(there), ..array });
    let general = |general: GeneralPlan| GeneralPlan { at: general.at.map(there), ..general };
    let generals = side.generals.into_iter().map(general).collect();
    SidePlan { units: side.units.into_iter().map(unit).collect(), generals, array, ..side }
}

/// The facing after half a turn.
fn about(facing: FacingPlan) -> FacingPlan {
    let turned = |tenths: u16| (tenths + HALF_TURN) % TURN;
    match facing {
        FacingPlan::Enemy => FacingPlan::Enemy,
        FacingPlan::Heading(tenths) => FacingPlan::Heading(turned(tenths)),
        FacingPlan::Bent(left, right) => FacingPlan::Bent(turned(left), turned(right)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::side::BySide;

    #[test]
    fn each_army_takes_the_other_ones_seat() {
        let side = |name: &str, at: (i32, i32), facing: u16| SidePlan {
            name: name.to_owned(),
            units: vec![UnitPlan {
                at: Some(at),
                facing: Some(FacingPlan::Heading(facing)),
                kind: name.to_owned(),
                ..UnitPlan::default()
            }],
            ..SidePlan::default()
        };
        let plan = Deployment {
            sides: BySide::new(side("blue", (100, 1_600), 1_800), side("red", (0, 0), 0)),
            turns: 8,
            ..Deployment::default()
        };
        let swapped = plan.swapped();
        assert_eq!(swapped.sides.first, side("red", (100, 1_600), 1_800));
        assert_eq!(swapped.sides.second, side("blue", (0, 0), 0));
        assert_eq!(swapped.swapped(), plan);
    }
}
