//! Threads: the code of each kind, starting and joining them, and what a step does to other threads.

use super::memory::Facet;
use super::place::Spot;
use super::{Lower, types};
use crate::hir::{Callee, Expression, ExpressionKind, FunctionId, PlaceKind, TypeKind};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use throng_base::Span;
use throng_cfa::flow::{
    self, Assignment, Effect, Expression as FlowExpression, ExpressionId, LocationId, LocationKind,
    PassiveUpdate, Scope, TemplateId, ValueType, Variable, VariableId,
};

/// The code of threads, while it is made.
pub(super) struct TemplateInfo {
    /// The function that they run; none for the code that starts threads of library functions.
    pub(super) function: Option<FunctionId>,
    pub(super) name: String,
    pub(super) entry: LocationId,
    pub(super) end: LocationId,
    /// Where a thread goes that ends the whole program.
    pub(super) stop: Option<LocationId>,
    pub(super) locals: Vec<VariableId>,
    pub(super) result: Option<VariableId>,
    /// The functions that the threads may be in.
    pub(super) functions: BTreeSet<FunctionId>,
}

/// An edge that wakes threads that wait on a condition variable.
pub(super) struct Wakeup {
    pub(super) arc: usize,
    pub(super) address: ExpressionId,
    pub(super) is_broadcast: bool,
}

impl<'p> Lower<'p> {
    /// The code of threads that run a function; made later if it is new.
    pub(super) fn template_of(&mut self, function: FunctionId) -> TemplateId {
        if let Some(&template) = self.template_numbers.get(&function) {
            return template;
        }
        let name = self.program.functions[function.index()].name.clone();
        let functions = self.points.reachable(function);
        let template = self.new_template(Some(function), name, functions);
        self.template_numbers.insert(function, template);
        template
    }

    pub(super) fn new_template(
        &mut self,
        function: Option<FunctionId>,
        name: String,
        functions: BTreeSet<FunctionId>,
    ) -> TemplateId {
        let template = TemplateId::new(self.templates.len());
        let current = std::mem::replace(&mut self.template, template);
        let (entry, end) = (self.fresh_with(false), self.fresh_with(false));
        self.template = current;
        self.graph.nodes[end.index()].kind = LocationKind::End;
        self.templates.push(TemplateInfo {
            function,
            name,
            entry,
            end,
            stop: None,
            locals: Vec::new(),
            result: None,
            functions,
        });
        template
    }

    /// Makes the code of a template.
    pub(super) fn make_template(&mut self, template: TemplateId) {
        self.template = template;
        let info = &self.templates[template.index()];
        let (entry, end) = (info.entry, info.end);
        let Some(function) = info.function else { return };
        self.graph.stand(Some(entry));
        let definition = &self.program.functions[function.index()];
        let exit = if template.index() == 0 { self.fresh_boundary() } else { end };
        self.push_frame(function, None, exit, FxHashMap::default());
        self.enter_atomic_function(function, definition.span);
        if template.index() == 0 {
            self.run_all(&super::ending::constructors(self.program), None, definition.span);
            self.main_parameters(function);
        } else {
            self.record_parameters(function);
        }
        if self.is_error_function(function) {
            self.error_call(function, definition.span);
        }
        if let Some(body) = &definition.body {
            self.statements(body);
            self.without_result(function, true);
        }
        self.continue_at(exit);
        self.frames.pop();
        if template.index() == 0 && self.is_reachable() {
            // When main returns, the program ends.
            self.leave_program(None, definition.span);
        }
        self.graph.here = None;
    }

    /// The thread has come to the end of its function.
    fn goto_end(&mut self, _span: Span) {
        let end = self.templates[self.template.index()].end;
        self.goto(end);
    }

    /// `argc` is not negative; `argv` has no model.
    fn main_parameters(&mut self, function: FunctionId) {
        let definition = &self.program.functions[function.index()];
        let mut assignments = Vec::new();
        for (number, &parameter) in definition.parameters.iter().enumerate() {
            let (ty, name) = {
                let info = &self.memory.objects[parameter.index()];
                (info.ty, info.name.clone())
            };
            let bits = types::bits_of(self.program, ty);
            let value = if number == 0 {
                self.nondet_span = definition.span;
                let value = self.nondet(&name, bits - 1, ValueType::Integer { is_signed: false });
                self.e.resize(value, bits, false)
            } else {
                self.unmodelled_at(bits, "E0717", super::arguments::MESSAGE, definition.span)
            };
            let spot = Spot::Named { object: parameter, path: Vec::new(), indices: Vec::new() };
            assignments.extend(self.write(&spot, ty, Facet::Value, value, definition.span));
        }
        if !assignments.is_empty() {
            self.emit_assignments(assignments, definition.span);
            if let Some(arc) = self.graph.arcs.last_mut() {
                arc.is_havoc = true;
            }
        }
    }

    /// Structs that a thread is given by value are arbitrary: only `--threads-run` starts such threads.
    fn record_parameters(&mut self, function: FunctionId) {
        let definition = &self.program.functions[function.index()];
        for &parameter in &definition.parameters {
            let ty = self.memory.objects[parameter.index()].ty;
            if types::record_of(self.program, ty).is_some() {
                let spot = Spot::Named { object: parameter, path: Vec::new(), indices: Vec::new() };
                let span = self.program.objects[parameter.index()].span;
                self.havoc(&spot, ty, span);
            }
        }
    }

    /// A thread ends without a result: whoever joins it gets an arbitrary one.
    pub(super) fn arbitrary_thread_result(&mut self, span: Span) {
        if self.template.index() == 0 {
            return;
        }
        let bits = self.program.data_model.pointer_bits();
        let target = self.result_variable();
        let value = self.nondet("result of a thread", bits, ValueType::Pointer);
        self.emit_assignments(vec![Assignment { target, index: None, value }], span);
        if let Some(arc) = self.graph.arcs.last_mut() {
            arc.is_havoc = true;
        }
    }

    /// The code that starts any number of threads of some functions with any arguments.
    pub(super) fn make_starter(&mut self, functions: &[FunctionId]) {
        let starter = self.new_template(None, "main".to_owned(), BTreeSet::new());
        self.template = starter;
        let entry = self.templates[starter.index()].entry;
        for &function in functions {
            self.graph.stand(Some(entry));
            let template = self.template_of(function);
            let definition = &self.program.functions[function.index()];
            let mut arguments = Vec::new();
            for &parameter in &definition.parameters {
                let info = &self.memory.objects[parameter.index()];
                let (ty, name) = (info.ty, info.name.clone());
                let value = self.nondet_of(&name, ty);
                arguments.extend(self.argument(template, parameter, value));
            }
            let truth = self.e.truth(true);
            let effect = Effect::Spawn { template, arguments };
            self.arc(entry, truth, Vec::new(), Some(effect), definition.span);
        }
        self.graph.here = None;
    }

    /// The variable of a parameter of a new thread with its value; none if it is not a scalar.
    fn argument(
        &mut self,
        template: TemplateId,
        parameter: crate::hir::ObjectId,
        value: ExpressionId,
    ) -> Option<(VariableId, ExpressionId)> {
        let current = std::mem::replace(&mut self.template, template);
        let variable = self.scalar_variable(parameter);
        self.template = current;
        let variable = variable?;
        let bits = self.variables[variable.index()].bits;
        Some((variable, self.e.resize(value, bits, false)))
    }

    pub(super) fn thread_call(
        &mut self,
        name: &str,
        arguments: &'p [Expression],
        e: &'p Expression,
    ) -> ExpressionId {
        let bits = types::bits_of(self.program, e.ty);
        let zero = self.e.constant(0, bits);
        match (name, arguments) {
            ("pthread_create", [thread, _, function, argument]) => {
                self.create(thread, function, argument, e);
                zero
            }
            ("pthread_join", [thread, result]) => {
                self.join(thread, result, e.span);
                zero
            }
            ("pthread_exit", [value]) => {
                self.return_from_thread(value, e.span);
                self.end_main(e.span);
                self.check_last_thread(e.span);
                self.goto_end(e.span);
                zero
            }
            ("pthread_self", _) => self.this_thread(bits),
            ("pthread_equal", [a, b]) => {
                let left = self.value(a);
                let left = self.settle(left, b, a.span);
                let right = self.value(b);
                let equal = self.e.equal(left, right);
                self.e.resize(equal, bits, false)
            }
            ("pthread_once", [control, function]) => {
                self.once(control, function, e);
                zero
            }
            _ => {
                arguments.iter().for_each(|argument| self.effect(argument));
                zero
            }
        }
    }

    fn create(
        &mut self,
        thread: &'p Expression,
        function: &'p Expression,
        argument: &'p Expression,
        e: &'p Expression,
    ) {
        self.note("thread-creation-succeeds", "starting a thread does not fail", e.span);
        let ty = types::pointee(self.program, strip(thread).ty);
        let spot = ty.map(|ty| (self.dereference(strip(thread), ty), ty));
        let (targets, _) = self.function_targets(function, usize::MAX);
        let mut address = self.value(function);
        address = self.settle(address, argument, function.span);
        let mut value = self.value(argument);
        let is_shared = spot.as_ref().is_some_and(|(spot, _)| self.is_shared_spot(spot));
        if is_shared && !self.is_joint() && (self.reads_shared(value) || self.reads_shared(address)) {
            value = self.materialise(value, argument.span);
            address = self.materialise(address, function.span);
        }
        let targets: Vec<FunctionId> = match self.e.as_constant(address) {
            Some(at) => {
                let same = |f: &FunctionId| u128::from(self.memory.functions[f.index()]) == at;
                targets.into_iter().filter(same).collect()
            }
            None => targets,
        };
        let defined =
            |f: &FunctionId| self.program.functions[f.index()].body.is_some() || self.is_error_function(*f);
        let targets: Vec<FunctionId> = targets.into_iter().filter(defined).collect();
        match targets[..] {
            [] => {
                let message = "it is not known which function this thread runs";
                self.refuse("E0753", message, e.span, "give the name of a function of the program");
                self.graph.here = None;
            }
            [only] => self.start_thread(only, spot.as_ref(), value, e.span),
            _ => {
                let address = self.materialise(address, function.span);
                let value = self.materialise(value, argument.span);
                let join = self.fresh();
                for (target, way) in self.function_ways(address, &targets, e.span) {
                    self.resume(way);
                    self.start_thread(target, spot.as_ref(), value, e.span);
                    self.goto(join);
                }
                self.resume(join);
            }
        }
    }

    fn start_thread(
        &mut self,
        function: FunctionId,
        thread: Option<&(Spot, crate::hir::TypeId)>,
        value: ExpressionId,
        span: Span,
    ) {
        let template = self.template_of(function);
        let parameter = self.program.functions[function.index()].parameters.first().copied();
        let arguments = parameter.and_then(|parameter| self.argument(template, parameter, value));
        let effect = Effect::Spawn { template, arguments: arguments.into_iter().collect() };
        let truth = self.e.truth(true);
        self.touch(span);
        let Some((spot, ty)) = thread else {
            return self.emit_with(truth, Vec::new(), Some(effect), span);
        };
        let bits = types::bits_of(self.program, *ty);
        let new = self.e.insert(FlowExpression::NewThread, bits);
        if !self.is_read_by_others(spot) {
            let assignments = self.write(spot, *ty, Facet::Value, new, span);
            return self.emit_with(truth, assignments, Some(effect), span);
        }
        // The new thread may run before its number is stored.
        let target = self.temporary(bits, span);
        let keep = vec![Assignment { target, index: None, value: new }];
        self.emit_with(truth, keep, Some(effect), span);
        let new = self.e.variable(target, bits);
        let assignments = self.write(spot, *ty, Facet::Value, new, span);
        self.emit_assignments(assignments, span);
    }

    /// Whether other threads may look at a spot.
    fn is_read_by_others(&mut self, spot: &Spot) -> bool {
        if self.is_joint() || !self.is_shared_spot(spot) {
            return false;
        }
        let others = self.others();
        match spot {
            Spot::Named { object, .. } => others.reads.contains(object),
            Spot::Pointed { candidates, .. } => candidates.iter().any(|it| others.reads.contains(it)),
        }
    }

    /// `__CPROVER_ASYNC_1: f(a, b);`
    pub(super) fn start_async(&mut self, e: &'p Expression) {
        let call = match &e.kind {
            ExpressionKind::Convert(a) => &a.kind,
            kind => kind,
        };
        let ExpressionKind::Call(Callee::Direct(function), arguments) = call else {
            let message = "only a call of a function by its name can run in a thread of its own";
            return self.refuse("E0730", message, e.span, "put the label before a call f(…);");
        };
        let definition = &self.program.functions[function.index()];
        if definition.body.is_none() {
            let message = format!("the function {} has no body", definition.name);
            return self.refuse("E0753", message, e.span, "give the name of a function of the program");
        }
        let values = self.arguments(arguments);
        let template = self.template_of(*function);
        let mut given = Vec::new();
        for (&parameter, value) in definition.parameters.iter().zip(values) {
            match value.scalar() {
                Some(value) => given.extend(self.argument(template, parameter, value)),
                None => {
                    let message = "a struct cannot be given to a thread by value";
                    self.refuse("E0730", message, e.span, "give its members, or a pointer to a global one");
                }
            }
        }
        let truth = self.e.truth(true);
        self.touch(e.span);
        self.emit_with(truth, Vec::new(), Some(Effect::Spawn { template, arguments: given }), e.span);
    }

    fn join(&mut self, thread: &'p Expression, result: &'p Expression, span: Span) {
        let mut number = self.value(thread);
        if !self.is_joint() && self.reads_shared(number) {
            number = self.materialise(number, thread.span);
        }
        number = self.settle(number, result, thread.span);
        let ended = self.e.insert(FlowExpression::HasEnded(number), 1);
        let mut assignments = Vec::new();
        let is_null = self.constant_value(result) == Some(0);
        if let (false, Some(ty)) = (is_null, types::pointee(self.program, strip(result).ty)) {
            let spot = self.dereference(strip(result), ty);
            let value =
                self.e.insert(FlowExpression::ResultOf(number), self.program.data_model.pointer_bits());
            let bits = types::bits_of(self.program, ty);
            let value = self.e.resize(value, bits, false);
            assignments = self.write(&spot, ty, Facet::Value, value, span);
        }
        self.boundary();
        self.touch(span);
        self.emit(ended, assignments, span);
    }

    /// What the thread's function returns is kept; then the thread ends.
    pub(super) fn return_from_thread(&mut self, value: &'p Expression, span: Span) {
        let bits = self.program.data_model.pointer_bits();
        if self.template.index() == 0 || types::record_of(self.program, value.ty).is_some() {
            return self.effect(value);
        }
        let computed = self.value(value);
        let is_signed = types::is_signed(self.program, value.ty);
        let computed = self.e.resize(computed, bits, is_signed);
        let result = self.result_variable();
        // Nobody looks at what is there at the start.
        if self.e.as_constant(computed) != Some(0) {
            self.set(result, computed, span);
        }
    }

    fn result_variable(&mut self) -> VariableId {
        if let Some(result) = self.templates[self.template.index()].result {
            return result;
        }
        let name = self.templates[self.template.index()].name.clone();
        let result = self.add_variable(Variable {
            name: format!("result of {name}"),
            function: None,
            scope: Scope::Local(self.template),
            bits: self.program.data_model.pointer_bits(),
            ty: ValueType::Pointer,
            length: 1,
            initial: Some(vec![0]),
            address: None,
            is_ghost: true,
        });
        self.templates[self.template.index()].result = Some(result);
        result
    }

    /// `pthread_once`: 0 is new, 1 is busy, 2 is done.
    fn once(&mut self, control: &'p Expression, function: &'p Expression, e: &'p Expression) {
        let control = strip(control);
        let Some(ty) = types::pointee(self.program, control.ty) else { return };
        let spot = self.dereference(control, ty);
        let (targets, _) = self.function_targets(function, 0);
        let defined =
            |f: &&FunctionId| self.program.functions[f.index()].body.is_some() || self.is_error_function(**f);
        let targets: Vec<FunctionId> = targets.iter().filter(defined).copied().collect();
        let (false, Some((part, ty))) = (targets.is_empty(), self.scalar_part(&spot, ty, e.span)) else {
            let message = "the function that pthread_once runs is not known";
            return self.refuse("E0752", message, e.span, "give the name of a function of the program");
        };
        let address = match targets[..] {
            [_] => None,
            _ => {
                let address = self.value(function);
                Some(self.materialise(address, function.span))
            }
        };
        let bits = types::bits_of(self.program, ty);
        self.boundary();
        let state = self.read(&part, ty, e.span);
        let (zero, one, two) = (self.e.constant(0, bits), self.e.constant(1, bits), self.e.constant(2, bits));
        let (is_new, is_done) = (self.e.equal(state, zero), self.e.equal(state, two));
        let begin = self.write(&part, ty, Facet::Value, one, e.span);
        let (run, ran, done) = (self.fresh(), self.fresh(), self.fresh());
        self.split(vec![(is_new, begin, run), (is_done, Vec::new(), done)], e.span);
        self.resume(run);
        match address {
            None => {
                for &target in &targets {
                    self.inline(target, &[], e.span);
                }
                self.goto(ran);
            }
            Some(address) => {
                for (target, way) in self.function_ways(address, &targets, e.span) {
                    self.resume(way);
                    self.inline(target, &[], e.span);
                    self.goto(ran);
                }
            }
        }
        self.resume(ran);
        if self.is_reachable() {
            let finish = self.write(&part, ty, Facet::Value, two, e.span);
            self.emit_assignments(finish, e.span);
        }
        self.continue_at(done);
    }

    /// The first plain scalar of a library type that a header makes a struct or union.
    pub(super) fn scalar_part(
        &mut self,
        spot: &Spot,
        ty: crate::hir::TypeId,
        span: Span,
    ) -> Option<(Spot, crate::hir::TypeId)> {
        if !matches!(types::get(self.program, ty).kind, TypeKind::Record(_)) {
            return Some((spot.clone(), ty));
        }
        let mut parts = self.parts(spot, ty, span)?;
        (!parts.is_empty()).then(|| parts.swap_remove(0))
    }

    /// `__CPROVER_passive_broadcast: l = e;` assigns in all passive threads that have `l`, over their variables.
    pub(super) fn passive_broadcast(&mut self, e: &'p Expression) {
        let (place, value) = match &e.kind {
            ExpressionKind::Assign(place, value) => (place, value),
            _ => return self.refuse_broadcast(e.span),
        };
        let PlaceKind::Object(object) = &place.kind else { return self.refuse_broadcast(e.span) };
        let is_local = matches!(self.scope(*object), Scope::Local(_));
        if !is_local || self.has_effects(value) || self.scalar_variable(*object).is_none() {
            return self.refuse_broadcast(e.span);
        }
        self.is_joint_forced = true;
        let current = self.template;
        let templates: Vec<TemplateId> = self.known_templates();
        let mut updates = Vec::new();
        for template in templates {
            self.template = template;
            let is_there = match self.memory.objects[object.index()].storage {
                crate::hir::Storage::Automatic(f) | crate::hir::Storage::Parameter(f) => {
                    self.templates[template.index()].functions.contains(&f)
                }
                _ => true,
            };
            let variable = if is_there { self.scalar_variable(*object) } else { None };
            if let Some(variable) = variable {
                let computed = self.value(value);
                let computed = self.passive(computed);
                let guard = self.e.truth(true);
                updates.push(PassiveUpdate { template, guard, assignments: vec![(variable, computed)] });
            }
        }
        self.template = current;
        self.is_joint_forced = false;
        // They would have to hold in other threads.
        if !std::mem::take(&mut self.obligations).is_empty() {
            return self.refuse_broadcast(e.span);
        }
        let truth = self.e.truth(true);
        self.emit_with(truth, Vec::new(), Some(Effect::Broadcast(updates)), e.span);
    }

    fn refuse_broadcast(&mut self, span: Span) {
        let message = "a passive broadcast has to be an assignment to a local variable without calls, and of something that is always defined";
        self.refuse("E0732", message, span, "write __CPROVER_passive_broadcast: l = e;");
    }

    /// All templates that there will be: those of functions that are started anywhere.
    fn known_templates(&mut self) -> Vec<TemplateId> {
        let started: Vec<FunctionId> = self.points.started.iter().copied().collect();
        for function in started {
            if self.program.functions[function.index()].body.is_some() {
                self.template_of(function);
            }
        }
        TemplateId::all(self.templates.len()).collect()
    }

    /// An expression over a passive thread's variables instead of one's own.
    fn passive(&mut self, e: ExpressionId) -> ExpressionId {
        let bits = self.e.bits(e);
        match self.e.get(e) {
            FlowExpression::Variable(v) if self.variables[v.index()].scope != Scope::Shared => {
                self.e.insert(FlowExpression::Passive(v), bits)
            }
            FlowExpression::Element(v, index) => {
                let index = self.passive(index);
                self.e.element(v, index, bits)
            }
            FlowExpression::Unary(operator, a) => {
                let a = self.passive(a);
                match operator {
                    flow::UnaryOperator::Not => self.e.not(a),
                    flow::UnaryOperator::Negate => self.e.negate(a),
                }
            }
            FlowExpression::Binary(operator, a, b) => {
                let (a, b) = (self.passive(a), self.passive(b));
                self.e.binary(operator, a, b)
            }
            FlowExpression::IfThenElse(c, a, b) => {
                let (c, a, b) = (self.passive(c), self.passive(a), self.passive(b));
                self.e.if_then_else(c, a, b)
            }
            FlowExpression::Extend { operand, is_signed } => {
                let operand = self.passive(operand);
                self.e.resize(operand, bits, is_signed)
            }
            FlowExpression::Extract { operand, low } => {
                let operand = self.passive(operand);
                self.e.extract(operand, low, bits)
            }
            _ => e,
        }
    }

    /// The ghost that says on which condition variable a thread waits; 0 if on none.
    pub(super) fn waiting_variable(&mut self) -> VariableId {
        if let Some(&variable) = self.waiting.get(&self.template) {
            return variable;
        }
        let variable = self.add_variable(Variable {
            name: "waits for".to_owned(),
            function: None,
            scope: Scope::Local(self.template),
            bits: self.program.data_model.pointer_bits(),
            ty: ValueType::Pointer,
            length: 1,
            initial: Some(vec![0]),
            address: None,
            is_ghost: true,
        });
        self.waiting.insert(self.template, variable);
        variable
    }

    /// A signal or broadcast; whom it wakes is known when all code is made.
    pub(super) fn wake(&mut self, address: ExpressionId, is_broadcast: bool, span: Span) {
        let before = self.graph.arcs.len();
        self.touch(span);
        self.emit_assignments(Vec::<Assignment>::new(), span);
        if self.graph.arcs.len() > before {
            let arc = self.graph.arcs.len() - 1;
            self.wakeups.push(Wakeup { arc, address, is_broadcast });
        }
    }

    /// Says whom signals and broadcasts wake.
    pub(super) fn fill_wakeups(&mut self) {
        let bits = self.program.data_model.pointer_bits();
        let waiting: Vec<(TemplateId, VariableId)> = self.waiting.iter().map(|(&t, &v)| (t, v)).collect();
        for wakeup in std::mem::take(&mut self.wakeups) {
            let mut updates = Vec::new();
            for &(template, variable) in &waiting {
                let passive = self.e.insert(FlowExpression::Passive(variable), bits);
                let guard = self.e.equal(passive, wakeup.address);
                let zero = self.e.constant(0, bits);
                updates.push(PassiveUpdate { template, guard, assignments: vec![(variable, zero)] });
            }
            if !updates.is_empty() {
                let effect =
                    if wakeup.is_broadcast { Effect::Broadcast(updates) } else { Effect::Signal(updates) };
                self.graph.arcs[wakeup.arc].effect = Some(effect);
            }
        }
    }
}

/// An argument without conversions between pointers around it.
pub(super) fn strip(e: &Expression) -> &Expression {
    match &e.kind {
        ExpressionKind::Convert(a) => strip(a),
        _ => e,
    }
}
