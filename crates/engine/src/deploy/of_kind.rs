//! Facts about a unit that stay constant. They decide conditions that nothing in a battle can change.

use grognard_expr::{Situation, Var};
use grognard_rules::model::{ByteId, Cite, Kind, KindId, Rules, Source};
use grognard_rules::situation::{Fact, Field, Subject};

/// A unit type as read by conditions.
pub(super) struct OfKind<'a> {
    rules: &'a Rules,
    index: KindId,
    kind: &'a Kind,
}

impl<'a> OfKind<'a> {
    pub(super) fn new(rules: &'a Rules, index: KindId) -> Self {
        Self { rules, index, kind: &rules.kinds[index] }
    }

    /// The value of a name, unless it can change in a battle.
    pub(super) fn reads(&self, var: Var) -> Option<i32> {
        let Field { subject: Subject::Own, fact } = self.rules.field(var) else { return None };
        match fact {
            Fact::Kind => Some(self.index.byte().into()),
            Fact::Arm => Some(self.kind.arm.into()),
            Fact::Attribute(index) => self.kind.attributes.get(usize::from(index)).map(|&value| value.into()),
            Fact::Trait(index) => Some((self.kind.traits >> index & 1) as i32),
            _ => None,
        }
    }

    /// The clauses of these rows in brackets, for a message. Clauses that do not apply to units of this type are left
    /// out.
    pub(super) fn cited(&self, sources: &[&Source]) -> String {
        let concerns = |cite: &Cite| {
            let told = cite.when.as_ref().and_then(|when| when.decided(&|var| self.reads(var)));
            cite.clause != "house" && told != Some(0)
        };
        let mut clauses: Vec<&str> = Vec::new();
        for cite in sources.iter().flat_map(|source| &source.cite).filter(|cite| concerns(cite)) {
            if !clauses.contains(&cite.clause.as_str()) {
                clauses.push(&cite.clause);
            }
        }
        if clauses.is_empty() { String::new() } else { format!(" ({})", clauses.join(", ")) }
    }
}

impl Situation for OfKind<'_> {
    fn value(&self, var: Var) -> i32 {
        self.reads(var).unwrap_or(0)
    }
}
