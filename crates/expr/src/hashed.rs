//! Hash maps for keys that are only looked up.

#[expect(clippy::disallowed_types, reason = "entries are only looked up; no such map is ever iterated")]
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use rustc_hash::FxHasher;

/// A map that is only looked up and never iterated, so that nothing depends on its order.
#[expect(clippy::disallowed_types, reason = "see the import")]
pub(super) type Hashed<K, V> = HashMap<K, V, BuildHasherDefault<FxHasher>>;
