//! Dice with scripted faces.

use crate::{Address, Decision, Dice, Die, Faces, Shown};

/// A face in a script: its label, or its number counted from 1 in the die's order.
///
/// On a `d6` both are the same; on an averaging die, label `"3"` is the first face with a 3, and number 3 is the
/// third face.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pick {
    /// The first face with this label.
    Label(String),
    /// The face with this number, from 1.
    Number(usize),
}

/// Plays given faces, in order.
///
/// A script that does not fit the battle does not stop it: from the first fault on, every die shows its first face,
/// and [`Dice::fault`] describes the fault. It is a fault if the script is used up, if a die has no such face, or
/// if faces are left over at the end.
///
/// ```
/// use grognard_dice::{Dice, Script};
///
/// let dice = Script::new([6, 1]);
/// assert_eq!(dice.fault().as_deref(), Some("the script has 2 faces left: face 6, face 1"));
/// ```
#[derive(Clone, Debug)]
pub struct Script {
    faces: Vec<Pick>,
    next: usize,
    last: Vec<Shown>,
    wrong: Option<String>,
}

impl Script {
    /// Dice that will come up as these faces: numbers such as `6`, or labels such as `"heavy"`.
    ///
    /// ```
    /// use grognard_dice::{Pick, Script};
    ///
    /// assert_eq!(Script::new([6]).left(), [Pick::Number(6)]);
    /// assert_eq!(Script::new(["heavy"]).left(), [Pick::Label("heavy".to_owned())]);
    /// ```
    pub fn new<P: Into<Pick>>(faces: impl IntoIterator<Item = P>) -> Self {
        Self { faces: faces.into_iter().map(Into::into).collect(), next: 0, last: Vec::new(), wrong: None }
    }

    /// The faces not rolled yet.
    ///
    /// ```
    /// assert_eq!(grognard_dice::Script::new([6, 1]).left().len(), 2);
    /// ```
    #[must_use]
    pub fn left(&self) -> &[Pick] {
        &self.faces[self.next..]
    }

    /// The face of the next die, or the reason why there is none.
    fn next(&self, die: &Die, at: Address) -> Result<usize, String> {
        let number = nth(self.next + 1);
        let Some(pick) = self.faces.get(self.next) else {
            return Err(format!("the script is used up at the {number} die ({}), rolled for {at:?}", die.name));
        };
        let index = match pick {
            Pick::Number(face) => face.checked_sub(1).filter(|&index| index < die.faces.len()),
            Pick::Label(label) => die.faces.iter().position(|face| face.label == *label),
        };
        index.ok_or_else(|| {
            let labels: Vec<&str> = die.faces.iter().map(|face| face.label.as_str()).collect();
            let (pick, count) = (list(std::slice::from_ref(pick)), labels.len());
            let labels = labels.join(", ");
            let name = &die.name;
            format!(
                "the {number} die of the script is {pick}, but a {name} has {count} faces: {labels}; rolled for {at:?}"
            )
        })
    }
}

impl Dice for Script {
    fn decide(&mut self, at: Address, decision: &dyn Decision) -> usize {
        self.last.clear();
        decision.by_hand(&mut Reading { script: self, at })
    }

    fn shown(&mut self, _: Address, _: &dyn Decision, _: usize) -> Vec<Shown> {
        self.last.clone()
    }

    fn fault(&self) -> Option<String> {
        let left = || format!("the script has {} faces left: {}", self.left().len(), list(self.left()));
        self.wrong.clone().or_else(|| (!self.left().is_empty()).then(left))
    }
}

/// The script while one decision is played from it.
struct Reading<'a> {
    script: &'a mut Script,
    at: Address,
}

impl Faces for Reading<'_> {
    fn roll(&mut self, die: &Die) -> usize {
        if self.script.wrong.is_some() {
            return 0;
        }
        match self.script.next(die, self.at) {
            Ok(index) => {
                self.script.next += 1;
                self.script.last.push(Shown { die: die.name.clone(), label: die.faces[index].label.clone() });
                index
            }
            Err(fault) => {
                self.script.wrong = Some(fault);
                0
            }
        }
    }
}

/// A script for tests: plays given faces, and records the decisions.
///
/// It panics where [`Script`] continues: if the script is used up, if a die has no such face, if two decisions use
/// one address, and, in [`ScriptedDice::finish`], if faces are left over.
#[derive(Clone, Debug)]
pub struct ScriptedDice {
    script: Script,
    asked: Vec<(Address, usize)>,
}

impl ScriptedDice {
    /// Dice that will come up as these faces: numbers such as `6`, or labels such as `"heavy"`.
    pub fn new<P: Into<Pick>>(faces: impl IntoIterator<Item = P>) -> Self {
        Self { script: Script::new(faces), asked: Vec::new() }
    }

    /// The decisions taken so far, in order: their addresses and outcomes.
    #[must_use]
    pub fn asked(&self) -> &[(Address, usize)] {
        &self.asked
    }

    /// Ends the test.
    ///
    /// # Panics
    ///
    /// When faces are left over.
    pub fn finish(self) {
        if let Some(fault) = self.script.fault() {
            panic!("{fault}");
        }
    }
}

impl Dice for ScriptedDice {
    fn decide(&mut self, at: Address, decision: &dyn Decision) -> usize {
        if let Some(before) = self.asked.iter().position(|&(address, _)| address == at) {
            panic!("the {} decision already used the address {at:?}: both would share one word", nth(before + 1));
        }
        let outcome = self.script.decide(at, decision);
        if let Some(fault) = &self.script.wrong {
            panic!("{fault}");
        }
        self.asked.push((at, outcome));
        outcome
    }

    fn shown(&mut self, at: Address, decision: &dyn Decision, outcome: usize) -> Vec<Shown> {
        self.script.shown(at, decision, outcome)
    }
}

/// Dice for places where no dice may be rolled: panics when asked.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoDice;

impl Dice for NoDice {
    fn decide(&mut self, at: Address, _: &dyn Decision) -> usize {
        panic!("no dice may be rolled here, but {at:?} was requested");
    }

    fn shown(&mut self, _: Address, _: &dyn Decision, _: usize) -> Vec<Shown> {
        Vec::new()
    }
}

impl From<&str> for Pick {
    fn from(label: &str) -> Self {
        Self::Label(label.to_owned())
    }
}

impl From<String> for Pick {
    fn from(label: String) -> Self {
        Self::Label(label)
    }
}

impl From<usize> for Pick {
    fn from(number: usize) -> Self {
        Self::Number(number)
    }
}

impl From<i32> for Pick {
    /// A number below 1 is not a face of any die; the die that gets it reports the fault.
    fn from(number: i32) -> Self {
        Self::Number(usize::try_from(number).unwrap_or(0))
    }
}

fn list(picks: &[Pick]) -> String {
    let words: Vec<String> = picks
        .iter()
        .map(|pick| match pick {
            Pick::Label(label) => format!("{label:?}"),
            Pick::Number(number) => format!("face {number}"),
        })
        .collect();
    words.join(", ")
}

/// `1st`, `2nd`, `11th` and so on.
fn nth(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Sum, at};

    fn two_d6() -> Sum {
        Sum::of(vec![Die::numbered(6), Die::numbered(6)])
    }

    #[test]
    fn faces_come_up_in_order_and_what_was_asked_is_noted() {
        let mut dice = ScriptedDice::new([1, 2, 6, 6]);
        assert_eq!(dice.decide(at(0), &two_d6()), 1);
        assert_eq!(dice.decide(at(1), &two_d6()), 10);
        let shown = dice.shown(at(1), &two_d6(), 10);
        assert_eq!(shown, vec![Shown { die: "d6".into(), label: "6".into() }; 2]);
        assert_eq!(dice.asked(), [(at(0), 1), (at(1), 10)]);
        dice.finish();
    }

    #[test]
    fn a_label_is_the_first_face_that_bears_it_and_a_number_counts_faces() {
        let average = Sum::of(vec![Die::average()]);
        let mut labels = ScriptedDice::new(["2", "3", "4", "5"]);
        let by_label: Vec<usize> = (0..4).map(|nth| labels.decide(at(nth), &average)).collect();
        let mut numbers = ScriptedDice::new([1usize, 3, 5, 6]);
        let by_number: Vec<usize> = (0..4).map(|nth| numbers.decide(at(nth), &average)).collect();
        assert_eq!(by_label, [0, 1, 2, 3]);
        assert_eq!(by_number, by_label);
    }

    #[test]
    fn a_script_goes_on_after_a_fault_and_says_the_first() {
        let mut dice = Script::new([1, 7, 3]);
        assert_eq!(dice.decide(at(0), &two_d6()), 0, "a 1, and from then on 1");
        assert_eq!(dice.decide(at(1), &two_d6()), 0);
        let fault = dice.fault().expect("no die shows 7");
        assert!(fault.starts_with("the 2nd die of the script is face 7, but a d6 has 6 faces"), "{fault}");
        let mut short = Script::new([6]);
        short.decide(at(0), &two_d6());
        assert!(short.fault().expect("it is short").starts_with("the script is used up at the 2nd die (d6)"));
        let mut whole = Script::new([6, 6]);
        assert_eq!(whole.decide(at(0), &two_d6()), 10);
        assert_eq!(whole.fault(), None);
    }

    #[test]
    #[should_panic(expected = "the script is used up at the 4th die (d6), rolled for Address { turn: 1")]
    fn a_script_too_short_says_where() {
        let mut dice = ScriptedDice::new([1, 2, 3]);
        dice.decide(at(0), &two_d6());
        dice.decide(at(1), &two_d6());
    }

    #[test]
    #[should_panic(expected = "the 2nd die of the script is face 7, but a d6 has 6 faces: 1, 2, 3, 4, 5, 6")]
    fn a_face_the_die_has_not_says_which_it_has() {
        ScriptedDice::new([1, 7]).decide(at(0), &two_d6());
    }

    #[test]
    #[should_panic(expected = "the 1st die of the script is \"heavy\", but a d6 has 6 faces")]
    fn a_label_the_die_has_not_says_which_it_has() {
        ScriptedDice::new(["heavy"]).decide(at(0), &two_d6());
    }

    #[test]
    #[should_panic(expected = "the script has 2 faces left: face 3, face 4")]
    fn faces_left_over_fail() {
        let mut dice = ScriptedDice::new([1, 2, 3, 4]);
        dice.decide(at(0), &two_d6());
        dice.finish();
    }

    #[test]
    #[should_panic(expected = "the 1st decision already used the address")]
    fn an_address_used_twice_is_found() {
        let mut dice = ScriptedDice::new([1, 2, 3, 4]);
        dice.decide(at(0), &two_d6());
        dice.decide(at(0), &two_d6());
    }

    #[test]
    #[should_panic(expected = "no dice may be rolled here")]
    fn no_dice_means_none() {
        NoDice.decide(at(0), &two_d6());
    }

    #[test]
    fn ordinals_read_as_english_does() {
        let read: Vec<String> = [1, 2, 3, 4, 11, 12, 13, 21, 102, 113].into_iter().map(nth).collect();
        assert_eq!(read, ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "113th"]);
    }
}
