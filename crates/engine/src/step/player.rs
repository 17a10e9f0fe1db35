//! Players: who chooses where the rules leave something to choose.
//!
//! Whatever the rules leave open is asked in one way: which of several offers a unit's side takes. A side that no player plays
//! follows its doctrine, which costs nothing more than before: the offers are drawn up for a player alone.
//!
//! The offers of a phase are what the rows of the unit's doctrine order there, whatever the rows' conditions, as far as the rules
//! allow it; those of a row that looks at any enemy, once for each enemy. A pack may widen that repertoire by rows that no doctrine
//! follows. To hold is always one of the offers, but for cards, one of which is played, for the hex in which a retreat ends, for
//! the facing that an attacked unit turns to once it turns, for the unit that takes a hit, and for the
//! unit that goes next. A decision in the middle of a combat is yes or no. Example: cavalry before a square and a line may hold, charge the one or charge the other.

use grognard_rules::model::Choice;

use crate::state::{Side, UnitId};
use crate::telling::event::Scene;

/// What a player may choose.
///
/// ```
/// use grognard_engine::{Asked, Offer};
///
/// /// To hold, if that is allowed.
/// fn hold(asked: &Asked<'_>) -> usize {
///     asked.offers.iter().position(|offer| *offer == Offer::Hold).unwrap_or(asked.doctrine)
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Offer {
    /// To do nothing.
    Hold,
    /// To carry out a row of the unit's doctrine.
    Row {
        /// The place of the row among those of its doctrine for this phase.
        row: usize,
        /// The enemy that it is done to, if it may be done to any; none: the nearest, or the one that the rules name.
        enemy: Option<UnitId>,
    },
    /// Accepts an option offered during a combat.
    Take(Choice),
    /// To play a card of this kind, a place among those of the deck.
    Card(u8),
    /// To end a retreat, an evasion or a leader's flight in this hex; [`OFF_BOARD`](grognard_rules::model::OFF_BOARD): off the board.
    Place(u8),
    /// To turn to this facing, a spine of the hex, when attacked.
    Facing(u8),
    /// To have this unit take the next hit of a simultaneous phase.
    Bear(UnitId),
    /// To activate this unit next.
    Activate(UnitId),
}

/// A decision point: what a player is asked.
///
/// ```
/// use grognard_engine::Asked;
///
/// /// What the doctrine would not do.
/// fn otherwise(asked: &Asked<'_>) -> usize {
///     (asked.doctrine + 1) % asked.offers.len()
/// }
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Asked<'a> {
    /// The unit that the decision is about. Its side decides. Of a decision about no unit it is the first of the side.
    pub unit: UnitId,
    /// What may be chosen: two offers at least.
    pub offers: &'a [Offer],
    /// The offer that the unit's doctrine takes: its place among them.
    pub doctrine: usize,
    /// The row of doctrine that applies: its place among those of the phase. None: no row applies, or the decision is one in the middle
    /// of a combat.
    pub row: Option<usize>,
}

/// Who plays one side or both.
///
/// A choice may depend on everything in the scene: the table is open. So that equal states can be merged, it must depend on
/// nothing else.
///
/// ```
/// use grognard_engine::{Asked, Offer, Player, Scene, Side};
///
/// /// Attacks an enemy whenever that is one of the offers.
/// struct Hotspur;
///
/// impl Player for Hotspur {
///     fn plays(&self, side: Side) -> bool {
///         side == Side::First
///     }
///
///     fn choose(&mut self, _: Scene<'_>, asked: &Asked<'_>) -> usize {
///         let attacks = |offer: &Offer| matches!(offer, Offer::Row { enemy: Some(_), .. });
///         asked.offers.iter().position(attacks).unwrap_or(asked.doctrine)
///     }
/// }
///
/// assert!(Hotspur.plays(Side::First) && !Hotspur.plays(Side::Second));
/// ```
pub trait Player {
    /// Whether this player chooses for a side. A side for which it does not follows its doctrine.
    fn plays(&self, side: Side) -> bool;

    /// The place of the offer that it takes.
    fn choose(&mut self, scene: Scene<'_>, asked: &Asked<'_>) -> usize;
}
