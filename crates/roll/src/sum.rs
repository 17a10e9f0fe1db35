//! Plain totals: the pack's result rows define the meaning of each total.
//!
//! Example: a morale check of one die that passes on 4 or more with its modifiers.

use grognard_dice::Faces;

use super::hand::Thrown;
use super::totals::Draft;
use super::weights::{Budget, Key};
use super::{Amount, Hand, Procedure, RollError, Totals};

/// One hand of dice. Totals: `roll`, then `natural` and `doubles` (1 or 0) if requested.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sum {
    /// The dice.
    pub hand: Hand,
    /// Whether the total `natural` is requested: the result of the dice before [`Hand::plus`].
    pub natural: bool,
    /// Whether the total `doubles` is requested: all dice, two or more, show the same value. For plain sums only.
    pub doubles: bool,
}

impl Sum {
    /// The roll alone.
    #[must_use]
    pub fn new(hand: Hand) -> Self {
        Self { hand, natural: false, doubles: false }
    }

    fn read(&self, thrown: Thrown) -> Draft {
        let Thrown { natural, total, doubles, .. } = thrown;
        Draft::of(&[total]).and_if(self.natural, natural).and_if(self.doubles, doubles.into())
    }
}

impl Procedure for Sum {
    fn totals(&self) -> Vec<String> {
        let asked = [("roll", true), ("natural", self.natural), ("doubles", self.doubles)];
        asked.into_iter().filter(|&(_, asked)| asked).map(|(name, _)| name.to_owned()).collect()
    }

    fn amounts(&self) -> Vec<Amount> {
        self.hand.amounts().collect()
    }

    fn check(&self) -> Result<(), RollError> {
        self.hand.check()?;
        self.hand.check_no_verdict()?;
        if self.doubles { self.hand.check_doubles() } else { Ok(()) }
    }

    fn work_out(&self, inputs: &[i32], budget: &mut Budget) -> Result<Vec<(Totals, u128)>, RollError> {
        let throws = self.hand.throws(self.doubles, inputs, budget)?;
        budget.note([&throws]);
        let entry = |&(key, weight): &(Key, u128)| {
            Ok((self.read(self.hand.thrown(key, inputs)).fit(|| self.totals())?, weight))
        };
        throws.entries().iter().map(entry).collect()
    }

    fn by_hand(&self, inputs: &[i32], faces: &mut dyn Faces) -> Totals {
        self.read(self.hand.by_hand(inputs, faces)).clamped()
    }
}
