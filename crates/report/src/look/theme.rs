//! Themes: the colour for each use.

use std::collections::BTreeMap;
use std::fmt::Write;

use grognard_lab::Side;

use super::{Earth, Hue, Ink};

/// Red, green, blue.
pub(crate) type Rgb = (u8, u8, u8);

/// The colours of a chart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Colours on white paper.
    #[default]
    Light,
    /// Greys on white paper, for printers and copiers without colour.
    Grey,
    /// Colours on a dark screen.
    Dark,
}

impl Theme {
    /// All themes.
    pub const ALL: [Self; 3] = [Self::Light, Self::Grey, Self::Dark];

    /// Its name in file names.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Grey => "grey",
            Self::Dark => "dark",
        }
    }

    /// The colour that an ink has in this theme, apart from its opacity.
    pub(crate) fn colour(self, ink: Ink) -> Rgb {
        mix(self.paper(), self.full(ink.hue), ink.part)
    }

    fn paper(self) -> Rgb {
        match self {
            Self::Light | Self::Grey => (255, 255, 255),
            Self::Dark => (18, 22, 27),
        }
    }

    fn full(self, hue: Hue) -> Rgb {
        match hue {
            Hue::Text => self.choose((0, 0, 0), (0, 0, 0), (232, 234, 237)),
            Hue::Soft => self.choose((80, 80, 80), (80, 80, 80), (170, 176, 183)),
            Hue::Rule => self.choose((205, 205, 205), (205, 205, 205), (62, 69, 77)),
            Hue::Pale => self.choose((226, 226, 226), (232, 232, 232), (79, 87, 96)),
            Hue::Paper => self.paper(),
            Hue::First => self.choose((0, 114, 178), (88, 88, 88), (74, 163, 223)),
            Hue::Second => self.choose((230, 159, 0), (178, 178, 178), (240, 178, 50)),
            Hue::Line(0) => self.choose((213, 94, 0), (60, 60, 60), (240, 125, 50)),
            Hue::Line(1) => self.choose((0, 158, 115), (120, 120, 120), (50, 190, 150)),
            Hue::Line(_) => self.choose((204, 121, 167), (140, 140, 140), (226, 150, 194)),
            Hue::Earth(earth) => self.earth(earth),
            Hue::Scale(side, share) => self.scale(side, share),
            // Not quite black and white: a page that changes from one theme to another finds colours by their values.
            Hue::OnScale(side, share) => {
                let ground = luminance(self.scale(side, share));
                let (dark, light) = ((1, 1, 1), (254, 254, 254));
                let contrast = |one: f64| (one.max(ground) + 0.05) / (one.min(ground) + 0.05);
                if contrast(luminance(dark)) >= contrast(luminance(light)) { dark } else { light }
            }
        }
    }

    /// Pale tones, on which symbols and labels stand out. No two are alike, so that a page can replace each by its dark
    /// counterpart.
    fn earth(self, earth: Earth) -> Rgb {
        match earth {
            Earth::Open => self.choose((250, 249, 244), (252, 252, 252), (24, 28, 31)),
            Earth::Woods => self.choose((214, 229, 204), (224, 224, 224), (38, 54, 40)),
            Earth::Water => self.choose((208, 226, 240), (216, 216, 216), (28, 48, 66)),
            Earth::Town => self.choose((236, 221, 214), (231, 231, 231), (62, 47, 42)),
            Earth::Hill => self.choose((238, 230, 207), (238, 238, 238), (56, 50, 36)),
            Earth::Road => self.choose((233, 228, 216), (243, 243, 243), (50, 48, 44)),
            Earth::Wall => self.choose((170, 158, 140), (160, 160, 160), (120, 112, 100)),
            Earth::Rough => self.choose((229, 225, 219), (235, 235, 235), (46, 44, 42)),
        }
    }

    /// The tone moves away from the paper as the share grows, in grey as in colour.
    fn scale(self, side: Side, share: f64) -> Rgb {
        let (middle, end) = match (self, side) {
            (Self::Light, Side::First) => ((64, 149, 197), (0, 68, 115)),
            (Self::Light, Side::Second) => ((233, 165, 28), (122, 66, 0)),
            (Self::Light, Side::Third) => ((64, 176, 142), (0, 84, 60)),
            (Self::Light, Side::Fourth) => ((208, 132, 174), (112, 40, 82)),
            (Self::Grey, _) => ((150, 150, 150), (45, 45, 45)),
            (Self::Dark, Side::First) => ((28, 104, 158), (158, 214, 250)),
            (Self::Dark, Side::Second) => ((150, 98, 8), (252, 216, 150)),
            (Self::Dark, Side::Third) => ((22, 122, 90), (156, 236, 206)),
            (Self::Dark, Side::Fourth) => ((142, 70, 112), (246, 196, 224)),
        };
        let share = share.clamp(0.0, 1.0);
        if share <= 0.5 { mix(self.paper(), middle, 2.0 * share) } else { mix(middle, end, 2.0 * share - 1.0) }
    }

    fn choose(self, light: Rgb, grey: Rgb, dark: Rgb) -> Rgb {
        match self {
            Self::Light => light,
            Self::Grey => grey,
            Self::Dark => dark,
        }
    }
}

fn mix(from: Rgb, to: Rgb, part: f64) -> Rgb {
    let channel = |from: u8, to: u8| (f64::from(from) + part * (f64::from(to) - f64::from(from))).round() as u8;
    (channel(from.0, to.0), channel(from.1, to.1), channel(from.2, to.2))
}

/// Relative luminance as in WCAG 2, 0 (black) to 1 (white).
fn luminance((red, green, blue): Rgb) -> f64 {
    let linear = |channel: u8| {
        let value = f64::from(channel) / 255.0;
        if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/// Rules that switch drawings to their dark colours on a dark screen. Drawings specify colours by their values in the
/// light theme.
pub(crate) fn by_night(inks: impl Iterator<Item = Ink>) -> String {
    let mut pairs = BTreeMap::new();
    for ink in inks {
        let number = |theme: Theme| {
            let (red, green, blue) = theme.colour(ink);
            format!("#{red:02X}{green:02X}{blue:02X}")
        };
        pairs.insert(number(Theme::Light), number(Theme::Dark));
    }
    let mut rules = "@media screen and (prefers-color-scheme: dark) {\n".to_owned();
    for (light, dark) in pairs {
        let _ = writeln!(
            rules,
            "svg [fill=\"{light}\"] {{ fill: {dark}; }}\nsvg [stroke=\"{light}\"] {{ stroke: {dark}; }}"
        );
    }
    rules + "}\n"
}

#[cfg(test)]
mod tests {
    use super::super::{FIRST, PALE, PAPER, SECOND, SERIES, SOFT, TEXT};
    use super::*;

    fn contrast(theme: Theme, one: Ink, other: Ink) -> f64 {
        let (one, other) = (luminance(theme.colour(one)), luminance(theme.colour(other)));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    /// WCAG 2.2, 1.4.3 and 1.4.11.
    #[test]
    fn text_and_lines_stand_out_in_every_theme() {
        for theme in Theme::ALL {
            assert!(contrast(theme, TEXT, PAPER) >= 7.0 && contrast(theme, SOFT, PAPER) >= 4.5, "{theme:?}");
            assert!(SERIES.iter().all(|style| contrast(theme, style.ink, PAPER) >= 2.0), "{theme:?}");
            for (share, side) in (0..=100).flat_map(|share| Side::BOTH.map(|side| (share, side))) {
                let share = f64::from(share) / 100.0;
                let pair = (Ink::of(Hue::OnScale(side, share)), Ink::of(Hue::Scale(side, share)));
                assert!(contrast(theme, pair.0, pair.1) >= 4.5, "{theme:?}, {side:?}, {share}");
            }
        }
    }

    #[test]
    fn the_sides_differ_in_lightness_too() {
        for theme in Theme::ALL {
            assert!(contrast(theme, FIRST, SECOND) >= 1.4, "{theme:?}");
            assert!(contrast(theme, FIRST, PALE) >= 1.4 && contrast(theme, SECOND, PALE) >= 1.4, "{theme:?}");
        }
        for style in SERIES {
            let (red, green, blue) = Theme::Grey.colour(style.ink);
            assert!(red == green && green == blue);
        }
    }

    #[test]
    fn a_greater_share_is_further_from_the_paper() {
        for (theme, side) in Theme::ALL.into_iter().flat_map(|theme| Side::BOTH.map(|side| (theme, side))) {
            let away = |share: u32| contrast(theme, Ink::of(Hue::Scale(side, f64::from(share) / 20.0)), PAPER);
            assert!((0..20).all(|share| away(share) < away(share + 1)), "{theme:?}, {side:?}");
        }
    }

    #[test]
    fn no_ink_is_paper() {
        assert_eq!(Theme::Light.colour(FIRST.tint(0.0)), (255, 255, 255));
    }
}
