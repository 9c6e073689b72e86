//! Which cut does a configuration break? Asked for every new predecessor of a search.
//!
//! Each state has a list of the cuts that give it a weight. For a configuration, the weights of its states are added
//! up in one tally per cut, until some tally passes its bound. Tallies carry the number of the question that they
//! belong to, so that nothing has to be cleared. Cost: the lengths of the lists of the configuration's states.

use crate::space::Space;
use std::sync::Arc;
use throng_cert::Cut;
use throng_model::ConfigRef;

/// A slot that stands for no list.
const NONE: u32 = u32::MAX;

/// See the module's documentation.
#[derive(Debug)]
pub(crate) struct CutIndex {
    space: Space,
    cuts: Vec<Arc<Cut>>,
    tallies: Vec<Tally>,
    question: u32,
    /// The list of each state.
    slots: Vec<u32>,
    /// Cut and weight.
    lists: Vec<Vec<(u32, u64)>>,
}

#[derive(Clone, Copy, Debug)]
struct Tally {
    bound: u64,
    sum: u64,
    /// The question that the sum belongs to.
    question: u32,
}

impl CutIndex {
    pub(crate) fn new(space: Space) -> Self {
        let (cuts, tallies, slots, lists) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { space, cuts, tallies, question: 0, slots, lists }
    }

    /// How many cuts there are.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.cuts.len()
    }

    pub(crate) fn cut(&self, index: usize) -> Option<&Cut> {
        self.cuts.get(index).map(Arc::as_ref)
    }

    pub(crate) fn push(&mut self, cut: Arc<Cut>) {
        self.slots.resize(self.space.dimension(), NONE);
        // INVARIANT: pools hold far fewer than 2^32 cuts.
        let index = self.cuts.len() as u32;
        let shared = cut.shared.iter().map(|&(shared, weight)| (self.space.shared(shared), weight));
        let locals = cut.locals.iter().map(|&(local, weight)| (self.space.local(local), weight));
        for (state, weight) in shared.chain(locals) {
            let slot = &mut self.slots[state];
            if *slot == NONE {
                *slot = self.lists.len() as u32;
                self.lists.push(Vec::new());
            }
            self.lists[*slot as usize].push((index, weight));
        }
        self.tallies.push(Tally { bound: cut.bound, sum: 0, question: self.question });
        self.cuts.push(cut);
    }

    /// A cut that the configuration breaks.
    #[inline]
    pub(crate) fn broken_by(&mut self, config: ConfigRef<'_>) -> Option<usize> {
        if self.cuts.is_empty() {
            return None;
        }
        self.next_question();
        for (state, count) in self.space.vector(config) {
            let Some(&slot) = self.slots.get(state) else { continue };
            if slot == NONE {
                continue;
            }
            for &(cut, weight) in &self.lists[slot as usize] {
                let tally = &mut self.tallies[cut as usize];
                let sum = if tally.question == self.question { tally.sum } else { 0 };
                // Saturation is exact: no cut has the largest number as its bound.
                tally.sum = sum.saturating_add(weight.saturating_mul(u64::from(count)));
                tally.question = self.question;
                if tally.sum > tally.bound {
                    return Some(cut as usize);
                }
            }
        }
        None
    }

    fn next_question(&mut self) {
        self.question = self.question.wrapping_add(1);
        if self.question == 0 {
            self.tallies.iter_mut().for_each(|tally| tally.question = u32::MAX);
        }
    }
}
