//! The mixed study of the hex pack reaches every clause that a battle can reach.

use grognard_lab::coverage::coverage;
use grognard_lab::progress::{Silent, Stop};
use grognard_lab::study::{Changes, Study};
use grognard_source::Sources;

#[test]
fn mixed_battles_reach_every_clause_that_a_battle_can_reach() {
    let mut sources = Sources::new();
    let file = sources.add("hex-everything.toml", include_str!("../../../studies/hex-everything.toml"));
    let study = Study::read(file, None, &Changes::default(), &mut sources)
        .unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)));
    let seen = coverage(&study, 60, &Silent, &Stop::new()).expect("nobody stops it");
    let is_seen = |clause: &str| seen.clauses().get(clause).is_some_and(|count| count.battles > 0);
    for clause in study.cells[0].rules.clauses.iter() {
        assert_ne!(is_seen(&clause.id), clause.unreached.is_some(), "{}: {:?}", clause.id, clause.unreached);
    }
}
