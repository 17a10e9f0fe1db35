//! The checked form of an expression, and its reference evaluation.

#[cfg(doc)]
use super::scope::Bits;
use super::scope::Var;

/// How many words a situation may keep values in.
pub const WORDS: usize = 2;

/// The values of a scope's variables at one point in a battle.
pub trait Situation {
    /// The value of `var`, within its domain.
    fn value(&self, var: Var) -> i32;

    /// The words in which it keeps values, if it does ([`Bits`]).
    #[inline]
    fn words(&self) -> Option<[u64; WORDS]> {
        None
    }
}

impl<S: Situation + ?Sized> Situation for &S {
    #[inline]
    fn value(&self, var: Var) -> i32 {
        (**self).value(var)
    }

    #[inline]
    fn words(&self) -> Option<[u64; WORDS]> {
        (**self).words()
    }
}

/// A situation that is never read.
struct Nothing;

impl Situation for Nothing {
    fn value(&self, _: Var) -> i32 {
        0
    }
}

/// How two values compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    pub(super) fn holds(self, left: i32, right: i32) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
            Comparison::Less => left < right,
            Comparison::LessOrEqual => left <= right,
            Comparison::Greater => left > right,
            Comparison::GreaterOrEqual => left >= right,
        }
    }
}

/// The operation of a node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Operation {
    Negate,
    Absolute,
    Add,
    Subtract,
    Multiply,
    /// Division by a number other than zero, rounded towards zero.
    Divide(i32),
    /// The remainder, which has the sign of the dividend, as in CEL.
    Remainder(i32),
    Least,
    Greatest,
    Compare(Comparison),
    /// Is the operand one of these? In ascending order.
    OneOf(Box<[i32]>),
    Not,
    All,
    Any,
    /// The second operand if the first is true, otherwise the third.
    Choose,
}

/// An expression whose kinds, words and bounds have been checked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    Constant(i32),
    Value(Var),
    /// An operation with as many operands as it takes.
    Call(Operation, Box<[Node]>),
}

impl Node {
    pub(super) fn call<const N: usize>(operation: Operation, operands: [Node; N]) -> Self {
        Node::Call(operation, Box::new(operands))
    }

    /// The node's value; true is 1 and false is 0.
    ///
    /// The checker has refused everything that could leave the range of `i32` within the variables' domains, so the
    /// arithmetic wraps only for values outside them.
    pub(super) fn eval<S: Situation + ?Sized>(&self, situation: &S) -> i32 {
        let (operation, operands) = match self {
            Node::Constant(value) => return *value,
            Node::Value(var) => return situation.value(*var),
            Node::Call(operation, operands) => (operation, operands),
        };
        let operand = |at: usize| operands[at].eval(situation);
        let mut each = operands.iter().map(|operand| operand.eval(situation));
        match operation {
            Operation::Negate => operand(0).wrapping_neg(),
            Operation::Absolute => operand(0).wrapping_abs(),
            Operation::Add => operand(0).wrapping_add(operand(1)),
            Operation::Subtract => operand(0).wrapping_sub(operand(1)),
            Operation::Multiply => operand(0).wrapping_mul(operand(1)),
            Operation::Divide(by) => operand(0).wrapping_div(*by),
            Operation::Remainder(by) => operand(0).wrapping_rem(*by),
            Operation::Least => each.min().unwrap_or(0),
            Operation::Greatest => each.max().unwrap_or(0),
            Operation::Compare(comparison) => i32::from(comparison.holds(operand(0), operand(1))),
            Operation::OneOf(values) => i32::from(values.binary_search(&operand(0)).is_ok()),
            Operation::Not => i32::from(operand(0) == 0),
            Operation::All => i32::from(each.all(|value| value != 0)),
            Operation::Any => i32::from(each.any(|value| value != 0)),
            Operation::Choose => operand(if operand(0) != 0 { 1 } else { 2 }),
        }
    }

    /// The node's value, if it does not depend on variables that `known` has no value for.
    ///
    /// The check does not see that an unknown variable occurs on both sides: `distance == distance` is not decided.
    pub(super) fn decided(&self, known: &dyn Fn(Var) -> Option<i32>) -> Option<i32> {
        let (operation, operands) = match self {
            Node::Constant(value) => return Some(*value),
            Node::Value(var) => return known(*var),
            Node::Call(operation, operands) => (operation, operands),
        };
        let operand = |at: usize| operands[at].decided(known);
        let some = |wanted: bool| operands.iter().any(|each| each.decided(known).is_some_and(|is| (is != 0) == wanted));
        match operation {
            Operation::All if some(false) => return Some(0),
            Operation::Any if some(true) => return Some(1),
            Operation::Choose => return operand(if operand(0)? != 0 { 1 } else { 2 }),
            _ => {}
        }
        let values: Option<Vec<Node>> = (0..operands.len()).map(|at| operand(at).map(Node::Constant)).collect();
        Some(Node::Call(operation.clone(), values?.into()).eval(&Nothing))
    }

    /// Adds the node's variables to `vars`, which stays sorted and without repeats.
    pub(super) fn gather(&self, vars: &mut Vec<Var>) {
        match self {
            Node::Constant(_) => {}
            Node::Value(var) => {
                if let Err(at) = vars.binary_search(var) {
                    vars.insert(at, *var);
                }
            }
            Node::Call(_, operands) => operands.iter().for_each(|operand| operand.gather(vars)),
        }
    }

    /// The node's variables, sorted.
    pub(super) fn vars(&self) -> Vec<Var> {
        let mut vars = Vec::new();
        self.gather(&mut vars);
        vars
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_operand_decides_needs_no_other() {
        let (known, open) = (Var(0), Node::Value(Var(1)));
        let is =
            |value: i32| Node::call(Operation::Compare(Comparison::Equal), [Node::Value(known), Node::Constant(value)]);
        let of = |node: Node| node.decided(&|var| (var == known).then_some(3));
        assert_eq!(of(Node::call(Operation::All, [open.clone(), is(4)])), Some(0));
        assert_eq!(of(Node::call(Operation::All, [open.clone(), is(3)])), None);
        assert_eq!(of(Node::call(Operation::Any, [open.clone(), is(3)])), Some(1));
        assert_eq!(of(Node::call(Operation::Any, [open.clone(), is(4)])), None);
        assert_eq!(of(Node::call(Operation::Choose, [is(3), Node::Constant(7), open.clone()])), Some(7));
        assert_eq!(of(Node::call(Operation::Not, [Node::call(Operation::All, [open.clone(), is(4)])])), Some(1));
        assert_eq!(of(Node::call(Operation::Add, [Node::Value(known), open])), None);
        assert_eq!(of(Node::call(Operation::Add, [Node::Value(known), Node::Constant(2)])), Some(5));
    }

    #[test]
    fn division_goes_towards_zero_and_the_remainder_keeps_the_dividends_sign() {
        for (dividend, divisor, quotient, remainder) in [(7, 2, 3, 1), (-7, 2, -3, -1), (7, -2, -3, 1), (-7, -2, 3, -1)]
        {
            let divide = Node::call(Operation::Divide(divisor), [Node::Constant(dividend)]);
            let remain = Node::call(Operation::Remainder(divisor), [Node::Constant(dividend)]);
            assert_eq!(
                (divide.eval(&Nothing), remain.eval(&Nothing)),
                (quotient, remainder),
                "{dividend} by {divisor}"
            );
        }
    }

    #[test]
    fn a_value_outside_its_domain_wraps_rather_than_panics() {
        let least = || Node::Constant(i32::MIN);
        assert_eq!(Node::call(Operation::Divide(-1), [least()]).eval(&Nothing), i32::MIN);
        assert_eq!(Node::call(Operation::Remainder(-1), [least()]).eval(&Nothing), 0);
        assert_eq!(Node::call(Operation::Absolute, [least()]).eval(&Nothing), i32::MIN);
    }
}
