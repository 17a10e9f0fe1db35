//! The files behind a study on disk: checked, completed, saved, and changes saved as a variant.

use std::fs;
use std::path::{Path, PathBuf};

use grognard_lab::library;
use grognard_lab::runner::Fighter;
use grognard_lab::study::{Changes, Study};
use grognard_source::{Override, Sources};
use grognard_stats::Level;
use grognard_studio::{Ask, Desk, Studio, Unsaved};

/// A variant of a built-in pack, with a study next to it that varies one of its numbers.
const PACK: &str = "pack = \"mine\"\r\ntitle = \"Mine\"\r\nversion = \"0.1.0\"\r\nextends = \"risk\"\r\n\r\n[roll.assault]\r\nown.count = 2\r\nfoe.count = 2\r\n";
const STUDY: &str = "study = 'mine'\ntitle = 'Mine'\npack = '.'\nseed = 7\nturns = 60\n[set]\n\"victory.broken\" = 100\n\
    [vary]\n\"roll.assault.foe.count\" = [1, 2]\n[side.attacker]\nunits = [{ type = 'army', figures = 5 }]\n\
    [side.defender]\nunits = [{ type = 'army', figures = 3 }]\n[report]\nanalysis = 'Of other rules.'\n";

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().expect("a temporary folder"));
        fs::create_dir(place.path("mine")).expect("a folder");
        place.write("mine/pack.toml", PACK);
        place.write("mine/study.toml", STUDY);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("written");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("text")
    }

    /// The headline study, in a separate file.
    fn headline(&self) -> PathBuf {
        let built_in = concat!(env!("CARGO_MANIFEST_DIR"), "/../../studies/square-vs-line.toml");
        self.write("square.toml", &fs::read_to_string(built_in).expect("a study"));
        self.path("square.toml")
    }

    fn desk(&self) -> Desk {
        Desk::open(&self.path("mine"), &["."], false).expect("the files can be read")
    }
}

fn load(path: &Path) -> Study {
    let mut sources = Sources::new();
    library::load(path, &Changes::default(), &mut sources)
        .unwrap_or_else(|faults| panic!("{}: {}", path.display(), faults.render(&sources, false)))
}

/// Opens a studio of the study at a path.
fn with_studio(path: &Path, then: impl FnOnce(&Studio<'_>, &Desk)) {
    with_studio_of(path, &[], then);
}

/// Opens a studio of the study at a path with changes, as with `--set`.
fn with_studio_of(path: &Path, set: &[&str], then: impl FnOnce(&Studio<'_>, &Desk)) {
    let mut sources = Sources::new();
    let set = set.iter().map(|change| {
        let argument = sources.add("--set", *change);
        Override::parse(argument, &sources).expect("PATH=VALUE")
    });
    let changes = Changes { set: set.collect(), ..Changes::default() };
    let study = library::load(path, &changes, &mut sources).expect("a good study");
    let studio = Studio::open(&study, &mut sources, 2, Level::default(), 64, "x").expect("it opens");
    let desk = Desk::open(path, &studio.packs(), false).expect("its files");
    then(&studio, &desk);
}

#[test]
fn the_list_has_the_study_its_packs_and_what_they_extend() {
    let place = Place::new();
    let listed = place.desk().listed();
    let names: Vec<String> = listed.iter().map(|file| file.name.clone()).collect();
    let of = |name: &str| place.path(name).display().to_string();
    assert_eq!(names, [of("mine/study.toml"), of("mine/pack.toml"), "packs/risk/pack.toml".to_owned()]);
    assert_eq!(listed.iter().map(|file| file.kept.is_some()).collect::<Vec<_>>(), [false, false, true]);
}

#[test]
fn a_text_is_checked_as_it_is_written() {
    let place = Place::new();
    let desk = place.desk();
    let said = |file: usize, text: &str| desk.check(&[(file, text.to_owned())]).expect("there is such a file");
    let plain = PACK.replace("\r\n", "\n");
    assert_eq!(said(1, &plain), []);
    let wrong = said(1, &plain.replace("own.count = 2", "own.cuont = 2"));
    assert!(
        wrong.iter().any(|one| one.file == Some(1) && one.line == Some(7) && one.message.contains("cuont")),
        "{wrong:?}"
    );
    let torn = said(1, &plain.replace("[roll.assault]", "[roll.assault"));
    assert!(torn.len() == 1 && torn[0].line == Some(6), "{torn:?}");
    // A value that is valid in the pack may be wrong for the study.
    let study = said(0, &STUDY.replace("foe.count", "foe.cuont"));
    assert!(study.len() == 1 && study[0].file == Some(0) && study[0].line == Some(9), "{study:?}");
    assert_eq!(place.read("mine/pack.toml"), PACK, "nothing is written");
    // The study is checked with the edited text of the pack, even before that is saved.
    let texts = [(1, plain.replace("extends = \"risk\"", "extends = \"nothing-such\"")), (0, STUDY.to_owned())];
    assert!(!desk.check(&texts).expect("such files").is_empty());
}

#[test]
fn words_are_completed_and_explained_by_the_schema_of_the_file() {
    let place = Place::new();
    let desk = place.desk();
    let words = |file: usize, text: &str| {
        let at = text.find('|').expect("a place");
        let found = desk.assist(file, &text.replace('|', ""), at).expect("there is such a file");
        found.offers.into_iter().map(|offer| offer.word).collect::<Vec<_>>()
    };
    assert!(words(1, "ext|").contains(&"extends".to_owned()));
    assert!(words(0, "run|").contains(&"runs".to_owned()));
    assert!(!words(0, "ext|").contains(&"extends".to_owned()), "a study extends nothing");
    let found = desk.assist(0, "runs = 4", 2).expect("there is such a file");
    assert_eq!(
        (found.path.as_str(), &*found.about),
        ("runs", &["Battles in each cell. Default: 100,000.".to_owned()][..])
    );
}

#[test]
fn a_saved_file_keeps_its_line_ends_and_no_other_change_is_written_over() {
    let place = Place::new();
    let desk = place.desk();
    let opened = desk.text(1).expect("a file");
    assert!(!opened.text.contains('\r'));
    let hash =
        desk.save(1, &opened.text.replace("own.count = 2", "own.count = 1"), &opened.hash).expect("it is the same");
    assert_eq!(place.read("mine/pack.toml"), PACK.replace("own.count = 2", "own.count = 1"));
    assert_eq!(desk.text(1).expect("a file").hash, hash);
    place.write("mine/pack.toml", "pack = \"other\"\n");
    let Err(Unsaved::Changed(fault)) = desk.save(1, &opened.text, &hash) else { panic!("it has changed underneath") };
    assert!(fault.faults[0].message.contains("changed on disk after you opened it"), "{fault:?}");
    assert_eq!(place.read("mine/pack.toml"), "pack = \"other\"\n");
    assert!(matches!(desk.save(2, "", ""), Err(Unsaved::Refused(_))), "a built-in pack stays as it is");
    assert!(matches!(desk.save(9, "", ""), Err(Unsaved::Refused(_))));
    let long = "#".repeat(1 << 20 | 1);
    assert!(matches!(desk.save(1, &long, &hash), Err(Unsaved::Refused(_))), "no larger than a file may be");
}

#[cfg(unix)]
#[test]
fn no_link_leads_out_of_the_folder() {
    let place = Place::new();
    place.write("elsewhere.toml", "[board]\n");
    std::os::unix::fs::symlink(place.path("elsewhere.toml"), place.path("mine/more.toml")).expect("a link");
    let desk = place.desk();
    let listed = desk.listed();
    let number = listed.iter().position(|file| file.name.ends_with("more.toml")).expect("it is listed");
    assert!(listed[number].kept.is_some());
    let hash = desk.text(number).map(|opened| opened.hash);
    assert!(hash.is_err(), "what lies elsewhere is not shown: {hash:?}");
    assert!(matches!(desk.save(number, "x", ""), Err(Unsaved::Refused(_))));
    assert_eq!(place.read("elsewhere.toml"), "[board]\n");
}

/// Saved changes to numbers of the pack and of the study's `set`, `vary` and deployment give the same battles with
/// `grognard run`.
#[test]
fn changes_are_saved_as_a_variant_that_fights_the_same_battles() {
    let place = Place::new();
    with_studio(&place.path("mine"), |studio, desk| {
        let changes = [
            ("roll.assault.own.count", 3_000),
            ("victory.broken", 90_000),
            ("roll.assault.foe.count", 3_000),
            ("attacker.0.figures", 6_000),
        ];
        let known: Vec<(&str, i64)> = studio.sheet().numbers().collect();
        for (key, _) in changes {
            assert!(known.iter().any(|(known, _)| *known == key), "{key} is not among {known:?}");
        }
        let ask = Ask { changes: changes.map(|(key, value)| (key.to_owned(), value)).into(), ..Ask::default() };
        let saved = studio.save_variant(desk, &ask, "bonus").expect("it can be saved");
        assert_eq!(saved.files, ["study.toml", "pack.toml"]);
        let pack = place.read("mine/bonus/pack.toml");
        assert!(pack.contains("extends = \"..\"") && pack.contains("roll.assault.own.count: 2 → 3"), "{pack}");
        let study = place.read("mine/bonus/study.toml");
        assert!(!study.contains("Of other rules") && study.contains("study = \"bonus\""), "{study}");
        let (old, new) = (load(&place.path("mine")), load(&place.path("mine/bonus")));
        assert_eq!(new.seed, 7);
        let label = |study: &Study| study.cells.iter().map(|cell| cell.header.label.clone()).collect::<Vec<_>>();
        assert_ne!(label(&old), label(&new), "1 and 2 dice became 2 and 3");
        // The meaning of the changes, written by hand.
        let by_hand = STUDY
            .replace("pack = '.'", "pack = '../mine'")
            .replace("\"victory.broken\" = 100", "\"victory.broken\" = 90\n\"roll.assault.own.count\" = 3")
            .replace("[1, 2]", "[2, 3]")
            .replace("figures = 5", "figures = 6");
        fs::create_dir(place.path("by-hand")).expect("a folder");
        place.write("by-hand/study.toml", &by_hand);
        let by_hand = load(&place.path("by-hand"));
        for cell in 0..2 {
            assert_eq!(new.fight(cell, 0..200), by_hand.fight(cell, 0..200), "cell {cell}");
            assert_ne!(new.fight(cell, 0..200), old.fight(cell, 0..200), "cell {cell}");
        }
        // An existing folder is never overwritten.
        let again = studio.save_variant(desk, &ask, "bonus").expect_err("it is there");
        assert!(again.faults[0].message.contains("already exists"), "{again:?}");
        assert_eq!(place.read("mine/bonus/pack.toml"), pack);
        for name in ["", "..", "../out", "/tmp/x", "risk"] {
            assert!(studio.save_variant(desk, &ask, name).is_err(), "{name}");
        }
        assert!(studio.save_variant(desk, &Ask::default(), "none").is_err(), "nothing has changed");
    });
    let left: Vec<_> =
        fs::read_dir(place.path("mine")).expect("a folder").flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(left.len(), 3, "{left:?}");
}

/// Doctrines named by `--set` do not have the players that the report asks for.
#[test]
fn a_study_whose_doctrines_are_set_is_saved_without_players_that_nobody_has() {
    let place = Place::new();
    let beginners = ["attacker.doctrine=charge-home", "defender.doctrine=stand"];
    with_studio_of(&place.headline(), &beginners, |studio, desk| {
        let change = ("roll.shock.modifier.square-against-cavalry.add".to_owned(), 3_000);
        let ask = Ask { changes: [change].into(), ..Ask::default() };
        studio.save_variant(desk, &ask, "weak-square").expect("it can be saved");
    });
    let saved = load(&place.path("weak-square")).report.players.expect("players");
    assert!(!saved.players.contains(&"beginner".to_owned()), "{saved:?}");
}

/// Rules of the headline study that can be off: rows with ids, flags, and whole clauses.
#[test]
fn rules_that_are_off_are_saved_as_well() {
    let place = Place::new();
    with_studio(&place.headline(), |studio, desk| {
        let rules: Vec<&str> = studio.sheet().rules().collect();
        assert!(rules.len() > 20, "{rules:?}");
        let mut whole = 0;
        for (nth, rule) in rules.iter().step_by(rules.len() / 8).enumerate() {
            let ask = Ask { off: vec![(*rule).to_owned()], ..Ask::default() };
            let name = format!("off-{nth}");
            match studio.save_variant(desk, &ask, &name) {
                Ok(saved) => {
                    let pack = place.read(&format!("{name}/pack.toml"));
                    assert!(pack.contains(&format!("{rule}: off")), "{pack}");
                    whole += usize::from(!pack.contains("extends = \"napoleonic-figures\""));
                    assert_eq!(saved.files, ["study.toml", "pack.toml"]);
                }
                // Without the rule, the pack may be invalid, or the study may need the rule.
                Err(fault) => assert!(!fault.faults[0].message.contains("does not reproduce"), "{rule}: {fault:?}"),
            }
        }
        assert!(whole < 8, "most variants contain only what is different");
    });
}
