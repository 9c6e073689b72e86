//! What a trace says about points and arbitrary values, thread by thread.

use crate::rewrite::{Fill, Key, Rewritten, key};
use rustc_hash::{FxHashMap, FxHashSet};
use throng_cfa::flow::{
    Assignment, EdgeId, Effect, Expression, LocationKind, NondetId, Program, PropertyId, Scope, ValueType,
};
use throng_cfa::trace::{Trace, TraceStep};

/// A step: whose, and which points it passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) thread: u32,
    pub(crate) points: Vec<u32>,
    /// What a call that may time out returns.
    pub(crate) result: u32,
}

/// An arbitrary value of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    pub(crate) thread: u32,
    pub(crate) point: u32,
    pub(crate) part: usize,
    /// As a constant expression of C.
    pub(crate) text: String,
}

/// In which order a thread evaluates operands, the next time that it comes to a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    pub(crate) thread: u32,
    pub(crate) site: usize,
    /// The numbers of the operands, four bits each, the first one lowest.
    pub(crate) code: u64,
}

/// A thread that the starter of `--threads-run` starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Started {
    pub(crate) function: String,
    pub(crate) arguments: Vec<String>,
}

/// The schedule of a trace.
#[derive(Clone, Debug, Default)]
pub(crate) struct Schedule {
    pub(crate) steps: Vec<Step>,
    pub(crate) values: Vec<Value>,
    pub(crate) orders: Vec<Order>,
    /// The thread that fails, and what.
    pub(crate) failing: u32,
    pub(crate) property: Option<PropertyId>,
    /// Values of variables at the start: how they are written, and the value.
    pub(crate) start: Vec<(String, String)>,
    /// For `--threads-run`: who is started, in order.
    pub(crate) started: Vec<Started>,
    /// The value of `argc`, if it matters.
    pub(crate) argc: Option<u128>,
    /// What is not as in the trace, in sentences.
    pub(crate) notes: Vec<String>,
}

/// The number of the point of the starter of `--threads-run`.
pub(crate) const STARTER: u32 = 0x7fff_ffff;

/// The scalars that declarations leave arbitrary, by declaration.
pub(crate) fn fills(program: &Program) -> FxHashMap<Key, Vec<Fill>> {
    let mut fills: FxHashMap<Key, Vec<Fill>> = FxHashMap::default();
    for edge in &program.edges {
        for assignment in &edge.assignments {
            let Some(nondet) = nondet_of(program, assignment) else { continue };
            let Some(span) = program.origins.of_nondet(nondet) else { continue };
            let Some(lvalue) = lvalue(program, assignment) else { continue };
            let known = fills.entry(key(span)).or_default();
            let fill = Fill { lvalue };
            if !known.contains(&fill) {
                known.push(fill);
            }
        }
    }
    fills
}

/// The arbitrary value that is assigned as it is.
fn nondet_of(program: &Program, assignment: &Assignment) -> Option<NondetId> {
    match program.expressions.get(assignment.value) {
        Expression::Nondet(nondet) => Some(nondet),
        Expression::Extend { operand, .. } => match program.expressions.get(operand) {
            Expression::Nondet(nondet) => Some(nondet),
            _ => None,
        },
        _ => None,
    }
}

/// How the scalar that is assigned is written in C; `None` if it has no name there or no address.
fn lvalue(program: &Program, assignment: &Assignment) -> Option<String> {
    let variable = program.variable(assignment.target);
    let has_bytes = variable.bits.is_multiple_of(8) || variable.ty == ValueType::Bool;
    if variable.is_ghost || !has_bytes || variable.name.contains([' ', '(']) {
        return None;
    }
    let index = match assignment.index {
        Some(index) => Some(program.expressions.as_constant(index)?),
        None => None,
    };
    element(&variable.name, index)
}

/// `ring[].next` at 2 is `ring[2].next`.
fn element(name: &str, index: Option<u128>) -> Option<String> {
    match (name.matches("[]").count(), index) {
        (0, None | Some(0)) => Some(name.to_owned()),
        (1, index) => Some(name.replacen("[]", &format!("[{}]", index.unwrap_or(0)), 1)),
        _ => None,
    }
}

/// A value as a constant expression: addresses of global objects by their names.
fn constant(program: &Program, value: u128, ty: &ValueType) -> String {
    if *ty == ValueType::Pointer && value != 0 {
        let name = program.address_name(value);
        let is_global = |name: &str| {
            let object = name.split(['[', '.']).next().unwrap_or(name);
            program.variables.iter().any(|variable| {
                let own = variable.name.split(['[', '.']).next().unwrap_or_default();
                own == object && variable.function.is_none() && variable.scope == Scope::Shared
            })
        };
        if name.strip_prefix('&').is_some_and(is_global)
            || program.layout.functions.iter().any(|f| f.0 == name)
        {
            return format!("(unsigned long)({name})");
        }
    }
    format!("{}ULL", value as u64)
}

/// The operands that a trace does not always evaluate from left to right.
pub(crate) fn reordered(program: &Program, trace: &Trace) -> Vec<Vec<Key>> {
    let mut found = Vec::new();
    for order in trace.steps.iter().flat_map(|step| program.origins.orders_of(step.edge)) {
        let order: Vec<Key> = order.iter().map(|&span| key(span)).collect();
        let mut sorted = order.clone();
        sorted.sort_unstable();
        if sorted != order && !found.contains(&sorted) {
            found.push(sorted);
        }
    }
    found
}

/// The schedule of a trace.
pub(crate) fn schedule(
    program: &Program,
    trace: &Trace,
    rewritten: &Rewritten,
    fills: &FxHashMap<Key, Vec<Fill>>,
) -> Schedule {
    let mut maker =
        Maker { program, rewritten, fills, schedule: Schedule::default(), current: FxHashMap::default() };
    maker.initial(trace);
    for step in &trace.steps {
        maker.values(step);
        maker.orders(step);
        maker.step(step);
    }
    maker.end(trace);
    maker.schedule
}

struct Maker<'a> {
    program: &'a Program,
    rewritten: &'a Rewritten,
    fills: &'a FxHashMap<Key, Vec<Fill>>,
    schedule: Schedule,
    /// By thread: the block that it is in, the edges it has taken of it, and the step that stands for it.
    current: FxHashMap<u32, (u32, FxHashSet<EdgeId>, usize)>,
}

impl Maker<'_> {
    fn initial(&mut self, trace: &Trace) {
        for &(variable, scalar, value) in trace.start.iter().filter(|start| start.2 != 0) {
            let variable = self.program.variable(variable);
            let name = element(&variable.name, (variable.length > 1).then_some(u128::from(scalar)));
            match name.filter(|_| variable.scope == Scope::Shared && !variable.is_ghost) {
                Some(name) => {
                    let value = constant(self.program, value, &variable.ty);
                    self.schedule.start.push((name, value));
                }
                None => self.note(format!("`{}` does not start with {value}", variable.name)),
            }
        }
    }

    fn note(&mut self, text: String) {
        if !self.schedule.notes.contains(&text) {
            self.schedule.notes.push(text);
        }
    }

    /// The arbitrary values of a step.
    fn values(&mut self, step: &TraceStep) {
        let program = self.program;
        let edge = program.edge(step.edge);
        if let Some(Effect::Spawn { template, arguments }) = &edge.effect
            && program.location(edge.from).template == program.main
            && program.origins.of_edge(step.edge).is_empty()
        {
            let arguments = arguments.iter().map(|&(variable, value)| {
                let value = match program.expressions.get(value) {
                    Expression::Nondet(nondet) => chosen(step, nondet),
                    _ => 0,
                };
                let ty = &program.variable(variable).ty;
                let text = constant(program, value, ty);
                if *ty == ValueType::Pointer { format!("(void *){text}") } else { text }
            });
            let function = program.templates[template.index()].name.clone();
            self.schedule.started.push(Started { function, arguments: arguments.collect() });
            return;
        }
        for id in program.expressions.subexpressions(edge.expressions()) {
            let Expression::Nondet(nondet) = program.expressions.get(id) else { continue };
            let value = chosen(step, nondet);
            let info = &program.nondets[nondet.index()];
            let span = program.origins.of_nondet(nondet);
            let point = span.and_then(|span| self.rewritten.by_span.get(&key(span)).map(|&p| (span, p)));
            let Some((span, point)) = point else {
                if info.name == "argc" {
                    self.schedule.argc = Some(value);
                } else if value != 0 {
                    self.note(format!(
                        "the arbitrary value {} (`{}`) has no place in the text",
                        value, info.name
                    ));
                }
                continue;
            };
            let assigned = edge.assignments.iter().find(|a| nondet_of(program, a) == Some(nondet));
            let lvalue = assigned.and_then(|a| lvalue(program, a));
            let fills = self.fills.get(&key(span));
            let part =
                fills.zip(lvalue).and_then(|(fills, lvalue)| fills.iter().position(|f| f.lvalue == lvalue));
            let text = constant(program, value, &info.ty);
            let part = part.unwrap_or(0);
            self.schedule.values.push(Value { thread: step.thread, point, part, text });
        }
    }

    /// The orders of operands that are chosen in a step.
    fn orders(&mut self, step: &TraceStep) {
        for order in self.program.origins.orders_of(step.edge) {
            let order: Vec<Key> = order.iter().map(|&span| key(span)).collect();
            let sites = self.rewritten.sites.iter();
            let Some(site) = sites.clone().position(|site| order.iter().all(|it| site.contains(it))) else {
                continue;
            };
            let operands = &self.rewritten.sites[site];
            let rest = operands.iter().filter(|operand| !order.contains(operand));
            let numbers = order.iter().chain(rest).filter_map(|it| operands.iter().position(|o| o == it));
            let code =
                numbers.enumerate().fold(0, |code, (place, number)| code | (number as u64) << (4 * place));
            self.schedule.orders.push(Order { thread: step.thread, site, code });
        }
    }

    fn step(&mut self, step: &TraceStep) {
        let spans = self.program.origins.of_edge(step.edge);
        let mut points: Vec<u32> =
            spans.iter().filter_map(|&span| self.rewritten.by_span.get(&key(span)).copied()).collect();
        points.retain(|point| !self.rewritten.quiet.contains(point));
        points.dedup();
        let edge = self.program.edge(step.edge);
        let is_starter = matches!(edge.effect, Some(Effect::Spawn { .. })) && spans.is_empty();
        if is_starter {
            points.push(STARTER);
        }
        let Some(&first) = points.first() else { return };
        let is_block = points.iter().all(|&point| point == first) && self.rewritten.blocks.contains(&first);
        if is_block && self.goes_on(step, first) {
            return;
        }
        self.current.remove(&step.thread);
        let number = self.schedule.steps.len();
        if is_block {
            self.current.insert(step.thread, (first, [step.edge].into_iter().collect(), number));
        }
        let result = if edge.assignments.iter().any(|a| self.is_timeout(a)) { 110 } else { 0 };
        self.schedule.steps.push(Step { thread: step.thread, points, result });
    }

    /// Whether a step is one more of those that the text makes at once.
    fn goes_on(&mut self, step: &TraceStep, point: u32) -> bool {
        let n_steps = self.schedule.steps.len();
        let Some((block, edges, number)) = self.current.get_mut(&step.thread) else { return false };
        if *block != point || !edges.insert(step.edge) {
            return false;
        }
        if *number + 1 != n_steps {
            let text = "an object is copied member by member in the interleaving, with steps of others in between, and at once here";
            self.note(text.to_owned());
        }
        true
    }

    fn is_timeout(&self, assignment: &Assignment) -> bool {
        self.program.variable(assignment.target).is_ghost
            && self.program.expressions.as_constant(assignment.value) == Some(110)
    }

    /// Who fails.
    fn end(&mut self, trace: &Trace) {
        let error = |location| match self.program.location(location).kind {
            LocationKind::Error(property) => Some(property),
            _ => None,
        };
        let Some(last) = trace.steps.last() else {
            // It fails before it has done anything.
            self.schedule.failing = 1;
            self.schedule.property = error(self.program.templates[self.program.main.index()].entry);
            return;
        };
        let edge = self.program.edge(last.edge);
        self.schedule.failing = last.thread;
        self.schedule.property = error(edge.to);
        if let (None, Some(Effect::Spawn { template, .. })) = (self.schedule.property, &edge.effect) {
            self.schedule.property = error(self.program.templates[template.index()].entry);
            let n_starts = trace
                .steps
                .iter()
                .filter(|step| matches!(self.program.edge(step.edge).effect, Some(Effect::Spawn { .. })));
            self.schedule.failing = n_starts.count() as u32 + 1;
        }
    }
}

fn chosen(step: &TraceStep, nondet: NondetId) -> u128 {
    step.choices.iter().find(|choice| choice.0 == nondet).map_or(0, |choice| choice.1)
}
