//! Events leave a battle only through this module.

mod general;
mod named;

use grognard_dice::Shown;
use grognard_rules::model::{Contestant, FormationId, KindId, Limit, MoraleId, Order, RollId, Rules, Source, Trigger};

use crate::geometry::plane::{Arc, Point};
use crate::situation::objectives::points_now;
use crate::situation::view::View;
use crate::state::{Battle, BySide, CardKind, Outcome, Setup, UnitId};
use crate::step::scratch::{Moment, Scratch};

pub use general::{GeneralEvent, RideFacts, Share};
pub use grognard_rules::model::Rejoin as Why;

/// A witness's view of a battle.
///
/// ```
/// use grognard_engine::{Scene, Side};
///
/// fn strength(scene: Scene<'_>, side: Side) -> u16 {
///     scene.battle.units.iter().filter(|unit| unit.side == side).map(|unit| unit.figures).sum()
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The rules it is fought under.
    pub rules: &'a Rules,
    /// The setup of the battle.
    pub setup: &'a Setup,
    /// Its state at the time of the event.
    pub battle: &'a Battle,
    /// The other facts that conditions read at that time.
    pub(crate) moment: Moment,
}

impl<'a> Scene<'a> {
    /// A scene outside moves and combats.
    ///
    /// ```
    /// use grognard_engine::{Scene, Setup};
    /// use grognard_rules::model::Rules;
    ///
    /// fn at_the_start<'a>(rules: &'a Rules, setup: &'a Setup) -> Scene<'a> {
    ///     Scene::new(rules, setup, &setup.start)
    /// }
    /// ```
    #[must_use]
    pub fn new(rules: &'a Rules, setup: &'a Setup, battle: &'a Battle) -> Self {
        Self { rules, setup, battle, moment: Moment::default() }
    }

    /// The current points of each side; `None` if the pack does not score points.
    ///
    /// ```
    /// use grognard_engine::{Scene, Side};
    ///
    /// fn is_ahead(scene: Scene<'_>) -> bool {
    ///     scene.points().is_some_and(|points| points[Side::First] > points[Side::Second])
    /// }
    /// ```
    #[must_use]
    pub fn points(&self) -> Option<BySide<i32>> {
        let points = self.rules.victory.points.as_ref()?;
        let scratch = Scratch::new();
        Some(points_now(&View::new(self.rules, self.setup, self.battle, &scratch, UnitId(0), None), points))
    }
}

/// Why a roll was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// A phase takes it: an index into [`Rules::phases`].
    Phase(u8),
    /// A reaction takes it: an index into [`Rules::reactions`].
    Reaction(u8),
    /// A provision takes it: an index into [`grognard_rules::model::HexRules::provisions`].
    Provision(u8),
    /// The unit is activated, and tests whether it acts.
    Activation,
    /// The unit is not on the table yet, and tests whether it arrives.
    Arrival,
}

/// A roll that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RollEvent {
    /// Why it was taken.
    pub occasion: Occasion,
    /// The roll, an index into [`Rules::rolls`].
    pub roll: RollId,
    /// Who rolled.
    pub own: UnitId,
    /// The other unit, if any.
    pub foe: Option<UnitId>,
    /// The arcs that the roller and its enemy showed to each other.
    pub exposed: (Arc, Arc),
    /// The distance between them, in hundredths of an inch.
    pub distance: i32,
    /// The inputs from the battle, in the order of [`grognard_rules::model::Roll::inputs`].
    pub inputs: Vec<i32>,
    /// The same before modifiers.
    pub bases: Vec<i32>,
    /// The modifiers that applied: input, then index into [`grognard_rules::model::Roll::modifiers`].
    pub modifiers: Vec<(usize, usize)>,
    /// The faces drawn.
    pub faces: Vec<Shown>,
    /// Its outcome, an index into [`grognard_rules::model::Roll::outcomes`].
    pub outcome: u16,
}

impl RollEvent {
    /// The units for which the conditions of a contestant's modifiers are evaluated: the contestant's unit, and its
    /// enemy.
    pub(crate) fn eyes(&self, by: Contestant) -> (UnitId, Option<UnitId>) {
        match (by, self.foe) {
            (Contestant::Foe, Some(foe)) => (foe, Some(self.own)),
            (_, foe) => (self.own, foe),
        }
    }

    /// The arc that one of the two showed to the other.
    pub(crate) fn shown_by(&self, unit: UnitId) -> Arc {
        if unit == self.own { self.exposed.0 } else { self.exposed.1 }
    }
}

/// Why a unit did not carry out its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// The formation is closed to the unit, or its condition is not true.
    Formation,
    /// It is broken, and changes neither formation nor facing.
    Broken {
        /// Whether it was to turn; otherwise it was to change formation.
        turns: bool,
    },
    /// There is no room.
    NoRoom,
    /// Enemies that touch it cannot be shifted to stay in contact.
    NoShift,
    /// The terrain is closed to units that take it without an order, by this row of
    /// [`grognard_rules::model::Movement::bar`].
    Closed(u8),
    /// The path costs more than its move.
    TooFar,
    /// The enemy is not in its front arc.
    NotInFront,
    /// The enemy is out of reach or another unit is in the way.
    OutOfReach,
    /// The enemy would be in reach, but not after the wheel towards it.
    WheelTooLong,
    /// The act needs contact with the enemy: an index into [`Rules::acts`].
    NoContact {
        /// The act.
        act: u8,
    },
    /// The rules forbid this unit to charge this enemy now.
    MayNotCharge,
    /// There is no target in range, in arc and in sight.
    NoTarget,
    /// The unit has already changed its formation or its facing in this phase.
    Spent,
    /// A bar closes the formation to it: indices into [`Rules::formations`] and its bars.
    Barred(FormationId, u8),
    /// A bar closes the ground to it: indices into [`Rules::grounds`] and its bars.
    Ground(u8, u8),
    /// Its figures would face two ways in the open.
    Ambiguous,
    /// It would enter an enemy's fire zone in open order.
    FireZone,
    /// It cannot fight on foot.
    CannotDismount,
    /// An order about its skirmishers is not allowed.
    Screen(ScreenRefusal),
    /// Its front is too wide for the road: an index into the pack's modes.
    TooWide(u8),
    /// It was in a charge zone, which holds it in place.
    Held,
    /// A bar of the act forbids it.
    Act {
        /// The act, an index into [`Rules::acts`].
        act: u8,
        /// The bar, an index into its bars.
        bar: u8,
    },
    /// The side cannot pay for it.
    NoPoints {
        /// The act, an index into [`Rules::acts`].
        act: u8,
    },
    /// There is no square that it touches and may join.
    NoSquare,
    /// The square that it touches has no room for its cannon, or for those inside its own.
    NoRoomForCannon,
    /// This formation is not taken in a move.
    NotInMove(FormationId),
    /// A bar forbids it to take this formation in a move: indices into [`Rules::formations`] and the bars of doing so.
    BarredInMove(FormationId, u8),
    /// It does not have enough move left to take this formation.
    NoMove(FormationId),
    /// It is changing formation and has to stand still.
    Forming(FormationId),
}

/// The reason why skirmishers are not deployed or recalled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScreenRefusal {
    /// The unit has no skirmishers.
    NoSkirmishers,
    /// More than may be deployed: an index into the pack's screens.
    TooMany(u8),
    /// A bar forbids it: an index into those of the pack's skirmishers.
    Bar(u8),
    /// Their unit is broken, so they cannot go back to it.
    NobodyThere,
}

/// The cause of a battle's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All sides, or all but one, are beaten.
    Beaten,
    /// A side has the points that win at once.
    Reached,
    /// The last turn is over, and the pack decides the battle in this way.
    Limit(Limit),
}

/// An event of a single mechanism. It has its own sentence and row, so that only the mechanism's file deals with it.
/// Events are built only for a witness: battles without one pay nothing for the sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecialEvent {
    /// The unit that did it, or to which it happened.
    pub unit: UnitId,
    /// The other unit that it is about.
    pub other: Option<UnitId>,
    /// The sentence that narration prints.
    pub line: String,
    /// Its source.
    pub source: Source,
    /// Whether it is about the next roll rather than the consequences of the last event.
    pub ahead: bool,
}

/// Something that happened on hexes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HexEvent {
    /// A provision, an index into [`grognard_rules::model::HexRules::provisions`], decided something for a unit.
    Provided {
        /// The unit.
        unit: UnitId,
        /// The provision.
        row: u8,
    },
    /// An act of a unit's march would have broken a provision.
    Breached {
        /// The unit.
        unit: UnitId,
        /// The provision.
        row: u8,
    },
    /// The active side has played a card, an index into the deck.
    Played(CardKind),
    /// A unit has orders from the card that was played.
    Commanded(UnitId),
    /// A unit has moved, turned, or both.
    Moved {
        /// The unit.
        unit: UnitId,
        /// Its previous hex.
        from: Point,
        /// The way it faced.
        facing: u8,
    },
    /// A combat is declared: its kind, as an index into [`grognard_rules::situation::COMBATS`].
    Declared {
        /// The attacker.
        unit: UnitId,
        /// Its target.
        target: UnitId,
        /// Its kind.
        role: u8,
        /// The arc that the target shows.
        arc: Arc,
    },
    /// The target of a combat has turned towards its attacker, or not. Later steps depend on the positions at this
    /// point.
    Answered {
        /// The attacker.
        unit: UnitId,
        /// Its target.
        target: UnitId,
    },
    /// A close combat and all its consequences are over.
    Fought {
        /// The attacker.
        unit: UnitId,
        /// Its target.
        target: UnitId,
    },
    /// A unit was driven back, or evaded, by this many hexes.
    FellBack {
        /// The unit.
        unit: UnitId,
        /// How many.
        hexes: u8,
        /// The number it should have moved.
        of: i32,
    },
}

/// Something that happened.
///
/// ```
/// use grognard_engine::Event;
///
/// /// Whether a battle is over for a unit.
/// fn is_a_loss(event: &Event) -> bool {
///     matches!(event, Event::Destroyed(_) | Event::LeftTable(_))
/// }
///
/// assert!(!is_a_loss(&Event::HalfTurn));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// A side's half of a turn begins; if units go one at a time, a side's turn begins.
    HalfTurn,
    /// All phases of the half-turn have been played. The events of its end follow: counters that change, points that
    /// are scored.
    TurnCloses,
    /// The half-turn ends; its effects have not been cleared yet.
    HalfTurnOver,
    /// If units go one at a time, a unit is activated; `None` if the next events do not concern a unit.
    Activated {
        /// The unit.
        unit: Option<UnitId>,
    },
    /// The active side has rolled for the number of orders it may give.
    Orders {
        /// The number.
        orders: u16,
        /// The faces drawn.
        faces: Vec<Shown>,
    },
    /// A phase begins, an index into [`Rules::phases`].
    Phase(u8),
    /// A doctrine row gave an order.
    Ordered {
        /// The unit.
        unit: UnitId,
        /// The row's index among those of the phase.
        row: usize,
        /// The order.
        order: Order,
    },
    /// An order could not be carried out.
    Refused {
        /// The unit.
        unit: UnitId,
        /// Why.
        why: Refusal,
    },
    /// A unit changed formation, by order or because its morale state cancelled the old one.
    Formed {
        /// The unit.
        unit: UnitId,
        /// Its formation before.
        from: FormationId,
    },
    /// A unit turned, in tenths of a degree clockwise.
    Turned {
        /// The unit.
        unit: UnitId,
        /// By how much.
        tenths: i32,
    },
    /// A unit has joined a square.
    Joined {
        /// The unit.
        unit: UnitId,
        /// The host of the square.
        host: UnitId,
    },
    /// A unit in a square shares the morale of the unit that tested for it.
    Shared {
        /// The unit.
        unit: UnitId,
        /// The unit that tested.
        host: UnitId,
    },
    /// A unit has left a square.
    LeftSquare {
        /// The unit.
        unit: UnitId,
        /// The host of the square.
        host: UnitId,
    },
    /// A battery lost cannon.
    CannonLost {
        /// The battery.
        unit: UnitId,
        /// How many.
        cannon: u16,
    },
    /// The crew of a battery has run away from its guns.
    CrewLeft {
        /// The battery.
        unit: UnitId,
    },
    /// The crew of a battery has rallied to its guns.
    CrewBack {
        /// The battery.
        unit: UnitId,
    },
    /// A unit begins a change of formation that takes the whole turn.
    Forming {
        /// The unit.
        unit: UnitId,
        /// The formation that it will have.
        formation: FormationId,
    },
    /// A unit is about to turn or change formation in an enemy's fire zone.
    InZone {
        /// The unit.
        unit: UnitId,
        /// The owner of the zone.
        owner: UnitId,
        /// The coming change.
        trigger: Trigger,
    },
    /// A unit lets an enemy change in its fire zone and holds its fire.
    HeldFire {
        /// The unit.
        unit: UnitId,
    },
    /// A unit is in the charge zone of a charger.
    Threatened {
        /// The unit.
        unit: UnitId,
        /// The charger.
        charger: UnitId,
    },
    /// A unit declared a charge.
    Declared {
        /// The charger.
        unit: UnitId,
        /// Its target.
        target: UnitId,
        /// The distance between them, in hundredths of an inch.
        distance: i32,
    },
    /// A charge reached its target.
    Contact {
        /// The charger.
        unit: UnitId,
        /// Its target.
        target: UnitId,
        /// The arc in which it struck.
        arc: Arc,
        /// Its initial wheel, in tenths of a degree.
        wheel: i32,
        /// How far it then marched, in hundredths of an inch.
        distance: i32,
    },
    /// A charge did not reach its target.
    FellShort {
        /// The charger.
        unit: UnitId,
    },
    /// A unit marched this many hundredths of an inch, after wheeling.
    Marched {
        /// The unit.
        unit: UnitId,
        /// The wheel, in tenths of a degree.
        wheel: i32,
        /// How far.
        distance: i32,
    },
    /// A side has paid for an act, which follows.
    Paid {
        /// The unit that acts.
        unit: UnitId,
        /// The enemy that the order is about.
        foe: UnitId,
        /// The act, an index into [`Rules::acts`].
        act: u8,
        /// What it cost.
        cost: u16,
        /// The points that remain; `None` if there is no limit.
        left: Option<u16>,
    },
    /// The move that a unit is about to make is halved.
    Halved {
        /// The unit.
        unit: UnitId,
        /// The row that halves it, an index into [`grognard_rules::model::Movement::half`].
        rate: usize,
    },
    /// A unit moved without turning.
    Shifted {
        /// The unit.
        unit: UnitId,
        /// The direction, in tenths of a degree clockwise from straight ahead.
        bearing: i32,
        /// How far.
        distance: i32,
    },
    /// A unit moved into contact with an enemy.
    Met {
        /// The unit.
        unit: UnitId,
        /// The enemy.
        target: UnitId,
        /// The arc in which it struck.
        arc: Arc,
    },
    /// A unit has entered a piece of terrain that it now fills, an index into [`Setup::terrain`].
    Filled {
        /// The unit.
        unit: UnitId,
        /// The piece.
        piece: u8,
    },
    /// A firing marker was placed or removed.
    Firing {
        /// The unit.
        unit: UnitId,
        /// Whether it fires from now on.
        on: bool,
    },
    /// A reaction without a roll. Its effects follow as separate events.
    Reacted {
        /// The unit.
        unit: UnitId,
        /// The reaction, an index into [`Rules::reactions`].
        reaction: u8,
    },
    /// A unit fled by the pack's flight table.
    RanAway {
        /// The unit.
        unit: UnitId,
        /// The row of the table.
        row: usize,
        /// The distance; 0 if there was no way to flee.
        distance: i32,
    },
    /// A unit pursued a fleeing enemy.
    Pursued {
        /// The unit.
        unit: UnitId,
        /// The row of the pursuit table.
        row: usize,
        /// How far.
        distance: i32,
    },
    /// A unit took the position of an enemy that fled.
    Occupied {
        /// The unit.
        unit: UnitId,
    },
    /// A broken unit fled.
    Fled {
        /// The unit.
        unit: UnitId,
        /// How far.
        distance: i32,
    },
    /// A unit fell back.
    Retreated {
        /// The unit.
        unit: UnitId,
        /// How far.
        distance: i32,
    },
    /// A roll was taken. Its effects follow as separate events.
    Rolled(Box<RollEvent>),
    /// A unit lost figures.
    Lost {
        /// The unit.
        unit: UnitId,
        /// How many.
        figures: u16,
    },
    /// A unit regained figures.
    Regained {
        /// The unit.
        unit: UnitId,
        /// How many.
        figures: u16,
    },
    /// A unit's morale state changed.
    Morale {
        /// The unit.
        unit: UnitId,
        /// The state before.
        from: MoraleId,
    },
    /// Ground disorders a unit, an index into [`Rules::grounds`].
    Disordered {
        /// The unit.
        unit: UnitId,
        /// The kind of ground.
        ground: u8,
    },
    /// A unit fights on foot from now on.
    Dismounted {
        /// The unit.
        unit: UnitId,
        /// The type it was.
        from: KindId,
    },
    /// A unit has deployed skirmishers.
    Detached {
        /// The unit.
        unit: UnitId,
        /// Its screen.
        screen: UnitId,
        /// The number of additional figures deployed.
        figures: u16,
        /// The index of the pack's screen row.
        row: u8,
    },
    /// Skirmishers have gone back to their unit.
    Rejoined {
        /// The unit.
        unit: UnitId,
        /// How many.
        figures: u16,
        /// Why.
        why: Why,
    },
    /// Skirmishers have strayed from their unit and are lost.
    Strayed {
        /// The screen.
        unit: UnitId,
        /// How many.
        figures: u16,
    },
    /// A command has stood still for a whole move phase and settled.
    Settled {
        /// The command, an index into [`Battle::commands`].
        command: u8,
        /// The mode it was in, an index into the pack's modes.
        from: u8,
    },
    /// A unit's facing is ambiguous.
    Ambiguous {
        /// The unit.
        unit: UnitId,
    },
    /// A unit lost its last figure or was removed.
    Destroyed(UnitId),
    /// A unit left the table.
    LeftTable(UnitId),
    /// A unit that started off the table arrives.
    Arrived {
        /// The unit.
        unit: UnitId,
        /// Whether there was room for it; if not, it waits.
        placed: bool,
    },
    /// Something that only happens on hexes.
    Hex(HexEvent),
    /// Something that only happens to generals.
    General(GeneralEvent),
    /// Something that only one mechanism does.
    Special(Box<SpecialEvent>),
    /// The battle is over.
    Over {
        /// The outcome.
        outcome: Outcome,
        /// What ended it.
        ending: Ending,
    },
}

/// Receives the events of a battle.
///
/// ```
/// use grognard_engine::{Event, Scene, Witness};
///
/// /// Counts charges.
/// #[derive(Default)]
/// struct Charges(u32);
///
/// impl Witness for Charges {
///     fn see(&mut self, _: Scene<'_>, event: &Event) {
///         self.0 += u32::from(matches!(event, Event::Declared { .. }));
///     }
/// }
///
/// assert_eq!(Charges::default().0, 0);
/// ```
pub trait Witness {
    /// Whether events are built at all; usually true. Called once, before a battle or step.
    fn watches(&self) -> bool {
        true
    }

    /// Whether only the events at the start and end of turns and of the battle are built. Called once, before a battle
    /// or step.
    fn only_turns(&self) -> bool {
        false
    }

    /// Takes an event.
    fn see(&mut self, scene: Scene<'_>, event: &Event);
}

impl<W: Witness + ?Sized> Witness for &mut W {
    fn watches(&self) -> bool {
        (**self).watches()
    }

    fn only_turns(&self) -> bool {
        (**self).only_turns()
    }

    fn see(&mut self, scene: Scene<'_>, event: &Event) {
        (**self).see(scene, event);
    }
}

/// No witness: used for millions of battles.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwitnessed;

impl Witness for Unwitnessed {
    fn watches(&self) -> bool {
        false
    }

    fn see(&mut self, _: Scene<'_>, _: &Event) {}
}
