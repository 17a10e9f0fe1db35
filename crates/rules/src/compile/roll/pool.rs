//! Pools: what each stage throws, where its successes go, and the models that take the hits.

use grognard_dice::Die;

use super::dice;
use super::inputs::Number;
use super::mechanic::{ADDED_MAX, DICE_MAX, Maker, explode};
use super::results;
use crate::compile::checker::at;
use crate::model::Contestant;
use crate::wire::{
    BranchWire, CiteWhenWire, CiteWire, FaceWire, GroupWire, IntOrExpr, KeepName, KeepWire, ModifierTo, NaturalWire,
    ReadName, RerollWire, StageWire,
};
use grognard_expr::Kind as ExprKind;
use grognard_roll::{
    Amount, Branch, Explode, Goal, Hand, Keep, Kind, Mechanic, Models, Natural, Need, Pool, Read, Reroll, Rerolled,
    RollError, Stage,
};
use grognard_source::Path;

/// The most successes that one die counts as, and the most wounds of a model.
const COUNTS_MAX: i32 = 100;

/// What a die does when it succeeds.
struct Goes<'w> {
    counts: Option<&'w IntOrExpr>,
    to: Option<&'w String>,
    branch: &'w [BranchWire],
    /// Whether a lower score succeeds.
    saves: bool,
}

/// The parts of a hand that is read as a number.
struct NumberWire<'w> {
    read: ReadName,
    keep: Option<&'w KeepWire>,
    reroll: Option<&'w RerollWire>,
    explode: Option<Explode>,
    add: Option<&'w IntOrExpr>,
}

impl Maker<'_, '_, '_> {
    pub(super) fn pool(&mut self) -> Option<Mechanic> {
        let wire = self.wire;
        let (mut dice, mut stages) = (Vec::new(), Vec::new());
        if wire.own.groups.is_empty() {
            let (count, stage) = self.only_hand()?;
            dice.push(count);
            stages.push(stage);
        } else {
            self.refuse_with_groups();
        }
        for (index, group) in wire.own.groups.iter().enumerate() {
            let (count, stage) = self.group(group, index)?;
            dice.push(count);
            stages.push(stage);
        }
        for stage in &wire.stage {
            stages.push(self.stage(stage, stages.len())?);
        }
        let models = self.models().filter(|_| wire.own.groups.is_empty() || !wire.stage.is_empty());
        let natural = wire.own.natural.is_some() || wire.own.groups.iter().any(|group| group.natural.is_some());
        let criticals = natural && ["criticals", "fumbles"].iter().any(|name| results::read(wire, name));
        Some(Mechanic::Pool(Pool { dice, stages, stage_totals: false, criticals, models }))
    }

    /// The dice of a pool that has no groups.
    fn only_hand(&mut self) -> Option<(Amount, Stage)> {
        let own = &self.wire.own;
        let at = self.at(Contestant::Own);
        let repeats = explode(own.explode.as_ref());
        let (dice, hand) = match own.read.filter(|&read| read != ReadName::Successes) {
            None => {
                self.refuse_in_hand(own, &at, own.keep.is_some(), "keep");
                self.refuse_in_hand(own, &at, own.add.is_some(), "add");
                let kinds = self.kinds(Contestant::Own)?;
                let help = "dice of several kinds are `groups`";
                let [Kind { die, count }] = <[Kind; 1]>::try_from(kinds)
                    .map_err(|_| self.checker.fault(&at.join("dice"), "a pool needs dice of a single kind", Some(help)))
                    .ok()?;
                let need = self.need(Contestant::Own, own.need.as_ref(), &own.success, &at, true)?;
                let reroll = self.reroll(own.reroll.as_ref(), &at);
                let natural = self.natural(own.natural.as_ref(), &own.success, &at);
                (count, self.successes(die, need, reroll, natural, repeats, &at))
            }
            Some(read) => {
                self.refuse_success(&at, own.need.as_ref(), &own.success, own.natural.as_ref());
                let kinds = self.kinds(Contestant::Own)?;
                let (keep, reroll, add) = (own.keep.as_ref(), own.reroll.as_ref(), own.add.as_ref());
                let number = NumberWire { read, keep, reroll, explode: repeats, add };
                (Amount::fixed(1), self.number(kinds, number, &at, true))
            }
        };
        let goes = Goes { counts: own.counts.as_ref(), to: own.to.as_ref(), branch: &own.branch, saves: false };
        Some((dice, self.with_goals(hand, 0, &goes, &at)))
    }

    /// Reports keys of a hand that its groups have instead.
    fn refuse_with_groups(&mut self) {
        let (own, at) = (&self.wire.own, self.at(Contestant::Own));
        let given = [
            (own.count.is_some(), "count"),
            (own.most.is_some(), "most"),
            (own.read.is_some(), "read"),
            (own.keep.is_some(), "keep"),
            (own.add.is_some(), "add"),
        ];
        for (_, key) in given.into_iter().filter(|&(given, _)| given) {
            let help = "give it to the groups if they have such a key, or leave it out";
            self.checker.fault(&at.join(key), format!("a hand of groups has no `{key}` of its own"), Some(help));
        }
        if self.wire.models.is_some() && self.wire.stage.is_empty() {
            let help =
                "add a stage that all hits go through, such as `{ id = \"damage\", dice = \"d3\", read = \"sum\" }`";
            let message = "the groups hit in no order, so it is open which hits fall on the same model";
            self.checker.fault(&at!["roll", self.id, "models"], message, Some(help));
        }
    }

    /// A group of dice, and how many it has.
    fn group(&mut self, group: &GroupWire, index: usize) -> Option<(Amount, Stage)> {
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
        let (branch, goes_at) = if group.branch.is_empty() { (&own.branch, &whole) } else { (&group.branch, &at) };
        let counts = group.counts.as_ref().or(own.counts.as_ref());
        let goes = Goes { counts, to: group.to.as_ref().or(own.to.as_ref()), branch, saves: false };
        let mut stage = self.with_goals(hand, index, &goes, goes_at);
        stage.name.clone_from(&group.id);
        let has_dice = match &group.count {
            IntOrExpr::Formula(count) => Some(format!("({count}) > 0")),
            IntOrExpr::Number(_) => None,
        };
        let cite: Vec<CiteWire> = group.cite.iter().map(|cite| under(cite, has_dice.as_ref())).collect();
        let source = self.checker.source(&at, &cite, group.note.as_ref());
        self.cite.extend(source.cite);
        Some((count, stage))
    }

    fn stage(&mut self, stage: &StageWire, index: usize) -> Option<Stage> {
        let at = at!["roll", self.id, "stage", stage.id];
        let repeats = explode(stage.explode.as_ref());
        let hand = match stage.read.filter(|&read| read != ReadName::Successes) {
            None => {
                for (given, key) in [(stage.keep.is_some(), "keep"), (stage.add.is_some(), "add")] {
                    if given {
                        let help = "add `read = \"sum\"` or `read = \"highest\"`, or leave it out";
                        let message = format!("dice that succeed one by one have no `{key}`");
                        self.checker.fault(&at.join(key), message, Some(help));
                    }
                }
                let die = self.single_die(&at, &stage.dice, "a stage")?;
                let need = self.stage_need(stage, &at)?;
                let reroll = self.reroll(stage.reroll.as_ref(), &at);
                let natural = self.natural(stage.natural.as_ref(), &stage.success, &at);
                let hand = self.successes(die, need, reroll, natural, repeats, &at);
                if stage.save.is_some() { turned(hand) } else { hand }
            }
            Some(read) => {
                self.refuse_success(
                    &at,
                    stage.need.as_ref().or(stage.save.as_ref()),
                    &stage.success,
                    stage.natural.as_ref(),
                );
                let parsed = dice::parse(self.checker, &at.join("dice"), &stage.dice, self.dice)?;
                let kind = |(die, count): (Die, Option<u16>)| Kind { die, count: i32::from(count.unwrap_or(1)).into() };
                let (keep, reroll, add) = (stage.keep.as_ref(), stage.reroll.as_ref(), stage.add.as_ref());
                let number = NumberWire { read, keep, reroll, explode: repeats, add };
                self.number(parsed.into_iter().map(kind).collect(), number, &at, false)
            }
        };
        let (counts, to) = (stage.counts.as_ref(), stage.to.as_ref());
        let goes = Goes { counts, to, branch: &stage.branch, saves: stage.save.is_some() };
        let mut made = self.with_goals(hand, index, &goes, &at);
        made.name.clone_from(&stage.id);
        Some(made)
    }

    /// What a die of a stage needs: with `save`, less than saves it.
    fn stage_need(&mut self, stage: &StageWire, at: &Path) -> Option<Need> {
        let Some(save) = &stage.save else {
            return self.need(Contestant::Own, stage.need.as_ref(), &stage.success, at, false);
        };
        if stage.need.is_some() || !stage.success.is_empty() {
            let message = "`save` excludes `need` and `success`";
            self.checker.fault(&at.join("save"), message, Some("give the one or the other"));
        }
        let save = self.plain("save", Some(save), 0, at, (-ADDED_MAX, ADDED_MAX));
        Some(Need::AtMost(save.plus(-1)))
    }

    /// A number that modifiers do not change.
    fn plain(
        &mut self,
        key: &'static str,
        given: Option<&IntOrExpr>,
        default: i32,
        at: &Path,
        limits: (i32, i32),
    ) -> Amount {
        let (by, at) = (Contestant::Own, at.join(key));
        if let Some(&IntOrExpr::Number(value)) = given
            && !(limits.0..=limits.1).contains(&value)
        {
            let help = format!("give {} to {}", limits.0, limits.1);
            self.checker.fault(&at, format!("`{key}` cannot be {value}"), Some(&help));
            return Amount::fixed(value.clamp(limits.0, limits.1));
        }
        let number = Number { name: key, by, given, default, at, modified: None, limits, cut: (false, false) };
        self.inputs.amount(self.checker, &number)
    }

    fn single_die(&mut self, at: &Path, text: &str, what: &str) -> Option<Die> {
        let mut parsed = dice::parse(self.checker, &at.join("dice"), text, self.dice)?;
        if parsed.len() != 1 || parsed[0].1.is_some() {
            let help = match what {
                "a stage" => "name a single die; dice that are added up also need `read = \"sum\"`",
                _ => "name a single die, and the number of dice in `count`",
            };
            self.checker.fault(&at.join("dice"), format!("{what} needs one die, such as `d6`"), Some(help));
            return None;
        }
        Some(parsed.remove(0).0)
    }

    /// One die that succeeds or not.
    fn successes(
        &mut self,
        die: Die,
        need: Need,
        reroll: Option<Reroll>,
        natural: Natural,
        explode: Option<Explode>,
        at: &Path,
    ) -> Hand {
        let mut hand = Hand { reroll, natural, explode, ..Hand::successes(die, 1, need) };
        if let Err(error) = hand.check_natural() {
            self.refuse_natural(&hand.natural, &error, at);
            hand.natural = Natural::default();
        }
        hand
    }

    /// Dice that are read as the number of successes.
    fn number(&mut self, kinds: Vec<Kind>, wire: NumberWire<'_>, at: &Path, first: bool) -> Hand {
        let number = Number {
            name: "adds",
            by: Contestant::Own,
            given: wire.add,
            default: 0,
            at: at.join("add"),
            modified: first.then_some((ModifierTo::Roll, 1)),
            limits: (-ADDED_MAX, ADDED_MAX),
            cut: (false, false),
        };
        let keep = match wire.keep {
            None => Keep::All,
            Some(KeepWire { which: KeepName::Highest, dice }) => Keep::Highest(i32::from(*dice).into()),
            Some(KeepWire { which: KeepName::Lowest, dice }) => Keep::Lowest(i32::from(*dice).into()),
        };
        Hand {
            kinds,
            keep,
            reroll: self.reroll(wire.reroll, at),
            explode: wire.explode,
            read: if wire.read == ReadName::Highest { Read::Highest } else { Read::Sum },
            natural: Natural::default(),
            plus: self.inputs.amount(self.checker, &number),
        }
    }

    /// Reports keys that say which dice succeed where dice are read as a number.
    fn refuse_success(
        &mut self,
        at: &Path,
        need: Option<&IntOrExpr>,
        success: &[FaceWire],
        natural: Option<&NaturalWire>,
    ) {
        if need.is_some() || !success.is_empty() || natural.is_some() {
            let help = "omit `read`, or whatever says which dice succeed";
            let message = "what these dice show is the number of successes, so none of them succeeds or fails";
            self.checker.fault(&at.join("read"), message, Some(help));
        }
    }

    /// A stage whose successes go where the pack says.
    fn with_goals(&mut self, hand: Hand, index: usize, goes: &Goes<'_>, at: &Path) -> Stage {
        let groups = self.groups();
        let mut stage = Stage::of(hand);
        stage.to = match self.goal(goes.to, index, at) {
            Goal::Next if index < groups && groups > 1 && self.wire.stage.is_empty() => Goal::Hits,
            Goal::Next if index < groups && groups > 1 => Goal::Stage(groups),
            goal => goal,
        };
        if goes.counts.is_some() {
            stage.counts = self.plain("counts", goes.counts, 1, at, (0, COUNTS_MAX));
        }
        if stage.need().is_none() && !goes.branch.is_empty() {
            let help = "give the branches to the stage that comes next";
            self.checker.fault(&at.join("branch"), "dice that are read as a number have no branches", Some(help));
            return stage;
        }
        for row in goes.branch {
            let at = at.join("branch").join(row.id.clone());
            let to = if row.to.is_some() { self.goal(row.to.as_ref(), index, &at) } else { stage.to };
            let branch = self.branch(row, to, index < groups, goes, &at);
            stage.branches.extend(branch);
            if let Err(RollError::UnknownFace { dice, label, faces }) = stage.check_branches() {
                let place = row.faces.iter().position(|face| dice::label(face) == label).unwrap_or(0);
                let at = at.join("faces").join(place.to_string());
                let help = format!("its faces are {faces}");
                self.checker.fault(&at, format!("{dice} has no face `{label}`"), Some(&help));
                stage.branches.pop();
            }
        }
        stage
    }

    /// How many stages are thrown at first.
    fn groups(&self) -> usize {
        self.wire.own.groups.len().max(1)
    }

    fn goal(&mut self, to: Option<&String>, index: usize, at: &Path) -> Goal {
        let Some(name) = to else { return Goal::Next };
        if name == "hits" {
            return Goal::Hits;
        }
        let (wire, at) = (self.wire, at.join("to"));
        let names = wire.stage.iter().map(|stage| stage.id.as_str());
        match names.clone().position(|known| known == name) {
            Some(place) if place + self.groups() > index => return Goal::Stage(place + self.groups()),
            Some(_) => {
                let message = format!("stage `{name}` does not come after this one");
                self.checker.fault(&at, message, Some("successes go to a later stage, or to `hits`"));
            }
            None => _ = self.checker.find(&at, "stage", name, names.chain(["hits"])),
        }
        Goal::Next
    }

    fn branch(&mut self, row: &BranchWire, to: Goal, first: bool, goes: &Goes<'_>, at: &Path) -> Option<Branch> {
        if row.counts.is_none() && row.to.is_none() && !row.also {
            let help = "give `counts`, `to`, or `also = true`";
            self.checker.fault(at, "this branch changes nothing: its dice count as any other success does", Some(help));
        }
        let on = match (&row.from, row.faces.as_slice()) {
            (None, []) => {
                let help = "list them in `faces`, or give the lowest score in `from`";
                self.checker.fault(at, "this branch does not say which dice it is for", Some(help));
                return None;
            }
            (None, faces) => Need::Faces(faces.iter().map(dice::label).collect()),
            (Some(_), [_, ..]) => {
                self.checker.fault(&at.join("from"), "`from` and `faces` exclude each other", None);
                return None;
            }
            (Some(_), []) if goes.saves => {
                let help = "list the faces in `faces`";
                self.checker.fault(&at.join("from"), "the dice that get through a save are the low ones", Some(help));
                return None;
            }
            (from, []) => {
                let number = Number {
                    name: "from",
                    by: Contestant::Own,
                    given: from.as_ref(),
                    default: 0,
                    at: at.join("from"),
                    modified: first.then_some((ModifierTo::Roll, -1)),
                    limits: (-ADDED_MAX, ADDED_MAX),
                    cut: (false, false),
                };
                Need::AtLeast(self.inputs.amount(self.checker, &number))
            }
        };
        let when = match &row.when {
            None => None,
            Some(when) => {
                self.checker.expr(&at.join("when"), when, ExprKind::Bool)?;
                let switch = IntOrExpr::Formula(format!("({when}) ? 1 : 0"));
                self.switch(Some(&switch), at.join("when"), 1)
            }
        };
        let cite: Vec<CiteWire> = row.cite.iter().map(|cite| under(cite, row.when.as_ref())).collect();
        let source = self.checker.source(at, &cite, row.note.as_ref());
        self.cite.extend(source.cite);
        let counts = match &row.counts {
            None => Amount::fixed(1),
            counts => self.plain("counts", counts.as_ref(), 1, at, (0, COUNTS_MAX)),
        };
        Some(Branch { on, when, counts, to, also: row.also })
    }

    fn models(&mut self) -> Option<Models> {
        let wire = self.wire;
        let wire = wire.models.as_ref()?;
        let at = at!["roll", self.id, "models"];
        let wounds = self.plain("wounds", Some(&wire.wounds), 1, &at, (1, COUNTS_MAX));
        let usual = match wire.wounds {
            IntOrExpr::Number(wounds @ 2..) => {
                IntOrExpr::Formula(format!("(foe.figures + {}) % {wounds} + 1", wounds - 1))
            }
            IntOrExpr::Number(_) => IntOrExpr::Number(1),
            IntOrExpr::Formula(_) => {
                if wire.left.is_none() {
                    let help = "give `left`: what the first model has left, such as `foe.wounds - foe.wounded`";
                    self.checker.fault(
                        &at,
                        "`wounds` varies, so the wounds that the first model has left are unknown",
                        Some(help),
                    );
                }
                IntOrExpr::Number(1)
            }
        };
        let left = wire.left.as_ref().or(Some(&usual));
        let left = self.plain("left", left, 1, &at, (1, COUNTS_MAX));
        let source = self.checker.source(&at, &wire.cite, wire.note.as_ref());
        self.cite.extend(source.cite);
        Some(Models { wounds, left, spill: wire.spill, gone: results::read(self.wire, "models") })
    }
}

/// A hand in which low scores succeed: what is said of its failures and successes is said of saves.
fn turned(mut hand: Hand) -> Hand {
    let Natural { fails, succeeds } = hand.natural;
    hand.natural = Natural { fails: succeeds, succeeds: fails };
    if let Some(reroll) = &mut hand.reroll {
        reroll.which = match std::mem::replace(&mut reroll.which, Rerolled::Failures) {
            Rerolled::Failures => Rerolled::Successes,
            Rerolled::Successes => Rerolled::Failures,
            faces @ Rerolled::Faces(_) => faces,
        };
    }
    hand
}

/// A clause that is carried out only under a further condition.
fn under(cite: &CiteWire, when: Option<&String>) -> CiteWire {
    let Some(when) = when else { return cite.clone() };
    let when = match cite {
        CiteWire::Always(_) => when.clone(),
        CiteWire::When(both) => format!("({when}) && ({})", both.when),
    };
    CiteWire::When(CiteWhenWire { clause: cite.clause().to_owned(), when })
}
