//! The bundled font: measuring, wrapping and embedding text.

mod subset;

use std::sync::OnceLock;

use ab_glyph::{Font, FontRef};

pub use subset::FontError;
pub(crate) use subset::Letters;

/// The font family as charts name it: the bundled font, then similar ones for viewers that drop embedded fonts.
/// Names of several words are quoted, because a browser that finds a bare number among them drops the whole list.
pub(crate) const FAMILY: &str = "'Source Sans Pro', 'Source Sans 3', Helvetica, Arial, sans-serif";

const REGULAR: &[u8] = include_bytes!("../fonts/SourceSansPro-Regular.otf");
const BOLD: &[u8] = include_bytes!("../fonts/SourceSansPro-Bold.otf");

/// Weight of type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    /// For almost all text.
    Regular,
    /// For findings and headings.
    Bold,
}

impl Weight {
    /// Both weights.
    pub(crate) const ALL: [Self; 2] = [Self::Regular, Self::Bold];

    /// The bundled font's file.
    fn bytes(self) -> &'static [u8] {
        match self {
            Self::Regular => REGULAR,
            Self::Bold => BOLD,
        }
    }
}

/// The bundled font in a weight; `None` if it cannot be read, which would be a bug.
pub(crate) fn font(weight: Weight) -> Option<&'static FontRef<'static>> {
    static FONTS: [OnceLock<Option<FontRef<'static>>>; 2] = [const { OnceLock::new() }; 2];
    FONTS[weight as usize].get_or_init(|| FontRef::try_from_slice(weight.bytes()).ok()).as_ref()
}

/// The width of a line of text, in the unit of `size`.
pub(crate) fn width(text: &str, size: f64, weight: Weight) -> f64 {
    let ems = match font(weight) {
        Some(font) => {
            let advances = text.chars().map(|letter| font.h_advance_unscaled(font.glyph_id(letter)));
            f64::from(advances.sum::<f32>() / font.units_per_em().unwrap_or(1000.0))
        }
        // The width of an average letter, used only if the bundled font could not be read, which painting reports.
        None => 0.5 * text.chars().count() as f64,
    };
    ems * size
}

/// The maximum width of the lines.
pub(crate) fn widest<'a>(lines: impl IntoIterator<Item = &'a str>, size: f64, weight: Weight) -> f64 {
    lines.into_iter().map(|line| width(line, size, weight)).fold(0.0, f64::max)
}

/// Breaks text into at most `lines_max` lines no wider than `room`, between words where possible; text that does not
/// fit ends in an ellipsis.
pub(crate) fn wrap(text: &str, size: f64, weight: Weight, room: f64, lines_max: usize) -> Vec<String> {
    let fits = |line: &str| width(line, size, weight) <= room;
    let mut lines = vec![String::new()];
    for word in &words(text) {
        let line = lines.last_mut().map_or("", |line| line.as_str());
        let joined = if line.is_empty() { word.clone() } else { format!("{line} {word}") };
        if fits(&joined) {
            lines.pop();
            lines.push(joined);
            continue;
        }
        if line.is_empty() {
            lines.pop();
        }
        lines.extend(broken(word, fits));
    }
    if lines.len() > lines_max.max(1) {
        lines.truncate(lines_max.max(1));
        if let Some(last) = lines.last_mut() {
            *last = shortened(last, fits);
        }
    }
    lines
}

/// The words of a text; a unit or a margin of error stays with its number.
pub(crate) fn words(text: &str) -> Vec<String> {
    let joins = |word: &str| word.starts_with('%') || word == "±" || word.starts_with("points");
    let mut words: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match words.last_mut() {
            Some(last) if joins(word) || last.ends_with('±') => {
                last.push(' ');
                last.push_str(word);
            }
            _ => words.push(word.to_owned()),
        }
    }
    words
}

/// Like [`wrap`], but with lines of about the same length, so that a heading does not end with a single word on its
/// last line.
pub(crate) fn balanced(text: &str, size: f64, weight: Weight, room: f64, lines_max: usize) -> Vec<String> {
    let lines = wrap(text, size, weight, room, lines_max);
    let (mut tight, mut loose) = (room / 2.0, room);
    for _ in 0..8 {
        let middle = f64::midpoint(tight, loose);
        if wrap(text, size, weight, middle, usize::MAX).len() <= lines.len() {
            loose = middle;
        } else {
            tight = middle;
        }
    }
    if lines.len() > 1 { wrap(text, size, weight, loose, lines_max) } else { lines }
}

/// A word in pieces that fit, broken after hyphens and the like where possible; each has at least one character.
fn broken(word: &str, fits: impl Fn(&str) -> bool) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut rest = word;
    while !rest.is_empty() {
        let ends = || rest.char_indices().map(|(at, letter)| (at + letter.len_utf8(), letter));
        let fitting = ends().take_while(|&(end, _)| end == rest.len() || fits(&rest[..end])).collect::<Vec<_>>();
        let whole = fitting.last().is_some_and(|&(end, _)| end == rest.len() && fits(rest));
        let soft = fitting.iter().rev().find(|(end, letter)| *end < rest.len() && "-/_.".contains(*letter));
        let hard = fitting.iter().rev().find(|(end, _)| *end < rest.len());
        let first = rest.chars().next().map_or(rest.len(), char::len_utf8);
        let end = if whole { rest.len() } else { soft.or(hard).map_or(first, |&(end, _)| end) };
        pieces.push(rest[..end].to_owned());
        rest = &rest[end..];
    }
    pieces
}

/// A line cut so that it fits with an ellipsis at its end.
fn shortened(line: &str, fits: impl Fn(&str) -> bool) -> String {
    let mut kept = line.to_owned();
    loop {
        let candidate = format!("{}…", kept.trim_end());
        if kept.is_empty() || fits(&candidate) {
            return candidate;
        }
        kept.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CSS Fonts 4, section 2.1: a family is a string, or a sequence of identifiers, none of which begins with a
    /// digit.
    #[test]
    fn a_browser_can_read_the_family() {
        for name in FAMILY.split(", ") {
            let quoted = name.len() > 2 && name.starts_with('\'') && name.ends_with('\'');
            assert!(quoted || name.chars().all(|letter| letter.is_ascii_alphabetic() || letter == '-'), "{name}");
        }
    }

    #[test]
    fn widths_are_the_fonts_own() {
        assert!(font(Weight::Regular).is_some() && font(Weight::Bold).is_some());
        // `hmtx` of the regular face: digits are 497 units of 1000 wide.
        assert!((width("0000000000", 10.0, Weight::Regular) - 49.7).abs() < 0.02);
        assert!(width("Square", 10.0, Weight::Bold) > width("Square", 10.0, Weight::Regular));
    }

    #[test]
    fn text_is_broken_between_words_then_at_hyphens_then_anywhere() {
        let wrap = |text: &str, room: f64| wrap(text, 10.0, Weight::Regular, room, 9);
        assert_eq!(wrap("line against square", 60.0), ["line against", "square"]);
        assert_eq!(wrap("cavalry-against-square", 60.0), ["cavalry-", "against-", "square"]);
        assert_eq!(wrap("", 60.0), [""]);
        assert_eq!(words("it wins 89.1 % ± 0.2 points now"), ["it", "wins", "89.1 % ± 0.2 points", "now"]);
        assert!(wrap("wwwwwwwwwwwwwwww", 30.0).iter().all(|line| width(line, 10.0, Weight::Regular) <= 30.0));
        assert_eq!(wrap("ww", 0.0), ["w", "w"]);
    }

    #[test]
    fn headings_are_balanced() {
        let text = "Defender wins most often with square and least often with line";
        let room = width(text, 10.0, Weight::Bold) - 1.0;
        assert!(wrap(text, 10.0, Weight::Bold, room, 3)[1].len() < 6);
        let lines = balanced(text, 10.0, Weight::Bold, room, 3);
        assert_eq!(lines.len(), 2);
        assert!(lines[0].len().abs_diff(lines[1].len()) < 12, "{lines:?}");
    }

    #[test]
    fn what_does_not_fit_ends_in_an_ellipsis() {
        let lines = wrap("one two three four five six seven", 10.0, Weight::Regular, 45.0, 2);
        assert_eq!(lines.len(), 2);
        assert!(lines[1].ends_with('…') && width(&lines[1], 10.0, Weight::Regular) <= 45.0);
    }
}
