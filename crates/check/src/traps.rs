//! Traps: sets of locals that hold a thread in every reachable configuration.
//!
//! A rule *keeps* a trap Q iff put contains a member of Q, or else (a) take contains none and (b) each member that
//! is a source of the rule's moves has destinations, all of them in Q. Then a step of the rule from a
//! configuration with a thread in Q leads to one with a thread in Q. In the second case, a thread of Q before the
//! step is passive by (a), and by (b) it stays or goes to a member, whatever it chooses. The condition is
//! necessary too: if put has no member, then from `take` alone with a member in it, or from `take` plus one thread
//! in a member that vanishes or can go outside, the step empties Q.
//!
//! Which rules have to keep a trap is decided in [`crate::cuts`].

use crate::names;
use crate::verdict::{Condition, Rejection};
use std::collections::BTreeSet;
use throng_model::{Entry, LocalId, RuleRef, System};

/// A trap that every initial set marks by its exact threads.
pub(crate) struct Trap {
    pub(crate) members: BTreeSet<LocalId>,
}

impl Trap {
    /// Reads a trap and sees that it is marked initially.
    pub(crate) fn new(system: &System, place: &str, trap: &[String]) -> Result<Self, Rejection> {
        let members = trap.iter().map(|name| names::local(system, place, name));
        let trap = Self { members: members.collect::<Result<_, _>>()? };
        if !system.initial().iter().all(|initial| trap.is_marked_by(&initial.exact)) {
            let reason = "an initial configuration guarantees no thread in it";
            return Err(Rejection::new(Condition::TrapInitial, place, reason));
        }
        Ok(trap)
    }

    fn is_marked_by(&self, bag: &[Entry]) -> bool {
        bag.iter().any(|entry| entry.count > 0 && self.members.contains(&entry.local))
    }

    /// How a rule can empty the trap, if it can.
    pub(crate) fn emptied_by(&self, system: &System, rule: RuleRef<'_>) -> Option<String> {
        if self.is_marked_by(rule.put) {
            return None;
        }
        if self.is_marked_by(rule.take) {
            return Some("takes a thread out of it and puts none in".to_owned());
        }
        let name = |local: LocalId| system.local_names().get(local.index());
        rule.moves().filter(|(source, _)| self.members.contains(source)).find_map(|(source, destinations)| {
            if destinations.is_empty() {
                return Some(format!("lets the threads of `{}` vanish", name(source)));
            }
            let outside = destinations.iter().find(|local| !self.members.contains(local));
            outside.map(|&to| format!("moves threads from `{}` to `{}`", name(source), name(to)))
        })
    }
}
