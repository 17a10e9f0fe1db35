//! Sites: the addresses of the dice of everything that rolls.

use super::checker::{Checker, at};
use crate::model::{AT_RANDOM, Mechanism, Phase, Site, Trigger};

/// The maximum number of sites: the purposes of dice in each half of the turn, except for the last, [`AT_RANDOM`].
const SITES_MAX: usize = AT_RANDOM.purpose as usize;

/// Hands out sites one after another.
#[derive(Default)]
pub(super) struct Sites {
    given: usize,
}

impl Sites {
    /// A site for something that is rolled mostly in this phase.
    pub(super) fn next(&mut self, home: usize) -> Site {
        let purpose = self.given.min(SITES_MAX - 1) as u8;
        self.given += 1;
        Site { purpose, home: home as u8 }
    }

    /// Reports that there are too many purposes.
    pub(super) fn check(&self, checker: &mut Checker<'_>) {
        if self.given > SITES_MAX {
            let message = format!("dice are rolled for {} purposes; the limit is {SITES_MAX}", self.given);
            let help = "each phase or reaction with a roll counts as one purpose, and so does each row of flight and each provision";
            checker.fault(&at!["phase"], message, Some(help));
        }
    }
}

/// The first phase whose mechanism meets `such`; the first of all phases if none does.
pub(super) fn home(phases: &[Phase], such: impl Fn(Mechanism) -> bool) -> usize {
    phases.iter().position(|phase| such(phase.mechanism)).unwrap_or(0)
}

/// The phase in which most triggers of a reaction occur.
pub(super) fn home_of(trigger: Trigger, phases: &[Phase]) -> usize {
    home(phases, |mechanism| match trigger {
        Trigger::Charged | Trigger::Threatened => mechanism == Mechanism::Charge,
        Trigger::TurnsInZone | Trigger::PivotsInZone | Trigger::FormsInZone => mechanism == Mechanism::Formation,
        Trigger::Losses => matches!(mechanism, Mechanism::Fire(_) | Mechanism::Volley(_)),
        Trigger::Beaten | Trigger::Struck | Trigger::Held | Trigger::Broken | Trigger::Won => {
            matches!(mechanism, Mechanism::Shock(_) | Mechanism::Onset(_))
        }
    })
}
