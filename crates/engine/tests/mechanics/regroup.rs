//! Units that split and merge.

use std::collections::BTreeMap;

use grognard_dice::SeededDice;
use grognard_engine::{Deployment, Narrator, Side, Unit, deploy, fight};
use grognard_rules::model::Rules;

use super::one_roll::{SAMPLED, binomial, exact, hold_in, sampled, to_the_enemy};
use super::ties::{Comes, End, ON_A_TABLE, ON_HEXES, Post, Trial, alike, ends, horn, turned};
use crate::common::{Game, Men, Words, agree, assert_one_fault, deployment, unit};

/// A fort, and squads of up to eight figures that roll one die each.
const SQUADS: &str = r#"
pack = "squads"
title = "Squads"
version = "1"
BOARD
arms = ["foot"]

[morale]
state = [{ id = "good" }, { id = "shaken", shaken = true }, { id = "broken", broken = true }]

[counter.rounds]
max = 6
start = 5
shared = true
cite = ["1"]

[counter.fatigue]
max = 3
cite = ["1"]

[unit.squad]
title = "Squad"
arm = "foot"
figures = 8
PLACE

[unit.fort]
title = "Fort"
arm = "foot"
figures = 20
PLACE

[roll.fire]
title = "fire"
mechanic = "pool"
own = { dice = "d6", need = 4 }
result = [{ id = "hits", foe = { lose = "hits" } }]

[[phase]]
id = "regroup"
title = "Regroup"
mechanism = "regroup"
split = SPLIT
merge = MERGE

[[phase]]
id = "fire"
title = "Fire"
mechanism = "MECHANISM"
half = "first"

[doctrine.split]
title = "splits"
row = [{ id = "split", phase = "regroup", do = "split" }]

[doctrine.merge]
title = "merges"
row = [{ id = "merge", phase = "regroup", do = "merge" }]

[doctrine.plain]
title = "stays as it is"
row = []

[victory]
broken = 100

[[clause]]
id = "1"
text = "A squad splits."

[[clause]]
id = "2"
text = "Two squads merge."
"#;

/// The mechanism and the roll of fire, for use within a phase.
const FIRE: &str = "exchange\"\nroll = \"fire";

const HALF: &str = "{ figures = 'self.figures / 2', cite = ['1'] }";
const ANY: &str = "{ cite = ['2'] }";

fn text(board: &str, place: &str, mechanism: &str, split: &str, merge: &str) -> String {
    SQUADS
        .replace("BOARD", board)
        .replace("PLACE", place)
        .replace("MECHANISM", mechanism)
        .replace("SPLIT", split)
        .replace("MERGE", merge)
}

fn compiled(text: &str) -> &'static Rules {
    crate::common::compiled("squads.toml", text).unwrap_or_else(|(_, faults)| panic!("{faults}"))
}

fn on_no_board(split: &str, merge: &str) -> &'static Rules {
    compiled(&text("board = 'none'", "", FIRE, split, merge))
}

/// Squads stand four abreast and two deep: four inches by two.
fn on_a_table(split: &str, merge: &str) -> &'static Rules {
    let board =
        "board = 'plane'\ntable = { width = 72, depth = 48 }\narc = { angle = 45 }\nmovement = { narrow = 1, gap = 1 }";
    let line = "\n[formation.line]\ntitle = 'line'\narms = ['foot']\nlayout = { ranks = 2 }\nfacing = 'front'\n";
    let place = "width = 1\ndepth = 1\nformation = 'line'\nspeed = { line = 6 }";
    compiled(&(text(board, place, "move", split, merge) + line))
}

fn on_hexes(split: &str, merge: &str) -> &'static Rules {
    let board = "board = 'hex'\nhex = { columns = 9, rows = 9 }";
    compiled(&text(board, "", "move", split, merge))
}

fn game(rules: &'static Rules, doctrine: &str, own: &[Men]) -> Game {
    Game::under(rules, (doctrine, own), ("plain", &[unit("fort")]))
}

/// The figures of a side's units on the table, and the figures they started with.
fn figures(game: &Game) -> Vec<(u16, u16)> {
    let units = &game.battle.units[..usize::from(game.battle.places.of(Side::First).end)];
    units.iter().filter(|unit| !unit.gone()).map(|unit| (unit.figures, unit.start)).collect()
}

fn counts(unit: &Unit) -> (i32, i32) {
    // Counters are in the order of their names: `fatigue` before `rounds`.
    (unit.counters.get(0), unit.counters.get(1))
}

/// Half of the eight figures split off. Losses stay with the unit that suffered them.
#[test]
fn a_part_has_the_figures_that_the_pack_gives_it() {
    for (before, after) in [(8, vec![(4, 4), (4, 4)]), (7, vec![(4, 4), (3, 3)]), (1, vec![(1, 1)])] {
        let mut game = game(on_no_board(HALF, ANY), "split", &[unit("squad").figures(before), unit("squad").part()]);
        assert_eq!(figures(&game), [(before, before)], "until then it is no unit");
        game.phase("regroup", &[]);
        assert_eq!(figures(&game), after);
        game.saw("1");
    }
    let mut hurt = game(on_no_board(HALF, ANY), "split", &[unit("squad"), unit("squad").part()]);
    hurt.unit_mut(Side::First, 0).figures = 6;
    hurt.phase("regroup", &[]);
    assert_eq!(figures(&hurt), [(3, 5), (3, 3)]);
    assert_eq!(hurt.specials(), ["Squad (first 1) splits: 3 figures go to Squad (first 2)."]);
}

#[test]
fn a_unit_splits_only_where_both_have_figures_and_the_study_has_a_place() {
    let alone = || [unit("squad"), unit("squad").part()];
    for (figures_of_part, splits) in [("0", false), ("1", true), ("7", true), ("8", false)] {
        let split = format!("{{ figures = 'self.shaken ? 1 : {figures_of_part}', cite = ['1'] }}");
        let mut game = game(on_no_board(&split, ANY), "split", &alone());
        game.phase("regroup", &[]);
        assert_eq!(figures(&game).len(), 1 + usize::from(splits), "{figures_of_part}");
    }
    // A place for another type, or on the enemy's side, is of no use.
    let mut other = game(on_no_board(HALF, ANY), "split", &[unit("squad"), unit("fort").part()]);
    other.phase("regroup", &[]);
    assert_eq!(figures(&other), [(8, 8)]);
    assert_eq!(other.specials(), ["Squad (first 1) cannot split."]);
    // Each unit splits once in a phase; the part has to wait for the next phase.
    let three = [unit("squad"), unit("squad").part(), unit("squad").part(), unit("squad").part()];
    let mut again = game(on_no_board(HALF, ANY), "split", &three);
    again.phase("regroup", &[]);
    assert_eq!(figures(&again), [(4, 4), (4, 4)]);
    again.phase("regroup", &[]);
    assert_eq!(figures(&again), [(2, 2), (2, 2), (2, 2), (2, 2)]);
}

#[test]
fn the_pack_says_which_units_split_and_merge() {
    let split = |when: &str| format!("{{ figures = 3, when = '{when}', cite = ['1'] }}");
    for (when, splits) in [("self.figures >= 8", true), ("self.figures > 8", false), ("self.shaken", false)] {
        let mut game = game(on_no_board(&split(when), ANY), "split", &[unit("squad"), unit("squad").part()]);
        game.phase("regroup", &[]);
        assert_eq!(figures(&game).len(), 1 + usize::from(splits), "{when}");
    }
    let two = [unit("squad").figures(3), unit("squad").figures(5)];
    for (when, merges) in [("self.figures < foe.figures", true), ("foe.shaken", false)] {
        let merge = format!("{{ when = '{when}', cite = ['2'] }}");
        let mut game = game(on_no_board(HALF, &merge), "merge", &two);
        game.phase("regroup", &[]);
        assert_eq!(figures(&game).len(), 2 - usize::from(merges), "{when}");
    }
}

/// Two units merge if the result has no more figures than their type allows. Starting figures beyond full strength are
/// recorded in the free place, so that no loss is forgotten.
#[test]
fn two_units_of_a_type_become_one() {
    let mut two = game(on_no_board(HALF, ANY), "merge", &[unit("squad").figures(3), unit("squad").figures(5)]);
    two.phase("regroup", &[]);
    assert_eq!(figures(&two), [(8, 8)]);
    assert_eq!(two.specials(), ["Squad (first 1) joins Squad (first 2), which has 8 figures now."]);
    two.saw("2");
    let mut many = game(on_no_board(HALF, ANY), "merge", &[unit("squad").figures(4), unit("squad").figures(5)]);
    many.phase("regroup", &[]);
    assert_eq!(figures(&many), [(4, 4), (5, 5)]);
    let mut types = game(on_no_board(HALF, ANY), "merge", &[unit("squad").figures(4), unit("fort").figures(4)]);
    types.phase("regroup", &[]);
    assert_eq!(figures(&types).len(), 2);
    // Three squads that have each lost four of eight: the first two become one, and the third finds no friend with
    // room.
    let mut hurt = game(on_no_board(HALF, ANY), "merge", &[unit("squad"), unit("squad"), unit("squad")]);
    (0..3).for_each(|number| hurt.unit_mut(Side::First, number).figures = 4);
    hurt.phase("regroup", &[]);
    assert_eq!(figures(&hurt), [(8, 8), (4, 8)]);
    let lost: u16 = hurt.battle.units[..3].iter().map(|unit| unit.start - unit.figures).sum();
    assert_eq!(lost, 12);
}

/// Two units that merge take the worse morale of the two. Broken units do not merge.
#[test]
fn the_worse_of_two_counts() {
    let two = [unit("squad").figures(3).morale("shaken"), unit("squad").figures(5)];
    let mut game = game(on_no_board(HALF, ANY), "merge", &two);
    game.phase("regroup", &[]);
    let one = *game.battle.units.iter().find(|unit| !unit.gone()).expect("one is left");
    assert_eq!((one.figures, game.rules.morale[one.morale].id.as_str()), (8, "shaken"));
    let broken = [unit("squad").figures(3).morale("broken"), unit("squad").figures(5)];
    let mut game = self::game(on_no_board(HALF, ANY), "merge", &broken);
    game.phase("regroup", &[]);
    assert_eq!(figures(&game).len(), 2, "broken units neither join nor are joined");
}

/// Eight figures share five rounds. The three that split off have one (15/8, rounded down), and the remaining five have
/// four. Both units are as tired as before.
#[test]
fn shared_counters_are_divided_and_added_up() {
    let split = "{ figures = 3, cite = ['1'] }";
    let mut parted = game(on_no_board(split, ANY), "split", &[unit("squad"), unit("squad").part()]);
    parted.unit_mut(Side::First, 0).counters.set(0, 2);
    parted.phase("regroup", &[]);
    assert_eq!([counts(&parted.nth(0)), counts(&parted.nth(1))], [(2, 4), (2, 1)]);
    for (rounds, sum) in [((1, 4), 5), ((3, 3), 6), ((5, 5), 6)] {
        let mut merged = game(on_no_board(HALF, ANY), "merge", &[unit("squad").figures(3), unit("squad").figures(5)]);
        merged.unit_mut(Side::First, 0).counters.set(1, rounds.0);
        merged.unit_mut(Side::First, 1).counters.set(1, rounds.1);
        merged.unit_mut(Side::First, 0).counters.set(0, 3);
        merged.phase("regroup", &[]);
        assert_eq!(counts(&merged.nth(1)), (3, sum), "{rounds:?}");
    }
}

/// A unit that joins another frees its place for the next unit that splits.
#[test]
fn a_unit_that_has_joined_leaves_a_place() {
    let rules = on_no_board(HALF, ANY);
    let mut game = game(rules, "merge", &[unit("squad").figures(3), unit("squad").figures(5)]);
    game.phase("regroup", &[]);
    let split = rules.doctrine("split").expect("it is there");
    (0..2).for_each(|number| game.unit_mut(Side::First, number).doctrine = split);
    game.phase("regroup", &[]);
    assert_eq!(figures(&game), [(4, 4), (4, 4)]);
}

/// A unit that was called, came and joined another is now a free place, and no call brings it again.
#[test]
fn a_place_does_not_hear_calls() {
    let horn = horn("beside", "squad");
    let rules = compiled(&(text("board = 'none'", "", FIRE, HALF, ANY) + &horn));
    let mut game = game(rules, "merge", &[unit("squad").figures(5), unit("squad").figures(3).called()]);
    game.phase("horn", &[5]);
    assert_eq!(figures(&game), [(5, 5), (3, 3)]);
    game.phase("regroup", &[]);
    assert_eq!(figures(&game), [(8, 8)]);
    game.phase("horn", &[5]);
    assert_eq!(figures(&game), [(8, 8)]);
    assert!(game.specials().last().is_some_and(|line| line.ends_with("calls, but no Squad is left to come.")));
}

fn halves(at: (f64, f64), more: &[Men]) -> Vec<Option<(i32, i32, u16)>> {
    let own = [&[unit("squad").at(at.0, at.1).facing(0.0), unit("squad").part()], more].concat();
    let foe = [unit("fort").at(0.0, 20.0).facing(180.0)];
    let mut game = Game::under(on_a_table(HALF, ANY), ("split", &own), ("plain", &foe));
    game.phase("regroup", &[]);
    let place = |unit: Unit| (!unit.gone()).then(|| (unit.front.x, unit.front.y, unit.heading.tenths()));
    vec![place(game.nth(0)), place(game.nth(1))]
}

/// Each half is two inches square. The part appears on the right of its unit, or else on its left, or else behind it;
/// otherwise there is no split.
#[test]
fn on_a_table_the_part_stands_beside_its_unit() {
    let friend = |east: f64, north: f64| unit("fort").figures(4).at(east, north).facing(0.0);
    let (right, left, behind) = (friend(3.0, -10.0), friend(-3.0, -10.0), friend(0.0, -12.0));
    let at = (0.0, -10.0);
    let here = Some((0, -1000, 0));
    assert_eq!(halves(at, &[]), [here, Some((200, -1000, 0))]);
    // The friends are next to the whole unit, so there is an inch between them and its half.
    assert_eq!(halves(at, std::slice::from_ref(&right)), [here, Some((-200, -1000, 0))]);
    assert_eq!(halves(at, &[right.clone(), left.clone()]), [here, Some((0, -1200, 0))]);
    assert_eq!(halves(at, &[right, left, behind]), [here, None]);
}

/// Two squads in one line, each two inches square, with a gap between them.
#[test]
fn on_a_table_units_merge_that_are_near_enough_and_have_room() {
    let merges = |rules: &'static Rules, gap: f64, more: &[Men]| {
        let own = [unit("squad").figures(4).at(0.0, -10.0), unit("squad").figures(4).at(2.0 + gap, -10.0)];
        let own = [&own.map(|men| men.facing(0.0)), more].concat();
        let foe = [unit("fort").at(0.0, 20.0).facing(180.0)];
        let mut game = Game::under(rules, ("merge", &own), ("plain", &foe));
        game.phase("regroup", &[]);
        figures(&game).contains(&(8, 8))
    };
    let touch = on_a_table(HALF, ANY);
    assert!(merges(touch, 0.0, &[]) && !merges(touch, 0.01, &[]));
    let near = on_a_table(HALF, "{ within = 1.5, cite = ['2'] }");
    assert!(merges(near, 1.5, &[]) && !merges(near, 1.51, &[]));
    // The merged unit is four inches wide, centred on the unit that is joined.
    let wall = |east: f64| [unit("fort").figures(4).at(east, -10.0).facing(0.0)];
    assert!(merges(touch, 0.0, &wall(5.0)));
    assert!(!merges(touch, 0.0, &[&wall(4.0)[..], &wall(-2.0)[..]].concat()));
}

/// The part goes to a free hex next to its unit, and units merge with those in adjacent hexes.
#[test]
fn on_hexes_units_split_and_merge_next_to_each_other() {
    let at = |kind: &str, q: i32, r: i32| unit(kind).at(q.into(), r.into());
    let around = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)];
    for friends in 0..=6 {
        let mut own = vec![at("squad", 0, 0), unit("squad").part()];
        own.extend(around.iter().take(friends).map(|&(q, r)| at("fort", q, r)));
        let mut game = Game::under(on_hexes(HALF, ANY), ("split", &own), ("plain", &[at("fort", 4, 0)]));
        game.phase("regroup", &[]);
        let part = game.nth(1);
        assert_eq!(part.gone(), friends == 6, "{friends}");
        if let Some(&free) = around[friends..].first() {
            assert_eq!((part.front.x, part.front.y), free, "{friends}");
        }
    }
    for (q, merges) in [(1, true), (2, false)] {
        let own = [at("squad", 0, 0).figures(4), at("squad", q, 0).figures(4)];
        let mut game = Game::under(on_hexes(HALF, ANY), ("merge", &own), ("plain", &[at("fort", 4, 0)]));
        game.phase("regroup", &[]);
        assert_eq!(figures(&game).len(), if merges { 1 } else { 2 }, "{q}");
    }
}

/// A squad that splits rolls two dice instead of one, and its parts roll four in the second turn if there are places
/// for them.
#[test]
fn odds_of_a_unit_that_splits_are_those_of_its_parts() {
    let own = [unit("squad"), unit("squad").part(), unit("squad").part(), unit("squad").part()];
    let mut plan = deployment(("split", &own), ("plain", &[unit("fort")]));
    for (turns, dice) in [(1, 2), (2, 2 + 4), (3, 2 + 4 + 4)] {
        plan.turns = turns;
        let setup = deploy(on_no_board(HALF, ANY), &plan).expect("a setup");
        let expected = to_the_enemy(binomial(dice, 1, 1));
        hold_in("splits", on_no_board(HALF, ANY), &setup, &expected);
    }
}

/// A player who chooses at random splits his squad half of the time.
#[test]
fn whether_to_split_is_the_players_choice() {
    let rules = on_no_board(HALF, ANY);
    let mut plan = deployment(("split", &[unit("squad"), unit("squad").part()]), ("plain", &[unit("fort")]));
    plan.turns = 1;
    plan.sides.first.player = Some("random".into());
    let setup = deploy(rules, &plan).expect("a setup");
    let lost = |outcome: &grognard_engine::Outcome| outcome.sides.second.losses;
    // One or two dice are rolled. The probability of no loss is 1/4 + 1/8, of one 1/4 + 1/4, and of two 1/8.
    let expected = BTreeMap::from([(0, 0.375), (1, 0.5), (2, 0.125)]);
    let found = exact(rules, &setup, lost);
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    let counts = sampled(rules, &setup, SAMPLED, lost);
    for (losses, chance) in &expected {
        assert!((found[losses] - chance).abs() < 1e-12, "{losses}: {}", found[losses]);
        agree(&format!("{losses} lost"), counts[losses], SAMPLED, *chance);
    }
}

/// A place is not a unit: it is neither lost nor broken, and no side waits for it.
#[test]
fn a_place_counts_for_nothing() {
    let rules = on_no_board(HALF, ANY);
    let mut plan = deployment(("plain", &[unit("squad"), unit("squad").part()]), ("plain", &[unit("fort")]));
    plan.turns = 1;
    let setup = deploy(rules, &plan).expect("a setup");
    let found = exact(rules, &setup, |outcome| {
        let first = &outcome.sides.first;
        (first.units, first.routed_units, first.start, first.losses)
    });
    assert_eq!(found.keys().collect::<Vec<_>>(), [&(1, 0, 8, 0)]);
    // A side that has lost half of its units is beaten.
    let half = compiled(&text("board = 'none'", "", FIRE, HALF, ANY).replace("broken = 100", "broken = 50"));
    for (morale, winner) in [("good", None), ("broken", Some(Some(Side::Second)))] {
        let mut game = game(half, "plain", &[unit("squad").morale(morale), unit("squad").part()]);
        game.phase("regroup", &[]);
        assert_eq!(game.outcome.map(|outcome| outcome.winner), winner, "{morale}");
    }
}

/// An army counts its units, not its places: one unit before the squad splits, and two from then on.
#[test]
fn a_place_is_no_unit_of_an_army() {
    let split = "{ figures = 4, when = 'army.start == 1', cite = ['1'] }";
    let rules = compiled(&(text("board = 'none'", "", FIRE, split, ANY) + "\n[army]\ncite = ['1']\n"));
    let mut game = game(rules, "split", &[unit("squad"), unit("squad").part(), unit("squad").part()]);
    for after in [vec![(4, 4), (4, 4)], vec![(4, 4), (4, 4)]] {
        game.phase("regroup", &[]);
        assert_eq!(figures(&game), after);
    }
}

/// With several squads, several places and several friends to join, positions decide, not the order in the study.
#[test]
fn splits_and_merges_are_alike_in_any_order_and_from_either_side() {
    let both = "{ figures = 3, cite = ['1'] }";
    for (rules, stance, step) in [
        (on_a_table(both, "{ within = 2, cite = ['2'] }"), ON_A_TABLE, 4),
        (on_hexes(both, "{ cite = ['2'] }"), ON_HEXES, 1),
    ] {
        for doctrine in ["split", "merge"] {
            let mut trial = Trial { rules, doctrines: (doctrine, "plain"), stance, words: Words::new(11) };
            let mut changed = 0;
            for _ in 0..20 {
                let mut free: Vec<(i32, i32)> =
                    (-1..=1).flat_map(|x| (0..=2).map(move |y| (step * x, step * y))).collect();
                let mut own = Vec::new();
                for _ in 0..4 {
                    let at = free.swap_remove(trial.words.between(0, free.len() as i32 - 1) as usize);
                    let figures = *trial.words.one_of(&[4, 4, 5]);
                    own.push(Post("squad", if doctrine == "split" { 8 } else { figures }, at, Comes::AtFirst));
                }
                own.extend((doctrine == "split").then_some(Post("squad", 0, (0, 0), Comes::AsAPart)));
                own.extend((doctrine == "split").then_some(Post("squad", 0, (0, 0), Comes::AsAPart)));
                let foe = [Post("fort", 4, (0, -3 * step), Comes::AtFirst)];
                trial.hold(&own, &foe);
                let after = ends(rules, &trial.plan(&own, &foe, false));
                let units = |end: &[End]| end.iter().filter(|unit| unit.3.is_some()).count();
                changed += usize::from(after.keys().all(|end| units(end) != 5));
            }
            assert!(changed > 10, "{doctrine}: {changed}");
        }
    }
}

/// Equal armies that split or merge and then fire simultaneously have equal chances.
#[test]
fn equal_armies_regroup_alike() {
    let text = text("board = 'none'", "", FIRE, HALF, ANY)
        .replace("half = \"first\"", "by = \"both\"\nhalf = \"first\"\nsimultaneous = true")
        .replace("merge = {", "by = \"both\"\nhalf = \"first\"\nmerge = {");
    let rules = compiled(&text);
    let army = [unit("squad").figures(2), unit("squad").figures(3), unit("squad").part()];
    for doctrine in ["split", "merge"] {
        let plan = deployment((doctrine, &army), (doctrine, &army));
        let found = ends(rules, &Deployment { turns: 2, ..plan });
        assert!(found.len() > 4, "{found:?}");
        alike(doctrine, &found, &turned(&found));
    }
}

#[test]
fn splits_and_merges_are_told() {
    let rules = on_no_board(HALF, ANY);
    let mut plan = deployment(("split", &[unit("squad"), unit("squad").part()]), ("plain", &[unit("fort")]));
    plan.turns = 2;
    let setup = deploy(rules, &plan).expect("a setup");
    let mut narrator = Narrator::new();
    fight(rules, &setup, &mut SeededDice::new(1815), &mut narrator);
    let text = narrator.lines().join("\n");
    assert!(text.contains("Squad (first 2): a place for a unit that another splits off\n"), "{text}");
    assert!(text.contains("Squad (first 1) splits: 4 figures go to Squad (first 2) [1].\n"), "{text}");
    assert!(text.contains("Squad (first 1) cannot split [1]."), "{text}");
}

#[test]
fn every_bad_value_is_one_fault_with_its_place() {
    let told = |split: &str, merge: &str, said: &[&str], place: &str| {
        assert_one_fault("squads.toml", &text("board = 'none'", "", FIRE, split, merge), said, place);
    };
    told("{ figures = 0, cite = ['1'] }", ANY, &["no unit ever splits", "give at least 1"], "split = ");
    told("{ figures = 'self.figs', cite = ['1'] }", ANY, &["self.figs"], "split = ");
    told("{ figures = 1, when = 'self.figures', cite = ['1'] }", ANY, &["self.figures"], "split = ");
    told("{ figures = 1, cite = ['9'] }", ANY, &["`9`"], "split = ");
    told("{ cite = ['1'] }", ANY, &["figures"], "split = ");
    told(HALF, "{ within = 1, cite = ['2'] }", &["distances between units in inches", "omit `within`"], "merge = ");
    told(HALF, "{ when = 'foe.x', cite = ['2'] }", &["foe.x"], "merge = ");
    let plain = text("board = 'none'", "", FIRE, HALF, ANY);
    let fails = |text: &str, said: &[&str], place: &str| assert_one_fault("squads.toml", text, said, place);
    let neither = plain.replace(&format!("split = {HALF}\nmerge = {ANY}\n"), "");
    let neither = neither.replace("do = \"split\"", "do = \"hold\"").replace("do = \"merge\"", "do = \"hold\"");
    fails(&neither, &["units neither split nor merge", "add a table `split`"], "[[phase]]");
    let no_merge = plain.replace(&format!("merge = {ANY}\n"), "");
    fails(&no_merge, &["does not say how units merge", "add a table `merge`"], "id = \"merge\"");
    let elsewhere = plain.replace("phase = \"regroup\", do = \"merge\"", "phase = \"fire\", do = \"merge\"");
    fails(&elsewhere, &["phase `fire` cannot do this", "split and merge to regroup phases"], "id = \"merge\"");
    let in_fire = plain.replace("half = \"first\"", &format!("half = \"first\"\nmerge = {}", "{ cite = ['1'] }"));
    fails(&in_fire, &["only a `regroup` phase has `merge`"], "merge = { cite = ['1'] }");
    let refused = |rules: &'static Rules, own: &[Men], path: &str, message: &str| {
        let plan = deployment(("plain", own), ("plain", &[unit("fort")]));
        let faults = deploy(rules, &plan).expect_err(message);
        assert_eq!(faults.iter().map(|fault| fault.path.as_str()).collect::<Vec<_>>(), [path]);
        assert!(faults[0].message.contains(message), "{faults:#?}");
    };
    let rules = on_no_board(HALF, ANY);
    let given = "the figures that the pack gives it";
    refused(rules, &[unit("squad"), unit("squad").figures(3).part()], "first.1.figures", given);
    refused(rules, &[unit("squad").part()], "first.0.arrives", "all units of `first` wait for others");
    let only_merges = compiled(
        &no_merge
            .replace("split = {", "merge = {")
            .replace("figures = 'self.figures / 2', ", "")
            .replace("do = \"split\"", "do = \"merge\""),
    );
    refused(only_merges, &[unit("squad"), unit("squad").part()], "first.1.arrives", "no unit of the pack splits");
}
