//! The odds of every turn order, checked against fractions from dynamic programming that follows the wording of the
//! rules.

use std::collections::BTreeSet;

use super::{DICE, ORDER, TEST, activation, bag, battle, chances, sampled_near};

/// A fraction in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ratio(u128, u128);

impl Ratio {
    fn new(part: u32, of: u32) -> Self {
        Self(part.into(), of.into()).lowest()
    }

    fn lowest(self) -> Self {
        let (mut a, mut b) = (self.0, self.1);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        Self(self.0 / a, self.1 / a)
    }

    fn times(self, other: Self) -> Self {
        let (a, b) = (Self(self.0, other.1).lowest(), Self(other.0, self.1).lowest());
        Self(a.0 * b.0, a.1 * b.1)
    }

    fn plus(self, other: Self) -> Self {
        let common = Self(self.1, other.1).lowest();
        Self(self.0 * common.1 + other.0 * common.0, self.1 * common.1).lowest()
    }

    fn value(self) -> f64 {
        self.0 as f64 / self.1 as f64
    }
}

type Odds = [Ratio; 3];

/// Adds the odds of a continuation with this probability.
fn add(sum: &mut Odds, chance: Ratio, odds: Odds) {
    for (sum, odds) in sum.iter_mut().zip(odds) {
        *sum = sum.plus(chance.times(odds));
    }
}

const NONE: Odds = [Ratio(0, 1); 3];

const DRAWN: Odds = [Ratio(0, 1), Ratio(0, 1), Ratio(1, 1)];

/// A bag as the rules describe it, for squads of one figure whose shots hit half of the time. Each side activates its
/// squads, and hits those of the enemy, in the order of the list: those that have acted come first.
#[derive(Clone, Copy)]
struct Words {
    /// The number of chips of each side; `None` means one for each squad.
    side: Option<u32>,
    again: bool,
    ends: u32,
    after: u32,
    leave: bool,
}

impl Words {
    fn turns(self, squads: [u32; 2], turns: u32) -> Odds {
        if turns == 0 {
            return [Ratio(0, 1), Ratio(0, 1), Ratio(1, 1)];
        }
        let chips = self.side.map_or(squads, |chips| [chips; 2]);
        self.draw(Stand { waiting: squads, acted: [0, 0], chips, ended: 0 }, turns)
    }

    fn draw(self, mut now: Stand, turns: u32) -> Odds {
        if self.leave {
            now.chips = [0, 1].map(|side| now.chips[side].min(now.waiting[side]));
        }
        let squads = [0, 1].map(|side| now.waiting[side] + now.acted[side]);
        let chips = now.chips[0] + now.chips[1];
        if chips == 0 {
            return self.turns(squads, turns - 1);
        }
        let (ends, mut odds) = (self.ends - now.ended, NONE);
        let all = chips + ends;
        for side in 0..2 {
            if now.chips[side] > 0 {
                let mut then = now;
                then.chips[side] -= 1;
                add(&mut odds, Ratio::new(now.chips[side], all), self.act(then, side, turns));
            }
        }
        if ends > 0 {
            let then = Stand { ended: now.ended + 1, ..now };
            let rest = if then.ended >= self.after { self.turns(squads, turns - 1) } else { self.draw(then, turns) };
            add(&mut odds, Ratio::new(ends, all), rest);
        }
        odds
    }

    fn act(self, mut now: Stand, side: usize, turns: u32) -> Odds {
        if now.waiting[side] == 0 {
            return self.draw(now, turns);
        }
        if !self.again {
            now.waiting[side] -= 1;
            now.acted[side] += 1;
        }
        let (half, mut odds, mut hit) = (Ratio(1, 2), NONE, now);
        let enemy = 1 - side;
        if hit.acted[enemy] > 0 {
            hit.acted[enemy] -= 1;
        } else {
            hit.waiting[enemy] -= 1;
        }
        let won = hit.acted[enemy] + hit.waiting[enemy] == 0;
        let wins = std::array::from_fn(|who| Ratio::new((who == side).into(), 1));
        add(&mut odds, half, if won { wins } else { self.draw(hit, turns) });
        add(&mut odds, half, self.draw(now, turns));
        odds
    }
}

/// The state of a turn with such a bag.
#[derive(Clone, Copy)]
struct Stand {
    waiting: [u32; 2],
    acted: [u32; 2],
    chips: [u32; 2],
    ended: u32,
}

const ONE_EACH: Words = Words { side: None, again: false, ends: 0, after: 1, leave: false };

#[test]
fn odds_are_those_of_the_rules_in_words() {
    let cases = [
        ("", ONE_EACH),
        ("fallen = 'leave'", Words { leave: true, ..ONE_EACH }),
        ("ends = 1", Words { ends: 1, ..ONE_EACH }),
        ("ends = 3\nafter = 2", Words { ends: 3, after: 2, ..ONE_EACH }),
        ("side = 2", Words { side: Some(2), ..ONE_EACH }),
        ("side = 3\nagain = true\nends = 1", Words { side: Some(3), again: true, ends: 1, ..ONE_EACH }),
        ("side = 1", Words { side: Some(1), ..ONE_EACH }),
        ("chips = 2\nagain = true", Words { side: None, again: true, ..ONE_EACH }),
    ];
    let mut seen = BTreeSet::new();
    for (keys, words) in cases {
        let rules = bag(keys);
        for (first, second, turns) in [(1_usize, 1_usize, 3_u8), (2, 2, 2), (2, 3, 1), (3, 1, 1)] {
            let words = if keys.starts_with("chips") { Words { side: Some(0), ..words } } else { words };
            let odds = match words.side {
                // There are two chips for each squad of the side.
                Some(0) => doubled(words, [first as u32, second as u32], turns.into()),
                _ => words.turns([first as u32, second as u32], turns.into()),
            };
            let setup = battle(rules, &vec!["squad"; first], &vec!["squad"; second], turns);
            let exact = chances(rules, &setup);
            for (exact, odds) in exact.into_iter().zip(odds) {
                assert!((exact - odds.value()).abs() < 1e-12, "{keys}, {first} v {second}: {exact} is not {odds:?}");
            }
            if (first, second) == (2, 3) {
                sampled_near(keys, rules, &setup, odds.map(Ratio::value));
                seen.insert(format!("{odds:?}"));
            }
        }
    }
    // Every key makes a difference: the odds of `fallen`, and of the two bags with the usual number of chips, are not
    // equal by chance.
    assert_eq!(seen.len(), 8, "{seen:#?}");
}

/// The odds if each squad on the table puts in two chips at the start of a turn, and may be activated by both.
fn doubled(words: Words, squads: [u32; 2], turns: u32) -> Odds {
    if turns == 0 {
        return [Ratio(0, 1), Ratio(0, 1), Ratio(1, 1)];
    }
    draw_doubled(words, squads, squads.map(|squads| 2 * squads), turns)
}

fn draw_doubled(words: Words, squads: [u32; 2], chips: [u32; 2], turns: u32) -> Odds {
    let all = chips[0] + chips[1];
    if all == 0 {
        return doubled(words, squads, turns - 1);
    }
    let mut odds = NONE;
    for side in (0..2).filter(|&side| chips[side] > 0) {
        let (mut left, mut hit) = (chips, squads);
        left[side] -= 1;
        hit[1 - side] -= 1;
        let wins = std::array::from_fn(|who| Ratio::new((who == side).into(), 1));
        let after = if hit[1 - side] == 0 { wins } else { draw_doubled(words, hit, left, turns) };
        let half = Ratio::new(chips[side], 2 * all);
        add(&mut odds, half, after);
        add(&mut odds, half, draw_doubled(words, squads, left, turns));
    }
    odds
}

/// Squads of one figure whose shots hit half of the time, in the order of the list.
#[derive(Clone, Copy)]
struct Field {
    waiting: [u32; 2],
    acted: [u32; 2],
}

impl Field {
    fn of(squads: [u32; 2]) -> Self {
        Self { waiting: squads, acted: [0, 0] }
    }

    fn squads(self) -> [u32; 2] {
        [0, 1].map(|side| self.waiting[side] + self.acted[side])
    }

    /// The odds of the continuation after a squad of this side fires: one that has waited so far, or else one that has
    /// acted.
    fn fire(mut self, side: usize, waited: bool, then: &dyn Fn(Self) -> Odds) -> Odds {
        if waited {
            self.waiting[side] -= 1;
            self.acted[side] += 1;
        }
        let (mut hit, enemy) = (self, 1 - side);
        if hit.acted[enemy] > 0 {
            hit.acted[enemy] -= 1;
        } else {
            hit.waiting[enemy] -= 1;
        }
        let wins = std::array::from_fn(|who| Ratio::new((who == side).into(), 1));
        let mut odds = NONE;
        add(&mut odds, Ratio(1, 2), if hit.squads()[enemy] == 0 { wins } else { then(hit) });
        add(&mut odds, Ratio(1, 2), then(self));
        odds
    }
}

/// The odds if whole sides act in turn, and the first half of each turn goes to the side with the higher die. With
/// `keep`, a tie changes nothing after turn 1; otherwise, ties are rerolled.
fn by_initiative(keep: bool, squads: [u32; 2], had: Option<usize>, turns: u32) -> Odds {
    if turns == 0 {
        return DRAWN;
    }
    let mut odds = NONE;
    for leads in 0..2 {
        // Of 36 rolls of two dice, 15 are higher for each side, and 6 are ties.
        let chance = match had {
            Some(had) if keep => Ratio::new(if had == leads { 21 } else { 15 }, 36),
            _ => Ratio(1, 2),
        };
        let next = |field: Field| by_initiative(keep, field.squads(), Some(leads), turns - 1);
        let second = |field: Field| side_fires(field, 1 - leads, &next);
        add(&mut odds, chance, side_fires(Field::of(squads), leads, &second));
    }
    odds
}

fn side_fires(field: Field, side: usize, then: &dyn Fn(Field) -> Odds) -> Odds {
    if field.waiting[side] == 0 { then(field) } else { field.fire(side, true, &|field| side_fires(field, side, then)) }
}

/// The odds if sides alternate, with this many squads at a time.
fn in_turns(units: u32, field: Field, side: usize, row: u32, turns: u32) -> Odds {
    if turns == 0 {
        return DRAWN;
    }
    if field.waiting == [0, 0] {
        return in_turns(units, Field::of(field.squads()), 0, 0, turns - 1);
    }
    let side = if row < units { side } else { 1 - side };
    let row = if row < units { row } else { 0 };
    if field.waiting[side] == 0 {
        return in_turns(units, field, 1 - side, 0, turns);
    }
    field.fire(side, true, &|field| in_turns(units, field, side, row + 1, turns))
}

/// Halves of the turn in which each squad passes a test in 2/3 of cases before it acts, until too many have failed. A
/// squad that has acted may try again at once.
#[derive(Clone, Copy)]
struct Tests {
    failures: u32,
    again: u32,
}

impl Tests {
    fn half(self, field: Field, side: usize, failed: u32, left: u32, turns: u32) -> Odds {
        if turns == 0 {
            return DRAWN;
        }
        let waited = left == 0;
        if failed == self.failures || (waited && field.waiting[side] == 0) {
            let field = Field::of(field.squads());
            return if side == 0 { self.half(field, 1, 0, 0, turns) } else { self.half(field, 0, 0, 0, turns - 1) };
        }
        let mut odds = NONE;
        let left_then = if waited { self.again } else { left - 1 };
        add(
            &mut odds,
            Ratio(2, 3),
            field.fire(side, waited, &|field| self.half(field, side, failed, left_then, turns)),
        );
        let mut done = field;
        if waited {
            done.waiting[side] -= 1;
            done.acted[side] += 1;
        }
        add(&mut odds, Ratio(1, 3), self.half(done, side, failed + 1, 0, turns));
        odds
    }
}

/// The odds if all squads have equal value: a coin decides which side goes next while both have waiting squads.
fn by_coin(field: Field, turns: u32) -> Odds {
    if turns == 0 {
        return DRAWN;
    }
    if field.waiting == [0, 0] {
        return by_coin(Field::of(field.squads()), turns - 1);
    }
    let mut odds = NONE;
    for side in (0..2).filter(|&side| field.waiting[side] > 0) {
        let chance = if field.waiting[1 - side] > 0 { Ratio(1, 2) } else { Ratio(1, 1) };
        add(&mut odds, chance, field.fire(side, true, &|field| by_coin(field, turns)));
    }
    odds
}

/// The odds for this many squads a side in this many turns.
type Rule = Box<dyn Fn([u32; 2], u32) -> Odds>;

#[test]
fn odds_of_every_order_are_those_of_the_rules_in_words() {
    let cases: [(String, Rule); 8] = [
        (DICE.into(), Box::new(|squads, turns| by_initiative(false, squads, None, turns))),
        (format!("{DICE}ties = 'keep'"), Box::new(|squads, turns| by_initiative(true, squads, None, turns))),
        ("alternate = { cite = ['1'] }".into(), Box::new(|squads, turns| in_turns(1, Field::of(squads), 0, 0, turns))),
        (
            "alternate = { units = 2, cite = ['1'] }".into(),
            Box::new(|squads, turns| in_turns(2, Field::of(squads), 0, 0, turns)),
        ),
        (
            format!("{TEST}{ORDER}"),
            Box::new(|squads, turns| Tests { failures: 99, again: 0 }.half(Field::of(squads), 0, 0, 0, turns)),
        ),
        (
            format!("{TEST}failures = 1{ORDER}"),
            Box::new(|squads, turns| Tests { failures: 1, again: 0 }.half(Field::of(squads), 0, 0, 0, turns)),
        ),
        (
            format!("{TEST}failures = 2\nagain = 2{ORDER}"),
            Box::new(|squads, turns| Tests { failures: 2, again: 2 }.half(Field::of(squads), 0, 0, 0, turns)),
        ),
        (
            "priority = { value = 'self.rank', cite = ['1'] }".into(),
            Box::new(|squads, turns| by_coin(Field::of(squads), turns)),
        ),
    ];
    for (keys, words) in cases {
        let rules = activation(&keys);
        for (first, second, turns) in [(1_usize, 1_usize, 3_u8), (2, 3, 1), (2, 2, 2), (3, 1, 1)] {
            let odds = words([first as u32, second as u32], turns.into());
            let setup = battle(rules, &vec!["squad"; first], &vec!["squad"; second], turns);
            let exact = chances(rules, &setup);
            for (exact, odds) in exact.into_iter().zip(odds) {
                assert!((exact - odds.value()).abs() < 1e-12, "{keys}, {first} v {second}: {exact} is not {odds:?}");
            }
            if (first, second) == (2, 3) {
                sampled_near(&keys, rules, &setup, odds.map(Ratio::value));
            }
        }
    }
}
