//! Helpers for words and numbers in print.

use std::time::Duration;

pub(crate) use grognard_lab::print::{capitalised, counted, tame};
use grognard_lab::study::written_as;

/// The text on one line and no longer than `most` characters; the middle is left out.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    let letters: Vec<char> = tame(&text.replace(['\n', '\r'], " ")).chars().collect();
    if letters.len() <= most {
        return letters.into_iter().collect();
    }
    let end = most.saturating_sub(1) / 3;
    let start = most.saturating_sub(1) - end;
    letters[..start].iter().chain(&['…']).chain(&letters[letters.len() - end..]).collect()
}

/// The first of several sentences without its full stop, for the title of a chart.
pub(crate) fn as_title(sentences: &[String]) -> String {
    sentences.first().map_or_else(String::new, |first| first.trim_end_matches('.').to_owned())
}

/// As many whole words of a text as fit on a line of this many characters.
pub(crate) fn begun(text: &str, most: usize) -> String {
    let mut lines = wrapped(text, most.saturating_sub(2)).into_iter();
    let first = lines.next().unwrap_or_default();
    if lines.next().is_none() { first } else { first + " …" }
}

/// A text in lines of at most this many characters, broken between words; a longer word has a line of its own.
pub(crate) fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in tame(text).split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + 1 + word.chars().count() <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A count of things: `1 cell`, `12 cells`.
pub(crate) fn plural(count: u64, thing: &str) -> String {
    if count == 1 { format!("1 {thing}") } else { format!("{} {thing}s", counted(count)) }
}

/// A number in thousandths, as printed: `−0.5`.
pub(crate) fn thousandths(number: i64) -> String {
    true_minus(&written_as(number))
}

/// A number as written, with a true minus sign.
pub(crate) fn true_minus(number: &str) -> String {
    number.replace('-', "−")
}

/// A change as printed, with its sign and the digits that an uncertainty of `half_width` supports.
pub(crate) fn signed(change: f64, half_width: f64) -> String {
    let size = format!("{:.*}", grognard_stats::decimals(half_width), change.abs());
    let zero = size.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    let sign = match change {
        _ if zero => "",
        change if change < 0.0 => "−",
        _ => "+",
    };
    sign.to_owned() + &size
}

/// Words in a list: `a, b or c`.
pub(crate) fn listed(words: &[String]) -> String {
    series(words, "or")
}

/// Words in a list, with another word before the last: `a, b and c`.
pub(crate) fn series(words: &[String], before_last: &str) -> String {
    match words {
        [] => String::new(),
        [word] => word.clone(),
        [some @ .., last] => format!("{} {before_last} {last}", some.join(", ")),
    }
}

/// A time in suitable units: `0.8 s`, `12 s`, `3 min 05 s`, `2 h 07 min`, `3 d 04 h`, `1.8 years`.
pub(crate) fn time(time: Duration) -> String {
    let seconds = time.as_secs_f64().round() as u64;
    match seconds {
        _ if time.as_secs_f64() < 9.95 => format!("{:.1} s", time.as_secs_f64()),
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        3_600..172_800 => format!("{} h {:02} min", seconds / 3_600, seconds % 3_600 / 60),
        172_800..31_557_600 => format!("{} d {:02} h", seconds / 86_400, seconds % 86_400 / 3_600),
        _ => format!("{:.1} years", seconds as f64 / 31_557_600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrapped("to be or  not\nto be", 6), ["to be", "or not", "to be"]);
        assert_eq!(wrapped("a longest word", 4), ["a", "longest", "word"]);
        assert_eq!(wrapped("", 4), [""]);
        assert_eq!(begun("to be or not", 8), "to be …");
        assert_eq!(begun("to be", 8), "to be");
    }

    #[test]
    fn a_name_commands_no_terminal() {
        assert_eq!(tame("a\u{1b}[2J\u{7}b\nc"), "a\u{fffd}[2J\u{fffd}b\nc");
        assert_eq!(shortened("a\r\nb", 24), "a  b");
    }

    #[test]
    fn long_texts_keep_their_ends() {
        assert_eq!(shortened("heavy-cavalry", 13), "heavy-cavalry");
        assert_eq!(shortened("self.arm == 'cavalry' && foe.formed", 24), "self.arm == 'cav….formed");
        assert_eq!(shortened("überlang", 4).chars().count(), 4);
        assert_eq!(shortened("abc", 1), "…");
    }

    #[test]
    fn times_are_said_as_people_do() {
        let said = |seconds: f64| time(Duration::from_secs_f64(seconds));
        assert_eq!([said(0.82), said(9.96), said(59.4)], ["0.8 s", "10 s", "59 s"]);
        assert_eq!([said(59.6), said(185.0), said(7_640.0)], ["1 min 00 s", "3 min 05 s", "2 h 07 min"]);
        assert_eq!([said(273_600.0), said(56_800_000.0)], ["3 d 04 h", "1.8 years"]);
    }

    #[test]
    fn counts_are_set_for_reading() {
        assert_eq!([counted(0), counted(999), counted(250_000)], ["0", "999", "250,000"]);
        assert_eq!([plural(1, "cell"), plural(36, "cell")], ["1 cell", "36 cells"]);
    }
}
