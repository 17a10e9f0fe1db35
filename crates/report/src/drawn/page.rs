//! A page that plays a battle: self-contained, with its own script, for mouse, keyboard and screen reader.
//!
//! The page holds every piece of the drawing once and, for each step, the numbers of the pieces to show. The script
//! copies these pieces; it writes text as text only, so that nothing in a pack becomes markup.

use std::collections::BTreeMap;
use std::fmt::Write;

use grognard_lab::exact::Judgement;
use grognard_lab::replay::timeline::{Moment, Timeline};
use serde::Serialize;

use super::Caption;
use super::frame::state;
use super::map::Map;
use super::part::Parts;
use super::picture::{self, Wording, joined, number, title};
use super::scene::{Passage, State, halves};
use crate::font::{Letters, Weight};
use crate::look::{Ink, by_night};
use crate::paint::PaintError;
use crate::text::escaped;

/// The style sheet for the head of a page with a player.
pub(crate) const STYLE: &str = include_str!("player.css");
/// The script that a page needs once, after all players.
pub(crate) const SCRIPT: &str = include_str!("player.js");

/// The largest map of a player, in points.
const MAP: (f64, f64) = (640.0, 460.0);

/// The number of events for which an arrow, a line of fire or a blow stays on the map.
const LASTS: usize = 4;

/// A player as a part of a page.
pub(crate) struct Player {
    /// Its markup.
    pub(crate) html: String,
    /// The colours of its drawing.
    pub(crate) inks: Vec<Ink>,
}

/// The data that the script reads.
#[derive(Serialize)]
struct Data {
    /// The parts of the battle: each one's title and first step.
    halves: Vec<(String, usize)>,
    /// Names of the units.
    units: Vec<String>,
    /// Sentences about units, each stored once.
    states: Vec<String>,
    /// The clauses cited, with their texts.
    clauses: BTreeMap<String, String>,
    steps: Vec<Step>,
}

/// A step: the state shown at one event.
#[derive(Serialize)]
struct Step {
    /// The part of the battle.
    half: usize,
    /// The pieces below the units; the next fields are those above them and the labels.
    under: usize,
    over: usize,
    labels: Vec<usize>,
    /// Each unit on the table: its number, its piece and its state.
    units: Vec<(usize, usize, usize)>,
    /// Units that the event is about.
    about: Vec<u8>,
    /// The first line of its text.
    text: String,
    dice: Vec<String>,
    clauses: Vec<String>,
}

/// A complete page with a battle.
///
/// # Errors
/// The font cannot be embedded.
pub fn page(timeline: &Timeline, caption: &Caption, judgement: Option<&Judgement>) -> Result<String, PaintError> {
    let player = player("battle", timeline, caption);
    let (heading, source) = (escaped(&caption.title), escaped(&crate::text::capitalised(&caption.source)));
    let body = format!(
        "<a class=\"skip\" href=\"#battle\">Skip to the battle</a>\n<header>\n<h1>{heading}</h1>\n<p>{source}</p>\n</header>\n\
         <main>\n{}{}</main>\n",
        player.html,
        judgement.map_or_else(String::new, judged)
    );
    let mut letters = Letters::default();
    for weight in Weight::ALL {
        letters.add(&body, weight);
        letters.add("&<>\"'", weight);
    }
    Ok(format!(
        "<!DOCTYPE html>\n<html lang=\"en-GB\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         script-src 'unsafe-inline'; font-src data:\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{heading}</title>\n<style>\n{}{}{STYLE}{}</style>\n</head>\n\
         <body>\n{body}<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        letters.face()?,
        include_str!("player-page.css"),
        by_night(player.inks.iter().copied())
    ))
}

/// The value of the decisions in a battle: the value turn by turn, every decision, and the sum.
fn judged(judgement: &Judgement) -> String {
    let (width, height) = (400.0, 100.0);
    let at = |(turn, value): (usize, f64)| {
        let x = width * turn as f64 / judgement.curve.len().max(1) as f64;
        format!("{x:.1},{:.1}", height * (1.0 - value))
    };
    let points: Vec<String> = judgement.values().enumerate().map(at).collect();
    let mut html = format!(
        "<section class=\"judged\" aria-labelledby=\"judged\">\n<h2 id=\"judged\">What the decisions were worth</h2>\n\
         <svg class=\"curve\" viewBox=\"-2 -2 404 104\" role=\"img\" aria-label=\"The value of the battle, turn by turn: see below\">\
         <path class=\"even\" d=\"M0,50H400\"/><polyline points=\"{}\"/></svg>\n<ul>\n",
        points.join(" ")
    );
    for decision in &judgement.decisions {
        let mark = if decision.mark().is_empty() { "" } else { " class=\"marked\"" };
        let line = decision.line();
        let line = line.trim_start().trim_start_matches("▸ ");
        let _ =
            writeln!(html, "<li{mark}>Turn {}, {}, {}</li>", decision.turn, escaped(&decision.phase), escaped(line));
    }
    html.push_str("</ul>\n");
    for line in &judgement.sum {
        let _ = writeln!(html, "<p>{}</p>", escaped(line));
    }
    html.push_str("</section>\n");
    html
}

/// A battle as part of a page; `name` must be unique on it.
pub(crate) fn player(name: &str, timeline: &Timeline, caption: &Caption) -> Player {
    let mut parts = Parts::default();
    let map = Map::new(timeline, MAP);
    let ground = parts.of(&picture::base(&map, timeline).marks);
    let (data, narration) = steps(&map, timeline, &mut parts);
    let (width, height) = map.size();
    let json = serde_json::to_string(&data).unwrap_or_default();
    // Nothing in a script element may look like the element's end tag.
    let json = json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026");
    let label = escaped(&caption.title);
    let last = data.steps.len().saturating_sub(1);
    let mut html = format!(
        "<section class=\"player\" id=\"{name}\" tabindex=\"-1\" aria-label=\"Battle: {label}\" data-ground=\"{ground}\">\n\
         <svg class=\"pieces\" width=\"0\" height=\"0\" aria-hidden=\"true\" focusable=\"false\"><defs>\n{}</defs></svg>\n\
         <div class=\"board\">\n<svg class=\"map\" viewBox=\"0 0 {width:.1} {height:.1}\" role=\"group\" aria-label=\"Map of the battle\">\
         <g class=\"ground\"></g><g class=\"under\"></g><g class=\"units\"></g><g class=\"over\"></g><g class=\"labels\"></g></svg>\n",
        parts.groups(&format!("{name}-"))
    );
    html.push_str("<div class=\"controls\" role=\"group\" aria-label=\"Playback\">\n");
    for (act, sign, says) in [
        ("first", "|«", "Back to the deployment"),
        ("half-back", "«", "Back one half-turn (Shift and left arrow)"),
        ("back", "‹", "Back one event (left arrow)"),
        ("play", "Play", "Play or pause (space bar)"),
        ("on", "›", "Forward one event (right arrow)"),
        ("half-on", "»", "Forward one half-turn (Shift and right arrow)"),
        ("last", "»|", "To the end"),
    ] {
        let _ = writeln!(
            html,
            "<button type=\"button\" data-act=\"{act}\" aria-label=\"{says}\" title=\"{says}\">{sign}</button>"
        );
    }
    let _ = write!(
        html,
        "<label>Speed <select class=\"speed\"><option value=\"1600\">slow</option><option value=\"800\" selected>normal</option>\
         <option value=\"350\">fast</option></select></label>\n</div>\n\
         <input class=\"slider\" type=\"range\" min=\"0\" max=\"{last}\" value=\"0\" step=\"1\" aria-label=\"Event\">\n\
         <p class=\"now\" role=\"status\" aria-live=\"polite\"></p>\n<p class=\"dice\" aria-label=\"Dice\"></p>\n\
         <dl class=\"clauses\" aria-label=\"Clauses\"></dl>\n</div>\n\
         <div class=\"beside\">\n<section class=\"unit\" aria-label=\"Selected unit\"><p>Choose a unit on the map to \
              see its history.</p></section>\n\
         <ol class=\"narration\" tabindex=\"0\" aria-label=\"Narration\">\n{narration}</ol>\n</div>\n\
         <script type=\"application/json\">{json}</script>\n\
         <noscript><p>This page plays the battle with a script. Without scripts you can still read the narration.</p></noscript>\n\
         </section>\n"
    );
    Player { html, inks: parts.inks().to_vec() }
}

/// Every step, and the narration as a list with an item for each.
fn steps(map: &Map, timeline: &Timeline, parts: &mut Parts) -> (Data, String) {
    let parts_of_battle = halves(timeline);
    let mut data = Data {
        halves: Vec::new(),
        units: timeline.units.iter().map(|unit| unit.name.clone()).collect(),
        states: Vec::new(),
        clauses: BTreeMap::new(),
        steps: Vec::new(),
    };
    let mut narration = String::new();
    let (mut state, mut known) = (State::default(), BTreeMap::new());
    for (nth, half) in parts_of_battle.iter().enumerate() {
        data.halves.push((half.title.clone(), data.steps.len()));
        for last in half.first..=half.last {
            let moment = &timeline.moments[last];
            // A half-turn without narration still gets a step for its end.
            if moment.text.is_empty() && last != half.last {
                continue;
            }
            let mut passage = Passage::new(timeline, state.clone(), (half.first, last));
            passage.links.retain(|link| half.first + link.moment + LASTS > last);
            let step = step(map, &passage, (nth, moment), parts, &mut known);
            item(&mut narration, data.steps.len(), &half.title, moment);
            data.steps.push(step);
        }
        state = Passage::new(timeline, state, (half.first, half.last)).after;
    }
    let mut states: Vec<(String, usize)> = known.into_iter().collect();
    states.sort_by_key(|&(_, nth)| nth);
    data.states = states.into_iter().map(|(text, _)| text).collect();
    let cited: Vec<&String> = data.steps.iter().flat_map(|step| &step.clauses).collect();
    let texts = timeline.clauses.iter().filter(|(id, _)| cited.contains(&id));
    data.clauses = texts.map(|(id, text)| (id.clone(), text.clone())).collect();
    (data, narration)
}

fn step(
    map: &Map,
    passage: &Passage<'_>,
    (half, moment): (usize, &Moment),
    parts: &mut Parts,
    known: &mut BTreeMap<String, usize>,
) -> Step {
    let timeline = passage.timeline;
    let layers = picture::layers(map, passage, Wording::Full);
    let unit =
        |(unit, marks): &(usize, Vec<crate::sheet::Mark>), parts: &mut Parts, known: &mut BTreeMap<String, usize>| {
            let standing = &passage.after.units[*unit];
            let name = joined(&[&number(timeline, *unit), &title(timeline, *unit, standing)], " ");
            let side = &timeline.sides[usize::from(timeline.units[*unit].side)];
            let text = joined(&[&format!("{name} ({side})"), &state(passage, *unit, standing)], ": ");
            let next = known.len();
            let state = *known.entry(text).or_insert(next);
            (*unit, parts.of(marks), state)
        };
    let mut about: Vec<u8> = [moment.unit, moment.target].into_iter().flatten().collect();
    about.extend(moment.changed.iter().map(|&(unit, _)| unit).filter(|_| moment.changed.len() < timeline.units.len()));
    about.sort_unstable();
    about.dedup();
    let first = moment.text.iter().rev().find(|line| line.starts_with("    ") && !line.starts_with("      "));
    Step {
        half,
        under: parts.of(&layers.under.marks),
        over: parts.of(&layers.over.marks),
        labels: layers.labels.iter().map(|(_, sheet)| parts.of(&sheet.marks)).collect(),
        units: layers.units.iter().map(|drawn| unit(drawn, parts, known)).collect(),
        about,
        text: first.or_else(|| moment.text.last()).map_or("", |line| line.trim()).to_owned(),
        dice: moment.dice.clone(),
        clauses: moment.clauses.clone(),
    }
}

/// An event in the narration: its lines, with their indentation.
fn item(narration: &mut String, step: usize, half: &str, moment: &Moment) {
    let lines: String = if moment.text.is_empty() {
        format!("<span class=\"depth-1\">{}: end.</span>", escaped(half))
    } else {
        let line = |line: &String| {
            let text = line.trim_start();
            let depth = ((line.len() - text.len()) / 2).min(6);
            format!("<span class=\"depth-{depth}\">{}</span>", escaped(text))
        };
        moment.text.iter().map(line).collect()
    };
    let _ = writeln!(narration, "<li data-step=\"{step}\">{lines}</li>");
}
