//! Completion for editors: the words that may be written at a position in a text, and the meaning of the word there,
//! even while the text is not yet valid TOML.

use schemars::Schema;
use serde_json::Value as Json;

use super::document::{Value, write_key};
use super::schema::{Additional, View};
use super::span::floor;

/// Maximum number of words that are offered.
const OFFERS_MAX: usize = 60;

/// Information on a position in a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assist {
    /// The keys that lead to the word there, including the word itself, joined by dots.
    pub path: String,
    /// What it means, in the schema's own sentences; more than one if several kinds of table are allowed there.
    pub about: Vec<String>,
    /// Start of the word that an offer replaces, in bytes.
    pub start: usize,
    /// End of that word.
    pub end: usize,
    /// Words that may replace it.
    pub offers: Vec<Offer>,
}

/// A word that may be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The word, with the quotes it needs.
    pub word: String,
    /// The kind of value required, for a key: `a whole number`.
    pub kind: String,
    /// What it means; empty if the schema does not say.
    pub about: String,
}

/// The words that may be written at `offset` of a text of this schema.
#[must_use]
pub fn assist(text: &str, offset: usize, schema: &Schema) -> Assist {
    let offset = floor(text, offset);
    let Some(place) = Scanner::new(text, offset).place() else { return Assist::default() };
    let values = reached(schema, &place.steps);
    let typed = &text[place.start..offset];
    let fits = |word: &str| word.to_lowercase().contains(&typed.to_lowercase());
    let mut found = Assist { start: place.start, end: place.end, ..Assist::default() };
    let mut names: Vec<&str> = place.steps.iter().filter_map(Step::name).collect();
    let word = &text[place.start..place.end];
    match place.what {
        What::Key => {
            names.push(word);
            for table in values.iter().flat_map(tables) {
                let own = step(&table, &Step::Name(word.to_owned()));
                own.iter().filter_map(View::sentences).for_each(|about| add(&mut found.about, about));
                for name in table.names().into_iter().filter(|name| fits(name)) {
                    let Some(own) = table.property(name) else { continue };
                    let offer =
                        Offer { word: key(name), kind: own.describe(), about: own.sentences().unwrap_or_default() };
                    offer_once(&mut found.offers, offer);
                }
            }
        }
        What::Value { quoted } => {
            for value in &values {
                value.sentences().into_iter().for_each(|about| add(&mut found.about, about));
                let words = value.worded().into_iter().map(|(word, about)| (word, about, !quoted));
                let flags: &[&str] =
                    if !quoted && value.accepts(&Value::Bool(true)) { &["true", "false"] } else { &[] };
                let flags = flags.iter().map(|flag| ((*flag).to_owned(), String::new(), false));
                for (word, about, quotes) in words.chain(flags).filter(|(word, ..)| fits(word)) {
                    let word = if quotes { Value::Text(word).to_string() } else { word };
                    offer_once(&mut found.offers, Offer { word, kind: String::new(), about });
                }
            }
        }
    }
    found.path = names.into_iter().filter(|name| !name.is_empty()).collect::<Vec<_>>().join(".");
    // Words that begin with the typed text come first.
    found.offers.sort_by_key(|offer| !offer.word.trim_start_matches('"').starts_with(typed));
    found.offers.truncate(OFFERS_MAX);
    found
}

fn add(list: &mut Vec<String>, text: String) {
    if !list.contains(&text) {
        list.push(text);
    }
}

fn offer_once(offers: &mut Vec<Offer>, offer: Offer) {
    if offers.iter().all(|known| known.word != offer.word) {
        offers.push(offer);
    }
}

/// A key as it is written.
fn key(name: &str) -> String {
    struct Key<'n>(&'n str);
    impl std::fmt::Display for Key<'_> {
        fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write_key(self.0, formatter)
        }
    }
    Key(name).to_string()
}

/// Everything that is allowed at the end of these steps, whatever choices are made on the way there.
fn reached<'s>(schema: &'s Schema, steps: &[Step]) -> Vec<View<'s>> {
    let mut views = vec![View::root(schema)];
    for next in steps {
        views = views.iter().flat_map(decided).filter_map(|view| step(&view, next)).collect();
    }
    views
}

fn step<'s>(view: &View<'s>, next: &Step) -> Option<View<'s>> {
    let Step::Name(name) = next else { return view.item(0) };
    let named = view.property(name).or_else(|| match view.additional(name) {
        Additional::Each(part) => Some(view.part(part)),
        Additional::Closed | Additional::Open => None,
    });
    // A name after that of an array of tables belongs to the array's last row.
    named.or_else(|| decided(&view.item(0)?).iter().find_map(|row| row.property(name)))
}

/// The tables that a value may be, or the rows of a list: keys below `[[units]]` are those of a row.
fn tables<'s>(view: &View<'s>) -> Vec<View<'s>> {
    let rows = |view: View<'s>| match view.item(0) {
        Some(row) => decided(&row),
        None => vec![view],
    };
    decided(view).into_iter().flat_map(rows).collect()
}

/// The view with its choices made, in every possible way.
fn decided<'s>(view: &View<'s>) -> Vec<View<'s>> {
    match view.choices().first() {
        None => vec![view.clone()],
        Some(choice) => choice.iter().flat_map(|alternative| decided(&view.choosing(0, alternative))).collect(),
    }
}

impl View<'_> {
    /// Everything that the schema says about it, if anything.
    fn sentences(&self) -> Option<String> {
        self.all("description").next().and_then(Json::as_str).map(|text| text.replace('\n', " "))
    }

    /// The words allowed here, each with its meaning.
    fn worded(&self) -> Vec<(String, String)> {
        if let Some(word) = self.all("const").next().and_then(Json::as_str) {
            return vec![(word.to_owned(), self.sentences().unwrap_or_default())];
        }
        let listed = self.all("enum").next().and_then(Json::as_array);
        match listed {
            Some(words) => words.iter().filter_map(|word| Some((word.as_str()?.to_owned(), String::new()))).collect(),
            None => self.choices().iter().flatten().flat_map(View::worded).collect(),
        }
    }
}

/// One step from a value to a value in it.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Name(String),
    Row,
}

impl Step {
    fn name(&self) -> Option<&str> {
        match self {
            Self::Name(name) => Some(name),
            Self::Row => None,
        }
    }
}

/// The kind of thing written at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// A key of a table.
    Key,
    /// The value itself, perhaps between existing quotes.
    Value { quoted: bool },
}

/// A position, and the word there.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    steps: Vec<Step>,
    what: What,
    start: usize,
    end: usize,
}

/// A table or a list that is open.
#[derive(Clone, Debug, Default)]
struct Frame {
    is_list: bool,
    /// The key that is being written, part by part.
    key: Vec<String>,
    /// Whether its `=` has been read.
    in_value: bool,
}

impl Frame {
    fn steps(&self) -> Vec<Step> {
        if self.is_list { vec![Step::Row] } else { self.key.iter().cloned().map(Step::Name).collect() }
    }
}

/// Reads a text up to an offset, tolerating any errors in it.
struct Scanner<'t> {
    text: &'t str,
    at: usize,
    until: usize,
    header: Vec<String>,
    frames: Vec<Frame>,
}

impl<'t> Scanner<'t> {
    fn new(text: &'t str, until: usize) -> Self {
        Self { text, at: 0, until, header: Vec::new(), frames: vec![Frame::default()] }
    }

    /// The incomplete word or value at the offset; `None` within a comment.
    fn place(mut self) -> Option<Place> {
        loop {
            if self.at >= self.until {
                return Some(self.word(self.until, self.word_end(self.until)));
            }
            let next = self.text[self.at..].chars().next()?;
            let in_value = self.frame().in_value || self.frame().is_list;
            match next {
                '\n' if self.frames.len() == 1 => {
                    self.frames = vec![Frame::default()];
                    self.at += 1;
                }
                '#' => {
                    let end = self.line_end();
                    if end >= self.until {
                        return None;
                    }
                    self.at = end;
                }
                '[' if self.frames.len() == 1 && !in_value => {
                    if let Some(place) = self.read_header() {
                        return Some(place);
                    }
                }
                '"' | '\'' => {
                    let (start, end, after) = self.quoted(next);
                    if self.until <= end {
                        return Some(self.word(start, end));
                    }
                    if !in_value {
                        let name = self.text[start..end].to_owned();
                        self.frame_mut().key.push(name);
                    }
                    self.at = after;
                }
                '=' if !in_value => {
                    self.frame_mut().in_value = true;
                    self.at += 1;
                }
                '{' | '[' if in_value => {
                    self.frames.push(Frame { is_list: next == '[', ..Frame::default() });
                    self.at += 1;
                }
                '}' | ']' => {
                    if self.frames.len() > 1 {
                        self.frames.pop();
                    }
                    self.at += 1;
                }
                ',' => {
                    if !self.frame().is_list {
                        *self.frame_mut() = Frame::default();
                    }
                    self.at += 1;
                }
                letter if is_word(letter) || (in_value && !letter.is_whitespace()) => {
                    let start = self.at;
                    let end = self.word_end(start);
                    let end = if end == start { start + letter.len_utf8() } else { end };
                    if self.until <= end {
                        return Some(self.word(start, end));
                    }
                    if !in_value {
                        let name = self.text[start..end].to_owned();
                        self.frame_mut().key.push(name);
                    }
                    self.at = end;
                }
                other => self.at += other.len_utf8(),
            }
        }
    }

    fn frame(&self) -> &Frame {
        &self.frames[self.frames.len() - 1]
    }

    fn frame_mut(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    /// The position of the word in this range.
    fn word(&self, start: usize, end: usize) -> Place {
        // Between the quotes that open a multi-line string, its text has not begun yet.
        let start = start.min(self.until);
        let mut steps: Vec<Step> = self.header.iter().cloned().map(Step::Name).collect();
        steps.extend(self.frames.iter().flat_map(Frame::steps));
        let frame = self.frame();
        let what = if frame.in_value || frame.is_list {
            let quoted = self.text[..start].ends_with(['"', '\'']) && start <= self.until;
            What::Value { quoted }
        } else {
            What::Key
        };
        Place { steps, what, start, end }
    }

    fn line_end(&self) -> usize {
        self.text[self.at..].find('\n').map_or(self.text.len(), |length| self.at + length)
    }

    fn word_end(&self, start: usize) -> usize {
        let length = self.text[start..].find(|letter| !is_word(letter));
        length.map_or(self.text.len(), |length| start + length)
    }

    /// The string that begins here: the start and end of its content, and the position after its closing quotes.
    fn quoted(&self, quote: char) -> (usize, usize, usize) {
        let rest = &self.text[self.at..];
        let triple = if quote == '"' { "\"\"\"" } else { "'''" };
        if rest.starts_with(triple) {
            let start = self.at + triple.len();
            let end = self.text[start..].find(triple).map_or(self.text.len(), |length| start + length);
            return (start, end, (end + triple.len()).min(self.text.len()));
        }
        let start = self.at + 1;
        let mut escaped = false;
        for (place, letter) in self.text[start..].char_indices() {
            let place = start + place;
            match letter {
                // An unclosed quote ends with its line.
                '\n' => return (start, place, place),
                _ if escaped => escaped = false,
                '\\' if quote == '"' => escaped = true,
                _ if letter == quote => return (start, place, place + 1),
                _ => {}
            }
        }
        (start, self.text.len(), self.text.len())
    }

    /// Reads `[a.b]` or `[[a.b]]`, and returns the position if the offset is within it.
    fn read_header(&mut self) -> Option<Place> {
        let end = self.line_end();
        self.header = Vec::new();
        self.frames = vec![Frame::default()];
        while self.at < end {
            let letter = self.text[self.at..].chars().next()?;
            if self.at >= self.until {
                return Some(self.word(self.until, self.word_end(self.until)));
            }
            match letter {
                '#' => return None,
                '"' | '\'' => {
                    let (start, stop, after) = self.quoted(letter);
                    if self.until <= stop {
                        return Some(self.word(start, stop));
                    }
                    self.header.push(self.text[start..stop].to_owned());
                    self.at = after;
                }
                _ if is_word(letter) => {
                    let stop = self.word_end(self.at);
                    if self.until <= stop {
                        return Some(self.word(self.at, stop));
                    }
                    self.header.push(self.text[self.at..stop].to_owned());
                    self.at = stop;
                }
                other => self.at += other.len_utf8(),
            }
        }
        None
    }
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '-' || letter == '_'
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use schemars::{JsonSchema, schema_for};

    use super::*;

    #[derive(JsonSchema)]
    #[schemars(deny_unknown_fields)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Wire {
        /// Its name.
        pack: String,
        /// Rolls by name.
        roll: BTreeMap<String, Roll>,
        units: Vec<Unit>,
    }

    #[derive(JsonSchema)]
    #[schemars(tag = "mechanic", rename_all = "kebab-case")]
    #[expect(dead_code, reason = "only its schema is used")]
    enum Roll {
        /// Many dice.
        Pool {
            /// The number of dice.
            dice: u8,
            modifier: Vec<Row>,
        },
        /// One die.
        Target { need: u8 },
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Row {
        id: String,
        /// What it adds; may be negative.
        add: i8,
        /// Whether it applies.
        on: bool,
    }

    #[derive(JsonSchema)]
    #[schemars(rename_all = "kebab-case")]
    #[expect(dead_code, reason = "only its schema is used")]
    enum Facing {
        /// Towards the enemy.
        Enemy,
        Away,
    }

    #[derive(JsonSchema)]
    #[schemars(rename_all = "kebab-case")]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Unit {
        /// The direction it faces.
        facing: Facing,
        full_strength: u8,
    }

    /// The information at the `|` in the text.
    fn at(text: &str) -> Assist {
        let offset = text.find('|').expect("a place");
        assist(&text.replacen('|', "", 1), offset, &schema_for!(Wire))
    }

    fn words(text: &str) -> Vec<String> {
        at(text).offers.into_iter().map(|offer| offer.word).collect()
    }

    #[test]
    fn keys_are_offered_where_keys_may_stand() {
        assert_eq!(words("|"), ["pack", "roll", "units"]);
        assert_eq!(words("pack = 'x'\n|"), ["pack", "roll", "units"]);
        assert_eq!(words("pa|"), ["pack"]);
        assert_eq!(words("[ro|"), ["roll"]);
        assert_eq!(words("[roll.shock]\ndi|"), ["dice", "modifier"], "keys with this beginning come first");
        assert_eq!(words("[roll.shock]\nmodifier = [{ id = 'x', a|"), ["add"]);
        assert_eq!(words("[[roll.shock.modifier]]\nid = \"x\"\n|\nadd = 1"), ["id", "add", "on"]);
        assert_eq!(words("roll.shock.mod|ifier = []"), ["modifier"], "with the text after the cursor replaced");
        assert_eq!(words("[[units]]\nfu|"), ["full-strength"]);
        assert_eq!(words("units = [\n  { facing = 'enemy' },\n  { fa| },\n]\n"), ["facing"]);
        assert_eq!(words("[roll.|"), Vec::<String>::new(), "user-defined names are not offered");
        assert_eq!(words("pack = 'x' # |"), Vec::<String>::new());
    }

    #[test]
    fn words_are_offered_where_only_words_may_stand() {
        assert_eq!(words("[[units]]\nfacing = |"), ["\"away\"", "\"enemy\""]);
        assert_eq!(words("[[units]]\nfacing = \"e|\""), ["enemy"]);
        assert_eq!(words("[[units]]\nfacing = 'a|"), ["away"]);
        assert_eq!(words("[roll.fire]\nmechanic = |"), ["\"pool\"", "\"target\""]);
        assert_eq!(words("[[roll.fire.modifier]]\non = |"), ["true", "false"]);
        assert_eq!(words("pack = |"), Vec::<String>::new());
    }

    #[test]
    fn an_offer_replaces_the_word_at_the_place() {
        let found = at("[roll.shock]\nmod|ifer = 1");
        assert_eq!((found.start, found.end), (13, 20), "from `m` to the blank");
        let found = at("[[units]]\nfacing = \"e|nmy\"");
        assert_eq!((found.start, found.end), (20, 24), "the text between the quotes");
    }

    #[test]
    fn a_word_is_told_what_it_means() {
        let found = at("[[roll.shock.modifier]]\nad|d = 7");
        assert_eq!(found.path, "roll.shock.modifier.add");
        assert_eq!(found.about, ["What it adds; may be negative."]);
        assert_eq!(at("[[roll.shock.modifier]]\nadd = 7|").about, found.about, "its value has the same meaning");
        assert_eq!(at("pa|ck = 'x'").about, ["Its name."]);
        assert_eq!(at("|pack = 'x'").path, "pack", "also before its first letter");
        assert_eq!(at("[[units]]\nfacing = 'e|'").offers[0].about, "Towards the enemy.");
        let facing = at("[[units]]\nfac|").offers.remove(0);
        assert_eq!((facing.kind.as_str(), facing.about.as_str()), ("`away` or `enemy`", "The direction it faces."));
    }

    /// Every position in any text gets an answer.
    #[test]
    fn no_text_is_too_broken() {
        let text = "[[[a.\"b\n'''x\n= { , } ] \"\\\n[roll.ß]\nadd == [ { [ , # ü\n'";
        for offset in 0..=text.len() + 1 {
            let found = assist(text, offset, &schema_for!(Wire));
            assert!(found.start <= found.end && text.get(found.start..found.end).is_some(), "{offset}: {found:?}");
        }
    }
}
