//! The assaults of `bag-pins`, all of its cells, compared with arithmetic in whole numbers from the clauses of
//! `bag-of-orders`.
//!
//! An assault group storms a section six inches away that stays in place, on open ground, for four turns. Each has one
//! chip, so each receives one order a turn and never tests because of an earlier one. Neither splits, and neither has a
//! friend to join. The group never shoots, because its move takes it into contact, and the section never moves. So the
//! clauses `leave`, `split`, `join`, `range`, `hurry` and `cover` never apply.

use crate::common::odds::{Ends, Odds, both_agree, expected};
use crate::common::{Men, duel, load, solved};
use grognard_engine::Side;

/// Clauses `men`, `test` and `close`: men at the start, nerve, and the addition in an assault.
struct Kind {
    men: u32,
    nerve: u32,
    close: u32,
}

const GROUP: Kind = Kind { men: 5, nerve: 9, close: 1 };

const SECTION: Kind = Kind { men: 5, nerve: 8, close: 0 };

/// The state of a unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Unit {
    men: u32,
    pins: u32,
}

impl Unit {
    /// Clause `pin`: at most six.
    fn pinned(self) -> Self {
        Self { pins: (self.pins + 1).min(6), ..self }
    }

    fn without(self, men: u32) -> Self {
        Self { men: self.men - men.min(self.men), ..self }
    }
}

/// The group, the section, and whether the group has moved up to within an inch of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Field {
    group: Unit,
    section: Unit,
    close: bool,
}

impl Field {
    fn is_over(&self) -> bool {
        self.group.men == 0 || self.section.men == 0
    }
}

/// Clauses `test` and `shed`: the unit's remaining pins if it obeys; `None` if the order is lost.
fn test(kind: &Kind, pins: u32) -> Odds<Option<u32>> {
    if pins == 0 {
        return Odds::sure(Some(0));
    }
    Odds::die(6).sum(2).map(|total| (total + pins <= kind.nerve).then_some(pins - 1))
}

/// Clause `rally`: what happens at the end of a unit's order.
fn rally(unit: Unit) -> Odds<Unit> {
    if unit.pins < 3 || unit.men == 0 {
        return Odds::sure(unit);
    }
    Odds::die(3).map(|score| Unit { pins: unit.pins - score, ..unit })
}

/// An assault of one unit on another.
fn assault(own: (&Kind, Unit), foe: (&Kind, Unit)) -> Odds<(Unit, Unit)> {
    // Clauses `assault` and `close`: a die plus the men minus the pins; the group adds 1.
    let total = |(kind, unit): (&Kind, Unit)| {
        Odds::die(6).map(move |score| i64::from(score + unit.men + kind.close) - i64::from(unit.pins))
    };
    let lead = total(own).then(|one| total(foe).map(move |other| one - other));
    let ((_, own), (_, foe)) = (own, foe);
    lead.map(|lead| match (lead, lead.unsigned_abs() as u32) {
        // Clause `assault`: the lower side loses the difference in men and gains a pin.
        (1.., by) => (own, foe.without(by).pinned()),
        (..=-1, by) => (own.without(by).pinned(), foe),
        // Clause `tie`: each loses a man.
        (0, _) => (own.without(1), foe.without(1)),
    })
}

/// The effect of the section's fire from six inches on the group.
fn fire(section: Unit, group: Unit) -> Odds<Unit> {
    // Clauses `shoot` and `shaky`: five or more hit, six or more with pins. Clause `six`: a six always hits.
    let need = if section.pins > 0 { 6 } else { 5 };
    // Clause `casualty`: a hit removes a man on a four or more. Each result is the number of men that one die removes,
    // and whether it shows a six.
    let one = Odds::die(6).then(|score| match score {
        hit if hit >= need => Odds::die(6).map(move |score| (u32::from(score >= 4), hit == 6)),
        _ => Odds::sure((0, false)),
    });
    let all = (0..section.men).fold(Odds::sure((0, false)), |all, _| {
        all.then(|(men, six)| one.clone().map(move |(man, is_six)| (men + man, six || is_six)))
    });
    // Clause `pin`: a target that loses men, or is hit by a six, gains one pin.
    all.map(|(men, six)| {
        let group = group.without(men);
        if men > 0 || six { group.pinned() } else { group }
    })
}

/// The effect of an order for the group.
fn order_group(field: Field) -> Odds<Field> {
    test(&GROUP, field.group.pins).then(|pins| {
        let Some(pins) = pins else { return Odds::sure(field) };
        let group = Unit { pins, ..field.group };
        // Clause `rally`: with three pins or more a unit neither moves nor assaults.
        let (close, after) = if pins >= 3 {
            (field.close, Odds::sure((group, field.section)))
        } else {
            // Clause `move`: five of its six inches take it to an inch from the section, and it assaults.
            (true, assault((&GROUP, group), (&SECTION, field.section)))
        };
        after.then(|(group, section)| rally(group).map(move |group| Field { group, section, close }))
    })
}

/// The effect of an order for the section.
fn order_section(field: Field) -> Odds<Field> {
    test(&SECTION, field.section.pins).then(|pins| {
        let Some(pins) = pins else { return Odds::sure(field) };
        let section = Unit { pins, ..field.section };
        // Clauses `rally`, `assault` and `shoot`: within two inches a unit assaults, further away it shoots.
        let after = if pins >= 3 {
            Odds::sure((section, field.group))
        } else if field.close {
            assault((&SECTION, section), (&GROUP, field.group))
        } else {
            fire(section, field.group).map(|group| (section, group))
        };
        after.then(|(section, group)| rally(section).map(move |section| Field { group, section, ..field }))
    })
}

/// The ends of four turns.
fn by_hand(pins: u32) -> Ends {
    let start =
        Field { group: Unit { men: GROUP.men, pins: 0 }, section: Unit { men: SECTION.men, pins }, close: false };
    let mut open = Odds::sure(start);
    let next = |order: fn(Field) -> Odds<Field>| {
        move |field: Field| if field.is_over() { Odds::sure(field) } else { order(field) }
    };
    for _ in 0..4 {
        // Clauses `bag` and `orders`: either of the two chips is equally likely to be drawn first, and then the other
        // is drawn.
        open = open.then(|field| {
            Odds::die(2).then(|first| match first {
                1 => next(order_group)(field).then(next(order_section)),
                _ => next(order_section)(field).then(next(order_group)),
            })
        });
    }
    // Clause `end`: a side without units has lost; after the last turn the side that has lost fewer men wins. Both
    // begin with five.
    open.map(|Field { group, section, .. }| match group.men.cmp(&section.men) {
        std::cmp::Ordering::Greater => Some(Side::First),
        std::cmp::Ordering::Less => Some(Side::Second),
        std::cmp::Ordering::Equal => None,
    })
}

#[test]
fn assaults_on_a_pinned_section_come_out_as_by_arithmetic_over_the_clauses() {
    let rules = load("bag-of-orders");
    let unit = |kind, y, doctrine| Men { kind, at: Some((0, y)), doctrine: Some(doctrine), ..Men::default() };
    let expected = expected(include_str!("../../../studies/bag-pins.toml"), ["assault", "section"]);
    let cells: [&'static [_]; 5] = [&[("pins", 0)], &[("pins", 1)], &[("pins", 2)], &[("pins", 3)], &[("pins", 4)]];
    assert_eq!(expected.len(), cells.len());
    for ((pins, counters), expected) in (0..).zip(cells).zip(&expected) {
        let section = Men { counters, ..unit("section", 600, "stand") };
        let solution = solved(&rules, &duel(&rules, unit("assault-group", 0, "storm"), section, 4), 0.0);
        both_agree(&format!("{pins} pins"), &solution, expected, &by_hand(pins));
    }
}
