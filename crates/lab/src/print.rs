//! Helpers for words and numbers in print.

/// A string with every control character except line endings replaced by a visible sign: a name from a pack or a study
/// must not control the terminal that prints it.
///
/// ```
/// assert_eq!(grognard_lab::print::tame("red\u{1b}[2J"), "red\u{fffd}[2J");
/// ```
#[must_use]
pub fn tame(text: &str) -> String {
    let tame = |letter: char| if letter.is_control() && letter != '\n' { char::REPLACEMENT_CHARACTER } else { letter };
    text.chars().map(tame).collect()
}

/// The string with its first letter in upper case.
///
/// ```
/// assert_eq!(grognard_lab::print::capitalised("heavy cavalry"), "Heavy cavalry");
/// ```
#[must_use]
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A count with thousands separators.
///
/// ```
/// assert_eq!(grognard_lab::print::counted(250_000), "250,000");
/// ```
#[must_use]
pub fn counted(count: u64) -> String {
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
