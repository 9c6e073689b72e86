//! Accesses to what is wider than a machine word: two steps, since machines make several, and others may come between.
//!
//! A plain access to `__int128`, or to 64 bits where words have 32, is one to its lower and one to its upper half, in either
//! order. Atomic ones are one step, as they are whether the machine has an instruction for them or a library takes a lock.

use super::Lower;
use super::access::{Access, Piece};
use super::memory::Facet;
use super::place::Spot;
use super::types;
use crate::hir::TypeId;
use throng_base::Span;
use throng_cfa::flow::{Assignment, ExpressionId};

impl Lower<'_> {
    /// Whether a plain access to a spot takes two steps that others can notice; what takes more is refused.
    pub(super) fn is_torn(&mut self, spot: &Spot, ty: TypeId, span: Span) -> bool {
        if !self.is_threaded() || self.is_joint() || !self.is_shared_spot(spot) {
            return false;
        }
        let word = self.program.data_model.pointer_bits();
        let field = self.field_range(spot);
        let (low, count) = field.unwrap_or_else(|| (0, types::bits_of(self.program, ty)));
        let is_wide = if field.is_some() { low + count > word } else { self.is_torn_type(ty) };
        if !is_wide || low / word == (low + count - 1) / word {
            return false;
        }
        if low > 0 || count > 2 * word {
            let message = if low > 0 {
                "this bit-field lies in two machine words, and other threads may see it half changed"
            } else {
                "this lies in more than two machine words, and other threads may see it partly changed"
            };
            self.refuse("E0763", message, span, "use a type that fits a machine word, or an atomic one");
        }
        true
    }

    /// Whether there are other threads than `main`.
    fn is_threaded(&self) -> bool {
        !self.points.started.is_empty() || !self.options.threads_run.is_empty()
    }

    /// Whether plain accesses to what others see of this type take two steps.
    pub(super) fn is_torn_type(&self, ty: TypeId) -> bool {
        let word = self.program.data_model.pointer_bits();
        let described = types::get(self.program, ty);
        self.is_threaded()
            && !self.is_joint()
            && !described.qualifiers.is_atomic
            && described.opaque.is_none()
            && types::record_of(self.program, ty).is_none()
            && types::bits_of(self.program, ty) > word
    }

    /// Reads the halves of what a spot may be into temporaries, in either order; gives all of it.
    pub(super) fn read_halves(&mut self, accesses: &[Access], width: u32, span: Span) -> ExpressionId {
        let halves = self.halves(width);
        let mut steps = Vec::new();
        for &(low, count) in &halves {
            let parts: Vec<Access> = accesses.iter().map(|access| part_of(access, low, count)).collect();
            let value = self.any_of(&parts, false, count, span);
            let target = self.temporary(count, span);
            steps.push((target, Assignment { target, index: None, value }));
        }
        let assignments = steps.iter().map(|(_, assignment)| vec![assignment.clone()]).collect();
        self.in_either_order(assignments, span);
        let mut whole = self.e.constant(0, width);
        for ((target, _), &(low, count)) in steps.iter().zip(&halves) {
            let half = self.e.variable(*target, count);
            let half = self.e.resize(half, width, false);
            let distance = self.e.constant(u128::from(low), width);
            let half = self.e.binary(throng_cfa::flow::BinaryOperator::ShiftLeft, half, distance);
            whole = self.e.or(whole, half);
        }
        whole
    }

    /// Writes a value to a spot, half by half in either order.
    pub(super) fn write_halves(&mut self, spot: &Spot, ty: TypeId, value: ExpressionId, span: Span) {
        let value = self.materialise(value, span);
        self.oblige_writable(spot, span);
        let (accesses, is_unmodelled) = self.accesses(spot, ty, Facet::Value);
        self.touch(span);
        self.oblige_valid(&accesses, is_unmodelled, span);
        self.oblige_alive(spot, span);
        if accesses.is_empty() && is_unmodelled {
            let assignments = self.clobber(spot, span);
            return self.emit_assignments(assignments, span);
        }
        let width = self.width_of(spot, ty);
        let value = self.e.resize(value, width, false);
        let mut steps = Vec::new();
        for (low, count) in self.halves(width) {
            let half = self.e.extract(value, low, count);
            let mut assignments = Vec::new();
            let parts: Vec<Access> = accesses.iter().map(|access| part_of(access, low, count)).collect();
            for part in &parts {
                self.write_access(part, half, &[], &mut assignments);
            }
            self.keep_apart(&parts, &mut assignments);
            steps.push(assignments);
        }
        self.in_either_order(steps, span);
    }

    /// First bits and widths of the halves.
    fn halves(&self, width: u32) -> [(u32, u32); 2] {
        let word = self.program.data_model.pointer_bits().min(width - 1);
        [(0, word), (word, width - word)]
    }

    /// Makes two steps, either one first.
    fn in_either_order(&mut self, mut steps: Vec<Vec<Assignment>>, span: Span) {
        let (Some(second), Some(first)) = (steps.pop(), steps.pop()) else { return };
        let truth = self.e.truth(true);
        let (one, other, join) = (self.fresh(), self.fresh(), self.fresh());
        self.split(vec![(truth, first.clone(), one), (truth, second.clone(), other)], span);
        for (location, rest) in [(one, second), (other, first)] {
            self.resume(location);
            self.touch(span);
            self.emit_assignments(rest, span);
            self.goto(join);
        }
        self.resume(join);
    }
}

/// Some bits of what a place may be.
fn part_of(access: &Access, low: u32, count: u32) -> Access {
    let (mut at, end) = (0, low + count);
    let mut pieces = Vec::new();
    for piece in &access.pieces {
        let (from, to) = (at.max(low), (at + piece.count).min(end));
        if from < to {
            // Bits beyond the width of a variable are zeros.
            let first = piece.low.saturating_add(from - at);
            pieces.push(Piece { low: first, count: to - from, ..*piece });
        }
        at += piece.count;
    }
    Access { pieces, condition: access.condition }
}
