//! Text in columns.

use console::measure_text_width;

/// The gap between two columns.
pub(super) const GAP: usize = 2;

/// A column: a heading of one or more lines, and a text for each row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Column {
    pub(crate) head: Vec<String>,
    pub(crate) rows: Vec<String>,
    /// Whether texts are right-aligned.
    pub(crate) right: bool,
}

impl Column {
    /// A column with this heading, broken into lines no wider than the column needs.
    pub(crate) fn new(head: &str, rows: Vec<String>) -> Self {
        let needed = rows.iter().map(|row| measure_text_width(row)).max().unwrap_or(0);
        Self { head: broken(head, needed.max(8)), rows, right: false }
    }

    /// Aligns the texts to the right.
    pub(crate) fn right(mut self) -> Self {
        self.right = true;
        self
    }

    /// Its width.
    pub(super) fn width(&self) -> usize {
        self.head.iter().chain(&self.rows).map(|text| measure_text_width(text)).max().unwrap_or(0)
    }

    fn line(&self, text: &str, width: usize, line: &mut String) {
        let space = " ".repeat(width.saturating_sub(measure_text_width(text)));
        let (before, after) = if self.right { (space.as_str(), "") } else { ("", space.as_str()) };
        line.extend([before, text, after]);
    }
}

/// Words in lines of at most `width` columns, with at least one word each; words may also be split after a dash.
/// Line breaks in the text are kept.
fn broken(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for given in text.split('\n') {
        let mut room = false;
        for word in given.split_inclusive([' ', '-']) {
            let fits = |line: &String| measure_text_width(line) + measure_text_width(word.trim_end()) <= width;
            match lines.last_mut().filter(|line| room && fits(line)) {
                Some(line) => line.push_str(word),
                None => lines.push(word.to_owned()),
            }
            room = true;
        }
    }
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

/// A block of rows under its own heading.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    /// May be empty.
    pub(super) heading: String,
    /// The numbers of the rows.
    pub(super) rows: Vec<usize>,
}

/// The width of columns side by side.
pub(super) fn width(columns: &[Column]) -> usize {
    columns.iter().map(|column| column.width() + GAP).sum::<usize>().saturating_sub(GAP)
}

/// The columns as lines: headings, a rule, and the blocks of rows, with an empty line between blocks that are long or have
/// headings.
pub(super) fn lines(columns: &[Column], blocks: &[Block]) -> Vec<String> {
    let widths: Vec<usize> = columns.iter().map(Column::width).collect();
    let line = |text: &dyn Fn(&Column) -> String| {
        let mut line = String::new();
        for (column, width) in columns.iter().zip(&widths) {
            if !line.is_empty() {
                line.push_str(&" ".repeat(GAP));
            }
            column.line(&text(column), *width, &mut line);
        }
        line.trim_end().to_owned()
    };
    let height = columns.iter().map(|column| column.head.len()).max().unwrap_or(0);
    let mut lines = Vec::new();
    for at in 0..height {
        let heading = |column: &Column| {
            let above = height - column.head.len();
            at.checked_sub(above).map_or_else(String::new, |at| column.head[at].clone())
        };
        lines.push(line(&heading));
    }
    lines.push("─".repeat(width(columns)));
    let apart = blocks.iter().any(|block| !block.heading.is_empty()) || blocks.iter().all(|block| block.rows.len() > 2);
    for (number, block) in blocks.iter().enumerate() {
        if number > 0 && apart {
            lines.push(String::new());
        }
        if !block.heading.is_empty() {
            lines.push(block.heading.clone());
        }
        lines.extend(block.rows.iter().map(|&row| line(&|column: &Column| column.rows[row].clone())));
    }
    lines
}

/// The columns as a table in Markdown: one line of headings, then the rows.
pub(super) fn markdown(columns: &[Column]) -> Vec<String> {
    let line = |texts: Vec<String>| format!("| {} |", texts.join(" | "));
    let head = |column: &Column| escaped(&column.head.join(" "));
    let rule = |column: &Column| if column.right { "--:" } else { "---" }.to_owned();
    let mut lines = vec![line(columns.iter().map(head).collect()), line(columns.iter().map(rule).collect())];
    let rows = columns.iter().map(|column| column.rows.len()).max().unwrap_or(0);
    for row in 0..rows {
        lines.push(line(columns.iter().map(|column| escaped(column.rows[row].trim())).collect()));
    }
    lines
}

/// A text escaped for a Markdown table.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '|' | '\\' | '`' | '*' | '_' | '<' | '[') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_broken_to_the_width_of_their_column() {
        assert_eq!(broken("attacker wins", 9), ["attacker", "wins"]);
        assert_eq!(broken("austrian-grenadiers win", 10), ["austrian-", "grenadiers", "win"]);
        assert_eq!(broken("cell", 1), ["cell"]);
        assert_eq!(broken("french\nwins", 20), ["french", "wins"]);
    }

    #[test]
    fn markdown_escapes_what_would_end_a_cell() {
        let columns = [
            Column::new("cell", vec!["0".to_owned()]).right(),
            Column::new("red\nwins", vec![" 5.2 ±0.7  ".to_owned()]),
            Column::new("a|b", vec!["x_y".to_owned()]),
        ];
        let table = markdown(&columns);
        assert_eq!(table, ["| cell | red wins | a\\|b |", "| --: | --- | --- |", "| 0 | 5.2 ±0.7 | x\\_y |"]);
    }

    #[test]
    fn columns_stand_side_by_side() {
        let texts = |texts: [&str; 2]| texts.map(str::to_owned).to_vec();
        let columns = [
            Column::new("cell", texts(["0", "11"])).right(),
            Column::new("ünit", texts(["a", "bb"])),
            Column::new("wins", texts(["1.5", "20"])),
        ];
        let block = |heading: &str, row| Block { heading: heading.to_owned(), rows: vec![row] };
        let table = lines(&columns, &[block("", 0), block("", 1)]);
        assert_eq!(table, ["cell  ünit  wins", "────────────────", "   0  a     1.5", "  11  bb    20"]);
        assert_eq!(width(&columns), 16);
        let table = lines(&columns, &[block("one", 0), block("two", 1)]);
        assert_eq!(table[2..], ["one", "   0  a     1.5", "", "two", "  11  bb    20"]);
    }
}
