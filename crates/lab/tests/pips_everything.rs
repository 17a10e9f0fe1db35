//! The mixed study of the command point pack reaches every clause that a battle can reach.

use grognard_lab::coverage::coverage;
use grognard_lab::progress::{Silent, Stop};
use grognard_lab::study::{Changes, Study};
use grognard_source::Sources;

#[test]
fn mixed_battles_reach_every_clause_that_a_battle_can_reach() {
    let mut sources = Sources::new();
    let file = sources.add("pips-everything.toml", include_str!("../../../studies/pips-everything.toml"));
    let study = Study::read(file, None, &Changes::default(), &mut sources)
        .unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)));
    let seen = coverage(&study, 300, &Silent, &Stop::new()).expect("nobody stops it");
    let clauses = &study.cells[0].rules.clauses;
    let reached = |clause: &str| seen.clauses().get(clause).is_some_and(|count| count.battles > 0);
    let missing: Vec<&str> = clauses.iter().map(|clause| &*clause.id).filter(|clause| !reached(clause)).collect();
    let beyond: Vec<&str> =
        clauses.iter().filter(|clause| clause.unreached.is_some()).map(|clause| &*clause.id).collect();
    assert_eq!(missing, beyond, "reached by no battle on the left, stated by the pack on the right");
}
