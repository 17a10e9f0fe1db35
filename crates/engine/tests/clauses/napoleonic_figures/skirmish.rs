//! Open order: which figures may deploy, how dense they are, and dismounted cavalry.

use grognard_engine::plane::Point;
use grognard_engine::{Flags, Misdeployment, Refusal, ScreenRefusal, Side};
use grognard_rules::model::{FormationId, Rules};

use super::{far_away, figure, last_man_shot};
use crate::common::{Game, Men, drill, load_once, load_with, unit};

/// The game after a formation phase in which the unit's doctrine gives it an order.
fn told(doctrine: &str, men: Men) -> Game {
    let mut game = Game::new((doctrine, &[men.at(0.0, 0.0).facing(0.0)]), ("hold", &[far_away()]));
    game.phase("formation", &[]);
    game
}

fn out(game: &Game) -> u16 {
    let screen = game.nth(1);
    if screen.gone() { 0 } else { screen.figures }
}

/// The fault in a row of these skirmishers with this frontage in inches; `None` if it is allowed.
fn over(men: Men, inches: f64) -> Option<String> {
    let men = men.at(0.0, 0.0).facing(0.0).frontage(inches);
    let plan = crate::common::deployment(("hold", &[men]), ("hold", &[far_away()]));
    let message = |faults: Vec<Misdeployment>| faults[0].message.clone();
    grognard_engine::deploy(crate::common::drill(), &plan).err().map(message)
}

fn semi(figures: u16) -> Men {
    unit("light-battalion").figures(figures).formation("skirmish")
}

fn full(figures: u16) -> Men {
    unit("light-battalion").figures(figures).formation("full-skirmish")
}

fn extreme(figures: u16) -> Men {
    unit("rifle-battalion").figures(figures).formation("extreme-skirmish")
}

/// A line battalion may be in column, line or square, and may detach one figure. A routed unit may do nothing.
#[test]
fn clause_8_0_g() {
    let eight = || unit("line-battalion").figures(8);
    for (doctrine, formation) in [("form-column", "column"), ("form-line", "line"), ("form-square", "square")] {
        assert_eq!(told(doctrine, eight()).first().formation, formation_index(formation));
    }
    let game = told("form-skirmish", eight());
    assert!(matches!(game.seen.refusals()[..], [Refusal::Barred(..)]));
    game.saw("8.0-G");
    assert_eq!(out(&told("detach", eight())), 1);
    for doctrine in ["form-column", "form-line", "form-square", "form-skirmish"] {
        let routed = told(doctrine, eight().morale("routed"));
        assert_eq!(routed.state(&routed.first()).0, "column");
    }
}

fn formation_index(formation: &str) -> FormationId {
    crate::common::drill().formation(formation).expect("a formation of the pack")
}

/// Medium, light and irregular horse may dismount, all figures at once. On foot they may take every infantry formation
/// but square. Their rating is then one point lower wherever it counts, except for medium horse.
#[test]
fn clause_8_35() {
    // All three have a rating of 6 when mounted; the pack gives none on foot.
    let rated = ["light-cavalry", "irregular-cavalry", "dragoons"].map(|kind| format!("unit.{kind}.is.cmr=6"));
    let rules: &'static Rules = Box::leak(Box::new(load_with("figures-drill", &rated.each_ref().map(String::as_str))));
    let afoot = |kind: &str| {
        let men = unit(kind).at(0.0, 0.0).facing(0.0);
        let mut game = Game::under(rules, ("dismount", &[men]), ("fire-only", &[far_away()]));
        game.phase("formation", &[]);
        game.saw("8.35");
        assert_eq!((game.first().figures, game.state(&game.first()).0), (8, "line"), "{kind}: all of them");
        assert!(game.first().flags.has(Flags::CHANGED), "it is their change of formation");
        game
    };
    for (kind, on_foot, rating) in [
        ("light-cavalry", "dismounted-light-cavalry", 5),
        ("irregular-cavalry", "dismounted-irregulars", 5),
        ("dragoons", "dismounted-dragoons", 6),
    ] {
        let mut game = afoot(kind);
        assert_eq!(rules.kinds[game.first().kind].id, on_foot);
        // On foot they may not form square in their next formation phase.
        game.unit_mut(Side::First, 0).doctrine = rules.doctrine("form-square").expect("a doctrine");
        for phase in ["charge", "move", "fire", "shock", "recover", "rally", "formation"] {
            game.phase(phase, &[]);
        }
        assert_eq!(game.seen.refusals(), [Refusal::Formation], "{on_foot}");
        assert_eq!(game.state(&game.first()).0, "line");
        // Two hits on eight figures make them test. They pass with a roll equal to their rating, and fail with one
        // more.
        for (pips, morale) in [(rating, "good"), (rating + 1, "disordered")] {
            let mut game = afoot(kind);
            let shooter = game.unit_mut(Side::Second, 0);
            (shooter.figures, shooter.start, shooter.front) = (12, 12, Point { x: 0, y: 400 });
            game.phase_of(Side::Second, "fire", &[9, 9, 1, 1, 1, 1, 1, pips - 1]);
            assert_eq!(game.state(&game.first()).1, morale, "{pips} pips for {on_foot}");
            assert!(game.own_modifiers("morale").is_empty());
        }
        // The same applies to rallying; mounted, they rally on their rating of six.
        for (kind, rating) in [(on_foot, rating), (kind, 6)] {
            for (pips, morale) in [(rating, "disordered"), (rating + 1, "routed")] {
                let men = unit(kind).formation("column").morale("routed").at(0.0, 0.0).facing(0.0);
                let mut game = Game::under(rules, ("hold", &[men]), ("hold", &[far_away()]));
                game.phase("rally", &[1, pips - 1]);
                assert_eq!(game.state(&game.first()).1, morale, "{pips} pips for {kind}");
            }
        }
        // Every other formation of infantry is open to them; their loose order is full (9.31).
        for (doctrine, formation) in [
            ("form-line", "line"),
            ("form-column", "column"),
            ("form-pseudo-column", "pseudo-column"),
            ("form-full", "full-skirmish"),
        ] {
            let from = if formation == "column" { "line" } else { "column" };
            let game = told(doctrine, unit(on_foot).formation(from));
            assert_eq!(game.state(&game.first()).0, formation, "{on_foot}");
        }
    }
    let heavy = told("dismount", unit("heavy-cavalry"));
    assert_eq!(heavy.seen.refusals(), [Refusal::CannotDismount]);
    heavy.saw("8.35");
    // They dismount only in the formation phase.
    for phase in ["charge", "move", "fire"] {
        let men = unit("light-cavalry").at(0.0, 0.0).facing(0.0);
        let mut game = Game::new(("dismount", &[men]), ("hold", &[far_away()]));
        game.phase(phase, &[]);
        assert_eq!(game.first().kind, game.setup.start.units[0].kind, "{phase}");
    }
}

/// Of six figures, light infantry may deploy any number as a screen, or all of them as a formation, but only in the
/// formation phase.
#[test]
fn clause_9_30_g1() {
    assert_eq!(out(&told("detach", unit("light-battalion").figures(6))), 5);
    assert_eq!(out(&told("detach-three", unit("light-battalion").figures(6))), 3);
    let all = told("form-full", unit("light-battalion").figures(6));
    assert_eq!(all.state(&all.first()).0, "full-skirmish");
    let game = told("detach-one", unit("light-battalion").figures(6));
    assert_eq!(out(&game), 1);
    game.saw("9.30-G1");
    let men = unit("light-battalion").figures(6).at(0.0, 0.0).facing(0.0);
    let mut other = Game::new(("detach-one", &[men]), ("hold", &[far_away()]));
    other.phase("move", &[]).phase_of(grognard_engine::Side::Second, "formation", &[]);
    assert_eq!(out(&other), 0);
}

/// A line battalion may deploy one figure, a third-rank battalion a third, and light troops all. Some medium cavalry
/// may deploy one or all.
#[test]
fn clause_9_30_g2() {
    for (kind, figures, most) in [
        ("line-battalion", 6, 1),
        ("third-rank-battalion", 9, 3),
        ("third-rank-battalion", 8, 2),
        ("light-battalion", 8, 7),
        ("dragoons", 6, 1),
        ("two-rank-battalion", 6, 1),
    ] {
        let game = told("detach", unit(kind).figures(figures));
        assert_eq!(out(&game), most, "{figures} of {kind}");
        if most < 7 {
            game.saw("9.30-G2");
        }
    }
    let game = told("detach-three", unit("dragoons").figures(6));
    assert!(matches!(game.seen.refusals()[..], [Refusal::Screen(ScreenRefusal::TooMany(_))]));
    game.saw("9.30-G2");
    // Larger numbers are refused because of the limit, not because of a formation: no figure deploys in any order.
    let refused = [
        ("line-battalion", &["9.31", "9.32-semi"][..]),
        ("dragoons", &["8.36", "9.31"]),
        ("third-rank-battalion", &["9.31", "9.32-semi"]),
    ];
    for (kind, not) in refused {
        let game = told("detach-four", unit(kind).figures(8));
        assert!(matches!(game.seen.refusals()[..], [Refusal::Screen(ScreenRefusal::TooMany(_))]), "{kind}");
        game.saw("9.30-G2");
        assert!(not.iter().all(|clause| !game.seen.cited().contains(*clause)), "{kind}: {:?}", game.seen.cited());
    }
    // If fewer than the maximum deploy, the maximum makes no difference. Nor is it this clause that keeps the last man
    // of light infantry from deploying.
    assert!(!told("detach-one", unit("third-rank-battalion")).seen.cited().contains("9.30-G2"));
    let last = told("detach-four", unit("light-battalion").figures(4));
    assert!(matches!(last.seen.refusals()[..], [Refusal::Screen(ScreenRefusal::TooMany(_))]));
    assert!(!last.seen.cited().contains("9.30-G2"));
    for kind in ["dragoons", "light-battalion"] {
        let all = told("form-full", unit(kind).figures(6));
        assert_eq!(all.state(&all.first()).0, "full-skirmish", "{kind} with all");
    }
}

/// There are three skirmish formations. All cavalry uses the full one, on foot as well.
#[test]
fn clause_9_31() {
    for kind in ["light-cavalry", "irregular-cavalry", "dismounted-light-cavalry", "dismounted-irregulars"] {
        let men = if kind.starts_with("dismounted") { unit(kind).formation("column") } else { unit(kind) };
        let game = told("form-full", men);
        assert_eq!(game.state(&game.first()).0, "full-skirmish");
        game.saw("9.31");
        let semi = told("form-skirmish", unit(kind).formation("column"));
        assert_eq!(semi.state(&semi.first()).0, "column");
        assert!(matches!(semi.seen.refusals()[..], [Refusal::Formation | Refusal::Barred(..)]), "{kind}");
        semi.saw("9.31");
    }
    // A unit has one density, whether it deploys a screen or goes into skirmish order as a whole.
    for (kind, wholly, density) in [
        ("light-battalion", "form-full", "full-skirmish"),
        ("large-light-battalion", "form-full", "full-skirmish"),
        ("rifle-battalion", "form-extreme", "extreme-skirmish"),
    ] {
        let screen = told("detach", unit(kind));
        assert_eq!(screen.state(&screen.nth(1)).0, density, "{kind}");
        let whole = told(wholly, unit(kind));
        assert_eq!(whole.state(&whole.first()).0, density, "{kind}");
        for order in ["form-skirmish", "form-full", "form-extreme"].into_iter().filter(|&order| order != wholly) {
            let other = told(order, unit(kind));
            assert_eq!(other.state(&other.first()).0, "line", "{kind} with {order}");
            assert_eq!(other.seen.refusals().len(), 1, "{kind} with {order}");
        }
    }
    told("form-skirmish", unit("light-battalion")).saw("9.31");
    let dragoons = told("detach", unit("dragoons"));
    assert_eq!(dragoons.state(&dragoons.nth(1)).0, "full-skirmish");
    // A unit's density is part of its rating, and cannot be ordered.
    let denser = told("form-full", semi(6));
    assert_eq!((denser.state(&denser.first()).0, denser.seen.refusals()), ("skirmish", vec![Refusal::Formation]));
    let company = told("detach", unit("line-battalion"));
    assert_eq!(company.state(&company.nth(1)).0, "skirmish");
    // If opportunity fire leaves only a unit's deployed figures, they do not take the density that the unit was ordered
    // to take, even if it was open to the unit.
    let rules = load_once("figures-drill", &["skirmish.screen.light-infantry.formation=skirmish"]);
    let left = last_man_shot(rules, "form-full");
    assert_eq!((left.state(&left.first()).0, left.seen.refusals()), ("skirmish", Vec::new()));
}

/// Four figures take up 4" to 8" in semi order, 8" to 16" in full order, and 12" to 22" in extreme order (24" without
/// the tether of 9.42).
#[test]
fn clause_9_32() {
    for (men, least, most) in [(semi(4), 4.0, 8.0), (full(4), 8.0, 16.0), (extreme(4), 12.0, 22.0)] {
        assert_eq!(over(men.clone(), least), None);
        assert_eq!(over(men.clone(), most), None);
        assert!(over(men.clone(), least - 0.1).is_some_and(|why| why.contains("too close") && why.contains("9.32")));
        assert!(over(men, most + 0.1).is_some_and(|why| why.contains("too far apart") && why.contains("9.32")));
    }
    told("form-full", unit("light-battalion")).saw("9.32");
}

/// Semi order takes up 1" to 2" per figure, in one loose rank.
#[test]
fn clause_9_32_semi() {
    assert_eq!(over(semi(3), 3.0), None);
    assert!(over(semi(3), 2.9).is_some_and(|why| why.contains("too close") && why.contains("9.32-semi")));
    assert_eq!(over(semi(3), 6.0), None);
    assert!(over(semi(3), 6.1).is_some_and(|why| why.contains("too far apart") && why.contains("9.32-semi")));
    // Deployed without a given frontage, they also keep within those limits.
    for figures in 2..=8 {
        let game = told("form-skirmish", unit("semi-lights").figures(figures));
        let footprint = game.first().footprint(game.rules);
        let gaps = i32::from(figures) - 1;
        let between_centres = footprint.width - 50;
        assert!((gaps * 100..=gaps * 200).contains(&between_centres), "{figures} figures on {}", footprint.width);
        assert_eq!(footprint.ranks, 1);
        game.saw("9.32-semi");
    }
}

/// Full order takes up 2" to 4" per figure.
#[test]
fn clause_9_32_full() {
    assert_eq!(over(full(3), 6.0), None);
    assert!(over(full(3), 5.5).is_some_and(|why| why.contains("9.32-full")));
    assert!(over(full(3), 12.5).is_some_and(|why| why.contains("9.32-full")));
    told("form-full", unit("light-battalion")).saw("9.32-full");
}

/// Extreme order takes up 3" to 6" per figure, and is only for rifles.
#[test]
fn clause_9_32_extreme() {
    assert_eq!(over(extreme(2), 6.0), None);
    assert!(over(extreme(2), 5.9).is_some_and(|why| why.contains("9.32-extreme")));
    let french = told("form-extreme", unit("light-battalion"));
    assert_eq!(french.seen.refusals(), [Refusal::Formation]);
    french.saw("9.32-extreme");
    let rifles = told("form-extreme", unit("rifle-battalion"));
    assert_eq!(rifles.state(&rifles.first()).0, "extreme-skirmish");
    rifles.saw("9.32-extreme");
    let screen = told("detach", unit("rifle-battalion"));
    assert_eq!((out(&screen), screen.state(&screen.nth(1)).0), (7, "extreme-skirmish"));
}

/// Line battalions deploy one figure; large regiments that may deploy two do so.
#[test]
fn clause_9_33() {
    for (kind, figures, most) in [
        ("line-battalion", 7, 1),
        ("line-battalion", 8, 1),
        ("grenadier-battalion", 8, 1),
        ("two-rank-battalion", 8, 1),
        ("large-line-battalion", 8, 2),
    ] {
        let game = told("detach", unit(kind).figures(figures));
        assert_eq!(out(&game), most, "{kind} of {figures}");
        game.saw("9.33");
    }
    assert_eq!(out(&told("detach", unit("large-line-battalion").figures(7))), 1);
}

/// A unit entirely in skirmish order re-forms on the middle of its front row, in line or column, all together.
#[test]
fn clause_9_35() {
    // The centres are at -3, -1, 1 and 3 on y = 0, so the front of the row is a quarter of an inch ahead.
    let four = || full(4);
    let reform = |doctrine: &str| {
        let men = four().at(0.0, 0.25).facing(0.0);
        let mut game = Game::new((doctrine, &[men]), ("hold", &[far_away()]));
        game.phase("formation", &[]);
        game
    };
    let line = reform("form-line");
    assert_eq!((line.state(&line.first()).0, line.first().front.x, line.first().front.y), ("line", 0, 0));
    line.saw("9.35");
    let square = reform("form-square");
    assert_eq!(square.state(&square.first()).0, "full-skirmish", "not into square (9.57)");
    // Horse does not re-form in massed order, which is not a column (8.33).
    let horse = unit("light-cavalry").formation("full-skirmish").at(0.0, 0.0).facing(0.0);
    for (doctrine, formation) in [("form-massed", "full-skirmish"), ("form-line", "line")] {
        let mut game = Game::new((doctrine, std::slice::from_ref(&horse)), ("hold", &[far_away()]));
        game.phase("formation", &[]);
        assert_eq!(game.state(&game.first()).0, formation);
        game.saw("9.35");
    }
    // Re-formed figures may not deploy again in the same phase, nor may any deploy from a unit that is entirely in
    // skirmish order.
    let again = reform("line-then-detach");
    assert!(matches!(again.seen.refusals()[..], [Refusal::Screen(ScreenRefusal::Bar(_))]));
    again.saw("9.35");
    let more = told("detach-one", four());
    assert!(matches!(more.seen.refusals()[..], [Refusal::Screen(ScreenRefusal::Bar(_))]));
    more.saw("9.35");
}

/// Mounted skirmishers keep an inch between bases.
#[test]
fn clause_9_46() {
    let horse = |figures: u16| unit("light-cavalry").figures(figures).formation("full-skirmish");
    // With bases of an inch, two figures an inch apart are 2" from centre to centre, a frontage of 4".
    assert_eq!(over(horse(2), 4.0), None);
    assert!(over(horse(2), 3.6).is_some_and(|why| why.contains("9.46")));
    // Dragoons whose nation rates them semi keep half an inch: 1.5" from centre to centre.
    let semi = |inches: f64| over(unit("semi-dragoons").figures(2).formation("skirmish"), inches);
    assert_eq!(semi(3.0), None);
    assert!(semi(2.8).is_some_and(|why| why.contains("9.46")));
    let game = told("form-full", unit("light-cavalry").figures(2));
    assert_eq!(game.ground(&game.first()).width, 300, "two bases and an inch between them");
    game.saw("9.46");
    // On bases of an inch and a half, the minimum frontage of 9.32 would leave them half an inch.
    let rules: &'static Rules = Box::leak(Box::new(load_with("figures-drill", &["unit.light-cavalry.width=1.5"])));
    let wide = |inches: f64| {
        let men = horse(2).at(0.0, 0.0).facing(0.0).frontage(inches);
        let plan = crate::common::deployment(("hold", &[men]), ("hold", &[far_away()]));
        grognard_engine::deploy(rules, &plan).is_ok()
    };
    assert_eq!((wide(5.0), wide(4.8)), (true, false), "2.5\" from centre to centre, and 2.4\"");
}

/// Five figures need 5" in semi order, 10" in full order and 15" in extreme order.
#[test]
fn clause_9_47() {
    for (men, least) in [(semi(5), 5.0), (full(5), 10.0), (extreme(5), 15.0)] {
        assert_eq!(over(men.clone(), least), None);
        assert!(over(men, least - 0.1).is_some_and(|why| why.contains("9.47")));
    }
    assert!(over(full(4), 6.0).is_some(), "8 inches are needed");
    // This holds for any base: only mounted skirmishers keep the clear gap of 9.46. On 0.75" bases it would require
    // 1.25".
    assert_eq!(over(unit("two-rank-battalion").screen(1), 1.0), None);
    told("form-full", unit("light-battalion")).saw("9.47");
    // The frontage that a study gives is the unit's, not its screen's.
    let row = |men: Men| {
        let game =
            Game::new(("hold", &[men.formation("column").screen(3).at(0.0, 0.0).facing(0.0)]), ("hold", &[far_away()]));
        game.battle.units[1].footprint(drill()).width
    };
    assert_eq!(row(unit("light-battalion").abreast(2)), row(unit("light-battalion")));
}

/// A unit that is entirely in skirmish order makes one test, and all of it routs.
#[test]
fn clause_9_48() {
    let horse = unit("heavy-cavalry").at(0.0, 8.0).facing(180.0);
    let mut game = Game::new(("charge", &[horse]), ("hold", &[full(8).at(0.0, 0.0).facing(0.0)]));
    game.phase("charge", &[6, 6]);
    let checks = game.seen.rolls().filter(|roll| game.rules.rolls[roll.roll].id == "morale").count();
    assert_eq!(checks, 1);
    assert_eq!((game.state(&game.second()).1, game.second().figures), ("routed", 8));
    game.saw("9.48");
    // A unit that fails narrowly moves back out of the charge's way: the horse is three inches away.
    let horse = unit("heavy-cavalry").at(0.0, 3.5).facing(180.0);
    let mut retires = Game::new(("charge", &[horse]), ("hold", &[full(8).at(0.0, 0.0).facing(0.0)]));
    retires.phase("charge", &[2, 3]);
    assert_eq!((retires.state(&retires.second()).1, retires.second().figures), ("disordered", 8));
    assert!(retires.ground(&retires.second()).centre().y < -500, "{:?}", retires.second().front);
    retires.saw("9.48");
    // A unit that fails narrowly is disordered, and all eight go back.
    let enemy = unit("line-battalion").at(0.0, 4.0).facing(180.0);
    let mut shot = Game::new(("hold", &[full(8).at(0.0, 0.0).facing(0.0)]), ("fire-only", &[enemy]));
    shot.phase_of(Side::Second, "fire", &[10, 10, 10, 1, 1, 1, 5, 5]);
    assert_eq!((shot.state(&shot.first()).1, shot.first().figures), ("disordered", 5));
    assert!(shot.first().front.y <= -600 + 50, "{:?}", shot.first().front);
    // Six of eight are deployed, two inches behind the two others. When those two fall, the six are the unit (9.42).
    let fall = |faces: &[i32]| {
        let men = unit("light-battalion").screen(6).at(0.0, 0.0).facing(0.0);
        let enemy = unit("line-battalion").at(0.0, 4.0).facing(180.0);
        let mut game = Game::new(("form-line", &[men]), ("fire-only", &[enemy]));
        game.battle.units[1].front = Point { x: 0, y: -200 };
        game.phase_of(Side::Second, "fire", faces);
        assert!(!game.first().gone() && game.nth(1).gone() && game.outcome.is_none());
        assert_eq!((game.first().figures, game.first().start), (6, 8));
        game
    };
    // The loss of two of eight is a quarter, and the unit makes one test. If it is steady, it may close up again
    // (9.35).
    let mut steady = fall(&[10, 10, 1, 1, 1, 1, 2, 2]);
    steady.saw("9.48");
    assert_eq!(
        (steady.state(&steady.first()), steady.first().front),
        (("full-skirmish", "good"), Point { x: 0, y: -200 })
    );
    steady.phase("formation", &[]);
    assert_eq!((steady.state(&steady.first()).0, steady.first().figures), ("line", 6));
    let shaken = fall(&[10, 10, 1, 1, 1, 1, 5, 5]);
    assert_eq!(shaken.state(&shaken.first()).1, "disordered");
}

/// A light battalion with half or more of its figures deployed forms no square. With fewer deployed, they join it.
#[test]
fn clause_9_57() {
    let square = |out: u16| {
        let men = unit("light-battalion").screen(out).at(0.0, 0.0).facing(0.0);
        let mut game = Game::new(("form-square", &[men]), ("hold", &[far_away()]));
        game.phase("formation", &[]);
        game
    };
    let refused = square(4);
    assert!(refused.seen.refusals().iter().any(|why| matches!(why, Refusal::Barred(..))));
    assert_eq!(refused.state(&refused.first()).0, "line");
    refused.saw("9.57");
    // Nor does a unit form one if half of it is deployed after losses. A lone figure is the exception.
    for (kind, out, formed) in [("third-rank-battalion", 3, "line"), ("line-battalion", 1, "square")] {
        let men = unit(kind).figures(9).screen(out).formation("line").at(0.0, 0.0).facing(0.0);
        let mut game = Game::new(("form-square", &[men]), ("hold", &[far_away()]));
        game.unit_mut(Side::First, 0).figures = out;
        game.phase("formation", &[]);
        assert_eq!(game.state(&game.first()).0, formed, "{kind}");
    }
    let joined = square(3);
    assert_eq!((joined.state(&joined.first()).0, joined.first().figures), ("square", 8));
    assert!(joined.nth(1).gone());
    joined.saw("9.57");
    let line = unit("line-battalion").figures(6).screen(1).at(0.0, 0.0).facing(0.0);
    let mut game = Game::new(("form-square", &[line]), ("hold", &[figure().at(0.0, 20.0).facing(180.0)]));
    game.phase("formation", &[]);
    assert_eq!((game.state(&game.first()).0, game.first().figures), ("square", 6));
    // The deployed man joins wherever he is. Here he is on the ground of the square, which will be 2" deep, around the
    // middle of a line of eleven.
    let line = unit("line-battalion").screen(1).at(0.0, 0.0).facing(0.0);
    let mut close = Game::new(("form-square", &[line]), ("hold", &[far_away()]));
    close.battle.units[1].front = Point { x: 0, y: 50 };
    close.phase("formation", &[]);
    assert_eq!((close.state(&close.first()).0, close.first().figures, close.seen.refusals()), ("square", 12, vec![]));
}
