//! Upward- and downward-closed sets, kept as antichains with an index.
//!
//! An upward-closed set is the antichain of its minimal elements, a downward-closed set the antichain of its
//! maximal ω-elements (every downward-closed set of configurations has finitely many). Both rest on
//! [`Antichain`], which answers "is something below this?" by walking a trie along the sub-bags that are
//! really there, and "what is above this?" by the occurrences of the rarest local; neither scans the set.

mod antichain;
mod trie;

pub use antichain::{Antichain, ElementId};

use crate::ConfigRef;

/// What became of an element offered to a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Insertion {
    /// The set contained it already, because of this element.
    Subsumed(ElementId),
    /// It is an element now and has replaced so many others.
    Inserted {
        /// The new element.
        id: ElementId,
        /// How many elements it made superfluous.
        replaced: usize,
    },
}

/// A closed set of configurations with its antichain of generators.
pub trait ClosedSet {
    /// The generator because of which the set contains `config`.
    fn witness(&self, config: ConfigRef<'_>) -> Option<ElementId>;

    /// Makes the set contain `config`, with the closure of that.
    fn insert(&mut self, config: ConfigRef<'_>) -> Insertion;

    /// The generators.
    fn antichain(&self) -> &Antichain;

    /// Whether the set contains `config`.
    fn contains(&self, config: ConfigRef<'_>) -> bool {
        self.witness(config).is_some()
    }
}

/// An upward-closed set: everything that covers one of its minimal elements.
#[derive(Clone, Debug, Default)]
pub struct UpwardClosedSet {
    minimal: Antichain,
}

impl ClosedSet for UpwardClosedSet {
    fn witness(&self, config: ConfigRef<'_>) -> Option<ElementId> {
        self.minimal.find_below(config)
    }

    fn insert(&mut self, config: ConfigRef<'_>) -> Insertion {
        match self.minimal.find_below(config) {
            Some(id) => Insertion::Subsumed(id),
            None => {
                let replaced = self.minimal.remove_above(config);
                Insertion::Inserted { id: self.minimal.add(config), replaced }
            }
        }
    }

    fn antichain(&self) -> &Antichain {
        &self.minimal
    }
}

/// A downward-closed set: everything covered by one of its maximal ω-elements.
#[derive(Clone, Debug, Default)]
pub struct DownwardClosedSet {
    maximal: Antichain,
}

impl ClosedSet for DownwardClosedSet {
    fn witness(&self, config: ConfigRef<'_>) -> Option<ElementId> {
        self.maximal.find_above(config)
    }

    fn insert(&mut self, config: ConfigRef<'_>) -> Insertion {
        match self.maximal.find_above(config) {
            Some(id) => Insertion::Subsumed(id),
            None => {
                let replaced = self.maximal.remove_below(config);
                Insertion::Inserted { id: self.maximal.add(config), replaced }
            }
        }
    }

    fn antichain(&self) -> &Antichain {
        &self.maximal
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bag, Config, LocalId, OMEGA, SharedId};

    /// Small pseudo-random configurations; one in eight counts is ω where asked for.
    fn configs(n: usize, with_omega: bool) -> Vec<Config> {
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        let mut next = move |bound: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state % bound
        };
        (0..n)
            .map(|_| {
                let counts: Vec<(LocalId, u32)> = (0..next(5))
                    .map(|_| {
                        let count = if with_omega && next(8) == 0 { OMEGA } else { 1 + next(3) as u32 };
                        (LocalId::new(next(7) as usize), count)
                    })
                    .collect();
                Config::new(SharedId::new(next(2) as usize), Bag::from_counts(counts).unwrap())
            })
            .collect()
    }

    /// The set agrees with a list that is scanned, after every insertion; `below(a, b)` is the set's order.
    fn agrees_with_a_list(set: &mut dyn ClosedSet, with_omega: bool, below: fn(&Config, &Config) -> bool) {
        let all = configs(600, with_omega);
        let mut list: Vec<Config> = Vec::new();
        for (i, config) in all.iter().enumerate() {
            let contained = list.iter().any(|e| below(e, config));
            assert_eq!(set.contains(config.view()), contained);
            match set.insert(config.view()) {
                Insertion::Subsumed(id) => {
                    assert!(contained && below(&set.antichain().get(id).to_config(), config))
                }
                Insertion::Inserted { replaced, .. } => {
                    assert!(!contained);
                    let before = list.len();
                    list.retain(|e| !below(config, e));
                    assert_eq!(before - list.len(), replaced);
                    list.push(config.clone());
                }
            }
            if i % 50 == 0 {
                let elements: Vec<Config> = set.antichain().iter().map(|(_, e)| e.to_config()).collect();
                assert_eq!(elements, list);
                for probe in &all {
                    assert_eq!(set.contains(probe.view()), list.iter().any(|e| below(e, probe)));
                }
            }
        }
        assert_eq!(set.antichain().len(), list.len());
    }

    #[test]
    fn an_upward_closed_set_agrees_with_a_list() {
        agrees_with_a_list(&mut UpwardClosedSet::default(), false, |a, b| a.view().le(b.view()));
    }

    #[test]
    fn a_downward_closed_set_agrees_with_a_list() {
        agrees_with_a_list(&mut DownwardClosedSet::default(), true, |a, b| b.view().le(a.view()));
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
