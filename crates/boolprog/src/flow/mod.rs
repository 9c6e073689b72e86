//! The control-flow graph of a Boolean program, over which its meaning is defined.
//!
//! A *state* of a program is a valuation of the shared variables and a set of threads; a thread is at a [`Location`]
//! with a valuation of the local variables. A thread takes a step along an [`Edge`] from its location if the edge's
//! guard can be true; the edge's [`Effect`] says what changes. `*` is chosen anew each time, so "can be true" means:
//! for some choice. Threads interleave in any order, one edge at a time; no step is ever forced.
//!
//! At the start a thread is at [`Program::entry`]; **all variables are arbitrary**, shared and local. How many
//! threads there are at the start is not the program's business.
//!
//! # Statements
//!
//! Each statement has a location, where a thread stands before executing it.
//!
//! * `skip`; `goto L1, L2`: an edge to each of the labels.
//! * `x, y := e1, e2 constrain c`: all values are computed before any is assigned. New values are only possible if
//!   `c` holds; there, `x` is the value before, `'x` the value after the step (the same for a variable that is not
//!   assigned). If no choice satisfies `c`, the step is impossible. What is assigned to `_` is thrown away, unless there is
//!   a variable of that name.
//! * `assume(e)`: a step is possible if `e` can be true. `abortif e` is `assume(!e)`.
//! * `assert(e)`: if `e` can be true, a step to the next statement; if it can be false, a step to [`Program::error`].
//!   So `assert(*)` can fail.
//! * `if e …`, `while e …`: steps to either side as `e` can be true or false. The conditions after `elsif` are
//!   separate steps, between which other threads may run, as if they were nested.
//! * `dead x`: `x` is arbitrary afterwards. The same as `x := *`.
//! * `enforce e`, anywhere in a function: no thread takes a step from a location of the function unless `e` can be
//!   true, and assignments lead only to values for which `e` can be true. Other threads may still change shared
//!   variables so that it is false; then the thread waits. It is a guard on the edges and part of `constrain`;
//!   several are conjoined.
//! * `x, y := f(e1, e2)`: parameters get the values of the arguments and the other variables of `f` become arbitrary,
//!   in one step; `return e1, e2` assigns all results in one step, back in the caller. The end of a function is
//!   `return`; if there are results, they are arbitrary then. A call without `:=` drops the results. Calls are
//!   inlined: a location belongs to an [`Instance`], a function with the calls that led to it. Since there is no
//!   recursion, a thread is in a function at most once at a time, so all instances of a function share its variables.
//! * `start_thread goto L`: a new thread at `L`, in the same instances, with a copy of all local variables. Returning
//!   from there, it goes on where its parent's calls would have returned to.
//! * `start_thread x` is `start_thread x()` if there is a function x, and `start_thread goto x` otherwise.
//! * `start_thread f(e)`, and a call with a label `ASYNC_<n>`: a new thread at the beginning of `f`. The parameters
//!   get the values of the arguments; all its other variables are arbitrary, also those declared `thread_local`. It
//!   ends when `f` returns.
//! * `end_thread`, and `return` where no call is left: the thread is gone ([`Edge::to`] is `None`).
//! * `atomic_begin`, `atomic_end`: while a thread is at a location with [`Location::is_atomic`], no other takes
//!   steps. A section may contain anything. A thread that cannot step in a section stops everyone for ever: that run
//!   ends there. Errors in a section are errors. Sections do not nest: a second `atomic_begin` has no effect, nor has
//!   `atomic_end` outside. A thread that ends in a section ends the section (with a warning); a thread started in one
//!   is not in it.
//! * `x$ := e`: in *every other* thread, `x` becomes `e`, in the same step. In `e`, `x` is the variable of the thread
//!   that executes the assignment and `x$` that of the other thread; each other thread makes its choices for itself.
//!   After `constrain` there may be `x$` and `'x$` as well. Then new values of shared variables and of the executing
//!   thread's own are possible if the constraint can hold for some values of passive variables, old and new; every
//!   other thread gets new values for which it holds, and is gone if it has none. This is the monotone closure of
//!   dual-reference programs (Kaiser's thesis, Definition 20): no step depends on the absence of threads. For the
//!   same reason `x$` cannot be read in conditions.
//! * `x := e` where `e` mentions `y$` (Table 5 of the thesis, rows 1 and 4) is `x := * constrain 'x = e`, with the same
//!   closure: `x` becomes what `e` is for some values of another thread, and other threads for which it is something
//!   else are gone. There is a warning.
//! * `sync L` is refused: it is a rendezvous in SATABS' grammar, without a published meaning for programs with any
//!   number of threads, and a guess would make verdicts worthless.
//! * `dfs` before a function is a hint to another model checker. It means nothing.
//!
//! # What is not here
//!
//! Code that no thread can reach, whatever values variables have, is not in the graph, but its labels are known. The
//! variables of functions that nobody calls are not there either. No data is looked at: constant conditions make
//! edges like others. Nothing is merged or removed.

mod body;
mod calls;
mod graph;
mod inline;
mod lower;
mod make;
mod places;
mod text;

pub use graph::{
    Assignment, AssignmentId, ChildLocals, Edge, Effect, Expression, ExpressionId, Function, FunctionId,
    Instance, InstanceId, Location, LocationId, Program, Reference, Target, Variable, VariableId,
};

pub use make::Maker;
pub use places::LocationFinder;

pub(crate) use lower::is_async_label;

use crate::messages::Messages;
use crate::resolve::{Order, Scopes};
use crate::syntax;
use body::Arena;
use throng_base::{Diagnostic, Source};

/// A program with what should be said about it.
#[derive(Clone, Debug)]
pub struct Input {
    /// The program.
    pub program: Program,
    /// What was perhaps not meant so.
    pub warnings: Vec<Diagnostic>,
}

/// The control-flow graph of a program. `source` is where the tree comes from. All errors are returned, in the order
/// of their places.
pub fn build(source: &Source, mut tree: syntax::Program) -> Result<Input, Vec<Diagnostic>> {
    let (mut errors, mut warnings) = (Messages::new(source), Messages::new(source));
    let order = Order::new(&tree);
    let scopes = Scopes::declare(&tree, &order, &mut errors, &mut warnings);
    let mut arena = Arena::new();
    let bodies = lower::lower(&tree, &order, &scopes, &mut arena, &mut errors, &mut warnings);
    calls::check(&tree, &bodies, &mut errors);
    let Some(main) = scopes.main.filter(|_| errors.is_empty()) else { return Err(errors.finish()) };
    let (shared, mut locals) = (scopes.shared, scopes.locals);
    locals.truncate(scopes.n_used_locals);
    // Statements are instructions now. In a large program they take more memory than all that follows.
    tree.functions.iter_mut().for_each(|function| function.body = Vec::new());
    match inline::inline(main, &tree, &bodies, &mut arena, &mut warnings) {
        Ok(graph) => {
            let program = Program::new(tree, shared, locals, bodies, arena, graph);
            Ok(Input { program, warnings: warnings.finish() })
        }
        Err(too_large) => {
            errors.push(too_large.span, |source| too_large.diagnostic(source));
            Err(errors.finish())
        }
    }
}
