//! Mechanisms that work on both boards, here on hexes: simultaneous fire, counters that shots change, natural faces and
//! traits.

use grognard_engine::{Side, deploy};
use grognard_rules::model::Rules;

use super::one_roll::{SAMPLED, exact, sampled};
use super::template_on_hexes::{GUNS, at};
use crate::common::{Game, agree, compiled, deployment};

/// Guns that fire at all enemies. Both sides fire in the first half of each turn.
fn both(change: &[(&str, &str)]) -> &'static Rules {
    let both = [
        ("mechanism = \"command\"", "mechanism = \"command\"\nby = \"both\"\nhalf = \"first\""),
        ("template = TEMPLATE", "by = \"both\""),
        ("self.arm == 'guns' && foe.arm == 'foot' ? 8 : 0", "self.arm == 'guns' ? 8 : 0"),
    ];
    let text = both.iter().chain(change).fold(GUNS.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    });
    compiled("guns.toml", text).unwrap_or_else(|(_, faults)| panic!("{faults}"))
}

/// Two guns of one figure face each other; each hits on a 4 or more. If they fire in turn, the second fires only if it
/// survives: the first wins in 1/2 of cases, the second in 1/4. If they fire simultaneously, each is lost in 1/2, so
/// each wins in 1/4.
#[test]
fn in_a_simultaneous_phase_all_fire_before_any_is_lost() {
    for (change, first, second) in [
        (&[][..], 0.5, 0.25),
        (&[("by = \"both\"\n\n[[prov", "by = \"both\"\nsimultaneous = true\n\n[[prov")], 0.25, 0.25),
    ] {
        let rules = both(change);
        let mut plan = deployment(("fire", &[at("gun", -2, 0).figures(1)]), ("fire", &[at("gun", 2, 0).figures(1)]));
        plan.turns = 1;
        let setup = deploy(rules, &plan).expect("it can be deployed");
        let odds = exact(rules, &setup, |outcome| outcome.winner);
        let counts = sampled(rules, &setup, SAMPLED, |outcome| outcome.winner);
        for (winner, chance) in [(Some(Side::First), first), (Some(Side::Second), second)] {
            assert!((odds[&winner] - chance).abs() < 1e-12, "{winner:?} with {change:?}: {odds:?}");
            agree(&format!("{winner:?}"), counts[&winner], SAMPLED, chance);
        }
    }
}

/// Both are driven back by a flag after both have fired. If the first fell back at once, it would be out of the other's
/// range.
#[test]
fn retreats_wait_for_the_end_of_the_phase_too() {
    let rules = both(&[
        ("by = \"both\"\n\n[[prov", "by = \"both\"\nsimultaneous = true\n\n[[prov"),
        ("foe = { lose = 1 }", "foe = { score = { flags = 1 } }"),
        ("self.arm == 'guns' ? 8 : 0", "self.arm == 'guns' ? 4 : 0"),
    ]);
    // Each falls back towards its own side, the first to the south.
    let mut game = Game::under(rules, ("fire", &[at("gun", 0, 2)]), ("fire", &[at("gun", 0, -2)]));
    game.phase("command", &[]).phase("fire", &[4, 4]);
    assert_eq!((game.first().front.y, game.second().front.y), (3, -3), "both have fallen back");
}

/// A shot costs the gun a shell and, if it hits, frightens the enemy.
const COUNTS: [(&str, &str); 3] = [
    ("foe = { lose = 1 }", "own = { add = { shells = -1 } }\nfoe = { lose = 1, add = { fear = 1 } }"),
    ("id = \"miss\"", "id = \"miss\"\nown = { add = { shells = -1 } }"),
    (
        "[roll.shell]",
        "[counter.shells]\ntitle = \"shells\"\nmax = 3\nstart = 3\nbelow = 'stop'\ncite = ['1']\n\
         [counter.fear]\ntitle = \"fear\"\nmax = 3\nabove = 'stop'\ncite = ['2']\n[roll.shell]",
    ),
];

#[test]
fn a_shot_changes_the_counters_of_both() {
    let rules = both(&COUNTS);
    let mut game = Game::under(rules, ("fire", &[at("gun", -2, 0)]), ("none", &[at("company", 2, 0)]));
    // Counters are in the order of their names: fear, then shells.
    let counts = |game: &Game| (game.first().counters.get(1), game.second().counters.get(0));
    game.phase("command", &[]).phase("fire", &[4]);
    assert_eq!(counts(&game), (2, 1));
    game.saw("1");
    game.saw("2");
    game.phase("command", &[]).phase("fire", &[3]);
    assert_eq!(counts(&game), (1, 1), "a miss frightens nobody");
    // A shell hits two companies, one after the other: each is frightened, and the gun has spent a shell on each.
    let template = [
        &COUNTS[..],
        &[("by = \"both\"\n\n[[prov", "by = \"both\"\ntemplate = { radius = 1, cite = ['1'] }\n\n[[prov")],
    ]
    .concat();
    let foes = [at("company", 2, 0), at("company", 3, 0)];
    let mut game = Game::under(both(&template), ("fire", &[at("gun", -2, 0)]), ("none", &foes));
    game.phase("command", &[]).phase("fire", &[4, 4]);
    assert_eq!(game.battle.units.iter().map(|unit| unit.counters.get(0)).collect::<Vec<_>>(), [0, 1, 1]);
    assert_eq!(game.first().counters.get(1), 1);
    // The same happens in a simultaneous phase, where no unit is hit before all have fired.
    let at_once =
        [&COUNTS[..], &[("by = \"both\"\n\n[[prov", "by = \"both\"\nsimultaneous = true\n\n[[prov")]].concat();
    let mut game = Game::under(both(&at_once), ("fire", &[at("gun", -2, 0)]), ("none", &[at("company", 2, 0)]));
    game.phase("command", &[]).phase("fire", &[4]);
    assert_eq!(counts(&game), (2, 1));
}

/// With a need of 7 a six would miss, and with a need of 1 a one would hit, but natural faces decide.
#[test]
fn natural_faces_decide_on_hexes() {
    let natural = "own = { dice = \"d6\", need = 4, natural = { fails = [1], succeeds = [6] } }\n\
                   modifier = [{ id = 'it', add = ADD, cite = ['1'] }]";
    for (add, face, lost) in [("-3", 6, 1), ("-3", 5, 0), ("3", 1, 0), ("3", 2, 1)] {
        let natural: &'static str = Box::leak(natural.replace("ADD", add).into_boxed_str());
        let rules = both(&[("own = { dice = \"d6\", need = 4 }", natural)]);
        let mut game = Game::under(rules, ("fire", &[at("gun", -2, 0)]), ("none", &[at("company", 2, 0)]));
        game.phase("command", &[]).phase("fire", &[face]);
        assert_eq!(4 - game.second().figures, lost, "{add}, {face}");
    }
}

/// A trait adds to the rolls of the units that have it, and cancels a row of the pack for them.
#[test]
fn traits_work_on_hexes() {
    let rules = both(&[
        ("figures = 4\n\n[unit.company]", "figures = 4\ntraits = ['steady']\n\n[unit.company]"),
        (
            "[roll.shell]",
            "[trait.steady]\ntitle = 'Steady'\nmodifier = [{ id = 'steady', roll = 'shell', add = 1, cite = ['1'] }]\n\
             except = [{ id = 'steady', row = 'roll.shell.modifier.far', cite = ['2'] }]\n[roll.shell]",
        ),
        (
            "own = { dice = \"d6\", need = 4 }",
            "own = { dice = \"d6\", need = 4 }\nmodifier = [{ id = 'far', when = 'distance > 3', add = -2, cite = ['2'] }]",
        ),
    ]);
    for (face, lost) in [(3, 1), (2, 0)] {
        let mut game = Game::under(rules, ("fire", &[at("gun", -2, 0)]), ("none", &[at("company", 2, 0)]));
        game.phase("command", &[]).phase("fire", &[face]);
        assert_eq!(4 - game.second().figures, lost, "{face}");
        game.saw("1");
    }
}
