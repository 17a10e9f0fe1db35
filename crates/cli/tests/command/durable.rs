//! Nothing is lost: kills, full disks, folders that cannot be written, damaged parts.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use super::{Place, Ran, assert_same, command, tree};

const SUMS: [&str; 2] = ["data/summary.parquet", "data/tallies.parquet"];

#[track_caller]
fn assert_same_sums(place: &Place, one: &str, other: &str) {
    for file in SUMS {
        assert!(place.read(&format!("{one}/{file}")) == place.read(&format!("{other}/{file}")), "{file}");
    }
}

/// The names and sizes of all files in a results folder. The result changes whenever a file is begun, grows or is
/// finished.
fn look(folder: &Path) -> BTreeMap<String, u64> {
    let mut seen = BTreeMap::new();
    for folder in ["", "data", "data/battles", "data/battle_sides"].map(|below| folder.join(below)) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let size = entry.metadata().map_or(0, |data| data.len());
            seen.insert(entry.path().to_string_lossy().into_owned(), size);
        }
    }
    seen
}

/// Kills a run with SIGKILL after the first, second, third … change seen on the disk, always in the same folder. The
/// moments differ from machine to machine; the final result does not.
#[test]
fn a_run_killed_at_many_moments_comes_to_the_same_bytes() {
    let place = Place::with_duel();
    let line = "run duel.toml --runs 100_000 --keep all --threads 2 --no-report --quiet";
    place.grognard(&format!("{line} --out whole")).ends(0);
    let mut kills = 0;
    for changes in 0..14 {
        let mut child = command(&place.path(""), &format!("{line} --out killed --resume"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command runs");
        let (mut seen, mut last) = (0, look(&place.path("killed")));
        while seen < changes && child.try_wait().expect("it can be asked").is_none() {
            let now = look(&place.path("killed"));
            seen += u32::from(now != last);
            last = now;
            sleep(Duration::from_millis(1));
        }
        let ended = child.try_wait().expect("it can be asked").is_some();
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        kills += u32::from(!ended);
        if place.path("killed/manifest.json").exists() && place.path("killed/data/summary.parquet").exists() {
            break;
        }
    }
    assert!(kills > 2, "{kills}");
    place.grognard(&format!("{line} --out killed --resume")).ends(0);
    assert_same(&place.path("killed"), &place.path("whole"));
}

#[test]
fn whatever_differs_from_what_is_resumed_is_named() {
    let place = Place::with_duel();
    place.grognard("run duel.toml --no-report --out pieces").ends(0);
    let resume = |more: &str| place.grognard(&format!("run duel.toml --no-report --out pieces --resume {more}"));
    let before = place.read("pieces/manifest.json");
    let refused = |ran: Ran, words: &str| {
        ran.refused("pieces holds battles of another series").says(words).says("otherwise use another folder");
    };
    refused(resume("--seed 2"), "the seed is 1 there and 2 here");
    refused(
        resume("--set attacker.0.figures=6"),
        "`set.\"attacker.0.figures\"` of the study is not set there and 6 here",
    );
    refused(resume("--set unit.army.figures=39"), "`unit.army.figures` of the pack is 40 there and 39 here");
    refused(resume("--set defender.0.figures=3"), "`vary.\"defender.0.figures\"");
    resume("--shard 2/2 --runs 100_000").refused("begins with battle 0, but the share requested begins with battle");
    let text = String::from_utf8(before.clone()).expect("JSON is text");
    place.write("pieces/manifest.json", text.replace("\"seed\": 1,", "\"seed\": 2,"));
    resume("--seed 2").refused("pieces/manifest.json is damaged").says("made.seal");
    place.write("pieces/manifest.json", &before);
    // Which cells are compared does not affect the battles, but it affects what is counted.
    let study = String::from_utf8(place.read("duel.toml")).expect("text");
    place.write("duel.toml", format!("{study}\n[report]\nbaseline = 2\n"));
    refused(resume("--runs 9_000"), "the baseline of cell 0 is cell 0 there and cell 2 here");
    assert_eq!(place.read("pieces/manifest.json"), before);
}

#[test]
fn a_folder_in_which_nothing_was_begun_is_begun() {
    let place = Place::with_duel();
    place.grognard("run duel.toml --no-report --out whole").ends(0);
    let ran = place.grognard("run duel.toml --no-report --out pieces --resume").ends(0);
    ran.says("no run to resume in pieces");
    // The files that a kill before the first manifest leaves behind.
    place.write("early/.grognard-manifest.json", "{\"form");
    place.grognard("run duel.toml --no-report --out early --resume").ends(0);
    for folder in ["pieces", "early"] {
        assert_same_sums(&place, folder, "whole");
    }
    place.write("mine/thesis.tex", "years of work");
    place.grognard("run duel.toml --no-report --out mine --resume").refused("is not a results folder");
    assert_eq!(place.list("mine"), ["thesis.tex"]);
}

/// A file-size limit acts like a full disk, whether its signal is ignored or would end the process.
#[test]
#[cfg(unix)]
fn a_full_disk_is_reported_and_what_is_written_kept() {
    for (signal, flags) in [("trap '' XFSZ;", "--keep all"), ("", "--keep all --luck")] {
        a_limit_on_files_is_reported(signal, flags);
    }
}

/// Runs `grognard` with files limited to this many blocks of 512 bytes each.
#[cfg(unix)]
fn limited(place: &Place, signal: &str, blocks: u64, line: &str) -> Ran {
    let script = format!("{signal} ulimit -f {blocks}; exec '{}' {line}", env!("CARGO_BIN_EXE_grognard"));
    let output =
        Command::new("sh").args(["-c", &script]).current_dir(place.path("")).output().expect("a shell is there");
    Ran::of(&script, &output)
}

/// The file-size limit while shards are added up, and while a report is written. Afterwards, both can be done again.
#[test]
#[cfg(unix)]
fn a_full_disk_is_reported_by_a_sum_and_a_report() {
    let place = Place::with_duel();
    let line = "run duel.toml --runs 16_384 --keep all --no-report --quiet";
    place.grognard(&format!("{line} --out whole")).ends(0);
    for shard in [1, 2] {
        place.grognard(&format!("{line} --shard {shard}/2 --out s{shard}")).ends(0);
    }
    let merge = "merge s1 s2 --no-report --quiet --out sum";
    let largest = look(&place.path("s1")).into_values().max().expect("there are files");
    let ran = limited(&place, "", largest / 1024, merge).ends(1).says("error: cannot write sum");
    assert_eq!(ran.out, "", "{ran:?}");
    place.grognard(merge).ends(0);
    assert_same(&place.path("sum"), &place.path("whole"));

    place.grognard("report sum --short").ends(0);
    let short = tree(&place.path("sum"));
    // There is no page, because its font alone is larger.
    let ran = limited(&place, "", 16, "report sum").ends(1).says("error: cannot write sum/report/");
    assert_eq!(ran.out, "", "{ran:?}");
    assert!(!place.path("sum/report/index.html").exists(), "a page means a complete report");
    assert!(place.list("sum/report").iter().all(|name| !name.starts_with(".grognard-") || name == ".grognard-files"));
    place.grognard("report sum --short").ends(0);
    let again = tree(&place.path("sum"));
    assert_eq!(again.keys().collect::<Vec<_>>(), short.keys().collect::<Vec<_>>());
    assert!(again == short);
}

#[cfg(unix)]
fn a_limit_on_files_is_reported(signal: &str, flags: &str) {
    let place = Place::with_duel();
    let line = |runs: u32, out: &str| format!("run duel.toml --runs {runs} {flags} --no-report --out {out}");
    place.grognard(&line(60_000, "whole")).ends(0);
    place.grognard(&line(8_192, "pieces")).ends(0);
    let largest = look(&place.path("pieces")).into_values().max().expect("there are files");
    let limit = largest / 512 + 8;
    let ran = limited(&place, signal, limit, &format!("{} --resume", line(60_000, "pieces"))).ends(1);
    assert_eq!(ran.out, "", "{ran:?}");
    let ran = ran.says("error: cannot write pieces").says("battles of each cell are saved");
    ran.says(" --out pieces").says(" --resume").says(flags.split(' ').next_back().expect("a word"));
    place.grognard("report pieces").ends(0);
    place.grognard(&format!("{} --resume", line(60_000, "pieces"))).ends(0);
    assert_same(&place.path("pieces"), &place.path("whole"));
}

/// Root may write anywhere, but cannot put a file where a folder is, or a folder below a file.
#[test]
fn what_cannot_be_written_is_named() {
    let place = Place::with_duel();
    place.grognard("run duel.toml --no-report --quiet").ends(0);
    let data = ["summary.parquet", "tallies.parquet", "battles/part-00000.parquet", "battle_sides/part-00000.parquet"];
    let files: Vec<String> =
        data.iter().map(|file| format!("data/{file}")).chain(["manifest.json".to_owned()]).collect();
    let written = || files.iter().map(|file| place.read(&format!("results/duel/{file}"))).collect::<Vec<_>>();
    let before = written();
    let stopped = |line: &str, path: &str| {
        let ran = place.grognard(line).ends(1);
        assert!(ran.out.is_empty() && ran.err.contains("error: cannot ") && ran.err.contains(path), "{ran:?}");
    };
    place.write("results/duel/.grognard-manifest.json/in-the-way", "");
    stopped("run duel.toml --no-report --runs 9_000 --resume --quiet", "manifest.json");
    fs::remove_dir_all(place.path("results/duel/.grognard-manifest.json")).expect("it is there");
    assert!(written() == before, "the old contents are unchanged");
    place.grognard("report results/duel").ends(0);
    #[cfg(target_os = "linux")]
    stopped("run duel.toml --no-report --quiet --out /proc/results", "/proc/results");
    read_only(&place, &stopped);
}

/// An unwritable folder (root ignores permissions).
#[cfg(unix)]
fn read_only(place: &Place, stopped: &dyn Fn(&str, &str)) {
    use std::os::unix::fs::PermissionsExt;
    let allow =
        |mode: u32| fs::set_permissions(place.path("shut"), fs::Permissions::from_mode(mode)).expect("it is ours");
    fs::create_dir(place.path("shut")).expect("a folder can be made");
    allow(0o555);
    if fs::write(place.path("shut/probe"), "").is_err() {
        stopped("run duel.toml --no-report --quiet --out shut", "shut");
        stopped("run duel.toml --no-report --quiet --out shut/below", "shut/below");
    }
    allow(0o755);
}

#[cfg(not(unix))]
fn read_only(_place: &Place, _stopped: &dyn Fn(&str, &str)) {}

#[test]
fn a_report_names_a_damaged_part_that_it_sets_aside() {
    let place = Place::with_duel();
    place.grognard("run duel.toml --runs 2_000 --keep all --no-report --out kept").ends(0);
    let part = "kept/data/battles/part-00000.parquet";
    let bytes = place.read(part);
    place.write(part, &bytes[..100]);
    let told = place.grognard("report kept").ends(0);
    told.says("warning: kept/data/battles/part-00000.parquet is damaged").says("still counted");
    assert_eq!(place.read("kept/part-00000.parquet.damaged").len(), 100);
}

#[test]
fn a_damaged_part_is_named_and_everything_else_kept() {
    let place = Place::with_duel();
    let line = |runs: u32, out: &str| format!("run duel.toml --runs {runs} --keep all --no-report --out {out}");
    place.grognard(&line(20_000, "whole")).ends(0);
    place.grognard(&line(8_192, "pieces")).ends(0);
    let part = "pieces/data/battles/part-00000.parquet";
    let bytes = place.read(part);
    place.write(part, &bytes[..bytes.len() / 3]);
    let ran = place.grognard("merge pieces --no-report --out sum").ends(0);
    ran.says("warning: pieces/data/battles/part-00000.parquet is damaged").says("still counted");
    assert_same_sums(&place, "sum", "pieces");
    let ran = place.grognard(&format!("{} --resume --quiet", line(20_000, "pieces"))).ends(0);
    ran.says("warning: pieces/data/battles/part-00000.parquet is damaged");
    assert_same_sums(&place, "pieces", "whole");
    assert_eq!(place.read("pieces/part-00000.parquet.damaged").len(), bytes.len() / 3);

    // Tallies are indispensable: the command refuses, and nothing is touched.
    let tallies = place.read("pieces/data/tallies.parquet");
    place.write("pieces/data/tallies.parquet", &tallies[..100]);
    let before = look(&place.path("pieces"));
    for line in ["merge pieces --out sum2", "run duel.toml --runs 30_000 --out pieces --resume", "report pieces"] {
        place.grognard(line).refused("pieces/data/tallies.parquet is damaged");
    }
    assert_eq!(look(&place.path("pieces")), before);
    assert!(!place.path("sum2").exists());
}
