//! Locations of pieces of text.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// One text among the [`Sources`] that handed it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);

/// A range of one text, in bytes, end exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The text.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: usize,
    /// Offset after the last byte; equal to `start` for a position.
    pub end: usize,
}

impl Span {
    /// Creates a span from the range `range` of `file`.
    #[must_use]
    pub fn new(file: FileId, range: Range<usize>) -> Self {
        Self { file, start: range.start, end: range.end.max(range.start) }
    }

    /// The byte offsets.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

/// A position as an editor shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
}

/// All texts that were read: files, built-in packs, and command-line arguments.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<File>,
    /// Whether a link in the folder of a pack or a study may lead out of it. An untrusted pack must not be able to
    /// reveal other files, so links are followed only on request.
    pub follow_links: bool,
    stand_ins: BTreeMap<PathBuf, String>,
}

#[derive(Clone, Debug)]
struct File {
    name: String,
    text: String,
    /// Offsets of the first byte of each line.
    lines: Vec<usize>,
}

impl Sources {
    /// A collection without texts.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The names of all texts, in the order in which they were added.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|file| file.name.as_str())
    }

    /// Registers a text to be read in place of the file at this path: the unsaved contents of an editor.
    pub fn stand_in(&mut self, path: impl Into<PathBuf>, text: impl Into<String>) {
        self.stand_ins.insert(path.into(), text.into());
    }

    pub(super) fn stood_in(&self, path: &Path) -> Option<&str> {
        self.stand_ins.get(path).map(String::as_str)
    }

    /// Adds a text under the name diagnostics show: a file's path as the user wrote it, or an origin such as `--set`.
    ///
    /// A byte order mark at its start is dropped.
    ///
    /// # Panics
    ///
    /// If more than 2^32 texts are added.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let mut text = text.into();
        if text.starts_with('\u{feff}') {
            text.drain(..'\u{feff}'.len_utf8());
        }
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let id = FileId(u32::try_from(self.files.len()).expect("no command reads 2^32 texts"));
        self.files.push(File { name: name.into(), text, lines });
        id
    }

    /// The name given to [`Sources::add`].
    #[must_use]
    pub fn name(&self, file: FileId) -> &str {
        &self.file(file).name
    }

    /// The whole text.
    #[must_use]
    pub fn text(&self, file: FileId) -> &str {
        &self.file(file).text
    }

    /// The text under a span, cut off at the end of the file.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        let text = self.text(span.file);
        &text[floor(text, span.start)..floor(text, span.end)]
    }

    /// Line and column of a span's first character. Offsets past the end mean the end.
    #[must_use]
    pub fn position(&self, span: Span) -> Position {
        let (line, within) = self.locate(span.file, span.start);
        let column = self.line(span.file, line)[..within].chars().count() + 1;
        Position { line, column }
    }

    /// The line (from 1) that contains a byte offset, and the offset within it.
    pub(super) fn locate(&self, file: FileId, offset: usize) -> (usize, usize) {
        let File { text, lines, .. } = self.file(file);
        let offset = floor(text, offset);
        let line = lines.partition_point(|&start| start <= offset);
        let within = offset - lines[line - 1];
        // A position between the `\r` and the `\n` of a line ending still belongs to the line.
        (line, within.min(self.line(file, line).len()))
    }

    /// A line (from 1) without its end.
    pub(super) fn line(&self, file: FileId, line: usize) -> &str {
        let File { text, lines, .. } = self.file(file);
        let end = lines.get(line).map_or(text.len(), |next| next - 1);
        let content = &text[lines[line - 1]..end];
        content.strip_suffix('\r').unwrap_or(content)
    }

    fn file(&self, file: FileId) -> &File {
        &self.files[file.0 as usize]
    }
}

/// The nearest character boundary of `text` at or before `offset`.
pub(super) fn floor(text: &str, offset: usize) -> usize {
    let mut at = offset.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(text: &str, offset: usize) -> (usize, usize) {
        let mut sources = Sources::new();
        let file = sources.add("a.toml", text);
        let Position { line, column } = sources.position(Span::new(file, offset..offset));
        (line, column)
    }

    #[test]
    fn lines_and_columns_count_from_one_in_characters() {
        let text = "a = 1\nfür = 'ß'\r\nend";
        assert_eq!(position(text, 0), (1, 1));
        assert_eq!(position(text, 5), (1, 6), "the line end belongs to its line");
        assert_eq!(position(text, 6), (2, 1));
        assert_eq!(position(text, text.find('=').expect("there is one")), (1, 3));
        assert_eq!(position(text, text.rfind('=').expect("there is one")), (2, 5));
        assert_eq!(position(text, text.find("end").expect("there is one")), (3, 1));
        assert_eq!(position(text, 9999), (3, 4));
        assert_eq!(position("", 0), (1, 1));
        assert_eq!(position("a\n", 2), (2, 1));
    }

    #[test]
    fn an_offset_inside_a_character_means_its_start() {
        assert_eq!(position("ßß", 3), (1, 2));
    }

    #[test]
    fn a_byte_order_mark_is_not_part_of_the_text() {
        let mut sources = Sources::new();
        let file = sources.add("a.toml", "\u{feff}a = 1");
        assert_eq!(sources.text(file), "a = 1");
        assert_eq!(sources.name(file), "a.toml");
        assert_eq!(sources.slice(Span::new(file, 4..99)), "1");
    }
}
