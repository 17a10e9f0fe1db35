//! Triggers: chains of effects must come to an end.

use std::sync::Arc;

use super::checker::{Checker, at};
use crate::model::{ByteId, Effect, Reaction, Roll, Trigger};

/// Reports reactions that could set each other off endlessly.
pub(super) fn refuse_circles(checker: &mut Checker<'_>, reactions: &[Reaction], rolls: &[Arc<Roll>]) {
    for (index, reaction) in reactions.iter().enumerate() {
        let mut reached = vec![false; reactions.len()];
        let mut open = vec![index];
        while let Some(from) = open.pop() {
            for trigger in set_off_by(&reactions[from], rolls) {
                for (next, other) in reactions.iter().enumerate() {
                    if other.on == trigger && !std::mem::replace(&mut reached[next], true) {
                        open.push(next);
                    }
                }
            }
        }
        if reached[index] {
            let message = format!("reaction `{}` can set itself off again", reaction.id);
            checker.fault(
                &at!["reaction", reaction.id, "on"],
                message,
                Some("remove `sets-off` from one of the effects"),
            );
        }
    }
}

fn set_off_by(reaction: &Reaction, rolls: &[Arc<Roll>]) -> Vec<Trigger> {
    let of = |own: &Effect, foe: &Effect| [own.sets_off, foe.sets_off].into_iter().flatten().collect::<Vec<_>>();
    let mut triggers = of(&reaction.own, &reaction.foe);
    if let Some(roll) = reaction.roll.and_then(|roll| rolls.get(roll.index())) {
        triggers.extend(roll.outcomes.iter().flat_map(|outcome| of(&outcome.own, &outcome.foe)));
    }
    triggers
}
