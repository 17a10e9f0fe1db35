//! Doctrine as files write it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::choice::WeighWire;
use super::path::LegWire;
use grognard_source::Inches;

/// What a doctrine can order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OrderName {
    /// Do nothing in this phase.
    Hold,
    /// Change to `formation` (a formation phase).
    Form,
    /// Turn to face the nearest enemy (a formation phase).
    Face,
    /// Turn by `degrees` (a formation phase).
    Turn,
    /// Charge the nearest enemy (a charge phase).
    Charge,
    /// Move towards the nearest enemy until `stop` inches away (a move phase).
    Advance,
    /// Move away from the nearest enemy (a move phase).
    Withdraw,
    /// Put out skirmishers, `figures` of them in all (a formation phase).
    Detach,
    /// Take the skirmishers in (a formation phase).
    Recall,
    /// Fight on foot from now on (a formation phase).
    Dismount,
    /// A screen moves to `stop` inches before its unit (a move phase).
    Screen,
    /// Move up to `stop` inches behind the friend it follows (a move phase).
    Follow,
    /// Join a friendly square that it touches; limbered guns come up to the nearest one first (a move phase).
    Join,
    /// Guns leave the square they stand in (a move phase).
    Leave,
    /// March along the road, or straight ahead where there is none, as far as the edge of the table (a move phase).
    March,
    /// Move towards the nearest objective: of those at which no friend is, if there are any (a move phase).
    Seize,
    /// Follow `legs`, all of them or none (a move phase).
    Path,
    /// Fire at the best target (a fire phase); begin to fire (an orders phase).
    Fire,
    /// Move until it touches the enemy (an orders phase).
    Contact,
    /// Move so many inches (`by`) on a `bearing` without turning (an orders phase).
    Shift,
    /// Stop firing (an orders phase).
    Cease,
    /// Rally, if broken (an orders phase).
    Rally,
    /// Put an enemy that it touches out of the battle (an orders phase).
    Spike,
    /// Pursue the enemy it put to flight (an onset phase); `charge` there is to charge another one within its move.
    Pursue,
    /// Take the place of the enemy it put to flight (an onset phase).
    Occupy,
    /// Move and turn to the place worth most by `weigh` (a move phase on a `hex` board).
    Manoeuvre,
    /// Attack this enemy (a close-combat phase); earlier rows before later ones.
    Attack,
    /// Turn towards an attack (in a close-combat phase of the enemy, as all that follow).
    React,
    /// Evade an attack.
    Evade,
    /// Turn a colour hit into a flag.
    GiveGround,
    /// Turn a flag into a hit.
    StandFast,
    /// Enter the hex that an attack has cleared (in one's own close-combat phase).
    FollowUp,
    /// Play the card that strikes first.
    StrikeFirst,
    /// Its general is to be with it (an orders phase).
    Lead,
    /// Let an enemy turn or change formation in one's fire zone without firing at it (in the enemy's formation phase).
    HoldFire,
}

/// Which way a unit faces after a change of formation that leaves it the choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TowardsName {
    /// Towards the enemy that the row looks at.
    #[default]
    Enemy,
    /// Away from that enemy.
    Away,
    /// As it does.
    Ahead,
}

/// Which enemy a doctrine row looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OfName {
    /// The nearest.
    #[default]
    Nearest,
    /// Any - in charge and fire phases any that can be charged, or shot at: the nearest of those for which it holds.
    Any,
}

/// One row of a doctrine.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DoctrineRowWire {
    /// Its name.
    pub id: String,
    /// The phase in which it is looked at.
    pub phase: String,
    /// When it applies. Reads `self`, `foe` (the nearest enemy that is not broken) and `distance`. Left out: always.
    #[serde(default)]
    pub when: Option<String>,
    /// What the unit does.
    #[serde(rename = "do")]
    pub order: OrderName,
    /// Which enemy it looks at. `any` in formation, charge, move, fire and orders phases only.
    #[serde(default)]
    pub of: OfName,
    /// Whether it is ordered in addition, after the row before it has been, with regard to the same enemy. Formation and move
    /// phases only.
    #[serde(default)]
    pub also: bool,
    /// Figures to have out, for `detach`. Left out: as many as may.
    #[serde(default)]
    #[schemars(range(min = 1, max = 200))]
    pub figures: Option<u16>,
    /// Degrees clockwise, for `turn`.
    #[serde(default)]
    #[schemars(range(min = -180, max = 180))]
    pub degrees: Option<i16>,
    /// The formation to take, for `form`.
    #[serde(default)]
    pub formation: Option<String>,
    /// Which way to face afterwards, for `form`, where the change leaves the choice: for guns that limber or unlimber, and out
    /// of a formation that faces everywhere. Left out: towards the enemy.
    #[serde(default)]
    pub towards: Option<TowardsName>,
    /// Where to stop, in inches from the enemy, for `advance`; how far ahead, for `screen`; how far behind, for `follow`.
    #[serde(default)]
    pub stop: Option<Inches>,
    /// Degrees clockwise from straight ahead, for `shift`.
    #[serde(default)]
    #[schemars(range(min = 0, max = 359))]
    pub bearing: Option<u16>,
    /// Inches, for `shift`.
    #[serde(default)]
    pub by: Option<Inches>,
    /// What places are worth, for `manoeuvre`.
    #[serde(default)]
    pub weigh: Option<WeighWire>,
    /// Marches and wheels in their order, for `path`.
    #[serde(default)]
    #[schemars(length(max = 8))]
    pub legs: Vec<LegWire>,
}

/// What stands in for a player: for each unit and phase, the first row that applies.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DoctrineWire {
    /// What a report calls it.
    pub title: String,
    /// The rows, first match first.
    pub row: Vec<DoctrineRowWire>,
    /// The doctrines that stand in for other players, by who they are, such as `beginner = "stand-plainly"`: a study names them with
    /// `player`. Everybody has `default`, this doctrine itself, and `random`.
    #[serde(default)]
    pub players: BTreeMap<String, String>,
}
