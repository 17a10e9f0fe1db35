//! What conditions can read: the fields of a unit, of its enemy, and of the moment.

/// Whose field is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// `self`: the unit whose condition, roll or doctrine is evaluated.
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
    /// `start`: figures it began the battle with; of a square of several units, all of them; of a unit and a screen that test as
    /// one, those of both.
    Start,
    /// `lost`: figures it has lost in the battle, counted likewise.
    Lost,
    /// `hits`: figures it has lost in this phase, counted likewise.
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
    /// `formed_to_move`: whether its formation is close order for movement.
    FormedToMove,
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
    /// `marched`: whether it has moved in this half-turn or, a battery or a train, in its side's last one.
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
    /// `acted`: whether it can no longer be activated in this turn, where units go one at a time.
    Acted,
    /// `contacts`: enemies it touches.
    Contacts,
    /// `touching`: whether the two units touch.
    Touching,
    /// `strikes`: how it moved into contact with the other unit: on its front, flank or rear.
    Strikes,
    /// `charges`: units that have a charge marked on it, or whose charge on it was resolved in this half-turn.
    Charges,
    /// `points`: orders its side may still give for it.
    Points,
    /// `divided`: whether a friend of another command has a charge marked on the other unit.
    Divided,
    /// `faced`: whether a charge is marked on it that strikes its front.
    Faced,
    /// `charged_by_like`: whether a unit of its own arm is marked to charge it.
    ChargedByLike,
    /// `support`: how close behind it stands a friend of its arm and heading whose ground overlaps more than half its width.
    Support,
    /// `aim`: from the middle of its front edge to the nearest part of the other unit.
    Aim,
    /// `sees`: whether any part of the other unit is in its front arc.
    Sees,
    /// `enfilades`: whether one of its front corners looks along the other unit, from behind its rear edge.
    Enfilades,
    /// `enclosed`: whether its middle lies in an area, such as a wood.
    Enclosed,
    /// `site`: the kind of ground that it fills or stands on, whatever road leads over it; high ground only if nothing else lies on it.
    Site,
    /// `high`: whether its middle lies on high ground, whatever else lies there.
    High,
    /// `upslope`: whether it stands on high ground, and the nearest enemy that does not flee does not. False if there is none.
    Upslope,
    /// `on_road`: whether it touches a road and fills no piece of ground.
    OnRoad,
    /// `in_open`: whether no part of its ground lies on an area or on linear ground.
    InOpen,
    /// `in_area`: whether any part of its ground lies in an area, on a road or off it.
    InArea,
    /// `in_front`: whether any part of it stands straight ahead of the other unit's front edge.
    InFront,
    /// `bears`: whether there is an enemy that it could fire at in a volley phase as things stand.
    Bears,
    /// `bears_on`: whether it could fire at the other unit in a volley phase as things stand.
    BearsOn,
    /// `move`: a fact about the way of the move considered.
    Way(WayFact),
    /// `exposed`: the arc it shows to the other unit: `front`, `flank` or `rear`.
    Exposed,
    /// `cannon`: cannon it still has; 0 for what is neither a battery nor a train.
    Cannon,
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
    /// `follows`: whether there is a friend ahead of it that it may follow.
    Follows,
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
    /// `shelter`: how far before it linear ground that covers lies between it and the other unit.
    Shelter,
    /// `rough`: how near its middle ground lies that disorders.
    Rough,
    /// `masked`: whether ground or a third unit hides the other unit from the middle of its front edge, of a square from
    /// that of the face before which the other one lies.
    Masked,
    /// `crossed`: whether it has crossed linear ground in this half-turn.
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
    /// `out`: figures it has in open order: its screen's, or all of its own; of a screen with those just lost.
    Out,
    /// `whole`: its figures and those of its screen; of a screen, those of its whole unit, with those just lost.
    Whole,
    /// `sent`: figures that would not stand as they did before the phase if it put some out now, or took some in: read when it is
    /// asked whether that changes its formation.
    Sent,
    /// `terrain`: the terrain of its hex.
    Terrain,
    /// `across`: whether the other stands next to it, across a side along which the terrain of its hex runs.
    Across,
    /// `supports`: friendly units next to it, leaders alone in a hex included; itself not.
    Supports,
    /// `engaged`: whether an enemy is next to it.
    Engaged,
    /// `led`: whether a leader or a general is with it; of a leader, whether he is with a unit.
    Led,
    /// `commanded`: whether a leader of its side is with it or next to it.
    Commanded,
    /// `fresh`: whether it had all its figures when the combat in hand began.
    Fresh,
    /// `steps`: hexes it has moved in this half-turn, turns that were paid for included.
    Steps,
    /// `ordered`: whether it has orders in this half-turn.
    Ordered,
    /// `reacted`: whether it has reacted in this half-turn.
    Reacted,
    /// `fought`: whether it has fought in close combat in this half-turn, as the attacker.
    Fought,
    /// `reacts`: spines that it may still turn when it is attacked on a flank or in the rear.
    Reacts,
    /// `outlets`: of the two hexes into which it falls back, those that are free.
    Outlets,
    /// `bare`: its flank and rear hexes that no friend holds and that an enemy could be in, facing it, after its next move.
    Bare,
    /// `openings`: enemies whose flank or rear it can have in front of it after a move now and another next turn.
    Openings,
    /// `reachers`: enemies that could have it in front of them after their next move.
    Reachers,
    /// `lured`: whether it could have the other unit in front of it, but only by leaving friends that stand next to it.
    Lured,
    /// `follow`: enemies it would have in its front hexes if it stood in the other unit's hex, facing as it does.
    Follow,
    /// `combat`, without a subject: what the combat in hand is.
    Combat,
    /// `card`, without a subject: the card that is played.
    Card,
    /// An attribute of the pack, by its place among them.
    Attribute(u8),
    /// A trait of the pack, by its place among them.
    Trait(u8),
    /// A counter of the pack, by its place among them.
    Counter(u8),
    /// `distance`, without a subject: between the nearest edges of the two units.
    Distance,
    /// `self.objective`: how far the nearest objective is from it.
    Objective,
    /// `score`, without a subject: the points of the unit's side as the battle stands.
    Score,
    /// `margin`, without a subject: by how many points it leads.
    Margin,
    /// `army` or `enemy`: something about the unit's side, or the other one.
    Army {
        /// What.
        fact: ArmyFact,
        /// Whether the other side is meant.
        enemy: bool,
    },
    /// `turn`, without a subject: the game turn, from 1.
    Turn,
    /// `phase`, without a subject: the phase that is being played.
    Phase,
}

/// Where sixteen flags of a unit are noted together: [`Fact::noted`] names those that conditions can read.
pub const NOTED_FLAGS: u8 = 32;

/// No fact is noted in this bit or beyond it.
pub const NOTED_END: u8 = 61;

impl Fact {
    /// The bit position and width of this fact in a unit's status word, if it is stored there. It depends only on the
    /// unit, its command and its kin. The bits from [`NOTED_END`] on are free for the cache.
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
            // All ones say that it has to be asked for.
            Fact::Shaken => (56, 2),
            _ => return None,
        })
    }

    /// Shifts a value to its place in the status word; 0 if the fact has none. Values that do not fit are truncated, and no
    /// condition reads them there.
    #[inline(always)]
    #[must_use]
    pub const fn put(self, value: u8) -> u64 {
        match self.noted() {
            Some((shift, width)) => (value as u64 & ((1 << width) - 1)) << shift,
            None => 0,
        }
    }

    /// What it costs to read, in comparison with the others: 0 for what a unit carries with it, 1 for what needs a look into
    /// tables, 2 for what is measured between two units, 3 for what is measured among all, 4 for what could happen next.
    pub(crate) fn price(self) -> u8 {
        match self {
            Fact::Front | Fact::Ranks | Fact::Behind | Fact::Reach | Fact::Range | Fact::Points => 1,
            Fact::Order | Fact::Mode | Fact::Unsettled | Fact::Out | Fact::Whole | Fact::Shaken => 1,
            Fact::Distance | Fact::Exposed | Fact::Fighting | Fact::Touching | Fact::Strikes => 2,
            Fact::Ground | Fact::Site | Fact::Enclosed | Fact::InOpen | Fact::InArea | Fact::Cover | Fact::Shelter => 2,
            Fact::Rough | Fact::High | Fact::OnRoad => 2,
            Fact::Aim | Fact::Sees | Fact::InFront | Fact::Enfilades => 2,
            Fact::Contacts | Fact::Charges | Fact::Divided | Fact::Faced | Fact::ChargedByLike => 3,
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

/// What a condition can read of a move that is about to be made. False where none is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WayFact {
    /// `move.oblique`: part of it goes outside the pack's `movement.ahead` without a wheel.
    Oblique,
    /// `move.overlaps`: it ends on ground that another unit stands on.
    Overlaps,
    /// `move.through_enemy`: it passes over an enemy.
    ThroughEnemy,
    /// `move.through_like`: it passes over a friend of its own arm.
    ThroughLike,
    /// `move.parts`: it ends clear of an enemy that the unit touches.
    Parts,
    /// `move.parts_like`: it ends clear of an enemy of its own arm that the unit touches.
    PartsLike,
    /// `move.meets`: it ends touching an enemy that the unit does not touch yet.
    Meets,
    /// `move.touches`: it ends touching an enemy.
    Touches,
    /// `move.area`: part of it lies in an area, and not on a road.
    Area,
    /// `move.enters`: part of it lies off the road in an area that is not the target's and in which the unit did not stand off
    /// the road.
    Enters,
    /// `move.through_cover`: part of it lies, on a road or off, in an area that covers and in which neither the unit nor the
    /// target stood.
    ThroughCover,
    /// `move.linear`: it crosses linear ground.
    Linear,
    /// `move.road`: it never leaves a road.
    Road,
    /// `move.bonus`: it is longer than it could be without what the road adds.
    Bonus,
    /// `move.crowded`: it ends in an area in which another unit of its arm stands.
    Crowded,
    /// `move.by_road`: part of it lies in an area, on a road.
    ByRoad,
    /// `move.far`: it is a turn for which the unit's move would not be enough.
    Far,
    /// `move.barred`: it crosses ground that is barred to the unit, and not on a road.
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

/// What a condition can read of a whole side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArmyFact {
    /// `start`: what all its units count.
    Start,
    /// `lost`: what those count that are lost.
    Lost,
    /// `broken`: what those count that are broken and still on the table.
    Broken,
    /// `best`: the greatest value of the pack's formula among units that are not broken; 0 if there are none.
    Best,
}

/// The facts of sides, with their names in conditions; and whether they are the enemy's.
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

/// The most orders that a condition can tell from more.
pub const POINTS_MAX: i32 = 60;
/// The most enemies in contact, and charges on one unit, that a condition can tell from more.
pub const CONTACTS_MAX: i32 = 8;

/// Attributes that a pack may declare.
pub const ATTRIBUTES_MAX: usize = 32;

/// A field that a condition can read: a fact, and whose it is. The facts of the moment belong to no unit and say `Own`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Whose.
    pub subject: Subject,
    /// What.
    pub fact: Fact,
}

/// What a combat on hexes can be, in the order of the engine's roles: conditions compare `combat` with these.
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
        // Among the flags there is room for what conditions cannot read, and for nothing else.
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
