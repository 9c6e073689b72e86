//! Places: which scalars an lvalue may be, how they are read and how they are written.

use super::memory::Facet;
use super::points::Target;
use super::types::{self, Hop, Leaf, LeafKind};
use super::{Lower, Volatile};
use crate::flow::{Assignment, BinaryOperator, ExpressionId, PropertyKind, VariableId};
use crate::hir::{Expression, ExpressionKind, ObjectId, Place, PlaceKind, TypeId, TypeKind};
use std::rc::Rc;
use throng_base::Span;

/// Where a place is.
#[derive(Clone)]
pub(super) enum Spot {
    /// A part of an object that is known by its name.
    Named {
        /// The object.
        object: ObjectId,
        /// Which part.
        path: Vec<Hop>,
        /// The indices of the elements on the way, as wide as pointers.
        indices: Vec<ExpressionId>,
    },
    /// What an address points to.
    Pointed {
        /// The address.
        address: ExpressionId,
        /// The objects that it may be in.
        candidates: Rc<Vec<ObjectId>>,
        /// Whether it may be memory without a model.
        is_unmodelled: bool,
        /// The type that the pointer points to, and the way from there.
        route: (TypeId, Vec<Hop>),
    },
}

/// One scalar that a place may be.
pub(super) struct Access {
    pub(super) variable: VariableId,
    pub(super) index: Option<ExpressionId>,
    /// When it is this one.
    pub(super) condition: ExpressionId,
    pub(super) bits: u32,
}

impl<'p> Lower<'p> {
    /// Whether several shared accesses may be in one edge.
    pub(super) fn is_joint(&self) -> bool {
        self.is_joint_forced
            || self.options.atomicity == super::Atomicity::Statement
            || self.is_in_atomic_function()
    }

    /// Where a place is; evaluates what is in it.
    pub(super) fn spot(&mut self, place: &'p Place) -> Spot {
        self.spot_of(place, true)
    }

    /// The same; whether indices have to be in bounds.
    pub(super) fn spot_of(&mut self, place: &'p Place, is_access: bool) -> Spot {
        match &place.kind {
            PlaceKind::Object(object) => {
                Spot::Named { object: *object, path: Vec::new(), indices: Vec::new() }
            }
            PlaceKind::Member(inner, field) => {
                let spot = self.spot_of(inner, is_access);
                self.member(spot, inner.ty, *field)
            }
            PlaceKind::Element(inner, index) => {
                let spot = self.spot_of(inner, is_access);
                let spot = self.settle_spot(spot, index);
                let index_value = self.value(index);
                self.element_spot(spot, inner, index_value, is_access, place.span)
            }
            PlaceKind::Dereference(pointer) => self.dereference(pointer, place.ty),
            PlaceKind::Value(e) => self.record_spot(e),
        }
    }

    /// A member of what is at a spot.
    pub(super) fn member(&mut self, spot: Spot, ty: TypeId, field: u32) -> Spot {
        match spot {
            Spot::Named { object, mut path, indices } => {
                path.push(Hop::Field(field));
                Spot::Named { object, path, indices }
            }
            Spot::Pointed { address, candidates, is_unmodelled, mut route } => {
                let offset = self.field_offset(ty, field);
                let bits = self.e.bits(address);
                let offset = self.e.constant(u128::from(offset), bits);
                route.1.push(Hop::Field(field));
                Spot::Pointed { address: self.e.add(address, offset), candidates, is_unmodelled, route }
            }
        }
    }

    fn element_spot(
        &mut self,
        spot: Spot,
        array: &Place,
        index: ExpressionId,
        is_access: bool,
        span: Span,
    ) -> Spot {
        let width = self.program.data_model.pointer_bits();
        let mut index = self.e.resize(index, width, true);
        let is_shared = match &spot {
            Spot::Named { object, .. } => self.is_shared(*object),
            Spot::Pointed { .. } => true,
        };
        if is_shared && !self.is_joint() && self.reads_shared(index) {
            index = self.materialise(index, span);
        }
        let TypeKind::Array { element, length } = types::get(self.program, array.ty).kind else {
            return spot;
        };
        if let (Some(length), true) = (length, is_access) {
            let length = self.e.constant(u128::from(length), width);
            let is_inside = self.e.binary(BinaryOperator::UnsignedLess, index, length);
            self.oblige_bounds(is_inside, "assumes-in-bounds", span);
        }
        self.element_of(spot, element, index)
    }

    /// An element of the array at a spot.
    pub(super) fn element_of(&mut self, spot: Spot, element: TypeId, index: ExpressionId) -> Spot {
        match spot {
            Spot::Named { object, mut path, mut indices } => {
                path.push(Hop::Element);
                indices.push(index);
                Spot::Named { object, path, indices }
            }
            Spot::Pointed { address, candidates, is_unmodelled, mut route } => {
                let width = self.e.bits(address);
                route.1.push(Hop::Element);
                let size = self.e.constant(u128::from(types::size_of(self.program, element)), width);
                let distance = self.e.binary(BinaryOperator::Multiply, index, size);
                Spot::Pointed { address: self.e.add(address, distance), candidates, is_unmodelled, route }
            }
        }
    }

    fn oblige_bounds(&mut self, condition: ExpressionId, kind: &'static str, span: Span) {
        if self.e.as_constant(condition) == Some(1) {
            return;
        }
        let text = if kind == "assumes-in-bounds" {
            "runs in which an index is out of the bounds of its array are not looked at"
        } else {
            "runs in which a pointer that points to no object of its type is used are not looked at"
        };
        let property = if self.options.checks.bounds {
            let source = super::graph::one_line(self.program.text.slice(span));
            Some((PropertyKind::Bounds, format!("access out of bounds: {source}")))
        } else {
            self.note(kind, text, span);
            None
        };
        self.obligations.push(super::graph::Obligation { condition, property, span });
    }

    /// What a pointer points to.
    pub(super) fn dereference(&mut self, pointer: &'p Expression, ty: TypeId) -> Spot {
        if let ExpressionKind::AddressOf(place) = &pointer.kind
            && types::leaves(self.program, place.ty).len() == 1
            && self.is_same_shape(place.ty, ty)
        {
            return self.spot(place);
        }
        let targets = self.points.of(self.program, pointer);
        if let Some(spot) = self.indexed_pointer(pointer, ty) {
            return spot;
        }
        let mut address = self.value(pointer);
        if !self.is_joint() && self.reads_shared(address) {
            address = self.materialise(address, pointer.span);
        }
        self.pointed(address, &targets, ty)
    }

    fn is_same_shape(&self, a: TypeId, b: TypeId) -> bool {
        types::size_of(self.program, a) == types::size_of(self.program, b)
            && types::bits_of(self.program, a) == types::bits_of(self.program, b)
    }

    /// The spot of an address that points to one of these.
    pub(super) fn pointed(
        &mut self,
        address: ExpressionId,
        targets: &std::collections::BTreeSet<Target>,
        ty: TypeId,
    ) -> Spot {
        let mut is_unmodelled = false;
        let mut candidates = Vec::new();
        for target in targets {
            match target {
                Target::Object(object) if self.is_accessible(*object) => candidates.push(*object),
                Target::Object(_) | Target::Function(_) => {}
                Target::Unmodelled => is_unmodelled = true,
            }
        }
        if let Some(at) = self.e.as_constant(address) {
            // The points-to analysis does not know about contexts, but a constant does.
            candidates.retain(|object| {
                let info = &self.memory.objects[object.index()];
                let from = u128::from(info.address);
                (from..from + u128::from(info.size.max(1))).contains(&at)
            });
            is_unmodelled &= candidates.is_empty();
        }
        let route = (ty, Vec::new());
        Spot::Pointed { address, candidates: Rc::new(candidates), is_unmodelled, route }
    }

    /// `p[i]` where `p` is a known address of an element of a plain array: that array with an index.
    fn indexed_pointer(&mut self, pointer: &'p Expression, ty: TypeId) -> Option<Spot> {
        let ExpressionKind::Offset { pointer: base, index, size, is_negative } = &pointer.kind else {
            return None;
        };
        if self.has_effects(base) || self.shared_reads(base) > 0 || self.has_effects(index) {
            return None;
        }
        let obligations = self.obligations.len();
        let at = self.value(base);
        let Some(at) = self.e.as_constant(at) else {
            self.obligations.truncate(obligations);
            return None;
        };
        let object = self.memory.objects.iter().position(|info| {
            let from = u128::from(info.address);
            (from..from + u128::from(info.size)).contains(&at)
        })?;
        let object = ObjectId::new(object);
        let leaves = self.leaves_of(object);
        let offset = (at - u128::from(self.memory.objects[object.index()].address)) as u64;
        let leaf = leaves.iter().find(|leaf| {
            leaf.dimensions.len() == 1
                && leaf.dimensions[0].0 == *size
                && leaf.path.last() == Some(&Hop::Element)
                && offset >= leaf.offset
                && (offset - leaf.offset).is_multiple_of(*size)
                && (offset - leaf.offset) / size < leaf.dimensions[0].1
                && self.is_same_shape(leaf.ty, ty)
        })?;
        let first = (offset - leaf.offset) / size;
        let width = self.program.data_model.pointer_bits();
        let mut value = self.value(index);
        value = self.e.resize(value, width, true);
        if !self.is_joint() && self.is_shared(object) && self.reads_shared(value) {
            value = self.materialise(value, index.span);
        }
        if *is_negative {
            value = self.e.negate(value);
        }
        let first = self.e.constant(u128::from(first), width);
        let value = self.e.add(value, first);
        let length = self.e.constant(u128::from(leaf.dimensions[0].1), width);
        let is_inside = self.e.binary(BinaryOperator::UnsignedLess, value, length);
        self.oblige_bounds(is_inside, "assumes-in-bounds", pointer.span);
        Some(Spot::Named { object, path: leaf.path.clone(), indices: vec![value] })
    }

    /// The address of a spot.
    pub(super) fn address(&mut self, spot: &Spot) -> ExpressionId {
        match spot {
            Spot::Pointed { address, .. } => *address,
            Spot::Named { object, path, indices } => {
                let width = self.program.data_model.pointer_bits();
                let info = &self.memory.objects[object.index()];
                let (mut constant, mut ty) = (info.address, info.ty);
                let mut sum = self.e.constant(0, width);
                let mut indices = indices.iter();
                for hop in path {
                    match (hop, &types::get(self.program, ty).kind) {
                        (Hop::Field(field), TypeKind::Record(record)) => {
                            constant += self.field_offset(ty, *field);
                            let fields = self.program.records[record.index()].fields.as_ref();
                            if let Some(field) = fields.and_then(|fields| fields.get(*field as usize)) {
                                ty = field.ty;
                            }
                        }
                        (Hop::Element, TypeKind::Array { element, .. }) => {
                            ty = *element;
                            let size = u128::from(types::size_of(self.program, ty));
                            let size = self.e.constant(size, width);
                            if let Some(&index) = indices.next() {
                                let distance = self.e.binary(BinaryOperator::Multiply, index, size);
                                sum = self.e.add(sum, distance);
                            }
                        }
                        _ => {}
                    }
                }
                let constant = self.e.constant(u128::from(constant), width);
                self.e.add(sum, constant)
            }
        }
    }

    /// The scalars that a spot may be, seen as this type; and whether it may be something without a model.
    pub(super) fn accesses(&mut self, spot: &Spot, ty: TypeId, facet: Facet) -> (Vec<Access>, bool) {
        match spot {
            Spot::Named { object, path, indices } => {
                let leaves = self.leaves_of(*object);
                let Some(leaf) = self.leaf_at(*object, path) else { return (Vec::new(), true) };
                if leaves[leaf].kind == LeafKind::Unmodelled {
                    return (Vec::new(), true);
                }
                let index = self.flat_index(&leaves[leaf], indices);
                let variable = self.leaf_variable(*object, leaf, facet);
                let bits = self.variables[variable.index()].bits;
                let condition = self.e.truth(true);
                (vec![Access { variable, index, condition, bits }], false)
            }
            Spot::Pointed { address, candidates, is_unmodelled, route } => {
                let mut found = Vec::new();
                let mut is_unmodelled = *is_unmodelled;
                for &object in candidates.iter() {
                    let before = found.len();
                    self.accesses_in(object, *address, ty, facet, route, &mut found);
                    let is_bytes = types::size_of(self.program, ty) == 1;
                    is_unmodelled |= before == found.len() && is_bytes;
                }
                (found, is_unmodelled)
            }
        }
    }

    fn flat_index(&mut self, leaf: &Leaf, indices: &[ExpressionId]) -> Option<ExpressionId> {
        let width = self.program.data_model.pointer_bits();
        let mut flat: Option<ExpressionId> = None;
        for (&index, &(_, length)) in indices.iter().zip(&leaf.dimensions) {
            flat = Some(match flat {
                None => index,
                Some(outer) => {
                    let length = self.e.constant(u128::from(length), width);
                    let scaled = self.e.binary(BinaryOperator::Multiply, outer, length);
                    self.e.add(scaled, index)
                }
            });
        }
        if leaf.length() == 1 { None } else { flat }
    }

    fn accesses_in(
        &mut self,
        object: ObjectId,
        address: ExpressionId,
        ty: TypeId,
        facet: Facet,
        route: &(TypeId, Vec<Hop>),
        out: &mut Vec<Access>,
    ) {
        let leaves = self.leaves_of(object);
        let is_routed = leaves.iter().any(|leaf| self.is_on_route(object, leaf, route));
        let (size, bits) = (types::size_of(self.program, ty), types::bits_of(self.program, ty));
        let opaque = types::get(self.program, ty).opaque;
        for (number, leaf) in leaves.iter().enumerate() {
            let is_matching = match leaf.kind {
                LeafKind::Value => leaf.size == size && leaf.bits == bits && !leaf.is_bit_field,
                LeafKind::Opaque(kind) => Some(kind) == opaque,
                LeafKind::Unmodelled => false,
            };
            let first = leaves.iter().position(|other| other.is_same_memory(leaf));
            let is_elsewhere = is_routed && !self.is_on_route(object, leaf, route);
            if !is_matching || first != Some(number) || leaf.length() == 0 || is_elsewhere {
                continue;
            }
            let (condition, index) = self.match_address(object, leaf, address);
            if self.e.as_constant(condition) == Some(0) {
                continue;
            }
            let variable = self.leaf_variable(object, number, facet);
            let bits = self.variables[variable.index()].bits;
            out.push(Access { variable, index, condition, bits });
        }
    }

    /// Whether a leaf is that member of a struct of the type that the pointer points to. If an object has such structs, a
    /// pointer to one does not point to other members.
    fn is_on_route(&self, object: ObjectId, leaf: &Leaf, (ty, way): &(TypeId, Vec<Hop>)) -> bool {
        let Some(record) = types::record_of(self.program, *ty) else { return false };
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

    /// When an address is that of a scalar of this leaf, and of which.
    fn match_address(
        &mut self,
        object: ObjectId,
        leaf: &Leaf,
        address: ExpressionId,
    ) -> (ExpressionId, Option<ExpressionId>) {
        let width = self.e.bits(address);
        let base = self.memory.objects[object.index()].address + leaf.offset;
        let base = self.e.constant(u128::from(base), width);
        if leaf.length() == 1 {
            return (self.e.equal(address, base), None);
        }
        let mut rest = self.e.subtract(address, base);
        let mut conditions = Vec::new();
        let mut indices = Vec::new();
        for &(size, length) in &leaf.dimensions {
            let end = self.e.constant(u128::from(size * length), width);
            conditions.push(self.e.binary(BinaryOperator::UnsignedLess, rest, end));
            let size = self.e.constant(u128::from(size), width);
            indices.push(self.e.binary(BinaryOperator::UnsignedDivide, rest, size));
            rest = self.e.binary(BinaryOperator::UnsignedRemainder, rest, size);
        }
        let zero = self.e.constant(0, width);
        conditions.push(self.e.equal(rest, zero));
        let condition = self.e.all(conditions);
        (condition, self.flat_index(leaf, &indices))
    }

    /// What a scalar holds.
    pub(super) fn access_value(&mut self, access: &Access) -> ExpressionId {
        match access.index {
            None => self.e.variable(access.variable, access.bits),
            Some(index) => self.e.element(access.variable, index, access.bits),
        }
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
        if let Some(value) = self.constant_read(spot, bits) {
            return value;
        }
        let value = self.read_facet(spot, ty, Facet::Value, span);
        self.e.resize(value, bits, types::is_signed(self.program, ty))
    }

    /// The same for any facet, in the width of the variable.
    pub(super) fn read_facet(&mut self, spot: &Spot, ty: TypeId, facet: Facet, span: Span) -> ExpressionId {
        let (accesses, is_unmodelled) = self.accesses(spot, ty, facet);
        if self.is_shared_spot(spot) {
            self.touch(span);
        }
        self.oblige_valid(&accesses, is_unmodelled, span);
        let mut accesses = accesses.iter().rev();
        let last = match accesses.next() {
            Some(access) if is_unmodelled => {
                let value = self.access_value(access);
                let default = self.unmodelled_memory(access.bits, span);
                self.e.if_then_else(access.condition, value, default)
            }
            Some(access) => self.access_value(access),
            None => {
                let bits = types::bits_of(self.program, ty);
                self.unmodelled_memory(bits, span)
            }
        };
        accesses.fold(last, |rest, access| {
            let value = self.access_value(access);
            self.e.if_then_else(access.condition, value, rest)
        })
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

    /// The value of a scalar of an object that never changes.
    fn constant_read(&mut self, spot: &Spot, bits: u32) -> Option<ExpressionId> {
        let Spot::Named { object, path, indices } = spot else { return None };
        if !self.is_constant(*object) {
            return None;
        }
        let leaf = self.leaf_at(*object, path)?;
        let leaves = self.leaves_of(*object);
        if leaves[leaf].kind != LeafKind::Value {
            return None;
        }
        let index = match self.flat_index(&leaves[leaf], indices) {
            None => 0,
            Some(index) => self.e.as_constant(index)?,
        };
        let variable = self.leaf_variable(*object, leaf, Facet::Value);
        let variable = &self.variables[variable.index()];
        let value = *variable.initial.as_ref()?.get(usize::try_from(index).ok()?)?;
        let constant = self.e.constant(value, variable.bits);
        Some(self.e.resize(constant, bits, types::is_signed(self.program, leaves[leaf].ty)))
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
        let (accesses, is_unmodelled) = self.accesses(spot, ty, facet);
        if self.is_shared_spot(spot) {
            self.touch(span);
        }
        self.oblige_valid(&accesses, is_unmodelled, span);
        if accesses.is_empty() && is_unmodelled {
            return self.clobber(spot, span);
        }
        let is_only = accesses.len() == 1 && !is_unmodelled;
        let mut out = Vec::new();
        for access in &accesses {
            let mut value = self.e.resize(value, access.bits, false);
            if !is_only {
                let old = self.access_value(access);
                value = self.e.if_then_else(access.condition, value, old);
            }
            out.push(Assignment { target: access.variable, index: access.index, value });
        }
        out
    }

    /// A write without a model: everything in the objects that it may go to becomes arbitrary.
    fn clobber(&mut self, spot: &Spot, span: Span) -> Vec<Assignment> {
        let Spot::Pointed { candidates, .. } = spot else { return Vec::new() };
        let mut out = Vec::new();
        for &object in candidates.iter() {
            let leaves = self.leaves_of(object);
            for (number, leaf) in leaves.iter().enumerate() {
                let first = leaves.iter().position(|other| other.is_same_memory(leaf));
                if leaf.kind != LeafKind::Value || first != Some(number) {
                    continue;
                }
                let target = self.leaf_variable(object, number, Facet::Value);
                let length = leaf.length();
                if length > 64 {
                    let message = "an array is written to as if it were of another type";
                    self.refuse("E0713", message, span, "write to the elements with their own type");
                    continue;
                }
                for index in 0..length {
                    let width = self.program.data_model.pointer_bits();
                    let index = (length != 1).then(|| self.e.constant(u128::from(index), width));
                    let value = self.unmodelled_memory(leaf.bits, span);
                    out.push(Assignment { target, index, value });
                }
            }
        }
        out
    }
}
