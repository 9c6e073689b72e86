//! Whole objects: the parts that they are copied, zeroed and made arbitrary by.
//!
//! The parts of an object are its cells: scalars, and the units of bit-fields and the words of unions, which have no name in C
//! and are looked at as integers of their size.

use super::Lower;
use super::cells::{Home, Shape};
use super::memory::Facet;
use super::place::Spot;
use super::types::{self, Hop, LeafKind};
use crate::hir::{ObjectId, Opaque, TypeId, TypeKind};
use std::rc::Rc;
use throng_base::Span;
use throng_cfa::flow::{Assignment, BinaryOperator, ExpressionId, ValueType};

/// Above this many scalars, an object is not copied or made arbitrary scalar by scalar.
const MAX_SCALARS: u64 = 4096;

impl Lower<'_> {
    /// All scalars of a spot, one by one; refused if there are too many.
    pub(super) fn parts(&mut self, spot: &Spot, ty: TypeId, span: Span) -> Option<Vec<(Spot, TypeId)>> {
        let shape = Shape::new(self.program, ty, self.puns.has_bool_bytes);
        let count: u64 = shape.cells.iter().map(super::cells::Cell::length).sum();
        if count > MAX_SCALARS {
            let message = format!("this touches {count} scalars at once, more than {MAX_SCALARS}");
            self.refuse("E0716", message, span, "use a smaller array, or a loop");
            return None;
        }
        let mut out = Vec::new();
        for (number, cell) in shape.cells.iter().enumerate() {
            let is_home = |home: &Home| *home == Home::Cell { cell: number, low: 0 };
            let leaf = shape.homes.iter().position(is_home).filter(|_| cell.ty.is_some());
            for element in 0..cell.length() {
                out.push(match leaf {
                    Some(leaf) => self.leaf_part(spot, ty, &shape, leaf, element),
                    None => self.word_part(spot, cell.offset, &cell.dimensions, cell.size, element),
                });
            }
        }
        Some(out)
    }

    /// Whether what an automatic variable holds when it begins to live is what it holds at the start: one that is too large to be
    /// written at once, and begins to live once.
    pub(super) fn holds_initially(&mut self, object: ObjectId) -> bool {
        self.is_large(object) && self.is_born_once(object)
    }

    /// Whether an object has too many scalars to be written at once.
    pub(super) fn is_large(&mut self, object: ObjectId) -> bool {
        let shape = self.shape_of(object);
        shape.cells.iter().map(super::cells::Cell::length).sum::<u64>() > MAX_SCALARS
    }

    /// A large object becomes arbitrary: any number of times, any of its scalars becomes anything. Nobody else sees it yet.
    pub(super) fn havoc_row(&mut self, object: ObjectId, span: Span) {
        if !self.is_reachable() {
            return;
        }
        let shape = self.shape_of(object);
        let (head, done) = (self.fresh(), self.fresh());
        self.begin_at(head);
        let truth = self.e.truth(true);
        let mut ways = vec![(truth, Vec::new(), done)];
        let width = self.program.data_model.pointer_bits();
        let is_value = |(_, cell): &(usize, &super::cells::Cell)| cell.kind == LeafKind::Value;
        for (number, cell) in shape.cells.iter().enumerate().filter(is_value) {
            let target = self.cell_variable(object, number, Facet::Value);
            let bits = self.variables[target.index()].bits;
            let name = self.memory.objects[object.index()].name.clone();
            self.nondet_span = span;
            let value = self.nondet(&name, bits, ValueType::Integer { is_signed: false });
            let (guard, index) = if cell.length() == 1 {
                (truth, None)
            } else {
                let index = self.nondet("index", width, ValueType::Integer { is_signed: false });
                let length = self.e.constant(u128::from(cell.length()), width);
                (self.e.binary(BinaryOperator::UnsignedLess, index, length), Some(index))
            };
            ways.push((guard, vec![Assignment { target, index, value }], head));
        }
        self.split(ways, span);
        self.resume(done);
    }

    /// An element of a leaf, by its name.
    fn leaf_part(
        &mut self,
        spot: &Spot,
        ty: TypeId,
        shape: &Shape,
        leaf: usize,
        element: u64,
    ) -> (Spot, TypeId) {
        let leaf = &shape.leaves[leaf];
        let width = self.program.data_model.pointer_bits();
        let mut indices = numbers(&leaf.dimensions, element).into_iter();
        let (mut spot, mut ty) = (spot.clone(), ty);
        for hop in &leaf.path {
            match (hop, &types::get(self.program, ty).kind) {
                (Hop::Element, TypeKind::Array { element, .. }) => {
                    let index = self.e.constant(u128::from(indices.next().unwrap_or(0)), width);
                    spot = self.element_of(spot, *element, index);
                    ty = *element;
                }
                (Hop::Field(field), TypeKind::Record(record)) => {
                    spot = self.member(spot, ty, *field);
                    let fields = self.program.records[record.index()].fields.as_ref();
                    ty = fields.and_then(|fields| fields.get(*field as usize)).map_or(ty, |field| field.ty);
                }
                _ => {}
            }
        }
        (spot, ty)
    }

    /// An element of a cell that has no name, by its address.
    fn word_part(
        &mut self,
        spot: &Spot,
        offset: u64,
        dimensions: &[(u64, u64)],
        size: u64,
        element: u64,
    ) -> (Spot, TypeId) {
        let steps = numbers(dimensions, element).into_iter().zip(dimensions);
        let offset = offset + steps.map(|(index, &(stride, _))| index * stride).sum::<u64>();
        (self.bytes_at(spot, offset, size), self.word_type(size))
    }

    /// The unsigned integer type of this many bytes, or the next larger one.
    pub(super) fn word_type(&self, size: u64) -> TypeId {
        let number = size.next_power_of_two().trailing_zeros().min(4);
        self.program.words[number as usize]
    }

    /// So many bytes from an offset of a spot on.
    pub(super) fn bytes_at(&mut self, spot: &Spot, offset: u64, size: u64) -> Spot {
        let address = self.address(spot);
        let width = self.e.bits(address);
        let offset = self.e.constant(u128::from(offset), width);
        let address = self.e.add(address, offset);
        let field = (!size.is_power_of_two()).then_some((0, 8 * size as u32));
        let route = (self.word_type(size), Vec::new());
        match spot {
            Spot::Named { object, .. } => {
                let candidates = Rc::new(vec![*object]);
                Spot::Pointed { address, candidates, is_unmodelled: false, route, field }
            }
            Spot::Pointed { candidates, is_unmodelled, .. } => {
                let (candidates, is_unmodelled) = (Rc::clone(candidates), *is_unmodelled);
                Spot::Pointed { address, candidates, is_unmodelled, route, field }
            }
        }
    }

    /// An object becomes arbitrary.
    pub(super) fn havoc(&mut self, spot: &Spot, ty: TypeId, span: Span) {
        let Some(parts) = self.parts(spot, ty, span) else { return };
        let mut assignments = Vec::new();
        for (part, ty) in &parts {
            let opaque = types::get(self.program, *ty).opaque;
            let value = match opaque {
                // A lock that is not initialised is free: using it before that is undefined.
                Some(Opaque::Thread) | None => {
                    let name = super::graph::one_line(self.program.text.slice(span));
                    self.nondet_span = span;
                    self.nondet_of(&name, *ty)
                }
                Some(_) => self.e.constant(0, types::bits_of(self.program, *ty)),
            };
            self.write_into(&mut assignments, part, *ty, value, span);
        }
        if !assignments.is_empty() {
            self.emit_assignments(assignments, span);
            if let Some(arc) = self.graph.arcs.last_mut() {
                arc.is_havoc = true;
            }
        }
    }

    /// Copies all scalars, each in steps of its own.
    pub(super) fn copy(&mut self, from: &Spot, to: &Spot, ty: TypeId, span: Span) {
        let devices = self.devices(ty);
        let (Some(from), Some(to)) = (self.parts(from, ty, span), self.parts(to, ty, span)) else { return };
        if !from.iter().chain(&to).any(|(spot, _)| self.is_shared_spot(spot)) {
            return self.copy_parts_at_once(&from, &to, &devices, span);
        }
        for (number, ((from, _), (to, ty))) in from.iter().zip(&to).enumerate() {
            if !types::is_unkept(self.program, *ty) {
                let value = self.read_part(from, *ty, devices.get(number), false, span);
                self.store(to, *ty, value, span, false);
            }
        }
    }

    /// Which of the parts are volatile though their own types do not say so: members of a volatile struct in a struct
    /// that is not. Nothing, if volatile objects are memory like all others.
    fn devices(&self, ty: TypeId) -> Vec<bool> {
        if self.options.volatile != super::Volatile::Nondet {
            return Vec::new();
        }
        let shape = Shape::new(self.program, ty, self.puns.has_bool_bytes);
        let is_volatile = |path: &[Hop]| {
            let mut ty = ty;
            path.iter().any(|hop| {
                let inner = match (hop, &types::get(self.program, ty).kind) {
                    (Hop::Element, TypeKind::Array { element, .. }) => Some(*element),
                    (Hop::Field(number), TypeKind::Record(record)) => {
                        let fields = self.program.records[record.index()].fields.as_ref();
                        fields.and_then(|fields| fields.get(*number as usize)).map(|field| field.ty)
                    }
                    _ => None,
                };
                ty = inner.unwrap_or(ty);
                types::get(self.program, ty).qualifiers.is_volatile
            })
        };
        let mut out = Vec::new();
        for (number, cell) in shape.cells.iter().enumerate() {
            let end = cell.offset + cell.size;
            let is_here = |leaf: usize| match shape.homes[leaf] {
                Home::Cell { cell, .. } => cell == number,
                Home::Words => {
                    shape.leaves[leaf].range().start < end && cell.offset < shape.leaves[leaf].range().end
                }
            };
            let is_device =
                (0..shape.leaves.len()).any(|leaf| is_here(leaf) && is_volatile(&shape.leaves[leaf].path));
            out.extend(std::iter::repeat_n(is_device, cell.length() as usize));
        }
        out
    }

    /// The value of a part that is copied.
    fn read_part(
        &mut self,
        part: &Spot,
        ty: TypeId,
        is_device: Option<&bool>,
        is_at_once: bool,
        span: Span,
    ) -> ExpressionId {
        if is_device == Some(&true) {
            self.note("volatile-nondet", "reading a volatile object gives an arbitrary value", span);
            self.nondet_span = span;
            return self.nondet_of(&super::graph::one_line(self.program.text.slice(span)), ty);
        }
        if is_at_once { self.read_at_once(part, ty, span) } else { self.read(part, ty, span) }
    }

    /// Copies all scalars in one step.
    pub(super) fn copy_at_once(&mut self, from: &Spot, to: &Spot, ty: TypeId, span: Span) {
        let devices = self.devices(ty);
        if let (Some(from), Some(to)) = (self.parts(from, ty, span), self.parts(to, ty, span)) {
            self.copy_parts_at_once(&from, &to, &devices, span);
        }
    }

    fn copy_parts_at_once(
        &mut self,
        from: &[(Spot, TypeId)],
        to: &[(Spot, TypeId)],
        devices: &[bool],
        span: Span,
    ) {
        let mut together: Vec<Assignment> = Vec::new();
        for (number, ((from, _), (to, ty))) in from.iter().zip(to).enumerate() {
            if !types::is_unkept(self.program, *ty) {
                let value = self.read_part(from, *ty, devices.get(number), true, span);
                self.write_into(&mut together, to, *ty, value, span);
            }
        }
        if !together.is_empty() || !self.obligations.is_empty() {
            self.emit_assignments(together, span);
        }
    }

    /// Adds what writing a value to a place assigns to what is assigned already in the same step.
    pub(super) fn write_into(
        &mut self,
        assignments: &mut Vec<Assignment>,
        spot: &Spot,
        ty: TypeId,
        value: ExpressionId,
        span: Span,
    ) {
        let before = std::mem::take(assignments);
        *assignments = self.write_after(before, spot, ty, Facet::Value, value, span);
    }
}

/// The indices of an element, from the outside in.
fn numbers(dimensions: &[(u64, u64)], element: u64) -> Vec<u64> {
    let mut rest = element;
    let mut out = Vec::new();
    for &(_, length) in dimensions.iter().rev() {
        out.push(rest % length.max(1));
        rest /= length.max(1);
    }
    out.reverse();
    out
}
