//! The kind of an event, with the unit that acts and the unit that it acts on.

use grognard_rules::model::Mechanism;
use grognard_rules::situation::COMBATS;
use serde::Serialize;

use crate::state::UnitId;
use crate::telling::event::{Event, GeneralEvent, HexEvent, Occasion, RollEvent, Scene};

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Happening {
    /// A half-turn or an activation begins.
    Begins,
    /// A half-turn ends.
    Ends,
    /// The battle is over.
    Over,
    /// A unit moves.
    Moves,
    /// It turns.
    Turns,
    /// It changes formation.
    Forms,
    /// It declares a charge.
    Charges,
    /// It reaches an enemy.
    Meets,
    /// It fires at an enemy.
    Fires,
    /// It fights an enemy hand to hand.
    Fights,
    /// It takes a test.
    Tests,
    /// It reacts.
    Reacts,
    /// It loses figures or cannon.
    Loses,
    /// It regains figures.
    Recovers,
    /// Its morale changes.
    Wavers,
    /// It falls back, flees or leaves.
    Retires,
    /// It is destroyed or off the table.
    Falls,
    /// Something else.
    Other,
}

impl Scene<'_> {
    /// The kind of an event, the unit that acts, and the unit that it acts on.
    ///
    /// ```
    /// use grognard_engine::timeline::Happening;
    /// use grognard_engine::{Event, Scene};
    ///
    /// fn is_a_march(scene: Scene<'_>, event: &Event) -> bool {
    ///     matches!(scene.happening(event), (Happening::Moves, Some(_), _))
    /// }
    /// ```
    #[must_use]
    pub fn happening(&self, event: &Event) -> (Happening, Option<UnitId>, Option<UnitId>) {
        of(*self, event)
    }
}

impl Happening {
    /// Its name, such as `charges`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Begins => "begins",
            Self::Ends => "ends",
            Self::Over => "over",
            Self::Moves => "moves",
            Self::Turns => "turns",
            Self::Forms => "forms",
            Self::Charges => "charges",
            Self::Meets => "meets",
            Self::Fires => "fires",
            Self::Fights => "fights",
            Self::Tests => "tests",
            Self::Reacts => "reacts",
            Self::Loses => "loses",
            Self::Recovers => "recovers",
            Self::Wavers => "wavers",
            Self::Retires => "retires",
            Self::Falls => "falls",
            Self::Other => "other",
        }
    }
}

type Told = (Happening, Option<UnitId>, Option<UnitId>);

/// The kind of an event, the unit that acts and its target.
pub(super) fn of(scene: Scene<'_>, event: &Event) -> Told {
    use Happening as H;
    let alone = |what, unit: &UnitId| (what, Some(*unit), None);
    let pair = |what, unit: &UnitId, target: &UnitId| (what, Some(*unit), Some(*target));
    match event {
        Event::HalfTurn => (H::Begins, None, None),
        Event::HalfTurnOver => (H::Ends, None, None),
        Event::Over { .. } => (H::Over, None, None),
        Event::Activated { unit: Some(unit) } => alone(H::Begins, unit),
        Event::Marched { unit, .. }
        | Event::Shifted { unit, .. }
        | Event::Pursued { unit, .. }
        | Event::Occupied { unit }
        | Event::Filled { unit, .. }
        | Event::Arrived { unit, .. }
        | Event::FellShort { unit } => alone(H::Moves, unit),
        Event::Special(event) => (H::Other, Some(event.unit), event.other),
        Event::Turned { unit, .. } => alone(H::Turns, unit),
        Event::Formed { unit, .. }
        | Event::Forming { unit, .. }
        | Event::Dismounted { unit, .. }
        | Event::Detached { unit, .. }
        | Event::Rejoined { unit, .. } => alone(H::Forms, unit),
        Event::Joined { unit, host } | Event::LeftSquare { unit, host } => pair(H::Forms, unit, host),
        Event::Declared { unit, target, .. } => pair(H::Charges, unit, target),
        Event::Contact { unit, target, .. } | Event::Met { unit, target, .. } => pair(H::Meets, unit, target),
        Event::Rolled(roll) => (rolled(scene, roll), Some(roll.own), roll.foe),
        Event::Lost { unit, .. } | Event::CannonLost { unit, .. } | Event::Strayed { unit, .. } => {
            alone(H::Loses, unit)
        }
        Event::Regained { unit, .. } => alone(H::Recovers, unit),
        Event::Morale { unit, .. } | Event::Shared { unit, .. } | Event::CrewBack { unit } => alone(H::Wavers, unit),
        Event::RanAway { unit, .. }
        | Event::Fled { unit, .. }
        | Event::Retreated { unit, .. }
        | Event::CrewLeft { unit } => alone(H::Retires, unit),
        Event::Destroyed(unit) | Event::LeftTable(unit) => alone(H::Falls, unit),
        Event::Paid { unit, .. }
        | Event::Ordered { unit, .. }
        | Event::Refused { unit, .. }
        | Event::Reacted { unit, .. }
        | Event::Firing { unit, .. }
        | Event::HeldFire { unit }
        | Event::Disordered { unit, .. }
        | Event::Ambiguous { unit } => alone(H::Other, unit),
        Event::Threatened { unit, charger } => pair(H::Other, unit, charger),
        Event::InZone { unit, owner, .. } => pair(H::Other, unit, owner),
        Event::Hex(event) => on_hexes(event),
        Event::General(GeneralEvent::Joined { unit, .. }) => alone(H::Moves, unit),
        _ => (H::Other, None, None),
    }
}

fn rolled(scene: Scene<'_>, roll: &RollEvent) -> Happening {
    match roll.occasion {
        Occasion::Phase(phase) => match scene.rules.phases[usize::from(phase)].mechanism {
            Mechanism::Fire(_) | Mechanism::Volley(_) => Happening::Fires,
            Mechanism::Shock(_) | Mechanism::Exchange(_) | Mechanism::Onset(_) | Mechanism::CloseCombat => {
                Happening::Fights
            }
            _ => Happening::Tests,
        },
        Occasion::Reaction(_) => Happening::Reacts,
        Occasion::Provision(_) | Occasion::Activation | Occasion::Arrival => Happening::Tests,
    }
}

fn on_hexes(event: &HexEvent) -> Told {
    use Happening as H;
    match event {
        HexEvent::Moved { unit, .. } => (H::Moves, Some(*unit), None),
        HexEvent::Declared { unit, target, role, .. } => {
            let fires = COMBATS.get(usize::from(*role)) == Some(&"fire");
            (if fires { H::Fires } else { H::Fights }, Some(*unit), Some(*target))
        }
        HexEvent::Answered { unit, target } | HexEvent::Fought { unit, target } => {
            (H::Other, Some(*unit), Some(*target))
        }
        HexEvent::FellBack { unit, .. } => (H::Retires, Some(*unit), None),
        HexEvent::Provided { unit, .. } | HexEvent::Breached { unit, .. } | HexEvent::Commanded(unit) => {
            (H::Other, Some(*unit), None)
        }
        HexEvent::Played(_) => (H::Other, None, None),
    }
}
