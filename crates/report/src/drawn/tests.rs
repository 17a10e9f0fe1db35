use std::path::Path;

use grognard_lab::replay::record;
use grognard_lab::replay::timeline::{Presence, Timeline};
use grognard_lab::study::{Changes, Study};
use grognard_source::Sources;

use super::*;
use crate::drawn::map::{Kind, Map};
use crate::drawn::picture::Wording;
use crate::look::Theme;
use crate::sheet::Mark;

/// A short battle under every pack, by study and cell.
const BATTLES: [(&str, usize); 11] = [
    ("square-vs-line", 18),
    ("figures-armies", 0),
    ("figures-everything", 0),
    ("pip-flank", 0),
    ("pips-everything", 0),
    ("hex-line", 0),
    ("hex-everything", 0),
    ("risk-dice", 0),
    ("refduel", 0),
    ("command-roll", 0),
    ("symbol-die", 0),
];

fn study(path: &Path) -> Study {
    let mut sources = Sources::new();
    let study = Study::load(path, &Changes::default(), &mut sources);
    study.unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)))
}

fn timeline(name: &str, cell: usize) -> Timeline {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../studies"));
    let study = study(&folder.join(name).with_extension("toml"));
    record(&study, &study.cells[cell], 0).expect("something happens")
}

fn caption() -> Caption {
    Caption { title: "A battle".to_owned(), source: "battle 0, seed 1".to_owned() }
}

/// Fails unless a text is well-formed XML: tags nest, attributes are quoted, and the five entities are escaped.
#[track_caller]
pub(crate) fn assert_well_formed(xml: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = xml;
    while let Some(at) = rest.find('<') {
        assert_text(&rest[..at]);
        let end = rest[at..].find('>').unwrap_or_else(|| panic!("a tag without an end: {}", &rest[at..])) + at;
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name.trim()), "closes what is not open");
            continue;
        }
        let (name, attributes) =
            tag.trim_end_matches('/').split_once([' ', '\n']).unwrap_or((tag.trim_end_matches('/'), ""));
        assert!(name.chars().all(|letter| letter.is_ascii_alphanumeric()), "{name:?}");
        let quotes: Vec<&str> = attributes.split('"').collect();
        assert!(quotes.len() % 2 == 1, "a quote without an end: {tag}");
        quotes.iter().skip(1).step_by(2).for_each(|value| assert_text(value));
        quotes.iter().step_by(2).filter(|name| !name.trim().is_empty()).for_each(|name| {
            assert!(name.trim().ends_with('='), "{tag}");
        });
        if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert_text(rest);
    assert!(open.is_empty(), "left open: {open:?}");
}

#[track_caller]
fn assert_text(text: &str) {
    assert!(!text.contains(['<', '>']) || text.contains("font-face"), "{text}");
    for (at, _) in text.match_indices('&') {
        let entity = text[at..].split_once(';').map(|(name, _)| name);
        let known = ["&amp", "&lt", "&gt", "&quot", "&apos", "&#39"];
        assert!(entity.is_some_and(|entity| known.contains(&entity)), "{:?}", &text[at..text.len().min(at + 12)]);
    }
}

#[test]
fn frames_of_every_pack_are_well_formed_and_the_same_each_time() {
    for (name, cell) in BATTLES {
        let timeline = timeline(name, cell);
        let drawn = frames(&timeline, &caption(), Theme::Light).unwrap();
        assert!(drawn.len() > 1, "{name}");
        drawn.iter().for_each(|frame| assert_well_formed(&frame.svg));
        assert_eq!(drawn, frames(&timeline, &caption(), Theme::Light).unwrap(), "{name}");
        assert_well_formed(&storyboard(&timeline, &caption(), Theme::Grey).unwrap());
    }
}

/// Every unit on the table has a symbol, and all its marks except the tip of its arrow lie on the map.
#[test]
fn every_unit_on_the_table_is_drawn_within_the_map() {
    /// How far an arrow or a cross may stick out, in points.
    const TIP: f64 = 6.0;
    for (name, cell) in BATTLES {
        let timeline = timeline(name, cell);
        let map = Map::new(&timeline, frame::MAP);
        let (width, height) = map.size();
        for (half, passage) in passages(&timeline) {
            let layers = picture::layers(&map, &passage, Wording::Full);
            for (unit, standing) in passage.after.units.iter().enumerate() {
                let drawn = layers.units.iter().find(|(index, _)| *index == unit);
                let rides = map.kind == Kind::Hex && standing.mate.is_some();
                let here = standing.presence == Presence::Here;
                assert!(drawn.is_some() == here || rides, "{name}, {}, unit {unit}", half.title);
                let places = drawn.into_iter().flat_map(|(_, marks)| marks).flat_map(places);
                for (x, y) in places {
                    let inside = (-TIP..=width + TIP).contains(&x) && (-TIP..=height + TIP).contains(&y);
                    assert!(inside, "{name}, {}, unit {unit}: {x}, {y} on {width} x {height}", half.title);
                }
            }
        }
    }
}

fn places(mark: &Mark) -> Vec<crate::sheet::Place> {
    match mark {
        Mark::Line { through, .. } => through.clone(),
        Mark::Box { corners, .. } => corners.to_vec(),
        Mark::Area { outline, .. } => outline.clone(),
        Mark::Dot { at, .. } => vec![*at],
        Mark::Text(text) => vec![text.at],
    }
}

/// Every objective has its ring on the map, and its name if nothing is in the way.
#[test]
fn objectives_are_drawn_within_the_map() {
    for (name, titles) in [("sf-ground", ["the relay", "the crater", "the wreck"].as_slice()), ("patrol-reserves", &[])]
    {
        let timeline = timeline(name, 0);
        assert!(!timeline.objectives.is_empty(), "{name}");
        let map = Map::new(&timeline, frame::MAP);
        let (width, height) = map.size();
        let base = picture::base(&map, &timeline);
        let rings = base.marks.iter().filter_map(|mark| match mark {
            Mark::Dot { at, radius, filled: false, .. } if *radius > 4.0 => Some(*at),
            _ => None,
        });
        let rings: Vec<crate::sheet::Place> = rings.collect();
        assert_eq!(rings.len(), timeline.objectives.len(), "{name}");
        for (x, y) in rings {
            assert!(
                (0.0..=width).contains(&x) && (0.0..=height).contains(&y),
                "{name}: {x}, {y} on {width} x {height}"
            );
        }
        let (_, passage) = passages(&timeline).remove(0);
        let labels = picture::layers(&map, &passage, Wording::Full).labels;
        let written = |title: &str| {
            let marks = labels.iter().flat_map(|(_, sheet)| &sheet.marks);
            marks.filter(|mark| matches!(mark, Mark::Text(text) if text.words == title)).count()
        };
        for title in titles {
            assert_eq!(written(title), 1, "{name}: {title}");
        }
    }
}

/// The edge by which a side leaves has a line in the side's colour on the map, and a title that names the side.
#[test]
fn the_edge_by_which_a_side_leaves_is_drawn() {
    let timeline = timeline("patrol-through", 0);
    assert_eq!(timeline.exits.len(), 1, "the enemy scores nothing for it: {:?}", timeline.exits);
    let map = Map::new(&timeline, frame::MAP);
    let (width, _) = map.size();
    let (_, edge) = map.at(grognard_lab::replay::Point { x: 0, y: 1800 });
    let base = picture::base(&map, &timeline);
    let along = |mark: &&Mark| match mark {
        Mark::Line { through, ink, .. } => {
            let there = through.iter().all(|(_, y)| (*y - edge - 1.0).abs() < 1e-9);
            *ink == crate::look::FIRST && there && through[1].0 - through[0].0 == width
        }
        _ => false,
    };
    assert_eq!(base.marks.iter().filter(along).count(), 1, "{:?}", base.marks);
    let heads = base.marks.iter().filter(|mark| matches!(mark, Mark::Area { outline, .. } if outline.len() == 3));
    for mark in heads.clone() {
        let Mark::Area { outline, .. } = mark else { unreachable!("an arrowhead") };
        assert!(outline[1].1 < outline[0].1 && outline[1].1 < outline[2].1, "it points out: {outline:?}");
    }
    assert!(heads.count() > 3);
    let (_, passage) = passages(&timeline).remove(0);
    let labels = picture::layers(&map, &passage, Wording::Full).labels;
    let marks = labels.iter().flat_map(|(_, sheet)| &sheet.marks);
    let written = marks.filter(|mark| matches!(mark, Mark::Text(text) if text.words == "patrol leaves here")).count();
    assert_eq!(written, 1);
}

/// A battle that both sides leave by every edge, with the ends of the edges.
fn leaving_by_all_edges() -> (Timeline, [[[i32; 2]; 2]; 4]) {
    let mut timeline = timeline("patrol-through", 0);
    let Some(look) = timeline.exits.first().cloned() else { panic!("an exit") };
    let (x, y) = (2400, 1800);
    let edges = [[[-x, y], [x, y]], [[-x, -y], [x, -y]], [[-x, -y], [-x, y]], [[x, -y], [x, y]]];
    timeline.exits.clear();
    for ends in edges {
        for side in [0, 1] {
            let mut exit = look.clone();
            (exit.side, exit.ends) = (side, ends);
            timeline.exits.push(exit);
        }
    }
    (timeline, edges)
}

/// Bands beyond the map would be moved to its border, where there is no edge.
#[test]
fn the_map_reaches_the_edges_by_which_sides_leave() {
    let (timeline, edges) = leaving_by_all_edges();
    let map = Map::new(&timeline, frame::MAP);
    let (width, height) = map.size();
    for [x, y] in edges.into_iter().flatten() {
        let (east, south) = map.at(grognard_lab::replay::Point { x, y });
        assert!((-1e-9..=width + 1e-9).contains(&east), "{x}, {y}: {east} of {width}");
        assert!((-1e-9..=height + 1e-9).contains(&south), "{x}, {y}: {south} of {height}");
    }
}

/// The band of every edge is inside the map, two sides at one edge have bands side by side, and arrowheads point out.
#[test]
fn edges_of_all_directions_are_drawn_within_the_map() {
    let (timeline, _) = leaving_by_all_edges();
    let map = Map::new(&timeline, frame::MAP);
    let (width, height) = map.size();
    let middle = (width / 2.0, height / 2.0);
    let base = picture::base(&map, &timeline);
    let bands = base.marks.iter().filter_map(|mark| match mark {
        Mark::Line { through, width: 2.0, .. } => Some(through),
        _ => None,
    });
    let bands: Vec<_> = bands.collect();
    assert_eq!(bands.len(), 8);
    for (nth, band) in bands.iter().enumerate() {
        assert!(!bands[..nth].contains(band), "two sides have one band: {band:?}");
    }
    for mark in &base.marks {
        let Mark::Area { outline, .. } = mark else { continue };
        if outline.len() != 3 {
            continue;
        }
        let far = |(x, y): crate::sheet::Place| ((x - middle.0) / width).abs().max(((y - middle.1) / height).abs());
        assert!(far(outline[1]) > far(outline[0]).min(far(outline[2])), "{outline:?}");
        assert!(outline.iter().all(|(x, y)| (0.0..=width).contains(x) && (0.0..=height).contains(y)), "{outline:?}");
    }
    for (title, boxes) in ground::titles(&map, &timeline) {
        for [left, top, right, bottom] in boxes {
            let inside = left >= 0.0 && top >= 0.0 && right <= width && bottom <= height;
            assert!(!title.ends_with("leaves here") || inside, "{title}: {left}, {top}, {right}, {bottom}");
        }
    }
}

/// Labels do not touch each other. They may where there is no room, but these battles have enough.
#[test]
fn labels_do_not_cover_each_other() {
    for (name, cell) in [("square-vs-line", 18), ("pip-flank", 0), ("figures-armies", 0)] {
        let timeline = timeline(name, cell);
        let map = Map::new(&timeline, frame::MAP);
        for (half, passage) in passages(&timeline) {
            let layers = picture::layers(&map, &passage, Wording::Full);
            let boxes: Vec<labels::Box4> =
                layers.labels.iter().filter_map(|(_, sheet)| picture::written(sheet)).collect();
            for (nth, one) in boxes.iter().enumerate() {
                let clash = boxes[nth + 1..].iter().find(|other| labels::overlap(one, other));
                assert!(clash.is_none(), "{name}, {}: {one:?} over {clash:?}", half.title);
            }
        }
    }
}

/// Printed type is no smaller than in a chart, however many units there are.
#[test]
fn type_in_drawings_is_as_large_as_in_charts() {
    for (name, cell) in BATTLES {
        let sheet = framed_storyboard(&timeline(name, cell), &caption()).sheet();
        for mark in &sheet.marks {
            let Mark::Text(text) = mark else { continue };
            assert!(text.size >= crate::look::size::SMALL, "{name}: {} at {}", text.words, text.size);
        }
    }
}

/// Text from a pack is escaped wherever it appears.
#[test]
fn what_a_pack_says_is_never_markup() {
    let folder = tempfile::tempdir().unwrap();
    let pack = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../packs/risk/pack.toml")).unwrap();
    let pack = pack.replace("title = \"Army\"", "title = \"<script>alert('&')</script>\"");
    std::fs::create_dir(folder.path().join("rules")).unwrap();
    std::fs::write(folder.path().join("rules/pack.toml"), pack).unwrap();
    let text = r#"
study = "hostile"
title = "</svg><script>alert(1)</script>"
pack = "rules"
runs = 1
turns = 9
[side.attacker]
units = [{ type = "army", figures = 5 }]
[side.defender]
units = [{ type = "army", figures = 5 }]
"#;
    let path = folder.path().join("hostile.toml");
    std::fs::write(&path, text).unwrap();
    let study = study(&path);
    let timeline = record(&study, &study.cells[0], 0).unwrap();
    assert!(timeline.kinds[0].title.contains("<script>"));
    let caption = Caption { title: study.header.title.clone(), source: "\"'<b>".to_owned() };
    for frame in frames(&timeline, &caption, Theme::Light).unwrap() {
        assert_well_formed(&frame.svg);
        assert!(!frame.svg.contains("<script") && frame.svg.contains("&lt;script&gt;"), "{}", frame.name);
    }
    let board = storyboard(&timeline, &caption, Theme::Light).unwrap();
    assert_well_formed(&board);
    assert!(!board.contains("<script") && !board.contains("<b>"));
    let page = page(&timeline, &caption, None).unwrap();
    // The page's own scripts: the battle as JSON, and the player.
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script").count(), 2);
    assert!(!page.contains("<b>") && page.contains("&lt;script&gt;") && page.contains("\\u003cscript\\u003e"));
}

/// A page is self-contained, and each of its steps shows the state in the timeline.
#[test]
fn a_page_stands_alone_and_has_every_event() {
    for (name, cell) in [("square-vs-line", 18), ("hex-line", 0), ("risk-dice", 0)] {
        let timeline = timeline(name, cell);
        let page = page(&timeline, &caption(), None).unwrap();
        assert!(!page.contains("http://") || page.matches("http://").count() == 1, "the name space of SVG alone");
        assert!(!page.contains("https://") && !page.contains("src="));
        assert_eq!(page, super::page(&timeline, &caption(), None).unwrap());
        let (_, json) = page.split_once("<script type=\"application/json\">").unwrap();
        let json: serde_json::Value = serde_json::from_str(json.split_once("</script>").unwrap().0).unwrap();
        let steps = json["steps"].as_array().unwrap();
        assert_eq!(steps.len(), page.matches("<li data-step=").count(), "{name}");
        let told: usize = timeline.moments.iter().filter(|moment| !moment.text.is_empty()).count();
        assert!(steps.len() >= told, "{name}");
        let pieces = page.matches("<g id=\"battle-").count() as u64;
        for step in steps {
            let labels = step["labels"].as_array().unwrap().iter().cloned();
            let units = step["units"].as_array().unwrap().iter().map(|unit| unit[1].clone());
            let all = labels.chain(units).chain([step["under"].clone(), step["over"].clone()]);
            assert!(all.into_iter().all(|piece| piece.as_u64().unwrap() < pieces), "{name}");
        }
        for line in timeline.lines() {
            assert!(page.contains(&crate::text::escaped(line.trim_start())), "{name}: {line}");
        }
    }
}

/// The parts of a battle contain every moment once, in order.
#[test]
fn frames_cover_the_battle() {
    let timeline = timeline("figures-armies", 0);
    let parts = halves(&timeline);
    assert_eq!((parts[0].first, parts[0].last), (0, 0));
    assert!(parts.windows(2).all(|pair| pair[0].last + 1 == pair[1].first));
    assert_eq!(parts.last().map(|half| half.last + 1), Some(timeline.moments.len()));
    // There are two parts for each turn fought, and the deployment; the battle may end in the first half of its last
    // turn.
    let turns = usize::from(timeline.moments.last().unwrap().turn);
    assert!([2 * turns, 2 * turns + 1].contains(&parts.len()), "{} halves in {turns} turns", parts.len());
}

/// If units act one at a time, a part of the battle is an activation and is named after its unit.
#[test]
fn activations_are_named_after_their_units() {
    let timeline = timeline("sf-ground", 0);
    let parts = halves(&timeline);
    let named = |half: &Half| timeline.units.iter().any(|unit| half.title.ends_with(&unit.name));
    assert_eq!(parts[1].title, "Turn 1", "the roll for the initiative");
    assert!(parts.iter().skip(2).all(named), "{:?}", parts.iter().map(|half| &half.title).collect::<Vec<_>>());
    let drawing = storyboard(&timeline, &caption(), Theme::Light).expect("it can be drawn");
    assert!(drawing.contains("quiet activations are omitted") && !drawing.contains("half-turn"), "{drawing}");
}

/// In a battle of red against blue, the red side is drawn like a second side.
#[test]
fn a_red_side_is_not_drawn_in_blue() {
    let mut timeline = timeline("patrol-through", 0);
    assert_eq!([0, 1].map(|side| symbols::tone(&timeline, side)), [0, 1]);
    timeline.sides = vec!["red".to_owned(), "blue".to_owned()];
    assert_eq!([0, 1].map(|side| symbols::tone(&timeline, side)), [1, 0]);
}
