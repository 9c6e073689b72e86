//! Reading and writing places, by the accesses that they may be.
//!
//! A value that is read is put together from the bits of all pieces of the access that is meant; a value that is written replaces
//! them. What has to hold for an access (`oblige`) is noted with it.

use super::access::{Access, Piece};
use super::memory::Facet;
use super::place::Spot;
use super::points::Origin;
use super::types::{self, LeafKind};
use super::{Lower, Volatile, arguments};
use crate::hir::TypeId;
use throng_base::Span;
use throng_cfa::flow::{Assignment, BinaryOperator, ExpressionId, PropertyKind, ValueType, VariableId};

impl Lower<'_> {
    /// What a place of this type holds; what has to hold for that is noted. What is wider than a machine word is read in steps.
    pub(super) fn read(&mut self, spot: &Spot, ty: TypeId, span: Span) -> ExpressionId {
        let is_torn = self.is_torn(spot, ty, span);
        self.read_as(spot, ty, is_torn, span)
    }

    /// The same in one step.
    pub(super) fn read_at_once(&mut self, spot: &Spot, ty: TypeId, span: Span) -> ExpressionId {
        self.read_as(spot, ty, false, span)
    }

    fn read_as(&mut self, spot: &Spot, ty: TypeId, is_torn: bool, span: Span) -> ExpressionId {
        let bits = types::bits_of(self.program, ty);
        let is_volatile = types::get(self.program, ty).qualifiers.is_volatile;
        if is_volatile && self.options.volatile == Volatile::Nondet {
            self.note("volatile-nondet", "reading a volatile object gives an arbitrary value", span);
            self.nondet_span = span;
            return self.nondet_of(&super::graph::one_line(self.program.text.slice(span)), ty);
        }
        let value = self.read_facet_as(spot, ty, Facet::Value, is_torn, span);
        if bits == 1 && self.e.bits(value) == 8 && !self.is_field(spot, ty) {
            let most = self.e.constant(1, 8);
            let is_truth = self.e.binary(BinaryOperator::UnsignedLessOrEqual, value, most);
            let failure = "use of a `_Bool` whose byte is neither 0 nor 1";
            self.require_or(PropertyKind::Pointers, is_truth, failure, span);
        }
        self.e.resize(value, bits, types::is_signed(self.program, ty))
    }

    /// The same for any facet, in the width of what is there.
    pub(super) fn read_facet(&mut self, spot: &Spot, ty: TypeId, facet: Facet, span: Span) -> ExpressionId {
        self.read_facet_as(spot, ty, facet, false, span)
    }

    fn read_facet_as(
        &mut self,
        spot: &Spot,
        ty: TypeId,
        facet: Facet,
        is_torn: bool,
        span: Span,
    ) -> ExpressionId {
        let (accesses, is_unmodelled) = self.accesses(spot, ty, facet);
        if self.is_shared_spot(spot) {
            self.touch(span);
        }
        self.oblige_valid(&accesses, is_unmodelled, span);
        self.oblige_alive(spot, span);
        let width = self.range_of(spot, ty).count;
        self.read_from = match spot {
            Spot::Pointed { address, .. } => self.origins.get(address).copied(),
            Spot::Named { .. } => None,
        };
        if is_torn && !is_unmodelled && !accesses.is_empty() {
            return self.read_halves(&accesses, width, span);
        }
        self.any_of(&accesses, is_unmodelled, width, span)
    }

    /// The value of the access that is meant.
    pub(super) fn any_of(
        &mut self,
        accesses: &[Access],
        is_unmodelled: bool,
        width: u32,
        span: Span,
    ) -> ExpressionId {
        if accesses.iter().flat_map(|access| &access.pieces).any(|piece| piece.variable.is_none()) {
            self.note(
                "padding",
                "bytes between the members of a struct hold anything, whatever was written there",
                span,
            );
        }
        let mut accesses = accesses.iter().rev();
        let last = match accesses.next() {
            Some(access) => {
                let value = self.access_value(access);
                if is_unmodelled {
                    let bits = self.e.bits(value);
                    let default = self.unmodelled_memory(bits, span);
                    self.e.if_then_else(access.condition, value, default)
                } else {
                    value
                }
            }
            None => self.unmodelled_memory(width, span),
        };
        accesses.fold(last, |rest, access| {
            let value = self.access_value(access);
            self.e.if_then_else(access.condition, value, rest)
        })
    }

    fn access_value(&mut self, access: &Access) -> ExpressionId {
        let width: u32 = access.pieces.iter().map(|piece| piece.count).sum();
        let mut whole: Option<ExpressionId> = None;
        let mut at = 0;
        for piece in &access.pieces {
            let part = self.piece_value(piece);
            let part = self.e.resize(part, width, false);
            let distance = self.e.constant(u128::from(at), width);
            let part = self.e.binary(BinaryOperator::ShiftLeft, part, distance);
            whole = Some(match whole {
                None => part,
                Some(lower) => self.e.or(lower, part),
            });
            at += piece.count;
        }
        whole.unwrap_or_else(|| self.e.constant(0, width.max(1)))
    }

    fn piece_value(&mut self, piece: &Piece) -> ExpressionId {
        let Some(variable) = piece.variable else {
            return self.nondet("padding", piece.count, ValueType::Integer { is_signed: false });
        };
        if piece.low >= piece.width {
            return self.e.constant(0, piece.count);
        }
        let whole = match self.constant_scalar(variable, piece.index) {
            Some(value) => self.e.constant(value, piece.width),
            None => self.scalar(variable, piece.index, piece.width),
        };
        self.e.extract(whole, piece.low, piece.count)
    }

    pub(super) fn scalar(
        &mut self,
        variable: VariableId,
        index: Option<ExpressionId>,
        width: u32,
    ) -> ExpressionId {
        match index {
            None => self.e.variable(variable, width),
            Some(index) => self.e.element(variable, index, width),
        }
    }

    /// The value of a scalar of an object that never changes.
    fn constant_scalar(&self, variable: VariableId, index: Option<ExpressionId>) -> Option<u128> {
        let &(object, _) = self.memory.origins.get(&variable)?;
        if !self.is_constant(object) {
            return None;
        }
        let index = index.map_or(Some(0), |index| self.e.as_constant(index))?;
        let variable = &self.variables[variable.index()];
        let initial = variable.initial.as_ref()?;
        // What is not written out is zero.
        let is_inside = index < u128::from(variable.length);
        is_inside.then(|| initial.get(index as usize).copied().unwrap_or(0))
    }

    /// What memory without a model holds. Where it comes from is the reason to name, once for all reads.
    fn unmodelled_memory(&mut self, bits: u32, span: Span) -> ExpressionId {
        if let Some((origin, from)) = self.read_from.take() {
            return match origin {
                Origin::Heap => {
                    let diagnostic = self.heap_diagnostic(from);
                    self.unmodelled(bits, diagnostic)
                }
                Origin::Outside => self.unknown_value(bits, from),
                Origin::Arguments => self.unmodelled_at(bits, "E0717", arguments::MESSAGE, from),
                Origin::Caller => {
                    let name = self.program.text.slice(from);
                    let message =
                        format!("what `{name}` points to is memory of the caller, which is not modelled");
                    self.unmodelled_at(bits, "E0713", &message, from)
                }
            };
        }
        let message = "the value read here is not modelled: memory from the heap or an unknown function, \
                       a floating-point number, or an object seen as another type";
        self.unmodelled_at(bits, "E0713", message, span)
    }

    /// Bounds: that one of the scalars is meant.
    pub(super) fn oblige_valid(&mut self, accesses: &[Access], is_unmodelled: bool, span: Span) {
        if is_unmodelled {
            return;
        }
        let mut valid = self.e.truth(false);
        for access in accesses {
            valid = self.e.or(valid, access.condition);
        }
        self.oblige_bounds(valid, "assumes-valid-pointers", span);
    }

    /// A pointer that is written through does not point to what was defined as constant: a string, a `const` variable.
    pub(super) fn oblige_writable(&mut self, spot: &Spot, span: Span) {
        let Spot::Pointed { address, candidates, .. } = spot else { return };
        let address = *address;
        let width = self.e.bits(address);
        for &object in candidates.iter() {
            let info = &self.memory.objects[object.index()];
            let is_newborn = self.newborn == Some(object);
            if info.is_ghost || is_newborn || !types::is_constant(self.program, info.ty) {
                continue;
            }
            let (from, size) = (u128::from(info.address), u128::from(info.size.max(1)));
            let (from, size) = (self.e.constant(from, width), self.e.constant(size, width));
            let distance = self.e.subtract(address, from);
            let is_elsewhere = self.e.binary(BinaryOperator::UnsignedLessOrEqual, size, distance);
            let failure = "write to an object that is constant";
            self.require_or(PropertyKind::Pointers, is_elsewhere, failure, span);
        }
    }

    /// The assignments that write a value to a place; what has to hold for that is noted.
    pub(super) fn write(
        &mut self,
        spot: &Spot,
        ty: TypeId,
        facet: Facet,
        value: ExpressionId,
        span: Span,
    ) -> Vec<Assignment> {
        self.write_after(Vec::new(), spot, ty, facet, value, span)
    }

    /// The same, after others in the same step.
    pub(super) fn write_after(
        &mut self,
        before: Vec<Assignment>,
        spot: &Spot,
        ty: TypeId,
        facet: Facet,
        value: ExpressionId,
        span: Span,
    ) -> Vec<Assignment> {
        self.oblige_writable(spot, span);
        let (accesses, is_unmodelled) = self.accesses(spot, ty, facet);
        if self.is_shared_spot(spot) {
            self.touch(span);
        }
        self.oblige_valid(&accesses, is_unmodelled, span);
        self.oblige_alive(spot, span);
        let mut out = before;
        if accesses.is_empty() && is_unmodelled {
            out.extend(self.clobber(spot, span));
            return out;
        }
        let first = out.len();
        for access in &accesses {
            self.write_access(access, value, &[], &mut out);
        }
        self.keep_apart(&accesses, &mut out[first..]);
        out
    }

    /// Of several accesses to a row one is meant. The others write back what they find where their own index leads, which may
    /// be the same element: they are led beyond the end, where nothing is written.
    pub(super) fn keep_apart(&mut self, accesses: &[Access], out: &mut [Assignment]) {
        for number in 0..out.len() {
            let (target, index) = (out[number].target, out[number].index);
            let Some(at) = index.filter(|&index| self.e.as_constant(index).is_none()) else { continue };
            if out.iter().filter(|other| other.target == target).count() < 2 {
                continue;
            }
            let is_this = |piece: &Piece| piece.variable == Some(target) && piece.index == index;
            let meant = accesses.iter().filter(|access| access.pieces.iter().any(is_this));
            let conditions: Vec<ExpressionId> = meant.map(|access| access.condition).collect();
            let mut is_meant = self.e.truth(false);
            for condition in conditions {
                is_meant = self.e.or(is_meant, condition);
            }
            let beyond = self.e.constant(u128::MAX, self.e.bits(at));
            out[number].index = Some(self.e.if_then_else(is_meant, at, beyond));
        }
    }

    /// Writes to a bit-field that others see: the unit is read in a step before, as machines do.
    pub(super) fn write_field(
        &mut self,
        spot: &Spot,
        ty: TypeId,
        value: ExpressionId,
        span: Span,
    ) -> Vec<Assignment> {
        self.oblige_writable(spot, span);
        let (accesses, is_unmodelled) = self.accesses(spot, ty, Facet::Value);
        self.touch(span);
        self.oblige_valid(&accesses, is_unmodelled, span);
        self.oblige_alive(spot, span);
        let mut units = Vec::new();
        let mut loads = Vec::new();
        for piece in accesses.iter().flat_map(|access| &access.pieces) {
            let Some(variable) = piece.variable.filter(|_| piece.count < piece.width) else { continue };
            if units.iter().any(|&(v, index, _)| v == variable && index == piece.index) {
                continue;
            }
            let whole = self.scalar(variable, piece.index, piece.width);
            let target = self.temporary(piece.width, span);
            loads.push(Assignment { target, index: None, value: whole });
            units.push((variable, piece.index, self.e.variable(target, piece.width)));
        }
        if !loads.is_empty() {
            self.emit_assignments(loads, span);
            self.touch(span);
        }
        let mut out = Vec::new();
        for access in &accesses {
            self.write_access(access, value, &units, &mut out);
        }
        self.keep_apart(&accesses, &mut out);
        out
    }

    /// Whether a spot is a bit-field.
    pub(super) fn is_field(&mut self, spot: &Spot, ty: TypeId) -> bool {
        let range = self.range_of(spot, ty);
        range.low != 0 || range.count != self.kept_bits(ty)
    }

    /// Adds what writing a value there assigns. Conditions exclude each other: the same scalar gets the value of the access that
    /// is meant, or keeps what it had. What scalars held may be known already.
    pub(super) fn write_access(
        &mut self,
        access: &Access,
        value: ExpressionId,
        known: &[(VariableId, Option<ExpressionId>, ExpressionId)],
        out: &mut Vec<Assignment>,
    ) {
        let width: u32 = access.pieces.iter().map(|piece| piece.count).sum();
        let value = self.e.resize(value, width.max(1), false);
        let mut at = 0;
        for piece in &access.pieces {
            let from = at;
            at += piece.count;
            let Some(target) = piece.variable.filter(|_| piece.low < piece.width) else { continue };
            let same = out.iter().position(|old| old.target == target && old.index == piece.index);
            let held = known.iter().find(|&&(v, index, _)| v == target && index == piece.index);
            let before = match (same, held) {
                (Some(number), _) => out[number].value,
                (None, Some(&(_, _, held))) => held,
                (None, None) => self.scalar(target, piece.index, piece.width),
            };
            let part = self.e.extract(value, from, piece.count);
            let whole = self.with_bits(before, part, piece);
            let value = self.e.if_then_else(access.condition, whole, before);
            match same {
                Some(number) => out[number].value = value,
                None => out.push(Assignment { target, index: piece.index, value }),
            }
        }
    }

    /// A scalar with some of its bits replaced.
    fn with_bits(&mut self, old: ExpressionId, part: ExpressionId, piece: &Piece) -> ExpressionId {
        if piece.count == piece.width {
            return part;
        }
        let bits = throng_cfa::flow::mask(piece.count) << piece.low;
        let keep = self.e.constant(!bits, piece.width);
        let old = self.e.and(old, keep);
        let part = self.e.resize(part, piece.width, false);
        let low = self.e.constant(u128::from(piece.low), piece.width);
        let part = self.e.binary(BinaryOperator::ShiftLeft, part, low);
        self.e.or(old, part)
    }

    /// A write without a model: everything in the objects that it may go to becomes arbitrary.
    pub(super) fn clobber(&mut self, spot: &Spot, span: Span) -> Vec<Assignment> {
        let Spot::Pointed { candidates, .. } = spot else { return Vec::new() };
        let mut out = Vec::new();
        for &object in candidates.iter() {
            let shape = self.shape_of(object);
            for (number, cell) in shape.cells.iter().enumerate() {
                if cell.kind != LeafKind::Value {
                    continue;
                }
                let target = self.cell_variable(object, number, Facet::Value);
                if cell.length() > 64 {
                    let message = "an array is written to as if it were of another type";
                    self.refuse("E0713", message, span, "write to the elements with their own type");
                    continue;
                }
                for index in 0..cell.length() {
                    let width = self.program.data_model.pointer_bits();
                    let index = (cell.length() != 1).then(|| self.e.constant(u128::from(index), width));
                    let value = self.unmodelled_memory(cell.bits, span);
                    out.push(Assignment { target, index, value });
                }
            }
        }
        out
    }
}
