//! ChaCha8 for many battles at once.
//!
//! Each lane computes one block of sixteen words, with the same steps in all lanes, so the compiler can use the widest
//! registers of the processor.

use pulp::{Arch, Simd, WithSimd};

/// The number of words in a block of ChaCha.
pub const BLOCK_WORDS: usize = 16;

/// The number of blocks that are computed together.
pub const BLOCKS: usize = 16;

/// The words of [`BLOCKS`] blocks: word `k` of block `n` is at `[k][n]`.
pub type Words = [[u32; BLOCKS]; BLOCK_WORDS];

/// The constant words of ChaCha, "expand 32-byte k".
const CONSTANT: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];

/// Computes the blocks with these counters, of the streams with these nonces.
pub(crate) fn fill(key: &[u32; 8], nonces: &[u64; BLOCKS], counters: &[u64; BLOCKS], words: &mut Words) {
    Arch::new().dispatch(Fill { key, nonces, counters, words });
}

struct Fill<'a> {
    key: &'a [u32; 8],
    nonces: &'a [u64; BLOCKS],
    counters: &'a [u64; BLOCKS],
    words: &'a mut Words,
}

impl WithSimd for Fill<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        let Self { key, nonces, counters, words } = self;
        // In halves before the loop: numbers of 64 bits in it would make the compiler use half as many lanes.
        let (low, high) = (|number: u64| number as u32, |number: u64| (number >> u32::BITS) as u32);
        let counters = [counters.map(low), counters.map(high)];
        let nonces = [nonces.map(low), nonces.map(high)];
        for lane in 0..BLOCKS {
            let block = block(key, [counters[0][lane], counters[1][lane], nonces[0][lane], nonces[1][lane]]);
            for (words, word) in words.iter_mut().zip(block) {
                words[lane] = word;
            }
        }
    }
}

#[inline(always)]
fn block(key: &[u32; 8], [n0, n1, n2, n3]: [u32; 4]) -> [u32; BLOCK_WORDS] {
    let [c0, c1, c2, c3] = CONSTANT;
    let &[k0, k1, k2, k3, k4, k5, k6, k7] = key;
    let start = [c0, c1, c2, c3, k0, k1, k2, k3, k4, k5, k6, k7, n0, n1, n2, n3];
    // This is not a loop, because the compiler puts blocks into the lanes of wide registers only if nothing is
    // repeated.
    let mut end = double_round(double_round(double_round(double_round(start))));
    for (end, start) in end.iter_mut().zip(start) {
        *end = end.wrapping_add(start);
    }
    end
}

/// Eight quarter rounds: of the columns, then of the diagonals.
#[inline(always)]
fn double_round(x: [u32; BLOCK_WORDS]) -> [u32; BLOCK_WORDS] {
    let [a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3] = x;
    let [a0, b0, c0, d0] = quarter_round([a0, b0, c0, d0]);
    let [a1, b1, c1, d1] = quarter_round([a1, b1, c1, d1]);
    let [a2, b2, c2, d2] = quarter_round([a2, b2, c2, d2]);
    let [a3, b3, c3, d3] = quarter_round([a3, b3, c3, d3]);
    let [a0, b1, c2, d3] = quarter_round([a0, b1, c2, d3]);
    let [a1, b2, c3, d0] = quarter_round([a1, b2, c3, d0]);
    let [a2, b3, c0, d1] = quarter_round([a2, b3, c0, d1]);
    let [a3, b0, c1, d2] = quarter_round([a3, b0, c1, d2]);
    [a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3]
}

#[inline(always)]
fn quarter_round([mut a, mut b, mut c, mut d]: [u32; 4]) -> [u32; 4] {
    a = a.wrapping_add(b);
    d = (d ^ a).rotate_left(16);
    c = c.wrapping_add(d);
    b = (b ^ c).rotate_left(12);
    a = a.wrapping_add(b);
    d = (d ^ a).rotate_left(8);
    c = c.wrapping_add(d);
    b = (b ^ c).rotate_left(7);
    [a, b, c, d]
}
