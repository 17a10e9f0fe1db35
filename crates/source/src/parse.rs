//! Turns TOML into documents.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::{panic, thread};

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue, Error};

use super::diagnostic::{Diagnostic, Diagnostics};
use super::document::{Document, Key, Node, Table, Value};
use super::nearest::quoted;
use super::path::Path;
use super::span::{FileId, Sources, Span};

/// Maximum nesting of tables and arrays.
pub const DEPTH_MAX: usize = 32;

/// The parser bounds brackets and the dots of one key to 80 each, but not their product. It can return a tree 6,400
/// levels deep, and dropping that tree takes some 2 MiB of stack in unoptimised builds. The parser therefore runs on a
/// stack of its own.
const STACK: usize = 16 << 20;

/// The parser's message for a name that occurs twice.
const DUPLICATE_KEY: &str = "duplicate key";

/// Maximum size of a text for which all syntax errors are collected, in bytes. The parser keeps some 200 bytes for
/// each, and a larger text could consist of nothing but errors.
const ALL_ERRORS_MAX: usize = 128 << 10;

impl Document {
    /// Reads the text of a file that was added to the sources.
    ///
    /// # Errors
    ///
    /// All syntax errors (in a text larger than 128 KiB only the first); or else all dates, numbers that are not finite
    /// 64-bit numbers, values deeper than [`DEPTH_MAX`], and rows of one array with the same `id`.
    pub fn parse(file: FileId, sources: &Sources) -> Result<Self, Diagnostics> {
        let text = sources.text(file);
        let root = with_stack(|| {
            let (tree, errors) = if text.len() <= ALL_ERRORS_MAX {
                DeTable::parse_recoverable(text)
            } else {
                match DeTable::parse(text) {
                    Ok(tree) => (tree, Vec::new()),
                    Err(error) => (Spanned::new(0..0, DeTable::new()), vec![error]),
                }
            };
            syntax_faults(file, sources, &errors).into_result(())?;
            let mut reading = Reading { file, offset: 0, path: Path::root(), faults: Diagnostics::new() };
            let root = reading.table(tree.into_inner());
            reading.faults.into_result(root)
        })??;
        Ok(Self { root, span: Span::new(file, 0..0) })
    }
}

/// Reads `range` of a text as a value typed by hand: TOML, or else a bare word, which is text.
///
/// # Errors
///
/// A value that begins with a bracket or a quote and is not TOML; and what [`Document::parse`] refuses.
pub(super) fn parse_argument(file: FileId, range: Range<usize>, sources: &Sources) -> Result<Node, Diagnostics> {
    let span = Span::new(file, range);
    let text = sources.slice(span);
    with_stack(|| {
        let mut reading = Reading { file, offset: span.start, path: Path::root(), faults: Diagnostics::new() };
        let node = match DeValue::parse(text) {
            Ok(tree) => reading.value(tree),
            Err(_) if !text.starts_with(['[', '{', '"', '\'']) => Node { value: Value::Text(text.to_owned()), span },
            Err(error) => {
                let at = error.span().map_or(span, |range| reading.span(range));
                return Err(syntax_fault(Some(at), error.message(), sources).into());
            }
        };
        reading.faults.into_result(node)
    })?
}

/// Runs `work` on a thread with enough stack. In a browser there are no threads, and the module's own stack has this
/// size.
fn with_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Diagnostics> {
    if cfg!(target_family = "wasm") {
        return Ok(work());
    }
    thread::scope(|scope| match thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work) {
        Ok(worker) => Ok(worker.join().unwrap_or_else(|panic| panic::resume_unwind(panic))),
        Err(error) => Err(Diagnostic::new(format!("no thread could be started to read it: {error}")).into()),
    })
}

/// The parser's errors, only the first of each line: the others usually follow from it. Names that are given twice are
/// not reported after a header that is given twice or wrong.
fn syntax_faults(file: FileId, sources: &Sources, errors: &[Error]) -> Diagnostics {
    let mut faults = Diagnostics::new();
    let mut lines = BTreeSet::new();
    let mut headers = None;
    let text = sources.text(file);
    let line = |span: Option<Span>| span.map(|span| sources.position(span).line);
    let spoilt = Spoilt::of(text, errors);
    for error in errors {
        let span = error.span().map(|range| Span::new(file, range));
        if span.is_some_and(|span| error.message() == DUPLICATE_KEY && spoilt.follows(span.start)) {
            continue;
        }
        if !lines.insert(line(span)) {
            continue;
        }
        if let Some(span) = span.filter(|_| error.message() == DUPLICATE_KEY) {
            let headers = headers.get_or_insert_with(|| Headers::of(file, text));
            if let Some(fault) = headers.single_brackets(span, sources) {
                if fault.span == Some(span) || lines.insert(line(fault.span)) {
                    faults.push(fault);
                }
                continue;
            }
            if let Some(first) = headers.first_of(span, text) {
                let named = quoted(sources.slice(span));
                let fault = Diagnostic::new(format!("{named} is given twice")).note("first given here", Some(first));
                faults.push(fault.at(span));
                continue;
            }
        }
        faults.push(syntax_fault(span, error.message(), sources));
    }
    faults
}

/// The parts of a text in which duplicate names are not reported, because a header above is wrong.
struct Spoilt {
    /// The end of the first header whose brackets do not match: what comes after it may be misread.
    after: Option<usize>,
    /// The tables whose headers are given twice, from the header's end to the next header.
    tables: Vec<Range<usize>>,
}

impl Spoilt {
    fn of(text: &str, errors: &[Error]) -> Self {
        let mut found = Self { after: None, tables: Vec::new() };
        let mut line = 0..0;
        for error in errors {
            // A line may hold thousands of errors, so it is examined only once.
            let Some(at) = error.span().map(|range| range.start).filter(|at| !line.contains(at)) else { continue };
            line = line_around(text, at);
            let end = line.end;
            if mended_header(&text[line.clone()], error.message()).is_some() {
                found.after = Some(found.after.map_or(end, |first| first.min(end)));
            } else if error.message() == DUPLICATE_KEY && header(&text[line.clone()]).is_some() {
                let mut next = end;
                for line in text[end..].split_inclusive('\n') {
                    if header(line).is_some() {
                        break;
                    }
                    next += line.len();
                }
                found.tables.push(end..next);
            }
        }
        found
    }

    /// Whether an error at this position follows from a header.
    fn follows(&self, place: usize) -> bool {
        self.after.is_some_and(|after| place >= after) || self.tables.iter().any(|table| table.contains(&place))
    }
}

/// The line of a text that contains a position, without its line ending.
fn line_around(text: &str, place: usize) -> Range<usize> {
    let is_end = |byte: &u8| *byte == b'\n';
    let (before, after) = text.as_bytes().split_at(place.min(text.len()));
    let start = before.iter().rposition(is_end).map_or(0, |at| at + 1);
    start..after.iter().position(is_end).map_or(text.len(), |at| before.len() + at)
}

/// The corrected form of a header whose brackets do not match; `None` for every other line and message.
fn mended_header(line: &str, message: &str) -> Option<String> {
    let unclosed = ["unclosed table", "unclosed array table", "unexpected key or value"];
    let messages = if line.trim_start().starts_with('[') { &unclosed[..] } else { &["key with no value"] };
    if !messages.iter().any(|begin| message.starts_with(begin)) {
        return None;
    }
    let line = line.split('#').next()?.trim();
    let name = line.trim_matches(['[', ']']);
    let of_name = |letter: char| letter.is_alphanumeric() || "-_.\"' ".contains(letter);
    let (opened, closed) =
        (line.len() - line.trim_start_matches('[').len(), line.len() - line.trim_end_matches(']').len());
    if opened == closed || opened.max(closed) > 2 || name.trim().is_empty() || !name.chars().all(of_name) {
        return None;
    }
    let [table, row] = [format!("[{name}]"), format!("[[{name}]]")];
    Some(match opened.max(closed) {
        1 => table,
        _ if closed == 0 => row,
        _ => format!("{row}` for a row of a list, or `{table}"),
    })
}

/// The first `[name]` and the first `[[name]]` of each name in a text.
struct Headers<'t>(BTreeMap<&'t str, [Option<Span>; 2]>);

impl<'t> Headers<'t> {
    fn of(file: FileId, text: &'t str) -> Self {
        let mut first: BTreeMap<&str, [Option<Span>; 2]> = BTreeMap::new();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            if let Some((name, is_row)) = header(line) {
                let at = start + (line.len() - line.trim_start().len());
                first.entry(name).or_default()[usize::from(is_row)]
                    .get_or_insert(Span::new(file, at..start + line.trim_end().len()));
            }
            start += line.len();
        }
        Self(first)
    }

    /// The fault for a name that is given twice because one `[[name]]` lacks a pair of brackets. The parser reports
    /// every row that follows.
    fn single_brackets(&self, span: Span, sources: &Sources) -> Option<Diagnostic> {
        let text = sources.text(span.file);
        let (name, is_row) = header(&text[line_around(text, span.start)])?;
        let &[Some(single), Some(row)] = self.0.get(name)? else { return None };
        let row_text = format!("[[{name}]]");
        let fault = Diagnostic::new(format!("{} is a list elsewhere in this file", quoted(name)));
        let fault = fault.help(format!("write {}", quoted(&row_text))).note("one of its rows begins here", Some(row));
        Some(fault.at(if is_row { single } else { span }))
    }

    /// The first header of the table whose header is given again here.
    fn first_of(&self, again: Span, text: &str) -> Option<Span> {
        let (name, _) = header(&text[line_around(text, again.start)])?;
        self.0.get(name)?[0].filter(|first| first.start < again.start)
    }
}

/// The name in a header, and whether it is that of a row of a list, which has two pairs of brackets.
fn header(line: &str) -> Option<(&str, bool)> {
    let inner = line.split('#').next()?.trim().strip_prefix('[')?.strip_suffix(']')?;
    let row = inner.strip_prefix('[').and_then(|inner| inner.strip_suffix(']'));
    Some((row.unwrap_or(inner).trim(), row.is_some()))
}

/// One error of the parser, reworded if it is not plain.
fn syntax_fault(span: Option<Span>, message: &str, sources: &Sources) -> Diagnostic {
    let named = span.map_or("", |span| sources.slice(span)).trim();
    let message = message.strip_suffix(", expected nothing").unwrap_or(message);
    // The parser takes a word that begins like `true`, `false`, `inf` or `nan` for a misspelling of it.
    let misread =
        ["boolean, expected `true`", "boolean, expected `false`", "float, expected `inf`", "float, expected `nan`"];
    let is_misread = message.strip_prefix("invalid ").is_some_and(|rest| misread.contains(&rest));
    let fault = if let Some(fault) = span.and_then(|span| slip_of_line(span, message, sources)) {
        fault
    } else if message.starts_with("string values must be quoted") || is_misread {
        not_a_value(named)
    } else if let Some(span) = span.filter(|_| message.starts_with("unexpected key or value"))
        && let Some(number) = number_with_commas(span, sources)
    {
        not_a_value(sources.slice(number)).at(number)
    } else if let Some(span) = span.filter(|_| message.starts_with("unexpected key or value"))
        && let Some(fault) = after_a_value(span, sources)
    {
        fault
    } else if message.starts_with("missing comma between array elements") {
        Diagnostic::new("not TOML: there is no comma before this").help("or is a `]` missing?")
    } else if message.starts_with("missing comma between key-value pairs") {
        Diagnostic::new("not TOML: there is no comma before this").help("or is a `}` missing?")
    } else if let Some(span) = span.filter(|_| message.starts_with("extra assignment between key-value pairs")) {
        let fault = Diagnostic::new("not TOML: there is no comma before this").help("or is a `}` missing?");
        fault.at(key_before(span, sources))
    } else if message.starts_with("cannot extend value of type") {
        Diagnostic::new(format!("{} already has a value, to which no keys can be added", quoted(named)))
    } else {
        match message {
            DUPLICATE_KEY => Diagnostic::new(format!("{} is given twice", quoted(named))),
            "recursion limit" | "cannot recurse further; max recursion depth met" => too_deep(),
            _ => Diagnostic::new(format!("not TOML: {message}")),
        }
    };
    Diagnostic { span: fault.span.or(span), ..fault }
}

/// The characters into which a word processor turns `"` and `'`.
const CURLY: [char; 7] = ['“', '”', '„', '‘', '’', '«', '»'];

/// The fault for a line that must be read as a whole to see what is wrong: the brackets of a header, or a quote.
fn slip_of_line(span: Span, message: &str, sources: &Sources) -> Option<Diagnostic> {
    let text = sources.text(span.file);
    let around = line_around(text, span.start);
    let line = &text[around.clone()];
    if let Some(mended) = mended_header(line, message) {
        let header = line.split('#').next().unwrap_or_default().trim();
        let start = around.start + (line.len() - line.trim_start().len());
        let fault = Diagnostic::new(format!("not TOML: the brackets of {} do not match", quoted(header)));
        return Some(fault.at(Span::new(span.file, start..start + header.len())).help(format!("write `{mended}`")));
    }
    let rest = line.get(span.start.saturating_sub(around.start)..)?;
    let closes = ["invalid basic string", "invalid literal string"].iter().any(|begin| message.starts_with(begin));
    if rest.starts_with(CURLY) || (closes && line.trim_end().ends_with(CURLY)) {
        let word = if rest.starts_with(CURLY) { rest } else { line }.trim_end();
        let fault = Diagnostic::new("not TOML: curly quotes cannot delimit a string");
        return Some(fault.help(match straightened(word) {
            Some(straight) => format!("use straight quotes: `{straight}`"),
            None => "use straight quotes, `\"`".to_owned(),
        }));
    }
    let quote = message.rsplit_once("expected `")?.1.strip_suffix('`')?;
    closes.then(|| Diagnostic::new("not TOML: this string has no closing quote").help(format!("end it with {quote}")))
}

/// A whole string in curly quotes, rewritten with straight ones, if it is short.
fn straightened(word: &str) -> Option<String> {
    let inner = word.strip_prefix(CURLY)?.strip_suffix(CURLY)?;
    let plain = inner.len() <= SHOWN_MAX && !inner.contains(CURLY) && !inner.contains(['"', '\\']);
    plain.then(|| format!("\"{inner}\""))
}

/// Maximum length of a string that a help text repeats with a correction, in bytes.
const SHOWN_MAX: usize = 60;

/// The fault for text that follows a value on its line.
fn after_a_value(span: Span, sources: &Sources) -> Option<Diagnostic> {
    let text = sources.text(span.file);
    let around = line_around(text, span.start);
    let (before, rest) = text[around.clone()].split_at_checked(span.start.checked_sub(around.start)?)?;
    let rest = if rest.contains(['"', '\'']) { rest } else { rest.split('#').next().unwrap_or(rest) }.trim_end();
    let (_, begun) = before.split_once('=')?;
    let begun = begun.trim_start();
    let whole = format!("{begun}{rest}");
    let told = Diagnostic::new("not TOML: the value ends before this");
    if rest == "," || rest == ";" {
        return Some(told.help(format!("remove the `{rest}`")));
    }
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if let Some((units, decimals)) = whole.split_once(',').filter(|(units, decimals)| digits(units) && digits(decimals))
    {
        return Some(told.help(format!("write `{units}.{decimals}`, or `[{units}, {decimals}]` for a list")));
    }
    let short = |mended: String| if mended.len() <= SHOWN_MAX { format!(": `{mended}`") } else { String::new() };
    if rest.starts_with(',') {
        return Some(told.help(format!("put square brackets round a list{}", short(format!("[{whole}]")))));
    }
    // A quote inside a string that is delimited by the same quotes ends the string, and the next word follows at once.
    let quote = begun.chars().next().filter(|quote| ['"', '\''].contains(quote))?;
    let inner = whole.strip_prefix(quote)?.strip_suffix(quote)?;
    if rest.starts_with(char::is_whitespace) || inner.is_empty() || inner.contains('\\') {
        return None;
    }
    let mended = format!("\"{}\"", inner.replace('"', "'"));
    Some(told.help(format!("use single quotes within a string{}", short(mended))))
}

/// The key that ends before this position.
fn key_before(place: Span, sources: &Sources) -> Span {
    let text = sources.text(place.file)[..place.start].trim_end();
    let of_key = |letter: char| letter.is_alphanumeric() || "-_.\"'".contains(letter);
    Span::new(place.file, text.trim_end_matches(of_key).len()..text.len())
}

/// The fault for a word after `=` that is not TOML.
fn not_a_value(word: &str) -> Diagnostic {
    if word.is_empty() {
        return Diagnostic::new("not TOML: there is no value after `=`");
    }
    let help = if let Some(number) = ungrouped(word) {
        format!("write {number}")
    } else if word.ends_with([';', ',']) {
        format!("remove the `{}`", &word[word.len() - 1..])
    } else if let Some(help) = or_more(word) {
        help
    } else if let Some(flag) = flag(word) {
        format!("write `{flag}`")
    } else if let Some(number) = measured(word) {
        format!("write the number alone: `{number}`")
    } else {
        "put quotes around it if it is meant as text".to_owned()
    };
    Diagnostic::new(format!("not TOML: {} is not a value", quoted(word))).help(help)
}

/// The number in `10 inches`; `None` for other words.
fn measured(word: &str) -> Option<&str> {
    let (number, unit) = word.split_once(' ')?;
    let known = ["inch", "inches", "figures", "turns", "battles", "points", "degrees"].contains(&unit);
    (known && number.parse::<f64>().is_ok()).then_some(number)
}

/// The truth value that a word stands for.
fn flag(word: &str) -> Option<&'static str> {
    let is_one_of = |words: [&str; 3]| words.iter().any(|known| word.eq_ignore_ascii_case(known));
    if is_one_of(["true", "yes", "on"]) { Some("true") } else { is_one_of(["false", "no", "off"]).then_some("false") }
}

/// What to write instead of a wargamer's `4+`; `None` for any other word.
#[must_use]
pub fn or_more(word: &str) -> Option<String> {
    let digits = word.strip_suffix('+')?.trim_end();
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| format!("write {digits}, which already means that number or more"))
}

/// The fault for a whole number written with commas. The parser refuses the first comma.
fn number_with_commas(comma: Span, sources: &Sources) -> Option<Span> {
    let text = sources.text(comma.file);
    let part = |letter: char| letter.is_ascii_digit() || letter == ',';
    let start = text[..comma.start].trim_end_matches(part).len();
    let end = text.len() - text[comma.start..].trim_start_matches(part).len();
    ungrouped(&text[start..end]).map(|_| Span::new(comma.file, start..end))
}

/// A whole number whose thousands are separated by spaces, commas or apostrophes, as TOML writes it: `10_000` for `10
/// 000`.
pub(super) fn ungrouped(text: &str) -> Option<String> {
    let (first, rest) = text.split_once([' ', ',', '\''])?;
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let leads = (1..=3).contains(&first.len()) && digits(first) && !first.starts_with('0');
    let mut groups = rest.split([' ', ',', '\'']);
    let is_number = leads && groups.all(|group| group.len() == 3 && digits(group));
    is_number.then(|| text.replace([' ', ',', '\''], "_"))
}

fn too_deep() -> Diagnostic {
    Diagnostic::new(format!("tables and lists are nested more than {DEPTH_MAX} deep"))
}

struct Reading {
    file: FileId,
    /// The offset in the file of the text that is read.
    offset: usize,
    path: Path,
    faults: Diagnostics,
}

impl Reading {
    fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.file, self.offset + range.start..self.offset + range.end)
    }

    fn table(&mut self, tree: DeTable<'_>) -> Table {
        let mut table = Table::new();
        for (name, value) in tree {
            let span = self.span(name.span());
            let name = name.into_inner().into_owned();
            self.path.push(&name);
            let node = self.value(value);
            self.path.pop();
            table.insert(Key { name, span }, node);
        }
        table
    }

    fn value(&mut self, value: Spanned<DeValue<'_>>) -> Node {
        let span = self.span(value.span());
        let value = match value.into_inner() {
            DeValue::String(text) => Value::Text(text.into_owned()),
            DeValue::Boolean(value) => Value::Bool(value),
            DeValue::Integer(digits) => match i64::from_str_radix(digits.as_str(), digits.radix()) {
                Ok(value) => Value::Int(value),
                Err(_) => self.refuse(span, format!("the whole number {} is too large", quoted(&digits.to_string()))),
            },
            DeValue::Float(digits) => match digits.as_str().parse::<f64>() {
                Ok(value) if value.is_finite() => Value::Float(value),
                _ => self.refuse(span, format!("{} is not a finite number", quoted(digits.as_str()))),
            },
            DeValue::Datetime(date) => {
                let fault =
                    Diagnostic::new(format!("{} is a date, but dates are not supported", quoted(&date.to_string())));
                self.faults.push(fault.at(span).path(&self.path).help("put quotes around it to make it text"));
                Value::Bool(false)
            }
            DeValue::Array(_) | DeValue::Table(_) if self.path.len() > DEPTH_MAX => {
                self.faults.push(too_deep().at(span));
                Value::Bool(false)
            }
            DeValue::Array(items) => Value::Array(self.array(items)),
            DeValue::Table(table) => Value::Table(self.table(table)),
        };
        Node { value, span }
    }

    fn array(&mut self, items: DeArray<'_>) -> Vec<Node> {
        let mut nodes = Vec::with_capacity(items.len());
        for (at, item) in items.into_iter().enumerate() {
            self.path.push(at.to_string());
            nodes.push(self.value(item));
            self.path.pop();
        }
        self.unique_ids(&nodes);
        nodes
    }

    fn unique_ids(&mut self, rows: &[Node]) {
        let mut first: BTreeMap<&str, Span> = BTreeMap::new();
        for row in rows {
            let Some(node) = row.as_table().and_then(|table| table.get("id")) else { continue };
            let Some(id) = node.as_text() else { continue };
            if let Some(&span) = first.get(id) {
                let fault = Diagnostic::new(format!("the id {} is given twice", quoted(id))).at(node.span);
                self.faults.push(fault.path(&self.path).note("first given here", Some(span)));
            } else {
                first.insert(id, node.span);
            }
        }
    }

    /// Records an invalid value; its placeholder is never seen.
    fn refuse(&mut self, span: Span, message: String) -> Value {
        self.faults.push(Diagnostic::new(message).at(span).path(&self.path));
        Value::Bool(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Document, String> {
        let mut sources = Sources::new();
        let file = sources.add("a.toml", text);
        Document::parse(file, &sources).map_err(|faults| faults.render(&sources, false))
    }

    fn fault(text: &str) -> String {
        parse(text).expect_err("this is faulty")
    }

    #[test]
    fn order_and_places_are_kept() {
        let text = "zulu = 1\n[mike]\nx.y = 'z'\n[[row]]\nid = 'a'\n[[row]]\nid = 'b'\n[alpha]\nlist = [1.5, true]\n";
        let mut sources = Sources::new();
        let file = sources.add("a.toml", text);
        let document = Document::parse(file, &sources).expect("good TOML");
        assert_eq!(document.root.names().collect::<Vec<_>>(), ["zulu", "mike", "row", "alpha"]);
        let slice = |path: &str| {
            let node = document.get(&Path::parse(path).expect("a path")).expect("it exists");
            sources.slice(node.span)
        };
        assert_eq!(slice("zulu"), "1");
        assert_eq!(slice("mike"), "[mike]");
        assert_eq!(slice("mike.x"), "x");
        assert_eq!(slice("mike.x.y"), "'z'");
        assert_eq!(slice("row.b"), "[[row]]");
        assert_eq!(slice("alpha.list"), "[1.5, true]");
        assert_eq!(slice("alpha.list.0"), "1.5");
        let (key, _) = document.root.entry("mike").expect("it exists");
        assert_eq!(sources.slice(key.span), "mike");
    }

    #[test]
    fn every_line_in_error_is_reported_once() {
        let shown = fault("a = \nb = 'x\nc = 1\nc = 2\nd = [1,, 2]\n= 4\n");
        assert_eq!(shown.matches("error:").count(), 5, "{shown}");
        assert!(shown.contains("`c` is given twice\n --> a.toml:4:1"), "{shown}");
        assert!(shown.contains("not TOML: "), "{shown}");
    }

    /// The code matches the wording of the parser's messages; this test detects changes in them.
    #[test]
    fn common_slips_are_told_in_plain_words() {
        for (text, told) in [
            ("a =", "there is no value after `=`\n --> a.toml:1:4"),
            ("a = line", "`line` is not a value\n --> a.toml:1:5"),
            ("a = foot", "`foot` is not a value\n --> a.toml:1:5"),
            ("a = [Thug]", "`Thug` is not a value\n --> a.toml:1:6"),
            ("a = infantry", "`infantry` is not a value\n --> a.toml:1:5"),
            ("a = night", "`night` is not a value\n --> a.toml:1:5"),
            ("a = [1\nb = 2", "there is no comma before this\n --> a.toml:2:1"),
            ("a = { b = 1\nc = 2", "there is no comma before this\n --> a.toml:2:1"),
            ("a = { b = 1 c-d = 2 }", "there is no comma before this\n --> a.toml:1:13"),
            ("a = 01", "unexpected leading zero\n --> a.toml:1:5"),
            ("a = 1\na.b = 2", "`a` already has a value, to which no keys can be added\n --> a.toml:2:1"),
            ("[a]\n[b]\n[a]", "`a` is given twice\n --> a.toml:3:2"),
            ("a = 'x", "this string has no closing quote\n --> a.toml:1:7"),
        ] {
            let shown = fault(text);
            assert!(shown.contains(told), "{shown}");
        }
    }

    #[test]
    fn what_is_not_a_value_comes_with_what_to_write() {
        let quotes = "put quotes around it if it is meant as text";
        for (text, help) in [
            ("a = foot", quotes),
            ("a = Thug", quotes),
            ("a = True", "write `true`"),
            ("a = FALSE", "write `false`"),
            ("a = yes", "write `true`"),
            ("a = off", "write `false`"),
            ("a = 10 inches", "write the number alone: `10`"),
            ("a = 1;", "remove the `;`"),
            ("a = 10 000", "write 10_000"),
            ("a = 10,000 # many", "write 10_000"),
            ("a = 1,000,000\nb = 2", "write 1_000_000"),
            ("a = 10'000", "write 10_000"),
            ("a = 12 m", quotes),
            ("need = 4+", "write 4, which already means that number or more"),
            ("a = 4+1", quotes),
            ("a = 10 00", quotes),
            ("a = “x y”", "use straight quotes: `\"x y\"`"),
            ("a = ‘x’ # why", "use straight quotes, `\"`"),
            ("“a” = 1", "use straight quotes, `\"`"),
            ("a = \"x”", "use straight quotes, `\"`"),
            ("a = \"x", "end it with \""),
            ("a = 'x\nb = 1", "end it with '"),
            (
                "when = \"self.type == \"veterans\"\"",
                "use single quotes within a string: `\"self.type == 'veterans'\"`",
            ),
            ("when = 'self.type == 'veterans''", "use single quotes within a string: `\"self.type == 'veterans'\"`"),
            ("seed = 1,\nruns = 2", "remove the `,`"),
            ("a = \"x\",", "remove the `,`"),
            ("a = 0, 1, 2", "put square brackets round a list: `[0, 1, 2]`"),
            ("a = \"x\", \"y\"", "put square brackets round a list: `[\"x\", \"y\"]`"),
            ("[a\nb = 1", "write `[a]`"),
            ("[[a", "write `[[a]]`"),
            ("a.b]", "write `[a.b]`"),
            ("[[a] # why", "write `[[a]]` for a row of a list, or `[a]`"),
            ("a = [\n\"x\"\n\"y\"]", "or is a `]` missing?"),
            ("[a]]", "write `[[a]]` for a row of a list, or `[a]`"),
        ] {
            let shown = fault(text);
            assert!(shown.ends_with(&format!("= help: {help}\n")), "{text}: {shown}");
            assert_eq!(shown.matches("error:").count(), 1, "{shown}");
        }
        let shown = fault("a = 10,000");
        assert!(shown.starts_with("error: not TOML: `10,000` is not a value\n --> a.toml:1:5\n"), "{shown}");
        assert!(fault("a = 10,00 # or so").contains("help: write `10.00`, or `[10, 00]` for a list"));
    }

    #[test]
    fn a_row_with_single_brackets_is_named_itself() {
        let single = "[phase] # first\nid='a'\n";
        let row = |id: &str| format!("[[phase]]\nid='{id}'\n");
        for (text, line, rows) in [
            (format!("{single}{}{}", row("b"), row("c")), 1, 3),
            (format!("{}{single}{}{}", row("b"), row("c"), row("d")), 3, 1),
            (format!("{}{single}", row("b")), 3, 1),
        ] {
            let shown = fault(&text);
            assert_eq!(shown.matches("error:").count(), 1, "{shown}");
            let told = format!("error: `phase` is a list elsewhere in this file\n --> a.toml:{line}:");
            assert!(shown.starts_with(&told), "{shown}");
            assert!(shown.contains("= help: write `[[phase]]`\n"), "{shown}");
            assert!(shown.contains(&format!("one of its rows begins here\n --> a.toml:{rows}:1")), "{shown}");
        }
        let shown = fault(&format!("{single}{single}{}", row("b")));
        assert_eq!(shown.matches("help: write `[[phase]]`").count(), 2, "{shown}");
        assert!(fault("[phase]\n[phase]\n").contains("`phase` is given twice"));
    }

    /// After a wrong header, the parser's further errors are not reported.
    #[test]
    fn what_follows_from_a_wrong_header_is_not_reported() {
        let rows = |header: &str| format!("{header}\nid = 'a'\n{header}\nid = 'b'\n{header}\nid = 'c'\n");
        let all = "[morale]\nx = 1\n[[state]]\nid = 'a'\n[[state]]\nid = 'b'\n[[state]]\nid = 'c'\n";
        let same = format!("[unit.a]\nx = 1\ny = 2\n[unit.a]\nx = 1\ny = 2\n{all}");
        for (text, told, count) in [
            (format!("[unit.a]\nx = 1\n[unit.b\nx = 1\n{all}"), "the brackets of `[unit.b` do not match", 1),
            (rows("[a]]"), "the brackets of `[a]]` do not match", 3),
            (rows("[[a]"), "the brackets of `[[a]` do not match", 3),
            (format!("{same}id = 'd'\n"), "`a` is given twice\n --> a.toml:4:7", 2),
            (same, "note: first given here\n --> a.toml:1:1", 1),
        ] {
            let shown = fault(&text);
            assert_eq!(shown.matches("error:").count(), count, "{shown}");
            assert!(shown.contains(told), "{shown}");
        }
    }

    #[test]
    fn dates_and_numbers_out_of_range_are_refused() {
        let shown =
            fault("a = 1815-06-18\nb = [inf, -nan]\nc = 9223372036854775808\nd = 1e999\ne = 0xFFFFFFFFFFFFFFFFFF\n");
        assert_eq!(shown.matches("error:").count(), 6, "{shown}");
        assert!(shown.contains("`1815-06-18` is a date, but dates are not supported"), "{shown}");
        assert!(shown.contains("the whole number `9223372036854775808` is too large"), "{shown}");
        assert!(shown.contains("`inf` is not a finite number"), "{shown}");
        assert!(shown.contains("`1e999` is not a finite number"), "{shown}");
        assert!(parse("a = -9_223_372_036_854_775_808\nb = 0xFF\nc = -0.0").is_ok());
    }

    #[test]
    fn the_second_of_two_equal_ids_is_reported_with_the_first() {
        let shown = fault("[[x.row]]\nid = 'a'\n[[x.row]]\nid = 'b'\n[[x.row]]\nid = 'a'\n");
        assert_eq!(
            shown,
            "error: the id `a` is given twice
 --> a.toml:6:6
  |
6 | id = 'a'
  |      ^^^
  |
note: first given here
 --> a.toml:2:6
  |
2 | id = 'a'
  |      ^^^
"
        );
    }

    #[test]
    fn depth_is_bounded() {
        let nested = |depth: usize| format!("a = {}1{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse(&nested(DEPTH_MAX)).is_ok());
        assert!(fault(&nested(DEPTH_MAX + 1)).contains("more than 32 deep"));
        assert!(fault(&nested(200)).contains("more than 32 deep"));
        assert!(fault(&format!("{}a = 1", "a.".repeat(40))).contains("more than 32 deep"));
    }

    /// These texts would overflow a stack or take minutes if they were read naively.
    #[test]
    fn a_hostile_mebibyte_is_refused_in_good_order() {
        const SIZE: usize = 1 << 20;
        let dots = format!("{}a={{", "a.".repeat(78));
        let product = format!("x={{{}{}", dots.repeat(79), "}".repeat(80));
        let hostile = [
            "[".repeat(SIZE),
            format!("a={}", "[".repeat(SIZE)),
            format!("a={}", "{a=".repeat(SIZE / 3)),
            format!("{}a=1", "a.".repeat(SIZE / 2)),
            format!("[{}a]", "a.".repeat(SIZE / 2)),
            "=\n".repeat(SIZE / 2),
            "=\n".repeat(ALL_ERRORS_MAX / 2),
            "a=1\n".repeat(SIZE / 4),
            "\"".repeat(SIZE),
            format!("x=1\n{product}"),
            product,
        ];
        for text in hostile {
            // A caller's stack may be small.
            let caller = thread::Builder::new().stack_size(512 << 10).spawn(move || fault(&text)).expect("a thread");
            let shown = caller.join().expect("no panic");
            assert!(shown.len() < 50_000, "{shown}");
        }
        assert!(parse(&format!("a=[{}]", "{},".repeat(SIZE / 3))).is_ok());
    }
}
