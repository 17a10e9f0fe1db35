//! Divides conditions into parts that depend on a single variable, and parts that depend on several.

use super::Bounds;
use super::node::{Node, Operation};
use super::scope::Var;

/// Maximum number of combinations of values for which a comparison of several variables is looked up rather than
/// computed.
const COMBINED_MAX: i64 = 64;

/// A part of a condition or formula that is looked up or computed as a whole.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// It uses this variable only.
    Atom(Var, Node),
    /// It is a condition over several variables.
    Judgement(Node),
}

/// Parts gathered from several nodes, each kept once.
#[derive(Debug)]
pub(super) struct Splitter<'a> {
    bounds: &'a [Bounds],
    pub(super) parts: Vec<Part>,
}

impl<'a> Splitter<'a> {
    /// A splitter for nodes whose variables have these bounds, sorted by variable.
    pub(super) fn new(bounds: &'a [Bounds]) -> Self {
        Splitter { bounds, parts: Vec::new() }
    }

    /// The node with its parts replaced by variables: [`Var`] `k` stands for part `k`.
    pub(super) fn split(&mut self, node: &Node) -> Node {
        let vars = node.vars();
        match (vars.as_slice(), node) {
            ([], _) => node.clone(),
            ([var], _) => self.part(Part::Atom(*var, node.clone())),
            (_, Node::Call(operation @ (Operation::All | Operation::Any), terms)) => self.junction(operation, terms),
            (vars, Node::Call(Operation::Compare(_) | Operation::OneOf(_), _)) if !self.few(vars) => {
                self.part(Part::Judgement(node.clone()))
            }
            (_, Node::Call(operation, operands)) => {
                Node::Call(operation.clone(), operands.iter().map(|operand| self.split(operand)).collect())
            }
            (_, Node::Constant(_) | Node::Value(_)) => node.clone(),
        }
    }

    /// Terms over the same variable form one part: a band with two ends divides its variable into two classes, not into
    /// three.
    fn junction(&mut self, operation: &Operation, terms: &[Node]) -> Node {
        let mut alone: Vec<(Var, Vec<Node>)> = Vec::new();
        let mut split = Vec::new();
        for term in terms {
            match *term.vars() {
                [var] => match alone.iter_mut().find(|(known, _)| *known == var) {
                    Some((_, group)) => group.push(term.clone()),
                    None => alone.push((var, vec![term.clone()])),
                },
                _ => split.push(self.split(term)),
            }
        }
        for (var, group) in alone {
            split.push(self.part(Part::Atom(var, Node::Call(operation.clone(), group.into()))));
        }
        Node::Call(operation.clone(), split.into())
    }

    /// Is the number of combinations of these variables' values small?
    fn few(&self, vars: &[Var]) -> bool {
        let size = |var: &Var| {
            let at = self.bounds.binary_search_by_key(var, |bounds| bounds.var).ok()?;
            Some(i64::from(self.bounds[at].max) - i64::from(self.bounds[at].min) + 1)
        };
        vars.iter().try_fold(1_i64, |all, var| all.checked_mul(size(var)?)).is_some_and(|all| all <= COMBINED_MAX)
    }

    fn part(&mut self, part: Part) -> Node {
        let at = self.parts.iter().position(|known| *known == part).unwrap_or_else(|| {
            self.parts.push(part);
            self.parts.len() - 1
        });
        // A text of 2,000 bytes has few parts, and `Plan::new` bounds the number of texts.
        Node::Value(Var(at as u16))
    }
}
