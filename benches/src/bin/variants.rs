//! `just variants`: the time to set up variants of a large pack, each with a different number.
//!
//! One cell of the headline study is prepared once for each number of its pack, with that number raised by one or more
//! steps, as in a search for a change. This includes deploying its two units.

use grognard_benches::cpu::Clocks;
use grognard_benches::work::headline;
use grognard_lab::study::{Change, Number, Study, Variants};
use grognard_source::Sources;

fn main() {
    let study = headline(1);
    let mut sources = Sources::new();
    let variants = Variants::of(&study, &mut sources).unwrap_or_else(|_| panic!("the headline study is sound"));
    let (numbers, _) = variants.of_packs();
    for count in [1_000, 10_000] {
        let clocks = Clocks::start();
        let made = (0..count).filter(|&nth| is_sound(&study, &variants, &numbers, nth)).count();
        let seconds = clocks.elapsed().cpu_s();
        let each = 1e6 * seconds / count as f64;
        println!(
            "{count} variants of {}: {seconds:.2} s of one core, {each:.0} µs each; {made} are sound",
            study.pack.name
        );
    }
}

/// Sets up a variant. Returns whether the pack allows it.
fn is_sound(study: &Study, variants: &Variants<'_>, numbers: &[Number], nth: usize) -> bool {
    let number = &numbers[nth % numbers.len()];
    let steps = 1 + (nth / numbers.len()) as i64;
    let change = Change { number, value: number.value + steps * number.pip };
    variants.cells(study, &[0], &[change]).is_ok()
}
