//! Wrong arguments: one clear diagnostic, and nothing is written.

use std::fs::File;

use super::{DUEL, Place, command};

/// The command line is refused with these words, and leaves the folder unchanged.
#[track_caller]
fn refuses(place: &Place, line: &str, words: &str) {
    let before = place.list("");
    place.grognard(line).refused(words);
    assert_eq!(place.list(""), before);
}

#[test]
fn a_name_that_is_nothing_gets_the_nearest_that_is() {
    let place = Place::new();
    refuses(&place, "run square-vs-lime", "did you mean `square-vs-line`?");
    refuses(&place, "replay risk-dise", "did you mean `risk-dice`?");
    refuses(&place, "run no-such-file.toml", "there is no file `no-such-file.toml`");
    refuses(&place, "run ./square-vs-line", "there is no file `./square-vs-line`");
    refuses(&place, "packs show rsik", "did you mean `risk`?");
    refuses(&place, "studies export risk-dise .", "did you mean `risk-dice`?");
    for command in ["run square-vs-line", "plan square-vs-line", "compare square-vs-line --pack risk"] {
        let ran = place.grognard(&format!("{command} --cell 3")).ends(2).says("unexpected argument '--cell <N>' found");
        ran.says("pin what the study varies: --set PATH=VALUE");
    }
    // An unknown flag is not mistaken for a value.
    let ran = place.grognard("replay square-vs-line --pdf").ends(2).says("unexpected argument '--pdf' found");
    assert!(!ran.err.contains("as a value"), "{ran:?}");
    place.grognard("replay square-vs-line --battl 3").ends(2).says("a similar argument exists: '--battle'");
    place.grognard("new mine").ends(2).says("tip: --blank starts from a small, complete set of rules");
    place.grognard("runn square-vs-line").ends(2).says("tip: a similar subcommand exists: 'run'");
    let ran = place.grognard("check risc").ends(2).says("did you mean `risk`?");
    assert_eq!(ran.out, "wrong  risc  1 error\n");
    // Names in the folder are suggested too. If nothing is similar, the message says where to look.
    place.grognard("new --blank skirmish-rules").ends(0);
    place.grognard("check skirmish-rule").ends(2).says("did you mean `skirmish-rules`?");
    place.grognard("check pikket").ends(2).says("`grognard packs` and `grognard studies` list what is built in");
}

#[test]
fn what_is_no_study_is_called_what_it_is() {
    let place = Place::new();
    place.grognard("packs export risk base").ends(0);
    for (line, words) in [
        ("run base/pack.toml", "base/pack.toml is a pack, not a study"),
        ("run base", "name a study of it: a TOML file with `pack = \"base\"`"),
        ("replay base/README.md", "base/README.md is not a TOML file"),
        ("run sf-skirmish", "name one of its studies: `sf-duel`, `sf-ground`"),
        ("run risk", "risk is a pack, not a study"),
    ] {
        refuses(&place, line, words);
        assert_eq!(place.grognard(line).err.matches("error: ").count(), 1, "{line}");
    }
    place.grognard("new mine --blank").ends(0);
    refuses(&place, "run mine/pack.toml", "name its study: `mine`");
}

#[test]
fn flags_out_of_range_are_refused() {
    let place = Place::with_duel();
    refuses(&place, "run duel.toml --runs 0", "ask for at least 1 battle");
    refuses(&place, "run duel.toml --runs 1e13", "is the limit");
    refuses(&place, "run duel.toml --runs lots", "write a count such as");
    refuses(&place, "run duel.toml --runs -5", "ask for at least 1 battle");
    refuses(&place, "run duel.toml --seed -1", "write a number from 0");
    refuses(&place, "run duel.toml --seed 18446744073709551615", "write a number from 0");
    refuses(&place, "run duel.toml --threads 0", "0 is not in 1..=1024");
    refuses(&place, "run duel.toml --shard 3/2", "write a shard as I/N");
    refuses(&place, "run duel.toml --precision 2", "between 0 and 0.5");
    refuses(&place, "run duel.toml --precision 1% --shard 1/2", "cannot be used with");
    refuses(&place, "run duel.toml --level 1", "write a level from 0.5");
    refuses(&place, "run duel.toml --keep some", "write all, none, or a count");
    refuses(&place, "replay duel.toml --cell -1", "cells are numbered from 0");
    refuses(&place, "replay duel.toml --battle -1", "battles are numbered from 0");
}

#[test]
fn values_that_cannot_be_set_are_refused_with_their_place() {
    let place = Place::with_duel();
    refuses(&place, "run duel.toml --set attacker.0.figure=3", "--set:1:1");
    refuses(&place, "run duel.toml --set attacker.0.figure=3", "did you mean `attacker.0.figures`?");
    refuses(&place, "run duel.toml --set attacker.0.figures=many", "--set:1:20");
    refuses(&place, "run duel.toml --set unit.army.figures=0", "it must lie between 1 and 200");
    refuses(&place, "run duel.toml --set armies=3", "there is no path `armies`");
    refuses(&place, "run duel.toml --set army.figures=0", "did you mean `unit.army.figures`?");
    refuses(&place, "run duel.toml --set wedge=3", "or with a table of the rules, such as unit");
    refuses(&place, "run square-vs-line --set impetus=2", "did you mean `roll.shock.modifier.impetus.add`?");
    refuses(&place, "run duel.toml --set turns", "write PATH=VALUE");
    refuses(&place, "run duel.toml --set =3", "--set:1:1");
}

#[test]
fn what_is_no_text_is_not_read() {
    let place = Place::new();
    let huge = File::create(place.path("huge.toml")).and_then(|file| file.set_len(2 << 30));
    huge.expect("a sparse file");
    refuses(&place, "run huge.toml", "`huge.toml` is larger than 1024 KiB");
    place.write("folder.toml/study.txt", "");
    refuses(&place, "run folder.toml", "there is no file `folder.toml/study.toml`");
    place.write("bytes.toml", [0xff, 0xfe, 0x00]);
    refuses(&place, "run bytes.toml", "is not UTF-8 text");
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_written_is_no_success() {
    let place = Place::with_duel();
    place.write("file", "in the way");
    refuses(&place, "run duel.toml --out file", "file exists and is not a results folder of Grognard");
    refuses(&place, "run duel.toml --out .", "exists and is not a results folder of Grognard");
    let ran = place.grognard("run duel.toml --quiet --out /proc/grognard").ends(1);
    assert!(ran.err.starts_with("error: cannot create /proc/grognard"), "{ran:?}");
    assert_eq!(ran.out, "");
    place.grognard("studies export risk-dice /proc/grognard").ends(1).says("cannot create /proc/grognard");
    place.grognard("packs export risk file").ends(1).says("cannot read the folder file");
    assert_eq!((place.read("file"), place.list("")), (b"in the way".to_vec(), vec!["duel.toml".into(), "file".into()]));
}

#[cfg(unix)]
#[test]
fn arguments_need_not_be_text() {
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new();
    for words in [&["run"][..], &["replay"], &["report"], &["check"]] {
        let mut command = command(&place.path(""), &words.join(" "));
        let output = command.arg(std::ffi::OsStr::from_bytes(b"\xff\x1b[2J")).output().expect("the command runs");
        let ran = super::Ran::of(&words.join(" "), &output).ends(2);
        assert!(!ran.out.contains('\u{1b}'), "{ran:?}");
    }
}

#[test]
fn names_from_files_command_no_terminal() {
    let place = Place::new();
    place.write("duel.toml", DUEL.replace("How many", "\\u001b[2JHow many"));
    for line in ["run duel.toml", "replay duel.toml", "check duel.toml"] {
        let ran = place.grognard(line).ends(0);
        assert!(!ran.out.contains('\u{1b}') && !ran.err.contains('\u{1b}'), "{ran:?}");
    }
}

#[test]
fn a_long_chain_of_packs_is_no_circle() {
    let place = Place::new();
    for number in 0..20 {
        let text = format!("pack = \"p{number}\"\nextends = \"../p{}\"\n", number + 1);
        place.write(&format!("p{number}/pack.toml"), text);
    }
    place.write("p20/pack.toml", "pack = \"p20\"\nextends = \"risk\"\n");
    let ran = place.grognard("check p0").ends(2).says("more than 16 packs extend one another");
    assert!(!ran.err.contains("circle"), "{ran:?}");
    place.write("p20/pack.toml", "pack = \"p20\"\nextends = \"../p18\"\n");
    place.grognard("check p18").ends(2).says("`extends` forms a cycle");
}

/// An untrusted pack may contain links to the user's files.
#[test]
#[cfg(unix)]
fn a_pack_shows_nothing_that_lies_outside_its_folder() {
    let place = Place::new();
    place.write("secret.txt", "password = hunter2\n");
    place.write("mine/pack.toml", "pack = \"mine\"\nextends = \"risk\"\n");
    place.write("mine/notes.txt", "title = \"Mine\"\n");
    let link = |to: &str, name: &str| std::os::unix::fs::symlink(to, place.path(name)).expect("a link can be made");
    link("notes.txt", "mine/own.toml");
    place.grognard("check mine").ends(0);
    link("../secret.txt", "mine/more.toml");
    let ran = place.grognard("check mine").ends(2).says("`mine/more.toml` is a link that leads out of its folder");
    assert!(!ran.err.contains("hunter2"), "{ran:?}");
    // With `--follow-links`, the user allows it.
    place.grognard("check mine --follow-links").ends(2).says("hunter2");
    std::fs::remove_file(place.path("mine/more.toml")).expect("it is there");
    std::fs::remove_file(place.path("mine/pack.toml")).expect("it is there");
    link("../secret.txt", "mine/pack.toml");
    let ran = place.grognard("check mine").ends(2).says("leads out of its folder");
    assert!(!ran.err.contains("hunter2"), "{ran:?}");
    // The folder itself may be a link: the user named it.
    place.write("real/pack.toml", "pack = \"real\"\nextends = \"risk\"\n");
    link("real", "linked");
    place.grognard("check linked").ends(0);
    // The same applies to a study next to its pack, and to one among other studies.
    link("../secret.txt", "real/study.toml");
    place.write("many/README.md", "");
    link("../secret.txt", "many/first.toml");
    for line in ["check real", "run real", "replay real", "check many"] {
        let ran = place.grognard(line).ends(2).says(".toml` is a link that leads out of its folder");
        assert!(!ran.err.contains("hunter2"), "{ran:?}");
        place.grognard(&format!("{line} --follow-links")).ends(2).says("hunter2");
    }
    // This file was named directly.
    place.grognard("check many/first.toml").ends(2).says("hunter2");
}
