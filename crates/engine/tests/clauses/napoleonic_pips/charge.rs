//! KC, KM and KA2: charges and morale checks; HD4 and HD6.

use grognard_engine::{Flags, Marks, UnitId};

use super::*;
use crate::common::Picks;

/// A charge by cavalry from 4" away, resolved with these dice.
fn charge(attacker: Men, target: Men, faces: &[i32]) -> Game {
    let mut game = game(("charge", &[attacker]), ("hold", &[target]));
    game.points(2).phase("pip", &[]).phase("charge", faces);
    game
}

fn horse() -> Men {
    cavalry(0.0, 5.0, 180.0)
}

/// A morale check passes on a die of 4 or more, and its modifiers add up.
#[test]
fn clause_km1() {
    for (face, state) in [(4, "eager"), (3, "shaken")] {
        // Veteran and shaken cancel each other out.
        let men = unit("veteran-infantry").morale("shaken").at(0.0, 0.0).facing(0.0);
        let mut game = game(("hold", &[men]), ("hold", &[far_away()]));
        game.phase("deshake", &[face]);
        assert_eq!(morale(&game, Side::First), state, "on a {face}");
        game.saw("KM1");
    }
    // The same applies to a unit that is shaken and beaten by fire, 3 against 3 - 1: veterans hold on a 4, raw troops
    // on a 6.
    for (kind, face, state) in [
        ("veteran-infantry", 4, "shaken"),
        ("veteran-infantry", 3, "routed"),
        ("raw-infantry", 6, "shaken"),
        ("raw-infantry", 5, "routed"),
    ] {
        let target = by_centre(kind, 0.0, 0.0, 0.0, 1.0).morale("shaken");
        let mut game = game(("fire", &[infantry(0.0, 1.0, 180.0)]), ("hold", &[target]));
        game.points(1).phase("pip", &[]).phase("fire", &[3, 3, face]);
        assert_eq!(morale(&game, Side::Second), state, "{kind} on a {face}");
    }
    // It also applies to cavalry that charges, and to cavalry that has won: veterans pass on a 3, raw troops fail on a
    // 4.
    let charges = |kind: &str, faces: &[i32]| charge(by_centre(kind, 0.0, 5.0, 180.0, 1.0), defender(), faces);
    assert_eq!(morale(&charges("raw-cavalry", &[4]), Side::First), "shaken");
    for (kind, faces, goes) in [("veteran-cavalry", [3, 3, 3], false), ("raw-cavalry", [5, 3, 4], true)] {
        let game = charges(kind, &faces);
        let pursued = game.seen.events().iter().any(|event| matches!(event, Event::Pursued { .. }));
        assert_eq!((morale(&game, Side::Second).as_str(), pursued), ("routed", goes), "{kind}");
    }
}

/// A unit checks when it is shaken, charges, is charged, is beaten while shaken, or has charged successfully.
#[test]
fn clause_km2() {
    let game = charge(horse(), defender(), &[4, 3, 4]);
    for roll in ["charge", "stand", "control"] {
        assert_eq!(game.roll(roll).faces.len(), 1, "{roll}");
    }
    game.saw("KM2");
    let foot = charge(infantry(0.0, 3.0, 180.0), defender(), &[4, 3]);
    assert_eq!(morale(&foot, Side::Second), "routed", "infantry takes no third check");
}

/// Modifiers that always apply.
#[test]
fn clause_km3() {
    let needs = |men: Men| {
        let mut game = game(("hold", &[men.morale("shaken")]), ("hold", &[far_away()]));
        game.phase("deshake", &[6]);
        game.saw("KM3");
        4 - game.own_modifiers("deshake").iter().map(|id| modifier(&game, "deshake", id)).sum::<i32>()
    };
    let stand = |men: Men| men.at(0.0, 0.0).facing(0.0);
    assert_eq!(needs(stand(unit("infantry"))), 5);
    assert_eq!(needs(stand(unit("raw-infantry"))), 6);
    assert_eq!(needs(stand(unit("veteran-infantry"))), 4);
    assert_eq!(needs(stand(unit("infantry").formation("square"))), 4);
    // This unit starts with a general.
    let men = [stand(unit("infantry").morale("shaken"))];
    let mut plan = crate::common::deployment(("hold", &men), ("hold", &[far_away()]));
    let ney = grognard_engine::GeneralPlan { name: "ney".into(), with: Some(0), ..Default::default() };
    plan.sides.first.generals = vec![ney];
    let mut led = Game::planned(pips(), &plan);
    led.phase("deshake", &[4]);
    assert_eq!(led.own_modifiers("deshake"), ["shaken", "general"]);
    assert_eq!((modifier(&led, "deshake", "general"), morale(&led, Side::First).as_str()), (1, "eager"));
}

fn modifier(game: &Game, roll: &str, id: &str) -> i32 {
    let roll = game.rules.rolls.iter().find(|found| found.id == roll).expect("a roll of the pack");
    roll.modifiers.iter().find(|row| row.id == id).expect("a modifier of the roll").add
}

/// Modifiers that apply when charging.
#[test]
fn clause_km4() {
    let modifiers = |game: &Game| game.own_modifiers("charge").into_iter().map(str::to_owned).collect::<Vec<_>>();
    let guns = || by_centre("foot-artillery", 0.0, 0.0, 0.0, 1.0);
    assert_eq!(modifiers(&charge(horse(), guns(), &[5, 6])), ["into-the-guns"]);
    assert!(modifiers(&charge(cavalry(0.0, -5.0, 0.0), guns(), &[4, 6])).contains(&"flank-or-rear".to_owned()));
    assert_eq!(modifiers(&charge(horse(), guns().morale("shaken"), &[3, 6])), ["shaken-target"]);
    assert_eq!(modifiers(&charge(cavalry(6.0, 0.0, 270.0), defender(), &[3, 6])), ["flank-or-rear"]);

    // A unit that fills a wood charges from any part of it: the infantry's base ends at x = 1.25, the wood at 3, and
    // the guns begin at 1.9.
    let wood = [crate::common::block_of("woods", (0.0, 0.0), (6.0, 6.0))];
    let aside = by_centre("foot-artillery", 2.4, 3.5, 180.0, 1.0);
    let mut filled = Game::over(pips(), &wood, ("charge", &[infantry(0.0, 0.0, 0.0)]), ("hold", &[aside]));
    filled.points(1).phase("pip", &[]).phase("charge", &[5, 6]);
    assert_eq!(modifiers(&filled), ["into-the-guns"]);

    // Guns frighten a charger only from the front, that is, from straight ahead of their front edge. This includes
    // limbered guns.
    assert!(modifiers(&charge(cavalry(5.0, 0.35, 270.0), guns(), &[4, 6])).is_empty());
    assert_eq!(modifiers(&charge(horse(), guns().formation("limbered"), &[5, 6])), ["into-the-guns"]);
    // Guns have flanks, whether limbered or not.
    for formation in ["limbered", "unlimbered"] {
        let flanked = charge(cavalry(5.0, 0.0, 270.0), guns().formation(formation), &[3, 6]);
        assert_eq!(modifiers(&flanked), ["flank-or-rear"], "{formation}");
    }

    let mut helped = game(("charge", &[horse(), cavalry(-5.0, 0.0, 90.0)]), ("hold", &[defender()]));
    helped.points(4).phase("pip", &[]).phase("charge", &[6, 6]);
    assert_eq!(modifiers(&helped), ["helped", "flank-or-rear"], "the one on the flank is the principal");

    // The second unit has marched up close behind the first, or overlaps its rear edge by as much as the rules allow.
    for close in [170, 147] {
        let mut supported =
            game(("charge", &[infantry(0.0, 3.0, 180.0), infantry(0.5, 6.0, 180.0)]), ("hold", &[defender()]));
        supported.unit_mut(Side::First, 1).doctrine = pips().doctrine("hold").expect("a drill");
        supported.points(2).phase("pip", &[]);
        supported.unit_mut(Side::First, 1).front = Point { x: 50, y: close };
        supported.phase("charge", &[3, 6]);
        assert_eq!(modifiers(&supported), ["supported"], "{close}");
        supported.saw("KM4");
    }
    // The supporting unit's morale does not matter.
    let mut routed = game(("charge", &[infantry(0.0, 3.0, 180.0), infantry(0.5, 6.0, 180.0)]), ("hold", &[defender()]));
    routed.unit_mut(Side::First, 1).doctrine = pips().doctrine("hold").expect("a drill");
    routed.points(2).phase("pip", &[]);
    routed.unit_mut(Side::First, 1).front = Point { x: 50, y: 170 };
    let state = pips().morale.position(|state| state.broken).expect("a state");
    routed.unit_mut(Side::First, 1).morale = state;
    routed.phase("charge", &[3, 6]);
    assert_eq!(modifiers(&routed), ["supported"]);
    // A friend that has not arrived yet supports no unit.
    let mut late = game(("charge", &[infantry(0.0, 3.0, 180.0), infantry(0.5, 6.0, 180.0)]), ("hold", &[defender()]));
    late.unit_mut(Side::First, 1).doctrine = pips().doctrine("hold").expect("a drill");
    late.points(2).phase("pip", &[]);
    late.unit_mut(Side::First, 1).front = Point { x: 50, y: 170 };
    late.unit_mut(Side::First, 1).flags = Flags::LATE;
    late.phase("charge", &[4, 6]);
    assert!(modifiers(&late).is_empty());
}

/// Modifiers that apply when charged.
#[test]
fn clause_km5() {
    let flank = charge(cavalry(6.0, 0.0, 270.0), defender(), &[6, 4, 4]);
    assert_eq!(flank.own_modifiers("stand"), ["charged-in-flank"]);
    assert_eq!(morale(&flank, Side::Second), "routed", "4 - 1 is no 4");
    let mut several = game(("charge", &[horse(), cavalry(-5.0, 0.5, 90.0)]), ("hold", &[defender()]));
    several.points(4).phase("pip", &[]).phase("charge", &[6, 6]);
    assert!(several.own_modifiers("stand").contains(&"several-chargers"));
    several.saw("KM5");
    // If a unit is charged in flank and rear at once, the rear counts, whichever charger is listed first.
    let (flank, rear) = (|| cavalry(-5.0, 0.0, 90.0), || cavalry(0.0, -5.0, 0.0));
    for men in [[flank(), rear()], [rear(), flank()]] {
        let mut both = game(("charge", &men), ("hold", &[defender()]));
        both.points(4).phase("pip", &[]).phase("charge", &[6, 6, 6]);
        assert_eq!(both.own_modifiers("stand"), ["several-chargers", "charged-in-rear"]);
    }
}

/// The complete list of modifiers: the dice needed in the examples, and routed units, which fail whatever they roll.
#[test]
fn clause_hd4() {
    // Veteran infantry in square charged by cavalry: the cavalry needs 6, the square 2.
    let square = || by_centre("veteran-infantry", 0.0, 0.0, 0.0, 1.5).formation("square");
    assert_eq!(morale(&charge(horse(), square(), &[6, 2]), Side::Second), "eager");
    assert_eq!(morale(&charge(horse(), square(), &[6, 1, 4]), Side::Second), "routed");
    let rear = charge(cavalry(0.0, -5.0, 0.0), defender(), &[6, 5, 4]);
    assert_eq!(rear.own_modifiers("stand"), ["charged-in-rear"]);
    assert_eq!(morale(&rear, Side::Second), "routed", "5 - 2 is no 4");
    let routed = charge(horse(), defender().morale("routed"), &[3, 6, 6]);
    assert_eq!(routed.own_modifiers("stand"), ["routed"]);
    assert_eq!(ran(&routed), Some(700), "a routed unit fails on a 6");
    routed.saw("HD4");
}

/// Units that may charge: eager cavalry, and eager infantry that is not in square and does not fire.
#[test]
fn clause_kc1() {
    let bar = |men: Men| {
        let game = pip("charge-only", men, defender(), 2);
        game.saw("KC1");
        game.barred()[0].1.to_owned()
    };
    assert_eq!(bar(infantry(0.0, 1.0, 180.0).morale("shaken")), "shaken");
    assert_eq!(bar(by_centre("foot-artillery", 0.0, 1.0, 180.0, 1.0)), "guns");
    assert_eq!(bar(by_centre("infantry", 0.0, 1.25, 180.0, 1.5).formation("square")), "square");
    let mut firing = game(("charge-only", &[infantry(0.0, 1.0, 180.0)]), ("hold", &[defender()]));
    firing.unit_mut(Side::First, 0).marks = Marks::FIRING;
    firing.points(2).phase("pip", &[]);
    assert_eq!(firing.barred(), [("charge", "firing")]);
}

/// Several charges on one target are resolved by one principal, and all chargers are shaken if it fails.
#[test]
fn clause_kc2() {
    let mut game = game(("charge", &[horse(), cavalry(-5.0, 0.5, 90.0)]), ("hold", &[defender()]));
    game.points(4).phase("pip", &[]);
    game.saw("KC2");
    game.phase("charge", &[2]);
    assert_eq!(game.seen.rolls().count(), 1);
    let states = [0, 1].map(|number| game.state(&game.unit(Side::First, number)).1.to_owned());
    assert_eq!(states, ["shaken", "shaken"]);
    game.saw("KC2");
    // Only the principal pursues the enemy.
    let mut won = super::game(
        ("charge-pursue", &[cavalry(0.0, -5.0, 0.0), cavalry(-5.0, -0.5, 90.0)]),
        ("hold", &[infantry(0.0, 0.0, 180.0)]),
    );
    won.points(4).phase("pip", &[]).phase("charge", &[6, 1, 6]);
    let moved = won.seen.events().iter().filter(|event| matches!(event, Event::Pursued { .. })).count();
    assert_eq!(moved, 1);
    // A target that infantry fire has already driven off is no longer charged: no dice are thrown.
    let mut fled = super::game(
        ("charge", &[cavalry(6.0, 0.0, 270.0), infantry(0.0, 1.0, 180.0)]),
        ("hold", &[defender().morale("shaken")]),
    );
    fled.unit_mut(Side::First, 1).doctrine = pips().doctrine("fire").expect("a drill");
    fled.points(3).phase("pip", &[]).phase("fire", &[6, 1, 1]);
    assert_eq!(morale(&fled, Side::Second), "routed", "infantry may fire at whom its friends charge");
    assert!(!fled.first().flags.has(Flags::CHARGING));
    fled.phase("charge", &[]);
}

/// Any of several chargers may be the principal (KC2): its modifiers count, and it alone pursues.
#[test]
fn a_player_chooses_the_principal_charger() {
    let begun = || {
        let men = [cavalry(0.0, 5.0, 180.0), cavalry(-5.0, 0.0, 90.0)];
        let mut game = game(("charge-pursue", &men), ("hold", &[defender()]));
        game.points(4).phase("pip", &[]);
        game
    };
    let resolved = |game: &Game| {
        let pursued = game.seen.events().iter().find_map(|event| match event {
            Event::Pursued { unit, .. } => Some(unit.index()),
            _ => None,
        });
        (game.roll("charge").own.index(), pursued)
    };
    let flanks = |game: &Game| game.own_modifiers("charge").contains(&"flank-or-rear");
    let mut doctrine = begun();
    doctrine.phase("charge", &[6, 1, 6]);
    assert_eq!((resolved(&doctrine), flanks(&doctrine)), ((1, Some(1)), true), "the one on the flank");
    let mut game = begun();
    let mut player = Picks::new([1]);
    game.phase_as("charge", &[6, 1, 6], &mut player);
    assert_eq!((resolved(&game), flanks(&game)), ((0, Some(0)), false));
    assert_eq!(player.offered, [[1, 0]]);
    game.saw("KC2");
    // The charged unit has the modifier for a charge on its flank, whichever charger is the principal (KM5, HD4).
    assert_eq!(game.own_modifiers("stand"), ["several-chargers", "charged-in-flank"]);
    // If the principal fails, all chargers are shaken.
    let mut random = begun();
    random.setup.random.first = true;
    random.phase("charge", &[2, 1]);
    assert_eq!(resolved(&random), (0, None));
    assert!([0, 1].iter().all(|&number| random.state(&random.nth(number)).1 == "shaken"));
}

/// A side chooses which charges are resolved next.
#[test]
fn a_player_chooses_the_order_of_charges() {
    let begun = || {
        let men = [cavalry(-10.0, 5.0, 180.0), cavalry(10.0, 5.0, 180.0)];
        let mut game = game(("charge", &men), ("hold", &[infantry(-10.0, 0.0, 0.0), infantry(10.0, 0.0, 0.0)]));
        game.points(4).phase("pip", &[]);
        game
    };
    let charged = |game: &Game| game.seen.rolls().filter_map(|roll| roll.foe).map(UnitId::index).collect::<Vec<_>>();
    let mut doctrine = begun();
    let by_doctrine = charged(doctrine.phase("charge", &[1, 1]));
    let turned: Vec<usize> = by_doctrine.iter().rev().copied().collect();
    let mut game = begun();
    let mut player = Picks::new([1]);
    game.phase_as("charge", &[1, 1], &mut player);
    assert_eq!((player.offered, charged(&game)), (vec![by_doctrine], turned.clone()));
    let mut random = begun();
    random.setup.random.first = true;
    assert_eq!(charged(random.phase("charge", &[2, 1, 1])), turned);
}

/// Charging infantry does not fire; infantry may move into contact without doing either.
#[test]
fn clause_kc3() {
    let mut game = game(("charge", &[infantry(0.0, 3.0, 180.0)]), ("hold", &[defender()]));
    game.points(2).phase("pip", &[]);
    game.unit_mut(Side::First, 0).doctrine = pips().doctrine("fire").expect("a drill");
    game.points(2).phase("pip", &[]);
    assert_eq!(game.barred(), [("start-firing", "charging")]);
    game.saw("KC3");
    let quiet = pip("contact", infantry(0.0, 3.0, 180.0), defender(), 1);
    assert_eq!(quiet.paid(), ["contact"]);
    // Artillery does not fire at the target of a charge. When infantry beside the cavalry forms square, D is shifted
    // back a quarter of an inch (S13) and out of the cavalry's reach. The charge is cancelled, and D is not the target
    // of any charge.
    for (beside, fires) in [("hold", false), ("square", true)] {
        let men =
            [cavalry(-1.25, 1.0, 180.0), infantry(1.0, 1.0, 180.0), by_centre("foot-artillery", 6.0, -0.2, 270.0, 1.0)];
        let mut game = super::game(("charge-only", &men), ("hold", &[defender()]));
        game.unit_mut(Side::First, 1).doctrine = pips().doctrine(beside).expect("a drill");
        game.unit_mut(Side::First, 2).doctrine = pips().doctrine("fire").expect("a drill");
        game.points(3).phase("pip", &[]);
        assert_eq!(game.first().flags.has(Flags::CHARGING), !fires);
        assert_eq!(game.second().flags.has(Flags::CHARGED), !fires);
        assert_eq!(game.play_fire(), fires, "beside it: {beside}");
    }
    // D is still a target if cavalry on its flank is still charging it.
    let men = [cavalry(-1.25, 1.0, 180.0), infantry(1.0, 1.0, 180.0), cavalry(-1.75, -0.3, 90.0)];
    let mut game = super::game(("charge-only", &men), ("hold", &[defender()]));
    game.unit_mut(Side::First, 1).doctrine = pips().doctrine("square").expect("a drill");
    game.points(3).phase("pip", &[]);
    let mut paid = game.paid();
    paid.sort_unstable();
    assert_eq!(paid, ["charge", "charge", "form-square"]);
    let charges = [0, 2].map(|number| game.nth(number).flags.has(Flags::CHARGING));
    assert_eq!((charges, game.second().flags.has(Flags::CHARGED)), ([false, true], true));
}

/// The chargers check first, and then their target.
#[test]
fn clause_kc4() {
    let failed = charge(horse(), defender(), &[3]);
    assert_eq!((morale(&failed, Side::First), morale(&failed, Side::Second)), ("shaken".into(), "eager".into()));
    let won = charge(horse(), defender(), &[4, 3, 4]);
    assert_eq!((morale(&won, Side::First), morale(&won, Side::Second)), ("eager".into(), "routed".into()));
    let guns = by_centre("foot-artillery", 0.0, 0.0, 0.0, 1.0);
    assert_eq!(morale(&charge(horse(), guns, &[5, 3]), Side::Second), "silenced");
    won.saw("KC4");
}

/// Artillery that passes fires; artillery that fails is silenced and can be spiked later.
#[test]
fn clause_ka2() {
    let guns = || by_centre("foot-artillery", 0.0, 0.0, 0.0, 1.0);
    let held = charge(horse(), guns(), &[5, 4]);
    assert_eq!((morale(&held, Side::First), morale(&held, Side::Second)), ("eager".into(), "eager".into()));
    assert!(held.second().marks.has(Marks::FIRING));
    held.saw("KA2");
    let flanked = charge(cavalry(5.0, 0.0, 270.0), guns(), &[4, 6]);
    assert_eq!(met(&flanked), Some(Arc::Flank));
    assert!(!flanked.second().marks.has(Marks::FIRING), "charged from the flank only");
    let overrun = charge(horse(), guns(), &[5, 3]);
    assert_eq!(morale(&overrun, Side::Second), "silenced");

    for (points, gone) in [(1, false), (2, true)] {
        let spiked = pip("spike", cavalry(0.0, 1.0, 180.0), guns().morale("silenced"), points);
        assert_eq!(spiked.second().gone(), gone);
        spiked.saw("KA2");
    }
    // A unit that spikes guns does nothing else in that turn.
    let enemies = [guns().morale("silenced"), far_away()];
    let mut busy = game(("spike-and-move", &[cavalry(0.0, 1.0, 180.0)]), ("hold", &enemies));
    busy.points(4).phase("pip", &[]);
    assert_eq!((busy.paid(), busy.left()), (vec!["spike"], 2));
    let routed = pip("spike", cavalry(0.0, 1.0, 180.0).morale("routed"), guns().morale("silenced"), 2);
    assert_eq!(routed.barred(), [("spike", "broken")]);
}

/// If the charged unit holds, its chargers are shaken, and charged cavalry that was shaken is eager again.
#[test]
fn clause_hd6() {
    let held = charge(horse(), defender(), &[4, 4]);
    assert_eq!((morale(&held, Side::First), morale(&held, Side::Second)), ("shaken".into(), "eager".into()));
    held.saw("HD6");
    let met = charge(horse(), cavalry(0.0, 0.0, 0.0).morale("shaken"), &[4, 5]);
    assert_eq!((morale(&met, Side::First), morale(&met, Side::Second)), ("shaken".into(), "eager".into()));
    assert!(met.seen.cited().contains("KQ2"));
    // A unit that was eager before does not recover from being shaken.
    let eager = charge(horse(), cavalry(0.0, 0.0, 0.0), &[4, 5]);
    assert_eq!(morale(&eager, Side::Second), "eager");
    assert!(!eager.seen.cited().contains("KQ2"));
}

/// De-shaking: a unit that is shaken at the start of its turn takes a check.
#[test]
fn clause_kq2() {
    for (kind, face, state) in
        [("cavalry", 5, "eager"), ("cavalry", 4, "shaken"), ("infantry", 5, "eager"), ("veteran-infantry", 4, "eager")]
    {
        let men = unit(kind).morale("shaken").at(0.0, 0.0).facing(0.0);
        let mut game = game(("hold", &[men]), ("hold", &[far_away()]));
        game.phase("deshake", &[face]);
        assert_eq!(morale(&game, Side::First), state, "{kind} on a {face}");
        game.saw("KQ2");
    }
    // Veterans in a village pass on a 3.
    for (face, state) in [(3, "eager"), (2, "shaken")] {
        let village = crate::common::block_of("built-up", (0.0, 0.0), (4.0, 4.0));
        let men = unit("veteran-infantry").morale("shaken").at(0.0, 0.0).facing(0.0);
        let mut game = Game::over(pips(), &[village], ("hold", &[men]), ("hold", &[far_away()]));
        game.phase("deshake", &[face]);
        assert_eq!(morale(&game, Side::First), state, "on a {face}");
    }
    let mut eager = game(("hold", &[defender()]), ("hold", &[far_away()]));
    eager.phase("deshake", &[]);
}

/// A pursuer that meets an enemy joins a friend that is already marked to charge that enemy. There is one check, and
/// its result applies to both (KC2, HD7).
#[test]
fn a_pursuer_charges_together_with_friends() {
    let marked = || {
        let men = [cavalry(0.0, -0.5, 0.0), cavalry(2.75, 6.5, 270.0)];
        let enemies = [cavalry(0.0, 0.5, 180.0), infantry(1.0, 6.5, 180.0)];
        let mut game = game(("charge-only", &men), ("hold", &enemies));
        game.points(2).phase("pip", &[]);
        assert_eq!(game.paid(), ["charge", "charge"]);
        game
    };
    for last in [&[1][..], &[6, 6]] {
        let mut game = marked();
        // The first passes, and its enemy breaks and flees 11 + 3 + 4 inches. The first has to pursue, and meets the
        // infantry 6" farther on.
        game.phase("charge", &[&[6, 1, 3, 4, 3], last].concat());
        assert_eq!((game.first().front, game.own_modifiers("charge")), (Point { x: 0, y: 600 }, vec!["helped"]));
        for number in [0, 1] {
            assert_eq!(game.state(&game.nth(number)).1, "shaken", "charger {number} on {last:?}");
        }
        game.saw("KC2");
    }
    // The friend on the flank is the principal. It has not pursued yet, so it has to if it fails its check.
    let mut game = marked();
    game.battle.units[1].met = Arc::Flank;
    game.phase("charge", &[6, 1, 3, 4, 3, 6, 1, 1]);
    let pursued = |event: &Event| if let Event::Pursued { unit, .. } = *event { Some(unit.index()) } else { None };
    assert_eq!(game.seen.events().iter().filter_map(pursued).collect::<Vec<_>>(), [0, 1]);
}
