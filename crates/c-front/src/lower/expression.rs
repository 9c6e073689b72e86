//! Expressions: their values, and the edges that evaluating them takes.
//!
//! Where C leaves the order of evaluation open, `order` sees to it; otherwise it goes from left to right. The value that is given back may read shared variables, at most one with
//! [`super::Atomicity::Access`]: the edge that uses it makes the access.

use super::combine::Combined;
use super::memory::{Facet, PseudoObject};
use super::place::Spot;
use super::{Lower, types};
use crate::hir::{Expression, ExpressionKind, Place, TypeId, TypeKind};
use crate::syntax::BinaryOperator;
use throng_base::Span;
use throng_cfa::flow::{Assignment, BinaryOperator as Flow, ExpressionId};

/// `place op= value`.
pub(super) struct Update<'p> {
    place: &'p Place,
    operator: BinaryOperator,
    value: &'p Expression,
    computed: TypeId,
    size: Option<u64>,
    is_postfix: bool,
}

impl<'p> Lower<'p> {
    /// The value of an expression, after what evaluating it does.
    pub(super) fn value(&mut self, e: &'p Expression) -> ExpressionId {
        let bits = types::bits_of(self.program, e.ty);
        match &e.kind {
            ExpressionKind::Constant(value) => self.e.constant(*value, bits),
            ExpressionKind::Load(place) => self.load(place),
            ExpressionKind::AddressOf(place) => {
                // One past the end has an address; only accesses have to be inside.
                let spot = self.spot_of(place, false);
                self.address(&spot)
            }
            ExpressionKind::FunctionAddress(function) => {
                let address = self.memory.functions[function.index()];
                self.e.constant(u128::from(address), bits)
            }
            ExpressionKind::Negate(a) => {
                let zero = self.e.constant(0, bits);
                let value = self.value(a);
                if types::is_signed(self.program, e.ty) {
                    let fits = self.fits(BinaryOperator::Subtract, true, zero, value);
                    self.oblige_no_overflow(fits, true, e.span);
                }
                self.e.negate(value)
            }
            ExpressionKind::BitNot(a) => {
                let value = self.value(a);
                self.e.not(value)
            }
            ExpressionKind::Not(a) => {
                let value = self.value(a);
                let is_nonzero = self.e.is_nonzero(value);
                let is_zero = self.e.not(is_nonzero);
                self.e.resize(is_zero, bits, false)
            }
            ExpressionKind::Binary(operator, a, b) => {
                let (left, right) = self.pair(a, b);
                if let Some(value) = self.left_to_implementation(*operator, (a, left), (b, right), e) {
                    return value;
                }
                let value = self.arithmetic(*operator, a.ty, left, right, e.span);
                self.e.resize(value, bits, false)
            }
            ExpressionKind::Offset { pointer, index, size, is_negative } => {
                let (base, index) = self.pair(pointer, index);
                self.offset(base, index, *size, *is_negative)
            }
            ExpressionKind::Difference(a, b, size) => {
                let (left, right) = self.pair(a, b);
                self.require_one_object((a, left), (b, right), "difference", e.span);
                let bytes = self.e.subtract(left, right);
                let size = self.e.constant(u128::from((*size).max(1)), bits);
                self.e.binary(Flow::SignedDivide, bytes, size)
            }
            ExpressionKind::And(a, b) => self.short_circuit(a, b, true, e, bits),
            ExpressionKind::Or(a, b) => self.short_circuit(a, b, false, e, bits),
            ExpressionKind::Conditional(c, a, b) => self.conditional(c, a, b, e, bits),
            ExpressionKind::Elvis(a, b) => {
                let first = self.value(a);
                let is_simple = self.is_one_step(b) && self.shared_reads(b) == 0;
                let first = if is_simple { first } else { self.materialise(first, a.span) };
                self.elvis(first, b, is_simple, bits, e.span)
            }
            ExpressionKind::Comma(a, b) => {
                self.effect(a);
                self.value(b)
            }
            ExpressionKind::Convert(a) => {
                if types::record_of(self.program, a.ty).is_some() || types::is_void(self.program, e.ty) {
                    self.effect(a);
                    return self.e.constant(0, bits);
                }
                let value = self.value(a);
                let is_bool = matches!(types::get(self.program, e.ty).kind, TypeKind::Bool);
                let value = if is_bool { self.deciding(a, value, false) } else { value };
                self.convert(value, a.ty, e.ty, e.span)
            }
            ExpressionKind::Assign(place, value) => self.assign(place, value, e.span, true),
            ExpressionKind::Update { place, operator, value, computed, size, is_postfix } => {
                let (operator, computed) = (*operator, *computed);
                let (size, is_postfix) = (*size, *is_postfix);
                let update = Update { place, operator, value, computed, size, is_postfix };
                self.update(&update, e.span, true)
            }
            ExpressionKind::Call(callee, arguments) => self.call(callee, arguments, e, true),
            ExpressionKind::Builtin(builtin, arguments) => self.builtin(*builtin, arguments, e, true),
            ExpressionKind::Block(body, value) => {
                let outer = self.nested_statements(body);
                let mut result = match value {
                    Some(value) => self.value(value),
                    None => self.e.constant(0, bits),
                };
                if self.ends_something(outer) {
                    result = self.materialise(result, e.span);
                }
                self.leave_nested(outer, e.span);
                result
            }
            ExpressionKind::Unmodelled(what, operands) => {
                operands.iter().for_each(|operand| self.effect(operand));
                if what.code == "E0707" {
                    // It might write anywhere.
                    let message = format!("{} is not known", what.what);
                    self.refuse("E0707", message, e.span, "write what it does in C");
                }
                self.unmodelled_at(bits, what.code, &format!("{} is not modelled", what.what), e.span)
            }
        }
    }

    /// What evaluating an expression does, without its value.
    pub(super) fn effect(&mut self, e: &'p Expression) {
        if !self.is_reachable() {
            return;
        }
        match &e.kind {
            ExpressionKind::Convert(a) => return self.effect(a),
            ExpressionKind::Comma(a, b) => {
                self.effect(a);
                return self.effect(b);
            }
            ExpressionKind::Assign(place, value) => {
                self.assign(place, value, e.span, false);
                return;
            }
            ExpressionKind::Update { place, operator, value, computed, size, .. } => {
                let (operator, computed, size) = (*operator, *computed, *size);
                let update = Update { place, operator, value, computed, size, is_postfix: false };
                self.update(&update, e.span, false);
                return;
            }
            ExpressionKind::Call(callee, arguments) => {
                self.call(callee, arguments, e, false);
                return;
            }
            ExpressionKind::Builtin(builtin, arguments) => {
                self.builtin(*builtin, arguments, e, false);
                return;
            }
            ExpressionKind::Block(body, value) => {
                let outer = self.nested_statements(body);
                if let Some(value) = value {
                    self.effect(value);
                }
                return self.leave_nested(outer, e.span);
            }
            ExpressionKind::Conditional(c, a, b) if self.has_effects(a) || self.has_effects(b) => {
                return self.choose(c, |this| this.effect(a), |this| this.effect(b));
            }
            ExpressionKind::And(a, b) if self.has_effects(b) => {
                return self.choose(a, |this| this.effect(b), |_| ());
            }
            ExpressionKind::Or(a, b) if self.has_effects(b) => {
                return self.choose(a, |_| (), |this| this.effect(b));
            }
            ExpressionKind::Load(place) if types::record_of(self.program, place.ty).is_some() => {
                self.spot(place);
                return;
            }
            ExpressionKind::Constant(_) => return,
            _ => {}
        }
        self.value(e);
    }

    /// Does one of two things.
    fn choose(&mut self, condition: &'p Expression, yes: impl FnOnce(&mut Self), no: impl FnOnce(&mut Self)) {
        let (then, otherwise, join) = (self.fresh(), self.fresh(), self.fresh());
        self.branch(condition, then, otherwise);
        self.resume(then);
        yes(self);
        self.goto(join);
        self.resume(otherwise);
        no(self);
        self.goto(join);
        self.resume(join);
    }

    fn load(&mut self, place: &'p Place) -> ExpressionId {
        if let crate::hir::PlaceKind::Object(object) = &place.kind {
            let bound = self.frames.last().and_then(|frame| frame.bindings.get(object).copied());
            if let Some(value) = bound {
                return value;
            }
        }
        if let Some(value) = self.preloaded(place) {
            return value;
        }
        let spot = self.spot(place);
        self.read(&spot, place.ty, place.span)
    }

    /// A pointer plus an integer times a size.
    pub(super) fn offset(
        &mut self,
        base: ExpressionId,
        index: ExpressionId,
        size: u64,
        is_negative: bool,
    ) -> ExpressionId {
        let width = self.e.bits(base);
        let index = self.e.resize(index, width, true);
        let size = self.e.constant(u128::from(size), width);
        let distance = self.e.binary(Flow::Multiply, index, size);
        if is_negative { self.e.subtract(base, distance) } else { self.e.add(base, distance) }
    }

    fn short_circuit(
        &mut self,
        a: &'p Expression,
        b: &'p Expression,
        is_and: bool,
        e: &'p Expression,
        bits: u32,
    ) -> ExpressionId {
        if self.is_one_step(e) {
            let left = self.value(a);
            let left = self.e.is_nonzero(left);
            let condition = if is_and { left } else { self.e.not(left) };
            let right = self.under(condition, |this| {
                let right = this.value(b);
                this.e.is_nonzero(right)
            });
            let both = if is_and { self.e.and(left, right) } else { self.e.or(left, right) };
            return self.e.resize(both, bits, false);
        }
        let constant = |this: &mut Self| this.e.truth(!is_and);
        let second = |this: &mut Self| {
            let right = this.value(b);
            this.e.is_nonzero(right)
        };
        let value = if is_and {
            self.branched_value(a, 1, e.span, second, constant)
        } else {
            self.branched_value(a, 1, e.span, constant, second)
        };
        self.e.resize(value, bits, false)
    }

    fn conditional(
        &mut self,
        c: &'p Expression,
        a: &'p Expression,
        b: &'p Expression,
        e: &'p Expression,
        bits: u32,
    ) -> ExpressionId {
        if self.is_one_step(e) {
            let condition = self.value(c);
            let condition = self.e.is_nonzero(condition);
            let yes = self.under(condition, |this| this.value(a));
            let not = self.e.not(condition);
            let no = self.under(not, |this| this.value(b));
            return self.e.if_then_else(condition, yes, no);
        }
        self.branched_value(c, bits, e.span, |this| this.value(a), |this| this.value(b))
    }

    fn elvis(
        &mut self,
        first: ExpressionId,
        b: &'p Expression,
        is_simple: bool,
        bits: u32,
        span: Span,
    ) -> ExpressionId {
        let is_nonzero = self.e.is_nonzero(first);
        if is_simple {
            let not = self.e.not(is_nonzero);
            let second = self.under(not, |this| this.value(b));
            return self.e.if_then_else(is_nonzero, first, second);
        }
        let temporary = self.temporary(bits, span);
        let (then, otherwise, join) = (self.fresh(), self.fresh(), self.fresh());
        self.branch_on(is_nonzero, then, otherwise, span);
        self.resume(then);
        self.set(temporary, first, span);
        self.goto(join);
        self.resume(otherwise);
        let second = self.value(b);
        self.set(temporary, second, span);
        self.continue_at(join);
        self.e.variable(temporary, bits)
    }

    /// `place = value`; the value is that of the place afterwards.
    fn assign(
        &mut self,
        place: &'p Place,
        value: &'p Expression,
        span: Span,
        is_wanted: bool,
    ) -> ExpressionId {
        if types::record_of(self.program, place.ty).is_some() {
            self.assign_record(place, value, span);
            return self.e.truth(false);
        }
        let (spot, mut computed) = self.place_and_value(place, value);
        if self.is_shared_spot(&spot) && !self.is_joint() && self.reads_shared(computed) {
            computed = self.materialise(computed, value.span);
        }
        self.store(&spot, place.ty, computed, span, is_wanted)
    }

    /// Writes a value of the type to a spot.
    pub(super) fn store(
        &mut self,
        spot: &Spot,
        ty: TypeId,
        mut value: ExpressionId,
        span: Span,
        is_wanted: bool,
    ) -> ExpressionId {
        let is_shared = self.is_shared_spot(spot);
        let is_variable = matches!(spot, Spot::Named { indices, .. } if indices.is_empty());
        if self.is_torn(spot, ty, span) {
            value = self.materialise(value, span);
            self.write_halves(spot, ty, value, span);
            return value;
        }
        let is_split = is_shared && !self.is_joint() && self.reads_shared(value);
        if is_split || (is_wanted && (is_shared || !is_variable)) {
            value = self.materialise(value, span);
        }
        let is_field = self.is_field(spot, ty);
        let is_split = is_field && is_shared && !self.is_joint();
        let assignments = if is_split {
            self.write_field(spot, ty, value, span)
        } else {
            self.write(spot, ty, Facet::Value, value, span)
        };
        if !assignments.is_empty() || !self.obligations.is_empty() {
            self.emit_assignments(assignments, span);
        }
        if is_field {
            return self.as_kept(spot, ty, value);
        }
        match spot {
            Spot::Named { indices, .. } if is_wanted && indices.is_empty() && !is_shared => {
                self.read(spot, ty, span)
            }
            _ => value,
        }
    }

    /// What a place holds after a value was written to it: a bit-field keeps some of the bits.
    fn as_kept(&mut self, spot: &Spot, ty: TypeId, value: ExpressionId) -> ExpressionId {
        let (width, bits) = (self.width_of(spot, ty), types::bits_of(self.program, ty));
        let kept = self.e.resize(value, width, false);
        self.e.resize(kept, bits, types::is_signed(self.program, ty))
    }

    fn update(&mut self, update: &Update<'p>, span: Span, is_wanted: bool) -> ExpressionId {
        let ty = update.place.ty;
        let is_one_access = types::get(self.program, ty).qualifiers.is_atomic;
        let combined = if is_one_access { None } else { self.combined(update.place, update.value, span) };
        let Combined { spot, mut old, operand } = match combined {
            Some(combined) => combined,
            None => self.combined_at_once(update, ty),
        };
        let is_shared = self.is_shared_spot(&spot);
        let is_atomic = is_one_access || self.is_joint();
        if is_shared && !is_atomic {
            old = self.materialise(old, update.place.span);
        }
        let new = self.updated(update, old, operand, span);
        let new = self.as_kept(&spot, ty, new);
        if self.is_torn(&spot, ty, span) {
            let new = self.materialise(new, span);
            self.write_halves(&spot, ty, new, span);
            return if update.is_postfix { old } else { new };
        }
        let mut assignments = if is_shared && !is_atomic && self.is_field(&spot, ty) {
            self.write_field(&spot, ty, new, span)
        } else {
            self.write(&spot, ty, Facet::Value, new, span)
        };
        let bits = self.e.bits(old);
        let is_kept = is_shared && !is_atomic;
        let result = if !is_wanted || (is_kept && update.is_postfix) {
            old
        } else if is_kept && self.is_stable(new) {
            new
        } else {
            // Before or after: kept in the same step. What is combined with the place may be about what is written.
            let temporary = self.temporary(bits, span);
            let value = if update.is_postfix { old } else { new };
            assignments.push(Assignment { target: temporary, index: None, value });
            self.e.variable(temporary, bits)
        };
        self.emit_assignments(assignments, span);
        result
    }

    /// First what is combined with the place, then what it holds.
    fn combined_at_once(&mut self, update: &Update<'p>, ty: TypeId) -> Combined {
        let (spot, mut operand) = self.place_and_value(update.place, update.value);
        if self.is_shared_spot(&spot) && !self.is_joint() && self.reads_shared(operand) {
            operand = self.materialise(operand, update.value.span);
        }
        let old = self.read(&spot, ty, update.place.span);
        Combined { spot, old, operand }
    }

    fn updated(
        &mut self,
        update: &Update<'p>,
        old: ExpressionId,
        operand: ExpressionId,
        span: Span,
    ) -> ExpressionId {
        if let Some(size) = update.size {
            let is_negative = update.operator == BinaryOperator::Subtract;
            return self.offset(old, operand, size, is_negative);
        }
        let ty = update.place.ty;
        let left = self.convert(old, ty, update.computed, span);
        let value = self.arithmetic(update.operator, update.computed, left, operand, span);
        self.convert(value, update.computed, ty, span)
    }

    /// Where a value of record type is.
    pub(super) fn record_spot(&mut self, e: &'p Expression) -> Spot {
        match &e.kind {
            ExpressionKind::Load(place) if self.is_device(place) => {
                let _ = self.spot(place);
                let spot = self.record_temporary(e);
                self.havoc(&spot, e.ty, e.span);
                spot
            }
            ExpressionKind::Load(place) if types::get(self.program, place.ty).qualifiers.is_atomic => {
                let from = self.spot(place);
                let to = self.record_temporary(e);
                self.copy_at_once(&from, &to, e.ty, e.span);
                to
            }
            ExpressionKind::Load(place) => self.spot(place),
            ExpressionKind::Comma(a, b) => {
                self.effect(a);
                self.record_spot(b)
            }
            ExpressionKind::Convert(a) => self.record_spot(a),
            ExpressionKind::Assign(place, value) => {
                // The value goes through a temporary: the place may be somebody else's a moment later.
                let to = self.spot(place);
                let to = self.settle_spot(to, value);
                let from = self.record_spot(value);
                let kept = self.record_temporary(e);
                self.copy(&from, &kept, e.ty, e.span);
                self.assign_record_at(&kept, &to, place.ty, e.span);
                kept
            }
            ExpressionKind::Block(body, Some(value)) => {
                let outer = self.nested_statements(body);
                let mut spot = self.record_spot(value);
                if self.ends_something(outer) {
                    let kept = self.record_temporary(e);
                    self.copy(&spot, &kept, e.ty, e.span);
                    spot = kept;
                }
                self.leave_nested(outer, e.span);
                spot
            }
            ExpressionKind::Call(callee, arguments) => self.call_for_record(callee, arguments, e, true),
            ExpressionKind::Conditional(c, a, b) => {
                let spot = self.record_temporary(e);
                let (yes, no) = (spot.clone(), spot.clone());
                self.choose(
                    c,
                    |this| {
                        let from = this.record_spot(a);
                        this.copy(&from, &yes, e.ty, e.span);
                    },
                    |this| {
                        let from = this.record_spot(b);
                        this.copy(&from, &no, e.ty, e.span);
                    },
                );
                spot
            }
            _ => {
                self.effect(e);
                self.refuse("E0715", "this value of struct type is not supported", e.span, "use a variable");
                self.record_temporary(e)
            }
        }
    }

    pub(super) fn record_temporary(&mut self, e: &Expression) -> Spot {
        let function = self.frames.last().map_or_else(|| crate::hir::FunctionId::new(0), |f| f.function);
        let key = PseudoObject::Temporary(function, e.span.start, e.span.end);
        let name = super::graph::one_line(self.program.text.slice(e.span));
        let object = self.pseudo_object(key, &name, e.ty, function);
        Spot::Named { object, path: Vec::new(), indices: Vec::new() }
    }

    fn assign_record(&mut self, place: &'p Place, value: &'p Expression, span: Span) {
        if let Some((from, to)) = self.record_and_place(place, value, span) {
            return self.assign_record_at(&from, &to, place.ty, span);
        }
        let to = self.spot(place);
        let to = self.settle_spot(to, value);
        let from = match &value.kind {
            // Nobody overwrites the result before it is copied.
            ExpressionKind::Call(callee, arguments) => self.call_for_record(callee, arguments, value, false),
            _ => self.record_spot(value),
        };
        let is_atomic = types::get(self.program, place.ty).qualifiers.is_atomic;
        let from = if is_atomic && self.is_shared_spot(&from) {
            let kept = self.record_temporary(value);
            self.copy(&from, &kept, place.ty, span);
            kept
        } else {
            from
        };
        self.assign_record_at(&from, &to, place.ty, span);
    }

    /// Copies to a place of this type: at once if it is atomic.
    fn assign_record_at(&mut self, from: &Spot, to: &Spot, ty: TypeId, span: Span) {
        if types::get(self.program, ty).qualifiers.is_atomic {
            self.copy_at_once(from, to, ty, span);
        } else {
            self.copy(from, to, ty, span);
        }
    }
}
