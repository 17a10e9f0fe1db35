//! The player of a side: the doctrine that its units follow.

use grognard_rules::model::{DEFAULT_PLAYER, RANDOM_PLAYER, Rules};

use crate::deploy::plan::{Misdeployment, SidePlan, listed, unknown};

impl SidePlan {
    /// Whether this player can lead the side in place of its doctrine: anybody can choose at random, others are those that its doctrine
    /// lists.
    #[must_use]
    pub fn has_player(&self, rules: &Rules, player: &str) -> bool {
        let doctrine = self.doctrine.as_deref().map_or(Some(0), |name| rules.doctrine(name));
        let listed =
            |doctrine: u8| rules.doctrines[usize::from(doctrine)].players.iter().any(|(name, _)| name == player);
        player == RANDOM_PLAYER || doctrine.is_some_and(listed)
    }

    /// The side under the doctrine whose orders its perfect player chooses from; none if these are the orders of the doctrine that it
    /// follows.
    #[must_use]
    pub fn at_best(&self, rules: &Rules) -> Option<Self> {
        let followed = doctrine_of(rules, self, &mut Vec::new());
        let best = rules.doctrines[usize::from(followed)].best.filter(|_| !is_random(self))?;
        let doctrine = Some(rules.doctrines[usize::from(best)].id.clone());
        Some(Self { doctrine, player: None, ..self.clone() })
    }
}

/// Whether a side chooses at random.
pub(super) fn is_random(side: &SidePlan) -> bool {
    side.player.as_deref() == Some(RANDOM_PLAYER)
}

/// The doctrine that a side's units follow: that of its player, if the side's doctrine has such a player.
pub(super) fn doctrine_of(rules: &Rules, side: &SidePlan, faults: &mut Vec<Misdeployment>) -> u8 {
    let doctrine = named(rules, side, faults);
    let player = match side.player.as_deref() {
        None | Some(DEFAULT_PLAYER | RANDOM_PLAYER) => return doctrine,
        Some(player) => player,
    };
    let players = &rules.doctrines[usize::from(doctrine)].players;
    players.iter().find(|(name, _)| name == player).map_or_else(
        || {
            let others = players.iter().map(|(name, _)| name.as_str());
            let names: Vec<&str> = [DEFAULT_PLAYER, RANDOM_PLAYER].into_iter().chain(others).collect();
            faults.push(unknown(format!("{}.player", side.name), "player", player, &names));
            doctrine
        },
        |&(_, place)| place,
    )
}

/// The doctrine that a side names.
fn named(rules: &Rules, side: &SidePlan, faults: &mut Vec<Misdeployment>) -> u8 {
    let names = || rules.doctrines.iter().map(|doctrine| doctrine.id.as_str()).collect::<Vec<_>>();
    match &side.doctrine {
        Some(name) => rules.doctrine(name).unwrap_or_else(|| {
            let mut fault = unknown(format!("{}.doctrine", side.name), "doctrine", name, &names());
            if let [only] = &*rules.doctrines
                && only.choices.iter().flatten().all(Option::is_none)
                && only.phases.iter().all(|decisions| decisions.rows.is_empty())
            {
                fault.help = Some(format!("the pack {} has no doctrines: leave `doctrine` out", rules.name));
            }
            faults.push(fault);
            0
        }),
        None => {
            if rules.doctrines.len() > 1 {
                faults.push(Misdeployment {
                    path: side.name.clone(),
                    message: format!("side `{}` has no doctrine", side.name),
                    help: Some(format!("`doctrine` is one of {}", listed(&names()))),
                });
            }
            0
        }
    }
}
