//! The fixed parts of a battle: the table, the terrain and the participants.

use grognard_rules::model::{Board, HexRules, PointsRow};
use serde::Serialize;

use crate::situation::view::View;
use crate::state::{Flags, Side, UnitId};
use crate::step::scratch::Scratch;
use crate::telling::event::Scene;
use crate::telling::narrator::words::unit_name;
use crate::telling::timeline::Timeline;

/// The kind of board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "board")]
pub enum TableLook {
    /// A table, with the origin in its middle.
    Plane {
        /// The distance from side edge to side edge.
        width: i32,
        /// The distance from baseline to baseline.
        depth: i32,
        /// The angle from straight ahead to the edge of the front arc, at each front corner.
        arc: u16,
    },
    /// Hexes with a corner to the north.
    Hex {
        /// All hexes.
        hexes: Vec<HexLook>,
    },
    /// No board: the units are simply in contact.
    None,
}

/// A hex.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct HexLook {
    /// Its axial coordinates.
    pub at: [i32; 2],
    /// Its kind of ground: an index into [`Timeline::grounds`], or `None` for open ground.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ground: Option<u8>,
}

/// A kind of ground.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct GroundLook {
    /// Its name in the pack.
    pub id: String,
    /// Its name in the narration.
    pub title: String,
    /// Whether it is a road.
    pub road: bool,
    /// Whether it is linear, so that troops may line it.
    pub linear: bool,
    /// Whether it gives cover.
    pub cover: bool,
    /// Whether it blocks sight.
    pub blocks_sight: bool,
}

/// A piece of ground on a plane.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct PieceLook {
    /// Its kind of ground.
    pub ground: u8,
    /// Its corners.
    pub corners: [[i32; 2]; 4],
}

/// An objective that the sides fight for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct ObjectiveLook {
    /// Its name.
    pub name: String,
    /// Its position; on hexes, axial coordinates.
    pub at: [i32; 2],
}

/// An edge of the table by which units of a side score points when they leave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct ExitLook {
    /// The side: an index into [`Timeline::sides`].
    pub side: u8,
    /// The ends of the edge, in hundredths of an inch, from south to north or from west to east.
    pub ends: [[i32; 2]; 2],
}

/// The kind of a unit's symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ArmLook {
    /// Troops on foot, and anything else.
    Foot,
    /// Mounted troops.
    Horse,
    /// Guns.
    Guns,
    /// Waggons.
    Train,
    /// Leaders and staffs.
    Leader,
}

/// A unit type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct KindLook {
    /// Its name in the narration.
    pub title: String,
    /// The name of its arm.
    pub arm: String,
    /// The symbol of that arm.
    pub look: ArmLook,
    /// The maximum range of its fire; 0 if it does not fire. On hexes it is always 0, because ranges depend on the
    /// situation.
    pub range: i32,
}

/// A formation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct FormationLook {
    /// Its name in the narration; empty if a pack has no formations.
    pub title: String,
    /// Whether it has all-around facing.
    pub all_round: bool,
    /// Whether its figures are in open order.
    pub loose: bool,
    /// Whether a unit in it may move.
    pub moves: bool,
    /// Whether a unit in it may fire.
    pub fires: bool,
}

/// A morale state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct MoraleLook {
    /// Its name in the narration.
    pub title: String,
    /// Whether a unit in it is shaken.
    pub shaken: bool,
    /// Whether a unit in it is broken.
    pub broken: bool,
}

/// A unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct UnitLook {
    /// Its name in the narration when the battle begins.
    pub name: String,
    /// Its side: an index into [`Timeline::sides`].
    pub side: u8,
    /// Its number on its side, from 1. A screen or a crew has the number of its unit.
    pub number: u8,
    /// Whether it is the only unit of its side, not counting screens and crews.
    pub alone: bool,
    /// The number of figures with which it starts.
    pub start: u16,
    /// The unit whose screen or crew it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<u8>,
}

/// A general.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct GeneralLook {
    /// His name.
    pub name: String,
    /// His side: an index into [`Timeline::sides`].
    pub side: u8,
}

/// The timeline of a battle, before any events are recorded.
pub(super) fn timeline(scene: Scene<'_>) -> Timeline {
    let (rules, setup) = (scene.rules, scene.setup);
    let arms = &rules.arms;
    let kind = |kind: &grognard_rules::model::Kind| {
        let arm = arms.get(usize::from(kind.arm)).cloned().unwrap_or_default();
        let look = if kind.leader { ArmLook::Leader } else { arm_look(&arm) };
        KindLook { title: kind.title.clone(), arm, look, range: kind.range }
    };
    let formations = rules.formations.iter().map(|formation| FormationLook {
        title: formation.title.clone(),
        all_round: formation.all_round,
        loose: formation.spacing.is_some(),
        moves: formation.moves,
        fires: formation.fires,
    });
    let morale = rules.morale.iter().map(|state| MoraleLook {
        title: state.id.clone(),
        shaken: state.shaken,
        broken: state.broken,
    });
    let terrain = setup.terrain.iter().map(|piece| PieceLook {
        ground: piece.ground,
        corners: piece.rect.corners().map(|corner| [corner.x, corner.y]),
    });
    let table = match rules.board {
        Board::Plane { table, arc } => {
            TableLook::Plane { width: 2 * table.half_width, depth: 2 * table.half_depth, arc }
        }
        Board::Hex => TableLook::Hex { hexes: rules.hex.as_deref().map_or_else(Vec::new, hexes) },
        Board::None => TableLook::None,
    };
    Timeline {
        pack: rules.title.clone(),
        version: rules.version.clone(),
        sides: setup.names.iter().cloned().collect(),
        turns: setup.turns,
        table,
        grounds: grounds(scene),
        terrain: terrain.collect(),
        objectives: setup
            .objectives
            .iter()
            .map(|post| ObjectiveLook { name: post.name.clone(), at: [post.at.x, post.at.y] })
            .collect(),
        exits: exits(scene),
        kinds: rules.kinds.iter().map(kind).collect(),
        formations: formations.collect(),
        morale: morale.collect(),
        phases: rules.phases.iter().map(|phase| phase.title.clone()).collect(),
        clauses: rules.clauses.iter().map(|clause| (clause.id.clone(), clause.text.clone())).collect(),
        units: (0..scene.battle.units.len()).map(|index| unit(scene, UnitId(index as u8))).collect(),
        generals: setup
            .generals
            .iter()
            .map(|post| GeneralLook { name: post.name.clone(), side: post.side.index() as u8 })
            .collect(),
        moments: Vec::new(),
    }
}

/// The edges by which units score points when they leave, for the sides that have such units at the start of the
/// battle. If no side has any, for all sides.
fn exits(scene: Scene<'_>) -> Vec<ExitLook> {
    let (rules, setup, battle) = (scene.rules, scene.setup, scene.battle);
    let (Board::Plane { table, .. }, Some(points)) = (rules.board, &rules.victory.points) else { return Vec::new() };
    let scratch = Scratch::of(scene.moment);
    let now = |row: &PointsRow, side: Side| {
        let holds = |id: UnitId| {
            let view = View::new(rules, setup, battle, &scratch, id, None);
            row.when.as_ref().is_none_or(|when| when.get(&view) != 0)
        };
        battle.side(side).any(holds)
    };
    let mut exits = Vec::new();
    for row in &points.rows {
        let Some(edge) = row.edge else { continue };
        let some = battle.sides().iter().any(|&side| now(row, side));
        for &side in battle.sides().iter().filter(|&&side| !some || now(row, side)) {
            let (east, north) = setup.towards(side, edge).forward();
            let (x, y) = (table.half_width, table.half_depth);
            let ends = match (east.signum() as i32, north.signum() as i32) {
                (0, north) => [[-x, north * y], [x, north * y]],
                (east, _) => [[east * x, -y], [east * x, y]],
            };
            let exit = ExitLook { side: side.index() as u8, ends };
            if !exits.contains(&exit) {
                exits.push(exit);
            }
        }
    }
    exits
}

/// The symbol of an arm, guessed from its name. Packs choose the names of their arms, and most use these words.
fn arm_look(arm: &str) -> ArmLook {
    let arm = arm.to_lowercase();
    let any = |words: &[&str]| words.iter().any(|word| arm.contains(word));
    match () {
        () if any(&["cavalry", "mounted", "horse", "camel", "chariot"]) => ArmLook::Horse,
        () if any(&["artillery", "gun", "batter", "engine"]) => ArmLook::Guns,
        () if any(&["train", "waggon", "wagon", "baggage"]) => ArmLook::Train,
        () if any(&["leader", "staff", "general", "command"]) => ArmLook::Leader,
        () => ArmLook::Foot,
    }
}

fn grounds(scene: Scene<'_>) -> Vec<GroundLook> {
    if let Some(hex) = scene.rules.hex.as_deref() {
        let all = hex.terrain.iter().enumerate().map(|(index, terrain)| {
            let blocks_sight = index > 0 && terrain.at & hex.opaque != 0;
            let (id, title) = (terrain.id.clone(), terrain.title.clone());
            GroundLook { id, title, road: false, linear: terrain.sides != 0, cover: false, blocks_sight }
        });
        return all.collect();
    }
    let all = scene.rules.grounds.iter().map(|ground| GroundLook {
        id: ground.id.clone(),
        title: ground.title.clone(),
        road: ground.road,
        linear: ground.linear,
        cover: ground.cover,
        blocks_sight: ground.blocks_sight,
    });
    all.collect()
}

fn hexes(hex: &HexRules) -> Vec<HexLook> {
    let look = |index: usize| {
        let (q, r) = hex.grid.place(index as u8);
        // The first kind of ground is open.
        HexLook { at: [q, r], ground: hex.ground.get(index).copied().filter(|&ground| ground > 0) }
    };
    (0..hex.grid.len()).map(look).collect()
}

fn unit(scene: Scene<'_>, id: UnitId) -> UnitLook {
    let battle = scene.battle;
    let unit = battle.unit(id);
    let part = |id: UnitId| battle.unit(id).flags.has(Flags::SCREEN);
    UnitLook {
        name: unit_name(scene, id),
        side: unit.side.index() as u8,
        number: if part(id) { battle.unit(unit.kin).number } else { unit.number } + 1,
        alone: battle.side(unit.side).filter(|&id| !part(id)).count() == 1,
        start: unit.start,
        of: part(id).then(|| unit.kin.index() as u8),
    }
}
