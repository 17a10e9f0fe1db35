//! Chapter 8: the classes of artillery, and what determines them.

use grognard_rules::model::Rules;

use super::{alone, far_away, marched, s6};
use crate::common::{Game, drill, load_with, unit};

/// A piece, the weight of its shot, its draught animals and how its crew moves.
type Piece = (&'static str, u32, &'static str, &'static str);

/// A gun with a crew on foot.
fn gun(shot: u32) -> Piece {
    ("gun", shot, "horses", "foot")
}

/// Rules in which field batteries have this piece.
fn battery_of((piece, shot, draught, crews): Piece) -> &'static Rules {
    let set = |key: &str, value: String| format!("unit.field-battery.is.{key}={value}");
    let word = |word: &str| format!("\"{word}\"");
    let changes = [
        set("piece", word(piece)),
        set("shot", shot.to_string()),
        set("draught", word(draught)),
        set("crews", word(crews)),
    ];
    Box::leak(Box::new(load_with("figures-drill", &changes.each_ref().map(String::as_str))))
}

/// The class of a battery with this piece, and the game in which it marches and tries to unlimber.
fn classed(piece: Piece) -> (String, Game) {
    let rules = battery_of(piece);
    let men = unit("field-battery").formation("limbered").at(0.0, 0.0).facing(0.0);
    let mut game = Game::under(rules, ("unlimber-in-move", &[men]), ("hold", &[far_away()]));
    game.phase("move", &[]);
    (class_in(rules, "field-battery"), game)
}

/// The class of a unit type.
fn class_in(rules: &Rules, kind: &str) -> String {
    let place = rules.attributes.iter().position(|attribute| attribute.id == "class").expect("classes");
    let kind = &rules.kinds[rules.kind(kind).expect("a type")];
    rules.attributes[place].words[kind.attributes[place] as usize].clone()
}

fn class_of(piece: Piece) -> String {
    class_in(battery_of(piece), "field-battery")
}

/// Every battery has one of four classes, which determines how it moves.
#[test]
fn clause_8_41() {
    let speed = |kind: &str| {
        let game = alone("march", unit(kind).formation("limbered"), "move");
        assert_eq!(drill().arms[usize::from(drill().kinds[game.first().kind].arm)], "artillery");
        marched(&game)
    };
    let speeds = ["field-battery", "positional-battery", "horse-battery", "siege-battery"].map(speed);
    assert_eq!(speeds, [Some(800), Some(600), Some(1200), Some(600)]);
    let game = alone("form-limbered", unit("horse-battery"), "formation");
    assert_eq!(game.state(&game.first()).0, "limbered");
    alone("march", unit("horse-battery").formation("limbered"), "move").saw("8.41");
    // A battery's pieces determine its class, and therefore whether it may unlimber during a move (8.42, 8.43).
    for (piece, class, unlimbers) in [
        (gun(6), "field", true),
        (gun(12), "positional", false),
        (("gun", 6, "horses", "mounted"), "horse", true),
        (gun(24), "siege", false),
    ] {
        let (found, game) = classed(piece);
        assert_eq!((found.as_str(), game.state(&game.first()).0 == "unlimbered"), (class, unlimbers), "{piece:?}");
    }
}

/// Field artillery has pieces of 3 to 9 lb and field rockets. It keeps pace with infantry and deploys freely.
#[test]
fn clause_8_41a() {
    // No class mentions 10 and 11 lb shot, which counts as the class below.
    for shot in [3, 6, 9, 10, 11] {
        assert_eq!(class_of(gun(shot)), "field", "{shot} lb");
    }
    assert_eq!(class_of(("field-rocket", 0, "horses", "foot")), "field");
    let guns = alone("march", unit("field-battery").formation("limbered"), "move");
    let foot = alone("march", s6(), "move");
    assert_eq!((marched(&guns), marched(&foot)), (Some(800), Some(800)));
    guns.saw("8.41a");
    for (doctrine, phase) in [("form-unlimbered", "formation"), ("unlimber-in-move", "move")] {
        let game = alone(doctrine, unit("field-battery").formation("limbered"), phase);
        assert_eq!(game.state(&game.first()).0, "unlimbered", "in its {phase} phase");
    }
}

/// Positional artillery has heavy pieces, and all pieces drawn by oxen.
#[test]
fn clause_8_41b() {
    for (kind, far) in [("positional-battery", 600), ("ox-battery", 600)] {
        let game = alone("march", unit(kind).formation("limbered"), "move");
        assert_eq!(marched(&game), Some(far));
        game.saw("8.41b");
    }
    for piece in [gun(12), gun(16), gun(17), ("gun", 6, "oxen", "foot"), ("old-gun", 9, "horses", "foot")] {
        assert_eq!(class_of(piece), "positional", "{piece:?}");
    }
    assert_eq!(class_in(drill(), "fixed-battery"), "positional", "nine-pounders, by their nation");
}

/// Horse artillery has mounted crews. In some nations it is slower.
#[test]
fn clause_8_41c() {
    for (crews, class) in [("mounted", "horse"), ("foot", "field")] {
        assert_eq!(class_of(("gun", 6, "horses", crews)), class, "crews {crews}");
    }
    for (kind, far) in [("horse-battery", 1200), ("slow-horse-battery", 1000)] {
        let game = alone("march", unit(kind).formation("limbered"), "move");
        assert_eq!((class_in(drill(), kind).as_str(), marched(&game)), ("horse", Some(far)), "{kind}");
        game.saw("8.41c");
    }
}

/// Siege artillery has the heaviest pieces.
#[test]
fn clause_8_41d() {
    let game = alone("march", unit("siege-battery").formation("limbered"), "move");
    assert_eq!(marched(&game), Some(600), "as positional artillery");
    game.saw("8.41d");
    game.saw("8.43");
    // Siege artillery takes the whole turn to unlimber (8.43); other artillery does so at once.
    for (piece, class) in [
        (gun(18), "siege"),
        (gun(24), "siege"),
        (gun(17), "positional"),
        (gun(16), "positional"),
        (("old-gun", 18, "horses", "foot"), "siege"),
        (("old-gun", 16, "horses", "foot"), "positional"),
        (("mortar", 0, "horses", "foot"), "siege"),
        (("siege-rocket", 0, "horses", "foot"), "siege"),
    ] {
        let rules = battery_of(piece);
        assert_eq!(class_in(rules, "field-battery"), class, "{piece:?}");
        let men = unit("field-battery").formation("limbered").at(0.0, 0.0).facing(0.0);
        let mut game = Game::under(rules, ("form-unlimbered", &[men]), ("hold", &[far_away()]));
        game.phase("formation", &[]);
        let at_once = game.state(&game.first()).0 == "unlimbered";
        assert_eq!(at_once, class != "siege", "{piece:?}");
    }
}
