//! Inputs: the numbers of a roll that the situation decides.

use super::ladder::{self, STEPS};
use crate::compile::checker::{Checker, at};
use crate::expr::{Kind, Lookup, Row};
use crate::model::{Contestant, Input, Modifier, Quantity};
use crate::roll::Amount;
use crate::source::Path;
use crate::wire::{IntOrExpr, ModifierTo, RollWire};

/// A number of a roll, before it is known whether the situation decides it.
pub(super) struct Number<'w> {
    /// What narration calls it.
    pub(super) name: &'static str,
    /// Whose it is.
    pub(super) by: Contestant,
    /// What the pack gives.
    pub(super) given: Option<&'w IntOrExpr>,
    /// What it is where the pack gives nothing.
    pub(super) default: i32,
    /// Where the pack gives it.
    pub(super) at: Path,
    /// Which modifiers change it, and which way.
    pub(super) modified: Option<(ModifierTo, i32)>,
    /// Its limits.
    pub(super) limits: (i32, i32),
}

/// Gathers the inputs of one roll.
pub(super) struct Inputs<'r> {
    modifiers: &'r [Modifier],
    wire: &'r RollWire,
    inputs: Vec<Input>,
    quantities: Vec<Quantity>,
    used: Vec<ModifierTo>,
}

impl<'r> Inputs<'r> {
    pub(super) fn new(modifiers: &'r [Modifier], wire: &'r RollWire) -> Self {
        Self { modifiers, wire, inputs: Vec::new(), quantities: Vec::new(), used: Vec::new() }
    }

    pub(super) fn into_parts(self) -> (Vec<Input>, Vec<Quantity>) {
        (self.inputs, self.quantities)
    }

    /// Makes a number into an amount: fixed if nothing in the situation bears on it, otherwise an input.
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
            self.quantities.push(Quantity { by: number.by, name: number.name, fixed, input: None });
            return Amount::fixed(fixed);
        }
        let (least, most) = number.limits;
        let (mut low, mut high) = reach(base.as_ref(), modifiers.as_ref(), sign);
        let mut rows = rows;
        if let Some(ladder) = &mut ladder {
            // The steps work on the whole number: nothing of it stays outside of the input.
            ladder.fixed = std::mem::take(&mut fixed);
            (low, high) = (least, most);
            for step in STEPS {
                rows.extend(self.rows(Some((step, 1))).0);
            }
        }
        let input = Input {
            by: number.by,
            base,
            ladder,
            modifiers,
            rows,
            sign,
            min: low.clamp(least - fixed, most - fixed),
            max: high.clamp(least - fixed, most - fixed),
        };
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
                let help =
                    format!("here modifiers change {}", self.used.iter().map(word).collect::<Vec<_>>().join(" or "));
                let message = format!("this roll has no {} for a modifier to change", word(&to));
                checker.fault(&at!["roll", id, "modifier", modifier.id, "to"], message, Some(&help));
            }
        }
    }
}

/// The least and the greatest value of a formula and its modifiers together.
fn reach(base: Option<&Lookup>, modifiers: Option<&Lookup>, sign: i32) -> (i32, i32) {
    let (low, high) = base.map_or((0, 0), Lookup::range);
    let (less, more) = modifiers.map_or((0, 0), Lookup::range);
    let (less, more) = if sign < 0 { (-more, -less) } else { (less, more) };
    (low + less, high + more)
}
