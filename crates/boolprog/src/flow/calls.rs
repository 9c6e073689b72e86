//! Refuses recursion: with it, reachability for several threads is undecidable.
//!
//! The calls form a graph of functions, walked depth-first with an explicit stack. A call to a function that is on
//! the stack closes a cycle, which is reported with all its calls. Starting a thread is no call.

use super::body::{Body, Operation};
use super::graph::FunctionId;
use crate::messages::Messages;
use crate::syntax::Program;
use throng_base::{Diagnostic, Source, Span};

/// Reports cycles of calls: every one that the walk closes, which is at least one if there is any.
pub(super) fn check(tree: &Program, bodies: &[Body], errors: &mut Messages<'_>) {
    let mut walk = Walk { tree, bodies, errors, state: vec![State::New; bodies.len()], path: Vec::new() };
    FunctionId::all(bodies.len()).for_each(|root| walk.walk(root));
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    New,
    /// On the path, at this index.
    Open(usize),
    Done,
}

/// A function on the path, and the instruction that is looked at.
struct Frame {
    function: FunctionId,
    position: usize,
}

struct Walk<'a, 's> {
    tree: &'a Program,
    bodies: &'a [Body],
    errors: &'a mut Messages<'s>,
    state: Vec<State>,
    path: Vec<Frame>,
}

impl Walk<'_, '_> {
    /// Walks everything that a function calls.
    fn walk(&mut self, root: FunctionId) {
        self.open(root);
        while let Some(frame) = self.path.last_mut() {
            let code = &self.bodies[frame.function.index()].code;
            let Some(instruction) = code.get(frame.position) else {
                self.state[frame.function.index()] = State::Done;
                self.path.pop();
                continue;
            };
            frame.position += 1;
            let Operation::Call { function: callee, .. } = instruction.operation else { continue };
            match self.state[callee.index()] {
                State::New => self.open(callee),
                State::Open(start) => self.report(start, instruction.span),
                State::Done => {}
            }
        }
    }

    /// Reports the cycle of the functions on the path from `start` on, closed by a call at `span`.
    fn report(&mut self, start: usize, span: Span) {
        let (tree, bodies, cycle) = (self.tree, self.bodies, &self.path[start..]);
        self.errors.push(span, |source| {
            // The call that is being looked at stands before the position.
            let call = |frame: &Frame| bodies[frame.function.index()].code[frame.position - 1].span;
            let calls: Vec<(FunctionId, Span)> =
                cycle.iter().map(|frame| (frame.function, call(frame))).collect();
            recursion(tree, source, &calls).at(source, span, "closes the cycle")
        });
    }

    fn open(&mut self, function: FunctionId) {
        if self.state[function.index()] == State::New {
            self.state[function.index()] = State::Open(self.path.len());
            self.path.push(Frame { function, position: 0 });
        }
    }
}

/// The message about a cycle: functions with where they call the next.
fn recursion(tree: &Program, source: &Source, cycle: &[(FunctionId, Span)]) -> Diagnostic {
    /// A longer cycle is shown in part.
    const SHOWN: usize = 10;
    let name = |(id, _): &(FunctionId, Span)| tree.text(tree.functions[id.index()].name.symbol);
    let mut names: Vec<&str> = cycle.iter().take(SHOWN).map(name).collect();
    if cycle.len() > SHOWN {
        names.push("…");
    }
    names.extend(cycle.first().map(name));
    let error = Diagnostic::error("E0510", format!("recursion: {}", names.join(" → ")));
    let calls = cycle.iter().zip(cycle.iter().cycle().skip(1)).take(SHOWN).map(|(caller, callee)| {
        let (line, column) = source.position(caller.1.start);
        format!("`{}` calls `{}` at line {line}, column {column}", name(caller), name(callee))
    });
    let error = calls.fold(error, Diagnostic::note);
    error.hint("a loop, or a new thread (`start_thread f()`), can often take the place of a recursive call")
}
