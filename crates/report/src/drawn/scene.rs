//! A battle moment by moment: the units' positions, and the actions in between.

use grognard_lab::replay::timeline::{GeneralStanding, Happening, Moment, Presence, Standing, Timeline};

/// The state of all units.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) units: Vec<Standing>,
    pub(super) generals: Vec<GeneralStanding>,
}

impl State {
    /// Applies the changes of a moment.
    pub(super) fn follow(&mut self, moment: &Moment) {
        put(&mut self.units, &moment.changed);
        put(&mut self.generals, &moment.generals);
    }

    /// The state of a unit that is on the table as a separate unit.
    pub(super) fn here(&self, unit: usize) -> Option<&Standing> {
        self.units.get(unit).filter(|standing| standing.presence == Presence::Here)
    }
}

fn put<T: Clone>(all: &mut Vec<T>, changed: &[(u8, T)]) {
    for (index, now) in changed {
        match all.get_mut(usize::from(*index)) {
            Some(place) => *place = now.clone(),
            // The first moment lists all units, in order.
            None => all.push(now.clone()),
        }
    }
}

/// A part of a battle: the deployment, or one side's half of a turn; if units act one at a time, an activation.
#[derive(Clone, Debug)]
pub(super) struct Half {
    /// Its name: `Deployment`, `Turn 2, attacker`, or `Turn 2, Trooper (attacker 3)`.
    pub(super) title: String,
    /// The first moment that belongs to it.
    pub(super) first: usize,
    /// The last moment that belongs to it.
    pub(super) last: usize,
}

/// Whether units act one at a time.
pub(super) fn goes_by_unit(timeline: &Timeline) -> bool {
    timeline.moments.iter().any(|moment| moment.happening == Happening::Begins && moment.unit.is_some())
}

/// The deployment, and every half-turn or activation.
pub(super) fn halves(timeline: &Timeline) -> Vec<Half> {
    let by_unit = goes_by_unit(timeline);
    let mut halves = vec![Half { title: "Deployment".to_owned(), first: 0, last: 0 }];
    for (index, moment) in timeline.moments.iter().enumerate().skip(1) {
        // The first half-turn begins with the deployment.
        if moment.happening == Happening::Begins || halves.len() == 1 {
            let whose = match moment.unit.filter(|_| moment.happening == Happening::Begins) {
                Some(unit) => timeline.units[usize::from(unit)].name.as_str(),
                // This is the part before the first activation, such as the roll for the initiative.
                None if by_unit => "",
                None => timeline.sides[usize::from(moment.side)].as_str(),
            };
            let comma = if whose.is_empty() { "" } else { ", " };
            halves.push(Half { title: format!("Turn {}{comma}{whose}", moment.turn), first: index, last: index });
        }
        if let Some(half) = halves.last_mut() {
            half.last = index;
        }
    }
    halves
}

/// An action of one unit against another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    /// It charges.
    Charge,
    /// It fires.
    Fire,
    /// It fights hand to hand.
    Fight,
}

/// A deed, with the positions of both units when it was done.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub(super) deed: Deed,
    pub(super) unit: usize,
    pub(super) target: usize,
    pub(super) from: Standing,
    pub(super) to: Standing,
    /// The index of the moment in the passage.
    pub(super) moment: usize,
}

/// A part of a battle as it is drawn: from one state to another.
pub(super) struct Passage<'t> {
    pub(super) timeline: &'t Timeline,
    pub(super) moments: &'t [Moment],
    /// The state before it.
    pub(super) before: State,
    /// The state after it.
    pub(super) after: State,
    /// The actions between units.
    pub(super) links: Vec<Link>,
    /// For each unit, all its positions, in order.
    pub(super) ways: Vec<Vec<Standing>>,
}

impl<'t> Passage<'t> {
    /// The moments from `first` to `last`, starting from a state.
    pub(super) fn new(timeline: &'t Timeline, before: State, (first, last): (usize, usize)) -> Self {
        let moments = &timeline.moments[first..=last.min(timeline.moments.len() - 1)];
        let mut after = before.clone();
        let mut ways: Vec<Vec<Standing>> = before.units.iter().map(|standing| vec![standing.clone()]).collect();
        let mut links: Vec<Link> = Vec::new();
        for (nth, moment) in moments.iter().enumerate() {
            let standing = |unit: Option<u8>, state: &State| {
                unit.map(usize::from).and_then(|unit| state.here(unit).map(|standing| (unit, standing.clone())))
            };
            let deed = deed(moment, &moments[nth + 1..]);
            // An event may have taken its unit off the table.
            let from = standing(moment.unit, &after);
            let to = standing(moment.target, &after);
            if let (Some(deed), Some((unit, from)), Some((target, to))) = (deed, from, to) {
                let known = links.iter().any(|link| (link.deed, link.unit, link.target) == (deed, unit, target));
                if timeline.units[unit].side != timeline.units[target].side && !known {
                    links.push(Link { deed, unit, target, from, to, moment: nth });
                }
            }
            after.follow(moment);
            for (index, now) in &moment.changed {
                match ways.get_mut(usize::from(*index)) {
                    Some(way) => way.push(now.clone()),
                    None => ways.push(vec![now.clone()]),
                }
            }
        }
        Self { timeline, moments, before, after, links, ways }
    }

    /// Figures that a unit lost.
    pub(super) fn lost(&self, unit: usize) -> u16 {
        let figures = |state: &State| state.units.get(unit).map(|standing| standing.figures);
        let (before, after) = (figures(&self.before), figures(&self.after));
        before.zip(after).map_or(0, |(before, after)| before.saturating_sub(after))
    }

    /// Whether a unit left the table.
    pub(super) fn fell(&self, unit: usize) -> bool {
        let gone = |state: &State| state.units.get(unit).is_some_and(|standing| standing.presence == Presence::Gone);
        gone(&self.after) && !gone(&self.before) && !self.before.units.is_empty()
    }

    /// Whether a unit broke.
    pub(super) fn broke(&self, unit: usize) -> bool {
        let broken = |state: &State| {
            state.units.get(unit).is_some_and(|standing| self.timeline.morale[usize::from(standing.morale)].broken)
        };
        broken(&self.after) && !broken(&self.before) && !self.before.units.is_empty()
    }
}

/// The action of a moment between two units; `later` says whether a reaction caused losses.
fn deed(moment: &Moment, later: &[Moment]) -> Option<Deed> {
    match moment.happening {
        Happening::Charges => Some(Deed::Charge),
        Happening::Fires => Some(Deed::Fire),
        Happening::Fights => Some(Deed::Fight),
        Happening::Reacts => {
            let next = later.first()?;
            let hits = next.happening == Happening::Loses && next.unit == moment.target;
            hits.then_some(Deed::Fire)
        }
        _ => None,
    }
}
