//! Functions before inlining: lists of instructions with variables and labels instead of names.

use super::graph::{Assignment, AssignmentId, Expression, ExpressionId, FunctionId, Target};
use crate::syntax::Symbol;
use throng_base::Span;

/// The expressions and assignments of a program. Instances of a function share them.
#[derive(Debug)]
pub(super) struct Arena {
    expressions: Vec<Expression>,
    assignments: Vec<Assignment>,
}

impl Arena {
    /// The expression `*`.
    pub(super) const CHOICE: ExpressionId = ExpressionId::new(0);

    pub(super) fn new() -> Self {
        Self { expressions: vec![Expression::choice()], assignments: Vec::new() }
    }

    pub(super) fn expression(&mut self, expression: Expression) -> ExpressionId {
        // Sources are below 4 GiB and an expression is at least one byte of them, so ids suffice.
        self.expressions.push(expression);
        ExpressionId::new(self.expressions.len() - 1)
    }

    pub(super) fn assignment(&mut self, assignment: Assignment) -> AssignmentId {
        self.assignments.push(assignment);
        AssignmentId::new(self.assignments.len() - 1)
    }

    /// What there is now.
    pub(super) fn end(&self) -> (usize, usize) {
        (self.expressions.len(), self.assignments.len())
    }

    /// Forgets what was added since then.
    pub(super) fn truncate(&mut self, (n_expressions, n_assignments): (usize, usize)) {
        self.expressions.truncate(n_expressions);
        self.assignments.truncate(n_assignments);
    }

    pub(super) fn finish(self) -> (Vec<Expression>, Vec<Assignment>) {
        (self.expressions, self.assignments)
    }
}

/// An instruction with its place.
#[derive(Clone, Debug)]
pub(super) struct Instruction {
    pub(super) span: Span,
    pub(super) operation: Operation,
}

/// What an instruction does. Where nothing else is said, the instruction behind it is next.
#[derive(Clone, Debug)]
pub(super) enum Operation {
    Skip,
    /// The next instruction is this one. This is no step of a thread.
    Forward(u32),
    /// One of these labels is next.
    Jump(Vec<u32>),
    /// If `holds` can be true, the next instruction; if `fails` can be true, that at `otherwise`.
    Branch {
        holds: ExpressionId,
        fails: ExpressionId,
        otherwise: u32,
    },
    Assume(ExpressionId),
    /// Like a branch to the error location.
    Assert {
        holds: ExpressionId,
        fails: ExpressionId,
    },
    Assign(AssignmentId),
    /// `enter` gives parameters and variables of the function their values. Results without a target are thrown away.
    Call {
        function: FunctionId,
        enter: Option<AssignmentId>,
        targets: Vec<Option<Target>>,
    },
    /// `arguments` gives parameters their values.
    Start {
        function: FunctionId,
        arguments: Option<AssignmentId>,
    },
    /// A new thread at this label.
    StartAt(u32),
    /// `None`: the function ends without saying what its results are.
    Return(Option<Vec<ExpressionId>>),
    EndThread,
    AtomicBegin,
    AtomicEnd,
}

/// A function.
#[derive(Debug, Default)]
pub(super) struct Body {
    pub(super) code: Vec<Instruction>,
    /// Labels with the positions of their statements, in order.
    pub(super) labels: Vec<(Symbol, u32)>,
    /// What holds throughout.
    pub(super) enforced: Option<Enforced>,
}

/// A condition that holds throughout a function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Enforced {
    /// Before each step.
    pub(super) before: ExpressionId,
    /// After each assignment: the same about next values.
    pub(super) after: ExpressionId,
}
