//! Board, sequence of play, reactions and victory as files write them.

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::{CiteWire, PhaseCitesWire};
use super::objective::{LastTurnWire, PointsWire};
use super::roll::EffectWire;
use grognard_source::Inches;

/// What battles are fought on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BoardName {
    /// A table measured in inches; units are oriented rectangles.
    Plane,
    /// Hexes.
    Hex,
    /// None: the units are simply in contact.
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
    /// Units fire as their doctrine orders: `roll` against the best target.
    Fire,
    /// Units in contact after a charge fight: `roll`, the charger's own.
    Shock,
    /// Every unit for which `when` holds takes `roll` against the nearest enemy.
    Exchange,
    /// Every unit for which `when` holds takes `roll`; broken units too.
    Test,
    /// Units are given orders one after the other, as many as the side can pay for: each is an act with its cost and bars.
    Orders,
    /// Units with a firing marker fire: `roll` against the best target for which `when` holds, which fires back from now on.
    Volley,
    /// Charges that stand marked are resolved, target by target: `roll` by the principal charger, whose results go for all.
    Onset,
    /// Broken units for which `when` holds flee, by the flight table.
    Flight,
    /// A side plays a card, or counts its orders, and chooses the units that have orders (a `hex` board).
    Command,
    /// Units fight the enemies next to them as their doctrine orders, by the provisions (a `hex` board).
    CloseCombat,
}

/// Whose units take part in a phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// The side whose half of the turn it is.
    #[default]
    Active,
    /// The other side.
    Passive,
    /// Both sides, the active one first.
    Both,
}

/// In which half of the turn a phase takes place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HalfName {
    /// In each side's half.
    #[default]
    Each,
    /// In the half of the side that moves first only.
    First,
    /// In the half of the side that moves second only.
    Second,
}

/// A phase of the sequence of play.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PhaseWire {
    /// Its name; conditions read it as `phase`.
    pub id: String,
    /// What narration calls it.
    pub title: String,
    /// What it does.
    pub mechanism: MechanismName,
    /// The roll it takes, where it takes one.
    #[serde(default)]
    pub roll: Option<String>,
    /// Which units take part. Reads `self` and, where there is an enemy, `foe`.
    #[serde(default)]
    pub when: Option<String>,
    /// Over whom units may fire (a `volley` phase). Left out: over nobody.
    #[serde(default)]
    pub over: Option<OverWire>,
    /// The ground that one shot covers (a `fire` phase). Left out: a shot hits its target alone.
    #[serde(default)]
    pub template: Option<TemplateWire>,
    /// Clauses that require return fire (a `volley` phase).
    #[serde(default)]
    pub answer: CitedWire,
    /// Where it comes from that firing markers without a target go away (a `volley` phase).
    #[serde(default)]
    pub idle: CitedWire,
    /// Whose units take part.
    #[serde(default)]
    pub by: By,
    /// In which half of the turn.
    #[serde(default)]
    pub half: HalfName,
    /// Clauses it carries out; `house` where the rulebook is silent.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Clauses behind single keys, where these have clauses of their own.
    #[serde(default)]
    pub cites: PhaseCitesWire,
    /// Why it is so, where no clause says.
    #[serde(default)]
    pub note: Option<String>,
}

/// Over whom units may fire.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct OverWire {
    /// Who fires over friends. Reads `self` and `foe`, the target.
    pub friends: String,
    /// Inches that these are from the target at the least.
    pub clear: Inches,
    /// At whom one may fire over anybody. Reads `self` and `foe`. Left out: at nobody.
    #[serde(default)]
    pub anybody: Option<String>,
    /// Clauses it carries out; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// Why it is so, where no clause says.
    #[serde(default)]
    pub note: Option<String>,
}

/// A shot that hits every unit that a round template touches: the roll of the phase is taken against each of them.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TemplateWire {
    /// Inches from the middle of the template to its edge.
    pub radius: Inches,
    /// Which units fire so, and at whom. Reads `self` and `foe`, the target. Left out: all.
    #[serde(default)]
    pub when: Option<String>,
    /// How far the shot strays. Left out: it lands in the middle of its target.
    #[serde(default)]
    pub scatter: Option<ScatterWire>,
    /// Whether it hits friends too. It never hits the unit that fires.
    #[serde(default)]
    pub friends: bool,
    /// Clauses it carries out; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// Why it is so, where no clause says.
    #[serde(default)]
    pub note: Option<String>,
}

/// How far a shot strays, and which way.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ScatterWire {
    /// The dice for the distance: `"d6"`, `"2d6"`, or a die of the pack by name.
    pub dice: String,
    /// Inches that the shot strays for each point that they show.
    pub inches: Inches,
    /// Equally likely directions. The first is straight on along the line of fire, the others follow clockwise.
    #[schemars(range(min = 2, max = 100))]
    pub directions: u16,
    /// Clauses it carries out; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// Why it is so, where no clause says.
    #[serde(default)]
    pub note: Option<String>,
}

/// How many orders a side may give in its half of a turn. Give one key; without the table every unit may act.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ActivationWire {
    /// So many orders.
    #[serde(default)]
    #[schemars(range(min = 0, max = 200))]
    pub orders: Option<u16>,
    /// As many orders as these dice show together: `"d6"`, `"2d6"`, `"d6+d10"`.
    #[serde(default)]
    pub dice: Option<String>,
    /// Clauses that say so; `house` where the rulebook is silent.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Why it is so, where no clause says.
    #[serde(default)]
    pub note: Option<String>,
}

/// What sets a reaction off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EventName {
    /// A charge has been declared on the unit; the charger has not moved yet.
    Charged,
    /// The unit has lost figures in this phase.
    Losses,
    /// An enemy is about to turn in the unit's fire zone.
    TurnsInZone,
    /// An enemy that does not move in its formation (guns in action) is about to pivot in the unit's fire zone.
    PivotsInZone,
    /// An enemy is about to change formation in the unit's fire zone.
    FormsInZone,
    /// The unit is in the charge zone of an enemy who charges somebody else.
    Threatened,
    /// An effect says `sets-off = "beaten"`: worsted by fire, say.
    Beaten,
    /// An effect says `sets-off = "struck"`: a charge comes home, say.
    Struck,
    /// An effect says `sets-off = "held"`: the unit has stood, say.
    Held,
    /// An effect says `sets-off = "broken"`: the unit has given way, say.
    Broken,
    /// The unit's charge in an `onset` phase has put its target to flight.
    Won,
}

/// Something that happens at once when something else happens.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ReactionWire {
    /// Its name.
    pub id: String,
    /// What narration calls it.
    pub title: String,
    /// What sets it off.
    pub on: EventName,
    /// The roll the unit takes against the one that set it off. Left out: no dice, only `own` and `foe`.
    #[serde(default)]
    pub roll: Option<String>,
    /// What happens to the unit, without a roll.
    #[serde(default)]
    pub own: EffectWire,
    /// What happens to the one that set it off, without a roll.
    #[serde(default)]
    pub foe: EffectWire,
    /// When it does so. Reads `self`, `foe` (the charger, or whoever caused the losses) and the situation.
    #[serde(default)]
    pub when: Option<String>,
    /// Clauses it carries out; `house` where the rulebook is silent.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Why it is so, where no clause says.
    #[serde(default)]
    pub note: Option<String>,
}

/// How units move and charge on a `plane` board.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MovementWire {
    /// Units no wider than this, in inches, take any heading without a wheel.
    pub narrow: Inches,
    /// Which of these units do so. Reads `self`. Left out: all of them.
    #[serde(default)]
    pub narrow_when: Option<String>,
    /// Inches that units which do not charge keep between themselves and the enemy.
    pub gap: Inches,
    /// How a wheel is measured. Left out: the arc of the outer front corner.
    #[serde(default)]
    pub wheel: WheelName,
    /// Units no further apart than this, in inches, touch.
    #[serde(default)]
    pub touch: Option<MeasureWire>,
    /// Enemies that touched a unit which forms anew are moved at most so many inches to touch it again.
    #[serde(default)]
    pub nudge: Option<MeasureWire>,
    /// What a move adds that is given as an order and never leaves a road.
    #[serde(default)]
    pub road: Option<MeasureWire>,
    /// Where it comes from that units given orders pass through friends, and what comes of it: nothing.
    #[serde(default)]
    pub passing: Option<PassingWire>,
    /// What halves the move of units that are given orders. It is halved once, however many rows apply.
    #[serde(default)]
    pub half: Vec<RateWire>,
    /// What counts as straight ahead: so many degrees to either side. Without it every direction does.
    #[serde(default)]
    pub ahead: Option<AheadWire>,
    /// What closes a way to units that go it without an order: they flee, pursue, or are moved to keep a contact.
    #[serde(default)]
    pub bar: Vec<RateWire>,
    /// Where it comes from that units leave a contact by an order.
    #[serde(default)]
    pub leave: Vec<RateWire>,
    /// Which units may charge, and whom. Reads `self`, `foe` and `distance`.
    #[serde(default)]
    pub charge: Option<String>,
    /// Where it comes from that units wheel.
    #[serde(default)]
    pub wheels: CitedWire,
    /// Where it comes from that narrow ones need not.
    #[serde(default)]
    pub narrows: CitedWire,
    /// Where it comes from who may charge.
    #[serde(default)]
    pub charges: CitedWire,
    /// Clauses it carries out; `house` where the rulebook is silent.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Why it is so, where no clause says.
    #[serde(default)]
    pub note: Option<String>,
}

/// The angle to either side that counts as straight ahead.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct AheadWire {
    /// Degrees.
    #[schemars(range(min = 0, max = 89))]
    pub angle: u16,
    /// Clauses that say so.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Why this value, where no clause gives it.
    #[serde(default)]
    pub note: Option<String>,
}

/// Where a part of a rule comes from.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CitedWire {
    /// Clauses it carries out; `house` where the rulebook is silent.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Why it is so, where no clause says.
    #[serde(default)]
    pub note: Option<String>,
}

/// How a wheel about a front corner is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WheelName {
    /// The arc that the outer front corner sweeps.
    #[default]
    Corner,
    /// The arc that the middle of the front edge sweeps: half of that.
    Middle,
}

/// A length with a source of its own.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MeasureWire {
    /// The length; what a road adds is added after anything is halved.
    pub inches: Inches,
    /// Clauses it carries out; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// Why it is so, where no clause says.
    #[serde(default)]
    pub note: Option<String>,
}

/// That units pass through friends.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PassingWire {
    /// Clauses that say so; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// Why it is so, where no clause says.
    #[serde(default)]
    pub note: Option<String>,
}

/// Something that is so of some ways: it halves the move, closes the way or lets a contact be left.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RateWire {
    /// Its name.
    pub id: String,
    /// When it applies. Reads `self`, the situation and `move`.
    pub when: String,
    /// Clauses it carries out; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// Why it is so, where no clause says.
    #[serde(default)]
    pub note: Option<String>,
}

/// How a battle that reaches the turn limit is judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LimitName {
    /// Nobody wins.
    #[default]
    Draw,
    /// The side that moves first wins.
    First,
    /// The side that moves second wins: it has held.
    Second,
    /// The side that has lost the smaller share of its units wins.
    Fewer,
    /// The side that leads by `margin` points wins.
    Points,
}

/// When it is looked whether a side is beaten.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum VictoryAtName {
    /// After each phase.
    #[default]
    Phase,
    /// At the end of each side's half of the turn. If both sides are beaten then, the one that lost the smaller share wins.
    Half,
}

/// When a battle is over and who has won.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct VictoryWire {
    /// A side is beaten when this share of its units, in per cent, is broken, destroyed or off the table.
    #[schemars(range(min = 1, max = 100))]
    pub broken: u8,
    /// Which units count as lost, beside those off the table. Reads `self`. Left out: broken ones.
    #[serde(default)]
    pub lost: Option<String>,
    /// Which units count half. Reads `self`. Left out: none.
    #[serde(default)]
    pub half: Option<String>,
    /// When it is looked at.
    #[serde(default)]
    pub at: VictoryAtName,
    /// A side is beaten at once when so many of its units are lost.
    #[serde(default)]
    #[schemars(range(min = 1, max = 60))]
    pub banners: Option<u8>,
    /// Who wins if the turn limit is reached.
    #[serde(default)]
    pub limit: LimitName,
    /// What brings a side points.
    #[serde(default)]
    pub points: Vec<PointsWire>,
    /// Points by which a side must lead to win at the end, with `limit = "points"`. Default: 1.
    #[serde(default)]
    #[schemars(range(min = 1, max = 1000))]
    pub margin: Option<u16>,
    /// Points with which a side wins as a game turn ends. Default: there is no such number.
    #[serde(default)]
    #[schemars(range(min = 1, max = 1000))]
    pub reach: Option<u16>,
    /// A last turn that dice decide. Default: the last turn is the one that the study gives.
    #[serde(default)]
    pub last: Option<LastTurnWire>,
    /// Clauses it carries out; `house` where the rulebook is silent.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Why it is so, where no clause says.
    #[serde(default)]
    pub note: Option<String>,
}
