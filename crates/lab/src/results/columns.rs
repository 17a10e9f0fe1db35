//! Names of columns, the same in files and in CSV: `snake_case`, so that no query needs to quote them.

use grognard_engine::{BySide, Side};

use super::{Manifest, Varied};

/// Column names in the files of every study. A varied path never gets one of them.
const TAKEN: [&str; 36] = [
    "cell",
    "label",
    "baseline",
    "turn_limit",
    "battle",
    "winner",
    "baseline_winner",
    "won",
    "turns",
    "losses",
    "routed_units",
    "shaken_units",
    "rout_turn",
    "luck",
    "side",
    "metric",
    "kind",
    "value",
    "count",
    "term",
    "sum",
    "exact",
    "mean",
    "low",
    "high",
    "level",
    "runs",
    "variance_ratio",
    "p",
    "error",
    "fraction",
    "left_out",
    "states",
    "paths",
    "widest",
    "bytes",
];

/// The values kept for each side of a battle, other than its luck, by column name.
pub(super) const OF_SIDE: [&str; 4] = ["losses", "routed_units", "shaken_units", "rout_turn"];
/// The column of a side's luck in rolls, if it is counted.
pub(super) const LUCK: &str = "luck";

/// A name converted to a column name: `defender.0.formation` is `defender_0_formation`, `Old Guard` is `old_guard`.
#[must_use]
pub fn column_name(name: &str) -> String {
    let plain = |letter: char| if letter.is_alphanumeric() { letter } else { '_' };
    let column: String = name.to_lowercase().chars().map(plain).collect();
    if column.starts_with(|first: char| first.is_alphabetic()) { column } else { format!("_{column}") }
}

/// A variant of a name that is not in `taken` yet; it is added to `taken`.
fn unused(name: String, taken: &mut Vec<String>) -> String {
    let again = (2_u32..).map(|nth| format!("{name}_{nth}"));
    let free = std::iter::once(name.clone()).chain(again).find(|name| !taken.contains(name)).unwrap_or(name);
    taken.push(free.clone());
    free
}

/// The names of the columns of a study's files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    /// The prefix of each side's columns: `attacker` for `attacker_losses`.
    pub sides: BySide<String>,
    /// The columns of the varied paths, in the order of [`Manifest::vary`].
    pub vary: Vec<String>,
}

impl Columns {
    /// The columns of a study with these sides and varied paths.
    #[must_use]
    pub fn of(sides: &[String], vary: &[Varied]) -> Self {
        let mut prefixes = Vec::new();
        let sides = BySide::of(sides.len(), |side| unused(column_name(&sides[side.index()]), &mut prefixes));
        let mut taken: Vec<String> = TAKEN.map(str::to_owned).into();
        for &side in sides.sides() {
            let of_side = OF_SIDE.into_iter().chain([LUCK, "figures", "units"]);
            taken.extend(of_side.map(|what| format!("{}_{what}", sides[side])));
        }
        let fixed = taken.clone();
        let of_path = |varied: &Varied| {
            let name = column_name(&varied.path);
            let name = if fixed.contains(&name) { format!("vary_{name}") } else { name };
            unused(name, &mut taken)
        };
        Self { sides, vary: vary.iter().map(of_path).collect() }
    }

    /// A column of a side: `attacker_losses`.
    #[must_use]
    pub fn of_side(&self, side: Side, what: &str) -> String {
        format!("{}_{what}", self.sides[side])
    }
}

impl Manifest {
    /// The names of the columns of its files.
    #[must_use]
    pub fn columns(&self) -> Columns {
        Columns::of(&self.sides, &self.vary)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn varied(path: &str) -> Varied {
        Varied { path: path.to_owned(), values: Vec::new() }
    }

    #[test]
    fn names_need_no_quotes() {
        assert_eq!(column_name("defender.0.formation"), "defender_0_formation");
        assert_eq!(
            column_name("roll.shock.modifier.cavalry-vs-square.add"),
            "roll_shock_modifier_cavalry_vs_square_add"
        );
        assert_eq!(column_name("Old Guard"), "old_guard");
        assert_eq!(column_name("1st corps"), "_1st_corps");
        assert_eq!(column_name("österreich"), "österreich");
    }

    #[test]
    fn no_two_columns_have_one_name() {
        let sides = ["red coats".to_owned(), "red-coats".to_owned()];
        let paths = ["turns", "a.b", "a-b", "red-coats.losses", "vary.turns"].map(varied);
        let columns = Columns::of(&sides, &paths);
        assert_eq!(columns.sides, BySide::new("red_coats".to_owned(), "red_coats_2".to_owned()));
        assert_eq!(columns.vary, ["vary_turns", "a_b", "a_b_2", "vary_red_coats_losses", "vary_turns_2"]);
        assert_eq!(columns.of_side(Side::Second, "losses"), "red_coats_2_losses");
    }
}
