//! Compares best play with doctrine, with games solved by hand, and with battles fought by its choices.

mod activation;
mod pig;

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::LazyLock;

use crate::common::{Men, duel, load, solved};
use grognard_dice::SeededDice;
use grognard_engine::{
    Approach, BySide, Deployment, FacingPlan, Offer, Outcome, Setup, Side, SidePlan, Steps, UnitPlan, Unwitnessed,
    deploy, fight,
};
use grognard_exact::Limits;
use grognard_exact::best::{
    Bracket, Graph, Moment, Narrowed, Plays, Solved, Sought, Values, explore, explore_beside, narrow,
};
use grognard_rules::library;
use grognard_rules::model::Rules;
use grognard_source::{Document, Sources, extend};

/// Numbers closer than this differ only by rounding.
const EQUAL: f64 = 1e-12;

/// The value of an outcome to the first side, in quarters: 4 for a win, 2 for a draw, with one more or less for each
/// side that breaks in a draw.
fn quarters(outcome: &Outcome) -> u32 {
    match outcome.winner {
        Some(Side::First) => 4,
        Some(_) => 0,
        None => 2 + u32::from(outcome.sides.second.routed_units) - u32::from(outcome.sides.first.routed_units),
    }
}

fn score(outcome: &Outcome) -> f64 {
    f64::from(quarters(outcome)) / 4.0
}

fn explored(rules: &Rules, setup: &Setup) -> Graph {
    walked(rules, setup, BySide::new(Plays::Best, Plays::Best), &Limits::default())
}

fn walked(rules: &Rules, setup: &Setup, plays: BySide<Plays>, limits: &Limits) -> Graph {
    explore(rules, setup, plays, limits, &mut |_| ControlFlow::Continue(()))
}

fn values(graph: &Graph, first: Plays, second: Plays) -> Values {
    graph.values(BySide::new(first, second), &score, (0.0, 1.0))
}

fn value(graph: &Graph, first: Plays, second: Plays) -> f64 {
    let Bracket { low, high } = values(graph, first, second).at_start();
    assert!(graph.is_whole() && low == high);
    low
}

/// The rules of a pack of the tests with these additional lines.
fn changed(name: &str, text: &str) -> Rules {
    let mut sources = Sources::new();
    let beside = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/packs"));
    let base = library::load(name, Some(beside), &mut sources).expect("a pack").document;
    let file = sources.add("pack.toml", text);
    let variant = Document::parse(file, &sources).expect("good TOML");
    let document = extend(base, variant).expect("a variant");
    grognard_rules::compile(&document, &sources).unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)))
}

/// Heavy cavalry charges a battalion that may form square.
fn charge(rules: &Rules, turns: u8) -> Setup {
    let horse = Men { doctrine: Some("charge-home"), at: Some((0, 1_400)), ..Men::of("heavy-cavalry", 4) };
    let foot = Men { doctrine: Some("stand-and-form"), at: Some((0, 0)), ..Men::of("line-battalion", 6) };
    duel(rules, horse, foot, turns)
}

/// A duel with every choice enumerated.
struct Duel {
    pack: &'static str,
    rules: Rules,
    setup: Setup,
    graph: Graph,
}

/// A duel of each system on the plane, enumerated once for all tests.
static DUELS: LazyLock<Vec<Duel>> = LazyLock::new(|| {
    let of = |pack: &'static str, setup: &dyn Fn(&Rules) -> Setup| {
        let rules = load(pack);
        let setup = setup(&rules);
        let graph = explored(&rules, &setup);
        Duel { pack, rules, setup, graph }
    };
    let pips = |rules: &Rules| {
        let horse = Men { doctrine: Some("charge-home"), at: Some((0, 400)), ..Men::of("cavalry", 0) };
        let foot = Men { doctrine: Some("stand-and-form"), at: Some((0, 0)), ..Men::of("infantry", 0) };
        let full = |men: Men| Men { figures: None, ..men };
        duel(rules, full(horse), full(foot), 2)
    };
    vec![of("napoleonic-figures", &|rules| charge(rules, 3)), of("napoleonic-pips", &pips)]
});

#[test]
fn doctrine_played_through_the_offers_is_doctrine() {
    for Duel { pack, rules, setup, graph } in DUELS.iter() {
        let exact = solved(rules, setup, 0.0).mean(quarters).value / 4.0;
        let by_offers = value(graph, Plays::Doctrine, Plays::Doctrine);
        assert!((exact - by_offers).abs() < EQUAL, "{pack}: {exact}, by offers {by_offers}");
    }
}

/// The decisions of battle `number` between doctrines, with the values of their options if doctrines follow.
fn decisions(duel: &Duel, graph: &Graph, number: u64) -> Vec<Moment> {
    let values = values(graph, Plays::Doctrine, Plays::Doctrine);
    let mut battle = Solved::new(&duel.rules, &duel.setup, graph, &values);
    let (mut dice, mut found) = (SeededDice::new(7), Vec::new());
    dice.battle(number);
    let outcome = battle.fight_watched(&mut dice, &mut Unwitnessed, |_, _, moments| found.extend_from_slice(moments));
    assert!(outcome.is_some(), "{}: the battle leaves the graph", duel.pack);
    found
}

/// For a single battle, fewer situations are enumerated, but its options have the same values as among all battles.
#[test]
fn options_of_one_battle_are_worth_the_same_if_only_doctrines_follow() {
    let mut met = 0;
    for duel in DUELS.iter() {
        for number in 0..20 {
            let (mut dice, mut steps) = (SeededDice::new(7), Steps::new(&duel.rules, &duel.setup));
            dice.battle(number);
            let (mut battle, mut states) = (duel.setup.start.clone(), vec![duel.setup.start.clone()]);
            while steps.step(&mut battle, &mut dice, &mut Unwitnessed).is_none() {
                states.push(battle.clone());
            }
            let experts = BySide::new(Plays::Best, Plays::Best);
            let goes_on = &mut |_: &_| ControlFlow::Continue(());
            let beside = explore_beside(&duel.rules, &duel.setup, &states, experts, &Limits::default(), goes_on);
            assert!(beside.is_whole() && beside.effort().states < duel.graph.effort().states / 2, "{}", duel.pack);
            let [own, among_all] = [&beside, &duel.graph].map(|graph| decisions(duel, graph, number));
            assert_eq!(own.len(), among_all.len(), "{}, battle {number}", duel.pack);
            for pair in own.iter().zip(&among_all) {
                match pair {
                    (Moment::Luck(own), Moment::Luck(other)) => assert!((own - other).abs() < EQUAL),
                    (Moment::Decision { values, taken, .. }, Moment::Decision { values: others, taken: other, .. }) => {
                        assert_eq!((taken, values.len()), (other, others.len()));
                        assert!(values.iter().zip(others).all(|(own, other)| (own - other).abs() < EQUAL));
                        met += usize::from(values.iter().any(|value| (value - values[0]).abs() > EQUAL));
                    }
                    (own, other) => panic!("{own:?}, among all choices {other:?}"),
                }
            }
        }
    }
    assert!(met > 20, "only {met} decisions between options of different worth");
}

#[test]
fn a_side_that_follows_doctrine_need_not_be_asked() {
    for Duel { pack, rules, setup, graph } in DUELS.iter() {
        for (first, second) in
            [(Plays::Doctrine, Plays::Doctrine), (Plays::Best, Plays::Doctrine), (Plays::Doctrine, Plays::Best)]
        {
            let alone = walked(rules, setup, BySide::new(first, second), &Limits::default());
            let (own, among_all) = (value(&alone, first, second), value(graph, first, second));
            assert!((own - among_all).abs() < EQUAL, "{pack}: {own}, among all choices {among_all}");
            assert!(alone.effort().paths < graph.effort().paths, "{pack}: as much to walk");
        }
    }
}

#[test]
fn rows_give_away_together_what_the_best_reply_gains() {
    for Duel { pack, graph, .. } in DUELS.iter() {
        let default = value(graph, Plays::Doctrine, Plays::Doctrine);
        for (side, first, second) in
            [(Side::First, Plays::Best, Plays::Doctrine), (Side::Second, Plays::Doctrine, Plays::Best)]
        {
            let reply = values(graph, first, second);
            let gained = (reply.at_start().low - default).abs();
            let lost: f64 = graph.rows(side, &reply).values().map(|row| row.lost).sum();
            assert!((lost - gained).abs() < EQUAL, "{pack}, {side:?}: rows {lost}, best reply {gained}");
        }
    }
}

#[test]
fn best_play_is_never_worse_than_doctrine() {
    for Duel { pack, graph, .. } in DUELS.iter() {
        let [default, first, second, both] = [
            (Plays::Doctrine, Plays::Doctrine),
            (Plays::Best, Plays::Doctrine),
            (Plays::Doctrine, Plays::Best),
            (Plays::Best, Plays::Best),
        ]
        .map(|(first, second)| value(graph, first, second));
        let ordered =
            first + EQUAL >= default && second <= default + EQUAL && second <= both + EQUAL && both <= first + EQUAL;
        assert!(ordered, "{pack}: {default}, {first}, {second}, {both}");
        assert!(first > second + 0.001, "{pack}: nobody gains anything: {default}, {first}, {second}, {both}");
    }
}

/// Solved by hand, from the end: in turn 3 there is nothing to wait for, and a charge succeeds on 2 or more, 5/6. With
/// both figures left in turn 2, the horse waits, because one hit does not destroy it: 5/6 against 4/6 for a charge now.
/// With one figure left, waiting is worth 2/3 · 5/6 = 5/9, so the horse charges: 4/6. In turn 1, a charge is worth 3/6
/// and waiting 1/3 · 4/6 + 2/3 · 5/6 = 7/9.
#[test]
fn charge_or_wait_is_played_as_by_hand() {
    let rules = load("charge-or-wait");
    let horse = Men { kind: "horse", doctrine: Some("at-once"), ..Men::default() };
    let foot = Men { kind: "foot", doctrine: Some("foot"), ..Men::default() };
    let setup = duel(&rules, horse, foot, 3);
    let graph = explored(&rules, &setup);
    assert!((value(&graph, Plays::Doctrine, Plays::Doctrine) - 0.5).abs() < EQUAL);
    assert!((value(&graph, Plays::Best, Plays::Best) - 7.0 / 9.0).abs() < EQUAL);
    let reply = values(&graph, Plays::Best, Plays::Doctrine);
    let rows: Vec<(f64, f64)> = graph.rows(Side::First, &reply).values().map(|row| (row.met, row.lost)).collect();
    // The row decides once, in turn 1; after that, the battle is over.
    assert_eq!(rows.len(), 1);
    assert!((rows[0].0 - 1.0).abs() < EQUAL && (rows[0].1 - (7.0 / 9.0 - 0.5)).abs() < EQUAL, "{rows:?}");
    // Between experts, charging is the better choice in turn 3, which is reached with both figures, and in turn 2 with
    // one figure.
    let charge =
        graph.offers(&reply).into_iter().find(|((_, offer), _)| *offer != Offer::Hold).map(|(_, played)| played);
    let charge = charge.expect("charging is offered");
    assert!(
        (charge.offered - (1.0 + 1.0 + 2.0 / 3.0)).abs() < EQUAL && (charge.best - 1.0).abs() < EQUAL,
        "{charge:?}"
    );
}

/// Solved by hand as above, with a coin toss for every choice: in turn 3, 1/2 · 5/6 = 5/12. In turn 2, with both
/// figures, 1/2 · 4/6 + 1/2 · 5/12 = 13/24; with one, 1/2 · 4/6 + 1/2 · 2/3 · 5/12 = 17/36. In turn 1, 1/2 · 3/6 + 1/2
/// · (1/3 · 17/36 + 2/3 · 13/24) = 55/108.
#[test]
fn a_random_player_takes_each_offer_as_often_as_the_others() {
    let rules = load("charge-or-wait");
    let horse = Men { kind: "horse", doctrine: Some("at-once"), player: Some("random"), ..Men::default() };
    let foot = Men { kind: "foot", doctrine: Some("foot"), ..Men::default() };
    let setup = duel(&rules, horse, foot, 3);
    let by_hand = 55.0 / 108.0;
    let exact = solved(&rules, &setup, 0.0).mean(quarters).value / 4.0;
    assert!((exact - by_hand).abs() < EQUAL, "{exact}, by hand {by_hand}");
    let (battles, mut sum, mut dice) = (20_000, 0.0, SeededDice::new(7));
    for battle in 0..battles {
        dice.battle(battle);
        sum += score(&fight(&rules, &setup, &mut dice, &mut Unwitnessed));
    }
    let (mean, error) = (sum / battles as f64, (by_hand * (1.0 - by_hand) / battles as f64).sqrt());
    assert!((mean - by_hand).abs() <= 4.5 * error, "{mean} ± {error}, by hand {by_hand}");
    // Best play is the same whatever it is compared with.
    let graph = explored(&rules, &setup);
    assert!((value(&graph, Plays::Best, Plays::Best) - 7.0 / 9.0).abs() < EQUAL);
}

#[test]
fn a_doctrine_has_the_players_that_the_pack_gives_it() {
    let rules = load("charge-or-wait");
    let foot = Men { kind: "foot", doctrine: Some("foot"), ..Men::default() };
    let of = |player| {
        let horse = Men { kind: "horse", doctrine: Some("at-once"), player, ..Men::default() };
        solved(&rules, &duel(&rules, horse, foot, 3), 0.0).mean(quarters).value / 4.0
    };
    assert!((of(None) - 0.5).abs() < EQUAL && (of(Some("default")) - 0.5).abs() < EQUAL);
    // The patient player plays perfectly: see above.
    assert!((of(Some("patient")) - 7.0 / 9.0).abs() < EQUAL);
}

#[test]
fn nim_is_played_by_its_theory() {
    let rules = load("nim");
    for counters in 1..=13 {
        let player = Men { kind: "player", doctrine: Some("one-by-one"), ..Men::default() };
        let pile = Men { kind: "pile", doctrine: Some("one-by-one"), figures: Some(counters), ..Men::default() };
        let setup = duel(&rules, player, pile, 13);
        let graph = explored(&rules, &setup);
        let wins = f64::from(u8::from(counters % 4 != 0));
        assert_eq!(value(&graph, Plays::Best, Plays::Best), wins, "{counters} counters");
        // If counters are taken one at a time, the player who begins takes the last of an odd number.
        assert_eq!(value(&graph, Plays::Doctrine, Plays::Doctrine), f64::from(counters % 2), "{counters} counters");
    }
}

/// The number of battles compared with a solution, unless `BATTLES` gives another; `just players` fights ten million.
fn battles(few: u64) -> u64 {
    std::env::var("BATTLES").map_or(few, |number| number.parse().expect("a number"))
}

#[test]
fn battles_fought_by_the_solution_come_to_its_value() {
    for Duel { pack, rules, setup, graph } in DUELS.iter() {
        let best = values(graph, Plays::Best, Plays::Best);
        let mut solved = Solved::new(rules, setup, graph, &best);
        let mut dice = SeededDice::new(7);
        let (battles, mut sum, mut squares) = (battles(4_000), 0.0, 0.0);
        for battle in 0..battles {
            dice.battle(battle);
            let score = score(&solved.fight(&mut dice).expect("a battle that was explored"));
            sum += score;
            squares += score * score;
        }
        let mean = sum / battles as f64;
        let error = ((squares / battles as f64 - mean * mean) / battles as f64).sqrt();
        let value = best.at_start().low;
        assert!((mean - value).abs() <= 4.5 * error + EQUAL, "{pack}: {mean} ± {error}, solved {value}");
    }
}

/// Battles on one side of the table are worth the same as on the other.
#[test]
fn mirrored_sides_are_worth_the_same() {
    let rules = load("napoleonic-figures");
    let [left, right] = [-600, 600].map(|x| {
        let horse = Men { doctrine: Some("charge-home"), at: Some((x, 1_300)), ..Men::of("heavy-cavalry", 4) };
        let foot = Men { doctrine: Some("stand-and-form"), at: Some((0, 0)), ..Men::of("line-battalion", 6) };
        let graph = explored(&rules, &duel(&rules, horse, foot, 3));
        [(Plays::Doctrine, Plays::Doctrine), (Plays::Best, Plays::Best)]
            .map(|(first, second)| value(&graph, first, second))
    });
    assert!(left.iter().zip(&right).all(|(one, other)| (one - other).abs() < EQUAL), "{left:?}, mirrored {right:?}");
}

/// In the game solved by hand, the horse's doctrine only charges at once. The horse plays perfectly if it may also use
/// the orders of other doctrines, or those that the pack declares.
#[test]
fn a_wider_repertoire_offers_what_no_row_of_the_doctrine_orders() {
    let of = |text: &str| {
        let rules = changed("charge-or-wait", text);
        let horse = Men { kind: "horse", doctrine: Some("idle"), ..Men::default() };
        let foot = Men { kind: "foot", doctrine: Some("foot"), ..Men::default() };
        let setup = duel(&rules, horse, foot, 3);
        let graph = explored(&rules, &setup);
        let by_doctrine = solved(&rules, &setup, 0.0).mean(quarters).value / 4.0;
        assert!((value(&graph, Plays::Doctrine, Plays::Doctrine) - by_doctrine).abs() < EQUAL);
        (by_doctrine, value(&graph, Plays::Best, Plays::Best))
    };
    const IDLE: &str = "[doctrine.idle]\ntitle = 'idle'\nrow = []\n";
    const CHARGE: &str = "[choice.charge]\nphase = 'choose'\nwho = \"self.arm == 'horse'\"\noptions = ['hold', { do = 'form', formation = 'charging' }]\n";
    let late = CHARGE.replace("self.arm == 'horse'", "self.arm == 'horse' && turn == 3");
    let (own, pack, declared) = (
        of(&format!("{IDLE}{CHARGE}")),
        of(&format!("repertoire = 'pack'\n{IDLE}")),
        of(&format!("repertoire = 'declared'\n{IDLE}{CHARGE}")),
    );
    // A side that never charges does not win.
    assert_eq!(own, (0.0, 0.0));
    for (width, (by_doctrine, best)) in [("pack", pack), ("declared", declared)] {
        assert!(by_doctrine == 0.0 && (best - 7.0 / 9.0).abs() < EQUAL, "{width}: {by_doctrine}, {best}");
    }
    // In turn 3, a charge by a surviving horse is worth 5/6; the horse survives unless it was hit twice, in 1/9 of the
    // battles.
    let (_, best) = of(&format!("repertoire = 'declared'\n{IDLE}{late}"));
    assert!((best - 8.0 / 9.0 * 5.0 / 6.0).abs() < EQUAL, "{best}");
}

/// All pairings of players.
const PAIRINGS: [BySide<Plays>; 4] = [
    BySide::new(Plays::Doctrine, Plays::Doctrine),
    BySide::new(Plays::Best, Plays::Doctrine),
    BySide::new(Plays::Doctrine, Plays::Best),
    BySide::new(Plays::Best, Plays::Best),
];

fn searched(rules: &Rules, setup: &Setup, plays: BySide<Plays>, width: f64, limits: &Limits) -> Narrowed {
    let sought = Sought { worth: &score, span: (0.0, 1.0), width };
    narrow((rules, setup), plays, sought, limits, &mut |_| ControlFlow::Continue(()))
}

#[test]
fn a_search_finds_the_value_in_a_part_of_all_battles() {
    for Duel { pack, rules, setup, graph } in DUELS.iter() {
        for plays in PAIRINGS {
            let exact = value(graph, plays.first, plays.second);
            let found = searched(rules, setup, plays, 0.0, &Limits::default());
            let Bracket { low, high } = found.value;
            assert!(
                low == high && (low - exact).abs() < EQUAL,
                "{pack}, {plays:?}: {low} to {high}, enumerated {exact}"
            );
        }
        let part = searched(rules, setup, PAIRINGS[3], 0.0, &Limits::default()).effort.paths;
        let all = graph.effort().paths;
        assert!(part < all, "{pack}: {part} of {all} paths");
    }
    // The game solved by hand: see above.
    let rules = load("charge-or-wait");
    let horse = Men { kind: "horse", doctrine: Some("at-once"), ..Men::default() };
    let foot = Men { kind: "foot", doctrine: Some("foot"), ..Men::default() };
    let found = searched(&rules, &duel(&rules, horse, foot, 3), PAIRINGS[3], 0.0, &Limits::default());
    assert!((found.value.low - 7.0 / 9.0).abs() < EQUAL && found.value.width() == 0.0, "{found:?}");
}

#[test]
fn a_search_that_ends_early_brackets_the_value() {
    for Duel { pack, rules, setup, graph } in DUELS.iter() {
        for plays in PAIRINGS {
            let exact = value(graph, plays.first, plays.second);
            let holds = |Bracket { low, high }: Bracket| low <= exact + EQUAL && exact <= high + EQUAL;
            let mut before = Bracket { low: 0.0, high: 1.0 };
            for paths in [0, 4_096, 16_384, 65_536] {
                let found = searched(rules, setup, plays, 0.0, &Limits { paths, ..Limits::default() }).value;
                assert!(holds(found), "{pack}, {plays:?}, {paths} paths: {exact} not in {found:?}");
                assert!(found.low >= before.low && found.high <= before.high, "{pack}: {found:?} after {before:?}");
                before = found;
            }
            let mut paths = u64::MAX;
            for width in [0.0, 0.01, 0.1] {
                let found = searched(rules, setup, plays, width, &Limits::default());
                assert!(holds(found.value) && found.value.width() <= width, "{pack}, {plays:?}, {width}: {found:?}");
                assert!(found.effort.paths <= paths, "{pack}, {plays:?}: more for a wider bracket");
                paths = found.effort.paths;
            }
        }
    }
}

/// The bracket of best play, from this many paths, if heavy cavalry faces the flank of light infantry in this
/// formation, as in `square-vs-line` between beginners. Enumerating such a battle takes more than a billion paths.
fn on_the_flank(formation: &str, paths: u64) -> Bracket {
    let rules = load("napoleonic-figures");
    let side = |kind: &str, doctrine: &str, formation: &str, north: i32| SidePlan {
        name: kind.into(),
        doctrine: Some(doctrine.into()),
        units: vec![UnitPlan {
            kind: kind.into(),
            formation: Some(formation.into()),
            at: Some((0, north)),
            facing: Some(FacingPlan::Enemy),
            ..UnitPlan::default()
        }],
        ..SidePlan::default()
    };
    let horse = side("heavy-cavalry", "charge-home", "line", 1_600);
    let sides = BySide::new(horse, side("large-light-battalion", "stand", formation, 0));
    let (approach, distance) = (Approach::Flank, Some(1_200));
    let plan = Deployment { sides, turns: 8, approach, distance, ..Deployment::default() };
    let setup = deploy(&rules, &plan).expect("a battle the rules allow");
    searched(&rules, &setup, PAIRINGS[3], 0.01, &Limits { paths, ..Limits::default() }).value
}

/// Cell 19 of `square-vs-line`.
#[test]
fn a_search_solves_what_cannot_be_enumerated() {
    let Bracket { low, high } = on_the_flank("square", 2_000_000);
    // Cavalry that leaves the square alone gets half a point.
    assert!(low == 0.5 && high <= 0.51, "{low} to {high}");
}

/// Cell 28, after a few seconds. A search that follows all orders of both sides equally stays much wider.
#[test]
fn a_search_follows_one_good_order_of_a_side_at_a_time() {
    let Bracket { low, high } = on_the_flank("skirmish", 3_000_000);
    assert!(low > 0.97 && high < 0.999, "{low} to {high}");
}

#[test]
fn what_is_cut_off_is_bracketed_and_never_guessed() {
    for Duel { pack, rules, setup, graph: whole } in DUELS.iter() {
        for paths in [0, 20_000] {
            let limits = Limits { paths, ..Limits::default() };
            let graph = walked(rules, setup, BySide::new(Plays::Best, Plays::Best), &limits);
            for (first, second) in [(Plays::Doctrine, Plays::Doctrine), (Plays::Best, Plays::Best)] {
                let exact = value(whole, first, second);
                let Bracket { low, high } = values(&graph, first, second).at_start();
                assert!(low <= exact + EQUAL && exact <= high + EQUAL, "{pack}: {exact} not in {low} to {high}");
                assert!(graph.is_whole() || low < high, "{pack}: as narrow as if it were whole");
            }
        }
    }
}

#[test]
fn start_luck_and_decisions_sum_to_the_outcome() {
    for Duel { pack, rules, setup, graph } in DUELS.iter() {
        let best = values(graph, Plays::Best, Plays::Best);
        let doctrines = BySide::new(Plays::Doctrine, Plays::Doctrine);
        let mut judged = Solved::new(rules, setup, graph, &best).played_by(doctrines);
        let (mut dice, mut given_away) = (SeededDice::new(7), 0.0);
        for battle in 0..200 {
            dice.battle(battle);
            let plain = fight(rules, setup, &mut dice, &mut Unwitnessed);
            dice.battle(battle);
            let (mut sum, mut value) = (best.at_start().low, best.at_start().low);
            let outcome = judged.fight_watched(&mut dice, &mut Unwitnessed, |_, _, moments| {
                for moment in moments {
                    match moment {
                        Moment::Luck(after) => {
                            sum += after - value;
                            value = *after;
                        }
                        Moment::Decision { point, values, taken } => {
                            let side = graph.points()[*point as usize].side;
                            let best = match side {
                                Side::First => values.iter().copied().fold(f64::MIN, f64::max),
                                _ => values.iter().copied().fold(f64::MAX, f64::min),
                            };
                            sum += values[*taken] - best;
                            given_away += (values[*taken] - best).abs();
                            assert_eq!(value, best, "{pack}, battle {battle}: only dice change the value of best play");
                            value = values[*taken];
                        }
                    }
                }
            });
            assert_eq!(outcome, Some(plain), "{pack}, battle {battle}: another battle than doctrine fights");
            assert!((sum - score(&plain)).abs() < 1e-9, "{pack}, battle {battle}: {sum}, {plain:?}");
        }
        assert!(given_away > 0.0, "{pack}: doctrine gives nothing away");
    }
}
