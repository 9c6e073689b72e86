//! A machine that runs the threads of a program, one edge at a time, as it is told.

use super::value;
use std::collections::BTreeMap;
use throng_cfa::flow::{
    Assignment, Edge, Effect, Expression, ExpressionId, LocationId, LocationKind, PassiveUpdate, Program,
    Scope, TemplateId, VariableId,
};
use throng_cfa::trace::{Trace, TraceStep};

/// Scalars by variable.
type Store = BTreeMap<VariableId, Vec<u128>>;

/// A thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// Its code.
    pub template: TemplateId,
    /// Where it stands.
    pub location: LocationId,
    locals: Store,
}

/// The state of a program.
#[derive(Clone, Debug)]
pub struct Machine<'p> {
    program: &'p Program,
    shared: Store,
    threads: Vec<Thread>,
}

/// Why a step cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Impossible(pub String);

/// A result, or why a step cannot be taken.
type Possible<T> = Result<T, Impossible>;

fn impossible<T>(why: impl Into<String>) -> Possible<T> {
    Err(Impossible(why.into()))
}

/// In whose eyes, and with which choices, expressions are evaluated.
struct View<'v> {
    /// The thread that takes the step, by its place.
    actor: usize,
    /// The passive thread that is updated, by its place.
    passive: Option<usize>,
    step: &'v TraceStep,
}

impl<'p> Machine<'p> {
    /// The state at the start of a trace.
    pub fn new(program: &'p Program, trace: &Trace) -> Possible<Self> {
        let mut shared = Store::new();
        for index in 0..program.variables.len() {
            let id = VariableId::new(index);
            if program.variable(id).scope == Scope::Shared {
                shared.insert(id, initial(program, id));
            }
        }
        let main = thread(program, program.main);
        let mut machine = Self { program, shared, threads: vec![main] };
        for &(variable, element, value) in &trace.start {
            let store = match program.variables.get(variable.index()).map(|variable| variable.scope) {
                Some(Scope::Shared) => &mut machine.shared,
                _ => &mut machine.threads[0].locals,
            };
            choose(program, store, variable, element, value)?;
        }
        Ok(machine)
    }

    /// The threads, in the order of their creation.
    pub fn threads(&self) -> &[Thread] {
        &self.threads
    }

    /// What a shared variable holds, one value for each of its scalars; `None` if it is not shared.
    pub fn shared(&self, variable: VariableId) -> Option<&[u128]> {
        self.shared.get(&variable).map(Vec::as_slice)
    }

    /// What a variable of a thread (by its number, from 1) holds; `None` if it has none.
    pub fn local(&self, thread: u32, variable: VariableId) -> Option<&[u128]> {
        let thread = self.threads.get((thread as usize).checked_sub(1)?)?;
        thread.locals.get(&variable).map(Vec::as_slice)
    }

    /// Whether a thread (by its number, from 1) stands at an error.
    pub fn failed(&self, thread: u32) -> bool {
        let thread = (thread as usize).checked_sub(1).and_then(|place| self.threads.get(place));
        thread.is_some_and(|thread| matches!(self.kind(thread), LocationKind::Error(_)))
    }

    /// The value that an expression of a step's edge has before the step; `None` if it has none. For those who show
    /// interleavings.
    pub fn value_before(&self, step: &TraceStep, expression: ExpressionId) -> Option<u128> {
        let actor = (step.thread as usize).checked_sub(1).filter(|&place| place < self.threads.len())?;
        self.evaluate(&View { actor, passive: None, step }, expression).ok()
    }

    fn kind(&self, thread: &Thread) -> LocationKind {
        self.program.location(thread.location).kind
    }

    /// Takes a step.
    pub fn step(&mut self, step: &TraceStep) -> Possible<()> {
        let program = self.program;
        let actor = (step.thread as usize).checked_sub(1).filter(|&place| place < self.threads.len());
        let Some(actor) = actor else {
            return impossible(format!("there is no thread {}", step.thread));
        };
        let Some(edge) = program.edges.get(step.edge.index()) else {
            return impossible(format!("there is no edge {}", step.edge.index()));
        };
        if self.threads[actor].location != edge.from {
            return impossible(format!("thread {} is somewhere else", step.thread));
        }
        let is_atomic = |thread: &Thread| program.location(thread.location).is_atomic;
        let mut others = self.threads.iter().enumerate().filter(|&(place, _)| place != actor);
        if let Some((place, _)) = others.find(|(_, thread)| is_atomic(thread)) {
            let number = place.saturating_add(1);
            return impossible(format!("thread {number} is in an atomic section"));
        }
        for &(nondet, value) in &step.choices {
            let Some(bits) = program.nondets.get(nondet.index()).map(|nondet| nondet.bits) else {
                return impossible(format!("there is no arbitrary value {}", nondet.index()));
            };
            if value > value::mask(bits) {
                return impossible(format!("the value {value} does not fit {bits} bits"));
            }
        }
        let view = View { actor, passive: None, step };
        if self.evaluate(&view, edge.guard)? != 1 {
            return impossible("what it waits for, or what decides it, is not true");
        }
        self.happen(&view, edge)
    }

    /// What an edge does, once it is known to be possible.
    fn happen(&mut self, view: &View<'_>, edge: &Edge) -> Possible<()> {
        let assigned: Vec<(VariableId, u128, u128)> = edge
            .assignments
            .iter()
            .map(|assignment| self.assigned(view, assignment))
            .collect::<Possible<_>>()?;
        let updated = self.updated(view, edge.effect.as_ref())?;
        let started = self.started(view, edge.effect.as_ref())?;
        for (variable, element, value) in assigned {
            let store = match self.program.variable(variable).scope {
                Scope::Shared => &mut self.shared,
                Scope::Local(_) => &mut self.threads[view.actor].locals,
            };
            let Some(scalars) = store.get_mut(&variable) else {
                return impossible("a variable of another thread is assigned");
            };
            // Beyond the end, nothing changes.
            if let Some(scalar) = usize::try_from(element).ok().and_then(|element| scalars.get_mut(element)) {
                *scalar = value;
            }
        }
        for (place, variable, value) in updated {
            match self.threads[place].locals.get_mut(&variable).and_then(|scalars| scalars.first_mut()) {
                Some(scalar) => *scalar = value,
                None => return impossible("a passive thread does not have the variable that is assigned"),
            }
        }
        self.threads[view.actor].location = edge.to;
        self.threads.extend(started);
        Ok(())
    }

    fn assigned(&self, view: &View<'_>, assignment: &Assignment) -> Possible<(VariableId, u128, u128)> {
        let element = assignment.index.map_or(Ok(0), |index| self.evaluate(view, index))?;
        Ok((assignment.target, element, self.evaluate(view, assignment.value)?))
    }

    /// The new values of passive threads.
    fn updated(&self, view: &View<'_>, effect: Option<&Effect>) -> Possible<Vec<(usize, VariableId, u128)>> {
        let signalled = view.step.signalled;
        match effect {
            Some(Effect::Broadcast(updates)) if signalled.is_none() => {
                let mut all = Vec::new();
                for place in 0..self.threads.len() {
                    all.extend(self.update_of(view, place, updates)?.unwrap_or_default());
                }
                Ok(all)
            }
            Some(Effect::Signal(updates)) => match signalled {
                Some(number) => {
                    let place = (number as usize).checked_sub(1).filter(|&place| place < self.threads.len());
                    let update = place.map_or(Ok(None), |place| self.update_of(view, place, updates))?;
                    update.ok_or_else(|| Impossible(format!("thread {number} waits for no such signal")))
                }
                None => {
                    for place in 0..self.threads.len() {
                        if self.update_of(view, place, updates)?.is_some() {
                            return impossible("a thread waits for this signal, and none is woken");
                        }
                    }
                    Ok(Vec::new())
                }
            },
            _ if signalled.is_some() => impossible("a thread is woken by a step that is no signal"),
            _ => Ok(Vec::new()),
        }
    }

    /// What the first possible update does to the thread at a place.
    fn update_of(
        &self,
        view: &View<'_>,
        place: usize,
        updates: &[PassiveUpdate],
    ) -> Possible<Option<Vec<(usize, VariableId, u128)>>> {
        if place == view.actor {
            return Ok(None);
        }
        let view = View { passive: Some(place), ..*view };
        for update in updates.iter().filter(|update| update.template == self.threads[place].template) {
            if self.evaluate(&view, update.guard)? == 1 {
                let assigned = update
                    .assignments
                    .iter()
                    .map(|&(variable, value)| Ok((place, variable, self.evaluate(&view, value)?)));
                return assigned.collect::<Possible<Vec<_>>>().map(Some);
            }
        }
        Ok(None)
    }

    /// The thread that begins.
    fn started(&self, view: &View<'_>, effect: Option<&Effect>) -> Possible<Option<Thread>> {
        let Some(Effect::Spawn { template, arguments }) = effect else {
            let is_empty = view.step.started.is_empty();
            return if is_empty { Ok(None) } else { impossible("no thread is started here") };
        };
        let mut thread = thread(self.program, *template);
        for &(variable, element, value) in &view.step.started {
            choose(self.program, &mut thread.locals, variable, element, value)?;
        }
        for &(variable, argument) in arguments {
            let value = self.evaluate(view, argument)?;
            match thread.locals.get_mut(&variable).and_then(|scalars| scalars.first_mut()) {
                Some(scalar) => *scalar = value,
                None => return impossible("the started thread does not have the variable that is assigned"),
            }
        }
        Ok(Some(thread))
    }

    /// The value of an expression before a step. Operands have smaller numbers than what is made of them, so those that
    /// are needed are evaluated in order of their numbers.
    fn evaluate(&self, view: &View<'_>, id: ExpressionId) -> Possible<u128> {
        let expressions = &self.program.expressions;
        let mut needed = std::collections::BTreeSet::from([id]);
        let mut waiting = vec![id];
        while let Some(next) = waiting.pop() {
            waiting.extend(expressions.operands(next).filter(|&operand| needed.insert(operand)));
        }
        let mut values = BTreeMap::new();
        for next in needed {
            let value = self.evaluate_one(view, next, &values)?;
            values.insert(next, value);
        }
        values.get(&id).copied().ok_or_else(|| Impossible("an expression has no value".to_owned()))
    }

    fn evaluate_one(
        &self,
        view: &View<'_>,
        id: ExpressionId,
        values: &BTreeMap<ExpressionId, u128>,
    ) -> Possible<u128> {
        let expressions = &self.program.expressions;
        let bits = expressions.bits(id);
        let of = |operand: ExpressionId| {
            values.get(&operand).copied().ok_or_else(|| Impossible("expressions are out of order".to_owned()))
        };
        Ok(match expressions.get(id) {
            Expression::Constant(value) => value & value::mask(bits),
            Expression::Variable(variable) => self.read(view.actor, variable, 0)?,
            Expression::Element(variable, index) => self.read(view.actor, variable, of(index)?)?,
            Expression::Passive(variable) => match view.passive {
                Some(place) => self.read(place, variable, 0)?,
                None => return impossible("nobody is passive here"),
            },
            Expression::Nondet(nondet) => {
                let chosen = view.step.choices.iter().find(|&&(chosen, _)| chosen == nondet);
                chosen.map_or(0, |&(_, value)| value)
            }
            Expression::ThisThread => number(view.actor) & value::mask(bits),
            Expression::NewThread => number(self.threads.len()) & value::mask(bits),
            Expression::HasEnded(thread) => {
                let thread = self.numbered(of(thread)?);
                u128::from(thread.is_some_and(|thread| self.kind(thread) == LocationKind::End))
            }
            Expression::ResultOf(thread) => {
                let result = self.numbered(of(thread)?).and_then(|thread| {
                    let variable = self.program.templates[thread.template.index()].result?;
                    thread.locals.get(&variable)?.first().copied()
                });
                result.unwrap_or(0) & value::mask(bits)
            }
            Expression::Unary(operator, a) => value::unary(operator, of(a)?, bits),
            Expression::Binary(operator, a, b) => {
                value::binary(operator, of(a)?, of(b)?, expressions.bits(a))
            }
            Expression::IfThenElse(condition, a, b) => of(if of(condition)? == 1 { a } else { b })?,
            Expression::Extend { operand, is_signed } => {
                value::extend(of(operand)?, expressions.bits(operand), bits, is_signed)
            }
            Expression::Extract { operand, low } => {
                of(operand)?.checked_shr(low).unwrap_or(0) & value::mask(bits)
            }
        })
    }

    /// The thread with a number.
    fn numbered(&self, number: u128) -> Option<&Thread> {
        usize::try_from(number).ok()?.checked_sub(1).and_then(|place| self.threads.get(place))
    }

    /// What a scalar holds: a shared one, or one of a thread.
    fn read(&self, place: usize, variable: VariableId, element: u128) -> Possible<u128> {
        let scalars = self.shared.get(&variable).or_else(|| self.threads[place].locals.get(&variable));
        let Some(scalars) = scalars else {
            return impossible("a variable of another thread is read");
        };
        // Beyond the end, there are zeros.
        Ok(usize::try_from(element).ok().and_then(|element| scalars.get(element)).copied().unwrap_or(0))
    }
}

/// The number of the thread at a place.
fn number(place: usize) -> u128 {
    (place as u128).saturating_add(1)
}

/// What a variable holds at the start, with zeros for what is arbitrary.
fn initial(program: &Program, id: VariableId) -> Vec<u128> {
    let variable = program.variable(id);
    let length = variable.length as usize;
    let mut values = variable.initial.clone().unwrap_or_default();
    values.resize(length, 0);
    values
}

/// A thread at the beginning of its code.
fn thread(program: &Program, template: TemplateId) -> Thread {
    let code = &program.templates[template.index()];
    let locals = code.locals.iter().map(|&variable| (variable, initial(program, variable))).collect();
    Thread { template, location: code.entry, locals }
}

/// Chooses a value of a variable that is arbitrary.
fn choose(
    program: &Program,
    store: &mut Store,
    variable: VariableId,
    element: u32,
    value: u128,
) -> Possible<()> {
    let known = program.variables.get(variable.index());
    let Some(known) = known.filter(|known| known.initial.is_none()) else {
        return impossible("a variable gets a value that is not arbitrary");
    };
    if value > value::mask(known.bits) {
        return impossible(format!("the value {value} does not fit {} bits", known.bits));
    }
    match store.get_mut(&variable).and_then(|scalars| scalars.get_mut(element as usize)) {
        Some(scalar) => *scalar = value,
        None => return impossible(format!("`{}` is not there", known.name)),
    }
    Ok(())
}
