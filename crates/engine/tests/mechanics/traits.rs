//! Traits: named sets of modifiers, rerolls and exceptions that unit types can have.

use grognard_engine::Side;
use grognard_rules::model::Rules;

use super::one_roll::{SAMPLED, duel, exact, sampled};
use crate::common::{Game, agree, unit};

/// Troopers that hit on a die of 4 or more, or of 5 or more in the smoke of the first turn.
const TROOPERS: &str = r#"
pack = "troopers"
title = "Troopers"
version = "1"
board = "none"
arms = ["foot"]

[morale]
state = [{ id = "good" }, { id = "broken", broken = true }]

[unit.trooper]
title = "Trooper"
arm = "foot"
figures = 6
traits = TRAITS

[unit.recruit]
title = "Recruit"
arm = "foot"
figures = 6

[roll.shot]
title = "shot"
mechanic = "pool"
own = { dice = "d6", need = 4 }
stage = [{ id = "wound", dice = "d6", need = 2 }]

[[roll.shot.modifier]]
id = "smoke"
when = "turn == 1"
add = -1
cite = ["1"]

[[roll.shot.result]]
id = "hits"
when = "hits > 0"
foe = { lose = "hits" }

[[roll.shot.result]]
id = "miss"

[[phase]]
id = "shoot"
title = "Shoot"
mechanism = "exchange"
roll = "shot"
half = "first"

[victory]
broken = 100

[[clause]]
id = "1"
text = "Smoke hides the target in the first turn."

[[clause]]
id = "2"
text = "Some troopers are better than others."

"#;

/// Marksmen add 1; the crafty see through smoke; the lucky reroll ones; ghosts are hard to hit.
const TRAITS: &str = r#"
[trait.marksman]
title = "Marksman"
modifier = [{ id = "marksman", roll = "shot", add = 1, cite = ["2"] }]

[trait.crafty]
title = "Crafty"
except = [{ id = "smoke", row = "roll.shot.modifier.smoke", cite = ["2"] }]

[trait.lucky]
title = "Lucky"
reroll = [{ id = "lucky", roll = "shot", which = "failures", cite = ["2"] }]

[trait.deadly]
title = "Deadly"
reroll = [{ id = "deadly", roll = "shot", stage = "wound", which = "failures", cite = ["2"] }]

[trait.sharp]
title = "Sharp"
reroll = [
  { id = "aim", roll = "shot", which = "failures", cite = ["1"] },
  { id = "wound", roll = "shot", stage = "wound", which = "failures", cite = ["2"] },
]

[trait.ghost]
title = "Ghost"
modifier = [{ id = "ghost", roll = "shot", of = "foe", when = "turn == 1", add = -1, cite = ["2"] }]

[trait.elite]
title = "Elite"
with = ["marksman", "crafty"]
"#;

/// Compiles the pack with these traits declared and given to troopers. If it has faults, returns their number and their
/// text.
fn compiled(declared: &str, given: &str) -> Result<&'static Rules, (usize, String)> {
    let text = format!("{}{declared}", TROOPERS.replace("TRAITS", given));
    crate::common::compiled("troopers.toml", text)
}

fn rules(given: &str) -> &'static Rules {
    compiled(TRAITS, given).unwrap_or_else(|(_, faults)| panic!("{faults}"))
}

/// Whether a trooper with these traits hits a recruit, or a recruit hits him, with these dice in the first turn.
#[track_caller]
fn hits(given: &str, own: &str, foe: &str, faces: &[i32]) -> bool {
    let mut game = Game::under(rules(given), ("none", &[unit(own)]), ("none", &[unit(foe)]));
    game.phase("shoot", faces);
    game.second().figures < 6
}

/// A reroll trait generates a separate roll for the units that have it. A diagnostic must not suggest that roll,
/// because no author has written it.
#[test]
fn rolls_that_traits_make_are_not_offered_in_place_of_a_misspelt_one() {
    let phase = "mechanism = \"exchange\"\nroll = ";
    let text = format!("{}{TRAITS}", TROOPERS.replace("TRAITS", "['lucky']"));
    let text = text.replace(&format!("{phase}\"shot\""), &format!("{phase}\"nothing\""));
    let (faults, shown) = crate::common::compiled("troopers.toml", text).expect_err("there is no such roll");
    assert_eq!(faults, 1, "{shown}");
    assert!(shown.contains("`nothing`") && shown.contains("shot"), "{shown}");
    assert!(!shown.contains("(lucky)"), "{shown}");
}

#[test]
fn a_trait_brings_a_modifier() {
    assert!(!hits("[]", "trooper", "recruit", &[4]));
    assert!(hits("[]", "trooper", "recruit", &[5, 2]));
    assert!(hits("['marksman']", "trooper", "recruit", &[4, 2]));
    assert!(!hits("['marksman']", "trooper", "recruit", &[3]));
    assert!(!hits("['marksman']", "recruit", "trooper", &[4]), "only who has it");
    let mut game = Game::under(rules("['marksman']"), ("none", &[unit("trooper")]), ("none", &[unit("recruit")]));
    game.phase("shoot", &[4, 2]);
    assert_eq!(game.own_modifiers("shot"), ["smoke", "marksman"]);
    game.saw("2");
}

#[test]
fn a_trait_of_the_enemy_counts_where_the_row_says_so() {
    assert!(!hits("['ghost']", "recruit", "trooper", &[5]));
    assert!(hits("['ghost']", "recruit", "trooper", &[6, 2]));
    assert!(hits("['ghost']", "trooper", "recruit", &[5, 2]), "not against others");
}

#[test]
fn a_trait_takes_a_row_away() {
    assert!(hits("['crafty']", "trooper", "recruit", &[4, 2]));
    assert!(!hits("['crafty']", "recruit", "trooper", &[4]));
    let mut game = Game::under(rules("['crafty']"), ("none", &[unit("trooper")]), ("none", &[unit("recruit")]));
    game.phase("shoot", &[4, 2]);
    assert_eq!(game.own_modifiers("shot"), ["smoke (crafty)"]);
    game.saw("2");
}

#[test]
fn a_trait_rolls_dice_again() {
    assert!(hits("['lucky']", "trooper", "recruit", &[1, 5, 2]));
    assert!(!hits("['lucky']", "trooper", "recruit", &[4, 4]));
    assert!(!hits("['lucky']", "recruit", "trooper", &[1]));
    assert!(hits("['deadly']", "trooper", "recruit", &[5, 1, 2]));
    assert!(!hits("['deadly']", "trooper", "recruit", &[5, 1, 1]));
    // Both rows of one trait apply.
    assert!(hits("['sharp']", "trooper", "recruit", &[1, 5, 1, 2]));
    assert!(!hits("['sharp']", "trooper", "recruit", &[1, 5, 1, 1]));
    let mut game = Game::under(rules("['lucky']"), ("none", &[unit("trooper")]), ("none", &[unit("recruit")]));
    game.phase("shoot", &[5, 2]);
    game.saw("2");
    assert_eq!(game.rules.rolls[game.seen.rolls().next().expect("a roll").roll].title, "shot (Lucky)");
}

#[test]
fn a_trait_brings_others_with_it() {
    assert!(hits("['elite']", "trooper", "recruit", &[3, 2]), "one better, and no smoke");
    assert!(!hits("['elite']", "trooper", "recruit", &[2]));
}

#[test]
fn conditions_read_traits_and_one_switch_takes_them_away() {
    let reads = TRAITS.replace("add = 1,", "add = 1, when = 'self.elite',");
    let rules_with =
        |declared: &str, given: &str| compiled(declared, given).unwrap_or_else(|(_, faults)| panic!("{faults}"));
    let hits = |rules: &'static Rules, faces: &[i32]| {
        let mut game = Game::under(rules, ("none", &[unit("trooper")]), ("none", &[unit("recruit")]));
        game.phase("shoot", faces);
        game.second().figures < 6
    };
    assert!(!hits(rules_with(&reads, "['marksman']"), &[4]));
    assert!(hits(rules_with(&reads, "['elite']"), &[3, 2]));
    // Without marksmen, an elite trooper is still crafty; without the elite trait, he has no traits.
    let off = |name: &str| TRAITS.replace(&format!("[trait.{name}]"), &format!("[trait.{name}]\non = false"));
    assert!(hits(rules_with(&off("marksman"), "['elite']"), &[4, 2]));
    assert!(!hits(rules_with(&off("marksman"), "['elite']"), &[3]));
    assert!(!hits(rules_with(&off("elite"), "['elite']"), &[4]));
    assert!(!hits(rules_with(&off("lucky"), "['lucky']"), &[4]));
}

/// A hit needs a five or a six, and then anything but a one: 1/3 × 5/6. The lucky hit with a chance of 1 - (2/3)², and
/// the deadly wound with 1 - (1/6)².
#[test]
fn exact_and_sampled_odds_are_those_of_the_trait() {
    for (given, chance) in [
        ("[]", 1.0 / 3.0 * 5.0 / 6.0),
        ("['lucky']", 5.0 / 9.0 * 5.0 / 6.0),
        ("['deadly']", 1.0 / 3.0 * 35.0 / 36.0),
        ("['elite']", 4.0 / 6.0 * 5.0 / 6.0),
        ("['elite', 'lucky']", 8.0 / 9.0 * 5.0 / 6.0),
    ] {
        let rules = rules(given);
        let setup = duel(rules, &unit("trooper"), &unit("recruit"), 1);
        let lost = exact(rules, &setup, |outcome| outcome.sides[Side::Second].losses);
        assert!((lost[&1] - chance).abs() < 1e-12, "{given}: {lost:?}");
        let counts = sampled(rules, &setup, SAMPLED, |outcome| outcome.sides[Side::Second].losses);
        agree(given, counts[&1], SAMPLED, chance);
    }
}

/// The message is about what the author wrote, not about the roll that a reroll trait generates.
#[test]
fn a_reroll_that_means_nothing_is_one_fault_about_the_trait() {
    let keen = "[trait.keen]\ntitle = 'Keen'\n\
        reroll = [{ id = 'keen', roll = 'close', which = 'failures', cite = ['house'], note = 'Practice.' }]\n";
    let faults = crate::common::extended("ancients-hex", keen).expect_err("symbols do not fail");
    assert_eq!(faults.matches("error:").count(), 1, "{faults}");
    assert!(faults.contains("pack.toml:6:11") && faults.contains("list the faces instead"), "{faults}");
}

#[test]
fn every_bad_value_is_one_fault_with_its_place() {
    let one = |row: &str| format!("[trait.odd]\ntitle = 'Odd'\n{row}\n");
    for (declared, given, line, message) in [
        (
            "[trait.a]\ntitle = 'A'\nwith = ['b']\n[trait.b]\ntitle = 'B'\nwith = ['c']\n[trait.c]\ntitle = 'C'\nwith = ['a']\n"
                .to_owned(),
            "[]",
            "with = ['a']",
            "traits include each other in a cycle: a, then b, then c, then a",
        ),
        (one("with = ['odd']"), "[]", "with = ['odd']", "in a cycle: odd, then odd"),
        (one("with = ['od']"), "[]", "with = ['od']", "did you mean `odd`?"),
        (one(""), "['od']", "traits = ", "did you mean `odd`?"),
        (String::new(), "['odd']", "traits = ", "there is no trait `odd`: the pack has none"),
        (
            one("modifier = [{ id = 'x', roll = 'shoot', add = 1, cite = ['2'] }]"),
            "[]",
            "modifier = ",
            "did you mean `shot`?",
        ),
        (
            one("modifier = [{ id = 'smoke', roll = 'shot', add = 1, cite = ['2'] }]"),
            "[]",
            "modifier = [{",
            "roll `shot` already has a modifier `smoke`",
        ),
        (
            one("modifier = [{ id = 'x', roll = 'shot', when = 'self.figs > 1', add = 1, cite = ['2'] }]"),
            "[]",
            "modifier = [{",
            "self.figs",
        ),
        (
            one("reroll = [{ id = 'x', roll = 'shot', stage = 'save', which = 'ones', cite = ['2'] }]"),
            "[]",
            "reroll = ",
            "roll `shot` has no stage `save`",
        ),
        (
            one("reroll = [{ id = 'x', roll = 'shot', stage = 'save', which = 'ones', cite = ['2'] }]"),
            "[]",
            "reroll = ",
            "its stages are `wound`; omit `stage` for the dice of `own`",
        ),
        (
            one("reroll = [{ id = 'x', roll = 'shot', stage = 'wond', which = 'ones', cite = ['2'] }]"),
            "[]",
            "reroll = ",
            "did you mean `wound`?",
        ),
        (one("reroll = [{ id = 'x', roll = 'shot', which = 'all', cite = ['2'] }]"), "[]", "", "all"),
        (one("except = [{ id = 'x', row = 'roll.shot.modifier.fog' }]"), "[]", "except = ", "`roll.shot.modifier.fog"),
        (one("except = [{ id = 'x', row = 'phase.shoott' }]"), "[]", "except = ", "did you mean `phase.shoot`?"),
        (one("except = [{ id = 'x', row = 'roll' }]"), "[]", "except = ", "`roll` has no condition"),
        (one("except = [{ id = 'x', row = 'roll' }]"), "[]", "except = ", "such as `roll.shot.modifier.smoke`"),
        (one("except = [{ id = 'x', row = 'unit.trooper' }]"), "[]", "except = ", "`unit.trooper` has no condition"),
        (one("except = [{ id = 'x', row = 'roll.shott' }]"), "[]", "except = ", "did you mean a row in `roll.shot`, such as"),
        (
            format!("[counter.stun]\nmax = 3\n{}", one("except = [{ id = 'x', row = 'counter.stunn' }]")),
            "[]",
            "except = ",
            "there is no row `counter.stunn`",
        ),
        (
            format!("[counter.stun]\nmax = 3\n{}", one("except = [{ id = 'x', row = 'counter.stunn' }]")),
            "[]",
            "except = ",
            "did you mean `counter.stun`?",
        ),
        (
            format!("[counter.stun]\nmax = 3\n{}", one("except = [{ id = 'x', row = 'counter' }]")),
            "[]",
            "except = ",
            "`counter` has no condition",
        ),
        (one("except = [{ id = 'x', row = 'roll..shot' }]"), "[]", "except = ", "cannot have empty parts"),
        ("[trait.Odd]\ntitle = 'Odd'\n".to_owned(), "[]", "[trait.Odd]", "`Odd` is not a valid name for a trait"),
        (
            "[trait.crack-shots]\ntitle = 'Odd'\nmodifier = [{ id = 'x', roll = 'shot', add = 1, cite = ['2'] }]\n".to_owned(),
            "[]",
            "[trait.crack-shots]",
            "`crack-shots` is not a valid name for a trait",
        ),
        ("[trait.morale]\ntitle = 'Odd'\n".to_owned(), "[]", "[trait.morale]", "every unit already has `morale`"),
    ] {
        let Err((count, faults)) = compiled(&declared, given) else { panic!("{message}: it compiles") };
        assert_eq!(count, 1, "{message}:\n{faults}");
        assert!(faults.contains(message), "{message}:\n{faults}");
        let text = format!("{}{declared}", TROOPERS.replace("TRAITS", given));
        let place = text.lines().position(|known| known.starts_with(line)).expect("it is there") + 1;
        assert!(line.is_empty() || faults.contains(&format!("troopers.toml:{place}:")), "{message}:\n{faults}");
    }
    // The column is that of the name as written in the trait, although the compiled condition is longer.
    let (_, faults) =
        compiled(&one("modifier = [{ id = 'x', roll = 'shot', when = 'self.figs > 1', add = 1, cite = ['2'] }]"), "[]")
            .expect_err("a bad name");
    assert!(faults.contains(":52\n") || faults.contains("^^^^^^^^^\n"), "{faults}");
}
