//! Lookups checked against the reference, with hand-written rows.

use super::*;

/// Every value of the variables that occur in `exprs` (a spread of values for wide ones), with all others at their
/// minimum.
fn situations(exprs: &[&Expr]) -> Vec<Values> {
    let scope = scope();
    let mut vars: Vec<Var> = exprs.iter().flat_map(|expr| expr.vars()).collect();
    vars.sort();
    vars.dedup();
    let mut all = vec![values(&[])];
    for var in vars {
        let (min, max) = scope.domain(var).expect("a variable").bounds();
        let step = ((i64::from(max) - i64::from(min)) / 7).max(1) as usize;
        let tried: Vec<i32> = (min..=max).step_by(step).chain([max]).collect();
        all = all
            .into_iter()
            .flat_map(|known| {
                tried.iter().map(move |value| {
                    let mut next = known.clone();
                    next.0[var.index()] = *value;
                    next
                })
            })
            .collect();
    }
    all
}

#[test]
fn rows_add_up_as_the_reference_says() {
    let rows: Vec<(Option<Expr>, i32)> = vec![
        (Some(condition("self.arm == 'horse' && foe.formation == 'square'")), -4),
        (Some(condition("self.arm == 'horse' && foe.formation in ['skirmish', 'line']")), 2),
        (Some(condition("aspect != 'front'")), 3),
        (Some(condition("self.figures > foe.figures")), 1),
        (Some(condition("self.figures >= 2 * foe.figures")), 1),
        (Some(condition("range > 2.5 && range <= 10")), -1),
        (None, 5),
        (Some(condition("self.figures / 3 > 4 && !self.moved")), 100),
    ];
    let exprs: Vec<&Expr> = rows.iter().filter_map(|(when, _)| when.as_ref()).collect();
    let borrowed: Vec<Row<'_>> = rows.iter().map(|(when, add)| Row { when: when.as_ref(), add: *add }).collect();
    let lookup = Lookup::sum(&borrowed);
    for situation in situations(&exprs) {
        let holds = |when: &Option<Expr>| when.as_ref().is_none_or(|when| when.holds(&situation));
        let sum: i32 = rows.iter().filter(|(when, _)| holds(when)).map(|(_, add)| add).sum();
        assert_eq!(lookup.get(&situation), sum, "{situation:?}");
    }
    assert_eq!(lookup.range(), (0, 112));
}

#[test]
fn the_first_row_that_holds_is_found() {
    let rows = [condition("self.moved && turn > 5"), condition("turn > 20"), condition("aspect == 'rear'")];
    let lookup = Lookup::first(&[Some(&rows[0]), Some(&rows[1]), Some(&rows[2])]);
    for situation in situations(&rows.iter().collect::<Vec<_>>()) {
        let first = rows.iter().position(|row| row.holds(&situation)).unwrap_or(3);
        assert_eq!(lookup.get(&situation), first as i32, "{situation:?}");
    }
    assert_eq!(lookup.range(), (0, 3));
    let closed = Lookup::first(&[Some(&rows[0]), None, Some(&rows[1])]);
    assert_eq!((closed.get(&values(&[("turn", 30)])), closed.range()), (1, (0, 1)));
}

#[test]
fn formulas_become_tables() {
    for (text, range) in [
        ("self.figures / 3", (0, 13)),
        ("self.figures / 3 + (self.formation == 'line' ? 2 : 0) - (foe.routed ? 1 : 0)", (-1, 15)),
        ("math.least(self.figures, foe.figures)", (0, 40)),
        ("self.figures > foe.figures ? self.figures * 1000 : -5", (-5, 40_000)),
        ("turn * 2000", (2000, 60_000)),
        ("2147483647", (i32::MAX, i32::MAX)),
        ("self.moved ? -2147483648 : -2147483648 + 65535", (i32::MIN, i32::MIN + 65_535)),
        ("self.moved ? 2147483647 : 2147483647 - 65535", (i32::MAX - 65_535, i32::MAX)),
        // These values are too far apart for a diagram.
        ("self.moved ? -2147483648 : 2147483647", (i32::MIN, i32::MAX)),
        ("turn * 100000", (100_000, 3_000_000)),
        // This has too many values for a diagram.
        ("huge / 2 + turn", (i32::MIN / 2 + 1, i32::MAX / 2 + 30)),
    ] {
        let expr = parse(text, Kind::Int);
        let lookup = Lookup::of(&expr);
        for situation in situations(&[&expr]) {
            assert_eq!(lookup.get(&situation), expr.eval(&situation), "{text}: {situation:?}");
        }
        assert_eq!(lookup.range(), range, "{text}");
    }
}

#[test]
fn totals_are_compared_over_their_whole_range() {
    let expr = condition("margin >= 2 * total.foe");
    let lookup = Lookup::of(&expr);
    for margin in -60..=60 {
        for foe in 0..=60 {
            let totals = values(&[("margin", margin), ("total.foe", foe)]);
            assert_eq!(lookup.get(&totals), i32::from(margin >= 2 * foe));
        }
    }
}

/// A few range bands are searched, many are mapped inch by inch; both must end where they say.
#[test]
fn range_bands_end_where_they_say() {
    for bands in [1, 3, 15, 16, 40] {
        let ends: Vec<Expr> = (1..=bands).map(|nth| condition(&format!("range > {nth}.{nth:02}"))).collect();
        let rows: Vec<Row<'_>> = ends.iter().map(|end| Row { when: Some(end), add: -1 }).collect();
        let lookup = Lookup::sum(&rows);
        for range in 0..=7200 {
            let passed = (1..=bands).filter(|nth| range > 101 * nth).count() as i32;
            assert_eq!(lookup.get(&values(&[("range", range)])), -passed, "{bands} bands at {range}");
        }
        assert_eq!(lookup.range(), (-bands, 0));
    }
}

#[test]
fn nothing_is_the_constant_zero() {
    let nothing = Lookup::sum(&[]);
    assert_eq!((nothing.get(&values(&[])), nothing.range()), (0, (0, 0)));
    let nothing = Lookup::first(&[]);
    assert_eq!((nothing.get(&values(&[])), nothing.range()), (0, (0, 0)));
}

/// Conditions that distinguish most values of their variables: together, they have far more combinations than a table
/// has cells. The first cannot be a table at all.
fn unwieldy() -> Vec<Expr> {
    let mut rows = vec![condition("huge % 11 == 3 && self.moved")];
    for name in ["self.figures", "foe.figures", "turn", "margin", "total.foe"] {
        rows.push(condition(&format!("{name} % 7 == 3 && self.moved")));
        rows.push(condition(&format!("{name} * {name} % 41 > 20 || foe.routed")));
    }
    rows.push(condition("huge / 3 > turn && aspect == 'rear'"));
    rows.push(condition("math.abs(margin % 11) * (huge % 100000) > 3 * math.abs(turn)"));
    rows
}

#[test]
fn what_is_too_large_for_one_table_is_divided() {
    let conditions = unwieldy();
    let rows: Vec<Row<'_>> =
        conditions.iter().zip(1..).map(|(when, nth)| Row { when: Some(when), add: 1 << nth }).collect();
    let sum = Lookup::sum(&rows);
    let ranked: Vec<Option<&Expr>> = conditions.iter().map(Some).collect();
    let first = Lookup::first(&ranked);
    let mut seen = std::collections::BTreeSet::new();
    for nth in 0..20_000_i32 {
        let mix = |factor: i32, size: i32| nth.wrapping_mul(factor).rem_euclid(size);
        let situation = values(&[
            ("self.figures", mix(7, 41)),
            ("foe.figures", mix(11, 41)),
            ("turn", 1 + mix(13, 30)),
            ("margin", mix(17, 121) - 60),
            ("total.foe", mix(19, 61)),
            ("self.moved", mix(23, 5) / 4),
            ("foe.routed", mix(29, 17) / 16),
            ("aspect", mix(31, 3)),
            ("huge", nth.wrapping_mul(715_827_883)),
        ]);
        let holds: Vec<bool> = conditions.iter().map(|when| when.holds(&situation)).collect();
        let expected: i32 = holds.iter().zip(1..).map(|(holds, nth)| i32::from(*holds) << nth).sum();
        let position = holds.iter().position(|holds| *holds).unwrap_or(conditions.len());
        assert_eq!(sum.get(&situation), expected, "{situation:?}");
        assert_eq!(first.get(&situation), position as i32, "{situation:?}");
        seen.insert(position);
    }
    assert_eq!(seen.len(), 14, "every row comes first somewhere, and none does somewhere");
    assert_eq!(sum.range(), (0, (1 << 14) - 2));
    assert_eq!(first.range(), (0, 13));
}

#[test]
fn rows_whose_sums_all_differ_are_divided() {
    // Sixteen comparisons, each with its own axis: together they have too many sums to be computed.
    let rows: Vec<Expr> = (0..16).map(|more| condition(&format!("self.figures > foe.figures + {more}"))).collect();
    let added: Vec<Row<'_>> = rows.iter().zip(0..).map(|(when, nth)| Row { when: Some(when), add: 1 << nth }).collect();
    let (sum, first) = (Lookup::sum(&added), Lookup::first(&rows.iter().rev().map(Some).collect::<Vec<_>>()));
    assert_eq!(sum.range(), (0, 65_535));
    for (own, foe) in (0..41 * 41).map(|pair| (pair / 41, pair % 41)) {
        let situation = values(&[("self.figures", own), ("foe.figures", foe)]);
        let more = (own - foe).clamp(0, 16);
        assert_eq!((sum.get(&situation), first.get(&situation)), ((1 << more) - 1, 16 - more), "{own} {foe}");
    }
}

#[test]
fn what_is_divided_is_told_as_far_as_its_first_part_tells_it() {
    let rows = [condition("self.arm == 'horse'"), condition("huge % 11 == 3")];
    let first = Lookup::first(&[Some(&rows[0]), Some(&rows[1])]);
    let sum = Lookup::sum(&[Row { when: Some(&rows[0]), add: 1 }, Row { when: Some(&rows[1]), add: 2 }]);
    // The first row is one that is evaluated anew each time.
    let later = Lookup::first(&[Some(&rows[1]), Some(&rows[0])]);
    for (arm, huge) in [(0, 3), (1, 3), (0, 4), (1, 4)] {
        let situation = values(&[("self.arm", arm), ("huge", huge)]);
        let words = situation.words().expect("they are kept");
        let told = (arm == 1).then_some(0);
        let begun = first.begin(words[0], 0);
        assert_eq!((begun.decided(), begun.with(words).decided()), (told, told), "{arm} {huge}");
        assert_eq!(first.decided(&situation, |_| true), told, "{arm} {huge}");
        let expected = if arm == 1 { 0 } else { 2 - i32::from(huge == 3) };
        assert_eq!((begun.get(&situation), first.get(&situation)), (expected, expected), "{arm} {huge}");
        for lookup in [&sum, &later] {
            assert_eq!(lookup.begin(words[0], 0).decided(), None, "{arm} {huge}");
        }
        assert_eq!(sum.get(&situation), arm + 2 * i32::from(huge == 3), "{arm} {huge}");
    }
}

#[test]
fn hundreds_of_rows_take_no_more_work_than_there_is() {
    // Each flag selects a different row, and each row tests a different distance: all sums differ, and there are a
    // thousand classes.
    let flags = ["self.moved", "foe.routed", "self.arm == 'horse'", "foe.arm == 'horse'", "aspect == 'rear'"];
    let texts = (0..400).map(|row| match flags.get(row) {
        Some(flag) => format!("{flag} && range > {row}.5"),
        None => format!("range > {}.{:02} && turn != {}", row / 7, row % 7 * 13, 1 + row % 30),
    });
    let rows: Vec<Expr> = texts.map(|text| condition(&text)).collect();
    let added: Vec<Row<'_>> =
        rows.iter().zip(0..).map(|(when, nth)| Row { when: Some(when), add: nth % 20 + 1 }).collect();
    let lookup = Lookup::sum(&added);
    for nth in 0..500 {
        let situation = values(&[
            ("range", nth * 7919 % 7201),
            ("turn", 1 + nth % 30),
            ("self.moved", nth % 2),
            ("aspect", nth % 3),
        ]);
        let expected: i32 =
            added.iter().filter(|row| row.when.is_some_and(|when| when.holds(&situation))).map(|row| row.add).sum();
        assert_eq!(lookup.get(&situation), expected, "{situation:?}");
    }
}

#[test]
fn sums_stop_at_the_ends_of_their_range() {
    let row = Row { when: None, add: i32::MAX };
    assert_eq!(Lookup::sum(&[row, row]).get(&values(&[])), i32::MAX);
    let row = Row { when: None, add: i32::MIN };
    let lookup = Lookup::sum(&[row, row, Row { when: None, add: 7 }]);
    assert_eq!((lookup.get(&values(&[])), lookup.range()), (i32::MIN, (i32::MIN, i32::MIN)));
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "41 is no value of Var(4)")]
fn a_value_outside_its_domain_is_noticed() {
    let expr = condition("self.figures > 20");
    let _ = Lookup::of(&expr).get(&values(&[("self.figures", 41)]));
}

#[test]
fn variables_that_are_settled_take_no_room() {
    let mut scope = Scope::new();
    let card = scope.add("card", Domain::Words(vec!["none".into(), "charge".into()])).expect("a new name");
    let open = Expr::parse("card == 'charge'", &scope, Kind::Bool).expect("a condition");
    assert_eq!(Lookup::of(&open).range(), (0, 1));
    scope.settle(card);
    let settled = Expr::parse("card == 'charge'", &scope, Kind::Bool).expect("it may still be compared");
    assert_eq!(Lookup::of(&settled).range(), (0, 0));
}

#[test]
fn what_one_variable_settles_is_asked_of_no_other() {
    struct Asked([i32; 3], std::cell::Cell<usize>);
    impl Situation for Asked {
        fn value(&self, var: Var) -> i32 {
            self.1.set(self.1.get() + 1);
            self.0[var.index()]
        }
    }
    let mut scope = Scope::new();
    for (name, words) in [("self.arm", 3), ("foe.exposed", 3), ("foe.arm", 3)] {
        let words = (0..words).map(|word| format!("word-{word}")).collect();
        scope.add(name, Domain::Words(words)).expect("a new name");
    }
    let row = |text: &str| Expr::parse(text, &scope, Kind::Bool).expect("a condition");
    let rows = [
        row("self.arm == 'word-1' && foe.exposed == 'word-1' && foe.arm == 'word-2'"),
        row("self.arm == 'word-1' && foe.exposed == 'word-2'"),
        row("self.arm == 'word-2' && foe.arm == 'word-1'"),
    ];
    let first = Lookup::first(&rows.iter().map(Some).collect::<Vec<_>>());
    let reads: Vec<usize> = (0..27)
        .map(|values| {
            let situation = Asked([values / 9, values / 3 % 3, values % 3], std::cell::Cell::new(0));
            let expected = rows.iter().position(|row| row.holds(&situation)).unwrap_or(rows.len());
            situation.1.set(0);
            assert_eq!(first.get(&situation), expected as i32, "{:?}", situation.0);
            situation.1.get()
        })
        .collect();
    // No row mentions the first arm, and the result for the third depends only on the enemy's arm.
    assert_eq!(reads[..9], [1; 9]);
    assert!(reads[9..18].iter().all(|&reads| reads <= 3));
    assert_eq!(reads[18..], [2; 9]);
}

#[test]
fn what_is_kept_in_words_is_read_nowhere_else() {
    struct Words([u64; 2]);
    impl Situation for Words {
        fn value(&self, var: Var) -> i32 {
            // Debug builds compare what they read from a word with the value.
            [(self.0[0] >> 5 & 3) as i32, (self.0[1] >> 9 & 7) as i32][var.index()]
        }

        fn words(&self) -> Option<[u64; 2]> {
            Some(self.0)
        }
    }
    let words = |count: usize| Domain::Words((0..count).map(|word| format!("word-{word}")).collect());
    let mut scope = Scope::new();
    for (name, domain, bits) in [
        ("self.arm", words(3), Bits { word: 0, shift: 5, width: 2, asks: false }),
        ("foe.arm", words(5), Bits { word: 1, shift: 9, width: 3, asks: false }),
    ] {
        let var = scope.add(name, domain).expect("a new name");
        scope.keep(var, bits);
    }
    let row = |text: &str| Expr::parse(text, &scope, Kind::Bool).expect("a condition");
    let rows =
        [row("self.arm == 'word-1' && foe.arm == 'word-4'"), row("self.arm == 'word-2'"), row("foe.arm == 'word-3'")];
    let lookup = Lookup::first(&rows.iter().map(Some).collect::<Vec<_>>());
    for (own, foe) in (0..15).map(|values| (values / 5, values % 5)) {
        // The other bits of the words make no difference.
        let situation = Words([!(3 << 5) | own << 5, 0xF0F0_F000_0000_0000 | foe << 9]);
        let expected = rows.iter().position(|row| row.holds(&situation)).unwrap_or(3) as i32;
        assert_eq!(lookup.get(&situation), expected, "{own} {foe}");
        // Begun with another enemy, the lookup continues with this one.
        let begun = lookup.begin(situation.0[0], 0);
        assert_eq!(begun.get(&situation), expected, "{own} {foe}");
        assert_eq!(begun.decided(), (own == 2).then_some(1), "{own} {foe}");
        assert_eq!(begun.with(situation.0).decided(), Some(expected), "{own} {foe}");
    }
}

#[test]
fn a_word_may_say_that_a_value_has_to_be_asked_for() {
    struct Asked(u64, i32);
    impl Situation for Asked {
        fn value(&self, _: Var) -> i32 {
            self.1
        }

        fn words(&self) -> Option<[u64; 2]> {
            Some([self.0, 0])
        }
    }
    let mut scope = Scope::new();
    let var = scope.add("self.shaken", Domain::Bool).expect("a new name");
    scope.keep(var, Bits { word: 0, shift: 4, width: 2, asks: true });
    let row = Expr::parse("self.shaken", &scope, Kind::Bool).expect("a condition");
    let lookup = Lookup::of(&row);
    for value in [0, 1] {
        let known = Asked(0xF00F | (value as u64) << 4, value);
        assert_eq!((lookup.get(&known), lookup.begin(known.0, 0).decided()), (value, Some(value)));
        let asked = Asked(3 << 4, value);
        let begun = lookup.begin(asked.0, 0);
        assert_eq!((lookup.get(&asked), begun.decided(), begun.get(&asked)), (value, None, value));
    }
    // Bits without room for the mark are ignored.
    scope.keep(var, Bits { word: 0, shift: 4, width: 1, asks: true });
    let row = Expr::parse("self.shaken", &scope, Kind::Bool).expect("a condition");
    assert_eq!(Lookup::of(&row).begin(1 << 4, 0).decided(), None);
}

#[test]
fn what_does_not_fit_is_not_kept() {
    struct Wide(i32);
    impl Situation for Wide {
        fn value(&self, _: Var) -> i32 {
            self.0
        }

        fn words(&self) -> Option<[u64; 2]> {
            Some([0; 2])
        }
    }
    for (domain, width) in [(Domain::Int { min: 0, max: 4 }, 2), (Domain::Int { min: -1, max: 1 }, 2)] {
        let mut scope = Scope::new();
        let (_, max) = domain.bounds();
        let var = scope.add("self.rank", domain).expect("a new name");
        scope.keep(var, Bits { word: 0, shift: 0, width, asks: false });
        let row = Expr::parse(&format!("self.rank == {max}"), &scope, Kind::Bool).expect("a condition");
        assert_eq!(Lookup::of(&row).get(&Wide(max)), 1);
    }
}
