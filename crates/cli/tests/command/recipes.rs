//! The recipes for many machines, without the machines: the commands of all tasks or pods are run here, one after
//! another, and give the same results as a single run. `docs/many-machines.md` says how the recipes themselves were
//! tested.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{DUEL, Place};

fn recipe(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../recipes").join(name)
}

/// Runs a program in the folder, with `grognard` on its path.
fn runs(place: &Place, program: &str, args: &[&str], set: &[(&str, &str)]) {
    let binary = Path::new(env!("CARGO_BIN_EXE_grognard")).parent().expect("a folder");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).map(|folder| folder.into_os_string());
    let path = std::env::join_paths([binary.as_os_str().to_owned()].into_iter().chain(folders)).expect("a path");
    let output = Command::new(program)
        .args(args)
        .current_dir(place.path(""))
        .env("PATH", path)
        .envs(set.iter().copied())
        .stdin(Stdio::null())
        .output()
        .unwrap_or_else(|error| panic!("{program}: {error}"));
    assert!(output.status.success(), "{program} {args:?}\n{}", String::from_utf8_lossy(&output.stderr));
}

#[track_caller]
fn equals_one_run(place: &Place, sum: &str) {
    place.grognard("run duel.toml --runs 20_000 --no-report --quiet --out whole").ends(0);
    let file = |folder: &str| place.read(&format!("{folder}/data/summary.parquet"));
    assert!(file(sum) == file("whole"), "{sum}");
}

#[test]
fn the_tasks_of_the_slurm_array_add_up() {
    let place = Place::with_duel();
    let script = recipe("slurm-shard.sbatch");
    let script = script.to_str().expect("a name in UTF-8");
    for task in ["3", "1", "2", "4", "3"] {
        let args = [script, "duel.toml", "4", "sum", "--runs", "20_000"];
        runs(&place, "bash", &args, &[("SLURM_ARRAY_TASK_ID", task), ("SLURM_CPUS_PER_TASK", "2")]);
    }
    runs(&place, "sh", &["-c", "grognard merge sum.shards/*/ --out sum --quiet --no-report"], &[]);
    equals_one_run(&place, "sum");
}

/// The script in a manifest: the lines of its one literal block.
fn script(manifest: &str) -> String {
    let text = std::fs::read_to_string(recipe(manifest)).expect("the recipe is there");
    let mut lines = text.lines().skip_while(|line| line.trim() != "- |").skip(1).peekable();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let depth = lines.peek().map_or(0, |line| indent(line));
    let lines: Vec<&str> = lines.take_while(|line| indent(line) >= depth).collect();
    assert!(lines.iter().any(|line| line.contains("exec grognard")), "{lines:?}");
    lines.join("\n")
}

#[test]
fn the_pods_of_the_indexed_job_add_up() {
    let place = Place::with_duel();
    place.write("study/study.toml", DUEL);
    let pod = script("kubernetes/shards.yaml");
    for index in ["2", "0", "3", "1", "0"] {
        let set = [("JOB_COMPLETION_INDEX", index), ("SHARDS", "4"), ("RUNS", "20000")];
        runs(&place, "sh", &["-c", &pod], &set);
    }
    runs(&place, "sh", &["-c", &script("kubernetes/merge.yaml")], &[]);
    equals_one_run(&place, "battles/sum");
}

/// GNU parallel is not installed on every machine; if it is, the recipe is run unchanged, twice.
#[test]
fn the_recipe_for_gnu_parallel_adds_up() {
    let there = Command::new("parallel").arg("--version").output();
    if !there.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("GNU parallel")) {
        return;
    }
    let place = Place::with_duel();
    let script = recipe("parallel.sh");
    for _ in 0..2 {
        runs(&place, "bash", &[script.to_str().expect("UTF-8"), "duel.toml", "3", "sum", "--runs", "20_000"], &[]);
    }
    equals_one_run(&place, "sum");
}
