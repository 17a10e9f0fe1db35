//! Damage: successes that count more than once, skip a stage, face a save, or fall on models one after another.
//!
//! Expected odds are derived as fractions from the comment above each test, die by die.

use grognard_dice::SeededDice;
use grognard_engine::{Narrator, fight};
use grognard_rules::compile;
use grognard_rules::model::Rules;
use grognard_source::{Document, Sources};

use super::chances::{Chances, certain, die, many, then, weights};
use super::one_roll::{duel, hold, to_the_enemy};
use crate::common::{Game, Men, unit};

/// Marksmen who shoot at any unit that is present.
const PACK: &str = r#"
pack = "damage"
title = "Damage"
version = "1"
board = "none"
arms = ["foot"]

[morale]
state = [{ id = "good" }]

[attribute]
lethal = { title = "lethal", min = 0, max = 1, default = 0 }
extra = { title = "extra hits", min = 0, max = 2, default = 0 }
eye = { title = "eye", min = -2, max = 2, default = 0 }
piercing = { title = "piercing", min = 0, max = 3, default = 0 }
armour = { title = "armour", min = 2, max = 6, default = 4 }
hurt = { title = "wounds on the first", min = 0, max = 2, default = 0 }

[unit]
plain = { title = "Plain", arm = "foot", figures = 40 }
lethal = { title = "Lethal", arm = "foot", figures = 40, is = { lethal = 1 } }
sustained = { title = "Sustained", arm = "foot", figures = 40, is = { extra = 2 } }
both = { title = "Both", arm = "foot", figures = 40, is = { lethal = 1, extra = 1 } }
aiming = { title = "Aiming", arm = "foot", figures = 40, is = { eye = 1 } }
blind = { title = "Blind", arm = "foot", figures = 40, is = { eye = -2 } }
cannon = { title = "Cannon", arm = "foot", figures = 40, is = { piercing = 2 } }
heavy = { title = "Heavy", arm = "foot", figures = 40, is = { armour = 3 } }
hurt = { title = "Hurt", arm = "foot", figures = 40, is = { hurt = 2 } }

[roll.shoot]
title = "shooting"
mechanic = "pool"
ROLL
cite = ["1"]

[[phase]]
id = "shoot"
title = "Shooting"
mechanism = "exchange"
roll = "shoot"
half = "first"
cite = ["1"]

[doctrine.plain]
title = "as the rules say"
row = []

[victory]
broken = 100

[[clause]]
id = "1"
text = "Units shoot."

[[clause]]
id = "2"
text = "Some hits are lethal."

[[clause]]
id = "3"
text = "Damage does not spill."
"#;

/// The results in most of these packs.
const HITS: &str = "result = [{ id = 'hits', foe = { lose = 'hits' } }]";

/// The pack with this roll.
fn rules(roll: &str) -> &'static Rules {
    let mut sources = Sources::new();
    let file = sources.add("damage.toml", PACK.replace("ROLL", roll));
    let rules = Document::parse(file, &sources).and_then(|document| compile(&document, &sources));
    Box::leak(Box::new(rules.unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)))))
}

/// Checks a shot at a plain unit against expected chances.
#[track_caller]
fn costs(rules: &Rules, shooter: &Men, chances: &Chances<u16>) {
    hold(rules, shooter, &unit("plain"), &to_the_enemy(weights(chances)));
}

/// A hit on a four or more costs as many figures as a D3 shows.
#[test]
fn each_hit_has_a_die_of_damage() {
    let damage = "stage = [{ id = 'damage', dice = 'd3', read = 'sum' }]";
    let rules = rules(&format!("own = {{ dice = 'd6', count = 3, need = 4 }}\n{damage}\n{HITS}"));
    let shot = die(6, |face| if face >= 4 { die(3, certain) } else { certain(0) });
    costs(rules, &unit("plain"), &many(3, &shot));
}

/// Damage is the higher of two dice, plus one; then D6 - 2, never below zero.
#[test]
fn damage_is_read_like_a_hand_of_dice() {
    let own = "own = { dice = 'd6', count = 2, need = 5 }";
    let stage = |damage: &str| format!("{own}\nstage = [{{ id = 'damage', {damage} }}]\n{HITS}");
    let best = rules(&stage("dice = '2d6', read = 'sum', keep = { which = 'highest', dice = 1 }, add = 1"));
    let damage = || die(6, |one| die(6, move |other| certain(one.max(other) + 1)));
    costs(best, &unit("plain"), &many(2, &die(6, |face| if face >= 5 { damage() } else { certain(0) })));
    let less = rules(&stage("dice = 'd6', read = 'sum', add = -2"));
    let damage = || die(6, |face| certain(face.saturating_sub(2)));
    costs(less, &unit("plain"), &many(2, &die(6, |face| if face >= 5 { damage() } else { certain(0) })));
    let fixed = rules(&format!("own = {{ dice = 'd6', count = 2, need = 5, counts = '1 + self.lethal' }}\n{HITS}"));
    costs(fixed, &unit("lethal"), &many(2, &die(6, |face| certain(if face >= 5 { 2 } else { 0 }))));
}

/// D3 shots, each of which hits on a four or more.
#[test]
fn the_number_of_shots_is_rolled() {
    let hit = "stage = [{ id = 'hit', dice = 'd6', need = 4 }]";
    let rules = rules(&format!("own = {{ dice = 'd3', read = 'sum' }}\n{hit}\n{HITS}"));
    let hit = die(6, |face| certain(u16::from(face >= 4)));
    costs(rules, &unit("plain"), &die(3, |shots| many(shots, &hit)));
}

/// A six counts as two hits, and both of them wound on a four or more.
#[test]
fn a_six_counts_twice_and_goes_on() {
    let own = "own = { dice = 'd6', count = 3, need = 3, branch = [{ id = 'six', faces = [6], counts = 2 }] }";
    let rules = rules(&format!("{own}\nstage = [{{ id = 'wound', dice = 'd6', need = 4 }}]\n{HITS}"));
    let wound = die(6, |face| certain(u16::from(face >= 4)));
    let shot = die(6, |face| match face {
        6 => many(2, &wound),
        3.. => wound.clone(),
        _ => certain(0),
    });
    costs(rules, &unit("plain"), &many(3, &shot));
}

/// A six counts twice and adds a die, which is rolled in the same way, at most twice.
#[test]
fn a_six_counts_twice_and_is_rolled_again() {
    let explode = "explode = { faces = [6], limit = 2 }";
    let branch = "branch = [{ id = 'six', faces = [6], counts = 2 }]";
    let rules = rules(&format!("own = {{ dice = 'd6', count = 2, need = 4, {explode}, {branch} }}\n{HITS}"));
    fn shot(again: u8) -> Chances<u16> {
        die(6, |face| match face {
            6 if again > 0 => then(&shot(again - 1), |&hits| certain(hits + 2)),
            6 => certain(2),
            _ => certain(u16::from(face >= 4)),
        })
    }
    costs(rules, &unit("plain"), &many(2, &shot(2)));
}

/// Dice wound on a four or more; a six wounds regardless of the save, or costs one more figure. Saves succeed on a five
/// or more.
#[test]
fn mortal_wounds_skip_the_save() {
    let rolls = |branch: &str| {
        let wound = format!("{{ id = 'wound', dice = 'd6', need = 4, branch = [{branch}] }}");
        let save = "{ id = 'save', dice = 'd6', save = 5 }";
        rules(&format!("own = {{ dice = 'd6', count = 2, need = 4 }}\nstage = [{wound}, {save}]\n{HITS}"))
    };
    let through = || die(6, |face| certain(u16::from(face < 5)));
    let shot = |six: Chances<u16>| {
        die(6, |hit| match hit {
            4.. => die(6, |wound| match wound {
                6 => six.clone(),
                4.. => through(),
                _ => certain(0),
            }),
            _ => certain(0),
        })
    };
    let instead = rolls("{ id = 'mortal', faces = [6], to = 'hits' }");
    costs(instead, &unit("plain"), &many(2, &shot(certain(1))));
    let besides = rolls("{ id = 'mortal', faces = [6], to = 'hits', also = true }");
    costs(besides, &unit("plain"), &many(2, &shot(then(&through(), |&hits| certain(hits + 1)))));
}

/// Armour saves on its number plus the weapon's penetration; a six always saves, a one never does, and ones are
/// rerolled.
#[test]
fn penetration_worsens_the_save() {
    let save = "save = 'foe.armour + self.piercing', natural = { fails = [1], succeeds = [6] }";
    let roll = |more: &str| {
        let stage = format!("stage = [{{ id = 'save', dice = 'd6', {save}{more} }}]");
        rules(&format!("own = {{ dice = 'd6', count = 2, need = 3 }}\n{stage}\n{HITS}"))
    };
    let shot = |through: &Chances<u16>| die(6, |hit| if hit >= 3 { through.clone() } else { certain(0) });
    let against = |save: u16| die(6, move |face| certain(u16::from(face == 1 || face < save && face < 6)));
    let once = roll("");
    costs(once, &unit("plain"), &many(2, &shot(&against(4))));
    costs(once, &unit("cannon"), &many(2, &shot(&against(6))));
    let expected = to_the_enemy(weights(&many(2, &shot(&against(3)))));
    hold(once, &unit("plain"), &unit("heavy"), &expected);
    // A failed save gets a second try, on a four or more.
    let again = then(&against(4), |&through| if through == 1 { against(4) } else { certain(0) });
    costs(roll(", reroll = 'failures'"), &unit("plain"), &many(2, &shot(&again)));
}

/// All rows that apply to the same die take effect: a six wounds without a roll, and hits once or twice more.
#[test]
fn branches_depend_on_who_rolls() {
    let lethal = "{ id = 'lethal', faces = [6], to = 'save', when = 'self.lethal == 1', cite = ['2'] }";
    let extra = "{ id = 'extra', faces = [6], counts = 'self.extra', also = true }";
    let own = format!("own = {{ dice = 'd6', count = 2, need = 4, branch = [{lethal}, {extra}] }}");
    let stages = "stage = [{ id = 'wound', dice = 'd6', need = 5 }, { id = 'save', dice = 'd6', save = 4 }]";
    let rules = rules(&format!("{own}\n{stages}\n{HITS}"));
    let through = die(6, |face| certain(u16::from(face < 4)));
    let wound = die(6, |face| if face >= 5 { through.clone() } else { certain(0) });
    for (kind, lethal, extra) in [("plain", false, 0), ("lethal", true, 0), ("sustained", false, 2), ("both", true, 1)]
    {
        let shot = die(6, |face| match face {
            6 => {
                let one = if lethal { &through } else { &wound };
                then(one, |&hits| then(&many(extra, &wound), move |more| certain(hits + more)))
            }
            4.. => wound.clone(),
            _ => certain(0),
        });
        costs(rules, &unit(kind), &many(2, &shot));
    }
    // The clause of a branch is cited where its condition is true.
    for (kind, cited) in [("lethal", true), ("plain", false)] {
        let (first, second) = (vec![unit(kind)], vec![unit("plain")]);
        let mut game = Game::under(rules, ("plain", &first), ("plain", &second));
        game.phase("shoot", &[1, 2]);
        assert_eq!(game.seen.cited().contains("2"), cited, "{kind}");
    }
}

/// In some games a modified six counts; in others, only a six on the die.
#[test]
fn a_branch_is_for_faces_or_for_scores() {
    let modifier = "modifier = [{ id = 'aim', when = 'self.eye == 1', add = 1, cite = ['1'] }, \
                    { id = 'blind', when = 'self.eye == -2', add = -2, cite = ['1'] }]";
    let roll = |dice: &str| {
        let own =
            format!("own = {{ dice = 'd6', count = 2, need = 4, branch = [{{ id = 'six', {dice}, counts = 3 }}] }}");
        rules(&format!("{own}\n{modifier}\n{HITS}"))
    };
    let (face, score) = (roll("faces = [6]"), roll("from = 6"));
    for (kind, aim) in [("plain", 0), ("aiming", 1), ("blind", -2)] {
        let shot = |best: i32| {
            die(6, move |face| {
                let hits = i32::from(face) + aim >= 4;
                certain(if hits && i32::from(face) >= best { 3 } else { u16::from(hits) })
            })
        };
        costs(face, &unit(kind), &many(2, &shot(6)));
        costs(score, &unit(kind), &many(2, &shot(6 - aim)));
    }
}

/// Each hit falls on the model in front, which has three wounds; excess damage is lost. The unit has 40 wounds, so its
/// first model has one left; `hurt` models have already lost two.
#[test]
fn damage_does_not_spill() {
    let roll = |models: &str, results: &str| {
        let own = "own = { dice = 'd6', count = 3, need = 4 }";
        let damage = "stage = [{ id = 'damage', dice = 'd6', read = 'sum' }]";
        rules(&format!("{own}\n{damage}\nmodels = {{ {models}, cite = ['3'] }}\n{results}"))
    };
    // The wounds left on the first model, and the total lost.
    let fall = |left: u16| {
        (0..3).fold(certain((left, 0)), |state, _| {
            then(&state, |&(left, lost)| {
                die(6, move |hit| match hit {
                    4.. => die(6, move |damage| match damage < left {
                        true => certain((left - damage, lost + damage)),
                        false => certain((3, lost + left)),
                    }),
                    _ => certain((left, lost)),
                })
            })
        })
    };
    let lost = |left: u16| then(&fall(left), |&(_, lost)| certain(lost));
    let kept = roll("wounds = 3", HITS);
    costs(kept, &unit("plain"), &lost(1));
    hold(kept, &unit("plain"), &unit("plain").figures(9), &to_the_enemy(weights(&lost(3))));
    hold(
        kept,
        &unit("plain"),
        &unit("plain").figures(8),
        &to_the_enemy(weights(&then(&lost(2), |&n| certain(n.min(8))))),
    );
    // Here figures are models, and their wounds are counted separately.
    let models = roll("wounds = 3, left = '3 - foe.hurt'", "result = [{ id = 'hits', foe = { lose = 'models' } }]");
    let gone = |left: u16| then(&lost(left), move |&lost| certain(if lost < left { 0 } else { 1 + (lost - left) / 3 }));
    costs(models, &unit("plain"), &gone(3));
    hold(models, &unit("plain"), &unit("hurt"), &to_the_enemy(weights(&gone(1))));
    // With `spill`, no damage is lost.
    let shot = die(6, |hit| if hit >= 4 { die(6, certain) } else { certain(0) });
    costs(roll("wounds = 3, spill = true", HITS), &unit("plain"), &many(3, &shot));
}

/// Mortal wounds are applied one by one, after the damage of other hits.
#[test]
fn what_skips_the_damage_falls_last() {
    let own = "own = { dice = 'd6', count = 3, need = 4, branch = [{ id = 'mortal', faces = [6], to = 'hits' }] }";
    let damage = "stage = [{ id = 'damage', dice = 'd3', read = 'sum' }]";
    let results = "result = [{ id = 'gone', when = 'models > 0', foe = { lose = 'models' } }, { id = 'none' }]";
    let rules = rules(&format!("{own}\n{damage}\nmodels = {{ wounds = 2, left = 2 }}\n{results}"));
    let shot = die(6, |hit| match hit {
        6 => certain((0, 1)),
        4.. => certain((1, 0)),
        _ => certain((0, 0)),
    });
    let shots = (0..3).fold(certain((0u16, 0u16)), |sum, _| {
        then(&sum, |&(hits, mortal)| then(&shot, move |&(more, other)| certain((hits + more, mortal + other))))
    });
    let gone = then(&shots, |&(hits, mortal)| {
        let one = |&(left, gone): &(u16, u16), damage: u16| match damage < left {
            true => (left - damage, gone),
            false => (2, gone + 1),
        };
        let hurt = (0..hits)
            .fold(certain((2u16, 0u16)), |state, _| then(&state, |state| die(3, |damage| certain(one(state, damage)))));
        then(&hurt, |state| certain((0..mortal).fold(*state, |state, _| one(&state, 1)).1))
    });
    costs(rules, &unit("plain"), &gone);
}

/// The narration reports where successes go, what is lost, and how many models are removed.
#[test]
fn damage_is_told() {
    let own = "own = { dice = 'd6', count = 2, need = 2, branch = [{ id = 'six', faces = [6], counts = 2 }] }";
    let stages = "stage = [{ id = 'save', dice = 'd6', save = 6 }, { id = 'damage', dice = 'd3', read = 'sum' }]";
    let results = "result = [{ id = 'strikes', when = 'models > 0', foe = { lose = 'hits' } }, { id = 'other' }]";
    let rules = rules(&format!("{own}\n{stages}\nmodels = {{ wounds = 2, cite = ['3'] }}\n{results}"));
    let setup = duel(rules, &unit("plain"), &unit("plain"), 1);
    let mut dice = SeededDice::new(7);
    let told = |index: u64| {
        dice.battle(index);
        let mut narrator = Narrator::new();
        fight(rules, &setup, &mut dice, &mut narrator);
        narrator.lines().join("\n")
    };
    let all: Vec<String> = (0..200).map(told).collect();
    let tells = |parts: &[&str]| all.iter().any(|text| parts.iter().all(|part| text.contains(part)));
    assert!(
        tells(&["2d6 for 2 or more: ", " to save", "d6 for 5 or less: ", "2d3: 3 3, 6 hits, 2 of them lost"]),
        "{}",
        all[0]
    );
    assert!(tells(&["4 hits, 2 models: strikes (models > 0)", "3]"]), "{}", all[0]);
}

/// Ones are rerolled, hit by hit. The narration lists all dice of the first throw, and then a further die for each 1.
#[test]
fn rerolled_damage_is_told_after_all_dice_that_were_thrown_at_first() {
    let own = "own = { dice = 'd6', count = 2, need = 1 }";
    let damage = "stage = [{ id = 'damage', dice = 'd6', read = 'sum', reroll = 'ones' }]";
    let rules = rules(&format!("{own}\n{damage}\n{HITS}"));
    let setup = duel(rules, &unit("plain"), &unit("plain"), 1);
    let mut dice = SeededDice::new(7);
    let mut twice = 0;
    for index in 0..200 {
        dice.battle(index);
        let mut narrator = Narrator::new();
        fight(rules, &setup, &mut dice, &mut narrator);
        let text = narrator.lines().join("\n");
        let thrown = text.split_once("2d6: ").and_then(|(_, after)| after.split_once(" hit")).expect("damage").0;
        let mut parts = thrown.split(", ");
        let ones = parts.next().expect("faces").split(' ').filter(|&face| face == "1").count();
        let later =
            parts.next().and_then(|part| part.strip_prefix("then ")).map_or(0, |faces| faces.split(' ').count());
        assert_eq!(ones, later, "{thrown}");
        twice += usize::from(ones == 2);
    }
    assert!(twice > 0);
}
