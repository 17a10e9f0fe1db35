//! Pages, bookmarks and tags as the objects of a PDF file.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::StructRole;
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, TextStr};

use super::fonts::{self, Used};
use super::paint::{self, Opacities};
use super::{Block, Page, Role};
use crate::font::{FontError, Letters, Weight};
use crate::report::Report;
use crate::sheet::Mark;

/// The document of these pages.
pub(super) fn document(report: &Report, pages: &[Page]) -> Result<Vec<u8>, FontError> {
    let mut pdf = Pdf::new();
    pdf.set_version(1, 7);
    let mut last = 0;
    let mut next = || {
        last += 1;
        Ref::new(last)
    };
    let (catalog, tree, info, outline, tags) = (next(), next(), next(), next(), next());
    let letters = letters(pages);
    let fonts = Weight::ALL.map(|weight| Used::of(&letters, weight, next()));
    let [regular, bold] = fonts;
    let fonts = [regular?, bold?];
    let ids: Vec<Ref> = pages.iter().map(|_| next()).collect();
    let opacities = Opacities::of(pages, &mut next);

    for font in &fonts {
        font.write(&mut pdf, &mut next)?;
    }
    opacities.write(&mut pdf);
    for (nth, (page, &id)) in pages.iter().zip(&ids).enumerate() {
        let content = next();
        let bytes = compressed(&page_content(page, &fonts, &opacities));
        pdf.stream(content, &bytes).filter(Filter::FlateDecode);
        let mut out = pdf.page(id);
        let (width, height) = (page.sheet.width as f32, page.sheet.height as f32);
        out.parent(tree).media_box(Rect::new(0.0, 0.0, width, height)).contents(content).struct_parents(nth as i32);
        let mut resources = out.resources();
        let mut named = resources.fonts();
        for font in &fonts {
            named.pair(fonts::resource(font.weight), font.id);
        }
        named.finish();
        opacities.list(&mut resources);
    }
    pdf.pages(tree).kids(ids.iter().copied()).count(ids.len() as i32);
    let bookmarks = bookmarks(pages, &ids);
    write_bookmarks(&mut pdf, outline, &bookmarks, &mut next);
    let elements = write_elements(&mut pdf, pages, &ids, tags, &mut next);

    pdf.document_info(info).title(TextStr(&report.title)).creator(TextStr("Grognard"));
    let mut root = pdf.catalog(catalog);
    root.pages(tree).lang(TextStr("en-GB"));
    if !bookmarks.is_empty() {
        root.outlines(outline);
    }
    root.mark_info().marked(true);
    root.viewer_preferences().display_doc_title(true);
    let mut structure = root.struct_tree_root();
    structure.children().items(elements.iter().flatten().copied());
    let lists: Vec<Ref> = elements.iter().map(|_| next()).collect();
    let mut parents = structure.parent_tree();
    let mut numbers = parents.nums();
    for (nth, &list) in lists.iter().enumerate() {
        numbers.insert(nth as i32, list);
    }
    numbers.finish();
    parents.finish();
    structure.finish();
    root.finish();
    for (&list, elements) in lists.iter().zip(&elements) {
        pdf.indirect(list).array().items(elements.iter().copied());
    }
    Ok(pdf.finish())
}

/// Bytes in compressed form, for a PDF.
pub(super) fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    // Writing to a Vec does not fail.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

/// The letters on all pages.
fn letters(pages: &[Page]) -> Letters {
    let mut letters = Letters::default();
    for mark in pages.iter().flat_map(|page| &page.sheet.marks) {
        if let Mark::Text(text) = mark {
            letters.add(&text.words, text.weight);
        }
    }
    letters
}

/// Whether a block is a separate element for screen readers: a bookmark's target is not one.
fn is_element(block: &&Block) -> bool {
    !block.marks.is_empty()
}

/// The marks of a page, block by block, and what decorates it.
fn page_content(page: &Page, fonts: &[Used; 2], opacities: &Opacities) -> Vec<u8> {
    let mut content = Content::new();
    let height = page.sheet.height;
    let mut done = 0;
    for (nth, block) in page.blocks.iter().filter(is_element).enumerate() {
        content.begin_marked_content_with_properties(Name(b"P")).properties().identify(nth as i32);
        for mark in &page.sheet.marks[block.marks.clone()] {
            paint::mark(&mut content, mark, height, fonts, opacities);
        }
        content.end_marked_content();
        done = block.marks.end;
    }
    content.begin_marked_content(Name(b"Artifact"));
    for mark in &page.sheet.marks[done..] {
        paint::mark(&mut content, mark, height, fonts, opacities);
    }
    content.end_marked_content();
    content.finish().to_vec()
}

/// Writes the elements of each page, and returns them by page.
fn write_elements(
    pdf: &mut Pdf,
    pages: &[Page],
    ids: &[Ref],
    root: Ref,
    next: &mut impl FnMut() -> Ref,
) -> Vec<Vec<Ref>> {
    let mut all = Vec::new();
    for (page, &id) in pages.iter().zip(ids) {
        let mut elements = Vec::new();
        for (nth, block) in page.blocks.iter().filter(is_element).enumerate() {
            let element = next();
            let mut out = pdf.struct_element(element);
            out.parent(root).page(id);
            match &block.role {
                Role::Title => out.kind(StructRole::H1),
                Role::Heading(_) => out.kind(StructRole::H2),
                Role::Paragraph | Role::Row => out.kind(StructRole::P),
                Role::Figure(alt) => out.kind(StructRole::Figure).alt(TextStr(alt)),
            };
            out.marked_content_child().marked_content_id(nth as i32);
            elements.push(element);
        }
        all.push(elements);
    }
    all
}

/// A heading: its words, its page and its height there.
type Bookmark<'a> = (&'a str, Ref, f32);

fn bookmarks<'a>(pages: &'a [Page], ids: &[Ref]) -> Vec<Bookmark<'a>> {
    let of = |(page, &id): (&'a Page, &Ref)| {
        page.blocks.iter().filter_map(move |block| match &block.role {
            Role::Heading(words) => Some((words.as_str(), id, (page.sheet.height - block.top) as f32)),
            _ => None,
        })
    };
    pages.iter().zip(ids).flat_map(of).collect()
}

fn write_bookmarks(pdf: &mut Pdf, outline: Ref, bookmarks: &[Bookmark<'_>], next: &mut impl FnMut() -> Ref) {
    let ids: Vec<Ref> = bookmarks.iter().map(|_| next()).collect();
    let Some((&first, &last)) = ids.first().zip(ids.last()) else { return };
    pdf.outline(outline).first(first).last(last).count(ids.len() as i32);
    for (nth, &(words, page, top)) in bookmarks.iter().enumerate() {
        let mut item = pdf.outline_item(ids[nth]);
        item.parent(outline).title(TextStr(words));
        if let Some(&before) = nth.checked_sub(1).and_then(|before| ids.get(before)) {
            item.prev(before);
        }
        if let Some(&after) = ids.get(nth + 1) {
            item.next(after);
        }
        item.dest().page(page).xyz(0.0, top, None);
    }
}

#[cfg(test)]
mod tests {
    use super::super::pdf;
    use super::*;
    use crate::testing::twelve_cells;

    #[test]
    fn a_pdf_has_pages_bookmarks_and_a_text_for_each_chart() {
        let report = Report::on(&twelve_cells());
        let bytes = pdf(&report).unwrap();
        assert!(bytes.starts_with(b"%PDF-1.7") && bytes.trim_ascii_end().ends_with(b"%%EOF"));
        let text = String::from_utf8_lossy(&bytes);
        let pages = super::super::layout::pages(&report).len();
        assert_eq!(text.matches("/Type /Page\n").count(), pages);
        assert_eq!(text.matches("/S /Figure").count(), report.all_charts().count());
        assert_eq!(text.matches("/Alt ").count(), report.all_charts().count());
        assert!(text.contains("/Lang (en-GB)") && text.contains("/Marked true") && text.contains("/Type /Outlines"));
        assert!(text.matches("/Dest ").count() > report.charts.len());
        assert_eq!(bytes, pdf(&report).unwrap());
    }
}
