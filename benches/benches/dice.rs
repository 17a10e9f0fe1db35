//! The cost of chance: generating words, making decisions, and the share of a battle's time that its decisions take.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use grognard_benches::answers::assert_on_file;
use grognard_benches::work::{ROUND, Workload, workloads};
use grognard_dice::{Address, Decision, Dice, Faces, Odds, SeededDice, Shown, thresholds};
use grognard_engine::{Unwitnessed, fight};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Words generated per iteration.
const WORDS: u64 = 4_096;

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    words(&mut criterion);
    for workload in workloads() {
        shares(&mut criterion, &workload);
    }
    criterion.final_summary();
}

/// The generator by itself, in order and without addresses: the baseline for every other way of rolling.
fn words(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("words");
    group.throughput(Throughput::Elements(WORDS));
    let mut stream = ChaCha8Rng::from_seed([7; 32]);
    group.bench_function("chacha8-in-order", |bencher| {
        bencher.iter(|| (0..WORDS).fold(0_u32, |sum, _| sum.wrapping_add(stream.next_u32())));
    });
    group.finish();
}

/// A battle, and the same battle's decisions without the battle.
fn shares(criterion: &mut Criterion, workload: &Workload) {
    assert_on_file(workload.name, workload.digest());
    let asked = asked(workload);
    let decisions: usize = asked.iter().map(Vec::len).sum();
    println!("{}: {:.1} decisions a battle", workload.name, decisions as f64 / asked.len() as f64);
    let cell = &workload.study.cells[workload.cell as usize];

    let mut group = criterion.benchmark_group(format!("chance/{}", workload.name));
    group.throughput(Throughput::Elements(ROUND.end - ROUND.start));
    let mut dice = SeededDice::new(workload.study.seed);
    group.bench_function("whole-battles", |bencher| {
        bencher.iter(|| {
            for battle in ROUND {
                dice.battle(battle);
                black_box(fight(&cell.rules, &cell.setup, &mut dice, &mut Unwitnessed));
            }
        });
    });
    let coin = Coin::new();
    group.bench_function("decisions-alone", |bencher| {
        bencher.iter(|| {
            let mut heads = 0;
            for (battle, addresses) in ROUND.zip(&asked) {
                dice.battle(battle);
                heads += addresses.iter().map(|&at| dice.decide(at, &coin)).sum::<usize>();
            }
            heads
        });
    });
    group.finish();
}

/// The addresses at which each battle requests its words.
fn asked(workload: &Workload) -> Vec<Vec<Address>> {
    let cell = &workload.study.cells[workload.cell as usize];
    let mut dice = Listening { dice: SeededDice::new(workload.study.seed), asked: Vec::new() };
    let battle = |battle| {
        dice.dice.battle(battle);
        fight(&cell.rules, &cell.setup, &mut dice, &mut Unwitnessed);
        std::mem::take(&mut dice.asked)
    };
    ROUND.map(battle).collect()
}

/// Dice that record the addresses requested.
struct Listening {
    dice: SeededDice,
    asked: Vec<Address>,
}

impl Dice for Listening {
    fn decide(&mut self, at: Address, decision: &dyn Decision) -> usize {
        self.asked.push(at);
        self.dice.decide(at, decision)
    }

    fn shown(&mut self, at: Address, decision: &dyn Decision, outcome: usize) -> Vec<Shown> {
        self.dice.shown(at, decision, outcome)
    }
}

/// The cheapest possible decision.
struct Coin {
    below: Vec<u32>,
}

impl Coin {
    const WEIGHTS: [u128; 2] = [1, 1];

    fn new() -> Self {
        Self { below: thresholds(&Self::WEIGHTS) }
    }
}

impl Decision for Coin {
    fn odds(&self) -> Odds<'_> {
        Odds { below: &self.below, weights: &Self::WEIGHTS, total: 2 }
    }

    fn by_hand(&self, faces: &mut dyn Faces) -> usize {
        faces.roll(&grognard_dice::Die::numbered(2))
    }
}
