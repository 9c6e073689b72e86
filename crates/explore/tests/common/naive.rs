//! Tries all interleavings and all arbitrary values, one by one.

use std::collections::{HashSet, VecDeque};
use throng_cfa::flow::*;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Thread {
    pub template: TemplateId,
    pub location: LocationId,
    /// By variable of the program; those of other templates are empty.
    pub locals: Vec<Vec<u128>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub shared: Vec<Vec<u128>>,
    pub threads: Vec<Thread>,
}

pub struct View<'a> {
    pub program: &'a Program,
    pub state: &'a State,
    pub thread: usize,
    pub passive: Option<usize>,
    pub nondets: &'a [u128],
}

fn mask(bits: u32) -> u128 {
    u128::MAX >> (128 - bits)
}

fn signed(value: u128, bits: u32) -> i128 {
    ((value << (128 - bits)) as i128) >> (128 - bits)
}

impl View<'_> {
    pub fn eval(&self, id: ExpressionId) -> u128 {
        let bits = self.program.expressions.bits(id);
        let width = |id| self.program.expressions.bits(id);
        let thread = |number: u128| (number as usize).checked_sub(1).and_then(|n| self.state.threads.get(n));
        let own = &self.state.threads[self.thread].locals;
        let scalars = |variable: VariableId| match self.program.variable(variable).scope {
            Scope::Shared => &self.state.shared[variable.index()],
            Scope::Local(_) => &own[variable.index()],
        };
        let value = match self.program.expressions.get(id) {
            Expression::Constant(value) => value,
            Expression::Variable(variable) => scalars(variable)[0],
            Expression::Element(variable, index) => {
                scalars(variable).get(self.eval(index) as usize).copied().unwrap_or(0)
            }
            Expression::Passive(variable) => {
                self.state.threads[self.passive.expect("a passive thread is looked at")].locals
                    [variable.index()][0]
            }
            Expression::Nondet(nondet) => self.nondets[nondet.index()],
            Expression::ThisThread => self.thread as u128 + 1,
            Expression::NewThread => self.state.threads.len() as u128 + 1,
            Expression::HasEnded(a) => {
                let is_end = |t: &Thread| self.program.location(t.location).kind == LocationKind::End;
                u128::from(thread(self.eval(a)).is_some_and(is_end))
            }
            Expression::ResultOf(a) => thread(self.eval(a))
                .and_then(|t| Some(t.locals[self.program.templates[t.template.index()].result?.index()][0]))
                .unwrap_or(0),
            Expression::Unary(UnaryOperator::Not, a) => !self.eval(a),
            Expression::Unary(UnaryOperator::Negate, a) => self.eval(a).wrapping_neg(),
            Expression::Binary(operator, a, b) => binary(operator, self.eval(a), self.eval(b), width(a)),
            Expression::IfThenElse(a, b, c) => self.eval(if self.eval(a) == 1 { b } else { c }),
            Expression::Extend { operand, is_signed: true } => {
                signed(self.eval(operand), width(operand)) as u128
            }
            Expression::Extend { operand, .. } => self.eval(operand),
            Expression::Extract { operand, low } => self.eval(operand) >> low,
        };
        value & mask(bits)
    }
}

fn binary(operator: BinaryOperator, a: u128, b: u128, bits: u32) -> u128 {
    let (x, y) = (signed(a, bits), signed(b, bits));
    let shift = |f: &dyn Fn(u32) -> u128| if b < u128::from(bits) { f(b as u32) } else { 0 };
    match operator {
        BinaryOperator::Add => a.wrapping_add(b),
        BinaryOperator::Subtract => a.wrapping_sub(b),
        BinaryOperator::Multiply => a.wrapping_mul(b),
        BinaryOperator::UnsignedDivide => a.checked_div(b).unwrap_or(u128::MAX),
        BinaryOperator::UnsignedRemainder => a.checked_rem(b).unwrap_or(a),
        BinaryOperator::SignedDivide => match (x, y) {
            (_, 0) => {
                if x < 0 {
                    1
                } else {
                    u128::MAX
                }
            }
            _ => x.wrapping_div(y) as u128,
        },
        BinaryOperator::SignedRemainder => {
            if y == 0 {
                a
            } else {
                x.wrapping_rem(y) as u128
            }
        }
        BinaryOperator::And => a & b,
        BinaryOperator::Or => a | b,
        BinaryOperator::Xor => a ^ b,
        BinaryOperator::ShiftLeft => shift(&|n| a << n),
        BinaryOperator::ShiftRightLogical => shift(&|n| a >> n),
        BinaryOperator::ShiftRightArithmetic => (x >> b.min(127)) as u128,
        BinaryOperator::Equal => u128::from(a == b),
        BinaryOperator::UnsignedLess => u128::from(a < b),
        BinaryOperator::UnsignedLessOrEqual => u128::from(a <= b),
        BinaryOperator::SignedLess => u128::from(x < y),
        BinaryOperator::SignedLessOrEqual => u128::from(x <= y),
    }
}

/// All initial values of some variables.
fn initial(program: &Program, ids: &[VariableId]) -> Vec<Vec<Vec<u128>>> {
    let mut all = vec![vec![Vec::new(); program.variables.len()]];
    for &id in ids {
        let variable = program.variable(id);
        let mut rows: Vec<Vec<u128>> = vec![Vec::new()];
        for scalar in 0..variable.length as usize {
            let values: Vec<u128> = match &variable.initial {
                Some(initial) => vec![initial[scalar]],
                None => (0..=mask(variable.bits)).collect(),
            };
            rows = rows
                .iter()
                .flat_map(|row| values.iter().map(|&value| [row.as_slice(), &[value]].concat()))
                .collect();
        }
        all = all
            .iter()
            .flat_map(|state| {
                rows.iter().map(|row| {
                    let mut state = state.clone();
                    state[id.index()].clone_from(row);
                    state
                })
            })
            .collect();
    }
    all
}

fn new_threads(program: &Program, template: TemplateId) -> Vec<Thread> {
    let data = &program.templates[template.index()];
    initial(program, &data.locals)
        .into_iter()
        .map(|locals| Thread { template, location: data.entry, locals })
        .collect()
}

/// The first possible update of a passive thread.
fn update(view: &View, updates: &[PassiveUpdate], place: usize, next: &mut State) -> bool {
    let view = View { passive: Some(place), ..*view };
    let template = view.state.threads[place].template;
    let mut updates = updates.iter().filter(|update| update.template == template);
    let Some(update) = updates.find(|update| view.eval(update.guard) == 1) else { return false };
    for &(target, value) in &update.assignments {
        next.threads[place].locals[target.index()][0] = view.eval(value);
    }
    true
}

/// The states after a step with these arbitrary values.
fn after(program: &Program, state: &State, thread: usize, edge: &Edge, nondets: &[u128]) -> Vec<State> {
    let view = View { program, state, thread, passive: None, nondets };
    if view.eval(edge.guard) != 1 {
        return Vec::new();
    }
    let mut next = state.clone();
    for assignment in &edge.assignments {
        let index = assignment.index.map_or(0, |index| view.eval(index));
        let scalars = match program.variable(assignment.target).scope {
            Scope::Shared => &mut next.shared[assignment.target.index()],
            Scope::Local(_) => &mut next.threads[thread].locals[assignment.target.index()],
        };
        if let Some(place) = scalars.get_mut(index as usize) {
            *place = view.eval(assignment.value);
        }
    }
    next.threads[thread].location = edge.to;
    let others = (0..state.threads.len()).filter(|&place| place != thread);
    match &edge.effect {
        None => vec![next],
        Some(Effect::Spawn { template, arguments }) => new_threads(program, *template)
            .into_iter()
            .map(|mut new| {
                for &(target, value) in arguments {
                    new.locals[target.index()][0] = view.eval(value);
                }
                let mut next = next.clone();
                next.threads.push(new);
                next
            })
            .collect(),
        Some(Effect::Broadcast(updates)) => {
            for place in others {
                update(&view, updates, place, &mut next);
            }
            vec![next]
        }
        Some(Effect::Signal(updates)) => {
            let mut all = Vec::new();
            for place in others {
                let mut woken = next.clone();
                if update(&view, updates, place, &mut woken) {
                    all.push(woken);
                }
            }
            if all.is_empty() { vec![next] } else { all }
        }
    }
}

/// All arbitrary values that an edge can choose; `None` if there are too many.
fn choices(program: &Program, edge: &Edge, most: usize) -> Option<Vec<Vec<u128>>> {
    let mut all = vec![vec![0; program.nondets.len()]];
    for id in program.expressions.subexpressions(edge.expressions()) {
        let Expression::Nondet(nondet) = program.expressions.get(id) else { continue };
        let values = 0..=mask(program.nondets[nondet.index()].bits);
        let with = |row: &Vec<u128>, value| {
            let mut row = row.clone();
            row[nondet.index()] = value;
            row
        };
        all = all.iter().flat_map(|row| values.clone().map(move |value| with(row, value))).collect();
        if all.len() > most {
            return None;
        }
    }
    Some(all)
}

/// The states that are reached with up to so many threads in which all threads are at such locations; `None` if there
/// are too many states.
pub fn states_at(
    program: &Program,
    is_meant: impl Fn(LocationId) -> bool,
    n_threads: usize,
    most: usize,
) -> Option<HashSet<State>> {
    let mut all = HashSet::new();
    reaches(program, n_threads, most, |state| {
        if state.threads.iter().all(|thread| is_meant(thread.location)) {
            all.insert(state.clone());
        }
        false
    })?;
    Some(all)
}

/// Whether an error can be reached with up to so many threads; `None` if there are too many states.
pub fn reaches_error(program: &Program, n_threads: usize, most: usize) -> Option<bool> {
    let kind = |thread: &Thread| program.location(thread.location).kind;
    reaches(program, n_threads, most, |state| {
        state.threads.iter().any(|thread| matches!(kind(thread), LocationKind::Error(_)))
    })
}

/// Whether such a state can be reached with up to so many threads; `None` if there are too many states.
pub fn reaches(
    program: &Program,
    n_threads: usize,
    most: usize,
    mut is_meant: impl FnMut(&State) -> bool,
) -> Option<bool> {
    let shared: Vec<VariableId> = VariableId::all(program.variables.len())
        .filter(|&id| program.variable(id).scope == Scope::Shared)
        .collect();
    let choices: Vec<Vec<Vec<u128>>> =
        program.edges.iter().map(|edge| choices(program, edge, most)).collect::<Option<_>>()?;
    let mut open: VecDeque<State> = VecDeque::new();
    for shared in initial(program, &shared) {
        for thread in new_threads(program, program.main) {
            open.push_back(State { shared: shared.clone(), threads: vec![thread] });
        }
    }
    let mut seen: HashSet<State> = open.iter().cloned().collect();
    while let Some(state) = open.pop_front() {
        let kind = |thread: &Thread| program.location(thread.location).kind;
        if is_meant(&state) {
            return Some(true);
        }
        if seen.len() > most {
            return None;
        }
        for (place, thread) in state.threads.iter().enumerate() {
            let mut others = state.threads.iter().enumerate().filter(|(other, _)| *other != place);
            if kind(thread) != LocationKind::Inner
                || others.any(|(_, other)| program.location(other.location).is_atomic)
            {
                continue;
            }
            for (id, edge) in program.edges_from(thread.location) {
                let is_start = matches!(edge.effect, Some(Effect::Spawn { .. }));
                if is_start && state.threads.len() >= n_threads {
                    continue;
                }
                for nondets in &choices[id.index()] {
                    for next in after(program, &state, place, edge, nondets) {
                        if seen.insert(next.clone()) {
                            open.push_back(next);
                        }
                    }
                }
            }
        }
    }
    Some(false)
}
