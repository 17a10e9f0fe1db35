//! Numbers that the battle may supply.

/// A number of a roll (dice, need, modifier, target): fixed, or a fixed number plus one of the roll's inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Amount {
    /// The fixed part.
    pub fixed: i32,
    /// The index of the input that is added, if any.
    pub input: Option<usize>,
}

impl Amount {
    /// Always this number.
    #[must_use]
    pub const fn fixed(fixed: i32) -> Self {
        Self { fixed, input: None }
    }

    /// The value of input `index`.
    #[must_use]
    pub const fn input(index: usize) -> Self {
        Self { fixed: 0, input: Some(index) }
    }

    /// This amount plus a fixed number.
    #[must_use]
    pub const fn plus(self, more: i32) -> Self {
        Self { fixed: self.fixed.saturating_add(more), input: self.input }
    }

    /// The number for these inputs. A missing input counts as 0; the odds of such a roll are refused.
    #[must_use]
    pub fn at(&self, inputs: &[i32]) -> i32 {
        let input = self.input.and_then(|index| inputs.get(index)).copied().unwrap_or(0);
        self.fixed.saturating_add(input)
    }
}

impl From<i32> for Amount {
    fn from(fixed: i32) -> Self {
        Self::fixed(fixed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_adds_its_input() {
        assert_eq!(Amount::fixed(4).at(&[]), 4);
        assert_eq!(Amount::input(1).plus(-2).at(&[100, 7]), 5);
        assert_eq!(Amount::input(0).plus(1).at(&[i32::MAX]), i32::MAX);
    }
}
