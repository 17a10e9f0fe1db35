//! States of a battle as keys of a few numbers, to store large numbers of them.

mod interner;
mod layer;

use crate::state::{Acting, Allowance, Battle, Cards, Command, General, Holdings, Places, Side, Unit};

pub use interner::{Full, Interner, hash_of};
pub use layer::Layer;

/// Every state seen so far, in parts: its units, and a frame with the rest.
///
/// Two states have the same key exactly if they are equal ([`Battle`]'s own `Eq`).
#[derive(Clone, Debug)]
pub struct States {
    frames: Interner<Frame>,
    units: Interner<Unit>,
    /// Numbers in a key: the frame's, then one for each unit.
    width: usize,
    /// Heap bytes of the frames.
    beside: usize,
}

/// Parts of states that are missing from [`States`], found by a thread with read-only access to it.
#[derive(Clone, Debug, Default)]
pub struct Finds {
    frames: Interner<Frame>,
    units: Interner<Unit>,
}

/// The number of parts that were known at some point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    frames: u32,
    units: u32,
}

/// A battle without its units.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Frame {
    turn: u8,
    active: Side,
    phase: u8,
    orders: Allowance,
    places: Places,
    out: u8,
    idle: u8,
    commands: Box<[Command]>,
    generals: Box<[General]>,
    /// `None` without cards.
    cards: Option<Box<Cards>>,
    /// `None` if no side holds anything.
    points: Option<Box<Holdings>>,
    acting: Option<Box<Acting>>,
}

/// Approximate bytes per item in the table of an interner.
const ENTRY: usize = 8;

impl Frame {
    fn of(battle: &Battle) -> Self {
        // Destructured by name, so that a new field of the state cannot be forgotten here.
        let &Battle {
            turn,
            active,
            phase,
            orders,
            places,
            out,
            idle,
            ref commands,
            ref generals,
            cards,
            ref points,
            ref acting,
            units: _,
        } = battle;
        let cards = (cards != Cards::default()).then(|| Box::new(cards));
        let (commands, generals) = (commands.as_slice().into(), generals.as_slice().into());
        let points = (*points != Holdings::default()).then(|| Box::new(points.clone()));
        let acting = acting.clone();
        Self { turn, active, phase, orders, places, out, idle, commands, generals, cards, points, acting }
    }

    /// Whether this is the frame of `battle`.
    fn is_of(&self, battle: &Battle) -> bool {
        let Self { turn, active, phase, orders, places, out, idle, commands, generals, cards, points, acting } = self;
        (*turn, *active, *phase, *orders, *places, *out, *idle)
            == (battle.turn, battle.active, battle.phase, battle.orders, battle.places, battle.out, battle.idle)
            && *acting == battle.acting
            && **commands == *battle.commands
            && **generals == *battle.generals
            && points.as_deref().map_or_else(|| battle.points == Holdings::default(), |points| *points == battle.points)
            && cards.as_deref().map_or_else(|| battle.cards == Cards::default(), |cards| *cards == battle.cards)
    }

    fn restore(&self, battle: &mut Battle) {
        let &Self {
            turn,
            active,
            phase,
            orders,
            places,
            out,
            idle,
            ref commands,
            ref generals,
            ref cards,
            ref points,
            ref acting,
        } = self;
        battle.acting.clone_from(acting);
        match points.as_deref() {
            Some(points) => battle.points.clone_from(points),
            None => battle.points = Holdings::default(),
        }
        (battle.turn, battle.active, battle.phase, battle.orders) = (turn, active, phase, orders);
        (battle.places, battle.out, battle.idle) = (places, out, idle);
        battle.cards = cards.as_deref().copied().unwrap_or_default();
        battle.commands.clear();
        battle.commands.extend(commands.iter().copied());
        battle.generals.clear();
        battle.generals.extend(generals.iter().copied());
    }

    /// The heap bytes of the frame.
    fn beside(&self) -> usize {
        let cards = self.cards.as_ref().map_or(0, |_| size_of::<Cards>());
        let points = self.points.as_ref().map_or(0, |_| size_of::<Holdings>());
        let acting = self.acting.as_ref().map_or(0, |_| size_of::<Acting>());
        size_of_val(&*self.commands) + size_of_val(&*self.generals) + cards + points + acting
    }
}

impl States {
    /// No states, for battles with as many units as `start`.
    #[must_use]
    pub fn of(start: &Battle) -> Self {
        Self { frames: Interner::default(), units: Interner::default(), width: start.units.len() + 1, beside: 0 }
    }

    /// Numbers in a key.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Writes the key of `battle` into `key`. This is faster if `key` already has the key of a similar state.
    ///
    /// # Errors
    ///
    /// If there are more distinct units or frames than 32-bit numbers. The key is then invalid.
    ///
    /// # Panics
    ///
    /// If the battle has a different number of units from the one these states are for. Units that are gone stay in the
    /// list.
    pub fn take_apart(&mut self, battle: &Battle, key: &mut Vec<u32>) -> Result<(), Full> {
        assert_eq!(battle.units.len() + 1, self.width, "units that are gone stay in the battle's list");
        key.resize(self.width, 0);
        if !self.frames.items().get(key[0] as usize).is_some_and(|frame| frame.is_of(battle)) {
            key[0] = self.number_of_frame(battle)?;
        }
        for (number, unit) in key[1..].iter_mut().zip(&battle.units) {
            if !self.units.is(*number, unit) {
                *number = self.units.number(unit)?;
            }
        }
        Ok(())
    }

    /// Writes the key of `battle` into `key` without adding to these states: new parts go to `finds`. Such a key is
    /// valid once [`States::adopt`] has changed it. This is faster if `key`, or `like`, has the key of a similar state.
    ///
    /// # Errors
    ///
    /// If there are more distinct units or frames than 32-bit numbers. The key is then invalid.
    ///
    /// # Panics
    ///
    /// As for [`States::take_apart`].
    pub fn take_apart_beside(
        &self,
        finds: &mut Finds,
        battle: &Battle,
        key: &mut Vec<u32>,
        like: &[u32],
    ) -> Result<(), Full> {
        assert_eq!(battle.units.len() + 1, self.width, "units that are gone stay in the battle's list");
        key.resize(self.width, 0);
        if !self.frames.item_beside(&finds.frames, key[0]).is_some_and(|frame| frame.is_of(battle)) {
            key[0] = self.frames.number_beside(&mut finds.frames, &Frame::of(battle))?;
        }
        for ((number, &like), unit) in key[1..].iter_mut().zip(&like[1..]).zip(&battle.units) {
            if self.units.is(like, unit) {
                *number = like;
            } else if self.units.item_beside(&finds.units, *number) != Some(unit) {
                *number = self.units.number_beside(&mut finds.units, unit)?;
            }
        }
        Ok(())
    }

    /// Gives numbers to the parts in `finds`, and writes them into the keys that were made with it. `finds` is empty
    /// afterwards. `known` is the value of [`States::known`] when the keys were made.
    ///
    /// # Errors
    ///
    /// If there are more distinct units or frames than 32-bit numbers. The keys are then invalid.
    pub fn adopt(&mut self, finds: &mut Finds, known: Known, keys: &mut [u32]) -> Result<(), Full> {
        let frames =
            finds.frames.items().iter().map(|frame| self.number_of(frame)).collect::<Result<Vec<u32>, Full>>()?;
        let units =
            finds.units.items().iter().map(|unit| self.units.number(unit)).collect::<Result<Vec<u32>, Full>>()?;
        finds.frames.clear();
        finds.units.clear();
        if frames.is_empty() && units.is_empty() {
            return Ok(());
        }
        let rename = |number: &mut u32, from: u32, numbers: &[u32]| {
            if let Some(found) = number.checked_sub(from) {
                *number = numbers[found as usize];
            }
        };
        for key in keys.chunks_exact_mut(self.width) {
            rename(&mut key[0], known.frames, &frames);
            key[1..].iter_mut().for_each(|number| rename(number, known.units, &units));
        }
        Ok(())
    }

    /// The number of parts known now.
    #[must_use]
    pub fn known(&self) -> Known {
        Known { frames: self.frames.items().len() as u32, units: self.units.items().len() as u32 }
    }

    fn number_of_frame(&mut self, battle: &Battle) -> Result<u32, Full> {
        self.number_of(&Frame::of(battle))
    }

    fn number_of(&mut self, frame: &Frame) -> Result<u32, Full> {
        let frames = self.frames.items().len();
        let number = self.frames.number(frame)?;
        if self.frames.items().len() > frames {
            self.beside += frame.beside();
        }
        Ok(number)
    }

    /// The current turn of the battle with this key.
    ///
    /// # Panics
    ///
    /// May panic if the key is not that of one of these states. If it does not, the turn is wrong.
    #[must_use]
    pub fn turn(&self, key: &[u32]) -> u8 {
        self.frames.items()[key[0] as usize].turn
    }

    /// Changes the key of a battle to that of the same battle in another turn.
    ///
    /// # Errors
    ///
    /// If there are more distinct frames than 32-bit numbers. The key is then invalid.
    pub(super) fn move_to_turn(&mut self, key: &mut [u32], turn: u8) -> Result<(), Full> {
        key[0] = self.number_of(&Frame { turn, ..self.frames.items()[key[0] as usize].clone() })?;
        Ok(())
    }

    /// Restores the state with this key into `battle`.
    ///
    /// # Panics
    ///
    /// May panic if the key is not that of one of these states. If it does not, the battle is wrong.
    pub fn put_together(&self, key: &[u32], battle: &mut Battle) {
        self.frames.items()[key[0] as usize].restore(battle);
        battle.units.clear();
        battle.units.extend(key[1..].iter().map(|&unit| self.units.items()[unit as usize]));
    }

    /// Like [`States::put_together`], but faster, because `battle` is known to have the key `was`.
    ///
    /// Numbers in `was` that are unknown to these states count as numbers of different units.
    ///
    /// # Panics
    ///
    /// As for [`States::put_together`].
    pub fn change(&self, was: &[u32], key: &[u32], battle: &mut Battle) {
        self.frames.items()[key[0] as usize].restore(battle);
        for ((unit, was), &number) in battle.units.iter_mut().zip(&was[1..]).zip(&key[1..]) {
            if *was != number {
                *unit = self.units.items()[number as usize];
            }
        }
    }

    /// The approximate memory use in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.frames.bytes() + self.units.bytes() + self.beside as u64
    }

    /// The approximate number of bytes in use.
    pub(crate) fn filled(&self) -> usize {
        let frames = self.frames.items().len() * (size_of::<Frame>() + ENTRY) + self.beside;
        frames + self.units.items().len() * (size_of::<Unit>() + ENTRY)
    }
}
