//! Board, sequence of play, reactions and victory, as written in files.

use schemars::JsonSchema;
use serde::Deserialize;

use super::casualties::CasualtiesWire;
use super::cite::{CiteWire, PhaseCitesWire};
use super::objective::{LastTurnWire, PointsWire};
use super::regroup::{MergeWire, SplitWire};
use super::resolve::BonusWire;
use super::roll::EffectWire;
use grognard_source::Inches;

/// The kind of playing area.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BoardName {
    /// A table measured in inches; units are oriented rectangles.
    Plane,
    /// Hexes.
    Hex,
    /// No board: units are simply in contact.
    None,
}

/// What a phase does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MechanismName {
    /// Units change formation and facing as their doctrine orders.
    Formation,
    /// Units declare charges as their doctrine orders, their targets react, and the chargers move to contact.
    Charge,
    /// Units move as their doctrine orders; broken units flee.
    Move,
    /// Units fire as their doctrine orders: they take `roll` against the best target.
    Fire,
    /// Units in contact after a charge fight: the charger takes `roll`.
    Shock,
    /// Every unit that meets `when` takes `roll` against the nearest enemy.
    Exchange,
    /// Every unit that meets `when`, broken or not, takes `roll`.
    Test,
    /// Combats are resolved: each side's bonuses (`bonus`) are added up, and a counter of every unit (`into`) is set to
    /// its side's lead.
    Resolve,
    /// Each side that meets `when` takes `roll` once, and the result applies to all of its units.
    Army,
    /// Units split and merge as their doctrine orders (`split`, `merge`).
    Regroup,
    /// Units receive orders one at a time, while the side can pay for them. Each order is an act with a cost and bars.
    Orders,
    /// Units with a firing marker fire: they take `roll` against the best target that meets `when`. From then on, the
    /// target fires back.
    Volley,
    /// Charge markers are resolved, target by target: the principal charger takes `roll`, and its results apply to
    /// all chargers.
    Onset,
    /// Broken units that meet `when` flee, according to the flight table.
    Flight,
    /// A side plays a card, or counts its orders, and chooses the units that receive orders (a `hex` board).
    Command,
    /// Units fight adjacent enemies as their doctrine orders, according to the provisions (a `hex` board).
    CloseCombat,
}

/// The side whose units take part in a phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// The side whose half of the turn it is.
    #[default]
    Active,
    /// The other side; with three or four sides, all others.
    Passive,
    /// All sides, the active one first.
    Both,
}

/// The half of the turn in which a phase takes place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HalfName {
    /// In each side's half.
    #[default]
    Each,
    /// Only in the half of the side that moves first.
    First,
    /// Only in the half of the side that moves second.
    Second,
}

/// A phase of the sequence of play.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PhaseWire {
    /// Its name. Conditions read it as `phase`.
    pub id: String,
    /// Its name in the narration.
    pub title: String,
    /// What it does.
    pub mechanism: MechanismName,
    /// The roll it uses, if any.
    #[serde(default)]
    pub roll: Option<String>,
    /// The units that take part. Reads `self` and, if there is an enemy, `foe`. In a `move` phase, regardless of this
    /// condition, broken units flee, crews go back to their guns, and units join and leave squares.
    #[serde(default)]
    pub when: Option<String>,
    /// The friends over which units may fire (a `volley` phase). Default: none.
    #[serde(default)]
    pub over: Option<OverWire>,
    /// The template for one shot (a `fire` phase). Default: a shot hits only its target.
    #[serde(default)]
    pub template: Option<TemplateWire>,
    /// The shots that go through their target and hit the units behind it too (a `fire` phase). Default: none.
    #[serde(default)]
    pub through: Option<ThroughWire>,
    /// How units split (a `regroup` phase). Default: they do not.
    #[serde(default)]
    pub split: Option<SplitWire>,
    /// How units merge (a `regroup` phase). Default: they do not.
    #[serde(default)]
    pub merge: Option<MergeWire>,
    /// Whether all its rolls are taken before any result is applied (a `fire`, `exchange`, `test`, `shock`,
    /// `army` or `close-combat` phase).
    #[serde(default)]
    pub simultaneous: bool,
    /// Which units take the losses (a simultaneous `exchange` phase). Default: the enemy against which a roll is taken.
    #[serde(default)]
    pub casualties: Option<CasualtiesWire>,
    /// Bonuses that count for one side of a combat (a `resolve` phase).
    #[serde(default)]
    pub bonus: Vec<BonusWire>,
    /// The counter that is set to the lead of the unit's side: below 0 if the side is behind (a `resolve` phase). Units
    /// that are not in a combat get 0.
    #[serde(default)]
    pub into: Option<String>,
    /// Clauses that require return fire (a `volley` phase).
    #[serde(default)]
    pub answer: CitedWire,
    /// The source of the rule that firing markers without a target are removed (a `volley` phase).
    #[serde(default)]
    pub idle: CitedWire,
    /// The side whose units take part.
    #[serde(default)]
    pub by: By,
    /// The half of the turn in which it takes place.
    #[serde(default)]
    pub half: HalfName,
    /// Clauses that it implements; `house` where the rulebook is silent.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Clauses for individual keys that have their own.
    #[serde(default)]
    pub cites: PhaseCitesWire,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// The units over which fire is allowed.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct OverWire {
    /// The units that may fire over friends. Reads `self` and `foe`, the target.
    pub friends: String,
    /// The minimum distance of those friends from the target, in inches.
    pub clear: Inches,
    /// The targets at which units may fire over any unit and any terrain. Reads `self` and `foe`. Default: none.
    #[serde(default)]
    pub anybody: Option<String>,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// A shot that hits every unit under a template: the roll of the phase is taken against each of them. The template is round on a
/// `plane` board; on a `hex` board it is a hex and those around it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TemplateWire {
    /// The template's radius: in inches, or in hexes on a `hex` board. There, 0 is one hex, and 1 a hex and its neighbours.
    pub radius: Inches,
    /// The units that fire this way, and their targets. Reads `self` and `foe`, the target. Default: all.
    #[serde(default)]
    pub when: Option<String>,
    /// How far the shot scatters. Default: it lands on the middle of its target, or on the target's hex.
    #[serde(default)]
    pub scatter: Option<ScatterWire>,
    /// Whether it also hits friends. It never hits the unit that fires.
    #[serde(default)]
    pub friends: bool,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// A shot that goes through its target and hits the units behind it too, nearest first. A roll is taken against each.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ThroughWire {
    /// How far it goes beyond the middle of its target: in inches, or in hexes on a `hex` board. It never goes farther than the range of
    /// the unit. Default: to that range.
    #[serde(default)]
    pub beyond: Option<Inches>,
    /// The units that fire this way, and their targets. Reads `self` and `foe`, the target. Default: all.
    #[serde(default)]
    pub when: Option<String>,
    /// The roll against each unit behind the target. Default: the roll of the phase.
    #[serde(default)]
    pub roll: Option<String>,
    /// The maximum number of units behind the target that it hits. Default: all.
    #[serde(default)]
    #[schemars(range(min = 1, max = 100))]
    pub most: Option<u8>,
    /// Whether it also hits friends. It never hits the unit that fires.
    #[serde(default)]
    pub friends: bool,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// How far a shot scatters, and in which direction.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ScatterWire {
    /// The dice for the distance: `"d6"`, `"2d6"`, or a die of the pack by name.
    pub dice: String,
    /// Inches of scatter for each point on the dice. Required on a `plane` board; on a `hex` board, a point is a hex.
    #[serde(default)]
    pub inches: Option<Inches>,
    /// The number of equally likely directions. The first is straight on along the line of fire; the others follow
    /// clockwise. Required on a `plane` board; on a `hex` board there are six.
    #[serde(default)]
    #[schemars(range(min = 2, max = 100))]
    pub directions: Option<u16>,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// The trigger of a reaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EventName {
    /// A charge has been declared on the unit; the charger has not moved yet.
    Charged,
    /// The unit has lost figures in this phase.
    Losses,
    /// An enemy is about to turn in the unit's fire zone.
    TurnsInZone,
    /// An enemy whose formation cannot move (unlimbered guns) is about to pivot in the unit's fire zone.
    PivotsInZone,
    /// An enemy is about to change formation in the unit's fire zone.
    FormsInZone,
    /// The unit is in the charge zone of an enemy that charges another unit.
    Threatened,
    /// An effect has `sets-off = "beaten"`, for example because fire got the better of the unit.
    Beaten,
    /// An effect has `sets-off = "struck"`, for example because a charge has reached the unit.
    Struck,
    /// An effect has `sets-off = "held"`, for example because the unit has stood its ground.
    Held,
    /// An effect has `sets-off = "broken"`, for example because the unit has given way.
    Broken,
    /// The unit's charge in an `onset` phase has routed its target.
    Won,
}

/// An action that a unit takes at once when something triggers it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ReactionWire {
    /// Its name.
    pub id: String,
    /// Its name in the narration.
    pub title: String,
    /// What triggers it.
    pub on: EventName,
    /// The roll that the unit takes against the unit that triggered it. Default: no dice; `own` and `foe` apply.
    #[serde(default)]
    pub roll: Option<String>,
    /// What happens to the unit, if there is no roll.
    #[serde(default)]
    pub own: EffectWire,
    /// What happens to the unit that triggered it, if there is no roll.
    #[serde(default)]
    pub foe: EffectWire,
    /// When it happens. Reads `self`, `foe` (the charger, or the unit that caused the losses) and the situation.
    #[serde(default)]
    pub when: Option<String>,
    /// Clauses that it implements; `house` where the rulebook is silent.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// How units move and charge on a `plane` board.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MovementWire {
    /// Units up to this width, in inches, take any heading without a wheel.
    pub narrow: Inches,
    /// Which of these units may do so. Reads `self`. Default: all.
    #[serde(default)]
    pub narrow_when: Option<String>,
    /// The distance, in inches, that units keep from the enemy unless they charge.
    pub gap: Inches,
    /// How a wheel is measured. Default: the arc of the outer front corner.
    #[serde(default)]
    pub wheel: WheelName,
    /// The maximum distance, in inches, between units that count as touching.
    #[serde(default)]
    pub touch: Option<MeasureWire>,
    /// The maximum distance, in inches, by which enemies that touch a unit are moved to stay in contact when it changes
    /// formation.
    #[serde(default)]
    pub nudge: Option<MeasureWire>,
    /// The extra length of an ordered move that never leaves a road.
    #[serde(default)]
    pub road: Option<MeasureWire>,
    /// The source of the rule that units under orders may pass through friends, with no effect on either.
    #[serde(default)]
    pub passing: Option<RuleWire>,
    /// The rule that a unit that loses figures keeps contact: its bases shift within its former ground, to touch as
    /// many as possible of the enemies it touched before. Default: they stay in the middle of its front.
    #[serde(default)]
    pub closes_up: Option<RuleWire>,
    /// Conditions that halve the move of units under orders. The move is halved only once, even if several rows apply.
    #[serde(default)]
    pub half: Vec<RateWire>,
    /// The angle that counts as straight ahead. Default: every direction counts.
    #[serde(default)]
    pub ahead: Option<AheadWire>,
    /// Conditions that bar the way to units that move without an order: units that flee, pursue, take the position of
    /// an enemy that has fled, or are moved to keep a contact. No unit may begin a battle in an area that a bar closes
    /// to it.
    #[serde(default)]
    pub bar: Vec<RateWire>,
    /// When units may be ordered out of contact.
    #[serde(default)]
    pub leave: Vec<RateWire>,
    /// Which units may charge which enemies. Reads `self`, `foe` and `distance`.
    #[serde(default)]
    pub charge: Option<String>,
    /// The source of the rule that units wheel.
    #[serde(default)]
    pub wheels: CitedWire,
    /// The source of the rule that narrow units need not wheel.
    #[serde(default)]
    pub narrows: CitedWire,
    /// The source of the rule on who may charge.
    #[serde(default)]
    pub charges: CitedWire,
    /// Clauses that it implements; `house` where the rulebook is silent.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// The angle to either side that counts as straight ahead.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct AheadWire {
    /// The angle, in degrees.
    #[schemars(range(min = 0, max = 89))]
    pub angle: u16,
    /// Clauses that it implements.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// The reason for this value, if no clause gives it.
    #[serde(default)]
    pub note: Option<String>,
}

/// The source of a part of a rule.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct CitedWire {
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    pub note: Option<String>,
}

/// How a wheel about a front corner is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WheelName {
    /// The arc that the outer front corner sweeps.
    #[default]
    Corner,
    /// The arc that the middle of the front edge sweeps: half as long.
    Middle,
}

/// A length with its own source.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MeasureWire {
    /// The length. The road bonus is added after any halving.
    pub inches: Inches,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// A rule without numbers. It is in force in a pack that has this key.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RuleWire {
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// A condition on a move: it halves the move, bars the way, or lets the unit leave a contact.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RateWire {
    /// Its name.
    pub id: String,
    /// When it applies. Reads `self`, the situation and `move`.
    pub when: String,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// How a battle that reaches the turn limit is decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LimitName {
    /// Neither side wins.
    #[default]
    Draw,
    /// The side that moves first wins.
    First,
    /// The side that moves second wins, because it has held out.
    Second,
    /// The side that has lost the smaller share of its units wins.
    Fewer,
    /// The side that leads by `margin` points wins.
    Points,
}

/// When sides are checked for defeat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum VictoryAtName {
    /// After each phase.
    #[default]
    Phase,
    /// At the end of each side's half of the turn. If both sides are beaten then, the side that lost the smaller
    /// share wins.
    Half,
}

/// When a battle is over, and who wins.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct VictoryWire {
    /// A side is beaten when this percentage of its units is broken, destroyed or off the table.
    #[schemars(range(min = 1, max = 100))]
    pub broken: u8,
    /// Which units count as lost, besides those off the table. Reads `self`. Default: broken ones.
    #[serde(default)]
    pub lost: Option<String>,
    /// Which units count half. Reads `self`. Default: none.
    #[serde(default)]
    pub half: Option<String>,
    /// When sides are checked for defeat.
    #[serde(default)]
    pub at: VictoryAtName,
    /// The number of lost units at which a side is beaten immediately.
    #[serde(default)]
    #[schemars(range(min = 1, max = 60))]
    pub banners: Option<u8>,
    /// Who wins if the turn limit is reached.
    #[serde(default)]
    pub limit: LimitName,
    /// What scores points for a side.
    #[serde(default)]
    pub points: Vec<PointsWire>,
    /// The lead in points that a side needs to win at the end, with `limit = "points"`. Default: 1.
    #[serde(default)]
    #[schemars(range(min = 1, max = 1000))]
    pub margin: Option<u16>,
    /// A side with this number of points at the end of a game turn wins. Default: no limit.
    #[serde(default)]
    #[schemars(range(min = 1, max = 1000))]
    pub reach: Option<u16>,
    /// A last turn decided by dice. Default: the battle ends with the study's last turn.
    #[serde(default)]
    pub last: Option<LastTurnWire>,
    /// Clauses that it implements; `house` where the rulebook is silent.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}
