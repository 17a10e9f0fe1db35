//! Rolling at or under a target.
//!
//! Example: a commander's order is obeyed if 2d6 show at most his command value; if they show at least two less than
//! that, it is obeyed twice.

use grognard_dice::Faces;

use super::hand::Thrown;
use super::natural::decided;
use super::totals::Draft;
use super::weights::{Budget, Key};
use super::{Amount, Hand, Procedure, RollError, Totals, names};

/// A total against a target. Totals: `roll`, `target`, `margin` (target minus roll: 0 or more is a success), then
/// `natural` and `doubles` (1 or 0) if requested. The margin of a natural success is at least 0, that of a natural
/// failure at most -1.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Under {
    /// The dice.
    pub hand: Hand,
    /// The number that must not be exceeded.
    pub target: Amount,
    /// Whether the total `natural` is requested: the result of the dice before [`Hand::plus`].
    pub natural: bool,
    /// Whether the total `doubles` is requested: all dice, two or more, show the same value. For plain sums only.
    pub doubles: bool,
}

impl Under {
    fn read(&self, thrown: Thrown, inputs: &[i32]) -> Draft {
        let target = i64::from(self.target.at(inputs));
        let margin = decided(target - thrown.total, thrown.verdict, 0);
        let draft = Draft::of(&[thrown.total, target, margin]).and_if(self.natural, thrown.natural);
        draft.and_if(self.doubles, thrown.doubles.into())
    }
}

impl Procedure for Under {
    fn totals(&self) -> Vec<String> {
        let mut totals = names(["roll", "target", "margin"]);
        totals.extend(self.natural.then(|| "natural".to_owned()));
        totals.extend(self.doubles.then(|| "doubles".to_owned()));
        totals
    }

    fn amounts(&self) -> Vec<Amount> {
        self.hand.amounts().chain([self.target]).collect()
    }

    fn compared(&self, reads: u8) -> Option<[Amount; 2]> {
        // The margin, the result before modifiers, and doubles.
        (reads & 0b11 == 0).then_some([self.target, self.hand.plus])
    }

    fn check(&self) -> Result<(), RollError> {
        self.hand.check()?;
        if self.doubles { self.hand.check_doubles() } else { Ok(()) }
    }

    fn work_out(&self, inputs: &[i32], budget: &mut Budget) -> Result<Vec<(Totals, u128)>, RollError> {
        let throws = self.hand.throws(self.doubles, inputs, budget)?;
        budget.note([&throws]);
        let entry = |&(key, weight): &(Key, u128)| {
            Ok((self.read(self.hand.thrown(key, inputs), inputs).fit(|| self.totals())?, weight))
        };
        throws.entries().iter().map(entry).collect()
    }

    fn by_hand(&self, inputs: &[i32], faces: &mut dyn Faces) -> Totals {
        self.read(self.hand.by_hand(inputs, faces), inputs).clamped()
    }
}
