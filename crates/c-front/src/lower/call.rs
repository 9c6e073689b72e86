//! Calls: functions are inlined, with one copy of their variables for all calls in a thread.

use super::memory::{Facet, PseudoObject};
use super::place::Spot;
use super::points::Target;
use super::scope::Depth;
use super::{Lower, library, scope, types};
use crate::hir::{Callee, Expression, ExpressionKind, FunctionId, ObjectId, Program, TypeId, TypeKind};
use rustc_hash::FxHashMap;
use throng_base::Span;
use throng_cfa::flow::{Assignment, ExpressionId, LocationId, PropertyKind};
use throng_cfa::text::Position;

/// A function that the code being made is in.
pub(super) struct Frame {
    pub(super) function: FunctionId,
    pub(super) name: String,
    /// The name of the function and where it was called, unless it is the thread's first.
    pub(super) called: Option<(String, Position)>,
    pub(super) instance: usize,
    /// Where it returns to.
    pub(super) exit: LocationId,
    /// Whether it is the function that the thread runs.
    pub(super) is_root: bool,
    /// Whether all of it is one step.
    pub(super) is_atomic: bool,
    /// What the call gives parameters.
    pub(super) arguments: Vec<(ObjectId, ExpressionId)>,
    /// Whether what it returns is worth predicates.
    pub(super) relates_result: bool,
    /// Parameters that are constants in this call.
    pub(super) bindings: FxHashMap<ObjectId, ExpressionId>,
    pub(super) labels: Vec<LocationId>,
    /// The variables in scope at each label.
    pub(super) label_scopes: Vec<Vec<ObjectId>>,
    /// The variables that live at each label.
    pub(super) label_lives: Vec<Vec<ObjectId>>,
    /// The variables in scope where code is being made.
    pub(super) scope: Vec<ObjectId>,
    /// The variables that live there: parameters, and all of the blocks that are open.
    pub(super) open: Vec<ObjectId>,
    /// Where `break` goes, and how much is open there.
    pub(super) breaks: Vec<(LocationId, Depth)>,
    /// Where `continue` goes, likewise.
    pub(super) continues: Vec<(LocationId, Depth)>,
    /// Locations of the cases of the innermost switches, in order of appearance, and of their defaults.
    pub(super) cases: Vec<std::collections::VecDeque<LocationId>>,
}

/// The value of an argument.
#[derive(Clone)]
pub(super) enum Argument {
    /// A number or an address.
    Scalar(ExpressionId),
    /// A struct or union, where it is, and its type.
    Record(Spot, TypeId),
}

impl Argument {
    /// The value, if it is a number or an address.
    pub(super) fn scalar(&self) -> Option<ExpressionId> {
        match self {
            Argument::Scalar(value) => Some(*value),
            Argument::Record(..) => None,
        }
    }
}

/// Whether a call only gives an arbitrary value.
pub(super) fn is_pure_call(program: &Program, callee: &Callee) -> bool {
    match callee {
        Callee::Direct(function) => {
            let function = &program.functions[function.index()];
            let is_record = match types::get(program, function.ty).kind {
                TypeKind::Function { result, .. } => types::record_of(program, result).is_some(),
                _ => false,
            };
            function.body.is_none() && library::is_nondet(&function.name) && !is_record
        }
        Callee::Indirect(_) => false,
    }
}

impl<'p> Lower<'p> {
    /// Whether the code being made is in a function that is one step.
    pub(super) fn is_in_atomic_function(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.is_atomic)
    }

    /// Calls a function; the value is its result.
    pub(super) fn call(
        &mut self,
        callee: &'p Callee,
        arguments: &'p [Expression],
        e: &'p Expression,
        is_wanted: bool,
    ) -> ExpressionId {
        let bits = types::bits_of(self.program, e.ty);
        if !self.is_reachable() {
            return self.e.constant(0, bits);
        }
        match callee {
            Callee::Direct(function) => self.call_direct(*function, arguments, e, is_wanted),
            Callee::Indirect(pointer) => self.call_indirect(pointer, arguments, e),
        }
    }

    fn call_direct(
        &mut self,
        function: FunctionId,
        arguments: &'p [Expression],
        e: &'p Expression,
        is_wanted: bool,
    ) -> ExpressionId {
        let definition = &self.program.functions[function.index()];
        if self.is_error_function(function) {
            arguments.iter().for_each(|argument| self.effect(argument));
            self.error_call(function, e.span);
            return self.e.constant(0, types::bits_of(self.program, e.ty));
        }
        if definition.body.is_none() || library::overrides(&definition.name) {
            return self.library_call(function, arguments, e, is_wanted);
        }
        if let Some(number) = self.argument_number(function, arguments, e) {
            return number;
        }
        let values = self.arguments(arguments);
        self.inline(function, &values, e.span);
        self.result(function, e.ty)
    }

    /// Whether a function must not be called.
    pub(super) fn is_error_function(&self, function: FunctionId) -> bool {
        self.options.properties.functions.contains(&self.program.functions[function.index()].name)
    }

    /// A function that must not be called is called.
    pub(super) fn error_call(&mut self, function: FunctionId, span: Span) {
        let text = format!("{}() is called", self.program.functions[function.index()].name);
        self.fail(PropertyKind::Reach, text, span);
    }

    /// A function ends without a `return` of a value: whoever uses the value gets an arbitrary one.
    pub(super) fn without_result(&mut self, function: FunctionId, is_root: bool) {
        if !self.is_reachable() {
            return;
        }
        let span = self.program.functions[function.index()].span;
        let Some((object, ty)) = self.result_object(function) else { return };
        if is_root {
            return self.arbitrary_thread_result(span);
        }
        let spot = Spot::Named { object, path: Vec::new(), indices: Vec::new() };
        self.havoc(&spot, ty, span);
    }

    /// The run ends here with an error.
    pub(super) fn fail(&mut self, kind: PropertyKind, text: String, span: Span) {
        self.boundary();
        let error = self.error_location(kind, text, span);
        self.goto(error);
    }

    /// The values of arguments, all usable at once.
    pub(super) fn arguments(&mut self, arguments: &'p [Expression]) -> Vec<Argument> {
        let arguments: Vec<&'p Expression> = arguments.iter().collect();
        self.in_any_order(&arguments)
    }

    /// Puts the body of a function here.
    pub(super) fn inline(&mut self, function: FunctionId, values: &[Argument], span: Span) {
        if self.is_error_function(function) {
            return self.error_call(function, span);
        }
        if let Some(first) = self.frames.iter().position(|frame| frame.function == function) {
            let mut cycle: Vec<String> =
                self.frames[first..].iter().map(|frame| frame.name.clone()).collect();
            cycle.push(self.program.functions[function.index()].name.clone());
            let message = format!("recursion is not supported: {}", cycle.join(" calls "));
            self.refuse("E0750", message, span, "write it as a loop");
            self.graph.here = None;
            return;
        }
        if self.graph.arcs.len() > self.options.max_edges {
            if !self.errors.iter().any(|error| error.code == "E0751") {
                let message = format!("inlining makes more than {} edges", self.options.max_edges);
                self.refuse("E0751", message, span, "call large functions from fewer places");
            }
            self.graph.here = None;
            return;
        }
        for &parameter in &self.program.functions[function.index()].parameters {
            self.start_life(parameter, span);
        }
        let bindings = self.bind_parameters(function, values, span);
        let exit = self.fresh_boundary();
        let called = (self.program.functions[function.index()].name.clone(), self.position(span));
        let saved = (std::mem::replace(&mut self.is_inside, false), self.temporary_count);
        self.boundary();
        self.push_frame(function, Some(called), exit, bindings);
        let parameters = &self.program.functions[function.index()].parameters;
        let arguments = parameters.iter().zip(values).filter_map(|(&it, value)| Some((it, value.scalar()?)));
        if let Some(frame) = self.frames.last_mut() {
            frame.arguments = arguments.collect();
        }
        self.enter_atomic_function(function, span);
        if let Some(body) = &self.program.functions[function.index()].body {
            self.statements(body);
            self.without_result(function, false);
            self.leave(Depth::default(), span);
        }
        self.goto(exit);
        self.frames.pop();
        (self.is_inside, self.temporary_count) = saved;
        self.resume(exit);
        self.havoc_errno(function, span);
    }

    fn position(&self, span: Span) -> Position {
        self.program.text.position(span.start)
    }

    /// A function that is one step begins at a location of its own.
    pub(super) fn enter_atomic_function(&mut self, function: FunctionId, span: Span) {
        let is_outer = self.frames.iter().rev().nth(1).is_none_or(|frame| !frame.is_atomic);
        if self.is_in_atomic_function() && is_outer && self.is_reachable() {
            let inside = self.fresh_with(true);
            let _ = function;
            self.skip(inside, None, span);
        }
    }

    /// A new frame on top.
    pub(super) fn push_frame(
        &mut self,
        function: FunctionId,
        called: Option<(String, Position)>,
        exit: LocationId,
        bindings: FxHashMap<ObjectId, ExpressionId>,
    ) {
        let definition = &self.program.functions[function.index()];
        let is_atomic = self.is_in_atomic_function() || definition.name.starts_with("__VERIFIER_atomic_");
        self.instances += 1;
        let is_root = called.is_none();
        let frame = Frame {
            function,
            name: definition.name.clone(),
            called,
            instance: self.instances,
            exit,
            is_root,
            is_atomic,
            arguments: Vec::new(),
            relates_result: false,
            bindings,
            labels: Vec::new(),
            label_scopes: scope::at_labels(
                definition.body.as_deref().unwrap_or_default(),
                definition.labels.len(),
            ),
            label_lives: scope::lives_at_labels(self.program, definition),
            scope: Vec::new(),
            open: definition.parameters.clone(),
            breaks: Vec::new(),
            continues: Vec::new(),
            cases: Vec::new(),
        };
        let labels = definition.labels.len();
        self.frames.push(frame);
        let labels: Vec<LocationId> = (0..labels).map(|_| self.fresh_boundary()).collect();
        if let Some(frame) = self.frames.last_mut() {
            frame.labels = labels;
        }
    }

    /// Gives parameters their values; those that are constants and never change need no variable.
    fn bind_parameters(
        &mut self,
        function: FunctionId,
        values: &[Argument],
        span: Span,
    ) -> FxHashMap<ObjectId, ExpressionId> {
        let mut bindings = FxHashMap::default();
        let mut assignments = Vec::new();
        let parameters = &self.program.functions[function.index()].parameters;
        for (&parameter, value) in parameters.iter().zip(values) {
            let ty = self.memory.objects[parameter.index()].ty;
            let Some(value) = value.scalar() else { continue };
            if types::is_unkept(self.program, ty) {
                continue;
            }
            let value = self.e.resize(value, types::bits_of(self.program, ty), false);
            let is_fixed =
                !self.points.written.contains(&parameter) && !self.points.addressed.contains(&parameter);
            if is_fixed && self.e.as_constant(value).is_some() {
                bindings.insert(parameter, value);
                continue;
            }
            let spot = Spot::Named { object: parameter, path: Vec::new(), indices: Vec::new() };
            assignments.extend(self.write(&spot, ty, Facet::Value, value, span));
        }
        if !assignments.is_empty() || !self.obligations.is_empty() {
            self.emit_assignments(assignments, span);
        }
        for (&parameter, value) in parameters.iter().zip(values) {
            if let Argument::Record(from, ty) = value {
                let before = self.newborn.replace(parameter);
                self.copy(from, &Spot::whole(parameter), *ty, span);
                self.newborn = before;
            }
        }
        bindings
    }

    /// The object that holds what a function returns.
    pub(super) fn result_object(&mut self, function: FunctionId) -> Option<(ObjectId, TypeId)> {
        let definition = &self.program.functions[function.index()];
        let TypeKind::Function { result, .. } = types::get(self.program, definition.ty).kind else {
            return None;
        };
        if types::is_void(self.program, result) {
            return None;
        }
        let name = format!("{}()", definition.name);
        Some((self.pseudo_object(PseudoObject::Result(function), &name, result, function), result))
    }

    fn result(&mut self, function: FunctionId, ty: TypeId) -> ExpressionId {
        let bits = types::bits_of(self.program, ty);
        match self.result_object(function) {
            Some((object, result)) if types::record_of(self.program, result).is_none() => {
                let spot = Spot::Named { object, path: Vec::new(), indices: Vec::new() };
                let value = self.read(&spot, result, Span::default());
                self.e.resize(value, bits, types::is_signed(self.program, result))
            }
            _ => self.e.constant(0, bits),
        }
    }

    /// Calls a function that returns a struct or union, and gives where that is: until the function is called again, or, if
    /// it is kept, for as long as the expression's value is used.
    pub(super) fn call_for_record(
        &mut self,
        callee: &'p Callee,
        arguments: &'p [Expression],
        e: &'p Expression,
        is_kept: bool,
    ) -> Spot {
        self.call(callee, arguments, e, true);
        let known = match callee {
            Callee::Direct(function) => Some(*function),
            Callee::Indirect(pointer) => match pointer.kind {
                ExpressionKind::FunctionAddress(function) => Some(function),
                _ => None,
            },
        };
        let kept = self.record_temporary(e);
        // A call through a pointer has copied what the function that it was returned.
        let Some((object, ty)) = known.and_then(|function| self.result_object(function)) else { return kept };
        if !is_kept {
            return Spot::whole(object);
        }
        self.copy(&Spot::whole(object), &kept, ty, e.span);
        kept
    }

    fn call_indirect(
        &mut self,
        pointer: &'p Expression,
        arguments: &'p [Expression],
        e: &'p Expression,
    ) -> ExpressionId {
        if let ExpressionKind::FunctionAddress(function) = pointer.kind {
            return self.call_direct(function, arguments, e, true);
        }
        let bits = types::bits_of(self.program, e.ty);
        let (targets, is_unmodelled) = self.function_targets(pointer, arguments.len());
        let operands: Vec<&'p Expression> = std::iter::once(pointer).chain(arguments).collect();
        let mut values = self.in_any_order(&operands);
        let Some(address) = values.remove(0).scalar() else { return self.e.constant(0, bits) };
        if let Some(at) = self.e.as_constant(address) {
            let same = |f: &FunctionId| u128::from(self.memory.functions[f.index()]) == at;
            if let Some(function) = targets.iter().copied().find(same) {
                return self.call_with(function, arguments, &values, e);
            }
        }
        if targets.is_empty() && !is_unmodelled {
            // It points to no function at all.
            let never = self.e.truth(false);
            self.require(PropertyKind::Pointers, never, e.span);
            self.emit_assignments(Vec::new(), e.span);
            return self.e.constant(0, bits);
        }
        if targets.is_empty() {
            let message = "this call through a pointer has no known target";
            self.refuse("E0752", message, e.span, "assign the address of a function of the program to it");
            return self.e.constant(0, bits);
        }
        let address = self.materialise(address, pointer.span);
        for (value, argument) in values.iter_mut().zip(arguments) {
            if let Argument::Scalar(old) = *value {
                *value = Argument::Scalar(self.materialise(old, argument.span));
            }
        }
        let temporary = self.temporary(bits, e.span);
        let join = self.fresh();
        let ways = self.function_ways(address, &targets, e.span);
        for (function, way) in ways {
            self.resume(way);
            let value = self.call_with(function, arguments, &values, e);
            self.set(temporary, value, e.span);
            self.goto(join);
        }
        self.resume(join);
        self.e.variable(temporary, bits)
    }

    fn call_with(
        &mut self,
        function: FunctionId,
        arguments: &'p [Expression],
        values: &[Argument],
        e: &'p Expression,
    ) -> ExpressionId {
        let definition = &self.program.functions[function.index()];
        if self.is_error_function(function) {
            self.error_call(function, e.span);
            return self.e.constant(0, types::bits_of(self.program, e.ty));
        }
        if definition.body.is_none() || library::overrides(&definition.name) {
            // Its arguments are evaluated where it is given its meaning, once more.
            if let Some(argument) = arguments.iter().find(|argument| self.has_effects(argument)) {
                let message = format!(
                    "an argument with effects in a call through a pointer that may be {}",
                    definition.name
                );
                let hint = "put the argument into a variable first";
                self.refuse("E0752", message, argument.span, hint);
            }
            return self.library_call(function, arguments, e, true);
        }
        self.inline(function, values, e.span);
        if let Some((object, ty)) = self.result_object(function)
            && types::record_of(self.program, ty).is_some()
        {
            let kept = self.record_temporary(e);
            self.copy(&Spot::whole(object), &kept, ty, e.span);
        }
        self.result(function, e.ty)
    }

    /// The functions that a pointer may point to, with at most this many parameters; and whether it may be another.
    pub(super) fn function_targets(&self, pointer: &Expression, count: usize) -> (Vec<FunctionId>, bool) {
        let mut is_unmodelled = false;
        let mut found = Vec::new();
        for target in self.points.of(self.program, pointer) {
            match target {
                Target::Function(function) => {
                    if self.program.functions[function.index()].parameters.len() <= count {
                        found.push(function);
                    }
                }
                Target::Unmodelled => is_unmodelled = true,
                Target::Object(_) | Target::Origin(..) | Target::Thread => {}
            }
        }
        (found, is_unmodelled)
    }

    /// A location for each function that an address may be, and edges there.
    pub(super) fn function_ways(
        &mut self,
        address: ExpressionId,
        targets: &[FunctionId],
        span: Span,
    ) -> Vec<(FunctionId, LocationId)> {
        let bits = self.e.bits(address);
        let mut valid = self.e.truth(false);
        let mut ways = Vec::new();
        for &function in targets {
            let at = self.e.constant(u128::from(self.memory.functions[function.index()]), bits);
            let condition = self.e.equal(address, at);
            valid = self.e.or(valid, condition);
            ways.push((function, condition, self.fresh()));
        }
        self.require(PropertyKind::Pointers, valid, span);
        let edges =
            ways.iter().map(|&(_, condition, to)| (condition, Vec::<Assignment>::new(), to)).collect();
        self.split(edges, span);
        ways.into_iter().map(|(function, _, way)| (function, way)).collect()
    }
}
