//! Groups of dice: a hand of a pool whose dice differ in number, need or consequences.

use super::inputs::Number;
use super::mechanic::{DICE_MAX, Maker, explode};
use super::pool::Goes;
use crate::compile::checker::at;
use crate::model::Contestant;
use crate::wire::{GroupWire, IntOrExpr};
use grognard_roll::{Amount, Stage};

impl Maker<'_, '_, '_> {
    /// Reports keys of a hand that belong to its groups instead.
    pub(super) fn refuse_with_groups(&mut self) {
        let (own, at) = (&self.wire.own, self.at(Contestant::Own));
        let given = [
            (own.count.is_some(), "count"),
            (own.most.is_some(), "most"),
            (own.read.is_some(), "read"),
            (own.keep.is_some(), "keep"),
            (own.add.is_some(), "add"),
        ];
        for (_, key) in given.into_iter().filter(|&(given, _)| given) {
            let help = "move it into the groups if they can have this key, or omit it";
            self.checker.fault(
                &at.join(key),
                format!("dice in `groups` have no `{key}` outside the groups"),
                Some(help),
            );
        }
        self.single_die(&at, &own.dice, "a group of dice");
        let needs = |group: &GroupWire| group.need.is_some() || !group.success.is_empty();
        let all = |has: fn(&GroupWire) -> bool| own.groups.iter().all(has);
        let unused = [
            ("need", own.need.is_some() && all(needs)),
            ("success", !own.success.is_empty() && all(needs)),
            ("natural", own.natural.is_some() && all(|group| group.natural.is_some())),
            ("reroll", own.reroll.is_some() && all(|group| group.reroll.is_some())),
            ("explode", own.explode.is_some() && all(|group| group.explode.is_some())),
            ("counts", own.counts.is_some() && all(|group| group.counts.is_some())),
            ("to", own.to.is_some() && all(|group| group.to.is_some())),
            ("branch", !own.branch.is_empty() && all(|group| !group.branch.is_empty())),
        ];
        for (key, unused) in unused {
            if unused {
                let message = format!("no group uses this `{key}`: each has its own");
                self.checker.fault(&at.join(key), message, Some("omit it here or in one of the groups"));
            }
        }
        if self.wire.models.is_some() && self.wire.stage.is_empty() {
            let help =
                "add a stage that all hits go through, such as `{ id = \"damage\", dice = \"d3\", read = \"sum\" }`";
            let message = "the groups hit in no particular order, so it is unclear which hits fall on the same model";
            self.checker.fault(&at!["roll", self.id, "models"], message, Some(help));
        }
    }

    /// A group of dice, and the number of its dice.
    pub(super) fn group(&mut self, group: &GroupWire, index: usize) -> Option<(Amount, Stage)> {
        let (own, whole) = (&self.wire.own, self.at(Contestant::Own));
        let at = whole.join("groups").join(group.id.clone());
        let (text, die_at) = group.dice.as_ref().map_or((&own.dice, &whole), |dice| (dice, &at));
        let die = self.single_die(die_at, text, "a group of dice")?;
        let number = Number {
            name: "dice",
            by: Contestant::Own,
            given: Some(&group.count),
            default: 0,
            at: at.join("count"),
            modified: None,
            limits: (0, group.most.map_or(DICE_MAX, i32::from)),
            cut: (true, group.most.is_some()),
        };
        let count = self.inputs.amount(self.checker, &number);
        let (need, success, need_at) = match group.need.is_some() || !group.success.is_empty() {
            true => (group.need.as_ref(), &group.success, &at),
            false => (own.need.as_ref(), &own.success, &whole),
        };
        let need = self.need(Contestant::Own, need, success, need_at, true)?;
        let (reroll, reroll_at) = group.reroll.as_ref().map_or((own.reroll.as_ref(), &whole), |own| (Some(own), &at));
        let reroll = self.reroll(reroll, reroll_at);
        let (natural, natural_at) =
            group.natural.as_ref().map_or((own.natural.as_ref(), &whole), |own| (Some(own), &at));
        let natural = self.natural(natural, success, natural_at);
        let repeats = explode(group.explode.as_ref().or(own.explode.as_ref()));
        let hand = self.successes(die, need, reroll, natural, repeats, natural_at);
        let goes = Goes {
            counts: group.counts.as_ref().map_or((own.counts.as_ref(), &whole), |counts| (Some(counts), &at)),
            to: group.to.as_ref().map_or((own.to.as_ref(), &whole), |to| (Some(to), &at)),
            branch: if group.branch.is_empty() { (&own.branch, &whole) } else { (&group.branch, &at) },
            saves: false,
        };
        let mut stage = self.with_goals(hand, index, &goes);
        stage.name.clone_from(&group.id);
        let has_dice = match &group.count {
            IntOrExpr::Formula(count) => Some(format!("({count}) > 0")),
            IntOrExpr::Number(_) => None,
        };
        self.cite_under(has_dice.as_deref(), &at, &group.cite, group.note.as_ref());
        Some((count, stage))
    }
}
