//! Repertoires: the orders that a player may give besides the rows of a unit's doctrine.
//!
//! They add rows that a doctrine itself never follows, so that its own battles do not change.

use super::checker::{Checker, at};
use super::doctrine::{Orders, Staff, act, ordered};
use super::outline::KindOutline;
use crate::model::{DoctrineRow, Offered, Order};
use crate::situation::{Fact, Field, Subject};
use crate::wire::{
    ActBarWire, ChoiceWire, DoctrineRowWire, GridWire, MechanismName, NumbersWire, OptionWire, OrderName,
    RepertoireName, WordsWire,
};
use grognard_expr::{Expr, Kind, Lookup, Row, Var};
use grognard_source::{Inches, Path};

/// The maximum number of orders in a choice. Each of them multiplies the enumeration.
const OPTIONS_MAX: u64 = 60;

/// Adds to each doctrine the extra orders of its players.
pub(super) fn widen(
    checker: &mut Checker<'_>,
    staff: &Staff<'_>,
    declared: &[Declared],
    doctrines: &mut [(&str, Vec<Orders>)],
) {
    match *staff.wire.repertoire {
        RepertoireName::Own => {}
        RepertoireName::Pack => of_pack(checker, staff, doctrines),
        RepertoireName::Declared => {
            if staff.wire.choice.is_empty() {
                let help = "write a table [choice.NAME] with a phase and its options, or use `pack`";
                checker.fault(&at!["repertoire"], "the pack declares no choices", Some(help));
            }
            for (_, phases) in doctrines {
                for one in declared {
                    one.add_to(checker, &mut phases[one.phase]);
                }
            }
        }
    }
}

/// An order that a choice offers.
pub(super) struct Declared {
    phase: usize,
    row: DoctrineRow,
}

impl Declared {
    fn add_to(&self, checker: &Checker<'_>, orders: &mut Orders) {
        match self.row.order {
            Order::Choose(choice) if orders.decides(choice as usize) => {}
            Order::Choose(choice) => orders.asked[choice as usize].clone_from(&self.row.offered),
            _ => orders.offer(checker, self.row.clone()),
        }
    }
}

/// Adds rows from all other doctrines: decisions for which a doctrine has no rows of its own, and orders that it never
/// gives.
fn of_pack(checker: &Checker<'_>, staff: &Staff<'_>, doctrines: &mut [(&str, Vec<Orders>)]) {
    let all: Vec<(String, Vec<Orders>)> =
        doctrines.iter().map(|(id, phases)| ((*id).to_owned(), phases.clone())).collect();
    let concerned = |when: Option<&Expr>| concerned(&checker.fields(), staff.kinds, when);
    for (own, phases) in doctrines {
        for (other, theirs) in all.iter().filter(|(other, _)| other != own) {
            for (orders, theirs) in phases.iter_mut().zip(theirs) {
                for (place, row) in theirs.rows.iter().enumerate().filter(|(_, row)| row.also.is_none()) {
                    let follow = theirs.rows[place + 1..].iter().take_while(|row| row.also.is_some());
                    let group: Vec<&DoctrineRow> = std::iter::once(row).chain(follow).collect();
                    if row.order == Order::Hold && group.len() == 1 {
                        continue;
                    }
                    let kinds = concerned(row.when.as_ref());
                    if group.len() == 1 && joined(&mut orders.rows, row, &kinds) {
                        continue;
                    }
                    for row in group {
                        let offered = Some(Offered { kinds: kinds.clone(), who: None });
                        let id = format!("{} of {other}", row.id);
                        orders.offer(checker, DoctrineRow { id, offered, ..row.clone() });
                    }
                }
                for (choice, asked) in orders.asked.clone().into_iter().enumerate() {
                    if orders.decides(choice) || theirs.choices(choice).is_empty() {
                        continue;
                    }
                    let mut asked = asked.unwrap_or(Offered { kinds: vec![false; staff.kinds.len()], who: None });
                    theirs.choices(choice).iter().for_each(|when| join(&mut asked.kinds, &concerned(when.as_ref())));
                    orders.asked[choice] = Some(asked);
                }
            }
        }
    }
}

/// Whether a doctrine already has an order. If it came from another doctrine, it is now offered to these types as well.
fn joined(rows: &mut [DoctrineRow], row: &DoctrineRow, kinds: &[bool]) -> bool {
    let alone: Vec<bool> =
        (0..rows.len()).map(|place| rows.get(place + 1).is_none_or(|next| next.also.is_none())).collect();
    let mut same = rows.iter_mut().zip(alone).filter(|(known, alone)| {
        let alike = known.order == row.order && known.towards == row.towards && known.legs == row.legs;
        *alone && known.also.is_none() && alike && known.of_any == row.of_any
    });
    let Some((known, _)) = same.next() else { return false };
    if let Some(offered) = &mut known.offered {
        join(&mut offered.kinds, kinds);
    }
    true
}

fn join(kinds: &mut [bool], more: &[bool]) {
    kinds.iter_mut().zip(more).for_each(|(one, other)| *one |= other);
}

/// For each unit type, whether a condition can ever be true for a unit of that type.
fn concerned(fields: &[Field], kinds: &[KindOutline], when: Option<&Expr>) -> Vec<bool> {
    let can = |(place, kind): (usize, &KindOutline)| {
        let known = |var: Var| match fields.get(var.index())? {
            Field { subject: Subject::Own, fact: Fact::Kind } => Some(place as i32),
            Field { subject: Subject::Own, fact: Fact::Arm } => Some(kind.arm.into()),
            Field { subject: Subject::Own, fact: Fact::Attribute(index) } => {
                kind.attributes.get(usize::from(*index)).map(|&value| value.into())
            }
            _ => None,
        };
        when.is_none_or(|when| when.decided(&known) != Some(0))
    };
    kinds.iter().enumerate().map(can).collect()
}

/// All orders that choices offer. They are checked no matter which player uses them.
pub(super) fn declared(checker: &mut Checker<'_>, staff: &Staff<'_>) -> Vec<Declared> {
    staff.wire.choice.iter().flat_map(|(name, choice)| offered(checker, staff, name, choice)).collect()
}

/// The orders that a choice offers.
fn offered(checker: &mut Checker<'_>, staff: &Staff<'_>, name: &str, choice: &ChoiceWire) -> Vec<Declared> {
    let at = at!["choice", name];
    let who = choice.who.as_ref().map(|who| checker.expr(&at.join("who"), who, Kind::Bool));
    // An invalid condition has already been reported.
    let Ok(who) = who.map_or(Ok(None), |who| who.map(Some).ok_or(())) else { return Vec::new() };
    let kinds = concerned(&checker.fields(), staff.kinds, who.as_ref());
    if !kinds.contains(&true) {
        checker.fault(
            &at.join("who"),
            "no unit type is one of these",
            Some("name an arm, a type or a class that the pack has"),
        );
        return Vec::new();
    }
    let who = who.map(|who| Lookup::sum(&[Row { when: Some(&who), add: 1 }]));
    let orders = || choice.options.iter().filter(|option| option.order() != OrderName::Hold);
    let many = orders().fold(0, |sum: u64, option| sum.saturating_add(option.many()));
    if many == 0 {
        let help = "list orders, such as \"charge\" or { do = \"advance\", stop = [4, 8] }; `hold` is always an option";
        checker.fault(&at.join("options"), "this choice offers only `hold`", Some(help));
        return Vec::new();
    }
    if many > OPTIONS_MAX {
        let message = format!("this choice has {many} options, more than the limit of {OPTIONS_MAX}");
        checker.fault(&at.join("options"), message, Some("give fewer values, or larger steps between them"));
        return Vec::new();
    }
    let mut found = Vec::new();
    for (place, option) in choice.options.iter().enumerate().filter(|(_, option)| option.order() != OrderName::Hold) {
        let at = at.join("options").join(place.to_string());
        let faults = checker.faults();
        for row in rows(checker, name, choice, option, &at) {
            let order = ordered(checker, staff, &row, &at);
            let Some((phase, order)) =
                order.filter(|&(phase, order)| is_allowed(checker, staff, (phase, order), &kinds, &at))
            else {
                break;
            };
            // A fault in one order applies to all orders of the option.
            if checker.faults() > faults {
                break;
            }
            let act = act(checker, staff, phase, order, &at);
            if act.is_some_and(|act| is_barred(checker, staff, act, &kinds, &at)) {
                break;
            }
            let offered = Some(Offered { kinds: kinds.clone(), who: who.clone() });
            let (id, of_any, towards) =
                (row.id, choice.of == crate::wire::OfName::Any, row.towards.unwrap_or_default());
            let row =
                DoctrineRow { id, order, of_any, also: None, act, legs: Vec::new(), when: None, towards, offered };
            found.push(Declared { phase, row });
        }
    }
    found
}

/// Refuses an order that the rules never allow to any unit of a choice.
fn is_allowed(
    checker: &mut Checker<'_>,
    staff: &Staff<'_>,
    (phase, order): (usize, Order),
    kinds: &[bool],
    at: &Path,
) -> bool {
    let any =
        |may: &dyn Fn(&KindOutline) -> bool| staff.kinds.iter().zip(kinds).any(|(kind, &asked)| asked && may(kind));
    let never = match order {
        Order::Form(formation) => {
            let title = &staff.formations[formation];
            let open = any(&|kind| kind.open[formation]);
            (!open).then(|| format!("no unit in this choice may take the formation `{title}`"))
        }
        Order::Dismount => (!any(&|kind| kind.dismounts)).then(|| "no unit in this choice may dismount".to_owned()),
        Order::Charge => {
            let when = staff.wire.movement.as_ref().and_then(|movement| movement.charge.as_deref());
            let when = when.and_then(|when| checker.checked_elsewhere(when, Kind::Bool));
            let may = concerned(&checker.fields(), staff.kinds, when.as_ref());
            let open = may.iter().zip(kinds).any(|(&may, &asked)| may && asked);
            (!open).then(|| "no unit in this choice may charge (`movement.charge`)".to_owned())
        }
        Order::Detach(_) | Order::Recall => {
            let rows = staff.wire.skirmish.iter().flat_map(|skirmish| &skirmish.screen);
            let screens: Vec<&str> = rows.flat_map(|row| &row.units).map(String::as_str).collect();
            let open = any(&|kind| screens.contains(&kind.id.as_str()));
            (!open).then(|| "no unit in this choice has skirmishers (`skirmish.screen`)".to_owned())
        }
        Order::Fire if staff.phases[phase].mechanism == MechanismName::Fire => {
            (!any(&|kind| kind.shoots)).then(|| "no unit in this choice has a `range` to fire at".to_owned())
        }
        _ => None,
    };
    let Some(message) = never else { return true };
    checker.fault(at, message, Some(OTHERS));
    false
}

/// Refuses an order whose act a bar forbids to every unit of a choice, in any situation.
fn is_barred(checker: &mut Checker<'_>, staff: &Staff<'_>, act: u8, kinds: &[bool], at: &Path) -> bool {
    let Some(act) = staff.wire.act.get(usize::from(act)) else { return false };
    let barred = |bar: &ActBarWire| {
        let when = checker.checked_elsewhere(&format!("!({})", bar.when), Kind::Bool);
        let free = concerned(&checker.fields(), staff.kinds, when.as_ref());
        !free.iter().zip(kinds).any(|(&free, &asked)| free && asked)
    };
    let Some(bar) = act.bar.iter().find(|bar| barred(bar)) else { return false };
    let message = format!("the act `{}` is barred to every unit in this choice: {}", act.id, bar.title);
    checker.fault(at, message, Some(OTHERS));
    true
}

/// What to write instead of an order that no unit of a choice may be given.
const OTHERS: &str = "remove the option, or name other units under `who`";

/// The orders of an option, as rows of a doctrine.
fn rows(
    checker: &mut Checker<'_>,
    name: &str,
    choice: &ChoiceWire,
    option: &OptionWire,
    at: &Path,
) -> Vec<DoctrineRowWire> {
    let blank = |order: OrderName| DoctrineRowWire {
        id: name.to_owned(),
        phase: choice.phase.clone(),
        when: None,
        order,
        of: choice.of,
        also: false,
        figures: None,
        degrees: None,
        formation: None,
        towards: None,
        stop: None,
        bearing: None,
        by: None,
        weigh: None,
        legs: Vec::new(),
    };
    let grid = match option {
        OptionWire::Plain(order) => {
            let row = blank(*order);
            return vec![DoctrineRowWire { id: format!("{name}: {}", said(*order)), ..row }];
        }
        OptionWire::Grid(grid) => grid,
    };
    let row = blank(grid.order);
    let mut rows = vec![DoctrineRowWire {
        towards: grid.towards,
        weigh: grid.weigh,
        id: format!("{name}: {}", said(grid.order)),
        ..row
    }];
    if let Some(formations) = &grid.formation {
        rows = each(&rows, &formations.all(), |row, formation| {
            row.id = format!("{} {formation}", row.id);
            row.formation = Some(formation.clone());
            true
        });
    }
    for (key, numbers, put, range) in grid.numbers() {
        let mut wrong = None;
        rows = each(&rows, &numbers.all(), |row, &number| {
            row.id = format!("{} {key} {number}", row.id);
            let is_good = put(row, number);
            wrong = wrong.or((!is_good).then_some(number));
            is_good
        });
        if let Some(number) = wrong {
            checker.fault(&at.join(key), format!("{number} is not a valid `{key}`"), Some(range));
        }
    }
    rows
}

/// Every combination of a row and a value that can be put into it.
fn each<V>(
    rows: &[DoctrineRowWire],
    values: &[V],
    mut put: impl FnMut(&mut DoctrineRowWire, &V) -> bool,
) -> Vec<DoctrineRowWire> {
    let mut all = Vec::new();
    for row in rows {
        for value in values {
            let mut row = row.clone();
            if put(&mut row, value) {
                all.push(row);
            }
        }
    }
    all
}

/// Puts a number into a row; false if the row has no place for it.
type Put = fn(&mut DoctrineRowWire, f64) -> bool;

impl GridWire {
    /// The numeric keys, and how they are put into a row.
    fn numbers(&self) -> Vec<(&'static str, &NumbersWire, Put, &'static str)> {
        fn put<T>(place: &mut Option<T>, value: Option<T>) -> bool {
            *place = value;
            place.is_some()
        }
        const INCHES: &str = "give inches from 0 to 1000, with at most two decimals";
        let all: [(&'static str, Option<&NumbersWire>, Put, &'static str); 5] = [
            ("stop", self.stop.as_ref(), |row, number| put(&mut row.stop, Inches::try_from(number).ok()), INCHES),
            (
                "figures",
                self.figures.as_ref(),
                |row, number| put(&mut row.figures, whole(number, 1, 200)),
                "give 1 to 200 figures",
            ),
            (
                "degrees",
                self.degrees.as_ref(),
                |row, number| put(&mut row.degrees, whole(number, -180, 180)),
                "give whole degrees from -180 to 180",
            ),
            (
                "bearing",
                self.bearing.as_ref(),
                |row, number| put(&mut row.bearing, whole(number, 0, 359)),
                "give whole degrees from 0 to 359",
            ),
            ("by", self.by.as_ref(), |row, number| put(&mut row.by, Inches::try_from(number).ok()), INCHES),
        ];
        all.into_iter().filter_map(|(key, numbers, put, range)| Some((key, numbers?, put, range))).collect()
    }
}

/// A whole number between two others.
fn whole<T: TryFrom<i64>>(number: f64, least: i64, most: i64) -> Option<T> {
    let in_range = number.fract() == 0.0 && number >= least as f64 && number <= most as f64;
    in_range.then_some(number as i64).and_then(|number| T::try_from(number).ok())
}

impl OptionWire {
    fn order(&self) -> OrderName {
        match self {
            Self::Plain(order) => *order,
            Self::Grid(grid) => grid.order,
        }
    }

    /// The number of orders.
    fn many(&self) -> u64 {
        let Self::Grid(grid) = self else { return 1 };
        let formations = grid.formation.as_ref().map_or(1, |words| words.all().len() as u64);
        grid.numbers().iter().fold(formations, |product, (_, numbers, ..)| product.saturating_mul(numbers.many()))
    }
}

impl WordsWire {
    fn all(&self) -> Vec<String> {
        match self {
            Self::One(word) => vec![word.clone()],
            Self::List(words) => words.clone(),
        }
    }
}

impl NumbersWire {
    /// The number of values: 0 for an empty range.
    fn many(&self) -> u64 {
        match self {
            Self::One(_) => 1,
            Self::List(numbers) => numbers.len() as u64,
            // Rounding must not lose the last number. NaN counts as 0, and a count that is too large as the maximum.
            Self::Range(range) => ((range.to - range.from) / range.step + 1.0 + 1e-9).max(0.0) as u64,
        }
    }

    fn all(&self) -> Vec<f64> {
        match self {
            Self::One(number) => vec![*number],
            Self::List(numbers) => numbers.clone(),
            Self::Range(range) => {
                let nth = |nth: u64| ((range.from + nth as f64 * range.step) * 1e3).round() / 1e3;
                (0..self.many()).map(nth).collect()
            }
        }
    }
}

/// An order as files write it.
fn said(order: OrderName) -> String {
    serde_json::to_value(order).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use crate::compile::changed::under;
    use crate::model::{Choice, Order, Rules};
    use grognard_source::{Diagnostics, Sources};

    fn compiled(pack: &str, text: &str, sources: &mut Sources) -> Result<Rules, Diagnostics> {
        crate::compile(&under(pack, text, sources), sources)
    }

    fn rules(text: &str) -> Rules {
        let mut sources = Sources::new();
        compiled("napoleonic-figures", text, &mut sources)
            .unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)))
    }

    /// The single fault of a choice.
    fn said(choice: &str) -> String {
        let mut sources = Sources::new();
        let faults = compiled("napoleonic-figures", &format!("[choice.square]\n{choice}\n"), &mut sources)
            .err()
            .unwrap_or_default();
        let text = faults.render(&sources, false);
        assert_eq!(faults.len(), 1, "{text}");
        assert!(text.contains("pack.toml:"), "{text}");
        text
    }

    #[test]
    fn a_choice_that_offers_nothing_is_refused() {
        let expect = |choice: &str, message: &str, help: &str| {
            let text = said(choice);
            assert!(text.contains(message) && text.contains(help), "{text}");
        };
        let nothing = "this choice offers only `hold`";
        expect("phase = 'formation'\noptions = []", nothing, "list orders");
        expect("phase = 'formation'\noptions = ['hold']", nothing, "list orders");
        expect("phase = 'formation'\noptions = [{ do = 'form', formation = [] }]", nothing, "list orders");
        expect(
            "phase = 'formation'\nwho = \"self.arm == 'infantry' && self.class == 'horse'\"\noptions = ['face']",
            "no unit type is one of these",
            "an arm, a type or a class",
        );
        expect("phase = 'formatoin'\noptions = ['face']", "formatoin", "formation");
    }

    #[test]
    fn what_the_rules_never_allow_is_refused() {
        let guns = "phase = 'formation'\nwho = \"self.arm == 'artillery'\"\n";
        let square = said(&format!("{guns}options = ['face', {{ do = 'form', formation = ['square', 'limbered'] }}]"));
        assert!(square.contains("no unit in this choice may take the formation `square`"), "{square}");
        assert!(square.contains("remove the option"), "{square}");
        let ram = said("phase = 'charge'\nwho = \"self.arm == 'artillery'\"\noptions = ['charge']");
        assert!(ram.contains("no unit in this choice may charge"), "{ram}");
        let shot = said("phase = 'fire'\nwho = \"self.arm == 'cavalry'\"\nof = 'any'\noptions = ['fire']");
        assert!(shot.contains("no unit in this choice has a `range`"), "{shot}");
        let screen = said(&format!("{guns}options = ['face', 'detach']"));
        assert!(screen.contains("no unit in this choice has skirmishers"), "{screen}");
        let walk = said(&format!("{guns}options = ['dismount']"));
        assert!(walk.contains("may dismount"), "{walk}");
        let charge = said("phase = 'formation'\noptions = ['charge']");
        assert!(charge.contains("phase `formation` cannot do this"), "{charge}");
        let far = said("phase = 'move'\noptions = [{ do = 'advance', stop = [4, 1001] }]");
        assert!(far.contains("1001 is not a valid `stop`") && far.contains("0 to 1000"), "{far}");
        let unknown = said("phase = 'formation'\noptions = [{ do = 'form', formation = ['sqare', 'line'] }]");
        assert!(unknown.contains("did you mean `square`?"), "{unknown}");
    }

    #[test]
    fn an_act_that_is_barred_to_an_arm_is_refused() {
        let refused = |who: &str, order: &str| {
            let mut sources = Sources::new();
            let text = format!("[choice.x]\nphase = 'pip'\nwho = \"self.arm == '{who}'\"\noptions = ['{order}']\n");
            let faults = compiled("napoleonic-pips", &text, &mut sources).err();
            faults.map(|faults| faults.render(&sources, false))
        };
        let fire = refused("cavalry", "fire").expect("cavalry does not fire");
        assert!(fire.contains("is barred to every unit in this choice: infantry and artillery fire"), "{fire}");
        assert!(refused("artillery", "charge").is_some_and(|text| text.contains("artillery never charges")));
        assert_eq!((refused("infantry", "fire"), refused("cavalry", "charge")), (None, None));
    }

    #[test]
    fn a_choice_may_call_a_general() {
        let mut sources = Sources::new();
        let text = "repertoire = 'declared'\n[choice.generals]\nphase = 'pip'\noptions = ['lead']\n";
        let rules = compiled("napoleonic-pips", text, &mut sources).map_err(|faults| faults.render(&sources, false));
        let rules = rules.expect("the order `lead` needs no act");
        let lead = Choice::Lead as usize;
        for doctrine in rules.doctrines.iter() {
            let taken = doctrine.choices.iter().any(|phase| phase[lead].is_some());
            let offered = doctrine.asked.iter().any(|phase| phase[lead].is_some());
            assert!(taken || offered, "{}", doctrine.id);
        }
    }

    #[test]
    fn a_grid_of_a_billion_is_refused_before_it_is_drawn_up() {
        let billion = said(
            "phase = 'move'\noptions = [{ do = 'advance', stop = { from = 0.001, to = 1000, step = 0.001 }, figures = { from = 1, to = 1000, step = 1 } }]",
        );
        assert!(billion.contains("this choice has 1000000000 options, more than the limit of 60"), "{billion}");
        let endless = said("phase = 'move'\noptions = [{ do = 'advance', stop = { from = 0, to = 10, step = 0 } }]");
        assert!(endless.contains("more than the limit of 60"), "{endless}");
    }

    #[test]
    fn a_repertoire_of_choices_needs_some() {
        let mut sources = Sources::new();
        let faults = compiled("command-roll", "repertoire = 'declared'\n", &mut sources).err().unwrap_or_default();
        let text = faults.render(&sources, false);
        assert!(
            faults.len() == 1 && text.contains("the pack declares no choices") && text.contains("[choice.NAME]"),
            "{text}"
        );
        assert!(text.contains("pack.toml:1:"), "{text}");
    }

    #[test]
    fn a_wider_repertoire_leaves_doctrine_as_it_is() {
        let choice = "[choice.stops]\nphase = 'move'\nwho = \"self.arm == 'cavalry'\"\n\
            options = ['hold', 'withdraw', { do = 'advance', stop = { from = 4, to = 12, step = 4 } }]\n";
        let [own, pack, declared] =
            ["own", "pack", "declared"].map(|width| rules(&format!("repertoire = '{width}'\n{choice}")));
        for wider in [&pack, &declared] {
            for (one, other) in own.doctrines.iter().zip(wider.doctrines.iter()) {
                for (one, other) in one.phases.iter().zip(&other.phases) {
                    let is_own = other.rows.iter().filter(|row| row.offered.is_none()).map(|row| &row.id);
                    assert!(is_own.eq(one.rows.iter().map(|row| &row.id)));
                }
                assert_eq!(format!("{:?}", one.choices), format!("{:?}", other.choices));
            }
        }
        let offered = |rules: &Rules, doctrine: &str| -> Vec<(String, Order, Vec<String>)> {
            let doctrine = rules.doctrines.iter().find(|known| known.id == doctrine).expect("a doctrine of the pack");
            let rows = doctrine.phases.iter().flat_map(|phase| &phase.rows);
            let concerned = |kinds: &[bool]| {
                let of = rules.kinds.iter().zip(kinds).filter(|(_, is)| **is);
                let mut arms: Vec<String> = of.map(|(kind, _)| rules.arms[usize::from(kind.arm)].clone()).collect();
                arms.sort();
                arms.dedup();
                arms
            };
            rows.filter_map(|row| Some((row.id.clone(), row.order, concerned(&row.offered.as_ref()?.kinds)))).collect()
        };
        assert!(offered(&own, "stand").is_empty());
        let mut stops = offered(&declared, "stand");
        stops.retain(|(id, ..)| id.starts_with("stops: "));
        let orders: Vec<Order> = stops.iter().map(|(_, order, _)| *order).collect();
        assert_eq!(orders, [Order::Withdraw, Order::Advance(400), Order::Advance(800), Order::Advance(1_200)]);
        assert!(stops.iter().all(|(_, _, arms)| arms == &["cavalry"]), "{stops:?}");
        assert_eq!(stops[1].0, "stops: advance stop 4");
        // `horse-up` is only for cavalry, but `lines-halt` of `press-the-attack` gives infantry the same order: it is
        // offered once, to both. A doctrine's own orders are not offered again.
        let pack = offered(&pack, "stand");
        let horse =
            pack.iter().find(|(id, ..)| id == "horse-up of attack-in-depth").expect("a row of another doctrine");
        assert_eq!(
            (horse.1, horse.2.as_slice()),
            (Order::Advance(900), ["cavalry", "infantry"].map(str::to_owned).as_slice())
        );
        assert!(!pack.iter().any(|(id, ..)| id.starts_with("face of ")), "{pack:?}");
    }
}
