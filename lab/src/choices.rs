//! Where random choices come from: a seed, or the bytes of a fuzzer.

use arbitrary::Unstructured;

/// A source of choices.
pub trait Choices {
    /// A number below `n`; 0 if `n` is 0.
    fn below(&mut self, n: usize) -> usize;

    /// True in about `percent` of the cases.
    fn chance(&mut self, percent: usize) -> bool {
        // Exhausted fuzzer input answers 0, which must mean the simpler case: no.
        self.below(100) >= 100 - percent.min(100)
    }

    /// One of the items, which must not be empty.
    fn pick<T: Copy>(&mut self, items: &[T]) -> T
    where
        Self: Sized,
    {
        items[self.below(items.len())]
    }
}

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): eight bytes of state, the same numbers on every machine.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The sequence of this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

impl Choices for SplitMix64 {
    fn below(&mut self, n: usize) -> usize {
        if n == 0 {
            return 0;
        }
        // The high half of a 128-bit product: unbiased enough for n far below 2^64.
        let wide = u128::from(self.next_u64()) * n as u128;
        usize::try_from(wide >> 64).unwrap_or(0)
    }
}

impl Choices for Unstructured<'_> {
    fn below(&mut self, n: usize) -> usize {
        // When the bytes are used up, the smallest choice is taken: generation always ends.
        n.checked_sub(1).map_or(0, |last| self.int_in_range(0..=last).unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_published_sequence() {
        let mut random = SplitMix64::new(1_234_567);
        assert_eq!(random.next_u64(), 6_457_827_717_110_365_317);
        assert_eq!(random.next_u64(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn choices_stay_below_their_bound_and_end() {
        let mut random = SplitMix64::new(1);
        assert!((1..100).all(|n| random.below(n) < n));
        assert_eq!(random.below(0), 0);
        assert_eq!(Unstructured::new(&[]).below(7), 0);
    }
}
