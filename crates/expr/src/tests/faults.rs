//! The errors of an expression: their messages and their exact positions.

use super::*;

/// The faults of a text: the parts that they point at, with message and help.
fn faults(text: &str, kind: Kind) -> Vec<(&str, String, String)> {
    let faults = Expr::parse(text, &scope(), kind).expect_err(text);
    faults.into_iter().map(|fault| (&text[fault.range], fault.message, fault.help.unwrap_or_default())).collect()
}

/// The only fault of a condition.
#[track_caller]
fn fault(text: &str) -> (&str, String, String) {
    let mut all = faults(text, Kind::Bool);
    assert_eq!(all.len(), 1, "{text}: {all:?}");
    all.remove(0)
}

#[test]
fn unknown_names_and_words_come_with_the_nearest_right_one() {
    for (text, at, help) in [
        ("self.formaton == 'line'", "self.formaton", "did you mean `self.formation`?"),
        ("formation == 'line'", "formation", "did you mean `self.formation`?"),
        ("Range < 3", "Range", "did you mean `range`?"),
        (
            "self == 'line'",
            "self",
            "complete it: `self.arm`, `self.formation`, `self.figures`, `self.moved`, `self.nation`",
        ),
        ("self.arm == horse", "horse", "put a word in quotes: `'horse'`"),
        (
            "self.formation == 'sqaure'",
            "'sqaure'",
            "did you mean 'square'? The words are 'line', 'column', 'square', 'skirmish'",
        ),
        ("'Foot' == self.arm", "'Foot'", "did you mean 'foot'? The words are 'foot', 'horse', 'guns'"),
        ("aspect in ['front', 'behind']", "'behind'", "the words are 'front', 'flank', 'rear'"),
        ("math.lest(turn, 2) > 1", "math.lest", "did you mean `math.least`?"),
        ("least(turn, 2) > 1", "least", "did you mean `math.least`?"),
        ("self.moved and (turn > 2)", "and", "and is written `&&`"),
        ("Not(self.moved)", "Not", "not is written `!`, as in `!self.routed` or `self.arm != 'horse'`"),
        ("self . arm == 'foot' && self . figurs > 2", "self . figurs", "did you mean `self.figures`?"),
    ] {
        let (place, message, said) = fault(text);
        assert_eq!((place, said.as_str()), (at, help), "{text}: {message}");
    }
}

#[test]
fn where_no_names_are_known_none_are_listed() {
    let faults = Expr::parse("margin > 0", &Scope::new(), Kind::Bool).expect_err("a name");
    assert_eq!(faults[0].help.as_deref(), Some("no names are known here: write numbers and words"));
}

#[test]
fn everything_wrong_is_told_at_once_and_in_order() {
    let text = "self.arn == 'foot' && self.formation == 'sqare' || range < 1.555 || turn > 'x' || foe.arm == 3";
    let all = faults(text, Kind::Bool);
    let places: Vec<&str> = all.iter().map(|(at, ..)| *at).collect();
    assert_eq!(places, ["self.arn", "'sqare'", "1.555", "'x'", "foe.arm == 3"]);
}

#[test]
fn values_of_different_kinds_do_not_mix() {
    for (text, at, message) in [
        (
            "self.arm == self.formation",
            "self.arm == self.formation",
            "`self.arm` and `self.formation` are words from different lists",
        ),
        ("self.arm == 3", "self.arm == 3", "`self.arm` is a word, `3` is a whole number: they cannot be compared"),
        ("turn == 'foot'", "'foot'", "the word `'foot'` is used where a whole number is needed"),
        (
            "(turn + 1) < range",
            "(turn + 1) < range",
            "`turn + 1` is a whole number, `range` is a length: they cannot be compared",
        ),
        ("1 < turn < 5", "1 < turn < 5", "`1 < turn` is a truth value, `5` is a whole number: they cannot be compared"),
        ("self.arm < 'horse'", "self.arm < 'horse'", "`self.arm` is a word, which cannot be ordered"),
        (
            "self.moved > foe.routed",
            "self.moved > foe.routed",
            "`self.moved` is a truth value, which cannot be ordered",
        ),
        ("turn", "turn", "`turn` is a whole number, but a truth value is needed here"),
        ("self.moved && turn + 1", "turn + 1", "`turn + 1` is a whole number, but a truth value is needed here"),
        ("self.arm == 'foot' || 'horse'", "'horse'", "the word `'horse'` is not a condition"),
        ("'foot'", "'foot'", "the word `'foot'` is not a condition"),
        ("!turn", "turn", "`turn` is a whole number, but a truth value is needed here"),
        ("turn + self.moved > 2", "self.moved", "`self.moved` is a truth value, but a whole number is needed here"),
        ("turn > 1.5", "1.5", "`1.5` is not a whole number"),
        ("range * range > 2", "range * range", "a length cannot be multiplied by a length"),
        ("range % 2 > 2", "range", "`range` is a length, but a whole number is needed here"),
        ("turn / turn > 1", "turn", "`turn` is not a plain number"),
        ("turn / 0 > 1", "0", "division by zero"),
        ("turn % 0 > 1", "0", "division by zero"),
        ("math.abs(turn, 1) > 1", "math.abs(turn, 1)", "`math.abs` takes one value, not 2"),
        ("math.least(turn) > 1", "math.least(turn)", "`math.least` takes two values or more, not 1"),
        ("(self.moved ? 'foot' : 2) == self.arm", "2", "`2` is a whole number, but a word is needed here"),
        ("turn in 5", "5", "a list in brackets is allowed only after `in`"),
        ("turn in []", "[]", "the list is empty"),
        ("turn in [1, margin]", "margin", "`margin` is not a plain value"),
        ("turn in [1, 'foot']", "'foot'", "the word `'foot'` is used where a whole number is needed"),
        ("self.arm == null", "null", "`null` has no meaning here"),
        ("'foot'.arm == 'foot'", "'foot'.arm", "`'foot'.arm` is not a name"),
        ("range < 1.125", "1.125", "the length has more than two decimals"),
    ] {
        let (place, said, _) = fault(text);
        assert_eq!((place, said.as_str()), (at, message), "{text}");
    }
    assert_eq!(faults("'a' == 'b'", Kind::Bool).len(), 2);
    assert_eq!(faults("turn > 1", Kind::Int)[0].1, "`turn > 1` is a truth value, but a whole number is needed here");
    assert_eq!(faults("range", Kind::Int)[0].1, "`range` is a length, but a whole number is needed here");
    assert_eq!(faults("turn", Kind::Length)[0].1, "`turn` is a whole number, but a length is needed here");
}

#[test]
fn other_words_for_what_there_is_are_understood() {
    let mut scope = Scope::new();
    for name in ["self.lost", "foe.lost", "self.loose", "self.figures", "self.broken"] {
        scope.add(name, Domain::Int { min: 0, max: 40 }).expect("a name");
    }
    for (given, meant) in [
        ("self.losses", "self.lost"),
        ("foe.casualties", "foe.lost"),
        ("losses", "self.lost"),
        ("self.strength", "self.figures"),
        ("self.los", "self.lost"),
    ] {
        let faults = Expr::parse(&format!("{given} > 1"), &scope, Kind::Bool).expect_err("no such name");
        assert_eq!(faults[0].help.as_deref(), Some(format!("did you mean `{meant}`?").as_str()), "{given}");
    }
}

#[test]
fn what_could_overflow_is_refused() {
    for (text, at, message) in [
        ("turn > 2147483648", "2147483648", "the number is too large"),
        ("turn > 99999999999999999999", "99999999999999999999", "the number is too large"),
        ("range > 30000000", "30000000", "the number is too large"),
        ("huge + 1 > 2", "huge + 1", "`huge + 1` can be -2147483647 to 2147483648"),
        ("-huge > 2", "-huge", "`-huge` can be -2147483647 to 2147483648"),
        ("math.abs(huge) > 2", "math.abs(huge)", "`math.abs(huge)` can be 0 to 2147483648"),
        ("huge / -1 > 2", "huge / -1", "`huge / -1` can be -2147483647 to 2147483648"),
        ("range * 1000000 > 2", "range * 1000000", "`range * 1000000` can be 0 to 72000000 inches"),
    ] {
        let (place, said, _) = fault(text);
        assert_eq!((place, said.as_str()), (at, message), "{text}");
    }
    assert!(Expr::parse("huge % -1 == 0 || huge / 2 > 5 || huge - 0 > 1", &scope(), Kind::Bool).is_ok());
}

#[test]
fn comparisons_that_say_nothing_are_warnings() {
    for (text, at, message, help) in [
        ("self.figures > 200", "self.figures > 200", "is never true", "`self.figures` is 0 to 40"),
        ("turn >= 1 && self.moved", "turn >= 1", "is always true", "`turn` is 1 to 30"),
        ("self.moved || range < 0", "range < 0", "is never true", "`range` is 0 to 72 inches"),
        ("(turn % 3) != 3", "(turn % 3) != 3", "is always true", "`turn % 3` is 0 to 2"),
        ("1 == 2 || self.moved", "1 == 2", "is never true", "neither side ever changes"),
        ("turn in [1, 31]", "31", "`turn` is never `31`", "`turn` is 1 to 30"),
        (
            "aspect in ['rear', 'front', 'flank']",
            "aspect in ['rear', 'front', 'flank']",
            "is always true",
            "the list contains every possible value",
        ),
    ] {
        let expr = condition(text);
        let [warning] = expr.warnings() else { panic!("{text}: {:?}", expr.warnings()) };
        // A condition that is always true could be left out; one that is never true is a rule without effect.
        let severity = if message == "is always true" { Severity::Remark } else { Severity::Warning };
        assert_eq!(warning.severity, severity, "{text}");
        assert_eq!(&text[warning.range.clone()], at, "{text}");
        assert!(warning.message.ends_with(message), "{text}: {}", warning.message);
        assert_eq!(warning.help.as_deref(), Some(help), "{text}");
    }
    assert_eq!(condition("self.figures > 20 && turn in [1, 2]").warnings(), []);
    // Warnings are reported along with errors.
    assert_eq!(faults("self.figures > 200 && turm == 1", Kind::Bool).len(), 2);
}

#[test]
fn broken_syntax_is_told_in_plain_words() {
    for (text, at, message, help) in [
        ("", "", "there is no expression", "write a condition"),
        (" // nothing\n", " // nothing\n", "there is no expression", "write a condition"),
        ("turn > 1 &&", "&&", "nothing follows `&&`", "put a value after it"),
        ("4+", "+", "nothing follows `+`", "write 4"),
        ("4 -", "-", "nothing follows `-`", "put a value after it"),
        ("turn +", "+", "nothing follows `+`", "put a value after it"),
        ("&& turn > 1", "&&", "nothing comes before `&&`", "put a value before it"),
        ("turn > && 1", "&&", "a value is missing between `>` and `&&`", "put a name"),
        ("self.moved foe.routed", "foe", "`foe` follows `moved` directly", "put an operator"),
        ("self.moved and foe.routed", "and", "`and` follows `moved` directly", "and is written `&&`"),
        ("not self.moved", "self", "`self` follows `not` directly", "not is written `!`"),
        ("self.moved ? 1", "", "the expression ends too early", "a choice is written"),
        ("turn > ()", ")", "a value is missing between `(` and `)`", "put a name"),
        ("turn in [1 2]", "2", "`2` follows `1` directly", "put an operator"),
        ("self..arm == 'foot'", ".", "a value is missing between `.` and `.`", "put a name"),
        ("self.moved ? foe.routed ? true : false : true", "?", "`?` is not expected here", "put the inner choice"),
        ("if == 2", "if", "`if` cannot stand here", "CEL reserves this word"),
        ("turn > 1 :", ":", "`:` is not expected here", "a choice is written"),
    ] {
        let (place, said, helped) = fault(text);
        assert_eq!((place, said.as_str()), (at, message), "{text}");
        assert!(helped.starts_with(help), "{text}: {helped}");
    }
}

#[test]
fn signs_that_do_not_exist_are_told_all_at_once() {
    for (text, places) in [
        ("turn = 1 & range => 2 | turn =< 3", &["=", "&", "=>", "|", "=<"] as &[&str]),
        ("turn ≤ 3 && turn ≠ 2 && turn <> 4 && turn === 1", &["≤", "≠", "<>", "==="]),
        ("self.arm == ‘foot’ && aspect == “rear”", &["‘foot’", "“rear”"]),
        ("(turn > 1 && self.arm in ['foot')", &["(", ")"]),
        ("turn > 1)", &[")"]),
        ("((turn > 1)", &["("]),
        ("self.arm == 'foot", &["'foot"]),
        ("self.arm == 'it\\'s'", &["'it\\'"]),
        ("self.arm == r'foot'\n && aspect == b\"rear\"", &["'foot'", "\"rear\""]),
        ("(self.arm == '''foot''')", &["'''"]),
        ("turn > 0x1F && turn > 1e3 && turn > 5u && turn > 1.", &["0x1F", "1e3", "5u", "1."]),
        ("has(self.arm) && [1].all(x, x > 0) && size(turn) > 1", &["has", "[", "all", "size"]),
        ("{'a': turn}['a'] > 0", &["{", "}", "["]),
        ("!!self.moved && --turn > 1 && turn > (--1)", &["!!", "--", "--"]),
        ("größe > 1 && turn > @ && turn\u{a0}> 1", &["größe", "@", "\u{a0}"]),
        ("turn[0] > 1", &["["]),
        ("turn.abs() > 1", &["turn.abs"]),
    ] {
        let all = faults(text, Kind::Bool);
        let told: Vec<&str> = all.iter().map(|(at, ..)| *at).collect();
        assert_eq!(told, places, "{all:?}");
        assert!(all.iter().all(|(_, _, help)| !help.is_empty()), "{all:?}");
    }
}

#[test]
fn places_are_bytes_even_after_letters_of_several_bytes() {
    for (text, at) in [
        ("self.nation == '日本' && turm > 1", "turm"),
        ("self.nation in ['Österreich', 'Wurttemberg']", "'Wurttemberg'"),
        ("self.nation == '日本' /* */", "*"),
        ("self.nation == '日本'\n && self.nation == 'Österreich' )", ")"),
        ("self.nation == '日本' // größer\n && && turn > 1", "&&"),
    ] {
        let (place, message, _) = fault(text);
        assert_eq!(place, at, "{text}: {message}");
    }
}

#[test]
fn places_span_whole_parts_with_their_brackets_and_signs() {
    for (text, at) in [
        ("((turn)) + (2 * (margin)) ", "((turn)) + (2 * (margin))"),
        ("self.moved && (turn + (1))", "turn + (1)"),
        ("self.moved || -math.abs( -( turn ) )", "-math.abs( -( turn ) )"),
        ("self.moved ? true : (-turn)", "-turn"),
        ("turn > 1 && -5", "-5"),
        ("!(turn - 5)", "turn - 5"),
    ] {
        let (place, message, _) = fault(text);
        assert_eq!(place, at, "{message}");
    }
}
