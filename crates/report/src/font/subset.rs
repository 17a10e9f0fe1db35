//! Subsets of the bundled font: the letters that a drawing uses, as an OpenType file that browsers accept.
//!
//! `subsetter` keeps what a PDF needs: outlines and their widths, without the table from characters to glyphs. That
//! table (`cmap`, OpenType 1.9, format 4) is written here, and the line metrics (`OS/2`) are copied unchanged.

use std::collections::{BTreeMap, BTreeSet};

use ab_glyph::Font;
use base64::{Engine, engine::general_purpose::STANDARD};
use subsetter::GlyphRemapper;

use super::{Weight, font};

/// Why the bundled font could not be reduced. This is a bug, never an input error.
#[derive(Debug, thiserror::Error)]
pub enum FontError {
    /// It could not be parsed.
    #[error("the bundled font cannot be read: {0}")]
    Subset(#[from] subsetter::Error),
    /// It lacks a required table.
    #[error("the bundled font cannot be read")]
    Unreadable,
}

/// The letters of a document, by weight.
#[derive(Clone, Debug, Default)]
pub(crate) struct Letters {
    used: [BTreeSet<char>; 2],
}

impl Letters {
    /// Adds the letters of a text.
    pub(crate) fn add(&mut self, text: &str, weight: Weight) {
        self.used[weight as usize].extend(text.chars());
    }

    /// The style sheet that embeds the part of the font that is used.
    ///
    /// # Errors
    /// If the bundled font cannot be read.
    pub(crate) fn face(&self) -> Result<String, FontError> {
        let mut sheet = String::new();
        for weight in Weight::ALL {
            let letters = &self.used[weight as usize];
            if letters.is_empty() {
                continue;
            }
            let bytes = STANDARD.encode(subset(weight, letters)?);
            let weight = match weight {
                Weight::Regular => "normal",
                Weight::Bold => "bold",
            };
            sheet += &format!(
                "@font-face{{font-family:\"Source Sans Pro\";font-weight:{weight};\
                 src:url(data:font/otf;base64,{bytes}) format(\"opentype\")}}\n"
            );
        }
        Ok(sheet)
    }
}

impl Letters {
    /// The glyph of each letter of a weight in a subset, and the outlines of that subset as a font table (`CFF `),
    /// as a PDF needs them. Letters that the font does not have are omitted.
    ///
    /// # Errors
    /// If the bundled font cannot be read.
    pub(crate) fn outlines(&self, weight: Weight) -> Result<(BTreeMap<char, u16>, Vec<u8>), FontError> {
        let (glyphs, subset) = outlines(weight, &self.used[weight as usize])?;
        let tables = tables(&subset).ok_or(FontError::Unreadable)?;
        let outlines = tables.iter().find(|table| table.0 == *b"CFF ").ok_or(FontError::Unreadable)?.1.to_vec();
        Ok((glyphs, outlines))
    }
}

/// The glyphs of these letters in a subset, and the subset, which has no table from characters to glyphs.
fn outlines(weight: Weight, letters: &BTreeSet<char>) -> Result<(BTreeMap<char, u16>, Vec<u8>), FontError> {
    let whole = font(weight).ok_or(FontError::Unreadable)?;
    let known = letters.iter().map(|&letter| (letter, whole.glyph_id(letter).0)).filter(|&(_, glyph)| glyph != 0);
    let mut remapper = GlyphRemapper::new();
    let glyphs = known.map(|(letter, glyph)| (letter, remapper.remap(glyph))).collect();
    Ok((glyphs, subsetter::subset(weight.bytes(), 0, &remapper)?))
}

/// The font with only these letters; letters that it lacks are left to the viewer's other fonts.
fn subset(weight: Weight, letters: &BTreeSet<char>) -> Result<Vec<u8>, FontError> {
    let bytes = weight.bytes();
    let (glyphs, outlines) = outlines(weight, letters)?;
    // The map is ordered by character, as the table must be.
    let in_plane = |(letter, glyph): (char, u16)| Some((u16::try_from(u32::from(letter)).ok()?, glyph));
    let codes: BTreeMap<u16, u16> = glyphs.into_iter().filter_map(in_plane).collect();
    let mut tables = tables(&outlines).ok_or(FontError::Unreadable)?;
    tables.extend(self::tables(bytes).ok_or(FontError::Unreadable)?.into_iter().filter(|table| table.0 == *b"OS/2"));
    let cmap = cmap(&codes);
    tables.push((*b"cmap", &cmap));
    tables.sort_unstable();
    Ok(assembled(&tables))
}

/// A table of a font: its name and its bytes.
type Table<'a> = ([u8; 4], &'a [u8]);

/// The tables of a font; `None` if it is cut short.
fn tables(font: &[u8]) -> Option<Vec<Table<'_>>> {
    let long = |at: usize| Some(u32::from_be_bytes(font.get(at..at + 4)?.try_into().ok()?) as usize);
    let count = usize::from(u16::from_be_bytes(font.get(4..6)?.try_into().ok()?));
    let record = |at: usize| {
        let name = font.get(at..at + 4)?.try_into().ok()?;
        let start = long(at + 8)?;
        Some((name, font.get(start..start.checked_add(long(at + 12)?)?)?))
    };
    (0..count).map(|nth| record(12 + 16 * nth)).collect()
}

/// The largest power of two that is at most `count`, and its exponent: font tables carry both for searching.
fn search(count: usize) -> (u16, u16) {
    let exponent = count.max(1).ilog2() as u16;
    (1 << exponent, exponent)
}

/// The table from characters to glyphs: format 4, one segment per character, and the mandatory last one.
fn cmap(codes: &BTreeMap<u16, u16>) -> Vec<u8> {
    let segments: Vec<(u16, u16)> =
        codes.iter().map(|(&code, &glyph)| (code, glyph.wrapping_sub(code))).chain([(u16::MAX, 1)]).collect();
    let count = segments.len();
    let (power, exponent) = search(count);
    let double = |number: usize| (2 * number) as u16;
    let mut words: Vec<u16> = vec![4, (16 + 8 * count) as u16, 0];
    words.extend([double(count), 2 * power, exponent, double(count) - 2 * power]);
    words.extend(segments.iter().map(|&(code, _)| code));
    words.push(0);
    words.extend(segments.iter().map(|&(code, _)| code));
    words.extend(segments.iter().map(|&(_, delta)| delta));
    words.extend(segments.iter().map(|_| 0));
    // The table's header: version, one subtable, for Windows and Unicode, at byte 12.
    [0, 1, 3, 1, 0, 12].into_iter().chain(words).flat_map(u16::to_be_bytes).collect()
}

/// A font made of these tables, sorted by name.
fn assembled(tables: &[Table<'_>]) -> Vec<u8> {
    let (power, exponent) = search(tables.len());
    let count = tables.len() as u16;
    let mut head = b"OTTO".to_vec();
    head.extend([count, 16 * power, exponent, 16 * (count - power)].into_iter().flat_map(u16::to_be_bytes));
    let mut body = Vec::new();
    let start = 12 + 16 * tables.len();
    let mut adjustment = None;
    for (name, bytes) in tables {
        let at = body.len();
        body.extend_from_slice(bytes);
        if name == b"head" && bytes.len() >= 12 {
            body[at + 8..at + 12].fill(0);
            adjustment = Some(start + at + 8);
        }
        let sum = checksum(&body[at..]);
        body.resize(body.len().next_multiple_of(4), 0);
        head.extend_from_slice(name);
        head.extend([sum, (start + at) as u32, bytes.len() as u32].into_iter().flat_map(u32::to_be_bytes));
    }
    head.append(&mut body);
    if let Some(at) = adjustment {
        // OpenType: the checksum of the whole file must be this number.
        let rest = 0xB1B0_AFBA_u32.wrapping_sub(checksum(&head));
        head[at..at + 4].copy_from_slice(&rest.to_be_bytes());
    }
    head
}

/// The sum of a table's words.
fn checksum(bytes: &[u8]) -> u32 {
    let word = |chunk: &[u8]| {
        let mut word = [0; 4];
        word[..chunk.len()].copy_from_slice(chunk);
        u32::from_be_bytes(word)
    };
    bytes.chunks(4).map(word).fold(0, u32::wrapping_add)
}

#[cfg(test)]
mod tests {
    use ab_glyph::FontRef;

    use super::*;

    #[test]
    fn a_subset_draws_its_letters_as_the_whole_font_does() {
        let text = "Defender wins 96.1 % ± 0.2 of “battles” with square – Áéß×→";
        for weight in Weight::ALL {
            let bytes = subset(weight, &text.chars().collect()).unwrap();
            assert!(bytes.len() < 20_000, "{} bytes", bytes.len());
            let (part, whole) = (FontRef::try_from_slice(&bytes).unwrap(), font(weight).unwrap());
            assert_eq!(part.units_per_em(), whole.units_per_em());
            assert_eq!(part.ascent_unscaled(), whole.ascent_unscaled());
            for letter in text.chars() {
                let (own, theirs) = (part.glyph_id(letter), whole.glyph_id(letter));
                assert_eq!(own.0 == 0, theirs.0 == 0, "{letter:?}");
                assert_eq!(part.h_advance_unscaled(own), whole.h_advance_unscaled(theirs), "{letter:?}");
                let curves =
                    |font: &FontRef<'_>, glyph| format!("{:?}", font.outline(glyph).map(|outline| outline.curves));
                assert_eq!(curves(&part, own), curves(whole, theirs), "{letter:?}");
            }
            assert_eq!(part.glyph_id('z').0, 0);
        }
    }

    #[test]
    fn a_subset_is_a_font_to_the_letter_of_the_format() {
        let bytes = subset(Weight::Regular, &"abc".chars().collect()).unwrap();
        assert_eq!(checksum(&bytes), 0xB1B0_AFBA);
        let names: Vec<_> =
            tables(&bytes).unwrap().iter().map(|table| String::from_utf8(table.0.to_vec()).unwrap()).collect();
        // The tables that browsers require in a font with CFF outlines.
        assert_eq!(names, ["CFF ", "OS/2", "cmap", "head", "hhea", "hmtx", "maxp", "name", "post"]);
        assert!(
            tables(&bytes)
                .unwrap()
                .iter()
                .all(|table| (table.1.as_ptr() as usize - bytes.as_ptr() as usize).is_multiple_of(4))
        );
    }

    #[test]
    fn a_font_cut_short_is_no_font() {
        let bytes = Weight::Regular.bytes();
        assert!(tables(&bytes[..1_000]).is_none() && tables(&bytes[..5]).is_none() && tables(&[]).is_none());
    }
}
