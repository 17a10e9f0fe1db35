//! Random expressions: the lookup against the reference, and the reference against CEL's own interpreter.

use std::collections::BTreeMap;

use cel::{Context, Program, Value};
use proptest::prelude::*;

use super::*;

/// The parts that a random expression may contain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    /// Everything in our language.
    Ours,
    /// Only what has the same meaning in CEL's interpreter: no lengths and no functions.
    Common,
}

fn word_test() -> impl Strategy<Value = String> {
    let list = |names: &'static [&'static str], words: &'static [&'static str]| {
        (prop::sample::select(names), prop::sample::subsequence(words, 1..=words.len()), 0..3)
    };
    let tests = prop_oneof![
        list(&["self.arm", "foe.arm"], &["foot", "horse", "guns"]),
        list(&["self.formation", "foe.formation"], &["line", "column", "square", "skirmish"]),
        list(&["aspect"], &["front", "flank", "rear"]),
    ];
    tests.prop_map(|(name, words, how)| match how {
        0 => format!("{name} == '{}'", words[0]),
        1 => format!("{name} != \"{}\"", words[0]),
        _ => format!("{name} in ['{}']", words.join("', '")),
    })
}

fn number(language: Language) -> BoxedStrategy<String> {
    let name = prop::sample::select(vec!["self.figures", "foe.figures", "turn", "margin", "total.foe"]);
    let leaf = prop_oneof![name.prop_map(str::to_owned), (-20..60).prop_map(|number: i32| number.to_string())];
    leaf.prop_recursive(3, 12, 3, move |inner| {
        let pair = (inner.clone(), prop::sample::select(vec!["+", "-", "*"]), inner.clone());
        let divisor = prop::sample::select(vec!["/ 2", "/ 3", "% 5", "/ -4", "% -3"]);
        let choice = (word_test(), inner.clone(), inner.clone());
        let arithmetic = prop_oneof![
            pair.prop_map(|(left, sign, right)| format!("({left} {sign} {right})")),
            (inner.clone(), divisor).prop_map(|(left, divisor)| format!("({left}) {divisor}")),
            inner.clone().prop_map(|value| format!("-({value})")),
            choice.prop_map(|(test, first, second)| format!("({test} ? {first} : {second})")),
        ];
        if language == Language::Common {
            return arithmetic.boxed();
        }
        let functions = (prop::sample::select(vec!["least", "greatest"]), prop::collection::vec(inner.clone(), 2..4));
        prop_oneof![
            3 => arithmetic,
            1 => functions.prop_map(|(name, values)| format!("math.{name}({})", values.join(", "))),
            1 => inner.prop_map(|value| format!("math.abs({value})")),
        ]
        .boxed()
    })
    .boxed()
}

fn test(language: Language) -> BoxedStrategy<String> {
    let sign = || prop::sample::select(vec!["==", "!=", "<", "<=", ">", ">="]);
    let flag = prop::sample::select(vec!["self.moved", "foe.routed", "self.moved == foe.routed", "true"]);
    let length =
        (sign(), 0..80_i32, 0..100_i32).prop_map(|(sign, whole, part)| format!("range {sign} {whole}.{part:02}"));
    let compared = (number(language), sign(), number(language));
    let listed = (number(language), prop::collection::vec(-20..60_i32, 1..5));
    let leaf = prop_oneof![
        3 => word_test(),
        1 => flag.prop_map(str::to_owned),
        2 => compared.prop_map(|(left, sign, right)| format!("{left} {sign} {right}")),
        1 => listed.prop_map(|(value, list)| format!("{value} in {list:?}")),
    ];
    let leaf = if language == Language::Common { leaf.boxed() } else { prop_oneof![4 => leaf, 1 => length].boxed() };
    leaf.prop_recursive(4, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(|terms| format!("({})", terms.join(" && "))),
            prop::collection::vec(inner.clone(), 2..4).prop_map(|terms| format!("({})", terms.join(" || "))),
            inner.clone().prop_map(|term| format!("!({term})")),
            (inner.clone(), inner.clone(), inner)
                .prop_map(|(test, first, second)| format!("({test} ? {first} : {second})")),
        ]
    })
    .boxed()
}

/// Any value for each variable of the scope, with its limits occurring more often than other values.
fn situation() -> impl Strategy<Value = Values> {
    let scope = scope();
    let bounds = (0..scope.names().len()).map(|at| scope.domain(Var(at as u16)).expect("a variable").bounds());
    let values: Vec<_> = bounds.map(|(min, max)| prop_oneof![6 => min..=max, 1 => Just(min), 1 => Just(max)]).collect();
    values.prop_map(Values)
}

/// The situation as CEL's variables.
#[expect(clippy::disallowed_types, reason = "the interpreter takes its maps in this form")]
fn context(situation: &Values) -> Context<'static, 'static> {
    let scope = scope();
    let mut groups: BTreeMap<&str, std::collections::HashMap<String, Value>> = BTreeMap::new();
    let mut context = Context::default();
    for name in scope.names() {
        let var = scope.var(name).expect("its own name");
        let number = situation.value(var);
        let value: Value = match scope.domain(var).expect("its own variable") {
            Domain::Words(words) => words[number as usize].clone().into(),
            Domain::Bool => (number != 0).into(),
            Domain::Int { .. } | Domain::Length { .. } => i64::from(number).into(),
        };
        match name.split_once('.') {
            Some((group, member)) => {
                groups.entry(group).or_default().insert(member.to_owned(), value);
            }
            None => context.add_variable_from_value(name, value),
        }
    }
    for (group, members) in groups {
        context.add_variable_from_value(group, members);
    }
    context
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn rows_looked_up_equal_rows_evaluated(
        rows in prop::collection::vec((test(Language::Ours), -30..30_i32), 1..10),
        situations in prop::collection::vec(situation(), 60),
    ) {
        let conditions: Vec<(Expr, i32)> = rows.iter().map(|(text, add)| (condition(text), *add)).collect();
        let borrowed: Vec<Row<'_>> = conditions.iter().map(|(when, add)| Row { when: Some(when), add: *add }).collect();
        let sum = Lookup::sum(&borrowed);
        let first = Lookup::first(&conditions.iter().map(|(when, _)| Some(when)).collect::<Vec<_>>());
        for situation in situations {
            let expected: i32 = conditions.iter().map(|(when, add)| when.eval(&situation) * add).sum();
            let position = conditions.iter().position(|(when, _)| when.holds(&situation)).unwrap_or(conditions.len());
            prop_assert_eq!(sum.get(&situation), expected);
            prop_assert_eq!(first.get(&situation), position as i32);
            prop_assert!((sum.range().0..=sum.range().1).contains(&expected));
            prop_assert!((first.range().0..=first.range().1).contains(&(position as i32)));
        }
    }

    #[test]
    fn formulas_looked_up_equal_formulas_evaluated(
        text in number(Language::Ours),
        situations in prop::collection::vec(situation(), 60),
    ) {
        let Ok(expr) = Expr::parse(&text, &scope(), Kind::Int) else { return Ok(()) };
        let lookup = Lookup::of(&expr);
        let (expr_range, range) = (expr.range(), lookup.range());
        prop_assert!(expr_range.0 <= range.0 && range.1 <= expr_range.1);
        for situation in situations {
            let value = expr.eval(&situation);
            prop_assert_eq!(lookup.get(&situation), value);
            prop_assert!(range.0 <= value && value <= range.1);
        }
    }

    #[test]
    fn the_reference_agrees_with_the_interpreter_of_cel(
        text in test(Language::Common),
        situations in prop::collection::vec(situation(), 10),
    ) {
        let expr = condition(&text);
        let program = Program::compile(&text).expect("CEL");
        for situation in situations {
            let value = program.execute(&context(&situation)).expect("a value");
            prop_assert_eq!(value, Value::Bool(expr.holds(&situation)));
        }
    }
}
