//! Objectives and points.

use super::checker::{Checker, at};
use super::roll::{PackDice, sum_of_dice};
use crate::model::{LastTurn, Objective, Points, PointsFor, PointsRow, Site};
use crate::wire::{BoardName, LimitName, Pack};
use grognard_source::Path;

/// The rows that score points for sides; `None` if a pack has no points.
pub(super) fn points(checker: &mut Checker<'_>, wire: &Pack<'_>) -> Option<Points> {
    let victory = &wire.victory;
    let of_points = [
        (victory.limit == LimitName::Points, "limit"),
        (victory.margin.is_some(), "margin"),
        (victory.reach.is_some(), "reach"),
    ];
    if victory.points.is_empty() {
        for (_, key) in of_points.into_iter().filter(|(is, _)| *is) {
            let help = "add rows to `victory.points`, or omit this";
            checker.fault(&at!["victory", key], "no side can score points in this pack", Some(help));
        }
    }
    let objective = objective(checker, wire);
    if victory.points.is_empty() {
        return None;
    }
    let mut rows = Vec::new();
    for row in &victory.points {
        let at = at!["victory", "points", row.id];
        if matches!(row.on, PointsFor::Hold | PointsFor::Held) && objective.is_none() {
            let help = "add `[objective]`, which defines how objectives are held";
            checker.fault(&at.join("for"), "this pack has no objectives", Some(help));
        }
        if row.on == PointsFor::Across && wire.board != BoardName::Plane {
            let help = "on other boards, put objectives there and write `hold` or `held`, or play on board `plane`";
            checker.fault(&at.join("for"), "only a table on a `plane` board has halves", Some(help));
        }
        if row.on == PointsFor::Exit && wire.board != BoardName::Plane {
            let help = "on other boards, write `gone`, `figures`, `hold` or `held` instead, or play on board `plane`";
            checker.fault(&at.join("for"), "only a table on a `plane` board has edges", Some(help));
        } else if row.on == PointsFor::Exit && row.edge.is_none() {
            let help = "add `edge = \"enemy\"`, or `own`, `left` or `right`";
            checker.fault(&at.join("for"), "`exit` needs the edge where units leave", Some(help));
        } else if row.on != PointsFor::Exit && row.edge.is_some() {
            let help = "omit `edge`, or write `for = \"exit\"`";
            checker.fault(&at.join("edge"), "only `exit` reads an edge", Some(help));
        }
        rows.push(PointsRow {
            id: row.id.clone(),
            on: row.on,
            edge: row.edge,
            points: row.points,
            when: checker.condition(&at.join("when"), row.when.as_ref()),
            source: checker.source(&at, &row.cite, row.note.as_ref()),
        });
    }
    let exits = rows.iter().any(|row| row.on == PointsFor::Exit);
    let margin = victory.margin.map_or(1, i32::from);
    Some(Points { objective, rows, exits, margin, reach: victory.reach.map(i32::from) })
}

/// The help for a formula in place of a number of points.
pub(super) fn meant(path: &Path) -> Option<String> {
    let [victory, points, _, key] = path.segments() else { return None };
    let is_points = (victory.as_str(), points.as_str(), key.as_str()) == ("victory", "points", "points");
    is_points
        .then(|| "points are a number: write a row for each unit type, with `when = \"self.type == '…'\"`".to_owned())
}

fn objective(checker: &mut Checker<'_>, wire: &Pack<'_>) -> Option<Objective> {
    let objective = wire.objective.as_ref()?;
    let at = at!["objective"];
    if wire.board == BoardName::None {
        checker.fault(&at, "a board without ground cannot have objectives", Some("choose a `plane` or a `hex` board"));
    }
    let brings = |row: &crate::wire::PointsWire| matches!(row.on, PointsFor::Hold | PointsFor::Held);
    if !wire.victory.points.iter().any(brings) {
        let help = "add a row with `for = \"hold\"` or `for = \"held\"` to `victory.points`";
        checker.fault(&at, "objectives score no points", Some(help));
    }
    let count = objective.count.as_ref();
    Some(Objective {
        within: objective.within.hundredths(),
        when: checker.condition(&at.join("when"), objective.when.as_ref()),
        count: count.and_then(|count| checker.number(&at.join("count"), count)),
        turns: objective.turns,
        keeps: objective.keeps,
        source: checker.source(&at, &objective.cite, objective.note.as_ref()),
    })
}

/// The last turn, if dice decide it.
pub(super) fn last_turn(
    checker: &mut Checker<'_>,
    wire: &Pack<'_>,
    dice: &PackDice,
    site: &mut dyn FnMut() -> Site,
) -> Option<LastTurn> {
    let last = wire.victory.last.as_ref()?;
    let at = at!["victory", "last"];
    let source = checker.source(&at, &last.cite, last.note.as_ref());
    let odds = sum_of_dice(checker, &at.join("dice"), &last.dice, dice, &last.cite)?;
    let goes_on = odds.at(&[]).classes().iter().map(|&class| class >= last.need).collect::<Vec<_>>();
    if goes_on.iter().all(|&goes_on| goes_on) || !goes_on.contains(&true) {
        let help = "give a number that some rolls reach and others do not";
        checker.fault(
            &at.join("need"),
            format!("a need of {} decides nothing: every roll of {} has the same result", last.need, last.dice),
            Some(help),
        );
    }
    Some(LastTurn { from: last.from, odds, need: last.need, site: site(), source })
}
