//! On hexes: simultaneous close combats, reactions triggered by shots and strikes, and rolls that replace others.

use grognard_engine::{Event, Outcome, Side, deploy};
use grognard_rules::model::{ByteId, Rules};

use super::one_roll::{SAMPLED, exact, sampled};
use super::template_on_hexes::at;
use crate::common::{Game, Men, agree, assert_one_fault, compiled, deployment};

/// Both sides attack in the first half of each turn. A strike takes a block on a die of 4 or more.
const CLOSE: &str = r#"
pack = "close"
title = "Close combat on hexes"
version = "1"
board = "hex"
arms = ["foot", "horse"]
hex = { columns = 9, rows = 9 }
activation = { orders = 20 }

[morale]
state = [{ id = "good" }, { id = "shaken", shaken = true }]

[unit.foot]
title = "Foot"
arm = "foot"
figures = 4

[unit.horse]
title = "Horse"
arm = "horse"
figures = 4

[roll.strike]
title = "strike"
mechanic = "pool"
own = { dice = "d6", need = 4 }

[[roll.strike.result]]
id = "hit"
when = "hits > 0"
foe = { lose = 1 }

[[roll.strike.result]]
id = "miss"

[[phase]]
id = "command"
title = "Command"
mechanism = "command"
by = "both"
half = "first"

[[phase]]
id = "melee"
title = "Close combat"
mechanism = "close-combat"
by = "both"
half = "first"
simultaneous = true

[[provision]]
id = "strike"
does = "strike"
roll = "strike"
cite = ['1']

[[provision]]
id = "retreat"
does = "retreat"
amount = 1
cite = ['1']

[doctrine.attack]
title = "attacks"
row = [
  { id = "attack", phase = "melee", do = "attack" },
  { id = "follow", phase = "melee", do = "follow-up" },
]

[doctrine.none]
title = "evades if it may"
row = [{ id = "evade", phase = "melee", do = "evade" }]

[victory]
broken = 100

[[clause]]
id = "1"
text = "Units strike."

[[clause]]
id = "2"
text = "Units do more."
"#;

/// The pack with these changes, each of which must apply exactly once.
fn text(changes: &[(&str, &str)]) -> String {
    changes.iter().fold(CLOSE.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    })
}

fn rules(changes: &[(&str, &str)]) -> &'static Rules {
    compiled("close.toml", text(changes)).unwrap_or_else(|(_, faults)| panic!("{faults}"))
}

const IN_TURN: (&str, &str) = ("simultaneous = true\n", "");
const BACK: (&str, &str) =
    ("[doctrine.attack]", "[[provision]]\nid = \"back\"\ndoes = \"battle-back\"\ncite = ['2']\n\n[doctrine.attack]");

/// Checks the winners of a one-turn battle against these chances of the first and the second side.
#[track_caller]
fn wins(rules: &Rules, own: &[Men], foe: &[Men], chances: [f64; 2]) {
    let mut plan = deployment(("attack", own), ("attack", foe));
    plan.turns = 1;
    let setup = deploy(rules, &plan).expect("it can be deployed");
    let odds = exact(rules, &setup, |outcome| outcome.winner);
    let counts = sampled(rules, &setup, SAMPLED, |outcome| outcome.winner);
    for (winner, chance) in [Some(Side::First), Some(Side::Second)].into_iter().zip(chances) {
        assert!((odds[&winner] - chance).abs() < 1e-12, "{winner:?}: {odds:?}");
        agree(&format!("{winner:?}"), counts[&winner], SAMPLED, chance);
    }
}

/// If units strike in turn, the second strikes only if it survives: the chances are 1/2 and 1/4. If they strike
/// simultaneously, each is lost in 1/2 of cases, so each wins in 1/4.
#[test]
fn all_strike_before_any_is_lost() {
    let (own, foe) = ([at("foot", 0, 0).figures(1)], [at("foot", 1, 0).figures(1)]);
    wins(rules(&[IN_TURN]), &own, &foe, [0.5, 0.25]);
    wins(rules(&[]), &own, &foe, [0.25, 0.25]);
}

/// A unit with losses never hits. With simultaneous strikes, both lose a block with a chance of 1/4; with strikes in
/// turn, never.
#[test]
fn no_blow_depends_on_the_losses_of_another() {
    let tired = ("own = { dice = \"d6\", need = 4 }", "own = { dice = \"d6\", need = \"self.lost > 0 ? 7 : 4\" }");
    for (changes, both) in [(&[tired][..], 0.25), (&[tired, IN_TURN], 0.0)] {
        let rules = rules(changes);
        let mut plan = deployment(("attack", &[at("foot", 0, 0)]), ("attack", &[at("foot", 1, 0)]));
        plan.turns = 1;
        let setup = deploy(rules, &plan).expect("it can be deployed");
        let odds = exact(rules, &setup, |outcome| (outcome.sides.first.losses, outcome.sides.second.losses));
        let found = odds.get(&(1, 1)).copied().unwrap_or(0.0);
        assert!((found - both).abs() < 1e-12, "{odds:?}");
    }
}

/// Each unit strikes twice, once in its own attack and once back: it is lost in 3/4 of cases, and is the only survivor
/// in 3/16.
#[test]
fn units_that_will_be_lost_battle_back() {
    let (own, foe) = ([at("foot", 0, 0).figures(1)], [at("foot", 1, 0).figures(1)]);
    wins(rules(&[BACK]), &own, &foe, [3.0 / 16.0; 2]);
    // In turn: the first attack decides in 1/2 of cases. Otherwise the second strikes back, and then each has one more
    // chance.
    wins(rules(&[BACK, IN_TURN]), &own, &foe, [0.5 + 0.0625, 0.25 + 0.125]);
}

/// Mirrored armies of two types, touching in a chain, have equal chances of losses, whatever the order of their lists.
#[test]
fn equal_armies_have_equal_chances_in_any_order() {
    let stronger =
        ("own = { dice = \"d6\", need = 4 }", "own = { dice = \"d6\", need = \"self.arm == 'horse' ? 3 : 5\" }");
    let rules = rules(&[BACK, stronger]);
    let own = [at("foot", 0, 1).figures(1), at("horse", 0, 0).figures(1)];
    let foe = [at("foot", 1, -1).figures(1), at("horse", 1, 0).figures(1)];
    let turned = |men: &[Men; 2]| [men[1].clone(), men[0].clone()];
    let lost = |outcome: &Outcome| (outcome.sides.first.losses, outcome.sides.second.losses);
    let mut all = Vec::new();
    for (own, foe) in [(own.clone(), foe.clone()), (turned(&own), foe.clone()), (own, turned(&foe))] {
        let mut plan = deployment(("attack", &own), ("attack", &foe));
        plan.turns = 1;
        all.push(exact(rules, &deploy(rules, &plan).expect("it can be deployed"), lost));
    }
    for odds in &all {
        for (&(own, foe), &chance) in odds {
            let [mirrored, ordered] = [odds[&(foe, own)], all[0][&(own, foe)]];
            assert!((chance - mirrored).abs() < 1e-12 && (chance - ordered).abs() < 1e-12, "{own}, {foe}: {all:?}");
        }
    }
    assert!(all[0].len() > 6, "{all:?}");
}

/// Both are driven back by a flag after both have struck. A unit that has been driven back does not advance.
#[test]
fn retreats_and_advances_come_after_all_dice() {
    let advance = "[[provision]]\nid = \"advance\"\ndoes = \"advance\"\ncite = ['2']\n\n[doctrine.attack]";
    let rules = rules(&[("foe = { lose = 1 }", "foe = { score = { flags = 1 } }"), ("[doctrine.attack]", advance)]);
    let places = |faces: &[i32]| {
        let mut game = Game::under(rules, ("attack", &[at("foot", 0, 0)]), ("attack", &[at("foot", 1, 0)]));
        game.phase("command", &[]).phase("melee", faces);
        [game.first(), game.second()].map(|unit| (unit.front.x, unit.front.y))
    };
    let [own, foe] = places(&[4, 4]);
    assert!(own != (0, 0) && own != (1, 0), "driven back: {own:?}");
    assert!(foe != (1, 0) && foe != (0, 0), "driven back: {foe:?}");
    // If only one is driven back, the other follows up.
    assert_eq!(places(&[4, 3])[0], (1, 0));
    assert_eq!(places(&[3, 4])[1], (0, 0));
    assert_eq!(places(&[3, 3]), [(0, 0), (1, 0)]);
}

/// An evading unit is struck in place, does not strike back, and leaves after all strikes.
#[test]
fn units_evade_when_all_have_struck() {
    let evade = "[[provision]]\nid = \"evade\"\ndoes = \"evade\"\namount = 2\nwhen = \"self.arm == 'horse'\"\n\
                 cite = ['2']\n\n[doctrine.attack]";
    let rules = rules(&[BACK, ("[doctrine.attack]", evade)]);
    let mut game =
        Game::under(rules, ("attack", &[at("foot", 0, 0), at("foot", 1, 0)]), ("none", &[at("horse", 1, -1)]));
    // Both units of foot are next to the horse, which takes a hit from each.
    game.phase("command", &[]).phase("melee", &[4, 4]);
    assert_eq!((game.second().start - game.second().figures, game.first().figures), (2, 4));
    assert!((game.second().front.x, game.second().front.y) != (1, -1));
    // No attacker enters the hex that an evading unit has left.
    let advance = "[[provision]]\nid = \"advance\"\ndoes = \"advance\"\ncite = ['2']\n\n";
    let more = [evade.replace("[doctrine.attack]", advance), "[doctrine.attack]".to_owned()].concat();
    let rules = self::rules(&[("[doctrine.attack]", &more)]);
    let mut game = Game::under(rules, ("attack", &[at("foot", 0, 0)]), ("none", &[at("horse", 1, -1)]));
    game.phase("command", &[]).phase("melee", &[3]);
    assert_ne!((game.second().front.x, game.second().front.y), (1, -1));
    assert_eq!((game.first().front.x, game.first().front.y), (0, 0));
}

/// The phase is narrated in the order of play: attacks, then dice, then losses.
#[test]
fn a_simultaneous_combat_is_told_in_order() {
    let mut game = Game::under(rules(&[]), ("attack", &[at("foot", 0, 0)]), ("attack", &[at("foot", 1, 0)]));
    game.phase("command", &[]).phase("melee", &[4, 4]);
    game.saw("1");
    let told: Vec<&str> = game
        .seen
        .events()
        .iter()
        .filter_map(|event| match event {
            Event::Hex(grognard_engine::HexEvent::Declared { .. }) => Some("declared"),
            Event::Rolled(_) => Some("rolled"),
            Event::Lost { .. } => Some("lost"),
            Event::Hex(grognard_engine::HexEvent::Fought { .. }) => Some("fought"),
            _ => None,
        })
        .collect();
    assert_eq!(told, ["declared", "declared", "rolled", "rolled", "lost", "lost", "fought", "fought"]);
}

#[test]
fn nobody_strikes_first_in_a_simultaneous_combat() {
    let first = "[[provision]]\nid = \"card\"\ndoes = \"first-strike\"\ncite = ['2']\n\n[doctrine.attack]";
    let faulty = text(&[("[doctrine.attack]", first)]);
    assert_one_fault(
        "close.toml",
        &faulty,
        &[
            "no unit strikes first in a simultaneous close combat, but provision `card` requires it",
            "provision.card.on = false",
        ],
        "simultaneous = true",
    );
    rules(&[("[doctrine.attack]", first), IN_TURN]);
    rules(&[("[doctrine.attack]", &first.replace("cite", "on = false\ncite"))]);
}

/// A strike that hits triggers a test of its target; one that misses triggers a test of the striker.
#[test]
fn strikes_set_off_reactions() {
    let reactions = "[roll.test]\ntitle = \"test\"\nmechanic = \"pool\"\nown = { dice = \"d6\", need = 4 }\n\
        result = [{ id = \"stands\", when = \"hits > 0\" }, { id = \"fails\", own = { morale = \"shaken\" } }]\n\n\
        [[reaction]]\nid = \"struck\"\ntitle = \"Test\"\non = \"struck\"\nroll = \"test\"\ncite = ['2']\n\n\
        [[reaction]]\nid = \"beaten\"\ntitle = \"Loses heart\"\non = \"beaten\"\nown = { lose = 1 }\ncite = ['2']\n\n[[phase]]";
    let changes = [
        ("foe = { lose = 1 }", "foe = { lose = 1, sets-off = \"struck\" }"),
        ("id = \"miss\"", "id = \"miss\"\nown = { sets-off = \"beaten\" }"),
        ("[[phase]]", reactions),
    ];
    for also in [&[][..], &[IN_TURN]] {
        let rules = rules(&[&changes[..], also].concat());
        for (faces, morale, lost) in [(&[4, 3][..], 1, 0), (&[4, 4], 0, 0), (&[3], 0, 1)] {
            let mut game = Game::under(rules, ("attack", &[at("foot", 0, 0)]), ("none", &[at("foot", 1, 0)]));
            game.phase("command", &[]).phase("melee", faces);
            assert_eq!((game.second().morale.byte(), 4 - game.first().figures), (morale, lost), "{faces:?}");
            game.saw("2");
        }
    }
    // The exact odds match the calculation. A unit with one block is lost if the strike hits, in 1/2 of cases, so no
    // unit is left to test.
    let lone = rules(&changes);
    let mut plan = deployment(("attack", &[at("foot", 0, 0)]), ("none", &[at("foot", 1, 0)]));
    plan.turns = 1;
    let setup = deploy(lone, &plan).expect("it can be deployed");
    let lost = |outcome: &Outcome| (outcome.sides.first.losses, outcome.sides.second.shaken_units);
    let odds = exact(lone, &setup, lost);
    let counts = sampled(lone, &setup, SAMPLED, lost);
    for (result, chance) in [((1, 0), 0.5), ((0, 1), 0.25), ((0, 0), 0.25)] {
        assert!((odds[&result] - chance).abs() < 1e-12, "{result:?}: {odds:?}");
        agree(&format!("{result:?}"), counts[&result], SAMPLED, chance);
    }
}

/// Horse strikes with another roll, and a trait's reroll applies to that roll, too. Foot hits with a chance of 1/2,
/// horse with 1/3, and a keen unit with 3/4.
#[test]
fn another_roll_is_taken_in_the_place_of_a_strike() {
    let instead = "[roll.charge]\ntitle = \"charge\"\nmechanic = \"pool\"\nown = { dice = \"d6\", need = 5 }\n\
        result = [{ id = \"hit\", when = \"hits > 0\", foe = { lose = 1 } }, { id = \"miss\" }]\n\n\
        [[roll.strike.instead]]\nid = \"horse\"\nwhen = \"self.arm == 'horse'\"\nroll = \"charge\"\ncite = ['2']\n\n[[phase]]";
    let keen = "[trait.keen]\ntitle = \"Keen\"\n\
        reroll = [{ id = \"keen\", roll = \"strike\", which = \"failures\", cite = ['2'] }]\n\n[[phase]]";
    let bears = ("title = \"Foot\"", "title = \"Foot\"\ntraits = [\"keen\"]");
    for (changes, kind, chance) in [
        (&[("[[phase]]", instead)][..], "foot", 0.5),
        (&[("[[phase]]", instead)], "horse", 1.0 / 3.0),
        (&[("[[phase]]", keen), bears], "foot", 0.75),
        (&[("[[phase]]", keen), bears], "horse", 0.5),
    ] {
        let rules = rules(changes);
        let mut plan = deployment(("attack", &[at(kind, 0, 0)]), ("none", &[at("foot", 1, 0)]));
        plan.turns = 1;
        let setup = deploy(rules, &plan).expect("it can be deployed");
        let lost = |outcome: &Outcome| outcome.sides.second.losses;
        let odds = exact(rules, &setup, lost);
        assert!((odds[&1] - chance).abs() < 1e-12, "{kind}: {odds:?}");
        agree(kind, sampled(rules, &setup, SAMPLED, lost)[&1], SAMPLED, chance);
    }
    let mut game =
        Game::under(rules(&[("[[phase]]", instead)]), ("attack", &[at("horse", 0, 0)]), ("none", &[at("foot", 1, 0)]));
    game.phase("command", &[]).phase("melee", &[5]);
    game.saw("2");
    assert!(game.specials()[1].ends_with("charge instead of strike."), "{:?}", game.specials());
}

/// A unit attacks only if the roll that it would take has dice, and a doctrine reads the dice of that roll.
#[test]
fn a_roll_without_dice_in_the_place_of_another_means_no_attack() {
    let none = "[roll.none]\ntitle = \"none\"\nmechanic = \"pool\"\nown = { dice = \"d6\", count = \"self.figures - 4\", most = 1, need = 5 }\n\
        result = [{ id = \"nothing\" }]\n\n\
        [[roll.strike.instead]]\nid = \"horse\"\nwhen = \"self.arm == 'horse'\"\nroll = \"none\"\ncite = ['2']\n\n[[phase]]";
    let rules = rules(&[("[[phase]]", none)]);
    for (kind, attacks) in [("horse", false), ("foot", true)] {
        let mut game = Game::under(rules, ("attack", &[at(kind, 0, 0)]), ("none", &[at("foot", 1, 0)]));
        game.phase("command", &[]).phase("melee", if attacks { &[3] } else { &[] });
        let declared = game
            .seen
            .events()
            .iter()
            .any(|event| matches!(event, Event::Hex(grognard_engine::HexEvent::Declared { .. })));
        assert_eq!(declared, attacks, "{kind}");
    }
}

/// The effects of a roll that replaces a strike are checked once, like those of a strike.
#[test]
fn rolls_that_replace_a_strike_do_what_strikes_do() {
    let instead = "[roll.charge]\ntitle = \"charge\"\nmechanic = \"pool\"\nown = { dice = \"d6\", need = 5 }\n\
        result = [{ id = \"hit\", when = \"hits > 0\", foe = { morale = \"shaken\" } }, { id = \"miss\" }]\n\n\
        [[roll.strike.instead]]\nid = \"horse\"\nwhen = \"self.arm == 'horse'\"\nroll = \"charge\"\ncite = ['2']\n\n[[phase]]";
    let faulty = text(&[("[[phase]]", instead)]);
    assert_one_fault(
        "close.toml",
        &faulty,
        &["`foe.morale` is not supported by the roll of a provision"],
        "foe = { morale",
    );
    let keen = "[trait.keen]\ntitle = \"Keen\"\n\
        reroll = [{ id = \"keen\", roll = \"strike\", which = \"failures\", cite = ['2'] }]\n\n[[phase]]";
    let faulty = text(&[("[[phase]]", keen), ("foe = { lose = 1 }", "foe = { morale = \"shaken\" }")]);
    assert_one_fault(
        "close.toml",
        &faulty,
        &["`foe.morale` is not supported by the roll of a provision"],
        "foe = { morale",
    );
}

/// A test or a reaction is reported as a fault if it has an effect that only flags can have on hexes.
#[test]
fn tests_and_reactions_on_hexes_move_nobody() {
    let test = "[roll.test]\ntitle = \"test\"\nmechanic = \"pool\"\nown = { dice = \"d6\", need = 4 }\n\
        result = [{ id = \"stands\", when = \"hits > 0\" }, { id = \"fails\", own = EFFECT }]\n\n";
    let reaction =
        "[[reaction]]\nid = \"test\"\ntitle = \"Test\"\non = \"losses\"\nroll = \"test\"\ncite = ['2']\n\n[[phase]]";
    for (effect, key) in
        [("{ retreat = 2 }", "retreat"), ("{ flee = true }", "flee"), ("{ score = { flags = 1 } }", "score")]
    {
        let rows = format!("{}{reaction}", test.replace("EFFECT", effect));
        let faulty = text(&[("[[phase]]", &rows)]);
        let said = format!("on a `hex` board, `{key}` is not supported here");
        assert_one_fault("close.toml", &faulty, &[&said, "by the flags of a shot or a strike"], "id = \"fails\"");
        let own = format!(
            "[[reaction]]\nid = \"test\"\ntitle = \"Test\"\non = \"losses\"\nown = {effect}\ncite = ['2']\n\n[[phase]]"
        );
        let faulty = text(&[("[[phase]]", &own)]);
        assert_one_fault(
            "close.toml",
            &faulty,
            &[&said, "by the flags of a shot or a strike"],
            &format!("own = {effect}"),
        );
    }
    let faulty = text(&[("foe = { lose = 1 }", "foe = { retreat = 1 }")]);
    assert_one_fault(
        "close.toml",
        &faulty,
        &["`foe.retreat` is not supported by the roll of a provision", "on hexes, flags make units fall back"],
        "foe = { retreat",
    );
}

#[test]
fn casualties_and_exchanges_are_refused_with_what_to_write() {
    let faulty =
        text(&[("simultaneous = true", "simultaneous = true\ncasualties = { order = ['foot'], cite = ['1'] }")]);
    assert_one_fault(
        "close.toml",
        &faulty,
        &["on a `hex` board, units do not share hits", "a hex holds one unit"],
        "casualties =",
    );
    let exchange =
        "[[phase]]\nid = \"volley\"\ntitle = \"Volley\"\nmechanism = \"exchange\"\nroll = \"strike\"\n\n[[phase]]";
    let faulty = text(&[("[[phase]]", exchange)]);
    assert_one_fault(
        "close.toml",
        &faulty,
        &["units on a `hex` board do not `exchange` blows or fire", "both can be simultaneous"],
        "mechanism = \"exchange\"",
    );
}
