use std::path::Path;
use std::sync::Mutex;

use grognard_engine::BySide;
use grognard_source::Sources;
use grognard_stats::Level;
use serde_json::Value as Json;

use super::*;
use crate::exact::Unwatched;
use crate::memoised_cells::MemoisedCells;
use crate::progress::Silent;
use crate::questions::BestPlay;
use crate::record::Record;
use crate::runner::Fighter;
use crate::study::Changes;

/// A pack solved by hand: see the tests of exact best play.
const CHARGE_OR_WAIT: &str = include_str!("../../../../exact/tests/packs/charge-or-wait/pack.toml");
const HORSE: &str = "study = 'horse'\npack = 'field'\nturns = 3\n[side.horse]\ndoctrine = 'at-once'\nunits = [{ type = 'horse' }]\n\
    [side.foot]\ndoctrine = 'foot'\nunits = [{ type = 'foot' }]\n";

/// A study, with its pack next to it under the name `field`.
fn study(pack: &str, text: &str, seed: u64, sources: &mut Sources) -> Study {
    let place = tempfile::tempdir().expect("a temporary folder");
    let folder = place.path().join("field");
    std::fs::create_dir(&folder).expect("a folder can be made");
    std::fs::write(folder.join("pack.toml"), pack).expect("a file can be written");
    read(place.path(), text, seed, sources)
}

fn read(beside: &Path, text: &str, seed: u64, sources: &mut Sources) -> Study {
    let file = sources.add("study.toml", text);
    let changes = Changes { seed: Some(seed), ..Changes::default() };
    let study = Study::read(file, Some(beside), &changes, sources);
    study.unwrap_or_else(|faults| panic!("{}", faults.render(sources, false)))
}

fn training(study: &Study) -> Training {
    Training {
        cells: Vec::new(),
        side: Side::First,
        quantity: Quantity::score(study, Side::First),
        steps: 20,
        look: 256,
        battles: 20_000,
        each: Level::new(0.99).expect("a level"),
        level: Level::P95,
        threads: 2,
    }
}

fn trained(training: &Training, study: &Study, sources: &mut Sources) -> Trained {
    let variants = Variants::of(study, sources).expect("its own texts");
    training.run(study, &variants, &Silent, &Stop::new()).expect("it can be trained")
}

/// Solved by hand, best play is worth 7/9 to the horse, and charging at once 1/2.
#[test]
fn what_is_solved_by_hand_is_found() {
    let mut sources = Sources::new();
    let study = study(CHARGE_OR_WAIT, HORSE, 1815, &mut sources);
    let found = trained(&training(&study), &study, &mut sources);
    assert!(found.settled && !found.stopped);
    assert!(found.gain.holds(7.0 / 9.0 - 0.5), "{:?} by {:?}", found.gain, found.steps);
    assert_eq!(found.against, ["foot"]);
    assert_eq!((found.from.name.as_str(), found.name.as_str()), ("at-once", "at-once-trained"));
}

#[test]
fn a_trained_doctrine_is_the_same_for_any_number_of_threads() {
    let mut sources = Sources::new();
    let study = study(CHARGE_OR_WAIT, HORSE, 7, &mut sources);
    let [one, other] = [1, 3].map(|threads| {
        let training = Training { threads, battles: 2_000, ..training(&study) };
        trained(&training, &study, &mut sources)
    });
    assert_eq!(one.toml(&[]), other.toml(&[]));
    assert_eq!((one.gain, one.tried, one.fought), (other.gain, other.tried, other.fought));
}

/// The output is a table for the pack. With this table in the pack, the battles are those of the search.
#[test]
fn a_trained_doctrine_can_be_written_into_its_pack() {
    let mut sources = Sources::new();
    let plain = study(CHARGE_OR_WAIT, HORSE, 1815, &mut sources);
    let found = trained(&Training { battles: 1_000, ..training(&plain) }, &plain, &mut sources);
    let toml = found.toml(&["A note.".to_owned()]);
    assert!(toml.starts_with("# A note.\n# Left out: charge.\n[doctrine.at-once-trained]\n"), "{toml}");
    let taken_over = found.policy.rows.iter().any(|row| row.from.is_some());
    assert!(taken_over && toml.contains("  # New: charge of as-late-as-it-can."), "{toml}");

    let pack = format!("{CHARGE_OR_WAIT}\n{toml}");
    let with = study(&pack, &HORSE.replace("'at-once'", "'at-once-trained'"), 1815, &mut sources);
    let variants = Variants::of(&plain, &mut sources).expect("its own texts");
    let doctrine = found.policy.doctrine(found.from.span);
    let tried = BySide::new(Some(&doctrine), None);
    let cells = variants.cells_with_doctrines(&plain, &[0], &tried).expect("the rules allow it");
    let searched = Study { cells, ..plain.clone() };
    let [plain, with, searched] = [&plain, &with, &searched].map(|study| MemoisedCells::new(study).fight(0, 0..2_000));
    assert_eq!(with, searched);
    assert_ne!(plain, searched);
}

/// The other side may follow a doctrine with the name that the search uses for its own.
#[test]
fn rows_that_are_tried_stand_beside_the_doctrines_of_the_pack() {
    let mut sources = Sources::new();
    let pack = CHARGE_OR_WAIT.replace("[doctrine.foot]", "[doctrine.tried]");
    let study = study(&pack, &HORSE.replace("'foot'\nunits", "'tried'\nunits"), 1, &mut sources);
    let variants = Variants::of(&study, &mut sources).expect("its own texts");
    let (doctrines, formations) = variants.doctrines(&[0]).expect("one pack");
    assert_eq!(formations, ["waiting", "charging"]);
    let doctrine = Policy::of(&doctrines[0]).doctrine(doctrines[0].span);
    let tried = BySide::new(Some(&doctrine), None);
    let cells = variants.cells_with_doctrines(&study, &[0], &tried).expect("the rules allow it");
    let mut names: Vec<&str> = cells[0].rules.doctrines.iter().map(|doctrine| doctrine.id.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["as-late-as-it-can", "at-once", "tried", "tried-too"]);
    assert_eq!(followed(&Study { cells, ..study }, &[0], Side::Second), ["tried"]);
}

/// The activation formula is not a row, but it is part of the doctrine.
#[test]
fn a_doctrine_keeps_what_is_in_no_row() {
    let mut sources = Sources::new();
    let text = "study = 'bag'\npack = 'bag-of-orders'\nturns = 2\n[side.red]\ndoctrine = 'close-in'\nunits = [{ type = 'section', at = [0, -6] }]\n\
        [side.blue]\ndoctrine = 'stand'\nunits = [{ type = 'section', at = [0, 6] }]\n";
    let study = read(Path::new("."), text, 1, &mut sources);
    let variants = Variants::of(&study, &mut sources).expect("its own texts");
    let (doctrines, _) = variants.doctrines(&[0]).expect("one pack");
    let closing = doctrines.iter().find(|doctrine| doctrine.name == "close-in").expect("a doctrine of the pack");
    let toml = write::written(closing, ("bolder", "trained"), &Policy::of(closing), &[]);
    assert!(toml.contains("\nactivates = \"5 - self.pins - 6 * self.orders\"\nrow = [\n"), "{toml}");
    let doctrine = Policy::of(closing).doctrine(closing.span);
    let tried = BySide::new(Some(&doctrine), None);
    let cells = variants.cells_with_doctrines(&study, &[0], &tried).expect("the rules allow it");
    let tried =
        cells[0].rules.doctrines.iter().find(|doctrine| doctrine.id == "tried").expect("the doctrine that is tried");
    assert!(tried.activates.is_some());
}

/// Watches training: records the numbers of the first battles, and counts the battles fought.
#[derive(Default)]
struct Watched {
    begins: Mutex<Vec<u64>>,
    fought: AtomicU64,
    /// The number of battles after which `stop` is raised, if it is.
    most: Option<u64>,
    stop: Stop,
    /// Whether all battles are left to other processes.
    leaves: bool,
}

impl Progress for Watched {
    fn advance(&self, battles: u64) {
        let fought = self.fought.fetch_add(battles, Ordering::Relaxed) + battles;
        if self.most.is_some_and(|most| fought >= most) {
            self.stop.raise();
        }
    }

    fn record(&self) -> Option<&dyn Record> {
        Some(self)
    }
}

impl Record for Watched {
    fn known(&self, _what: &str) -> Option<&Json> {
        None
    }

    fn leaves(&self, _series: &str) -> bool {
        self.leaves
    }

    fn is_open(&self) -> bool {
        self.leaves
    }

    fn note(&self, what: &str, _fought: Json) {
        let begin = what.split("..").next().and_then(|begin| begin.parse().ok());
        self.begins.lock().expect("no panic").push(begin.expect("the number of a battle"));
    }
}

const PENNIES: &str = "study = 'pennies'\npack = 'field'\nturns = 2\n[side.gun]\ndoctrine = 'aim'\nunits = [{ type = 'gun' }]\n\
    [side.foot]\ndoctrine = 'hide'\nunits = [{ type = 'foot' }]\n";

const PENNIES_PACK: &str = include_str!("../../../tests/packs/pennies/pack.toml");

fn pennies(sources: &mut Sources) -> Study {
    study(PENNIES_PACK, PENNIES, 1815, sources)
}

/// Trains both sides alternately, for as many rounds as the pennies pack needs.
fn alternation(study: &Study) -> Alternation {
    Alternation { training: training(study), rounds: 6 }
}

fn alternated(alternation: &Alternation, study: &Study, watched: &Watched, sources: &mut Sources) -> Alternated {
    let variants = Variants::of(study, sources).expect("its own texts");
    alternation.run(study, &variants, watched, &watched.stop).expect("it can be trained")
}

fn trained_watched(training: &Training, study: &Study, watched: &Watched, sources: &mut Sources) -> Trained {
    let variants = Variants::of(study, sources).expect("its own texts");
    training.run(study, &variants, watched, &watched.stop).expect("it can be trained")
}

/// A run with the study's seed fights battles below `RUNS_MAX`. If a search used the same dice, whatever seemed best by
/// luck would also seem best in the run.
#[test]
fn a_search_has_other_dice_than_any_run() {
    let mut sources = Sources::new();
    let watched = [Watched::default(), Watched::default()];
    let study = study(CHARGE_OR_WAIT, HORSE, 1815, &mut sources);
    trained_watched(&Training { battles: 1_000, ..training(&study) }, &study, &watched[0], &mut sources);
    let study = pennies(&mut sources);
    alternated(&alternation(&study), &study, &watched[1], &mut sources);
    for watched in watched {
        let begins = watched.begins.into_inner().expect("no panic");
        let (searched, scored): (Vec<u64>, Vec<u64>) = begins.iter().partition(|begin| **begin < FRESH);
        assert!(!searched.is_empty() && !scored.is_empty());
        assert!(searched.iter().all(|begin| *begin >= RUNS_MAX), "{searched:?}");
    }
}

#[test]
fn all_battles_of_training_are_counted() {
    let mut sources = Sources::new();
    let watched = [Watched::default(), Watched::default()];
    let study = study(CHARGE_OR_WAIT, HORSE, 1815, &mut sources);
    let one = trained_watched(&Training { battles: 1_000, ..training(&study) }, &study, &watched[0], &mut sources);
    let study = pennies(&mut sources);
    let both = alternated(&alternation(&study), &study, &watched[1], &mut sources);
    assert_eq!([one.fought, both.fought], watched.map(|watched| watched.fought.into_inner()));
}

/// The search is already over when the training is stopped, so the answer is the same.
#[test]
fn training_that_is_stopped_while_it_is_scored_is_complete() {
    let mut sources = Sources::new();
    let last = |watched: Watched| Watched { most: Some(watched.fought.into_inner()), ..Watched::default() };
    let plain = study(CHARGE_OR_WAIT, HORSE, 1815, &mut sources);
    let asked = Training { battles: 1_000, ..training(&plain) };
    let watched = Watched::default();
    let whole = trained_watched(&asked, &plain, &watched, &mut sources);
    let found = trained_watched(&asked, &plain, &last(watched), &mut sources);
    assert!(found.settled && !found.stopped && found.gain == whole.gain, "{found:?}");

    let plain = pennies(&mut sources);
    let asked = alternation(&plain);
    let watched = Watched::default();
    let whole = alternated(&asked, &plain, &watched, &mut sources);
    let found = alternated(&asked, &plain, &last(watched), &mut sources);
    assert!(found.settled && !found.stopped && found.table == whole.table, "{found:?}");
}

/// Solved by hand, both sides choose each of three places in a third of the battles: see the pack.
#[test]
fn doctrines_trained_in_turn_come_to_the_mixture_by_hand() {
    let mut sources = Sources::new();
    let study = pennies(&mut sources);
    let mut run = |threads, rounds| {
        let training = Training { threads, ..training(&study) };
        alternated(&Alternation { training, rounds }, &study, &Watched::default(), &mut sources)
    };
    let found = run(2, 6);
    assert!(found.settled && !found.stopped && found.rounds.len() == 5, "{found:?}");
    // A shot hits with probability 4/6 where the foot hides, and 2/6 elsewhere. The table shows which places are the
    // same.
    let [guns, feet] = Side::BOTH.map(|side| &found.members[side]);
    let places = guns.iter().zip(&found.table).flat_map(|(gun, row)| {
        feet.iter()
            .zip(row)
            .map(move |(foot, worth)| gun.weight * foot.weight * if worth.point > 0.5 { 2.0 / 3.0 } else { 1.0 / 3.0 })
    });
    let value: f64 = places.sum();
    assert!((value - 4.0 / 9.0).abs() < 0.02 && found.value.holds(value), "{value}: {:?}", found.value);
    assert!(found.value.runs == 20_000 && found.value.low < found.value.high, "{:?}", found.value);
    for side in Side::BOTH {
        let weights: Vec<f64> = found.members[side].iter().map(|member| member.weight).collect();
        assert!(weights.len() == 3 && weights.iter().all(|weight| (weight - 1.0 / 3.0).abs() < 0.05), "{weights:?}");
    }
    // The foot hides elsewhere, the gun aims there, and both do so once more; then neither gains anything. The first
    // reply is worth 4/6 − 2/6.
    let gains: Vec<[bool; 2]> =
        found.rounds.iter().map(|round| Side::BOTH.map(|side| round.gains[side].low > 0.0)).collect();
    assert_eq!(gains, [[false, true], [true, false], [false, true], [true, false], [false, false]]);
    assert!(found.rounds[0].gains[Side::Second].holds(1.0 / 3.0), "{:?}", found.rounds[0]);
    let members = &found.members[Side::Second];
    assert_eq!([members[0].name.as_str(), members[1].name.as_str()], ["hide", "hide-trained"]);
    let toml = [1, 2].map(|member| found.toml(Side::Second, &members[member], &[]));
    assert!(toml[0].starts_with("# Left out: choose.\n[doctrine.hide-trained]\n"), "{}", toml[0]);
    assert!(toml[1].starts_with("[doctrine.hide-trained-2]\n") && toml[1].contains("# Was formation"), "{}", toml[1]);
    // After one round, the gun aims at the left, where the foot no longer hides.
    let early = run(2, 1);
    assert!(early.value.holds(1.0 / 3.0), "{:?}", early.value);
    // The last replies, which gained nothing, were tested against the mix of the round before.
    let before = run(2, 4);
    let weights = |found: &Alternated| {
        Side::BOTH.map(|side| found.members[side].iter().map(|member| member.weight).collect::<Vec<_>>())
    };
    assert!(!before.settled && weights(&before) == weights(&found), "{:?}", weights(&before));
    let other = run(1, 6);
    assert_eq!((other.fought, other.table, other.value), (found.fought, found.table, found.value));
}

/// Without battles there is no answer, let alone an equilibrium.
#[test]
fn battles_left_to_other_processes_settle_nothing() {
    let mut sources = Sources::new();
    let study = pennies(&mut sources);
    let variants = Variants::of(&study, &mut sources).expect("its own texts");
    let watched = Watched { leaves: true, ..Watched::default() };
    let found = alternation(&study).run(&study, &variants, &watched, &Stop::new());
    assert!(matches!(found, Err(TrainError::Left)), "{found:?}");
    let found = training(&study).run(&study, &variants, &watched, &Stop::new());
    assert!(matches!(found, Err(TrainError::Left)), "{found:?}");
}

/// A table with the name of another doctrine would be merged with it.
#[test]
fn doctrines_trained_in_turn_have_names_that_are_not_in_the_pack() {
    let mut sources = Sources::new();
    let plain = pennies(&mut sources);
    let rounds = |rounds| Alternation { rounds, ..alternation(&plain) };
    let found = alternated(&rounds(1), &plain, &Watched::default(), &mut sources);
    let reply = |found: &Alternated| found.members[Side::Second].last().expect("a doctrine").clone();
    let toml = found.toml(Side::Second, &reply(&found), &[]);
    let with = study(&format!("{PENNIES_PACK}\n{toml}"), PENNIES, 1815, &mut sources);
    let again = alternated(&rounds(1), &with, &Watched::default(), &mut sources);
    assert_eq!([reply(&found).name, reply(&again).name], ["hide-trained", "hide-trained-2"]);
}

/// A gun may be in any of twelve formations. Each hits with this many of the twelve faces of a die, so all are equally
/// good: any improvement that the search finds is due to chance. `hit` is the effect of a hit on the foot.
fn ways(faces: i32, hit: &str) -> String {
    let names: Vec<String> = (0..12).map(|way| format!("way-{way}")).collect();
    let mut pack = String::from(
        "pack = 'ways'\ntitle = 'Ways'\nversion = '1.0.0'\nboard = 'none'\narms = ['gun', 'foot']\n\
        [morale]\nstate = [{ id = 'stands' }, { id = 'broken', broken = true }]\n\
        [formation.idle]\ntitle = 'idle'\narms = ['gun', 'foot']\n",
    );
    let speeds: Vec<String> = names.iter().map(|name| format!("{name} = 0")).collect();
    for name in &names {
        pack += &format!("[formation.{name}]\ntitle = '{name}'\narms = ['gun']\n");
    }
    pack += &format!(
        "[unit]\ngun = {{ title = 'Gun', arm = 'gun', figures = 1, formation = 'idle', speed = {{ idle = 0, {} }} }}\n\
        foot = {{ title = 'Foot', arm = 'foot', figures = 1, formation = 'idle', speed = {{ idle = 0 }} }}\n",
        speeds.join(", ")
    );
    for (way, name) in names.iter().enumerate() {
        // Faces from way + 1 to way + faces, continuing with 1 after 12. The margin of a face is minus the face.
        let (low, high) = (way as i32 + 1, way as i32 + faces);
        let faces = match high {
            ..=12 => format!("margin <= -{low} && margin >= -{high}"),
            _ => format!("margin <= -{low} || margin >= -{}", high - 12),
        };
        pack += &format!(
            "[roll.{name}]\ntitle = 'shot'\nmechanic = 'under'\nown = {{ dice = 'd12' }}\ntarget = '0'\n\
            [[roll.{name}.result]]\nid = 'hit'\ntitle = 'hit'\nwhen = \"{faces}\"\nfoe = {{ {hit} }}\n\
            [[roll.{name}.result]]\nid = 'miss'\ntitle = 'miss'\n"
        );
    }
    pack += "[[phase]]\nid = 'choose'\ntitle = 'Choose'\nmechanism = 'formation'\nhalf = 'first'\n";
    for name in &names {
        pack += &format!(
            "[[phase]]\nid = '{name}'\ntitle = '{name}'\nmechanism = 'exchange'\nroll = '{name}'\nhalf = 'first'\n\
            when = \"self.formation == '{name}'\"\n"
        );
    }
    pack + "[doctrine.stands]\ntitle = 'stands'\n\
        row = [{ id = 'stand', phase = 'choose', do = 'form', formation = 'way-0' }]\n\
        [doctrine.none]\ntitle = 'does nothing'\nrow = []\n[victory]\nbroken = 100\nlimit = 'second'\n"
}

/// If all doctrines are equal, none is reported to be better more often than the level allows, however easily the
/// search is fooled and however many changes it has tried. `NULLS=1000` runs the number of searches given in
/// docs/questions.md.
#[test]
fn a_search_among_equals_is_not_flattered() {
    let searches: u64 = std::env::var("NULLS").map_or(60, |number| number.parse().expect("a number"));
    let study_text = "study = 'ways'\npack = 'field'\nturns = 1\n[side.gun]\ndoctrine = 'stands'\nunits = [{ type = 'gun' }]\n\
        [side.foot]\ndoctrine = 'none'\nunits = [{ type = 'foot' }]\n";
    let pack = ways(6, "morale = 'broken'");
    let (mut fooled, mut better, mut gained) = (0_u32, 0, 0.0);
    for seed in 0..searches {
        let mut sources = Sources::new();
        let study = study(&pack, study_text, seed, &mut sources);
        // As permissive as possible: whatever seems better is kept.
        let each = Level::new(0.5).expect("a level");
        let training = Training { look: 16, steps: 2, battles: 336, each, ..training(&study) };
        let found = trained(&training, &study, &mut sources);
        fooled += u32::from(!found.steps.is_empty());
        better += u64::from(found.gain.low > 0.0);
        gained += found.gain.point;
    }
    let mean = gained / f64::from(fooled);
    println!(
        "{searches} searches among equals: {fooled} ended elsewhere, and gain {mean:.4}; {better} said to be better"
    );
    assert!(fooled >= 15, "the search is hard to fool: {fooled} of {searches}");
    // A 95 % interval lies above 0 in 2.5 % of searches.
    assert!(better * 20 <= searches, "{better} of {searches}");
    // The difference of two shots is −1, 0 or 1, with variance 1/2. With the dice of the race, the doctrines found
    // would seem to gain 0.05 or more.
    let error = (0.5 / 336.0 / f64::from(fooled)).sqrt();
    assert!(mean.abs() < 3.0 * error, "{mean} ± {error}");
}

/// A shot costs the foot 1/4 of 200 figures on average. That is a clear gain, but less than 0.2 % of what it can lose.
#[test]
fn changes_of_next_to_no_effect_are_dropped_whatever_the_metric() {
    let mut sources = Sources::new();
    let pack = ways(3, "lose = 1").replace("arm = 'foot', figures = 1", "arm = 'foot', figures = 200");
    let pack = pack
        + "[doctrine.waits]\ntitle = 'waits'\n\
        row = [{ id = 'wait', phase = 'choose', do = 'form', formation = 'idle' }]\n";
    let text = "study = 'ways'\npack = 'field'\nturns = 1\n[side.gun]\ndoctrine = 'waits'\nunits = [{ type = 'gun' }]\n\
        [side.foot]\ndoctrine = 'none'\nunits = [{ type = 'foot' }]\n";
    let study = study(&pack, text, 1815, &mut sources);
    let quantity = Quantity::of(&study, Some("foot.losses")).expect("a metric");
    let found = trained(&Training { quantity, battles: 1_000, ..training(&study) }, &study, &mut sources);
    let gains: Vec<Option<bool>> = found.steps.iter().map(|step| step.gain.map(|gain| gain.holds(0.25))).collect();
    assert_eq!(gains, [Some(true), None], "{:?}", found.steps);
    assert!(found.gain.point == 0.0, "{:?}", found.gain);
}

const FLEET: &str = include_str!("../../../../../packs/fleet-action/pack.toml");
const SHIPS: &str = "study = 'fleet'\npack = 'field'\nturns = 2\n\
    [side.a]\ndoctrine = 'cheapest-first'\nunits = [{ type = 'fighters' }, { type = 'destroyer' }, { type = 'cruiser' }]\n\
    [side.b]\ndoctrine = 'cheapest-first'\nunits = [{ type = 'fighters' }, { type = 'destroyer' }, { type = 'cruiser' }]\n";

/// The exact values of a study to the first side: if both sides follow their doctrines, and if the first side plays
/// perfectly against the other's doctrine.
fn solved(study: &Study) -> [f64; 2] {
    let best = BestPlay {
        quantity: Quantity::score(study, Side::First),
        limits: grognard_exact::Limits::default(),
        time: None,
        precision: None,
        only_both: false,
        threads: 2,
    };
    let found = best.solve(&[&study.cells[0]], &Unwatched, &Stop::new()).expect("two threads can be started");
    let values = found[0].values;
    [values.default_default, values.best_default].map(|value| {
        assert!(value.high - value.low < 1e-9, "{value:?}");
        value.low
    })
}

/// A fleet gives no orders, but it chooses who takes hits. In this small action, a casualty order and a target
/// for torpedoes are worth as much as perfect play, so other choices gain nothing.
#[test]
fn a_fleet_is_trained_to_give_up_and_to_pick_off_ships_as_best_play_does() {
    let mut sources = Sources::new();
    let plain = study(FLEET, SHIPS, 1815, &mut sources);
    let [before, best] = solved(&plain);
    assert!((before - 0.5).abs() < 1e-9 && best > before + 0.16, "{before} {best}");
    let found = trained(&Training { look: 1_024, ..training(&plain) }, &plain, &mut sources);
    assert!(found.settled, "{:?}", found.steps);
    assert!(found.gain.holds(best - before), "{:?} by {:?}", found.gain, found.steps);
    let toml = found.toml(&[]);
    for words in ["# Was without gives-up.\ngives-up = [\"", "# Was without picks-off.\npicks-off = [\"destroyer\"]\n"]
    {
        assert!(toml.contains(words), "{toml}");
    }

    let pack = FLEET.to_owned() + "\n" + &toml;
    let text = SHIPS.replacen("'cheapest-first'", "'cheapest-first-trained-2'", 1);
    let with = study(&pack, &text, 1815, &mut sources);
    let [attained, still] = solved(&with);
    assert!((attained - best).abs() < 1e-9 && (still - best).abs() < 1e-9, "{attained} and {still} of {best}: {toml}");
    let again = trained(&Training { battles: 1_000, ..training(&with) }, &with, &mut sources);
    assert!(again.settled && again.steps.is_empty(), "{:?}", again.steps);
    assert!(again.gain.point == 0.0 && again.gain.low < 0.0, "{:?}", again.gain);
}

/// Changes to a list: an entry to the front or up by one, another doctrine's list, and no list. Fighters are never hit
/// by torpedoes, and ironclads do not fight here.
#[test]
fn the_changes_of_lists_are_those_that_can_decide_something() {
    let mut sources = Sources::new();
    let text = SHIPS.replacen("'cheapest-first'", "'largest-first'", 1);
    let study = study(FLEET, &text, 1815, &mut sources);
    let variants = Variants::of(&study, &mut sources).expect("its own texts");
    let (from, pool) = begin(&study, &variants, &[0], Side::First).expect("it chooses");
    let all = Policy::of(&from).neighbours(&pool);
    let of = |key: &str| -> Vec<&str> {
        all.iter().map(|one| one.says.as_str()).filter(|says| says.contains(key)).collect()
    };
    let gives_up = [
        "gives-up: sustain first",
        "gives-up: cruiser first",
        "gives-up: destroyer first",
        "gives-up: fighters first",
        "gives-up: destroyer before cruiser",
        "gives-up: fighters before destroyer",
        "gives-up as sustain-first does",
        "gives-up as carrier-first does",
        "gives-up as sustain-first-trained does",
        "gives-up as carrier-first-trained does",
        "gives-up as largest-first-trained does",
        "without gives-up",
    ];
    assert_eq!(of("gives-up"), gives_up);
    let picks_off = [
        "picks-off: sustain first",
        "picks-off: cruiser first",
        "picks-off: destroyer first",
        "picks-off as cheapest-first-trained does",
    ];
    assert_eq!(of("picks-off"), picks_off);
    assert_eq!(of("activates"), [""; 0]);
    let by = |says: &str| {
        let found = all.iter().find(|one| one.says == says).unwrap_or_else(|| panic!("{says} is not tried"));
        found.policy.keys.to_string()
    };
    assert_eq!(
        by("gives-up: destroyer before cruiser"),
        "{ gives-up = [\"battleship\", \"ironclad\", \"carrier\", \"destroyer\", \"cruiser\", \"fighters\"] }"
    );
    assert_eq!(by("without gives-up"), "{}");
    let both = "{ gives-up = [\"sustain\", \"carrier\", \"fighters\", \"destroyer\", \"cruiser\", \"ironclad\", \"battleship\"], \
                picks-off = [\"destroyer\", \"cruiser\", \"carrier\", \"battleship\", \"ironclad\"] }";
    assert_eq!(by("all as sustain-first-trained does"), both);
    // A list that training has changed is also tried in its original form, and without the entries that training has
    // added.
    let mut changed = Policy::of(&from);
    changed.keys = all.iter().find(|one| one.says == "gives-up: sustain first").expect("tried").policy.keys.clone();
    let left: Vec<String> = changed.without_additions(&pool).into_iter().map(|one| one.says).collect();
    assert_eq!(left, ["gives-up as before", "gives-up: without sustain"]);
}

/// Changes to a formula: other numbers, an additional fact, another doctrine's formula, and no formula.
#[test]
fn who_is_activated_first_is_trained_too() {
    let mut sources = Sources::new();
    let text = "study = 'bag'\npack = 'bag-of-orders'\nturns = 2\n[side.red]\ndoctrine = 'close-in'\nunits = [{ type = 'section', at = [0, -6] }]\n\
        [side.blue]\ndoctrine = 'stand'\nunits = [{ type = 'section', at = [0, 6] }]\n";
    let study = read(Path::new("."), text, 1, &mut sources);
    let variants = Variants::of(&study, &mut sources).expect("its own texts");
    let (from, pool) = begin(&study, &variants, &[0], Side::First).expect("it gives orders");
    let policy = Policy::of(&from);
    let all = policy.neighbours(&pool);
    for says in [
        "activates: 5 - self.pins - 7 * self.orders",
        "activates: 5 - self.pins - 6 * self.orders + foe.pins",
        "activates: 5 - self.pins - 6 * self.orders - self.nerve",
        "activates as storm does",
        "without activates",
    ] {
        assert_eq!(all.iter().filter(|one| one.says == says).count(), 1, "{says}");
    }
    // The rules allow everything that is tried.
    for one in all.iter().filter(|one| one.policy.keys != policy.keys) {
        let doctrine = one.policy.doctrine(from.span);
        let cells = variants.cells_with_doctrines(&study, &[0], &BySide::new(Some(&doctrine), None));
        assert!(cells.is_ok(), "{}", one.says);
    }
    let none = all.iter().find(|one| one.says == "without activates").expect("tried").policy.clone();
    let toml = write::written(&from, ("plain", "trained"), &none, &[]);
    assert!(toml.starts_with("# Left out: activates.\n[doctrine.plain]\n"), "{toml}");
}

/// Each weight in a row's choice of where a unit goes is changed separately. It may be negative.
#[test]
fn what_a_row_weighs_is_trained_too() {
    let mut sources = Sources::new();
    let text = "study = 'hexes'\npack = 'ancients-hex'\nturns = 2\n[side.red]\ndoctrine = 'line'\nunits = [{ type = 'medium-infantry', at = [0, 2] }]\n\
        [side.blue]\ndoctrine = 'line'\nunits = [{ type = 'medium-infantry', at = [0, -2] }]\n";
    let study = read(Path::new("."), text, 1, &mut sources);
    let variants = Variants::of(&study, &mut sources).expect("its own texts");
    let (from, pool) = begin(&study, &variants, &[0], Side::First).expect("it gives orders");
    let all = Policy::of(&from).neighbours(&pool);
    // In the pack, `engines` gives fire a weight of 14 and threat one of -9: each changes by one step and by four, up
    // and down.
    let weighed: Vec<_> = all.iter().filter(|one| one.says.starts_with("engines: weigh.")).collect();
    let expected = [
        ("fire 15 instead of 14", "weigh = { fire = 15, threat = -9 }"),
        ("fire 13 instead of 14", "weigh = { fire = 13, threat = -9 }"),
        ("fire 18 instead of 14", "weigh = { fire = 18, threat = -9 }"),
        ("fire 10 instead of 14", "weigh = { fire = 10, threat = -9 }"),
        ("threat -8 instead of -9", "weigh = { fire = 14, threat = -8 }"),
        ("threat -10 instead of -9", "weigh = { fire = 14, threat = -10 }"),
        ("threat -5 instead of -9", "weigh = { fire = 14, threat = -5 }"),
        ("threat -13 instead of -9", "weigh = { fire = 14, threat = -13 }"),
    ];
    assert_eq!(weighed.len(), expected.len(), "{:?}", weighed.iter().map(|one| &one.says).collect::<Vec<_>>());
    for (one, (says, row)) in weighed.iter().zip(expected) {
        assert_eq!(one.says, format!("engines: weigh.{says}"));
        let toml = write::written(&from, ("line", "trained"), &one.policy, &[]);
        assert!(toml.contains(row), "{says}: {toml}");
        let doctrine = one.policy.doctrine(from.span);
        let cells = variants.cells_with_doctrines(&study, &[0], &BySide::new(Some(&doctrine), None));
        assert!(cells.is_ok(), "{says}");
    }
}
