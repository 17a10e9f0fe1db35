//! Kinds of values, and what a part of an expression reveals about its kind.

use std::fmt;

use cel::common::ast::{Expr as Cel, IdedExpr, LiteralValue, operators};

use super::fault::nearest;
use super::scope::{Domain, Scope};

/// The kind of value that an expression must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A condition: 1 if it is true, otherwise 0.
    Bool,
    /// A whole number.
    Int,
    /// A length: inches in the text, hundredths of an inch inside.
    Length,
}

/// The kind of a part, with the list that a word belongs to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Type<'a> {
    Bool,
    Int,
    Length,
    Words(&'a [String]),
}

impl<'a> Type<'a> {
    pub(super) fn of(domain: &'a Domain) -> Self {
        match domain {
            Domain::Words(words) => Type::Words(words),
            Domain::Bool => Type::Bool,
            Domain::Int { .. } => Type::Int,
            Domain::Length { .. } => Type::Length,
        }
    }

    pub(super) fn same(self, other: Type<'_>) -> bool {
        match (self, other) {
            (Type::Words(first), Type::Words(second)) => first == second,
            (Type::Bool, Type::Bool) | (Type::Int, Type::Int) | (Type::Length, Type::Length) => true,
            _ => false,
        }
    }
}

impl From<Kind> for Type<'_> {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Bool => Type::Bool,
            Kind::Int => Type::Int,
            Kind::Length => Type::Length,
        }
    }
}

impl fmt::Display for Type<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Type::Bool => "a truth value",
            Type::Int => "a whole number",
            Type::Length => "a length",
            Type::Words(_) => "a word",
        })
    }
}

/// The kind of a part according to its names and decimals. Plain numbers and words take theirs from their
/// neighbours.
pub(super) fn type_of<'a>(node: &IdedExpr, scope: &'a Scope) -> Option<Type<'a>> {
    type_by(node, &|name| scope.domain(scope.var(name)?).map(Type::of))
}

/// The kind of a part if each unknown name stands for the nearest known one.
pub(super) fn probable_type<'a>(node: &IdedExpr, scope: &'a Scope) -> Option<Type<'a>> {
    let meant = |name: &str| scope.var(name).or_else(|| scope.var(nearest(name, scope.names())?));
    type_by(node, &|name| scope.domain(meant(name)?).map(Type::of))
}

fn type_by<'a>(node: &IdedExpr, known: &dyn Fn(&str) -> Option<Type<'a>>) -> Option<Type<'a>> {
    let call = match &node.expr {
        Cel::Literal(LiteralValue::Boolean(_)) => return Some(Type::Bool),
        Cel::Literal(LiteralValue::Double(_)) => return Some(Type::Length),
        Cel::Ident(_) | Cel::Select(_) => return known(&dotted(node)?),
        Cel::Call(call) => call,
        _ => return None,
    };
    let mut operands = call.args.iter().filter_map(|operand| type_by(operand, known));
    match call.func_name.as_str() {
        operators::CONDITIONAL => call.args.iter().skip(1).find_map(|arm| type_by(arm, known)),
        operators::MODULO => Some(Type::Int),
        operators::DIVIDE => call.args.first().and_then(|dividend| type_by(dividend, known)),
        operators::MULTIPLY => {
            operands.reduce(|first, second| if matches!(second, Type::Length) { second } else { first })
        }
        operators::ADD | operators::SUBSTRACT | operators::NEGATE => operands.next(),
        _ if call.target.is_some() => operands.next(),
        _ => Some(Type::Bool),
    }
}

/// The name that a node spells, segments joined by dots.
pub(super) fn dotted(node: &IdedExpr) -> Option<String> {
    match &node.expr {
        Cel::Ident(name) => Some(name.clone()),
        Cel::Select(select) if !select.test => Some(format!("{}.{}", dotted(&select.operand)?, select.field)),
        _ => None,
    }
}
