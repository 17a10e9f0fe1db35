//! Hex boards, provisions and decks, as written in files.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::CiteWire;
use super::roll::IntOrExpr;
use super::unit::yes;

/// A board of hexes, each with two neighbours towards each baseline. Rows alternate between `columns` hexes and one
/// fewer.
///
/// Positions are axial coordinates: `[0, 0]` is the middle of the board; the first number increases to the east, the
/// second to the south-east.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct HexWire {
    /// The number of hexes in the longer rows; must be odd.
    #[schemars(range(min = 3, max = 15))]
    pub columns: u8,
    /// The number of rows from baseline to baseline; must be odd.
    #[schemars(range(min = 3, max = 15))]
    pub rows: u8,
    /// The half-width of the centre section: hexes of the middle row, from its middle to the lines between sections.
    /// Hexes on a line belong to both sections.
    #[serde(default)]
    #[schemars(range(min = 1, max = 7))]
    pub section: Option<u8>,
    /// Kinds of terrain, by name, and the hexes they cover.
    #[serde(default)]
    pub terrain: BTreeMap<String, HexTerrainWire>,
    /// Clauses that it implements.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// The reason for these values, if no clause gives them.
    #[serde(default)]
    pub note: Option<String>,
}

/// A kind of terrain on a hex board.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct HexTerrainWire {
    /// Its name in the narration.
    pub title: String,
    /// Whether it blocks sight.
    #[serde(default)]
    pub blocks: bool,
    /// Which units cannot enter it. Reads `self`.
    #[serde(default)]
    pub bars: Option<String>,
    /// Which units must stop when they enter it. Reads `self`.
    #[serde(default)]
    pub stops: Option<String>,
    /// Which units may not fight in the turn in which they enter it. Reads `self`.
    #[serde(default)]
    pub tires: Option<String>,
    /// The hexes it covers: `"0,-1"`.
    #[serde(default)]
    pub at: Vec<String>,
    /// The sides of these hexes along which it runs, as a rampart does. Conditions can read which units are across one
    /// of them (`self.across`). Default: none.
    #[serde(default)]
    pub sides: Vec<DirectionName>,
    /// Clauses that it implements.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// A side of a hex, named after the neighbour beyond it. The second side's baseline is to the north.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DirectionName {
    /// To the east.
    East,
    /// To the north-east.
    NorthEast,
    /// To the north-west.
    NorthWest,
    /// To the west.
    West,
    /// To the south-west.
    SouthWest,
    /// To the south-east.
    SouthEast,
}

/// What a provision provides. If several rows provide the same thing, the first that applies counts, except where
/// rows add up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProvidesName {
    /// Units face a vertex of their hex, with two front, two flank and two rear hexes. Without it, all six are front
    /// hexes.
    Facing,
    /// A unit may move `amount` hexes, 0 to 20.
    Move,
    /// A unit may move `amount` more hexes, 0 to 20, if it is then adjacent to an enemy, which it must fight.
    Charge,
    /// Steps go into front hexes. Without it, they may go in any direction.
    Step,
    /// Steps may go into flank and rear hexes without turning, for up to `amount` units in a turn, 0 to 100; 0 means
    /// no limit.
    SideStep,
    /// A unit that steps into a flank or rear hex keeps its facing: it does not turn in that move.
    KeepFacing,
    /// A unit that does not move may turn `amount` spines for free, 0 to 3.
    TurnStanding,
    /// A unit may turn `amount` spines for free, 0 to 3, with each hex that it moves.
    TurnMoving,
    /// A unit follows one pattern throughout its turn: always move and then turn, or always turn and then move.
    Pattern,
    /// A unit may spend a hex of its move on a turn of up to `amount` spines, 0 to 3.
    Pivot,
    /// Units may turn and move only under orders.
    Ordered,
    /// A unit may move through friends.
    Pass,
    /// A unit may make a second move, if it could have fired at a target after the first.
    MoveAgain,
    /// A unit may fire at enemies up to `amount` hexes away, 0 to 20.
    Range,
    /// Units fire only to the front. Without it, they fire in all directions.
    FireFront,
    /// Units attack in close combat only through front hexes. Without it, they attack in all directions.
    AttackFront,
    /// A unit may begin close combat through any hex.
    AttackAround,
    /// A unit may not fight in close combat.
    NoAttack,
    /// A unit that can fight must do so.
    MustAttack,
    /// If two enemies are in the front hexes, a unit must attack the one that shows its front.
    FrontFirst,
    /// The enemy that shows its front need not be attacked once another unit has attacked it.
    SecondAssailant,
    /// An attacked unit may turn by `amount` spines, 0 to 3, before the attack is rolled.
    React,
    /// A unit may react once in an enemy turn.
    ReactOnce,
    /// A unit that reacted falls back in that combat as if it had not reacted.
    KeepRear,
    /// An attacked unit may evade `amount` hexes, 0 to 20.
    Evade,
    /// The defender strikes first.
    FirstStrike,
    /// The dice of an attack: `roll`.
    Strike,
    /// `amount` colour hits of a roll are ignored, 0 to 100. All rows that apply add up.
    IgnoreColours,
    /// `amount` swords of a roll are ignored, 0 to 100. All rows that apply add up.
    IgnoreSwords,
    /// `amount` flags of a roll are ignored, 0 to 100. All rows that apply add up.
    IgnoreFlags,
    /// A unit that is hit may turn `amount` colour hits, 0 to 100, into flags that cannot be ignored.
    GiveGround,
    /// A unit that is hit may turn `amount` flags into hits, 0 to 100.
    StandFast,
    /// A flag drives a unit back `amount` hexes, 0 to 20.
    Retreat,
    /// A flag drives a unit back `amount` more hexes, 0 to 20. All rows that apply add up.
    RetreatMore,
    /// The direction of retreats and evasions. `amount`, 0 to 1, selects the rear hexes (1) or the unit's own side of
    /// the board (0).
    Exit,
    /// A retreat past an enemy in the rear costs `amount` figures, 0 to 100.
    PassFoe,
    /// Each hex that a unit cannot retreat costs it `amount` figures, 0 to 100.
    Blocked,
    /// A unit that is driven back first strikes all adjacent units: `roll`. Units in its way lose `amount` figures, 0
    /// to 100, for each hex that it cannot retreat.
    Rampage,
    /// A unit that is still in the hex where it was attacked strikes back.
    BattleBack,
    /// An attacker may enter the hex that it has cleared.
    Advance,
    /// It may then move `amount` more hexes, 0 to 20.
    AdvanceMore,
    /// An attacker that enters a hex outside its front first turns towards it.
    AdvanceTurn,
    /// An attacker that has advanced may fight `amount` more times, 0 to 1.
    Again,
    /// The risk to a leader when its unit loses figures: `roll`.
    LeaderCheck,
    /// A leader without a unit flees `amount` hexes, 0 to 20.
    LeaderFlight,
    /// A unit that evades is removed, and does not count as lost.
    Abandon,
    /// A zone of control: a unit that enters a hex next to an enemy ends its move there.
    Zone,
}

impl ProvidesName {
    /// The minimum and maximum `amount`; `None` for a provision without one. No two hexes of a board are more than 20
    /// apart, and no turn is longer than three spines.
    pub(crate) const fn limits(self) -> Option<(i32, i32)> {
        match self {
            Self::Move
            | Self::Charge
            | Self::Range
            | Self::Evade
            | Self::Retreat
            | Self::RetreatMore
            | Self::AdvanceMore
            | Self::LeaderFlight => Some((0, 20)),
            Self::TurnStanding | Self::TurnMoving | Self::Pivot | Self::React => Some((0, 3)),
            Self::SideStep
            | Self::IgnoreColours
            | Self::IgnoreSwords
            | Self::IgnoreFlags
            | Self::GiveGround
            | Self::StandFast
            | Self::PassFoe
            | Self::Blocked
            | Self::Rampage => Some((0, 100)),
            Self::Exit | Self::Again => Some((0, 1)),
            _ => None,
        }
    }
}

/// A provision: one rule of a hex board.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ProvisionWire {
    /// Its name.
    pub id: String,
    /// What it provides.
    pub does: ProvidesName,
    /// Whether it is in force. Set it to `false` for optional rules.
    #[serde(default = "yes")]
    pub on: bool,
    /// When it applies. Reads `self`, `foe` if there is one, and the situation. Default: always.
    #[serde(default)]
    pub when: Option<String>,
    /// The amount, if `does` has one: a number, or a formula over the situation, within the limits given under `does`.
    /// Default: 1.
    #[serde(default)]
    pub amount: Option<IntOrExpr>,
    /// The roll it uses, if any.
    #[serde(default)]
    pub roll: Option<String>,
    /// Its description in the narration.
    #[serde(default)]
    pub title: Option<String>,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// A deck of command cards. Each turn a side plays one, which decides how many and which units receive orders.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DeckWire {
    /// Whether cards are played. Without them, `activation` defines how many units may act.
    #[serde(default = "yes")]
    pub on: bool,
    /// The number of cards in a hand.
    #[schemars(range(min = 1, max = 8))]
    pub hand: u8,
    /// The cards.
    #[serde(default)]
    pub card: Vec<CardWire>,
    /// Clauses that it implements.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// The reason for these values, if no clause gives them.
    #[serde(default)]
    pub note: Option<String>,
}

/// A part of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SectionName {
    /// Left, from the point of view of the side that plays the card.
    Left,
    /// The middle.
    Centre,
    /// Right, from the point of view of the side that plays the card.
    Right,
}

/// A command card.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CardWire {
    /// Its name. Conditions read it as `card`.
    pub id: String,
    /// Its name in the narration.
    pub title: String,
    /// The number of copies in the deck.
    #[schemars(range(min = 0, max = 60))]
    pub count: u8,
    /// The number of units that it orders. Default: the number of cards in a hand.
    #[serde(default)]
    #[schemars(range(min = 0, max = 30))]
    pub orders: Option<u8>,
    /// The units that it may order. Reads `self` and `foe`, the nearest enemy. Default: any.
    #[serde(default)]
    pub of: Option<String>,
    /// The section of the board in which these units must be. Default: anywhere.
    #[serde(default)]
    pub section: Option<SectionName>,
    /// Whether the units must form one unbroken group.
    #[serde(default)]
    pub linked: bool,
    /// Whether it is kept for the enemy's turn instead of being played in its owner's turn.
    #[serde(default)]
    pub held: bool,
    /// Clauses that it implements.
    pub cite: Vec<CiteWire>,
    /// The reason for these values, if no clause gives them.
    #[serde(default)]
    pub note: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference is generated from these comments, so they must give the limits that are checked.
    #[test]
    fn comments_give_the_limits() {
        let schema = schemars::schema_for!(ProvidesName);
        let all = schema.as_value()["oneOf"].as_array().expect("an entry for each");
        let mut limited = 0;
        for known in all {
            let does = serde_json::from_value::<ProvidesName>(known["const"].clone()).expect("one of them");
            let said = known["description"].as_str().expect("a comment").replace('\n', " ");
            match does.limits() {
                Some((least, most)) => {
                    assert!(said.contains(&format!("{least} to {most}")), "{does:?}: {said}");
                    limited += 1;
                }
                None => assert!(!said.contains("`amount`"), "{does:?}: {said}"),
            }
        }
        assert_eq!(limited, 23);
    }
}
