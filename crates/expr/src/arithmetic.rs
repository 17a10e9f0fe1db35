//! Arithmetic on whole numbers and lengths, bounded so that it cannot overflow in a battle.

use cel::common::ast::{CallExpr, IdedExpr, operators};

use super::check::{Checker, Typed};
use super::fault::quoted;
use super::interval::Interval;
use super::kind::{Type, type_of};
use super::node::{Node, Operation};

impl<'a> Checker<'a> {
    /// `+ - * / %` and the minus sign.
    pub(super) fn arithmetic(&mut self, node: &IdedExpr, call: &CallExpr, hint: Option<Type<'a>>) -> Option<Typed<'a>> {
        // In a sum of conditions or words, each operand is refused at its own position.
        let hint = hint.filter(|hint| matches!(hint, Type::Length));
        match (call.func_name.as_str(), call.args.as_slice()) {
            (operators::NEGATE, [operand]) => {
                let operand = self.number(operand, hint)?;
                let interval = operand.interval.negate();
                self.bounded(node, Operation::Negate, Box::new([operand.node]), operand.kind, interval)
            }
            (operators::MULTIPLY, [left, right]) => self.product(node, left, right, hint),
            (operators::DIVIDE, [left, right]) => {
                let kind = type_of(left, self.scope).or(hint);
                let (dividend, divisor) = (self.number(left, kind), self.divisor(right));
                let (dividend, divisor) = (dividend?, divisor?);
                let interval = dividend.interval.divide(divisor);
                self.bounded(node, Operation::Divide(divisor), Box::new([dividend.node]), dividend.kind, interval)
            }
            (operators::MODULO, [left, right]) => {
                let (dividend, divisor) = (self.of_kind(left, Type::Int), self.divisor(right));
                let (dividend, divisor) = (dividend?, divisor?);
                let interval = dividend.interval.remainder(divisor);
                self.bounded(node, Operation::Remainder(divisor), Box::new([dividend.node]), Type::Int, interval)
            }
            (sign, operands) => {
                let [left, right] = self.alike(operands, hint)?.try_into().ok()?;
                let (operation, other) = match sign {
                    operators::ADD => (Operation::Add, right.interval),
                    _ => (Operation::Subtract, right.interval.negate()),
                };
                let interval = left.interval.add(other);
                self.bounded(node, operation, Box::new([left.node, right.node]), left.kind, interval)
            }
        }
    }

    /// `math.least`, `math.greatest` and `math.abs`; the scanner has refused all other names.
    pub(super) fn function(
        &mut self,
        node: &IdedExpr,
        name: &str,
        operands: &[IdedExpr],
        hint: Option<Type<'a>>,
    ) -> Option<Typed<'a>> {
        let hint = hint.filter(|hint| matches!(hint, Type::Length));
        let (fits, wanted) =
            if name == "abs" { (operands.len() == 1, "one value") } else { (operands.len() > 1, "two values or more") };
        if !fits {
            let message = format!("{} takes {wanted}, not {}", quoted(&format!("math.{name}")), operands.len());
            return self.fault(node, message, "as in `math.least(self.figures, 6)` and `math.abs(margin)`");
        }
        let operands = self.alike(operands, hint)?;
        let kind = operands.first()?.kind;
        let intervals = operands.iter().map(|operand| operand.interval);
        let (operation, interval) = match name {
            "least" => (Operation::Least, intervals.reduce(Interval::least)?),
            "greatest" => (Operation::Greatest, intervals.reduce(Interval::greatest)?),
            _ => (Operation::Absolute, intervals.reduce(Interval::or)?.absolute()),
        };
        let nodes = operands.into_iter().map(|operand| operand.node).collect();
        self.bounded(node, operation, nodes, kind, interval)
    }

    /// Two whole numbers, or a length and a whole number.
    fn product(
        &mut self,
        node: &IdedExpr,
        left: &IdedExpr,
        right: &IdedExpr,
        hint: Option<Type<'a>>,
    ) -> Option<Typed<'a>> {
        let length = |kind: Option<Type<'a>>| matches!(kind, Some(Type::Length));
        let (left_kind, right_kind) = (type_of(left, self.scope), type_of(right, self.scope));
        let (left_hint, right_hint) = match () {
            () if length(left_kind) && length(right_kind) => {
                return self.fault(
                    node,
                    "a length cannot be multiplied by a length",
                    "multiply it by a whole number; for one and a half times, write `* 3 / 2`",
                );
            }
            () if length(left_kind) => (Type::Length, Type::Int),
            () if length(right_kind) => (Type::Int, Type::Length),
            // `range <= 2 * self.figures`: two inches per figure.
            () if length(hint) && left_kind.is_none() => (Type::Length, Type::Int),
            () if length(hint) && right_kind.is_none() => (Type::Int, Type::Length),
            () => (Type::Int, Type::Int),
        };
        let (left, right) = (self.of_kind(left, left_hint), self.of_kind(right, right_hint));
        let (left, right) = (left?, right?);
        let kind = if matches!(left.kind, Type::Length) { left.kind } else { right.kind };
        let interval = left.interval.multiply(right.interval);
        self.bounded(node, Operation::Multiply, Box::new([left.node, right.node]), kind, interval)
    }

    /// A whole number or a length.
    fn number(&mut self, node: &IdedExpr, hint: Option<Type<'a>>) -> Option<Typed<'a>> {
        let kind = type_of(node, self.scope).or(hint).filter(|kind| matches!(kind, Type::Length));
        self.of_kind(node, kind.unwrap_or(Type::Int))
    }

    /// Operands that are all whole numbers or all lengths.
    fn alike(&mut self, operands: &[IdedExpr], hint: Option<Type<'a>>) -> Option<Vec<Typed<'a>>> {
        let kind = operands.iter().find_map(|operand| type_of(operand, self.scope)).or(hint);
        let kind = kind.filter(|kind| matches!(kind, Type::Length)).unwrap_or(Type::Int);
        let checked: Vec<Option<Typed<'a>>> = operands.iter().map(|operand| self.of_kind(operand, kind)).collect();
        checked.into_iter().collect()
    }

    /// A whole number other than zero that is written in the text.
    fn divisor(&mut self, node: &IdedExpr) -> Option<i32> {
        match self.of_kind(node, Type::Int)?.node {
            Node::Constant(0) => self.fault(node, "division by zero", "divide by a number other than 0"),
            Node::Constant(divisor) => Some(divisor),
            _ => self.fault(
                node,
                format!("{} is not a plain number", self.parsed.quote(node)),
                "divide by a literal number; to compare shares, multiply: `2 * a >= b`",
            ),
        }
    }

    /// The operation, unless its bounds exceed the range of values.
    fn bounded(
        &mut self,
        node: &IdedExpr,
        operation: Operation,
        operands: Box<[Node]>,
        kind: Type<'a>,
        interval: Interval,
    ) -> Option<Typed<'a>> {
        if interval.fit().is_none() {
            let message = format!("{} can be {}", self.parsed.quote(node), interval.describe(kind));
            return self.fault(node, message, "numbers reach 2147483647, lengths 21474836.47 inches");
        }
        Some(Typed { node: Node::Call(operation, operands), kind, interval })
    }
}
