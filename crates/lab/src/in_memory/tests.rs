use grognard_exact::Limits;
use grognard_source::Sources;

use super::*;
use crate::exact::{SolveOptions as Exact, Unwatched};
use crate::progress::Silent;
use crate::study::Changes;

fn study(runs: u64) -> Study {
    let text = "study = 'duel'\npack = 'risk'\nturns = 200\n[vary]\n'attacker.0.figures' = [3, 4]\n\
        [side.attacker]\nunits = [{ type = 'army', figures = 3 }]\n\
        [side.defender]\nunits = [{ type = 'army', figures = 3 }]\n";
    let mut sources = Sources::new();
    let file = sources.add("duel.toml", text);
    let changes = Changes { runs: Some(runs), ..Changes::default() };
    Study::read(file, None, &changes, &mut sources)
        .unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)))
}

fn fight(study: &Study, run: &Run) -> Fetched {
    run.fight(study, &Silent, &Stop::new()).expect("threads")
}

#[test]
fn shards_in_any_order_add_up_to_one_run() {
    let study = study(20_000);
    for keep in [Keep::None, Keep::First(5_000), Keep::All] {
        let run = Run { keep, luck: true, ..Run::default() };
        let whole = fight(&study, &run);
        assert_eq!(whole.kept[1].len() as u64, keep.limit().unwrap_or(20_000));
        assert_eq!(whole.luck[1].len(), whole.kept[1].len());
        let shard = |number| fight(&study, &Run { shard: Shard::new(number, 7).expect("a shard"), ..run.clone() });
        let shards: Vec<Fetched> = [4, 1, 7, 2, 6, 3, 5].into_iter().map(shard).collect();
        assert_eq!(merge(&shards.iter().collect::<Vec<_>>()).expect("they fit"), whole, "{keep:?}");
    }
}

#[test]
fn what_does_not_fit_is_named() {
    let small = study(10_000);
    let shard = |number| fight(&small, &Run { shard: Shard::new(number, 2).expect("a shard"), ..Run::default() });
    let (one, two, other) = (shard(1), shard(2), fight(&study(10_000), &Run::default()));
    assert_eq!(merge(&[]), Err(Unaddable::Nothing));
    assert_eq!(merge(&[&one, &two, &one]), Err(Unaddable::Twice { shard: 2, first: 0, last: 4_095 }));
    assert_eq!(merge(&[&one, &other]).map(|_| ()).map_err(|why| matches!(why, Unaddable::Twice { .. })), Err(true));
    let mut changed = two.clone();
    changed.results.manifest.seed = 2;
    assert!(matches!(merge(&[&one, &changed]), Err(Unaddable::OtherBattles { shard: 1, .. })));
}

#[test]
fn missing_shards_are_named() {
    let study = study(20_000);
    let shard = |number| fight(&study, &Run { shard: Shard::new(number, 5).expect("a shard"), ..Run::default() });
    let shards: Vec<Fetched> = (1..=5).map(shard).collect();
    let only = |places: &[usize]| places.iter().map(|&place| &shards[place]).collect::<Vec<_>>();
    let said = |sum: Result<Fetched, Unaddable>| sum.expect_err("a part").to_string();
    let missing = |battles: &str| format!("battles {battles} of 20000 are missing; the first is battle 0");
    assert_eq!(said(merge(&only(&[1, 2, 3, 4]))), missing("0 to 4095"));
    assert_eq!(said(merge(&only(&[0, 4, 1, 3]))), missing("8192 to 12287"));
    assert_eq!(said(merge(&only(&[0, 1, 2, 3]))), missing("16384 to 19999"));
    assert_eq!(said(merge(&only(&[1, 3]))), missing("0 to 4095, 8192 to 12287 and 16384 to 19999"));
    assert_eq!(said(merge_partial(&only(&[1, 3]))), missing("8192 to 12287"), "there is no sum with a gap");
    let part = merge_partial(&only(&[3, 1, 2])).expect("neighbours");
    let progress = &part.results.manifest.progress;
    assert_eq!((progress.first, progress.battles, progress.ending), (4_096, 12_288, Ending::Stopped));
    let precise = fight(&study, &Run { precision: Some(0.05), ..Run::default() });
    assert_eq!(merge(&[&precise]), Ok(precise), "it needed no more battles");
    let stop = Stop::new();
    stop.raise();
    let stopped = Run::default().fight(&study, &Silent, &stop).expect("threads");
    assert_eq!(said(merge(&[&stopped])), missing("0 to 19999"));
}

#[test]
fn bytes_hold_everything() {
    let study = study(9_000);
    let run = Run { keep: Keep::First(100), luck: true, ..Run::default() };
    let options =
        Exact { limits: Limits::default(), cells: Vec::new(), time: None, threads: 1, command: String::new() };
    let exact = options.solve(&study, &Unwatched, &Stop::new()).expect("a small duel");
    for fetched in [fight(&study, &run), Fetched { results: exact, kept: Vec::new(), luck: Vec::new() }] {
        let bytes = to_bytes(&fetched);
        assert_eq!(from_bytes(&bytes), Ok(fetched));
        for cut in [0, 5, 30, bytes.len() / 2, bytes.len() - 1] {
            assert!(from_bytes(&bytes[..cut]).is_err(), "{cut}");
        }
    }
    let other = b"grognard results 2 0\n";
    assert!(from_bytes(other).expect_err("another format").to_string().contains("do not begin with a results header"));
}

#[test]
fn damaged_bytes_are_refused() {
    let run = Run { keep: Keep::First(10), luck: true, ..Run::default() };
    let bytes = to_bytes(&fight(&study(100), &run));
    let text = String::from_utf8_lossy(&bytes);
    let seed = text.find("\"seed\":1").expect("the manifest has a seed") + "\"seed\":".len();
    // A number in the JSON, the turns of a battle, and its luck. They would all load as other numbers.
    let battle = 2 + 8 * 2 + 16;
    for place in [seed, bytes.len() - battle + 1, bytes.len() - 3] {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1;
        let said = from_bytes(&damaged).expect_err("a byte differs").to_string();
        assert!(said.ends_with("they are damaged"), "{place}: {said}");
    }
}

#[test]
fn a_kept_battle_takes_the_memory_that_the_documentation_states() {
    assert_eq!((size_of::<Outcome>(), size_of::<BySide<Luck>>()), (38, 48));
}
