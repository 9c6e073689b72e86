//! Functions that the compiler knows: `__atomic_*`, `__sync_*`, `__c11_atomic_*` and `__builtin_*`.
//!
//! Where the pointer of an atomic operation points to a struct, as with `atomic_flag`, it is made to point to the scalar
//! at its beginning. Added values are not scaled for pointers, as GCC says. A builtin without a model is kept as
//! [`crate::hir::Unmodelled`].

use super::{Outcome, Reported, Resolver};
use crate::hir::{Builtin, Expression, ExpressionKind, Place, PlaceKind, TypeId, TypeKind};
use crate::syntax::{self, BinaryOperator, IntegerWord};
use throng_base::Span;

/// What a name of an atomic operation means, with the shape of its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Atomic {
    Load,
    Store,
    Exchange,
    CompareExchange { is_weak: Option<bool> },
    CompareAndSwap { returns_bool: bool },
    Update { operator: BinaryOperator, is_nand: bool, returns_new: bool },
    TestAndSet,
    Clear,
}

impl Resolver<'_> {
    /// A call of a function that the compiler knows; `None` if the name is none of these.
    pub(super) fn builtin_call(
        &mut self,
        name: &str,
        arguments: &[syntax::Expression],
        span: Span,
    ) -> Option<Outcome<Expression>> {
        if let Some((atomic, is_generic)) = atomic_of(name) {
            return Some(
                self.arguments(arguments)
                    .and_then(|values| self.atomic(name, atomic, is_generic, values, span)),
            );
        }
        if matches!(
            name,
            "__atomic_thread_fence"
                | "__atomic_signal_fence"
                | "__sync_synchronize"
                | "__c11_atomic_thread_fence"
                | "__c11_atomic_signal_fence"
        ) {
            let void = self.types.void();
            return Some(self.arguments(arguments).map(|values| builtin(Builtin::Fence, values, void, span)));
        }
        if matches!(name, "__atomic_is_lock_free" | "__atomic_always_lock_free" | "__c11_atomic_is_lock_free")
        {
            return Some(Ok(self.int_constant(1, span)));
        }
        let name = name.strip_prefix("__builtin_")?;
        Some(self.builtin(name, arguments, span))
    }

    fn arguments(&mut self, arguments: &[syntax::Expression]) -> Outcome<Vec<Expression>> {
        let values: Vec<Outcome<Expression>> =
            arguments.iter().map(|argument| self.rvalue(argument)).collect();
        values.into_iter().collect()
    }

    /// `__builtin_name(…)`
    fn builtin(&mut self, name: &str, arguments: &[syntax::Expression], span: Span) -> Outcome<Expression> {
        if let Some(signature) = super::library::twin(name) {
            return self.library_call(name, signature, arguments, span);
        }
        if let Some((operator, ty)) = self.overflow_of(name) {
            return self.overflow(operator, ty, arguments, span);
        }
        if let Some(signature) = super::library::bits(name) {
            let name = format!("__builtin_{name}");
            return self.library_call(&name, signature, arguments, span);
        }
        let values = self.arguments(arguments)?;
        let (void, int) = (self.types.void(), self.types.int());
        let long = self.types.integer(IntegerWord::Long, true);
        let mut values = values.into_iter();
        Ok(match name {
            "expect" | "expect_with_probability" => {
                let (Some(value), Some(expected)) = (values.next(), values.next()) else {
                    return Err(self.missing(name, span));
                };
                let (value, expected) = (
                    self.assigned(value, long, "the operand")?,
                    self.assigned(expected, long, "the operand")?,
                );
                builtin(Builtin::Expect, vec![value, expected], long, span)
            }
            "unreachable" => builtin(Builtin::Unreachable, Vec::new(), void, span),
            "trap" | "abort" => builtin(Builtin::Trap, Vec::new(), void, span),
            "constant_p" => {
                let is_constant = values.next().is_some_and(|value| self.value_of(&value).is_some());
                self.int_constant(i128::from(is_constant), span)
            }
            "assume_aligned" | "launder" | "addressof" => match values.next() {
                Some(value) => value,
                None => return Err(self.missing(name, span)),
            },
            "object_size" | "dynamic_object_size" => {
                let kind = values.nth(1).and_then(|value| self.value_of(&value)).unwrap_or(0);
                let size_t = self.types.size_t();
                let unknown = if kind < 2 { u128::MAX } else { 0 };
                self.constant(unknown, size_t, span)
            }
            "va_end" | "va_start" | "va_copy" => {
                Self::unmodelled("E0702", format!("`__builtin_{name}`"), values.collect(), void, span)
            }
            "prefetch" | "__clear_cache" | "ia32_pause" => {
                builtin(Builtin::Fence, values.collect(), void, span)
            }
            _ if crate::world::builtin(name).is_none() => {
                let ty = self.unmodelled_type(name, int);
                Self::unmodelled("E0707", format!("`__builtin_{name}`"), values.collect(), ty, span)
            }
            _ => {
                let ty = self.unmodelled_type(name, int);
                Self::unmodelled("E0705", format!("`__builtin_{name}`"), values.collect(), ty, span)
            }
        })
    }

    /// The result of a builtin without a model, as far as it is known.
    fn unmodelled_type(&mut self, name: &str, int: TypeId) -> TypeId {
        match name {
            "alloca" | "frame_address" | "return_address" | "extract_return_addr" => {
                self.types.void_pointer()
            }
            "huge_val" | "inf" | "nan" | "fabs" | "sqrt" | "copysign" => {
                self.types.of(TypeKind::Floating { bytes: 8, is_real: true })
            }
            "huge_valf" | "inff" | "nanf" | "fabsf" | "copysignf" => {
                self.types.of(TypeKind::Floating { bytes: 4, is_real: true })
            }
            _ => int,
        }
    }

    fn missing(&mut self, name: &str, span: Span) -> Reported {
        self.error("E0650", format!("`{name}` is given too few operands, or too many"), span)
    }

    /// `add_overflow`, and with a type `sadd_overflow`, `umull_overflow`, …
    fn overflow_of(&mut self, name: &str) -> Option<(BinaryOperator, Option<TypeId>)> {
        let name = name.strip_suffix("_overflow")?;
        let operator_of = |name: &str| match name {
            "add" => Some(BinaryOperator::Add),
            "sub" => Some(BinaryOperator::Subtract),
            "mul" => Some(BinaryOperator::Multiply),
            _ => None,
        };
        if let Some(operator) = operator_of(name) {
            return Some((operator, None));
        }
        let is_signed = name.starts_with('s');
        let operator = operator_of(name.get(1..4)?)?;
        let rank = match name.get(4..)? {
            "" => IntegerWord::Int,
            "l" => IntegerWord::Long,
            "ll" => IntegerWord::LongLong,
            _ => return None,
        };
        Some((operator, Some(self.types.integer(rank, is_signed))))
    }

    fn overflow(
        &mut self,
        operator: BinaryOperator,
        ty: Option<TypeId>,
        arguments: &[syntax::Expression],
        span: Span,
    ) -> Outcome<Expression> {
        let values = self.arguments(arguments)?;
        let Ok([a, b, result]) = <[Expression; 3]>::try_from(values) else {
            return Err(self.missing("an operation with overflow", span));
        };
        let target = self.types.pointee(result.ty).filter(|&to| self.types.is_integer(to));
        if !self.types.is_integer(a.ty) || !self.types.is_integer(b.ty) || target.is_none() {
            let message = "two integers and a pointer to an integer are needed here";
            return Err(self.error("E0652", message, span));
        }
        let (a, b) = match ty {
            Some(ty) => (self.convert(a, ty), self.convert(b, ty)),
            None => (a, b),
        };
        let bool = self.types.bool();
        Ok(builtin(Builtin::Overflow(operator), vec![a, b, result], bool, span))
    }

    /// An atomic operation on what the first argument points to.
    fn atomic(
        &mut self,
        name: &str,
        atomic: Atomic,
        is_generic: bool,
        values: Vec<Expression>,
        span: Span,
    ) -> Outcome<Expression> {
        let mut values = values.into_iter();
        let Some(pointer) = values.next() else { return Err(self.missing(name, span)) };
        if self.is_atomic_record(pointer.ty) && matches!(atomic, Atomic::Load | Atomic::Store) {
            return self.atomic_copy(name, pointer, atomic, is_generic, values.collect(), span);
        }
        let is_byte = matches!(atomic, Atomic::TestAndSet | Atomic::Clear);
        let (pointer, ty) = self.atomic_object(pointer, is_byte)?;
        let mut operands = vec![pointer];
        let void = self.types.void();
        let bool = self.types.bool();
        let (kind, result) = match atomic {
            Atomic::Load if is_generic => {
                let Some(to) = values.next() else { return Err(self.missing(name, span)) };
                operands.extend(self.orders(values));
                let value = builtin(Builtin::AtomicLoad, operands, ty, span);
                return self.assign_through(to, value, span);
            }
            Atomic::Load => (Builtin::AtomicLoad, ty),
            Atomic::Store => {
                operands.push(self.atomic_value(name, &mut values, ty, is_generic, span)?);
                (Builtin::AtomicStore, void)
            }
            Atomic::Exchange => {
                operands.push(self.atomic_value(name, &mut values, ty, is_generic, span)?);
                if is_generic {
                    let Some(to) = values.next() else { return Err(self.missing(name, span)) };
                    operands.extend(self.orders(values));
                    let value = builtin(Builtin::AtomicExchange, operands, ty, span);
                    return self.assign_through(to, value, span);
                }
                (Builtin::AtomicExchange, ty)
            }
            Atomic::CompareExchange { is_weak } => {
                let Some(expected) = values.next() else { return Err(self.missing(name, span)) };
                let wanted = self.types.pointer(ty);
                operands.push(self.assigned(expected, wanted, "the pointer to the expected value")?);
                operands.push(self.atomic_value(name, &mut values, ty, is_generic, span)?);
                if let Some(is_weak) = is_weak {
                    operands.push(self.int_constant(i128::from(is_weak), span));
                }
                (Builtin::AtomicCompareExchange, bool)
            }
            Atomic::CompareAndSwap { returns_bool } => {
                operands.push(self.atomic_value(name, &mut values, ty, false, span)?);
                operands.push(self.atomic_value(name, &mut values, ty, false, span)?);
                match returns_bool {
                    true => (Builtin::CompareAndSwapBool, bool),
                    false => (Builtin::CompareAndSwapValue, ty),
                }
            }
            Atomic::Update { operator, is_nand, returns_new } => {
                let ptrdiff = self.types.ptrdiff_t();
                let added = if self.types.pointee(ty).is_some() { ptrdiff } else { ty };
                operands.push(self.atomic_value(name, &mut values, added, false, span)?);
                (Builtin::AtomicUpdate { operator, is_nand, returns_new }, ty)
            }
            Atomic::TestAndSet => (Builtin::AtomicTestAndSet, bool),
            Atomic::Clear => (Builtin::AtomicClear, void),
        };
        operands.extend(self.orders(values));
        Ok(builtin(kind, operands, result, span))
    }

    /// Whether a pointer is one to a struct or union that is accessed as a whole.
    fn is_atomic_record(&self, pointer: TypeId) -> bool {
        let Some(to) = self.types.pointee(pointer) else { return false };
        matches!(self.types.kind(to), TypeKind::Record(_)) && self.types.get(to).qualifiers.is_atomic
    }

    /// Loads or stores a whole struct: C says that a plain access to one does the same, if it is sequentially consistent.
    fn atomic_copy(
        &mut self,
        name: &str,
        pointer: Expression,
        atomic: Atomic,
        is_generic: bool,
        values: Vec<Expression>,
        span: Span,
    ) -> Outcome<Expression> {
        let mut values = values.into_iter();
        let ty = self.types.pointee(pointer.ty).map_or(pointer.ty, |to| self.types.unqualified(to));
        let (value, to) = if atomic == Atomic::Store {
            (self.atomic_value(name, &mut values, ty, is_generic, span)?, Some(pointer))
        } else {
            let to = if is_generic { values.next() } else { None };
            let operand = self.dereference(pointer, span)?;
            (self.value(operand)?, to)
        };
        let is_ordered = |order: &Expression| matches!(order.kind, ExpressionKind::Constant(5));
        if !self.orders(values).iter().all(is_ordered) {
            let message = "structs are atomic in sequentially consistent order only";
            return Err(self.error("E0652", message, span));
        }
        match to {
            Some(to) => self.assign_through(to, value, span),
            None => Ok(value),
        }
    }

    /// Memory orders and flags, as ints; the variables that `__sync_*` may list are not evaluated by GCC either.
    fn orders(&mut self, values: impl Iterator<Item = Expression>) -> Vec<Expression> {
        let int = self.types.int();
        values
            .filter(|value| self.types.is_integer(value.ty))
            .collect::<Vec<_>>()
            .into_iter()
            .map(|value| self.convert(value, int))
            .collect()
    }

    /// The pointer to a scalar that an operation is about, and the type of the scalar's values.
    fn atomic_object(&mut self, pointer: Expression, is_byte: bool) -> Outcome<(Expression, TypeId)> {
        let mut pointer = pointer;
        loop {
            let Some(to) = self.types.pointee(pointer.ty) else {
                let found = self.describe(pointer.ty);
                return Err(self.error(
                    "E0652",
                    format!("a pointer is needed here, not {found}"),
                    pointer.span,
                ));
            };
            let span = pointer.span;
            let first = match *self.types.kind(to) {
                TypeKind::Record(id) => {
                    self.field(id, 0).filter(|field| field.bits.is_none()).map(|field| field.ty)
                }
                TypeKind::Void if is_byte => {
                    let byte = self.types.integer(IntegerWord::Char, false);
                    let ty = self.types.pointer(byte);
                    pointer = self.convert(pointer, ty);
                    continue;
                }
                _ if self.types.is_scalar(to) && !self.types.is_floating(to) => {
                    return Ok((pointer, self.types.unqualified(to)));
                }
                _ => None,
            };
            let Some(first) = first else {
                let found = self.describe(to);
                return Err(self.error("E0652", format!("there are no atomic operations on {found}"), span));
            };
            let record = match self.dereference(pointer, span)? {
                super::convert::Operand::Place(place) => place,
                _ => return Err(Reported),
            };
            let place = Place { kind: PlaceKind::Member(Box::new(record), 0), ty: first, span };
            let ty = self.types.pointer(first);
            pointer = self.address(place, ty, span);
        }
    }

    /// The next operand, converted; in the generic forms it is behind a pointer.
    fn atomic_value(
        &mut self,
        name: &str,
        values: &mut impl Iterator<Item = Expression>,
        ty: TypeId,
        is_generic: bool,
        span: Span,
    ) -> Outcome<Expression> {
        let Some(value) = values.next() else { return Err(self.missing(name, span)) };
        let value = if is_generic {
            let at = value.span;
            let operand = self.dereference(value, at)?;
            self.value(operand)?
        } else {
            value
        };
        self.assigned(value, ty, "the operand")
    }

    /// `*pointer = value`, of type void.
    fn assign_through(&mut self, pointer: Expression, value: Expression, span: Span) -> Outcome<Expression> {
        let super::convert::Operand::Place(place) = self.dereference(pointer, span)? else {
            return Err(self.error("E0652", "a pointer to a variable is needed here", span));
        };
        let value = self.assigned(value, place.ty, "the result")?;
        let ty = value.ty;
        let assign = Expression { kind: ExpressionKind::Assign(place, Box::new(value)), ty, span };
        let void = self.types.void();
        Ok(self.convert(assign, void))
    }
}

fn builtin(builtin: Builtin, operands: Vec<Expression>, ty: TypeId, span: Span) -> Expression {
    Expression { kind: ExpressionKind::Builtin(builtin, operands), ty, span }
}

/// The operation that a name stands for, and whether its values are behind pointers.
fn atomic_of(name: &str) -> Option<(Atomic, bool)> {
    if let Some(name) = name.strip_prefix("__sync_") {
        return Some((sync_of(name)?, false));
    }
    if let Some(name) = name.strip_prefix("__c11_atomic_") {
        let atomic = match name {
            "load" => Atomic::Load,
            "store" | "init" => Atomic::Store,
            "exchange" => Atomic::Exchange,
            "compare_exchange_strong" => Atomic::CompareExchange { is_weak: Some(false) },
            "compare_exchange_weak" => Atomic::CompareExchange { is_weak: Some(true) },
            name => update_of(name.strip_prefix("fetch_")?, false)?,
        };
        return Some((atomic, false));
    }
    let name = name.strip_prefix("__atomic_")?;
    Some(match name {
        "load_n" => (Atomic::Load, false),
        "load" => (Atomic::Load, true),
        "store_n" => (Atomic::Store, false),
        "store" => (Atomic::Store, true),
        "exchange_n" => (Atomic::Exchange, false),
        "exchange" => (Atomic::Exchange, true),
        "compare_exchange_n" => (Atomic::CompareExchange { is_weak: None }, false),
        "compare_exchange" => (Atomic::CompareExchange { is_weak: None }, true),
        "test_and_set" => (Atomic::TestAndSet, false),
        "clear" => (Atomic::Clear, false),
        name => match name.strip_prefix("fetch_") {
            Some(operator) => (update_of(operator, false)?, false),
            None => (update_of(name.strip_suffix("_fetch")?, true)?, false),
        },
    })
}

fn sync_of(name: &str) -> Option<Atomic> {
    Some(match name {
        "bool_compare_and_swap" => Atomic::CompareAndSwap { returns_bool: true },
        "val_compare_and_swap" => Atomic::CompareAndSwap { returns_bool: false },
        "lock_test_and_set" => Atomic::Exchange,
        "lock_release" => Atomic::Clear,
        name => match name.strip_prefix("fetch_and_") {
            Some(operator) => update_of(operator, false)?,
            None => update_of(name.strip_suffix("_and_fetch")?, true)?,
        },
    })
}

fn update_of(name: &str, returns_new: bool) -> Option<Atomic> {
    let (operator, is_nand) = match name {
        "add" => (BinaryOperator::Add, false),
        "sub" => (BinaryOperator::Subtract, false),
        "and" => (BinaryOperator::BitAnd, false),
        "or" => (BinaryOperator::BitOr, false),
        "xor" => (BinaryOperator::BitXor, false),
        "nand" => (BinaryOperator::BitAnd, true),
        _ => return None,
    };
    Some(Atomic::Update { operator, is_nand, returns_new })
}
