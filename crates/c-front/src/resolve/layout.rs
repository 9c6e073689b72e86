//! Sizes, alignments and offsets, as the System V ABI of x86 and x86-64 has them: members at the next multiple of their
//! alignment, bit-fields packed into units of their type that they do not cross, the size rounded up to the alignment.

use super::Resolver;
use crate::hir::{DataModel, Field, TypeId, TypeKind};
use crate::syntax::IntegerWord;

/// A member before it has an offset.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// Its name; a bit-field without one is padding.
    pub(super) name: Option<String>,
    /// Its type.
    pub(super) ty: TypeId,
    /// The width of a bit-field.
    pub(super) width: Option<u32>,
    /// Whether it is not aligned.
    pub(super) is_packed: bool,
    /// What `aligned(n)` says.
    pub(super) aligned: Option<u64>,
}

/// Where the members are, and how large the whole is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Layout {
    /// Offset, and first bit and width of bit-fields; in the order of parts, padding left out.
    pub(super) places: Vec<(u64, Option<(u32, u32)>)>,
    pub(super) size: u64,
    pub(super) alignment: u64,
}

impl Resolver<'_> {
    /// The size of a type in bytes; `void` and functions have size 1, as GNU C says. `None` if it is incomplete.
    pub(super) fn size_of(&self, ty: TypeId) -> Option<u64> {
        Some(match *self.types.kind(ty) {
            TypeKind::Void | TypeKind::Bool | TypeKind::Function { .. } => 1,
            TypeKind::Integer { bits, .. } => u64::from(bits / 8),
            TypeKind::Floating { bytes, .. } => u64::from(bytes),
            TypeKind::Pointer(_) => self.pointer_bytes(),
            TypeKind::Array { element, length } => self.size_of(element)?.checked_mul(length?)?,
            TypeKind::Record(id) => {
                let record = &self.records[id.index()];
                record.fields.as_ref()?;
                record.size
            }
            TypeKind::VaList => match self.data_model {
                DataModel::Ilp32 => 4,
                DataModel::Lp64 => 24,
            },
        })
    }

    pub(super) fn pointer_bytes(&self) -> u64 {
        u64::from(self.data_model.pointer_bits() / 8)
    }

    /// The alignment of a type in bytes. On x86, nothing is aligned to more than four.
    pub(super) fn align_of(&self, ty: TypeId) -> u64 {
        let most = match self.data_model {
            DataModel::Ilp32 => 4,
            DataModel::Lp64 => 16,
        };
        if let Some(aligned) = self.types.get(ty).aligned {
            return aligned;
        }
        match *self.types.kind(ty) {
            TypeKind::Array { element, .. } => self.align_of(element),
            TypeKind::Record(id) => self.records[id.index()].alignment.max(1),
            TypeKind::VaList => self.pointer_bytes(),
            _ => self.size_of(ty).unwrap_or(1).next_power_of_two().min(most),
        }
    }

    /// The layout of a struct or union, with the largest alignment of members that `#pragma pack` says. `None` if it
    /// is larger than can be.
    pub(super) fn layout(
        &self,
        parts: &[Part],
        is_union: bool,
        aligned: Option<u64>,
        pack: Option<u64>,
    ) -> Option<Layout> {
        let mut layout = Layout { alignment: aligned.unwrap_or(1), ..Layout::default() };
        // Where the next member of a struct may begin, in bits.
        let mut free: u64 = 0;
        let mut size_bits: u64 = 0;
        for part in parts {
            let bytes = self.size_of(part.ty).unwrap_or(0);
            let natural = if part.is_packed { 1 } else { self.align_of(part.ty) };
            let alignment = natural.max(part.aligned.unwrap_or(1)).min(pack.unwrap_or(u64::MAX));
            let start = if is_union { 0 } else { free };
            let end = match part.width {
                None => {
                    let start = start.checked_next_multiple_of(8 * alignment)?;
                    layout.places.push((start / 8, None));
                    layout.alignment = layout.alignment.max(alignment);
                    start.checked_add(bytes.checked_mul(8)?)?
                }
                Some(0) => start.checked_next_multiple_of(8 * self.align_of(part.ty))?,
                Some(width) => {
                    let start = first_bit(start, u64::from(width), 8 * bytes, 8 * alignment, part);
                    if part.name.is_some() {
                        layout.places.push(unit_of(start, width, bytes, self.align_of(part.ty)));
                        layout.alignment = layout.alignment.max(alignment);
                    }
                    start.checked_add(u64::from(width))?
                }
            };
            // No object reaches so far, and nothing below overflows.
            if end >> 62 != 0 {
                return None;
            }
            free = end;
            size_bits = size_bits.max(end);
        }
        layout.size = size_bits.div_ceil(8).checked_next_multiple_of(layout.alignment)?;
        // An object may not be larger than the difference of two pointers can be.
        (layout.size < 1 << (self.data_model.pointer_bits() - 1)).then_some(layout)
    }

    /// The steps, by numbers of members, to the member of this name; through anonymous members if need be.
    pub(super) fn find_field(&self, record: crate::hir::RecordId, name: &str) -> Option<Vec<u32>> {
        let fields = self.records[record.index()].fields.as_ref()?;
        if let Some(index) = fields.iter().position(|field| field.name.as_deref() == Some(name)) {
            return Some(vec![index as u32]);
        }
        fields.iter().enumerate().filter(|(_, field)| field.name.is_none()).find_map(|(index, field)| {
            let TypeKind::Record(inner) = *self.types.kind(field.ty) else { return None };
            let mut path = self.find_field(inner, name)?;
            path.insert(0, index as u32);
            Some(path)
        })
    }

    /// A member by its number.
    pub(super) fn field(&self, record: crate::hir::RecordId, index: u32) -> Option<&Field> {
        self.records[record.index()].fields.as_ref()?.get(index as usize)
    }

    /// The unsigned or signed integer type of a width, as the attribute `mode` has them.
    pub(super) fn integer_of_bytes(&mut self, bytes: u64, is_signed: bool) -> Option<TypeId> {
        let rank = match bytes {
            1 if is_signed => IntegerWord::SignedChar,
            1 => IntegerWord::Char,
            2 => IntegerWord::Short,
            4 => IntegerWord::Int,
            8 if self.data_model == DataModel::Lp64 => IntegerWord::Long,
            8 => IntegerWord::LongLong,
            16 => IntegerWord::Int128,
            _ => return None,
        };
        Some(self.types.integer(rank, is_signed))
    }
}

/// The first bit of a bit-field: the next one, unless it would cross a unit of its type.
fn first_bit(start: u64, width: u64, unit: u64, alignment: u64, part: &Part) -> u64 {
    if let Some(aligned) = part.aligned {
        return start.next_multiple_of(8 * aligned);
    }
    // The ABI of x86 looks at units of the type's size at multiples of its alignment.
    if part.is_packed || start % alignment + width <= unit {
        start
    } else {
        start.next_multiple_of(alignment)
    }
}

/// Offset in bytes and first bit, for a bit-field that begins at this bit of the struct: counted from a unit of its
/// type at a multiple of the alignment, or, if it is packed and crosses one, from its first byte.
fn unit_of(start: u64, width: u32, bytes: u64, alignment: u64) -> (u64, Option<(u32, u32)>) {
    let offset = start / (8 * alignment) * alignment;
    let bit = start - 8 * offset;
    if bit + u64::from(width) <= 8 * bytes {
        (offset, Some((bit as u32, width)))
    } else {
        (start / 8, Some(((start % 8) as u32, width)))
    }
}
