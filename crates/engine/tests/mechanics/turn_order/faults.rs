//! Every fault of an activation is reported once, with its location.

use super::{DICE, ORDER, TEST, bag_of, compiled, pack};

#[test]
fn faults_are_found_where_they_are() {
    // Checks one pack: its text, the text of its only fault, and part of the line at fault.
    let one = |text: &str, said: &[&str], place: &str| {
        let (faults, shown) = compiled(text).expect_err(place);
        assert_eq!(faults, 1, "{shown}");
        for part in said {
            assert!(shown.contains(part), "no `{part}` in {shown}");
        }
        let line = 1 + text.lines().position(|line| line.starts_with(place)).unwrap_or_else(|| panic!("no {place}"));
        assert!(shown.contains(&format!("squads.toml:{line}:")), "not in line {line}: {shown}");
    };
    let bag = |keys: &str, said: &[&str], place: &str| one(&pack("", &bag_of(keys)), said, place);
    bag("side = 0", &["the bag has no chips", "give each unit at least 1"], "side");
    bag("chips = 0", &["the bag has no chips"], "chips");
    bag("chips = 'self.rank * 2'", &["a unit can have 0 to 18 chips", "from 0 to 10"], "chips");
    bag("chips = 40", &["a unit can have 40 chips", "from 0 to 10"], "chips");
    bag("chips = 'self.rnak'", &["rnak", "rank"], "chips");
    bag("chips = 1\nside = 2", &["`chips` already says"], "side");
    bag("after = 2", &["ends after 2 of 0 chips", "`ends`"], "after");
    bag("ends = 1\nafter = 2", &["ends after 2 of 1 chips"], "after");
    bag("names = 'unit'\nside = 2", &["each unit has one chip of its own", "names = \"side\""], "side");
    bag("names = 'unit'\nagain = true", &["each unit has one chip of its own"], "again");
    bag("names = 'units'", &["unit"], "names");
    bag("side = 2\nfallen = 'leave'", &["do not belong to its units", "omit"], "fallen");
    bag("cites = { fallen = ['1'] }", &["never cited, because `fallen` is not set"], "cites");
    let named = "names = 'unit'\nfallen = 'leave'\ncites = { fallen = ['1'] }";
    bag(named, &["never cited, because chips that stand for units", "the `cite` of the bag"], "cites");
    bag("fallen = 'leave'\ncites = { fallen = ['9'] }", &["9"], "cites");
    bag("side = 60\nends = 20\nafter = 10", &["can have 129 activations", "at most 128", "fewer chips"], "side");
    one(&pack("", &bag_of("").replace("cite = ['2']", "cite = ['9']")), &["9"], "cite = ['9']");
    let rolled = format!("[activation]\ncite = ['9']\n{DICE}");
    one(&pack("", &rolled), &["9"], "cite = ['9']");
    one(&pack("", "[activation]\ncite = ['9']\norders = 2\n"), &["9"], "cite = ['9']");
    let (_, shown) = compiled(&pack("", &format!("{}[charge-zone]\ncite = ['1']\n", bag_of("")))).expect_err("a zone");
    assert!(shown.contains("this table counts halves of turns"), "{shown}");
    let two = pack("", &bag_of("").replace("[activation.bag]", "orders = 3\n[activation.bag]"));
    one(&two, &["`orders` and `bag` both say who acts"], "orders");
    let halves = pack("half = 'first'", &bag_of(""));
    one(&halves, &["a turn of single units has no halves", "omit it"], "half");
    let no_units = pack("", "[activation]\norders = 2\nwhen = 'self.rank > 0'\n");
    one(&no_units, &["whole sides move in this pack"], "when");
    let no_bag = pack("", "").replace("row = []", "row = []\nactivates = 'self.rank'");
    one(&no_bag, &["`activates` has no effect", "[activation.bag]"], "activates");
    one(
        &pack("", "[activation]\n"),
        &["the number of orders is unclear", "`bag`", "`activation = { remove = true }`"],
        "[activation]",
    );
    let active = |keys: &str, said: &[&str], place: &str| {
        one(&pack("", &format!("[activation]\ncite = ['2']\n{keys}\n")), said, place);
    };
    active(
        "alternate = { cite = ['1'] }\nbag = { cite = ['1'] }",
        &["`bag` and `alternate` both say who goes next"],
        "alternate",
    );
    active("orders = 2\nalternate = { cite = ['1'] }", &["`orders` and `alternate` both say who acts"], "orders");
    active(
        &format!("bag = {{ cite = ['1'] }}\n{DICE}"),
        &["`bag` decides who goes first", "omit `initiative`"],
        "[activation.initiative]",
    );
    active(
        &format!("priority = {{ value = 'self.rank', cite = ['1'] }}\n{DICE}"),
        &["`priority` decides", "ties = \"initiative\""],
        "[activation.initiative]",
    );
    active("priority = { value = '3', cite = ['1'] }", &["every unit has the value 3"], "priority");
    active(
        "priority = { value = 'self.rank', ties = 'initiative', cite = ['1'] }",
        &["no side has the initiative", "[activation.initiative]"],
        "priority",
    );
    let flat = "[activation.initiative]\ncite = ['1']\ndice = 'flat'\n[die.flat]\nfaces = [2, 2]";
    active(flat, &["flat always shows the same"], "dice = 'flat'");
    active(&format!("{}{ORDER}", TEST.replace("'order'", "'ordre'")), &["ordre", "order"], "roll = 'ordre'");
    active(&format!("{}{ORDER}", TEST.replace("'hesitates'", "'hesitate'")), &["hesitate"], "fails");
    active(&format!("{}{ORDER}", TEST.replace("'hesitates'", "")), &["no unit can fail this test"], "fails");
    active(
        &format!("{}{ORDER}", TEST.replace("'hesitates'", "'hesitates', 'obeys'")),
        &["no unit can pass this test"],
        "fails",
    );
    active(
        &format!("{}{ORDER}", TEST.replace("'hesitates'", "'hesitates', 'hesitates'")),
        &["`hesitates` is listed twice", "list it once"],
        "fails",
    );
    active(&format!("{DICE}add = 'self.rank * 1000'\n"), &["a side can add 0 to 9000", "from -1000 to 1000"], "add");
    active(&format!("alternate = {{ cite = ['1'] }}\n{TEST}failures = 1{ORDER}"), &["no side has a half"], "failures");
}
