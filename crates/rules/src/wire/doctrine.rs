//! Doctrine, as written in files.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::choice::WeighWire;
use super::path::LegWire;
use grognard_source::Inches;

/// An order that a doctrine can give.
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
    /// Bend along linear terrain that changes direction in front of the unit (a formation phase).
    Bend,
    /// Charge the nearest enemy (a charge phase).
    Charge,
    /// Move towards the nearest enemy until `stop` inches away (a move phase).
    Advance,
    /// Move away from the nearest enemy, no farther than the edge of the table, unless leaving there scores points (a move
    /// phase).
    Withdraw,
    /// Deploy skirmishers, up to a total of `figures` (a formation phase).
    Detach,
    /// Recall the skirmishers (a formation phase).
    Recall,
    /// Fight on foot from now on (a formation phase).
    Dismount,
    /// Move to `stop` inches in front of its unit, for a screen (a move phase).
    Screen,
    /// Move to `stop` inches behind the friend it follows (a move phase).
    Follow,
    /// Join a friendly square that it touches; limbered guns come up to the nearest one first (a move phase).
    Join,
    /// Leave the square it is in, for guns (a move phase).
    Leave,
    /// March along the road, or straight ahead if there is none, no farther than the edge of the table, unless leaving there scores
    /// points (a move phase).
    March,
    /// Move towards the nearest objective, preferring those without a friend nearby (a move phase).
    Seize,
    /// Follow all of `legs`, or do not move (a move phase).
    Path,
    /// Fire at the best target (a fire phase); begin to fire (an orders phase).
    Fire,
    /// Move until it touches the enemy (an orders phase).
    Contact,
    /// Move `by` inches on a `bearing` without turning (an orders phase).
    Shift,
    /// Stop firing (an orders phase).
    Cease,
    /// Rally, if broken (an orders phase).
    Rally,
    /// Remove an enemy that it touches from the battle (an orders phase).
    Spike,
    /// Pursue the enemy that it routed (an onset phase). `charge` in that phase charges another enemy within its
    /// move.
    Pursue,
    /// Take the position of the enemy that it routed (an onset phase).
    Occupy,
    /// Move and turn to the hex and facing with the highest value by `weigh` (a move phase on a `hex` board).
    Manoeuvre,
    /// Attack this enemy (a close-combat phase). Earlier rows have priority.
    Attack,
    /// Turn towards an attack (in the enemy's close-combat phase, like the orders below).
    React,
    /// Evade an attack.
    Evade,
    /// Turn a colour hit into a flag.
    GiveGround,
    /// Turn a flag into a hit.
    StandFast,
    /// Be driven back by a flag that the unit may ignore. This is decided separately for each flag; by default, the
    /// unit ignores them all.
    HeedFlag,
    /// Enter the hex that an attack has cleared, and move on from there (in its own side's close-combat phase). The two
    /// are decided separately.
    FollowUp,
    /// Play the card that strikes first.
    StrikeFirst,
    /// Call its general to join it (an orders phase).
    Lead,
    /// Split some of its figures off as a separate unit (a regroup phase).
    Split,
    /// Merge with the nearest friend of its type that is near enough (a regroup phase).
    Merge,
    /// Let an enemy turn or change formation in its fire zone without firing at it (in the enemy's formation
    /// phase).
    HoldFire,
}

/// Which way a unit faces after a change of formation that leaves this open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TowardsName {
    /// Towards the enemy that the row considers.
    #[default]
    Enemy,
    /// Away from that enemy.
    Away,
    /// The way it already faces.
    Ahead,
}

/// Which enemy a doctrine row considers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OfName {
    /// The nearest enemy.
    #[default]
    Nearest,
    /// Any enemy: the nearest of those for which the row's condition is true. In charge and fire phases, only enemies that
    /// can be charged or shot at; in other phases, only those that are not broken.
    Any,
}

/// One row of a doctrine.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DoctrineRowWire {
    /// Its name.
    pub id: String,
    /// The phase to which it belongs.
    pub phase: String,
    /// When it applies. Reads `self`, `foe` (the nearest enemy that is not broken) and `distance`. Default: always.
    #[serde(default)]
    pub when: Option<String>,
    /// What the unit does.
    #[serde(rename = "do")]
    pub order: OrderName,
    /// Which enemy it considers. `any` only in formation, charge, move, fire and orders phases.
    #[serde(default)]
    pub of: OfName,
    /// Whether this order is given in addition to that of the previous row, for the same enemy. Only in formation and
    /// move phases.
    #[serde(default)]
    pub also: bool,
    /// The total number of figures deployed, for `detach`. Default: as many as allowed.
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
    /// Which way to face afterwards, for `form`, if the change leaves this open: when guns limber or unlimber, and when
    /// a unit leaves a formation that faces in all directions. Default: towards the enemy.
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
    /// The weights for choosing a hex and facing, for `manoeuvre`.
    #[serde(default)]
    pub weigh: Option<WeighWire>,
    /// Marches and wheels, in order, for `path`.
    #[serde(default)]
    #[schemars(length(max = 8))]
    pub legs: Vec<LegWire>,
}

/// A list of orders that stands in for a player: for each unit and phase, the first row that applies.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DoctrineWire {
    /// Its name in reports.
    pub title: String,
    /// The rows. The first that applies gives the order.
    pub row: Vec<DoctrineRowWire>,
    /// The doctrines that other players follow, by player, such as `beginner = "stand-plainly"`. A study selects one
    /// with `player`. Every doctrine has the players `default`, which follows it, and `random`. `best` names the
    /// doctrine from whose orders perfect players choose; by default, they choose from the orders of this doctrine.
    #[serde(default)]
    pub players: BTreeMap<String, String>,
    /// The order in which the side gives up its units, if `casualties` leaves the choice to it: unit types, and
    /// `"sustain"` for every unit that would survive one hit. By default, and for types that are not named, the phase
    /// decides.
    #[serde(default)]
    pub gives_up: Option<Vec<String>>,
    /// The order in which the side picks off enemy units, if `casualties` leaves the choice to it.
    #[serde(default)]
    pub picks_off: Option<Vec<String>>,
    /// Which side its units attack in `exchange` phases, if there are several enemies and no terrain: the one with the
    /// highest value of this formula. Reads `self`, the turn, `army` and, for the side in question, `enemy`. Default:
    /// 0. Dice break ties.
    #[serde(default)]
    pub attacks: Option<String>,
    /// Which unit the side activates first, if units go one at a time: the one with the highest value of this formula.
    /// Reads `self` and the nearest `foe`. By default, and in case of a tie: the unit nearest to the enemy.
    #[serde(default)]
    pub activates: Option<String>,
}
