//! What conditions can read: the fields of a unit, of its enemy, and of the moment.

/// Whose field is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// `self`: the unit whose condition, roll or doctrine is looked at.
    Own,
    /// `foe`: its enemy.
    Foe,
}

/// What a condition can read of a unit, or of the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
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
    /// `behind`: figures behind its front rank.
    Behind,
    /// `fighting`: figures that fight: all it has, or no more than the pack's number where it shows no front.
    Fighting,
    /// `enfiladed`: whether the other unit's fire rakes it from flank to flank.
    Enfiladed,
    /// `backed`: whether a friend stands close behind it.
    Backed,
    /// `supported`: whether a friend stands straight behind it.
    Supported,
    /// `stack`: units that stand straight behind one another, from this one to the rear.
    Stack,
    /// `pinned`: whether it stands in an enemy's fire zone.
    Pinned,
    /// `threatened`: whether it is, or was in the enemy's last half-turn, in a charge zone.
    Threatened,
    /// `reach`: how far it can charge from where it stands, in its formation.
    Reach,
    /// `range`: the greatest range of its fire.
    Range,
    /// `ground`: the kind of ground under its middle; `open` where no piece lies.
    Ground,
    /// `cover`: whether covering ground lies between it and the other unit, or under it.
    Cover,
    /// `crossed`: whether it has crossed linear ground in this half-turn.
    Crossed,
    /// `order`: the order of its command.
    Order,
    /// `mode`: the mode in which its command moves.
    Mode,
    /// `unsettled`: whether its command counts as shaken in tests because of its mode.
    Unsettled,
    /// An attribute of the pack, by its place among them.
    Attribute(u8),
    /// `distance`, without a subject: between the nearest edges of the two units.
    Distance,
    /// `turn`, without a subject: the game turn, from 1.
    Turn,
    /// `phase`, without a subject: the phase that is being played.
    Phase,
}

/// The facts of every unit, with their names in conditions.
pub(crate) const UNIT_FACTS: &[(&str, Fact)] = &[
    ("type", Fact::Kind),
    ("arm", Fact::Arm),
    ("formation", Fact::Formation),
    ("morale", Fact::Morale),
    ("figures", Fact::Figures),
    ("start", Fact::Start),
    ("lost", Fact::Lost),
    ("hits", Fact::Hits),
    ("front", Fact::Front),
    ("ranks", Fact::Ranks),
    ("facing", Fact::Facing),
    ("target", Fact::Target),
    ("formed", Fact::Formed),
    ("shaken", Fact::Shaken),
    ("broken", Fact::Broken),
    ("charging", Fact::Charging),
    ("charged", Fact::Charged),
    ("changed", Fact::Changed),
    ("moved", Fact::Moved),
    ("fired", Fact::Fired),
    ("exposed", Fact::Exposed),
    ("behind", Fact::Behind),
    ("fighting", Fact::Fighting),
    ("enfiladed", Fact::Enfiladed),
    ("backed", Fact::Backed),
    ("supported", Fact::Supported),
    ("stack", Fact::Stack),
    ("pinned", Fact::Pinned),
    ("threatened", Fact::Threatened),
    ("reach", Fact::Reach),
    ("range", Fact::Range),
    ("ground", Fact::Ground),
    ("cover", Fact::Cover),
    ("crossed", Fact::Crossed),
    ("order", Fact::Order),
    ("mode", Fact::Mode),
    ("unsettled", Fact::Unsettled),
];

/// Attributes that a pack may declare.
pub const ATTRIBUTES_MAX: usize = 32;

/// A field that a condition can read: a fact, and whose it is. The facts of the moment are nobody's and say `Own`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Whose.
    pub subject: Subject,
    /// What.
    pub fact: Fact,
}
