//! The player of a side: the doctrine that its units follow.

use grognard_rules::model::{BEST_PLAYER, DEFAULT_PLAYER, DoctrineId, RANDOM_PLAYER, Rules};

use crate::deploy::plan::{Misdeployment, SidePlan, listed, unknown};

impl SidePlan {
    /// Whether this player can lead the side. The random player can lead any side. Otherwise, the side's doctrine must
    /// list the player, or another doctrine must list the side's doctrine for the player.
    #[must_use]
    pub fn has_player(&self, rules: &Rules, player: &str) -> bool {
        player == RANDOM_PLAYER || self.doctrine_at(rules).is_some_and(|place| followed(rules, place, player).is_some())
    }

    /// Whether this player can lead the side and gives different orders from its doctrine.
    #[must_use]
    pub fn is_changed_by(&self, rules: &Rules, player: &str) -> bool {
        let follows = |place: DoctrineId| followed(rules, place, player).is_some_and(|other| other != place);
        player == RANDOM_PLAYER || self.doctrine_at(rules).is_some_and(follows)
    }

    /// The index of the side's doctrine in the pack; `None` if there is no such doctrine.
    fn doctrine_at(&self, rules: &Rules) -> Option<DoctrineId> {
        self.doctrine.as_deref().map_or(Some(DoctrineId::FIRST), |name| rules.doctrine(name))
    }

    /// The side with the doctrine from which its perfect player chooses orders; `None` if the side already follows that
    /// doctrine.
    #[must_use]
    pub fn at_best(&self, rules: &Rules) -> Option<Self> {
        let followed = doctrine_of(rules, self, &mut Vec::new());
        let best = rules.doctrines[followed].best.filter(|_| !is_random(self))?;
        let doctrine = Some(rules.doctrines[best].id.clone());
        Some(Self { doctrine, player: None, ..self.clone() })
    }
}

/// Whether a side chooses at random.
pub(super) fn is_random(side: &SidePlan) -> bool {
    side.player.as_deref() == Some(RANDOM_PLAYER)
}

/// The doctrine that a side's units follow: that of its player, if the side's doctrine has such a player.
pub(super) fn doctrine_of(rules: &Rules, side: &SidePlan, faults: &mut Vec<Misdeployment>) -> DoctrineId {
    let doctrine = named(rules, side, faults);
    let player = match side.player.as_deref() {
        None | Some(DEFAULT_PLAYER | RANDOM_PLAYER) => return doctrine,
        Some(player) => player,
    };
    followed(rules, doctrine, player).unwrap_or_else(|| {
        let path = format!("{}.player", side.name);
        faults.push(match player {
            BEST_PLAYER => Misdeployment {
                path,
                message: format!("`{player}` is perfect play, which is computed, not simulated"),
                help: Some(
                    "`grognard best` computes its worth in these cells, and `players = [\"best\"]` in [report] shows it next to the \
                     results; to fight battles, describe it with `grognard best --words`, and list that doctrine among the `players` \
                     of the side's doctrine"
                        .to_owned(),
                ),
            },
            _ => unknown(path, "player", player, &players_of(rules, doctrine)),
        });
        doctrine
    })
}

/// The doctrine that a player of `doctrine` follows: the one listed for him, or `doctrine` itself if another doctrine
/// lists it for him. `None` if `doctrine` has no such player.
fn followed(rules: &Rules, doctrine: DoctrineId, player: &str) -> Option<DoctrineId> {
    let listed = |place: DoctrineId| rules.doctrines[place].players.iter().filter(|(name, _)| name == player);
    let own = listed(doctrine).map(|&(_, place)| place).next();
    let is_his = || rules.doctrines.ids().flat_map(listed).any(|&(_, place)| place == doctrine);
    own.or_else(|| is_his().then_some(doctrine))
}

/// The names of all players of a doctrine, without duplicates.
fn players_of(rules: &Rules, doctrine: DoctrineId) -> Vec<&str> {
    let mut names = vec![DEFAULT_PLAYER, RANDOM_PLAYER];
    for (name, _) in rules.doctrines.iter().flat_map(|doctrine| &doctrine.players) {
        if !names.contains(&name.as_str()) && followed(rules, doctrine, name).is_some() {
            names.push(name);
        }
    }
    names
}

/// The doctrine that a side names.
fn named(rules: &Rules, side: &SidePlan, faults: &mut Vec<Misdeployment>) -> DoctrineId {
    let names = || rules.doctrines.iter().map(|doctrine| doctrine.id.as_str()).collect::<Vec<_>>();
    match &side.doctrine {
        Some(name) => rules.doctrine(name).unwrap_or_else(|| {
            let mut fault = unknown(format!("{}.doctrine", side.name), "doctrine", name, &names());
            if let [only] = &**rules.doctrines
                && only.choices.iter().flatten().all(Option::is_none)
                && only.phases.iter().all(|decisions| decisions.rows.is_empty())
            {
                fault.help = Some(format!("the pack {} has no doctrines: omit `doctrine`", rules.name));
            }
            faults.push(fault);
            DoctrineId::FIRST
        }),
        None => {
            if rules.doctrines.len() > 1 {
                faults.push(Misdeployment {
                    path: side.name.clone(),
                    message: format!("side `{}` has no doctrine", side.name),
                    help: Some(format!("`doctrine` is one of {}", listed(&names()))),
                });
            }
            DoctrineId::FIRST
        }
    }
}
