//! What is each rule worth? Every rule is switched off on its own, and the same battles are fought with the same
//! dice.

use std::collections::{BTreeMap, BTreeSet};

use grognard_source::Diagnostics;
use grognard_stats::{Estimate, Level, bonferroni};
use rayon::prelude::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

use crate::progress::{Progress, Stop};
use crate::record::{Known, What, kept, known, note};
use crate::results::CellHeader;
use crate::sensitivity::fought::{Apart, Base, Scale, fight_all, totals};
use crate::sensitivity::{LOOK, Quantity};
use crate::study::{Rule, Study, Switch, Variants};
use crate::tally::Histogram;

/// The number of rules that are tried in pairs: the most valuable ones.
pub const STRONGEST: usize = 10;

/// The settings for switching off rules.
#[derive(Clone, Debug)]
pub struct Ablation {
    /// The rules to try.
    pub switches: Vec<Switch>,
    /// Cells, by index in the study; all if empty.
    pub cells: Vec<usize>,
    /// The number of battles in each cell with each rule off; an even number if battles are fought both ways.
    pub battles: u64,
    /// The metric that measures the worth.
    pub quantity: Quantity,
    /// Whether to try the pairs of the rules that are worth most.
    pub pairs: bool,
    /// The simultaneous confidence level of all intervals.
    pub level: Level,
    /// Worker threads; 0 means one for each core.
    pub threads: usize,
}

/// The results. All intervals are simultaneous.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Ablated {
    /// The cells.
    pub cells: Vec<CellHeader>,
    /// The metric with all rules on, over all cells.
    pub base: Estimate,
    /// The rules that changed some battle, the most valuable first.
    pub rules: Vec<Worth>,
    /// Rules that did not change any of the battles examined.
    pub still: Vec<Switch>,
    /// Rules that the pack requires: none of their rows can be switched off.
    pub needed: Vec<Needed>,
    /// Rules that were not tried before the search was stopped.
    pub untried: Vec<Switch>,
    /// Whether the search was stopped before every rule and pair was tried.
    pub stopped: bool,
    /// Pairs of the rules that are worth most, the strongest interaction first.
    pub pairs: Vec<Interaction>,
    /// The number of pairs left out, because one rule does nothing without the other: together they are worth as much
    /// as the other alone.
    pub within: usize,
    /// Battles in each cell examined for every rule.
    pub looked: u64,
    /// Battles fought.
    pub fought: u64,
}

/// A rule without which the pack is invalid.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Needed {
    /// The rule.
    pub switch: Switch,
    /// What is wrong with the pack without it.
    pub why: String,
}

impl Needed {
    fn new(switch: &Switch, faults: &Diagnostics) -> Self {
        let why = faults.sorted().first().map_or_else(String::new, |fault| fault.message.clone());
        Self { switch: switch.clone(), why }
    }
}

/// The worth of a rule: the metric with it minus the metric without it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Worth {
    /// The rule, or the part of it that was switched off.
    pub switch: Switch,
    /// The number of battles fought without it that end differently.
    pub otherwise: u64,
    /// The worth over all cells.
    pub worth: Estimate,
    /// The worth in each cell.
    pub cells: Vec<Estimate>,
}

impl Worth {
    /// Whether its worth over all cells is certainly not 0, despite the number of rules tried.
    #[must_use]
    pub fn stands(&self) -> bool {
        !self.worth.holds(0.0)
    }

    /// Whether its pairs are worth trying: a row or a flag with a worth of its own.
    fn is_strong(&self) -> bool {
        self.stands() && matches!(self.switch.what, Rule::Row(_))
    }

    /// The cell, by index, in which its worth is greatest in absolute value.
    #[must_use]
    pub fn most(&self) -> Option<(usize, &Estimate)> {
        self.cells.iter().enumerate().max_by(|(_, one), (_, other)| one.point.abs().total_cmp(&other.point.abs()))
    }
}

/// The worth of two rules together beyond the sum of what each is worth with the other on.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Interaction {
    /// The rules, by index in [`Ablated::rules`].
    pub rules: [usize; 2],
    /// The metric with both, minus that without one, minus that without the other, plus that without both: over all
    /// cells, in battles not used to choose the pairs.
    pub beyond: Estimate,
}

impl Ablation {
    /// The level of each interval of a family of this size. The answer has four families of simultaneous intervals: the
    /// metric with all rules, the worth of each rule, its worth in each cell, and the pairs.
    fn share_of(&self, intervals: usize) -> Level {
        const FAMILIES: usize = 4;
        bonferroni(self.level, FAMILIES * intervals)
    }

    /// The maximum number of battles fought.
    #[must_use]
    pub fn battles_at_most(&self, study: &Study) -> u64 {
        let pairs = if self.pairs { 1 + STRONGEST + STRONGEST * (STRONGEST - 1) / 2 } else { 0 };
        (self.switches.len() + 1 + pairs) as u64 * self.battles * study.chosen(&self.cells).len() as u64
    }

    /// All rules, each with the reason why it is required, if none of them can be switched off; stops at the first that
    /// can.
    #[must_use]
    pub fn all_needed(&self, study: &Study, variants: &Variants<'_>) -> Option<Vec<Needed>> {
        let chosen = study.chosen(&self.cells);
        let one = |switch: &Switch| match variants.cells_as_far_without(study, &chosen, switch) {
            Ok(_) => None,
            Err(faults) => Some(Needed::new(switch, &faults)),
        };
        self.switches.iter().map(one).collect()
    }

    /// Switches off each rule by itself, and then pairs of the most valuable ones.
    ///
    /// If it is stopped, the results for the rules tried are still valid, and [`Ablated::stopped`] is set. `None` if it
    /// was stopped before any rule was tried.
    ///
    /// # Errors
    /// The worker threads cannot be started.
    pub fn run(
        &self,
        study: &Study,
        variants: &Variants<'_>,
        progress: &dyn Progress,
        stop: &Stop,
    ) -> Result<Option<Ablated>, rayon::ThreadPoolBuildError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        Ok(pool.install(|| self.tried(study, variants, progress, stop)))
    }

    fn tried(&self, study: &Study, variants: &Variants<'_>, progress: &dyn Progress, stop: &Stop) -> Option<Ablated> {
        let chosen = study.chosen(&self.cells);
        let without = |off: &[&Switch]| {
            let cells = variants.cells_without(study, &chosen, off).ok()?;
            Some(study.with_cells(cells))
        };
        // Without changes, there is nothing that the rules could refuse.
        let plain = without(&[])?;
        let base = Base::fight(&plain, self.battles, progress, stop)?;
        let one = |(nth, switch): (usize, &Switch)| -> Option<Tried> {
            // Compiling the pack without this rule may take longer than fighting the battles.
            if stop.is_raised() {
                return None;
            }
            let fight = || -> Option<NotedTried> {
                let (off, cells) = match variants.cells_as_far_without(study, &chosen, switch) {
                    Ok(off) => off,
                    Err(faults) => {
                        progress.advance(self.battles * chosen.len() as u64);
                        return Some(Err(Needed::new(switch, &faults).why));
                    }
                };
                let changed = study.with_cells(cells);
                let apart = base.follow(&changed, &self.quantity, progress, stop)?;
                Some(Ok((switch.staying(&off), apart)))
            };
            let noted = kept(progress, || format!("without {nth} {}", switch.name()), fight)?;
            let off = |(stay, apart): (Vec<usize>, Apart)| (switch.with_staying(&stay), apart);
            Some(noted.map(off).map_err(|why| Needed { switch: switch.clone(), why }))
        };
        let tried: Vec<Option<Tried>> = self.switches.par_iter().enumerate().map(one).collect();
        if !tried.is_empty() && tried.iter().all(Option::is_none) {
            return None;
        }
        let mut found = self.found(&plain, &base, &tried);
        let battles = tried.iter().flatten().flatten().map(|(_, apart)| apart.battles).sum::<u64>();
        found.fought = chosen.len() as u64 * (self.battles + battles);
        if self.pairs && !found.stopped {
            let strongest: Vec<usize> =
                (0..found.rules.len()).filter(|&at| found.rules[at].is_strong()).take(STRONGEST).collect();
            let pairs = Pairs { ablation: self, plain: &plain, rules: &found.rules, progress, stop };
            match pairs.tried(&strongest, &without) {
                Some((interactions, within, fought)) => {
                    found.fought += fought;
                    (found.pairs, found.within) = (interactions, within);
                }
                None => found.stopped = true,
            }
        }
        Some(found)
    }

    /// The result for each rule; `None` if it was not tried.
    fn found(&self, plain: &Study, base: &Base, tried: &[Option<Tried>]) -> Ablated {
        // Rules that were not tried count too, because whether a rule was tried depends on when the search was stopped.
        let (rules, cells) = (tried.iter().filter(|tried| !matches!(tried, Some(Err(_)))).count(), plain.cells.len());
        let (of_rules, of_cells) = (self.share_of(rules), self.share_of(rules * cells));
        let scale = base.scale(&self.quantity);
        let mut found = Ablated {
            cells: plain.cells.iter().map(|cell| cell.header.clone()).collect(),
            base: base.mean(&self.quantity, self.share_of(1)),
            rules: Vec::new(),
            still: Vec::new(),
            needed: Vec::new(),
            untried: Vec::new(),
            stopped: tried.iter().any(Option::is_none),
            pairs: Vec::new(),
            within: 0,
            looked: LOOK.min(self.battles),
            fought: 0,
        };
        for (switch, tried) in self.switches.iter().zip(tried) {
            match tried {
                None => found.untried.push(switch.clone()),
                Some(Err(needed)) => found.needed.push(needed.clone()),
                Some(Ok((off, apart))) if apart.otherwise == 0 => found.still.push(off.clone()),
                Some(Ok((off, apart))) => found.rules.push(Worth {
                    switch: off.clone(),
                    otherwise: apart.otherwise,
                    worth: negated(&scale.change(&apart.together, of_rules)),
                    cells: base.changes(apart, &self.quantity, of_cells).iter().map(negated).collect(),
                }),
            }
        }
        found.rules.sort_by(|one, other| other.worth.point.abs().total_cmp(&one.worth.point.abs()));
        found
    }
}

/// The outcome for a rule that was tried: the part of it that was switched off, and the results of its battles.
type Tried = Result<(Switch, Apart), Needed>;

/// [`Tried`] as it is recorded: with the indices of the rows that remain in force, or with the reason why nothing can
/// be switched off.
type NotedTried = Result<(Vec<usize>, Apart), String>;

/// The result for a pair in the form in which it is recorded: `None` if one rule does nothing without the other; an
/// error if the rules do not allow the pair.
type NotedPair = Result<Option<Histogram>, ()>;

fn negated(estimate: &Estimate) -> Estimate {
    Estimate { point: -estimate.point, low: -estimate.high, high: -estimate.low, ..*estimate }
}

/// Pairs of rules.
struct Pairs<'a> {
    ablation: &'a Ablation,
    plain: &'a Study,
    rules: &'a [Worth],
    progress: &'a dyn Progress,
    stop: &'a Stop,
}

impl Pairs<'_> {
    /// The interactions of all pairs of these rules, the strongest first, how many pairs have none because one rule
    /// does nothing without the other, and how many battles were fought; `None` if it was stopped.
    fn tried(
        &self,
        strongest: &[usize],
        without: &(dyn Fn(&[&Switch]) -> Option<Study> + Sync),
    ) -> Option<(Vec<Interaction>, usize, u64)> {
        let switch = |at: usize| &self.rules[at].switch;
        let pairs: Vec<[usize; 2]> = strongest
            .iter()
            .enumerate()
            .flat_map(|(nth, &one)| strongest[nth + 1..].iter().map(move |&other| [one, other]))
            // Rules that share a row cannot both be switched off.
            .filter(|[one, other]| !switch(*one).overlaps(switch(*other)))
            .collect();
        if pairs.is_empty() {
            return Some((Vec::new(), 0, 0));
        }
        let named = |[one, other]: [usize; 2]| {
            What::from(format!("without {} {one} and {} {other}", switch(one).name(), switch(other).name()))
        };
        let pairs: Vec<([usize; 2], What, Known<NotedPair>)> = pairs
            .into_iter()
            .map(|pair| {
                let what = named(pair);
                let known = known(self.progress, &what);
                (pair, what, known)
            })
            .collect();
        // Only pairs that will be fought need the battles without each of their rules.
        let needed: BTreeSet<usize> = pairs
            .iter()
            .filter(|(.., known)| matches!(known, Known::Not))
            .flat_map(|(pair, ..)| pair.iter().copied())
            .collect();
        let all = if needed.is_empty() { Vec::new() } else { self.fight(self.plain)? };
        let fight = |&at: &usize| Some((at, self.fight(&without(&[switch(at)])?)?));
        let single: BTreeMap<usize, Vec<i32>> = needed.par_iter().map(fight).collect::<Option<_>>()?;
        let level = self.ablation.share_of(pairs.len());
        let both = |(pair, what, known): &([usize; 2], What, Known<NotedPair>)| {
            if self.stop.is_raised() {
                return None;
            }
            let [one, other] = *pair;
            let beyond: NotedPair = match known {
                // Another process fights this pair. The next pairs are fought here anyway.
                Known::Left => return Some(None),
                Known::Is(known) => known.clone(),
                Known::Not => {
                    let beyond = match without(&[switch(one), switch(other)]) {
                        None => Err(()),
                        Some(study) => {
                            let off = self.fight(&study)?;
                            let (one, other) = (single.get(&one)?, single.get(&other)?);
                            let beyond = |at: usize| (all[at] - one[at] - other[at] + off[at], 1);
                            let differs = off != *one && off != *other;
                            Ok(differs.then(|| (0..all.len()).map(beyond).collect()))
                        }
                    };
                    note(self.progress, what, &beyond);
                    beyond
                }
            };
            let mean = |beyond| Interaction { rules: *pair, beyond: self.mean(&beyond, level) };
            Some(beyond.ok().map(|beyond| beyond.map(mean).ok_or(())))
        };
        let found: Option<Vec<Option<Result<Interaction, ()>>>> = pairs.par_iter().map(both).collect();
        let fought: Vec<Result<Interaction, ()>> = found?.into_iter().flatten().collect();
        let runs = (1 + strongest.len() + fought.len()) as u64;
        let within = fought.iter().filter(|pair| pair.is_err()).count();
        let mut found: Vec<Interaction> = fought.into_iter().flatten().collect();
        found.sort_by(|one, other| other.beyond.point.abs().total_cmp(&one.beyond.point.abs()));
        Some((found, within, runs * self.ablation.battles * self.plain.cells.len() as u64))
    }

    /// The quantity of every observation, over all cells, in battles that were not used to choose anything.
    fn fight(&self, study: &Study) -> Option<Vec<i32>> {
        let battles = self.ablation.battles;
        let outcomes = fight_all(study, &(battles..2 * battles), self.progress, self.stop)?;
        Some(totals(&outcomes, self.plain.round(), &self.ablation.quantity))
    }

    /// The mean of differences of differences in a battle.
    fn mean(&self, beyond: &Histogram, level: Level) -> Estimate {
        let quantity = &self.ablation.quantity;
        let (cells, round) = (self.plain.cells.len(), self.plain.round());
        // Four values, two of which are subtracted.
        let scale = Scale { battles: cells * round, most: 2 * quantity.most, per: quantity.per };
        scale.change(beyond, level)
    }
}
