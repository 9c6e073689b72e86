//! Calls: what waits or decides goes to the runtime, failures are told, arguments are evaluated in order.

use super::{Piece, Rewriter};
use throng_base::Span;
use throng_c_front::hir::{Callee, Expression, ExpressionKind, TypeKind};
use throng_cfa::flow::PropertyKind;

/// What becomes of a call of a function of the library.
enum Fate {
    /// A point before it.
    Access,
    /// A function of the runtime, which gets the point first and passes it itself.
    Runtime(&'static str),
    /// Nothing happens.
    Nothing,
    /// An atomic section begins or ends.
    Section(bool),
    /// The thread waits forever if the argument is 0.
    Assume,
    /// The program fails if the argument is 0.
    Assert,
    /// The program fails.
    Fails,
    /// A point that nobody waits for: threads whose part is over stop there.
    Stop,
    /// An arbitrary value.
    Arbitrary,
    /// A struct or union whose value does not matter.
    ArbitraryRecord,
    /// As any other call.
    Ordinary,
}

/// Whether a function without a body stands for an arbitrary value.
pub(super) fn is_arbitrary(name: &str) -> bool {
    name.starts_with("__VERIFIER_nondet_")
        || name.starts_with("nondet_")
        || matches!(
            name,
            "nondet" | "rand" | "random" | "time" | "clock" | "getpid" | "rand_r" | "lrand48" | "gettid"
        )
}

fn fate(name: &str) -> Fate {
    match name {
        "pthread_create" => Fate::Runtime("__throng_create"),
        "pthread_cond_signal" | "pthread_cond_broadcast" => Fate::Runtime("__throng_told"),
        "pthread_cond_wait" => Fate::Runtime("__throng_cond_wait"),
        "pthread_cond_timedwait" => Fate::Runtime("__throng_cond_timedwait"),
        "pthread_mutex_timedlock" => Fate::Runtime("__throng_mutex_timedlock"),
        "pthread_mutex_clocklock" => Fate::Runtime("__throng_mutex_timedlock"),
        "pthread_rwlock_timedrdlock" => Fate::Runtime("__throng_rwlock_timedrdlock"),
        "pthread_rwlock_timedwrlock" => Fate::Runtime("__throng_rwlock_timedwrlock"),
        "sem_timedwait" => Fate::Runtime("__throng_sem_timedwait"),
        "pthread_once" => Fate::Runtime("__throng_once"),
        "pthread_exit" => Fate::Runtime("__throng_thread_exit"),
        "pthread_join" => Fate::Access,
        "__VERIFIER_atomic_begin" | "__CPROVER_atomic_begin" => Fate::Section(true),
        "__VERIFIER_atomic_end" | "__CPROVER_atomic_end" => Fate::Section(false),
        "__CPROVER_predicate" => Fate::Nothing,
        "__CPROVER_parameter_predicates" | "__CPROVER_return_predicates" => Fate::Nothing,
        "sleep" | "usleep" | "nanosleep" | "clock_nanosleep" => Fate::Nothing,
        "__VERIFIER_assume" | "__CPROVER_assume" | "assume" => Fate::Assume,
        "__VERIFIER_assert" | "__CPROVER_assert" | "assert" => Fate::Assert,
        "__assert_fail" | "__assert_rtn" | "__throng_assert_fail" | "__assert" => Fate::Fails,
        "exit" | "_exit" | "_Exit" | "quick_exit" | "abort" => Fate::Stop,
        _ if is_arbitrary(name) => Fate::Arbitrary,
        _ if name.starts_with("pthread_") || name.starts_with("sem_") => Fate::Access,
        _ => Fate::Ordinary,
    }
}

/// The function of the runtime that tries until it succeeds, where nobody says who is next.
fn tried(name: &str) -> Option<&'static str> {
    Some(match name {
        "pthread_mutex_init" => "__throng_mutex_init",
        "pthread_mutex_lock" => "__throng_mutex_lock",
        "pthread_mutex_trylock" => "__throng_mutex_trylock",
        "pthread_mutex_unlock" => "__throng_mutex_unlock",
        "pthread_rwlock_rdlock" => "__throng_rwlock_rdlock",
        "pthread_rwlock_wrlock" => "__throng_rwlock_wrlock",
        "pthread_spin_init" => "__throng_spin_init",
        "pthread_spin_lock" => "__throng_spin_lock",
        "pthread_spin_trylock" => "__throng_spin_trylock",
        "pthread_spin_unlock" => "__throng_spin_unlock",
        "pthread_cond_signal" => "__throng_cond_signal",
        "pthread_cond_broadcast" => "__throng_cond_broadcast",
        "pthread_join" => "__throng_join",
        "sem_wait" => "__throng_sem_wait",
        _ => return None,
    })
}

/// Whether the model has its own meaning of a function even if the program has a body for it.
fn overrides(name: &str) -> bool {
    name.starts_with("pthread_")
        || name.starts_with("__VERIFIER_nondet_")
        || name.starts_with("__VERIFIER_atomic_begin")
        || name.starts_with("__VERIFIER_atomic_end")
        || name.starts_with("__CPROVER_")
        || name == "__VERIFIER_assume"
}

/// The function of the runtime that looks who holds a mutex.
fn checked(name: &str) -> Option<&'static str> {
    match name {
        "pthread_mutex_lock" => Some("__throng_checked_lock"),
        "pthread_mutex_trylock" => Some("__throng_checked_trylock"),
        "pthread_mutex_unlock" => Some("__throng_checked_unlock"),
        "pthread_cond_wait" => Some("__throng_checked_cond_wait"),
        "pthread_mutex_destroy" => Some("__throng_checked_destroy"),
        _ => None,
    }
}

impl<'a> Rewriter<'a> {
    pub(super) fn call(
        &mut self,
        callee: &'a Callee,
        arguments: &'a [Expression],
        e: &'a Expression,
    ) -> Piece {
        let mut pieces: Vec<Piece> = Vec::new();
        let direct = match callee {
            Callee::Direct(function) => Some(*function),
            Callee::Indirect(pointer) => match pointer.kind {
                ExpressionKind::FunctionAddress(function) => Some(function),
                _ => {
                    pieces.push(self.expression(pointer));
                    None
                }
            },
        };
        pieces.extend(arguments.iter().map(|argument| self.expression(argument)));
        let Some(function) = direct else { return self.ordinary(e.span, pieces) };
        let function = &self.typed.functions[function.index()];
        let name = function.name.as_str();
        if self.options.properties.functions.iter().any(|it| it == name) {
            return self.fails(e.span, pieces, function.body.is_some());
        }
        if function.body.is_some() && !overrides(name) {
            if name.starts_with("__VERIFIER_atomic_") {
                return self.atomic_call(e, pieces);
            }
            return self.ordinary(e.span, pieces);
        }
        if (self.options.checks.mutex || self.is_own)
            && !self.is_free
            && let Some(checked) = checked(name)
        {
            let arguments: Vec<String> = pieces.iter().map(|piece| self.text_of(piece)).collect();
            let property = self.property_of(e.span, |kind| kind == PropertyKind::Mutex);
            let point = self.point(e.span);
            return Piece::new(e.span, format!("{checked}({point}, {property}u, {})", arguments.join(", ")));
        }
        if function.body.is_none() && self.is_unknown(name) {
            let fate = match self.typed.types[e.ty.index()].kind {
                TypeKind::Void => Fate::Nothing,
                TypeKind::Record(_) => Fate::ArbitraryRecord,
                _ => Fate::Arbitrary,
            };
            return self.library_call(fate, pieces, e.span);
        }
        let is_set_up =
            name.ends_with("_init") || name.ends_with("_destroy") || name.starts_with("pthread_mutexattr");
        let fate = match tried(name) {
            Some(tried) if self.is_free && name == "pthread_mutex_init" => Fate::Runtime(tried),
            _ if self.is_own && name == "pthread_mutex_init" => Fate::Runtime("__throng_own_init"),
            // What the text declares may be smaller than what the library would set up there.
            _ if self.is_own
                && is_set_up
                && name.starts_with("pthread_")
                && !name.starts_with("pthread_spin") =>
            {
                Fate::Nothing
            }
            Some(tried) if self.is_free => Fate::Runtime(tried),
            _ => fate(name),
        };
        self.library_call(fate, pieces, e.span)
    }

    fn library_call(&mut self, fate: Fate, pieces: Vec<Piece>, span: Span) -> Piece {
        let arguments: Vec<String> = pieces.iter().map(|piece| self.text_of(piece)).collect();
        let first = arguments.first().map_or("1", String::as_str);
        match fate {
            Fate::Access => {
                if self.is_accessed(span) {
                    self.access_after(span, pieces)
                } else {
                    self.ordinary(span, pieces)
                }
            }
            Fate::Runtime(name) => {
                let mut words = vec![self.point(span).to_string()];
                words.extend(arguments);
                Piece::new(span, format!("{name}({})", words.join(", ")))
            }
            Fate::Section(is_begin) => Piece::new(span, format!("__throng_section({})", u8::from(is_begin))),
            Fate::Nothing => Piece::new(span, "((void)0, 0)".to_owned()),
            Fate::Assume => Piece::new(span, format!("__throng_assume(!!({first}))")),
            Fate::Assert => {
                let property = self.property(span);
                Piece::new(span, format!("(({first}) ? (void)0 : __throng_fail({property}))"))
            }
            Fate::Fails => self.fails(span, pieces, true),
            Fate::Stop => {
                let point = self.point(span);
                let plain = self.plain(span, pieces);
                Piece::new(span, format!("({{ __throng_point({point}); {}; }})", self.text_of(&plain)))
            }
            Fate::Arbitrary => {
                let point = self.point(span);
                self.quiet.insert(point);
                let call = self.slice(span);
                Piece::new(span, format!("((__typeof__({call}))__throng_arbitrary({point}))"))
            }
            Fate::ArbitraryRecord => {
                let call = self.slice(span);
                Piece::new(span, format!("((__typeof__({call})){{ 0 }})"))
            }
            Fate::Ordinary if self.is_accessed(span) => {
                let point = self.point(span);
                self.blocks.insert(point);
                self.access_after(span, pieces)
            }
            Fate::Ordinary => self.ordinary(span, pieces),
        }
    }

    /// A call like any other; what it does may matter to others.
    fn ordinary(&mut self, span: Span, pieces: Vec<Piece>) -> Piece {
        Piece { is_ordered: true, ..self.in_order(span, pieces) }
    }

    /// A call of a function that is one step.
    fn atomic_call(&mut self, e: &'a Expression, mut pieces: Vec<Piece>) -> Piece {
        let before = self.settle(&mut pieces, false);
        let plain = self.plain(e.span, pieces);
        let call = self.text_of(&plain);
        let text = if self.is_void(e) {
            format!("({{ {before}__throng_section(1); {call}; __throng_section(0); }})")
        } else {
            let result = self.fresh("r");
            format!(
                "({{ {before}__throng_section(1); __auto_type {result} = {call}; __throng_section(0); {result}; }})"
            )
        };
        Piece::new(e.span, text)
    }

    /// A call that the program must not make.
    fn fails(&mut self, span: Span, pieces: Vec<Piece>, is_defined: bool) -> Piece {
        let property = self.property(span);
        if !is_defined {
            return Piece::new(span, format!("__throng_fail({property})"));
        }
        let plain = self.plain(span, pieces);
        Piece::new(span, format!("({{ __throng_fail({property}); {}; }})", self.text_of(&plain)))
    }

    /// The number of what fails at a place: the first of its properties, or one more than all.
    pub(super) fn property(&self, span: Span) -> usize {
        self.property_of(span, |kind| matches!(kind, PropertyKind::Assertion | PropertyKind::Reach))
    }

    fn property_of(&self, span: Span, is_meant: impl Fn(PropertyKind) -> bool) -> usize {
        let here = self.typed.text.position(span.start);
        let is_here = |property: &throng_cfa::flow::Property| {
            is_meant(property.kind) && self.program.site(property.site).position == here
        };
        self.program.properties.iter().position(is_here).unwrap_or(self.program.properties.len())
    }

    /// Whether a call is one of a function without a body that the model knows nothing about: it does nothing, and what it
    /// returns is arbitrary.
    fn is_unknown(&self, name: &str) -> bool {
        let is_user = |function: &throng_c_front::hir::Function| {
            function.name == name && !self.typed.text.is_system(function.span.start)
        };
        matches!(fate(name), Fate::Ordinary)
            && throng_c_front::world::function(name).is_none()
            && self.typed.functions.iter().any(is_user)
    }

    fn is_void(&self, e: &Expression) -> bool {
        self.typed.types[e.ty.index()].kind == TypeKind::Void
    }
}
