//! Inputs: the numbers of a roll that depend on the situation.

use super::ladder::{self, STEPS};
use super::mechanic::DICE_MOST;
use crate::compile::checker::{Checker, at};
use crate::model::{Contestant, INPUTS_MAX, Input, Modifier, Quantity};
use crate::wire::{IntOrExpr, ModifierTo, RollWire};
use grognard_expr::{Kind, Lookup, Row};
use grognard_roll::Amount;
use grognard_source::Path;

/// A number of a roll, before it is known whether the situation decides it.
pub(super) struct Number<'w> {
    /// Its name in the narration.
    pub(super) name: &'static str,
    /// The contestant it belongs to.
    pub(super) by: Contestant,
    /// The pack's value.
    pub(super) given: Option<&'w IntOrExpr>,
    /// The default.
    pub(super) default: i32,
    /// The path at which the pack sets it.
    pub(super) at: Path,
    /// Which modifiers change it, and in which direction.
    pub(super) modified: Option<(ModifierTo, i32)>,
    /// Its limits.
    pub(super) limits: (i32, i32),
    /// Whether a value below or above the limits counts as the limit; otherwise it is rejected.
    pub(super) cut: (bool, bool),
}

impl Number<'_> {
    /// Reports a number that can leave the limits of a roll. Returns whether it can.
    fn refuse_beyond(&self, checker: &mut Checker<'_>, (low, high): (i64, i64)) -> bool {
        let (least, most) = (i64::from(self.limits.0), i64::from(self.limits.1));
        let too_low = low < least && !self.cut.0 || low < i64::from(i32::MIN);
        let too_high = high > most && !self.cut.1 || high > i64::from(i32::MAX);
        if !too_low && !too_high {
            return false;
        }
        let key = self.at.segments().last().map_or("", String::as_str);
        let with = if self.modified.is_some() { " with its modifiers" } else { "" };
        let can = if low == high { format!("is {low}") } else { format!("can be {low} to {high}") };
        let allowed = match self.name {
            "dice" => format!("without `most`, at most {most} dice can be rolled"),
            _ => format!("this roll allows only {least} to {most}"),
        };
        let message = format!("`{key}`{with} {can}, but {allowed}");
        let help = match self.name {
            "dice" => {
                format!(
                    "add `most` next to `dice`, {DICE_MOST} or less: the maximum number of dice rolled, whatever `count` says"
                )
            }
            _ if too_low && too_high => format!("limit the formula: `math.greatest({least}, math.least({most}, …))`"),
            _ if too_low => format!("limit the formula: `math.greatest({least}, …)`"),
            _ => format!("limit the formula: `math.least({most}, …)`"),
        };
        checker.fault(&self.at, message, Some(&help));
        true
    }

    /// Reports a fixed number of dice that is always outside the limits and would be clamped. Returns whether it is.
    fn refuse_plain(&self, checker: &mut Checker<'_>, fixed: i32) -> bool {
        let (least, most) = self.limits;
        let (message, help) = match fixed {
            _ if self.cut.0 && fixed < least => {
                (format!("{fixed} dice cannot be rolled"), "give a number of 0 or more")
            }
            _ if self.name == "dice" && fixed > DICE_MOST => {
                (format!("{fixed} dice are too many"), "roll at most 400 dice")
            }
            _ if self.cut.1 && fixed > most => (
                format!("`most = {most}` is less than the number of dice, which is always {fixed}"),
                "omit `most`, or give fewer dice",
            ),
            _ => return false,
        };
        checker.fault(&self.at, message, Some(help));
        true
    }
}

/// Gathers the inputs of one roll.
pub(super) struct Inputs<'r> {
    modifiers: &'r [Modifier],
    wire: &'r RollWire,
    inputs: Vec<Input>,
    quantities: Vec<Quantity>,
    used: Vec<ModifierTo>,
    refused: bool,
}

impl<'r> Inputs<'r> {
    pub(super) fn new(modifiers: &'r [Modifier], wire: &'r RollWire) -> Self {
        Self { modifiers, wire, inputs: Vec::new(), quantities: Vec::new(), used: Vec::new(), refused: false }
    }

    /// Whether a number was refused. If so, the odds would be wrong.
    pub(super) fn refused(&self) -> bool {
        self.refused
    }

    pub(super) fn into_parts(self) -> (Vec<Input>, Vec<Quantity>) {
        (self.inputs, self.quantities)
    }

    /// Turns a number into an amount: fixed if it does not depend on the situation, otherwise an input.
    pub(super) fn amount(&mut self, checker: &mut Checker<'_>, number: &Number<'_>) -> Amount {
        let mut fixed = 0;
        let mut base = None;
        match number.given {
            None => fixed = number.default,
            Some(&IntOrExpr::Number(value)) => fixed = value,
            Some(IntOrExpr::Formula(text)) => {
                if let Some(expr) = checker.expr(&number.at, text, Kind::Int) {
                    base = Some(Lookup::of(&expr));
                }
            }
        }
        let (rows, sign) = self.rows(number.modified);
        let modifiers = (!rows.is_empty()).then(|| {
            let added: Vec<Row> = rows
                .iter()
                .map(|&row| &self.modifiers[usize::from(row)])
                .map(|modifier| Row { when: modifier.when.as_ref(), add: modifier.add })
                .collect();
            Lookup::sum(&added)
        });
        let mut ladder = None;
        if number.modified.is_some_and(|(to, _)| to == ModifierTo::Dice) {
            self.used.extend(STEPS);
            ladder = ladder::ladder(self.wire, self.modifiers);
        }
        if base.is_none() && modifiers.is_none() && ladder.is_none() {
            self.refused |= number.refuse_plain(checker, fixed);
            self.quantities.push(Quantity { by: number.by, name: number.name, fixed, input: None });
            return Amount::fixed(fixed);
        }
        let (least, most) = number.limits;
        let (low, high) = reach(base.as_ref(), modifiers.as_ref(), sign);
        if ladder.is_none() {
            self.refused |= number.refuse_beyond(checker, (low + i64::from(fixed), high + i64::from(fixed)));
        }
        let within = |value: i64| value.clamp((least - fixed).into(), (most - fixed).into()) as i32;
        let (mut min, mut max) = (within(low), within(high));
        let mut rows = rows;
        if let Some(ladder) = &mut ladder {
            // The steps work on the whole number, so no part of it stays outside the input.
            ladder.fixed = std::mem::take(&mut fixed);
            let highest = |lookup: Option<&Lookup>| lookup.map_or(0, |lookup| i64::from(lookup.range().1));
            let greatest = ladder.greatest(highest(base.as_ref())) + highest(modifiers.as_ref());
            (min, max) = (least, greatest.clamp(least.into(), most.into()) as i32);
            for step in STEPS {
                rows.extend(self.rows(Some((step, 1))).0);
            }
        }
        if self.inputs.len() == INPUTS_MAX {
            let message =
                format!("a roll reads at most {INPUTS_MAX} numbers from the situation, and this is one too many");
            checker.fault(&number.at, message, Some("write a plain number, here or elsewhere in the roll"));
            self.refused = true;
            return Amount::fixed(fixed);
        }
        let input = Input { by: number.by, base, ladder, modifiers, rows, sign, min, max };
        let index = self.inputs.len();
        self.inputs.push(input);
        self.quantities.push(Quantity { by: number.by, name: number.name, fixed, input: Some(index as u8) });
        Amount::input(index).plus(fixed)
    }

    /// The modifiers that change a number.
    fn rows(&mut self, modified: Option<(ModifierTo, i32)>) -> (Vec<u16>, i32) {
        let Some((to, sign)) = modified else { return (Vec::new(), 1) };
        self.used.push(to);
        let rows = self.wire.modifier.iter().enumerate();
        let mine = rows.filter(|(_, row)| row.to.unwrap_or(ModifierTo::Roll) == to).map(|(index, _)| index as u16);
        (mine.collect(), sign)
    }

    /// Reports modifiers that change something this roll does not have.
    pub(super) fn refuse_unused(&self, checker: &mut Checker<'_>, id: &str) {
        for modifier in &self.wire.modifier {
            let to = modifier.to.unwrap_or(ModifierTo::Roll);
            if !self.used.contains(&to) {
                let word = |to: &ModifierTo| match to {
                    ModifierTo::Roll => "`roll`",
                    ModifierTo::Dice => "`dice`",
                    ModifierTo::Column => "`column`",
                    ModifierTo::Base => "`base`",
                    ModifierTo::Cap => "`cap`",
                    ModifierTo::Less => "`less`",
                    ModifierTo::Divide => "`divide`",
                };
                let mut used: Vec<&str> = Vec::new();
                for name in self.used.iter().map(word) {
                    if !used.contains(&name) {
                        used.push(name);
                    }
                }
                let help = match used.as_slice() {
                    [] => "remove the modifier: nothing in this roll can be modified".to_owned(),
                    used => format!("here modifiers change {}", used.join(" or ")),
                };
                let message = format!("this roll has no {} for a modifier to change", word(&to));
                checker.fault(&at!["roll", id, "modifier", modifier.id, "to"], message, Some(&help));
            }
        }
    }
}

/// The least and the greatest value of a formula and its modifiers together.
fn reach(base: Option<&Lookup>, modifiers: Option<&Lookup>, sign: i32) -> (i64, i64) {
    let range = |lookup: Option<&Lookup>| {
        let (low, high) = lookup.map_or((0, 0), Lookup::range);
        (i64::from(low), i64::from(high))
    };
    let ((low, high), (less, more)) = (range(base), range(modifiers));
    let (less, more) = if sign < 0 { (-more, -less) } else { (less, more) };
    (low + less, high + more)
}
