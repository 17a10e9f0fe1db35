//! A pack after everything in it has been checked: typed indices and tables, without strings.
//!
//! Names and clause numbers are kept for narration and coverage; the battle itself reads only indices.

mod act;
mod activation;
mod army;
mod arrival;
mod asked;
mod battery;
mod battle;
mod casualties;
mod command;
mod counter;
mod flight;
mod general;
mod ground;
mod hex;
mod ids;
mod known;
mod ladder;
mod metric;
mod noted;
mod objective;
mod path;
mod regroup;
mod resolve;
mod roll;
mod shock;
mod skirmish;
mod square;
mod unit;
mod zone;

pub use act::{Act, ActBar, ActBars, Deed};
pub use activation::{
    ACTIVATIONS_MAX, ActivationTest, Bag, Chips, Initiative, InitiativeTies, Next, Priority, PriorityTies, TurnOrder,
};
pub use army::Army;
pub use arrival::{Arrival, ArrivalRoll, Called, Edge};
pub use asked::{AskedModifier, AskedNumber};
pub use battery::{Battery, InMove, Slow};
pub use battle::*;
pub use casualties::{Bearer, Casualties, HitFirst, PickedBy};
pub use command::{CommandRules, Mode};
pub use counter::{
    Beyond, COUNT_MAX, COUNTERS_MAX, CountChange, CountEffect, Counter, Counters, Counts, Moment, NewCount,
};
pub use flight::{Bend, Flight, FlightRow, PursuitRow, Reach};
pub use general::{Generals, Grade, Rank, RideRoad, RideRow, Role};
pub use ground::{Array, Bar, Dressing, Fills, GROUNDS_MAX, Ground};
pub use hex::{Card, DIRECTIONS, Deck, HEXES_MAX, HexGrid, HexRules, HexTerrain, OFF_BOARD, Provision, Section};
pub use ids::{ById, ByteId, DoctrineId, FormationId, KindId, MoraleId, RollId};
pub(crate) use known::Known;
pub use known::Strike;
pub use ladder::Ladder;
pub use metric::{Each, Gauge, On, Once, Per, PointsRange, Take};
pub use noted::Notes;
pub use objective::{LastTurn, OBJECTIVES_MAX, Objective, Points, PointsFor, PointsRow, SCORE_MAX};
pub use path::{LEGS_MAX, Leg};
pub use regroup::{Merge, Regroup, Split};
pub use resolve::{Bonus, Resolution};
pub use roll::*;
pub use shock::Flanked;
pub use skirmish::{Rejoin, Screen, ScreenMost, Skirmish};
pub use square::Square;
pub use unit::{
    ArcSource, Attribute, Footprint, Formation, FormationSource, Formations, Kind, KindSource, MoraleSource,
    MoraleState, RetreatFormation, Spacing, Table,
};
pub use zone::{ChargeZone, FireZone, Shape, Support};

pub use crate::wire::{ProvidesName as Provides, RepertoireName as Repertoire};

use std::sync::Arc;

use crate::situation::Field;
use grognard_expr::{Expr, Situation, Var};

/// The clauses that a row of the pack implements, and the reason for its values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// Clause numbers, or `house`.
    pub cite: Vec<Cite>,
    /// One line on the choice of a value that no clause gives.
    pub note: Option<String>,
}

impl Source {
    /// Every clause that the row can implement, under any condition.
    pub fn clauses(&self) -> impl Iterator<Item = &str> {
        self.cite.iter().map(|cite| cite.clause.as_str())
    }
}

/// A clause that a row implements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cite {
    /// Its number, or `house`.
    pub clause: String,
    /// The condition under which the row implements it; `None` means always.
    pub when: Option<Expr>,
}

/// A clause of the rulebook that the pack registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Its number.
    pub id: String,
    /// What it requires.
    pub text: String,
    /// Why no battle brings it into play, if the pack says that none does.
    pub unreached: Option<String>,
}

/// A compiled rule pack: immutable, shared by every battle fought under it.
#[derive(Debug)]
pub struct Rules {
    /// The pack's name.
    pub name: String,
    /// Its name in reports.
    pub title: String,
    /// The pack's own version.
    pub version: String,
    /// The kind of playing area.
    pub board: Board,
    /// The source of the size of the table.
    pub table_source: Source,
    /// The sources of the arcs and of all-round facing.
    pub arc_source: ArcSource,
    /// Data for battles on hexes; `None` on other boards.
    pub hex: Option<Arc<HexRules>>,
    /// Unit types.
    pub kinds: ById<KindId, Arc<[Kind]>>,
    /// The arms' names.
    pub arms: Vec<String>,
    /// Attributes of unit types.
    pub attributes: Arc<[Attribute]>,
    /// The titles of traits, by name.
    pub traits: Vec<(String, String)>,
    /// Counters of units; empty if the pack has none.
    pub counters: Arc<[Counter]>,
    /// Formations. At least one: packs without any have a single nameless one.
    pub formations: Formations,
    /// Kinds of ground.
    pub grounds: Arc<[Ground]>,
    /// The spacing of sides with a named deployment; `None` means studies cannot use one.
    pub array: Option<Arc<Array>>,
    /// How a unit's figures are aligned.
    pub dressing: Arc<Dressing>,
    /// The target classes' names.
    pub targets: Vec<String>,
    /// Morale states, best first.
    pub morale: ById<MoraleId, Arc<[MoraleState]>>,
    /// Rolls.
    pub rolls: ById<RollId, Arc<[Arc<Roll>]>>,
    /// How many orders a side may give.
    pub activation: Arc<Activation>,
    /// The turn order; `None` means each side has a half of the turn, in the order of the study.
    pub turn_order: Option<Arc<TurnOrder>>,
    /// Arrivals of units that start off the table; `None` means in the turn given by the study.
    pub arrival: Option<Arc<Arrival>>,
    /// The sequence of play of one half-turn.
    pub phases: Arc<[Phase]>,
    /// Whether orders are paid for: their number is then rolled in the orders phase, not at the start of the half-turn.
    pub pays: bool,
    /// Reactions, in the order in which they happen.
    pub reactions: Arc<[Reaction]>,
    /// How units move and charge.
    pub movement: Arc<Movement>,
    /// Crews and cannon.
    pub battery: Option<Arc<Battery>>,
    /// Who may join a square.
    pub square: Option<Arc<Square>>,
    /// The rule for which units have a fire zone.
    pub fire_zone: Option<Arc<FireZone>>,
    /// The zone in front of a unit that has declared a charge.
    pub charge_zone: Option<Arc<ChargeZone>>,
    /// How near a friend behind a unit must be to count.
    pub support: Option<Arc<Support>>,
    /// The number of figures with which a unit fights when it is struck outside its front.
    pub flanked: Option<Arc<Flanked>>,
    /// Acts of orders phases.
    pub acts: Arc<[Act]>,
    /// How units flee and are pursued.
    pub flight: Option<Arc<Flight>>,
    /// Doctrines.
    pub doctrines: ById<DoctrineId, Arc<[Arc<Doctrine>]>>,
    /// The orders that players may give besides those of their doctrine.
    pub repertoire: Repertoire,
    /// Screens; `None` means no unit deploys figures.
    pub skirmish: Option<Arc<Skirmish>>,
    /// The orders and modes of movement of commands; `None` means there are no commands.
    pub command: Option<Arc<CommandRules>>,
    /// Generals; `None` means there are none.
    pub generals: Option<Arc<Generals>>,
    /// What conditions can read about a whole side; `None` means nothing.
    pub army: Option<Arc<Army>>,
    /// When the battle is over.
    pub victory: Arc<Victory>,
    /// The metrics that studies may request.
    pub gauges: Arc<[Gauge]>,
    /// The clauses the pack registers.
    pub clauses: Arc<[Clause]>,
    /// Facts about units that follow from their types, formations and morale states.
    pub notes: Arc<Notes>,
    pub(crate) fields: Arc<[Field]>,
    pub(crate) footprints: Arc<[Footprint]>,
    pub(crate) figures_max: u16,
}

/// Conditions can read the figures of a square of up to this many full-strength units; larger squares look the same.
pub const FIGURES_TOGETHER: u16 = 4;

impl Rules {
    /// Whether units go one at a time.
    #[inline]
    #[must_use]
    pub fn goes_by_unit(&self) -> bool {
        self.turn_order.as_ref().is_some_and(|order| order.goes_by_unit())
    }

    /// The roll that a unit takes when this one is due, from its point of view: this one, or the one that replaces it.
    #[inline]
    pub fn taken<S: Situation>(&self, roll: RollId, own: &S) -> &Roll {
        let due = &self.rolls[roll];
        due.replaced(own).map_or(due, |row| &self.rolls[row.roll])
    }

    /// Whether phases are played in the second half of a turn.
    #[must_use]
    pub fn plays_both_halves(&self) -> bool {
        self.phases.iter().any(|phase| phase.halves[1])
    }

    /// The ground a unit takes up, and the layout of its figures.
    ///
    /// All zero for a formation that is closed to the type, and on boards without ground.
    #[inline]
    #[must_use]
    pub fn footprint(&self, kind: KindId, formation: FormationId, figures: u16) -> Footprint {
        let figures = usize::from(figures.min(self.figures_max));
        let row = kind.index() * self.formations.len() + formation.index();
        self.footprints[row * (usize::from(self.figures_max) + 1) + figures]
    }

    /// The ground of a unit with this many figures abreast, or with all of them abreast if it has fewer.
    #[must_use]
    pub fn footprint_abreast(&self, kind: KindId, abreast: u16, figures: u16) -> Footprint {
        let front = abreast.clamp(1, figures.max(1));
        let ranks = figures.div_ceil(front);
        let (width, depth) = self.kinds[kind].base;
        Footprint { width: i32::from(front) * width, depth: i32::from(ranks) * depth, front, ranks }
    }

    /// The ground of a square of this many figures on bases of this type's size, or of a mean width, if that is not 0
    /// ([`Footprint::block`]).
    #[must_use]
    pub fn footprint_block(&self, kind: KindId, figures: u16, mean: u16) -> Footprint {
        let (width, depth) = self.kinds[kind].base;
        Footprint::block(figures, (if mean == 0 { width } else { i32::from(mean) }, depth))
    }

    /// The formation with this shape that is open to a unit type, if any.
    #[must_use]
    pub fn formation_of_shape(&self, kind: KindId, shape: Shape) -> Option<FormationId> {
        let speed = &self.kinds[kind].speed;
        self.formations.ids().find(|&id| self.formations[id].shape == Some(shape) && speed[id].is_some())
    }

    /// The first morale state that is shaken; the best one if none is.
    #[must_use]
    pub fn first_shaken(&self) -> MoraleId {
        self.morale.position(|state| state.shaken).unwrap_or(MoraleId::FIRST)
    }

    /// Whether anything can break units without removing them. If not, units are only ever lost.
    #[must_use]
    pub fn breaks_units(&self) -> bool {
        let any = self.morale.iter().any(|state| state.broken);
        let broken = |state: MoraleId| self.morale[state].broken;
        let breaks =
            |effect: &Effect| effect.morale.is_some_and(broken) || effect.worsen > 0 || effect.worsen_shaken > 0;
        let rolls = self.rolls.iter().flat_map(|roll| &roll.outcomes).flat_map(|outcome| [&outcome.own, &outcome.foe]);
        let reactions = self.reactions.iter().flat_map(|reaction| [&reaction.own, &reaction.foe]);
        let counters = self.counters.iter().flat_map(|counter| {
            let ends = [&counter.below, &counter.above].into_iter().flatten().filter_map(|end| end.effect.as_ref());
            ends.chain(counter.effects.iter().map(|row| &row.effect))
        });
        let disorders = self.grounds.iter().filter_map(|ground| ground.disorders).any(broken);
        any && (disorders || rolls.chain(reactions).chain(counters).any(breaks))
    }

    /// The field of the situation that a variable of the pack's conditions reads.
    #[inline]
    #[must_use]
    pub fn field(&self, var: Var) -> Field {
        self.fields[var.index()]
    }

    /// Whether a unit type is a leader.
    #[must_use]
    pub fn leads(&self, kind: KindId) -> bool {
        self.kinds[kind].leader
    }

    /// The maximum number of figures in a unit of the pack.
    #[must_use]
    pub fn figures_max(&self) -> u16 {
        self.figures_max
    }

    /// The figures of a unit, or of a square of several, as conditions read them: limited to the range that they
    /// can distinguish.
    #[inline]
    #[must_use]
    pub fn figures_seen(&self, figures: u16) -> i32 {
        i32::from(figures.min(self.figures_max * FIGURES_TOGETHER))
    }

    /// The index of a unit type.
    #[must_use]
    pub fn kind(&self, id: &str) -> Option<KindId> {
        self.kinds.position(|kind| kind.id == id)
    }

    /// The index of a formation.
    #[must_use]
    pub fn formation(&self, id: &str) -> Option<FormationId> {
        self.formations.position(|formation| formation.id == id)
    }

    /// The index of a kind of ground.
    #[must_use]
    pub fn ground(&self, id: &str) -> Option<u8> {
        position(&self.grounds, |ground| ground.id == id)
    }

    /// The index of a morale state.
    #[must_use]
    pub fn morale_state(&self, id: &str) -> Option<MoraleId> {
        self.morale.position(|state| state.id == id)
    }

    /// The index of a metric.
    #[must_use]
    pub fn gauge(&self, id: &str) -> Option<u8> {
        position(&self.gauges, |gauge| gauge.id == id)
    }

    /// The index of a doctrine.
    #[must_use]
    pub fn doctrine(&self, id: &str) -> Option<DoctrineId> {
        self.doctrines.position(|doctrine| doctrine.id == id)
    }
}

fn position<T>(items: &[T], is: impl FnMut(&T) -> bool) -> Option<u8> {
    items.iter().position(is).and_then(|index| u8::try_from(index).ok())
}
