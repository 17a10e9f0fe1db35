//! Generals.

use super::checker::{Checker, at};
use super::roll::{PackDice, sum_of_dice};
use crate::model::{Generals, Grade, Rank, RideRoad, RideRow, Role, Site};
use crate::wire::{Pack, RankWire, RideRoadWire, RideRowWire, RideRuleWire};
use grognard_source::Path;

pub(super) fn generals(
    checker: &mut Checker<'_>,
    wire: &Pack<'_>,
    dice: &PackDice,
    site: &mut dyn FnMut() -> Site,
) -> Option<Generals> {
    let general = wire.general.as_ref()?;
    let at = at!["general"];
    if wire.activation.as_ref().is_none_or(|activation| activation.dice.is_none()) {
        let help = "give `[activation]` with `dice`: each general in command is allotted one roll of these dice";
        checker.fault(&at, "generals without dice have no points to allot", Some(help));
    }
    let ranks: Vec<Rank> = general.rank.iter().map(|(id, row)| rank(checker, id, row, &at)).collect();
    if !ranks.iter().any(|rank| rank.role == Role::Commands) {
        checker.fault(&at.join("rank"), "no rank commands", Some("give one rank `role = \"commands\"`"));
    }
    let states = wire.morale.state.iter().map(|state| state.id.as_str());
    let stays_with = checker.find_each(&at.join("stays-with"), "morale state", &general.stays_with, &states);
    let closed = ride_rows(checker, wire, &at.join("closed"), &general.closed);
    let halved = ride_rows(checker, wire, &at.join("halved"), &general.halved);
    let mut rule = |key: &str, rule: Option<&RideRuleWire>| {
        rule.map(|rule| checker.source(&at.join(key), &rule.cite, rule.note.as_ref()))
    };
    let (enemies, once) = (rule("enemies", general.enemies.as_ref()), rule("once", general.once.as_ref()));
    let road = general.road.as_ref().map(|road| ride_road(checker, wire, &at.join("road"), road));
    let fate = at.join("fate");
    let odds = sum_of_dice(checker, &fate.join("dice"), &general.fate.dice, dice, &general.fate.cite);
    let command = at.join("command");
    Some(Generals {
        base: general.base.hundredths(),
        reach: general.reach.hundredths(),
        post: general.post.hundredths(),
        stays_with: stays_with.into_iter().fold(0, |states, state| states | 1 << state),
        closed,
        enemies,
        halved,
        once,
        road,
        dear: (
            general.dear.times.into(),
            checker.source(&at.join("dear"), &general.dear.cite, general.dear.note.as_ref()),
        ),
        fate: odds.map(|odds| (Box::new(odds), site())),
        lost: general.fate.lost,
        fate_source: checker.source(&fate, &general.fate.cite, general.fate.note.as_ref()),
        succession: (
            general.succession.turns,
            checker.source(&at.join("succession"), &general.succession.cite, general.succession.note.as_ref()),
        ),
        plan: (general.plan.turns, checker.source(&at.join("plan"), &general.plan.cite, general.plan.note.as_ref())),
        counted: checker.condition(&command.join("of"), general.command.of.as_ref()),
        most: general.command.most,
        command_source: checker.source(&command, &general.command.cite, general.command.note.as_ref()),
        purse_source: checker.source(&at.join("purse"), &general.purse.cite, general.purse.note.as_ref()),
        ranks,
        source: checker.source(&at, &general.cite, general.note.as_ref()),
    })
}

/// Rows of terrain, with the kinds as indices.
fn ride_rows(checker: &mut Checker<'_>, wire: &Pack<'_>, at: &Path, rows: &[RideRowWire]) -> Vec<RideRow> {
    let known = wire.ground.keys().map(String::as_str);
    let compiled = rows.iter().map(|row| {
        let at = at.join(&row.id);
        let terrain = checker.find_each(&at.join("terrain"), "terrain", &row.terrain, &known);
        RideRow { terrain, source: checker.source(&at, &row.cite, row.note.as_ref()) }
    });
    compiled.collect()
}

/// The road bonus, which units also have.
fn ride_road(checker: &mut Checker<'_>, wire: &Pack<'_>, at: &Path, road: &RideRoadWire) -> RideRoad {
    if wire.movement.as_ref().is_none_or(|movement| movement.road.is_none()) {
        let help = "give `[movement.road]`, or remove this table";
        checker.fault(at, "this pack gives no bonus on roads", Some(help));
    }
    RideRoad {
        source: checker.source(at, &road.cite, road.note.as_ref()),
        areas: checker.cited(&at.join("cites").join("areas"), &road.cites.areas, road.note.as_ref()),
    }
}

fn rank(checker: &mut Checker<'_>, id: &str, wire: &RankWire, at: &Path) -> Rank {
    let at = at.join("rank").join(id);
    if wire.role != Role::Assists && (wire.adds > 0 || wire.within.is_some() || wire.succeeds) {
        checker.fault(&at, "`adds`, `within` and `succeeds` are allowed only with `role = \"assists\"`", None);
    }
    let mut grades = Vec::new();
    for (id, grade) in &wire.grade {
        let at = at.join("grade").join(id);
        if grade.points != 0 && wire.role != Role::Commands {
            checker.fault(&at.join("points"), "`points` is allowed only with `role = \"commands\"`", None);
        }
        if grade.spoils != 0 && wire.role != Role::Assists {
            checker.fault(&at.join("spoils"), "`spoils` is allowed only with `role = \"assists\"`", None);
        }
        grades.push(Grade {
            id: id.clone(),
            points: grade.points.into(),
            spoils: grade.spoils.into(),
            source: checker.source(&at, &grade.cite, grade.note.as_ref()),
        });
    }
    Rank {
        id: id.to_owned(),
        title: wire.title.clone(),
        role: wire.role,
        most: wire.most,
        adds: wire.adds.into(),
        within: wire.within.map(|within| within.hundredths()),
        succeeds: wire.succeeds,
        grades,
        source: checker.source(&at, &wire.cite, wire.note.as_ref()),
    }
}

#[cfg(test)]
mod tests {
    use crate::compile::changed::with;

    #[test]
    fn terrain_that_the_pack_does_not_have_is_reported_where_it_stands() {
        let told =
            with("napoleonic-pips", &["general.closed.area.terrain=[\"woods\", \"swamp\"]"]).expect_err("a fault");
        assert!(told.contains("`swamp`") && told.contains("--set:1:"), "{told}");
    }
}
