//! Hex boards, provisions and decks.

use super::checker::{Checker, at, constant};
use super::effects;
use super::roll::clauses;
use super::sites::{Sites, home};
use crate::model::{
    Card, Deck, HexGrid, HexRules, HexTerrain, Known, Mechanism, OFF_BOARD, Phase, Provision, RollId, Site, Source,
};
use crate::wire::{BoardName, HexWire, IntOrExpr, MechanismName, Pack, ProvidesName, ProvisionWire, RollWire};
use grognard_expr::{Expr, Kind, Lookup, Row};
use std::collections::BTreeSet;

/// The maximum number of provisions, which are counted in a byte.
pub(super) const PROVISIONS_MAX: usize = 120;
/// The maximum number of kinds of terrain besides open ground. They are counted in a byte.
pub(super) const TERRAINS_MAX: usize = 120;
/// The maximum number of kinds of cards in a battle.
pub(crate) const CARDS_MAX: usize = 32;
/// The number of kinds of provisions.
const DEEDS: usize = ProvidesName::Zone as usize + 1;

/// The hexes, their provisions, and the deck; `None` on other boards.
pub(super) fn hex(checker: &mut Checker<'_>, wire: &Pack<'_>, phases: &[Phase], sites: &mut Sites) -> Option<HexRules> {
    if wire.board != BoardName::Hex {
        for (given, key) in
            [(wire.hex.is_some(), "hex"), (!wire.provision.is_empty(), "provision"), (wire.deck.is_some(), "deck")]
        {
            if given {
                checker.fault(
                    &at![key],
                    format!("only a `hex` board has `{key}`"),
                    Some("omit it, or set `board = \"hex\"`"),
                );
            }
        }
        return None;
    }
    for (given, key) in
        [(wire.table.is_some(), "table"), (wire.arc.is_some(), "arc"), (wire.movement.is_some(), "movement")]
    {
        if given {
            checker.fault(&at![key], format!("`{key}` belongs to a `plane` board"), Some("omit it"));
        }
    }
    let Some(board) = &*wire.hex else {
        checker.fault(&at!["board"], "a `hex` board needs `[hex]`", Some("give its `columns` and `rows`"));
        return None;
    };
    let even = |number: u8| number.is_multiple_of(2);
    let grid = HexGrid::new(board.columns, board.rows);
    let hexes = u32::from(board.columns) * u32::from(board.rows) - u32::from(board.rows / 2);
    if even(board.columns) || even(board.rows) || hexes > 128 {
        let help = "give odd numbers of columns and rows, with at most 128 hexes";
        checker.fault(
            &at!["hex"],
            format!("a board cannot have {} columns and {} rows", board.columns, board.rows),
            Some(help),
        );
    }
    let (terrain, ground, opaque) = terrain(checker, board, &grid);
    let fight = home(phases, |mechanism| mechanism == Mechanism::CloseCombat);
    let (provisions, spans, firsts) = provisions(checker, wire, &mut || sites.next(fight));
    let command = home(phases, |mechanism| mechanism == Mechanism::Command);
    let deck = deck(checker, wire, &mut || sites.next(command));
    let source = checker.source(&at!["hex"], &board.cite, board.note.as_ref());
    let section = board.section.unwrap_or(board.columns / 6);
    let known = Known::default();
    Some(HexRules { grid, section, terrain, ground, opaque, provisions, spans, firsts, known, deck, source })
}

fn terrain(checker: &mut Checker<'_>, board: &HexWire, grid: &HexGrid) -> (Vec<HexTerrain>, Vec<u8>, u128) {
    let open = HexTerrain {
        id: "open".into(),
        title: "open ground".into(),
        at: 0,
        sides: 0,
        bars: None,
        stops: None,
        tires: None,
        source: Source::default(),
    };
    let mut kinds = vec![open];
    let mut ground = vec![0; grid.len()];
    let mut opaque = 0_u128;
    for (id, terrain) in &board.terrain {
        let at = at!["hex", "terrain", id];
        let mut lies = 0_u128;
        if id == "open" {
            checker.fault(&at, "`open` means a hex without terrain", Some("give it another name"));
            continue;
        }
        for (number, place) in terrain.at.iter().enumerate() {
            let at = at.join("at").join(number.to_string());
            let hex = place.split_once(',').and_then(|(q, r)| {
                let (q, r) = (q.trim().parse::<i32>().ok()?, r.trim().parse::<i32>().ok()?);
                (q.abs() < 100 && r.abs() < 100).then(|| grid.at(q, r))
            });
            match hex {
                Some(hex) if hex != OFF_BOARD => {
                    if ground[usize::from(hex)] != 0 {
                        checker.fault(&at, format!("the hex {place} already has terrain"), None);
                    }
                    ground[usize::from(hex)] = kinds.len() as u8;
                    opaque |= u128::from(terrain.blocks) << hex;
                    lies |= 1 << hex;
                }
                _ => checker.fault(
                    &at,
                    format!("there is no hex `{place}` on the board"),
                    Some("give axial coordinates: \"0,-1\""),
                ),
            }
        }
        kinds.push(HexTerrain {
            id: id.clone(),
            title: terrain.title.clone(),
            at: lies,
            sides: terrain.sides.iter().fold(0, |sides, &side| sides | 1 << side as u8),
            bars: checker.condition(&at.join("bars"), terrain.bars.as_ref()),
            stops: checker.condition(&at.join("stops"), terrain.stops.as_ref()),
            tires: checker.condition(&at.join("tires"), terrain.tires.as_ref()),
            source: checker.source(&at, &terrain.cite, terrain.note.as_ref()),
        });
    }
    (kinds, ground, opaque)
}

fn provisions(
    checker: &mut Checker<'_>,
    wire: &Pack<'_>,
    site: &mut impl FnMut() -> Site,
) -> (Vec<Provision>, Vec<(u8, u8)>, Vec<Lookup>) {
    let mut made = Vec::new();
    for row in &wire.provision {
        let provision = provision(checker, row, site);
        if row.on {
            made.push(provision);
        }
    }
    made.sort_by_key(|(provision, _)| provision.deed);
    let (provisions, conditions): (Vec<Provision>, Vec<Option<Expr>>) = made.into_iter().unzip();
    let mut spans = vec![(0, 0); DEEDS];
    for (deed, span) in spans.iter_mut().enumerate() {
        let start = provisions.partition_point(|provision| (provision.deed as usize) < deed);
        let end = provisions.partition_point(|provision| (provision.deed as usize) <= deed);
        *span = (start as u8, end as u8);
    }
    let first = |&(start, end): &(u8, u8)| {
        let rows: Vec<_> = conditions[usize::from(start)..usize::from(end)].iter().map(Option::as_ref).collect();
        Lookup::first(&rows)
    };
    let firsts = spans.iter().map(first).collect();
    (provisions, spans, firsts)
}

/// A provision and the condition under which it applies.
fn provision(
    checker: &mut Checker<'_>,
    row: &ProvisionWire,
    site: &mut impl FnMut() -> Site,
) -> (Provision, Option<Expr>) {
    let at = at!["provision", row.id];
    let rolls = matches!(row.does, ProvidesName::Strike | ProvidesName::Rampage | ProvidesName::LeaderCheck);
    let roll = match &row.roll {
        Some(roll) if rolls => checker.roll(&at.join("roll"), roll),
        Some(_) => {
            checker.fault(&at.join("roll"), "this provision makes no roll", Some("omit `roll`"));
            None
        }
        None if rolls => {
            checker.fault(&at, format!("provision `{}` needs a roll", row.id), Some("add `roll` with a roll's name"));
            None
        }
        None => None,
    };
    let when = row.when.as_ref().and_then(|text| checker.expr(&at.join("when"), text, Kind::Bool));
    let mut alone = when.as_ref().is_none_or(|when| checker.reads_one_unit(when));
    let amount = match &row.amount {
        None => Some(constant(1)),
        Some(IntOrExpr::Number(number)) => Some(constant(*number)),
        Some(IntOrExpr::Formula(text)) => checker.expr(&at.join("amount"), text, Kind::Int).map(|expr| {
            alone &= checker.reads_one_unit(&expr);
            Lookup::of(&expr)
        }),
    };
    match (row.does.limits(), amount.as_ref().map(Lookup::range)) {
        (None, _) if row.amount.is_some() => {
            checker.fault(&at.join("amount"), "this provision has no amount", Some("omit `amount`"));
        }
        (Some((lowest, highest)), Some((least, most))) if least < lowest || most > highest => {
            let can = if least == most { format!("is {least}") } else { format!("can be {least} to {most}") };
            let message = format!("the amount of provision `{}` {can}", row.id);
            checker.fault(&at.join("amount"), message, Some(&format!("it must lie between {lowest} and {highest}")));
        }
        _ => {}
    }
    let provision = Provision {
        id: row.id.clone(),
        title: row.title.clone(),
        deed: row.does,
        when: when.as_ref().map(|when| Lookup::sum(&[Row { when: Some(when), add: 1 }])),
        amount: amount.unwrap_or_else(|| Lookup::sum(&[])),
        alone,
        roll: roll.unwrap_or(RollId::FIRST),
        site: if rolls { site() } else { Site::default() },
        source: checker.stated_source(&at, ("provision", &row.id), &row.cite, row.note.as_ref()),
    };
    (provision, when)
}

/// The effects of shots and strikes, and of a leader's check.
const STRIKES: &[(&str, &str)] = &[
    ("foe", "lose"),
    ("foe", "score"),
    ("foe", "destroy"),
    ("foe", "add"),
    ("foe", "set"),
    ("foe", "sets-off"),
    ("own", "add"),
    ("own", "set"),
    ("own", "sets-off"),
];
const FALLS: &[(&str, &str)] = &[("own", "destroy")];

/// Reports unsupported effects in the results of shots and provisions.
pub(super) fn check_rolls(checker: &mut Checker<'_>, wire: &Pack<'_>) {
    if wire.board != BoardName::Hex || wire.hex.is_none() {
        return;
    }
    let fire = wire.phase.iter().filter(|phase| phase.mechanism == MechanismName::Fire);
    let fire = fire.flat_map(|phase| phase.roll.iter().chain(phase.through.iter().flat_map(|through| &through.roll)));
    let provisions = wire.provision.iter().filter_map(|row| {
        let borne = if row.does == ProvidesName::LeaderCheck { FALLS } else { STRIKES };
        Some((row.roll.as_ref()?, "by the roll of a provision", borne))
    });
    let named = fire.map(|name| (name, "by fire on a `hex` board", STRIKES)).chain(provisions);
    let replacing = |name: &String| wire.roll.get(name).into_iter().flat_map(|roll| &roll.instead).map(|row| &row.roll);
    let uses: BTreeSet<_> = named
        .flat_map(|(name, by, borne)| std::iter::once(name).chain(replacing(name)).map(move |name| (name, by, borne)))
        .collect();
    for (name, by, borne) in uses {
        if let Some((id, roll)) = wire.roll.get_key_value(name) {
            check_effects(checker, id, roll, by, borne);
        }
    }
    // Elsewhere, the effects of shots and strikes are not supported.
    let tests = wire.phase.iter().filter(|phase| matches!(phase.mechanism, MechanismName::Test | MechanismName::Army));
    let tests = tests.filter_map(|phase| phase.roll.as_ref());
    let tests: BTreeSet<_> = tests.chain(wire.reaction.iter().filter_map(|row| row.roll.as_ref())).collect();
    let tests: BTreeSet<_> = tests.iter().copied().chain(tests.iter().flat_map(|name| replacing(name))).collect();
    let rows = tests.into_iter().filter_map(|name| wire.roll.get_key_value(name)).flat_map(|(id, roll)| {
        roll.result.iter().flat_map(move |row| {
            [("own", &row.own), ("foe", &row.foe)]
                .map(|(whose, effect)| (at!["roll", id, "result", row.id, whose], effect))
        })
    });
    for (at, effect) in rows.chain(effects::without_roll(wire)) {
        for key in effects::written(effect).filter(|key| OF_SHOTS.contains(key)) {
            let message = format!("on a `hex` board, `{key}` is not supported here");
            let help =
                "units fall back by the flags of a shot or a strike: `foe = { score = { flags = … } }` in its roll";
            checker.fault(&at.join(key), message, Some(help));
        }
    }
}

/// Effects that tests, reactions and counters cannot have on hexes.
const OF_SHOTS: [&str; 3] = ["retreat", "flee", "score"];

/// Effects that can do nothing on hexes, which [`effects::check`] reports.
const IDLE: [&str; 3] = ["halt", "open-fire", "pursue"];

/// Reports effects that are not in `borne`, which lists the supported effects and the unit that each applies to.
fn check_effects(checker: &mut Checker<'_>, id: &str, roll: &RollWire, by: &str, borne: &[(&str, &str)]) {
    for row in &roll.result {
        for (whose, effect) in [("own", &row.own), ("foe", &row.foe)] {
            for key in effects::written(effect).filter(|&key| !IDLE.contains(&key) && !borne.contains(&(whose, key))) {
                let may: Vec<String> = borne.iter().map(|(whose, key)| format!("`{whose}.{key}`")).collect();
                let help = match key {
                    "retreat" | "flee" => {
                        "on hexes, flags make units fall back: `foe = { score = { flags = … } }`".to_owned()
                    }
                    _ => format!(
                        "give the result {} only, and write `{key}` in a `test` phase, a reaction or the effect of a counter",
                        may.join(", ")
                    ),
                };
                let at = at!["roll", id, "result", row.id, whose, key];
                checker.fault(&at, format!("`{whose}.{key}` is not supported {by}"), Some(&help));
            }
        }
    }
}

fn deck(checker: &mut Checker<'_>, wire: &Pack<'_>, site: &mut impl FnMut() -> Site) -> Option<Deck> {
    let deck = wire.deck.as_ref()?;
    let source = checker.source(&at!["deck"], &deck.cite, deck.note.as_ref());
    let cards = deck.card.iter().map(|card| u32::from(card.count)).sum::<u32>();
    let clauses = clauses(&deck.cite);
    if deck.card.iter().all(|card| card.held || card.count == 0) {
        checker.fault(&at!["deck"], format!("the deck has no cards to play{clauses}"), Some("add `[[deck.card]]`"));
    } else if cards < u32::from(deck.hand) * 2 + 1 {
        let message = format!("{cards} cards are too few for two hands of {}{clauses}", deck.hand);
        checker.fault(&at!["deck", "hand"], message, Some("at least one card must be left to draw"));
    }
    let mut made = Vec::new();
    for card in &deck.card {
        let at = at!["deck", "card", card.id];
        made.push(Card {
            id: card.id.clone(),
            title: card.title.clone(),
            count: card.count,
            orders: card.orders,
            of: checker.condition(&at.join("of"), card.of.as_ref()),
            section: card.section,
            linked: card.linked,
            held: card.held,
            source: checker.source(&at, &card.cite, card.note.as_ref()),
        });
    }
    deck.on.then(|| Deck { hand: deck.hand, cards: made, site: site(), source })
}
