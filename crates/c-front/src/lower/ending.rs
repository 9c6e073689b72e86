//! What runs besides `main`: constructors before it, handlers and destructors when the program ends, and the functions that
//! clean up when a scope is left.

use super::Lower;
use super::call::Argument;
use super::place::Spot;
use super::scope::Depth;
use crate::hir::{FunctionId, ObjectId, Program};
use throng_base::Span;
use throng_cfa::flow::{ExpressionId, ValueType};

/// In our model of the library: runs what `atexit` registered.
const HANDLERS: &str = "__throng_run_handlers";
/// The same for `at_quick_exit`.
const QUICK_HANDLERS: &str = "__throng_run_quick_handlers";

fn find(program: &Program, name: &str) -> Option<FunctionId> {
    let defined = |f: &crate::hir::Function| f.name == name && f.body.is_some();
    program.functions.iter().position(defined).map(FunctionId::new)
}

/// What runs before `main`, in order.
pub(super) fn constructors(program: &Program) -> Vec<FunctionId> {
    in_order(program, |function| function.constructor)
}

/// What runs when `main` returns or `exit` is called, in order.
pub(super) fn at_exit(program: &Program) -> Vec<FunctionId> {
    let mut functions = in_order(program, |function| function.destructor);
    functions.extend(find(program, HANDLERS));
    functions.reverse();
    functions
}

/// What runs when `quick_exit` is called.
pub(super) fn at_quick_exit(program: &Program) -> Vec<FunctionId> {
    find(program, QUICK_HANDLERS).into_iter().collect()
}

fn in_order(program: &Program, when: impl Fn(&crate::hir::Function) -> Option<u32>) -> Vec<FunctionId> {
    let defined = program.functions.iter().enumerate().filter(|(_, function)| function.body.is_some());
    let mut found: Vec<(u32, u32, FunctionId)> = defined
        .filter_map(|(index, function)| Some((when(function)?, function.span.start, FunctionId::new(index))))
        .collect();
    found.sort_unstable();
    found.into_iter().map(|(_, _, function)| function).collect()
}

impl<'p> Lower<'p> {
    /// Puts functions here, one after the other, each with this argument if it takes one.
    pub(super) fn run_all(&mut self, functions: &[FunctionId], argument: Option<ExpressionId>, span: Span) {
        let values: Vec<Argument> = argument.map(Argument::Scalar).into_iter().collect();
        for &function in functions {
            if self.is_reachable() {
                self.inline(function, &values, span);
            }
        }
    }

    /// Constructors and destructors get no arguments here.
    pub(super) fn check_runners(&mut self) {
        for function in &self.program.functions {
            let is_runner = function.constructor.is_some() || function.destructor.is_some();
            if !is_runner {
                continue;
            }
            if !function.parameters.is_empty() {
                let message = format!("{} runs by itself and has parameters", function.name);
                self.refuse("E0725", message, function.span, "leave the parameters out");
            } else if !self.options.threads_run.is_empty() {
                let message =
                    format!("{} runs by itself, and --threads-run leaves out what does", function.name);
                self.refuse("E0725", message, function.span, "write a main that starts the threads");
            }
        }
    }

    /// The program ends as `exit` ends it; others run while handlers and destructors do.
    /// What main returns is arbitrary for them.
    pub(super) fn leave_program(&mut self, status: Option<ExpressionId>, span: Span) {
        let functions = at_exit(self.program);
        if !functions.is_empty() {
            let arbitrary = ValueType::Integer { is_signed: true };
            let status = status.unwrap_or_else(|| self.nondet("what main returns", 32, arbitrary));
            let status = self.materialise(status, span);
            self.run_all(&functions, Some(status), span);
        }
        self.stop(span);
    }

    /// Where `main` ends as a thread, the program goes on and ends with its last thread, which then runs the handlers.
    pub(super) fn check_last_thread(&mut self, span: Span) {
        let is_main = self.templates[self.template.index()].name == "main";
        if is_main && self.is_reachable() && !at_exit(self.program).is_empty() {
            let message =
                "main ends as a thread here, and what runs when the last thread ends is not modelled";
            self.refuse("E0725", message, span, "join the threads and return from main");
        }
    }

    /// All that was opened beyond a depth is left: its variables are cleaned up, and end.
    pub(super) fn leave(&mut self, depth: Depth, span: Span) {
        self.run_cleanups(&self.scope_beyond(depth.scope), span);
        // With a thread, nobody is left to use what it had, but for what runs when the program ends.
        let is_last = depth.open == 0 && self.frames.last().is_some_and(|frame| frame.is_root);
        if !is_last || !at_exit(self.program).is_empty() {
            self.bury(&self.open_beyond(depth.open), span);
        }
    }

    /// Calls the functions that clean up after objects, the last one first.
    pub(super) fn run_cleanups(&mut self, objects: &[ObjectId], span: Span) {
        for &object in objects.iter().rev() {
            let cleanup = self.program.objects.get(object.index()).and_then(|object| object.cleanup);
            let Some(function) = cleanup else { continue };
            if !self.is_reachable() {
                return;
            }
            let spot = Spot::Named { object, path: Vec::new(), indices: Vec::new() };
            let address = self.address(&spot);
            self.inline(function, &[Argument::Scalar(address)], span);
        }
    }

    /// Objects beyond this many that live.
    pub(super) fn open_beyond(&self, depth: usize) -> Vec<ObjectId> {
        let open = self.frames.last().map_or(&[][..], |frame| &frame.open);
        open.get(depth..).unwrap_or_default().to_vec()
    }

    /// Objects in scope beyond this many, which a jump leaves.
    pub(super) fn scope_beyond(&self, depth: usize) -> Vec<ObjectId> {
        let scope = self.frames.last().map_or(&[][..], |frame| &frame.scope);
        scope.get(depth..).unwrap_or_default().to_vec()
    }
}
