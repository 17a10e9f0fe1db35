//! Meaning: turns CEL's tree into a checked [`Node`], or reports everything that is wrong with it.

use cel::common::ast::{CallExpr, Expr as Cel, IdedExpr, LiteralValue, operators};

use super::fault::{ExprFault, listed, meant, nearest, quoted};
use super::interval::Interval;
use super::kind::{Type, dotted, probable_type, type_of};
use super::literal;
use super::node::{Comparison, Node, Operation};
use super::parse::Parsed;
use super::scope::Scope;

/// A part of the expression that makes sense.
pub(super) struct Typed<'a> {
    pub(super) node: Node,
    pub(super) kind: Type<'a>,
    pub(super) interval: Interval,
}

/// Traverses the tree and gathers faults. A faulty part returns `None`, and its parents then report nothing about it.
pub(super) struct Checker<'a> {
    pub(super) parsed: &'a Parsed<'a>,
    pub(super) scope: &'a Scope,
    pub(super) faults: Vec<ExprFault>,
}

impl<'a> Checker<'a> {
    pub(super) fn fault<T>(
        &mut self,
        node: &IdedExpr,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Option<T> {
        self.faults.push(ExprFault::error(self.parsed.range(node), message).help(help));
        None
    }

    /// Checks `node`, which its context takes to be of kind `hint` unless its own parts say otherwise.
    pub(super) fn any(&mut self, node: &IdedExpr, hint: Option<Type<'a>>) -> Option<Typed<'a>> {
        match &node.expr {
            Cel::Literal(value) => literal::check(self, node, value, hint),
            Cel::Ident(_) | Cel::Select(_) => self.name(node, hint),
            Cel::Call(call) => self.call(node, call, hint),
            _ => self.meaningless(node),
        }
    }

    fn meaningless<T>(&mut self, node: &IdedExpr) -> Option<T> {
        self.fault(
            node,
            format!("{} has no meaning here", self.parsed.quote(node)),
            "use names, numbers, words in quotes, `&& || !`, `== != < <= > >=`, `in [..]`, `+ - * / %` and `? :`",
        )
    }

    /// Checks a node that must be of kind `kind`.
    pub(super) fn of_kind(&mut self, node: &IdedExpr, kind: Type<'a>) -> Option<Typed<'a>> {
        let typed = self.any(node, Some(kind))?;
        if typed.kind.same(kind) {
            return Some(typed);
        }
        let message = format!("{} is {}, but {} is needed here", self.parsed.quote(node), typed.kind, kind);
        let help = match (kind, typed.kind) {
            (Type::Bool, Type::Words(_)) => "compare it with a word, as in `== 'horse'`",
            (Type::Bool, _) => "compare it with something, as in `> 0`",
            (Type::Int | Type::Length, Type::Bool) => "turn it into a number: `condition ? 1 : 0`",
            (Type::Int, Type::Length) => "compare the length with another one, as in `range <= 6`",
            _ => "both sides of a comparison, and both branches of a choice, must be of the same kind",
        };
        self.fault(node, message, help)
    }

    fn name(&mut self, node: &IdedExpr, hint: Option<Type<'a>>) -> Option<Typed<'a>> {
        let Some(name) = dotted(node) else {
            let message = format!("{} is not a name", self.parsed.quote(node));
            return self.fault(node, message, "names are words joined by dots, as in `self.arm`");
        };
        if let Some((var, domain)) = self.scope.var(&name).and_then(|var| Some((var, self.scope.domain(var)?))) {
            let interval = Interval::from(domain.bounds());
            return Some(Typed { node: Node::Value(var), kind: Type::of(domain), interval });
        }
        let scope = self.scope;
        let beginning = format!("{name}.");
        let below: Vec<&str> = scope.names().filter(|known| known.starts_with(&beginning)).collect();
        let help = match hint {
            Some(Type::Words(words)) if words.contains(&name) => format!("put a word in quotes: `'{name}'`"),
            _ if !below.is_empty() => format!("complete it: {}", listed(below.iter().copied(), '`')),
            _ => match meant(&name, scope.names()).or_else(|| nearest(&name, scope.names())) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None if scope.names().next().is_none() => "no names are known here: write numbers and words".to_owned(),
                None => format!("the names are {}", listed(scope.names(), '`')),
            },
        };
        self.fault(node, format!("there is no name {}", quoted(&name)), help)
    }

    fn call(&mut self, node: &IdedExpr, call: &CallExpr, hint: Option<Type<'a>>) -> Option<Typed<'a>> {
        use Comparison::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
        match (call.func_name.as_str(), call.args.as_slice()) {
            (operators::LOGICAL_AND | operators::LOGICAL_OR, [_, _]) => self.junction(node, &call.func_name),
            (operators::LOGICAL_NOT, [operand]) => {
                let operand = self.of_kind(operand, Type::Bool)?;
                Some(truth(Node::call(Operation::Not, [operand.node])))
            }
            (operators::EQUALS, [left, right]) => self.comparison(node, Equal, left, right),
            (operators::NOT_EQUALS, [left, right]) => self.comparison(node, NotEqual, left, right),
            (operators::LESS, [left, right]) => self.comparison(node, Less, left, right),
            (operators::LESS_EQUALS, [left, right]) => self.comparison(node, LessOrEqual, left, right),
            (operators::GREATER, [left, right]) => self.comparison(node, Greater, left, right),
            (operators::GREATER_EQUALS, [left, right]) => self.comparison(node, GreaterOrEqual, left, right),
            (operators::IN, [value, list]) => self.membership(node, value, list),
            (operators::CONDITIONAL, [condition, first, second]) => self.choice(condition, first, second, hint),
            (operators::NEGATE, [_])
            | (
                operators::ADD | operators::SUBSTRACT | operators::MULTIPLY | operators::DIVIDE | operators::MODULO,
                _,
            ) => self.arithmetic(node, call, hint),
            (name, operands) if call.target.is_some() => self.function(node, name, operands, hint),
            _ => self.meaningless(node),
        }
    }

    /// A chain of one of `&&` and `||`, which the parser hands over as a balanced tree.
    fn junction(&mut self, node: &IdedExpr, sign: &str) -> Option<Typed<'a>> {
        let mut terms = Vec::new();
        flatten(node, sign, &mut terms);
        let checked: Vec<Option<Typed<'_>>> = terms.into_iter().map(|term| self.of_kind(term, Type::Bool)).collect();
        let terms: Box<[Node]> = checked.into_iter().map(|term| term.map(|term| term.node)).collect::<Option<_>>()?;
        let operation = if sign == operators::LOGICAL_AND { Operation::All } else { Operation::Any };
        Some(truth(Node::Call(operation, terms)))
    }

    fn comparison(&mut self, node: &IdedExpr, how: Comparison, left: &IdedExpr, right: &IdedExpr) -> Option<Typed<'a>> {
        let kind = self.kind_of(&[left, right]);
        let [left_typed, right_typed] = self.sides(left, right, kind)?;
        let (first, second) = (left_typed.kind, right_typed.kind);
        if !first.same(second) {
            let message = match (first, second) {
                (Type::Words(_), Type::Words(_)) => {
                    let (left, right) = (self.parsed.quote(left), self.parsed.quote(right));
                    format!("{left} and {right} are words from different lists")
                }
                _ => {
                    let (left, right) = (self.parsed.quote(left), self.parsed.quote(right));
                    format!("{left} is {first}, {right} is {second}: they cannot be compared")
                }
            };
            let chain = is_comparison(left) || is_comparison(right);
            let help =
                if chain { "write two comparisons: `1 <= a && a <= 3`" } else { "compare values of the same kind" };
            return self.fault(node, message, help);
        }
        let ordered = !matches!(how, Comparison::Equal | Comparison::NotEqual);
        if ordered && matches!(first, Type::Bool | Type::Words(_)) {
            let message = format!("{} is {first}, which cannot be ordered", self.parsed.quote(left));
            let help = match first {
                Type::Bool => "use it on its own, or with `!` before it",
                _ => "list the words: `in ['first', 'second']`",
            };
            return self.fault(node, message, help);
        }
        if let Some(always) = left_typed.interval.decides(how, right_typed.interval) {
            let sides = [(left, &left_typed), (right, &right_typed)].into_iter();
            let bounds = sides
                .filter(|(_, typed)| !typed.interval.is_single())
                .map(|(side, typed)| format!("{} is {}", self.parsed.quote(side), typed.interval.describe(typed.kind)));
            let bounds: Vec<String> = bounds.collect();
            let help = if bounds.is_empty() { "neither side ever changes".to_owned() } else { bounds.join(", ") };
            self.warn(node, always, help);
        }
        Some(truth(Node::call(Operation::Compare(how), [left_typed.node, right_typed.node])))
    }

    /// The kind of parts that are compared: that of the first part whose kind is evident or, failing that, probable.
    fn kind_of(&self, parts: &[&IdedExpr]) -> Option<Type<'a>> {
        let scope = self.scope;
        let known = parts.iter().find_map(|part| type_of(part, scope));
        known.or_else(|| parts.iter().find_map(|part| probable_type(part, scope)))
    }

    /// Checks the two sides of a comparison. A word whose list can only be inferred from the other side is not checked
    /// if that side is faulty.
    fn sides(&mut self, left: &IdedExpr, right: &IdedExpr, kind: Option<Type<'a>>) -> Option<[Typed<'a>; 2]> {
        let word = |side: &IdedExpr| matches!(side.expr, Cel::Literal(LiteralValue::String(_)));
        if kind.is_none() && word(left) != word(right) {
            let (plain, of_list) = if word(left) { (right, left) } else { (left, right) };
            let plain = self.any(plain, None)?;
            let of_list = self.any(of_list, Some(plain.kind))?;
            return Some(if word(left) { [of_list, plain] } else { [plain, of_list] });
        }
        let (left, right) = (self.any(left, kind), self.any(right, kind));
        Some([left?, right?])
    }

    pub(super) fn warn(&mut self, node: &IdedExpr, always: bool, help: String) {
        let message = format!("{} is {} true", self.parsed.quote(node), if always { "always" } else { "never" });
        let fault = if always { ExprFault::remark } else { ExprFault::warning };
        self.faults.push(fault(self.parsed.range(node), message).help(help));
    }

    fn membership(&mut self, node: &IdedExpr, value: &IdedExpr, list: &IdedExpr) -> Option<Typed<'a>> {
        let Cel::List(members) = &list.expr else {
            return self.fault(
                list,
                "a list in brackets is allowed only after `in`",
                "as in `self.arm in ['horse', 'foot']`",
            );
        };
        if members.elements.is_empty() {
            return self.fault(list, "the list is empty", "put values between the brackets");
        }
        let parts: Vec<&IdedExpr> = [value].into_iter().chain(&members.elements).collect();
        let kind = self.kind_of(&parts);
        let value_typed = self.any(value, kind);
        if value_typed.is_none() && kind.is_none() {
            return None;
        }
        let mut values: Vec<Option<i32>> = Vec::new();
        for member in &members.elements {
            let expected = value_typed.as_ref().map_or(kind.unwrap_or(Type::Int), |typed| typed.kind);
            let member_value = match self.of_kind(member, expected).map(|typed| typed.node) {
                Some(Node::Constant(value)) => Some(value),
                Some(_) => self.fault(
                    member,
                    format!("{} is not a plain value", self.parsed.quote(member)),
                    "a list holds words and numbers; compare with `==` instead",
                ),
                None => None,
            };
            let within = value_typed.as_ref().zip(member_value);
            if let Some((typed, _)) = within.filter(|(typed, value)| !typed.interval.contains(*value)) {
                let help = format!("{} is {}", self.parsed.quote(value), typed.interval.describe(typed.kind));
                let message = format!("{} is never {}", self.parsed.quote(value), self.parsed.quote(member));
                self.faults.push(ExprFault::warning(self.parsed.range(member), message).help(help));
            }
            values.push(member_value);
        }
        let value_typed = value_typed?;
        let mut values: Vec<i32> = values.into_iter().collect::<Option<_>>()?;
        values.sort_unstable();
        values.dedup();
        if value_typed.interval.covered_by(&values) {
            self.warn(node, true, "the list contains every possible value".to_owned());
        }
        Some(truth(Node::call(Operation::OneOf(values.into_boxed_slice()), [value_typed.node])))
    }

    fn choice(
        &mut self,
        condition: &IdedExpr,
        first: &IdedExpr,
        second: &IdedExpr,
        hint: Option<Type<'a>>,
    ) -> Option<Typed<'a>> {
        let kind = type_of(first, self.scope).or_else(|| type_of(second, self.scope)).or(hint);
        let condition = self.of_kind(condition, Type::Bool);
        let first = self.any(first, kind);
        let second = match &first {
            Some(first) => self.of_kind(second, first.kind),
            None => self.any(second, kind),
        };
        let (condition, first, second) = (condition?, first?, second?);
        let interval = first.interval.or(second.interval);
        Some(Typed {
            node: Node::call(Operation::Choose, [condition.node, first.node, second.node]),
            kind: first.kind,
            interval,
        })
    }
}

/// A truth value.
pub(super) fn truth<'a>(node: Node) -> Typed<'a> {
    Typed { node, kind: Type::Bool, interval: Interval::from((0, 1)) }
}

fn flatten<'t>(node: &'t IdedExpr, sign: &str, terms: &mut Vec<&'t IdedExpr>) {
    match &node.expr {
        Cel::Call(call) if call.func_name == sign => call.args.iter().for_each(|term| flatten(term, sign, terms)),
        _ => terms.push(node),
    }
}

fn is_comparison(node: &IdedExpr) -> bool {
    use operators::{EQUALS, GREATER, GREATER_EQUALS, LESS, LESS_EQUALS, NOT_EQUALS};
    let signs = [EQUALS, NOT_EQUALS, LESS, LESS_EQUALS, GREATER, GREATER_EQUALS];
    matches!(&node.expr, Cel::Call(call) if signs.contains(&call.func_name.as_str()))
}
