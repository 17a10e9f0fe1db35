//! Events: the only way in which a battle reports to the outside.

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
    /// The rules of the battle.
    pub rules: &'a Rules,
    /// The setup of the battle.
    pub setup: &'a Setup,
    /// The state of the battle at the time of the event.
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

/// The reason for a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// A phase takes it. The value is an index into [`Rules::phases`].
    Phase(u8),
    /// A reaction takes it. The value is an index into [`Rules::reactions`].
    Reaction(u8),
    /// A provision takes it. The value is an index into [`grognard_rules::model::HexRules::provisions`].
    Provision(u8),
    /// The unit is activated, and tests whether it acts.
    Activation,
    /// The unit is not on the table yet, and tests whether it arrives.
    Arrival,
}

/// A roll that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RollEvent {
    /// The reason for the roll.
    pub occasion: Occasion,
    /// The roll: an index into [`Rules::rolls`].
    pub roll: RollId,
    /// The unit that rolled.
    pub own: UnitId,
    /// The other unit, if any.
    pub foe: Option<UnitId>,
    /// The arcs that the roller and its enemy showed to each other.
    pub exposed: (Arc, Arc),
    /// The distance between them, in hundredths of an inch.
    pub distance: i32,
    /// The inputs from the battle, in the order of [`grognard_rules::model::Roll::inputs`].
    pub inputs: Vec<i32>,
    /// The inputs before modifiers.
    pub bases: Vec<i32>,
    /// The modifiers that applied. For each, the input, and an index into [`grognard_rules::model::Roll::modifiers`].
    pub modifiers: Vec<(usize, usize)>,
    /// The faces drawn.
    pub faces: Vec<Shown>,
    /// Its outcome: an index into [`grognard_rules::model::Roll::outcomes`].
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

/// The reason why a unit did not carry out its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// The formation is closed to the unit, or its condition is not true.
    Formation,
    /// It is broken, and changes neither formation nor facing.
    Broken {
        /// Whether the order was to turn; otherwise it was to change formation.
        turns: bool,
    },
    /// There is no room.
    NoRoom,
    /// Enemies that touch it cannot be shifted to stay in contact.
    NoShift,
    /// The terrain is closed to units that enter it without an order, by this row of
    /// [`grognard_rules::model::Movement::bar`].
    Closed(u8),
    /// The path costs more than its move.
    TooFar,
    /// The enemy is not in its front arc.
    NotInFront,
    /// The enemy is out of reach or another unit is in the way.
    OutOfReach,
    /// The enemy would be in reach, but is not after the wheel towards it.
    WheelTooLong,
    /// The act needs contact with the enemy.
    NoContact {
        /// The act: an index into [`Rules::acts`].
        act: u8,
    },
    /// The rules forbid this unit to charge this enemy now.
    MayNotCharge,
    /// There is no target in range, in arc and in sight.
    NoTarget,
    /// The unit has already changed its formation or its facing in this phase.
    Spent,
    /// A bar closes the formation to it. The values are indices into [`Rules::formations`] and into the formation's
    /// bars.
    Barred(FormationId, u8),
    /// A bar closes the ground to it. The values are indices into [`Rules::grounds`] and into the ground's bars.
    Ground(u8, u8),
    /// Its figures would face in two directions in the open.
    Ambiguous,
    /// It would enter an enemy's fire zone in open order.
    FireZone,
    /// It cannot fight on foot.
    CannotDismount,
    /// An order about its skirmishers is not allowed.
    Screen(ScreenRefusal),
    /// Its front is too wide for the road. The value is an index into the pack's modes.
    TooWide(u8),
    /// It was in a charge zone, which holds it in place.
    Held,
    /// A bar of the act forbids it.
    Act {
        /// The act: an index into [`Rules::acts`].
        act: u8,
        /// The bar: an index into the act's bars.
        bar: u8,
    },
    /// The side cannot pay for it.
    NoPoints {
        /// The act: an index into [`Rules::acts`].
        act: u8,
    },
    /// It touches no square that it may join.
    NoSquare,
    /// The square that it touches has no room for its cannon, or for the cannon inside its own square.
    NoRoomForCannon,
    /// This formation cannot be taken in a move.
    NotInMove(FormationId),
    /// A bar keeps it from taking this formation in a move. The values are indices into [`Rules::formations`] and into
    /// the formation's bars on moves.
    BarredInMove(FormationId, u8),
    /// It does not have enough move left to take this formation.
    NoMove(FormationId),
    /// It is changing to this formation and has to stand still.
    Forming(FormationId),
}

/// The reason why skirmishers are not deployed or recalled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScreenRefusal {
    /// The unit has no skirmishers.
    NoSkirmishers,
    /// There would be more of them than the rules allow. The value is an index into the pack's screens.
    TooMany(u8),
    /// A bar forbids it. The value is an index into the bars for the pack's skirmishers.
    Bar(u8),
    /// Their unit is broken, so they cannot rejoin it.
    NobodyThere,
}

/// The cause of a battle's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All sides, or all but one, are beaten.
    Beaten,
    /// A side has enough points to win at once.
    Reached,
    /// The last turn is over, and the pack decides the battle in this way.
    Limit(Limit),
}

/// An event that belongs to a single mechanism. It has its own sentence and row, so only the mechanism's file deals
/// with it. Events are built only for a witness, so battles without one pay nothing for the sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecialEvent {
    /// The unit that acted, or that the event happened to.
    pub unit: UnitId,
    /// The other unit that the event is about, if any.
    pub other: Option<UnitId>,
    /// The sentence that narration prints.
    pub line: String,
    /// The source of the event in the pack.
    pub source: Source,
    /// Whether the event is about the next roll rather than a consequence of the last event.
    pub ahead: bool,
}

/// Something that happened on hexes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HexEvent {
    /// A provision decided something for a unit.
    Provided {
        /// The unit.
        unit: UnitId,
        /// The provision: an index into [`grognard_rules::model::HexRules::provisions`].
        row: u8,
    },
    /// An act of a unit's march would have broken a provision.
    Breached {
        /// The unit.
        unit: UnitId,
        /// The provision: an index into [`grognard_rules::model::HexRules::provisions`].
        row: u8,
    },
    /// The active side has played a card of this kind.
    Played(CardKind),
    /// A unit has orders from the card that was played.
    Commanded(UnitId),
    /// A unit has moved, turned, or both.
    Moved {
        /// The unit.
        unit: UnitId,
        /// Its previous hex.
        from: Point,
        /// Its previous facing.
        facing: u8,
    },
    /// A combat is declared.
    Declared {
        /// The attacker.
        unit: UnitId,
        /// Its target.
        target: UnitId,
        /// Its kind: an index into [`grognard_rules::situation::COMBATS`].
        role: u8,
        /// The arc that the target shows.
        arc: Arc,
    },
    /// The target of a combat has had the chance to turn towards its attacker. Later steps depend on the positions at
    /// this point.
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
        /// The number of hexes that it moved.
        hexes: u8,
        /// The number of hexes that it should have moved.
        of: i32,
    },
}

/// An event of a battle.
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
    /// A side's half of a turn begins or, if units go one at a time, a side's turn.
    HalfTurn,
    /// All phases of the half-turn have been played. The events at its end follow, such as changes of counters and
    /// points scored.
    TurnCloses,
    /// The half-turn ends. Its effects have not been cleared yet.
    HalfTurnOver,
    /// If units go one at a time, a unit is activated. `None` if the next events do not concern a unit.
    Activated {
        /// The unit.
        unit: Option<UnitId>,
    },
    /// The active side has rolled for the number of orders that it may give.
    Orders {
        /// The number.
        orders: u16,
        /// The faces drawn.
        faces: Vec<Shown>,
    },
    /// A phase begins. The value is an index into [`Rules::phases`].
    Phase(u8),
    /// A doctrine row gave an order.
    Ordered {
        /// The unit.
        unit: UnitId,
        /// The index of the row among the rows for the phase.
        row: usize,
        /// The order.
        order: Order,
    },
    /// An order could not be carried out.
    Refused {
        /// The unit.
        unit: UnitId,
        /// The reason.
        why: Refusal,
    },
    /// A unit changed formation, by order or because its morale state cancelled the old one.
    Formed {
        /// The unit.
        unit: UnitId,
        /// Its previous formation.
        from: FormationId,
    },
    /// A unit turned.
    Turned {
        /// The unit.
        unit: UnitId,
        /// The turn, in tenths of a degree clockwise.
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
        /// The number of cannon lost.
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
        /// The formation that it is changing to.
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
    /// A unit holds its fire while an enemy turns or changes formation in its fire zone.
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
        /// The distance that it then marched, in hundredths of an inch.
        distance: i32,
    },
    /// A charge did not reach its target.
    FellShort {
        /// The charger.
        unit: UnitId,
    },
    /// A unit marched, after wheeling if it had to.
    Marched {
        /// The unit.
        unit: UnitId,
        /// The wheel, in tenths of a degree.
        wheel: i32,
        /// The distance, in hundredths of an inch.
        distance: i32,
    },
    /// A side has paid for an act, which follows.
    Paid {
        /// The unit that acts.
        unit: UnitId,
        /// The enemy that the order is about.
        foe: UnitId,
        /// The act: an index into [`Rules::acts`].
        act: u8,
        /// The cost in points.
        cost: u16,
        /// The points that remain; `None` if there is no limit.
        left: Option<u16>,
    },
    /// The move that a unit is about to make is halved.
    Halved {
        /// The unit.
        unit: UnitId,
        /// The row that halves it: an index into [`grognard_rules::model::Movement::half`].
        rate: usize,
    },
    /// A unit moved without turning.
    Shifted {
        /// The unit.
        unit: UnitId,
        /// The direction, in tenths of a degree clockwise from straight ahead.
        bearing: i32,
        /// The distance, in hundredths of an inch.
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
    /// A unit has entered a piece of terrain that it now fills.
    Filled {
        /// The unit.
        unit: UnitId,
        /// The piece: an index into [`Setup::terrain`].
        piece: u8,
    },
    /// A firing marker was placed or removed.
    Firing {
        /// The unit.
        unit: UnitId,
        /// Whether the marker was placed, so that the unit fires from now on.
        on: bool,
    },
    /// A reaction without a roll. Its effects follow as separate events.
    Reacted {
        /// The unit.
        unit: UnitId,
        /// The reaction: an index into [`Rules::reactions`].
        reaction: u8,
    },
    /// A unit fled according to the pack's flight table.
    RanAway {
        /// The unit.
        unit: UnitId,
        /// The row of the table.
        row: usize,
        /// The distance, in hundredths of an inch; 0 if there was no way to flee.
        distance: i32,
    },
    /// A unit pursued a fleeing enemy.
    Pursued {
        /// The unit.
        unit: UnitId,
        /// The row of the pursuit table.
        row: usize,
        /// The distance, in hundredths of an inch.
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
        /// The distance, in hundredths of an inch.
        distance: i32,
    },
    /// A unit fell back.
    Retreated {
        /// The unit.
        unit: UnitId,
        /// The distance, in hundredths of an inch.
        distance: i32,
    },
    /// A roll was taken. Its effects follow as separate events.
    Rolled(Box<RollEvent>),
    /// A unit lost figures.
    Lost {
        /// The unit.
        unit: UnitId,
        /// The number of figures.
        figures: u16,
    },
    /// A unit regained figures.
    Regained {
        /// The unit.
        unit: UnitId,
        /// The number of figures.
        figures: u16,
    },
    /// A unit's morale state changed.
    Morale {
        /// The unit.
        unit: UnitId,
        /// Its previous state.
        from: MoraleId,
    },
    /// Ground disorders a unit.
    Disordered {
        /// The unit.
        unit: UnitId,
        /// The kind of ground: an index into [`Rules::grounds`].
        ground: u8,
    },
    /// A unit fights on foot from now on.
    Dismounted {
        /// The unit.
        unit: UnitId,
        /// Its previous type.
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
    /// Skirmishers have rejoined their unit.
    Rejoined {
        /// The unit.
        unit: UnitId,
        /// The number of figures.
        figures: u16,
        /// The reason.
        why: Why,
    },
    /// Skirmishers have strayed from their unit and are lost.
    Strayed {
        /// The screen.
        unit: UnitId,
        /// The number of figures.
        figures: u16,
    },
    /// A command has stood still for a whole move phase and settled.
    Settled {
        /// The command: an index into [`Battle::commands`].
        command: u8,
        /// Its previous mode: an index into the pack's modes.
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
    /// A unit that started off the table is due to arrive.
    Arrived {
        /// The unit.
        unit: UnitId,
        /// Whether there was room for it. If not, it waits.
        placed: bool,
    },
    /// An event that happens only on hexes.
    Hex(HexEvent),
    /// An event that happens only to generals.
    General(GeneralEvent),
    /// An event that belongs to a single mechanism.
    Special(Box<SpecialEvent>),
    /// The battle is over.
    Over {
        /// The outcome.
        outcome: Outcome,
        /// The reason why the battle ended.
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
    /// Whether events are built at all. The default is true. Called once, before a battle or step.
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

/// A witness that sees nothing, for battles by the million.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwitnessed;

impl Witness for Unwitnessed {
    fn watches(&self) -> bool {
        false
    }

    fn see(&mut self, _: Scene<'_>, _: &Event) {}
}
