//! The mixed study of the command point pack reaches every clause that a battle can reach.

use grognard_lab::coverage::coverage;
use grognard_lab::progress::{Silent, Stop};
use grognard_lab::study::{Changes, Study};
use grognard_rules::source::Sources;

/// Clauses that no battle can bring into play, and why.
const BEYOND: &[(&str, &str)] = &[("KB2", "the size of a division is checked while a battle is set up")];

#[test]
fn mixed_battles_reach_every_clause_that_a_battle_can_reach() {
    let mut sources = Sources::new();
    let file = sources.add("pips-everything.toml", include_str!("../../../studies/pips-everything.toml"));
    let study = Study::read(file, None, &Changes::default(), &mut sources)
        .unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)));
    let seen = coverage(&study, 30, &Silent, &Stop::new()).expect("nobody stops it");
    let registered = study.cells[0].rules.clauses.iter().map(|clause| clause.id.as_str());
    let missing: Vec<&str> =
        registered.filter(|clause| seen.clauses().get(*clause).is_none_or(|count| count.battles == 0)).collect();
    let beyond: Vec<&str> = BEYOND.iter().map(|(clause, _)| *clause).collect();
    assert_eq!(missing, beyond, "reached by no battle on the left, stated on the right");
}
