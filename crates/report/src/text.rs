//! Small things about words and numbers in print.

use grognard_stats::{Estimate, decimals};

/// Text as XML and HTML may hold it, in elements and in quoted attributes. Characters that XML bars become spaces.
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

/// A text with every control character but line ends shown as a sign for it, so that a name from a pack or a study commands no
/// terminal that prints the text.
pub(crate) fn tame(text: &str) -> String {
    let tame = |letter: char| if letter.is_control() && letter != '\n' { char::REPLACEMENT_CHARACTER } else { letter };
    text.chars().map(tame).collect()
}

/// A name from a file as words: `heavy-cavalry` is "heavy cavalry". A minus before a digit stays one.
pub(crate) fn spaced(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    // Between digits it may be a span of years; everywhere else inside a name it parts words.
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

/// The text with its first letter in upper case.
pub(crate) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A count with its thousands set apart: `250,000`.
pub(crate) fn counted(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count of things: `1 cell`, `12 cells`.
pub(crate) fn plural(count: usize, thing: &str) -> String {
    if count == 1 { format!("1 {thing}") } else { format!("{} {thing}s", counted(count as u64)) }
}

/// The size of a difference of shares with its error, without its sign: `48.3 ± 0.2 points`.
pub(crate) fn points_apart(difference: &Estimate) -> String {
    format!("{} points", apart(100.0 * difference.point, 100.0 * difference.half_width()))
}

/// A difference with its sign and error: `+48.3 ± 0.2`.
pub(crate) fn signed(point: f64, half_width: f64) -> String {
    let text = apart(point, half_width);
    let zero = !text.split(' ').next().is_some_and(|digits| digits.bytes().any(|digit| (b'1'..=b'9').contains(&digit)));
    let sign = if zero {
        ""
    } else if point < 0.0 {
        "\u{2212}"
    } else {
        "+"
    };
    format!("{sign}{text}")
}

/// The size of a difference with its error, without its sign: `1.20 ± 0.05`.
pub(crate) fn apart(point: f64, half_width: f64) -> String {
    let places = decimals(half_width);
    let size = format!("{:.places$}", point.abs());
    if half_width == 0.0 { size } else { format!("{size} ± {half_width:.places$}") }
}

/// Half the width of a share's interval, in per cent: `± 0.2`.
pub(crate) fn percent_error(share: &Estimate) -> String {
    let half = 100.0 * share.half_width();
    if half == 0.0 { String::new() } else { format!("± {half:.places$}", places = decimals(half)) }
}

/// A mean without its interval, with the digits that this supports.
pub(crate) fn mean_point(mean: &Estimate) -> String {
    format!("{:.places$}", mean.point, places = decimals(mean.half_width()))
}

/// The words of a list: `a`, `a and b`, `a, b and c`.
pub(crate) fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [many @ .., last] => format!("{} and {last}", many.join(", ")),
    }
}

/// A number with its interval as it stands within brackets: `0 %, at most 0.0016`.
pub(crate) fn unbracketed(number: &str) -> String {
    number.replace(" (", ", ").replace(')', "")
}

/// The words that all of several names begin with, and the names without them. No name is left empty, and a number keeps the word
/// before it.
pub(crate) fn without_common_words(names: &[String]) -> (String, Vec<String>) {
    let words: Vec<Vec<&str>> = names.iter().map(|name| name.split(' ').collect()).collect();
    let common = |at: usize| words.iter().all(|own| own.len() > at + 1 && own[at] == words[0][at]);
    let begun = if names.len() > 1 { (0..).take_while(|&at| common(at)).count() } else { 0 };
    let bare = words.iter().any(|own| !own[begun].starts_with(char::is_alphabetic));
    let left_out = if bare { begun.saturating_sub(1) } else { begun };
    let shared = words.first().map_or_else(String::new, |first| first[..begun].join(" "));
    (shared, words.iter().map(|own| own[left_out..].join(" ")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_disarmed() {
        assert_eq!(escaped("<b a='1'>&\"\u{1}"), "&lt;b a=&#39;1&#39;&gt;&amp;&quot; ");
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

    #[test]
    fn words_that_tell_nothing_apart_go() {
        let short = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
            let (common, names) = without_common_words(&names);
            format!("{common}: {}", names.join("|"))
        };
        assert_eq!(short(&["unit type light foot", "unit type light horse"]), "unit type light: foot|horse");
        assert_eq!(short(&["their figures 1", "their figures 2"]), "their figures: figures 1|figures 2");
        assert_eq!(short(&["light", "light horse"]), ": light|light horse");
        assert_eq!(short(&["light horse"]), ": light horse");
        assert_eq!(short(&[]), ": ");
    }

    #[test]
    fn numbers_are_set_for_reading() {
        assert_eq!((counted(0), counted(999), counted(250_000)), ("0".into(), "999".into(), "250,000".into()));
        assert_eq!((plural(1, "cell"), plural(2, "cell")), ("1 cell".into(), "2 cells".into()));
        assert_eq!(apart(-48.31, 0.2), "48.3 ± 0.2");
        assert_eq!(apart(0.5, 0.0), "0.500");
        assert_eq!((signed(-0.3, 0.2), signed(-0.01, 0.2)), ("\u{2212}0.3 ± 0.2".into(), "0.0 ± 0.2".into()));
        assert_eq!(listed(&["a".into(), "b".into(), "c".into()]), "a, b and c");
    }
}
