//! Functions that are known by their names: what each means.

use super::outside::Outcome;
use super::place::Spot;
use super::threads::strip;
use super::{Lower, ending, types};
use crate::hir::{Expression, ExpressionKind, FunctionId, ObjectId, PlaceKind, TypeKind};
use crate::world::{self, Effect};
use throng_base::Span;
use throng_cfa::flow::{Expression as FlowExpression, ExpressionId, LocationKind, Predicate, PropertyKind};

/// The label of a broadcast to passive threads.
pub(super) const PASSIVE_BROADCAST: &str = "__CPROVER_passive_broadcast";

/// Whether a label says that a call runs in a thread of its own.
pub(super) fn is_async_label(name: &str) -> bool {
    name.starts_with("__CPROVER_ASYNC_")
}

/// Whether a function keeps its meaning even if the program defines it.
pub(super) fn overrides(name: &str) -> bool {
    world::function(name).is_some_and(|call| call.is_primitive)
}

/// Whether a function without a body gives an arbitrary value and does nothing else, arguments or not.
pub(super) fn is_nondet(name: &str) -> bool {
    name.starts_with("__VERIFIER_nondet_")
        || name.starts_with("nondet_")
        || matches!(name, "nondet" | "rand" | "random" | "clock" | "getpid" | "lrand48" | "gettid")
}

/// Whether a function does nothing that the program's memory shows.
pub(super) fn has_no_effect(name: &str) -> bool {
    let is_silent = world::function(name).is_some_and(|call| call.effect == Effect::Nothing);
    let is_end = matches!(
        name,
        "pthread_cond_init"
            | "pthread_cond_destroy"
            | "pthread_spin_destroy"
            | "pthread_mutex_destroy"
            | "pthread_rwlock_destroy"
            | "sem_destroy"
    );
    is_silent || is_end || is_control(name)
}

/// Whether a function is about whether and where a thread goes on, not about memory.
fn is_control(name: &str) -> bool {
    matches!(
        name,
        "__VERIFIER_atomic_begin"
            | "__VERIFIER_atomic_end"
            | "__CPROVER_atomic_begin"
            | "__CPROVER_atomic_end"
            | "__CPROVER_assume"
            | "__VERIFIER_assume"
            | "__VERIFIER_assert"
            | "__CPROVER_assert"
            | "__CPROVER_predicate"
            | "__CPROVER_parameter_predicates"
            | "__CPROVER_return_predicates"
            | "assert"
            | "assume"
            | "abort"
            | "exit"
            | "_exit"
            | "_Exit"
            | "quick_exit"
            | "pthread_self"
            | "pthread_equal"
            | "__assert_fail"
            | "__assert_rtn"
            | "__throng_assert_fail"
            | "__assert"
    )
}

impl<'p> Lower<'p> {
    /// A call of a function that is known by its name, or not known. Nobody knows a struct that it returns.
    pub(super) fn library_call(
        &mut self,
        function: FunctionId,
        arguments: &'p [Expression],
        e: &'p Expression,
        is_wanted: bool,
    ) -> ExpressionId {
        let value = self.known_call(function, arguments, e, is_wanted);
        if types::record_of(self.program, e.ty).is_some()
            && self.is_reachable()
            && let Some((object, ty)) = self.result_object(function)
        {
            let spot = Spot::whole(object);
            let name = self.program.functions[function.index()].name.as_str();
            if self.options.havoc_calls || is_nondet(name) || world::function(name).is_some() {
                self.havoc(&spot, ty, e.span);
            } else {
                self.scramble(&spot, ty, Outcome::Unknown, e.span);
            }
        }
        self.havoc_errno(function, e.span);
        value
    }

    fn known_call(
        &mut self,
        function: FunctionId,
        arguments: &'p [Expression],
        e: &'p Expression,
        is_wanted: bool,
    ) -> ExpressionId {
        let definition = &self.program.functions[function.index()];
        let name = definition.name.as_str();
        let bits = types::bits_of(self.program, e.ty);
        let zero = self.e.constant(0, bits);
        match name {
            "pthread_create" | "pthread_join" | "pthread_exit" | "pthread_self" | "pthread_equal"
            | "pthread_once" | "thrd_yield" => self.thread_call(name, arguments, e),
            _ if name.starts_with("pthread_mutex_")
                || name.starts_with("pthread_rwlock_")
                || name.starts_with("pthread_spin_")
                || name.starts_with("pthread_cond_")
                || name.starts_with("sem_") =>
            {
                self.lock_call(name, arguments, e, is_wanted)
            }
            "syscall" => self.system_call(arguments, e),
            "signal" => self.signal(arguments, e),
            "mtx_init" => self.lock_call("pthread_mutex_init", arguments, e, is_wanted),
            "__VERIFIER_atomic_begin" | "__CPROVER_atomic_begin" => self.section(true, e),
            "__VERIFIER_atomic_end" | "__CPROVER_atomic_end" => self.section(false, e),
            "__VERIFIER_assume" | "__CPROVER_assume" | "assume" => {
                if let [condition] = arguments {
                    let holds = self.truth_of(condition);
                    self.emit(holds, Vec::new(), e.span);
                }
                zero
            }
            "__VERIFIER_assert" | "__CPROVER_assert" | "assert" => {
                self.assert_call(arguments, e.span);
                zero
            }
            "__assert_fail" | "__assert_rtn" | "__throng_assert_fail" | "__assert" => {
                self.assertion_fails(name, arguments, e.span);
                zero
            }
            "_exit" | "_Exit" | "abort" => {
                arguments.iter().for_each(|argument| self.effect(argument));
                if name == "abort" {
                    self.note_abort(e.span);
                }
                self.stop(e.span);
                zero
            }
            "exit" => {
                let status = arguments.first().map(|status| self.value(status));
                self.leave_program(status, e.span);
                zero
            }
            "quick_exit" => {
                arguments.iter().for_each(|argument| self.effect(argument));
                self.run_all(&ending::at_quick_exit(self.program), None, e.span);
                self.stop(e.span);
                zero
            }
            "__CPROVER_predicate" => {
                self.predicate(arguments, e.span);
                zero
            }
            "__CPROVER_parameter_predicates" => {
                self.parameter_predicates(e.span);
                zero
            }
            "__CPROVER_return_predicates" => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.relates_result = true;
                }
                zero
            }
            _ if super::bytes::is_known(name) => self.memory_call(name, arguments, e),
            _ => self.other_call(name, arguments, e),
        }
    }

    fn other_call(&mut self, name: &'p str, arguments: &'p [Expression], e: &'p Expression) -> ExpressionId {
        let bits = types::bits_of(self.program, e.ty);
        self.nondet_span = e.span;
        if is_nondet(name) && !matches!(name, "rand" | "random" | "lrand48" | "getpid" | "gettid") {
            arguments.iter().for_each(|argument| self.effect(argument));
            if types::is_unmodelled(self.program, e.ty) {
                let message = format!("what {name} returns is not modelled");
                return self.unmodelled_at(bits, "E0701", &message, e.span);
            }
            self.nondet_span = e.span;
            return self.nondet_of(&format!("{name}()"), e.ty);
        }
        let Some(call) = world::function(name) else { return self.unknown_call(name, arguments, e) };
        if name.contains("printf") {
            return self.print(name, arguments, e);
        }
        self.table_call(call, arguments, e)
    }

    /// `signal(n, SIG_IGN)` and `signal(n, SIG_DFL)`: no handler runs. Others are refused.
    fn signal(&mut self, arguments: &'p [Expression], e: &'p Expression) -> ExpressionId {
        let handler = arguments.get(1).map(|handler| &strip(handler).kind);
        if let (Some(ExpressionKind::Constant(0 | 1)), Some(number)) = (handler, arguments.first()) {
            self.effect(number);
            self.nondet_span = e.span;
            return self.nondet_of("signal()", e.ty);
        }
        let message = "a handler of signals is not supported";
        self.refuse("E0721", message, e.span, "let threads end by a shared flag");
        self.e.constant(0, types::bits_of(self.program, e.ty))
    }

    /// Printing. The texts that are written have no model; neither has a count of characters behind other conversions.
    fn print(&mut self, name: &str, arguments: &'p [Expression], e: &'p Expression) -> ExpressionId {
        let at = match name {
            "printf" | "vprintf" => 0,
            "snprintf" | "vsnprintf" => 2,
            _ => 1,
        };
        let text = arguments.get(at).and_then(|format| self.string(format));
        let conversions = text.as_deref().map(conversions);
        for (number, argument) in arguments.iter().enumerate() {
            let is_text = number == 0 && matches!(name, "sprintf" | "snprintf");
            let conversion =
                conversions.as_ref().map(|all| number.checked_sub(at + 1).and_then(|n| all.get(n).copied()));
            let is_number = types::pointee(self.program, strip(argument).ty).is_some_and(
                |to| matches!(types::get(self.program, to).kind, TypeKind::Integer { bits, .. } if bits > 8),
            );
            match conversion {
                _ if is_text => self.write_outcome(argument, Outcome::Unmodelled, e.span),
                Some(Some(Conversion { letter: 'n', before: Some(n) })) => {
                    self.write_outcome(argument, Outcome::Count(n), e.span);
                }
                Some(Some(Conversion { letter: 'n', before: None })) => {
                    self.write_outcome(argument, Outcome::Unmodelled, e.span);
                }
                None if number > at && is_number => {
                    self.write_outcome(argument, Outcome::Unmodelled, e.span);
                }
                _ => self.effect(argument),
            }
        }
        self.determined(name, types::bits_of(self.program, e.ty), e.span)
    }

    /// Whether reading a place gives an arbitrary value, as registers of devices do.
    pub(super) fn is_device(&mut self, place: &crate::hir::Place) -> bool {
        let is_device = self.options.volatile == super::Volatile::Nondet
            && types::get(self.program, place.ty).qualifiers.is_volatile;
        if is_device {
            let text = "reading a volatile object gives an arbitrary value";
            self.note("volatile-nondet", text, place.span);
        }
        is_device
    }

    /// An atomic section begins or ends.
    fn section(&mut self, is_begin: bool, e: &'p Expression) -> ExpressionId {
        let to = self.fresh();
        self.skip(to, Some(is_begin), e.span);
        self.e.constant(0, types::bits_of(self.program, e.ty))
    }

    /// The whole program ends: everybody stands still.
    pub(super) fn stop(&mut self, span: Span) {
        let known = self.templates[self.template.index()].stop;
        let stop = known.unwrap_or_else(|| self.fresh_with(true));
        self.templates[self.template.index()].stop = Some(stop);
        debug_assert_eq!(self.graph.nodes[stop.index()].kind, LocationKind::Inner);
        let truth = self.e.truth(true);
        if self.is_reachable() {
            let holds = self.discharge();
            let guard = self.e.and(holds, truth);
            self.arc(stop, guard, Vec::new(), None, span);
        }
        // Nothing follows, on purpose.
        self.graph.stand(Some(stop));
        self.graph.here = None;
    }

    fn assert_call(&mut self, arguments: &'p [Expression], span: Span) {
        let Some(condition) = arguments.first() else { return };
        let (yes, no) = (self.fresh(), self.fresh());
        self.branch(condition, yes, no);
        self.resume(no);
        if self.is_reachable() {
            let text = super::graph::one_line(self.program.text.slice(condition.span));
            let text = match arguments.get(1).and_then(|message| self.string(message)) {
                Some(message) => format!("assertion {text} fails: {message}"),
                None => format!("assertion {text} fails"),
            };
            self.assertion_error(text, span);
        }
        self.resume(yes);
    }

    fn assertion_fails(&mut self, name: &str, arguments: &'p [Expression], span: Span) {
        let position = if name == "__assert_rtn" { 3 } else { 0 };
        let text = arguments.get(position).and_then(|argument| self.string(argument));
        let text = match text {
            Some(text) => format!("assertion {} fails", super::graph::one_line(&text)),
            None => "an assertion fails".to_owned(),
        };
        self.assertion_error(text, span);
    }

    fn assertion_error(&mut self, text: String, span: Span) {
        if self.options.properties.assertions {
            self.fail(PropertyKind::Assertion, text, span);
        } else {
            self.stop(span);
        }
    }

    /// The text of a string literal.
    fn string(&self, e: &Expression) -> Option<String> {
        match &e.kind {
            ExpressionKind::Convert(a) => self.string(a),
            ExpressionKind::AddressOf(place) => {
                let mut place = place;
                while let PlaceKind::Element(inner, _) = &place.kind {
                    place = inner;
                }
                let PlaceKind::Object(object) = &place.kind else { return None };
                let stores = super::memory::stores(self.program, *object);
                let bytes = stores.iter().map_while(|store| match store.value.kind {
                    ExpressionKind::Constant(value) if value != 0 => Some(value as u8),
                    _ => None,
                });
                Some(String::from_utf8_lossy(&bytes.collect::<Vec<u8>>()).into_owned())
            }
            _ => None,
        }
    }

    fn predicate(&mut self, arguments: &'p [Expression], span: Span) {
        let Some(condition) = arguments.first() else { return };
        if self.has_effects(condition) {
            let message = "the argument of __CPROVER_predicate has effects";
            self.refuse("E0731", message, span, "use an expression without assignments and calls");
            return;
        }
        // All of it is looked at at once: no edge is made, and nothing has to hold for it.
        self.is_joint_forced = true;
        let obligations = std::mem::take(&mut self.obligations);
        let expression = self.truth_of(condition);
        self.obligations = obligations;
        self.is_joint_forced = false;
        let site = self.site(span);
        self.predicates.push(Predicate { template: self.template, expression, site });
    }

    /// Predicates of the call that is being inlined: each parameter has the value that the caller gives it.
    fn parameter_predicates(&mut self, span: Span) {
        let arguments = self.frames.last().map(|frame| frame.arguments.clone()).unwrap_or_default();
        for (parameter, value) in arguments {
            self.equality_predicate(parameter, value, span);
        }
    }

    /// A predicate for the proof: an object that is one scalar has a value.
    pub(super) fn equality_predicate(&mut self, object: ObjectId, value: ExpressionId, span: Span) {
        let Some(variable) = self.scalar_variable(object) else { return };
        let bits = self.variables[variable.index()].bits;
        let now = self.e.variable(variable, bits);
        let value = self.e.resize(value, bits, false);
        let expression = self.e.equal(now, value);
        if self.e.as_constant(expression).is_none() {
            let site = self.site(span);
            self.predicates.push(Predicate { template: self.template, expression, site });
        }
    }

    /// The number of the thread that takes the step.
    pub(super) fn this_thread(&mut self, bits: u32) -> ExpressionId {
        self.e.insert(FlowExpression::ThisThread, bits)
    }
}

/// What an argument of a format is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Conversion {
    /// The letter of its conversion, `*` for widths.
    letter: char,
    /// How many characters are printed before it, if they are all plain.
    before: Option<u32>,
}

/// What each argument of a format is for.
fn conversions(format: &str) -> Vec<Conversion> {
    let mut found = Vec::new();
    let mut before = Some(0);
    let mut characters = format.chars();
    while let Some(c) = characters.next() {
        if c != '%' {
            before = before.map(|n| n + c.len_utf8() as u32);
            continue;
        }
        for c in characters.by_ref() {
            match c {
                '*' => found.push(Conversion { letter: '*', before }),
                '%' => {
                    before = before.map(|n| n + 1);
                    break;
                }
                c if c.is_ascii_alphabetic() && !matches!(c, 'h' | 'l' | 'j' | 'z' | 't' | 'L' | 'q') => {
                    found.push(Conversion { letter: c, before });
                    if c != 'n' {
                        before = None;
                    }
                    break;
                }
                _ => {}
            }
        }
    }
    found
}

#[cfg(test)]
mod format_tests {
    use super::conversions;

    #[test]
    fn conversions_are_counted() {
        let letters = |format| conversions(format).iter().map(|c| c.letter).collect::<String>();
        assert_eq!(letters("%d%% %*s %-5.3lu %hhn"), "d*sun");
        assert_eq!(letters("no"), "");
    }

    #[test]
    fn characters_before_a_conversion_are_counted() {
        let before = |format| conversions(format).iter().map(|c| c.before).collect::<Vec<_>>();
        assert_eq!(before("ab%%c%n%n%d%n"), [Some(4), Some(4), Some(4), None]);
    }
}
