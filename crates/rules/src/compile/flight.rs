//! Flight and pursuit.

use super::checker::{Checker, at};
use super::roll::{PackDice, sum_of_dice};
use crate::model::{Bend, Flight, FlightRow, PursuitRow, Reach, Site};
use crate::wire::Pack;
use grognard_expr::{Expr, Kind, Lookup};

/// The flight table. `site` assigns a site to the dice of every row that rolls.
pub(super) fn flight(
    checker: &mut Checker<'_>,
    wire: &Pack<'_>,
    dice: &PackDice,
    site: &mut dyn FnMut() -> Site,
) -> Option<Flight> {
    let flight = wire.flight.as_ref()?;
    let at = at!["flight"];
    let (mut rows, mut conditions) = (Vec::new(), Vec::new());
    for row in &flight.row {
        let at = at.join("row").join(row.id.as_str());
        conditions.push(row.when.as_ref().map(|when| checker.expr(&at.join("when"), when, Kind::Bool)));
        let odds = row.dice.as_ref().and_then(|text| sum_of_dice(checker, &at.join("dice"), text, dice, &row.cite));
        rows.push(FlightRow {
            id: row.id.clone(),
            distance: row.distance.hundredths(),
            refuge: row.refuge,
            dice: odds.map(|odds| (Box::new(odds), site())),
            source: checker.source(&at, &row.cite, row.note.as_ref()),
        });
    }
    let (mut pursuits, mut followed) = (Vec::new(), Vec::new());
    for row in &flight.pursuit {
        let at = at.join("pursuit").join(row.id.as_str());
        followed.push(row.when.as_ref().map(|when| checker.expr(&at.join("when"), when, Kind::Bool)));
        let reach = match (row.distance, row.short_by) {
            (Some(distance), None) => Reach::Fixed(distance.hundredths()),
            (None, Some(short)) => Reach::ShortBy(short.hundredths()),
            _ => {
                checker.fault(&at, "the distance of this pursuit is unclear", Some("give `distance` or `short-by`"));
                Reach::Fixed(0)
            }
        };
        let source = checker.source(&at, &row.cite, row.note.as_ref());
        pursuits.push(PursuitRow { id: row.id.clone(), reach, source });
    }
    Some(Flight {
        rows,
        first: first(&conditions),
        pursuits,
        pursuit: first(&followed),
        bend: flight.bend.as_ref().map(|bend| Bend {
            step: i32::from(bend.step) * 10,
            most: i32::from(bend.most) * 10,
            source: checker.source(&at.join("bend"), &bend.cite, bend.note.as_ref()),
        }),
        source: checker.source(&at, &flight.cite, flight.note.as_ref()),
    })
}

/// The index of the first row that applies. An invalid condition is reported elsewhere and counts as true here.
fn first(conditions: &[Option<Option<Expr>>]) -> Lookup {
    Lookup::first(&conditions.iter().map(|when| when.as_ref().and_then(Option::as_ref)).collect::<Vec<_>>())
}
