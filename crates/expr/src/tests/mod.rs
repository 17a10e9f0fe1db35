//! The scope, situations and helper functions that the tests share.

mod compiled;
mod faults;
mod hostile;
mod meaning;
mod random;

use super::*;

/// A unit facing another one, with a domain of every kind.
pub(super) fn scope() -> Scope {
    let words = |list: &[&str]| Domain::Words(list.iter().map(|word| (*word).to_owned()).collect());
    let mut scope = Scope::new();
    let arms = ["foot", "horse", "guns"];
    let formations = ["line", "column", "square", "skirmish"];
    for (name, domain) in [
        ("self.arm", words(&arms)),
        ("foe.arm", words(&arms)),
        ("self.formation", words(&formations)),
        ("foe.formation", words(&formations)),
        ("self.figures", Domain::Int { min: 0, max: 40 }),
        ("foe.figures", Domain::Int { min: 0, max: 40 }),
        ("self.moved", Domain::Bool),
        ("foe.routed", Domain::Bool),
        ("aspect", words(&["front", "flank", "rear"])),
        ("range", Domain::Length { min: 0, max: 7200 }),
        ("turn", Domain::Int { min: 1, max: 30 }),
        ("margin", Domain::Int { min: -60, max: 60 }),
        ("total.foe", Domain::Int { min: 0, max: 60 }),
        ("self.nation", words(&["Württemberg", "Österreich", "日本"])),
        ("huge", Domain::Int { min: i32::MIN, max: i32::MAX }),
    ] {
        scope.add(name, domain).expect("a sound name and domain");
    }
    for (name, bits) in KEPT {
        scope.keep(scope.var(name).expect("a name of the scope"), bits);
    }
    scope
}

/// The variables that situations keep in words.
const KEPT: [(&str, Bits); 5] = [
    ("self.arm", Bits { word: 0, shift: 0, width: 2, asks: false }),
    ("self.formation", Bits { word: 0, shift: 7, width: 5, asks: true }),
    ("self.moved", Bits { word: 0, shift: 63, width: 1, asks: false }),
    ("foe.formation", Bits { word: 1, shift: 3, width: 3, asks: true }),
    ("foe.routed", Bits { word: 1, shift: 40, width: 1, asks: false }),
];

/// A value for every variable, by its position.
#[derive(Clone, Debug)]
pub(super) struct Values(pub(super) Vec<i32>);

impl Situation for Values {
    fn value(&self, var: Var) -> i32 {
        self.0[var.index()]
    }

    fn words(&self) -> Option<[u64; WORDS]> {
        // These follow the order of the scope's names: building the scope again for every lookup would take most of the
        // tests' time.
        let places =
            [("self.arm", 0), ("self.formation", 2), ("foe.formation", 3), ("self.moved", 6), ("foe.routed", 7)];
        let mut words = [0; WORDS];
        for (name, bits) in KEPT {
            let at = places.iter().find(|place| place.0 == name).map_or(0, |place| place.1);
            // Some of the values that may be marked as not cached are marked.
            let asked = bits.asks && self.0.iter().fold(0_u32, |sum, value| sum ^ value.cast_unsigned()) % 3 == 0;
            let kept = if asked { (1 << bits.width) - 1 } else { self.0[at] as u64 };
            words[usize::from(bits.word)] |= kept << bits.shift;
        }
        Some(words)
    }
}

/// Every variable at its minimum, except those given.
pub(super) fn values(given: &[(&str, i32)]) -> Values {
    let scope = scope();
    let mut values: Vec<i32> =
        (0..scope.names().len()).map(|at| scope.domain(Var(at as u16)).expect("a variable").bounds().0).collect();
    for (name, value) in given {
        values[scope.var(name).expect("a name of the scope").index()] = *value;
    }
    Values(values)
}

pub(super) fn parse(text: &str, kind: Kind) -> Expr {
    Expr::parse(text, &scope(), kind).unwrap_or_else(|faults| panic!("{text}: {faults:?}"))
}

pub(super) fn condition(text: &str) -> Expr {
    parse(text, Kind::Bool)
}
