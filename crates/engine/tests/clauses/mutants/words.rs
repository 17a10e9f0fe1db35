//! The meaning of texts in a pack: conditions, formulas, dice, or one of a few words.

use grognard_source::{Document, Node, Path, Value};

/// Keys whose text is a condition.
const CONDITIONS: [&str; 28] = [
    "anybody",
    "bars",
    "begins",
    "bends-when",
    "cannon-lost",
    "change-when",
    "charge",
    "charges",
    "disorders-when",
    "flanked",
    "follows",
    "friends",
    "half",
    "holds",
    "leads",
    "lost",
    "narrow-when",
    "of",
    "rate-when",
    "stacks",
    "stops",
    "supports",
    "tires",
    "trails-when",
    "unless",
    "until",
    "when",
    "while",
];

/// Keys whose text is a formula, that is, a number.
const FORMULAS: [&str; 8] = ["add", "amount", "count", "crew", "lose", "pick", "target", "to-hit"];

/// Words that can replace each other.
const WORDS: [&[&str]; 16] = [
    &["base", "cap", "less", "divide", "dice"],
    &["front", "all"],
    &["first", "second"],
    &["draw", "fewer"],
    &["left", "centre", "right"],
    &["line", "shallow", "deep"],
    &["commands", "assists", "leads"],
    &["own", "foe"],
    &["own", "foe", "both"],
    &["charged", "threatened"],
    &["turns-in-zone", "pivots-in-zone", "forms-in-zone"],
    &["beaten", "held", "broken", "won"],
    &["return", "rejoin", "stay"],
    &["middle", "corner"],
    &["half", "end"],
    &["successes", "total"],
];

/// A possible change to a text, if its key determines its meaning.
pub(super) fn changed(document: &Document, path: &Path, text: &str) -> Option<Change> {
    let key = path.segments().iter().rev().find(|part| part.parse::<usize>().is_err())?.as_str();
    if let Some(dice) = other_dice(text) {
        return Some(Change::Dice(dice));
    }
    let is_word = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if let Some(word) = other_word(document, path, key, text) {
        return Some(Change::Word(word));
    }
    match () {
        // `half = "first"` is not a condition, but `when = "true"` is.
        () if CONDITIONS.contains(&key) && (!is_word || text == "true") => {
            Some(Change::Condition(format!("!({text})")))
        }
        () if FORMULAS.contains(&key) => Some(Change::Formula(format!("({text}) + 1"))),
        () => None,
    }
}

/// A text that replaces another.
pub(super) enum Change {
    Condition(String),
    Formula(String),
    Dice(String),
    Word(String),
}

/// `2d6` becomes `3d6`, `d6` becomes `d8`, `2battle` becomes `3battle`.
fn other_dice(text: &str) -> Option<String> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, die) = text.split_at(digits);
    let sides = die.strip_prefix('d').and_then(|sides| sides.parse::<u32>().ok());
    match (number.parse::<u32>(), sides) {
        (Ok(number), _) if !die.is_empty() => Some(format!("{}{die}", number + 1)),
        (Err(_), Some(sides)) => Some(format!("d{}", sides + 2)),
        _ => None,
    }
}

/// Another word of the same kind: from the list above, or from the pack's own words for it.
fn other_word(document: &Document, path: &Path, key: &str, text: &str) -> Option<String> {
    let parent = path.segments().iter().rev().nth(1).map(String::as_str);
    let words = match (parent, key) {
        (_, "morale" | "rally" | "disorders" | "state") => names(document, &["morale", "state"]),
        (Some("undoes"), _) | (_, "formation" | "moves-as") => names(document, &["formation"]),
        (_, "arm") => names(document, &["arms"]),
        (_, "target") => names(document, &["targets"]),
        (Some("is"), _) => names(document, &["attribute", key, "words"]),
        (_, "is") => path.segments().get(1).map(|name| names(document, &["attribute", name, "words"]))?,
        _ => Vec::new(),
    };
    if let Some(word) = after(&words, text) {
        return Some(word);
    }
    let group = WORDS.iter().find(|words| words.contains(&text))?;
    after(&group.iter().map(|&word| word.to_owned()).collect::<Vec<_>>(), text)
}

/// A word to replace the only word of a list: the pack's next arm, unit type or die face.
pub(super) fn other_than_the_only(document: &Document, key: &str, text: &str) -> Option<String> {
    let kinds: Vec<Vec<String>> = match key {
        "arms" | "clear-arms" => vec![names(document, &["arms"])],
        "units" => vec![names(document, &["unit"])],
        "faces" | "success" | "symbols" => {
            names(document, &["die"]).iter().map(|die| names(document, &["die", die, "faces"])).collect()
        }
        _ => Vec::new(),
    };
    kinds.iter().find_map(|words| after(words, text))
}

/// The word that follows this one in the list; the first follows the last.
fn after(words: &[String], text: &str) -> Option<String> {
    let place = words.iter().position(|word| word == text)?;
    (words.len() > 1).then(|| words[(place + 1) % words.len()].clone())
}

/// The names at a path: the keys of a table, the names of rows, or the words of a list.
fn names(document: &Document, path: &[&str]) -> Vec<String> {
    let mut place = Path::root();
    path.iter().for_each(|part| place.push(*part));
    match document.get(&place).map(|node| &node.value) {
        Some(Value::Table(table)) => table.names().map(str::to_owned).collect(),
        Some(Value::Array(rows)) => {
            rows.iter().filter_map(|row| row.id().or_else(|| Node::as_text(row))).map(str::to_owned).collect()
        }
        _ => Vec::new(),
    }
}
