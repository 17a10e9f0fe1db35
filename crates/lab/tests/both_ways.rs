//! Battles fought both ways: dice belong to the role, so equal armies win exactly half, and luck that favours a role
//! cancels out.

use grognard_dice::{Address, Decision, Dice, PURPOSES, SeededDice, Shown};
use grognard_engine::{Outcome, Side, Unwitnessed, fight};
use grognard_lab::runner::Fighter;
use grognard_lab::study::{Cell, Changes, Study};
use grognard_lab::tally::{CellTally, Histogram};
use grognard_source::Sources;
use grognard_stats::Sums;

fn study(text: &str) -> Study {
    let mut sources = Sources::new();
    let file = sources.add("study.toml", text);
    Study::read(file, None, &Changes::default(), &mut sources)
        .unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)))
}

/// Battalions that charge each other; the second side's has this many figures.
fn battalions(figures: u16) -> Study {
    study(&format!(
        r#"
        study = "equals"
        pack = "napoleonic-figures"
        both-ways = true
        runs = 4_000
        distance = 12
        [side.red]
        doctrine = "charge-home"
        units = [{{ type = "line-battalion", at = [0, 16] }}]
        [side.blue]
        doctrine = "charge-home"
        units = [{{ type = "line-battalion", at = [0, 0], figures = {figures} }}]
        "#
    ))
}

const HORSE_ON_HEXES: &str = r#"
    study = "equals"
    pack = "ancients-hex"
    both-ways = true
    turns = 10
    [side.rome]
    doctrine = "line"
    units = [{ type = "medium-cavalry", at = [0, 3] }, { type = "heavy-infantry", at = [1, 3] }]
    [side.carthage]
    doctrine = "line"
    units = [{ type = "medium-cavalry", at = [1, 0] }, { type = "heavy-infantry", at = [0, 0] }]
"#;

const POINTS: &str = r#"
    study = "equals"
    pack = "napoleonic-pips"
    both-ways = true
    turns = 6
    distance = 6
    [side.red]
    doctrine = "charge-home"
    units = [{ type = "cavalry", at = [0, 8] }, { type = "infantry", at = [4, 8] }]
    [side.blue]
    doctrine = "charge-home"
    units = [{ type = "cavalry", at = [4, 0] }, { type = "infantry", at = [0, 0] }]
"#;

#[test]
fn equal_armies_come_out_at_exactly_half() {
    for study in [battalions(12), study(HORSE_ON_HEXES), study(POINTS)] {
        let pack = study.pack.name.clone();
        let mut tally = CellTally::new(false).with_rounds(true);
        tally.count(&study.fight(0, 0..2_000).into_iter().collect());
        assert_eq!(tally.outcomes[0], tally.outcomes[1], "{pack}: {:?}", tally.outcomes);
        assert!(tally.outcomes[0] > 100, "{pack}: something is decided");
        let rounds = tally.rounds.unwrap();
        assert_eq!(rounds.margin.iter().collect::<Vec<_>>(), [(0, 1_000)], "{pack}: not one round differs");
        assert_eq!(tally.metrics.first, tally.metrics.second, "{pack}");
    }
}

/// Dice that belong to the army: in battles with the roles exchanged, each decision of one seat draws the other seat's
/// dice.
struct ByArmy(SeededDice);

fn other_seat(at: Address) -> Address {
    Address { lane: at.lane ^ 1, purpose: (at.purpose + PURPOSES / 2) % PURPOSES, ..at }
}

impl Dice for ByArmy {
    fn decide(&mut self, at: Address, decision: &dyn Decision) -> usize {
        self.0.decide(other_seat(at), decision)
    }

    fn shown(&mut self, at: Address, decision: &dyn Decision, outcome: usize) -> Vec<Shown> {
        self.0.shown(other_seat(at), decision, outcome)
    }
}

/// The battles of a cell as they would be if dice belonged to the army.
fn by_army(study: &Study, cell: &Cell, battles: u64) -> Vec<Outcome> {
    let fight_one = |battle: u64| {
        let bout = cell.bout(battle);
        let mut dice = SeededDice::new(study.seed);
        dice.battle(bout.dice);
        if bout.swapped {
            fight(&cell.rules, bout.setup, &mut ByArmy(dice), &mut Unwitnessed).swap()
        } else {
            fight(&cell.rules, bout.setup, &mut dice, &mut Unwitnessed)
        }
    };
    (0..battles).map(fight_one).collect()
}

/// Variance of the first side's wins minus the second's, over rounds of two battles and over single battles.
fn variances(outcomes: &[Outcome]) -> (f64, f64) {
    let mut tally = CellTally::new(false).with_rounds(true);
    tally.count(&outcomes.iter().copied().collect());
    let one_by_one: Histogram = outcomes
        .iter()
        .map(|outcome| match outcome.winner {
            Some(Side::First) => (1, 1),
            Some(_) => (-1, 1),
            None => (0, 1),
        })
        .collect();
    let rounds = tally.rounds.unwrap();
    (Sums::of(rounds.margin.iter()).variance(), Sums::of(one_by_one.iter()).variance())
}

#[test]
fn dice_that_go_with_the_role_beat_independent_ones_and_those_that_go_with_the_army() {
    // 12 figures against 10. Two independent battles have twice the variance of one.
    let study = battalions(10);
    let (role, alone) = variances(&study.fight(0, 0..4_000));
    let (army, _) = variances(&by_army(&study, &study.cells[0], 4_000));
    let independent = 2.0 * alone;
    println!("by role ×{:.3}, by army ×{:.3}", role / independent, army / independent);
    assert!(role < 0.7 * independent, "by role {role:.3}, independent {independent:.3}");
    assert!(role < 0.7 * army, "by role {role:.3}, by army {army:.3}");
}

#[test]
fn a_round_has_two_battles() {
    let mut sources = Sources::new();
    let text = "study = 'odd'\npack = 'risk'\nboth-ways = true\nruns = 7\n[side.a]\nunits = [{ type = 'army' }]\n\
        [side.b]\nunits = [{ type = 'army' }]\n";
    let file = sources.add("study.toml", text);
    let faults = Study::read(file, None, &Changes::default(), &mut sources).unwrap_err();
    let said = faults.render(&sources, false);
    assert!(said.contains("7 is an odd number of battles") && said.contains("study.toml:4:8"), "{said}");
}
