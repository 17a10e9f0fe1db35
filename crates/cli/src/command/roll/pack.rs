//! The odds of a roll of a pack: the chance of each result, and the effect of each modifier.

use std::collections::BTreeMap;

use grognard_exact::formula::Odds;
use grognard_rules::library;
use grognard_rules::model::{AskedModifier, AskedNumber, Effect, Modifier, Roll, Rules};
use grognard_rules::wire::ModifierTo;
use grognard_source::{Diagnostic, Document, Path, Sources, Value};
use serde_json::{Value as Json, json};

use super::printed::{BAR, chart, decimal, percent, short, whole};
use super::{Args, Beside, Rolled, bound};
use crate::answer::Answer;
use crate::failure::{Failure, Status};
use crate::table::Column;
use crate::text::{capitalised, listed, plural, series};

/// The maximum number of results with a column in the table of modifiers.
const COLUMNS: usize = 5;

/// A roll with the numbers and modifiers selected.
struct Chosen<'a> {
    rules: &'a Rules,
    roll: &'a Roll,
    numbers: Vec<AskedNumber>,
    values: Vec<i32>,
    /// For each number, whether the command line gives its value.
    given: Vec<bool>,
    /// For each number, the attribute of the rolling unit that supplies it in battle, if there is one.
    attributes: Vec<Option<String>>,
    modifiers: Vec<AskedModifier>,
    on: Vec<bool>,
}

/// A result of the dice: the row, and its cost to each side.
struct Outcome {
    row: usize,
    own: Effect,
    foe: Effect,
}

/// The odds of the roll under some modifiers.
struct Odd {
    /// By position in [`Roll::outcomes`].
    outcomes: Odds,
    /// By row of the result table.
    rows: Odds,
    /// The most informative total, and its odds.
    total: (String, Odds),
    /// The maximum error of a probability.
    rounding: f64,
}

/// How exact the odds are. Those of very large pools are rounded.
fn guarantee(rounding: f64) -> String {
    match rounding > 0.0 {
        true => format!("The odds are rounded: no probability is off by more than {rounding:.1e}."),
        false => "The odds are exact.".to_owned(),
    }
}

/// Computes a roll of a pack.
pub(super) fn roll(
    args: &Args,
    name: &str,
    other: Option<&Rolled<'_>>,
    sources: &mut Sources,
) -> Result<Status, Failure> {
    let pack = library::load(&args.formula, None, sources)?;
    let rules = pack.compile(sources)?;
    let chosen = Chosen::of(&rules, &pack.document, args, name)?;
    args.showing.check()?;
    args.showing.show(&chosen.answer(other, args.command())?)?;
    Ok(Status::Done)
}

/// The failure for a pack without a roll.
pub(super) fn without_a_roll(pack: &str, sources: &mut Sources) -> Failure {
    match rules(pack, sources) {
        Err(failure) => failure,
        Ok(rules) => Failure::wrong(format!("no roll of {} is named", rules.name), format!("name {}", rolls(&rules))),
    }
}

fn rules(pack: &str, sources: &mut Sources) -> Result<Rules, Failure> {
    Ok(library::load(pack, None, sources)?.compile(sources)?)
}

fn rolls(rules: &Rules) -> String {
    listed(&rules.rolls.iter().map(|roll| roll.id.clone()).collect::<Vec<_>>())
}

impl<'a> Chosen<'a> {
    fn of(rules: &'a Rules, document: &Document, args: &Args, name: &str) -> Result<Self, Failure> {
        let Some(roll) = rules.rolls.iter().find(|roll| roll.id == name) else {
            if rules.rolls.is_empty() {
                return Err(Failure::wrong(format!("{} has no rolls", rules.name), "name another pack"));
            }
            return Err(Diagnostic::unknown("roll", name, rules.rolls.iter().map(|roll| roll.id.as_str())).into());
        };
        let (numbers, modifiers) = (roll.asked_numbers(), roll.asked_modifiers());
        let mut chosen = Self {
            rules,
            roll,
            values: numbers.iter().map(AskedNumber::nearest).collect(),
            given: vec![false; numbers.len()],
            attributes: numbers.iter().map(|number| attribute(document, name, number)).collect(),
            on: vec![false; modifiers.len()],
            numbers,
            modifiers,
        };
        for set in &args.set {
            chosen.set(set)?;
        }
        for name in &args.modifiers {
            let known = || chosen.modifiers.iter().map(|modifier| modifier.name.as_str());
            let place = known().position(|known| known == name);
            let place = place.ok_or_else(|| Diagnostic::unknown("modifier", name, known()))?;
            chosen.on[place] = true;
        }
        chosen.check_numbers(document)?;
        Ok(chosen)
    }

    /// Refuses a roll that lacks a number that cannot be 0, or that has no dice.
    fn check_numbers(&self, document: &Document) -> Result<(), Failure> {
        let is_missing = |&at: &usize| {
            let number = &self.numbers[at];
            let fixed = number.least == number.most;
            let nothing = number.nearest() != 0 || number.name.trim_start_matches("foe.").starts_with("dice");
            !fixed && !self.given[at] && nothing
        };
        let missing: Vec<usize> = (0..self.numbers.len()).filter(is_missing).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let name = |at: &usize| format!("`{}`", self.numbers[*at].name);
        let message = format!(
            "the roll `{}` needs {}, which a battle would supply",
            self.roll.id,
            series(&missing.iter().map(name).collect::<Vec<_>>(), "and")
        );
        let set = |at: &usize| {
            let number = &self.numbers[*at];
            let range =
                format!("--set {}=N, {} to {}", number.name, whole(number.least.into()), whole(number.most.into()));
            let had = self.attributes[*at].as_ref().map(|attribute| values(document, attribute)).unwrap_or_default();
            if had.is_empty() { range } else { format!("{range} (units have {})", had.join("; ")) }
        };
        Err(Failure::wrong(message, format!("add {}", missing.iter().map(set).collect::<Vec<_>>().join("; "))))
    }

    /// Applies one `--set`.
    fn set(&mut self, text: &str) -> Result<(), Failure> {
        let wrong = || Failure::wrong(format!("`--set {text}` is not a number"), "write NAME=NUMBER, such as dice=5");
        let (name, value) = text.split_once('=').ok_or_else(wrong)?;
        let value: i32 = value.trim().replace('−', "-").parse().map_err(|_| wrong())?;
        // Numbers that only modifiers change cannot be set.
        let free = || self.numbers.iter().filter(|number| number.least < number.most);
        let attribute = name.trim().strip_prefix("self.");
        let of_unit = |at: usize| attribute.is_some() && self.attributes[at].as_deref() == attribute;
        let known_as = |number: &&AskedNumber| {
            let place = self.numbers.iter().position(|other| other == *number);
            number.name == name.trim() || place.is_some_and(of_unit)
        };
        let Some(number) = free().find(known_as) else {
            if free().next().is_none() {
                let message = format!("the roll `{}` has only fixed numbers", self.roll.id);
                return Err(Failure::wrong(message, "omit --set; `--with` applies a modifier"));
            }
            let known = free().map(|number| number.name.as_str());
            return Err(Diagnostic::unknown("number", name.trim(), known).into());
        };
        if !(number.least..=number.most).contains(&value) {
            let message = format!("`{}` cannot be {value} in this pack", number.name);
            return Err(Failure::wrong(message, format!("give a number from {} to {}", number.least, number.most)));
        }
        if let Some(at) = self.numbers.iter().position(|other| other == number) {
            self.values[at] = value;
            self.given[at] = true;
        }
        Ok(())
    }

    /// The odds with the selected modifiers, and with one more.
    fn odds(&self, more: Option<usize>) -> Result<Odd, Failure> {
        let applies = |modifier: &AskedModifier| {
            let place = self.modifiers.iter().position(|known| known == modifier);
            place.is_some_and(|place| self.on[place] || more == Some(place))
        };
        let inputs = self.roll.asked_inputs(&self.values, &applies);
        let weights = self.roll.weights(&inputs);
        let rounding = self.roll.rounding(&inputs);
        let (name, total) = self.roll.main_total(&inputs).map_err(|error| Failure::unfinished(error.to_string()))?;
        let row = |outcome: u16| i64::from(self.roll.outcomes[usize::from(outcome)].row);
        Ok(Odd {
            outcomes: Odds::of_weights(weights.iter().map(|&(outcome, weight)| (i64::from(outcome), weight))),
            rows: Odds::of_weights(weights.iter().map(|&(outcome, weight)| (row(outcome), weight))),
            total: (name, Odds::of_weights(total.into_iter().map(|(value, weight)| (i64::from(value), weight)))),
            rounding,
        })
    }

    fn modifier(&self, place: usize) -> &Modifier {
        &self.roll.modifiers[self.modifiers[place].row]
    }

    fn answer(&self, other: Option<&Rolled<'_>>, command: String) -> Result<Answer, Failure> {
        let odd = self.odds(None)?;
        let beside = Beside::of(&odd.total.1, other)?;
        let mut others = Vec::new();
        for place in (0..self.modifiers.len()).filter(|&place| !self.on[place]) {
            others.push((place, self.odds(Some(place))?));
        }
        let rounding = others.iter().fold(odd.rounding, |most, (_, other)| most.max(other.rounding));
        let (total, odds) = (odd.total.0.replace('_', " "), &odd.total.1);
        let finding = format!("{}: {total} {} on average", capitalised(&self.roll.title), decimal(odds.mean(), 2));
        let title = format!("{}: {}", self.rules.title, self.roll.title);
        Ok(Answer {
            name: "roll",
            asked: "What are the odds of this roll?".to_owned(),
            fought: format!(
                "{}, {}, {} {}",
                plural(odd.outcomes.totals().count() as u64, "result"),
                if rounding > 0.0 { "rounded" } else { "exact" },
                self.rules.name,
                self.rules.version
            ),
            sentences: self.sentences(&odd).into_iter().chain(beside.as_ref().map(Beside::sentence)).collect(),
            columns: self.columns(&odd),
            more: vec![("The effect of each further modifier:".to_owned(), self.switches(&odd, &others))],
            legend: self
                .legend(rounding)
                .into_iter()
                .chain(other.filter(|other| other.explodes).map(|_| bound()))
                .collect(),
            json: self.json(&odd, &others, beside.as_ref(), (rounding, command.as_str())),
            records: self.records(&odd),
            chart: chart(odds, finding, &total, &command),
            title,
            command,
        })
    }

    fn sentences(&self, odd: &Odd) -> Vec<String> {
        let value = |at: usize| format!("{} {}", self.numbers[at].name, whole(i64::from(self.values[at])));
        let free = |at: &usize| self.numbers[*at].least < self.numbers[*at].most;
        let given: Vec<String> = (0..self.numbers.len()).filter(free).filter(|&at| self.given[at]).map(value).collect();
        let unset: Vec<String> = (0..self.numbers.len())
            .filter(free)
            .filter(|&at| !self.given[at])
            .map(|at| self.numbers[at].name.clone())
            .collect();
        let on: Vec<String> =
            (0..self.on.len()).filter(|&at| self.on[at]).map(|at| self.modifiers[at].name.clone()).collect();
        let mut with = [given, on].concat();
        if with.is_empty() {
            with.push("no modifier".to_owned());
        }
        let (total, odds) = &odd.total;
        let mean = format!(
            "mean {} {}, standard deviation {}",
            total.replace('_', " "),
            decimal(odds.mean(), 3),
            decimal(odds.sd(), 3)
        );
        let mut sentences = vec![format!("With {}: {mean}.", series(&with, "and"))];
        if !unset.is_empty() {
            sentences.push(format!("Not set, so taken as 0: {}.", series(&unset, "and")));
        }
        sentences
    }

    fn outcomes(&self, odd: &Odd) -> Vec<(i64, Outcome)> {
        let of = |at: i64| {
            let outcome = &self.roll.outcomes[at as usize];
            (at, Outcome { row: usize::from(outcome.row), own: outcome.own, foe: outcome.foe })
        };
        odd.outcomes.totals().map(of).collect()
    }

    fn title(&self, outcome: &Outcome) -> String {
        self.roll.results[outcome.row].title.clone()
    }

    fn columns(&self, odd: &Odd) -> Vec<Column> {
        let outcomes = self.outcomes(odd);
        let chance = |at: i64| odd.outcomes.chance_of(at);
        let most = outcomes.iter().map(|(at, _)| chance(*at).value).fold(0.0, f64::max);
        let column = |head: &str, text: &dyn Fn(i64, &Outcome) -> String| {
            Column::new(head, outcomes.iter().map(|(at, outcome)| text(*at, outcome)).collect())
        };
        let mut columns = vec![column("result", &|_, outcome| self.title(outcome))];
        for (head, _, of) in COSTS {
            if outcomes.iter().any(|(_, outcome)| of(outcome) > 0) {
                columns.push(column(head, &|_, outcome| of(outcome).to_string()).right());
            }
        }
        columns.push(column("chance", &|at, _| percent(&chance(at))).right());
        columns.push(column("fraction", &|at, _| short(&odd.outcomes.fraction(at).to_string())).right());
        columns.push(column("", &|at, _| "█".repeat((BAR * chance(at).value / most).round() as usize)));
        columns
    }

    /// The rows of the result table that are possible, if there is more than one, but not too many.
    fn rows(&self, odd: &Odd, others: &[(usize, Odd)]) -> Vec<i64> {
        let rows = 0..self.roll.results.len() as i64;
        let comes = |row: &i64| {
            let within = |odd: &Odd| odd.rows.totals().any(|other| other == *row);
            within(odd) || others.iter().any(|(_, odd)| within(odd))
        };
        let rows: Vec<i64> = rows.filter(comes).collect();
        if (2..=COLUMNS).contains(&rows.len()) { rows } else { Vec::new() }
    }

    fn switches(&self, odd: &Odd, others: &[(usize, Odd)]) -> Vec<Column> {
        let rows = self.rows(odd, others);
        let column = |head: &str, text: &dyn Fn(usize, &Odd) -> String| {
            Column::new(head, others.iter().map(|(place, odd)| text(*place, odd)).collect())
        };
        let mut columns = vec![
            column("changes", &|place, _| change(self.modifier(place))),
            column(&format!("mean {}", odd.total.0.replace('_', " ")), &|_, odd| decimal(odd.total.1.mean(), 3))
                .right(),
        ];
        for row in rows {
            let title = &self.roll.results[row as usize].title;
            columns.push(column(title, &|_, odd| percent(&odd.rows.chance_of(row))).right());
        }
        columns.push(column("modifier", &|place, _| self.modifiers[place].name.clone()));
        columns
    }

    fn legend(&self, rounding: f64) -> Vec<String> {
        let mut legend = Vec::new();
        if self.roll.outcomes.iter().any(|outcome| outcome.own.gain > 0 || outcome.foe.gain > 0) {
            legend.push("gains, enemy gains: figures given back to the unit that rolls and to its enemy.".to_owned());
        }
        if self.roll.outcomes.iter().any(|outcome| outcome.own.lose > 0 || outcome.foe.lose > 0) {
            legend.push("loses, enemy loses: figures lost by the unit that rolls and by its enemy.".to_owned());
        }
        if self.modifiers.iter().any(|modifier| modifier.name.starts_with("foe.")) {
            legend.push("foe.: a modifier of the enemy's dice.".to_owned());
        }
        legend.push(guarantee(rounding));
        legend
    }

    fn json(
        &self,
        odd: &Odd,
        others: &[(usize, Odd)],
        beside: Option<&Beside<'_>>,
        (rounding, command): (f64, &str),
    ) -> Json {
        let (name, total) = &odd.total;
        let of = |odds: &Odds, at: i64| (odds.chance_of(at).value, odds.fraction(at).to_string());
        let totals = total.totals().map(|value| {
            let (p, fraction) = of(total, value);
            json!({ "value": value, "p": p, "fraction": fraction })
        });
        let results = self.outcomes(odd).into_iter().map(|(at, outcome)| {
            let (p, fraction) = of(&odd.outcomes, at);
            let costs = COSTS.iter().map(|(_, key, of)| ((*key).to_owned(), json!(of(&outcome))));
            let result = ("result".to_owned(), json!(self.roll.results[outcome.row].id));
            let odds = [("p".to_owned(), json!(p)), ("fraction".to_owned(), json!(fraction))];
            Json::Object([result].into_iter().chain(costs).chain(odds).collect())
        });
        let switches = others.iter().map(|(place, odd)| {
            let results = odd.rows.totals().map(|row| {
                let (p, fraction) = of(&odd.rows, row);
                json!({ "result": self.roll.results[row as usize].id, "p": p, "fraction": fraction })
            });
            json!({
                "modifier": self.modifiers[*place].name,
                "changes": change(self.modifier(*place)),
                "mean": odd.total.1.mean(),
                "results": results.collect::<Vec<_>>(),
            })
        });
        let numbers = self.numbers.iter().zip(&self.values);
        let on = (0..self.on.len()).filter(|&at| self.on[at]).map(|at| self.modifiers[at].name.as_str());
        json!({
            "study": null,
            "pack": self.rules.name,
            "roll": self.roll.id,
            "method": "roll",
            "seed": null,
            "battles": 0,
            "level": 1.0,
            "guarantee": guarantee(rounding),
            "command": command,
            "set": numbers.map(|(number, value)| (number.name.clone(), json!(value))).collect::<serde_json::Map<_, _>>(),
            "with": on.collect::<Vec<_>>(),
            "total": name,
            "mean": total.mean(),
            "sd": total.sd(),
            "totals": totals.collect::<Vec<_>>(),
            "results": results.collect::<Vec<_>>(),
            "modifiers": switches.collect::<Vec<_>>(),
            "against": beside.map(Beside::json),
        })
    }

    fn records(&self, odd: &Odd) -> Vec<Vec<String>> {
        let keys = COSTS.iter().map(|(_, key, _)| *key);
        let head = ["result"].into_iter().chain(keys).chain(["chance", "fraction"]);
        let mut records = vec![head.map(str::to_owned).collect::<Vec<_>>()];
        for (at, outcome) in self.outcomes(odd) {
            let chance = odd.outcomes.chance_of(at).value.to_string();
            let costs = COSTS.iter().map(|(_, _, of)| of(&outcome).to_string());
            let result = self.roll.results[outcome.row].id.clone();
            records.push(
                [result].into_iter().chain(costs).chain([chance, odd.outcomes.fraction(at).to_string()]).collect(),
            );
        }
        records
    }
}

/// The attribute behind a number of a roll, if its formula is just that attribute of the rolling unit.
fn attribute(document: &Document, roll: &str, number: &AskedNumber) -> Option<String> {
    let rolls = Path::root().join("roll").join(roll);
    let mut leaves = document.leaves().into_iter().filter(|(path, _)| path.segments().starts_with(rolls.segments()));
    let (_, node) = leaves.find(|(path, _)| path.segments().last() == Some(&number.name))?;
    let attribute = node.as_text()?.trim().strip_prefix("self.")?;
    attribute.chars().all(|letter| letter.is_alphanumeric() || letter == '_').then(|| attribute.to_owned())
}

/// The values of an attribute among unit types, in ascending order, each with one type that has it.
fn values(document: &Document, attribute: &str) -> Vec<String> {
    let name = attribute.replace('_', "-");
    let mut values: BTreeMap<i64, String> = BTreeMap::new();
    for (path, node) in document.leaves() {
        if let ([unit, kind, is, key], Value::Int(value)) = (path.segments(), &node.value)
            && (unit.as_str(), is.as_str()) == ("unit", "is")
            && (*key == attribute || *key == name)
        {
            values.entry(*value).or_insert_with(|| kind.clone());
        }
    }
    values.into_iter().map(|(value, kind)| format!("{value}, such as {kind}")).collect()
}

/// A column for the cost of a result: its heading, its name in JSON and CSV, and the number.
type Cost = (&'static str, &'static str, fn(&Outcome) -> u16);

/// The costs of results.
const COSTS: [Cost; 7] = [
    ("loses", "loses", |outcome| outcome.own.lose),
    ("enemy loses", "enemy_loses", |outcome| outcome.foe.lose),
    ("gains", "gains", |outcome| outcome.own.gain),
    ("enemy gains", "enemy_gains", |outcome| outcome.foe.gain),
    ("colours", "colours", |outcome| outcome.foe.score.colours.into()),
    ("swords", "swords", |outcome| outcome.foe.score.swords.into()),
    ("flags", "flags", |outcome| outcome.foe.score.flags.into()),
];

/// What a modifier changes, and by how much: `+2 to the roll`.
fn change(modifier: &Modifier) -> String {
    let added = |to: &str| {
        let sign = if modifier.add > 0 { "+" } else { "" };
        format!("{sign}{} to {to}", whole(i64::from(modifier.add)))
    };
    match modifier.to {
        ModifierTo::Roll => added("the roll"),
        ModifierTo::Dice => added("the dice"),
        ModifierTo::Column => added("the column"),
        ModifierTo::Base => added("the dice, first"),
        ModifierTo::Less => added("the dice, after caps"),
        ModifierTo::Cap => format!("at most {} dice", modifier.add),
        ModifierTo::Divide => format!("dice divided by {}", modifier.add),
    }
}
