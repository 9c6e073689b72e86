//! Parts of a control-flow graph as text, in the syntax of programs.

use super::graph::{
    AssignmentId, ChildLocals, Edge, Effect, ExpressionId, InstanceId, Location, LocationId, Program,
    VariableId,
};
use crate::print::print_expression;

impl Program {
    /// A variable as users see it: its name, with the function's before it where another variable has the same
    /// name.
    pub fn variable_text(&self, id: VariableId) -> String {
        let variable = self.variable(id);
        let name = self.text(variable.name);
        match variable.function.filter(|_| self.is_repeated(variable.name)) {
            Some(function) => format!("{}.{name}", self.text(self.functions()[function.index()].name)),
            None => name.to_owned(),
        }
    }

    /// An expression.
    pub fn expression_text(&self, id: ExpressionId) -> String {
        let mut text = String::new();
        print_expression(self.expression(id), &mut text, |reference, text| {
            text.push_str(if reference.is_next { "'" } else { "" });
            text.push_str(&self.variable_text(reference.variable));
            text.push_str(if reference.is_passive { "$" } else { "" });
        });
        text
    }

    /// An assignment.
    pub fn assignment_text(&self, id: AssignmentId) -> String {
        let assignment = self.assignment(id);
        let targets = assignment
            .targets
            .iter()
            .map(|target| self.variable_text(target.variable) + if target.is_passive { "$" } else { "" });
        let targets: Vec<String> = targets.collect();
        let values: Vec<String> =
            assignment.values.iter().map(|&value| self.expression_text(value)).collect();
        let constraints =
            assignment.constraints.iter().map(|&it| format!(" constrain {}", self.expression_text(it)));
        format!("{} := {}{}", targets.join(", "), values.join(", "), constraints.collect::<String>())
    }

    /// What a step demands and changes.
    pub fn edge_text(&self, edge: Edge) -> String {
        let conditions = edge.enforced.into_iter().chain(edge.guard);
        let mut parts: Vec<String> =
            conditions.map(|condition| format!("assume({})", self.expression_text(condition))).collect();
        match edge.effect {
            Effect::None => {}
            Effect::Assign(assignment) => parts.push(self.assignment_text(assignment)),
            Effect::Start { at, locals } => {
                let locals = match locals {
                    ChildLocals::Copied => " with a copy of the local variables".to_owned(),
                    ChildLocals::Fresh(None) => String::new(),
                    ChildLocals::Fresh(Some(arguments)) => {
                        format!(" with {}", self.assignment_text(arguments))
                    }
                };
                parts.push(format!("start_thread at {}{locals}", self.location_text(at)));
            }
        }
        if edge.to.is_none() {
            parts.push("end_thread".to_owned());
        }
        parts.join("; ")
    }

    /// A location: the function and the number of its statement, with the calls that led there before it. `main:7/f:3`
    /// is the statement with number 3 of `f`, called by the statement with number 7 of `main`. No two locations have the
    /// same text.
    pub fn location_text(&self, id: LocationId) -> String {
        let Location { instance, position, is_atomic, .. } = self.location(id);
        let Some(instance) = instance else { return "error".to_owned() };
        let mut steps = vec![(instance, position)];
        while let Some(call) = self.instances()[steps[steps.len() - 1].0.index()].caller {
            steps.push(call);
        }
        let step = |&(instance, position): &(InstanceId, u32)| {
            let function = self.instances()[instance.index()].function;
            format!("{}:{position}", self.text(self.functions()[function.index()].name))
        };
        let steps: Vec<String> = steps.iter().rev().map(step).collect();
        let atomic = if is_atomic { " (atomic)" } else { "" };
        format!("{}{atomic}", steps.join("/"))
    }
}
