//! Compiled sequence of play, reactions, doctrine and victory.

use std::sync::Arc;

use super::{
    Bearer, Casualties, DoctrineId, Effect, FormationId, LastTurn, Leg, Points, Regroup, Resolution, RollId, Source,
    Table,
};
use grognard_expr::{Expr, Lookup};
use grognard_roll::RollTable;

pub use crate::wire::{By as Whose, EventName as Trigger, LimitName as Limit};

/// The kind of playing area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Board {
    /// A table; `arc` is the angle of the front arc in tenths of a degree.
    Plane {
        /// The playing area.
        table: Table,
        /// Tenths of a degree from straight ahead to the edge of the front arc, at each front corner.
        arc: u16,
    },
    /// Hexes: see [`super::Rules::hex`].
    Hex,
    /// Nothing: the units are simply in contact.
    None,
}

/// The site of the dice of something that rolls, within a half-turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Site {
    /// Its number among everything that rolls: the purpose of its dice.
    pub purpose: u8,
    /// The phase in which it is rolled most, an index into [`Rules::phases`](super::Rules::phases). In other phases, it
    /// uses other random words.
    pub home: u8,
}

/// The site of the dice of players who choose at random. It has no home phase.
pub const AT_RANDOM: Site = Site { purpose: grognard_dice::PURPOSES / 2 - 1, home: u8::MAX };

/// The number of orders that a side may give in its half of a turn.
#[derive(Debug)]
pub enum Activation {
    /// Every unit may act.
    All,
    /// A fixed number.
    Orders(u16),
    /// The total of dice.
    Dice {
        /// The dice; a class of the table is the number of orders.
        odds: Box<RollTable>,
        /// The site of its dice.
        site: Site,
        /// Its source.
        source: Source,
    },
}

/// What a phase does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mechanism {
    /// Formation and facing changes.
    Formation,
    /// Charges declared, answered and moved to contact.
    Charge,
    /// Moves.
    Move,
    /// Fire with this roll.
    Fire(RollId),
    /// Shock between units in contact, with this roll.
    Shock(RollId),
    /// This roll against the nearest enemy.
    Exchange(RollId),
    /// This roll by every unit that qualifies.
    Test(RollId),
    /// Units split and merge.
    Regroup,
    /// Combats resolved.
    Resolve,
    /// This roll by a side as a whole.
    Army(RollId),
    /// Orders one at a time, each an act with its cost.
    Orders,
    /// Fire of the units that have a firing marker, with this roll.
    Volley(RollId),
    /// The resolution of marked charges, with this roll by the principal charger.
    Onset(RollId),
    /// Flight of broken units.
    Flight,
    /// Cards played and orders given.
    Command,
    /// Close combat, according to the provisions.
    CloseCombat,
}

/// The units over which fire is allowed.
#[derive(Clone, Debug)]
pub struct Over {
    /// 1 if a unit fires over friends at a target.
    pub friends: Option<Lookup>,
    /// The minimum distance of these friends from the target, in hundredths of an inch.
    pub clear: i32,
    /// 1 if a unit fires over any unit and any terrain at a target.
    pub anybody: Option<Lookup>,
    /// Its source.
    pub source: Source,
}

/// A shot that hits every unit under a template.
#[derive(Debug)]
pub struct Template {
    /// Hundredths of an inch from its middle to its edge, or hexes.
    pub radius: i32,
    /// 1 for a unit that fires this way; `None` means always.
    pub when: Option<Lookup>,
    /// The scatter of the shot; `None` means none.
    pub scatter: Option<Scatter>,
    /// Whether it also hits friends.
    pub friends: bool,
    /// Its source.
    pub source: Source,
}

/// A shot that goes through its target and hits the units behind it too.
#[derive(Debug)]
pub struct Through {
    /// Hundredths of an inch, or hexes, that it goes beyond the middle of its target; `None` means to the range of the
    /// unit.
    pub beyond: Option<i32>,
    /// 1 for a unit that fires this way; `None` means always.
    pub when: Option<Lookup>,
    /// The roll against each unit behind the target; `None` means that of the phase.
    pub roll: Option<RollId>,
    /// The maximum number of units behind the target that it hits.
    pub most: u8,
    /// Whether it also hits friends.
    pub friends: bool,
    /// Its source.
    pub source: Source,
}

/// How far a shot scatters, and in which direction.
#[derive(Debug)]
pub struct Scatter {
    /// The dice for the distance; a class of the table is what they show.
    pub distance: RollTable,
    /// Hundredths of an inch, or hexes, for each point that they show.
    pub each: i32,
    /// A die for the direction, clockwise from 1, straight on.
    pub direction: RollTable,
    /// The number of directions.
    pub directions: u16,
    /// The site of both, the distance first.
    pub site: Site,
    /// Its source.
    pub source: Source,
}

/// A phase of the sequence of play.
#[derive(Clone, Debug)]
pub struct Phase {
    /// Its name in the pack.
    pub id: String,
    /// Its name in the narration.
    pub title: String,
    /// What it does.
    pub mechanism: Mechanism,
    /// The site of its dice. Unused if it takes no roll.
    pub site: Site,
    /// 1 if a unit takes part; `None` means always.
    pub when: Option<Lookup>,
    /// The units over which fire is allowed.
    pub over: Option<Over>,
    /// The template of one shot; `None` means only its target.
    pub template: Option<Arc<Template>>,
    /// Which shots go through their target; `None` means no shot does.
    pub through: Option<Arc<Through>>,
    /// Whether all its rolls are taken before any result is applied.
    pub simultaneous: bool,
    /// Which units take the losses; `None` means the enemy that a roll is taken against.
    pub casualties: Option<Arc<Casualties>>,
    /// How units split and merge; `None` means they do not.
    pub regroup: Option<Arc<Regroup>>,
    /// What decides combats; `None` means it resolves none.
    pub resolution: Option<Arc<Resolution>>,
    /// Clauses that require return fire.
    pub answer: Source,
    /// The source of the rule that firing markers without a target are removed.
    pub idle: Source,
    /// The sides whose units take part.
    pub by: Whose,
    /// Whether it takes place in the first and in the second side's half of the turn.
    pub halves: [bool; 2],
    /// Its source.
    pub source: Source,
    /// The sources of individual acts, for a formation or charge phase.
    pub sources: PhaseSource,
}

/// The sources of the acts of a formation or charge phase.
#[derive(Clone, Debug, Default)]
pub struct PhaseSource {
    /// A change of formation.
    pub forms: Source,
    /// A change into or out of a formation with all-round facing.
    pub alters: Source,
    /// A turn.
    pub turns: Source,
    /// The rule against a second change.
    pub spent: Source,
    /// Taking the position of an enemy that has fled.
    pub takes: Source,
}

/// A reaction: what a unit does at once when something triggers it.
#[derive(Clone, Debug)]
pub struct Reaction {
    /// Its name in the pack.
    pub id: String,
    /// Its name in the narration.
    pub title: String,
    /// What triggers it.
    pub on: Trigger,
    /// Index of the roll it takes, if it takes one.
    pub roll: Option<RollId>,
    /// What happens to the unit, if there is no roll.
    pub own: Effect,
    /// What happens to the unit that triggered it, if there is no roll.
    pub foe: Effect,
    /// The site of its dice.
    pub site: Site,
    /// 1 if it happens; `None` means always.
    pub when: Option<Lookup>,
    /// Its source.
    pub source: Source,
}

/// How units move and charge.
#[derive(Clone, Debug)]
pub struct Movement {
    /// Units no wider than this, in hundredths of an inch, take any heading without a wheel.
    pub narrow: i32,
    /// 1 if such a unit does so; `None` means always.
    pub narrow_when: Option<Lookup>,
    /// The distance that units which do not charge keep from the enemy, in hundredths of an inch.
    pub gap: i32,
    /// 1 if a unit may charge a target; `None` means always.
    pub charge: Option<Lookup>,
    /// Whether a wheel is measured at the middle of the front edge, which sweeps half the arc of the outer corner.
    pub wheel_by_middle: bool,
    /// Units no further apart than this, in hundredths of an inch, touch.
    pub touch: i32,
    /// The source of that distance.
    pub touch_source: Source,
    /// The greatest distance, in hundredths of an inch, by which touching enemies are moved to stay in touch with a
    /// unit that changes formation.
    pub nudge: i32,
    /// The source of that distance.
    pub nudge_source: Source,
    /// The source of the rule that units given orders pass through friends.
    pub passing: Source,
    /// The source of the rule that units which lose figures keep contact; `None` if they do not.
    pub closes_up: Option<Source>,
    /// Hundredths of an inch added to an ordered move that never leaves a road, and the source.
    pub road: Option<(i32, Source)>,
    /// Conditions that halve the move of units under orders.
    pub half: Option<Rates>,
    /// Tenths of a degree to either side that count as straight ahead, and the source; `None` means all directions do.
    pub ahead: Option<(i32, Source)>,
    /// The conditions that bar the way to units that move without an order.
    pub bar: Option<Rates>,
    /// When units may be ordered out of contact.
    pub leave: Option<Rates>,
    /// The source of the rule that units wheel.
    pub wheel_source: Source,
    /// The source of the rule that narrow units need not wheel.
    pub narrow_source: Source,
    /// The source of the rule on who may charge.
    pub charge_source: Source,
    /// Its source.
    pub source: Source,
}

/// A condition on some moves.
#[derive(Clone, Debug)]
pub struct Rate {
    /// Its name in the pack.
    pub id: String,
    /// Its source.
    pub source: Source,
}

/// Rows for moves. The first row that applies to a move counts.
#[derive(Clone, Debug)]
pub struct Rates {
    /// The rows.
    pub rows: Vec<Rate>,
    /// The index of the first row that applies; the number of rows if none does.
    pub first: Lookup,
}

/// What a doctrine orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Nothing.
    Hold,
    /// Change to this formation.
    Form(FormationId),
    /// Turn to the nearest enemy.
    Face,
    /// Turn by this many tenths of a degree, clockwise.
    Turn(i16),
    /// Bend along linear terrain.
    Bend,
    /// Charge the nearest enemy.
    Charge,
    /// Move towards the nearest enemy until this many hundredths of an inch away.
    Advance(i32),
    /// Move away from the nearest enemy.
    Withdraw,
    /// Deploy skirmishers, this many in all; 0 means as many as allowed.
    Detach(u16),
    /// Recall the skirmishers.
    Recall,
    /// Fight on foot from now on.
    Dismount,
    /// For a screen: move to this many hundredths of an inch in front of its unit.
    Screen(i32),
    /// Stay this many hundredths of an inch behind the friend that it follows.
    Follow(i32),
    /// Join a friendly square that it touches.
    Join,
    /// Leave the square it is in.
    Leave,
    /// March along the road, or straight ahead if there is none.
    March,
    /// Move towards the nearest objective.
    Seize,
    /// Follow the legs of the row.
    Path,
    /// Fire at the best target.
    Fire,
    /// Split some of its figures off as a separate unit.
    Split,
    /// Join a friend of its type.
    Merge,
    /// Move until it touches the enemy.
    Contact,
    /// Move without turning.
    Shift {
        /// Degrees clockwise from straight ahead.
        bearing: u16,
        /// Hundredths of an inch.
        by: i32,
    },
    /// Stop firing.
    Cease,
    /// Rally.
    Rally,
    /// Remove an enemy that it touches from the battle.
    Spike,
    /// Pursue the enemy it put to flight.
    Pursue,
    /// Take the position of the enemy that it put to flight.
    Occupy,
    /// Move to the place with the highest value.
    Manoeuvre(Weigh),
    /// Attack in close combat.
    Attack,
    /// Accept this decision when it comes up.
    Choose(Choice),
}

/// The direction that a unit faces after a change of formation that leaves it open.
pub type Towards = crate::wire::TowardsName;

/// The value of a place to a unit that may move there.
pub type Weigh = crate::wire::WeighWire;

/// A decision in the middle of a combat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Choice {
    /// To turn towards an attack.
    React,
    /// To evade it.
    Evade,
    /// To turn a hit into a flag.
    GiveGround,
    /// To turn a flag into a hit.
    StandFast,
    /// To enter a hex that was cleared, or to move on from there.
    FollowUp,
    /// To play the card that strikes first.
    StrikeFirst,
    /// To call its general to join it.
    Lead,
    /// To hold fire at an enemy that changes formation in the unit's fire zone.
    HoldFire,
    /// To be driven back by a flag that may be ignored.
    HeedFlag,
}

/// The number of decisions.
pub const CHOICES: usize = 9;

/// A row of a doctrine, for narration.
#[derive(Clone, Debug)]
pub struct DoctrineRow {
    /// Its name in the pack.
    pub id: String,
    /// What it orders.
    pub order: Order,
    /// Whether it considers any enemy, not just the nearest.
    pub of_any: bool,
    /// For a row ordered in addition to the row before it: 1 if it is ordered. `None` means it is not such a row.
    pub also: Option<Lookup>,
    /// In an orders phase, the act that carries it out, an index into [`super::Rules::acts`].
    pub act: Option<u8>,
    /// When it applies; `None` means always. Used for rows that are tried after another row was refused.
    pub when: Option<Expr>,
    /// The legs of its path, if it orders one.
    pub legs: Vec<Leg>,
    /// The direction that it faces after the change of formation that it orders.
    pub towards: Towards,
    /// The units to which a player may give the order, if the doctrine itself never gives it. `None` means the row is
    /// the doctrine's own.
    pub offered: Option<Offered>,
}

/// The units to which a player may give an order for which the doctrine has no row.
#[derive(Clone, Debug, Default)]
pub struct Offered {
    /// For each unit type, whether its units may receive the order.
    pub kinds: Vec<bool>,
    /// 1 if such a unit may receive it against an enemy; `None` means always.
    pub who: Option<Lookup>,
}

/// A doctrine's rows for one phase.
#[derive(Clone, Debug)]
pub struct Decisions {
    /// Its rows, in order.
    pub rows: Vec<DoctrineRow>,
    /// The index of the first row that applies for the nearest enemy; the number of rows if none does.
    pub first: Lookup,
    /// Its rows that consider any enemy; `None` if there are none.
    pub any: Option<OfAny>,
}

/// The rows of a doctrine for one phase that consider any enemy.
#[derive(Clone, Debug)]
pub struct OfAny {
    /// The index of the first of them among all rows.
    pub from: usize,
    /// The index among all rows of the first of them that applies to an enemy; the number of all rows if none does.
    pub first: Lookup,
}

/// The orders that stand in for a player.
#[derive(Clone, Debug)]
pub struct Doctrine {
    /// Its name in the pack.
    pub id: String,
    /// Its name in reports.
    pub title: String,
    /// Whether it ever deploys skirmishers.
    pub detaches: bool,
    /// Whether it ever lets units join or leave squares.
    pub joins: bool,
    /// By phase.
    pub phases: Vec<Decisions>,
    /// By phase and decision: not 0 if it is taken; `None` means never.
    pub choices: Vec<[Option<Lookup>; CHOICES]>,
    /// By phase and decision that the doctrine never takes: the units for which a player may take it; `None` means no
    /// unit.
    pub asked: Vec<[Option<Offered>; CHOICES]>,
    /// The doctrines of other players, by the player's name; indices into
    /// [`Rules::doctrines`](super::Rules::doctrines).
    pub players: Vec<(String, DoctrineId)>,
    /// The doctrine whose orders its perfect player chooses from, an index into
    /// [`Rules::doctrines`](super::Rules::doctrines); `None` means its own.
    pub best: Option<DoctrineId>,
    /// The units its side sacrifices first, if the rules leave the choice to it; empty for the phase's own order.
    pub gives_up: Vec<Bearer>,
    /// The units it picks off first.
    pub picks_off: Vec<Bearer>,
    /// The enemy side for which this is greatest is attacked, on boards without ground; `None` means all are equal.
    pub attacks: Option<Lookup>,
    /// The unit for which this is greatest is activated first, if units go one at a time; `None` means the one nearest
    /// to the enemy.
    pub activates: Option<Lookup>,
}

/// The player who follows the doctrine that a study names.
pub const DEFAULT_PLAYER: &str = "default";
/// The player who chooses at random among all orders on offer, all equally likely.
pub const RANDOM_PLAYER: &str = "random";
/// The player who makes the best decision in every situation.
pub const BEST_PLAYER: &str = "best";

/// When a battle is over, and who wins.
#[derive(Clone, Debug)]
pub struct Victory {
    /// A side is beaten when this percentage of its units is broken or gone.
    pub broken: u8,
    /// 1 if a unit counts as lost; `None` means if it is broken.
    pub lost: Option<Lookup>,
    /// 1 if a unit counts half; `None` means no unit does.
    pub half: Option<Lookup>,
    /// Whether defeat is checked at the end of a half-turn instead of after each phase.
    pub at_half: bool,
    /// The number of lost units at which a side is beaten immediately.
    pub banners: Option<u8>,
    /// Who wins at the turn limit.
    pub limit: Limit,
    /// What scores points for sides; `None` means there are no points.
    pub points: Option<Arc<Points>>,
    /// The last turn, if dice decide it.
    pub last: Option<Arc<LastTurn>>,
    /// Its source.
    pub source: Source,
}
