//! Unbounded locals: where any number of threads can be gathered before anything else happens.
//!
//! An initial set with shared state s *fills* its unbounded locals and, again and again, what a rule puts that starts
//! and ends in s, moves no passive threads and takes from filled locals only. **(U)** For each n some execution of such
//! rules leads from a configuration of the set to one in s that has its exact threads and n more in each filled
//! local. For a rule that puts threads into a local fires as often as needed if the locals that it takes from, all
//! filled earlier, hold enough; how much is enough is known when the locals are gone through from the last filled to the
//! first; and the first ones hold any number initially.
//!
//! A local is *unbounded* if every initial set fills it and no rule that is used afterwards moves passive threads away
//! from it. What executions take from it, or a target asks for, can be supplied up front and waits there. So the
//! local can be forgotten: rules need not take from it, targets need not ask for it.
//!
//! Not found: locals that can be filled only after a change of the shared state. With several shared states,
//! that need not be repeatable at the time when the threads are needed.

use crate::bits::BitSet;
use crate::groups::Groups;
use throng_model::{Initial, LocalId, RuleId, System, bag};

/// With more initial sets than this, no unbounded locals are looked for: each set takes a search of its own.
const MOST_INITIAL: usize = 16;

/// A local that an initial set fills, and the rule that puts threads there; none if it is unbounded initially.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Filled {
    /// The local.
    pub(crate) local: LocalId,
    /// How it is filled.
    pub(crate) by: Option<RuleId>,
}

/// The locals that every initial set fills.
pub(crate) fn filled_by_all(system: &System) -> BitSet {
    let initial = system.initial();
    let mut common = match initial.len() {
        1..=MOST_INITIAL => BitSet::full(system.n_locals()),
        _ => BitSet::new(system.n_locals()),
    };
    for initial in initial {
        if common.len() == 0 {
            break;
        }
        let mut filled = BitSet::new(system.n_locals());
        for Filled { local, .. } in fill(system, initial) {
            filled.insert(local.index());
        }
        let others: Vec<usize> = common.iter().filter(|&local| !filled.contains(local)).collect();
        others.into_iter().for_each(|local| common.remove(local));
    }
    common
}

/// The unbounded locals among the filled ones if only these rules are used.
pub(crate) fn without_sources(system: &System, filled: &BitSet, rules: &BitSet) -> BitSet {
    let mut unbounded = filled.clone();
    for rule in rules.iter().map(|id| system.rule(RuleId::new(id))) {
        rule.moves().for_each(|(source, _)| unbounded.remove(source.index()));
    }
    unbounded
}

/// The locals that an initial set fills. Rules take only from locals that are filled earlier in the list.
pub(crate) fn fill(system: &System, initial: &Initial) -> Vec<Filled> {
    let stays = |&id: &RuleId| {
        let rule = system.rule(id);
        rule.from == initial.shared && rule.to == initial.shared && !rule.has_moves()
    };
    let rules: Vec<RuleId> = RuleId::all(system.rules().len()).filter(stays).collect();
    let takes = rules
        .iter()
        .enumerate()
        .flat_map(|(i, &id)| system.rule(id).take.iter().map(move |entry| (entry.local.index(), i)));
    let takers = Groups::new(system.n_locals(), takes);
    let mut unmet: Vec<usize> = rules.iter().map(|&id| system.rule(id).take.len()).collect();
    let (mut filled, mut is_filled) = (Vec::new(), BitSet::new(system.n_locals()));
    for &local in initial.unbounded.iter().filter(|local| is_filled.insert(local.index())) {
        filled.push(Filled { local, by: None });
    }
    let mut ready: Vec<RuleId> =
        rules.iter().zip(&unmet).filter(|&(_, &unmet)| unmet == 0).map(|(&id, _)| id).collect();
    let mut n_seen = 0;
    loop {
        for id in ready.drain(..) {
            for entry in system.rule(id).put.iter().filter(|entry| is_filled.insert(entry.local.index())) {
                filled.push(Filled { local: entry.local, by: Some(id) });
            }
        }
        let Some(&Filled { local, .. }) = filled.get(n_seen) else {
            choose_cheapest(system, &rules, &mut filled);
            return filled;
        };
        n_seen += 1;
        for &taker in takers.of(local.index()) {
            unmet[taker] -= 1;
            if unmet[taker] == 0 {
                ready.push(rules[taker]);
            }
        }
    }
}

/// Fills each local by the rule that takes the fewest threads for one there, among those that keep the order.
fn choose_cheapest(system: &System, rules: &[RuleId], filled: &mut [Filled]) {
    let mut ranks = vec![usize::MAX; system.n_locals()];
    filled.iter().enumerate().for_each(|(rank, step)| ranks[step.local.index()] = rank);
    for &id in rules {
        let rule = system.rule(id);
        let last = rule.take.iter().map(|entry| ranks[entry.local.index()]).max();
        for entry in rule.put.iter().filter(|entry| last < Some(ranks[entry.local.index()])) {
            let Some(step) = filled.get_mut(ranks[entry.local.index()]) else { continue };
            // Threads that one firing takes, and threads that it puts there.
            let cost = |by: RuleId| {
                let rule = system.rule(by);
                (u128::from(bag::size(rule.take)), u128::from(bag::count(rule.put, entry.local)))
            };
            if let Some(by) = step.by {
                let ((taken, put), (taken_before, put_before)) = (cost(id), cost(by));
                if taken * put_before < taken_before * put {
                    step.by = Some(id);
                }
            }
        }
    }
}
