//! `memcpy`, `memmove`, `memset` and `memcmp`: what is at two addresses, byte by byte or in larger chunks.
//!
//! Copies and fills of a constant size are cut into chunks that match the scalars they hit, as far as these are known; others
//! are loops over bytes. None of them is one step: other threads may see them half done. `memmove` reads everything before it
//! writes. What `memcmp` gives besides its sign is arbitrary.

use super::cells::Shape;
use super::place::Spot;
use super::threads::strip;
use super::{Lower, types};
use crate::hir::{Expression, TypeId};
use std::collections::BTreeSet;
use throng_base::Span;
use throng_cfa::flow::{BinaryOperator as Flow, ExpressionId, ValueType};

/// Up to this many chunks are written one after the other; beyond that, in a loop.
const MAX_CHUNKS: usize = 256;

/// How a copy or a fill is cut.
struct Chunks {
    sizes: Vec<u64>,
    /// Whether pointers whose types do not say so are aligned for the largest chunk: one bit.
    are_aligned: ExpressionId,
    /// The size of all.
    size: u64,
}

/// How an address is aligned where the type that it points to is cut into these chunks: 1 in packed structs.
fn alignment(sizes: &[u64]) -> u64 {
    let mut offset = 0;
    let are_aligned = sizes.iter().all(|&size| {
        let is_aligned = u64::is_multiple_of(offset, size);
        offset += size;
        is_aligned
    });
    if are_aligned && offset.is_multiple_of(largest(sizes)) { largest(sizes) } else { 1 }
}

/// The size of the largest chunk, at least 1.
fn largest(sizes: &[u64]) -> u64 {
    sizes.iter().copied().max().unwrap_or(1)
}

/// The functions of this file.
pub(super) fn is_known(name: &str) -> bool {
    matches!(name, "memcpy" | "memmove" | "memset" | "memcmp" | "bzero" | "bcmp" | "bcopy" | "mempcpy")
}

impl<'p> Lower<'p> {
    /// A call of one of the functions.
    pub(super) fn memory_call(
        &mut self,
        name: &str,
        arguments: &'p [Expression],
        e: &'p Expression,
    ) -> ExpressionId {
        let bits = types::bits_of(self.program, e.ty);
        let (to, other, size) = match (name, arguments) {
            ("bzero", [to, size]) => (to, None, size),
            ("bcopy", [from, to, size]) => (to, Some(from), size),
            (_, [to, other, size]) => (to, Some(other), size),
            _ => return self.e.constant(0, bits),
        };
        let values = self.unsequenced(arguments);
        let values: Vec<ExpressionId> = values
            .into_iter()
            .zip(arguments)
            .map(|(value, argument)| self.materialise(value, argument.span))
            .collect();
        let value_of = |wanted: &Expression| {
            let position = arguments.iter().position(|argument| std::ptr::eq(argument, wanted));
            values[position.unwrap_or(0)]
        };
        let (address, size) = (value_of(to), value_of(size));
        let to_spot = self.bytes_of(to, address);
        match (name, other) {
            ("memcmp" | "bcmp", Some(other)) => {
                let other_spot = self.bytes_of(other, value_of(other));
                return self.compare(&to_spot, &other_spot, size, e);
            }
            ("memset" | "bzero", _) => {
                let byte = match other {
                    Some(other) => self.e.resize(value_of(other), 8, false),
                    None => self.e.constant(0, 8),
                };
                self.fill(&to_spot, to, byte, size, e.span);
            }
            (_, Some(other)) => {
                let from = self.bytes_of(other, value_of(other));
                self.copy_bytes(&to_spot, &from, (to, other), size, name, e.span);
            }
            _ => {}
        }
        match name {
            "mempcpy" => self.e.add(address, size),
            _ => self.e.resize(address, bits, false),
        }
    }

    /// What a pointer points to, as bytes.
    fn bytes_of(&mut self, pointer: &'p Expression, address: ExpressionId) -> Spot {
        let targets = self.points.of(self.program, pointer);
        self.pointed(address, &targets, self.program.words[0])
    }

    /// Sizes of chunks that match what is at a spot, if that is known; otherwise what the pointer's type says.
    fn chunks(&mut self, spot: &Spot, pointer: &Expression, size: u64) -> Option<Vec<u64>> {
        if let Spot::Pointed { address, candidates, .. } = spot
            && let (Some(at), [object]) = (self.e.as_constant(*address), &candidates[..])
        {
            let info = &self.memory.objects[object.index()];
            let offset = (at - u128::from(info.address)) as u64;
            let shape = self.shape_of(*object);
            return Some(cut(&shape, offset, size));
        }
        let ty = types::pointee(self.program, strip(pointer).ty)?;
        let whole = types::size_of(self.program, ty);
        if types::is_void(self.program, ty) || whole <= 1 || !size.is_multiple_of(whole) {
            return None;
        }
        let shape = Shape::new(self.program, ty, self.puns.has_bool_bytes);
        let one = cut(&shape, 0, whole);
        Some(one.iter().copied().cycle().take(one.len() * (size / whole) as usize).collect())
    }

    /// The chunks of a constant size that both sides agree with best; none if there are too many.
    fn common_chunks(&mut self, sides: &[(&Spot, &'p Expression)], size: ExpressionId) -> Option<Chunks> {
        let size = u64::try_from(self.e.as_constant(size)?).ok()?;
        if size > (16 * MAX_CHUNKS) as u64 {
            return None;
        }
        let mut known: Vec<Vec<u64>> = Vec::new();
        let mut unsure = Vec::new();
        for (spot, pointer) in sides {
            let chunks = self.chunks(spot, pointer, size);
            let address = self.address(spot);
            if self.e.as_constant(address).is_none() {
                unsure.push((address, alignment(chunks.as_deref().unwrap_or_default())));
            }
            known.extend(chunks);
        }
        // The larger chunks are, the fewer steps there are; a scalar that is hit in part is written in part.
        // In packed structs chunks are where they like, which only addresses that are known allow.
        let best = known.into_iter().min_by_key(Vec::len);
        let best = best.filter(|sizes| unsure.is_empty() || alignment(sizes) == largest(sizes));
        let sizes = best.unwrap_or_else(|| vec![1; size as usize]);
        let wanted = largest(&sizes);
        let mut are_aligned = self.e.truth(true);
        for (address, _) in unsure.into_iter().filter(|&(_, own)| own < wanted) {
            let is_aligned = self.is_aligned(address, &sizes);
            are_aligned = self.e.and(are_aligned, is_aligned);
        }
        (sizes.len() <= MAX_CHUNKS).then_some(Chunks { sizes, are_aligned, size })
    }

    /// Whether all chunks from an address on are at multiples of their sizes.
    fn is_aligned(&mut self, address: ExpressionId, sizes: &[u64]) -> ExpressionId {
        let bits = self.e.bits(address);
        let mut at = 0;
        let mut rests: BTreeSet<(u64, u64)> = BTreeSet::new();
        for &size in sizes {
            rests.insert((at % size, size));
            at += size;
        }
        let mut all = self.e.truth(true);
        for (rest, size) in rests {
            let rest = self.e.constant(u128::from(rest), bits);
            let begin = self.e.add(address, rest);
            let low = self.e.constant(u128::from(size - 1), bits);
            let low = self.e.binary(Flow::And, begin, low);
            let is_odd = self.e.is_nonzero(low);
            let is_even = self.e.not(is_odd);
            all = self.e.and(all, is_even);
        }
        all
    }

    /// Does something in chunks, or in single bytes where a pointer is not aligned as its type does not say that it is.
    fn in_chunks(&mut self, chunks: &Chunks, span: Span, mut body: impl FnMut(&mut Self, &[u64])) {
        let (whole, single, join) = (self.fresh(), self.fresh(), self.fresh());
        self.branch_on(chunks.are_aligned, whole, single, span);
        self.resume(whole);
        if self.is_reachable() {
            body(self, &chunks.sizes);
        }
        self.goto(join);
        self.resume(single);
        if self.is_reachable() {
            body(self, &vec![1; chunks.size as usize]);
        }
        self.continue_at(join);
    }

    fn fill(
        &mut self,
        to: &Spot,
        pointer: &'p Expression,
        byte: ExpressionId,
        size: ExpressionId,
        span: Span,
    ) {
        let Some(chunks) = self.common_chunks(&[(to, pointer)], size) else {
            return self.each_byte(size, span, |this, at| {
                let spot = this.byte_at(to, at);
                this.store(&spot, this.program.words[0], byte, span, false);
            });
        };
        self.in_chunks(&chunks, span, |this, sizes| {
            let mut at = 0;
            for &chunk in sizes {
                let ty = this.word_type(chunk);
                let spot = this.bytes_at(to, at, chunk);
                let bits = types::bits_of(this.program, ty);
                let ones = this.e.constant(u128::MAX / 0xff, bits);
                let wide = this.e.resize(byte, bits, false);
                let value = this.e.binary(Flow::Multiply, wide, ones);
                this.store(&spot, ty, value, span, false);
                at += chunk;
            }
        });
    }

    fn copy_bytes(
        &mut self,
        to: &Spot,
        from: &Spot,
        (pointer, source): (&'p Expression, &'p Expression),
        size: ExpressionId,
        name: &str,
        span: Span,
    ) {
        let Some(chunks) = self.common_chunks(&[(to, pointer), (from, source)], size) else {
            if matches!(name, "memmove" | "bcopy") {
                let message = format!("{name} of so many bytes, or of a size that is not constant");
                let hint = "use memcpy if the objects do not overlap";
                return self.refuse("E0724", message, span, hint);
            }
            return self.each_byte(size, span, |this, at| {
                let (from, to) = (this.byte_at(from, at), this.byte_at(to, at));
                let value = this.read(&from, this.program.words[0], span);
                this.store(&to, this.program.words[0], value, span, false);
            });
        };
        let is_early = matches!(name, "memmove" | "bcopy");
        self.in_chunks(&chunks, span, |this, sizes| this.copy_chunks(to, from, sizes, is_early, span));
    }

    /// Copies chunk by chunk; all are read first if that is asked for.
    fn copy_chunks(&mut self, to: &Spot, from: &Spot, sizes: &[u64], is_early: bool, span: Span) {
        let mut pending: Vec<(Spot, TypeId, ExpressionId)> = Vec::new();
        let mut at = 0;
        for &chunk in sizes {
            let ty = self.word_type(chunk);
            let (source, target) = (self.bytes_at(from, at, chunk), self.bytes_at(to, at, chunk));
            let value = self.read(&source, ty, span);
            if is_early {
                let value = self.materialise(value, span);
                pending.push((target, ty, value));
            } else {
                self.store(&target, ty, value, span, false);
            }
            at += chunk;
        }
        for (target, ty, value) in pending {
            self.store(&target, ty, value, span, false);
        }
    }

    /// The byte at an offset that is not constant.
    fn byte_at(&mut self, spot: &Spot, offset: ExpressionId) -> Spot {
        let start = self.bytes_at(spot, 0, 1);
        match start {
            Spot::Pointed { address, candidates, is_unmodelled, route, field } => {
                let width = self.e.bits(address);
                let offset = self.e.resize(offset, width, false);
                let address = self.e.add(address, offset);
                Spot::Pointed { address, candidates, is_unmodelled, route, field }
            }
            named @ Spot::Named { .. } => named,
        }
    }

    /// Does something for each byte of a size, in a loop.
    fn each_byte(&mut self, size: ExpressionId, span: Span, body: impl FnOnce(&mut Self, ExpressionId)) {
        let bits = self.e.bits(size);
        let counter = self.temporary(bits, span);
        let (zero, one) = (self.e.constant(0, bits), self.e.constant(1, bits));
        self.set(counter, zero, span);
        let (head, inside, after) = (self.fresh(), self.fresh(), self.fresh());
        if !self.is_reachable() {
            return;
        }
        self.begin_at(head);
        let at = self.e.variable(counter, bits);
        let is_left = self.e.binary(Flow::UnsignedLess, at, size);
        self.branch_on(is_left, inside, after, span);
        self.resume(inside);
        body(self, at);
        let next = self.e.add(at, one);
        self.set(counter, next, span);
        self.goto(head);
        self.resume(after);
    }

    fn compare(&mut self, a: &Spot, b: &Spot, size: ExpressionId, e: &'p Expression) -> ExpressionId {
        let bits = types::bits_of(self.program, e.ty);
        let result = self.temporary(bits, e.span);
        let zero = self.e.constant(0, bits);
        self.set(result, zero, e.span);
        let join = self.fresh();
        let constant = self.e.as_constant(size).filter(|&size| size <= 64);
        let step = |this: &mut Self, at: ExpressionId| {
            let (left, right) = (this.byte_at(a, at), this.byte_at(b, at));
            let left = this.read(&left, this.program.words[0], e.span);
            let left = this.materialise(left, e.span);
            let right = this.read(&right, this.program.words[0], e.span);
            let right = this.materialise(right, e.span);
            this.compare_bytes(left, right, result, join, e.span);
        };
        match constant {
            Some(size) => {
                let width = self.program.data_model.pointer_bits();
                for at in 0..size {
                    let at = self.e.constant(at, width);
                    step(self, at);
                }
            }
            None => self.each_byte(size, e.span, step),
        }
        self.continue_at(join);
        self.e.variable(result, bits)
    }

    /// Leaves with a number of the right sign if two bytes differ.
    fn compare_bytes(
        &mut self,
        left: ExpressionId,
        right: ExpressionId,
        result: throng_cfa::flow::VariableId,
        join: throng_cfa::flow::LocationId,
        span: Span,
    ) {
        let bits = self.variables[result.index()].bits;
        let less = self.e.binary(Flow::UnsignedLess, left, right);
        let more = self.e.binary(Flow::UnsignedLess, right, left);
        let equal = self.e.equal(left, right);
        let some = self.nondet("memcmp()", bits - 1, ValueType::Integer { is_signed: false });
        let is_some = self.e.is_nonzero(some);
        let positive = self.e.resize(some, bits, false);
        let sign = self.e.constant(1 << (bits - 1), bits);
        let negative = self.e.or(positive, sign);
        let more = self.e.and(more, is_some);
        let on = self.fresh();
        let set = |value| vec![throng_cfa::flow::Assignment { target: result, index: None, value }];
        let ways = vec![(less, set(negative), join), (more, set(positive), join), (equal, Vec::new(), on)];
        self.split(ways, span);
        self.resume(on);
    }
}

/// Sizes of chunks of so many bytes from an offset on: whole scalars where they are hit whole, otherwise bytes.
fn cut(shape: &Shape, offset: u64, size: u64) -> Vec<u64> {
    let mut out = Vec::new();
    let (mut at, end) = (offset, offset + size);
    while at < end {
        let first = shape.bits(at, 0, 1).and_then(|bits| bits.first().copied());
        let cell = first.filter(|bits| bits.low == 0).and_then(|bits| bits.cell);
        let size = cell.map_or(1, |cell| shape.cells[cell].size);
        let step = if at + size <= end && size <= 16 { size } else { 1 };
        out.push(step);
        at += step;
    }
    out
}
