//! Ids of one byte, and ids that may be missing.

use std::marker::PhantomData;

use grognard_rules::model::ByteId;

/// The index of a unit in [`Battle::units`](crate::Battle::units).
///
/// ```
/// use grognard_engine::{Event, Scene, UnitId, Witness};
///
/// /// The units that were destroyed, in that order.
/// #[derive(Default)]
/// struct Gone(Vec<UnitId>);
///
/// impl Witness for Gone {
///     fn see(&mut self, _: Scene<'_>, event: &Event) {
///         if let Event::Destroyed(unit) = event {
///             self.0.push(*unit);
///         }
///     }
/// }
///
/// assert!(Gone::default().0.is_empty());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnitId(pub(crate) u8);

impl UnitId {
    /// The id as an index into [`Battle::units`](crate::Battle::units).
    ///
    /// ```
    /// use grognard_engine::{Scene, UnitId};
    ///
    /// fn figures_lost(scene: Scene<'_>, unit: UnitId) -> u16 {
    ///     scene.setup.start.units[unit.index()].figures - scene.battle.units[unit.index()].figures
    /// }
    /// ```
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl ByteId for UnitId {
    #[inline]
    fn from_byte(byte: u8) -> Self {
        Self(byte)
    }

    #[inline]
    fn byte(self) -> u8 {
        self.0
    }
}

/// An optional id in one byte. An `Option` would take two, and battle states are stored by the million.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Maybe<Id> {
    byte: u8,
    id: PhantomData<Id>,
}

impl<Id: ByteId> Maybe<Id> {
    /// No id.
    pub const NONE: Self = Self { byte: u8::MAX, id: PhantomData };

    /// An id that is present.
    #[inline]
    #[must_use]
    pub fn some(id: Id) -> Self {
        debug_assert!(id.byte() != u8::MAX, "the greatest byte means none");
        Self { byte: id.byte(), id: PhantomData }
    }

    /// The id, if there is one.
    #[inline]
    #[must_use]
    pub fn get(self) -> Option<Id> {
        self.is_some().then(|| Id::from_byte(self.byte))
    }

    /// Whether there is an id.
    #[inline]
    #[must_use]
    pub const fn is_some(self) -> bool {
        self.byte != u8::MAX
    }

    /// Whether there is no id.
    #[inline]
    #[must_use]
    pub const fn is_none(self) -> bool {
        !self.is_some()
    }

    /// Whether this is the id.
    #[inline]
    #[must_use]
    pub fn is(self, id: Id) -> bool {
        self.byte == id.byte()
    }

    /// The byte that stores the id.
    #[inline]
    pub(crate) const fn byte(self) -> u8 {
        self.byte
    }

    /// Takes the id, if there is one, leaving none.
    #[inline]
    pub(crate) fn take(&mut self) -> Option<Id> {
        std::mem::take(self).get()
    }
}

impl<Id: ByteId> Default for Maybe<Id> {
    fn default() -> Self {
        Self::NONE
    }
}

impl<Id: ByteId> From<Id> for Maybe<Id> {
    #[inline]
    fn from(id: Id) -> Self {
        Self::some(id)
    }
}
