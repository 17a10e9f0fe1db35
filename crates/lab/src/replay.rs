//! A battle of a study, narrated or recorded.

use grognard_dice::SeededDice;
pub use grognard_engine::plane::{Heading, Point, Rect};
pub use grognard_engine::timeline;
use grognard_engine::timeline::{Recorder, Timeline};
use grognard_engine::{BySide, Ending, Event, Narrator, Scene, Witness, fight};
use grognard_rules::model::Limit;
use grognard_source::Sources;

use crate::results::Manifest;
use crate::study::{Cell, Study};

/// Fights a battle of a cell again and narrates it, line by line.
#[must_use]
pub fn narrate(study: &Study, cell: &Cell, battle: u64) -> Vec<String> {
    narrate_with_points(study, cell, battle).0
}

/// Like [`narrate`], but also returns the points at the end of the battle, if the pack scores any.
pub(crate) fn narrate_with_points(study: &Study, cell: &Cell, battle: u64) -> (Vec<String>, Option<FinalPoints>) {
    let (mut dice, mut scorer) = (SeededDice::new(study.seed), Scorer::default());
    let bout = cell.bout(battle);
    dice.battle(bout.dice);
    fight(&cell.rules, bout.setup, &mut dice, &mut scorer);
    (scorer.narrator.lines().to_vec(), scorer.points)
}

/// The points at the end of a battle.
pub(crate) struct FinalPoints {
    /// The points of each side.
    pub(crate) of: BySide<i32>,
    /// Whether they decided the battle.
    pub(crate) decide: bool,
}

/// Narrates a battle, and records its points at the end.
#[derive(Default)]
struct Scorer {
    narrator: Narrator,
    points: Option<FinalPoints>,
}

impl Witness for Scorer {
    fn see(&mut self, scene: Scene<'_>, event: &Event) {
        if let Event::Over { ending, .. } = event {
            let decide = matches!(ending, Ending::Reached | Ending::Limit(Limit::Points));
            self.points = scene.points().map(|of| FinalPoints { of, decide });
        }
        self.narrator.see(scene, event);
    }
}

/// Fights a battle of a cell again and records it; `None` if nothing happens in it.
#[must_use]
pub fn record(study: &Study, cell: &Cell, battle: u64) -> Option<Timeline> {
    let (mut dice, mut recorder) = (SeededDice::new(study.seed), Recorder::new());
    let bout = cell.bout(battle);
    dice.battle(bout.dice);
    fight(&cell.rules, bout.setup, &mut dice, &mut recorder);
    recorder.timeline()
}

/// Battles of a results folder, by cell and number, recorded only from the texts in the manifest. An entry is `None` if
/// its battle is not available; all are `None` if this version fights different battles from the one that wrote the
/// folder.
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
