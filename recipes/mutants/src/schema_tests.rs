//! Mutants of every kind, compiled together and switched on one after the other, have the same effect as each change by
//! itself.

use std::fs;
use std::process::Command;

use crate::listed::{Genre, Mutant};
use crate::schema::Schema;

/// A file with one mutant of each kind. A mark shows where each one begins: `§`, then its number.
const SOURCE: &str = "
fn value(a: i32) -> i32 { §1let b = a; b }
fn several(a: i32) -> Option<i32> { §2§3Some(a) }
fn nothing(a: i32) -> impl Iterator<Item = i32> { §4(0..a).map(|b| b * b) }
fn chain(a: i32, b: i32) -> bool { a > 0 §5&& b > 0 §6&& a §7!= b §8|| a §9< -5 }
fn once(a: Vec<i32>) -> bool { a.len() §10> 1 && !a.is_empty() }
fn sum(a: i32, b: i32) -> i32 { a §11+ b §12* (a §13- 1) }
fn assigned(mut a: [i32; 2]) -> i32 { a[a.len() - 1] §14+= a[0]; a[1] }
fn turned(a: i32) -> (bool, i32) { (§15!(a == 2), §16-a) }
fn arm(a: i32) -> i32 { match a { §171 => 10, §182 if §19§20a < 5 => 20, _ => 30 } }
#[derive(Clone, Copy)]
struct Both { a: i32, b: i32 }
fn field(from: Both) -> i32 { let a = 9; let both = Both { §21a, ..from }; let last = Both { §22b: 7, ..both }; last.a * 10 + last.b }
fn chained(a: Option<i32>) -> i32 { if let Some(b) = a §23&& b > 1 { b } else { 0 } }
fn main() {
    println!(\"{}\", [
        format!(\"{}\", value(4)),
        format!(\"{:?}\", several(4)),
        format!(\"{:?}\", nothing(4).collect::<Vec<_>>()),
        format!(\"{:?}\", [(1, 2), (2, 2), (-1, 2), (1, -1), (-6, 0)].map(|(a, b)| chain(a, b))),
        format!(\"{:?}\", [once(vec![1]), once(vec![1, 2])]),
        format!(\"{}\", sum(3, 5)),
        format!(\"{}\", assigned([2, 3])),
        format!(\"{:?}\", turned(2)),
        format!(\"{:?}\", [1, 2, 3].map(arm)),
        format!(\"{}\", field(Both { a: 1, b: 2 })),
        format!(\"{}\", chained(Some(2))),
    ].join(\" / \"));
}
mod mutant {
    pub fn on(number: u32) -> bool { std::env::args().nth(1).is_some_and(|on| on == number.to_string()) }
}
";

/// The program's output without a mutant.
const PLAIN: [&str; 11] = [
    "4",
    "Some(4)",
    "[0, 1, 4, 9]",
    "[true, false, false, false, true]",
    "[false, true]",
    "13",
    "5",
    "(false, -2)",
    "[10, 20, 30]",
    "97",
    "2",
];

/// Each mutant: kind, replacement, the index of the output that changes, and its new value.
const MUTANTS: [(Genre, &str, usize, &str); 23] = [
    (Genre::FnValue, "-1", 0, "-1"),
    (Genre::FnValue, "None", 1, "None"),
    (Genre::FnValue, "Some(1)", 1, "Some(1)"),
    (Genre::FnValue, "::std::iter::empty()", 2, "[]"),
    // a > 0 || b > 0 && a != b || a < -5: `||` and then the rest as the parser reads it, since operands keep their
    // places.
    (Genre::BinaryOperator, "||", 3, "[true, false, true, true, true]"),
    (Genre::BinaryOperator, "||", 3, "[true, true, true, true, true]"),
    (Genre::BinaryOperator, "==", 3, "[false, true, false, false, true]"),
    (Genre::BinaryOperator, "&&", 3, "[false, false, false, false, false]"),
    (Genre::BinaryOperator, ">", 3, "[true, true, true, true, false]"),
    (Genre::BinaryOperator, ">=", 4, "[true, true]"),
    (Genre::BinaryOperator, "*", 5, "30"),
    (Genre::BinaryOperator, "+", 5, "10"),
    (Genre::BinaryOperator, "/", 5, "18"),
    (Genre::BinaryOperator, "-=", 6, "1"),
    (Genre::UnaryOperator, "", 7, "(true, -2)"),
    (Genre::UnaryOperator, "", 7, "(false, 2)"),
    (Genre::MatchArm, "", 8, "[30, 20, 30]"),
    (Genre::MatchArm, "", 8, "[10, 30, 30]"),
    (Genre::MatchArmGuard, "true", 8, "[10, 20, 30]"),
    (Genre::MatchArmGuard, "false", 8, "[10, 30, 30]"),
    (Genre::StructField, "", 9, "17"),
    (Genre::StructField, "", 9, "92"),
    (Genre::BinaryOperator, "||", 10, "has no place"),
];

/// The source without its marks, and the mutants at the marked places.
fn parsed() -> (String, Vec<Mutant>) {
    let (mut source, mut mutants) = (String::new(), Vec::new());
    let mut parts = SOURCE.split('§');
    source += parts.next().unwrap_or_default();
    for part in parts {
        let number = mutants.len() as u32 + 1;
        let (genre, replacement, ..) = MUTANTS[mutants.len()];
        let (line, column) = (source.lines().count(), source.lines().last().map_or(0, |line| line.chars().count()) + 1);
        mutants.push(Mutant::at(number, genre, replacement, (line, column)));
        source += part.strip_prefix(&number.to_string()).expect("marks are numbered");
    }
    (source, mutants)
}

#[test]
fn all_mutants_are_compiled_together_and_each_does_what_it_says() {
    let (source, mutants) = parsed();
    let schema = Schema::new(&source, &mutants.iter().collect::<Vec<_>>()).expect("it is Rust");
    let placed: Vec<u32> = schema.mutants().collect();
    assert!((1..23).all(|number| placed.contains(&number)), "{placed:?}");
    assert!(!placed.contains(&23), "a chain with `let` has no place");
    let folder = std::env::temp_dir().join(format!("grognard-schema-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let (file, program) = (folder.join("all.rs"), folder.join("all"));
    fs::write(&file, &schema.text).expect("a file");
    let mut rustc = Command::new("rustc");
    let compiled = rustc.args(["--edition", "2024", "--cap-lints", "allow", "-o"]).arg(&program).arg(&file).status();
    assert!(compiled.expect("rustc runs").success(), "{}", schema.text);
    let printed = |number: u32| {
        let output = Command::new(&program).arg(number.to_string()).output().expect("it runs");
        let output = String::from_utf8(output.stdout).expect("text");
        output.trim_end().split(" / ").map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(printed(0), PLAIN);
    for (number, (.., part, instead)) in (1..23).zip(MUTANTS) {
        let mut expected = PLAIN;
        expected[part] = instead;
        assert_eq!(printed(number), expected, "mutant {number}");
    }
    fs::remove_dir_all(&folder).expect("the folder can be removed");
}

#[test]
fn a_fault_is_blamed_on_the_change_at_its_place_or_on_all_of_the_expression() {
    let (source, mutants) = parsed();
    let schema = Schema::new(&source, &mutants.iter().collect::<Vec<_>>()).expect("it is Rust");
    let at = |text: &str| schema.text.find(text).expect("it is there");
    assert_eq!(schema.blamed(at("return Some(1)")), [3]);
    assert_eq!(schema.blamed(at("return None")), [2]);
    assert_eq!(schema.blamed(at("crate::mutant::on(3)")), [3]);
    assert_eq!(schema.blamed(at("m_left * m_right } else")), [11]);
    assert_eq!(schema.blamed(at("a.len()") + 2), [10]);
    assert!(schema.blamed(at("println")).is_empty());
}
