//! Abstract transitions by trying all concrete ones (eq. 24 and 34): all values of the shared variables, of the acting thread, of a passive
//! one, and all multisets of values of the others.

use super::Transition;
use std::collections::BTreeSet;

/// What shared variables hold.
pub(super) type Shared = [u32; 2];

/// A condition of the thesis' language.
pub(super) enum Condition {
    Single(fn(Shared, u32) -> bool),
    Inter(fn(Shared, u32, u32) -> bool),
}

/// A step of a program whose threads have one variable, and predicates.
pub(super) struct Concrete<'a> {
    /// The values of the threads' variable: 0 to this one, exclusively.
    pub(super) values: u32,
    pub(super) shared: Vec<Shared>,
    pub(super) step: &'a dyn Fn(Shared, u32) -> Option<(Shared, u32)>,
    pub(super) conditions: &'a [Condition],
}

impl Concrete<'_> {
    /// R̃_n.
    pub(super) fn transitions(&self, n: usize) -> BTreeSet<Transition> {
        let mut all = BTreeSet::new();
        let mut others = vec![0; n - 2];
        loop {
            for active in 0..self.values {
                for passive in 0..self.values {
                    let mut before = vec![active, passive];
                    before.extend(&others);
                    all.extend(self.shared.iter().filter_map(|&shared| self.transition(shared, &before)));
                }
            }
            // The next multiset: the last value that can grow does, and those behind it are the same.
            let Some(at) = others.iter().rposition(|&it| it + 1 < self.values) else { return all };
            let next = others[at] + 1;
            others[at..].fill(next);
        }
    }

    fn transition(&self, shared: Shared, before: &[u32]) -> Option<Transition> {
        let (shared_after, mine) = (self.step)(shared, before[0])?;
        let mut after = before.to_vec();
        after[0] = mine;
        let b = |thread| self.bits(shared, before, thread);
        let b_after = |thread| self.bits(shared_after, &after, thread);
        Some([b(0), b(1), b_after(0), b_after(1)])
    }

    /// Eq. 12.
    pub(super) fn bits(&self, shared: Shared, threads: &[u32], thread: usize) -> u8 {
        let mine = threads[thread];
        let holds = |condition: &Condition| match condition {
            Condition::Single(holds) => holds(shared, mine),
            Condition::Inter(holds) => {
                let mut others = threads.iter().enumerate().filter(|&(other, _)| other != thread);
                others.all(|(_, &other)| holds(shared, mine, other))
            }
        };
        let values = self.conditions.iter().enumerate();
        values.map(|(index, condition)| u8::from(holds(condition)) << index).sum()
    }
}
