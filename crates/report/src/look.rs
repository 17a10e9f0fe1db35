//! One look for all charts: colours, sizes, line styles.
//!
//! Colours are those of Okabe and Ito (2008), which people with any common colour vision tell apart, taken in an order in
//! which their luminance differs too; everything that a colour says is also said by a line style, a marker or a label, so
//! that a chart survives a black-and-white printer.

/// A colour with its opacity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ink {
    /// Red, green, blue.
    pub(crate) rgb: (u8, u8, u8),
    /// 0 (nothing) to 1 (opaque).
    pub(crate) alpha: f64,
}

impl Ink {
    const fn opaque(red: u8, green: u8, blue: u8) -> Self {
        Self { rgb: (red, green, blue), alpha: 1.0 }
    }

    /// The same colour, through which others show.
    pub(crate) fn faint(self, alpha: f64) -> Self {
        Self { alpha, ..self }
    }

    /// The colour `part` of the way from white to this one.
    pub(crate) fn tint(self, part: f64) -> Self {
        let mix = |channel: u8| (255.0 - part.clamp(0.0, 1.0) * (255.0 - f64::from(channel))).round() as u8;
        Self { rgb: (mix(self.rgb.0), mix(self.rgb.1), mix(self.rgb.2)), alpha: self.alpha }
    }

    /// Relative luminance as in WCAG 2, 0 (black) to 1 (white).
    pub(crate) fn luminance(self) -> f64 {
        let linear = |channel: u8| {
            let value = f64::from(channel) / 255.0;
            if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(self.rgb.0) + 0.7152 * linear(self.rgb.1) + 0.0722 * linear(self.rgb.2)
    }
}

/// Text and axes.
pub(crate) const BLACK: Ink = Ink::opaque(0, 0, 0);
/// Secondary text.
pub(crate) const SLATE: Ink = Ink::opaque(80, 80, 80);
/// Grid lines.
pub(crate) const RULE: Ink = Ink::opaque(205, 205, 205);
/// Draws.
pub(crate) const ASH: Ink = Ink::opaque(226, 226, 226);
/// Paper.
pub(crate) const WHITE: Ink = Ink::opaque(255, 255, 255);
/// The first side; Okabe–Ito blue.
pub(crate) const BLUE: Ink = Ink::opaque(0, 114, 178);
/// The second side; Okabe–Ito orange.
pub(crate) const ORANGE: Ink = Ink::opaque(230, 159, 0);

/// How a line is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dash {
    /// Not at all.
    Solid,
    /// Long dashes.
    Long,
    /// Dots.
    Dots,
    /// Long and short.
    Mixed,
}

impl Dash {
    /// Lengths of ink and gap in turn, in points; empty for a solid line.
    pub(crate) fn pattern(self) -> &'static [f64] {
        match self {
            Self::Solid => &[],
            Self::Long => &[4.5, 2.2],
            Self::Dots => &[1.1, 1.6],
            Self::Mixed => &[5.0, 1.6, 1.1, 1.6],
        }
    }
}

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

/// How a series is told from the others in the same panel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SeriesStyle {
    /// Its colour.
    pub(crate) ink: Ink,
    /// Its line.
    pub(crate) dash: Dash,
    /// Its marker.
    pub(crate) form: Form,
}

/// Series that one panel can hold: each has a colour of its own and differs from its neighbours in line and marker too.
pub(crate) const SERIES: [SeriesStyle; 6] = [
    SeriesStyle { ink: Ink::opaque(0, 0, 0), dash: Dash::Solid, form: Form::Disc },
    SeriesStyle { ink: BLUE, dash: Dash::Long, form: Form::Square },
    SeriesStyle { ink: Ink::opaque(213, 94, 0), dash: Dash::Dots, form: Form::Triangle },
    SeriesStyle { ink: Ink::opaque(0, 158, 115), dash: Dash::Mixed, form: Form::Diamond },
    SeriesStyle { ink: Ink::opaque(204, 121, 167), dash: Dash::Solid, form: Form::Square },
    SeriesStyle { ink: ORANGE, dash: Dash::Long, form: Form::Triangle },
];

/// Width of a chart's body in points, and of the white around it: together the type area of an A4 page, 170 mm.
pub(crate) const PAGE_WIDTH: f64 = 472.0;
/// White on every side.
pub(crate) const MARGIN: f64 = 5.0;

/// Rows that a chart shows at most; the table holds the rest.
pub(crate) const ROWS_MAX: usize = 60;

/// Sizes of type, in points.
pub(crate) mod size {
    /// The finding.
    pub(crate) const FINDING: f64 = 12.0;
    /// What is shown.
    pub(crate) const ABOUT: f64 = 8.5;
    /// Labels and numbers.
    pub(crate) const LABEL: f64 = 8.0;
    /// Axis numbers and the caption.
    pub(crate) const SMALL: f64 = 7.0;
}
