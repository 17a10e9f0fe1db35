//! `grognard check --watch`.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use super::{Place, command};

#[test]
fn every_save_is_checked() {
    let place = Place::new();
    place.grognard("new mine --blank").ends(0);
    let mut child = command(&place.path(""), "check mine --watch")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the command runs");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map(|line| line.expect("a line"));
    let mut next = |words: &str| {
        let line = lines.next().expect("it goes on");
        assert!(line.starts_with(words), "{line:?} does not begin with {words:?}");
    };
    next("ok     mine ");
    next("ok     mine/study.toml ");
    let good = String::from_utf8(place.read("mine/study.toml")).expect("text");
    place.write("mine/study.toml", good.replace("veterans", "veterens"));
    // A save may come in two pieces and be checked in between; only the last result counts.
    let verdicts = lines.by_ref().skip_while(|line| !(line.starts_with("wrong") && line.contains("study.toml")));
    assert_eq!(verdicts.take(1).count(), 1);
    place.write("mine/study.toml", &good);
    let verdicts = lines.by_ref().skip_while(|line| !(line.starts_with("ok") && line.contains("study.toml")));
    assert_eq!(verdicts.take(1).count(), 1);
    child.kill().and_then(|()| child.wait()).expect("it can be ended");
}

#[test]
fn what_cannot_change_is_not_watched() {
    Place::new().grognard("check risk --watch").ends(0);
}
