//! A battle, drawn: frames for print, a storyboard on one page, and a page that plays it.
//!
//! All of them draw a [`Timeline`] through the same layers (`picture`): ground, ghosts and paths, symbols, arrows,
//! labels. Drawings are sheets of marks like the charts, with the same font, colours and themes, so that they print in
//! grey and can go into a PDF. The same timeline gives the same bytes.

mod frame;
mod ground;
mod labels;
mod map;
mod overlay;
mod page;
mod part;
mod picture;
mod scene;
mod storyboard;
mod symbols;
#[cfg(test)]
mod tests;

use grognard_lab::replay::timeline::Timeline;

pub use page::page;
pub(crate) use page::{Player, SCRIPT as PLAYER_SCRIPT, STYLE as PLAYER_STYLE, player};

use crate::frame::Framed;
use crate::look::Theme;
use crate::paint::PaintError;
use scene::{Half, Passage, State, halves};

/// The words around a drawn battle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caption {
    /// The description of the battle.
    pub title: String,
    /// The seed, the pack and anything else needed to replay it.
    pub source: String,
}

impl Caption {
    fn text(&self) -> String {
        let parts = [self.title.clone(), crate::text::capitalised(&self.source)];
        parts.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(". ")
    }
}

/// A frame of a battle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The stem of its file name: `frame-00-deployment`, `frame-01-turn-1-attacker`.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// The drawing.
    pub svg: String,
}

/// The deployment and each half-turn of a battle as drawings as wide as a page.
///
/// # Errors
/// A drawing cannot be made.
pub fn frames(timeline: &Timeline, caption: &Caption, theme: Theme) -> Result<Vec<Frame>, PaintError> {
    let passages = passages(timeline);
    let digits = passages.len().saturating_sub(1).to_string().len().max(2);
    let drawn = |(nth, (half, passage)): (usize, &(Half, Passage<'_>))| {
        let sheet = frame::frame(passage, half, caption);
        let alt = format!("Map: {}. {}", half.title, frame::sums(passage));
        Ok(Frame {
            name: format!("frame-{nth:0digits$}-{}", file_name(&half.title)),
            title: half.title.clone(),
            svg: part::document(&sheet, &alt, theme)?,
        })
    };
    passages.iter().enumerate().map(drawn).collect()
}

/// A battle on one page.
///
/// # Errors
/// A drawing cannot be made.
pub fn storyboard(timeline: &Timeline, caption: &Caption, theme: Theme) -> Result<String, PaintError> {
    let alt = format!("Storyboard: {}", caption.title);
    part::document(&framed_storyboard(timeline, caption).sheet(), &alt, theme)
}

/// The storyboard with the words around it.
pub(crate) fn framed_storyboard(timeline: &Timeline, caption: &Caption) -> Framed {
    storyboard::storyboard(timeline, &passages(timeline), caption)
}

/// The battle cut into its parts.
fn passages(timeline: &Timeline) -> Vec<(Half, Passage<'_>)> {
    let mut state = State::default();
    let mut all = Vec::new();
    for half in halves(timeline) {
        let passage = Passage::new(timeline, state, (half.first, half.last));
        state = passage.after.clone();
        all.push((half, passage));
    }
    all
}

/// A title as part of a file name: letters, digits and hyphens.
fn file_name(title: &str) -> String {
    let words = title.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-")
}
