//! Pools: the dice of each stage, the destinations of successes, and the models that take the hits.

use grognard_dice::Die;

use super::dice;
use super::inputs::Number;
use super::mechanic::{ADDED_MAX, Maker, explode};
use super::results;
use crate::compile::checker::at;
use crate::model::Contestant;
use crate::wire::{
    BranchWire, CiteWire, FaceWire, IntOrExpr, KeepName, KeepWire, ModifierTo, NaturalWire, ReadName, RerollWire,
    StageWire,
};
use grognard_expr::Kind as ExprKind;
use grognard_roll::{
    Amount, Branch, Explode, Goal, Hand, Keep, Kind, Mechanic, Models, Natural, Need, Pool, Read, Reroll, Rerolled,
    RollError, Stage,
};
use grognard_source::Path;

/// The maximum number of successes that one die counts as, and the maximum wounds of a model.
const COUNTS_MAX: i32 = 100;

/// The effects of a die that succeeds, each with the path of its key.
pub(super) struct Goes<'w> {
    pub(super) counts: (Option<&'w IntOrExpr>, &'w Path),
    pub(super) to: (Option<&'w String>, &'w Path),
    pub(super) branch: (&'w [BranchWire], &'w Path),
    /// Whether a lower score succeeds.
    pub(super) saves: bool,
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
        // Groups share keys of the hand, so a fault in one of these is reported once.
        let before = self.checker.set_aside();
        let pool = self.stages();
        self.checker.resume(before);
        pool
    }

    fn stages(&mut self) -> Option<Mechanic> {
        let wire = self.wire;
        for (given, key) in [
            (!wire.own.symbols.is_empty(), "symbols"),
            (!wire.own.tally.is_empty(), "tally"),
            (wire.own.inert.is_some(), "inert"),
        ] {
            self.refuse_in_hand(&wire.own, &self.at(Contestant::Own), given, key);
        }
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
        let [criticals, fumbles] = ["criticals", "fumbles"].map(|name| natural && results::read(wire, name));
        Some(Mechanic::Pool(Pool { dice, stages, stage_totals: false, criticals, fumbles, models }))
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
        let (counts, to) = ((own.counts.as_ref(), &at), (own.to.as_ref(), &at));
        let goes = Goes { counts, to, branch: (&own.branch, &at), saves: false };
        Some((dice, self.with_goals(hand, 0, &goes)))
    }

    fn stage(&mut self, stage: &StageWire, index: usize) -> Option<Stage> {
        let at = at!["roll", self.id, "stage", stage.id];
        if stage.id == "hits" {
            let help = "give the stage another id";
            self.checker.fault(&at, "`hits` stands for the successes that no stage takes", Some(help));
        }
        let repeats = explode(stage.explode.as_ref());
        let hand = match stage.read.filter(|&read| read != ReadName::Successes) {
            None => {
                for (given, key) in [(stage.keep.is_some(), "keep"), (stage.add.is_some(), "add")] {
                    if given {
                        let help = "add `read = \"sum\"` or `read = \"highest\"`, or omit it";
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
        let (counts, to) = ((stage.counts.as_ref(), &at), (stage.to.as_ref(), &at));
        let goes = Goes { counts, to, branch: (&stage.branch, &at), saves: stage.save.is_some() };
        let mut made = self.with_goals(hand, index, &goes);
        made.name.clone_from(&stage.id);
        let source = self.checker.source(&at, &stage.cite, stage.note.as_ref());
        if !source.cite.is_empty() {
            self.stage_sources.push((index, source));
        }
        Some(made)
    }

    /// The need of a die of a stage: with `save`, a score below the save.
    fn stage_need(&mut self, stage: &StageWire, at: &Path) -> Option<Need> {
        let Some(save) = &stage.save else {
            return self.need(Contestant::Own, stage.need.as_ref(), &stage.success, at, false);
        };
        if stage.need.is_some() || !stage.success.is_empty() {
            let message = "`save` excludes `need` and `success`";
            self.checker.fault(&at.join("save"), message, Some("give one or the other"));
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

    pub(super) fn single_die(&mut self, at: &Path, text: &str, what: &str) -> Option<Die> {
        let mut parsed = dice::parse(self.checker, &at.join("dice"), text, self.dice)?;
        if parsed.len() != 1 || parsed[0].1.is_some() {
            let help = match what {
                "a stage" => "use a single die; dice that are added up also need `read = \"sum\"`",
                _ => "use a single die, and give the number of dice in `count`",
            };
            self.checker.fault(&at.join("dice"), format!("{what} needs one die, such as `d6`"), Some(help));
            return None;
        }
        Some(parsed.remove(0).0)
    }

    /// One die that succeeds or not.
    pub(super) fn successes(
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

    /// Reports keys that say which dice succeed although the dice are read as a number.
    fn refuse_success(
        &mut self,
        at: &Path,
        need: Option<&IntOrExpr>,
        success: &[FaceWire],
        natural: Option<&NaturalWire>,
    ) {
        if need.is_some() || !success.is_empty() || natural.is_some() {
            let help = "omit `read`, or the keys that say which dice succeed";
            let message = "these dice show the number of successes, so none of them succeeds or fails";
            self.checker.fault(&at.join("read"), message, Some(help));
        }
    }

    /// A stage with the destinations of its successes.
    pub(super) fn with_goals(&mut self, hand: Hand, index: usize, goes: &Goes<'_>) -> Stage {
        let groups = self.groups();
        let mut stage = Stage::of(hand);
        stage.to = match self.goal(goes.to.0, index, goes.to.1) {
            Goal::Next if index < groups && groups > 1 && self.wire.stage.is_empty() => Goal::Hits,
            Goal::Next if index < groups && groups > 1 => Goal::Stage(groups),
            goal => goal,
        };
        if let (Some(counts), at) = goes.counts {
            stage.counts = self.plain("counts", Some(counts), 1, at, (0, COUNTS_MAX));
        }
        let (rows, at) = goes.branch;
        if stage.need().is_none() && !rows.is_empty() {
            let help = "give the branches to the stage that comes next";
            self.checker.fault(&at.join("branch"), "dice that are read as a number have no branches", Some(help));
            return stage;
        }
        for row in rows {
            let at = at.join("branch").join(row.id.clone());
            let to = if row.to.is_some() { self.goal(row.to.as_ref(), index, &at) } else { stage.to };
            let Some(branch) = self.branch(row, to, index < groups, goes, &at) else { continue };
            let in_vain = stage.is_in_vain(&branch);
            stage.branches.push(branch);
            if let Err(RollError::UnknownFace { dice, label, faces }) = stage.check_branches() {
                let place = row.faces.iter().position(|face| dice::label(face) == label).unwrap_or(0);
                let at = at.join("faces").join(place.to_string());
                let help = format!("its faces are {faces}");
                self.checker.fault(&at, format!("{dice} has no face `{label}`"), Some(&help));
                stage.branches.pop();
            } else if in_vain {
                let help = if goes.saves { "the low dice get through a save" } else { "name dice that succeed" };
                self.checker.fault(&at, "none of the dice of this branch ever succeeds", Some(help));
            }
        }
        stage
    }

    /// The number of groups in the initial throw.
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
            None => _ = self.checker.find::<u8>(&at, "stage", name, names.chain(["hits"])),
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
                self.checker.fault(&at.join("from"), "give `from` or `faces`, not both", None);
                return None;
            }
            (Some(_), []) if goes.saves => {
                let help = "list the faces in `faces`";
                self.checker.fault(&at.join("from"), "the low dice get through a save", Some(help));
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
                if !self.checker.is_condition(when) {
                    self.checker.expr(&at.join("when"), when, ExprKind::Bool)?;
                }
                let switch = IntOrExpr::Formula(format!("({when}) ? 1 : 0"));
                self.switch(Some(&switch), at.join("when"), 1)
            }
        };
        self.cite_under(row.when.as_deref(), at, &row.cite, row.note.as_ref());
        let counts = match &row.counts {
            None => Amount::fixed(1),
            counts => self.plain("counts", counts.as_ref(), 1, at, (0, COUNTS_MAX)),
        };
        Some(Branch { on, when, counts, to, also: row.also })
    }

    /// Keeps the clauses of a part of the mechanic. They are cited only under this condition, which is checked
    /// elsewhere.
    pub(super) fn cite_under(&mut self, when: Option<&str>, at: &Path, cite: &[CiteWire], note: Option<&String>) {
        let mut source = self.checker.source(at, cite, note);
        if let Some(when) = when {
            for (kept, wire) in source.cite.iter_mut().zip(cite) {
                let when = match wire {
                    CiteWire::Always(_) => when.to_owned(),
                    CiteWire::When(own) => format!("({when}) && ({})", own.when),
                };
                kept.when = self.checker.parsed(&when, ExprKind::Bool).or_else(|| self.checker.never());
            }
        }
        self.cite.extend(source.cite);
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
        let most = if let IntOrExpr::Number(wounds) = wire.wounds { wounds.clamp(1, COUNTS_MAX) } else { COUNTS_MAX };
        let left = self.plain("left", left, 1, &at, (1, most));
        let source = self.checker.source(&at, &wire.cite, wire.note.as_ref());
        self.cite.extend(source.cite);
        Some(Models { wounds, left, spill: wire.spill, gone: results::read(self.wire, "models") })
    }
}

/// A hand in which low scores succeed: its failures and successes refer to saves.
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
