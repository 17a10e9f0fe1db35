//! Geometry of the plane: integers throughout, positions in hundredths of an inch.

mod aspect;
mod heading;
mod rect;
mod sweep;
mod zone;

pub use heading::{FULL_TURN, Heading};
pub use rect::{Arc, Point, Rect};

#[cfg(test)]
mod tests;
