//! An untrusted condition or formula.

use grognard_expr::{Domain, Expr, Kind, Lookup, Row, Scope, Situation, Var};

/// A value for every name of the scope.
struct Values(Vec<i32>);

impl Situation for Values {
    fn value(&self, var: Var) -> i32 {
        self.0[var.index()]
    }
}

fn scope() -> Scope {
    let words = |list: &[&str]| Domain::Words(list.iter().map(|word| (*word).to_owned()).collect());
    let mut scope = Scope::new();
    for (name, domain) in [
        ("self.arm", words(&["foot", "horse", "guns"])),
        ("foe.formation", words(&["line", "column", "square"])),
        ("self.figures", Domain::Int { min: 0, max: 40 }),
        ("self.moved", Domain::Bool),
        ("range", Domain::Length { min: 0, max: 7_200 }),
        ("margin", Domain::Int { min: -60, max: 60 }),
        ("huge", Domain::Int { min: i32::MIN, max: i32::MAX }),
    ] {
        scope.add(name, domain).expect("a sound name and domain");
    }
    scope
}

/// Parses an expression as each kind in turn, and checks that a condition and its lookup table give the same values.
/// Returns whether the expression is valid.
pub(crate) fn exercise(text: &str) -> bool {
    let scope = scope();
    let mut sound = false;
    for kind in [Kind::Bool, Kind::Int, Kind::Length] {
        match Expr::parse(text, &scope, kind) {
            Ok(expr) if kind == Kind::Bool => {
                sound = true;
                let lookup = Lookup::sum(&[Row { when: Some(&expr), add: 1 }]);
                for seed in 0..32 {
                    let values = situation(&scope, seed);
                    assert_eq!(lookup.get(&values), expr.eval(&values), "{text}");
                }
            }
            Ok(expr) => {
                sound = true;
                for seed in 0..32 {
                    let value = expr.eval(&situation(&scope, seed));
                    let (least, most) = expr.range();
                    assert!((least..=most).contains(&value), "{text}: {value}");
                }
            }
            Err(faults) => {
                assert!(!faults.is_empty());
                for fault in faults {
                    assert!(text.get(fault.range.clone()).is_some(), "{fault:?}");
                }
            }
        }
    }
    sound
}

/// A value for every name: at one of its bounds, or between them.
fn situation(scope: &Scope, seed: u64) -> Values {
    let values = scope.names().enumerate().map(|(at, name)| {
        let (least, most) = scope.var(name).and_then(|var| scope.domain(var)).expect("a name of the scope").bounds();
        match (seed >> (at % 5)) % 4 {
            0 => least,
            1 => most,
            2 => ((i64::from(least) + i64::from(most)) / 2) as i32,
            _ => (i64::from(least) + (seed as i64 * 7 + at as i64) % (i64::from(most) - i64::from(least) + 1)) as i32,
        }
    });
    Values(values.collect())
}
