//! Best play chooses which unit to activate.

use grognard_engine::{BySide, Deployment, SidePlan, UnitPlan, deploy};
use grognard_exact::best::Plays;
use grognard_source::{Document, Sources};

use super::{EQUAL, explored, quarters, value};
use crate::common::solved;

/// A good shot and a bad shot. With each chip one of them fires, until a chip ends the turn.
const SHOTS: &str = r#"
pack = "shots"
title = "Shots"
version = "1"
board = "none"
arms = ["foot"]

[morale]
state = [{ id = "good" }]

[attribute.need]
title = "what it needs to hit"
min = 2
max = 6

[unit]
good = { title = "Good shot", arm = "foot", figures = 1, is = { need = 2 } }
bad = { title = "Bad shot", arm = "foot", figures = 1, is = { need = 6 } }
target = { title = "Target", arm = "foot", figures = 1, is = { need = 3 } }

[roll.fire]
title = "fire"
mechanic = "pool"
own = { dice = "d6", need = "self.need" }
result = [{ id = "hits", when = "hits > 0", foe = { lose = "hits" } }, { id = "misses" }]

[[phase]]
id = "fire"
title = "Fire"
mechanism = "exchange"
roll = "fire"
when = "self.type != 'target'"

[activation.bag]
ends = 1
cite = ["house"]
note = "A chip for each, and one that ends the turn."

[doctrine.bad-first]
title = "activates the bad shot first"
activates = "self.need"
row = []

[victory]
broken = 100
"#;

#[test]
fn the_better_shot_is_activated_first() {
    let mut sources = Sources::new();
    let file = sources.add("shots.toml", SHOTS.to_owned());
    let rules = Document::parse(file, &sources).and_then(|document| grognard_rules::compile(&document, &sources));
    let rules = rules.unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)));
    let side = |name: &str, kinds: &[&str]| SidePlan {
        name: name.into(),
        units: kinds.iter().map(|&kind| UnitPlan { kind: kind.into(), ..UnitPlan::default() }).collect(),
        ..SidePlan::default()
    };
    let sides = BySide::new(side("shots", &["good", "bad"]), side("target", &["target"]));
    let setup = deploy(&rules, &Deployment { sides, turns: 1, ..Deployment::default() });
    let setup = setup.unwrap_or_else(|faults| panic!("{faults:#?}"));
    let graph = explored(&rules, &setup);
    // Three chips: two for units, and one for the end of the turn.
    let effort = graph.effort();
    assert!(effort.walked > 2 && effort.steps == 4, "{effort:?}");
    // The chip that ends the turn is equally likely to come before, between or after the other two. One shot hits with
    // probability 5/6 or 1/6, and at least one of the two with 31/36. A win counts 1, a draw 1/2.
    let worth = |first: f64| 0.5 + 0.5 * (0.0 + first + 31.0 / 36.0) / 3.0;
    let doctrine = value(&graph, Plays::Doctrine, Plays::Doctrine);
    assert!((doctrine - worth(1.0 / 6.0)).abs() < EQUAL, "{doctrine}");
    let best = value(&graph, Plays::Best, Plays::Doctrine);
    assert!((best - worth(5.0 / 6.0)).abs() < EQUAL, "{best}");
    let exact = solved(&rules, &setup, 0.0).mean(quarters).value / 4.0;
    assert!((exact - doctrine).abs() < EQUAL, "{exact}");
}
