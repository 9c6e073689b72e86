//! A step with the threads that are looked at, as terms: what they hold before and after.
//!
//! Thread 0 acts, up to two others look on; the last one, if the step starts a thread, is that one. The meaning of steps
//! is that of [`throng_cfa::flow`]; what a step depends on and no thread here knows is arbitrary.

use super::lists::Lists;
use crate::counting::Counting;
use crate::translate::{Store, View, scope_of};
use rustc_hash::FxHashMap;
use throng_cfa::flow::{
    Edge, Effect, Expression, ExpressionId, Expressions, LocationId, PassiveUpdate, Program, Scope,
    TemplateId, VariableId,
};
use throng_solver::terms::{TermId, Terms};

/// The width of threads' numbers: they do not repeat.
const NUMBER_BITS: u32 = 128;

/// Before or after the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Phase {
    Before,
    After,
}

/// Whom conditions are about, by the numbers of threads of the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Whom {
    Nobody,
    Thread(usize),
    /// Active and passive.
    Threads(usize, usize),
}

#[derive(Debug)]
struct Thread {
    template: TemplateId,
    before: Store,
    after: Store,
    number: TermId,
}

/// A step with threads.
#[derive(Debug)]
pub(crate) struct Scene {
    pub(crate) terms: Terms,
    /// What is the case: the guard, and what is known about numbers and passive updates.
    pub(crate) always: Vec<TermId>,
    before: Store,
    after: Store,
    threads: Vec<Thread>,
    known: FxHashMap<(Whom, Phase), Vec<TermId>>,
}

impl Scene {
    /// The start of the program, as what is after: thread 0 is the first one.
    pub(super) fn start(program: &Program) -> Self {
        let mut terms = Terms::new();
        let shared = Store::initial(program, Scope::Shared, &mut terms, "");
        let own = Store::initial(program, scope_of(program.main), &mut terms, "");
        let number = terms.constant(1, NUMBER_BITS);
        let thread = Thread { template: program.main, before: own.clone(), after: own, number };
        Self {
            terms,
            always: Vec::new(),
            before: shared.clone(),
            after: shared,
            threads: vec![thread],
            known: FxHashMap::default(),
        }
    }

    /// A step along an edge, with others of these codes.
    pub(crate) fn step(program: &Program, edge: &Edge, others: &[TemplateId]) -> Self {
        let mut terms = Terms::new();
        let shared = Store::fresh(program, Scope::Shared, &mut terms, "");
        let mut threads = Vec::new();
        let actor = program.location(edge.from).template;
        for &template in std::iter::once(&actor).chain(others) {
            let own = Store::fresh(program, scope_of(template), &mut terms, "");
            let number = terms.fresh("number", NUMBER_BITS);
            threads.push(Thread { template, before: own.clone(), after: own, number });
        }
        let mut scene = Self {
            terms,
            always: Vec::new(),
            before: shared.clone(),
            after: shared,
            threads,
            known: FxHashMap::default(),
        };
        scene.act(program, edge);
        scene.numbers(program);
        scene
    }

    fn act(&mut self, program: &Program, edge: &Edge) {
        let new_number = self.terms.fresh("number", NUMBER_BITS);
        let Self { terms, before, threads, .. } = self;
        let mut view = View::new(&program.expressions, before, &threads[0].before);
        view.this_thread = Some(threads[0].number);
        view.new_thread = Some(new_number);
        let guard = view.term(terms, edge.guard);
        let changes = view.assign(terms, &edge.assignments);
        let mut started = None;
        if let Some(Effect::Spawn { template, arguments }) = &edge.effect {
            let mut own = Store::initial(program, scope_of(*template), terms, "new ");
            for &(variable, value) in arguments {
                let value = view.term(terms, value);
                own.set(variable, 0, value);
            }
            started =
                Some(Thread { template: *template, before: own.clone(), after: own, number: new_number });
        }
        self.always.push(guard);
        match &edge.effect {
            Some(Effect::Broadcast(updates)) => {
                for other in 1..self.threads.len() {
                    self.update(program, updates, other, true);
                }
            }
            Some(Effect::Signal(updates)) => {
                let chosen: Vec<TermId> = (1..self.threads.len())
                    .map(|other| self.update(program, updates, other, false))
                    .collect();
                if let [a, b] = chosen[..] {
                    let both = self.terms.and(a, b);
                    let not_both = self.terms.not(both);
                    self.always.push(not_both);
                }
            }
            _ => {}
        }
        for (variable, index, value) in changes {
            match program.variable(variable).scope {
                Scope::Shared => self.after.set(variable, index, value),
                Scope::Local(_) => self.threads[0].after.set(variable, index, value),
            }
        }
        self.threads.extend(started);
    }

    /// A passive thread is updated: by any update that is possible, or, if it may be left out, not. Whether it is.
    fn update(&mut self, program: &Program, updates: &[PassiveUpdate], other: usize, must: bool) -> TermId {
        let Self { terms, before, threads, always, .. } = self;
        let mut some = terms.truth(false);
        let mut possible = terms.truth(false);
        let mut changes: Vec<(TermId, Vec<(VariableId, TermId)>)> = Vec::new();
        for update in updates.iter().filter(|it| it.template == threads[other].template) {
            let mut view = View::new(&program.expressions, before, &threads[0].before)
                .with_passive(&threads[other].before);
            view.this_thread = Some(threads[0].number);
            let guard = view.term(terms, update.guard);
            let is_chosen = terms.fresh("chosen", 1);
            let is_allowed = terms.implies(is_chosen, guard);
            always.push(is_allowed);
            let both = terms.and(some, is_chosen);
            let not_both = terms.not(both);
            always.push(not_both);
            some = terms.or(some, is_chosen);
            possible = terms.or(possible, guard);
            let values =
                update.assignments.iter().map(|&(variable, value)| (variable, view.term(terms, value)));
            changes.push((is_chosen, values.collect()));
        }
        if must {
            let happens = terms.implies(possible, some);
            always.push(happens);
        }
        for (is_chosen, values) in changes {
            for (variable, value) in values {
                if let Some(&old) = threads[other].after.get(variable).first() {
                    let new = terms.ite(is_chosen, value, old);
                    threads[other].after.set(variable, 0, new);
                }
            }
        }
        some
    }

    /// Numbers of threads are different; the first thread's is 1.
    fn numbers(&mut self, program: &Program) {
        let is_asked = |index| program.expressions.get(ExpressionId::new(index)) == Expression::ThisThread;
        if !(0..program.expressions.len()).any(is_asked) {
            return;
        }
        let is_main_started = program.edges.iter().any(
            |it| matches!(&it.effect, Some(Effect::Spawn { template, .. }) if *template == program.main),
        );
        let one = self.terms.constant(1, NUMBER_BITS);
        for i in 0..self.threads.len() {
            let number = self.threads[i].number;
            let is_first = self.terms.eq(number, one);
            if self.threads[i].template != program.main {
                let is_later = self.terms.not(is_first);
                self.always.push(is_later);
            } else if !is_main_started {
                self.always.push(is_first);
            }
            for j in 0..i {
                let is_same = self.terms.eq(number, self.threads[j].number);
                let is_other = self.terms.not(is_same);
                self.always.push(is_other);
            }
        }
    }

    /// What is known of counts, with threads at these locations before the step.
    pub(crate) fn bounds(&mut self, counting: &Counting, stand: &[LocationId]) -> Vec<TermId> {
        let Self { terms, before, after, .. } = self;
        counting.bounds(terms, stand, |id| Some((*before.get(id).first()?, *after.get(id).first()?)))
    }

    /// The thread that the step starts.
    pub(super) fn started(&self) -> usize {
        self.threads.len() - 1
    }

    /// The candidates about these threads, as terms.
    pub(super) fn candidates(&mut self, lists: &Lists, whom: Whom, phase: Phase) -> &[TermId] {
        if !self.known.contains_key(&(whom, phase)) {
            let list = self.translate(lists, whom, phase);
            self.known.insert((whom, phase), list);
        }
        &self.known[&(whom, phase)]
    }

    /// What was translated already.
    pub(super) fn known(&self, whom: Whom, phase: Phase) -> &[TermId] {
        &self.known[&(whom, phase)]
    }

    fn translate(&mut self, lists: &Lists, whom: Whom, phase: Phase) -> Vec<TermId> {
        let template = |it: usize| self.threads[it].template;
        let list = match whom {
            Whom::Nobody => &lists.global,
            Whom::Thread(a) => &lists.single[template(a).index()],
            Whom::Threads(a, b) => &lists.pair[&(template(a), template(b))],
        };
        self.translate_all(&lists.expressions, whom, phase, list)
    }

    /// Conditions about these threads, as terms.
    fn translate_all(
        &mut self,
        table: &Expressions,
        whom: Whom,
        phase: Phase,
        conditions: &[ExpressionId],
    ) -> Vec<TermId> {
        let Self { terms, before, after, threads, .. } = self;
        let shared = if phase == Phase::Before { &*before } else { &*after };
        let own = |index: usize| match phase {
            Phase::Before => &threads[index].before,
            Phase::After => &threads[index].after,
        };
        let nothing = Store::default();
        let mut view = match whom {
            Whom::Nobody => View::new(table, shared, &nothing),
            Whom::Thread(a) => View::new(table, shared, own(a)),
            Whom::Threads(a, b) => View::new(table, shared, own(a)).with_passive(own(b)),
        };
        if let Whom::Thread(a) | Whom::Threads(a, _) = whom {
            view.this_thread = Some(threads[a].number);
        }
        conditions.iter().map(|&it| view.term(terms, it)).collect()
    }

    /// A condition about these threads, as a term.
    pub(crate) fn term(&mut self, table: &Expressions, whom: Whom, phase: Phase, it: ExpressionId) -> TermId {
        self.translate_all(table, whom, phase, &[it])[0]
    }

    /// All scalars before the step: whose, of which variable, which one, and what it holds.
    pub(crate) fn places(&self) -> Vec<(Whom, VariableId, usize, TermId)> {
        let threads = self.threads.iter().enumerate().map(|(it, thread)| (Whom::Thread(it), &thread.before));
        let mut all = Vec::new();
        for (whom, store) in std::iter::once((Whom::Nobody, &self.before)).chain(threads) {
            for (variable, row) in store.rows() {
                all.extend(row.iter().enumerate().map(|(index, &term)| (whom, variable, index, term)));
            }
        }
        all
    }
}
