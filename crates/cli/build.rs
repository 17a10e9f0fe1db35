//! Embeds the commit that the command is built from.

use std::path::Path;
use std::process::Command;

/// The output of git for these arguments, if this is a checkout with its history.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}

/// The commit that `cargo package` wrote next to the sources of a published crate.
fn packaged() -> Option<String> {
    let text = std::fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, rest) = text.split_once("\"sha1\":")?;
    rest.split('"').nth(1).filter(|commit| commit.len() >= 9).map(|commit| commit[..9].to_owned())
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let commit = if Path::new(".cargo_vcs_info.json").exists() {
        packaged()
    } else {
        // The log of HEAD grows with every commit and every checkout.
        if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| Path::new(log).exists()) {
            println!("cargo::rerun-if-changed={log}");
        }
        git(&["rev-parse", "--short=9", "HEAD"])
    };
    println!("cargo::rustc-env=GROGNARD_COMMIT={}", commit.as_deref().unwrap_or("unknown"));
}
