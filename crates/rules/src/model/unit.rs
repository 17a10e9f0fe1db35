//! Compiled units, formations and morale.

use super::{Bar, ById, Counters, FormationId, InMove, KindId, Shape, Slow, Source};
use grognard_expr::Lookup;
use std::sync::Arc;

/// The playing area of a plane board: half sizes, since the origin is its middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table {
    /// From the middle to the side edges, in hundredths of an inch.
    pub half_width: i32,
    /// From the middle to the baselines, in hundredths of an inch.
    pub half_depth: i32,
}

/// A unit type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its name in the pack.
    pub id: String,
    /// Its name in the narration.
    pub title: String,
    /// Index of its arm.
    pub arm: u8,
    /// Figures at full strength.
    pub figures: u16,
    /// Whether it is a leader.
    pub leader: bool,
    /// Index of the formation it starts in.
    pub formation: FormationId,
    /// Hundredths of an inch it may move in a turn, by formation; `None` means the formation is closed to it.
    pub speed: ById<FormationId, Vec<Option<i32>>>,
    /// The source of each of these, if it has its own.
    pub speed_sources: ById<FormationId, Arc<[Source]>>,
    /// Hundredths of an inch by which a charge may reach further than the move.
    pub charge: i32,
    /// The type it becomes when it dismounts.
    pub on_foot: Option<KindId>,
    /// Maximum range of its fire in hundredths of an inch; 0 means it does not fire.
    pub range: i32,
    /// Width and depth of one figure's base, in hundredths of an inch.
    pub base: (i32, i32),
    /// Cannon; 0 means it is neither a battery nor a train.
    pub cannon: u16,
    /// Depth of its fire zone in hundredths of an inch; 0 means it has none.
    pub zone: i32,
    /// Values of the pack's attributes, in their order.
    pub attributes: Vec<i16>,
    /// Its traits, as bits.
    pub traits: u32,
    /// The starting values of its counters.
    pub counters: Counters,
    /// Its source.
    pub source: Source,
    /// The sources of individual keys.
    pub sources: Arc<KindSource>,
}

/// The sources of the keys of a unit type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KindSource {
    /// Which formations are open to it.
    pub speed: Source,
    /// Whether it dismounts.
    pub on_foot: Source,
    /// How far it fires.
    pub range: Source,
}

/// A property of unit types that conditions read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Its name in conditions.
    pub id: String,
    /// Its words; empty for a number.
    pub words: Vec<String>,
}

/// The distances between the figures of a loose row, in hundredths of an inch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spacing {
    /// The least distance between the centres of neighbours.
    pub least: i32,
    /// The greatest.
    pub most: i32,
    /// The minimum gap between their bases, for arms that must keep one.
    pub clear: i32,
    /// These arms, one bit each.
    pub clear_arms: u32,
}

impl Spacing {
    /// The least distance between the centres of neighbours of this arm, with bases of this width.
    #[must_use]
    pub fn least_of(&self, arm: u8, base: i32) -> i32 {
        let clear = if self.clear_arms & (1 << (arm % 32)) != 0 { self.clear } else { 0 };
        self.least.max(base + clear)
    }
}

/// A formation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formation {
    /// Its name in the pack.
    pub id: String,
    /// Its name in the narration.
    pub title: String,
    /// Whether it has all-round facing.
    pub all_round: bool,
    /// Whether its figures stand in four faces, each of which fires on its own.
    pub faces: bool,
    /// The shape that its ranks must have.
    pub shape: Option<Shape>,
    /// Whether taking it allows a free change of facing.
    pub turns: bool,
    /// Whether it may be taken at the end of a move.
    pub in_move: Option<InMove>,
    /// Whether taking it takes a whole turn.
    pub slow: Option<Slow>,
    /// Index of its target class.
    pub target: u8,
    /// Whether it is close order.
    pub formed: bool,
    /// Whether it is close order for movement.
    pub formed_to_move: bool,
    /// How far apart its figures stand, if it is a loose row.
    pub spacing: Option<Spacing>,
    /// Whether a unit that takes it recalls its skirmishers.
    pub gathers: bool,
    /// Whether it may move.
    pub moves: bool,
    /// Whether it may fire.
    pub fires: bool,
    /// Whether it may be adopted by order.
    pub voluntary: bool,
    /// The arms that may adopt it, as a bit for each.
    pub arms: u32,
    /// 1 if a unit may adopt it by order.
    pub when: Option<Lookup>,
    /// The bars on adopting it, or on starting in it.
    pub bars: Vec<Bar>,
    /// The sources of its keys.
    pub sources: FormationSource,
}

/// Formations, by id.
pub type Formations = ById<FormationId, Arc<[Formation]>>;

/// The sources of the keys of a formation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FormationSource {
    /// The rule for which units may take it.
    pub arms: Source,
    /// How its figures stand.
    pub layout: Source,
    /// Which way it faces.
    pub facing: Source,
    /// Its target class.
    pub target: Source,
    /// Whether it is close order.
    pub formed: Source,
    /// Whether it may move.
    pub moves: Source,
    /// Whether taking it allows a free change of facing.
    pub turns: Source,
    /// The condition under which it may be adopted.
    pub when: Source,
    /// Who takes it by order, and with how many figures.
    pub takes: Source,
    /// How units leave it.
    pub leaves: Source,
}

/// A morale state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoraleState {
    /// Its name in the pack.
    pub id: String,
    /// Whether a unit in it is shaken.
    pub shaken: bool,
    /// Whether a unit in it is broken.
    pub broken: bool,
    /// Whether a broken unit in it stays where it is instead of fleeing.
    pub stays: bool,
    /// The arms whose units may begin a battle in it, as a bit for each.
    pub arms: u32,
    /// How the state is shown on the table.
    pub marker: Option<String>,
    /// Hundredths of an inch a broken unit flees in each of its move phases.
    pub flight: i32,
    /// The formation a unit falls into when it enters the state.
    pub formation: Option<FormationId>,
    /// The formation that replaces each one when the state is entered; itself if it survives.
    pub becomes: ById<FormationId, Vec<FormationId>>,
    /// The formation that a unit in this state takes when it falls back.
    pub retreat: Option<RetreatFormation>,
    /// Its source.
    pub source: Source,
    /// The sources of individual keys.
    pub sources: MoraleSource,
}

/// The sources of the keys of a morale state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoraleSource {
    /// Whether a unit in it turns by order.
    pub turns: Source,
    /// Whether it changes formation by order.
    pub forms: Source,
    /// Which formations do not survive it.
    pub undoes: Source,
    /// In which formation it falls back.
    pub retreat: Source,
    /// How it flees.
    pub flight: Source,
}

/// The sources of the arcs, and of the effects of all-round facing.
#[derive(Clone, Debug, Default)]
pub struct ArcSource {
    /// An attack in front.
    pub front: Source,
    /// An attack on the flank.
    pub flank: Source,
    /// An attack in the rear.
    pub rear: Source,
    /// Fire to the front.
    pub fires: Source,
    /// A charge to the front.
    pub charges: Source,
    /// An attack on a unit with all-round facing.
    pub all_struck: Source,
    /// Fire by such a unit.
    pub all_fires: Source,
    /// A charge by such a unit.
    pub all_charges: Source,
    /// A march by such a unit.
    pub all_marches: Source,
}

/// The formation in which units fall back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetreatFormation {
    /// Index of the formation.
    pub formation: FormationId,
    /// 1 if a unit takes it; `None` means always.
    pub when: Option<Lookup>,
}

/// The ground a unit takes up, and how its figures stand on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// From flank to flank, in hundredths of an inch.
    pub width: i32,
    /// From front to rear, in hundredths of an inch.
    pub depth: i32,
    /// Figures in the front rank.
    pub front: u16,
    /// Ranks.
    pub ranks: u16,
}

impl Footprint {
    /// The smallest near-square block of bases (`figures.md` 4.9): of all rectangles that contain the figures, the one
    /// with the smallest difference between its sides, then the smallest area. A face shows a quarter of the figures.
    #[must_use]
    pub fn block(figures: u16, (base_width, base_depth): (i32, i32)) -> Self {
        let sized = |front: u16| {
            let ranks = figures.div_ceil(front);
            (i32::from(front) * base_width, i32::from(ranks) * base_depth, ranks)
        };
        let best = (1..=figures).min_by_key(|&front| {
            let (width, depth, _) = sized(front);
            ((width - depth).abs(), i64::from(width) * i64::from(depth))
        });
        let (width, depth, ranks) = sized(best.unwrap_or(1));
        Self { width, depth, front: figures.div_ceil(4), ranks }
    }
}
