//! Dice and their faces.

/// The maximum number of faces of a die.
pub const FACES_MAX: usize = 200;

/// One face of a die.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Face {
    /// The value of the face when dice are added or compared.
    pub value: i16,
    /// The text on it: `"4"`, `"heavy"`.
    pub label: String,
}

/// A die: equally likely faces.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Die {
    /// Its name in the pack, such as `d6`, `average` or `battle`.
    pub name: String,
    /// Its faces, 1 to [`FACES_MAX`] of them. A label may be on several faces.
    pub faces: Vec<Face>,
}

impl Die {
    /// The die with the faces 1 to `faces`, named `d6` and the like.
    #[must_use]
    pub fn numbered(faces: u8) -> Self {
        Self::with_values(format!("d{faces}"), (1..=i16::from(faces)).collect::<Vec<_>>().as_slice())
    }

    /// The averaging die: 2, 3, 3, 4, 4, 5.
    #[must_use]
    pub fn average() -> Self {
        Self::with_values("average", &[2, 3, 3, 4, 4, 5])
    }

    /// A die with these values, each printed as it is.
    #[must_use]
    pub fn with_values(name: impl Into<String>, values: &[i16]) -> Self {
        let faces = values.iter().map(|&value| Face { value, label: value.to_string() }).collect();
        Self { name: name.into(), faces }
    }

    /// A die with these symbols. Its faces count as 0 when added.
    #[must_use]
    pub fn with_symbols(name: impl Into<String>, labels: &[&str]) -> Self {
        let faces = labels.iter().map(|&label| Face { value: 0, label: label.to_owned() }).collect();
        Self { name: name.into(), faces }
    }
}

/// Rolls physical dice one after another.
pub trait Faces {
    /// The index of the face that comes up on this die.
    fn roll(&mut self, die: &Die) -> usize;
}
