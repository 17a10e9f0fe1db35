//! Simultaneous phases: rolls that do not depend on each other, and the rules for which units take a side's hits.

use std::collections::BTreeSet;

use grognard_dice::{Address, Decision, Dice, ScriptedDice, SeededDice, Shown};
use grognard_engine::{Asked, Offer, Outcome, Player, Scene, Side, Unwitnessed, deploy, fight, fight_as};
use grognard_rules::compile;
use grognard_rules::model::{ByteId, Rules};
use grognard_source::{Document, Sources};

use super::one_roll::{SAMPLED, exact, sampled};
use crate::common::{Game, Men, agree, assert_one_fault, deployment, unit};

/// Ships that roll a die each turn, which hits on a 4 or more.
pub(super) const SHIPS: &str = r#"
pack = "ships"
title = "Ships"
version = "1"
board = "none"
arms = ["ships"]

[morale]
state = [{ id = "good" }, { id = "shaken", shaken = true }]

[attribute.rank]
title = "rank"
min = 0
max = 9
default = 0

[unit]
boat = { title = "Boat", arm = "ships", figures = 1, is = { rank = 2 } }
liner = { title = "Liner", arm = "ships", figures = 3, is = { rank = 1 } }

[roll.fire]
title = "fire"
mechanic = "pool"
own = { dice = "d6", need = 4 }

[[roll.fire.result]]
id = "hits"
when = "hits > 0"
foe = { lose = "hits" }

[[roll.fire.result]]
id = "misses"

[[phase]]
id = "fire"
title = "Fire"
mechanism = "exchange"
roll = "fire"
by = "both"
half = "first"
PHASE

[doctrine.plain]
title = "as the rules say"
row = []

DOCTRINES

[victory]
broken = 100

[[clause]]
id = "1"
text = "Hits are shared out."
"#;

/// The rules of a pack with this text.
fn compiled(text: String) -> &'static Rules {
    let mut sources = Sources::new();
    let file = sources.add("ships.toml", text);
    let rules = Document::parse(file, &sources).and_then(|document| compile(&document, &sources));
    Box::leak(Box::new(rules.unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)))))
}

/// The pack with this phase and these doctrines.
fn rules(phase: &str, doctrines: &str) -> &'static Rules {
    compiled(SHIPS.replace("PHASE", phase).replace("DOCTRINES", doctrines))
}

/// A simultaneous phase with these casualties.
fn volleys(casualties: &str) -> String {
    format!("simultaneous = true\ncasualties = {casualties}")
}

fn ships(kinds: &[&str]) -> Vec<Men> {
    kinds.iter().map(|kind| unit(kind)).collect()
}

/// The figures that every ship has left, the first side's before the second's, after a volley with these faces.
fn left(rules: &'static Rules, (first, second): (&[&str], &[&str]), faces: &[i32]) -> Vec<u16> {
    let mut game = Game::under(rules, ("plain", &ships(first)), ("plain", &ships(second)));
    game.phase("fire", faces);
    game.battle.units.iter().map(|unit| unit.figures).collect()
}

#[test]
fn whoever_is_sunk_has_fired() {
    let in_turn = rules("", "");
    let mut game = Game::under(in_turn, ("plain", &ships(&["boat"])), ("plain", &ships(&["boat"])));
    game.phase("fire", &[4]);
    assert_eq!(game.outcome.and_then(|outcome| outcome.winner), Some(Side::First));
    let at_once = rules("simultaneous = true", "");
    let mut game = Game::under(at_once, ("plain", &ships(&["boat"])), ("plain", &ships(&["boat"])));
    game.phase("fire", &[4, 4]);
    assert_eq!(game.outcome.map(|outcome| outcome.winner), Some(None), "both are sunk: nobody wins");
    // Without `casualties` for a whole side, every ship fires at the same enemy, which can only be lost once.
    assert_eq!(left(at_once, (&["boat", "boat"], &["boat", "boat"]), &[4, 4, 3, 3]), [1, 1, 0, 1]);
}

#[test]
fn results_wait_for_all_rolls() {
    // A hit shakes its target, and shaken units need a 7, but not in the same volley.
    let shaking = |phase: &str| {
        let text = SHIPS.replace("foe = { lose = \"hits\" }", "foe = { morale = 'shaken' }").replace("PHASE", phase);
        let unsteady =
            "[[roll.fire.modifier]]\nid = 'shaken'\nwhen = 'self.shaken'\nadd = -3\ncite = ['1']\n\n[[phase]]";
        let rules = compiled(text.replace("DOCTRINES", "").replace("[[phase]]", unsteady));
        let mut game = Game::under(rules, ("plain", &ships(&["liner"])), ("plain", &ships(&["liner"])));
        game.phase("fire", &[4, 5]);
        [game.first().morale.byte(), game.second().morale.byte()]
    };
    assert_eq!(shaking("simultaneous = true"), [1, 1]);
    assert_eq!(shaking(""), [0, 1], "one after the other");
}

#[test]
fn hits_fall_by_the_order_of_the_pack() {
    let fleet: (&[&str], &[&str]) = (&["boat", "boat"], &["liner", "boat"]);
    let faces = [4, 4, 1, 1];
    let boats = rules(&volleys("{ order = ['boat', 'liner'] }"), "");
    assert_eq!(left(boats, fleet, &faces), [1, 1, 2, 0]);
    let liners = rules(&volleys("{ order = ['liner', 'boat'] }"), "");
    assert_eq!(left(liners, fleet, &faces), [1, 1, 1, 1]);
    let sustain = rules(&volleys("{ order = ['sustain', 'boat', 'liner'] }"), "");
    assert_eq!(left(sustain, (&["boat", "boat", "boat"], fleet.1), &[4, 4, 4, 1, 1]), [1, 1, 1, 1, 0]);
    // Hits that can be sustained are spread; other hits finish off units that have already been hit.
    assert_eq!(left(sustain, (&["boat", "boat"], &["liner", "liner"]), &faces), [1, 1, 2, 2]);
    assert_eq!(left(liners, (&["boat", "boat"], &["liner", "liner"]), &faces), [1, 1, 1, 3]);
    // Hits fall on the lowest value of a formula, here the front rank.
    let front = rules(&volleys("{ least = 'self.rank' }"), "");
    assert_eq!(left(front, fleet, &faces), [1, 1, 1, 1]);
    // A unit that is not listed takes no hits, nor does one that does not meet the condition.
    let only = rules(&volleys("{ order = ['boat'] }"), "");
    assert_eq!(left(only, fleet, &faces), [1, 1, 3, 0]);
    let spared = rules(&volleys("{ order = ['boat', 'liner'], when = 'self.rank < 2' }"), "");
    assert_eq!(left(spared, fleet, &faces), [1, 1, 1, 1]);
    // The first side's ships take hits for their side, too.
    assert_eq!(left(boats, fleet, &[1, 1, 4, 4]), [0, 0, 3, 1]);
}

#[test]
fn who_bears_the_hits_is_told_and_cited() {
    let rules = rules(&volleys("{ order = ['boat', 'liner'], cite = ['1'] }"), "");
    let mut game =
        Game::under(rules, ("plain", &ships(&["boat", "boat", "boat"])), ("plain", &ships(&["liner", "boat"])));
    game.phase("fire", &[4, 4, 4, 1, 1]);
    game.saw("1");
    assert_eq!(game.specials(), ["second takes 3 hits: Liner (second 1) 2, Boat (second 2) 1."]);
    let mut over = Game::under(rules, ("plain", &ships(&["boat", "boat"])), ("plain", &ships(&["boat"])));
    over.phase("fire", &[4, 4, 1]);
    assert_eq!(over.specials(), ["second takes 2 hits: Boat (second) 1, 1 wasted."]);
    // No unit was hit, so nothing is reported.
    let mut none = Game::under(rules, ("plain", &ships(&["boat"])), ("plain", &ships(&["boat"])));
    none.phase("fire", &[1, 1]);
    assert!(none.specials().is_empty() && !none.seen.cited().contains("1"));
}

const DOCTRINES: &str = "[doctrine.liners]\ntitle = 'liners'\nrow = []\ngives-up = ['liner']";

#[test]
fn a_doctrine_says_whom_its_side_gives_up_or_picks_off() {
    let owner = rules(&volleys("{ by = 'owner', order = ['boat', 'liner'] }"), DOCTRINES);
    let after = |doctrine: &str, other: &str, rules| {
        let mut game = Game::under(rules, (other, &ships(&["boat"])), (doctrine, &ships(&["liner", "boat"])));
        game.phase("fire", &[4, 1, 1]);
        [game.second().figures, game.unit(Side::Second, 1).figures]
    };
    assert_eq!(after("plain", "liners", owner), [3, 0]);
    assert_eq!(after("liners", "plain", owner), [2, 1]);
    let shooter =
        rules(&volleys("{ by = 'shooter', order = ['boat', 'liner'] }"), &DOCTRINES.replace("gives-up", "picks-off"));
    assert_eq!(after("liners", "plain", shooter), [3, 0]);
    assert_eq!(after("plain", "liners", shooter), [2, 1]);
}

/// Takes the last offer for every casualty, and records what was offered to which side.
struct Last {
    side: Side,
    asked: Vec<(usize, Vec<usize>)>,
}

impl Player for Last {
    fn plays(&self, side: Side) -> bool {
        side == self.side
    }

    fn choose(&mut self, _: Scene<'_>, asked: &Asked<'_>) -> usize {
        assert_eq!(asked.doctrine, 0, "what the rules would take comes first");
        let unit = |offer: &Offer| if let Offer::Bear(id) = offer { id.index() } else { panic!("{offer:?}") };
        self.asked.push((asked.unit.index(), asked.offers.iter().map(unit).collect()));
        asked.offers.len() - 1
    }
}

/// If the order names no unit on either side, all hits would be wasted, so the study is refused, but the pack is not.
#[test]
fn an_order_that_names_no_unit_of_a_battle_is_refused() {
    let boats = rules(&volleys("{ order = ['boat'], cite = ['1'] }"), "");
    let faults = deploy(boats, &deployment(("plain", &ships(&["liner"])), ("plain", &ships(&["liner", "liner"]))));
    let faults = faults.expect_err("nobody there can be hit");
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert_eq!(faults[0].path, "first.units");
    assert_eq!(faults[0].message, "the casualty order of `fire` names no unit in this battle (1)");
    assert!(
        faults[0].help.as_ref().is_some_and(|help| help.starts_with("name `liner` in `phase.fire.casualties.order`"))
    );
    deploy(boats, &deployment(("plain", &ships(&["liner"])), ("plain", &ships(&["boat"])))).expect("one can be");
}

/// Each phase in which any unit fires needs an order that names a unit in the battle, even if another phase has one.
#[test]
fn the_order_of_every_phase_is_checked() {
    let two = |when: &str| {
        let second = format!(
            "[[phase]]\nid = 'guns'\ntitle = 'Guns'\nmechanism = 'exchange'\nroll = 'fire'\nby = 'both'\nhalf = 'first'\n\
             {when}simultaneous = true\ncasualties = {{ order = ['boat'], cite = ['1'] }}"
        );
        rules(&format!("{}\n\n{second}", volleys("{ order = ['boat', 'liner'], cite = ['1'] }")), "")
    };
    let liners = deployment(("plain", &ships(&["liner"])), ("plain", &ships(&["liner"])));
    let faults = deploy(two(""), &liners).expect_err("the guns hit nobody");
    let said: Vec<&str> = faults.iter().map(|fault| fault.message.as_str()).collect();
    assert_eq!(said, ["the casualty order of `guns` names no unit in this battle (1)"]);
    deploy(two("when = \"self.type == 'boat'\"\n"), &liners).expect("nobody has guns");
    let mixed = deployment(("plain", &ships(&["liner"])), ("plain", &ships(&["boat"])));
    deploy(two(""), &mixed).expect("the boat can be hit");
}

#[test]
fn a_player_chooses_one_hit_after_the_other() {
    for (by, side, asked) in [("owner", Side::Second, 2), ("shooter", Side::First, 0)] {
        let rules = rules(&volleys(&format!("{{ by = '{by}', order = ['boat', 'liner'] }}")), "");
        let mut plan =
            deployment(("plain", &ships(&["boat", "boat"])), ("plain", &ships(&["liner", "boat", "boat", "liner"])));
        plan.turns = 1;
        let setup = deploy(rules, &plan).expect("two fleets");
        let mut player = Last { side, asked: Vec::new() };
        let mut dice = ScriptedDice::new([4, 4, 1, 1, 1, 1]);
        let outcome = fight_as(rules, &setup, &mut dice, &mut Unwitnessed, &mut player);
        assert_eq!(outcome.sides.second.losses, 2, "{by}");
        // Identical ships are offered as one. After the first hit, one of the liners differs from the other.
        let [boat, hit, whole] = [3, 2, 5];
        assert_eq!(player.asked, [(asked, vec![boat, hit]), (asked, vec![boat, hit, whole])], "{by}");
    }
}

/// Dice that notice an address that is used twice.
struct Once(SeededDice, BTreeSet<Address>);

impl Dice for Once {
    fn decide(&mut self, at: Address, decision: &dyn Decision) -> usize {
        assert!(self.1.insert(at), "{at:?} is drawn twice");
        self.0.decide(at, decision)
    }

    fn shown(&mut self, at: Address, decision: &dyn Decision, index: usize) -> Vec<Shown> {
        self.0.shown(at, decision, index)
    }
}

/// One lane has words for 128 choices in a phase.
#[test]
fn a_random_player_has_a_word_for_each_of_many_hits() {
    for by in ["owner", "shooter"] {
        let text = SHIPS.replace("PHASE", &volleys(&format!("{{ by = '{by}', order = ['boat', 'liner'] }}")));
        let text = text
            .replace("dice = \"d6\", need = 4", "dice = \"40d6\", need = 2")
            .replace("figures = 3", "figures = 200");
        let rules = compiled(text.replace("DOCTRINES", ""));
        let mut plan = deployment(("plain", &ships(&["liner"; 20])), ("plain", &ships(&["liner"; 8])));
        plan.turns = 1;
        for side in Side::BOTH {
            plan.sides[side].player = Some("random".to_owned());
        }
        let setup = deploy(rules, &plan).expect("two fleets");
        let mut dice = Once(SeededDice::new(1815), BTreeSet::new());
        let outcome = fight(rules, &setup, &mut dice, &mut Unwitnessed);
        assert!(outcome.sides.second.losses > 500 && dice.1.len() > 500, "{by}: {} choices and rolls", dice.1.len());
    }
}

#[test]
fn dice_pick_by_the_chances_of_each() {
    // Two boats and a liner are equally likely: a three-sided die, two of whose faces are boats.
    let fleet: (&[&str], &[&str]) = (&["boat"], &["boat", "liner", "boat"]);
    let any = rules(&volleys("{ by = 'random' }"), "");
    assert_eq!(left(any, fleet, &[4, 1, 1, 1, 1]), [1, 0, 3, 1]);
    assert_eq!(left(any, fleet, &[4, 1, 1, 1, 2]), [1, 0, 3, 1], "which of two that are alike makes no difference");
    assert_eq!(left(any, fleet, &[4, 1, 1, 1, 3]), [1, 1, 2, 1]);
    // Weighted by figures, the liner has three of five chances. With a weight of zero, the boats have none.
    let figures = rules(&volleys("{ by = 'random', chances = 'self.figures' }"), "");
    assert_eq!(left(figures, fleet, &[4, 1, 1, 1, 2]), [1, 0, 3, 1]);
    assert_eq!(left(figures, fleet, &[4, 1, 1, 1, 3]), [1, 1, 2, 1]);
    let liners = rules(&volleys("{ by = 'random', chances = 'self.rank == 1 ? 1 : 0' }"), "");
    assert_eq!(left(liners, fleet, &[4, 1, 1, 1]), [1, 1, 2, 1]);
    // Half of a boat's volleys hit. Weighted by figures, three of five hits fall on the liner.
    let mut plan = deployment(("plain", &ships(&["boat"])), ("plain", &ships(fleet.1)));
    plan.turns = 1;
    let setup = deploy(figures, &plan).expect("two fleets");
    let sunk = |outcome: &Outcome| outcome.sides.second.routed_units;
    let chances = exact(figures, &setup, sunk);
    for (boats, chance) in [(0, 0.5 + 0.5 * 0.6), (1, 0.5 * 0.4)] {
        assert!((chances[&boats] - chance).abs() < 1e-12, "{chances:?}");
    }
    let counts = sampled(figures, &setup, SAMPLED, sunk);
    agree("boats sunk by dice", counts[&1], SAMPLED, 0.2);
}

/// Dice that give each side the random words of the other.
struct Exchanged(SeededDice);

impl Dice for Exchanged {
    fn decide(&mut self, at: Address, decision: &dyn Decision) -> usize {
        self.0.decide(Address { lane: at.lane ^ 1, ..at }, decision)
    }

    fn shown(&mut self, at: Address, decision: &dyn Decision, index: usize) -> Vec<Shown> {
        self.0.shown(Address { lane: at.lane ^ 1, ..at }, decision, index)
    }
}

/// If the sides are exchanged, and their dice with them, every battle ends the other way round, whatever the size of
/// the armies.
#[test]
fn exchanged_sides_exchange_the_outcome() {
    let kinds = ["boat", "liner"];
    for casualties in ["{ order = ['sustain', 'boat', 'liner'] }", "{ by = 'random', chances = 'self.figures' }"] {
        let rules = rules(&volleys(casualties), "");
        for size in 1..=31_usize {
            let fleet = |salt: usize| -> Vec<Men> {
                (0..size).map(|place| unit(kinds[(place * salt + place / 3) % 2])).collect()
            };
            let (one, other) = (fleet(size), fleet(size + 1));
            let battle = |first: &[Men], second: &[Men]| {
                deploy(rules, &deployment(("plain", first), ("plain", second))).expect("two fleets")
            };
            let mut dice = SeededDice::new(1815);
            dice.battle(size as u64);
            let straight = fight(rules, &battle(&one, &other), &mut dice, &mut Unwitnessed);
            let mut dice = SeededDice::new(1815);
            dice.battle(size as u64);
            let turned = fight(rules, &battle(&other, &one), &mut Exchanged(dice), &mut Unwitnessed);
            assert_eq!(straight.winner.map(Side::other), turned.winner, "{casualties}, {size} a side");
            assert_eq!((straight.turns, straight.sides.first), (turned.turns, turned.sides.second));
            assert_eq!(straight.sides.second, turned.sides.first);
        }
    }
}

#[test]
fn faults_are_found_where_they_are() {
    // Checks one pack: its text, the text of its only fault, and part of the line at fault.
    let one = |text: &str, said: &[&str], place: &str| {
        assert_one_fault("ships.toml", text, said, place);
    };
    let pack = |phase: &str| SHIPS.replace("PHASE", phase).replace("DOCTRINES", "");
    let casualties = |text: &str, said: &[&str]| one(&pack(&volleys(text)), said, "casualties = ");
    casualties("{ order = [] }", &["names no unit type"]);
    casualties("{ order = ['sustain'] }", &["names no unit type", "take no hits"]);
    casualties("{ order = ['boat', 'linre'] }", &["`linre`", "liner"]);
    casualties("{ order = ['boat', 'boat'] }", &["`boat` is named twice"]);
    casualties("{ by = 'owner' }", &["it is not clear which unit takes a hit", "by = \"random\""]);
    casualties("{ order = ['boat'], least = 'self.rank' }", &["`order` already says"]);
    casualties("{ by = 'random', order = ['boat'] }", &["`order` has no effect"]);
    casualties("{ by = 'random', least = '1' }", &["`least` has no effect"]);
    casualties("{ order = ['boat'], chances = '1' }", &["is allowed only with `by = \"random\"`"]);
    casualties("{ by = 'random', chances = 'self.rank * 20' }", &["chances can be 0 to 180", "from 0 to 100"]);
    casualties("{ order = ['boat'], when = 'self.rnak > 1' }", &["rnak", "rank"]);
    casualties("{ by = 'nobody', order = ['boat'] }", &["nobody"]);
    let in_turn = pack("casualties = { order = ['boat'] }");
    one(&in_turn, &["only a simultaneous `exchange` phase", "simultaneous = true"], "casualties = ");
    let plain = pack(&volleys("{ order = ['boat'] }"));
    let asks_nobody = SHIPS.replace("PHASE", &volleys("{ order = ['boat'] }")).replace("DOCTRINES", DOCTRINES);
    one(&asks_nobody, &["no phase of the pack lets the side choose this"], "gives-up");
    let reads = pack(&format!("{}\nwhen = 'foe.rank > 1'", volleys("{ order = ['boat'] }")));
    one(&reads, &["this reads `foe`"], "when = 'foe.rank");
    let shaking = plain.replace("lose = \"hits\"", "lose = \"hits\", morale = \"shaken\"");
    one(&shaking, &["cost it figures and do nothing else"], "lose = \"hits\"");
    let aimed = plain.replace("need = 4", "need = \"4 + foe.rank\"");
    one(&aimed, &["`fire` reads `foe`"], "casualties = ");
    let called = plain.replace("boat = {", "sustain = { title = 'S', arm = 'ships', figures = 1 }\nboat = {");
    one(&called, &["give the unit type another name"], "casualties = ");
    let opposed = plain.replace("mechanic = \"pool\"", "mechanic = \"opposed\"\nfoe = { dice = 'd6' }");
    let opposed =
        opposed.replace(", need = 4", "").replace("hits > 0", "margin > 0").replace("\"hits\" }", "\"margin\" }");
    one(&opposed, &["the enemy does not roll"], "casualties = ");
    let forming =
        pack("simultaneous = true").replace("mechanism = \"exchange\"\nroll = \"fire\"", "mechanism = \"formation\"");
    one(&forming, &["this phase cannot be simultaneous"], "simultaneous = ");
}
