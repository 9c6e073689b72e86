//! Sizes of types, and how types are cut into scalars.
//!
//! A *leaf* of a type is a scalar in it, or a row of scalars if there are arrays on the way: the type
//! `struct { int a; char b[4]; }[3]` has the leaves `[].a` (3 of them) and `[].b[]` (12). A leaf of an object becomes one
//! variable. Library types such as `pthread_mutex_t` are one leaf each, whatever a header says is in them.

use crate::hir::{Opaque, Program, RecordId, Type, TypeId, TypeKind};

/// What a leaf is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LeafKind {
    /// A number or an address.
    Value,
    /// A library object.
    Opaque(Opaque),
    /// A list of arguments.
    Unmodelled,
}

/// A step from a type to a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Hop {
    /// A member.
    Field(u32),
    /// Any element.
    Element,
}

/// A scalar in a type, or a row of them.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// How to get there.
    pub(super) path: Vec<Hop>,
    /// What is written after the object's name: `[].a`.
    pub(super) suffix: String,
    /// The distance of the first of them from the start of the object, in bytes.
    pub(super) offset: u64,
    /// For each array on the way, from the outside in: the size of its elements, and how many there are.
    pub(super) dimensions: Vec<(u64, u64)>,
    /// Its type.
    pub(super) ty: TypeId,
    /// The width of its value.
    pub(super) bits: u32,
    /// The size in bytes.
    pub(super) size: u64,
    /// For a bit-field, its first bit from the offset on; 0 for all others.
    pub(super) bit: u32,
    /// Whether it is a bit-field.
    pub(super) is_bit_field: bool,
    /// Whether it is another memory location than the bit-field before it, whatever the unit.
    pub(super) is_apart: bool,
    /// What it is.
    pub(super) kind: LeafKind,
}

impl Leaf {
    /// How many scalars it is.
    pub(super) fn length(&self) -> u64 {
        self.dimensions.iter().map(|&(_, length)| length).product()
    }

    /// Whether a leaf of the same object stands for the same memory and is read in the same way: members of a union.
    pub(super) fn is_same_memory(&self, other: &Leaf) -> bool {
        self.offset == other.offset
            && self.dimensions == other.dimensions
            && self.bits == other.bits
            && self.bit == other.bit
            && self.kind == other.kind
            && self.is_bit_field == other.is_bit_field
    }

    /// The bytes from the first to the last of its scalars, with what is between them.
    pub(super) fn range(&self) -> std::ops::Range<u64> {
        let span: u64 = self.dimensions.iter().map(|&(size, n)| size * n.saturating_sub(1)).sum();
        let size = if self.is_bit_field { u64::from((self.bit + self.bits).div_ceil(8)) } else { self.size };
        self.offset..self.offset + span + size
    }
}

/// The type with this number.
pub(super) fn get(program: &Program, ty: TypeId) -> &Type {
    &program.types[ty.index()]
}

/// The size of a type in bytes; 1 for `void` and functions, as GNU C has it.
pub(super) fn size_of(program: &Program, ty: TypeId) -> u64 {
    match &get(program, ty).kind {
        TypeKind::Void | TypeKind::Function { .. } | TypeKind::Bool => 1,
        TypeKind::Integer { bits, .. } => u64::from(*bits) / 8,
        TypeKind::Floating { bytes, .. } => u64::from(*bytes),
        TypeKind::Pointer(_) => u64::from(program.data_model.pointer_bits()) / 8,
        TypeKind::Array { element, length } => size_of(program, *element).saturating_mul(length.unwrap_or(0)),
        TypeKind::Record(record) => program.records[record.index()].size,
        TypeKind::VaList => 24,
    }
}

/// The width of values of a type: one bit for `_Bool` and mutexes, that of pointers for records and other types whose
/// values are never computed with.
pub(super) fn bits_of(program: &Program, ty: TypeId) -> u32 {
    let ty = get(program, ty);
    match (&ty.kind, ty.opaque) {
        (_, Some(Opaque::Mutex)) | (TypeKind::Bool, None) => 1,
        (_, Some(Opaque::ReadWriteLock)) => 32,
        (TypeKind::Integer { bits, .. }, _) => *bits,
        (TypeKind::Floating { bytes, .. }, _) => (bytes * 8).min(128),
        _ => program.data_model.pointer_bits(),
    }
}

/// Whether a type has negative values.
pub(super) fn is_signed(program: &Program, ty: TypeId) -> bool {
    matches!(get(program, ty).kind, TypeKind::Integer { is_signed: true, .. })
}

/// Whether values of a type are not modelled.
pub(super) fn is_unmodelled(program: &Program, ty: TypeId) -> bool {
    matches!(get(program, ty).kind, TypeKind::Floating { .. } | TypeKind::VaList)
}

/// Whether values of a type are not kept.
pub(super) fn is_unkept(program: &Program, ty: TypeId) -> bool {
    matches!(get(program, ty).kind, TypeKind::VaList)
}

/// Whether a type is a struct or union that is copied member by member.
pub(super) fn record_of(program: &Program, ty: TypeId) -> Option<RecordId> {
    let ty = get(program, ty);
    match (&ty.kind, ty.opaque) {
        (TypeKind::Record(record), None) => Some(*record),
        _ => None,
    }
}

/// What a pointer points to.
pub(super) fn pointee(program: &Program, ty: TypeId) -> Option<TypeId> {
    match get(program, ty).kind {
        TypeKind::Pointer(to) => Some(to),
        _ => None,
    }
}

/// Whether objects of a type are constant: it is `const`, or an array of such.
pub(super) fn is_constant(program: &Program, ty: TypeId) -> bool {
    let ty = get(program, ty);
    ty.qualifiers.is_const
        || matches!(ty.kind, TypeKind::Array { element, .. } if is_constant(program, element))
}

/// Whether a type is `void`.
pub(super) fn is_void(program: &Program, ty: TypeId) -> bool {
    matches!(get(program, ty).kind, TypeKind::Void)
}

/// The leaves of a type.
pub(super) fn leaves(program: &Program, ty: TypeId) -> Vec<Leaf> {
    let mut out = Vec::new();
    let root = Leaf {
        path: Vec::new(),
        suffix: String::new(),
        offset: 0,
        dimensions: Vec::new(),
        ty,
        bits: 0,
        size: 0,
        bit: 0,
        is_bit_field: false,
        is_apart: false,
        kind: LeafKind::Value,
    };
    collect(program, root, &mut out);
    out
}

/// The leaves below `here`, whose type is set and whose kind is not.
fn collect(program: &Program, here: Leaf, out: &mut Vec<Leaf>) {
    let ty = get(program, here.ty);
    match (&ty.kind, ty.opaque) {
        (TypeKind::Array { element, length }, None) => {
            let mut inner = Leaf { ty: *element, ..here };
            inner.path.push(Hop::Element);
            inner.suffix.push_str("[]");
            inner.dimensions.push((size_of(program, *element), length.unwrap_or(0)));
            collect(program, inner, out);
        }
        (TypeKind::Record(record), None) => {
            let fields = program.records[record.index()].fields.iter().flatten();
            for (number, field) in fields.enumerate() {
                let mut inner = Leaf { ty: field.ty, offset: here.offset + field.offset, ..here.clone() };
                inner.path.push(Hop::Field(number as u32));
                if let Some(name) = &field.name {
                    inner.suffix.push('.');
                    inner.suffix.push_str(name);
                }
                match field.bits {
                    Some((_, 0)) => {}
                    Some((bit, width)) => {
                        let bits = width.min(bits_of(program, field.ty));
                        let size = size_of(program, field.ty);
                        let is_apart = field.is_apart;
                        out.push(Leaf { bits, size, bit, is_bit_field: true, is_apart, ..inner });
                    }
                    None => collect(program, inner, out),
                }
            }
        }
        (kind, opaque) => {
            // Floating-point numbers are bits that nothing is computed with; there are no variables for more than 16 bytes.
            let is_list = matches!(kind, TypeKind::VaList | TypeKind::Floating { bytes: 17.., .. });
            let kind = match opaque {
                Some(Opaque::Thread) | None if !is_list => LeafKind::Value,
                Some(opaque) => LeafKind::Opaque(opaque),
                None => LeafKind::Unmodelled,
            };
            let (bits, size) = (bits_of(program, here.ty), size_of(program, here.ty));
            out.push(Leaf { bits, size, kind, ..here });
        }
    }
}
