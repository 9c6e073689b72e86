//! One step as the abstraction sees it: the shared variables, the thread that acts, perhaps one that does not, and witnesses.
//!
//! A predicate's truth before and after a step is a term of one bit. What a predicate says about *all others* (eq. 12 of the thesis) is
//! a new bit with conditions: where it is true, it holds for everybody in the scene; where it is false, somebody in the
//! scene violates it, or its *witness*, a thread that is there for that purpose only. A witness obeys all true bits as well.
//! With one witness for each bit that may be false, before and after the step and for both threads, no more threads can make a
//! difference: that is the proof of Theorem 13 (4·#IT + 2 threads), with witnesses that need not exist instead of further
//! threads that do. With [`Others::AtMost`], there are only so many witnesses, and bits share them: that is the abstraction for a
//! bounded number of threads. Threads are started one after the other, so witnesses need not exist there either.
//!
//! What is left out, which allows more steps than there are: threads' numbers, which threads have ended and what they
//! returned; that witnesses are at locations from which they came there.

use crate::scopes::Scopes;
use crate::translate::{Store, View, scope_of};
use throng_cfa::flow::{Edge, Effect, LocationId, PassiveUpdate, Program, Scope, TemplateId, VariableId};
use throng_cfa::invariant::{PredicateId, Predicates};
use throng_solver::terms::{TermId, Terms};

/// Which threads there are besides those that a scene is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Others {
    /// Any number.
    Any,
    /// So few that there are at most so many threads in all, those that the scene is about included.
    AtMost(usize),
    /// So many, all of the code of the passive thread: for tests against worked examples.
    #[cfg(test)]
    Exactly(usize),
}

/// What the acting thread does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Act<'a> {
    /// It takes an edge.
    Edge(&'a Edge),
    /// It begins to be there. `first`: and with it the program.
    Begin { template: TemplateId, first: bool },
}

/// Before or after the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Time {
    Before,
    After,
}

/// Who has a bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Who {
    /// All.
    State,
    Active,
    Passive,
}

/// A bit of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Bit {
    /// The value of a predicate.
    Value { predicate: PredicateId, who: Who, time: Time },
    /// Whether the passive thread counts in a scope.
    Counts(usize),
}

/// A thread that does not act.
#[derive(Debug)]
struct Bystander {
    template: TemplateId,
    before: Store,
    after: Store,
    /// Whether it is there at all.
    exists: TermId,
    /// Whether it counts, by scope.
    counts: Vec<TermId>,
}

/// A bit that speaks about all others.
#[derive(Debug)]
struct ForAll {
    predicate: PredicateId,
    who: Who,
    time: Time,
    bit: TermId,
    /// The place of its witness among the bystanders, if it has one of its own.
    witness: Option<usize>,
}

/// See the module's documentation.
pub(crate) struct Scene<'a> {
    pub(crate) terms: Terms,
    /// What holds in the scene.
    pub(crate) holds: Vec<TermId>,
    program: &'a Program,
    predicates: &'a Predicates,
    scopes: &'a Scopes,
    template: TemplateId,
    from: Option<LocationId>,
    to: LocationId,
    shared: [Store; 2],
    own: [Store; 2],
    /// The passive thread, if there is one, then witnesses.
    bystanders: Vec<Bystander>,
    has_passive: bool,
    others: Others,
    act: Act<'a>,
    for_all: Vec<ForAll>,
}

impl<'a> Scene<'a> {
    /// A step, seen by nobody.
    pub(crate) fn new(
        program: &'a Program,
        predicates: &'a Predicates,
        scopes: &'a Scopes,
        act: Act<'a>,
        others: Others,
    ) -> Self {
        let mut terms = Terms::new();
        let (template, from, to) = match act {
            Act::Edge(edge) => (program.location(edge.from).template, Some(edge.from), edge.to),
            Act::Begin { template, .. } => (template, None, program.templates[template.index()].entry),
        };
        let begins_all = matches!(act, Act::Begin { first: true, .. });
        let make = if begins_all { Store::initial } else { Store::fresh };
        let shared = make(program, Scope::Shared, &mut terms, "");
        let own = Store::fresh(program, scope_of(template), &mut terms, "");
        let mut holds = Vec::new();
        let (mut shared_after, mut own_after) = (shared.clone(), own.clone());
        match act {
            Act::Edge(edge) => {
                let mut view = View::new(&predicates.expressions, &shared, &own);
                holds.push(view.term(&mut terms, edge.guard));
                for (variable, index, value) in view.assign(&mut terms, &edge.assignments) {
                    let is_shared = program.variable(variable).scope == Scope::Shared;
                    let store = if is_shared { &mut shared_after } else { &mut own_after };
                    store.set(variable, index, value);
                }
            }
            Act::Begin { .. } => {
                own_after = Store::initial(program, scope_of(template), &mut terms, "");
                for (variable, values) in arguments(program, template) {
                    let bits = program.variable(variable).bits;
                    let value = terms.fresh("argument", bits);
                    own_after.set(variable, 0, value);
                    if let Some(values) = values {
                        let is_one = values.iter().map(|&it| {
                            let it = terms.constant(it, bits);
                            terms.eq(value, it)
                        });
                        let is_one: Vec<TermId> = is_one.collect();
                        holds.push(terms.or_all(is_one));
                    }
                }
            }
        }
        let others = if begins_all { Others::AtMost(1) } else { others };
        Self {
            terms,
            holds,
            program,
            predicates,
            scopes,
            template,
            from,
            to,
            shared: [shared, shared_after],
            own: [own, own_after],
            bystanders: Vec::new(),
            has_passive: false,
            others,
            act,
            for_all: Vec::new(),
        }
    }

    /// Adds the passive thread; before any bit is asked for.
    pub(crate) fn add_passive(&mut self, template: TemplateId) {
        let exists = self.terms.truth(true);
        self.add_bystander(template, exists);
        self.has_passive = true;
    }

    /// A bit, as a term.
    pub(crate) fn term(&mut self, bit: Bit) -> TermId {
        match bit {
            Bit::Value { predicate, who, time } => self.bit(predicate, who, time),
            Bit::Counts(scope) => self.bystanders[0].counts[scope],
        }
    }

    fn add_bystander(&mut self, template: TemplateId, exists: TermId) {
        let before = Store::fresh(self.program, scope_of(template), &mut self.terms, "other ");
        let after = self.after_effect(template, &before);
        let counts: Vec<TermId> = (0..self.scopes.len()).map(|_| self.terms.fresh("counts", 1)).collect();
        // Whoever acts, the others stand outside of atomic sections.
        let possible = self.scopes.memberships(self.program, template).into_iter().map(|membership| {
            let agree = counts.iter().zip(membership).map(
                |(&bit, is_in)| {
                    if is_in { bit } else { self.terms.not(bit) }
                },
            );
            let agree: Vec<TermId> = agree.collect();
            self.terms.and_all(agree)
        });
        let possible: Vec<TermId> = possible.collect();
        let possible = self.terms.or_all(possible);
        self.holds.push(possible);
        self.bystanders.push(Bystander { template, before, after, exists, counts });
    }

    /// The variables of another thread after the step.
    fn after_effect(&mut self, template: TemplateId, before: &Store) -> Store {
        let Act::Edge(edge) = self.act else { return before.clone() };
        let (updates, is_forced): (&[PassiveUpdate], bool) = match &edge.effect {
            Some(Effect::Broadcast(updates)) => (updates, true),
            Some(Effect::Signal(updates)) => (updates, false),
            Some(Effect::Spawn { .. }) | None => return before.clone(),
        };
        let mut after = before.clone();
        let (mut possible, mut happens) = (Vec::new(), Vec::new());
        for update in updates.iter().filter(|update| update.template == template) {
            let mut view =
                View::new(&self.predicates.expressions, &self.shared[0], &self.own[0]).with_passive(before);
            let guard = view.term(&mut self.terms, update.guard);
            let chosen = self.terms.fresh("update", 1);
            let applied = self.terms.and(guard, chosen);
            possible.push(guard);
            happens.push(applied);
            let mut changes: Vec<(VariableId, TermId)> = Vec::new();
            for &(variable, value) in &update.assignments {
                changes.push((variable, view.term(&mut self.terms, value)));
            }
            for (variable, value) in changes {
                let Some(&old) = after.get(variable).first() else { continue };
                let new = self.terms.ite(applied, value, old);
                after.set(variable, 0, new);
            }
        }
        if is_forced {
            let (any, some) = (self.terms.or_all(possible), self.terms.or_all(happens));
            let forced = self.terms.implies(any, some);
            self.holds.push(forced);
        }
        after
    }

    /// The truth of a predicate, as a term.
    fn bit(&mut self, predicate: PredicateId, who: Who, time: Time) -> TermId {
        let known = self.for_all.iter().find(|it| (it.predicate, it.who, it.time) == (predicate, who, time));
        if let Some(known) = known {
            return known.bit;
        }
        if self.predicates.get(predicate).passive.is_some() {
            let bit = self.terms.fresh("for all", 1);
            self.for_all.push(ForAll { predicate, who, time, bit, witness: None });
            return bit;
        }
        self.evaluate(predicate, self.store_of(who, time).cloned(), None, time)
    }

    fn store_of(&self, who: Who, time: Time) -> Option<&Store> {
        match who {
            Who::State => None,
            Who::Active => Some(&self.own[time as usize]),
            Who::Passive => self.bystanders.first().map(|it| it.store(time)),
        }
    }

    fn evaluate(
        &mut self,
        predicate: PredicateId,
        active: Option<Store>,
        passive: Option<&Store>,
        time: Time,
    ) -> TermId {
        let active = active.unwrap_or_default();
        let mut view = View::new(&self.predicates.expressions, &self.shared[time as usize], &active);
        view.passive = passive;
        view.term(&mut self.terms, self.predicates.get(predicate).expression)
    }

    /// Says what the bits mean that speak of all others; after all bits were asked for.
    pub(crate) fn close(&mut self) {
        let mut for_all = std::mem::take(&mut self.for_all);
        match self.others {
            Others::Any => {
                for it in &mut for_all {
                    it.witness = Some(self.bystanders.len());
                    let template = self.party(it.predicate);
                    let exists = self.terms.fresh("exists", 1);
                    self.add_bystander(template, exists);
                }
            }
            Others::AtMost(n) => {
                let most = n.saturating_sub(1 + usize::from(self.has_passive));
                let mut witnesses = vec![0; self.program.templates.len()];
                for it in &for_all {
                    let template = self.party(it.predicate);
                    if witnesses[template.index()] < most {
                        witnesses[template.index()] += 1;
                        let exists = self.terms.fresh("exists", 1);
                        self.add_bystander(template, exists);
                    }
                }
            }
            #[cfg(test)]
            Others::Exactly(n) => {
                let template = self.bystanders.first().map_or(self.template, |it| it.template);
                for _ in 0..n {
                    let exists = self.terms.truth(true);
                    self.add_bystander(template, exists);
                }
            }
        }
        for it in &for_all {
            self.define(it);
        }
        self.for_all = for_all;
    }

    fn party(&self, predicate: PredicateId) -> TemplateId {
        let party = self.predicates.get(predicate).passive.as_ref();
        party.expect("INVARIANT: only these speak of others").template
    }

    fn define(&mut self, it: &ForAll) {
        let template = self.party(it.predicate);
        let scope = self.scopes.of(it.predicate);
        let mine = self.store_of(it.who, it.time).cloned();
        // Who it is about, if they are there and count.
        let mut about: Vec<(TermId, Store, bool)> = Vec::new();
        let place = if it.time == Time::Before { self.from } else { Some(self.to) };
        let active_counts = place.is_some_and(|place| self.scopes.contains(scope, place));
        if it.who != Who::Active && self.template == template && active_counts {
            about.push((self.terms.truth(true), self.own[it.time as usize].clone(), true));
        }
        for (index, other) in self.bystanders.iter().enumerate() {
            let is_self = it.who == Who::Passive && self.has_passive && index == 0;
            if !is_self && other.template == template {
                let counts = self.terms.and(other.exists, other.counts[scope]);
                // What another witness shows, a copy of it shows as well: the bits do not compare witnesses.
                let explains = index == 0 && self.has_passive || it.witness.is_none_or(|own| own == index);
                about.push((counts, other.store(it.time).clone(), explains));
            }
        }
        let mut violated = Vec::new();
        for (counts, store, explains) in about {
            let value = self.evaluate(it.predicate, mine.clone(), Some(&store), it.time);
            let broken = {
                let not = self.terms.not(value);
                self.terms.and(counts, not)
            };
            let not = self.terms.not(broken);
            let obeyed = self.terms.implies(it.bit, not);
            self.holds.push(obeyed);
            if explains {
                violated.push(broken);
            }
        }
        let some = self.terms.or_all(violated);
        let explained = self.terms.or(it.bit, some);
        self.holds.push(explained);
    }
}

impl Bystander {
    fn store(&self, time: Time) -> &Store {
        match time {
            Time::Before => &self.before,
            Time::After => &self.after,
        }
    }
}

/// The arguments with which threads of some code are started: all values, if they are constants.
pub(crate) fn arguments(program: &Program, template: TemplateId) -> Vec<(VariableId, Option<Vec<u128>>)> {
    let mut all: Vec<(VariableId, Option<Vec<u128>>)> = Vec::new();
    for edge in &program.edges {
        let Some(Effect::Spawn { template: started, arguments }) = &edge.effect else { continue };
        for &(variable, value) in arguments.iter().filter(|_| *started == template) {
            let value = program.expressions.as_constant(value);
            let known = all.iter().position(|&(other, _)| other == variable);
            match known.map(|at| &mut all[at].1) {
                None => all.push((variable, value.map(|value| vec![value]))),
                Some(values) => match (values.as_mut(), value) {
                    (Some(values), Some(value)) => values.push(value),
                    _ => *values = None,
                },
            }
        }
    }
    all
}
