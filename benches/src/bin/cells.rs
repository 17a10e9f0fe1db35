//! `just cells`: the cost of setting up and fighting a cell in a study with many cells.
//!
//! Duels of every size of two armies, and of every length, with one battle each: the time until a cell can be fought,
//! the time until all results are written, and the memory used, for each cell.

use grognard_benches::cpu::Clocks;
use grognard_benches::work::duels;
use grognard_lab::folder_run::FolderRun;
use grognard_lab::progress::{Silent, Stop};
use grognard_lab::results::Promise;
use grognard_lab::runner::{Keep, Shard};
use grognard_stats::Level;

fn main() {
    let turns = std::env::args().nth(1).and_then(|turns| turns.parse().ok()).unwrap_or(6);
    let (before, clocks) = (resident(), Clocks::start());
    let study = duels(turns);
    let cells = study.cells.len();
    let said = |what: &str, clocks: &Clocks| {
        let each = 1e6 * clocks.elapsed().cpu_s() / cells as f64;
        let bytes = resident().saturating_sub(before) as f64 / cells as f64;
        println!("{cells} cells {what}: {each:.0} µs of one core and {bytes:.0} bytes each");
    };
    said("set up", &clocks);
    let folder = tempfile::tempdir().expect("a folder for the results");
    let folder_run = FolderRun {
        folder: folder.path().join("results"),
        resume: false,
        shard: Shard::WHOLE,
        precision: None,
        level: Level::P95,
        promise: Promise::default(),
        luck: false,
        watch: false,
        keep: Keep::First(0),
        threads: 1,
        command: String::new(),
    };
    let clocks = Clocks::start();
    let results = folder_run.fight(&study, &Silent, &Stop::new()).expect("results");
    said("fought and written", &clocks);
    drop(results);
}

/// Memory of the process in bytes; 0 if the system does not report it.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes: u64 = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok()).unwrap_or(0);
    1024 * kilobytes
}
