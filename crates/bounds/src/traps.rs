//! Traps: sets of locals that, once they hold a thread, always hold one.
//!
//! The definition is the checker's: a set Q is a trap if every rule puts a thread into Q, or else takes none out of
//! it and moves each passive thread of Q, if at all, to members of Q only. It helps if every initial set guarantees
//! a thread in it. Unions of traps are traps, so every set of locals has a largest trap inside; it is what remains
//! after taking out, again and again, each member that some rule can remove without putting another.

use throng_cert::Trap;
use throng_model::{Entry, LocalId, RuleRef, System};

/// The largest trap among the `candidates` (by index of the local) that every initial set marks; `None` if there is
/// none. Goes through all rules as often as something changes: meant for systems with some thousands of rules.
pub(crate) fn largest_marked_trap(system: &System, mut candidates: Vec<bool>) -> Option<Trap> {
    while shrink(system, &mut candidates) {}
    let is_member = |local: LocalId| candidates.get(local.index()) == Some(&true);
    let marks = |bag: &[Entry]| bag.iter().any(|entry| is_member(entry.local));
    if !system.initial().iter().all(|initial| marks(&initial.exact)) {
        return None;
    }
    Some(Trap { locals: LocalId::all(candidates.len()).filter(|&local| is_member(local)).collect() })
}

/// Takes out members that a rule can remove without putting another; whether there were any.
fn shrink(system: &System, members: &mut [bool]) -> bool {
    let mut changed = false;
    for (_, rule) in system.rules().iter() {
        if !rule.put.iter().any(|entry| is_in(members, entry.local)) {
            let taken = rule.take.iter().map(|entry| entry.local);
            for local in taken.chain(moved_out(rule, members)) {
                changed |= remove(members, local);
            }
        }
    }
    changed
}

/// The members whose passive threads a rule can move out of the set.
fn moved_out(rule: RuleRef<'_>, members: &[bool]) -> Vec<LocalId> {
    let moves = rule.moves().filter(|&(source, _)| is_in(members, source));
    let leaving = moves.filter(|(_, destinations)| {
        destinations.is_empty() || destinations.iter().any(|&destination| !is_in(members, destination))
    });
    leaving.map(|(source, _)| source).collect()
}

fn is_in(members: &[bool], local: LocalId) -> bool {
    members.get(local.index()) == Some(&true)
}

fn remove(members: &mut [bool], local: LocalId) -> bool {
    members.get_mut(local.index()).is_some_and(|member| std::mem::replace(member, false))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{self, net, rule};

    fn trap(system: &System, candidates: &[usize]) -> Option<Vec<usize>> {
        let members = (0..system.n_locals()).map(|local| candidates.contains(&local)).collect();
        let trap = largest_marked_trap(system, members)?;
        Some(trap.locals.into_iter().map(LocalId::index).collect())
    }

    #[test]
    fn members_that_can_be_emptied_are_taken_out() {
        // 0 → 1 → 2 → 1, and 2 → 3.
        let rules = [rule(0, 0, &[0], &[1]), rule(0, 0, &[1], &[2]), rule(0, 0, &[2], &[1])];
        let system = net(4, &rules, &[0, 3], &[1]);
        assert_eq!(trap(&system, &[0, 1, 2]), Some(vec![0, 1, 2]));
        assert_eq!(trap(&system, &[0, 2]), None);
        let leaky = net(4, &[&rules[..], &[rule(0, 0, &[2], &[])]].concat(), &[0, 3], &[1]);
        assert_eq!(trap(&leaky, &[0, 1, 2]), None);
        assert_eq!(trap(&leaky, &[0, 1, 2, 3]), Some(vec![3]));
    }

    #[test]
    fn moves_may_not_lead_out() {
        let system = samples::broadcast();
        // Threads go from 0 to 1, and those in 2 vanish, while one is put into 1.
        assert_eq!(trap(&system, &[0, 2]), None);
        assert_eq!(trap(&system, &[0, 1, 2]), Some(vec![0, 1, 2]));
        assert_eq!(trap(&system, &[0, 1, 2, 3]), Some(vec![0, 1, 2, 3]));
        assert_eq!(trap(&system, &[1, 2, 3]), Some(vec![1, 2, 3]));
    }
}
