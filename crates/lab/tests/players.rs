//! Players: in every built-in study, a player who makes the doctrine's choices fights the same battles.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use grognard_dice::SeededDice;
use grognard_engine::{Asked, Offer, Player, Scene, Side, Unwitnessed, fight, fight_as};
use grognard_lab::study::{Cell, Changes, Study};
use grognard_source::Sources;
use rayon::prelude::*;

/// Battles of each study, spread over its cells.
const BATTLES: u64 = 100;

/// Makes the doctrine's choices, and counts the decisions.
#[derive(Default)]
struct Follower {
    asked: u64,
}

impl Player for Follower {
    fn plays(&self, _: Side) -> bool {
        true
    }

    fn choose(&mut self, _: Scene<'_>, asked: &Asked<'_>) -> usize {
        assert!(asked.offers.len() > 1 && asked.doctrine < asked.offers.len(), "{asked:?}");
        for (place, offer) in asked.offers.iter().enumerate() {
            assert!(!asked.offers[..place].contains(offer), "offered twice: {asked:?}");
        }
        self.asked += 1;
        asked.doctrine
    }
}

/// Chooses by a fixed sequence.
struct Random {
    seed: u64,
    noted: Vec<Offer>,
}

impl Random {
    fn new(seed: u64) -> Self {
        Self { seed, noted: Vec::new() }
    }
}

impl Player for Random {
    fn plays(&self, side: Side) -> bool {
        side == Side::First
    }

    fn choose(&mut self, scene: Scene<'_>, asked: &Asked<'_>) -> usize {
        assert_eq!(scene.battle.unit(asked.unit).side, Side::First);
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.seed >> 33) as usize % asked.offers.len()
    }

    fn note(&mut self, offer: Offer) {
        self.noted.push(offer);
    }
}

/// Makes the choices of another player again, without being asked.
struct Repeats(VecDeque<Offer>);

impl Player for Repeats {
    fn plays(&self, side: Side) -> bool {
        side == Side::First
    }

    fn choose(&mut self, _: Scene<'_>, asked: &Asked<'_>) -> usize {
        panic!("it repeats everything: {asked:?}");
    }

    fn repeat(&mut self) -> Option<Offer> {
        self.0.pop_front()
    }

    fn note(&mut self, offer: Offer) {
        panic!("it repeats everything: {offer:?}");
    }
}

fn studies() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../studies");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder of studies")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    paths
}

fn read(path: &Path) -> Study {
    let mut sources = Sources::new();
    Study::load(path, &Changes::default(), &mut sources)
        .unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)))
}

#[test]
fn whoever_takes_doctrines_offers_fights_doctrines_battles() {
    let asked: Vec<(String, u64)> = studies()
        .par_iter()
        .map(|path| {
            let study = read(path);
            let mut follower = Follower::default();
            // If a side chooses at random, its doctrine is not followed.
            let followed = |cell: &&Cell| !cell.setup.random.first && !cell.setup.random.second;
            let cells: Vec<&Cell> = study.cells.iter().filter(followed).collect();
            for number in 0..BATTLES {
                let (cell, battle) = (cells[number as usize % cells.len()], number / cells.len() as u64);
                let bout = cell.bout(battle);
                let mut dice = SeededDice::new(study.seed);
                dice.battle(bout.dice);
                let plain = fight(&cell.rules, bout.setup, &mut dice, &mut Unwitnessed);
                dice.battle(bout.dice);
                let followed = fight_as(&cell.rules, bout.setup, &mut dice, &mut Unwitnessed, &mut follower);
                assert_eq!(followed, plain, "{}, cell {}, battle {battle}", study.header.name, cell.header.cell);
            }
            (study.header.name, follower.asked)
        })
        .collect();
    let never: Vec<&str> = asked.iter().filter(|(_, asked)| *asked == 0).map(|(study, _)| study.as_str()).collect();
    // The rules of these studies leave no decisions to a player.
    assert_eq!(
        never,
        [
            "bluecher-shock",
            "command-roll",
            "fleet-battery",
            "ranked-ranks",
            "refduel",
            "risk-dice",
            "risk-roll",
            "symbol-die"
        ]
    );
}

#[test]
fn whatever_is_offered_can_be_taken_and_repeated() {
    studies().par_iter().for_each(|path| {
        let study = read(path);
        for number in 0..BATTLES {
            let cells = study.cells.len() as u64;
            let (cell, battle) = (&study.cells[(number % cells) as usize], number / cells);
            let bout = cell.bout(battle);
            let mut dice = SeededDice::new(study.seed);
            dice.battle(bout.dice);
            let mut random = Random::new(number);
            let once = fight_as(&cell.rules, bout.setup, &mut dice, &mut Unwitnessed, &mut random);
            dice.battle(bout.dice);
            let mut repeats = Repeats(random.noted.into());
            let again = fight_as(&cell.rules, bout.setup, &mut dice, &mut Unwitnessed, &mut repeats);
            assert!(repeats.0.is_empty(), "{}, cell {}, battle {battle}", study.header.name, cell.header.cell);
            assert_eq!(once, again);
        }
    });
}

/// Perfect play is computed, not fought: the message says what to ask instead.
#[test]
fn a_side_cannot_be_played_by_perfect_play() {
    let text = "study = 'duel'\npack = 'napoleonic-figures'\nturns = 2\ndistance = 12\n[side.horse]\ndoctrine = 'charge-home'\n\
        units = [{ type = 'heavy-cavalry' }]\n[side.foot]\ndoctrine = 'stand'\nunits = [{ type = 'large-line-battalion' }]\n\
        [vary]\n'horse.player' = ['default', 'best']\n";
    let mut sources = Sources::new();
    let file = sources.add("study.toml", text);
    let Err(faults) = Study::read(file, None, &Changes::default(), &mut sources) else { panic!("it is refused") };
    let said = faults.render(&sources, false);
    assert_eq!((faults.len(), said.matches("error").count()), (1, 1), "{said}");
    for advice in ["computed, not simulated", "study.toml:12:", "grognard best --words", "players = [\"best\"]"] {
        assert!(said.contains(advice), "{said}");
    }
}
