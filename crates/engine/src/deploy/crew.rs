//! Crews of batteries and trains at the start: as many figures as the pack requires for their cannon (8.46), or fewer.

use grognard_rules::model::{MoraleId, Rules};

use crate::deploy::plan::{Deployment, Misdeployment, cited};
use crate::situation::view::View;
use crate::state::{Bend, Flags, Setup, UNITS_MAX, Unit, UnitId};
use crate::step::scratch::Scratch;

/// Adds the crews of a side's batteries and trains, at their guns. A crew becomes a separate unit as soon as it leaves
/// its guns.
///
/// `units` holds all the units so far; `first` is the index of the side's first one.
pub(super) fn add(rules: &Rules, first: usize, units: &mut Vec<Unit>) {
    let Some(apart) = rules.battery.as_ref().and_then(|battery| battery.apart) else { return };
    for place in first..units.len() {
        let guns = units[place];
        if rules.kinds[guns.kind].cannon == 0 || units.len() >= UNITS_MAX {
            continue;
        }
        let (base, itself) = (UnitId(place as u8), UnitId(units.len() as u8));
        let mut flags = Flags::SCREEN;
        flags.set(Flags::ABSENT);
        let formation = rules.kinds[apart].formation;
        let crew = Unit {
            kind: apart,
            formation,
            flags,
            foe: itself,
            kin: base,
            cannon: 0,
            abreast: 0,
            morale: MoraleId::FIRST,
            start: 0,
            figures: 0,
            bend: Bend::NONE,
            spacing: 0,
            ..guns
        };
        units.push(crew);
        units[place].kin = itself;
    }
}

pub(super) fn count(rules: &Rules, plan: &Deployment, setup: &mut Setup, faults: &mut Vec<Misdeployment>) {
    let help = if rules.kinds.iter().any(|kind| kind.cannon > 0) {
        "batteries and trains have 1 to 40"
    } else {
        "no unit of this pack has cannon: omit `cannon`"
    };
    for &side in plan.sides.sides() {
        for id in setup.start.side(side).collect::<Vec<_>>() {
            let unit = *setup.start.unit(id);
            let kind = &rules.kinds[unit.kind];
            if unit.flags.has(Flags::SCREEN) {
                continue;
            }
            let Some(wanted) = plan.sides[side].units.get(usize::from(unit.number)) else { continue };
            let path = |key: &str| format!("{}.{}.{key}", plan.sides[side].name, unit.number);
            if wanted.cannon.is_some_and(|cannon| cannon == 0 || cannon > 40 || kind.cannon == 0) {
                faults.push(Misdeployment {
                    path: path("cannon"),
                    message: format!("{} cannot have {} cannon", kind.title, unit.cannon),
                    help: Some(help.into()),
                });
            }
            let Some(battery) = rules.battery.as_ref().filter(|_| kind.cannon > 0) else { continue };
            let scratch = Scratch::new();
            let view = View::new(rules, setup, &setup.start, &scratch, id, None);
            let counted = battery.crew.as_ref().map_or(1, |crew| crew.get(&view));
            let limit = rules.figures_max();
            let Some(most) = u16::try_from(counted).ok().filter(|most| (1..=limit).contains(most)) else {
                let source = cited(&battery.crew_source);
                faults.push(Misdeployment {
                    path: path("cannon"),
                    message: format!(
                        "{} with {} cannon would have a crew of {counted}{source}",
                        kind.title, unit.cannon
                    ),
                    help: Some(format!("from 1 to {limit}: `battery.crew` in the pack gives the number")),
                });
                continue;
            };
            let crew = wanted.figures.unwrap_or(most);
            if crew == 0 || crew > most {
                faults.push(Misdeployment {
                    path: path("figures"),
                    message: format!(
                        "{} with {} cannon cannot have a crew of {crew}{}",
                        kind.title,
                        unit.cannon,
                        cited(&battery.crew_source)
                    ),
                    help: Some(if most == 1 { "it has 1".into() } else { format!("from 1 to {most}") }),
                });
            }
            let unit = setup.start.unit_mut(id);
            (unit.start, unit.figures) = (crew, crew);
        }
    }
}
