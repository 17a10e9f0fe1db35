//! Narration of events of generals.

use grognard_dice::Shown;
use grognard_rules::model::Generals;

use crate::state::Post;
use crate::telling::event::{GeneralEvent, RideFacts, Scene, Share};
use crate::telling::narrator::words::{CONSEQUENCE, HAPPENING, counted, inches, unit_name};

/// A general's rank, name and side.
pub(crate) fn general_name(scene: Scene<'_>, rules: &Generals, general: u8) -> String {
    let post = &scene.setup.generals[usize::from(general)];
    format!("{} {} ({})", post.rank(rules).title, post.name, scene.setup.names[post.side])
}

/// Lists the generals at the start of the battle.
pub(super) fn roster(scene: Scene<'_>) -> Vec<String> {
    let Some(rules) = scene.rules.generals.as_deref() else { return Vec::new() };
    let line = |(index, post): (usize, &Post)| {
        let grade = post.grade(rules).map_or(String::new(), |grade| format!(", {}", grade.id));
        let with = scene.battle.generals[index].with;
        let with = with.map_or(String::new(), |unit| format!(", with {}", unit_name(scene, unit)));
        let late = if post.arrives > 1 { format!(", from turn {}", post.arrives) } else { String::new() };
        format!("{}{grade}{with}{late}", general_name(scene, rules, index as u8))
    };
    scene.setup.generals.iter().enumerate().map(line).collect()
}

/// The rate at which a general rode, if terrain changed it.
fn rate(facts: &RideFacts) -> &'static str {
    match (facts.halved, facts.road) {
        (_, true) => " along the road",
        (0, false) => "",
        _ => " at half rate",
    }
}

/// The line for an event, and the line's depth.
pub(super) fn narrated(scene: Scene<'_>, event: &GeneralEvent) -> Option<(usize, String)> {
    let rules = scene.rules.generals.as_deref()?;
    let side = &scene.setup.names[scene.battle.active];
    let name = |general: &u8| general_name(scene, rules, *general);
    let thrown = |faces: &[Shown]| faces.iter().map(|face| face.label.as_str()).collect::<Vec<_>>().join("+");
    Some(match event {
        GeneralEvent::Threw { faces, .. } if faces.is_empty() => return None,
        GeneralEvent::Threw { faces, planned } => {
            let faces = faces.iter().map(|faces| thrown(faces)).collect::<Vec<_>>().join(" ");
            let how = if *planned { "by its plan" } else { "the average for each" };
            (HAPPENING, format!("{side} rolls {faces} for its generals, {how}."))
        }
        GeneralEvent::Replans => (HAPPENING, format!("{side} changes its plan and has no points.")),
        GeneralEvent::Shared(share) => (CONSEQUENCE, shared(scene, rules, share)),
        GeneralEvent::Vacant { general } => {
            (HAPPENING, format!("No general commands for {} yet: no points.", name(general)))
        }
        GeneralEvent::StandsIn { general, lost } => {
            (HAPPENING, format!("{} stands in for {}.", name(general), name(lost)))
        }
        GeneralEvent::Rode { general, distance, facts } => {
            let (how, why) = (rate(facts), if facts.stopped() { ", as far as he can" } else { "" });
            (HAPPENING, format!("{} rides {}{how}{why}.", name(general), inches(*distance)))
        }
        GeneralEvent::Joined { general, unit, distance, facts } => {
            let (how, unit) = (rate(facts), unit_name(scene, *unit));
            (HAPPENING, format!("{} rides {}{how} and joins {unit}.", name(general), inches(*distance)))
        }
        GeneralEvent::Left { general, unit } => {
            (HAPPENING, format!("{} leaves {}.", name(general), unit_name(scene, *unit)))
        }
        GeneralEvent::Fate { general, unit, faces, lost } => {
            let what = if *lost { "is lost" } else { "is unharmed" };
            let unit = unit_name(scene, *unit);
            (CONSEQUENCE, format!("{}, with the fleeing {unit}, rolls {}: {what}.", name(general), thrown(faces)))
        }
        GeneralEvent::Gone { general, unit } => {
            (CONSEQUENCE, format!("{} is lost with {}.", name(general), unit_name(scene, *unit)))
        }
    })
}

/// A general's allotment, the changes to it, and the result.
fn shared(scene: Scene<'_>, rules: &Generals, share: &Share) -> String {
    let post = &scene.setup.generals[usize::from(share.general)];
    let mut text = format!("{} is allotted {}", general_name(scene, rules, share.general), share.allotted);
    if let Some(over) = share.spoiled {
        text += &format!(", which {} wastes", general_name(scene, rules, over));
    } else if let Some(grade) = post.grade(rules).filter(|grade| grade.points != 0) {
        text += &format!(", {:+} as he is {}", grade.points, grade.id);
    }
    for &over in &share.aided {
        let rank = scene.setup.generals[usize::from(over)].rank(rules);
        text += &format!(", +{} by {}", rank.adds, general_name(scene, rules, over));
    }
    format!("{text}: {}.", counted(share.points.into(), "point"))
}
