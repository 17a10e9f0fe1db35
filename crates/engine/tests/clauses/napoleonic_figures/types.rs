//! The numbers of each type of unit in play: its strength, its rating, how far it marches, shoots and charges, and its
//! zone.

use grognard_engine::plane::{Arc, Point};
use grognard_engine::{Array, ArrayPlan, Event, Flags, Refusal, Side, deploy};

use super::{alone, far_away, figure, marched};
use crate::common::{Game, Men, deployment, drill, line_of, unit};

/// Each type starts with the default formation, the number of figures and the bases that its row says.
#[test]
fn every_type_stands_as_its_row_says() {
    for (kind, formation, figures, (width, depth)) in [
        ("line-battalion", "line", 12, (50, 50)),
        ("two-rank-battalion", "line", 12, (75, 50)),
        ("light-battalion", "line", 8, (50, 50)),
        ("grenadier-battalion", "line", 12, (50, 50)),
        ("large-line-battalion", "line", 16, (50, 50)),
        ("large-light-battalion", "line", 12, (50, 50)),
        ("third-rank-battalion", "line", 9, (50, 50)),
        ("rifle-battalion", "line", 8, (50, 50)),
        ("dismounted-dragoons", "line", 8, (50, 50)),
        ("heavy-cavalry", "line", 8, (100, 100)),
        ("light-cavalry", "line", 8, (100, 100)),
        ("dragoons", "line", 8, (100, 100)),
        ("irregular-cavalry", "line", 8, (100, 100)),
    ] {
        let game = alone("hold", unit(kind), "move");
        let (men, ground) = (game.first(), game.ground(&game.first()));
        assert_eq!((game.state(&men).0, men.figures), (formation, figures), "{kind}");
        assert_eq!((ground.width, ground.depth), (i32::from(figures) * width, depth), "{kind} in one rank");
    }
    // Eight figures in open order take up seven gaps of two inches from middle to middle, and one base.
    for kind in ["dismounted-irregulars", "dismounted-light-cavalry"] {
        let game = alone("hold", unit(kind), "move");
        let (men, ground) = (game.first(), game.ground(&game.first()));
        assert_eq!((game.state(&men).0, men.figures), ("full-skirmish", 8), "{kind}");
        assert_eq!((ground.width, ground.depth), (7 * 200 + 50, 50), "{kind}");
    }
    for (kind, formation, cannon, crew) in [
        ("field-battery", "unlimbered", 8, 1),
        ("horse-battery", "unlimbered", 6, 1),
        ("slow-horse-battery", "unlimbered", 6, 1),
        ("positional-battery", "unlimbered", 12, 2),
        ("ox-battery", "unlimbered", 6, 1),
        ("siege-battery", "unlimbered", 6, 2),
        ("pontoon-train", "limbered", 4, 1),
    ] {
        let game = alone("hold", unit(kind), "move");
        let guns = game.first();
        assert_eq!((game.state(&guns).0, guns.cannon, guns.figures), (formation, cannon, crew), "{kind}");
    }
    for (kind, figures) in [("headquarters", 2), ("commander", 1)] {
        let game = alone("hold", unit(kind), "move");
        assert_eq!((game.state(&game.first()).0, game.first().figures), ("post", figures), "{kind}");
    }
}

/// A roll of two dice equal to the rating recovers good order; one pip more does not. The rating of light and irregular
/// cavalry is one point lower on foot (8.35).
#[test]
fn every_type_tests_on_its_rating() {
    for (rating, kinds) in [
        (5, &["dismounted-irregulars"][..]),
        (6, &["irregular-cavalry"]),
        (7, &["dismounted-light-cavalry"]),
        (
            8,
            &[
                "line-battalion",
                "two-rank-battalion",
                "light-battalion",
                "large-line-battalion",
                "large-light-battalion",
            ],
        ),
        (8, &["third-rank-battalion", "light-cavalry", "dragoons", "dismounted-dragoons", "pontoon-train"]),
        (
            8,
            &[
                "field-battery",
                "horse-battery",
                "slow-horse-battery",
                "positional-battery",
                "ox-battery",
                "siege-battery",
            ],
        ),
        (9, &["grenadier-battalion", "rifle-battalion", "heavy-cavalry", "headquarters"]),
        (10, &["commander"]),
    ] {
        for kind in kinds {
            for (pips, morale) in [(rating, "good"), (rating + 1, "disordered")] {
                let men = unit(kind).morale("disordered").at(0.0, 0.0).facing(0.0);
                let mut game = Game::new(("hold", &[men]), ("hold", &[far_away()]));
                game.phase("recover", &[pips / 2, pips - pips / 2]);
                assert_eq!(game.state(&game.first()).1, morale, "{pips} pips for {kind}");
            }
        }
    }
}

/// Each type moves at its rate in each of its formations, over open terrain, with an enemy far ahead of it.
#[test]
fn every_type_marches_at_its_rate() {
    let foot: &[(&str, i32)] = &[("line", 8), ("column", 10), ("pseudo-column", 8), ("square", 4), ("all-around", 2)];
    let afoot: &[(&str, i32)] =
        &[("line", 8), ("column", 10), ("pseudo-column", 8), ("all-around", 2), ("full-skirmish", 10)];
    let horse = |inches| vec![("line", inches), ("column", inches), ("massed", inches)];
    let with = |rates: &[(&'static str, i32)], more: &[(&'static str, i32)]| [rates, more].concat();
    let semi = [("skirmish", 10)];
    let full = [("full-skirmish", 10)];
    for (kind, rates) in [
        ("line-battalion", foot.to_vec()),
        ("two-rank-battalion", foot.to_vec()),
        ("grenadier-battalion", foot.to_vec()),
        ("large-line-battalion", foot.to_vec()),
        ("third-rank-battalion", foot.to_vec()),
        ("light-battalion", with(&with(foot, &semi), &full)),
        ("large-light-battalion", with(&with(foot, &semi), &full)),
        ("rifle-battalion", with(foot, &[("extreme-skirmish", 10)])),
        ("dismounted-dragoons", afoot.to_vec()),
        ("dismounted-irregulars", afoot.to_vec()),
        ("dismounted-light-cavalry", afoot.to_vec()),
        ("heavy-cavalry", horse(12)),
        ("dragoons", with(&horse(14), &full)),
        ("light-cavalry", with(&horse(16), &full)),
        ("irregular-cavalry", with(&horse(16), &full)),
        ("field-battery", vec![("limbered", 8)]),
        ("horse-battery", vec![("limbered", 12)]),
        ("slow-horse-battery", vec![("limbered", 10)]),
        ("positional-battery", vec![("limbered", 6)]),
        ("ox-battery", vec![("limbered", 6)]),
        ("siege-battery", vec![("limbered", 6)]),
        ("pontoon-train", vec![("limbered", 6)]),
        ("headquarters", vec![("post", 8)]),
        ("commander", vec![("post", 12)]),
    ] {
        for (formation, inches) in rates {
            let game = alone("march", unit(kind).formation(formation), "move");
            assert_eq!(marched(&game), Some(inches * 100), "{kind} in {formation}");
        }
    }
    // A line battalion also has skirmishers, who march like any others.
    for kind in
        ["line-battalion", "two-rank-battalion", "grenadier-battalion", "large-line-battalion", "third-rank-battalion"]
    {
        let mut game = alone("detach", unit(kind), "formation");
        game.phase("move", &[]);
        assert_eq!(marched(&game), Some(1000), "the screen of {kind}");
    }
}

/// Each type shoots at a unit at its longest range, but not at a unit a tenth of an inch farther away.
#[test]
fn every_type_shoots_as_far_as_its_arms_carry() {
    for (kind, inches) in [
        ("line-battalion", 6.0),
        ("two-rank-battalion", 6.0),
        ("light-battalion", 6.0),
        ("grenadier-battalion", 6.0),
        ("large-line-battalion", 6.0),
        ("large-light-battalion", 6.0),
        ("third-rank-battalion", 6.0),
        ("rifle-battalion", 8.0),
        ("dismounted-dragoons", 4.0),
        ("dismounted-irregulars", 4.0),
        ("dismounted-light-cavalry", 4.0),
        ("field-battery", 36.0),
        ("horse-battery", 30.0),
        ("slow-horse-battery", 30.0),
        ("positional-battery", 40.0),
        ("ox-battery", 36.0),
        ("siege-battery", 48.0),
    ] {
        for (beyond, fires) in [(0.0, true), (0.1, false)] {
            let shooter = unit(kind).at(-30.0, 0.0).facing(90.0);
            let target = figure().at(inches - 30.0 + beyond, 0.0).facing(270.0);
            let mut game = Game::new(("fire-only", &[shooter]), ("hold", &[target]));
            assert_eq!(game.play_fire(), fires, "{kind} at {} inches", inches + beyond);
        }
    }
}

/// A unit that turns at the edge of a type's fire zone may be shot at; a unit a tenth of an inch farther away may not.
#[test]
fn every_type_has_its_fire_zone() {
    for (kind, formation, inches) in [
        ("line-battalion", "line", 2.0),
        ("two-rank-battalion", "line", 2.0),
        ("light-battalion", "line", 2.0),
        ("grenadier-battalion", "line", 2.0),
        ("large-line-battalion", "line", 2.0),
        ("large-light-battalion", "line", 2.0),
        ("third-rank-battalion", "line", 2.0),
        ("rifle-battalion", "line", 2.0),
        ("dismounted-dragoons", "line", 1.0),
        ("dismounted-irregulars", "line", 1.0),
        ("dismounted-light-cavalry", "line", 1.0),
        ("heavy-cavalry", "line", 1.0),
        ("dragoons", "line", 1.0),
        ("light-cavalry", "line", 1.0),
        ("irregular-cavalry", "line", 1.0),
        ("field-battery", "unlimbered", 4.0),
        ("horse-battery", "unlimbered", 3.0),
        ("slow-horse-battery", "unlimbered", 4.0),
        ("positional-battery", "unlimbered", 4.0),
        ("ox-battery", "unlimbered", 4.0),
        ("siege-battery", "unlimbered", 4.0),
        ("pontoon-train", "limbered", 1.0),
        ("headquarters", "post", 1.0),
    ] {
        for (beyond, announced) in [(0.0, true), (0.1, false)] {
            // The figure faces east, and turns to the owner of the zone, whose front is on y = 0.
            let turner = figure().at(0.25, inches + beyond + 0.25).facing(90.0);
            let owner = unit(kind).formation(formation).at(0.0, 0.0).facing(0.0);
            let mut game = Game::new(("face", &[turner]), ("hold", &[owner]));
            game.play_anyhow(Side::First, "formation");
            let zone = game.seen.events().iter().any(|event| matches!(event, Event::InZone { .. }));
            assert_eq!(zone, announced, "{kind}, {} inches ahead", inches + beyond);
        }
    }
}

/// Cavalry charges two inches farther than it moves, and infantry as far as it moves.
#[test]
fn every_type_charges_as_far_as_its_horses_gallop() {
    for (kind, formation, inches) in [
        ("heavy-cavalry", "line", 14.0),
        ("dragoons", "line", 16.0),
        ("light-cavalry", "line", 18.0),
        ("irregular-cavalry", "line", 18.0),
        ("line-battalion", "line", 8.0),
        ("line-battalion", "column", 10.0),
    ] {
        for (beyond, declared) in [(0.0, true), (0.1, false)] {
            let charger = unit(kind).figures(4).formation(formation).at(0.0, 0.0).facing(0.0);
            let target = figure().at(0.0, inches + beyond + 0.5).facing(0.0);
            let mut game = Game::new(("charge", &[charger]), ("hold", &[target]));
            game.play_anyhow(Side::First, "charge");
            let charges = game.seen.events().iter().any(|event| matches!(event, Event::Declared { .. }));
            assert_eq!(charges, declared, "{kind} in {formation}, {} inches", inches + beyond);
        }
    }
}

/// Line battalions do not skirmish as a whole. Unlike light battalions, they change formation by deploying even one
/// figure.
#[test]
fn every_battalion_is_of_the_line_or_light() {
    for kind in
        ["line-battalion", "two-rank-battalion", "grenadier-battalion", "large-line-battalion", "third-rank-battalion"]
    {
        let together = alone("form-skirmish", unit(kind), "formation");
        assert!(matches!(together.seen.refusals()[..], [Refusal::Barred(..)]), "{kind}");
    }
    // If one of nine or of eight deploys, two thirds stay in line. Only light battalions may use this rule (9.35-N).
    for (kind, changed) in [
        ("light-battalion", false),
        ("large-light-battalion", false),
        ("rifle-battalion", false),
        ("line-battalion", true),
        ("third-rank-battalion", true),
    ] {
        let game = alone("detach-one", unit(kind), "formation");
        assert_eq!(game.nth(1).figures, 1, "{kind}");
        assert_eq!(game.first().flags.has(Flags::CHANGED), changed, "{kind}");
    }
}

/// The modifiers of the fire of two figures on this bearing at a unit facing north, and the arc of the unit that is
/// exposed to them.
fn shot(target: &Men, bearing: f64) -> (Vec<String>, Arc) {
    let shooter = unit("line-battalion").figures(2).bearing(bearing, 5.0).facing(bearing + 180.0);
    let mut game = Game::new(("fire-only", &[shooter]), ("hold", &[target.clone().at(0.0, 0.0).facing(0.0)]));
    game.phase("fire", &[1]);
    (game.own_modifiers("fire").into_iter().map(str::to_owned).collect(), game.roll("fire").exposed.1)
}

/// Infantry columns of every kind are massed targets, and have a rear.
#[test]
fn clause_9_12() {
    for formation in ["column", "pseudo-column", "road-column"] {
        let men = unit("line-battalion").figures(6).formation(formation);
        assert_eq!(shot(&men, 0.0), (vec!["massed-target".to_owned()], Arc::Front), "{formation}");
        assert_eq!(shot(&men, 180.0).1, Arc::Rear, "{formation}");
    }
    let seen = alone("form-pseudo-column", unit("line-battalion").figures(6), "formation");
    seen.saw("9.12");
    // They move at the linear rate.
    come(&FOOT, "pseudo-column", 8, "9.12");
}

/// Cavalry in several ranks is a massed target, and has a rear.
#[test]
fn clause_8_33() {
    for formation in ["massed", "column", "road-file"] {
        let men = unit("heavy-cavalry").figures(3).formation(formation);
        assert_eq!(shot(&men, 0.0), (vec!["massed-target".to_owned()], Arc::Front), "{formation}");
        assert_eq!(shot(&men, 180.0).1, Arc::Rear, "{formation}");
    }
    alone("form-massed", unit("heavy-cavalry"), "formation").saw("8.33");
    for (kind, inches) in [("heavy-cavalry", 12), ("light-cavalry", 16), ("irregular-cavalry", 16), ("dragoons", 14)] {
        come(&[kind], "massed", inches, "8.33");
    }
}

/// All-around order is a massed target, like a square.
#[test]
fn clause_7_21c() {
    let men = unit("line-battalion").figures(8).formation("all-around");
    assert_eq!(shot(&men, 0.0).0, ["massed-target"]);
    let shooter = figure().bearing(90.0, 4.0);
    let mut game = Game::new(("fire-only", &[shooter]), ("hold", &[men.at(0.0, 0.0).facing(0.0)]));
    game.phase("fire", &[1]);
    game.saw("7.21c");
}

/// Skirmishers and staffs are open targets, and limbered guns are massed targets.
#[test]
fn the_targets_that_the_chapters_do_not_name() {
    let light = || unit("light-battalion").figures(4);
    for (men, modifiers) in [
        (light().formation("skirmish"), &["open-target"][..]),
        (light().formation("full-skirmish"), &["open-target"]),
        (unit("rifle-battalion").figures(4).formation("extreme-skirmish"), &["open-target"]),
        (unit("headquarters"), &["open-target"]),
        (unit("field-battery").formation("limbered"), &["massed-target"]),
        (unit("pontoon-train"), &["massed-target"]),
        (unit("field-battery"), &[]),
    ] {
        assert_eq!(shot(&men, 0.0).0, modifiers, "{men:?}");
    }
    for men in [unit("field-battery").formation("limbered"), unit("pontoon-train"), unit("field-battery")] {
        assert_eq!(shot(&men, 180.0).1, Arc::Rear, "{men:?}");
    }
}

/// A unit in road order that is on its own and off the road marches like a column.
#[test]
fn clause_8_61() {
    let foot = alone("march", unit("line-battalion").figures(8).formation("road-column"), "move");
    assert_eq!(marched(&foot), Some(1000));
    let horse = alone("march", unit("heavy-cavalry").figures(8).formation("road-file"), "move");
    assert_eq!(marched(&horse), Some(1200));
    assert_eq!((foot.first().footprint(drill()).front, horse.first().footprint(drill()).front), (2, 1));
    // On the road, units move at the road rate.
    let road = [line_of("road", (0.0, -24.0), (0.0, 24.0))];
    let men = unit("line-battalion").figures(8).formation("road-column").at(0.0, -12.0).facing(0.0);
    let enemy = figure().at(30.0, 23.0).facing(180.0);
    let mut marching = Game::commanded(&road, ("march", "road"), ("road", &[men]), ("hold", &[enemy]));
    marching.phase("move", &[]);
    assert_eq!(marched(&marching), Some(2400));
    marching.saw("8.61");
}

/// The table is six feet by four. A unit whose base reaches the edge is on it; a hundredth of an inch farther out, it
/// is not.
#[test]
fn the_table_is_six_feet_by_four() {
    let stands = |east: f64, north: f64| {
        let men = figure().at(east, north).facing(0.0);
        deploy(drill(), &deployment(("hold", &[men]), ("hold", &[far_away()]))).is_ok()
    };
    // The front of a figure that faces north extends a quarter of an inch to each side, and its back is half an inch
    // behind it.
    for (east, north, (more_east, more_north)) in [
        (36.0 - 0.25, 0.0, (0.01, 0.0)),
        (0.25 - 36.0, 0.0, (-0.01, 0.0)),
        (0.0, 24.0, (0.0, 0.01)),
        (0.0, 0.5 - 24.0, (0.0, -0.01)),
    ] {
        assert!(stands(east, north), "({east}, {north})");
        assert!(!stands(east + more_east, north + more_north), "beyond ({east}, {north})");
    }
}

/// Sides deploy two feet apart, with an inch between neighbours and six inches between lines.
#[test]
fn sides_are_drawn_up_at_the_distances_of_the_pack() {
    let mut plan = deployment(
        ("hold", &[unit("line-battalion"), unit("line-battalion"), unit("line-battalion")]),
        ("hold", &[unit("line-battalion")]),
    );
    for side in Side::BOTH {
        let array = if side == Side::First { Array::TwoLines } else { Array::LineAbreast };
        plan.sides[side].array = Some(ArrayPlan { array, at: None, interval: None, lines: None });
    }
    let battle = deploy(drill(), &plan).expect("it can be deployed").start;
    let fronts: Vec<(i32, i32)> =
        battle.units.iter().filter(|unit| !unit.gone()).map(|unit| (unit.front.x, unit.front.y)).collect();
    // Lines of twelve are 6" wide and half an inch deep.
    assert_eq!(fronts, [(350, 1200), (-350, 1200), (0, 1200 + 50 + 600), (0, -1200)]);
}

/// The value of one attribute of a type.
fn word_of(kind: &str, attribute: &str) -> String {
    let rules = drill();
    let place = rules.attributes.iter().position(|known| known.id == attribute).expect("an attribute of the pack");
    let value = rules.kinds[rules.kind(kind).expect("a type")].attributes[place];
    rules.attributes[place].words.get(value as usize).cloned().unwrap_or_else(|| value.to_string())
}

/// Each type has the kind of base, the class and the pieces that its row says.
#[test]
fn every_type_has_the_words_of_its_row() {
    for (basing, kinds) in [
        ("two-rank", &["two-rank-battalion"][..]),
        ("three-rank", &["line-battalion", "light-battalion", "grenadier-battalion", "large-line-battalion"]),
        ("three-rank", &["large-light-battalion", "third-rank-battalion", "rifle-battalion"]),
        ("three-rank", &["dismounted-dragoons", "dismounted-irregulars", "dismounted-light-cavalry"]),
        ("single", &["heavy-cavalry", "light-cavalry", "dragoons", "irregular-cavalry", "headquarters", "commander"]),
        ("single", &["field-battery", "horse-battery", "slow-horse-battery", "positional-battery", "ox-battery"]),
        ("single", &["siege-battery", "pontoon-train", "crew"]),
    ] {
        for kind in kinds {
            assert_eq!(word_of(kind, "basing"), basing, "{kind}");
        }
    }
    for (class, kinds) in [
        ("line", &["line-battalion", "two-rank-battalion", "grenadier-battalion", "large-line-battalion"][..]),
        ("line", &["third-rank-battalion"]),
        ("light", &["light-battalion", "large-light-battalion", "rifle-battalion", "light-cavalry"]),
        ("heavy", &["heavy-cavalry"]),
        ("medium", &["dragoons"]),
        ("irregular", &["irregular-cavalry"]),
        ("field", &["field-battery"]),
        ("horse", &["horse-battery", "slow-horse-battery"]),
        ("positional", &["positional-battery", "ox-battery"]),
        ("siege", &["siege-battery"]),
        ("train", &["pontoon-train"]),
        ("staff", &["headquarters", "commander"]),
        ("crew", &["crew"]),
    ] {
        for kind in kinds {
            assert_eq!(word_of(kind, "class"), class, "{kind}");
        }
    }
    for (kind, shot, draught, crews) in [
        ("field-battery", "6", "horses", "foot"),
        ("horse-battery", "6", "horses", "mounted"),
        ("slow-horse-battery", "6", "horses", "mounted"),
        ("positional-battery", "12", "horses", "foot"),
        ("ox-battery", "6", "oxen", "foot"),
        ("siege-battery", "18", "horses", "foot"),
    ] {
        let words = ["piece", "shot", "draught", "crews"].map(|attribute| word_of(kind, attribute));
        assert_eq!(words, ["gun", shot, draught, crews], "{kind}");
    }
}

/// All types that fight on foot.
const FOOT: [&str; 11] = [
    "line-battalion",
    "two-rank-battalion",
    "grenadier-battalion",
    "light-battalion",
    "large-light-battalion",
    "large-line-battalion",
    "third-rank-battalion",
    "rifle-battalion",
    "dismounted-dragoons",
    "dismounted-irregulars",
    "dismounted-light-cavalry",
];

/// Asserts that units of these types move this many inches in this formation, and that the move cites this clause.
fn come(kinds: &[&str], formation: &str, inches: i32, clause: &str) {
    for kind in kinds {
        let game = alone("march", unit(kind).formation(formation), "move");
        assert_eq!(marched(&game), Some(inches * 100), "{kind} in {formation}");
        game.saw(clause);
    }
}

/// Infantry in line moves at the linear rate.
#[test]
fn clause_9_22() {
    come(&FOOT, "line", 8, "9.22");
}

/// Infantry in true column may use the column rate.
#[test]
fn clause_9_11() {
    come(&FOOT, "column", 10, "9.11");
}

/// Squares move four inches.
#[test]
fn clause_9_55() {
    come(&["large-line-battalion", "third-rank-battalion", "rifle-battalion"], "square", 4, "9.55");
}

/// Skirmishers move ten inches; so does a screen of a line battalion.
#[test]
fn clause_7_43() {
    let lights = ["light-battalion", "large-light-battalion"];
    come(&lights, "skirmish", 10, "7.43");
    come(&lights, "full-skirmish", 10, "7.43");
    come(&["light-cavalry", "dragoons", "irregular-cavalry"], "full-skirmish", 10, "7.43");
    come(&FOOT[8..], "full-skirmish", 10, "7.43");
    come(&["rifle-battalion"], "extreme-skirmish", 10, "7.43");
    for kind in
        ["line-battalion", "two-rank-battalion", "grenadier-battalion", "large-line-battalion", "third-rank-battalion"]
    {
        let mut game = alone("detach", unit(kind), "formation");
        game.phase("move", &[]);
        assert_eq!(marched(&game), Some(1000), "the screen of {kind}");
        game.saw("7.43");
    }
}

/// Cavalry gains nothing in movement from its column.
#[test]
fn clause_8_32() {
    come(&["heavy-cavalry"], "column", 12, "8.32");
    come(&["light-cavalry", "irregular-cavalry"], "column", 16, "8.32");
    come(&["dragoons"], "column", 14, "8.32");
}

/// Guns of every type fire when unlimbered, and do not move.
#[test]
fn clause_8_45() {
    for kind in
        ["field-battery", "horse-battery", "slow-horse-battery", "positional-battery", "ox-battery", "siege-battery"]
    {
        let guns = || unit(kind).cannon(1).formation("unlimbered").at(0.0, 0.0).facing(0.0);
        let mut moving = Game::new(("march", &[guns()]), ("hold", &[far_away()]));
        moving.phase("move", &[]);
        assert_eq!(marched(&moving), None, "{kind}");
        let mut firing = Game::new(("fire-only", &[guns()]), ("hold", &[figure().at(0.0, 20.0).facing(180.0)]));
        firing.phase("fire", &[1]);
        firing.saw("8.45");
    }
}

/// A crew away from its guns walks ten inches back to them, and rallies on a rating of eight.
#[test]
fn crews_walk_and_rally_as_their_row_says() {
    let apart = |morale: &str| {
        let guns = unit("field-battery").at(0.0, 20.0).facing(0.0);
        let enemy = figure().at(30.0, 20.0).facing(180.0);
        let mut game = Game::new(("hold", &[guns]), ("hold", &[enemy]));
        game.unit_mut(Side::First, 0).figures = 0;
        let state = drill().morale_state(morale).expect("a morale state");
        let crew = game.unit_mut(Side::First, 1);
        (crew.figures, crew.start, crew.morale, crew.flags) = (1, 1, state, Flags::SCREEN);
        crew.front = Point { x: 0, y: 0 };
        game
    };
    let mut back = apart("good");
    back.phase("move", &[]);
    assert_eq!(marched(&back), Some(1000));
    for (pips, morale) in [(8, "disordered"), (9, "routed")] {
        let mut game = apart("routed");
        game.phase("rally", &[4, pips - 4]);
        assert_eq!(game.state(&game.nth(1)).1, morale, "{pips} pips");
    }
}
