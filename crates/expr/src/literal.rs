//! Numbers, lengths, words and truth values as written in the text.

use cel::common::ast::{IdedExpr, LiteralValue};

use super::check::{Checker, Typed};
use super::fault::{listed, nearest, quoted};
use super::interval::Interval;
use super::kind::Type;
use super::node::Node;

/// Checks a literal, which its context takes to be of kind `hint`.
pub(super) fn check<'a>(
    checker: &mut Checker<'a>,
    node: &IdedExpr,
    value: &LiteralValue,
    hint: Option<Type<'a>>,
) -> Option<Typed<'a>> {
    match value {
        LiteralValue::Boolean(truth) => Some(constant(i32::from(*truth.inner()), Type::Bool)),
        LiteralValue::Int(number) => match hint {
            Some(Type::Length) => length(checker, node, *number.inner() < 0),
            _ => match i32::try_from(*number.inner()) {
                Ok(number) => Some(constant(number, Type::Int)),
                Err(_) => too_large(checker, node),
            },
        },
        LiteralValue::Double(number) => match hint {
            Some(Type::Int) => checker.fault(
                node,
                format!("{} is not a whole number", checker.parsed.quote(node)),
                "only lengths have decimals; for one and a half times, write `* 3 / 2`",
            ),
            _ => length(checker, node, number.inner().is_sign_negative()),
        },
        LiteralValue::String(word) => self::word(checker, node, word.inner(), hint),
        _ => checker.fault(
            node,
            format!("{} has no meaning here", checker.parsed.quote(node)),
            "every name has a value: there is no `null`",
        ),
    }
}

fn constant<'a>(value: i32, kind: Type<'a>) -> Typed<'a> {
    Typed { node: Node::Constant(value), kind, interval: Interval::from((value, value)) }
}

fn too_large<T>(checker: &mut Checker<'_>, node: &IdedExpr) -> Option<T> {
    checker.fault(node, "the number is too large", "numbers reach 2147483647, lengths 21474836.47 inches")
}

/// Converts inches, as written, to hundredths of an inch.
fn length<'a>(checker: &mut Checker<'a>, node: &IdedExpr, negative: bool) -> Option<Typed<'a>> {
    let (whole, decimals) = match checker.parsed.number(node).split_once('.') {
        Some((whole, decimals)) => (whole, decimals.trim_end_matches('0')),
        None => (checker.parsed.number(node), ""),
    };
    if decimals.len() > 2 {
        let help = "lengths are kept in hundredths of an inch: write two decimals at most";
        return checker.fault(node, "the length has more than two decimals", help);
    }
    let hundredths = format!("{whole}{decimals:0<2}").parse::<i64>().ok();
    let signed = hundredths.map(|hundredths| if negative { -hundredths } else { hundredths });
    match signed.and_then(|signed| i32::try_from(signed).ok()) {
        Some(hundredths) => Some(constant(hundredths, Type::Length)),
        None => too_large(checker, node),
    }
}

fn word<'a>(checker: &mut Checker<'a>, node: &IdedExpr, word: &str, hint: Option<Type<'a>>) -> Option<Typed<'a>> {
    let shown = format!("'{word}'");
    match hint {
        Some(Type::Words(words)) => {
            if let Some(at) = words.iter().position(|known| known == word) {
                return Some(constant(i32::try_from(at).ok()?, Type::Words(words)));
            }
            let all = || words.iter().map(String::as_str);
            let list = listed(all(), '\'');
            let help = match nearest(word, all()) {
                Some(meant) => format!("did you mean '{meant}'? The words are {list}"),
                None => format!("the words are {list}"),
            };
            checker.fault(node, format!("the word {} is not valid here", quoted(&shown)), help)
        }
        Some(Type::Bool) => checker.fault(
            node,
            format!("the word {} is not a condition", quoted(&shown)),
            "compare something with it; for one of several words write `self.arm in ['horse', 'foot']`",
        ),
        Some(kind) => checker.fault(
            node,
            format!("the word {} is used where {kind} is needed", quoted(&shown)),
            "compare words with names that stand for words",
        ),
        None => checker.fault(
            node,
            format!("it is not clear which list the word {} is from", quoted(&shown)),
            "compare it with a name that stands for a word",
        ),
    }
}
