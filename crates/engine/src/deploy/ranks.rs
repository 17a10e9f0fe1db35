//! Ranks, and the shape that a formation requires (8.31, 9.11, 9.12, 9.21).

use grognard_rules::model::{FormationId, KindId, Rules, Shape};

use crate::deploy::of_kind::OfKind;
use crate::deploy::plan::{Misdeployment, UnitPlan};

/// The figures in a unit's front rank if the study sets them, otherwise 0. For figures in close order, the shape
/// defines the formation: a different shape is a different formation.
pub(super) fn abreast(
    rules: &Rules,
    plan: &UnitPlan,
    kind: KindId,
    formation: FormationId,
    figures: u16,
    path: &str,
    faults: &mut Vec<Misdeployment>,
) -> u8 {
    let stance = &rules.formations[formation];
    let close = figures.saturating_sub(plan.screen.unwrap_or(0)).max(1);
    // If the study does not set it, the formation's layout decides.
    let (key, figures, front) = match plan.abreast {
        Some(front) => ("front", close, front),
        None => ("formation", close, rules.footprint(kind, formation, close).front),
    };
    let shape = Shape::of(figures, front);
    let fits = match plan.abreast {
        Some(_) => front > 0 && front <= figures && stance.shape == Some(shape),
        None => stance.shape.is_none_or(|required| required == shape),
    };
    if plan.abreast.is_some() && stance.shape.is_none() {
        faults.push(Misdeployment {
            path: format!("{path}.front"),
            message: format!("{} has no `shape`, so its layout decides how many figures are in front", stance.title),
            help: Some("omit `front`, or give the formation a `shape`".into()),
        });
    } else if !fits {
        let open = stance.shape.and_then(|_| rules.formation_of_shape(kind, shape));
        let (noun, verb, they) = if figures == 1 { ("figure", "is", "it is") } else { ("figures", "are", "they are") };
        faults.push(Misdeployment {
            path: format!("{path}.{key}"),
            message: format!(
                "{figures} {noun} with {front} in front {verb} not in {}{}",
                stance.title,
                OfKind::new(rules, kind).cited(&[&stance.sources.layout])
            ),
            help: open.map(|open| format!("{they} in {}", rules.formations[open].title)),
        });
    }
    plan.abreast.unwrap_or(0).min(u16::from(u8::MAX)) as u8
}
