use proptest::prelude::{ProptestConfig, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest};

use super::*;

fn odds(text: &str) -> Odds {
    Formula::parse(text).and_then(|formula| formula.odds()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn fractions(text: &str) -> Vec<(i64, String)> {
    let odds = odds(text);
    odds.totals().map(|total| (total, odds.fraction(total).to_string())).collect()
}

#[test]
fn two_dice_and_published_tables() {
    let two: Vec<(i64, String)> = [(2, "1/36"), (3, "1/18"), (4, "1/12"), (5, "1/9"), (6, "5/36"), (7, "1/6")]
        .map(|(total, fraction)| (total, fraction.to_owned()))
        .into();
    assert_eq!(fractions("2d6")[..6], two);
    // Ability scores, the best three of four: the mean is 12.2446, and 21 of 1,296 are 18.
    let ability = odds("4d6kh3");
    assert!((ability.mean() - 15_869.0 / 1_296.0).abs() < 1e-12);
    assert_eq!(ability.fraction(18).to_string(), "7/432");
    assert_eq!(fractions("4d6dl1"), fractions("4d6kh3"));
    assert_eq!(fractions("4d6dh2"), fractions("4d6kl2"));
    // Advantage and disadvantage on a d20.
    assert!((odds("2d20kh1").mean() - 13.825).abs() < 1e-12 && (odds("2d20kl").mean() - 7.175).abs() < 1e-12);
    // Five dice that hit on 4 or more: binomial.
    let hits: Vec<String> = fractions("5d6>=4").into_iter().map(|(_, fraction)| fraction).collect();
    assert_eq!(hits, ["1/32", "5/32", "5/16", "5/16", "5/32", "1/32"]);
    assert_eq!(fractions("5d6>3"), fractions("5d6>=4"));
    assert_eq!(fractions("3d6=6"), fractions("3d6>=6"));
    // Fudge dice: 19 of 81 give 0.
    assert_eq!(odds("4dF").fraction(0).to_string(), "19/81");
    assert!((odds("3d6").sd() - (105.0_f64 / 12.0).sqrt()).abs() < 1e-12);
    assert_eq!(odds("d%").fraction(37).to_string(), "1/100");
}

#[test]
fn dice_that_are_rolled_again_and_dice_that_explode() {
    assert_eq!(fractions("d6r1"), fractions("d5+1"));
    assert_eq!(fractions("d6r<=2"), fractions("d4+2"));
    // Each die is rerolled once, so the result is a one only 1 time in 36.
    assert_eq!(odds("d6ro1").fraction(1).to_string(), "1/36");
    assert_eq!(odds("d6ro1").fraction(6).to_string(), "7/36");
    // The mean of an exploding die is 3.5 · 6/5, apart from explosions beyond the limit.
    let exploding = odds("d6!");
    assert!((exploding.mean() - 4.2).abs() < 1e-12, "{}", exploding.mean());
    assert_eq!(exploding.fraction(6).to_string(), "0/1");
    assert_eq!(exploding.fraction(13).to_string(), "1/216");
    assert!((odds("3d6!").mean() - 12.6).abs() < 1e-12);
    assert_eq!(odds("2d6!>=7").fraction(2).to_string(), "1/36");
}

/// Each die that an explosion adds is counted separately. With one die, there is no success with a 1 to 4 (4/6), one
/// success with a 5 or with a 6 followed by 1 to 4 (1/6 + 1/6 · 2/3), and two with a 6 followed by exactly one more. A
/// roll has 6/5 dice on average, and a third of them succeed.
#[test]
fn dice_that_explode_add_successes() {
    let one = odds("d6!>=5");
    assert_eq!([0, 1, 2].map(|total| one.fraction(total).to_string()), ["2/3", "5/18", "5/108"]);
    assert!((odds("8d6!>=5").mean() - 8.0 * 0.4).abs() < 1e-12);
    // Only sixes count: each adds a die. Dice that show 2 or less do not explode, but 6/5 dice are rolled.
    assert_eq!([0, 1, 2].map(|total| odds("d6!=6").fraction(total).to_string()), ["5/6", "5/36", "5/216"]);
    assert!((odds("10d6!<=2").mean() - 4.0).abs() < 1e-12);
    // The order of the operators does not matter.
    assert_eq!(fractions("4d6>=5!"), fractions("4d6!>=5"));
    // A 1 is rerolled, so one of five faces explodes: there are 5/4 dice, and 2 in 5 of them succeed.
    assert!((odds("d6r1!>=5").mean() - 0.5).abs() < 1e-12);
    // No face shows 7, but the sum reaches 7 one time in six.
    assert_eq!(odds("d6!>=7").fraction(1).to_string(), "1/6");
}

#[test]
fn totals_are_reckoned_with() {
    assert_eq!(fractions("2*d3"), [(2, "1/3"), (4, "1/3"), (6, "1/3")].map(|(total, text)| (total, text.to_owned())));
    assert_eq!(odds("d6-d6").fraction(0).to_string(), "1/6");
    assert_eq!(fractions("max(d6, d6)"), fractions("2d6kh1"));
    assert_eq!(fractions("min(d6,d6)"), fractions("2d6kl1"));
    assert_eq!(fractions(" ( 1 + 2 ) * -3 "), [(-9, "1/1".to_owned())]);
    let [higher, equal, lower] = odds("d6+1").against(&odds("d6")).expect("few pairs");
    let text = |number: &crate::Number| number.fraction.as_ref().map(ToString::to_string);
    // With 1 added to the die: the reference duel's 21, 5 and 10 of 36.
    assert_eq!([&higher, &equal, &lower].map(text), ["7/12", "5/36", "5/18"].map(|text| Some(text.to_owned())));
    // The difference of these totals does not fit into 64 bits.
    let large = "9*1000000*1000000*1000000+0*d6";
    let [higher, ..] = odds(large).against(&odds(&format!("0-{large}"))).expect("one pair");
    assert_eq!(higher.value, 1.0);
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    for (text, message, at) in [
        ("", "dice or a number", 0..0),
        ("3d", "the number of faces is missing", 2..2),
        ("3d6+", "dice or a number", 4..4),
        ("3d6 x", "should end here", 4..5),
        ("0d6", "0 dice", 0..2),
        ("d1001", "1001 faces", 1..5),
        ("4d6kh5", "5 of 4 dice", 3..6),
        ("4d6kh3kl1", "kept or counted only once", 6..9),
        ("4d6>=", "the comparison has no number", 5..5),
        ("d6r<=6", "never ends", 0..6),
        ("3d6ro9", "none of the faces that are rerolled", 0..6),
        ("d1!", "never stops exploding", 0..3),
        ("max(d6)", "`,` is missing here", 6..7),
        ("(d6", "`)` is missing here", 3..3),
        ("d6r", "the faces to reroll are missing", 3..3),
        ("99999999999", "too large", 0..11),
    ] {
        let error = Formula::parse(text).expect_err(text);
        assert!(error.message.contains(message), "{text}: {error:?}");
        assert_eq!(error.at, at, "{text}: {error:?}");
        assert!(!error.help.is_empty());
    }
    let large = Formula::parse("1000d1000").expect("a formula").odds().expect_err("too large");
    assert!(large.help.contains("fewer dice"), "{large:?}");
}

/// Every result of a few dice, counted by brute force.
fn by_hand(count: u32, faces: i64, read: impl Fn(&mut Vec<i64>) -> i64) -> Vec<(i64, u64)> {
    let mut ways = std::collections::BTreeMap::new();
    for fall in 0..faces.pow(count) {
        let mut dice: Vec<i64> = (0..count).map(|die| fall / faces.pow(die) % faces + 1).collect();
        *ways.entry(read(&mut dice)).or_default() += 1;
    }
    ways.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn odds_are_those_of_every_fall(count in 1_u32..5, faces in 1_i64..7, keep in 1_u32..5, kind in 0_usize..5, need in 1_i64..7) {
        // A comparison that no face satisfies is refused.
        let (keep, need) = (keep.min(count), need.min(faces));
        let text = match kind {
            0 => format!("{count}d{faces}"),
            1 => format!("{count}d{faces}kh{keep}"),
            2 => format!("{count}d{faces}kl{keep}"),
            3 => format!("{count}d{faces}dh{}", count - keep),
            _ => format!("{count}d{faces}>={need}"),
        };
        let expected = by_hand(count, faces, |dice| {
            dice.sort_unstable();
            let keep = keep as usize;
            match kind {
                0 => dice.iter().sum(),
                1 => dice.iter().rev().take(keep).sum(),
                2 | 3 => dice.iter().take(keep).sum(),
                _ => dice.iter().filter(|&&die| die >= need).count() as i64,
            }
        });
        let odds = odds(&text);
        let all = faces.pow(count) as f64;
        prop_assert_eq!(odds.totals().collect::<Vec<_>>(), expected.iter().map(|(total, _)| *total).collect::<Vec<_>>(), "{}", text);
        for (total, ways) in expected {
            prop_assert!((odds.chance(|other| other == total).value - ways as f64 / all).abs() < 1e-12, "{text}: {total}");
        }
    }

    #[test]
    fn no_text_brings_it_down(text in prop_oneof![any::<String>(), "[0-9dkhlro!<>=+*()F%, -]{0,24}".prop_map(|text| text)]) {
        if let Ok(formula) = Formula::parse(&text) && let Ok(odds) = formula.odds() {
            let sum: f64 = odds.totals().map(|total| odds.chance(|other| other == total).value).sum();
            prop_assert!((sum - 1.0).abs() < 1e-9, "{}: {}", text, sum);
        }
    }
}
