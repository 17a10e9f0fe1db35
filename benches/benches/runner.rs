//! The runner: the headline study with one thread and with two, counted only and with every battle kept in a folder.

use criterion::{BatchSize, Criterion, SamplingMode, Throughput};
use grognard_benches::answers::{SIGNATURE, assert_on_file, fought};
use grognard_benches::work::{SIGNATURE_RUNS, headline};
use grognard_lab::folder_run::FolderRun;
use grognard_lab::progress::{Silent, Stop};
use grognard_lab::runner::{Keep, Shard};

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let study = headline(SIGNATURE_RUNS);
    let mut group = criterion.benchmark_group("runner");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    group.throughput(Throughput::Elements(SIGNATURE_RUNS * study.cells.len() as u64));
    for threads in [1, 2] {
        assert_on_file(SIGNATURE, fought(&study, threads).digest);
        group.bench_function(format!("counted/{threads}-threads"), |bencher| bencher.iter(|| fought(&study, threads)));
        group.bench_function(format!("kept/{threads}-threads"), |bencher| {
            let folder = || tempfile::tempdir().expect("a temporary folder");
            let run = |folder: tempfile::TempDir| {
                let folder_run = FolderRun {
                    folder: folder.path().join("results"),
                    resume: false,
                    shard: Shard::WHOLE,
                    precision: None,
                    level: Default::default(),
                    promise: Default::default(),
                    luck: false,
                    watch: false,
                    keep: Keep::All,
                    threads,
                    command: String::new(),
                };
                folder_run.fight(&study, &Silent, &Stop::new()).expect("the folder can be written");
                folder
            };
            bencher.iter_batched(folder, run, BatchSize::PerIteration);
        });
    }
    group.finish();
    criterion.final_summary();
}
