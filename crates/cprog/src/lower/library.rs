//! Functions that are known by their names: what each means.

use super::place::Spot;
use super::{Lower, types};
use crate::flow::{Expression as FlowExpression, ExpressionId, LocationKind, Predicate, PropertyKind};
use crate::hir::{Expression, ExpressionKind, FunctionId, PlaceKind, TypeId, TypeKind};
use throng_base::Span;

/// The label of a broadcast to passive threads.
pub(super) const PASSIVE_BROADCAST: &str = "__CPROVER_passive_broadcast";

/// Whether a label says that a call runs in a thread of its own.
pub(super) fn is_async_label(name: &str) -> bool {
    name.starts_with("__CPROVER_ASYNC_")
}

/// Whether a function keeps its meaning even if the program defines it.
pub(super) fn overrides(name: &str) -> bool {
    matches!(
        name,
        "__VERIFIER_atomic_begin"
            | "__VERIFIER_atomic_end"
            | "__CPROVER_atomic_begin"
            | "__CPROVER_atomic_end"
            | "__CPROVER_assume"
            | "__CPROVER_assert"
            | "__CPROVER_predicate"
            | "__VERIFIER_assume"
    ) || name.starts_with("pthread_")
        || name.starts_with("__VERIFIER_nondet_")
}

/// Whether a function without a body gives an arbitrary value and does nothing else.
pub(super) fn is_nondet(name: &str) -> bool {
    name.starts_with("__VERIFIER_nondet_")
        || name.starts_with("nondet_")
        || matches!(
            name,
            "nondet" | "rand" | "random" | "time" | "clock" | "getpid" | "rand_r" | "lrand48" | "gettid"
        )
}

/// Whether a function does nothing that the program's memory shows.
pub(super) fn has_no_effect(name: &str) -> bool {
    matches!(
        name,
        "printf"
            | "puts"
            | "putchar"
            | "fprintf"
            | "vprintf"
            | "vfprintf"
            | "fputs"
            | "fputc"
            | "putc"
            | "perror"
            | "usleep"
            | "sleep"
            | "sched_yield"
            | "pthread_yield"
            | "thrd_yield"
            | "nanosleep"
            | "clock_nanosleep"
            | "srand"
            | "srandom"
            | "fflush"
            | "free"
            | "setvbuf"
            | "pthread_attr_init"
            | "pthread_attr_destroy"
            | "pthread_attr_setdetachstate"
            | "pthread_attr_setstacksize"
            | "pthread_attr_setscope"
            | "pthread_mutexattr_init"
            | "pthread_mutexattr_destroy"
            | "pthread_mutexattr_settype"
            | "pthread_mutexattr_setpshared"
            | "pthread_condattr_init"
            | "pthread_condattr_destroy"
            | "pthread_rwlockattr_init"
            | "pthread_rwlockattr_destroy"
            | "pthread_cond_init"
            | "pthread_cond_destroy"
            | "pthread_detach"
            | "pthread_setconcurrency"
            | "pthread_spin_destroy"
            | "pthread_mutex_destroy"
            | "pthread_rwlock_destroy"
            | "sem_destroy"
            | "__CPROVER_parameter_predicates"
            | "__CPROVER_return_predicates"
            | "__VERIFIER_atomic_begin"
            | "__VERIFIER_atomic_end"
            | "__CPROVER_atomic_begin"
            | "__CPROVER_atomic_end"
            | "__CPROVER_assume"
            | "__VERIFIER_assume"
            | "__VERIFIER_assert"
            | "__CPROVER_assert"
            | "__CPROVER_predicate"
            | "assert"
            | "abort"
            | "exit"
            | "_exit"
            | "_Exit"
            | "quick_exit"
            | "atexit"
            | "pthread_self"
            | "pthread_equal"
            | "__assert_fail"
            | "__assert_rtn"
            | "__throng_assert_fail"
            | "__assert"
    )
}

/// Functions of libraries that are there and not modelled, with what to use instead.
fn refused(name: &str) -> Option<&'static str> {
    let is = |prefix: &str| name.starts_with(prefix);
    if is("pthread_barrier_") {
        Some("write the barrier with a mutex and a condition variable")
    } else if is("pthread_key_") || is("pthread_setspecific") || is("pthread_getspecific") {
        Some("use a _Thread_local variable")
    } else if is("setjmp") || is("longjmp") || is("_setjmp") {
        Some("use goto within a function")
    } else if is("pthread_cancel") || is("pthread_setcancel") || is("pthread_kill") || is("signal") {
        Some("let threads end by a shared flag")
    } else if is("fork") || is("vfork") || is("exec") {
        Some("use threads")
    } else {
        None
    }
}

/// Whether a function's result is memory without a model.
fn allocates(name: &str) -> bool {
    matches!(
        name,
        "malloc"
            | "calloc"
            | "realloc"
            | "alloca"
            | "__builtin_alloca"
            | "aligned_alloc"
            | "memalign"
            | "valloc"
            | "strdup"
            | "kmalloc"
            | "kzalloc"
    )
}

impl<'p> Lower<'p> {
    /// A call of a function that is known by its name, or not known.
    pub(super) fn library_call(
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
            "exit" | "_exit" | "_Exit" | "quick_exit" | "abort" => {
                arguments.iter().for_each(|argument| self.effect(argument));
                self.stop(e.span);
                zero
            }
            "__CPROVER_predicate" => {
                self.predicate(arguments, e.span);
                zero
            }
            "memset" | "memcpy" | "memmove" | "bzero" => self.memory_call(name, arguments, e),
            _ => self.other_call(name, arguments, e),
        }
    }

    fn other_call(&mut self, name: &'p str, arguments: &'p [Expression], e: &'p Expression) -> ExpressionId {
        let bits = types::bits_of(self.program, e.ty);
        if let Some(hint) = refused(name) {
            self.refuse("E0721", format!("{name} is not supported"), e.span, hint);
            return self.e.constant(0, bits);
        }
        if name.starts_with("printf") || name.starts_with("fprintf") {
            self.check_format(name, arguments, e.span);
        }
        arguments.iter().for_each(|argument| self.effect(argument));
        self.nondet_span = e.span;
        if matches!(name, "rand" | "random" | "rand_r" | "lrand48") {
            let value =
                self.nondet(&format!("{name}()"), 31, crate::flow::ValueType::Integer { is_signed: false });
            return self.e.resize(value, bits, false);
        }
        if types::is_unmodelled(self.program, e.ty) {
            let message = format!("what {name} returns is not modelled");
            return self.unmodelled_at(bits, "E0701", &message, e.span);
        }
        if is_nondet(name) {
            return self.nondet_of(&format!("{name}()"), e.ty);
        }
        if has_no_effect(name) {
            return if name.starts_with("pthread_") {
                self.e.constant(0, bits)
            } else {
                self.nondet_of(&format!("{name}()"), e.ty)
            };
        }
        if allocates(name) {
            let diagnostic =
                self.program.text.error("E0711", format!("memory from {name} is not modelled"), e.span);
            let diagnostic = diagnostic
                .note("it can influence whether an error is reached")
                .hint("use a global variable or an array of fixed size");
            return self.unmodelled(bits, diagnostic);
        }
        self.unknown_call(name, arguments, e)
    }

    /// A function without a body that nothing is known about.
    fn unknown_call(&mut self, name: &str, arguments: &'p [Expression], e: &'p Expression) -> ExpressionId {
        let bits = types::bits_of(self.program, e.ty);
        if !self.options.havoc_calls {
            let message = format!("the function {name} has no body and is not known");
            let hint =
                "give it a body, or use --havoc-calls to let it do anything to what its arguments point to";
            self.refuse("E0710", message, e.span, hint);
            return self.e.constant(0, bits);
        }
        let text = format!(
            "unknown functions return anything and write anything to what their arguments point to: {name}"
        );
        self.note("havoc-call", &text, e.span);
        for argument in arguments {
            if let Some(to) = self.writable_target(argument) {
                let spot = self.dereference(argument, to);
                self.havoc(&spot, to, e.span);
                if let Some(arc) = self.graph.arcs.last_mut() {
                    arc.is_havoc = false;
                }
            }
        }
        self.nondet_span = e.span;
        self.nondet_of(&format!("{name}()"), e.ty)
    }

    /// What an unknown function may write to through an argument.
    fn writable_target(&self, argument: &Expression) -> Option<TypeId> {
        let to = types::pointee(self.program, argument.ty)?;
        let ty = types::get(self.program, to);
        let is_object = !matches!(ty.kind, TypeKind::Function { .. } | TypeKind::Void);
        (is_object && ty.opaque.is_none() && !ty.qualifiers.is_const).then_some(to)
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

    fn check_format(&mut self, name: &str, arguments: &'p [Expression], span: Span) {
        let format = arguments.get(usize::from(name.starts_with('f')));
        let text = format.and_then(|format| self.string(format)).unwrap_or_default();
        if text.replace("%%", "").contains("%n") {
            self.refuse("E0723", format!("{name} with %n writes to memory"), span, "do without %n");
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

    /// `memset` to zero and `memcpy` of whole objects; otherwise what they write has no model.
    fn memory_call(&mut self, name: &str, arguments: &'p [Expression], e: &'p Expression) -> ExpressionId {
        let bits = types::bits_of(self.program, e.ty);
        let (to, from, size) = match (name, arguments) {
            ("bzero", [to, size]) => (to, None, size),
            (_, [to, from, size]) => (to, Some(from), size),
            _ => return self.e.constant(0, bits),
        };
        let size = self.constant_value(size);
        let target = self.whole_object(to);
        if let (Some((spot, ty)), Some(size)) = (&target, size) {
            let is_whole = u128::from(types::size_of(self.program, *ty)) == size;
            let fill = from.and_then(|from| self.constant_value(from));
            if is_whole && (name == "bzero" || (name == "memset" && fill == Some(0))) {
                if let Some(parts) = self.parts(spot, *ty, e.span) {
                    for (part, ty) in parts {
                        let zero = self.e.constant(0, types::bits_of(self.program, ty));
                        self.store(&part, ty, zero, e.span, false);
                    }
                }
                return self.address(spot);
            }
            let source = match (is_whole, name, from) {
                (true, "memcpy" | "memmove", Some(from)) => self.whole_object(from),
                _ => None,
            };
            let kind = |ty: TypeId| &types::get(self.program, ty).kind;
            if let Some((source, _)) = source.filter(|(_, other)| kind(*other) == kind(*ty)) {
                self.copy(&source, spot, *ty, e.span);
                return self.address(spot);
            }
        }
        arguments.iter().for_each(|argument| self.effect(argument));
        let message = format!("this {name} is not of whole objects of one type");
        self.refuse("E0724", message, e.span, "assign the object, or its members, instead");
        self.e.constant(0, bits)
    }

    /// The object that an argument points to, if it is the address of a whole one.
    fn whole_object(&mut self, e: &'p Expression) -> Option<(Spot, TypeId)> {
        match &e.kind {
            ExpressionKind::Convert(a) => self.whole_object(a),
            ExpressionKind::AddressOf(place) => {
                // The address of an array's first element stands for the array.
                let place = match &place.kind {
                    PlaceKind::Element(inner, index)
                        if matches!(index.kind, ExpressionKind::Constant(0))
                            && types::pointee(self.program, e.ty) == Some(place.ty) =>
                    {
                        inner
                    }
                    _ => place,
                };
                let spot = self.spot(place);
                Some((spot, place.ty))
            }
            _ => {
                let ty = types::pointee(self.program, e.ty)?;
                if types::is_void(self.program, ty) {
                    return None;
                }
                Some((self.dereference(e, ty), ty))
            }
        }
    }

    /// The number of the thread that takes the step.
    pub(super) fn this_thread(&mut self, bits: u32) -> ExpressionId {
        self.e.insert(FlowExpression::ThisThread, bits)
    }
}
