//! The bundled font in a PDF: the letters used, their widths, and their characters for copying text.

use std::collections::BTreeMap;

use ab_glyph::Font;
use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Finish, Name, Pdf, Rect, Ref, Str};

use crate::font::{FontError, Letters, Weight, font};

/// The font in one weight, as one document uses it.
pub(super) struct Used {
    /// Its weight.
    pub(super) weight: Weight,
    /// Its object.
    pub(super) id: Ref,
    /// The glyph that each letter has in the subset.
    glyphs: BTreeMap<char, u16>,
    bytes: Vec<u8>,
}

const IDENTITY: SystemInfo<'static> = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// Name of a font among a page's resources.
pub(super) fn resource(weight: Weight) -> Name<'static> {
    match weight {
        Weight::Regular => Name(b"R"),
        Weight::Bold => Name(b"B"),
    }
}

/// Name of the subset, with the tag that marks it as one.
fn base_font(weight: Weight) -> Name<'static> {
    match weight {
        Weight::Regular => Name(b"GROGNA+SourceSansPro-Regular"),
        Weight::Bold => Name(b"GROGNA+SourceSansPro-Bold"),
    }
}

impl Used {
    /// The letters of a weight.
    pub(super) fn of(letters: &Letters, weight: Weight, id: Ref) -> Result<Self, FontError> {
        let (glyphs, bytes) = letters.outlines(weight)?;
        Ok(Self { weight, id, glyphs, bytes })
    }

    /// The text as the numbers of its glyphs; letters that the font does not have are left out.
    pub(super) fn encoded(&self, text: &str) -> Vec<u8> {
        text.chars().filter_map(|letter| self.glyphs.get(&letter)).flat_map(|glyph| glyph.to_be_bytes()).collect()
    }

    /// Writes the font with its related objects.
    pub(super) fn write(&self, pdf: &mut Pdf, next: &mut impl FnMut() -> Ref) -> Result<(), FontError> {
        let (cid, descriptor, unicode, file) = (next(), next(), next(), next());
        let whole = font(self.weight).ok_or(FontError::Unreadable)?;
        let em = whole.units_per_em().unwrap_or(1000.0);
        let units = |value: f32| value / em * 1000.0;
        let name = base_font(self.weight);
        pdf.type0_font(self.id)
            .base_font(name)
            .encoding_predefined(Name(b"Identity-H"))
            .descendant_font(cid)
            .to_unicode(unicode);

        let mut font = pdf.cid_font(cid);
        font.subtype(CidFontType::Type0).base_font(name).system_info(IDENTITY).font_descriptor(descriptor);
        let mut widths = font.widths();
        for (&letter, &glyph) in &self.glyphs {
            widths.same(glyph, glyph, units(whole.h_advance_unscaled(whole.glyph_id(letter))));
        }
        widths.finish();
        font.finish();

        let bold = self.weight == Weight::Bold;
        pdf.font_descriptor(descriptor)
            .name(name)
            .flags(FontFlags::NON_SYMBOLIC)
            .bbox(Rect::new(-500.0, -400.0, 1500.0, 1200.0))
            .italic_angle(0.0)
            .ascent(units(whole.ascent_unscaled()))
            .descent(units(whole.descent_unscaled()))
            .cap_height(660.0)
            .stem_v(if bold { 140.0 } else { 84.0 })
            .font_file3(file);

        let mut meaning = UnicodeCmap::new(Name(b"Letters"), IDENTITY);
        for (&letter, &glyph) in &self.glyphs {
            meaning.pair(glyph, letter);
        }
        let meaning = super::document::compressed(&meaning.finish());
        pdf.cmap(unicode, &meaning).filter(pdf_writer::Filter::FlateDecode);
        let bytes = super::document::compressed(&self.bytes);
        pdf.stream(file, &bytes).filter(pdf_writer::Filter::FlateDecode).pair(Name(b"Subtype"), Name(b"CIDFontType0C"));
        Ok(())
    }
}
