//! The clauses of the rulebook that were used, with what they require.

use grognard_lab::watched::WatchedClause;

use crate::charts::{Chart, ChartData, often, percent};
use crate::reading::Reading;
use crate::table::Table;
use crate::text::{InPrint, listed, plural};

/// The clauses of the packs, as used in the watched battles.
#[derive(Clone, Debug, PartialEq)]
pub struct RulesInPlay {
    /// How they were counted.
    pub about: String,
    /// How often each was used, and how much that differs between cells; `None` if all were used in every battle or in none.
    pub chart: Option<Chart>,
    /// Clauses cited by something that was used, in the order of the rulebook, with how often they were.
    pub played: Table,
    /// A sentence on the clauses not cited by anything that was used; `None` if there are none.
    pub never: Option<String>,
}

/// The clauses used, with their chart. If the chart is among `charts`, it is removed from there and placed next to the
/// table. `None` if no battles were watched or the packs list no clauses.
pub(crate) fn in_play(reading: &Reading<'_>, charts: &mut Vec<Chart>) -> Option<RulesInPlay> {
    let watched = reading.results.watched.as_ref()?;
    let cells = watched.cells.len();
    let all = watched.clause_battles.saturating_mul(cells as u64);
    if watched.clauses.is_empty() || all == 0 {
        return None;
    }
    let sum =
        |clause: &WatchedClause| clause.battles.iter().fold(0_u64, |sum, &count| sum.saturating_add(count)).min(all);
    let (played, never): (Vec<_>, Vec<_>) = watched.clauses.iter().partition(|clause| sum(clause) > 0);
    let row = |clause: &&WatchedClause| {
        let in_cells = clause.battles.iter().filter(|&&battles| battles > 0).count();
        let share = match sum(clause) {
            count if count == all => "every battle".to_owned(),
            count if cells == 1 => often(reading, count, all, cells).share_range(),
            count => percent(count as f64 / all as f64),
        };
        vec![clause.id.clone(), share, in_cells.to_string(), clause.text.clone()]
    };
    let each = if cells > 1 { format!(" of each of {cells} cells") } else { String::new() };
    let about = format!(
        "A clause counts when a row of the pack that cites it decides something; a row that cites several clauses counts for \
         all of them. Counted in the first {}{each}.",
        plural(watched.clause_battles as usize, "battle")
    );
    let head = ["Clause", "Used in", "Cells", "Requires"].map(str::to_owned).into();
    let caption = format!("Clauses used, {} of {}", played.len(), watched.clauses.len());
    let ids: Vec<String> = never.iter().map(|clause| clause.id.clone()).collect();
    Some(RulesInPlay {
        about,
        chart: charts.extract_if(.., |chart| matches!(chart.data, ChartData::Clauses(_))).next(),
        played: Table { caption, head, rows: played.iter().map(row).collect() },
        never: (!ids.is_empty()).then(|| format!("Not used in these battles: {}.", listed(&ids))),
    })
}
