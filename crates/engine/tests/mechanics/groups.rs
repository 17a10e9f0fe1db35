//! Rolls with several groups of dice, each with its own number of dice and need.
//!
//! Expected odds are derived as fractions from the comment above each test, group by group.

use grognard_rules::compile;
use grognard_rules::model::Rules;
use grognard_source::{Document, Sources};

use super::chances::{Chances, certain, die, many, then, weights};
use super::one_roll::{hold, to_the_enemy};
use crate::common::{Game, unit};

/// Forces of infantry, guns and tanks.
const PACK: &str = r#"
pack = "groups"
title = "Groups"
version = "1"
board = "none"
arms = ["army"]

[morale]
state = [{ id = "good" }]

[attribute]
infantry = { title = "infantry", min = 0, max = 4, default = 0 }
guns = { title = "guns", min = 0, max = 2, default = 0 }
tanks = { title = "tanks", min = 0, max = 2, default = 0 }

[unit]
foot = { title = "Foot", arm = "army", figures = 40, is = { infantry = 4 } }
supported = { title = "Supported", arm = "army", figures = 40, is = { infantry = 3, guns = 2 } }
gunners = { title = "Gunners", arm = "army", figures = 40, is = { infantry = 1, guns = 2 } }
mixed = { title = "Mixed", arm = "army", figures = 40, is = { infantry = 4, guns = 1, tanks = 2 } }
tanks = { title = "Tanks", arm = "army", figures = 40, is = { tanks = 2 } }
nobody = { title = "Nobody", arm = "army", figures = 40 }

[roll.attack]
title = "attack"
mechanic = "pool"
ROLL
cite = ["1"]

[[phase]]
id = "attack"
title = "Attack"
mechanism = "exchange"
roll = "attack"
half = "first"
cite = ["1"]

[doctrine.plain]
title = "as the rules say"
row = []

[victory]
broken = 100

[[clause]]
id = "1"
text = "Armies attack."

[[clause]]
id = "2"
text = "Tanks hit on a three or less."
"#;

const HITS: &str = "result = [{ id = 'hits', foe = { lose = 'hits' } }]";

/// The forces, with their numbers of infantry, guns and tanks.
const FORCES: [(&str, [u16; 3]); 6] = [
    ("foot", [4, 0, 0]),
    ("supported", [3, 2, 0]),
    ("gunners", [1, 2, 0]),
    ("mixed", [4, 1, 2]),
    ("tanks", [0, 0, 2]),
    ("nobody", [0, 0, 0]),
];

fn rules(roll: &str) -> &'static Rules {
    let mut sources = Sources::new();
    let file = sources.add("groups.toml", PACK.replace("ROLL", roll));
    let rules = Document::parse(file, &sources).and_then(|document| compile(&document, &sources));
    Box::leak(Box::new(rules.unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)))))
}

/// A die that succeeds with `good` of this many faces.
fn shot(faces: u16, good: u16) -> Chances<u16> {
    die(faces, |face| certain(u16::from(face <= good)))
}

fn sum(parts: &[Chances<u16>]) -> Chances<u16> {
    parts.iter().fold(certain(0), |sum, part| then(&sum, |&sum| then(part, move |&more| certain(sum + more))))
}

/// Infantry hits on a one, guns on a two or less, tanks on a three or less.
#[test]
fn every_group_has_its_own_need() {
    let groups = "{ id = 'infantry', count = 'self.infantry', success = [1] }, \
                  { id = 'guns', count = 'self.guns', success = [1, 2] }, \
                  { id = 'tanks', count = 'self.tanks', success = [1, 2, 3], cite = ['2'] }";
    let rules = rules(&format!("own = {{ dice = 'd6', groups = [{groups}] }}\n{HITS}"));
    for (kind, [infantry, guns, tanks]) in FORCES {
        let chances = sum(&[many(infantry, &shot(6, 1)), many(guns, &shot(6, 2)), many(tanks, &shot(6, 3))]);
        hold(rules, &unit(kind), &unit("foot"), &to_the_enemy(weights(&chances)));
    }
    for (kind, cited) in [("mixed", true), ("foot", false)] {
        let (first, second) = (vec![unit(kind)], vec![unit("nobody")]);
        let mut game = Game::under(rules, ("plain", &first), ("plain", &second));
        game.phase("attack", &[6; 7][..if cited { 7 } else { 4 }]);
        assert_eq!(game.seen.cited().contains("2"), cited, "{kind}");
    }
}

/// Each gun improves the attack of one infantry piece by 1: for each gun, one die hits on a two or less instead of a
/// one.
#[test]
fn support_improves_as_many_dice_as_there_are_guns() {
    let groups = "{ id = 'supported', count = 'math.least(self.infantry, self.guns)', need = 5 }, \
                  { id = 'others', count = 'self.infantry - self.guns' }";
    let rules = rules(&format!("own = {{ dice = 'd6', need = 6, groups = [{groups}] }}\n{HITS}"));
    for (kind, [infantry, guns, _]) in FORCES {
        let supported = infantry.min(guns);
        let chances = sum(&[many(supported, &shot(6, 2)), many(infantry - supported, &shot(6, 1))]);
        hold(rules, &unit(kind), &unit("foot"), &to_the_enemy(weights(&chances)));
    }
}

/// Infantry needs a five on a D6 and then wounds on a four or more; tanks need a six on a D10, wound without a roll and
/// count twice. A unit with guns has a bonus of one.
#[test]
fn groups_may_differ_in_dice_and_in_what_follows() {
    let groups = "{ id = 'infantry', count = 'self.infantry', need = 5 }, \
                  { id = 'tanks', dice = 'd10', count = 'self.tanks', need = 6, counts = 2, to = 'hits' }";
    let modifier = "modifier = [{ id = 'guns', when = 'self.guns > 0', add = 1, cite = ['1'] }]";
    let stage = "stage = [{ id = 'wound', dice = 'd6', need = 4 }]";
    let rules = rules(&format!("own = {{ dice = 'd6', groups = [{groups}] }}\n{stage}\n{modifier}\n{HITS}"));
    for (kind, [infantry, guns, tanks]) in FORCES {
        let better = u16::from(guns > 0);
        let hit = then(&shot(6, 2 + better), |&hit| if hit == 1 { shot(6, 3) } else { certain(0) });
        let tank = then(&shot(10, 5 + better), |&hit| certain(2 * hit));
        let chances = sum(&[many(infantry, &hit), many(tanks, &tank)]);
        hold(rules, &unit(kind), &unit("foot"), &to_the_enemy(weights(&chances)));
    }
}

/// A six always hits and a one never does, whatever the group needs; the ones and sixes of all groups are counted.
#[test]
fn natural_faces_count_in_every_group() {
    let groups =
        "{ id = 'infantry', count = 'self.infantry', need = 7 }, { id = 'tanks', count = 'self.tanks', need = 0 }";
    let natural = "natural = { fails = [1], succeeds = [6] }";
    let results = "result = [{ id = 'hits', foe = { lose = 'hits' }, own = { lose = 'fumbles' } }]";
    let rules = rules(&format!("own = {{ dice = 'd6', {natural}, groups = [{groups}] }}\n{results}"));
    let one = |hits_from: u16| die(6, move |face| certain((u16::from(face == 1), u16::from(face >= hits_from))));
    let all = [6, 6, 6, 6, 2, 2].iter().fold(certain((0, 0)), |sum, &from| {
        then(&sum, |&(lost, hits)| then(&one(from), move |&(more, other)| certain((lost + more, hits + other))))
    });
    // Pairs are coded as single numbers, for the weights.
    let pairs = weights(&then(&all, |&(lost, hits)| certain(lost * 100 + hits)));
    let expected = pairs.into_iter().map(|(pair, weight)| ((pair / 100, pair % 100), weight)).collect();
    hold(rules, &unit("mixed"), &unit("foot"), &expected);
}
