//! Chips drawn from a bag, and the units that a side activates.

use grognard_dice::ScriptedDice;
use grognard_engine::timeline::{Happening, Recorder};
use grognard_engine::{Asked, Battle, Offer, Player, Scene, Side, Steps, Unwitnessed, deploy, step};
use grognard_rules::model::Rules;

use super::{
    ARMIES, Activated, ORDER, TEST, activation, bag, bag_of, battle, chances, compiled, men, pack, rollers, rules_of,
    told, turn,
};
use crate::common::deployment;

#[test]
fn a_chip_activates_a_unit_that_has_not_acted() {
    let rules = bag("");
    // Chips 1 and 2 of the bag are the first side's, and chip 3 is the second's. If only one kind is left, no dice are
    // rolled for it.
    assert_eq!(turn(rules, &battle(rules, &["squad", "squad"], &["squad"], 1), &[3, 1, 1, 1]), [2, 0, 1]);
    assert_eq!(turn(rules, &battle(rules, &["squad", "squad"], &["squad"], 1), &[2, 1, 2, 1, 1]), [0, 2, 1]);
}

#[test]
fn only_the_activated_unit_plays_and_the_whole_other_side() {
    let both = rules_of(&pack("by = 'passive'", &bag_of("")));
    let setup = battle(both, &["squad"], &["team", "team"], 1);
    // When a team is activated, the squad fires.
    let mut dice = ScriptedDice::new([2, 1]);
    let mut after = setup.start.clone();
    let mut steps = Steps::new(both, &setup);
    assert!(steps.step(&mut after, &mut dice, &mut Unwitnessed).is_none());
    dice.finish();
    // When the squad is activated, both teams fire.
    let mut dice = ScriptedDice::new([1, 1, 1]);
    let mut after = setup.start.clone();
    assert!(steps.step(&mut after, &mut dice, &mut Unwitnessed).is_none());
    dice.finish();
}

#[test]
fn chips_that_name_units_activate_them() {
    let rules = bag("names = 'unit'\nends = 1");
    let setup = battle(rules, &["squad", "team"], &["squad"], 1);
    // There are four chips: for the squad, the team, the second side's squad, and the end of the turn.
    assert_eq!(turn(rules, &setup, &[2, 1, 2, 1, 2]), [1, 2]);
    // The second side's squad is hit before it acts. Its chip is drawn without effect, or removed from the bag.
    let plan = (&["team", "squad"][..], &["squad", "team"][..]);
    let setup = battle(bag("names = 'unit'"), plan.0, plan.1, 1);
    assert_eq!(turn(bag("names = 'unit'"), &setup, &[1, 4, 2, 1, 1, 1]), [0, 1, 3]);
    let leave = bag("names = 'unit'\nfallen = 'leave'");
    assert_eq!(turn(leave, &battle(leave, plan.0, plan.1, 1), &[1, 4, 2, 1, 1]), [0, 3, 1]);
}

/// A pack in which teams have named chips. Only teams with all their figures act, or all teams once the nearest enemy
/// has lost one. A hit falls on a team picked by dice, more often on one that has not acted.
fn shaken_teams(when: &str, weight_of_acted: u8) -> String {
    let phase = format!(
        "by = 'active'\nsimultaneous = true\ncasualties = {{ by = 'random', chances = 'self.acted ? {weight_of_acted} : 2' }}"
    );
    let keys = format!("[activation]\ncite = ['2']\nwhen = '{when}'\n[activation.bag]\ncite = ['1']\nnames = 'unit'\n");
    pack(&phase, &keys).replace("broken = 100", "broken = 30")
}

#[test]
fn who_cannot_act_just_now_has_a_chip_of_its_own() {
    let rules = rules_of(&shaken_teams("self.figures == 2", 0));
    let setup = battle(rules, &["team", "team", "team"], &["team", "team", "team"], 1);
    // The first team hits an enemy team, and another enemy team hits the second team. Of the remaining chips, in the
    // order of their units, those of teams 1 and 3 would have no effect.
    let story = told(rules, &setup, &[1, 4, 4, 4, 3, 1, 2, 1, 1]);
    let lines: Vec<&str> = story.iter().map(|line| line.trim()).filter(|line| line.contains("is drawn")).collect();
    assert_eq!(
        lines,
        [
            "The chip of Team (first 1) is drawn [1].",
            "The chip of Team (second 2) is drawn [1].",
            "The chip of Team (second 1) is drawn, to no effect [1].",
            "The chip of Team (first 2) is drawn, to no effect [1].",
            "The chip of Team (second 3) is drawn [1].",
            "The chip of Team (first 3) is drawn [1].",
        ]
    );
}

#[test]
fn equal_armies_whose_units_cannot_always_act_have_equal_chances() {
    let rules = rules_of(&shaken_teams("self.figures == 2 || foe.figures == 1", 1));
    let chances = chances(rules, &battle(rules, &["team"; 3], &["team"; 3], 1));
    assert!(chances[0] > 0.01, "{chances:?}");
    assert!((chances[0] - chances[1]).abs() < 1e-12, "{chances:?}");
}

#[test]
fn who_has_acted_is_not_like_who_has_not() {
    let phase = "by = 'active'\nsimultaneous = true\ncasualties = { by = 'random', chances = 'self.acted ? 0 : 1' }";
    let rules = rules_of(&pack(phase, &bag_of("")));
    let setup = battle(rules, &["squad", "squad"], &["squad", "squad"], 1);
    // The first squad acts. Then an enemy squad hits the second, whose chip is drawn without effect.
    assert_eq!(turn(rules, &setup, &[1, 1, 2, 4, 1, 1]), [0, 2, 3]);
}

#[test]
fn units_put_in_as_many_chips_as_a_formula_says() {
    let rules = bag("chips = 'self.rank == 9 ? 3 : 1'\nagain = true");
    let setup = battle(rules, &["staff"], &["squad"], 1);
    assert_eq!(turn(rules, &setup, &[4, 1, 1, 1, 1]), [1, 0, 0, 0]);
    // Without `again`, the second and third chip of a lone unit have no effect.
    let once = bag("chips = 'self.rank == 9 ? 3 : 1'");
    assert_eq!(turn(once, &battle(once, &["staff"], &["squad"], 1), &[1, 1, 1, 1, 1]), [0, 1]);
}

#[test]
fn who_may_not_be_activated_puts_nothing_in() {
    let keys = "[activation]\nwhen = 'self.rank > 0'\n[activation.bag]\ncite = ['1']\n";
    let rules = rules_of(&pack("", keys));
    assert_eq!(turn(rules, &battle(rules, &["squad", "team"], &["team", "squad"], 1), &[2, 1, 1]), [2, 1]);
    let named = rules_of(&pack("", &format!("{keys}names = 'unit'\n")));
    assert_eq!(turn(named, &battle(named, &["squad", "team"], &["team", "squad"], 1), &[2, 1, 1]), [2, 1]);
}

#[test]
fn a_doctrine_says_whom_to_activate() {
    let text = pack("", &bag_of("")).replace("row = []", "row = []\nactivates = 'self.rank'");
    let rules = rules_of(&text);
    let setup = battle(rules, &["squad", "staff", "team"], &["squad"], 1);
    assert_eq!(turn(rules, &setup, &[1, 1, 1, 1, 1, 1, 1]), [1, 2, 0, 3]);
}

#[test]
fn armies_with_too_many_activations_are_refused() {
    let refused = |rules: &Rules, first: usize, second: usize| {
        let plan = deployment(("plain", &men(&vec!["squad"; first])), ("plain", &men(&vec!["squad"; second])));
        deploy(rules, &plan).err().map(|faults| {
            assert_eq!(faults.len(), 1, "{faults:#?}");
            (faults[0].path.clone(), faults[0].message.clone())
        })
    };
    let said = |side: &str, units: u32, activations: u32| {
        let most = "but at most 128 are possible";
        Some((
            format!("{side}.units"),
            format!("a turn of these {units} units can have {activations} activations, {most}"),
        ))
    };
    let three = bag("chips = 'self.rank == 9 ? 3 : 1'\nagain = true");
    assert_eq!(refused(three, 21, 21), None);
    assert_eq!(refused(three, 21, 22), said("second", 43, 129));
    let ends = bag("chips = 3\nends = 5\nafter = 4");
    assert_eq!(refused(ends, 21, 20), None);
    assert_eq!(refused(ends, 21, 21), said("first", 42, 129));
    let again = activation(&format!("{TEST}again = 2{ORDER}"));
    assert_eq!(refused(again, 21, 21), None);
    assert_eq!(refused(again, 12, 31), said("second", 43, 129));
    assert_eq!(refused(bag("names = 'unit'\nends = 20\nafter = 20"), 31, 31), None);
}

#[test]
fn a_bag_into_which_no_unit_puts_a_chip_is_refused() {
    let faults = |rules: &Rules, kinds: [&str; 2]| {
        let plan = deployment(("plain", &men(&[kinds[0]])), ("plain", &men(&[kinds[1]])));
        deploy(rules, &plan).err().unwrap_or_default()
    };
    let rules = bag("chips = 'self.rank == 9 ? 1 : 0'");
    let refused = faults(rules, ["squad", "team"]);
    assert_eq!(refused.len(), 1, "{refused:#?}");
    assert_eq!(refused[0].path, "first.units");
    assert_eq!(refused[0].message, "the bag has no chips: no unit of either side puts one in");
    // One unit with a chip is enough, and so is a later turn with chips.
    assert!(faults(rules, ["squad", "staff"]).is_empty());
    assert!(faults(bag("chips = 'turn > 2 ? 1 : 0'"), ["squad", "team"]).is_empty());
}

/// Activates the last offer, and records what was offered.
struct Last(Vec<Vec<usize>>);

impl Player for Last {
    fn plays(&self, side: Side) -> bool {
        side == Side::First
    }

    fn choose(&mut self, _: Scene<'_>, asked: &Asked<'_>) -> usize {
        assert_eq!(asked.doctrine, 0);
        let unit = |offer: &Offer| if let Offer::Activate(id) = offer { id.index() } else { panic!("{offer:?}") };
        self.0.push(asked.offers.iter().map(unit).collect());
        asked.offers.len() - 1
    }
}

#[test]
fn a_player_chooses_whom_to_activate() {
    let rules = bag("");
    let setup = battle(rules, &["squad", "team", "squad"], &["team"], 1);
    let mut player = Last(Vec::new());
    let mut dice = ScriptedDice::new([1, 1, 1, 1, 2, 1, 1]);
    let (mut battle, mut seen) = (setup.start.clone(), Activated::default());
    while Steps::new(rules, &setup).step_as(&mut battle, &mut dice, &mut seen, &mut player).is_none() {}
    // The squads are identical, so they are offered as one.
    assert_eq!(player.0, [vec![0, 1], vec![0]][..1]);
    assert_eq!(seen.0, [1, 0, 3, 2]);
}

#[test]
fn going_on_with_a_unit_is_an_offer_of_its_own() {
    let rules = activation(&format!("{TEST}again = 1{ORDER}"));
    let setup = battle(rules, &["team", "team"], &["team"], 1);
    let mut player = Last(Vec::new());
    // Every order test is passed and every shot misses, but the enemy fails its test.
    let mut dice = ScriptedDice::new([3, 1, 3, 1, 3, 1, 2]);
    let (mut battle, mut seen) = (setup.start.clone(), Activated::default());
    while Steps::new(rules, &setup).step_as(&mut battle, &mut dice, &mut seen, &mut player).is_none() {}
    dice.finish();
    assert_eq!(player.0, [[0, 1]]);
    assert_eq!(seen.0, [0, 1, 1, 2]);
}

#[test]
fn equal_armies_have_equal_chances_in_any_order() {
    for keys in ["", "ends = 1", "fallen = 'leave'", "chips = 'self.rank > 0 ? 2 : 1'\nagain = true", "names = 'unit'"]
    {
        let rules = rules_of(&pack(ARMIES, &bag_of(keys)));
        let army = ["squad", "team", "squad"];
        let straight = chances(rules, &battle(rules, &army, &army, 2));
        assert!((straight[0] - straight[1]).abs() < 1e-12, "{keys}: {straight:?}");
        for other in [["team", "squad", "squad"], ["squad", "squad", "team"]] {
            let turned = chances(rules, &battle(rules, &army, &other, 2));
            for (one, other) in straight.iter().zip(turned) {
                assert!((one - other).abs() < 1e-12, "{keys}: {straight:?} and {turned:?}");
            }
        }
    }
}

#[test]
fn counters_change_with_the_turn_and_with_the_activated_unit() {
    let counters = "[counter.spent]\nmax = 9\ncite = ['1']\n\
        [[counter.spent.change]]\nid = 'acts'\non = 'phase'\nphase = 'fire'\nwhen = 'self.spent < 9'\nadd = 1\ncite = ['1']\n\
        [[counter.spent.change]]\nid = 'rests'\non = 'turn-begins'\nwhen = 'self.spent > 1'\nset = 1\ncite = ['1']\n";
    let rules = rules_of(&pack("", &format!("{}{counters}", bag_of("side = 2\nagain = true"))));
    let setup = battle(rules, &["squad", "squad"], &["squad"], 2);
    let mut battle = setup.start.clone();
    let mut dice = ScriptedDice::new([1, 1, 1, 1, 1, 1]);
    let spent = |battle: &Battle| [0, 1, 2].map(|unit| battle.units[unit].counters.get(0));
    let mut seen = Vec::new();
    // Two chips of the first side are drawn, one for each squad, and then those of the second. From then on, no dice
    // are rolled for the chips.
    for _ in 0..6 {
        assert!(step(rules, &setup, &mut battle, &mut dice, &mut Unwitnessed).is_none());
        seen.push(spent(&battle));
        if battle.turn == 2 {
            break;
        }
    }
    dice.finish();
    assert_eq!(seen, [[1, 0, 0], [1, 1, 0], [1, 1, 1], [1, 1, 2], [1, 1, 2]]);
    let mut dice = ScriptedDice::new([1, 1]);
    assert!(step(rules, &setup, &mut battle, &mut dice, &mut Unwitnessed).is_none());
    assert_eq!(spent(&battle), [2, 1, 1], "who has more than 1 rests as the turn begins, and the first acts");
}

#[test]
fn what_is_drawn_is_narrated_and_cited() {
    let rules = bag("ends = 2\nafter = 2");
    let setup = battle(rules, &["squad", "squad"], &["team"], 1);
    let story = told(rules, &setup, &[3, 1, 3, 3]);
    let expected = "\
Squad (first 1): 1 figure
Squad (first 2): 1 figure
Team (second): 2 figures
Turn 1, Team (second)
      second's chip is drawn; left in the bag: 2 first, 0 second [1].
  Fire
    Team (second): fire, against Squad (first 1).
      rolls d6 for 4 or more: 1, 0 hits: misses (otherwise).
Turn 1
      A chip that ends the turn is drawn: 1 of 2 needed [1].
Turn 1
      A chip that ends the turn is drawn [1].
Nobody wins after turn 1, the last: first lost 0 of 2 figures, second lost 0 of 2 figures.";
    assert_eq!(story.join("\n"), expected);
    let vain = told(bag("side = 2"), &battle(bag("side = 2"), &["squad"], &["squad"], 1), &[1, 1, 1, 1]);
    let lines: Vec<&str> = vain.iter().map(|line| line.trim()).filter(|line| line.contains("to no effect")).collect();
    assert_eq!(
        lines,
        [
            "first's chip is drawn, to no effect; left in the bag: 0 first, 2 second [1].",
            "second's chip is drawn, to no effect; left in the bag: 0 first, 0 second [1]."
        ]
    );
}

#[test]
fn chips_that_are_taken_out_are_narrated_and_cited() {
    let rules = bag("fallen = 'leave'\ncites = { fallen = ['2'] }");
    let story = |second: &[&str], faces: &[i32]| {
        let lines = told(rules, &battle(rules, &["team", "squad"], second, 1), faces);
        lines.into_iter().map(|line| line.trim().to_owned()).filter(|line| line.contains("chip")).collect::<Vec<_>>()
    };
    // The team's shot kills the squad before it acts: of the enemy's two chips, one is left.
    assert_eq!(
        story(&["squad", "team"], &[1, 4, 1, 1, 1]),
        [
            "first's chip is drawn; left in the bag: 1 first, 2 second [1].",
            "1 chip of second is taken out of the bag [2].",
            "first's chip is drawn; left in the bag: 0 first, 1 second [1].",
            "second's chip is drawn; left in the bag: 0 first, 0 second [1].",
        ]
    );
    // If it misses, no chip is taken out.
    let missed = story(&["squad", "team"], &[1, 1, 1, 1, 1, 1]);
    assert!(missed.len() == 4 && missed.iter().all(|line| !line.contains("taken out")), "{missed:?}");
}

#[test]
fn those_that_have_not_acted_react() {
    let rules = rules_of(&pack("by = 'passive'\nwhen = '!self.acted'", &bag_of("")));
    let setup = battle(rules, &["team"], &["team", "team"], 1);
    // The first side's team is activated, and both enemy teams fire at it. Then an enemy team is activated, and no unit
    // fires at it.
    assert_eq!(rollers(rules, &setup, 1, &[1, 1, 1]), [1, 2]);
    // An enemy team is activated first, and the first side's team fires at it. Then that team is activated, and the
    // last enemy team fires at it. The last enemy team follows.
    assert_eq!(rollers(rules, &setup, 1, &[2, 1, 1, 1]), [0, 2]);
    assert_eq!(compiled(&pack("when = '!self.acted'", "")).expect_err("whole sides move").0, 1);
}

#[test]
fn each_activation_is_a_part_of_the_timeline() {
    let rules = bag("");
    let setup = battle(rules, &["team", "team"], &["team"], 1);
    let (mut battle, mut recorder) = (setup.start.clone(), Recorder::default());
    let mut dice = ScriptedDice::new([3, 1, 1, 1]);
    while step(rules, &setup, &mut battle, &mut dice, &mut recorder).is_none() {}
    let timeline = recorder.timeline().expect("a battle");
    let begins = timeline.moments.iter().skip(1).filter(|moment| moment.happening == Happening::Begins);
    assert_eq!(
        begins.map(|moment| (moment.side, moment.unit)).collect::<Vec<_>>(),
        [(1, Some(2)), (0, Some(0)), (0, Some(1))]
    );
}
