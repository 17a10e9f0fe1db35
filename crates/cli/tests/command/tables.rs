//! The tables of `grognard run`, verbatim: they are also a promise about the numbers.

use super::{DUEL, Place, Ran};

/// The output of a study.
#[track_caller]
fn run(study: &str) -> Ran {
    let place = Place::new();
    place.write("study.toml", study);
    place.grognard("run study.toml --quiet --no-report").ends(0)
}

#[track_caller]
fn prints(study: &str, expected: &str) {
    let ran = run(study);
    assert_eq!(ran.out, expected.trim_start(), "\n{}", ran.out);
}

#[test]
fn a_cell_a_row_and_the_largest_difference_first() {
    prints(
        DUEL,
        "
How many defenders?
3 cells, 5,000 battles each, seed 1, risk 1.0.0

               attacker   defender   attacker  defender
cell  figures  wins       wins       loses     loses
───────────────────────────────────────────────────────
   0        3  76.4 ±1.3  23.6 ±1.3  2.20      2.52
   1        5  50.0 ±1.4  50.0 ±1.4  3.39      3.53
   2        7  29.4 ±1.3  70.6 ±1.3  4.12      4.12

Per cent of battles; ± is the 95 % margin of error (≤, ≥: one-sided limit).
Losses in figures per battle, ±0.09 at most.
No battle was drawn (≤0.074 %).

attacker wins: difference from figures 3
points      worth  cell
──────────────────────────────────
−47.0 ±1.5   ×1.6     2  figures 7
−26.4 ±1.3   ×2.2     1  figures 5

Percentage points. Battle i of both cells used the same dice (common random numbers).
×N: independent dice would need N times as many battles.
",
    );
}

#[test]
fn one_cell_is_compared_with_nothing() {
    let (one, _) = DUEL.split_once("[vary]").expect("it varies something");
    prints(
        &one.replace("turns = 60", "turns = 2"),
        "
How many defenders?
1 cell, 5,000 battles each, seed 1, risk 1.0.0

      attacker               defender  attacker  defender
cell  wins      drawn        wins      loses     loses
─────────────────────────────────────────────────────────
   0  0 ≤0.074  100 ≥99.926  0 ≤0.074  1.86      2.14

Per cent of battles; ± is the 95 % margin of error (≤, ≥: one-sided limit).
Losses in figures per battle, ±0.04 at most.
",
    );
}

#[test]
fn varied_paths_that_find_no_room_become_headings() {
    let study = r#"
study = "wide"
pack = "risk"
runs = 2_000

[side.austrian-grenadiers]
units = [{ type = "army", figures = 5 }]

[side.french]
units = [{ type = "army", figures = 5 }]

[vary]
"austrian-grenadiers.0.figures" = [4, 8]
"french.0.figures" = [4, 8]
"turns" = [3, 30]
"unit.army.figures" = [40]
"#;
    prints(
        study,
        "
wide
8 cells, 2,000 battles each, seed 1, risk 1.0.0

                      austrian-                             austrian-
       french         grenadiers                french      grenadiers  french
cell  figures  turns  wins        drawn         wins        loses       loses
──────────────────────────────────────────────────────────────────────────────
austrian-grenadiers figures 4
   0        4      3  37.4 ±2.2    22.7 ±1.9    40.0 ±2.2   2.5         2.5
   1        4     30  47.5 ±2.3     0   ≤0.18   52.5 ±2.3   2.7         2.6
   2        8      3   0   ≤0.18   60.1 ±2.2    40.0 ±2.2   2.8         2.8
   3        8     30  13.0 ±1.6     0   ≤0.18   87.0 ±1.6   3.7         3.4

austrian-grenadiers figures 8
   4        4      3  42.9 ±2.3    57.1 ±2.3     0   ≤0.18  2.5         3.0
   5        4     30  89.8 ±1.5     0   ≤0.18   10.2 ±1.5   3.1         3.8
   6        8      3   0   ≤0.18  100   ≥99.82   0   ≤0.18  2.8         3.2
   7        8     30  55.8 ±2.3     0   ≤0.18   44.2 ±2.3   5.7         6.4

In every cell: army figures 40.
Per cent of battles; ± is the 95 % margin of error (≤, ≥: one-sided limit).
Losses in figures per battle, ±0.2 at most.

austrian-grenadiers wins: difference from austrian-grenadiers figures 4
points      worth  cell
──────────────────────────────────────────────────────────────────────────────────
+42.8 ±2.3   ×1.5     7  austrian-grenadiers figures 8, french figures 8, turns 30
+42.3 ±2.3   ×1.4     5  austrian-grenadiers figures 8, french figures 4, turns 30
 +5.5 ±1.1   ×9.2     4  austrian-grenadiers figures 8, french figures 4, turns 3
  0.0 ±0.2      –     6  austrian-grenadiers figures 8, french figures 8, turns 3

Percentage points. Battle i of both cells used the same dice (common random numbers).
×N: independent dice would need N times as many battles.
",
    );
}

#[test]
fn cells_with_names_go_by_them() {
    let (duel, _) = DUEL.split_once("[vary]").expect("it varies something");
    let cells = r#"
[[cells]]
label = "as the rules have it"

[[cells]]
label = "a surprise, with the defender half asleep and cut off"
"defender.0.figures" = 3
turns = 3

[report]
baseline = 0
"#;
    prints(
        &format!("{duel}{cells}"),
        "
How many defenders?
2 cells, 5,000 battles each, seed 1, risk 1.0.0

                                                attacker                defender
cell                                            wins       drawn        wins
─────────────────────────────────────────────────────────────────────────────────
   0  as the rules have it                      50.0 ±1.4   0   ≤0.074  50.0 ±1.4
   1  a surprise, with the defen…p and cut off  63.5 ±1.4  21.0 ±1.2    15.4 ±1.1

                                                attacker  defender
cell                                            loses     loses
──────────────────────────────────────────────────────────────────
   0  as the rules have it                      3.39      3.53
   1  a surprise, with the defen…p and cut off  2.07      2.39

Per cent of battles; ± is the 95 % margin of error (≤, ≥: one-sided limit).
Losses in figures per battle, ±0.07 at most.

attacker wins: difference from cell 0, \"as the rules have it\"
points      worth  cell
─────────────────────────────────────────────────────────────────
+13.6 ±1.1   ×3.3     1  a surprise, with the defen…p and cut off

Percentage points. Battle i of both cells used the same dice (common random numbers).
×N: independent dice would need N times as many battles.
",
    );
}

#[test]
fn beyond_forty_cells_only_the_ten_largest_differences_are_listed() {
    let many = |count: u32| {
        run(&DUEL.replace("\"defender.0.figures\" = [3, 5, 7]", &format!("turns = {{ from = 1, to = {count} }}")))
    };
    let listed = |ran: &Ran| {
        let rows = ran.out.lines().skip_while(|line| !line.starts_with("attacker wins: difference"));
        rows.filter(|line| line.contains('±')).count()
    };
    let (forty, more) = (many(40), many(41));
    assert_eq!(listed(&forty), 39);
    assert_eq!(listed(&more), 10);
    assert!(more.out.contains("attacker wins: difference from turns 1, the largest 10 of 40\n"), "{more:?}");
    assert!(more.out.contains("Expect 2 of 40 intervals to miss the true difference."), "{more:?}");
    assert_eq!(more.out.lines().filter(|line| line.trim_start().starts_with("40 ")).count(), 1, "{more:?}");
}

#[test]
fn expected_odds_are_held_against_what_was_found() {
    // The odds by counting are 15/36 against one figure and 55/216 × 15/36 = 0.106 against two; 1/2 is a wrong guess.
    let odds = |cell: u32, odds: &str, source: &str| {
        format!("[[expect]]\ncell = {cell}\nodds = {{ attacker = \"{odds}\" }}\nsource = \"{source}\"\n")
    };
    let study = DUEL
        .replace("[3, 5, 7]", "[1, 2]")
        .replace("army\", figures = 5 }]\n\n[side.d", "army\", figures = 1 }]\n\n[side.d");
    let good = run(&format!("{study}{}{}", odds(0, "15/36", "counting"), odds(1, "0.106", "counting")));
    assert!(good.out.ends_with("\n2 expected odds (counting): all agree with the results.\n"), "{good:?}");
    let bad = run(&format!("{study}{}{}", odds(0, "15/36", "counting"), odds(1, "1/2", "a guess")));
    let said = "\n2 expected odds: 1 of them disagrees with the results.\n  cell 1, attacker: 50.000 % expected, ";
    assert!(bad.out.contains(said), "{bad:?}");
}
