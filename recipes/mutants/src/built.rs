//! The test program with all mutants in it, built in a copy of the workspace.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::listed::Mutant;
use crate::schema::Schema;

/// The module of the copied engine that records which mutant is on.
const SWITCH: &str = include_str!("engine.rs");

/// The file that declares that module.
const LIBRARY: &str = "crates/engine/src/lib.rs";

/// A test program, and the mutants in it.
pub(crate) struct Built {
    /// The program.
    pub(crate) program: PathBuf,
    /// The folder in which it runs.
    pub(crate) folder: PathBuf,
    /// The mutants in it.
    pub(crate) mutants: BTreeSet<u32>,
}

/// Copies the workspace, inserts the mutants except those that do not compile, and builds the engine's test program.
///
/// # Errors
/// A file cannot be read or written, or the copy does not compile even without the mutants that could be to blame.
pub(crate) fn build(root: &Path, scratch: &Path, mutants: &[Mutant]) -> Result<Built, String> {
    let copy = scratch.join("copy");
    copied(root, &copy, mutants)?;
    // A change at the same line and column that did not compile last time will not compile now.
    let list = scratch.join("left-out");
    let known = fs::read_to_string(&list).unwrap_or_default();
    let known: BTreeSet<&str> = known.lines().collect();
    let is_known = |mutant: &&Mutant| known.contains(mutant.name.as_str());
    let mut left_out: BTreeSet<u32> = mutants.iter().filter(is_known).map(|mutant| mutant.number).collect();
    loop {
        let schemas = put_in(root, &copy, mutants, &left_out)?;
        let within: BTreeSet<u32> = schemas.values().flat_map(Schema::mutants).collect();
        println!("{} of {} mutants can be inserted: compiling", within.len(), mutants.len());
        let checked = cargo(scratch, &copy, &["check", "-p", "grognard-engine", "--lib"])?;
        let blamed = blamed(&checked, &schemas)?;
        if blamed.is_empty() {
            let names = mutants.iter().filter(|mutant| left_out.contains(&mutant.number));
            let names: BTreeSet<&str> = names.map(|mutant| mutant.name.as_str()).chain(known).collect();
            write(&list, names.iter().map(|name| format!("{name}\n")).collect::<String>().as_bytes())?;
            let built = cargo(scratch, &copy, &["test", "--no-run", "-p", "grognard-engine", "--test", "engine"])?;
            let program = built.iter().filter(|message| message["target"]["name"] == "engine");
            let program = program.filter_map(|message| message["executable"].as_str()).next();
            let program = program.ok_or_else(|| format!("no test program: {}", rendered(&built)))?.into();
            return Ok(Built { program, folder: copy.join("crates/engine"), mutants: within });
        }
        println!("  {} do not compile", blamed.len());
        left_out.extend(blamed);
    }
}

/// Copies all files that git tracks or would track, except those with mutants. An unchanged file keeps its date, so
/// that it is not compiled again.
fn copied(root: &Path, copy: &Path, mutants: &[Mutant]) -> Result<(), String> {
    let changed: BTreeSet<&str> = mutants.iter().map(|mutant| mutant.file.as_str()).chain([LIBRARY]).collect();
    let mut list = Command::new("git");
    list.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).current_dir(root);
    let list = list.output().map_err(|error| format!("git cannot be run: {error}"))?;
    if !list.status.success() {
        return Err(format!("git cannot list the files: {}", String::from_utf8_lossy(&list.stderr)));
    }
    for file in String::from_utf8_lossy(&list.stdout).split_terminator('\0') {
        // A file whose deletion is not committed is listed but missing.
        if !changed.contains(file)
            && !file.starts_with("results/")
            && let Ok(bytes) = fs::read(root.join(file))
        {
            write(&copy.join(file), &bytes)?;
        }
    }
    Ok(())
}

/// Writes a file, unless it already has this content.
fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    if fs::read(path).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    let folder = path.parent().expect("a file is in a folder");
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(path, bytes));
    written.map_err(|error| format!("{} cannot be written: {error}", path.display()))
}

/// Inserts all mutants except these into the copied files.
fn put_in<'a>(
    root: &Path,
    copy: &Path,
    mutants: &'a [Mutant],
    left_out: &BTreeSet<u32>,
) -> Result<BTreeMap<&'a str, Schema>, String> {
    let mut files: BTreeMap<&str, Vec<&Mutant>> = BTreeMap::new();
    for mutant in mutants {
        let file = files.entry(&mutant.file).or_default();
        if !left_out.contains(&mutant.number) {
            file.push(mutant);
        }
    }
    let mut schemas = BTreeMap::new();
    for (file, mutants) in files {
        let source = fs::read_to_string(root.join(file)).map_err(|error| format!("{file} cannot be read: {error}"))?;
        let schema = Schema::new(&source, &mutants).map_err(|error| format!("{file} is not valid Rust: {error}"))?;
        write(&copy.join(file), schema.text.as_bytes())?;
        schemas.insert(file, schema);
    }
    let library = fs::read_to_string(root.join(LIBRARY)).map_err(|error| format!("{LIBRARY}: {error}"))?;
    write(&copy.join(LIBRARY), format!("{library}\nmod mutant;\n").as_bytes())?;
    write(&copy.join("crates/engine/src/mutant.rs"), SWITCH.as_bytes())?;
    Ok(schemas)
}

/// Runs cargo in the copy. Returns its messages.
fn cargo(scratch: &Path, copy: &Path, arguments: &[&str]) -> Result<Vec<Value>, String> {
    let mut cargo = Command::new("cargo");
    cargo.args(arguments).args(["--message-format", "json"]).current_dir(copy);
    // Mutants cause many lint warnings.
    cargo.env("CARGO_TARGET_DIR", scratch.join("target")).env("RUSTFLAGS", "--cap-lints allow");
    cargo.env("CARGO_PROFILE_DEV_DEBUG", "false").env("CARGO_INCREMENTAL", "0");
    let output = cargo.stderr(Stdio::inherit()).output().map_err(|error| format!("cargo cannot be run: {error}"))?;
    let messages = String::from_utf8_lossy(&output.stdout);
    messages.lines().map(|line| serde_json::from_str(line).map_err(|error| format!("{line}: {error}"))).collect()
}

/// The mutants to blame for errors.
fn blamed(messages: &[Value], schemas: &BTreeMap<&str, Schema>) -> Result<BTreeSet<u32>, String> {
    let mut blamed = BTreeSet::new();
    let mut errors = false;
    for message in messages.iter().filter(|message| message["message"]["level"] == "error") {
        errors = true;
        let spans = message["message"]["spans"].as_array().map(Vec::as_slice).unwrap_or_default();
        for span in spans.iter().filter(|span| span["is_primary"] == true) {
            let (Some(file), Some(byte)) = (span["file_name"].as_str(), span["byte_start"].as_u64()) else { continue };
            if let (Some(schema), Ok(byte)) = (schemas.get(file), usize::try_from(byte)) {
                blamed.extend(schema.blamed(byte));
            }
        }
    }
    if errors && blamed.is_empty() {
        return Err(format!("the copy does not compile, and no mutant is to blame:\n{}", rendered(messages)));
    }
    Ok(blamed)
}

/// The errors as the compiler prints them.
fn rendered(messages: &[Value]) -> String {
    let errors = messages.iter().filter(|message| message["message"]["level"] == "error");
    errors.filter_map(|message| message["message"]["rendered"].as_str()).collect()
}
