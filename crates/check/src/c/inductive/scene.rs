//! The threads that a question is about, and the values of variables before and after a step, as terms.
//!
//! *At hand* are the thread that takes the step, some passive threads at known locations, and the thread that is started.
//! Further threads are *witnesses*: each stands for one thread that is none of those at hand, if its bit `exists` is true,
//! and two witnesses may stand for the same thread. They stand anywhere where threads can be while another takes a step; only in
//! which scopes they are is known.
//!
//! Values after the step are terms over those before it. Variables are made when they are first asked for.

use super::facts::{self, Facts};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use throng_cfa::flow::{
    Edge, Effect, ExpressionId, LocationId, PassiveUpdate, Scope, TemplateId, VariableId,
};
use throng_solver::{BitSolver, TermId, Terms};

/// Rows of more scalars than this are not looked into: what is read there is arbitrary.
const MOST_SCALARS: u32 = 1024;

/// A thread, by its place in [`Scene::threads`].
pub(super) type Slot = usize;

/// Before or after the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Time {
    Before,
    After,
}

/// Where a thread stands.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// At this location before the step and at that one after it; `None` before it is started.
    Known(Option<LocationId>, LocationId),
    /// Somewhere, both before and after the step.
    Somewhere {
        /// Whether there is such a thread.
        exists: TermId,
        /// By scope of its template: whether it is there.
        in_scope: Vec<TermId>,
    },
}

/// A thread.
#[derive(Clone, Debug)]
pub(super) struct SceneThread {
    /// Its code.
    pub template: TemplateId,
    /// Where it stands.
    pub place: Place,
    /// How it is called when values are shown.
    pub name: String,
    number: Option<TermId>,
    /// Whether a signal wakes it.
    pub woken: Option<TermId>,
}

/// Whose variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Owner {
    Shared,
    Thread(Slot),
}

/// In whose eyes, and when, an expression is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct View {
    pub active: Option<Slot>,
    pub passive: Option<Slot>,
    pub time: Time,
}

/// See the module's documentation.
pub(super) struct Scene<'a> {
    pub facts: &'a Facts<'a>,
    /// The step; `None` at the start, which is before a step that never happens.
    pub edge: Option<&'a Edge>,
    pub terms: Terms,
    pub solver: BitSolver,
    pub threads: Vec<SceneThread>,
    /// How many of them are at hand.
    pub n_at_hand: usize,
    /// The thread that is started.
    pub new: Option<Slot>,
    values: FxHashMap<(Owner, VariableId, Time), Rc<[TermId]>>,
    pub(super) memo: FxHashMap<(ExpressionId, View), TermId>,
    pub(super) ended: FxHashMap<(TermId, Time), TermId>,
    pub(super) results: FxHashMap<(TermId, u32, Time), TermId>,
}

/// The thread that takes the step.
pub(super) const ACTOR: Slot = 0;

impl<'a> Scene<'a> {
    /// A step along an edge, with passive threads at these locations.
    pub(super) fn new(facts: &'a Facts<'a>, edge: &'a Edge, passive: &[LocationId]) -> Self {
        let mut scene = Self::empty(facts, Some(edge));
        scene.add_known("acting", Some(edge.from), edge.to);
        for (index, &at) in passive.iter().enumerate() {
            scene.add_known(&format!("other{}", index.saturating_add(1)), Some(at), at);
        }
        if let Some(Effect::Spawn { template, .. }) = edge.effect {
            let entry = facts.program.templates[template.index()].entry;
            scene.new = Some(scene.add_known("new", None, entry));
        }
        scene.n_at_hand = scene.threads.len();
        let guard =
            scene.translate(edge.guard, View { active: Some(ACTOR), passive: None, time: Time::Before });
        scene.assert(guard);
        let at_hand: Vec<LocationId> = std::iter::once(edge.from).chain(passive.iter().copied()).collect();
        scene.assert_counts(&at_hand);
        scene
    }

    /// The start, with the first thread.
    pub(super) fn initial(facts: &'a Facts<'a>) -> Self {
        let mut scene = Self::empty(facts, None);
        let entry = facts.program.templates[facts.program.main.index()].entry;
        scene.add_known("main", Some(entry), entry);
        scene.n_at_hand = 1;
        scene
    }

    fn empty(facts: &'a Facts<'a>, edge: Option<&'a Edge>) -> Self {
        Self {
            facts,
            edge,
            terms: Terms::new(),
            solver: BitSolver::default(),
            threads: Vec::new(),
            n_at_hand: 0,
            new: None,
            values: FxHashMap::default(),
            memo: FxHashMap::default(),
            ended: FxHashMap::default(),
            results: FxHashMap::default(),
        }
    }

    fn add_known(&mut self, name: &str, before: Option<LocationId>, after: LocationId) -> Slot {
        let template = self.facts.template(after);
        self.add_thread(name, template, Place::Known(before, after))
    }

    /// Adds a thread.
    pub(super) fn add_thread(&mut self, name: &str, template: TemplateId, place: Place) -> Slot {
        let name = name.to_owned();
        self.threads.push(SceneThread { template, place, name, number: None, woken: None });
        self.threads.len().saturating_sub(1)
    }

    /// Asserts a formula.
    pub(super) fn assert(&mut self, formula: TermId) {
        self.solver.assert(&self.terms, formula);
    }

    /// A new solver with the same assertions: an old one is slow from what earlier questions left behind.
    pub(super) fn renew(&mut self) {
        let old = std::mem::take(&mut self.solver);
        old.asserted().iter().for_each(|&formula| self.solver.assert(&self.terms, formula));
    }

    /// Asserts that the first implies the second.
    pub(super) fn assert_implies(&mut self, a: TermId, b: TermId) {
        let formula = self.terms.implies(a, b);
        self.assert(formula);
    }

    /// Whether a thread exists before the step, at hand or as a witness.
    pub(super) fn is_there(&self, slot: Slot, time: Time) -> bool {
        time == Time::After || !matches!(self.threads[slot].place, Place::Known(None, _))
    }

    /// Whether a thread exists: a term, since witnesses may not.
    pub(super) fn exists(&mut self, slot: Slot) -> TermId {
        match &self.threads[slot].place {
            Place::Known(..) => self.terms.truth(true),
            Place::Somewhere { exists, .. } => *exists,
        }
    }

    /// The location of a thread at hand.
    pub(super) fn location(&self, slot: Slot, time: Time) -> Option<LocationId> {
        match (&self.threads[slot].place, time) {
            (Place::Known(before, _), Time::Before) => *before,
            (Place::Known(_, after), Time::After) => Some(*after),
            (Place::Somewhere { .. }, _) => None,
        }
    }

    /// The number of a thread, whose constraints are asserted when it is first asked for.
    pub(super) fn number(&mut self, slot: Slot) -> TermId {
        if let Some(number) = self.threads[slot].number {
            return number;
        }
        let (facts, bits) = (self.facts, self.facts.number_bits);
        let is_main = self.threads[slot].template == facts.program.main;
        let number = if is_main && facts.main_is_single {
            self.terms.constant(1, bits)
        } else {
            let number = self.terms.fresh(&format!("{}.number", self.threads[slot].name), bits);
            let least = self.terms.constant(if is_main { 1 } else { 2 }, bits);
            let is_enough = self.terms.ule(least, number);
            self.assert(is_enough);
            number
        };
        self.threads[slot].number = Some(number);
        for other in 0..self.threads.len() {
            let Some(known) = self.threads[other].number.filter(|_| other != slot) else { continue };
            // Two witnesses may be one thread.
            if slot < self.n_at_hand || other < self.n_at_hand {
                let (a, b) = (self.exists(slot), self.exists(other));
                let both = self.terms.and(a, b);
                let differ = self.terms.ne(number, known);
                self.assert_implies(both, differ);
            }
        }
        number
    }

    /// The scalars of a variable of a thread, or of a shared one; none if they are too many.
    pub(super) fn scalars(&mut self, thread: Option<Slot>, id: VariableId, time: Time) -> Rc<[TermId]> {
        let is_shared = self.facts.program.variable(id).scope == Scope::Shared;
        let owner = match thread {
            Some(slot) if !is_shared => Owner::Thread(slot),
            _ => Owner::Shared,
        };
        if let Some(known) = self.values.get(&(owner, id, time)) {
            return Rc::clone(known);
        }
        let scalars: Rc<[TermId]> = if self.facts.program.variable(id).length > MOST_SCALARS {
            Rc::from([])
        } else {
            match (time, owner) {
                (Time::After, Owner::Thread(slot)) if Some(slot) == self.new => self.started(slot, id),
                (Time::Before, _) => self.before(owner, id),
                (Time::After, Owner::Thread(slot)) if slot != ACTOR => self.updated(slot, id),
                (Time::After, _) => self.assigned(thread, id),
            }
        };
        self.values.insert((owner, id, time), Rc::clone(&scalars));
        scalars
    }

    /// Arbitrary values, or at the start the initial ones.
    fn before(&mut self, owner: Owner, id: VariableId) -> Rc<[TermId]> {
        let variable = self.facts.program.variable(id);
        match (&variable.initial, self.edge) {
            (Some(initial), None) => self.constants(initial, id),
            _ => {
                let name = match owner {
                    Owner::Shared => variable.name.clone(),
                    Owner::Thread(slot) => format!("{}.{}", self.threads[slot].name, variable.name),
                };
                (0..variable.length).map(|_| self.terms.fresh(&name, variable.bits)).collect()
            }
        }
    }

    fn constants(&mut self, initial: &[u128], id: VariableId) -> Rc<[TermId]> {
        let variable = self.facts.program.variable(id);
        // As on the machine that replays interleavings: what is missing is 0.
        let values = initial.iter().copied().chain(std::iter::repeat(0)).take(variable.length as usize);
        values.map(|value| self.terms.constant(value, variable.bits)).collect()
    }

    /// What a thread that begins holds.
    fn started(&mut self, slot: Slot, id: VariableId) -> Rc<[TermId]> {
        let variable = self.facts.program.variable(id);
        let scalars = match &variable.initial {
            Some(initial) => self.constants(initial, id),
            None => self.before(Owner::Thread(slot), id),
        };
        let Some(Effect::Spawn { arguments, .. }) = self.edge.and_then(|edge| edge.effect.as_ref()) else {
            return scalars;
        };
        let view = View { active: Some(ACTOR), passive: None, time: Time::Before };
        let mut scalars = scalars.to_vec();
        for &(_, value) in arguments.iter().filter(|&&(target, _)| target == id) {
            let value = self.translate(value, view);
            if let Some(first) = scalars.first_mut() {
                *first = value;
            }
        }
        scalars.into()
    }

    /// What a shared variable or one of the acting thread holds after the step.
    fn assigned(&mut self, thread: Option<Slot>, id: VariableId) -> Rc<[TermId]> {
        let mut scalars = self.scalars(thread, id, Time::Before).to_vec();
        let view = View { active: Some(ACTOR), passive: None, time: Time::Before };
        let assignments = self.edge.map_or(&[][..], |edge| &edge.assignments);
        for assignment in assignments.iter().filter(|assignment| assignment.target == id) {
            let value = self.translate(assignment.value, view);
            let index = assignment.index.map(|index| self.translate(index, view));
            for (element, scalar) in scalars.iter_mut().enumerate() {
                let is_meant = match index {
                    Some(index) => self.is_number(index, element),
                    None => self.terms.truth(element == 0),
                };
                *scalar = self.terms.ite(is_meant, value, *scalar);
            }
        }
        scalars.into()
    }

    /// Whether a term is this number; not if that does not fit.
    pub(super) fn is_number(&mut self, term: TermId, number: usize) -> TermId {
        let bits = self.terms.width(term);
        let number = number as u128;
        if bits < 128 && number >> bits != 0 {
            return self.terms.truth(false);
        }
        let constant = self.terms.constant(number, bits);
        self.terms.eq(term, constant)
    }

    /// What a variable of a passive thread holds after the step.
    fn updated(&mut self, slot: Slot, id: VariableId) -> Rc<[TermId]> {
        let before = self.scalars(Some(slot), id, Time::Before);
        let updates = self.updates_of(slot);
        if !updates.iter().any(|update| update.assignments.iter().any(|&(target, _)| target == id)) {
            return before;
        }
        let Some(&old) = before.first() else { return before };
        let view = View { active: Some(ACTOR), passive: Some(slot), time: Time::Before };
        let mut value = old;
        // The first one that is possible happens.
        for update in updates.iter().rev() {
            let guard = self.translate(update.guard, view);
            let assigned = update.assignments.iter().find(|&&(target, _)| target == id);
            let new = assigned.map_or(old, |&(_, expression)| self.translate(expression, view));
            value = self.terms.ite(guard, new, value);
        }
        if let Some(woken) = self.threads[slot].woken {
            value = self.terms.ite(woken, value, old);
        }
        let mut after = before.to_vec();
        after[0] = value;
        after.into()
    }

    /// The updates by the edge's signal or broadcast that are for the code of a thread.
    pub(super) fn updates_of(&self, slot: Slot) -> Vec<&'a PassiveUpdate> {
        let template = self.threads[slot].template;
        let updates = self.edge.map_or(&[][..], facts::updates);
        updates.iter().filter(|update| update.template == template).collect()
    }
}
