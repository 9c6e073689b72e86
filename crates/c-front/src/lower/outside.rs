//! Functions without a body: what those of the library do to memory by the table of the closed world, and what unknown ones
//! do if that is asked for.

use super::memory::Facet;
use super::place::Spot;
use super::points::Target;
use super::threads::strip;
use super::types::LeafKind;
use super::{Lower, types};
use crate::hir::{Expression, ExpressionKind, ObjectId, Opaque, TypeId, TypeKind};
use crate::world::{Call, Effect, Value};
use std::collections::BTreeSet;
use throng_base::Span;
use throng_cfa::flow::{self, Assignment, ExpressionId, Scope, ValueType, Variable, VariableId};

/// What a function of the library writes through a pointer.
#[derive(Clone, Copy, Debug)]
pub(super) enum Outcome {
    /// Anything.
    Any,
    /// This number.
    Count(u32),
    /// What its arguments determine, without a model: refused where it matters.
    Unmodelled,
    /// What a function without a body may leave there: refused where it matters.
    Unknown,
}

/// What unknown functions are taken not to do, if they may change all that they know.
const HAVOC: &str = "functions without a body return anything and change, in any way and at any time while they run, all \
     variables with external linkage and all that their arguments, or those of earlier calls, lead to; but they call no \
     function of the program, start no threads, leave its locks alone, and keep what a thread gives them to that thread";

/// What they are taken not to do, if what they do does not matter.
const HARMLESS: &str = "functions without a body do nothing that matters: they change no variable of the program but through \
     their arguments, which lead to nothing that matters, call none of its functions, start no threads, and leave its \
     locks alone";

impl<'p> Lower<'p> {
    /// A call of a function of the table without a translation of its own.
    pub(super) fn table_call(
        &mut self,
        call: &Call,
        arguments: &'p [Expression],
        e: &'p Expression,
    ) -> ExpressionId {
        let bits = types::bits_of(self.program, e.ty);
        match call.effect {
            Effect::Refused(hint) => {
                self.refuse("E0721", format!("{} is not supported", self.called(call)), e.span, hint);
                return self.e.constant(0, bits);
            }
            Effect::Allocates => {
                arguments.iter().for_each(|argument| self.effect(argument));
                let diagnostic = self.heap_diagnostic(e.span);
                return self.unmodelled(bits, diagnostic);
            }
            Effect::Nothing | Effect::Own(_) => {}
            Effect::Writes(_) | Effect::WritesFrom(_) | Effect::Obscures(_) => {}
        }
        let first = self.table_arguments(call, arguments, e.span);
        self.table_value(call, first, e)
    }

    /// What is said about memory that a call allocates.
    pub(super) fn heap_diagnostic(&self, call: Span) -> throng_base::Diagnostic {
        let text = self.program.text.slice(call);
        let name = text.split('(').next().unwrap_or(text).trim();
        let message = format!("memory from {name} is not modelled");
        let diagnostic = self.program.text.error("E0711", message, call);
        let diagnostic = diagnostic.note("it can influence whether an error is reached");
        diagnostic.hint("use a global variable or an array of fixed size")
    }

    fn called(&self, call: &Call) -> String {
        call.name.trim_end_matches('*').trim_end_matches('_').to_owned()
    }

    /// Evaluates arguments and writes through those that the table says; the value of the first, if it is wanted.
    fn table_arguments(
        &mut self,
        call: &Call,
        arguments: &'p [Expression],
        span: Span,
    ) -> Option<ExpressionId> {
        let mut first = None;
        for (number, argument) in arguments.iter().enumerate() {
            let is_written = match call.effect {
                Effect::Writes(numbers) => numbers.contains(&number),
                Effect::WritesFrom(from) | Effect::Obscures(from) => number >= from,
                _ => false,
            };
            if is_written {
                let is_known = !matches!(call.effect, Effect::Obscures(_));
                self.write_outcome(argument, if is_known { Outcome::Any } else { Outcome::Unmodelled }, span);
            } else if number == 0 && matches!(call.value, Value::AtMostFirst | Value::First) {
                let value = self.value(argument);
                first = Some(self.materialise(value, argument.span));
            } else {
                self.effect(argument);
            }
        }
        first
    }

    /// What the table says about the result.
    fn table_value(&mut self, call: &Call, first: Option<ExpressionId>, e: &'p Expression) -> ExpressionId {
        let bits = types::bits_of(self.program, e.ty);
        self.nondet_span = e.span;
        let name = format!("{}()", call.name);
        if types::is_unmodelled(self.program, e.ty) {
            let message = format!("what {} returns is not modelled", call.name);
            return self.unmodelled_at(bits, "E0701", &message, e.span);
        }
        match (call.value, first) {
            (Value::Zero, _) => self.e.constant(0, bits),
            (Value::ZeroOrMinusOne, _) => {
                let bit = self.nondet(&name, 1, ValueType::Bool);
                self.e.resize(bit, bits, true)
            }
            (Value::Natural, _) => {
                let value = self.nondet(&name, 31, ValueType::Integer { is_signed: false });
                self.e.resize(value, bits, false)
            }
            (Value::AtLeastMinusOne, _) => {
                let value = self.nondet(&name, 31, ValueType::Integer { is_signed: false });
                let value = self.e.resize(value, bits, false);
                let one = self.e.constant(1, bits);
                self.e.subtract(value, one)
            }
            (Value::AtMostFirst, Some(most)) => {
                let most = self.e.resize(most, bits, false);
                let value = self.nondet_of(&name, e.ty);
                let value = self.materialise(value, e.span);
                let is_less = self.e.binary(flow::BinaryOperator::UnsignedLess, value, most);
                self.e.if_then_else(is_less, value, most)
            }
            (Value::First, Some(value)) => self.e.resize(value, bits, false),
            (Value::Unmodelled, _) => self.determined(call.name, bits, e.span),
            _ => self.nondet_of(&name, e.ty),
        }
    }

    /// What a function returns whose arguments determine it, but that has no model.
    pub(super) fn determined(&mut self, name: &str, bits: u32, span: Span) -> ExpressionId {
        let message = format!("what {name} returns is not modelled");
        self.unmodelled_at(bits, "E0713", &message, span)
    }

    /// What an argument points to is written, unless it is null. A text is written as far as it goes.
    pub(super) fn write_outcome(&mut self, argument: &'p Expression, outcome: Outcome, span: Span) {
        let pointer = strip(argument);
        let is_null = matches!(pointer.kind, ExpressionKind::Constant(0));
        let to = types::pointee(self.program, pointer.ty).filter(|&to| self.is_writable(to));
        let (Some(to), false) = (to, is_null) else { return self.effect(argument) };
        let targets = self.points.of(self.program, pointer);
        let address = self.value(pointer);
        let address = self.materialise(address, pointer.span);
        let is_there = self.e.is_nonzero(address);
        let is_null = self.e.not(is_there);
        let (write, done) = (self.fresh(), self.fresh());
        self.split(vec![(is_there, Vec::new(), write), (is_null, Vec::new(), done)], span);
        self.resume(write);
        if self.is_reachable() {
            let spot = self.pointed(address, &targets, to);
            self.scramble(&spot, to, outcome, span);
            if types::bits_of(self.program, to) == 8 {
                self.scramble_around(address, &targets, outcome, span);
            }
        }
        self.goto(done);
        self.resume(done);
    }

    /// All of the objects that an address may be in.
    fn scramble_around(
        &mut self,
        address: ExpressionId,
        targets: &BTreeSet<Target>,
        outcome: Outcome,
        span: Span,
    ) {
        let bits = self.e.bits(address);
        for target in targets {
            let Target::Object(object) = *target else { continue };
            if !self.is_accessible(object) || !self.is_writable(self.memory.objects[object.index()].ty) {
                continue;
            }
            let info = &self.memory.objects[object.index()];
            let (from, size) = (u128::from(info.address), u128::from(info.size.max(1)));
            let from = self.e.constant(from, bits);
            let size = self.e.constant(size, bits);
            let offset = self.e.subtract(address, from);
            let is_inside = self.e.binary(flow::BinaryOperator::UnsignedLess, offset, size);
            self.scramble_if(is_inside, object, outcome, span);
        }
    }

    /// An object becomes arbitrary if a condition holds.
    fn scramble_if(&mut self, condition: ExpressionId, object: ObjectId, outcome: Outcome, span: Span) {
        let not = self.e.not(condition);
        let (write, done) = (self.fresh(), self.fresh());
        self.split(vec![(condition, Vec::new(), write), (not, Vec::new(), done)], span);
        self.resume(write);
        if self.is_reachable() {
            let ty = self.memory.objects[object.index()].ty;
            let spot = Spot::Named { object, path: Vec::new(), indices: Vec::new() };
            self.scramble(&spot, ty, outcome, span);
        }
        self.goto(done);
        self.resume(done);
    }

    /// All scalars of a place are written, one after the other; locks stay what they are.
    pub(super) fn scramble(&mut self, spot: &Spot, ty: TypeId, outcome: Outcome, span: Span) {
        let Some(parts) = self.parts(spot, ty, span) else { return };
        for (part, ty) in parts {
            let described = types::get(self.program, ty);
            if described.qualifiers.is_const || !matches!(described.opaque, None | Some(Opaque::Thread)) {
                continue;
            }
            let name = super::graph::one_line(self.program.text.slice(span));
            let bits = types::bits_of(self.program, ty);
            let value = match outcome {
                Outcome::Any => self.nondet_of(&name, ty),
                Outcome::Count(n) => self.e.constant(u128::from(n), bits),
                Outcome::Unmodelled => {
                    self.unmodelled_at(bits, "E0713", &format!("what {name} writes is not modelled"), span)
                }
                Outcome::Unknown => self.unknown_value(bits, span),
            };
            let assignments: Vec<Assignment> = self.write(&part, ty, Facet::Value, value, span);
            self.emit_assignments(assignments, span);
        }
    }

    /// Whether something of this type may be written through a pointer to it.
    fn is_writable(&self, ty: TypeId) -> bool {
        let ty = types::get(self.program, ty);
        let is_object = !matches!(ty.kind, TypeKind::Function { .. } | TypeKind::Void);
        is_object && ty.opaque.is_none() && !ty.qualifiers.is_const
    }

    /// A function without a body that nothing is known about. With `--havoc-calls`, it changes all that it may know. Otherwise what
    /// it returns and writes has no model: the program is refused if that can influence whether an error is reached.
    ///
    // SOUND: a function that does not return, or ends the program, leaves runs out and adds none, but for what runs at the
    // program's end; that it calls nothing of the program is assumed, and stands in the first lines of the report.
    pub(super) fn unknown_call(
        &mut self,
        name: &str,
        arguments: &'p [Expression],
        e: &'p Expression,
    ) -> ExpressionId {
        let bits = types::bits_of(self.program, e.ty);
        let text = if self.options.havoc_calls { HAVOC } else { HARMLESS };
        self.note("assumes-unknown-functions", text, e.span);
        self.check_callbacks(name, e.span);
        let mut reached = BTreeSet::new();
        for argument in arguments {
            self.effect(argument);
            let targets = self.points.of(self.program, strip(argument));
            self.points.reach(&targets, &mut reached);
        }
        self.give_away(&reached, e.span);
        self.change_known(e.span);
        if !self.options.havoc_calls {
            self.check_locks(name, &reached, e.span);
            return self.unknown_value(bits, e.span);
        }
        if types::is_unmodelled(self.program, e.ty) {
            let message = format!("what {name} returns is not modelled");
            return self.unmodelled_at(bits, "E0701", &message, e.span);
        }
        self.nondet_of(&format!("{name}()"), e.ty)
    }

    /// What an unknown function returns or writes: the program is refused if it matters.
    pub(super) fn unknown_value(&mut self, bits: u32, span: Span) -> ExpressionId {
        let call = super::graph::one_line(self.program.text.slice(span));
        let message = format!("a function without a body is called that is not known: {call}");
        let diagnostic = self.program.text.error("E0710", message, span);
        let diagnostic = diagnostic
            .note("what it returns or writes can influence whether an error is reached")
            .hint("give it a body, or use --havoc-calls to let it do anything to what it can know");
        self.unmodelled(bits, diagnostic)
    }

    /// Notes what an unknown function may keep the address of.
    fn give_away(&mut self, reached: &BTreeSet<ObjectId>, span: Span) {
        let mut assignments = Vec::new();
        for &object in reached {
            let is_linked = self.points.is_linked_outside(self.program, object);
            if !is_linked && self.is_changed_outside(object) {
                let (target, value) = (self.given_away(object), self.e.constant(1, 1));
                assignments.push(Assignment { target, index: None, value });
            }
        }
        if !assignments.is_empty() {
            self.emit_assignments(assignments, span);
        }
    }

    /// Whether unknown functions may write to an object that they know, in this thread.
    fn is_changed_outside(&self, object: ObjectId) -> bool {
        let ty = self.memory.objects[object.index()].ty;
        self.is_accessible(object) && self.is_writable(ty) && !types::is_constant(self.program, ty)
    }

    /// An unknown function changes what it may know: any number of times, if others can see that.
    fn change_known(&mut self, span: Span) {
        let known: Vec<ObjectId> = self.points.known_outside().into_iter().collect();
        let known: Vec<ObjectId> = known.into_iter().filter(|&it| self.is_changed_outside(it)).collect();
        let is_seen = known.iter().any(|&object| self.is_shared(object));
        let is_threaded = !self.points.started.is_empty() || !self.options.threads_run.is_empty();
        if known.is_empty() || !self.is_reachable() {
            return;
        }
        if !self.options.havoc_calls || !is_threaded || !is_seen || self.is_joint() {
            return self.change_once(&known, span);
        }
        // SOUND: in one turn each scalar may become what it is already, so turns make all sequences of changes.
        let (head, again, done) = (self.fresh(), self.fresh(), self.fresh());
        self.begin_at(head);
        let truth = self.e.truth(true);
        self.split(vec![(truth, Vec::new(), again), (truth, Vec::new(), done)], span);
        self.resume(again);
        self.change_once(&known, span);
        self.goto(head);
        self.resume(done);
    }

    fn change_once(&mut self, known: &[ObjectId], span: Span) {
        let outcome = if self.options.havoc_calls { Outcome::Any } else { Outcome::Unknown };
        for &object in known {
            let condition = if self.points.is_linked_outside(self.program, object) {
                self.e.truth(true)
            } else {
                let given = self.given_away(object);
                self.e.variable(given, 1)
            };
            self.scramble_if(condition, object, outcome, span);
        }
    }

    /// What an unknown function does to a lock has no model.
    fn check_locks(&mut self, name: &str, reached: &BTreeSet<ObjectId>, span: Span) {
        let is_lock =
            |leaf: &types::Leaf| matches!(leaf.kind, LeafKind::Opaque(kind) if kind != Opaque::Thread);
        for &object in reached {
            if self.is_accessible(object) && self.shape_of(object).leaves.iter().any(is_lock) {
                let message = format!("the function {name} has no body, and is given a lock");
                return self.refuse("E0710", message, span, "give it a body");
            }
        }
    }

    /// An unknown function that was given a function of the program may call it, which has no model.
    fn check_callbacks(&mut self, name: &str, span: Span) {
        let given = self.points.callable_outside().into_iter();
        let known = given.map(|function| &self.program.functions[function.index()]);
        let callbacks: Vec<&str> =
            known.filter(|function| function.body.is_some()).map(|function| function.name.as_str()).collect();
        if let Some(callback) = callbacks.first() {
            let message =
                format!("the function {name} has no body, and may call {callback}, which it can know");
            self.refuse("E0710", message, span, "give it a body");
        }
    }

    /// The ghost that says whether an unknown function may have kept the address of an object.
    fn given_away(&mut self, object: ObjectId) -> VariableId {
        if let Some(&variable) = self.given_away.get(&object) {
            return variable;
        }
        let variable = self.add_variable(Variable {
            name: format!("{} is given away", self.memory.objects[object.index()].name),
            function: None,
            scope: Scope::Shared,
            bits: 1,
            ty: ValueType::Bool,
            length: 1,
            initial: Some(vec![0]),
            address: None,
            is_ghost: true,
        });
        self.given_away.insert(object, variable);
        variable
    }
}
