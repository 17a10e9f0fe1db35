//! Mistakes in programs that use the crate, and what the crate guarantees to them.

use grognard_kit::engine::{BySide, UnitId};
use grognard_kit::{
    Answer, Asked, Dice, Error, Estimate, Event, Keep, Metric, Pack, Player, Scene, Script, Side, Stop, Study, Value,
    Witness,
};

const DUEL: &str = "study = \"duel\"\npack = \"risk\"\nseed = 3\nruns = 9_000\nturns = 100\n\
    side.attacker.units = [{ type = \"army\", figures = 5 }]\n\
    side.defender.units = [{ type = \"army\", figures = 4 }]\n\
    vary.\"defender.0.figures\" = [2, 3, 4]\n";

fn duel() -> Study {
    Study::from_text(DUEL).expect("a good study")
}

/// Everything that is wrong, each fault as `file:line:column: message; help`.
fn faults<T: std::fmt::Debug>(result: Result<T, Error>) -> Vec<String> {
    match result {
        Err(Error::Faults(faults)) => faults.iter().map(ToString::to_string).collect(),
        other => panic!("faults were expected, not {other:?}"),
    }
}

#[test]
fn every_fault_has_its_place() {
    let said = faults(Study::from_text(DUEL.replace("seed", "sed")));
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].starts_with("study.toml:3:1: ") && said[0].contains("`sed`"), "{said:?}");
    let said = faults(duel().set("attacker.0.figurs", 3));
    assert!(said[0].starts_with("set:1:1: ") && said[0].ends_with("did you mean `attacker.0.figures`?"), "{said:?}");
    let said = faults(duel().vary("attacker.0.figures", [3, 3]).and_then(|study| study.check()));
    assert!(said[0].starts_with("vary:1:24: the value 3 is listed twice"), "{said:?}");
    let rows = "pack = 'mine'\nextends = 'risk'\n[unit.army]\nfigures = 'many'\n";
    let said = faults(Pack::from_files([("pack.toml", rows)]));
    assert!(said[0].starts_with("pack.toml:4:11: "), "{said:?}");
    assert!(faults(Pack::from_files([("rules.toml", rows)]))[0].contains("no file `pack.toml`: it has rules.toml"));
    assert!(
        faults(Pack::from_files([("pack.toml", rows), ("pack.toml", rows)]))[0].contains("two files with the name")
    );
    // The pack in memory is correct until a change in the study makes it wrong.
    let pack = Pack::from_files([("pack.toml", "pack = 'mine'\nextends = 'risk'\n")]).expect("a good pack");
    let said = faults(duel().with_pack(pack).set("unit.army.figures", 0).and_then(|study| study.check()));
    assert!(said[0].starts_with("set:1:19: "), "{said:?}");
}

#[test]
fn a_pack_in_memory_is_fought_like_the_one_that_it_copies() {
    let built_in = Pack::load("risk").expect("it is built in");
    let files: Vec<(String, String)> = built_in
        .files()
        .map(|(name, text)| (name.rsplit('/').next().unwrap_or(name).to_owned(), text.to_owned()))
        .collect();
    let own = Pack::from_files(files).expect("the same pack");
    let fought = |study: Study| study.fight().run().expect("an answer");
    let [one, other] = [duel(), duel().with_pack(own)].map(fought);
    assert_eq!(one.digest(), other.digest());
    assert_eq!(one.results().summary(), other.results().summary());
}

#[test]
fn what_varies_replaces_what_the_study_says() {
    let labels =
        |study: Study| study.cells().expect("cells").iter().map(|cell| cell.label().to_owned()).collect::<Vec<_>>();
    let study = duel().vary("defender.0.figures", [1, 5]).expect("a path that varies");
    assert_eq!(labels(study.clone()).len(), 2);
    assert_eq!(labels(study.set("defender.0.figures", 3).expect("a path that varies")).len(), 1);
    let both = duel().set("turns", 6).expect("turns").vary("turns", [5, 6, 7]).expect("turns again");
    assert_eq!(both.cells().expect("cells").len(), 9);
    // The cells are those of a study with these values in its text.
    let written = DUEL.replace("[2, 3, 4]", "[1, 5]");
    let [said, set] = [Study::from_text(written), duel().vary("defender.0.figures", [1, 5])]
        .map(|study| study.and_then(|study| study.fight().run()).expect("an answer"));
    assert_eq!(said.digest(), set.digest());
    let paired = DUEL.replace("vary.", "pairs.");
    let said = faults(Study::from_text(paired).and_then(|study| study.vary("defender.0.figures", [1])));
    assert!(said[0].contains("lists values of `defender.0.figures` under `pairs`"), "{said:?}");
}

#[test]
fn settings_without_meaning_are_refused() {
    let study = duel();
    let refused = |result: Result<Answer, Error>| matches!(result, Err(Error::Setting { .. }));
    for precision in [-1.0, 0.0, 1.0, f64::NAN, f64::INFINITY] {
        assert!(refused(study.fight().precision(precision).run()), "{precision}");
        assert!(matches!(
            study.find("attacker.0.figures", "even").precision(precision).run(),
            Err(Error::Setting { .. })
        ));
    }
    assert!(refused(study.fight().runs(0).run()) && refused(study.fight().runs(u64::MAX).run()));
    assert!(refused(study.fight().seed(u64::MAX).run()));
    for (number, of) in [(0, 2), (3, 2), (1, 0), (1, 100_001)] {
        assert!(refused(study.fight().shard(number, of).run()), "{number} of {of}");
    }
    let both = |of| study.fight().shard(1, of).precision(0.01).run();
    assert!(refused(both(2)) && both(1).is_ok(), "the only shard is the whole run");
    assert!(both(2).unwrap_err().to_string().starts_with("`precision` cannot be used with `shard`; "));
    for share in [-0.1, 1.0, f64::NAN] {
        assert!(refused(study.exact().prune(share).run()), "{share}");
    }
    assert!(matches!(study.clone().vary("turns", Vec::<i32>::new()), Err(Error::Setting { .. })));
    assert!(matches!(study.clone().set("turns", f64::NAN), Err(Error::Setting { .. })));
    assert!(matches!(study.tune(["turns"]).within(0, 1).run(), Err(Error::Setting { .. })));
}

/// Dice that always give the same outcome, even if it does not exist.
struct Stubborn(usize);

impl Dice for Stubborn {
    fn decide(&mut self, _: grognard_kit::dice::Address, _: &dyn grognard_kit::dice::Decision) -> usize {
        self.0
    }

    fn shown(
        &mut self,
        _: grognard_kit::dice::Address,
        _: &dyn grognard_kit::dice::Decision,
        _: usize,
    ) -> Vec<grognard_kit::dice::Shown> {
        Vec::new()
    }
}

#[test]
fn dice_of_a_program_never_panic() {
    let cell = duel().cell(0).expect("a cell");
    let said = |result: Result<_, Error>| match result {
        Err(Error::Dice(why)) => why,
        other => panic!("the dice were at fault: {other:?}"),
    };
    assert!(said(cell.battle(0).dice(Stubborn(1_000_000)).run()).starts_with("outcome 1000000 of a decision with "));
    assert!(cell.battle(0).dice(Stubborn(0)).run().is_ok());
    assert!(said(cell.battle(0).dice(Script::new([6])).run()).contains("is used up at the 2nd die"));
    assert!(said(cell.battle(0).dice(Script::new([7])).run()).contains("face 7, but a d6 has 6 faces"));
    assert!(said(cell.battle(0).dice(Script::new(vec![6; 10_000])).run()).contains("faces left"));
    assert!(matches!(cell.battle(0).dice(Script::new([6])).narrate(), Err(Error::Dice(_))));
}

/// Chooses an option that does not exist.
struct Wild;

impl Player for Wild {
    fn plays(&self, side: Side) -> bool {
        side == Side::First
    }

    fn choose(&mut self, _: Scene<'_>, asked: &Asked<'_>) -> usize {
        asked.offers.len()
    }
}

/// Follows doctrine, and records the units for which it was asked.
#[derive(Default)]
struct Dutiful(Vec<UnitId>);

impl Player for Dutiful {
    fn plays(&self, side: Side) -> bool {
        side == Side::First
    }

    fn choose(&mut self, _: Scene<'_>, asked: &Asked<'_>) -> usize {
        self.0.push(asked.unit);
        asked.doctrine
    }
}

#[test]
fn players_of_a_program_never_panic() {
    let study = Study::load("square-vs-line").expect("it is built in");
    let cell = study.cell(18).expect("a cell");
    let wrong = cell.battle(4).player(&mut Wild).run();
    assert!(matches!(&wrong, Err(Error::Player(why)) if why.contains("was chosen for Heavy cavalry")), "{wrong:?}");
    let mut dutiful = Dutiful::default();
    assert_eq!(cell.battle(4).player(&mut dutiful).run().expect("a battle"), cell.battle(4).run().expect("a battle"));
    assert!(!dutiful.0.is_empty());
}

/// Adds up the losses in a battle's events.
#[derive(Default)]
struct Losses(BySide<u32>);

impl Witness for Losses {
    fn see(&mut self, scene: Scene<'_>, event: &Event) {
        if let Event::Lost { unit, figures } = event {
            self.0[scene.battle.unit(*unit).side] += u32::from(*figures);
        }
    }
}

#[test]
fn events_agree_with_outcomes_and_outcomes_with_tallies() {
    let study = duel();
    let answer = study.fight().runs(500).keep(Keep::All).run().expect("an answer");
    let cell = study.cell(2).expect("a cell");
    let kept: Vec<_> = answer.cell(2).expect("a cell").battles().collect();
    assert_eq!(cell.battles(0..500).collect::<Vec<_>>(), kept);
    assert_eq!(cell.battles(17..20).map(|battle| battle.number()).collect::<Vec<_>>(), [17, 18, 19]);
    for battle in kept.iter().take(50) {
        let mut losses = Losses::default();
        assert_eq!(cell.battle(battle.number()).witness(&mut losses).run().expect("a battle"), *battle);
        for side in Side::BOTH {
            assert_eq!(losses.0[side], u32::from(battle.outcome().sides[side].losses));
        }
    }
    let wins = kept.iter().filter(|battle| battle.winner() == Some(Side::First)).count();
    assert_eq!(answer.cell(2).expect("a cell").share(Side::First).point, wins as f64 / 500.0);
}

#[test]
fn exact_odds_and_joint_histograms_agree() {
    let losses = [Metric::Losses(Side::First), Metric::Losses(Side::Second)];
    let answer = duel().exact().run().expect("odds");
    for cell in answer.cells() {
        let joint = cell.histogram(losses).expect("exact odds");
        assert!((joint.iter().map(|(_, share)| share).sum::<f64>() - 1.0).abs() < 1e-12);
        for ([own], share) in cell.histogram([losses[0]]).expect("exact odds").iter() {
            let over: f64 = joint.iter().filter(|([first, _], _)| *first == own).map(|(_, share)| share).sum();
            assert!((over - share).abs() < 1e-12);
        }
        assert_eq!(joint.battles(), None);
    }
}

#[test]
fn a_rout_that_did_not_happen_has_no_turn() {
    let study = duel().set("turns", 3).expect("turns");
    let (answer, odds) = (study.fight().keep(Keep::All).run().expect("an answer"), study.exact().run().expect("odds"));
    for (cell, solved) in answer.cells().zip(odds.cells()) {
        for side in Side::BOTH {
            let metric = Metric::RoutTurn(side);
            let name = answer.sides()[side.index()];
            let routs = cell.estimate(&format!("{name}.ever_routed")).expect("a share").point;
            assert!(0.0 < routs && routs < 1.0, "{routs}");
            let alone = cell.histogram([metric]).expect("counts");
            let joint = cell.histogram([metric, Metric::Losses(side)]).expect("kept battles");
            let exact = solved.histogram([metric]).expect("odds");
            assert_eq!([alone.battles(), joint.battles()], [Some(9_000); 2]);
            assert!((&alone).into_iter().all(|([turn], _)| turn > 0) && exact.share([0]) == 0.0);
            let sums = [alone.iter().map(|(_, share)| share).sum::<f64>(), joint.iter().map(|(_, share)| share).sum()];
            assert!(sums.iter().all(|sum| (sum - routs).abs() < 1e-12), "{sums:?} of {routs}");
            let routs = solved.estimate(&format!("{name}.ever_routed")).expect("odds").point;
            assert!((exact.iter().map(|(_, share)| share).sum::<f64>() - routs).abs() < 1e-12);
        }
    }
}

#[test]
fn everything_long_stops() {
    let stop = Stop::new();
    stop.raise();
    let study = Study::load("square-vs-line").expect("it is built in");
    assert!(study.fight().stop(&stop).run().expect("an answer").is_stopped());
    assert!(matches!(study.exact().stop(&stop).run(), Err(Error::Exact(_))));
    assert!(
        study
            .find("roll.shock.modifier.square-against-cavalry.add", "even")
            .stop(&stop)
            .run()
            .is_ok_and(|found| found.stopped)
    );
    assert!(study.matchups().stop(&stop).run().is_err());
    assert!(study.ablate("attacker score").stop(&stop).run().is_err());
    assert!(study.train(Side::First).cells([18]).stop(&stop).run().is_ok_and(|trained| trained.stopped));
    let targeted = "study = 'duel'\npack = 'refduel'\nturns = 12\nside.a.units = [{ type = 'one-up' }]\n\
        side.b.units = [{ type = 'plain' }]\ntarget = [{ says = 'Even', metric = 'a score', band = ['70 %', '80 %'] }]\n";
    let targeted = Study::from_text(targeted).expect("a good study");
    assert!(targeted.judge().stop(&stop).run().is_ok_and(|verdicts| verdicts.stopped));
    let tuned = targeted.tune(["unit.plain.figures"]).stop(&stop).run();
    assert!(matches!(tuned, Err(Error::Unanswered(_))), "{tuned:?}");
    assert!(study.best().cells([18]).stop(&stop).run().is_ok_and(|cells| !cells[0].exact));
    assert!(Study::load("hex-armies").and_then(|study| study.points(50).stop(&stop).run()).is_err());
}

#[test]
fn a_sum_of_some_shards_says_so() {
    let study = duel();
    let shards = [1, 2, 3].map(|number| study.fight().runs(12_000).shard(number, 3).run().expect("a shard"));
    let [first, middle, last] = &shards;
    assert!(shards.iter().all(Answer::is_partial));
    let whole = Answer::merge(&shards).expect("all shards");
    assert!(!whole.is_partial() && !whole.to_string().contains("missing"));
    for (some, missing) in
        [([middle, last], "0 to 4095"), ([first, last], "4096 to 8191"), ([first, middle], "8192 to 11999")]
    {
        let missing = format!("battles {missing} of 12000 are missing; the first is battle 0");
        let refused = Answer::merge(some).expect_err("a part");
        assert!(matches!(&refused, Error::Merge(why) if why.to_string() == missing), "{refused}");
        match Answer::merge_partial(some) {
            Ok(part) => assert!(part.is_partial() && part.to_string().ends_with(&missing), "{part}"),
            Err(gap) => assert_eq!(gap.to_string(), missing),
        }
    }
    assert!(Answer::merge_partial([first, last]).is_err(), "there is no sum with a gap");
}

#[test]
fn groups_of_cells_are_paired_where_battles_were_kept() {
    let study = Study::load("square-vs-line").and_then(|study| study.set("approach", "front")).expect("a study");
    let [kept, counted] =
        [Keep::All, Keep::None].map(|keep| study.fight().runs(2_000).keep(keep).run().expect("an answer"));
    let groups = [[0, 1, 2], [6, 7, 8]];
    let mean = |answer: &Answer, cells: [usize; 3]| {
        cells.iter().map(|&cell| answer.cell(cell).expect("a cell").share(Side::Second).point).sum::<f64>() / 3.0
    };
    let (paired, loose) = (kept.pooled(Side::Second, groups[1]), counted.pooled(Side::Second, groups[1]));
    let (paired, loose) = (paired.expect("cells"), loose.expect("cells"));
    assert!(paired.paired && !loose.paired);
    assert!((paired.estimate.point - mean(&kept, groups[1])).abs() < 1e-12);
    assert!((loose.estimate.point - paired.estimate.point).abs() < 1e-12);
    assert!(loose.estimate.half_width() > paired.estimate.half_width());
    let gain = kept.contrast(Side::Second, groups[1], groups[0]).expect("cells");
    assert!((gain.estimate.point - (mean(&kept, groups[1]) - mean(&kept, groups[0]))).abs() < 1e-12);
    assert!(gain.paired && gain.estimate.holds(gain.estimate.point));
    let one = counted.contrast(Side::Second, [6], [0]).expect("cells");
    assert_eq!(Some(one.estimate), counted.cell(6).expect("a cell").difference("defender").expect("a side"));
    assert!(matches!(kept.pooled(Side::First, []), Err(Error::Setting { .. })));
    assert!(matches!(kept.pooled(Side::First, [99]), Err(Error::NoCell { .. })));
}

#[test]
fn values_that_no_cell_has_are_errors() {
    let answer = duel().fight().runs(100).run().expect("an answer");
    assert_eq!(answer.with([("defender.0.figures", 3.0)]).expect("3 and 3.0 are the same").len(), 1);
    for (path, value) in [("defender.0.figurs", Value::from(3)), ("defender.0.figures", Value::from(9))] {
        assert!(matches!(answer.with([(path, value)]), Err(Error::Unknown { .. })), "{path}");
    }
    let apart = [("defender.0.figures", 3), ("defender.0.figures", 4)];
    assert!(answer.with(apart).unwrap_err().to_string().contains("no cell has all of these values"));
}

#[test]
fn a_side_that_is_not_in_the_battle_has_no_numbers() {
    let study = duel();
    let answer = study.fight().runs(100).keep(Keep::All).run().expect("an answer");
    let odds = study.exact().run().expect("odds");
    let unknown = |result: Result<(), Error>| {
        let error = result.expect_err("there are two sides");
        assert!(matches!(error, Error::Unknown { .. }), "{error:?}");
        error.to_string()
    };
    for side in [Side::Third, Side::Fourth] {
        let said = format!("there is no side {}; the sides are attacker, defender", side.index() + 1);
        let of_side = [
            Metric::Win(side),
            Metric::Losses(side),
            Metric::RoutedUnits(side),
            Metric::ShakenUnits(side),
            Metric::RoutTurn(side),
        ];
        for answer in [&answer, &odds] {
            let cell = answer.cell(0).expect("a cell");
            assert_eq!(cell.share(side), Estimate::computed(0.0));
            for metric in of_side {
                assert_eq!(unknown(cell.histogram([metric]).map(drop)), said, "{metric:?}");
                assert_eq!(unknown(cell.histogram([Metric::Turns, metric]).map(drop)), said, "{metric:?}");
            }
            assert_eq!(unknown(answer.pooled(side, [0]).map(drop)), said);
            assert_eq!(unknown(answer.contrast(side, [0], [1]).map(drop)), said);
        }
        let battle = answer.cell(0).expect("a cell").battles().next().expect("a battle");
        assert!(of_side.iter().all(|metric| metric.of(battle.outcome()).is_none()));
        assert_eq!(battle.rout_turn(side), None);
        assert_eq!(unknown(study.train(side).runs(100).run().map(drop)), said);
    }
}

#[test]
fn an_answer_prints_the_wins_of_every_side() {
    let study = Study::load("fleet-three").expect("it is built in");
    let answer = study.fight().runs(100).run().expect("an answer");
    let text = answer.to_string();
    assert_eq!(text.lines().count(), answer.cells().len());
    for (line, cell) in text.lines().zip(answer.cells()) {
        let shares = line.strip_prefix(cell.label()).expect("the label comes first");
        for (name, side) in ["red", "blue", "green"].into_iter().zip(Side::ALL) {
            assert!(shares.contains(&format!("  {name} {}", cell.share(side).percent())), "{name}: {line}");
        }
        assert!(shares.contains(&format!("  draw {}", cell.draws().percent())), "{line}");
    }
}
