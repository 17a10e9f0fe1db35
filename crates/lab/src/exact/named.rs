//! Names of the choices of players.

use grognard_engine::{Offer, Setup, UnitId};
use grognard_exact::best::Point;
use grognard_rules::model::{Choice, DoctrineId, Rules};

/// The index of a unit's doctrine in the pack.
pub(crate) fn doctrine_of(setup: &Setup, unit: UnitId) -> DoctrineId {
    setup.start.unit(unit).doctrine
}

/// The name of a row of the doctrine of the deciding unit.
pub(crate) fn row_name(rules: &Rules, setup: &Setup, point: &Point, row: usize) -> String {
    let doctrine = &rules.doctrines[doctrine_of(setup, point.unit)];
    doctrine.phases[usize::from(point.phase)].rows[row].id.clone()
}

/// The name of an option: a row's, `hold`, or a decision's.
pub(crate) fn offer_name(rules: &Rules, setup: &Setup, point: &Point, offer: Offer) -> String {
    match offer {
        Offer::Hold => "hold".to_owned(),
        Offer::Row { row, .. } => row_name(rules, setup, point, row),
        Offer::Take(choice) => choice_name(choice).to_owned(),
        Offer::Card(kind) => {
            let deck = rules.hex.as_ref().and_then(|hex| hex.deck.as_ref());
            deck.map_or_else(|| "card".to_owned(), |deck| kind.of(deck).id.clone())
        }
        // The hexes and facings differ from battle to battle.
        Offer::Place(_) => "retreat".to_owned(),
        Offer::Facing(_) => "turn".to_owned(),
        Offer::Bear(unit)
        | Offer::Activate(unit)
        | Offer::Order(unit)
        | Offer::Target(unit)
        | Offer::Resolve(unit)
        | Offer::Principal(unit) => rules.kinds[setup.start.unit(unit).kind].id.clone(),
        Offer::Help(general) => setup.generals[usize::from(general)].name.clone(),
        Offer::Attack(side) => setup.names[side].clone(),
    }
}

/// The name of the decision in the middle of a combat at a point; `None` if the point is about an order.
pub(crate) fn decision_name(point: &Point) -> Option<&'static str> {
    point.offers.iter().find_map(|offer| match *offer {
        Offer::Take(choice) => Some(choice_name(choice)),
        Offer::Card(_) => Some("card"),
        Offer::Place(_) => Some("retreat"),
        Offer::Facing(_) => Some("turn"),
        Offer::Bear(_) => Some("casualty"),
        Offer::Activate(_) => Some("activation"),
        Offer::Order(_) => Some("order"),
        Offer::Help(_) => Some("help"),
        Offer::Target(_) => Some("target"),
        Offer::Resolve(_) => Some("resolution"),
        Offer::Principal(_) => Some("principal"),
        Offer::Attack(_) => Some("attack"),
        Offer::Hold | Offer::Row { .. } => None,
    })
}

/// A decision in the middle of a combat, as packs write it.
fn choice_name(choice: Choice) -> &'static str {
    match choice {
        Choice::React => "react",
        Choice::Evade => "evade",
        Choice::GiveGround => "give-ground",
        Choice::StandFast => "stand-fast",
        Choice::FollowUp => "follow-up",
        Choice::StrikeFirst => "strike-first",
        Choice::Lead => "lead",
        Choice::HoldFire => "hold-fire",
        Choice::HeedFlag => "heed-flag",
    }
}
