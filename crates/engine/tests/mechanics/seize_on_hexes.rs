//! On hexes, doctrines send units to objectives.

use grognard_engine::{Deployment, ObjectivePlan, Side, deploy};
use grognard_rules::model::Rules;

use super::one_roll::{SAMPLED, exact, sampled};
use super::template_on_hexes::at;
use crate::common::{Game, Men, agree, assert_one_fault, compiled, deployment};

/// Companies of one figure that move two hexes, and guns that hit them on a die of 4 or more at up to eight hexes.
const MARCH: &str = r#"
pack = "march"
title = "A march on hexes"
version = "1"
board = "hex"
arms = ["guns", "foot"]
hex = { columns = 9, rows = 9 }
activation = { orders = 20 }

[morale]
state = [{ id = "good" }]

[unit.gun]
title = "Gun"
arm = "guns"
figures = 1

[unit.company]
title = "Company"
arm = "foot"
figures = 1

[roll.shell]
title = "shell"
mechanic = "pool"
own = { dice = "d6", need = 4 }

[[roll.shell.result]]
id = "hit"
when = "hits > 0"
foe = { lose = 1 }

[[roll.shell.result]]
id = "miss"

[[phase]]
id = "command"
title = "Command"
mechanism = "command"

[[phase]]
id = "move"
title = "Movement"
mechanism = "move"

[[phase]]
id = "fire"
title = "Fire"
mechanism = "fire"
roll = "shell"

[[provision]]
id = "march"
does = "move"
amount = "self.arm == 'foot' ? 2 : 0"
cite = ['1']

[[provision]]
id = "range"
does = "range"
amount = "self.arm == 'guns' ? 8 : 0"
cite = ['1']

[objective]
within = 0
turns = 1
cite = ['2']

[doctrine.seize]
title = "goes to objectives"
row = [{ id = "go", phase = "move", do = "seize" }]

[doctrine.fire]
title = "fires"
row = [{ id = "fire", phase = "fire", do = "fire" }]

[doctrine.none]
title = "does nothing"
row = []

[victory]
broken = 100
limit = "points"
points = [{ id = "hold", for = "hold", points = 1, cite = ['2'] }]

[[clause]]
id = "1"
text = "Companies march, and guns fire."

[[clause]]
id = "2"
text = "Ground brings points."
"#;

fn rules() -> &'static Rules {
    compiled("march.toml", MARCH.to_owned()).unwrap_or_else(|(_, faults)| panic!("{faults}"))
}

/// Companies with this doctrine against others that stay in place, and objectives in these hexes.
fn plan(doctrine: &str, own: &[Men], foe: &[Men], objectives: &[(i32, i32)]) -> Deployment {
    let mut plan = deployment((doctrine, own), ("none", foe));
    let objective = |&(q, r): &(i32, i32)| ObjectivePlan { name: None, at: (q * 100, r * 100), worth: 1 };
    plan.objectives = objectives.iter().map(objective).collect();
    plan
}

/// The hexes of the first side's companies after it has moved this many times.
fn after(game: &mut Game, turns: usize) -> Vec<(i32, i32)> {
    for _ in 0..turns {
        game.phase("command", &[]).phase("move", &[]);
    }
    let side: Vec<_> = game.battle.side(Side::First).collect();
    side.into_iter().map(|id| game.battle.unit(id).front).map(|front| (front.x, front.y)).collect()
}

#[test]
fn a_unit_goes_to_the_nearest_objective_and_stays() {
    let plan = plan("seize", &[at("company", -3, 0)], &[at("company", 0, 4)], &[(4, -2), (1, 0)]);
    let mut game = Game::planned(rules(), &plan);
    assert_eq!(after(&mut game, 1), [(-1, 0)]);
    assert_eq!(after(&mut game, 1), [(1, 0)]);
    assert_eq!(after(&mut game, 1), [(1, 0)], "it stays");
    let mut still = Game::planned(rules(), &Deployment { objectives: Vec::new(), ..plan });
    assert_eq!(after(&mut still, 1), [(-3, 0)], "without objectives it does not move");
}

#[test]
fn units_go_to_different_objectives() {
    let own = [at("company", 0, 0), at("company", -1, 0)];
    let mut game = Game::planned(rules(), &plan("seize", &own, &[at("company", 0, 4)], &[(0, 0), (3, 0)]));
    assert_eq!(after(&mut game, 3), [(0, 0), (3, 0)]);
}

#[test]
fn a_unit_goes_round_an_enemy_and_as_near_as_it_can() {
    let own = [at("company", -2, 0)];
    let mut round = Game::planned(rules(), &plan("seize", &own, &[at("company", -1, 0)], &[(1, 0)]));
    assert_ne!(after(&mut round, 1), [(-2, 0)]);
    assert_eq!(after(&mut round, 2), [(1, 0)]);
    let mut taken = Game::planned(rules(), &plan("seize", &own, &[at("company", 1, 0)], &[(1, 0)]));
    assert_eq!(after(&mut taken, 3), [(0, 0)], "the enemy is in its hex");
}

/// The company reaches the objective in turn 2, if two shots miss it first: a chance of 1/4. It then has a point;
/// otherwise it is lost.
#[test]
fn the_march_is_sampled_and_exact() {
    let rules = rules();
    let mut plan = deployment(("fire", &[at("gun", 0, -3)]), ("seize", &[at("company", 0, 3)]));
    plan.objectives = vec![ObjectivePlan { name: None, at: (0, -100), worth: 1 }];
    plan.turns = 2;
    let setup = deploy(rules, &plan).expect("it can be deployed");
    let odds = exact(rules, &setup, |outcome| outcome.winner);
    let counts = sampled(rules, &setup, SAMPLED, |outcome| outcome.winner);
    for (winner, chance) in [(Some(Side::First), 0.75), (Some(Side::Second), 0.25)] {
        assert!((odds[&winner] - chance).abs() < 1e-12, "{winner:?}: {odds:?}");
        agree(&format!("{winner:?}"), counts[&winner], SAMPLED, chance);
    }
}

#[test]
fn there_must_be_objectives_to_go_to() {
    let text = MARCH.replace("[objective]\nwithin = 0\nturns = 1\ncite = ['2']\n", "");
    let text = text.replace("for = \"hold\"", "for = \"break\"");
    assert_one_fault("march.toml", &text, &["this pack has no objectives", "add `[objective]`"], "do = \"seize\"");
}
