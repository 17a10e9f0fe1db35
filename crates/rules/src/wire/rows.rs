//! Rows of a section by name, each decoded separately: a variant of a pack shares those that its change does not
//! affect.

use std::borrow::Cow;
use std::collections::{BTreeMap, btree_map};
use std::ops::Index;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer};

/// Rows in the order of their names.
#[derive(Clone, Debug)]
pub struct Rows<W>(BTreeMap<String, Arc<W>>);

impl<W> Default for Rows<W> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<'de, W: Deserialize<'de>> Deserialize<'de> for Rows<W> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let rows = BTreeMap::<String, W>::deserialize(deserializer)?;
        Ok(Self(rows.into_iter().map(|(name, row)| (name, Arc::new(row))).collect()))
    }
}

impl<W: JsonSchema> JsonSchema for Rows<W> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        BTreeMap::<String, W>::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        BTreeMap::<String, W>::json_schema(generator)
    }
}

/// Converts a shared row to a plain row.
type Plain<'r, W> = fn((&'r String, &'r Arc<W>)) -> (&'r String, &'r W);

impl<'r, W> IntoIterator for &'r Rows<W> {
    type Item = (&'r String, &'r W);
    type IntoIter = std::iter::Map<btree_map::Iter<'r, String, Arc<W>>, Plain<'r, W>>;

    fn into_iter(self) -> Self::IntoIter {
        let plain: Plain<'r, W> = |(name, row)| (name, row);
        self.0.iter().map(plain)
    }
}

impl<W, N: AsRef<str> + ?Sized> Index<&N> for Rows<W> {
    type Output = W;

    fn index(&self, name: &N) -> &W {
        &self.0[name.as_ref()]
    }
}

impl<W> Rows<W> {
    /// Rows and their names.
    pub(crate) fn iter(&self) -> <&Self as IntoIterator>::IntoIter {
        self.into_iter()
    }

    /// The names.
    pub(crate) fn keys(&self) -> btree_map::Keys<'_, String, Arc<W>> {
        self.0.keys()
    }

    /// The rows.
    pub(crate) fn values(&self) -> impl Iterator<Item = &W> {
        self.0.values().map(|row| &**row)
    }

    /// The row with this name.
    pub(crate) fn get(&self, name: &str) -> Option<&W> {
        self.0.get(name).map(|row| &**row)
    }

    /// The row with this name, and the name.
    pub(crate) fn get_key_value(&self, name: &str) -> Option<(&String, &W)> {
        self.0.get_key_value(name).map(|(name, row)| (name, &**row))
    }

    /// Whether there is a row with this name.
    pub(crate) fn contains_key(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no rows.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a row of `other`, shared with it.
    pub(super) fn share(&mut self, other: &Self, name: &str) {
        if let Some((name, row)) = other.0.get_key_value(name) {
            self.0.insert(name.clone(), Arc::clone(row));
        }
    }
}
