//! Every example in the documentation, followed as a reader would.
//!
//! In each page a block
//!
//! - ` ```toml file=NAME ` is written to that file, and checked before anything is run;
//! - ` ```sh run ` is run line by line; ` ```sh fails ` must end with exit status 2;
//! - ` ```text output ` is what the block before it printed, verbatim (`first=N`: its first N lines; `from=WORDS`:
//!   from these words on); `BLESS=1` rewrites it.
//!
//! The blocks of a page share a folder, which is empty at first. A ` ```sh ` or ` ```toml ` block without one of
//! these words is refused unless it is marked `only shown`: an untested example is wrong sooner or later.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The pages, from the root of the workspace.
const PAGES: &[&str] = &[
    "README.md",
    "CONTRIBUTING.md",
    "docs/quick-start.md",
    "docs/pack-and-study.md",
    "docs/own-rules.md",
    "docs/common-rules.md",
    "docs/what-the-tool-cannot-see.md",
    "docs/questions.md",
    "docs/drawn.md",
    "docs/studio.md",
    "docs/guide.md",
    "docs/reference.md",
    "docs/how-the-numbers-are-made.md",
    "docs/many-machines.md",
    "docs/python.md",
    "docs/queries.md",
    "docs/rust.md",
    "notebooks/README.md",
    "packs/bag-of-orders/README.md",
    "packs/bluecher-shock/README.md",
    "packs/command-roll/README.md",
    "packs/fleet-action/README.md",
    "packs/napoleonic-figures/README.md",
    "packs/patrol/README.md",
    "packs/ranked-fantasy/README.md",
    "packs/refduel/README.md",
    "packs/risk/README.md",
    "packs/sf-skirmish/README.md",
    "packs/symbol-die/README.md",
    "results/README.md",
];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn every_example_of_the_documentation_holds() {
    let next = AtomicUsize::new(0);
    let work = || {
        let mine = std::iter::from_fn(|| PAGES.get(next.fetch_add(1, Ordering::Relaxed)));
        mine.map(|page| hold(page)).collect::<String>()
    };
    // Many examples use only one core.
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let wrong: String = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|worker| worker.join().expect("a worker ends")).collect()
    });
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Checks a page's examples, or rewrites their outputs. Returns what went wrong.
fn hold(page: &str) -> String {
    let path = workspace().join(page);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{page}: {error}"));
    let (now, mut wrong) = follow(page, &text);
    if now != text && std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &now).unwrap_or_else(|error| panic!("{page}: {error}"));
    } else if now != text {
        let _ = writeln!(wrong, "{page}: outputs have changed; see them with BLESS=1 and `git diff`");
    }
    wrong
}

#[test]
fn the_pages_that_hold_examples_are_all_in_the_list() {
    let mut found = Vec::new();
    pages_below(&workspace(), &mut found);
    for page in found {
        let text = std::fs::read_to_string(workspace().join(&page)).unwrap_or_else(|error| panic!("{page}: {error}"));
        let examples = blocks(&text).iter().any(|block| matches!(block.language(), "toml" | "sh"));
        assert!(!examples || PAGES.contains(&page.as_str()), "{page} has examples and is not in PAGES");
    }
}

/// Markdown files below the workspace, except those that are built or generated.
fn pages_below(root: &Path, found: &mut Vec<String>) {
    for folder in [
        "",
        "docs",
        "notebooks",
        "results",
        "packs/bag-of-orders",
        "packs/bluecher-shock",
        "packs/command-roll",
        "packs/fleet-action",
        "packs/napoleonic-figures",
        "packs/patrol",
        "packs/ranked-fantasy",
        "packs/refduel",
        "packs/risk",
        "packs/sf-skirmish",
        "packs/symbol-die",
    ] {
        let entries = std::fs::read_dir(root.join(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
        for name in entries.map(|entry| entry.expect("a folder entry").file_name().to_string_lossy().into_owned()) {
            if name.ends_with(".md") {
                found.push(if folder.is_empty() { name } else { format!("{folder}/{name}") });
            }
        }
    }
}

/// A fenced block.
struct Block {
    /// The words after the fence.
    words: String,
    body: String,
    /// Its first line in the page, counted from 1.
    line: usize,
}

impl Block {
    fn language(&self) -> &str {
        self.words.split_whitespace().next().unwrap_or_default()
    }

    fn has(&self, word: &str) -> bool {
        self.words.split_whitespace().skip(1).any(|known| known == word)
    }

    fn value(&self, key: &str) -> Option<&str> {
        let start = format!("{key}=");
        self.words.split_whitespace().find_map(|word| word.strip_prefix(&start))
    }

    fn is_only_shown(&self) -> bool {
        self.words.ends_with("only shown")
    }
}

/// The fenced blocks of a page.
fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (number, line) in text.lines().enumerate() {
        open = match (open, line.strip_prefix("```")) {
            (None, Some(words)) => Some(Block { words: words.to_owned(), body: String::new(), line: number + 2 }),
            (Some(block), Some("")) => {
                blocks.push(block);
                None
            }
            (Some(mut block), _) => {
                block.body.push_str(line);
                block.body.push('\n');
                Some(block)
            }
            (None, None) => None,
        };
    }
    assert!(open.is_none(), "a block is never closed");
    blocks
}

/// Follows the examples of a page. Returns the page with its current outputs, and what went wrong.
fn follow(page: &str, text: &str) -> (String, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut faults = String::new();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut printed: Option<String> = None;
    let mut changes: Vec<(std::ops::Range<usize>, String)> = Vec::new();
    let mut unchecked = BTreeSet::new();
    for block in blocks(text) {
        if block.language() == "sh" {
            faults.push_str(&check(page, folder.path(), &mut unchecked));
        }
        let mut fault = |what: &str| {
            let _ = writeln!(faults, "{page}:{}: {what}", block.line);
        };
        match block.language() {
            _ if block.is_only_shown() => {}
            "toml" => match block.value("file") {
                Some(file) => {
                    write(folder.path(), file, &block.body);
                    unchecked.insert(file.to_owned());
                }
                None => fault("a toml block says which file it is: ```toml file=NAME"),
            },
            "sh" if block.has("run") || block.has("fails") => match run_lines(folder.path(), &block) {
                Ok(output) => printed = Some(output),
                Err(what) => fault(&what),
            },
            "sh" => fault("a sh block is run: ```sh run, or ```sh fails"),
            "text" if block.has("output") => match printed.as_deref().map(|printed| cut(printed, &block)) {
                Some(now) if now != block.body => {
                    let start = block.line - 1;
                    changes.push((start..start + block.body.lines().count(), now));
                }
                Some(_) => {}
                None => fault("nothing was run before this output"),
            },
            _ => {}
        }
    }
    faults.push_str(&check(page, folder.path(), &mut unchecked));
    for (range, now) in changes.into_iter().rev() {
        lines.splice(range, now.lines().map(str::to_owned));
    }
    let mut now = lines.join("\n");
    now.push('\n');
    (now, faults)
}

fn write(folder: &Path, file: &str, body: &str) {
    let path = folder.join(file);
    let within = path.parent().expect("a file is in a folder");
    std::fs::create_dir_all(within).unwrap_or_else(|error| panic!("{file}: {error}"));
    std::fs::write(&path, body).unwrap_or_else(|error| panic!("{file}: {error}"));
}

/// Checks the files written since the last time: the pack that a file belongs to, or the study that it is.
fn check(page: &str, folder: &Path, unchecked: &mut BTreeSet<String>) -> String {
    let items: BTreeSet<PathBuf> = unchecked.iter().map(|file| item_of(folder, Path::new(file))).collect();
    unchecked.clear();
    let check = |item: &PathBuf| grognard(folder, &["check", &item.to_string_lossy()], 0).err();
    items.iter().filter_map(check).map(|fault| format!("{page}: {fault}\n")).collect()
}

/// The pack whose folder contains a file, or the file itself.
fn item_of(folder: &Path, file: &Path) -> PathBuf {
    let pack = file.parent().filter(|pack| folder.join(pack).join("pack.toml").exists());
    pack.unwrap_or(file).to_owned()
}

/// Runs every line of a block and returns what they printed.
fn run_lines(folder: &Path, block: &Block) -> Result<String, String> {
    let mut output = String::new();
    for line in block.body.lines().map(|line| line.split("  #").next().unwrap_or(line).trim()) {
        let words = words(line);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let arguments = match words.as_slice() {
            [] | ["#", ..] => continue,
            ["grognard", rest @ ..] => rest,
            // A command typed in the source tree is run with the binary built for this test.
            ["cargo", "run", "--release", "--", rest @ ..] => rest,
            _ => return Err(format!("`{line}` is no call of grognard")),
        };
        output.push_str(&grognard(folder, arguments, if block.has("fails") { 2 } else { 0 })?);
    }
    Ok(output)
}

/// The words of a line as a shell reads them: text in single quotes is one word.
fn words(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for (nth, piece) in line.split('\'').enumerate() {
        if nth % 2 == 1 {
            words.push(piece.to_owned());
        } else {
            words.extend(piece.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// Runs the command and returns what it printed: its result, or its error if one is expected.
fn grognard(folder: &Path, arguments: &[&str], status: i32) -> Result<String, String> {
    let output = Command::new(env!("CARGO_BIN_EXE_grognard"))
        .args(arguments)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .env_remove("COLUMNS")
        .output()
        .map_err(|error| error.to_string())?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.code() != Some(status) {
        let command = arguments.join(" ");
        let ended = output.status;
        return Err(format!(
            "`grognard {command}` ended with {ended}:\n{}{}",
            text(&output.stdout),
            text(&output.stderr)
        ));
    }
    Ok(if status == 0 { text(&output.stdout) } else { text(&output.stderr) })
}

/// The part of an output that a block shows.
fn cut(printed: &str, block: &Block) -> String {
    let lines = printed.lines().map(str::trim_end);
    let from = block.value("from").map(|from| from.replace('_', " "));
    let lines: Vec<&str> =
        lines.skip_while(|line| from.as_ref().is_some_and(|from| !line.contains(from.as_str()))).collect();
    let most = block.value("first").and_then(|first| first.parse().ok()).unwrap_or(usize::MAX);
    let mut shown = String::new();
    for line in lines.iter().take(most) {
        shown.push_str(line);
        shown.push('\n');
    }
    if lines.len() > most {
        shown.push_str("...\n");
    }
    let shown = shown.trim_matches('\n');
    format!("{shown}\n")
}
