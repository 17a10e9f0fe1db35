//! Helpers for words and numbers in print.

pub(crate) use grognard_lab::print::{capitalised, counted, tame};
use grognard_stats::{Estimate, decimals, rounded_up};

/// Text as XML and HTML allow it, in elements and in quoted attributes. Characters that XML forbids become spaces.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\n' | '\t' => safe.push(letter),
            _ if crate::sheet::printable(letter) => safe.push(letter),
            _ => safe.push(' '),
        }
    }
    safe
}

/// An author's text in pieces: as it is, or between backticks, which mark code. An unpaired backtick is kept.
pub(crate) fn with_code(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let quoted = rest.strip_prefix('`').and_then(|quoted| quoted.split_once('`'));
        if let Some((code, after)) = quoted {
            rest = after;
            return Some(Piece::Code(code));
        }
        let skipped = usize::from(rest.starts_with('`'));
        let end = rest[skipped..].find('`').map_or(rest.len(), |at| skipped + at);
        let (plain, after) = rest.split_at(end);
        rest = after;
        (!plain.is_empty()).then_some(Piece::Plain(plain))
    })
}

/// A piece of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// Words.
    Plain(&'a str),
    /// Something to be typed, such as a command.
    Code(&'a str),
}

impl<'a> Piece<'a> {
    /// Its text, without the backticks.
    pub(crate) fn words(self) -> &'a str {
        let (Self::Plain(words) | Self::Code(words)) = self;
        words
    }
}

/// A name from a file as words: `heavy-cavalry` is "heavy cavalry". A minus sign before a digit is kept.
#[must_use]
pub fn spaced(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    // Between digits it may be a range of years; elsewhere inside a name, it separates words.
    let joins = |at: usize| {
        let before = at.checked_sub(1).map(|before| letters[before]).filter(|letter| letter.is_alphanumeric());
        let after = letters.get(at + 1).filter(|letter| letter.is_alphanumeric());
        before.zip(after).is_some_and(|(before, after)| !(before.is_numeric() && after.is_numeric()))
    };
    let begins = |at: usize| at.checked_sub(1).is_none_or(|before| matches!(letters[before], ' ' | '[' | '('));
    letters
        .iter()
        .enumerate()
        .map(|(at, &letter)| match letter {
            '-' | '_' if joins(at) => ' ',
            '-' if letters.get(at + 1).is_some_and(char::is_ascii_digit) && begins(at) => '\u{2212}',
            _ => letter,
        })
        .collect()
}

/// A count of things: `1 cell`, `12 cells`.
pub(crate) fn plural(count: usize, thing: &str) -> String {
    if count == 1 { format!("1 {thing}") } else { format!("{} {thing}s", counted(count as u64)) }
}

/// From this number of battles on, shares have a decimal.
const SHARP: u64 = 1_000;

/// Numbers in one style: all shares of a chart have the same number of decimals, as do all means and all differences.
pub(crate) trait InPrint {
    /// A share in per cent: `96.1 %`.
    fn share_point(&self) -> String;
    /// A share with its interval: `96.1 % (95.9–96.3)`.
    fn share_range(&self) -> String;
    /// A share for a sentence: without its interval, unless it happened in none or all of the battles.
    fn share_told(&self) -> String;
    /// The precision of a share in per cent, to go next to it: `± 0.2`; near 0 and 100 the far end of its interval, `≤ 0.3` and
    /// `≥ 99.3`. Empty if the share was computed.
    fn share_error(&self) -> String;
    /// A difference of shares with its interval, in points: `+48.3 (+48.1 to +48.5)`.
    fn points_range(&self) -> String;
    /// A difference of shares with its margin: `+48.3 ± 0.2`.
    fn points_margin(&self) -> String;
    /// A difference of shares in whole points: `+48`.
    fn points_told(&self) -> String;
    /// A mean: `2.14`.
    fn mean_point(&self) -> String;
    /// A mean with its interval: `2.14 (2.12–2.16)`.
    fn mean_range(&self) -> String;
}

impl InPrint for Estimate {
    fn share_point(&self) -> String {
        if self.runs == 0 && !self.is_computed() {
            return "?".to_owned();
        }
        format!("{} %", share_digits(self.point, self.share_places()))
    }

    fn share_range(&self) -> String {
        // A table shows all digits of a computed value.
        if self.is_computed() || self.runs == 0 || self.point == 0.0 || self.point == 1.0 {
            return self.percent().replace(" (computed)", "");
        }
        let rare = !(0.001..=0.999).contains(&self.point);
        let places = self.share_places();
        // A share very near 0 or 1 gets enough digits to be told apart from 0 or 1, and its interval gets as many: with
        // fewer, the rounded interval might exclude the share.
        let digits = if rare { decimals(100.0 * self.half_width()).max(places) } else { places };
        let one = |share: f64| format!("{:.digits$}", 100.0 * share);
        format!("{} % ({}–{})", share_digits(self.point, digits), one(self.low), one(self.high))
    }

    fn share_told(&self) -> String {
        let none_or_all = !self.is_computed() && (self.point == 0.0 || self.point == 1.0);
        if none_or_all { self.percent() } else { self.share_point() }
    }

    fn share_error(&self) -> String {
        let places = self.share_places();
        match self.half_width() {
            _ if self.is_computed() || self.runs == 0 => String::new(),
            half if self.point <= half => format!("≤ {:.places$}", rounded_up(100.0 * self.high, places)),
            half if 1.0 - self.point <= half => {
                format!("≥ {:.places$}", 100.0 - rounded_up(100.0 * (1.0 - self.low), places))
            }
            half => format!("± {:.places$}", rounded_up(100.0 * half, places)),
        }
    }

    fn points_range(&self) -> String {
        if self.is_computed() || self.runs == 0 {
            return self.points().replace(" points", "").replace(" (computed)", "");
        }
        let places = self.places_apart(100.0, self.share_places());
        let one = |share: f64| with_sign(100.0 * share, places);
        let point = if self.point == 0.0 && places > self.share_places() { "0".to_owned() } else { one(self.point) };
        format!("{point} ({} to {})", one(self.low), one(self.high))
    }

    fn points_margin(&self) -> String {
        let places = self.share_places();
        if self.is_computed() {
            return shown(100.0 * self.point, places);
        }
        // A symmetrical margin would hide that the interval lies on one side of 0.
        if !self.holds(0.0) && self.half_width() >= self.point.abs() {
            let [low, high] = [self.low, self.high].map(|end| shown(100.0 * end, places));
            return format!("{low} to {high}");
        }
        let point = with_sign(100.0 * self.point, places);
        format!("{point} ± {:.places$}", rounded_up(100.0 * self.half_width().min(1.0), places))
    }

    fn points_told(&self) -> String {
        shown(100.0 * self.point, 0)
    }

    fn mean_point(&self) -> String {
        signed_below_zero(self.point, self.mean_places())
    }

    fn mean_range(&self) -> String {
        if self.is_computed() || self.runs == 0 {
            return self.plain().replace(" (computed)", "");
        }
        if self.point == 0.0 && self.low >= 0.0 {
            return format!("0 (at most {:.*})", decimals(self.high) + 1, self.high);
        }
        let places = self.places_apart(1.0, self.mean_places());
        let one = |mean: f64| signed_below_zero(mean, places);
        if self.point == 0.0 && places > self.mean_places() {
            return format!("0 ({} to {})", one(self.low), one(self.high));
        }
        let to = if self.low < 0.0 { " to " } else { "–" };
        format!("{} ({}{to}{})", one(self.point), one(self.low), one(self.high))
    }
}

/// The number of decimals for numbers based on this many battles.
trait Places {
    fn share_places(&self) -> usize;
    fn mean_places(&self) -> usize;
    /// `places`, or more if both ends of the interval, times `scale`, would be printed as 0.
    fn places_apart(&self, scale: f64, places: usize) -> usize;
}

impl Places for Estimate {
    fn share_places(&self) -> usize {
        usize::from(self.is_computed() || self.runs >= SHARP)
    }

    fn mean_places(&self) -> usize {
        1 + self.share_places()
    }

    fn places_apart(&self, scale: f64, places: usize) -> usize {
        let none = |end: f64| !tells(scale * end, places);
        if none(self.low) && none(self.high) { decimals(scale * self.half_width()).max(places) } else { places }
    }
}

/// A share's digits in per cent; one that is not 0 or 1 is never printed as 0 or 100.
fn share_digits(share: f64, places: usize) -> String {
    let least = 10_f64.powi(-(places as i32));
    match 100.0 * share {
        percent if percent == 0.0 || percent == 100.0 => format!("{percent:.0}"),
        percent if percent < least / 2.0 => format!("<{least:.places$}"),
        percent if percent > 100.0 - least / 2.0 => format!(">{:.places$}", 100.0 - least),
        percent => format!("{percent:.places$}"),
    }
}

/// The maximum number of decimals used to distinguish a small number from 0.
const DECIMALS_MAX: usize = 4;

/// A number with its sign, with more decimals if these do not distinguish it from 0.
fn shown(value: f64, places: usize) -> String {
    with_sign(value, (places..=DECIMALS_MAX).find(|&places| tells(value, places)).unwrap_or(places))
}

/// Whether this many decimals distinguish a number from 0.
fn tells(value: f64, places: usize) -> bool {
    2.0 * value.abs() * 10_f64.powi(places as i32) >= 1.0
}

/// A number with a sign only below 0; a number printed as 0 has no sign.
fn signed_below_zero(value: f64, places: usize) -> String {
    with_sign(value, places).trim_start_matches('+').to_owned()
}

/// A number with its sign; a number printed as 0 has no sign.
fn with_sign(value: f64, places: usize) -> String {
    let digits = format!("{:.places$}", value.abs());
    let zero = !digits.bytes().any(|digit| (b'1'..=b'9').contains(&digit));
    let sign = match value {
        _ if zero => "",
        value if value < 0.0 => "\u{2212}",
        _ => "+",
    };
    format!("{sign}{digits}")
}

/// The words of a list: `a`, `a and b`, `a, b and c`.
pub(crate) fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [many @ .., last] => format!("{} and {last}", many.join(", ")),
    }
}

/// A number with its interval in the form used within brackets: `0 %, at most 0.0016`.
pub(crate) fn unbracketed(number: &str) -> String {
    number.replace(" (", ", ").replace(')', "")
}

/// The words that all of several names begin with, and the names without them. No name is left empty, and a number
/// keeps the word before it, which is then not one of the common words.
pub(crate) fn without_common_words(names: &[String]) -> (String, Vec<String>) {
    let words: Vec<Vec<&str>> = names.iter().map(|name| name.split(' ').collect()).collect();
    let common = |at: usize| words.iter().all(|own| own.len() > at + 1 && own[at] == words[0][at]);
    let begun = if names.len() > 1 { (0..).take_while(|&at| common(at)).count() } else { 0 };
    let bare = words.iter().any(|own| !own[begun].starts_with(char::is_alphabetic));
    let left_out = if bare { begun.saturating_sub(1) } else { begun };
    let shared = words.first().map_or_else(String::new, |first| first[..left_out].join(" "));
    (shared, words.iter().map(|own| own[left_out..].join(" ")).collect())
}

/// The clauses that all of several names begin with, each ended by a comma or a colon, and the names without them.
pub(crate) fn without_common_clauses(names: &[String]) -> (String, Vec<String>) {
    let (words, _) = without_common_words(names);
    let Some(end) = words.rfind([',', ':']) else { return (String::new(), names.to_vec()) };
    let rest = |name: &String| name.get(end + 1..).unwrap_or_default().trim_start().to_owned();
    (words[..end].to_owned(), names.iter().map(rest).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_disarmed() {
        assert_eq!(escaped("<b a='1'>&\"\u{1}"), "&lt;b a=&#39;1&#39;&gt;&amp;&quot; ");
    }

    #[test]
    fn backticks_mark_code() {
        use Piece::{Code, Plain};
        let pieces = |text| with_code(text).collect::<Vec<_>>();
        assert_eq!(
            pieces("see `grognard exact a` (`b`)"),
            [Plain("see "), Code("grognard exact a"), Plain(" ("), Code("b"), Plain(")")]
        );
        assert_eq!(pieces("`a``b`"), [Code("a"), Code("b")]);
        assert_eq!(pieces("no pair: ` here"), [Plain("no pair: "), Plain("` here")]);
        assert_eq!(pieces(""), []);
    }

    #[test]
    fn names_become_words() {
        assert_eq!(spaced("heavy-cavalry"), "heavy cavalry");
        assert_eq!(spaced("6-pounder_battery"), "6 pounder battery");
        assert_eq!(spaced("column-2"), "column 2");
        assert_eq!(spaced("-2"), "\u{2212}2");
        assert_eq!(spaced("[0, -2]"), "[0, \u{2212}2]");
        assert_eq!(spaced("1809-11"), "1809-11");
        assert_eq!(capitalised("élan"), "Élan");
        assert_eq!(capitalised(""), "");
    }

    /// An interval that lies on one side of 0 is never printed as if it straddled 0.
    #[test]
    fn a_margin_does_not_hide_a_sign() {
        let found = |point, low, high| Estimate { point, low, high, runs: 2_000, ..Estimate::computed(point) };
        let shown = found(-0.007, -0.016, -0.0004).points_margin();
        assert_eq!(shown, "\u{2212}1.6 to \u{2212}0.04");
        assert_eq!(found(-0.007, -0.016, 0.002).points_margin(), "\u{2212}0.7 ± 0.9");
        assert_eq!(found(-0.017, -0.026, -0.008).points_margin(), "\u{2212}1.7 ± 0.9");
    }

    /// 661 of 1,000 and 0 to 1,000 of 1,000; the ends are Wilson's.
    #[test]
    fn numbers_of_one_chart_have_as_many_decimals() {
        use grognard_stats::{Level, Pairs, share, share_difference};
        let of = |count, runs| share(count, runs, Level::P95);
        assert_eq!(
            [661, 530, 390, 270].map(|count| of(count, 1_000).share_point()),
            ["66.1 %", "53.0 %", "39.0 %", "27.0 %"]
        );
        assert_eq!(of(26, 50).share_point(), "52 %");
        assert_eq!([of(0, 1_000), of(1_000, 1_000)].map(|share| share.share_point()), ["0 %", "100 %"]);
        assert_eq!([of(1, 10_000), of(9_999, 10_000)].map(|share| share.share_point()), ["<0.1 %", ">99.9 %"]);
        assert_eq!(of(530, 1_000).share_range(), "53.0 % (49.9–56.1)");
        // 99.9 % would lie outside its own interval.
        assert_eq!(of(249_850, 250_000).share_range(), "99.94 % (99.93–99.95)");
        assert_eq!(Estimate::computed(0.53).share_point(), "53.0 %");
        assert_eq!(
            (of(0, 0).share_point(), of(0, 0).share_range()),
            ("?".to_owned(), "unknown (no battles)".to_owned())
        );
        let pairs = |cell_only, baseline_only| {
            let neither = 100_000 - cell_only - baseline_only;
            share_difference(Pairs { both: 0, cell_only, baseline_only, neither }, Level::P95)
        };
        assert_eq!(pairs(48_300, 0).points_margin(), "+48.3 ± 0.4");
        // A margin of 0.04 points is less than 0.1 and more than 0.
        assert_eq!(pairs(20, 20).points_margin(), "0.0 ± 0.1");
        assert_eq!(Estimate::computed(-0.25).points_margin(), "\u{2212}25.0");
        assert_eq!(
            Estimate { point: -0.5, low: -0.75, high: 0.25, ..of(1, 2_000) }.mean_range(),
            "\u{2212}0.50 (\u{2212}0.75 to 0.25)"
        );
    }

    #[test]
    fn nothing_has_no_sign_and_no_empty_interval() {
        let of = |point, low, high| Estimate { point, low, high, runs: 20_000, ..Estimate::computed(point) };
        assert_eq!(of(0.0, 0.0, 0.000_32).mean_range(), "0 (at most 0.00032)");
        assert_eq!(of(0.0, -0.000_3, 0.000_3).mean_range(), "0 (\u{2212}0.0003 to 0.0003)");
        assert_eq!(of(-0.06, -0.12, -0.001).mean_range(), "\u{2212}0.06 (\u{2212}0.12 to 0.00)");
        assert_eq!(of(-0.001, -0.02, 0.01).mean_point(), "0.00");
        assert_eq!(of(0.0004, 0.0001, 0.0008).mean_range(), "0.0004 (0.0001–0.0008)");
        assert_eq!(of(0.0, -0.000_1, 0.000_1).points_range(), "0 (\u{2212}0.01 to +0.01)");
        assert_eq!(of(0.000_06, -0.000_1, 0.000_2).points_range(), "+0.01 (\u{2212}0.01 to +0.02)");
        assert_eq!(of(0.0, -0.001, 0.001).points_range(), "0.0 (\u{2212}0.1 to +0.1)");
    }

    /// As in tables: a share near 0 or 100 has a one-sided limit, not a signed difference.
    #[test]
    fn a_share_has_its_error_beside_it() {
        use grognard_stats::{Level, share};
        let of = |count, runs| share(count, runs, Level::P95).share_error();
        assert_eq!([of(0, 2_000), of(1, 2_000), of(2_000, 2_000)], ["≤ 0.2", "≤ 0.3", "≥ 99.8"]);
        assert_eq!([of(0, 20_000), of(530, 1_000), of(26, 50)], ["≤ 0.1", "± 3.1", "± 14"]);
        assert_eq!(Estimate::computed(0.5).share_error(), "");
    }

    #[test]
    fn words_that_tell_nothing_apart_go() {
        let short = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
            let (common, names) = without_common_words(&names);
            format!("{common}: {}", names.join("|"))
        };
        assert_eq!(short(&["unit type light foot", "unit type light horse"]), "unit type light: foot|horse");
        assert_eq!(short(&["their figures 1", "their figures 2"]), "their: figures 1|figures 2");
        assert_eq!(short(&["light", "light horse"]), ": light|light horse");
        assert_eq!(short(&["light horse"]), ": light horse");
        assert_eq!(short(&[]), ": ");
        let clauses = |names: [&str; 2]| without_common_clauses(&names.map(str::to_owned));
        assert_eq!(
            clauses(["hexes: line, in front", "hexes: line, in rear"]),
            ("hexes: line".into(), vec!["in front".into(), "in rear".into()])
        );
        assert_eq!(
            clauses(["light foot", "light horse"]),
            (String::new(), vec!["light foot".into(), "light horse".into()])
        );
    }

    #[test]
    fn numbers_are_set_for_reading() {
        assert_eq!((counted(0), counted(999), counted(250_000)), ("0".into(), "999".into(), "250,000".into()));
        assert_eq!((plural(1, "cell"), plural(2, "cell")), ("1 cell".into(), "2 cells".into()));
        assert_eq!(listed(&["a".into(), "b".into(), "c".into()]), "a, b and c");
    }
}
