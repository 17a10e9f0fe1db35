//! A study with other orders for a side: doctrines as rows that can be changed.

use grognard_engine::{BySide, Side};
use grognard_source::{Diagnostics, Key, Node, Span, Table, Value};

use super::cells::Ground;
use super::expand::CellPlan;
use super::part::Planned;
use super::variants::Variants;
use super::{Cell, Study};

/// The name of a trial doctrine in the pack.
const TRIED: &str = "tried";

/// A doctrine as its pack writes it.
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenDoctrine {
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Its rows.
    pub rows: Vec<Table>,
    /// Its other keys, such as `activates`, except its players.
    pub others: Table,
    /// Its location.
    pub span: Span,
}

/// The keys that a doctrine made from this one keeps.
fn others(doctrine: &Table) -> Table {
    let mut others = doctrine.clone();
    ["title", "row", "players"].iter().for_each(|key| _ = others.remove(key));
    others
}

impl Variants<'_> {
    /// The doctrines of the pack under which these cells are fought, and the names of its formations, both in the order
    /// of its files. `None` if they are fought under several packs.
    #[must_use]
    pub fn doctrines(&self, chosen: &[usize]) -> Option<(Vec<WrittenDoctrine>, Vec<String>)> {
        let mut next = 0;
        let mut parts = self.parts.iter().filter(|part| {
            let first = next;
            next += part.plans.len();
            chosen.iter().any(|cell| (first..next).contains(cell))
        });
        let part = parts.next()?;
        if parts.any(|other| other.name != part.name) {
            return None;
        }
        let table = |name: &str| part.ground.pack.root.get(name).and_then(Node::as_table);
        let doctrine = |(key, node): (&Key, &Node)| {
            let table = node.as_table()?;
            let rows = table.get("row").and_then(Node::as_array).unwrap_or_default();
            Some(WrittenDoctrine {
                name: key.name.clone(),
                title: table.get("title").and_then(Node::as_text).unwrap_or_default().to_owned(),
                rows: rows.iter().filter_map(Node::as_table).cloned().collect(),
                others: others(table),
                span: node.span,
            })
        };
        let doctrines = table("doctrine").into_iter().flat_map(Table::iter).filter_map(doctrine).collect();
        let formations = table("formation").into_iter().flat_map(Table::names).map(str::to_owned).collect();
        Some((doctrines, formations))
    }

    /// The chosen cells of `study`, by index, in which each side that has a doctrine here follows it, regardless of its
    /// doctrine and player in the study. The pack's metrics are not counted in their battles. A doctrine is a table of
    /// a pack without a title.
    ///
    /// # Errors
    /// The pack does not allow such a doctrine.
    pub fn cells_with_doctrines(
        &self,
        study: &Study,
        chosen: &[usize],
        doctrines: &BySide<Option<&Table>>,
    ) -> Result<Vec<Cell>, Diagnostics> {
        let tried = |side: Side| Some(Tried { side: &study.sides[side.index()], doctrine: doctrines[side]? });
        let sides: Vec<Tried<'_>> = Side::BOTH.into_iter().filter_map(tried).collect();
        self.cells_of(study, chosen, |part, plans| {
            let ground = part.with_doctrines(&sides);
            let gone = |segments: &[String]| match segments {
                [side, key] => sides.iter().any(|tried| tried.side == side) && REPLACED.contains(&key.as_str()),
                _ => false,
            };
            let plan = |plan: &&CellPlan| {
                let mut plan = CellPlan::clone(plan);
                plan.settings.retain(|setting| !gone(setting.path.segments()));
                plan
            };
            let (built, _) = ground.build(&plans.iter().map(plan).collect::<Vec<_>>(), |_| ())?;
            Ok(Some(built))
        })
    }
}

/// A doctrine that a side tries.
struct Tried<'a> {
    side: &'a str,
    doctrine: &'a Table,
}

/// The keys of a side that determine whose orders it follows.
const REPLACED: [&str; 2] = ["doctrine", "player"];

impl<'s> Planned<'s> {
    /// The part's pack and deployment with sides that follow these doctrines.
    fn with_doctrines(&self, sides: &[Tried<'_>]) -> Ground<'s> {
        let mut ground = self.ground.clone();
        // The doctrine is not in any file, so faults are located at the beginning of the pack.
        let span = ground.pack.span;
        let node = |value: Value| Node { value, span };
        let key = |name: &str| Key { name: name.to_owned(), span };
        for Tried { side, doctrine } in sides {
            let mut name = TRIED.to_owned();
            if let Some(Value::Table(doctrines)) = ground.pack.root.get_mut("doctrine").map(|node| &mut node.value) {
                let mut doctrine = Table::clone(doctrine);
                doctrine.insert(key("title"), node(Value::Text(TRIED.to_owned())));
                // The other side may follow a doctrine with this name.
                while doctrines.get(&name).is_some() {
                    name.push_str("-too");
                }
                doctrines.insert(key(&name), node(Value::Table(doctrine)));
            }
            if let Some(Value::Table(side)) = ground.setup.document.root.get_mut(side).map(|node| &mut node.value) {
                REPLACED.iter().for_each(|key| _ = side.remove(key));
                side.insert(key("doctrine"), node(Value::Text(name)));
            }
        }
        ground
    }
}
