//! Work is not lost, and what cannot be done is reported before any work is done for it.

use super::{DUEL, Place};

/// A folder that also has the same duel under another name.
fn place() -> Place {
    let place = Place::with_duel();
    place.write("other.toml", DUEL.replace("\"duel\"", "\"other\""));
    place
}

const QUICK: &str = "--runs 500 --no-report --quiet";

#[test]
fn results_of_another_study_are_replaced_only_if_it_is_asked_for() {
    let place = place();
    place.grognard("run duel.toml --no-report --quiet --out pieces").ends(0);
    let before = place.read("pieces/manifest.json");
    let kept = |line: &str, words: &str| {
        let ran = place.grognard(line).refused(words);
        ran.says("pieces holds 5000 battles of each cell of the study duel").says("--force");
        assert!(place.read("pieces/manifest.json") == before);
    };
    kept(&format!("run other.toml {QUICK} --out pieces"), "(risk 1.0.0): nothing was written");
    kept("exact other.toml --no-report --out pieces", "(risk 1.0.0)");
    // This run of the same study has other rules and fewer battles.
    kept(&format!("run duel.toml {QUICK} --out pieces --set unit.army.figures=39"), "under other rules");
    // These have the same number of battles, or more.
    let longer = "run duel.toml --runs 9_000 --no-report --quiet --out pieces";
    kept(&format!("{longer} --set unit.army.figures=39"), "`unit.army.figures` of the pack is 40 there and 39 here");
    kept("run duel.toml --no-report --quiet --out pieces --seed 2", "the seed is 1 there and 2 here");
    kept("exact duel.toml --no-report --quiet --out pieces --set unit.army.figures=39", "under other rules");
    place.grognard(&format!("run other.toml {QUICK} --out sum")).ends(0);
    kept("merge sum --no-report --out pieces", "(risk 1.0.0)");
    // The same battles may be fought again.
    place.grognard("run duel.toml --no-report --quiet --out pieces").ends(0);
    place.grognard("run duel.toml --no-report --quiet --out pieces --set unit.army.figures=39 --force").ends(0);
    place.grognard(&format!("run other.toml {QUICK} --out pieces --force")).ends(0);
    place.grognard("merge pieces --no-report --quiet --out sum").ends(0);
}

#[test]
fn a_folder_that_cannot_be_used_is_said_before_anything_is_fought() {
    let place = place();
    place.write("results/other/thesis.tex", "years of work");
    place.grognard(&format!("run duel.toml other.toml {QUICK}")).refused("other exists and is not a results folder");
    assert_eq!(place.list("results"), ["other"], "the first was not begun either");
    std::fs::remove_dir_all(place.path("results")).expect("it is there");
    place.grognard(&format!("run other.toml {QUICK}")).ends(0);
    place
        .grognard(&format!("run duel.toml other.toml {QUICK} --resume --seed 7"))
        .refused("the seed is 1 there and 7 here");
    assert_eq!(place.list("results"), ["other"]);
    place.write("mine/thesis.tex", "years of work");
    let ran = place.grognard("exact duel.toml --out mine").refused("mine exists and is not a results folder");
    assert!(!ran.err.contains("exact, risk"), "nothing was begun: {ran:?}");
    // There is a file where a folder should be.
    place.write("file", "");
    let late = |line: &str| {
        let ran = place.grognard(line).ends(1).says("no battle has been fought").says("--out");
        assert_eq!(ran.out, "", "{ran:?}");
    };
    late("sensitivity duel.toml --runs 100 --out file/below");
    late("plan duel.toml --time 1s --out file/script.sh");
    let ran = place.grognard("compare duel.toml --set unit.army.figures=39 --metric foo");
    let ran = ran.refused("there is no `foo` to compare");
    assert!(!ran.err.contains("seed 1"), "nothing was announced: {ran:?}");
}

#[test]
fn two_runs_into_one_folder() {
    let place = place();
    place.grognard(&format!("run duel.toml {QUICK} --out pieces")).ends(0);
    let path = place.path("pieces/.grognard-lock");
    let lock = std::fs::File::create(&path).expect("a file can be made");
    lock.try_lock().expect("no other process has it");
    for line in ["run duel.toml --runs 500 --no-report --out pieces", "run duel.toml --runs 900 --out pieces --resume"]
    {
        place.grognard(line).ends(1).says("pieces is being written to by another run: nothing was written");
    }
    drop(lock);
    place.grognard(&format!("run duel.toml {QUICK} --out pieces")).ends(0);
    assert!(!path.exists());
}

#[test]
fn a_sum_that_is_not_whole_says_what_is_missing() {
    let place = place();
    let line = "run duel.toml --runs 8192 --no-report --quiet";
    place.grognard(&format!("{line} --shard 1/2 --out first")).ends(0);
    place.grognard(&format!("{line} --shard 2/2 --out second")).ends(0);
    let ran = place.grognard("merge first --no-report --quiet --out sum").ends(1);
    ran.says("the sum has 4,096 of 8,192 battles of each cell: those from battle 4,096 on are missing");
    let ran = place.grognard("merge second --no-report --quiet --out sum").ends(1);
    ran.says("those before battle 4,096 are missing");
    place.grognard("merge first first --no-report --out sum").refused("battles 0 to 4095 of first occur twice");
    place.grognard("merge first second --no-report --quiet --out sum").ends(0);
    let output = super::command(&place.path(""), "merge first second --no-report --quiet --out")
        .arg("two m")
        .output()
        .expect("the command runs");
    assert!(output.status.success());
    let manifest = super::run::manifest(&place, "two m");
    assert_eq!(manifest["made"]["command"], "grognard merge first second --out 'two m'");
    let ran = place.grognard("run duel.toml --runs 100 --no-report --resume --out sum").ends(0);
    ran.says("nothing to do: 8,192 battles of each cell have already been fought");
}

#[test]
fn folders_without_numbers_are_refused() {
    let place = place();
    place.grognard(&format!("run duel.toml {QUICK} --out sampled")).ends(0);
    place.grognard("exact duel.toml --no-report --quiet --out exact").ends(0);
    for (folder, files, words) in [
        ("exact", &["odds", "ends"][..], "its odds were not written completely: compute them again"),
        ("sampled", &["tallies"][..], "claims 500 battles but lists no counts of them"),
    ] {
        let name = format!("{folder}/manifest.json");
        let mut manifest = super::run::manifest(&place, folder);
        for file in files {
            manifest["files"].as_object_mut().expect("an object").remove(*file);
        }
        place.write(&name, manifest.to_string());
        for line in [format!("compare {folder}"), format!("report {folder}"), format!("merge {folder} --out sum")] {
            place.grognard(&line).refused(words);
        }
    }
    // Nothing else is needed to start again.
    place.grognard("exact duel.toml --no-report --quiet --out exact").ends(0);
    place.grognard("compare exact").ends(0);
}

#[test]
fn lost_parts_do_not_stop_a_comparison() {
    let place = place();
    place.grognard(&format!("run duel.toml {QUICK} --out a")).ends(0);
    place.grognard(&format!("run duel.toml {QUICK} --out b --set unit.army.figures=39")).ends(0);
    std::fs::remove_dir_all(place.path("a/data/battles")).expect("it is there");
    let ran = place.grognard("compare a b").ends(0).says("warning: cannot read a/data/battles/part-00000.parquet");
    assert!(ran.out.contains("not paired: too few battles are kept"), "{ran:?}");
}

#[test]
fn slips_are_told_where_they_are() {
    let place = place();
    for flag in ["--runs", "--seed"] {
        let ran = place.grognard(&format!("run duel.toml {flag} -5")).ends(2);
        assert!(!ran.err.contains("use '-- -5'"), "{ran:?}");
    }
    place.grognard("run duel.toml --runs -5").ends(2).says("ask for at least 1 battle");
    place.grognard("run duel.toml --keep -1").ends(2).says("write all, none, or a count");
    place.grognard("coverage duel.toml --runs 10 -q").ends(0);
    place.grognard(&format!("run duel.toml {QUICK} --out pieces")).ends(0);
    place.grognard("run pieces").refused("pieces is a results folder, not a study");
    place.grognard("compare pieces --set turns=3").refused("pieces is a results folder, not a study");
    place.grognard("compare duel.toml --pack nosuch").refused("there is no pack `nosuch`").says("--> --pack:1:1");
    place.write("away.toml", DUEL.replace("\"risk\"", "\"../nowhere\""));
    place.grognard("check away.toml").ends(2).says("there is no folder ").says("a folder that holds a `pack.toml`");
    place.grognard("run duel.toml --set unit.army.figur=3").ends(2).says("did you mean `unit.army.figures`?");
    place.grognard("run duel.toml --set unit.army.figures=two").ends(2).says("it must lie between 1 and 200");
}

#[test]
fn a_new_row_that_looks_like_an_old_one_is_warned_of() {
    let place = Place::new();
    let variant = "pack = \"mine\"\nextends = \"napoleonic-figures\"\n[[roll.shock.modifier]]\n\
        id = \"square-against-cavalri\"\nadd = 6\ncite = [\"house\"]\nnote = \"a slip\"\n";
    place.write("mine/pack.toml", variant);
    let ran = place.grognard("check mine").ends(0).says("warning: the base has no row `square-against-cavalri`");
    let ran = ran.says("did you mean `square-against-cavalry`?");
    assert!(ran.out.starts_with("ok "), "{ran:?}");
    let json = place.grognard("check mine --json").ends(0).json();
    assert_eq!(json["items"][0]["warnings"].as_array().map(Vec::len), Some(1), "{json}");
    place.write("mine/pack.toml", variant.replace("roll.shock", "roll.shok"));
    place.grognard("check mine").ends(2).says("did you mean `shock`?");
}

#[test]
fn odds_that_take_too_long_leave_the_battle() {
    let place = Place::new();
    let ran = place.grognard("replay square-vs-line --cell 18 --odds --max-time 0.001s").ends(1);
    assert!(ran.out.contains("battle 0, seed"), "{ran:?}");
    ran.says("the odds cannot be computed").says("--max-time");
}
