//! Functions that the compiler knows: atomic accesses are one edge each, reading and writing.

use super::call::Argument;
use super::memory::Facet;
use super::options::Integers;
use super::place::Spot;
use super::threads::strip;
use super::{Lower, types};
use crate::hir::{Builtin, Expression, TypeId};
use crate::syntax::BinaryOperator;
use throng_base::Span;
use throng_cfa::flow::{Assignment, ExpressionId};

/// `__ATOMIC_SEQ_CST`
const SEQUENTIAL: u128 = 5;

impl<'p> Lower<'p> {
    /// A call of a function that the compiler knows.
    pub(super) fn builtin(
        &mut self,
        builtin: Builtin,
        arguments: &'p [Expression],
        e: &'p Expression,
        is_wanted: bool,
    ) -> ExpressionId {
        let bits = types::bits_of(self.program, e.ty);
        let zero = self.e.constant(0, bits);
        if !self.is_reachable() {
            return zero;
        }
        match (builtin, arguments) {
            (Builtin::Expect, [value, rest @ ..]) => {
                let result = self.value(value);
                rest.iter().for_each(|argument| self.effect(argument));
                result
            }
            (Builtin::ConstantP, _) => zero,
            (Builtin::Fence, _) => {
                self.check_order(arguments.last(), e.span);
                zero
            }
            (Builtin::Unreachable, _) => {
                self.never(e.span);
                zero
            }
            (Builtin::Trap, _) => {
                self.note_abort(e.span);
                self.stop(e.span);
                zero
            }
            (Builtin::Overflow(operator), [a, b, to]) => self.overflow(operator, a, b, to, e),
            (_, [pointer, rest @ ..]) => self.atomic(builtin, pointer, rest, e, is_wanted),
            _ => zero,
        }
    }

    /// Orders weaker than sequential consistency are noted.
    fn check_order(&mut self, order: Option<&Expression>, span: Span) {
        let value = order.and_then(|order| self.constant_value(order));
        if value != Some(SEQUENTIAL) && order.is_some() {
            let text = "atomic accesses with weaker orders are taken to be sequentially consistent";
            self.note("weak-memory", text, span);
        }
    }

    fn atomic(
        &mut self,
        builtin: Builtin,
        pointer: &'p Expression,
        rest: &'p [Expression],
        e: &'p Expression,
        is_wanted: bool,
    ) -> ExpressionId {
        let bits = types::bits_of(self.program, e.ty);
        let pointer =
            if types::pointee(self.program, pointer.ty).is_some_and(|to| types::is_void(self.program, to)) {
                strip(pointer)
            } else {
                pointer
            };
        let Some(mut ty) = types::pointee(self.program, pointer.ty) else {
            self.refuse("E0713", "this atomic access is not through a pointer", e.span, "give a pointer");
            return self.e.constant(0, bits);
        };
        let mut spot = self.dereference(pointer, ty);
        if types::record_of(self.program, ty).is_some() {
            // `atomic_flag` and the like: a struct around a scalar.
            match self.parts(&spot, ty, e.span).as_deref() {
                Some([(part, inner)]) => (spot, ty) = (part.clone(), *inner),
                _ => {
                    let message = "an atomic access to a struct is not supported";
                    self.refuse("E0713", message, e.span, "use an integer or a pointer");
                    return self.e.constant(0, bits);
                }
            }
        }
        let is_ordered = !matches!(builtin, Builtin::CompareAndSwapBool | Builtin::CompareAndSwapValue);
        let operands = self.operands(builtin, rest, e.span, is_ordered);
        for operand in rest.iter().take(operands) {
            spot = self.settle_spot(spot, operand);
        }
        if builtin == Builtin::AtomicCompareExchange {
            return self.compare_exchange(&spot, ty, rest, e);
        }
        let values = self.arguments(&rest[..operands]);
        let mut values: Vec<ExpressionId> = values.iter().filter_map(Argument::scalar).collect();
        let is_shared = self.is_shared_spot(&spot);
        for (value, operand) in values.iter_mut().zip(rest) {
            if is_shared && !self.is_joint() && self.reads_shared(*value) {
                *value = self.materialise(*value, operand.span);
            }
        }
        self.read_modify_write(builtin, (&spot, ty), &values, e, is_wanted)
    }

    /// How many of the arguments after the pointer are operands; the rest are orders, which are looked at.
    fn operands(&mut self, builtin: Builtin, rest: &'p [Expression], span: Span, is_ordered: bool) -> usize {
        let count = match builtin {
            Builtin::AtomicLoad | Builtin::AtomicTestAndSet | Builtin::AtomicClear => 0,
            Builtin::CompareAndSwapBool | Builtin::CompareAndSwapValue => 2,
            Builtin::AtomicCompareExchange => 2,
            _ => 1,
        };
        if is_ordered {
            let orders = match builtin {
                Builtin::AtomicCompareExchange => rest.get(3..).unwrap_or_default(),
                _ => rest.get(count..).unwrap_or_default(),
            };
            for order in orders {
                self.check_order(Some(order), span);
            }
        }
        count.min(rest.len())
    }

    fn read_modify_write(
        &mut self,
        builtin: Builtin,
        (spot, ty): (&Spot, TypeId),
        values: &[ExpressionId],
        e: &'p Expression,
        is_wanted: bool,
    ) -> ExpressionId {
        let bits = types::bits_of(self.program, e.ty);
        let own = types::bits_of(self.program, ty);
        let old = self.read_at_once(spot, ty, e.span);
        if builtin == Builtin::AtomicLoad {
            return self.e.resize(old, bits, types::is_signed(self.program, ty));
        }
        let fitted: Vec<ExpressionId> =
            values.iter().map(|&value| self.e.resize(value, own, false)).collect();
        let (new, result) = match (builtin, &fitted[..]) {
            (Builtin::AtomicStore, &[value]) => (value, None),
            (Builtin::AtomicExchange, &[value]) => (value, Some(old)),
            (Builtin::AtomicTestAndSet, _) => (self.e.constant(1, own), Some(old)),
            (Builtin::AtomicClear, _) => (self.e.constant(0, own), None),
            (Builtin::CompareAndSwapBool | Builtin::CompareAndSwapValue, &[expected, desired]) => {
                let is_equal = self.e.equal(old, expected);
                let new = self.e.if_then_else(is_equal, desired, old);
                let is_bool = builtin == Builtin::CompareAndSwapBool;
                return self.swap(
                    (spot, ty),
                    new,
                    if is_bool { is_equal } else { old },
                    is_equal,
                    e,
                    is_wanted,
                );
            }
            (Builtin::AtomicUpdate { operator, is_nand, returns_new }, &[value]) => {
                let new = self.atomic_operation(operator, is_nand, ty, old, value, e.span);
                (new, Some(if returns_new { new } else { old }))
            }
            _ => (old, None),
        };
        let mut assignments = self.write(spot, ty, Facet::Value, new, e.span);
        let value = match (result, is_wanted) {
            (Some(result), true) => {
                let temporary = self.temporary(own, e.span);
                assignments.push(Assignment { target: temporary, index: None, value: result });
                self.e.variable(temporary, own)
            }
            _ => self.e.constant(0, own),
        };
        self.emit_assignments(assignments, e.span);
        if builtin == Builtin::AtomicTestAndSet {
            let is_set = self.e.is_nonzero(value);
            return self.e.resize(is_set, bits, false);
        }
        self.e.resize(value, bits, types::is_signed(self.program, ty))
    }

    fn atomic_operation(
        &mut self,
        operator: BinaryOperator,
        is_nand: bool,
        ty: TypeId,
        old: ExpressionId,
        value: ExpressionId,
        span: Span,
    ) -> ExpressionId {
        if is_nand {
            let both = self.e.and(old, value);
            return self.e.not(both);
        }
        // Atomic arithmetic wraps around, signed or not, unless integers are unbounded.
        if self.options.integers == Integers::Mathematical {
            self.assume_exact(operator, types::is_signed(self.program, ty), old, value, span);
        }
        match operator {
            BinaryOperator::Subtract => self.e.subtract(old, value),
            BinaryOperator::BitAnd => self.e.and(old, value),
            BinaryOperator::BitOr => self.e.or(old, value),
            BinaryOperator::BitXor => self.e.binary(throng_cfa::flow::BinaryOperator::Xor, old, value),
            _ => self.e.add(old, value),
        }
    }

    /// Runs in which a sum or difference does not fit are not looked at. Adding the largest numbers to an unsigned one is how C
    /// subtracts small ones.
    fn assume_exact(
        &mut self,
        operator: BinaryOperator,
        is_signed: bool,
        old: ExpressionId,
        value: ExpressionId,
        span: Span,
    ) {
        let (mut operator, mut value) = (operator, value);
        let is_negative = |it: u128, bits: u32| throng_cfa::flow::signed(it, bits) < 0;
        let constant = self.e.as_constant(value).filter(|&it| is_negative(it, self.e.bits(value)));
        if !is_signed && let Some(constant) = constant {
            value = self.e.constant(constant.wrapping_neg(), self.e.bits(value));
            operator = match operator {
                BinaryOperator::Add => BinaryOperator::Subtract,
                BinaryOperator::Subtract => BinaryOperator::Add,
                other => other,
            };
        }
        if matches!(operator, BinaryOperator::Add | BinaryOperator::Subtract) {
            let fits = self.fits(operator, is_signed, old, value);
            self.assume_no_overflow(fits, span);
        }
    }

    /// A compare-and-swap: two edges, one for success and one for failure, so that each is plain.
    fn swap(
        &mut self,
        (spot, ty): (&Spot, TypeId),
        new: ExpressionId,
        result: ExpressionId,
        is_equal: ExpressionId,
        e: &'p Expression,
        is_wanted: bool,
    ) -> ExpressionId {
        let bits = types::bits_of(self.program, e.ty);
        let desired = match self.e.get(new) {
            throng_cfa::flow::Expression::IfThenElse(c, a, _) if c == is_equal => a,
            _ => new,
        };
        let success = self.write(spot, ty, Facet::Value, desired, e.span);
        let fails = self.e.not(is_equal);
        let join = self.fresh();
        let mut ways = vec![(is_equal, success, join), (fails, Vec::new(), join)];
        let value = if is_wanted {
            let own = self.e.bits(result);
            let temporary = self.temporary(own, e.span);
            let is_flag = result == is_equal;
            for (number, way) in ways.iter_mut().enumerate() {
                let value = if is_flag { self.e.constant(u128::from(number == 0), own) } else { result };
                way.1.push(Assignment { target: temporary, index: None, value });
            }
            self.e.variable(temporary, own)
        } else {
            self.e.constant(0, bits)
        };
        self.split(ways, e.span);
        self.resume(join);
        self.e.resize(value, bits, types::is_signed(self.program, ty))
    }

    /// `__atomic_compare_exchange_n(p, &expected, desired, weak, …)`
    fn compare_exchange(
        &mut self,
        spot: &Spot,
        ty: TypeId,
        rest: &'p [Expression],
        e: &'p Expression,
    ) -> ExpressionId {
        let bits = types::bits_of(self.program, e.ty);
        let [expected, desired, ..] = rest else { return self.e.constant(0, bits) };
        let own = types::bits_of(self.program, ty);
        let expected =
            if types::pointee(self.program, expected.ty).is_some_and(|to| types::is_void(self.program, to)) {
                strip(expected)
            } else {
                expected
            };
        let expected_ty = types::pointee(self.program, expected.ty).unwrap_or(ty);
        let place = self.dereference(expected, expected_ty);
        let place = self.settle_spot(place, desired);
        let mut wanted = self.value(desired);
        if !self.is_joint() && self.reads_shared(wanted) {
            wanted = self.materialise(wanted, desired.span);
        }
        let mut old_expected = self.read(&place, expected_ty, expected.span);
        if !self.is_joint() && self.reads_shared(old_expected) {
            wanted = self.materialise(wanted, desired.span);
            old_expected = self.materialise(old_expected, expected.span);
        }
        let old_expected = self.e.resize(old_expected, own, false);
        let wanted = self.e.resize(wanted, own, false);
        let old = self.read_at_once(spot, ty, e.span);
        let is_equal = self.e.equal(old, old_expected);
        let fails = self.e.not(is_equal);
        let success = self.write(spot, ty, Facet::Value, wanted, e.span);
        let failure = self.write(&place, expected_ty, Facet::Value, old, e.span);
        let temporary = self.temporary(1, e.span);
        let join = self.fresh();
        let (one, zero) = (self.e.truth(true), self.e.truth(false));
        let mut ways = vec![(is_equal, success, join), (fails, failure, join)];
        let is_weak = rest.get(2).and_then(|weak| self.constant_value(weak)) != Some(0);
        if is_weak && rest.len() > 3 {
            // A weak one may fail for no reason.
            let same = self.write(&place, expected_ty, Facet::Value, old, e.span);
            ways.push((is_equal, same, join));
        }
        for (number, way) in ways.iter_mut().enumerate() {
            let value = if number == 0 { one } else { zero };
            way.1.push(Assignment { target: temporary, index: None, value });
        }
        self.split(ways, e.span);
        self.resume(join);
        let value = self.e.variable(temporary, 1);
        self.e.resize(value, bits, false)
    }

    /// `__builtin_add_overflow(a, b, &r)`: computed exactly in twice the width and two bits more.
    fn overflow(
        &mut self,
        operator: BinaryOperator,
        a: &'p Expression,
        b: &'p Expression,
        to: &'p Expression,
        e: &'p Expression,
    ) -> ExpressionId {
        let bits = types::bits_of(self.program, e.ty);
        let Some(ty) = types::pointee(self.program, to.ty) else { return self.e.constant(0, bits) };
        let left = self.value(a);
        let left = self.settle(left, b, a.span);
        let left = self.settle(left, to, a.span);
        let right = self.value(b);
        let right = self.settle(right, to, b.span);
        // They are looked at in two steps.
        let (left, right) = (self.materialise(left, a.span), self.materialise(right, b.span));
        let own = types::bits_of(self.program, ty);
        let widest = own.max(self.e.bits(left)).max(self.e.bits(right));
        let wide = 2 * widest + 2;
        if wide > 128 + 2 {
            let message = "overflow of 128-bit integers is not supported";
            self.refuse("E0734", message, e.span, "use narrower integers");
            return self.e.constant(0, bits);
        }
        // Products of 64-bit numbers fit 128 bits, signed or not; sums need two bits more than their operands.
        let wide = wide.min(128);
        let left = self.e.resize(left, wide, types::is_signed(self.program, a.ty));
        let right = self.e.resize(right, wide, types::is_signed(self.program, b.ty));
        let operator = match operator {
            BinaryOperator::Subtract => throng_cfa::flow::BinaryOperator::Subtract,
            BinaryOperator::Multiply => throng_cfa::flow::BinaryOperator::Multiply,
            _ => throng_cfa::flow::BinaryOperator::Add,
        };
        let exact = self.e.binary(operator, left, right);
        let stored = self.e.resize(exact, own, false);
        let back = self.e.resize(stored, wide, types::is_signed(self.program, ty));
        let fits = self.e.equal(exact, back);
        let not = self.e.not(fits);
        let result = self.materialise(not, e.span);
        let spot = self.dereference(to, ty);
        self.store(&spot, ty, stored, e.span, false);
        self.e.resize(result, bits, false)
    }
}
