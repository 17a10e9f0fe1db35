//! Hostile texts: none may panic, exhaust a small stack or take long.

use proptest::prelude::*;

use super::*;

/// Parses on a stack a quarter the size of an ordinary thread's.
fn parse_narrowly(texts: Vec<String>) -> Vec<Result<Expr, Vec<ExprFault>>> {
    let work = move || -> Vec<_> {
        let scope = scope();
        texts.iter().map(|text| Expr::parse(text, &scope, Kind::Bool)).collect()
    };
    std::thread::Builder::new().stack_size(512 * 1024).spawn(work).expect("a thread").join().expect("no panic")
}

#[test]
fn depth_and_length_are_bounded() {
    let megabyte = |unit: &str| unit.repeat(1_000_000 / unit.len());
    let refused = [
        "(".repeat(1_999),
        format!("{}turn > 1{}", "(".repeat(900), ")".repeat(900)),
        format!("{}turn > 1{}", "!(".repeat(400), ")".repeat(400)),
        format!("{}turn > 1{}", "math.abs(".repeat(150), ")".repeat(150)),
        format!("turn > 1{}", "+1".repeat(900)),
        format!("turn > {}1", "-".repeat(900)),
        format!("{}self.moved", "!".repeat(1_900)),
        format!("{}true", "self.moved ? true : ".repeat(90)),
        format!("{}true", "true ? ".repeat(200)),
        "a.".repeat(999) + "a",
        "turn <".repeat(300) + "1",
        "[".repeat(1_999),
        "{".repeat(1_999),
        "turn in [".repeat(200),
        "a b ".repeat(499),
        "? : ".repeat(499),
        ") ".repeat(999),
        "'".repeat(1_999),
        "\u{0}".repeat(1_999),
        "é".repeat(999),
        "\u{200d}\u{fe0f}👩".repeat(199),
        "=".repeat(1_999),
        megabyte("("),
        megabyte("turn > 1 && "),
        megabyte("😀"),
        "\u{feff}turn > 1".to_owned(),
        "turn > 1\u{0}".to_owned(),
        "turn > '\u{202e}'".to_owned(),
    ];
    for (text, result) in refused.iter().zip(parse_narrowly(refused.to_vec())) {
        let shown: String = text.chars().take(40).collect();
        let faults = result.expect_err(&shown);
        assert!((1..=20).contains(&faults.len()), "{shown}: {} faults", faults.len());
        for fault in faults {
            assert!(text.get(fault.range.clone()).is_some(), "{shown}: {:?}", fault.range);
            assert!(fault.message.len() < 500, "{shown}: {}", fault.message);
        }
    }
}

#[test]
fn what_is_merely_long_is_understood() {
    let accepted = vec![
        format!("{}turn > 1{}", "(".repeat(DEPTH_MAX), ")".repeat(DEPTH_MAX)),
        format!("turn > 2{}", " && turn > 2".repeat(160)),
        format!("turn > 2{}", "||turn>2&&turn<9".repeat(120)),
        format!("turn in [2{}]", ", 3".repeat(600)),
        format!("turn > 2{}", "+1".repeat(60)),
        format!("{}true", "self.moved ? turn > 2 : ".repeat(DEPTH_MAX)),
    ];
    for (text, result) in accepted.iter().zip(parse_narrowly(accepted.clone())) {
        assert!(result.is_ok(), "{text}: {result:?}");
    }
}

#[test]
fn the_bounds_are_told_where_they_are_passed() {
    let deep = format!("{}turn{}", "(".repeat(DEPTH_MAX + 1), ")".repeat(DEPTH_MAX + 1));
    let faults = Expr::parse(&deep, &scope(), Kind::Int).expect_err("too deep");
    assert_eq!(faults[0].range, DEPTH_MAX..DEPTH_MAX + 1);
    let long = " ".repeat(LENGTH_MAX - 4) + "turn";
    assert!(Expr::parse(&long, &scope(), Kind::Int).is_ok());
    let longer = " ".repeat(LENGTH_MAX - 3) + "turn";
    let faults = Expr::parse(&longer, &scope(), Kind::Int).expect_err("too long");
    assert_eq!(faults[0].message, "the expression has 2001 bytes");
}

/// Fragments of the language and of things that resemble it, in any order.
fn scraps() -> impl Strategy<Value = String> {
    let scrap = prop::sample::select(vec![
        "turn",
        "self.arm",
        "range",
        "'foot'",
        "'",
        "\"",
        "1",
        "1.5",
        "0",
        "-",
        "+",
        "*",
        "/",
        "%",
        "(",
        ")",
        "[",
        "]",
        "in",
        "&&",
        "||",
        "!",
        "==",
        "!=",
        "<",
        "<=",
        "?",
        ":",
        ".",
        ",",
        "math.least(",
        "math.abs(",
        " ",
        "\n",
        "//",
        "true",
        "null",
        "if",
        "has(",
        "{",
        "}",
        "é",
        "日本",
        "\u{0}",
        "😀",
        "\\",
        "=",
        "&",
        "‘",
        "r'",
        "0x",
        "9999999999",
        "`",
        "@",
        "\r",
        "\u{2028}",
        "not",
        "b\"",
        "'''",
        "..",
        "?.",
        "[?",
        "1u",
        "1e9",
        ".5",
        "_",
    ]);
    prop::collection::vec(scrap, 0..40).prop_map(|scraps| scraps.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn no_text_panics_and_every_place_is_within_it(text in prop_oneof![scraps(), any::<String>(), "[ -~]{0,60}"]) {
        let scope = scope();
        for kind in [Kind::Bool, Kind::Int, Kind::Length] {
            match Expr::parse(&text, &scope, kind) {
                Ok(expr) => prop_assert_eq!(expr.text(), text.as_str()),
                Err(faults) => {
                    prop_assert!(faults.iter().any(|fault| fault.severity == Severity::Error));
                    for fault in faults {
                        prop_assert!(text.get(fault.range.clone()).is_some(), "{:?}", fault);
                    }
                }
            }
        }
    }
}
