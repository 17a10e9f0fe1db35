//! The sections of a pack, each decoded separately: a variant of a pack shares those that its change does not affect.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::Deref;

use grognard_source::{Diagnostics, Document, Node, Table, Value};

use super::rows::Rows;

/// Records which sections of a pack, and which things derived from them, have been read: one bit each.
#[derive(Debug, Default)]
pub(crate) struct Reads(Cell<u128>);

impl Reads {
    /// Records one read.
    pub(crate) fn note(&self, place: u32) {
        self.0.set(self.0.get() | 1 << place);
    }

    /// Records several reads, one bit each.
    pub(crate) fn note_all(&self, reads: u128) {
        self.0.set(self.0.get() | reads);
    }

    /// Returns all reads so far and starts again with `reads`.
    pub(crate) fn replace(&self, reads: u128) -> u128 {
        self.0.replace(reads)
    }
}

/// A section of a pack that records when it is read.
pub(crate) struct Section<'p, T> {
    pub(super) value: &'p T,
    pub(super) place: u32,
    pub(super) reads: &'p Reads,
}

impl<T> Deref for Section<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.reads.note(self.place);
        self.value
    }
}

impl<T: PartialEq> PartialEq<T> for Section<'_, T> {
    fn eq(&self, other: &T) -> bool {
        **self == *other
    }
}

impl<'s, T> IntoIterator for &'s Section<'_, T>
where
    &'s T: IntoIterator,
{
    type Item = <&'s T as IntoIterator>::Item;
    type IntoIter = <&'s T as IntoIterator>::IntoIter;

    fn into_iter(self) -> Self::IntoIter {
        (**self).into_iter()
    }
}

/// The key under which a section is written.
pub(super) fn key(field: &str) -> String {
    if field == "traits" { "trait".to_owned() } else { field.replace('_', "-") }
}

/// A document with only this section of another document.
pub(super) fn only(document: &Document, key: &str) -> Document {
    let mut root = Table::new();
    if let Some((key, node)) = document.root.entry(key) {
        root.insert(key.clone(), node.clone());
    }
    Document { root, span: document.span }
}

/// The value of a section.
pub(super) trait Held: Sized {
    /// Decodes a document that has only this section. `other` is an earlier document with its decoded value.
    fn beside(
        document: &Document,
        key: &str,
        other: Option<(&Document, &Self)>,
        decode: impl Fn(&Document) -> Result<Self, Diagnostics>,
    ) -> Result<Self, Diagnostics> {
        let _ = (key, other);
        decode(document)
    }
}

impl Held for String {}
impl Held for super::BoardName {}
impl Held for super::MoraleWire {}
impl Held for super::RepertoireName {}
impl Held for super::VictoryWire {}
impl<T> Held for Option<T> {}
impl<T> Held for Vec<T> {}
impl<W> Held for BTreeMap<String, W> {}

impl<W> Held for Rows<W> {
    /// Decodes only the rows that differ.
    fn beside(
        document: &Document,
        key: &str,
        other: Option<(&Document, &Self)>,
        decode: impl Fn(&Document) -> Result<Self, Diagnostics>,
    ) -> Result<Self, Diagnostics> {
        let rows = |document: &Document| document.root.get(key).and_then(Node::as_table).cloned();
        let (Some((before, known)), Some(rows), Some((key, node))) =
            (other.and_then(|(other, known)| Some((rows(other)?, known))), rows(document), document.root.entry(key))
        else {
            return decode(document);
        };
        let (mut differ, mut same) = (Table::new(), Vec::new());
        for (name, row) in rows.iter() {
            if before.get(&name.name) == Some(row) {
                same.push(name.name.as_str());
            } else {
                differ.insert(name.clone(), row.clone());
            }
        }
        let mut root = Table::new();
        root.insert(key.clone(), Node { value: Value::Table(differ), span: node.span });
        let mut all = decode(&Document { root, span: document.span })?;
        same.into_iter().for_each(|name| all.share(known, name));
        Ok(all)
    }
}

/// Derives the sections of a pack, both as decoded and as read, from its wire type, which also defines the schema.
macro_rules! sections {
    ($(#[$meta:meta])* pub struct $wire:ident { $($(#[$section_meta:meta])* pub $section:ident: $type:ty,)* }) => {
        $(#[$meta])*
        pub struct $wire { $($(#[$section_meta])* pub $section: $type,)* }

        /// The sections of a pack, some of them shared with another.
        #[derive(Clone, Debug)]
        pub(crate) struct Sections { $($section: std::sync::Arc<$type>,)* }

        /// A pack that records which sections are read.
        #[expect(dead_code, reason = "not all sections of a pack affect its battles")]
        pub(crate) struct Pack<'p> { $(pub(crate) $section: $crate::wire::Section<'p, $type>,)* }

        impl Sections {
            /// The number of sections.
            pub(crate) const COUNT: u32 = [$(stringify!($section)),*].len() as u32;

            /// The sections of a pack, and a bit for each that differs from another pack's; equal sections are shared.
            pub(crate) fn beside(
                document: &grognard_source::Document,
                other: Option<(&grognard_source::Document, &Self)>,
            ) -> Result<(Self, u128), grognard_source::Diagnostics> {
                let (mut differ, mut place) = (0, 1);
                $(
                    let key = section::key(stringify!($section));
                    let like = other.filter(|(other, _)| document.root.get(&key) == other.root.get(&key));
                    let $section = if let Some((_, other)) = like {
                        std::sync::Arc::clone(&other.$section)
                    } else {
                        let other = other.map(|(document, other)| (document, &*other.$section));
                        #[derive(Deserialize)]
                        #[serde(rename_all = "kebab-case")]
                        struct One { $(#[$section_meta])* $section: $type }
                        differ |= place;
                        let decode = |own: &grognard_source::Document| {
                            grognard_source::decode::<One>(own).map(|one| one.$section)
                        };
                        let own = section::only(document, &key);
                        std::sync::Arc::new(section::Held::beside(&own, &key, other, decode)?)
                    };
                    place <<= 1;
                )*
                let _ = place;
                Ok((Self { $($section,)* }, differ))
            }

            /// The pack, recording which sections are read.
            pub(crate) fn read<'p>(&'p self, reads: &'p $crate::wire::Reads) -> Pack<'p> {
                let mut places = 0..;
                $(let $section = $crate::wire::Section { value: &*self.$section, place: places.next().unwrap_or(0), reads };)*
                Pack { $($section,)* }
            }
        }
    };
}
pub(super) use sections;

#[cfg(test)]
mod tests {
    use grognard_source::{Absent, Override, Sources};

    use super::Reads;
    use crate::library;
    use crate::wire::Sections;

    /// A changed row is decoded again, and every other row of its section is shared.
    #[test]
    fn a_changed_section_shares_its_other_rows() {
        let mut sources = Sources::new();
        let base = library::load("napoleonic-figures", None, &mut sources).expect("a built-in pack").document;
        let file = sources.add("--set", "roll.shock.modifier.square-against-cavalry.add=-9");
        let change = Override::parse(file, &sources).expect("a change");
        let mut variant = base.clone();
        variant.set(&change, Absent::Refuse).expect("there is a number");
        let (whole, _) = Sections::beside(&base, None).expect("a sound pack");
        let (part, _) = Sections::beside(&variant, Some((&base, &whole))).expect("a sound pack");
        let (before, after) = (Reads::default(), Reads::default());
        let (before, after) = (whole.read(&before), part.read(&after));
        assert_eq!(before.roll.keys().collect::<Vec<_>>(), after.roll.keys().collect::<Vec<_>>());
        for (name, row) in &before.roll {
            assert_eq!(std::ptr::eq(row, &after.roll[name]), name != "shock", "{name}");
        }
    }
}
