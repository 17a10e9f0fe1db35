//! The message for each kind of fault.

use schemars::{JsonSchema, schema_for};

use super::{GOOD, Word, document, faults};
use crate::shape::check_shape;

#[test]
fn misspelt_and_missing_keys() {
    assert_eq!(faults("pack = \"figures\"", "pakc = 'x'"), ["pakc there is no key `pakc` here (did you mean `pack`?)"]);
    assert_eq!(faults("pack = \"figures\"", ""), ["pack the key `pack` is missing (it must be text)"]);
    assert_eq!(
        faults("figures = 12", "hats = 1"),
        [
            "units.hussars.figures the key `figures` is missing (it must be a whole number)",
            "units.hussars.hats there is no key `hats` here (the only one is `figures`)"
        ]
    );
    assert_eq!(
        faults("id = \"square\"", ""),
        ["modifier.0.id the key `id` is missing (it must be text)"],
        "rows that lack an id go by position"
    );
    assert_eq!(
        faults("[results]", "[results]\nsix = 'x'\n-1 = 'y'"),
        ["results.six there is no key `six` here", "results.-1 there is no key `-1` here",]
    );
}

#[test]
fn tables_and_lists_that_are_there_already_may_be_meant() {
    assert_eq!(
        faults("[[modifier]]\nid = \"worked\"", "[[modifer]]\nid = 'worked'"),
        ["modifer there is no key `modifer` here (did you mean `modifier`?)"]
    );
    assert_eq!(
        faults("[units.hussars]", "[units.lancers]\nfigures = 8\n[unit.hussars]"),
        ["unit there is no key `unit` here (did you mean `units`?)"]
    );
    let single = faults("seed = 1815", "seed = 1815\nsed = 1815");
    assert!(single[0].contains("`sed` here (valid names: `pack`, `seed`"), "a single value stands once: {single:?}");
}

#[test]
fn values_of_the_wrong_kind() {
    assert_eq!(
        faults("seed = 1815", "seed = 18.15"),
        ["seed expected a whole number, found `18.15` (it must be at least 0)"]
    );
    assert_eq!(
        faults("seed = 1815", "seed = 100.000"),
        ["seed expected a whole number, found `100.0` (write `100`, or `100_000` if the point separates thousands)"]
    );
    assert_eq!(
        faults("dice = [1, 2]", "dice = '1, 2'"),
        ["dice expected a list, found the text `1, 2` (write a list: `[1, 2]`)"]
    );
    assert_eq!(
        faults("seed = 1815", "seed = '1815'"),
        ["seed expected a whole number, found the text `1815` (remove the quotes)"]
    );
    assert_eq!(
        faults("seed = 1815", "seed = '18,150'"),
        ["seed expected a whole number, found the text `18,150` (write 18_150)"]
    );
    assert_eq!(faults("pack = \"figures\"", "pack = 3"), ["pack expected text, found `3` (put quotes around it)"]);
    assert_eq!(faults("dice = [1, 2]", "dice = 1"), ["dice expected a list, found `1` (put brackets around it)"]);
    let rows = &GOOD[GOOD.find("[[modifier]]").expect("rows")..GOOD.find("[roll]").expect("a table")];
    assert_eq!(
        faults(rows, "[modifier.square]\nadd = -4\n"),
        ["modifier expected a list, found a table (write `[[modifier]]`, and in the row `id = \"square\"`)"]
    );
    assert_eq!(
        faults(rows, "[[modifier.note]]\nid = 'a'\n"),
        [
            "modifier expected a list, found a table (write `[[modifier]]` with the `id` of a row first: `[[modifier.note]]` belongs to the \
          row above it)"
        ]
    );
    assert_eq!(
        faults("[units.hussars]\nfigures = 12", "[units]\nhussars = 3"),
        ["units.hussars expected a table, found `3` (write a table, such as `{ figures = 3 }`)"]
    );
    assert_eq!(faults("range = 12", "range = [12]"), ["range expected a length in inches, found a list"]);
    assert_eq!(
        faults("add = -4", "add = true"),
        ["modifier.square.add expected a whole number or an expression in quotes, found `true` (put quotes around it)"]
    );
    assert_eq!(
        faults("facing = { edge = 3 }", "facing = []"),
        ["facing expected `artillery`, `infantry`, `cavalry`, a whole number or a table, found a list"]
    );
}

#[test]
fn words_that_are_not_among_the_valid_ones() {
    assert_eq!(
        faults("arm = \"cavalry\"", "arm = 'calvary'"),
        ["arm `calvary` is not valid here (did you mean `cavalry`?)"]
    );
    assert_eq!(
        faults("arm = \"cavalry\"", "arm = 'navy'"),
        ["arm `navy` is not valid here (valid names: `artillery`, `infantry`, `cavalry`)"]
    );
    assert_eq!(faults("\"raw\", ", "'raw', 'rwa', "), ["traits.1 `rwa` is not valid here (did you mean `raw`?)"]);
    assert_eq!(faults("\"raw\", ", "'elite', "), ["traits.1 `\"elite\"` is given twice"]);
    assert_eq!(
        faults("effect = \"rout\"", "effect = 'route'"),
        ["effect `route` is not valid here (did you mean `rout`?)"]
    );
    assert_eq!(
        faults("facing = { edge = 3 }", "facing = 'cavalri'"),
        ["facing `cavalri` is not valid here (did you mean `cavalry`?)"]
    );
    assert_eq!(
        faults("facing = { edge = 3 }", "facing = 'north'"),
        [
            "facing `north` is not valid here (write `artillery`, `infantry`, `cavalry` or a number: degrees clockwise from \
             north)"
        ]
    );
}

#[test]
fn numbers_out_of_range_or_step() {
    assert_eq!(faults("range = 12", "range = 1000.5"), ["range 1000.5 is too large (it must lie between 0 and 1000)"]);
    assert_eq!(faults("range = 12", "range = -1"), ["range -1 is too small (it must lie between 0 and 1000)"]);
    assert_eq!(
        faults("range = 12", "range = 1.125"),
        ["range 1.125 is not a multiple of 0.01 (the nearest are 1.12 and 1.13)"]
    );
    assert_eq!(faults("range = 12", "range = 0.07"), [""; 0]);
    assert_eq!(
        faults("add = -4", "add = -21"),
        ["modifier.square.add -21 is too small (it must lie between -20 and 20)"]
    );
    assert_eq!(faults("dice = [1, 2]", "dice = [1, 256]"), ["dice.1 256 is too large (it must lie between 0 and 255)"]);
    assert_eq!(
        faults("seed = 1815", "seed = 4294967296"),
        ["seed 4294967296 is too large (it must lie between 0 and 4294967295)"],
        "the schema gives only a format"
    );
    assert_eq!(
        faults("figures = 12", "figures = -3000000000"),
        ["units.hussars.figures -3000000000 is too small (it must lie between -2147483648 and 2147483647)"]
    );
}

#[test]
fn lists_and_texts_of_the_wrong_length() {
    assert_eq!(faults("dice = [1, 2]", "dice = []"), ["dice the list is empty (it must have 1 to 3)"]);
    assert_eq!(faults("dice = [1, 2]", "dice = [1, 1, 1, 1]"), ["dice the list has 4 items (it must have 1 to 3)"]);
    assert_eq!(faults("at = [0, 1.5]", "at = [0]"), ["at the list has 1 item (it must have 2)"]);
    assert_eq!(faults("add = -4", "add = ''"), ["modifier.square.add the text is empty"]);
}

#[test]
fn a_tag_chooses_what_is_checked() {
    assert_eq!(
        faults("mechanic = \"pool\"", "mechanic = 'pol'"),
        ["roll.mechanic `pol` is not valid here (did you mean `pool`?)"]
    );
    assert_eq!(
        faults("mechanic = \"pool\"", ""),
        ["roll.mechanic the key `mechanic` is missing (valid names: `opposed`, `pool`)"]
    );
    assert_eq!(
        faults("mechanic = \"pool\"", "mechanic = 1"),
        ["roll.mechanic expected a word, found a whole number (valid names: `opposed`, `pool`)"]
    );
    assert_eq!(faults("need = 4", "ned = 4"), ["roll.ned there is no key `ned` here (did you mean `need`?)"]);
    assert_eq!(
        faults("mechanic = \"pool\"\ndice = 3\nneed = 4", "mechanic = 'opposed'\ndie = 6"),
        ["roll.die expected text, found `6` (put quotes around it)"]
    );
    assert_eq!(
        faults("effect = \"rout\"", "effect = { retrat = 4 }"),
        ["effect.retrat there is no key `retrat` here (did you mean `retreat`?)"]
    );
    assert_eq!(
        faults("effect = \"rout\"", "effect = { retreat = -4 }"),
        ["effect.retreat -4 is too small (it must lie between 0 and 1000)"]
    );
    assert_eq!(
        faults("effect = \"rout\"", "effect = {}"),
        ["effect it is not clear which kind of table this is (valid names: `retreat`, `lose`)"]
    );
    assert_eq!(
        faults("effect = \"rout\"", "effect = { retreat = 4, lose = { figures = 1 } }"),
        ["effect.lose there is no key `lose` here (the only one is `retreat`)"]
    );
}

#[test]
fn where_nothing_chooses_the_best_fit_speaks() {
    assert_eq!(
        faults("facing = { edge = 3 }", "facing = { unit = 'a', sdie = 'b' }"),
        ["facing.sdie there is no key `sdie` here (did you mean `side`?)"]
    );
    assert_eq!(
        faults("facing = { edge = 3 }", "facing = { edge = 300 }"),
        ["facing.edge 300 is too large (it must lie between 0 and 255)"]
    );
}

/// A value in place of a table: the message has the keys of the table, with the value where it fits.
#[test]
fn a_value_in_place_of_a_table() {
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "the schema is what matters")]
    struct Pool {
        keep: Option<Keep>,
        range: Option<Range>,
    }
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "the schema is what matters")]
    struct Keep {
        which: Word,
        dice: u16,
    }
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "the schema is what matters")]
    struct Range {
        from: Option<u16>,
        to: Option<u16>,
    }
    let told = |text: &str| {
        let (sources, document) = document(text);
        let mut faults = check_shape(&document, &schema_for!(Pool)).to_plain(&sources);
        assert_eq!(faults.len(), 1, "{text}");
        faults.remove(0).help.unwrap_or_default()
    };
    assert_eq!(told("keep = 3"), "write a table, such as `{ which = \"elite\", dice = 3 }`");
    assert_eq!(told("keep = 'highest'"), "write a table, with keys such as `which`, `dice`");
    assert_eq!(told("range = 3"), "write a table, with keys such as `from`, `to`");
}
