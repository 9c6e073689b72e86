//! Runs of the program along an interleaving: the same threads take the same edges, with all values that are possible.
//!
//! An interleaving of the abstract program says who takes which edge. Along it the program is followed with terms, bit by
//! bit, for exactly those threads ([`Follow`]). If all guards can be true together, that is a run of the program, and the model says
//! which ([`feasible`]).

use crate::translate::{LONGEST_KNOWN_ROW, Store, View, scope_of};
use throng_base::{Budget, StopReason};
use throng_cfa::flow::{
    Edge, EdgeId, Effect, Expression, Expressions, LocationId, LocationKind, NondetId, PassiveUpdate,
    Program, PropertyId, Scope, TemplateId, VariableId,
};
use throng_cfa::trace::{Trace, TraceStep};
use throng_solver::bits::{BitSolver, Model, Outcome};
use throng_solver::terms::{TermId, Terms};

/// A step of an interleaving.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Taken {
    /// The thread, from 0 in the order in which they are started.
    pub(crate) thread: usize,
    pub(crate) edge: EdgeId,
    /// The thread that is started.
    pub(crate) child: Option<usize>,
    /// The threads whose values the search relied on before the step.
    pub(crate) present: Vec<usize>,
}

/// A thread on the way.
#[derive(Clone, Debug)]
pub(crate) struct Thread {
    pub(crate) template: TemplateId,
    pub(crate) location: LocationId,
    pub(crate) own: Store,
}

/// Shared variables and threads.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) shared: Store,
    /// `None`: not started yet.
    pub(crate) threads: Vec<Option<Thread>>,
}

/// What was arbitrary in a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choices {
    nondets: Vec<(NondetId, TermId)>,
    /// The threads that a signal may update, with whether it does.
    signalled: Vec<(usize, TermId)>,
}

impl State {
    /// The state at the start of an interleaving with so many threads.
    pub(crate) fn initial(program: &Program, terms: &mut Terms, n_threads: usize) -> Self {
        let shared = Store::known(program, Scope::Shared, terms, "");
        let main = Thread {
            template: program.main,
            location: program.templates[program.main.index()].entry,
            own: Store::known(program, scope_of(program.main), terms, ""),
        };
        let mut threads = vec![None; n_threads];
        threads[0] = Some(main);
        Self { shared, threads }
    }

    /// The same threads at the same places, with any values of so many bits.
    pub(crate) fn forget(&self, program: &Program, terms: &mut Terms, most_bits: u32) -> Self {
        let shared = Store::small(program, Scope::Shared, terms, "", most_bits);
        let mut forget = |thread: &Option<Thread>| {
            thread.as_ref().map(|it| Thread {
                own: Store::small(program, scope_of(it.template), terms, "", most_bits),
                ..it.clone()
            })
        };
        Self { shared, threads: self.threads.iter().map(&mut forget).collect() }
    }

    /// Takes a step. The conditions under which it is possible are added to `holds`. `None` if the thread is not where
    /// the edge begins.
    pub(crate) fn step(
        &mut self,
        program: &Program,
        expressions: &Expressions,
        terms: &mut Terms,
        taken: &Taken,
        holds: &mut Vec<TermId>,
    ) -> Option<Choices> {
        let edge = program.edge(taken.edge);
        let before = self.clone();
        let acting = before.threads[taken.thread].as_ref().filter(|it| it.location == edge.from)?;
        let mut view = View::new(expressions, &before.shared, &acting.own);
        let number = |terms: &mut Terms, index: usize| terms.constant(index as u128 + 1, 64);
        view.this_thread = Some(number(terms, taken.thread));
        view.new_thread = taken.child.map(|child| number(terms, child));
        let finished = before.threads.iter().enumerate().map(|(index, thread)| {
            let thread = thread.as_ref();
            let has_ended = thread.is_some_and(|it| program.location(it.location).kind == LocationKind::End);
            let result = thread.and_then(|it| {
                let result = program.templates[it.template.index()].result?;
                it.own.get(result).first().copied()
            });
            (number(terms, index), has_ended, result)
        });
        view.threads = Some(finished.collect());
        holds.push(view.term(terms, edge.guard));
        let changes = view.assign(terms, &edge.assignments);
        let mut choices = Choices::default();
        self.effect(program, terms, edge, taken, &mut view, &mut choices, holds);
        choices.nondets = view.nondets().collect();
        let acting = self.threads[taken.thread].as_mut()?;
        for (variable, index, value) in changes {
            let is_shared = program.variable(variable).scope == Scope::Shared;
            let store = if is_shared { &mut self.shared } else { &mut acting.own };
            store.set(variable, index, value);
        }
        acting.location = edge.to;
        Some(choices)
    }

    #[allow(clippy::too_many_arguments, reason = "a step has that many parts")]
    fn effect(
        &mut self,
        program: &Program,
        terms: &mut Terms,
        edge: &Edge,
        taken: &Taken,
        view: &mut View<'_>,
        choices: &mut Choices,
        holds: &mut Vec<TermId>,
    ) {
        match &edge.effect {
            None => {}
            Some(Effect::Spawn { template, arguments }) => {
                let Some(child) = taken.child else { return };
                let mut own = Store::known(program, scope_of(*template), terms, "");
                for &(variable, value) in arguments {
                    let value = view.term(terms, value);
                    own.set(variable, 0, value);
                }
                let location = program.templates[template.index()].entry;
                self.threads[child] = Some(Thread { template: *template, location, own });
            }
            Some(Effect::Broadcast(updates)) => {
                for index in 0..self.threads.len() {
                    let applied = self.update(terms, index, taken, updates, view);
                    let Some((possible, happens)) = applied else { continue };
                    holds.push(terms.implies(possible, happens));
                }
            }
            Some(Effect::Signal(updates)) => {
                let (mut any, mut some) = (Vec::new(), Vec::new());
                for index in 0..self.threads.len() {
                    let applied = self.update(terms, index, taken, updates, view);
                    let Some((possible, happens)) = applied else { continue };
                    for &(_, other) in &choices.signalled {
                        let both = terms.and(other, happens);
                        holds.push(terms.not(both));
                    }
                    choices.signalled.push((index, happens));
                    any.push(possible);
                    some.push(happens);
                }
                let (any, some) = (terms.or_all(any), terms.or_all(some));
                holds.push(terms.implies(any, some));
            }
        }
    }

    /// Lets one of the updates of a passive thread happen, perhaps: whether one is possible, and whether one happens.
    fn update(
        &mut self,
        terms: &mut Terms,
        index: usize,
        taken: &Taken,
        updates: &[PassiveUpdate],
        view: &View<'_>,
    ) -> Option<(TermId, TermId)> {
        let thread = self.threads[index].as_mut().filter(|_| index != taken.thread)?;
        let before = thread.own.clone();
        let (mut possible, mut happens) = (Vec::new(), Vec::new());
        for update in updates.iter().filter(|update| update.template == thread.template) {
            let mut theirs = View::new(view.expressions, view.shared, view.own).with_passive(&before);
            theirs.this_thread = view.this_thread;
            let guard = theirs.term(terms, update.guard);
            let chosen = terms.fresh("update", 1);
            let applied = terms.and(guard, chosen);
            for &(variable, value) in &update.assignments {
                let value = theirs.term(terms, value);
                let Some(&old) = thread.own.get(variable).first() else { continue };
                let new = terms.ite(applied, value, old);
                thread.own.set(variable, 0, new);
            }
            possible.push(guard);
            happens.push(applied);
        }
        Some((terms.or_all(possible), terms.or_all(happens)))
    }
}

/// Whether everything that an interleaving reads is known: no row is too long.
pub(crate) fn is_known(program: &Program, steps: &[Taken]) -> bool {
    steps.iter().all(|taken| {
        let roots = program.edge(taken.edge).expressions();
        program.expressions.subexpressions(roots).into_iter().all(|id| match program.expressions.get(id) {
            Expression::Element(variable, _) => program.variable(variable).length <= LONGEST_KNOWN_ROW,
            _ => true,
        })
    })
}

/// How many threads an interleaving has.
pub(crate) fn n_threads(steps: &[Taken]) -> usize {
    1 + steps.iter().map(|it| it.thread.max(it.child.unwrap_or(0))).max().unwrap_or(0)
}

/// A run of the program along an interleaving, and what is wrong at its end; `None` if there is no such run.
pub(crate) fn feasible(
    program: &Program,
    steps: &[Taken],
    budget: &Budget,
) -> Result<Option<(Trace, PropertyId)>, StopReason> {
    let mut terms = Terms::new();
    let mut state = State::initial(program, &mut terms, n_threads(steps));
    let first = state.clone();
    let mut solver = BitSolver::default();
    let mut all = Vec::new();
    for taken in steps {
        let mut holds = Vec::new();
        let choices = state.step(program, &program.expressions, &mut terms, taken, &mut holds);
        let Some(choices) = choices else { return Ok(None) };
        holds.iter().for_each(|&it| solver.assert(&terms, it));
        let child = taken.child.and_then(|child| state.threads[child].clone());
        all.push((choices, child));
    }
    let kind = steps.last().map(|last| program.location(program.edge(last.edge).to).kind);
    let Some(LocationKind::Error(property)) = kind else { return Ok(None) };
    match solver.check(&terms, &[], budget) {
        Outcome::Unknown(reason) => Err(reason),
        Outcome::Unsat(_) => Ok(None),
        Outcome::Sat(model) => {
            let trace = trace(program, &terms, &model, &first, steps, &all);
            Ok(Some((trace, property)))
        }
    }
}

fn trace(
    program: &Program,
    terms: &Terms,
    model: &Model,
    first: &State,
    steps: &[Taken],
    all: &[(Choices, Option<Thread>)],
) -> Trace {
    let arbitrary = |store: &Store, scope: Scope| -> Vec<(VariableId, u32, u128)> {
        let variables = VariableId::all(program.variables.len());
        let variables = variables
            .filter(|&it| program.variable(it).scope == scope && program.variable(it).initial.is_none());
        let values = |id: VariableId| {
            let scalars = store.get(id).iter().zip(0_u32..);
            scalars.map(move |(&term, index)| (id, index, model.value(terms, term))).collect::<Vec<_>>()
        };
        variables.flat_map(values).filter(|&(_, _, value)| value != 0).collect()
    };
    let mut start = arbitrary(&first.shared, Scope::Shared);
    if let Some(main) = &first.threads[0] {
        start.extend(arbitrary(&main.own, scope_of(main.template)));
    }
    let step = |(taken, (choices, child)): (&Taken, &(Choices, Option<Thread>))| {
        let value = |&(id, term): &(NondetId, TermId)| (id, model.value(terms, term));
        let signalled = choices.signalled.iter().find(|(_, happens)| model.holds(terms, *happens));
        let given = match &program.edge(taken.edge).effect {
            Some(Effect::Spawn { arguments, .. }) => arguments.as_slice(),
            _ => &[],
        };
        let mut started =
            child.as_ref().map(|it| arbitrary(&it.own, scope_of(it.template))).unwrap_or_default();
        started.retain(|&(variable, _, _)| !given.iter().any(|&(other, _)| other == variable));
        TraceStep {
            thread: taken.thread as u32 + 1,
            edge: taken.edge,
            choices: choices.nondets.iter().map(value).filter(|&(_, value)| value != 0).collect(),
            signalled: signalled.map(|&(index, _)| index as u32 + 1),
            started,
        }
    };
    Trace { start, steps: steps.iter().zip(all).map(step).collect() }
}
