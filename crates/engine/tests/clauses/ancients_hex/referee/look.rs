//! The board at one moment of a battle: numbers of units (B3 to B23), arcs and sectors (I.A-2, section 8), lines of
//! sight (B18), dice (section 3), and where units retreat (I.D).

use std::collections::BTreeSet;

use grognard_engine::hex;
use grognard_engine::{Battle, Side, Unit, UnitId};
use grognard_rules::model::{DIRECTIONS, Rules};

pub(super) type Hex = (i32, i32);

/// The columns are type, symbol, whether it is mounted, dice, dice to battle back, hexes moved and range (B4, B8, B13,
/// B17, B19).
pub(super) const KINDS: [(&str, &str, bool, [i32; 4]); 17] = [
    ("light-infantry", "light", false, [2, 2, 2, 2]),
    ("light-bow", "light", false, [2, 2, 2, 3]),
    ("light-slingers", "light", false, [2, 2, 2, 3]),
    ("auxilia", "light", false, [3, 3, 2, 2]),
    ("warriors", "medium", false, [3, 3, 1, 0]),
    ("medium-infantry", "medium", false, [4, 4, 1, 0]),
    ("heavy-infantry", "heavy", false, [5, 5, 1, 0]),
    ("light-cavalry", "light", true, [2, 2, 4, 2]),
    ("light-bow-cavalry", "light", true, [2, 2, 4, 3]),
    ("medium-cavalry", "medium", true, [3, 3, 3, 0]),
    ("heavy-cavalry", "heavy", true, [4, 4, 2, 0]),
    ("camels", "medium", true, [3, 2, 3, 0]),
    ("elephants", "heavy", true, [3, 3, 2, 0]),
    ("heavy-chariot", "heavy", true, [4, 3, 2, 0]),
    ("barbarian-chariot", "light", true, [2, 2, 3, 0]),
    ("war-machine", "heavy", false, [2, 2, 1, 6]),
    ("leader", "", false, [0, 0, 3, 0]),
];

/// The neighbour of a hex in this direction.
pub(super) fn beside((q, r): Hex, way: u8) -> Hex {
    let (east, south) = DIRECTIONS[usize::from(way % 6)];
    (q + i32::from(east), r + i32::from(south))
}

pub(super) fn away((q, r): Hex, (other_q, other_r): Hex) -> i32 {
    let (q, r) = (other_q - q, other_r - r);
    q.abs().max(r.abs()).max((q + r).abs())
}

/// Nine rows of alternately 13 and 12 hexes (B1).
pub(super) fn on_board((q, r): Hex) -> bool {
    r.abs() <= 4 && (2 * q + r).abs() <= 12
}

/// The middle of a hex, in halves of its width to the east and in halves of its side to the south.
pub(super) fn middle((q, r): Hex) -> (i32, i32) {
    (2 * q + r, 3 * r)
}

/// Whether the line between the centres of two hexes runs through a third one: it has corners on both sides of the line
/// (B18).
pub(super) fn leads_through(from: Hex, to: Hex, hex: Hex) -> bool {
    let corners = [(1, 1), (1, -1), (-1, 1), (-1, -1), (0, 2), (0, -2)];
    let sides = corners.map(|(x, y)| side_of(from, to, (middle(hex).0 + x, middle(hex).1 + y)));
    sides.iter().any(|&side| side > 0) && sides.iter().any(|&side| side < 0)
}

/// The side of the line between two centres on which a point lies (the sign), and its distance from the line (the
/// magnitude).
pub(super) fn side_of(from: Hex, to: Hex, (x, y): (i32, i32)) -> i32 {
    let ((east, south), (to_east, to_south)) = (middle(from), middle(to));
    (to_east - east) * (y - south) - (to_south - south) * (x - east)
}

/// Whether two hexes next to each other share a side that the line runs along.
pub(super) fn runs_between(from: Hex, to: Hex, one: Hex, other: Hex) -> bool {
    let ((x, y), (other_x, other_y)) = (middle(one), middle(other));
    // The centres are mirror images: equally far from the line on either side, with a point of the line halfway between
    // them.
    let half = side_of(from, to, (x, y)) + side_of(from, to, (other_x, other_y));
    let ((x, y), (to_x, to_y)) =
        ((other_x - x, other_y - y), (middle(to).0 - middle(from).0, middle(to).1 - middle(from).1));
    // The squares of half a width and of half a side are in the ratio 3 to 1.
    away(one, other) == 1 && half == 0 && 3 * x * to_x + y * to_y == 0
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arc {
    Front,
    Flank,
    Rear,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Attack,
    Bonus,
    Back,
    First,
}

/// The state of a battle at one moment.
#[derive(Clone, Copy)]
pub(super) struct Look<'a> {
    pub(super) rules: &'a Rules,
    pub(super) battle: &'a Battle,
}

impl<'a> Look<'a> {
    pub(super) fn unit(&self, id: UnitId) -> &'a Unit {
        self.battle.unit(id)
    }

    pub(super) fn numbers(&self, id: UnitId) -> (&'static str, &'static str, bool, [i32; 4]) {
        let kind = &self.rules.kinds[self.unit(id).kind].id;
        *KINDS.iter().find(|known| known.0 == *kind).unwrap_or_else(|| panic!("no {kind}"))
    }

    pub(super) fn kind(&self, id: UnitId) -> &'static str {
        self.numbers(id).0
    }

    pub(super) fn leads(&self, id: UnitId) -> bool {
        self.kind(id) == "leader"
    }

    pub(super) fn mounted(&self, id: UnitId) -> bool {
        self.numbers(id).2
    }

    pub(super) fn place(&self, id: UnitId) -> Hex {
        (self.unit(id).front.x, self.unit(id).front.y)
    }

    pub(super) fn facing(&self, id: UnitId) -> u8 {
        hex::facing(self.unit(id).heading)
    }

    pub(super) fn led(&self, id: UnitId) -> bool {
        self.unit(id).hex.mate.is_some()
    }

    pub(super) fn whole(&self, id: UnitId) -> bool {
        self.unit(id).figures == self.rules.kinds[self.unit(id).kind].figures
    }

    pub(super) fn terrain(&self, hex: Hex) -> &'a str {
        let hexes = self.rules.hex.as_ref().expect("a board of hexes");
        &hexes.terrain[usize::from(hexes.ground[usize::from(hexes.grid.at(hex.0, hex.1))])].id
    }

    pub(super) fn card(&self) -> &'a str {
        let deck = self.rules.hex.as_ref().and_then(|hex| hex.deck.as_ref());
        deck.zip(self.battle.cards.now.get()).map_or("none", |(deck, card)| &card.of(deck).id)
    }

    pub(super) fn phase(&self) -> &'a str {
        &self.rules.phases[usize::from(self.battle.phase)].id
    }

    /// All units on the board, except leaders with a unit.
    pub(super) fn there(&self) -> impl Iterator<Item = UnitId> + 'a {
        let look = *self;
        let both = Side::BOTH.into_iter().flat_map(move |side| look.battle.side(side));
        both.filter(move |&id| !(look.unit(id).gone() || look.leads(id) && look.led(id)))
    }

    pub(super) fn holder(&self, hex: Hex) -> Option<UnitId> {
        self.there().find(|&id| self.place(id) == hex)
    }

    pub(super) fn is_enemy(&self, id: UnitId, other: UnitId) -> bool {
        self.unit(id).side != self.unit(other).side
    }

    pub(super) fn engaged(&self, id: UnitId) -> bool {
        self.there().any(|other| self.is_enemy(id, other) && away(self.place(id), self.place(other)) == 1)
    }

    /// The arc that a hex next to a unit is in; a lone leader has none (I.A-2, U4).
    pub(super) fn arc(&self, id: UnitId, hex: Hex) -> Arc {
        self.arc_of(id, hex, self.facing(id))
    }

    pub(super) fn arc_of(&self, id: UnitId, hex: Hex, facing: u8) -> Arc {
        let way = (0..6).find(|&way| beside(self.place(id), way) == hex).expect("a hex next to it");
        let around = if self.leads(id) { 0 } else { (way + 6 - facing) % 6 };
        match around {
            0 | 1 => Arc::Front,
            2 | 5 => Arc::Flank,
            _ => Arc::Rear,
        }
    }

    /// The dice of a strike, in the order of operations of the derived tables.
    pub(super) fn dice(&self, own: UnitId, foe: UnitId, role: Role, whole: bool) -> i32 {
        let ((kind, class, mounted, [attacks, back, ..]), (other, ..)) = (self.numbers(own), self.numbers(foe));
        let (elephants, leader) = (kind == "elephants", self.leads(foe));
        let attack = matches!(role, Role::Attack | Role::Bonus);
        let arc = self.arc(foe, self.place(own));
        let mut dice = match other {
            "leader" if elephants => 1,
            "elephants" | "warriors" | "heavy-chariot" | "camels" if elephants => 3,
            _ if elephants => self.numbers(foe).3[0],
            _ if attack => attacks,
            _ => back,
        };
        let (here, there) = (self.terrain(self.place(own)), self.terrain(self.place(foe)));
        let steady = ["auxilia", "warriors", "medium-infantry", "heavy-infantry", "war-machine"].contains(&other);
        if attack && mounted && !elephants && steady && arc == Arc::Front && !["forest", "ford"].contains(&there) {
            dice = (dice - 2).max(0);
        }
        if [here, there].iter().any(|terrain| ["forest", "ford", "broken"].contains(terrain)) {
            dice = dice.min(2);
        }
        match (here, there) {
            ("hill", _) => dice = dice.min(if mounted { 2 } else { 3 }),
            (_, "hill") => dice = dice.min(2),
            ("camp", _) => dice -= 1,
            _ => {}
        }
        if !attack && self.arc(own, self.place(foe)) != Arc::Front {
            dice = (dice + 1) / 2;
        }
        if attack && arc != Arc::Front && !leader && kind != "war-machine" {
            dice += match (mounted, self.mounted(foe)) {
                (true, false) => 1 + i32::from(class != "light"),
                (true, true) => 2 * i32::from(class != "light"),
                (false, false) => 1 + i32::from(class != "light" || kind == "auxilia"),
                (false, true) => 1,
            };
        }
        let full = whole && (role == Role::Back || self.whole(own));
        dice += i32::from(["warriors", "barbarian-chariot"].contains(&kind) && full);
        dice + match self.card() {
            "clash-of-shields" if role == Role::Attack => 2,
            "mounted-charge" if attack && mounted => 1,
            "spartacus" if attack => 1,
            _ => 0,
        }
    }

    /// Whether a unit can be in a hex.
    pub(super) fn may_enter(&self, id: UnitId, hex: Hex) -> bool {
        let closed = on_board(hex)
            && (self.terrain(hex) == "river" || self.kind(id) == "war-machine" && self.terrain(hex) == "broken");
        on_board(hex) && !closed
    }

    /// Whether a hex holds a friend that a unit can join.
    pub(super) fn joins(&self, id: UnitId, hex: Hex) -> bool {
        let other = self.holder(hex).filter(|&other| other != id && !self.is_enemy(id, other));
        other.is_some_and(|other| !self.led(id) && !self.led(other) && self.leads(id) != self.leads(other))
    }

    /// The hexes in which a unit with this facing that is driven back this many hexes may end (I.D-1, B24, U11).
    pub(super) fn retreats(&self, id: UnitId, facing: u8, hexes: i32) -> BTreeSet<Hex> {
        let mut last = BTreeSet::from([self.place(id)]);
        let mut joined = BTreeSet::new();
        for made in 1..=hexes {
            let all = last.iter().flat_map(|&hex| [3, 4].map(|way| beside(hex, facing + way)));
            let (meets, next): (BTreeSet<Hex>, BTreeSet<Hex>) = all
                .filter(|&hex| self.may_enter(id, hex) && (self.holder(hex).is_none() || self.joins(id, hex)))
                .partition(|&hex| self.joins(id, hex));
            joined.extend(meets);
            if next.is_empty() {
                return if joined.is_empty() { last } else { joined };
            }
            last = next;
            if made == hexes {
                last.extend(joined.iter());
            }
        }
        last
    }

    /// The hexes in which an evading unit may end: two hexes away, or one if no second hex is available (I.D-2, B22).
    pub(super) fn evasions(&self, id: UnitId) -> BTreeSet<Hex> {
        let facing = self.facing(id);
        let steps = |from: Hex| {
            let ways = [3, 4].map(|way| beside(from, facing + way));
            ways.into_iter()
                .filter(move |&hex| self.may_enter(id, hex) && (self.holder(hex).is_none() || self.joins(id, hex)))
        };
        let first: BTreeSet<Hex> = steps(self.place(id)).collect();
        let second: BTreeSet<Hex> =
            first.iter().filter(|&&hex| !self.joins(id, hex)).flat_map(|&hex| steps(hex)).collect();
        if second.is_empty() { first } else { second }
    }

    /// Whether a unit sees another one (B18).
    pub(super) fn sees(&self, id: UnitId, foe: UnitId) -> bool {
        let (from, to) = (self.place(id), self.place(foe));
        let open = |hex: Hex| {
            on_board(hex) && self.holder(hex).is_none() && !["forest", "hill", "camp"].contains(&self.terrain(hex))
        };
        let near = |hex: &Hex| away(from, *hex) < away(from, to) && away(*hex, to) < away(from, to);
        let around = (-5..=5).flat_map(|row| (-12..=12).map(move |column| (column, row)));
        let between: Vec<Hex> = around.filter(|&hex| hex != from && hex != to).filter(near).collect();
        let along = |&one: &Hex| (0..6).map(move |way| (one, beside(one, way)));
        between.iter().all(|&hex| !leads_through(from, to, hex) || open(hex))
            && between
                .iter()
                .flat_map(along)
                .filter(|&(one, other)| between.contains(&other) && runs_between(from, to, one, other))
                .all(|(one, other)| open(one) || open(other))
    }

    /// Whether a hex is within 60 degrees of a unit's spine (A4, section 8).
    pub(super) fn is_ahead(&self, id: UnitId, hex: Hex) -> bool {
        let ((x, y), (own_x, own_y)) = (middle(hex), middle(self.place(id)));
        let bearing = f64::from(own_y - y).atan2(f64::from(x - own_x) * 3_f64.sqrt()).to_degrees();
        let off = (bearing - f64::from(30 + 60 * i32::from(self.facing(id)))).rem_euclid(360.0);
        off.min(360.0 - off) <= 60.0 + 1e-9
    }

    /// A unit by its index.
    pub(super) fn nth(&self, index: usize) -> UnitId {
        Side::BOTH.into_iter().flat_map(|side| self.battle.side(side)).nth(index).expect("a unit")
    }
}
