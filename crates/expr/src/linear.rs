//! Comparisons of sums: `self.figures >= 2 * foe.figures` as a test on one weighted sum.

use super::node::{Comparison, Node, Operation, Situation};
use super::scope::Var;

/// Largest factor of a variable. With at most 1,000 variables (a text has 2,000 bytes) of 31 bits the weighted sum
/// stays below 2^61, whatever the variables' values.
const FACTOR_MAX: u64 = 1 << 20;

/// Largest constant part.
const CONSTANT_MAX: u64 = 1 << 48;

/// A weighted sum of variables.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Linear {
    /// Each variable once, with a factor other than zero, in ascending order.
    terms: Vec<(Var, i64)>,
    constant: i64,
}

/// The condition on a weighted sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    ZeroOrMore,
    Zero,
    Other,
}

/// A test on a weighted sum of variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LinearTest {
    terms: Box<[(Var, i64)]>,
    constant: i64,
    wanted: Wanted,
}

impl LinearTest {
    /// The test equivalent to a comparison, if both its sides are weighted sums of moderate size.
    pub(super) fn of(node: &Node) -> Option<Self> {
        let Node::Call(Operation::Compare(how), sides) = node else { return None };
        let (left, right) = (Linear::of(&sides[0])?, Linear::of(&sides[1])?);
        // Over whole numbers, a < b means b - a - 1 >= 0.
        let (sum, constant, wanted) = match how {
            Comparison::Less => (right.plus(&left, -1)?, -1, Wanted::ZeroOrMore),
            Comparison::LessOrEqual => (right.plus(&left, -1)?, 0, Wanted::ZeroOrMore),
            Comparison::Greater => (left.plus(&right, -1)?, -1, Wanted::ZeroOrMore),
            Comparison::GreaterOrEqual => (left.plus(&right, -1)?, 0, Wanted::ZeroOrMore),
            Comparison::Equal => (left.plus(&right, -1)?, 0, Wanted::Zero),
            Comparison::NotEqual => (left.plus(&right, -1)?, 0, Wanted::Other),
        };
        Some(LinearTest { terms: sum.terms.into(), constant: sum.constant + constant, wanted })
    }

    #[inline]
    pub(super) fn holds<S: Situation + ?Sized>(&self, situation: &S) -> bool {
        let terms = self.terms.iter().map(|(var, factor)| factor * i64::from(situation.value(*var)));
        let sum = self.constant + terms.sum::<i64>();
        match self.wanted {
            Wanted::ZeroOrMore => sum >= 0,
            Wanted::Zero => sum == 0,
            Wanted::Other => sum != 0,
        }
    }

    /// The values of the test's variable at which its answer differs from the answer for the value just below; `None`
    /// if it has several variables.
    pub(super) fn turns(&self) -> Option<Vec<i64>> {
        let [(_, factor)] = *self.terms else { return self.terms.is_empty().then(Vec::new) };
        Some(match self.wanted {
            // factor * x >= -constant
            Wanted::ZeroOrMore if factor > 0 => vec![-self.constant.div_euclid(factor)],
            // x <= constant / -factor
            Wanted::ZeroOrMore => vec![self.constant.div_euclid(-factor) + 1],
            _ if self.constant % factor == 0 => vec![-self.constant / factor, -self.constant / factor + 1],
            _ => Vec::new(),
        })
    }
}

impl Linear {
    fn of(node: &Node) -> Option<Self> {
        let (operation, operands) = match node {
            Node::Constant(value) => return Some(Linear { terms: Vec::new(), constant: i64::from(*value) }),
            Node::Value(var) => return Some(Linear { terms: vec![(*var, 1)], constant: 0 }),
            Node::Call(operation, operands) => (operation, operands),
        };
        match (operation, &**operands) {
            (Operation::Negate, [operand]) => Linear::of(operand)?.times(-1),
            (Operation::Add, [left, right]) => Linear::of(left)?.plus(&Linear::of(right)?, 1),
            (Operation::Subtract, [left, right]) => Linear::of(left)?.plus(&Linear::of(right)?, -1),
            (Operation::Multiply, [left, right]) => {
                let (left, right) = (Linear::of(left)?, Linear::of(right)?);
                match (left.terms.is_empty(), right.terms.is_empty()) {
                    (true, _) => right.times(left.constant),
                    (_, true) => left.times(right.constant),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn times(mut self, factor: i64) -> Option<Self> {
        for (_, own) in &mut self.terms {
            *own = own.checked_mul(factor)?;
        }
        self.constant = self.constant.checked_mul(factor)?;
        self.moderate()
    }

    fn plus(mut self, other: &Linear, factor: i64) -> Option<Self> {
        for (var, theirs) in &other.terms {
            match self.terms.binary_search_by_key(var, |(own, _)| *own) {
                Ok(at) => self.terms[at].1 += theirs * factor,
                Err(at) => self.terms.insert(at, (*var, theirs * factor)),
            }
        }
        self.constant += other.constant * factor;
        self.moderate()
    }

    fn moderate(mut self) -> Option<Self> {
        self.terms.retain(|(_, factor)| *factor != 0);
        let fits = self.constant.unsigned_abs() <= CONSTANT_MAX
            && self.terms.iter().all(|(_, factor)| factor.unsigned_abs() <= FACTOR_MAX);
        fits.then_some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct One(i32);
    impl Situation for One {
        fn value(&self, _: Var) -> i32 {
            self.0
        }
    }

    /// Compares `factor * x + constant` with zero in every way.
    #[test]
    fn the_test_agrees_with_the_comparison_and_turns_exactly_where_told() {
        let kinds = [
            Comparison::Equal,
            Comparison::NotEqual,
            Comparison::Less,
            Comparison::LessOrEqual,
            Comparison::Greater,
            Comparison::GreaterOrEqual,
        ];
        for how in kinds {
            for (factor, constant) in (-3..=3).flat_map(|factor| (-7..=7).map(move |constant| (factor, constant))) {
                let product = Node::call(Operation::Multiply, [Node::Constant(factor), Node::Value(Var(0))]);
                let sum = Node::call(Operation::Add, [product, Node::Constant(constant)]);
                let node = Node::call(Operation::Compare(how), [sum, Node::Constant(0)]);
                let test = LinearTest::of(&node).expect("a weighted sum on both sides");
                let turns = test.turns().expect("one variable at most");
                for x in -20..=20 {
                    assert_eq!(
                        i32::from(test.holds(&One(x))),
                        node.eval(&One(x)),
                        "{factor} * {x} + {constant} {how:?} 0"
                    );
                    let turned = test.holds(&One(x)) != test.holds(&One(x - 1));
                    assert_eq!(turned, turns.contains(&i64::from(x)), "{factor} * {x} + {constant} {how:?} 0");
                }
            }
        }
    }

    #[test]
    fn huge_factors_are_left_to_the_reference() {
        let million = || Node::Constant(1_000_000);
        let mut huge = Node::Value(Var(0));
        for _ in 0..5 {
            huge = Node::call(Operation::Multiply, [huge, million()]);
        }
        assert_eq!(LinearTest::of(&Node::call(Operation::Compare(Comparison::Less), [huge, million()])), None);
    }
}
