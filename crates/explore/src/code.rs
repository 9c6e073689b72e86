//! Edges in the form in which they are run: expressions as lists of operations over numbered slots, variables as places
//! in rows. Only what matters is there (see [`crate::layout`]).

use crate::layout::{self, Layout};
use rustc_hash::FxHashMap;
use throng_cfa::flow::{
    BinaryOperator, Edge, EdgeId, Effect, Expression, ExpressionId, LocationKind, NondetId, PassiveUpdate,
    Program, Scope, TemplateId, UnaryOperator, VariableId,
};

/// Where a word is: in the shared row or in a thread's own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) is_shared: bool,
    pub(crate) first: u32,
    /// How many scalars the variable has.
    pub(crate) length: u32,
}

/// An operation; operands are slots with smaller numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operation {
    Constant(u128),
    Load(Place),
    LoadAt(Place, u32),
    LoadPassive(u32),
    Nondet(NondetId),
    ThisThread,
    NewThread,
    HasEnded(u32),
    ResultOf(u32),
    Unary(UnaryOperator, u32),
    Binary(BinaryOperator, u32, u32),
    IfThenElse(u32, u32, u32),
    ZeroExtend(u32),
    SignExtend(u32),
    Extract(u32, u32),
}

/// Operations with the widths of their results.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    pub(crate) operations: Vec<(Operation, u32)>,
    slots: FxHashMap<ExpressionId, u32>,
}

/// An assignment: where, at which index, and which slot has the value.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    pub(crate) place: Place,
    pub(crate) bits: u32,
    pub(crate) index: Option<u32>,
    pub(crate) value: u32,
}

/// What happens to a passive thread.
#[derive(Clone, Debug)]
pub(crate) struct Update {
    pub(crate) template: TemplateId,
    pub(crate) code: Code,
    pub(crate) guard: u32,
    /// Words of the passive thread's row, the width, and the slots of their new values.
    pub(crate) stores: Vec<(u32, u32, u32)>,
}

/// What an edge does to threads.
#[derive(Clone, Debug)]
pub(crate) enum Consequence {
    /// A thread starts: words of its row and the slots of their values.
    Start(TemplateId, Vec<(u32, u32)>),
    Broadcast(Vec<Update>),
    Signal(Vec<Update>),
}

/// An edge.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) edge: EdgeId,
    pub(crate) to: u32,
    /// The last slot is the guard; empty if it is always true.
    pub(crate) guard: Code,
    pub(crate) body: Code,
    pub(crate) stores: Vec<Store>,
    pub(crate) consequence: Option<Consequence>,
}

impl Step {
    /// Whether it starts a thread.
    pub(crate) fn starts(&self) -> bool {
        matches!(self.consequence, Some(Consequence::Start(..)))
    }
}

/// What a location is, for running.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub(crate) template: TemplateId,
    pub(crate) is_atomic: bool,
    pub(crate) is_end: bool,
    pub(crate) is_error: bool,
    /// Its steps.
    pub(crate) steps: (u32, u32),
}

/// A program in the form in which it is run.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) steps: Vec<Step>,
    /// By location, and after them one for each template: where its threads are that have nothing more to do.
    pub(crate) points: Vec<Point>,
    /// The location of threads of the first template that have nothing more to do.
    pub(crate) first_gone: u32,
    /// By template: the word and the width of the result.
    pub(crate) results: Vec<Option<(u32, u32)>>,
}

impl Compiled {
    /// Compiles a program.
    pub(crate) fn new(program: &Program, layout: &Layout) -> Self {
        let edges = program.edges.iter().enumerate();
        let mut points: Vec<Point> = program.locations.iter().map(point).collect();
        let first_gone = u32::try_from(points.len()).expect("fewer than 2^32 locations");
        points.extend(TemplateId::all(program.templates.len()).map(|template| Point {
            template,
            is_atomic: false,
            is_end: false,
            is_error: false,
            steps: (0, 0),
        }));
        let result = |variable: VariableId| {
            layout.keeps(variable).then(|| (layout.offset[variable.index()], program.variable(variable).bits))
        };
        Self {
            steps: edges.map(|(id, edge)| step(program, layout, EdgeId::new(id), edge)).collect(),
            points,
            first_gone,
            results: program.templates.iter().map(|template| template.result.and_then(result)).collect(),
        }
    }

    /// Where threads are that have nothing more to do.
    pub(crate) fn gone(&self, template: TemplateId) -> u32 {
        self.first_gone + template.raw()
    }
}

fn point(location: &throng_cfa::flow::Location) -> Point {
    let (first, count) = location.edges;
    Point {
        template: location.template,
        is_atomic: location.is_atomic,
        is_end: location.kind == LocationKind::End,
        is_error: matches!(location.kind, LocationKind::Error(_)),
        steps: if location.kind == LocationKind::Inner { (first.raw(), count) } else { (0, 0) },
    }
}

fn step(program: &Program, layout: &Layout, id: EdgeId, edge: &Edge) -> Step {
    let mut guard = Code::default();
    if program.expressions.get(edge.guard) != Expression::Constant(1) {
        guard.add(program, layout, edge.guard);
    }
    let mut body = Code::default();
    let kept = edge.assignments.iter().filter(|assignment| layout.keeps(assignment.target));
    let stores = kept.map(|assignment| Store {
        place: place(program, layout, assignment.target),
        bits: program.variable(assignment.target).bits,
        index: assignment.index.map(|index| body.add(program, layout, index)),
        value: body.add(program, layout, assignment.value),
    });
    let stores = stores.collect();
    let updates = |list: &[PassiveUpdate]| -> Vec<Update> {
        list.iter().map(|item| update(program, layout, item)).collect()
    };
    let is_nothing = |list: &[Update]| list.iter().all(|update| update.stores.is_empty());
    let consequence = match &edge.effect {
        None => None,
        Some(Effect::Spawn { template, arguments }) => {
            let kept = arguments.iter().filter(|(target, _)| layout.keeps(*target));
            let stores = kept
                .map(|&(target, value)| (layout.offset[target.index()], body.add(program, layout, value)));
            Some(Consequence::Start(*template, stores.collect()))
        }
        Some(Effect::Broadcast(list)) => {
            Some(updates(list)).filter(|l| !is_nothing(l)).map(Consequence::Broadcast)
        }
        Some(Effect::Signal(list)) => Some(updates(list)).filter(|l| !is_nothing(l)).map(Consequence::Signal),
    };
    Step { edge: id, to: edge.to.raw(), guard, body, stores, consequence }
}

fn update(program: &Program, layout: &Layout, update: &PassiveUpdate) -> Update {
    let mut code = Code::default();
    let guard = code.add(program, layout, update.guard);
    let kept = update.assignments.iter().filter(|(target, _)| layout.keeps(*target));
    let stores = kept.map(|&(target, value)| {
        let value = code.add(program, layout, value);
        (layout.offset[target.index()], program.variable(target).bits, value)
    });
    let stores = stores.collect();
    Update { template: update.template, code, guard, stores }
}

fn place(program: &Program, layout: &Layout, id: VariableId) -> Place {
    let variable = program.variable(id);
    Place {
        is_shared: variable.scope == Scope::Shared,
        first: layout.offset[id.index()],
        length: variable.length,
    }
}

impl Code {
    /// Adds an expression with all that it is made of; returns the slot of its value.
    fn add(&mut self, program: &Program, layout: &Layout, root: ExpressionId) -> u32 {
        for id in layout::subexpressions(program, [root]) {
            if !self.slots.contains_key(&id) {
                let operation = self.operation(program, layout, id);
                let slot = u32::try_from(self.operations.len()).expect("fewer than 2^32 operations");
                self.operations.push((operation, program.expressions.bits(id)));
                self.slots.insert(id, slot);
            }
        }
        self.slots[&root]
    }

    fn operation(&self, program: &Program, layout: &Layout, id: ExpressionId) -> Operation {
        let slot = |id: ExpressionId| self.slots[&id];
        match program.expressions.get(id) {
            Expression::Constant(value) => Operation::Constant(value),
            Expression::Variable(variable) => Operation::Load(place(program, layout, variable)),
            Expression::Element(variable, index) => {
                Operation::LoadAt(place(program, layout, variable), slot(index))
            }
            Expression::Passive(variable) => Operation::LoadPassive(layout.offset[variable.index()]),
            Expression::Nondet(nondet) => Operation::Nondet(nondet),
            Expression::ThisThread => Operation::ThisThread,
            Expression::NewThread => Operation::NewThread,
            Expression::HasEnded(a) => Operation::HasEnded(slot(a)),
            Expression::ResultOf(a) => Operation::ResultOf(slot(a)),
            Expression::Unary(operator, a) => Operation::Unary(operator, slot(a)),
            Expression::Binary(operator, a, b) => Operation::Binary(operator, slot(a), slot(b)),
            Expression::IfThenElse(a, b, c) => Operation::IfThenElse(slot(a), slot(b), slot(c)),
            Expression::Extend { operand, is_signed: false } => Operation::ZeroExtend(slot(operand)),
            Expression::Extend { operand, is_signed: true } => Operation::SignExtend(slot(operand)),
            Expression::Extract { operand, low } => Operation::Extract(slot(operand), low),
        }
    }
}
