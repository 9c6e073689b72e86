//! How many threads an initial configuration may have in each local state, and from where on that is all there will be.

use super::quotient::Quotient;
use rustc_hash::FxHashMap;
use throng_model::{Initial, LocalId, System, bag};

/// See the module's documentation.
#[derive(Debug)]
pub(super) struct Bounds {
    /// For each local state that some rule on a path fills, the first component where one does.
    first_filled: FxHashMap<LocalId, usize>,
}

impl Bounds {
    pub(super) fn new(system: &System, quotient: &Quotient) -> Self {
        let mut first_filled: FxHashMap<LocalId, usize> = FxHashMap::default();
        for id in quotient.rules() {
            let rule = system.rule(id);
            let Some(vertex) = quotient.vertex(rule.to) else { continue };
            let component = quotient.component_of(vertex);
            for entry in rule.put {
                let first = first_filled.entry(entry.local).or_insert(component);
                *first = component.min(*first);
            }
        }
        Self { first_filled }
    }

    /// Whether no rule that ends in this component or before it puts a thread into a local state.
    pub(super) fn is_final(&self, local: LocalId, component: usize) -> bool {
        self.first_filled.get(&local).is_none_or(|&first| first > component)
    }
}

/// The largest count of a local state in a set of initial configurations; `None` if there is no largest.
pub(super) fn bound(initial: &Initial, local: LocalId) -> Option<u32> {
    initial.unbounded.binary_search(&local).is_err().then(|| bag::count(&initial.exact, local))
}

/// The largest count of a local state in any initial configuration; `None` if there is no largest.
pub(super) fn largest_bound(system: &System, local: LocalId) -> Option<u32> {
    system.initial().iter().try_fold(0, |largest, initial| Some(bound(initial, local)?.max(largest)))
}

/// Whether the threads in a local state have to be counted: not where any number of them can be from the start, however it
/// starts.
pub(super) fn is_counted(system: &System, local: LocalId) -> bool {
    system.initial().iter().any(|initial| bound(initial, local).is_some())
}
