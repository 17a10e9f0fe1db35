//! Dice as things with faces.

/// One face of a die.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Face {
    /// What the face counts when dice are added or compared.
    pub value: i16,
    /// What is printed on it: `"4"`, `"heavy"`.
    pub label: String,
}

/// A die: equally likely faces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Die {
    /// Its name in the pack, such as `d6`, `average` or `battle`.
    pub name: String,
    /// Its faces, 1 to 200 of them. A label may stand on several faces.
    pub faces: Vec<Face>,
}

/// Somebody who rolls physical dice one after the other.
pub trait Faces {
    /// The index of the face that comes up on this die.
    fn roll(&mut self, die: &Die) -> usize;
}
