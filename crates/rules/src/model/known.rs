//! Facts that follow from unit types alone under the rules for hexes. They are computed once, so battles do not have
//! to.
//!
//! Example: heavy infantry has no missiles. Its range is 0 although the rules first check for an adjacent enemy.

use std::sync::Arc;

use super::{ByteId, Doctrine, DoctrineId, HexRules, INPUTS_MAX, Kind, KindId, Provides, Roll};
use crate::situation::{Fact, Field, Subject};
use grognard_expr::{Situation, Var};

/// The arcs that a struck unit can show.
const ARCS: usize = 3;

/// The number of kinds of close combat, which come first in the list of kinds, after `none`.
const ROLES: usize = 6;

/// Sentinel: the number is not yet known.
const UNSETTLED: i8 = i8::MIN;

/// A provision for a unit of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// It depends on the battle.
    Ask,
    /// No provision applies.
    Nothing,
    /// This provision, with this amount.
    Row(u8, i32),
}

/// Facts about unit types.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    /// The number of types.
    kinds: usize,
    /// The answers, by kind of provision, then by type.
    answers: Vec<Answer>,
    /// The dice of a strike, by types of both units, arc and whether the striker is at full strength.
    dice: Vec<i8>,
    /// By types of both units, the provision for a strike, if they decide it.
    strikes: Vec<Option<u8>>,
    /// By types of both units, kind of combat, arcs that both show and whether the striker is at full strength, the
    /// inputs of its roll.
    inputs: Vec<[i8; INPUTS_MAX]>,
    /// How far units of each type fire, away from enemies and next to one.
    ranges: Vec<[Answer; 2]>,
    /// By kind of provision, then by type, the provisions that can apply.
    open: Vec<Box<[u8]>>,
    /// The number of phases.
    phases: usize,
    /// By doctrine, phase and type, the first row that applies, or the number of rows if none does.
    rows: Vec<Option<u16>>,
}

impl Known {
    /// Computes the facts about these types; these rules have none yet.
    pub(crate) fn of(
        hex: &HexRules,
        kinds: &[Kind],
        rolls: &[Arc<Roll>],
        doctrines: &[Arc<Doctrine>],
        fields: &[Field],
    ) -> Self {
        let mut known = Self { kinds: kinds.len(), ..Self::default() };
        for deed in 0..hex.spans.len() {
            for own in 0..kinds.len() {
                let pair = Pair::of(hex, kinds, fields, own);
                known.answers.push(pair.first(deed));
                known.open.push(pair.open(deed));
            }
        }
        for own in 0..kinds.len() {
            known.ranges.push([false, true].map(|engaged| {
                let pair = Pair { engaged: Some(engaged), ..Pair::of(hex, kinds, fields, own) };
                pair.first(Provides::Range as usize)
            }));
        }
        known.phases = doctrines.first().map_or(0, |doctrine| doctrine.phases.len());
        for decisions in doctrines.iter().flat_map(|doctrine| &doctrine.phases) {
            for own in 0..kinds.len() {
                let pair = Pair::of(hex, kinds, fields, own);
                let row = decisions.first.decided(&pair, |var| pair.reads(var).is_some());
                known.rows.push(row.and_then(|row| u16::try_from(row).ok()));
            }
        }
        for own in 0..kinds.len() {
            for foe in 0..kinds.len() {
                let pair = Pair { foe: Some(foe), ..Pair::of(hex, kinds, fields, own) };
                let strike = pair.strike(rolls);
                known.strikes.push(strike.map(|(row, _)| row));
                let roll = strike.map(|(_, roll)| roll);
                known.inputs.extend((1..=ROLES as i32).flat_map(|role| pair.inputs(roll, role)));
                for (arc, whole) in (0..ARCS).flat_map(|arc| [(arc, false), (arc, true)]) {
                    let pair = Pair { role: Some(0), arc: Some(arc as i32), whole: Some(whole), ..pair };
                    let dice = pair.dice(rolls).and_then(|dice| i8::try_from(dice).ok());
                    known.dice.push(dice.unwrap_or(UNSETTLED));
                }
            }
        }
        known
    }

    #[inline]
    pub(crate) fn first(&self, deed: Provides, kind: KindId) -> Answer {
        self.answers.get(deed as usize * self.kinds + kind.index()).copied().unwrap_or(Answer::Ask)
    }

    #[inline]
    pub(crate) fn dice(&self, own: KindId, foe: KindId, arc: u8, whole: bool) -> Option<i32> {
        let pair = own.index() * self.kinds + foe.index();
        let at = (pair * ARCS + usize::from(arc)) * 2 + usize::from(whole);
        self.dice.get(at).filter(|&&dice| dice != UNSETTLED).map(|&dice| dice.into())
    }

    #[inline]
    pub(crate) fn open(&self, deed: Provides, kind: KindId) -> &[u8] {
        self.open.get(deed as usize * self.kinds + kind.index()).map_or(&[], |open| open)
    }

    #[inline]
    pub(crate) fn row(&self, doctrine: DoctrineId, phase: u8, kind: KindId) -> Option<usize> {
        let phase = doctrine.index() * self.phases + usize::from(phase);
        self.rows.get(phase * self.kinds + kind.index()).copied().flatten().map(usize::from)
    }

    #[inline]
    pub(crate) fn strike(&self, own: KindId, foe: KindId) -> Option<u8> {
        self.strikes.get(own.index() * self.kinds + foe.index()).copied().flatten()
    }

    #[inline]
    pub(crate) fn inputs(&self, own: KindId, foe: KindId, strike: Strike) -> impl Fn(usize) -> Option<i32> + '_ {
        let pair = own.index() * self.kinds + foe.index();
        let [shown, exposed] = strike.arcs.map(usize::from);
        let role = usize::from(strike.role).checked_sub(1).filter(|&role| role < ROLES);
        let arcs = role.map(|role| ((pair * ROLES + role) * ARCS + shown) * ARCS + exposed);
        let inputs = arcs.and_then(|arcs| self.inputs.get(arcs * 2 + usize::from(strike.whole)));
        move |input| inputs.and_then(|inputs| inputs.get(input)).filter(|&&value| value != UNSETTLED).map(|&v| v.into())
    }

    #[inline]
    pub(crate) fn range(&self, kind: KindId, engaged: bool) -> Option<i32> {
        match self.ranges.get(kind.index())?[usize::from(engaged)] {
            Answer::Ask => None,
            Answer::Nothing => Some(0),
            Answer::Row(_, range) => Some(range),
        }
    }
}

/// The details of a strike in a combat that the types of both units leave open.
#[derive(Clone, Copy, Debug)]
pub struct Strike {
    /// The kind of combat, as an index into [`crate::situation::COMBATS`].
    pub role: u8,
    /// The arcs that the striking unit and the other one show (0 front, 1 flank, 2 rear).
    pub arcs: [u8; 2],
    /// Whether the striking unit had all its figures when the combat began.
    pub whole: bool,
}

/// A unit type, and the one that it strikes.
#[derive(Clone, Copy)]
struct Pair<'a> {
    hex: &'a HexRules,
    kinds: &'a [Kind],
    fields: &'a [Field],
    /// The types, by index.
    own: usize,
    foe: Option<usize>,
    /// The kind of combat.
    role: Option<i32>,
    /// The arcs that the striking unit and the struck one show.
    shown: Option<i32>,
    arc: Option<i32>,
    /// Whether the striking unit has all its figures.
    whole: Option<bool>,
    /// Whether an enemy is next to it.
    engaged: Option<bool>,
}

impl<'a> Pair<'a> {
    /// A type about which nothing is known yet.
    fn of(hex: &'a HexRules, kinds: &'a [Kind], fields: &'a [Field], own: usize) -> Self {
        let (role, shown, arc, whole) = (None, None, None, None);
        Self { hex, kinds, fields, own, foe: None, role, shown, arc, whole, engaged: None }
    }

    /// What conditions read about any two units of these types.
    fn reads(&self, var: Var) -> Option<i32> {
        let Field { subject, fact } = *self.fields.get(var.index())?;
        let index = match subject {
            Subject::Own => self.own,
            Subject::Foe => self.foe?,
        };
        let kind = self.kinds.get(index)?;
        match (fact, subject) {
            (Fact::Arm, _) => Some(kind.arm.into()),
            (Fact::Kind, _) => Some(index as i32),
            (Fact::Attribute(index), _) => kind.attributes.get(usize::from(index)).map(|&value| value.into()),
            (Fact::Trait(index), _) => Some((kind.traits >> index & 1) as i32),
            // A leader has a front only while he is with a unit.
            (Fact::Facing, _) if !kind.leader => Some(i32::from(!self.hex.any(Provides::Facing))),
            (Fact::Exposed, Subject::Own) => self.shown,
            (Fact::Exposed, Subject::Foe) => self.arc,
            (Fact::Fresh, Subject::Own) => self.whole.map(i32::from),
            (Fact::Engaged, Subject::Own) => self.engaged.map(i32::from),
            (Fact::Combat, Subject::Own) => self.role,
            _ => None,
        }
    }

    fn first(&self, deed: usize) -> Answer {
        let (start, end) = self.hex.spans[deed];
        let known = |var| self.reads(var).is_some();
        let row = if start == end { Some(0) } else { self.hex.firsts[deed].decided(self, known) };
        match row.map(|row| start + row as u8) {
            None => Answer::Ask,
            Some(row) if row >= end => Answer::Nothing,
            Some(row) => self.hex.provisions[usize::from(row)]
                .amount
                .decided(self, known)
                .map_or(Answer::Ask, |amount| Answer::Row(row, amount)),
        }
    }

    /// The provisions of a kind that can apply.
    fn open(&self, deed: usize) -> Box<[u8]> {
        let (start, end) = self.hex.spans[deed];
        let shut = |&row: &u8| {
            let when = self.hex.provisions[usize::from(row)].when.as_ref();
            when.and_then(|when| when.decided(self, |var| self.reads(var).is_some())) == Some(0)
        };
        (start..end).filter(|row| !shut(row)).collect()
    }

    /// The inputs of a roll in a kind of combat, for all arcs, each without and with all figures.
    fn inputs(&self, roll: Option<&Roll>, role: i32) -> impl Iterator<Item = [i8; INPUTS_MAX]> {
        let pair = Pair { role: Some(role), ..*self };
        let told = |pair: &Pair<'_>, input: usize| {
            let value = roll?.input_told(input, pair, &|var| pair.reads(var).is_some());
            value.and_then(|value| i8::try_from(value).ok())
        };
        let always: [Option<i8>; INPUTS_MAX] = std::array::from_fn(|input| told(&pair, input));
        let mut all = Vec::new();
        for (shown, arc) in (0..ARCS as i32).flat_map(|shown| (0..ARCS as i32).map(move |arc| (shown, arc))) {
            for whole in [false, true] {
                let pair = Pair { shown: Some(shown), arc: Some(arc), whole: Some(whole), ..pair };
                all.push(std::array::from_fn(|input| {
                    always[input].or_else(|| told(&pair, input)).unwrap_or(UNSETTLED)
                }));
            }
        }
        all.into_iter()
    }

    /// The provision for a strike and its roll, if the types decide both. Whether another roll replaces it is decided
    /// in the battle.
    fn strike<'r>(&self, rolls: &'r [Arc<Roll>]) -> Option<(u8, &'r Roll)> {
        let Answer::Row(row, _) = self.first(Provides::Strike as usize) else { return None };
        let roll = rolls.get(self.hex.provisions[usize::from(row)].roll.index())?;
        roll.instead.is_none().then_some((row, roll))
    }

    fn dice(&self, rolls: &[Arc<Roll>]) -> Option<i32> {
        match self.first(Provides::Strike as usize) {
            Answer::Ask => None,
            Answer::Nothing => Some(0),
            Answer::Row(..) => self.strike(rolls)?.1.dice_told(self, &|var| self.reads(var).is_some()),
        }
    }
}

impl Situation for Pair<'_> {
    fn value(&self, var: Var) -> i32 {
        self.reads(var).unwrap_or(0)
    }
}
