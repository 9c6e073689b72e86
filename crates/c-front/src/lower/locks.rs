//! Mutexes, reader-writer locks, spin locks, semaphores and condition variables, as guarded assignments.
//!
//! A mutex is one bit: 1 if it is taken. Recursive and error-checking mutexes, and all mutexes if their use is checked,
//! have a ghost in each thread that counts how often it holds them. A reader-writer lock is a number: 0 free, all ones
//! for a writer, otherwise the number of readers. A thread that waits on a condition variable has released the mutex and
//! keeps the condition's address in a ghost, which a signal sets to 0; POSIX allows it to go on without a signal.

use super::memory::Facet;
use super::place::Spot;
use super::threads::strip;
use super::walk;
use super::{Lower, types};
use crate::hir::{Callee, Expression, ExpressionKind, ObjectId, Opaque, Program, TypeId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use throng_base::Span;
use throng_cfa::flow::{Assignment, BinaryOperator as Flow, ExpressionId, PropertyKind};

const EPERM: u128 = 1;
const EBUSY: u128 = 16;
const EDEADLK: u128 = 35;
const ETIMEDOUT: u128 = 110;

/// Which objects hold mutexes that are not normal ones: 1 for recursive, 2 for error-checking ones.
#[derive(Default)]
pub(super) struct MutexKinds(FxHashMap<ObjectId, BTreeSet<u128>>);

/// A lock that a call is about.
struct Lock {
    spot: Spot,
    ty: TypeId,
}

impl<'p> Lower<'p> {
    /// Finds the kinds of all mutexes, whatever the order of calls is.
    pub(super) fn find_mutex_kinds(&mut self) {
        let program = self.program;
        let mut kinds: FxHashMap<ObjectId, BTreeSet<u128>> = FxHashMap::default();
        for (index, object) in program.objects.iter().enumerate() {
            if has_mutex(program, object.ty) {
                for store in &object.initial {
                    if let ExpressionKind::Constant(kind @ 1..=2) = strip(&store.value).kind
                        && self.is_in_mutex(object.ty, &store.path)
                    {
                        kinds.entry(ObjectId::new(index)).or_default().insert(kind);
                    }
                }
            }
        }
        let mut set = Vec::new();
        let mut initialised = Vec::new();
        let mut plain = Vec::new();
        for function in &program.functions {
            walk::statements(function.body.as_deref().unwrap_or_default(), &mut |e| {
                let ExpressionKind::Call(Callee::Direct(callee), arguments) = &e.kind else { return };
                match (program.functions[callee.index()].name.as_str(), &arguments[..]) {
                    ("pthread_mutexattr_settype", [attributes, kind]) => set.push((attributes, kind)),
                    ("pthread_mutex_init", [mutex, attributes]) => initialised.push((mutex, attributes)),
                    ("mtx_init", [mutex, kind]) => plain.push((mutex, kind)),
                    _ => {}
                }
            });
        }
        for (attributes, kind) in set {
            let kind = self.constant_value(kind).unwrap_or(u128::MAX);
            for object in self.pointed_objects(attributes) {
                kinds.entry(object).or_default().insert(kind);
            }
        }
        for (mutex, kind) in plain {
            // Of C11's kinds, one bit is for recursive ones.
            let kind = constant_kind(kind).map_or(u128::MAX, |kind| kind & 1);
            for object in self.pointed_objects(mutex) {
                kinds.entry(object).or_default().insert(kind);
            }
        }
        for (mutex, attributes) in initialised {
            let attributes = self.pointed_objects(attributes);
            let given: BTreeSet<u128> =
                attributes.iter().filter_map(|o| kinds.get(o)).flatten().copied().collect();
            for object in self.pointed_objects(mutex) {
                let known = kinds.entry(object).or_default();
                known.extend(&given);
                if given.is_empty() {
                    known.insert(0);
                }
            }
        }
        self.mutex_kinds = MutexKinds(kinds);
    }

    fn pointed_objects(&self, e: &Expression) -> Vec<ObjectId> {
        let targets = self.points.of(self.program, e);
        let objects = targets.into_iter().filter_map(|target| match target {
            super::points::Target::Object(object) => Some(object),
            _ => None,
        });
        objects.collect()
    }

    /// Whether a part of a type is inside a mutex.
    fn is_in_mutex(&self, mut ty: TypeId, path: &[crate::hir::Step]) -> bool {
        for step in path {
            let described = types::get(self.program, ty);
            if described.opaque == Some(Opaque::Mutex) {
                return true;
            }
            ty = match (&described.kind, step) {
                (crate::hir::TypeKind::Array { element, .. }, _) => *element,
                (crate::hir::TypeKind::Record(record), crate::hir::Step::Field(field)) => {
                    let fields = self.program.records[record.index()].fields.as_ref();
                    match fields.and_then(|fields| fields.get(*field as usize)) {
                        Some(field) => field.ty,
                        None => return false,
                    }
                }
                _ => return false,
            };
        }
        types::get(self.program, ty).opaque == Some(Opaque::Mutex)
    }

    /// The kind of the mutexes that a spot may be.
    fn mutex_kind(&mut self, spot: &Spot, span: Span) -> u128 {
        let objects: Vec<ObjectId> = match spot {
            Spot::Named { object, .. } => vec![*object],
            Spot::Pointed { candidates, .. } => candidates.to_vec(),
        };
        let all: BTreeSet<u128> = objects
            .iter()
            .flat_map(|object| match self.mutex_kinds.0.get(object) {
                Some(kinds) if !kinds.is_empty() => kinds.clone(),
                _ => BTreeSet::from([0]),
            })
            .map(|kind| if kind == 3 { 0 } else { kind })
            .collect();
        match all.iter().copied().collect::<Vec<_>>()[..] {
            [] => 0,
            [kind @ 0..=2] => kind,
            _ => {
                let message = "the kind of this mutex is not known: normal, recursive or error-checking";
                self.refuse("E0722", message, span, "initialise it once, with a constant kind");
                0
            }
        }
    }

    pub(super) fn lock_call(
        &mut self,
        name: &str,
        arguments: &'p [Expression],
        e: &'p Expression,
        is_wanted: bool,
    ) -> ExpressionId {
        let bits = types::bits_of(self.program, e.ty);
        let zero = self.e.constant(0, bits);
        let Some((first, rest)) = arguments.split_first() else { return zero };
        let is_asked = name == "pthread_mutex_destroy" && (is_wanted || self.options.checks.mutex);
        if super::library::has_no_effect(name) && !is_asked {
            arguments.iter().for_each(|argument| self.effect(argument));
            return zero;
        }
        let pointer = strip(first);
        let Some(ty) = types::pointee(self.program, pointer.ty) else { return zero };
        let spot = self.dereference(pointer, ty);
        if let "pthread_cond_signal" | "pthread_cond_broadcast" = name {
            let address = self.address(&spot);
            self.wake(address, name == "pthread_cond_broadcast", e.span);
            return zero;
        }
        if let "pthread_cond_wait" | "pthread_cond_timedwait" = name {
            return self.condition_wait(name, &spot, rest, e);
        }
        let Some((spot, ty)) = self.scalar_of(name, &spot, ty, e.span) else { return zero };
        let lock = Lock { spot, ty };
        // Other arguments are attributes and times, and numbers for semaphores.
        let (kind, value) = name.rsplit_once('_').unwrap_or(("", name));
        match kind {
            "pthread_mutex" => self.mutex_call(value, &lock, rest, e, is_wanted),
            "pthread_spin" => self.mutex_call(value, &lock, rest, e, is_wanted),
            "pthread_rwlock" => self.rwlock_call(value, &lock, rest, e, is_wanted),
            _ => self.semaphore_call(value, &lock, rest, e, is_wanted),
        }
    }

    /// The scalar that a lock is.
    fn scalar_of(&mut self, name: &str, spot: &Spot, ty: TypeId, span: Span) -> Option<(Spot, TypeId)> {
        match types::get(self.program, ty).opaque {
            Some(Opaque::Mutex | Opaque::ReadWriteLock) => Some((spot.clone(), ty)),
            _ if name.starts_with("sem_") || name.starts_with("pthread_spin_") => {
                self.scalar_part(spot, ty, span)
            }
            _ => {
                let message = format!("the argument of {name} is not a lock of its kind");
                self.refuse("E0720", message, span, "give the address of a variable of the lock's type");
                None
            }
        }
    }

    fn set_lock(&mut self, lock: &Lock, value: u128, span: Span) -> Vec<Assignment> {
        let bits = types::bits_of(self.program, lock.ty);
        let value = self.e.constant(value, bits);
        self.write(&lock.spot, lock.ty, Facet::Value, value, span)
    }

    /// The result of a call that ends in one of several ways, each with a guard and what it does.
    fn outcomes(
        &mut self,
        ways: Vec<(ExpressionId, Vec<Assignment>, u128)>,
        e: &'p Expression,
        is_wanted: bool,
    ) -> ExpressionId {
        let bits = types::bits_of(self.program, e.ty);
        let is_one = ways.iter().all(|way| way.2 == ways[0].2);
        let join = self.fresh();
        if is_one || !is_wanted {
            let result = self.e.constant(ways.first().map_or(0, |way| way.2), bits);
            let ways = ways.into_iter().map(|(guard, assignments, _)| (guard, assignments, join)).collect();
            self.split(ways, e.span);
            self.resume(join);
            return result;
        }
        let target = self.temporary(bits, e.span);
        let mut edges = Vec::new();
        for (guard, mut assignments, value) in ways {
            let value = self.e.constant(value, bits);
            assignments.push(Assignment { target, index: None, value });
            edges.push((guard, assignments, join));
        }
        self.split(edges, e.span);
        self.resume(join);
        self.e.variable(target, bits)
    }

    fn mutex_call(
        &mut self,
        what: &str,
        lock: &Lock,
        rest: &'p [Expression],
        e: &'p Expression,
        is_wanted: bool,
    ) -> ExpressionId {
        let span = e.span;
        rest.iter().for_each(|argument| self.effect(argument));
        let kind = if types::get(self.program, lock.ty).opaque.is_some() {
            self.mutex_kind(&lock.spot, span)
        } else {
            0
        };
        if what == "init" {
            let assignments = self.set_lock(lock, 0, span);
            self.emit_assignments(assignments, span);
            return self.e.constant(0, types::bits_of(self.program, e.ty));
        }
        self.boundary();
        let value = self.read(&lock.spot, lock.ty, span);
        let taken = self.e.is_nonzero(value);
        let free = self.e.not(taken);
        let has_ghost = kind != 0 || self.options.checks.mutex;
        let held =
            if has_ghost { Some(self.read_facet(&lock.spot, lock.ty, Facet::Holds, span)) } else { None };
        let ways = match what {
            "lock" | "trylock" | "timedlock" | "clocklock" => {
                self.lock_ways(what, lock, kind, (free, taken), held, span)
            }
            "unlock" => self.unlock_ways(lock, kind, held, span),
            "destroy" if self.options.checks.mutex => {
                self.oblige(free, Some((PropertyKind::Mutex, "destruction of a mutex that is locked")), span);
                vec![(free, Vec::new(), 0)]
            }
            // Undefined by POSIX; libraries leave it as it is and say so.
            "destroy" => vec![(free, Vec::new(), 0), (taken, Vec::new(), EBUSY)],
            _ => {
                self.refuse(
                    "E0721",
                    format!("pthread_mutex_{what} is not supported"),
                    span,
                    "lock and unlock",
                );
                return self.e.constant(0, types::bits_of(self.program, e.ty));
            }
        };
        self.outcomes(ways, e, is_wanted)
    }

    fn lock_ways(
        &mut self,
        what: &str,
        lock: &Lock,
        kind: u128,
        (free, taken): (ExpressionId, ExpressionId),
        held: Option<ExpressionId>,
        span: Span,
    ) -> Vec<(ExpressionId, Vec<Assignment>, u128)> {
        let mut ways = Vec::new();
        let mut take = self.set_lock(lock, 1, span);
        let mut guard = free;
        let mut busy = taken;
        if let Some(held) = held {
            let bits = self.e.bits(held);
            let one = self.e.constant(1, bits);
            let is_held = self.e.is_nonzero(held);
            if kind == 1 {
                let most = self.e.constant(u128::MAX, bits);
                let is_most = self.e.equal(held, most);
                let not_most = self.e.not(is_most);
                let again = self.e.and(is_held, not_most);
                guard = self.e.or(free, again);
                let not_held = self.e.not(is_held);
                busy = self.e.and(taken, not_held);
            } else if kind == 0 && what == "lock" && self.options.checks.mutex {
                let not_held = self.e.not(is_held);
                self.oblige(
                    not_held,
                    Some((PropertyKind::Mutex, "relock of a mutex that the thread holds")),
                    span,
                );
            } else if kind == 2 && what == "lock" {
                ways.push((is_held, Vec::new(), EDEADLK));
            }
            let more = self.e.add(held, one);
            take.extend(self.write(&lock.spot, lock.ty, Facet::Holds, more, span));
        }
        ways.push((guard, take, 0));
        match what {
            "trylock" => ways.push((busy, Vec::new(), EBUSY)),
            "timedlock" | "clocklock" => ways.push((busy, Vec::new(), ETIMEDOUT)),
            _ => {}
        }
        ways
    }

    fn unlock_ways(
        &mut self,
        lock: &Lock,
        kind: u128,
        held: Option<ExpressionId>,
        span: Span,
    ) -> Vec<(ExpressionId, Vec<Assignment>, u128)> {
        let truth = self.e.truth(true);
        let Some(held) = held else { return vec![(truth, self.set_lock(lock, 0, span), 0)] };
        let bits = self.e.bits(held);
        let one = self.e.constant(1, bits);
        let is_held = self.e.is_nonzero(held);
        let less = self.e.subtract(held, one);
        let is_last = self.e.equal(held, one);
        let lock_bits = types::bits_of(self.program, lock.ty);
        let (free, taken) = (self.e.constant(0, lock_bits), self.e.constant(1, lock_bits));
        let value = if kind == 1 { self.e.if_then_else(is_last, free, taken) } else { free };
        let mut release = self.write(&lock.spot, lock.ty, Facet::Value, value, span);
        release.extend(self.write(&lock.spot, lock.ty, Facet::Holds, less, span));
        let mut ways = vec![(is_held, release, 0)];
        if self.options.checks.mutex {
            let text = "unlock of a mutex that the thread does not hold";
            self.oblige(is_held, Some((PropertyKind::Mutex, text)), span);
        } else {
            let not_held = self.e.not(is_held);
            ways.push((not_held, Vec::new(), EPERM));
        }
        ways
    }

    fn rwlock_call(
        &mut self,
        what: &str,
        lock: &Lock,
        rest: &'p [Expression],
        e: &'p Expression,
        is_wanted: bool,
    ) -> ExpressionId {
        let span = e.span;
        rest.iter().for_each(|argument| self.effect(argument));
        self.boundary();
        let value = self.read(&lock.spot, lock.ty, span);
        let bits = self.e.bits(value);
        let (zero, one) = (self.e.constant(0, bits), self.e.constant(1, bits));
        let writer = self.e.constant(u128::MAX, bits);
        let is_free = self.e.equal(value, zero);
        let is_writer = self.e.equal(value, writer);
        let most = self.e.constant(u128::MAX - 1, bits);
        let has_room = self.e.binary(Flow::UnsignedLess, value, most);
        let (read, write) = (self.e.add(value, one), writer);
        let not_free = self.e.not(is_free);
        let take = |this: &mut Self, value| this.write(&lock.spot, lock.ty, Facet::Value, value, span);
        let ways = match what {
            "init" => {
                let assignments = take(self, zero);
                self.emit_assignments(assignments, span);
                return self.e.constant(0, types::bits_of(self.program, e.ty));
            }
            "rdlock" => vec![(has_room, take(self, read), 0)],
            "wrlock" => vec![(is_free, take(self, write), 0)],
            "tryrdlock" => vec![(has_room, take(self, read), 0), (is_writer, Vec::new(), EBUSY)],
            "trywrlock" => vec![(is_free, take(self, write), 0), (not_free, Vec::new(), EBUSY)],
            "timedrdlock" => vec![(has_room, take(self, read), 0), (is_writer, Vec::new(), ETIMEDOUT)],
            "timedwrlock" => vec![(is_free, take(self, write), 0), (not_free, Vec::new(), ETIMEDOUT)],
            "unlock" => {
                let fewer = self.e.subtract(value, one);
                let next = self.e.if_then_else(is_writer, zero, fewer);
                let mut ways = vec![(not_free, take(self, next), 0)];
                if self.options.checks.mutex {
                    let text = "unlock of a reader-writer lock that nobody holds";
                    self.oblige(not_free, Some((PropertyKind::Mutex, text)), span);
                } else {
                    // The run goes on: what comes after it may fail.
                    let text = "unlocking a reader-writer lock that nobody holds does nothing";
                    self.note("unlock-of-free-lock", text, span);
                    ways.push((is_free, Vec::new(), EPERM));
                }
                ways
            }
            _ => {
                self.refuse(
                    "E0721",
                    format!("pthread_rwlock_{what} is not supported"),
                    span,
                    "lock and unlock",
                );
                return self.e.constant(0, types::bits_of(self.program, e.ty));
            }
        };
        self.outcomes(ways, e, is_wanted)
    }

    fn semaphore_call(
        &mut self,
        what: &str,
        lock: &Lock,
        rest: &'p [Expression],
        e: &'p Expression,
        is_wanted: bool,
    ) -> ExpressionId {
        let span = e.span;
        let result_bits = types::bits_of(self.program, e.ty);
        let nothing = self.e.constant(0, result_bits);
        let bits = types::bits_of(self.program, lock.ty);
        if what == "init" {
            if let [_, initial] = rest {
                let value = self.value(initial);
                let value = self.e.resize(value, bits, false);
                self.store(&lock.spot, lock.ty, value, span, false);
            }
            return nothing;
        }
        self.boundary();
        let value = self.read(&lock.spot, lock.ty, span);
        let (zero, one) = (self.e.constant(0, bits), self.e.constant(1, bits));
        let is_zero = self.e.equal(value, zero);
        let is_positive = self.e.not(is_zero);
        let fewer = self.e.subtract(value, one);
        let more = self.e.add(value, one);
        let take = |this: &mut Self, value| this.write(&lock.spot, lock.ty, Facet::Value, value, span);
        let ways = match what {
            "wait" => vec![(is_positive, take(self, fewer), 0)],
            "trywait" | "timedwait" => {
                // EAGAIN and ETIMEDOUT.
                let failed = self.set_errno(if what == "trywait" { 11 } else { 110 }, span);
                vec![(is_positive, take(self, fewer), 0), (is_zero, failed, u128::MAX)]
            }
            "post" => {
                let truth = self.e.truth(true);
                vec![(truth, take(self, more), 0)]
            }
            "getvalue" => {
                if let [to] = rest
                    && let Some(ty) = types::pointee(self.program, to.ty)
                {
                    let value = self.materialise(value, span);
                    let value = self.e.resize(value, types::bits_of(self.program, ty), false);
                    let spot = self.dereference(to, ty);
                    self.store(&spot, ty, value, span, false);
                }
                return nothing;
            }
            _ => {
                self.refuse(
                    "E0721",
                    format!("sem_{what} is not supported"),
                    span,
                    "use sem_wait and sem_post",
                );
                return nothing;
            }
        };
        self.outcomes(ways, e, is_wanted)
    }

    fn condition_wait(
        &mut self,
        name: &str,
        condition: &Spot,
        rest: &'p [Expression],
        e: &'p Expression,
    ) -> ExpressionId {
        let span = e.span;
        let result_bits = types::bits_of(self.program, e.ty);
        let nothing = self.e.constant(0, result_bits);
        let Some((mutex, times)) = rest.split_first() else { return nothing };
        let mutex = strip(mutex);
        let Some(ty) = types::pointee(self.program, mutex.ty) else { return nothing };
        let spot = self.dereference(mutex, ty);
        times.iter().for_each(|time| self.effect(time));
        if self.mutex_kind(&spot, span) == 1 {
            let message = "waiting with a recursive mutex is not supported";
            self.refuse("E0722", message, span, "use a normal mutex with condition variables");
        }
        let lock = Lock { spot, ty };
        let address = self.address(condition);
        let target = self.waiting_variable();
        let width = self.e.bits(address);
        let mut release = self.set_lock(&lock, 0, span);
        let has_ghost = self.options.checks.mutex || self.mutex_kind(&lock.spot, span) != 0;
        if has_ghost {
            let held = self.read_facet(&lock.spot, lock.ty, Facet::Holds, span);
            let is_held = self.e.is_nonzero(held);
            if self.options.checks.mutex {
                let text = "wait with a mutex that the thread does not hold";
                self.oblige(is_held, Some((PropertyKind::Mutex, text)), span);
            }
            let zero = self.e.constant(0, self.e.bits(held));
            release.extend(self.write(&lock.spot, lock.ty, Facet::Holds, zero, span));
        }
        release.push(Assignment { target, index: None, value: address });
        self.emit_assignments(release, span);
        self.boundary();
        let value = self.read(&lock.spot, lock.ty, span);
        let free = self.e.not(value);
        let waiting = self.e.variable(target, width);
        let zero = self.e.constant(0, width);
        let is_woken = self.e.equal(waiting, zero);
        let is_asleep = self.e.not(is_woken);
        let mut take = self.set_lock(&lock, 1, span);
        if has_ghost {
            let one = self.e.constant(1, 8);
            take.extend(self.write(&lock.spot, lock.ty, Facet::Holds, one, span));
        }
        let mut give_up = take.clone();
        give_up.push(Assignment { target, index: None, value: zero });
        let woken = self.e.and(is_woken, free);
        let asleep = self.e.and(is_asleep, free);
        let mut ways = vec![(woken, take, 0)];
        if name == "pthread_cond_timedwait" {
            ways.push((asleep, give_up.clone(), ETIMEDOUT));
        }
        if self.options.spurious_wakeups {
            ways.push((asleep, give_up, 0));
        }
        self.outcomes(ways, e, true)
    }
}

/// Whether a type has a mutex in it.
fn has_mutex(program: &Program, ty: TypeId) -> bool {
    types::leaves(program, ty).iter().any(|leaf| leaf.kind == types::LeafKind::Opaque(Opaque::Mutex))
}

/// The kind that C11's constants say, joined by `|` or `+`.
fn constant_kind(e: &Expression) -> Option<u128> {
    match &strip(e).kind {
        ExpressionKind::Constant(kind) => Some(*kind),
        ExpressionKind::Binary(_, a, b) => Some(constant_kind(a)? | constant_kind(b)?),
        _ => None,
    }
}
