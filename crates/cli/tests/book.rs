//! The pages of the documentation fit together: the site lists all of them, and their links work, on a forge and on the
//! site.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// Pages outside the site whose links are checked too.
const OUTSIDE: [&str; 5] = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "notebooks/README.md", "results/README.md"];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(page: &str) -> String {
    std::fs::read_to_string(workspace().join(page)).unwrap_or_else(|error| panic!("{page}: {error}"))
}

/// The Markdown files of a folder.
fn pages_in(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(workspace().join(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
    let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    let mut pages: Vec<String> =
        names.filter(|name| name.ends_with(".md")).map(|name| format!("{folder}/{name}")).collect();
    pages.sort();
    pages
}

/// The lines of a page that are text, without fenced blocks.
fn text_of(page: &str) -> Vec<String> {
    let (mut within, mut lines) = (false, Vec::new());
    for line in read(page).lines() {
        if line.trim_start().starts_with("```") {
            within = !within;
        } else if !within {
            lines.push(line.to_owned());
        }
    }
    lines
}

/// The targets of a page's links and pictures, except external addresses.
fn links(page: &str) -> Vec<String> {
    let text = text_of(page).join("\n");
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets
        .filter(|target| !target.contains("://") && !target.contains(char::is_whitespace))
        .map(str::to_owned)
        .collect()
}

/// The anchors of a page's headings, as forges and mdBook make them.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    let mut anchors = BTreeSet::new();
    for line in text_of(page) {
        let Some(heading) = line.strip_prefix('#').map(|rest| rest.trim_start_matches('#')) else { continue };
        let Some(heading) = heading.strip_prefix(' ') else { continue };
        let kept = heading.trim().chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
        let anchor: String = kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect();
        let anchor = anchor.to_lowercase();
        let count = seen.entry(anchor.clone()).or_default();
        anchors.insert(if *count == 0 { anchor } else { format!("{anchor}-{count}") });
        *count += 1;
    }
    anchors
}

/// A target as a path from the root, as seen from a page; `None` if it leads out of the source tree.
fn resolved(page: &str, target: &str) -> Option<String> {
    let mut path = PathBuf::from(page);
    path.pop();
    for part in Path::new(target).components() {
        match part {
            Component::Normal(name) => path.push(name),
            Component::CurDir => {}
            Component::ParentDir if path.pop() => {}
            _ => return None,
        }
    }
    Some(path.to_string_lossy().replace('\\', "/"))
}

/// The faults in the links of a page. Links on the site must not leave it.
fn faults(page: &str, site: bool) -> Vec<String> {
    let mut faults = Vec::new();
    for link in links(page) {
        let (target, anchor) = link.split_once('#').map_or((link.as_str(), None), |(file, at)| (file, Some(at)));
        let file = if target.is_empty() { Some(page.to_owned()) } else { resolved(page, target) };
        match file {
            Some(file) if !workspace().join(&file).exists() => faults.push(format!("{page}: {link} leads nowhere")),
            Some(file) if site && !file.starts_with("docs/") => faults.push(format!("{page}: {link} leaves the site")),
            Some(file) => {
                let known = |anchor| file.ends_with(".md") && anchors(&file).contains(anchor);
                if anchor.is_some_and(|anchor| !known(anchor)) {
                    faults.push(format!("{page}: {link} names no heading"));
                }
            }
            None => faults.push(format!("{page}: {link} leaves the source tree")),
        }
    }
    faults
}

#[test]
fn the_site_lists_every_page_once() {
    let mut listed: Vec<String> = links("docs/SUMMARY.md").into_iter().map(|page| format!("docs/{page}")).collect();
    listed.sort();
    let pages: Vec<String> = pages_in("docs").into_iter().filter(|page| page != "docs/SUMMARY.md").collect();
    assert_eq!(listed, pages);
}

#[test]
fn every_link_leads_somewhere() {
    let mut wrong: Vec<String> = pages_in("docs").iter().flat_map(|page| faults(page, true)).collect();
    let packs = std::fs::read_dir(workspace().join("packs")).expect("the folder of packs");
    let packs = packs.map(|entry| entry.expect("an entry")).filter(|entry| entry.path().is_dir());
    let packs = packs.map(|pack| format!("packs/{}/README.md", pack.file_name().to_string_lossy()));
    let outside: Vec<String> = OUTSIDE.into_iter().map(str::to_owned).chain(packs).collect();
    wrong.extend(outside.iter().flat_map(|page| faults(page, false)));
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(links("docs/index.md").len() > 5 && anchors("docs/reference.md").contains("what-conditions-can-read"));
}
