//! Runs a trace on the program as it is, with numbers only. Nothing that the search uses is used here.

use rustc_hash::FxHashMap;
use throng_cfa::flow::{
    Edge, Effect, Expression, ExpressionId, LocationId, LocationKind, PassiveUpdate, Program, PropertyId,
    Scope, TemplateId, UnaryOperator, VariableId,
};
use throng_cfa::trace::{Trace, TraceStep};

/// A thread: its code, where it is, and what its variables hold, by variable.
#[derive(Clone, Debug)]
struct Thread {
    template: TemplateId,
    location: LocationId,
    locals: FxHashMap<VariableId, Vec<u128>>,
}

/// A state: see [`throng_cfa::flow`].
#[derive(Clone, Debug)]
struct State<'p> {
    program: &'p Program,
    shared: FxHashMap<VariableId, Vec<u128>>,
    threads: Vec<Thread>,
}

/// What the expressions of a step see.
struct View<'a, 'p> {
    state: &'a State<'p>,
    step: &'a TraceStep,
    thread: usize,
    passive: Option<usize>,
}

/// Runs a trace; returns what went wrong at its last step, and `Err` with the number of the first step that is not possible,
/// or the number of steps if no error is reached.
pub(crate) fn replay(program: &Program, trace: &Trace) -> Result<PropertyId, usize> {
    let mut state = start(program, trace);
    if let Some(property) = state.error() {
        return if trace.steps.is_empty() { Ok(property) } else { Err(0) };
    }
    for (number, step) in trace.steps.iter().enumerate() {
        state = state.after(step).ok_or(number)?;
        match state.error() {
            Some(property) if number + 1 == trace.steps.len() => return Ok(property),
            Some(_) => return Err(number + 1),
            None => {}
        }
    }
    Err(trace.steps.len())
}

fn start<'p>(program: &'p Program, trace: &Trace) -> State<'p> {
    let shared = VariableId::all(program.variables.len())
        .filter(|&id| program.variable(id).scope == Scope::Shared)
        .map(|id| (id, initial(program, id, &trace.start)))
        .collect();
    let mut state = State { program, shared, threads: Vec::new() };
    state.threads.push(new_thread(program, program.main, &trace.start));
    state
}

fn initial(program: &Program, id: VariableId, given: &[(VariableId, u32, u128)]) -> Vec<u128> {
    let variable = program.variable(id);
    let mut values = vec![0; variable.length as usize];
    match &variable.initial {
        Some(initial) => values.iter_mut().zip(initial).for_each(|(value, &initial)| *value = initial),
        None => {
            for &(_, scalar, value) in given.iter().filter(|(other, _, _)| *other == id) {
                if let Some(place) = values.get_mut(scalar as usize) {
                    *place = value;
                }
            }
        }
    }
    values
}

fn new_thread(program: &Program, template: TemplateId, given: &[(VariableId, u32, u128)]) -> Thread {
    let data = &program.templates[template.index()];
    let locals = data.locals.iter().map(|&id| (id, initial(program, id, given))).collect();
    Thread { template, location: data.entry, locals }
}

impl<'p> State<'p> {
    /// The error that a thread is at.
    fn error(&self) -> Option<PropertyId> {
        self.threads.iter().find_map(|thread| match self.program.location(thread.location).kind {
            LocationKind::Error(property) => Some(property),
            _ => None,
        })
    }

    /// The state after a step; `None` if it is not possible.
    fn after(&self, step: &TraceStep) -> Option<Self> {
        let thread = (step.thread as usize).checked_sub(1)?;
        let actor = self.threads.get(thread)?;
        let edge = self.program.edges.get(step.edge.index())?;
        let is_blocked = |(place, other): (usize, &Thread)| {
            place != thread && self.program.location(other.location).is_atomic
        };
        let view = View { state: self, step, thread, passive: None };
        let is_inner = self.program.location(actor.location).kind == LocationKind::Inner;
        if actor.location != edge.from
            || !is_inner
            || self.threads.iter().enumerate().any(is_blocked)
            || view.value(edge.guard) != 1
        {
            return None;
        }
        let mut next = self.clone();
        next.assign(&view, edge);
        next.threads[thread].location = edge.to;
        next.affect(&view, edge)?;
        Some(next)
    }

    fn assign(&mut self, view: &View, edge: &Edge) {
        for assignment in &edge.assignments {
            let value = view.value(assignment.value);
            let index = assignment.index.map_or(0, |index| view.value(index));
            let scalars = match self.program.variable(assignment.target).scope {
                Scope::Shared => self.shared.get_mut(&assignment.target),
                Scope::Local(_) => self.threads[view.thread].locals.get_mut(&assignment.target),
            };
            let place = scalars.and_then(|scalars| scalars.get_mut(usize::try_from(index).ok()?));
            if let Some(place) = place {
                *place = value;
            }
        }
    }

    fn affect(&mut self, view: &View, edge: &Edge) -> Option<()> {
        let old = view.state;
        let others = (0..old.threads.len()).filter(|&place| place != view.thread);
        match &edge.effect {
            None => {}
            Some(Effect::Spawn { template, arguments }) => {
                let mut thread = new_thread(self.program, *template, &view.step.started);
                for &(target, value) in arguments {
                    thread.locals.insert(target, vec![view.value(value)]);
                }
                self.threads.push(thread);
            }
            Some(Effect::Broadcast(updates)) => {
                for place in others {
                    self.update(view, updates, place);
                }
            }
            Some(Effect::Signal(updates)) => match view.step.signalled {
                Some(number) => {
                    let place = (number as usize).checked_sub(1)?;
                    if place == view.thread || !self.update(view, updates, place) {
                        return None;
                    }
                }
                None => {
                    if others.into_iter().any(|place| self.clone().update(view, updates, place)) {
                        return None;
                    }
                }
            },
        }
        Some(())
    }

    /// Does the first update of a passive thread that is possible; tells whether there is one.
    fn update(&mut self, view: &View, updates: &[PassiveUpdate], place: usize) -> bool {
        let Some(old) = view.state.threads.get(place) else { return false };
        let view = View { state: view.state, step: view.step, thread: view.thread, passive: Some(place) };
        let mut updates = updates.iter().filter(|update| update.template == old.template);
        let Some(update) = updates.find(|update| view.value(update.guard) == 1) else { return false };
        for &(target, value) in &update.assignments {
            self.threads[place].locals.insert(target, vec![view.value(value)]);
        }
        true
    }
}

impl View<'_, '_> {
    /// The value of an expression; all that it is made of is evaluated once.
    fn value(&self, root: ExpressionId) -> u128 {
        let program = self.state.program;
        let mut values: FxHashMap<ExpressionId, u128> = FxHashMap::default();
        let mut open = vec![root];
        while let Some(&id) = open.last() {
            if values.contains_key(&id) {
                open.pop();
                continue;
            }
            let waiting: Vec<ExpressionId> =
                program.expressions.operands(id).filter(|operand| !values.contains_key(operand)).collect();
            if waiting.is_empty() {
                let bits = program.expressions.bits(id);
                let value = self.apply(id, &|operand| values[&operand]) & (u128::MAX >> (128 - bits));
                values.insert(id, value);
            } else {
                open.extend(waiting);
            }
        }
        values[&root]
    }

    fn apply(&self, id: ExpressionId, value: &dyn Fn(ExpressionId) -> u128) -> u128 {
        let program = self.state.program;
        let state = self.state;
        let thread = |number: u128| {
            number.checked_sub(1).and_then(|place| state.threads.get(usize::try_from(place).ok()?))
        };
        match program.expressions.get(id) {
            Expression::Constant(constant) => constant,
            Expression::Variable(variable) => self.scalar(variable, 0, None),
            Expression::Element(variable, index) => self.scalar(variable, value(index), None),
            Expression::Passive(variable) => self.scalar(variable, 0, self.passive),
            Expression::Nondet(nondet) => {
                let chosen = self.step.choices.iter().find(|(other, _)| *other == nondet);
                chosen.map_or(0, |&(_, value)| value)
            }
            Expression::ThisThread => self.thread as u128 + 1,
            Expression::NewThread => state.threads.len() as u128 + 1,
            Expression::HasEnded(a) => u128::from(
                thread(value(a))
                    .is_some_and(|thread| program.location(thread.location).kind == LocationKind::End),
            ),
            Expression::ResultOf(a) => {
                let result = thread(value(a)).and_then(|thread| {
                    let result = program.templates[thread.template.index()].result?;
                    thread.locals.get(&result)?.first().copied()
                });
                result.unwrap_or(0)
            }
            Expression::Unary(UnaryOperator::Not, a) => !value(a),
            Expression::Unary(UnaryOperator::Negate, a) => value(a).wrapping_neg(),
            Expression::Binary(operator, a, b) => {
                crate::value::apply(operator, value(a), value(b), program.expressions.bits(a))
            }
            Expression::IfThenElse(a, b, c) => value(if value(a) == 1 { b } else { c }),
            Expression::Extend { operand, is_signed } => {
                let unused = 128 - program.expressions.bits(operand);
                let value = value(operand);
                if is_signed { ((value << unused).cast_signed() >> unused).cast_unsigned() } else { value }
            }
            Expression::Extract { operand, low } => value(operand) >> low,
        }
    }

    fn scalar(&self, variable: VariableId, index: u128, passive: Option<usize>) -> u128 {
        let scalars = match self.state.program.variable(variable).scope {
            Scope::Shared => self.state.shared.get(&variable),
            Scope::Local(_) => self.state.threads[passive.unwrap_or(self.thread)].locals.get(&variable),
        };
        scalars.and_then(|scalars| scalars.get(usize::try_from(index).ok()?)).copied().unwrap_or(0)
    }
}
