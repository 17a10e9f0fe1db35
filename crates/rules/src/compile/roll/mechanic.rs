//! Mechanics: compiling a pack's roll into a procedure with dice.

use super::dice::{self, PackDice};
use super::inputs::{Inputs, Number};
use super::results;
use crate::compile::checker::{Checker, at};
use crate::model::{Cite, Contestant, Source};
use crate::wire::{
    ExplodeWire, FaceWire, HandWire, IntOrExpr, KeepName, MechanicName, ModifierTo, ModifierWire, NaturalWire,
    ReadName, RerollWire, RollWire, TallyWire, TiesName,
};
use grognard_roll::{
    Amount, Count, Explode, Hand, Keep, Kind, Line, Mechanic, Natural, Need, Opposed, Ranked, Read, Reroll, Rerolled,
    RollError, Row, Symbols, Table, Tally, Ties, Under,
};
use grognard_source::Path;

/// The default maximum number of dice in one hand.
pub(super) const DICE_MAX: i32 = 200;

/// The highest value of `most`, and the maximum number of dice that are always rolled.
pub(super) const DICE_MOST: i32 = 400;
/// The limits of modifiers and formulas.
pub(super) const ADDED_MAX: i32 = 200;

pub(super) fn mechanic(
    checker: &mut Checker<'_>,
    (id, wire): (&str, &RollWire),
    dice: &PackDice,
    inputs: &mut Inputs<'_>,
    (cite, stage_sources): (&mut Vec<Cite>, &mut Vec<(usize, Source)>),
) -> Option<Mechanic> {
    refuse_foreign_keys(checker, id, wire);
    let mut maker = Maker { checker, id, wire, dice, inputs, cite, stage_sources };
    match wire.mechanic {
        MechanicName::Opposed => maker.opposed(),
        MechanicName::Pool => maker.pool(),
        MechanicName::Symbols => maker.symbols(),
        MechanicName::Ranked => maker.ranked(),
        MechanicName::Under => maker.under(),
        MechanicName::Table => maker.table(),
    }
}

/// Reports keys that have no meaning for a mechanic.
fn refuse_foreign_keys(checker: &mut Checker<'_>, id: &str, wire: &RollWire) {
    use MechanicName::{Opposed, Pool, Ranked, Table, Under};
    let given: [(&str, bool, &[MechanicName]); 8] = [
        ("foe", wire.foe.is_some(), &[Opposed, Ranked]),
        ("ties", wire.ties.is_some(), &[Ranked]),
        ("stage", !wire.stage.is_empty(), &[Pool]),
        ("models", wire.models.is_some(), &[Pool]),
        ("target", wire.target.is_some(), &[Under]),
        ("column", wire.column.is_some(), &[Table]),
        ("row", !wire.row.is_empty(), &[Table]),
        ("columns", !wire.columns.is_empty(), &[Table]),
    ];
    for (key, is_given, of) in given {
        let belongs = of.contains(&wire.mechanic);
        if is_given && !belongs {
            checker.fault(&at!["roll", id, key], format!("a roll of this mechanic has no `{key}`"), Some("omit it"));
        } else if !is_given && belongs && !matches!(key, "stage" | "models" | "columns" | "column" | "ties") {
            checker.fault(&at!["roll", id], format!("a roll of this mechanic needs `{key}`"), None);
        }
    }
}

pub(super) struct Maker<'m, 'c, 'r> {
    pub(super) checker: &'m mut Checker<'c>,
    pub(super) id: &'m str,
    pub(super) wire: &'m RollWire,
    pub(super) dice: &'m PackDice,
    pub(super) inputs: &'m mut Inputs<'r>,
    /// Clauses of parts of the mechanic.
    pub(super) cite: &'m mut Vec<Cite>,
    /// The sources of stages of a pool.
    pub(super) stage_sources: &'m mut Vec<(usize, Source)>,
}

impl Maker<'_, '_, '_> {
    pub(super) fn at(&self, who: Contestant) -> Path {
        at!["roll", self.id, if who == Contestant::Own { "own" } else { "foe" }]
    }

    fn hand_wire(&self, who: Contestant) -> Option<&HandWire> {
        match who {
            Contestant::Own => Some(&self.wire.own),
            Contestant::Foe => self.wire.foe.as_ref(),
        }
    }

    /// The dice of a hand and how many of each there are.
    pub(super) fn kinds(&mut self, who: Contestant) -> Option<Vec<Kind>> {
        let at = self.at(who);
        let hand = self.hand_wire(who)?.clone();
        let parsed = dice::parse(self.checker, &at.join("dice"), &hand.dice, self.dice)?;
        let most = hand.most.map_or(DICE_MAX, i32::from);
        let mut kinds = Vec::new();
        let alone = parsed.len() == 1;
        if !alone && hand.count.is_some() {
            self.checker.fault(
                &at.join("count"),
                "`count` needs dice of a single kind",
                Some("write the numbers in `dice`"),
            );
        }
        for (index, (die, written)) in parsed.into_iter().enumerate() {
            if written.is_some() && hand.count.is_some() {
                self.checker.fault(
                    &at.join("count"),
                    "the number of dice is given twice",
                    Some("give it in `dice` or in `count`"),
                );
            }
            let number = Number {
                name: "dice",
                by: who,
                given: hand.count.as_ref(),
                default: i32::from(written.unwrap_or(1)),
                at: at.join("count"),
                modified: (index == 0 && alone).then_some((ModifierTo::Dice, 1)),
                limits: (0, most),
                cut: (true, hand.most.is_some()),
            };
            let count = self.inputs.amount(self.checker, &number);
            kinds.push(Kind { die, count });
        }
        Some(kinds)
    }

    pub(super) fn need(
        &mut self,
        who: Contestant,
        need: Option<&IntOrExpr>,
        success: &[FaceWire],
        at: &Path,
        modified: bool,
    ) -> Option<Need> {
        match (need, success) {
            (Some(_), []) => {
                let number = Number {
                    name: "need",
                    by: who,
                    given: need,
                    default: 0,
                    at: at.join("need"),
                    modified: modified.then_some((ModifierTo::Roll, -1)),
                    limits: (-ADDED_MAX, ADDED_MAX),
                    cut: (false, false),
                };
                Some(Need::AtLeast(self.inputs.amount(self.checker, &number)))
            }
            (None, faces) if !faces.is_empty() => Some(Need::Faces(faces.iter().map(dice::label).collect())),
            (None, _) => {
                self.checker.fault(
                    at,
                    "it is not clear which of these dice succeed",
                    Some("give `need`, or `success` with faces"),
                );
                None
            }
            (Some(_), _) => {
                self.checker.fault(&at.join("success"), "`need` and `success` exclude each other", None);
                None
            }
        }
    }

    /// A hand read as one number.
    fn hand(&mut self, who: Contestant, read: ReadName, modifiers: bool) -> Option<Hand> {
        let at = self.at(who);
        let wire = self.hand_wire(who)?.clone();
        self.refuse_pool_keys(&wire, &at);
        let kinds = self.kinds(who)?;
        if !wire.symbols.is_empty() {
            self.checker.fault(&at.join("symbols"), "symbols are counted in `symbols` rolls only", None);
        }
        self.refuse_in_hand(&wire, &at, wire.inert.is_some(), "inert");
        let read = match wire.read.unwrap_or(read) {
            ReadName::Sum => Read::Sum,
            ReadName::Highest => Read::Highest,
            ReadName::Successes => {
                Read::Successes(self.need(who, wire.need.as_ref(), &wire.success, &at, modifiers)?)
            }
        };
        let counted = matches!(read, Read::Successes(_));
        if !counted && (wire.need.is_some() || !wire.success.is_empty()) {
            let help = "add `read = \"successes\"`, or omit `need` and `success`";
            self.checker.fault(&at, "these dice are added up, so none of them succeeds", Some(help));
        }
        let plus = if counted && wire.add.is_none() {
            Amount::fixed(0)
        } else {
            self.added(who, wire.add.as_ref(), &at, modifiers && !counted)
        };
        let keep = match &wire.keep {
            None => Keep::All,
            Some(keep) => {
                let dice = Amount::fixed(i32::from(keep.dice));
                if keep.which == KeepName::Highest { Keep::Highest(dice) } else { Keep::Lowest(dice) }
            }
        };
        let reroll = self.reroll(wire.reroll.as_ref(), &at);
        let natural = self.natural(wire.natural.as_ref(), &wire.success, &at);
        let explode = explode(wire.explode.as_ref());
        let mut hand = Hand { kinds, keep, reroll, explode, read, natural, plus };
        if !counted && wire.natural.is_some() && self.wire.mechanic == MechanicName::Table {
            let help = "to test what the dice show, give a result `when = \"natural == 2\"`";
            self.checker.fault(&at.join("natural"), "a roll on a table neither fails nor succeeds", Some(help));
            hand.natural = Natural::default();
        } else if let Err(error) = hand.check_natural() {
            self.refuse_natural(&hand.natural, &error, &at);
            hand.natural = Natural::default();
        }
        Some(hand)
    }

    /// The number added to dice, with the modifiers of the roll if they change it.
    fn added(&mut self, who: Contestant, given: Option<&IntOrExpr>, at: &Path, modified: bool) -> Amount {
        let number = Number {
            name: "added",
            by: who,
            given,
            default: 0,
            at: at.join("add"),
            modified: modified.then_some((ModifierTo::Roll, 1)),
            limits: (-ADDED_MAX, ADDED_MAX),
            cut: (false, false),
        };
        self.inputs.amount(self.checker, &number)
    }

    /// Faces that fail or succeed regardless of the need. `success` lists the faces that are given instead of a need.
    pub(super) fn natural(&mut self, wire: Option<&NaturalWire>, success: &[FaceWire], at: &Path) -> Natural {
        let Some(wire) = wire else { return Natural::default() };
        let at = at.join("natural");
        if wire.fails.is_empty() && wire.succeeds.is_empty() {
            let help = "list the faces that always fail in `fails`, and those that always succeed in `succeeds`";
            self.checker.fault(&at, "`natural` lists no face", Some(help));
        }
        if !success.is_empty() {
            let message = "`success` lists the faces that succeed, whatever is needed";
            self.checker.fault(&at, message, Some("omit `natural`, or give `need` instead of `success`"));
            return Natural::default();
        }
        let labels = |faces: &[FaceWire]| faces.iter().map(dice::label).collect();
        Natural { fails: labels(&wire.fails), succeeds: labels(&wire.succeeds) }
    }

    /// Reports natural faces that the dice do not have, or that are listed twice.
    pub(super) fn refuse_natural(&mut self, natural: &Natural, error: &RollError, at: &Path) {
        let at = at.join("natural");
        let lists = [("fails", &natural.fails), ("succeeds", &natural.succeeds)];
        // The last place where it is listed: the second one if a face is listed twice.
        let place = |label: &String| {
            let mut lists = lists.iter().rev();
            let found = lists.find_map(|(key, list)| Some((key, list.iter().rposition(|listed| listed == label)?)));
            found.map_or_else(|| at.clone(), |(key, index)| at.join(*key).join(index.to_string()))
        };
        let (at, message, help) = match error {
            RollError::UnknownFace { dice, label, faces } => {
                (place(label), format!("{dice} has no face `{label}`"), format!("its faces are {faces}"))
            }
            RollError::UnknownNatural { dice, label, least, most } => {
                let help = format!("the dice show {least} to {most}, before anything is added");
                (place(label), format!("{dice} cannot show `{label}`"), help)
            }
            RollError::NaturalTwice { label } => {
                let help = "a face either fails or succeeds: list it once".to_owned();
                (place(label), format!("the natural face `{label}` is listed twice"), help)
            }
            _ => {
                let help = "give the number in `dice`, or `keep` that many of them".to_owned();
                (at, "a varying number of dice has no natural total".to_owned(), help)
            }
        };
        self.checker.fault(&at, message, Some(&help));
    }

    pub(super) fn reroll(&mut self, wire: Option<&RerollWire>, at: &Path) -> Option<Reroll> {
        let which = match wire? {
            RerollWire::Faces(faces) => Rerolled::Faces(faces.iter().map(dice::label).collect()),
            RerollWire::Named(name) => match name.as_str() {
                "failures" => Rerolled::Failures,
                "successes" => Rerolled::Successes,
                "ones" => Rerolled::Faces(vec!["1".to_owned()]),
                _ => {
                    let help = "write `failures`, `successes`, `ones`, or a list of faces";
                    self.checker.fault(&at.join("reroll"), format!("`{name}` cannot be rerolled"), Some(help));
                    return None;
                }
            },
        };
        Some(Reroll { which, times: 1 })
    }

    fn opposed(&mut self) -> Option<Mechanic> {
        let own = self.hand(Contestant::Own, ReadName::Sum, true);
        let foe = self.hand(Contestant::Foe, ReadName::Sum, true);
        Some(Mechanic::Opposed(Opposed { own: own?, foe: foe?, naturals: results::read(self.wire, "natural") }))
    }

    fn symbols(&mut self) -> Option<Mechanic> {
        let own = self.wire.own.clone();
        let at = self.at(Contestant::Own);
        for (given, key) in [
            (own.read.is_some(), "read"),
            (own.keep.is_some(), "keep"),
            (own.add.is_some(), "add"),
            (own.need.is_some(), "need"),
        ] {
            self.refuse_in_hand(&own, &at, given, key);
        }
        if own.natural.is_some() {
            let help = "name its faces: `success` lists those that are `hits`, and `symbols` others that results read";
            let message = "nothing is added to symbols, so dice of this mechanic have no `natural`";
            self.checker.fault(&at.join("natural"), message, Some(help));
        }
        self.refuse_pool_keys(&own, &at);
        let kinds = self.kinds(Contestant::Own)?;
        if own.success.is_empty() && own.symbols.is_empty() && own.tally.is_empty() {
            let help = "add `success` for `hits`, and `symbols` for others";
            self.checker.fault(&at, "a `symbols` roll must list the symbols that it counts", Some(help));
        }
        let mut counts: Vec<Count> =
            own.symbols.iter().map(|name| Count { name: name.clone(), faces: vec![name.clone()] }).collect();
        if !own.success.is_empty() {
            counts.insert(0, Count { name: "hits".into(), faces: own.success.iter().map(dice::label).collect() });
        }
        let tallies = self.tallies(&own.tally, &at, &mut counts);
        let reroll = self.reroll(own.reroll.as_ref(), &at);
        if own.inert.is_some() && own.explode.is_none() {
            self.checker.fault(&at.join("inert"), "no die adds another here", Some("add `explode`, or omit `inert`"));
        }
        let inert = self.switch(own.inert.as_ref(), at.join("inert"), DICE_MAX);
        let explode = explode(own.explode.as_ref());
        Some(Mechanic::Symbols(Symbols { kinds, reroll, explode, inert, counts, tallies }))
    }

    /// Faces that count only in some situations. Totals that are counted nowhere else are added to `counts`.
    fn tallies(&mut self, rows: &[TallyWire], at: &Path, counts: &mut Vec<Count>) -> Vec<Tally> {
        let mut tallies = Vec::new();
        for (number, row) in rows.iter().enumerate() {
            let at = at.join("tally").join(number.to_string());
            let known = counts.iter().position(|count| count.name == row.total);
            let total = known.unwrap_or_else(|| {
                counts.push(Count { name: row.total.clone(), faces: Vec::new() });
                counts.len() - 1
            });
            let given = row.when.as_ref().map(|when| IntOrExpr::Formula(format!("({when}) ? 1 : 0")));
            let when = self.switch(given.as_ref(), at.join("when"), 1);
            let given = row.pick.as_ref().map(|pick| IntOrExpr::Formula(pick.clone()));
            let pick = self.switch(given.as_ref(), at.join("pick"), row.faces.len().saturating_sub(1) as i32);
            tallies.push(Tally { total, faces: row.faces.iter().map(dice::label).collect(), when, pick });
        }
        tallies
    }

    pub(super) fn switch(&mut self, given: Option<&IntOrExpr>, at: Path, most: i32) -> Option<Amount> {
        let number = Number {
            name: "",
            by: Contestant::Own,
            given: Some(given?),
            default: 0,
            at,
            modified: None,
            limits: (0, most),
            cut: (false, false),
        };
        Some(self.inputs.amount(self.checker, &number))
    }

    fn ranked(&mut self) -> Option<Mechanic> {
        let own = self.line(Contestant::Own);
        let foe = self.line(Contestant::Foe);
        let ties = match self.wire.ties {
            Some(TiesName::Own) => Ties::FoeLoses,
            Some(TiesName::Foe) => Ties::OwnLoses,
            Some(TiesName::None) | None => Ties::NobodyLoses,
        };
        Some(Mechanic::Ranked(Ranked { own: own?, foe: foe?, ties }))
    }

    fn line(&mut self, who: Contestant) -> Option<Line> {
        let at = self.at(who);
        let wire = self.hand_wire(who)?.clone();
        for (given, key) in [
            (wire.read.is_some(), "read"),
            (wire.keep.is_some(), "keep"),
            (wire.need.is_some(), "need"),
            (!wire.success.is_empty(), "success"),
            (!wire.symbols.is_empty(), "symbols"),
            (!wire.tally.is_empty(), "tally"),
            (wire.explode.is_some(), "explode"),
            (wire.inert.is_some(), "inert"),
        ] {
            self.refuse_in_hand(&wire, &at, given, key);
        }
        self.refuse_pool_keys(&wire, &at);
        let kinds = self.kinds(who)?;
        let [Kind { die, count }] = <[Kind; 1]>::try_from(kinds)
            .map_err(|_| self.checker.fault(&at.join("dice"), "ranked dice must be of a single kind", None))
            .ok()?;
        let changes = |row: &ModifierWire| row.to.unwrap_or(ModifierTo::Roll) == ModifierTo::Roll;
        let plus = if wire.add.is_none() && !self.wire.modifier.iter().any(changes) {
            Amount::fixed(0)
        } else {
            self.added(who, wire.add.as_ref(), &at, true)
        };
        let mut line = Line { plus, reroll: self.reroll(wire.reroll.as_ref(), &at), ..Line::new(die, count) };
        line.natural = self.natural(wire.natural.as_ref(), &[], &at);
        if let Err(error) = line.check_natural() {
            self.refuse_natural(&line.natural, &error, &at);
            line.natural = Natural::default();
        }
        Some(line)
    }

    fn under(&mut self) -> Option<Mechanic> {
        let hand = self.hand(Contestant::Own, ReadName::Sum, false)?;
        let number = Number {
            name: "target",
            by: Contestant::Own,
            given: self.wire.target.as_ref(),
            default: 0,
            at: at!["roll", self.id, "target"],
            modified: Some((ModifierTo::Roll, 1)),
            limits: (-ADDED_MAX, ADDED_MAX),
            cut: (false, false),
        };
        let target = self.inputs.amount(self.checker, &number);
        Some(Mechanic::Under(Under { hand, target, natural: results::read(self.wire, "natural"), doubles: false }))
    }

    fn table(&mut self) -> Option<Mechanic> {
        let hand = self.hand(Contestant::Own, ReadName::Sum, true)?;
        // Without names, the first row says how many columns there are.
        let named = self.wire.columns.len();
        let columns = if named > 0 { named } else { self.wire.row.first().map_or(0, |row| row.entries.len()) };
        let mut sound = true;
        for (index, row) in self.wire.row.iter().enumerate() {
            let at = at!["roll", self.id, "row", index];
            if row.entries.len() != columns {
                let of = if named > 0 { "`columns` names" } else { "the first row has" };
                let message = format!("this row has {} entries, but {of} {columns}", row.entries.len());
                self.checker.fault(&at.join("entries"), message, Some("give each row an entry for every column"));
                sound = false;
            }
            let before = index.checked_sub(1).map(|before| self.wire.row[before].up_to);
            if let Some(before) = before.filter(|&before| row.up_to <= before) {
                let message = format!("this row is up to {}, but the row before it is up to {before}", row.up_to);
                let help = "order the rows by `up-to`, smallest first: each covers the totals above those of the row before it";
                self.checker.fault(&at.join("up-to"), message, Some(help));
                sound = false;
            }
        }
        if !sound {
            return None;
        }
        let number = Number {
            name: "column",
            by: Contestant::Own,
            given: self.wire.column.as_ref(),
            default: 0,
            at: at!["roll", self.id, "column"],
            modified: Some((ModifierTo::Column, 1)),
            limits: (-ADDED_MAX, ADDED_MAX),
            cut: (false, false),
        };
        let column = self.inputs.amount(self.checker, &number);
        let rows = self.wire.row.iter().map(|row| Row { up_to: row.up_to, entries: row.entries.clone() }).collect();
        Some(Mechanic::Table(Table {
            hand,
            column,
            shifts: Vec::new(),
            rows,
            natural: results::read(self.wire, "natural"),
        }))
    }

    fn refuse_pool_keys(&mut self, hand: &HandWire, at: &Path) {
        for (given, key) in [
            (!hand.groups.is_empty(), "groups"),
            (hand.counts.is_some(), "counts"),
            (hand.to.is_some(), "to"),
            (!hand.branch.is_empty(), "branch"),
        ] {
            self.refuse_in_hand(hand, at, given, key);
        }
    }

    pub(super) fn refuse_in_hand(&mut self, _: &HandWire, at: &Path, given: bool, key: &str) {
        if given {
            self.checker.fault(&at.join(key), format!("dice of this mechanic have no `{key}`"), Some("omit it"));
        }
    }
}

pub(super) fn explode(wire: Option<&ExplodeWire>) -> Option<Explode> {
    let wire = wire?;
    Some(Explode { faces: wire.faces.iter().map(dice::label).collect(), limit: wire.limit.min(255) as u8 })
}
