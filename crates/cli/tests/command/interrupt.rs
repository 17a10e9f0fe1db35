//! Ctrl-C.

use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use super::run::manifest;
use super::{DUEL, Place, Ran, assert_same, command, tree};

/// Starts a run that would take days, and waits until it has saved some battles.
fn begun(place: &Place) -> Child {
    let mut child = command(&place.path(""), "run duel.toml --runs 1e12 --keep 1000 --threads 2")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    let saved = || manifest(place, "results/duel")["progress"]["battles"].as_u64().is_some_and(|battles| battles > 0);
    while child.try_wait().expect("it can be asked").is_none() {
        if place.path("results/duel/manifest.json").exists() && saved() {
            return child;
        }
        sleep(Duration::from_millis(50));
    }
    panic!("a run of days has ended");
}

fn interrupt(child: &Child) {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill is there");
    assert!(sent.success());
}

#[test]
fn a_run_that_is_interrupted_keeps_what_it_has_counted() {
    let place = Place::with_duel();
    let child = begun(&place);
    interrupt(&child);
    let output = child.wait_with_output().expect("it ends");
    let ran = Ran::of("run duel.toml", &output).ends(1).says("stopping").says("resume   grognard run duel.toml");

    let manifest = manifest(&place, "results/duel");
    assert_eq!(manifest["progress"]["ending"], "stopped");
    let battles = manifest["progress"]["battles"].as_u64().expect("a count");
    assert!(battles > 0 && battles.is_multiple_of(4_096), "{battles}");
    assert!(ran.out.contains(" of 1,000,000,000,000 battles each"), "{ran:?}");
    // The folder can be read, and the run can be resumed.
    place.grognard("report results/duel").ends(0);
    let more = battles + 4_096;
    let json = place.grognard(&format!("run duel.toml --runs {more} --keep 1000 --resume --json")).ends(0).json();
    assert_eq!(json["runs"], more);
    let whole = place.grognard(&format!("run duel.toml --runs {more} --keep 1000 --out whole --json")).ends(0).json();
    assert_eq!(json["cells"], whole["cells"]);
}

#[test]
fn a_run_that_is_killed_can_be_resumed() {
    let place = Place::with_duel();
    let mut child = begun(&place);
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    let json = place.grognard("run duel.toml --runs 9_000 --resume --json --no-report").ends(0).json();
    let runs = json["runs"].as_u64().expect("a count");
    assert!(runs == 9_000 || runs.is_multiple_of(4_096), "{runs}");
}

/// Starts a command again and again until it ends by itself, letting it run longer each time. Alternately kills it and
/// interrupts it with SIGINT. Returns how often it was stopped. The first stop is a kill, not a SIGINT: it needs no
/// other program, so it comes before even the fastest run ends.
fn stopped_until_done(place: &Place, line: &str) -> u32 {
    // The first stop comes at once, the others after delays that grow by half.
    for number in 0..24 {
        let mut child = command(&place.path(""), line)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command runs");
        let mut left = (4.0 * (1.5_f64.powi(number) - 1.0)) as u32;
        while left > 0 && child.try_wait().expect("it can be asked").is_none() {
            sleep(Duration::from_millis(1));
            left -= 1;
        }
        if child.try_wait().expect("it can be asked").is_none() {
            if number % 2 == 1 {
                interrupt(&child);
            } else {
                child.kill().expect("it can be killed");
            }
        }
        if child.wait().expect("it ends").success() {
            return number as u32;
        }
    }
    panic!("{line} never came to its end");
}

/// A sum or a report that was stopped at any point can be made again as if nothing had happened.
#[test]
fn sums_and_reports_interrupted_anywhere_can_be_made_again() {
    let place = Place::with_duel();
    let line = "run duel.toml --runs 20_000 --keep all --no-report --quiet";
    for shard in [1, 2] {
        place.grognard(&format!("{line} --shard {shard}/2 --out s{shard}")).ends(0);
    }
    let merge = "merge s1 s2 --quiet --out sum --no-report";
    place.grognard(merge).ends(0);
    std::fs::rename(place.path("sum"), place.path("whole")).expect("it is there");
    assert!(stopped_until_done(&place, merge) > 0);
    assert_same(&place.path("sum"), &place.path("whole"));

    // The report is stopped while it watches battles or draws, unless it ends before this process wakes up.
    let report = "report sum --short";
    assert!(stopped_until_done(&place, report) > 0);
    let stopped = tree(&place.path("sum"));
    std::fs::remove_dir_all(place.path("sum")).expect("it is there");
    std::fs::rename(place.path("whole"), place.path("sum")).expect("it is there");
    place.grognard(report).ends(0);
    let once = tree(&place.path("sum"));
    assert_eq!(stopped.keys().collect::<Vec<_>>(), once.keys().collect::<Vec<_>>());
    assert!(stopped == once);
}

/// Interrupts runs with SIGINT, and kills every other one, at any time: while they fight, watch, ask other players,
/// write or draw their report. A run that ends by itself has finished; one that does not says so. In the end the folder
/// is the same as after one run, including the report.
#[test]
#[cfg(unix)]
fn runs_interrupted_anywhere_come_to_the_folder_of_one_run() {
    for flags in ["--precision 0.002", "--watch", "--luck"] {
        let (whole, cut) = (Place::with_duel(), Place::with_duel());
        for place in [&whole, &cut] {
            place.write("duel.toml", format!("{DUEL}\n[report]\nplayers = ['random', 'best']\n"));
        }
        let line = format!("run duel.toml --runs 20_000 --keep 6_000 --threads 2 {flags}");
        whole.grognard(&line).ends(0);
        let mut interrupted = 0;
        // The delays grow by half, from the first milliseconds to beyond the end.
        for (number, wait) in (0..16).map(|number| (number, 20.0 * 1.5_f64.powi(number))) {
            let mut child = command(&cut.path(""), &format!("{line} --resume"))
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("the command runs");
            let mut waited = 0.0;
            while waited < wait && child.try_wait().expect("it can be asked").is_none() {
                sleep(Duration::from_millis(5));
                waited += 5.0;
            }
            if child.try_wait().expect("it can be asked").is_none() {
                if number % 2 == 0 {
                    interrupt(&child);
                } else {
                    child.kill().expect("it can be killed");
                }
                interrupted += 1;
            }
            let status = child.wait().expect("it ends");
            if status.success() {
                assert!(cut.path("results/duel/report/index.html").exists());
                assert_same(&cut.path("results/duel"), &whole.path("results/duel"));
                if interrupted > 2 {
                    break;
                }
            }
        }
        assert!(interrupted > 2, "{flags}: {interrupted}");
        cut.grognard(&format!("{line} --resume")).ends(0);
        assert_same(&cut.path("results/duel"), &whole.path("results/duel"));
    }
}
