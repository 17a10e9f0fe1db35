//! Small damage to valid texts, which reaches deeper into a program than random noise.

/// Scraps of TOML, JSON and expressions, and values that often break programs.
const SCRAPS: [&str; 44] = [
    "",
    " ",
    "\n",
    "\"",
    "'",
    "'''",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    "=",
    ",",
    ".",
    ":",
    "#",
    "-",
    "\\",
    "\0",
    "\u{feff}",
    "\u{202e}",
    "ß",
    "👩‍👧",
    "true",
    "inf",
    "nan",
    "null",
    "[[[[[[[[",
    "((((((((",
    "{a={a={a={a=",
    "!!!!!!!!",
    "-----",
    "a.a.a.a.a",
    "[[roll]]\n",
    "id = 'a'\n",
    "extends = 'risk'\n",
    "self.figures",
    "math.least(",
    " ? ",
    " && ",
    "dice",
    "1d1000000",
    "../../etc/passwd",
];

/// Numbers at and beyond the limits that programs expect.
const NUMBERS: [&str; 20] = [
    "0",
    "-1",
    "1",
    "2",
    "7",
    "40",
    "127",
    "128",
    "255",
    "256",
    "1000",
    "65535",
    "65536",
    "1000000",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "99999999999999999999",
    "1e308",
    "0.001",
];

/// One piece of damage: its kind, position and text; any numbers are valid.
pub(crate) type Damage = (u8, u32, u32);

/// Damages a text and returns the result. Some damage inserts lines from `others`.
pub(crate) fn mutated(text: &str, damage: &[Damage], others: &[String]) -> String {
    let mut text = text.to_owned();
    for &(what, place, which) in damage {
        let (place, which) = (place as usize, which as usize);
        match what % 8 {
            0..=2 => number(&mut text, place, NUMBERS[which % NUMBERS.len()]),
            3 => {
                let at = boundary(&text, place);
                text.insert_str(at, SCRAPS[which % SCRAPS.len()]);
            }
            4 => {
                let (from, to) = line(&text, place);
                text.replace_range(from..to, "");
            }
            5 => {
                let (from, to) = line(&text, place);
                let again = text[from..to].to_owned();
                text.insert_str(from, &again.repeat(1 + which % 3));
            }
            6 => {
                let from = boundary(&text, place);
                let to = boundary(&text[from..], which % 16) + from;
                text.replace_range(from..to, "");
            }
            _ => {
                let Some(other) = others.get(which % others.len().max(1)) else { continue };
                let (from, to) = line(other, which / others.len().max(1));
                let at = line(&text, place).0;
                text.insert_str(at, &other[from..to]);
            }
        }
    }
    text
}

/// A position between two characters.
fn boundary(text: &str, place: usize) -> usize {
    (0..=place % (text.len() + 1)).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// The start and end of the line that contains a position, including its line break.
fn line(text: &str, place: usize) -> (usize, usize) {
    let at = boundary(text, place);
    let from = text[..at].rfind('\n').map_or(0, |end| end + 1);
    (from, text[at..].find('\n').map_or(text.len(), |end| at + end + 1))
}

/// Replaces the next number with another.
fn number(text: &mut String, place: usize, number: &str) {
    let at = boundary(text, place);
    let Some(from) = text[at..].find(|letter: char| letter.is_ascii_digit()).map(|found| found + at) else { return };
    let to = text[from..].find(|letter: char| !letter.is_ascii_digit()).map_or(text.len(), |found| found + from);
    text.replace_range(from..to, number);
}

/// All files of a corpus with their names, sorted by name.
pub(crate) fn corpus(folder: &std::path::Path) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<(String, String)> = entries
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            (path.display().to_string(), String::from_utf8_lossy(&bytes).into_owned())
        })
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", folder.display());
    files
}
