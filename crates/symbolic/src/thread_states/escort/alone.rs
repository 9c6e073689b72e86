//! What a new thread does to shared variables when it goes alone as far as it likes and is left alone then.

use super::variables::{Place, Variables};
use super::{Escort, and_without};
use crate::relation::{Owner, Parts, assigned, written};
use crate::rules::bits;
use biodivine_lib_bdd::{Bdd, BddVariable};
use std::collections::{BTreeMap, BTreeSet};
use throng_base::StopReason;
use throng_boolprog::flow::{ChildLocals, Edge, Effect, LocationId};

/// Relations with more nodes than this are not looked at.
const MOST_NODES: usize = 1 << 16;

/// Copying so many variables takes a diagram that is not too large.
const MOST_COPIED: usize = 12;

/// See the module's documentation. Relations are over shared variables now and after it, and the root's.
pub(super) struct Others {
    /// The variables that may be assigned.
    written: Vec<u32>,
    /// Where the root can start the thread, with the thread's variables in the place of the one that is followed.
    pub(super) start: Bdd,
    /// It is left outside of atomic sections, or has ended.
    outside: Bdd,
    /// It is in an atomic section.
    inside: Bdd,
    /// The number of its route: edges in the order in which they led to something new.
    pub(super) route: usize,
    /// Where the root is when there are such threads that have not begun.
    pub(super) waiting: Option<Bdd>,
}

impl Others {
    /// What is there after such a thread.
    pub(super) fn act(&self, variables: &Variables<'_, '_>, states: &Bdd) -> Bdd {
        self.applied(variables, states, &self.outside)
    }

    /// What is there while such a thread is in an atomic section.
    pub(super) fn inside(&self, variables: &Variables<'_, '_>, states: &Bdd) -> Bdd {
        self.applied(variables, states, &self.inside)
    }

    fn applied(&self, variables: &Variables<'_, '_>, states: &Bdd, relation: &Bdd) -> Bdd {
        let lost: Vec<BddVariable> = self.written.iter().map(|&it| variables.shared(it, false)).collect();
        let after = and_without(states, relation, &lost);
        let new: Vec<BddVariable> = self.written.iter().map(|&it| variables.shared(it, true)).collect();
        variables.renewed(&after, |it| new.contains(&it))
    }
}

impl Escort<'_, '_> {
    /// Finds out what new threads can do.
    pub(super) fn send_others(&mut self) -> Result<(), StopReason> {
        let program = self.space.program;
        if !self.variables.has_root() {
            if let Some(others) = self.alone(program.entry(), self.variables.always())? {
                self.others.insert(None, others);
            }
            return Ok(());
        }
        let slots = self.variables.slots_of_start();
        for (number, &edge) in (0_u32..).zip(program.edges()) {
            let Effect::Start { at, locals } = edge.effect else { continue };
            if !self.variables.is_root[edge.from.index()] {
                continue;
            }
            let parts = Parts::new(program, edge, &slots);
            let start = match (locals, parts.child) {
                (ChildLocals::Fresh(_), Some(relation)) => parts.active.and(&relation),
                _ if self.space.scope(at).len() <= MOST_COPIED => parts.active.and(&self.copied(at)),
                _ => continue,
            };
            let start = self.variables.in_scope(&start, Place::Own, at);
            if let Some(mut others) = self.alone(at, start)? {
                others.waiting = self.waiting(number, &others.start);
                self.others.insert(Some(number), others);
            }
        }
        Ok(())
    }

    /// Where the root must have been able to start any number of threads along an edge, without anything else having
    /// changed by that, so that some of them may begin now: they get nothing from the root but constants, and the root
    /// has been on a circle through the edge on which it does nothing else.
    fn waiting(&self, number: u32, start: &Bdd) -> Option<Bdd> {
        let program = self.space.program;
        let edge = program.edges()[number as usize];
        let is_free = |number: u32| {
            let parts = self.root.parts[number as usize].as_ref();
            parts.is_some_and(|it| it.active.is_true())
                && bits(program, program.edges()[number as usize]) == (false, false)
        };
        if !is_free(number) || !self.variables.is_only_own(start) {
            return None;
        }
        // Where it can do nothing until it starts the thread, and then nothing until it is there again. It is not enough that
        // it comes to the edge: from where it comes only once, it has started nobody yet.
        let idle: Vec<Edge> = (0_u32..)
            .zip(program.edges())
            .filter(|&(number, edge)| edge.effect == Effect::None && is_free(number))
            .map(|(_, &edge)| edge)
            .collect();
        let closed = |start: LocationId, next: &dyn Fn(LocationId, &Edge) -> Option<LocationId>| {
            let (mut all, mut pending) = (BTreeSet::new(), vec![start]);
            while let Some(at) = pending.pop() {
                if all.insert(at) {
                    pending.extend(idle.iter().filter_map(|edge| next(at, edge)));
                }
            }
            all
        };
        let to_edge = closed(edge.from, &|at, edge| (edge.to == Some(at)).then_some(edge.from));
        let from_edge = closed(edge.to?, &|at, edge| edge.to.filter(|_| edge.from == at));
        let circle: BTreeSet<LocationId> = to_edge.intersection(&from_edge).copied().collect();
        if circle.is_empty() {
            return None;
        }
        // Everywhere but where the root can come without having been there.
        let (mut before, mut pending) = (BTreeSet::new(), vec![program.entry()]);
        let mut may_end = false;
        while let Some(at) = pending.pop() {
            if !circle.contains(&at) && before.insert(at) {
                may_end |= program.outgoing(at).iter().any(|edge| edge.to.is_none());
                pending.extend(program.outgoing(at).iter().filter_map(|edge| edge.to));
            }
        }
        let variables = self.variables;
        let after = variables.root_locations.iter().filter(|at| !before.contains(at));
        let after = after.filter(|&&at| !program.location(at).is_atomic).map(|&at| Some(at));
        let after = after.chain((!may_end).then_some(None));
        let at = after.map(|at| variables.root_at(&variables.always(), at));
        Some(at.fold(variables.always().not(), |all, at| all.or(&at)))
    }

    /// A new thread has the values of the root.
    fn copied(&self, at: LocationId) -> Bdd {
        self.space.scope(at).iter().fold(self.variables.always(), |all, &it| {
            let both = [Place::Own, Place::Root].map(|place| self.variables.local(place, it, false));
            let same = |value: bool| self.variables.always().select(&both.map(|it| (it, value)));
            all.and(&same(true).or(&same(false)))
        })
    }

    /// What a thread can do alone that starts at a location; `None` if that is too much.
    fn alone(&mut self, from: LocationId, start: Bdd) -> Result<Option<Others>, StopReason> {
        let (variables, program) = (self.variables, self.space.program);
        let written = self.written_from(from);
        let same = written.iter().fold(variables.always(), |all, &it| {
            let both = [variables.earlier(it), variables.shared(it, false)];
            let same = |value: bool| variables.always().select(&both.map(|it| (it, value)));
            all.and(&same(true).or(&same(false)))
        });
        let nothing = variables.always().not();
        let mut known: BTreeMap<LocationId, Bdd> = BTreeMap::new();
        let mut new: BTreeMap<(u32, LocationId), Bdd> = BTreeMap::new();
        let mut ended = nothing.clone();
        let mut route = Vec::new();
        known.insert(from, start.and(&same));
        new.insert((self.space.rank(from), from), known[&from].clone());
        while let Some(((_, at), states)) = new.pop_first() {
            for (number, &edge) in (program.first_edge(at)..).zip(program.outgoing(at)) {
                self.budget.check()?;
                let Some(parts) = &self.own.parts[number as usize] else { continue };
                let possible = states.and(&parts.active);
                let after = self.after(edge, &possible, Place::Own);
                if after.size() > MOST_NODES {
                    return Ok(None);
                }
                let Some(to) = edge.to else {
                    if !after.and_not(&ended).is_false() {
                        ended = ended.or(&after);
                        route.push(number);
                    }
                    continue;
                };
                let before = known.entry(to).or_insert_with(|| nothing.clone());
                let more = after.and_not(before);
                if !more.is_false() {
                    route.push(number);
                    *before = before.or(&more);
                    let waiting = new.entry((self.space.rank(to), to)).or_insert_with(|| nothing.clone());
                    *waiting = waiting.or(&more);
                }
            }
        }
        let (mut outside, mut inside) = (ended, nothing);
        for (&at, states) in &known {
            let set = if program.location(at).is_atomic { &mut inside } else { &mut outside };
            *set = set.or(&variables.without(states, Place::Own));
        }
        let relation = |states: &Bdd| {
            // What was earlier is now, and what is now comes after it.
            let (earlier, now): (Vec<_>, Vec<_>) =
                written.iter().map(|&it| (variables.earlier(it), variables.shared(it, false))).unzip();
            variables.shifted(states, |it| earlier.contains(&it) || now.contains(&it))
        };
        let (outside, inside) = (relation(&outside), relation(&inside));
        let route = self.journal.route(route);
        Ok(Some(Others { written, start, outside, inside, route, waiting: None }))
    }

    /// The shared variables that a thread may assign which starts at a location.
    fn written_from(&self, from: LocationId) -> Vec<u32> {
        let program = self.space.program;
        let (mut met, mut pending) = (BTreeSet::from([from]), vec![from]);
        let mut all = BTreeSet::new();
        while let Some(at) = pending.pop() {
            for &edge in program.outgoing(at) {
                if !matches!(edge.effect, Effect::Start { .. }) {
                    let targets = written(program, edge).map(assigned).unwrap_or_default();
                    let shared = targets.into_iter().filter(|&(owner, _)| owner == Owner::Shared);
                    all.extend(shared.map(|(_, variable)| variable));
                }
                pending.extend(edge.to.filter(|&to| met.insert(to)));
            }
        }
        all.into_iter().collect()
    }
}
