//! Screens and rows of skirmishers as a study describes them.

use grognard_rules::model::{MoraleId, Rejoin, Rules, Skirmish};

use crate::deploy::of_kind::OfKind;
use crate::deploy::plan::{Deployment, Misdeployment, UnitPlan, cited};
use crate::geometry::plane::Heading;
use crate::state::{Battle, Bend, Flags, Side, UNITS_PER_SIDE_MAX, Unit, UnitId};

/// Adds the screens of a side's units that have deployed figures, or whose doctrine deploys some.
///
/// `units` holds all the units so far; `first` is the index of the side's first one.
pub(super) fn add(
    rules: &Rules,
    plan: &Deployment,
    side: Side,
    first: usize,
    units: &mut Vec<Unit>,
    faults: &mut Vec<Misdeployment>,
) {
    let side_plan = &plan.sides[side];
    let count = units.len() - first;
    for number in 0..count {
        let parent = UnitId((first + number) as u8);
        let unit = units[parent.index()];
        let path = format!("{}.{}", side_plan.name, unit.number);
        let Some(unit_plan) = side_plan.units.get(usize::from(unit.number)) else { continue };
        space_out(rules, unit_plan, &mut units[parent.index()], &path, faults);
        let row = rules.skirmish.as_ref().and_then(|skirmish| {
            let row = skirmish.screen_of[unit.kind]?;
            Some((skirmish, row))
        });
        let Some((skirmish, row)) = row else {
            if unit_plan.screen.is_some() {
                faults.push(Misdeployment {
                    path: format!("{path}.screen"),
                    message: format!("{} cannot deploy skirmishers", rules.kinds[unit.kind].title),
                    help: Some("omit `screen`".into()),
                });
            }
            continue;
        };
        if unit_plan.screen.is_none() && !rules.doctrines[unit.doctrine].detaches {
            continue;
        }
        if units.len() - first >= UNITS_PER_SIDE_MAX {
            faults.push(Misdeployment {
                path: format!("{}.units", side_plan.name),
                message: format!("side `{}` has too many units that deploy skirmishers", side_plan.name),
                help: Some(format!("a side has at most {UNITS_PER_SIDE_MAX} units and screens together")),
            });
            return;
        }
        let out = unit_plan.screen.unwrap_or(0);
        let stance = &rules.formations[unit.formation];
        if out > 0 && stance.spacing.is_some() {
            faults.push(Misdeployment {
                path: format!("{path}.screen"),
                message: format!("a unit in {} has no skirmishers out{}", stance.title, cited(&stance.sources.leaves)),
                help: Some("omit `screen`, or put the unit into close order".into()),
            });
            continue;
        }
        let state = &rules.morale[unit.morale];
        if out > 0 && state.broken {
            // Its skirmishers have rejoined it and flee with it (9.39).
            faults.push(Misdeployment {
                path: format!("{path}.screen"),
                message: format!(
                    "a unit that is {} has no skirmishers out{}",
                    state.id,
                    cited(skirmish.rejoin_source(Rejoin::SweptAlong))
                ),
                help: Some("omit `screen`".into()),
            });
            continue;
        }
        check_number(rules, skirmish, row, &unit, out, &path, faults);
        let out = out.min(unit.figures.saturating_sub(1));
        let mut flags = Flags::SCREEN;
        if out == 0 {
            flags.set(Flags::ABSENT);
        }
        let formation = skirmish.screens[usize::from(row)].formation;
        let mut screen = Unit {
            number: (units.len() - first) as u8,
            formation,
            morale: MoraleId::FIRST,
            flags,
            kin: parent,
            start: out,
            figures: out,
            bend: Bend::NONE,
            spacing: 0,
            abreast: 0,
            ..unit
        };
        let itself = UnitId(units.len() as u8);
        screen.foe = itself;
        if let Some(frontage) = unit_plan.frontage.filter(|_| out > 0) {
            spread(rules, &mut screen, frontage, &path, faults);
            units[parent.index()].spacing = 0;
        }
        let unit = &mut units[parent.index()];
        unit.kin = itself;
        unit.start -= out;
        unit.figures -= out;
        units.push(screen);
    }
}

/// Checks that no more figures are deployed than the rules allow (9.30-G2).
fn check_number(
    rules: &Rules,
    skirmish: &Skirmish,
    row: u8,
    unit: &Unit,
    out: u16,
    path: &str,
    faults: &mut Vec<Misdeployment>,
) {
    let screen = &skirmish.screens[usize::from(row)];
    let most = screen.most.of(unit.figures);
    if out > most {
        let title = &rules.kinds[unit.kind].title;
        faults.push(Misdeployment {
            path: format!("{path}.screen"),
            message: format!("{title} cannot have {out} skirmishers{}", cited(&screen.most_source)),
            help: Some(format!("at most {most}")),
        });
    }
}

/// Gives a unit that is itself in open order the frontage in its plan.
fn space_out(rules: &Rules, plan: &UnitPlan, unit: &mut Unit, path: &str, faults: &mut Vec<Misdeployment>) {
    let Some(frontage) = plan.frontage else { return };
    let loose = rules.formations[unit.formation].spacing.is_some();
    if loose {
        spread(rules, unit, frontage, path, faults);
    } else if plan.screen.is_none() {
        faults.push(Misdeployment {
            path: format!("{path}.frontage"),
            message: "only skirmishers have a frontage of their own".into(),
            help: Some("omit `frontage`, or put the unit into skirmish order".into()),
        });
    }
}

/// Spreads a row over a frontage within the limits of its formation (9.32, 9.46, 9.47) and of the tether (9.42).
fn spread(rules: &Rules, unit: &mut Unit, frontage: i32, path: &str, faults: &mut Vec<Misdeployment>) {
    let formation = &rules.formations[unit.formation];
    let Some(spacing) = formation.spacing else { return };
    let figures = i32::from(unit.figures.max(1));
    let base = rules.footprint(unit.kind, unit.formation, 1).width;
    let tether = rules.skirmish.as_ref().map_or(i32::MAX, |skirmish| skirmish.tether + base);
    let least = spacing.least_of(rules.kinds[unit.kind].arm, base);
    let most = spacing.most.max(least).min(tether);
    let mut refuse = |message: String, limit: i32| {
        let limit = f64::from(limit * figures) / 100.0;
        faults.push(Misdeployment {
            path: format!("{path}.frontage"),
            message: format!("{message}{}", OfKind::new(rules, unit.kind).cited(&[&formation.sources.layout])),
            help: Some(format!("{figures} figures in {} need {limit}\"", formation.title)),
        });
    };
    if frontage < least * figures {
        refuse("the skirmishers stand too close".into(), least);
    } else if frontage > most * figures {
        refuse("the skirmishers stand too far apart".into(), most);
    } else {
        unit.spacing = (frontage / figures).clamp(1, i32::from(u16::MAX)) as u16;
    }
}

/// Places deployed screens in front of their units, once the units have their starting facing.
pub(super) fn post(rules: &Rules, battle: &mut Battle) {
    let Some(skirmish) = &rules.skirmish else { return };
    for index in 0..battle.units.len() {
        let screen = battle.units[index];
        if !screen.flags.has(Flags::SCREEN) {
            continue;
        }
        let parent = battle.units[screen.kin.index()];
        let depth = screen.footprint(rules).depth;
        let heading: Heading = parent.heading;
        battle.units[index].front = parent.rect(rules).at(0, skirmish.ahead + depth);
        battle.units[index].heading = heading;
    }
}

/// Whether any unit may have a screen.
pub(super) fn any(battle: &Battle) -> bool {
    battle.units.iter().any(|unit| unit.flags.has(Flags::SCREEN))
}
