//! What is said of rolls whose numbers cannot be.

use crate::compile;
use crate::library;
use grognard_source::{Document, Sources, extend};

/// What is said of `risk` with this roll besides.
fn said(roll: &str) -> String {
    let mut sources = Sources::new();
    let text = format!("[roll.trial]\ntitle = 'trial'\ncite = ['dice']\n{roll}");
    let file = sources.add("pack.toml", text);
    let variant = Document::parse(file, &sources).unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)));
    let base = library::load("risk", None, &mut sources).expect("a built-in pack").document;
    let document = extend(base, variant).expect("a variant");
    let faults = compile(&document, &sources).err().unwrap_or_default();
    assert!(faults.len() <= 1, "{}", faults.render(&sources, false));
    faults.render(&sources, false)
}

#[track_caller]
fn refused(roll: &str, place: &str, message: &str, help: &str) {
    let said = said(roll);
    assert!(said.contains(message) && said.contains(help) && said.contains(&format!("pack.toml:{place}")), "{said}");
}

const ALL: &str = "result = [{ id = 'all' }]";

/// An army has 40 figures at the most.
#[test]
fn no_formula_is_cut_in_silence() {
    let under = |target: &str| format!("mechanic = 'under'\nown = {{ dice = '2d6' }}\ntarget = \"{target}\"\n{ALL}");
    refused(
        &under("self.figures * 100"),
        "6:10",
        "`target` with its modifiers can be 0 to 4000, but this roll allows only -200 to 200",
        "`math.least(200, …)`",
    );
    refused(&under("self.figures - 300"), "6:10", "can be -300 to -260", "`math.greatest(-200, …)`");
    assert_eq!(said(&under("math.least(200, self.figures * 100)")), "");
    let hands = |own: &str| format!("mechanic = 'opposed'\nown = {own}\nfoe = {{ dice = 'd6' }}\n{ALL}");
    refused(
        &hands("{ dice = 'd6', add = 'self.figures * 6' }"),
        "5:28",
        "`add` with its modifiers can be 0 to 240",
        "",
    );
    let help = "add `most` next to `dice`";
    refused(
        &hands("{ dice = 'd6', count = 'self.figures * 6' }"),
        "5:30",
        "`count` with its modifiers can be 0 to 240",
        help,
    );
    let need = "mechanic = 'pool'\nown = { dice = 'd6', count = 1, need = '300 - self.figures' }\n";
    refused(&format!("{need}{ALL}"), "5:40", "`need` with its modifiers can be 260 to 300", "math.least(200, …)");
}

#[test]
fn too_many_dice_are_told_with_what_limits_them() {
    let pool = |own: &str| format!("mechanic = 'pool'\nown = {own}\n{ALL}");
    let message = "dice are too many: their exact odds fit 128 bits up to 80 dice";
    let counted = "count = 'self.figures * 4', need = 5";
    refused(&pool(&format!("{{ dice = 'd6', {counted} }}")), "5:7", message, "`most = 80` next to `dice`");
    refused(&pool("{ dice = 'd6', count = 160, need = 5 }"), "5:7", message, "roll at most 80 dice");
    assert_eq!(said(&pool(&format!("{{ dice = 'd6', {counted}, most = 20 }}"))), "");
}

#[test]
fn nothing_costs_less_than_nothing() {
    let test = |lose: &str| {
        let result = format!("result = [{{ id = 'all', own = {{ lose = {lose} }} }}]");
        format!("mechanic = 'under'\nown = {{ dice = '2d6' }}\ntarget = 7\n{result}")
    };
    refused(&test("-2"), "7:40", "-2 cannot be lost", "give 0 to 255");
    refused(&test("'0 - 2'"), "7:40", "this can be -2", "between 0 and 255");
    refused(&test("'roll - 8'"), "7:40", "this can be -6", "`math.greatest(0, …)`");
    refused(&test("'roll * 30'"), "7:40", "this can be 270", "between 0 and 255");
    assert_eq!(said(&test("'math.greatest(0, roll - 8)'")), "");
    let guarded = "result = [{ id = 'some', when = 'roll > 8', own = { lose = 'roll - 8' } }, { id = 'none' }]";
    assert_eq!(said(&format!("mechanic = 'under'\nown = {{ dice = '2d6' }}\ntarget = 7\n{guarded}")), "");
}

#[test]
fn symbol_dice_count_something() {
    let symbols = |counts: &str| format!("mechanic = 'symbols'\nown = {{ dice = 'd6'{counts} }}\n{ALL}");
    for counts in [", success = [6]", ", tally = [{ total = 'hits', faces = [6] }]"] {
        assert_eq!(said(&symbols(counts)), "", "{counts}");
    }
    refused(&symbols(""), "5:", "must list the symbols that it counts", "`success` for `hits`");
}

#[test]
fn what_modifiers_change_is_told_once_or_not_at_all() {
    let modifier = |to: &str| format!("modifier = [{{ id = 'm', {to}add = 1, cite = ['dice'] }}]\n{ALL}");
    let symbols = format!(
        "mechanic = 'symbols'\nown = {{ dice = '1d6+1d8', tally = [{{ total = 'hits', faces = [6] }}] }}\n{}",
        modifier("")
    );
    refused(&symbols, "6:", "this roll has no `roll` for a modifier to change", "nothing in this roll can be modified");
    let opposed = "mechanic = 'opposed'\nown = { dice = 'd6' }\nfoe = { dice = 'd6' }\n";
    let said = said(&format!("{opposed}{}", modifier("to = 'column', ")));
    assert!(
        said.contains("here modifiers change `dice` or `base` or `cap` or `less` or `divide` or `roll`\n"),
        "{said}"
    );
}

#[test]
fn a_number_added_to_dice_has_a_key_of_its_own() {
    let hand =
        |dice: &str| format!("mechanic = 'opposed'\nown = {{ dice = '{dice}' }}\nfoe = {{ dice = 'd6' }}\n{ALL}");
    refused(&hand("2d6+1"), "5:", "`2d6+1` is not a hand of dice", "a hand adds a number with `add = 1`");
    refused(&hand("2d6 - 2"), "5:", "`2d6 - 2` is not a hand of dice", "a hand adds a number with `add = -2`");
    refused(&hand("2x6"), "5:", "`2x6` is not a hand of dice", "write `d6`, `2d6`");
}
