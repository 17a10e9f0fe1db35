//! Shares as bars of blocks.

use super::grid::Column;
use crate::text::shortened;

/// The minimum and maximum width of a full bar.
const WIDTH: (usize, usize) = (10, 40);

/// Eighths of a block.
const PARTS: [char; 8] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/// A column of bars for shares from 0 to 1 under this heading, no wider than `room`; `None` without shares or without
/// room.
pub(super) fn column(name: &str, shares: &[f64], room: usize) -> Option<Column> {
    if shares.is_empty() || room < WIDTH.0 {
        return None;
    }
    // An even width has a middle.
    let width = room.min(WIDTH.1) / 2 * 2;
    let scale = format!("0{:>middle$}{:>end$}", "50", "100", middle = width / 2, end = width - width / 2 - 1);
    Some(Column {
        head: vec![shortened(name, width), scale],
        rows: shares.iter().map(|&share| bar(share, width)).collect(),
        right: false,
    })
}

/// A bar of this fraction of `width` columns, to an eighth of a column. A share above 0 is always visible.
fn bar(share: f64, width: usize) -> String {
    let eighths = (share.clamp(0.0, 1.0) * 8.0 * width as f64).round() as usize;
    let eighths = if share > 0.0 { eighths.max(1) } else { eighths };
    let mut bar = "█".repeat(eighths / 8);
    bar.extend((!eighths.is_multiple_of(8)).then(|| PARTS[eighths % 8]));
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_shares_are_large() {
        assert_eq!([bar(0.0, 10), bar(0.5, 10), bar(1.0, 10)], ["", "█████", "██████████"]);
        assert_eq!([bar(0.0125, 10), bar(1e-6, 10), bar(0.55, 10)], ["▏", "▏", "█████▌"]);
        assert_eq!([bar(2.0, 2), bar(-1.0, 2), bar(f64::NAN, 2)], ["██", "", ""]);
    }

    #[test]
    fn there_are_bars_where_there_is_room() {
        assert!(column("red wins", &[0.5], 9).is_none() && column("red wins", &[], 40).is_none());
        let bars = column("red wins", &[0.5, 1.0], 13).expect("there is room");
        assert_eq!(bars.width(), 12);
        assert_eq!(bars.head, ["red wins", "0    50  100"]);
        assert_eq!(column("red wins", &[1.0], 400).expect("there is room").width(), 40);
    }
}
