//! Upward- and downward-closed sets, kept as the antichains that generate them, with an index.
//!
//! An upward-closed set is the antichain of its minimal elements, a downward-closed set the antichain of its
//! maximal ω-elements (every downward-closed set of configurations has finitely many). Membership in the first
//! asks "is something below this?", answered by a trie that is walked along the sub-bags that are really
//! there; membership in the second asks "is something above this?", answered by lists of the elements with a
//! thread in a local. Neither scans the set.

mod above;
mod antichain;
mod long;
mod trie;

pub use antichain::{Antichain, ElementId};

use crate::ConfigRef;
use above::AboveIndex;
use std::ops::ControlFlow;

/// What became of a configuration offered to a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Insertion {
    /// The set contained it already, because of this generator.
    Subsumed(ElementId),
    /// It is a generator now.
    Inserted(ElementId),
}

/// A closed set of configurations.
pub trait ClosedSet {
    /// A generator because of which the set contains `config`.
    fn witness(&self, config: ConfigRef<'_>) -> Option<ElementId>;

    /// Makes the set contain `config`, with the closure of that.
    fn insert(&mut self, config: ConfigRef<'_>) -> Insertion;

    /// The generators. They include all minimal (maximal) elements of the set and perhaps elements that became
    /// superfluous since the last [`ClosedSet::minimise`].
    fn generators(&self) -> &Antichain;

    /// Removes superfluous generators.
    fn minimise(&mut self);

    /// Whether the set contains `config`.
    fn contains(&self, config: ConfigRef<'_>) -> bool {
        self.witness(config).is_some()
    }
}

/// An upward-closed set: everything that covers one of its minimal elements.
///
/// An element above a later one stays until somebody looks at it ([`UpwardClosedSet::keep_if_minimal`],
/// [`ClosedSet::minimise`]): searches that take small elements first meet few of them, and finding what is
/// above each new element would cost more than the rest of an insertion.
#[derive(Clone, Debug, Default)]
pub struct UpwardClosedSet {
    minimal: Antichain,
}

impl UpwardClosedSet {
    /// Adds a generator. The set may not contain it yet: for callers that have just asked.
    pub fn add_new(&mut self, config: ConfigRef<'_>) -> ElementId {
        debug_assert!(!self.contains(config));
        self.minimal.add(config)
    }

    /// Removes a generator, and with it what only it contains.
    pub fn remove(&mut self, id: ElementId) {
        self.minimal.remove(id);
    }

    /// Whether a generator is minimal; it is removed if it is not.
    pub fn keep_if_minimal(&mut self, id: ElementId) -> bool {
        if !self.minimal.is_present(id) {
            return false;
        }
        let other = self.minimal.for_each_below(self.minimal.get(id), |below| {
            if below == id { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        if other.is_break() {
            self.minimal.remove(id);
        }
        other.is_continue()
    }
}

impl ClosedSet for UpwardClosedSet {
    #[inline]
    fn witness(&self, config: ConfigRef<'_>) -> Option<ElementId> {
        self.minimal.find_below(config)
    }

    #[inline]
    fn insert(&mut self, config: ConfigRef<'_>) -> Insertion {
        match self.minimal.find_below(config) {
            Some(id) => Insertion::Subsumed(id),
            None => Insertion::Inserted(self.add_new(config)),
        }
    }

    fn generators(&self) -> &Antichain {
        &self.minimal
    }

    fn minimise(&mut self) {
        for id in ElementId::all(self.minimal.n_ever()) {
            self.keep_if_minimal(id);
        }
    }
}

/// A downward-closed set: everything covered by one of its maximal ω-elements.
///
/// An element below a later one is removed at once where finding it is cheap, and otherwise when somebody looks at
/// it ([`DownwardClosedSet::keep_if_maximal`], [`ClosedSet::minimise`]).
#[derive(Clone, Debug, Default)]
pub struct DownwardClosedSet {
    maximal: Antichain,
    above: AboveIndex,
}

impl DownwardClosedSet {
    /// Adds a generator. The set may not contain it yet: for callers that have just asked.
    pub fn add_new(&mut self, config: ConfigRef<'_>) -> ElementId {
        debug_assert!(!self.contains(config));
        if self.maximal.is_cheap_below(config) {
            let mut superfluous = Vec::new();
            let _ = self.maximal.for_each_below(config, |id| {
                superfluous.push(id);
                ControlFlow::Continue(())
            });
            superfluous.into_iter().for_each(|id| self.maximal.remove(id));
        }
        let id = self.maximal.add(config);
        self.above.add(id, config);
        self.above.compact(&self.maximal);
        id
    }

    /// Removes a generator, and with it what only it contains.
    pub fn remove(&mut self, id: ElementId) {
        self.maximal.remove(id);
    }

    /// Whether a generator is maximal; it is removed if it is not.
    pub fn keep_if_maximal(&mut self, id: ElementId) -> bool {
        if !self.maximal.is_present(id) {
            return false;
        }
        let other = self.above.find(&self.maximal, self.maximal.get(id), Some(id));
        if other.is_some() {
            self.maximal.remove(id);
        }
        other.is_none()
    }
}

impl ClosedSet for DownwardClosedSet {
    fn witness(&self, config: ConfigRef<'_>) -> Option<ElementId> {
        self.above.find(&self.maximal, config, None)
    }

    fn insert(&mut self, config: ConfigRef<'_>) -> Insertion {
        match self.witness(config) {
            Some(id) => Insertion::Subsumed(id),
            None => Insertion::Inserted(self.add_new(config)),
        }
    }

    fn generators(&self) -> &Antichain {
        &self.maximal
    }

    fn minimise(&mut self) {
        for id in ElementId::all(self.maximal.n_ever()) {
            self.keep_if_maximal(id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bag, Config, LocalId, OMEGA, SharedId};

    /// What random configurations look like.
    #[derive(Clone, Copy)]
    struct Shape {
        n_locals: u64,
        most_entries: u64,
        with_omega: bool,
    }

    const SHORT: Shape = Shape { n_locals: 7, most_entries: 5, with_omega: false };
    /// Around the length from which elements are kept apart.
    const LONG: Shape = Shape { n_locals: 40, most_entries: 90, with_omega: true };

    /// Pseudo-random configurations; one in eight counts is ω where asked for.
    fn configs(n: usize, Shape { n_locals, most_entries, with_omega }: Shape) -> Vec<Config> {
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        let mut next = move |bound: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state % bound
        };
        (0..n)
            .map(|_| {
                let counts: Vec<(LocalId, u32)> = (0..next(most_entries))
                    .map(|_| {
                        let count = if with_omega && next(8) == 0 { OMEGA } else { 1 + next(3) as u32 };
                        (LocalId::new(next(n_locals) as usize), count)
                    })
                    .collect();
                Config::new(SharedId::new(next(2) as usize), Bag::from_counts(counts).unwrap())
            })
            .collect()
    }

    /// The set agrees with a list that is scanned, after every insertion; `below(a, b)` is the set's order.
    fn agrees_with_a_list(set: &mut dyn ClosedSet, shape: Shape, below: fn(&Config, &Config) -> bool) {
        let mut all = configs(600, shape);
        // Subsets of each other are rare among large bags, so some are made.
        for at in 1..all.len() {
            if at % 3 == 0 && all[at].bag.len() > 1 {
                let mut smaller = all[at - 1].clone();
                (0..smaller.bag.len().min(at % 5)).for_each(|_| smaller.bag.remove_one(0));
                all[at] = smaller;
            }
        }
        let mut list: Vec<Config> = Vec::new();
        for (i, config) in all.iter().enumerate() {
            let contained = list.iter().any(|e| below(e, config));
            assert_eq!(set.contains(config.view()), contained);
            match set.insert(config.view()) {
                Insertion::Subsumed(id) => {
                    assert!(contained && below(&set.generators().get(id).to_config(), config));
                }
                Insertion::Inserted(_) => {
                    assert!(!contained);
                    list.retain(|e| !below(config, e));
                    list.push(config.clone());
                }
            }
            if i % 50 == 0 {
                set.minimise();
                let elements: Vec<Config> = set.generators().iter().map(|(_, e)| e.to_config()).collect();
                assert_eq!(elements, list);
                for probe in &all {
                    assert_eq!(set.contains(probe.view()), list.iter().any(|e| below(e, probe)));
                }
            }
        }
        set.minimise();
        assert_eq!(set.generators().len(), list.len());
    }

    #[test]
    fn an_upward_closed_set_agrees_with_a_list() {
        for shape in [SHORT, LONG] {
            agrees_with_a_list(&mut UpwardClosedSet::default(), shape, |a, b| a.view().le(b.view()));
        }
    }

    #[test]
    fn a_downward_closed_set_agrees_with_a_list() {
        for shape in [Shape { with_omega: true, ..SHORT }, LONG] {
            agrees_with_a_list(&mut DownwardClosedSet::default(), shape, |a, b| b.view().le(a.view()));
        }
    }

    #[test]
    fn a_bag_of_many_locals_does_not_exhaust_the_stack() {
        let bag = Bag::from_locals((0..200_000).map(LocalId::new)).unwrap();
        let config = Config::new(SharedId::new(0), bag);
        let mut set = UpwardClosedSet::default();
        set.insert(config.view());
        assert!(set.contains(config.view()));
    }
}
