//! The most likely meaning of a misspelt name.

use std::collections::BTreeSet;

use strsim::damerau_levenshtein;

/// Longest name worth comparing, in characters; a longer one is not a typing slip.
const COMPARED_MAX: usize = 64;

/// Maximum number of candidates that are compared with one name.
const CANDIDATES_MAX: usize = 2_000;

/// Maximum number of names a help text lists. If there are more it lists [`LISTED_OF_MANY`].
const LISTED_MAX: usize = 14;

/// How many names a help text lists if there are more than [`LISTED_MAX`], so that it never leaves out only one or two.
const LISTED_OF_MANY: usize = 12;

/// Maximum number of characters of a user's text that a message repeats.
const REPEATED_MAX: usize = 60;

/// The candidate that `name` most likely misspells, if any is close enough.
///
/// Close means an edit distance of at most a third of the name's length, or 1 for a name of two letters (case and `_`
/// for `-` are free), or that one begins with the other. Nothing is close to a number. Among equally close candidates
/// one that begins with the name wins, otherwise the first.
#[must_use]
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().take(COMPARED_MAX + 1).count();
    if !(2..=COMPARED_MAX).contains(&length) || name.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let name = folded(name);
    let allowed = (length / 3).max(1);
    let mut best: Option<((usize, bool), &str)> = None;
    for candidate in candidates.into_iter().take(CANDIDATES_MAX) {
        let plain = folded(candidate);
        let begins = length >= 3 && (plain.starts_with(&name) || (plain.len() >= 3 && name.starts_with(&plain)));
        let distance = if plain.chars().count().abs_diff(length) <= allowed {
            damerau_levenshtein(&name, &plain)
        } else {
            usize::MAX
        };
        // A common beginning counts as the largest distance that is still close.
        let distance = if begins { distance.min(allowed) } else { distance };
        let rank = (distance, !plain.starts_with(&name));
        if distance <= allowed && best.is_none_or(|(least, _)| rank < least) {
            best = Some((rank, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The candidate that differs from `name` by one or two typing slips, but not by a number.
///
/// Narrower than [`nearest`]: for names that may well be new.
pub(super) fn slip<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().take(COMPARED_MAX + 1).count();
    if !(4..=COMPARED_MAX).contains(&length) {
        return None;
    }
    let digits = |name: &str| name.bytes().filter(u8::is_ascii_digit).collect::<Vec<u8>>();
    let allowed = if length < 8 { 1 } else { 2 };
    let near = |candidate: &&str| {
        candidate.chars().count().abs_diff(length) <= allowed
            && damerau_levenshtein(name, candidate) <= allowed
            && digits(name) == digits(candidate)
    };
    candidates.into_iter().take(CANDIDATES_MAX).find(near)
}

fn folded(name: &str) -> String {
    name.to_lowercase().replace('_', "-")
}

/// The message and help for a name that does not exist: `("there is no formation `sqare`", "did you mean `square`?")`.
///
/// If nothing is close, the help lists the valid names, shortened if there are many; without candidates there is no
/// help.
#[must_use]
pub fn unknown_name<'a, I>(what: &str, name: &str, candidates: I) -> (String, Option<String>)
where
    I: IntoIterator<Item = &'a str>,
    I::IntoIter: Clone,
{
    (format!("there is no {what} {}", quoted(name)), suggestion(name, candidates))
}

/// The help for a name or word that is not among the valid ones.
pub(super) fn suggestion<'a, I>(name: &str, candidates: I) -> Option<String>
where
    I: IntoIterator<Item = &'a str>,
    I::IntoIter: Clone,
{
    let mut told = BTreeSet::new();
    let candidates: Vec<&str> = candidates.into_iter().filter(|name| told.insert(*name)).collect();
    let candidates = candidates.into_iter();
    if let Some(near) = nearest(name, candidates.clone()) {
        return Some(format!("did you mean {}?", quoted(near)));
    }
    let count = candidates.len();
    let shown = if count > LISTED_MAX { LISTED_OF_MANY } else { count };
    let listed = candidates.take(shown).map(quoted).collect::<Vec<_>>().join(", ");
    match count {
        0 => None,
        1 => Some(format!("the only one is {listed}")),
        2..=LISTED_MAX => Some(format!("valid names: {listed}")),
        _ => Some(format!("valid names: {listed} and {} more", count - shown)),
    }
}

/// A user's text between backquotes, on one line and shortened if long.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut shown = String::from("`");
    for (at, character) in text.chars().enumerate() {
        if at == REPEATED_MAX {
            shown.push('…');
            break;
        }
        if character.is_control() {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown.push('`');
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMATIONS: [&str; 4] = ["line", "column", "square", "skirmish"];

    #[test]
    fn slips_are_recognised() {
        assert_eq!(nearest("sqare", FORMATIONS), Some("square"));
        assert_eq!(nearest("Square", FORMATIONS), Some("square"));
        assert_eq!(nearest("columns", FORMATIONS), Some("column"));
        assert_eq!(nearest("lnie", FORMATIONS), Some("line"));
        assert_eq!(nearest("skir", FORMATIONS), Some("skirmish"));
        assert_eq!(nearest("ad", ["id", "add"]), Some("add"));
        assert_eq!(nearest("cavalry_vs_square", ["cavalry-vs-line", "cavalry-vs-square"]), Some("cavalry-vs-square"));
    }

    #[test]
    fn strangers_are_not() {
        assert_eq!(nearest("", FORMATIONS), None);
        assert_eq!(nearest("wedge", FORMATIONS), None);
        assert_eq!(nearest("x", ["add"]), None);
        assert_eq!(nearest("x", ["y"]), None);
        assert_eq!(nearest("2", ["0", "1"]), None);
        assert_eq!(nearest("12", ["11", "13"]), None);
        assert_eq!(nearest("shoot", ["shift", "shock", "fire"]), None);
        assert_eq!(nearest("move", ["zone", "role"]), None);
        assert_eq!(nearest(&"square".repeat(20), FORMATIONS), None);
    }

    #[test]
    fn a_slip_is_narrower_than_what_is_near() {
        let rows = ["impetus", "square-against-cavalry", "losses-1"];
        assert_eq!(slip("square-against-cavalri", rows), Some("square-against-cavalry"));
        assert_eq!(slip("impteus", rows), Some("impetus"));
        for new in ["impetus-uphill", "losses-2", "square-against-guns", "imp", ""] {
            assert_eq!(slip(new, rows), None, "{new}");
        }
    }

    #[test]
    fn the_help_names_the_nearest_or_lists_them_all() {
        let (message, help) = unknown_name("formation", "sqare", FORMATIONS);
        assert_eq!(message, "there is no formation `sqare`");
        assert_eq!(help.as_deref(), Some("did you mean `square`?"));
        let (_, help) = unknown_name("formation", "wedge", FORMATIONS);
        assert_eq!(help.as_deref(), Some("valid names: `line`, `column`, `square`, `skirmish`"));
        let all: Vec<String> = (0..14).map(|number| format!("number-{number}")).collect();
        let (_, help) = unknown_name("row", "wedge", all.iter().map(String::as_str));
        assert!(help.expect("there are names").ends_with("`number-12`, `number-13`"), "none is left out");
        let many: Vec<String> = (0..20).map(|number| format!("number-{number}")).collect();
        let (_, help) = unknown_name("row", "wedge", many.iter().map(String::as_str));
        assert!(help.expect("there are names").ends_with("`number-11` and 8 more"));
        assert_eq!(unknown_name("row", "wedge", []).1, None);
        let (_, help) = unknown_name("key", "wedge", ["up-to", "entries", "up-to"]);
        assert_eq!(help.as_deref(), Some("valid names: `up-to`, `entries`"), "each once");
    }

    #[test]
    fn a_long_or_odd_text_is_quoted_on_one_short_line() {
        assert_eq!(quoted("a\nb"), "`a\\nb`");
        assert_eq!(quoted(&"a".repeat(100)).chars().count(), 63);
    }
}
