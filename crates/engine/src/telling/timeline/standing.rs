//! The state of a unit or a general at one point in a battle.

use grognard_rules::model::ByteId;
use serde::Serialize;

use crate::geometry::hex::{facing, hex_leader_alone};
use crate::geometry::plane::Point;
use crate::state::general::General;
use crate::state::{Flags, Marks, Post, Unit};
use crate::telling::event::Scene;

/// Whether a unit is on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Presence {
    /// It is on the table.
    Here,
    /// It is a screen whose figures are all with their unit, or a crew at its guns.
    WithItsUnit,
    /// It is inside the square of another unit.
    InSquare,
    /// It has not arrived yet.
    Late,
    /// It is destroyed or has left the table.
    Gone,
}

/// The state of a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Standing {
    /// Whether it is on the table.
    pub presence: Presence,
    /// On a plane, the middle of its front edge, x to the east and y to the north of the table's middle; on hexes, the
    /// axial coordinates of its hex.
    pub at: [i32; 2],
    /// Its facing, in tenths of a degree clockwise from north.
    pub heading: u16,
    /// The spine that it faces on hexes, counter-clockwise from the north-east; `None` if it has no facing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spine: Option<u8>,
    /// From flank to flank.
    pub width: i32,
    /// From front to rear.
    pub depth: i32,
    /// The angle from the left part of its front to the right part, in tenths of a degree.
    pub bend: i16,
    /// The distance from the middle of its front to the bend, positive to the right; `None` if the front is straight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bend_at: Option<i16>,
    /// The number of figures in the front rank.
    pub abreast: u16,
    /// The number of ranks.
    pub ranks: u16,
    /// Its type.
    pub kind: u8,
    /// Its formation.
    pub formation: u8,
    /// Its morale state.
    pub morale: u8,
    /// The number of its figures.
    pub figures: u16,
    /// The number of its cannon.
    pub cannon: u16,
    /// Its counters, in the pack's order; empty if the pack has none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub counters: Vec<i8>,
    /// The target of its charge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub charges: Option<u8>,
    /// Whether it has a firing marker.
    pub fires: bool,
    /// The leader who is with it, or the unit that a leader is with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mate: Option<u8>,
}

impl Standing {
    /// The current state of a unit.
    pub(super) fn of(scene: Scene<'_>, unit: &Unit) -> Self {
        let rules = scene.rules;
        let footprint = unit.footprint(rules);
        let on_hexes = rules.hex.is_some();
        let presence = match unit.flags {
            flags if flags.has(Flags::GONE) => Presence::Gone,
            flags if flags.has(Flags::ABSENT) => Presence::WithItsUnit,
            flags if flags.has(Flags::INSIDE) => Presence::InSquare,
            flags if flags.has(Flags::LATE) => Presence::Late,
            _ => Presence::Here,
        };
        Self {
            presence,
            at: [unit.front.x, unit.front.y],
            heading: unit.heading.tenths(),
            spine: (on_hexes && !hex_leader_alone(unit)).then(|| facing(unit.heading)),
            width: footprint.width,
            depth: footprint.depth,
            bend: unit.bend.tenths,
            bend_at: (!unit.bend.is_none()).then_some(unit.bend.at),
            abreast: footprint.front,
            ranks: footprint.ranks,
            kind: unit.kind.byte(),
            formation: unit.formation.byte(),
            morale: unit.morale.byte(),
            figures: unit.figures,
            cannon: unit.cannon,
            counters: unit.counters.values()[..rules.counters.len()].to_vec(),
            charges: unit.flags.has(Flags::CHARGING).then(|| unit.foe.index() as u8),
            fires: unit.marks.has(Marks::FIRING),
            mate: unit.hex.mate.get().filter(|_| on_hexes).map(|mate| mate.0),
        }
    }
}

/// The state of a general.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct GeneralStanding {
    /// Whether he is on the table, alone or with a unit.
    pub here: bool,
    /// The middle of his base, x to the east and y to the north of the table's middle.
    pub at: [i32; 2],
    /// The unit that he is with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub with: Option<u8>,
}

impl GeneralStanding {
    pub(super) fn of(scene: Scene<'_>, general: &General, post: &Post) -> Self {
        let with = general.with.filter(|_| !general.lost);
        let Point { x, y } = with.map_or(general.at, |unit| scene.battle.unit(unit).rect(scene.rules).centre());
        let here = !general.lost && post.arrives <= scene.battle.turn;
        Self { here, at: [x, y], with: with.map(|unit| unit.index() as u8) }
    }
}
