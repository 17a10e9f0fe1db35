//! Geometry of the plane: integers throughout, positions in hundredths of an inch.

mod aspect;
pub(crate) mod away;
mod circle;
mod contact;
mod course;
mod heading;
mod point;
mod rect;
mod sweep;
mod way;
mod zone;

pub use circle::Circle;
pub use course::Course;
pub use heading::{FULL_TURN, Heading};
pub use point::Point;
pub use rect::{Arc, Rect};
pub(crate) use rect::{TOUCH, overlap_max};
pub use way::Way;

#[cfg(test)]
mod tests;
