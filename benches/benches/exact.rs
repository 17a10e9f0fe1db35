//! Exact odds on one core: whole battles of the headline study, from the front and on the flank, and battles of dice
//! alone.

use std::ops::ControlFlow;

use criterion::Criterion;
use grognard_benches::work::{headline, workloads};
use grognard_exact::{Limits, Solution, solve};
use grognard_lab::study::Cell;

fn solved(cell: &Cell) -> Solution {
    let solution = solve(&cell.rules, &cell.setup, &Limits::default(), &mut |_| ControlFlow::Continue(()));
    let solution = solution.unwrap_or_else(|error| panic!("{}: {error}", cell.header.label));
    let all = solution.chance(|_| true);
    assert!((all.value - 1.0).abs() <= all.error, "{}: all battles are {all:?}", cell.header.label);
    solution
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("exact");
    group.sample_size(10);
    let duels = headline(1);
    let risk = workloads().into_iter().find(|workload| workload.name == "risk-10-10").expect("a workload of that name");
    for (name, cell) in [
        ("line-heavy-cavalry-front", &duels.cells[0]),
        ("line-heavy-cavalry-flank", &duels.cells[1]),
        ("line-line-battalion-front", &duels.cells[6]),
        ("risk-10-10", &risk.study.cells[risk.cell as usize]),
    ] {
        group.bench_function(name, |bencher| bencher.iter(|| solved(cell)));
    }
    group.finish();
    criterion.final_summary();
}
