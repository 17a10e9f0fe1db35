//! How the source files of this crate depend on each other. The test reads the sources: a file depends on what it
//! imports, because functions need an import. Methods do not, so the context of a step may have only a few of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The maximum number of files that may import each other in a cycle.
const CIRCLE_MAX: usize = 2;

/// The maximum number of methods of the types that a step passes to every mechanism: the context, and the position
/// within it.
const METHODS_MAX: usize = 30;

/// The names of those two types.
const CONTEXT: [&str; 2] = ["Context", "Position"];

/// The path of a module, such as `["mechanism", "fire"]`; empty for the crate itself.
type Module = Vec<String>;

struct Sources {
    /// The text of every module, without comments and unit tests.
    texts: BTreeMap<Module, String>,
    /// Where a re-exported name comes from, by the module that re-exports it.
    reexports: BTreeMap<(Module, String), Vec<String>>,
}

impl Sources {
    fn read() -> Self {
        let mut texts = BTreeMap::new();
        collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut Module::new(), &mut texts);
        let mut sources = Self { texts, reexports: BTreeMap::new() };
        for (module, text) in &sources.texts {
            for (_, path) in imports(text).into_iter().filter(|&(public, _)| public) {
                let name = path.last().cloned().unwrap_or_default();
                sources.reexports.insert((module.clone(), name), path);
            }
        }
        sources
    }

    /// The module that defines the target of a path used in `from`; `None` if it is outside the crate.
    fn resolve(&self, from: &Module, path: &[String]) -> Option<Module> {
        let mut at = from.clone();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => (at, rest) = (Module::new(), &path[1..]),
            "self" => rest = &path[1..],
            "super" => {
                while rest.first().is_some_and(|segment| segment == "super") {
                    at.pop();
                    rest = &rest[1..];
                }
            }
            first => {
                let child = [from.as_slice(), &[first.to_owned()]].concat();
                self.texts.get(&child)?;
            }
        }
        while let Some(next) = rest.first() {
            let child = [at.as_slice(), std::slice::from_ref(next)].concat();
            if !self.texts.contains_key(&child) {
                break;
            }
            (at, rest) = (child, &rest[1..]);
        }
        let reexport = rest.first().and_then(|name| Some((name, self.reexports.get(&(at.clone(), name.clone()))?)));
        match reexport {
            Some((_, path)) => self.resolve(&at, path).or(Some(at)),
            None => Some(at),
        }
    }

    /// The modules that each module depends on.
    fn dependencies(&self) -> BTreeMap<Module, BTreeSet<Module>> {
        let of = |(module, text): (&Module, &String)| {
            let mut found = BTreeSet::new();
            let mut modules = BTreeMap::new();
            for (_, path) in imports(text).into_iter().filter(|(public, _)| !public) {
                let Some(to) = self.resolve(module, &path) else { continue };
                if to.last() == path.last() {
                    modules.insert(path.last().cloned().unwrap_or_default(), path);
                } else {
                    found.insert(to);
                }
            }
            for path in paths(text) {
                let imported = modules.get(&path[0]).map(|import| [import.as_slice(), &path[1..]].concat());
                found.extend(self.resolve(module, &imported.unwrap_or(path)));
            }
            found.remove(module);
            (module.clone(), found)
        };
        self.texts.iter().map(of).collect()
    }
}

/// Reads the files of a folder and its subfolders.
fn collect(folder: &Path, module: &mut Module, texts: &mut BTreeMap<Module, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            module.push(name);
            collect(&path, module, texts);
            module.pop();
        } else if name != "tests" {
            let text = fs::read_to_string(&path).unwrap();
            let text = text.split("#[cfg(test)]\nmod tests").next().unwrap();
            let code = text.lines().map(|line| line.split("//").next().unwrap()).collect::<Vec<_>>().join("\n");
            let own = if name == "mod" || name == "lib" { Module::new() } else { vec![name] };
            texts.insert([module.as_slice(), &own].concat(), code);
        }
    }
}

/// The `use` declarations of a text, with every brace expanded: whether each is public, and its path.
fn imports(text: &str) -> Vec<(bool, Vec<String>)> {
    let mut found = Vec::new();
    for statement in text.split(';') {
        let start = statement.find("use ").filter(|&at| at == 0 || statement.as_bytes()[at - 1].is_ascii_whitespace());
        let Some(at) = start else { continue };
        let line = statement[..at].rsplit('\n').next().unwrap();
        let public = line.trim_start().starts_with("pub");
        if line.trim().is_empty() || public {
            let tree: String = statement[at + 4..].split_whitespace().collect::<Vec<_>>().join(" ");
            expand("", &tree, &mut |path| {
                found.push((public, path.split("::").map(|segment| segment.trim().to_owned()).collect()));
            });
        }
    }
    found
}

/// Expands the braces of a `use` tree; a new name (`as`) is dropped.
fn expand(prefix: &str, tree: &str, emit: &mut impl FnMut(&str)) {
    let Some((head, body)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap().trim();
        if !path.is_empty() {
            emit(&format!("{prefix}{path}"));
        }
        return;
    };
    let body = &body[..body.rfind('}').unwrap()];
    let (mut depth, mut from) = (0, 0);
    for (at, character) in body.char_indices().chain([(body.len(), ',')]) {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                expand(&format!("{prefix}{}", head.trim()), body[from..at].trim(), emit);
                from = at + 1;
            }
            _ => {}
        }
    }
}

/// All paths of at least two segments in a text, inside and outside `use` declarations.
fn paths(text: &str) -> Vec<Vec<String>> {
    let words = |character: char| !(character.is_alphanumeric() || character == '_' || character == ':');
    let paths = text.split(words).filter(|path| path.contains("::") && !path.starts_with(':') && !path.ends_with(':'));
    paths.map(|path| path.split("::").map(str::to_owned).collect()).collect()
}

/// The groups of modules that depend on each other in a cycle, largest first.
fn circles(dependencies: &BTreeMap<Module, BTreeSet<Module>>) -> Vec<Vec<String>> {
    let reach = |from: &Module| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(next) = open.pop() {
            open.extend(dependencies.get(next).into_iter().flatten().filter(|&to| seen.insert(to.clone())));
        }
        seen
    };
    let reached: BTreeMap<&Module, BTreeSet<Module>> = dependencies.keys().map(|from| (from, reach(from))).collect();
    let mut found = BTreeSet::new();
    for (from, to) in &reached {
        let circle = to.iter().filter(|&other| reached.get(other).is_some_and(|back| back.contains(*from)));
        let circle: Vec<String> = circle.map(|module| module.join("::")).collect();
        if circle.len() > 1 {
            found.insert(circle);
        }
    }
    let mut found: Vec<Vec<String>> = found.into_iter().collect();
    found.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
    found
}

#[test]
fn files_import_each_other_in_small_circles_only() {
    let circles = circles(&Sources::read().dependencies());
    for circle in &circles {
        println!("{} files: {}", circle.len(), circle.join(", "));
    }
    let largest = circles.first().map_or(0, Vec::len);
    assert!(
        (1..=CIRCLE_MAX).contains(&largest),
        "{largest} files import each other in a circle: {:?}",
        circles.first()
    );
}

#[test]
fn the_context_of_a_step_has_few_methods() {
    let sources = Sources::read();
    let mut methods = 0;
    for text in sources.texts.values() {
        let mut inside = false;
        for line in text.lines() {
            if line.starts_with("impl")
                && !line.contains(" for ")
                && CONTEXT.iter().any(|name| line.contains(&format!(" {name}<")))
            {
                inside = true;
            } else if line.starts_with('}') {
                inside = false;
            }
            let method = line.starts_with("    fn ") || (line.starts_with("    pub") && line.contains(" fn "));
            methods += usize::from(inside && method);
        }
    }
    println!("{methods} methods");
    assert!(
        (1..=METHODS_MAX).contains(&methods),
        "{methods} methods: make functions of those that only some files need"
    );
}
