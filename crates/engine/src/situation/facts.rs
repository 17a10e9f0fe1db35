//! The facts that conditions read about one unit in relation to another.

use grognard_expr::{Situation, Var, WORDS};
use grognard_rules::model::{Board, ByteId, Ground, HexRules, Provides};
use grognard_rules::situation::{CONTACTS_MAX, Fact, Field, POINTS_MAX, Subject};

use crate::geometry::hex;
use crate::geometry::plane::{Arc, overlap_max};
use crate::situation::army::army_fact;
use crate::situation::fire_lines::{bears, bears_on};
use crate::situation::hex::scan::Scan;
use crate::situation::neighbours::Neighbours;
use crate::situation::objectives::{nearest, points_of};
use crate::situation::occupied::place;
use crate::situation::open_order::other_part;
use crate::situation::pace::reach;
use crate::situation::points::purse;
use crate::situation::positions::sees;
use crate::situation::sight::{FAR, enfilades, in_front};
use crate::situation::view::View;
use crate::state::{CardKind, Flags, HexFlags, Marks, Unit, UnitId, terrain};

impl View<'_> {
    /// The facts specific to hexes.
    fn of_hexes(&self, fact: Fact, subject: Subject, unit: &Unit) -> i32 {
        let Some(hex) = self.rules.hex.as_deref() else { return 0 };
        let own = match (subject, self.foe) {
            (Subject::Foe, Some((id, _))) => id,
            _ => self.own.0,
        };
        let near = |wanted: &dyn Fn(&Unit) -> bool| {
            let others = self.battle.units.iter().enumerate();
            let mate = unit.hex.mate.get().map(UnitId::index);
            let close = |&(index, other): &(usize, &Unit)| {
                index != own.index()
                    && Some(index) != mate
                    && !other.gone()
                    && hex::distance(unit.front, other.front) == 1
            };
            others.filter(close).filter(|(_, other)| wanted(other)).count() as i32
        };
        match fact {
            Fact::Terrain => {
                let at = hex::hex_of(&hex.grid, unit);
                hex.ground.get(usize::from(at)).map_or(0, |&ground| i32::from(ground))
            }
            Fact::Across => {
                let other = if subject == Subject::Own { self.foe.map(|(_, foe)| foe) } else { Some(self.own.1) };
                let towards = other.and_then(|other| hex::direction(unit.front, other.front));
                let at = usize::from(hex::hex_of(&hex.grid, unit));
                let ground = hex.ground.get(at).map_or(0, |&ground| usize::from(ground));
                towards.map_or(0, |towards| i32::from(hex.terrain[ground].sides >> towards & 1))
            }
            Fact::Supports => near(&|other| other.side == unit.side && !hex::attached(other)).min(6),
            Fact::Engaged => i32::from(near(&|other| other.side != unit.side) > 0),
            Fact::Led => i32::from(unit.hex.mate.is_some()),
            Fact::Commanded => {
                let leads = |other: &Unit| other.side == unit.side && other.hex.flags.has(HexFlags::LEADER);
                i32::from(unit.hex.mate.is_some() || near(&leads) > 0)
            }
            Fact::Fresh => match self.scratch.combat {
                Some(combat) => i32::from(combat.fresh >> own.index() & 1 == 1),
                None => i32::from(unit.figures == self.rules.kinds[unit.kind].figures),
            },
            Fact::Steps => i32::from(unit.hex.steps.min(15)),
            Fact::Ordered => i32::from(unit.hex.flags.has(HexFlags::ORDERED)),
            Fact::Fought => i32::from(unit.hex.flags.has(HexFlags::FOUGHT)),
            Fact::Reacted => {
                let here = self.scratch.combat.is_none_or(|combat| combat.turned);
                i32::from(here && unit.hex.flags.has(HexFlags::REACTED))
            }
            Fact::Reacts
            | Fact::Outlets
            | Fact::Bare
            | Fact::Openings
            | Fact::Reachers
            | Fact::Lured
            | Fact::Follow => self.scan(hex, fact, subject),
            _ => unreachable!("{fact:?} is not a fact of hexes"),
        }
    }
}

impl View<'_> {
    /// The facts about what could happen to a unit on hexes, computed on demand.
    #[cold]
    fn scan(&self, hex: &HexRules, fact: Fact, subject: Subject) -> i32 {
        let (own, foe) = self.sides_of(subject);
        let (rules, setup, battle, scratch) = (self.rules, self.setup, self.battle, self.scratch);
        Scan { rules, setup, hex, battle, scratch }.fact(fact, own, foe.map(|(id, _)| id))
    }
}

impl Situation for View<'_> {
    #[inline]
    fn words(&self) -> Option<[u64; WORDS]> {
        let status = |unit| self.scratch.positions.status(self.rules, self.battle, unit);
        Some([status(self.own), self.foe.map_or(0, status)])
    }

    #[inline]
    fn value(&self, var: Var) -> i32 {
        let Field { subject, fact } = self.rules.field(var);
        let unit = match (subject, self.foe) {
            (Subject::Own, _) => self.own.1,
            (Subject::Foe, Some((_, foe))) => foe,
            (Subject::Foe, None) => return 0,
        };
        let rules = self.rules;
        match fact {
            Fact::Kind => i32::from(unit.kind.byte()),
            Fact::Arm => i32::from(rules.kinds[unit.kind].arm),
            Fact::Formation => i32::from(unit.formation.byte()),
            Fact::Morale => i32::from(unit.morale.byte()),
            Fact::Figures => rules.figures_seen(unit.figures + unit.guests),
            Fact::Start => self.of_all(subject, unit, |unit| unit.start),
            Fact::Lost => self.of_all(subject, unit, |unit| unit.start - unit.figures),
            Fact::Hits => self.of_all(subject, unit, |unit| unit.hits),
            Fact::Front => i32::from(unit.footprint(rules).front.min(rules.figures_max())),
            Fact::Ranks => i32::from(unit.footprint(rules).ranks.min(rules.figures_max())),
            Fact::Facing => match rules.hex.as_deref() {
                Some(hex) => i32::from(!hex.any(Provides::Facing) || hex::hex_leader_alone(unit)),
                None => i32::from(self.formation(unit).all_round),
            },
            Fact::Target => i32::from(self.formation(unit).target),
            Fact::Formed => i32::from(self.formation(unit).formed && !unit.broken(rules)),
            Fact::FormedToMove => i32::from(self.formation(unit).formed_to_move && !unit.broken(rules)),
            Fact::Shaken => i32::from(rules.morale[unit.morale].shaken || self.disorders(subject, unit).is_some()),
            Fact::Broken => i32::from(unit.broken(rules)),
            Fact::Charging => i32::from(unit.flags.has(Flags::CHARGING)),
            Fact::Charged => i32::from(unit.flags.has(Flags::CHARGED)),
            Fact::Changed => i32::from(unit.flags.has(Flags::CHANGED)),
            Fact::Moved => i32::from(unit.flags.has(Flags::MOVED)),
            Fact::Marched => i32::from(unit.flags.has(Flags::MOVED) || unit.marks.has(Marks::MARCHED)),
            Fact::Fired => i32::from(unit.flags.has(Flags::FIRED)),
            Fact::Exposed => self.exposed(subject) as i32,
            Fact::Cannon => i32::from(unit.cannon),
            Fact::Behind => i32::from(unit.figures - unit.footprint(rules).front.min(unit.figures)),
            Fact::Fighting => self.fighting(subject, unit),
            Fact::Enfiladed => match self.sides_of(subject) {
                (target, Some((firer, _))) => {
                    i32::from(self.neighbours().is_some_and(|all| all.enfiladed(target, firer)))
                }
                (_, None) => 0,
            },
            Fact::Backed => i32::from(self.about(subject, Neighbours::backed)),
            Fact::Supported => i32::from(self.about(subject, Neighbours::supported)),
            Fact::Follows => i32::from(self.about(subject, |all, id| all.leader(id).is_some())),
            Fact::Stack => self.neighbours().map_or(1, |all| all.stack(self.sides_of(subject).0).len() as i32),
            Fact::Pinned => i32::from(self.about(subject, Neighbours::pinned)),
            Fact::Threatened => i32::from(unit.flags.has(Flags::THREATENED)),
            Fact::Reach => reach(rules, self.battle, self.sides_of(subject).0),
            Fact::Range => rules.kinds[unit.kind].range,
            Fact::Ground => {
                let middle = self.rect(self.sides_of(subject).0, unit).centre();
                terrain::at(&self.setup.terrain, middle).map_or(0, |ground| i32::from(ground) + 1)
            }
            Fact::Cover => i32::from(self.covered(subject)),
            Fact::Shelter => self.shelter(subject),
            Fact::Rough => {
                let middle = self.rect(self.sides_of(subject).0, unit).centre();
                terrain::rough(rules, &self.setup.terrain, middle).unwrap_or(FAR).min(FAR)
            }
            Fact::Crossed => i32::from(unit.flags.has(Flags::CROSSED)),
            Fact::Loose => i32::from(self.formation(unit).spacing.is_some()),
            Fact::Screen => i32::from(self.battle.is_screen(rules, unit)),
            // Figures that have just been lost still count, both those in a screen and those in its unit (9.36).
            Fact::Out if self.battle.is_screen(rules, unit) => i32::from(unit.with_hits()),
            Fact::Out => {
                let own = if self.formation(unit).spacing.is_some() { unit.figures } else { 0 };
                i32::from(own + self.screen_of(unit).map_or(0, Unit::with_hits))
            }
            Fact::Whole if self.battle.is_screen(rules, unit) || self.screen_of(unit).is_some() => {
                i32::from(unit.with_hits() + self.battle.unit(unit.kin).with_hits())
            }
            Fact::Whole => i32::from(unit.figures),
            Fact::Sent => i32::from(self.scratch.sent),
            Fact::Order => self.battle.command_of(unit).map_or(0, |own| i32::from(own.order)),
            Fact::Mode => self.battle.command_of(unit).map_or(0, |own| i32::from(own.mode)),
            Fact::Unsettled => self.battle.command_of(unit).map_or(0, |own| i32::from(own.unsettled)),
            Fact::Attribute(index) => self.attribute(subject, unit, index),
            Fact::Trait(index) => (rules.kinds[unit.kind].traits >> index & 1) as i32,
            Fact::Counter(index) => unit.counters.get(index),
            Fact::Firing => i32::from(unit.marks.has(Marks::FIRING)),
            Fact::Pivoted => i32::from(unit.marks.has(Marks::PIVOTED)),
            Fact::Ceased => i32::from(self.scratch.ceased.has(self.sides_of(subject).0)),
            Fact::Active => i32::from(unit.side == self.battle.active),
            Fact::Acted => i32::from(self.battle.has_acted(self.sides_of(subject).0)),
            Fact::Touching => i32::from(self.distance() <= rules.movement.touch),
            Fact::Points => self.points(subject, unit),
            Fact::Contacts
            | Fact::Strikes
            | Fact::Charges
            | Fact::Divided
            | Fact::Faced
            | Fact::Struck
            | Fact::ChargedByLike
            | Fact::Support
            | Fact::Aim
            | Fact::Sees
            | Fact::Enfilades
            | Fact::Enclosed
            | Fact::Site
            | Fact::High
            | Fact::Upslope
            | Fact::OnRoad
            | Fact::InOpen
            | Fact::InArea
            | Fact::InFront
            | Fact::Masked
            | Fact::Bears
            | Fact::BearsOn => self.stance(subject, fact),
            Fact::Way(fact) => i32::from(self.scratch.way.get().has(fact)),
            Fact::Led if rules.hex.is_none() => self.led(subject),
            Fact::Terrain
            | Fact::Across
            | Fact::Supports
            | Fact::Engaged
            | Fact::Led
            | Fact::Commanded
            | Fact::Fresh
            | Fact::Steps
            | Fact::Ordered
            | Fact::Reacted
            | Fact::Fought
            | Fact::Reacts
            | Fact::Outlets
            | Fact::Bare
            | Fact::Openings
            | Fact::Reachers
            | Fact::Lured
            | Fact::Follow => self.of_hexes(fact, subject, unit),
            Fact::Combat => self.scratch.combat.map_or(0, |combat| i32::from(combat.role)),
            Fact::Card => self.battle.cards.now.get().map_or(0, CardKind::number),
            Fact::Objective => nearest(self, self.sides_of(subject).0),
            Fact::Army { fact, enemy } => army_fact(self, unit.side, enemy, fact),
            Fact::Score => points_of(self, unit.side).0,
            Fact::Margin => points_of(self, unit.side).1,
            Fact::Distance => self.distance(),
            Fact::Turn => {
                self.scratch.dated.set(true);
                i32::from(self.battle.turn)
            }
            Fact::Phase => i32::from(self.battle.phase),
        }
    }
}

impl View<'_> {
    /// The sum of a quantity over a unit, its other part if both test as one (9.48), and the battalions inside its
    /// square. Guns inside do not count.
    fn of_all(&self, subject: Subject, unit: &Unit, of: impl Fn(&Unit) -> u16) -> i32 {
        let (id, _) = self.sides_of(subject);
        let other = if self.setup.screens { other_part(self.rules, self.battle, id) } else { None };
        let own = of(unit) + other.map_or(0, |other| of(self.battle.unit(other)));
        if !self.formation(unit).gathers {
            return self.rules.figures_seen(own);
        }
        let inside = |other: &&Unit| {
            let on_foot = self.rules.kinds[other.kind].cannon == 0;
            other.flags.has(Flags::INSIDE) && other.foe == id && on_foot
        };
        let guests: u16 = self.battle.units.iter().filter(inside).map(&of).sum();
        self.rules.figures_seen(own + guests)
    }

    /// The number of orders to the unit that its side can still pay for.
    fn points(&self, subject: Subject, unit: &Unit) -> i32 {
        if unit.side != self.battle.active {
            return 0;
        }
        let purse = purse(self.rules.generals.as_deref(), self.setup, self.battle, self.sides_of(subject).0);
        purse.points.map_or(POINTS_MAX, |points| i32::from(points / purse.times.max(1)).min(POINTS_MAX))
    }

    /// An attribute of a unit's type. For a unit that tests for a group, the rating is the best in the group (9.49).
    #[inline]
    fn attribute(&self, subject: Subject, unit: &Unit, index: u8) -> i32 {
        let rules = self.rules;
        let rating = |index: u8| rules.skirmish.as_ref().is_some_and(|skirmish| skirmish.rating == index);
        let rated = self.scratch.rated.filter(|&(tests, _)| tests == self.sides_of(subject).0 && rating(index));
        let kind = rated.map_or(unit.kind, |(_, best)| self.battle.unit(best).kind);
        i32::from(rules.kinds[kind].attributes[usize::from(index)])
    }

    /// Whether a general is with a unit.
    fn led(&self, subject: Subject) -> i32 {
        i32::from(!self.battle.generals.is_empty() && self.battle.general_with(self.sides_of(subject).0).is_some())
    }

    /// The facts about positions of units, computed on demand.
    #[cold]
    fn stance(&self, subject: Subject, fact: Fact) -> i32 {
        let (own, foe) = match subject {
            Subject::Own => (self.own, self.foe),
            Subject::Foe => (self.foe.unwrap_or(self.own), Some(self.own)),
        };
        let with = |read: &dyn Fn((UnitId, &Unit)) -> i32| foe.map_or(0, read);
        match fact {
            Fact::Contacts => self.contacts(own).min(CONTACTS_MAX),
            Fact::Enclosed => i32::from(self.encloses(own.1)),
            Fact::Site => self.site(own.1),
            Fact::High => i32::from(self.high(own.1)),
            Fact::Upslope => i32::from(self.high(own.1) && self.nearest(own).is_some_and(|enemy| !self.high(enemy))),
            Fact::OnRoad => i32::from(self.on_road(own)),
            Fact::InOpen => i32::from(!self.lies_on(own, |ground| ground.area || ground.linear)),
            Fact::InArea => i32::from(self.lies_on(own, |ground| ground.area)),
            Fact::InFront => with(&|foe| {
                let ground = place(self.rules, &self.setup.terrain, own.1);
                i32::from(in_front(self.rules, &ground, foe.1))
            }),
            Fact::Masked => with(&|foe| {
                let sees = |about: Neighbours<'_>| about.sees_past_others(own.0, foe.0);
                i32::from(!self.neighbours().is_none_or(sees))
            }),
            Fact::Bears => i32::from(self.neighbours().is_some_and(|about| bears(about, own.0))),
            Fact::BearsOn => {
                with(&|foe| i32::from(self.neighbours().is_some_and(|about| bears_on(about, own.0, foe.0))))
            }
            Fact::Charges => self.charges(own.0).min(CONTACTS_MAX),
            Fact::Divided => with(&|foe| i32::from(self.divided(own.1, foe.0))),
            Fact::Faced => i32::from(self.faced(own)),
            Fact::Struck => self.struck(own),
            Fact::ChargedByLike => i32::from(self.charged_by_like(own)),
            Fact::Support => self.support(own),
            Fact::Strikes => with(&|foe| self.strikes(own.1, foe)),
            Fact::Aim => foe.map_or(FAR, |foe| self.aim(own.1, foe.1)),
            Fact::Sees => {
                with(&|foe| i32::from(sees(self.rules, &self.setup.terrain, &self.scratch.positions, own, foe)))
            }
            Fact::Enfilades => with(&|foe| i32::from(enfilades(self.rules, own.1, foe.1))),
            _ => unreachable!("{fact:?} does not depend on where units stand"),
        }
    }

    fn contacts(&self, own: (UnitId, &Unit)) -> i32 {
        if self.rules.board == Board::None {
            return 0;
        }
        let touches = |&id: &UnitId| {
            let other = self.battle.unit(id);
            let terrain = &self.setup.terrain;
            !other.gone() && self.scratch.distance(self.rules, terrain, own, (id, other)) <= self.rules.movement.touch
        };
        self.battle.enemies(own.1.side).filter(touches).count() as i32
    }

    fn encloses(&self, unit: &Unit) -> bool {
        let terrain = &self.setup.terrain;
        !terrain.is_empty() && terrain::enclosed(self.rules, terrain, unit.rect(self.rules).centre())
    }

    /// Whether any part of the ground under a unit is of this kind.
    fn lies_on(&self, (id, unit): (UnitId, &Unit), kind: impl Fn(&Ground) -> bool) -> bool {
        let terrain = &self.setup.terrain;
        !terrain.is_empty() && terrain::lies_on(self.rules, terrain, &self.rect(id, unit), kind)
    }

    /// The kind of terrain that a unit fills or is on, counted from 1; 0 in the open.
    fn site(&self, unit: &Unit) -> i32 {
        let (rules, terrain) = (self.rules, &self.setup.terrain);
        let filled = usize::from(unit.fills).checked_sub(1).and_then(|piece| terrain.get(piece));
        let ground = filled.map(|piece| piece.ground);
        let ground = ground.or_else(|| terrain::under_roads(rules, terrain, unit.rect(rules).centre()));
        ground.map_or(0, |ground| i32::from(ground) + 1)
    }

    /// Whether a unit's middle lies on high terrain.
    fn high(&self, unit: &Unit) -> bool {
        let terrain = &self.setup.terrain;
        !terrain.is_empty() && terrain::is_high(self.rules, terrain, unit.rect(self.rules).centre())
    }

    /// Whether a unit keeps to a road: it touches one and does not fill a piece of terrain. In an area, the road must
    /// lead into it.
    fn on_road(&self, (id, unit): (UnitId, &Unit)) -> bool {
        let terrain = &self.setup.terrain;
        if unit.fills != 0 || terrain.is_empty() {
            return false;
        }
        let place = self.rect(id, unit);
        match terrain::area_under(self.rules, terrain, place.centre()) {
            Some(area) => terrain::bridged(self.rules, terrain, &place, &terrain[area]),
            None => terrain::touches_road(self.rules, terrain, &place),
        }
    }

    /// The nearest enemy that is not fleeing.
    fn nearest(&self, own: (UnitId, &Unit)) -> Option<&Unit> {
        let (rules, terrain) = (self.rules, &self.setup.terrain);
        let unit = |id: UnitId| self.battle.unit(id);
        let enemies = self.battle.enemies(own.1.side);
        let flees = |enemy: &Unit| enemy.broken(rules) && !rules.morale[enemy.morale].stays;
        let near = enemies.filter(|&id| !unit(id).gone() && !flees(unit(id)));
        let about = Neighbours { rules, setup: self.setup, battle: self.battle, scratch: self.scratch };
        about.first_by(near, |enemy| self.scratch.distance(rules, terrain, own, (enemy, unit(enemy)))).map(unit)
    }

    /// The number of units that charge a unit, or have charged it in this half-turn. A unit that pursues into another
    /// enemy has charged both.
    fn charges(&self, own: UnitId) -> i32 {
        let charges = |&(unit, id): &(&Unit, u8)| {
            let now = unit.flags.has(Flags::CHARGING) && !unit.gone();
            let earlier = || self.scratch.charged.contains(&(UnitId(id), own));
            unit.foe == own && (now || unit.marks.has(Marks::CHARGED)) || earlier()
        };
        self.battle.units.iter().zip(0..).filter(charges).count() as i32
    }

    fn divided(&self, own: &Unit, foe: UnitId) -> bool {
        !self.battle.commands.is_empty()
            && self.chargers(foe).any(|other| other.side == own.side && other.command != own.command)
    }

    /// The units that are charging a unit.
    fn chargers(&self, id: UnitId) -> impl Iterator<Item = &Unit> {
        let charges = move |unit: &&Unit| unit.flags.has(Flags::CHARGING) && unit.foe == id && !unit.gone();
        self.battle.units.iter().filter(charges)
    }

    fn faced(&self, own: (UnitId, &Unit)) -> bool {
        self.chargers(own.0).any(|other| self.strikes(other, own) == Arc::Front as i32)
    }

    /// The most vulnerable of the sides on which its chargers strike a unit: the rear before the flank.
    fn struck(&self, own: (UnitId, &Unit)) -> i32 {
        self.chargers(own.0).map(|other| self.strikes(other, own)).max().unwrap_or(Arc::Front as i32)
    }

    fn charged_by_like(&self, own: (UnitId, &Unit)) -> bool {
        let arm = |unit: &Unit| self.rules.kinds[unit.kind].arm;
        self.chargers(own.0).any(|other| arm(other) == arm(own.1))
    }

    fn strikes(&self, own: &Unit, foe: (UnitId, &Unit)) -> i32 {
        let open = !self.formation(foe.1).all_round && !self.encloses(foe.1);
        if open { own.has_met(foe.0) as i32 } else { Arc::Front as i32 }
    }

    fn aim(&self, own: &Unit, foe: &Unit) -> i32 {
        if self.rules.board == Board::None {
            return 0;
        }
        place(self.rules, &self.setup.terrain, foe).distance_from(own.front).min(FAR)
    }

    /// The distance from a unit to the nearest friend behind it that has the same arm and heading and covers more than
    /// half of its width. If either unit fills terrain, the distance is measured between the edges of the ground that
    /// they fill.
    fn support(&self, own: (UnitId, &Unit)) -> i32 {
        if self.rules.board == Board::None {
            return FAR;
        }
        let rules = self.rules;
        let rect = own.1.rect(rules);
        let arm = |unit: &Unit| rules.kinds[unit.kind].arm;
        let behind = self.battle.side(own.1.side).filter_map(|id| {
            let other = self.battle.unit(id);
            let like = id != own.0 && !other.gone() && arm(other) == arm(own.1);
            let room =
                if like { rect.room_behind(&other.rect(rules), overlap_max(rules.movement.touch)) } else { None }?;
            let fill = own.1.fills != 0 || other.fills != 0;
            Some(if fill { self.scratch.distance(rules, &self.setup.terrain, own, (id, other)) } else { room })
        });
        behind.min().unwrap_or(FAR).min(FAR)
    }
}
