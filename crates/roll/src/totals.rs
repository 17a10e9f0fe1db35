//! The totals of a roll.

use super::RollError;

/// The maximum number of totals of a roll.
pub const TOTALS_MAX: usize = 8;

/// The totals of one roll, in the order of [`Mechanic::totals`](super::Mechanic::totals).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Totals {
    values: [i16; TOTALS_MAX],
    len: u8,
}

impl Totals {
    /// These totals; those beyond [`TOTALS_MAX`] are dropped.
    #[must_use]
    pub fn new(values: &[i16]) -> Self {
        let mut totals = Self { values: [0; TOTALS_MAX], len: values.len().min(TOTALS_MAX) as u8 };
        for (to, &value) in totals.values.iter_mut().zip(values) {
            *to = value;
        }
        totals
    }

    /// The totals in order.
    #[must_use]
    pub fn as_slice(&self) -> &[i16] {
        &self.values[..usize::from(self.len)]
    }

    /// Total number `index`; 0 if there is none.
    #[must_use]
    pub fn get(&self, index: usize) -> i32 {
        self.as_slice().get(index).copied().unwrap_or(0).into()
    }

    /// Only these totals, in order: bit `k` stands for total `k`.
    pub(super) fn only(self, reads: u8) -> Self {
        let mut totals = Self { values: [0; TOTALS_MAX], len: 0 };
        for (k, &value) in self.as_slice().iter().enumerate() {
            if reads >> k & 1 == 1 {
                totals.values[usize::from(totals.len)] = value;
                totals.len += 1;
            }
        }
        totals
    }

    /// The totals with the last one set to 0, and the last one.
    pub(super) fn apart(mut self) -> (Self, i16) {
        let last = usize::from(self.len).checked_sub(1);
        let value = last.map_or(0, |last| std::mem::take(&mut self.values[last]));
        (self, value)
    }

    /// These totals with another value for the last one.
    pub(super) fn with_last(mut self, value: i16) -> Self {
        if let Some(last) = usize::from(self.len).checked_sub(1) {
            self.values[last] = value;
        }
        self
    }
}

/// Totals before it is known whether they fit.
#[derive(Clone, Copy)]
pub(super) struct Draft {
    values: [i64; TOTALS_MAX],
    len: u8,
}

impl Draft {
    /// These totals; no mechanic that passes its check has more than [`TOTALS_MAX`].
    pub(super) fn of(values: &[i64]) -> Self {
        let mut draft = Self { values: [0; TOTALS_MAX], len: values.len().min(TOTALS_MAX) as u8 };
        for (to, &value) in draft.values.iter_mut().zip(values) {
            *to = value;
        }
        draft
    }

    /// One more total, if it is requested.
    pub(super) fn and_if(mut self, asked: bool, value: i64) -> Self {
        if let Some(to) = self.values.get_mut(usize::from(self.len)).filter(|_| asked) {
            *to = value;
            self.len += 1;
        }
        self
    }

    /// The totals, refusing those that do not fit; `names` are those of the mechanic.
    #[inline]
    pub(super) fn fit(self, names: impl FnOnce() -> Vec<String>) -> Result<Totals, RollError> {
        let mut totals = Totals { values: [0; TOTALS_MAX], len: self.len };
        for (k, (to, &value)) in totals.values.iter_mut().zip(&self.values).enumerate().take(self.len.into()) {
            let Ok(small) = i16::try_from(value) else {
                return Err(RollError::TotalOutOfRange { name: names().swap_remove(k), value });
            };
            *to = small;
        }
        Ok(totals)
    }

    /// The totals; those that do not fit are set to the nearest limit.
    pub(super) fn clamped(self) -> Totals {
        let clamp = |value: i64| value.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        Totals { values: self.values.map(clamp), len: self.len }
    }
}

impl std::fmt::Debug for Totals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.as_slice().fmt(f)
    }
}
