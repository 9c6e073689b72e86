//! Reachability of shared states and of locals by themselves, for systems whose thread states are too many.
//!
//! The least set R of [`crate::thread_states`] that is a product S′ × L′, nearly: a rule fires if its shared state is
//! in S′ and the locals it takes are in L′, and then adds its `to`, its `put` and all destinations of its moves.
//! That has property (R). It costs time linear in the size of the rules.

use crate::bits::BitSet;
use crate::groups::Groups;
use crate::sweep::{MOST_SWEEPS, State};
use crate::thread_states::ThreadStates;
use throng_model::{LocalId, RuleId, RuleRef, SharedId, System};

/// The product for a system.
pub(crate) fn thread_states(system: &System) -> ThreadStates {
    let mut reached = Reached {
        shared: BitSet::new(system.n_shared()),
        locals: BitSet::new(system.n_locals()),
        new: Vec::new(),
    };
    for initial in system.initial() {
        reached.add_shared(initial.shared);
        initial.exact.iter().for_each(|entry| reached.add_local(entry.local));
        initial.unbounded.iter().for_each(|&local| reached.add_local(local));
    }
    let mut left: Vec<RuleId> = RuleId::all(system.rules().len()).collect();
    for _ in 0..MOST_SWEEPS {
        let before = left.len();
        left.retain(|&id| !reached.fire(system.rule(id)));
        if left.len() == before {
            return ThreadStates::Product { shared: reached.shared, locals: reached.locals };
        }
    }
    finish(system, &left, &mut reached);
    ThreadStates::Product { shared: reached.shared, locals: reached.locals }
}

struct Reached {
    shared: BitSet,
    locals: BitSet,
    /// States in the order in which they were reached.
    new: Vec<State>,
}

impl Reached {
    fn add_shared(&mut self, shared: SharedId) {
        if self.shared.insert(shared.index()) {
            self.new.push(State::Shared(shared));
        }
    }

    fn add_local(&mut self, local: LocalId) {
        if self.locals.insert(local.index()) {
            self.new.push(State::Local(local));
        }
    }

    /// Fires a rule if it can fire; whether it can.
    fn fire(&mut self, rule: RuleRef<'_>) -> bool {
        let fires = self.n_unmet(rule) == 0;
        if fires {
            self.add_shared(rule.to);
            rule.put.iter().for_each(|entry| self.add_local(entry.local));
            rule.moves().flat_map(|(_, destinations)| destinations).for_each(|&to| self.add_local(to));
        }
        fires
    }

    /// How many conditions of a rule are not met: its shared state, and each local that it takes.
    fn n_unmet(&self, rule: RuleRef<'_>) -> u32 {
        let locals = rule.take.iter().filter(|entry| !self.locals.contains(entry.local.index())).count();
        locals as u32 + u32::from(!self.shared.contains(rule.from.index()))
    }
}

/// Fires the rules that are left by a worklist, each once its last condition is met.
fn finish(system: &System, left: &[RuleId], reached: &mut Reached) {
    let rules = left.iter().map(|&id| system.rule(id)).enumerate();
    let starting = Groups::new(system.n_shared(), rules.clone().map(|(i, rule)| (rule.from.index(), i)));
    let takers = rules.clone().flat_map(|(i, rule)| rule.take.iter().map(move |e| (e.local.index(), i)));
    let takers = Groups::new(system.n_locals(), takers);
    // States that are reached from here on are counted down.
    reached.new.clear();
    let mut unmet: Vec<u32> = rules.clone().map(|(_, rule)| reached.n_unmet(rule)).collect();
    for (i, rule) in rules {
        if unmet[i] == 0 {
            reached.fire(rule);
        }
    }
    while let Some(state) = reached.new.pop() {
        let waiting = match state {
            State::Shared(shared) => starting.of(shared.index()),
            State::Local(local) => takers.of(local.index()),
        };
        for &i in waiting {
            // Each condition is met once, by the state that is popped once.
            unmet[i] -= 1;
            if unmet[i] == 0 {
                reached.fire(system.rule(left[i]));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_model::{Bag, Initial, Names, Rule, SystemBuilder};

    /// Shared states and locals in a chain, each rule one step further; the last rule comes first. The last local
    /// is not reached.
    fn chain(length: usize) -> System {
        let mut builder = SystemBuilder::new(Names::Numbered(length + 1), Names::Numbered(length + 2));
        let one = |local| Bag::from_locals([LocalId::new(local)]).expect("one thread");
        for i in (0..length).rev() {
            let (from, to) = (SharedId::new(i), SharedId::new(i + 1));
            builder.rule(&Rule { from, to, take: one(i), put: one(i + 1), moves: vec![] }, 0);
        }
        let shared = SharedId::new(0);
        builder.initial(Initial { shared, exact: one(0), unbounded: vec![] });
        builder.finish().expect("the parts fit together")
    }

    #[test]
    fn the_worklist_ends_where_more_sweeps_would() {
        for length in [1, MOST_SWEEPS - 1, MOST_SWEEPS, MOST_SWEEPS + 1, 40] {
            let ThreadStates::Product { shared, locals } = thread_states(&chain(length)) else {
                panic!("not a product");
            };
            assert_eq!((shared.len(), locals.len()), (length + 1, length + 1));
        }
    }
}
