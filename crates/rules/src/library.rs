//! The sources of packs: those built into the binary, and folders on disk.

use std::collections::BTreeMap;
use std::path::{Path as FilePath, PathBuf};

use crate::compile::{compile, compile_with_warnings};
use crate::model::Rules;
use grognard_source::{
    Diagnostic, Diagnostics, Document, FILE_SIZE_MAX, FileId, Node, Path, Sources, Table, Value, extend, has_ids,
    nearest, read_file, slips,
};

pub use grognard_built_in::{PACKS, Pack as BuiltIn};

/// The maximum depth of `extends`.
const EXTENDS_MAX: usize = 16;
/// The maximum number of files in a pack's folder.
const FILES_MAX: usize = 64;

/// A pack as its files define it, with everything it extends merged in.
#[derive(Clone, Debug)]
pub struct Pack {
    /// Its name: that of the built-in pack, or of the folder as the caller wrote it.
    pub name: String,
    /// The merged document.
    pub document: Document,
    /// Its files and those of the packs it extends, by name.
    pub files: Vec<(String, String)>,
    /// What it is a variant of.
    pub variant: Variant,
    own_files: Vec<FileId>,
}

/// The relation of a pack to those that it extends.
#[derive(Clone, Debug, Default)]
pub struct Variant {
    /// Rows that are valid but probably slips: new rows whose ids almost match ids of the base.
    slips: Diagnostics,
    /// The pack's name for its base.
    base: String,
    /// The files of the packs that it extends.
    inherited: Vec<FileId>,
}

impl Variant {
    /// The faults of the pack in terms of what its author wrote, and the slips that explain none of them. Faults in the
    /// text of another pack say what the author can do about them.
    pub fn explained(&self, faults: Diagnostics) -> (Diagnostics, Diagnostics) {
        let (faults, slips) = faults.explained_by(&self.slips);
        let base = &self.base;
        let noted = faults.noted(|fault| {
            fault.span.filter(|span| self.inherited.contains(&span.file))?;
            let printed = match built_in(base) {
                Some(_) => format!(" (`grognard packs show {base}` prints it)"),
                None => String::new(),
            };
            let value = match &fault.path {
                Some(path) => format!("`{path}`"),
                None => "it".to_owned(),
            };
            Some(format!(
                "this comes from the base pack, `{base}`{printed}: give {value} another value in the pack, or `{{ remove = true }}` \
                 to remove it"
            ))
        });
        (noted, slips)
    }
}

impl Pack {
    /// Its name according to its file (`pack`).
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.document.root.get("pack").and_then(Node::as_text)
    }

    /// Compiles the pack as it stands.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it.
    pub fn compile(&self, sources: &Sources) -> Result<Rules, Diagnostics> {
        compile(&self.document, sources).map_err(|faults| self.variant.explained(faults).0)
    }

    /// Like [`Pack::compile`], with warnings about valid but probably unintended parts.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it.
    pub fn compile_with_warnings(&self, sources: &Sources) -> Result<(Rules, Diagnostics), Diagnostics> {
        let compiled = compile_with_warnings(&self.document, sources);
        let (rules, more) = compiled.map_err(|faults| self.variant.explained(faults).0)?;
        let mut warnings = self.variant.slips.clone();
        warnings.append(more);
        Ok((rules, warnings))
    }
}

/// The built-in pack with that name.
#[must_use]
pub fn built_in(name: &str) -> Option<&'static BuiltIn> {
    PACKS.iter().find(|pack| pack.name == name)
}

/// Loads a pack: a built-in one by name, or a folder or `pack.toml` by its path.
///
/// A name that is not a built-in pack is looked up as a folder, first in `beside` (the folder of the file that uses
/// it), then in the current directory.
///
/// # Errors
///
/// Everything wrong with the files, an unknown name, or a cycle of `extends`.
pub fn load(name: &str, beside: Option<&FilePath>, sources: &mut Sources) -> Result<Pack, Diagnostics> {
    load_chain(name, beside, sources, &mut Vec::new())
}

fn load_chain(
    name: &str,
    beside: Option<&FilePath>,
    sources: &mut Sources,
    chain: &mut Vec<String>,
) -> Result<Pack, Diagnostics> {
    let (own_name, folder, files) = find(name, beside, sources)?;
    read(own_name, folder.as_deref(), &files, sources, chain)
}

/// The report of `grognard check` on a pack: the compiled pack or all its faults, and warnings about valid parts that
/// look like slips.
pub fn check(name: &str, sources: &mut Sources) -> (Result<Rules, Diagnostics>, Diagnostics) {
    match load(name, None, sources) {
        Ok(pack) => match compile_with_warnings(&pack.document, sources) {
            Ok((rules, more)) => {
                let mut warnings = pack.variant.slips;
                warnings.append(more);
                (Ok(rules), warnings)
            }
            Err(faults) => {
                let (faults, warnings) = pack.variant.explained(faults);
                (Err(faults), warnings)
            }
        },
        Err(faults) => (Err(faults), Diagnostics::new()),
    }
}

/// A pack whose files are in memory, as names and texts. One of them must be `pack.toml`. Packs that it extends are
/// built in, or folders given by their paths.
///
/// # Errors
///
/// As for [`load`]; also if there is no `pack.toml`, or a name is given twice.
pub fn from_files(
    files: impl IntoIterator<Item = (String, String)>,
    sources: &mut Sources,
) -> Result<Pack, Diagnostics> {
    let (mut ids, mut names) = (Vec::new(), Vec::new());
    for (name, text) in files {
        if names.contains(&name) {
            return Err(one(Diagnostic::new(format!("the pack has two files with the name {name}"))));
        }
        if text.len() as u64 > FILE_SIZE_MAX || names.len() > FILES_MAX {
            let message =
                format!("{name} exceeds the limit: a pack has at most {FILES_MAX} files of {FILE_SIZE_MAX} bytes");
            return Err(one(Diagnostic::new(message)));
        }
        ids.push(sources.add(name.as_str(), text));
        names.push(name);
    }
    // The contents of `pack.toml` come before what other files add to them, regardless of the order of the files.
    let Some(main) = names.iter().position(|name| name == "pack.toml") else {
        let found =
            if names.is_empty() { "it has no files".to_owned() } else { format!("it has {}", names.join(", ")) };
        return Err(one(Diagnostic::new(format!("the pack has no file `pack.toml`: {found}"))));
    };
    let main = ids.remove(main);
    ids.insert(0, main);
    let mut pack = read("the pack in memory".to_owned(), None, &ids, sources, &mut Vec::new())?;
    pack.name = pack.id().unwrap_or_default().to_owned();
    Ok(pack)
}

/// A pack of these files, with what it extends. `chain` lists the packs that lead here.
fn read(
    own_name: String,
    folder: Option<&FilePath>,
    files: &[FileId],
    sources: &mut Sources,
    chain: &mut Vec<String>,
) -> Result<Pack, Diagnostics> {
    if chain.contains(&own_name) {
        chain.push(own_name);
        let help = "remove `extends` from one of them";
        return Err(one(Diagnostic::new(format!("`extends` forms a cycle: {}", chain.join(" extends "))).help(help)));
    }
    if chain.len() >= EXTENDS_MAX {
        let message = format!("more than {EXTENDS_MAX} packs extend one another");
        return Err(one(Diagnostic::new(message).help("merge some of them, or extend a pack further down the chain")));
    }
    chain.push(own_name.clone());
    let mut document = merge_files(files, sources)?;
    let mut texts: Vec<(String, String)> =
        files.iter().map(|&file| (sources.name(file).to_owned(), sources.text(file).to_owned())).collect();
    let mut variant = Variant::default();
    let base = document.root.get("extends").and_then(|node| node.as_text().map(|text| (text.to_owned(), node.span)));
    if let Some((base_name, span)) = base {
        let base = load_chain(&base_name, folder, sources, chain).map_err(|faults| {
            let circle = faults.sorted().first().is_some_and(|fault| fault.span.is_none());
            if circle { placed(&faults, span) } else { faults }
        })?;
        let inherited = base.own_files.into_iter().chain(base.variant.inherited).collect();
        variant = Variant { slips: base.variant.slips, base: base_name, inherited };
        variant.slips.append(slips(&base.document, &document));
        texts.extend(base.files);
        document = extend(base.document, document)?;
    }
    Ok(Pack { name: own_name, document, files: texts, variant, own_files: files.to_vec() })
}

/// Locates faults without a location at the `extends` that led to them.
fn placed(faults: &Diagnostics, span: grognard_source::Span) -> Diagnostics {
    let mut placed = Diagnostics::new();
    for fault in faults.sorted() {
        let mut fault = fault.clone();
        fault.span = fault.span.or(Some(span));
        placed.push(fault);
    }
    placed
}

type Found = (String, Option<PathBuf>, Vec<FileId>);

fn find(name: &str, beside: Option<&FilePath>, sources: &mut Sources) -> Result<Found, Diagnostics> {
    if let Some(pack) = built_in(name) {
        let files = pack.files.iter().map(|(file, text)| sources.add(format!("packs/{name}/{file}"), *text)).collect();
        return Ok((name.to_owned(), None, files));
    }
    for folder in tried(name, beside) {
        if folder.join("pack.toml").exists() {
            let files = read_folder(&folder, sources)?;
            let name = std::fs::canonicalize(&folder).unwrap_or(folder.clone());
            return Ok((name.display().to_string(), Some(folder), files));
        }
        if folder.is_dir() {
            let message = format!("the folder {} holds no `pack.toml`", folder.display());
            return Err(one(Diagnostic::new(message).help("name the folder of a pack, or a built-in pack")));
        }
    }
    if name.contains(['/', '\\']) {
        let place = beside.map_or_else(|| FilePath::new(name).to_path_buf(), |folder| folder.join(name));
        let fault = Diagnostic::new(format!("there is no folder {}", place.display()));
        let here = beside.filter(|folder| folder.join("pack.toml").exists());
        return Err(one(fault.help(match here {
            Some(_) => "name a built-in pack, or a folder that holds a `pack.toml`: the pack in this folder is `.`",
            None => "name a built-in pack, or a folder that holds a `pack.toml`",
        })));
    }
    let built_in = || PACKS.iter().map(|pack| pack.name);
    let fault = Diagnostic::unknown("pack", name, built_in());
    let help = fault.help.clone().filter(|_| nearest(name, built_in()).is_none());
    Err(one(match help {
        Some(help) => fault.help(format!("{help}; or name a folder that holds a `pack.toml`")),
        None => fault,
    }))
}

/// The folders in which a pack of this name is looked for, in order.
fn tried(name: &str, beside: Option<&FilePath>) -> impl Iterator<Item = PathBuf> {
    let paths = beside.map(|folder| folder.join(name)).into_iter().chain([FilePath::new(name).to_path_buf()]);
    paths.map(|path| {
        // A study next to its pack gives the pack as `.`: this turns `rules/.` into `rules`.
        let path: PathBuf = path.components().collect();
        if path.file_name().is_some_and(|file| file == "pack.toml") && path.is_file() {
            path.parent().map(FilePath::to_path_buf).unwrap_or_default()
        } else {
            path
        }
    })
}

/// The folder from which [`load`] takes the pack of this name; `None` for a built-in pack, and if there is no such
/// folder.
#[must_use]
pub fn folder_of(name: &str, beside: Option<&FilePath>) -> Option<PathBuf> {
    let is_pack = |folder: &PathBuf| folder.join("pack.toml").exists();
    if built_in(name).is_some() { None } else { tried(name, beside).find(is_pack) }
}

/// The name of a folder; `None` if it has none.
#[must_use]
pub fn folder_name(folder: &FilePath) -> Option<String> {
    let folder = if folder.as_os_str().is_empty() { FilePath::new(".") } else { folder };
    let whole = std::fs::canonicalize(folder).ok()?;
    Some(whole.file_name()?.to_string_lossy().into_owned())
}

/// The files of the pack in a folder: `pack.toml`, then the others by name.
///
/// # Errors
///
/// The folder cannot be read, or holds too many files.
pub fn files_of(folder: &FilePath) -> Result<Vec<PathBuf>, Diagnostics> {
    let unreadable =
        |error: std::io::Error| one(Diagnostic::new(format!("cannot read the folder {}: {error}", folder.display())));
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let toml = path.extension().is_some_and(|extension| extension == "toml");
        let name = path.file_name().unwrap_or_default();
        // A study may be next to its pack; files whose names start with a dot belong to editors and other tools.
        if toml && name != "pack.toml" && name != "study.toml" && !name.to_string_lossy().starts_with('.') {
            paths.push(path);
        }
        if paths.len() > FILES_MAX {
            let message = format!("the folder {} holds more than {FILES_MAX} TOML files", folder.display());
            return Err(one(Diagnostic::new(message).help("give the pack a folder of its own")));
        }
    }
    paths.sort();
    paths.insert(0, folder.join("pack.toml"));
    Ok(paths)
}

fn read_folder(folder: &FilePath, sources: &mut Sources) -> Result<Vec<FileId>, Diagnostics> {
    let paths = files_of(folder)?;
    let (main, others) = paths.split_at(1);
    let mut files = vec![read_own(&main[0], folder, sources)?];
    let mut faults = Diagnostics::new();
    for path in others {
        match read_own(path, folder, sources) {
            Ok(file) => files.push(file),
            Err(more) => faults.append(more),
        }
    }
    faults.into_result(files)
}

/// Reads a file only if it is inside a folder. Otherwise, an untrusted pack or study could link to another file and
/// reveal its text in a fault. [`Sources::follow_links`] allows such links.
///
/// # Errors
///
/// The file cannot be read, or is a link that leads out of the folder.
pub fn read_own(path: &FilePath, folder: &FilePath, sources: &mut Sources) -> Result<FileId, Diagnostics> {
    let real = |path: &FilePath| std::fs::canonicalize(path).ok();
    let beneath = real(path).zip(real(folder)).is_none_or(|(path, folder)| path.starts_with(folder));
    if beneath || sources.follow_links {
        return read_file(path, sources);
    }
    let message = format!("`{}` is a link that leads out of its folder", path.display());
    Err(one(Diagnostic::new(message).help("put the file itself there, or use --follow-links")))
}

/// One document from all files of a pack. No value may be given in two of them.
fn merge_files(files: &[FileId], sources: &Sources) -> Result<Document, Diagnostics> {
    let mut faults = Diagnostics::new();
    let mut merged: Option<Document> = None;
    for &file in files {
        let document = match Document::parse(file, sources) {
            Ok(document) => document,
            Err(more) => {
                faults.append(more);
                continue;
            }
        };
        if let Some((key, _)) = document.root.entry("study").filter(|_| merged.is_some()) {
            let message = format!("{} is a study in the folder of a pack", sources.name(file));
            let folder = FilePath::new(sources.name(file)).parent().and_then(folder_name);
            let pack = folder.unwrap_or_else(|| "NAME".to_owned());
            let help = format!(
                "a pack's folder may hold only one study, `study.toml`: put the others next to the folder, with `pack = \"{pack}\"`"
            );
            faults.push(Diagnostic::new(message).at(key.span).help(help));
            continue;
        }
        merged = Some(match merged {
            None => document,
            Some(before) => {
                given_twice([&before.root, &document.root], &mut Path::root(), &mut faults);
                extend(before, document)?
            }
        });
    }
    match merged {
        Some(document) => faults.into_result(document),
        None => Err(faults),
    }
}

/// Reports every value that an earlier file already gave. Rows are identified by their ids; each is looked up once.
fn given_twice([before, after]: [&Table; 2], path: &mut Path, faults: &mut Diagnostics) {
    for (key, node) in after.iter() {
        if let Some(first) = before.get(&key.name) {
            path.push(&key.name);
            value_given_twice([first, node], path, faults);
            path.pop();
        }
    }
}

fn value_given_twice([before, after]: [&Node; 2], path: &mut Path, faults: &mut Diagnostics) {
    match (&before.value, &after.value) {
        (Value::Table(before), Value::Table(after)) => given_twice([before, after], path, faults),
        (Value::Array(before), Value::Array(after)) if has_ids(before) && has_ids(after) => {
            let known: BTreeMap<&str, &Node> = before.iter().filter_map(|row| Some((row.id()?, row))).collect();
            for row in after {
                let Some((id, first)) = row.id().and_then(|id| Some((id, *known.get(id)?))) else { continue };
                path.push(id);
                value_given_twice([first, row], path, faults);
                path.pop();
            }
        }
        _ => {
            let fault = Diagnostic::new(format!("`{path}` is given in two files of the pack"));
            faults.push(fault.at(after.span).path(path).note("first given here", Some(before.span)));
        }
    }
}

fn one(diagnostic: Diagnostic) -> Diagnostics {
    let mut faults = Diagnostics::new();
    faults.push(diagnostic);
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_files(texts: &[String]) -> Result<Document, String> {
        let mut sources = Sources::new();
        let files: Vec<FileId> =
            texts.iter().enumerate().map(|(place, text)| sources.add(format!("{place}.toml"), text.as_str())).collect();
        merge_files(&files, &sources).map_err(|faults| faults.render(&sources, false))
    }

    fn said(texts: &[&str]) -> String {
        let texts: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
        of_files(&texts).err().unwrap_or_default()
    }

    #[test]
    fn a_pack_may_be_a_folder_where_no_built_in_one_is_near() {
        let fault = |name: &str| {
            let mut sources = Sources::new();
            load(name, None, &mut sources).err().unwrap_or_default().render(&sources, false)
        };
        assert!(fault("allley").contains("`risk`"), "{}", fault("allley"));
        assert!(fault("allley").contains("; or name a folder that holds a `pack.toml`"), "{}", fault("allley"));
        assert!(fault("rsik").ends_with("did you mean `risk`?\n"), "{}", fault("rsik"));
    }

    #[test]
    fn a_second_study_in_the_folder_is_called_one() {
        let study = "study = 'mine'\ntitle = 'b'\npack = '.'\n";
        let said = said(&["pack = 'a'\ntitle = 'a'\n", study]);
        assert!(said.contains("1.toml is a study in the folder of a pack"), "{said}");
        assert!(said.contains("1.toml:1:1") && said.matches("error: ").count() == 1, "{said}");
    }

    #[test]
    fn what_two_files_give_is_a_fault_wherever_it_stands() {
        let first = "title = 'a'\n[fire]\nrange = 3\ndice = [1, 2]\n[[fire.row]]\nid = 'x'\nadd = 1\n";
        for (second, path) in [
            ("title = 'b'\n", "`title`"),
            ("fire.range = 4\n", "`fire.range`"),
            ("fire.dice = [3]\n", "`fire.dice`"),
            ("[[fire.row]]\nid = 'x'\n", "`fire.row.x.id`"),
            ("fire = 3\n", "`fire`"),
            ("title.long = 'b'\n", "`title`"),
            ("[[fire.dice]]\nid = 'x'\n", "`fire.dice`"),
        ] {
            let said = said(&[first, second]);
            assert!(said.contains(&format!("{path} is given in two files of the pack")), "{second}: {said}");
        }
        assert_eq!(said(&[first, "about = 'b'\n[fire]\nsmoke = true\n[[fire.row]]\nid = 'y'\n"]), "");
    }

    /// This took minutes when every row was compared with every other.
    #[test]
    fn many_rows_in_many_files_are_merged_at_once() {
        let file = |number: usize| {
            let rows: String = (0..40_000).map(|row| format!("{{id='a{number}-{row}'}},")).collect();
            format!("x = [{rows}]\n")
        };
        let document = of_files(&[file(0), file(1), file(2)]).expect("no row twice");
        assert_eq!(document.root.get("x").and_then(Node::as_array).map(<[Node]>::len), Some(120_000));
    }

    #[test]
    fn new_names_that_look_like_slips_are_warned_of() {
        let base = "[roll.shock]\ntitle = 'a'\n[[roll.shock.modifier]]\nid = 'square-against-cavalry'\nadd = 1\n\
            [[roll.shock.modifier]]\nid = 'impetus'\nadd = 1\n";
        let warned = |variant: &str| {
            let mut sources = Sources::new();
            let (base, variant) = (sources.add("base.toml", base), sources.add("variant.toml", variant));
            let parse = |file| Document::parse(file, &sources).expect("good TOML");
            slips(&parse(base), &parse(variant)).render(&sources, false)
        };
        let said = warned("[[roll.shock.modifier]]\nid = 'square-against-cavalri'\nadd = 6\n");
        assert!(said.starts_with("warning: the base has no row `square-against-cavalri`"), "{said}");
        assert!(said.contains("did you mean `square-against-cavalry`?") && said.contains("variant.toml:2:6"), "{said}");
        let said = warned("[[roll.shok.modifier]]\nid = 'impetus'\nadd = 2\n");
        assert!(said.contains("nothing called `shok`") && said.contains("did you mean `shock`?"), "{said}");
        for meant in [
            "[[roll.shock.modifier]]\nid = 'impetus'\nadd = 2\n",
            "[[roll.shock.modifier]]\nid = 'uphill'\nadd = 2\n",
            "[roll.volley]\ntitle = 'b'\n",
            // Both exist, so neither is a misspelling of the other.
            "[[roll.shock.modifier]]\nid = 'impetus'\nadd = 2\n[[roll.shock.modifier]]\nid = 'impetuz'\nadd = 2\n",
        ] {
            assert_eq!(warned(meant), "", "{meant}");
        }
    }

    /// What `grognard check` prints about a variant of a built-in pack.
    fn faults_of(base: &str, rows: &str) -> String {
        let mut sources = Sources::new();
        let text = format!("pack = 'mine'\ntitle = 'Mine'\nversion = '1'\nextends = '{base}'\n{rows}");
        let pack = from_files([("pack.toml".to_owned(), text)], &mut sources).expect("it can be merged");
        pack.compile(&sources).err().unwrap_or_default().render(&sources, false)
    }

    #[test]
    fn a_name_that_is_nearly_one_of_the_base_is_one_fault() {
        for (base, rows, name, meant, needs) in [
            ("fleet-action", "[unit.cruser]\nfigures = 3\n", "nothing called `cruser`", "cruiser", "`title` and `arm`"),
            ("sf-skirmish", "[[phase]]\nid = 'shot'\n", "no row `shot`", "shoot", "`title` and `mechanism`"),
            ("sf-skirmish", "[trait.vetran]\n", "nothing called `vetran`", "veteran", "`title`"),
        ] {
            let said = faults_of(base, rows);
            assert_eq!(said.matches("error: ").count(), 1, "{said}");
            assert!(said.starts_with(&format!("error: the base has {name}\n")), "{said}");
            assert!(
                said.contains(&format!("did you mean `{meant}`? If it is meant to be new, it also needs {needs}\n")),
                "{said}"
            );
            assert!(said.contains("pack.toml:5:") || said.contains("pack.toml:6:"), "{said}");
        }
        // A row whose name resembles no other is new, so its required keys are missing.
        let said = faults_of("fleet-action", "[unit.dreadnought]\nfigures = 3\n");
        assert!(said.contains("the key `title` is missing") && said.contains("the key `arm` is missing"), "{said}");
    }

    #[test]
    fn a_pack_that_no_longer_activates_units_is_one_fault() {
        let said = faults_of("bag-of-orders", "activation = { remove = true }\n");
        assert_eq!(said.matches("error: ").count(), 1, "{said}");
        assert!(
            said.starts_with("error: whole sides move in this pack, so `activates` of 8 doctrines has no effect\n"),
            "{said}"
        );
        assert!(said.contains("add `[activation.alternate]`, `[activation.bag]` or `[activation.priority]`"), "{said}");
        // The fault is in a text that the author of the variant does not have.
        let note = "this comes from the base pack, `bag-of-orders` (`grognard packs show bag-of-orders` prints it): give \
                    `doctrine.";
        assert!(said.contains(note) && said.contains("`{ remove = true }` to remove it"), "{said}");
    }

    #[test]
    fn an_attribute_that_was_renamed_is_one_fault_for_all_unit_types() {
        let renamed =
            "[attribute.gunnery]\nremove = true\n[attribute.accuracy]\ntitle = 'Accuracy.'\nmin = 7\nmax = 9\n";
        let said = faults_of("fleet-action", renamed);
        assert!(said.contains("error: there is no attribute `gunnery`, but 6 unit types set it\n"), "{said}");
        assert!(said.contains("help: did you mean `accuracy`?"), "{said}");
        assert!(!said.contains("no value for"), "{said}");
        // The other fault is about the formula of the roll.
        assert_eq!(said.matches("error: ").count(), 2, "{said}");
        let new = faults_of("fleet-action", "[attribute.accuracy]\ntitle = 'Accuracy.'\nmin = 7\nmax = 9\n");
        assert_eq!(new.matches("error: ").count(), 1, "{new}");
        assert!(new.contains("6 unit types have no value for `accuracy`: `battleship`, `carrier`, `cruiser`"), "{new}");
    }
}
