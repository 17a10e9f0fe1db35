//! Compares the outputs of a notebook's cells, when they are run, with the stored ones.

use std::cell::RefCell;
use std::fmt::{Arguments, Debug, Write as _};

use serde_json::{Value as Json, json};

/// The output of one cell, by its number from 1.
struct Shown {
    cell: usize,
    printed: String,
    /// A value at its end, as HTML.
    value: Option<String>,
}

thread_local! {
    /// The cells of the notebook that this thread runs.
    static CELLS: RefCell<Vec<Shown>> = const { RefCell::new(Vec::new()) };
}

/// Begins a notebook. The files that it writes go to a folder for tests.
pub(super) fn open() {
    std::env::set_current_dir(env!("CARGO_TARGET_TMPDIR")).expect("a folder for tests");
}

/// Begins a cell.
pub(super) fn cell(cell: usize) {
    CELLS.with_borrow_mut(|cells| cells.push(Shown { cell, printed: String::new(), value: None }));
}

fn on_cell(change: impl FnOnce(&mut Shown)) {
    CELLS.with_borrow_mut(|cells| change(cells.last_mut().expect("a cell has begun")));
}

/// Prints a line.
pub(super) fn print(words: Arguments<'_>) {
    on_cell(|cell| writeln!(cell.printed, "{words}").expect("a string takes everything"));
}

/// Shows the value at the end of a cell: a figure, which prints its own description for the kernel.
pub(super) fn show(figure: &impl Debug) {
    let text = format!("{figure:?}");
    let html = text.strip_prefix("EVCXR_BEGIN_CONTENT text/html\n");
    let html = html.and_then(|text| text.strip_suffix("\nEVCXR_END_CONTENT")).expect("a figure");
    on_cell(|cell| cell.value = Some(html.to_owned()));
}

/// Text split into lines, as notebooks store it.
fn lines(text: &str) -> Json {
    text.split_inclusive('\n').map(Json::from).collect()
}

impl Shown {
    /// The outputs that a kernel would store.
    fn outputs(&self) -> Json {
        let mut outputs = Vec::new();
        if !self.printed.is_empty() {
            outputs.push(json!({ "name": "stdout", "output_type": "stream", "text": lines(&self.printed) }));
        }
        if let Some(html) = &self.value {
            outputs.push(json!({
                "data": { "text/html": lines(html) },
                "execution_count": self.cell,
                "metadata": {},
                "output_type": "execute_result",
            }));
        }
        outputs.into()
    }
}

/// Ends a notebook: its outputs must equal the stored ones. With `BLESS=1`, stores them in the notebook instead.
pub(super) fn hold(name: &str) {
    let cells = CELLS.take();
    let mut notebook = super::notebook(name);
    let bless = std::env::var_os("BLESS").is_some();
    let kept = notebook["cells"].as_array_mut().expect("cells");
    let kept = kept.iter_mut().filter(|cell| cell["cell_type"] == "code");
    let mut stale = Vec::new();
    for (number, kept) in (1..).zip(kept) {
        let shown = cells.iter().find(|shown| shown.cell == number).map_or_else(|| json!([]), Shown::outputs);
        if kept["outputs"] != shown {
            stale.push(format!("cell {number}\nkept: {}\nnow:  {shown}", kept["outputs"]));
            kept["outputs"] = shown;
        }
        kept["execution_count"] = number.into();
    }
    if bless {
        super::write(name, &notebook);
    } else {
        let stale = stale.join("\n");
        assert!(stale.is_empty(), "{name}.ipynb keeps other outputs; `BLESS=1` writes these:\n{stale}");
    }
}
