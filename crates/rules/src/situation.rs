//! What conditions can read: the fields of a unit, of its enemy, and of the moment.

/// Whose field is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// `self`: the unit whose condition, roll or doctrine is looked at.
    Own,
    /// `foe`: its enemy.
    Foe,
}

/// A field of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitField {
    /// `type`: its unit type.
    Kind,
    /// `arm`: its arm.
    Arm,
    /// `formation`: its formation.
    Formation,
    /// `morale`: its morale state.
    Morale,
    /// `figures`: figures it still has.
    Figures,
    /// `start`: figures it began the battle with.
    Start,
    /// `lost`: figures it has lost in the battle.
    Lost,
    /// `hits`: figures it has lost in this phase.
    Hits,
    /// `front`: figures in its front rank.
    Front,
    /// `ranks`: its ranks.
    Ranks,
    /// `facing`: `front` if it has a front, flanks and a rear; `all` if it faces everywhere.
    Facing,
    /// `target`: the class of target its formation makes.
    Target,
    /// `formed`: whether its formation is close order.
    Formed,
    /// `shaken`: whether its morale state is a shaken one.
    Shaken,
    /// `broken`: whether its morale state is a broken one.
    Broken,
    /// `charging`: whether it is charging, from the declaration to the end of the half-turn.
    Charging,
    /// `charged`: whether a charge has been declared on it in this half-turn.
    Charged,
    /// `changed`: whether it has changed formation in this half-turn.
    Changed,
    /// `moved`: whether it has moved in this half-turn.
    Moved,
    /// `fired`: whether it has fired in this half-turn.
    Fired,
    /// `exposed`: the arc it shows to the other unit: `front`, `flank` or `rear`.
    Exposed,
    /// `reach`: how far it can charge from where it stands, in its formation.
    Reach,
    /// `range`: the greatest range of its fire.
    Range,
    /// An attribute of the pack, by its place among them.
    Attribute(u8),
}

/// The fields that are not attributes, with their names in conditions.
pub(crate) const UNIT_FIELDS: [(&str, UnitField); 23] = [
    ("type", UnitField::Kind),
    ("arm", UnitField::Arm),
    ("formation", UnitField::Formation),
    ("morale", UnitField::Morale),
    ("figures", UnitField::Figures),
    ("start", UnitField::Start),
    ("lost", UnitField::Lost),
    ("hits", UnitField::Hits),
    ("front", UnitField::Front),
    ("ranks", UnitField::Ranks),
    ("facing", UnitField::Facing),
    ("target", UnitField::Target),
    ("formed", UnitField::Formed),
    ("shaken", UnitField::Shaken),
    ("broken", UnitField::Broken),
    ("charging", UnitField::Charging),
    ("charged", UnitField::Charged),
    ("changed", UnitField::Changed),
    ("moved", UnitField::Moved),
    ("fired", UnitField::Fired),
    ("exposed", UnitField::Exposed),
    ("reach", UnitField::Reach),
    ("range", UnitField::Range),
];

/// Attributes that a pack may declare.
pub const ATTRIBUTES_MAX: usize = 32;

/// A field that a condition can read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// A field of one of the two units.
    Unit(Subject, UnitField),
    /// `distance`: between the nearest edges of the two units.
    Distance,
    /// `turn`: the game turn, from 1.
    Turn,
    /// `phase`: the phase that is being played.
    Phase,
}
