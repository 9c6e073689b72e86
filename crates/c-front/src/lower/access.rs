//! Accesses: which bits of which variables a place is. How they are read and written is in `transfer`.
//!
//! A place is a range of bits at an address. Where the address is a constant, the bits are looked up in the object's cells;
//! where it is not, each cell that may be meant is an [`Access`] with a condition on the address. A pointer to a scalar is
//! compared with cells of that scalar's shape first. Characters may look at any byte, and so may what was converted from
//! a pointer to something else (`puns`), and these are compared with all parts of all cells.

use super::Lower;
use super::cells::{Cell, Home, Shape};
use super::memory::Facet;
use super::place::Spot;
use super::types::{self, Hop, Leaf, LeafKind};
use crate::hir::{ObjectId, TypeId, TypeKind};
use throng_cfa::flow::{BinaryOperator, ExpressionId, VariableId};

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
pub(super) struct Range {
    pub(super) low: u32,
    pub(super) count: u32,
    bytes: u64,
}

/// What is looked for in an object: these bits, at this address.
#[derive(Clone, Copy)]
struct Look {
    object: ObjectId,
    address: ExpressionId,
    range: Range,
    facet: Facet,
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
    pub(super) fn kept_bits(&self, ty: TypeId) -> u32 {
        let is_bool = matches!(types::get(self.program, ty).kind, TypeKind::Bool);
        if is_bool && self.puns.has_bool_bytes { 8 } else { types::bits_of(self.program, ty) }
    }

    /// First bit and width of a spot that is no whole scalar: a bit-field, or a unit of bit-fields.
    pub(super) fn field_range(&mut self, spot: &Spot) -> Option<(u32, u32)> {
        match spot {
            Spot::Pointed { field, .. } => *field,
            Spot::Named { object, path, .. } => {
                let shape = self.shape_of(*object);
                let leaf = shape.leaf(path).map(|leaf| &shape.leaves[leaf]);
                leaf.filter(|leaf| leaf.is_bit_field).map(|leaf| (leaf.bit, leaf.bits))
            }
        }
    }

    pub(super) fn range_of(&mut self, spot: &Spot, ty: TypeId) -> Range {
        match self.field_range(spot) {
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
                let piece = self.piece((*object, facet), cell, index, (low, range.count));
                let condition = self.e.truth(true);
                (vec![Access { pieces: vec![piece], condition }], false)
            }
            Spot::Pointed { address, candidates, is_unmodelled, route, .. } => {
                let mut found = Vec::new();
                let mut is_unmodelled = *is_unmodelled;
                for &object in candidates.iter() {
                    let first = found.len();
                    is_unmodelled |= {
                        let look = Look { object, address: *address, range, facet };
                        self.accesses_in(look, ty, route, &mut found)
                    };
                    if let Some(fits) = self.fits_length(object, *address, range.bytes) {
                        for access in &mut found[first..] {
                            access.condition = self.e.and(access.condition, fits);
                        }
                    }
                }
                (found, is_unmodelled)
            }
        }
    }

    /// The accesses of a named part by its address.
    fn at_address(&mut self, spot: &Spot, ty: TypeId, facet: Facet) -> (Vec<Access>, bool) {
        let Spot::Named { object, path, indices } = spot else { return (Vec::new(), true) };
        let address = self.address(spot);
        let range = self.range_of(spot, ty);
        let mut found = Vec::new();
        let look = Look { object: *object, address, range, facet };
        if let Some(at) = self.e.as_constant(address) {
            let is_unmodelled = self.constant_access(look, at, &mut found);
            return (found, is_unmodelled);
        }
        let shape = self.shape_of(*object);
        let Some(leaf) = shape.leaf(path).map(|leaf| &shape.leaves[leaf]) else {
            let is_unmodelled = self.loose_accesses(look, &mut found);
            return (found, is_unmodelled);
        };
        if let Some(pieces) = self.parallel_pieces(look, &shape, leaf, indices) {
            let condition = self.e.truth(true);
            return (vec![Access { pieces, condition }], false);
        }
        // Packed members may be at odd places, and in several words.
        let is_aligned = |at: u64| range.bytes.is_power_of_two() && at.is_multiple_of(range.bytes);
        let is_regular = is_aligned(leaf.offset)
            && leaf.dimensions.iter().all(|&(stride, _)| is_aligned(stride))
            && shape.cells.iter().all(|cell| is_aligned(cell.offset));
        let is_unmodelled = if is_regular || leaf.length() > MAX_COMPARED {
            self.loose_accesses(look, &mut found)
        } else {
            self.elements(look, &shape, (leaf.offset, leaf.length()), &leaf.dimensions, &mut found)
        };
        (found, is_unmodelled)
    }

    /// The pieces of a part whose cells are in the same arrays as the part is: what is true of its first element is of all.
    fn parallel_pieces(
        &mut self,
        look: Look,
        shape: &Shape,
        leaf: &Leaf,
        indices: &[ExpressionId],
    ) -> Option<Vec<Piece>> {
        let Look { object, range, facet, .. } = look;
        let bits = shape.bits(leaf.offset, range.low, range.count)?;
        let is_parallel =
            |cell: Option<usize>| cell.is_some_and(|cell| shape.cells[cell].dimensions == leaf.dimensions);
        if !bits.iter().all(|part| is_parallel(part.cell)) {
            return None;
        }
        let index = self.flat_index(&leaf.dimensions, indices);
        let pieces = bits.into_iter().filter_map(|part| {
            let cell = part.cell?;
            Some(self.piece((object, facet), cell, index, (part.low, part.count)))
        });
        Some(pieces.collect())
    }

    fn piece(
        &mut self,
        (object, facet): (ObjectId, Facet),
        cell: usize,
        index: Option<ExpressionId>,
        (low, count): (u32, u32),
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
    fn accesses_in(
        &mut self,
        look: Look,
        ty: TypeId,
        route: &(TypeId, Vec<Hop>),
        out: &mut Vec<Access>,
    ) -> bool {
        let Look { object, address, range, .. } = look;
        let opaque = types::get(self.program, ty).opaque;
        if opaque.is_some_and(|opaque| opaque != crate::hir::Opaque::Thread) {
            self.opaque_accesses(look, ty, out);
            return false;
        }
        if types::is_unkept(self.program, ty) {
            return true;
        }
        if let Some(at) = self.e.as_constant(address) {
            return self.constant_access(look, at, out);
        }
        let shape = self.shape_of(object);
        let routed: Vec<usize> = (0..shape.leaves.len())
            .filter(|&leaf| self.is_on_route(object, &shape.leaves[leaf], route))
            .collect();
        if !routed.is_empty() {
            return routed.into_iter().fold(false, |is_unmodelled, leaf| {
                self.routed_access(look, &shape, leaf, out) | is_unmodelled
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
            return self.loose_accesses(look, out);
        }
        for (number, cell) in shape.cells.iter().enumerate().filter(|(_, cell)| is_equal(cell)) {
            self.push_access(look, number, cell, 0, out);
        }
        false
    }

    /// A library object, by its kind.
    fn opaque_accesses(&mut self, look: Look, ty: TypeId, out: &mut Vec<Access>) {
        let shape = self.shape_of(look.object);
        let opaque = types::get(self.program, ty).opaque;
        let count = types::bits_of(self.program, ty);
        let range = Range { low: 0, count, bytes: types::size_of(self.program, ty) };
        let look = Look { range, ..look };
        for (number, cell) in shape.cells.iter().enumerate() {
            if matches!(cell.kind, LeafKind::Opaque(kind) if Some(kind) == opaque) {
                self.push_access(look, number, cell, 0, out);
            }
        }
    }

    /// The part of a cell from this byte on, if the address may be it.
    fn push_access(&mut self, look: Look, number: usize, cell: &Cell, byte: u64, out: &mut Vec<Access>) {
        let Look { object, address, range, facet } = look;
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
            pieces.push(self.piece((object, facet), number, index, (low, kept)));
        }
        if kept < range.count && facet == Facet::Value {
            pieces.push(self.piece((object, facet), number, index, (u32::MAX, range.count - kept)));
        }
        out.push(Access { pieces, condition });
    }

    /// A member of a struct of the type that the pointer points to.
    fn routed_access(&mut self, look: Look, shape: &Shape, number: usize, out: &mut Vec<Access>) -> bool {
        let Look { object, address, range, facet } = look;
        let leaf = &shape.leaves[number];
        if leaf.kind == LeafKind::Unmodelled {
            return true;
        }
        let Home::Cell { cell, low } = shape.homes[number] else {
            return self.elements(look, shape, (leaf.offset, leaf.length()), &leaf.dimensions, out);
        };
        if leaf.length() == 0 {
            return false;
        }
        let (condition, indices) = self.match_address(object, leaf.offset, &leaf.dimensions, address);
        if self.e.as_constant(condition) != Some(0) {
            let index = self.flat_index(&leaf.dimensions, &indices);
            let piece = self.piece((object, facet), cell, index, (low, range.count));
            out.push(Access { pieces: vec![piece], condition });
        }
        false
    }

    /// An access at a known address.
    fn constant_access(&mut self, look: Look, at: u128, out: &mut Vec<Access>) -> bool {
        let Look { object, range, .. } = look;
        let info = &self.memory.objects[object.index()];
        let (base, size) = (u128::from(info.address), u128::from(info.size));
        let Some(offset) = at.checked_sub(base).filter(|offset| offset + u128::from(range.bytes) <= size)
        else {
            return false;
        };
        let shape = self.shape_of(object);
        let Some(pieces) = self.known_pieces(look, &shape, offset as u64) else {
            return true;
        };
        let condition = self.e.truth(true);
        out.push(Access { pieces, condition });
        false
    }

    fn known_pieces(&mut self, look: Look, shape: &Shape, offset: u64) -> Option<Vec<Piece>> {
        let Look { object, range, facet, .. } = look;
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
            pieces.push(self.piece((object, facet), cell, index, (part.low, part.count)));
        }
        Some(pieces)
    }

    /// Compares an address with all parts of all cells that such an access fits.
    fn loose_accesses(&mut self, look: Look, out: &mut Vec<Access>) -> bool {
        let Look { object, range, .. } = look;
        let shape = self.shape_of(object);
        let mut is_unmodelled = false;
        for (number, cell) in shape.cells.iter().enumerate() {
            if cell.kind != LeafKind::Value {
                is_unmodelled = true;
            } else if range.bytes <= cell.size {
                let step = range.bytes.next_power_of_two() as usize;
                for byte in (0..=cell.size - range.bytes).step_by(step.max(1)) {
                    self.push_access(look, number, cell, byte, out);
                }
            } else if let Some(&(stride, length)) = cell.dimensions.last()
                && stride == cell.size
                && range.bytes.is_multiple_of(stride)
                && range.bytes / stride <= length
            {
                self.push_wide(look, number, cell, out);
            } else {
                let first = (cell.offset, cell.length());
                let dimensions = &cell.dimensions;
                is_unmodelled |= self.elements(look, &shape, first, dimensions, out);
            }
        }
        is_unmodelled | (range.bytes == 1 && self.padding_access(look, &shape, out))
    }

    /// Characters may look at padding, which holds anything; gives whether the object is too large to say where it is.
    fn padding_access(&mut self, look: Look, shape: &Shape, out: &mut Vec<Access>) -> bool {
        let Look { object, address, range, .. } = look;
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
    fn push_wide(&mut self, look: Look, number: usize, cell: &Cell, out: &mut Vec<Access>) {
        let Look { object, address, range, facet } = look;
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
            pieces.push(self.piece((object, facet), number, Some(index), (low, bits)));
        }
        out.push(Access { pieces, condition });
    }

    /// Compares an address with that of each element of a row; gives whether there are too many.
    fn elements(
        &mut self,
        look: Look,
        shape: &Shape,
        (offset, length): (u64, u64),
        dimensions: &[(u64, u64)],
        out: &mut Vec<Access>,
    ) -> bool {
        let Look { object, address, range, .. } = look;
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
            let Some(pieces) = self.known_pieces(look, shape, at) else { return true };
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
}
