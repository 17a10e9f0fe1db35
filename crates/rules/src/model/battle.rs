//! Compiled sequence of play, reactions, doctrine and victory.

use super::{Source, Table};
use crate::expr::Lookup;
use crate::roll::RollTable;

/// What battles are fought on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Board {
    /// A table; `arc` is the angle of the front arc in tenths of a degree.
    Plane {
        /// The playing area.
        table: Table,
        /// Tenths of a degree from straight ahead to the edge of the front arc, at each front corner.
        arc: u16,
    },
    /// Nothing: the units are simply in contact.
    None,
}

/// How many orders a side may give in its half of a turn.
#[derive(Debug)]
pub enum Activation {
    /// Every unit may act.
    All,
    /// So many.
    Orders(u16),
    /// As many as dice show.
    Dice {
        /// The dice; a class of the table is the number of orders.
        odds: Box<RollTable>,
        /// The number of this roll among all: the purpose of its dice.
        site: u8,
        /// Where it comes from.
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
    Fire(u8),
    /// Shock between units in contact, with this roll.
    Shock(u8),
    /// This roll against the nearest enemy.
    Exchange(u8),
    /// This roll by every unit that qualifies.
    Test(u8),
}

/// Whose units take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// The active side's.
    Active,
    /// The other side's.
    Passive,
    /// Both, the active side's first.
    Both,
}

/// A phase of the sequence of play.
#[derive(Clone, Debug)]
pub struct Phase {
    /// Its name in the pack.
    pub id: String,
    /// What narration calls it.
    pub title: String,
    /// What it does.
    pub mechanism: Mechanism,
    /// The number of this phase among all that roll: the purpose of its dice. Unused where it takes no roll.
    pub site: u8,
    /// 1 where a unit takes part; none: always.
    pub when: Option<Lookup>,
    /// Whose units.
    pub by: Whose,
    /// Whether it takes place in the first and in the second side's half of the turn.
    pub halves: [bool; 2],
    /// Where it comes from.
    pub source: Source,
}

/// What sets a reaction off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// A charge declared on the unit.
    Charged,
    /// Figures lost in the phase.
    Losses,
    /// An enemy about to turn in its fire zone.
    TurnsInZone,
    /// An enemy that does not move in its formation about to pivot in its fire zone.
    PivotsInZone,
    /// An enemy about to change formation in its fire zone.
    FormsInZone,
    /// The charge zone of an enemy who charges somebody else.
    Threatened,
}

/// What happens at once when something else happens.
#[derive(Clone, Debug)]
pub struct Reaction {
    /// Its name in the pack.
    pub id: String,
    /// What narration calls it.
    pub title: String,
    /// What sets it off.
    pub on: Trigger,
    /// Index of the roll it takes.
    pub roll: u8,
    /// The number of this reaction among all that roll: the purpose of its dice.
    pub site: u8,
    /// 1 where it happens; none: always.
    pub when: Option<Lookup>,
    /// Where it comes from.
    pub source: Source,
}

/// How units move and charge.
#[derive(Clone, Debug)]
pub struct Movement {
    /// Units no wider than this, in hundredths of an inch, take any heading without a wheel.
    pub narrow: i32,
    /// 1 where such a unit does so; none: always.
    pub narrow_when: Option<Lookup>,
    /// What units that do not charge keep between themselves and the enemy, in hundredths of an inch.
    pub gap: i32,
    /// 1 where a unit may charge a target; none: always.
    pub charge: Option<Lookup>,
    /// Where it comes from.
    pub source: Source,
}

/// What a doctrine orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Nothing.
    Hold,
    /// Change to this formation.
    Form(u8),
    /// Turn to the nearest enemy.
    Face,
    /// Turn by so many tenths of a degree, clockwise.
    Turn(i16),
    /// Charge the nearest enemy.
    Charge,
    /// Move towards the nearest enemy until so many hundredths of an inch away.
    Advance(i32),
    /// Move away from the nearest enemy.
    Withdraw,
    /// March along the road, or straight ahead where there is none.
    March,
    /// Fire at the best target.
    Fire,
}

/// A row of a doctrine, for narration.
#[derive(Clone, Debug)]
pub struct DoctrineRow {
    /// Its name in the pack.
    pub id: String,
    /// What it orders.
    pub order: Order,
    /// Where it is ordered in addition to the row before it: 1 where that is so. None: it is not.
    pub also: Option<Lookup>,
}

/// What stands in for a player.
#[derive(Clone, Debug)]
pub struct Doctrine {
    /// Its name in the pack.
    pub id: String,
    /// What a report calls it.
    pub title: String,
    /// By phase: the rows looked at, and which of them is the first to apply (their number if none does).
    pub phases: Vec<(Vec<DoctrineRow>, Lookup)>,
}

/// Who wins at the turn limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Nobody.
    Draw,
    /// The side that moves first.
    First,
    /// The side that moves second.
    Second,
}

/// When a battle is over and who has won.
#[derive(Clone, Debug)]
pub struct Victory {
    /// Per cent of a side's units which, broken or gone, beat it.
    pub broken: u8,
    /// Who wins at the turn limit.
    pub limit: Limit,
    /// Where it comes from.
    pub source: Source,
}
