//! Marches: the sequences of steps and turns that a unit may make (clauses I.A-3 to I.B.3).
//!
//! A march is built act by act. An act that breaks a provision is refused, and the provision is reported. A player who
//! directs a unit and the search for every place that it can reach use the same transitions.

use grognard_rules::model::{HexRules, OFF_BOARD, Provides};

use crate::geometry::hex::arc;
use crate::geometry::plane::Arc;

/// One thing that a moving unit does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// A step in a direction, 0 to 5, with the facing kept.
    Step(u8),
    /// A free turn to the next spine: 1 is counter-clockwise and -1 clockwise. Other numbers are turns that are not
    /// allowed.
    Turn(i8),
    /// A turn to this facing that costs a hex of the move.
    Pivot(u8),
}

/// A provision that an act would break.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// The kind of provision.
    pub deed: Provides,
    /// Its clauses.
    pub cite: Vec<String>,
}

/// The part of a unit's pattern of moves and turns that earlier moves of the turn have used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Begun {
    /// Whether it has moved a hex.
    pub stepped: bool,
    /// Whether it has taken a free turn since its last hex.
    pub turned: bool,
    /// Whether it turned before its first hex.
    pub turned_first: bool,
}

/// The options of a unit in its move.
#[derive(Clone, Copy, Debug)]
pub struct Motion {
    /// The number of hexes that it may move.
    pub allowance: u8,
    /// The number of extra hexes (or paid turns) allowed if the move ends with an enemy in a front hex.
    pub charge: u8,
    /// The number of free turns without moving.
    pub standing: u8,
    /// The number of free turns with each hex.
    pub turns: u8,
    /// The maximum number of spines of a turn that costs a hex; 0 if there is no such turn.
    pub pivot: u8,
    /// Whether steps go into front hexes only.
    pub front: bool,
    /// Whether steps to flanks and rear are also allowed.
    pub aside: bool,
    /// Whether a unit that takes such a step must keep its facing.
    pub keeps: bool,
    /// Whether it keeps to one pattern of moves and turns.
    pub pattern: bool,
    /// The part of its pattern that earlier moves of the turn have used.
    pub begun: Begun,
    /// Whether it has a facing.
    pub faces: bool,
    /// Whether it may move through friends.
    pub pass: bool,
    /// Whether it is a leader alone in his hex.
    pub alone: bool,
    /// Hexes occupied by friends, by enemies and by its own lone leaders, and hexes that are closed to it or stop it.
    pub(crate) friends: u128,
    pub(crate) enemies: u128,
    pub(crate) leaders: u128,
    pub(crate) barred: u128,
    pub(crate) halting: u128,
}

impl Motion {
    /// The march at the start of this move.
    pub(crate) const fn start(&self, hex: u8, facing: u8) -> March {
        let Begun { stepped, turned, turned_first } = self.begun;
        March { stepped, turned: turned as u8, turned_first, ..March::new(hex, facing) }
    }

    /// The hexes in which a move ends, because of their terrain or because of units that the moving unit could join.
    /// Only a lone leader passes through units that he could join.
    pub(crate) const fn stops(&self) -> u128 {
        self.halting | if self.alone && self.pass { 0 } else { self.leaders }
    }

    /// Whether a unit that has spent this many points may spend another one, if only for a charge.
    const fn goes_beyond(&self, spent: u8) -> bool {
        spent < self.allowance + self.charge
    }

    /// The options without steps aside.
    pub(crate) const fn ahead(&self) -> Self {
        Self { aside: false, ..*self }
    }

    /// The options for a move with steps aside.
    pub(crate) const fn aside(&self) -> Self {
        if self.aside && self.keeps { Self { standing: 0, turns: 0, pivot: 0, ..*self } } else { *self }
    }
}

/// The state of a march so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct March {
    /// The hex.
    pub hex: u8,
    /// The facing.
    pub facing: u8,
    /// The number of points spent, on hexes moved and turns paid for.
    pub spent: u8,
    /// The number of hexes moved.
    pub steps: u8,
    /// Whether an earlier move of the turn has moved a hex.
    pub stepped: bool,
    /// The number of free turns since the last step.
    pub turned: u8,
    /// Whether it turned before its first step. If so, every turn must come before a step.
    pub turned_first: bool,
    /// Whether it has turned at all.
    pub wheeled: bool,
    /// Whether it has stepped into a flank or rear hex.
    pub aside: bool,
    /// Whether it can go no further.
    pub halted: bool,
}

impl March {
    /// A march that has not begun.
    #[must_use]
    pub const fn new(hex: u8, facing: u8) -> Self {
        Self {
            hex,
            facing,
            spent: 0,
            steps: 0,
            stepped: false,
            turned: 0,
            turned_first: false,
            wheeled: false,
            aside: false,
            halted: false,
        }
    }

    /// The march after one more act.
    ///
    /// # Errors
    /// The provision that the act would break.
    pub fn then(self, hex: &HexRules, motion: &Motion, act: Act) -> Result<Self, Provides> {
        match act {
            Act::Step(direction) => self.step(hex, motion, direction % 6),
            Act::Turn(spines) => self.turn(motion, spines),
            Act::Pivot(to) => self.pivot(motion, to % 6),
        }
    }

    fn step(mut self, hex: &HexRules, motion: &Motion, direction: u8) -> Result<Self, Provides> {
        if self.halted || !motion.goes_beyond(self.spent) {
            return Err(Provides::Move);
        }
        let ahead = !motion.faces || !motion.front || arc(direction, self.facing) == Arc::Front;
        if !ahead {
            if !motion.aside {
                return Err(Provides::Step);
            }
            if motion.keeps && self.wheeled {
                return Err(Provides::KeepFacing);
            }
            self.aside = true;
        }
        let to = hex.grid.near(self.hex, direction);
        let bit = 1_u128.checked_shl(u32::from(to)).unwrap_or(0);
        let taken = motion.enemies | motion.barred | if motion.pass { 0 } else { motion.friends };
        if to == OFF_BOARD || taken & bit != 0 {
            return Err(Provides::Pass);
        }
        if self.stands() {
            self.turned_first = self.turned > 0;
        }
        self.hex = to;
        self.spent += 1;
        self.steps += 1;
        self.turned = 0;
        self.halted = motion.stops() & bit != 0;
        Ok(self)
    }

    fn turn(mut self, motion: &Motion, spines: i8) -> Result<Self, Provides> {
        if !motion.faces {
            return Err(Provides::Facing);
        }
        if motion.keeps && self.aside {
            return Err(Provides::KeepFacing);
        }
        let by = spines.unsigned_abs();
        self.facing = (i16::from(self.facing) + i16::from(spines)).rem_euclid(6) as u8;
        if self.stands() {
            // This may still become the first turn of a march that turns before it moves.
            let most = motion.standing.max(motion.turns);
            if self.turned + by > most || by == 0 {
                return Err(Provides::TurnStanding);
            }
        } else {
            if by > motion.turns || by == 0 {
                return Err(Provides::TurnMoving);
            }
            // One turn between steps fits both patterns. A second turn in the same hex fits neither, and a turn at the
            // end does not fit a march that turned first.
            if self.turned + by > motion.turns {
                return Err(if motion.pattern { Provides::Pattern } else { Provides::TurnMoving });
            }
            if motion.pattern && self.turned_first && !self.goes_on(motion) {
                return Err(Provides::Pattern);
            }
        }
        self.turned += by;
        self.wheeled = true;
        Ok(self)
    }

    /// Whether the unit has not moved a hex in this turn.
    const fn stands(&self) -> bool {
        self.steps == 0 && !self.stepped
    }

    fn goes_on(&self, motion: &Motion) -> bool {
        !self.halted && motion.goes_beyond(self.spent)
    }

    fn pivot(mut self, motion: &Motion, to: u8) -> Result<Self, Provides> {
        if motion.pivot == 0 || !motion.faces || self.halted || !motion.goes_beyond(self.spent) {
            return Err(Provides::Pivot);
        }
        if motion.keeps && self.aside {
            return Err(Provides::KeepFacing);
        }
        let round = (to + 6 - self.facing) % 6;
        if round == 0 || round.min(6 - round) > motion.pivot {
            return Err(Provides::Pivot);
        }
        self.facing = to;
        self.spent += 1;
        self.wheeled = true;
        Ok(self)
    }

    /// Whether the unit may stay there.
    ///
    /// # Errors
    /// The provision that this would break.
    pub fn ends(&self, hex: &HexRules, motion: &Motion) -> Result<(), Provides> {
        let bit = 1_u128 << self.hex;
        if motion.friends & bit != 0 {
            return Err(Provides::Pass);
        }
        if self.stands() {
            if self.turned > motion.standing {
                return Err(Provides::TurnStanding);
            }
        } else if motion.pattern && self.turned > 0 && self.turned_first {
            // A turn at the end goes with the last hex moved, but the march used up one turn before its first hex.
            return Err(Provides::Pattern);
        }
        if self.spent > motion.allowance {
            let touches = (0..6).any(|direction| {
                let near = hex.grid.near(self.hex, direction);
                let ahead = !motion.faces || arc(direction, self.facing) == Arc::Front;
                ahead && near != OFF_BOARD && motion.enemies >> near & 1 == 1
            });
            if !touches {
                return Err(Provides::Charge);
            }
        }
        Ok(())
    }
}
