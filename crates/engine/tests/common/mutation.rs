//! A change to a pack, read from an environment variable. `clauses/mutants` uses it to break a row without rebuilding
//! the tests.

use grognard_source::{Absent, Document, Node, Override, Path, Sources};

use super::ended::CAUGHT;

/// The environment variable: the pack's name, a space and a [`Mutation`]. Packs that extend that pack are changed too.
pub(crate) const MUTANT: &str = "GROGNARD_TEST_MUTANT";

/// A change to a document: `PATH = VALUE`, or just `PATH` to remove that part.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Mutation(pub(crate) String);

impl Mutation {
    /// Makes the change.
    pub(crate) fn apply(&self, document: &mut Document, sources: &mut Sources) {
        let file = sources.add(MUTANT, self.0.as_str());
        let change = match Override::parse(file, sources) {
            Ok(change) => change,
            // A path without a value removes the value there.
            Err(_) => {
                let path = Path::parse(&self.0).unwrap_or_else(|error| panic!("{}: {error}", self.0));
                document.remove(&path).unwrap_or_else(|| panic!("the pack has no {path}"));
                return;
            }
        };
        document.set(&change, Absent::Refuse).unwrap_or_else(|faults| panic!("{}", faults.render(sources, false)));
    }
}

/// The change that the environment requests for this document, if any.
pub(crate) fn asked_for(document: &Document) -> Option<Mutation> {
    let asked = std::env::var(MUTANT).ok()?;
    let (pack, change) = asked.split_once(' ').expect("a pack and a change");
    let named = |key: &str| document.root.get(key).and_then(Node::as_text) == Some(pack);
    // The first test that fails has caught the mutant, so the others need not run.
    std::panic::set_hook(Box::new(|_| std::process::exit(CAUGHT)));
    (named("pack") || named("extends")).then(|| Mutation(change.to_owned()))
}
