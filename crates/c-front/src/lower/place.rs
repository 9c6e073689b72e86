//! Places: which scalars an lvalue may be, how they are read and how they are written.

use super::Lower;
use super::points::Target;
use super::types::{self, Hop};
use crate::hir::{Expression, ExpressionKind, ObjectId, Place, PlaceKind, TypeId, TypeKind};
use std::rc::Rc;
use throng_base::Span;
use throng_cfa::flow::{BinaryOperator, ExpressionId, PropertyKind};

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
        /// For a bit-field, its first bit from the address on, and its width.
        field: Option<(u32, u32)>,
    },
}

impl Spot {
    /// All of an object.
    pub(super) fn whole(object: ObjectId) -> Self {
        Spot::Named { object, path: Vec::new(), indices: Vec::new() }
    }
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
            Spot::Pointed { address, candidates, is_unmodelled, mut route, .. } => {
                let offset = self.field_offset(ty, field);
                let bits = self.e.bits(address);
                let offset = self.e.constant(u128::from(offset), bits);
                route.1.push(Hop::Field(field));
                let field = self.field_bits(ty, field);
                let address = self.further(address, offset);
                Spot::Pointed { address, candidates, is_unmodelled, route, field }
            }
        }
    }

    /// An address at a distance from another one, in the same memory.
    fn further(&mut self, from: ExpressionId, distance: ExpressionId) -> ExpressionId {
        let address = self.e.add(from, distance);
        if let Some(&origin) = self.origins.get(&from) {
            self.origins.insert(address, origin);
        }
        address
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
        // An arbitrary index is chosen once, however often the place is accessed.
        let (is_fragile, is_arbitrary) = self.fragility(index);
        if is_arbitrary || (is_shared && !self.is_joint() && is_fragile) {
            index = self.materialise(index, span);
        }
        let TypeKind::Array { element, length } = types::get(self.program, array.ty).kind else {
            return spot;
        };
        let whole = match &spot {
            Spot::Named { object, path, .. } if path.is_empty() => self.current_length(*object),
            _ => None,
        };
        let length = whole.or_else(|| Some(self.e.constant(u128::from(length?), width)));
        if let (Some(length), true) = (length, is_access) {
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
            Spot::Pointed { address, candidates, is_unmodelled, mut route, field } => {
                let width = self.e.bits(address);
                route.1.push(Hop::Element);
                let size = self.e.constant(u128::from(types::size_of(self.program, element)), width);
                let distance = self.e.binary(BinaryOperator::Multiply, index, size);
                let address = self.further(address, distance);
                Spot::Pointed { address, candidates, is_unmodelled, route, field }
            }
        }
    }

    pub(super) fn oblige_bounds(&mut self, condition: ExpressionId, kind: &'static str, span: Span) {
        let kind = if kind == "assumes-in-bounds" { PropertyKind::Bounds } else { PropertyKind::Pointers };
        self.require(kind, condition, span);
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
        let (is_fragile, is_arbitrary) = self.fragility(address);
        if is_arbitrary || (!self.is_joint() && is_fragile) {
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
        let mut found = None;
        let mut candidates = Vec::new();
        for target in targets {
            match target {
                Target::Object(object) if self.is_accessible(*object) && self.is_alive(*object) => {
                    candidates.push(*object);
                }
                Target::Object(_) | Target::Function(_) | Target::Thread => {}
                Target::Unmodelled => is_unmodelled = true,
                Target::Origin(origin, start, end) => {
                    found = found.or(Some((*origin, Span { start: *start, end: *end })));
                }
            }
        }
        if let Some(origin) = found.filter(|_| is_unmodelled) {
            self.origins.insert(address, origin);
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
        Spot::Pointed { address, candidates: Rc::new(candidates), is_unmodelled, route, field: None }
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
        if !self.is_alive(object) {
            self.obligations.truncate(obligations);
            return None;
        }
        let shape = self.shape_of(object);
        let leaves = &shape.leaves;
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
        let (is_fragile, is_arbitrary) = self.fragility(value);
        if is_arbitrary || (!self.is_joint() && self.is_shared(object) && is_fragile) {
            value = self.materialise(value, index.span);
        }
        if *is_negative {
            value = self.e.negate(value);
        }
        let first = self.e.constant(u128::from(first), width);
        let value = self.e.add(value, first);
        let length = match self.current_length(object) {
            Some(length) => length,
            None => self.e.constant(u128::from(leaf.dimensions[0].1), width),
        };
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
}
