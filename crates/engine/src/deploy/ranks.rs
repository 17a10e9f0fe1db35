//! Ranks set by a study: this many figures in front, the others behind.

use grognard_rules::model::{Rules, Shape};

use crate::deploy::plan::{Misdeployment, UnitPlan, cited};

/// The figures in a unit's front rank, where the study sets them: the shape they make is that of the formation.
pub(super) fn abreast(
    rules: &Rules,
    plan: &UnitPlan,
    kind: u8,
    formation: u8,
    figures: u16,
    path: &str,
    faults: &mut Vec<Misdeployment>,
) -> u8 {
    let Some(abreast) = plan.abreast else { return 0 };
    let stance = &rules.formations[usize::from(formation)];
    let fits = abreast > 0 && abreast <= figures && stance.shape == Some(Shape::of(figures, abreast));
    if !fits {
        let open = stance.shape.and_then(|_| rules.formation_of_shape(kind, Shape::of(figures, abreast)));
        faults.push(Misdeployment {
            path: format!("{path}.front"),
            message: format!(
                "{figures} figures with {abreast} in front are not in {}{}",
                stance.title,
                cited(&stance.sources.layout)
            ),
            help: open.map(|open| format!("they are in {}", rules.formations[usize::from(open)].title)),
        });
    }
    abreast.min(u16::from(u8::MAX)) as u8
}
