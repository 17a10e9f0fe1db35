//! Opposed rolls: each side throws its hand, and the totals are compared.
//!
//! Examples: both roll a die and add their factors, and a table gives the result for a margin of 3; each counts
//! dice of 4 or more, more hits win, and ties go to the defender.

use grognard_dice::Faces;

use super::hand::Thrown;
use super::natural::decided;
use super::totals::Draft;
use super::weights::Budget;
use super::{Amount, Hand, Procedure, RollError, Totals, names};

/// The rolling side's hand against the foe's. Totals: `own`, `foe`, `margin` (own minus foe), then `own_natural` and
/// `foe_natural` if requested.
///
/// The margin is at least 1 if the rolling side has a natural success or the foe a natural failure, and at most -1 the
/// other way round. If both sides have an equal claim, it is unchanged. By hand, the rolling side's dice are rolled
/// first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Opposed {
    /// The dice of the side that rolls.
    pub own: Hand,
    /// The dice of the other side.
    pub foe: Hand,
    /// Whether the result of each side's dice before [`Hand::plus`] is requested.
    pub naturals: bool,
}

impl Opposed {
    fn read(&self, own: Thrown, foe: Thrown) -> Draft {
        let margin = decided(own.total - foe.total, own.verdict - foe.verdict, 1);
        let draft = Draft::of(&[own.total, foe.total, margin]);
        draft.and_if(self.naturals, own.natural).and_if(self.naturals, foe.natural)
    }
}

impl Procedure for Opposed {
    fn totals(&self) -> Vec<String> {
        let mut totals = names(["own", "foe", "margin"]);
        if self.naturals {
            totals.extend(names(["own_natural", "foe_natural"]));
        }
        totals
    }

    fn amounts(&self) -> Vec<Amount> {
        self.own.amounts().chain(self.foe.amounts()).collect()
    }

    fn compared(&self, reads: u8) -> Option<[Amount; 2]> {
        // The margin, and results before modifiers.
        (reads & 0b11 == 0).then_some([self.own.plus, self.foe.plus])
    }

    fn check(&self) -> Result<(), RollError> {
        self.own.check()?;
        self.foe.check()
    }

    fn work_out(&self, inputs: &[i32], budget: &mut Budget) -> Result<Vec<(Totals, u128)>, RollError> {
        let own = self.own.throws(false, inputs, budget)?;
        let foe = self.foe.throws(false, inputs, budget).map_err(|error| error.of_foe())?;
        // If the product of the sums of weights fits, so does every product of weights.
        let (own, foe) = own.beside(&foe);
        budget.note([&own, &foe]);
        let products = own.entries().len().saturating_mul(foe.entries().len());
        budget.spend(products).map_err(|_| RollError::TooMuchWork)?;
        let mut entries = Vec::with_capacity(products);
        for &(own, own_weight) in own.entries() {
            let own = self.own.thrown(own, inputs);
            for &(foe, foe_weight) in foe.entries() {
                let draft = self.read(own, self.foe.thrown(foe, inputs));
                entries.push((draft.fit(|| self.totals())?, own_weight * foe_weight));
            }
        }
        Ok(entries)
    }

    fn by_hand(&self, inputs: &[i32], faces: &mut dyn Faces) -> Totals {
        let own = self.own.by_hand(inputs, faces);
        let foe = self.foe.by_hand(inputs, faces);
        self.read(own, foe).clamped()
    }
}
