//! Targets that are equally near, shots at several units, and calls. Nothing depends on the order in which a study
//! lists its units, and a battle rotated by 180° with its sides exchanged has the same odds. Both properties hold
//! exactly, for the final position and state of every unit.

use std::collections::BTreeMap;

use grognard_dice::EnumeratedDice;
use grognard_engine::{Battle, Deployment, Side, Unit, Unwitnessed, deploy, step};
use grognard_rules::model::{Board, KindId, Rules};

use super::{arrival, calls, simultaneous, template, template_on_hexes};
use crate::common::{Men, Words, compiled, deployment, load_once, pips, unit};

/// The final state of a unit: its side, its type, its figures and, on a table, its position.
pub(super) type End = (bool, KindId, u16, Option<(i32, i32, u16)>);

/// The exact odds of all final states of a battle. Identical units are not distinguished.
pub(super) fn ends(rules: &Rules, plan: &Deployment) -> BTreeMap<Vec<End>, f64> {
    let setup = deploy(rules, plan).unwrap_or_else(|faults| panic!("{faults:#?}"));
    let mut found = BTreeMap::new();
    let mut dice = EnumeratedDice::new();
    while dice.next_path() {
        let mut battle = setup.start.clone();
        while step(rules, &setup, &mut battle, &mut dice, &mut Unwitnessed).is_none() {}
        *found.entry(end_of(rules, &battle)).or_insert(0.0) += dice.chance();
    }
    found
}

fn end_of(rules: &Rules, battle: &Battle) -> Vec<End> {
    let end = |unit: &Unit| {
        let place = (!unit.gone() && !matches!(rules.board, Board::None))
            .then(|| (unit.front.x, unit.front.y, unit.heading.tenths()));
        (unit.side == Side::First, unit.kind, unit.figures, place)
    };
    let mut ends: Vec<End> = battle.units.iter().map(end).collect();
    ends.sort_unstable();
    ends
}

/// The same odds with the sides exchanged and the table rotated by 180°.
pub(super) fn turned(ends: &BTreeMap<Vec<End>, f64>) -> BTreeMap<Vec<End>, f64> {
    let end = |&(first, kind, figures, place): &End| {
        (!first, kind, figures, place.map(|(x, y, heading): (i32, i32, u16)| (-x, -y, (heading + 1800) % 3600)))
    };
    let all = |units: &Vec<End>| {
        let mut units: Vec<End> = units.iter().map(end).collect();
        units.sort_unstable();
        units
    };
    ends.iter().map(|(units, &chance)| (all(units), chance)).collect()
}

#[track_caller]
pub(super) fn alike(what: &str, one: &BTreeMap<Vec<End>, f64>, other: &BTreeMap<Vec<End>, f64>) {
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>(), "{what}");
    for (units, chance) in one {
        assert!((chance - other[units]).abs() < 1e-12, "{what}, {units:?}: {chance} and {}", other[units]);
    }
}

/// A unit: its type, its figures, the position of its middle, and how it comes onto the table. It faces the enemy.
#[derive(Clone, Copy, Debug)]
pub(super) struct Post(pub(super) &'static str, pub(super) u16, pub(super) (i32, i32), pub(super) Comes);

/// How a unit comes onto the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comes {
    AtFirst,
    WhenCalled,
    AsAPart,
}

/// The geometry of units on a board: the headings of the two sides, and half the depth of a unit.
#[derive(Clone, Copy)]
pub(super) struct Stance([f64; 2], i32);

pub(super) const ON_HEXES: Stance = Stance([90.0, 270.0], 0);
pub(super) const ON_A_TABLE: Stance = Stance([0.0, 180.0], 1);

impl Stance {
    /// The units of a side, rotated about the middle of the board if `turned`.
    fn army(&self, posts: &[Post], side: Side, turned: bool) -> Vec<Men> {
        let sign = if turned { -1 } else { 1 };
        let front = if side == Side::First { self.1 } else { -self.1 };
        let men = |&Post(kind, figures, (x, y), comes): &Post| {
            let at = (f64::from(sign * x), f64::from(sign * y + front));
            let men = || unit(kind).at(at.0, at.1).facing(self.0[side.index()]);
            match comes {
                Comes::AtFirst => men().figures(figures),
                Comes::WhenCalled => men().figures(figures).called(),
                Comes::AsAPart => men().part(),
            }
        };
        posts.iter().map(men).collect()
    }
}

/// Plays an army that acts against one that waits, with the lists in several orders and from both sides of the table.
pub(super) struct Trial<'a> {
    pub(super) rules: &'a Rules,
    pub(super) doctrines: (&'a str, &'a str),
    pub(super) stance: Stance,
    pub(super) words: Words,
}

impl Trial<'_> {
    pub(super) fn plan(&self, acts: &[Post], waits: &[Post], turned: bool) -> Deployment {
        let army = |posts, side| self.stance.army(posts, side, turned);
        let plan = if turned {
            let (first, second) = (army(waits, Side::First), army(acts, Side::Second));
            deployment((self.doctrines.1, &first), (self.doctrines.0, &second))
        } else {
            let (first, second) = (army(acts, Side::First), army(waits, Side::Second));
            deployment((self.doctrines.0, &first), (self.doctrines.1, &second))
        };
        Deployment { turns: 1, ..plan }
    }

    /// Checks these armies, and returns the number of final states that the battle can have.
    #[track_caller]
    pub(super) fn hold(&mut self, acts: &[Post], waits: &[Post]) -> usize {
        let known = ends(self.rules, &self.plan(acts, waits, false));
        for _ in 0..3 {
            let (acts, waits) = (shuffled(acts, &mut self.words), shuffled(waits, &mut self.words));
            alike(&format!("{acts:?} against {waits:?}"), &known, &ends(self.rules, &self.plan(&acts, &waits, false)));
            let other = ends(self.rules, &self.plan(&acts, &waits, true));
            alike(&format!("{acts:?} against {waits:?}, turned"), &turned(&known), &other);
        }
        known.len()
    }
}

fn shuffled(posts: &[Post], words: &mut Words) -> Vec<Post> {
    let mut posts = posts.to_vec();
    for last in (1..posts.len()).rev() {
        posts.swap(last, words.between(0, last as i32) as usize);
    }
    posts
}

fn pack(name: &str, text: &str) -> &'static Rules {
    compiled(name, text).unwrap_or_else(|(_, faults)| panic!("{faults}"))
}

/// The pack with every phase played by both sides, one after the other.
fn by_either(text: &str) -> String {
    text.replace("half = \"first\"\n", "")
}

/// The guns on hexes, which fire only at companies. A company that is hit falls back one hex, and loses a figure if
/// that hex is closed.
fn on_hexes(shot: &str, banners: &str) -> &'static Rules {
    let crowd = "[unit.crowd]\ntitle = \"Crowd\"\narm = \"crowd\"\nfigures = 4\n\n[die.drift]";
    let text = by_either(template_on_hexes::GUNS)
        .replace("template = TEMPLATE", shot)
        .replace("\"foot\", \"leader\"", "\"foot\", \"leader\", \"crowd\"")
        .replace("foe.arm == 'foot' ? 8", "foe.arm != 'leader' ? 8")
        .replace("do = \"fire\" },\n]", "when = \"foe.type == 'company'\", do = \"fire\" },\n]")
        .replace("distance < 5", "distance < 5 && foe.type == 'company'")
        .replace("[die.drift]", crowd)
        .replace("foe = { lose = 1 }", "foe = { lose = 1, score = { flags = 1 } }")
        .replace("broken = 100", &format!("broken = 100\n{banners}"));
    pack("guns.toml", &text)
}

/// One gun fires at one company, with others around it, including friends of the gun. Returns the number of positions
/// in which units other than the company are at risk, too.
fn shots(
    rules: &Rules,
    stance: Stance,
    (gun, target, kind): (Post, Post, &'static str),
    places: &[(i32, i32)],
) -> usize {
    let mut trial = Trial { rules, doctrines: ("fire", "none"), stance, words: Words::new(8) };
    let mut several = 0;
    for _ in 0..25 {
        let mut free = places.to_vec();
        let mut next = || {
            let at = free.swap_remove(trial.words.between(0, free.len() as i32 - 1) as usize);
            Post(kind, trial.words.between(1, 4) as u16, at, Comes::AtFirst)
        };
        let acts = [gun, next(), next()];
        let waits = [target, next(), next(), next()];
        several += usize::from(trial.hold(&acts, &waits) > 2);
    }
    several
}

/// A gun on hexes this many hexes from its target, with no unit in between.
fn shots_on_hexes(shot: &str, banners: &str, far: i32, places: &[(i32, i32)]) -> usize {
    let (gun, target) = (Post("gun", 4, (-far, 0), Comes::AtFirst), Post("company", 2, (0, 0), Comes::AtFirst));
    shots(on_hexes(shot, banners), ON_HEXES, (gun, target, "crowd"), places)
}

#[test]
fn a_template_on_hexes_hits_alike_in_any_order_and_from_either_side() {
    let places = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (2, -1), (2, 0), (1, 1), (0, 2), (1, -2)];
    for banners in ["", "banners = 1"] {
        let shot = "template = { radius = 1, friends = true, cite = ['1'] }";
        assert!(shots_on_hexes(shot, banners, 4, &places) > 10, "{banners}");
    }
}

/// Of the hexes behind the target, three are four hexes from the gun: (2, 0) in the line of fire, (2, -1) and (1, 1) on
/// either side of it.
#[test]
fn a_shot_through_on_hexes_hits_alike_in_any_order_and_from_either_side() {
    let places = [(1, 0), (2, 0), (3, 0), (2, -1), (1, 1), (3, -1), (2, 1)];
    for most in [1, 2] {
        let shot = format!("through = {{ most = {most}, friends = true, cite = ['1'] }}");
        assert!(shots_on_hexes(&shot, "", 2, &places) > 10, "{most}");
    }
}

/// A gun on a table. Units stand on squares of two inches, and a unit that is hit falls back onto squares that others
/// may occupy. No unit is nearer to the gun than its target.
fn shots_on_a_table(shot: &str) -> usize {
    let text = by_either(template::GUNS)
        .replace("template = TEMPLATE", shot)
        .replace("foe = { lose = 1 }", "foe = { lose = 1, retreat = 3 }")
        .replace("OWN", "");
    let all = (-1..=1).flat_map(|column| (0..=2).map(move |row| (2 * column, 2 * row)));
    let places: Vec<(i32, i32)> = all.filter(|&at| at != (0, 0)).collect();
    let (gun, target) = (Post("gun", 1, (0, -8), Comes::AtFirst), Post("company", 4, (0, 0), Comes::AtFirst));
    shots(pack("guns.toml", &text), ON_A_TABLE, (gun, target, "company"), &places)
}

#[test]
fn a_template_on_a_table_hits_alike_in_any_order_and_from_either_side() {
    assert!(shots_on_a_table("template = { radius = 3, friends = true, cite = ['1'] }") > 10);
}

#[test]
fn a_shot_through_on_a_table_hits_alike_in_any_order_and_from_either_side() {
    assert!(shots_on_a_table("through = { most = 1, friends = true, cite = ['1'] }") > 10);
}

/// Units of one type call on a five or more. Their positions, not their order in the list, decide which is heard first.
pub(super) fn horn(called: &str, kind: &str) -> String {
    calls::horn(called)
        .replace("self.start < 20", &format!("self.type == \"{kind}\""))
        .replace("calls = 'squad'", &format!("calls = '{kind}'"))
        .replace("cite = ['3']", "cite = ['1']")
}

/// Two or three callers, one or two units that wait, and an enemy in the way.
fn hold_calls(rules: &Rules, doctrine: &str, stance: Stance, kinds: (&'static str, &'static str), step: i32) {
    let mut trial = Trial { rules, doctrines: (doctrine, doctrine), stance, words: Words::new(10) };
    for callers in [2, 2, 2, 3, 3, 3] {
        let mut free: Vec<(i32, i32)> = (-1..=1).flat_map(|x| (0..=1).map(move |y| (step * x, step * y))).collect();
        let mut own: Vec<Post> = Vec::new();
        for _ in 0..callers {
            let at = free.swap_remove(trial.words.between(0, free.len() as i32 - 1) as usize);
            own.push(Post(kinds.0, 4, at, Comes::AtFirst));
        }
        for waits in 2..callers + 1 {
            own.push(Post(kinds.0, 4, (step * (waits - 3), -4 * step), Comes::WhenCalled));
        }
        assert!(trial.hold(&own, &[Post(kinds.1, 4, (0, 3 * step), Comes::AtFirst)]) > 1);
    }
}

#[test]
fn calls_on_a_table_are_heard_alike_in_any_order_and_from_either_side() {
    for called in ["beside", "place", "left", "own"] {
        let rules = arrival::table(&horn(called, "squad"));
        hold_calls(rules, "plain", ON_A_TABLE, ("squad", "fort"), 2);
    }
}

#[test]
fn calls_on_hexes_are_heard_alike_in_any_order_and_from_either_side() {
    let horn = horn("beside", "company");
    let text = by_either(template_on_hexes::GUNS).replace("template = TEMPLATE", "") + &horn;
    hold_calls(pack("guns.toml", &text), "none", ON_HEXES, ("company", "gun"), 1);
}

/// Equal armies that shell each other simultaneously on a table. The odds are exact: every final state is as likely as
/// its mirror image.
#[test]
fn equal_armies_that_fire_at_once_have_equal_chances() {
    for shot in [
        "template = { radius = 3, friends = true, scatter = { dice = 'd3', inches = 1, directions = 4, cite = ['2'] }, cite = ['1'] }",
        "through = { most = 1, cite = ['1'] }",
    ] {
        let text = template::GUNS
            .replace("template = TEMPLATE", &format!("by = \"both\"\nsimultaneous = true\n{shot}"))
            .replace("OWN", "");
        let rules = pack("guns.toml", &text);
        let army = [
            Post("gun", 1, (0, -12), Comes::AtFirst),
            Post("company", 4, (6, -4), Comes::AtFirst),
            Post("company", 3, (7, -8), Comes::AtFirst),
        ];
        let (first, second) = (ON_A_TABLE.army(&army, Side::First, false), ON_A_TABLE.army(&army, Side::Second, true));
        let plan = deployment(("fire", &first), ("fire", &second));
        let found = ends(rules, &Deployment { turns: 1, ..plan });
        assert!(found.len() > 4, "{found:?}");
        alike(shot, &found, &turned(&found));
    }
}

/// One gun and several identical companies, equally near to it. It hits one of them, or none.
fn hold_target(rules: &Rules, stance: Stance, gun: (i32, i32), places: &[(i32, i32)]) {
    let mut trial = Trial { rules, doctrines: ("fire", "none"), stance, words: Words::new(12) };
    let companies: Vec<Post> = places.iter().map(|&at| Post("company", 3, at, Comes::AtFirst)).collect();
    assert_eq!(trial.hold(&[Post("gun", 1, gun, Comes::AtFirst)], &companies), 2);
}

#[test]
fn a_gun_on_hexes_fires_at_the_same_of_equal_targets_in_any_order_and_from_either_side() {
    hold_target(on_hexes("", ""), ON_HEXES, (-4, 0), &[(0, 0), (0, -1), (0, -2), (-1, 1)]);
}

/// The pack of guns on a table, with these lines in its phase.
fn on_a_table(phase: &str) -> String {
    by_either(template::GUNS).replace("template = TEMPLATE", phase).replace("OWN", "")
}

const LEFT_AND_RIGHT: [(i32, i32); 3] = [(-4, 0), (4, 0), (-4, -16)];

#[test]
fn a_gun_on_a_table_fires_at_the_same_of_equal_targets_in_any_order_and_from_either_side() {
    let text = on_a_table("");
    // An enemy behind the gun is out of its arc.
    hold_target(pack("guns.toml", &text), ON_A_TABLE, (0, -8), &LEFT_AND_RIGHT);
    let of_any = text.replace("do = \"fire\"", "of = \"any\", when = \"foe.figures > 1\", do = \"fire\"");
    assert_ne!(of_any, text);
    hold_target(pack("guns.toml", &of_any), ON_A_TABLE, (0, -8), &LEFT_AND_RIGHT);
}

#[test]
fn an_exchange_is_with_the_same_of_equal_enemies_in_any_order_and_from_either_side() {
    let text = on_a_table("when = \"self.type == 'gun'\"").replace("mechanism = \"fire\"", "mechanism = \"exchange\"");
    let text = text.replace("row = [{ id = \"fire\", phase = \"fire\", do = \"fire\" }]", "row = []");
    hold_target(pack("guns.toml", &text), ON_A_TABLE, (0, -8), &[(-4, -1), (4, -1)]);
}

#[test]
fn casualties_fall_on_the_same_of_equal_units_in_any_order_and_from_either_side() {
    let phase = "when = \"self.type == 'gun'\"\nby = \"both\"\nhalf = \"first\"\nsimultaneous = true\ncasualties = { order = ['company'], cite = ['1'] }";
    let text = on_a_table(phase).replace("mechanism = \"fire\"", "mechanism = \"exchange\"");
    let text = text.replace("row = [{ id = \"fire\", phase = \"fire\", do = \"fire\" }]", "row = []");
    hold_target(pack("guns.toml", &text), ON_A_TABLE, (0, -8), &[(-4, 0), (4, 2), (0, 6)]);
}

#[test]
fn equal_fleets_on_no_board_have_equal_chances_in_any_order() {
    let rules =
        pack("ships.toml", &simultaneous::SHIPS.replace("PHASE", "simultaneous = true").replace("DOCTRINES", ""));
    let (boat, liner) = (|| unit("boat"), || unit("liner"));
    let fleets = [[boat(), liner(), boat()], [liner(), boat(), boat()], [boat(), boat(), liner()]];
    let odds = |first: &[Men], second: &[Men]| {
        let plan = deployment(("plain", first), ("plain", second));
        ends(rules, &Deployment { turns: 2, ..plan })
    };
    let known = odds(&fleets[0], &fleets[0]);
    assert!(known.len() > 5, "{known:?}");
    alike("equal fleets", &known, &turned(&known));
    for fleet in &fleets[1..] {
        alike("another order", &known, &odds(&fleets[0], fleet));
        alike("another order of the first", &known, &odds(fleet, &fleets[0]));
    }
}

/// Brigades that are identical and equally near to the enemy, with fewer points than they could spend between them.
#[test]
fn points_are_spent_on_the_same_of_equal_units_in_any_order_and_from_either_side() {
    let posts = |y: i32| [-8, 0, 8].map(|x| Post("infantry", 1, (x, y), Comes::AtFirst));
    let mut trial = Trial { rules: pips(), doctrines: ("contact", "hold"), stance: ON_A_TABLE, words: Words::new(14) };
    assert!(trial.hold(&posts(-3), &posts(0)) > 2);
}

/// Plays positions in which each side has this number of units, in random places and with points for all of them.
/// Counts the positions in which dice make a difference. No unit flees in its own side's half of the turn, which comes
/// before or after that of the acting side.
fn with_points(doctrine: &str, kind: &'static str, [acts, waits]: [usize; 2], places: [&[(i32, i32)]; 2]) -> usize {
    let rules = load_once("pips-drill", &["activation.dice=\"8point\"", "phase.flee.when=\"turn > 1\""]);
    let mut trial = Trial { rules, doctrines: (doctrine, "hold"), stance: ON_A_TABLE, words: Words::new(21) };
    let mut several = 0;
    for _ in 0..12 {
        let mut some = |kind, count, places: &[(i32, i32)]| {
            let mut free = places.to_vec();
            let mut next = || {
                Post(kind, 1, free.swap_remove(trial.words.between(0, free.len() as i32 - 1) as usize), Comes::AtFirst)
            };
            (0..count).map(|_| next()).collect::<Vec<_>>()
        };
        let (acts, waits) = (some(kind, acts, places[0]), some("infantry", waits, places[1]));
        several += usize::from(trial.hold(&acts, &waits) > 1);
    }
    several
}

#[test]
fn a_joint_charge_is_led_by_the_same_of_equal_units_in_any_order_and_from_either_side() {
    // Two units charge one and strike it in the same arc: only the principal takes the target's position, or pursues
    // it.
    for (doctrine, kind) in [("charge-occupy", "infantry"), ("charge-pursue", "cavalry")] {
        assert!(with_points(doctrine, kind, [2, 1], [&[(-2, -4), (2, -4)], &[(0, 0)]]) > 5, "{doctrine}");
    }
}

#[test]
fn charges_are_resolved_in_the_same_order_whatever_the_order_of_their_targets() {
    // The first unit to flee clears the way for the next; the first to pursue blocks it.
    let places: [&[(i32, i32)]; 2] =
        [&[(-5, -4), (-2, -5), (2, -4), (5, -5)], &[(-3, 0), (0, 1), (3, 0), (-1, 3), (2, 3)]];
    for (doctrine, kind) in [("charge-pursue", "cavalry"), ("charge-occupy", "infantry")] {
        assert!(with_points(doctrine, kind, [2, 3], places) > 2, "{doctrine}");
    }
}

#[test]
fn units_fire_in_the_same_order_whatever_their_order_in_the_study() {
    // A target that is shaken by the first shot flees from the second.
    let places: [&[(i32, i32)]; 2] = [&[(-6, -5), (-3, -6), (0, -5), (3, -6), (6, -5)], &[(-3, 0), (0, 1), (3, 0)]];
    assert!(with_points("fire", "foot-artillery", [3, 2], places) > 2);
}
