//! Throws: the faces drawn for a roll, divided into hands of dice.
//!
//! The unit's own dice are rolled before the enemy's, kind by kind and stage by stage. Each part is replayed with the
//! remaining faces, and takes as many of them as it needs.

use grognard_dice::{Die, Faces, Shown};
use grognard_roll::{Amount, Hand, Keep, Kind, Line, Mechanic, Natural, Need, Pool, Read, Sent, Sum, Symbols, Totals};
use grognard_rules::model::Contestant;

use crate::telling::narrator::words::counted;

/// Dice rolled together.
pub(super) struct Throw {
    /// The roller.
    pub(super) by: Contestant,
    /// The dice: `2d6`, `6d10 for 8 or more`.
    pub(super) dice: String,
    /// The faces that they showed: `5 4`.
    pub(super) faces: String,
    /// Their result before modifiers: ` = 9`, `, 2 successes`; empty if the totals show it.
    pub(super) comes_to: String,
}

/// Faces that are replayed.
pub(super) struct Replay<'a> {
    faces: &'a [Shown],
    next: usize,
}

impl<'a> Replay<'a> {
    pub(super) fn new(faces: &'a [Shown]) -> Self {
        Self { faces, next: 0 }
    }

    /// Plays a mechanic with the remaining faces. Returns the totals, and the labels used.
    fn play(&mut self, mechanic: &Mechanic, inputs: &[i32]) -> (Totals, Vec<&'a str>) {
        self.take(|faces| mechanic.by_hand(inputs, faces))
    }

    /// Rolls dice that show the remaining faces. Returns their result, and the labels used.
    fn take<T>(&mut self, throw: impl FnOnce(&mut Self) -> T) -> (T, Vec<&'a str>) {
        let first = self.next;
        let thrown = throw(self);
        let taken = self.faces.get(first..self.next.min(self.faces.len())).unwrap_or_default();
        (thrown, taken.iter().map(|face| face.label.as_str()).collect())
    }
}

impl Faces for Replay<'_> {
    fn roll(&mut self, die: &Die) -> usize {
        let label = self.faces.get(self.next).map_or("", |face| face.label.as_str());
        self.next += 1;
        die.faces.iter().position(|face| face.label == label).unwrap_or(0)
    }
}

/// The throws of a roll in the order in which they were made.
pub(super) fn throws(mechanic: &Mechanic, inputs: &[i32], faces: &[Shown]) -> Vec<Throw> {
    let mut replay = Replay::new(faces);
    let mut hand = |by, hand: &Hand| thrown_hand(by, hand, inputs, &mut replay);
    match mechanic {
        Mechanic::Sum(sum) => vec![hand(Contestant::Own, &sum.hand)],
        Mechanic::Under(under) => vec![hand(Contestant::Own, &under.hand)],
        Mechanic::Table(table) => vec![hand(Contestant::Own, &table.hand)],
        Mechanic::Opposed(opposed) => vec![hand(Contestant::Own, &opposed.own), hand(Contestant::Foe, &opposed.foe)],
        Mechanic::Pool(pool) => thrown_pool(pool, inputs, &mut replay),
        Mechanic::Symbols(symbols) => vec![thrown_symbols(symbols, inputs, &mut replay)],
        Mechanic::Ranked(ranked) => vec![
            thrown_line(Contestant::Own, &ranked.own, inputs, &mut replay),
            thrown_line(Contestant::Foe, &ranked.foe, inputs, &mut replay),
        ],
    }
}

/// The number of dice that each stage of a pool threw, including the groups of its hand.
pub(in crate::telling) fn dice_of_stages(pool: &Pool, inputs: &[i32], faces: &[Shown]) -> Vec<u32> {
    let (mut replay, mut dice) = (Replay::new(faces), pool.first_dice(inputs));
    for at in 0..pool.stages.len() {
        let (sent, _) = replay.take(|faces| pool.throw(at, dice[at], inputs, faces));
        for (dice, sent) in dice.iter_mut().zip(&sent.to) {
            *dice += sent;
        }
    }
    dice
}

fn thrown_hand(by: Contestant, hand: &Hand, inputs: &[i32], replay: &mut Replay<'_>) -> Throw {
    let plain = Hand { plus: Amount::fixed(0), ..hand.clone() };
    let mut again = Replay { faces: replay.faces, next: replay.next };
    let natural = Mechanic::Sum(Sum::new(plain.clone())).by_hand(inputs, &mut again).get(0);
    let mut faces = Vec::new();
    for kind in &hand.kinds {
        let alone = Hand { kinds: vec![kind.clone()], keep: Keep::All, ..plain.clone() };
        let (_, shown) = replay.play(&Mechanic::Sum(Sum::new(alone)), inputs);
        faces.push(faces_text(kind.count.at(inputs), &shown));
    }
    let decided = match hand.natural.verdict_of(natural.into()) {
        1 => ", a natural success",
        -1 => ", a natural failure",
        _ => "",
    };
    let (need, comes_to) = match &hand.read {
        Read::Sum => (String::new(), format!(" = {natural}{decided}")),
        Read::Highest => (String::new(), format!(", highest {natural}{decided}")),
        Read::Successes(need) => (need_text(need, &hand.natural, inputs), format!(", {}", counted(natural, "success"))),
    };
    let keep = keep_text(hand.keep, inputs);
    Throw { by, dice: kinds_text(&hand.kinds, inputs) + &keep + &need, faces: faces.join(" + "), comes_to }
}

fn thrown_pool(pool: &Pool, inputs: &[i32], replay: &mut Replay<'_>) -> Vec<Throw> {
    let stages = pool.stages.len();
    let groups = pool.dice.len();
    let mut waiting = pool.first_dice(inputs);
    let any = waiting.iter().any(|&dice| dice > 0);
    let alone = stages == groups && waiting.iter().filter(|&&dice| dice > 0).count() <= 1;
    let mut throws = Vec::new();
    for (at, stage) in pool.stages.iter().enumerate() {
        let dice = waiting[at];
        // Groups and stages without dice are omitted. If there are no dice at all, the first one says so.
        if dice == 0 && (any || at > 0) {
            continue;
        }
        let mut again = Replay { faces: replay.faces, next: replay.next };
        let (sent, shown) = replay.take(|faces| pool.throw(at, dice, inputs, faces));
        let successes = sent.each.iter().sum::<i64>();
        let comes_to = match stage.is_plain() && (pool.models.is_none() || at + 1 < stages) {
            // The total gives the same information.
            _ if alone && pool.models.is_none() => String::new(),
            true => format!(", {}", counted(successes as i32, "success")),
            false => format!(", {}", sent_text(pool, &sent)) + &lost_text(pool, at, &sent, inputs),
        };
        let (thrown, faces) = match stage.need() {
            _ if dice == 0 => ("no dice".to_owned(), String::new()),
            Some(need) => {
                let dice_text = dice_text(&stage.hand.kinds[0].die, dice as i32);
                (dice_text + &need_text(need, &stage.hand.natural, inputs), faces_text(dice as i32, &shown))
            }
            None => {
                let faces = number_faces_text(&stage.hand, dice, inputs, &mut again);
                (number_text(&stage.hand, dice as i32, inputs), faces)
            }
        };
        throws.push(Throw {
            by: Contestant::Own,
            dice: if dice > 0 && at < groups && groups > 1 { format!("{thrown} ({})", stage.name) } else { thrown },
            faces,
            comes_to,
        });
        for (waiting, sent) in waiting.iter_mut().zip(&sent.to) {
            *waiting += sent;
        }
    }
    // The result of a single throw is the total.
    if let ([only], None) = (&mut throws[..], &pool.models) {
        only.comes_to.clear();
    }
    throws
}

/// The successes and where they go: `2 to save, 1 hit`.
fn sent_text(pool: &Pool, sent: &Sent) -> String {
    let places = sent.to.iter().enumerate().filter(|&(_, &sent)| sent > 0);
    let texts = places.map(|(goal, &sent)| match pool.stages.get(goal) {
        Some(stage) => format!("{sent} to {}", stage.name),
        None => counted(sent as i32, "hit"),
    });
    let texts: Vec<String> = texts.collect();
    if texts.is_empty() { "0 successes".into() } else { texts.join(", ") }
}

/// The excess damage to models.
fn lost_text(pool: &Pool, at: usize, sent: &Sent, inputs: &[i32]) -> String {
    let lost = sent.each.iter().sum::<i64>() - pool.suffered(&sent.each, inputs);
    if lost == 0 || at + 1 < pool.stages.len() { String::new() } else { format!(", {lost} of them lost") }
}

/// The faces of a number of hands, each read as a number. One hand is finished before the next is rolled.
fn number_faces_text(hand: &Hand, hands: u32, inputs: &[i32], replay: &mut Replay<'_>) -> String {
    let (mut first, mut more) = (Vec::new(), Vec::new());
    for kind in (0..hands).flat_map(|_| &hand.kinds) {
        let alone = Hand { kinds: vec![kind.clone()], keep: Keep::All, ..hand.clone() };
        let (_, shown) = replay.play(&Mechanic::Sum(Sum::new(alone)), inputs);
        let (at_first, later) = shown.split_at(shown.len().min(kind.count.at(inputs).max(0) as usize));
        first.extend_from_slice(at_first);
        more.extend_from_slice(later);
    }
    faces_text(first.len() as i32, &[first, more].concat())
}

/// The dice of a number of hands, each read as a number.
fn number_text(hand: &Hand, hands: i32, inputs: &[i32]) -> String {
    let times = |kind: &Kind| Kind { die: kind.die.clone(), count: (kind.count.at(inputs) * hands).into() };
    let kinds: Vec<Kind> = hand.kinds.iter().map(times).collect();
    let plus = match hand.plus.at(inputs) {
        0 => String::new(),
        plus => format!(" {plus:+}"),
    };
    let each = if hands > 1 && (hand.keep != Keep::All || !plus.is_empty()) { " each" } else { "" };
    kinds_text(&kinds, inputs) + &keep_text(hand.keep, inputs) + &plus + each
}

fn keep_text(keep: Keep, inputs: &[i32]) -> String {
    match keep {
        Keep::All => String::new(),
        Keep::Highest(dice) => format!(" keeping the highest {}", dice.at(inputs)),
        Keep::Lowest(dice) => format!(" keeping the lowest {}", dice.at(inputs)),
    }
}

fn thrown_symbols(symbols: &Symbols, inputs: &[i32], replay: &mut Replay<'_>) -> Throw {
    let mut faces = Vec::new();
    for kind in &symbols.kinds {
        let alone = Symbols { kinds: vec![kind.clone()], ..symbols.clone() };
        let (_, shown) = replay.play(&Mechanic::Symbols(alone), inputs);
        faces.push(faces_text(kind.count.at(inputs), &shown));
    }
    let dice = kinds_text(&symbols.kinds, inputs);
    Throw { by: Contestant::Own, dice, faces: faces.join(" + "), comes_to: String::new() }
}

/// Ranked dice are listed from the highest down, which is how they are compared.
fn thrown_line(by: Contestant, line: &Line, inputs: &[i32], replay: &mut Replay<'_>) -> Throw {
    let count = line.dice.at(inputs);
    let hand = Hand { reroll: line.reroll.clone(), ..Hand::sum(line.die.clone(), count) };
    let (_, mut shown) = replay.play(&Mechanic::Sum(Sum::new(hand)), inputs);
    if line.reroll.is_none() {
        let value = |label: &str| line.die.faces.iter().find(|face| face.label == label).map_or(0, |face| face.value);
        shown.sort_by_key(|label| std::cmp::Reverse(value(label)));
    }
    let plus = line.plus.at(inputs);
    let comes_to = if plus == 0 { String::new() } else { format!(", {plus:+} each") };
    Throw { by, dice: dice_text(&line.die, count), faces: faces_text(count, &shown), comes_to }
}

/// Puts labels side by side. Dice beyond the first `count` were rerolled or added.
fn faces_text(count: i32, shown: &[&str]) -> String {
    let first = usize::try_from(count).unwrap_or(0).min(shown.len());
    let (first, more) = shown.split_at(first);
    let then = if more.is_empty() { String::new() } else { format!(", then {}", more.join(" ")) };
    first.join(" ") + &then
}

fn kinds_text(kinds: &[Kind], inputs: &[i32]) -> String {
    kinds.iter().map(|kind| dice_text(&kind.die, kind.count.at(inputs))).collect::<Vec<_>>().join(" + ")
}

/// The dice as text: `2d6`, or `3 battle dice` for named dice.
fn dice_text(die: &Die, count: i32) -> String {
    let numbered = die.name.strip_prefix('d').is_some_and(|faces| faces.bytes().all(|byte| byte.is_ascii_digit()));
    match (count.max(0), numbered) {
        (0, _) => "no dice".into(),
        (1, true) => die.name.clone(),
        (count, true) => format!("{count}{}", die.name),
        (count, false) => counted(count, "die").replace(' ', &format!(" {} ", die.name)),
    }
}

/// The target number as text: ` for 7 or more (6 always succeeds, 1 always fails)`.
fn need_text(need: &Need, natural: &Natural, inputs: &[i32]) -> String {
    let need = match need {
        Need::AtLeast(need) => format!(" for {} or more", need.at(inputs)),
        Need::AtMost(need) => format!(" for {} or less", need.at(inputs)),
        Need::Faces(labels) => format!(" for {}", labels.join(" or ")),
    };
    let listed = [("succeed", &natural.succeeds), ("fail", &natural.fails)];
    let listed = listed.into_iter().filter(|(_, faces)| !faces.is_empty()).map(|(verb, faces)| {
        let s = if faces.len() == 1 { "s" } else { "" };
        format!("{} always {verb}{s}", faces.join(" and "))
    });
    let listed: Vec<String> = listed.collect();
    if listed.is_empty() { need } else { format!("{need} ({})", listed.join(", ")) }
}

#[cfg(test)]
mod tests {
    use grognard_roll::{Branch, Count, Explode, Goal, Models, Opposed, Ranked, Reroll, Rerolled, Stage, Ties, Under};

    use super::*;

    /// Each roll as `dice: faces and result`.
    fn told(mechanic: &Mechanic, faces: &[&str]) -> Vec<String> {
        let shown = |label: &&str| Shown { die: String::new(), label: (*label).to_owned() };
        let faces: Vec<Shown> = faces.iter().map(shown).collect();
        throws(mechanic, &[], &faces)
            .iter()
            .map(|throw| format!("{}: {}{}", throw.dice, throw.faces, throw.comes_to))
            .collect()
    }

    #[test]
    fn faces_go_to_the_hand_that_threw_them() {
        let kept = Hand { keep: Keep::Highest(2.into()), ..Hand::sum(Die::numbered(6), 3) };
        let mixed = Hand {
            kinds: vec![Kind { die: Die::numbered(6), count: 2.into() }, Kind { die: Die::average(), count: 1.into() }],
            ..Hand::sum(Die::numbered(6), 0)
        };
        let opposed = Mechanic::Opposed(Opposed { own: kept, foe: mixed, naturals: false });
        assert_eq!(
            told(&opposed, &["1", "5", "6", "2", "4", "3"]),
            ["3d6 keeping the highest 2: 1 5 6 = 11", "2d6 + 1 average die: 2 4 + 3 = 9"]
        );
    }

    #[test]
    fn dice_rolled_again_and_added_stand_apart() {
        let reroll = Some(Reroll { which: Rerolled::Failures, times: 1 });
        let again = Hand { reroll, ..Hand::successes(Die::numbered(6), 3, Need::AtLeast(5.into())) };
        let counted = Mechanic::Sum(Sum::new(again));
        assert_eq!(told(&counted, &["1", "5", "2", "6", "3"]), ["3d6 for 5 or more: 1 5 2, then 6 3, 2 successes"]);
        let explode = Some(Explode { faces: vec!["6".into()], limit: 2 });
        let added = Mechanic::Sum(Sum::new(Hand { explode, ..Hand::sum(Die::numbered(6), 2) }));
        assert_eq!(told(&added, &["6", "1", "6", "2"]), ["2d6: 6 1, then 6 2 = 15"]);
    }

    #[test]
    fn stages_throw_what_the_stage_before_left_them() {
        let stage = |need: i32| Stage::new(Die::numbered(6), Need::AtLeast(need.into()));
        let pool = Pool::of(4, vec![stage(4), stage(5)]);
        assert_eq!(
            told(&Mechanic::Pool(pool), &["4", "1", "6", "5", "5", "2", "6"]),
            ["4d6 for 4 or more: 4 1 6 5, 3 successes", "3d6 for 5 or more: 5 2 6, 2 successes"]
        );
    }

    /// A stage that no die reaches is omitted. The result of the stage before it is then the total.
    #[test]
    fn stages_without_dice_are_omitted() {
        let stage = |need: i32| Stage::new(Die::numbered(6), Need::AtLeast(need.into()));
        let pool = |dice: i32| Mechanic::Pool(Pool::of(dice, vec![stage(4), stage(5), stage(6)]));
        assert_eq!(told(&pool(2), &["1", "3"]), ["2d6 for 4 or more: 1 3"]);
        assert_eq!(
            told(&pool(2), &["1", "4", "2"]),
            ["2d6 for 4 or more: 1 4, 1 success", "d6 for 5 or more: 2, 0 successes"]
        );
        assert_eq!(told(&pool(0), &[]), ["no dice: "]);
    }

    #[test]
    fn where_successes_go_is_told() {
        let six =
            |also: bool, to: Goal| Branch { on: Need::Faces(vec!["6".into()]), when: None, counts: 1.into(), to, also };
        let hit =
            Stage { branches: vec![six(false, Goal::Hits)], ..Stage::new(Die::numbered(6), Need::AtLeast(4.into())) };
        let damage = Hand { plus: 1.into(), ..Hand::sum(Die::numbered(3), 1) };
        let damage = Stage { name: "damage".into(), ..Stage::of(damage) };
        let models = Some(Models { wounds: 3.into(), left: 3.into(), spill: false, gone: true });
        let pool = Pool { models, ..Pool::of(4, vec![hit, damage]) };
        // The first die makes 3 + 1 wounds, of which three count; the second makes 1 + 1.
        assert_eq!(
            told(&Mechanic::Pool(pool), &["5", "6", "2", "4", "3", "1"]),
            ["4d6 for 4 or more: 5 6 2 4, 2 to damage, 1 hit", "2d3 +1 each: 3 1, 6 hits, 1 of them lost"]
        );
    }

    /// A pool of one stage has one result, which follows as the total and is therefore not repeated.
    #[test]
    fn a_single_stage_leaves_its_result_to_the_total() {
        let number = Stage { to: Goal::Hits, ..Stage::of(Hand::sum(Die::numbered(6), 1)) };
        assert_eq!(told(&Mechanic::Pool(Pool::of(2, vec![number.clone()])), &["3", "5"]), ["2d6: 3 5"]);
        let twice = Stage { counts: 2.into(), ..Stage::new(Die::numbered(6), Need::AtLeast(4.into())) };
        assert_eq!(told(&Mechanic::Pool(Pool::of(2, vec![twice])), &["3", "5"]), ["2d6 for 4 or more: 3 5"]);
        // Surplus damage is not part of the total.
        let models = Some(Models { wounds: 3.into(), left: 3.into(), spill: false, gone: true });
        let pool = Pool { models, ..Pool::of(1, vec![number]) };
        assert_eq!(told(&Mechanic::Pool(pool), &["5"]), ["d6: 5, 5 hits, 2 of them lost"]);
    }

    #[test]
    fn groups_of_dice_are_told_by_name() {
        let group = |name: &str, need: i32| Stage {
            name: name.into(),
            to: Goal::Hits,
            ..Stage::new(Die::numbered(6), Need::AtMost(need.into()))
        };
        let stages = vec![group("infantry", 1), group("guns", 2), group("tanks", 3)];
        let pool = |dice: [i32; 3]| Mechanic::Pool(Pool::of_groups(dice.map(Amount::fixed).to_vec(), stages.clone()));
        assert_eq!(
            told(&pool([2, 0, 1]), &["1", "4", "3"]),
            ["2d6 for 1 or less (infantry): 1 4, 1 hit", "d6 for 3 or less (tanks): 3, 1 hit"]
        );
        // The result of a single group is the total.
        assert_eq!(told(&pool([2, 0, 0]), &["1", "4"]), ["2d6 for 1 or less (infantry): 1 4"]);
        assert_eq!(told(&pool([0, 0, 0]), &[]), ["no dice: "]);
    }

    #[test]
    fn natural_faces_are_told() {
        let natural = || Natural { fails: vec!["1".into()], succeeds: vec!["6".into()] };
        let hand = Hand { natural: natural(), ..Hand::successes(Die::numbered(6), 1, Need::AtLeast(7.into())) };
        let pool = Pool::of(2, vec![Stage::of(hand)]);
        assert_eq!(
            told(&Mechanic::Pool(pool), &["6", "5"]),
            ["2d6 for 7 or more (6 always succeeds, 1 always fails): 6 5"]
        );
        let hand = Hand { natural: natural(), ..Hand::successes(Die::numbered(6), 2, Need::AtLeast(0.into())) };
        assert_eq!(
            told(&Mechanic::Sum(Sum::new(hand)), &["1", "2"]),
            ["2d6 for 0 or more (6 always succeeds, 1 always fails): 1 2, 1 success"]
        );
        let hand = Hand { natural: natural(), ..Hand::sum(Die::numbered(6), 1) };
        let under = Mechanic::Under(Under { hand, target: 3.into(), natural: false, doubles: false });
        assert_eq!(told(&under, &["6"]), ["d6: 6 = 6, a natural success"]);
        assert_eq!(told(&under, &["1"]), ["d6: 1 = 1, a natural failure"]);
        assert_eq!(told(&under, &["2"]), ["d6: 2 = 2"]);
    }

    #[test]
    fn symbols_are_told_by_name_and_ranked_dice_highest_first() {
        let die = Die::with_symbols("battle", &["light", "flag", "swords"]);
        let counts = vec![Count { name: "hits".into(), faces: vec!["light".into(), "swords".into()] }];
        let kinds = vec![Kind { die, count: 2.into() }];
        let symbols =
            Mechanic::Symbols(Symbols { kinds, reroll: None, explode: None, inert: None, counts, tallies: Vec::new() });
        assert_eq!(told(&symbols, &["flag", "light"]), ["2 battle dice: flag light"]);
        let line = |dice: i32| Line::new(Die::numbered(10), dice);
        let ranked = Ranked { own: line(3), foe: line(1), ties: Ties::OwnLoses };
        assert_eq!(told(&Mechanic::Ranked(ranked), &["2", "10", "9", "7"]), ["3d10: 10 9 2", "d10: 7"]);
    }
}
