//! Command lines that can be typed again.

/// An argument as a shell reads it: as it is, or in quotes.
///
/// ```
/// assert_eq!(grognard_lab::shell::quoted("results/duel"), "results/duel");
/// assert_eq!(grognard_lab::shell::quoted("my study"), "'my study'");
/// ```
#[must_use]
pub fn quoted(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./=,:+@%".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}
