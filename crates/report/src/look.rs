//! The common look of all charts: uses of colours, themes that assign them, sizes, line styles.
//!
//! Colours are those of Okabe and Ito (2008), which people with any common type of colour vision can tell apart. They
//! are in an order in which their luminance differs too. Everything that a colour expresses is also expressed by a line
//! style, a marker or a label, so a chart survives a black-and-white printer.

mod theme;

use grognard_lab::Side;

pub use theme::Theme;
pub(crate) use theme::by_night;

/// The use of a colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Hue {
    /// Text and axes.
    Text,
    /// Secondary text.
    Soft,
    /// Grid lines.
    Rule,
    /// Draws, between the two sides.
    Pale,
    /// The paper.
    Paper,
    /// The first side.
    First,
    /// The second side.
    Second,
    /// A line of [`SERIES`] whose colour has no other name.
    Line(u8),
    /// A side's share, 0 to 1, on a scale of its colour.
    Scale(Side, f64),
    /// Text over a [`Hue::Scale`].
    OnScale(Side, f64),
    /// The ground of a drawn battle.
    Earth(Earth),
}

impl Hue {
    /// The same use for the other side.
    pub(crate) fn exchanged(self) -> Self {
        let other = |side: Side| if matches!(side, Side::First | Side::Second) { side.other() } else { side };
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
            Self::Scale(side, share) => Self::Scale(other(side), share),
            Self::OnScale(side, share) => Self::OnScale(other(side), share),
            hue => hue,
        }
    }
}

/// Ground of a drawn battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Earth {
    /// Open ground.
    Open,
    /// Trees.
    Woods,
    /// Rivers, streams, fords.
    Water,
    /// Houses and camps.
    Town,
    /// High ground.
    Hill,
    /// Roads.
    Road,
    /// Walls and hedges.
    Wall,
    /// Any other terrain.
    Rough,
}

/// A colour by its use, strength and opacity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ink {
    /// Its use.
    pub(crate) hue: Hue,
    /// From the paper (0) to the full colour (1).
    pub(crate) part: f64,
    /// 0 (nothing) to 1 (opaque).
    pub(crate) alpha: f64,
}

impl Ink {
    /// The full colour of a use.
    pub(crate) const fn of(hue: Hue) -> Self {
        Self { hue, part: 1.0, alpha: 1.0 }
    }

    /// The same colour, translucent.
    pub(crate) fn faint(self, alpha: f64) -> Self {
        Self { alpha, ..self }
    }

    /// The colour `part` of the way from the paper to this one.
    pub(crate) fn tint(self, part: f64) -> Self {
        Self { part: part.clamp(0.0, 1.0), ..self }
    }
}

/// Text and axes.
pub(crate) const TEXT: Ink = Ink::of(Hue::Text);
/// Secondary text.
pub(crate) const SOFT: Ink = Ink::of(Hue::Soft);
/// Grid lines.
pub(crate) const RULE: Ink = Ink::of(Hue::Rule);
/// Draws.
pub(crate) const PALE: Ink = Ink::of(Hue::Pale);
/// The paper.
pub(crate) const PAPER: Ink = Ink::of(Hue::Paper);
/// The first side.
pub(crate) const FIRST: Ink = Ink::of(Hue::First);
/// The second side.
pub(crate) const SECOND: Ink = Ink::of(Hue::Second);

/// The colour of a side.
pub(crate) fn of_side(side: Side) -> Ink {
    match side {
        Side::First => FIRST,
        Side::Second => SECOND,
        Side::Third => Ink::of(Hue::Line(1)),
        Side::Fourth => Ink::of(Hue::Line(2)),
    }
}

/// Colours close to the first side's blue, and to the second side's orange.
const COLOURS: [&[&str]; 2] = [
    &["azure", "blue", "cobalt", "cyan", "indigo", "navy", "teal", "violet"],
    &["amber", "brown", "crimson", "gold", "orange", "red", "russet", "scarlet", "yellow"],
];

/// Whether two sides are named after each other's colours: the first after red, or the second after blue. Each is then
/// drawn in the other's colour.
pub(crate) fn is_exchanged(sides: &[String]) -> bool {
    let [first, second] = sides else { return false };
    let named = |side: &str, colours: &[&str]| {
        side.split(|letter: char| !letter.is_alphanumeric()).any(|word| colours.contains(&word.to_lowercase().as_str()))
    };
    let fits = named(first, COLOURS[0]) || named(second, COLOURS[1]);
    !fits && (named(first, COLOURS[1]) || named(second, COLOURS[0]))
}

/// The pattern of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dash {
    /// An unbroken line.
    Solid,
    /// Long dashes.
    Long,
    /// Dots.
    Dots,
    /// Long and short dashes.
    Mixed,
}

impl Dash {
    /// Lengths of ink and gap, alternating, in points; empty for a solid line.
    pub(crate) fn pattern(self) -> &'static [f64] {
        match self {
            Self::Solid => &[],
            Self::Long => &[4.5, 2.2],
            Self::Dots => &[1.1, 1.6],
            Self::Mixed => &[5.0, 1.6, 1.1, 1.6],
        }
    }
}

/// The line that marks equal wins: its width and dash pattern.
pub(crate) const EVEN: (f64, Dash) = (0.7, Dash::Long);

/// A marker's form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A disc.
    Disc,
    /// A square.
    Square,
    /// A square on its corner.
    Diamond,
    /// A triangle on its base.
    Triangle,
}

impl Form {
    /// Its corners when its radius is 1; a disc has none.
    pub(crate) fn corners(self) -> &'static [(f64, f64)] {
        match self {
            Self::Disc => &[],
            Self::Square => &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
            Self::Diamond => &[(0.0, -1.25), (1.25, 0.0), (0.0, 1.25), (-1.25, 0.0)],
            Self::Triangle => &[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)],
        }
    }
}

/// How to distinguish a series from others in the same panel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SeriesStyle {
    /// Its colour.
    pub(crate) ink: Ink,
    /// Its line.
    pub(crate) dash: Dash,
    /// Its marker.
    pub(crate) form: Form,
}

/// The styles of series, as many as one panel can hold: each has a different colour, and differs from its neighbours in
/// line and marker too.
pub(crate) const SERIES: [SeriesStyle; 6] = [
    SeriesStyle { ink: TEXT, dash: Dash::Solid, form: Form::Disc },
    SeriesStyle { ink: FIRST, dash: Dash::Long, form: Form::Square },
    SeriesStyle { ink: Ink::of(Hue::Line(0)), dash: Dash::Dots, form: Form::Triangle },
    SeriesStyle { ink: Ink::of(Hue::Line(1)), dash: Dash::Mixed, form: Form::Diamond },
    SeriesStyle { ink: Ink::of(Hue::Line(2)), dash: Dash::Solid, form: Form::Square },
    SeriesStyle { ink: SECOND, dash: Dash::Long, form: Form::Triangle },
];

/// How wide a chart is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Size {
    /// The type area of an A4 page: 170 mm.
    #[default]
    Page,
    /// One of two columns on it: 82 mm.
    Column,
}

impl Size {
    /// Both sizes.
    pub const ALL: [Self; 2] = [Self::Page, Self::Column];

    /// The width of a chart's body, in points: the whole width minus a margin on either side.
    pub(crate) fn body(self) -> f64 {
        match self {
            Self::Page => 472.0,
            Self::Column => 222.0,
        }
    }

    /// Its name in file names.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Column => "column",
        }
    }
}

/// Whether a body of this width lacks room for the extras that a page shows next to a row.
pub(crate) fn narrow(width: f64) -> bool {
    width < 300.0
}

/// Margin on every side of a chart, in points.
pub(crate) const MARGIN: f64 = 5.0;

/// Maximum number of rows in a chart; the table has the rest.
pub(crate) const ROWS_MAX: usize = 60;

/// Sizes of type, in points: at column width none is smaller than 9.
pub(crate) mod size {
    /// The finding.
    pub(crate) const FINDING: f64 = 12.0;
    /// How to read the chart.
    pub(crate) const ABOUT: f64 = 9.0;
    /// Labels and numbers.
    pub(crate) const LABEL: f64 = 9.0;
    /// Axis numbers and the caption.
    pub(crate) const SMALL: f64 = 9.0;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_named_after_colours_have_them() {
        let exchanged = |first: &str, second: &str| is_exchanged(&[first.to_owned(), second.to_owned()]);
        assert!(exchanged("red", "blue") && exchanged("red", "grey") && exchanged("attacker", "blue"));
        assert!(exchanged("red-force", "blue-force") && exchanged("Scarlet guard", "others"));
        assert!(!exchanged("blue", "red") && !exchanged("attacker", "defender") && !exchanged("attacker", "red"));
        assert!(!exchanged("redcoats", "rebels"), "a word that only begins like a colour");
        assert!(!is_exchanged(&["red", "blue", "green"].map(str::to_owned)), "three sides have three colours");
        assert_eq!([Hue::First, Hue::Second, Hue::Pale].map(Hue::exchanged), [Hue::Second, Hue::First, Hue::Pale]);
        assert_eq!(Hue::Scale(Side::First, 0.5).exchanged(), Hue::Scale(Side::Second, 0.5));
    }
}
