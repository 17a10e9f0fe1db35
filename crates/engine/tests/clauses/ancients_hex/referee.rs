//! Battles of random armies on random terrain, checked against the clauses act by act. The referee knows the text of
//! the clauses, but not how the engine implements them. Sides follow the pack's doctrine or choose at random among all
//! their options.

mod look;
mod marches;

use std::collections::BTreeSet;

use grognard_dice::SeededDice;
use grognard_engine::hex::{self, HexFlags};
use grognard_engine::plane::Point;
use grognard_engine::{Battle, Event, HexEvent, RollEvent, Scene, UnitId, Witness, deploy, step};
use grognard_rules::model::{Provides, Rules};

use look::{Arc, Hex, KINDS, Look, Role, away, beside, leads_through, on_board, runs_between};

use super::{Board, Men, at, ground, plan};
use crate::common::Words;

/// A declared combat.
struct Combat {
    attacker: UnitId,
    target: UnitId,
    role: Role,
    facing: u8,
    whole: Vec<bool>,
    struck: bool,
}

/// The referee.
#[derive(Default)]
struct Referee {
    army: u64,
    /// The battle as of the last event.
    before: Option<Battle>,
    combat: Option<Combat>,
    /// Which unit has attacked which in this half-turn, and which have turned.
    attacks: Vec<(UnitId, UnitId)>,
    reacted: Vec<UnitId>,
    evades: bool,
    /// Where a unit must be at the next event.
    ends: Option<(UnitId, BTreeSet<Hex>)>,
    marches: marches::Marches,
    seen: BTreeSet<&'static str>,
}

impl Referee {
    #[track_caller]
    fn holds(&mut self, what: &'static str, holds: bool, look: &Look<'_>, event: &Event) {
        assert!(holds, "army {}, turn {}: {what}: {event:?}\n{:#?}", self.army, look.battle.turn, look.battle.units);
        self.seen.insert(what);
    }

    fn declared(&mut self, look: &Look<'_>, event: &Event, id: UnitId, target: UnitId, role: u8) {
        let (from, to) = (look.place(id), look.place(target));
        let ordered = look.unit(id).hex.flags.has(HexFlags::ORDERED);
        self.holds("only units with orders fight (B5)", ordered, look, event);
        if role == 7 {
            let (kind, _, _, [.., range]) = look.numbers(id);
            let reach = (2..=range).contains(&away(from, to));
            self.holds("fire reaches two hexes and up to its range (B17)", reach, look, event);
            self.holds("nobody fires next to an enemy (B17)", !look.engaged(id), look, event);
            self.holds("fire goes through the front sector (A4)", look.is_ahead(id, to), look, event);
            self.holds("fire has a line of sight (B18)", look.sees(id, target), look, event);
            let spent = kind == "auxilia" && look.unit(id).hex.steps > 1
                || kind == "war-machine" && look.unit(id).hex.steps > 0;
            let card = ["double-time", "clash-of-shields"].contains(&look.card());
            self.holds("no fire after such a move or under such a card (B17, B31)", !spent && !card, look, event);
            return;
        }
        let role = if role == 1 { Role::Attack } else { Role::Bonus };
        let clash = look.card() == "clash-of-shields";
        let through = away(from, to) == 1 && (clash || look.arc(id, to) == Arc::Front);
        self.holds("attacks go through front hexes (II.A-1)", through, look, event);
        let ahead = look.there().filter(|&other| {
            let near = look.is_enemy(id, other) && away(from, look.place(other)) == 1;
            near && !look.leads(other) && look.arc(id, look.place(other)) == Arc::Front
        });
        let (fronts, others): (Vec<UnitId>, Vec<UnitId>) =
            ahead.partition(|&other| look.arc(other, from) == Arc::Front);
        if let ([front], [_]) = (&fronts[..], &others[..]) {
            let lapsed = self.attacks.iter().any(|&(by, on)| on == *front && by != id);
            self.holds("who shows its front comes first (II.G)", lapsed || target == *front, look, event);
        }
        let dice = look.dice(id, target, role, look.whole(id));
        self.holds("no attack without dice (A2)", dice > 0, look, event);
        self.attacks.push((id, target));
        let whole = (0..look.battle.units.len())
            .map(|index| look.unit(look.nth(index)))
            .map(|unit| unit.figures == look.rules.kinds[unit.kind].figures);
        let facing = look.facing(target);
        self.combat = Some(Combat { attacker: id, target, role, facing, whole: whole.collect(), struck: false });
    }

    fn rolled(&mut self, look: &Look<'_>, event: &Event, roll: &RollEvent) {
        let compiled = &look.rules.rolls[roll.roll];
        let count = compiled.quantities.iter().find(|quantity| quantity.name == "dice");
        let (Some(count), Some(foe)) = (count, roll.foe) else { return };
        let dice = count.fixed + count.input.map_or(0, |input| roll.inputs[usize::from(input)]);
        match compiled.id.as_str() {
            "close" | "trample" | "trample-once" | "at-leader" => {
                let combat = self.combat.as_mut().expect("a combat is declared");
                let role = match () {
                    () if roll.own == combat.attacker && foe == combat.target => combat.role,
                    () if combat.struck => Role::Back,
                    () => Role::First,
                };
                combat.struck |= role == combat.role;
                let whole = combat.whole[roll.own.index()];
                let expected = look.dice(roll.own, foe, role, whole);
                let what = match role {
                    Role::Attack => "dice of attacks (II.B to II.E)",
                    Role::Bonus => "dice of bonus combats (B28)",
                    Role::Back => "dice of battling back (II.A-3)",
                    Role::First => "dice of First Strike (A13)",
                };
                self.holds(what, dice == expected, look, event);
            }
            "fire" => {
                let (here, there) = (look.terrain(look.place(roll.own)), look.terrain(look.place(foe)));
                let mut expected = if look.unit(roll.own).hex.steps > 0 { 1 } else { 2 };
                if here == "ford" || there == "forest" {
                    expected = expected.min(1);
                }
                expected -= i32::from(here == "camp");
                expected += i32::from(look.card() == "spartacus");
                self.holds("dice of fire (B17)", dice == expected && dice > 0, look, event);
            }
            _ => {}
        }
    }

    fn moved(&mut self, look: &Look<'_>, event: &Event, id: UnitId, from: Hex, facing: u8) {
        if look.phase() == "close-combat" {
            let Some(combat) = self.combat.as_ref().filter(|combat| combat.target == id && !combat.struck) else {
                return;
            };
            let (kind, _, _, [_, _, speed, _]) = look.numbers(id);
            let most = match speed {
                _ if ["auxilia", "warriors"].contains(&kind) => 0,
                1 => 0,
                2 => 1,
                _ => 2,
            };
            let turn = (look.facing(id) + 6 - facing) % 6;
            let aside = look.arc_of(id, look.place(combat.attacker), facing) != Arc::Front;
            let may = look.place(id) == from && turn.min(6 - turn) <= most && aside && !self.reacted.contains(&id);
            self.reacted.push(id);
            self.holds("reactions (I.C)", may, look, event);
            return;
        }
        let before = self.before.take().expect("a battle");
        let then = Look { battle: &before, ..*look };
        let may = self.marches.allow(&then, id, (look.place(id), look.facing(id)));
        self.holds("marches (I.A-3 to I.B.3, I.E)", may, look, event);
    }

    fn fell_back(&mut self, look: &Look<'_>, id: UnitId, of: i32) {
        if look.leads(id) {
            return;
        }
        let evades = std::mem::take(&mut self.evades);
        // Elephants that have turned run to where their rear was (A5).
        let turned = self.combat.as_ref().filter(|combat| combat.target == id && look.kind(id) == "elephants");
        let facing = turned.filter(|_| look.phase() == "close-combat").map_or(look.facing(id), |combat| combat.facing);
        let ends = if evades { look.evasions(id) } else { look.retreats(id, facing, of) };
        self.ends = Some((id, ends));
    }
}

impl Witness for Referee {
    fn see(&mut self, scene: Scene<'_>, event: &Event) {
        let look = Look { rules: scene.rules, battle: scene.battle };
        if let Some((id, ends)) = self.ends.take() {
            let there = ends.contains(&look.place(id));
            self.holds("retreats and evasions end where they may (I.D, U11, B22, B24)", there, &look, event);
        }
        match event {
            Event::HalfTurn => {
                (self.attacks, self.reacted) = (Vec::new(), Vec::new());
                self.marches = marches::Marches::default();
            }
            Event::Hex(HexEvent::Declared { unit, target, role, .. }) => {
                self.declared(&look, event, *unit, *target, *role);
            }
            Event::Hex(HexEvent::Provided { row, .. }) => {
                let provisions = &scene.rules.hex.as_ref().expect("a board of hexes").provisions;
                self.evades |= provisions[usize::from(*row)].deed == Provides::Evade;
            }
            Event::Hex(HexEvent::Moved { unit, from, facing }) => {
                self.moved(&look, event, *unit, (from.x, from.y), *facing);
            }
            Event::Hex(HexEvent::FellBack { unit, of, .. }) => self.fell_back(&look, *unit, *of),
            Event::Hex(HexEvent::Fought { .. }) => self.evades = false,
            Event::Rolled(roll) => self.rolled(&look, event, roll),
            _ => {}
        }
        self.before = Some(scene.battle.clone());
    }
}

/// Random units of a side, of any strength and any type but this one, with any facing and some of them with leaders.
pub(super) fn army(words: &mut Words, taken: &mut BTreeSet<Hex>, closed: &[Hex], without: &str) -> Vec<Men> {
    let mut men = Vec::new();
    for _ in 0..words.between(3, 8) {
        let kind = words.one_of(&KINDS).0;
        let hex = (words.between(-5, 5), words.between(-3, 3));
        if kind == without || !on_board(hex) || closed.contains(&hex) || !taken.insert(hex) {
            continue;
        }
        let blocks = words.between(1, 6);
        let most = match kind {
            "leader" => 1,
            "elephants" | "heavy-chariot" | "war-machine" => 2,
            _ => 3,
        };
        let unit = at(kind, hex, words.between(0, 5));
        men.push(if blocks <= most { unit.figures(blocks as u16) } else { unit });
        if kind != "leader" && words.between(0, 3) == 0 {
            men.push(at("leader", hex, 1));
        }
    }
    men
}

/// The rules with different terrain on the board.
fn lands() -> [&'static Rules; 3] {
    let wild = [
        "hex.terrain.forest.at=[\"0,0\", \"2,-1\", \"-3,1\", \"1,2\"]",
        "hex.terrain.hill.at=[\"-2,0\", \"-1,0\", \"3,-2\"]",
        "hex.terrain.ford.at=[\"1,0\", \"-4,3\"]",
        "hex.terrain.broken.at=[\"3,0\", \"-1,-1\", \"0,2\"]",
        "hex.terrain.camp.at=[\"0,1\", \"1,-2\"]",
        "hex.terrain.river.at=[\"2,1\", \"-3,-1\"]",
    ];
    let agreed = ["provision.aside-double-time.on=true", "provision.aside-order-mounted.on=true"];
    let played = |more: &[&str]| ground(&[&["victory.banners=20"][..], more].concat());
    [played(&[]), played(&wild), played(&[&wild[..], &agreed].concat())]
}

/// The clauses allow everything that happens in the battles, and give the dice that are rolled.
#[test]
fn battles_are_fought_by_the_clauses() {
    let mut seen = BTreeSet::new();
    for number in 0..600 {
        let mut words = Words::new(number);
        let rules = lands()[number as usize % 3];
        let closed = [(2, 1), (-3, -1), (3, 0), (-1, -1), (0, 2)];
        let mut taken = BTreeSet::new();
        let [own, north] = [(); 2].map(|()| army(&mut words, &mut taken, &closed, ""));
        if own.is_empty() || north.is_empty() {
            continue;
        }
        let mut plan = plan(("line", &own), ("line", &north));
        if number % 2 == 0 {
            plan.sides.first.player = Some("random".into());
            plan.sides.second.player = Some("random".into());
        }
        let setup = deploy(rules, &plan).unwrap_or_else(|faults| panic!("army {number}: {faults:#?}"));
        let mut dice = SeededDice::new(1815);
        dice.battle(number);
        let mut referee = Referee { army: number, ..Referee::default() };
        let mut battle = setup.start.clone();
        while step(rules, &setup, &mut battle, &mut dice, &mut referee).is_none() {}
        seen.append(&mut referee.seen);
    }
    assert_eq!(seen.len(), 17, "all of it happens: {seen:#?}");
}

/// Over any distance, a unit blocks the line of sight in any hex that the line runs through, even if it runs through
/// two hexes equally far from the ends. A line along a side is blocked only if both hexes beside it block it (B18).
#[test]
fn fact_b18_over_any_distance() {
    let grid = &super::rules().hex.as_ref().expect("a board of hexes").grid;
    let all: Vec<Hex> = (0..grid.len() as u8).map(|hex| grid.place(hex)).collect();
    let bit = |(q, r): Hex| 1_u128 << grid.at(q, r);
    let point = |(x, y): Hex| Point { x, y };
    let mut crossed_alike = 0;
    for from in [(0, 0), (-2, 4), (5, -3)] {
        for &to in all.iter().filter(|&&to| away(from, to) > 1) {
            let sees = |closed: u128| hex::sees(grid, closed, point(from), point(to));
            let clear = sees(0);
            let through: Vec<Hex> = all.iter().copied().filter(|&hex| leads_through(from, to, hex)).collect();
            let through: Vec<Hex> = through.into_iter().filter(|&hex| hex != from && hex != to).collect();
            let between = |&hex: &Hex| away(from, hex) < away(from, to) && away(hex, to) < away(from, to);
            for hex in all.iter().copied().filter(between) {
                assert_eq!(sees(bit(hex)), clear && !through.contains(&hex), "{from:?} to {to:?} past {hex:?}");
                for other in (0..6).map(|way| beside(hex, way)).filter(|other| all.contains(other) && between(other)) {
                    let pair = runs_between(from, to, hex, other);
                    let open = clear && !pair && ![hex, other].iter().any(|hex| through.contains(hex));
                    assert_eq!(sees(bit(hex) | bit(other)), open, "{from:?} to {to:?} past {hex:?} and {other:?}");
                    crossed_alike += usize::from([hex, other].iter().all(|hex| through.contains(hex)));
                }
            }
        }
    }
    assert!(crossed_alike > 0);
    // A war machine is four hexes from its target, with a friend in one of the two middle hexes.
    for (friend, open) in [((2, -2), false), ((1, -2), false), ((1, -3), true), ((3, -3), true)] {
        let own = [at("war-machine", (0, 0), 1), at("auxilia", friend, 1)];
        let mut board = Board::new(&own, &[at("heavy-infantry", (3, -4), 4)]);
        let (own, target) = (board.south(0), board.north(0));
        let mut dice = SeededDice::new(1815);
        let shot = hex::shoot(board.rules, &board.setup, &mut board.battle, own, target, &mut dice, &mut board.seen);
        assert_eq!(shot.is_ok(), open, "past {friend:?}");
    }
}
