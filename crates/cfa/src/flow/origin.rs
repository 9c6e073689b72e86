//! Where in the text edges come from, access by access: for those who put a program's threads back into its text.
//!
//! Nothing that is proved or replayed depends on it.

use super::{EdgeId, NondetId, VariableId};
use throng_base::Span;

/// Places of the preprocessed text. Empty in programs that were made otherwise than from a text.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    /// By edge: the expressions whose evaluation accesses what other threads see, in order. What is read is where its place is
    /// written, what is written is the assignment, and calls and operators that the model treats as one are themselves.
    pub accesses: Vec<Vec<Span>>,
    /// By edge: operands whose order C leaves open, in the order in which they are evaluated from there on; several lists if
    /// several orders are chosen there.
    pub orders: Vec<Vec<Vec<Span>>>,
    /// By arbitrary value: the call or the declaration that it comes from.
    pub nondets: Vec<Span>,
    /// By variable: the line of its declaration, if the text has one.
    pub lines: Vec<Option<u32>>,
}

impl Origins {
    /// The accesses of an edge of the program that the front end made.
    pub fn of_edge(&self, edge: EdgeId) -> &[Span] {
        self.accesses.get(edge.index()).map_or(&[], Vec::as_slice)
    }

    /// The orders of operands that are chosen at an edge of the program that the front end made.
    pub fn orders_of(&self, edge: EdgeId) -> &[Vec<Span>] {
        self.orders.get(edge.index()).map_or(&[], Vec::as_slice)
    }

    /// The line where a variable is declared.
    pub fn line_of(&self, variable: VariableId) -> Option<u32> {
        self.lines.get(variable.index()).copied().flatten()
    }

    /// Where an arbitrary value comes from.
    pub fn of_nondet(&self, nondet: NondetId) -> Option<Span> {
        self.nondets.get(nondet.index()).copied().filter(|span| span.start < span.end)
    }
}
