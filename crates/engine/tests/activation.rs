//! Activation: how many orders a side may give in its half of a turn.

use grognard_dice::ScriptedDice;
use grognard_engine::{
    BySide, Deployment, Event, Scene, Setup, SidePlan, UnitPlan, Unwitnessed, Witness, deploy, step,
};
use grognard_rules::model::{Order, Rules};
use grognard_source::{Document, Sources};

/// Three shooters a side, without a board. Each shot is one die, which hits on a 6.
const SHOOTERS: &str = r#"
pack = "shooters"
title = "Shooters"
version = "1"
board = "none"
arms = ["foot"]

[morale]
state = [{ id = "good" }]

[unit.shooter]
title = "Shooter"
arm = "foot"
figures = 3
range = 1

[roll.shot]
title = "shot"
mechanic = "pool"
own = { dice = "d6", need = 6 }
result = [{ id = "hit", when = "hits > 0", foe = { lose = 1 } }, { id = "miss" }]

[[phase]]
id = "fire"
title = "Fire"
mechanism = "fire"
roll = "shot"

[doctrine.shoot]
title = "shoots"
row = [{ id = "shoot", phase = "fire", do = "fire" }]

[victory]
broken = 100
"#;

fn rules(activation: &str) -> Rules {
    let mut sources = Sources::new();
    let file = sources.add("shooters.toml", format!("{SHOOTERS}\n{activation}"));
    let document = Document::parse(file, &sources).expect("the pack is TOML");
    grognard_rules::compile(&document, &sources).unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)))
}

fn setup(rules: &Rules) -> Setup {
    let unit = UnitPlan { kind: "shooter".into(), ..UnitPlan::default() };
    let side = |name: &str| SidePlan { name: name.into(), units: vec![unit.clone(); 3], ..SidePlan::default() };
    let sides = BySide::new(side("red"), side("blue"));
    deploy(rules, &Deployment { sides, turns: 3, ..Deployment::default() }).expect("it can be deployed")
}

/// Records the orders that were given.
#[derive(Default)]
struct Orders(Vec<usize>);

impl Witness for Orders {
    fn see(&mut self, _: Scene<'_>, event: &Event) {
        if let Event::Ordered { unit, order: Order::Fire, .. } = event {
            self.0.push(unit.index());
        }
    }
}

/// The units that fire in the first half-turn when these dice are rolled.
fn firing(activation: &str, faces: &[usize]) -> Vec<usize> {
    let rules = rules(activation);
    let setup = setup(&rules);
    let mut battle = setup.start.clone();
    let mut dice = ScriptedDice::new(faces.iter().copied());
    let mut orders = Orders::default();
    assert!(step(&rules, &setup, &mut battle, &mut dice, &mut orders).is_none());
    dice.finish();
    orders.0
}

#[test]
fn without_a_limit_every_unit_acts() {
    assert_eq!(firing("", &[1, 1, 1]), [0, 1, 2]);
}

#[test]
fn a_number_of_orders_goes_to_the_first_units() {
    assert_eq!(firing("[activation]\norders = 2", &[1, 1]), [0, 1]);
    assert_eq!(firing("[activation]\norders = 0", &[]), [0; 0]);
}

#[test]
fn dice_say_how_many_orders_there_are() {
    assert_eq!(firing("[activation]\ndice = \"d3\"", &[1, 5]), [0], "a 1 for one order, then its shot");
    assert_eq!(firing("[activation]\ndice = \"d3\"", &[3, 5, 5, 5]), [0, 1, 2]);
}

#[test]
fn the_other_side_gets_orders_of_its_own() {
    let rules = rules("[activation]\norders = 1");
    let setup = setup(&rules);
    let mut battle = setup.start.clone();
    let mut dice = ScriptedDice::new([1_usize, 1]);
    for _ in 0..2 {
        assert!(step(&rules, &setup, &mut battle, &mut dice, &mut Unwitnessed).is_none());
    }
    dice.finish();
}
