//! Players, who make the choices that the rules leave open.
//!
//! Every choice has the same form: a unit's side takes one of several offers. A side without a player follows its
//! doctrine at no extra cost, because offers are listed only for a player.
//!
//! The offers of a phase are the orders of the unit's doctrine rows that the rules allow, regardless of the rows'
//! conditions. A row that considers any enemy gives one offer for each enemy. A pack may widen that repertoire with
//! rows that no doctrine follows. A decision in the middle of a combat is yes or no. Example: cavalry in front of a
//! square and a line may hold, or charge either.
//!
//! Holding is always one of the offers, except for an attack that the rules force and for these choices:
//!
//! - the card to play
//! - the end of a retreat
//! - the facing to which an attacked unit turns
//! - the unit that takes a hit
//! - the unit that goes next or gets the next order
//! - the general whom a superior helps
//! - the target of a volley
//! - the side to attack
//! - the charges to resolve next
//! - the principal among several chargers

use grognard_rules::model::Choice;

use crate::state::{CardKind, Side, UnitId};
use crate::telling::event::Scene;

/// An option that a player may choose.
///
/// ```
/// use grognard_engine::{Asked, Offer};
///
/// /// Holds, if that is allowed.
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
        /// The index of the row among those of its doctrine for this phase.
        row: usize,
        /// The enemy that the order is about, if it may be any enemy. `None` for the nearest, or for the one determined
        /// by the rules.
        enemy: Option<UnitId>,
    },
    /// To accept an option offered during a combat.
    Take(Choice),
    /// To play a card of this kind.
    Card(CardKind),
    /// To end a retreat, an evasion or a leader's flight in this hex, or off the board for
    /// [`OFF_BOARD`](grognard_rules::model::OFF_BOARD).
    Place(u8),
    /// To turn to this facing, a spine of the hex, when attacked.
    Facing(u8),
    /// To have this unit take the next hit of a simultaneous phase.
    Bear(UnitId),
    /// To activate this unit next.
    Activate(UnitId),
    /// To give this unit the next order.
    Order(UnitId),
    /// To have a superior help this general, given as an index into [`Setup::generals`](crate::Setup::generals).
    Help(u8),
    /// To fire at this enemy.
    Target(UnitId),
    /// To resolve the charges on this enemy next.
    Resolve(UnitId),
    /// To make this unit the principal of those that charge an enemy together.
    Principal(UnitId),
    /// To attack this side.
    Attack(Side),
}

/// A decision for a player.
///
/// ```
/// use grognard_engine::Asked;
///
/// /// Takes an offer that the doctrine would not take.
/// fn otherwise(asked: &Asked<'_>) -> usize {
///     (asked.doctrine + 1) % asked.offers.len()
/// }
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Asked<'a> {
    /// The unit that the decision is about. Its side decides. If the decision is not about a unit, this is the first
    /// unit of the side.
    pub unit: UnitId,
    /// The offers to choose from. There are at least two.
    pub offers: &'a [Offer],
    /// The index of the offer that the unit's doctrine takes.
    pub doctrine: usize,
    /// The index of the doctrine row that applies, among the rows for the phase. `None` if no row applies, or if the
    /// decision is in the middle of a combat.
    pub row: Option<usize>,
}

/// A player of one or more sides.
///
/// A choice may depend on everything in the scene: there is no hidden information. It must not depend on anything else,
/// so that equal states can be merged.
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
    /// Whether this player chooses for a side. A side for which it does not choose follows its doctrine.
    fn plays(&self, side: Side) -> bool;

    /// The index of the offer that the player takes. The battle panics if the index is out of range.
    fn choose(&mut self, scene: Scene<'_>, asked: &Asked<'_>) -> usize;

    /// The offer taken at this decision, if the player repeats a battle that it has played before up to here. The
    /// offers are then not listed again, which takes most of the time of a decision, and [`Player::choose`] is not
    /// called. Such a player must have noted every decision: see [`Player::note`].
    fn repeat(&mut self) -> Option<Offer> {
        None
    }

    /// Notes the offer that was taken, even if there was only one. Not called for a decision that was repeated.
    fn note(&mut self, _: Offer) {}
}
