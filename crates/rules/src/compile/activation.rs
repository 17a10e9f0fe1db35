//! Who may act, and who goes next.

use super::checker::{Checker, at, constant};
use super::outline::DoctrineOutlines;
use super::roll::{PackDice, sum_of_dice};
use crate::model::{
    ACTIVATIONS_MAX, Activation, ActivationTest, Bag, Chips, Initiative, Next, Priority, Site, Source, TurnOrder,
};
use crate::wire::{
    ActivationTestWire, ActivationWire, BagWire, BoardName, ChipName, DoctrineWire, FallenChipsName, HalfName,
    InitiativeTiesName, InitiativeWire, MechanismName, Pack, PriorityTiesName, PriorityWire,
};
use grognard_dice::Decision;
use grognard_expr::Lookup;
use grognard_source::Path;

/// The maximum number of chips that one unit contributes to a bag.
const CHIPS_MAX: i32 = 10;

/// The maximum that a side can add to its initiative dice or subtract from them.
const ADD_MAX: i32 = 1000;

/// The maximum number of phases in a pack whose units go one at a time. Each phase of each activation has its own dice.
const PHASES_MAX: usize = 14;

/// The maximum total weight of dice that are compared with each other.
const TOTAL_MAX: u128 = 1 << 60;

/// The source of the `activation` table's own keys.
pub(super) fn source_of_activation(checker: &mut Checker<'_>, wire: &Pack<'_>) -> Source {
    let Some(activation) = &*wire.activation else { return Source::default() };
    checker.source(&at!["activation"], &activation.cite, activation.note.as_ref())
}

/// The number of orders that a side may give in its half of a turn.
pub(super) fn activation(
    checker: &mut Checker<'_>,
    wire: &Pack<'_>,
    source: &Source,
    dice: &PackDice,
    site: &mut dyn FnMut() -> Site,
) -> Activation {
    let Some(activation) = &*wire.activation else { return Activation::All };
    let at = at!["activation"];
    match (activation.orders, &activation.dice) {
        (Some(orders), None) => Activation::Orders(orders),
        (None, Some(text)) => match sum_of_dice(checker, &at.join("dice"), text, dice, &activation.cite) {
            Some(odds) => Activation::Dice { odds: Box::new(odds), site: site(), source: source.clone() },
            None => Activation::All,
        },
        (None, None) if activation.goes_by_unit() || activation.initiative.is_some() => Activation::All,
        _ => {
            let help = "give one of `orders`, `dice`, `bag`, `alternate` and `priority`, a `test` or an `initiative`, or omit the table \
                        so that every unit may act (in a variant: `activation = { remove = true }`)";
            checker.fault(&at, "the number of orders is unclear", Some(help));
            Activation::All
        }
    }
}

/// The turn order. `site` gives the site of its dice.
pub(super) fn turn_order(
    checker: &mut Checker<'_>,
    wire: &Pack<'_>,
    source: Source,
    dice: &PackDice,
    site: &mut dyn FnMut() -> Site,
) -> Option<TurnOrder> {
    let activation = wire.activation.as_ref()?;
    let at = at!["activation"];
    if activation.goes_by_unit() {
        check_sequence(checker, wire, activation);
        check_keys(checker, activation, &at);
    } else if activation.when.is_some() {
        let help = "let units go one at a time, such as with `bag`, or write the condition into the phases";
        checker.fault(&at.join("when"), "whole sides move in this pack, not single units", Some(help));
    }
    let ActivationWire { bag, alternate, priority, initiative, test, .. } = activation;
    let next = match (bag, alternate, priority, test) {
        (Some(bag), ..) => Next::Drawn(self::bag(checker, bag, &at.join("bag"), site)),
        (_, Some(alternate), ..) => Next::Alternate {
            units: alternate.units.unwrap_or(1),
            source: checker.source(&at.join("alternate"), &alternate.cite, alternate.note.as_ref()),
        },
        (_, _, Some(priority), _) => Next::Priority(self::priority(checker, activation, priority, site)?),
        (_, _, _, Some(_)) => Next::HalvesOfUnits,
        _ if initiative.is_some() => Next::Halves,
        _ => return None,
    };
    Some(TurnOrder {
        initiative: initiative.as_ref().and_then(|wire| self::initiative(checker, activation, wire, dice, site)),
        test: test.as_ref().and_then(|wire_of| self::test(checker, wire, wire_of, &next, site)),
        next,
        when: checker.condition(&at.join("when"), activation.when.as_ref()),
        source,
    })
}

/// Reports conflicting keys for the turn order.
fn check_keys(checker: &mut Checker<'_>, activation: &ActivationWire, at: &Path) {
    let next = [
        ("bag", activation.bag.is_some()),
        ("alternate", activation.alternate.is_some()),
        ("priority", activation.priority.is_some()),
    ];
    let mut given = next.into_iter().filter(|(_, given)| *given).map(|(key, _)| key);
    let first = given.next();
    for other in given {
        let message = format!("`{}` and `{other}` both say who goes next", first.unwrap_or_default());
        checker.fault(&at.join(other), message, Some("omit one of them"));
    }
    let who = first.unwrap_or("test");
    for (key, given) in [("orders", activation.orders.is_some()), ("dice", activation.dice.is_some())] {
        if given {
            let help = "omit one: if units go one at a time, sides do not count orders; a variant removes a key of its base \
                with `{ remove = true }`";
            checker.fault(&at.join(key), format!("`{key}` and `{who}` both say who acts"), Some(help));
        }
    }
}

fn priority(
    checker: &mut Checker<'_>,
    activation: &ActivationWire,
    wire: &PriorityWire,
    site: &mut dyn FnMut() -> Site,
) -> Option<Priority> {
    let at = at!["activation", "priority"];
    let value = checker.number(&at.join("value"), &wire.value)?;
    let (low, high) = value.range();
    if low == high {
        let help = "write a formula that tells units apart, such as `self.initiative`";
        checker.fault(&at.join("value"), format!("every unit has the value {low}"), Some(help));
    }
    if wire.ties == PriorityTiesName::Initiative && activation.initiative.is_none() {
        let help = "add `[activation.initiative]`, or let dice decide: `ties = \"random\"`";
        checker.fault(&at.join("ties"), "no side has the initiative in this pack", Some(help));
    }
    Some(Priority {
        value,
        ties: wire.ties,
        site: if wire.ties == PriorityTiesName::Random { site() } else { Site::default() },
        source: checker.source(&at, &wire.cite, wire.note.as_ref()),
    })
}

fn initiative(
    checker: &mut Checker<'_>,
    activation: &ActivationWire,
    wire: &InitiativeWire,
    dice: &PackDice,
    site: &mut dyn FnMut() -> Site,
) -> Option<Initiative> {
    let at = at!["activation", "initiative"];
    let by_ties = activation.priority.as_ref().is_some_and(|priority| priority.ties == PriorityTiesName::Initiative);
    if activation.bag.is_some() || (activation.priority.is_some() && !by_ties) {
        let who = if activation.bag.is_some() { "bag" } else { "priority" };
        let help = "omit `initiative`; with `priority`, it can decide ties: `ties = \"initiative\"`";
        checker.fault(&at, format!("`{who}` decides who goes first, so the initiative decides nothing"), Some(help));
    }
    let odds = sum_of_dice(checker, &at.join("dice"), &wire.dice, dice, &wire.cite)?;
    let rerolls = matches!(wire.ties, InitiativeTiesName::Reroll | InitiativeTiesName::Keep);
    if rerolls && odds.at(&[]).classes().len() < 2 {
        let message = format!("{} always shows the same number, so ties would be rerolled for ever", wire.dice);
        checker.fault(&at.join("dice"), message, Some("give other dice, or name a side in `ties`"));
    }
    if odds.at(&[]).odds().total > TOTAL_MAX {
        checker.fault(&at.join("dice"), format!("{} are too many dice to compare", wire.dice), Some("give fewer dice"));
    }
    let add = wire.add.as_ref().and_then(|text| checker.number(&at.join("add"), text));
    let (low, high) = add.as_ref().map_or((0, 0), Lookup::range);
    if low < -ADD_MAX || high > ADD_MAX {
        let help = format!("from -{ADD_MAX} to {ADD_MAX}: limit it with `math.least` and `math.greatest`");
        checker.fault(&at.join("add"), format!("a side can add {low} to {high}"), Some(&help));
    }
    Some(Initiative {
        odds,
        add,
        ties: wire.ties,
        site: site(),
        source: checker.source(&at, &wire.cite, wire.note.as_ref()),
    })
}

fn test(
    checker: &mut Checker<'_>,
    pack: &Pack<'_>,
    wire: &ActivationTestWire,
    next: &Next,
    site: &mut dyn FnMut() -> Site,
) -> Option<ActivationTest> {
    let at = at!["activation", "test"];
    let roll = checker.roll(&at.join("roll"), &wire.roll)?;
    let taken = &pack.roll[&wire.roll];
    if !taken.instead.is_empty() {
        let help = "omit `instead`, or use modifiers";
        checker.fault(&at.join("roll"), format!("`{}` can be replaced by another roll", wire.roll), Some(help));
    }
    let fails = checker.results(&at.join("fails"), &wire.fails, taken);
    if wire.fails.is_empty() || fails.len() >= taken.result.len() {
        let what = if wire.fails.is_empty() { "no unit can fail" } else { "no unit can pass" };
        let help = "list the results of the roll with which a unit does not act, and no others";
        checker.fault(&at.join("fails"), format!("{what} this test"), Some(help));
    }
    if !matches!(next, Next::HalvesOfUnits) {
        for (key, given) in [("failures", wire.failures.is_some()), ("again", wire.again > 0)] {
            if given {
                let help = "omit it, or omit `bag`, `alternate` and `priority`, so that each side has its half";
                checker.fault(&at.join(key), "no side has a half of the turn in this pack", Some(help));
            }
        }
    }
    Some(ActivationTest {
        roll,
        fails,
        failures: wire.failures,
        again: wire.again,
        when: checker.condition(&at.join("when"), wire.when.as_ref()),
        site: site(),
        source: checker.source(&at, &wire.cite, wire.note.as_ref()),
    })
}

/// Reports features that require whole sides to move.
fn check_sequence(checker: &mut Checker<'_>, wire: &Pack<'_>, activation: &ActivationWire) {
    let ActivationWire { bag, alternate, priority, .. } = activation;
    let halves = bag.is_none() && alternate.is_none() && priority.is_none();
    for phase in &wire.phase {
        let at = at!["phase", phase.id];
        if phase.half != HalfName::Each && !halves {
            let help = "omit it: each activated unit plays every phase";
            checker.fault(&at.join("half"), "a turn of single units has no halves", Some(help));
        }
        if matches!(
            phase.mechanism,
            MechanismName::Orders | MechanismName::Volley | MechanismName::Onset | MechanismName::Army
        ) {
            let help = "use `formation`, `charge`, `move`, `fire`, `shock`, `exchange`, `test` or `resolve`";
            checker.fault(
                &at.join("mechanism"),
                "whole sides play this mechanism, but here units go one at a time",
                Some(help),
            );
        }
    }
    if wire.phase.len() > PHASES_MAX {
        let message = format!("{} phases are too many for units that go one at a time", wire.phase.len());
        checker.fault(&at!["phase"], message, Some(&format!("at most {PHASES_MAX}")));
    }
    let of_sides = [
        ("battery", wire.battery.is_some()),
        ("square", wire.square.is_some()),
        ("command", wire.command.is_some()),
        ("charge-zone", wire.charge_zone.is_some()),
        ("deck", wire.board == BoardName::Hex && wire.deck.as_ref().is_some_and(|deck| deck.on)),
    ];
    for (key, _) in of_sides.into_iter().filter(|(_, given)| *given) {
        let help =
            "omit one of `activation` and this table; a variant removes a table of its base with `{ remove = true }`";
        checker.fault(&at![key], "this table counts halves of turns, but here units go one at a time", Some(help));
    }
}

fn bag(checker: &mut Checker<'_>, wire: &BagWire, at: &Path, site: &mut dyn FnMut() -> Site) -> Bag {
    let chips = chips(checker, wire, at);
    let after = wire.after.unwrap_or(1);
    if wire.after.is_some_and(|after| after > wire.ends) {
        let message = format!("the turn ends after {after} of {} chips", wire.ends);
        checker.fault(
            &at.join("after"),
            message,
            Some("put at least as many chips that end the turn into the bag: `ends`"),
        );
    }
    let stays = wire.fallen == FallenChipsName::Stay;
    let of_sides = matches!(chips, Chips::OfSide(_)) && wire.chips.is_none();
    if of_sides && !stays {
        let help = "omit it, or give each unit its chips with `chips` instead of `side`";
        checker.fault(&at.join("fallen"), "a side's chips do not belong to its units", Some(help));
    }
    let source = checker.source(at, &wire.cite, wire.note.as_ref());
    if wire.cites.fallen.is_some() && !stays && wire.names == ChipName::Unit {
        let message = "these clauses are never cited, because chips that stand for units are not reported when they are taken out";
        checker.fault(&at.join("cites").join("fallen"), message, Some("move them to the `cite` of the bag"));
    }
    let bag = Bag {
        chips,
        again: wire.again,
        ends: wire.ends,
        after,
        stays,
        site: site(),
        fallen_source: checker.set_key_source(at, "fallen", wire.cites.fallen.as_ref(), !stays, &source),
        source,
    };
    // The number of chips that units put in depends on the study.
    let draws = bag.draws(2, 0);
    if of_sides && draws > u32::from(ACTIVATIONS_MAX) {
        let message = format!("a turn can have {draws} activations, but at most {ACTIVATIONS_MAX} are possible");
        checker.fault(&at.join("side"), message, Some("put fewer chips into the bag"));
    }
    bag
}

fn chips(checker: &mut Checker<'_>, wire: &BagWire, at: &Path) -> Chips {
    if wire.names == ChipName::Unit {
        let of_sides = [("chips", wire.chips.is_some()), ("side", wire.side.is_some()), ("again", wire.again)];
        for (key, _) in of_sides.into_iter().filter(|(_, given)| *given) {
            let help = "omit it, or let chips stand for sides: `names = \"side\"`";
            checker.fault(&at.join(key), "each unit has one chip of its own here", Some(help));
        }
        return Chips::Named;
    }
    let empty = |checker: &mut Checker<'_>, key: &str| {
        let help = "give each unit at least 1 with `chips`, or each side a number with `side`";
        checker.fault(&at.join(key), "the bag has no chips", Some(help));
    };
    match (&wire.chips, wire.side) {
        (Some(_), Some(_)) => {
            checker.fault(&at.join("side"), "`chips` already says what is in the bag", Some("omit one of them"));
            Chips::OfSide(0)
        }
        (None, Some(0)) => {
            empty(checker, "side");
            Chips::OfSide(0)
        }
        (None, Some(side)) => Chips::OfSide(side),
        (None, None) => Chips::OfUnits(constant(1)),
        (Some(chips), None) => {
            let at = at.join("chips");
            let number = checker.amount(&at, chips);
            let (low, high) = number.as_ref().map_or((1, 1), Lookup::range);
            if high <= 0 {
                empty(checker, "chips");
            } else if low < 0 || high > CHIPS_MAX {
                let help = format!("from 0 to {CHIPS_MAX}: limit them with `math.least` and `math.greatest`");
                let chips = if low == high { low.to_string() } else { format!("{low} to {high}") };
                checker.fault(&at, format!("a unit can have {chips} chips"), Some(&help));
            }
            number.map_or(Chips::OfSide(0), Chips::OfUnits)
        }
    }
}

/// The formula by which a doctrine activates units.
pub(super) fn activates(
    checker: &mut Checker<'_>,
    (wire, doctrines): (&Pack<'_>, &DoctrineOutlines),
    id: &str,
    doctrine: &DoctrineWire,
) -> Option<Lookup> {
    let text = doctrine.activates.as_ref()?;
    let at = at!["doctrine", id, "activates"];
    if !wire.activation.as_ref().is_some_and(ActivationWire::goes_by_unit) {
        // A fault that all doctrines share is reported once.
        let all: Vec<&String> = doctrines.iter().filter(|(_, other)| other.activates).map(|(id, _)| id).collect();
        if all.first().is_some_and(|first| *first == id) {
            let of = if all.len() == 1 { String::new() } else { format!(" of {} doctrines", all.len()) };
            let message = format!("whole sides move in this pack, so `activates`{of} has no effect");
            let help = "add `[activation.alternate]`, `[activation.bag]` or `[activation.priority]`, so that units go one at a time, or \
                        remove `activates`";
            checker.fault(&at, message, Some(help));
        }
    }
    checker.number(&at, text)
}
