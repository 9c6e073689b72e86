//! Programs that are made, not read: for tools whose results are Boolean programs.
//!
//! A made program is one function, `main`. Its locations have labels and no place in a text.

use super::graph::{
    Assignment, AssignmentId, Edge, Effect, Expression, ExpressionId, Function, FunctionId, Instance,
    InstanceId, Location, LocationId, Program, Variable, VariableId,
};
use super::inline::Graph;
use crate::syntax::Symbol;
use throng_base::Span;
use throng_base::names::NameTable;

/// A program in the making.
#[derive(Debug)]
pub struct Maker {
    names: NameTable,
    shared: Vec<Variable>,
    locals: Vec<Variable>,
    labels: Vec<(Symbol, u32)>,
    locations: Vec<Location>,
    edges: Vec<Edge>,
    expressions: Vec<Expression>,
    assignments: Vec<Assignment>,
}

impl Default for Maker {
    fn default() -> Self {
        Self {
            names: NameTable::default(),
            shared: Vec::new(),
            locals: Vec::new(),
            labels: Vec::new(),
            locations: Vec::new(),
            edges: Vec::new(),
            expressions: vec![Expression::choice()],
            assignments: Vec::new(),
        }
    }
}

impl Maker {
    /// The expression `*`.
    pub const CHOICE: ExpressionId = ExpressionId::new(0);

    fn variable(&mut self, name: &str) -> Variable {
        Variable { name: self.symbol(name), function: None, span: Span::new(0, 0) }
    }

    fn symbol(&mut self, name: &str) -> Symbol {
        Symbol::new(self.names.insert(name).0)
    }

    /// A new shared variable.
    pub fn shared(&mut self, name: &str) -> VariableId {
        let variable = self.variable(name);
        self.shared.push(variable);
        VariableId::Shared(self.shared.len() as u32 - 1)
    }

    /// A new variable of each thread.
    pub fn local(&mut self, name: &str) -> VariableId {
        let variable = self.variable(name);
        self.locals.push(variable);
        VariableId::Local(self.locals.len() as u32 - 1)
    }

    /// A new location.
    pub fn location(&mut self, label: &str, is_atomic: bool) -> LocationId {
        let position = self.locations.len() as u32;
        let symbol = self.symbol(label);
        self.labels.push((symbol, position));
        let instance = Some(InstanceId::new(0));
        self.locations.push(Location { instance, position, span: Span::new(0, 0), is_atomic });
        LocationId::new(position as usize)
    }

    /// An expression.
    pub fn expression(&mut self, expression: Expression) -> ExpressionId {
        self.expressions.push(expression);
        ExpressionId::new(self.expressions.len() - 1)
    }

    /// An assignment.
    pub fn assignment(&mut self, assignment: Assignment) -> AssignmentId {
        self.assignments.push(assignment);
        AssignmentId::new(self.assignments.len() - 1)
    }

    /// A step from one location to another.
    pub fn edge(&mut self, from: LocationId, to: LocationId, effect: Effect) {
        self.edges.push(Edge { from, to: Some(to), guard: None, enforced: None, effect });
    }

    /// The program, and for each of its edges which one in the order of making it is.
    pub fn finish(mut self, entry: LocationId, error: LocationId) -> (Program, Vec<usize>) {
        let mut order: Vec<usize> = (0..self.edges.len()).collect();
        order.sort_by_key(|&index| self.edges[index].from);
        let edges: Vec<Edge> = order.iter().map(|&index| self.edges[index]).collect();
        let mut outgoing = vec![(0, 0); self.locations.len()];
        let mut start = 0;
        for (index, range) in outgoing.iter_mut().enumerate() {
            let count = edges[start..].iter().take_while(|edge| edge.from.index() == index).count();
            *range = (start as u32, (start + count) as u32);
            start += count;
        }
        let (function, name) = (FunctionId::new(0), self.symbol("main"));
        let instances = vec![Instance { function, caller: None }];
        let graph = Graph { instances, locations: self.locations, edges, outgoing, entry, error };
        let functions = vec![Function { name, span: Span::new(0, 0), labels: self.labels }];
        let Self { names, shared, locals, expressions, assignments, .. } = self;
        (Program::made(names, shared, locals, functions, expressions, assignments, graph), order)
    }
}
