//! How far the findings depend on who plays.

use grognard_lab::Side;
use grognard_lab::players::{BEST, Finding, Led, Players, Sign, Under, Value};
use grognard_lab::results::CellHeader;
use grognard_stats::Estimate;

use crate::charts::change;
use crate::reading::{Comparison, Reading};
use crate::table::{NONE, Table, metric_name};
use crate::text::{InPrint, capitalised, counted, listed, plural, spaced};

/// Maximum number of rows in the table of findings. If there are more findings, it shows only those on the cells asked
/// about and those that change sign between players.
const FINDINGS_MAX: usize = 40;
/// Maximum number of rows in the table of cells, with the same rule.
const CELLS_MAX: usize = 12;

/// A score and a share of wins that differ by less than this look equal to a reader.
const SAME: f64 = 0.005;

/// The findings under each player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhoPlays {
    /// The main finding as a score, for the first page, if that page gives it as wins and the two differ.
    pub as_score: Option<String>,
    /// Whether the main finding depends on who plays, in a sentence for the first page; `None` if no cell is compared
    /// with another.
    pub verdict: Option<String>,
    /// The players tried, the question, and the findings, by paragraph.
    pub about: Vec<String>,
    /// The cells and the findings under each player.
    pub tables: Vec<Table>,
}

/// The findings under each player; `None` if no other players were tried.
pub(crate) fn who_plays(reading: &Reading<'_>) -> Option<WhoPlays> {
    let players = reading.results.players.as_ref()?;
    if players.players.iter().all(Under::is_default) {
        return None;
    }
    let asked = Asked { reading, players, side: if players.is_score() { reading.victor } else { Side::First } };
    let findings = asked.findings();
    // A finding that has a value only for the doctrines says nothing about other players.
    let main = asked.main(&findings).filter(|finding| is_asked_of_several(finding));
    let mut about = vec![asked.about()];
    about.extend(asked.stay());
    about.extend(main.map(|finding| format!("{} {}", asked.numbers(finding), asked.verdict(finding))));
    about.extend(asked.sum(&findings));
    let tables = [Some(asked.cells()), asked.table(&findings)];
    Some(WhoPlays {
        as_score: main.and_then(|finding| asked.as_score(finding)),
        verdict: main.map(|finding| asked.verdict(finding)),
        about,
        tables: tables.into_iter().flatten().collect(),
    })
}

/// The question that was put to the players.
struct Asked<'a> {
    reading: &'a Reading<'a>,
    players: &'a Players,
    /// The side whose score is reported; the score that was counted is the first side's.
    side: Side,
}

impl<'a> Asked<'a> {
    fn names(&self) -> impl Iterator<Item = &'a str> {
        self.players.players.iter().map(|under| under.player.as_str())
    }

    /// The players as they appear in sentences, after `with`.
    fn all_who(&self) -> impl Iterator<Item = String> {
        self.players.players.iter().map(who)
    }

    /// The name of the number in a column or a sentence.
    fn number(&self) -> String {
        let side = &self.reading.sides()[self.side];
        match self.players.is_score() {
            true => format!("{}’s score", capitalised(side)),
            false => metric_name(self.reading, self.reading.headline.side, self.reading.headline.metric),
        }
    }

    /// The values of a cell under each player.
    fn values(&self, cell: &CellHeader) -> Vec<Option<Estimate>> {
        let values = self.players.values(&self.reading.results.manifest, cell.cell as usize);
        let told = |value: Estimate| if self.side == Side::First { value } else { value.complement() };
        values.into_iter().map(|value| value.map(told)).collect()
    }

    fn findings(&self) -> Vec<Finding> {
        let turned = |found: Estimate| Estimate { point: -found.point, low: -found.high, high: -found.low, ..found };
        let told = |found: Estimate| if self.side == Side::First { found } else { turned(found) };
        let mut findings = self.players.findings(&self.reading.results.manifest);
        for found in findings.iter_mut().flat_map(|finding| &mut finding.under) {
            *found = found.map(told);
        }
        findings
    }

    /// The report's main finding, or else the largest one.
    fn main<'f>(&self, findings: &'f [Finding]) -> Option<&'f Finding> {
        let led = self.reading.led().map(|comparison| comparison.cell.cell);
        let size =
            |finding: &Finding| finding.under.iter().flatten().map(|found| found.point.abs()).fold(0.0, f64::max);
        let greatest = || findings.iter().max_by(|one, other| size(one).total_cmp(&size(other)));
        findings.iter().find(|finding| Some(finding.cell) == led).or_else(greatest)
    }

    /// A sentence on the question.
    fn about(&self) -> String {
        let meant = if self.players.is_score() { " (the battles that it wins and half of those drawn)" } else { "" };
        let number = self.number();
        let fought = format!(
            "{number}{meant} if the same kind of player leads both sides, in the first {} of each cell, with the \
             same dice for all.",
            plural(self.players.battles as usize, "battle"),
        );
        let mut named: Vec<String> =
            self.players.players.iter().filter(|under| under.is_default()).map(of_default).collect();
        let others = self.names().filter(|name| !["default", "random", BEST].contains(name)).map(spaced);
        let others: Vec<String> = others.collect();
        if !others.is_empty() {
            named.push(format!("{}: the doctrines that the pack has for such players.", capitalised(&listed(&others))));
        }
        if self.names().any(|name| name == "random") {
            named.push("Random: any order that the rules allow.".to_owned());
        }
        if let Some(perfect) = self.perfect() {
            let between = if self.is_between() { " Where a range is given, the value lies within it." } else { "" };
            let orders = self.other_orders().unwrap_or_else(|| "the doctrine’s orders, computed.".to_owned());
            named.push(format!("{}: perfect play with {orders}{between}", column(perfect)));
        }
        format!("{fought} {}", named.join(" "))
    }

    /// The findings under perfect players, if any were tried.
    fn perfect(&self) -> Option<&'a Under> {
        self.players.players.iter().find(|under| under.player == BEST)
    }

    /// The orders of perfect play, if they differ from those of the doctrines.
    fn other_orders(&self) -> Option<String> {
        let perfect = self.perfect()?;
        let of_side = |(side, names): (Side, &Vec<String>)| {
            let name = &self.reading.sides()[side];
            match names.is_empty() {
                true => format!("the doctrine’s orders for {name}"),
                false => format!("the orders of {} for {name}", listed(names)),
            }
        };
        let sides: Vec<String> = Side::BOTH.into_iter().zip(&perfect.doctrines).map(of_side).collect();
        let others = perfect.doctrines.iter().any(|names| !names.is_empty());
        others.then(|| {
            let orders = listed(&sides);
            format!("{orders}, or the doctrine itself if that does better, computed.")
        })
    }

    /// Whether perfect play was not solved completely.
    fn is_between(&self) -> bool {
        let cells = self.players.players.iter().flat_map(|under| &under.cells);
        cells.into_iter().any(|cell| matches!(cell.value, Value::Solved { low, high } if low < high))
    }

    /// The sides led by their doctrines, because they have no such player, or by players that the study names.
    fn stay(&self) -> Option<String> {
        let mut sentences = Vec::new();
        for side in Side::BOTH {
            let name = &self.reading.sides()[side];
            let count =
                |under: &Under, led: Led| under.cells.iter().filter(|cell| cell.led[side.index()] == led).count();
            let others =
                || self.players.players.iter().filter(|under| !under.is_default() || under.orders_of.is_some());
            for under in others() {
                let (stays, all) = (count(under, Led::Doctrine), under.cells.len());
                let player = who(under);
                match stays {
                    0 => {}
                    _ if stays == all => {
                        sentences.push(format!("With {player}, {name} follows its doctrine, because the doctrine has no such player."));
                    }
                    _ => sentences.push(format!(
                        "With {player}, {name} follows its doctrine in {stays} of {all} cells, where the doctrine has no such player."
                    )),
                }
            }
            if others().any(|under| count(under, Led::Own) > 0) {
                sentences.push(format!("{} keeps the player named in the study.", capitalised(name)));
            }
        }
        (!sentences.is_empty()).then(|| sentences.join(" "))
    }

    /// A value with its interval; without one if it was computed; or the two bounds around it.
    fn value(&self, value: &Estimate) -> String {
        match (self.players.share, value.is_computed()) {
            (true, true) => ends(value, InPrint::share_point),
            (false, true) => ends(value, InPrint::mean_point),
            (true, false) => value.share_range(),
            (false, false) => value.mean_range(),
        }
    }

    /// A difference with its margin; without one if it was computed; or the two bounds around it.
    fn difference(&self, found: &Estimate) -> String {
        match (self.players.share, found.is_computed()) {
            (true, true) => ends(found, InPrint::points_margin),
            (false, true) => ends(found, InPrint::mean_point),
            (true, false) => found.points_margin(),
            (false, false) => found.mean_range(),
        }
    }

    /// A difference, worded for a sentence.
    fn described(&self, found: &Estimate) -> String {
        let unit = if self.players.share { " points" } else { "" };
        format!("{}{unit}", self.difference(found))
    }

    fn comparison(&self, finding: &Finding) -> Option<Comparison<'a>> {
        let manifest = &self.reading.results.manifest;
        let difference = finding.under.iter().flatten().next().copied()?;
        Some(Comparison { cell: manifest.cell(finding.cell)?, baseline: manifest.cell(finding.baseline)?, difference })
    }

    /// A finding under each player.
    fn numbers(&self, finding: &Finding) -> String {
        let names = &self.reading.names;
        let Some(Comparison { cell, baseline, .. }) = self.comparison(finding) else { return String::new() };
        let (change, context) = (names.change(cell, baseline), names.alike(cell, baseline));
        let within = if context.is_empty() { String::new() } else { format!(" ({context})") };
        let under = self
            .all_who()
            .zip(&finding.under)
            .filter_map(|(who, found)| Some(format!("{} with {who}", self.described(found.as_ref()?))));
        format!("{}{within}: the difference is {}.", capitalised(&change), listed(&under.collect::<Vec<_>>()))
    }

    /// Whether a finding depends on who plays.
    fn verdict(&self, finding: &Finding) -> String {
        let under = || self.all_who().zip(&finding.under).filter_map(|(who, found)| Some((who, found.as_ref()?)));
        let with = |held: &dyn Fn(&Estimate) -> bool| {
            listed(&under().filter(|(_, found)| held(found)).map(|(who, _)| who).collect::<Vec<_>>())
        };
        // The report printed a share of wins; here it is a score.
        let (what, it) = match self.as_score(finding) {
            Some(_) => ("This difference", "it"),
            None => ("The main finding", "the difference"),
        };
        match self.sign_of(finding) {
            Sign::Kept => format!("{what} has the same sign with every player: {}.", with(&|_| true)),
            Sign::Nothing => "There is no difference with any player.".to_owned(),
            Sign::Changes => format!(
                "{what} changes sign between players: {it} is above 0 with {}, and below 0 with {}.",
                with(&|found| found.low > 0.0),
                with(&|found| found.high < 0.0)
            ),
            Sign::Unsure(_) => {
                let none = |found: &Estimate| found.low == 0.0 && found.high == 0.0;
                let is_unclear = |found: &Estimate| found.holds(0.0) && !none(found);
                let sampled = under().any(|(_, found)| is_unclear(found) && !found.is_computed());
                let battles = plural(self.players.battles as usize, "battle");
                let within = if sampled { format!(" in the first {battles} of each cell") } else { String::new() };
                let (clear, unclear, none) = (with(&|found| !found.holds(0.0)), with(&is_unclear), with(&none));
                match (clear.is_empty(), unclear.is_empty(), none.is_empty()) {
                    (false, _, true) => format!("{what} is clear with {clear}, but not with {unclear}{within}."),
                    (false, true, false) => {
                        format!(
                            "{what} depends on the player: there is a difference with {clear}, and none with {none}."
                        )
                    }
                    (false, false, false) => format!(
                        "{what} depends on the player: there is a difference with {clear} and none with {none}. It is not clear \
                         with {unclear}{within}."
                    ),
                    (true, _, true) if sampled => format!(
                        "The first {battles} of each cell are too few to tell whether this depends on the player."
                    ),
                    (true, _, true) => format!("{what} is not clear with any player."),
                    (true, _, false) => {
                        format!("There is no difference with {none}, and none is clear with {unclear}{within}.")
                    }
                }
            }
        }
    }

    /// The score under the doctrines, if it differs from the wins in the report's main finding.
    fn as_score(&self, finding: &Finding) -> Option<String> {
        let place = self.players.players.iter().position(Under::is_default).filter(|_| self.players.is_score())?;
        let score = finding.under.get(place)?.as_ref()?;
        let wins = self.reading.led().filter(|led| led.cell.cell == finding.cell)?.difference;
        let differs = (score.point.abs() - wins.point.abs()).abs() >= SAME;
        let turned = if score.point * wins.point < 0.0 { "has the opposite sign:" } else { "is" };
        differs.then(|| {
            let who = who(&self.players.players[place]);
            format!("Counting a draw as half a win, the difference {turned} {} with {who}.", self.described(score))
        })
    }

    /// A sentence on how many of several findings depend on who plays.
    fn sum(&self, findings: &[Finding]) -> Option<String> {
        let findings: Vec<&Finding> = findings.iter().filter(|finding| is_asked_of_several(finding)).collect();
        let count = |held: fn(&Sign) -> bool| findings.iter().filter(|finding| held(&self.sign_of(finding))).count();
        let kept = count(|sign| *sign == Sign::Kept);
        let unsure = count(|sign| matches!(sign, Sign::Unsure(_)));
        let parts = [
            (kept, "the same sign with every player"),
            (count(|sign| *sign == Sign::Changes), "a different sign with some players"),
            (unsure, "no clear difference, or no difference, with at least one player"),
            (count(|sign| *sign == Sign::Nothing), "no difference with any player"),
        ];
        let parts: Vec<String> = parts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{} {what}", counted(*count as u64)))
            .collect();
        let all = findings.len();
        (all > 1).then(|| format!("Of {all} findings (a cell against its baseline), {}.", have(&parts)))
    }

    fn head(&self, first: &str) -> Vec<String> {
        std::iter::once(first.to_owned()).chain(self.players.players.iter().map(column)).collect()
    }

    /// The cells under each player: all, or those asked about.
    fn cells(&self) -> Table {
        let all: Vec<&CellHeader> = self.reading.cells().iter().collect();
        let shown = if all.len() > CELLS_MAX { self.reading.asked_about() } else { all };
        let told = |value: Option<Estimate>| value.map_or_else(|| NONE.to_owned(), |value| self.value(&value));
        let row = |cell: &&CellHeader| {
            std::iter::once(self.reading.names.cell(cell)).chain(self.values(cell).into_iter().map(told)).collect()
        };
        let of = left_out(shown.len(), self.reading.cells().len(), "cells");
        let caption = format!("{}, by player{of}", self.number());
        Table { caption, head: self.head("Cell"), rows: shown.iter().map(row).collect() }
    }

    /// The findings under each player, and whether they keep their sign.
    fn table(&self, findings: &[Finding]) -> Option<Table> {
        let asked: Vec<u32> = self.reading.asked_about().iter().map(|cell| cell.cell).collect();
        let shown = |finding: &&Finding| {
            let few = findings.len() <= FINDINGS_MAX;
            few || asked.contains(&finding.cell) || self.sign_of(finding) == Sign::Changes
        };
        let told = |finding: &&Finding| self.comparison(finding).is_some();
        let shown: Vec<&Finding> = findings.iter().filter(shown).filter(told).collect();
        let names = &self.reading.names;
        let compared: Vec<Comparison<'_>> = shown.iter().filter_map(|finding| self.comparison(finding)).collect();
        let baselines: Vec<String> = compared.iter().map(|one| names.apart(one.baseline, one.cell)).collect();
        let first = baselines.first()?;
        let common = baselines.iter().all(|other| other == first);
        let row = |((finding, comparison), theirs): ((&&Finding, &Comparison<'_>), &String)| {
            let name = change(names, comparison, if common { None } else { Some(theirs) });
            let under = finding.under.iter().enumerate().map(|(place, found)| match found {
                Some(_) if self.players.is_same(place, finding.cell) => "0".to_owned(),
                Some(found) => self.difference(found),
                None => NONE.to_owned(),
            });
            std::iter::once(name).chain(under).chain([self.sign(finding)]).collect()
        };
        let mut head = self.head("Finding");
        head.push("Sign".to_owned());
        let against = if common { format!("“{first}”") } else { "the baseline".to_owned() };
        let unit = if self.players.share { ", in points" } else { "" };
        let of = left_out(shown.len(), findings.len(), "findings");
        let caption =
            format!("{}: change relative to {against}{unit}, by player; simultaneous intervals{of}", self.number());
        Some(Table { caption, head, rows: shown.iter().zip(&compared).zip(&baselines).map(row).collect() })
    }

    /// Whether a finding keeps its sign. There is no difference if no battle differs with any player.
    fn sign_of(&self, finding: &Finding) -> Sign {
        let mut asked = finding.under.iter().enumerate().filter(|(_, found)| found.is_some());
        if asked.all(|(place, _)| self.players.is_same(place, finding.cell)) { Sign::Nothing } else { finding.sign() }
    }

    /// Whether a finding keeps its sign, in a column.
    fn sign(&self, finding: &Finding) -> String {
        match self.sign_of(finding) {
            _ if !is_asked_of_several(finding) => NONE.to_owned(),
            Sign::Kept => "kept".to_owned(),
            Sign::Changes => "changes".to_owned(),
            Sign::Nothing => "no difference".to_owned(),
            Sign::Unsure(places) if places.len() == finding.under.iter().flatten().count() => "unclear".to_owned(),
            Sign::Unsure(places) => {
                let head = self.head("");
                let names: Vec<String> = places.iter().map(|&place| head[place + 1].to_lowercase()).collect();
                format!("unclear: {}", names.join(", "))
            }
        }
    }
}

/// A computed number, or its two bounds.
fn ends(found: &Estimate, print: fn(&Estimate) -> String) -> String {
    let [low, high] = [found.low, found.high].map(|end| print(&Estimate::computed(end)));
    if low == high { low } else { format!("{low} to {high}") }
}

/// Whether a finding has a value under more than one player.
fn is_asked_of_several(finding: &Finding) -> bool {
    finding.under.iter().flatten().count() > 1
}

/// The doctrines of the study, explained.
fn of_default(under: &Under) -> String {
    match under.orders_of {
        Some(_) => format!("{}: the doctrines named in the study, which the pack has for such players.", column(under)),
        None => format!("{}: the one named in the study.", column(under)),
    }
}

/// A player as the heading of a column. The heading also says if perfect players have orders other than the doctrine's,
/// or if the doctrines are those of a player.
fn column(under: &Under) -> String {
    match under.player.as_str() {
        "default" => match &under.orders_of {
            Some(player) => format!("{} (default)", capitalised(&spaced(player))),
            None => "Doctrine".to_owned(),
        },
        BEST => match whose_orders(under) {
            Some(orders) => format!("Best of {orders}"),
            None => "Best".to_owned(),
        },
        name => capitalised(&spaced(name)),
    }
}

/// A player in a sentence, after `with`.
fn who(under: &Under) -> String {
    let player = match under.player.as_str() {
        "default" => under.orders_of.as_deref().unwrap_or("default"),
        player => player,
    };
    match player {
        "default" => "the doctrines".to_owned(),
        "beginner" => "beginners".to_owned(),
        "trained" => "trained players".to_owned(),
        "random" => "random players".to_owned(),
        BEST => match whose_orders(under) {
            Some(orders) => format!("perfect players who give {orders} or follow the doctrines"),
            None => "perfect players".to_owned(),
        },
        other => format!("the player “{}”", spaced(other)),
    }
}

/// The orders of perfect players, if they differ from those of the doctrines; `None` otherwise.
fn whose_orders(under: &Under) -> Option<String> {
    under.doctrines.iter().any(|names| !names.is_empty()).then(|| match under.orders_of.as_deref() {
        Some("beginner") => "beginners’ orders".to_owned(),
        Some(player) => format!("the orders of “{}”", spaced(player)),
        None => "other orders".to_owned(),
    })
}

/// `12 have …, 3 …`.
fn have(parts: &[String]) -> String {
    let with_verb = |first: &String| first.replacen(' ', if first.starts_with("1 ") { " has " } else { " have " }, 1);
    let (first, rest) = parts.split_first().map_or((String::new(), &[][..]), |(first, rest)| (with_verb(first), rest));
    let all: Vec<String> = std::iter::once(first).chain(rest.iter().cloned()).collect();
    listed(&all)
}

/// `; 4 of 36 cells` if some are left out.
fn left_out(shown: usize, all: usize, what: &str) -> String {
    if shown < all { format!("; {shown} of {all} {what}") } else { String::new() }
}
