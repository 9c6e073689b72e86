//! What one thread reaches while others come and go: a subset of what any number of threads reach.
//!
//! One thread is followed, and with it the thread that `main` was started in, the *root*, if there is one. All others have one
//! chance: a thread that the root starts, or one of any number at the start, goes alone as far as it likes, and is left
//! alone for ever (`alone`). What it does to shared variables meanwhile is a relation that is computed once, and as many
//! threads as one likes come one after the other. Where the root could have started any number of threads before, some of
//! them begin when they like. So locks may be taken by many and never given back, for which following a
//! few threads in all their interleavings would take very long; but nobody takes turns with the thread that is followed,
//! except for the root. More threads never take a step away, so all that is found is reached.
//!
//! For each location of the thread that is followed there is one diagram over the shared variables, its own, and those of the
//! root with its location. While the thread is hasty, see `crowd`, the root waits.

mod alone;
mod variables;

use super::crowd::Ending;
use super::journal::Journal;
use super::modular;
use super::sets::{Space, StateSet};
use crate::relation::{Owner, Parts, assigned, written};
use alone::Others;
use biodivine_lib_bdd::{Bdd, BddVariable, op_function};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use throng_base::{Budget, StopReason};
use throng_boolprog::InitThreads;
use throng_boolprog::flow::{Edge, Effect, LocationId};
use throng_boolprog::schedule::{Actor, Keep, Move, Origin};
use variables::{Place, Variables};

/// Adds what is found. What was found is added also if there is an error. Nothing is done where this
/// does not apply.
pub(crate) fn follow(
    space: &Space<'_>,
    threads: InitThreads,
    is_hasty: &[bool],
    (reached, journal): (&mut StateSet, &mut Journal),
    budget: &Budget,
) -> Result<Ending, StopReason> {
    let has_root = threads == InitThreads::Exactly(1) && space.program.starts_threads();
    if modular::has_broadcasts(space.program) || !(has_root || threads == InitThreads::Any) {
        return Ok(Ending::Complete);
    }
    let Some(variables) = Variables::new(space, has_root) else { return Ok(Ending::Complete) };
    let mut escort = Escort::new(space, &variables, is_hasty, journal, budget)?;
    let result = escort.explore();
    escort.show(reached);
    result.map(|()| Ending::Complete)
}

/// The steps of a thread in a place.
struct Steps {
    /// By edge, if the thread may come to it.
    parts: Vec<Option<Parts>>,
}

impl Steps {
    fn new(space: &Space<'_>, variables: &Variables<'_, '_>, place: Place, is_used: &[bool]) -> Self {
        let slots = variables.slots(place);
        let edges = space.program.edges().iter();
        let part = |&edge: &Edge| is_used[edge.from.index()].then(|| Parts::new(space.program, edge, &slots));
        Self { parts: edges.map(part).collect() }
    }
}

struct Escort<'a, 'p> {
    space: &'a Space<'p>,
    variables: &'a Variables<'a, 'p>,
    is_hasty: &'a [bool],
    journal: &'a mut Journal,
    budget: &'a Budget,
    own: Steps,
    root: Steps,
    /// By edge of the root that starts a thread; without a root, the one that begins at the entry.
    others: FxHashMap<Option<u32>, Others>,
    /// By location of the thread that is followed; at the end nobody is followed.
    known: Vec<Bdd>,
    /// What is known and where the thread has not gone on.
    new: Vec<Bdd>,
    /// By rank; those without anybody who is followed last.
    waiting: BTreeSet<(u32, usize)>,
    /// What the root has gone on from, by location of the thread that is followed and edge.
    gone_on: FxHashMap<(usize, u32), Bdd>,
}

impl<'a, 'p> Escort<'a, 'p> {
    fn new(
        space: &'a Space<'p>,
        variables: &'a Variables<'a, 'p>,
        is_hasty: &'a [bool],
        journal: &'a mut Journal,
        budget: &'a Budget,
    ) -> Result<Self, StopReason> {
        let n_locations = space.program.locations().len();
        let everywhere = vec![true; n_locations];
        let nothing = vec![variables.always().not(); n_locations + 1];
        let mut escort = Self {
            space,
            variables,
            is_hasty,
            journal,
            budget,
            own: Steps::new(space, variables, Place::Own, &everywhere),
            root: Steps::new(space, variables, Place::Root, &variables.is_root),
            others: FxHashMap::default(),
            known: nothing.clone(),
            new: nothing,
            waiting: BTreeSet::new(),
            gone_on: FxHashMap::default(),
        };
        escort.send_others()?;
        let entry = space.program.entry();
        if variables.has_root() {
            let start = variables.root_at(&variables.always(), Some(entry));
            let crew = escort.crew(n_locations);
            escort.meet(n_locations, start, Move::Start { crew });
        } else {
            let crew = escort.crew(entry.index());
            escort.meet(entry.index(), variables.always(), Move::Start { crew });
        }
        Ok(escort)
    }

    fn nobody(&self) -> usize {
        self.space.program.locations().len()
    }

    fn is_atomic(&self, at: usize) -> bool {
        at != self.nobody() && self.space.program.location(LocationId::new(at)).is_atomic
    }

    /// The crew while the thread that is followed is somewhere.
    fn crew(&mut self, at: usize) -> usize {
        let places = if at == self.nobody() { Vec::new() } else { vec![LocationId::new(at)] };
        self.journal.crew(self.variables.has_root(), places)
    }

    /// Notes what a move leads to.
    fn meet(&mut self, at: usize, states: Bdd, by: Move) {
        let more = states.and_not(&self.known[at]);
        if more.is_false() {
            return;
        }
        self.journal.note(by);
        self.known[at] = self.known[at].or(&more);
        self.new[at] = super::rename::simpler(self.new[at].or(&more), &self.known[at]);
        let rank = if at == self.nobody() { u32::MAX } else { self.space.rank(LocationId::new(at)) };
        self.waiting.insert((rank, at));
    }

    fn explore(&mut self) -> Result<(), StopReason> {
        while let Some((rank, at)) = self.waiting.pop_first() {
            self.budget.check()?;
            if at == self.nobody() || !(self.is_hasty[at] || self.is_atomic(at)) {
                self.let_others_act(at)?;
                self.waiting.remove(&(rank, at));
            }
            let states = std::mem::replace(&mut self.new[at], self.variables.always().not());
            if at == self.nobody() {
                continue;
            }
            self.go_on(LocationId::new(at), &states)?;
            if !self.is_atomic(at) {
                let left = self.variables.without(&states, Place::Own);
                let crew = self.crew(at);
                self.meet(self.nobody(), left, Move::Leave { crew, place: 0 });
            }
        }
        Ok(())
    }

    /// The steps of the thread that is followed.
    fn go_on(&mut self, from: LocationId, states: &Bdd) -> Result<(), StopReason> {
        let program = self.space.program;
        let crew = self.crew(from.index());
        let states = states.and(&self.variables.root_is_outside);
        for (number, &edge) in (program.first_edge(from)..).zip(program.outgoing(from)) {
            self.budget.check()?;
            let Some(parts) = &self.own.parts[number as usize] else { continue };
            let possible = states.and(&parts.active);
            if possible.is_false() {
                continue;
            }
            let step = |keep| Move::Step { crew, actor: Actor::Place(0), edge: number, keep };
            if let Effect::Start { at, .. } = edge.effect {
                // The new thread is followed instead.
                let child = match &parts.child {
                    Some(relation) => {
                        let both = possible.and(relation);
                        self.variables.advanced(&both, &self.all_own(), Place::Own)
                    }
                    None => possible.clone(),
                };
                if !edge.to.is_some_and(|to| program.location(to).is_atomic) {
                    let child = self.variables.in_scope(&child, Place::Own, at);
                    self.meet(at.index(), child, step(Keep::Child));
                }
            }
            let after = self.after(edge, &possible, Place::Own);
            self.meet(edge.to.map_or(self.nobody(), LocationId::index), after, step(Keep::Parent));
        }
        Ok(())
    }

    /// All variables of a thread: a new one keeps nothing of its parent's.
    fn all_own(&self) -> Vec<(Owner, u32)> {
        (0..self.space.program.locals().len() as u32).map(|it| (Owner::Own, it)).collect()
    }

    /// What becomes of a step of a thread in a place.
    fn after(&self, edge: Edge, possible: &Bdd, place: Place) -> Bdd {
        let targets: Vec<(Owner, u32)> = match edge.effect {
            Effect::Start { .. } => Vec::new(),
            Effect::None | Effect::Assign(_) => {
                written(self.space.program, edge).map(assigned).unwrap_or_default().into_iter().collect()
            }
        };
        let after = self.variables.advanced(possible, &targets, place);
        match edge.to {
            Some(to) => self.variables.in_scope(&after, place, to),
            None => self.variables.without(&after, place),
        }
    }

    /// Lets the root and others act until that leads to nothing new, while the thread that is followed waits.
    fn let_others_act(&mut self, at: usize) -> Result<(), StopReason> {
        let crew = self.crew(at);
        if !self.variables.has_root() {
            if let Some(others) = self.others.remove(&None) {
                loop {
                    self.budget.check()?;
                    let before = self.known[at].clone();
                    let errand = Move::Errand { crew, origin: Origin::Entry, route: others.route };
                    self.meet(at, others.act(self.variables, &before), errand);
                    if self.known[at] == before {
                        break;
                    }
                }
                self.others.insert(None, others);
            }
            return Ok(());
        }
        loop {
            let before = self.known[at].clone();
            for &from in &self.variables.root_locations {
                for (number, &edge) in
                    (self.space.program.first_edge(from)..).zip(self.space.program.outgoing(from))
                {
                    self.budget.check()?;
                    self.let_root_act(at, number, edge);
                }
            }
            for number in self.others_in_order() {
                self.budget.check()?;
                let others = &self.others[&number];
                if let (Some(waiting), Some(number)) = (&others.waiting, number) {
                    let errand = Move::Errand { crew, origin: Origin::Waiting(number), route: others.route };
                    let after = others.act(self.variables, &self.known[at].and(waiting));
                    self.meet(at, after, errand);
                }
            }
            if self.known[at] == before {
                return Ok(());
            }
        }
    }

    fn let_root_act(&mut self, at: usize, number: u32, edge: Edge) {
        let states = self.variables.with_root_at(&self.known[at], edge.from);
        let gone_on = self.gone_on.get(&(at, number));
        if states.is_false() || gone_on.is_some_and(|gone_on| *gone_on == states) {
            return;
        }
        let Some(parts) = &self.root.parts[number as usize] else { return };
        let possible = states.and(&parts.active);
        let after = self.after(edge, &possible, Place::Root);
        let after = self.variables.root_at(&after, edge.to);
        let crew = self.crew(at);
        let origin = Origin::Started(number);
        self.meet(at, after, Move::Step { crew, actor: Actor::Root, edge: number, keep: Keep::Parent });
        if let Effect::Start { at: child, .. } = edge.effect
            && let Some(others) = self.others.get(&Some(number))
        {
            if at == self.nobody() {
                // A new thread that is followed.
                let started = states.and(&others.start);
                let started = self.variables.root_at(&self.keep_root(&started, edge), edge.to);
                self.meet(child.index(), started, Move::Join { crew, origin });
            }
            let others = &self.others[&Some(number)];
            if !edge.to.is_some_and(|to| self.space.program.location(to).is_atomic) {
                let after = others.act(self.variables, &states);
                let after = self.variables.root_at(&self.keep_root(&after, edge), edge.to);
                let route = others.route;
                self.meet(at, after, Move::Errand { crew, origin, route });
            }
        }
        self.gone_on.insert((at, number), states);
    }

    /// Forgets what does not count of the root after an edge.
    fn keep_root(&self, states: &Bdd, edge: Edge) -> Bdd {
        match edge.to {
            Some(to) => self.variables.in_scope(states, Place::Root, to),
            None => self.variables.without(states, Place::Root),
        }
    }

    /// Adds everything that is known.
    fn show(&mut self, reached: &mut StateSet) {
        let all: Vec<usize> = (0..self.known.len()).filter(|&at| !self.known[at].is_false()).collect();
        let seen = all.iter().flat_map(|&at| self.seen(at, &self.known[at])).collect();
        reached.add_all(seen);
        for at in all {
            for (errand, states) in self.others_inside(at) {
                let seen = StateSet::of(self.space, self.seen(at, &states));
                if !seen.without(reached).is_empty() {
                    reached.union(&seen);
                    self.journal.note(errand);
                }
            }
        }
    }

    /// What the thread that is followed and the root see in some states.
    fn seen(&self, at: usize, states: &Bdd) -> Vec<(LocationId, Bdd)> {
        let mut seen = Vec::new();
        if at != self.nobody() {
            let own = self.variables.without_root(states);
            seen.push((LocationId::new(at), self.variables.seen(&own, Place::Own)));
        }
        for &root in &self.variables.root_locations {
            let states = self.variables.with_root_at(states, root);
            if !states.is_false() {
                let root_only = self.variables.without(&states, Place::Own);
                seen.push((root, self.variables.seen(&root_only, Place::Root)));
            }
        }
        for (location, states) in &mut seen {
            *states = self.space.in_scope(*location, states);
        }
        seen
    }

    /// What is there while another thread is inside of an atomic section, with the errand that the thread is on.
    fn others_inside(&mut self, at: usize) -> Vec<(Move, Bdd)> {
        if self.is_atomic(at) {
            return Vec::new();
        }
        let crew = self.crew(at);
        let states = self.known[at].clone();
        let mut all = Vec::new();
        for number in self.others_in_order() {
            let others = &self.others[&number];
            let route = others.route;
            let Some(number) = number else {
                let errand = Move::Errand { crew, origin: Origin::Entry, route };
                all.push((errand, others.inside(self.variables, &states)));
                continue;
            };
            if let Some(waiting) = &others.waiting {
                let errand = Move::Errand { crew, origin: Origin::Waiting(number), route };
                all.push((errand, others.inside(self.variables, &states.and(waiting))));
            }
            let edge = self.space.program.edges()[number as usize];
            if edge.to.is_some_and(|to| self.space.program.location(to).is_atomic) {
                continue;
            }
            let inside = others.inside(self.variables, &self.variables.with_root_at(&states, edge.from));
            let inside = self.variables.root_at(&self.keep_root(&inside, edge), edge.to);
            all.push((Move::Errand { crew, origin: Origin::Started(number), route }, inside));
        }
        all.retain(|(_, states)| !states.is_false());
        all
    }

    fn others_in_order(&self) -> Vec<Option<u32>> {
        let mut numbers: Vec<Option<u32>> = self.others.keys().copied().collect();
        numbers.sort_unstable();
        numbers
    }
}

/// A conjunction from which variables are dropped.
fn and_without(one: &Bdd, other: &Bdd, lost: &[BddVariable]) -> Bdd {
    Bdd::binary_op_with_exists(one, other, op_function::and, lost)
}
