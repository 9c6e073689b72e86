//! Cells: the variables that hold an object's bytes.
//!
//! C looks at the same bytes in several ways: as members of a union, as characters, as bit-fields of one unit. A *cell* is a
//! scalar, or a row of scalars, that has bytes of its own; every leaf of the object's type (`types`) is part of a cell, a
//! whole one, or several:
//!
//! * a scalar that shares no bytes with others is a cell by itself, and so are members of a union that are the same scalar;
//! * neighbouring bit-fields of one storage unit are one cell, as C says: they are one memory location to other threads;
//! * a union whose members overlap in other ways, or as bit-fields, is cut into words, as wide as its widest scalar.
//!
//! Library objects have no bytes that are modelled; in unions they keep cells of their own, and `cone` refuses programs that look
//! at both. Floating-point numbers are bits that can be copied and looked at; what is computed with them has no model.

use super::types::{self, Hop, Leaf, LeafKind};
use crate::hir::{Program, TypeId, TypeKind};

/// Up to this many words, each word of a union is a cell of its own; beyond that they are a row.
const MAX_WORDS: u64 = 16;

/// How many bytes a cell has at most.
const WIDEST: u64 = 16;

/// A scalar, or a row of scalars, with bytes of its own.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// What is written after the object's name.
    pub(super) suffix: String,
    /// The distance of the first scalar from the start of the object, in bytes.
    pub(super) offset: u64,
    /// For each array on the way, from the outside in: the size of its elements, and how many there are.
    pub(super) dimensions: Vec<(u64, u64)>,
    /// How many bytes each scalar has.
    pub(super) size: u64,
    /// How many of their bits are kept: 1 for `_Bool`, unless its byte may be looked at.
    pub(super) bits: u32,
    /// Its type, if it is that of one leaf.
    pub(super) ty: Option<TypeId>,
    /// What it is.
    pub(super) kind: LeafKind,
}

impl Cell {
    /// How many scalars it is.
    pub(super) fn length(&self) -> u64 {
        self.dimensions.iter().map(|&(_, length)| length).product()
    }

    /// Which scalar a byte of the object is in, and which byte of it.
    fn find(&self, byte: u64) -> Option<(u64, u64)> {
        let mut rest = byte.checked_sub(self.offset)?;
        let mut number = 0;
        for &(size, length) in &self.dimensions {
            let index = rest.checked_div(size)?;
            if index >= length {
                return None;
            }
            number = number * length + index;
            rest %= size;
        }
        (rest < self.size).then_some((number, rest))
    }

    /// Whether it has bytes in common with another cell of the same object, or may have: for each array that both are in, one
    /// element tells whether they are apart in all of them.
    pub(super) fn overlaps(&self, other: &Cell) -> bool {
        let extent = |cell: &Cell, level: usize| {
            let below = cell.dimensions[level..].iter();
            below.map(|&(size, n)| size * n.saturating_sub(1)).sum::<u64>() + cell.size
        };
        if self.offset >= other.offset + extent(other, 0) || other.offset >= self.offset + extent(self, 0) {
            return false;
        }
        // Two arrays that only look the same are apart on a level further out, or overlap.
        let common = self.dimensions.iter().zip(&other.dimensions).take_while(|(a, b)| a == b).count();
        (1..=common).all(|level| {
            let stride = self.dimensions[level - 1].0.max(1);
            let distance = (other.offset % stride + stride - self.offset % stride) % stride;
            distance < extent(self, level) || distance + extent(other, level) > stride
        })
    }
}

/// Where a leaf is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Home {
    /// In these bits of the scalars of a cell of the same dimensions, from `low` on.
    Cell {
        /// Which cell.
        cell: usize,
        /// The first bit.
        low: u32,
    },
    /// In words of a union, or of bit-fields that are longer than a cell, by its offset.
    Words,
}

/// A type's leaves and cells.
#[derive(Debug)]
pub(super) struct Shape {
    /// The scalars as the type has them.
    pub(super) leaves: Vec<Leaf>,
    /// Where each leaf is kept.
    pub(super) homes: Vec<Home>,
    /// What holds the bytes.
    pub(super) cells: Vec<Cell>,
}

/// Some bits of a scalar of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bits {
    /// Which cell; none for padding.
    pub(super) cell: Option<usize>,
    /// Which of its scalars.
    pub(super) number: u64,
    /// The first bit.
    pub(super) low: u32,
    /// How many.
    pub(super) count: u32,
}

impl Shape {
    /// The shape of a type; whether a `_Bool` keeps all of its byte.
    pub(super) fn new(program: &Program, ty: TypeId, has_bool_bytes: bool) -> Self {
        let leaves = types::leaves(program, ty);
        let mut this = Self { homes: vec![Home::Words; leaves.len()], leaves, cells: Vec::new() };
        let mut unions: Vec<(Vec<Hop>, usize)> = Vec::new();
        let mut number = 0;
        while number < this.leaves.len() {
            if let Some(depth) = mixed_union(program, ty, &this.leaves, number) {
                let path = this.leaves[number].path[..depth].to_vec();
                if !unions.iter().any(|(known, _)| *known == path) {
                    this.add_words(program, ty, number, depth);
                    unions.push((path, number));
                }
                number += 1;
            } else if this.leaves[number].is_bit_field {
                number = this.add_unit(number);
            } else {
                this.add_scalar(number, has_bool_bytes);
                number += 1;
            }
        }
        this
    }

    fn add_scalar(&mut self, number: usize, has_bool_bytes: bool) {
        let leaf = &self.leaves[number];
        let same = self.leaves[..number].iter().position(|other| other.is_same_memory(leaf));
        if let Some(same) = same.filter(|&same| self.homes[same] != Home::Words) {
            self.homes[number] = self.homes[same];
            return;
        }
        self.homes[number] = Home::Cell { cell: self.cells.len(), low: 0 };
        let is_bool = leaf.kind == LeafKind::Value && leaf.bits == 1;
        let bits = if is_bool && has_bool_bytes { 8 } else { leaf.bits };
        self.cells.push(Cell {
            suffix: leaf.suffix.clone(),
            offset: leaf.offset,
            dimensions: leaf.dimensions.clone(),
            size: leaf.size,
            bits,
            ty: Some(leaf.ty),
            kind: leaf.kind,
        });
    }

    /// The unit of a bit-field and those that follow it in the same storage unit; gives the next leaf.
    fn add_unit(&mut self, first: usize) -> usize {
        let leaf = self.leaves[first].clone();
        let parent = &leaf.path[..leaf.path.len() - 1];
        let start = |leaf: &Leaf| 8 * leaf.offset + u64::from(leaf.bit);
        let byte = start(&leaf) / 8;
        let end_of = |leaf: &Leaf| (start(leaf) + u64::from(leaf.bits)).div_ceil(8);
        let mut end = end_of(&leaf);
        let mut unit = start(&leaf) / (8 * leaf.size);
        let mut next = first;
        while let Some(other) = self.leaves.get(next) {
            let is_here = other.is_bit_field && other.path[..other.path.len() - 1] == *parent;
            let is_near = start(other) / 8 < end || start(other) / (8 * other.size) == unit;
            if !is_here || !is_near || (other.is_apart && next > first) {
                break;
            }
            if end_of(other) - byte > WIDEST {
                // If they share a byte, no cell has room for both: packed ones.
                if start(other) / 8 < end {
                    return self.add_long_unit(first);
                }
                break;
            }
            (end, unit) = (end_of(other).max(end), start(other) / (8 * other.size));
            next += 1;
        }
        let names: Vec<&str> = self.leaves[first..next].iter().map(|leaf| last_name(&leaf.suffix)).collect();
        let before = leaf.suffix.strip_suffix(last_name(&leaf.suffix)).unwrap_or_default();
        let suffix = match names[..] {
            [only] => format!("{before}{only}"),
            _ => format!("{before}{{{}}}", names.join(",")),
        };
        for number in first..next {
            let low = (start(&self.leaves[number]) - 8 * byte) as u32;
            self.homes[number] = Home::Cell { cell: self.cells.len(), low };
        }
        self.cells.push(Cell {
            suffix,
            offset: byte,
            dimensions: leaf.dimensions,
            size: end - byte,
            bits: 8 * (end - byte) as u32,
            ty: None,
            kind: LeafKind::Value,
        });
        next
    }

    /// Neighbouring bit-fields that share bytes and do not fit into one cell: words, of which each is part of one or of several.
    fn add_long_unit(&mut self, first: usize) -> usize {
        let leaf = self.leaves[first].clone();
        let parent = &leaf.path[..leaf.path.len() - 1];
        let start = |leaf: &Leaf| 8 * leaf.offset + u64::from(leaf.bit);
        let byte = start(&leaf) / 8;
        let mut end = byte + 1;
        let mut next = first;
        while let Some(other) = self.leaves.get(next) {
            let is_here = other.is_bit_field && other.path[..other.path.len() - 1] == *parent;
            if !is_here || start(other) / 8 > end || (other.is_apart && next > first) {
                break;
            }
            end = end.max((start(other) + u64::from(other.bits)).div_ceil(8));
            next += 1;
        }
        let before = leaf.suffix.strip_suffix(last_name(&leaf.suffix)).unwrap_or_default();
        for at in (byte..end).step_by(8) {
            let size = (end - at).min(8);
            self.push_word(format!("{before}{{{}}}", at - byte), at, leaf.dimensions.clone(), size);
        }
        next
    }

    /// The words of the union that a leaf is in, which begins after this many steps.
    fn add_words(&mut self, program: &Program, ty: TypeId, number: usize, depth: usize) {
        let leaf = &self.leaves[number];
        let path = &leaf.path.clone()[..depth];
        let (offset, suffix, union) = walk(program, ty, path);
        let arrays = path.iter().filter(|hop| **hop == Hop::Element).count();
        let dimensions = leaf.dimensions[..arrays].to_vec();
        let size = types::size_of(program, union);
        let inside = self.leaves.iter().filter(|leaf| leaf.path.starts_with(path));
        let widest = inside.map(|leaf| leaf.size.min(8)).max().unwrap_or(1);
        let word = (0..4).map(|k| 8 >> k).find(|&w| w <= widest && size.is_multiple_of(w)).unwrap_or(1);
        let count = size / word;
        if count > MAX_WORDS {
            let mut dimensions = dimensions;
            dimensions.push((word, count));
            self.push_word(format!("{suffix}{{}}[]"), offset, dimensions, word);
            return;
        }
        for index in 0..count {
            let at = offset + index * word;
            let is_word = |leaf: &&Leaf| {
                leaf.path.starts_with(path)
                    && leaf.offset == at
                    && leaf.size == word
                    && !leaf.is_bit_field
                    && leaf.dimensions.len() == arrays
            };
            let name = match self.leaves.iter().find(is_word) {
                Some(leaf) => leaf.suffix.clone(),
                None => format!("{suffix}{{{}}}", index * word),
            };
            self.push_word(name, at, dimensions.clone(), word);
        }
    }

    fn push_word(&mut self, suffix: String, offset: u64, dimensions: Vec<(u64, u64)>, size: u64) {
        let bits = 8 * size as u32;
        self.cells.push(Cell { suffix, offset, dimensions, size, bits, ty: None, kind: LeafKind::Value });
    }

    /// The leaf that a path leads to.
    pub(super) fn leaf(&self, path: &[Hop]) -> Option<usize> {
        self.leaves.iter().position(|leaf| leaf.path == path)
    }

    /// Bytes of an object of this size that belong to no cell: from, and how many.
    pub(super) fn padding(&self, size: u64) -> Vec<(u64, u64)> {
        let mut out: Vec<(u64, u64)> = Vec::new();
        for byte in (0..size).filter(|&byte| !self.cells.iter().any(|cell| cell.find(byte).is_some())) {
            match out.last_mut() {
                Some((from, count)) if *from + *count == byte => *count += 1,
                _ => out.push((byte, 1)),
            }
        }
        out
    }

    /// What these bits of the object are, from the lowest on. `None` if some of them have no model.
    pub(super) fn bits(&self, byte: u64, low: u32, count: u32) -> Option<Vec<Bits>> {
        let mut out: Vec<Bits> = Vec::new();
        let (mut at, end) = (8 * byte + u64::from(low), 8 * byte + u64::from(low + count));
        while at < end {
            let found = self
                .cells
                .iter()
                .enumerate()
                .find_map(|(number, cell)| cell.find(at / 8).map(|(index, rest)| (number, index, rest)));
            let Some((cell, number, rest)) = found else {
                let next = (at / 8 + 1) * 8;
                push_padding(&mut out, (next.min(end) - at) as u32);
                at = next;
                continue;
            };
            if self.cells[cell].kind != LeafKind::Value {
                return None;
            }
            let low = (8 * rest + at % 8) as u32;
            let left = (8 * self.cells[cell].size) as u32 - low;
            let count = left.min((end - at) as u32);
            // What `_Bool` does not keep is zero; reading it is as reading padding that is zero.
            let kept = self.cells[cell].bits.saturating_sub(low).min(count);
            if kept > 0 {
                out.push(Bits { cell: Some(cell), number, low, count: kept });
            }
            if count > kept {
                out.push(Bits { cell: Some(cell), number, low: u32::MAX, count: count - kept });
            }
            at += u64::from(count);
        }
        Some(out)
    }
}

fn push_padding(out: &mut Vec<Bits>, count: u32) {
    match out.last_mut() {
        Some(last) if last.cell.is_none() => last.count += count,
        _ => out.push(Bits { cell: None, number: 0, low: 0, count }),
    }
}

/// What comes after the last dot of a suffix.
fn last_name(suffix: &str) -> &str {
    suffix.rsplit('.').next().unwrap_or(suffix)
}

/// Where a path leads: the offset (of the first element of arrays), what is written, and the type.
fn walk(program: &Program, mut ty: TypeId, path: &[Hop]) -> (u64, String, TypeId) {
    let (mut offset, mut suffix) = (0, String::new());
    for hop in path {
        match (hop, &types::get(program, ty).kind) {
            (Hop::Element, TypeKind::Array { element, .. }) => {
                suffix.push_str("[]");
                ty = *element;
            }
            (Hop::Field(number), TypeKind::Record(record)) => {
                let fields = program.records[record.index()].fields.iter().flatten();
                if let Some(field) = fields.into_iter().nth(*number as usize) {
                    offset += field.offset;
                    if let Some(name) = &field.name {
                        suffix.push('.');
                        suffix.push_str(name);
                    }
                    ty = field.ty;
                }
            }
            _ => {}
        }
    }
    (offset, suffix, ty)
}

/// Whether a leaf is in a union whose members overlap without being the same scalars: how many steps lead to the
/// outermost one. Unions with library objects in them are not cut into words.
fn mixed_union(program: &Program, ty: TypeId, leaves: &[Leaf], number: usize) -> Option<usize> {
    let path = &leaves[number].path;
    let mut here = ty;
    for (depth, hop) in path.iter().enumerate() {
        match (hop, &types::get(program, here).kind) {
            (Hop::Element, TypeKind::Array { element, .. }) => here = *element,
            (Hop::Field(field), TypeKind::Record(record)) => {
                let record = &program.records[record.index()];
                if record.is_union && is_mixed(leaves, &path[..depth]) {
                    return Some(depth);
                }
                here = record.fields.as_ref()?.get(*field as usize)?.ty;
            }
            _ => return None,
        }
    }
    None
}

fn is_mixed(leaves: &[Leaf], union: &[Hop]) -> bool {
    let inside: Vec<&Leaf> = leaves.iter().filter(|leaf| leaf.path.starts_with(union)).collect();
    let is_plain = inside.iter().all(|leaf| leaf.kind == LeafKind::Value);
    let depth = union.len();
    let crosses = |a: &Leaf, b: &Leaf| {
        let (a_range, b_range) = (a.range(), b.range());
        a.path[depth] != b.path[depth]
            && a_range.start < b_range.end
            && b_range.start < a_range.end
            && (a.is_bit_field || !a.is_same_memory(b))
    };
    is_plain && inside.iter().any(|a| inside.iter().any(|b| crosses(a, b)))
}
