//! Cubes: partial valuations, packed into bits.
//!
//! A cube gives values to some variables of a numbered list and stands for all valuations that agree with it. The cube
//! that says nothing stands for all valuations.

use smallvec::SmallVec;

/// The bits of one word.
const WORD: u32 = u64::BITS;

/// A partial valuation. See the module's documentation.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cube {
    /// For each 64 variables, which of them have a value, and the values; 0 where there is none.
    ///
    /// INVARIANT: the last pair is not zero, so that equal cubes are equal words.
    words: SmallVec<[(u64, u64); 1]>,
}

impl Cube {
    /// The cube that says nothing.
    pub fn any() -> Self {
        Self::default()
    }

    /// Whether it says nothing.
    pub fn is_any(&self) -> bool {
        self.words.is_empty()
    }

    /// How many variables have a value.
    pub fn len(&self) -> usize {
        self.words.iter().map(|(mask, _)| mask.count_ones() as usize).sum()
    }

    /// Whether no variable has a value.
    pub fn is_empty(&self) -> bool {
        self.is_any()
    }

    /// The value of a variable, if it has one.
    pub fn get(&self, variable: u32) -> Option<bool> {
        let &(mask, values) = self.words.get((variable / WORD) as usize)?;
        let bit = variable % WORD;
        (mask >> bit & 1 == 1).then_some(values >> bit & 1 == 1)
    }

    /// Gives a variable a value.
    pub fn set(&mut self, variable: u32, value: bool) {
        let (word, bit) = ((variable / WORD) as usize, 1 << (variable % WORD));
        if self.words.len() <= word {
            self.words.resize(word + 1, (0, 0));
        }
        let (mask, values) = &mut self.words[word];
        *mask |= bit;
        *values = if value { *values | bit } else { *values & !bit };
    }

    /// The cube with one more value.
    #[must_use]
    pub fn with(mut self, variable: u32, value: bool) -> Self {
        self.set(variable, value);
        self
    }

    /// Takes the value of a variable away.
    pub fn clear(&mut self, variable: u32) {
        if let Some((mask, values)) = self.words.get_mut((variable / WORD) as usize) {
            let bit = 1 << (variable % WORD);
            *mask &= !bit;
            *values &= !bit;
            self.trim();
        }
    }

    /// The values, by increasing variables.
    pub fn iter(&self) -> impl Iterator<Item = (u32, bool)> + '_ {
        let words = (0_u32..).zip(&self.words);
        words.flat_map(|(word, &(mask, values))| {
            let bits = std::iter::successors(Some(mask), |mask| Some(mask & mask.wrapping_sub(1)));
            let bits = bits.take_while(|&mask| mask != 0).map(u64::trailing_zeros);
            bits.map(move |bit| (word * WORD + bit, values >> bit & 1 == 1))
        })
    }

    /// Whether every valuation of `other` is one of this cube.
    pub fn includes(&self, other: &Self) -> bool {
        self.words.len() <= other.words.len()
            && self.words.iter().zip(&other.words).all(|(&(mask, values), &(other_mask, other_values))| {
                mask & !other_mask == 0 && (values ^ other_values) & mask == 0
            })
    }

    /// Whether some valuation is in both cubes.
    pub fn meets(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).all(|(&(mask, values), &(other_mask, other_values))| {
            (values ^ other_values) & mask & other_mask == 0
        })
    }

    /// The valuations in both cubes; `None` if there are none.
    #[must_use]
    pub fn and(&self, other: &Self) -> Option<Self> {
        self.meets(other).then(|| {
            let (mut longer, shorter) = if self.words.len() >= other.words.len() {
                (self.clone(), other)
            } else {
                (other.clone(), self)
            };
            for (word, &(mask, values)) in longer.words.iter_mut().zip(&shorter.words) {
                word.0 |= mask;
                word.1 |= values;
            }
            longer
        })
    }

    /// This cube without the values of variables for which `keep` does not hold.
    #[must_use]
    pub fn restricted(&self, keep: impl Fn(u32) -> bool) -> Self {
        self.iter().filter(|&(variable, _)| keep(variable)).collect()
    }

    fn trim(&mut self) {
        while self.words.last() == Some(&(0, 0)) {
            self.words.pop();
        }
    }
}

impl FromIterator<(u32, bool)> for Cube {
    fn from_iter<I: IntoIterator<Item = (u32, bool)>>(values: I) -> Self {
        let mut cube = Self::any();
        values.into_iter().for_each(|(variable, value)| cube.set(variable, value));
        cube
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(values: &[(u32, bool)]) -> Cube {
        values.iter().copied().collect()
    }

    #[test]
    fn values_are_set_and_taken_away() {
        let mut some = cube(&[(3, true), (70, false)]);
        assert_eq!(
            (some.get(3), some.get(70), some.get(4), some.get(500)),
            (Some(true), Some(false), None, None)
        );
        assert_eq!(some.iter().collect::<Vec<_>>(), [(3, true), (70, false)]);
        assert_eq!(some.len(), 2);
        some.set(3, false);
        some.clear(70);
        some.clear(500);
        assert_eq!(some, cube(&[(3, false)]));
        some.clear(3);
        assert_eq!(some, Cube::any());
        assert!(some.is_any());
    }

    #[test]
    fn inclusion_and_intersection_are_those_of_the_valuations() {
        // Over three variables spread over two words, against all eight valuations.
        let variables = [1, 63, 64];
        let cubes: Vec<Cube> = (0..27)
            .map(|code: u32| {
                let digits = [code % 3, code / 3 % 3, code / 9];
                let values = variables.into_iter().zip(digits).filter(|&(_, digit)| digit < 2);
                values.map(|(variable, digit)| (variable, digit == 1)).collect()
            })
            .collect();
        let valuations: Vec<Cube> = cubes.iter().filter(|cube| cube.len() == 3).cloned().collect();
        for a in &cubes {
            let of =
                |cube: &Cube| valuations.iter().filter(|it| cube.includes(it)).cloned().collect::<Vec<_>>();
            assert_eq!(of(a).len(), 1 << (3 - a.len()));
            for b in &cubes {
                let both: Vec<Cube> = of(a).into_iter().filter(|it| of(b).contains(it)).collect();
                assert_eq!(a.meets(b), !both.is_empty(), "{a:?} {b:?}");
                assert_eq!(a.includes(b), of(b) == both, "{a:?} {b:?}");
                assert_eq!(a.and(b).map(|it| of(&it)).unwrap_or_default(), both, "{a:?} {b:?}");
            }
        }
    }
}
