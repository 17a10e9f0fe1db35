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
    pub(super) fn decided<K: Fn(Var) -> Option<i32> + ?Sized>(&self, known: &K) -> Option<i32> {
        let (operation, operands) = match self {
            Node::Constant(value) => return Some(*value),
            Node::Value(var) => return known(*var),
            Node::Call(operation, operands) => (operation, operands),
        };
        let operand = |at: usize| operands[at].decided(known);
        // Whether any operand is this; `None` if that may depend on what is not known.
        let any = |wanted: bool| {
            let mut all_known = true;
            for operand in operands {
                match operand.decided(known) {
                    Some(value) if (value != 0) == wanted => return Some(true),
                    value => all_known &= value.is_some(),
                }
            }
            all_known.then_some(false)
        };
        let best = |better: fn(i32, i32) -> i32| {
            let mut best = None;
            for operand in operands {
                let value = operand.decided(known)?;
                best = Some(best.map_or(value, |best| better(best, value)));
            }
            best
        };
        Some(match operation {
            Operation::Negate => operand(0)?.wrapping_neg(),
            Operation::Absolute => operand(0)?.wrapping_abs(),
            Operation::Add => operand(0)?.wrapping_add(operand(1)?),
            Operation::Subtract => operand(0)?.wrapping_sub(operand(1)?),
            Operation::Multiply => operand(0)?.wrapping_mul(operand(1)?),
            Operation::Divide(by) => operand(0)?.wrapping_div(*by),
            Operation::Remainder(by) => operand(0)?.wrapping_rem(*by),
            Operation::Least => best(i32::min)?,
            Operation::Greatest => best(i32::max)?,
            Operation::Compare(comparison) => i32::from(comparison.holds(operand(0)?, operand(1)?)),
            Operation::OneOf(values) => i32::from(values.binary_search(&operand(0)?).is_ok()),
            Operation::Not => i32::from(operand(0)? == 0),
            Operation::All => i32::from(!any(false)?),
            Operation::Any => i32::from(any(true)?),
            Operation::Choose => operand(if operand(0)? != 0 { 1 } else { 2 })?,
        })
    }

    /// The node with numbers in place of some variables, without the terms that they decide.
    pub(super) fn given<K: Fn(Var) -> Option<i32>>(&self, number: &K) -> Node {
        let (operation, operands) = match self {
            Node::Constant(_) => return self.clone(),
            Node::Value(var) => return number(*var).map_or_else(|| self.clone(), Node::Constant),
            Node::Call(operation, operands) => (operation, operands),
        };
        match operation {
            Operation::Choose => match operands[0].given(number) {
                Node::Constant(holds) => operands[if holds != 0 { 1 } else { 2 }].given(number),
                condition => {
                    let [one, other] = [1, 2].map(|at: usize| operands[at].given(number));
                    Node::call(Operation::Choose, [condition, one, other])
                }
            },
            Operation::All | Operation::Any => {
                // A term with this value decides the whole; others that are known do not matter.
                let decisive = *operation == Operation::Any;
                let mut open = Vec::with_capacity(operands.len());
                for operand in operands {
                    match operand.given(number) {
                        Node::Constant(value) if (value != 0) == decisive => return Node::Constant(decisive.into()),
                        Node::Constant(_) => {}
                        term => open.push(term),
                    }
                }
                if open.is_empty() {
                    return Node::Constant((!decisive).into());
                }
                Node::Call(operation.clone(), open.into())
            }
            _ => {
                let node = Node::Call(operation.clone(), operands.iter().map(|each| each.given(number)).collect());
                node.decided(&|_| None).map_or(node, Node::Constant)
            }
        }
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

    /// A situation that is never read.
    struct Nothing;

    impl Situation for Nothing {
        fn value(&self, _: Var) -> i32 {
            0
        }
    }

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
    fn what_numbers_decide_is_left_out() {
        let [one, two] = [Var(0), Var(1)].map(Node::Value);
        let less = |node: &Node| Node::call(Operation::Compare(Comparison::Less), [node.clone(), Node::Constant(3)]);
        let given = |node: Node| node.given(&|var| (var == Var(0)).then_some(3));
        let both = |operation| Node::call(operation, [less(&one), less(&two)]);
        assert_eq!(given(both(Operation::All)), Node::Constant(0));
        assert_eq!(given(both(Operation::Any)), Node::call(Operation::Any, [less(&two)]));
        let sum = Node::call(Operation::Add, [one.clone(), two.clone()]);
        assert_eq!(given(sum), Node::call(Operation::Add, [Node::Constant(3), two.clone()]));
        let choice = Node::call(Operation::Choose, [less(&one), Node::Constant(8), two.clone()]);
        assert_eq!(given(choice), two);
        assert_eq!(given(Node::call(Operation::Negate, [one])), Node::Constant(-3));
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
