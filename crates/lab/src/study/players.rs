//! The players under whom the findings of a study are repeated, and its cells under each of them.

use grognard_engine::{BySide, Deployment, Side, SidePlan};
use grognard_rules::model::{DEFAULT_PLAYER, RANDOM_PLAYER, Rules};
use grognard_source::{Diagnostic, Diagnostics, Document, Node, Path, Span};

use super::{Cell, Study};
use crate::players::{BEST, Ladder, Led, quantity};

/// A player, and the cells of a study under that player.
#[derive(Clone, Debug)]
pub struct Rung {
    /// The player's name.
    pub player: String,
    /// Who leads each side of each cell.
    pub led: Vec<[Led; 2]>,
    /// The cells with their sides led in this way; `None` if they are the study's own, which follow their doctrines or
    /// are solved.
    pub cells: Option<Vec<Cell>>,
}

/// A player's name in the study.
struct Named {
    name: String,
    span: Span,
}

/// Adds to the study the players that its report names.
///
/// # Errors
///
/// No doctrine of a side lists a name; or perfect play is requested for cells that cannot be solved, or for a number
/// that neither side wants high or low.
pub(super) fn ask(
    document: &Document,
    study: &mut Study,
    deployments: &[Deployment],
    pinned: &[Path],
) -> Result<(), Diagnostics> {
    let report = document.root.get("report").and_then(Node::as_table);
    let Some(node) = report.and_then(|report| report.get("players")) else { return Ok(()) };
    if study.sides.len() > 2 {
        let fault =
            Diagnostic::new(format!("players are compared on two sides, but this battle has {}", study.sides.len()));
        return Err(fault.at(node.span).help("omit `players`").into());
    }
    let listed = node.as_array().unwrap_or_default();
    let named = |node: &'_ Node| Some(Named { name: node.as_text()?.to_owned(), span: node.span });
    let mut names: Vec<Named> = listed.iter().filter_map(named).collect();
    let mut faults = Diagnostics::new();
    if !names.iter().any(|named| named.name == DEFAULT_PLAYER) {
        names.insert(0, Named { name: DEFAULT_PLAYER.to_owned(), span: node.span });
    }
    let metric = study.report.headline.as_ref().and_then(|headline| headline.metric.clone());
    let Some(asked) = quantity(study, metric.as_deref()) else {
        let metric = metric.unwrap_or_default();
        let fault =
            Diagnostic::new(format!("`{metric}`, which the report leads with, cannot be compared between players"));
        let help = "lead with a side's wins, turns, or a metric that every study has, such as defender.losses";
        faults.push(fault.at(node.span).help(help));
        return faults.into_result(());
    };
    let mut ladder = Vec::new();
    for named in names {
        let rung = match named.name.as_str() {
            BEST if asked.sign_for(Side::First).is_none() => {
                let message = format!("`{}` is not a metric that either side tries to raise or lower", asked.name);
                let fault = Diagnostic::new(message).at(named.span);
                Err(fault.help("omit \"best\", or lead with a side's wins or what it loses").into())
            }
            BEST => solved(deployments, &named, pinned),
            name => under(study, deployments, &named).and_then(|rung| match rung {
                // A side that already gives this player's orders needs no separate column.
                None if !has(study, deployments, name) && (pinned.is_empty() || !is_listed(study, name)) => {
                    Err(unknown(study, deployments, &named).into())
                }
                rung => Ok(rung),
            }),
        };
        match rung {
            Ok(rung) => ladder.extend(rung),
            Err(more) => faults.append(more),
        }
    }
    faults.into_result(())?;
    let players = ladder.iter().map(|rung| rung.player.clone()).collect();
    study.report.players = Some(Ladder { players, metric: asked.name });
    study.ladder = ladder;
    Ok(())
}

/// The player whose orders the sides' own doctrines give, in every cell; `None` if there is no such player, or more
/// than one.
pub(super) fn default_player(study: &Study, deployments: &[Deployment]) -> Option<String> {
    if study.sides.len() > 2 {
        return None;
    }
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in study.cells.iter().flat_map(|cell| cell.rules.doctrines.iter()).flat_map(|one| &one.players) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let leads = |name: &&str| has(study, deployments, name) && !changes(study, deployments, name);
    let mut found = names.into_iter().filter(leads);
    let only = found.next().filter(|_| found.next().is_none());
    only.map(str::to_owned)
}

/// Whether a side of some cell would give other orders under a player than under its doctrine.
fn changes(study: &Study, deployments: &[Deployment], player: &str) -> bool {
    study.cells.iter().zip(deployments).any(|(cell, plan)| {
        let led = leaders(cell, plan, player);
        let is_changed = |side: Side| plan.sides[side].is_changed_by(&cell.rules, player);
        Side::BOTH.into_iter().any(|side| led[side.index()] == Led::Player && is_changed(side))
    })
}

/// The cells under a player that doctrines list, or under the doctrines themselves. `None` if no side of any cell has
/// the player, or if all that do already give the player's orders.
fn under(study: &Study, deployments: &[Deployment], named: &Named) -> Result<Option<Rung>, Diagnostics> {
    let player = named.name.clone();
    let is_default = player == DEFAULT_PLAYER;
    // The doctrines may be those of a player.
    let leads = if is_default { study.default_player.as_deref().unwrap_or(&player) } else { &player };
    let led: Vec<[Led; 2]> =
        study.cells.iter().zip(deployments).map(|(cell, plan)| leaders(cell, plan, leads)).collect();
    if is_default {
        return Ok(Some(Rung { player, led, cells: None }));
    }
    if !changes(study, deployments, &player) {
        return Ok(None);
    }
    let mut faults = Diagnostics::new();
    let mut cells = Vec::new();
    for ((cell, plan), led) in study.cells.iter().zip(deployments).zip(&led) {
        match cell.drawn_up(&switched(plan, &player, *led)) {
            Ok(cell) => cells.push(cell),
            Err(wrong) => faults.extend(wrong.into_iter().map(|wrong| {
                let fault = Diagnostic::new(format!("with the player `{player}`, {}", wrong.message)).at(named.span);
                fault.note(format!("in cell {} ({})", cell.header.cell, cell.header.label), None)
            })),
        }
    }
    faults.into_result(Some(Rung { player, led, cells: Some(cells) }))
}

/// The cells under perfect play. `None` if a player named on the command line leaves nothing to solve.
fn solved(deployments: &[Deployment], named: &Named, pinned: &[Path]) -> Result<Option<Rung>, Diagnostics> {
    let refused = |message: &str, help: &str| {
        let is_pinned = pinned.iter().any(|path| path.segments().last().is_some_and(|last| last == "player"));
        let fault = Diagnostic::new(message).at(named.span).help(help);
        if is_pinned { Ok(None) } else { Err(fault.into()) }
    };
    let at_random =
        |plan: &&Deployment| Side::BOTH.iter().any(|&side| plan.sides[side].player.as_deref() == Some(RANDOM_PLAYER));
    if deployments.iter().any(|plan| at_random(&plan)) {
        let help = "omit \"best\", or the side's `random` player";
        return refused("a side that chooses at random cannot be solved", help);
    }
    let led = |plan: &Deployment| Side::BOTH.map(|side| own(&plan.sides[side]).unwrap_or(Led::Player));
    let led: Vec<[Led; 2]> = deployments.iter().map(led).collect();
    if !led.as_flattened().contains(&Led::Player) {
        let message = "the study names both sides' players, so neither side is left to play best";
        return refused(message, "omit \"best\"");
    }
    Ok(Some(Rung { player: named.name.clone(), led, cells: None }))
}

/// Who leads each side of a cell if this player leads as many of them as possible.
fn leaders(cell: &Cell, plan: &Deployment, player: &str) -> [Led; 2] {
    Side::BOTH.map(|side| leader(&plan.sides[side], &cell.rules, player))
}

fn leader(plan: &SidePlan, rules: &Rules, player: &str) -> Led {
    let other = if plan.has_player(rules, player) { Led::Player } else { Led::Doctrine };
    own(plan).unwrap_or(other)
}

/// A side keeps a player that the study names for it.
fn own(plan: &SidePlan) -> Option<Led> {
    plan.player.is_some().then_some(Led::Own)
}

/// A deployment with the player leading his sides.
fn switched(plan: &Deployment, player: &str, led: [Led; 2]) -> Deployment {
    let side = |side: Side| SidePlan {
        player: match led[side.index()] {
            Led::Player => Some(player.to_owned()),
            Led::Doctrine | Led::Own => plan.sides[side].player.clone(),
        },
        ..plan.sides[side].clone()
    };
    Deployment { sides: BySide::from_fn(side), ..plan.clone() }
}

/// Whether a side of some cell has such a player, and is not led by one that the study names.
fn has(study: &Study, deployments: &[Deployment], name: &str) -> bool {
    let leads = |(cell, plan): (&Cell, &Deployment)| leaders(cell, plan, name).contains(&Led::Player);
    study.cells.iter().zip(deployments).any(leads)
}

/// Whether some doctrine of the packs lists this player. If so, overrides (`--set`) may be the reason that no cell has
/// it.
fn is_listed(study: &Study, name: &str) -> bool {
    let mut doctrines = study.cells.iter().flat_map(|cell| cell.rules.doctrines.iter());
    name == RANDOM_PLAYER || doctrines.any(|doctrine| doctrine.players.iter().any(|(known, _)| known == name))
}

/// The fault that no side has such a player, with the players that exist.
fn unknown(study: &Study, deployments: &[Deployment], named: &Named) -> Diagnostic {
    let mut known: Vec<&str> = vec![DEFAULT_PLAYER, RANDOM_PLAYER, BEST];
    for (cell, plan) in study.cells.iter().zip(deployments) {
        let players = cell.rules.doctrines.iter().flat_map(|doctrine| &doctrine.players).map(|(name, _)| name.as_str());
        let has = |name: &&str| Side::BOTH.iter().any(|&side| plan.sides[side].has_player(&cell.rules, name));
        for name in players.filter(has) {
            if !known.contains(&name) {
                known.push(name);
            }
        }
    }
    let fault = Diagnostic::unknown("player", &named.name, known.iter().copied()).at(named.span);
    fault.note("neither side's doctrine lists it, or the study names the players itself", None)
}
