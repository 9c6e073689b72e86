//! The data of a control-flow graph. What it means is said in [`crate::flow`].

use super::body::{Arena, Body};
use super::inline::Graph;
use crate::expression;
use crate::syntax::{self, Symbol};
use rustc_hash::FxHashSet;
use throng_base::names::NameTable;
use throng_base::{Span, define_id};

define_id! {
    /// A location of a program.
    LocationId
}
define_id! {
    /// An expression of a program, by its number.
    ExpressionId
}
define_id! {
    /// An assignment of a program, by its number.
    AssignmentId
}
define_id! {
    /// A function of a program, by its number in the text.
    FunctionId
}
define_id! {
    /// A function with the calls that led to it.
    InstanceId
}

/// A variable, by its number among the shared or among the local ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VariableId {
    /// One for all threads.
    Shared(u32),
    /// One for each thread.
    Local(u32),
}

/// A declared variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: Symbol,
    /// The function it is declared in, if any.
    pub function: Option<FunctionId>,
    /// Where it is declared.
    pub span: Span,
}

/// The value of a variable in an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reference {
    /// Which variable.
    pub variable: VariableId,
    /// Whether it is the value after the step; only in constraints.
    pub is_next: bool,
    /// Whether it is the variable of a passive thread; only in assignments to such variables.
    pub is_passive: bool,
}

/// An expression over variables.
pub type Expression = expression::Expression<Reference>;

/// A variable that is assigned to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    /// Which variable.
    pub variable: VariableId,
    /// Whether it is the variable of every passive thread.
    pub is_passive: bool,
}

/// A parallel assignment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Assignment {
    /// What is assigned to, without repetition.
    pub targets: Vec<Target>,
    /// One value per target.
    pub values: Vec<ExpressionId>,
    /// What old and new values have to satisfy, all of them.
    pub constraints: Vec<ExpressionId>,
}

/// Where a thread can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// The function with its calls; `None` for [`Program::error`].
    pub instance: Option<InstanceId>,
    /// The number of the statement (or condition) in its function.
    pub position: u32,
    /// The statement that is executed next.
    pub span: Span,
    /// Whether no other thread takes steps while one is here.
    pub is_atomic: bool,
}

/// A step of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Where the thread is.
    pub from: LocationId,
    /// Where it goes; `None`: it is gone.
    pub to: Option<LocationId>,
    /// What the statement demands before the step.
    pub guard: Option<ExpressionId>,
    /// What the function demands before each of its steps (`enforce`).
    pub enforced: Option<ExpressionId>,
    /// What changes besides the thread's location.
    pub effect: Effect,
}

/// What a step changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    None,
    /// Variables.
    Assign(AssignmentId),
    /// There is a new thread.
    Start {
        /// Where the new thread is.
        at: LocationId,
        /// The values of its local variables.
        locals: ChildLocals,
    },
}

/// The local variables of a new thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChildLocals {
    /// Those of its parent.
    Copied,
    /// Arbitrary, except for what is assigned: the targets are variables of the child, the values are computed by
    /// the parent.
    Fresh(Option<AssignmentId>),
}

/// A function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: Symbol,
    /// Where its name stands.
    pub span: Span,
    /// Its labels with the positions of their statements, in order.
    pub labels: Vec<(Symbol, u32)>,
}

/// A function with the calls that led to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instance {
    /// The function.
    pub function: FunctionId,
    /// The caller and the position of the call; `None` where a thread starts.
    pub caller: Option<(InstanceId, u32)>,
}

/// A program as a control-flow graph.
#[derive(Clone, Debug)]
pub struct Program {
    names: NameTable,
    shared: Vec<Variable>,
    locals: Vec<Variable>,
    functions: Vec<Function>,
    expressions: Vec<Expression>,
    assignments: Vec<Assignment>,
    graph: Graph,
    /// Names of several variables.
    repeated: FxHashSet<Symbol>,
}

impl Program {
    pub(super) fn new(
        tree: syntax::Program,
        shared: Vec<Variable>,
        locals: Vec<Variable>,
        bodies: Vec<Body>,
        arena: Arena,
        graph: Graph,
    ) -> Self {
        let function = |(function, body): (&syntax::Function, Body)| Function {
            name: function.name.symbol,
            span: function.name.span,
            labels: body.labels,
        };
        let functions = tree.functions.iter().zip(bodies).map(function).collect();
        let (expressions, assignments) = arena.finish();
        Self::made(tree.names, shared, locals, functions, expressions, assignments, graph)
    }

    pub(super) fn made(
        names: NameTable,
        shared: Vec<Variable>,
        locals: Vec<Variable>,
        functions: Vec<Function>,
        expressions: Vec<Expression>,
        assignments: Vec<Assignment>,
        graph: Graph,
    ) -> Self {
        let mut seen = FxHashSet::default();
        let all = shared.iter().chain(&locals).map(|variable| variable.name);
        let repeated = all.filter(|&name| !seen.insert(name)).collect();
        Self { names, shared, locals, functions, expressions, assignments, graph, repeated }
    }

    /// Whether several variables have this name.
    pub(super) fn is_repeated(&self, name: Symbol) -> bool {
        self.repeated.contains(&name)
    }

    /// The shared variables: `VariableId::Shared(i)` is the one with index i.
    pub fn shared(&self) -> &[Variable] {
        &self.shared
    }

    /// The local variables of each thread: `VariableId::Local(i)` is the one with index i.
    pub fn locals(&self) -> &[Variable] {
        &self.locals
    }

    /// What is declared as this variable. The id must be one of this program.
    pub fn variable(&self, id: VariableId) -> Variable {
        match id {
            VariableId::Shared(index) => self.shared[index as usize],
            VariableId::Local(index) => self.locals[index as usize],
        }
    }

    /// The text of a name.
    pub fn text(&self, symbol: Symbol) -> &str {
        self.names.get(symbol.index())
    }

    /// The functions in the order of the text, also those that are never called.
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// The instances of functions, by their ids.
    pub fn instances(&self) -> &[Instance] {
        &self.graph.instances
    }

    /// The locations, by their ids, in the order in which a walk from the entry meets them.
    pub fn locations(&self) -> &[Location] {
        &self.graph.locations
    }

    /// A location.
    pub fn location(&self, id: LocationId) -> Location {
        self.graph.locations[id.index()]
    }

    /// All edges; those from one location stand together.
    pub fn edges(&self) -> &[Edge] {
        &self.graph.edges
    }

    /// The edges from a location.
    pub fn outgoing(&self, from: LocationId) -> &[Edge] {
        let (start, end) = self.graph.outgoing[from.index()];
        &self.graph.edges[start as usize..end as usize]
    }

    /// The number of the first edge from a location; those that follow in [`Self::outgoing`] have the next numbers.
    pub fn first_edge(&self, from: LocationId) -> u32 {
        self.graph.outgoing[from.index()].0
    }

    /// Where threads start.
    pub fn entry(&self) -> LocationId {
        self.graph.entry
    }

    /// Where a thread is after an assertion of its failed. No edge leads away.
    pub fn error(&self) -> LocationId {
        self.graph.error
    }

    /// An expression.
    pub fn expression(&self, id: ExpressionId) -> &Expression {
        &self.expressions[id.index()]
    }

    /// All expressions, by their ids.
    pub fn expressions(&self) -> &[Expression] {
        &self.expressions
    }

    /// An assignment.
    pub fn assignment(&self, id: AssignmentId) -> &Assignment {
        &self.assignments[id.index()]
    }

    /// All assignments, by their ids.
    pub fn assignments(&self) -> &[Assignment] {
        &self.assignments
    }

    /// Whether the program starts threads by itself.
    pub fn starts_threads(&self) -> bool {
        self.graph.edges.iter().any(|edge| matches!(edge.effect, Effect::Start { .. }))
    }

    /// The functions that a thread at a location is in, innermost first. It cannot read the variables of others before
    /// it assigns to them.
    pub fn functions_at(&self, id: LocationId) -> impl Iterator<Item = FunctionId> {
        let instance = |id: InstanceId| self.graph.instances[id.index()];
        let callers =
            std::iter::successors(self.location(id).instance, move |&id| Some(instance(id).caller?.0));
        callers.map(move |id| instance(id).function)
    }

    /// The labels of a location's statement.
    pub fn labels(&self, id: LocationId) -> impl Iterator<Item = &str> {
        let location = self.location(id);
        let labels = location.instance.map_or(&[][..], |instance| {
            let labels = &self.functions[self.graph.instances[instance.index()].function.index()].labels;
            let first = labels.partition_point(|&(_, position)| position < location.position);
            let count = labels[first..].partition_point(|&(_, position)| position == location.position);
            &labels[first..first + count]
        });
        labels.iter().map(|&(symbol, _)| self.text(symbol))
    }

    /// The locations with a label, in any function and instance; `None` if the program has no such label. A label
    /// in code that no thread can reach has no locations.
    pub fn locations_with_label(&self, label: &str) -> Option<Vec<LocationId>> {
        let symbol = Symbol::new(self.names.find(label)?);
        self.functions.iter().flat_map(|function| &function.labels).find(|&&(other, _)| other == symbol)?;
        let ids = LocationId::all(self.graph.locations.len());
        Some(ids.filter(|&id| self.labels(id).any(|other| other == label)).collect())
    }
}
