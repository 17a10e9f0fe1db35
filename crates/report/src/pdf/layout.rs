//! The report cut into pages: headings, paragraphs, charts and tables, from top to bottom.

use super::{Block, Page, Role};
use crate::drawn;
use crate::font::{self, Weight};
use crate::frame::Framed;
use crate::look::{RULE, SOFT, Size, TEXT, size};
use crate::noteworthy::NoteworthyBattle;
use crate::provenance::Fact;
use crate::report::Report;
use crate::sheet::{Anchor, Sheet, Text, leading};
use crate::table::Table;
use crate::text::{Piece, with_code};

/// A4, in points.
const PAPER: (f64, f64) = (595.3, 841.9);
/// The width of the text: that of a chart with its margins.
const WIDTH: f64 = 482.0;
/// The margins on the left and right, and at the top and bottom.
const MARGIN: (f64, f64) = ((PAPER.0 - WIDTH) / 2.0, 56.7);
/// The lower end of the text.
const BOTTOM: f64 = PAPER.1 - MARGIN.1;
/// Height of a full page's text.
const PAGE: f64 = BOTTOM - MARGIN.1;

/// Size of running text.
const BODY: f64 = 10.0;
/// Size of type in tables.
const FINE: f64 = 7.5;
/// The height of a heading, with the space around it.
const HEADING: f64 = 36.0;
/// White above a chart.
const ABOVE: f64 = 14.0;
/// White between columns of a table.
const GUTTER: f64 = 7.0;

/// The pages of a report: the first one is the answer, a chart and the cells asked about.
pub(super) fn pages(report: &Report) -> Vec<Page> {
    let mut out = Setter::new();
    let whole = first_page(&mut out, report, &[]);
    let rest = !report.analysis.is_empty() || !report.charts.is_empty() || !report.tables.is_empty();
    if rest && report.lead.is_some() {
        out.turn();
    }
    for text in &report.analysis {
        let text: String = with_code(text).map(Piece::words).collect();
        out.text(&text, &Role::Paragraph, BODY, Weight::Regular, 6.0);
    }
    if let Some(who_plays) = &report.who_plays {
        out.heading("Who plays");
        for text in &who_plays.about {
            out.text(text, &Role::Paragraph, BODY, Weight::Regular, 6.0);
        }
        for table in &who_plays.tables {
            out.table(table);
        }
    }
    // The first page shows only the beginning of the lead chart.
    let begun = report.lead.as_ref().filter(|_| rest && !whole);
    for chart in begun.into_iter().chain(&report.charts) {
        out.chart(&chart.framed(Size::Page), &chart.alt());
    }
    if !report.noteworthy.is_empty() || report.replay.is_some() {
        let battles: Vec<Battle<'_>> = report.noteworthy.iter().map(Battle::of).collect();
        out.make_room(HEADING + battles.first().map_or(0.0, |battle| battle.height));
        out.heading("Noteworthy battles");
        for battle in &battles {
            out.make_room(battle.height);
            battle.set(&mut out);
        }
        if let Some(replay) = &report.replay {
            out.text(&replay.about, &Role::Paragraph, BODY, Weight::Regular, 1.0);
            out.text(&replay.command, &Role::Paragraph, 8.5, Weight::Regular, 6.0);
        }
    }
    if !report.tables.is_empty() {
        out.heading(report.tables_title);
    }
    for table in &report.tables {
        out.table(table);
    }
    if let Some(rules) = &report.rules {
        out.heading("Rules used");
        out.text(&rules.about, &Role::Paragraph, BODY, Weight::Regular, 6.0);
        if let Some(chart) = &rules.chart {
            out.chart(&chart.framed(Size::Page), &chart.alt());
        }
        out.table(&rules.played);
        if let Some(never) = &rules.never {
            out.text(never, &Role::Paragraph, BODY, Weight::Regular, 6.0);
        }
    }
    if !report.facts.is_empty() {
        out.heading("How it was made");
    }
    facts(&mut out, &report.facts);
    out.finished(&report.title)
}

/// A battle: words, and below them its storyboard.
struct Battle<'a> {
    told: &'a NoteworthyBattle,
    story: Option<Framed>,
    /// The height that keeps its words on the same page as its storyboard.
    height: f64,
}

impl<'a> Battle<'a> {
    fn of(told: &'a NoteworthyBattle) -> Self {
        let story = told.timeline.as_ref().map(|timeline| drawn::framed_storyboard(timeline, &told.caption()));
        let below = story.as_ref().map_or(0.0, |story| ABOVE + story.sheet().height);
        Self { told, story, height: height(|out| words(out, told)) + below }
    }

    fn set(&self, out: &mut Setter) {
        words(out, self.told);
        if let Some(story) = &self.story {
            out.chart(story, &self.told.alt());
        }
    }
}

fn words(out: &mut Setter, told: &NoteworthyBattle) {
    out.text(&format!("{}. {}", told.title, told.about), &Role::Paragraph, BODY, Weight::Regular, 1.0);
    out.text(&told.command, &Role::Paragraph, 8.5, Weight::Regular, 6.0);
}

fn facts(out: &mut Setter, facts: &[Fact]) {
    for fact in facts {
        out.text(&format!("{}: {}", fact.term, fact.text), &Role::Paragraph, 8.5, Weight::Regular, 2.0);
    }
}

/// The first page with the facts at its end.
pub(super) fn one_page(report: &Report) -> Page {
    let mut out = Setter::new();
    first_page(&mut out, report, &report.facts);
    out.finished(&report.title).swap_remove(0)
}

/// The first rows of a table.
fn cut(table: &Table, kept: usize) -> Table {
    let all = table.rows.len();
    if kept >= all {
        return table.clone();
    }
    let caption = format!("{}, the first {kept} of {all}", table.caption);
    Table { caption, rows: table.rows[..kept].to_vec(), ..table.clone() }
}

/// The first page, with these facts at its end. If they do not all fit, first the table is shortened, as its caption
/// then says, then the chart, and finally the facts are left out. Returns whether the chart is whole.
fn first_page(out: &mut Setter, report: &Report, at_end: &[Fact]) -> bool {
    /// The number of rows that a table keeps before the chart is shortened.
    const KEPT: usize = 4;
    out.text(&report.title, &Role::Title, 20.0, Weight::Bold, if report.question.is_empty() { 8.0 } else { 2.0 });
    if !report.question.is_empty() {
        out.text(&report.question, &Role::Paragraph, 11.5, Weight::Regular, 8.0);
    }
    for (nth, sentence) in report.answer.iter().enumerate() {
        let (size, weight) = if nth == 0 { (11.5, Weight::Bold) } else { (BODY, Weight::Regular) };
        out.text(sentence, &Role::Paragraph, size, weight, 5.0);
    }
    for text in &report.highlights {
        out.text(text, &Role::Paragraph, BODY, Weight::Bold, 6.0);
    }
    let table = |rows: usize| report.asked.as_ref().filter(|_| rows > 0).map(|table| cut(table, rows));
    let chart = report.lead.as_ref().map(|chart| chart.framed(Size::Page));
    let end = height(|out| facts(out, at_end));
    // The height left for the chart above a table with this many rows.
    let room = |rows: usize| {
        let table = table(rows).map_or(0.0, |table| height(|out| out.table(&table)));
        BOTTOM - out.page.sheet.height - ABOVE - table - end
    };
    let rows = report.asked.as_ref().map_or(0, |table| table.rows.len());
    let whole = chart.as_ref().map(Framed::sheet);
    let below = format!(
        "Only the beginning of the chart is shown. {}",
        report.lead.as_ref().map_or("", |chart| &chart.caption)
    );
    let least = if whole.is_some() { KEPT.min(rows) } else { 0 };
    let with_whole = |rows: usize| room(rows) >= whole.as_ref().map_or(-ABOVE, |sheet| sheet.height);
    let (rows, drawn) = match (least..=rows).rev().find(|&rows| with_whole(rows)) {
        Some(rows) => (rows, whole.clone()),
        None => {
            let begun = |rows: usize| Some((rows, Some(chart.as_ref()?.beginning(room(rows), &below)?)));
            [least, 0].into_iter().find_map(begun).unwrap_or((0, None))
        }
    };
    let is_whole = drawn == whole;
    if let Some((sheet, chart)) = drawn.zip(report.lead.as_ref()) {
        out.page.sheet.height += ABOVE;
        out.drawing(sheet, Some(chart.finding()), &chart.alt());
    }
    if let Some(table) = table(rows) {
        out.table(&table);
    }
    facts(out, at_end);
    is_whole
}

/// The height of what `set` adds.
fn height(set: impl Fn(&mut Setter)) -> f64 {
    let mut trial = Setter::new();
    set(&mut trial);
    let above: f64 = trial.pages.len() as f64 * PAGE;
    above + trial.page.sheet.height - MARGIN.1
}

/// Sets blocks from top to bottom, and begins a new page when one is full.
struct Setter {
    pages: Vec<Page>,
    page: Page,
}

impl Setter {
    fn new() -> Self {
        Self { pages: Vec::new(), page: blank() }
    }

    fn turn(&mut self) {
        self.pages.push(std::mem::replace(&mut self.page, blank()));
    }

    /// Begins a new page if there is not this much room, unless the page is empty.
    fn make_room(&mut self, height: f64) {
        if self.page.sheet.height + height > BOTTOM && !self.page.blocks.is_empty() {
            self.turn();
        }
    }

    fn heading(&mut self, text: &str) {
        self.page.sheet.height += 14.0;
        self.make_room(90.0);
        self.text(text, &Role::Heading(text.to_owned()), 14.0, Weight::Bold, 5.0);
    }

    /// Sets text, line by line, with room below it.
    fn text(&mut self, text: &str, role: &Role, size: f64, weight: Weight, below: f64) {
        let lines = font::wrap(text, size, weight, WIDTH, usize::MAX);
        let mut rest = lines.as_slice();
        while !rest.is_empty() {
            self.make_room(leading(size));
            let room = ((BOTTOM - self.page.sheet.height) / leading(size)) as usize;
            let (now, later) = rest.split_at(room.clamp(1, rest.len()));
            let height = now.len() as f64 * leading(size);
            self.block(role.clone(), height, |sheet, top| {
                let like = Text { weight, ..Text::new("", (MARGIN.0, top + 0.8 * size), size, TEXT) };
                sheet.write_lines(now, &like);
            });
            rest = later;
        }
        self.page.sheet.height += below;
    }

    /// Places a chart at full size, over several pages if it is taller than one.
    fn chart(&mut self, chart: &Framed, alt: &str) {
        self.page.sheet.height += ABOVE;
        for (nth, sheet) in chart.on_pages(BOTTOM - self.page.sheet.height, PAGE).into_iter().enumerate() {
            // A chart that cannot be split is made smaller.
            let sheet = if sheet.height > PAGE {
                let part = PAGE / sheet.height;
                sheet.scaled(part)
            } else {
                sheet
            };
            match nth {
                0 => self.drawing(sheet, Some(&chart.finding), alt),
                _ => self.drawing(sheet, None, &format!("Continued: {alt}")),
            }
        }
    }

    /// Places a drawing; it contains the finding, which also becomes its bookmark.
    fn drawing(&mut self, sheet: Sheet, finding: Option<&str>, alt: &str) {
        let height = sheet.height;
        self.make_room(height - 0.01);
        let top = self.page.sheet.height;
        let start = self.page.sheet.marks.len();
        let heading = finding.map(|finding| Role::Heading(finding.to_owned()));
        self.page.blocks.extend(heading.map(|role| Block { role, marks: start..start, top }));
        self.block(Role::Figure(alt.to_owned()), height, |page, top| page.place(sheet, (MARGIN.0, top)));
    }

    /// Sets a table: columns as wide as they need to be, narrower where there is no room.
    fn table(&mut self, table: &Table) {
        let widths = widths(table);
        self.page.sheet.height += 6.0;
        self.make_room(60.0);
        self.text(&table.caption, &Role::Paragraph, 8.5, Weight::Bold, 3.0);
        self.row(&table.head, &widths, Weight::Bold);
        for row in &table.rows {
            if self.row(row, &widths, Weight::Regular) {
                self.row(&table.head, &widths, Weight::Bold);
                self.row(row, &widths, Weight::Regular);
            }
        }
        self.page.sheet.height += 8.0;
    }

    /// Sets a row. If there is no room for it, begins a new page instead; returns true if the row must then be set
    /// again.
    fn row(&mut self, fields: &[String], widths: &[f64], weight: Weight) -> bool {
        let lines: Vec<Vec<String>> = fields
            .iter()
            .zip(widths)
            .map(|(field, width)| font::wrap(field, FINE, weight, width - GUTTER, 40))
            .collect();
        let most = lines.iter().map(Vec::len).max().unwrap_or(0);
        let height = most as f64 * leading(FINE) + 2.5;
        if self.page.sheet.height + height > BOTTOM && self.page.sheet.height > MARGIN.1 + 60.0 {
            self.turn();
            return weight == Weight::Regular;
        }
        self.block(Role::Row, height, |sheet, top| {
            let mut left = MARGIN.0;
            for (lines, width) in lines.iter().zip(widths) {
                let like = Text { weight, ..Text::new("", (left, top + 0.85 * FINE), FINE, TEXT) };
                sheet.write_lines(lines, &like);
                left += width;
            }
            sheet.line((MARGIN.0, top + height - 1.2), (MARGIN.0 + WIDTH, top + height - 1.2), 0.4, RULE);
        });
        false
    }

    fn block(&mut self, role: Role, height: f64, draw: impl FnOnce(&mut Sheet, f64)) {
        let sheet = &mut self.page.sheet;
        let (start, top) = (sheet.marks.len(), sheet.height);
        draw(sheet, top);
        sheet.height = top + height;
        let marks = start..sheet.marks.len();
        self.page.blocks.push(Block { role, marks, top });
    }

    /// The pages, with their numbers.
    fn finished(mut self, title: &str) -> Vec<Page> {
        if !self.page.blocks.is_empty() || self.pages.is_empty() {
            self.turn();
        }
        let count = self.pages.len();
        for (nth, page) in self.pages.iter_mut().enumerate() {
            let base = PAPER.1 - 30.0;
            let name = font::wrap(title, size::SMALL, Weight::Regular, 0.7 * WIDTH, 1);
            page.sheet.height = PAPER.1;
            page.sheet.write_lines(&name, &Text::new("", (MARGIN.0, base), size::SMALL, SOFT));
            let number = format!("{} of {count}", nth + 1);
            let at = (PAPER.0 - MARGIN.0, base);
            page.sheet.write(Text::new(number, at, size::SMALL, SOFT).anchored(Anchor::End));
        }
        self.pages
    }
}

/// A page with nothing on it; its height is where the next block begins.
fn blank() -> Page {
    Page { sheet: Sheet { height: MARGIN.1, ..Sheet::new(PAPER.0) }, blocks: Vec::new() }
}

/// How wide each column of a table is.
fn widths(table: &Table) -> Vec<f64> {
    /// The maximum width of a field before columns share the width.
    const MOST: f64 = 220.0;
    let wide = |text: &str, weight: Weight| font::width(text, FINE, weight);
    let longest =
        |text: &str, weight: Weight| font::words(text).iter().map(|word| wide(word, weight)).fold(0.0, f64::max);
    let column = |nth: usize, of_field: &dyn Fn(&str) -> f64| {
        let fields = table.rows.iter().filter_map(|row| row.get(nth)).map(|field| of_field(field));
        fields.fold(longest(&table.head[nth], Weight::Bold), f64::max).min(MOST) + GUTTER + 0.5
    };
    // A heading may wrap between its words; a field should not.
    let all = |of_field: &dyn Fn(&str) -> f64| -> Vec<f64> {
        (0..table.head.len()).map(|nth| column(nth, of_field)).collect()
    };
    let wanted = all(&|field| wide(field, Weight::Regular));
    if wanted.iter().sum::<f64>() <= WIDTH {
        return wanted;
    }
    let least = all(&|field| longest(field, Weight::Regular));
    let (sum, most) = (least.iter().sum::<f64>(), wanted.iter().sum::<f64>());
    if sum > WIDTH {
        return levelled(&least);
    }
    let part = (WIDTH - sum) / (most - sum);
    least.iter().zip(&wanted).map(|(least, wanted)| least + part * (wanted - least)).collect()
}

/// Widths of columns whose words do not fit side by side: the widest are reduced to one width, so that no word
/// elsewhere is broken.
fn levelled(least: &[f64]) -> Vec<f64> {
    let mut rising = least.to_vec();
    rising.sort_by(f64::total_cmp);
    let (mut room, mut rest) = (WIDTH, rising.len());
    for width in rising {
        if width * rest as f64 > room {
            break;
        }
        room -= width;
        rest -= 1;
    }
    let most = room / rest.max(1) as f64;
    least.iter().map(|width| width.min(most)).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use grognard_lab::results::Results;

    use super::*;
    use crate::sheet::Mark;
    use crate::sheet::tests::assert_legible;
    use crate::testing::{FORMATIONS, results, twelve_cells};

    #[test]
    fn pages_hold_everything_and_nothing_overlaps() {
        for study in [twelve_cells(), results(&[], 100, |_| 0.3)] {
            let report = Report::on(&study);
            let pages = pages(&report);
            assert!(pages.len() > 2);
            for page in &pages {
                assert_eq!((page.sheet.width, page.sheet.height), PAPER);
                assert_legible(&page.sheet);
                assert!(page.blocks.windows(2).all(|pair| pair[0].marks.end <= pair[1].marks.start));
            }
            let blocks = || pages.iter().flat_map(|page| &page.blocks);
            let count = |kept: fn(&Role) -> bool| blocks().filter(|block| kept(&block.role)).count();
            assert_eq!(count(|role| matches!(role, Role::Figure(_))), report.all_charts().count());
            let rows: usize = report.tables.iter().map(|table| table.rows.len()).sum();
            assert!(count(|role| *role == Role::Row) > rows);
        }
    }

    /// The short version is one page: the answer, one chart, one table.
    #[test]
    fn the_first_page_is_the_answer_with_a_chart_and_a_table() {
        for study in [twelve_cells(), results(&[], 100, |_| 0.3)] {
            let report = Report::on(&study);
            let whole = pages(&report);
            let asked = report.asked.as_ref().map_or(0, |table| table.rows.len());
            assert_eq!((figures(&whole[0]).count(), rows(&whole[0])), (1, asked + 1));
            let short = pages(&report.short());
            assert_eq!(short.len(), 1);
            assert_eq!(short[0].blocks, whole[0].blocks);
        }
    }

    fn written(mark: &Mark) -> Option<&str> {
        if let Mark::Text(text) = mark { Some(&text.words) } else { None }
    }

    /// Every results folder that is published.
    fn published() -> Vec<Results> {
        let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../results/published"));
        let entries = folder.read_dir().expect("results are published").map(|entry| entry.expect("an entry").path());
        let mut folders: Vec<_> = entries.filter(|path| path.join("manifest.json").is_file()).collect();
        folders.sort();
        folders
            .iter()
            .map(|path| Results::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
            .collect()
    }

    fn figures(page: &Page) -> impl Iterator<Item = &Block> {
        page.blocks.iter().filter(|block| matches!(block.role, Role::Figure(_)))
    }

    fn rows(page: &Page) -> usize {
        page.blocks.iter().filter(|block| block.role == Role::Row).count()
    }

    /// Fails if a text in a chart or a drawing is printed in type of less than nine points.
    #[track_caller]
    fn assert_large(pages: &[Page], name: &str) {
        for page in pages {
            for mark in figures(page).flat_map(|block| &page.sheet.marks[block.marks.clone()]) {
                let Mark::Text(text) = mark else { continue };
                assert!(text.size >= size::SMALL, "{name}: {:?} in {} points", text.words, text.size);
            }
        }
    }

    /// The one-page version has one chart and one table, and its print is legible, whatever was studied.
    #[test]
    fn every_published_study_has_a_page_to_hand_on_and_charts_in_type_of_nine_points() {
        let studies = published();
        assert!(studies.len() > 15);
        for study in studies {
            let (report, name) = (Report::on(&study), &study.manifest.study.name);
            let short = pages(&report.clone().short());
            assert_eq!(short.len(), 1, "{name}");
            assert_eq!(figures(&short[0]).count(), 1, "{name}");
            assert!(rows(&short[0]) > 2, "{name}");
            let pages = pages(&report);
            assert_eq!(pages[0].blocks, short[0].blocks, "{name}");
            assert_large(&pages, name);
            pages.iter().for_each(|page| assert_legible(&page.sheet));
        }
    }

    /// A chart that is too tall for any page is split between its rows, with its axis on every part, and nothing is
    /// lost.
    #[test]
    fn tall_charts_are_cut_and_not_made_smaller() {
        let types: Vec<String> = (0..10).map(|nth| format!("regiment {nth} of a long name")).collect();
        let types: Vec<&str> = types.iter().map(String::as_str).collect();
        let vary: [(&str, &[&str]); 2] = [("defender.0.formation", FORMATIONS), ("attacker.0.type", &types)];
        let report = Report::on(&results(&vary, 100, |at| 0.1 + 0.08 * at[1] as f64));
        let pages = pages(&report);
        assert_large(&pages, "forty cells");
        pages.iter().for_each(|page| assert_legible(&page.sheet));
        let mut tall = 0;
        for chart in report.all_charts() {
            let framed = chart.framed(Size::Page);
            let words =
                |sheet: &Sheet| -> Vec<String> { sheet.marks.iter().filter_map(written).map(str::to_owned).collect() };
            let parts: Vec<Sheet> = framed.on_pages(300.0, PAGE);
            tall += usize::from(parts.len() > 1);
            assert!(parts.iter().all(|part| part.height <= PAGE), "{}", chart.name());
            parts.iter().for_each(assert_legible);
            let printed: Vec<String> = parts.iter().flat_map(words).collect();
            let count = |words: &str| printed.iter().filter(|own| *own == words).count();
            let body = words(&framed.body);
            for text in &body {
                assert!(count(text) >= body.iter().filter(|own| *own == text).count(), "{}: {text}", chart.name());
            }
            for part in &parts[1..] {
                assert!(part.marks.iter().filter_map(written).any(|words| words.ends_with("(continued)")));
            }
        }
        assert!(tall > 1);
    }

    /// However long its table, the version to share is one page that states what its numbers guarantee.
    #[test]
    fn one_page_has_the_answer_and_what_it_promises() {
        let promise = "95 % for all of them together, however often they were looked at.";
        let fact = Fact { term: "How to read it", text: promise.to_owned(), verbatim: false };
        for study in [twelve_cells(), results(&[], 100, |_| 0.3)] {
            let report = Report { facts: vec![fact.clone()], ..Report::on(&study) };
            for times in [1, 40] {
                let mut long = report.clone();
                if let Some(table) = &mut long.asked {
                    table.rows = table.rows.iter().cycle().take(times * table.rows.len()).cloned().collect();
                }
                let page = one_page(&long);
                assert_legible(&page.sheet);
                let words: Vec<&str> = page.sheet.marks.iter().filter_map(written).collect();
                let words = words.join(" ");
                assert!(words.contains(promise), "{times}: {words}");
                let rows = rows(&page);
                let asked = long.asked.as_ref().map_or(0, |table| table.rows.len());
                assert!(
                    rows > 1 && (rows == asked + 1 || words.contains(&format!("the first {} of {asked}", rows - 1)))
                );
                assert!(page.blocks.iter().any(|block| matches!(block.role, Role::Figure(_))), "{times}");
            }
        }
    }

    #[track_caller]
    fn assert_whole_words(table: &Table) {
        for (nth, width) in widths(table).into_iter().enumerate() {
            let fits = |text: &str, weight| {
                let widest = font::words(text).iter().map(|word| font::width(word, FINE, weight)).fold(0.0, f64::max);
                assert!(widest <= width - GUTTER, "{text:?} in {width}");
            };
            fits(&table.head[nth], Weight::Bold);
            table.rows.iter().for_each(|row| fits(&row[nth], Weight::Regular));
        }
    }

    /// The measured heading keeps the same words together as the printed one.
    #[test]
    fn no_word_is_broken_where_there_is_room_for_it() {
        let table = |head: &[&str], field: &str| Table {
            caption: "Words".to_owned(),
            head: head.iter().map(|&name| name.to_owned()).collect(),
            rows: vec![vec![field.to_owned(); head.len()]],
        };
        assert_whole_words(&table(&["Cell", "Against the baseline, points"], "0"));
        // In a squeezed table, short columns next to long ones keep their words whole.
        let long = "Attacker: figures lost";
        assert_whole_words(&table(&["Cell", "Name", long, long, long, long, long], "10.25 (10.13–10.38)"));
        let metric = "Defender: units that ever routed";
        let mut wide = table(&["Cell", "Name", metric, metric, metric, metric, metric, metric], "12.25 (12.13–12.38)");
        wide.rows[0][1] =
            "heavy cavalry against a battalion in column of divisions, from the rear and under fire".to_owned();
        assert_whole_words(&wide);
        for study in [twelve_cells(), results(&[], 100, |_| 0.3)] {
            let report = Report::on(&study);
            report.tables.iter().chain(&report.asked).for_each(assert_whole_words);
        }
        // If there is not room for all words, only the longest are broken.
        let mut full = table(&["Cell"; 12], "0");
        full.rows[0][11] = "x".repeat(200);
        full.rows[0][10] = "x".repeat(200);
        let widths = widths(&full);
        assert!((widths.iter().sum::<f64>() - WIDTH).abs() < 1e-6);
        let cell = font::width("Cell", FINE, Weight::Bold);
        assert!(widths[..10].iter().all(|width| *width >= cell + GUTTER) && (widths[10] - widths[11]).abs() < 1e-6);
    }

    #[test]
    fn a_table_with_more_columns_than_room_is_squeezed() {
        let head: Vec<String> = (0..30).map(|nth| format!("column {nth}")).collect();
        let rows = vec![head.iter().map(|name| format!("{name} {}", "x".repeat(40))).collect(); 200];
        let table = Table { caption: "Wide".to_owned(), head, rows };
        assert!((widths(&table).iter().sum::<f64>() - WIDTH).abs() < 1e-6);
        let mut setter = Setter::new();
        setter.table(&table);
        let pages = setter.finished("wide");
        assert!(pages.len() > 1);
        let rows = pages.iter().flat_map(|page| &page.blocks).filter(|block| block.role == Role::Row).count();
        assert_eq!(rows, 200 + pages.len());
    }
}
