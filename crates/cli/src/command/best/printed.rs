//! Best play, in words and numbers.

use std::collections::BTreeMap;

use grognard_engine::Side;
use grognard_exact::best::{Bracket, OfferPlayed};
use grognard_lab::questions::{BestCell, Place, Provenance};
use grognard_report::Chart;
use grognard_report::charts::{TORNADO_ROWS, Tornado, TornadoBar, TornadoRow};
use grognard_rules::model::Repertoire;
use grognard_stats::Estimate;
use serde_json::{Value as Json, json};

use super::Report;
use crate::answer::Answer;
use crate::study::metric_name;
use crate::table::Column;
use crate::text::{as_title, capitalised, counted, plural, series, true_minus};

/// Maximum number of rows of doctrine in the table.
const LISTED: usize = 20;
/// The minimum that a row must give away on average to be listed: the smallest amount that the table shows.
const LEAST: f64 = 0.000_05;
/// Values closer than this differ only by rounding.
const EQUAL: f64 = 1e-9;
/// Values smaller than this look like 0 in a sentence.
const SHOWN: f64 = 0.000_5;
/// An option has no alternative if no other is as good in this share of the situations.
const ALWAYS: f64 = 0.99;
/// How often per battle an option must occur to be mentioned.
const MET: f64 = 0.001;

/// What a row of doctrine gives away, over all cells.
struct Given<'a> {
    place: &'a Place,
    row: Option<&'a str>,
    met: f64,
    lost: f64,
}

impl Report<'_> {
    /// The answer in every form.
    pub(super) fn answer(&self) -> Answer {
        Answer {
            name: "best",
            title: self.study.header.title.clone(),
            asked: format!("What is the value of {} between perfect players?", self.metric()),
            fought: self.fought(),
            sentences: self.sentences(),
            columns: self.columns(),
            more: self.given_away().into_iter().collect(),
            legend: self.legend(),
            json: self.json(),
            records: self.records(),
            chart: self.chart(),
            command: self.command.clone(),
        }
    }

    fn metric(&self) -> String {
        metric_name(&self.best.quantity)
    }

    fn share(&self) -> bool {
        self.best.quantity.share
    }

    fn fought(&self) -> String {
        let states: u64 = self.cells.iter().map(|cell| cell.effort.states).sum();
        let how = if self.cells.iter().all(|cell| cell.exact) { "exact" } else { "brackets" };
        format!(
            "{}, {how}, {}, {}",
            plural(self.cells.len() as u64, "cell"),
            plural(states, "situation"),
            self.study.pack_line()
        )
    }

    /// A value: `12.3 %`, or `10.1 to 15.2 %` if it is a bracket.
    fn value(&self, bracket: Bracket) -> String {
        self.number(bracket, if self.share() { " %" } else { "" })
    }

    /// The value without its unit.
    fn number(&self, Bracket { low, high }: Bracket, unit: &str) -> String {
        let (factor, places) = if self.share() { (100.0, 1_usize) } else { (1.0, 2) };
        let print = |value: f64| true_minus(&format!("{:.places$}", value + 0.0));
        if high - low < EQUAL {
            return format!("{}{unit}", print(factor * low));
        }
        // A printed bracket is rounded outwards, so it still contains the value.
        let digits = 10_f64.powi(places as i32);
        let (low, high) = ((factor * low * digits).floor() / digits, (factor * high * digits).ceil() / digits);
        format!("{} to {}{unit}", print(low), print(high))
    }

    /// `1.2 points`.
    fn points(&self, bracket: Bracket) -> String {
        self.number(bracket, if self.share() { " points" } else { "" })
    }

    fn of_cell(&self, cell: &BestCell) -> String {
        if self.cells.len() == 1 {
            return String::new();
        }
        format!(" in cell {} ({})", cell.header.cell, cell.header.label)
    }

    fn sentences(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        // The cell with the largest certain difference comes first; if no difference is certain, the cell whose values
        // are known best.
        let moved = |cell: &BestCell| {
            let (default, best) = (cell.values.default_default, cell.values.best_best);
            let certain = (best.low - default.high).max(default.low - best.high).max(0.0);
            certain - EQUAL * (default.width() + best.width())
        };
        if let Some(cell) = first_greatest(self.cells, moved) {
            sentences.push(format!(
                "{} is {} if both sides follow their doctrines and {} if both play {}{}.",
                capitalised(&self.metric()),
                self.value(cell.values.default_default),
                self.value(cell.values.best_best),
                if self.has_own_orders() { "perfectly" } else { "as well as the orders named below allow" },
                self.of_cell(cell)
            ));
        }
        let [first, second] = Side::BOTH.map(|side| self.gained(side));
        let known = |cell: &BestCell| cell.exact && cell.rows_known == [true; 2] && cell.rows.is_empty();
        let choiceless = self.cells.iter().all(known) && Side::BOTH.iter().all(|&side| self.orders_of(side).is_empty());
        sentences.push(match first == second {
            true if choiceless => "Neither side ever has a choice: these battles are decided by dice alone.".to_owned(),
            true => format!("Against the other side's doctrine, best play gains {first} for either side."),
            false => {
                let [one, other] = [&self.study.sides[0], &self.study.sides[1]];
                format!(
                    "Against the other side's doctrine, best play gains {first} for {one} and {second} for {other}."
                )
            }
        });
        sentences.extend(Side::BOTH.iter().filter_map(|&side| self.with_other_orders(side)));
        if let Some((switch, without)) = &self.without {
            let pairs: Vec<(&BestCell, &BestCell)> = self.cells.iter().zip(without).collect();
            let worth = |(cell, other): &(&BestCell, &BestCell)| {
                difference(cell.values.default_default, other.values.default_default)
            };
            if let Some(pair) = first_greatest(&pairs, |pair| worth(pair).middle().abs()) {
                let best = difference(pair.0.values.best_best, pair.1.values.best_best);
                sentences.push(format!(
                    "{} is worth {} between doctrines and {} between experts{}.",
                    capitalised(&switch.name()),
                    self.points(worth(pair)),
                    self.points(best),
                    self.of_cell(pair.0)
                ));
            }
        }
        if let Some((side, words)) = &self.words {
            let name = &self.study.sides[side.index()];
            let value = |value: f64| self.value(Bracket { low: value, high: value });
            let lost = words.lost();
            let rows = match words.policy.rows.len() as u64 {
                0 => "no rows".to_owned(),
                rows => plural(rows, "row"),
            };
            sentences.push(format!(
                "A doctrine for the {name} with {rows} scores {} against best play{}{}.",
                value(words.value),
                if self.cells.len() > 1 { " on average" } else { "" },
                if lost < SHOWN {
                    ", as much as the table of all choices".to_owned()
                } else {
                    format!("; the table of all choices scores {}", value(words.table))
                }
            ));
            if words.too_large > 0 {
                sentences.push(format!(
                    "{} skipped as too large to evaluate: there may be better doctrines.",
                    match words.too_large {
                        1 => "One other was".to_owned(),
                        several => format!("{} others were", counted(several)),
                    }
                ));
            } else if !words.settled {
                sentences.push("The search for a doctrine was stopped: there may be better ones.".to_owned());
            }
        }
        let width = self.best.precision.map_or(0.0, |half| 2.0 * half);
        let narrow = |cell: &&BestCell| cell.values.named().iter().all(|(_, value)| value.high - value.low <= width);
        let cut = |cell: &&BestCell| !cell.exact && !cell.sees_cards;
        let (narrow, open): (Vec<_>, Vec<_>) = self.cells.iter().filter(cut).partition(narrow);
        if self.cells.iter().any(|cell| cell.sees_cards) {
            sentences.push(
                "The pack has hidden cards, but best play sees them. Each of its values is therefore a range, from \
                 what a side gets by following its doctrine to what it gets by seeing all cards."
                    .to_owned(),
            );
        }
        if !open.is_empty() {
            let time = if self.best.time.is_some() { ", and more time may narrow it" } else { "" };
            sentences.push(format!(
                "{} could not be enumerated completely: every value lies within its bracket{time}.",
                capitalised(&plural(open.len() as u64, "cell"))
            ));
        }
        if !narrow.is_empty() {
            sentences.push(format!(
                "{} did not need a complete enumeration: no value lies more than {} from the middle of its bracket.",
                capitalised(&plural(narrow.len() as u64, "cell")),
                self.points(Bracket { low: width / 2.0, high: width / 2.0 })
            ));
        }
        sentences
    }

    /// Best play in words, as a table of a pack; `None` if it was not requested.
    pub(super) fn toml(&self) -> Option<String> {
        let (side, words) = self.words.as_ref()?;
        let value = |value: f64| self.value(Bracket { low: value, high: value });
        let notes = [
            format!(
                "A description of best play by the {} in the study {}: {} is {} against best play, {} with the full table of choices, {} with `{}`.",
                self.study.sides[side.index()],
                self.study.header.name,
                self.metric(),
                value(words.value),
                value(words.table),
                value(words.before),
                words.from.name
            ),
            format!("Found by: {}", self.command),
        ];
        Some(words.toml(&notes))
    }

    /// What best play gains a side: `attacker 5.8 points`, `attacker up to 5.8 points (cell 18)`, `defender nothing`.
    fn gained(&self, side: Side) -> String {
        let gain = |cell: &BestCell| cell.values.gain(side);
        let most = self.cells.iter().map(|cell| gain(cell).high).fold(0.0, f64::max);
        // If gains are brackets, this is the cell with the largest certain gain; other cells may gain more.
        let Some(cell) = first_greatest(self.cells, |cell| gain(cell).low + EQUAL * gain(cell).high) else {
            return "nothing".to_owned();
        };
        match gain(cell) {
            _ if most < EQUAL => "nothing".to_owned(),
            _ if most < SHOWN => "next to nothing".to_owned(),
            gain if self.cells.len() == 1 => self.points(gain),
            gain if most > gain.high + SHOWN => {
                format!("{} in cell {} and perhaps more in others", self.points(gain), cell.header.cell)
            }
            gain => format!("up to {} (cell {})", self.points(gain), cell.header.cell),
        }
    }

    /// Whether best play uses the orders of the sides' own doctrines in all cells.
    fn has_own_orders(&self) -> bool {
        self.cells.iter().all(|cell| cell.doctrines.iter().all(Option::is_none))
    }

    /// The doctrines whose orders a side's best play chooses from, each once; empty if it uses only the side's own
    /// doctrine.
    fn orders_of(&self, side: Side) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for name in self.cells.iter().filter_map(|cell| cell.doctrines[side.index()].as_ref()) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    }

    /// A sentence about a side whose best play uses orders other than those of its doctrine, and about the cells in
    /// which the doctrine is worth more; `None` if best play uses the doctrine's own orders.
    fn with_other_orders(&self, side: Side) -> Option<String> {
        let (name, orders) = (&self.study.sides[side.index()], self.orders_of(side));
        if orders.is_empty() {
            return None;
        }
        let loss = |cell: &BestCell| {
            let Bracket { low, high } = cell.values.gain_alone(side);
            Bracket { low: -high, high: -low }
        };
        let worse: Vec<&BestCell> = self.cells.iter().filter(|cell| loss(cell).low >= SHOWN).collect();
        let than = match first_greatest(&worse, |cell| loss(cell).low) {
            None => "It may be worth less than the doctrine, but here it is not".to_owned(),
            Some(cell) if self.cells.len() == 1 => {
                format!("It is worth {} less than the doctrine, whose value is used instead", self.points(loss(cell)))
            }
            Some(cell) => format!(
                "It is worth less than the doctrine in {} of {} cells, by up to {} (cell {}); the doctrine's value \
                 is used there",
                worse.len(),
                self.cells.len(),
                self.points(loss(cell)),
                cell.header.cell
            ),
        };
        Some(format!(
            "Best play for the {name} uses the orders of {}, not those of its doctrine. {than}.",
            series(&orders, "and")
        ))
    }

    /// The cells in which a side chooses its doctrine in `best/best`, and the values without this choice; `None` if
    /// there are none.
    fn follows(&self, side: Side) -> Option<String> {
        let followed: Vec<&BestCell> = self.cells.iter().filter(|cell| cell.values.follows() == Some(side)).collect();
        let alone = |cell: &BestCell| self.value(cell.values.both_alone);
        let cells = match followed[..] {
            [] => return None,
            [cell] if self.cells.len() == 1 => format!(": without this choice, the value would be {}", alone(cell)),
            [first, ..] => format!(
                " in {} of {} cells: without this choice, the value would be {} instead of {} in cell {}",
                followed.len(),
                self.cells.len(),
                alone(first),
                self.value(first.values.best_best),
                first.header.cell
            ),
        };
        Some(format!("best/best: the {} chooses its doctrine{cells}.", self.study.sides[side.index()]))
    }

    fn columns(&self) -> Vec<Column> {
        let mut columns = Vec::new();
        if self.cells.len() > 1 {
            let number = |cell: &BestCell| cell.header.cell.to_string();
            columns.push(Column::new("cell", self.cells.iter().map(number).collect()).right());
        }
        let names = ["default/default", "best/default", "default/best", "best/best"];
        for (place, name) in names.into_iter().enumerate() {
            let value = |cell: &BestCell| self.number(cell.values.named()[place].1, "");
            columns.push(Column::new(name, self.cells.iter().map(value).collect()).right());
        }
        if let Some((_, without)) = &self.without {
            let pairs = || self.cells.iter().zip(without);
            let default = |(cell, other): (&BestCell, &BestCell)| {
                self.number(difference(cell.values.default_default, other.values.default_default), "")
            };
            let best = |(cell, other): (&BestCell, &BestCell)| {
                self.number(difference(cell.values.best_best, other.values.best_best), "")
            };
            columns.push(Column::new("worth, default", pairs().map(default).collect()).right());
            columns.push(Column::new("worth, best", pairs().map(best).collect()).right());
        }
        if self.cells.len() > 1 {
            columns.push(Column::new("", self.cells.iter().map(|cell| cell.header.label.clone()).collect()));
        }
        columns
    }

    /// The repertoire of the players, if it is the same in all cells.
    fn repertoire(&self) -> Option<Repertoire> {
        let mut of_cells = self.cells.iter().map(|cell| self.study.cells[cell.header.cell as usize].rules.repertoire);
        let first = of_cells.next()?;
        of_cells.all(|other| other == first).then_some(first)
    }

    /// The orders of best play.
    fn orders(&self) -> String {
        let others = Side::BOTH.map(|side| self.orders_of(side));
        if others.iter().all(Vec::is_empty) {
            return match self.repertoire() {
                None => "the orders of the repertoire that the study names for each cell".to_owned(),
                Some(Repertoire::Own) => "the orders that the doctrine contains".to_owned(),
                Some(Repertoire::Pack) => {
                    "the orders that any doctrine of the pack contains (repertoire pack)".to_owned()
                }
                Some(Repertoire::Declared) => {
                    "the orders that the doctrine contains or the pack declares as choices (repertoire declared)"
                        .to_owned()
                }
            };
        }
        let of_side = |(side, names): (Side, Vec<String>)| {
            let name = &self.study.sides[side.index()];
            let all = self.cells.iter().all(|cell| cell.doctrines[side.index()].is_some());
            match names.is_empty() {
                true => format!("for the {name} those that the doctrine contains"),
                false if all => format!("for the {name} those of {}", series(&names, "and")),
                false => {
                    format!("for the {name} those of {} or those that the doctrine contains", series(&names, "and"))
                }
            }
        };
        let sides: Vec<String> = Side::BOTH.into_iter().zip(others).map(of_side).collect();
        format!("these orders: {}", sides.join(", "))
    }

    /// The amount that each row of the doctrines gives away over all cells, largest first.
    fn rows(&self) -> Vec<Given<'_>> {
        let mut sums: BTreeMap<(&Place, Option<&str>), (f64, f64)> = BTreeMap::new();
        let cells = self.walked_to_the_end().map(|cells| cells as f64);
        for cell in self.cells {
            for ((place, row), played) in &cell.rows {
                let cells = cells[place.side];
                let sum = sums.entry((place, row.as_deref())).or_default();
                sum.0 += played.met / cells;
                sum.1 += played.lost / cells;
            }
        }
        let mut rows: Vec<Given<'_>> =
            sums.into_iter().map(|((place, row), (met, lost))| Given { place, row, met, lost }).collect();
        rows.sort_by(|one, other| other.lost.total_cmp(&one.lost));
        rows
    }

    /// The number of cells in which a side's rows are known, by side.
    fn walked_to_the_end(&self) -> [usize; 2] {
        [0, 1].map(|side| self.cells.iter().filter(|cell| cell.rows_known[side]).count())
    }

    fn side(&self, place: &Place) -> String {
        self.study.sides[place.side].clone()
    }

    fn given_away(&self) -> Option<(String, Vec<Column>)> {
        let rows: Vec<Given<'_>> = self.rows().into_iter().filter(|row| row.lost >= LEAST).take(LISTED).collect();
        if rows.is_empty() {
            return None;
        }
        let number = |value: f64| self.number(Bracket { low: value, high: value }, "");
        let each = |row: &Given<'_>| number(row.lost / row.met);
        let columns = vec![
            Column::new("a battle", rows.iter().map(|row| number(row.lost)).collect()).right(),
            Column::new("each time", rows.iter().map(each).collect()).right(),
            Column::new("times", rows.iter().map(|row| format!("{:.2}", row.met)).collect()).right(),
            Column::new("side", rows.iter().map(|row| self.side(row.place)).collect()),
            Column::new("doctrine", rows.iter().map(|row| row.place.doctrine.clone()).collect()),
            Column::new("phase", rows.iter().map(|row| row.place.phase.clone()).collect()),
            Column::new("row", rows.iter().map(|row| row.row.unwrap_or("(no row: hold)").to_owned()).collect()),
        ];
        let unit = if self.share() { "in percentage points" } else { "of the metric" };
        let mean = match (self.cells.len(), self.walked_to_the_end()) {
            (1, _) => String::new(),
            (all, walked) if walked == [all; 2] => ", on average over the cells".to_owned(),
            (_, [first, second]) if first == second => {
                format!(", on average over {} enumerated completely", plural(first as u64, "cell"))
            }
            (_, walked) => {
                let by_side = [0, 1].map(|side| format!("{} for the {}", walked[side], self.study.sides[side]));
                format!(", on average over the cells enumerated completely ({})", by_side.join(", "))
            }
        };
        Some((format!("What the rows of the doctrines give away, {unit}{mean}:"), columns))
    }

    /// The options that occur in any cell, and how well they do between experts.
    fn offers(&self) -> Vec<(&Place, &str, OfferPlayed)> {
        let mut sums: BTreeMap<(&Place, &str), OfferPlayed> = BTreeMap::new();
        let cells = self.cells.iter().filter(|cell| !cell.offers.is_empty()).count() as f64;
        for cell in self.cells {
            for ((place, offer), played) in &cell.offers {
                let sum = sums.entry((place, offer)).or_default();
                sum.offered += played.offered / cells;
                sum.best += played.best / cells;
                sum.alone += played.alone / cells;
            }
        }
        sums.into_iter().map(|((place, offer), played)| (place, offer, played)).collect()
    }

    fn legend(&self) -> Vec<String> {
        let [first, second] = [&self.study.sides[0], &self.study.sides[1]];
        let unit = if self.share() { ", in per cent" } else { "" };
        let player = self.study.default_player.as_deref();
        let of_player = player.map_or_else(String::new, |player| format!(" ({player})"));
        let mut legend = vec![format!(
            "A/B: {}{unit}, where {first} is played by A and {second} by B. default: the doctrine{of_player}; best: perfect play with {}.",
            self.metric(),
            self.orders()
        )];
        if !self.has_own_orders() {
            legend.push(
                "At the start of a battle, a player with these orders chooses between perfect play with them and the \
                 side's own doctrine."
                    .to_owned(),
            );
            legend.extend(Side::BOTH.into_iter().filter_map(|side| self.follows(side)));
        }
        if let Some((switch, _)) = &self.without {
            legend.push(format!(
                "worth: {} with {} minus without it; best play is solved again without it.",
                self.metric(),
                switch.name()
            ));
        }
        if self.rows().iter().any(|row| row.lost >= LEAST) {
            legend.push(
                "Rows: each decision compared with the best one, if both sides follow their doctrines up to it and the side plays \
                 perfectly afterwards. A side's rows add up to its gain from best play."
                    .to_owned(),
            );
            for side in Side::BOTH.into_iter().filter(|&side| !self.orders_of(side).is_empty()) {
                legend.push(format!(
                    "Rows of the {}: those of {}, in the battles where it follows them. They add up to what best play gains over them.",
                    self.study.sides[side.index()],
                    series(&self.orders_of(side), "and")
                ));
            }
        }
        let named = |(place, offer, _): &(&Place, &str, OfferPlayed)| {
            format!("{offer} ({}, {})", self.side(place), place.phase)
        };
        let offers = self.offers();
        let met = || offers.iter().filter(|(_, _, played)| played.offered >= MET);
        let never: Vec<String> = met().filter(|(_, _, played)| played.best == 0.0).map(named).collect();
        let always: Vec<String> =
            met().filter(|(_, _, played)| played.alone >= ALWAYS * played.offered).map(named).collect();
        if !never.is_empty() {
            legend.push(format!("Never the best choice between experts: {}.", series(&never, "and")));
        }
        if !always.is_empty() {
            legend.push(format!("Always the only best choice between experts: {}.", series(&always, "and")));
        }
        let (paths, bytes) =
            self.cells.iter().fold((0, 0), |sum, cell| (sum.0 + cell.effort.paths, sum.1.max(cell.effort.bytes)));
        legend.push(format!(
            "{} enumerated; {} of memory for the largest cell.",
            capitalised(&plural(paths, "path")),
            if bytes < 1 << 20 { "less than a megabyte".to_owned() } else { format!("{} MiB", counted(bytes >> 20)) }
        ));
        legend
    }

    fn json(&self) -> Json {
        let words = Provenance { guarantee: String::new(), command: self.command.clone() };
        let without = self.without.as_ref().map(|(switch, cells)| (*switch, cells.as_slice()));
        let mut json = self.best.json(self.study, self.cells, without, &words);
        json["words"] = self.words.as_ref().map_or(Json::Null, |(side, words)| {
            json!({
                "side": self.study.sides[side.index()],
                "doctrine": self.toml(),
                "value": words.value,
                "table": words.table,
                "before": words.before,
                "lost": words.lost(),
                "too_large": words.too_large,
                "settled": words.settled,
            })
        });
        json
    }

    fn records(&self) -> Vec<Vec<String>> {
        let head = ["cell", "label", "players", "value", "low", "high", "exact"];
        let mut records = vec![head.map(str::to_owned).to_vec()];
        for cell in self.cells {
            for (name, bracket) in cell.values.named() {
                let mut fields = vec![cell.header.cell.to_string(), cell.header.label.clone(), name.to_owned()];
                fields.extend([bracket.middle(), bracket.low, bracket.high].map(|value| value.to_string()));
                fields.push(cell.exact.to_string());
                records.push(fields);
            }
        }
        records
    }

    fn chart(&self) -> Option<Chart> {
        let by = if self.share() { 100.0 } else { 1.0 };
        let given: Vec<Given<'_>> = self.rows().into_iter().filter(|row| row.lost >= LEAST).collect();
        let row = |given: &Given<'_>| {
            let lost = by * given.lost;
            TornadoRow {
                name: format!("{}: {}", self.side(given.place), given.row.unwrap_or("no row: hold")),
                bars: vec![TornadoBar {
                    label: self.number(Bracket { low: given.lost, high: given.lost }, ""),
                    effect: Estimate::bounded(lost, lost, lost),
                    larger: true,
                }],
            }
        };
        let hidden = given.len().saturating_sub(TORNADO_ROWS);
        let more = if hidden == 0 { String::new() } else { format!(" {hidden} that give away less are not shown.") };
        Tornado {
            name: "given-away",
            finding: as_title(&self.sentences()),
            about: format!(
                "What the rows of the doctrines give away in a battle{}: each decision compared with the best one.{more}",
                if self.share() { ", in percentage points" } else { "" }
            ),
            unit: if self.share() { "points".to_owned() } else { "a battle".to_owned() },
            sizes: false,
            key: [String::new(), String::new()],
            rows: given.iter().map(row).collect(),
        }
        .chart(format!("{}. Rerun: {}", self.fought(), self.command))
    }
}

/// The first item with the greatest key.
fn first_greatest<T>(all: &[T], of: impl Fn(&T) -> f64) -> Option<&T> {
    // `max_by` takes the last of equal items.
    all.iter().rev().max_by(|one, other| of(one).total_cmp(&of(other)))
}

/// One value minus another.
fn difference(one: Bracket, other: Bracket) -> Bracket {
    Bracket { low: one.low - other.high, high: one.high - other.low }
}
