//! Accesses: which bits of which variables a place is, how they are read and how they are written.
//!
//! A place is a range of bits at an address. Where the address is a constant, the bits are looked up in the object's cells;
//! where it is not, each cell that may be meant is an [`Access`] with a condition on the address. A pointer to a scalar is
//! compared with cells of that scalar's shape first. Characters may look at any byte, and so may what was converted from
//! a pointer to something else (`puns`), and these are compared with all parts of all cells.

use super::cells::{Cell, Home, Shape};
use super::memory::Facet;
use super::place::Spot;
use super::types::{self, Hop, Leaf, LeafKind};
use super::{Lower, Volatile};
use crate::flow::{Assignment, BinaryOperator, ExpressionId, PropertyKind, ValueType, VariableId};
use crate::hir::{ObjectId, TypeId, TypeKind};
use throng_base::Span;

/// Rows of at most this many scalars are compared element by element where nothing better is known.
const MAX_COMPARED: u64 = 256;

/// In objects of at most this many bytes, padding is looked for.
const MAX_PADDED: u64 = 1024;

/// Some bits of a scalar: a part of what a place holds.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    /// The scalar's variable; `None` for padding, which holds anything.
    pub(super) variable: Option<VariableId>,
    pub(super) index: Option<ExpressionId>,
    /// The variable's width.
    pub(super) width: u32,
    /// The first bit of the variable; beyond its width for bits that are always zero.
    pub(super) low: u32,
    /// How many bits.
    pub(super) count: u32,
}

/// What a place may be: pieces from the lowest bits on.
pub(super) struct Access {
    pub(super) pieces: Vec<Piece>,
    /// When it is this.
    pub(super) condition: ExpressionId,
}

/// The bits that are accessed: so many of so many bytes, from the low bit on.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Range {
    low: u32,
    count: u32,
    bytes: u64,
}

impl Lower<'_> {
    /// First bit and width of a member that is a bit-field.
    pub(super) fn field_bits(&self, ty: TypeId, field: u32) -> Option<(u32, u32)> {
        let TypeKind::Record(record) = types::get(self.program, ty).kind else { return None };
        let fields = self.program.records[record.index()].fields.as_ref()?;
        fields.get(field as usize)?.bits
    }

    /// The width of what a spot holds: that of its type, or that of the bit-field.
    pub(super) fn width_of(&mut self, spot: &Spot, ty: TypeId) -> u32 {
        self.range_of(spot, ty).count.min(types::bits_of(self.program, ty))
    }

    /// How many bits of its bytes a value of a type is kept in: a `_Bool` has eight where somebody may look at its byte.
    fn kept_bits(&self, ty: TypeId) -> u32 {
        let is_bool = matches!(types::get(self.program, ty).kind, TypeKind::Bool);
        if is_bool && self.puns.has_bool_bytes { 8 } else { types::bits_of(self.program, ty) }
    }

    fn range_of(&mut self, spot: &Spot, ty: TypeId) -> Range {
        let field = match spot {
            Spot::Pointed { field, .. } => *field,
            Spot::Named { object, path, .. } => {
                let shape = self.shape_of(*object);
                let leaf = shape.leaf(path).map(|leaf| &shape.leaves[leaf]);
                leaf.filter(|leaf| leaf.is_bit_field).map(|leaf| (leaf.bit, leaf.bits))
            }
        };
        match field {
            Some((low, count)) => Range { low, count, bytes: u64::from((low + count).div_ceil(8)) },
            None => {
                let bytes = types::size_of(self.program, ty);
                Range { low: 0, count: self.kept_bits(ty), bytes }
            }
        }
    }

    /// What a spot may be, seen as this type; and whether it may be something without a model.
    pub(super) fn accesses(&mut self, spot: &Spot, ty: TypeId, facet: Facet) -> (Vec<Access>, bool) {
        let range = self.range_of(spot, ty);
        match spot {
            Spot::Named { object, path, indices } => {
                let shape = self.shape_of(*object);
                let Some(leaf) = shape.leaf(path) else { return self.at_address(spot, ty, facet) };
                if shape.leaves[leaf].kind == LeafKind::Unmodelled {
                    return (Vec::new(), true);
                }
                let Home::Cell { cell, low } = shape.homes[leaf] else {
                    return self.at_address(spot, ty, facet);
                };
                let index = self.flat_index(&shape.cells[cell].dimensions, indices);
                let piece = self.piece(*object, cell, index, low, range.count, facet);
                let condition = self.e.truth(true);
                (vec![Access { pieces: vec![piece], condition }], false)
            }
            Spot::Pointed { address, candidates, is_unmodelled, route, .. } => {
                let mut found = Vec::new();
                let mut is_unmodelled = *is_unmodelled;
                for &object in candidates.iter() {
                    is_unmodelled |= self.accesses_in(object, *address, range, ty, facet, route, &mut found);
                }
                (found, is_unmodelled)
            }
        }
    }

    /// The accesses of a named part by its address.
    fn at_address(&mut self, spot: &Spot, ty: TypeId, facet: Facet) -> (Vec<Access>, bool) {
        let Spot::Named { object, .. } = spot else { return (Vec::new(), true) };
        let address = self.address(spot);
        let range = self.range_of(spot, ty);
        let mut found = Vec::new();
        let is_unmodelled = match self.e.as_constant(address) {
            Some(at) => self.constant_access(*object, at, range, facet, &mut found),
            None => self.loose_accesses(*object, address, range, facet, &mut found),
        };
        (found, is_unmodelled)
    }

    fn piece(
        &mut self,
        object: ObjectId,
        cell: usize,
        index: Option<ExpressionId>,
        low: u32,
        count: u32,
        facet: Facet,
    ) -> Piece {
        let variable = self.cell_variable(object, cell, facet);
        let width = self.variables[variable.index()].bits;
        let count = if facet == Facet::Holds { width } else { count };
        Piece { variable: Some(variable), index, width, low, count }
    }

    pub(super) fn flat_index(
        &mut self,
        dimensions: &[(u64, u64)],
        indices: &[ExpressionId],
    ) -> Option<ExpressionId> {
        let width = self.program.data_model.pointer_bits();
        let mut flat: Option<ExpressionId> = None;
        for (&index, &(_, length)) in indices.iter().zip(dimensions) {
            flat = Some(match flat {
                None => index,
                Some(outer) => {
                    let length = self.e.constant(u128::from(length), width);
                    let scaled = self.e.binary(BinaryOperator::Multiply, outer, length);
                    self.e.add(scaled, index)
                }
            });
        }
        let length: u64 = dimensions.iter().map(|&(_, length)| length).product();
        if length == 1 { None } else { flat }
    }

    /// What an address may be in an object; gives whether it may be something without a model.
    #[expect(clippy::too_many_arguments, reason = "one access seen from all sides")]
    fn accesses_in(
        &mut self,
        object: ObjectId,
        address: ExpressionId,
        range: Range,
        ty: TypeId,
        facet: Facet,
        route: &(TypeId, Vec<Hop>),
        out: &mut Vec<Access>,
    ) -> bool {
        let opaque = types::get(self.program, ty).opaque;
        if opaque.is_some_and(|opaque| opaque != crate::hir::Opaque::Thread) {
            self.opaque_accesses(object, address, ty, facet, out);
            return false;
        }
        if types::is_unkept(self.program, ty) {
            return true;
        }
        if let Some(at) = self.e.as_constant(address) {
            return self.constant_access(object, at, range, facet, out);
        }
        let shape = self.shape_of(object);
        let routed: Vec<usize> = (0..shape.leaves.len())
            .filter(|&leaf| self.is_on_route(object, &shape.leaves[leaf], route))
            .collect();
        if !routed.is_empty() {
            return routed.into_iter().fold(false, |is_unmodelled, leaf| {
                self.routed_access(object, &shape, leaf, address, range, facet, out) | is_unmodelled
            });
        }
        let is_equal = |cell: &Cell| {
            cell.kind == LeafKind::Value && cell.size == range.bytes && cell.bits == range.count
        };
        let is_field = range.low != 0 || u64::from(range.count) < 8 * range.bytes && range.count != 1;
        // The word of a union may have a member of this size.
        let is_in_word = |cell: &Cell| cell.ty.is_none() && !is_equal(cell) && cell.size >= range.bytes;
        let is_loose = range.bytes == 1
            || is_field
            || self.puns.scalars.contains(&(range.bytes, range.count))
            || shape.cells.iter().any(is_in_word);
        if is_loose || !shape.cells.iter().any(is_equal) {
            return self.loose_accesses(object, address, range, facet, out);
        }
        for (number, cell) in shape.cells.iter().enumerate().filter(|(_, cell)| is_equal(cell)) {
            self.push_access(object, number, cell, 0, address, range, facet, out);
        }
        false
    }

    /// A library object, by its kind.
    fn opaque_accesses(
        &mut self,
        object: ObjectId,
        address: ExpressionId,
        ty: TypeId,
        facet: Facet,
        out: &mut Vec<Access>,
    ) {
        let shape = self.shape_of(object);
        let opaque = types::get(self.program, ty).opaque;
        let count = types::bits_of(self.program, ty);
        let range = Range { low: 0, count, bytes: types::size_of(self.program, ty) };
        for (number, cell) in shape.cells.iter().enumerate() {
            if matches!(cell.kind, LeafKind::Opaque(kind) if Some(kind) == opaque) {
                self.push_access(object, number, cell, 0, address, range, facet, out);
            }
        }
    }

    /// The part of a cell from this byte on, if the address may be it.
    #[expect(clippy::too_many_arguments, reason = "one access seen from all sides")]
    fn push_access(
        &mut self,
        object: ObjectId,
        number: usize,
        cell: &Cell,
        byte: u64,
        address: ExpressionId,
        range: Range,
        facet: Facet,
        out: &mut Vec<Access>,
    ) {
        if cell.length() == 0 {
            return;
        }
        let (condition, indices) = self.match_address(object, cell.offset + byte, &cell.dimensions, address);
        if self.e.as_constant(condition) == Some(0) {
            return;
        }
        let index = self.flat_index(&cell.dimensions, &indices);
        let low = 8 * byte as u32 + range.low;
        let mut pieces = Vec::new();
        let kept = cell.bits.saturating_sub(low).min(range.count);
        if kept > 0 || facet == Facet::Holds {
            pieces.push(self.piece(object, number, index, low, kept, facet));
        }
        if kept < range.count && facet == Facet::Value {
            pieces.push(self.piece(object, number, index, u32::MAX, range.count - kept, facet));
        }
        out.push(Access { pieces, condition });
    }

    /// A member of a struct of the type that the pointer points to.
    #[expect(clippy::too_many_arguments, reason = "one access seen from all sides")]
    fn routed_access(
        &mut self,
        object: ObjectId,
        shape: &Shape,
        number: usize,
        address: ExpressionId,
        range: Range,
        facet: Facet,
        out: &mut Vec<Access>,
    ) -> bool {
        let leaf = &shape.leaves[number];
        if leaf.kind == LeafKind::Unmodelled {
            return true;
        }
        let Home::Cell { cell, low } = shape.homes[number] else {
            return self.elements(
                object,
                shape,
                (leaf.offset, leaf.length()),
                &leaf.dimensions,
                address,
                range,
                facet,
                out,
            );
        };
        if leaf.length() == 0 {
            return false;
        }
        let (condition, indices) = self.match_address(object, leaf.offset, &leaf.dimensions, address);
        if self.e.as_constant(condition) != Some(0) {
            let index = self.flat_index(&leaf.dimensions, &indices);
            let piece = self.piece(object, cell, index, low, range.count, facet);
            out.push(Access { pieces: vec![piece], condition });
        }
        false
    }

    /// An access at a known address.
    fn constant_access(
        &mut self,
        object: ObjectId,
        at: u128,
        range: Range,
        facet: Facet,
        out: &mut Vec<Access>,
    ) -> bool {
        let info = &self.memory.objects[object.index()];
        let (base, size) = (u128::from(info.address), u128::from(info.size));
        let Some(offset) = at.checked_sub(base).filter(|offset| offset + u128::from(range.bytes) <= size)
        else {
            return false;
        };
        let shape = self.shape_of(object);
        let Some(pieces) = self.known_pieces(object, &shape, offset as u64, range, facet) else {
            return true;
        };
        let condition = self.e.truth(true);
        out.push(Access { pieces, condition });
        false
    }

    fn known_pieces(
        &mut self,
        object: ObjectId,
        shape: &Shape,
        offset: u64,
        range: Range,
        facet: Facet,
    ) -> Option<Vec<Piece>> {
        let width = self.program.data_model.pointer_bits();
        let bits = shape.bits(offset, range.low, range.count)?;
        let mut pieces = Vec::new();
        for part in bits {
            let Some(cell) = part.cell else {
                let (variable, index, width) = (None, None, part.count);
                pieces.push(Piece { variable, index, width, low: 0, count: part.count });
                continue;
            };
            let is_row = shape.cells[cell].length() != 1;
            let index = is_row.then(|| self.e.constant(u128::from(part.number), width));
            pieces.push(self.piece(object, cell, index, part.low, part.count, facet));
        }
        Some(pieces)
    }

    /// Compares an address with all parts of all cells that such an access fits.
    fn loose_accesses(
        &mut self,
        object: ObjectId,
        address: ExpressionId,
        range: Range,
        facet: Facet,
        out: &mut Vec<Access>,
    ) -> bool {
        let shape = self.shape_of(object);
        let mut is_unmodelled = false;
        for (number, cell) in shape.cells.iter().enumerate() {
            if cell.kind != LeafKind::Value {
                is_unmodelled = true;
            } else if range.bytes <= cell.size {
                let step = range.bytes.next_power_of_two() as usize;
                for byte in (0..=cell.size - range.bytes).step_by(step.max(1)) {
                    self.push_access(object, number, cell, byte, address, range, facet, out);
                }
            } else if let Some(&(stride, length)) = cell.dimensions.last()
                && stride == cell.size
                && range.bytes.is_multiple_of(stride)
                && range.bytes / stride <= length
            {
                self.push_wide(object, number, cell, address, range, facet, out);
            } else {
                let first = (cell.offset, cell.length());
                let dimensions = &cell.dimensions;
                is_unmodelled |= self.elements(object, &shape, first, dimensions, address, range, facet, out);
            }
        }
        is_unmodelled | (range.bytes == 1 && self.padding_access(object, &shape, address, range, out))
    }

    /// Characters may look at padding, which holds anything; gives whether the object is too large to say where it is.
    fn padding_access(
        &mut self,
        object: ObjectId,
        shape: &Shape,
        address: ExpressionId,
        range: Range,
        out: &mut Vec<Access>,
    ) -> bool {
        let (base, size) = {
            let info = &self.memory.objects[object.index()];
            (info.address, info.size)
        };
        let held: u64 = shape.cells.iter().map(|cell| cell.size * cell.length()).sum();
        if held >= size {
            return false;
        }
        if size > MAX_PADDED {
            return true;
        }
        let width = self.e.bits(address);
        let mut condition = self.e.truth(false);
        for (from, count) in shape.padding(size) {
            let from = self.e.constant(u128::from(base + from), width);
            let count = self.e.constant(u128::from(count), width);
            let distance = self.e.subtract(address, from);
            let is_here = self.e.binary(BinaryOperator::UnsignedLess, distance, count);
            condition = self.e.or(condition, is_here);
        }
        let piece = Piece { variable: None, index: None, width: range.count, low: 0, count: range.count };
        out.push(Access { pieces: vec![piece], condition });
        false
    }

    /// Several neighbours of a row at once.
    #[expect(clippy::too_many_arguments, reason = "one access seen from all sides")]
    fn push_wide(
        &mut self,
        object: ObjectId,
        number: usize,
        cell: &Cell,
        address: ExpressionId,
        range: Range,
        facet: Facet,
        out: &mut Vec<Access>,
    ) {
        let (fits, indices) = self.match_address(object, cell.offset, &cell.dimensions, address);
        let (Some(&last), Some(&(stride, length))) = (indices.last(), cell.dimensions.last()) else { return };
        let width = self.e.bits(address);
        let count = range.bytes / stride;
        let most = self.e.constant(u128::from(length - count), width);
        let is_inside = self.e.binary(BinaryOperator::UnsignedLessOrEqual, last, most);
        let condition = self.e.and(fits, is_inside);
        if self.e.as_constant(condition) == Some(0) {
            return;
        }
        let Some(first) = self.flat_index(&cell.dimensions, &indices) else { return };
        let mut pieces = Vec::new();
        for k in 0..count {
            let distance = self.e.constant(u128::from(k), width);
            let index = self.e.add(first, distance);
            let low = if k == 0 { range.low } else { 0 };
            let left = range.low + range.count - (8 * stride * k) as u32;
            let bits = left.min(cell.bits) - low;
            pieces.push(self.piece(object, number, Some(index), low, bits, facet));
        }
        out.push(Access { pieces, condition });
    }

    /// Compares an address with that of each element of a row; gives whether there are too many.
    #[expect(clippy::too_many_arguments, reason = "one access seen from all sides")]
    fn elements(
        &mut self,
        object: ObjectId,
        shape: &Shape,
        (offset, length): (u64, u64),
        dimensions: &[(u64, u64)],
        address: ExpressionId,
        range: Range,
        facet: Facet,
        out: &mut Vec<Access>,
    ) -> bool {
        if length > MAX_COMPARED {
            return true;
        }
        let (base, size) = {
            let info = &self.memory.objects[object.index()];
            (info.address, info.size)
        };
        let width = self.e.bits(address);
        for number in 0..length {
            let mut at = offset;
            let mut rest = number;
            for &(stride, length) in dimensions.iter().rev() {
                at += rest % length * stride;
                rest /= length;
            }
            if at + range.bytes > size {
                continue;
            }
            let here = self.e.constant(u128::from(base + at), width);
            let condition = self.e.equal(address, here);
            let Some(pieces) = self.known_pieces(object, shape, at, range, facet) else { return true };
            if self.e.as_constant(condition) != Some(0) {
                out.push(Access { pieces, condition });
            }
        }
        false
    }

    /// Whether a leaf is that member of a struct of the type that the pointer points to. If an object has such structs, a
    /// pointer to one does not point to other members, unless it may come from a pointer to a scalar.
    fn is_on_route(&self, object: ObjectId, leaf: &Leaf, (ty, way): &(TypeId, Vec<Hop>)) -> bool {
        let Some(record) = types::record_of(self.program, *ty) else { return false };
        if self.puns.records.contains(&record) {
            return false;
        }
        let Some(before) = leaf.path.strip_suffix(&way[..]) else { return false };
        let mut here = self.memory.objects[object.index()].ty;
        for hop in before {
            here = match (hop, &types::get(self.program, here).kind) {
                (Hop::Element, TypeKind::Array { element, .. }) => *element,
                (Hop::Field(field), TypeKind::Record(record)) => {
                    let fields = self.program.records[record.index()].fields.as_ref();
                    match fields.and_then(|fields| fields.get(*field as usize)) {
                        Some(field) => field.ty,
                        None => return false,
                    }
                }
                _ => return false,
            };
        }
        types::record_of(self.program, here) == Some(record)
    }

    /// When an address is that of one of these scalars, and of which.
    fn match_address(
        &mut self,
        object: ObjectId,
        offset: u64,
        dimensions: &[(u64, u64)],
        address: ExpressionId,
    ) -> (ExpressionId, Vec<ExpressionId>) {
        let width = self.e.bits(address);
        let base = self.memory.objects[object.index()].address + offset;
        let base = self.e.constant(u128::from(base), width);
        let zero = self.e.constant(0, width);
        if dimensions.iter().all(|&(_, length)| length == 1) {
            return (self.e.equal(address, base), vec![zero; dimensions.len()]);
        }
        let mut rest = self.e.subtract(address, base);
        let mut conditions = Vec::new();
        let mut indices = Vec::new();
        for &(size, length) in dimensions {
            let end = self.e.constant(u128::from(size * length), width);
            conditions.push(self.e.binary(BinaryOperator::UnsignedLess, rest, end));
            let size = self.e.constant(u128::from(size), width);
            indices.push(self.e.binary(BinaryOperator::UnsignedDivide, rest, size));
            rest = self.e.binary(BinaryOperator::UnsignedRemainder, rest, size);
        }
        conditions.push(self.e.equal(rest, zero));
        (self.e.all(conditions), indices)
    }

    /// What a place of this type holds; what has to hold for that is noted.
    pub(super) fn read(&mut self, spot: &Spot, ty: TypeId, span: Span) -> ExpressionId {
        let bits = types::bits_of(self.program, ty);
        let is_volatile = types::get(self.program, ty).qualifiers.is_volatile;
        if is_volatile && self.options.volatile == Volatile::Nondet {
            self.note("volatile-nondet", "reading a volatile object gives an arbitrary value", span);
            self.nondet_span = span;
            return self.nondet_of(&super::graph::one_line(self.program.text.slice(span)), ty);
        }
        let value = self.read_facet(spot, ty, Facet::Value, span);
        if bits == 1 && self.e.bits(value) == 8 && !self.is_field(spot, ty) {
            let most = self.e.constant(1, 8);
            let is_truth = self.e.binary(BinaryOperator::UnsignedLessOrEqual, value, most);
            let failure = "use of a `_Bool` whose byte is neither 0 nor 1";
            self.require_or(PropertyKind::Pointers, is_truth, failure, span);
        }
        self.e.resize(value, bits, types::is_signed(self.program, ty))
    }

    /// Machines access what is wider than a word in several steps, and others may see it half changed.
    fn note_wide(&mut self, ty: TypeId, span: Span) {
        let width = self.program.data_model.pointer_bits();
        let is_atomic = types::get(self.program, ty).qualifiers.is_atomic;
        let is_threaded = !self.points.started.is_empty() || !self.options.threads_run.is_empty();
        if is_threaded && !is_atomic && types::bits_of(self.program, ty) > width {
            let text = "an object that is wider than a machine word is read or written at once";
            self.note("wide-accesses", text, span);
        }
    }

    /// The same for any facet, in the width of what is there.
    pub(super) fn read_facet(&mut self, spot: &Spot, ty: TypeId, facet: Facet, span: Span) -> ExpressionId {
        let (accesses, is_unmodelled) = self.accesses(spot, ty, facet);
        if self.is_shared_spot(spot) {
            self.note_wide(ty, span);
            self.touch(span);
        }
        self.oblige_valid(&accesses, is_unmodelled, span);
        let width = self.range_of(spot, ty).count;
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

    fn unmodelled_memory(&mut self, bits: u32, span: Span) -> ExpressionId {
        let message = "the value read here is not modelled: memory from the heap or an unknown function, \
                       a floating-point number, or an object seen as another type";
        self.unmodelled_at(bits, "E0713", message, span)
    }

    /// Bounds: that one of the scalars is meant.
    fn oblige_valid(&mut self, accesses: &[Access], is_unmodelled: bool, span: Span) {
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
    fn oblige_writable(&mut self, spot: &Spot, span: Span) {
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
            self.note_wide(ty, span);
            self.touch(span);
        }
        self.oblige_valid(&accesses, is_unmodelled, span);
        let mut out = before;
        if accesses.is_empty() && is_unmodelled {
            out.extend(self.clobber(spot, span));
            return out;
        }
        for access in &accesses {
            self.write_access(access, value, &[], &mut out);
        }
        out
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
        }
        let mut out = Vec::new();
        for access in &accesses {
            self.write_access(access, value, &units, &mut out);
        }
        out
    }

    /// Whether a spot is a bit-field.
    pub(super) fn is_field(&mut self, spot: &Spot, ty: TypeId) -> bool {
        let range = self.range_of(spot, ty);
        range.low != 0 || range.count != self.kept_bits(ty)
    }

    /// Adds what writing a value there assigns. Conditions exclude each other: the same scalar gets the value of the access that
    /// is meant, or keeps what it had. What scalars held may be known already.
    fn write_access(
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
        let bits = crate::flow::mask(piece.count) << piece.low;
        let keep = self.e.constant(!bits, piece.width);
        let old = self.e.and(old, keep);
        let part = self.e.resize(part, piece.width, false);
        let low = self.e.constant(u128::from(piece.low), piece.width);
        let part = self.e.binary(BinaryOperator::ShiftLeft, part, low);
        self.e.or(old, part)
    }

    /// A write without a model: everything in the objects that it may go to becomes arbitrary.
    fn clobber(&mut self, spot: &Spot, span: Span) -> Vec<Assignment> {
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
