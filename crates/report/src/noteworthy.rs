//! Noteworthy battles: the closest, the longest, the biggest upset.

use grognard_lab::replay::record_again;
use grognard_lab::replay::timeline::Timeline;
use grognard_lab::results::Results;
use grognard_lab::shell::quoted;
use grognard_lab::watched::{OddBattle, Oddity};

use crate::drawn::Caption;
use crate::reading::Reading;
use crate::text::{InPrint, capitalised, counted, plural, spaced};

/// A noteworthy battle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteworthyBattle {
    /// The stem of its file name.
    pub name: &'static str,
    /// The heading: why it is noteworthy.
    pub title: &'static str,
    /// Where it was fought and how it ended, in sentences.
    pub about: String,
    /// The command that replays it.
    pub command: String,
    /// What happened, line by line.
    pub narration: Vec<String>,
    /// The battle as data to draw; `None` if this version cannot fight the battles of these results.
    pub timeline: Option<Timeline>,
}

impl NoteworthyBattle {
    /// The alternative text of its storyboard.
    pub(crate) fn alt(&self) -> String {
        format!("Storyboard: {}. {}", self.title, self.about)
    }

    /// The words around its drawing.
    pub(crate) fn caption(&self) -> Caption {
        Caption { title: self.title.to_owned(), source: self.about.clone() }
    }
}

/// All file name stems.
pub(crate) const NAMES: [&str; 3] = ["battle-closest", "battle-longest", "battle-upset"];

/// The noteworthy battles.
pub(crate) fn battles(reading: &Reading<'_>) -> Vec<NoteworthyBattle> {
    let odd = reading.results.watched.as_ref().map_or(&[][..], |watched| &watched.odd);
    let battles: Vec<(u32, u64)> = odd.iter().map(|battle| (battle.cell, battle.battle)).collect();
    let timelines = record_again(&reading.results.manifest, &battles);
    odd.iter().zip(timelines).map(|(battle, timeline)| tell(reading, battle, timeline)).collect()
}

fn tell(reading: &Reading<'_>, battle: &OddBattle, timeline: Option<Timeline>) -> NoteworthyBattle {
    let (name, title) = match battle.oddity {
        Oddity::Closest => (NAMES[0], "The closest battle"),
        Oddity::Longest => (NAMES[1], "The longest battle"),
        Oddity::Upset => (NAMES[2], "The biggest upset"),
    };
    NoteworthyBattle {
        name,
        title,
        about: about(reading, battle),
        command: command(reading.results, battle.cell, battle.battle),
        narration: battle.narration.clone(),
        timeline,
    }
}

fn about(reading: &Reading<'_>, battle: &OddBattle) -> String {
    let sides = reading.sides();
    let cell = reading.cells().get(battle.cell as usize);
    let place = cell.map_or_else(String::new, |cell| format!(" ({})", reading.names.cell(cell)));
    let all_lost = battle.losses.iter().zip(&battle.figures).all(|(lost, all)| lost == all);
    let ending = match &battle.winner {
        None if all_lost => {
            let both = if sides.count() > 2 { "all" } else { "both" };
            return format!(
                "Battle {} of cell {}{place}: {both} sides lose their last figures in turn {}.",
                counted(battle.battle),
                battle.cell,
                battle.turns
            );
        }
        Some(winner) => {
            let how = if battle.on_points { " on points" } else { "" };
            format!("{} wins{how} in turn {}", spaced(winner), battle.turns)
        }
        None if sides.count() > 2 => format!("no side wins within {}", plural(battle.turns.into(), "turn")),
        None => format!("neither side wins within {}", plural(battle.turns.into(), "turn")),
    };
    let points = battle.points.iter().zip(sides.iter());
    let points = points.map(|(&points, side)| format!("{side} has {}", scored(points))).collect::<Vec<_>>().join(", ");
    let points = if points.is_empty() { points } else { format!("; {points}") };
    let lost = |nth: usize| match (battle.losses[nth], battle.figures[nth]) {
        (0, _) => "no figures".to_owned(),
        (1, 1) => "its only figure".to_owned(),
        (lost, all) if lost == all => format!("all {all} figures"),
        (lost, all) => format!("{lost} of {all} figures"),
    };
    let losses = if battle.losses.iter().all(|&lost| lost == 0) {
        format!("{} side loses a figure", if sides.count() > 2 { "no" } else { "neither" })
    } else {
        let others: Vec<String> =
            sides.iter().enumerate().skip(1).map(|(nth, side)| format!("{side} {}", lost(nth))).collect();
        format!("{} loses {}, {}", sides.first, lost(0), others.join(", "))
    };
    let battle_number = counted(battle.battle);
    let mut text = format!("Battle {battle_number} of cell {}{place}: {ending}{points}; {losses}.", battle.cell);
    let winner = battle.winner.as_deref().and_then(|name| {
        let names = reading.results.manifest.side_names();
        names.sides().iter().copied().find(|&side| names[side] == name)
    });
    if battle.oddity == Oddity::Upset
        && let Some((side, cell)) = winner.zip(cell)
        && let Some(wins) = reading.wins(cell, side)
    {
        text += &format!(" {} wins {} of the battles in this cell.", capitalised(&sides[side]), wins.share_told());
    }
    text
}

/// A side's points as text; they may be negative.
fn scored(points: i32) -> String {
    let sign = if points < 0 { "−" } else { "" };
    format!("{sign}{}", plural(points.unsigned_abs() as usize, "point"))
}

/// The command that narrates a battle of a results folder.
pub(crate) fn command(results: &Results, cell: u32, battle: u64) -> String {
    format!("grognard replay {} --cell {cell} --battle {battle}", quoted(&results.folder.to_string_lossy()))
}
