//! Ids of one byte, and lists whose items are found by them.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Index, IndexMut};
use std::sync::Arc;

/// An id that fits in one byte and is never the byte's maximum.
pub trait ByteId: Copy {
    /// The id stored as this byte.
    fn from_byte(byte: u8) -> Self;

    /// The byte in which the id is stored.
    fn byte(self) -> u8;

    /// The id as an index into its list.
    #[inline]
    fn index(self) -> usize {
        usize::from(self.byte())
    }
}

/// A plain byte, for lists without ids of their own.
impl ByteId for u8 {
    #[inline]
    fn from_byte(byte: u8) -> Self {
        byte
    }

    #[inline]
    fn byte(self) -> u8 {
        self
    }
}

/// Declares ids that number the rows of a list in a pack.
macro_rules! row_ids {
    ($($(#[$about:meta])* $name:ident;)+) => {
        $(
            $(#[$about])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
            pub struct $name(u8);

            impl $name {
                /// The first of the list.
                pub const FIRST: Self = Self(0);
            }

            impl ByteId for $name {
                #[inline]
                fn from_byte(byte: u8) -> Self {
                    Self(byte)
                }

                #[inline]
                fn byte(self) -> u8 {
                    self.0
                }
            }
        )+
    };
}

row_ids! {
    /// A formation: an index into [`Rules::formations`](super::Rules::formations).
    FormationId;
    /// A unit type: an index into [`Rules::kinds`](super::Rules::kinds).
    KindId;
    /// A morale state: an index into [`Rules::morale`](super::Rules::morale). Greater is worse.
    MoraleId;
    /// A doctrine: an index into [`Rules::doctrines`](super::Rules::doctrines).
    DoctrineId;
    /// A roll: an index into [`Rules::rolls`](super::Rules::rolls).
    RollId;
}

/// A list that is indexed by its own type of id, never by the ids of another list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ById<Id, Items> {
    items: Items,
    id: PhantomData<Id>,
}

impl<Id: ByteId, Items> ById<Id, Items> {
    /// Wraps a list.
    pub const fn new(items: Items) -> Self {
        Self { items, id: PhantomData }
    }

    /// The ids of its items, in their order.
    pub fn ids<T>(&self) -> impl DoubleEndedIterator<Item = Id> + use<Id, Items, T>
    where
        Items: Deref<Target = [T]>,
    {
        (0..self.items.len() as u8).map(Id::from_byte)
    }

    /// The id of the first item of which this is true.
    pub fn position<T>(&self, is: impl FnMut(&T) -> bool) -> Option<Id>
    where
        Items: Deref<Target = [T]>,
    {
        super::position(&self.items, is).map(Id::from_byte)
    }
}

impl<Id, T> ById<Id, Arc<[T]>> {
    /// Whether both are the same list in memory.
    #[must_use]
    pub fn shares(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.items, &other.items)
    }
}

impl<Id, T> From<Vec<T>> for ById<Id, Arc<[T]>> {
    fn from(items: Vec<T>) -> Self {
        Self { items: items.into(), id: PhantomData }
    }
}

impl<Id, Items> Deref for ById<Id, Items> {
    type Target = Items;

    #[inline]
    fn deref(&self) -> &Items {
        &self.items
    }
}

impl<Id, Items> DerefMut for ById<Id, Items> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Items {
        &mut self.items
    }
}

impl<Id: ByteId, T, Items: Deref<Target = [T]>> Index<Id> for ById<Id, Items> {
    type Output = T;

    #[inline]
    fn index(&self, id: Id) -> &T {
        &self.items[id.index()]
    }
}

impl<Id: ByteId, T, Items: DerefMut<Target = [T]>> IndexMut<Id> for ById<Id, Items> {
    #[inline]
    fn index_mut(&mut self, id: Id) -> &mut T {
        &mut self.items[id.index()]
    }
}
