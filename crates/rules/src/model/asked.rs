//! Rolls outside battles: the odds of a roll with chosen numbers and modifiers.

use grognard_dice::Decision as _;
use grognard_roll::RollError;

use super::ladder::steps;
use super::{Contestant, INPUTS_MAX, Input, Roll};
use crate::wire::ModifierTo;

/// A number that the battle supplies to a roll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedNumber {
    /// Its name: `dice`, `added`, `foe.added`; `need.2` for the second of that name.
    pub name: String,
    /// The least that the pack's own formula gives, before modifiers.
    pub least: i32,
    /// The greatest.
    pub most: i32,
    /// An index into [`Roll::inputs`].
    input: usize,
    /// The part of the number that is not in the input.
    outside: i32,
}

impl AskedNumber {
    /// The default: the value nearest to 0.
    #[must_use]
    pub fn nearest(&self) -> i32 {
        0.clamp(self.least, self.most)
    }
}

/// A modifier that can be switched on and off. One that either contestant may have appears twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedModifier {
    /// Its id, after `foe.` if it counts for the enemy.
    pub name: String,
    /// The contestant it belongs to.
    pub by: Contestant,
    /// An index into [`Roll::modifiers`].
    pub row: usize,
}

impl Roll {
    /// The numbers that the battle supplies.
    #[must_use]
    pub fn asked_numbers(&self) -> Vec<AskedNumber> {
        let mut numbers: Vec<AskedNumber> = Vec::new();
        for quantity in &self.quantities {
            let Some(at) = quantity.input.map(usize::from) else { continue };
            let input = &self.inputs[at];
            let word = if quantity.name.is_empty() { "case" } else { quantity.name };
            let stem = if quantity.by == Contestant::Foe { format!("foe.{word}") } else { word.to_owned() };
            let numbered = format!("{stem}.");
            let before = numbers.iter().filter(|one| one.name == stem || one.name.starts_with(&numbered)).count();
            let name = if before == 0 { stem } else { format!("{stem}.{}", before + 1) };
            let fixed = quantity.fixed + input.ladder.as_ref().map_or(0, |ladder| ladder.fixed);
            let (least, most) = input.base.as_ref().map_or((0, 0), |base| base.range());
            numbers.push(AskedNumber {
                name,
                least: least + fixed,
                most: most + fixed,
                input: at,
                outside: quantity.fixed,
            });
        }
        numbers
    }

    /// The modifiers: each appears once for every contestant for whom it may count.
    #[must_use]
    pub fn asked_modifiers(&self) -> Vec<AskedModifier> {
        let mut modifiers: Vec<AskedModifier> = Vec::new();
        for input in &self.inputs {
            let foe = if input.by == Contestant::Foe { "foe." } else { "" };
            for row in input.rows.iter().map(|&row| usize::from(row)) {
                let modifier = AskedModifier { name: format!("{foe}{}", self.modifiers[row].id), by: input.by, row };
                if !modifiers.contains(&modifier) {
                    modifiers.push(modifier);
                }
            }
        }
        modifiers
    }

    /// The inputs for these values of [`Roll::asked_numbers`], with the modifiers that apply added to them.
    #[must_use]
    pub fn asked_inputs(&self, values: &[i32], applies: &dyn Fn(&AskedModifier) -> bool) -> [i32; INPUTS_MAX] {
        let mut inputs = [0; INPUTS_MAX];
        let on: Vec<AskedModifier> = self.asked_modifiers().into_iter().filter(applies).collect();
        for (number, &value) in self.asked_numbers().iter().zip(values) {
            let input = &self.inputs[number.input];
            inputs[number.input] = self.modified(input, value - number.outside, &on);
        }
        inputs
    }

    /// The value of an input with the modifiers that are on, as [`Roll::read`] would compute it.
    fn modified(&self, input: &Input, value: i32, on: &[AskedModifier]) -> i32 {
        let mine = || on.iter().filter(|one| one.by == input.by && input.rows.contains(&(one.row as u16)));
        let of = |to: ModifierTo| mine().map(|one| &self.modifiers[one.row]).filter(move |row| row.to == to);
        let sum = |to: ModifierTo| of(to).map(|row| row.add).sum::<i32>();
        if input.ladder.is_none() {
            return (value + input.sign * mine().map(|one| self.modifiers[one.row].add).sum::<i32>())
                .clamp(input.min, input.max);
        }
        let first = |to: ModifierTo| of(to).next().map(|row| row.add);
        let base = value + sum(ModifierTo::Base);
        let dice = steps(base, first(ModifierTo::Cap), sum(ModifierTo::Less), first(ModifierTo::Divide));
        (dice + input.sign * sum(ModifierTo::Dice)).clamp(input.min, input.max)
    }

    /// The outcomes that these inputs can give, as indices into [`Roll::outcomes`], with their weights.
    #[must_use]
    pub fn weights(&self, inputs: &[i32; INPUTS_MAX]) -> Vec<(u16, u128)> {
        let at = self.at(inputs);
        at.classes().iter().copied().zip(at.odds().weights.iter().copied()).collect()
    }

    /// The maximum rounding error of a probability for these inputs.
    #[must_use]
    pub fn rounding(&self, inputs: &[i32; INPUTS_MAX]) -> f64 {
        self.at(inputs).rounding()
    }

    /// The most informative total of the roll, by name, with the weight of each value: the margin or the entry of a
    /// table if it has one, otherwise the first.
    ///
    /// # Errors
    /// The odds are too large to compute.
    pub fn main_total(&self, inputs: &[i32; INPUTS_MAX]) -> Result<(String, Vec<(i32, u128)>), RollError> {
        let names = self.mechanic.totals();
        let main = ["margin", "entry"].iter().find_map(|main| names.iter().position(|name| name == main));
        let main = main.unwrap_or(0);
        let all = self.mechanic.distribution(&inputs[..self.inputs.len()])?;
        let weights = all.into_iter().map(|(totals, weight)| (totals.get(main), weight)).collect();
        Ok((names.get(main).cloned().unwrap_or_default(), weights))
    }
}
