//! Ground, dressing and bars.

use super::checker::{Checker, at, is_name};
use crate::model::{Array, Bar, Dressing, Fills, Ground};
use crate::wire::{BarWire, Pack};
use grognard_source::Path;

/// Tenths of a degree: every direction except straight back.
const BEND_MAX: i32 = 1799;

/// The bars under `at`.
pub(super) fn bars(checker: &mut Checker<'_>, at: &Path, wire: &[BarWire]) -> Vec<Bar> {
    let mut bars = Vec::new();
    for bar in wire {
        let at = at.join("bar").join(bar.id.as_str());
        let source = checker.source(&at, &bar.cite, bar.note.as_ref());
        if bar.breaks && (at.segments()[0] != "formation" || at.segments()[2] != "bar") {
            checker.fault(
                &at.join("breaks"),
                "only a bar of a formation can break up a formation",
                Some("omit `breaks`"),
            );
        }
        let Some(when) = checker.condition(&at.join("when"), Some(&bar.when)) else { continue };
        bars.push(Bar { id: bar.id.clone(), when, deploy: bar.deploy, breaks: bar.breaks, source });
    }
    bars
}

pub(super) fn grounds(checker: &mut Checker<'_>, wire: &Pack<'_>) -> Vec<Ground> {
    let states: Vec<&str> = wire.morale.state.iter().map(|state| state.id.as_str()).collect();
    let mut grounds = Vec::new();
    for (id, ground) in &wire.ground {
        let at = at!["ground", id];
        if !is_name(id) || id == "open" {
            let help = "use lower-case letters, digits and dashes, beginning with a letter; `open` means ground without terrain";
            checker.fault(&at, format!("`{id}` is not a valid name for terrain"), Some(help));
        }
        let pace = ground.pace.map_or(100, |pace| pace.hundredths());
        if pace < 100 {
            let help = "give at least 1: no terrain makes units faster than open ground";
            checker.fault(&at.join("pace"), "an inch of march costs at least an inch of move", Some(help));
        }
        if ground.disorders.is_none() && ground.disorders_when.is_some() {
            checker.fault(&at.join("disorders-when"), "`disorders-when` is allowed only with `disorders`", None);
        }
        if ground.bend.is_some() && !ground.road {
            checker.fault(&at.join("bend"), "`bend` is allowed only with `road = true`", None);
        }
        let disorders = ground
            .disorders
            .as_ref()
            .and_then(|state| checker.find(&at.join("disorders"), "morale state", state, states.iter().copied()));
        grounds.push(Ground {
            id: id.clone(),
            title: ground.title.clone(),
            pace: pace.max(100),
            crossing: ground.crossing.map_or(0, |crossing| crossing.hundredths()),
            thickness: ground.thickness.map_or(0, |thickness| thickness.hundredths()),
            linear: ground.linear,
            cover: ground.cover,
            blocks_sight: ground.blocks_sight,
            high: ground.high,
            area: ground.area,
            fills: ground.fills.as_ref().map(|fills| {
                let at = at.join("fills");
                if fills.most.hundredths() < 100 {
                    checker.fault(&at.join("most"), "each side of a piece must be at least an inch", None);
                }
                Fills {
                    most: fills.most.hundredths().max(100),
                    begins: checker.condition(&at.join("begins"), fills.begins.as_ref()),
                    source: checker.source(&at, &fills.cite, fills.note.as_ref()),
                }
            }),
            road: ground.road,
            bend: ground.bend.map_or(BEND_MAX, |degrees| i32::from(degrees) * 10),
            disorders,
            disorders_when: checker.condition(&at.join("disorders-when"), ground.disorders_when.as_ref()),
            bars: bars(checker, &at, &ground.bar),
            source: checker.source(&at, &ground.cite, ground.note.as_ref()),
        });
    }
    grounds
}

pub(super) fn dressing(checker: &mut Checker<'_>, wire: &Pack<'_>) -> Dressing {
    let Some(dressing) = &*wire.dressing else { return Dressing::default() };
    let at = at!["dressing"];
    let states = wire.morale.state.iter().map(|state| state.id.as_str());
    let ambiguous = dressing.ambiguous.as_ref().and_then(|ambiguous| {
        let at = at.join("ambiguous");
        let source = checker.source(&at, &ambiguous.cite, ambiguous.note.as_ref());
        let state = checker.find(&at.join("state"), "morale state", &ambiguous.state, states.clone())?;
        ambiguous.on.then_some((state, source))
    });
    if dressing.bends_within.is_some() && dressing.bends_when.is_none() {
        checker.fault(&at.join("bends-within"), "`bends-within` is allowed only with `bends-when`", None);
    }
    let source = checker.source(&at, &dressing.cite, dressing.note.as_ref());
    let (bends, may_bend) = (dressing.cites.bends_when.as_ref(), dressing.bends_when.is_some());
    Dressing {
        bends_source: checker.set_key_source(&at, "bends-when", bends, may_bend, &source),
        touch: dressing.touch.hundredths(),
        bends_when: checker.condition(&at.join("bends-when"), dressing.bends_when.as_ref()),
        bends_within: dressing.bends_within.map(|within| within.hundredths()),
        ambiguous,
        source,
    }
}

pub(super) fn array(checker: &mut Checker<'_>, wire: &Pack<'_>) -> Option<Array> {
    let array = wire.array.as_ref()?;
    Some(Array {
        interval: array.interval.hundredths(),
        lines: array.lines.hundredths(),
        apart: array.apart.hundredths(),
        source: checker.source(&at!["array"], &array.cite, array.note.as_ref()),
    })
}

#[cfg(test)]
mod tests {
    use crate::compile::changed::under;
    use grognard_source::Sources;

    /// The faults of `napoleonic-pips`, where no unit bends, with `text` added.
    fn told(text: &str) -> String {
        let mut sources = Sources::new();
        let faults = crate::compile(&under("napoleonic-pips", text, &mut sources), &sources).expect_err("a fault");
        faults.render(&sources, false)
    }

    #[test]
    fn only_who_may_bend_is_told_how_far_and_ordered_to() {
        let dressing =
            told("[dressing]\ntouch = 0.1\nbends-within = 0.5\ncite = ['house']\nnote = 'as close as may be'\n");
        assert!(dressing.contains("`bends-within` is allowed only with `bends-when`"), "{dressing}");
        assert!(dressing.contains("pack.toml:3:"), "{dressing}");
        let doctrine = told(
            "[[phase]]\nid = 'dress'\ntitle = 'Dressing'\nmechanism = 'formation'\ncite = ['house']\nnote = 'to bend'\n\
             [doctrine.bend]\ntitle = 'bends'\nrow = [{ id = 'bend', phase = 'dress', do = 'bend' }]\n",
        );
        assert!(doctrine.contains("no unit of this pack bends by order"), "{doctrine}");
        assert!(doctrine.contains("`dressing.bends-within`") && doctrine.contains("pack.toml:9:"), "{doctrine}");
    }
}
