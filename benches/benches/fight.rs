//! Battles per second on one core: duels, battles of four units a side, of six on hexes, and of dice alone. All are
//! played step by step, and with the cache of earlier battles.

use criterion::{Criterion, Throughput};
use grognard_benches::answers::assert_on_file;
use grognard_benches::work::{ROUND, workloads};
use grognard_lab::memoised_cells::MemoisedCells;
use grognard_lab::runner::Fighter;

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("fight");
    for workload in workloads() {
        assert_on_file(workload.name, workload.digest());
        group.throughput(Throughput::Elements(ROUND.end - ROUND.start));
        group.bench_function(workload.name, |bencher| {
            bencher.iter(|| workload.study.fight(workload.cell, ROUND));
        });
        let fighter = MemoisedCells::new(&workload.study);
        group.bench_function(format!("{}-remembered", workload.name), |bencher| {
            bencher.iter(|| fighter.fight(workload.cell, ROUND));
        });
    }
    group.finish();
    criterion.final_summary();
}
