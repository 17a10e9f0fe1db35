//! A pack by itself.

use grognard_rules::library;
use grognard_rules::model::Rules;
use grognard_source::{Document, Sources, Value};

use crate::Error;

/// A pack, read and compiled.
#[derive(Debug)]
pub struct Pack {
    /// What its files say, with everything that it extends.
    pub document: Document,
    /// What battles are fought by.
    pub rules: Rules,
}

/// Reads a pack: a built-in one by name, or the folder of one by its path.
///
/// ```
/// let pack = grognard_kit::pack("napoleonic-figures")?;
/// let square = "roll.shock.modifier.square-against-cavalry.add";
/// assert!(pack.numbers().iter().any(|(path, _)| path == square));
/// # Ok::<(), grognard_kit::Error>(())
/// ```
///
/// # Errors
/// There is none of that name; everything that is wrong with it.
pub fn pack(name: &str) -> Result<Pack, Error> {
    let mut sources = Sources::new();
    let read = library::load(name, None, &mut sources);
    let made = read.and_then(|pack| Ok(Pack { rules: pack.compile(&sources)?, document: pack.document }));
    made.map_err(|faults| Error::wrong(&faults, &sources))
}

impl Pack {
    /// Every number of the pack with the path by which it can be set and varied.
    #[must_use]
    pub fn numbers(&self) -> Vec<(String, f64)> {
        let number = |value: &Value| match value {
            Value::Int(number) => Some(*number as f64),
            Value::Float(number) => Some(*number),
            _ => None,
        };
        let numbers = self.document.numbers().into_iter();
        numbers.filter_map(|(path, node)| Some((path.to_string(), number(&node.value)?))).collect()
    }
}
