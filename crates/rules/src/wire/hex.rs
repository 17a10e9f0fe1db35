//! Hex boards, provisions and decks as files write them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::CiteWire;
use super::roll::IntOrExpr;
use super::unit::yes;

/// A board of hexes, each with two neighbours towards either baseline; rows of `columns` and of one fewer hexes in turn.
///
/// Places are axial coordinates: `[0, 0]` is the middle of the board, the first number grows to the east, the second one to
/// the south-east.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct HexWire {
    /// Hexes in the longer rows, an odd number.
    #[schemars(range(min = 3, max = 15))]
    pub columns: u8,
    /// Rows from baseline to baseline, an odd number.
    #[schemars(range(min = 3, max = 15))]
    pub rows: u8,
    /// Hexes of the middle row, counted from its middle, up to the lines between the sections; those on a line belong to both.
    #[serde(default)]
    #[schemars(range(min = 1, max = 7))]
    pub section: Option<u8>,
    /// Kinds of terrain, by name, and where they lie.
    #[serde(default)]
    pub terrain: BTreeMap<String, HexTerrainWire>,
    /// Clauses that say so.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Why these values, where no clause gives them.
    #[serde(default)]
    pub note: Option<String>,
}

/// A kind of terrain on a hex board.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct HexTerrainWire {
    /// What narration calls it.
    pub title: String,
    /// Whether nobody sees through it.
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
    /// The sides of these hexes along which it runs, such as those of a rampart: conditions know who stands across one of
    /// them (`self.across`). Left out: none.
    #[serde(default)]
    pub sides: Vec<DirectionName>,
    /// Clauses that say so.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Why it is so, where no clause says.
    #[serde(default)]
    pub note: Option<String>,
}

/// A side of a hex, by the neighbour that lies beyond it. The second side's baseline is in the north.
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

/// What a provision provides. Of several rows for the same thing the first one that applies counts, but for those that are
/// added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProvidesName {
    /// Units face a spine of their hex: two front, two flank and two rear hexes. Without it all six are front.
    Facing,
    /// A unit may move `amount` hexes.
    Move,
    /// A unit may move `amount` hexes more if it then stands next to an enemy, and must fight it.
    Charge,
    /// Steps go into front hexes. Without it they go anywhere.
    Step,
    /// Steps may go into flank and rear hexes with the facing kept: those of `amount` units in a turn; 0 is no limit.
    SideStep,
    /// A unit that steps into a flank or rear hex keeps its facing: it does not turn in that move.
    KeepFacing,
    /// A unit that moves no hex may turn `amount` spines free.
    TurnStanding,
    /// A unit may turn `amount` spines free with each hex it moves.
    TurnMoving,
    /// A unit keeps to one pattern in its turn: always move and then turn, or always turn and then move.
    Pattern,
    /// A unit may give a hex of its move for a turn of up to `amount` spines.
    Pivot,
    /// Units may be turned and moved only under orders.
    Ordered,
    /// A unit may move through friends.
    Pass,
    /// A second move, which wants a target that could have been fired at after the first.
    MoveAgain,
    /// A unit may fire at enemies up to `amount` hexes away.
    Range,
    /// Fire goes through the front. Without it, everywhere.
    FireFront,
    /// Close combat goes through front hexes. Without it, everywhere.
    AttackFront,
    /// A unit may begin close combat through any hex.
    AttackAround,
    /// A unit may not fight in close combat.
    NoAttack,
    /// A unit that can fight must.
    MustAttack,
    /// Of two enemies in the front hexes the one that shows its front must be attacked.
    FrontFirst,
    /// The enemy that shows its front need not be attacked once somebody else has.
    SecondAssailant,
    /// An attacked unit may turn by `amount` spines before the attack is rolled.
    React,
    /// A unit reacts `amount` times in a turn of the enemy.
    ReactOnce,
    /// A unit that reacted falls back in that combat as if it had not.
    KeepRear,
    /// An attacked unit may evade `amount` hexes.
    Evade,
    /// The defender strikes first.
    FirstStrike,
    /// The dice of an attack: `roll`.
    Strike,
    /// So many colour hits of a roll are ignored. All rows that apply are added.
    IgnoreColours,
    /// So many swords of a roll are ignored. All rows that apply are added.
    IgnoreSwords,
    /// So many flags of a roll are ignored. All rows that apply are added.
    IgnoreFlags,
    /// A struck unit may turn `amount` colour hits into flags that cannot be ignored.
    GiveGround,
    /// A struck unit may turn `amount` flags into hits.
    StandFast,
    /// A flag drives a unit back `amount` hexes.
    Retreat,
    /// A flag drives a unit back `amount` hexes more. All rows that apply are added.
    RetreatMore,
    /// Retreats and evasions go to the rear hexes (`amount` 1) or to the own side of the board (0).
    Exit,
    /// A retreat past an enemy in the rear costs `amount` figures.
    PassFoe,
    /// Each hex of a retreat that cannot be made costs `amount` figures.
    Blocked,
    /// A unit that is driven back first strikes everybody around it: `roll`. What stands in its way loses `amount` figures for
    /// each hex it cannot make.
    Rampage,
    /// A unit that still stands where it was attacked strikes back.
    BattleBack,
    /// An attacker may enter the hex it has cleared.
    Advance,
    /// It may then move `amount` hexes more.
    AdvanceMore,
    /// An attacker that enters a hex outside its front first turns towards it.
    AdvanceTurn,
    /// An attacker that has advanced may fight again, `amount` times.
    Again,
    /// What a leader risks when its unit loses figures: `roll`.
    LeaderCheck,
    /// A leader without a unit flees `amount` hexes.
    LeaderFlight,
    /// A unit that evades is removed, and does not count as lost.
    Abandon,
    /// How many units a card orders that says nothing else, and how many cards a hand has.
    Command,
}

/// Something that the rules of a hex board provide for.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ProvisionWire {
    /// Its name.
    pub id: String,
    /// What it provides.
    pub does: ProvidesName,
    /// Whether it is in force: what players may agree on.
    #[serde(default = "yes")]
    pub on: bool,
    /// When it applies. Reads `self`, `foe` where there is one, and the situation. Left out: always.
    #[serde(default)]
    pub when: Option<String>,
    /// How much: a number, or a formula over the situation. Left out: 1.
    #[serde(default)]
    pub amount: Option<IntOrExpr>,
    /// The roll it takes, where it takes one.
    #[serde(default)]
    pub roll: Option<String>,
    /// What narration says of it.
    #[serde(default)]
    pub title: Option<String>,
    /// Clauses it carries out; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// Why it is so, where no clause says.
    #[serde(default)]
    pub note: Option<String>,
}

/// A deck of command cards: each turn a side plays one, which says how many and which units have orders.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DeckWire {
    /// Whether cards are played; without them `activation` says who may act.
    #[serde(default = "yes")]
    pub on: bool,
    /// Cards in a hand.
    #[schemars(range(min = 1, max = 8))]
    pub hand: u8,
    /// The cards.
    #[serde(default)]
    pub card: Vec<CardWire>,
    /// Clauses that say so.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Why these values, where no clause gives them.
    #[serde(default)]
    pub note: Option<String>,
}

/// A part of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SectionName {
    /// Left, as the side that plays the card sees it.
    Left,
    /// The middle.
    Centre,
    /// Right, as the side that plays the card sees it.
    Right,
}

/// A command card.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CardWire {
    /// Its name; conditions read it as `card`.
    pub id: String,
    /// What narration calls it.
    pub title: String,
    /// How many of it are in the deck.
    #[schemars(range(min = 0, max = 60))]
    pub count: u8,
    /// How many units it orders. Left out: as many as a hand has cards.
    #[serde(default)]
    #[schemars(range(min = 0, max = 30))]
    pub orders: Option<u8>,
    /// Which units. Reads `self` and `foe`, the nearest enemy. Left out: any.
    #[serde(default)]
    pub of: Option<String>,
    /// The part of the board its units stand in. Left out: anywhere.
    #[serde(default)]
    pub section: Option<SectionName>,
    /// Whether the units must stand in one unbroken group.
    #[serde(default)]
    pub linked: bool,
    /// Whether it is kept for the enemy's turn instead of being played in one's own.
    #[serde(default)]
    pub held: bool,
    /// Clauses that say so.
    pub cite: Vec<CiteWire>,
    /// Why these values, where no clause gives them.
    #[serde(default)]
    pub note: Option<String>,
}
