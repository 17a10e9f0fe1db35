//! Lining: a unit bends along linear terrain that changes direction in front of it (clause 7.23).
//!
//! Where two pieces of linear terrain meet, the unit is bent between the two figures nearest to that point, and each
//! part faces at right angles to its piece. That is a change of facing. The middle of the front shifts no further
//! than the pack allows, and every figure must touch linear terrain afterwards. Example: a line facing 10 degrees has
//! come up to a hedge whose direction changes from 0 to 20 degrees. Its left figures turn by 10 degrees one way, and
//! its right figures by 10 degrees the other way.

use crate::geometry::plane::{Heading, Point, Rect};
use crate::state::{Bend, Piece, Unit, UnitId};
use crate::step::Position;

/// A unit's position along the linear terrain in front of it: the one with the smallest shift. `None` if the unit
/// cannot be bent.
pub(crate) fn bent_along(ctx: &Position<'_>, id: UnitId) -> Option<Unit> {
    let (rules, terrain) = (ctx.rules, &ctx.setup.terrain);
    let within = rules.dressing.bends_within?;
    let unit = *ctx.battle.unit(id);
    if !unit.bend.is_none() || unit.gone() || !ctx.holds(rules.dressing.bends_when.as_ref(), id, None) {
        return None;
    }
    let here = unit.rect(rules);
    let near =
        |piece: &&Piece| piece.ground(rules).linear && piece.rect.distance(&here) <= within + rules.dressing.touch;
    let aside = |piece: &Piece| here.local(piece.rect.centre()).0;
    let pieces = || terrain.iter().filter(near);
    let pairs = pieces()
        .flat_map(|left| pieces().filter(move |right| aside(left) < aside(right)).map(move |right| (left, right)));
    let shift = |bent: &Unit| bent.front.square_distance(unit.front);
    let bent = pairs.filter_map(|(left, right)| between(ctx, &unit, left, right));
    let bent = bent.filter(|bent| shift(bent) <= i64::from(within).pow(2) && bent.lines(rules, terrain));
    bent.min_by_key(shift)
}

/// A unit's position along two pieces, whether or not they are long enough for the unit.
fn between(ctx: &Position<'_>, unit: &Unit, left: &Piece, right: &Piece) -> Option<Unit> {
    let off = ctx.rules.dressing.touch / 2;
    let [(to_left, left), (to_right, right)] = [left, right].map(|piece| edge_before(&piece.rect, unit.heading, off));
    let turn = to_left.turn_to(to_right);
    let meet = Point::where_lines_meet((left, to_left), (right, to_right)).filter(|_| turn.abs() < 900)?;
    let footprint = unit.footprint(ctx.rules);
    let (aside, _) = unit.rect(ctx.rules).local(meet);
    let at = Bend::places(footprint.width, i32::from(footprint.front), aside as i32).next()?;
    let bend = Bend { tenths: turn as i16, at };
    let heading = to_left.turned(bend.own_turn());
    let front = Rect::new(meet, heading, 0, 0).at(-i32::from(at), 0);
    Some(Unit { front, heading, bend, ..*unit })
}

/// The heading at right angles across a piece, in the direction nearest to the unit's heading, and a point at this
/// distance in front of the edge on the unit's side.
fn edge_before(piece: &Rect, from: Heading, off: i32) -> (Heading, Point) {
    let (across, thickness) = if piece.width >= piece.depth {
        (piece.heading(), piece.depth)
    } else {
        (piece.heading().turned(900), piece.width)
    };
    let across = if across.turn_to(from).abs() <= 900 { across } else { across.reversed() };
    (across, piece.centre().moved(across, -thickness / 2 - off))
}
