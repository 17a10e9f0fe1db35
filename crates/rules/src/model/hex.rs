//! Compiled hex boards: neighbours, distances, terrain, provisions and cards.

use std::sync::Arc;

use super::known::{Answer, Known, Strike};
use super::{Doctrine, DoctrineId, INPUTS_MAX, Kind, KindId, Roll, RollId, Site, Source};
use crate::situation::Field;
use crate::wire::ProvidesName as Provides;
use grognard_expr::{Lookup, Situation};

pub use crate::wire::SectionName as Section;

/// The maximum number of hexes on a board: they are the bits of one word.
pub const HEXES_MAX: usize = 128;

/// More than the distance from the middle to the farthest hex of any board with an odd number of rows and of columns
/// and at most [`HEXES_MAX`] hexes.
const SPAN: i32 = 64;

/// No hex: beyond the edge of the board.
pub const OFF_BOARD: u8 = u8::MAX;

/// Axial steps of the six directions: east, north-east, north-west, west, south-west, south-east.
pub const DIRECTIONS: [(i8, i8); 6] = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)];

/// The hexes of a board, numbered row by row from the north-west.
#[derive(Clone, Debug)]
pub struct HexGrid {
    columns: u8,
    places: Vec<(i8, i8)>,
    /// The hex at every pair of coordinates up to [`SPAN`] from the middle.
    at: Vec<u8>,
    near: Vec<[u8; 6]>,
    /// Directions in which a hex has a neighbour, as bits.
    ways: Vec<u8>,
    around: Vec<u128>,
    distances: Vec<u8>,
    /// Hexes that have a neighbour in each direction.
    open: [u128; 6],
}

impl HexGrid {
    /// A board with this many columns and rows, both odd; at most [`HEXES_MAX`] hexes are kept.
    #[must_use]
    pub fn new(columns: u8, rows: u8) -> Self {
        let (half_width, half_depth) = (i32::from(columns / 2), i32::from(rows / 2));
        let mut places = Vec::new();
        for r in -half_depth..=half_depth {
            let short = r.rem_euclid(2);
            for x in -half_width..=half_width - short {
                if places.len() < HEXES_MAX {
                    places.push(((x - r.div_euclid(2)) as i8, r as i8));
                }
            }
        }
        let mut at = vec![OFF_BOARD; (4 * SPAN * SPAN) as usize];
        for (hex, &(q, r)) in (0_u8..).zip(&places) {
            if let Some(known) = slot(q.into(), r.into()).and_then(|slot| at.get_mut(slot)) {
                *known = hex;
            }
        }
        let find = |q: i32, r: i32| slot(q, r).map_or(OFF_BOARD, |slot| at[slot]);
        let near: Vec<[u8; 6]> = places
            .iter()
            .map(|&(q, r)| DIRECTIONS.map(|(dq, dr)| find(i32::from(q) + i32::from(dq), i32::from(r) + i32::from(dr))))
            .collect();
        let bits = |near: &[u8; 6]| near.iter().filter(|&&hex| hex != OFF_BOARD).map(|&hex| 1_u128 << hex).sum();
        let around = near.iter().map(bits).collect();
        let distance = |a: (i8, i8), b: (i8, i8)| {
            let (q, r) = (i32::from(b.0) - i32::from(a.0), i32::from(b.1) - i32::from(a.1));
            ((q.abs() + r.abs() + (q + r).abs()) / 2) as u8
        };
        let distances = places.iter().flat_map(|&a| places.iter().map(move |&b| distance(a, b))).collect();
        let has = |direction: usize| {
            let open = near.iter().enumerate().filter(|(_, near)| near[direction] != OFF_BOARD);
            open.map(|(hex, _)| 1_u128 << hex).sum()
        };
        let open = std::array::from_fn(has);
        let ways = |near: &[u8; 6]| (0..6).map(|way| u8::from(near[way] != OFF_BOARD) << way).sum();
        let ways = near.iter().map(ways).collect();
        Self { columns, places, at, near, ways, around, distances, open }
    }

    /// The number of hexes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether the board has no hexes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The hex at axial coordinates; [`OFF_BOARD`] beyond the edge.
    #[inline]
    #[must_use]
    pub fn at(&self, q: i32, r: i32) -> u8 {
        slot(q, r).map_or(OFF_BOARD, |slot| self.at[slot])
    }

    /// The axial coordinates of a hex.
    #[inline]
    #[must_use]
    pub fn place(&self, hex: u8) -> (i32, i32) {
        self.places.get(usize::from(hex)).map_or((0, 0), |&(q, r)| (i32::from(q), i32::from(r)))
    }

    /// The neighbour in a direction, 0 to 5; [`OFF_BOARD`] beyond the edge.
    #[inline]
    #[must_use]
    pub fn near(&self, hex: u8, direction: u8) -> u8 {
        self.near.get(usize::from(hex)).map_or(OFF_BOARD, |near| near[usize::from(direction % 6)])
    }

    /// The neighbours of a hex, by direction; [`OFF_BOARD`] beyond the edge.
    #[inline]
    #[must_use]
    pub fn neighbours(&self, hex: u8) -> [u8; 6] {
        self.near.get(usize::from(hex)).copied().unwrap_or([OFF_BOARD; 6])
    }

    /// The directions in which a hex has a neighbour, as bits.
    #[inline]
    #[must_use]
    pub fn ways(&self, hex: u8) -> u8 {
        self.ways.get(usize::from(hex)).copied().unwrap_or(0)
    }

    /// The distances from a hex to all hexes, in their order; empty for a hex that does not exist.
    #[inline]
    #[must_use]
    pub fn distances(&self, from: u8) -> &[u8] {
        let start = usize::from(from) * self.places.len();
        self.distances.get(start..start + self.places.len()).unwrap_or(&[])
    }

    /// The neighbours of a hex, as bits.
    #[inline]
    #[must_use]
    pub fn around(&self, hex: u8) -> u128 {
        self.around.get(usize::from(hex)).copied().unwrap_or(0)
    }

    /// The neighbours of many hexes in a direction, 0 to 5, all as bits; those beyond the edge are lost.
    #[inline]
    #[must_use]
    pub fn shift(&self, hexes: u128, direction: u8) -> u128 {
        // Rows alternate between `columns` hexes and one fewer, so the numbers of neighbours in one direction always
        // differ by the same amount.
        let columns = u32::from(self.columns);
        let from = hexes & self.open[usize::from(direction % 6)];
        match direction % 6 {
            0 => from << 1,
            1 => from >> (columns - 1),
            2 => from >> columns,
            3 => from >> 1,
            4 => from << (columns - 1),
            _ => from << columns,
        }
    }

    /// The distance from one hex to another, in steps.
    #[inline]
    #[must_use]
    pub fn distance(&self, from: u8, to: u8) -> u8 {
        self.distances[usize::from(from) * self.places.len() + usize::from(to)]
    }
}

/// The index of the hex at these coordinates in a table of all hexes up to [`SPAN`] from the middle.
#[inline]
fn slot(q: i32, r: i32) -> Option<usize> {
    let (q, r) = (q.wrapping_add(SPAN) as u32, r.wrapping_add(SPAN) as u32);
    let span = 2 * SPAN as u32;
    (q < span && r < span).then_some((r * span + q) as usize)
}

/// A kind of terrain.
#[derive(Clone, Debug)]
pub struct HexTerrain {
    /// Its name.
    pub id: String,
    /// Its name in the narration.
    pub title: String,
    /// The hexes it covers, as bits.
    pub at: u128,
    /// The sides along which it runs, one bit for each direction.
    pub sides: u8,
    /// 1 for units that cannot enter it.
    pub bars: Option<Lookup>,
    /// 1 for units that must stop in it.
    pub stops: Option<Lookup>,
    /// 1 for units that may not fight in the turn in which they enter it.
    pub tires: Option<Lookup>,
    /// Its source.
    pub source: Source,
}

/// A provision: one rule of a hex board.
#[derive(Clone, Debug)]
pub struct Provision {
    /// Its name in the pack.
    pub id: String,
    /// Its description in the narration.
    pub title: Option<String>,
    /// What it provides.
    pub deed: Provides,
    /// 1 if it applies; `None` means always.
    pub when: Option<Lookup>,
    /// Its amount.
    pub amount: Lookup,
    /// Whether it is the same for every enemy.
    pub alone: bool,
    /// The roll it uses, an index into [`super::Rules::rolls`].
    pub roll: RollId,
    /// The site of its dice, if it rolls.
    pub site: Site,
    /// Its source.
    pub source: Source,
}

/// A command card.
#[derive(Clone, Debug)]
pub struct Card {
    /// Its name in the pack.
    pub id: String,
    /// Its name in the narration.
    pub title: String,
    /// The number of copies in the deck.
    pub count: u8,
    /// The number of units it orders; `None` means as many as the command.
    pub orders: Option<u8>,
    /// 1 for units it may order; `None` means all.
    pub of: Option<Lookup>,
    /// The section in which they must be.
    pub section: Option<Section>,
    /// Whether they must form one group.
    pub linked: bool,
    /// Whether it is kept for the enemy's turn.
    pub held: bool,
    /// Its source.
    pub source: Source,
}

/// A deck of cards.
#[derive(Clone, Debug)]
pub struct Deck {
    /// The number of cards in a hand.
    pub hand: u8,
    /// The kinds of cards.
    pub cards: Vec<Card>,
    /// The site of its draws.
    pub site: Site,
    /// Its source.
    pub source: Source,
}

/// Everything that only battles on hexes need.
#[derive(Clone, Debug)]
pub struct HexRules {
    /// The hexes.
    pub grid: HexGrid,
    /// Columns from the middle one to the lines between the sections.
    pub section: u8,
    /// Kinds of terrain; the first one is open ground.
    pub terrain: Vec<HexTerrain>,
    /// The terrain of every hex.
    pub ground: Vec<u8>,
    /// The hexes that block sight, as bits.
    pub opaque: u128,
    /// Provisions in force, grouped by kind and in the order of the pack.
    pub provisions: Vec<Provision>,
    /// Where the provisions of each kind begin and end.
    pub(crate) spans: Vec<(u8, u8)>,
    /// By kind, the first of its provisions that applies.
    pub(crate) firsts: Vec<Lookup>,
    /// Facts about unit types, computed in advance.
    pub(crate) known: Known,
    /// The deck; `None` if the rules have no cards.
    pub deck: Option<Deck>,
    /// The source of the board.
    pub source: Source,
}

impl HexRules {
    /// The same rules with the facts about unit types computed in advance.
    pub(crate) fn settled(
        &self,
        kinds: &[Kind],
        rolls: &[Arc<Roll>],
        doctrines: &[Arc<Doctrine>],
        fields: &[Field],
    ) -> Self {
        Self { known: Known::of(self, kinds, rolls, doctrines, fields), ..self.clone() }
    }

    /// The provisions of a kind, with their indices in [`HexRules::provisions`].
    #[inline]
    pub fn all(&self, deed: Provides) -> impl Iterator<Item = (u8, &Provision)> {
        let (start, end) = self.spans[deed as usize];
        (start..end).zip(&self.provisions[usize::from(start)..usize::from(end)])
    }

    /// Whether the rules have any provision of this kind.
    #[inline]
    #[must_use]
    pub fn any(&self, deed: Provides) -> bool {
        let (start, end) = self.spans[deed as usize];
        start < end
    }

    /// The first provision of a kind that applies to a unit of a type, with its amount. The situation is read only
    /// if it matters.
    #[inline]
    pub fn first<S: Situation>(
        &self,
        deed: Provides,
        kind: KindId,
        situation: impl FnOnce() -> S,
    ) -> Option<(u8, i32)> {
        let known = match self.known.first(deed, kind) {
            Answer::Nothing => None,
            Answer::Row(row, amount) => Some((row, amount)),
            Answer::Ask => return self.ask(deed, &situation()),
        };
        debug_assert_eq!(known, self.ask(deed, &situation()), "{deed:?} of {kind:?}");
        known
    }

    /// Like [`HexRules::first`], but read from the rows of the pack.
    fn ask<S: Situation>(&self, deed: Provides, situation: &S) -> Option<(u8, i32)> {
        let (start, end) = self.spans[deed as usize];
        let row = start + self.firsts[deed as usize].get(situation) as u8;
        (row < end).then(|| (row, self.provisions[usize::from(row)].amount.get(situation)))
    }

    /// The dice of a strike outside a combat, by the types of both units, the arc that the struck unit shows (0 front,
    /// 1 flank, 2 rear) and whether the striking unit has all its figures; `None` if they depend on more than that.
    #[inline]
    #[must_use]
    pub fn dice_by_type(&self, own: KindId, foe: KindId, arc: u8, whole: bool) -> Option<i32> {
        self.known.dice(own, foe, arc, whole)
    }

    /// The index of the first row of a doctrine that applies in a phase to every unit of a type, or the number of rows
    /// if none does; `None` if that depends on the battle.
    #[inline]
    #[must_use]
    pub fn row_by_type(&self, doctrine: DoctrineId, phase: u8, kind: KindId) -> Option<usize> {
        self.known.row(doctrine, phase, kind)
    }

    /// The provision for a strike of one unit at another, if their types decide it.
    #[inline]
    #[must_use]
    pub fn strike_by_type(&self, own: KindId, foe: KindId) -> Option<u8> {
        self.known.strike(own, foe)
    }

    /// The inputs of a strike's roll that the two units' types alone decide, for the striking unit and for the other:
    /// the values of [`Roll::read`], without reading the situation.
    #[inline]
    pub fn read_strike<S: Situation>(
        &self,
        (own, foe): (KindId, KindId),
        strike: Strike,
        roll: &Roll,
        (striking, struck): (&S, &S),
    ) -> [i32; INPUTS_MAX] {
        let known = self.known.inputs(own, foe, strike);
        let mut inputs = [0; INPUTS_MAX];
        for (input, value) in inputs.iter_mut().enumerate().take(roll.inputs.len()) {
            *value = known(input).unwrap_or_else(|| roll.read_one(input, striking, struck));
        }
        debug_assert_eq!(inputs, roll.read(striking, struck));
        inputs
    }

    /// The range of units of a type, next to an enemy or away from all; `None` if it depends on more than that.
    #[inline]
    #[must_use]
    pub fn range_by_type(&self, kind: KindId, engaged: bool) -> Option<i32> {
        self.known.range(kind, engaged)
    }

    /// Whether the provision of a kind is the same for every enemy.
    #[inline]
    #[must_use]
    pub fn alone(&self, deed: Provides) -> bool {
        self.all(deed).all(|(_, provision)| provision.alone)
    }

    /// The total amount of all provisions of a kind that apply to a unit of a type.
    pub fn sum<S: Situation>(&self, deed: Provides, kind: KindId, situation: &S) -> i32 {
        let rows = self.known.open(deed, kind).iter().map(|&row| &self.provisions[usize::from(row)]);
        let applies = |provision: &&Provision| provision.when.as_ref().is_none_or(|when| when.get(situation) != 0);
        rows.filter(applies).map(|provision| provision.amount.get(situation)).fold(0, i32::saturating_add)
    }
}
