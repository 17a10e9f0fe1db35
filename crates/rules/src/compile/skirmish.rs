//! Screens.

use super::checker::{Checker, at};
use super::ground::bars;
use super::outline::KindOutline;
use crate::model::{Attribute, ById, FormationId, Formations, Rejoin, Screen, ScreenMost, Skirmish, Source};
use crate::wire::{Pack, ScreenWire, StrayName};

/// The reasons with their keys, in the order of the model.
const REJOINS: [(Rejoin, &str); 6] = [
    (Rejoin::Ordered, "ordered"),
    (Rejoin::Gathered, "gathered"),
    (Rejoin::GroupFailed, "group-failed"),
    (Rejoin::SharedFate, "shared-fate"),
    (Rejoin::SweptAlong, "swept-along"),
    (Rejoin::Strayed, "strayed"),
];

pub(super) fn skirmish(
    checker: &mut Checker<'_>,
    wire: &Pack<'_>,
    attributes: &[Attribute],
    formations: &Formations,
    kinds: &[KindOutline],
) -> Option<Skirmish> {
    let skirmish = wire.skirmish.as_ref()?;
    let at = at!["skirmish"];
    let numbers = attributes.iter().map(|attribute| attribute.id.as_str());
    let rating = checker.find(&at.join("rating"), "attribute", &skirmish.rating, numbers).unwrap_or(0);
    let mut screen_of = vec![None; kinds.len()];
    let mut screens = Vec::new();
    for row in &skirmish.screen {
        let at = at.join("screen").join(row.id.as_str());
        let names = formations.iter().map(|formation| formation.id.as_str());
        let formation =
            checker.find(&at.join("formation"), "formation", &row.formation, names).unwrap_or(FormationId::FIRST);
        for (index, unit) in row.units.iter().enumerate() {
            let path = at.join("units").join(index.to_string());
            let known = kinds.iter().map(|kind| kind.id.as_str());
            let Some(kind) = checker.find::<u8>(&path, "unit type", unit, known) else { continue };
            let kind = usize::from(kind);
            if !kinds[kind].open[formation] {
                let message = format!("`{unit}` cannot be in `{}`", row.formation);
                checker.fault(&path, message, Some("its `speed` lists the formations that are open to it"));
            }
            screen_of[kind] = screen_of[kind].or(u8::try_from(screens.len()).ok());
        }
        let source = checker.source(&at, &row.cite, row.note.as_ref());
        let most_source = checker.key_source(&at, "most", row.cites.most.as_ref(), &source);
        screens.push(Screen { id: row.id.clone(), formation, most: most(checker, row, &at), most_source, source });
    }
    Some(Skirmish {
        tether: skirmish.tether.hundredths(),
        strays_are_lost: skirmish.stray == StrayName::Lose,
        link: skirmish.link.hundredths(),
        group: skirmish.group,
        rating,
        shares: skirmish.shares,
        retires: skirmish.retires.hundredths(),
        ahead: skirmish.ahead.hundredths(),
        change_when: checker.condition(&at.join("change-when"), skirmish.change_when.as_ref()),
        screens,
        screen_of: ById::new(screen_of),
        rejoin: REJOINS.map(|(name, key)| {
            let row = skirmish.rejoin.get(&name);
            row.map_or_else(Source::default, |row| {
                checker.source(&at.join("rejoin").join(key), &row.cite, row.note.as_ref())
            })
        }),
        bars: bars(checker, &at, &skirmish.bar),
        source: checker.source(&at, &skirmish.cite, skirmish.note.as_ref()),
    })
}

fn most(checker: &mut Checker<'_>, row: &ScreenWire, at: &grognard_source::Path) -> ScreenMost {
    match (row.most, row.share, row.all) {
        (Some(most), None, false) => ScreenMost::Figures { most, from: row.from.unwrap_or(0) },
        (None, Some(share), false) => ScreenMost::Share(share),
        (None, None, true) => ScreenMost::All,
        _ => {
            let message = format!("it is not clear how many figures `{}` allows", row.id);
            checker.fault(at, message, Some("give one of `most`, `share` and `all = true`"));
            ScreenMost::All
        }
    }
}
