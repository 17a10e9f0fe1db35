//! Random armies drawn from those of a study.

use grognard_engine::{Deployment, SidePlan, UnitPlan};

use crate::questions::chances::Chances;
use crate::study::Twin;

/// The pool from which armies are drawn.
#[derive(Clone, Debug, Default)]
pub(super) struct Market {
    /// The names of unit types: those that are priced, then their twins.
    pub(super) names: Vec<String>,
    /// The number of priced types.
    pub(super) types: usize,
    /// For each twin (a type without one of its traits), its type and the trait that it lacks, by index.
    pub(super) twins: Vec<(usize, usize)>,
    /// The number of priced traits.
    pub(super) traits: usize,
}

impl Market {
    /// A market of these types and their twins; also the traits that twins lack, in alphabetical order.
    pub(super) fn of(types: &[String], twins: &[Twin]) -> (Self, Vec<String>) {
        let mut traits: Vec<String> = twins.iter().map(|twin| twin.without.clone()).collect();
        traits.sort();
        traits.dedup();
        let place = |all: &[String], name: &String| all.iter().position(|one| one == name);
        let twin = |twin: &Twin| Some((place(types, &twin.of)?, place(&traits, &twin.without)?));
        let names = types.iter().chain(twins.iter().map(|twin| &twin.name)).cloned().collect();
        let market =
            Self { names, types: types.len(), twins: twins.iter().filter_map(twin).collect(), traits: traits.len() };
        (market, traits)
    }

    /// A unit's type, or the type of which it is a twin.
    fn type_of(&self, name: usize) -> usize {
        if name < self.types { name } else { self.twins[name - self.types].0 }
    }

    /// The units of each type on either side, including twins, and the units that lack each trait.
    fn counts(&self, plan: &Deployment) -> [(Vec<i32>, Vec<i32>); 2] {
        [&plan.sides.first, &plan.sides.second].map(|side| {
            let (mut counts, mut lack) = (vec![0; self.types], vec![0; self.traits]);
            for name in side.units.iter().filter_map(|unit| self.names.iter().position(|name| *name == unit.kind)) {
                counts[self.type_of(name)] += 1;
                if name >= self.types {
                    lack[self.twins[name - self.types].1] += 1;
                }
            }
            (counts, lack)
        })
    }

    /// The first side's surplus over the second: units of each type, including twins, and then traits that its units do
    /// not lack.
    pub(super) fn more(&self, plan: &Deployment) -> Vec<i32> {
        let [(first, first_lack), (second, second_lack)] = self.counts(plan);
        let units = first.iter().zip(&second).map(|(own, other)| own - other);
        units.chain(second_lack.iter().zip(&first_lack).map(|(other, own)| other - own)).collect()
    }

    /// The first side's surplus of pairs of units over the second: for each pair of types, in the order of
    /// [`pairs_of`].
    pub(super) fn pairs_more(&self, plan: &Deployment) -> Vec<i32> {
        let counts = self.counts(plan).map(|(counts, _)| counts);
        let pairs = |[one, other]: [usize; 2]| {
            let of = |count: &[i32]| {
                if one == other { count[one] * (count[one] - 1) / 2 } else { count[one] * count[other] }
            };
            of(&counts[0]) - of(&counts[1])
        };
        pairs_of(self.types).map(pairs).collect()
    }

    /// A purse for this market: a twin costs as much as its type.
    pub(super) fn purse(&self, prices: &[f64], budget: f64) -> Purse {
        Purse { prices: (0..self.names.len()).map(|name| prices[self.type_of(name)]).collect(), budget }
    }
}

/// The cost limit of armies.
#[derive(Clone, Debug)]
pub(super) struct Purse {
    /// The price of each name on the market.
    pub(super) prices: Vec<f64>,
    /// The maximum total price of an army's priced units.
    pub(super) budget: f64,
}

impl Purse {
    /// The types, by position, of an army of at most this many units. Each affordable type is equally likely, until no
    /// type is affordable. An army may spend between half and all of the budget: if all spent the same, the results
    /// would not show what a point is worth.
    fn spend(&self, slots: usize, chances: &mut Chances) -> Vec<usize> {
        let cheapest = self.prices.iter().copied().fold(f64::INFINITY, f64::min);
        let mut left = (self.budget * (0.5 + chances.below(1_001) as f64 / 2_000.0)).max(cheapest);
        let mut bought = Vec::new();
        while bought.len() < slots {
            let affordable: Vec<usize> = (0..self.prices.len()).filter(|&at| self.prices[at] <= left).collect();
            if affordable.is_empty() {
                break;
            }
            let kind = affordable[chances.below(affordable.len())];
            left -= self.prices[kind];
            bought.push(kind);
        }
        bought
    }
}

/// A random army for each side: some of its units, each replaced by any of the types. Units of kept types stay.
///
/// Without a purse, the two armies have the same number of other units, or one more or less, because battles whose
/// winner is certain say nothing.
pub(super) fn armies(
    plan: &Deployment,
    types: &[String],
    kept: &[String],
    purse: Option<&Purse>,
    chances: &mut Chances,
) -> Deployment {
    let mut drawn = plan.clone();
    let slots = |side: &SidePlan| -> Vec<usize> {
        (0..side.units.len()).filter(|&at| !kept.contains(&side.units[at].kind)).collect()
    };
    if let Some(purse) = purse {
        for side in [&mut drawn.sides.first, &mut drawn.sides.second] {
            let slots = slots(side);
            let bought = purse.spend(slots.len(), chances);
            let mut bought_in_order = bought.iter();
            let next = |_: &mut Chances| bought_in_order.next().map_or(&types[0], |&kind| &types[kind]);
            redraw(side, slots, bought.len(), next, chances);
        }
        return drawn;
    }
    let (first, second) = (slots(&plan.sides.first), slots(&plan.sides.second));
    let own = 1 + chances.below(first.len().max(1));
    let most = (own + 1).min(second.len());
    let least = (own - 1).max(1).min(most);
    let other = least + chances.below(most - least + 1);
    for (side, slots, count) in [(&mut drawn.sides.first, first, own), (&mut drawn.sides.second, second, other)] {
        redraw(side, slots, count, |chances| &types[chances.below(types.len())], chances);
    }
    drawn
}

/// Keeps only this many of the units at `slots`, each replaced by one of the next type.
fn redraw<'t>(
    side: &mut SidePlan,
    mut slots: Vec<usize>,
    count: usize,
    mut next: impl FnMut(&mut Chances) -> &'t String,
    chances: &mut Chances,
) {
    let mut gone = Vec::new();
    while slots.len() > count {
        gone.push(slots.remove(chances.below(slots.len())));
    }
    for slot in slots {
        let kind = next(chances);
        let unit = &mut side.units[slot];
        if unit.kind != *kind {
            // The figures that the study gives the old type do not apply to the new one.
            *unit = UnitPlan {
                kind: kind.clone(),
                figures: None,
                cannon: None,
                counters: Vec::new(),
                abreast: None,
                screen: None,
                ..unit.clone()
            };
        }
    }
    let stays = |at: usize| !gone.contains(&at);
    for general in &mut side.generals {
        general.with = general
            .with
            .filter(|&with| stays(usize::from(with)))
            .map(|with| (0..usize::from(with)).filter(|&at| stays(at)).count() as u16);
    }
    let mut at = 0..;
    side.units.retain(|_| at.next().is_some_and(stays));
}

/// The deployment, with every unit that is not kept put into the initial formation of its type.
pub(super) fn in_usual_formations(plan: &Deployment, kept: &[String]) -> Deployment {
    let mut plan = plan.clone();
    for side in [&mut plan.sides.first, &mut plan.sides.second] {
        for unit in side.units.iter_mut().filter(|unit| !kept.contains(&unit.kind)) {
            (unit.formation, unit.frontage) = (None, None);
        }
    }
    plan
}

/// All pairs of this many types, by position, including each with itself.
pub(super) fn pairs_of(types: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..types).flat_map(move |one| (one..types).map(move |other| [one, other]))
}

#[cfg(test)]
mod tests {
    use grognard_engine::{BySide, GeneralPlan};

    use super::*;

    fn plain(types: &[String]) -> Market {
        Market::of(types, &[]).0
    }

    /// A twin counts as a unit of its type that lacks the trait, and costs as much.
    #[test]
    fn a_twin_counts_for_its_type_without_its_trait() {
        let twin = |of: &str, without: &str| Twin {
            of: of.to_owned(),
            without: without.to_owned(),
            name: format!("{of}-without-{without}"),
        };
        let types = ["a", "b"].map(str::to_owned);
        let (market, traits) = Market::of(&types, &[twin("b", "swift"), twin("a", "brave"), twin("b", "brave")]);
        assert_eq!(traits, ["brave", "swift"]);
        let side = |units: &[&str]| SidePlan {
            units: units.iter().map(|kind| UnitPlan { kind: (*kind).to_owned(), ..UnitPlan::default() }).collect(),
            ..SidePlan::default()
        };
        let sides =
            BySide::new(side(&["a", "b-without-swift", "b-without-brave"]), side(&["a-without-brave", "leader"]));
        let plan = Deployment { sides, ..Deployment::default() };
        // Both sides have the same number of `a`, and the first has two more `b`. Each side has one unit without
        // `brave`, and the first also has one without `swift`.
        assert_eq!(market.more(&plan), [0, 2, 0, -1]);
        assert_eq!(market.pairs_more(&plan), [0, 2, 1]);
        assert_eq!(market.purse(&[3.0, 7.0], 20.0).prices, [3.0, 7.0, 7.0, 3.0, 7.0]);
    }

    #[test]
    fn armies_are_near_in_size_and_generals_stay_with_their_units() {
        let unit = |kind: &str| UnitPlan { kind: kind.to_owned(), figures: Some(7), ..UnitPlan::default() };
        let general = GeneralPlan { name: "g".to_owned(), with: Some(3), ..GeneralPlan::default() };
        let side = |units: &[&str]| SidePlan {
            units: units.iter().map(|kind| unit(kind)).collect(),
            generals: vec![general.clone()],
            ..SidePlan::default()
        };
        let sides = BySide::new(side(&["a", "b", "leader", "guard"]), side(&["b", "b", "leader", "guard", "a", "a"]));
        let plan = Deployment { sides, ..Deployment::default() };
        let types = ["a", "b", "c"].map(str::to_owned);
        let kept = ["leader", "guard"].map(str::to_owned);
        let mut chances = Chances(5);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..400 {
            let drawn = armies(&plan, &types, &kept, None, &mut chances);
            let priced = |side: &SidePlan| side.units.iter().filter(|unit| types.contains(&unit.kind)).count();
            assert_eq!(priced(&drawn.sides.first) + 2, drawn.sides.first.units.len());
            let (own, other) = (priced(&drawn.sides.first), priced(&drawn.sides.second));
            assert!((1..=2).contains(&own) && (1..=4).contains(&other) && own.abs_diff(other) <= 1, "{drawn:?}");
            for side in [&drawn.sides.first, &drawn.sides.second] {
                // The fourth unit, which has the general, is never replaced.
                let with = side.generals[0].with.expect("his unit");
                assert_eq!(side.units[usize::from(with)], unit("guard"));
                assert!(side.units.contains(&unit("leader")));
            }
            seen.insert((own, other, plain(&types).more(&drawn)));
        }
        assert!(seen.len() > 20, "{seen:?}");
    }

    /// With a budget of 24, an army costs no more than that and, unless its places are full, more than half the budget
    /// minus the price of the cheapest type.
    #[test]
    fn armies_keep_within_their_budget() {
        let unit = || UnitPlan { kind: "a".to_owned(), ..UnitPlan::default() };
        let side = |count: usize| SidePlan { units: (0..count).map(|_| unit()).collect(), ..SidePlan::default() };
        let sides = BySide::new(side(5), side(30));
        let plan = Deployment { sides, ..Deployment::default() };
        let types = ["a", "b", "c"].map(str::to_owned);
        let purse = Purse { prices: vec![3.0, 7.0, 11.0], budget: 24.0 };
        let mut chances = Chances(7);
        let mut costs = std::collections::BTreeSet::new();
        for _ in 0..400 {
            let drawn = armies(&plan, &types, &[], Some(&purse), &mut chances);
            let [(first, _), (second, _)] = plain(&types).counts(&drawn);
            let cost = |counts: &[i32]| counts[0] * 3 + counts[1] * 7 + counts[2] * 11;
            assert!(cost(&first) <= 24 && first.iter().sum::<i32>() <= 5, "{first:?}");
            assert!((10..=24).contains(&cost(&second)), "{second:?}");
            costs.insert(cost(&second));
        }
        assert!(costs.len() >= 10, "{costs:?}");
        // The budget does not cover a unit of any type, so one unit of the cheapest type is drawn.
        let poor = Purse { budget: 2.0, ..purse };
        let drawn = armies(&plan, &types, &[], Some(&poor), &mut chances);
        assert_eq!(plain(&types).counts(&drawn).map(|(counts, _)| counts), [vec![1, 0, 0], vec![1, 0, 0]]);
    }

    #[test]
    fn pairs_are_counted_on_either_side() {
        let side = |units: &[&str]| SidePlan {
            units: units.iter().map(|kind| UnitPlan { kind: (*kind).to_owned(), ..UnitPlan::default() }).collect(),
            ..SidePlan::default()
        };
        let sides = BySide::new(side(&["a", "a", "a", "b"]), side(&["a", "b", "b"]));
        let plan = Deployment { sides, ..Deployment::default() };
        let types = ["a", "b"].map(str::to_owned);
        assert_eq!(pairs_of(2).collect::<Vec<_>>(), [[0, 0], [0, 1], [1, 1]]);
        // Pairs on each side: three `a`–`a` against none, three `a`–`b` against two, no `b`–`b` against one.
        assert_eq!(plain(&types).pairs_more(&plan), [3, 1, -1]);
    }
}
