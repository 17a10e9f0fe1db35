//! A study with unit types that lack one of their traits.

use grognard_source::{Diagnostics, Key, Node, Path, Table, Value};

use super::cells::{Built, Ground};
use super::expand::CellPlan;
use super::names::Entry;
use super::part::Planned;
use super::variants::Variants;
use super::{Cell, Study};

/// A copy of a unit type without one of its traits, in addition to the type itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Twin {
    /// The type.
    pub of: String,
    /// The trait that it lacks, by name.
    pub without: String,
    /// The name of the twin.
    pub name: String,
}

impl Variants<'_> {
    /// A twin for each trait that one of these types lists and that is in force, in the packs of the chosen cells.
    #[must_use]
    pub fn twins(&self, chosen: &[usize], types: &[String]) -> Vec<Twin> {
        let mut twins: Vec<Twin> = Vec::new();
        let mut next = 0;
        for part in &self.parts {
            let first = next;
            next += part.plans.len();
            if !chosen.iter().any(|cell| (first..next).contains(cell)) {
                continue;
            }
            for (of, without) in
                types.iter().flat_map(|of| part.ground.traits_of(of).into_iter().map(move |one| (of, one)))
            {
                if twins.iter().all(|twin| (&twin.of, &twin.without) != (of, &without)) {
                    let mut name = format!("{of}-without-{}", without.replace('_', "-"));
                    while part.ground.unit(&name).is_some() {
                        name.push_str("-too");
                    }
                    twins.push(Twin { of: of.clone(), without, name });
                }
            }
        }
        twins
    }

    /// The chosen cells of `study`, by index, with armies that may also have these twins. The pack's metrics are not
    /// counted in their battles.
    ///
    /// # Errors
    /// The study's texts are not those of a valid study.
    pub fn cells_with_twins(&self, study: &Study, chosen: &[usize], twins: &[Twin]) -> Result<Vec<Cell>, Diagnostics> {
        self.cells_of(
            study,
            chosen,
            |part, plans| if twins.is_empty() { Ok(None) } else { part.with_twins(plans, twins).map(Some) },
        )
    }
}

impl Planned<'_> {
    /// These cells with twins in their pack. Values that a cell varies in a type also vary in its twins.
    fn with_twins(&self, plans: &[&CellPlan], twins: &[Twin]) -> Result<Vec<Built>, Diagnostics> {
        let mut ground = self.ground.clone();
        let own: Vec<&Twin> = twins.iter().filter(|twin| ground.add(twin)).collect();
        let plan = |plan: &&CellPlan| {
            let mut plan = CellPlan::clone(plan);
            let varied = plan.settings.clone();
            plan.settings.extend(own.iter().flat_map(|twin| varied.iter().filter_map(|entry| of_twin(entry, twin))));
            plan
        };
        let (built, _) = ground.build(&plans.iter().map(plan).collect::<Vec<_>>(), |_| ())?;
        Ok(built)
    }
}

impl Ground<'_> {
    fn unit(&self, name: &str) -> Option<&Table> {
        self.pack.root.get("unit")?.as_table()?.get(name)?.as_table()
    }

    /// The traits that a type lists, without those that are switched off.
    fn traits_of(&self, unit: &str) -> Vec<String> {
        let listed = self.unit(unit).and_then(|unit| unit.get("traits")).and_then(Node::as_array).unwrap_or_default();
        let is_on = |name: &&str| {
            let on = || self.pack.root.get("trait")?.as_table()?.get(name)?.as_table()?.get("on");
            on().is_none_or(|on| on.value != Value::Bool(false))
        };
        listed.iter().filter_map(Node::as_text).filter(is_on).map(str::to_owned).collect()
    }

    /// Adds a twin to the pack; false if its type does not list the trait there.
    fn add(&mut self, twin: &Twin) -> bool {
        if !self.traits_of(&twin.of).contains(&twin.without) {
            return false;
        }
        let Some(Value::Table(units)) = self.pack.root.get_mut("unit").map(|node| &mut node.value) else {
            return false;
        };
        let Some(mut copy) = units.get(&twin.of).cloned() else { return false };
        if let Value::Table(unit) = &mut copy.value
            && let Some(Value::Array(traits)) = unit.get_mut("traits").map(|node| &mut node.value)
        {
            traits.retain(|one| one.as_text() != Some(twin.without.as_str()));
        }
        units.insert(Key { name: twin.name.clone(), span: copy.span }, copy);
        true
    }
}

/// A cell's value for a type, applied to its twin; `None` for anything else, and for its list of traits.
fn of_twin(entry: &Entry, twin: &Twin) -> Option<Entry> {
    match entry.path.segments() {
        [unit, name, rest @ ..]
            if unit == "unit" && *name == twin.of && rest.first().is_some_and(|key| key != "traits") =>
        {
            let path = Path::root().join("unit").join(twin.name.as_str());
            let path = rest.iter().fold(path, |path, segment| path.join(segment.as_str()));
            Some(Entry { path, ..entry.clone() })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use grognard_source::Sources;

    use super::*;
    use crate::study::Changes;

    /// Every type has a twin for each trait that is in force, as strong as the cell's own type. A trait that is
    /// switched off has no twin.
    #[test]
    fn a_twin_lacks_one_trait_and_nothing_else() {
        let text = "study = 'ground'\npack = 'sf-skirmish'\n[vary]\n'unit.veteran.figures' = [2, 4]\n\
            [side.red]\ndoctrine = 'shoot-only'\nunits = [{ type = 'veteran', at = [0, -10] }]\n\
            [side.blue]\ndoctrine = 'shoot-only'\nunits = [{ type = 'trooper', at = [0, 10] }]\n";
        let mut sources = Sources::new();
        let file = sources.add("study.toml", text);
        let study = Study::read(file, None, &Changes::default(), &mut sources).expect("a good study");
        let variants = Variants::of(&study, &mut sources).expect("its own texts");
        let types = ["veteran", "trooper", "walker"].map(str::to_owned);
        let twins = variants.twins(&[0, 1], &types);
        let named: Vec<(&str, &str)> = twins.iter().map(|twin| (twin.name.as_str(), twin.without.as_str())).collect();
        assert_eq!(named, [("veteran-without-veteran", "veteran"), ("walker-without-fearless", "fearless")]);
        let cells = variants.cells_with_twins(&study, &[0, 1], &twins).expect("the same pack with more types");
        for (cell, figures) in cells.iter().zip([2, 4]) {
            let kind = |name: &str| &cell.rules.kinds[cell.rules.kind(name).expect("a type")];
            let (own, twin) = (kind("veteran"), kind("veteran-without-veteran"));
            assert_eq!((own.figures, twin.figures), (figures, figures));
            assert_eq!((own.traits.count_ones(), twin.traits), (1, 0));
        }
        let file = sources.add("off.toml", format!("{text}[set]\n'trait.veteran.on' = false\n"));
        let study = Study::read(file, None, &Changes::default(), &mut sources).expect("a good study");
        let variants = Variants::of(&study, &mut sources).expect("its own texts");
        assert!(variants.twins(&[0], &types).iter().all(|twin| twin.without != "veteran"));
    }
}
