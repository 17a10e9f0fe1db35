//! The contents of the binary, and what it prints for editors and shells.

use super::Place;

#[test]
fn everything_built_in_is_sound() {
    let place = Place::new();
    let names = |line: &str| -> Vec<String> {
        let ran = place.grognard(line).ends(0);
        let first = ran.out.lines().filter(|line| !line.starts_with(' ')).filter_map(|line| line.split(' ').next());
        first.map(str::to_owned).collect()
    };
    let (packs, studies) = (names("packs"), names("studies"));
    assert!(packs.contains(&"risk".to_owned()) && studies.contains(&"square-vs-line".to_owned()));
    assert_eq!((names("packs list"), names("studies list")), (packs.clone(), studies.clone()));
    let ran = place.grognard(&format!("check {} {}", packs.join(" "), studies.join(" "))).ends(0);
    assert_eq!(ran.out.lines().filter(|line| line.starts_with("ok ")).count(), packs.len() + studies.len(), "{ran:?}");
    assert_eq!(ran.err, "");
}

#[test]
fn exports_can_be_used_in_the_place_of_what_is_built_in() {
    let place = Place::new();
    place.grognard("packs export napoleonic-figures rules").ends(0);
    place.grognard("studies export square-vs-line studies").ends(0);
    let ran = place.grognard("check rules studies").ends(0);
    assert_eq!(ran.out.lines().count(), 2, "{ran:?}");
    let text = String::from_utf8(place.read("studies/square-vs-line.toml")).expect("a study is text");
    place.write("studies/square-vs-line.toml", text.replace("\"napoleonic-figures\"", "\"../rules\""));
    let exported = place.grognard("run studies/square-vs-line.toml --runs 30 --json --no-report").ends(0).json();
    let built_in = place.grognard("run square-vs-line --runs 30 --json --no-report").ends(0).json();
    assert_eq!(exported["cells"], built_in["cells"]);
}

/// A number from a report can be reproduced only if the rules and the program behind it are known.
#[test]
fn the_version_says_which_commit_and_which_packs() {
    let place = Place::new();
    let ran = place.grognard("--version").ends(0);
    let first = ran.out.lines().next().unwrap_or_default();
    let commit = first.strip_prefix(concat!("grognard ", env!("CARGO_PKG_VERSION"), " (")).expect("the version");
    let commit = commit.strip_suffix(')').expect("a commit in brackets");
    assert!(commit == "unknown" || commit.len() >= 9 && commit.bytes().all(|byte| byte.is_ascii_hexdigit()), "{ran:?}");
    let packs: Vec<Vec<&str>> = ran.out.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
    for pack in grognard_rules::library::PACKS {
        let line = packs.iter().find(|line| line[0] == pack.name).expect("a line for each pack");
        assert!(pack.files[0].1.contains(&format!("version = \"{}\"", line[1])), "{line:?}");
    }
    assert_eq!(place.grognard("-V").ends(0).out, ran.out);
}

#[test]
fn exports_overwrite_nothing() {
    let place = Place::new();
    place.write("rules/pack.toml", "mine");
    place.grognard("packs export risk rules").refused("the folder rules is not empty");
    assert_eq!(place.read("rules/pack.toml"), b"mine");
    place.write("risk-dice.toml", "mine");
    place.grognard("studies export risk-dice .").refused("./risk-dice.toml already exists");
    assert_eq!(place.read("risk-dice.toml"), b"mine");
}

#[test]
fn a_study_is_shown_as_it_is_written() {
    let place = Place::new();
    let shown = place.grognard("studies show square-vs-line").ends(0).out;
    place.grognard("studies export square-vs-line .").ends(0);
    assert_eq!(shown.as_bytes(), place.read("square-vs-line.toml"));
    assert!(place.grognard("packs show risk").ends(0).out.contains("[roll.assault]"));
}

#[test]
fn a_folder_is_checked_with_everything_in_it() {
    let place = Place::with_duel();
    place.grognard("packs export risk packs/mine").ends(0);
    place.write(
        "packs/other/pack.toml",
        "pack = \"other\"\ntitle = \"Other\"\nversion = \"1\"\nextends = \"../mine\"\n",
    );
    place.write("studies/one/study.toml", super::DUEL);
    let ran = place.grognard("check . packs studies packs/mine/pack.toml").ends(0);
    let lines: Vec<Vec<&str>> = ran.out.lines().map(|line| line.split_whitespace().take(3).collect()).collect();
    let expected = [
        ["ok", "./duel.toml", "study"],
        ["ok", "packs/mine", "pack"],
        ["ok", "packs/other", "pack"],
        ["ok", "studies/one/study.toml", "study"],
    ];
    assert_eq!(lines, expected);
    let json = place.grognard("check duel.toml --json").ends(0).json();
    assert_eq!(json["ok"], true);
    assert_eq!(json["items"][0]["what"], "study duel: 3 cells of 5,000 battles, risk 1.0.0");
    place.write("empty/readme.md", "");
    place.grognard("check empty").ends(2).says("the folder empty holds neither a pack nor a study");
}

#[test]
fn schemas_describe_what_is_read() {
    let place = Place::new();
    let study = place.grognard("schema study").ends(0).json();
    assert_eq!(study["properties"]["runs"]["minimum"], 1);
    let pack = place.grognard("schema pack").ends(0).json();
    let part = place.grognard("schema part").ends(0).json();
    assert_eq!((pack["required"].is_array(), part["required"].is_null()), (true, true));
    assert_eq!(part["properties"]["unit"]["description"], pack["properties"]["unit"]["description"]);
    assert!(pack["properties"]["roll"].is_object());
    place.grognard("schema sutdy").ends(2).says("a similar value exists: 'study'");
}

#[test]
fn shells_are_told_the_subcommands() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = place.grognard(&format!("completions {shell}")).ends(0).out;
        assert!(script.contains("replay") && script.contains("precision"), "{shell}");
    }
}

#[test]
fn help_has_examples_for_every_subcommand() {
    let place = Place::new();
    let help = place.grognard("--help").ends(0).out;
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // The description of a subcommand may continue on lines with a deeper indent.
    let named = commands.filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with(' '));
    let names = named.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    let names: Vec<&str> = names.collect();
    assert_eq!(
        names,
        [
            "run",
            "plan",
            "exact",
            "best",
            "train",
            "battles",
            "studio",
            "replay",
            "compare",
            "coverage",
            "sensitivity",
            "find",
            "ablate",
            "judge",
            "tune",
            "matchups",
            "points",
            "roll",
            "report",
            "merge",
            "new",
            "check",
            "packs",
            "studies",
            "schema",
            "completions",
            "man",
        ]
    );
    for name in names {
        let help = place.grognard(&format!("{name} --help")).ends(0).out;
        let mut examples = help.lines().skip_while(|line| *line != "Examples:").skip(1);
        assert!(examples.any(|line| line.starts_with(&format!("  grognard {name}"))), "{help}");
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
    }
    assert!(place.grognard("").ends(2).err.contains("Usage: grognard [OPTIONS] <COMMAND>"));
    assert!(place.grognard("--version").ends(0).out.starts_with("grognard 0."));
}
