//! A battle of a study, narrated or recorded.

use grognard_dice::SeededDice;
pub use grognard_engine::plane::{Heading, Point, Rect};
pub use grognard_engine::timeline;
use grognard_engine::timeline::{Recorder, Timeline};
use grognard_engine::{Narrator, fight};
use grognard_source::Sources;

use crate::results::Manifest;
use crate::study::{Cell, Study};

/// Fights a battle of a cell once more and says what happens in it, line by line.
#[must_use]
pub fn narrate(study: &Study, cell: &Cell, battle: u64) -> Vec<String> {
    let (mut dice, mut narrator) = (SeededDice::new(study.seed), Narrator::new());
    let bout = cell.bout(battle);
    dice.battle(bout.dice);
    fight(&cell.rules, bout.setup, &mut dice, &mut narrator);
    narrator.lines().to_vec()
}

/// Fights a battle of a cell once more and records it; none if nothing happens in it.
#[must_use]
pub fn record(study: &Study, cell: &Cell, battle: u64) -> Option<Timeline> {
    let (mut dice, mut recorder) = (SeededDice::new(study.seed), Recorder::new());
    let bout = cell.bout(battle);
    dice.battle(bout.dice);
    fight(&cell.rules, bout.setup, &mut dice, &mut recorder);
    recorder.timeline()
}

/// Battles of a results folder, by cell and number, recorded only from the texts in the manifest. A battle is none
/// if it is not available; all are none if this version fights other battles than the one that wrote the folder.
#[must_use]
pub fn record_again(manifest: &Manifest, battles: &[(u32, u64)]) -> Vec<Option<Timeline>> {
    let study = Study::of_manifest(manifest, &mut Sources::new());
    let study = study.ok().filter(|study| study.identity == manifest.identity);
    let one = |&(cell, battle): &(u32, u64)| {
        let study = study.as_ref()?;
        record(study, study.cells.get(cell as usize)?, battle)
    };
    battles.iter().map(one).collect()
}
