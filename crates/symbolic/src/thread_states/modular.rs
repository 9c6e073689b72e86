//! A superset of the reachable thread states: each thread by itself, in the company of any number of others.
//!
//! For every location there is a set of valuations of shared variables, atomic bit included, and of the thread's own. It
//! contains what threads start with and is closed under the steps of each thread, of threads that it starts, and of others
//! that can be at other locations at the same time: these change the shared variables, and by broadcasts the thread's
//! own. So if somebody asks for what is outside, the cubes outside are a proof: whoever is in one was, a step before,
//! in one, or another thread was.

use super::sets::{Space, StateSet};
use crate::relation::{Owner, Parts, assigned, written};
use crate::rules::bits;
use biodivine_lib_bdd::{Bdd, BddVariable};
use std::collections::BTreeMap;
use throng_base::{Budget, StopReason};
use throng_boolprog::InitThreads;
use throng_boolprog::flow::{ChildLocals, Edge, Effect, LocationId};

/// For each location, the valuations that a thread may see there, atomic bit included.
pub(crate) fn may_reach(
    space: &Space<'_>,
    threads: InitThreads,
    budget: &Budget,
) -> Result<Vec<Bdd>, StopReason> {
    let program = space.program;
    let parts: Vec<Parts> =
        program.edges().iter().map(|&edge| Parts::new(program, edge, &space.slots)).collect();
    let nothing = space.slots.always().not();
    let mut search = Search {
        space,
        parts,
        at: vec![nothing; program.locations().len()],
        waiting: Vec::new(),
        influences: BTreeMap::new(),
        broadcasts: BTreeMap::new(),
    };
    if threads != InitThreads::Exactly(0) {
        search.join(program.entry(), &space.slots.always().var_select(space.atomic_bit(), false));
    }
    // A thread that starts no others has no company if it is the only one. But proofs speak about what contains a pattern:
    // without the company they would not be closed.
    loop {
        while let Some(location) = search.waiting.pop() {
            budget.check()?;
            search.expand(location);
        }
        if !search.disturb(budget)? {
            return Ok(search.at);
        }
    }
}

/// Without the atomic bit.
pub(crate) fn thread_states(space: &Space<'_>, at: &[Bdd]) -> StateSet {
    StateSet { at: at.iter().map(|states| states.exists(&[space.atomic_bit()])).collect() }
}

struct Search<'a, 'p> {
    space: &'a Space<'p>,
    parts: Vec<Parts>,
    at: Vec<Bdd>,
    waiting: Vec<LocationId>,
    /// What others do to the shared variables, for all edges that assign the same ones and lead between the same atomic
    /// bits: over all before, and those that are assigned after.
    influences: BTreeMap<(Vec<u32>, (bool, bool)), Bdd>,
    /// The same for edges that change other threads, by edge; over passive variables as well.
    broadcasts: BTreeMap<u32, Bdd>,
}

impl Search<'_, '_> {
    fn join(&mut self, location: LocationId, states: &Bdd) {
        let states = self.space.in_scope(location, states);
        let at = &mut self.at[location.index()];
        let all = at.or(&states);
        if all != *at {
            *at = all;
            if !self.waiting.contains(&location) {
                self.waiting.push(location);
            }
        }
    }

    /// What a thread at a location does.
    fn expand(&mut self, location: LocationId) {
        let program = self.space.program;
        let first = program.first_edge(location);
        for (number, &edge) in (first..).zip(program.outgoing(location)) {
            let possible = self.at[location.index()].and(&self.parts[number as usize].active);
            if possible.is_false() {
                continue;
            }
            let after = self.after(edge, &possible, &[Owner::Shared, Owner::Own]);
            if let Some(to) = edge.to {
                self.join(to, &after);
            }
            if let Effect::Start { at, locals } = edge.effect {
                let child = self.child(number, edge, locals, &possible);
                self.join(at, &child);
            }
            self.influence(number, edge, &possible);
        }
    }

    fn of(&self, owner: Owner, is_new: bool) -> Vec<BddVariable> {
        let slots = self.space.slots.iter().filter(|(_, it)| it.owner == owner && it.is_new == is_new);
        slots.map(|(variable, _)| variable).collect()
    }

    /// The assigned variables of some owners.
    fn assigned(&self, edge: Edge, owners: &[Owner]) -> Vec<(Owner, u32)> {
        if matches!(edge.effect, Effect::Start { .. }) {
            return Vec::new();
        }
        let all = written(self.space.program, edge).map(assigned).unwrap_or_default();
        let mut all: Vec<(Owner, u32)> = all.into_iter().filter(|(it, _)| owners.contains(it)).collect();
        all.sort_unstable();
        all
    }

    /// Old values of assigned variables are lost, new ones take their place, and the atomic bit changes.
    fn after(&self, edge: Edge, possible: &Bdd, owners: &[Owner]) -> Bdd {
        let after = self.replace(possible, &self.assigned(edge, owners));
        self.with_bit(&after, bits(self.space.program, edge).1)
    }

    fn replace(&self, possible: &Bdd, assigned: &[(Owner, u32)]) -> Bdd {
        let variable =
            |&(owner, variable): &(Owner, u32), is_new| self.space.variable(owner, variable, is_new);
        let old: Vec<BddVariable> = assigned.iter().map(|it| variable(it, false)).collect();
        let kept = possible.exists(&old);
        assigned.iter().fold(kept, |all, it| rename(&all, variable(it, true), variable(it, false)))
    }

    fn with_bit(&self, states: &Bdd, open: bool) -> Bdd {
        states.var_exists(self.space.atomic_bit()).var_select(self.space.atomic_bit(), open)
    }

    fn child(&self, number: u32, edge: Edge, locals: ChildLocals, possible: &Bdd) -> Bdd {
        let after = match (locals, &self.parts[number as usize].child) {
            (ChildLocals::Fresh(arguments), Some(relation)) => {
                let arguments = arguments.map(|id| assigned(self.space.program.assignment(id)));
                let mut arguments: Vec<(Owner, u32)> = arguments.into_iter().flatten().collect();
                arguments.sort_unstable();
                let both = possible.and(relation).exists(&self.of(Owner::Own, false));
                self.replace(&both, &arguments)
            }
            _ => possible.clone(),
        };
        self.with_bit(&after, bits(self.space.program, edge).1)
    }

    /// Notes what a step means to others.
    fn influence(&mut self, number: u32, edge: Edge, possible: &Bdd) {
        let shared: Vec<u32> =
            self.assigned(edge, &[Owner::Shared]).into_iter().map(|(_, variable)| variable).collect();
        let bits = bits(self.space.program, edge);
        let own: Vec<BddVariable> =
            self.of(Owner::Own, false).into_iter().chain(self.of(Owner::Own, true)).collect();
        let (relation, known) = if let Some(passive) = &self.parts[number as usize].passive {
            let known = self.broadcasts.entry(number).or_insert_with(|| self.space.slots.always().not());
            (possible.and(passive), known)
        } else if !shared.is_empty() || bits.0 != bits.1 {
            let entry = self.influences.entry((shared, bits));
            (possible.clone(), entry.or_insert_with(|| self.space.slots.always().not()))
        } else {
            return;
        };
        *known = known.or(&relation.exists(&own));
    }

    /// Lets everybody feel what others do; whether that made a difference.
    fn disturb(&mut self, budget: &Budget) -> Result<bool, StopReason> {
        let influences = self.influences.clone();
        for ((shared, bits), relation) in influences {
            let assigned: Vec<(Owner, u32)> = shared.iter().map(|&it| (Owner::Shared, it)).collect();
            for location in self.disturbed() {
                budget.check()?;
                let both = self.at[location.index()].and(&relation);
                let after = self.with_bit(&self.replace(&both, &assigned), bits.1);
                self.join(location, &after);
            }
        }
        let broadcasts = self.broadcasts.clone();
        for (number, relation) in broadcasts {
            let edge = self.space.program.edges()[number as usize];
            let shared = self.assigned(edge, &[Owner::Shared]);
            let passive = self.assigned(edge, &[Owner::Passive]);
            let relation = self.as_own(&relation);
            let own: Vec<(Owner, u32)> = passive.into_iter().map(|(_, it)| (Owner::Own, it)).collect();
            for location in self.disturbed() {
                budget.check()?;
                let both = self.at[location.index()].and(&relation);
                let after = self.replace(&self.replace(&both, &shared), &own);
                let after = self.with_bit(&after, bits(self.space.program, edge).1);
                self.join(location, &after);
            }
        }
        Ok(!self.waiting.is_empty())
    }

    /// Where threads are while others act: not in an atomic section.
    fn disturbed(&self) -> Vec<LocationId> {
        let ids = LocationId::all(self.at.len());
        let there = ids.filter(|location| !self.at[location.index()].is_false());
        there.filter(|&location| !self.space.program.location(location).is_atomic).collect()
    }

    /// A relation between values of a passive thread as one between own values.
    fn as_own(&self, relation: &Bdd) -> Bdd {
        let locals = 0..self.space.program.locals().len() as u32;
        locals.flat_map(|variable| [(variable, false), (variable, true)]).fold(
            relation.clone(),
            |all, (variable, is_new)| {
                let passive = self.space.variable(Owner::Passive, variable, is_new);
                rename(&all, passive, self.space.variable(Owner::Own, variable, is_new))
            },
        )
    }
}

/// A diagram with one variable instead of another, which it does not mention.
fn rename(diagram: &Bdd, from: BddVariable, to: BddVariable) -> Bdd {
    let (no, yes) = (diagram.var_restrict(from, false), diagram.var_restrict(from, true));
    if no == yes {
        return no;
    }
    yes.var_select(to, true).or(&no.var_select(to, false))
}
