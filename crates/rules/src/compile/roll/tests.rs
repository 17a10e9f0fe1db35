//! The faults reported for rolls with impossible numbers.

use crate::compile::changed::under;
use crate::{compile, compile_with_warnings};
use grognard_source::{Document, Sources};

/// The pack `risk` with this roll added.
fn document(roll: &str, sources: &mut Sources) -> Document {
    under("risk", &format!("[roll.trial]\ntitle = 'trial'\ncite = ['dice']\n{roll}"), sources)
}

/// The faults of `risk` with this roll added.
fn said(roll: &str) -> String {
    let mut sources = Sources::new();
    let document = document(roll, &mut sources);
    let faults = compile(&document, &sources).err().unwrap_or_default();
    assert!(faults.len() <= 1, "{}", faults.render(&sources, false));
    faults.render(&sources, false)
}

/// The remarks on `risk` with this roll added.
fn remarks(roll: &str) -> Vec<String> {
    let mut sources = Sources::new();
    let document = document(roll, &mut sources);
    let (_, remarks) = compile_with_warnings(&document, &sources)
        .unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)));
    remarks.sorted().into_iter().map(|remark| remark.message.clone()).collect()
}

#[track_caller]
fn refused(roll: &str, place: &str, message: &str, help: &str) {
    let said = said(roll);
    assert!(said.contains(message) && said.contains(help) && said.contains(&format!("pack.toml:{place}")), "{said}");
}

const ALL: &str = "result = [{ id = 'all' }]";

/// An army has at most 40 figures.
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
    let under = |own: &str| format!("mechanic = 'under'\nown = {own}\ntarget = 40\n{ALL}");
    let message = "dice are too many: odds can be computed for at most 49";
    let counted = "keep = { which = 'highest', dice = 3 }, count = 'self.figures * 4'";
    refused(&under(&format!("{{ dice = 'd6', {counted} }}")), "5:7", message, "`most = 49` next to `dice`");
    refused(
        &under("{ dice = 'd6', keep = { which = 'lowest', dice = 3 }, count = 160 }"),
        "5:7",
        message,
        "roll at most 49 dice",
    );
    assert_eq!(said(&under(&format!("{{ dice = 'd6', {counted}, most = 20 }}"))), "");
    let opposed = |foe: &str| format!("mechanic = 'opposed'\nown = {{ dice = '60d6' }}\nfoe = {{ {foe} }}\n{ALL}");
    refused(&opposed("dice = '60d6', read = 'highest'"), "6:7", message, "roll at most 49 dice");
    // The odds of dice that are added up or counted are rounded.
    assert_eq!(said(&opposed("dice = '60d6', read = 'successes', need = 4")), "");
    assert_eq!(said(&under("{ dice = 'd6', count = 'self.figures * 4' }")), "");
    let pool = |own: &str| format!("mechanic = 'pool'\nown = {own}\n{ALL}");
    let always = "`most = 3` is less than the number of dice, which is always 5";
    refused(&pool("{ dice = 'd6', count = 5, most = 3, need = 5 }"), "5:30", always, "omit `most`");
    refused(&pool("{ dice = '5d6', most = 3, need = 5 }"), "5:", always, "give fewer dice");
    refused(&pool("{ dice = 'd6', count = -3, need = 5 }"), "5:30", "-3 dice cannot be rolled", "0 or more");
    let group = |keys: &str| pool(&format!("{{ dice = 'd6', groups = [{{ id = 'a', need = 5, {keys} }}] }}"));
    refused(&group("count = 5, most = 3"), "5:62", always, "omit `most`");
    refused(&group("count = -3"), "5:62", "-3 dice cannot be rolled", "0 or more");
    assert_eq!(said(&pool("{ dice = 'd6', count = 'self.figures * 10', need = 5, most = 400 }")), "");
    assert_eq!(said(&pool("{ dice = '400d6', need = 5 }")), "");
    refused(&pool("{ dice = 'd6', count = 401, need = 5 }"), "5:30", "401 dice are too many", "roll at most 400 dice");
    refused(&pool("{ dice = '401d6', need = 5 }"), "5:", "`401d6` is too many dice", "at most 400 of a kind");
}

/// Steps that change the number of dice are limited by their rows, so the odds can be computed without an explicit
/// limit.
#[test]
fn modifiers_of_the_number_of_dice_need_no_limit() {
    let opposed = |dice: &str, to: &str, add: i32| {
        let modifier =
            format!("[{{ id = 'many', when = 'self.figures > 9', add = {add}, to = '{to}', cite = ['dice'] }}]");
        let dice = format!("dice = '{dice}', read = 'highest'");
        format!("mechanic = 'opposed'\nown = {{ {dice} }}\nfoe = {{ {dice} }}\nmodifier = {modifier}\n{ALL}")
    };
    for to in ["base", "less", "cap", "divide", "dice"] {
        assert_eq!(said(&opposed("2d6", to, 3)), "", "{to}");
    }
    refused(&opposed("40d6", "base", 20), "5:7", "dice are too many", "add `most = 49` next to `dice`");
}

#[test]
fn ranked_dice_are_refused_with_numbers_that_fit_together() {
    let rolled = |own: &str, foe: &str| {
        format!("mechanic = 'ranked'\nown = {{ {own} }}\nfoe = {{ {foe} }}\nties = 'foe'\n{ALL}")
    };
    let fixed = |own: u32, foe: u32| rolled(&format!("dice = '{own}d6'"), &format!("dice = '{foe}d6'"));
    for (own, foe) in [(60, 60), (49, 49), (30, 30)] {
        refused(&fixed(own, foe), "5:7", "too many", "roll at most 24 dice against at most 24 of the foe's\n");
    }
    refused(&fixed(60, 2), "5:7", "the exact odds of 60 against 2", "at most 47 dice against at most 2 of the foe's");
    assert_eq!([said(&fixed(24, 24)), said(&fixed(47, 2))], ["", ""]);
    let counted = |most: u32| format!("dice = 'd6', count = 'self.figures * 4', most = {most}");
    let help = "at most 24 dice against at most 24 of the foe's; `most` limits";
    refused(&rolled(&counted(49), &counted(49)), "5:7", "too many", help);
}

#[test]
fn dice_that_add_none_are_refused_where_none_adds_any() {
    let symbols = |dice: &str, keys: &str| {
        format!("mechanic = 'symbols'\nown = {{ dice = '{dice}', success = [6], {keys} }}\n{ALL}")
    };
    let explode = "explode = { faces = [6], limit = 2 }";
    assert_eq!(said(&symbols("3d6", &format!("{explode}, inert = \"self.arm == 'army' ? 1 : 0\""))), "");
    refused(&symbols("3d6", "inert = 1"), "5:", "no die adds another here", "add `explode`");
    refused(
        &symbols("3d6+2d8", &format!("{explode}, inert = 1")),
        "1:",
        "dice of several kinds, and some of them never add a die",
        "",
    );
    for (mechanic, keys) in [("pool", "need = 4"), ("opposed", ""), ("ranked", ""), ("under", "")] {
        let hand = format!("dice = 'd6', inert = 1{}{keys}", if keys.is_empty() { "" } else { ", " });
        let more = match mechanic {
            "under" => "target = 3\n",
            "opposed" => "foe = { dice = 'd6' }\n",
            "ranked" => "foe = { dice = 'd6' }\nties = 'foe'\n",
            _ => "",
        };
        let roll = format!("mechanic = '{mechanic}'\nown = {{ {hand} }}\n{more}{ALL}");
        refused(&roll, "5:", "dice of this mechanic have no `inert`", "omit it");
    }
}

#[test]
fn odds_that_cannot_be_computed_are_told_with_their_place_and_what_to_change() {
    let result = "result = [{ id = 'more', when = 'criticals > fumbles' }, { id = 'all' }]";
    let natural = "count = 400, need = 4, natural = { fails = [1], succeeds = [6] }";
    let both = format!("mechanic = 'pool'\nown = {{ dice = 'd6', {natural} }}\n{result}");
    refused(&both, "1:", "working out its odds would take too long", "and 100 for rolls whose results read both");
    // Criticals or fumbles may be read in addition to the hits.
    for (stages, result) in [
        ("", "{ id = 'jam', when = 'fumbles >= 3', foe = { lose = 'math.least(hits, 255)' } }, "),
        ("stage = [{ id = 'wound', dice = 'd6', need = 4 }]\n", "{ id = 'rout', when = 'criticals > 9' }, "),
    ] {
        let own =
            "dice = 'd6', count = 'self.figures * 10', most = 400, need = 4, natural = { fails = [1], succeeds = [6] }";
        let all = "{ id = 'all', foe = { lose = 'math.least(hits, 255)' } }";
        assert_eq!(said(&format!("mechanic = 'pool'\nown = {{ {own} }}\n{stages}result = [{result}{all}]")), "");
    }
    // Each combination of hits and fumbles would be a separate result.
    let lost = "foe = { lose = 'math.least(hits, 255)' }, own = { lose = 'math.least(fumbles, 255)' }";
    let many = "dice = 'd6', count = 'self.figures * 10', most = 400, need = 4, natural = { fails = [1] }";
    let every = format!("mechanic = 'pool'\nown = {{ {many} }}\nresult = [{{ id = 'all', {lost} }}]");
    refused(&every, "1:", "results in all", "limit the number of dice with `most` (200 is low enough");
    // Models take the wounds of any number of dice up to the maximum.
    let models = "count = 'self.figures * 10', most = 400, need = 4";
    let stages = "stage = [{ id = 'wound', dice = 'd6', need = 4 }, { id = 'damage', dice = 'd3', read = 'sum' }]";
    let fallen = "models = { wounds = 3, left = 'foe.figures % 3 + 1' }\nresult = [{ id = 'all', foe = { lose = 'math.least(models, 255)' } }]";
    assert_eq!(said(&format!("mechanic = 'pool'\nown = {{ dice = 'd6', {models} }}\n{stages}\n{fallen}")), "");
    let again = "dice = 'd100', explode = { faces = [100], limit = 20 }";
    let (message, help) = ("the odds of one d100", "lower the `limit` of `explode`");
    let pool = |own: &str, stages: &str| format!("mechanic = 'pool'\nown = {{ {own} }}\nstage = [{stages}]\n{ALL}");
    refused(&pool(&format!("{again}, count = 1, need = 51"), ""), "5:7", message, help);
    let groups = format!(
        "dice = 'd6', groups = [{{ id = 'a', count = 2, need = 4 }}, {{ id = 'b', {again}, count = 2, need = 51 }}]"
    );
    refused(&pool(&groups, ""), "5:", message, help);
    let hits = "dice = 'd6', count = 2, need = 4";
    refused(&pool(hits, &format!("{{ id = 'wound', {again}, need = 51 }}")), "6:", message, help);
    let two = |count: &str| format!("need = 5, count = '{count} * 4', most = 400");
    let both = format!(
        "dice = 'd6', groups = [{{ id = 'a', {} }}, {{ id = 'b', {} }}]",
        two("self.figures"),
        two("foe.figures")
    );
    assert_eq!(said(&pool(&both, "")), "", "odds that are computed when they are needed");
    let damage = |keep: &str| format!("{{ id = 'damage', dice = '60d6', read = 'sum'{keep} }}");
    let best = damage(", keep = { which = 'highest', dice = 3 }");
    refused(&pool(hits, &best), "6:", "60 dice are too many", "roll at most 49 dice");
    assert_eq!(said(&pool(hits, &damage(""))), "");
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
    refused(&test("'roll * 30'"), "7:40", "this can be 270", "write `math.least(255, …)`");
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
    refused(&hand("2d6+1"), "5:", "`2d6+1` does not name dice", "and add a number with `add = 1`");
    refused(&hand("2d6 - 2"), "5:", "`2d6 - 2` does not name dice", "and add a number with `add = -2`");
    refused(&hand("2x6"), "5:", "`2x6` does not name dice", "write `d6`, `2d6`");
}

/// A pool of one D6, with these keys, and this result table.
fn shot(keys: &str, results: &str) -> String {
    format!("mechanic = 'pool'\nown = {{ dice = 'd6', {keys} }}\nresult = [{results}{{ id = 'all' }}]")
}

#[test]
fn natural_faces_are_faces_of_the_dice() {
    let all = |keys: &str| shot(keys, "");
    assert_eq!(said(&all("need = 7, natural = { fails = [1], succeeds = [6] }")), "");
    refused(
        &all("need = 7, natural = { fails = [1], succeeds = [6, 7] }"),
        "5:",
        "d6 has no face `7`",
        "1, 2, 3, 4, 5, 6",
    );
    let twice = "the natural face `1` is listed twice";
    refused(&all("need = 7, natural = { fails = [1], succeeds = [6, 1] }"), "5:72", twice, "either fails or succeeds");
    refused(&all("need = 7, natural = {}"), "5:", "`natural` lists no face", "`fails`");
    let success = "success = [5, 6], natural = { fails = [1] }";
    refused(&all(success), "5:", "`success` lists the faces that succeed", "omit `natural`");
    let stage = "stage = [{ id = 'save', dice = 'd6', need = 4, natural = { fails = [0] } }]";
    refused(&format!("{}\n{stage}", all("need = 7")), "7:", "d6 has no face `0`", "1, 2, 3, 4, 5, 6");
}

#[test]
fn natural_totals_are_totals_of_the_dice() {
    let under = |own: &str| format!("mechanic = 'under'\nown = {own}\ntarget = 7\n{ALL}");
    assert_eq!(said(&under("{ dice = '2d6', natural = { fails = [12], succeeds = [2] } }")), "");
    let beyond = "{ dice = '2d6', add = 2, natural = { succeeds = [13] } }";
    refused(&under(beyond), "5:", "2d6 cannot show `13`", "the dice show 2 to 12, before anything is added");
    let varying = "{ dice = 'd6', count = 'self.figures', most = 4, natural = { succeeds = [6] } }";
    refused(&under(varying), "5:", "a varying number of dice has no natural total", "in `dice`");
}

#[test]
fn natural_faces_need_something_that_succeeds() {
    let natural = "natural = { fails = [1] }";
    let none = "nothing is added to symbols, so dice of this mechanic have no `natural`";
    let symbols = format!("mechanic = 'symbols'\nown = {{ dice = 'd6', success = [6], {natural} }}\n{ALL}");
    refused(&symbols, "5:", none, "`success` lists those that are `hits`");
    let table = |own: &str, row: &str| {
        let rows = "row = [{ up-to = 6, entries = [0] }]";
        format!("mechanic = 'table'\nown = {{ dice = 'd6'{own} }}\n{rows}\nresult = [{row}{{ id = 'all' }}]")
    };
    let help = "`when = \"natural == 2\"`";
    refused(&table(&format!(", {natural}"), ""), "5:", "a roll on a table neither fails nor succeeds", help);
    assert_eq!(said(&table(", add = 3", "{ id = 'six', when = 'natural == 6' }, ")), "");
}

/// Each natural face wins or loses its pair, whatever is added to it.
#[test]
fn ranked_dice_have_natural_faces_rerolls_and_modifiers() {
    let ranked = |foe: &str| format!("mechanic = 'ranked'\nown = {{ dice = '2d6' }}\nfoe = {{ dice = 'd6'{foe} }}\n");
    let modified = "modifier = [{ id = 'it', add = 1, cite = ['house'], note = 'x' }]\n";
    for foe in
        [", natural = { fails = [1], succeeds = [6] }", ", add = 2", ", add = 'self.figures'", ", reroll = 'ones'"]
    {
        assert_eq!(said(&format!("{}{ALL}", ranked(foe))), "", "{foe}");
        assert_eq!(said(&format!("{}{modified}{ALL}", ranked(foe))), "", "{foe}");
    }
    let seven = format!("{}{ALL}", ranked(", natural = { succeeds = [7] }"));
    refused(&seven, "6:", "d6 has no face `7`", "1, 2, 3, 4, 5, 6");
    for key in ["need = 4", "success = [6]", "symbols = ['6']", "read = 'highest'"] {
        let name = key.split(' ').next().unwrap_or_default();
        let none = format!("dice of this mechanic have no `{name}`");
        refused(&format!("{}{ALL}", ranked(&format!(", {key}"))), "6:", &none, "omit it");
    }
}

/// Results refer to natural faces by totals, which exist only if they are read.
#[test]
fn results_read_what_the_dice_show() {
    let opposed = |when: &str| {
        let hands = "own = { dice = 'd20', add = 5 }\nfoe = { dice = 'd20' }";
        format!("mechanic = 'opposed'\n{hands}\nresult = [{{ id = 'some', when = '{when}' }}, {{ id = 'all' }}]")
    };
    assert_eq!(said(&opposed("own_natural == 20 || foe_natural == 1")), "");
    let under = "mechanic = 'under'\nown = { dice = '2d6' }\ntarget = 7\n";
    assert_eq!(said(&format!("{under}result = [{{ id = 'some', when = 'natural == 2' }}, {{ id = 'all' }}]")), "");
    let counted = "{ id = 'jam', when = 'fumbles > criticals' }, ";
    assert_eq!(said(&shot("count = 3, need = 4, natural = { fails = [1], succeeds = [6] }", counted)), "");
    let uncounted = "{ id = 'jam', when = 'fumbles > 0' }, ";
    refused(&shot("count = 3, need = 4", uncounted), "6:", "there is no name `fumbles`", "");
}

/// The odds of `risk` with this roll added: the weight of each result's id.
fn odds(roll: &str, numbers: &[i32]) -> Vec<(String, u128)> {
    let mut sources = Sources::new();
    let document = document(roll, &mut sources);
    let rules = compile(&document, &sources).unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)));
    let roll = rules.rolls.iter().find(|roll| roll.id == "trial").expect("the roll");
    let inputs = roll.asked_inputs(numbers, &|_| true);
    let named = |(outcome, weight): (u16, u128)| {
        let row = roll.outcomes[usize::from(outcome)].row;
        (roll.results[usize::from(row)].id.clone(), weight)
    };
    roll.weights(&inputs).into_iter().map(named).collect()
}

/// A die needs 2 or more, with a modifier of -5. Without the natural 6, it could not hit.
#[test]
fn a_pack_says_which_faces_decide() {
    let results = "{ id = 'hit', when = 'hits == 1' }, ";
    let modifier = "modifier = [{ id = 'smoke', add = -5, cite = ['dice'] }]";
    let shot = |natural: &str| format!("{}\n{modifier}", shot(&format!("need = 2{natural}"), results));
    let hit = |weight| ("hit".to_owned(), weight);
    let missed = |weight| ("all".to_owned(), weight);
    assert_eq!(odds(&shot(", natural = { succeeds = [6] }"), &[2]), [hit(1), missed(5)]);
    assert_eq!(odds(&shot(""), &[2]), [missed(1)]);
    // A D20 against 25, with a natural 1 and 20: 19 of 20 pass, one of them as a critical.
    let under = "mechanic = 'under'\nown = { dice = 'd20', natural = { fails = [20], succeeds = [1] } }\ntarget = 25\n";
    let results = "result = [{ id = 'critical', when = 'natural == 1' }, { id = 'passed', when = 'margin >= 0' }, { id = 'all' }]";
    let expected = [("critical".to_owned(), 1), ("passed".to_owned(), 18), missed(1)];
    assert_eq!(odds(&format!("{under}{results}"), &[]), expected);
}

/// A pool of one D6 with these keys and these stages.
fn staged(own: &str, stages: &str) -> String {
    format!("mechanic = 'pool'\nown = {{ dice = 'd6', need = 4{own} }}\nstage = [{stages}]\n{ALL}")
}

#[test]
fn successes_go_to_later_stages() {
    let save = "{ id = 'save', dice = 'd6', save = 4 }";
    let branch = |row: &str| staged(&format!(", branch = [{{ id = 'six', {row} }}]"), save);
    assert_eq!(said(&branch("faces = [6], to = 'hits'")), "");
    assert_eq!(said(&branch("from = 6, counts = 'self.figures', also = true")), "");
    refused(&branch("faces = [6], to = 'wound'"), "5:74", "there is no stage `wound`", "valid names: `save`, `hits`");
    refused(&branch("faces = [7], counts = 2"), "5:", "d6 has no face `7`", "its faces are 1, 2, 3, 4, 5, 6");
    refused(&branch("faces = [6]"), "5:", "this branch changes nothing", "`counts`, `to`, or `also = true`");
    refused(&branch("counts = 2"), "5:", "does not say which dice it is for", "`faces`");
    refused(&branch("faces = [6], from = 6, counts = 2"), "5:", "give `from` or `faces`, not both", "");
    refused(&branch("faces = [6], counts = 101"), "5:78", "`counts` cannot be 101", "give 0 to 100");
    let never = "branch = [{ id = 'six', faces = [6], when = 'self.figures > 99', counts = 2, cite = ['dice'] }]";
    refused(&staged(&format!(", {never}"), save), "5:77", "`self.figures > 99` is never true", "");
    let vain = "none of the dice of this branch ever succeeds";
    let saved = "{ id = 'save', dice = 'd6', save = 4, branch = [{ id = 'six', faces = [6], counts = 2 }] }";
    refused(&staged("", saved), "6:", vain, "the low dice get through a save");
    assert_eq!(said(&staged("", &saved.replace("save = 4", "save = 4, natural = { fails = [6] }"))), "");
    refused(&branch("faces = [3], counts = 2"), "5:", vain, "name dice that succeed");
    let hits = "{ id = 'hits', dice = 'd6', need = 4 }";
    refused(
        &staged("", hits),
        "6:",
        "`hits` stands for the successes that no stage takes",
        "give the stage another id",
    );
    let again = "{ id = 'one', dice = 'd6', need = 4 }, { id = 'two', dice = 'd6', need = 4, to = 'one' }";
    refused(&staged("", again), "6:", "stage `one` does not come after this one", "a later stage, or to `hits`");
    let low = "{ id = 'save', dice = 'd6', save = 4, branch = [{ id = 'low', from = 2, counts = 2 }] }";
    refused(&staged("", low), "6:", "the low dice get through a save", "`faces`");
}

#[test]
fn stages_are_saves_or_needs_or_numbers() {
    let stage = |keys: &str| staged("", &format!("{{ id = 'damage', dice = {keys} }}"));
    assert_eq!(said(&stage("'2d6', read = 'sum', keep = { which = 'highest', dice = 1 }, add = 1")), "");
    refused(&stage("'2d6', need = 4"), "6:", "a stage needs one die", "`read = \"sum\"`");
    refused(&stage("'d6', need = 4, save = 3"), "6:", "`save` excludes `need` and `success`", "give one or the other");
    refused(&stage("'d3', read = 'sum', need = 2"), "6:", "none of them succeeds or fails", "omit `read`");
    refused(&stage("'d3', need = 2, add = 1"), "6:", "one by one have no `add`", "`read = \"sum\"`");
    let branch = "'d3', read = 'sum', branch = [{ id = 'three', faces = [3], counts = 2 }]";
    refused(&stage(branch), "6:", "read as a number have no branches", "the stage that comes next");
    let opposed =
        |key: &str| format!("mechanic = 'opposed'\nown = {{ dice = 'd6', {key} }}\nfoe = {{ dice = 'd6' }}\n{ALL}");
    let pool = |key: &str| format!("mechanic = 'pool'\nown = {{ dice = 'd6', need = 4, {key} }}\n{ALL}");
    refused(&pool("symbols = ['6']"), "5:", "dice of this mechanic have no `symbols`", "omit it");
    let tally = "tally = [{ total = 'hits', faces = [6] }]";
    refused(&pool(tally), "5:", "dice of this mechanic have no `tally`", "omit it");
    refused(&opposed("counts = 2"), "5:", "dice of this mechanic have no `counts`", "omit it");
    refused(&opposed("branch = [{ id = 'six', faces = [6], also = true }]"), "5:", "have no `branch`", "omit it");
}

#[test]
fn models_have_wounds() {
    let models =
        |keys: &str| format!("{}\nmodels = {{ {keys} }}", staged("", "{ id = 'damage', dice = 'd3', read = 'sum' }"));
    assert_eq!(said(&models("wounds = 3")), "");
    assert_eq!(said(&models("wounds = '1 + self.figures', left = 1")), "");
    refused(&models("wounds = '1 + self.figures'"), "8:", "the wounds that the first model has left", "give `left`");
    assert_eq!(said(&models("wounds = 3, left = 'math.least(3, self.figures + 1)'")), "");
    refused(&models("wounds = 3, left = 4"), "8:31", "`left` cannot be 4", "give 1 to 3");
    refused(&models("wounds = 3, left = '1 + self.figures'"), "8:31", "only 1 to 3", "`math.least(3, …)`");
    refused(&models("wounds = 0"), "8:21", "`wounds` cannot be 0", "give 1 to 100");
    refused(&models("wounds = 2, cite = ['house']"), "8:", "a house value needs a reason", "`note`");
    let table = "row = [{ up-to = 6, entries = [0] }]\nmodels = { wounds = 2 }";
    let table = format!("mechanic = 'table'\nown = {{ dice = 'd6' }}\n{table}\n{ALL}");
    refused(&table, "7:", "a roll of this mechanic has no `models`", "omit it");
}

#[test]
fn groups_of_dice_are_a_hand() {
    let groups = |own: &str, groups: &str| {
        format!("mechanic = 'pool'\nown = {{ dice = 'd6'{own}, groups = [{groups}] }}\n{ALL}")
    };
    let two = "{ id = 'foot', count = 4, need = 6 }, { id = 'tanks', dice = 'd10', count = 'math.least(self.figures, 20)', need = 4 }";
    assert_eq!(said(&groups("", two)), "");
    assert_eq!(said(&groups(", need = 5", "{ id = 'foot', count = 4 }, { id = 'tanks', count = 2, need = 4 }")), "");
    refused(&groups("", "{ id = 'foot', count = 4 }"), "5:", "not clear which of these dice succeed", "give `need`");
    refused(
        &groups(", count = 3", two),
        "5:",
        "dice in `groups` have no `count` outside the groups",
        "move it into the groups",
    );
    let dozen = "{ id = 'foot', dice = '12d6', count = 4, need = 6 }";
    refused(&groups("", dozen), "5:", "a group of dice needs one die", "the number of dice in `count`");
    let many = "{ id = 'foot', count = 'self.figures * 6', need = 6 }";
    refused(&groups("", many), "5:", "`count` can be 0 to 240", "add `most`");
    let models = format!("{}\nmodels = {{ wounds = 2 }}", groups("", two));
    refused(&models, "7:", "it is unclear which hits fall on the same model", "add a stage that all hits go through");
    refused(
        "mechanic = 'pool'\nown = { dice = 'd6+d8', need = 4 }\nresult = [{ id = 'all' }]",
        "5:",
        "a single kind",
        "`groups`",
    );
}

/// A mistake in a key that groups share is reported once, at its location.
#[test]
fn groups_share_keys_of_the_hand() {
    let groups = |own: &str, each: &str| {
        let both = ["a", "b"].map(|id| format!("{{ id = '{id}', count = 2{each} }}")).join(", ");
        format!("mechanic = 'pool'\nown = {{ dice = 'd6'{own}, groups = [{both}] }}\n{ALL}")
    };
    refused(&groups(", need = 'self.nosuch'", ""), "5:30", "there is no name `self.nosuch`", "");
    refused(&groups(", need = 4, to = 'nowhere'", ""), "5:37", "there is no stage `nowhere`", "");
    refused(&groups(", need = 4, counts = 101", ""), "5:41", "`counts` cannot be 101", "");
    let branch = ", branch = [{ id = 'six', faces = [6], counts = 2 }]";
    refused(&groups(", need = 4, to = 'nowhere'", branch), "5:37", "there is no stage `nowhere`", "");
    let one = |keys: &str| {
        format!("mechanic = 'pool'\nown = {{ dice = 'd6', need = 4, groups = [{{ id = 'a', {keys} }}] }}\n{ALL}")
    };
    refused(&one("count = 2, to = 'nowhere'"), "5:70", "there is no stage `nowhere`", "");
    refused(&one("count = 2, counts = 101"), "5:74", "`counts` cannot be 101", "");
    refused(&one("count = 'self.nosuch', cite = ['dice']"), "5:63", "there is no name `self.nosuch`", "");
    let unused = |key: &str| format!("no group uses this `{key}`: each has its own");
    refused(&groups(", need = 4", ", need = 5"), "5:29", &unused("need"), "omit it here or in one of the groups");
    refused(&groups(", success = [6]", ", need = 5"), "5:32", &unused("success"), "");
    refused(&groups(", need = 4, to = 'hits'", ", to = 'hits'"), "5:37", &unused("to"), "");
    let die = "mechanic = 'pool'\nown = { dice = 'nosuch', groups = [{ id = 'a', dice = 'd6', count = 2, need = 4 }] }";
    refused(&format!("{die}\n{ALL}"), "5:16", "`nosuch`", "");
}

/// There are no remarks on keys that a pack leaves out.
#[test]
fn remarks_are_about_what_is_written() {
    let group = |keys: &str| {
        let group = format!("{{ id = 'a', count = 'self.figures % 5 + 1', cite = {keys} }}");
        format!("mechanic = 'pool'\nown = {{ dice = 'd6', need = 4, groups = [{group}] }}\n{ALL}")
    };
    assert_eq!(remarks(&group("['dice']")), [""; 0]);
    assert_eq!(remarks(&group("[{ clause = 'dice', when = 'turn > 0' }]")), ["`turn > 0` is always true"]);
    let branch = "branch = [{ id = 'six', faces = [6], when = 'turn > 0', counts = 2, cite = ['dice'] }]";
    assert_eq!(remarks(&staged(&format!(", {branch}"), "")), ["`turn > 0` is always true"]);
}

#[test]
fn a_roll_reads_so_many_numbers() {
    let stages: Vec<String> =
        (0..9).map(|place| format!("{{ id = 's{place}', dice = 'd6', need = 'self.figures > 5 ? 4 : 3' }}")).collect();
    let roll = staged("", &stages.join(", "));
    refused(&roll, "6:", "a roll reads at most 8 numbers from the situation", "write a plain number");
    assert_eq!(said(&staged("", &stages[..8].join(", "))), "");
}

#[test]
fn a_row_of_a_table_that_is_wrong_is_named() {
    let table = |rows: &str| format!("mechanic = 'table'\nown = {{ dice = 'd6' }}\nrow = [{rows}]\n{ALL}");
    let long = table("{ up-to = 3, entries = [0, 1] }, { up-to = 6, entries = [1, 2, 3] }");
    refused(&long, "6:", "this row has 3 entries, but the first row has 2", "give each row an entry for every column");
    let down = table("{ up-to = 4, entries = [0] }, { up-to = 3, entries = [1] }");
    refused(&down, "6:", "this row is up to 3, but the row before it is up to 4", "order the rows by `up-to`");
    let named = table("{ up-to = 6, entries = [0, 1] }").replace("row =", "columns = ['1:1']\nrow =");
    refused(&named, "7:", "this row has 2 entries, but `columns` names 1", "an entry for every column");
    assert_eq!(said(&table("{ up-to = 3, entries = [0, 1] }, { up-to = 6, entries = [1, 2] }")), "");
}
