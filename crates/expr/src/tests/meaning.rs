//! The meaning of expressions, each checked against a value computed by hand.

use super::*;

#[test]
fn conditions_hold_where_their_words_say_so() {
    let unit =
        values(&[("self.arm", 1), ("foe.formation", 2), ("self.figures", 12), ("foe.figures", 5), ("range", 150)]);
    for (text, holds) in [
        ("self.arm == 'horse' && foe.formation == 'square'", true),
        ("self.arm == \"foot\" || foe.formation != 'square'", false),
        ("self.arm in ['foot', 'guns']", false),
        ("!(self.arm in ['foot', 'guns'])", true),
        ("self.figures >= 2 * foe.figures", true),
        ("self.figures >= 3 * foe.figures", false),
        ("range <= 1.5", true),
        ("range < 1.50", false),
        ("range == 1 + 0.5", true),
        ("range > 1", true),
        ("range * 2 == 3", true),
        ("range / 4 == 0.37", true),
        ("range <= 2 * foe.figures", true),
        ("-range < -1.49", true),
        ("range in [0.5, 1.5, 2]", true),
        ("self.moved", false),
        ("self.moved == foe.routed", true),
        ("self.moved == true", false),
        ("self.arm == (self.moved ? 'foot' : 'horse')", true),
        ("self.arm == foe.arm", false),
        ("math.least(self.figures, foe.figures, 7) == 5", true),
        ("math.greatest(range, 3) == 3.0", true),
        ("math.abs(foe.figures - self.figures) == 7", true),
        ("true", true),
        ("self.nation == 'Württemberg' // in Baden, no\n && self.figures > 0", true),
    ] {
        assert_eq!(condition(text).holds(&unit), holds, "{text}");
    }
}

#[test]
fn formulas_count_as_cel_does() {
    let unit = values(&[("self.figures", 17), ("margin", -7), ("range", 275)]);
    for (text, kind, value) in [
        ("self.figures / 3", Kind::Int, 5),
        ("self.figures % 3", Kind::Int, 2),
        ("margin / 2", Kind::Int, -3),
        ("margin % 2", Kind::Int, -1),
        ("margin / -2", Kind::Int, 3),
        ("1 + 2 * 3 - 4", Kind::Int, 3),
        ("self.figures--1", Kind::Int, 18),
        ("self.figures - -1", Kind::Int, 18),
        ("-(self.figures)", Kind::Int, -17),
        ("self.moved ? 1 : margin > 0 ? 2 : 3", Kind::Int, 3),
        ("-2147483648", Kind::Int, i32::MIN),
        ("range / 2", Kind::Length, 137),
        ("range + 6", Kind::Length, 875),
        ("6", Kind::Length, 600),
        ("-0.05", Kind::Length, -5),
        ("self.moved ? 6 : 4.5", Kind::Length, 450),
        ("math.least(range, 2) * 3", Kind::Length, 600),
    ] {
        assert_eq!(parse(text, kind).eval(&unit), value, "{text}");
    }
}

#[test]
fn an_expression_knows_its_variables_bounds_and_text() {
    let scope = scope();
    let expr = parse("foe.figures / 3 - turn + foe.figures * 0", Kind::Int);
    let names: Vec<_> = expr.vars().filter_map(|var| scope.name(var)).collect();
    assert_eq!(names, ["foe.figures", "turn"]);
    assert_eq!(expr.range(), (-30, 12));
    assert_eq!(expr.to_string(), "foe.figures / 3 - turn + foe.figures * 0");
    assert_eq!((expr.text(), expr.kind()), ("foe.figures / 3 - turn + foe.figures * 0", Kind::Int));
    assert_eq!(condition("self.moved && turn > 2").range(), (0, 1));
    assert_eq!(parse("turn % 7", Kind::Int).range(), (0, 6));
}

#[test]
fn a_scope_refuses_names_that_cannot_be_written() {
    let mut scope = scope();
    for name in ["", ".", "a.", "a..b", "a-b", "1st", "ärmel", "a b"] {
        assert_eq!(scope.add(name, Domain::Bool), Err(ScopeFault::Malformed(name.into())), "{name}");
    }
    assert_eq!(scope.add("turn", Domain::Bool), Err(ScopeFault::Twice("turn".into())));
    assert_eq!(scope.add("x", Domain::Int { min: 2, max: 1 }), Err(ScopeFault::Domain("x".into())));
    assert_eq!(scope.add("x", Domain::Words(Vec::new())), Err(ScopeFault::Domain("x".into())));
    assert_eq!(scope.add("x", Domain::Bool), Ok(Var(15)));
}
