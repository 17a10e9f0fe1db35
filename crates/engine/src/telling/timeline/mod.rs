//! Timelines: battles as data that can be drawn and stepped through.
//!
//! A [`Recorder`] watches a battle together with a [`Narrator`]. For each event that is narrated it keeps the text, the
//! clauses and the dice behind it, and every unit whose state changed since the previous event. All lengths are in
//! hundredths of an inch, and all angles in tenths of a degree. Nothing is rounded.

mod cast;
mod happening;
mod standing;

use serde::Serialize;

use crate::state::UnitId;
use crate::telling::event::{Event, Scene, Witness};
use crate::telling::narrator::Narrator;

pub use cast::{
    ArmLook, ExitLook, FormationLook, GeneralLook, GroundLook, HexLook, KindLook, MoraleLook, ObjectiveLook, PieceLook,
    TableLook, UnitLook,
};
pub use happening::Happening;
pub use standing::{GeneralStanding, Presence, Standing};

/// A battle from its deployment to its end.
///
/// ```
/// use grognard_engine::timeline::{Recorder, Timeline};
///
/// fn longest_turn(timeline: &Timeline) -> Option<u8> {
///     let turns = 1..=timeline.turns;
///     turns.max_by_key(|&turn| timeline.moments.iter().filter(|moment| moment.turn == turn).count())
/// }
///
/// assert!(Recorder::new().timeline().is_none(), "it has watched no battle yet");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Timeline {
    /// The pack's title.
    pub pack: String,
    /// The pack's version.
    pub version: String,
    /// The names of the sides, in the order in which they move.
    pub sides: Vec<String>,
    /// The last game turn.
    pub turns: u8,
    /// The board of the battle.
    pub table: TableLook,
    /// The kinds of ground.
    pub grounds: Vec<GroundLook>,
    /// The pieces of ground on a plane. Where they overlap, the last one is on top.
    pub terrain: Vec<PieceLook>,
    /// The objectives.
    pub objectives: Vec<ObjectiveLook>,
    /// The edges by which units score points when they leave.
    pub exits: Vec<ExitLook>,
    /// The unit types.
    pub kinds: Vec<KindLook>,
    /// The formations.
    pub formations: Vec<FormationLook>,
    /// The morale states, best first.
    pub morale: Vec<MoraleLook>,
    /// The titles of the phases.
    pub phases: Vec<String>,
    /// The clauses that the pack registers, with their texts.
    pub clauses: Vec<(String, String)>,
    /// The units: the first side's, then the second's, and so on.
    pub units: Vec<UnitLook>,
    /// The generals.
    pub generals: Vec<GeneralLook>,
    /// The events, in order.
    pub moments: Vec<Moment>,
}

/// An event, and the changes that came with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Moment {
    /// The game turn, from 1.
    pub turn: u8,
    /// The side whose half-turn it is: an index into [`Timeline::sides`].
    pub side: u8,
    /// The phase: an index into [`Timeline::phases`]. `None` before the first phase of a half-turn, and after the last
    /// one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<u8>,
    /// The kind of the event.
    pub happening: Happening,
    /// The unit that acts: an index into [`Timeline::units`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<u8>,
    /// The unit that it acts on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<u8>,
    /// The narration's lines, unchanged.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub text: Vec<String>,
    /// The clauses applied.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clauses: Vec<String>,
    /// The doctrine and the row of the order that was carried out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<String>,
    /// The faces rolled.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dice: Vec<String>,
    /// The units whose state changed. For each, an index into [`Timeline::units`], and the new state.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<(u8, Standing)>,
    /// The generals whose state changed. For each, an index into [`Timeline::generals`], and the new state.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub generals: Vec<(u8, GeneralStanding)>,
}

impl Timeline {
    /// All lines of the narration.
    ///
    /// ```
    /// use grognard_engine::timeline::Timeline;
    ///
    /// fn page(timeline: &Timeline) -> String {
    ///     timeline.lines().collect::<Vec<_>>().join("\n")
    /// }
    /// ```
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.moments.iter().flat_map(|moment| &moment.text).map(String::as_str)
    }
}

/// Writes the timeline of a battle.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    narrator: Narrator,
    /// The number of the narrator's lines that are already in the timeline.
    lines: usize,
    phase: Option<u8>,
    /// The states of units and generals at the last moment.
    last: Vec<Standing>,
    last_generals: Vec<GeneralStanding>,
    timeline: Option<Timeline>,
}

impl Recorder {
    /// A recorder with an empty timeline.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The timeline; `None` before the first event.
    #[must_use]
    pub fn timeline(self) -> Option<Timeline> {
        self.timeline
    }

    /// The units whose state differs from the last moment.
    fn changed(&mut self, scene: Scene<'_>) -> Vec<(u8, Standing)> {
        let now = scene.battle.units.iter().map(|unit| Standing::of(scene, unit));
        let (last, mut changed) = (std::mem::take(&mut self.last), Vec::new());
        for (index, standing) in (0_u8..).zip(now) {
            if last.get(usize::from(index)) != Some(&standing) {
                changed.push((index, standing.clone()));
            }
            self.last.push(standing);
        }
        changed
    }

    fn changed_generals(&mut self, scene: Scene<'_>) -> Vec<(u8, GeneralStanding)> {
        let generals = scene.battle.generals.iter().zip(&scene.setup.generals);
        let now: Vec<GeneralStanding> =
            generals.map(|(general, post)| GeneralStanding::of(scene, general, post)).collect();
        let last = std::mem::replace(&mut self.last_generals, now);
        let all = (0_u8..).zip(&self.last_generals);
        all.filter(|&(index, now)| last.get(usize::from(index)) != Some(now))
            .map(|(index, now)| (index, now.clone()))
            .collect()
    }
}

impl Witness for Recorder {
    fn see(&mut self, scene: Scene<'_>, event: &Event) {
        match event {
            Event::HalfTurn | Event::Activated { .. } | Event::TurnCloses => self.phase = None,
            Event::Phase(phase) => self.phase = Some(*phase),
            _ => {}
        }
        let given = self.narrator.decision().map(str::to_owned);
        self.narrator.see(scene, event);
        let text = self.narrator.lines()[self.lines..].to_vec();
        self.lines += text.len();
        let marks_time = match event {
            Event::HalfTurn | Event::HalfTurnOver => !scene.rules.goes_by_unit(),
            Event::Activated { unit } => unit.is_some(),
            _ => matches!(event, Event::Over { .. }),
        };
        if text.is_empty() && !marks_time {
            return;
        }
        let (happening, unit, target) = happening::of(scene, event);
        let number = |id: UnitId| id.index() as u8;
        let moment = Moment {
            turn: scene.battle.turn,
            side: scene.battle.active.index() as u8,
            phase: self.phase,
            happening,
            unit: unit.map(number),
            target: target.filter(|&target| Some(target) != unit).map(number),
            text,
            clauses: self.narrator.clauses().to_vec(),
            // An order that the narrator no longer holds was carried out here.
            decision: given.filter(|_| self.narrator.decision().is_none()),
            dice: event.faces().into_iter().map(|face| face.label.clone()).collect(),
            changed: self.changed(scene),
            generals: self.changed_generals(scene),
        };
        self.timeline.get_or_insert_with(|| cast::timeline(scene)).moments.push(moment);
    }
}
