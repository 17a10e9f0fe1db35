use grognard_exact::Limits;
use grognard_source::{Override, Sources};
use grognard_stats::{Estimate, Level};

use super::*;
use crate::progress::{Progress, Silent, Stop};
use crate::study::{Changes, Number, Study, Variants};

/// A duel of the reference game: two equal units, and one with a bonus on its die.
fn duel(sources: &mut Sources) -> Study {
    let text = "study = 'duel'\npack = 'refduel'\nturns = 12\n[vary]\n'a.0.type' = ['plain', 'one-up']\n\
        [side.a]\nunits = [{ type = 'plain' }]\n[side.b]\nunits = [{ type = 'plain' }]\n";
    let file = sources.add("study.toml", text);
    Study::read(file, None, &Changes::default(), sources).expect("a good study")
}

fn number(variants: &Variants<'_>, path: &str) -> Number {
    let (of_packs, _) = variants.of_packs();
    let mut all = of_packs.into_iter().chain(variants.of_deployment());
    all.find(|number| number.path.to_string() == path).unwrap_or_else(|| panic!("no number {path}"))
}

fn search(study: &Study, number: Number, demand: &str) -> Search {
    Search {
        number,
        values: Values::Around,
        demand: Demand::parse(study, demand).expect("a good demand"),
        cells: Vec::new(),
        battles: 40_000,
        precision: 0.02,
        level: Level::P95,
        threads: 2,
        exact: None,
    }
}

fn run(search: &Search, study: &Study, variants: &Variants<'_>) -> Found {
    search.run(study, variants, &Silent, &Stop::new()).expect("it is found")
}

/// Charts have no room for paths, and readers of the rules know the clauses better.
#[test]
fn a_number_has_words_and_the_clauses_that_it_belongs_to() {
    let mut sources = Sources::new();
    let study = crate::library::load("square-vs-line".as_ref(), &Changes::default(), &mut sources).expect("a study");
    let variants = Variants::of(&study, &mut sources).expect("its own texts");
    let all = variants.of_packs().0;
    let told = |path: &str| {
        let number = all.iter().find(|number| number.path.to_string() == path).unwrap_or_else(|| panic!("no {path}"));
        format!("{} ({})", number.words(), number.clauses.join(", "))
    };
    for (path, expected) in [
        ("roll.shock.modifier.cavalry-column.add", "shock, modifier cavalry column: added (8.31, 8.32)"),
        (
            "roll.morale.result.wavers.own.worsen",
            "morale, result wavers: own steps of morale lost (8.16, 8.47a, house)",
        ),
    ] {
        assert_eq!(told(path), expected);
    }
    assert!(told("unit.line-battalion.figures").starts_with("line battalion: figures ("));
    assert!(
        told("doctrine.charge-the-open.row.infantry-halts.stop")
            .starts_with("doctrine charge the open, row infantry halts: stop")
    );
}

#[test]
fn what_is_sampled_holds_what_is_worked_out() {
    let mut sources = Sources::new();
    let study = duel(&mut sources);
    let variants = Variants::of(&study, &mut sources).expect("its own texts");
    let number = number(&variants, "unit.plain.figures");
    for demand in ["a wins = 50 %", "even", "b = 0.7", "turns = 6.5", "a.losses = 4"] {
        let sampled = Search { cells: vec![1], ..search(&study, number.clone(), demand) };
        let exact = Search { exact: Some(Limits::default()), ..sampled.clone() };
        let (sampled, exact) = (run(&sampled, &study, &variants), run(&exact, &study, &variants));
        assert_eq!(exact.fought, 0);
        let [one, other] = [&sampled, &exact].map(|found| &found.cells[0]);
        for tried in &one.tried {
            let known = other.tried.iter().find(|known| known.value == tried.value).expect("the same values");
            assert!(tried.metric.holds(known.metric.point), "{demand}: {tried:?} holds no {known:?}");
        }
        assert_eq!(one.crossings.len(), other.crossings.len(), "{demand}");
        for (sampled, exact) in one.crossings.iter().zip(&other.crossings) {
            let (sampled, exact) = (sampled.at, exact.at);
            assert!(sampled.low <= exact.value && exact.value <= sampled.high, "{demand}: {sampled:?}, {exact:?}");
            assert!(exact.high - exact.low < 1e-9, "{exact:?}");
        }
    }
}

#[test]
fn a_search_is_the_same_for_any_number_of_threads() {
    let mut sources = Sources::new();
    let study = duel(&mut sources);
    let variants = Variants::of(&study, &mut sources).expect("its own texts");
    let number = number(&variants, "unit.plain.figures");
    let asked = Search { battles: 3_000, ..search(&study, number, "a wins = 40 %") };
    let found = [1, 3].map(|threads| run(&Search { threads, ..asked.clone() }, &study, &variants));
    let [one, other] = &found;
    assert_eq!(one.fought, other.fought);
    for (one, other) in one.cells.iter().zip(&other.cells) {
        assert_eq!((&one.tried, &one.crossings), (&other.tried, &other.crossings));
    }
}

/// A side that fights an equal side scores one half, whatever the value of the number: nothing is found, and all values
/// are tried.
#[test]
fn where_nothing_crosses_nothing_is_found() {
    let mut sources = Sources::new();
    let study = duel(&mut sources);
    let variants = Variants::of(&study, &mut sources).expect("its own texts");
    let number = number(&variants, "unit.plain.figures");
    let asked = Search { cells: vec![0], battles: 512, ..search(&study, number, "a wins = 95 %") };
    let found = run(&asked, &study, &variants);
    assert!(found.cells[0].crossings.is_empty(), "{:?}", found.cells[0].crossings);
    assert_eq!(found.intervals, 81);
    assert_eq!(found.cells[0].tried.len() + found.refused.len(), 81);
    assert!(found.refused.iter().all(|&value| value <= 0), "{:?}", found.refused);
}

/// Equal opponents score one half, however many figures both have: battles cannot show on which side of one half a
/// value lies, and the odds are exactly one half.
#[test]
fn what_battles_cannot_tell_is_undecided() {
    let mut sources = Sources::new();
    let study = duel(&mut sources);
    let variants = Variants::of(&study, &mut sources).expect("its own texts");
    let number = number(&variants, "unit.plain.figures");
    let values = Values::These(vec![19_000, 20_000, 21_000]);
    let sampled = Search { cells: vec![0], values, battles: 4_000, ..search(&study, number, "even") };
    let found = run(&sampled, &study, &variants);
    assert_eq!(sampled.reach(&found), Reach::Undecided);
    assert_eq!(sampled.open(&found.cells[0]).len(), 3);
    assert_eq!(sampled.json(&study, &found, &Provenance::default())["state"], "undecided");
    let exact = Search { exact: Some(Limits::default()), ..sampled.clone() };
    assert_eq!(exact.reach(&run(&exact, &study, &variants)), Reach::Met);
    // A second cell with an answer does not hide the first.
    let both = Search { cells: vec![0, 1], values: Values::Around, ..sampled.clone() };
    let found = run(&both, &study, &variants);
    let states = [0, 1].map(|place| both.reach_of(&found.cells[place], &found));
    assert_eq!((states, both.reach(&found)), ([Reach::Undecided, Reach::Found], Reach::Undecided));
    let far = Search { demand: Demand::parse(&study, "a wins = 95 %").expect("a demand"), ..sampled };
    assert_eq!(far.reach(&run(&far, &study, &variants)), Reach::Never);
}

/// A value that 16,384 battles leave open gets more battles before it is called undecided. The odds of the unit with
/// the better die are 61.911 % at 26 figures and 57.627 % at 27, and no value tried crosses 61.2 %.
#[test]
fn an_open_value_is_fought_on_where_nothing_crosses() {
    let mut sources = Sources::new();
    let study = duel(&mut sources);
    let variants = Variants::of(&study, &mut sources).expect("its own texts");
    let number = number(&variants, "unit.plain.figures");
    let values = Values::These(vec![26_000]);
    let few = Search { cells: vec![1], values, battles: 1 << 14, ..search(&study, number, "a wins = 61.2 %") };
    let many = Search { battles: 1_000_000, ..few.clone() };
    assert_eq!(few.reach(&run(&few, &study, &variants)), Reach::Undecided);
    assert_eq!(many.reach(&run(&many, &study, &variants)), Reach::Never);
}

#[test]
fn a_demand_says_what_is_wrong_with_it() {
    let mut sources = Sources::new();
    let study = duel(&mut sources);
    let good = |text: &str| Demand::parse(&study, text).map(|demand| (demand.quantity.name, demand.value));
    assert_eq!(good("a wins = 50 %"), Ok(("a".to_owned(), 0.5)));
    assert_eq!(good("a=0.25"), Ok(("a".to_owned(), 0.25)));
    assert_eq!(good("b losses == 3.5"), Ok(("b.losses".to_owned(), 3.5)));
    assert_eq!(good("even"), Ok(("a score".to_owned(), 0.5)));
    assert_eq!(good("b score = 40%"), Ok(("b score".to_owned(), 0.4)));
    assert_eq!(good("turns = 6"), Ok(("turns".to_owned(), 6.0)));
    for (text, part) in [
        ("a wins", "does not give a value"),
        ("c wins = 50 %", "no metric `c wins`"),
        ("a wins = half", "`half` is not a number"),
        ("a wins = 50", "0 % to 100 %"),
        ("turns = -1", "0 to 20"),
        ("turns = nan", "not a number"),
        ("turns = 5 %", "`5 %` is not a number"),
    ] {
        let error = good(text).expect_err(text).to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn cells_are_chosen_by_their_values() {
    let mut sources = Sources::new();
    let study = duel(&mut sources);
    let mut cells = |texts: &[&str]| {
        let values: Vec<Override> = texts
            .iter()
            .map(|text| {
                let file = sources.add("--only", *text);
                Override::parse(file, &sources).expect("a path and a value")
            })
            .collect();
        study.cells_with(&values)
    };
    assert_eq!(cells(&[]).expect("all"), [0, 1]);
    assert_eq!(cells(&["a.0.type=one-up"]).expect("one"), [1]);
    assert!(cells(&["a.0.type=two-up"]).is_err());
    assert!(cells(&["b.0.type=plain"]).is_err());
    assert!(cells(&["a.0.type=plain", "a.0.type=one-up"]).is_err());
}

fn ablation(study: &Study, variants: &Variants<'_>, battles: u64) -> Ablation {
    Ablation {
        switches: variants.switches(),
        cells: Vec::new(),
        battles,
        quantity: metric(study, "a score").expect("a metric"),
        pairs: true,
        level: Level::P99,
        threads: 2,
    }
}

/// The first side's exact score over all cells.
fn exact_score(study: &Study) -> f64 {
    let score = |cell: &crate::study::Cell| {
        let solution = crate::exact::solve_cell(cell, &Limits::default(), &mut |_| std::ops::ControlFlow::Continue(()));
        let half_points = |outcome: &grognard_engine::Outcome| {
            outcome.winner.map_or(1, |winner| 2 * u32::from(winner == crate::Side::First))
        };
        solution.expect("a duel is small").mean(half_points).value / 2.0
    };
    study.cells.iter().map(score).sum::<f64>() / study.cells.len() as f64
}

#[test]
fn what_a_rule_is_worth_is_what_the_odds_say() {
    let mut sources = Sources::new();
    let study = duel(&mut sources);
    let variants = Variants::of(&study, &mut sources).expect("its own texts");
    let found = ablation(&study, &variants, 6_000).run(&study, &variants, &Silent, &Stop::new());
    let found = found.expect("threads").expect("nobody stopped it");
    let base = exact_score(&study);
    assert!(found.base.holds(base), "{:?} holds no {base}", found.base);
    let without = |off: &[&crate::study::Switch]| {
        let cells = variants.cells_without(&study, &[0, 1], off).expect("it was fought");
        exact_score(&Study { cells, ..study.clone() })
    };
    assert!(found.rules.len() >= 3 && !found.pairs.is_empty(), "{found:?}");
    for rule in &found.rules {
        let worth = base - without(&[&rule.switch]);
        assert!(rule.worth.holds(worth), "{}: {:?} holds no {worth}", rule.switch.name(), rule.worth);
        let mean = rule.cells.iter().map(|cell| cell.point).sum::<f64>() / 2.0;
        assert!((mean - rule.worth.point).abs() < 1e-9, "{}", rule.switch.name());
    }
    for rule in &found.still {
        let change = without(&[rule]) - base;
        assert!(change.abs() < 0.01, "{} changes {change} and no battle", rule.name());
    }
    for Interaction { rules, beyond } in &found.pairs {
        let [one, other] = rules.map(|at| &found.rules[at].switch);
        let exact = base - without(&[one]) - without(&[other]) + without(&[one, other]);
        assert!(beyond.holds(exact), "{} and {}: {beyond:?} holds no {exact}", one.name(), other.name());
    }
}

/// A result that any roll may give stays, but has no effect. A clause is switched off as far as possible. Rules that
/// cannot be switched off give the reason. Pairs of a phase and a result of its roll are not tried, because nothing is
/// rolled without the phase.
#[test]
fn rules_are_switched_off_as_far_as_they_can_be() {
    let mut sources = Sources::new();
    let study = duel(&mut sources);
    let variants = Variants::of(&study, &mut sources).expect("its own texts");
    let asked = ablation(&study, &variants, 4_000);
    let found = asked.run(&study, &variants, &Silent, &Stop::new()).expect("threads").expect("nobody stopped it");
    let off = |name: &str| {
        let mut all = found.rules.iter().map(|rule| &rule.switch).chain(&found.still);
        all.find(|switch| switch.name() == name).unwrap_or_else(|| panic!("{name} was not switched off"))
    };
    assert!(off("roll.blow.result.both").stays.is_empty());
    // The clause has two rows: the nerve roll, which a phase requires, and its result.
    let stays: Vec<String> = off("clause destroyed").stays.iter().map(ToString::to_string).collect();
    assert_eq!(stays, ["roll.nerve"]);
    let breaks = off("roll.nerve.result.breaks");
    let cells = variants.cells_without(&study, &[0], &[breaks]).expect("it does nothing");
    let nerve = cells[0].rules.rolls.iter().find(|roll| roll.id == "nerve").expect("a roll");
    assert_eq!(nerve.results.len(), 2, "the result itself stays");
    let why =
        |name: &str| found.needed.iter().find(|needed| needed.switch.name() == name).map(|needed| needed.why.as_str());
    assert!(why("unit.plain").is_some_and(|why| why.contains("plain")), "{:?}", found.needed);
    let named = |rules: [usize; 2]| rules.map(|at| found.rules[at].switch.name());
    let tautology = |pair: &Interaction| {
        let names = named(pair.rules);
        names.contains(&"phase.blow".to_owned()) && names.iter().any(|name| name.starts_with("roll.blow.result."))
    };
    assert!(found.within > 0 && !found.pairs.iter().any(tautology), "{:?}", found.pairs);
    let plain = asked.switches.iter().filter(|switch| switch.name() == "unit.plain").cloned().collect();
    let only = Ablation { switches: plain, ..asked.clone() };
    assert_eq!(only.all_needed(&study, &variants).map(|needed| needed.len()), Some(1));
    assert!(asked.all_needed(&study, &variants).is_none());
}

#[test]
fn an_ablation_that_is_stopped_compiles_no_more_rules() {
    /// Raises the flag as soon as the battles with all rules are fought.
    struct Once<'s>(&'s Stop, std::sync::atomic::AtomicU64, u64);
    impl Progress for Once<'_> {
        fn advance(&self, battles: u64) {
            if self.1.fetch_add(battles, std::sync::atomic::Ordering::Relaxed) + battles >= self.2 {
                self.0.raise();
            }
        }
    }
    let mut sources = Sources::new();
    let study = duel(&mut sources);
    let variants = Variants::of(&study, &mut sources).expect("a pack");
    let ablation = ablation(&study, &variants, 64);
    let stop = Stop::new();
    let once = Once(&stop, Default::default(), 64 * study.chosen(&ablation.cells).len() as u64);
    // No rule can be distinguished from a required one, because none was tried.
    assert!(ablation.run(&study, &variants, &once, &stop).expect("threads").is_none());
}

/// The progress of exact answers reports each solved cell.
#[test]
fn cells_that_are_computed_are_told() {
    #[derive(Default)]
    struct Counted(std::sync::atomic::AtomicU32);
    impl crate::exact::Watcher for Counted {
        fn walking(&self, _cell: u32, _progress: &grognard_exact::Progress) {}
        fn solved(&self, cell: u32) {
            self.0.fetch_add(1 << (8 * cell), std::sync::atomic::Ordering::Relaxed);
        }
    }
    impl Progress for Counted {
        fn advance(&self, _battles: u64) {
            panic!("nothing is fought");
        }
        fn solving(&self) -> &dyn crate::exact::Watcher {
            self
        }
    }
    let mut sources = Sources::new();
    let study = duel(&mut sources);
    let text = format!("{}[[target]]\nsays = 'It ends'\nmetric = 'turns'\nband = [1, 12]\n", study.header.text);
    let file = sources.add("study.toml", text);
    let study = Study::read(file, None, &Changes::default(), &mut sources).expect("a study with a target");
    let judge = Judge { battles: 64, level: Level::P95, threads: 1, exact: Some(Limits::default()) };
    let counted = Counted::default();
    judge.run(&study, &counted, &Stop::new()).expect("small cells");
    let once: u32 = study.cells.iter().map(|cell| 1_u32 << (8 * cell.header.cell)).sum();
    assert_eq!(counted.0.into_inner(), once);
}

#[test]
fn rules_are_rows_flags_and_clauses() {
    let mut sources = Sources::new();
    let file = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../studies/square-vs-line.toml"));
    let study = Study::load(file, &Changes::default(), &mut sources);
    let study = study.unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)));
    let variants = Variants::of(&study, &mut sources).expect("its own texts");
    let switches = variants.switches();
    let named = |name: &str| switches.iter().find(|switch| switch.name() == name);
    let square = named("roll.shock.modifier.square-against-cavalry").expect("a modifier");
    assert_eq!(square.clauses, ["9.50-G", "house"]);
    let clause = named("clause 9.50-G").expect("a clause with several rows");
    assert!(matches!(clause.what, crate::study::Rule::Clause(_, rows) if rows > 1), "{clause:?}");
    assert!(clause.overlaps(square) && !square.overlaps(named("roll.shock.modifier.impetus").expect("another")));
    assert!(named("clause house").is_none());
    assert!(switches.iter().all(|switch| !switch.name().starts_with("doctrine")), "doctrine is no rule");
    let cells = variants.cells_without(&study, &[0], &[square]).expect("the pack does without it");
    assert_eq!(cells.len(), 1);
}

/// A cell that sets `on` of a trait does not switch it on again.
#[test]
fn a_rule_that_a_cell_switches_on_is_switched_off() {
    let text = "study = 'ground'\npack = 'sf-skirmish'\n[vary]\n'trait.veteran.on' = [true, false]\n\
        [side.red]\ndoctrine = 'shoot-only'\nunits = [{ type = 'veteran', at = [0, -10] }]\n\
        [side.blue]\ndoctrine = 'shoot-only'\nunits = [{ type = 'trooper', at = [0, 10] }]\n";
    let mut sources = Sources::new();
    let file = sources.add("study.toml", text);
    let study = Study::read(file, None, &Changes::default(), &mut sources).expect("a good study");
    let variants = Variants::of(&study, &mut sources).expect("its own texts");
    let switches = variants.switches();
    let veteran = switches.iter().find(|switch| switch.name() == "trait.veteran").expect("a trait");
    let rules = |cells: &[crate::study::Cell]| [0, 1].map(|at| format!("{:?}", cells[at].rules));
    let [with, without] = rules(&study.cells);
    assert_ne!(with, without);
    let off = variants.cells_without(&study, &[0, 1], &[veteran]).expect("it can be switched off");
    let [first, second] = rules(&off);
    assert!(first == second && first != with, "the first cell still has the trait");
}

/// A duel whose target is met as soon as the plain fighter has enough figures: the planted change is found, and no
/// smaller one.
#[test]
fn the_smallest_change_that_meets_a_target_is_found() {
    let text = "study = 'duel'\npack = 'refduel'\nturns = 12\n[side.a]\nunits = [{ type = 'one-up' }]\n[side.b]\n\
        units = [{ type = 'plain' }]\n[[target]]\nsays = 'One up is no better than more men'\nmetric = 'a score'\nband = [LOW, HIGH]\n";
    // The first side's score by exact odds, with 20 to 32 figures on the other side: the band is around one of these
    // scores.
    let score = |figures: usize| {
        let mut sources = Sources::new();
        let file = sources.add("study.toml", text.replace("LOW", "0").replace("HIGH", "1"));
        let set = sources.add("--set", format!("unit.plain.figures={figures}"));
        let change = Override::parse(set, &sources).expect("a path and a value");
        let changes = Changes { set: vec![change], ..Changes::default() };
        exact_score(&Study::read(file, None, &changes, &mut sources).expect("a good study"))
    };
    for planted in [22, 24] {
        let (here, before, after) = (score(planted), score(planted - 1), score(planted + 1));
        let (low, high) = ((here + after) / 2.0, (here + before) / 2.0);
        let mut sources = Sources::new();
        let file = sources.add("study.toml", text.replace("LOW", &low.to_string()).replace("HIGH", &high.to_string()));
        let study = Study::read(file, None, &Changes::default(), &mut sources);
        let study = study.unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)));
        let variants = Variants::of(&study, &mut sources).expect("its own texts");
        let numbers = vec![number(&variants, "unit.plain.figures")];
        let (level, battles) = (Level::P95, 400_000);
        let tuning = Tuning { numbers, changes: 1, pips: 6, candidates: 100, battles, level, threads: 2 };
        let tuned = tuning.run(&study, &variants, &Silent, &Stop::new()).expect("threads");
        let (candidate, targets) = tuned.found.as_ref().unwrap_or_else(|| panic!("{tuned:?}"));
        assert_eq!(candidate.moves, [(0, planted as i64 - 20)]);
        assert!(targets.iter().all(|target| target.state == State::Met));
        assert_eq!((tuned.undecided.len(), tuned.candidates), (0, 13));
        assert_eq!(tuned.ruled_out + 1, tuned.tried);
        assert!(tuned.now.iter().all(|target| target.state == State::Missed), "{:?}", tuned.now);
    }
}

/// If the rules already meet their targets, the few battles of a first look show it before anything is changed;
/// otherwise they do not.
#[test]
fn rules_that_meet_their_targets_are_judged_first() {
    let text = "study = 'duel'\npack = 'refduel'\nturns = 12\n[side.a]\nunits = [{ type = 'one-up' }]\n[side.b]\n\
        units = [{ type = 'plain' }]\n[[target]]\nsays = 'One up is better'\nmetric = 'a score'\nband = [LOW, 1]\n";
    // By exact odds, the score is 84.8 %.
    for (low, met) in [("0.7", true), ("0.95", false), ("0.848", false)] {
        let mut sources = Sources::new();
        let file = sources.add("study.toml", text.replace("LOW", low));
        let study = Study::read(file, None, &Changes::default(), &mut sources).expect("a good study");
        let variants = Variants::of(&study, &mut sources).expect("its own texts");
        let (level, battles) = (Level::P95, 400_000);
        let tuning = Tuning { numbers: vec![], changes: 1, pips: 1, candidates: 1_000, battles, level, threads: 2 };
        let tuned = tuning.as_they_are(&study, &variants, &Silent, &Stop::new()).expect("threads");
        assert_eq!(tuned.is_some(), met, "{low}: {tuned:?}");
        if let Some(tuned) = tuned {
            assert!(tuned.fought <= 1 << 14 && tuned.found.is_some_and(|(candidate, _)| candidate.moves.is_empty()));
        }
        // A score at the edge of the band is known to be near it.
        let undecided = tuning.run(&study, &variants, &Silent, &Stop::new()).expect("threads");
        match undecided.nearness() {
            Some(near) => assert!(low == "0.848" && near < 0.01, "{low}: {near}"),
            None => assert_ne!(low, "0.848", "{undecided:?}"),
        }
    }
}

#[test]
fn candidates_come_by_size_and_each_once() {
    let mut sources = Sources::new();
    let study = duel(&mut sources);
    let variants = Variants::of(&study, &mut sources).expect("its own texts");
    let numbers = variants.of_packs().0.into_iter().take(5).collect();
    let level = Level::P95;
    let tuning = Tuning { numbers, changes: 2, pips: 2, candidates: 10_000, battles: 1, level, threads: 1 };
    let all = tuning.all();
    assert_eq!(all.len(), 1 + 5 * 4 + 10 * 16);
    assert_eq!(tuning.possible(), all.len() as u64);
    assert!(all.windows(2).all(|pair| pair[0].size() <= pair[1].size()));
    let unlike = |(at, one): (usize, &Candidate)| all[at + 1..].iter().all(|other| other != one);
    assert!(all.iter().enumerate().all(unlike));
    let few = Tuning { candidates: 30, ..tuning };
    assert_eq!(few.all(), all[..30]);
    assert_eq!(few.possible(), all.len() as u64);
}

fn tried(value: i64, point: f64, half: f64) -> Tried {
    let metric = Estimate { point, low: point - half, high: point + half, level: Level::P95, runs: 100 };
    Tried { value: 1_000 * value, metric }
}

#[test]
fn a_crossing_lies_between_its_neighbours() {
    let rising = [tried(1, 0.2, 0.01), tried(2, 0.4, 0.01), tried(3, 0.6, 0.01)];
    let [only] = &crossings(&rising, 0.5)[..] else { panic!("one crossing") };
    assert_eq!((only.below.value, only.above.value, only.even.len()), (2_000, 3_000, 0));
    assert!((only.at.value - 2.5).abs() < 1e-12);
    // The upper edge of the band rises from 0.41 to 0.61, the lower one from 0.39 to 0.59.
    assert!((only.at.low - 2.45).abs() < 1e-9 && (only.at.high - 2.55).abs() < 1e-9, "{:?}", only.at);
    let falling: Vec<Tried> =
        rising.iter().map(|point| tried(point.value / 1_000, 1.0 - point.metric.point, 0.01)).collect();
    let [only] = &crossings(&falling, 0.5)[..] else { panic!("one crossing") };
    assert_eq!((only.below.value, only.above.value), (3_000, 2_000));
    assert!((only.at.low - 2.45).abs() < 1e-9 && (only.at.high - 2.55).abs() < 1e-9, "{:?}", only.at);
}

#[test]
fn a_value_that_may_be_even_stands_within_the_crossing() {
    let curve =
        [tried(0, 0.3, 0.05), tried(1, 0.49, 0.05), tried(2, 0.51, 0.05), tried(3, 0.8, 0.05), tried(4, 0.2, 0.05)];
    let [up, down] = &crossings(&curve, 0.5)[..] else { panic!("two crossings") };
    let even: Vec<i64> = up.even.iter().map(|point| point.value).collect();
    assert_eq!((up.below.value, up.above.value, even), (0, 3_000, vec![1_000, 2_000]));
    assert!((up.at.value - 1.5).abs() < 1e-12);
    assert!(up.at.low < 1.0 && up.at.high > 2.0, "{:?}", up.at);
    assert_eq!((down.below.value, down.above.value), (4_000, 3_000));
    // A curve that only touches the target does not cross it.
    assert!(crossings(&[tried(0, 0.3, 0.05), tried(1, 0.49, 0.05), tried(2, 0.3, 0.05)], 0.5).is_empty());
}
