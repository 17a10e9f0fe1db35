//! The facts that conditions can read: fields of a unit, of its enemy, and of the situation.

/// The unit to which a field belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// `self`: the unit whose condition, roll or doctrine is evaluated.
    Own,
    /// `foe`: its enemy.
    Foe,
}

/// A fact that a condition can read about a unit or the situation.
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
    /// `start`: figures it had at the start of the battle; for a square of several units, the total; for a unit and a
    /// screen that test as one, those of both.
    Start,
    /// `lost`: figures it has lost in the battle, counted in the same way.
    Lost,
    /// `hits`: figures it has lost in this phase, counted in the same way.
    Hits,
    /// `front`: figures in its front rank.
    Front,
    /// `ranks`: its ranks.
    Ranks,
    /// `facing`: `front` if it has a front, flanks and a rear; `all` if it faces in all directions.
    Facing,
    /// `target`: the target class of its formation.
    Target,
    /// `formed`: whether its formation is close order.
    Formed,
    /// `formed_to_move`: whether its formation is close order for movement.
    FormedToMove,
    /// `shaken`: whether its morale state counts as shaken.
    Shaken,
    /// `broken`: whether its morale state counts as broken.
    Broken,
    /// `charging`: whether it is charging, from the declaration to the end of the half-turn.
    Charging,
    /// `charged`: whether a charge has been declared on it in this half-turn.
    Charged,
    /// `changed`: whether it has changed formation in this half-turn.
    Changed,
    /// `moved`: whether it has moved in this half-turn.
    Moved,
    /// `marched`: whether it has moved in this half-turn or, if it is a battery or a train, in its side's last one.
    Marched,
    /// `fired`: whether it has fired in this half-turn.
    Fired,
    /// `firing`: whether it has a firing marker.
    Firing,
    /// `pivoted`: whether it has pivoted by order in this half-turn.
    Pivoted,
    /// `ceased`: whether it has stopped firing by order in this phase.
    Ceased,
    /// `active`: whether it is its side's half of the turn.
    Active,
    /// `acted`: whether it can no longer be activated in this turn, if units go one at a time.
    Acted,
    /// `contacts`: enemies it touches.
    Contacts,
    /// `touching`: whether the two units touch.
    Touching,
    /// `strikes`: how it moved into contact with the other unit: on its front, flank or rear.
    Strikes,
    /// `charges`: units that have a charge marked on it, or whose charge on it was resolved in this half-turn.
    Charges,
    /// `points`: one-point orders that its side can still give it.
    Points,
    /// `divided`: whether a friend of another command has a charge marker against the other unit.
    Divided,
    /// `faced`: whether a charge marked against it strikes its front.
    Faced,
    /// `struck`: the worst side on which a charge marked against it strikes: its front, flank or rear; its front if
    /// there is none.
    Struck,
    /// `charged_by_like`: whether a unit of its own arm is marked to charge it.
    ChargedByLike,
    /// `support`: distance to the nearest friend behind it of its arm and heading that covers more than half its width.
    Support,
    /// `aim`: from the middle of its front edge to the nearest part of the other unit.
    Aim,
    /// `sees`: whether any part of the other unit is in its front arc.
    Sees,
    /// `enfilades`: whether one of its front corners is behind the line of the other unit's rear edge.
    Enfilades,
    /// `enclosed`: whether its middle lies in an area, such as a wood.
    Enclosed,
    /// `site`: the kind of terrain that it fills or stands on, ignoring roads; high terrain only if no other terrain
    /// lies on it.
    Site,
    /// `high`: whether its middle lies on high terrain, regardless of other terrain there.
    High,
    /// `upslope`: whether it is on high terrain and the nearest enemy that does not flee is not. False if there is no
    /// such enemy.
    Upslope,
    /// `on_road`: whether it touches a road and does not fill a piece of terrain; with its middle in an area, a road
    /// that leads into that area.
    OnRoad,
    /// `in_open`: whether no part of it lies on area terrain or linear terrain.
    InOpen,
    /// `in_area`: whether any part of it lies in area terrain, on a road or off it.
    InArea,
    /// `in_front`: whether any part of it is straight ahead of the other unit's front edge.
    InFront,
    /// `bears`: whether it could now fire at some enemy in a volley phase.
    Bears,
    /// `bears_on`: whether it could now fire at the other unit in a volley phase.
    BearsOn,
    /// `move`: a fact about the move under consideration.
    Way(WayFact),
    /// `exposed`: the arc it shows to the other unit: `front`, `flank` or `rear`.
    Exposed,
    /// `cannon`: cannon it still has; 0 for a unit that is neither a battery nor a train.
    Cannon,
    /// `behind`: figures behind its front rank.
    Behind,
    /// `fighting`: figures that fight: all of them, or at most the pack's number outside its front.
    Fighting,
    /// `enfiladed`: whether the other unit's fire rakes it from flank to flank.
    Enfiladed,
    /// `backed`: whether a friend is close behind it.
    Backed,
    /// `supported`: whether a friend is directly behind it.
    Supported,
    /// `stack`: units stacked directly behind one another, from this one to the rear.
    Stack,
    /// `follows`: whether there is a friend ahead of it that it may follow.
    Follows,
    /// `pinned`: whether it is in an enemy's fire zone.
    Pinned,
    /// `threatened`: whether it is in a charge zone, or was in one during the enemy's last half-turn.
    Threatened,
    /// `reach`: how far it can charge from its position, in its formation.
    Reach,
    /// `range`: the maximum range of its fire.
    Range,
    /// `ground`: the kind of terrain under its middle; `open` if there is none.
    Ground,
    /// `cover`: whether terrain that covers lies between it and the other unit, or under it.
    Cover,
    /// `shelter`: distance from it to linear terrain that covers it from the other unit.
    Shelter,
    /// `rough`: distance from its middle to the nearest terrain that disorders.
    Rough,
    /// `masked`: whether terrain or a third unit hides the other unit from the middle of its front edge or, for a
    /// square, from the middle of the face opposite the other unit.
    Masked,
    /// `crossed`: whether it has crossed linear terrain in this half-turn.
    Crossed,
    /// `order`: the order of its command.
    Order,
    /// `mode`: the mode in which its command moves.
    Mode,
    /// `unsettled`: whether its command counts as shaken in tests because of its mode.
    Unsettled,
    /// `loose`: whether its figures stand in a loose row.
    Loose,
    /// `screen`: whether it is the screen of another unit.
    Screen,
    /// `out`: figures it has in open order: its screen's, or all of its own; for a screen, including those just lost.
    Out,
    /// `whole`: its figures and those of its screen; for a screen, those of its whole unit, including those just lost.
    Whole,
    /// `sent`: figures that would no longer be where they were before the phase if it deployed or recalled some now. Read
    /// when deciding whether that changes its formation.
    Sent,
    /// `terrain`: the terrain of its hex.
    Terrain,
    /// `across`: whether the other unit is adjacent across a hexside with terrain of this unit's hex.
    Across,
    /// `supports`: adjacent friendly units, including leaders alone in a hex but not itself.
    Supports,
    /// `engaged`: whether an enemy is next to it.
    Engaged,
    /// `led`: whether a leader or a general is with it; for a leader, whether he is with a unit.
    Led,
    /// `commanded`: whether a leader of its side is with it or next to it.
    Commanded,
    /// `fresh`: whether it had all its figures when the current combat began.
    Fresh,
    /// `steps`: hexes it has moved in this half-turn, including turns that cost movement.
    Steps,
    /// `ordered`: whether it has orders in this half-turn.
    Ordered,
    /// `reacted`: whether it has reacted in this half-turn.
    Reacted,
    /// `fought`: whether it has fought in close combat in this half-turn, as the attacker.
    Fought,
    /// `reacts`: spines that it may still turn when it is attacked on a flank or in the rear.
    Reacts,
    /// `outlets`: the number of free hexes among the two into which it falls back.
    Outlets,
    /// `bare`: its flank and rear hexes that no friend occupies and that an enemy could occupy, facing it, after the
    /// enemy's next move.
    Bare,
    /// `openings`: enemies whose flank or rear could be in front of it after this move and its next.
    Openings,
    /// `reachers`: enemies that could have it in front of them after their next move.
    Reachers,
    /// `lured`: whether it could get the other unit in front of it, but only by leaving adjacent friends.
    Lured,
    /// `follow`: enemies it would have in its front hexes in the other unit's hex, with its current facing.
    Follow,
    /// `combat`, without a subject: the kind of the current combat.
    Combat,
    /// `card`, without a subject: the card being played.
    Card,
    /// An attribute of the pack, by index.
    Attribute(u8),
    /// A trait of the pack, by index.
    Trait(u8),
    /// A counter of the pack, by index.
    Counter(u8),
    /// `distance`, without a subject: the distance between the nearest edges of the two units.
    Distance,
    /// `self.objective`: the distance from it to the nearest objective.
    Objective,
    /// `score`, without a subject: the current points of the unit's side.
    Score,
    /// `margin`, without a subject: its side's lead in points.
    Margin,
    /// `army` or `enemy`: a fact about the unit's side, or the other one.
    Army {
        /// The fact.
        fact: ArmyFact,
        /// Whether it is about the other side.
        enemy: bool,
    },
    /// `turn`, without a subject: the game turn, from 1.
    Turn,
    /// `phase`, without a subject: the current phase.
    Phase,
}

/// The bit position of sixteen flags of a unit that are noted together: [`Fact::noted`] lists those that conditions can
/// read.
pub const NOTED_FLAGS: u8 = 32;

/// The first bit in which no fact is noted.
pub const NOTED_END: u8 = 61;

impl Fact {
    /// The bit position and width of this fact in a unit's status word, if it is stored there. It depends only on the
    /// unit, its command and its linked unit (its screen, crew or parent). The bits from [`NOTED_END`] on are free for
    /// the cache.
    #[inline]
    #[must_use]
    pub const fn noted(self) -> Option<(u8, u8)> {
        Some(match self {
            Fact::Kind => (0, 6),
            Fact::Arm => (6, 4),
            Fact::Formation => (10, 5),
            Fact::Morale => (15, 4),
            Fact::Target => (19, 4),
            Fact::Order => (23, 4),
            Fact::Mode => (27, 4),
            Fact::Unsettled => (31, 1),
            Fact::Charging => (NOTED_FLAGS, 1),
            Fact::Charged => (NOTED_FLAGS + 1, 1),
            Fact::Changed => (NOTED_FLAGS + 2, 1),
            Fact::Moved => (NOTED_FLAGS + 3, 1),
            Fact::Fired => (NOTED_FLAGS + 4, 1),
            Fact::Threatened => (NOTED_FLAGS + 9, 1),
            Fact::Crossed => (NOTED_FLAGS + 14, 1),
            Fact::Formed => (48, 1),
            Fact::FormedToMove => (49, 1),
            Fact::Broken => (50, 1),
            Fact::Marched => (51, 1),
            Fact::Loose => (52, 1),
            Fact::Screen => (53, 1),
            Fact::Firing => (54, 1),
            Fact::Pivoted => (55, 1),
            // All bits set means that it is not cached.
            Fact::Shaken => (56, 2),
            _ => return None,
        })
    }

    /// Shifts a value to its position in the status word; 0 if the fact has none. Values that do not fit are truncated,
    /// and no condition reads them there.
    #[inline(always)]
    #[must_use]
    pub const fn put(self, value: u8) -> u64 {
        match self.noted() {
            Some((shift, width)) => (value as u64 & ((1 << width) - 1)) << shift,
            None => 0,
        }
    }

    /// The relative cost of reading it: 0 for data the unit carries, 1 for a table look-up, 2 for a measurement between
    /// two units, 3 for a measurement among all units, 4 for what could happen next.
    pub(crate) fn price(self) -> u8 {
        match self {
            Fact::Front | Fact::Ranks | Fact::Behind | Fact::Reach | Fact::Range | Fact::Points => 1,
            Fact::Order | Fact::Mode | Fact::Unsettled | Fact::Out | Fact::Whole | Fact::Shaken => 1,
            Fact::Distance | Fact::Exposed | Fact::Fighting | Fact::Touching | Fact::Strikes => 2,
            Fact::Ground | Fact::Site | Fact::Enclosed | Fact::InOpen | Fact::InArea | Fact::Cover | Fact::Shelter => 2,
            Fact::Rough | Fact::High | Fact::OnRoad => 2,
            Fact::Aim | Fact::Sees | Fact::InFront | Fact::Enfilades => 2,
            Fact::Contacts | Fact::Charges | Fact::Divided | Fact::Faced | Fact::Struck | Fact::ChargedByLike => 3,
            Fact::Support | Fact::Led => 3,
            Fact::Enfiladed | Fact::Backed | Fact::Supported | Fact::Stack | Fact::Follows | Fact::Pinned => 3,
            Fact::Masked | Fact::Upslope | Fact::Objective | Fact::Score | Fact::Margin | Fact::Army { .. } => 3,
            Fact::Supports | Fact::Engaged | Fact::Commanded => 3,
            Fact::Bears | Fact::BearsOn | Fact::Reacts | Fact::Outlets | Fact::Bare => 4,
            Fact::Openings | Fact::Reachers | Fact::Lured | Fact::Follow => 4,
            _ => 0,
        }
    }
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
    ("formed_to_move", Fact::FormedToMove),
    ("shaken", Fact::Shaken),
    ("broken", Fact::Broken),
    ("charging", Fact::Charging),
    ("charged", Fact::Charged),
    ("changed", Fact::Changed),
    ("moved", Fact::Moved),
    ("marched", Fact::Marched),
    ("fired", Fact::Fired),
    ("firing", Fact::Firing),
    ("pivoted", Fact::Pivoted),
    ("ceased", Fact::Ceased),
    ("active", Fact::Active),
    ("acted", Fact::Acted),
    ("contacts", Fact::Contacts),
    ("touching", Fact::Touching),
    ("strikes", Fact::Strikes),
    ("charges", Fact::Charges),
    ("divided", Fact::Divided),
    ("faced", Fact::Faced),
    ("struck", Fact::Struck),
    ("charged_by_like", Fact::ChargedByLike),
    ("points", Fact::Points),
    ("support", Fact::Support),
    ("aim", Fact::Aim),
    ("sees", Fact::Sees),
    ("enfilades", Fact::Enfilades),
    ("enclosed", Fact::Enclosed),
    ("site", Fact::Site),
    ("high", Fact::High),
    ("upslope", Fact::Upslope),
    ("on_road", Fact::OnRoad),
    ("in_open", Fact::InOpen),
    ("in_area", Fact::InArea),
    ("in_front", Fact::InFront),
    ("bears", Fact::Bears),
    ("bears_on", Fact::BearsOn),
    ("exposed", Fact::Exposed),
    ("cannon", Fact::Cannon),
    ("behind", Fact::Behind),
    ("fighting", Fact::Fighting),
    ("enfiladed", Fact::Enfiladed),
    ("backed", Fact::Backed),
    ("supported", Fact::Supported),
    ("stack", Fact::Stack),
    ("follows", Fact::Follows),
    ("pinned", Fact::Pinned),
    ("threatened", Fact::Threatened),
    ("reach", Fact::Reach),
    ("range", Fact::Range),
    ("ground", Fact::Ground),
    ("cover", Fact::Cover),
    ("shelter", Fact::Shelter),
    ("rough", Fact::Rough),
    ("masked", Fact::Masked),
    ("crossed", Fact::Crossed),
    ("order", Fact::Order),
    ("mode", Fact::Mode),
    ("unsettled", Fact::Unsettled),
    ("loose", Fact::Loose),
    ("screen", Fact::Screen),
    ("out", Fact::Out),
    ("whole", Fact::Whole),
    ("sent", Fact::Sent),
    ("terrain", Fact::Terrain),
    ("across", Fact::Across),
    ("supports", Fact::Supports),
    ("engaged", Fact::Engaged),
    ("led", Fact::Led),
    ("commanded", Fact::Commanded),
    ("fresh", Fact::Fresh),
    ("steps", Fact::Steps),
    ("ordered", Fact::Ordered),
    ("reacted", Fact::Reacted),
    ("fought", Fact::Fought),
    ("reacts", Fact::Reacts),
    ("outlets", Fact::Outlets),
    ("bare", Fact::Bare),
    ("openings", Fact::Openings),
    ("reachers", Fact::Reachers),
    ("lured", Fact::Lured),
    ("follow", Fact::Follow),
    ("objective", Fact::Objective),
];

/// A fact that a condition can read about the move under consideration. False if there is no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WayFact {
    /// `move.oblique`: part of it goes outside the pack's `movement.ahead` without a wheel.
    Oblique,
    /// `move.overlaps`: it ends overlapping another unit.
    Overlaps,
    /// `move.through_enemy`: it passes through an enemy.
    ThroughEnemy,
    /// `move.through_like`: it passes through a friend of its own arm.
    ThroughLike,
    /// `move.parts`: it breaks contact with an enemy.
    Parts,
    /// `move.parts_like`: it breaks contact with an enemy of the unit's own arm.
    PartsLike,
    /// `move.meets`: it ends touching an enemy that the unit does not touch yet.
    Meets,
    /// `move.touches`: it ends touching an enemy.
    Touches,
    /// `move.area`: part of it lies in area terrain and not on a road.
    Area,
    /// `move.enters`: part of it lies off the road in area terrain other than the target's, where the unit was not
    /// already off the road.
    Enters,
    /// `move.through_cover`: part of it lies, on a road or off it, in area terrain that covers. Two pieces do not
    /// count: the one that holds the target, and one that the unit comes out of, which held the unit's middle or no
    /// part of its front edge.
    ThroughCover,
    /// `move.linear`: it crosses linear terrain.
    Linear,
    /// `move.road`: it never leaves a road.
    Road,
    /// `move.bonus`: it is longer than it could be without the road's bonus.
    Bonus,
    /// `move.crowded`: it ends in area terrain that holds another unit of its arm.
    Crowded,
    /// `move.by_road`: part of it lies in area terrain on a road.
    ByRoad,
    /// `move.far`: it is a turn on the spot for which the unit's move would not be enough.
    Far,
    /// `move.barred`: it crosses terrain that is barred to the unit, and not on a road.
    Barred,
}

/// The facts of a move, with their names in conditions.
pub(crate) const WAY_FACTS: [(&str, WayFact); 18] = [
    ("move.oblique", WayFact::Oblique),
    ("move.overlaps", WayFact::Overlaps),
    ("move.through_enemy", WayFact::ThroughEnemy),
    ("move.through_like", WayFact::ThroughLike),
    ("move.parts", WayFact::Parts),
    ("move.parts_like", WayFact::PartsLike),
    ("move.meets", WayFact::Meets),
    ("move.touches", WayFact::Touches),
    ("move.area", WayFact::Area),
    ("move.enters", WayFact::Enters),
    ("move.through_cover", WayFact::ThroughCover),
    ("move.linear", WayFact::Linear),
    ("move.road", WayFact::Road),
    ("move.bonus", WayFact::Bonus),
    ("move.crowded", WayFact::Crowded),
    ("move.by_road", WayFact::ByRoad),
    ("move.far", WayFact::Far),
    ("move.barred", WayFact::Barred),
];

/// A fact that a condition can read about a whole side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArmyFact {
    /// `start`: the total of all its units.
    Start,
    /// `lost`: the total of its lost units.
    Lost,
    /// `broken`: the total of its broken units that are still on the table.
    Broken,
    /// `best`: the highest value of the pack's formula among its unbroken units; 0 if there are none.
    Best,
}

/// The facts of sides: their names in conditions, and whether they are the enemy's.
pub(crate) const ARMY_FACTS: [(&str, bool, ArmyFact); 8] = [
    ("army.start", false, ArmyFact::Start),
    ("army.lost", false, ArmyFact::Lost),
    ("army.broken", false, ArmyFact::Broken),
    ("army.best", false, ArmyFact::Best),
    ("enemy.start", true, ArmyFact::Start),
    ("enemy.lost", true, ArmyFact::Lost),
    ("enemy.broken", true, ArmyFact::Broken),
    ("enemy.best", true, ArmyFact::Best),
];

/// The maximum number of orders that conditions can read; larger numbers look the same.
pub const POINTS_MAX: i32 = 60;
/// The maximum number of enemies in contact, and of charges on one unit, that conditions can read; larger numbers look
/// the same.
pub const CONTACTS_MAX: i32 = 8;

/// The maximum number of attributes in a pack.
pub const ATTRIBUTES_MAX: usize = 32;

/// A field that a condition can read: a fact and the unit it belongs to. Facts of the situation do not belong to a unit
/// and use `Own`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The unit that it belongs to.
    pub subject: Subject,
    /// The fact.
    pub fact: Fact,
}

/// The kinds of combat on hexes, in the order of the engine's roles. Conditions compare `combat` with these.
pub const COMBATS: [&str; 9] =
    ["none", "attack", "bonus", "battle-back", "first-strike", "evaded", "bonus-evaded", "fire", "rampage"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_facts_are_noted_in_one_place() {
        let mut taken = 0_u64;
        let mut noted = 0;
        for (name, fact) in UNIT_FACTS {
            let Some((shift, width)) = fact.noted() else { continue };
            let bits = ((1 << width) - 1) << shift;
            assert_eq!(taken & bits, 0, "{name}");
            assert!(shift + width <= NOTED_END, "{name}");
            taken |= bits;
            noted += 1;
        }
        assert!(noted >= 20, "{noted} facts are noted");
        // The bits of the flags hold only the facts in `of_flags`, and no others.
        let flags = 0xFFFF << NOTED_FLAGS;
        let of_flags =
            [Fact::Charging, Fact::Charged, Fact::Changed, Fact::Moved, Fact::Fired, Fact::Threatened, Fact::Crossed];
        let others: u64 = UNIT_FACTS
            .iter()
            .filter(|(_, fact)| !of_flags.contains(fact))
            .filter_map(|(_, fact)| fact.noted())
            .map(|(shift, width)| ((1 << width) - 1) << shift)
            .sum();
        assert_eq!(others & flags, 0);
    }
}
